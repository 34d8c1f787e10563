/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLES_TELEOPERATION_PLANT_H
#define EXAMPLES_TELEOPERATION_PLANT_H

/* A mass on a spring and a damper, moved exactly over a cycle in which the force is held, and what
 * that means for a sampled wall in front of it. */

#include "rclc_closest_point/types.h"

typedef struct plant {
  double xx, xv, vx, vv; /* from place and velocity to the same after a cycle */
  double xf, vf;         /* from the force that is held */
} plant;

plant plant_create(double mass, double damping, double stiffness, double cycle);

typedef struct plant_state {
  clp_vec3 x, v;
} plant_state;

/* The spring rests at a place. */
plant_state plant_step(const plant *p, plant_state s, clp_vec3 rest, clp_vec3 force);

/* The stiffness at which a wall of this damping in front of the plant stops being stable, when its
 * force is `cycles` old. Exact for the sampled system: with z = exp(i w cycle) and the plant's
 * P(z) from the held force to the sampled place, the characteristic equation
 *   k + c (1 - 1/z) / cycle = -z^cycles / P(z)
 * is solved on the unit circle: its imaginary part names w, its real part k. The smallest such k
 * is where the first pole leaves the circle. */
double plant_stiffness_limit(const plant *p, double damping, int cycles, double cycle);

#endif
