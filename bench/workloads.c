/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"

static const double pi = 3.14159265358979323846;

/* ---- Motions ------------------------------------------------------------------------------ */

/* Rodrigues' formula. */
static clp_mat3 rotation_about(clp_vec3 axis, double angle)
{
  clp_mat3 r;
  clp_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, columns[3];
  for (int k = 0; k < 3; ++k) {
    clp_vec3 e = units[k];
    columns[k] = clp_add_scaled(clp_scale(cos(angle), e), sin(angle), clp_cross(axis, e));
    columns[k] = clp_add_scaled(columns[k], (1 - cos(angle)) * clp_dot(axis, e), axis);
  }
  r = (clp_mat3){columns[0], columns[1], columns[2]};
  return r;
}

/* W1: round a pole-free ellipsoid, turning. */
static void tumble(double t, clp_pose *X, clp_twist *V)
{
  const clp_vec3 axis = clp_scale(1 / sqrt(14), (clp_vec3){1, 2, 3});
  X->position = (clp_vec3){3 + 0.5 * cos(2 * pi * t), 0.8 * sin(4 * pi * t), 0.4 * sin(2 * pi * t)};
  X->rotation = rotation_about(axis, 1.4 * pi * t);
  V->linear =
      (clp_vec3){-pi * sin(2 * pi * t), 3.2 * pi * cos(4 * pi * t), 0.8 * pi * cos(2 * pi * t)};
  V->angular = clp_scale(1.4 * pi, axis);
}

/* W2: a point on a loop above the patch. */
static void circle_above(double t, clp_pose *X, clp_twist *V)
{
  *X = clp_pose_identity();
  X->position =
      (clp_vec3){5 + 4 * cos(2 * pi * t), 5 + 4 * sin(2 * pi * t), 14 + 2 * sin(4 * pi * t)};
  V->linear =
      (clp_vec3){-8 * pi * sin(2 * pi * t), 8 * pi * cos(2 * pi * t), 8 * pi * cos(4 * pi * t)};
  V->angular = (clp_vec3){0, 0, 0};
}

/* W3: the mirrored patch, sliding and turning. */
static void slide(double t, clp_pose *X, clp_twist *V)
{
  const clp_vec3 z = {0, 0, 1};
  X->position = (clp_vec3){sin(2 * pi * t), cos(2 * pi * t), 0.5 * sin(4 * pi * t)};
  X->rotation = rotation_about(z, 0.2 * sin(2 * pi * t));
  V->linear =
      (clp_vec3){2 * pi * cos(2 * pi * t), -2 * pi * sin(2 * pi * t), 2 * pi * cos(4 * pi * t)};
  V->angular = clp_scale(0.4 * pi * cos(2 * pi * t), z);
}

/* ---- Bodies ------------------------------------------------------------------------------- */

static clp_body *create(const clp_body_def *def)
{
  clp_body *body = NULL;
  return clp_body_create(def, (clp_reporter){0}, &body) == CLP_OK ? body : NULL;
}

static clp_body *ellipsoid(double a, double b, double c)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_ELLIPSOID);
  def.size = (clp_vec3){a, b, c};
  return create(&def);
}

static clp_body *box(double a, double b, double c)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){a, b, c};
  return create(&def);
}

static clp_body *round_body(clp_shape shape, double radius, double length)
{
  clp_body_def def = clp_default_body_def(shape);
  def.radius = radius;
  def.length = length;
  return create(&def);
}

static clp_body *origin(void)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  return create(&def);
}

/* The biquadratic patch of five by five control points and three by three spans; `mirror` writes
 * 30 - z for z. */
static clp_body *patch(bool mirror)
{
  static const double net[5][5][3] = {{{0, 0, 0}, {1, 3, 3}, {2, 5, 5}, {1, 8, 3}, {0, 10, 0}},
                                      {{3, 0, 2}, {3, 3, 5}, {3, 5, 7}, {3, 8, 5}, {3, 10, 2}},
                                      {{5, 0, 3}, {5, 3, 6}, {5, 5, 8}, {5, 8, 6}, {5, 10, 3}},
                                      {{8, 0, 3}, {8, 3, 5}, {8, 5, 7}, {8, 8, 5}, {8, 10, 2}},
                                      {{10, 0, 0}, {9, 3, 3}, {8, 5, 5}, {9, 8, 3}, {10, 10, 0}}};
  static const double knots[8] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
  double points[5][5][4];
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const double *p = net[i][j];
      const double point[4] = {p[0], p[1], mirror ? 30 - p[2] : p[2], 1};
      memcpy(points[i][j], point, sizeof point);
    }
  clp_patch_def def_patch = {.name = "S1",
                             .degree_u = 2,
                             .degree_v = 2,
                             .size_u = 5,
                             .size_v = 5,
                             .knots_u = knots,
                             .knots_v = knots,
                             .control_points = points[0][0],
                             .flip = mirror};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.convex = def.closed = false;
  def.patches = &def_patch;
  def.patch_count = 1;
  return create(&def);
}

workload workload_make(int k)
{
  switch (k) {
    case 0:
      return (workload){"W1", "ellipsoid, ellipsoid", ellipsoid(1, 0.7, 0.5),
                        ellipsoid(0.6, 0.4, 0.9), tumble};
    case 1:
      return (workload){"W2", "NURBS patch, point", patch(false), origin(), circle_above};
    case 2:
      return (workload){"W3", "NURBS patch, NURBS patch", patch(false), patch(true), slide};
    case 3:
      return (workload){"W4", "box, sphere", box(1, 1, 1), round_body(CLP_SHAPE_SPHERE, 0.5, 0),
                        tumble};
    default:
      return (workload){"W5", "box, capsule", box(1, 1, 1), round_body(CLP_SHAPE_CAPSULE, 0.1, 0.4),
                        tumble};
  }
}

void workload_destroy(workload *w)
{
  clp_body_destroy(w->a);
  clp_body_destroy(w->b);
}
