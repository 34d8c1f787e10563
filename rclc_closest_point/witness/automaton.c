/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/automaton.h"

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/effort.h"
#include "rclc_closest_point/witness/pole.h"

/* Two edges go on into each other when their tangents, away from the vertex, are opposite. */
#define STRAIGHT_ON 1e-6

/* ---- Neighbours --------------------------------------------------------------------------- */

/* The other face of a smooth edge, at the same place. */
static clp_spot opposite_face(const clp_body *body, uint32_t use, clp_curve_site site)
{
  const clp_edge *edge = &body->edges[body->uses[use].edge];
  int which = 1 - clp_use_index(body, use);
  const clp_use *other = &body->uses[edge->use[which]];
  const clp_face *face = &body->faces[other->face];
  return clp_spot_on_face(other->face, clp_edge_face_site(edge, which, other, face, site));
}

/* Through a side of a face to whatever lies behind it. */
static clp_spot cross_side(const clp_body *body, const clp_face *face, int side, clp_site site)
{
  uint32_t use = clp_face_use_at(body, face, side, site);
  const clp_edge *edge = &body->edges[body->uses[use].edge];
  if (edge->kind == CLP_EDGE_COLLAPSED)
    return clp_spot_on_vertex(edge->vertex[0]);
  clp_curve_site at = clp_face_edge_site(body, face, use, site);
  if (clp_edge_is_smooth(edge))
    return opposite_face(body, use, at);
  return clp_spot_on_edge(body->uses[use].edge, at);
}

bool clp_hop(const clp_body *body, clp_spot spot, int side, clp_spot *next)
{
  if (spot.kind != CLP_FACE || side < 0)
    return false;
  const clp_face *face = &body->faces[spot.id];
  uint32_t use = clp_face_use_at(body, face, side, spot.site);
  if (!clp_edge_is_smooth(&body->edges[body->uses[use].edge]))
    return false;
  *next = cross_side(body, face, side, spot.site);
  return true;
}

/* ---- From faces --------------------------------------------------------------------------- */

/* Flat faces that meet at a smaller angle leave less exact what their edge knows. */
#define WIDE_WEDGE 1e-4

/* Whether the edge, between two flat faces, knows what is square to it in either of them. */
static bool knows_conormals(const clp_body *body, const clp_edge *edge)
{
  const clp_wedge *w = &edge->wedge;
  return w->flat && body->info.convex &&
         clp_norm2(clp_sub(w->normal[0], w->normal[1])) > WIDE_WEDGE * WIDE_WEDGE;
}

/* The component of d along the inward direction at a side, square to it. On a collapsed side that
 * is the derivative across it, which clp_side_conormal knows. */
static double inward_component(const clp_face *face, int side, clp_site site, clp_vec3 d)
{
  clp_curve_site at = clp_walk_side_site(&face->surface, &face->domain, side, site);
  return clp_dot(d, clp_side_conormal(&face->surface, &face->domain, side, at));
}

static double inward_through(const clp_body *body, const clp_face *face, int side, clp_site site,
                             clp_vec3 d, bool *collapsed)
{
  uint32_t use = clp_face_use_at(body, face, side, site);
  const clp_edge *edge = &body->edges[body->uses[use].edge];
  *collapsed = edge->kind == CLP_EDGE_COLLAPSED;
  return knows_conormals(body, edge) ? -clp_dot(d, edge->wedge.inwards[clp_use_index(body, use)])
                                     : inward_component(face, side, site, d);
}

/* A pole is left only for a direction that leads down: otherwise the vertex must decide. */
static bool leaves_through(bool collapsed, double inward)
{
  return collapsed ? inward <= CLP_RELEASE_ANGLE : inward < -CLP_RELEASE_ANGLE;
}

static bool from_face(const clp_body *body, clp_spot spot, clp_vec3 d, clp_spot *next)
{
  const clp_face *face = &body->faces[spot.id];
  int sides = clp_domain_sides(&face->domain), best_side = -1;
  double best = HUGE_VAL;
  for (int side = 0; side < sides; ++side) {
    if (!clp_domain_has_side(&face->domain, side) ||
        !clp_walk_on_side(&face->domain, spot.site, side))
      continue;
    bool collapsed;
    double inward = inward_through(body, face, side, spot.site, d, &collapsed);
    if (inward < best && leaves_through(collapsed, inward)) {
      best = inward;
      best_side = side;
    }
  }
  if (best_side < 0)
    return false;
  *next = cross_side(body, face, best_side, spot.site);
  return true;
}

/* ---- From edges --------------------------------------------------------------------------- */

/* The unit tangent at one end of an edge, from the vertex into the edge. */
static clp_vec3 end_tangent(const clp_body *body, clp_edge_end end)
{
  const clp_edge *edge = &body->edges[end.edge];
  clp_vec3 t = clp_unit(clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, end.end)).t);
  return end.end == 0 ? t : clp_negate(t);
}

/* The edge that goes on where this one ends, if there is one: the only other edge with a region of
 * its own there, in the opposite direction. */
static bool goes_on(const clp_body *body, clp_edge_end from, clp_edge_end *on)
{
  const clp_vertex *vertex = &body->vertices[body->edges[from.edge].vertex[from.end]];
  int others = 0;
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    bool itself = end.edge == from.edge && end.end == from.end;
    if (itself || clp_edge_is_smooth(&body->edges[end.edge]))
      continue;
    *on = end;
    ++others;
  }
  return others == 1 &&
         clp_norm(clp_add(end_tangent(body, from), end_tangent(body, *on))) < STRAIGHT_ON;
}

static clp_spot at_end(const clp_body *body, clp_edge_end end)
{
  return clp_spot_on_edge(end.edge, clp_edge_fraction(&body->edges[end.edge], end.end));
}

static bool beyond_end(const clp_body *body, clp_spot spot, clp_vec3 d, clp_spot *next)
{
  const clp_edge *edge = &body->edges[spot.id];
  double t = spot.site.c[0], slack = CLP_AT_END * (edge->curve.hi - edge->curve.lo);
  bool at_start = t <= edge->curve.lo + slack;
  if (edge->curve.closed || (!at_start && t < edge->curve.hi - slack))
    return false;
  clp_edge_end end = {.edge = spot.id, .end = at_start ? 0 : 1}, on;
  if (clp_dot(d, end_tangent(body, end)) >= -CLP_RELEASE_ANGLE)
    return false;
  *next = goes_on(body, end, &on) ? at_end(body, on) : clp_spot_on_vertex(edge->vertex[end.end]);
  return true;
}

static clp_site site_beside(const clp_body *body, const clp_edge *edge, int which, clp_spot spot)
{
  const clp_use *use = &body->uses[edge->use[which]];
  return clp_edge_face_site(edge, which, use, &body->faces[use->face], clp_spot_curve_site(spot));
}

static double inward_component_at(const clp_body *body, const clp_edge *edge, int which,
                                  clp_spot spot, clp_vec3 d)
{
  const clp_use *use = &body->uses[edge->use[which]];
  return inward_component(&body->faces[use->face], use->side, site_beside(body, edge, which, spot),
                          d);
}

static bool from_edge(const clp_body *body, clp_spot spot, clp_vec3 d, clp_spot *next)
{
  if (beyond_end(body, spot, d, next))
    return true;
  const clp_edge *edge = &body->edges[spot.id];
  const bool known = knows_conormals(body, edge);
  double best = CLP_RELEASE_ANGLE;
  int into = -1;
  for (int which = 0; which < 2; ++which) {
    if (edge->use[which] == CLP_NONE)
      continue;
    double over = known ? -clp_dot(d, edge->wedge.inwards[which])
                        : inward_component_at(body, edge, which, spot, d);
    if (over > best) {
      best = over;
      into = which;
    }
  }
  if (into >= 0)
    *next = clp_spot_on_face(body->uses[edge->use[into]].face, site_beside(body, edge, into, spot));
  return into >= 0;
}

/* ---- From vertices ------------------------------------------------------------------------ */

/* Onto a smooth edge means into one of its faces. */
static clp_spot onto_edge(const clp_body *body, clp_edge_end end)
{
  const clp_edge *edge = &body->edges[end.edge];
  if (!clp_edge_is_smooth(edge))
    return at_end(body, end);
  const clp_use *use = &body->uses[edge->use[0]];
  const clp_face *face = &body->faces[use->face];
  return clp_spot_on_face(use->face,
                          clp_edge_face_site(edge, 0, use, face, clp_edge_fraction(edge, end.end)));
}

/* How far along d any way out of a vertex may lead: of a round one all are square to its normal. */
static double most_along(const clp_vertex *vertex, clp_vec3 d)
{
  clp_vec3 n = vertex->normal.n;
  return vertex->round ? clp_norm(clp_add_scaled(d, -clp_dot(d, n), n)) : HUGE_VAL;
}

static bool from_vertex(const clp_body *body, clp_spot spot, clp_vec3 d, clp_spot *next)
{
  const clp_vertex *vertex = &body->vertices[spot.id];
  double best = CLP_RELEASE_ANGLE, most = most_along(vertex, d);
  bool found = false;
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    double along = clp_dot(d, end.away);
    if (along > best) {
      best = along;
      found = true;
      *next = onto_edge(body, end);
    }
  }
  for (uint32_t k = 0; k < vertex->corner_count && most > best + CLP_RELEASE_ANGLE; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    clp_site site;
    if (corner->side < 0)
      continue;
    double along = clp_pole_direction(body, corner, d, &site);
    if (along > best + CLP_RELEASE_ANGLE) {
      best = along;
      found = true;
      *next = clp_spot_on_face(corner->face, site);
    }
  }
  return found;
}

bool clp_transition(const clp_body *body, clp_spot spot, clp_vec3 d, clp_spot *next)
{
  if (spot.kind == CLP_FACE)
    return from_face(body, spot, d, next);
  if (spot.kind == CLP_EDGE)
    return from_edge(body, spot, d, next);
  return from_vertex(body, spot, d, next);
}

/* Of each collapsed side; of one of them more, of others nothing. */
#define PLACES_AT_TIP 3

int clp_transition_effort(const clp_body *body, const clp_spot *spot)
{
  int effort = 0;
  if (spot->kind == CLP_FACE)
    return clp_surface_spline(&body->faces[spot->id].surface) ? CLP_EFFORT_SPLINE : 0;
  if (spot->kind == CLP_EDGE)
    return 0;
  const clp_vertex *vertex = &body->vertices[spot->id];
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    bool spline = clp_surface_spline(&body->faces[corner->face].surface);
    effort += spline && corner->side >= 0 ? PLACES_AT_TIP * CLP_EFFORT_SPLINE : 0;
  }
  return effort;
}

/* ---- Where features meet ------------------------------------------------------------------ */

static clp_spot lowest_of_edge(const clp_body *body, clp_spot spot)
{
  const clp_edge *edge = &body->edges[spot.id];
  double t = spot.site.c[0], slack = CLP_AT_END * (edge->curve.hi - edge->curve.lo);
  if (edge->curve.closed)
    return spot;
  if (t <= edge->curve.lo + slack)
    return clp_spot_on_vertex(edge->vertex[0]);
  return t >= edge->curve.hi - slack ? clp_spot_on_vertex(edge->vertex[1]) : spot;
}

clp_spot clp_lowest_feature(const clp_body *body, clp_spot spot)
{
  if (spot.kind == CLP_EDGE)
    return lowest_of_edge(body, spot);
  if (spot.kind == CLP_VERTEX)
    return spot;
  const clp_face *face = &body->faces[spot.id];
  for (int side = 0; side < clp_domain_sides(&face->domain); ++side) {
    if (!clp_domain_has_side(&face->domain, side) ||
        !clp_walk_on_side(&face->domain, spot.site, side))
      continue;
    uint32_t use = clp_face_use_at(body, face, side, spot.site);
    uint32_t edge = body->uses[use].edge;
    if (body->edges[edge].kind == CLP_EDGE_COLLAPSED)
      return clp_spot_on_vertex(body->edges[edge].vertex[0]);
    spot = lowest_of_edge(body,
                          clp_spot_on_edge(edge, clp_face_edge_site(body, face, use, spot.site)));
    break;
  }
  return spot;
}
