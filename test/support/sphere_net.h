/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_SPHERE_NET_H
#define TEST_SUPPORT_SPHERE_NET_H

#include <math.h>

/* A sphere of six rational biquartic patches, one Bezier net of 5 x 5 each (J. E. Cobb, "Tiling
 * the sphere with rational Bezier patches", 1988), with S_u x S_v outward. */

#define SPHERE_NET_RADIUS 0.5
#define SPHERE_NET_FACES 6

/* The net is symmetric in u <-> v and in both reflections: six points make it. */
static inline void sphere_net_corner(int i, int j, long double h[4])
{
  const long double a = sqrtl(3), b = sqrtl(2);
  const long double points[6][4] = {
      {4 * (1 - a), 4 * (1 - a), 4 * (a - 1), 4 * (3 - a)},           /* 0 0 */
      {-b, b * (a - 4), b * (4 - a), b * (3 * a - 2)},                /* 1 0 */
      {0, 4 * (1 - 2 * a) / 3, 4 * (2 * a - 1) / 3, 4 * (5 - a) / 3}, /* 2 0 */
      {(2 - 3 * a) / 2, (2 - 3 * a) / 2, (a + 6) / 2, (a + 6) / 2},   /* 1 1 */
      {0, b * (2 * a - 7) / 3, 5 * b * a / 3, b * (a + 6) / 3},       /* 2 1 */
      {0, 0, 4 * (5 - a) / 3, 4 * (5 * a - 1) / 9},                   /* 2 2 */
  };
  static const int index[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const long double *p = points[index[i][j]];
  h[0] = i >= j ? p[0] : p[1];
  h[1] = i >= j ? p[1] : p[0];
  h[2] = p[2];
  h[3] = p[3];
}

/* 25 times (x y z w), v fastest. */
static inline void sphere_net(int face, double *control_points)
{
  /* The z+ patch turned onto the others: which of its coordinates, and with which sign. */
  static const int axis[6][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
  static const int sign[6][3] = {{1, 1, 1},   {1, 1, 1},   {1, 1, 1},
                                 {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      long double h[4];
      sphere_net_corner(i < 3 ? i : 4 - i, j < 3 ? j : 4 - j, h);
      h[0] = i < 3 ? h[0] : -h[0];
      h[1] = j < 3 ? h[1] : -h[1];
      for (int k = 0; k < 3; k++)
        *control_points++ = SPHERE_NET_RADIUS * sign[face][k] * (double)(h[axis[face][k]] / h[3]);
      *control_points++ = (double)h[3];
    }
  }
}

#endif
