/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_INNER_HULL_H
#define RCLC_CLOSEST_POINT_CERTIFY_INNER_HULL_H

#include "rclc_closest_point/types.h"

/* The set of all x - y, x of a convex body A and y of another one, B. */
typedef struct clp_inner_hull {
  const struct clp_body *a, *b;
  const clp_pose *X_RA, *X_RB;
  double size; /* of both */
} clp_inner_hull;

/* The radius of a ball about the origin that is proven to lie within the set, more than half of the
 * largest one as a rule; 0 or less where none was found: the bodies may be apart. Allocates
 * nothing.
 */
double clp_inner_hull_depth(const clp_inner_hull *set);

#endif
