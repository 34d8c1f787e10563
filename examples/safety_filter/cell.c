/* SPDX-License-Identifier: Apache-2.0 */
#include "cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the arm has to keep away from what; farther apart than the range nothing is asked for. */
static const char *const arm[] = {"link_3", "link_4", "link_5", "link_6", "link_7", "gripper_base"};
static const char *const about[] = {
    "table",          "pillar",       "machine",         "torso",         "head",
    "left_upper_arm", "left_forearm", "right_upper_arm", "right_forearm", "pelvis"};
enum { ARM = sizeof arm / sizeof *arm, ABOUT = sizeof about / sizeof *about };

static const double range = 0.5;

/* ---- Hulls of the person -------------------------------------------------------------------- */

/* The person's parts as the file has them: ellipsoids, and capsules, which are balls with a way. */
typedef struct figure {
  const char *link;
  int part;
  clp_vec3 radii;
  double length;
} figure;

static const figure figures[] = {{"torso", 0, {0.12, 0.18, 0.24}, 0},
                                 {"torso", 1, {0.06, 0.06, 0.06}, 0.34},
                                 {"head", 0, {0.055, 0.055, 0.055}, 0.06},
                                 {"head", 1, {0.1, 0.078, 0.125}, 0},
                                 {"left_upper_arm", 0, {0.045, 0.045, 0.045}, 0.26},
                                 {"left_forearm", 0, {0.036, 0.036, 0.036}, 0.22},
                                 {"left_forearm", 1, {0.045, 0.02, 0.09}, 0},
                                 {"right_upper_arm", 0, {0.045, 0.045, 0.045}, 0.26},
                                 {"right_forearm", 0, {0.036, 0.036, 0.036}, 0.22},
                                 {"right_forearm", 1, {0.045, 0.02, 0.09}, 0},
                                 {"pelvis", 0, {0.11, 0.17, 0.1}, 0}};

enum { ROUND = 12, HIGH = 8, CORNERS = ROUND * HIGH, FACETS = ROUND * (HIGH - 1) + 2 };

static const double pi = 3.14159265358979323846;

/* Rings of corners, from below; between them flat trapezoids, and a lid at each end. All of them
 * lie so far out that the facets enclose the figure. */
static clp_body *hull_of(const figure *f)
{
  static double corners[3 * CORNERS];
  static int faces[4 * FACETS + 2 * ROUND], sizes[FACETS];
  double out = 1 / (cos(pi / ROUND) * cos(0.5 * pi / (HIGH - 1)));
  int *next = faces, count = 0;
  for (int i = 0; i < HIGH; ++i)
    for (int k = 0; k < ROUND; ++k) {
      double latitude = pi * (0.04 + 0.92 * i / (HIGH - 1) - 0.5), turn = 2 * pi * k / ROUND;
      double *p = &corners[3 * (i * ROUND + k)];
      p[0] = out * f->radii.x * cos(latitude) * cos(turn);
      p[1] = out * f->radii.y * cos(latitude) * sin(turn);
      p[2] = out * f->radii.z * sin(latitude) + (2 * i < HIGH ? -0.5 : 0.5) * f->length;
    }
  for (int i = 0; i + 1 < HIGH; ++i)
    for (int k = 0; k < ROUND; ++k) {
      int on = (k + 1) % ROUND;
      *next++ = i * ROUND + k;
      *next++ = i * ROUND + on;
      *next++ = (i + 1) * ROUND + on;
      *next++ = (i + 1) * ROUND + k;
      sizes[count++] = 4;
    }
  for (int lid = 0; lid < 2; ++lid) {
    for (int k = 0; k < ROUND; ++k)
      *next++ = lid ? (HIGH - 1) * ROUND + k : ROUND - 1 - k;
    sizes[count++] = ROUND;
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){corners, CORNERS, faces, sizes, count};
  clp_body *body = NULL;
  return clp_body_create(&def, (clp_reporter){0}, &body) == CLP_OK ? body : NULL;
}

static const figure *figure_of(const char *link, int part)
{
  for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k)
    if (strcmp(figures[k].link, link) == 0 && figures[k].part == part)
      return &figures[k];
  return NULL;
}

/* ---- The scene ------------------------------------------------------------------------------ */

static void print_line(void *user, clp_severity severity, const char *line)
{
  (void)user, (void)severity;
  fprintf(stderr, "%s\n", line);
}

/* Each part is a link of the scene by itself, for each has a barrier of its own: where another
 * part's takes over, the nearest distance has a kink, and its rate a jump. */
static bool add_parts(cell *c, const char *name, bool hulls)
{
  int link = clp_model_find_link(c->model, name);
  if (link < 0)
    return false;
  clp_link parts = clp_model_link(c->model, link);
  for (int k = 0; k < parts.count && c->part_count < CELL_PARTS; ++k) {
    clp_part part = parts.parts[k];
    const figure *f = hulls ? figure_of(name, k) : NULL;
    if (f && !(part.body = c->hulls[c->part_count] = hull_of(f)))
      return false;
    c->link_of[c->part_count] = clp_joint_tree_find_link(c->tree, name);
    if (clp_scene_add_link(c->scene, (clp_link){&part, 1}, &c->ids[c->part_count++]) != CLP_OK)
      return false;
  }
  return true;
}

static bool add_pair(cell *c, int a, int b)
{
  int k = c->pair_count;
  if (k == CELL_PAIRS)
    return false;
  c->pairs[k] = (clp_joint_pair){.link_a = c->link_of[a], .link_b = c->link_of[b]};
  c->rows[k] = (clp_joint_row){.gradient = c->gradients[k], .second = c->seconds[k]};
  ++c->pair_count;
  return clp_scene_add_pair(c->scene, c->ids[a], c->ids[b], &c->pairs[k].pair) == CLP_OK;
}

static bool make_scene(cell *c, bool hulls)
{
  clp_scene_limits room = {.links = CELL_PARTS, .pairs = CELL_PAIRS};
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = range;
  bool fine = clp_scene_create(&room, &options, &c->scene) == CLP_OK;
  for (int i = 0; fine && i < ARM; ++i)
    fine = add_parts(c, arm[i], false);
  int own = c->part_count;
  for (int i = 0; fine && i < ABOUT; ++i)
    fine = add_parts(c, about[i], hulls);
  for (int a = 0; fine && a < own; ++a)
    for (int b = own; fine && b < c->part_count; ++b)
      fine = add_pair(c, a, b);
  return fine;
}

bool cell_create(const char *path, bool hulls, cell *c)
{
  const clp_model_sink sink = {print_line, NULL};
  *c = (cell){0};
  bool fine = clp_model_load(path, sink, &c->model) == CLP_OK &&
              clp_joint_tree_load(path, sink, &c->tree) == CLP_OK &&
              clp_joint_space_create(c->tree, false, &c->space) == CLP_OK;
  if (fine) {
    c->first = clp_joint_tree_find_joint(c->tree, "joint_1");
    c->tool = clp_joint_tree_find_link(c->tree, "tcp");
    c->size = clp_joint_space_size(c->space);
    c->joints = clp_joint_tree_joint_count(c->tree);
    fine = c->first >= 0 && c->tool >= 0 && c->size <= CELL_SIZE && c->joints <= CELL_LINKS &&
           clp_joint_tree_link_count(c->tree) <= CELL_LINKS && make_scene(c, hulls);
  }
  if (fine)
    clp_joint_tree_rest(c->tree, c->states);
  else
    fprintf(stderr, "%s: expected the cell with the arm\n", path);
  return fine;
}

void cell_destroy(cell *c)
{
  clp_scene_destroy(c->scene);
  for (int k = 0; k < CELL_PARTS; ++k)
    clp_body_destroy(c->hulls[k]);
  clp_joint_space_destroy(c->space);
  clp_joint_tree_destroy(c->tree);
  clp_model_destroy(c->model);
}

/* ---- Motion --------------------------------------------------------------------------------- */

static void swing(cell *c, const char *name, double middle, double amplitude, double rate,
                  double time)
{
  int joint = clp_joint_tree_find_joint(c->tree, name);
  int k = clp_joint_space_coordinate(c->space, joint);
  double s = sin(rate * time), r = cos(rate * time);
  c->states[joint].position = middle + amplitude * s;
  c->states[joint].speed = c->speeds[k] = amplitude * rate * r;
  c->changes[k] = -amplitude * rate * rate * s;
}

/* Beside the table, within the arm's reach; in the frame of the joint that the person stands by. */
static void put_person(cell *c)
{
  int joint = clp_joint_tree_find_joint(c->tree, "cell_person");
  clp_pose X = clp_joint_tree_joint(c->tree, joint).X_PJ;
  const clp_vec3 to = {0.15 - X.position.x, 0.45 - X.position.y, 0};
  const clp_mat3 *r = &X.rotation;
  c->states[joint].pose.position =
      (clp_vec3){r->x.x * to.x + r->x.y * to.y, r->y.x * to.x + r->y.y * to.y, 0};
}

void cell_move_person(cell *c, double time, double phase)
{
  put_person(c);
  swing(c, "waist", 0.1, 0.06, 1.1, time + phase);
  swing(c, "left_shoulder", -0.4, 0.25, 0.9, time + 2 * phase);
  swing(c, "right_shoulder", -0.5, 0.25, 0.8, time + 3 * phase);
  swing(c, "left_elbow", -0.6, 0.2, 1.0, time + phase);
  swing(c, "right_elbow", -0.5, 0.2, 0.7, time);
}

void cell_step(cell *c, double time, bool again)
{
  const clp_pose root = clp_pose_identity();
  clp_joint_tree_motion(c->tree, c->states, c->X_RL, NULL);
  for (int k = 0; k < c->part_count; ++k)
    clp_scene_set_motion(c->scene, c->ids[k], &c->X_RL[c->link_of[k]], NULL);
  clp_scene_report report =
      again ? clp_scene_query(c->scene, time) : clp_scene_step(c->scene, time);
  c->least = report.lower_bound;
  clp_joint_space_derive(c->space, c->scene, &root, c->X_RL, c->pairs, c->pair_count, c->rows);
}

clp_vec3 cell_tool(const cell *c, clp_vec3 columns[CELL_AXES])
{
  static clp_twist all[CELL_LINKS];
  clp_joint_tree_jacobian(c->tree, c->X_RL, c->tool, all);
  for (int k = 0; k < CELL_AXES; ++k)
    columns[k] = all[c->first + k].linear;
  return c->X_RL[c->tool].position;
}
