/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/bernstein.h"

#include <math.h>

#include "rclc_closest_point/surface/ratio_bound.h"
#include "test/support/random.h"
#include "test/support/suite.h"

enum { ROOM = 400 };

static clp_bernstein random_form(random_state *g, int du, int dv, double *storage)
{
  clp_bernstein f = {du, dv, storage};
  for (size_t k = 0; k < clp_bernstein_count(du, dv); ++k)
    f.c[k] = random_between(g, -1, 1);
  return f;
}

/* The definition, with factorials and powers: nothing shared with what is tested. */
static double by_definition(const clp_bernstein *f, double u, double v)
{
  double sum = 0;
  for (int i = 0; i <= f->du; ++i) {
    for (int j = 0; j <= f->dv; ++j) {
      double choose_u = tgamma(f->du + 1) / (tgamma(i + 1) * tgamma(f->du - i + 1));
      double choose_v = tgamma(f->dv + 1) / (tgamma(j + 1) * tgamma(f->dv - j + 1));
      sum += f->c[i * (f->dv + 1) + j] * choose_u * pow(u, i) * pow(1 - u, f->du - i) * choose_v *
             pow(v, j) * pow(1 - v, f->dv - j);
    }
  }
  return sum;
}

SUITE("bernstein");

TEST_CASE("forms", 10);

TEST(value_follows_the_definition)
{
  random_state g = {1};
  double storage[ROOM];
  for (int n = 0; n <= 9; ++n) {
    clp_bernstein f = random_form(&g, n, 9 - n, storage);
    for (int k = 0; k < 20; ++k) {
      double u = random_between(&g, 0, 1), v = random_between(&g, 0, 1);
      ck_assert_double_eq_tol(clp_bernstein_value(&f, u, v), by_definition(&f, u, v), 1e-13);
    }
  }
}

TEST(derivatives_are_difference_quotients)
{
  random_state g = {2};
  double storage[ROOM], storage_u[ROOM], storage_v[ROOM];
  clp_bernstein f = random_form(&g, 5, 3, storage);
  clp_bernstein fu = {4, 3, storage_u}, fv = {5, 2, storage_v};
  clp_bernstein_derive_u(&f, &fu);
  clp_bernstein_derive_v(&f, &fv);
  for (int k = 0; k < 20; ++k) {
    double u = random_between(&g, 0.1, 0.9), v = random_between(&g, 0.1, 0.9), h = 1e-5;
    double du = (clp_bernstein_value(&f, u + h, v) - clp_bernstein_value(&f, u - h, v)) / (2 * h);
    double dv = (clp_bernstein_value(&f, u, v + h) - clp_bernstein_value(&f, u, v - h)) / (2 * h);
    ck_assert_double_eq_tol(clp_bernstein_value(&fu, u, v), du, 1e-7);
    ck_assert_double_eq_tol(clp_bernstein_value(&fv, u, v), dv, 1e-7);
  }
}

TEST(derivative_of_a_constant_is_zero)
{
  double c[4] = {1, 2, 3, 4}, d[4] = {9, 9, 9, 9};
  clp_bernstein f = {0, 3, c}, df = {0, 3, d};
  clp_bernstein_derive_u(&f, &df);
  for (int k = 0; k < 4; ++k)
    ck_assert_double_eq(d[k], 0);
  clp_bernstein g = {3, 0, c}, dg = {3, 0, d};
  d[1] = 9;
  clp_bernstein_derive_v(&g, &dg);
  for (int k = 0; k < 4; ++k)
    ck_assert_double_eq(d[k], 0);
}

TEST(product_of_forms_is_product_of_values)
{
  random_state g = {3};
  double sa[ROOM], sb[ROOM], sc[ROOM] = {0};
  clp_bernstein a = random_form(&g, 9, 4, sa), b = random_form(&g, 3, 8, sb);
  clp_bernstein a_scaled = a, c = {12, 12, sc};
  double copy[ROOM];
  for (int k = 0; k < ROOM; ++k)
    copy[k] = sa[k];
  a_scaled.c = copy;
  clp_bernstein b_scaled = b;
  double copy_b[ROOM];
  for (int k = 0; k < ROOM; ++k)
    copy_b[k] = sb[k];
  b_scaled.c = copy_b;
  clp_bernstein_scale(&a_scaled);
  clp_bernstein_scale(&b_scaled);
  clp_bernstein_add_product(&c, 2, &a_scaled, &b_scaled);
  clp_bernstein_unscale(&c);
  for (int k = 0; k < 50; ++k) {
    double u = random_between(&g, 0, 1), v = random_between(&g, 0, 1);
    double expected = 2 * clp_bernstein_value(&a, u, v) * clp_bernstein_value(&b, u, v);
    ck_assert_double_eq_tol(clp_bernstein_value(&c, u, v), expected, 1e-14);
  }
}

TEST(restriction_is_the_same_function)
{
  random_state g = {4};
  double storage[ROOM], part_storage[ROOM];
  clp_bernstein f = random_form(&g, 7, 6, storage), part = {7, 6, part_storage};
  const clp_cell cells[] = {{.u0 = 0, .u1 = 1, .v0 = 0, .v1 = 1},
                            {.u0 = 0.25, .u1 = 0.3, .v0 = 0.9, .v1 = 1},
                            {.u0 = 0, .u1 = 1e-3, .v0 = 0.4, .v1 = 0.7}};
  for (int n = 0; n < 3; ++n) {
    clp_bernstein_restrict(&f, &cells[n], &part);
    clp_range range = clp_bernstein_range(&part);
    for (int k = 0; k < 30; ++k) {
      double s = random_between(&g, 0, 1), t = random_between(&g, 0, 1);
      double u = (1 - s) * cells[n].u0 + s * cells[n].u1;
      double v = (1 - t) * cells[n].v0 + t * cells[n].v1;
      double value = clp_bernstein_value(&f, u, v);
      ck_assert_double_eq_tol(clp_bernstein_value(&part, s, t), value, 1e-14);
      ck_assert_double_ge(value, range.min);
      ck_assert_double_le(value, range.max);
    }
  }
}

TEST(variation_sees_its_direction_only)
{
  double c[6] = {1, 1, 1, 4, 4, 4};
  clp_bernstein f = {1, 2, c};
  ck_assert_double_eq(clp_bernstein_variation(&f, true), 3);
  ck_assert_double_eq(clp_bernstein_variation(&f, false), 0);
}

TEST_CASE("search", 10);

TEST(heap_gives_the_largest_first_and_refuses_beyond_its_size)
{
  random_state g = {5};
  clp_cell_heap heap = {.count = 0};
  for (int k = 0; k < CLP_CELL_HEAP_SIZE; ++k)
    ck_assert(clp_cell_push(&heap, (clp_cell){.key = random_between(&g, 0, 1)}));
  ck_assert(!clp_cell_push(&heap, (clp_cell){.key = 2}));
  double last = 2;
  while (heap.count > 0) {
    clp_cell cell = clp_cell_pop(&heap);
    ck_assert_double_le(cell.key, last);
    last = cell.key;
  }
}

/* The maximum of a quotient against a fine grid: above all of it, and attained where it says. */
TEST(ratio_maximum_is_enclosed)
{
  random_state g = {6};
  double sn[ROOM], sd[ROOM];
  const clp_cell whole = {.u0 = 0, .u1 = 1, .v0 = 0, .v1 = 1};
  for (int n = 0; n < 40; ++n) {
    clp_bernstein above = random_form(&g, 4, 3, sn), below = random_form(&g, 4, 3, sd);
    for (int k = 0; k < 20; ++k)
      below.c[k] = 1.2 + below.c[k];
    int budget = 2000;
    clp_ratio_max max = clp_ratio_maximize(&above, &below, whole, -1e300, 1e-12, &budget);
    double there =
        clp_bernstein_value(&above, max.u, max.v) / clp_bernstein_value(&below, max.u, max.v);
    ck_assert_double_eq_tol(max.attained, there, 1e-13);
    ck_assert_double_le(max.upper, max.attained + 1.1e-12);
    ck_assert_int_gt(budget, 0);
    for (int k = 0; k < 100 * 100; ++k) {
      int row = k / 100, column = k % 100;
      double u = row / 99.0, v = column / 99.0;
      double value = clp_bernstein_value(&above, u, v) / clp_bernstein_value(&below, u, v);
      ck_assert_double_le(value, max.upper + 1e-14);
    }
  }
}

TEST(ratio_maximum_stays_a_bound_without_budget)
{
  random_state g = {7};
  double sn[ROOM], ones[ROOM];
  const clp_cell whole = {.u0 = 0, .u1 = 1, .v0 = 0, .v1 = 1};
  clp_bernstein above = random_form(&g, 6, 6, sn), below = random_form(&g, 6, 6, ones);
  for (int k = 0; k < 49; ++k)
    ones[k] = 1;
  int none = 0, plenty = 2000;
  clp_ratio_max coarse = clp_ratio_maximize(&above, &below, whole, -1e300, 0, &none);
  clp_ratio_max fine = clp_ratio_maximize(&above, &below, whole, -1e300, 1e-9, &plenty);
  ck_assert_double_gt(coarse.upper, fine.upper);
  ck_assert_double_le(coarse.attained, fine.attained);
}
