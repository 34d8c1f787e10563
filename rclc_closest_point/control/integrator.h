/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_INTEGRATOR_H
#define RCLC_CLOSEST_POINT_CONTROL_INTEGRATOR_H

#include "rclc_closest_point/witness/descent.h"

/* Explicit integration of the witnesses' flow dx/dt = w(x, t).
 *
 * x are the free parameters of both spots, A's first, in the charts at the spots where the step
 * begins; the stages of a step look at spots a part of the way along it and bring the velocities
 * found there back into those charts.
 *   euler  one stage
 *   rk2    the midpoint rule: of the second-order rules the one whose second stage leaves the
 *          step's beginning least, and a face's bounds with it
 *   rk4    the classical rule of Kutta */

/* On dx/dt = -K x a step of length h multiplies x by the polynomial R(-hK). */
typedef struct clp_scheme {
  const char *name;
  int stages;
  double node[4];   /* where in the step stage k looks: along the velocity of stage k - 1 */
  double weight[4]; /* its share in the step */
  double limit;     /* |R(-z)| < 1 for 0 < z < limit */
  double best;      /* where |R(-z)| is smallest */
} clp_scheme;

const clp_scheme *clp_integrator_scheme(clp_integrator integrator);

/* R(-z). */
double clp_integrator_factor(clp_integrator integrator, double z);

/* Writes the velocity w at the spots, `time` seconds after the step's beginning. */
typedef struct clp_field {
  void (*velocity)(void *user, const clp_spots *spots, double time, double w[4]);
  void *user;
} clp_field;

/* The displacement x of one step of length h from `spots`, in their charts; it may lead beyond the
 * features' bounds. When a stage would already, what lies there says nothing about the flow on
 * these features: the step is then Euler's. Returns the number of velocities taken. */
int clp_integrate(clp_integrator integrator, const clp_field *field, const clp_couple *couple,
                  const clp_spots *spots, double h, double x[4]);

#endif
