/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_ROUNDING_H
#define RCLC_CLOSEST_POINT_BASE_ROUNDING_H

#include <float.h>

/* A unit in the last place. An operation is off by half of one, u = 2^-53, of its result. */
#define CLP_ROUNDING_UNIT DBL_EPSILON

/* What rounding may have done to a distance along a direction: this part of every length that
 * entered, summed. It is taken off whatever is called proven.
 *
 * A place of B in A's frame is R q + p, each coordinate a sum of four terms (4 u) with entries of R
 * and p that two poses were multiplied for (4 u); the difference to a place of A is one more, the
 * product with a direction three, and the direction's own root, division and products another four:
 * 16 u of the terms' magnitudes. These are sums over three coordinates, at most sqrt(3) times as
 * large as the lengths: 28 u. Sixteen units (32 u) are more than that, and so much more that the
 * lengths' own sum may be rounded, too. */
#define CLP_ROUNDING_EXACT (16 * CLP_ROUNDING_UNIT)

/* 3.553e-15 rounded up, which leaves room for lengths that are estimates. */
#define CLP_ROUNDING 3.6e-15

/* What a single sum or product of two numbers that are rounded themselves may be off by, of both:
 * three times u, rounded up. Steps and halvings end at it. */
#define CLP_ROUNDING_ONCE (CLP_ROUNDING / 9)

/* What ten of these one after the other are off by: two computations of the same distance that
 * differ by less are not told apart. It proves nothing. */
#define CLP_NOISE (10 * CLP_ROUNDING_ONCE)

/* No less than the sum of two numbers that are not negative. Many that are small would be lost one
 * by one where each is below the sum's last digit; nothing adds nothing. */
static inline double clp_add_up(double sum, double more)
{
  return more > 0 ? sum + (more + CLP_ROUNDING_UNIT * sum) : sum;
}

/* What a curved face adds is known of it: clp_face_rounding and clp_face_blur, and `off` of
 * clp_normal; of a curve clp_curve_blur; and of cells, clp_chart_digits and clp_chart_evaluation.
 */

#endif
