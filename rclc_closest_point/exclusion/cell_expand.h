/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_EXPAND_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_EXPAND_H

#include "rclc_closest_point/exclusion/cell_pair.h"

/* Half the squared distance between two charts' parts as a function of up to four unknowns, each
 * from -1 to 1,
 *     phi(x) = |r(x)|^2 / 2,   r = f(s, t) - h(s', t'),
 * with its gradient and Hessian in the middle and a bound E of how far the Hessian's entries are
 * from that anywhere in the cell. Parameters without width are no unknowns. */
typedef struct clp_expansion {
  int count;
  int which[4], axis[4]; /* of each unknown: tract (0: A), parameter */
  clp_vec3 r;
  clp_vec3 t[4];
  double g[4], h[4][4], e[4][4];
  double
      blur[4]; /* how far g can be from that in the middle: with sway; and then E is not linear */
  bool sways;  /* in the distance from the middle */
  double doubt[4]; /* how much of E goes away with the unknown's width */
} clp_expansion;

/* For all poses of B instead of one: no point of it farther away than `shift` from where it is, its
 * orientation no farther than `turn` (the length of the rotation matrices' difference). */
typedef struct clp_sway {
  double shift, turn;
} clp_sway;

/* Both views in A's frame, of parts of charts. */
clp_expansion clp_expand(const clp_taylor *a, const clp_taylor *b, clp_sway sway);

/* Fixes the unknowns in which phi is monotone all over the cell at the end where it is least, for
 * there the minimum is. Returns how many. */
int clp_expansion_fix(const clp_expansion *x, clp_tracts *tracts);

/* Fixes all that it can; the expansion of what is left. */
clp_expansion clp_expand_fixed(const clp_charted_couple *charted, clp_sway sway,
                               clp_tracts *tracts);

/* Whether phi is convex on the cell: then it has one minimum, which a descent finds. */
bool clp_expansion_convex(const clp_expansion *x);

/* Whether phi is so convex that for any two places x and y of the cell
 *     phi(y) >= phi(x) + g(x).(y - x) + sum of steep_i (y_i - x_i)^2 / 2.
 * at[]: where the expansion's own second order is least, about. */
bool clp_expansion_bowl(const clp_expansion *x, double at[4], double steep[4]);

/* A lower bound of phi by the expansion itself, with an error of third order; -1 where the
 * Hessian's middle is not nearly positive semidefinite. */
double clp_expansion_bound(const clp_expansion *x);

/* The unknown whose width makes the Hessian least certain; -1 when there is none. */
int clp_expansion_worst(const clp_expansion *x);

/* The minimum of a convex phi and a proven bound of it, or a place where that is enough of a
 * distance. Unknowns are those of the expansion `like`. */
typedef struct clp_minimum {
  double lower, attained; /* distances */
  double at[2][2];        /* parameters from -1 to 1 on A's and B's part */
} clp_minimum;

clp_minimum clp_expansion_minimize(const clp_charted_couple *charted, const clp_tracts *tracts,
                                   const clp_expansion *like, double enough);

#endif
