/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_PLANAR_SHAPES_H
#define TEST_SUPPORT_PLANAR_SHAPES_H

#include <math.h>
#include <stdio.h>

#include "rclc_closest_point/closest_point.h"
#include "support/marks.h"

/* Planar bodies that are convex but for a number, `delta`: dents, loops, corners and gaps, where
 * samples would not look. */

enum { CURVES_MAX = 2048, NUMBERS_MAX = 200000 };

static const double pi = 3.14159265358979323846;

typedef struct shape {
  int count;
  clp_curve_def curves[CURVES_MAX];
  char names[CURVES_MAX][8];
  double numbers[NUMBERS_MAX];
  int used;
} shape;

static inline double *take(shape *s, int count)
{
  double *numbers = s->numbers + s->used;
  s->used += count;
  ck_assert_int_le(s->used, NUMBERS_MAX);
  return numbers;
}

/* A curve with room for its control points; knots NULL for one span. */
static inline double *add_curve(shape *s, int degree, int size, const double *knots)
{
  ck_assert_int_lt(s->count, CURVES_MAX);
  double *points = take(s, 3 * size);
  snprintf(s->names[s->count], sizeof s->names[0], "c%d", s->count);
  s->curves[s->count] = (clp_curve_def){.name = s->names[s->count],
                                        .degree = degree,
                                        .size = size,
                                        .knots = knots,
                                        .control_points = points};
  ++s->count;
  return points;
}

static inline void set_point(double *points, int k, double x, double y)
{
  points[3 * k] = x;
  points[3 * k + 1] = y;
  points[3 * k + 2] = 1;
}

static inline void add_line(shape *s, double x0, double y0, double x1, double y1)
{
  double *points = add_curve(s, 1, 2, NULL);
  set_point(points, 0, x0, y0);
  set_point(points, 1, x1, y1);
}

static inline double *point_of(shape *s, int curve, int k)
{
  return (double *)s->curves[curve].control_points + 3 * k;
}

static inline clp_body_def definition(const shape *s)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = s->curves;
  def.curve_count = s->count;
  return def;
}

/* ---- Shapes that are convex but for `delta` ----------------------------------------------- */

/* What a family is made with: numbers of its own, and what is done to all of it. */
typedef struct family {
  const char *name;
  void (*make)(shape *s, const double *a, double delta);
  double a[4];
  double scale, shift, thin, tilt; /* 0: none */
  double limit;                    /* of the slack where delta is 0, of the size */
} family;

/* The coefficients of t and t^2 that belong to the knots after k. */
static inline void set_parabola(double *points, const double *u, int k, int degree)
{
  long double sum = 0, squares = 0;
  for (int i = 1; i <= degree; ++i) {
    sum += (long double)u[k + i];
    squares += (long double)u[k + i] * (long double)u[k + i];
  }
  set_point(points, k, (double)(sum / degree),
            (double)((sum * sum - squares) / (degree * (degree - 1))));
}

enum { BUMP, LOOP, SIDEWAYS };

/* y = t^2 from -1 to 1, closed by a line above; degree, width and place of a crowd of knots, and
 * what happens to the coefficients that only matter between them. */
static inline void parabola(shape *s, const double *a, double delta)
{
  int d = (int)a[0], style = (int)a[3], inside = style == LOOP ? 6 : 1, crowd = d + 1 + inside;
  int size = d + 1 + crowd;
  double *u = take(s, size + d + 1);
  for (int k = 0; k <= d; ++k) {
    u[k] = -1;
    u[size + k] = 1;
  }
  for (int k = 0; k < crowd; ++k)
    u[d + 1 + k] = a[2] + a[1] * k / (crowd - 1);
  double *points = add_curve(s, d, size, u);
  for (int k = 0; k < size; ++k)
    set_parabola(points, u, k, d);
  for (int i = 0; i < inside; ++i) {
    double *p = points + 3 * (d + 1 + i), angle = 2 * pi * i / inside;
    p[0] += style == LOOP ? delta * cos(angle) : style == SIDEWAYS ? -delta : 0;
    p[1] += style == LOOP ? delta * sin(angle) : style == SIDEWAYS ? 0 : delta;
  }
  add_line(s, 1, 1, -1, 1);
}

/* The same with many even spans and one coefficient that is off. */
static inline void many_spans(shape *s, const double *a, double delta)
{
  int d = (int)a[0], size = (int)a[1];
  double *u = take(s, size + d + 1);
  for (int k = 0; k < size + d + 1; ++k)
    u[k] = fmax(-1, fmin(1, 2.0 * (k - d) / (size - d) - 1));
  double *points = add_curve(s, d, size, u);
  for (int k = 0; k < size; ++k)
    set_parabola(points, u, k, d);
  points[3 * (int)(a[2] * size) + 1] += delta;
  add_line(s, 1, 1, -1, 1);
}

/* A regular polygon; the middles of the first `a[1]` sides are corners too, pushed in, or in and
 * out by turns. */
static inline void polygon(shape *s, const double *a, double delta)
{
  int n = (int)a[0];
  for (int k = 0; k < n; ++k) {
    double x0 = cos(2 * pi * k / n), y0 = sin(2 * pi * k / n);
    double x1 = cos(2 * pi * ((k + 1) % n) / n), y1 = sin(2 * pi * ((k + 1) % n) / n);
    double off = a[2] > 0 && k % 2 ? 1 + delta : 1 - delta;
    double x = 0.5 * (x0 + x1) * off, y = 0.5 * (y0 + y1) * off;
    if (k >= (int)a[1]) {
      add_line(s, x0, y0, x1, y1);
      continue;
    }
    add_line(s, x0, y0, x, y);
    add_line(s, x, y, x1, y1);
  }
}

/* A side with many corners in one line, up and down by turns. */
static inline void zigzag(shape *s, const double *a, double delta)
{
  int n = (int)a[0];
  for (int k = 0; k < n; ++k) {
    double y0 = k > 0 && k % 2 ? delta : 0, y1 = k + 1 < n && k % 2 == 0 ? delta : 0;
    add_line(s, (double)k / n, y0, (double)(k + 1) / n, y1);
  }
  add_line(s, 1, 0, 0.4, 1);
  add_line(s, 0.4, 1, 0, 0);
}

/* Ends that do not meet. */
static inline void gap(shape *s, const double *a, double delta)
{
  polygon(s, (double[4]){a[0], 0, 0, 0}, 0);
  double *p = point_of(s, (int)a[2], 0);
  p[0] += delta * cos(a[1]);
  p[1] += delta * sin(a[1]);
}

/* A triangle with a side of the given degree that bends to the wrong side. */
static inline void hollow(shape *s, const double *a, double delta)
{
  int d = (int)a[0];
  double *points = add_curve(s, d, d + 1, NULL), weight = 1;
  for (int k = 0; k <= d; ++k, weight *= a[1]) {
    double t = (double)k / d;
    set_point(points, k, t, delta * 4 * t * (1 - t));
    points[3 * k + 2] = weight * a[2];
  }
  add_line(s, 1, 0, 0.4, 1);
  add_line(s, 0.4, 1, 0, 0);
}

/* A parabola of the given degree whose weights run over many decades (which moves its parameter
 * only), one coefficient off. */
static inline void weighted(shape *s, const double *a, double delta)
{
  int d = (int)a[0];
  double *points = add_curve(s, d, d + 1, NULL), weight = a[2];
  for (int k = 0; k <= d; ++k, weight *= a[1]) {
    double x = 2.0 * k / d - 1, y = ((2.0 * k - d) * (2.0 * k - d) - d) / (d * (d - 1.0));
    set_point(points, k, x, y);
    points[3 * k + 2] = weight;
  }
  points[3 * (int)a[3] + 1] += delta;
  add_line(s, 1, 1, -1, 1);
}

/* y = x^4 - delta x^2: flat in the middle, and then bent the other way. */
static inline void flat(shape *s, const double *a, double delta)
{
  static const double fourth[5] = {1, -1, 1, -1, 1}, square[5] = {1, 0, -1.0 / 3, 0, 1};
  double *points = add_curve(s, 4, 5, NULL);
  for (int k = 0; k < 5; ++k)
    set_point(points, k, 0.5 * k - 1 + a[0], fourth[k] - delta * square[k]);
  add_line(s, 1 + a[0], 1 - delta, -1 + a[0], 1 - delta);
}

/* Four quarters of a circle, the first one's middle control point moved. */
static inline void quarters(shape *s, const double *a, double delta)
{
  for (int k = 0; k < 4; ++k) {
    static const double c[5] = {1, 0, -1, 0, 1};
    double *points = add_curve(s, 2, 3, NULL), x0 = c[k], y0 = c[(k + 3) % 4], x1 = c[k + 1],
           y1 = c[(k + 4) % 4];
    set_point(points, 0, x0, y0);
    set_point(points, 1, x0 + x1, y0 + y1);
    set_point(points, 2, x1, y1);
    points[5] = sqrt(0.5);
  }
  double *p = point_of(s, 0, 1);
  p[0] += delta * a[0];
  p[1] += delta * a[1];
}

/* Two parabolas. */
static inline void lens(shape *s, double thin)
{
  double *below = add_curve(s, 2, 3, NULL), *above = add_curve(s, 2, 3, NULL);
  for (int k = 0; k < 3; ++k) {
    set_point(below, k, k - 1, k == 1 ? -thin : 0);
    set_point(above, k, 1 - k, k == 1 ? thin : 0);
  }
}

/* A curve that starts by going back; or turns once round itself on its way. */
static inline void curl(shape *s, const double *a, double delta)
{
  double *points = add_curve(s, 6, 7, NULL);
  for (int k = 0; k < 7; ++k)
    set_point(points, k, k / 6.0, 0);
  for (int k = 1; k < 6; ++k) {
    double angle = 2 * pi * k / 5;
    points[3 * k] = a[0] > 0 ? 0.5 + delta * sin(angle) : points[3 * k];
    points[3 * k + 1] = a[0] > 0 ? delta * (1 - cos(angle)) : 0;
  }
  if (a[0] <= 0 && delta > 0)
    points[3] = a[0] < 0 ? 0 : -delta, points[4] = a[0] < 0 ? delta : 0;
  add_line(s, 1, 0, 0.4, 1);
  add_line(s, 0.4, 1, 0, 0);
}

/* One closed quadratic spline round control points on a circle, one of them moved in. */
static inline void ring(shape *s, const double *a, double delta)
{
  int n = (int)a[0], size = n + 2;
  double *u = take(s, size + 3);
  for (int k = 0; k < size + 3; ++k)
    u[k] = fmax(0, fmin(n, k - 2));
  double *points = add_curve(s, 2, size, u);
  for (int k = 1; k <= n; ++k) {
    double angle = 2 * pi * k / n, r = k == n / 2 ? 1 - delta : 1;
    set_point(points, k, r * cos(angle), r * sin(angle));
  }
  for (int lane = 0; lane < 3; ++lane)
    points[lane] = points[3 * (n + 1) + lane] = 0.5 * (points[3 + lane] + points[3 * n + lane]);
}

static inline void transform(shape *s, const family *f)
{
  double scale = f->scale > 0 ? f->scale : 1, thin = f->thin > 0 ? f->thin : 1;
  for (int c = 0; c < s->count; ++c)
    for (int k = 0; k < s->curves[c].size; ++k) {
      double *p = point_of(s, c, k), over = 1 + f->tilt * p[0];
      p[0] = scale * (p[0] / over + f->shift);
      p[1] = scale * (thin * p[1] / over - f->shift);
      p[2] *= over;
    }
}

static inline shape *make(const family *f, double delta)
{
  static shape s;
  s.count = s.used = 0;
  f->make(&s, f->a, delta);
  transform(&s, f);
  return &s;
}

/* ---- Round more than once ------------------------------------------------------------------ */

/* Control points on a curve that goes round `turns` times, off its middle so that nothing falls
 * together: left turns only. As lines, as parabolas from middle to middle, or as one spline. */
static inline void wind(shape *s, int n, int turns, int style)
{
  double *spline = NULL;
  if (style == 2) {
    ring(s, (double[1]){n}, 0);
    spline = point_of(s, 0, 0);
  }
  for (int k = 0; k < n; ++k) {
    double p[3][2];
    for (int i = 0; i < 3; ++i) {
      double angle = 2 * pi * turns * ((k + i) % n) / n, r = 1 + 0.2 * cos(angle / turns);
      p[i][0] = r * cos(angle);
      p[i][1] = r * sin(angle);
    }
    if (style == 0)
      add_line(s, p[0][0], p[0][1], p[1][0], p[1][1]);
    if (style == 1) {
      double *points = add_curve(s, 2, 3, NULL);
      set_point(points, 0, 0.5 * (p[0][0] + p[1][0]), 0.5 * (p[0][1] + p[1][1]));
      set_point(points, 1, p[1][0], p[1][1]);
      set_point(points, 2, 0.5 * (p[1][0] + p[2][0]), 0.5 * (p[1][1] + p[2][1]));
    }
    if (style == 2)
      set_point(spline, k + 1, p[0][0], p[0][1]);
  }
  if (style == 2)
    for (int lane = 0; lane < 3; ++lane)
      spline[lane] = spline[3 * (n + 1) + lane] = 0.5 * (spline[3 + lane] + spline[3 * n + lane]);
}

/* The parameter of nearly all of the ring runs through a span or two that no sample meets. */
static inline void squeeze(shape *s, int n, int turns, double width)
{
  wind(s, n, turns, 2);
  double *knots = (double *)s->curves[0].knots;
  for (int k = 4; k < n + 1; ++k)
    knots[k] = 1.3 + width * (k - 4);
  for (int k = n + 1; k < n + 5; ++k)
    knots[k] = k == n + 1 ? 1.9 : 2;
}

#endif
