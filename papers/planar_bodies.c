/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/planar_bodies.h"

#define DEGREE 2
#define POINTS 3

typedef double control[POINTS][3]; /* x, y, weight */

static const control curves_a[CLP_PLANAR_CURVES] = {
    {{0.95, -0.35, 1}, {0.697, 0.567, 1}, {-0.15, 1.0, 1}},
    {{-0.15, 1.0, 1}, {-0.82, 0.34, 1}, {-0.85, -0.6, 1}},
    {{-0.85, -0.6, 1}, {0.095, -0.799, 1}, {0.95, -0.35, 1}},
};

#define CORNER_A                               \
  {                                            \
    0.44656897137186596, 0.9576222248992524, 1 \
  }
#define CORNER_B                                \
  {                                             \
    -0.9728224566464605, -0.3318871105157603, 1 \
  }
#define CORNER_C                              \
  {                                           \
    0.7092546050617105, -0.632800858107035, 1 \
  }

static const control curves_b[CLP_PLANAR_CURVES] = {
    {CORNER_A, {-0.5132553839874501, 0.5881896814166281, 1}, CORNER_B},
    {CORNER_B, {-0.18086538287256798, -0.7567043077285407, 1}, CORNER_C},
    {CORNER_C, {0.7796574518790029, 0.19573243788367078, 1}, CORNER_A},
};

static clp_status create(const control *controls, const char *const *names, clp_body **body)
{
  clp_curve_def curves[CLP_PLANAR_CURVES];
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = CLP_PLANAR_CURVES;
  for (int k = 0; k < CLP_PLANAR_CURVES; ++k)
    curves[k] = (clp_curve_def){names[k], DEGREE, POINTS, NULL, controls[k][0]};
  return clp_body_create(&def, (clp_reporter){NULL, NULL}, body);
}

clp_status clp_planar_body_a(clp_body **body)
{
  static const char *const names[] = {"C1", "C2", "C3"};
  return create(curves_a, names, body);
}

clp_status clp_planar_body_b(clp_body **body)
{
  static const char *const names[] = {"Ca", "Cb", "Cc"};
  return create(curves_b, names, body);
}

char clp_planar_vertex_letter(const clp_body *body, uint32_t vertex)
{
  for (uint32_t k = 0; k < body->edge_count; ++k)
    if (body->edges[k].vertex[1] == vertex)
      return (char)('a' + k);
  return '?';
}
