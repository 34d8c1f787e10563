/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_chart.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/math/vec3.h"

static const clp_surface *surface_of(const clp_body *body, const clp_chart *chart)
{
  return &body->faces[chart->id].surface;
}

/* A spline's span ends where the next one begins, and evaluation at that parameter is the next
 * one's: from the left, its last parameter is one step of rounding below. */
static double inside(const clp_chart *chart, int axis, double t)
{
  double lo = chart->lo[axis], hi = chart->hi[axis];
  return clp_max(lo, t < hi ? t : nextafter(hi, lo));
}

/* ---- Derivatives -------------------------------------------------------------------------- */

/* Chain rule for (x, y)(u, v), which is bilinear. */
static clp_jet quad_jet(const clp_plane *plane, const double *d, double u, double v)
{
  double x = d[0] + u * d[2] + v * d[4] + u * v * d[6];
  double y = d[1] + u * d[3] + v * d[5] + u * v * d[7];
  return (clp_jet){
      .p = clp_add_scaled(clp_add_scaled(plane->origin, x, plane->a), y, plane->b),
      .u = clp_add(clp_scale(d[2] + v * d[6], plane->a), clp_scale(d[3] + v * d[7], plane->b)),
      .v = clp_add(clp_scale(d[4] + u * d[6], plane->a), clp_scale(d[5] + u * d[7], plane->b)),
      .uv = clp_add(clp_scale(d[6], plane->a), clp_scale(d[7], plane->b))};
}

/* x = r c, y = r s: with e = c d/dx + s d/dy and f = -s d/dx + c d/dy,
 *     d/dr = e,   d/da = r f,   d2/dr2 = ee,   d2/da dr = f + r fe,   d2/da2 = -r e + r^2 ff. */
static clp_jet polar_jet(const clp_surface *surface, double angle, double r)
{
  double c = cos(angle), s = sin(angle);
  clp_jet j = clp_surface_jet(surface, (clp_site){{r * c, r * s, 0}});
  clp_vec3 e = clp_add(clp_scale(c, j.u), clp_scale(s, j.v));
  clp_vec3 f = clp_sub(clp_scale(c, j.v), clp_scale(s, j.u));
  clp_vec3 ee = clp_add_scaled(clp_scale(c * c, j.uu), s * s, j.vv);
  ee = clp_add_scaled(ee, 2 * c * s, j.uv);
  clp_vec3 ff = clp_add_scaled(clp_scale(s * s, j.uu), c * c, j.vv);
  ff = clp_add_scaled(ff, -2 * c * s, j.uv);
  clp_vec3 fe = clp_add_scaled(clp_scale(c * s, clp_sub(j.vv, j.uu)), c * c - s * s, j.uv);
  return (clp_jet){.p = j.p,
                   .u = clp_scale(r, f),
                   .v = e,
                   .uu = clp_add_scaled(clp_scale(r * r, ff), -r, e),
                   .uv = clp_add_scaled(f, r, fe),
                   .vv = ee};
}

static clp_jet latitude_jet(const clp_ellipsoid *e, double u, double v)
{
  double c = cos(u), s = sin(u), across = cos(v), up = sin(v);
  clp_vec3 out = {e->radii.x * c, e->radii.y * s, 0};
  clp_vec3 round = {-e->radii.x * s, e->radii.y * c, 0};
  clp_vec3 arm = clp_add(clp_scale(across, out), (clp_vec3){0, 0, e->radii.z * up});
  return (clp_jet){.p = clp_add(e->center, arm),
                   .u = clp_scale(across, round),
                   .v = {-up * out.x, -up * out.y, e->radii.z * across},
                   .uu = clp_scale(-across, out),
                   .uv = clp_scale(-up, round),
                   .vv = clp_negate(arm)};
}

/* z = +-rz w with w = sqrt(1 - u^2 - v^2): w_u = -u / w, w_uu = -(1 - v^2) / w^3,
 * w_uv = -u v / w^3. */
static clp_jet cap_jet(const clp_ellipsoid *e, double sign, double u, double v)
{
  double w = sqrt(1 - u * u - v * v), up = sign * e->radii.z, cube = w * w * w;
  return (clp_jet){.p = clp_add(e->center, (clp_vec3){e->radii.x * u, e->radii.y * v, up * w}),
                   .u = {e->radii.x, 0, -up * u / w},
                   .v = {0, e->radii.y, -up * v / w},
                   .uu = {0, 0, -up * (1 - v * v) / cube},
                   .uv = {0, 0, -up * u * v / cube},
                   .vv = {0, 0, -up * (1 - u * u) / cube}};
}

static clp_jet curve_jet(const clp_curve *curve, double t)
{
  clp_curve_jet j = clp_curve_jet_at(curve, clp_curve_site_at(curve, t));
  return (clp_jet){.p = j.p, .u = j.t, .uu = j.tt};
}

clp_jet clp_chart_jet(const clp_body *body, const clp_chart *chart, double u, double v)
{
  switch (chart->kind) {
    case CLP_CHART_POINT:
      break;
    case CLP_CHART_CURVE:
      return curve_jet(&body->edges[chart->id].curve, inside(chart, 0, u));
    case CLP_CHART_QUAD:
      return quad_jet(&surface_of(body, chart)->as.plane, chart->data, u, v);
    case CLP_CHART_NATURAL:
      return clp_surface_jet(surface_of(body, chart),
                             (clp_site){{inside(chart, 0, u), inside(chart, 1, v), 0}});
    case CLP_CHART_POLAR:
      return polar_jet(surface_of(body, chart), u, v);
    case CLP_CHART_TURN:
      return clp_surface_jet(surface_of(body, chart), (clp_site){{cos(u), sin(u), v}});
    case CLP_CHART_LATITUDE:
      return latitude_jet(&surface_of(body, chart)->as.ellipsoid, u, v);
    case CLP_CHART_CAP:
      return cap_jet(&surface_of(body, chart)->as.ellipsoid, chart->data[0], u, v);
  }
  return (clp_jet){.p = body->vertices[0].place};
}

/* ---- Spots -------------------------------------------------------------------------------- */

static clp_site site_of(const clp_chart *chart, double u, double v)
{
  const double *d = chart->data;
  switch (chart->kind) {
    case CLP_CHART_QUAD:
      return (clp_site){{d[0] + u * d[2] + v * d[4] + u * v * d[6],
                         d[1] + u * d[3] + v * d[5] + u * v * d[7], 0}};
    case CLP_CHART_POLAR:
      return (clp_site){{v * cos(u), v * sin(u), 0}};
    case CLP_CHART_TURN:
      return (clp_site){{cos(u), sin(u), v}};
    case CLP_CHART_LATITUDE:
      return (clp_site){{cos(v) * cos(u), cos(v) * sin(u), sin(v)}};
    case CLP_CHART_CAP:
      return (clp_site){{u, v, d[0] * sqrt(1 - u * u - v * v)}};
    default:
      return (clp_site){{u, v, 0}};
  }
}

clp_spot clp_chart_spot(const clp_body *body, const clp_chart *chart, double u, double v)
{
  if (chart->kind == CLP_CHART_POINT)
    return clp_spot_on_vertex(0);
  if (chart->kind == CLP_CHART_CURVE)
    return clp_spot_on_edge(chart->id, clp_curve_site_at(&body->edges[chart->id].curve, u));
  return clp_spot_on_face(chart->id, site_of(chart, u, v));
}

/* ---- Bounds ------------------------------------------------------------------------------- */

/* The distance from the axis of a turning chart, per unit of stretch. */
static double radius_at(const clp_body *body, const clp_chart *chart, double v)
{
  if (chart->kind == CLP_CHART_POLAR)
    return v;
  if (chart->kind == CLP_CHART_LATITUDE)
    return cos(v);
  return clp_surface_point(surface_of(body, chart), (clp_site){{1, 0, v}}).x;
}

/* With r the radius, turning by the angle u multiplies lengths across the axis by r and its
 * derivatives and does nothing along it; along v the chart is the profile, whose bounds are
 * known. */
clp_chart_bounds clp_chart_bound(const clp_body *body, const clp_chart *chart, double v,
                                 double half_v)
{
  clp_chart_bounds bounds = chart->bounds;
  if (chart->stretch > 0) {
    double r = fabs(radius_at(body, chart, v)) + half_v * chart->slope;
    bounds.second[0][0] = bounds.third[0][0] = chart->stretch * r;
    bounds.second[0][1] = bounds.third[0][1] = chart->stretch * chart->slope;
    bounds.third[0][2] = bounds.second[0][2];
  }
  return bounds;
}
