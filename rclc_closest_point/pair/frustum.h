/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_FRUSTUM_H
#define RCLC_CLOSEST_POINT_PAIR_FRUSTUM_H

/* A cone or a frustum in closed form: the way to it from a point, and from the points of a segment.
 * All places are seen from its frame's origin, in the world's directions; `axis` is its z there.
 *
 * It is looked at in the half plane of the axis and the point, where the profile is a line from
 * (low_r, low_z) along the unit vector t = (along_r, along_z) to (high_r, high_z), with the lids'
 * lines from its ends to the axis. Outwards of the line is (t_z, -t_r). Whoever is outside is below
 * or above a lid, or else beside the line, or past one of its ends, which is at a rim, or at the
 * tip where there is no lid. Across the borders of these the distance goes on, and its direction,
 * so that a point that rounding puts on a border's other side has the same distance but for the
 * square of rounding. */

#include "rclc_closest_point/pair/cylinder.h"

/* The way from the profile to a point at (r, z) of the half plane, and the part that it is from. */
typedef struct clp_profile_way {
  double r, z; /* from there to the point; of the line: how far it is away, and nothing */
  int part;    /* 0 within the body */
} clp_profile_way;

CLP_INLINE clp_profile_way clp_profile_way_to(const clp_frustum *f, double r, double z)
{
  if (z < f->low_z && r <= f->low_r)
    return (clp_profile_way){0, z - f->low_z, CLP_CAN_BELOW};
  if (z > f->high_z && r <= f->high_r)
    return (clp_profile_way){0, z - f->high_z, CLP_CAN_ABOVE};
  const double dr = r - f->low_r, dz = z - f->low_z;
  const double along = dr * f->along_r + dz * f->along_z;
  const double beside = dr * f->along_z - dz * f->along_r;
  if (!(along > 0))
    return (clp_profile_way){dr, dz, dr > 0 ? CLP_CAN_BESIDE + CLP_CAN_BELOW : 0};
  const double over = r - f->high_r;
  if (!(along < f->length))
    return (clp_profile_way){over, z - f->high_z, over > 0 ? CLP_CAN_BESIDE + CLP_CAN_ABOVE : 0};
  return (clp_profile_way){beside, 0, beside > 0 ? CLP_CAN_BESIDE : 0};
}

CLP_INLINE clp_can_way clp_frustum_way_to(const clp_frustum *f, clp_trio axis, clp_trio p)
{
  const double z = clp_trio_dot(p, axis);
  const clp_trio aside = clp_can_aside(p, z, axis);
  const double away = clp_trio_norm(aside);
  const clp_profile_way way = clp_profile_way_to(f, away, z);
  if (way.part == CLP_CAN_BESIDE) {
    clp_trio out = clp_trio_scale(f->along_z / away, aside);
    return (clp_can_way){clp_trio_sub_scaled(out, f->along_r, axis), way.r, way.part};
  }
  if (way.part & CLP_CAN_BESIDE)
    return clp_can_way_along(way.r, way.z, 1 / away, aside, axis, way.part);
  return (clp_can_way){clp_trio_scale(way.z > 0 ? 1 : -1, axis), way.part > 0 ? fabs(way.z) : 0,
                       way.part};
}

/* How far it reaches along the unit vector n, whose cosine and sine to the axis are given. */
CLP_INLINE double clp_frustum_reach(const clp_frustum *f, double cosine, double sine)
{
  return clp_larger(f->low_z * cosine + f->low_r * sine, f->high_z * cosine + f->high_r * sine);
}

/* The same as clp_can_newton: half the square of the distance of p + s v, where r' and z' are along
 * v and r'' = (|v|^2 - z'^2 - r'^2) / r. At a rim or a lid it is (dr^2 + dz^2) / 2; beside the line
 * h^2 / 2 with h = t_z dr - t_r dz. No number within the body. */
CLP_INLINE double clp_frustum_newton(const clp_frustum *f, clp_trio axis, clp_trio p, clp_trio v,
                                     double s, double end)
{
  const clp_trio x = clp_trio_add_scaled(p, s, v);
  const double z = clp_trio_dot(x, axis), up = clp_trio_dot(v, axis);
  const clp_trio aside = clp_trio_sub_scaled(x, z, axis), across = clp_trio_sub_scaled(v, up, axis);
  const double away = clp_trio_norm(aside);
  const clp_profile_way way = clp_profile_way_to(f, away, z);
  double slope = way.z * up, bend = up * up;
  if (way.part & CLP_CAN_BESIDE) {
    const double over = 1 / away, out = clp_trio_dot(aside, across) * over;
    const double turn = way.r * over * (clp_trio_dot(across, across) - out * out);
    if (way.part == CLP_CAN_BESIDE) {
      const double rise = f->along_z * out - f->along_r * up;
      slope = way.r * rise;
      bend = rise * rise + f->along_z * turn;
    } else {
      slope += way.r * out;
      bend += out * out + turn;
    }
  }
  return clp_led_back(s - slope / (way.part > 0 ? bend : 0), end);
}

/* Where another body's supporting plane lies along that direction, whether the frustum does, too:
 * it has one in common with its rulings, and any with its lids. */
CLP_INLINE bool clp_frustum_lies_along(const clp_frustum *f, clp_vec3 axis, clp_vec3 n,
                                       double cosine, double sine, clp_vec3 other)
{
  if (!(sine > CLP_IN_PLANE))
    return true;
  if (clp_usually(fabs(f->along_r * sine + f->along_z * cosine) > CLP_IN_PLANE))
    return false;
  clp_vec3 out = clp_scale(1 / sine, clp_add_scaled(n, -cosine, axis));
  clp_vec3 ruling = clp_add_scaled(clp_scale(f->along_r, out), f->along_z, axis);
  return clp_norm2(clp_cross(ruling, other)) <= CLP_PARALLEL2;
}

#endif
