/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/gains.h"
#include "support/bodies.h"
#include "support/suite.h"

/* Gains as the public interface has them: clp_pair_gain_bounds, and what a pair does with one. */

static const clp_integrator integrators[] = {CLP_INTEGRATOR_EULER, CLP_INTEGRATOR_RK2,
                                             CLP_INTEGRATOR_RK4};
static const clp_controller laws[] = {CLP_CONTROLLER_LINEARISING, CLP_CONTROLLER_SWITCHING,
                                      CLP_CONTROLLER_COMPENSATED};

/* An ellipsoid and a box, as one uses them. */
typedef struct public_pair {
  clp_body *a, *b;
  clp_pose X_WA, X_WB;
} public_pair;

static public_pair public_pair_make(void)
{
  public_pair p = {.a = bodies_make(6), .b = bodies_make(5), .X_WA = clp_pose_identity()};
  p.X_WB = (clp_pose){clp_rotation_from_rpy(0.3, 0.5, -0.2), {1.4, 1.1, 0.6}};
  return p;
}

static void public_pair_free(public_pair *p)
{
  clp_body_destroy(p->a);
  clp_body_destroy(p->b);
}

static clp_pair *create_pair(const public_pair *p, const clp_pair_options *options)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(p->a, p->b, options, &pair), CLP_OK);
  return pair;
}

static clp_gain_bounds bounds_of(const public_pair *p, const clp_pair_options *options,
                                 clp_twist_bound motion)
{
  clp_pair *pair = create_pair(p, options);
  clp_gain_bounds before = clp_pair_gain_bounds(pair, &p->X_WA, &p->X_WB, 1e-3, motion);
  ck_assert(before.max == 0 && before.best == 0 && before.distance == 0);
  clp_answer answer = clp_pair_query(pair, &p->X_WA, &p->X_WB);
  clp_gain_bounds bounds = clp_pair_gain_bounds(pair, &p->X_WA, &p->X_WB, 1e-3, motion);
  ck_assert_double_eq_tol(bounds.distance, answer.distance, 1e-12);
  clp_pair_destroy(pair);
  return bounds;
}

SUITE("pair_gains");

TEST_CASE("public interface", 10);

TEST(test_bounds_of_a_pair)
{
  public_pair p = public_pair_make();
  clp_pair_options o = clp_default_pair_options();
  const clp_twist_bound rest = {0, 0}, motion = {0.3, 1};
  clp_gain_bounds b = bounds_of(&p, &o, motion); /* auto: as linearising, told of the motion */
  ck_assert_double_eq_tol(b.max, 2000, 1e-9);
  ck_assert_double_eq_tol(b.best, 1000, 1e-6);
  ck_assert(b.min == 0 && b.lag == 0 && b.step == 1e-3);
  o.controller = CLP_CONTROLLER_SWITCHING;
  b = bounds_of(&p, &o, rest);
  ck_assert(b.min == 0 && b.lag == 0 && b.max < 2000 && b.best < b.max);
  o.substeps = 4;
  o.integrator = CLP_INTEGRATOR_RK4;
  clp_gain_bounds finer = bounds_of(&p, &o, motion);
  ck_assert_double_eq_tol(finer.max / b.max, 4 * 2.7852935634052816 / 2, 1e-12);
  ck_assert_double_eq_tol(finer.step, 0.25e-3, 1e-18);
  ck_assert_double_gt(finer.min, 0.3 / finer.distance);
  ck_assert_double_gt(finer.lag, 0);
  ck_assert_double_eq_tol(finer.lag * finer.best, finer.min * finer.distance, 1e-9);
  public_pair_free(&p);
}

/* How far off the distance is after many cycles at rest, from a start off the solution. */
static double unsettled(const public_pair *p, clp_pair_options o)
{
  clp_pair *pair = create_pair(p, &o);
  double distance = clp_pair_query(pair, &p->X_WA, &p->X_WB).distance;
  clp_pose away = p->X_WB;
  away.position.x += 1e-4;
  clp_pair_query(pair, &p->X_WA, &away);
  clp_answer answer = {0};
  for (int k = 0; k < 600; ++k)
    answer = clp_pair_track(pair, &p->X_WA, &p->X_WB, NULL, NULL, 1e-3);
  clp_pair_destroy(pair);
  return answer.distance - distance;
}

TEST(test_gain_of_a_pair)
{
  public_pair p = public_pair_make();
  clp_pair_options o = clp_default_pair_options();
  for (int k = 0; k < 9; ++k) {
    o.controller = laws[k / 3];
    o.integrator = integrators[k % 3];
    o.gain = 0;
    double largest = bounds_of(&p, &o, (clp_twist_bound){0, 0}).max;
    o.gain = 0.97 * largest;
    double below = unsettled(&p, o);
    o.gain = 1.03 * largest;
    double above = unsettled(&p, o);
    ck_assert_msg(fabs(below) < 1e-12 && above > 1e-6, "%d: off by %g and %g", k, below, above);
  }
  public_pair_free(&p);
}

TEST(test_options_are_checked)
{
  public_pair p = public_pair_make();
  const clp_pair_options fine = clp_default_pair_options();
  clp_pair_options bad[16];
  for (int k = 0; k < 16; ++k)
    bad[k] = fine;
  bad[0].gain = -1;
  bad[1].gain = (double)NAN;
  bad[2].ball = -1;
  bad[3].ball = (double)NAN;
  bad[4].substeps = 0;
  bad[5].substeps = -3;
  bad[6].tolerance = -1e-9;
  bad[7].tolerance = (double)NAN;
  bad[8].range = -1;
  bad[9].range = (double)NAN;
  bad[10].controller = (clp_controller)(CLP_CONTROLLER_NEWTON + 1);
  bad[11].integrator = (clp_integrator)(CLP_INTEGRATOR_RK4 + 1);
  bad[12].gain = (double)INFINITY;
  bad[13].ball = (double)INFINITY;
  bad[14].cells = -1;
  bad[15].effort = -1;
  for (int k = 0; k < 16; ++k) {
    clp_pair *untouched = (clp_pair *)&p, *pair = untouched;
    ck_assert_msg(clp_pair_create(p.a, p.b, &bad[k], &pair) == CLP_ERROR_ARGUMENT, "options %d", k);
    ck_assert(pair == untouched);
  }
  public_pair_free(&p);
}

/* The exponential schedule shrinks the distance at the rate asked for until the ball, and then goes
 * on to the solution. */
TEST(test_exponential)
{
  public_pair p = public_pair_make();
  clp_pair_options o = clp_default_pair_options();
  o.exponential = true;
  o.gain = 3;
  o.ball = 0.1;
  o.integrator = CLP_INTEGRATOR_RK4;
  for (int k = 0; k < 2; ++k) {
    o.controller = k ? CLP_CONTROLLER_COMPENSATED : CLP_CONTROLLER_SWITCHING;
    clp_pair *pair = create_pair(&p, &o);
    double distance = clp_pair_query(pair, &p.X_WA, &p.X_WB).distance;
    clp_pose start = {clp_rotation_from_rpy(0.3, 0.5, -0.2), {1.4, -1.4, 1}};
    clp_pair_query(pair, &p.X_WA, &start);
    double first = clp_pair_track(pair, &p.X_WA, &p.X_WB, NULL, NULL, 1e-9).distance, last = first;
    int outside = 0;
    for (int n = 1; n <= 2000; ++n) {
      last = clp_pair_track(pair, &p.X_WA, &p.X_WB, NULL, NULL, 1e-3).distance;
      if (last < 1.05 * distance)
        continue;
      ck_assert_double_eq_tol(log(last / first), -3e-3 * n, 1e-4);
      ++outside;
    }
    ck_assert_int_gt(outside, 30);
    ck_assert_double_eq_tol(last, distance, 1e-12);
    clp_pair_destroy(pair);
  }
  public_pair_free(&p);
}
