/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/support.h"

#include <stddef.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/body/compass.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/witness/normal_cone.h"

/* Heights that differ by less than this part of the body's distance from the origin and its radius
 * are equal to rounding: a few units in the last place of sums of a few products. */
#define TIE 1e-14

/* A face's normal is along n when it differs by less (radians); closed forms and Newton's iteration
 * get this far even where the curvature is large. */
#define ALONG 1e-9

typedef struct search {
  const clp_body *body;
  clp_vec3 n;
  double tie;
  clp_support best;
} search;

/* What is searched first is kept unless it is clearly lower, or the newcomer wins ties: next to a
 * corner a place within an edge or a face is hardly higher, but n is square to it. Returns whether
 * the newcomer is kept. */
static bool offer(search *s, clp_spot spot, bool wins_ties)
{
  clp_vec3 p = clp_spot_point(s->body, spot);
  s->best.effort += CLP_EFFORT_PLACE;
  double value = clp_dot(s->n, p);
  if (!(value > s->best.value + (wins_ties ? -s->tie : s->tie)))
    return false;
  s->best = (clp_support){spot, p, value, s->best.effort};
  return true;
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* A smooth edge is part of its faces. */
static bool has_region(const clp_edge *edge)
{
  return edge->kind == CLP_EDGE_SHARP || edge->kind == CLP_EDGE_BOUNDARY ||
         edge->kind == CLP_EDGE_CURVE;
}

/* n.p = n.center + cos t (n.a) + sin t (n.b): largest where (cos t, sin t) is along (n.a, n.b). */
static void try_ellipse(search *s, uint32_t id)
{
  const clp_curve *curve = &s->body->edges[id].curve;
  const clp_ellipse *e = &curve->as.ellipse;
  s->best.effort += CLP_EFFORT_NORMAL;
  double na = clp_dot(s->n, e->a), nb = clp_dot(s->n, e->b), length = hypot(na, nb);
  clp_curve_site site = {{1, 0}};
  if (length > 0)
    site = (clp_curve_site){{na / length, nb / length}};
  double t = curve->closed ? 0 : clp_curve_parameter(curve, site);
  if (curve->closed || (t > curve->lo && t < curve->hi))
    offer(s, clp_spot_on_edge(id, site), true);
}

static void try_spline(search *s, uint32_t id)
{
  const clp_curve *curve = &s->body->edges[id].curve;
  double peaks[CLP_SUPPORT_PEAKS];
  int count = clp_support_on_curve(curve, s->n, peaks, &s->best.effort);
  for (int k = 0; k < count; ++k)
    offer(s, clp_spot_on_edge(id, clp_curve_site_at(curve, peaks[k])), true);
}

/* The highest point of a box. */
static double box_height(const clp_box3 *box, clp_vec3 n)
{
  return fmax(n.x * box->min.x, n.x * box->max.x) + fmax(n.y * box->min.y, n.y * box->max.y) +
         fmax(n.z * box->min.z, n.z * box->max.z);
}

static bool may_reach(const search *s, uint32_t face)
{
  return box_height(&s->body->faces[face].box, s->n) > s->best.value - s->tie;
}

/* The ends are vertices, which were tried before: of a line there is nothing left. */
static void try_edge(search *s, uint32_t id)
{
  const clp_edge *edge = &s->body->edges[id];
  if (!has_region(edge) || edge->curve.kind == CLP_CURVE_LINE ||
      (edge->use[0] != CLP_NONE && !may_reach(s, s->body->uses[edge->use[0]].face)))
    return;
  if (edge->curve.kind == CLP_CURVE_ELLIPSE)
    try_ellipse(s, id);
  else
    try_spline(s, id);
}

/* ---- Faces -------------------------------------------------------------------------------- */

static bool normal_along(search *s, const clp_face *face, clp_site site)
{
  s->best.effort += clp_surface_spline(&face->surface) ? CLP_EFFORT_SPLINE : CLP_EFFORT_NORMAL;
  clp_vec3 normal = clp_surface_normal(&face->surface, &face->domain, site);
  return clp_distance(normal, s->n) < ALONG;
}

/* Whether the whole face is farthest. */
static bool try_flat(search *s, uint32_t id)
{
  const clp_face *face = &s->body->faces[id];
  s->best.effort += CLP_EFFORT_PLACE;
  if (face->flat && !(clp_norm2(clp_sub(face->normal, s->n)) < ALONG * ALONG))
    return false;
  clp_site middle = clp_domain_middle(&face->surface, &face->domain);
  return (face->flat || normal_along(s, face, middle)) &&
         offer(s, clp_spot_on_face(id, middle), true);
}

static clp_site farthest_site(search *s, uint32_t id)
{
  const clp_face *face = &s->body->faces[id];
  clp_site site = {{0, 0, 0}};
  if (clp_surface_spline(&face->surface))
    return clp_support_on_spline(face, s->n, clp_support_sample(face, s->n, &s->best.effort),
                                 &s->best.effort);
  s->best.effort += CLP_EFFORT_NORMAL;
  if (!clp_surface_facing(&face->surface, &face->domain, s->n, &site))
    clp_face_support(&face->surface, &face->domain, s->n, 0, &site); /* closed forms, no memory */
  return site;
}

/* Whether the place found is proven by the face's normal. What is farthest on a side belongs to an
 * edge, unless the face itself is square to n there: then the edge is smooth, or n is at the end of
 * its region. */
static bool try_curved(search *s, uint32_t id)
{
  const clp_face *face = &s->body->faces[id];
  clp_site site = farthest_site(s, id);
  bool along = normal_along(s, face, site);
  bool kept = offer(s, clp_spot_on_face(id, site), along);
  if (along && clp_surface_facts_of(&face->surface)->straight) { /* a whole generator, perhaps */
    site.c[2] = 0.5 * (face->domain.lo[1] + face->domain.hi[1]);
    kept |= offer(s, clp_spot_on_face(id, site), true);
  }
  return along && kept;
}

/* A tip of a curved face, where a side is a point: if its normals are many, then to find the one
 * that is nearest to n takes longer than to look at all faces. */
static bool is_tip(const clp_body *body, const clp_spot *spot)
{
  if (spot->kind != CLP_VERTEX || body->vertices[spot->id].round)
    return false;
  const clp_vertex *vertex = &body->vertices[spot->id];
  for (uint32_t k = 0; k < vertex->corner_count; ++k)
    if (body->corners[vertex->first_corner + k].side >= 0)
      return true;
  return false;
}

/* Whether n is in the normal cone of the best place: nothing is farther then. */
static bool is_proven(search *s)
{
  if (is_tip(s->body, &s->best.spot))
    return false;
  const clp_spot *spot = &s->best.spot;
  bool round = spot->kind == CLP_VERTEX && s->body->vertices[spot->id].round;
  s->best.effort +=
      round ? CLP_EFFORT_PLACE : CLP_EFFORT_STEP + clp_normal_cone_effort(s->body, spot);
  clp_spot_jet jet = clp_spot_jet_at(s->body, s->best.spot);
  return clp_normal_cone_miss(s->body, s->best.spot, &jet, s->n) < ALONG;
}

/* Of the faces that are bent, and there is one, the one whose box's middle is farthest: mostly it
 * has the place, and proves it. The first, along what is no direction. */
static uint32_t likely_face(const search *s)
{
  uint32_t best = CLP_NONE;
  double highest = -HUGE_VAL;
  for (uint32_t k = 0; k < s->body->face_count; ++k) {
    const clp_box3 *box = &s->body->faces[k].box;
    double height = clp_dot(s->n, clp_add(box->min, box->max));
    if (s->body->faces[k].bend == CLP_BEND_FLAT || (best != CLP_NONE && !(height > highest)))
      continue;
    highest = height;
    best = k;
  }
  return best;
}

/* What may be farthest as a whole comes first. Of the other faces none is looked at when the place
 * found so far is proven. */
static void search_faces(search *s)
{
  const clp_body *body = s->body;
  bool curved = false;
  for (uint32_t k = 0; k < body->face_count; ++k) {
    bool flat = body->faces[k].bend == CLP_BEND_FLAT;
    bool straight = clp_surface_facts_of(&body->faces[k].surface)->straight;
    curved |= !flat && !straight;
    if ((flat && try_flat(s, k)) || (straight && may_reach(s, k) && try_curved(s, k)))
      return;
  }
  if (!curved || (s->best.value > -HUGE_VAL && is_proven(s)))
    return;
  uint32_t likely = likely_face(s);
  if (try_curved(s, likely))
    return;
  for (uint32_t k = 0; k < body->face_count; ++k)
    if (k != likely && body->faces[k].bend != CLP_BEND_FLAT && may_reach(s, k) && try_curved(s, k))
      return;
}

/* ---- Polyhedra ---------------------------------------------------------------------------- */

/* As many vertices that are as high as the highest are told apart; more make a face, which is
 * looked at first. */
enum { EQUALS_MAX = 16 };

/* A face that is farthest as a whole, of those that meet in the vertex; of several the first. */
static void try_faces_at(search *s, uint32_t id, uint32_t *first)
{
  const clp_vertex *vertex = &s->body->vertices[id];
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    uint32_t face = s->body->corners[vertex->first_corner + k].face;
    if (face < *first && try_flat(s, face))
      *first = face;
  }
}

/* Adds the vertex's neighbors that are as high, to rounding, and not there yet. */
static int add_equals(const search *s, uint32_t id, uint32_t *equals, int count)
{
  const clp_vertex *vertex = &s->body->vertices[id];
  for (uint32_t k = 0; k < vertex->end_count && count < EQUALS_MAX; ++k) {
    uint32_t next = clp_vertex_across(s->body, s->body->ends[vertex->first_end + k]);
    bool known = clp_dot(s->n, s->body->vertices[next].place) <= s->best.value - s->tie;
    for (int i = 0; i < count && !known; ++i)
      known = equals[i] == next;
    if (!known)
      equals[count++] = next;
  }
  return count;
}

/* The same place as a search over all features finds: a face, else of equal vertices the first. */
static void search_polyhedron(search *s)
{
  uint32_t equals[EQUALS_MAX] = {clp_compass_farthest(s->body, s->n)};
  uint32_t face = CLP_NONE, first = equals[0];
  int count = 1;
  offer(s, clp_spot_on_vertex(first), false);
  for (int i = 0; i < count && face == CLP_NONE; ++i) {
    try_faces_at(s, equals[i], &face);
    count = face == CLP_NONE ? add_equals(s, equals[i], equals, count) : count;
    first = equals[i] < first ? equals[i] : first;
  }
  if (face == CLP_NONE && first != equals[0])
    offer(s, clp_spot_on_vertex(first), true);
}

/* ---- Cylinders, cones, capsules and boxes --------------------------------------------------- */

/* Where n is by more than this (radians) not along the normal of a whole lid, side or generator,
 * the farthest place is a single one, and whichever end or corner n points to has it: what a search
 * over all features finds. */
#define CLEAR (1e3 * ALONG)

/* Whether one end is higher than the other, which is so far away, by more than a tie. */
static bool is_clear(const search *s, double slope, double length)
{
  return fabs(slope) > CLEAR && fabs(slope) * length > 4 * s->tie;
}

/* The rim at the upper or the lower end, or the tip. */
static void take_end(search *s, double middle, bool upper)
{
  const clp_body *body = s->body;
  for (uint32_t k = 0; k < body->edge_count; ++k)
    if (has_region(&body->edges[k]) &&
        (body->edges[k].curve.as.ellipse.center.z > middle) == upper) {
      try_ellipse(s, k);
      return;
    }
  offer(s, clp_spot_on_vertex(0), false);
}

/* Generators rise by their slope along n, as seen in the plane of n and the axis. */
static bool find_end(search *s)
{
  const clp_frustum *f = &s->body->frustum;
  const bool cone = f->length > 0;
  const double across = hypot(s->n.x, s->n.y);
  const double slope = cone ? across * f->along_r + s->n.z * f->along_z : s->n.z;
  if (!(across > CLEAR) || !is_clear(s, slope, cone ? f->length : 2 * s->body->cylinder.half))
    return false;
  take_end(s, cone ? 0.5 * (f->low_z + f->high_z) : 0, slope > 0);
  return true;
}

static bool find_cap(search *s)
{
  const clp_body *body = s->body;
  if (!is_clear(s, s->n.z, 2 * body->sweep.half))
    return false;
  uint32_t cap = 0;
  while (clp_surface_facts_of(&body->faces[cap].surface)->straight ||
         (body->faces[cap].box.min.z + body->faces[cap].box.max.z > 0) != (s->n.z > 0))
    ++cap;
  return try_curved(s, cap);
}

static bool find_corner(search *s)
{
  const clp_vec3 n = s->n, half = s->body->box;
  if (!is_clear(s, n.x, 2 * half.x) || !is_clear(s, n.y, 2 * half.y) ||
      !is_clear(s, n.z, 2 * half.z))
    return false;
  uint32_t k = 0;
  for (clp_vec3 p = s->body->vertices[0].place; p.x * n.x < 0 || p.y * n.y < 0 || p.z * n.z < 0;)
    p = s->body->vertices[++k].place;
  offer(s, clp_spot_on_vertex(k), false);
  return true;
}

static bool find_at_once(search *s)
{
  const clp_body *body = s->body;
  if (body->box.x > 0)
    return find_corner(s);
  if (body->sweep.half > 0)
    return find_cap(s);
  return (body->cylinder.radius > 0 || body->frustum.length > 0) && find_end(s);
}

clp_support clp_support_find(const clp_body *body, clp_vec3 n)
{
  search s = {.body = body, .n = n, .best = {.value = -HUGE_VAL}};
  s.best.effort = (int)body->face_count * CLP_EFFORT_PLACE;
  s.tie = TIE * (clp_norm(body->center) + body->radius);
  if (body->compass.grid > 0) {
    s.best.effort = CLP_EFFORT_SIMPLEX;
    search_polyhedron(&s);
    return s.best;
  }
  if (find_at_once(&s))
    return s.best;
  for (uint32_t k = 0; k < body->vertex_count; ++k)
    offer(&s, clp_spot_on_vertex(k), false);
  for (uint32_t k = 0; k < body->edge_count; ++k)
    try_edge(&s, k);
  search_faces(&s);
  return s.best;
}

clp_support_pair clp_support_both(const clp_couple *couple, clp_vec3 n)
{
  clp_vec3 back = clp_negate(clp_rotate_back(couple->X_AB.rotation, n));
  clp_support_pair found = {clp_support_find(couple->a, n), clp_support_find(couple->b, back)};
  clp_spend(couple->effort, found.a.effort + found.b.effort);
  return found;
}

/* What is round a vertex or a facet has its normals computed, which takes as long as to compare so
 * many heights. */
#define HEIGHTS_PER_NORMAL 4

static uint64_t most_round_a_feature(const clp_body *body)
{
  uint64_t most = 0;
  for (uint32_t k = 0; k < body->vertex_count; ++k)
    most = body->vertices[k].end_count > most ? body->vertices[k].end_count : most;
  for (uint32_t k = 0; k < body->face_count; ++k)
    most = body->faces[k].use_count > most ? body->faces[k].use_count : most;
  return most;
}

uint64_t clp_support_places(const clp_body *body)
{
  if (body->compass.grid > 0)
    return HEIGHTS_PER_NORMAL * most_round_a_feature(body);
  uint64_t places = (uint64_t)body->face_count + body->edge_count + body->vertex_count;
  for (uint32_t k = 0; k < body->face_count; ++k)
    if (clp_surface_spline(&body->faces[k].surface))
      places += (uint64_t)clp_support_samples(clp_surface_spline(&body->faces[k].surface));
  return places;
}

double clp_support_bound(const clp_body *body, clp_spot spot, clp_vec3 n)
{
  clp_spot_jet jet = clp_spot_jet_at(body, spot);
  double miss = clp_normal_cone_miss(body, spot, &jet, n);
  double reach = body->info.point ? 0 : clp_distance(jet.p, body->center) + body->radius;
  return clp_dot(n, jet.p) + miss * reach + CLP_ROUNDING * (clp_norm(jet.p) + reach) +
         body->info.slack;
}
