/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/pole.h"

/* Corners, edges and flat faces.
 *
 * Of overlapping polyhedra the depth belongs to a face of one and a corner of the other, or to an
 * edge of each; of a cylinder and a box perhaps to the cylinder's end and a corner. Next to that
 * direction the farthest places are corners and points of rims, and two of these have no jet
 * maximum of their own: s(n) rises until n meets the normal of one of the features that border on
 * them. So all pairs of what borders on the places found are tried, each with one short iteration.
 * For polyhedra one of them is exact as soon as the places are corners of the features wanted. */

/* Iterations for one pair of features: most pairs end in the first, flat ones need two. */
enum { BUDGET = 16 };

/* The last step, in radians and of the size: needles bend so much that its square still counts. */
#define LAST_STEP 1e-11

/* From the best of the neighbors once more, as long as that gains something. */
enum { PASSES = 3 };

/* Witnesses this near to lying along the direction (of the size) make a local maximum. */
#define ALIGNED 1e-9

/* Bordering faces, and as many edges, that are kept: those that n is nearest to being square to. */
enum { BORDERS_MAX = 6, OPTIONS_MAX = 2 * BORDERS_MAX + 1 };

typedef struct option {
  clp_spot spot;
  clp_vec3 normal; /* of a face, in the body's frame */
  bool flat;
  double off; /* how far n is from the feature's normals */
} option;

typedef struct options {
  option list[OPTIONS_MAX];
  int count;
} options;

/* Inserts among the `count` best from `first` on, best first. */
static void insert(options *o, int first, int *count, option added)
{
  int k = *count < BORDERS_MAX ? (*count)++ : BORDERS_MAX;
  for (; k > 0 && o->list[first + k - 1].off > added.off; --k)
    if (k < BORDERS_MAX)
      o->list[first + k] = o->list[first + k - 1];
  if (k < BORDERS_MAX)
    o->list[first + k] = added;
}

/* A face to be tried from `site` on; from its middle where the site is a singular one. */
static option face_option(const clp_body *body, uint32_t id, clp_site site, clp_vec3 n)
{
  const clp_face *face = &body->faces[id];
  option made = {.spot = clp_spot_on_face(id, site), .flat = face->bend == CLP_BEND_FLAT};
  clp_spot_jet jet = clp_spot_jet_at(body, made.spot);
  if (jet.singular)
    made.spot.site = clp_domain_middle(&face->surface, &face->domain);
  made.normal = jet.normal;
  made.off = clp_distance(made.normal, n);
  return made;
}

static bool has_region(const clp_edge *edge)
{
  return edge->kind == CLP_EDGE_SHARP || edge->kind == CLP_EDGE_BOUNDARY ||
         edge->kind == CLP_EDGE_CURVE;
}

static option edge_option(const clp_body *body, clp_edge_end end, clp_vec3 n)
{
  const clp_edge *edge = &body->edges[end.edge];
  clp_curve_site site = clp_edge_fraction(edge, end.end);
  clp_vec3 t = clp_unit(clp_curve_jet_at(&edge->curve, site).t);
  return (option){.spot = clp_spot_on_edge(end.edge, site), .off = fabs(clp_dot(t, n))};
}

static void border_on_edge(options *o, const clp_body *body, clp_spot spot, clp_vec3 n)
{
  const clp_edge *edge = &body->edges[spot.id];
  for (int which = 0; which < 2; ++which) {
    if (edge->use[which] == CLP_NONE)
      continue;
    const clp_use *use = &body->uses[edge->use[which]];
    clp_site site =
        clp_edge_face_site(edge, which, use, &body->faces[use->face], clp_spot_curve_site(spot));
    o->list[o->count++] = face_option(body, use->face, site, n);
  }
}

static void border_on_vertex(options *o, const clp_body *body, clp_spot spot, clp_vec3 n)
{
  const clp_vertex *vertex = &body->vertices[spot.id];
  int faces = 0, edges = 0;
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    clp_site site = corner->side >= 0 ? clp_pole_behind(body, corner, n) : corner->site;
    insert(o, o->count, &faces, face_option(body, corner->face, site, n));
  }
  o->count += faces;
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    if (has_region(&body->edges[end.edge]))
      insert(o, o->count, &edges, edge_option(body, end, n));
  }
  o->count += edges;
}

/* Across the face's smooth edges: a generator of a capsule is next to its caps, all of it. */
static void border_on_face(options *o, const clp_body *body, clp_spot spot, clp_vec3 n)
{
  const clp_face *face = &body->faces[spot.id];
  clp_vec3 p = clp_spot_point(body, spot);
  int faces = 0;
  for (uint32_t k = 0; k < face->use_count; ++k) {
    const clp_use *use = &body->uses[face->first_use + k];
    const clp_edge *edge = &body->edges[use->edge];
    if (edge->kind != CLP_EDGE_SMOOTH)
      continue;
    clp_curve_site site = clp_curve_site_at(&edge->curve, clp_curve_project(&edge->curve, p, NULL));
    int other = 1 - clp_use_index(body, face->first_use + k);
    const clp_use *across = &body->uses[edge->use[other]];
    clp_site there = clp_edge_face_site(edge, other, across, &body->faces[across->face], site);
    insert(o, o->count, &faces, face_option(body, across->face, there, n));
  }
  o->count += faces;
}

/* The spot's feature and what borders on it. n: outwards, in the body's frame. */
static options options_at(const clp_body *body, clp_spot spot, clp_vec3 n)
{
  options o = {.count = 0};
  if (spot.kind == CLP_FACE) {
    o.list[o.count++] = face_option(body, spot.id, spot.site, n);
    border_on_face(&o, body, spot, n);
    return o;
  }
  o.list[o.count++] = (option){.spot = spot};
  if (spot.kind == CLP_EDGE)
    border_on_edge(&o, body, spot, n);
  else if (!body->info.point)
    border_on_vertex(&o, body, spot, n);
  return o;
}

/* The direction from which a pair of features starts: a face's normal, or two edges' common one. */
static clp_vec3 start_direction(const clp_couple *c, const option *a, const option *b, clp_vec3 n)
{
  clp_mat3 r = c->X_AB.rotation;
  if (a->spot.kind == CLP_FACE)
    return a->normal;
  if (b->spot.kind == CLP_FACE)
    return clp_negate(clp_rotate(r, b->normal));
  clp_vec3 plane;
  if (a->spot.kind != CLP_EDGE || b->spot.kind != CLP_EDGE || clp_couple_plane(c, &plane))
    return n;
  clp_vec3 ta = clp_unit(clp_spot_jet_at(c->a, a->spot).t[0]);
  clp_vec3 tb = clp_unit(clp_rotate(r, clp_spot_jet_at(c->b, b->spot).t[0]));
  clp_vec3 across = clp_cross(ta, tb);
  if (clp_norm(across) < 1e-9)
    return n;
  return clp_unit(clp_dot(across, n) >= 0 ? across : clp_negate(across));
}

/* Pairs that cannot have a maximum: flat faces that are not parallel, and two corners, which have
 * no radius, where the bodies overlap. */
static bool is_hopeless(const clp_couple *c, const option *a, const option *b, double s)
{
  if (a->flat && b->flat)
    return clp_norm(clp_add(a->normal, clp_rotate(c->X_AB.rotation, b->normal))) > 1e-6;
  return s < 0 && a->spot.kind == CLP_VERTEX && b->spot.kind == CLP_VERTEX;
}

static bool try_pair(const clp_couple *c, clp_spots spots, clp_vec3 n, clp_peak *best)
{
  clp_extremal e = clp_extremal_start(c, &spots, n);
  clp_extremal_end end = clp_extremal_iterate(&e, BUDGET, LAST_STEP);
  if (end == CLP_EXTREMAL_LOST)
    return false;
  clp_peak peak = clp_peak_of(&e, end);
  if (end != CLP_EXTREMAL_CONVERGED) /* spots that do not belong to the direction */
    peak = clp_peak_along(c, peak.depth.normal);
  clp_peak_keep(c, best, &peak);
  return peak.settled;
}

static void try_options(const clp_couple *c, const option *a, const option *b, clp_vec3 n,
                        clp_peak *best)
{
  try_pair(c, (clp_spots){a->spot, b->spot}, start_direction(c, a, b, n), best);
}

/* From where the peak is: all pairs of what borders on its places. */
static void try_neighbors(const clp_couple *c, clp_peak *peak)
{
  clp_vec3 n = peak->depth.normal, back = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  double s = peak->depth.s;
  options a = options_at(c->a, peak->spots.a, n);
  options b = options_at(c->b, peak->spots.b, back);
  for (int i = 0; i < a.count && !clp_is_spent(c->effort); ++i)
    for (int k = 0; k < b.count; ++k)
      if (!is_hopeless(c, &a.list[i], &b.list[k], s))
        try_options(c, &a.list[i], &b.list[k], n, peak);
}

static void climb(const clp_couple *c, clp_peak *peak)
{
  for (int k = 0; k < PASSES; ++k) {
    double before = peak->depth.lower;
    if (try_pair(c, peak->spots, peak->depth.normal, peak))
      return;
    try_neighbors(c, peak);
    if (!(peak->depth.lower > before))
      return;
  }
}

void clp_peak_improve(const clp_couple *c, clp_peak *peak)
{
  climb(c, peak);
  peak->depth.found &= peak->settled || clp_peak_rest(peak) <= ALIGNED * c->size + c->slack;
}
