/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/motion.h"

#include "rclc_closest_point/math/pose.h"

/* With the rotation vector a, angle t = |a| and A the matrix of a x,
 *     exp(a) = I + (sin t / t) A + ((1 - cos t) / t^2) A^2
 *     V(a)   = I + ((1 - cos t) / t^2) A + ((t - sin t) / t^3) A^2      translation = V(a) v
 *     V(a)^-1 = I - A / 2 + (1 / t^2 - cot(t / 2) / (2 t)) A^2.
 * Below this angle series take the place of the fractions; their error is of its fourth power. */
#define SMALL_ANGLE 1e-3

typedef struct fractions {
  double one, two, three; /* sin t / t, (1 - cos t) / t^2, (t - sin t) / t^3 */
} fractions;

static fractions fractions_of(double t)
{
  double tt = t * t;
  if (t < SMALL_ANGLE)
    return (fractions){1 - tt / 6, 0.5 - tt / 24, 1.0 / 6 - tt / 120};
  double half = sin(0.5 * t);
  return (fractions){sin(t) / t, 2 * half * half / tt, (t - sin(t)) / (tt * t)};
}

/* x + p (a x x) + q (a x (a x x)) */
static clp_vec3 combine(clp_vec3 a, double p, double q, clp_vec3 x)
{
  clp_vec3 ax = clp_cross(a, x);
  return clp_add_scaled(clp_add_scaled(x, p, ax), q, clp_cross(a, ax));
}

clp_vec3 clp_twist_velocity(clp_twist twist, clp_vec3 p)
{
  return clp_add(twist.linear, clp_cross(twist.angular, p));
}

clp_pose clp_pose_after(clp_pose X, clp_twist twist, double time)
{
  clp_vec3 a = clp_scale(time, twist.angular), v = clp_scale(time, twist.linear);
  fractions f = fractions_of(clp_norm(a));
  clp_mat3 r = {combine(a, f.one, f.two, X.rotation.x), combine(a, f.one, f.two, X.rotation.y),
                combine(a, f.one, f.two, X.rotation.z)};
  clp_vec3 p = combine(a, f.one, f.two, X.position);
  return (clp_pose){r, clp_add(p, combine(a, f.two, f.three, v))};
}

/* The rotation vector: the angle from both its sine (the antisymmetric part) and its cosine (the
 * trace), so that none of them has to be precise alone; near a half turn, where the sine gives no
 * axis, the axis is the longest column of R + R^T - (trace - 1) I. */
static clp_vec3 rotation_vector(clp_mat3 r)
{
  clp_vec3 s = {0.5 * (r.y.z - r.z.y), 0.5 * (r.z.x - r.x.z), 0.5 * (r.x.y - r.y.x)};
  double sine = clp_norm(s), cosine = 0.5 * (r.x.x + r.y.y + r.z.z - 1);
  double angle = atan2(sine, cosine);
  if (cosine > -0.5 || sine > 0.1)
    return clp_scale(sine > 0 ? angle / sine : 1, s);
  clp_vec3 columns[3] = {{r.x.x - cosine, 0.5 * (r.x.y + r.y.x), 0.5 * (r.x.z + r.z.x)},
                         {0.5 * (r.x.y + r.y.x), r.y.y - cosine, 0.5 * (r.y.z + r.z.y)},
                         {0.5 * (r.x.z + r.z.x), 0.5 * (r.y.z + r.z.y), r.z.z - cosine}};
  clp_vec3 axis = columns[0];
  for (int k = 1; k < 3; ++k)
    if (clp_norm2(columns[k]) > clp_norm2(axis))
      axis = columns[k];
  return clp_scale(clp_dot(axis, s) < 0 ? -angle : angle, clp_unit(axis));
}

clp_twist clp_twist_between(clp_pose from, clp_pose to, double time)
{
  if (!(time > 0))
    return (clp_twist){{0, 0, 0}, {0, 0, 0}};
  clp_pose across = clp_pose_multiply(to, clp_pose_inverse(from));
  clp_vec3 a = rotation_vector(across.rotation);
  double t = clp_norm(a);
  double q = t < SMALL_ANGLE ? 1.0 / 12 + t * t / 720 : 1 / (t * t) - 0.5 / (t * tan(0.5 * t));
  clp_vec3 v = combine(a, -0.5, q, across.position);
  return (clp_twist){clp_scale(1 / time, v), clp_scale(1 / time, a)};
}
