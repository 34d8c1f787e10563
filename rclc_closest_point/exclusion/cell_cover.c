/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/exclusion/cell_chart.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/face_span.h"

/* A full turn is covered by so many charts, and what bends otherwise by pieces of at most as wide
 * an angle: wide enough to be few, narrow enough for a second order expansion to say something. */
#define SECTORS 4

/* The middle square's half-width, of a disc's radius or of a unit sphere's. Its corners lie at 0.71
 * of the radius. */
#define SQUARE 0.5

static const clp_vec3 up = {0, 0, 1};

static const double pi = 3.14159265358979323846;

/* Counts, and where there is room stores. */
typedef struct cover {
  const clp_body *body;
  clp_chart *charts;
  uint32_t count;
  uint64_t points;
} cover;

static void add_off(cover *c, clp_chart chart, double off)
{
  if (c->charts) {
    chart.lengths = (off + clp_chart_digits(c->body, &chart)) / CLP_ROUNDING;
    c->charts[c->count] = chart;
  }
  c->count++;
}

static void add(cover *c, clp_chart chart)
{
  add_off(c, chart, 0);
}

/* The chart's rectangle cut into pieces. */
static void add_pieces(cover *c, clp_chart chart, int pieces_u, int pieces_v)
{
  const clp_chart whole = chart;
  for (int i = 0; i < pieces_u; ++i)
    for (int j = 0; j < pieces_v; ++j) {
      const int index[2] = {i, j}, pieces[2] = {pieces_u, pieces_v};
      for (int k = 0; k < 2; ++k) {
        double from = (double)index[k] / pieces[k], to = (index[k] + 1.0) / pieces[k];
        chart.lo[k] = (1 - from) * whole.lo[k] + from * whole.hi[k];
        chart.hi[k] = (1 - to) * whole.lo[k] + to * whole.hi[k];
      }
      add(c, chart);
    }
}

/* All round, between v = lo and v = hi. */
static void add_ring(cover *c, clp_chart chart, double lo, double hi, int pieces)
{
  if (!(hi > lo))
    return;
  chart.lo[0] = -pi;
  chart.hi[0] = pi;
  chart.lo[1] = lo;
  chart.hi[1] = hi;
  add_pieces(c, chart, SECTORS, pieces);
}

/* Of an angle: one that is a number of pieces but for rounding is not one more. */
#define WHOLE_PIECES 1e-12

static int pieces_of_angle(double angle)
{
  return (int)ceil(angle * SECTORS / (2 * pi) * (1 - WHOLE_PIECES)) + (angle <= 0);
}

/* ---- Planes ------------------------------------------------------------------------------- */

static clp_vec3 plane_normal(const clp_plane *plane)
{
  return clp_unit(clp_cross(plane->a, plane->b));
}

/* The bilinear map of [-1, 1]^2 onto a convex quadrilateral, corners counter-clockwise from
 * (-1, -1). */
static void add_quad(cover *c, uint32_t face, const double p[4][2])
{
  clp_chart chart = {.kind = CLP_CHART_QUAD, .id = face, .lo = {-1, -1}, .hi = {1, 1}};
  for (int k = 0; k < 2; ++k) {
    chart.data[k] = 0.25 * (p[0][k] + p[1][k] + p[2][k] + p[3][k]);
    chart.data[2 + k] = 0.25 * (p[1][k] + p[2][k] - p[0][k] - p[3][k]);
    chart.data[4 + k] = 0.25 * (p[2][k] + p[3][k] - p[0][k] - p[1][k]);
    chart.data[6 + k] = 0.25 * (p[0][k] + p[2][k] - p[1][k] - p[3][k]);
  }
  const clp_plane *plane = &c->body->faces[face].surface.as.plane;
  chart.axis = plane_normal(plane);
  chart.bounds.second[0][1] =
      clp_norm(clp_add(clp_scale(chart.data[6], plane->a), clp_scale(chart.data[7], plane->b)));
  add(c, chart);
}

static void add_rectangle(cover *c, uint32_t face, const double lo[2], const double hi[2])
{
  const double corners[4][2] = {{lo[0], lo[1]}, {hi[0], lo[1]}, {hi[0], hi[1]}, {lo[0], hi[1]}};
  add_quad(c, face, corners);
}

/* What is no quadrilateral is one at every corner: from the middle to the sides' middles and the
 * corner. */
static void cover_polygon(cover *c, uint32_t face)
{
  const clp_domain *domain = &c->body->faces[face].domain;
  int count = domain->corner_count;
  if (count == 4) {
    add_quad(c, face, domain->corners);
    return;
  }
  clp_site middle = clp_domain_middle(&c->body->faces[face].surface, domain);
  for (int k = 0; k < count; ++k) {
    const double *before = domain->corners[(k + count - 1) % count];
    const double *corner = domain->corners[k], *after = domain->corners[(k + 1) % count];
    double quad[4][2];
    for (int i = 0; i < 2; ++i) {
      quad[0][i] = middle.c[i];
      quad[1][i] = 0.5 * (before[i] + corner[i]);
      quad[2][i] = corner[i];
      quad[3][i] = 0.5 * (corner[i] + after[i]);
    }
    add_quad(c, face, (const double(*)[2])quad);
  }
}

/* ---- Discs -------------------------------------------------------------------------------- */

/* The largest factor by which a vector gets longer from (x, y) to x a + y b. */
static double plane_stretch(const clp_plane *plane)
{
  double aa = clp_norm2(plane->a), bb = clp_norm2(plane->b), ab = clp_dot(plane->a, plane->b);
  return sqrt(0.5 * (aa + bb + hypot(aa - bb, 2 * ab)));
}

/* On a paraboloid the height k r^2 depends on the radius alone, and its bend is 2 k. */
static void cover_disc(cover *c, uint32_t face)
{
  const clp_surface *surface = &c->body->faces[face].surface;
  const clp_domain *domain = &c->body->faces[face].domain;
  bool flat = clp_surface_facts_of(surface)->flat;
  double outer = domain->hi[0], inner = domain->lo[0];
  double bend = flat ? 0 : 2 * fabs(surface->as.paraboloid.k);
  clp_chart ring = {.kind = CLP_CHART_POLAR,
                    .id = face,
                    .axis = flat ? plane_normal(&surface->as.plane) : up,
                    .stretch = flat ? plane_stretch(&surface->as.plane) : 1,
                    .slope = 1,
                    .bounds.second[1] = {0, 0, bend}};
  if (inner <= 0) {
    inner = SQUARE * outer;
    const double lo[2] = {-inner, -inner}, hi[2] = {inner, inner};
    if (flat)
      add_rectangle(c, face, lo, hi);
    else
      add_pieces(c,
                 (clp_chart){.kind = CLP_CHART_NATURAL,
                             .id = face,
                             .lo = {lo[0], lo[1]},
                             .hi = {hi[0], hi[1]},
                             .axis = up,
                             .bounds.second[1] = {bend, 0, bend}},
                 2, 2);
  }
  add_ring(c, ring, inner, outer, flat ? 1 : 2);
}

/* ---- Ellipsoids --------------------------------------------------------------------------- */

/* With w = sqrt(1 - u^2 - v^2) >= m on the square |u|, |v| <= s:
 *     |w_uu| <= 1 / m^3, |w_uv| <= s^2 / m^3, |w_uuu| <= 3 s / m^5, |w_uuv| <= s (1 + 2 s^2) / m^5.
 */
static void add_cap(cover *c, uint32_t face, double sign, double s)
{
  double height = c->body->faces[face].surface.as.ellipsoid.radii.z, m = sqrt(1 - 2 * s * s);
  double cube = height / (m * m * m), fifth = cube / (m * m), mixed = s * (1 + 2 * s * s) * fifth;
  clp_chart chart = {.kind = CLP_CHART_CAP,
                     .id = face,
                     .lo = {-s, -s},
                     .hi = {s, s},
                     .data = {sign},
                     .axis = up,
                     .bounds.second[1] = {cube, s * s * cube, cube},
                     .bounds.third[1] = {3 * s * fifth, mixed, mixed, 3 * s * fifth}};
  add_pieces(c, chart, 2, 2);
}

/* A pole inside the band is in the middle of a square, which reaches so far down that the ring goes
 * up to it only. `limit` is the latitude's sine where the band ends on the other side. */
static double add_pole(cover *c, uint32_t face, double sign, double limit)
{
  double radius = limit > 0 ? sqrt((1 - limit) * (1 + limit)) : 1;
  double s = SQUARE * radius;
  add_cap(c, face, sign, s);
  return acos(s);
}

static void cover_ellipsoid(cover *c, uint32_t face)
{
  const clp_domain *domain = &c->body->faces[face].domain;
  clp_vec3 radii = c->body->faces[face].surface.as.ellipsoid.radii;
  bool whole = domain->kind == CLP_DOMAIN_WHOLE;
  double low = whole ? -1 : clp_max(-1, domain->lo[1]),
         high = whole ? 1 : clp_min(1, domain->hi[1]);
  double from = low > -1 ? asin(low) : -add_pole(c, face, -1, -high);
  double to = high < 1 ? asin(high) : add_pole(c, face, 1, low);
  double across = clp_max(radii.x, radii.y);
  clp_chart ring = {
      .kind = CLP_CHART_LATITUDE,
      .id = face,
      .axis = up,
      .stretch = across,
      .slope = 1,
      .bounds = {{{0, 0, across}, {0, 0, radii.z}}, {{0, 0, 0, across}, {0, 0, 0, radii.z}}}};
  add_ring(c, ring, from, to, pieces_of_angle(to - from));
}

/* ---- Surfaces of revolution --------------------------------------------------------------- */

static void cover_cone(cover *c, uint32_t face)
{
  const clp_domain *domain = &c->body->faces[face].domain;
  clp_chart ring = {.kind = CLP_CHART_TURN,
                    .id = face,
                    .axis = up,
                    .stretch = 1,
                    .slope = fabs(c->body->faces[face].surface.as.cone.dr)};
  add_ring(c, ring, domain->lo[1], domain->hi[1], 1);
}

static void cover_torus(cover *c, uint32_t face)
{
  const clp_domain *domain = &c->body->faces[face].domain;
  double radius = c->body->faces[face].surface.as.torus.radius;
  clp_chart ring = {
      .kind = CLP_CHART_TURN,
      .id = face,
      .axis = up,
      .stretch = 1,
      .slope = radius,
      .bounds = {{{0, 0, radius}, {0, 0, radius}}, {{0, 0, 0, radius}, {0, 0, 0, radius}}}};
  add_ring(c, ring, domain->lo[1], domain->hi[1], pieces_of_angle(domain->hi[1] - domain->lo[1]));
}

/* The profile as a Bezier curve over [0, 1]: from powers to (w r, 0, w z, w). */
static void conic_bezier(const clp_conic *conic, double bezier[12])
{
  const double zero[3] = {0, 0, 0}, *from[4] = {conic->r, zero, conic->z, conic->w};
  for (int lane = 0; lane < 4; ++lane) {
    const double *q = from[lane];
    bezier[lane] = q[0];
    bezier[4 + lane] = q[0] + 0.5 * q[1];
    bezier[8 + lane] = q[0] + q[1] + q[2];
  }
}

/* The profile's derivatives along its parameter are the chart's along v. */
static void cover_conic(cover *c, uint32_t face)
{
  enum { PIECES = 4 };
  const clp_domain *domain = &c->body->faces[face].domain;
  const double unit[2] = {0, 1};
  double bezier[12], width = (domain->hi[1] - domain->lo[1]) / PIECES;
  conic_bezier(&c->body->faces[face].surface.as.conic, bezier);
  for (int k = 0; k < PIECES; ++k) {
    double t[2] = {domain->lo[1] + k * width, domain->lo[1] + (k + 1) * width};
    clp_chart ring = {.kind = CLP_CHART_TURN, .id = face, .axis = up, .stretch = 1};
    clp_chart_bounds b = clp_chart_spline_bounds(2, 0, bezier, up, t, unit, &ring.slope);
    for (int i = 0; i < 2; ++i) {
      ring.bounds.second[i][2] = b.second[i][0];
      ring.bounds.third[i][3] = b.third[i][0];
    }
    add_ring(c, ring, t[0], t[1], 1);
  }
}

/* ---- Splines ------------------------------------------------------------------------------ */

/* Pieces along each parameter of a span, so that bounds over one are near the derivatives. */
static int span_pieces(const clp_face_span *span)
{
  size_t count = clp_bernstein_count(span->degree_u, span->degree_v);
  bool rational = false;
  for (size_t k = 1; k < count; ++k)
    rational |= span->bezier[4 * k + 3] != span->bezier[3];
  int degree = span->degree_u > span->degree_v ? span->degree_u : span->degree_v;
  return 1 + (degree > 2) + (degree > 5) + rational;
}

/* From the span's unit square to the parameters. */
static clp_chart_bounds rescaled(clp_chart_bounds b, double width_u, double width_v)
{
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i <= 2; ++i)
      b.second[k][i] /= pow(width_u, 2 - i) * pow(width_v, i);
    for (int i = 0; i <= 3; ++i)
      b.third[k][i] /= pow(width_u, 3 - i) * pow(width_v, i);
  }
  return b;
}

/* From fraction f to fraction g of what the face covers of a span. */
static void cut(double lo, double hi, int index, int pieces, double range[2])
{
  double f = (double)index / pieces, g = (index + 1.0) / pieces;
  range[0] = (1 - f) * lo + f * hi;
  range[1] = (1 - g) * lo + g * hi;
}

/* The normal in the middle, where there is one. */
static clp_vec3 chart_axis(const clp_body *body, const clp_chart *chart)
{
  if (chart->kind == CLP_CHART_CURVE)
    return up;
  clp_jet jet = clp_chart_jet(body, chart, 0.5 * (chart->lo[0] + chart->hi[0]),
                              0.5 * (chart->lo[1] + chart->hi[1]));
  clp_vec3 n = clp_unit(clp_cross(jet.u, jet.v));
  return clp_norm2(n) > 0 ? n : up;
}

static void add_span_piece(cover *c, clp_chart chart, const clp_face_span *span, const double u[2],
                           const double v[2], double off)
{
  clp_site from = clp_face_span_site(span, u[0], v[0]), to = clp_face_span_site(span, u[1], v[1]);
  double slope;
  for (int k = 0; k < 2; ++k) {
    chart.lo[k] = from.c[k];
    chart.hi[k] = to.c[k];
  }
  chart.axis = chart_axis(c->body, &chart);
  chart.bounds = clp_chart_spline_bounds(span->degree_u, span->degree_v, span->bezier, chart.axis,
                                         u, v, &slope);
  chart.bounds = rescaled(chart.bounds, span->u1 - span->u0, span->v1 - span->v0);
  if (chart.kind == CLP_CHART_CURVE)
    chart.lo[1] = chart.hi[1] = 0;
  add_off(c, chart, off);
}

static void cover_span(cover *c, clp_chart chart, const clp_nurbs *nurbs, const clp_face_span *span)
{
  int pieces_u = span_pieces(span), pieces_v = chart.kind == CLP_CHART_CURVE ? 1 : pieces_u;
  uint32_t pieces = (uint32_t)(pieces_u * pieces_v);
  c->points += pieces * clp_bernstein_count(span->degree_u, span->degree_v);
  if (!c->charts) { /* their bounds are what takes its time */
    c->count += pieces;
    return;
  }
  double off = clp_chart_evaluation(nurbs, chart.span, pieces_u);
  for (int i = 0; i < pieces_u; ++i)
    for (int j = 0; j < pieces_v; ++j) {
      double u[2], v[2];
      cut(span->cell.u0, span->cell.u1, i, pieces_u, u);
      cut(span->cell.v0, span->cell.v1, j, pieces_v, v);
      add_span_piece(c, chart, span, u, v, off);
    }
}

static void cover_nurbs(cover *c, uint32_t face)
{
  const clp_nurbs *nurbs = &c->body->faces[face].surface.as.nurbs;
  const clp_domain *domain = &c->body->faces[face].domain;
  for (int k = 0; k < clp_face_span_count(nurbs); ++k) {
    clp_face_span span;
    if (clp_face_span_at(nurbs, domain, k, &span))
      cover_span(c, (clp_chart){.kind = CLP_CHART_NATURAL, .id = face, .spline = true, .span = k},
                 nurbs, &span);
  }
}

/* ---- Planar bodies ------------------------------------------------------------------------ */

static void cover_spline_curve(cover *c, clp_chart chart)
{
  clp_domain domain;
  clp_nurbs nurbs = clp_curve_as_nurbs(&c->body->edges[chart.id].curve, &domain);
  for (chart.span = 0; chart.span < clp_face_span_count(&nurbs); ++chart.span) {
    clp_face_span span;
    if (clp_face_span_at(&nurbs, &domain, chart.span, &span))
      cover_span(c, chart, &nurbs, &span);
  }
}

static void cover_curve(cover *c, uint32_t edge)
{
  const clp_curve *curve = &c->body->edges[edge].curve;
  clp_chart chart = {
      .kind = CLP_CHART_CURVE, .id = edge, .lo = {curve->lo, 0}, .hi = {curve->hi, 0}, .axis = up};
  if (curve->kind == CLP_CURVE_LINE) {
    add(c, chart);
  } else if (curve->kind == CLP_CURVE_ELLIPSE) {
    const clp_ellipse *e = &curve->as.ellipse;
    chart.bounds.second[0][0] = chart.bounds.third[0][0] = clp_norm(e->a) + clp_norm(e->b);
    add_pieces(c, chart, pieces_of_angle(curve->hi - curve->lo), 1);
  } else {
    cover_spline_curve(c, chart);
  }
}

/* ---- Bodies ------------------------------------------------------------------------------- */

static void cover_plane(cover *c, uint32_t face)
{
  const clp_domain *domain = &c->body->faces[face].domain;
  if (domain->kind == CLP_DOMAIN_RECTANGLE)
    add_rectangle(c, face, domain->lo, domain->hi);
  else if (domain->kind == CLP_DOMAIN_POLYGON)
    cover_polygon(c, face);
  else
    cover_disc(c, face);
}

static void (*const covers[])(cover *c, uint32_t face) = {
    [CLP_SURFACE_PLANE] = cover_plane,     [CLP_SURFACE_ELLIPSOID] = cover_ellipsoid,
    [CLP_SURFACE_PARABOLOID] = cover_disc, [CLP_SURFACE_CONE] = cover_cone,
    [CLP_SURFACE_TORUS] = cover_torus,     [CLP_SURFACE_CONIC] = cover_conic,
    [CLP_SURFACE_NURBS] = cover_nurbs,
};

CLP_COMPLETE(covers, CLP_SURFACE_COUNT);

static cover cover_body(const clp_body *body, clp_chart *charts)
{
  cover c = {.body = body, .charts = charts};
  if (body->info.point)
    add(&c, (clp_chart){.kind = CLP_CHART_POINT});
  for (uint32_t k = 0; k < body->face_count; ++k)
    covers[body->faces[k].surface.kind](&c, k);
  for (uint32_t k = 0; k < body->edge_count && body->info.planar; ++k)
    cover_curve(&c, k);
  return c;
}

uint32_t clp_chart_count(const clp_body *body)
{
  return cover_body(body, NULL).count;
}

uint64_t clp_chart_points(const clp_body *body)
{
  return cover_body(body, NULL).points;
}

void clp_chart_cover(const clp_body *body, clp_chart *charts)
{
  cover_body(body, charts);
}
