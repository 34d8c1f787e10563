/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_CONTROLLER_H
#define RCLC_CLOSEST_POINT_CONTROL_CONTROLLER_H

#include "rclc_closest_point/control/controller_newton.h"
#include "rclc_closest_point/control/gains.h"
#include "rclc_closest_point/witness/descent.h"

/* The controllers behind one call: what one cycle does with a pair's witnesses.
 *
 *   auto         predicts with the motion, then descends (descent.h)
 *   linearising  w = -H^-1 (K g + b): the projection errors decay as dg/dt = -K g. Local and fast
 *   switching    w = -K I^-1 g, body by body: needs no second derivatives; never leads away
 *   compensated  the same, with that part of the motion cancelled which works against it
 *   newton       finds the stationary points of all pairs of features (controller_newton.h)
 *
 * The three in the middle are flows dx/dt = w(x, t) of the features' free parameters. A cycle is
 * `substeps` steps of an explicit integrator (integrator.h); whenever a step meets a feature's
 * bound, it ends there, the automaton says which feature comes next, and the rest of the step is
 * taken on that one. The papers' boundary modes are these features: on a side that the law would
 * leave, the automaton changes to the edge, and the edge's law is w = -K d.T / (T.T) alone.
 *
 * A pair is asked for its witnesses at the poses of now; in between, only where the motion led is
 * known, not when. The flows let it take place in the first half of the cycle (in all of it when
 * there is one substep) and settle in the second half. A law that is not told of the motion sees
 * the pose at each step's end. */

typedef struct clp_flow_options {
  clp_controller controller;
  clp_integrator integrator;
  double gain;      /* K (1/s); 0: the best one at the spots where each step begins */
  double cycle;     /* its duration (s) */
  int substeps;     /* at least 1 */
  bool feedforward; /* tell the linearising and the compensated law of the motion */
  bool exponential; /* switching, compensated: K = gain / rho^2 with rho the residual |d_t| / |d|,
                       so that the distance shrinks at the rate `gain`, and at most the step's best
                       gain (Remark 1 of the papers). gain 0: 1 / cycle */
  double ball;      /* the residual below which the schedule takes the best gain */
} clp_flow_options;

clp_flow_options clp_default_flow_options(void);

typedef struct clp_flow_result {
  clp_couple_jets jets; /* at the spots reached, in A's frame */
  double residual;      /* |d_t| / |d| of the worse body */
  int steps;            /* integration steps; for auto and newton, iterations */
  int evaluations;      /* of the equations */
  int transitions;
} clp_flow_result;

/* One cycle, which ends at the poses in `now`. `motion` is what led there: B's twist as seen from
 * A (see motion.h), constant over the cycle; NULL stands for rest. `newton` is that controller's
 * memory, for the others NULL. Bounded; allocates nothing. `log` may be NULL. */
clp_flow_result clp_flow_cycle(const clp_flow_options *options, const clp_couple *now,
                               const clp_twist *motion, clp_newton *newton, clp_spots *spots,
                               clp_event_log *log);

/* What the bounds of these options' gain depend on, where the jets was taken; `drag` is the
 * motion's (gains.h), for laws that are not told of it. The witnesses' error to be held is the
 * distance: a gain that cannot do that does not track. */
clp_gain_case clp_flow_gain_case(const clp_flow_options *options, const clp_couple_jets *jets,
                                 double drag);

/* The options of a pair, for cycles of so many seconds. */
clp_flow_options clp_flow_options_of(const clp_pair_options *options, double cycle);

/* As on the command line. */
const char *clp_controller_name(clp_controller controller);

/* ---- Laws --------------------------------------------------------------------------------- */

/* What a law sees at one instant. */
typedef struct clp_law_input {
  const clp_couple *couple;
  const clp_spots *spots;
  clp_couple_jets jets;
  clp_twist motion; /* zero when the law is not told of it */
  double gain;      /* K, or the rate of the exponential schedule */
  double step;      /* of the integrator */
  double ball;      /* of the exponential schedule, or 0 without it */
  clp_integrator integrator;
  bool bold; /* a way out for another law: the switching law without its guard */
} clp_law_input;

/* Writes dx/dt, A's parameters first. */
typedef void (*clp_law)(const clp_law_input *input, double w[4]);

void clp_law_linearising(const clp_law_input *input, double w[4]);
void clp_law_switching(const clp_law_input *input, double w[4]);
void clp_law_compensated(const clp_law_input *input, double w[4]);

#endif
