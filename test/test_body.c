/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/findings.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/tiled.h"

/* What the compiled body says of itself, against what is known of the shape. */

static const double pi = 3.14159265358979323846;

typedef struct expectation {
  int faces, edges, vertices;
  double volume, area;
  clp_vec3 min, max;
} expectation;

static void expect_near(double value, double expected, double tolerance, const char *what)
{
  ck_assert_msg(fabs(value - expected) <= tolerance * fmax(1, fabs(expected)),
                "%s is %.17g, expected %.17g", what, value, expected);
}

static void expect_info(const clp_body *body, const expectation *e)
{
  clp_body_info info = clp_body_describe(body);
  ck_assert_int_eq(info.faces, e->faces);
  ck_assert_int_eq(info.edges, e->edges);
  ck_assert_int_eq(info.vertices, e->vertices);
  ck_assert(info.closed);
  ck_assert(info.convex);
  expect_near(info.volume, e->volume, 1e-9, "volume");
  expect_near(info.area, e->area, 1e-9, "area");
  expect_near(info.bounds.min.x, e->min.x, 1e-12, "min x");
  expect_near(info.bounds.min.y, e->min.y, 1e-12, "min y");
  expect_near(info.bounds.min.z, e->min.z, 1e-12, "min z");
  expect_near(info.bounds.max.x, e->max.x, 1e-12, "max x");
  expect_near(info.bounds.max.y, e->max.y, 1e-12, "max y");
  expect_near(info.bounds.max.z, e->max.z, 1e-12, "max z");
}

static void expect_body(const clp_body_def *def, const expectation *e)
{
  clp_body *body = must_create(def);
  expect_info(body, e);
  clp_body_destroy(body);
}

SUITE("body");

TEST_CASE("primitives", 10);

TEST(block)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){1, 2, 3};
  expect_body(&def, &(expectation){6, 12, 8, 6, 22, {-0.5, -1, -1.5}, {0.5, 1, 1.5}});
}

TEST(sphere)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = 0.5;
  expect_body(&def, &(expectation){1, 0, 0, pi / 6, pi, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}});
}

TEST(ellipsoid)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_ELLIPSOID);
  def.size = (clp_vec3){0.3, 0.3, 0.5};
  double e = sqrt(1 - 0.09 / 0.25); /* prolate: the area has a closed form */
  double area = 2 * pi * 0.09 * (1 + 0.5 / (0.3 * e) * asin(e));
  expect_body(&def,
              &(expectation){
                  1, 0, 0, 4.0 / 3 * pi * 0.09 * 0.5, area, {-0.3, -0.3, -0.5}, {0.3, 0.3, 0.5}});
}

TEST(cylinder)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CYLINDER);
  def.radius = 0.5;
  def.length = 2;
  expect_body(&def, &(expectation){3, 2, 0, pi / 2, 2.5 * pi, {-0.5, -0.5, -1}, {0.5, 0.5, 1}});
}

TEST(capsule)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CAPSULE);
  def.radius = 0.5;
  def.length = 2;
  expect_body(
      &def, &(expectation){3, 2, 0, pi / 2 + pi / 6, 3 * pi, {-0.5, -0.5, -1.5}, {0.5, 0.5, 1.5}});
}

TEST(point)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  def.size = (clp_vec3){1, 2, 3};
  clp_body *body = must_create(&def);
  clp_body_info info = clp_body_describe(body);
  ck_assert(info.point && info.closed && info.convex);
  ck_assert_int_eq(info.vertices, 1);
  clp_feature_info feature = clp_body_feature(body, CLP_VERTEX, 0);
  ck_assert_str_eq(feature.name, "point");
  ck_assert_double_eq(feature.place.z, 3);
  clp_body_destroy(body);
}

/* A frustum with a spherical cap and a disc: all three kinds of profile surface. */
TEST(revolved)
{
  const clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = 0.6, .z = -0.5},
                                      {.kind = CLP_PROFILE_LINE, .r = 0.35, .z = 0.3},
                                      {.kind = CLP_PROFILE_ARC,
                                       .r = 0,
                                       .z = 0.5 - 0.0570714214271425,
                                       .center_z = -0.0570714214271425}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, -0.5, pieces, 3};
  clp_body *body = must_create(&def);
  double height = 0.5 - 0.0570714214271425 - 0.3;
  double frustum = pi * 0.8 / 3 * (0.36 + 0.6 * 0.35 + 0.1225);
  double cap = pi * height * height * (3 * 0.5 - height) / 3;
  clp_body_info info = clp_body_describe(body);
  expect_near(info.volume, frustum + cap, 1e-9, "volume");
  ck_assert_int_eq(info.edges, 2);
  ck_assert_str_eq(clp_body_feature(body, CLP_FACE, 2).name, "s2");
  clp_body_destroy(body);
}

/* A torus turned from two half circles, and a parabola's dish: concave faces are allowed when
 * convexity is not promised, and refused when it is. */
TEST(revolved_torus)
{
  const clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_ARC, .r = 1, .z = 0.25, .center_r = 1},
                                      {.kind = CLP_PROFILE_ARC, .r = 0.75, .z = 0, .center_r = 1},
                                      {.kind = CLP_PROFILE_ARC, .r = 1, .z = -0.25, .center_r = 1}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){1, -0.25, pieces, 3};
  must_refuse(&def, CLP_FINDING_NOT_CONVEX, 1, "s1");
  def.convex = false;
  clp_body *body = must_create(&def);
  clp_body_info info = clp_body_describe(body);
  expect_near(info.volume, 2 * pi * pi * 0.0625, 1e-9, "volume");
  expect_near(info.area, 4 * pi * pi * 0.25, 1e-9, "area");
  ck_assert(!info.convex);
  clp_body_destroy(body);
}

TEST(revolved_dish)
{
  const clp_profile_piece pieces[] = {
      {.kind = CLP_PROFILE_PARABOLA, .r = 4, .z = 4, .apex_z = 0, .focal = 1},
      {.kind = CLP_PROFILE_ARC, .r = 0, .z = 2, .center_z = 7}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, 0, pieces, 2};
  must_refuse(&def, CLP_FINDING_NOT_CONVEX, 1, "s1");
  def.convex = false;
  clp_body *body = must_create(&def);
  /* Filled up to the rim the paraboloid holds pi 4^2 4 / 2; the ball's cap of height 2 is out. */
  expect_near(clp_body_describe(body).volume, 32 * pi - pi * 4 * (15 - 2) / 3, 1e-9, "volume");
  clp_body_destroy(body);
}

/* The tiled reference bodies, against the volumes of the solids they are. */
static double reference_volume(const char *name)
{
  if (strcmp(name, "cylinder") == 0)
    return pi * 0.25 * 1.4;
  if (strcmp(name, "sphere6") == 0)
    return pi / 6;
  if (strcmp(name, "topbox") == 0) /* box, and two parabolic vaults of mean height 2/3 */
    return 1.0 * 0.8 * (0.6 + 2.0 / 3 * (0.15 + 0.1));
  double height = 0.5 - 0.0570714214271425 - 0.3;
  return pi * 0.8 / 3 * (0.36 + 0.6 * 0.35 + 0.1225) + pi * height * height * (1.5 - height) / 3;
}

static const struct {
  const char *name;
  int faces, edges, smooth, vertices;
} references[] = {{"cylinder", 6, 12, 4, 8},
                  {"sphere6", 6, 12, 12, 8},
                  {"capped_frustum", 6, 12, 4, 8},
                  {"topbox", 6, 12, 0, 8}};

enum { REFERENCES = sizeof references / sizeof *references };

TEST_CASE("tilings", 20);

LOOP_TEST(reference, 0, REFERENCES)
{
  tiled t;
  tiled_load(&t, references[_i].name);
  clp_body *body = must_create(&t.def);
  clp_body_info info = clp_body_describe(body);
  ck_assert_int_eq(info.faces, references[_i].faces);
  ck_assert_int_eq(info.edges, references[_i].edges);
  ck_assert_int_eq(info.vertices, references[_i].vertices);
  int smooth = 0;
  for (uint32_t k = 0; k < (uint32_t)info.edges; ++k)
    smooth += clp_body_feature(body, CLP_EDGE, k).edge == CLP_EDGE_SMOOTH;
  ck_assert_int_eq(smooth, references[_i].smooth);
  expect_near(info.volume, reference_volume(references[_i].name), 1e-9, "volume");
  ck_assert(info.closed && info.convex && info.nice);
  clp_body_destroy(body);
}

/* Three lunes between two poles: equal names that only position tells apart, and collapsed
 * sides. */
TEST(lemon)
{
  tiled t;
  tiled_load(&t, "lemon");
  clp_body *body = must_create(&t.def);
  clp_body_info info = clp_body_describe(body);
  ck_assert_int_eq(info.faces, 3);
  ck_assert_int_eq(info.edges, 9);
  ck_assert_int_eq(info.vertices, 2);
  int collapsed = 0, sharp = 0;
  for (uint32_t k = 0; k < 9; ++k) {
    clp_edge_kind kind = clp_body_feature(body, CLP_EDGE, k).edge;
    collapsed += kind == CLP_EDGE_COLLAPSED;
    sharp += kind == CLP_EDGE_SHARP;
  }
  ck_assert_int_eq(collapsed, 6);
  ck_assert_int_eq(sharp, 3);
  for (uint32_t k = 0; k < 2; ++k) {
    clp_feature_info pole = clp_body_feature(body, CLP_VERTEX, k);
    ck_assert(pole.sharp);
    ck_assert_str_eq(pole.name, pole.place.z < 0 ? "S1|S2|S3#1" : "S1|S2|S3#2");
  }
  clp_body_destroy(body);
}

/* Both faces of an edge see it at the same place, wherever along it one looks. */
static void expect_uses_meet(const clp_body *body, double tolerance)
{
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    const clp_edge *edge = &body->edges[k];
    for (int i = 0; edge->kind != CLP_EDGE_COLLAPSED && i <= 20; ++i) {
      clp_curve_site site = clp_edge_fraction(edge, i / 20.0);
      clp_vec3 place = clp_curve_point(&edge->curve, site);
      for (int which = 0; which < 2 && edge->use[which] != CLP_NONE; ++which) {
        const clp_use *use = &body->uses[edge->use[which]];
        const clp_face *face = &body->faces[use->face];
        clp_site there = clp_edge_face_site(edge, which, use, face, site);
        double off = clp_distance(clp_surface_point(&face->surface, there), place);
        ck_assert_msg(off <= tolerance, "edge %s, use %d, fraction %g: %g m off", edge->name, which,
                      i / 20.0, off);
        ck_assert(clp_domain_margin(&face->domain, there, NULL) > -1e-9);
      }
    }
  }
}

LOOP_TEST(edges_meet_their_faces, 0, REFERENCES)
{
  tiled t;
  tiled_load(&t, references[_i].name);
  clp_body *body = must_create(&t.def);
  expect_uses_meet(body, 1e-14);
  clp_body_destroy(body);
}

LOOP_TEST(edges_of_primitives_meet_their_faces, 0, 3)
{
  static const clp_shape shapes[] = {CLP_SHAPE_BOX, CLP_SHAPE_CYLINDER, CLP_SHAPE_CAPSULE};
  clp_body_def def = clp_default_body_def(shapes[_i]);
  def.size = (clp_vec3){1, 2, 3};
  def.radius = 0.4;
  def.length = 1.1;
  clp_body *body = must_create(&def);
  expect_uses_meet(body, 1e-15);
  clp_body_destroy(body);
}

/* The corners of a vertex are at its place, and so are the ends of its edges. */
TEST(vertices_gather_their_corners)
{
  tiled t;
  tiled_load(&t, "topbox");
  clp_body *body = must_create(&t.def);
  for (uint32_t k = 0; k < body->vertex_count; ++k) {
    const clp_vertex *vertex = &body->vertices[k];
    ck_assert_uint_eq(vertex->corner_count, 3);
    ck_assert_uint_eq(vertex->end_count, 3);
    for (uint32_t i = 0; i < 3; ++i) {
      const clp_corner *corner = &body->corners[vertex->first_corner + i];
      clp_vec3 p = clp_surface_point(&body->faces[corner->face].surface, corner->site);
      ck_assert_double_le(clp_distance(p, vertex->place), 1e-15);
      const clp_edge_end *end = &body->ends[vertex->first_end + i];
      ck_assert_uint_eq(body->edges[end->edge].vertex[end->end], k);
    }
  }
  clp_body_destroy(body);
}

/* Every point of the surface is in the box and in the ball, and behind every tangent plane. */
LOOP_TEST(points_are_inside_the_bounds, 0, REFERENCES)
{
  random_state g = {.s = 7};
  tiled t;
  tiled_load(&t, references[_i].name);
  clp_body *body = must_create(&t.def);
  clp_box3 box = body->info.bounds;
  clp_face_point last = clp_body_face_point(body, 0, 0.5, 0.5);
  for (int k = 0; k < 2000; ++k) {
    uint32_t face = (uint32_t)(random_bits(&g) % body->face_count);
    clp_face_point p =
        clp_body_face_point(body, face, random_between(&g, 0, 1), random_between(&g, 0, 1));
    ck_assert(p.inside);
    ck_assert(p.place.x >= box.min.x - 1e-12 && p.place.x <= box.max.x + 1e-12);
    ck_assert(p.place.y >= box.min.y - 1e-12 && p.place.y <= box.max.y + 1e-12);
    ck_assert(p.place.z >= box.min.z - 1e-12 && p.place.z <= box.max.z + 1e-12);
    ck_assert_double_le(clp_distance(p.place, body->center), body->radius * (1 + 1e-12));
    ck_assert_double_le(clp_dot(last.normal, clp_sub(p.place, last.place)), 1e-12);
    last = p;
  }
  clp_body_destroy(body);
}

TEST_CASE("calls", 5);

TEST(wrong_calls)
{
  clp_body *body = NULL;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  ck_assert_int_eq(clp_body_create(NULL, (clp_reporter){0}, &body), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_ERROR_ARGUMENT);
  def.shape = (clp_shape)99;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_ERROR_ARGUMENT);
  def = clp_default_body_def(CLP_SHAPE_SPHERE);
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_ERROR_SHAPE);
  ck_assert_ptr_null(body);
  clp_body_destroy(NULL);
}

/* Two faces of four: more is wrong with it than one thing. */
TEST(first_defect)
{
  const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int faces[] = {0, 1, 2, 0, 1, 3};
  const int sizes[] = {3, 3};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){corners[0], 4, faces, sizes, 2};
  clp_body *body = NULL;
  findings all = {0};
  clp_finding first;
  ck_assert_int_eq(clp_body_create(&def, findings_reporter(&all), &body), CLP_ERROR_SHAPE);
  ck_assert_int_eq(clp_body_create(&def, clp_first_defect(&first), &body), CLP_ERROR_SHAPE);
  const clp_finding *expected = all.list;
  while (expected->severity != CLP_DEFECT)
    ++expected;
  ck_assert_int_gt(all.count, 1);
  ck_assert_str_eq(first.text, expected->text);
  ck_assert_int_eq(first.item, expected->item);
  def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = 1;
  ck_assert_int_eq(clp_body_create(&def, clp_first_defect(&first), &body), CLP_OK);
  ck_assert_str_eq(first.text, ""); /* not what was wrong with the one before */
  clp_body_destroy(body);
}
