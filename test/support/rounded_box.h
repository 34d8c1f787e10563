/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ROUNDED_BOX_H
#define TEST_SUPPORT_ROUNDED_BOX_H

#include "rclc_closest_point/math/vec3.h"
#include "support/findings.h"

/* A box swept by a ball, tiled: six rectangles, twelve quarters of cylinders, eight octants. */

enum { ROUNDED_BOX_PATCHES = 26 };

typedef struct rounded_box {
  double points[ROUNDED_BOX_PATCHES][9][4];
  char names[ROUNDED_BOX_PATCHES][8];
  clp_patch_def patches[ROUNDED_BOX_PATCHES];
  clp_body_def def;
} rounded_box;

/* The control points of a quarter of a circle from the first axis to the second: along them, and
 * the weight. */
static const double quarter[3][3] = {{1, 0, 1}, {1, 1, 0.70710678118654752440}, {0, 1, 1}};

static inline void put_point(double to[4], clp_vec3 p, double weight)
{
  to[0] = p.x;
  to[1] = p.y;
  to[2] = p.z;
  to[3] = weight;
}

/* sx a + sy b + sz c along the axes (x, y, z), in the cyclic order that starts with `first`. */
static inline clp_vec3 in_axes(int first, double a, double b, double c)
{
  const double at[3] = {a, b, c};
  return (clp_vec3){at[(3 - first) % 3], at[(4 - first) % 3], at[(5 - first) % 3]};
}

static inline double along_axis(clp_vec3 a, int k)
{
  return k % 3 == 0 ? a.x : k % 3 == 1 ? a.y : a.z;
}

static inline clp_patch_def *next_patch(rounded_box *r, int degree_u, int degree_v, bool flip)
{
  int k = r->def.patch_count++;
  snprintf(r->names[k], sizeof r->names[k], "p%d", k);
  r->patches[k] = (clp_patch_def){.name = r->names[k],
                                  .degree_u = degree_u,
                                  .degree_v = degree_v,
                                  .size_u = degree_u + 1,
                                  .size_v = degree_v + 1,
                                  .control_points = r->points[k][0],
                                  .flip = flip};
  return &r->patches[k];
}

/* Square to the axis k, on the side that `s` says. */
static inline void add_flat(rounded_box *r, clp_vec3 half, double radius, int k, double s)
{
  double(*points)[4] = r->points[r->def.patch_count];
  next_patch(r, 1, 1, s < 0);
  for (int i = 0; i < 4; ++i)
    put_point(
        points[i],
        in_axes(k, s * (along_axis(half, k) + radius), (i / 2 ? 1 : -1) * along_axis(half, k + 1),
                (i % 2 ? 1 : -1) * along_axis(half, k + 2)),
        1);
}

/* Along the axis k, in the quarter that the signs of the next two axes say. */
static inline void add_quarter(rounded_box *r, clp_vec3 half, double radius, int k, double s,
                               double t)
{
  double(*points)[4] = r->points[r->def.patch_count];
  next_patch(r, 2, 1, s * t < 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      put_point(points[2 * i + j],
                in_axes(k, (j ? 1 : -1) * along_axis(half, k),
                        s * (along_axis(half, k + 1) + radius * quarter[i][0]),
                        t * (along_axis(half, k + 2) + radius * quarter[i][1])),
                quarter[i][2]);
}

/* u runs round z, v up to the pole on z. */
static inline void add_octant(rounded_box *r, clp_vec3 half, double radius, clp_vec3 s)
{
  double(*points)[4] = r->points[r->def.patch_count];
  next_patch(r, 2, 2, s.x * s.y * s.z < 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      put_point(points[3 * i + j],
                (clp_vec3){s.x * (half.x + radius * quarter[j][0] * quarter[i][0]),
                           s.y * (half.y + radius * quarter[j][0] * quarter[i][1]),
                           s.z * (half.z + radius * quarter[j][1])},
                quarter[i][2] * quarter[j][2]);
}

static inline void rounded_box_define(rounded_box *r, clp_vec3 size, double radius)
{
  const clp_vec3 half = clp_scale(0.5, size);
  r->def = clp_default_body_def(CLP_SHAPE_PATCHES);
  r->def.patches = r->patches;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 4; ++i) {
      double s = i / 2 ? 1 : -1, t = i % 2 ? 1 : -1;
      if (i < 2)
        add_flat(r, half, radius, k, t);
      add_quarter(r, half, radius, k, s, t);
    }
  for (int i = 0; i < 8; ++i)
    add_octant(r, half, radius, (clp_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1});
}

#endif
