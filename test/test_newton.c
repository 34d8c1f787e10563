/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/controller_newton.h"
#include "rclc_closest_point/control/newton_pair.h"
#include "support/amount.h"
#include "support/bodies.h"
#include "support/cases.h"
#include "support/suite.h"

typedef struct tally {
  double worst;
  long pairs, iterations, restarts, calls;
  int most_iterations;
} tally;

/* A case from stamp to stamp, or every fifth stamp from scratch. */
static tally run_case(const char *name, bool from_scratch)
{
  reference_case c = case_load(name);
  tally t = {0};
  clp_newton *newton = NULL;
  ck_assert_int_eq(clp_newton_create(c.a, c.b, &newton), CLP_OK);
  for (int k = 0; k < c.count; k += from_scratch ? 5 : 1) {
    clp_couple now = case_couple(&c, k);
    clp_spots spots;
    clp_newton_result r = from_scratch ? clp_newton_query(newton, &now, &spots)
                                       : clp_newton_track(newton, &now, &spots);
    t.worst = fmax(t.worst, case_error(&c, k, r.distance));
    t.pairs += r.pairs;
    t.iterations += r.iterations;
    t.restarts += r.restarts;
    t.most_iterations = r.iterations > t.most_iterations ? r.iterations : t.most_iterations;
    t.calls++;
    clp_couple_jets s = clp_couple_jets_at(c.a, spots.a, c.b, spots.b, &now.X_AB);
    ck_assert_double_eq_tol(s.distance, r.distance, 1e-13 * (1 + r.distance));
  }
  clp_newton_destroy(newton);
  case_free(&c);
  return t;
}

/* ---- Reference cases ---------------------------------------------------------------------- */

static const char *const cases[] = {"ellipsoids_00",
                                    "ellipsoids_05",
                                    "ellipsoids_07",
                                    "pair_02_cylinder_cylinder",
                                    "pair_04_lemon_lemon",
                                    "pair_05_lemon_capped_frustum",
                                    "pair_06_topbox_lemon",
                                    "pair_10_box_box",
                                    "point_box",
                                    "point_cylinder",
                                    "point_lemon",
                                    "point_capped_frustum",
                                    "parallel_00_box_box",
                                    "parallel_04_capped_frustum_capped_frustum",
                                    "parallel_07_lemon_lemon",
                                    "hulls_0",
                                    "planar_pair_0",
                                    "pen_bowl_line",
                                    "pen_bowl_turn",
                                    "pen_bowl_random"};

SUITE("newton");

TEST_CASE("reference cases", 30);

LOOP_TEST(test_case, 0, (int)(sizeof cases / sizeof *cases))
{
  for (int scratch = 0; scratch < 2; ++scratch) {
    if (amount_quick() && scratch != _i % 2)
      continue;
    tally t = run_case(cases[_i], scratch);
    ck_assert_msg(t.worst < 1e-9, "%s: off by %g", cases[_i], t.worst);
  }
}

/* A smooth pair takes as many iterations as the papers say: two or three, once it is tracked. */
TEST(test_iterations)
{
  tally t = run_case("ellipsoids_00", false);
  ck_assert_int_eq(t.pairs, t.calls);
  ck_assert_int_eq(t.restarts, 0);
  ck_assert_int_lt(t.iterations, 4 * t.calls);
  t = run_case("ellipsoids_00", true);
  ck_assert_int_le(t.most_iterations, 12);
}

/* ---- One pair of features ----------------------------------------------------------------- */

typedef struct bowl {
  clp_body *bowl, *point;
  clp_couple couple;
} bowl;

/* A hollow that is part of a sphere of radius 2 about the origin, and a point in it. */
static bowl bowl_make(clp_vec3 place)
{
  static const clp_profile_piece pieces[] = {
      {.kind = CLP_PROFILE_LINE, .r = 3, .z = -3},
      {.kind = CLP_PROFILE_LINE, .r = 3, .z = 0},
      {.kind = CLP_PROFILE_LINE, .r = 2, .z = 0},
      {.kind = CLP_PROFILE_ARC, .r = 0, .z = -2, .center_r = 0, .center_z = 0}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.convex = false;
  def.revolved = (clp_revolved_def){0, -3, pieces, 4};
  bowl b = {.bowl = must_create(&def), .point = bodies_point()};
  clp_pose X_WA = clp_pose_identity(), X_WB = X_WA;
  X_WB.position = place;
  b.couple = clp_couple_make(b.bowl, b.point, &X_WA, &X_WB);
  return b;
}

static void bowl_free(bowl *b)
{
  clp_body_destroy(b->bowl);
  clp_body_destroy(b->point);
}

static uint32_t hollow_of(const clp_body *body)
{
  for (uint32_t f = 0; f < body->face_count; ++f)
    if (body->faces[f].surface.kind == CLP_SURFACE_ELLIPSOID)
      return f;
  ck_abort_msg("no hollow");
}

TEST_CASE("one pair", 5);

/* Started next to the farthest point of a hollow, Newton's iteration finds just that; the second
 * derivatives tell, and the start from the opposite side finds the nearest one. */
TEST(test_cyclosymmetric_restart)
{
  bowl b = bowl_make((clp_vec3){0.4, 0, -0.4});
  double s = sqrt(0.5);
  clp_spots spots = {clp_spot_on_face(hollow_of(b.bowl), (clp_site){{-s, 0, s}}),
                     clp_spot_on_vertex(0)};
  clp_newton_pair pair = {.couple = &b.couple};
  double distance;
  ck_assert(clp_newton_pair_solve(&pair, &spots, &distance));
  ck_assert_double_eq_tol(distance, 2 - 0.4 / s, 1e-12);
  ck_assert_double_eq_tol(spots.a.site.c[0], s, 1e-9);
  ck_assert_int_eq(pair.restarts, 1);
  bowl_free(&b);
}

/* Outside of the bounds there is no solution: the point is nearest to the rim. */
TEST(test_out_of_bounds)
{
  bowl b = bowl_make((clp_vec3){1.2, 0, 0.9});
  clp_newton_pair pair = {.couple = &b.couple};
  clp_spots spots = {clp_spot_sample(b.bowl, CLP_FACE, hollow_of(b.bowl), 0, 0.9),
                     clp_spot_on_vertex(0)};
  double distance;
  ck_assert(!clp_newton_pair_solve(&pair, &spots, &distance));
  clp_newton *newton = NULL;
  ck_assert_int_eq(clp_newton_create(b.bowl, b.point, &newton), CLP_OK);
  clp_newton_result r = clp_newton_query(newton, &b.couple, &spots);
  ck_assert_double_eq_tol(r.distance, hypot(0.8, 0.9), 1e-12);
  ck_assert_int_eq(spots.a.kind, CLP_EDGE);
  clp_newton_destroy(newton);
  bowl_free(&b);
}

/* Two crossed rings see each other from saddles when they are started in their common plane of
 * symmetry: the answer is off that plane, on either side. */
TEST(test_leaves_saddle)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CYLINDER);
  def.radius = 1;
  def.length = 0.2;
  clp_body *a = must_create(&def);
  def.radius = 1.4;
  clp_body *b = must_create(&def);
  clp_pose X_WA = clp_pose_identity();
  clp_pose X_WB = {clp_rotation_from_rpy(1.2, 0, 0), {0, 0, 1.5}};
  clp_couple c = clp_couple_make(a, b, &X_WA, &X_WB);
  clp_spots spots = {clp_spot_on_vertex(0), clp_spot_on_vertex(0)};
  for (uint32_t e = 0; e < a->edge_count; ++e) {
    if (a->edges[e].curve.kind == CLP_CURVE_ELLIPSE && a->edges[e].curve.as.ellipse.center.z > 0)
      spots.a = clp_spot_on_edge(e, (clp_curve_site){{0, -1}});
    if (b->edges[e].curve.kind == CLP_CURVE_ELLIPSE && b->edges[e].curve.as.ellipse.center.z < 0)
      spots.b = clp_spot_on_edge(e, (clp_curve_site){{0, -1}});
  }
  ck_assert(spots.a.kind == CLP_EDGE && spots.b.kind == CLP_EDGE);
  clp_newton_pair pair = {.couple = &c};
  double in_plane = clp_couple_jets_at(a, spots.a, b, spots.b, &c.X_AB).distance, distance;
  ck_assert(clp_newton_pair_solve(&pair, &spots, &distance));
  ck_assert_double_lt(distance, in_plane - 0.01);
  ck_assert_double_gt(fabs(spots.a.site.c[0]), 0.05);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* ---- The search --------------------------------------------------------------------------- */

TEST_CASE("search", 10);

/* Either body may be A. */
TEST(test_symmetric)
{
  random_state g = {1};
  clp_body *bodies[BODIES];
  bodies_make_all(bodies);
  for (int n = 0; n < 27; ++n) {
    const clp_body *a = bodies[n % BODIES], *b = bodies[(2 * n + 1) % BODIES];
    clp_pose X_WA = random_pose(&g, (clp_vec3){0, 0, 0});
    clp_pose X_WB = random_pose(&g, clp_scale(3, random_direction(&g)));
    clp_couple there = clp_couple_make(a, b, &X_WA, &X_WB);
    clp_couple back = clp_couple_make(b, a, &X_WB, &X_WA);
    clp_newton *first = NULL, *second = NULL;
    ck_assert_int_eq(clp_newton_create(a, b, &first), CLP_OK);
    ck_assert_int_eq(clp_newton_create(b, a, &second), CLP_OK);
    clp_spots spots;
    double x = clp_newton_query(first, &there, &spots).distance;
    double y = clp_newton_query(second, &back, &spots).distance;
    ck_assert_double_eq_tol(x, y, 1e-12);
    clp_newton_destroy(first);
    clp_newton_destroy(second);
  }
  bodies_destroy_all(bodies);
}

/* The answer is an upper bound even where there is no minimum in front of both bodies. */
TEST(test_overlap)
{
  clp_body *a = bodies_make(5), *b = bodies_make(6);
  clp_pose X_WA = clp_pose_identity(), X_WB = X_WA;
  X_WB.position = (clp_vec3){0.1, 0.05, 0};
  clp_couple c = clp_couple_make(a, b, &X_WA, &X_WB);
  clp_newton *newton = NULL;
  ck_assert_int_eq(clp_newton_create(a, b, &newton), CLP_OK);
  clp_spots spots;
  clp_newton_result r = clp_newton_query(newton, &c, &spots);
  ck_assert(r.distance >= 0 && r.distance < 1);
  clp_newton_destroy(newton);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* Each pair of features is looked at once at most, and far ones not at all. */
TEST(test_visits)
{
  clp_body *box = bodies_make(5);
  clp_pose X_WA = clp_pose_identity(), X_WB = X_WA;
  clp_newton *newton = NULL;
  ck_assert_int_eq(clp_newton_create(box, box, &newton), CLP_OK);
  clp_spots spots;
  for (int k = 0; k < 3; ++k) {
    X_WB = (clp_pose){clp_rotation_from_rpy(0.3, 0.2, 0.1), {1.5 + 2 * k, 0.2, 0.3}};
    clp_couple c = clp_couple_make(box, box, &X_WA, &X_WB);
    clp_newton_result r = clp_newton_query(newton, &c, &spots);
    ck_assert_int_le(r.pairs, 26 * 26);
    ck_assert_int_lt(r.pairs, 400);
    ck_assert_int_ge(r.pairs, 1);
  }
  clp_newton_destroy(newton);
  clp_body_destroy(box);
}

TEST(test_too_many_pairs)
{
  enum { SIDES = 80 };
  double vertices[2 * SIDES * 3];
  int faces[6 * SIDES], sizes[SIDES + 2];
  for (int k = 0; k < SIDES; ++k) {
    double angle = 2 * 3.14159265358979 * k / SIDES;
    for (int top = 0; top < 2; ++top) {
      double *v = vertices + 3 * (top * SIDES + k);
      v[0] = cos(angle);
      v[1] = sin(angle);
      v[2] = top;
    }
    int next = (k + 1) % SIDES, *f = faces + 4 * k;
    f[0] = k;
    f[1] = next;
    f[2] = SIDES + next;
    f[3] = SIDES + k;
    sizes[k] = 4;
    faces[4 * SIDES + k] = SIDES - 1 - k;
    faces[5 * SIDES + k] = SIDES + k;
  }
  sizes[SIDES] = sizes[SIDES + 1] = SIDES;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices, 2 * SIDES, faces, sizes, SIDES + 2};
  clp_body *prism = must_create(&def);
  clp_newton *untouched = (clp_newton *)&def, *newton = untouched;
  ck_assert_int_eq(clp_newton_create(prism, prism, &newton), CLP_ERROR_LIMIT);
  ck_assert(newton == untouched);
  clp_newton_destroy(NULL);
  clp_body_destroy(prism);
}
