/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_LINK_STATE_H
#define RCLC_CLOSEST_POINT_MONITOR_LINK_STATE_H

/* A link's motion: the poses that were measured last, its twist from them, and from both where it
 * is at an instant and how far off that can be.
 *
 * The one thing that is taken for granted is max_speed: that no point of the link moves faster, in
 * the fixed frame and in each of the frames that its pose is put together from. A point that was at
 * p when it was measured is then within max_speed * age of p; where it is said to be now, predicted
 * or not, lies |X_now p - X_measured p| from there. The sum of the two is the link's *reach*: no
 * point is farther from where it is said to be. What is known of the clocks that stamp the poses
 * (clp_chain_time) counts as so much more age. A rigid motion's displacement is a convex function
 * of the point, so its largest value over the link is at a corner of the link's box. */

#include "rclc_closest_point/monitor/input.h"

/* The newest poses that are kept; and of those before some, so far apart (ns), that they reach back
 * by more than a second: as far as stamps may be ahead of now, however often they come. */
#define CLP_POSES_KEPT 64
#define CLP_POSES_SPARSE 32
#define CLP_POSES_APART INT64_C(40000000)

typedef struct clp_link_state {
  clp_box3 box;                       /* of the link, in its frame */
  clp_measured poses[CLP_POSES_KEPT]; /* a ring */
  int count, newest;
  clp_measured sparse[CLP_POSES_SPARSE]; /* another */
  int sparse_count, sparse_newest;
  bool has_twist;
  clp_twist twist; /* smoothed; in the fixed frame, of the link's origin */
  bool has_rates;  /* the newest pose came with its twist, from the speeds of joints: */
  clp_twist rates; /* what is predicted rests on it; how fast the link may be, on both */
  double speed;    /* of the fastest corner between the newest two poses, or by the rates */
  double interval; /* between poses, smoothed; 0: not known */
} clp_link_state;

/* A corner of a box, 0 to 7. */
clp_vec3 clp_box_corner(clp_box3 box, int k);

/* Takes a pose. One that does not follow the newest starts anew; after a pause of more than
 * `longest` seconds the twist does. */
void clp_link_state_measure(clp_link_state *state, const clp_measured *pose, double longest);
void clp_link_state_forget(clp_link_state *state);

/* Whether there is a pose, from static transforms alone. */
bool clp_link_state_rests(const clp_link_state *state);

/* The newest pose; false: there is none. */
bool clp_link_state_newest(const clp_link_state *state, clp_measured *pose);

typedef enum clp_freshness {
  CLP_LINK_UNKNOWN, /* there is no pose at all */
  CLP_LINK_STALE,   /* none that is young enough */
  CLP_LINK_FRESH
} clp_freshness;

typedef struct clp_link_now {
  clp_freshness freshness;
  bool moving;
  bool measured; /* the twist is; one that is not known is zero */
  clp_quaternion orientation;
  clp_pose X_WL;   /* with the same orientation */
  clp_twist twist; /* no point faster than max_speed */
  clp_twist seen;  /* the same, but no point faster than `speed` */
  clp_twist other; /* by the poses alone, where the twist is by rates; else as seen */
  double speed;    /* what its reach rests on: max_speed, or more if it has been seen faster */
  double age;      /* seconds since it was measured; 0 at rest, infinite where unknown */
  double reach;    /* meters; infinite where unknown */
} clp_link_now;

/* At an instant. A link that is stale is where it was measured last. */
clp_link_now clp_link_state_at(const clp_link_state *state, int64_t time, double max_speed,
                               double stale_after);

/* The speed of its fastest point, as the link has been seen: between poses, and at the instant. */
double clp_link_fastest(const clp_link_state *state, const clp_link_now *now);

/* Poses per second; 0: not moving, or not known. It sinks when nothing comes any more. */
double clp_link_state_rate(const clp_link_state *state, int64_t time);

/* A frame beside the links. One that is not watched is the fixed frame. */
typedef struct clp_monitor_frame {
  bool watched;
  clp_link_state state;
  clp_link_now now;
} clp_monitor_frame;

#endif
