/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BOX_PARTS_H
#define RCLC_CLOSEST_POINT_PAIR_BOX_PARTS_H

/* Which part of a box, in two bits for each coordinate: at its upper bound, at its lower one, or
 * (none of these) anywhere between. All three are bound in a corner, two on an edge, one on a face.
 */

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/vec3.h"

enum { CLP_BOX_HIGH = 1, CLP_BOX_LOW = 2, CLP_BOX_BITS = 2, CLP_BOX_PART = 6 };

/* ---- Axes by number ------------------------------------------------------------------------- */

CLP_INLINE clp_vec3 clp_column(const clp_mat3 *r, int axis)
{
  return *(axis == 0 ? &r->x : axis == 1 ? &r->y : &r->z);
}

CLP_INLINE double clp_coordinate(clp_vec3 p, int axis)
{
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

CLP_INLINE clp_vec3 clp_with_coordinate(clp_vec3 p, int axis, double value)
{
  return (clp_vec3){axis == 0 ? value : p.x, axis == 1 ? value : p.y, axis == 2 ? value : p.z};
}

/* Those whose coordinates are the least and the most; never the same one. */
static inline int clp_axis_across(clp_vec3 n)
{
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
}

static inline int clp_axis_along(clp_vec3 n)
{
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

/* ---- Parts ---------------------------------------------------------------------------------- */

/* The middle of the part. */
CLP_INLINE clp_vec3 clp_box_at(const clp_vec3 *half, int part)
{
  clp_vec3 p;
  p.x = part & CLP_BOX_HIGH ? half->x : part & CLP_BOX_LOW ? -half->x : 0;
  part >>= CLP_BOX_BITS;
  p.y = part & CLP_BOX_HIGH ? half->y : part & CLP_BOX_LOW ? -half->y : 0;
  part >>= CLP_BOX_BITS;
  p.z = part & CLP_BOX_HIGH ? half->z : part & CLP_BOX_LOW ? -half->z : 0;
  return p;
}

/* Zero where the part lets the coordinate go. */
CLP_INLINE clp_vec3 clp_box_way(int part)
{
  const clp_vec3 ones = {1, 1, 1};
  return clp_box_at(&ones, part);
}

/* The part beyond which e leads. */
CLP_INLINE int clp_box_part_of(clp_vec3 e)
{
  return (e.x > 0) * CLP_BOX_HIGH + (e.x < 0) * CLP_BOX_LOW +
         ((e.y > 0) * CLP_BOX_HIGH + (e.y < 0) * CLP_BOX_LOW) * (1 << CLP_BOX_BITS) +
         ((e.z > 0) * CLP_BOX_HIGH + (e.z < 0) * CLP_BOX_LOW) * (1 << 2 * CLP_BOX_BITS);
}

/* The corner farthest along n. */
static inline int clp_box_corner_along(clp_vec3 n)
{
  return (n.x < 0 ? CLP_BOX_LOW : CLP_BOX_HIGH) +
         (n.y < 0 ? CLP_BOX_LOW : CLP_BOX_HIGH) * (1 << CLP_BOX_BITS) +
         (n.z < 0 ? CLP_BOX_LOW : CLP_BOX_HIGH) * (1 << 2 * CLP_BOX_BITS);
}

/* A coordinate's bits. */
CLP_INLINE int clp_box_bits(int axis)
{
  return (CLP_BOX_HIGH | CLP_BOX_LOW) << CLP_BOX_BITS * axis;
}

/* One bit for each coordinate that is bound, at that coordinate's place. */
CLP_INLINE int clp_box_bound(int part)
{
  return (part | part >> 1) & 21;
}

CLP_INLINE bool clp_box_is_corner(int part)
{
  return clp_box_bound(part) == 21;
}

/* The axis along which an edge runs, or that a face is square to; -1 of other parts. */
CLP_INLINE int clp_box_edge_axis(int part)
{
  int bound = clp_box_bound(part);
  return bound == 20 ? 0 : bound == 17 ? 1 : bound == 5 ? 2 : -1;
}

CLP_INLINE int clp_box_face_axis(int part)
{
  int bound = clp_box_bound(part);
  return bound == 1 ? 0 : bound == 4 ? 1 : bound == 16 ? 2 : -1;
}

#endif
