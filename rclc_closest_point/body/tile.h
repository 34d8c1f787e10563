/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_TILE_H
#define RCLC_CLOSEST_POINT_BODY_TILE_H

#include "rclc_closest_point/body/builder.h"

/* The faces that primitives and surfaces of revolution share. */

/* The ring inner <= r <= outer at height z; outward +1 looks up, -1 down. */
void clp_tile_disc(clp_builder *builder, const char *name, int item, double z, double inner,
                   double outer, double outward);

/* The whole length t = 0...1, outward normal to the right of the direction of travel. */
void clp_tile_cone(clp_builder *builder, const char *name, int item, clp_cone cone);

/* Where a band of an ellipsoid ends: q.z, and the radius of the unit sphere's circle there. */
typedef struct clp_latitude {
  double z, across;
} clp_latitude;

/* The band lowest <= q.z <= highest; -1...1 is the whole surface. */
void clp_tile_ellipsoid(clp_builder *builder, const char *name, int item, clp_ellipsoid shape,
                        clp_latitude lowest, clp_latitude highest, double outward);

#endif
