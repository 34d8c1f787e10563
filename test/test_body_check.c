/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/findings.h"
#include "support/suite.h"
#include "support/tiled.h"

/* Sound bodies, damaged in one place: the checker must find the place and the amount. */

static double off_place(const clp_finding *finding, clp_vec3 expected)
{
  ck_assert(finding->has_place);
  return clp_distance(finding->place, expected);
}

/* ---- A leak ------------------------------------------------------------------------------- */

SUITE("body_check");

TEST_CASE("closedness", 20);

TEST(boundary_point_moved)
{
  tiled t;
  tiled_load(&t, "sphere6");
  int which = tiled_find(&t, "xp");
  double *p = tiled_point(&t, which, 0, 2);
  clp_body *sound = must_create(&t.def);
  clp_vec3 before = clp_body_face_point(sound, (uint32_t)which, 0, 0.5).place;
  clp_body_destroy(sound);
  p[0] += 1e-4;
  clp_finding leak = must_refuse(&t.def, CLP_FINDING_OPEN, which, "side u0 of 'xp' meets");
  /* The quartic's middle point weighs 3/8 there. */
  ck_assert_double_gt(leak.amount, 1e-5);
  ck_assert_double_lt(leak.amount, 1e-4);
  ck_assert_double_lt(off_place(&leak, before), 0.1);
}

TEST(moved_within_tolerance)
{
  tiled t;
  tiled_load(&t, "sphere6");
  tiled_point(&t, 2, 0, 2)[0] += 1e-7;
  clp_body_destroy(must_create(&t.def));
}

TEST(patch_missing)
{
  tiled t;
  tiled_load(&t, "sphere6");
  t.def.patch_count = 5;
  must_refuse(&t.def, CLP_FINDING_OPEN, 0, "meets no other side");
  t.def.closed = false;
  clp_body *body = must_create(&t.def);
  clp_body_info info = clp_body_describe(body);
  ck_assert(!info.closed);
  ck_assert_double_eq(info.volume, 0);
  int rims = 0;
  for (uint32_t k = 0; k < (uint32_t)info.edges; ++k)
    rims += clp_body_feature(body, CLP_EDGE, k).edge == CLP_EDGE_BOUNDARY;
  ck_assert_int_eq(rims, 4);
  clp_body_destroy(body);
}

/* ---- Orientation -------------------------------------------------------------------------- */

TEST_CASE("orientation", 20);

LOOP_TEST(patch_flipped, 0, 6)
{
  tiled t;
  tiled_load(&t, "topbox");
  t.patches[_i].flip = true;
  char words[64];
  snprintf(words, sizeof words, "'%s' is oriented against its neighbors", t.patches[_i].name);
  must_refuse(&t.def, CLP_FINDING_ORIENTATION, _i, words);
}

TEST(all_flipped)
{
  tiled t;
  tiled_load(&t, "lemon");
  for (int k = 0; k < t.count; ++k)
    t.patches[k].flip = true;
  must_refuse(&t.def, CLP_FINDING_ORIENTATION, -1, "all outward normals point inwards");
}

/* A band of six pieces, closed with half a twist, has no inside. */
TEST(no_orientation_fits)
{
  enum { PIECES = 6 };
  double points[PIECES][4][4];
  clp_patch_def patches[PIECES];
  static const char *names[PIECES] = {"P", "Q", "R", "S", "T", "U"};
  for (int k = 0; k < PIECES; ++k) {
    for (int corner = 0; corner < 4; ++corner) {
      double turn = 2 * 3.14159265358979323846 * (k + corner / 2) / PIECES;
      double side = corner % 2 == 1 ? 0.3 : -0.3;
      double r = 1 + side * cos(turn / 2);
      memcpy(points[k][corner], (double[4]){r * cos(turn), r * sin(turn), side * sin(turn / 2), 1},
             sizeof points[k][corner]);
    }
    patches[k] = (clp_patch_def){.name = names[k],
                                 .degree_u = 1,
                                 .degree_v = 1,
                                 .size_u = 2,
                                 .size_v = 2,
                                 .control_points = points[k][0]};
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = PIECES;
  def.closed = def.convex = false;
  findings f = {0};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&def, findings_reporter(&f), &body), CLP_ERROR_SHAPE);
  ck_assert_msg(findings_find(&f, CLP_FINDING_ORIENTATION, "no orientation fits"), "%s",
                findings_text(&f));
}

/* ---- Surface twice ------------------------------------------------------------------------ */

TEST_CASE("overlap", 20);

TEST(patch_twice)
{
  tiled t;
  tiled_load(&t, "sphere6");
  clp_patch_def patches[7];
  memcpy(patches, t.patches, 6 * sizeof *patches);
  patches[6] = patches[3];
  patches[6].name = "again";
  t.def.patches = patches;
  t.def.patch_count = 7;
  must_refuse(&t.def, CLP_FINDING_OVERLAP, 6, "surface is covered twice");
}

TEST(same_name_twice)
{
  tiled t;
  tiled_load(&t, "sphere6");
  t.patches[1].name = t.patches[0].name;
  must_refuse(&t.def, CLP_FINDING_NAME, -1, "'zp' occurs twice");
}

/* ---- Convexity ---------------------------------------------------------------------------- */

/* An interior control point of the sphere's upper patch, moved towards the center. */
static void push_in(tiled *t, double depth)
{
  double *p = tiled_point(t, tiled_find(t, "zp"), 1, 1);
  double scale = 1 - depth / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  for (int k = 0; k < 3; ++k)
    p[k] *= scale;
}

static bool dent_is_found(double depth)
{
  tiled t;
  tiled_load(&t, "sphere6");
  push_in(&t, depth);
  findings f = {0};
  clp_body *body = NULL;
  clp_status status = clp_body_create(&t.def, findings_reporter(&f), &body);
  clp_body_destroy(body);
  return status == CLP_ERROR_SHAPE && findings_find(&f, CLP_FINDING_NOT_CONVEX, "'zp'");
}

/* Whether the surface truly dents, told from many second differences of its points alone. */
static bool dent_is_there(double depth)
{
  tiled t;
  tiled_load(&t, "sphere6");
  push_in(&t, depth);
  patch p = patch_of_net(&t.nets[tiled_find(&t, "zp")]);
  bool dented = false;
  for (int i = 0; i <= 60 && !dented; ++i)
    for (int j = 0; j <= 60; ++j) {
      clp_site site = {{i / 60.0, j / 60.0, 0}};
      clp_jet jet = clp_surface_jet(&p.surface, site);
      clp_vec3 n = clp_cross(jet.u, jet.v);
      double l = clp_dot(n, jet.uu), m = clp_dot(n, jet.uv), k = clp_dot(n, jet.vv);
      dented |= l > 0 || k > 0 || l * k < m * m;
    }
  patch_free(&p);
  return dented;
}

static double threshold(bool (*dented)(double))
{
  double lo = 0, hi = 0.2;
  for (int k = 0; k < 24; ++k) {
    double middle = 0.5 * (lo + hi);
    if (dented(middle))
      hi = middle;
    else
      lo = middle;
  }
  return hi;
}

TEST_CASE("convexity", 60);

/* The smallest dent that is found is the smallest that there is, to what a grid can tell. */
TEST(interior_point_pushed_in)
{
  double there = threshold(dent_is_there), found = threshold(dent_is_found);
  ck_assert_msg(fabs(found - there) <= 2e-3 * there, "dent from %g m on, found from %g m on", there,
                found);
  ck_assert_double_eq_tol(found, 0.09005, 1e-5);
}

/* z = x y over a square. */
TEST(saddle_declared_convex)
{
  static const double points[4][4] = {{-1, -1, 1, 1}, {-1, 1, -1, 1}, {1, -1, -1, 1}, {1, 1, 1, 1}};
  clp_patch_def def_patch = {.name = "saddle",
                             .degree_u = 1,
                             .degree_v = 1,
                             .size_u = 2,
                             .size_v = 2,
                             .control_points = points[0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = &def_patch;
  def.patch_count = 1;
  def.closed = false;
  clp_finding saddle = must_refuse(&def, CLP_FINDING_NOT_CONVEX, 0, "'saddle' is not convex");
  ck_assert_double_gt(saddle.amount, 0.1); /* curvature is 1 in the middle, 1/3 at the corners */
  ck_assert_double_le(saddle.amount, 1.0 + 1e-9);
  def.convex = false;
  clp_body *body = must_create(&def);
  ck_assert(!clp_body_describe(body).convex);
  clp_body_destroy(body);
}

/* ---- Polyhedra ---------------------------------------------------------------------------- */

typedef struct solid {
  double vertices[16][3];
  int vertex_count;
  int faces[64], sizes[16];
  int face_count;
} solid;

static clp_body_def solid_def(const solid *s)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron =
      (clp_polyhedron_def){s->vertices[0], s->vertex_count, s->faces, s->sizes, s->face_count};
  return def;
}

/* An L-shaped prism, its two L faces divided into convex ones. */
static const solid l_prism = {{{0, 0, 0},
                               {2, 0, 0},
                               {2, 1, 0},
                               {1, 1, 0},
                               {1, 2, 0},
                               {0, 2, 0},
                               {0, 0, 1},
                               {2, 0, 1},
                               {2, 1, 1},
                               {1, 1, 1},
                               {1, 2, 1},
                               {0, 2, 1}},
                              12,
                              {0, 3, 2, 1, 0, 5, 4, 3, 6, 7, 8,  9, 6, 9, 10, 11, 0, 1, 7, 6,
                               1, 2, 8, 7, 2, 3, 9, 8, 3, 4, 10, 9, 4, 5, 11, 10, 5, 0, 6, 11},
                              {4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
                              10};

TEST(polyhedron_not_convex)
{
  clp_body_def def = solid_def(&l_prism);
  clp_finding found = must_refuse(&def, CLP_FINDING_NOT_CONVEX, 6, "between 'f6' and 'f7'");
  ck_assert_double_lt(off_place(&found, (clp_vec3){1, 1, 0.5}), 1e-9);
  ck_assert_double_eq_tol(found.amount, acos(0), 1e-12);
  def.convex = false;
  clp_body *body = must_create(&def);
  ck_assert_double_eq_tol(clp_body_describe(body).volume, 3, 1e-12);
  ck_assert_double_eq_tol(clp_body_describe(body).area, 14, 1e-12);
  clp_body_destroy(body);
}

TEST(polyhedron_face_not_planar)
{
  solid s = l_prism;
  s.vertices[9][2] += 1e-6;
  clp_body_def def = solid_def(&s);
  def.convex = false;
  clp_finding found = must_refuse(&def, CLP_FINDING_NOT_PLANAR, 2, "face f2 is not planar");
  ck_assert_double_lt(found.amount, 1e-6);
  ck_assert_double_gt(found.amount, 1e-8);
}

TEST(polyhedron_face_not_convex)
{
  solid s = l_prism;
  static const int whole[6] = {0, 5, 4, 3, 2, 1};
  memmove(s.faces + 6, s.faces + 8, 32 * sizeof *s.faces);
  memcpy(s.faces, whole, sizeof whole);
  s.sizes[0] = 6;
  s.face_count = 9;
  clp_body_def def = solid_def(&s);
  def.convex = false;
  clp_finding found = must_refuse(&def, CLP_FINDING_NOT_CONVEX, 0, "divide it into convex faces");
  ck_assert_int_eq(found.number, 3); /* vertex 3 is the fourth of the list */
}

TEST(polyhedron_bad_numbers)
{
  solid s = l_prism;
  s.faces[5] = 12;
  clp_body_def def = solid_def(&s);
  clp_finding found = must_refuse(&def, CLP_FINDING_COUNT, 1, "names vertex 12");
  ck_assert_int_eq(found.number, 5);
  s = l_prism;
  s.faces[5] = 0;
  def = solid_def(&s);
  must_refuse(&def, CLP_FINDING_COUNT, 1, "twice in a row");
  s = l_prism;
  s.sizes[9] = 2;
  def = solid_def(&s);
  must_refuse(&def, CLP_FINDING_COUNT, 9, "2 corners");
  s = l_prism;
  s.vertices[4][1] = nan("");
  def = solid_def(&s);
  must_refuse(&def, CLP_FINDING_NUMBER, -1, "vertex 4");
}

TEST_CASE("overlap", 20);

/* Two tetrahedra in one part share nothing. */
TEST(two_shells)
{
  static const int faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  solid s = {.vertex_count = 8, .face_count = 8};
  for (int k = 0; k < 8; ++k) {
    const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(s.vertices[k], corner[k % 4], sizeof corner[0]);
    s.vertices[k][0] += 3.0 * (k / 4);
    s.sizes[k] = 3;
  }
  for (int k = 0; k < 24; ++k)
    s.faces[k] = faces[k % 12] + 4 * (k / 12);
  clp_body_def def = solid_def(&s);
  must_refuse(&def, CLP_FINDING_NOT_CONVEX, -1, "2 shells");
}

static clp_vec3 star_corner(int k, double z)
{
  double angle = 2 * 2 * 3.14159265358979323846 * (k % 5) / 5;
  return (clp_vec3){cos(angle), sin(angle), z};
}

/* A pyramid over a pentagram: all edges are convex, the apex is not. */
TEST(apex_wound_twice)
{
  solid s = {.vertex_count = 7, .face_count = 10, .vertices = {[5] = {0, 0, 1}, [6] = {0, 0, -1}}};
  for (int k = 0; k < 5; ++k) {
    clp_vec3 p = star_corner(k, 0);
    memcpy(s.vertices[k], &p, sizeof p);
    const int pair[6] = {k, (k + 1) % 5, 5, (k + 1) % 5, k, 6};
    memcpy(s.faces + 6 * k, pair, sizeof pair);
    s.sizes[2 * k] = s.sizes[2 * k + 1] = 3;
  }
  clp_body_def def = solid_def(&s);
  must_refuse(&def, CLP_FINDING_NOT_CONVEX, 0, "the corner at");
}

/* A prism over a pentagram, top and bottom as fans: convex at every edge and every corner, but it
 * goes round twice, which only shows from afar. */
TEST(wound_twice)
{
  solid s = {
      .vertex_count = 12, .face_count = 15, .vertices = {[10] = {0, 0, 1}, [11] = {0, 0, -1}}};
  int *next = s.faces;
  for (int k = 0; k < 5; ++k) {
    int b = (k + 1) % 5;
    clp_vec3 top = star_corner(k, 1), bottom = star_corner(k, -1);
    memcpy(s.vertices[k], &top, sizeof top);
    memcpy(s.vertices[5 + k], &bottom, sizeof bottom);
    const int faces[10] = {5 + k, 5 + b, b, k, k, b, 10, 5 + b, 5 + k, 11};
    memcpy(next, faces, sizeof faces);
    next += 10;
    s.sizes[3 * k] = 4;
    s.sizes[3 * k + 1] = s.sizes[3 * k + 2] = 3;
  }
  clp_body_def def = solid_def(&s);
  findings f = {0};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&def, findings_reporter(&f), &body), CLP_ERROR_SHAPE);
  ck_assert_int_eq(f.count, 1);
  ck_assert_msg(findings_find(&f, CLP_FINDING_OVERLAP, "winds round more than once"), "%s",
                findings_text(&f));
}

/* ---- Profiles ----------------------------------------------------------------------------- */

TEST_CASE("numbers", 20);

TEST(profile_reversed)
{
  const clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = 1, .z = 1},
                                      {.kind = CLP_PROFILE_LINE, .r = 1, .z = 0},
                                      {.kind = CLP_PROFILE_LINE, .r = 0, .z = 0}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, 1, pieces, 3};
  must_refuse(&def, CLP_FINDING_ORIENTATION, -1, "solid to the left");
}

TEST(profile_open)
{
  const clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = 1, .z = 0},
                                      {.kind = CLP_PROFILE_LINE, .r = 1, .z = 1},
                                      {.kind = CLP_PROFILE_LINE, .r = 0.5, .z = 1}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, 0, pieces, 3};
  must_refuse(&def, CLP_FINDING_OPEN, -1, "expected both ends on the axis");
}

TEST(profile_numbers)
{
  clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = 1, .z = 0},
                                {.kind = CLP_PROFILE_ARC, .r = 0, .z = 1.1, .center_z = 0}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, 0, pieces, 2};
  must_refuse(&def, CLP_FINDING_NUMBER, 1, "expected one radius");
  pieces[1] = (clp_profile_piece){.kind = CLP_PROFILE_PARABOLA, .r = 0, .z = 1, .focal = 1};
  must_refuse(&def, CLP_FINDING_NUMBER, 1, "m off r^2");
  pieces[1] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = -1, .z = 1};
  must_refuse(&def, CLP_FINDING_NUMBER, 1, "expected finite numbers and r >= 0");
  pieces[1] = pieces[0];
  must_refuse(&def, CLP_FINDING_DEGENERATE, 1, "ends where it starts");
}

/* ---- Splines' numbers --------------------------------------------------------------------- */

TEST(spline_numbers)
{
  tiled t;
  tiled_load(&t, "lemon");
  tiled_point(&t, 1, 1, 1)[3] = 0;
  clp_finding found = must_refuse(&t.def, CLP_FINDING_NUMBER, 1, "weight 0");
  ck_assert_int_eq(found.number, 4 * 4 + 3);
  tiled_point(&t, 1, 1, 1)[3] = 1;
  tiled_point(&t, 1, 1, 1)[0] = HUGE_VAL;
  must_refuse(&t.def, CLP_FINDING_NUMBER, 1, "coordinate inf");
  static const double falling[6] = {0, 0, 0, 1, 1, 0.5};
  tiled_load(&t, "lemon");
  t.patches[2].knots_v = falling;
  found = must_refuse(&t.def, CLP_FINDING_KNOTS, 2, "not below the one before it");
  ck_assert_int_eq(found.number, 5);
  ck_assert(found.in_knots_v);
  tiled_load(&t, "lemon");
  t.patches[0].degree_u = 10;
  must_refuse(&t.def, CLP_FINDING_COUNT, 0, "degree 10");
  tiled_load(&t, "lemon");
  t.patches[0].size_u = 4;
  must_refuse(&t.def, CLP_FINDING_COUNT, 0, "expected without knots exactly 3");
  tiled_load(&t, "lemon");
  t.patches[0].name = "a|b";
  must_refuse(&t.def, CLP_FINDING_NAME, 0, "'a|b'");
}

TEST(degenerate_patch)
{
  tiled t;
  tiled_load(&t, "lemon");
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      memcpy(tiled_point(&t, 0, i, j), tiled_point(&t, 0, 0, j), 4 * sizeof(double));
  must_refuse(&t.def, CLP_FINDING_DEGENERATE, 0, "has no area");
}

/* However much is wrong, the reports stay few. */
TEST(many_findings)
{
  enum { FACES = 400 };
  static double vertices[3 * FACES][3];
  static int faces[3 * FACES], sizes[FACES];
  for (int k = 0; k < 3 * FACES; ++k) {
    vertices[k][0] = k / 3 + (k % 3 == 1 ? 0.5 : 0);
    vertices[k][1] = k % 3 == 2 ? 0.5 : 0;
    faces[k] = k;
    sizes[k / 3] = 3;
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices[0], 3 * FACES, faces, sizes, FACES};
  findings f = {0};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&def, findings_reporter(&f), &body), CLP_ERROR_SHAPE);
  ck_assert_int_eq(f.count, 41);
  ck_assert(strstr(f.list[40].text, "more findings"));
}
