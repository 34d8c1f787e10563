/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_MONITOR_STATE_H
#define RCLC_CLOSEST_POINT_MONITOR_MONITOR_STATE_H

/* What a monitor consists of. monitor_setup.c puts it together, monitor.c runs it. */

#include "rclc_closest_point/monitor/carriers.h"
#include "rclc_closest_point/monitor/claim.h"
#include "rclc_closest_point/monitor/gradients.h"
#include "rclc_closest_point/monitor/link_state.h"
#include "rclc_closest_point/monitor/monitor.h"
#include "rclc_closest_point/monitor/separation.h"
#include "rclc_closest_point/monitor/snapshot.h"
#include "rclc_closest_point/scene.h"

/* A link of some monitored pair. */
typedef struct clp_monitor_link {
  int link; /* in the model */
  clp_link_id id;
  clp_role role;
  clp_link_state state;
  clp_clock_mark heard; /* when its newest pose came */
  clp_link_now now;
  bool enabled; /* in the scene */
  bool placed;  /* there is a cycle before, with this pose */
  clp_vec3 last_position;
  clp_quaternion last_orientation;
} clp_monitor_link;

/* Which of a pair's links belongs to the tool that the wrench acts on. */
typedef enum clp_tool_role { CLP_TOOL_NONE, CLP_TOOL_IS_A, CLP_TOOL_IS_B } clp_tool_role;

typedef struct clp_monitor_pair {
  int a, b; /* among the monitor's links */
  clp_link_pair_id id;
  bool planar;                 /* some part is: it has to stay in its plane */
  bool proven;                 /* all parts are, and so its bounds */
  bool safety;                 /* counts for it */
  uint64_t known, overlapping; /* cycles in which there was a distance, and an overlap */
  clp_tool_role role;
  clp_wrench push; /* on the tool, about its origin, with the fixed frame's axes */
} clp_monitor_pair;

/* The last time that the clock has gone back. */
typedef struct clp_set_back {
  double by;     /* seconds; 0: it never has */
  int64_t since; /* the time that it went back to */
} clp_set_back;

/* How far away the scene has to see: farther than what is published, where safety needs it. */
static inline double clp_monitor_range(const clp_settings *settings)
{
  double safety = clp_separation_range(settings);
  return settings->range == 0 || settings->range > safety ? settings->range : safety;
}

/* Takes a watched frame's newest pose. */
void clp_monitor_take_frame(clp_monitor *monitor, int watched, clp_monitor_frame *frame);

/* Tells its parts what they need of the settings. */
void clp_monitor_heed_settings(clp_monitor *monitor);

struct clp_monitor {
  clp_settings settings;
  clp_model *model;
  clp_scene *scene;
  clp_input input; /* watches the links in their order here, the tool, wrench_frame, carriers */
  clp_joints joints;
  clp_joint_tree
      *tree; /* of the model, joint states or not; NULL: its joints are not to be used, */
  char tree_fault[200]; /* because of this */
  clp_carriers carriers;
  clp_monitor_link *links;
  int link_count;
  clp_monitor_pair *pairs;
  int pair_count;
  clp_closest_point *points; /* one for each pair */
  clp_report_rank *ranks;    /* likewise */
  clp_claim claim;
  clp_monitor_frame tool, wrench_frame;
  clp_gradients gradients;
  clp_snapshot snapshot;
  double wrench_step; /* seconds that pushes may change for in this cycle */
  bool started, closing;
  int64_t time; /* of the last cycle */
  clp_clock_watch clock;
  clp_set_back set_back;
  double scene_time; /* seconds, never going back */
  uint64_t cycle;
  clp_separation separation;
  clp_speakers speakers;
  char foreign[200]; /* who else publishes what only the monitor may, or "" */
  char hint[200];    /* why nothing arrives, as far as the front end knows, or "" */
  char alarm[400];   /* of this cycle */
  clp_report report;
};

#endif
