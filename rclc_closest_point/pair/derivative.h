/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_DERIVATIVE_H
#define RCLC_CLOSEST_POINT_PAIR_DERIVATIVE_H

#include "rclc_closest_point/derivative.h"
#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/pair/pair.h"
#include "rclc_closest_point/witness/normal_cone.h"

/* What the files about derivatives share. Bodies are in the caller's order in all of them. */

enum { CLP_BRANCHES_MAX = 6 };

/* A witness nearer than this (of the size) to the border of its feature, and a normal nearer
 * (radians) to that of its feature's normals, are on it: tracked witnesses are as exact as that. */
#define CLP_ON_BORDER 1e-9

/* What is farther than this from a border, of the size or in radians, is well within. */
#define CLP_WELL_WITHIN 1e-6

/* Along (r, z), of any length: how a cone's rulings, or the arcs of a torus that ends at the axis,
 * leave their tip. Zero where that is not told in closed form. */
CLP_INLINE clp_two clp_leaving(const clp_surface *surface, int side, double z)
{
  const clp_cone *cone = clp_surface_cone(surface);
  if (cone)
    return (clp_two){fabs(cone->dr), side == 0 ? cone->dz : -cone->dz};
  const clp_torus *torus = clp_surface_torus(surface);
  if (!torus)
    return (clp_two){0, 0};
  double above = z - torus->center_z;
  return (clp_two){fabs(above), copysign(1, above) * torus->center_r};
}

/* Of a point, of a corner of flat faces, whose edges bound the normals, and of a tip about z. */
CLP_INLINE bool clp_is_within_vertex(const clp_body *body, const clp_vertex *vertex, clp_vec3 n)
{
  const clp_corner *corner = &body->corners[vertex->first_corner];
  bool within = vertex->flat;
  for (uint32_t k = 0; k < vertex->end_count && within; ++k)
    within = clp_dot(n, body->ends[vertex->first_end + k].away) < -CLP_WELL_WITHIN;
  if (within || vertex->end_count > 0 || vertex->corner_count != 1 || corner->side < 0)
    return within;
  clp_two way = clp_leaving(&body->faces[corner->face].surface, corner->side, vertex->place.z);
  return way[0] * sqrt(n.x * n.x + n.y * n.y) + way[1] * n.z <
         -CLP_WELL_WITHIN * (way[0] + fabs(way[1]));
}

/* Of a straight one between flat faces, and of a circle between faces that turn about z. */
CLP_INLINE bool clp_is_within_edge(const clp_edge *edge, const double *c, clp_vec3 n)
{
  const clp_wedge *wedge = &edge->wedge;
  const clp_curve *curve = &edge->curve;
  if (wedge->turned) {
    n = clp_into_wedge(wedge, (clp_site){{c[0], c[1]}}, n);
  } else {
    double slack = CLP_WELL_WITHIN * (curve->hi - curve->lo);
    if (!wedge->flat || curve->kind != CLP_CURVE_LINE || !(c[0] > curve->lo + slack) ||
        !(c[0] < curve->hi - slack))
      return false;
  }
  return clp_dot(n, wedge->inwards[0]) > CLP_WELL_WITHIN &&
         clp_dot(n, wedge->inwards[1]) > CLP_WELL_WITHIN;
}

CLP_INLINE bool clp_is_within_rectangle(const clp_domain *d, const double *c)
{
  clp_two lo = {d->lo[0], d->lo[1]}, hi = {d->hi[0], d->hi[1]}, at = {c[0], c[1]};
  clp_two slack = CLP_WELL_WITHIN * (hi - lo);
  const clp_two_mask within = (at - lo > slack) & (hi - at > slack);
  return within[0] & within[1];
}

/* Left of each side; right of each where the surface is seen from behind. */
CLP_INLINE bool clp_is_within_polygon(const clp_domain *d, const double *c, double outward,
                                      double size)
{
  double least = CLP_WELL_WITHIN * size;
  bool within = true;
  for (int k = 0, last = d->corner_count - 1; k <= last && within; ++k) {
    const double *p = d->corners[k], *q = d->corners[k < last ? k + 1 : 0];
    double x = q[0] - p[0], y = q[1] - p[1];
    double off = outward * (x * (c[1] - p[1]) - y * (c[0] - p[0]));
    within = off > 0 && off * off > least * least * (x * x + y * y);
  }
  return within;
}

CLP_INLINE bool clp_is_within_face(const clp_face *face, const double *c, double size)
{
  const clp_domain *d = &face->domain;
  const double *lo = d->lo, *hi = d->hi;
  switch (d->kind) {
    case CLP_DOMAIN_WHOLE:
      return true;
    case CLP_DOMAIN_RECTANGLE:
      return clp_is_within_rectangle(d, c);
    case CLP_DOMAIN_POLYGON:
      return clp_is_within_polygon(d, c, face->surface.outward, size);
    case CLP_DOMAIN_DISC: {
      double away = sqrt(c[0] * c[0] + c[1] * c[1]), slack = CLP_WELL_WITHIN * hi[0];
      return (lo[0] == 0 || away > lo[0] + slack) && away < hi[0] - slack;
    }
    case CLP_DOMAIN_BAND:
      return c[2] > lo[1] + CLP_WELL_WITHIN && c[2] < hi[1] - CLP_WELL_WITHIN;
  }
  return false;
}

/* Whether the witness is well within its feature, and n, the outward normal in the body's frame,
 * well within the feature's normals. False where that takes longer to find out, too. */
CLP_INLINE bool clp_is_within(const clp_body *body, const clp_spot *spot, clp_vec3 n)
{
  if (clp_usually(spot->kind == CLP_FACE))
    return clp_is_within_face(&body->faces[spot->id], spot->site.c, body->size);
  return spot->kind == CLP_EDGE ? clp_is_within_edge(&body->edges[spot->id], spot->site.c, n)
                                : clp_is_within_vertex(body, &body->vertices[spot->id], n);
}

/* The features of one body that its witness may move on to from where it is: its own, as a rule. n
 * is as above. Returns how many there are, of which none is a place
 * whose curvature is not known (derivative_branch.c). */
int clp_branches_at(const clp_body *body, clp_spot spot, clp_vec3 n,
                    clp_spot found[CLP_BRANCHES_MAX]);

/* What moves, in the four numbers of clp_derivative, and A's own turning of the normal. */
typedef struct clp_moving {
  double m[4], own[2];
} clp_moving;

static inline clp_moving clp_moving_of(const clp_derivative *d, const clp_twist *V_WA,
                                       const clp_twist *V_WB)
{
  clp_vec3 w = clp_sub(V_WB->angular, V_WA->angular), a = V_WA->angular;
  clp_vec3 v = clp_sub(clp_add(V_WB->linear, clp_cross(V_WB->angular, d->arm_b)),
                       clp_add(V_WA->linear, clp_cross(V_WA->angular, d->reach)));
  const clp_vec3 *e = d->across;
  return (clp_moving){{clp_dot(e[0], v), clp_dot(e[1], v), clp_dot(e[1], w), -clp_dot(e[0], w)},
                      {clp_dot(e[1], a), -clp_dot(e[0], a)}};
}

static inline clp_two clp_moved_by(const double columns[4][2], const double m[4])
{
  clp_two sum = {0, 0};
  for (int k = 0; k < 4; ++k)
    sum += m[k] * (clp_two){columns[k][0], columns[k][1]};
  return sum;
}

#endif
