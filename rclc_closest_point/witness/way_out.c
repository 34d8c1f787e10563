/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/way_out.h"

#include "rclc_closest_point/math/pose.h"

static double box_support(clp_box3 box, clp_vec3 n)
{
  return fmax(n.x * box.min.x, n.x * box.max.x) + fmax(n.y * box.min.y, n.y * box.max.y) +
         fmax(n.z * box.min.z, n.z * box.max.z);
}

/* How far B must go along n to be beyond A: enough for the boxes is enough for the bodies. */
static double way_out(const clp_couple *c, clp_vec3 n)
{
  clp_vec3 back = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  return box_support(c->a->info.bounds, n) - clp_dot(n, c->X_AB.position) +
         box_support(c->b->info.bounds, back);
}

double clp_way_out(const clp_couple *c)
{
  const clp_mat3 *r = &c->X_AB.rotation;
  const clp_vec3 axes[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, r->x, r->y, r->z};
  bool planar = c->a->info.planar || c->b->info.planar;
  double least = HUGE_VAL;
  for (int k = 0; k < 6; ++k)
    if (!planar || k % 3 != 2)
      least = fmin(least, fmin(way_out(c, axes[k]), way_out(c, clp_negate(axes[k]))));
  return fmax(0, least);
}
