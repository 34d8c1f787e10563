/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DEPTH_OVERLAP_H
#define RCLC_CLOSEST_POINT_DEPTH_OVERLAP_H

#include "rclc_closest_point/depth/extremal.h"

typedef enum clp_overlap_end {
  CLP_OVERLAP_PROVEN, /* the bodies have points in common, to rounding */
  CLP_OVERLAP_NONE,   /* the direction returned separates them */
  CLP_OVERLAP_OPEN    /* neither within the budget: they touch, or nearly */
} clp_overlap_end;

typedef struct clp_overlap {
  clp_overlap_end end;
  clp_vec3 n; /* unit, in A's frame: for CLP_OVERLAP_NONE from A to B */
} clp_overlap;

/* Whether two convex bodies overlap, by supports alone (Gilbert, Johnson and Keerthi's simplex):
 * the points f - h, f in A and h in B, make a convex set, which holds the origin where the bodies
 * overlap. A simplex of such points that contains the origin proves it; a direction in which no
 * point of the set reaches the origin disproves it. `n` is where to look first. Allocates nothing.
 */
clp_overlap clp_overlap_test(const clp_couple *couple, clp_vec3 n);

/* The same, and where a direction separates them the places that are nearest, or close to these,
 * on any of the features that these may be on, the nearest of them, and what that direction
 * proves. */
typedef struct clp_nearest {
  clp_spots spots[4];
  double distances[4];
  int best;
  bool ended; /* or there was not enough left for it: it goes on where it is asked again */
  clp_signed_bound bound;
} clp_nearest;

clp_overlap_end clp_overlap_or_nearest(const clp_couple *couple, clp_vec3 n, clp_nearest *found);

/* The same where the bodies overlap by no more than a little, and that test may remain open: n is
 * the direction in which they do so least, `depth` how far, both as the search for the depth leaves
 * them. Whether that proves it. */
bool clp_overlap_next_to(const clp_couple *couple, clp_vec3 n, double depth);

#endif
