/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomials in wide numbers, against the sum of powers that the Bernstein form stands for. */

#include "rclc_closest_point/surface/wide_form.h"

#include <math.h>

#include "rclc_closest_point/surface/spline.h"
#include "support/reference_spline.h"
#include "support/suite.h"

/* A few units of a long double of 64 bits, times the terms that are summed. */
static const clp_wide nothing = 1e-16L;

static clp_wide choose(int n, int k)
{
  clp_wide c = 1;
  for (int i = 1; i <= k; ++i)
    c = c * (n - k + i) / i;
  return c;
}

static clp_wide power(clp_wide t, int k)
{
  clp_wide p = 1;
  while (k-- > 0)
    p *= t;
  return p;
}

static clp_wide value(const clp_wide_form *f, clp_wide t)
{
  clp_wide sum = 0;
  for (int k = 0; k <= f->degree; ++k)
    sum += choose(f->degree, k) * f->c[k] * power(t, k) * power(1 - t, f->degree - k);
  return sum;
}

/* The derivative of every term of that sum. */
static clp_wide slope(const clp_wide_form *f, clp_wide t)
{
  clp_wide sum = 0;
  int n = f->degree;
  for (int k = 0; k <= n; ++k) {
    clp_wide up = k > 0 ? k * power(t, k - 1) * power(1 - t, n - k) : 0;
    clp_wide down = k < n ? (n - k) * power(t, k) * power(1 - t, n - k - 1) : 0;
    sum += choose(n, k) * f->c[k] * (up - down);
  }
  return sum;
}

static clp_wide_form random_form(random_state *g, int degree, double lo, double hi)
{
  clp_wide_form f = {.degree = degree};
  for (int k = 0; k <= degree; ++k)
    f.c[k] = random_between(g, lo, hi) + 1e-17L * random_between(g, lo, hi);
  return f;
}

static void expect_equal(clp_wide got, clp_wide expected, clp_wide scale)
{
  ck_assert_msg(fabsl(got - expected) <= nothing * scale, "%.19Lg instead of %.19Lg", got,
                expected);
}

static const clp_wide places[] = {0, 1e-6L, 0.1L, 1 / 3.0L, 0.5L, 0.77L, 1 - 1e-6L, 1};
enum { PLACES = sizeof places / sizeof places[0] };

/* ---- Forms -------------------------------------------------------------------------------- */

static void check_stretch_of_parameters(const clp_wide_form *f, clp_wide from, clp_wide to)
{
  clp_wide_form part = *f;
  clp_wide_restrict(&part, from, to);
  ck_assert_int_eq(part.degree, f->degree);
  for (int k = 0; k < PLACES; ++k)
    expect_equal(value(&part, places[k]), value(f, from + places[k] * (to - from)), 1);
}

SUITE("wide_form");

TEST_CASE("forms", 10);

TEST(restricted_forms_are_the_same_function)
{
  random_state g = {71};
  static const int degrees[] = {0, 1, 2, 5, 18, CLP_WIDE_DEGREE};
  for (size_t d = 0; d < sizeof degrees / sizeof degrees[0]; ++d)
    for (int round = 0; round < 20; ++round) {
      clp_wide_form f = random_form(&g, degrees[d], -1, 1);
      clp_wide a = random_between(&g, 0, 1), b = random_between(&g, 0, 1);
      check_stretch_of_parameters(&f, a, b);
      check_stretch_of_parameters(&f, 0, b);
      check_stretch_of_parameters(&f, 1, b);
      check_stretch_of_parameters(&f, a, 1);
      check_stretch_of_parameters(&f, a, 0);
      check_stretch_of_parameters(&f, 0, 1);
      check_stretch_of_parameters(&f, 1, 0);
      check_stretch_of_parameters(&f, a, a + 1e-9L * (b - a));
    }
}

/* As one form, and as the quotient of two, from which the factor goes out. */
TEST(stretched_forms_are_the_function_at_mapped_places)
{
  random_state g = {72};
  for (int degree = 0; degree <= 9; ++degree)
    for (int round = 0; round < 20; ++round) {
      clp_wide_form f = random_form(&g, degree, -1, 1), w = random_form(&g, degree, 0.5, 2);
      clp_wide_form f0 = f, w0 = w;
      clp_wide alpha = powl(10, random_between(&g, -1, 1));
      clp_wide_stretch(&f, alpha);
      clp_wide_stretch(&w, alpha);
      for (int k = 0; k < PLACES; ++k) {
        clp_wide t = places[k], over = 1 - t + alpha * t, there = alpha * t / over;
        clp_wide factor = power(over, degree);
        expect_equal(value(&f, t), factor * value(&f0, there), 10 * fmaxl(1, factor));
        expect_equal(value(&f, t) / value(&w, t), value(&f0, there) / value(&w0, there), 100);
      }
    }
}

TEST(derivatives)
{
  random_state g = {73};
  for (int degree = 0; degree <= 30; ++degree) {
    clp_wide_form f = random_form(&g, degree, -1, 1), df;
    clp_wide_derive(&f, &df);
    ck_assert_int_eq(df.degree, degree > 0 ? degree - 1 : 0);
    for (int k = 0; k < PLACES; ++k)
      expect_equal(value(&df, places[k]), slope(&f, places[k]), 1 + 10 * degree);
  }
}

TEST(sums_of_products)
{
  random_state g = {74};
  for (int da = 0; da <= 12; ++da)
    for (int db = 0; db <= 12; ++db) {
      clp_wide_form a = random_form(&g, da, -1, 1), b = random_form(&g, db, -1, 1);
      clp_wide_form c = random_form(&g, db, -1, 1), d = random_form(&g, da, -1, 1);
      clp_wide_form sum = {.degree = -1, .c = {NAN}};
      clp_wide_add_product(&sum, 3, &a, &b);
      ck_assert_int_eq(sum.degree, da + db);
      clp_wide_add_product(&sum, -0.7L, &c, &d);
      for (int k = 0; k < PLACES; ++k) {
        clp_wide t = places[k];
        clp_wide expected = 3 * value(&a, t) * value(&b, t) - 0.7L * value(&c, t) * value(&d, t);
        expect_equal(value(&sum, t), expected, 10);
      }
    }
}

TEST(the_largest_product_fits)
{
  random_state g = {75};
  clp_wide_form a = random_form(&g, CLP_WIDE_DEGREE / 2, -1, 1);
  clp_wide_form b = random_form(&g, CLP_WIDE_DEGREE / 2, -1, 1), sum = {.degree = -1};
  clp_wide_add_product(&sum, 1, &a, &b);
  ck_assert_int_eq(sum.degree, CLP_WIDE_DEGREE);
  for (int k = 0; k < PLACES; ++k)
    expect_equal(value(&sum, places[k]), value(&a, places[k]) * value(&b, places[k]), 10);
}

/* What is put in as a factor comes out again, coefficient by coefficient. */
TEST(factors_come_out)
{
  random_state g = {76};
  for (int degree = 1; degree <= 30; ++degree)
    for (int end = 0; end < 2; ++end) {
      clp_wide_form rest = random_form(&g, degree - 1, -1, 1);
      clp_wide_form f = {.degree = degree};
      /* t B(n - 1, k) = (k + 1) / n B(n, k + 1), and the mirror image of it */
      for (int k = 0; k < degree; ++k)
        f.c[end ? k : k + 1] = rest.c[k] * (end ? degree - k : k + 1) / degree;
      for (int k = 0; k < PLACES; ++k)
        expect_equal(value(&f, places[k]),
                     (end ? 1 - places[k] : places[k]) * value(&rest, places[k]), 1);
      clp_wide_divide(&f, end);
      ck_assert_int_eq(f.degree, degree - 1);
      for (int k = 0; k < degree; ++k)
        expect_equal(f.c[k], rest.c[k], 1);
    }
}

TEST(bounds_of_coefficients)
{
  clp_wide_form f = {.degree = 3, .c = {2, -5, 4, -1}};
  ck_assert(clp_wide_largest(&f) == 5);
  ck_assert(clp_wide_smallest_value(&f) == -5);
  clp_wide_form last = {.degree = 1, .c = {1, -3, -9}};
  ck_assert(clp_wide_largest(&last) == 3);
  ck_assert(clp_wide_smallest_value(&last) == -3);
}

/* ---- Curves ------------------------------------------------------------------------------- */

static clp_vec3 place_of(const clp_wide_curve *c, clp_wide t)
{
  clp_wide w = value(&c->lane[3], t);
  return (clp_vec3){(double)(value(&c->lane[0], t) / w), (double)(value(&c->lane[1], t) / w),
                    (double)(value(&c->lane[2], t) / w)};
}

/* The curve itself is tested against an independent spline (test_curve.c). */
static void check_take(random_state *g, const clp_curve *curve, int span)
{
  double start = clp_wide_curve_break(curve, span), end = clp_wide_curve_break(curve, span + 1);
  for (int round = 0; round < 6; ++round) {
    double from = round == 0 ? 0 : round == 1 ? 1 : random_between(g, 0, 1);
    double to = round == 0 ? 1 : round == 1 ? 0 : random_between(g, 0, 1);
    clp_wide_curve part;
    clp_wide_curve_take(curve, span, from, to, &part);
    for (int k = 0; k < PLACES; ++k) {
      double within = from + (double)places[k] * (to - from);
      double t = start + within * (end - start);
      clp_vec3 expected = clp_curve_point(curve, clp_curve_site_at(curve, t));
      ck_assert_double_le(clp_distance(place_of(&part, places[k]), expected),
                          1e-12 * (1 + clp_norm(expected)));
    }
  }
}

TEST_CASE("curves", 10);

TEST(stretches_of_lines)
{
  random_state g = {77};
  for (int round = 0; round < 20; ++round) {
    clp_curve line = {.kind = CLP_CURVE_LINE, .lo = random_between(&g, -2, 0), .hi = 3};
    line.as.line = (clp_line){random_direction(&g), random_direction(&g)};
    ck_assert_int_eq(clp_wide_curve_spans(&line), 1);
    ck_assert(clp_wide_curve_break(&line, 0) == line.lo);
    ck_assert(clp_wide_curve_break(&line, 1) == line.hi);
    check_take(&g, &line, 0);
  }
}

TEST(stretches_of_splines)
{
  random_state g = {78};
  for (int round = 0; round < 60; ++round) {
    double knots[60], control_points[160], storage[4000];
    int degree = 1 + round % CLP_MAX_DEGREE;
    int size = random_knots(&g, degree, round % 4, true, knots);
    random_net(&g, size, 1, 0.3, control_points);
    ck_assert_uint_le(clp_nurbs_curve_storage(degree, size, knots), 4000);
    clp_curve c = {.kind = CLP_CURVE_NURBS, .lo = knots[degree], .hi = knots[size]};
    ck_assert(clp_nurbs_curve_build(degree, size, knots, control_points, storage, &c.as.nurbs));
    int spans = clp_spline_spans(degree, size, knots);
    ck_assert_int_eq(clp_wide_curve_spans(&c), spans);
    ck_assert(clp_wide_curve_break(&c, 0) == c.lo && clp_wide_curve_break(&c, spans) == c.hi);
    for (int span = 0; span < spans; ++span)
      check_take(&g, &c, span);
  }
}
