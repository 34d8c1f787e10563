/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_NORMAL_CONE_H
#define RCLC_CLOSEST_POINT_WITNESS_NORMAL_CONE_H

#include <math.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/witness/spot.h"

/* A unit vector n and a cone of normals. */
typedef struct clp_cone_normal {
  clp_vec3 nearest; /* an element of the cone, as near to n as was found ... */
  double off;       /* ... which rounding may have put off by this much */
  double depth;     /* n is at least so far inside (radians), within the plane or the line that the
                       cone spans if it spans no more; 0 on its surface, outside, or not known */
} clp_cone_normal;

/* The cone of normals at the spot (body's frame; elements are not of unit length in general, and
 * zero is one, too). `jet` is the geometry there.
 *
 * Every element N of the normal cone of a convex body at p has N.(x - p) <= 0 for all points x of
 * the body: that is what the certificate stands on, so what is returned here must be in the cone,
 * not near it. Each branch therefore builds it from face normals with factors that are not
 * negative. */
clp_cone_normal clp_normal_cone_nearest(const clp_body *body, clp_spot spot,
                                        const clp_spot_jet *jet, clp_vec3 n);

/* What one takes at a vertex, as effort; 0 elsewhere, where it is part of the step that asks. */
int clp_normal_cone_effort(const clp_body *body, const clp_spot *spot);

/* The same beside faces: on an edge, of which the tangent is enough, or at a vertex. */
clp_cone_normal clp_normal_cone_beside(const clp_body *body, clp_spot spot, clp_vec3 tangent,
                                       clp_vec3 n);

/* ---- Where a few sums tell it: inline, for the step ----------------------------------------- */

/* How far a unit vector is from a cone at most, and how deep inside it at least, as above. */
typedef struct clp_cone_margin {
  double off, depth;
} clp_cone_margin;

/* n as the edge's wedge knows it at a place of the edge. */
CLP_INLINE clp_vec3 clp_into_wedge(const clp_wedge *w, clp_site site, clp_vec3 n)
{
  double c = site.c[0], s = site.c[1];
  return w->turned ? (clp_vec3){c * n.x + s * n.y, c * n.y - s * n.x, n.z} : n;
}

/* How far n, as the wedge knows it, is beside its plane, and how deep inside of it; false where it
 * is not between its ends. Then n less as much of `across` is in the wedge. */
CLP_INLINE bool clp_beside_wedge(const clp_wedge *w, clp_vec3 n, double *beside, double *depth)
{
  clp_vec3 from_a = clp_sub(n, w->normal[0]), from_b = clp_sub(n, w->normal[1]);
  double x = clp_dot(from_b, w->inwards[1]), y = clp_dot(from_a, w->inwards[0]);
  *beside = clp_dot(from_a, w->across);
  *depth = x < y ? x : y;
  return *depth >= 0;
}

/* The cone of the faces' normals is bounded by the planes through neighboring ones, square to the
 * edges: n is as deep inside as the least that an edge leads away from it. */
CLP_INLINE double clp_depth_at_flat_vertex(const clp_body *body, const clp_vertex *vertex,
                                           clp_vec3 n)
{
  const clp_edge_end *end = body->ends + vertex->first_end, *last = end + vertex->end_count;
  double depth = 1;
  for (; end < last; ++end) {
    double back = -clp_dot(n, end->away);
    depth = back < depth ? back : depth;
  }
  return depth;
}

/* Rounding has done less than this to the planes that bound the cone of a flat vertex. */
#define CLP_IN_FLAT_VERTEX 1e-9

/* A direction that is outside of a cone by more than this is not looked at any closer: zero is in
 * every cone, and proves little, as every other element would there. */
#define CLP_FAR_OUTSIDE (-1e-5)

/* Of an edge without faces, whose direction is a unit vector, all that is square to it is normal.
 * False of others. */
CLP_INLINE bool clp_margin_of_segment(const clp_edge *edge, clp_vec3 n, clp_cone_margin *margin)
{
  if (edge->kind != CLP_EDGE_SHARP || edge->use[0] != CLP_NONE)
    return false;
  *margin = (clp_cone_margin){fabs(clp_dot(n, edge->curve.as.line.direction)), 1};
  return true;
}

/* False where a wedge, a segment or a flat vertex does not tell. */
CLP_INLINE bool clp_cone_margin_usual(const clp_body *body, const clp_spot *spot, clp_vec3 n,
                                      clp_cone_margin *margin)
{
  if (spot->kind == CLP_EDGE) {
    const clp_wedge *w = &body->edges[spot->id].wedge;
    double beside;
    if (!(w->flat || w->turned))
      return clp_margin_of_segment(&body->edges[spot->id], n, margin);
    bool within = clp_beside_wedge(w, clp_into_wedge(w, spot->site, n), &beside, &margin->depth);
    margin->off = within ? fabs(beside) : 1;
    return within || margin->depth < CLP_FAR_OUTSIDE;
  }
  const clp_vertex *vertex = &body->vertices[spot->id];
  margin->depth = vertex->flat ? clp_depth_at_flat_vertex(body, vertex, n) : 0;
  bool within = margin->depth > CLP_IN_FLAT_VERTEX;
  margin->off = within ? 0 : 1;
  return within || margin->depth < CLP_FAR_OUTSIDE;
}

/* ------------------------------------------------------------------------------------------- */

/* How far n is from the cone, at most. */
static inline double clp_normal_cone_miss(const clp_body *body, clp_spot spot,
                                          const clp_spot_jet *jet, clp_vec3 n)
{
  clp_cone_normal cone = clp_normal_cone_nearest(body, spot, jet, n);
  return clp_distance(n, cone.nearest) + cone.off;
}

/* The cone { sum of x_i g_i, x_i >= 0 } of unit vectors, count <= CLP_CONE_MAX. */
enum { CLP_CONE_MAX = 24 };
clp_cone_normal clp_cone_nearest(const clp_vec3 *generators, int count, clp_vec3 n);

#endif
