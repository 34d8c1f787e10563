/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/experiment/patches.h"

#include <stddef.h>

#include "rclc_closest_point/body/body.h"

enum { TABLE1_SIZE = 5 };

/* As printed: a line of the table has one v and all u. */
static const double table1[TABLE1_SIZE][TABLE1_SIZE][4] = {
    {{0, 0, 0, 1}, {3, 0, 2, 1}, {5, 0, 3, 1}, {8, 0, 3, 1}, {10, 0, 0, 1}},
    {{1, 3, 3, 1}, {3, 3, 5, 1}, {5, 3, 6, 1}, {8, 3, 5, 1}, {9, 3, 3, 1}},
    {{2, 5, 5, 1}, {3, 5, 7, 1}, {5, 5, 8, 1}, {8, 5, 7, 1}, {8, 5, 5, 1}},
    {{1, 8, 3, 1}, {3, 8, 5, 1}, {5, 8, 6, 1}, {8, 8, 5, 1}, {9, 8, 3, 1}},
    {{0, 10, 0, 1}, {3, 10, 2, 1}, {5, 10, 3, 1}, {8, 10, 2, 1}, {10, 10, 0, 1}}};

static clp_status create_quietly(const clp_body_def *def, clp_body **body)
{
  return clp_body_create(def, (clp_reporter){NULL, NULL}, body);
}

clp_status clp_patch_table1(clp_body **body)
{
  static const double knots[] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
  double points[TABLE1_SIZE][TABLE1_SIZE][4];
  for (int u = 0; u < TABLE1_SIZE; ++u)
    for (int v = 0; v < TABLE1_SIZE; ++v)
      for (int lane = 0; lane < 4; ++lane)
        points[u][v][lane] = table1[v][u][lane];
  const clp_patch_def patch = {.name = "S",
                               .degree_u = 2,
                               .degree_v = 2,
                               .size_u = TABLE1_SIZE,
                               .size_v = TABLE1_SIZE,
                               .knots_u = knots,
                               .knots_v = knots,
                               .control_points = points[0][0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = &patch;
  def.patch_count = 1;
  def.closed = def.convex = false;
  return create_quietly(&def, body);
}

clp_status clp_patch_probe(clp_body **body)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  return create_quietly(&def, body);
}

static void add_place(clp_series *series, const clp_face *face, double x, double y)
{
  const double *lo = face->domain.lo, *hi = face->domain.hi;
  double u = lo[0] + x * (hi[0] - lo[0]), v = lo[1] + y * (hi[1] - lo[1]);
  clp_vec3 p = clp_surface_point(&face->surface, clp_surface_site(&face->surface, u, v));
  clp_series_add(series, (double[]){p.x, p.y, p.z});
}

void clp_patch_grid(clp_study *study, const clp_body *body, uint32_t face, int count)
{
  enum { FINE = 60 };
  clp_series *series = clp_study_series(study, "patch", "x,y,z");
  for (int along = 0; along < 2; ++along)
    for (int line = 0; line <= count; ++line) {
      for (int k = 0; k <= FINE; ++k) {
        double across = (double)line / count, way = (double)k / FINE;
        add_place(series, &body->faces[face], along ? across : way, along ? way : across);
      }
      clp_series_gap(series);
      clp_series_gap(series);
    }
}
