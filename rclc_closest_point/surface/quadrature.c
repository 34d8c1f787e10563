/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/dual_form.h"
#include "rclc_closest_point/surface/face_span.h"
#include "rclc_closest_point/surface/profile.h"
#include "rclc_closest_point/surface/surface_kinds.h"

enum {
  MAX_NODES = CLP_MAX_DEGREE + 7,
  DIVISIONS = 4000, /* of cells, per face */
  STACK = 64        /* halvings of one cell on the way down */
};

/* ---- Gauss rules -------------------------------------------------------------------------- */

/* Nodes and weights on [0, 1]. */
typedef struct rule {
  int count;
  double x[MAX_NODES], w[MAX_NODES];
} rule;

/* Newton's iteration for a root of the Legendre polynomial P(n), with
 *     k P(k) = (2 k - 1) x P(k - 1) - (k - 1) P(k - 2),   P'(n) = n (x P(n) - P(n - 1)) / (x^2 - 1)
 * and the weight 2 / ((1 - x^2) P'(n)^2) on [-1, 1]. */
static void legendre_node(int n, double x, double *node, double *weight)
{
  double slope = 1;
  for (int iteration = 0; iteration < 8; ++iteration) {
    double before = 1, p = x;
    for (int k = 2; k <= n; ++k) {
      double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
      before = p;
      p = next;
    }
    slope = n * (x * p - before) / (x * x - 1);
    x -= p / slope;
  }
  *node = 0.5 * (1 + x);
  *weight = 1 / ((1 - x * x) * slope * slope);
}

static rule gauss_rule(int count)
{
  rule r = {.count = count};
  for (int k = 0; k < count; ++k)
    legendre_node(count, cos(CLP_PI * (k + 0.75) / (count + 0.5)), &r.x[k], &r.w[k]);
  return r;
}

/* ---- What is integrated ------------------------------------------------------------------- */

/* `moment` bounds what the volume consists of: the scale on which its error counts. */
typedef struct measure {
  double area, volume, moment;
} measure;

typedef struct integral {
  const clp_surface *surface;
  clp_profile profile;
  clp_vec3 origin;
  measure (*density)(const struct integral *integral, double u, double v);
  rule coarse, fine;
  double least;  /* what errors are relative to where less than this is found; else 0 */
  measure error; /* of a cell, below which it is not divided */
  int budget;
} integral;

static measure spline_density(const integral *in, double u, double v)
{
  clp_jet jet = clp_surface_jet(in->surface, (clp_site){{u, v, 0}});
  clp_vec3 normal = clp_cross(jet.u, jet.v), arm = clp_sub(jet.p, in->origin);
  double area = clp_norm(normal);
  return (measure){area, in->surface->outward * clp_dot(arm, normal) / 3, area * clp_norm(arm)};
}

/* A ring of a surface of revolution. The outward normal times dA is
 *     side (z' e - r' k) r dangle dt
 * and its product with the arm, averaged over the turn, r z' - (z - origin.z) r'. */
static measure ring_density(const integral *in, double u, double v)
{
  (void)u;
  clp_profile_jet p = clp_profile_at(&in->profile, v);
  double ring = 2 * CLP_PI * p.r, z = p.z - in->origin.z;
  double area = ring * hypot(p.dr, p.dz);
  double across = ring * (p.r * p.dz - z * p.dr);
  double arm = hypot(p.r + hypot(in->origin.x, in->origin.y), z);
  return (measure){area, in->profile.outward * across / 3, area * arm};
}

/* p = center + R q with q at azimuth u and latitude v, whose area on the unit sphere is cos v du
 * dv. The outward normal times dA is outward det(R) R^-1 q cos v du dv; its product with the arm is
 * det(R) (1 + (center - origin).R^-1 q) cos v, from which the turn averages x and y away. u runs
 * over a quarter of the turn, which is like the other three. The latitude and not q.z, for in q.z
 * the area of a needle has a root's infinite slope at the poles. */
static measure ellipsoid_density(const integral *in, double u, double v)
{
  clp_ellipsoid e = in->surface->as.ellipsoid;
  clp_vec3 to_center = clp_sub(e.center, in->origin), radii = e.radii;
  double ring = cos(v), weight = 4 * radii.x * radii.y * radii.z * ring;
  clp_vec3 n = {ring * cos(u) / radii.x, ring * sin(u) / radii.y, sin(v) / radii.z};
  double area = weight * clp_norm(n);
  double across = weight * (1 + to_center.z * n.z);
  double arm = clp_norm(to_center) + fmax(radii.x, fmax(radii.y, radii.z));
  return (measure){area, in->surface->outward * across / 3, area * arm};
}

/* ---- The mean curvature ------------------------------------------------------------------- */

/* Half the sum of the principal curvatures, positive where the body is convex, times dA. It stands
 * where the area does, so that the same rule integrates it. */

/* With L = p_uu.n and so on H = -(G L - 2 F M + E N) / (2 |p_u x p_v|^2). */
static measure spline_bend(const integral *in, double u, double v)
{
  clp_jet jet = clp_surface_jet(in->surface, (clp_site){{u, v, 0}});
  clp_vec3 normal = clp_cross(jet.u, jet.v);
  double area2 = clp_norm2(normal);
  double sum = clp_norm2(jet.v) * clp_dot(jet.uu, normal) -
               2 * clp_dot(jet.u, jet.v) * clp_dot(jet.uv, normal) +
               clp_norm2(jet.u) * clp_dot(jet.vv, normal);
  return (measure){area2 > 0 ? -0.5 * in->surface->outward * sum / area2 : 0, 0, 0};
}

/* Along the profile the curvature is -side (r'' z' - z'' r') / s^3, s = |(r', z')|, and round the
 * axis it is side z' / (r s); a ring has the area 2 pi r s. */
static measure ring_bend(const integral *in, double u, double v)
{
  (void)u;
  clp_profile_jet p = clp_profile_at(&in->profile, v);
  double speed2 = p.dr * p.dr + p.dz * p.dz;
  double along = speed2 > 0 ? -(p.ddr * p.dz - p.ddz * p.dr) / speed2 : 0;
  return (measure){CLP_PI * in->profile.outward * (p.r * along + p.dz), 0, 0};
}

/* At x = R q, with n = R^-1 q, H = (a^2 + b^2 + c^2 - x^2) / (2 |n|^3 a^2 b^2 c^2). */
static measure ellipsoid_bend(const integral *in, double u, double v)
{
  clp_vec3 r = in->surface->as.ellipsoid.radii;
  clp_vec3 q = {cos(v) * cos(u), cos(v) * sin(u), sin(v)};
  clp_vec3 n = {q.x / r.x, q.y / r.y, q.z / r.z}, x = {q.x * r.x, q.y * r.y, q.z * r.z};
  double rest = clp_norm2(r) - clp_norm2(x);
  return (measure){2 * cos(v) * in->surface->outward * rest / (clp_norm2(n) * r.x * r.y * r.z), 0,
                   0};
}

/* ---- Adaptive rule ------------------------------------------------------------------------ */

static measure add(measure a, double s, measure b)
{
  return (measure){a.area + s * b.area, a.volume + s * b.volume, a.moment + s * b.moment};
}

static measure apply(const integral *in, const rule *r, const clp_cell *cell)
{
  measure sum = {0, 0, 0};
  double du = cell->u1 - cell->u0, dv = cell->v1 - cell->v0;
  for (int i = 0; i < r->count; ++i) {
    for (int j = 0; j < r->count; ++j) {
      measure value = in->density(in, cell->u0 + r->x[i] * du, cell->v0 + r->x[j] * dv);
      sum = add(sum, r->w[i] * r->w[j] * du * dv, value);
    }
  }
  return sum;
}

/* The finer rule's value, over halves and halves of halves where the coarser one disagrees. */
static measure integrate(integral *in, clp_cell root)
{
  clp_cell stack[STACK];
  measure sum = {0, 0, 0};
  int count = 0;
  stack[count++] = root;
  while (count > 0) {
    clp_cell cell = stack[--count];
    measure fine = apply(in, &in->fine, &cell);
    measure change = add(fine, -1, apply(in, &in->coarse, &cell));
    bool good = fabs(change.area) <= in->error.area && fabs(change.volume) <= in->error.volume;
    if (good || in->budget <= 0 || count + 2 > STACK) {
      sum = add(sum, 1, fine);
      continue;
    }
    --in->budget;
    for (int upper = 0; upper < 2; ++upper) {
      clp_cell half = clp_cell_half(cell, upper);
      half.halve_u = !cell.halve_u;
      stack[count++] = half;
    }
  }
  return sum;
}

/* What is integrated over a face: area and volume about `origin`, or, where the area stands, the
 * mean curvature, which may be 0 and is as exact as the body's size. */
typedef struct wanted {
  bool bend;
  clp_vec3 origin;
  double size, tolerance;
} wanted;

static integral begin(const clp_surface *surface, const wanted *want, int nodes)
{
  return (integral){.surface = surface,
                    .least = want->bend ? want->size : 0,
                    .origin = want->origin,
                    .coarse = gauss_rule(nodes),
                    .fine = gauss_rule(nodes + 4),
                    .budget = DIVISIONS};
}

static void set_error(integral *in, measure estimate, double tolerance)
{
  tolerance = fmax(tolerance, 1e-15);
  in->error.area = tolerance * fmax(in->least, estimate.area);
  in->error.volume = tolerance * estimate.moment / 3;
}

static clp_face_measure over_cell(integral *in, clp_cell cell, double tolerance)
{
  measure sum = apply(in, &in->coarse, &cell);
  set_error(in, sum, tolerance);
  if (tolerance < CLP_QUADRATURE_ROUGH)
    sum = integrate(in, cell);
  return (clp_face_measure){sum.area, sum.volume};
}

/* ---- Kinds -------------------------------------------------------------------------------- */

/* The enclosed area of a polygon, positive when it runs counter-clockwise. */
static double polygon_area(const clp_domain *domain)
{
  double twice = 0;
  const double *origin = domain->corners[0];
  for (int k = 1; k + 1 < domain->corner_count; ++k) {
    const double *a = domain->corners[k], *b = domain->corners[k + 1];
    twice += (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0]);
  }
  return 0.5 * twice;
}

static double domain_area(const clp_domain *domain)
{
  const double *lo = domain->lo, *hi = domain->hi;
  if (domain->kind == CLP_DOMAIN_DISC)
    return CLP_PI * (hi[0] - lo[0]) * (hi[0] + lo[0]);
  if (domain->kind == CLP_DOMAIN_POLYGON)
    return fabs(polygon_area(domain));
  return (hi[0] - lo[0]) * (hi[1] - lo[1]);
}

/* (p - origin).N is the same everywhere. */
static clp_face_measure plane_measure(const clp_surface *surface, const clp_domain *domain,
                                      const wanted *want)
{
  if (want->bend)
    return (clp_face_measure){0, 0};
  const clp_plane *plane = &surface->as.plane;
  clp_vec3 normal = clp_scale(domain_area(domain), clp_cross(plane->a, plane->b));
  double height = clp_dot(clp_sub(plane->origin, want->origin), normal);
  return (clp_face_measure){clp_norm(normal), surface->outward * height / 3};
}

static clp_face_measure ellipsoid_measure(const clp_surface *surface, const clp_domain *domain,
                                          const wanted *want)
{
  integral in = begin(surface, want, 8);
  in.density = want->bend ? ellipsoid_bend : ellipsoid_density;
  bool whole = domain->kind == CLP_DOMAIN_WHOLE;
  clp_cell cell = {.u0 = 0,
                   .u1 = 0.5 * CLP_PI,
                   .v0 = asin(whole ? -1 : fmax(-1, domain->lo[1])),
                   .v1 = asin(whole ? 1 : fmin(1, domain->hi[1]))};
  return over_cell(&in, cell, want->tolerance);
}

/* Enough for one span of this degree, fewer where there are very many spans. */
static int spline_nodes(const clp_nurbs *nurbs)
{
  int degree = nurbs->degree_u > nurbs->degree_v ? nurbs->degree_u : nurbs->degree_v;
  int affordable = (int)sqrt(1e6 / clp_face_span_count(nurbs)) - 4;
  int nodes = affordable < degree + 3 ? affordable : degree + 3;
  return nodes < 3 ? 3 : nodes;
}

/* Weights that differ by more crowd a span's surface into a part of it that Gauss's places miss. */
#define UNEVEN 16

static bool is_uneven(const clp_face_span *span)
{
  double least = HUGE_VAL, most = 0;
  for (size_t k = 0; k < clp_bernstein_count(span->degree_u, span->degree_v); ++k) {
    least = fmin(least, span->bezier[4 * k + 3]);
    most = fmax(most, span->bezier[4 * k + 3]);
  }
  return most > UNEVEN * least;
}

/* The parts of a span that are integrated over, as cells of the surface's parameters. */
static int span_cells(const clp_face_span *span, clp_cell cells[CLP_DUAL_PIECES])
{
  clp_gauge plain = clp_gauge_plain(1);
  int count = 1;
  if (is_uneven(span))
    count = clp_dual_pieces(span, &plain, cells);
  else
    cells[0] = span->cell;
  for (int k = 0; k < count; ++k) {
    clp_cell *c = &cells[k];
    double wide = span->u1 - span->u0, high = span->v1 - span->v0;
    *c = (clp_cell){.u0 = span->u0 + c->u0 * wide,
                    .u1 = span->u0 + c->u1 * wide,
                    .v0 = span->v0 + c->v0 * high,
                    .v1 = span->v0 + c->v1 * high};
  }
  return count;
}

static clp_face_measure spline_measure(const clp_surface *surface, const clp_domain *domain,
                                       const wanted *want)
{
  const clp_nurbs *nurbs = &surface->as.nurbs;
  integral in = begin(surface, want, spline_nodes(nurbs));
  in.density = want->bend ? spline_bend : spline_density;
  measure sum = {0, 0, 0};
  int passes = want->tolerance < CLP_QUADRATURE_ROUGH ? 2 : 1;
  for (int pass = 0; pass < passes; ++pass) {
    set_error(&in, sum, want->tolerance);
    sum = (measure){0, 0, 0};
    for (int k = 0; k < clp_face_span_count(nurbs); ++k) {
      clp_face_span span;
      if (!clp_face_span_at(nurbs, domain, k, &span))
        continue;
      clp_cell cells[CLP_DUAL_PIECES];
      int count = span_cells(&span, cells);
      for (int i = 0; i < count; ++i)
        sum = add(sum, 1, pass == 0 ? apply(&in, &in.coarse, &cells[i]) : integrate(&in, cells[i]));
    }
  }
  return (clp_face_measure){sum.area, sum.volume};
}

static clp_face_measure revolved_measure(const clp_surface *surface, const clp_domain *domain,
                                         const wanted *want)
{
  integral in = begin(surface, want, 8);
  in.density = want->bend ? ring_bend : ring_density;
  clp_profile_of(surface, domain, &in.profile);
  clp_cell cell = {.u0 = 0, .u1 = 1, .v0 = in.profile.lo, .v1 = in.profile.hi};
  return over_cell(&in, cell, want->tolerance);
}

static clp_face_measure (*const measures[])(const clp_surface *surface, const clp_domain *domain,
                                            const wanted *want) = {
    [CLP_SURFACE_PLANE] = plane_measure,         [CLP_SURFACE_ELLIPSOID] = ellipsoid_measure,
    [CLP_SURFACE_PARABOLOID] = revolved_measure, [CLP_SURFACE_CONE] = revolved_measure,
    [CLP_SURFACE_TORUS] = revolved_measure,      [CLP_SURFACE_CONIC] = revolved_measure,
    [CLP_SURFACE_NURBS] = spline_measure,
};

CLP_COMPLETE(measures, CLP_SURFACE_COUNT);

clp_face_measure clp_face_quadrature(const clp_surface *surface, const clp_domain *domain,
                                     clp_vec3 origin, double tolerance)
{
  const wanted want = {false, origin, 0, tolerance};
  return measures[surface->kind](surface, domain, &want);
}

double clp_face_bend(const clp_surface *surface, const clp_domain *domain, double size,
                     double tolerance)
{
  const wanted want = {true, {0, 0, 0}, size, tolerance};
  return measures[surface->kind](surface, domain, &want).area;
}
