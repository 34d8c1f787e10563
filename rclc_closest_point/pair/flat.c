/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/flat.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/automaton.h"
#include "rclc_closest_point/witness/pole.h"

/* Directions and normals that differ by less (radians) are the same: witnesses that lie on bodies
 * turned by so little against each other cannot be told from parallel ones. */
#define SAME_DIRECTION 1e-8

/* A curved rim leaves its tangent at once: towards the face, by this angle. */
#define OFF_TANGENT 1e-6

/* Directions that span a cone. A corner where more flat faces meet is taken as flat all round. */
enum { RAYS_MAX = 16 };

typedef struct flat_cone {
  const clp_body *body;
  clp_vec3 n; /* outward */
  clp_vec3 rays[RAYS_MAX];
  int count;
  clp_vec3 inside; /* into a flat face that is part of it, or zero */
} flat_cone;

/* Adds a unit direction that does not fall behind the supporting plane. */
static void add_ray(flat_cone *cone, clp_vec3 ray)
{
  if (cone->count < RAYS_MAX && clp_dot(ray, cone->n) >= -SAME_DIRECTION)
    cone->rays[cone->count++] = ray;
}

static void add_line(flat_cone *cone, clp_vec3 ray)
{
  add_ray(cone, ray);
  add_ray(cone, clp_negate(ray));
}

static void add_plane(flat_cone *cone)
{
  clp_vec3 t1, t2;
  clp_tangents(cone->n, &t1, &t2);
  cone->count = 0;
  add_line(cone, t1);
  add_line(cone, t2);
}

static bool is_straight(const clp_body *body, clp_vec3 t, clp_vec3 tt)
{
  double speed2 = clp_norm2(t);
  clp_vec3 bend = clp_add_scaled(tt, -clp_dot(tt, t) / speed2, t);
  return clp_norm(bend) * body->size <= CLP_TOLERANCE_CURVATURE * speed2;
}

/* ---- Faces -------------------------------------------------------------------------------- */

/* How a face goes on within the plane. */
typedef struct face_flat {
  int dimensions;
  clp_vec3 line; /* of one: along it, unit */
} face_flat;

static const face_flat bent = {0, {0, 0, 0}}, plane = {2, {0, 0, 0}};

/* Where a symmetric form [a b; b c] in the orthonormal basis e1, e2 vanishes. */
static face_flat flat_of_form(double a, double b, double c, clp_vec3 e1, clp_vec3 e2, double limit)
{
  double mean = 0.5 * (a + c), radius = hypot(0.5 * (a - c), b);
  if (mean - radius > limit)
    return bent;
  if (mean + radius <= limit)
    return plane;
  double angle = 0.5 * atan2(b, 0.5 * (a - c)); /* of the larger value; square to it is ours */
  return (face_flat){1, clp_add_scaled(clp_scale(-sin(angle), e1), cos(angle), e2)};
}

/* From the second fundamental form. With t0 = g e1 and t1 = p e1 + q e2 it goes over into the
 * orthonormal basis. */
static face_flat flat_of_jet(const clp_spot_jet *l, clp_vec3 n, double limit)
{
  clp_vec3 e1 = clp_unit(l->t[0]), e2 = clp_cross(n, e1);
  double g = clp_norm(l->t[0]), p = clp_dot(l->t[1], e1), q = clp_dot(l->t[1], e2);
  double a = -clp_dot(n, l->tt[0]) / (g * g);
  double b = (-clp_dot(n, l->tt[1]) - p * g * a) / (g * q);
  double c = (-clp_dot(n, l->tt[2]) - 2 * p * q * b - p * p * a) / (q * q);
  return flat_of_form(a, b, c, e1, e2, limit);
}

static face_flat face_at(const flat_cone *cone, uint32_t id, clp_site site)
{
  const clp_face *face = &cone->body->faces[id];
  if (clp_surface_facts_of(&face->surface)->round)
    return bent;
  clp_spot_jet jet = clp_spot_jet_at(cone->body, clp_spot_on_face(id, site));
  if (clp_distance(jet.normal, cone->n) > SAME_DIRECTION)
    return bent;
  if (face->bend == CLP_BEND_FLAT)
    return plane;
  return jet.singular ? bent
                      : flat_of_jet(&jet, cone->n, CLP_TOLERANCE_CURVATURE / cone->body->size);
}

static void add_face(flat_cone *cone, uint32_t id, clp_site site)
{
  face_flat flat = face_at(cone, id, site);
  if (flat.dimensions == 2)
    add_plane(cone);
  else if (flat.dimensions == 1)
    add_line(cone, flat.line);
}

/* What a face adds to its rim at `from`: its middle is inside, and tells which way a generator
 * enters it. One that only runs along the rim is the rim's. */
static void add_face_at_rim(flat_cone *cone, uint32_t id, clp_site site, clp_vec3 from)
{
  const clp_face *face = &cone->body->faces[id];
  face_flat flat = face_at(cone, id, site);
  if (flat.dimensions == 0)
    return;
  clp_site middle = clp_domain_middle(&face->surface, &face->domain);
  clp_vec3 in = clp_unit(clp_sub(clp_surface_point(&face->surface, middle), from));
  double side = clp_dot(flat.line, in);
  if (flat.dimensions == 2)
    add_ray(cone, cone->inside = in);
  else if (flat.dimensions == 1)
    add_ray(cone, side > 0 ? flat.line : clp_negate(flat.line));
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* A curved rim leaves its tangent t at once, into the flat face that it bounds if there is one. */
static void add_tangent(flat_cone *cone, clp_vec3 t, bool straight)
{
  if (straight)
    add_ray(cone, t);
  else if (clp_norm2(cone->inside) > 0)
    add_ray(cone, clp_unit(clp_add_scaled(t, OFF_TANGENT, cone->inside)));
}

static void add_edge(flat_cone *cone, uint32_t id, clp_curve_site at)
{
  const clp_body *body = cone->body;
  const clp_edge *edge = &body->edges[id];
  clp_curve_jet jet = clp_curve_jet_at(&edge->curve, at);
  clp_vec3 t = clp_unit(jet.t);
  bool straight = is_straight(body, jet.t, jet.tt);
  for (int which = 0; which < 2; ++which) {
    if (edge->use[which] == CLP_NONE)
      continue;
    const clp_use *use = &body->uses[edge->use[which]];
    clp_site site = clp_edge_face_site(edge, which, use, &body->faces[use->face], at);
    add_face_at_rim(cone, use->face, site, jet.p);
  }
  add_tangent(cone, t, straight);
  add_tangent(cone, clp_negate(t), straight);
}

/* ---- Vertices ----------------------------------------------------------------------------- */

/* A collapsed side: the tip of a cone, whose rulings start there, or a pole. */
static void add_pole(flat_cone *cone, const clp_corner *corner)
{
  const clp_face *face = &cone->body->faces[corner->face];
  clp_site site;
  clp_pole_direction(cone->body, corner, cone->n, &site);
  clp_curve_site at = clp_walk_side_site(&face->surface, &face->domain, corner->side, site);
  clp_vec3 ray = clp_side_conormal(&face->surface, &face->domain, corner->side, at);
  if (face->bend == CLP_BEND_FLAT && face_at(cone, corner->face, site).dimensions == 2) {
    add_plane(cone);
    return;
  }
  bool of_u = face->domain.kind == CLP_DOMAIN_RECTANGLE && corner->side <= CLP_SIDE_U1;
  clp_jet jet = clp_surface_jet(&face->surface, site);
  if (is_straight(cone->body, of_u ? jet.u : jet.v, of_u ? jet.uu : jet.vv))
    add_ray(cone, ray);
}

static void add_vertex(flat_cone *cone, uint32_t id)
{
  const clp_body *body = cone->body;
  const clp_vertex *vertex = &body->vertices[id];
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    if (corner->side >= 0)
      add_pole(cone, corner);
    else
      add_face_at_rim(cone, corner->face, corner->site, vertex->place);
  }
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    const clp_edge *edge = &body->edges[end.edge];
    clp_curve_jet jet = clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, end.end));
    clp_vec3 t = clp_scale(end.end == 0 ? 1 : -1, clp_unit(jet.t));
    add_tangent(cone, t, is_straight(body, jet.t, jet.tt));
  }
}

/* ---- Cones -------------------------------------------------------------------------------- */

/* `spot` is the lowest feature there. */
static flat_cone cone_at(const clp_body *body, clp_spot spot, clp_vec3 n)
{
  flat_cone cone = {.body = body, .n = n};
  if (spot.kind == CLP_FACE)
    add_face(&cone, spot.id, spot.site);
  else if (spot.kind == CLP_EDGE)
    add_edge(&cone, spot.id, clp_spot_curve_site(spot));
  else if (!body->info.point && !body->vertices[spot.id].bent)
    add_vertex(&cone, spot.id);
  if (cone.count == RAYS_MAX)
    add_plane(&cone);
  return cone;
}

/* In the plane two rays are enough to make up any direction of a cone. */
static bool holds(const flat_cone *cone, clp_vec3 ray)
{
  for (int i = 0; i < cone->count; ++i) {
    if (clp_distance(cone->rays[i], ray) <= SAME_DIRECTION)
      return true;
    for (int j = i + 1; j < cone->count; ++j) {
      double det = clp_dot(cone->n, clp_cross(cone->rays[i], cone->rays[j]));
      double x = clp_dot(cone->n, clp_cross(ray, cone->rays[j]));
      double y = clp_dot(cone->n, clp_cross(cone->rays[i], ray));
      if (fabs(det) > SAME_DIRECTION && x / det >= 0 && y / det >= 0)
        return true;
    }
  }
  return false;
}

/* Two cones in a plane have a direction in common if and only if one of them has a ray of the
 * other's: the ray that bounds what they share, or any where that is all. */
static bool meet(const flat_cone *a, const flat_cone *b)
{
  for (int k = 0; k < a->count; ++k)
    if (holds(b, a->rays[k]))
      return true;
  for (int k = 0; k < b->count; ++k)
    if (holds(a, b->rays[k]))
      return true;
  return false;
}

static double reach(const clp_body *body, clp_spot spot)
{
  return clp_distance(clp_spot_point(body, spot), body->center) + body->radius;
}

/* Neither points nor ellipsoids go on anywhere within a plane: half of all pairs end here. */
static bool is_round(const clp_body *body, clp_spot spot)
{
  return body->info.point ||
         (spot.kind == CLP_FACE && clp_surface_facts_of(&body->faces[spot.id].surface)->round);
}

double clp_spread(const clp_couple *c, const clp_spots *spots, clp_vec3 n)
{
  clp_spot spot_a = clp_lowest_feature(c->a, spots->a);
  clp_spot spot_b = clp_lowest_feature(c->b, spots->b);
  if (is_round(c->a, spot_a) || is_round(c->b, spot_b))
    return 0;
  flat_cone a = cone_at(c->a, spot_a, n);
  if (a.count == 0)
    return 0;
  flat_cone b = cone_at(c->b, spot_b, clp_negate(clp_rotate_back(c->X_AB.rotation, n)));
  b.n = clp_rotate(c->X_AB.rotation, b.n);
  for (int k = 0; k < b.count; ++k)
    b.rays[k] = clp_rotate(c->X_AB.rotation, b.rays[k]);
  return meet(&a, &b) ? fmin(reach(c->a, spot_a), reach(c->b, spot_b)) : 0;
}
