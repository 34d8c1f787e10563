/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/controller.h"
#include "rclc_closest_point/control/kinematics.h"

/* Feedback linearization with feedforward. With dg/dt = H w + b the choice w = -H^-1 (K g + b)
 * leaves dg/dt = -K g whatever the shapes and however they move. It takes the exact Hessian: with
 * another one the right side would be another one too, and K's bounds would mean nothing.
 *
 * Off the solution the exact H need not be positive definite where the covariant one still is (the
 * charts' own bends are in it). The way down is then worth more than the exact rate, and if neither
 * is positive definite, H's eigenvalues are all taken as positive.
 *
 * At a solution both are the same. If they are not positive definite there, it is a saddle pair,
 * which this law holds and gradient flows leave, or parallel faces or generators, along which the
 * witnesses keep still. */

/* The residual |d_t| / |d| below which a saddle counts as reached. */
#define AT_SADDLE 1e-2

void clp_law_linearising(const clp_law_input *input, double w[4])
{
  clp_system s = clp_system_exact(&input->jets, input->couple->size);
  double y[4];
  clp_drift(&input->jets, input->motion, y);
  for (int i = 0; i < s.count; ++i)
    y[i] += input->gain * s.g[i];
  if (clp_system_solve(&s, y, w))
    return;
  clp_system covariant = clp_system_assemble(&input->jets, input->couple->size);
  if (!clp_system_solve(&covariant, y, w))
    clp_system_solve_any(&s, y, clp_couple_jets_residual(&input->jets) > AT_SADDLE, w);
}
