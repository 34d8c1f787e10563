/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/pair.h"

#include "support/amount.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/tiled.h"

/* Bodies that are closed and convex only within the checker's tolerance: the interval holds the
 * distance of the surfaces as they are. */

static clp_pair *make_pair(const clp_body *a, const clp_body *b)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &pair), CLP_OK);
  return pair;
}

static void expect_truth(const clp_answer *answer, double truth)
{
  ck_assert_msg(answer->lower_bound <= truth + 1e-14 && truth <= answer->distance + 1e-14,
                "[%.17g, %.17g] does not hold %.17g", answer->lower_bound, answer->distance, truth);
}

/* ---- A seam that does not close ----------------------------------------------------------- */

#define GAP 1.5e-7

/* The reference cylinder, its top lifted. */
static clp_body *make_gaping(findings *f)
{
  tiled t;
  clp_body *body = NULL;
  tiled_load(&t, "cylinder");
  int top = tiled_find(&t, "disc_top");
  for (int k = 0; k < 9; ++k)
    tiled_point(&t, top, k / 3, k % 3)[2] += GAP;
  ck_assert_int_eq(clp_body_create(&t.def, findings_reporter(f), &body), CLP_OK);
  return body;
}

/* Of a point from a disc of radius 0.5 at z, and from the wall between -0.7 and 0.7. */
static double from_disc(clp_vec3 p, double z)
{
  return hypot(p.z - z, fmax(0, hypot(p.x, p.y) - 0.5));
}

static double from_wall(clp_vec3 p)
{
  return hypot(fmax(0, fabs(p.z) - 0.7), hypot(p.x, p.y) - 0.5);
}

SUITE("slack");

TEST_CASE("slack", 30);

TEST(gaping_seam)
{
  findings f = {0};
  clp_body *body = make_gaping(&f);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = 0.25;
  clp_body *ball = must_create(&def);
  ck_assert(findings_find(&f, CLP_FINDING_NOT_CONVEX, "every lower bound"));
  ck_assert_double_ge(body->info.slack, GAP);
  ck_assert_double_le(body->info.slack, 250 * GAP);
  clp_pair *pair = make_pair(body, ball);
  random_state g = {.s = 3};
  const clp_pose rest = clp_pose_identity();
  for (int k = 0, count = amount_of(500); k < count; ++k) {
    clp_pose X = rest;
    X.position = clp_scale(random_between(&g, 1.2, 2), random_direction(&g));
    clp_vec3 p = X.position;
    double truth = fmin(from_wall(p), fmin(from_disc(p, -0.7), from_disc(p, 0.7 + GAP))) - 0.25;
    clp_answer asked = clp_pair_query(pair, &rest, &X);
    expect_truth(&asked, truth);
    clp_answer tracked = clp_pair_track(pair, &rest, &X, NULL, NULL, 1e-3);
    expect_truth(&tracked, truth);
    ck_assert_int_eq(tracked.status, CLP_CONVERGING);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(body);
  clp_body_destroy(ball);
}

/* ---- A valley ----------------------------------------------------------------------------- */

#define VALLEY 2e-7 /* how deep: the top's halves turn outwards by four times this */

/* A unit box whose top sinks towards x = 0. Polygons have no such tolerance: the ends are cut into
 * triangles. */
static clp_body *make_valley(void)
{
  static const double vertices[] = {
      -.5, -.5, -.5, .5,  -.5, -.5, -.5, .5, -.5, .5, .5,  -.5,         -.5, -.5, .5,
      .5,  -.5, .5,  -.5, .5,  .5,  .5,  .5, .5,  0,  -.5, .5 - VALLEY, 0,   .5,  .5 - VALLEY};
  static const int faces[] = {0, 2, 3, 1, 0, 4, 6, 2, 1, 3, 7, 5, 4, 8, 9, 6, 8, 5, 7,
                              9, 0, 8, 4, 0, 1, 8, 1, 5, 8, 2, 6, 9, 2, 9, 3, 3, 9, 7};
  static const int sizes[] = {4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices, 10, faces, sizes, 11};
  return must_create(&def);
}

static clp_spot corner_at(const clp_body *body, double x)
{
  for (uint32_t k = 0; k < body->vertex_count; ++k)
    if (clp_distance(body->vertices[k].place, (clp_vec3){x, 0.5, 0.5}) < 1e-9)
      return clp_spot_on_vertex(k);
  ck_abort_msg("no corner at %g", x);
  return clp_spot_on_vertex(0);
}

/* The place of the plate's lower face nearest to p (its frame). */
static clp_spot underside(const clp_body *plate, clp_vec3 p)
{
  for (uint32_t k = 0; k < plate->face_count; ++k) {
    const clp_face *f = &plate->faces[k];
    clp_site middle = clp_domain_middle(&f->surface, &f->domain);
    if (clp_surface_normal(&f->surface, &f->domain, middle).z > -0.5)
      continue;
    clp_jet jet = clp_surface_jet(&f->surface, middle);
    clp_vec3 way = clp_sub(p, jet.p);
    double x[2] = {clp_dot(way, jet.u) / clp_norm2(jet.u), clp_dot(way, jet.v) / clp_norm2(jet.v)};
    return clp_spot_move(plate, clp_spot_on_face(k, middle), x, -1);
  }
  ck_abort_msg("no underside");
  return clp_spot_on_vertex(0);
}

/* A plate over it leans by less than the halves of the top do: each rim is as near as can be for
 * all that is seen from there, and only the slack keeps the proof of the farther one from being
 * wrong.
 */
TEST(valley)
{
  clp_body *body = make_valley();
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){4, 4, 1};
  clp_body *plate = must_create(&def);
  clp_pair *pair = make_pair(body, plate);
  const clp_pose rest = clp_pose_identity();
  for (int lean = -1; lean <= 1; lean += 2) {
    clp_pose X = {clp_rotation_from_rpy(0, lean * VALLEY, 0), {0, 0, 1.25}};
    double left = -0.5 - clp_transform_back(X, (clp_vec3){-0.5, 0, 0.5}).z;
    double right = -0.5 - clp_transform_back(X, (clp_vec3){0.5, 0, 0.5}).z;
    double truth = fmin(left, right);
    clp_couple couple = clp_couple_make(body, plate, &rest, &X);
    clp_spot corner = corner_at(body, left > right ? -0.5 : 0.5);
    clp_vec3 place = clp_transform_back(X, clp_spot_point(body, corner));
    clp_spots spots = {corner, underside(plate, place)};
    clp_descent end = clp_descend(&couple, &spots, 60, 1e-12, NULL);
    double lower = clp_certify(&couple, &spots, &end.jets, HUGE_VAL).lower;
    ck_assert_double_eq_tol(end.jets.distance, fmax(left, right), 0.01 * VALLEY);
    ck_assert_double_le(lower, truth);
    ck_assert_double_gt(lower + couple.slack, truth + 0.9 * VALLEY);
    clp_answer asked = clp_pair_query(pair, &rest, &X);
    expect_truth(&asked, truth);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(body);
  clp_body_destroy(plate);
}

/* ---- Exact bodies ------------------------------------------------------------------------- */

TEST(exact)
{
  static const char *const names[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    tiled t;
    tiled_load(&t, names[k]);
    clp_body *body = must_create(&t.def);
    ck_assert_msg(body->info.slack <= 1e-11 * body->size, "%s: slack %g", names[k],
                  body->info.slack);
    clp_body_destroy(body);
  }
}
