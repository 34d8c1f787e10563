/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DEPTH_PENETRATION_H
#define RCLC_CLOSEST_POINT_DEPTH_PENETRATION_H

#include "rclc_closest_point/witness/descent.h"

/* Signed distance of convex bodies that overlap (or may): the largest s(n) = min over B of n.y
 * minus max over A of n.x over all unit n, in A's frame. Every s(n) is a lower bound of the signed
 * distance; for overlapping bodies the largest is minus the depth, the length of the shortest
 * translation that separates them. */
typedef struct clp_depth {
  bool found;
  bool overlaps;   /* proven: the bodies have a point in common, to rounding; then s <= 0 */
  bool global;     /* the search covered all directions (query); otherwise a local maximum */
  double s;        /* n.(h - f) at the spots */
  double lower;    /* a proven lower bound of the signed distance, <= s up to rounding */
  clp_vec3 normal; /* n, in A's frame: outward of A */
  clp_vec3 f, h;   /* the witnesses, h = f + s n, in A's frame */
  int iterations;
} clp_depth;

/* Searches all directions (a point or planar body included). For a query: bounded but not cheap;
 * allocates nothing. *spots receives the witnesses' places. */
clp_depth clp_penetration_search(const clp_couple *couple, clp_spots *spots);

/* Follows a local maximum from the given spots by a few Newton steps on
 *     face-face: (h - f).f_u = (h - f).f_v = 0, N_A.h_r = N_A.h_s = 0     (s = N_A.(h - f))
 * and the corresponding systems of faces with edges and vertices and of two edges, changing
 * features as it must. It passes through s = 0 without a jump, for separated bodies close to
 * contact too. found = false when the pair is lost. For the step: allocates nothing, bounded. */
clp_depth clp_penetration_follow(const clp_couple *couple, clp_spots *spots, clp_vec3 normal,
                                 int budget);

/* For a cycle in which bodies that overlap were not followed there: what is found from n, and from
 * one center towards the other. Whether it is a maximum of its own or not it is found. Bounded as
 * well. */
clp_depth clp_penetration_find(const clp_couple *couple, clp_spots *spots, clp_vec3 n);

/* Spreads a search over cycles: the depth at the spots is challenged by what `count` directions
 * lead to, of CLP_PENETRATION_DIRECTIONS the ones from `first` on. The deeper that bodies are in
 * each other, the more ways out there are; one of so many directions leads to the shortest, or to
 * one that is hardly longer. */
enum { CLP_PENETRATION_DIRECTIONS = 26 };
clp_depth clp_penetration_challenge(const clp_couple *couple, clp_spots *spots,
                                    const clp_depth *depth, int first, int count);

#endif
