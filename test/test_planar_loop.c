/* SPDX-License-Identifier: Apache-2.0 */
/* Planar bodies whose boundary meets itself are refused, and no others: polygons as exact integers
 * tell, regions by how they are made, and curves as they are sampled. */

#include "rclc_closest_point/body/body.h"
#include "support/amount.h"
#include "support/findings.h"
#include "support/planar_shapes.h"
#include "support/random.h"
#include "support/suite.h"

SUITE("planar loop");

static shape made; /* too large for a stack */

static shape *start(void)
{
  made.count = made.used = 0;
  return &made;
}

/* Compiled as what need not be convex. */
static bool passes(const shape *s, findings *f)
{
  clp_body_def def = definition(s);
  clp_body *body = NULL;
  def.convex = false;
  *f = (findings){0};
  clp_status status = clp_body_create(&def, findings_reporter(f), &body);
  ck_assert(status == CLP_OK || status == CLP_ERROR_SHAPE);
  clp_body_destroy(body);
  return status == CLP_OK;
}

static void expect_pass(const shape *s)
{
  findings f;
  bool passed = passes(s, &f);
  ck_assert_msg(passed, "refused:%s", findings_text(&f));
}

static const clp_finding *expect_meeting(const shape *s, const char *words)
{
  static findings f;
  ck_assert(!passes(s, &f));
  const clp_finding *found = findings_find(&f, CLP_FINDING_OVERLAP, words);
  ck_assert_msg(found != NULL, "expected '%s' in:%s", words, findings_text(&f));
  return found;
}

static void add_quadratic(shape *s, const double p[3][2])
{
  double *points = add_curve(s, 2, 3, NULL);
  for (int k = 0; k < 3; ++k)
    set_point(points, k, p[k][0], p[k][1]);
}

static void add_polygon(shape *s, int count, const double (*p)[2])
{
  for (int k = 0; k < count; ++k)
    add_line(s, p[k][0], p[k][1], p[(k + 1) % count][0], p[(k + 1) % count][1]);
}

/* ---- What is found, and where --------------------------------------------------------------- */

TEST_CASE("examples", 30);

TEST(lines_that_cross_are_named)
{
  shape *s = start();
  add_polygon(s, 4, (const double[][2]){{0, 0}, {4, 0}, {1, 3}, {1, -1}});
  const clp_finding *f = expect_meeting(s, "curves 'c0' and 'c2' meet at (1 ");
  ck_assert_int_eq(f->item, 2);
  ck_assert(f->has_place);
  ck_assert_double_eq_tol(f->place.x, 1, 1e-12);
  ck_assert_double_eq_tol(f->place.y, 0, 1e-12);
}

TEST(a_curve_that_crosses_itself_is_found)
{
  shape *s = start();
  double *points = add_curve(s, 3, 4, NULL);
  set_point(points, 0, 0, 0);
  set_point(points, 1, 4, 3);
  set_point(points, 2, -3, 3);
  set_point(points, 3, 1, 0);
  add_line(s, 1, 0, 0.5, -1);
  add_line(s, 0.5, -1, 0, 0);
  expect_meeting(s, "meet at (0.5 ");
}

/* A corner on a side, and one on a corner. */
TEST(what_touches_is_refused)
{
  shape *s = start();
  add_polygon(s, 5, (const double[][2]){{0, 0}, {4, 0}, {4, 3}, {2, 0}, {0, 3}});
  expect_meeting(s, "at (2 0 0)");
  s = start();
  add_polygon(s, 6, (const double[][2]){{0, 0}, {2, 1}, {4, 0}, {4, 3}, {2, 1}, {0, 3}});
  expect_meeting(s, "4 curves meet at (2 1 0)");
}

TEST(a_parabola_that_touches_a_line_is_refused)
{
  for (int k = 0; k < 2; ++k) {
    double above = k == 0 ? 0 : 1e-9;
    shape *s = start();
    add_line(s, -2, 0, 2, 0);
    add_line(s, 2, 0, 1, 1 + above);
    add_quadratic(s, (const double[][2]){{1, 1 + above}, {0, above - 1}, {-1, 1 + above}});
    add_line(s, -1, 1 + above, -2, 0);
    if (k == 0)
      expect_meeting(s, "curves 'c0' and 'c2'");
    else
      expect_pass(s);
  }
}

TEST(curves_that_leave_a_corner_in_one_direction_are_refused)
{
  shape *s = start();
  add_quadratic(s, (const double[][2]){{0, 0}, {1, 0}, {2, 1}});
  add_quadratic(s, (const double[][2]){{2, 1}, {1, 0.5}, {0, 0}});
  expect_pass(s);
  point_of(s, 1, 1)[1] = 0; /* its other end, too, is on the first curve's tangent */
  point_of(s, 1, 1)[0] = 0.5;
  expect_meeting(s, "curves 'c0' and 'c1' meet at");
}

/* Twice round, and with a hole: no one loop has an inside on its left only. */
TEST(a_loop_that_winds_twice_is_refused)
{
  shape *s = start();
  enum { CORNERS = 12 };
  double p[CORNERS][2];
  for (int k = 0; k < CORNERS; ++k) {
    double radius = k < CORNERS / 2 ? 2 : 1, angle = 4 * pi * k / CORNERS;
    p[k][0] = radius * cos(angle);
    p[k][1] = radius * sin(angle);
  }
  add_polygon(s, CORNERS, (const double(*)[2])p);
  expect_meeting(s, "meet at");
}

TEST(loops_are_one)
{
  shape *s = start();
  add_polygon(s, 3, (const double[][2]){{0, 0}, {9, 0}, {0, 9}});
  add_polygon(s, 3, (const double[][2]){{1, 1}, {1, 3}, {3, 1}});
  expect_meeting(s, "more than one loop");
}

TEST(a_line_clockwise_is_refused_for_that)
{
  shape *s = start();
  findings f;
  add_polygon(s, 4, (const double[][2]){{0, 0}, {1, 1}, {0, 4}, {4, 0}});
  ck_assert(!passes(s, &f));
  ck_assert(findings_find(&f, CLP_FINDING_ORIENTATION, "clockwise") != NULL);
}

/* Files have a few digits: ends that do not quite meet are no crossing. */
TEST(ends_with_seven_digits_pass)
{
  random_state g = {31};
  for (int round = 0; round < 200; ++round) {
    shape *s = start();
    int count = 3 + (int)(random_bits(&g) % 9);
    double p[12][2];
    for (int k = 0; k < count; ++k) {
      double radius = random_between(&g, 0.6, 1), angle = 2 * pi * k / count;
      p[k][0] = radius * cos(angle);
      p[k][1] = radius * sin(angle);
    }
    for (int k = 0; k < count; ++k) {
      const double *from = p[k], *to = p[(k + 1) % count];
      add_line(s, from[0] + random_between(&g, -3e-7, 3e-7), from[1], to[0],
               to[1] + random_between(&g, -3e-7, 3e-7));
    }
    expect_pass(s);
  }
}

/* ---- Polygons, exactly ---------------------------------------------------------------------- */

typedef struct corner {
  long x, y;
} corner;

/* Exact: coordinates are below 2^30. */
static int side_of(corner a, corner b, corner c)
{
  long left = (b.x - a.x) * (c.y - a.y), right = (b.y - a.y) * (c.x - a.x);
  return (left > right) - (left < right);
}

static bool within(corner a, corner b, corner c)
{
  return side_of(a, b, c) == 0 && (c.x - a.x) * (c.x - b.x) <= 0 && (c.y - a.y) * (c.y - b.y) <= 0;
}

static bool segments_meet(corner a, corner b, corner c, corner d)
{
  if (within(a, b, c) || within(a, b, d) || within(c, d, a) || within(c, d, b))
    return true;
  return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

static bool is_simple(const corner *p, int n)
{
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      corner a = p[i], b = p[(i + 1) % n], c = p[j], d = p[(j + 1) % n];
      bool onward = j == i + 1, back = (j + 1) % n == i;
      if (onward ? within(a, b, d) || within(c, d, a)
          : back ? within(a, b, c) || within(c, d, b)
                 : segments_meet(a, b, c, d))
        return false;
    }
  return true;
}

static double area_of(const corner *p, int n)
{
  double area = 0;
  for (int i = 0; i < n; ++i)
    area += (double)p[i].x * (double)p[(i + 1) % n].y - (double)p[i].y * (double)p[(i + 1) % n].x;
  return area;
}

/* Straight as well, of a degree up to 3 with weights of its own. */
static void add_straight(shape *s, corner from, corner to, random_state *g)
{
  int degree = 1 + (int)(random_bits(g) % 3);
  double *points = add_curve(s, degree, degree + 1, NULL);
  for (int k = 0; k <= degree; ++k) {
    double f = k == degree ? 1 : k == 0 ? 0 : (k - random_between(g, 0.1, 0.9)) / (degree - 1);
    set_point(points, k, (double)from.x + f * (double)(to.x - from.x),
              (double)from.y + f * (double)(to.y - from.y));
    points[3 * k + 2] = degree == 1 ? 1 : exp(random_between(g, -3, 3));
  }
}

/* Corners at random, or round a place at random distances; then one is somewhere else. */
static int random_polygon(corner *p, long grid, random_state *g)
{
  int n = 3 + (int)(random_bits(g) % 10), style = (int)(random_bits(g) % 3);
  for (int k = 0; k < n; ++k) {
    double radius = random_between(g, 0.1, 1), angle = 2 * pi * k / n;
    p[k] = (corner){lround((double)grid * (1 + radius * cos(angle))),
                    lround((double)grid * (1 + radius * sin(angle)))};
    if (style == 0 || (style == 1 && k == n - 1))
      p[k] = (corner){lround(random_between(g, 0, 2 * (double)grid)),
                      lround(random_between(g, 0, 2 * (double)grid))};
  }
  return n;
}

TEST_CASE("polygons", 120);

TEST(polygons_pass_where_they_are_simple)
{
  random_state g = {7};
  int simple = 0, rounds = amount_of(4000), crossing = 0;
  for (int round = 0; round < rounds; ++round) {
    corner p[12];
    findings f;
    int n = random_polygon(p, round % 2 ? 4 : 1000, &g);
    shape *s = start();
    bool coincide = false;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        coincide |= p[i].x == p[j].x && p[i].y == p[j].y;
    if (coincide)
      continue;
    for (int k = 0; k < n; ++k)
      add_straight(s, p[k], p[(k + 1) % n], &g);
    bool expected = is_simple(p, n), passed = passes(s, &f);
    bool clockwise = expected && area_of(p, n) < 0;
    ck_assert_msg(passed == (expected && !clockwise), "round %d of %d corners: simple %d, but%s",
                  round, n, expected, findings_text(&f));
    if (!passed && !clockwise)
      ck_assert(findings_find(&f, CLP_FINDING_OVERLAP, "meet") != NULL);
    simple += passed;
    crossing += !expected;
  }
  ck_assert_int_gt(simple, rounds / 10);
  ck_assert_int_gt(crossing, rounds / 10);
}

/* ---- Curves --------------------------------------------------------------------------------- */

/* Each curve stays in its own sector about the middle. */
static void star(shape *s, int count, int degree, double rough, random_state *g)
{
  double last[2] = {1, 0};
  for (int k = 0; k < count; ++k) {
    double *points = add_curve(s, degree, degree + 1, NULL);
    for (int i = 0; i <= degree; ++i) {
      double angle = 2 * pi * (k + (double)i / degree) / count;
      double radius = random_between(g, 1 - rough, 1);
      double at[2] = {radius * cos(angle), radius * sin(angle)};
      if (i == 0)
        memcpy(at, last, sizeof at);
      if (i == degree && k == count - 1) {
        at[0] = 1;
        at[1] = 0;
      }
      set_point(points, i, at[0], at[1]);
      points[3 * i + 2] = exp(random_between(g, -4, 4) * (k % 2));
      memcpy(last, at, sizeof last);
    }
  }
}

TEST_CASE("curves", 120);

TEST(stars_pass)
{
  random_state g = {11};
  int rounds = amount_of(1500);
  for (int round = 0; round < rounds; ++round) {
    shape *s = start();
    star(s, 4 + round % 9, 1 + round % 9, random_between(&g, 0, 0.95), &g);
    expect_pass(s);
  }
}

enum { SAMPLES = 64 };

static void bernstein_point(const clp_curve_def *c, long double t, long double p[2])
{
  long double b[10][3];
  for (int k = 0; k <= c->degree; ++k) {
    const double *from = c->control_points + 3 * k;
    for (int lane = 0; lane < 3; ++lane)
      b[k][lane] = (long double)from[2] * (lane < 2 ? (long double)from[lane] : 1);
  }
  for (int r = c->degree; r > 0; --r)
    for (int k = 0; k < r; ++k)
      for (int lane = 0; lane < 3; ++lane)
        b[k][lane] = (1 - t) * b[k][lane] + t * b[k + 1][lane];
  p[0] = b[0][0] / b[0][2];
  p[1] = b[0][1] / b[0][2];
}

/* Chords that cross by far more than the curves are off them show that these do. */
static bool chords_cross(const shape *s)
{
  static corner p[16 * SAMPLES];
  int n = 0;
  for (int k = 0; k < s->count; ++k)
    for (int i = 0; i < SAMPLES; ++i) {
      long double at[2];
      bernstein_point(&s->curves[k], (long double)i / SAMPLES, at);
      p[n++] = (corner){lroundl(at[0] * 1e8L), lroundl(at[1] * 1e8L)};
    }
  for (int i = 0; i < n; ++i)
    for (int j = i + 2; j < n; ++j)
      if ((j + 1) % n != i && segments_meet(p[i], p[i + 1], p[j], p[(j + 1) % n]))
        return true;
  return false;
}

/* One control point of a star moved somewhere else. */
TEST(curves_pass_where_samples_do_not_cross)
{
  random_state g = {13};
  int rounds = amount_of(1500), crossing = 0, differ = 0;
  for (int round = 0; round < rounds; ++round) {
    shape *s = start();
    findings f;
    star(s, 4 + round % 5, 2 + round % 3, 0.5, &g);
    int inner = 1 + (int)(random_bits(&g) % (uint64_t)(s->curves[0].degree - 1));
    double *moved = point_of(s, (int)(random_bits(&g) % (uint64_t)s->count), inner);
    moved[0] = random_between(&g, -4, 4);
    moved[1] = random_between(&g, -4, 4);
    bool passed = passes(s, &f), crosses = chords_cross(s);
    crossing += crosses;
    differ += passed == crosses;
  }
  /* chords miss what is between two samples, and the corners' next ones may cross where curves do
   * not */
  ck_assert_int_gt(crossing, rounds / 10);
  ck_assert_int_le(differ, rounds / 50);
}

/* ---- Many ----------------------------------------------------------------------------------- */

TEST_CASE("many", 60);

static double *shared_points;

/* One curve of degree 1, which is divided at every knot. */
static void add_chain(shape *s, int count)
{
  double *knots = take(s, count + 3);
  for (int k = 0; k < count + 3; ++k)
    knots[k] = fmax(1, fmin(count + 1, k));
  shared_points = add_curve(s, 1, count + 1, knots);
}

static double time_of(const shape *s)
{
  clp_body_def def = definition(s);
  def.convex = false;
  clp_body *body = must_create(&def);
  double seconds = clp_body_describe(body).build_time;
  clp_body_destroy(body);
  return seconds;
}

/* A comb whose teeth are aslant, so that all their boxes overlap; and a spiral. */
TEST(combs_and_spirals_of_5000_sides_pass)
{
  enum { SIDES = 5000 };
  shape *s = start();
  add_chain(s, SIDES);
  for (int k = 0; k < SIDES - 2; ++k)
    set_point(shared_points, k, k + (k % 4 == 1 || k % 4 == 2 ? 0.41 * SIDES : 0),
              (k % 4 == 1 || k % 4 == 2 ? SIDES : 0));
  set_point(shared_points, SIDES - 2, 2 * SIDES, 2 * SIDES);
  set_point(shared_points, SIDES - 1, -SIDES, 2 * SIDES);
  set_point(shared_points, SIDES, 0, 0);
  ck_assert_double_lt(time_of(s), 20);
  s = start();
  add_chain(s, SIDES);
  for (int k = 0; k < SIDES; ++k) {
    int step = k < SIDES / 2 ? k : SIDES - 1 - k;
    double angle = 0.05 * step, radius = 1 + angle + (k < SIDES / 2 ? 2 : 0);
    set_point(shared_points, k, radius * cos(angle), radius * sin(angle));
  }
  memcpy(shared_points + 3 * SIDES, shared_points, 3 * sizeof(double));
  ck_assert_double_lt(time_of(s), 20);
}
