/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TRACK_CERTIFICATE_H
#define RCLC_CLOSEST_POINT_TRACK_CERTIFICATE_H

#include "rclc_closest_point/track/descent.h"

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

/* Tries the directions that suit the features until one gives a bound of `enough`, and returns the
 * best. Both bodies convex and not open surfaces. Allocates nothing. */
clp_certificate clp_certify(const clp_couple *couple, const clp_spots *spots,
                            const clp_sight *sight, double enough);

/* The same for the usual cycle: witnesses on faces, or points, and the one direction that is best
 * next to the solution, a face's own normal n = N_A (then only B's normal can be off), for fewer
 * instructions. */
typedef struct clp_interval {
  clp_vec3 f, h, normal; /* in A's frame */
  double distance, lower;
  double sideways; /* how far h is beside the line from f along the normal */
} clp_interval;

bool clp_certify_faces(const clp_couple *couple, const clp_spots *spots, clp_interval *interval);

#endif
