/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ATTACK_NET_H
#define TEST_SUPPORT_ATTACK_NET_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/marks.h"

/* Doubles that widen to long doubles are what the evaluator is for. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdouble-promotion"

/* Rational B-spline nets and what can be done to one without changing its surface: degrees raised,
 * knots inserted, parameters bent by the weights, u and v exchanged, pieces cut out. In long
 * double, for the definitions that come out of it are to be as exact as doubles can be. Nothing
 * here is the library's. */

enum { ATTACK_NET_SIZE = 40, ATTACK_DEGREE = 9 };

/* Clamped in both directions; h is homogeneous, premultiplied by the weight. */
typedef struct attack_net {
  int degree[2], size[2];
  double knots[2][ATTACK_NET_SIZE + ATTACK_DEGREE + 1];
  long double h[ATTACK_NET_SIZE][ATTACK_NET_SIZE][4];
} attack_net;

static inline void attack_net_bezier(attack_net *net, int degree_u, int degree_v)
{
  const int degree[2] = {degree_u, degree_v};
  for (int d = 0; d < 2; ++d) {
    net->degree[d] = degree[d];
    net->size[d] = degree[d] + 1;
    for (int k = 0; k < 2 * degree[d] + 2; ++k)
      net->knots[d][k] = k > degree[d];
  }
}

/* Sets a control point from Cartesian coordinates and a weight. */
static inline void attack_net_set(attack_net *net, int i, int j, const double *p, long double w)
{
  for (int k = 0; k < 3; ++k)
    net->h[i][j][k] = w * p[k];
  net->h[i][j][3] = w;
}

static inline void attack_net_transpose(attack_net *net)
{
  static attack_net old;
  old = *net;
  for (int d = 0; d < 2; ++d) {
    net->degree[d] = old.degree[1 - d];
    net->size[d] = old.size[1 - d];
    memcpy(net->knots[d], old.knots[1 - d], sizeof old.knots[0]);
  }
  for (int i = 0; i < net->size[0]; ++i)
    for (int j = 0; j < net->size[1]; ++j)
      memcpy(net->h[i][j], old.h[j][i], sizeof old.h[0][0]);
}

/* One degree more along u, of a net that is one Bezier span there. */
static inline void attack_net_raise_once(attack_net *net)
{
  int p = net->degree[0];
  for (int j = 0; j < net->size[1]; ++j)
    for (int lane = 0; lane < 4; ++lane) {
      net->h[p + 1][j][lane] = net->h[p][j][lane];
      for (int i = p; i > 0; --i) {
        long double x = (long double)i / (p + 1);
        net->h[i][j][lane] = x * net->h[i - 1][j][lane] + (1 - x) * net->h[i][j][lane];
      }
    }
  net->degree[0] = p + 1;
  net->size[0] = p + 2;
  for (int k = 0; k < 2 * p + 4; ++k)
    net->knots[0][k] = k > p + 1;
}

/* Weights that grow like c^i move the parameters and leave the surface (one Bezier span along u).
 */
static inline void attack_net_bend(attack_net *net, long double ratio)
{
  for (int i = 0; i < net->size[0]; ++i)
    for (int j = 0; j < net->size[1]; ++j)
      for (int lane = 0; lane < 4; ++lane)
        net->h[i][j][lane] *= powl(ratio, (long double)i / net->degree[0]);
}

/* Boehm's insertion of a knot between the ends of u. */
static inline void attack_net_insert(attack_net *net, double t)
{
  int p = net->degree[0], n = net->size[0], span = p;
  double *k = net->knots[0];
  while (span < n - 1 && k[span + 1] <= t)
    ++span;
  ck_assert_int_lt(n, ATTACK_NET_SIZE);
  for (int j = 0; j < net->size[1]; ++j)
    for (int lane = 0; lane < 4; ++lane)
      for (int i = n; i > span - p; --i) {
        long double x = i > span ? 0 : ((long double)t - k[i]) / ((long double)k[i + p] - k[i]);
        long double here = i < n ? net->h[i][j][lane] : 0;
        net->h[i][j][lane] = x * here + (1 - x) * net->h[i - 1][j][lane];
      }
  memmove(k + span + 2, k + span + 1, (size_t)(n + p - span) * sizeof *k);
  k[span + 1] = t;
  net->size[0] = n + 1;
}

static inline void attack_net_insert_often(attack_net *net, double t, int times)
{
  for (int k = 0; k < times; ++k)
    attack_net_insert(net, t);
}

/* ---- Layouts: what a surface looks like in numbers ---------------------------------------- */

/* How a net is written down. The tiny span from `a` to `b` has room for control points that move
 * the surface nowhere else. */
typedef struct attack_layout {
  const char *name;
  int degree;    /* at least so much in both directions */
  double a, b;   /* a tiny span in both directions; none where a = b */
  int creases;   /* 1: its knots occur `degree` times, so that the patch is divided there */
  int uniform;   /* so many more single knots */
  double bend;   /* ratio of the last weight to the first */
  double weight; /* a factor of all of a patch's weights; the next patch has one over it */
  bool odd;      /* every other patch is bent, and divided, in another way */
  double offset; /* knots run from here */
  double unit;   /* and so far; 0: 1 */
  const char *solids;
} attack_layout;

static inline void attack_layout_along_u(attack_net *net, const attack_layout *layout, bool odd)
{
  while (net->degree[0] < layout->degree)
    attack_net_raise_once(net);
  double bend = layout->bend > 0 ? layout->bend : 1;
  if (layout->odd && odd)
    bend = 1 / (bend * bend);
  if (bend != 1)
    attack_net_bend(net, bend);
  double shift = layout->odd && odd ? 0.125 : 0;
  for (int k = 1; k <= layout->uniform; ++k)
    attack_net_insert(net, (k - 2 * shift) / (layout->uniform + 1));
  if (layout->b > layout->a) {
    int often = net->degree[0] - 1 + layout->creases;
    attack_net_insert_often(net, layout->a + shift, often);
    attack_net_insert_often(net, layout->b + shift, often);
  }
  if (layout->unit > 0 || layout->offset != 0)
    for (int k = 0; k <= net->size[0] + net->degree[0]; ++k)
      net->knots[0][k] = layout->offset + net->knots[0][k] * (layout->unit > 0 ? layout->unit : 1);
}

static inline void attack_layout_apply(attack_net *net, const attack_layout *layout, bool odd)
{
  attack_layout_along_u(net, layout, odd);
  attack_net_transpose(net);
  attack_layout_along_u(net, layout, odd);
  attack_net_transpose(net);
  if (layout->weight > 0)
    for (int i = 0; i < net->size[0]; ++i)
      for (int j = 0; j < net->size[1]; ++j)
        for (int lane = 0; lane < 4; ++lane)
          net->h[i][j][lane] *= odd ? layout->weight : 1 / layout->weight;
}

/* `solids` are those of attack_solids that are sound bodies in this layout: where a span is tiny,
 * the rounding of a slanted plane's control points makes dents of its own. Those left out take the
 * verification long and add nothing. */
static const attack_layout attack_layouts[] = {
    {.name = "plain", .degree = 1, .solids = "0123456789"},
    {.name = "quartic, span 6e-3", .degree = 4, .a = .261, .b = .267, .solids = "0134597"},
    {.name = "quintic, span 1e-5", .degree = 5, .a = .4, .b = .40001, .solids = "0379"},
    {.name = "quartic, span 1e-9", .degree = 4, .a = .5, .b = .5 + 1e-9, .solids = "07"},
    {.name = "degree 9", .degree = 9, .solids = "01234579"},
    {.name = "degree 7, span 1e-4", .degree = 7, .a = .7311, .b = .7312, .solids = "0379"},
    {.name = "cubic, weights over 1e6", .degree = 3, .bend = 1e6, .solids = "09"},
    {.name = "cubic, odd parameters", .degree = 3, .bend = 3, .odd = true, .solids = "0123456789"},
    {.name = "quadratic, weights 1e-6 and 1e6", .degree = 2, .weight = 1e6, .solids = "0123456789"},
    {.name = "cubic, 8 spans", .degree = 3, .uniform = 7, .solids = "01234579"},
    {.name = "quartic, span at the end", .degree = 4, .a = 1e-6, .b = 2e-6, .solids = "0379"},
    {.name = "cubic, creases 1e-3 apart",
     .degree = 3,
     .a = .31,
     .b = .311,
     .creases = 1,
     .solids = "0123579"},
    {.name = "quintic, odd spans 1e-6",
     .degree = 5,
     .a = .6,
     .b = .600001,
     .odd = true,
     .solids = "039"},
    {.name = "quartic, knots at 1000",
     .degree = 4,
     .a = .25,
     .b = .2501,
     .offset = 1000,
     .solids = "039"},
    {.name = "quartic, odd knots over 1e-6",
     .degree = 4,
     .uniform = 2,
     .odd = true,
     .unit = 1e-6,
     .solids = "01234579"},
    {.name = "cubic, odd weights over 100",
     .degree = 3,
     .bend = 0.1,
     .odd = true,
     .solids = "0123456789"},
};

enum { ATTACK_LAYOUTS = sizeof attack_layouts / sizeof *attack_layouts };

#pragma GCC diagnostic pop

#endif
