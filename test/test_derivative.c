/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/derivative.h"

#include <float.h>
#include <string.h>

#include "judge/shape.h"
#include "rclc_closest_point/math/pose.h"
#include "support/amount.h"
#include "support/dented.h"
#include "support/difference.h"
#include "support/findings.h"
#include "support/suite.h"

/* Derivatives of answers against differences of distances that are certified, on every pair of
 * kinds of bodies, apart, touching and overlapping. */

/* ---- A pair in motion ----------------------------------------------------------------------- */

typedef struct meeting {
  clp_body *a, *b;
  clp_pair *pair;
  clp_pose X_WA, X_WB;
  clp_twist V_WA, V_WB;
  clp_answer now;      /* at t = 0 */
  double vector_noise; /* of what witnesses and normal are known to */
} meeting;

static clp_answer answer_after(const meeting *m, double t)
{
  clp_pose X_WA = difference_pose_after(&m->X_WA, &m->V_WA, t),
           X_WB = difference_pose_after(&m->X_WB, &m->V_WB, t);
  return clp_pair_query(m->pair, &X_WA, &X_WB);
}

/* Whether the same witnesses answer: on the same features, and not somewhere else. */
static bool is_same(const clp_answer *x, const clp_answer *y, double far)
{
  return x->kind_a == y->kind_a && x->kind_b == y->kind_b && x->feature_a == y->feature_a &&
         x->feature_b == y->feature_b && clp_distance(x->point_a, y->point_a) < far &&
         clp_dot(x->normal, y->normal) > 0.9 && !y->non_unique;
}

/* What an answer says: its distance, and nine numbers of witnesses and normal. */
enum { VECTORS = 3, NUMBERS = 1 + 3 * VECTORS };

static bool numbers_after(void *user, double t, double *f, double *noise)
{
  const meeting *m = user;
  clp_answer answer = answer_after(m, t);
  const clp_vec3 vectors[VECTORS] = {answer.point_a, answer.point_b, answer.normal};
  f[0] = answer.distance;
  noise[0] = answer.distance - answer.lower_bound;
  memcpy(f + 1, vectors, sizeof vectors);
  for (int k = 1; k < NUMBERS; ++k)
    noise[k] = m->vector_noise;
  return is_same(&answer, &m->now, 1) && answer.status != CLP_CONVERGING;
}

static clp_twist random_twist(random_state *g)
{
  return (clp_twist){clp_scale(random_between(g, 0.1, 1), random_direction(g)),
                     clp_scale(random_between(g, 0.1, 1), random_direction(g))};
}

static clp_mat3 random_rotation(random_state *g)
{
  return clp_rotation_about(random_direction(g), random_between(g, 0, 3));
}

/* Puts B beside A with so much between them, to rounding where the bodies let it be. */
static void put_apart(meeting *m, double apart, random_state *g)
{
  m->X_WA = (clp_pose){random_rotation(g), random_direction(g)};
  m->X_WB =
      (clp_pose){random_rotation(g), clp_add_scaled(m->X_WA.position, 3, random_direction(g))};
  m->now = clp_pair_query(m->pair, &m->X_WA, &m->X_WB);
  for (int k = 0; k < 4; ++k) {
    m->X_WB.position = clp_add_scaled(m->X_WB.position, apart - m->now.distance, m->now.normal);
    m->now = clp_pair_query(m->pair, &m->X_WA, &m->X_WB);
  }
}

/* ---- Judging ------------------------------------------------------------------------------- */

typedef struct tally {
  int tried, found;          /* how many have a derivative, and no more than one */
  int judged, first, second; /* of which differences are good to 1e-8 and 1e-5 */
  int vectors;               /* of which differences of witnesses and normal are good, too */
} tally;

/* Of numbers that are about this large. */
static double relative(double error, double scale)
{
  return error / fmax(1, fabs(scale));
}

static void expect_near(double found, double expected, double error, double least, const char *what,
                        const meeting *m)
{
  double allowed = 2 * error + least;
  ck_assert_msg(fabs(found - expected) <= allowed,
                "%s: %.12g, expected %.12g to %.2g; kinds %d %d, distance %g", what, found,
                expected, allowed, (int)m->now.kind_a, (int)m->now.kind_b, m->now.distance);
}

/* Witnesses and normals are known to about the root of what distances are: one in a million. */
#define LEAST 1e-6

/* Returns whether differences know all of them as well as that. */
static bool expect_vectors(const meeting *m, const clp_derivative *d, const difference *judges)
{
  static const char *const names[VECTORS] = {"A's witness", "B's witness", "normal"};
  clp_answer_rates rates = clp_derivative_rates(d, &m->V_WA, &m->V_WB);
  const clp_vec3 vectors[VECTORS] = {rates.point_a, rates.point_b, rates.normal};
  double found[3 * VECTORS];
  bool known = true;
  memcpy(found, vectors, sizeof vectors);
  for (int k = 0; k < 3 * VECTORS; ++k) {
    double least = LEAST * fmax(1, clp_norm(vectors[k / 3]));
    known = known && judges[k].first_error <= least;
    expect_near(found[k], judges[k].first, judges[k].first_error, least, names[k / 3], m);
  }
  return known;
}

/* How much witnesses and normal move by a motion, all in all. */
static double stretch_of(const clp_derivative *d)
{
  double sum = 1;
  for (int k = 0; k < 8; ++k)
    sum += fabs(d->slide[k / 2][k % 2]) + fabs(d->turn[k / 2][k % 2]);
  return sum;
}

/* As matrices they are the same. */
static void expect_matrices(const meeting *m, const clp_derivative *d)
{
  clp_derivative_matrices all;
  clp_derivative_expand(d, &all);
  const clp_vec3 *parts[4] = {&m->V_WA.linear, &m->V_WA.angular, &m->V_WB.linear, &m->V_WB.angular};
  double v[12], first = 0, second = 0, rate[3][3] = {{0}}, size = stretch_of(d);
  for (int k = 0; k < 12; ++k)
    v[k] = k % 3 == 0 ? parts[k / 3]->x : k % 3 == 1 ? parts[k / 3]->y : parts[k / 3]->z;
  for (int j = 0; j < 12; ++j) {
    first += all.distance[j] * v[j];
    for (int i = 0; i < 12; ++i) {
      second += v[i] * all.second[i][j] * v[j];
      size += fabs(all.second[i][j]);
      ck_assert_double_eq(all.second[i][j], all.second[j][i]);
    }
    for (int i = 0; i < 3; ++i) {
      rate[0][i] += all.point_a[i][j] * v[j];
      rate[1][i] += all.point_b[i][j] * v[j];
      rate[2][i] += all.normal[i][j] * v[j];
    }
  }
  clp_answer_rates rates = clp_derivative_rates(d, &m->V_WA, &m->V_WB);
  ck_assert_double_eq_tol(first, rates.distance, 1e-13 * size);
  ck_assert_double_eq_tol(second, clp_derivative_second(d, &m->V_WA, &m->V_WB), 1e-12 * size);
  const clp_vec3 expected[3] = {rates.point_a, rates.point_b, rates.normal};
  for (int k = 0; k < 3; ++k) {
    clp_vec3 found = {rate[k][0], rate[k][1], rate[k][2]};
    ck_assert_double_le(clp_distance(found, expected[k]), 1e-12 * size);
  }
}

static void judge_meeting(meeting *m, tally *t)
{
  clp_derivative d[8];
  m->now = clp_pair_query(m->pair, &m->X_WA, &m->X_WB);
  ++t->tried;
  if (clp_pair_derivatives(m->pair, &m->now, &m->X_WA, &m->X_WB, d, 8) != 1)
    return;
  ++t->found;
  difference judges[NUMBERS], judge;
  m->vector_noise = 16 * DBL_EPSILON * stretch_of(d);
  difference_find(numbers_after, m, NUMBERS, 0.04, 14, judges);
  judge = judges[0];
  if (!(judge.first_error < HUGE_VAL))
    return;
  double second = clp_derivative_second(d, &m->V_WA, &m->V_WB);
  clp_gradient gradient = clp_answer_gradient(&m->now, &m->X_WA, &m->X_WB);
  double first = clp_gradient_rate(&gradient, &m->V_WA, &m->V_WB);
  expect_near(first, judge.first, judge.first_error, 1e-9 * fmax(1, fabs(judge.first)), "first", m);
  expect_near(second, judge.second, judge.second_error, 1e-7 * fmax(1, fabs(judge.second)),
              "second", m);
  expect_matrices(m, d);
  t->vectors += expect_vectors(m, d, judges + 1);
  ++t->judged;
  t->first += relative(judge.first_error, judge.first) <= 1e-8;
  t->second += relative(judge.second_error, judge.second) <= 1e-5;
}

/* ---- Every pair of kinds ------------------------------------------------------------------- */

/* Kinds of bodies, each with one that is swept by a ball. */
static clp_body *random_body(shape_kind kind, bool padded, shape *s, random_state *g)
{
  clp_body *body = NULL;
  do {
    shape_make(s, kind, 1, g);
    if (padded)
      shape_pad(s, random_between(g, 0.01, 0.2));
  } while (clp_body_create(&s->def, (clp_reporter){0}, &body) != CLP_OK);
  return body;
}

static void judge_kinds(shape_kind a, shape_kind b, double apart, random_state *g, tally *t)
{
  static shape shapes[2];
  clp_pair_options options = clp_default_pair_options();
  options.tolerance = 1e-12;
  bool padded = random_bits(g) % 4 == 0;
  meeting m = {.a = random_body(a, padded && a != SHAPE_POINT, &shapes[0], g),
               .b = random_body(b, padded && b != SHAPE_POINT, &shapes[1], g)};
  ck_assert_int_eq(clp_pair_create(m.a, m.b, &options, &m.pair), CLP_OK);
  put_apart(&m, apart, g);
  m.V_WA = random_twist(g);
  m.V_WB = random_twist(g);
  judge_meeting(&m, t);
  clp_pair_destroy(m.pair);
  clp_body_destroy(m.a);
  clp_body_destroy(m.b);
}

/* Random configurations for each pair of kinds; CLP_AMOUNT=thorough: 10^5 in all. */
static int rounds(void)
{
  return amount_thorough() ? 263 : amount_of(2);
}

static tally judge_pair(shape_kind a, shape_kind b, double apart, random_state *g)
{
  tally t = {0};
  for (int k = 0; k < rounds(); ++k) {
    if (random_bits(g) % 2)
      judge_kinds(a, b, apart, g, &t);
    else
      judge_kinds(b, a, apart, g, &t);
  }
  if (getenv("CLP_TELL") && t.found < t.tried)
    fprintf(stderr, "%s and %s: %d of %d\n", shape_names[a], shape_names[b], t.found, t.tried);
  return t;
}

static void add(tally *to, const tally *t)
{
  to->tried += t->tried;
  to->found += t->found;
  to->judged += t->judged;
  to->first += t->first;
  to->second += t->second;
  to->vectors += t->vectors;
}

/* How many of all are judged at least, and of each pair of kinds, and of each kind, found. */
typedef struct shares {
  double judged, of_pair, of_kind;
} shares;

static void expect_shares(const tally *all, const tally kinds[SHAPE_KINDS], shares least)
{
  if (getenv("CLP_TELL"))
    fprintf(stderr, "%d: found %d judged %d first %d second %d vectors %d\n", all->tried,
            all->found, all->judged, all->first, all->second, all->vectors);
  for (int a = 0; a < SHAPE_KINDS; ++a)
    ck_assert_msg(kinds[a].found >= least.of_kind * kinds[a].tried,
                  "%s: %d of %d have a derivative", shape_names[a], kinds[a].found, kinds[a].tried);
  ck_assert_double_ge(all->judged, least.judged * all->tried);
  ck_assert_double_ge(all->first, 0.5 * all->judged);
  ck_assert_double_ge(all->second, 0.5 * all->judged);
  ck_assert_double_ge(all->vectors, 0.9 * all->judged);
}

/* Of the pairs of kinds that touch and overlap a half each in a quick run: every kind with others.
 */
static bool is_left_out(shape_kind a, shape_kind b, double apart)
{
  return amount_quick() && apart <= 0 && ((int)a + (int)b) % 2 == (apart < 0);
}

static void judge_all(double apart, uint64_t seed, shares least)
{
  random_state g = {.s = seed};
  tally all = {0}, kinds[SHAPE_KINDS] = {{0}};
  for (int a = 0; a < SHAPE_KINDS; ++a)
    for (int b = a; b < SHAPE_KINDS; ++b) {
      if (a + b == 0 || is_left_out((shape_kind)a, (shape_kind)b, apart))
        continue;
      tally t = judge_pair((shape_kind)a, (shape_kind)b, apart, &g);
      add(&all, &t);
      add(&kinds[a], &t);
      add(&kinds[b], &t);
      ck_assert_msg(t.found >= least.of_pair * t.tried, "%s and %s: %d of %d have a derivative",
                    shape_names[a], shape_names[b], t.found, t.tried);
    }
  expect_shares(&all, kinds, least);
}

SUITE("derivative");

TEST_CASE("differences", 600);

TEST(apart)
{
  judge_all(0.3, 11, (shares){0.9, 0.98, 0.98});
}

/* Corners that touch have none. */
TEST(touching)
{
  judge_all(0, 12, (shares){0.5, 0, 0.3});
}

TEST(inside)
{
  judge_all(-0.05, 13, (shares){0.3, 0.98, 0.98});
}

/* ---- The differences ----------------------------------------------------------------------- */

/* A distance past a center of curvature, the shape of all that bends within a short while: it is
 * smooth, and steps longer than `width` do not see it. */
typedef struct bend {
  double width, middle;
} bend;

static bool bend_after(void *user, double t, double *f, double *noise)
{
  const bend *b = user;
  *f = hypot(b->width, t - b->middle);
  *noise = DBL_EPSILON * (*f + fabs(t) + fabs(b->middle));
  return true;
}

/* They are off by less than they say, also where even the shortest step is too long. */
TEST(differences_know_their_errors)
{
  random_state g = {.s = 14};
  int known = 0, all = amount_of(4000);
  for (int k = 0; k < all; ++k) {
    double width = pow(10, random_between(&g, -7, 0));
    bend b = {width, width * random_between(&g, -3, 3)};
    difference found;
    difference_find(bend_after, &b, 1, 0.04, 14, &found);
    double length = hypot(b.width, b.middle), first = -b.middle / length;
    double second = b.width * b.width / (length * length * length);
    ck_assert_double_le(fabs(found.first - first), found.first_error);
    ck_assert_msg(fabs(found.second - second) <= found.second_error,
                  "width %g middle %g: %g is %g, known to %g", b.width, b.middle, second,
                  found.second, found.second_error);
    known += found.second_error <= 1e-3 * fabs(second);
  }
  ck_assert_int_gt(known, all / 2);
}

/* What jumps where another way out of overlapping bodies becomes the shorter one, beside what does
 * not. */
typedef struct leap {
  double at, height;
} leap;

static bool leap_after(void *user, double t, double *f, double *noise)
{
  const leap *l = user;
  f[0] = sin(3 * t);
  f[1] = f[0] + (l->at * (t - l->at) > 0 ? l->height : 0);
  noise[0] = noise[1] = DBL_EPSILON * (1 + fabs(l->height));
  return true;
}

/* Before the leap they know the derivative, and never take one across it for it: of an error that
 * has just shown, as each halving doubles it, the last change is half. */
TEST(differences_do_not_leap)
{
  random_state g = {.s = 15};
  int known = 0, all = amount_of(4000);
  for (int k = 0; k < all; ++k) {
    double side = random_bits(&g) % 2 ? 1 : -1;
    leap l = {side * pow(10, random_between(&g, -7, -1)), pow(10, random_between(&g, -9, 0))};
    difference found[2];
    difference_find(leap_after, &l, 2, 0.04, 14, found);
    ck_assert_double_le(fabs(found[0].first - 3), found[0].first_error);
    ck_assert_msg(fabs(found[1].first - 3) <= 2 * found[1].first_error,
                  "leap of %g at %g: %g, known to %g", l.height, l.at, found[1].first,
                  found[1].first_error);
    known += found[1].first_error <= 1e-6;
  }
  ck_assert_int_gt(known, all / 2);
}

/* ---- Others -------------------------------------------------------------------------------- */

static void judge_bodies(clp_body *a, clp_body *b, bool planar, random_state *g, tally *t)
{
  clp_pair_options options = clp_default_pair_options();
  options.tolerance = planar ? 1e-12 : 1e-9;
  meeting m = {.a = a, .b = b};
  ck_assert_int_eq(clp_pair_create(a, b, &options, &m.pair), CLP_OK);
  m.X_WA = (clp_pose){random_rotation(g), random_direction(g)};
  m.X_WB = (clp_pose){random_rotation(g), clp_scale(14, random_direction(g))};
  m.V_WA = random_twist(g);
  m.V_WB = random_twist(g);
  if (planar) {
    clp_vec3 z = m.X_WA.rotation.z;
    m.X_WB.rotation =
        clp_mat3_multiply(clp_rotation_about(z, random_between(g, -3, 3)), m.X_WA.rotation);
    clp_vec3 way = clp_unit(clp_cross(z, random_direction(g)));
    m.X_WB.position = clp_add_scaled(m.X_WA.position, random_between(g, 0.4, 4), way);
    m.V_WA = (clp_twist){clp_cross(z, m.V_WA.linear), clp_scale(0.7, z)};
    m.V_WB = (clp_twist){clp_cross(z, m.V_WB.linear), clp_scale(-0.4, z)};
  }
  judge_meeting(&m, t);
  clp_pair_destroy(m.pair);
}

/* Bodies that are not convex, and open surfaces, with all others: apart, in hollows too. */
TEST(dented)
{
  random_state g = {.s = 21};
  tally t = {0};
  clp_body *bodies[DENTED_KINDS];
  for (int k = 0; k < DENTED_KINDS; ++k)
    bodies[k] = dented_make((dented_kind)k);
  int all = amount_of(120);
  for (int k = 0; k < all; ++k)
    judge_bodies(bodies[random_bits(&g) % DENTED_PEN], bodies[random_bits(&g) % DENTED_KINDS],
                 false, &g, &t);
  if (getenv("CLP_TELL"))
    fprintf(stderr, "judged %d first %d second %d\n", t.judged, t.first, t.second);
  ck_assert_int_gt(t.judged, all / 3);
  for (int k = 0; k < DENTED_KINDS; ++k)
    clp_body_destroy(bodies[k]);
}

/* Between parabolas, or a triangle. */
static clp_body *flat_body(bool curved)
{
  static const double arcs[2][9] = {{-0.5, 0, 1, 0, -0.8, 1, 0.5, 0, 1},
                                    {0.5, 0, 1, 0, 0.5, 1, -0.5, 0, 1}};
  static const double sides[3][6] = {
      {-0.4, -0.3, 1, 0.5, -0.2, 1}, {0.5, -0.2, 1, 0.1, 0.6, 1}, {0.1, 0.6, 1, -0.4, -0.3, 1}};
  static const char *const names[] = {"a", "b", "c"};
  clp_curve_def curves[3];
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curve_count = curved ? 2 : 3;
  def.curves = curves;
  for (int k = 0; k < def.curve_count; ++k)
    curves[k] = (clp_curve_def){names[k], curved ? 2 : 1, curved ? 3 : 2, NULL,
                                curved ? arcs[k] : sides[k]};
  return must_create(&def);
}

/* In their plane, which is any, apart and overlapping; with a point too. */
TEST(planar)
{
  random_state g = {.s = 22};
  tally t = {0};
  clp_body_def point = clp_default_body_def(CLP_SHAPE_POINT);
  clp_body *bodies[3] = {flat_body(true), flat_body(false), must_create(&point)};
  int all = amount_of(160);
  for (int k = 0; k < all; ++k)
    judge_bodies(bodies[k % 2], bodies[random_bits(&g) % 3], true, &g, &t);
  if (getenv("CLP_TELL"))
    fprintf(stderr, "judged %d first %d second %d\n", t.judged, t.first, t.second);
  ck_assert_int_gt(t.judged, 2 * all / 3);
  ck_assert_int_gt(t.second, all / 3);
  for (int k = 0; k < 3; ++k)
    clp_body_destroy(bodies[k]);
}
