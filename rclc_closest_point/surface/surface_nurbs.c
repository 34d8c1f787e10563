/* SPDX-License-Identifier: Apache-2.0 */
/* Rational splines, evaluated from the blocks that span.h describes. */

#include <math.h>
#include <stddef.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/lanes.h"
#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/spline_kernel.h"
#include "rclc_closest_point/surface/spline_normal.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* The values alone: plain Horner, again with the first rounds written out. */
CLP_INLINE clp_lane_pair row_value(const double *c, int degree, clp_lane_pair t)
{
  clp_lane_pair a = clp_lane_pair_load(c + 4 * degree);
  if (degree >= 1)
    a = t * a + clp_lane_pair_load(c + 4 * (degree - 1));
  if (degree >= 2)
    a = t * a + clp_lane_pair_load(c + 4 * (degree - 2));
  for (int k = degree - 3; k >= 0; k--)
    a = t * a + clp_lane_pair_load(c + 4 * k);
  return a;
}

CLP_INLINE clp_lane_pair pair_value(const double *c, int degree_u, int degree_v, clp_lane_pair s,
                                    clp_lane_pair t)
{
  int stride = 4 * (degree_v + 1);
  clp_lane_pair a = row_value(c + stride * degree_u, degree_v, t);
  if (degree_u >= 1)
    a = s * a + row_value(c + stride * (degree_u - 1), degree_v, t);
  if (degree_u >= 2)
    a = s * a + row_value(c + stride * (degree_u - 2), degree_v, t);
  for (int i = degree_u - 3; i >= 0; i--)
    a = s * a + row_value(c + stride * i, degree_v, t);
  return a;
}

CLP_INLINE clp_vec3 point_of_degree(const double *block, int degree_u, int degree_v, double u,
                                    double v)
{
  clp_lane_pair s = clp_lane_pair_of(u - block[CLP_SPAN_MIDDLE_U]);
  clp_lane_pair t = clp_lane_pair_of(v - block[CLP_SPAN_MIDDLE_V]);
  const double *c = block + CLP_SPAN_HEAD;
  clp_lane_pair zw = pair_value(c + 2, degree_u, degree_v, s, t);
  clp_lane_pair xy = pair_value(c, degree_u, degree_v, s, t);
  if (!(block[CLP_SPAN_TRUST] > 0)) {
    clp_lane_pair over_w = clp_lane_pair_of(1 / zw[1]);
    zw *= over_w;
    xy *= over_w;
  }
  return joined(xy + clp_lane_pair_load(block), zw + clp_lane_pair_load(block + 2));
}

CLP_INLINE clp_vec3 point_on(const clp_nurbs *nurbs, int degree_u, int degree_v, double u, double v)
{
  return point_of_degree(block_at(nurbs, degree_u, degree_v, u, v), degree_u, degree_v, u, v);
}

/* Low degrees get functions of their own, as in spline_kernel.h. */
#define KERNEL(degree_u, degree_v)                                                          \
  static clp_vec3 point_##degree_u##_##degree_v(const clp_nurbs *nurbs, double u, double v) \
  {                                                                                         \
    return point_on(nurbs, degree_u, degree_v, u, v);                                       \
  }

/* clang-format off */
KERNEL(1, 1) KERNEL(1, 2) KERNEL(1, 3) KERNEL(1, 4)
KERNEL(2, 1) KERNEL(2, 2) KERNEL(2, 3) KERNEL(2, 4)
KERNEL(3, 1) KERNEL(3, 2) KERNEL(3, 3) KERNEL(3, 4)
KERNEL(4, 1) KERNEL(4, 2) KERNEL(4, 3) KERNEL(4, 4)
enum { KERNEL_DEGREES = 4 };

static clp_vec3 (*const points[KERNEL_DEGREES][KERNEL_DEGREES])(const clp_nurbs *, double,
                                                                double) = {
    {point_1_1, point_1_2, point_1_3, point_1_4},
    {point_2_1, point_2_2, point_2_3, point_2_4},
    {point_3_1, point_3_2, point_3_3, point_3_4},
    {point_4_1, point_4_2, point_4_3, point_4_4},
};
/* clang-format on */

void clp_spline_jet(const clp_nurbs *nurbs, double u, double v, clp_jet *jet)
{
  spline_jet(nurbs, u, v, jet);
}

bool clp_spline_slope(const clp_nurbs *nurbs, double u, double v, clp_jet *jet)
{
  return spline_slope(nurbs, u, v, jet);
}

clp_jet clp_nurbs_jet(const clp_surface *surface, clp_site site)
{
  clp_jet jet;
  clp_spline_jet(&surface->as.nurbs, site.c[0], site.c[1], &jet);
  return jet;
}

clp_vec3 clp_nurbs_point(const clp_surface *surface, clp_site site)
{
  const clp_nurbs *nurbs = &surface->as.nurbs;
  double u = site.c[0], v = site.c[1];
  if (nurbs->degree_u <= KERNEL_DEGREES && nurbs->degree_v <= KERNEL_DEGREES)
    return points[nurbs->degree_u - 1][nurbs->degree_v - 1](nurbs, u, v);
  return point_on(nurbs, nurbs->degree_u, nurbs->degree_v, u, v);
}

/* ---- Normals -------------------------------------------------------------------------------- */

/* The derivative of u x v along (a, b). */
static clp_vec3 normal_change(const clp_jet *j, double a, double b)
{
  clp_vec3 along_u = clp_add(clp_cross(j->uu, j->v), clp_cross(j->u, j->uv));
  clp_vec3 along_v = clp_add(clp_cross(j->uv, j->v), clp_cross(j->u, j->vv));
  return clp_add(clp_scale(a, along_u), clp_scale(b, along_v));
}

/* What u x v would measure if nothing degenerated within (a, b). */
static double normal_size(const clp_jet *j, double a, double b)
{
  a = fabs(a);
  b = fabs(b);
  double mixed = clp_norm(j->uv);
  return (clp_norm(j->u) + a * clp_norm(j->uu) + b * mixed) *
         (clp_norm(j->v) + a * mixed + b * clp_norm(j->vv));
}

/* A tangent along a side that is collapsed to a point, but for rounding of the control points. */
#define COLLAPSED 1e-12

/* A collapsed side: the axis that is constant on it, and where. */
typedef struct pole_side {
  int axis;
  double at, width; /* of the span that ends there */
} pole_side;

static clp_vec3 along_of(const clp_jet *j, int axis)
{
  return axis == 0 ? j->v : j->u;
}

/* How wide the span is that ends on that side of the domain. */
static double span_width(const clp_nurbs *nurbs, int axis, double at)
{
  const double *breaks = axis == 0 ? nurbs->breaks_u : nurbs->breaks_v;
  int count = axis == 0 ? nurbs->spans_u : nurbs->spans_v;
  double least = HUGE_VAL;
  for (int k = 0; k <= count; ++k)
    if (breaks[k] != at)
      least = fmin(least, fabs(breaks[k] - at));
  return least;
}

/* The side that is collapsed at the site's other parameter, if the site is so near to it that what
 * lies between is next to straight. */
static bool find_pole(const clp_surface *surface, const clp_domain *domain, clp_site site,
                      const clp_jet *jet, pole_side *found)
{
  for (int side = 0; side < 4; ++side) {
    int axis = side / 2;
    double at = side % 2 == 0 ? domain->lo[axis] : domain->hi[axis];
    double width = span_width(&surface->as.nurbs, axis, at);
    clp_site there = site;
    there.c[axis] = at;
    if (fabs(site.c[axis] - at) > CLP_SPLINE_SMALL * width)
      continue;
    clp_jet j = site.c[axis] == at ? *jet : clp_nurbs_jet(surface, there);
    *found = (pole_side){axis, at, width};
    if (clp_norm(along_of(&j, axis)) < COLLAPSED * width * clp_norm(j.uv))
      return true;
  }
  return false;
}

/* With u = 0 on the side v = at, u(v) is the integral of uv from there, (v - at) times its mean,
 * which Gauss's three places tell to the sixth order of v - at: u x v is known as well as anywhere.
 * The mean times the side's inward direction is what is left in the limit. */
static clp_vec3 pole_normal(const clp_surface *surface, const clp_domain *domain, clp_site site,
                            const clp_jet *jet, pole_side pole)
{
  static const double gauss[3] = {0.5 - 0.38729833462074170, 0.5, 0.5 + 0.38729833462074170};
  static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double away = site.c[pole.axis] - pole.at;
  clp_vec3 mean = away == 0 ? jet->uv : (clp_vec3){0, 0, 0};
  for (int k = 0; k < 3 && away != 0; ++k) {
    clp_site there = site;
    there.c[pole.axis] = pole.at + gauss[k] * away;
    mean = clp_add_scaled(mean, weight[k], clp_nurbs_jet(surface, there).uv);
  }
  clp_vec3 n = pole.axis == 0 ? clp_cross(jet->u, mean) : clp_cross(mean, jet->v);
  return clp_scale(pole.at == domain->lo[pole.axis] ? 1 : -1, n);
}

/* Rational splines' derivatives are differences of numbers as large as the coordinates: how large
 * these are beside the patch. */
static double far_off(const clp_domain *domain, const clp_jet *j, double size)
{
  double area = size * (domain->hi[0] - domain->lo[0]) * (domain->hi[1] - domain->lo[1]);
  return 1 + clp_norm(j->p) / sqrt(area);
}

/* u x v vanishes on a side that is collapsed to a point and in corners where u and v are parallel.
 * Next to the former it is known all the same, unless such a corner is there, too, and nothing but
 * rounding is left of it. In the latter the limit of its direction from inside is its derivative
 * towards the middle of the domain; closer to such a corner than about 1e-8 of the domain, rounding
 * in u x v does more harm than the derivative's error of first order. Where the derivative vanishes
 * too, the direction is taken a little way inside, and is no proof of anything. */
clp_vec3 clp_nurbs_normal_within(const clp_surface *surface, const clp_domain *domain,
                                 clp_site site, const clp_jet *jet, double *off)
{
  clp_vec3 n = clp_cross(jet->u, jet->v);
  clp_site middle = clp_domain_middle(surface, domain);
  double a = middle.c[0] - site.c[0], b = middle.c[1] - site.c[1];
  double size = normal_size(jet, a, b), part = clp_norm(n) / size;
  double rounding = CLP_SPLINE_NORMAL_ROUNDING * far_off(domain, jet, size);
  pole_side pole;
  *off = rounding / part;
  if (part > CLP_SPLINE_SMALL)
    return n;
  if (find_pole(surface, domain, site, jet, &pole)) {
    clp_vec3 limit = pole_normal(surface, domain, site, jet, pole);
    *off = rounding * size / (pole.width * clp_norm(limit));
    if (*off < 1)
      return limit;
  }
  if (part > 1e-8)
    return n;
  clp_vec3 change = normal_change(jet, a, b);
  *off = (4 * part + rounding) * size / clp_norm(change);
  if (size > 0 && clp_norm(change) > 1e-6 * size)
    return change;
  *off = 1;
  clp_jet j = clp_nurbs_jet(surface, (clp_site){{site.c[0] + 1e-3 * a, site.c[1] + 1e-3 * b, 0}});
  return clp_cross(j.u, j.v);
}

clp_vec3 clp_nurbs_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  double off;
  clp_jet jet = clp_nurbs_jet(surface, site);
  return clp_nurbs_normal_within(surface, domain, site, &jet, &off);
}

void clp_nurbs_moved(clp_surface *surface, const double *from, const double *to)
{
  clp_nurbs *nurbs = &surface->as.nurbs;
  nurbs->breaks_u = to + (nurbs->breaks_u - from);
  nurbs->breaks_v = to + (nurbs->breaks_v - from);
  nurbs->coefficients = to + (nurbs->coefficients - from);
  nurbs->bezier = to + (nurbs->bezier - from);
}
