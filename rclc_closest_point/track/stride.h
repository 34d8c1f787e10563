/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TRACK_STRIDE_H
#define RCLC_CLOSEST_POINT_TRACK_STRIDE_H

#include "rclc_closest_point/track/descent.h"

/* The usual cycle of a tracked pair, in which nothing happens but motion: one evaluation, one
 * factorization, two solves.
 *
 *   evaluate   both features with second derivatives at the predicted spots
 *   correct    dx = -H^-1 g brings today's witnesses to within the square of the prediction's error
 *   rates      w = -H^-1 b is how the witnesses will slide while the bodies go on moving
 *
 * It neither searches for a step length nor changes features: when a bound stops the correction or
 * H is not safely positive definite it declines, and the descent takes over. Whether the result is
 * the nearest pair is for the certificate to say. */
typedef struct clp_stride {
  double rates[4]; /* dx/dt of the free parameters, A's first */
  bool has_rates;
} clp_stride;

/* `motion` is B's motion as seen from A, in A's frame (see clp_relative_twist), or NULL. */
bool clp_stride_take(const clp_couple *couple, clp_spots *spots, const clp_twist *motion,
                     clp_stride *stride);

/* How a spot's site changes at rates x of its free parameters, as plain coordinates, and the spot
 * after a change of them. A change that leads over a bound ends on it. */
clp_vec3 clp_spot_site_rate(const clp_body *body, clp_spot spot, const double *x);
clp_spot clp_spot_shift(const clp_body *body, clp_spot spot, clp_vec3 change);

/* B's motion as seen from A, in A's frame: the velocity of its point at p is v + w x p. */
clp_twist clp_relative_twist(const clp_pose *X_WA, const clp_twist *V_WA, const clp_pose *X_WB,
                             const clp_twist *V_WB);

#endif
