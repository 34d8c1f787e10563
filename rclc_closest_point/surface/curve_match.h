/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_CURVE_MATCH_H
#define RCLC_CLOSEST_POINT_SURFACE_CURVE_MATCH_H

/* Inside the library's building: whether two curves are the same set of points and run the same
 * way, by bounds.
 *
 * Both are cut at the breaks of either, so that on every *piece* they are one rational polynomial
 * each. Where equal fractions of the stretches are equal points, pieces match by fractions. Else
 * their ends are matched by projection, and within a piece by the fractional linear map that also
 * matches the middles: two proper parametrizations of one rational curve differ by such a map, so
 * that a piece that really is the same is matched exactly, whatever its weights and parameters;
 * what is not is halved until the gap is small. How the map was found does not matter: it is
 * monotone, and the Bernstein coefficients of the difference bound the gap.
 *
 * Two straight lines coincide whatever their parameters do, as long as these do not turn back;
 * where nothing depends on which of their points are matched, `straight` lets that suffice. */

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/surface/wide_form.h"

typedef struct clp_match_piece {
  int span_a, span_b;
  double from_a, to_a; /* fractions of the spans; b's run backwards where the curves do */
  double from_b, to_b;
  clp_wide alpha; /* of the map from a's fraction of the piece to b's: clp_wide_stretch */
  double gap;     /* m, of this piece */
  double drift;   /* m: the difference of matched points changes no faster over the piece */
} clp_match_piece;

typedef struct clp_curve_match {
  bool same;               /* they are, within the tolerance */
  bool affine;             /* equal fractions are equal points */
  bool failed;             /* there was no memory */
  double sense;            /* +1: they run the same way, -1: against each other */
  double gap;              /* m: matched points are nowhere farther apart */
  clp_match_piece *pieces; /* in the order of a; none of ellipses */
  size_t count;
} clp_curve_match;

typedef struct clp_match_limits {
  double tolerance; /* m: beyond it they are not the same */
  double exact;     /* m: gaps below it need not be made smaller */
  bool straight;
} clp_match_limits;

/* The pieces live in the arena. */
clp_curve_match clp_match_curves(const clp_curve *a, const clp_curve *b,
                                 const clp_match_limits *limits, clp_arena *arena);

#endif
