/* SPDX-License-Identifier: Apache-2.0 */
#include "cell.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"

static const double pi = 3.14159265358979323846;

/* Rodrigues' formula. */
static clp_mat3 rotation_about(clp_vec3 axis, double angle)
{
  clp_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, columns[3];
  for (int k = 0; k < 3; ++k) {
    clp_vec3 e =
        clp_add_scaled(clp_scale(cos(angle), units[k]), sin(angle), clp_cross(axis, units[k]));
    columns[k] = clp_add_scaled(e, (1 - cos(angle)) * clp_dot(axis, units[k]), axis);
  }
  return (clp_mat3){columns[0], columns[1], columns[2]};
}

/* ---- The robot ---------------------------------------------------------------------------- */

typedef enum joint_kind { REVOLUTE, PRISMATIC, FIXED } joint_kind;

/* A joint's position is middle + swing sin(2 pi turns t / CELL_PERIOD + phase). */
typedef struct joint {
  int parent; /* -1: the world */
  joint_kind kind;
  clp_vec3 origin, axis; /* in the parent's frame */
  double middle, swing;
  int turns;
  double phase;
} joint;

static const joint joints[CELL_ROBOT_LINKS] = {
    {-1, REVOLUTE, {0, 0, 0.12}, {0, 0, 1}, 0.2, 1.2, 1, 0.0},
    {0, REVOLUTE, {0, 0, 0.20}, {0, 1, 0}, 0.5, 0.5, 2, 0.7},
    {1, REVOLUTE, {0, 0, 0.30}, {0, 0, 1}, -0.3, 0.8, 1, 1.9},
    {2, REVOLUTE, {0, 0, 0.16}, {0, 1, 0}, 0.9, 0.5, 3, 0.3},
    {3, REVOLUTE, {0, 0, 0.28}, {0, 0, 1}, 0.0, 1.1, 2, 2.6},
    {4, REVOLUTE, {0, 0, 0.18}, {0, 1, 0}, 0.6, 0.6, 2, 4.0},
    {5, REVOLUTE, {0, 0, 0.20}, {0, 0, 1}, 0.0, 1.5, 1, 5.1},
    {6, REVOLUTE, {0, 0, 0.10}, {0, 1, 0}, 0.4, 0.5, 3, 1.1},
    {7, FIXED, {0, 0, 0.10}, {0, 0, 1}, 0, 0, 0, 0},
    {8, PRISMATIC, {0, 0, 0.03}, {0, 1, 0}, 0.035, 0.015, 5, 0.0},
    {8, PRISMATIC, {0, 0, 0.03}, {0, 1, 0}, -0.035, -0.015, 5, 0.0},
};

/* A part of the robot; its axis is z of the link, or y where `across`. */
typedef struct robot_part {
  int link;
  clp_shape shape;
  clp_vec3 size;
  double radius, length;
  clp_vec3 center;
  bool across;
} robot_part;

static const robot_part robot_parts[] = {
    {0, CLP_SHAPE_CYLINDER, {0, 0, 0}, 0.095, 0.22, {0, 0, 0}, false},
    {1, CLP_SHAPE_CYLINDER, {0, 0, 0}, 0.085, 0.19, {0, 0, 0}, true},
    {1, CLP_SHAPE_CAPSULE, {0, 0, 0}, 0.07, 0.20, {0, 0, 0.13}, false},
    {2, CLP_SHAPE_CYLINDER, {0, 0, 0}, 0.068, 0.16, {0, 0, 0.04}, false},
    {3, CLP_SHAPE_CYLINDER, {0, 0, 0}, 0.070, 0.15, {0, 0, 0}, true},
    {3, CLP_SHAPE_CAPSULE, {0, 0, 0}, 0.06, 0.18, {0, 0, 0.12}, false},
    {4, CLP_SHAPE_BOX, {0.11, 0.10, 0.16}, 0, 0, {0, 0, 0.05}, false},
    {5, CLP_SHAPE_CYLINDER, {0, 0, 0}, 0.056, 0.12, {0, 0, 0}, true},
    {5, CLP_SHAPE_CAPSULE, {0, 0, 0}, 0.05, 0.12, {0, 0, 0.09}, false},
    {6, CLP_SHAPE_CYLINDER, {0, 0, 0}, 0.046, 0.10, {0, 0, 0.03}, false},
    {7, CLP_SHAPE_CAPSULE, {0, 0, 0}, 0.042, 0.06, {0, 0, 0.03}, false},
    {8, CLP_SHAPE_BOX, {0.06, 0.15, 0.05}, 0, 0, {0, 0, 0}, false},
    {9, CLP_SHAPE_BOX, {0.022, 0.012, 0.09}, 0, 0, {0, 0, 0.045}, false},
    {9, CLP_SHAPE_CAPSULE, {0, 0, 0}, 0.009, 0.02, {0, 0, 0.10}, false},
    {10, CLP_SHAPE_BOX, {0.022, 0.012, 0.09}, 0, 0, {0, 0, 0.045}, false},
    {10, CLP_SHAPE_CAPSULE, {0, 0, 0}, 0.009, 0.02, {0, 0, 0.10}, false},
};

enum { ROBOT_PARTS = sizeof robot_parts / sizeof *robot_parts };

static cell_part part_of_robot(const robot_part *r)
{
  cell_part part = {.def = clp_default_body_def(r->shape), .link = r->link};
  part.def.size = r->size;
  part.def.radius = r->radius;
  part.def.length = r->length;
  part.X_LP.rotation = clp_rotation_from_rpy(r->across ? 0.5 * pi : 0, 0, 0);
  part.X_LP.position = r->center;
  return part;
}

static void move_robot(double t, clp_pose *X_WL, clp_twist *V_WL)
{
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < CELL_ROBOT_LINKS; ++k) {
    const joint *j = &joints[k];
    clp_pose X_WP = j->parent < 0 ? clp_pose_identity() : X_WL[j->parent];
    clp_twist V_WP = j->parent < 0 ? still : V_WL[j->parent];
    double pace = 2 * pi * j->turns / CELL_PERIOD;
    double position = j->middle + j->swing * sin(pace * t + j->phase);
    double speed = j->swing * pace * cos(pace * t + j->phase);
    clp_vec3 axis = clp_rotate(X_WP.rotation, j->axis), origin = j->origin;
    if (j->kind == PRISMATIC)
      origin = clp_add_scaled(origin, position, j->axis);
    X_WL[k].position = clp_transform(X_WP, origin);
    X_WL[k].rotation = j->kind == REVOLUTE
                           ? clp_mat3_multiply(X_WP.rotation, rotation_about(j->axis, position))
                           : X_WP.rotation;
    clp_vec3 lever = clp_sub(X_WL[k].position, X_WP.position);
    V_WL[k].linear = clp_add(V_WP.linear, clp_cross(V_WP.angular, lever));
    V_WL[k].angular = V_WP.angular;
    if (j->kind == PRISMATIC)
      V_WL[k].linear = clp_add_scaled(V_WL[k].linear, speed, axis);
    if (j->kind == REVOLUTE)
      V_WL[k].angular = clp_add_scaled(V_WL[k].angular, speed, axis);
  }
}

/* ---- Random numbers: splitmix64, the same everywhere -------------------------------------- */

static double uniform(uint64_t *state, double from, double to)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  z ^= z >> 31;
  return from + (to - from) * ldexp((double)(z >> 11), -53);
}

/* Uniform on the sphere: a height, and an angle about z. */
static clp_vec3 direction(uint64_t *state)
{
  double z = uniform(state, -1, 1), angle = uniform(state, 0, 2 * pi), r = sqrt(1 - z * z);
  return (clp_vec3){r * cos(angle), r * sin(angle), z};
}

/* ---- Obstacles ---------------------------------------------------------------------------- */

static clp_body_def random_shape(int k, uint64_t *state)
{
  static const clp_shape kinds[5] = {CLP_SHAPE_BOX, CLP_SHAPE_SPHERE, CLP_SHAPE_CAPSULE,
                                     CLP_SHAPE_CYLINDER, CLP_SHAPE_ELLIPSOID};
  clp_body_def def = clp_default_body_def(kinds[k % 5]);
  double a = uniform(state, 0.04, 0.16), b = uniform(state, 0.04, 0.16);
  double c = uniform(state, 0.06, 0.30);
  bool ellipsoid = def.shape == CLP_SHAPE_ELLIPSOID;
  def.size = ellipsoid ? (clp_vec3){a, b, 0.5 * c} : (clp_vec3){2 * a, 2 * b, c};
  def.radius = 0.6 * a;
  def.length = c;
  return def;
}

/* Of a ball about the part's origin that holds it. */
static double bounding_radius(const clp_body_def *def)
{
  switch (def->shape) {
    case CLP_SHAPE_BOX:
      return 0.5 * clp_norm(def->size);
    case CLP_SHAPE_ELLIPSOID:
      return fmax(def->size.x, fmax(def->size.y, def->size.z));
    case CLP_SHAPE_CYLINDER:
      return hypot(def->radius, 0.5 * def->length);
    case CLP_SHAPE_CAPSULE:
      return def->radius + 0.5 * def->length;
    default:
      return def->radius;
  }
}

/* A third rests, the others move at a slow walk. */
static cell_drift random_drift(int k, double hall_radius, uint64_t *state)
{
  double r = hall_radius * sqrt(uniform(state, 0, 1)), angle = uniform(state, 0, 2 * pi);
  cell_drift d = {.center = {r * cos(angle), r * sin(angle), uniform(state, 0, 1.8)},
                  .swing = clp_scale(uniform(state, 0.02, 0.20), direction(state)),
                  .axis = direction(state),
                  .frequency = (1 + k % 4) / CELL_PERIOD,
                  .phase = uniform(state, 0, 2 * pi),
                  .turn_rate = 2 * pi * (1 + k % 2) / CELL_PERIOD,
                  .angle = uniform(state, 0, 2 * pi)};
  if (k % 3 == 0) {
    d.swing = (clp_vec3){0, 0, 0};
    d.turn_rate = 0;
  }
  return d;
}

static clp_vec3 drift_position(const cell_drift *d, double t)
{
  return clp_add_scaled(d->center, sin(2 * pi * d->frequency * t + d->phase), d->swing);
}

static void move_obstacle(const cell_drift *d, double t, clp_pose *X_WL, clp_twist *V_WL)
{
  double pace = 2 * pi * d->frequency, angle = pace * t + d->phase;
  X_WL->position = drift_position(d, t);
  X_WL->rotation = rotation_about(d->axis, d->turn_rate * t + d->angle);
  V_WL->linear = clp_scale(pace * cos(angle), d->swing);
  V_WL->angular = clp_scale(d->turn_rate, d->axis);
}

/* ---- Obstacles keep clear of the robot ---------------------------------------------------- */

enum { SAMPLES = 1000 }; /* of the period; robot and obstacle move 2 cm between two of them */
static const double clearance = 0.03;

/* A robot part at one instant, within a radius of a segment. */
typedef struct segment {
  clp_vec3 from, along;
  double radius;
} segment;

static segment segment_round(const cell_part *part, const clp_pose *X_WL)
{
  const clp_body_def *def = &part->def;
  bool box = def->shape == CLP_SHAPE_BOX;
  clp_pose X_WP = clp_pose_multiply(X_WL[part->link], part->X_LP);
  double length = box ? def->size.z : def->length;
  double radius = box ? 0.5 * hypot(def->size.x, def->size.y) : def->radius;
  return (segment){clp_transform(X_WP, (clp_vec3){0, 0, -0.5 * length}),
                   clp_scale(length, X_WP.rotation.z), radius};
}

static void sweep_robot(const cell_part *parts, segment *swept)
{
  clp_pose X_WL[CELL_ROBOT_LINKS];
  clp_twist V_WL[CELL_ROBOT_LINKS];
  for (int s = 0; s < SAMPLES; ++s) {
    move_robot(s * CELL_PERIOD / SAMPLES, X_WL, V_WL);
    for (int k = 0; k < ROBOT_PARTS; ++k)
      swept[s * ROBOT_PARTS + k] = segment_round(&parts[k], X_WL);
  }
}

/* How far from the world's origin the robot ever gets. */
static double reach_of_robot(const segment *swept)
{
  double reach = 0;
  for (int k = 0; k < SAMPLES * ROBOT_PARTS; ++k) {
    const segment *s = &swept[k];
    double ends = fmax(clp_norm(s->from), clp_norm(clp_add(s->from, s->along)));
    reach = fmax(reach, ends + s->radius);
  }
  return reach;
}

/* It never comes within a reach and a hand's breadth, so that rounding has nothing to do with it.
 */
static bool is_beyond(double reach, const cell_drift *drift, double radius)
{
  return clp_norm(drift->center) - clp_norm(drift->swing) > reach + radius + clearance + 0.1;
}

static bool is_clear(const segment *swept, const cell_drift *drift, double radius)
{
  for (int k = 0; k < SAMPLES * ROBOT_PARTS; ++k) {
    const segment *s = &swept[k];
    clp_vec3 center = drift_position(drift, k / ROBOT_PARTS * CELL_PERIOD / SAMPLES);
    double t = clp_dot(clp_sub(center, s->from), s->along) / clp_norm2(s->along);
    clp_vec3 nearest = clp_add_scaled(s->from, fmin(1, fmax(0, t)), s->along);
    if (clp_distance(nearest, center) < radius + s->radius + clearance)
      return false;
  }
  return true;
}

static void place_obstacles(cell *c, const segment *swept)
{
  const double hall_radius = 0.5 * cbrt(c->obstacles), reach = reach_of_robot(swept);
  uint64_t state = 20240229;
  for (int k = 0; k < c->obstacles; ++k) {
    cell_part *part = &c->parts[ROBOT_PARTS + k];
    *part = (cell_part){random_shape(k, &state), CELL_ROBOT_LINKS + k, clp_pose_identity()};
    double radius = bounding_radius(&part->def);
    do
      c->drifts[k] = random_drift(k, hall_radius, &state);
    while (!is_beyond(reach, &c->drifts[k], radius) && !is_clear(swept, &c->drifts[k], radius));
  }
}

/* ---- The cell ----------------------------------------------------------------------------- */

bool cell_make(int obstacles, cell *made)
{
  cell c = {.links = CELL_ROBOT_LINKS + obstacles,
            .obstacles = obstacles,
            .part_count = ROBOT_PARTS + obstacles};
  c.parts = malloc((size_t)c.part_count * sizeof *c.parts);
  c.drifts = malloc((size_t)(obstacles > 0 ? obstacles : 1) * sizeof *c.drifts);
  segment *swept = malloc(sizeof *swept * SAMPLES * ROBOT_PARTS);
  bool complete = c.parts != NULL && c.drifts != NULL && swept != NULL;
  if (complete) {
    for (int k = 0; k < ROBOT_PARTS; ++k)
      c.parts[k] = part_of_robot(&robot_parts[k]);
    sweep_robot(c.parts, swept);
    place_obstacles(&c, swept);
  } else {
    cell_destroy(&c);
  }
  free(swept);
  *made = c;
  return complete;
}

void cell_destroy(cell *c)
{
  free(c->parts);
  free(c->drifts);
  *c = (cell){0};
}

void cell_motion(const cell *c, double t, clp_pose *X_WL, clp_twist *V_WL)
{
  move_robot(t, X_WL, V_WL);
  for (int k = 0; k < c->obstacles; ++k)
    move_obstacle(&c->drifts[k], t, &X_WL[CELL_ROBOT_LINKS + k], &V_WL[CELL_ROBOT_LINKS + k]);
}
