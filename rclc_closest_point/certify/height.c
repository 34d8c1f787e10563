/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/height.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/math/pose.h"

bool clp_has_height(const clp_body *body)
{
  return body->info.proven && body->info.convex && (body->info.closed || body->info.point) &&
         !body->info.planar;
}

static bool is_box(const clp_body *body)
{
  return body->box.x > 0;
}

/* What is swept lies about the origin on z, a box about the origin. Others are searched: with flat
 * faces alone the vertices are all that can be highest. */
static double height_of_core(const clp_body *body, clp_vec3 n)
{
  if (body->sweep.radius > 0)
    return body->sweep.half * fabs(n.z) + body->sweep.radius;
  if (is_box(body))
    return body->box.x * fabs(n.x) + body->box.y * fabs(n.y) + body->box.z * fabs(n.z);
  return clp_support_bound(body, clp_support_find(body, n).spot, n);
}

double clp_height(const clp_body *body, const clp_pose *X, clp_vec3 n)
{
  clp_vec3 own = clp_rotate_back(X->rotation, n);
  double height = height_of_core(body, own) + body->padding + body->info.slack + body->blur;
  double lengths = clp_norm(X->position) + clp_norm(body->center) + body->radius + body->padding;
  return clp_dot(n, X->position) + height + CLP_ROUNDING * lengths;
}

clp_vec3 clp_highest(const clp_body *body, const clp_pose *X, clp_vec3 n)
{
  clp_support support = clp_support_find(body, clp_rotate_back(X->rotation, n));
  return clp_add_scaled(clp_transform(*X, support.p), body->padding, n);
}
