/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_DERIVATIVE_H
#define RCLC_CLOSEST_POINT_PAIR_DERIVATIVE_H

#include "rclc_closest_point/derivative.h"
#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/pair/pair.h"

/* What the files about derivatives share. Bodies are in the caller's order in all of them. */

enum { CLP_BRANCHES_MAX = 6 };

/* A witness nearer than this (of the size) to the border of its feature, and a normal nearer
 * (radians) to that of its feature's normals, are on it: tracked witnesses are as exact as that. */
#define CLP_ON_BORDER 1e-9

/* Whether the witness is well within its feature, and n, the outward normal in the body's frame,
 * well within the feature's normals. False where that takes longer to find out, too. */
CLP_INLINE bool clp_is_within(const clp_body *body, const clp_spot *spot, clp_vec3 n)
{
  const double *c = spot->site.c, off = 1e-6;
  if (spot->kind == CLP_VERTEX) {
    const clp_vertex *vertex = &body->vertices[spot->id];
    bool within = vertex->flat || body->info.point;
    for (uint32_t k = 0; k < vertex->end_count && within; ++k)
      within = clp_dot(n, body->ends[vertex->first_end + k].away) < -off;
    return within;
  }
  if (spot->kind == CLP_EDGE) {
    const clp_edge *edge = &body->edges[spot->id];
    const clp_wedge *wedge = &edge->wedge;
    double slack = off * (edge->curve.hi - edge->curve.lo);
    return wedge->flat && edge->curve.kind == CLP_CURVE_LINE && c[0] > edge->curve.lo + slack &&
           c[0] < edge->curve.hi - slack && clp_dot(n, wedge->inwards[0]) > off &&
           clp_dot(n, wedge->inwards[1]) > off;
  }
  const clp_face *face = &body->faces[spot->id];
  const clp_domain *d = &face->domain;
  if (d->kind == CLP_DOMAIN_WHOLE)
    return true;
  const int u = d->kind == CLP_DOMAIN_BAND && clp_surface_ellipsoid(&face->surface) ? 2 : 1;
  if (d->kind == CLP_DOMAIN_BAND)
    return c[u] > d->lo[1] + off && c[u] < d->hi[1] - off;
  double su = off * (d->hi[0] - d->lo[0]), sv = off * (d->hi[1] - d->lo[1]);
  return d->kind == CLP_DOMAIN_RECTANGLE && c[0] > d->lo[0] + su && c[0] < d->hi[0] - su &&
         c[1] > d->lo[1] + sv && c[1] < d->hi[1] - sv;
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
