/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the documentation's pictures: draw_figures FIGURE MODEL > picture.ppm */
#include <stdlib.h>
#include <string.h>

#include "draw_body.h"
#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/math/pose.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static const color white = {1, 1, 1};
static const color ink = {0.13, 0.15, 0.18};

static const color pastels[] = {
    {0.55, 0.72, 0.90}, {0.98, 0.80, 0.50}, {0.62, 0.83, 0.66},
    {0.91, 0.64, 0.60}, {0.76, 0.68, 0.88}, {0.60, 0.84, 0.84},
};

/* ---- Bodies with their normals -------------------------------------------------------------- */

typedef struct exhibit {
  const char *link;
  int part;
  clp_vec3 middle; /* where the middle of its bounds comes to stand */
  clp_vec3 rpy;
} exhibit;

static const exhibit shells[] = {
    {"link_2", 0, {-0.145, 0, 0}, {0.35, -0.15, 0.45}},
    {"link_5", 0, {0.135, 0, 0.002}, {0.2, 1.1, 0.95}},
};

static void draw_shells(const clp_model *model, canvas *picture, lights lamp)
{
  const line_style lines = {2.2, 1.1, ink, 0.002};
  const normal_style normals = {0.024, 0.042, {0.86, 0.30, 0.12}};
  for (int i = 0; i < COUNT(shells); i++) {
    const exhibit *e = &shells[i];
    clp_part part = clp_model_part(model, clp_model_find_link(model, e->link), e->part);
    clp_box3 bounds = clp_body_describe(part.body).bounds;
    clp_pose pose = {.rotation = clp_rotation_from_rpy(e->rpy.x, e->rpy.y, e->rpy.z)};
    clp_vec3 middle = clp_rotate(pose.rotation, clp_lerp(bounds.min, bounds.max, 0.5));
    pose.position = clp_sub(e->middle, middle);
    draw_faces(picture, part.body, pose, lamp, pastels, COUNT(pastels));
    draw_edges(picture, part.body, pose, lines);
    draw_normals(picture, part.body, pose, lamp, normals);
  }
}

/* ---- The work cell -------------------------------------------------------------------------- */

typedef struct joint_position {
  const char *joint;
  double position;
} joint_position;

static const joint_position working[] = {
    {"joint_1", -0.75},
    {"joint_2", 0.55},
    {"joint_4", 1.15},
    {"joint_6", 0.9},
    {"joint_7", 0.6},
    {"left_finger_joint", 0.025},
    {"right_finger_joint", 0.025},
    {"left_hip", -0.4},
    {"right_hip", 0.3},
    {"left_knee", 0.15},
    {"right_knee", 0.45},
    {"left_shoulder", 0.35},
    {"right_shoulder", -0.75},
    {"left_elbow", -0.3},
    {"right_elbow", -0.6},
    {"waist", 0.06},
};

typedef struct link_color {
  const char *prefix; /* of the link's name */
  color paint;
} link_color;

/* The first that fits. */
static const link_color link_colors[] = {
    {"table", {0.70, 0.73, 0.77}},           {"pillar", {0.78, 0.76, 0.72}},
    {"machine", {0.62, 0.75, 0.70}},         {"head", {0.90, 0.73, 0.60}},
    {"left_forearm", {0.90, 0.73, 0.60}},    {"right_forearm", {0.90, 0.73, 0.60}},
    {"left_finger", {0.45, 0.48, 0.52}},     {"right_finger", {0.45, 0.48, 0.52}},
    {"torso", {0.42, 0.55, 0.75}},           {"left_upper_arm", {0.42, 0.55, 0.75}},
    {"right_upper_arm", {0.42, 0.55, 0.75}}, {"pelvis", {0.36, 0.40, 0.50}},
    {"left_", {0.36, 0.40, 0.50}},           {"right_", {0.36, 0.40, 0.50}},
    {"gripper", {0.45, 0.48, 0.52}},         {"base_link", {0.95, 0.92, 0.86}},
    {"link_2", {0.96, 0.93, 0.87}},          {"link_3", {0.96, 0.93, 0.87}},
    {"link_5", {0.96, 0.93, 0.87}},          {"link_7", {0.96, 0.93, 0.87}},
    {"link_", {0.92, 0.52, 0.25}},
};

static color link_paint(const char *link)
{
  for (int i = 0; i < COUNT(link_colors); i++) {
    if (strncmp(link, link_colors[i].prefix, strlen(link_colors[i].prefix)) == 0)
      return link_colors[i].paint;
  }
  return white;
}

/* Square tiles of half a meter round the origin, below every shadow. */
static void draw_floor(canvas *picture)
{
  const color tile = {0.955, 0.955, 0.95}, joint_line = {0.87, 0.87, 0.86};
  for (int i = -6; i < 8; i++) {
    for (int j = -6; j < 6; j++) {
      clp_vec3 p = {0.5 * i, 0.5 * j, -0.002};
      canvas_vertex corner[4] = {{p, tile},
                                 {clp_add(p, clp_vec3_make(0.5, 0, 0)), tile},
                                 {clp_add(p, clp_vec3_make(0.5, 0.5, 0)), tile},
                                 {clp_add(p, clp_vec3_make(0, 0.5, 0)), tile}};
      canvas_triangle(picture, corner[0], corner[1], corner[2]);
      canvas_triangle(picture, corner[0], corner[2], corner[3]);
      canvas_line(picture, corner[0].place, corner[1].place, 0.8, 0, joint_line);
      canvas_line(picture, corner[0].place, corner[3].place, 0.8, 0, joint_line);
    }
  }
}

static void draw_link(const clp_model *model, int link, clp_pose pose, canvas *picture, lights lamp)
{
  const color shadow = {0.80, 0.80, 0.80};
  color paint = link_paint(clp_model_link_name(model, link));
  line_style style = {1.1, 0.6, color_mix(paint, ink, 0.75), 0.004};
  for (int p = 0; p < clp_model_part_count(model, link); p++) {
    clp_part part = clp_model_part(model, link, p);
    clp_pose there = clp_pose_multiply(pose, part.X_LP);
    draw_shadow(picture, part.body, there, lamp, shadow);
    draw_faces(picture, part.body, there, lamp, &paint, 1);
    draw_edges(picture, part.body, there, style);
  }
}

/* The links' poses while the arm works; NULL without memory, or when a joint is missing. */
static clp_pose *working_poses(const clp_joint_tree *tree)
{
  clp_joint_state *states = calloc((size_t)clp_joint_tree_joint_count(tree), sizeof *states);
  clp_pose *poses = calloc((size_t)clp_joint_tree_link_count(tree), sizeof *poses);
  bool fine = states && poses;
  if (fine)
    clp_joint_tree_rest(tree, states);
  for (int i = 0; i < COUNT(working) && fine; i++) {
    int joint = clp_joint_tree_find_joint(tree, working[i].joint);
    fine = joint >= 0;
    if (fine)
      states[joint].position = working[i].position;
  }
  fine = fine && clp_joint_tree_motion(tree, states, poses, NULL) == CLP_OK;
  free(states);
  if (fine)
    return poses;
  free(poses);
  return NULL;
}

static bool draw_cell(const clp_model *model, const clp_joint_tree *tree, canvas *picture,
                      lights lamp)
{
  clp_pose *poses = working_poses(tree);
  if (!poses)
    return false;
  draw_floor(picture);
  for (int link = 0; link < clp_model_link_count(model); link++)
    draw_link(model, link, poses[link], picture, lamp);
  free(poses);
  return true;
}

/* ---- The command ---------------------------------------------------------------------------- */

typedef struct figure {
  const char *name;
  int width, height; /* pixels */
  clp_vec3 eye, target;
  double angle; /* radians that the width takes in */
  clp_vec3 key; /* towards the lamp */
} figure;

static const figure figures[] = {
    {"shells", 1500, 720, {0.05, -1.25, 0.5}, {0.002, 0, 0}, 0.42, {-0.45, -0.75, 0.75}},
    {"cell", 1500, 900, {-1.95, -4.35, 2.6}, {0.42, 0, 0.86}, 0.77, {-0.35, -0.55, 0.9}},
};

static bool draw(const figure *chosen, const clp_model *model, const clp_joint_tree *tree)
{
  camera view = camera_look_at(chosen->eye, chosen->target, chosen->angle);
  lights lamp = {clp_unit(chosen->key), chosen->eye};
  canvas picture;
  if (!canvas_create(&picture, chosen->width, chosen->height, view, white))
    return false;
  bool fine = true;
  if (strcmp(chosen->name, "shells") == 0)
    draw_shells(model, &picture, lamp);
  else
    fine = draw_cell(model, tree, &picture, lamp);
  fine = fine && canvas_write(&picture, stdout);
  canvas_destroy(&picture);
  return fine;
}

static void print_line(void *user, clp_severity severity, const char *line)
{
  (void)user;
  (void)severity;
  fprintf(stderr, "%s\n", line);
}

int main(int argc, char **argv)
{
  const figure *chosen = NULL;
  for (int i = 0; i < COUNT(figures) && argc == 3; i++) {
    if (strcmp(figures[i].name, argv[1]) == 0)
      chosen = &figures[i];
  }
  if (!chosen) {
    fprintf(stderr, "usage: draw_figures shells|cell MODEL > picture.ppm\n");
    return 2;
  }
  clp_model *model = NULL;
  clp_joint_tree *tree = NULL;
  clp_model_sink sink = {print_line, NULL};
  if (clp_model_load(argv[2], sink, &model) != CLP_OK)
    return 1;
  bool fine = clp_joint_tree_load(argv[2], sink, &tree) == CLP_OK && draw(chosen, model, tree);
  clp_joint_tree_destroy(tree);
  clp_model_destroy(model);
  return fine ? EXIT_SUCCESS : 3;
}
