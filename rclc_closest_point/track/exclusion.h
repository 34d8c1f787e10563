/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TRACK_EXCLUSION_H
#define RCLC_CLOSEST_POINT_TRACK_EXCLUSION_H

#include "rclc_closest_point/track/descent.h"

/* Global minimum distance and its proof where a body has no supporting planes: concave faces, open
 * surfaces. Branch and bound over cells of the faces (for both bodies or, against a convex body,
 * over one body's cells and the convex partner's nearest point). Everything below the best distance
 * found minus the tolerance is excluded; what remains when the budget ends makes the bound lower.
 */

typedef struct clp_exclusion clp_exclusion; /* the cells, kept between calls: their memory */

/* Allocates all that the search will ever use. NULL when there is no memory. */
clp_exclusion *clp_exclusion_create(const clp_body *a, const clp_body *b);
void clp_exclusion_destroy(clp_exclusion *exclusion);

typedef struct clp_exclusion_result {
  double upper;    /* distance of the best witnesses found */
  double lower;    /* proven: nothing is nearer; <= upper */
  bool inside;     /* the closed bodies overlap (one may contain the other) */
  bool non_unique; /* separate witnesses within the tolerance of each other's distance */
  int cells;       /* examined */
} clp_exclusion_result;

/* From scratch for these poses, in at most `budget` cells, until upper - lower <= tolerance.
 * *spots receives the best witnesses. Allocates nothing. */
clp_exclusion_result clp_exclusion_search(clp_exclusion *exclusion, const clp_couple *couple,
                                          clp_spots *spots, double tolerance, int budget);

/* The next cycle: the cells of the last call are retested against the new poses and the witnesses
 * in *spots (already improved by a descent), at most `budget` cells examined; the rest keep their
 * bounds less the motion since. */
clp_exclusion_result clp_exclusion_refresh(clp_exclusion *exclusion, const clp_couple *couple,
                                           clp_spots *spots, double tolerance, int budget);

#endif
