/* SPDX-License-Identifier: Apache-2.0 */
/* Signed distances: against the oracle's cases, against separating axes and brute force written
 * here, and against what must hold whatever the bodies do. */

#include "rclc_closest_point/depth/penetration.h"
#include "rclc_closest_point/math/pose.h"
#include "support/amount.h"
#include "support/cases.h"
#include "support/solids.h"
#include "support/suite.h"

#define PI 3.14159265358979323846

/* ---- The oracle's cases ------------------------------------------------------------------- */

static const char *const signed_cases[] = {"spheres_signed", "planar_point_0", "planar_point_1",
                                           "planar_point_2"};

SUITE("penetration");

TEST_CASE("cases", 20);

LOOP_TEST(oracle, 0, 4)
{
  reference_case c = case_load(signed_cases[_i]);
  clp_spots spots;
  clp_vec3 normal = {0, 0, 0};
  bool followed = false;
  for (int k = 0; k < c.count; ++k) {
    clp_couple couple = case_couple(&c, k);
    clp_spots found;
    clp_depth d = clp_penetration_search(&couple, &found);
    expect_sound(&couple, &found, &d, 1e-11);
    ck_assert_double_le(case_error(&c, k, d.s), 1e-9);
    if (!followed) {
      spots = found;
      normal = d.normal;
    }
    d = clp_penetration_follow(&couple, &spots, normal, 8);
    if (c.rows[k].distance < 0) {
      ck_assert(d.found);
      ck_assert_double_le(case_error(&c, k, d.s), 1e-9);
    }
    followed = d.found && c.rows[k].distance < 0;
    normal = d.normal;
  }
  case_free(&c);
}

/* ---- Polyhedra ---------------------------------------------------------------------------- */

TEST_CASE("polyhedra", 30);

TEST(boxes)
{
  solid a = make_box(1, 0.8, 0.6), b = make_box(0.7, 1.1, 0.3);
  random_state g = {1};
  int overlapping = 0, count = amount_of(800);
  for (int k = 0; k < count; ++k) {
    clp_pose X = random_pose_within(&g, 0.9);
    clp_vec3 axis;
    double expected = separating_axes(&a, &b, &X, &axis);
    if (expected > 0)
      continue;
    ++overlapping;
    clp_couple c = couple_at(a.body, b.body, &X);
    clp_spots spots;
    clp_depth d = clp_penetration_search(&c, &spots);
    ck_assert_double_eq_tol(d.s, expected, 1e-14);
    expect_sound(&c, &spots, &d, 1e-13);
    ck_assert(d.global);
  }
  ck_assert_int_gt(overlapping, count / 2);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

static double polyhedra_along(const clp_couple *c, clp_vec3 n)
{
  clp_vec3 n_B = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  return clp_dot(n, c->X_AB.position) - vertex_height(c->a, n) - vertex_height(c->b, n_B);
}

static clp_vec3 edge_direction(const clp_body *body, uint32_t edge)
{
  const uint32_t *v = body->edges[edge].vertex;
  return clp_unit(clp_sub(body->vertices[v[1]].place, body->vertices[v[0]].place));
}

static clp_vec3 face_normal(const clp_body *body, uint32_t face)
{
  const clp_face *f = &body->faces[face];
  return clp_surface_normal(&f->surface, &f->domain, clp_domain_middle(&f->surface, &f->domain));
}

/* Every direction that a shortest translation of overlapping polyhedra can have. */
static double minimum_translation(const clp_couple *c)
{
  double best = -HUGE_VAL;
  clp_mat3 r = c->X_AB.rotation;
  for (uint32_t k = 0; k < c->a->face_count; ++k)
    best = fmax(best, polyhedra_along(c, face_normal(c->a, k)));
  for (uint32_t k = 0; k < c->b->face_count; ++k)
    best = fmax(best, polyhedra_along(c, clp_negate(clp_rotate(r, face_normal(c->b, k)))));
  for (uint32_t i = 0; i < c->a->edge_count; ++i)
    for (uint32_t k = 0; k < c->b->edge_count; ++k) {
      clp_vec3 n = clp_cross(edge_direction(c->a, i), clp_rotate(r, edge_direction(c->b, k)));
      if (clp_norm(n) < 1e-9)
        continue;
      n = clp_unit(n);
      best = fmax(best, fmax(polyhedra_along(c, n), polyhedra_along(c, clp_negate(n))));
    }
  return best;
}

TEST(hulls)
{
  reference_case c = case_load("hulls_0");
  random_state g = {2};
  int overlapping = 0;
  for (int k = 0; k < 60; ++k) {
    clp_pose X = random_pose_within(&g, 0.5 * c.a->radius);
    clp_couple couple = couple_at(c.a, c.b, &X);
    double expected = minimum_translation(&couple);
    if (expected > 0)
      continue;
    ++overlapping;
    clp_spots spots;
    clp_depth d = clp_penetration_search(&couple, &spots);
    ck_assert_double_eq_tol(d.s, expected, 1e-13);
    expect_sound(&couple, &spots, &d, 1e-13);
  }
  ck_assert_int_gt(overlapping, 30);
  case_free(&c);
}

/* ---- Curved bodies ------------------------------------------------------------------------ */

TEST_CASE("curved bodies", 60);

TEST(deep_and_shallow_ellipsoids)
{
  solid a = make_ellipsoid(1, 0.7, 0.5), b = make_ellipsoid(0.6, 0.4, 0.9);
  random_state g = {3};
  for (int k = 0; k < 12; ++k) {
    clp_pose X = random_pose_within(&g, 1);
    clp_couple c = couple_at(a.body, b.body, &X);
    clp_spots spots;
    clp_depth d = clp_penetration_search(&c, &spots);
    if (k % 2) { /* out along the normal, to a depth of a millionth */
      X.position = clp_add_scaled(X.position, -1e-6 - d.s, d.normal);
      c = couple_at(a.body, b.body, &X);
      d = clp_penetration_search(&c, &spots);
      ck_assert_double_eq_tol(d.s, -1e-6, 1e-14);
    }
    double expected = brute_force(&a, &b, &X, 100000, &g);
    ck_assert_double_eq_tol(d.s, expected, 1e-10);
    ck_assert_double_ge(d.s, expected - 1e-14);
    ck_assert(d.global);
    expect_sound(&c, &spots, &d, 1e-13);
  }
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* Apart and overlapping alike. What the direction found attains by closed forms is at most the
 * truth, and no proven bound is above it; and there is no better direction. */
LOOP_TEST(random_configurations, 0, 4)
{
  solid kinds[KINDS];
  make_kinds(kinds);
  random_state g = {4 + (uint64_t)_i};
  for (int k = 0, count = amount_of(500); k < count; ++k) {
    const solid *a = &kinds[random_bits(&g) % KINDS], *b = &kinds[random_bits(&g) % KINDS];
    clp_pose X = random_pose_within(&g, 1.2);
    clp_couple c = couple_at(a->body, b->body, &X);
    clp_spots spots;
    clp_depth d = clp_penetration_search(&c, &spots);
    expect_sound(&c, &spots, &d, 1e-12);
    double attained = gap_along(a, b, &X, d.normal);
    ck_assert_double_le(d.lower, attained);
    ck_assert_double_eq_tol(d.s, attained, 1e-13);
    ck_assert_double_ge(d.s, brute_force(a, b, &X, 200, &g) - 1e-14);
  }
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* Somewhere on a body. */
static clp_spot any_spot(const clp_body *body, random_state *g)
{
  uint32_t bits = (uint32_t)random_bits(g);
  if (body->info.point || (bits % 4 == 0 && body->vertex_count > 0))
    return clp_spot_on_vertex((bits / 4) % body->vertex_count);
  if (bits % 4 == 1 && body->edge_count > 0 &&
      body->edges[(bits / 4) % body->edge_count].kind == CLP_EDGE_SHARP) {
    uint32_t id = (bits / 4) % body->edge_count;
    return clp_spot_on_edge(id, clp_edge_fraction(&body->edges[id], random_between(g, 0, 1)));
  }
  uint32_t id = (bits / 4) % body->face_count;
  clp_spot spot =
      clp_spot_on_face(id, clp_domain_middle(&body->faces[id].surface, &body->faces[id].domain));
  double x[2] = {random_between(g, -1, 1), random_between(g, -1, 1)};
  int side;
  double fraction = clp_spot_fraction(body, spot, x, &side) * random_between(g, 0, 1);
  return clp_spot_move(body, spot, (double[]){fraction * x[0], fraction * x[1]}, -1);
}

/* The bound needs no trust in the place it comes from: any spots, any direction, any number of
 * iterations. */
TEST(sabotage)
{
  solid kinds[KINDS];
  make_kinds(kinds);
  random_state g = {10};
  for (int k = 0, count = amount_of(3000); k < count; ++k) {
    const solid *a = &kinds[random_bits(&g) % KINDS], *b = &kinds[random_bits(&g) % KINDS];
    clp_pose X = random_pose_within(&g, 1.2);
    clp_couple c = couple_at(a->body, b->body, &X);
    clp_spots spots;
    double truth = clp_penetration_search(&c, &spots).s;
    spots = (clp_spots){any_spot(a->body, &g), any_spot(b->body, &g)};
    clp_depth d =
        clp_penetration_follow(&c, &spots, random_direction(&g), (int)(random_bits(&g) % 6));
    ck_assert(isfinite(d.s));
    ck_assert(isfinite(d.lower));
    ck_assert_double_le(d.lower, truth + 1e-13);
  }
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* ---- Special positions -------------------------------------------------------------------- */

TEST_CASE("special positions", 30);

TEST(containment)
{
  solid box = make_box(4, 3, 2), ellipsoid = make_ellipsoid(0.6, 0.4, 0.9);
  random_state g = {12};
  for (int k = 0; k < amount_of(200); ++k) {
    clp_pose X = random_pose_within(&g, 0.05);
    clp_couple c = couple_at(box.body, ellipsoid.body, &X),
               r = couple_at(ellipsoid.body, box.body, &X);
    clp_spots spots;
    clp_depth d = clp_penetration_search(&c, &spots);
    /* through one of the box's faces and out of it altogether */
    double expected = -HUGE_VAL;
    for (int side = 0; side < 6; ++side) {
      clp_vec3 n = {side / 2 == 0, side / 2 == 1, side / 2 == 2};
      expected = fmax(expected, gap_along(&box, &ellipsoid, &X, side % 2 ? n : clp_negate(n)));
    }
    ck_assert_double_eq_tol(d.s, expected, 1e-13);
    ck_assert_double_lt(d.s, -1);
    expect_sound(&c, &spots, &d, 1e-13);
    r.X_AB = clp_pose_inverse(X);
    clp_depth e = clp_penetration_search(&r, &spots);
    ck_assert_double_eq_tol(e.s, d.s, 1e-13);
  }
  clp_body_destroy(box.body);
  clp_body_destroy(ellipsoid.body);
}

typedef struct special {
  int a, b; /* of the solids below */
  clp_vec3 position;
  double s;
} special;

/* Where directions or witnesses are not unique. */
static const special specials[] = {
    {0, 0, {0, 0, 0}, -1},                                  /* the same sphere twice */
    {0, 0, {1e-9, 0, 0}, -1},                               /* nearly */
    {0, 4, {0, 0, 0}, -0.5},                                /* a point in its center */
    {0, 0, {1, 0, 0}, 0},                                   /* touching */
    {1, 1, {0, 0, 0}, -0.6},                                /* the same box twice */
    {1, 1, {0.9, 0.1, 0.2}, -0.1},                          /* parallel faces */
    {1, 1, {1, 0, 0}, 0},                                   /* faces on faces */
    {1, 1, {1, 0.8, 0}, 0},                                 /* edges on edges */
    {1, 1, {1, 0.8, 0.6}, 0},                               /* corners on corners */
    {1, 4, {0.5, 0.4, 0.3}, 0},                             /* a point on a corner */
    {1, 4, {0, 0, 0}, -0.3},       {2, 2, {0, 0, 0}, -0.8}, /* the same cylinder twice */
    {2, 2, {0.7, 0, 0}, -0.1},                              /* parallel axes */
    {2, 2, {0, 0, 0.9}, -0.1},                              /* one axis */
    {2, 4, {0, 0, 0.05}, -0.4},                             /* a point on the axis */
    {2, 1, {0.85, 0.1, 0}, -0.05},                          /* a generator and a face */
    {3, 3, {0, 0, 0}, -0.6},       {3, 3, {0, 0, 0.1}, -0.6}, {3, 4, {0, 0, 0.1}, -0.3},
    {4, 4, {0, 0, 0}, 0},          {4, 4, {0, 3, 4}, 5},
};

LOOP_TEST(special_positions, 0, (int)(sizeof specials / sizeof *specials))
{
  const special *p = &specials[_i];
  solid solids[5];
  solids[0] = make_ellipsoid(0.5, 0.5, 0.5);
  solids[1] = make_box(1, 0.8, 0.6);
  solids[2] = make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1);
  solids[3] = make_solid(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.3, 0.7);
  solids[4] = make_point();
  clp_pose X = {clp_pose_identity().rotation, p->position};
  clp_couple c = couple_at(solids[p->a].body, solids[p->b].body, &X);
  clp_spots spots;
  clp_depth d = clp_penetration_search(&c, &spots), first;
  ck_assert_double_eq_tol(d.s, p->s, 2e-9 * (p->position.x == 1e-9) + 1e-15);
  ck_assert_double_eq_tol(clp_norm(d.normal), 1, 1e-14);
  ck_assert_double_le(clp_distance(d.h, clp_add_scaled(d.f, d.s, d.normal)), 1e-14);
  /* nothing moves, and so do the witnesses */
  first = d = clp_penetration_follow(&c, &spots, d.normal, 4);
  for (int k = 0; k < 100; ++k) {
    ck_assert(d.found);
    d = clp_penetration_follow(&c, &spots, d.normal, 4);
    ck_assert_double_le(clp_distance(d.f, first.f), 1e-13);
    ck_assert_double_le(clp_distance(d.h, first.h), 1e-13);
    ck_assert_double_le(clp_distance(d.normal, first.normal), 1e-13);
  }
  for (int k = 0; k < 5; ++k)
    clp_body_destroy(solids[k].body);
}

TEST_CASE("curved bodies", 60);

/* A thousand times longer than wide, a millimeter against a kilometer. */
TEST(extreme_sizes)
{
  solid solids[6] = {make_ellipsoid(1, 1e-3, 1e-3),
                     make_box(2, 1.5, 2e-3),
                     make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 1e-3, 2),
                     make_ellipsoid(1e-3, 7e-4, 5e-4),
                     make_ellipsoid(1000, 700, 500),
                     make_box(1000, 700, 500)};
  random_state g = {13};
  for (int k = 0; k < amount_of(200); ++k) {
    const solid *a = &solids[random_bits(&g) % 6], *b = &solids[random_bits(&g) % 6];
    clp_pose X = random_pose_within(&g, fmax(a->body->radius, b->body->radius));
    clp_couple c = couple_at(a->body, b->body, &X);
    clp_spots spots;
    clp_depth d = clp_penetration_search(&c, &spots);
    expect_sound(&c, &spots, &d, 1e-11);
    ck_assert_double_ge(d.s, brute_force(a, b, &X, 400, &g) - 1e-13 * c.size);
  }
  for (int k = 0; k < 6; ++k)
    clp_body_destroy(solids[k].body);
}

/* ---- Planar bodies ------------------------------------------------------------------------ */

static double planar_height(const clp_body *body, clp_vec3 n)
{
  double height = -HUGE_VAL;
  for (uint32_t e = 0; e < body->edge_count; ++e)
    for (int i = 0; i <= 400; ++i) {
      clp_curve_site site = clp_edge_fraction(&body->edges[e], i / 400.0);
      height = fmax(height, clp_dot(n, clp_curve_point(&body->edges[e].curve, site)));
    }
  return height;
}

TEST_CASE("special positions", 30);

TEST(planar_overlap)
{
  reference_case c = case_load("planar_pair_0");
  random_state g = {14};
  for (int k = 0; k < amount_of(40); ++k) {
    clp_pose X = {clp_rotation_from_rpy(k % 2 ? PI : 0, 0, random_between(&g, -3, 3)),
                  {random_between(&g, -0.8, 0.8), random_between(&g, -0.8, 0.8), 0}};
    clp_couple couple = couple_at(c.a, c.b, &X);
    double expected = -HUGE_VAL;
    for (int i = 0; i < 2000; ++i) {
      clp_vec3 n = {cos(PI * i / 1000), sin(PI * i / 1000), 0};
      clp_vec3 n_B = clp_negate(clp_rotate_back(X.rotation, n));
      double s = clp_dot(n, X.position) - planar_height(c.a, n) - planar_height(c.b, n_B);
      expected = fmax(expected, s);
    }
    clp_spots spots;
    clp_depth d = clp_penetration_search(&couple, &spots);
    ck_assert_double_eq_tol(d.s, expected, 5e-5); /* what the samples resolve */
    ck_assert_double_le(fabs(d.normal.z), 1e-15);
    expect_sound(&couple, &spots, &d, 1e-12);
    clp_depth e = clp_penetration_follow(&couple, &spots, d.normal, 4);
    ck_assert_double_eq_tol(e.s, d.s, 1e-14);
  }
  case_free(&c);
}
