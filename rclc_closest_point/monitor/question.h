/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_QUESTION_H
#define RCLC_CLOSEST_POINT_MONITOR_QUESTION_H

/* Questions to a monitor about a trajectory: does what it moves stay clear of everything, where
 * that was told to be? certify.h answers them; here is what it is asked.
 *
 * What the trajectory moves starts from the nearest link above it that transforms tell of. Of other
 * joints between them the joint states must tell; they stay where they are. What it does not move
 * stays where it was told last, or goes on as it moves. Pairs of which the trajectory moves neither
 * link are not its matter. What is not known, or too old, is a refusal: nothing is guessed. */

#include "rclc_closest_point/certify.h"
#include "rclc_closest_point/monitor/settings.h"

typedef struct clp_monitor clp_monitor;

/* More of these are refused: they are a mistake, or take more memory than a monitor may. */
#define CLP_QUESTION_POINTS_MAX 10000
#define CLP_QUESTION_PARTS_MAX 32768

/* How many steps are taken where nobody says, and at most; and how many pairs are told of. */
#define CLP_QUESTION_STEPS 100000
#define CLP_QUESTION_STEPS_MAX 10000000
#define CLP_QUESTION_PAIRS 16
#define CLP_QUESTION_PAIRS_MAX 256

typedef struct clp_question_list {
  const double *values;
  size_t count;
} clp_question_list;

typedef struct clp_question_point {
  double time; /* s from the start */
  clp_question_list positions, velocities, accelerations;
} clp_question_point;

/* Certify's request (msg/srv/Certify.srv), which says what the members mean. */
typedef struct clp_question {
  int64_t start; /* ns; 0: the instant of the poses */
  const char **joint_names;
  size_t joint_count;
  clp_question_point *points;
  size_t point_count;
  double from, to, clearance, tolerance;
  uint32_t max_steps, max_pairs;
  bool obstacles_move;
} clp_question;

/* The first four are those of clp_certify_verdict. */
typedef enum clp_question_verdict {
  CLP_QUESTION_CLEAR,
  CLP_QUESTION_NEAR,
  CLP_QUESTION_CONTACT,
  CLP_QUESTION_UNDECIDED,
  CLP_QUESTION_REFUSED,
  CLP_QUESTION_BUSY
} clp_question_verdict;

typedef struct clp_questioned_pair {
  int pair; /* which of those that were asked about */
  const char *body_a, *body_b;
  clp_certified found;
  clp_vec3 point_a, point_b; /* NaN: no distance was found */
} clp_questioned_pair;

/* Certify's response. Starts as {0}. */
typedef struct clp_question_answer {
  int64_t stamp;
  clp_frame_text frame;
  clp_question_verdict verdict;
  char reason[512];
  double from, to, clearance, age;
  uint32_t pair_count;
  uint64_t steps;
  clp_questioned_pair *pairs;
  int count;
  char *names; /* what the pairs' point to */
} clp_question_answer;

void clp_question_answer_release(clp_question_answer *answer);

/* Whoever asked has been told no: numbers are NaN, and nothing else is there. */
void clp_question_refuse(clp_question_answer *answer, clp_question_verdict verdict,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Asked now and then while the question is worked on; false: it is given up, and refused. */
typedef struct clp_question_patience {
  bool (*go_on)(void *user);
  void *user;
} clp_question_patience;

/* Answers from the monitor's snapshot (snapshot.h), which is not taken anew meanwhile; in any
 * thread, as long as the monitor is there. Allocates. */
void clp_question_ask(const clp_monitor *monitor, const clp_question *question,
                      clp_question_patience patience, clp_question_answer *answer);

#endif
