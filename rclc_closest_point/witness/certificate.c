/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/certificate.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/certificate_kernel.h"
#include "rclc_closest_point/witness/normal_cone.h"

typedef struct proof {
  const clp_couple *couple;
  const clp_spots *spots;
  const clp_couple_jets *jets;
  clp_spot_jet b_in_B; /* B's tangents in its own frame, for its cone */
  double reach_a, reach_b;
  double enough;
  bool settled; /* the best is enough, and the witnesses face each other along it */
  clp_certificate best;
} proof;

/* Witnesses face each other along n when what leads from one to the other is beside it by no more
 * than this (of the size). */
#define FACING 1e-10

static double miss_a(const proof *p, clp_vec3 n)
{
  return clp_normal_cone_miss(p->couple->a, p->spots->a, &p->jets->a, n);
}

static double miss_b(const proof *p, clp_vec3 back)
{
  const clp_body *b = p->couple->b;
  if (p->spots->b.kind == CLP_FACE) /* its normal is known in A's frame already */
    return clp_normal_cone_miss(b, p->spots->b, &p->jets->b, back);
  return clp_normal_cone_miss(b, p->spots->b, &p->b_in_B,
                              clp_rotate_back(p->couple->X_AB.rotation, back));
}

/* The distance does not feel a small angle between n and d, but n is published: of directions that
 * prove enough, as those next to the solution do, the first along which the witnesses face each
 * other is taken. */
static void try_direction(proof *p, clp_vec3 direction)
{
  double length = clp_norm(direction);
  if (!(length > 0) || p->settled)
    return;
  clp_vec3 n = clp_scale(1 / length, direction), back = clp_negate(n);
  clp_vec3 d = p->jets->d;
  double bound = clp_dot(n, d) - miss_a(p, n) * p->reach_a - miss_b(p, back) * p->reach_b;
  bound -= clp_couple_rounding(p->couple, p->jets->distance);
  double aside = clp_norm(clp_add_scaled(d, -clp_dot(n, d), n));
  p->settled = bound >= p->enough && aside <= FACING * p->couple->size;
  if (p->settled || bound > p->best.lower)
    p->best = (clp_certificate){bound, n};
}

/* d / |d| is a poor direction near contact, where its error is the witnesses' divided by the
 * distance; a face's normal, or two edges' common one, does not depend on the distance at all. */
static void try_features(proof *p)
{
  const clp_spot_jet *a = &p->jets->a, *b = &p->jets->b;
  clp_vec3 d = p->jets->d;
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

static clp_spot_jet tangents_in_B(const clp_couple *c, const clp_couple_jets *jets)
{
  clp_spot_jet jet = jets->b;
  jet.t[0] = clp_rotate_back(c->X_AB.rotation, jet.t[0]);
  return jet;
}

static double reach(const clp_body *body, clp_vec3 p)
{
  return clp_distance(p, body->center) + body->radius;
}

clp_certificate clp_certify(const clp_couple *couple, const clp_spots *spots,
                            const clp_couple_jets *jets, double enough)
{
  proof p = {.couple = couple,
             .spots = spots,
             .jets = jets,
             .enough = enough,
             .best = {-HUGE_VAL, {0, 0, 0}}};
  clp_spend(couple->effort, CLP_EFFORT_BOUND);
  clp_spend(couple->effort, clp_normal_cone_effort(couple->a, &spots->a));
  clp_spend(couple->effort, clp_normal_cone_effort(couple->b, &spots->b));
  p.b_in_B = tangents_in_B(couple, jets);
  p.reach_a = reach(couple->a, jets->a.p);
  p.reach_b = reach(couple->b, clp_transform_back(couple->X_AB, jets->b.p));
  try_features(&p);
  try_direction(&p, jets->d);
  return p.best;
}

clp_interval clp_certify_features(const clp_couple *couple, const clp_stride *stride)
{
  return certify_features(couple, stride);
}
