/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/depth/nearest.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/math/pose.h"

/* Uphill by portals, where features do not tell the way.
 *
 * The points c = f - h, f in A and h in B, make a convex set C, which holds the origin where the
 * bodies overlap, and s(n) is minus the height of C along n. A ray from the origin leaves C through
 * a portal: a triangle of its farthest points that the ray goes through. A farthest point along the
 * portal's own normal either lies in the portal, which then is a piece of C's boundary, or divides
 * it into smaller ones. The boundary is met at a distance t on the ray r, its plane being t (r.n)
 * from the origin; the ray along n meets the boundary no later than that plane. So each portal's
 * normal is the next ray, s(n) only grows, and where nothing changes any more n is square to the
 * boundary where it meets it: a local maximum. Nothing but farthest points is asked for, whatever
 * they lie on; and whatever is found, s of its normal is a bound. */

/* Rays after each other, and farthest points in all. */
enum { RAYS = 6, LOOKS = 10 };

/* A portal beyond which there is no more than this, of the size, is on the boundary; where that is
 * bent, no more than this part of its distance. */
#define ON_BOUNDARY 1e-13
#define ROUGHLY 1e-3

/* The last step of what features make of it (extremal.h). */
#define LAST_STEP 1e-11

enum { POLISH = 6 };

typedef struct corner {
  clp_spots spots;
  clp_vec3 n, c; /* where it was looked, and what is farthest there */
} corner;

typedef struct walk {
  const clp_couple *couple;
  clp_vec3 ray;
  corner p[3]; /* counter-clockwise as seen from outside */
  corner best; /* of all that was looked at: C is least high */
  int looks;
} walk;

static double height(const corner *at)
{
  return clp_dot(at->n, at->c);
}

static corner look(walk *w, clp_vec3 direction)
{
  const clp_couple *c = w->couple;
  corner at = {.n = clp_unit(direction)};
  clp_support_pair far = clp_support_both(c, at.n);
  clp_spend(c->effort, CLP_EFFORT_SIMPLEX);
  at.spots = (clp_spots){far.a.spot, far.b.spot};
  at.c = clp_sub(far.a.p, clp_transform(c->X_AB, far.b.p));
  if (w->looks++ == 0 || height(&at) < height(&w->best))
    w->best = at;
  return at;
}

static bool may_look(const walk *w)
{
  return w->looks < LOOKS && clp_affords(w->couple->effort, CLP_EFFORT_LOOK);
}

/* Which side of the plane through the origin, p and q the ray is on. */
static double side_of(const walk *w, const corner *p, const corner *q)
{
  return clp_dot(w->ray, clp_cross(p->c, q->c));
}

/* ---- Portals ------------------------------------------------------------------------------ */

/* Beyond the plane through the origin, p[0] and p[1] that the ray is in front of: a third corner,
 * or with it another plane, until the ray is between all three. False where that ends in none: the
 * ray runs through an edge or a corner of what is found, or C has no inside. */
static bool complete(walk *w)
{
  corner *p = w->p;
  double small = ON_BOUNDARY * w->couple->size * w->couple->size;
  while (may_look(w)) {
    clp_vec3 n = clp_cross(p[0].c, p[1].c);
    if (!(clp_norm(n) > small))
      return false;
    p[2] = look(w, clp_dot(n, w->ray) < 0 ? clp_negate(n) : n);
    if (clp_dot(n, w->ray) < 0) {
      corner kept = p[0];
      p[0] = p[1];
      p[1] = kept;
    }
    if (side_of(w, &p[1], &p[2]) < 0)
      p[0] = p[2];
    else if (side_of(w, &p[2], &p[0]) < 0)
      p[1] = p[2];
    else
      return true;
  }
  return false;
}

static bool discover(walk *w)
{
  w->p[0] = look(w, w->ray);
  clp_vec3 aside = clp_cross(w->p[0].c, w->ray);
  if (!(clp_norm(aside) > ON_BOUNDARY * w->couple->size))
    return false;
  w->p[1] = look(w, aside);
  return complete(w);
}

static bool is_bent(const clp_body *body, const clp_spot *spot)
{
  if (spot->kind == CLP_EDGE)
    return body->edges[spot->id].curve.kind != CLP_CURVE_LINE;
  return spot->kind == CLP_FACE && body->faces[spot->id].bend != CLP_BEND_FLAT;
}

/* As near to the boundary as is of use: features that are bent end what is left faster. */
static double near_boundary(const walk *w, const corner *at)
{
  const clp_couple *c = w->couple;
  bool bent = is_bent(c->a, &at->spots.a) || is_bent(c->b, &at->spots.b);
  return fmax(ON_BOUNDARY * c->size, bent ? ROUGHLY * height(at) : 0);
}

/* The portal that is on the boundary; *n is its normal. */
static bool refine(walk *w, clp_vec3 *n)
{
  corner *p = w->p;
  while (may_look(w)) {
    clp_vec3 across = clp_cross(clp_sub(p[1].c, p[0].c), clp_sub(p[2].c, p[0].c));
    if (!(clp_norm(across) > 0) || clp_dot(across, p[0].c) < 0)
      return false;
    *n = clp_unit(across);
    corner q = look(w, *n);
    if (clp_dot(*n, clp_sub(q.c, p[0].c)) <= near_boundary(w, &q))
      return true;
    double a[3];
    int i = 0;
    for (int k = 0; k < 3; ++k)
      a[k] = side_of(w, &p[k], &q);
    while (i < 3 && !(a[i] <= 0 && a[(i + 1) % 3] >= 0))
      ++i;
    if (i == 3)
      return false;
    p[(i + 2) % 3] = q;
  }
  return false;
}

/* From the portal of the last ray to one of the next, across a side that it is beyond. False where
 * it goes through the same. */
static bool turn(walk *w, clp_vec3 ray)
{
  w->ray = ray;
  for (int k = 0; k < 3; ++k) {
    int next = (k + 1) % 3;
    if (!(side_of(w, &w->p[k], &w->p[next]) < 0))
      continue;
    corner first = w->p[next], second = w->p[k];
    w->p[0] = first;
    w->p[1] = second;
    return complete(w);
  }
  return false;
}

static void go_uphill(walk *w)
{
  clp_vec3 n = w->ray;
  bool found = discover(w);
  for (int k = 0; k < RAYS && found && refine(w, &n); ++k)
    found = turn(w, n);
}

/* ---- Features ----------------------------------------------------------------------------- */

/* Of a portal with two of a body's vertices the edge between them. */
static clp_spot edge_of(const clp_body *body, const clp_spot *spots[3], clp_spot otherwise)
{
  clp_spot found = otherwise;
  if (otherwise.kind != CLP_VERTEX)
    return otherwise;
  for (int k = 0; k < 3; ++k) {
    const clp_spot *from = spots[k], *to = spots[(k + 1) % 3];
    if (from->kind == CLP_VERTEX && to->kind == CLP_VERTEX && from->id != to->id &&
        clp_edge_between(body, from->id, to->id, &found))
      return found;
  }
  return otherwise;
}

/* What the last portal's corners have in common, if anything. */
static clp_spots features_of(const walk *w)
{
  const corner *p = w->p;
  const clp_spot *a[3] = {&p[0].spots.a, &p[1].spots.a, &p[2].spots.a};
  const clp_spot *b[3] = {&p[0].spots.b, &p[1].spots.b, &p[2].spots.b};
  return (clp_spots){edge_of(w->couple->a, a, w->best.spots.a),
                     edge_of(w->couple->b, b, w->best.spots.b)};
}

static void polish(const clp_couple *couple, clp_spots spots, clp_vec3 n, clp_peak *peak)
{
  clp_extremal e = clp_extremal_start(couple, &spots, n);
  clp_extremal_end end = clp_extremal_iterate(&e, POLISH, LAST_STEP);
  if (end == CLP_EXTREMAL_LOST)
    return;
  clp_peak other = clp_peak_of(&e, end);
  clp_peak_keep(couple, peak, &other);
}

bool clp_peak_by_portals(const clp_couple *couple, clp_vec3 n, clp_peak *peak)
{
  walk w = {.couple = couple, .ray = n};
  clp_vec3 plane;
  if (clp_couple_plane(couple, &plane) || couple->a->info.point || couple->b->info.point)
    return false;
  go_uphill(&w);
  clp_extremal e = clp_extremal_start(couple, &w.best.spots, w.best.n);
  *peak = clp_peak_of(&e, CLP_EXTREMAL_BUDGET);
  if (!clp_is_spent(couple->effort))
    polish(couple, w.best.spots, w.best.n, peak);
  if (!peak->settled && !clp_is_spent(couple->effort))
    polish(couple, features_of(&w), w.best.n, peak);
  peak->depth.iterations += w.looks;
  return true;
}
