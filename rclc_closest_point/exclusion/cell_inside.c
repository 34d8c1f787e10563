/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_inside.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/math/pose.h"

static clp_vec3 normal_at(const clp_face *face, clp_site site)
{
  return clp_surface_normal(&face->surface, &face->domain, site);
}

static const double half_turn = 3.14159265358979323846;

/* ---- Planar bodies ------------------------------------------------------------------------ */

/* To the right of the tangent, which runs counter-clockwise round the region. */
static clp_vec3 curve_normal(const clp_edge *edge, clp_curve_site site)
{
  clp_vec3 t = clp_curve_jet_at(&edge->curve, site).t;
  return clp_unit((clp_vec3){t.y, -t.x, 0});
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* Two half planes meet in an edge: equal angles. */
static clp_vec3 edge_normal(const clp_body *body, clp_spot spot)
{
  const clp_edge *edge = &body->edges[spot.id];
  clp_curve_site at = clp_spot_curve_site(spot);
  if (edge->kind == CLP_EDGE_CURVE)
    return curve_normal(edge, at);
  clp_vec3 sum = {0, 0, 0};
  for (int which = 0; which < 2; ++which) {
    if (edge->use[which] == CLP_NONE)
      continue;
    const clp_use *use = &body->uses[edge->use[which]];
    const clp_face *face = &body->faces[use->face];
    sum = clp_add(sum, normal_at(face, clp_edge_face_site(edge, which, use, face, at)));
  }
  return sum;
}

/* ---- Vertices ----------------------------------------------------------------------------- */

static double angle_between(clp_vec3 a, clp_vec3 b)
{
  return atan2(clp_norm(clp_cross(a, b)), clp_dot(a, b));
}

/* Of a rectangle's width, and of a polygon's shorter side: places that are edges' and corners' came
 * there by a projection that is as good as this. */
#define ON_SIDE 1e-9
#define AT_CORNER 1e-6

/* Into a rectangle from its corner, along u or v. On a side of it, away from the corners, both
 * ways along that side are inside: half a turn. */
static double rectangle_angle(const clp_face *face, clp_site site)
{
  const clp_domain *domain = &face->domain;
  clp_jet jet = clp_surface_jet(&face->surface, site);
  const clp_vec3 tangent[2] = {jet.u, jet.v};
  clp_vec3 into[2];
  for (int k = 0; k < 2; ++k) {
    double width = domain->hi[k] - domain->lo[k];
    bool low = site.c[k] <= domain->lo[k] + ON_SIDE * width;
    bool high = site.c[k] >= domain->hi[k] - ON_SIDE * width;
    if (!low && !high)
      return half_turn;
    into[k] = low ? tangent[k] : clp_negate(tangent[k]);
  }
  return angle_between(into[0], into[1]);
}

static double polygon_angle(const clp_face *face, clp_site site)
{
  const clp_domain *domain = &face->domain;
  int count = domain->corner_count;
  for (int k = 0; k < count; ++k) {
    const double *here = domain->corners[k];
    const double *before = domain->corners[(k + count - 1) % count];
    const double *after = domain->corners[(k + 1) % count];
    double x = before[0] - here[0], y = before[1] - here[1];
    double p = after[0] - here[0], q = after[1] - here[1];
    if (hypot(site.c[0] - here[0], site.c[1] - here[1]) <
        AT_CORNER * clp_min(hypot(x, y), hypot(p, q)))
      return atan2(fabs(x * q - y * p), x * p + y * q);
  }
  return half_turn; /* somebody else's corner on one of its sides */
}

static clp_vec3 corner_normal(const clp_face *face, clp_site site)
{
  double angle = half_turn;
  if (face->domain.kind == CLP_DOMAIN_RECTANGLE)
    angle = rectangle_angle(face, site);
  else if (face->domain.kind == CLP_DOMAIN_POLYGON)
    angle = polygon_angle(face, site);
  return clp_scale(angle, normal_at(face, site));
}

/* A collapsed side is a fan of narrow corners. */
static clp_vec3 pole_normal(const clp_body *body, const clp_corner *corner)
{
  enum { CORNERS = 48 };
  const clp_face *face = &body->faces[corner->face];
  uint32_t use = clp_face_use_at(body, face, corner->side, corner->site);
  const clp_edge *edge = &body->edges[body->uses[use].edge];
  clp_vec3 sum = {0, 0, 0}, before = sum;
  for (int k = 0; k <= CORNERS; ++k) {
    clp_curve_site at = clp_edge_fraction(edge, (double)k / CORNERS);
    clp_vec3 into = clp_side_conormal(&face->surface, &face->domain, corner->side, at);
    if (k > 0) {
      clp_curve_site middle = clp_edge_fraction(edge, (k - 0.5) / CORNERS);
      clp_site site = clp_side_site(&face->surface, &face->domain, corner->side, middle);
      sum = clp_add_scaled(sum, angle_between(before, into), normal_at(face, site));
    }
    before = into;
  }
  return sum;
}

static clp_vec3 vertex_normal(const clp_body *body, const clp_vertex *vertex)
{
  clp_vec3 sum = {0, 0, 0};
  for (uint32_t k = 0; k < vertex->end_count && body->info.planar; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    const clp_edge *edge = &body->edges[end.edge];
    sum = clp_add(sum, curve_normal(edge, clp_edge_fraction(edge, end.end)));
  }
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    const clp_face *face = &body->faces[corner->face];
    sum = clp_add(
        sum, corner->side >= 0 ? pole_normal(body, corner) : corner_normal(face, corner->site));
  }
  return sum;
}

/* From a place of an edge that is nearest the way leads square to it. Where it leads along it as
 * far as a corner the search has ended beside that, as near as digits tell, and the corner is what
 * is nearest. */
static const clp_vertex *corner_ahead(const clp_body *body, clp_spot spot, clp_vec3 d)
{
  const clp_edge *edge = &body->edges[spot.id];
  clp_curve_jet at = clp_curve_jet_at(&edge->curve, clp_spot_curve_site(spot));
  double along = clp_dot(d, at.t), speed2 = clp_norm2(at.t);
  uint32_t vertex = edge->vertex[along > 0];
  if (vertex == CLP_NONE || along * along <= 0.25 * clp_norm2(d) * speed2)
    return NULL;
  const clp_vertex *corner = &body->vertices[vertex];
  double way = clp_distance(at.p, corner->place);
  return way * way * speed2 <= 4 * along * along ? corner : NULL;
}

/* Whether the direction d (body's frame) leads from a place of a closed body's boundary into the
 * body, for directions to a point that has its nearest boundary point there: such a point lies on
 * the inside exactly where d is against the mean of the normals there, each weighted with the angle
 * of its face (Baerentzen and Aanaes, "Signed distance computation using the angle weighted
 * pseudonormal", 2005: near a place a body is the cone of its tangents). */
static bool leads_inside(const clp_body *body, clp_spot spot, clp_vec3 d)
{
  const clp_vertex *corner = NULL;
  clp_vec3 normal;
  if (spot.kind == CLP_VERTEX)
    corner = &body->vertices[spot.id];
  else if (spot.kind == CLP_EDGE)
    corner = corner_ahead(body, spot, d);
  if (spot.kind == CLP_FACE)
    normal = normal_at(&body->faces[spot.id], spot.site);
  else
    normal = corner ? vertex_normal(body, corner) : edge_normal(body, spot);
  return clp_dot(d, normal) < 0;
}

bool clp_is_inside(const clp_couple *couple, const clp_spots *spots)
{
  const clp_body *a = couple->a, *b = couple->b;
  clp_couple_jets jets = clp_couple_jets_at(a, spots->a, b, spots->b, &couple->X_AB);
  clp_vec3 back = clp_negate(clp_rotate_back(couple->X_AB.rotation, jets.d));
  return (clp_is_solid(a) && leads_inside(a, spots->a, jets.d)) ||
         (clp_is_solid(b) && leads_inside(b, spots->b, back));
}
