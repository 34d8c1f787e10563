/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_CERTIFICATE_H
#define RCLC_CLOSEST_POINT_WITNESS_CERTIFICATE_H

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/witness/descent.h"
#include "rclc_closest_point/witness/stride.h"

/* A proof of how close two convex bodies are at least.
 *
 * Let f be a point of A, h one of B, N_A in the normal cone of A at f and N_B in that of B at h.
 * Convexity says N_A.(x - f) <= 0 for every x of A, N_B.(y - h) <= 0 for every y of B. For any unit
 * vector n, then,
 *     |y - x| >= n.(y - x) = n.(h - f) - n.(x - f) + n.(y - h)
 *             >= n.(h - f) - |n - N_A| L_A - |-n - N_B| L_B
 * with L_A the largest distance from f to a point of A, L_B likewise. Nothing is assumed of f, h
 * and n: however wrong the witnesses are, the bound holds, it is then only low. */
typedef struct clp_certificate {
  double lower;    /* no point of A is nearer to any point of B */
  clp_vec3 normal; /* the n that gave it, in A's frame */
} clp_certificate;

/* Tries the directions that suit the features until one gives a bound of `enough` and leads from
 * one witness to the other; otherwise returns the best. Both bodies convex and not open surfaces.
 * Allocates nothing. */
clp_certificate clp_certify(const clp_couple *couple, const clp_spots *spots,
                            const clp_couple_jets *jets, double enough);

/* ---- The usual cycle ---------------------------------------------------------------------- */

/* The bound of above for the one direction that is best next to the solution. */
typedef struct clp_interval {
  clp_vec3 normal; /* n, in A's frame */
  double distance, lower;
  double sideways2; /* the square of how far h is beside the ray from f along n; behind f, where the
                       bodies overlap or nearly do, infinite */
  bool isolated;    /* the supporting planes touch the bodies in the witnesses' features only */
} clp_interval;

/* The bound of n, given how far N_A is from n and N_B from -n. No point of a body is farther from
 * another than two of its radii. Inline: every step asks. */
static inline clp_interval clp_interval_along(const clp_couple *couple, clp_vec3 d, clp_vec3 n,
                                              double off_a, double off_b)
{
  double along = clp_dot(n, d), sideways2 = clp_norm2(clp_add_scaled(d, -along, n));
  double distance = sqrt(along * along + sideways2);
  double off = 2 * (couple->a->radius * off_a + couple->b->radius * off_b);
  double lower = along - off - clp_couple_rounding(couple, distance);
  return (clp_interval){n, distance, lower, along >= 0 ? sideways2 : HUGE_VAL, true};
}

/* Two edges that are nearly parallel, or in one plane, have no common normal to rely on. */
#define CLP_CROSSING 1e-3

/* Well inside both cones nothing but the features themselves can share n. */
#define CLP_WELL_INSIDE 1e-6

/* The same for what a stride saw, where at least one of the witnesses is on an edge or a vertex: n
 * is a face's normal where there is one, else what is square to the edges. */
clp_interval clp_certify_features(const clp_couple *couple, const clp_stride *stride);

/* Between faces, or a face and a point, n is the face's own normal, which only rounding puts off;
 * false where there is neither. */
CLP_INLINE bool clp_certify_faces(const clp_couple *couple, const clp_stride *stride,
                                  clp_interval *interval)
{
  const clp_feet *feet = &stride->feet;
  bool face_a = stride->spots.a.kind == CLP_FACE, face_b = stride->spots.b.kind == CLP_FACE;
  clp_vec3 d = clp_sub(feet->h, feet->f), a = feet->normal_a, b = feet->normal_b;
  if (face_a && face_b)
    *interval =
        clp_interval_along(couple, d, a, feet->off_a, clp_norm(clp_add(a, b)) + feet->off_b);
  else if (face_a && couple->b->info.point)
    *interval = clp_interval_along(couple, d, a, feet->off_a, 0);
  else if (face_b && couple->a->info.point)
    *interval = clp_interval_along(couple, d, clp_negate(b), 0, feet->off_b);
  else
    return false;
  return true;
}

static inline clp_interval clp_certify_stride(const clp_couple *couple, const clp_stride *stride)
{
  clp_interval interval;
  return clp_certify_faces(couple, stride, &interval) ? interval
                                                      : clp_certify_features(couple, stride);
}

#endif
