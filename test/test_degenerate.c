/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/closest_point.h"

#include "support/amount.h"
#include "support/degenerate.h"
#include "support/random.h"
#include "support/suite.h"

/* Parallel, concentric, coincident, touching, needle-thin, tiny beside huge, far apart: asked,
 * tracked without motion, and tracked in motions that leave a closed form. */

/* A setting of some size, somewhere, A and B as they stand or exchanged. */
typedef struct stand {
  const setting *of;
  clp_body *a, *b;
  clp_pose X_WA, X_WB;
  double distance;
  double rounding; /* what it does to lengths here (m) */
  double size;     /* of the larger body */
  double step;     /* a small length beside both bodies */
} stand;

enum { PLACES = 3 };

/* At the origin, anywhere, and anywhere with A and B exchanged. */
static stand stand_make(const setting *s, double scale, int place)
{
  random_state g = {.s = 40 + (uint64_t)place};
  stand t = {.of = s, .distance = scale * s->distance};
  clp_pose X_AB = s->X_AB;
  X_AB.position = clp_scale(scale, X_AB.position);
  t.a = make_figure(&s->a, scale);
  t.b = make_figure(&s->b, scale);
  t.X_WA = clp_pose_identity();
  if (place > 0) {
    double roll = random_between(&g, -3, 3), pitch = random_between(&g, -1, 1);
    t.X_WA.rotation = clp_rotation_from_rpy(roll, pitch, random_between(&g, -3, 3));
    t.X_WA.position = clp_scale(scale, random_direction(&g));
  }
  t.X_WB = clp_pose_multiply(t.X_WA, X_AB);
  t.size = fmax(t.a->size, t.b->size);
  double least = t.a->info.point   ? t.b->size
                 : t.b->info.point ? t.a->size
                                   : fmin(t.a->size, t.b->size);
  t.step = 1e-5 * least;
  t.rounding = 1e-14 * (t.size + clp_norm(X_AB.position) + scale);
  if (place == 2) {
    stand u = t;
    t.a = u.b;
    t.b = u.a;
    t.X_WA = u.X_WB;
    t.X_WB = u.X_WA;
  }
  return t;
}

static void stand_free(stand *t)
{
  clp_body_destroy(t->a);
  clp_body_destroy(t->b);
}

static clp_pair *make_pair(const stand *t)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(t->a, t->b, NULL, &pair), CLP_OK);
  return pair;
}

static bool is_number(clp_vec3 v)
{
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static void expect_answer(const stand *t, const clp_answer *answer, double truth, const char *when)
{
  const char *name = t->of->name;
  double off = answer->distance - truth;
  ck_assert_msg(isfinite(answer->distance) && isfinite(answer->lower_bound) &&
                    is_number(answer->point_a) && is_number(answer->point_b) &&
                    is_number(answer->normal),
                "%s, %s: not a number", name, when);
  ck_assert_msg(fabs(off) <= t->rounding, "%s, %s: distance %.17g, off by %g, allowed %g", name,
                when, answer->distance, off, t->rounding);
  ck_assert_msg(
      answer->lower_bound <= answer->distance && answer->lower_bound <= truth + t->rounding,
      "%s, %s: lower bound %.17g of %.17g", name, when, answer->lower_bound, truth);
  ck_assert_msg(fabs(clp_norm(answer->normal) - 1) <= 1e-12, "%s, %s: normal of length %.17g", name,
                when, clp_norm(answer->normal));
  clp_vec3 end = clp_add_scaled(answer->point_a, answer->distance, answer->normal);
  ck_assert_msg(clp_distance(end, answer->point_b) <= 1e-9 * t->size + t->rounding,
                "%s, %s: witnesses %g beside the normal", name, when,
                clp_distance(end, answer->point_b));
  if (truth > t->rounding)
    ck_assert_msg(answer->status == CLP_TRACKING, "%s, %s: status %d, interval %g of size %g", name,
                  when, (int)answer->status, answer->distance - answer->lower_bound, t->size);
  if (truth < -t->rounding)
    ck_assert_msg(answer->status == CLP_PENETRATING, "%s, %s: status %d", name, when,
                  (int)answer->status);
}

static void expect_sharing(const stand *t, const clp_answer *answer, const char *when)
{
  if (t->of->sharing == EITHER)
    return;
  bool shared = t->of->sharing == SHARED;
  ck_assert_msg(answer->non_unique == shared, "%s, %s: non_unique is %d", t->of->name, when,
                answer->non_unique);
  ck_assert_msg((answer->spread > 0) == shared, "%s, %s: spread %g", t->of->name, when,
                answer->spread);
}

static void for_all(void (*expect)(const stand *t), const setting *s)
{
  static const double scales[] = {1, 1e-3, 1e3};
  for (int k = 0; k < 3; ++k)
    for (int place = 0; place < PLACES; ++place) {
      if (!amount_has(PLACES * k + place + (int)(s - settings)))
        continue;
      stand t = stand_make(s, scales[k], place);
      expect(&t);
      stand_free(&t);
    }
}

/* ---- Asked -------------------------------------------------------------------------------- */

static void expect_query(const stand *t)
{
  clp_pair *pair = make_pair(t);
  clp_answer answer = clp_pair_query(pair, &t->X_WA, &t->X_WB);
  expect_answer(t, &answer, t->distance, "asked");
  expect_sharing(t, &answer, "asked");
  clp_pair_destroy(pair);
}

SUITE("degenerate");

TEST_CASE("asked", 20);

LOOP_TEST(asked, 0, SETTINGS)
{
  for_all(expect_query, &settings[_i]);
}

/* ---- At rest ------------------------------------------------------------------------------ */

static void expect_rest(const stand *t)
{
  clp_pair *pair = make_pair(t);
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  clp_answer first = {.distance = 0}, before = first;
  int cycles = t->distance < 0 ? 100 : 1000;
  for (int k = 0; k < cycles; ++k) {
    clp_answer now = clp_pair_track(pair, &t->X_WA, &t->X_WB, &still, &still, 1e-3);
    expect_answer(t, &now, t->distance, "at rest");
    expect_sharing(t, &now, "at rest");
    double jitter =
        fmax(clp_distance(now.point_a, before.point_a), clp_distance(now.point_b, before.point_b));
    double drift =
        fmax(clp_distance(now.point_a, first.point_a), clp_distance(now.point_b, first.point_b));
    if (k < 3)
      first = now;
    else
      ck_assert_msg(jitter <= 1e-12 * t->size && drift <= 1e-11 * t->size,
                    "%s, cycle %d: jitter %g, drift %g", t->of->name, k, jitter, drift);
    before = now;
  }
  clp_pair_destroy(pair);
}

TEST_CASE("at rest", 20);

LOOP_TEST(at_rest, 0, SETTINGS)
{
  for_all(expect_rest, &settings[_i]);
}

/* ---- In motion ---------------------------------------------------------------------------- */

/* B goes away along the normal n and turns about it, with the axis through its witness h: the
 * planes that keep the bodies apart at f and h do so still, and the distance grows by what B has
 * gone. Of overlapping bodies that is sure only where B does not turn. */
typedef struct departure {
  clp_vec3 n, h;
  double speed, rate; /* m/s, rad/s */
} departure;

static clp_pose departed(const departure *d, const clp_pose *X, double time)
{
  double c = cos(d->rate * time), s = sin(d->rate * time);
  const clp_vec3 columns[3] = {X->rotation.x, X->rotation.y, X->rotation.z};
  clp_vec3 turned[4];
  for (int k = 0; k < 4; ++k) {
    clp_vec3 v = k < 3 ? columns[k] : clp_sub(X->position, d->h);
    turned[k] = clp_add_scaled(clp_add_scaled(clp_scale(c, v), (1 - c) * clp_dot(d->n, v), d->n), s,
                               clp_cross(d->n, v));
  }
  clp_vec3 place = clp_add_scaled(clp_add(d->h, turned[3]), d->speed * time, d->n);
  return (clp_pose){{turned[0], turned[1], turned[2]}, place};
}

static clp_twist departing(const departure *d, const clp_pose *X, double time)
{
  clp_vec3 axis = clp_scale(d->rate, d->n);
  clp_vec3 arm = clp_sub(X->position, clp_add_scaled(d->h, d->speed * time, d->n));
  return (clp_twist){clp_add(clp_scale(d->speed, d->n), clp_cross(axis, arm)), axis};
}

static void expect_departure(const stand *t, double rate)
{
  clp_pair *pair = make_pair(t);
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  clp_answer at = clp_pair_query(pair, &t->X_WA, &t->X_WB);
  departure d = {at.normal, at.point_b, 1e3 * t->step, t->distance < 0 ? 0 : rate};
  for (int k = 0; k < 100; ++k) {
    double time = 1e-3 * k, truth = t->distance + d.speed * time;
    clp_pose X_WB = departed(&d, &t->X_WB, time);
    clp_twist V_WB = departing(&d, &X_WB, time);
    clp_answer answer = clp_pair_track(pair, &t->X_WA, &X_WB, &still, &V_WB, 1e-3);
    expect_answer(t, &answer, truth, rate == 0 ? "going away" : "turning");
    double found = clp_answer_rate(&answer, &t->X_WA, &still, &X_WB, &V_WB);
    double slack = 1e-9 * (d.speed + d.rate * t->size);
    ck_assert_msg(found <= d.speed + slack, "%s: rate %g of %g", t->of->name, found, d.speed);
    const bool any_normal = answer.non_unique && fabs(truth) <= t->rounding;
    if (rate == 0 && !answer.scattered && !any_normal)
      ck_assert_msg(fabs(found - d.speed) <= slack, "%s: rate %g of %g", t->of->name, found,
                    d.speed);
  }
  clp_pair_destroy(pair);
}

static void expect_departures(const stand *t)
{
  expect_departure(t, 0);
  expect_departure(t, 0.3);
}

TEST_CASE("in motion", 20);

LOOP_TEST(in_motion, 0, SETTINGS)
{
  for_all(expect_departures, &settings[_i]);
}
