/* SPDX-License-Identifier: Apache-2.0 */
/* The farthest place of a body along a direction: against closed forms written here, against the
 * branch and bound of clp_face_support, and against dense samples. */

#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/bounds.h"
#include "support/amount.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/tiled.h"

/* Mostly random, but also along axes and next to them. */
static clp_vec3 some_direction(random_state *g, int k)
{
  clp_vec3 n = random_direction(g);
  double small = k % 8 == 2 ? 0 : 1e-4;
  if (k % 4 == 1)
    n = (clp_vec3){small * n.x, small * n.y, n.z};
  else if (k % 4 == 2)
    n = (clp_vec3){n.x, small * n.y, small * n.z};
  return clp_unit(n);
}

/* The value is right, it is that of the spot, and it is proven to `proof`. */
static void expect_proven(const clp_body *body, clp_vec3 n, double height, double slack,
                          double proof)
{
  clp_support s = clp_support_find(body, n);
  ck_assert_double_eq_tol(s.value, height, slack);
  ck_assert_double_eq_tol(clp_dot(n, clp_spot_point(body, s.spot)), s.value, slack);
  ck_assert_double_le(clp_distance(s.p, clp_spot_point(body, s.spot)), 0);
  double bound = clp_support_bound(body, s.spot, n);
  ck_assert_double_ge(bound, height);
  ck_assert_msg(bound <= s.value + proof, "%.3g at %.17g %.17g %.17g", bound - s.value, n.x, n.y,
                n.z);
}

static void expect_height(const clp_body *body, clp_vec3 n, double height, double slack)
{
  expect_proven(body, n, height, slack, 10 * slack);
}

SUITE("support");

TEST_CASE("closed forms", 20);

/* What is no direction finds some place, proves nothing and leads nowhere else. */
TEST(no_direction)
{
  const double none = (double)NAN;
  clp_body *bodies[] = {make_shape(CLP_SHAPE_ELLIPSOID, (clp_vec3){1, 0.7, 0.5}, 0, 0),
                        make_shape(CLP_SHAPE_BOX, (clp_vec3){1, 0.8, 0.6}, 0, 0),
                        make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1.2)};
  for (int k = 0; k < 3; ++k) {
    clp_support s = clp_support_find(bodies[k], (clp_vec3){none, none, none});
    ck_assert(!(s.value > -HUGE_VAL));
    ck_assert(!(clp_support_bound(bodies[k], s.spot, (clp_vec3){none, 0, 0}) > -HUGE_VAL));
    clp_body_destroy(bodies[k]);
  }
}

TEST(closed_forms)
{
  clp_body *box = make_shape(CLP_SHAPE_BOX, (clp_vec3){1, 0.8, 0.6}, 0, 0);
  clp_body *ellipsoid = make_shape(CLP_SHAPE_ELLIPSOID, (clp_vec3){1, 0.7, 0.5}, 0, 0);
  clp_body *cylinder = make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1.2);
  clp_body *capsule = make_shape(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.3, 0.7);
  clp_body *point = make_shape(CLP_SHAPE_POINT, (clp_vec3){0.3, -0.2, 0.9}, 0, 0);
  random_state g = {1};
  for (int k = 0, count = amount_of(20000); k < count; ++k) {
    clp_vec3 n = some_direction(&g, k);
    double across = hypot(n.x, n.y);
    expect_height(box, n, 0.5 * fabs(n.x) + 0.4 * fabs(n.y) + 0.3 * fabs(n.z), 1e-14);
    expect_height(ellipsoid, n, clp_norm((clp_vec3){n.x, 0.7 * n.y, 0.5 * n.z}), 1e-14);
    expect_height(cylinder, n, 0.4 * across + 0.6 * fabs(n.z), 1e-14);
    expect_height(capsule, n, 0.3 + 0.35 * fabs(n.z), 1e-14);
    expect_height(point, n, 0.3 * n.x - 0.2 * n.y + 0.9 * n.z, 1e-14);
  }
  clp_body_destroy(box);
  clp_body_destroy(ellipsoid);
  clp_body_destroy(cylinder);
  clp_body_destroy(capsule);
  clp_body_destroy(point);
}

/* Lids, or a tip, at both ends. */
static clp_body *make_turned(double low, double high)
{
  const clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = low, .z = -0.4},
                                      {.kind = CLP_PROFILE_LINE, .r = high, .z = 0.6},
                                      {.kind = CLP_PROFILE_LINE, .r = 0, .z = 0.6}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  const int first = low > 0 ? 0 : 1, last = high > 0 ? 3 : 2;
  def.revolved = (clp_revolved_def){0, -0.4, pieces + first, last - first};
  return must_create(&def);
}

static clp_body *make_known(int kind)
{
  switch (kind) {
    case 0:
      return make_shape(CLP_SHAPE_BOX, (clp_vec3){1, 0.8, 1e-3}, 0, 0);
    case 1:
      return make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1e-3);
    case 2:
      return make_shape(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.3, 0.7);
    default:
      return make_turned(kind == 3 ? 0 : 0.5, kind == 4 ? 0 : 0.3);
  }
}

/* Next to where whole faces, edges and generators are farthest, and anywhere. */
static clp_vec3 known_direction(random_state *g, const clp_body *body)
{
  const clp_frustum *f = &body->frustum;
  const double off = pow(10, random_between(g, -14, 0)), turn = random_between(g, -3, 3);
  clp_vec3 n = random_direction(g);
  const uint64_t kind = random_bits(g) % 8;
  if (kind == 7 && f->length > 0) /* along a generator's normal */
    return clp_unit(clp_add_scaled(
        (clp_vec3){f->along_z * cos(turn), f->along_z * sin(turn), -f->along_r}, off, n));
  n.x *= kind & 1 ? off : 1;
  n.y *= kind & 2 ? off : 1;
  n.z *= kind & 4 ? off : 1;
  return clp_unit(n);
}

/* What is found at once is what the search over all features finds, which those bodies make that
 * nobody knows to be boxes, cylinders, capsules and cones. */
LOOP_TEST(found_at_once, 0, 6)
{
  clp_body *body = make_known(_i), unknown = *body;
  random_state g = {9};
  int sooner = 0;
  const int count = amount_of(20000);
  unknown.box = (clp_vec3){0, 0, 0};
  unknown.cylinder.radius = unknown.sweep.half = unknown.frustum.length = 0;
  for (int k = 0; k < count; ++k) {
    const clp_vec3 n = known_direction(&g, body);
    const clp_support s = clp_support_find(body, n), all = clp_support_find(&unknown, n);
    ck_assert(clp_spot_same_feature(&s.spot, &all.spot));
    ck_assert(clp_distance(s.p, all.p) == 0 && s.value == all.value);
    sooner += s.effort < all.effort;
  }
  ck_assert_int_gt(sooner, count / 2);
  clp_body_destroy(body);
}

/* A thousand times longer than wide, and from a millimeter to a kilometer. */
TEST(extreme_sizes)
{
  static const clp_vec3 radii[5] = {
      {1, 1e-3, 1e-3}, {1, 1, 1e-3}, {1e-3, 7e-4, 5e-4}, {1000, 700, 500}, {1000, 1, 1}};
  random_state g = {2};
  for (int i = 0; i < 5; ++i) {
    clp_body *body = make_shape(CLP_SHAPE_ELLIPSOID, radii[i], 0, 0);
    for (int k = 0, count = amount_of(4000); k < count; ++k) {
      clp_vec3 n = some_direction(&g, k), r = radii[i];
      double height = clp_norm((clp_vec3){r.x * n.x, r.y * n.y, r.z * n.z});
      expect_height(body, n, height, 1e-12 * body->size);
    }
    clp_body_destroy(body);
  }
}

TEST_CASE("splines", 60);

LOOP_TEST(splines, 0, 5)
{
  static const char *const names[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  clp_body *body = make_tiled(names[_i]);
  random_state g = {3};
  for (int k = 0, count = amount_of(3000); k < count; ++k) {
    clp_vec3 n = some_direction(&g, k);
    double height = -HUGE_VAL;
    for (uint32_t f = 0; f < body->face_count; ++f)
      height = fmax(height, clp_face_support(&body->faces[f].surface, &body->faces[f].domain, n,
                                             1e-12, NULL));
    clp_support s = clp_support_find(body, n);
    ck_assert_double_eq_tol(s.value, height, 2e-12);
    ck_assert_double_ge(clp_support_bound(body, s.spot, n), height - 2e-12);
    ck_assert_double_le(clp_support_bound(body, s.spot, n), s.value + 1e-9); /* normals' rounding */
  }
  clp_body_destroy(body);
}

/* By the height alone as by vectors: values, derivatives, and the highest of a grid's middles. */
LOOP_TEST(heights_are_those_of_places, 0, 5)
{
  static const char *const names[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  clp_body *body = make_tiled(names[_i]);
  random_state g = {9};
  for (int k = 0, count = amount_of(3000); k < count; ++k) {
    const clp_face *face = &body->faces[random_bits(&g) % body->face_count];
    const clp_nurbs *nurbs = clp_surface_spline(&face->surface);
    const double *lo = face->domain.lo, *hi = face->domain.hi;
    double u = random_between(&g, lo[0], hi[0]), v = random_between(&g, lo[1], hi[1]);
    clp_vec3 n = random_direction(&g);
    clp_height_form form = {.block = NULL};
    int effort = 0;
    if (!nurbs)
      continue;
    clp_height_form_at(nurbs, n, u, v, &form);
    clp_spline_height h = clp_form_height(&form, u, v);
    clp_jet jet = clp_surface_jet(&face->surface, (clp_site){{u, v, 0}});
    const double values[6][2] = {{h.p, clp_dot(n, jet.p)},   {h.u, clp_dot(n, jet.u)},
                                 {h.v, clp_dot(n, jet.v)},   {h.uu, clp_dot(n, jet.uu)},
                                 {h.uv, clp_dot(n, jet.uv)}, {h.vv, clp_dot(n, jet.vv)}};
    for (int i = 0; i < 6; ++i)
      ck_assert_double_eq_tol(values[i][0], values[i][1], 1e-11 * (1 + fabs(values[i][1])));
    clp_spline_place best = clp_support_sample(face, n, &effort);
    clp_vec3 p = clp_surface_point(&face->surface, (clp_site){{best.u, best.v, 0}});
    ck_assert_double_eq_tol(best.height, clp_dot(n, p), 1e-13);
    ck_assert_int_gt(effort, 0);
  }
  clp_body_destroy(body);
}

/* The corners of a sphere of six patches have one normal each; a lemon's tips do not. */
TEST(round_vertices)
{
  clp_body *sphere = make_tiled("sphere6"), *lemon = make_tiled("lemon");
  ck_assert_int_eq(sphere->vertex_count, 8);
  for (uint32_t k = 0; k < sphere->vertex_count; ++k) {
    const clp_vertex *vertex = &sphere->vertices[k];
    ck_assert(vertex->round && vertex->bent);
    ck_assert_double_le(clp_distance(vertex->normal.n, clp_unit(vertex->place)), 1e-12);
    for (uint32_t i = 0; i < vertex->end_count; ++i)
      ck_assert_double_le(fabs(clp_dot(sphere->ends[vertex->first_end + i].away, vertex->normal.n)),
                          1e-12);
  }
  for (uint32_t k = 0; k < lemon->vertex_count; ++k)
    ck_assert(!lemon->vertices[k].round && !lemon->vertices[k].bent);
  clp_body_destroy(lemon);
  clp_body_destroy(sphere);
}

/* A cylinder of radius 1 and length 2 from two half shells of two spans each and two end faces of
 * one patch whose corners meet: knots inside, collapsed sides, singular corners. */
static const double half_knots[8] = {0, 0, 0, 0.5, 0.5, 1, 1, 1};

static void half_circle(int turn, double z, double points[5][4])
{
  static const double arc[5][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}};
  for (int k = 0; k < 5; ++k) {
    double sign = turn ? -1 : 1;
    points[k][0] = sign * arc[k][0];
    points[k][1] = sign * arc[k][1];
    points[k][2] = z;
    points[k][3] = k % 2 ? sqrt(0.5) : 1;
  }
}

static clp_body *make_spans(void)
{
  static double nets[4][5][2][4];
  static const char *const names[4] = {"front", "back", "low", "high"};
  static const double line[4] = {0, 0, 1, 1};
  clp_patch_def patches[4];
  double row[5][4];
  for (int p = 0; p < 4; ++p) {
    for (int end = 0; end < 2; ++end) {
      bool cap = p >= 2;
      half_circle(cap ? end : p, cap ? 2 * p - 5 : 2 * end - 1, row);
      for (int k = 0; k < 5; ++k) /* both rims of a cap from -x to +x */
        memcpy(nets[p][k][end], row[cap && !end ? 4 - k : k], sizeof row[0]);
    }
    patches[p] = (clp_patch_def){.name = names[p],
                                 .degree_u = 2,
                                 .degree_v = 1,
                                 .size_u = 5,
                                 .size_v = 2,
                                 .knots_u = half_knots,
                                 .knots_v = line,
                                 .control_points = nets[p][0][0],
                                 .flip = p == 3};
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = 4;
  return must_create(&def);
}

TEST(several_spans)
{
  clp_body *body = make_spans();
  random_state g = {4};
  for (int k = 0, count = amount_of(5000); k < count; ++k) {
    clp_vec3 n = some_direction(&g, k);
    /* next to corners with parallel tangents normals are not known better */
    expect_proven(body, n, hypot(n.x, n.y) + fabs(n.z), 1e-12, 1e-4);
  }
  clp_body_destroy(body);
}

static clp_body *make_planar(void)
{
  static const double points[3][3][3] = {
      {{0.95, -0.35, 1}, {0.697, 0.567, 1}, {-0.15, 1, 1}},
      {{-0.15, 1, 1}, {-0.82, 0.34, 1}, {-0.85, -0.6, 1}},
      {{-0.85, -0.6, 1}, {0.095, -0.799, 1}, {0.95, -0.35, 1}},
  };
  static const char *const names[3] = {"C1", "C2", "C3"};
  clp_curve_def curves[3];
  for (int k = 0; k < 3; ++k)
    curves[k] =
        (clp_curve_def){.name = names[k], .degree = 2, .size = 3, .control_points = points[k][0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = 3;
  return must_create(&def);
}

TEST(planar)
{
  clp_body *body = make_planar();
  for (int k = 0; k < 2000; k += amount_quick() ? 8 : 1) {
    double angle = 0.003142 * k, height = -HUGE_VAL;
    clp_vec3 n = {cos(angle), sin(angle), 0};
    for (uint32_t e = 0; e < body->edge_count; ++e)
      for (int i = 0; i <= 2000; ++i) {
        clp_curve_site site = clp_edge_fraction(&body->edges[e], i / 2000.0);
        height = fmax(height, clp_dot(n, clp_curve_point(&body->edges[e].curve, site)));
      }
    clp_support s = clp_support_find(body, n);
    ck_assert_double_ge(s.value, height - 1e-15);
    ck_assert_double_le(s.value, height + 1e-6);
    ck_assert_double_le(clp_support_bound(body, s.spot, n), s.value + 1e-12);
  }
  clp_body_destroy(body);
}

TEST_CASE("closed forms", 20);

/* Where a whole face or a generator is farthest its middle is the witness. */
TEST(middle_of_what_is_flat)
{
  clp_body *box = make_shape(CLP_SHAPE_BOX, (clp_vec3){1, 0.8, 0.6}, 0, 0);
  clp_support s = clp_support_find(box, (clp_vec3){0, -1, 0});
  ck_assert_int_eq(s.spot.kind, CLP_FACE);
  ck_assert_double_lt(clp_distance(s.p, (clp_vec3){0, -0.4, 0}), 1e-15);
  s = clp_support_find(box, clp_unit((clp_vec3){1, 1e-9, 0}));
  ck_assert_int_ne(s.spot.kind, CLP_FACE);
  clp_body *cylinder = make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1.2);
  s = clp_support_find(cylinder, (clp_vec3){0, 1, 0});
  ck_assert_int_eq(s.spot.kind, CLP_FACE);
  ck_assert_double_lt(clp_distance(s.p, (clp_vec3){0, 0.4, 0}), 1e-15);
  clp_body *tiled_box = make_tiled("topbox");
  s = clp_support_find(tiled_box, (clp_vec3){0, 0, -1});
  ck_assert_int_eq(s.spot.kind, CLP_FACE);
  ck_assert_double_lt(clp_distance(s.p, (clp_vec3){0, 0, -0.3}), 1e-15);
  clp_body_destroy(box);
  clp_body_destroy(cylinder);
  clp_body_destroy(tiled_box);
}

TEST_CASE("splines", 60);

/* From any spot, however wrong, the bound is a bound. */
LOOP_TEST(bound_from_anywhere, 0, 5)
{
  static const char *const names[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  clp_body *body = make_tiled(names[_i]);
  random_state g = {5};
  for (int k = 0, count = amount_of(20000); k < count; ++k) {
    clp_vec3 n = random_direction(&g);
    uint32_t bits = (uint32_t)random_bits(&g);
    clp_spot spot = clp_spot_on_vertex(bits % body->vertex_count);
    if (bits % 3 == 1) {
      uint32_t id = (bits / 3) % body->edge_count;
      if (body->edges[id].kind == CLP_EDGE_COLLAPSED)
        continue;
      spot = clp_spot_on_edge(id, clp_edge_fraction(&body->edges[id], random_between(&g, 0, 1)));
    } else if (bits % 3 == 2) {
      const clp_domain *d = &body->faces[(bits / 3) % body->face_count].domain;
      spot = clp_spot_on_face((bits / 3) % body->face_count,
                              (clp_site){{random_between(&g, d->lo[0], d->hi[0]),
                                          random_between(&g, d->lo[1], d->hi[1]), 0}});
    }
    double height = clp_support_find(body, n).value;
    ck_assert_double_ge(clp_support_bound(body, spot, n), height - 1e-14);
  }
  clp_body_destroy(body);
}
