/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_MONITOR_H
#define RCLC_CLOSEST_POINT_MONITOR_MONITOR_H

/* The live monitor without its middleware: transforms in as they arrive, a report out in every
 * cycle. Time is an argument throughout, in nanoseconds since ROS's epoch; nothing here reads a
 * clock, so that whatever happened can be played again.
 *
 *   arrival -> input (judged, into tf2) -> link_state (pose, twist, reach of each link)
 *           -> scene (distances at the poses of the cycle's instant) -> report, separation
 *
 * A pair's distance holds for where its links are at the cycle's instant, as predicted from their
 * last motion. Its lower bound is the scene's less the reach of both links (link_state.h): as long
 * as nothing is faster than max_speed, no true distance is smaller, however old the poses are.
 *
 * One monitor is for one thread at a time. Feeding allocates, for tf2 does; a cycle does not. */

#include "rclc_closest_point/monitor/clock_watch.h"
#include "rclc_closest_point/monitor/input.h"
#include "rclc_closest_point/monitor/joints.h"
#include "rclc_closest_point/monitor/report.h"
#include "rclc_closest_point/monitor/settings.h"
#include "rclc_closest_point/monitor/speakers.h"

typedef struct clp_monitor clp_monitor;

/* Watches the model of settings->model, or the one in `description`, `length` bytes, if that is not
 * NULL. What is wrong with it or with the settings is told to the sink. The settings are copied. */
clp_status clp_monitor_create(const clp_settings *settings, const char *description, size_t length,
                              clp_model_sink sink, clp_monitor **monitor);

/* NULL is allowed. */
void clp_monitor_destroy(clp_monitor *monitor);

/* Who has published what is fed next, by a number that the middleware tells publishers apart by; 0:
 * it cannot. */
void clp_monitor_listen_to(clp_monitor *monitor, uint64_t writer);

/* Takes transforms that have arrived together; `now` is when. */
void clp_monitor_feed(clp_monitor *monitor, const clp_arrival *arrivals, size_t count,
                      bool is_static, int64_t now);

/* Takes joint states, where the settings have them. */
void clp_monitor_feed_joints(clp_monitor *monitor, const clp_joint_message *message, int64_t now);

/* What those who publish transforms are called; for the front end to fill. */
clp_speakers *clp_monitor_speakers(clp_monitor *monitor);

/* Who is there of those that publish transforms, by their numbers; `all`: nobody else is. */
void clp_monitor_meet(clp_monitor *monitor, const uint64_t *writers, int count, bool all);

/* What the front end knows of the topics, until it says something else ("" is nothing): `foreign`
 * is who else publishes what only this monitor may, which is STOP; `hint` is why nothing arrives,
 * which stands in the reason where something is missing. */
void clp_monitor_tell(clp_monitor *monitor, const char *foreign, const char *hint);

/* What never became an arrival: CLP_FEED_BEYOND or CLP_FEED_MALFORMED, so often. */
void clp_monitor_count(clp_monitor *monitor, clp_feed_verdict verdict, uint64_t count);

/* What the clock says, beside what a steady one says at the same instant (CLP_NO_TIME: nobody
 * knows). Time that goes back starts anew: all pairs are stale until transforms of the new time
 * arrive, and the zone is STOP. To be called before what has arrived is fed, so that nothing is
 * judged by a clock that has been set back. */
void clp_monitor_examine(clp_monitor *monitor, int64_t time, int64_t steady);

/* The answer for this instant, which the clock is looked at for as well. It is valid until the next
 * call. Simulated time of 0 is none yet, and one that stands still for stale_after of steady time
 * is none any more: the zone is STOP. */
const clp_report *clp_monitor_cycle(clp_monitor *monitor, int64_t time);

/* The same once more, for the cycle that has just been answered too late. */
const clp_report *clp_monitor_cycle_again(clp_monitor *monitor, int64_t time);

/* STOP has been said that the monitor does not know of; it is held like any other. */
void clp_monitor_hold(clp_monitor *monitor);

/* The last one: like a cycle, but every pair is STALE and the zone is STOP, 'shutting down'. */
const clp_report *clp_monitor_last(clp_monitor *monitor, int64_t time);

/* From the next cycle on the settings that may change at run time have these values; the others
 * stay. */
clp_status clp_monitor_change(clp_monitor *monitor, const clp_settings *settings);

/* ---- For diagnostics ---------------------------------------------------------------------- */

/* How many transforms there have been of each kind; CLP_FEED_VERDICTS numbers. */
const uint64_t *clp_monitor_feed_counts(const clp_monitor *monitor);

/* A monitored link as it was in the last cycle. */
typedef struct clp_link_health {
  const char *name;
  bool connected; /* its frame hangs on the fixed one */
  bool moving, stale;
  double age, rate, speed;
  clp_stamp_range stamps;
} clp_link_health;

int clp_monitor_link_count(const clp_monitor *monitor);
clp_link_health clp_monitor_link_health(const clp_monitor *monitor, int index);
/* A link that is there and has no body (claim.h). */
typedef struct clp_uncovered_link {
  const char *name, *verdict; /* "not of the robot", "excused", "STOP" */
  bool stops;
} clp_uncovered_link;

int clp_monitor_uncovered_count(const clp_monitor *monitor);
clp_uncovered_link clp_monitor_uncovered(const clp_monitor *monitor, int index);

/* The first of the pairs that count for safety, without people, and have overlapped, as is proven,
 * in every cycle since the start, for a second at least: as links do that are built so. Returns how
 * many there are. */
int clp_monitor_overlap_since_start(const clp_monitor *monitor, const char **a, const char **b);

/* A joint whose position the joint states tell. */
typedef struct clp_joint_health {
  const char *name;
  bool known;
  double position, speed, age; /* speed NaN: not known */
} clp_joint_health;

/* None without joint states; those that follow others are not among them. */
int clp_monitor_joint_count(const clp_monitor *monitor);
clp_joint_health clp_monitor_joint(const clp_monitor *monitor, int index);

int clp_monitor_pair_count(const clp_monitor *monitor);
const clp_settings *clp_monitor_settings(const clp_monitor *monitor);

#endif
