/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "bench/shapes.h"

/* Motions of a body past another one that rests, all of whose instants count. */

/* In the unit of time its origin goes straight on by `way`, and its orientation turns about a fixed
 * axis by |turn|, both steadily. */
typedef struct sweep {
  clp_pose X;         /* where it begins */
  clp_vec3 way, turn; /* m, rad */
  double seconds;     /* how long all of it takes */
} sweep;

/* At t, from 0 to 1. */
clp_pose sweep_pose(const sweep *s, double t);

typedef enum sweep_kind {
  SWEEP_PASSES, /* past the other body, or through it, turning little */
  SWEEP_SPINS,  /* beside it, turning up to ten times */
  SWEEP_GRAZES, /* either, and as close as 1e-2 to 1e-6 m, on this side of contact or on that */
  SWEEP_DARTS,  /* a needle through or past a thin plate, at 50 to 300 m/s */
  SWEEP_KINDS
} sweep_kind;

/* What is true of a motion. */
typedef struct sweep_truth {
  bool known; /* else it comes as close as what cannot be told from contact */
  bool touches;
  double least; /* the least distance, which is negative for how deep the bodies overlap (m): of
                   those that touch as deep as some hundred instants know */
} sweep_truth;

/* Draws motions of the pair's second body until one is found whose truth is known, and which begins
 * apart. `random` is the generator's state, `radius` how far the second body reaches from its
 * origin. */
sweep sweep_draw(sweep_kind kind, clp_pair *pair, double radius, uint64_t *random,
                 sweep_truth *truth);

#endif
