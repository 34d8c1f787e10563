/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model.h"

#include <stdlib.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/model/model.h"
#include "rclc_closest_point/model/name_index.h"
#include "rclc_closest_point/model/pairs.h"

typedef struct model_link {
  const char *name;
  int first_part, part_count;
  int parent;       /* by a joint of any kind; -1: none */
  int fixed_parent; /* -1: none */
  int line;
  unsigned matter;
} model_link;

struct clp_model {
  clp_arena arena; /* everything but the bodies and the pairs */
  const char *name;
  model_link *links;
  int link_count;
  clp_name_entry *by_name; /* the links in order of their names */
  clp_joint_ends *joints;
  int joint_count;
  clp_part *parts;
  clp_body **bodies; /* one for each part */
  int part_count;
  clp_link_pairs apart; /* links that make no pair */
};

/* ---- Building ----------------------------------------------------------------------------- */

static int count_parts(const clp_robot_source *robot)
{
  int count = 0;
  for (int k = 0; k < robot->link_count; ++k)
    count += robot->links[k].part_count;
  return count;
}

static clp_model *new_model(const clp_robot_source *robot)
{
  clp_model *model = calloc(1, sizeof *model);
  if (!model)
    return NULL;
  size_t links = (size_t)robot->link_count, parts = (size_t)count_parts(robot);
  model->links = clp_arena_take(&model->arena, links, sizeof *model->links);
  model->joints = clp_arena_take(&model->arena, (size_t)robot->joint_count, sizeof *model->joints);
  model->by_name = clp_arena_take(&model->arena, links, sizeof *model->by_name);
  model->parts = clp_arena_take(&model->arena, parts, sizeof *model->parts);
  model->bodies = clp_arena_take(&model->arena, parts, sizeof(clp_body *));
  model->name = clp_arena_string(&model->arena, robot->name ? robot->name : "");
  if (!model->arena.failed)
    return model;
  clp_model_destroy(model);
  return NULL;
}

/* The links, with room for their parts. */
static void add_links(clp_model *model, const clp_robot_source *robot)
{
  int first = 0;
  for (int k = 0; k < robot->link_count; ++k) {
    const clp_link_source *source = &robot->links[k];
    const char *name = clp_arena_string(&model->arena, source->name);
    model->links[k] =
        (model_link){name, first, source->part_count, -1, -1, source->line, source->matter};
    model->by_name[k] = (clp_name_entry){name ? name : "", k};
    first += source->part_count;
  }
  model->link_count = robot->link_count;
  clp_name_index_sort(model->by_name, model->link_count);
}

/* Compiles every part, also after one has failed, so that all defects are found. */
static clp_status add_parts(clp_model *model, const clp_robot_source *robot, clp_log *log)
{
  clp_status worst = CLP_OK;
  for (int l = 0; l < robot->link_count; ++l) {
    const clp_link_source *link = &robot->links[l];
    for (int k = 0; k < link->part_count; ++k) {
      const clp_part_source *source = &link->parts[k];
      clp_body *body = NULL;
      clp_status status = clp_compile_part(log, link, source, &body);
      if (status == CLP_ERROR_MEMORY)
        return status;
      worst = worst == CLP_OK ? status : worst;
      int index = model->part_count++;
      model->bodies[index] = body;
      model->parts[index] =
          (clp_part){body, clp_part_pose(source), clp_arena_string(&model->arena, source->name)};
    }
  }
  return worst;
}

/* So many joints upwards; a file may have loops of them. */
#define CHAIN_MAX 32

/* A link and those that it hangs on, up to the first with a body, and farther as long as all joints
 * are fixed: these touch each other by design. Only upwards: what hangs beside it on a frame
 * without a body, such as the world, may be anything. */
static bool part_from_above(clp_model *model, int link)
{
  bool fixed = true, met = false;
  int at = link;
  for (int k = 0; k < CHAIN_MAX && (fixed || !met); ++k) {
    int above = model->links[at].parent;
    if (above < 0 || above == link)
      break;
    fixed = fixed && model->links[at].fixed_parent == above;
    bool has_body = model->links[above].part_count > 0;
    if (has_body && (fixed || !met) && !clp_link_pairs_add(&model->apart, link, above))
      return false;
    met = met || has_body;
    at = above;
  }
  return true;
}

static clp_status part_neighbors(clp_model *model)
{
  for (int k = 0; k < model->link_count; ++k)
    if (model->links[k].part_count > 0 && !part_from_above(model, k))
      return CLP_ERROR_MEMORY;
  clp_link_pairs_sort(&model->apart);
  return CLP_OK;
}

static clp_status add_joints(clp_model *model, const clp_robot_source *robot, clp_log *log)
{
  for (int k = 0; k < robot->joint_count; ++k) {
    const clp_joint_source *joint = &robot->joints[k];
    const char *const names[2] = {joint->parent, joint->child};
    int links[2] = {-1, -1};
    for (int end = 0; end < 2; ++end) {
      if (!names[end])
        continue; /* reported when it was read */
      links[end] = clp_model_find_link(model, names[end]);
      if (links[end] < 0)
        clp_log_defect(log, joint->line,
                       "the joint's %s is link '%s', which the file does not have",
                       end ? "child" : "parent", clp_show_string(names[end]).text);
    }
    if (links[0] < 0 || links[1] < 0)
      continue;
    model->joints[model->joint_count++] = (clp_joint_ends){links[0], links[1]};
    model->links[links[1]].parent = links[0];
    if (joint->fixed)
      model->links[links[1]].fixed_parent = links[0];
    if (!clp_link_pairs_add(&model->apart, links[0], links[1]))
      return CLP_ERROR_MEMORY;
  }
  return part_neighbors(model);
}

static clp_status fill_model(clp_model *model, const clp_robot_source *robot, clp_log *log)
{
  add_links(model, robot);
  clp_status status = add_parts(model, robot, log);
  if (status == CLP_ERROR_MEMORY)
    return status;
  clp_status joints = add_joints(model, robot, log);
  if (joints != CLP_OK || model->arena.failed)
    return CLP_ERROR_MEMORY;
  if (status == CLP_OK && log->defects > 0)
    status = CLP_ERROR_FORMAT;
  if (status == CLP_OK && model->part_count == 0)
    clp_log_note(log, 1, "no link has <patches> or collision primitives, so there are no bodies");
  return status;
}

static clp_status build_model(const clp_robot_source *robot, clp_log *log, clp_model **model)
{
  clp_model *built = new_model(robot);
  if (!built)
    return CLP_ERROR_MEMORY;
  clp_status status = fill_model(built, robot, log);
  if (status == CLP_OK)
    *model = built;
  else
    clp_model_destroy(built);
  return status;
}

/* ---- Reading ------------------------------------------------------------------------------ */

/* From a file's bytes to definitions, which live in the reader's arena. There may be definitions
 * to compile for more defects even when this fails with CLP_ERROR_FORMAT. */
static clp_status read_text(clp_reader *reader, const char *text, size_t length,
                            clp_robot_source *robot)
{
  clp_xml_element *root = NULL;
  clp_status status = clp_xml_parse(text, length, reader->log, reader->arena, &root);
  if (status != CLP_OK)
    return status;
  clp_read_robot(reader, root, robot);
  if (reader->arena->failed)
    return CLP_ERROR_MEMORY;
  return reader->log->defects ? CLP_ERROR_FORMAT : CLP_OK;
}

clp_status clp_model_parse(const char *text, size_t length, const char *name, clp_model_sink sink,
                           clp_model **model)
{
  if (!text || !name || !model)
    return CLP_ERROR_ARGUMENT;
  clp_log log = {.file = name, .sink = sink};
  clp_arena arena = {0};
  clp_reader reader = {.log = &log, .arena = &arena};
  clp_robot_source robot = {0};
  clp_status status = read_text(&reader, text, length, &robot);
  if (status == CLP_OK || status == CLP_ERROR_FORMAT) {
    clp_status built = build_model(&robot, &log, model);
    status = status == CLP_OK || built == CLP_ERROR_MEMORY ? built : status;
  }
  clp_arena_release(&arena);
  return clp_finish_file(&log, status);
}

clp_status clp_model_load(const char *path, clp_model_sink sink, clp_model **model)
{
  if (!path || !model)
    return CLP_ERROR_ARGUMENT;
  clp_log log = {.file = path, .sink = sink};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &text, &length);
  if (status != CLP_OK)
    return clp_finish_file(&log, status);
  status = clp_model_parse(text, length, path, sink, model);
  free(text);
  return status;
}

void clp_model_destroy(clp_model *model)
{
  if (!model)
    return;
  for (int k = 0; k < model->part_count; ++k)
    clp_body_destroy(model->bodies[k]);
  clp_link_pairs_release(&model->apart);
  clp_arena_release(&model->arena);
  free(model);
}

/* ---- Looking at a model ------------------------------------------------------------------- */

int clp_model_link_count(const clp_model *model)
{
  return model->link_count;
}

const char *clp_model_link_name(const clp_model *model, int link)
{
  return model->links[link].name;
}

int clp_model_find_link(const clp_model *model, const char *name)
{
  return clp_name_index_find(model->by_name, model->link_count, name);
}

clp_link clp_model_link(const clp_model *model, int link)
{
  const model_link *at = &model->links[link];
  return (clp_link){at->part_count > 0 ? model->parts + at->first_part : NULL, at->part_count};
}

const char *clp_model_name(const clp_model *model)
{
  return model->name;
}

int clp_model_part_count(const clp_model *model, int link)
{
  return model->links[link].part_count;
}

int clp_model_fixed_parent(const clp_model *model, int link)
{
  return model->links[link].fixed_parent;
}

int clp_model_joint_count(const clp_model *model)
{
  return model->joint_count;
}

clp_joint_ends clp_model_joint_ends(const clp_model *model, int joint)
{
  return model->joints[joint];
}

int clp_model_link_line(const clp_model *model, int link)
{
  return model->links[link].line;
}

unsigned clp_model_link_matter(const clp_model *model, int link)
{
  return model->links[link].matter;
}

const char *clp_model_matter_text(unsigned matter)
{
  static const char *const texts[] = {
      "nothing",
      "a <visual>",
      "a <collision>",
      "a <visual> and a <collision>",
      "a mass",
      "a <visual> and a mass",
      "a <collision> and a mass",
      "a <visual>, a <collision> and a mass",
  };
  return texts[matter & (CLP_MATTER_VISUAL | CLP_MATTER_COLLISION | CLP_MATTER_MASS)];
}

clp_part clp_model_part(const clp_model *model, int link, int part)
{
  return model->parts[model->links[link].first_part + part];
}

clp_status clp_model_pad_link(clp_model *model, int link, double padding)
{
  const model_link *at = &model->links[link];
  if (!(padding >= 0 && padding <= CLP_LARGEST_COORDINATE))
    return CLP_ERROR_ARGUMENT;
  for (int k = at->first_part; padding > 0 && k < at->first_part + at->part_count; ++k)
    if (!clp_body_is_paddable(model->bodies[k]))
      return CLP_ERROR_SHAPE;
  for (int k = at->first_part; k < at->first_part + at->part_count; ++k)
    clp_body_pad(model->bodies[k], padding);
  return CLP_OK;
}

bool clp_model_is_pair(const clp_model *model, int link_a, int link_b)
{
  return link_a != link_b && model->links[link_a].part_count > 0 &&
         model->links[link_b].part_count > 0 && !clp_link_pairs_has(&model->apart, link_a, link_b);
}

/* ---- SRDF and overlays -------------------------------------------------------------------- */

clp_status clp_model_apply_srdf(clp_model *model, const char *path, clp_model_sink sink)
{
  if (!model || !path)
    return CLP_ERROR_ARGUMENT;
  clp_log log = {.file = path, .sink = sink};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &text, &length);
  if (status == CLP_OK)
    status = clp_read_srdf(&log, model, text, length, &model->apart);
  free(text);
  return clp_finish_file(&log, status);
}

/* The definitions are compiled as well, for an overlay that does not load is of no use. */
static clp_status tile_text(clp_log *log, const char *text, size_t length, void *file)
{
  clp_arena arena = {0};
  clp_reader reader = {.log = log, .arena = &arena, .for_overlay = true};
  clp_robot_source robot = {0};
  clp_model *model = NULL;
  clp_status status = read_text(&reader, text, length, &robot);
  if (status == CLP_OK || status == CLP_ERROR_FORMAT) {
    clp_status built = build_model(&robot, log, &model);
    status = status == CLP_OK || built == CLP_ERROR_MEMORY ? built : status;
  }
  clp_model_destroy(model);
  if (status == CLP_OK)
    status = clp_write_overlay(&robot, file);
  clp_arena_release(&arena);
  return status;
}

clp_status clp_model_tile(const char *path, clp_model_sink sink, void *file)
{
  if (!path || !file)
    return CLP_ERROR_ARGUMENT;
  clp_log log = {.file = path, .sink = sink};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &text, &length);
  if (status == CLP_OK)
    status = tile_text(&log, text, length, file);
  free(text);
  return clp_finish_file(&log, status);
}
