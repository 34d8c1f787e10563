/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/turning.h"

/* The curvature, times the size, that is added: a flat direction gets a radius of a million sizes.
 * Larger, it would slow convergence; smaller, rounding in the flat directions would drown the
 * radii in the others. */
#define SOFTNESS 1e-6

/* A face seen from behind, or nearly from the side, is treated as if n were this near its normal:
 * the step then only has to lead round to the front. */
#define LEAST_FACING 0.1

static void set_inverse(clp_turning *turning, double a, double b, double c)
{
  double det = a * c - b * b;
  if (det > 1e-13 * a * c) {
    turning->inverse[0][0] = c / det;
    turning->inverse[1][1] = a / det;
    turning->inverse[0][1] = turning->inverse[1][0] = -b / det;
  } else if (a >= c) { /* dependent tangents: only the longer one */
    turning->inverse[0][0] = a > 0 ? 1 / a : 0;
  } else {
    turning->inverse[1][1] = 1 / c;
  }
}

static clp_turning of_face(const clp_local *local, clp_vec3 n, double softness)
{
  const clp_vec3 *t = local->t, *tt = local->tt;
  clp_vec3 toward = clp_scale(-fmax(LEAST_FACING, clp_dot(n, local->normal)), local->normal);
  clp_turning turning = {.count = 2, .t = {t[0], t[1]}};
  set_inverse(&turning, clp_dot(toward, tt[0]) + softness * clp_norm2(t[0]),
              clp_dot(toward, tt[1]) + softness * clp_dot(t[0], t[1]),
              clp_dot(toward, tt[2]) + softness * clp_norm2(t[1]));
  return turning;
}

static clp_turning of_edge(const clp_local *local, clp_vec3 n, double softness)
{
  clp_vec3 t = local->t[0];
  double tt = clp_norm2(t);
  clp_turning turning = {.count = 1, .t = {t}};
  if (tt == 0)
    return turning;
  clp_vec3 square = clp_add_scaled(n, -clp_dot(n, t) / tt, t);
  turning.inverse[0][0] = 1 / (fmax(0, -clp_dot(square, local->tt[0])) + softness * tt);
  return turning;
}

clp_turning clp_turning_of(const clp_local *local, clp_vec3 n, double size)
{
  double softness = SOFTNESS / size;
  if (local->freedoms == 2)
    return of_face(local, n, softness);
  if (local->freedoms == 1)
    return of_edge(local, n, softness);
  return (clp_turning){.count = 0};
}
