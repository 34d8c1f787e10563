/* SPDX-License-Identifier: Apache-2.0 */
#include "task.h"

#include <math.h>

static const double pull = 4; /* 1/s */

static double dot3(clp_vec3 a, clp_vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Speeds that move the tool by w, damped where it is stretched: J^T y with (J J^T + damping) y = w,
 * by Cramer's rule. */
static void axes_for(const clp_vec3 J[CELL_AXES], clp_vec3 w, double *x)
{
  const double damping = 0.01;
  double xx = damping, xy = 0, xz = 0, yy = damping, yz = 0, zz = damping;
  for (int k = 0; k < CELL_AXES; ++k) {
    xx += J[k].x * J[k].x;
    xy += J[k].x * J[k].y;
    xz += J[k].x * J[k].z;
    yy += J[k].y * J[k].y;
    yz += J[k].y * J[k].z;
    zz += J[k].z * J[k].z;
  }
  clp_vec3 a = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
  clp_vec3 b = {a.y, xx * zz - xz * xz, xy * xz - xx * yz}, c = {a.z, b.z, xx * yy - xy * xy};
  double det = xx * a.x + xy * a.y + xz * a.z;
  clp_vec3 y = {dot3(a, w) / det, dot3(b, w) / det, dot3(c, w) / det};
  for (int k = 0; k < CELL_AXES; ++k)
    x[k] = dot3(J[k], y);
}

void task_speeds(const cell *c, clp_vec3 goal, double speeds[CELL_AXES])
{
  clp_vec3 J[CELL_AXES], p = cell_tool(c, J), e = {goal.x - p.x, goal.y - p.y, goal.z - p.z};
  double far = sqrt(dot3(e, e)), shorter = far > 0.25 ? 0.25 / far : 1;
  axes_for(J, (clp_vec3){pull * shorter * e.x, pull * shorter * e.y, pull * shorter * e.z}, speeds);
}
