/* SPDX-License-Identifier: Apache-2.0 */
#include "examples/teleoperation/plant.h"

#include <complex.h>
#include <math.h>

#include "rclc_closest_point/math/vec3.h"

/* The matrix exponential of [0 1 0; -k/m -b/m 1/m; 0 0 0] cycle, by its series, which is down to
 * rounding errors after a dozen terms as the cycle is short. */
plant plant_create(double mass, double damping, double stiffness, double cycle)
{
  const double A[3][3] = {
      {0, cycle, 0}, {-stiffness / mass * cycle, -damping / mass * cycle, cycle / mass}, {0, 0, 0}};
  double sum[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
         term[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 1; k < 25; ++k) {
    double next[3][3] = {{0}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < 3; ++l)
          next[i][j] += term[i][l] * A[l][j] / k;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        sum[i][j] += term[i][j] = next[i][j];
  }
  return (plant){sum[0][0], sum[0][1], sum[1][0], sum[1][1], sum[0][2], sum[1][2]};
}

plant_state plant_step(const plant *p, plant_state s, clp_vec3 rest, clp_vec3 force)
{
  clp_vec3 x = clp_sub(s.x, rest);
  clp_vec3 moved = clp_add_scaled(clp_scale(p->xx, x), p->xv, s.v);
  clp_vec3 speed = clp_add_scaled(clp_scale(p->vx, x), p->vv, s.v);
  return (plant_state){clp_add(rest, clp_add_scaled(moved, p->xf, force)),
                       clp_add_scaled(speed, p->vf, force)};
}

/* exp(i angle). The macro I is of type float, which compilers warn of. */
static double complex on_the_circle(double angle)
{
  union {
    double parts[2];
    double complex z;
  } same = {{cos(angle), sin(angle)}};
  return same.z;
}

static double complex wanted_stiffness(const plant *p, double damping, int cycles, double cycle,
                                       double w)
{
  double complex z = on_the_circle(w * cycle);
  double complex P =
      (p->xf * (z - p->vv) + p->xv * p->vf) / ((z - p->xx) * (z - p->vv) - p->xv * p->vx);
  return -cpow(z, cycles) / P - damping * (1 - 1 / z) / cycle;
}

double plant_stiffness_limit(const plant *p, double damping, int cycles, double cycle)
{
  enum { SCANNED = 200000 };
  const double nyquist = acos(-1) / cycle;
  double least = HUGE_VAL;
  double complex last = wanted_stiffness(p, damping, cycles, cycle, 1e-3);
  for (int i = 1; i <= SCANNED; ++i) {
    double complex here = wanted_stiffness(p, damping, cycles, cycle, nyquist * i / SCANNED);
    double t = cimag(last) / (cimag(last) - cimag(here)), k = creal(last + t * (here - last));
    if ((cimag(last) > 0) != (cimag(here) > 0) && k > 0 && k < least)
      least = k;
    last = here;
  }
  return least;
}
