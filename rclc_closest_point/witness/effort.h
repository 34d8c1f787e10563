/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_EFFORT_H
#define RCLC_CLOSEST_POINT_WITNESS_EFFORT_H

#include <stdbool.h>

/* What a cycle may still do, in instructions as far as they are known beforehand (what is counted
 * is up to a third more). Whoever is about to do something spends it, and what goes on for a while
 * ends where there is nothing left: what it has found until then holds, and the next cycle goes on
 * from there. NULL: as much as it takes. It is counted and not timed, so that a pair does the same
 * on every machine. */
typedef struct clp_effort {
  int left;
} clp_effort;

/* Counted by callgrind, gcc at -O2, on faces of all kinds, and rounded up. */
enum {
  CLP_EFFORT_CYCLE = 4500,    /* what each begins and ends with */
  CLP_EFFORT_JETS = 1500,     /* two witnesses with their derivatives, and the system of these */
  CLP_EFFORT_STEP = 1500,     /* features settled, a system solved, bounds */
  CLP_EFFORT_SADDLE = 5000,   /* where a system has no minimum: its spectrum, and the way down */
  CLP_EFFORT_FLOOR = 3700,    /* the floor of a valley */
  CLP_EFFORT_STRIDE = 5500,   /* a stride to a neighbor, and its proof */
  CLP_EFFORT_CHANGE = 800,    /* of a feature, and that it need not be another one */
  CLP_EFFORT_TRIAL = 1500,    /* a step's end, and how far that is */
  CLP_EFFORT_SLIDE = 4800,    /* two witnesses moved within their features */
  CLP_EFFORT_EXTREMAL = 3300, /* a step of the signed separation */
  CLP_EFFORT_BOUND = 2200,    /* how deep it proves bodies to be, at most */
  CLP_EFFORT_PLACE = 100,     /* how high a vertex is */
  CLP_EFFORT_SPLINE = 500,    /* of a spline a normal, or a step up it */
  CLP_EFFORT_NORMAL = 400,    /* a normal, or a closed form */
  CLP_EFFORT_SIMPLEX = 900,   /* what a farthest point changes of a simplex or a portal */
  CLP_EFFORT_SEARCH = 50000,  /* by farthest points, set apart from a descent's that comes first */
  CLP_EFFORT_PROOF = 10000    /* that bodies overlap: it is set apart, for without it whatever else
                                 is known of them is nothing */
};

static inline void clp_spend(clp_effort *effort, int cost)
{
  if (effort)
    effort->left -= cost;
}

static inline bool clp_is_spent(const clp_effort *effort)
{
  return effort && effort->left <= 0;
}

#endif
