/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/patches.h"

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

static clp_status create_open(const clp_patch_def *patch, clp_body **body)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patch;
  def.patch_count = 1;
  def.closed = def.convex = false;
  return create_quietly(&def, body);
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
  return create_open(&patch, body);
}

enum { BOX_POINTS = 9 };

static const struct {
  const char *name;
  int degree_u, degree_v;
  double points[BOX_POINTS][4]; /* v fastest */
} box[] = {
    {"S1",
     2,
     2,
     {{-0.5, -0.4, 0.3, 1},
      {-0.5, 0, 0.5, 1},
      {-0.5, 0.4, 0.3, 1},
      {0, -0.4, 0.6, 1},
      {0, 0, 0.8, 1},
      {0, 0.4, 0.6, 1},
      {0.5, -0.4, 0.3, 1},
      {0.5, 0, 0.5, 1},
      {0.5, 0.4, 0.3, 1}}},
    {"S2",
     1,
     2,
     {{-0.5, -0.4, -0.3, 1},
      {-0.5, 0, -0.3, 1},
      {-0.5, 0.4, -0.3, 1},
      {-0.5, -0.4, 0.3, 1},
      {-0.5, 0, 0.5, 1},
      {-0.5, 0.4, 0.3, 1}}},
    {"S3",
     1,
     2,
     {{-0.5, 0.4, -0.3, 1},
      {0, 0.4, -0.3, 1},
      {0.5, 0.4, -0.3, 1},
      {-0.5, 0.4, 0.3, 1},
      {0, 0.4, 0.6, 1},
      {0.5, 0.4, 0.3, 1}}},
    {"S4",
     2,
     1,
     {{0.5, -0.4, -0.3, 1},
      {0.5, -0.4, 0.3, 1},
      {0.5, 0, -0.3, 1},
      {0.5, 0, 0.5, 1},
      {0.5, 0.4, -0.3, 1},
      {0.5, 0.4, 0.3, 1}}},
    {"S5",
     2,
     1,
     {{-0.5, -0.4, -0.3, 1},
      {-0.5, -0.4, 0.3, 1},
      {0, -0.4, -0.3, 1},
      {0, -0.4, 0.6, 1},
      {0.5, -0.4, -0.3, 1},
      {0.5, -0.4, 0.3, 1}}},
    {"S6",
     1,
     1,
     {{-0.5, -0.4, -0.3, 1}, {0.5, -0.4, -0.3, 1}, {-0.5, 0.4, -0.3, 1}, {0.5, 0.4, -0.3, 1}}}};

clp_status clp_patch_box(clp_body **body)
{
  enum { COUNT = sizeof box / sizeof *box };
  clp_patch_def patches[COUNT];
  for (int k = 0; k < COUNT; ++k)
    patches[k] = (clp_patch_def){.name = box[k].name,
                                 .degree_u = box[k].degree_u,
                                 .degree_v = box[k].degree_v,
                                 .size_u = box[k].degree_u + 1,
                                 .size_v = box[k].degree_v + 1,
                                 .control_points = box[k].points[0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = COUNT;
  return create_quietly(&def, body);
}

clp_status clp_patch_bay(clp_body **body)
{
  static const double points[] = {-0.4, 1, 0, 1, 0, -2, 0, 1, 0.4, 1, 0, 1,
                                  -1.4, 1, 0, 1, 0, -4, 0, 1, 1.4, 1, 0, 1};
  const clp_patch_def patch = {.name = "U",
                               .degree_u = 1,
                               .degree_v = 2,
                               .size_u = 2,
                               .size_v = 3,
                               .control_points = points};
  return create_open(&patch, body);
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

static void add_lines(clp_series *series, const clp_face *face, int count, bool along)
{
  enum { FINE = 60 };
  for (int line = 0; line <= count; ++line) {
    for (int k = 0; k <= FINE; ++k) {
      double across = (double)line / count, way = (double)k / FINE;
      add_place(series, face, along ? across : way, along ? way : across);
    }
    clp_series_gap(series);
    clp_series_gap(series);
  }
}

void clp_patch_grid(clp_study *study, const clp_body *body, int count)
{
  clp_series *series = clp_study_series(study, "patch", "x,y,z");
  for (uint32_t face = 0; face < body->face_count; ++face) {
    add_lines(series, &body->faces[face], count, true);
    add_lines(series, &body->faces[face], count, false);
  }
}
