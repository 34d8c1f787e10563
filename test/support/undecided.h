/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_UNDECIDED_H
#define TEST_SUPPORT_UNDECIDED_H

#include "support/graph.h"
#include "support/tiled.h"

/* A convex solid of which bounds do not find out within their budget that it is: what lies below z
 * = -(x + y)^4 / 4, above z = -1.2 and over a square. Along a line across the top, on which no
 * cell's side falls, it has no curvature. */

static const double undecided_from = -0.3, undecided_to = 0.7, undecided_bottom = -1.2;

/* A wall under one of the top's sides: its points from one corner to the next, on the bottom and on
 * the top, which come first in u if `up_first`. */
static inline net undecided_wall(const net *top, int first, int stride, bool up_first)
{
  int n = top->degree_u;
  net m = {.degree_u = up_first ? 1 : n, .degree_v = up_first ? n : 1};
  for (int k = 0; k <= n; ++k) {
    const double *above = top->points[first + k * stride];
    double *high = m.points[up_first ? n + 1 + k : 2 * k + 1];
    double *low = m.points[up_first ? k : 2 * k];
    memcpy(high, above, 4 * sizeof(double));
    memcpy(low, above, 4 * sizeof(double));
    low[2] = undecided_bottom;
  }
  return m;
}

static inline net undecided_floor(void)
{
  net m = {.degree_u = 1, .degree_v = 1};
  for (int k = 0; k < 4; ++k) {
    double x = k % 2 ? undecided_to : undecided_from, y = k / 2 ? undecided_to : undecided_from;
    memcpy(m.points[k], (double[4]){x, y, undecided_bottom, 1}, 4 * sizeof(double));
  }
  return m;
}

static inline void undecided_load(tiled *t, clp_proof proof)
{
  static const char *const names[6] = {"top", "x-", "x+", "y-", "y+", "bottom"};
  const term ridge[5] = {{-0.25, 4, 0}, {-1, 3, 1}, {-1.5, 2, 2}, {-1, 1, 3}, {-0.25, 0, 4}};
  const int n = 9, row = n + 1;
  net top = graph_net(n, undecided_from, undecided_to, ridge, 5);
  const net all[6] = {top,
                      undecided_wall(&top, 0, 1, true),
                      undecided_wall(&top, n * row, 1, false),
                      undecided_wall(&top, 0, row, false),
                      undecided_wall(&top, n, row, true),
                      undecided_floor()};
  t->count = 6;
  for (int k = 0; k < t->count; ++k) {
    t->nets[k] = all[k];
    snprintf(t->nets[k].name, sizeof t->nets[k].name, "%s", names[k]);
  }
  tiled_define(t);
  t->def.proof = proof;
}

#endif
