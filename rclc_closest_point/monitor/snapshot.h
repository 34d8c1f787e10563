/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_SNAPSHOT_H
#define RCLC_CLOSEST_POINT_MONITOR_SNAPSHOT_H

/* Where everything was in one cycle, copied, so that questions about it can be answered in another
 * thread while cycles go on. */

#include "rclc_closest_point/monitor/link_state.h"
#include "rclc_closest_point/monitor/settings.h"

typedef struct clp_monitor clp_monitor;

/* A link that transforms tell of. */
typedef struct clp_snapshot_place {
  clp_link_now now; /* at the snapshot's instant */
  clp_pose X_told;  /* where it was told to be last, in the fixed frame */
  int *hangs_on;    /* the tree's links that it hangs on by transforms, or is itself */
  int hangs_on_count;
} clp_snapshot_place;

/* A joint that is told by its position. */
typedef struct clp_snapshot_joint {
  bool told;
  double position, age; /* s */
} clp_snapshot_joint;

typedef struct clp_snapshot {
  int64_t time;
  clp_frame_text fixed_frame;
  double stale_after;
  char alarm[400];              /* why nothing that the monitor knows counts, or "" */
  clp_snapshot_place *links;    /* the monitor's */
  clp_snapshot_place *carriers; /* the monitor's */
  clp_snapshot_joint *joints;   /* of the tree */
  int *chains;                  /* what the places hang on */
  int *link_of_frame;           /* of the tree, or -1; as of the frames' version */
  uint64_t version;
} clp_snapshot;

/* When all that is watched is known. To be released also after a failure. */
clp_status clp_snapshot_create(clp_monitor *monitor);
void clp_snapshot_release(clp_snapshot *snapshot);

/* As of the last cycle, of which there has been one; in the thread of the cycles. Allocates
 * nothing. */
void clp_monitor_take_snapshot(clp_monitor *monitor);

#endif
