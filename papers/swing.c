/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/swing.h"

#include "rclc_closest_point/math/pose.h"

/* Rodrigues: v cos + (axis x v) sin + axis (axis.v) (1 - cos). */
static clp_vec3 turned(clp_vec3 axis, double angle, clp_vec3 v)
{
  double c = cos(angle), s = sin(angle);
  clp_vec3 side = clp_add_scaled(clp_scale(c, v), s, clp_cross(axis, v));
  return clp_add_scaled(side, (1 - c) * clp_dot(axis, v), axis);
}

static clp_mat3 rotation(clp_vec3 axis, double angle)
{
  return (clp_mat3){turned(axis, angle, (clp_vec3){1, 0, 0}),
                    turned(axis, angle, (clp_vec3){0, 1, 0}),
                    turned(axis, angle, (clp_vec3){0, 0, 1})};
}

static double swung(double t, double p0, double amp, double omega, double phase, double *rate)
{
  *rate = amp * omega * cos(omega * t + phase);
  return p0 + amp * sin(omega * t + phase);
}

void clp_swing_at(const clp_swing *s, double t, clp_pose *X, clp_twist *V)
{
  clp_vec3 *p = &X->position, *v = &V->linear;
  p->x = swung(t, s->p0.x, s->amp.x, s->omega.x, s->phase.x, &v->x);
  p->y = swung(t, s->p0.y, s->amp.y, s->omega.y, s->phase.y, &v->y);
  p->z = swung(t, s->p0.z, s->amp.z, s->omega.z, s->phase.z, &v->z);
  double rate2, angle2 = swung(t, 0, s->amp2, s->omega2, s->phase2, &rate2);
  clp_mat3 outer = rotation(s->axis1, s->rate1 * t + s->phase1);
  X->rotation = clp_mat3_multiply(outer, rotation(s->axis2, angle2));
  V->angular = clp_add_scaled(clp_scale(s->rate1, s->axis1), rate2, clp_rotate(outer, s->axis2));
}
