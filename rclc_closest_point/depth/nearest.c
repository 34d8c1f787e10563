/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/nearest.h"

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/automaton.h"

/* Steps towards a line: a plane needs one. */
enum { SLIDES = 4 };

/* The step within the feature that leads nearest to d, which is square to n. */
static void step_towards(const clp_spot_jet *jet, clp_vec3 d, double x[2])
{
  const clp_vec3 *t = jet->t;
  double uu = clp_norm2(t[0]), ud = clp_dot(t[0], d);
  x[0] = uu > 0 ? ud / uu : 0;
  x[1] = 0;
  if (jet->freedoms < 2)
    return;
  double vv = clp_norm2(t[1]), uv = clp_dot(t[0], t[1]), vd = clp_dot(t[1], d);
  double det = uu * vv - uv * uv;
  if (!(det > 1e-12 * uu * vv))
    return;
  x[0] = (vv * ud - uv * vd) / det;
  x[1] = (uu * vd - uv * ud) / det;
}

clp_spot clp_spot_slide(const clp_body *body, clp_spot spot, clp_vec3 to, clp_vec3 n)
{
  for (int k = 0; k < SLIDES; ++k) {
    clp_spot_jet jet = clp_spot_jet_at(body, spot);
    clp_vec3 d = clp_sub(to, jet.p);
    double x[2];
    int side;
    if (jet.freedoms == 0)
      return spot;
    step_towards(&jet, clp_add_scaled(d, -clp_dot(d, n), n), x);
    double fraction = clp_spot_fraction(body, spot, x, &side);
    const double part[2] = {fraction * x[0], fraction * x[1]};
    spot = clp_spot_move(body, spot, part, side);
  }
  return spot;
}

/* ---- Between farthest places -------------------------------------------------------------- */

/* The spot's place on a face that it borders on; false where it does not. */
static bool on_face(const clp_body *body, const clp_spot *spot, uint32_t face, clp_spot *found)
{
  if (spot->kind == CLP_FACE) {
    *found = *spot;
    return spot->id == face;
  }
  if (spot->kind == CLP_EDGE) {
    const clp_edge *edge = &body->edges[spot->id];
    for (int which = 0; which < 2; ++which) {
      if (edge->use[which] == CLP_NONE || body->uses[edge->use[which]].face != face)
        continue;
      const clp_use *use = &body->uses[edge->use[which]];
      *found = clp_spot_on_face(face, clp_edge_face_site(edge, which, use, &body->faces[face],
                                                         clp_spot_curve_site(*spot)));
      return true;
    }
    return false;
  }
  const clp_vertex *vertex = &body->vertices[spot->id];
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    if (corner->face != face)
      continue;
    *found = clp_spot_on_face(face, corner->site);
    return true;
  }
  return false;
}

/* The faces that a spot is on or borders on, one after the other; false after the last. */
static bool face_at(const clp_body *body, const clp_spot *spot, uint32_t number, uint32_t *face)
{
  if (spot->kind == CLP_FACE) {
    *face = spot->id;
    return number == 0;
  }
  if (spot->kind == CLP_EDGE) {
    uint32_t use = number < 2 ? body->edges[spot->id].use[number] : CLP_NONE;
    *face = use != CLP_NONE ? body->uses[use].face : CLP_NONE;
    return use != CLP_NONE;
  }
  const clp_vertex *vertex = &body->vertices[spot->id];
  bool has = number < vertex->corner_count;
  *face = has ? body->corners[vertex->first_corner + number].face : CLP_NONE;
  return has;
}

/* More faces meet in few vertices, and to compare all of theirs takes the square of their number:
 * what such a vertex shares with others is looked up from these. */
enum { MOST_FACES = 24 };

static bool has_few_faces(const clp_body *body, const clp_spot *spot)
{
  return spot->kind != CLP_VERTEX || body->vertices[spot->id].corner_count <= MOST_FACES;
}

static const clp_spot *spot_of(const clp_far_corner *corner, int which)
{
  return which == 0 ? &corner->spots.a : &corner->spots.b;
}

static bool share_face(const clp_body *body, const clp_far_corner *corners, int count, int which,
                       uint32_t face)
{
  clp_spot there;
  for (int k = 0; k < count; ++k)
    if (!on_face(body, spot_of(&corners[k], which), face, &there))
      return false;
  return true;
}

/* To where p is, as far as the feature reaches. */
static clp_spot slide_to(const clp_body *body, clp_spot spot, clp_vec3 p)
{
  const clp_vec3 none = {0, 0, 0};
  return spot.kind == CLP_VERTEX ? spot : clp_spot_slide(body, spot, p, none);
}

/* Of the faces that all corners have in common the one that leads nearest to p. */
static clp_spot nearest_on_face(const clp_body *body, const clp_far_corner *corners, int count,
                                int which, clp_vec3 p, const clp_spot *at)
{
  clp_spot best = *at, there;
  const clp_spot *from = at;
  double nearest = HUGE_VAL;
  uint32_t id;
  for (int k = 0; k < count && !has_few_faces(body, from); ++k)
    from = spot_of(&corners[k], which);
  for (uint32_t k = 0; has_few_faces(body, from) && face_at(body, from, k, &id); ++k) {
    const clp_face *face = &body->faces[id];
    if (!share_face(body, corners, count, which, id) || !on_face(body, at, id, &there))
      continue;
    if (face->flat) /* from a corner a way along a side may seem to lead out */
      there.site = clp_domain_middle(&face->surface, &face->domain);
    there = slide_to(body, there, p);
    double off = clp_distance(clp_spot_point(body, there), p);
    best = off < nearest ? there : best;
    nearest = fmin(off, nearest);
  }
  return best;
}

bool clp_edge_between(const clp_body *body, uint32_t from, uint32_t to, clp_spot *spot)
{
  const clp_vertex *vertex = &body->vertices[from];
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    if (body->edges[end.edge].vertex[1 - end.end] != to)
      continue;
    *spot = clp_spot_on_edge(end.edge, clp_edge_fraction(&body->edges[end.edge], 0.5));
    return true;
  }
  return false;
}

/* Where the corners are vertices, the first edge between the heaviest and another. */
static clp_spot own_feature(const clp_body *body, const clp_far_corner *corners, int count,
                            int which, const clp_spot *at)
{
  clp_spot edge;
  for (int k = 0; k < count && at->kind == CLP_VERTEX; ++k) {
    const clp_spot *other = spot_of(&corners[k], which);
    if (other->kind == CLP_VERTEX && other->id != at->id &&
        clp_edge_between(body, at->id, other->id, &edge))
      return edge;
  }
  return *at;
}

/* The feature that owns the place where the spot is. */
static clp_spot owner_of(const clp_body *body, clp_spot spot)
{
  clp_spot lowest = clp_lowest_feature(body, spot), there = spot;
  if (lowest.kind != CLP_EDGE || !clp_edge_is_smooth(&body->edges[lowest.id]))
    return lowest;
  if (spot.kind != CLP_FACE)
    on_face(body, &lowest, body->uses[body->edges[lowest.id].use[0]].face, &there);
  return there;
}

/* Where one vertex is all that the simplex has of a body, its place is the one. */
static bool is_one_vertex(const clp_far_corner *corners, int count, int which, const clp_spot *at)
{
  for (int k = 0; k < count; ++k)
    if (!clp_spot_same_feature(spot_of(&corners[k], which), at))
      return false;
  return at->kind == CLP_VERTEX;
}

static void nearest_on(const clp_body *body, const clp_far_corner *corners, int count, int which,
                       clp_spot found[2])
{
  clp_vec3 p = {0, 0, 0};
  int heaviest = 0;
  for (int k = 0; k < count; ++k) {
    p = clp_add_scaled(p, corners[k].weight, which == 0 ? corners[k].a : corners[k].b);
    heaviest = corners[k].weight > corners[heaviest].weight ? k : heaviest;
  }
  const clp_spot *at = spot_of(&corners[heaviest], which);
  found[0] = owner_of(body, slide_to(body, own_feature(body, corners, count, which, at), p));
  found[1] = is_one_vertex(corners, count, which, at)
                 ? found[0]
                 : owner_of(body, nearest_on_face(body, corners, count, which, p, at));
}

void clp_nearest_spots(const clp_couple *couple, const clp_far_corner *corners, int count,
                       clp_spots spots[4])
{
  clp_spot a[2], b[2];
  clp_spend(couple->effort, CLP_EFFORT_PLACES);
  nearest_on(couple->a, corners, count, 0, a);
  nearest_on(couple->b, corners, count, 1, b);
  for (int k = 0; k < 4; ++k)
    spots[k] = (clp_spots){a[k & 1], b[k >> 1]};
}
