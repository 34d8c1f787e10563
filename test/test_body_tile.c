/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/findings.h"
#include "support/suite.h"
#include "support/tiled.h"

/* How patches become faces and sides become edges: cutting, T-junctions, other parametrisations,
 * seams; and planar bodies. */

static const double pi = 3.14159265358979323846;

/* Every edge has two faces that see it at the same place. */
static void expect_tight(const clp_body *body, double tolerance)
{
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    const clp_edge *edge = &body->edges[k];
    for (int i = 0; edge->kind != CLP_EDGE_COLLAPSED && i <= 10; ++i) {
      clp_curve_site site = clp_edge_fraction(edge, i / 10.0);
      const clp_use *use = &body->uses[edge->use[1]];
      const clp_face *face = &body->faces[use->face];
      clp_vec3 there =
          clp_surface_point(&face->surface, clp_edge_face_site(edge, 1, use, face, site));
      double off = clp_distance(clp_curve_point(&edge->curve, site), there);
      ck_assert_msg(off <= tolerance, "edge %s at %d/10: %g m off", edge->name, i, off);
    }
  }
}

static const clp_face *find_face(const clp_body *body, const char *name)
{
  for (uint32_t k = 0; k < body->face_count; ++k)
    if (strcmp(body->faces[k].name, name) == 0)
      return &body->faces[k];
  ck_abort_msg("no face '%s'", name);
  return NULL;
}

/* ---- The same curve written differently --------------------------------------------------- */

SUITE("body_tile");

TEST_CASE("tiling", 20);

/* Weights times c^i leave a Bezier curve where it is and move its parameter. */
TEST(other_parametrisation)
{
  tiled t;
  tiled_load(&t, "cylinder");
  int which = tiled_find(&t, "lat_0");
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      tiled_point(&t, which, i, j)[3] *= pow(1.7, i);
  clp_body *body = must_create(&t.def);
  int projected = 0;
  for (uint32_t k = 0; k < body->edge_count; ++k)
    projected += !body->uses[body->edges[k].use[1]].affine;
  ck_assert_int_eq(projected, 2); /* its two arcs; its straight sides stay as they were */
  ck_assert_double_eq_tol(body->info.volume, pi * 0.25 * 1.4, 1e-9);
  expect_tight(body, 1e-14);
  clp_body_destroy(body);
}

/* ---- Cutting ------------------------------------------------------------------------------ */

typedef struct bar {
  double side[4][2][4]; /* half a cylinder's side, in one cubic patch */
  double back[2][2][4];
  double end[2][4][2][4]; /* half discs, ruled between arc and chord */
  clp_patch_def patches[4];
  clp_body_def def;
} bar;

static void put(double to[4], double x, double y, double z, double w)
{
  memcpy(to, (double[4]){x, y, z, w}, 4 * sizeof(double));
}

static clp_patch_def net_of(const char *name, int size_u, const double *points)
{
  return (clp_patch_def){.name = name,
                         .degree_u = size_u - 1,
                         .degree_v = 1,
                         .size_u = size_u,
                         .size_v = 2,
                         .control_points = points};
}

/* A half cylinder of radius and length 1. A rational cubic is a half circle: (1,0), (1,2), (-1,2),
 * (-1,0) with weights 1, 1/3, 1/3, 1. The normals of its side span exactly half a turn. */
static void make_bar(bar *b)
{
  static const double arc[4][3] = {{1, 0, 1}, {1, 2, 1.0 / 3}, {-1, 2, 1.0 / 3}, {-1, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    double x = arc[i][0], y = arc[i][1], w = arc[i][2], chord = 1 - 2 * i / 3.0;
    for (int j = 0; j < 2; ++j) {
      put(b->side[i][j], x, y, 1 - j, w);
      put(b->end[j][i][j], chord, 0, j, w);
      put(b->end[j][i][1 - j], x, y, j, w);
    }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      put(b->back[i][j], 1 - 2 * i, 0, j, 1);
  b->patches[0] = net_of("side", 4, b->side[0][0]);
  b->patches[1] = net_of("back", 2, b->back[0][0]);
  b->patches[2] = net_of("low", 4, b->end[0][0][0]);
  b->patches[3] = net_of("high", 4, b->end[1][0][0]);
  b->patches[0].flip = b->patches[1].flip = true; /* their u x v, this way round, looks inwards */
  b->def = clp_default_body_def(CLP_SHAPE_PATCHES);
  b->def.patches = b->patches;
  b->def.patch_count = 4;
}

/* The side is cut in two, so the half discs' arcs meet two faces each: T-junctions. */
TEST(not_nice_is_split)
{
  bar b;
  make_bar(&b);
  findings f = {0};
  clp_body *body = NULL;
  clp_status status = clp_body_create(&b.def, findings_reporter(&f), &body);
  ck_assert_msg(status == CLP_OK, "%s", findings_text(&f));
  const clp_finding *note = findings_find(&f, CLP_FINDING_NOT_NICE, "'side' is not nice");
  ck_assert(note && note->severity == CLP_NOTE && note->item == 0);
  clp_body_info info = clp_body_describe(body);
  ck_assert(!info.nice);
  ck_assert_int_eq(info.faces, 5);
  ck_assert_int_eq(info.edges, 13); /* and the half discs have two collapsed sides each */
  ck_assert_int_eq(info.vertices, 6);
  ck_assert_double_eq_tol(info.volume, pi / 2, 1e-9);
  ck_assert_double_eq_tol(info.area, pi + 2 + pi, 1e-8);
  ck_assert_str_eq(find_face(body, "side.1")->name, "side.1");
  ck_assert_int_eq((int)find_face(body, "low")->use_count, 5);
  expect_tight(body, 1e-14);
  clp_body_destroy(body);
}

/* A box whose top is two patches: the sides of its walls are divided where these meet. */
TEST(t_junction)
{
  static const double x[3] = {-1, 0.25, 1};
  double points[7][2][2][4];
  static const char *names[7] = {"x-", "x+", "y-", "y+", "z-", "top1", "top2"};
  clp_patch_def patches[7];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      double a = 2 * i - 1, b = 2 * j - 1;
      put(points[0][i][j], -1, b, a, 1);
      put(points[1][i][j], 1, a, b, 1);
      put(points[2][i][j], a, -1, b, 1);
      put(points[3][i][j], b, 1, a, 1);
      put(points[4][i][j], b, a, -1, 1);
      put(points[5][i][j], x[i], b, 1, 1);
      put(points[6][i][j], x[i + 1], b, 1, 1);
    }
  for (int k = 0; k < 7; ++k)
    patches[k] = net_of(names[k], 2, points[k][0][0]);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = 7;
  clp_body *body = must_create(&def);
  clp_body_info info = clp_body_describe(body);
  ck_assert_int_eq(info.edges, 15); /* 12, two of them halved, and the seam on top */
  ck_assert_int_eq(info.vertices, 10);
  ck_assert_double_eq_tol(info.volume, 8, 1e-12);
  ck_assert_int_eq((int)find_face(body, "y+")->use_count, 5);
  for (uint32_t k = 0; k < body->edge_count; ++k)
    if (strcmp(body->edges[k].name, "top1|top2") == 0)
      ck_assert_int_eq(body->edges[k].kind, CLP_EDGE_SMOOTH);
  expect_tight(body, 1e-15);
  clp_body_destroy(body);
}

/* A full turn in one patch, as CAD writes it: nine points, double knots. It is continuous only at
 * these knots and becomes four faces whose seams are smooth. */
TEST(full_turn_patch)
{
  static const double ring[9][3] = {{1, 0, 1},   {1, 1, 0},  {0, 1, 1},  {-1, 1, 0}, {-1, 0, 1},
                                    {-1, -1, 0}, {0, -1, 1}, {1, -1, 0}, {1, 0, 1}};
  static const double knots[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
  static const double knots_v[4] = {0, 0, 1, 1};
  double points[9][2][4];
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 2; ++j)
      put(points[i][j], ring[i][0], ring[i][1], j, ring[i][2] == 1 ? 1 : sqrt(0.5));
  clp_patch_def wall = net_of("wall", 9, points[0][0]);
  wall.degree_u = 2;
  wall.knots_u = knots;
  wall.knots_v = knots_v;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = &wall;
  def.patch_count = 1;
  def.closed = false;
  clp_body *body = must_create(&def);
  clp_body_info info = clp_body_describe(body);
  ck_assert_int_eq(info.faces, 4);
  ck_assert_double_eq_tol(info.area, 2 * pi, 1e-9);
  int smooth = 0, rims = 0;
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    smooth += body->edges[k].kind == CLP_EDGE_SMOOTH;
    rims += body->edges[k].kind == CLP_EDGE_BOUNDARY;
  }
  ck_assert_int_eq(smooth, 4);
  ck_assert_int_eq(rims, 8);
  clp_body_destroy(body);
}

/* ---- Planar bodies ------------------------------------------------------------------------ */

/* A disc of radius 2 as four quarter circles, or all in one curve. */
static const double quarters[9][3] = {
    {2, 0, 1},  {2, 2, 0.70710678118654752},   {0, 2, 1},  {-2, 2, 0.70710678118654752},
    {-2, 0, 1}, {-2, -2, 0.70710678118654752}, {0, -2, 1}, {2, -2, 0.70710678118654752},
    {2, 0, 1}};

TEST_CASE("planar", 20);

TEST(planar_disc)
{
  static const double knots[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
  clp_curve_def curve = {
      .name = "C", .degree = 2, .size = 9, .knots = knots, .control_points = quarters[0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = &curve;
  def.curve_count = 1;
  clp_body *body = must_create(&def);
  clp_body_info info = clp_body_describe(body);
  ck_assert(info.planar && info.closed && info.convex);
  ck_assert_int_eq(info.edges, 4);
  ck_assert_int_eq(info.vertices, 4);
  ck_assert_double_eq_tol(info.area, 4 * pi, 1e-9);
  ck_assert_double_eq(info.volume, 0);
  ck_assert_double_eq_tol(info.bounds.min.x, -2, 1e-12);
  ck_assert_double_eq_tol(info.bounds.max.y, 2, 1e-12);
  for (uint32_t k = 0; k < 4; ++k) {
    ck_assert_int_eq(body->edges[k].kind, CLP_EDGE_CURVE);
    ck_assert(!body->vertices[k].sharp);
  }
  clp_body_destroy(body);
}

typedef struct triangle {
  double points[3][2][3];
  clp_curve_def curves[3];
  clp_body_def def;
} triangle;

static void make_triangle(triangle *t, const double corners[3][2])
{
  static const char *names[3] = {"A", "B", "C"};
  for (int k = 0; k < 3; ++k) {
    for (int end = 0; end < 2; ++end) {
      const double *p = corners[(k + end) % 3];
      memcpy(t->points[k][end], (double[3]){p[0], p[1], 1}, 3 * sizeof(double));
    }
    t->curves[k] = (clp_curve_def){
        .name = names[k], .degree = 1, .size = 2, .control_points = t->points[k][0]};
  }
  t->def = clp_default_body_def(CLP_SHAPE_CURVES);
  t->def.curves = t->curves;
  t->def.curve_count = 3;
}

static const double left_turns[3][2] = {{0, 0}, {3, 0}, {0, 4}};

TEST(planar_triangle)
{
  triangle t;
  make_triangle(&t, left_turns);
  clp_body *body = must_create(&t.def);
  ck_assert_double_eq_tol(body->info.area, 6, 1e-12);
  ck_assert_str_eq(body->edges[1].name, "B");
  int corners = 0;
  for (uint32_t k = 0; k < 3; ++k) {
    ck_assert(body->vertices[k].sharp);
    corners += strcmp(body->vertices[k].name, "A|B") == 0;
  }
  ck_assert_int_eq(corners, 1);
  clp_body_destroy(body);
}

TEST(planar_defects)
{
  triangle t;
  static const double right_turns[3][2] = {{0, 0}, {0, 4}, {3, 0}};
  make_triangle(&t, right_turns);
  findings f = {0};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&t.def, findings_reporter(&f), &body), CLP_ERROR_SHAPE);
  make_triangle(&t, right_turns);
  t.def.convex = false;
  must_refuse(&t.def, CLP_FINDING_ORIENTATION, -1, "clockwise");
  make_triangle(&t, left_turns);
  t.points[1][1][0] += 0.01;
  must_refuse(&t.def, CLP_FINDING_OPEN, 1, "'B' ends at");
  make_triangle(&t, left_turns);
  memcpy(t.points[2][0], (double[3]){0, 0, 1}, 3 * sizeof(double));
  memcpy(t.points[2][1], (double[3]){0, 4, 1}, 3 * sizeof(double));
  must_refuse(&t.def, CLP_FINDING_ORIENTATION, 2, "both");
}

TEST(planar_dent)
{
  static const double dented[3][3] = {{3, 0, 1}, {1, 1, 1}, {0, 4, 1}};
  triangle t;
  make_triangle(&t, left_turns);
  t.curves[1].degree = 2;
  t.curves[1].size = 3;
  t.curves[1].control_points = dented[0];
  clp_finding found = must_refuse(&t.def, CLP_FINDING_NOT_CONVEX, 1, "curve 'B' is not convex");
  ck_assert_double_gt(found.amount, 0.1);
  t.def.convex = false;
  clp_body_destroy(must_create(&t.def));
}
