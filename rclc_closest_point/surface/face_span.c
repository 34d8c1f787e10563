/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/face_span.h"

#include "rclc_closest_point/math/vec3.h"

int clp_face_span_count(const clp_nurbs *nurbs)
{
  return nurbs->spans_u * nurbs->spans_v;
}

/* The stretch of a span that a face covers, in fractions of the span; false when it is empty. */
static bool covered(double start, double end, double lo, double hi, double *from, double *to)
{
  *from = lo <= start ? 0 : (lo - start) / (end - start);
  *to = hi >= end ? 1 : (hi - start) / (end - start);
  return *from < *to && *from < 1 && *to > 0;
}

bool clp_face_span_at(const clp_nurbs *nurbs, const clp_domain *domain, int index,
                      clp_face_span *span)
{
  int i = index / nurbs->spans_v, j = index % nurbs->spans_v;
  size_t points = clp_bernstein_count(nurbs->degree_u, nurbs->degree_v);
  *span = (clp_face_span){.degree_u = nurbs->degree_u,
                          .degree_v = nurbs->degree_v,
                          .bezier = nurbs->bezier + 4 * points * (size_t)index,
                          .u0 = nurbs->breaks_u[i],
                          .u1 = nurbs->breaks_u[i + 1],
                          .v0 = nurbs->breaks_v[j],
                          .v1 = nurbs->breaks_v[j + 1]};
  clp_cell *cell = &span->cell;
  return covered(span->u0, span->u1, domain->lo[0], domain->hi[0], &cell->u0, &cell->u1) &&
         covered(span->v0, span->v1, domain->lo[1], domain->hi[1], &cell->v0, &cell->v1);
}

clp_site clp_face_span_site(const clp_face_span *span, double s, double t)
{
  return (clp_site){{(1 - s) * span->u0 + s * span->u1, (1 - t) * span->v0 + t * span->v1, 0}};
}

clp_nurbs clp_curve_as_nurbs(const clp_curve *curve, clp_domain *domain)
{
  static const double unit[2] = {0, 1};
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  *domain = (clp_domain){.kind = CLP_DOMAIN_RECTANGLE, .lo = {curve->lo, 0}, .hi = {curve->hi, 1}};
  return (clp_nurbs){.degree_u = nurbs->degree,
                     .spans_u = nurbs->spans,
                     .spans_v = 1,
                     .breaks_u = nurbs->breaks,
                     .breaks_v = unit,
                     .coefficients = nurbs->coefficients,
                     .bezier = nurbs->bezier};
}

static clp_vec3 weighted(const double *point)
{
  return (clp_vec3){point[0], point[1], point[2]};
}

void clp_face_span_weight(const clp_face_span *span, clp_bernstein *form)
{
  size_t count = clp_bernstein_count(form->du, form->dv);
  for (size_t k = 0; k < count; ++k)
    form->c[k] = span->bezier[4 * k + 3];
}

void clp_face_span_height(const clp_face_span *span, clp_vec3 n, double shift, clp_bernstein *form)
{
  size_t count = clp_bernstein_count(form->du, form->dv);
  for (size_t k = 0; k < count; ++k) {
    const double *point = span->bezier + 4 * k;
    form->c[k] = clp_dot(n, weighted(point)) - shift * point[3];
  }
}

clp_span_ball clp_face_span_ball(const clp_face_span *span)
{
  size_t count = clp_bernstein_count(span->degree_u, span->degree_v);
  clp_span_ball ball = {{0, 0, 0}, 0};
  for (size_t k = 0; k < count; ++k) {
    const double *point = span->bezier + 4 * k;
    ball.center = clp_add_scaled(ball.center, 1 / (point[3] * (double)count), weighted(point));
  }
  for (size_t k = 0; k < count; ++k) {
    const double *point = span->bezier + 4 * k;
    clp_vec3 p = clp_scale(1 / point[3], weighted(point));
    ball.radius = fmax(ball.radius, clp_distance(p, ball.center));
  }
  return ball;
}
