/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_WORDINGS_H
#define TEST_SUPPORT_WORDINGS_H

#include <string.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/spline.h"
#include "rclc_closest_point/surface/wide_form.h"
#include "support/marks.h"
#include "support/random.h"

/* One rational curve in many wordings: cut, raised, reversed, with other weights. */

enum { SPANS = 8, POINTS = SPANS * CLP_MAX_DEGREE + 1, KNOTS = POINTS + CLP_MAX_DEGREE + 1 };

/* Bezier pieces that share their ends; homogeneous points. */
typedef struct course {
  int degree, spans;
  double breaks[SPANS + 1];
  clp_wide c[POINTS][4];
} course;

typedef struct made {
  clp_curve curve;
  double storage[2000];
} made;

static inline void make(const course *s, made *result)
{
  double knots[KNOTS], points[POINTS][4];
  int count = 0, size = s->degree * s->spans + 1;
  knots[count++] = s->breaks[0];
  for (int k = 0; k <= s->spans; ++k)
    for (int i = 0; i < s->degree; ++i)
      knots[count++] = s->breaks[k];
  knots[count++] = s->breaks[s->spans];
  for (int k = 0; k < size; ++k)
    for (int lane = 0; lane < 4; ++lane)
      points[k][lane] = (double)(lane < 3 ? s->c[k][lane] / s->c[k][3] : s->c[k][3]);
  ck_assert_uint_le(clp_nurbs_curve_storage(s->degree, size, knots), 2000);
  result->curve =
      (clp_curve){.kind = CLP_CURVE_NURBS, .lo = s->breaks[0], .hi = s->breaks[s->spans]};
  ck_assert(clp_nurbs_curve_build(s->degree, size, knots, points[0], result->storage,
                                  &result->curve.as.nurbs));
}

/* One piece over [0, 1] that goes along x and turns nowhere. */
static inline course random_piece(random_state *g, int degree)
{
  course s = {.degree = degree, .spans = 1, .breaks = {0, 1}};
  for (int k = 0; k <= degree; ++k) {
    clp_wide w = random_between(g, 0.7, 1.4);
    double x = (double)k / degree, y = x * (1 - x);
    s.c[k][0] = w * x;
    s.c[k][1] = w * (y + random_between(g, -0.05, 0.05));
    s.c[k][2] = w * random_between(g, -0.1, 0.1);
    s.c[k][3] = w;
  }
  return s;
}

/* The polar form of a piece at so many arguments a, and otherwise b. */
static inline void blossom(const course *s, int span, int as, clp_wide a, clp_wide b,
                           clp_wide result[4])
{
  clp_wide row[CLP_MAX_DEGREE + 1][4];
  memcpy(row, s->c[span * s->degree], sizeof(clp_wide[4]) * (size_t)(s->degree + 1));
  for (int r = 1; r <= s->degree; ++r) {
    clp_wide t = r <= as ? a : b;
    for (int k = 0; k <= s->degree - r; ++k)
      for (int lane = 0; lane < 4; ++lane)
        row[k][lane] = (1 - t) * row[k][lane] + t * row[k + 1][lane];
  }
  memcpy(result, row[0], sizeof(clp_wide[4]));
}

/* Of a single piece: the stretch between the first and the last of these fractions, cut at the
 * others. Its parameters are the fractions, and it may be extended beyond [0, 1]. */
static inline course cut(const course *s, int spans, const double *at)
{
  course r = {.degree = s->degree, .spans = spans};
  for (int k = 0; k <= spans; ++k)
    r.breaks[k] = at[k];
  for (int k = 0; k < spans; ++k)
    for (int i = 0; i <= s->degree; ++i)
      blossom(s, 0, s->degree - i, at[k], at[k + 1], r.c[k * s->degree + i]);
  return r;
}

static inline course raised(const course *s)
{
  course r = {.degree = s->degree + 1, .spans = s->spans};
  memcpy(r.breaks, s->breaks, sizeof r.breaks);
  for (int span = 0; span < s->spans; ++span)
    for (int k = 0; k <= r.degree; ++k)
      for (int lane = 0; lane < 4; ++lane) {
        const int base = span * s->degree;
        clp_wide t = (clp_wide)k / r.degree;
        r.c[span * r.degree + k][lane] = (k > 0 ? t * s->c[base + k - 1][lane] : 0) +
                                         (k <= s->degree ? (1 - t) * s->c[base + k][lane] : 0);
      }
  return r;
}

static inline course reversed(const course *s)
{
  course r = *s;
  int last = s->degree * s->spans;
  for (int k = 0; k <= s->spans; ++k)
    r.breaks[k] = -s->breaks[s->spans - k];
  for (int k = 0; k <= last; ++k)
    memcpy(r.c[k], s->c[last - k], sizeof r.c[k]);
  return r;
}

/* Every span at the places alpha t / (1 - t + alpha t). */
static inline course weighted(const course *s, clp_wide alpha)
{
  course r = *s;
  clp_wide factor = 1;
  for (int k = 1; k <= s->degree * s->spans; ++k) {
    factor *= alpha;
    for (int lane = 0; lane < 4; ++lane)
      r.c[k][lane] *= factor;
  }
  return r;
}

static inline void shift(course *s, int first, int last, clp_vec3 by)
{
  for (int k = first; k <= last; ++k) {
    s->c[k][0] += s->c[k][3] * by.x;
    s->c[k][1] += s->c[k][3] * by.y;
    s->c[k][2] += s->c[k][3] * by.z;
  }
}

#endif
