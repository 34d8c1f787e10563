/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/certificate.h"

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/track/normal_cone.h"

/* Sixteen units in the last place of every length that entered: each of the few sums and products
 * above rounds once. */
#define ROUNDING 3.6e-15

typedef struct proof {
  const clp_couple *couple;
  const clp_spots *spots;
  const clp_sight *sight;
  clp_local b_in_B; /* B's tangents in its own frame, for its cone */
  double reach_a, reach_b;
  double enough;
  clp_certificate best;
} proof;

static clp_vec3 cone_a(const proof *p, clp_vec3 n)
{
  return clp_normal_cone_near(p->couple->a, p->spots->a, &p->sight->a, n);
}

static clp_vec3 cone_b(const proof *p, clp_vec3 n)
{
  const clp_mat3 *r = &p->couple->X_AB.rotation;
  if (p->spots->b.kind == CLP_FACE) /* its normal is known in A's frame already */
    return clp_scale(fmax(0, clp_dot(n, p->sight->b.normal)), p->sight->b.normal);
  return clp_rotate(
      *r, clp_normal_cone_near(p->couple->b, p->spots->b, &p->b_in_B, clp_rotate_back(*r, n)));
}

static void try_direction(proof *p, clp_vec3 direction)
{
  double length = clp_norm(direction);
  if (!(length > 1e-9) || p->best.lower >= p->enough)
    return;
  clp_vec3 n = clp_scale(1 / length, direction), back = clp_negate(n);
  clp_vec3 d = p->sight->d;
  double bound = clp_dot(n, d) - clp_distance(n, cone_a(p, n)) * p->reach_a -
                 clp_distance(back, cone_b(p, back)) * p->reach_b;
  bound -= ROUNDING * (clp_norm(p->sight->a.p) + clp_norm(p->sight->b.p) + p->reach_a + p->reach_b);
  if (bound > p->best.lower)
    p->best = (clp_certificate){bound, n};
}

/* The part of d square to an edge's tangent. */
static clp_vec3 square_to(clp_vec3 d, clp_vec3 t)
{
  return clp_add_scaled(d, -clp_dot(d, t) / fmax(clp_norm2(t), 1e-300), t);
}

static clp_vec3 along_d(clp_vec3 n, clp_vec3 d)
{
  return clp_dot(n, d) >= 0 ? n : clp_negate(n);
}

/* d / |d| is a poor direction near contact, where its error is the witnesses' divided by the
 * distance; a face's normal, or two edges' common one, does not depend on the distance at all. */
static void try_features(proof *p)
{
  const clp_local *a = &p->sight->a, *b = &p->sight->b;
  clp_vec3 d = p->sight->d;
  bool face_a = a->freedoms == 2, face_b = b->freedoms == 2;
  if (face_a)
    try_direction(p, a->normal);
  if (face_b)
    try_direction(p, clp_negate(b->normal));
  if (face_a && face_b)
    try_direction(p, clp_sub(a->normal, b->normal));
  if (a->freedoms == 1 && b->freedoms == 1)
    try_direction(p, along_d(clp_cross(a->t[0], b->t[0]), d));
  if (a->freedoms == 1)
    try_direction(p, square_to(d, a->t[0]));
  if (b->freedoms == 1)
    try_direction(p, square_to(d, b->t[0]));
}

static clp_local tangents_in_B(const clp_couple *c, const clp_sight *sight)
{
  clp_local local = sight->b;
  local.t[0] = clp_rotate_back(c->X_AB.rotation, local.t[0]);
  return local;
}

static double reach(const clp_body *body, clp_vec3 p)
{
  return clp_distance(p, body->center) + body->radius;
}

clp_certificate clp_certify(const clp_couple *couple, const clp_spots *spots,
                            const clp_sight *sight, double enough)
{
  proof p = {.couple = couple,
             .spots = spots,
             .sight = sight,
             .enough = enough,
             .best = {-HUGE_VAL, {0, 0, 0}}};
  p.b_in_B = tangents_in_B(couple, sight);
  p.reach_a = reach(couple->a, sight->a.p);
  p.reach_b = reach(couple->b, clp_transform_back(couple->X_AB, sight->b.p));
  try_features(&p);
  try_direction(&p, sight->d);
  return p.best;
}

/* ---- The usual cycle ---------------------------------------------------------------------- */

typedef struct witness {
  clp_vec3 p, normal; /* in the body's frame; a point has no normal */
  bool face;
} witness;

static inline witness witness_at(const clp_body *body, clp_spot spot)
{
  if (spot.kind != CLP_FACE)
    return (witness){body->vertices[spot.id].place, {0, 0, 0}, false};
  const clp_face *face = &body->faces[spot.id];
  if (face->surface.kind != CLP_SURFACE_NURBS)
    return (witness){clp_surface_point(&face->surface, spot.site),
                     clp_surface_normal(&face->surface, &face->domain, spot.site), true};
  clp_jet jet = clp_surface_jet(&face->surface, spot.site);
  clp_vec3 across = clp_cross(jet.u, jet.v);
  return (witness){jet.p, clp_scale(face->surface.side / clp_norm(across), across), true};
}

static inline bool has_known_cone(const clp_body *body, clp_spot spot)
{
  return spot.kind == CLP_FACE || body->info.point;
}

/* With n = N_A (or -N_B where A is a point) only the other face's normal can differ from n. */
bool clp_certify_faces(const clp_couple *couple, const clp_spots *spots, clp_interval *out)
{
  if (!has_known_cone(couple->a, spots->a) || !has_known_cone(couple->b, spots->b))
    return false;
  witness a = witness_at(couple->a, spots->a), b = witness_at(couple->b, spots->b);
  clp_vec3 h = clp_transform(couple->X_AB, b.p);
  clp_vec3 d = clp_sub(h, a.p), n = a.normal;
  double off = 0, reach_b = reach(couple->b, b.p);
  if (b.face) {
    clp_vec3 back = clp_negate(clp_rotate(couple->X_AB.rotation, b.normal));
    off = a.face ? clp_distance(n, back) : 0;
    n = a.face ? n : back;
  } else if (!a.face) {
    n = clp_unit(d);
  }
  double distance = clp_norm(d);
  double lengths = clp_norm(a.p) + distance + reach(couple->a, a.p) + reach_b;
  double along = clp_dot(n, d);
  *out = (clp_interval){.f = a.p,
                        .h = h,
                        .normal = n,
                        .distance = distance,
                        .lower = along - off * reach_b - ROUNDING * lengths,
                        .sideways = clp_norm(clp_add_scaled(d, -along, n))};
  return true;
}
