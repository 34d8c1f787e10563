/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_FLAT_H
#define RCLC_CLOSEST_POINT_PAIR_FLAT_H

#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/certificate.h"

/* Are there other witnesses as near?
 *
 * Let f and h be the nearest points of two convex bodies and n the unit vector from f to h. Any
 * other pair is f + e, h + e with e square to n: both bodies have to go on along e within their
 * supporting planes. Where a body does so at all it is in a convex cone of directions: none beside
 * a vertex or on a strictly curved face, a line along a generator, a half plane beside a straight
 * edge of a flat face, a sector at its corner, all directions within it. The witnesses are the only
 * ones if and only if the two bodies' cones have no direction in common. */

/* How far from f and h other witnesses may lie: 0 when there are none, else a bound (m), the reach
 * of the body that reaches less far from its witness. n is outward of A at its spot, in A's frame,
 * separated and overlapping alike. Both bodies convex. Allocates nothing. */
double clp_spread(const clp_couple *couple, const clp_spots *spots, clp_vec3 n);

/* ---- After a stride that was proven: it mostly knows that there are none ------------------- */

/* Of the unit sphere: nearer places may have been snapped onto the rim. */
#define CLP_OFF_RIM 1e-9

/* Well within a sphere's or an ellipsoid's band nothing shares the supporting plane with a place.
 */
CLP_INLINE bool clp_is_on_bend(const clp_face *face, clp_site site)
{
  return clp_surface_ellipsoid(&face->surface) && site.c[2] > face->domain.lo[1] + CLP_OFF_RIM &&
         site.c[2] < face->domain.hi[1] - CLP_OFF_RIM;
}

/* Behind a rim a feature may go on that the stride's Hessian knows nothing of. */
CLP_INLINE bool clp_is_at_rim(const clp_body *body, const clp_spot *spot)
{
  if (spot->kind == CLP_FACE)
    return clp_walk_on_rim(&body->faces[spot->id].domain, spot->site);
  return spot->kind == CLP_EDGE &&
         clp_curve_at_end(&body->edges[spot->id].curve, clp_spot_curve_site(*spot));
}

/* Whether these witnesses are the only ones for certain. Within their features the Hessian, being
 * positive, says so. Inline: every step asks. */
CLP_INLINE bool clp_is_alone(const clp_couple *c, const clp_spots *spots, bool isolated)
{
  const clp_spot *a = &spots->a, *b = &spots->b;
  if ((a->kind == CLP_FACE && clp_is_on_bend(&c->a->faces[a->id], a->site)) ||
      (b->kind == CLP_FACE && clp_is_on_bend(&c->b->faces[b->id], b->site)))
    return true;
  return isolated && !clp_is_at_rim(c->a, a) && !clp_is_at_rim(c->b, b);
}

#endif
