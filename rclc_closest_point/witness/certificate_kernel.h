/* SPDX-License-Identifier: Apache-2.0 */

/* The source of the usual cycle's proof on edges and vertices, in certificate.c and for wider
 * registers in pair/step_wide.c: certify_features is clp_certify_features. */

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/certificate.h"
#include "rclc_closest_point/witness/normal_cone.h"

/* The part of d square to an edge's tangent. */
CLP_INLINE clp_vec3 square_to(clp_vec3 d, clp_vec3 t)
{
  return clp_add_scaled(d, -clp_dot(d, t) / clp_larger(clp_norm2(t), CLP_NOT_ZERO), t);
}

CLP_INLINE clp_vec3 along_d(clp_vec3 n, clp_vec3 d)
{
  return clp_dot(n, d) >= 0 ? n : clp_negate(n);
}

/* Of an edge, in the body's frame. */
CLP_INLINE clp_vec3 tangent_at(const clp_body *body, const clp_spot *spot)
{
  return clp_curve_tangent(&body->edges[spot->id].curve, clp_spot_curve_site(*spot));
}

CLP_APART clp_cone_margin margin_apart(const clp_body *body, const clp_spot *spot, clp_vec3 n)
{
  clp_vec3 tangent = spot->kind == CLP_EDGE ? tangent_at(body, spot) : (clp_vec3){0, 0, 0};
  clp_cone_normal cone = clp_normal_cone_beside(body, *spot, tangent, n);
  return (clp_cone_margin){clp_distance(n, cone.nearest) + cone.off, cone.depth};
}

/* How far the unit vector n (in the body's frame) is from the normal cone of an edge or a vertex,
 * or inside it. */
CLP_INLINE clp_cone_margin margin_of(const clp_body *body, const clp_spot *spot, clp_vec3 n)
{
  clp_cone_margin margin;
  return clp_usually(clp_cone_margin_usual(body, spot, n, &margin)) ? margin
                                                                    : margin_apart(body, spot, n);
}

CLP_INLINE clp_cone_margin margin_of_a(const clp_couple *c, const clp_stride *stride, clp_vec3 n)
{
  return margin_of(c->a, &stride->spots.a, n);
}

CLP_INLINE clp_cone_margin margin_of_b(const clp_couple *c, const clp_stride *stride, clp_vec3 n)
{
  return margin_of(c->b, &stride->spots.b,
                   clp_rotate_back(c->X_AB.rotation, clp_sub((clp_vec3){0, 0, 0}, n)));
}

CLP_INLINE clp_vec3 between_edges(const clp_couple *c, clp_vec3 s, clp_vec3 t, clp_vec3 d)
{
  clp_vec3 across = clp_cross(s, t);
  bool crossing = clp_norm2(across) > CLP_CROSSING * CLP_CROSSING * clp_norm2(s) * clp_norm2(t);
  return crossing && !c->a->info.planar ? along_d(across, d) : square_to(d, s);
}

/* From A to B and square to the edges that are involved, of any length. */
CLP_INLINE clp_vec3 direction_between(const clp_couple *c, const clp_spots *spots, clp_vec3 d)
{
  const clp_mat3 *R = &c->X_AB.rotation;
  bool edge_a = spots->a.kind == CLP_EDGE, edge_b = spots->b.kind == CLP_EDGE;
  if (!edge_a && !edge_b)
    return d;
  if (!edge_b)
    return square_to(d, tangent_at(c->a, &spots->a));
  clp_vec3 t = clp_rotate(*R, tangent_at(c->b, &spots->b));
  return edge_a ? between_edges(c, tangent_at(c->a, &spots->a), t, d) : square_to(d, t);
}

CLP_INLINE clp_interval interval_of(const clp_couple *couple, clp_vec3 d, clp_vec3 n,
                                    clp_cone_margin a, clp_cone_margin b)
{
  clp_interval interval = clp_interval_along(couple, d, n, a.off, b.off);
  interval.isolated = a.depth > CLP_WELL_INSIDE && b.depth > CLP_WELL_INSIDE;
  return interval;
}

CLP_INLINE clp_interval certify_features(const clp_couple *couple, const clp_stride *stride)
{
  const clp_feet *feet = &stride->feet;
  const clp_cone_margin own_a = {feet->off_a, 1}, own_b = {feet->off_b, 1};
  clp_vec3 d = clp_sub(feet->h, feet->f), n;
  if (stride->spots.a.kind == CLP_FACE) {
    n = feet->normal_a;
    return interval_of(couple, d, n, own_a, margin_of_b(couple, stride, n));
  }
  if (stride->spots.b.kind == CLP_FACE) {
    n = clp_negate(feet->normal_b);
    return interval_of(couple, d, n, margin_of_a(couple, stride, n), own_b);
  }
  n = direction_between(couple, &stride->spots, d);
  n = clp_scale(1 / clp_norm(n), n);
  return interval_of(couple, d, n, margin_of_a(couple, stride, n), margin_of_b(couple, stride, n));
}
