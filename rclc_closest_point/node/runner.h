/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_RUNNER_H
#define RCLC_CLOSEST_POINT_NODE_RUNNER_H

/* The monitor, cycle by cycle, on whatever middleware.
 *
 * One thread does everything, at absolute times of the monotonic clock: take what has arrived, feed
 * it, run the cycle, publish the answers. Middleware has threads of its own for the network;
 * between them and this one stand its caches, so nothing here needs a lock. */

#include "rclc_closest_point/monitor/pace.h"
#include "rclc_closest_point/node/desk.h"
#include "rclc_closest_point/node/front.h"
#include "rclc_closest_point/node/tiler.h"

typedef struct clp_runner {
  const clp_front *front;
  void *self; /* the front end's */
  const clp_settings *settings;
  const char *node; /* its name */
  clp_waiting waiting;
  clp_publishers publishers;
  clp_tiler *tiler; /* of the model that is being made */
  clp_model_sink tiler_sink;
  clp_monitor *monitor; /* NULL: no model yet */
  clp_desk *desk;       /* NULL: it is not open */
  clp_painter *painter;
  void *points;             /* room for a message of each pair, */
  void *gradients;          /* for another of each pair, */
  void *joint_names;        /* for texts of all joints, */
  clp_arrival *arrivals;    /* and for those of one message */
  clp_joint_told *joints;   /* which may be of joints */
  int64_t sim_time;         /* 0: /clock has not told it yet */
  uint64_t unread, unsent;  /* messages: that the monitor has not been told of, and all */
  bool puzzled[CLP_TOPICS]; /* that there is one that cannot be read has been said */
  uint64_t idle_cycles;     /* without a monitor */
  clp_report idle;
  clp_pace pace;
  clp_publication publication;
  int64_t markers_due, diagnostics_due, graph_due, search_due;
} clp_runner;

/* The settings and the name of the node, "/ns/node", must outlive it. To be released also after a
 * failure; what is {0} can be released as well. */
clp_status clp_runner_create(clp_runner *runner, const clp_front *front, void *self,
                             const clp_settings *settings, const char *node, clp_model_sink sink);
void clp_runner_release(clp_runner *runner);

/* Takes questions from here on, and no more: while the front end has the service. */
clp_status clp_runner_open(clp_runner *runner);
void clp_runner_close(clp_runner *runner);

/* Reads the model, or waits for one: robot_description must be listened to by now. What is wrong
 * has been told to the sink. */
clp_status clp_runner_load(clp_runner *runner);
void clp_runner_unload(clp_runner *runner);

/* The first cycle is one period from now. */
void clp_runner_begin(clp_runner *runner);

/* Until the process is asked to stop; then says the last word, and how it has been. */
void clp_runner_run(clp_runner *runner);

/* The last word: STOP. Nobody shall go on driving at an old CLEAR, or being pushed by an old
 * wrench. */
void clp_runner_say_last(clp_runner *runner);

/* The same for this reason, after which cycles may go on. */
void clp_runner_say_nothing(clp_runner *runner, const char *why);

void clp_runner_note(const clp_runner *runner, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
