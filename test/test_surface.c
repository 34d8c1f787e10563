/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of surface: derivatives against finite differences along clp_surface_step, charts,
 * identities, normals with their limits, and domains. */

#include "rclc_closest_point/surface/surface.h"

#include "rclc_closest_point/surface/spline.h"
#include "rclc_closest_point/surface/spline_normal.h"
#include "rclc_closest_point/surface/surface_kinds.h"
#include "support/reference_spline.h"
#include "support/suite.h"

#define PI 3.14159265358979323846

enum { KINDS = CLP_SURFACE_COUNT, NURBS_DOUBLES = 20000 };

/* A face: a surface with a domain that suits it. */
typedef struct face {
  clp_surface surface;
  clp_domain domain;
  double storage[NURBS_DOUBLES];
} face;

static clp_vec3 random_vector(random_state *g, double size)
{
  return clp_scale(random_between(g, 0.1, size), random_direction(g));
}

/* The rational quadratic of the arc from one angle to another about (r, z). */
static clp_conic arc_conic(double r, double z, double radius, double from, double to)
{
  double half = 0.5 * (to - from), middle = 0.5 * (to + from), w = cos(half);
  double hr[3] = {r + radius * cos(from), w * (r + radius * cos(middle) / w), r + radius * cos(to)};
  double hz[3] = {z + radius * sin(from), w * (z + radius * sin(middle) / w), z + radius * sin(to)};
  return (clp_conic){{hr[0], 2 * (hr[1] - hr[0]), hr[0] - 2 * hr[1] + hr[2]},
                     {hz[0], 2 * (hz[1] - hz[0]), hz[0] - 2 * hz[1] + hz[2]},
                     {1, 2 * (w - 1), 2 - 2 * w}};
}

static void random_nurbs(random_state *g, face *f)
{
  double knots_u[60], knots_v[60], control_points[4 * 40 * 40];
  int degree_u = 1 + (int)(random_bits(g) % 9), degree_v = 1 + (int)(random_bits(g) % 9);
  int breaks = (int)(random_bits(g) % 3);
  int size_u = random_knots(g, degree_u, breaks, true, knots_u);
  int size_v = random_knots(g, degree_v, breaks, true, knots_v);
  random_net(g, size_u, size_v, 0.05, control_points);
  ck_assert_uint_le(clp_nurbs_storage(degree_u, size_u, knots_u, degree_v, size_v, knots_v),
                    NURBS_DOUBLES);
  ck_assert(clp_nurbs_build(degree_u, size_u, knots_u, degree_v, size_v, knots_v, control_points,
                            f->storage, &f->surface.as.nurbs));
  f->domain = (clp_domain){.kind = CLP_DOMAIN_RECTANGLE,
                           .lo = {knots_u[degree_u], knots_v[degree_v]},
                           .hi = {knots_u[size_u], knots_v[size_v]}};
}

static void random_face(random_state *g, clp_surface_kind kind, face *f)
{
  clp_surface *s = &f->surface;
  *s = (clp_surface){.kind = kind, .outward = random_bits(g) % 2 ? 1 : -1};
  f->domain = (clp_domain){.kind = CLP_DOMAIN_BAND, .lo = {0, 0}, .hi = {0, 1}};
  switch (kind) {
    case CLP_SURFACE_PLANE:
      s->as.plane = (clp_plane){random_vector(g, 2), random_vector(g, 2), random_vector(g, 2)};
      f->domain = (clp_domain){.kind = CLP_DOMAIN_RECTANGLE, .lo = {-1, -1}, .hi = {1, 1}};
      break;
    case CLP_SURFACE_ELLIPSOID:
      s->as.ellipsoid.center = random_vector(g, 2);
      s->as.ellipsoid.radii = (clp_vec3){random_between(g, 0.1, 2), random_between(g, 0.1, 2),
                                         random_between(g, 0.1, 2)};
      f->domain = (clp_domain){.kind = CLP_DOMAIN_WHOLE};
      break;
    case CLP_SURFACE_PARABOLOID:
      s->as.paraboloid = (clp_paraboloid){random_between(g, -1, 1), random_between(g, -3, 3)};
      f->domain = (clp_domain){.kind = CLP_DOMAIN_DISC, .lo = {0, 0}, .hi = {1, 0}};
      break;
    case CLP_SURFACE_CONE:
      s->as.cone = (clp_cone){random_between(g, 0.1, 1), random_between(g, -1, 1),
                              random_between(g, -0.1, 0.5), random_between(g, 0.2, 1)};
      break;
    case CLP_SURFACE_TORUS:
      s->as.torus = (clp_torus){random_between(g, 1, 2), random_between(g, -1, 1),
                                random_between(g, 0.1, 0.9)};
      f->domain.lo[1] = -2;
      f->domain.hi[1] = 3;
      break;
    case CLP_SURFACE_CONIC:
      s->as.conic =
          arc_conic(random_between(g, 1, 2), random_between(g, -1, 1), random_between(g, 0.1, 0.9),
                    random_between(g, -1, 0), random_between(g, 0.5, 1.5));
      break;
    case CLP_SURFACE_NURBS:
      random_nurbs(g, f);
      break;
    case CLP_SURFACE_COUNT:
      break;
  }
}

static clp_site random_site(random_state *g, const face *f)
{
  const double *lo = f->domain.lo, *hi = f->domain.hi;
  clp_vec3 q = random_direction(g);
  double radius = hypot(q.x, q.y);
  switch (f->domain.kind) {
    case CLP_DOMAIN_WHOLE:
      return (clp_site){{q.x, q.y, q.z}};
    case CLP_DOMAIN_DISC:
      return (clp_site){{hi[0] * q.x, hi[0] * q.y, 0}};
    case CLP_DOMAIN_BAND:
      return (clp_site){{q.x / radius, q.y / radius, random_between(g, lo[1], hi[1])}};
    default:
      return (clp_site){{random_between(g, lo[0], hi[0]), random_between(g, lo[1], hi[1]), 0}};
  }
}

/* ---- Finite differences --------------------------------------------------------------------- */

static clp_vec3 moved(const clp_surface *s, clp_site site, double a, double b)
{
  return clp_surface_point(s, clp_surface_step(s, site, a, b));
}

/* Central differences of order h^2 along (a, b): first and second. */
static clp_vec3 first_difference(const clp_surface *s, clp_site site, double a, double b, double h)
{
  clp_vec3 difference = clp_sub(moved(s, site, h * a, h * b), moved(s, site, -h * a, -h * b));
  return clp_scale(0.5 / h, difference);
}

static clp_vec3 second_difference(const clp_surface *s, clp_site site, double a, double b, double h)
{
  clp_vec3 sum = clp_add(moved(s, site, h * a, h * b), moved(s, site, -h * a, -h * b));
  return clp_scale(1 / (h * h), clp_add_scaled(sum, -2, clp_surface_point(s, site)));
}

typedef clp_vec3 (*difference)(const clp_surface *s, clp_site site, double a, double b, double h);

/* Three step widths, extrapolated twice: order h^6. */
static clp_vec3 extrapolated(difference d, const clp_surface *s, clp_site site, double a, double b,
                             double h)
{
  clp_vec3 d1 = d(s, site, a, b, h), d2 = d(s, site, a, b, h / 2), d4 = d(s, site, a, b, h / 4);
  clp_vec3 e1 = clp_scale(1.0 / 3, clp_sub(clp_scale(4, d2), d1));
  clp_vec3 e2 = clp_scale(1.0 / 3, clp_sub(clp_scale(4, d4), d2));
  return clp_scale(1.0 / 15, clp_sub(clp_scale(16, e2), e1));
}

/* A step width that crosses no break of a spline. */
static double width_around(const double *breaks, int spans, double t)
{
  double width = HUGE_VAL;
  for (int i = 0; i <= spans; i++)
    width = fmin(width, fabs(t - breaks[i]));
  return width;
}

static double step_width(const face *f, clp_site site)
{
  if (f->surface.kind != CLP_SURFACE_NURBS)
    return 0.02;
  const clp_nurbs *nurbs = &f->surface.as.nurbs;
  double u = width_around(nurbs->breaks_u, nurbs->spans_u, site.c[0]);
  double v = width_around(nurbs->breaks_v, nurbs->spans_v, site.c[1]);
  return fmin(0.005, 0.9 * fmin(u, v));
}

/* Relative to the largest derivative of the same order. */
static void check_derivatives(const clp_surface *s, clp_site site, double h)
{
  clp_jet j = clp_surface_jet(s, site);
  double size = 0.1 + clp_norm(clp_surface_point(s, site));
  double first = clp_norm(j.u) + clp_norm(j.v) + 0.01 * size;
  double second = clp_norm(j.uu) + clp_norm(j.uv) + clp_norm(j.vv) + 0.1 * first;
  ck_assert_double_le(clp_distance(j.p, clp_surface_point(s, site)), 2e-15 * size);
  clp_vec3 u = extrapolated(first_difference, s, site, 1, 0, h);
  clp_vec3 v = extrapolated(first_difference, s, site, 0, 1, h);
  clp_vec3 uu = extrapolated(second_difference, s, site, 1, 0, h);
  clp_vec3 vv = extrapolated(second_difference, s, site, 0, 1, h);
  clp_vec3 sum = extrapolated(second_difference, s, site, 1, 1, h);
  clp_vec3 uv = clp_scale(0.5, clp_sub(sum, clp_add(uu, vv)));
  ck_assert_double_le(clp_distance(j.u, u), 1e-7 * first);
  ck_assert_double_le(clp_distance(j.v, v), 1e-7 * first);
  ck_assert_double_le(clp_distance(j.uu, uu), 1e-7 * second);
  ck_assert_double_le(clp_distance(j.uv, uv), 1e-7 * second);
  ck_assert_double_le(clp_distance(j.vv, vv), 1e-7 * second);
}

SUITE("surface");

TEST_CASE("derivatives", 30);

LOOP_TEST(derivatives_are_those_of_the_step, 0, KINDS)
{
  random_state g = {(uint64_t)(100 + _i)};
  static face f;
  for (int round = 0; round < 200; round++) {
    random_face(&g, (clp_surface_kind)_i, &f);
    for (int i = 0; i < 10; i++) {
      clp_site site = random_site(&g, &f);
      double h = step_width(&f, site);
      if (h > 2e-3)
        check_derivatives(&f.surface, site, h);
    }
  }
}

/* Poles and seams of the parameters are places like any other. */
TEST(charts_have_no_poles)
{
  random_state g = {17};
  static const double near[] = {0, 1e-300, 1e-17, 1e-9, 1e-3};
  for (int i = 0; i < 5; i++) {
    for (int variant = 0; variant < 8; variant++) {
      face f;
      double x = variant & 1 ? near[i] : -near[i], y = variant & 2 ? 0 : near[i];
      double z = variant & 4 ? 1 : -1;
      random_face(&g, CLP_SURFACE_ELLIPSOID, &f);
      clp_vec3 pole = clp_unit((clp_vec3){x, y, z}), equator = clp_unit((clp_vec3){z, y, x});
      check_derivatives(&f.surface, (clp_site){{pole.x, pole.y, pole.z}}, 0.02);
      check_derivatives(&f.surface, (clp_site){{equator.x, equator.y, equator.z}}, 0.02);
      random_face(&g, CLP_SURFACE_CONE, &f);
      check_derivatives(&f.surface, (clp_site){{-sqrt(1 - x * x), x, 0.5}}, 0.02);
    }
  }
}

/* ---- Charts --------------------------------------------------------------------------------- */

TEST_CASE("charts", 30);

LOOP_TEST(sites_and_parameters_round_trip, 0, KINDS)
{
  random_state g = {(uint64_t)(200 + _i)};
  static face f;
  for (int round = 0; round < 300; round++) {
    double u, v, u2, v2;
    random_face(&g, (clp_surface_kind)_i, &f);
    clp_site site = random_site(&g, &f);
    clp_surface_parameters(&f.surface, site, &u, &v);
    clp_site back = clp_surface_site(&f.surface, u, v);
    for (int k = 0; k < 3; k++)
      ck_assert_double_eq_tol(back.c[k], site.c[k], 4e-16);
    clp_surface_parameters(&f.surface, back, &u2, &v2);
    ck_assert_double_eq_tol(u2, u, 1e-15 + 4e-16 / fabs(cos(v)));
    ck_assert_double_eq_tol(v2, v, 1e-15);
  }
}

static void check_form(const clp_surface *s, clp_site site)
{
  const double *c = site.c;
  clp_site next = clp_surface_step(s, site, 0.25, 0.5);
  switch (clp_surface_site_form(s)) {
    case CLP_SITE_PLAIN:
      ck_assert(c[2] == 0 && next.c[0] == c[0] + 0.25 && next.c[1] == c[1] + 0.5);
      break;
    case CLP_SITE_SPHERE:
      ck_assert_ptr_nonnull(clp_surface_ellipsoid(s));
      ck_assert_double_eq_tol(c[0] * c[0] + c[1] * c[1] + c[2] * c[2], 1, 1e-15);
      break;
    case CLP_SITE_TURN:
      ck_assert_double_eq_tol(c[0] * c[0] + c[1] * c[1], 1, 1e-15);
      ck_assert(next.c[2] == c[2] + 0.5);
      break;
    case CLP_SITE_COUNT:
      ck_abort();
  }
}

/* Whether the normal curvature along u + x v is towards the normal. */
static bool bends_in(const clp_jet *j, clp_vec3 normal, double x)
{
  clp_vec3 bend = clp_add_scaled(clp_add_scaled(j->uu, 2 * x, j->uv), x * x, j->vv);
  return clp_dot(bend, normal) < 0;
}

static void check_opposite(const clp_surface *s, clp_site site)
{
  clp_site there = site;
  clp_vec3 p = clp_surface_point(s, site), back;
  if (!clp_surface_opposite(s, &there))
    return;
  clp_vec3 q = clp_surface_point(s, there);
  const clp_ellipsoid *e = clp_surface_ellipsoid(s);
  back = e ? clp_sub(clp_scale(2, e->center), p) : (clp_vec3){-p.x, -p.y, p.z};
  ck_assert_double_le(clp_distance(back, q), 1e-14);
}

/* Facts hold at all places; and where the kind is not flat, or not straight, some are seen to bend.
 */
LOOP_TEST(facts_and_operations_are_those_of_the_surface, 0, KINDS)
{
  random_state g = {(uint64_t)(300 + _i)};
  static face f;
  int turned = 0, bent_along_v = 0, dented = 0, facing = 0, opposite = 0;
  for (int round = 0; round < 200; round++) {
    random_face(&g, (clp_surface_kind)_i, &f);
    clp_site site = random_site(&g, &f), other = random_site(&g, &f), found;
    clp_vec3 n = clp_surface_normal(&f.surface, &f.domain, site);
    clp_vec3 m = clp_surface_normal(&f.surface, &f.domain, other);
    clp_jet j = clp_surface_jet(&f.surface, site);
    check_form(&f.surface, site);
    check_opposite(&f.surface, site);
    opposite += clp_surface_opposite(&f.surface, &other);
    turned += clp_distance(n, m) > 1e-12;
    clp_site along = clp_surface_step(&f.surface, site, 0, 0.01);
    bent_along_v += clp_norm(j.vv) > 0 ||
                    clp_distance(n, clp_surface_normal(&f.surface, &f.domain, along)) > 1e-12;
    n = clp_scale(f.surface.outward, n);
    dented += !bends_in(&j, n, random_between(&g, -9, 9));
    if (!clp_surface_facing(&f.surface, &f.domain, n, &found))
      continue;
    ++facing;
    m = clp_surface_normal(&f.surface, &f.domain, found);
    ck_assert_double_le(clp_distance(clp_scale(f.surface.outward, m), n), 1e-14);
  }
  const clp_surface_facts *facts = clp_surface_facts_of(&f.surface);
  ck_assert_int_eq(facts->flat, turned == 0);
  ck_assert_int_eq(facts->straight, !facts->flat && bent_along_v == 0);
  ck_assert(!facts->round || dented == 0);
  ck_assert_int_eq(facts->creased, clp_surface_spline(&f.surface) != NULL);
  ck_assert(facing == 0 || facing == 200);
  ck_assert_int_eq(opposite, facts->flat || facts->creased ? 0 : 200);
}

TEST(angles_lie_in_their_range)
{
  clp_surface cone = {.kind = CLP_SURFACE_CONE, .outward = 1, .as.cone = {1, 0, 0, 1}};
  clp_surface sphere = {
      .kind = CLP_SURFACE_ELLIPSOID, .outward = 1, .as.ellipsoid.radii = {1, 1, 1}};
  double u, v;
  clp_surface_parameters(&cone, (clp_site){{-1, -0.0, 0.25}}, &u, &v);
  ck_assert_double_eq(u, PI);
  ck_assert_double_eq(v, 0.25);
  clp_surface_parameters(&sphere, (clp_site){{-1, -0.0, 0}}, &u, &v);
  ck_assert_double_eq(u, PI);
  clp_surface_parameters(&sphere, (clp_site){{0, 0, -1}}, &u, &v);
  ck_assert_double_eq(u, 0);
  ck_assert_double_eq(v, -PI / 2);
  clp_surface_parameters(&sphere, clp_surface_site(&sphere, 0.5, PI / 2 - 1e-9), &u, &v);
  ck_assert_double_eq_tol(u, 0.5, 1e-15);
  ck_assert_double_eq_tol(v, PI / 2 - 1e-9, 1e-16);
}

/* A million small steps do not leave the unit sphere, nor the unit circle. */
TEST(steps_do_not_drift)
{
  clp_surface sphere = {
      .kind = CLP_SURFACE_ELLIPSOID, .outward = 1, .as.ellipsoid.radii = {1, 1, 1}};
  clp_surface cone = {.kind = CLP_SURFACE_CONE, .outward = 1, .as.cone = {1, 0, 0, 1}};
  clp_site q = clp_surface_site(&sphere, 0.3, 0.4), e = clp_surface_site(&cone, 0.3, 0.4);
  for (int i = 0; i < 1000000; i++) {
    q = clp_surface_step(&sphere, q, 1e-3, 2e-3);
    e = clp_surface_step(&cone, e, 1e-3, 0);
  }
  ck_assert_double_eq_tol(clp_norm((clp_vec3){q.c[0], q.c[1], q.c[2]}), 1, 4e-16);
  ck_assert_double_eq_tol(hypot(e.c[0], e.c[1]), 1, 4e-16);
}

/* ---- Identities ----------------------------------------------------------------------------- */

TEST_CASE("identities", 10);

TEST(points_satisfy_their_equations)
{
  random_state g = {31};
  face f;
  for (int round = 0; round < 1000; round++) {
    random_face(&g, CLP_SURFACE_ELLIPSOID, &f);
    clp_vec3 p = clp_surface_point(&f.surface, random_site(&g, &f));
    clp_ellipsoid e = f.surface.as.ellipsoid;
    clp_vec3 r = clp_sub(p, e.center);
    double sum = clp_norm2((clp_vec3){r.x / e.radii.x, r.y / e.radii.y, r.z / e.radii.z});
    ck_assert_double_eq_tol(sum, 1, 1e-13);

    random_face(&g, CLP_SURFACE_CONE, &f);
    p = clp_surface_point(&f.surface, random_site(&g, &f));
    clp_cone c = f.surface.as.cone;
    ck_assert_double_eq_tol((hypot(p.x, p.y) - c.r0) * c.dz, (p.z - c.z0) * c.dr, 1e-15);

    random_face(&g, CLP_SURFACE_TORUS, &f);
    p = clp_surface_point(&f.surface, random_site(&g, &f));
    clp_torus t = f.surface.as.torus;
    ck_assert_double_eq_tol(hypot(hypot(p.x, p.y) - t.center_r, p.z - t.center_z), t.radius, 2e-15);

    clp_surface ring = {.kind = CLP_SURFACE_CONIC, .outward = 1};
    ring.as.conic = arc_conic(1.5, 0.3, 0.7, -0.4, 1.1);
    p = clp_surface_point(&ring, (clp_site){{0.6, 0.8, random_between(&g, 0, 1)}});
    ck_assert_double_eq_tol(hypot(hypot(p.x, p.y) - 1.5, p.z - 0.3), 0.7, 2e-15);
  }
}

/* ---- Normals -------------------------------------------------------------------------------- */

TEST_CASE("normals", 30);

LOOP_TEST(normals_are_unit_square_to_the_surface_and_on_its_side, 0, KINDS)
{
  random_state g = {(uint64_t)(300 + _i)};
  static face f;
  for (int round = 0; round < 300; round++) {
    random_face(&g, (clp_surface_kind)_i, &f);
    clp_site site = random_site(&g, &f);
    clp_jet j = clp_surface_jet(&f.surface, site);
    clp_vec3 n = clp_surface_normal(&f.surface, &f.domain, site);
    ck_assert_double_eq_tol(clp_norm(n), 1, 4e-16);
    ck_assert_double_eq_tol(clp_dot(n, j.u) / clp_norm(j.u), 0, 1e-13);
    ck_assert_double_eq_tol(clp_dot(n, j.v) / clp_norm(j.v), 0, 1e-13);
    ck_assert_double_gt(f.surface.outward * clp_dot(n, clp_cross(j.u, j.v)), 0);
  }
}

/* What takes a few sums is the same normal, and charges no less for rounding. */
TEST(plain_normals_are_the_splines_normals)
{
  random_state g = {310};
  static face f;
  int plain = 0, rounds = 1000;
  for (int round = 0; round < rounds; round++) {
    random_face(&g, CLP_SURFACE_NURBS, &f);
    clp_site site = random_site(&g, &f);
    clp_jet j = clp_surface_jet(&f.surface, site);
    clp_normal made;
    double off;
    if (!clp_spline_normal_plain(&f.surface, &f.domain, site, &j, &made))
      continue;
    clp_vec3 n = clp_nurbs_normal_within(&f.surface, &f.domain, site, &j, &off);
    ck_assert(clp_vec3_equals(made.n, clp_scale(f.surface.outward, clp_unit(n))));
    ck_assert_double_ge(made.off, off);
    ++plain;
  }
  ck_assert_int_gt(plain, rounds / 2);
}

/* A place's first derivatives have the jet's digits; its second ones are left to the jet's place.
 */
TEST(slopes_are_the_jets)
{
  random_state g = {320};
  static face f;
  int known = 0;
  for (int round = 0; round < 1000; round++) {
    random_face(&g, CLP_SURFACE_NURBS, &f);
    const clp_nurbs *nurbs = &f.surface.as.nurbs;
    clp_site site = random_site(&g, &f), there = random_site(&g, &f);
    clp_jet jet = clp_surface_jet(&f.surface, site), before = jet;
    const bool whole = nurbs->spans_u * nurbs->spans_v == 1;
    const bool low = nurbs->degree_u <= 4 && nurbs->degree_v <= 4;
    ck_assert(clp_spline_slope(nurbs, there.c[0], there.c[1], &jet) == (whole && low));
    if (!whole || !low)
      continue;
    clp_jet expected = clp_surface_jet(&f.surface, there);
    ck_assert(clp_vec3_equals(jet.p, expected.p) && clp_vec3_equals(jet.u, expected.u));
    ck_assert(clp_vec3_equals(jet.v, expected.v) && clp_vec3_equals(jet.uu, before.uu));
    ck_assert(clp_vec3_equals(jet.uv, before.uv) && clp_vec3_equals(jet.vv, before.vv));
    ++known;
  }
  ck_assert_int_gt(known, 20);
}

/* The closed surfaces' u x v points outward: away from the middle, and from the profile's left. */
TEST(outward_is_outward)
{
  random_state g = {41};
  face f;
  for (int round = 0; round < 100; round++) {
    random_face(&g, CLP_SURFACE_ELLIPSOID, &f);
    f.surface.outward = 1;
    clp_site site = random_site(&g, &f);
    clp_vec3 p = clp_sub(clp_surface_point(&f.surface, site), f.surface.as.ellipsoid.center);
    ck_assert_double_gt(clp_dot(clp_surface_normal(&f.surface, &f.domain, site), p), 0);

    random_face(&g, CLP_SURFACE_TORUS, &f);
    f.surface.outward = 1;
    site = random_site(&g, &f);
    double r = f.surface.as.torus.center_r;
    clp_vec3 center = {r * site.c[0], r * site.c[1], f.surface.as.torus.center_z};
    p = clp_sub(clp_surface_point(&f.surface, site), center);
    clp_vec3 n = clp_surface_normal(&f.surface, &f.domain, site);
    ck_assert_double_le(clp_distance(n, clp_unit(p)), 1e-14);
  }
}

TEST(an_apex_has_the_normal_of_its_generator)
{
  clp_surface cone = {.kind = CLP_SURFACE_CONE, .outward = 1, .as.cone = {0, 0, 3, 4}};
  clp_domain domain = {.kind = CLP_DOMAIN_BAND, .lo = {0, 0}, .hi = {0, 1}};
  clp_vec3 n = clp_surface_normal(&cone, &domain, (clp_site){{0.6, 0.8, 0}});
  ck_assert_double_le(clp_distance(n, (clp_vec3){0.48, 0.64, -0.6}), 1e-15);
}

/* An octant of a sphere whose side v = 1 is the pole, biquadratic and rational. */
static void octant_patch(double radius, face *f)
{
  double knots[6], h = sqrt(0.5), control_points[36], *c = control_points;
  clp_bezier_knots(2, knots);
  double arc[3][3] = {{1, 0, 1}, {1, 1, h}, {0, 1, 1}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      *c++ = radius * arc[i][0] * arc[j][0];
      *c++ = radius * arc[i][1] * arc[j][0];
      *c++ = radius * arc[j][1];
      *c++ = arc[i][2] * arc[j][2];
    }
  }
  f->surface = (clp_surface){.kind = CLP_SURFACE_NURBS, .outward = 1};
  f->domain = (clp_domain){.kind = CLP_DOMAIN_RECTANGLE, .lo = {0, 0}, .hi = {1, 1}};
  ck_assert(
      clp_nurbs_build(2, 3, knots, 2, 3, knots, control_points, f->storage, &f->surface.as.nurbs));
}

TEST(a_collapsed_side_has_the_limit_of_the_normals)
{
  static face f;
  octant_patch(2, &f);
  static const double away[] = {0, 1e-16, 1e-12, 1e-9, 1e-8, 1e-7, 1e-4};
  for (int i = 0; i < 7; i++) {
    for (int k = 0; k <= 20; k++) {
      clp_site site = {{k / 20.0, 1 - away[i], 0}};
      clp_vec3 n = clp_surface_normal(&f.surface, &f.domain, site);
      clp_vec3 p = clp_surface_point(&f.surface, site);
      ck_assert_double_le(clp_distance(n, clp_scale(0.5, p)), 3e-8);
    }
  }
}

/* A disc as one biquadratic patch with its middle raised: in the corners the tangents are parallel.
 */
TEST(a_corner_with_parallel_tangents_has_the_limit_of_the_normals)
{
  double knots[6], h = sqrt(0.5), control_points[36], *c = control_points;
  clp_bezier_knots(2, knots);
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      bool corner = i != 0 && j != 0;
      double scale = corner ? h : 1 / h;
      *c++ = scale * i;
      *c++ = scale * j;
      *c++ = i == 0 && j == 0 ? 0.6 : 0.1;
      *c++ = i == 0 && j == 0 ? 1 : corner ? 1 : h;
    }
  }
  face f = {.surface = {.kind = CLP_SURFACE_NURBS, .outward = -1},
            .domain = {.kind = CLP_DOMAIN_RECTANGLE, .lo = {0, 0}, .hi = {1, 1}}};
  ck_assert(
      clp_nurbs_build(2, 3, knots, 2, 3, knots, control_points, f.storage, &f.surface.as.nurbs));
  for (int corner = 0; corner < 4; corner++) {
    double u = corner & 1, v = corner >> 1;
    clp_jet j = clp_surface_jet(&f.surface, (clp_site){{u, v, 0}});
    ck_assert_double_le(clp_norm(clp_cross(j.u, j.v)), 1e-15 * clp_norm(j.u) * clp_norm(j.v));
    clp_vec3 limit = clp_surface_normal(&f.surface, &f.domain, (clp_site){{u, v, 0}});
    double a = u + 1e-5 * (0.5 - u), b = v + 1e-5 * (0.5 - v);
    clp_vec3 inside = clp_surface_normal(&f.surface, &f.domain, (clp_site){{a, b, 0}});
    ck_assert_double_le(clp_distance(limit, inside), 1e-4);
    ck_assert_double_eq_tol(clp_norm(limit), 1, 1e-15);
    ck_assert_double_lt(limit.z, 0);
  }
}

/* Both tangents vanish in a corner: the direction comes from a little way inside. */
TEST(a_corner_without_tangents_has_a_normal)
{
  double knots[6], control_points[36], *c = control_points;
  clp_bezier_knots(2, knots);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      *c++ = i * i / 4.0;
      *c++ = j * j / 4.0;
      *c++ = i * j / 8.0;
      *c++ = 1;
    }
  }
  for (int k = 0; k < 4; k++)
    control_points[4 * 4 + k] = control_points[4 * 1 + k] = control_points[4 * 3 + k] =
        control_points[k];
  face f = {.surface = {.kind = CLP_SURFACE_NURBS, .outward = 1},
            .domain = {.kind = CLP_DOMAIN_RECTANGLE, .lo = {0, 0}, .hi = {1, 1}}};
  ck_assert(
      clp_nurbs_build(2, 3, knots, 2, 3, knots, control_points, f.storage, &f.surface.as.nurbs));
  clp_vec3 n = clp_surface_normal(&f.surface, &f.domain, (clp_site){{0, 0, 0}});
  clp_vec3 inside = clp_surface_normal(&f.surface, &f.domain, (clp_site){{1e-3, 1e-3, 0}});
  ck_assert_double_eq_tol(clp_norm(n), 1, 1e-15);
  ck_assert_double_le(clp_distance(n, inside), 1e-2);
}

/* ---- Domains -------------------------------------------------------------------------------- */

static double margin(const clp_domain *domain, double x, double y, double z, int *side)
{
  return clp_domain_margin(domain, (clp_site){{x, y, z}}, side);
}

TEST_CASE("domains", 10);

TEST(margins_of_rectangles_and_bands)
{
  int side;
  clp_domain box = {.kind = CLP_DOMAIN_RECTANGLE, .lo = {0, 10}, .hi = {4, 12}};
  ck_assert_int_eq(clp_domain_sides(&box), 4);
  ck_assert_double_eq(margin(&box, 0.5, 11, 0, &side), 0.5);
  ck_assert_int_eq(side, CLP_SIDE_U0);
  ck_assert_double_eq(margin(&box, 3.5, 11, 0, &side), 0.5);
  ck_assert_int_eq(side, CLP_SIDE_U1);
  ck_assert_double_eq(margin(&box, 2, 9.5, 0, &side), -0.5);
  ck_assert_int_eq(side, CLP_SIDE_V0);
  ck_assert_double_eq(margin(&box, 2, 12, 0, &side), 0);
  ck_assert_int_eq(side, CLP_SIDE_V1);

  clp_domain band = {.kind = CLP_DOMAIN_BAND, .lo = {0, -0.5}, .hi = {0, HUGE_VAL}};
  ck_assert(clp_domain_has_side(&band, 0));
  ck_assert(!clp_domain_has_side(&band, 1));
  ck_assert(!clp_domain_has_side(&band, 2));
  ck_assert_double_eq(margin(&band, 0, 0, 1, &side), 1.5);
  ck_assert_int_eq(side, 0);

  clp_domain whole = {.kind = CLP_DOMAIN_WHOLE};
  ck_assert_int_eq(clp_domain_sides(&whole), 0);
  ck_assert_double_eq(margin(&whole, 0, 0, 1, &side), HUGE_VAL);
  ck_assert_int_eq(side, -1);
}

TEST(margins_of_discs_and_polygons)
{
  int side;
  clp_domain disc = {.kind = CLP_DOMAIN_DISC, .lo = {0, 0}, .hi = {5, 0}};
  ck_assert(!clp_domain_has_side(&disc, 0));
  ck_assert(clp_domain_has_side(&disc, 1));
  ck_assert_double_eq(margin(&disc, 0, 0, 0, &side), 5);
  ck_assert_int_eq(side, 1);
  ck_assert_double_eq(margin(&disc, 6, 8, 0, NULL), -5);
  disc.lo[0] = 2;
  ck_assert(clp_domain_has_side(&disc, 0));
  ck_assert_double_eq(margin(&disc, 0, 0, 0, &side), -2);
  ck_assert_int_eq(side, 0);

  static const double left[][2] = {{0, 0}, {4, 0}, {4, 3}}, right[][2] = {{0, 0}, {4, 3}, {4, 0}};
  clp_domain polygon = {.kind = CLP_DOMAIN_POLYGON, .corners = left, .corner_count = 3};
  ck_assert_int_eq(clp_domain_sides(&polygon), 3);
  ck_assert_double_eq_tol(margin(&polygon, 3, 1, 0, &side), 1, 1e-15);
  ck_assert_double_eq_tol(margin(&polygon, 3, -2, 0, &side), -2, 1e-15);
  ck_assert_int_eq(side, 0);
  ck_assert_double_eq_tol(margin(&polygon, 0, 5, 0, &side), -4, 1e-15);
  ck_assert_int_eq(side, 2);
  polygon.corners = right;
  ck_assert_double_eq_tol(margin(&polygon, 3, 1, 0, NULL), 1, 1e-15);
  ck_assert_double_eq_tol(margin(&polygon, 0, 5, 0, &side), -4, 1e-15);
  ck_assert_int_eq(side, 0);
}

LOOP_TEST(middles_lie_inside, 0, KINDS)
{
  random_state g = {(uint64_t)(400 + _i)};
  static face f;
  for (int round = 0; round < 20; round++) {
    random_face(&g, (clp_surface_kind)_i, &f);
    clp_site middle = clp_domain_middle(&f.surface, &f.domain);
    ck_assert_double_gt(clp_domain_margin(&f.domain, middle, NULL), 0);
  }
  clp_surface sphere = {
      .kind = CLP_SURFACE_ELLIPSOID, .outward = 1, .as.ellipsoid.radii = {1, 1, 1}};
  clp_domain cap = {.kind = CLP_DOMAIN_BAND, .lo = {0, 0.5}, .hi = {0, HUGE_VAL}};
  clp_site q = clp_domain_middle(&sphere, &cap);
  ck_assert_double_eq(q.c[2], 0.75);
  ck_assert_double_eq_tol(clp_norm((clp_vec3){q.c[0], q.c[1], q.c[2]}), 1, 1e-15);
  clp_domain ring = {.kind = CLP_DOMAIN_DISC, .lo = {1, 0}, .hi = {2, 0}};
  clp_surface plane = {.kind = CLP_SURFACE_PLANE, .outward = 1};
  ck_assert_double_eq(clp_domain_margin(&ring, clp_domain_middle(&plane, &ring), NULL), 0.5);
  static const double corners[][2] = {{0, 0}, {4, 0}, {4, 3}};
  clp_domain polygon = {.kind = CLP_DOMAIN_POLYGON, .corners = corners, .corner_count = 3};
  ck_assert_double_gt(clp_domain_margin(&polygon, clp_domain_middle(&plane, &polygon), NULL), 0.5);
}
