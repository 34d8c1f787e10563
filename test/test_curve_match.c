/* SPDX-License-Identifier: Apache-2.0 */
/* Curves that are the same in other words, and curves that are not quite: what is matched is
 * compared by points that the test evaluates. */

#include "rclc_closest_point/surface/curve_match.h"

#include <math.h>

#include "support/matches.h"
#include "support/suite.h"

static const clp_match_limits limits = {1e-6, 1e-12, false};
static const clp_match_limits straight = {1e-6, 1e-12, true};

/* Matches both ways round. `gap`: what it is to be, 0 where nothing but rounding is expected. */
static void expect_same(const clp_curve *a, const clp_curve *b, double sense, double gap)
{
  for (int exchanged = 0; exchanged < 2; ++exchanged) {
    const clp_curve *p = exchanged ? b : a, *q = exchanged ? a : b;
    clp_arena arena = {0};
    clp_curve_match m = clp_match_curves(p, q, &limits, &arena);
    ck_assert_msg(m.same, "not the same (exchanged %d)", exchanged);
    double most = check_promises(&m, p, q);
    ck_assert(m.sense == sense);
    ck_assert_double_le(m.gap, 2 * most + 20 * rounding);
    ck_assert_double_eq_tol(most, gap, 0.01 * gap + 20 * rounding);
    clp_arena_release(&arena);
  }
}

static void expect_other(const clp_curve *a, const clp_curve *b)
{
  for (int exchanged = 0; exchanged < 2; ++exchanged) {
    clp_arena arena = {0};
    clp_curve_match m = clp_match_curves(exchanged ? b : a, exchanged ? a : b, &limits, &arena);
    ck_assert_msg(!m.same, "the same (exchanged %d), gap %g", exchanged, m.gap);
    clp_arena_release(&arena);
  }
}

static bool is_affine(const clp_curve *a, const clp_curve *b)
{
  clp_arena arena = {0};
  clp_curve_match m = clp_match_curves(a, b, &limits, &arena);
  clp_arena_release(&arena);
  return m.same && m.affine;
}

/* Compares two courses, b also backwards. */
static void courses_same(const course *a, const course *b, double gap)
{
  static made one, other;
  course back = reversed(b);
  make(a, &one);
  make(b, &other);
  expect_same(&one.curve, &other.curve, 1, gap);
  make(&back, &other);
  expect_same(&one.curve, &other.curve, -1, gap);
}

static void courses_differ(const course *a, const course *b)
{
  static made one, other;
  course back = reversed(b);
  make(a, &one);
  make(b, &other);
  expect_other(&one.curve, &other.curve);
  make(&back, &other);
  expect_other(&one.curve, &other.curve);
}

/* ---- The same ----------------------------------------------------------------------------- */

static const double thirds[] = {0, 0.2, 0.45, 1}, halves[] = {0, 0.5, 1},
                    short_span[] = {0, 0.4, 0.4 + 1e-9, 1};

SUITE("curve_match");

TEST_CASE("same", 20);

TEST(other_knots_and_degrees)
{
  random_state g = {81};
  for (int degree = 1; degree <= 6; ++degree) {
    course a = random_piece(&g, degree), b = cut(&a, 3, thirds), c = cut(&a, 2, halves);
    course d = raised(&a), e = raised(&b), f = cut(&a, 3, short_span);
    f.breaks[1] = 0.7; /* not where equal fractions are */
    f.breaks[2] = 0.7 + 1e-9;
    static made one, other;
    courses_same(&a, &a, 0);
    courses_same(&a, &b, 0);
    courses_same(&b, &c, 0);
    courses_same(&a, &d, 0);
    courses_same(&c, &e, 0);
    courses_same(&b, &f, 0);
    make(&b, &one);
    make(&c, &other);
    ck_assert(is_affine(&one.curve, &other.curve));
  }
}

TEST(other_weights)
{
  random_state g = {82};
  static made one, other;
  for (int degree = 2; degree <= 6; ++degree) {
    course a = random_piece(&g, degree), b = weighted(&a, 3), c = weighted(&a, 0.4L);
    course d = cut(&a, 3, thirds), e = raised(&b);
    d = weighted(&d, 1.7L);
    courses_same(&a, &b, 0);
    courses_same(&b, &c, 0);
    courses_same(&a, &d, 0);
    courses_same(&c, &d, 0);
    courses_same(&d, &e, 0);
    make(&a, &one);
    make(&b, &other);
    ck_assert(!is_affine(&one.curve, &other.curve));
  }
}

/* A stretch of a longer curve against a curve of its own, and against a stretch of another. */
TEST(stretches)
{
  random_state g = {83};
  static made one, other;
  const double own[] = {0.3, 0.8}, longer[] = {-0.2, 0.5, 1.1}, cuts[] = {0, 0.1, 0.35, 0.6, 1};
  for (int degree = 1; degree <= 5; ++degree)
    for (int way = 0; way < 3; ++way) {
      course whole = random_piece(&g, degree), a = cut(&whole, 4, cuts);
      course b = way == 2 ? cut(&whole, 2, longer) : cut(&whole, 1, own);
      if (way == 1)
        b = weighted(&b, 2);
      make(&a, &one);
      make(&b, &other);
      one.curve.lo = 0.3;
      one.curve.hi = 0.8;
      if (way == 2) {
        other.curve.lo = 0.3;
        other.curve.hi = 0.8;
      }
      expect_same(&one.curve, &other.curve, 1, 0);
    }
}

TEST(lines)
{
  clp_curve line = {.kind = CLP_CURVE_LINE, .lo = -1, .hi = 2};
  line.as.line = (clp_line){{1, 2, 3}, {0.5, -0.25, 1}};
  clp_curve back = {.kind = CLP_CURVE_LINE, .lo = 0, .hi = 1};
  back.as.line = (clp_line){{2, 1.5, 5}, {-1.5, 0.75, -3}};
  expect_same(&line, &line, 1, 0);
  expect_same(&line, &back, -1, 0);
  back.as.line.origin.y += 1e-7;
  expect_same(&line, &back, -1, 1e-7);
  back.as.line.origin.y += 1e-4;
  expect_other(&line, &back);
  static made other;
  course s = {.degree = 1, .spans = 1, .breaks = {0, 1}};
  memcpy(s.c, (clp_wide[2][4]){{0.5L, 2.25L, 2, 1}, {6, 4.5L, 15, 3}}, sizeof(clp_wide[2][4]));
  make(&s, &other); /* with weights 1 and 3 */
  expect_same(&line, &other.curve, 1, 0);
}

/* ---- Not quite ---------------------------------------------------------------------------- */

TEST_CASE("not quite", 20);

TEST(small_gaps_are_bounded)
{
  random_state g = {84};
  for (int degree = 2; degree <= 5; ++degree) {
    course a = random_piece(&g, degree), b = cut(&a, 3, thirds), c = weighted(&a, 2);
    shift(&b, 0, 3 * degree, (clp_vec3){0, 0, 1e-7});
    courses_same(&a, &b, 1e-7);
    shift(&b, 0, 3 * degree, (clp_vec3){0, 0, 1e-5});
    courses_differ(&a, &b);
    shift(&c, 0, degree, (clp_vec3){0, 0, -1e-7});
    courses_same(&a, &c, 1e-7);
    shift(&c, 0, degree, (clp_vec3){0, 0, -1e-5});
    courses_differ(&a, &c);
  }
}

/* A bump of the height that the coefficient in the middle of a quartic makes, 6 / 16 of it. */
static void bump(course *s, int span, double height)
{
  int middle = span * s->degree + s->degree / 2;
  clp_wide over = 0, choose[5] = {1, 4, 6, 4, 1};
  for (int k = 0; k <= 4; ++k)
    over += choose[k] * s->c[span * 4 + k][3];
  double share = (double)(6 * s->c[middle][3] / over);
  shift(s, middle, middle, (clp_vec3){0, 0, height / share});
}

TEST(a_short_span_is_seen)
{
  random_state g = {85};
  const double widths[] = {1e-9, 1e-6, 6e-3};
  for (int k = 0; k < 3; ++k)
    for (int other = 0; other < 3; ++other) {
      const double at[] = {0, 0.43, 0.43 + widths[k], 1};
      course a = random_piece(&g, 4), b = cut(&a, 3, at), same = other == 0 ? b : a;
      if (other == 2)
        same = weighted(&a, 1.6L);
      courses_same(&same, &b, 0);
      bump(&b, 1, 1e-3);
      courses_differ(&same, &b);
    }
}

/* Across, so that the nearest points remain about the matched ones. */
TEST(a_bump_in_a_short_span_is_bounded)
{
  const double widths[] = {1e-6, 6e-3};
  for (int k = 0; k < 2; ++k)
    for (int other = 0; other < 2; ++other) {
      const double at[] = {0, 0.43, 0.43 + widths[k], 1};
      course a = {.degree = 4, .spans = 1, .breaks = {0, 1}};
      for (int i = 0; i <= 4; ++i) {
        a.c[i][0] = i / 4.0L;
        a.c[i][1] = i * (4 - i) / 16.0L;
        a.c[i][3] = 1;
      }
      course b = cut(&a, 3, at), c = other ? b : a;
      bump(&b, 1, 1e-8);
      courses_same(&c, &b, 1e-8);
    }
}

/* Whatever is done to a curve: what is reported bounds what is there, and what hardly changed is
 * still the same. */
TEST(promises_hold_of_random_curves)
{
  random_state g = {86};
  static made one, other;
  for (int round = 0; round < 300; ++round) {
    course a = random_piece(&g, 2 + round % 4);
    double size = pow(10, random_between(&g, -14, -4)), first = random_between(&g, 0.1, 0.4);
    double at[] = {0, first, first + pow(10, random_between(&g, -6, -0.5)), 1};
    course b = cut(&a, 3, at);
    if (random_bits(&g) % 2)
      b = raised(&b);
    if (random_bits(&g) % 2)
      b = weighted(&b, 1.3L);
    for (int k = 0; k <= b.degree * b.spans; ++k)
      shift(&b, k, k, clp_scale(random_between(&g, 0, size), random_direction(&g)));
    make(&a, &one);
    make(&b, &other);
    clp_arena arena = {0};
    clp_curve_match m = clp_match_curves(&one.curve, &other.curve, &limits, &arena);
    bool fine = at[2] - at[1] > 1e3 * size; /* else it turns back in the short span */
    ck_assert(m.same || size > 2e-7 || !fine);
    if (m.same)
      check_promises(&m, &one.curve, &other.curve);
    clp_arena_release(&arena);
  }
}

/* ---- Straight ----------------------------------------------------------------------------- */

/* Along (3, 0, 4) at the fractions f of the way and `off` beside it. */
static course straight_course(int degree, const double *f, const double *off)
{
  course s = {.degree = degree, .spans = 1, .breaks = {0, 1}};
  for (int k = 0; k <= degree; ++k) {
    clp_wide w = 1 + 0.3L * k;
    memcpy(s.c[k], (clp_wide[4]){w * 3 * f[k], w * off[k], w * 4 * f[k], w}, sizeof s.c[k]);
  }
  return s;
}

static clp_curve_match match_straight(const course *s, bool back, const clp_match_limits *how,
                                      clp_arena *arena)
{
  static made other;
  clp_curve line = {.kind = CLP_CURVE_LINE, .lo = 0, .hi = 1};
  line.as.line = (clp_line){{0, 0, 0}, {3, 0, 4}};
  course turned = reversed(s);
  make(back ? &turned : s, &other);
  return clp_match_curves(&line, &other.curve, how, arena);
}

TEST_CASE("kinds", 20);

/* A parameter that stands still at an end and another that is no fractional linear map. */
TEST(straight_lines_in_any_parameters)
{
  const double still[] = {0, 0, 1}, cubic[] = {0, 0.1, 0.2, 1}, none[4] = {0}, off[] = {0, 1e-7, 0};
  const double turns[] = {0, 1.5, 1}, far[] = {0, 1e-3, 0};
  for (int back = 0; back < 2; ++back) {
    clp_arena arena = {0};
    course s[] = {straight_course(2, still, none), straight_course(3, cubic, none),
                  straight_course(2, still, off), straight_course(2, turns, none),
                  straight_course(2, still, far)};
    for (int k = 0; k < 2; ++k) {
      clp_curve_match m = match_straight(&s[k], back, &straight, &arena);
      ck_assert(m.same && m.sense == (back ? -1 : 1));
      ck_assert_double_le(m.gap, 10 * rounding);
      ck_assert_uint_eq(m.count, 1);
      m = match_straight(&s[k], back, &limits, &arena);
      ck_assert(!m.same || m.gap > 10 * rounding);
    }
    clp_curve_match bent = match_straight(&s[2], back, &straight, &arena);
    clp_wide w = 1.3L * 2 / (1 + 1.6L + 2.6L); /* of the middle point, half way */
    ck_assert(bent.same);
    ck_assert_double_ge(bent.gap, (double)w * 1e-7);
    ck_assert_double_le(bent.gap, 2e-7);
    ck_assert(!match_straight(&s[3], back, &straight, &arena).same);
    ck_assert(!match_straight(&s[4], back, &straight, &arena).same);
    clp_arena_release(&arena);
  }
}

/* ---- Ellipses ----------------------------------------------------------------------------- */

static clp_curve turn(clp_vec3 center, clp_vec3 a, clp_vec3 b)
{
  const double pi = 3.14159265358979323846;
  clp_curve c = {.kind = CLP_CURVE_ELLIPSE, .lo = -pi, .hi = pi, .closed = true};
  c.as.ellipse = (clp_ellipse){center, a, b};
  return c;
}

TEST(ellipses)
{
  clp_arena arena = {0};
  random_state g = {87};
  clp_curve a = turn((clp_vec3){1, 2, 3}, (clp_vec3){2, 0, 0}, (clp_vec3){0, 1.5, 0}), line = a;
  line.kind = CLP_CURVE_LINE;
  for (int round = 0; round < 100; ++round) {
    double sense = round % 2 ? -1 : 1, size = pow(10, random_between(&g, -12, -4)), most = 0;
    clp_ellipse e = a.as.ellipse;
    e.center = clp_add_scaled(e.center, size, random_direction(&g));
    e.a = clp_add_scaled(e.a, size, random_direction(&g));
    e.b = clp_scale(sense, clp_add_scaled(e.b, size, random_direction(&g)));
    clp_curve b = turn(e.center, e.a, e.b);
    clp_curve_match m = clp_match_curves(&a, &b, &limits, &arena);
    for (int k = 0; k < 1000; ++k) {
      double t = 2e-3 * 3.14159265358979323846 * k;
      most = fmax(most, clp_distance(clp_curve_point(&a, clp_curve_site_at(&a, t)),
                                     clp_curve_point(&b, clp_curve_site_at(&b, sense * t))));
    }
    ck_assert(m.same == (m.gap <= limits.tolerance));
    ck_assert(m.same || most > 0.3 * limits.tolerance);
    ck_assert(!m.same || (m.sense == sense && m.gap >= most - rounding && m.gap <= 4 * most));
  }
  clp_curve part = a;
  part.closed = false;
  ck_assert(!clp_match_curves(&a, &part, &limits, &arena).same);
  ck_assert(!clp_match_curves(&a, &line, &limits, &arena).same);
  ck_assert(!clp_match_curves(&line, &a, &limits, &arena).same);
  clp_arena_release(&arena);
}
