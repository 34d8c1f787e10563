/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads.h"

#include <math.h>

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

/* ---- Definitions -------------------------------------------------------------------------- */

/* Biquadratic patches of five by five control points and three by three spans: the papers' one, and
 * the same with 30 - z for z. */
static const double net[5][5][4] = {
    {{0, 0, 0, 1}, {1, 3, 3, 1}, {2, 5, 5, 1}, {1, 8, 3, 1}, {0, 10, 0, 1}},
    {{3, 0, 2, 1}, {3, 3, 5, 1}, {3, 5, 7, 1}, {3, 8, 5, 1}, {3, 10, 2, 1}},
    {{5, 0, 3, 1}, {5, 3, 6, 1}, {5, 5, 8, 1}, {5, 8, 6, 1}, {5, 10, 3, 1}},
    {{8, 0, 3, 1}, {8, 3, 5, 1}, {8, 5, 7, 1}, {8, 8, 5, 1}, {8, 10, 2, 1}},
    {{10, 0, 0, 1}, {9, 3, 3, 1}, {8, 5, 5, 1}, {9, 8, 3, 1}, {10, 10, 0, 1}}};
static const double mirrored_net[5][5][4] = {
    {{0, 0, 30, 1}, {1, 3, 27, 1}, {2, 5, 25, 1}, {1, 8, 27, 1}, {0, 10, 30, 1}},
    {{3, 0, 28, 1}, {3, 3, 25, 1}, {3, 5, 23, 1}, {3, 8, 25, 1}, {3, 10, 28, 1}},
    {{5, 0, 27, 1}, {5, 3, 24, 1}, {5, 5, 22, 1}, {5, 8, 24, 1}, {5, 10, 27, 1}},
    {{8, 0, 27, 1}, {8, 3, 25, 1}, {8, 5, 23, 1}, {8, 8, 25, 1}, {8, 10, 28, 1}},
    {{10, 0, 30, 1}, {9, 3, 27, 1}, {8, 5, 25, 1}, {9, 8, 27, 1}, {10, 10, 30, 1}}};
static const double knots[8] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};

static const clp_patch_def patch_def = {.name = "S1",
                                        .degree_u = 2,
                                        .degree_v = 2,
                                        .size_u = 5,
                                        .size_v = 5,
                                        .knots_u = knots,
                                        .knots_v = knots,
                                        .control_points = net[0][0]};
static const clp_patch_def mirrored_patch_def = {.name = "S1",
                                                 .degree_u = 2,
                                                 .degree_v = 2,
                                                 .size_u = 5,
                                                 .size_v = 5,
                                                 .knots_u = knots,
                                                 .knots_v = knots,
                                                 .control_points = mirrored_net[0][0],
                                                 .flip = true};

static clp_body_def sized(clp_shape shape, double a, double b, double c)
{
  clp_body_def def = clp_default_body_def(shape);
  def.size = (clp_vec3){a, b, c};
  return def;
}

static clp_body_def round_body(clp_shape shape, double radius, double length)
{
  clp_body_def def = clp_default_body_def(shape);
  def.radius = radius;
  def.length = length;
  return def;
}

static clp_body_def patch(const clp_patch_def *only)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.convex = def.closed = false;
  def.patches = only;
  def.patch_count = 1;
  return def;
}

static workload define(int k)
{
  const clp_body_def box = sized(CLP_SHAPE_BOX, 1, 1, 1);
  workload w = {.def_a = box, .motion = tumble};
  switch (k) {
    case 0:
      w.name = "W1", w.what = "ellipsoid, ellipsoid";
      w.def_a = sized(CLP_SHAPE_ELLIPSOID, 1, 0.7, 0.5);
      w.def_b = sized(CLP_SHAPE_ELLIPSOID, 0.6, 0.4, 0.9);
      break;
    case 1:
      w.name = "W2", w.what = "NURBS patch, point";
      w.def_a = patch(&patch_def);
      w.def_b = sized(CLP_SHAPE_POINT, 0, 0, 0);
      w.motion = circle_above;
      break;
    case 2:
      w.name = "W3", w.what = "NURBS patch, NURBS patch";
      w.def_a = patch(&patch_def);
      w.def_b = patch(&mirrored_patch_def);
      w.motion = slide;
      break;
    case 3:
      w.name = "W4", w.what = "box, sphere";
      w.def_b = round_body(CLP_SHAPE_SPHERE, 0.5, 0);
      break;
    case 4:
      w.name = "W5", w.what = "box, capsule";
      w.def_b = round_body(CLP_SHAPE_CAPSULE, 0.1, 0.4);
      break;
    default:
      w.name = "W5c", w.what = "box, cylinder";
      w.def_b = round_body(CLP_SHAPE_CYLINDER, 0.1, 0.4);
      break;
  }
  return w;
}

static clp_body *create(const clp_body_def *def)
{
  clp_body *body = NULL;
  return clp_body_create(def, (clp_reporter){0}, &body) == CLP_OK ? body : NULL;
}

workload workload_make(int k)
{
  workload w = define(k);
  w.a = create(&w.def_a);
  w.b = create(&w.def_b);
  return w;
}

void workload_destroy(workload *w)
{
  clp_body_destroy(w->a);
  clp_body_destroy(w->b);
}
