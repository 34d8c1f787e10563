/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_CURVE_COURSE_H
#define RCLC_CLOSEST_POINT_SURFACE_CURVE_COURSE_H

/* Inside the surface layer and for planar bodies: where a curve of the plane heads, by bounds.
 *
 * A rational Bezier curve with positive weights w and control points b has the direction
 *     p'(t) = sum over i < j of m_ij(t) w_i w_j (b_j - b_i),     m_ij >= 0,
 * because B_i B_j' - B_i' B_j = (j - i) B_i B_j / (t (1 - t)). The same holds, with other m, for
 * the legs from control point to control point that it has after it has been divided at t: dividing
 * cuts corners off the polygon of the legs. So if all legs lie within less than half a turn, each
 * new leg heads between two old ones that follow each other, and the angles of the legs bound those
 * of the curve: at the ends they are the same, and nowhere does the curve's fall farther below a
 * value that it had before than theirs do. (If they do not, a polygon may turn to the left by more
 * than half a turn and its curve to the right: next to a cusp.) A polygon that only turns to the
 * left proves that the curve does, whatever its weights and degree are.
 *
 * Where a polygon turns both ways, or too far, the piece is halved: polygons approach the curve
 * like the square of the width, so that only few pieces, next to points of inflection, are halved
 * often.
 *
 * What is stored differs from what was defined by rounding, some units in the last place of the
 * coordinates, so that a short leg's direction is only known to a noise. Of a long and even polygon
 * all that it is divided into inherits the noise: with no leg shorter than l and all within 60
 * degrees of a direction, b_j - b_i is at least (j - i) l / 2 long in that direction, and a sum of
 * such terms, each off by no more than r, is off by no more than the angle asin(2 r / l). */

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/surface/curve.h"

/* One leg. */
typedef struct clp_bearing {
  double angle;  /* from the x axis (rad), counted on from the leg before */
  double noise;  /* how far the angle may be off (rad) */
  double length; /* m */
  double at;     /* a parameter of the curve next to it */
  bool tangent;  /* whether it is the curve's own direction, at an end of a piece */
} clp_bearing;

static inline double clp_bearing_low(const clp_bearing *bearing)
{
  return bearing->angle - bearing->noise;
}

static inline double clp_bearing_high(const clp_bearing *bearing)
{
  return bearing->angle + bearing->noise;
}

/* What has been followed so far. Starts as {.arena = ..., .budget = ..., .fine = ...}. */
typedef struct clp_course {
  clp_arena *arena;
  clp_bearing *bearings;
  size_t count, capacity;
  int budget;      /* how often a piece may still be halved */
  int fine_budget; /* and how often for the next one's sake */
  double fine;     /* legs that are noisy and long are halved until noise times length is as small
                      (m); HUGE_VAL where that does not matter */
  double rounding; /* how far a point may lie from where it was defined (m) */
} clp_course;

/* Appends the legs of a curve, at least one, in its order. False where some direction is unknown,
 * within the budget: the curve stops or turns back there, next to the parameter *at (may be NULL).
 * Without memory nothing is appended, and the arena says so. */
bool clp_course_follow(clp_course *course, const clp_curve *curve, double *at);

/* How far the angle certainly falls below a value that it had before (rad), and where. */
double clp_course_fall(const clp_bearing *bearings, size_t count, double *at);

/* The curve's angles lie within a range of this width (rad). */
double clp_course_spread(const clp_bearing *bearings, size_t count);

/* The multiple of a full turn by which the angles of a leg differ from those that count on from the
 * one before. False where the turn is half a turn, to what is known, so that it may be to either
 * side. */
bool clp_course_shift(const clp_bearing *before, const clp_bearing *next, double *shift);

#endif
