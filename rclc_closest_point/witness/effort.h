/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_EFFORT_H
#define RCLC_CLOSEST_POINT_WITNESS_EFFORT_H

#include <stdbool.h>

/* What a cycle may still do, in instructions as far as they are known beforehand. Whoever is about
 * to do something spends it, and what goes on for a while ends where too little is left to end
 * whatever is begun next: what it has found until then holds, and the next cycle goes on from
 * there. NULL: as much as it takes. It is counted and not timed, so that a pair does the same on
 * every machine. */
typedef struct clp_effort {
  int left;
} clp_effort;

/* Of each about the most that callgrind counts, gcc at -O2, on faces of all kinds but splines: of a
 * long cycle that makes twice what it takes in the mean, and hardly ever less. */
enum {
  CLP_EFFORT_CYCLE = 13500,   /* what each begins and ends with, */
  CLP_EFFORT_VERTEX = 3500,   /* and of each polyhedron, for what its vertices are like */
  CLP_EFFORT_CLOSED = 10500,  /* a closed form that has not been enough */
  CLP_EFFORT_JETS = 1400,     /* two witnesses with their derivatives, and the system of these */
  CLP_EFFORT_STEP = 1500,     /* features settled, a system solved, bounds */
  CLP_EFFORT_SADDLE = 7500,   /* where a system has no minimum: its spectrum, and the way down */
  CLP_EFFORT_WALL = 1900,     /* a step down the wall of a valley */
  CLP_EFFORT_FLOOR = 7500,    /* the floor of a valley */
  CLP_EFFORT_BOUNDED = 3000,  /* a step that stays on a bound */
  CLP_EFFORT_STRIDE = 3500,   /* a stride to a neighbor, and its proof */
  CLP_EFFORT_CHANGE = 800,    /* of a feature, and that it need not be another one */
  CLP_EFFORT_TRIAL = 800,     /* a step's end, and how far that is */
  CLP_EFFORT_SLIDE = 4800,    /* two witnesses moved within their features */
  CLP_EFFORT_PLACES = 16000,  /* the places on what the corners of a simplex have in common */
  CLP_EFFORT_EXTREMAL = 3300, /* a step of the signed separation */
  CLP_EFFORT_BOUND = 2200,    /* what a direction or a few prove */
  CLP_EFFORT_PLACE = 100,     /* how high a vertex is */
  CLP_EFFORT_SPLINE = 500,    /* of a spline a normal, or a step up it */
  CLP_EFFORT_NORMAL = 400,    /* a normal, or a closed form */
  CLP_EFFORT_SIMPLEX = 2000,  /* what a farthest point changes of a simplex or a portal */
  CLP_EFFORT_LOOK = 5500,     /* a farthest point, and what it changes */
  CLP_EFFORT_SEARCH = 50000,  /* by farthest points, set apart from a descent's that comes first */
  CLP_EFFORT_PROOF = 14000,   /* that bodies overlap: it is set apart, for without it whatever else
                                 is known of them is nothing */
  CLP_EFFORT_GREATEST = 12000 /* what is begun wherever effort is not spent; for more one asks */
};

static inline void clp_spend(clp_effort *effort, int cost)
{
  if (effort)
    effort->left -= cost;
}

/* Whether there is enough left for what takes as much. */
static inline bool clp_affords(const clp_effort *effort, int cost)
{
  return !effort || effort->left >= cost;
}

static inline bool clp_is_spent(const clp_effort *effort)
{
  return !clp_affords(effort, CLP_EFFORT_GREATEST);
}

#endif
