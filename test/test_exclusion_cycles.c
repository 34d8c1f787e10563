/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that planes do not prove, tracked at 1 kHz with the few cells that a cycle has by default:
 * how much of the time their proof is complete, how soon it is so again after a jump, and that the
 * interval holds the truth all the while. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/pose.h"
#include "support/dented.h"
#include "support/suite.h"

#define PI 3.14159265358979323846

/* ---- Workloads ---------------------------------------------------------------------------- */

typedef struct workload {
  const char *name;
  clp_pose (*pose)(double t); /* of B; A rests at the origin */
  double tracking;            /* the least part of all cycles */
  int cycles;                 /* until a jump is proven again, at most */
} workload;

static clp_pose point_on_loop(double t)
{
  clp_pose X = clp_pose_identity();
  X.position =
      (clp_vec3){5 + 4 * cos(2 * PI * t), 5 + 4 * sin(2 * PI * t), 14 + 2 * sin(4 * PI * t)};
  return X;
}

static clp_pose patch_on_loop(double t)
{
  return (clp_pose){clp_rotation_from_rpy(0, 0, 0.2 * sin(2 * PI * t)),
                    {sin(2 * PI * t), cos(2 * PI * t), 0.5 * sin(4 * PI * t)}};
}

/* The pen beside the bowl, along a line and back in 4 s. */
static clp_pose pen_on_line(double t)
{
  double y = 4 + 7 * (1 - cos(0.5 * PI * t));
  return (clp_pose){clp_pose_identity().rotation, {0, y, -y}};
}

/* The pen turning round its tip, half a turn in 4 s. */
static clp_pose pen_turning(double t)
{
  double angle = 0.25 * PI * t;
  return (clp_pose){clp_rotation_from_rpy(angle, 0.05 * sin(3 * angle), 0), {0.3, 12, 2}};
}

static const workload workloads[] = {{"patch and point", point_on_loop, 0.999, 3},
                                     {"patch and mirrored patch", patch_on_loop, 0.999, 12},
                                     {"bowl and pen on a line", pen_on_line, 0.99, 40},
                                     {"bowl and turning pen", pen_turning, 0.9, 100}};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

typedef struct stage {
  clp_body *a, *b;
  clp_pair *tracked, *asked;
} stage;

static stage stage_of(int which)
{
  stage s;
  s.a = which < 2 ? dented_patch(1, false, false, 0) : dented_make(DENTED_BOWL);
  if (which == 1)
    s.b = dented_patch(1, false, true, 30);
  else
    s.b = dented_make(which == 0 ? DENTED_POINT : DENTED_PEN);
  ck_assert_int_eq(clp_pair_create(s.a, s.b, NULL, &s.tracked), CLP_OK);
  ck_assert_int_eq(clp_pair_create(s.a, s.b, NULL, &s.asked), CLP_OK);
  return s;
}

static void stage_end(stage *s)
{
  clp_pair_destroy(s->tracked);
  clp_pair_destroy(s->asked);
  clp_body_destroy(s->a);
  clp_body_destroy(s->b);
}

/* One cycle that ends at t. The twist is the one that leads there, unless it was a jump. */
static clp_answer cycle(stage *s, const workload *w, double t, bool jumps)
{
  const clp_pose I = clp_pose_identity();
  const clp_twist rest = {{0, 0, 0}, {0, 0, 0}};
  clp_pose X = w->pose(t), before = w->pose(t - 1e-3);
  clp_twist V = clp_twist_between(before, X, 1e-3);
  return clp_pair_track(s->tracked, &I, &X, jumps ? NULL : &rest, jumps ? NULL : &V, 1e-3);
}

/* Against a query, whose interval is narrow. */
static void expect_truth(stage *s, const workload *w, double t, const clp_answer *answer)
{
  const clp_pose I = clp_pose_identity();
  clp_pose X = w->pose(t);
  clp_answer truth = clp_pair_query(s->asked, &I, &X);
  ck_assert_int_ne(truth.status, CLP_PENETRATING);
  ck_assert_int_ne(answer->status, CLP_PENETRATING);
  ck_assert_msg(answer->lower_bound <= truth.distance + 1e-12, "%s, %g: %.12g above %.12g", w->name,
                t, answer->lower_bound, truth.distance);
  ck_assert_msg(answer->distance >= truth.lower_bound, "%s, %g: %.12g below %.12g", w->name, t,
                answer->distance, truth.lower_bound);
}

SUITE("exclusion_cycles");

TEST_CASE("cycles", 60);

LOOP_TEST(test_tracked, 0, WORKLOADS)
{
  const workload *w = &workloads[_i];
  stage s = stage_of(_i);
  int tracking = 0, cycles = 4000;
  for (int k = 0; k < cycles; ++k) {
    clp_answer answer = cycle(&s, w, 1e-3 * k, k == 0);
    tracking += answer.status == CLP_TRACKING;
    if (k % 40 == 0)
      expect_truth(&s, w, 1e-3 * k, &answer);
  }
  ck_assert_msg(tracking >= w->tracking * cycles, "%s: %d of %d", w->name, tracking, cycles);
  stage_end(&s);
}

LOOP_TEST(test_jumps, 0, WORKLOADS)
{
  const workload *w = &workloads[_i];
  random_state g = {.s = 40 + (uint64_t)_i};
  stage s = stage_of(_i);
  for (int jump = 0; jump < 40; ++jump) {
    double t = random_between(&g, 0, 4);
    clp_answer answer = {.status = CLP_CONVERGING};
    int k = 0;
    for (; answer.status != CLP_TRACKING; ++k) {
      ck_assert_msg(k < w->cycles, "%s: not proven %d cycles after a jump to %g", w->name, k, t);
      answer = cycle(&s, w, t + 1e-3 * k, k == 0);
      if (k < 3)
        expect_truth(&s, w, t + 1e-3 * k, &answer);
    }
  }
  stage_end(&s);
}

/* At rest one cycle after the other adds to the proof, until it is complete. */
LOOP_TEST(test_at_rest, 0, WORKLOADS)
{
  const workload *w = &workloads[_i];
  stage s = stage_of(_i);
  const clp_pose I = clp_pose_identity();
  clp_pose X = w->pose(0), Y = w->pose(1.7);
  clp_pair_track(s.tracked, &I, &X, NULL, NULL, 1e-3);
  double lower = -HUGE_VAL;
  int k = 0;
  for (clp_pair_status status = CLP_CONVERGING; status != CLP_TRACKING; ++k) {
    ck_assert_int_lt(k, w->cycles);
    clp_answer answer = clp_pair_track(s.tracked, &I, &Y, NULL, NULL, 1e-3);
    ck_assert_double_ge(answer.lower_bound, lower);
    lower = answer.lower_bound;
    status = answer.status;
  }
  stage_end(&s);
}

TEST_CASE("drift", 60);

/* A point in the corner of an L goes along one leg towards the other one, after so much ordinary
 * motion that a cycle's is below the last digit of their sum: the other leg comes near all the
 * same. */
TEST(test_slow_drift)
{
  enum { ROUTINE = 2000, SLOW = 20000 };
  const clp_pose I = clp_pose_identity();
  const double height[8] = {0, 0.125, 0.25, 0.375, 0.5, 0.375, 0.25, 0.125};
  const double step = 0x1p-47, near = 0.25, wall = 1;
  clp_body *a = dented_make(DENTED_ELL), *b = dented_make(DENTED_POINT);
  clp_vec3 out = clp_negate(b->vertices[0].place);
  clp_pair_options options = clp_default_pair_options();
  clp_pair *pair;
  options.tolerance = 1e-12;
  ck_assert_int_eq(clp_pair_create(a, b, &options, &pair), CLP_OK);
  int tracking = 0;
  for (int k = 0; k < ROUTINE + SLOW; ++k) {
    double ahead = near + step * (0.5 * SLOW - fmax(0, k - ROUTINE));
    double z = k < ROUTINE ? height[k % 8] : 0.25;
    clp_pose X = {I.rotation, clp_add(out, (clp_vec3){wall + ahead, wall + near, z})};
    clp_answer answer = clp_pair_track(pair, &I, &X, NULL, NULL, 1e-3);
    double truth = fmin(near, ahead);
    tracking += answer.status == CLP_TRACKING;
    ck_assert_msg(answer.lower_bound <= truth + 1e-14, "%d: %g above", k,
                  answer.lower_bound - truth);
  }
  ck_assert_int_gt(tracking, SLOW);
  clp_pair_destroy(pair);
  clp_body_destroy(a);
  clp_body_destroy(b);
}
