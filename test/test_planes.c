/* SPDX-License-Identifier: Apache-2.0 */
/* Polytopes as planes: the nearest point against every choice of up to three planes, in wider
 * numbers, and what is inset against closed forms and against every point that it is for. */

#include <math.h>

#include "rclc_closest_point/hull/enclosure.h"
#include "support/amount.h"
#include "support/random.h"
#include "support/suite.h"

enum { MOST = 40 };

typedef struct polytope {
  clp_vec3 normals[MOST];
  double offsets[MOST];
  clp_planes planes;
} polytope;

static void finish(polytope *p, size_t count, clp_vec3 middle)
{
  p->planes = (clp_planes){p->normals, p->offsets, count, middle, 0};
}

static void make_box(polytope *p, clp_vec3 half)
{
  const double size[3] = {half.x, half.y, half.z};
  for (int k = 0; k < 6; ++k) {
    double sign = k & 1 ? 1 : -1;
    p->normals[k] = (clp_vec3){k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0};
    p->offsets[k] = size[k / 2];
  }
  finish(p, 6, (clp_vec3){0, 0, 0});
}

/* A box with corners cut off at random; some planes twice, or nearly. */
static void make_any(polytope *p, random_state *g)
{
  make_box(p, (clp_vec3){random_between(g, 0.01, 1), random_between(g, 0.1, 1), 1});
  size_t count = 6 + random_bits(g) % (MOST - 6);
  for (size_t k = 6; k < count; ++k) {
    bool same = random_bits(g) % 4 == 0;
    size_t other = random_bits(g) % k;
    clp_vec3 d = clp_scale(random_bits(g) % 2 ? 0 : 1e-6, random_direction(g));
    p->normals[k] = same ? clp_unit(clp_add(p->normals[other], d)) : random_direction(g);
    p->offsets[k] = same ? p->offsets[other] : random_between(g, 0.005, 1.2);
  }
  finish(p, count, (clp_vec3){0, 0, 0});
}

/* ---- The nearest point -------------------------------------------------------------------- */

typedef struct wide {
  long double x[3];
} wide;

static wide widen(clp_vec3 a)
{
  return (wide){{a.x, a.y, a.z}};
}

static long double dot(wide a, wide b)
{
  return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* Minus the sum of the chosen normals with the factors that lead to where their planes meet:
 * Cramer's rule on the table of their products. False: they hardly meet. */
static bool lead(const wide *n, const long double *over, int count, wide *way)
{
  long double g[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, r[3] = {0, 0, 0}, f[3];
  for (int i = 0; i < count; ++i) {
    r[i] = over[i];
    for (int j = 0; j < count; ++j)
      g[i][j] = dot(n[i], n[j]);
  }
  long double whole = 0;
  for (int column = -1; column < 3; ++column) {
    long double m[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        m[i][j] = j == column ? r[i] : g[i][j];
    long double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                              m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                              m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (column < 0)
      whole = determinant;
    else
      f[column] = determinant / whole;
    if (whole < 1e-12L)
      return false;
  }
  *way = (wide){{0, 0, 0}};
  for (int k = 0; k < count; ++k)
    for (int c = 0; c < 3; ++c)
      way->x[c] -= f[k] * n[k].x[c];
  return true;
}

/* The shortest way to a place that is inside of all planes but for `blur`. */
static long double shortest(const polytope *p, clp_vec3 point, long double blur)
{
  long double least = HUGE_VALL;
  int count = (int)p->planes.count;
  wide n[MOST], way;
  long double over[MOST];
  for (int k = 0; k < count; ++k) {
    n[k] = widen(p->normals[k]);
    over[k] = dot(n[k], widen(point)) - p->offsets[k];
  }
  for (int a = 0; a < count; ++a)
    for (int b = a; b < count; ++b)
      for (int c = b; c < count; ++c) {
        const int chosen[3] = {a, b, c}, used = c > b && b > a ? 3 : b > a ? 2 : 1;
        wide m[3];
        long double r[3], missed = 0;
        if (b == a && c > b)
          continue;
        for (int k = 0; k < used; ++k) {
          m[k] = n[chosen[k]];
          r[k] = over[chosen[k]];
        }
        if (!lead(m, r, used, &way))
          continue;
        for (int k = 0; k < count; ++k)
          missed = fmaxl(missed, over[k] + dot(n[k], way));
        if (missed <= blur)
          least = fminl(least, sqrtl(dot(way, way)));
      }
  return least;
}

SUITE("planes");

TEST_CASE("planes", 60);

TEST(test_nearest)
{
  random_state g = {11};
  int outside = 0;
  for (int k = 0; k < amount_of(400); ++k) {
    polytope p;
    make_any(&p, &g);
    clp_vec3 point = clp_scale(random_between(&g, 0, 3), random_direction(&g));
    clp_contact contact = clp_planes_nearest(&p.planes, point);
    size_t plane;
    if (clp_planes_depth(&p.planes, point, &plane) >= 0) {
      ck_assert_double_eq(contact.distance, 0);
      ck_assert_int_eq(contact.count, 0);
      continue;
    }
    /* No less than the way to where nothing is missed by more than 1e-9, and hardly more than that
     * to where nothing is missed: planes that are nearly one are apart at most so much. */
    long double low = shortest(&p, point, 1e-9L), high = shortest(&p, point, 1e-15L);
    ck_assert_msg(contact.distance >= low - 1e-12L && contact.distance <= high + 1e-8L,
                  "case %d: %.17g, expected %.17Lg to %.17Lg", k, contact.distance, low, high);
    ck_assert_int_gt(contact.count, 0);
    ++outside;
  }
  ck_assert_int_gt(outside, amount_of(400) / 2);
}

TEST(test_beyond_a_swept_box)
{
  polytope p;
  make_box(&p, (clp_vec3){0.3, 0.2, 0.1});
  p.planes.radius = 0.05;
  random_state g = {12};
  for (int k = 0; k < 2000; ++k) {
    clp_vec3 x = clp_scale(random_between(&g, 0, 0.7), random_direction(&g));
    clp_vec3 o = {fmax(fabs(x.x) - 0.3, 0), fmax(fabs(x.y) - 0.2, 0), fmax(fabs(x.z) - 0.1, 0)};
    double inner = fmin(0.3 - fabs(x.x), fmin(0.2 - fabs(x.y), 0.1 - fabs(x.z)));
    double expected = (inner >= 0 ? -inner : clp_norm(o)) - 0.05;
    double beyond = clp_planes_beyond(&p.planes, x);
    ck_assert_msg(beyond >= expected - 1e-16 && beyond <= expected + 1e-13, "%.17g, expected %.17g",
                  beyond, expected);
  }
}

/* ---- Inset -------------------------------------------------------------------------------- */

/* A box's corners are sqrt(3) times as far as its sides go in. */
TEST(test_inset_box)
{
  polytope p;
  clp_vec3 corners[8];
  clp_arena arena = {0};
  make_box(&p, (clp_vec3){0.3, 0.2, 0.1});
  for (int k = 0; k < 8; ++k)
    corners[k] = (clp_vec3){k & 1 ? 0.3 : -0.3, k & 2 ? 0.2 : -0.2, k & 4 ? 0.1 : -0.1};
  ck_assert(clp_planes_inset(&p.planes, corners, 8, 0.02, &arena));
  const double expected = 0.02 / sqrt(3), size[3] = {0.3, 0.2, 0.1};
  for (int k = 0; k < 6; ++k) {
    double inset = size[k / 2] - p.offsets[k];
    ck_assert_msg(fabs(inset - expected) <= 0.02 * expected, "%g, expected %g", inset, expected);
  }
  clp_arena_release(&arena);
}

/* Without corners all of the radius, but never farther than half way to the middle. */
TEST(test_inset_without_corners)
{
  polytope p;
  clp_vec3 ball[500];
  clp_arena arena = {0};
  random_state g = {13};
  for (int k = 0; k < 500; ++k)
    ball[k] = clp_scale(0.1, random_direction(&g));
  make_box(&p, (clp_vec3){0.1, 0.1, 0.1});
  ck_assert(clp_planes_inset(&p.planes, ball, 500, 0.02, &arena));
  for (int k = 0; k < 6; ++k)
    ck_assert_double_eq_tol(p.offsets[k], 0.08, 1e-12);
  make_box(&p, (clp_vec3){0.1, 0.1, 0.01});
  ck_assert(clp_planes_inset(&p.planes, ball, 0, 0.02, &arena));
  ck_assert_double_eq_tol(p.offsets[0], 0.08, 1e-12);
  ck_assert_double_eq_tol(p.offsets[4], 0.005, 1e-12);
  clp_arena_release(&arena);
}

/* Any points, flat and needle-sharp ones among them: the core holds them when it is swept, and is
 * no larger than their enclosure but where a plane has been moved out to leave no sliver, or, of
 * needles, left out. */
TEST(test_cores)
{
  random_state g = {14};
  for (int k = 0; k < amount_of(300); ++k) {
    clp_vec3 points[200];
    clp_arena arena = {0};
    clp_polytope outer, core;
    clp_polyhedron_def def;
    clp_planes planes;
    size_t count = 4 + random_bits(&g) % 196;
    double flat = pow(10, random_between(&g, -6, 0)), thin = pow(10, random_between(&g, -3, 0));
    for (size_t i = 0; i < count; ++i) {
      clp_vec3 d =
          clp_scale(random_bits(&g) % 3 ? 1 : random_between(&g, 0, 1), random_direction(&g));
      points[i] = (clp_vec3){d.x + 3, thin * d.y, flat * d.z};
    }
    double radius = pow(10, random_between(&g, -4, 0));
    const clp_enclosure_wish wish = {6 + random_bits(&g) % 60, 0, 0};
    ck_assert(clp_enclosure_make(points, count, wish, &arena, &outer));
    ck_assert(clp_enclosure_core(&outer, points, count, radius, &arena, &core));
    ck_assert(clp_polytope_define(&core, &def));
    ck_assert(clp_planes_of_polyhedron(&def, &arena, &planes));
    planes.radius = radius;
    for (size_t i = 0; i < count; ++i)
      ck_assert_msg(clp_planes_beyond(&planes, points[i]) < 0, "case %d, point %zu", k, i);
    for (int v = 0; v < def.vertex_count && fmin(thin, flat) > 0.05; ++v) {
      const double *x = def.vertices + 3 * (size_t)v;
      for (size_t f = 0; f < outer.face_count; ++f)
        ck_assert_double_le(clp_dot(outer.faces[f].normal, (clp_vec3){x[0], x[1], x[2]}),
                            outer.faces[f].offset + 13 * outer.apart);
    }
    clp_arena_release(&arena);
  }
}
