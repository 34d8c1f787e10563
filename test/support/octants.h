/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TEST_SUPPORT_OCTANTS_H
#define RCLC_CLOSEST_POINT_TEST_SUPPORT_OCTANTS_H

#include <math.h>
#include <stdio.h>

#include "rclc_closest_point/closest_point.h"

/* A unit sphere of eight octants whose patches shrink to a point at both poles. Where it is
 * declared not convex, nothing but cells can prove its distance. */
static inline clp_body *make_octants(bool convex)
{
  static const double around[3][2] = {{1, 0}, {1, 1}, {0, 1}};
  const double weights[3] = {1, sqrt(0.5), 1};
  double nets[8][9][4];
  char names[8][4];
  clp_patch_def patches[8];
  clp_body *body = NULL;
  for (int o = 0; o < 8; ++o) {
    double c = (double[]){1, 0, -1, 0}[o % 4], s = (double[]){0, 1, 0, -1}[o % 4];
    for (int k = 0; k < 9; ++k) {
      const double *turn = around[k / 3], *profile = around[o < 4 ? k % 3 : 2 - k % 3];
      nets[o][k][0] = profile[0] * (turn[0] * c - turn[1] * s);
      nets[o][k][1] = profile[0] * (turn[0] * s + turn[1] * c);
      nets[o][k][2] = o < 4 ? profile[1] : -profile[1];
      nets[o][k][3] = weights[k / 3] * weights[k % 3];
    }
    snprintf(names[o], sizeof names[o], "P%d", o);
    patches[o] = (clp_patch_def){.name = names[o],
                                 .degree_u = 2,
                                 .degree_v = 2,
                                 .size_u = 3,
                                 .size_v = 3,
                                 .control_points = nets[o][0]};
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.convex = convex;
  def.patches = patches;
  def.patch_count = 8;
  return clp_body_create(&def, (clp_reporter){0}, &body) == CLP_OK ? body : NULL;
}

#endif
