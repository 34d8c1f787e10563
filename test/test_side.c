/* SPDX-License-Identifier: Apache-2.0 */
/* The sides of every kind of face: curves, sites, directions, conormals, collapsed sides. */

#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/spline.h"
#include "support/reference_spline.h"
#include "support/suite.h"

#define PI 3.14159265358979323846

enum { FACE_DOUBLES = 20000, FACES = 11 };

typedef struct face {
  clp_surface surface;
  clp_domain domain;
  double corners[5][2];
  double storage[FACE_DOUBLES];
} face;

static clp_domain rectangle(double u0, double u1, double v0, double v1)
{
  return (clp_domain){.kind = CLP_DOMAIN_RECTANGLE, .lo = {u0, v0}, .hi = {u1, v1}};
}

static clp_domain disc(double inner, double outer)
{
  return (clp_domain){.kind = CLP_DOMAIN_DISC, .lo = {inner, 0}, .hi = {outer, 0}};
}

static clp_domain band(double lo, double hi)
{
  return (clp_domain){.kind = CLP_DOMAIN_BAND,
                      .lo = {sqrt((1 - lo) * (1 + lo)), lo},
                      .hi = {sqrt((1 - hi) * (1 + hi)), hi}};
}

static void random_plane(random_state *g, face *f)
{
  clp_vec3 n = random_direction(g), a, b;
  clp_tangents(n, &a, &b);
  f->surface.kind = CLP_SURFACE_PLANE;
  f->surface.as.plane = (clp_plane){random_direction(g), a, b};
}

/* A pentagon, counter-clockwise as seen from the surface's side. */
static void random_pentagon(random_state *g, face *f)
{
  double start = random_between(g, 0, 6);
  for (int k = 0; k < 5; k++) {
    double angle = start + f->surface.outward * 2 * PI * k / 5;
    f->corners[k][0] = 2 * cos(angle);
    f->corners[k][1] = sin(angle);
  }
  f->domain = (clp_domain){
      .kind = CLP_DOMAIN_POLYGON, .corners = (const double(*)[2])f->corners, .corner_count = 5};
}

static void random_nurbs(random_state *g, face *f)
{
  double knots_u[60], knots_v[60], control_points[4 * 40 * 40];
  int degree_u = 1 + (int)(random_bits(g) % 9), degree_v = 1 + (int)(random_bits(g) % 9);
  int size_u = random_knots(g, degree_u, (int)(random_bits(g) % 3), true, knots_u);
  int size_v = random_knots(g, degree_v, (int)(random_bits(g) % 3), true, knots_v);
  random_net(g, size_u, size_v, 0.02, control_points);
  f->surface.kind = CLP_SURFACE_NURBS;
  ck_assert_uint_le(clp_nurbs_storage(degree_u, size_u, knots_u, degree_v, size_v, knots_v),
                    FACE_DOUBLES);
  ck_assert(clp_nurbs_build(degree_u, size_u, knots_u, degree_v, size_v, knots_v, control_points,
                            f->storage, &f->surface.as.nurbs));
  f->domain = rectangle(knots_u[degree_u], knots_u[size_u], knots_v[degree_v], knots_v[size_v]);
}

/* Every surface with every domain that goes with it. */
static void random_face(random_state *g, int which, face *f)
{
  f->surface = (clp_surface){.outward = random_bits(g) % 2 ? 1 : -1};
  switch (which) {
    case 0:
      random_plane(g, f);
      f->domain = rectangle(-1, 2, 0.5, 3);
      break;
    case 1:
      random_plane(g, f);
      random_pentagon(g, f);
      break;
    case 2:
    case 3:
      random_plane(g, f);
      f->domain = disc(which == 2 ? 0 : 0.5, 2);
      break;
    case 4:
      f->surface.kind = CLP_SURFACE_PARABOLOID;
      f->surface.as.paraboloid = (clp_paraboloid){0.3, random_between(g, -2, 2)};
      f->domain = disc(0.5, 2);
      break;
    case 5:
    case 6:
      f->surface.kind = CLP_SURFACE_ELLIPSOID;
      f->surface.as.ellipsoid = (clp_ellipsoid){
          random_direction(g),
          {random_between(g, 0.5, 2), random_between(g, 0.5, 2), random_between(g, 0.5, 2)}};
      f->domain = which == 5 ? band(-0.6, 0.8) : band(0.3, HUGE_VAL);
      break;
    case 7:
      f->surface.kind = CLP_SURFACE_CONE;
      f->surface.as.cone = (clp_cone){0.5, 0.1, random_between(g, -0.4, 1), 1};
      f->domain = band(0, 1);
      break;
    case 8:
      f->surface.kind = CLP_SURFACE_TORUS;
      f->surface.as.torus = (clp_torus){1, 0.2, 0.4};
      f->domain = band(-1, 2);
      break;
    case 9:
      f->surface.kind = CLP_SURFACE_CONIC;
      f->surface.as.conic = (clp_conic){{1, 0.5, -0.3}, {0, 1, 0.2}, {1, -0.4, 0.4}};
      f->domain = band(0, 1);
      break;
    default:
      random_nurbs(g, f);
      break;
  }
}

static clp_vec3 point_at(const clp_curve *curve, double t)
{
  return clp_curve_point(curve, clp_curve_site_at(curve, t));
}

/* A place on a side, as everything under test knows it. */
typedef struct place {
  int side;
  clp_curve curve;
  clp_curve_site on_curve;
  clp_site on_surface;
  clp_vec3 normal, tangent, conormal;
} place;

static place place_at(const face *f, int side, double fraction, double *storage)
{
  place p = {.side = side};
  ck_assert_uint_le(clp_side_storage(&f->surface, &f->domain, side), 4000);
  p.curve = clp_side_curve(&f->surface, &f->domain, side, storage);
  double t = p.curve.lo + fraction * (p.curve.hi - p.curve.lo);
  p.on_curve = clp_curve_site_at(&p.curve, t);
  p.on_surface = clp_side_site(&f->surface, &f->domain, side, p.on_curve);
  p.normal = clp_surface_normal(&f->surface, &f->domain, p.on_surface);
  p.tangent = clp_unit(clp_curve_jet_at(&p.curve, p.on_curve).t);
  p.conormal = clp_side_conormal(&f->surface, &f->domain, side, p.on_curve);
  return p;
}

typedef void (*check)(const face *f, const place *p);

/* Ends included, a few places of every side of many faces of one kind. */
static void for_places(int which, check look)
{
  random_state g = {(uint64_t)(60 + which)};
  static face f;
  for (int round = 0; round < 100; round++) {
    random_face(&g, which, &f);
    for (int side = 0; side < clp_domain_sides(&f.domain); side++) {
      for (int i = 0; clp_domain_has_side(&f.domain, side) && i < 7; i++) {
        double storage[4000];
        double fraction = i == 0 ? 0 : i == 6 ? 1 : random_between(&g, 0, 1);
        place p = place_at(&f, side, fraction, storage);
        look(&f, &p);
      }
    }
  }
}

static void check_site(const face *f, const place *p)
{
  clp_vec3 there = clp_curve_point(&p->curve, p->on_curve);
  ck_assert_double_le(clp_distance(there, clp_surface_point(&f->surface, p->on_surface)), 4e-15);
  int nearest;
  ck_assert_double_eq_tol(clp_domain_margin(&f->domain, p->on_surface, &nearest), 0, 1e-15);
}

SUITE("side");

TEST_CASE("places", 10);

LOOP_TEST(sites_are_the_places_of_the_curve, 0, FACES)
{
  for_places(_i, check_site);
}

/* The parameter is the free one of the surface's parameters. */
static void check_parameter(const face *f, const place *p)
{
  double u, v, t = clp_curve_parameter(&p->curve, p->on_curve);
  clp_surface_parameters(&f->surface, p->on_surface, &u, &v);
  if (f->domain.kind == CLP_DOMAIN_RECTANGLE)
    ck_assert_double_eq(t, p->side == CLP_SIDE_U0 || p->side == CLP_SIDE_U1 ? v : u);
  if (f->domain.kind == CLP_DOMAIN_BAND)
    ck_assert_double_eq_tol(sin(t - u), 0, 1e-15);
  if (f->domain.kind == CLP_DOMAIN_DISC)
    ck_assert_double_eq_tol(sin(t - atan2(v, u)), 0, 1e-15);
}

LOOP_TEST(parameters_are_those_of_the_surface, 0, FACES)
{
  for_places(_i, check_parameter);
}

static void check_conormal(const face *f, const place *p)
{
  double direction = clp_side_direction(&f->surface, &f->domain, p->side);
  ck_assert_double_eq(fabs(direction), 1);
  ck_assert_double_eq_tol(clp_norm(p->conormal), 1, 1e-15);
  ck_assert_double_eq_tol(clp_dot(p->conormal, p->tangent), 0, 1e-12);
  ck_assert_double_eq_tol(clp_dot(p->conormal, p->normal), 0, 1e-12);
  clp_vec3 rule = clp_cross(p->normal, clp_scale(direction, p->tangent));
  ck_assert_double_le(clp_distance(rule, p->conormal), 1e-12);
}

TEST_CASE("directions", 10);

LOOP_TEST(normal_times_direction_is_the_conormal, 0, FACES)
{
  for_places(_i, check_conormal);
}

/* A short step on the surface that goes along the conormal comes to lie inside the domain. */
static void check_inside(const face *f, const place *p)
{
  clp_jet j = clp_surface_jet(&f->surface, p->on_surface);
  double uu = clp_norm2(j.u), uv = clp_dot(j.u, j.v), vv = clp_norm2(j.v);
  double cu = clp_dot(j.u, p->conormal), cv = clp_dot(j.v, p->conormal);
  double determinant = uu * vv - uv * uv;
  double a = (vv * cu - uv * cv) / determinant, b = (uu * cv - uv * cu) / determinant;
  clp_site moved = clp_surface_step(&f->surface, p->on_surface, 1e-6 * a, 1e-6 * b);
  bool corner = p->curve.kind != CLP_CURVE_ELLIPSE;
  double t = clp_curve_parameter(&p->curve, p->on_curve);
  if (corner && (t < p->curve.lo + 1e-3 || t > p->curve.hi - 1e-3))
    return;
  ck_assert_double_gt(clp_domain_margin(&f->domain, moved, NULL), 0);
  ck_assert_double_le(
      clp_distance(clp_surface_point(&f->surface, moved), clp_add_scaled(j.p, 1e-6, p->conormal)),
      1e-9);
}

LOOP_TEST(the_conormal_points_into_the_face, 0, FACES)
{
  for_places(_i, check_inside);
}

/* Along the directions, the sides of a rectangle or a polygon run round it head to tail. */
TEST(sides_run_round_the_face)
{
  random_state g = {71};
  static face f;
  static const int round_trip[4] = {CLP_SIDE_V0, CLP_SIDE_U1, CLP_SIDE_V1, CLP_SIDE_U0};
  for (int round = 0; round < 30; round++) {
    random_face(&g, round % 3 == 0 ? 0 : round % 3 == 1 ? 1 : 10, &f);
    bool polygon = f.domain.kind == CLP_DOMAIN_POLYGON;
    int count = clp_domain_sides(&f.domain);
    bool reversed = !polygon && f.surface.outward < 0;
    clp_vec3 starts[8], ends[8];
    for (int i = 0; i < count; i++) {
      double storage[4000];
      int side = polygon ? i : round_trip[reversed ? count - 1 - i : i];
      clp_curve curve = clp_side_curve(&f.surface, &f.domain, side, storage);
      bool with = clp_side_direction(&f.surface, &f.domain, side) > 0;
      starts[i] = point_at(&curve, with ? curve.lo : curve.hi);
      ends[i] = point_at(&curve, with ? curve.hi : curve.lo);
    }
    for (int i = 0; i < count; i++)
      ck_assert_double_le(clp_distance(ends[i], starts[(i + 1) % count]), 1e-14);
  }
}

/* ---- Collapsed sides ------------------------------------------------------------------------ */

/* An octant of the unit sphere: v = 1 is the pole. */
static void octant(face *f)
{
  double knots[6], h = sqrt(0.5), control_points[36], *c = control_points;
  clp_bezier_knots(2, knots);
  double arc[3][3] = {{1, 0, 1}, {1, 1, h}, {0, 1, 1}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      *c++ = arc[i][0] * arc[j][0];
      *c++ = arc[i][1] * arc[j][0];
      *c++ = arc[j][1];
      *c++ = arc[i][2] * arc[j][2];
    }
  }
  f->surface = (clp_surface){.kind = CLP_SURFACE_NURBS, .outward = 1};
  f->domain = rectangle(0, 1, 0, 1);
  ck_assert(
      clp_nurbs_build(2, 3, knots, 2, 3, knots, control_points, f->storage, &f->surface.as.nurbs));
}

TEST_CASE("collapsed sides", 10);

TEST(collapsed_sides_are_found)
{
  static face f;
  clp_vec3 where;
  octant(&f);
  for (int side = 0; side < 3; side++)
    ck_assert(!clp_side_collapsed(&f.surface, &f.domain, side, 1e-6, &where));
  ck_assert(clp_side_collapsed(&f.surface, &f.domain, CLP_SIDE_V1, 0, &where));
  ck_assert_double_le(clp_distance(where, (clp_vec3){0, 0, 1}), 1e-16);
  f.domain.hi[1] = 0.999;
  ck_assert(!clp_side_collapsed(&f.surface, &f.domain, CLP_SIDE_V1, 1e-6, &where));
  f.domain.lo[0] = 0.5;
  f.domain.hi[0] = 0.5001;
  ck_assert(clp_side_collapsed(&f.surface, &f.domain, CLP_SIDE_V1, 1e-6, NULL));

  clp_surface cone = {.kind = CLP_SURFACE_CONE, .outward = 1, .as.cone = {0, 2, 1, 1}};
  clp_domain generators = band(0, 1);
  ck_assert(clp_side_collapsed(&cone, &generators, 0, 0, &where));
  ck_assert_double_le(clp_distance(where, (clp_vec3){0, 0, 2}), 0);
  ck_assert(!clp_side_collapsed(&cone, &generators, 1, 1.9, &where));

  clp_surface plane = {.kind = CLP_SURFACE_PLANE, .outward = 1};
  plane.as.plane = (clp_plane){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  clp_domain sliver = rectangle(0, 1e-9, 0, 1);
  ck_assert(clp_side_collapsed(&plane, &sliver, CLP_SIDE_V0, 1e-6, &where));
  ck_assert(!clp_side_collapsed(&plane, &sliver, CLP_SIDE_U0, 1e-6, &where));
}

/* Three spans of a fan: on u < 1 its side v0 is the point in the middle, beyond it runs on. */
TEST(a_side_may_be_collapsed_in_one_span_only)
{
  double knots_u[] = {0, 0, 1, 2, 3, 3}, knots_v[] = {0, 0, 1, 1};
  double control_points[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1,
                             0, 1, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 4, 0, 1};
  static face f;
  clp_vec3 where;
  f.surface = (clp_surface){.kind = CLP_SURFACE_NURBS, .outward = 1};
  ck_assert(clp_nurbs_build(1, 4, knots_u, 1, 2, knots_v, control_points, f.storage,
                            &f.surface.as.nurbs));
  f.domain = rectangle(0, 3, 0, 1);
  ck_assert(!clp_side_collapsed(&f.surface, &f.domain, CLP_SIDE_V0, 1e-6, &where));
  f.domain = rectangle(0, 1, 0, 1);
  ck_assert(clp_side_collapsed(&f.surface, &f.domain, CLP_SIDE_V0, 0, &where));
  ck_assert_double_eq(clp_norm(where), 0);
  f.domain = rectangle(1, 3, 0, 1);
  ck_assert(!clp_side_collapsed(&f.surface, &f.domain, CLP_SIDE_V0, 1e-6, &where));
}

/* At a pole the conormal is the way into the face; at an apex it runs down the generator. */
TEST(collapsed_sides_have_conormals)
{
  static face f;
  octant(&f);
  for (int i = 0; i <= 10; i++) {
    clp_vec3 c =
        clp_side_conormal(&f.surface, &f.domain, CLP_SIDE_V1, (clp_curve_site){{i / 10.0, 0}});
    clp_vec3 p = clp_surface_point(&f.surface, (clp_site){{i / 10.0, 1 - 1e-9, 0}});
    clp_vec3 into = clp_unit((clp_vec3){p.x, p.y, 0});
    ck_assert_double_le(clp_distance(c, into), 1e-6);
  }
  clp_surface cone = {.kind = CLP_SURFACE_CONE, .outward = 1, .as.cone = {0, 0, 3, 4}};
  clp_domain generators = band(0, 1);
  clp_vec3 down = clp_side_conormal(&cone, &generators, 0, (clp_curve_site){{0.6, 0.8}});
  ck_assert_double_le(clp_distance(down, (clp_vec3){0.36, 0.48, 0.8}), 1e-15);
}
