/* SPDX-License-Identifier: Apache-2.0 */
/* The judge of random pairs: what it knows of bodies, and that it complains of what is false. */

#include "judge/course.h"
#include "judge/judge.h"
#include "support/amount.h"
#include "support/findings.h"
#include "support/suite.h"

enum { ROUNDS = 20 };

static shape *made(shape_kind kind, double size, random_state *g)
{
  static shape shapes[2];
  static int next;
  shape *s = &shapes[next = 1 - next];
  shape_make(s, kind, size, g);
  return s;
}

static clp_vec3 rounded(real3 a)
{
  return (clp_vec3){(double)a.x, (double)a.y, (double)a.z};
}

/* ---- The bodies --------------------------------------------------------------------------- */

SUITE("judge");

TEST_CASE("bodies", 30);

/* Places on the library's faces are on the judge's surface, and not beyond its farthest points. */
LOOP_TEST(test_surface, 0, SHAPE_KINDS)
{
  random_state g = {.s = (uint64_t)_i + 1};
  for (int k = 0; k < ROUNDS; ++k) {
    const shape *s = made((shape_kind)_i, 1, &g);
    clp_body *body = NULL;
    if (clp_body_create(&s->def, (clp_reporter){0}, &body) != CLP_OK)
      continue; /* hulls thinner than the compiler bears */
    int faces = clp_body_describe(body).faces;
    for (int i = 0; i < 200 && faces > 0; ++i) {
      uint32_t face = (uint32_t)(random_bits(&g) % (uint64_t)faces);
      double u = random_between(&g, -1, 1), v = random_between(&g, -1, 1);
      clp_face_point p = clp_body_face_point(body, face, u, v);
      if (!p.inside)
        continue;
      real3 place = real3_of(p.place), n = real3_of(random_direction(&g));
      ck_assert_ldouble_le(fabsl(shape_outside(s, place)), 1e-12L * s->size);
      ck_assert_ldouble_le(real3_dot(n, real3_sub(place, shape_support(s, n))), 1e-14L * s->size);
      n = real3_of(p.normal); /* of a convex body */
      ck_assert_ldouble_ge(real3_dot(n, real3_sub(place, shape_support(s, n))), -1e-12L * s->size);
    }
    clp_body_destroy(body);
  }
}

/* Farthest points are on the surface; a bit farther is outside, a bit nearer inside. */
LOOP_TEST(test_outside, 0, SHAPE_KINDS)
{
  random_state g = {.s = (uint64_t)_i + 1};
  for (int k = 0; k < ROUNDS; ++k) {
    const shape *s = made((shape_kind)_i, 1, &g);
    for (int i = 0; i < 20; ++i) {
      real3 n = real3_of(random_direction(&g)), p = shape_support(s, n);
      ck_assert_ldouble_le(fabsl(shape_outside(s, p)), 1e-15L);
      ck_assert_ldouble_gt(shape_outside(s, real3_add(p, real3_scale(1e-6L, n))), 1e-10L);
    }
    if (s->kind != SHAPE_POINT)
      ck_assert_ldouble_lt(shape_outside(s, shape_support(s, (real3){0, 0, 0})), 1e-15L);
  }
}

/* How far beyond the plane that supports it in a direction a place is. */
static real beyond(const shape *s, real3 n, real3 p)
{
  return real3_dot(n, real3_sub(p, shape_support(s, n)));
}

static bool is_round(const shape *s)
{
  return s->form == FORM_REVOLVED || s->form == FORM_SWEPT;
}

/* The direction that does best. Round bodies look alike from all sides, and it lies in the plane of
 * the axis and the place, where all of them are tried; else it is sought at random, in steps that
 * grow with success. */
static real most_beyond(const shape *s, real3 p, random_state *g)
{
  bool round = is_round(s);
  real3 best = {0, 0, 1}, out = {1, 0, 0};
  real value = beyond(s, best, p), reach = 0.1L;
  if (hypotl(p.x, p.y) > 0)
    out = real3_unit((real3){p.x, p.y, 0});
  for (int k = 0; k <= 5000 && round; ++k) {
    real angle = 3.14159265358979324L * ((real)k / 5000 - 0.5L);
    real3 n = real3_scale(cosl(angle), out);
    n.z = sinl(angle);
    value = fmaxl(value, beyond(s, n, p));
  }
  for (int k = 0; k < 6000 && !round; ++k) {
    real3 step = real3_of(random_direction(g));
    real3 n = k < 2000 ? step : real3_unit(real3_add(best, real3_scale(reach, step)));
    bool better = beyond(s, n, p) > value;
    reach *= k < 2000 ? 1 : better ? 1.6L : 0.93L;
    if (better)
      value = beyond(s, best = n, p);
  }
  return value;
}

static void expect_depth(const shape *s, real3 p, random_state *g)
{
  real outside = shape_outside(s, p) - s->padding, most = most_beyond(s, p, g);
  if (outside > 0) /* of hulls from corners it is something else */
    return;
  ck_assert_ldouble_le(most, outside + 1e-15L);
  if (is_round(s) || outside < -0.02L) /* at ridges the search is slow */
    ck_assert_ldouble_ge(most, outside - (is_round(s) ? 1e-3L : 2e-2L));
}

/* The depth of a place well inside, of all bodies but those whose depth is known next to the
 * surface only: no supporting plane is nearer, and one is as near. */
LOOP_TEST(test_depth, 0, SHAPE_KINDS)
{
  random_state g = {.s = (uint64_t)_i + 1};
  for (int k = 0; k < ROUNDS; ++k) {
    const shape *s = made((shape_kind)_i, 1, &g);
    if (s->form == FORM_AFFINE || s->kind == SHAPE_POINT)
      continue;
    for (int i = 0; i < 4; ++i) {
      real3 x = shape_support(s, real3_of(random_direction(&g)));
      real3 y = shape_support(s, real3_of(random_direction(&g)));
      real3 p = real3_add(real3_scale(0.25L * i, x), real3_scale(0.2L, y));
      expect_depth(s, p, &g);
    }
  }
}

/* ---- The bracket -------------------------------------------------------------------------- */

static clp_pose pose_at(double x, double y, double z)
{
  return (clp_pose){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {x, y, z}};
}

static void expect_truth(const shape *a, const shape *b, clp_vec3 at, real distance)
{
  clp_pose X_WA = pose_at(0, 0, 0), X_WB = pose_at(at.x, at.y, at.z);
  judge j = judge_make(a, &X_WA, b, &X_WB, at);
  ck_assert_ldouble_le(fabsl(j.truth.lower - distance), 1e-12L);
  ck_assert_ldouble_le(fabsl(j.truth.upper - distance), 1e-12L);
}

TEST_CASE("bracket", 10);

TEST(test_closed_forms)
{
  random_state g = {.s = 5};
  for (int k = 0; k < ROUNDS; ++k) {
    const shape *a = made(SHAPE_SPHERE, 1, &g), *b = made(SHAPE_SPHERE, 2, &g);
    clp_vec3 at = random_direction(&g);
    expect_truth(a, b, at, real3_norm(real3_of(at)) - a->radius - b->radius);
    a = made(SHAPE_BOX, 1, &g);
    b = made(SHAPE_BOX, 1, &g);
    real gaps[3] = {fabsl(at.x) - 0.5L * a->def.size.x - 0.5L * b->def.size.x,
                    fabsl(at.y) - 0.5L * a->def.size.y - 0.5L * b->def.size.y,
                    fabsl(at.z) - 0.5L * a->def.size.z - 0.5L * b->def.size.z};
    real most = fmaxl(gaps[0], fmaxl(gaps[1], gaps[2]));
    real3 apart = {fmaxl(gaps[0], 0), fmaxl(gaps[1], 0), fmaxl(gaps[2], 0)};
    expect_truth(a, b, at, most > 0 ? real3_norm(apart) : most);
  }
}

/* ---- Sabotage ----------------------------------------------------------------------------- */

/* Two bodies whose planes are a gap apart where their farthest points face each other. */
typedef struct facing {
  const shape *a, *b;
  clp_pose X_WA, X_WB;
  clp_answer answer; /* the true one */
  double size;
} facing;

static facing face(int round, random_state *g)
{
  shape_kind kind_a = (shape_kind)(round % SHAPE_KINDS);
  facing f = {.a = made(kind_a, 1, g),
              .b = made((shape_kind)(random_bits(g) % SHAPE_KINDS), 1, g),
              .X_WA = pose_at(0.3, 0.2, 0.1)};
  real3 n = real3_of(random_direction(g));
  double gap = pow(10, random_between(g, -3, 1));
  shape_at a = shape_place(f.a, &f.X_WA);
  real3 x = shape_at_support(&a, n), y = real3_add(x, real3_scale(gap, n));
  f.X_WB = pose_at(0, 0, 0);
  f.X_WB.position = rounded(real3_sub(y, shape_support(f.b, real3_scale(-1, n))));
  f.size = (double)(f.a->size + f.b->size);
  f.answer = (clp_answer){.distance = gap,
                          .lower_bound = gap - 1e-13,
                          .point_a = rounded(x),
                          .point_b = rounded(y),
                          .normal = rounded(n)};
  return f;
}

static unsigned judged(const facing *f, const clp_answer *answer)
{
  judge j = judge_make(f->a, &f->X_WA, f->b, &f->X_WB, answer->normal);
  ck_assert(!judge_is_confused(&j));
  unsigned there = judge_answer(&j, answer, 1e-3);
  clp_answer back = *answer; /* the same seen from B */
  back.point_a = answer->point_b;
  back.point_b = answer->point_a;
  back.normal = (clp_vec3){-answer->normal.x, -answer->normal.y, -answer->normal.z};
  judge k = judge_swapped(&j);
  unsigned again = judge_answer(&k, &back, 1e-3);
  const unsigned on = 1u << NOT_ON_A | 1u << NOT_ON_B;
  ck_assert_uint_eq(there & ~on, again & ~on);
  return there;
}

static clp_vec3 moved(clp_vec3 p, double by, clp_vec3 n)
{
  return (clp_vec3){p.x + by * n.x, p.y + by * n.y, p.z + by * n.z};
}

static void expect(const facing *f, clp_answer answer, complaint c)
{
  unsigned complaints = judged(f, &answer);
  ck_assert_msg(complaints >> c & 1, "%s-%s: no complaint that %s", shape_names[f->a->kind],
                shape_names[f->b->kind], complaint_names[c]);
}

TEST_CASE("sabotage", 30);

TEST(test_apart)
{
  random_state g = {.s = 11};
  for (int k = 0, rounds = amount_of(10 * ROUNDS); k < rounds; ++k) {
    facing f = face(k, &g);
    double wrong = 1e-6 * f.size;
    unsigned complaints = judged(&f, &f.answer);
    ck_assert_msg(complaints == 0, "%s-%s: complaints %x", shape_names[f.a->kind],
                  shape_names[f.b->kind], complaints);
    clp_answer a = f.answer;
    a.lower_bound += wrong;
    a.distance += 2 * wrong;
    expect(&f, a, LOWER_TOO_HIGH);
    a = f.answer;
    a.distance -= wrong;
    a.lower_bound -= 2 * wrong;
    expect(&f, a, DISTANCE_TOO_LOW);
    expect(&f, a, NOT_ALONG_NORMAL);
    a = f.answer;
    a.status = CLP_PENETRATING;
    a.distance = a.lower_bound = -wrong;
    expect(&f, a, FALSE_CONTACT);
    for (int way = -1; way <= 1; way += 2) {
      a = f.answer;
      a.point_a = moved(a.point_a, way * wrong, a.normal);
      expect(&f, a, NOT_ON_A);
      a = f.answer;
      a.point_b = moved(a.point_b, way * wrong, a.normal);
      expect(&f, a, NOT_ON_B);
    }
  }
}

TEST(test_numbers)
{
  random_state g = {.s = 12};
  for (int k = 0; k < ROUNDS; ++k) {
    facing f = face(k, &g);
    clp_answer a = f.answer;
    a.normal = moved((clp_vec3){0, 0, 0}, 1 + 1e-6, a.normal);
    expect(&f, a, NORMAL_NOT_UNIT);
    a = f.answer;
    a.lower_bound = a.distance + 1e-15 * f.size + 1e-15 * a.distance;
    expect(&f, a, INTERVAL_EMPTY);
    a.lower_bound = NAN;
    expect(&f, a, INTERVAL_EMPTY);
    a = f.answer;
    a.lower_bound -= 1e-6 * (f.size + f.answer.distance);
    expect(&f, a, INTERVAL_WIDE);
    a.status = CLP_CONVERGING;
    ck_assert_uint_eq(judged(&f, &a), 0);
    a.status = CLP_OUT_OF_RANGE;
    a.lower_bound = 0.9e-3;
    expect(&f, a, WITHIN_RANGE);
    a = (clp_answer){.status = CLP_CONVERGING, .distance = HUGE_VAL, .lower_bound = -HUGE_VAL};
    ck_assert_uint_eq(judged(&f, &a), 0);
    a.status = CLP_TRACKING;
    expect(&f, a, INTERVAL_WIDE);
  }
}

/* Overlapping bodies, with what the judge itself has found: narrow for nearly all. */
TEST(test_inside)
{
  random_state g = {.s = 13};
  int narrow = 0, rounds = amount_of(10 * ROUNDS);
  for (int k = 0; k < rounds; ++k) {
    facing f = face(k, &g);
    double wrong = 1e-6 * f.size;
    f.X_WB.position = moved(f.X_WB.position, -f.answer.distance - 0.1 * f.size, f.answer.normal);
    judge j = judge_make(f.a, &f.X_WA, f.b, &f.X_WB, (clp_vec3){0, 0, 0});
    if (!(j.truth.upper < -10 * wrong) || j.truth.upper - j.truth.lower > 0.1L * wrong)
      continue;
    ++narrow;
    f.answer.status = CLP_PENETRATING;
    f.answer.distance = (double)j.truth.lower;
    f.answer.lower_bound = f.answer.distance;
    f.answer.normal = rounded(j.truth.normal);
    const unsigned places = 1u << NOT_ON_A | 1u << NOT_ON_B | 1u << NOT_ALONG_NORMAL;
    ck_assert_uint_eq(judged(&f, &f.answer) & ~places, 0);
    clp_answer a = f.answer;
    a.distance += wrong;
    expect(&f, a, DEPTH_TOO_SMALL);
    expect(&f, a, NO_WAY_OUT);
    a.lower_bound += wrong;
    expect(&f, a, LOWER_TOO_HIGH);
    a = f.answer;
    a.normal = (clp_vec3){-a.normal.x, -a.normal.y, -a.normal.z};
    a.distance += 0.3 * f.size;
    expect(&f, a, DEPTH_TOO_SMALL);
    a.status = CLP_TRACKING;
    a.distance = a.lower_bound = wrong;
    expect(&f, a, LOWER_TOO_HIGH);
  }
  ck_assert_int_gt(narrow, rounds * 2 / 5);
}
