/* SPDX-License-Identifier: Apache-2.0 */
/* Splines against SISL, SINTEF's spline library (Debian: libsisl-dev), where it is installed: the
 * same knots and control points go to both, values and derivatives must agree. */

#include <sisl.h>

#include "rclc_closest_point/surface/spline.h"
#include "support/reference_spline.h"
#include "support/suite.h"

enum { SISL_RATIONAL_SURFACE = 2, SISL_RATIONAL_CURVE = 2, SISL_COPIES = 1, SISL_3D = 3 };

static clp_vec3 vec3_of(const double *a)
{
  return (clp_vec3){a[0], a[1], a[2]};
}

/* SISL takes homogeneous control points, u fastest. */
static SISLSurf *peer_surface(reference_axis u, reference_axis v, const double *control_points,
                              double *knots_u, double *knots_v)
{
  static double homogeneous[4 * 40 * 40];
  for (int i = 0; i < u.size; i++) {
    for (int j = 0; j < v.size; j++) {
      const double *c = control_points + 4 * (i * v.size + j);
      double *h = homogeneous + 4 * (j * u.size + i);
      for (int k = 0; k < 3; k++)
        h[k] = c[3] * c[k];
      h[3] = c[3];
    }
  }
  SISLSurf *surface = newSurf(u.size, v.size, u.degree + 1, v.degree + 1, knots_u, knots_v,
                              homogeneous, SISL_RATIONAL_SURFACE, SISL_3D, SISL_COPIES);
  ck_assert_ptr_nonnull(surface);
  return surface;
}

static clp_jet peer_jet(SISLSurf *surface, double u, double v)
{
  double parameters[2] = {u, v}, d[3 * 9];
  int left_u = 0, left_v = 0, status = 0;
  s1424(surface, 2, 2, parameters, &left_u, &left_v, d, &status);
  ck_assert_int_ge(status, 0);
  return (clp_jet){.p = vec3_of(d),
                   .u = vec3_of(d + 3),
                   .v = vec3_of(d + 9),
                   .uu = vec3_of(d + 6),
                   .uv = vec3_of(d + 12),
                   .vv = vec3_of(d + 18)};
}

static void compare(const clp_surface *surface, SISLSurf *peer, double u, double v)
{
  clp_jet a = clp_surface_jet(surface, (clp_site){{u, v, 0}}), b = peer_jet(peer, u, v);
  double first = 1 + clp_norm(a.u) + clp_norm(a.v);
  double second = first + clp_norm(a.uu) + clp_norm(a.uv) + clp_norm(a.vv);
  ck_assert_double_le(clp_distance(a.p, b.p), 1e-12 * (1 + clp_norm(a.p)));
  ck_assert_double_le(clp_distance(a.u, b.u), 1e-12 * first);
  ck_assert_double_le(clp_distance(a.v, b.v), 1e-12 * first);
  ck_assert_double_le(clp_distance(a.uu, b.uu), 1e-12 * second);
  ck_assert_double_le(clp_distance(a.uv, b.uv), 1e-12 * second);
  ck_assert_double_le(clp_distance(a.vv, b.vv), 1e-12 * second);
}

SUITE("surface peer");

TEST_CASE("SISL", 60);

LOOP_TEST(surfaces_agree_with_the_peer, 1, 10)
{
  int degree_u = _i;
  random_state g = {(uint64_t)(80 + degree_u)};
  for (int degree_v = 1; degree_v <= 9; degree_v++) {
    for (int variant = 0; variant < 6; variant++) {
      double knots_u[60], knots_v[60], control_points[4 * 40 * 40];
      reference_axis u = {degree_u, random_knots(&g, degree_u, variant % 3, true, knots_u),
                          knots_u};
      reference_axis v = {degree_v, random_knots(&g, degree_v, variant % 3, true, knots_v),
                          knots_v};
      random_net(&g, u.size, v.size, variant < 3 ? 0.05 : 1, control_points);
      double *storage = malloc(
          sizeof(double) * clp_nurbs_storage(degree_u, u.size, knots_u, degree_v, v.size, knots_v));
      ck_assert_ptr_nonnull(storage);
      clp_surface surface = {.kind = CLP_SURFACE_NURBS, .outward = 1};
      ck_assert(clp_nurbs_build(degree_u, u.size, knots_u, degree_v, v.size, knots_v,
                                control_points, storage, &surface.as.nurbs));
      SISLSurf *peer = peer_surface(u, v, control_points, knots_u, knots_v);
      for (int i = 0; i < 20; i++)
        compare(&surface, peer, random_between(&g, knots_u[degree_u], knots_u[u.size]),
                random_between(&g, knots_v[degree_v], knots_v[v.size]));
      freeSurf(peer);
      free(storage);
    }
  }
}

LOOP_TEST(curves_agree_with_the_peer, 1, 10)
{
  int degree = _i;
  random_state g = {(uint64_t)(90 + degree)};
  for (int variant = 0; variant < 20; variant++) {
    double knots[60], control_points[160] = {0}, homogeneous[160], storage[4000];
    int size = random_knots(&g, degree, variant % 4, true, knots);
    random_net(&g, size, 1, 0.3, control_points);
    for (int i = 0; i < 4 * size; i++)
      homogeneous[i] = control_points[i] * (i % 4 == 3 ? 1 : control_points[i | 3]);
    ck_assert_uint_le(clp_nurbs_curve_storage(degree, size, knots), 4000);
    clp_curve curve = {.kind = CLP_CURVE_NURBS};
    ck_assert(clp_nurbs_curve_build(degree, size, knots, control_points, storage, &curve.as.nurbs));
    SISLCurve *peer =
        newCurve(size, degree + 1, knots, homogeneous, SISL_RATIONAL_CURVE, SISL_3D, SISL_COPIES);
    ck_assert_ptr_nonnull(peer);
    for (int i = 0; i < 20; i++) {
      double t = random_between(&g, knots[degree], knots[size]), d[9];
      int left = 0, status = 0;
      s1221(peer, 2, t, &left, d, &status);
      ck_assert_int_ge(status, 0);
      clp_curve_jet j = clp_curve_jet_at(&curve, (clp_curve_site){{t, 0}});
      double first = 1 + clp_norm(j.t), second = first + clp_norm(j.tt);
      ck_assert_double_le(clp_distance(j.p, vec3_of(d)), 1e-12 * (1 + clp_norm(j.p)));
      ck_assert_double_le(clp_distance(j.t, vec3_of(d + 3)), 1e-12 * first);
      ck_assert_double_le(clp_distance(j.tt, vec3_of(d + 6)), 1e-12 * second);
    }
    freeCurve(peer);
  }
}
