/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_WRENCH_H
#define RCLC_CLOSEST_POINT_MONITOR_WRENCH_H

/* The forces of force.h, summed over the pairs of a tool.
 *
 * The tool is the link wrench_tool together with all links that fixed joints hang on it, however
 * deep: a gripper's palm and fingertips push on the flange that they are screwed to. Its pairs are
 * those of one of these links and another link that is none of them. wrench_tool may be a mere
 * frame, as flanges often are. */

#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/monitor/monitor_state.h"

/* Which pairs there are; nothing to do without a wrench_tool. CLP_ERROR_FORMAT after a line to the
 * log: the model has no such link, or it has no pair. */
clp_status clp_wrench_choose_pairs(clp_monitor *monitor, clp_log *log);

/* A cycle: where the frames are, `step` seconds after the last cycle, ... */
void clp_wrench_begin(clp_monitor *monitor, int64_t time, double step);

/* ... each pair that has a tool, and its point as reported, ... */
void clp_wrench_add(clp_monitor *monitor, clp_monitor_pair *pair, const clp_closest_point *point);

/* ... and the sum with the axes of its frame, in the report. */
void clp_wrench_finish(clp_monitor *monitor);

#endif
