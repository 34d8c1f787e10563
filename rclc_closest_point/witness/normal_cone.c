/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/normal_cone.h"

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/witness/effort.h"
#include "rclc_closest_point/witness/pole.h"

/* ---- The cone of a few vectors ------------------------------------------------------------ */

static clp_vec3 nearest_on_ray(clp_vec3 g, clp_vec3 n)
{
  double length = clp_norm2(g);
  return clp_scale(length > 0 ? fmax(0, clp_dot(n, g)) / length : 0, g);
}

/* The faces of flat bodies have normals that differ by as little as the bodies are flat, H.
 * Products of the vectors would lose eps / H of a direction, so products are of differences, which
 * lose but what the vectors have lost themselves: u x v = (u - v) x v. */
static clp_vec3 cross_of_near(clp_vec3 u, clp_vec3 v)
{
  return clp_cross(clp_sub(u, v), v);
}

/* In the wedge of two unit vectors: the plane's projection if it lies between them, else a ray's.
 */
static clp_cone_normal nearest_in_wedge(clp_vec3 a, clp_vec3 b, clp_vec3 n)
{
  clp_vec3 c = cross_of_near(a, b);
  double length = clp_norm(c);
  if (length > CLP_SAME_DIRECTION) {
    c = clp_scale(1 / length, c);
    double x = clp_dot(cross_of_near(n, b), c), y = -clp_dot(cross_of_near(n, a), c);
    if (x >= 0 && y >= 0)
      return (clp_cone_normal){.nearest = clp_add_scaled(n, -clp_dot(clp_sub(n, a), c), c),
                               .depth = fmin(x, y)};
  }
  clp_vec3 on_a = nearest_on_ray(a, n), on_b = nearest_on_ray(b, n);
  return (clp_cone_normal){.nearest = clp_distance(on_a, n) <= clp_distance(on_b, n) ? on_a : on_b};
}

/* u.(v x w) */
static double triple_of_near(clp_vec3 u, clp_vec3 v, clp_vec3 w)
{
  return clp_dot(clp_sub(u, w), cross_of_near(v, w));
}

/* How far n is from the planes of the three, if it is a non-negative combination of them, else
 * negative. */
static double in_trihedron(clp_vec3 a, clp_vec3 b, clp_vec3 c, clp_vec3 n)
{
  double det = triple_of_near(a, b, c), sign = det > 0 ? 1 : -1;
  double least = CLP_SAME_DIRECTION * clp_distance(a, c) * clp_distance(b, c);
  if (!(fabs(det) > fmax(least, CLP_SAME_DIRECTION * CLP_SAME_DIRECTION)))
    return -1;
  double x = sign * triple_of_near(n, b, c) / clp_norm(cross_of_near(b, c));
  double y = sign * triple_of_near(n, c, a) / clp_norm(cross_of_near(c, a));
  double z = sign * triple_of_near(n, a, b) / clp_norm(cross_of_near(a, b));
  return fmin(fmin(x, y), z);
}

static int nearest_ray(const clp_vec3 *g, int count, clp_vec3 n)
{
  int best = 0;
  for (int k = 1; k < count; ++k)
    if (clp_dot(g[k], n) > clp_dot(g[best], n))
      best = k;
  return best;
}

/* The nearest ray, and the nearest of the wedges that it has with the others. A cone is convex:
 * where no other vector is on n's side of the plane that is square to what leads there, there is
 * nothing nearer. */
static bool nearest_beside(const clp_vec3 *g, int count, int pair[2], clp_vec3 n,
                           clp_cone_normal *best)
{
  const int ray = pair[0];
  *best = (clp_cone_normal){.nearest = nearest_on_ray(g[ray], n)};
  for (int k = 0; k < count; ++k) {
    if (k == ray)
      continue;
    clp_cone_normal in = nearest_in_wedge(g[ray], g[k], n);
    if (!(clp_distance(in.nearest, n) < clp_distance(best->nearest, n)))
      continue;
    *best = (clp_cone_normal){.nearest = in.nearest, .depth = count > 2 ? 0 : in.depth};
    pair[1] = k;
  }
  clp_vec3 left = clp_sub(n, best->nearest);
  for (int k = 0; k < count; ++k)
    if (k != ray && k != pair[1] && clp_dot(left, g[k]) > 0)
      return false;
  return true;
}

/* In a cone that n is inside, the vectors that come next on both sides where one goes round a ray
 * of it from n: with the ray they have n between them, unless a third one is in one plane with two.
 */
static double between_neighbors(const clp_vec3 *g, int count, int ray, clp_vec3 n)
{
  clp_vec3 r = g[ray], to = clp_sub(n, r), round = clp_cross(r, to);
  int next[2] = {-1, -1};
  double most[2] = {-HUGE_VAL, -HUGE_VAL};
  to = clp_cross(round, r);
  for (int k = 0; k < count; ++k) {
    clp_vec3 way = clp_sub(g[k], r);
    clp_vec3 flat = clp_add_scaled(way, -clp_dot(way, r), r);
    double length = clp_norm(flat), cosine = clp_dot(flat, to) / length;
    int side = clp_dot(way, round) < 0;
    if (k == ray || !(length > 0) || !(cosine > most[side]))
      continue;
    most[side] = cosine;
    next[side] = k;
  }
  return next[0] < 0 || next[1] < 0 ? -1 : in_trihedron(r, g[next[0]], g[next[1]], n);
}

/* What there is of the cone of two and a third vector that is nearer than the nearest of the two:
 * n itself, where it is between all three, or one of the third one's wedges. The two become those
 * of that wedge. False where nothing is. */
static bool take_third(const clp_vec3 *g, int pair[2], int third, clp_vec3 n, clp_cone_normal *best)
{
  const int two[2] = {pair[0], pair[1]};
  double inside = in_trihedron(g[two[0]], g[two[1]], g[third], n);
  bool nearer = inside >= 0;
  if (nearer)
    *best = (clp_cone_normal){.nearest = n, .depth = inside};
  for (int i = 0; i < 2 && inside < 0; ++i) {
    clp_cone_normal in = nearest_in_wedge(g[two[i]], g[third], n);
    if (!(clp_distance(in.nearest, n) < clp_distance(best->nearest, n)))
      continue;
    *best = (clp_cone_normal){.nearest = in.nearest};
    pair[0] = two[i];
    pair[1] = third;
    nearer = true;
  }
  return nearer;
}

/* By Caratheodory three vectors suffice in space. From the nearest wedge of one ray on, each time
 * the vector that is farthest along what is left to n is taken for one of the wedge's, as long as
 * that leads nearer: at an element of the cone all the same where rounding ends it. A wedge of more
 * than two vectors is on the cone's surface, however deep inside the wedge n is. */
clp_cone_normal clp_cone_nearest(const clp_vec3 *g, int count, clp_vec3 n)
{
  clp_cone_normal best = {.depth = 0};
  int ray = count > 0 ? nearest_ray(g, count, n) : 0, pair[2] = {ray, ray}, third = ray;
  if (count == 0 || nearest_beside(g, count, pair, n, &best))
    return best;
  double inside = count > 2 ? between_neighbors(g, count, ray, n) : -1;
  if (inside >= 0)
    return (clp_cone_normal){.nearest = n, .depth = inside};
  for (int pass = 0; pass < count && !(best.depth > 0); ++pass) {
    clp_vec3 left = clp_sub(n, best.nearest);
    for (int k = 0; k < count; ++k)
      third = clp_dot(left, g[k]) > clp_dot(left, g[third]) ? k : third;
    if (!(clp_dot(left, g[third]) > 0) || third == pair[0] || third == pair[1] ||
        !take_third(g, pair, third, n, &best))
      break;
  }
  return best;
}

/* ---- Features ----------------------------------------------------------------------------- */

static clp_normal use_normal(const clp_body *body, const clp_edge *edge, int which,
                             clp_curve_site site)
{
  const clp_use *use = &body->uses[edge->use[which]];
  const clp_face *face = &body->faces[use->face];
  if (clp_usually(face->flat))
    return (clp_normal){face->normal, 0};
  clp_site there = clp_edge_face_site(edge, which, use, face, site);
  return clp_surface_normal_within(&face->surface, &face->domain, there);
}

/* A planar body's curve: the outward normal in the plane, to the right of its direction. */
static clp_vec3 planar_normal(clp_vec3 tangent)
{
  return clp_unit((clp_vec3){tangent.y, -tangent.x, 0});
}

/* nearest_in_wedge, with what it computes of the edge alone known before. False where n is beside
 * the wedge. */
static bool near_known_wedge(const clp_wedge *w, clp_site site, clp_vec3 n, clp_cone_normal *cone)
{
  const clp_vec3 a = w->across;
  double beside, c = site.c[0], s = site.c[1];
  *cone = (clp_cone_normal){.off = 0};
  if (!(w->flat || w->turned) ||
      !clp_beside_wedge(w, clp_into_wedge(w, site, n), &beside, &cone->depth))
    return false;
  clp_vec3 across = w->turned ? (clp_vec3){-s * a.y, c * a.y, 0} : a;
  cone->nearest = clp_add_scaled(n, -beside, across);
  return true;
}

/* Between the normals of its two faces; all that are square to it where it has none. */
static clp_cone_normal near_edge(const clp_body *body, clp_spot spot, clp_vec3 tangent, clp_vec3 n)
{
  const clp_edge *edge = &body->edges[spot.id];
  clp_cone_normal within;
  if (near_known_wedge(&edge->wedge, spot.site, n, &within))
    return within;
  if (edge->kind == CLP_EDGE_CURVE)
    return (clp_cone_normal){.nearest = nearest_on_ray(planar_normal(tangent), n), .depth = 1};
  if (edge->use[0] == CLP_NONE)
    return (clp_cone_normal){.nearest = clp_add_scaled(n, -clp_dot(n, tangent), tangent),
                             .depth = 1};
  clp_normal a = use_normal(body, edge, 0, clp_spot_curve_site(spot));
  if (edge->use[1] == CLP_NONE)
    return (clp_cone_normal){.nearest = nearest_on_ray(a.n, n), .off = a.off};
  clp_normal b = use_normal(body, edge, 1, clp_spot_curve_site(spot));
  clp_cone_normal cone = nearest_in_wedge(a.n, b.n, n);
  cone.off = fmax(a.off, b.off);
  return cone;
}

static clp_cone_normal near_planar_vertex(const clp_body *body, const clp_vertex *vertex,
                                          clp_vec3 n)
{
  clp_vec3 g[CLP_CONE_MAX];
  int count = 0;
  for (uint32_t k = 0; k < vertex->end_count && count < CLP_CONE_MAX; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    const clp_edge *edge = &body->edges[end.edge];
    g[count++] = planar_normal(clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, end.end)).t);
  }
  return clp_cone_nearest(g, count, n);
}

/* The end of a segment: whatever does not lead into it, or what leads along it taken off. */
static clp_cone_normal near_end(const clp_body *body, const clp_vertex *vertex, clp_vec3 n)
{
  const clp_vec3 into = body->ends[vertex->first_end].away;
  return (clp_cone_normal){.nearest = clp_add_scaled(n, -fmax(0, clp_dot(n, into)), into)};
}

/* *off becomes the largest of what it was and this normal's. */
static clp_vec3 rough_normal(const clp_face *face, clp_site site, double *off)
{
  clp_normal normal = clp_face_normal(face, site);
  *off = fmax(*off, normal.off);
  return normal.n;
}

/* The normals at a corner of a vertex, the one that is farthest along d first; returns how many. */
static int corner_normals(const clp_body *body, const clp_corner *corner, clp_vec3 d,
                          clp_vec3 normals[CLP_POLE_NORMALS], double *off)
{
  if (corner->side >= 0)
    return clp_pole_normals(body, corner, d, normals, off);
  normals[0] = rough_normal(&body->faces[corner->face], corner->site, off);
  return 1;
}

/* The normals at all corners of a vertex; negative where they may be more than are looked at at
 * once. */
static int all_normals(const clp_body *body, const clp_vertex *vertex, clp_vec3 n,
                       clp_vec3 g[CLP_CONE_MAX], double *off)
{
  const clp_corner *corner = body->corners + vertex->first_corner;
  const clp_corner *last = corner + vertex->corner_count;
  int count = 0;
  for (; corner < last; ++corner) {
    if (count + CLP_POLE_NORMALS > CLP_CONE_MAX)
      return -1;
    count += corner_normals(body, corner, n, g + count, off);
  }
  return count;
}

/* How far along d the normals at a corner are at most. */
static double most_along(const clp_body *body, const clp_corner *corner, clp_vec3 d)
{
  const clp_face *face = &body->faces[corner->face];
  if (clp_usually(face->flat))
    return clp_dot(face->normal, d);
  clp_vec3 normals[CLP_POLE_NORMALS];
  double off = 0;
  corner_normals(body, corner, d, normals, &off);
  return clp_dot(normals[0], d);
}

/* The corner that has the normal farthest along d; NULL where none is along d at all. */
static const clp_corner *foremost_corner(const clp_body *body, const clp_vertex *vertex, clp_vec3 d)
{
  const clp_corner *corner = body->corners + vertex->first_corner;
  const clp_corner *last = corner + vertex->corner_count, *foremost = NULL;
  for (double most = 0; corner < last; ++corner) {
    double along = most_along(body, corner, d);
    if (!(along > most))
      continue;
    most = along;
    foremost = corner;
  }
  return foremost;
}

/* Where many faces meet: of their normals, those that matter. An element of the cone of a few is
 * one of the cone of all, and it is the nearest of all where no normal is along what is left to n;
 * one that is comes to the few, and what they have then is nearer. One wedge is on the surface of
 * the cone of all, however deep inside the wedge n is. */
static clp_cone_normal near_many(const clp_body *body, const clp_vertex *vertex, clp_vec3 n)
{
  clp_vec3 g[CLP_CONE_MAX];
  clp_cone_normal best = {.depth = 0};
  double off = 0;
  for (int count = 0; count + CLP_POLE_NORMALS <= CLP_CONE_MAX;) {
    clp_vec3 left = clp_sub(n, best.nearest);
    const clp_corner *corner = foremost_corner(body, vertex, left);
    if (!corner)
      break;
    count += corner_normals(body, corner, left, g + count, &off);
    clp_cone_normal cone = clp_cone_nearest(g, count, n);
    if (!(clp_distance(cone.nearest, n) < clp_norm(left)))
      break;
    best = cone;
    if (count < 3)
      best.depth = 0;
  }
  best.off = off;
  return best;
}

/* Of few a wedge each with the nearest; of many some six come to the few, and for each one all are
 * looked at. */
int clp_normal_cone_effort(const clp_body *body, const clp_spot *spot)
{
  if (spot->kind != CLP_VERTEX)
    return 0;
  uint32_t corners = body->vertices[spot->id].corner_count;
  return (corners > CLP_CONE_MAX - CLP_POLE_NORMALS + 1 ? 1 : 4) * CLP_EFFORT_PLACE * (int)corners;
}

static clp_cone_normal near_vertex(const clp_body *body, clp_spot spot, clp_vec3 n)
{
  const clp_vertex *vertex = &body->vertices[spot.id];
  if (body->info.planar)
    return near_planar_vertex(body, vertex, n);
  double depth = vertex->flat ? clp_depth_at_flat_vertex(body, vertex, n) : 0;
  if (depth > CLP_IN_FLAT_VERTEX)
    return (clp_cone_normal){.nearest = n, .depth = depth};
  if (vertex->round)
    return (clp_cone_normal){.nearest = nearest_on_ray(vertex->normal.n, n),
                             .off = vertex->normal.off};
  if (vertex->corner_count == 0)
    return near_end(body, vertex, n);
  clp_vec3 g[CLP_CONE_MAX];
  double off = 0;
  int count = all_normals(body, vertex, n, g, &off);
  if (count < 0)
    return near_many(body, vertex, n);
  clp_cone_normal cone = clp_cone_nearest(g, count, n);
  cone.off = off;
  return cone;
}

clp_cone_normal clp_normal_cone_beside(const clp_body *body, clp_spot spot, clp_vec3 tangent,
                                       clp_vec3 n)
{
  return spot.kind == CLP_EDGE ? near_edge(body, spot, tangent, n) : near_vertex(body, spot, n);
}

clp_cone_normal clp_normal_cone_nearest(const clp_body *body, clp_spot spot,
                                        const clp_spot_jet *jet, clp_vec3 n)
{
  if (spot.kind == CLP_FACE)
    return (clp_cone_normal){clp_scale(fmax(0, clp_dot(n, jet->normal)), jet->normal), jet->off, 1};
  return clp_normal_cone_beside(body, spot, jet->t[0], n);
}
