/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_GAP_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_GAP_H

#include "rclc_closest_point/exclusion/cell_tract.h"

/* A gap between two tracts: all of A's lies below a plane square to n, all of B's above another. */
typedef struct clp_gap {
  double width; /* between the planes; negative where they are the wrong way round */
  clp_vec3 n;   /* unit, from A to B; zero where no direction was found */
} clp_gap;

/* The widest one that a short search finds; it ends as soon as the width is comfortable, and takes
 * no more trouble than for one that is enough. Both views in one frame. */
clp_gap clp_gap_find(const clp_taylor *a, const clp_taylor *b, double enough, double comfortable);

/* What rounding may have added to a distance between the two. */
double clp_gap_rounding(const clp_taylor *a, const clp_taylor *b);

#endif
