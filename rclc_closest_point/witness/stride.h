/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_STRIDE_H
#define RCLC_CLOSEST_POINT_WITNESS_STRIDE_H

#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/witness/cycle.h"

/* The usual cycle of a tracked pair, in which nothing happens but motion: one evaluation, one
 * factorization, two solves.
 *
 *   predict    the sites move on at the rates of the last cycles
 *   evaluate   both features with second derivatives at the predicted spots
 *   correct    dx = -H^-1 g brings today's witnesses to within the square of the prediction's error
 *   rates      w = -H^-1 b is how the witnesses will slide while the bodies go on moving
 *   feet       the corrected points and normals, for the certificate
 *
 * It neither searches for a step length nor changes features: when the correction leads over a
 * bound or H is not safely positive definite it declines, and the descent takes over. Whether the
 * result is the nearest pair is for the certificate to say. */

/* A pivot below this part of its diagonal is no sound basis for a step. */
#define CLP_STRIDE_SAFE_PIVOT 1e-9

/* A change of a unit vector by more than about a third is no correction any more. */
#define CLP_STRIDE_LONG_TURN 0.1

/* A correction by no more than this part of a spline's domain is short. */
#define CLP_STRIDE_SHORT 0.01

/* The two witnesses and the normals there, in A's frame. */
typedef struct clp_feet {
  clp_vec3 f, h;
  clp_vec3 normal_a, normal_b; /* outward and unit; of faces only */
  double off_a, off_b;         /* rounding may have put these normals off by so much */
} clp_feet;

typedef struct clp_stride {
  clp_spots spots; /* corrected: places of the bodies, whatever the stride came from */
  clp_twin rates;  /* how the sites change, A's and B's side by side */
  clp_feet feet;   /* at the corrected spots */
  double way2;     /* where no normals are wanted: the square of the way that the correction went */
} clp_stride;

/* The stride from the last cycle's spots, which have moved on at the given rates: plain coordinates
 * per second. The rate of a unit vector is a vector in space, whatever tangent basis it was told
 * in. False where the stride declines; *stride is then without meaning. What it is about is kept in
 * the cycle. */
bool clp_stride_take(clp_cycle *cycle, const clp_spots *spots, const clp_twin *rates,
                     clp_stride *stride);

/* The prediction alone. A change that leads over a bound ends on it. */
clp_spots clp_stride_predict(const clp_cycle *cycle, const clp_spots *spots, const clp_twin *rates);

#endif
