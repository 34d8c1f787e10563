/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/plane_piece.h"

/* Differences of neighbors stay exact to their own size where the origin is next to them. */
static void move_to_first(clp_plane_piece *c)
{
  clp_wide x = c->p[0][0] / c->p[0][2], y = c->p[0][1] / c->p[0][2];
  c->origin[0] += x;
  c->origin[1] += y;
  for (int k = 0; k <= c->degree; ++k) {
    c->p[k][0] -= x * c->p[k][2];
    c->p[k][1] -= y * c->p[k][2];
  }
}

clp_plane_piece clp_plane_piece_of_span(const clp_nurbs_curve *curve, int span)
{
  const double *h = curve->bezier + 4 * (size_t)span * (size_t)(curve->degree + 1);
  clp_plane_piece c = {.degree = curve->degree};
  for (int k = 0; k <= c.degree; ++k, h += 4) {
    c.p[k][0] = (clp_wide)h[0];
    c.p[k][1] = (clp_wide)h[1];
    c.p[k][2] = (clp_wide)h[3];
  }
  move_to_first(&c);
  return c;
}

void clp_plane_piece_split(const clp_plane_piece *whole, double t, clp_plane_piece *low,
                           clp_plane_piece *high)
{
  clp_plane_piece left = *whole, right = *whole;
  for (int r = 0; r <= whole->degree; ++r)
    for (int lane = 0; lane < 3; ++lane) {
      left.p[r][lane] = right.p[0][lane];
      for (int k = 0; k < whole->degree - r; ++k)
        right.p[k][lane] =
            (1 - (clp_wide)t) * right.p[k][lane] + (clp_wide)t * right.p[k + 1][lane];
    }
  move_to_first(&right);
  *low = left;
  *high = right;
}
