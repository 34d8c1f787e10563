/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_CYLINDER_H
#define RCLC_CLOSEST_POINT_PAIR_CYLINDER_H

/* A cylinder in closed form: the way to it from a point, and from the points of a segment. All
 * places are seen from its center, in the world's directions. */

#include "rclc_closest_point/pair/closed.h"

typedef struct clp_can {
  clp_vec3 axis; /* unit */
  double half, radius;
} clp_can;

/* Where a point is that is not in it: beside it, beyond an end, or both, which is at a rim. */
enum {
  CLP_CAN_BESIDE = 1,
  CLP_CAN_ABOVE = 2 * CLP_AT_HIGH,
  CLP_CAN_BELOW = 2 * CLP_AT_LOW,
  CLP_CAN_BITS = 3,
  CLP_CAN_PARTS = (1 << CLP_CAN_BITS) - 1
};

/* The way from a body of revolution to a point. */
typedef struct clp_can_way {
  clp_trio n;     /* from the body's nearest place to the point */
  double between; /* how far that is; not above 0 from within */
  int part;
} clp_can_way;

CLP_INLINE clp_can clp_can_of(const clp_body *body, const clp_pose *X)
{
  return (clp_can){X->rotation.z, body->cylinder.half, body->cylinder.radius};
}

/* What is across the axis of a place at height z. So near to the axis (the square of a part of the
 * height) rounding of the height shows in its direction: what is still along the axis is taken off.
 */
#define CLP_NEAR_AXIS2 1e-3

CLP_INLINE clp_trio clp_can_aside(clp_trio p, double z, clp_trio axis)
{
  clp_trio aside = clp_trio_sub_scaled(p, z, axis);
  if (!clp_usually(clp_trio_dot(aside, aside) > CLP_NEAR_AXIS2 * (z * z)))
    aside = clp_trio_sub_scaled(aside, clp_trio_dot(aside, axis), axis);
  return aside;
}

/* `r` of the direction aside, which is `over` times a vector, and z of the axis. */
CLP_INLINE clp_can_way clp_can_way_along(double r, double z, double over, clp_trio aside,
                                         clp_trio axis, int part)
{
  const double between = sqrt(r * r + z * z), part_of = 1 / between;
  clp_trio n = clp_trio_add_scaled(clp_trio_scale(r * part_of * over, aside), z * part_of, axis);
  return (clp_can_way){n, between, part};
}

CLP_INLINE clp_can_way clp_can_way_to(const clp_can *can, clp_trio p)
{
  const clp_trio axis = clp_trio_of(&can->axis);
  int end;
  const double z = clp_trio_dot(p, axis), beyond = clp_beyond(z, can->half, &end);
  const clp_trio aside = clp_can_aside(p, z, axis);
  const double away = clp_trio_norm(aside), beside = away - can->radius;
  if (!(beside > 0))
    return (clp_can_way){clp_trio_scale(end == CLP_AT_HIGH ? 1 : -1, axis), fabs(beyond), 2 * end};
  const double over = 1 / away;
  if (end == CLP_BETWEEN)
    return (clp_can_way){clp_trio_scale(over, aside), beside, CLP_CAN_BESIDE};
  return clp_can_way_along(beside, beyond, over, aside, axis, CLP_CAN_BESIDE + 2 * end);
}

/* How far n is from the axis, as a sine. */
CLP_INLINE double clp_can_sine(const clp_can *can, clp_vec3 n, double cosine)
{
  return clp_norm(clp_add_scaled(n, -cosine, can->axis));
}

/* How far it reaches along the unit vector n, whose cosine to the axis is given. */
CLP_INLINE double clp_can_reach(const clp_can *can, double cosine, double sine)
{
  return can->half * fabs(cosine) + can->radius * sine;
}

/* Half the square of the distance of p + s v is convex in s, for the cylinder is. With a and z the
 * point's distance from the axis and its height, beside = a - r and beyond = |z| - h, where these
 * are above 0, and a' and z' along v, it has the
 *     derivative         beside a' + beyond |z|',
 *     second derivative  a'^2 + (beside / a) (|v|^2 - z'^2 - a'^2) + z'^2,
 * each term where its distance counts. One step of Newton's from s; no number where neither does.
 */
CLP_INLINE double clp_can_newton(const clp_can *can, clp_trio p, clp_trio v, double s, double end)
{
  const clp_trio axis = clp_trio_of(&can->axis), x = clp_trio_add_scaled(p, s, v);
  const double z = clp_trio_dot(x, axis), along = clp_trio_dot(v, axis);
  const clp_trio aside = clp_trio_sub_scaled(x, z, axis),
                 across = clp_trio_sub_scaled(v, along, axis);
  const double away = clp_trio_norm(aside), beside = away - can->radius;
  const double beyond = z - clp_led_back(z, can->half);
  double slope = beyond * along;
  double bend = beyond != 0 ? along * along : 0;
  if (beside > 0) {
    double over = 1 / away, outwards = clp_trio_dot(aside, across) * over;
    slope += beside * outwards;
    bend +=
        outwards * outwards + beside * over * (clp_trio_dot(across, across) - outwards * outwards);
  }
  return clp_led_back(s - slope / bend, end);
}

/* Where another body's supporting plane lies along that direction, whether the cylinder does, too:
 * it has one in common with its side's rulings, and any with its ends. */
CLP_INLINE bool clp_can_lies_along(const clp_can *can, double cosine, double sine, clp_vec3 other)
{
  if (clp_usually(fabs(cosine) > CLP_IN_PLANE && sine > CLP_IN_PLANE))
    return false;
  return sine <= CLP_IN_PLANE || clp_norm2(clp_cross(can->axis, other)) <= CLP_PARALLEL2;
}

/* The feature that a part of a cylinder or a cone is, and the place q of it in the body's frame
 * (closed_features.c). */
clp_spot clp_can_spot(const clp_body *body, int part, clp_vec3 q);

#endif
