/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/collisions.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/model/model.h"
#include "rclc_closest_point/scene.h"
#include "rclc_closest_point/scene/meeting.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/progress.h"

typedef struct sampling {
  const clp_model *model;
  clp_collisions *found;
  clp_joint_tree *tree;
  clp_joint_state *states;
  clp_pose *poses; /* of the links */
  clp_scene *scene;
  clp_link_id *links;      /* in the scene, by the model's */
  clp_link_pair_id *pairs; /* by those of `found` */
  uint64_t random;
} sampling;

/* ---- States of the joints ----------------------------------------------------------------- */

/* The same for the same model, on every machine: splitmix64. In [0, 1). */
static double next_random(sampling *s)
{
  uint64_t z = s->random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* What has no limits goes once round, or a meter to either side. */
static void move_joints(sampling *s)
{
  const double half_turn = 3.14159265358979323846;
  clp_joint_tree_rest(s->tree, s->states);
  for (int k = 0; k < clp_joint_tree_joint_count(s->tree); ++k) {
    clp_joint joint = clp_joint_tree_joint(s->tree, k);
    double most = joint.type == CLP_JOINT_PRISMATIC ? 1 : half_turn;
    double lower = isfinite(joint.lower) ? joint.lower : -most;
    double upper = isfinite(joint.upper) ? joint.upper : most;
    if (joint.type == CLP_JOINT_REVOLUTE || joint.type == CLP_JOINT_CONTINUOUS ||
        joint.type == CLP_JOINT_PRISMATIC)
      s->states[k].position = lower + (upper - lower) * next_random(s);
  }
}

/* ---- The scene ---------------------------------------------------------------------------- */

static bool is_planar(const clp_model *model, int link)
{
  return clp_link_is_planar(clp_model_link(model, link));
}

static bool hangs_on(const clp_joint_tree *tree, int link, int on)
{
  while (link != on && clp_joint_tree_joint_above(tree, link) >= 0)
    link = clp_joint_tree_joint(tree, clp_joint_tree_joint_above(tree, link)).parent;
  return link == on;
}

/* Where both hang on one link with a body, by joints that have been moved, all that lies between
 * them is the robot's. On a frame such as the world there may be people, who stood still here. */
static bool is_of_one_robot(const sampling *s, int a, int b)
{
  int at = a;
  while (!hangs_on(s->tree, b, at))
    at = clp_joint_tree_joint(s->tree, clp_joint_tree_joint_above(s->tree, at)).parent;
  bool moved = true;
  for (int end = 0; end < 2; ++end)
    for (int link = end ? b : a; link != at;) {
      clp_joint joint = clp_joint_tree_joint(s->tree, clp_joint_tree_joint_above(s->tree, link));
      moved = moved && joint.type != CLP_JOINT_FLOATING && joint.type != CLP_JOINT_PLANAR;
      link = joint.parent;
    }
  return moved && clp_model_part_count(s->model, at) > 0;
}

static bool is_sampled(const sampling *s, int a, int b)
{
  return clp_model_is_pair(s->model, a, b) && !is_planar(s->model, a) && !is_planar(s->model, b) &&
         is_of_one_robot(s, a, b);
}

static bool take_pairs(const sampling *s)
{
  const clp_model *model = s->model;
  clp_collisions *found = s->found;
  int links = clp_model_link_count(model), room = 0;
  for (int a = 0; a < links; ++a)
    for (int b = a + 1; b < links; ++b)
      room += clp_model_is_pair(model, a, b);
  found->pairs = calloc((size_t)room + 1, sizeof *found->pairs);
  for (int a = 0; found->pairs && a < links; ++a)
    for (int b = a + 1; b < links; ++b)
      if (is_sampled(s, a, b))
        found->pairs[found->pair_count++] = (clp_collision_pair){.a = a, .b = b};
  return found->pairs != NULL;
}

static clp_scene_limits limits_of(const sampling *s)
{
  clp_scene_limits limits = {.links = clp_model_link_count(s->model),
                             .pairs = s->found->pair_count};
  for (int k = 0; k < limits.links; ++k)
    limits.parts += clp_model_part_count(s->model, k);
  for (int k = 0; k < limits.pairs; ++k)
    limits.part_pairs += clp_model_part_count(s->model, s->found->pairs[k].a) *
                         clp_model_part_count(s->model, s->found->pairs[k].b);
  return limits;
}

static clp_status build_scene(sampling *s)
{
  clp_scene_limits limits = limits_of(s);
  clp_scene_options options = clp_default_scene_options();
  s->links = calloc((size_t)limits.links + 1, sizeof *s->links);
  s->pairs = calloc((size_t)limits.pairs + 1, sizeof *s->pairs);
  if (!s->links || !s->pairs)
    return CLP_ERROR_MEMORY;
  clp_status status = clp_scene_create(&limits, &options, &s->scene);
  for (int k = 0; status == CLP_OK && k < limits.links; ++k)
    if (clp_model_part_count(s->model, k) > 0)
      status = clp_scene_add_link(s->scene, clp_model_link(s->model, k), &s->links[k]);
  for (int k = 0; status == CLP_OK && k < limits.pairs; ++k)
    status = clp_scene_add_pair(s->scene, s->links[s->found->pairs[k].a],
                                s->links[s->found->pairs[k].b], &s->pairs[k]);
  return status;
}

/* ---- Samples ------------------------------------------------------------------------------ */

static clp_status look_once(sampling *s, long number)
{
  move_joints(s);
  clp_status status = clp_joint_tree_motion(s->tree, s->states, s->poses, NULL);
  for (int k = 0; status == CLP_OK && k < clp_model_link_count(s->model); ++k)
    if (clp_model_part_count(s->model, k) > 0)
      status = clp_scene_set_motion(s->scene, s->links[k], &s->poses[k], NULL);
  if (status != CLP_OK)
    return status;
  clp_scene_query(s->scene, (double)number);
  for (int k = 0; k < s->found->pair_count; ++k) {
    clp_answer answer = clp_scene_answer(s->scene, s->pairs[k]).answer;
    s->found->pairs[k].overlaps += answer.status == CLP_PENETRATING;
    s->found->pairs[k].apart += answer.status != CLP_PENETRATING && answer.lower_bound > 0;
  }
  return CLP_OK;
}

static clp_status run(sampling *s, long samples, bool quiet)
{
  s->states = calloc((size_t)clp_joint_tree_joint_count(s->tree) + 1, sizeof *s->states);
  s->poses = calloc((size_t)clp_joint_tree_link_count(s->tree) + 1, sizeof *s->poses);
  if (!s->states || !s->poses || !take_pairs(s))
    return CLP_ERROR_MEMORY;
  clp_status status = build_scene(s);
  clp_progress progress = clp_progress_begin("sampling", samples, quiet);
  for (; status == CLP_OK && s->found->samples < samples; ++s->found->samples) {
    status = look_once(s, s->found->samples);
    clp_progress_show(&progress, s->found->samples);
  }
  clp_progress_hide(&progress);
  return status;
}

clp_exit_status clp_sample_collisions(const clp_model *model, const char *path, long samples,
                                      bool quiet, clp_collisions *collisions)
{
  sampling s = {.model = model, .found = collisions};
  *collisions = (clp_collisions){0};
  clp_status status = clp_joint_tree_load(path, clp_stderr_sink(&quiet), &s.tree);
  if (status == CLP_OK)
    status = run(&s, samples, quiet);
  clp_scene_destroy(s.scene);
  clp_joint_tree_destroy(s.tree);
  free(s.states);
  free(s.poses);
  free(s.links);
  free(s.pairs);
  if (status != CLP_OK)
    clp_collisions_release(collisions);
  return clp_exit_status_of(status);
}

void clp_collisions_release(clp_collisions *collisions)
{
  free(collisions->pairs);
  *collisions = (clp_collisions){0};
}

bool clp_always_overlaps(const clp_collisions *collisions, int pair)
{
  return collisions->samples > 0 && collisions->pairs[pair].overlaps == collisions->samples;
}

bool clp_never_overlaps(const clp_collisions *collisions, int pair)
{
  return collisions->samples > 0 && collisions->pairs[pair].apart == collisions->samples;
}

/* ---- The SRDF ----------------------------------------------------------------------------- */

static void write_pair(FILE *stream, const clp_model *model, const clp_collision_pair *pair,
                       const char *reason)
{
  fputs("  <disable_collisions", stream);
  clp_write_attribute(stream, "link1", clp_model_link_name(model, pair->a));
  clp_write_attribute(stream, "link2", clp_model_link_name(model, pair->b));
  clp_write_attribute(stream, "reason", reason);
  fputs("/>\n", stream);
}

clp_exit_status clp_write_srdf(const char *path, const clp_model *model,
                               const clp_collisions *collisions)
{
  clp_output output = clp_output_open(path);
  if (output.stream) {
    fputs("<?xml version=\"1.0\"?>\n<robot", output.stream);
    clp_write_attribute(output.stream, "name", clp_model_name(model));
    fprintf(output.stream, ">\n  <!-- in %ld random states of the joints -->\n",
            collisions->samples);
    for (int k = 0; k < collisions->pair_count; ++k) {
      if (clp_always_overlaps(collisions, k))
        write_pair(output.stream, model, &collisions->pairs[k], "Always");
      if (clp_never_overlaps(collisions, k))
        write_pair(output.stream, model, &collisions->pairs[k], "Never");
    }
    fputs("</robot>\n", output.stream);
  }
  return clp_output_close(&output);
}
