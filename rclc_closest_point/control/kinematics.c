/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/kinematics.h"

#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/symmetric.h"
#include "rclc_closest_point/math/vec3.h"

static void set_block(clp_system *s, int first, const clp_spot_jet *jet, clp_vec3 r)
{
  for (int i = 0; i < jet->freedoms; ++i)
    for (int j = 0; j < jet->freedoms; ++j)
      s->h[first + i][first + j] =
          clp_dot(s->t[first + i], s->t[first + j]) + clp_dot(r, jet->tt[i + j]);
}

clp_system clp_system_exact(const clp_couple_jets *jets, double size)
{
  clp_system s = clp_system_assemble(jets, size);
  set_block(&s, 0, &jets->a, clp_negate(jets->d));
  set_block(&s, jets->a.freedoms, &jets->b, jets->d);
  return s;
}

void clp_drift(const clp_couple_jets *jets, clp_twist motion, double b[4])
{
  clp_vec3 at_f = clp_twist_velocity(motion, jets->a.p);
  clp_vec3 at_h = clp_twist_velocity(motion, jets->b.p);
  int of_a = jets->a.freedoms;
  for (int k = 0; k < of_a; ++k)
    b[k] = -clp_dot(at_h, jets->a.t[k]);
  for (int k = 0; k < jets->b.freedoms; ++k)
    b[of_a + k] = clp_dot(at_f, jets->b.t[k]);
}

/* ---- Any Hessian -------------------------------------------------------------------------- */

/* An eigenvalue below this part of the largest one is none. */
#define NO_STIFFNESS 1e-9

/* Eigenvalues on the diagonal of h, eigenvectors in the columns of q, in units of length; returns
 * the largest magnitude. */
static double decompose(const clp_system *s, double h[4][4], double q[4][4])
{
  double largest = 0;
  for (int i = 0; i < s->count; ++i)
    for (int j = 0; j < s->count; ++j)
      h[i][j] = s->h[i][j] / (s->scale[i] * s->scale[j]);
  clp_symmetric_eigen(s->count, h, q);
  for (int i = 0; i < s->count; ++i)
    largest = fmax(largest, fabs(h[i][i]));
  return largest;
}

void clp_system_solve_any(const clp_system *s, const double *y, bool downhill, double *x)
{
  double h[4][4], q[4][4];
  if (clp_system_solve(s, y, x))
    return;
  double largest = decompose(s, h, q);
  for (int i = 0; i < s->count; ++i)
    x[i] = 0;
  for (int k = 0; k < s->count; ++k) {
    double along = 0, stiffness = downhill ? fabs(h[k][k]) : h[k][k];
    if (fabs(stiffness) <= NO_STIFFNESS * largest)
      continue;
    for (int i = 0; i < s->count; ++i)
      along += q[i][k] * y[i] / s->scale[i];
    for (int i = 0; i < s->count; ++i)
      x[i] -= q[i][k] * along / (stiffness * s->scale[i]);
  }
}

double clp_system_softest(const clp_system *s, double *softest)
{
  double h[4][4], q[4][4], largest = decompose(s, h, q);
  int least = 0;
  for (int k = 1; k < s->count; ++k)
    if (h[k][k] < h[least][least])
      least = k;
  for (int i = 0; softest && i < s->count; ++i)
    softest[i] = q[i][least] / s->scale[i];
  return s->count > 0 && largest > 0 ? h[least][least] / largest : 0;
}
