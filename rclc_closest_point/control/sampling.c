/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/sampling.h"

#include "rclc_closest_point/math/vec3.h"

static const double full_turn = 6.283185307179586;

/* From the polygon's middle towards the place at x of the way round it. */
static clp_site polygon_site(const clp_face *face, double x, double y)
{
  const clp_domain *d = &face->domain;
  double at = x * d->corner_count;
  int k = (int)fmin(floor(at), d->corner_count - 1);
  const double *p = d->corners[k], *q = d->corners[k + 1 < d->corner_count ? k + 1 : 0];
  clp_site site = clp_domain_middle(&face->surface, d);
  for (int i = 0; i < 2; ++i)
    site.c[i] += y * (p[i] + (at - k) * (q[i] - p[i]) - site.c[i]);
  return site;
}

/* Equal steps of y are equal heights of the unit sphere. */
static clp_site sphere_site(const clp_domain *d, double x, double y)
{
  bool band = d->kind == CLP_DOMAIN_BAND;
  double lo = band ? fmax(-1, d->lo[1]) : -1, hi = band ? fmin(1, d->hi[1]) : 1;
  double z = lo + y * (hi - lo), across = sqrt(fmax(0, 1 - z * z));
  return (clp_site){{across * cos(full_turn * x), across * sin(full_turn * x), z}};
}

static clp_site face_site(const clp_face *face, double x, double y)
{
  const clp_domain *d = &face->domain;
  if (clp_surface_site_form(&face->surface) == CLP_SITE_SPHERE)
    return sphere_site(d, x, y);
  if (d->kind == CLP_DOMAIN_POLYGON)
    return polygon_site(face, x, y);
  if (d->kind == CLP_DOMAIN_RECTANGLE)
    return (clp_site){
        {d->lo[0] + x * (d->hi[0] - d->lo[0]), d->lo[1] + y * (d->hi[1] - d->lo[1]), 0}};
  double c = cos(full_turn * x), s = sin(full_turn * x);
  if (d->kind == CLP_DOMAIN_DISC) {
    double r = d->lo[0] + y * (d->hi[0] - d->lo[0]);
    return (clp_site){{r * c, r * s, 0}};
  }
  return (clp_site){{c, s, d->lo[1] + y * (d->hi[1] - d->lo[1])}};
}

clp_spot clp_spot_sample(const clp_body *body, clp_feature_kind kind, uint32_t id, double x,
                         double y)
{
  if (kind == CLP_FACE)
    return clp_spot_on_face(id, face_site(&body->faces[id], x, y));
  if (kind == CLP_EDGE)
    return clp_spot_on_edge(id, clp_edge_fraction(&body->edges[id], x));
  return clp_spot_on_vertex(id);
}
