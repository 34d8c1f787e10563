/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_EXCLUSION_H
#define RCLC_CLOSEST_POINT_EXCLUSION_EXCLUSION_H

#include "rclc_closest_point/witness/descent.h"

/* Global minimum distance and its proof where a body has no supporting planes: concave faces, open
 * surfaces. Branch and bound over cells, a tract of A's surface and one of B's each (cell_pair.h).
 * What is proven to be farther apart than the best witnesses less the tolerance is excluded; what
 * remains when the budget ends makes the bound lower.
 *
 *   cell_chart    faces as images of rectangles; bounds of derivatives (cell_spline); the charts
 *                 that cover a body (cell_cover)
 *   cell_tract    parts of charts, and boxes of charts in a tree
 *   cell_gap      planes between two tracts: first order
 *   cell_expand   the squared distance of two tracts: second order
 *   cell_pair     what of that a cell needs
 *   cell_bowl     what lasts where that wears too fast
 *   cell_queue    the cells that are left
 *   cell_inside   on which side of a boundary a point is */

typedef struct clp_exclusion clp_exclusion; /* the cells, kept between calls: their memory */

/* Allocates all that the search will ever use. NULL when there is no memory. */
clp_exclusion *clp_exclusion_create(const clp_body *a, const clp_body *b);
void clp_exclusion_destroy(clp_exclusion *exclusion);

/* The signed distance is in [lower, upper]. Apart, upper is the distance of the witnesses. Where
 * the bodies overlap, the witnesses are nearest points of the boundaries: for a point inside a body
 * their distance is its depth, of two solids only a translation that separates them is known, and
 * -lower is its length. An open surface has no inside: where it is inside a solid both are 0. Where
 * the budget ended before it was known whether solids overlap, lower is negative, too. */
typedef struct clp_exclusion_result {
  double upper;
  double lower;    /* proven; <= upper */
  bool inside;     /* the closed bodies overlap (one may contain the other), or touch */
  bool non_unique; /* separate witnesses within the tolerance of each other's distance */
  int cells;       /* examined */
} clp_exclusion_result;

/* From scratch for these poses, in at most `budget` cells, until upper - lower <= tolerance, and
 * of solids until it is known whether they overlap. *spots receives the best witnesses. Allocates
 * nothing. */
clp_exclusion_result clp_exclusion_search(clp_exclusion *exclusion, const clp_couple *couple,
                                          clp_spots *spots, double tolerance, int budget);

/* The next cycle: the cells of the last call are retested against the new poses and the witnesses
 * in *spots (already improved by a descent), at most `budget` cells examined; the rest keep their
 * bounds less the motion since. Without an earlier call it is a search. */
clp_exclusion_result clp_exclusion_refresh(clp_exclusion *exclusion, const clp_couple *couple,
                                           clp_spots *spots, double tolerance, int budget);

#endif
