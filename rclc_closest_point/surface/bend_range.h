/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_BEND_RANGE_H
#define RCLC_CLOSEST_POINT_SURFACE_BEND_RANGE_H

/* Inside the surface layer: the normal curvatures found on a face, towards its outward normal. */

#include <math.h>

#include "rclc_closest_point/surface/curvature.h"

typedef struct clp_bend_range {
  double min, max;
  clp_site at_min, at_max;
} clp_bend_range;

static inline clp_bend_range clp_bend_range_none(void)
{
  return (clp_bend_range){.min = HUGE_VAL, .max = -HUGE_VAL};
}

static inline void clp_bend_range_add(clp_bend_range *range, double min, double max, clp_site site)
{
  if (min < range->min) {
    range->min = min;
    range->at_min = site;
  }
  if (max > range->max) {
    range->max = max;
    range->at_max = site;
  }
}

static inline clp_bend clp_bend_range_kind(const clp_bend_range *range, double tolerance)
{
  if (range->max <= tolerance)
    return range->min >= -tolerance ? CLP_BEND_FLAT : CLP_BEND_CONVEX;
  return range->min >= -tolerance ? CLP_BEND_CONCAVE : CLP_BEND_MIXED;
}

#endif
