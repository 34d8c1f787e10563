/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_KINEMATICS_H
#define RCLC_CLOSEST_POINT_CONTROL_KINEMATICS_H

#include "rclc_closest_point/witness/system.h"

/* How the projection errors g change: dg/dt = H w + b, with w the velocity of the free parameters
 * and b the drift that the bodies' motion causes. */

/* The system with the exact Hessian: the curvature terms take all of r = f - h. A law that
 * promises dg/dt = -K g must invert this one. clp_system_assemble keeps only r's normal part there:
 * off the solution that is the derivative of something else, though a safer step. */
clp_system clp_system_exact(const clp_couple_jets *jets, double size);

/* The drift b, as many numbers as there are free parameters. `motion` is B's as seen from A, in
 * A's frame (see motion.h). With v(p) the velocity of B's material at p,
 *     b = -v(h).f_u for A's parameters,      b = v(f).h_r for B's.
 * For d/dt of (f - h).f_u at fixed parameters is -v(h).f_u, and with B's frame turning by w that
 * of -(f - h).h_r is v(h).h_r - (f - h).(w x h_r) = (v(h) + w x (f - h)).h_r = v(f).h_r. */
void clp_drift(const clp_couple_jets *jets, clp_twist motion, double b[4]);

/* x = -H^-1 y whatever the signs of H's eigenvalues; in units of length the shortest x, without
 * the directions in which H vanishes. With `downhill` all eigenvalues count as positive. */
void clp_system_solve_any(const clp_system *system, const double *y, bool downhill, double *x);

/* The smallest eigenvalue of H in units of length, relative to the largest in magnitude, and,
 * unless `softest` is NULL, the unit direction that belongs to it, in parameters per metre. Zero
 * without unknowns. */
double clp_system_softest(const clp_system *system, double *softest);

#endif
