/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/controller.h"
#include "support/amount.h"
#include "support/cases.h"
#include "support/suite.h"

/* Each controller alone, through the public interface, on reference cases: with the substeps that
 * docs/tracking.md states for all of them, the distance is within 1e-9 and the witnesses are within
 * 1e-6 at every stamp. */

#define ROUND "ellipsoids_00", "ellipsoids_02", "ellipsoids_05", "ellipsoids_06"
#define POINTS "point_box", "point_cylinder", "point_lemon", "point_sphere6", "point_topbox"
#define PLANAR "planar_pair_0", "planar_point_0", "planar_point_1", "planar_point_2"
#define SOLIDS "pair_04_lemon_lemon", "pair_05_lemon_capped_frustum"
/* Where some direction is next to flat: laws without second derivatives crawl along it. */
#define SOFT                                                                              \
  "pair_00_box_cylinder", "pair_02_cylinder_cylinder", "pair_09_capped_frustum_cylinder", \
      "pair_10_box_box", "spheres_signed"

typedef struct trial {
  clp_controller controller;
  clp_integrator integrator;
  int substeps;
  bool feedforward, exponential;
  const char *cases[24];
} trial;

static const trial trials[] = {
    {CLP_CONTROLLER_LINEARISING,
     CLP_INTEGRATOR_EULER,
     16,
     true,
     false,
     {ROUND, POINTS, PLANAR, SOLIDS, SOFT}},
    {CLP_CONTROLLER_LINEARISING, CLP_INTEGRATOR_EULER, 16, false, false, {ROUND, SOLIDS, SOFT}},
    {CLP_CONTROLLER_LINEARISING, CLP_INTEGRATOR_RK2, 64, true, false, {ROUND, SOLIDS, SOFT}},
    {CLP_CONTROLLER_LINEARISING, CLP_INTEGRATOR_RK4, 32, true, false, {ROUND, SOLIDS, SOFT}},
    {CLP_CONTROLLER_SWITCHING,
     CLP_INTEGRATOR_EULER,
     512,
     true,
     false,
     {"ellipsoids_06", "point_topbox", "planar_point_1", "pair_05_lemon_capped_frustum"}},
    {CLP_CONTROLLER_COMPENSATED,
     CLP_INTEGRATOR_EULER,
     512,
     true,
     false,
     {"ellipsoids_00", "planar_point_0", "pair_04_lemon_lemon"}},
    {CLP_CONTROLLER_SWITCHING, CLP_INTEGRATOR_EULER, 512, true, true, {"ellipsoids_02"}},
    {CLP_CONTROLLER_NEWTON,
     CLP_INTEGRATOR_EULER,
     1,
     true,
     false,
     {ROUND, "planar_pair_0", "point_lemon", "pair_10_box_box"}},
};

enum { TRIALS = sizeof trials / sizeof *trials };

static clp_pair *pair_of(const trial *t, const reference_case *c)
{
  clp_pair_options o = clp_default_pair_options();
  clp_pair *pair = NULL;
  o.controller = t->controller;
  o.integrator = t->integrator;
  o.substeps = t->substeps;
  o.feedforward = t->feedforward;
  o.exponential = t->exponential;
  ck_assert_int_eq(clp_pair_create(c->a, c->b, &o, &pair), CLP_OK);
  return pair;
}

/* One cycle; at the first row a query. */
static clp_answer cycle_to(clp_pair *pair, const reference_case *c, int row)
{
  const case_row *now = &c->rows[row], *before = now - (row > 0);
  double step = row > 0 ? case_cycle(c, row) : 1;
  clp_twist V_WA = case_twist(&before->X_WA, &now->X_WA, step);
  clp_twist V_WB = case_twist(&before->X_WB, &now->X_WB, step);
  return clp_pair_track(pair, &now->X_WA, &now->X_WB, &V_WA, &V_WB, step);
}

static void expect_row(const clp_answer *answer, const case_row *truth, const char *text)
{
  bool inside = truth->distance < 0;
  double error = fabs(answer->distance - truth->distance) / fmax(1, fabs(truth->distance));
  double off = truth->unique && !inside ? fmax(clp_distance(answer->point_a, truth->point_a),
                                               clp_distance(answer->point_b, truth->point_b))
                                        : 0;
  ck_assert_msg(error <= 1e-9 && off <= 1e-6, "%s: off by %g, a witness by %g", text, error, off);
  ck_assert_msg(answer->lower_bound <= truth->distance + 1e-9, "%s: bound %g above %g", text,
                answer->lower_bound, truth->distance);
  if (fabs(truth->distance) > 1e-9)
    ck_assert_msg(answer->status == (inside ? CLP_PENETRATING : CLP_TRACKING), "%s: status %d",
                  text, (int)answer->status);
}

static void follow(const trial *t, const char *name)
{
  reference_case c = case_load(name);
  clp_pair *pair = pair_of(t, &c);
  for (int k = 0; k < c.count; ++k) {
    char text[256];
    clp_answer answer = cycle_to(pair, &c, k);
    snprintf(text, sizeof text, "%s, %s, row %d", clp_controller_name(t->controller), name, k);
    expect_row(&answer, &c.rows[k], text);
  }
  clp_pair_destroy(pair);
  case_free(&c);
}

SUITE("pair_flow");

TEST_CASE("alone", 60);

LOOP_TEST(test_alone, 0, TRIALS)
{
  const trial *t = &trials[_i];
  for (int k = 0; k < 24 && t->cases[k]; ++k)
    if (!amount_quick() || k % 3 == _i % 3)
      follow(t, t->cases[k]);
}

TEST_CASE("limits", 20);

/* Bodies that overlap are PENETRATING with every controller, and their distance is not positive;
 * with too few substeps as well, and the interval holds the truth at every row. */
TEST(test_overlap)
{
  static const char *const names[] = {"spheres_signed", "planar_point_0", "planar_point_1"};
  for (int k = 0; k < 15; ++k) {
    reference_case c = case_load(names[k % 3]);
    trial t = {.controller = (clp_controller)(k / 3), .substeps = 2, .feedforward = true};
    clp_pair *pair = pair_of(&t, &c);
    int inside = 0;
    for (int row = 0; row < c.count; ++row) {
      clp_answer answer = cycle_to(pair, &c, row);
      double truth = c.rows[row].distance;
      ck_assert_double_le(answer.lower_bound, truth + 1e-9);
      ck_assert_double_ge(answer.distance, truth - 1e-9);
      if (fabs(truth) < 1e-9)
        continue;
      ck_assert_msg((answer.status == CLP_PENETRATING) == (truth < 0), "%s row %d: status %d at %g",
                    names[k % 3], row, (int)answer.status, truth);
      ck_assert(truth > 0 || answer.distance <= 0);
      inside += truth < 0;
    }
    ck_assert_int_gt(inside, 50);
    clp_pair_destroy(pair);
    case_free(&c);
  }
}

/* With one substep the switching law cannot settle: the answers are farther off than the tolerance,
 * the intervals say so and hold the truth. */
TEST(test_unsettled)
{
  reference_case c = case_load("pair_10_box_box");
  const trial t = {.controller = CLP_CONTROLLER_SWITCHING, .substeps = 1, .feedforward = true};
  clp_pair *pair = pair_of(&t, &c);
  int off = 0;
  for (int k = 0; k < c.count; ++k) {
    clp_answer answer = cycle_to(pair, &c, k);
    double truth = c.rows[k].distance;
    ck_assert(answer.lower_bound <= truth + 1e-9 && answer.distance >= truth - 1e-9);
    if (answer.distance - truth > 1e-6) {
      ck_assert_int_eq(answer.status, CLP_CONVERGING);
      ++off;
    }
  }
  ck_assert_int_gt(off, c.count / 2);
  clp_pair_destroy(pair);
  case_free(&c);
}
