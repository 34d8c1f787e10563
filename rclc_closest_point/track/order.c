/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/order.h"

#include "rclc_closest_point/math/pose.h"

enum { NUMBERS = 8 };

/* Bodies that agree in all of this are taken for alike. */
static void describe(const clp_body *body, double number[NUMBERS])
{
  number[0] = body->radius;
  number[1] = body->size;
  number[2] = body->info.volume;
  number[3] = body->face_count;
  number[4] = body->edge_count;
  number[5] = body->center.x;
  number[6] = body->center.y;
  number[7] = body->center.z;
}

/* The first number in which they differ decides. */
static int compare(const double *a, const double *b, int count)
{
  for (int k = 0; k < count; ++k)
    if (a[k] != b[k])
      return a[k] < b[k] ? -1 : 1;
  return 0;
}

bool clp_order_is_turned(const clp_couple *c)
{
  double a[NUMBERS], b[NUMBERS];
  describe(c->a, a);
  describe(c->b, b);
  int order = compare(a, b, NUMBERS);
  if (order != 0)
    return order > 0;
  clp_vec3 p = c->X_AB.position, q = clp_pose_inverse(c->X_AB).position;
  return compare((double[]){p.x, p.y, p.z}, (double[]){q.x, q.y, q.z}, 3) > 0;
}

clp_couple clp_order_turn(const clp_couple *c)
{
  clp_couple turned = *c;
  turned.a = c->b;
  turned.b = c->a;
  turned.X_AB = clp_pose_inverse(c->X_AB);
  return turned;
}

clp_spots clp_order_turn_spots(const clp_spots *spots)
{
  return (clp_spots){spots->b, spots->a};
}

clp_vec3 clp_order_turn_normal(const clp_couple *c, clp_vec3 n)
{
  return clp_negate(clp_rotate_back(c->X_AB.rotation, n));
}

clp_depth clp_order_turn_back(const clp_couple *c, const clp_depth *depth)
{
  clp_depth d = *depth;
  d.normal = clp_negate(clp_rotate(c->X_AB.rotation, depth->normal));
  d.f = clp_transform(c->X_AB, depth->h);
  d.h = clp_transform(c->X_AB, depth->f);
  return d;
}
