/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_JUDGE_CONVEX_H
#define TEST_JUDGE_CONVEX_H

#include "judge/shape.h"

/* Two convex bodies, known by their farthest points alone. What is found is proven by what is
 * found: a direction, whose planes are as far apart as the bodies at least, or a convex combination
 * of points of each, which are as far apart as the bodies at most. */

typedef struct convex_pair {
  shape_at a, b;
} convex_pair;

/* How far B is beyond A in direction n: the least n.(y - x) over all points, a lower bound of the
 * signed distance when n is a unit vector. */
real convex_separation(const convex_pair *pair, real3 n);

/* The signed distance lies between the two: of bodies apart their distance, of bodies that overlap
 * minus the length of the shortest translation that parts them, the most separation of all. */
typedef struct convex_bracket {
  real lower, upper;
  real3 normal; /* with the separation `lower` */
  real3 x, y;   /* points of A and of B; apart as much as `upper` unless the bodies overlap */
  int rounds;
} convex_bracket;

/* Starts in the direction `n`. */
convex_bracket convex_find(const convex_pair *pair, real3 n);

/* The same, narrower where it knows more. */
void convex_try(const convex_pair *pair, real3 n, convex_bracket *bracket);

#endif
