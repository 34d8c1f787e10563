/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/demo_cell.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"

/* 0 to 1, at rest at both ends. */
static double ease(double u)
{
  u = fmin(fmax(u, 0), 1);
  return u * u * u * (10 + u * (6 * u - 15));
}

static double between(double a, double b, double u)
{
  return a + u * (b - a);
}

/* ---- The arm's path ----------------------------------------------------------------------- */

/* Where the tool center point goes, in the arm's base, the gripper pointing down. */
typedef struct stop {
  clp_vec3 place;
  double opening;  /* of each finger, m */
  double duration; /* from the stop before, s */
} stop;

static const stop stops[] = {
    {{0.40, -0.30, 0.34}, 0.025, 1.4}, {{0.40, -0.30, 0.14}, 0.025, 1.0},
    {{0.40, -0.30, 0.14}, 0.008, 0.4}, {{0.40, -0.30, 0.34}, 0.008, 0.8},
    {{0.48, 0.30, 0.34}, 0.008, 2.0},  {{0.48, 0.30, 0.14}, 0.008, 1.0},
    {{0.48, 0.30, 0.14}, 0.025, 0.4},  {{0.48, 0.30, 0.34}, 0.025, 0.8},
};
#define STOPS ((int)(sizeof stops / sizeof *stops))

typedef struct posture {
  double arm[CLP_DEMO_ARM_JOINTS], finger;
} posture;

/* The arm's lengths: base to shoulder, shoulder to elbow to wrist to tool center point. Joints 2, 4
 * and 6 bend in one vertical plane, which joint 1 turns; joint 7 turns the gripper back. */
static posture posture_at(const stop *s)
{
  const double shoulder = 0.34, upper = 0.40, fore = 0.36, hand = 0.23;
  double turn = atan2(s->place.y, s->place.x);
  double r = hypot(s->place.x, s->place.y), z = s->place.z + hand - shoulder;
  double cosine = (r * r + z * z - upper * upper - fore * fore) / (2 * upper * fore);
  double elbow = acos(fmin(fmax(cosine, -1), 1));
  double lean = atan2(r, z) - atan2(fore * sin(elbow), upper + fore * cos(elbow));
  double wrist = acos(-1) - lean - elbow;
  return (posture){{turn, lean, 0, elbow, 0, wrist, turn}, s->opening};
}

static posture posture_on_path(double path_time)
{
  double period = 0;
  for (int k = 0; k < STOPS; ++k)
    period += stops[k].duration;
  double left = fmod(path_time, period);
  int k = 0;
  while (k < STOPS - 1 && left >= stops[k].duration)
    left -= stops[k++].duration;
  posture from = posture_at(&stops[(k + STOPS - 1) % STOPS]), to = posture_at(&stops[k]);
  double u = ease(left / stops[k].duration);
  for (int j = 0; j < CLP_DEMO_ARM_JOINTS; ++j)
    to.arm[j] = between(from.arm[j], to.arm[j], u);
  to.finger = between(from.finger, to.finger, u);
  return to;
}

/* ---- The person's way --------------------------------------------------------------------- */

/* The parabola (0.5 + A u, 0.78 + B u^2), u from -1 to 1: between the pillar and the machine to the
 * table, along it, and away again. */
#define WAY_A 1.8
#define WAY_B 2.8

static clp_vec3 way_at(double u)
{
  return (clp_vec3){0.5 + WAY_A * u, 0.78 + WAY_B * u * u, 0};
}

/* The length of the way from its middle: the integral of sqrt(A^2 + (2 B u)^2). */
static double way_length(double u)
{
  double k = 2 * WAY_B / WAY_A;
  return 0.5 * WAY_A * (u * sqrt(1 + k * k * u * u) + asinh(k * u) / k);
}

typedef struct stride {
  clp_pose pose;
  double phase; /* of the gait, in pairs of steps */
  double vigor; /* of the gait, 0 to 1 */
} stride;

static stride stride_at(double time)
{
  const double pass = CLP_DEMO_WALK + CLP_DEMO_REST, pair_of_steps = 1.4;
  double passes = floor(time / pass), left = time - passes * pass;
  bool back = fmod(passes, 2) != 0;
  double sign = back ? -1 : 1;
  double w = 2 * ease(left / CLP_DEMO_WALK) - 1, u = sign * 0.5 * w * (1 + w * w); /* slow midway */
  double turned = acos(-1) * (ease((left - CLP_DEMO_WALK) / CLP_DEMO_REST) + back);
  double heading = atan2(2 * WAY_B * u, WAY_A) + turned;
  double v = left < CLP_DEMO_WALK ? left / CLP_DEMO_WALK : 0;
  return (stride){.pose = {clp_rotation_from_rpy(0, 0, heading), way_at(u)},
                  .phase = way_length(u) * sign / pair_of_steps,
                  .vigor = 16 * v * v * (1 - v) * (1 - v)};
}

typedef struct limb {
  const char *joint;
  double middle, swing; /* radians */
  double lag;           /* of a pair of steps */
} limb;

static const limb limbs[CLP_DEMO_LIMBS] = {
    {"waist", 0.05, 0.02, 0},          {"neck", 0, 0.08, 0.3},
    {"left_shoulder", -0.05, 0.12, 0}, {"right_shoulder", -0.05, 0.12, 0.5},
    {"left_elbow", -0.4, 0.1, 0},      {"right_elbow", -0.4, 0.1, 0.5},
    {"left_hip", -0.1, 0.3, 0.5},      {"right_hip", -0.1, 0.3, 0},
    {"left_knee", 0.3, 0.25, 0.6},     {"right_knee", 0.3, 0.25, 0.1},
    {"left_ankle", 0, 0.12, 0.5},      {"right_ankle", 0, 0.12, 0},
};

static double limb_at(const limb *l, stride s)
{
  return l->middle * (0.3 + 0.7 * s.vigor) +
         l->swing * s.vigor * sin(2 * acos(-1) * (s.phase - l->lag));
}

/* ---- The cell ----------------------------------------------------------------------------- */

static void place_all(clp_demo_cell *cell)
{
  posture p = posture_on_path(cell->path_time);
  stride s = stride_at(cell->time);
  for (int j = 0; j < CLP_DEMO_ARM_JOINTS; ++j)
    cell->states[cell->arm[j]].position = p.arm[j];
  cell->states[cell->finger].position = p.finger;
  for (int k = 0; k < CLP_DEMO_LIMBS; ++k)
    cell->states[cell->limbs[k]].position = limb_at(&limbs[k], s);
  clp_joint person = clp_joint_tree_joint(cell->tree, cell->person);
  cell->states[cell->person].pose = clp_pose_multiply(clp_pose_inverse(person.X_PJ), s.pose);
}

static bool find_joints(clp_demo_cell *cell)
{
  static const char *const arm[CLP_DEMO_ARM_JOINTS] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                                       "joint_5", "joint_6", "joint_7"};
  cell->finger = clp_joint_tree_find_joint(cell->tree, "left_finger_joint");
  cell->person = clp_joint_tree_find_joint(cell->tree, "cell_person");
  bool good = cell->finger >= 0 && cell->person >= 0;
  for (int j = 0; j < CLP_DEMO_ARM_JOINTS; ++j)
    good &= (cell->arm[j] = clp_joint_tree_find_joint(cell->tree, arm[j])) >= 0;
  for (int k = 0; k < CLP_DEMO_LIMBS; ++k)
    good &= (cell->limbs[k] = clp_joint_tree_find_joint(cell->tree, limbs[k].joint)) >= 0;
  return good;
}

clp_status clp_demo_cell_create(const clp_joint_tree *tree, clp_demo_cell *cell)
{
  clp_demo_cell fresh = {.tree = tree};
  if (!find_joints(&fresh))
    return CLP_ERROR_FORMAT;
  fresh.states = calloc((size_t)clp_joint_tree_joint_count(tree), sizeof *fresh.states);
  if (!fresh.states)
    return CLP_ERROR_MEMORY;
  clp_joint_tree_rest(tree, fresh.states);
  place_all(&fresh);
  *cell = fresh;
  return CLP_OK;
}

void clp_demo_cell_release(clp_demo_cell *cell)
{
  free(cell->states);
  *cell = (clp_demo_cell){0};
}

void clp_demo_cell_step(clp_demo_cell *cell, double dt, double permitted)
{
  double least = cell->pace - dt / CLP_DEMO_BRAKING, most = cell->pace + dt / CLP_DEMO_STARTING;
  cell->pace = fmin(fmax(fmax(permitted, 0), least), fmin(most, 1));
  cell->path_time += cell->pace * dt;
  cell->time += dt;
  place_all(cell);
}
