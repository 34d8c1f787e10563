/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_LANES_H
#define RCLC_CLOSEST_POINT_SURFACE_LANES_H

/* Inside the surface layer: the four lanes (x, y, z, w) of a coefficient, computed side by side.
 *
 * Two pairs rather than one vector of four: 16 bytes is what every x86-64 and every AArch64 has,
 * the compiler needs no flag for it and passes it in registers. Lanes never mix, so the results
 * are those of plain scalar arithmetic on any machine. */

#include <string.h>

#include "rclc_closest_point/types.h"

typedef double clp_lane_pair __attribute__((vector_size(16)));

typedef struct clp_lanes {
  clp_lane_pair xy, zw;
} clp_lanes;

static inline clp_lanes clp_lanes_load(const double *c)
{
  clp_lanes a;
  memcpy(&a.xy, c, sizeof a.xy);
  memcpy(&a.zw, c + 2, sizeof a.zw);
  return a;
}

static inline clp_lane_pair clp_lane_pair_load(const double *c)
{
  clp_lane_pair a;
  memcpy(&a, c, sizeof a);
  return a;
}

static inline clp_lane_pair clp_lane_pair_of(double s)
{
  return (clp_lane_pair){s, s};
}

static inline clp_lanes clp_lanes_scale(clp_lane_pair s, clp_lanes a)
{
  return (clp_lanes){s * a.xy, s * a.zw};
}

static inline clp_lanes clp_lanes_add(clp_lanes a, clp_lanes b)
{
  return (clp_lanes){a.xy + b.xy, a.zw + b.zw};
}

/* s a + b */
static inline clp_lanes clp_lanes_axpy(clp_lane_pair s, clp_lanes a, clp_lanes b)
{
  return (clp_lanes){s * a.xy + b.xy, s * a.zw + b.zw};
}

/* a - s b */
static inline clp_lanes clp_lanes_less(clp_lanes a, clp_lane_pair s, clp_lanes b)
{
  return (clp_lanes){a.xy - s * b.xy, a.zw - s * b.zw};
}

static inline clp_vec3 clp_lanes_vec3(clp_lanes a)
{
  return (clp_vec3){a.xy[0], a.xy[1], a.zw[0]};
}

static inline double clp_lanes_weight(clp_lanes a)
{
  return a.zw[1];
}

#endif
