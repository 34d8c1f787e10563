/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_TIMING_H
#define RCLC_CLOSEST_POINT_MONITOR_TIMING_H

/* How well cycles keep their time: durations in a histogram of fixed size, 16 bins an octave, so
 * that quantiles are good to 5 %. */

#include <stdint.h>

#define CLP_TIMING_OCTAVES 36 /* of nanoseconds: to more than a minute */
#define CLP_TIMING_BINS (16 * CLP_TIMING_OCTAVES)

/* Starts as {0}. */
typedef struct clp_timing {
  uint64_t bins[CLP_TIMING_BINS];
  uint64_t count;
  int64_t largest;
} clp_timing;

/* Nanoseconds; negative ones count as zero. */
void clp_timing_add(clp_timing *timing, int64_t duration);

/* Seconds that a share of all durations stays below; 0 when there are none. */
double clp_timing_quantile(const clp_timing *timing, double share);

#endif
