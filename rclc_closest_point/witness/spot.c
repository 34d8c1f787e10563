/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/spot.h"

#include <stddef.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/walk.h"

/* A face is singular where its tangents' cross product is this small against their lengths, or
 * against the face: near poles and where the sides of a corner are parallel. */
#define SINGULAR 1e-2

clp_spot clp_spot_on_face(uint32_t face, clp_site site)
{
  return (clp_spot){CLP_FACE, face, site};
}

clp_spot clp_spot_on_edge(uint32_t edge, clp_curve_site site)
{
  return (clp_spot){CLP_EDGE, edge, {{site.c[0], site.c[1], 0}}};
}

clp_spot clp_spot_on_vertex(uint32_t vertex)
{
  return (clp_spot){CLP_VERTEX, vertex, {{0, 0, 0}}};
}

clp_vec3 clp_spot_point(const clp_body *body, clp_spot spot)
{
  if (spot.kind == CLP_FACE)
    return clp_surface_point(&body->faces[spot.id].surface, spot.site);
  if (spot.kind == CLP_EDGE)
    return clp_curve_point(&body->edges[spot.id].curve, clp_spot_curve_site(spot));
  return body->vertices[spot.id].place;
}

/* Nearer to the axis than this part of the face's radius, a surface of revolution is at its pole.
 */
#define AT_POLE 1e-12

/* Only splines and the poles of surfaces of revolution have such places; the extent of a
 * rectangle's parameters turns derivatives into lengths that compare with the face's radius. */
static bool is_singular(const clp_face *face, clp_vec3 u, clp_vec3 v, double area)
{
  if (!clp_surface_facts_of(&face->surface)->creased)
    return clp_norm2(u) <= AT_POLE * AT_POLE * face->radius * face->radius;
  const clp_domain *d = &face->domain;
  double extent = (d->hi[0] - d->lo[0]) * (d->hi[1] - d->lo[1]);
  return area * area < SINGULAR * SINGULAR * clp_norm2(u) * clp_norm2(v) ||
         area * extent < SINGULAR * face->radius * face->radius;
}

static clp_spot_jet face_jet(const clp_body *body, clp_spot spot)
{
  const clp_face *face = &body->faces[spot.id];
  clp_jet jet = clp_surface_jet(&face->surface, spot.site);
  clp_vec3 across = clp_cross(jet.u, jet.v);
  double area = clp_norm(across);
  clp_spot_jet at = {.p = jet.p,
                     .t = {jet.u, jet.v},
                     .tt = {jet.uu, jet.uv, jet.vv},
                     .freedoms = 2,
                     .singular = is_singular(face, jet.u, jet.v, area)};
  /* Other surfaces than splines know their normals everywhere. At a pole u x v does not: where r is
   * rounding it may be negative, and the normal would look inwards. */
  clp_normal normal = clp_surface_normal_of(&face->surface, &face->domain, spot.site, &jet);
  at.normal = normal.n;
  at.off = normal.off;
  return at;
}

static clp_spot_jet edge_jet(const clp_body *body, clp_spot spot)
{
  clp_curve_jet jet = clp_curve_jet_at(&body->edges[spot.id].curve, clp_spot_curve_site(spot));
  return (clp_spot_jet){.p = jet.p, .t = {jet.t}, .tt = {jet.tt}, .freedoms = 1};
}

clp_spot_jet clp_spot_jet_at(const clp_body *body, clp_spot spot)
{
  if (spot.kind == CLP_FACE)
    return face_jet(body, spot);
  if (spot.kind == CLP_EDGE)
    return edge_jet(body, spot);
  return (clp_spot_jet){.p = body->vertices[spot.id].place};
}

/* ---- Moving ------------------------------------------------------------------------------- */

static double edge_fraction(const clp_edge *edge, double t, double x, int *end)
{
  double lo = edge->curve.lo, hi = edge->curve.hi, slack = CLP_AT_END * (hi - lo);
  *end = -1;
  if (edge->curve.closed)
    return 1;
  if (x < 0 && t + x < lo) {
    *end = 0;
    return t - lo > slack ? (lo - t) / x : 0;
  }
  if (x > 0 && t + x > hi) {
    *end = 1;
    return hi - t > slack ? (hi - t) / x : 0;
  }
  return 1;
}

double clp_spot_fraction(const clp_body *body, clp_spot spot, const double *x, int *side)
{
  *side = -1;
  if (spot.kind == CLP_FACE) {
    const clp_face *face = &body->faces[spot.id];
    return clp_walk_fraction(&face->surface, &face->domain, spot.site, x[0], x[1], side);
  }
  if (spot.kind == CLP_EDGE)
    return edge_fraction(&body->edges[spot.id], spot.site.c[0], x[0], side);
  return 1;
}

clp_spot clp_spot_move(const clp_body *body, clp_spot spot, const double *x, int side)
{
  if (spot.kind == CLP_FACE) {
    const clp_face *face = &body->faces[spot.id];
    spot.site = clp_surface_step(&face->surface, spot.site, x[0], x[1]);
    if (side >= 0)
      spot.site = clp_walk_snap(&face->surface, &face->domain, spot.site, side);
  } else if (spot.kind == CLP_EDGE) {
    const clp_curve *curve = &body->edges[spot.id].curve;
    clp_curve_site site = clp_curve_step(curve, clp_spot_curve_site(spot), x[0]);
    if (side >= 0)
      site = clp_curve_site_at(curve, side == 0 ? curve->lo : curve->hi);
    spot.site = (clp_site){{site.c[0], site.c[1], 0}};
  }
  return spot;
}

/* ---- Validity ----------------------------------------------------------------------------- */

/* Rounding leaves unit vectors and bounds this far off; a distance is wrong by less than as much
 * of the body's size. */
#define VALID 1e-12

static bool is_unit(double x, double y, double z)
{
  return fabs(x * x + y * y + z * z - 1) <= VALID;
}

/* How large the domain's coordinates get. */
static double extent_of(const clp_face *face)
{
  const clp_domain *d = &face->domain;
  if (d->kind == CLP_DOMAIN_POLYGON)
    return fabs(d->corners[0][0]) + fabs(d->corners[0][1]) + 2 * face->radius;
  double sum = fabs(d->lo[0]) + fabs(d->lo[1]) + fabs(d->hi[0]) + fabs(d->hi[1]);
  return isfinite(sum) ? sum : 1; /* a band that reaches a pole, in sines */
}

static bool face_site_valid(const clp_face *face, clp_site site)
{
  const double *c = site.c;
  if (!isfinite(c[0] + c[1] + c[2])) /* which comparisons with bounds might miss */
    return false;
  clp_site_form form = clp_surface_site_form(&face->surface);
  if (form != CLP_SITE_PLAIN && !is_unit(c[0], c[1], form == CLP_SITE_SPHERE ? c[2] : 0))
    return false;
  return face->domain.kind == CLP_DOMAIN_WHOLE ||
         clp_domain_margin(&face->domain, site, NULL) >= -VALID * extent_of(face);
}

bool clp_spot_valid(const clp_body *body, clp_spot spot)
{
  const double *c = spot.site.c;
  if (!clp_spot_exists(body, &spot))
    return false;
  if (spot.kind == CLP_VERTEX)
    return true;
  if (spot.kind == CLP_FACE)
    return face_site_valid(&body->faces[spot.id], spot.site);
  const clp_curve *curve = &body->edges[spot.id].curve;
  if (curve->kind == CLP_CURVE_ELLIPSE)
    return is_unit(c[0], c[1], 0);
  double slack = VALID * (fabs(curve->lo) + fabs(curve->hi));
  return c[0] >= curve->lo - slack && c[0] <= curve->hi + slack;
}

/* ---- From faces to edges ------------------------------------------------------------------ */

uint32_t clp_face_use_at(const clp_body *body, const clp_face *face, int side, clp_site site)
{
  clp_curve_site at = clp_walk_side_site(&face->surface, &face->domain, side, site);
  uint32_t found = CLP_NONE;
  for (uint32_t k = 0; k < face->use_count; ++k) {
    const clp_use *use = &body->uses[face->first_use + k];
    if (use->side != side)
      continue;
    found = face->first_use + k;
    if (body->edges[use->edge].curve.closed || at.c[0] <= use->hi)
      break; /* uses ascend along the side */
  }
  return found;
}

/* The inverse of clp_edge_face_site. */
clp_curve_site clp_face_edge_site(const clp_body *body, const clp_face *face, uint32_t number,
                                  clp_site site)
{
  const clp_use *use = &body->uses[number];
  const clp_edge *edge = &body->edges[use->edge];
  clp_curve_site at = clp_walk_side_site(&face->surface, &face->domain, use->side, site);
  if (edge->use[0] == number)
    return at;
  if (!use->affine) {
    double t = clp_curve_project(&edge->curve, clp_curve_point(&edge->second, at), NULL);
    return clp_curve_site_at(&edge->curve, t);
  }
  if (edge->curve.closed)
    return (clp_curve_site){{at.c[0], use->sense * at.c[1]}};
  double fraction = (at.c[0] - use->lo) / (use->hi - use->lo);
  return clp_edge_fraction(edge, use->sense > 0 ? fraction : 1 - fraction);
}
