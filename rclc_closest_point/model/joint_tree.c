/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/joint_tree.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/model.h"

/* ---- Creation ----------------------------------------------------------------------------- */

static clp_status read_tree(clp_reader *reader, const char *text, size_t length, bool one_root,
                            clp_joint_tree *tree)
{
  clp_xml_element *root = NULL;
  clp_status status = clp_xml_parse(text, length, reader->log, reader->arena, &root);
  if (status != CLP_OK)
    return status;
  clp_joint_lines lines = {0};
  clp_read_joints(reader, root, tree, &lines);
  if (reader->log->defects == 0 && !tree->arena.failed && !reader->arena->failed)
    clp_order_joints(reader, &lines, one_root, tree);
  if (tree->arena.failed || reader->arena->failed)
    return CLP_ERROR_MEMORY;
  return reader->log->defects ? CLP_ERROR_FORMAT : CLP_OK;
}

static clp_status parse(const char *text, size_t length, const char *name, clp_model_sink sink,
                        bool one_root, clp_joint_tree **tree)
{
  clp_log log = {.file = name, .sink = sink};
  clp_arena arena = {0};
  clp_reader reader = {.log = &log, .arena = &arena};
  clp_joint_tree *fresh = calloc(1, sizeof *fresh);
  clp_status status = fresh ? read_tree(&reader, text, length, one_root, fresh) : CLP_ERROR_MEMORY;
  clp_arena_release(&arena);
  if (status == CLP_OK)
    *tree = fresh;
  else
    clp_joint_tree_destroy(fresh);
  return clp_finish_file(&log, status);
}

clp_status clp_joint_tree_parse(const char *text, size_t length, const char *name,
                                clp_model_sink sink, clp_joint_tree **tree)
{
  if (!text || !name || !tree)
    return CLP_ERROR_ARGUMENT;
  return parse(text, length, name, sink, true, tree);
}

static void pass_on_defects(void *user, clp_severity severity, const char *line)
{
  const clp_model_sink *sink = user;
  if (severity == CLP_DEFECT && sink->message)
    sink->message(sink->user, severity, line);
}

clp_status clp_joint_forest_parse(const char *text, size_t length, const char *name,
                                  clp_model_sink sink, clp_joint_tree **forest)
{
  return parse(text, length, name, (clp_model_sink){pass_on_defects, &sink}, false, forest);
}

static clp_status load(const char *path, clp_model_sink sink, bool one_root, clp_joint_tree **tree)
{
  clp_log log = {.file = path, .sink = sink};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &text, &length);
  if (status != CLP_OK)
    return clp_finish_file(&log, status);
  status = parse(text, length, path, sink, one_root, tree);
  free(text);
  return status;
}

clp_status clp_joint_tree_load(const char *path, clp_model_sink sink, clp_joint_tree **tree)
{
  return path && tree ? load(path, sink, true, tree) : CLP_ERROR_ARGUMENT;
}

clp_status clp_joint_forest_load(const char *path, clp_model_sink sink, clp_joint_tree **forest)
{
  return load(path, (clp_model_sink){pass_on_defects, &sink}, false, forest);
}

void clp_joint_tree_destroy(clp_joint_tree *tree)
{
  if (!tree)
    return;
  clp_arena_release(&tree->arena);
  free(tree);
}

/* ---- Looking at a tree -------------------------------------------------------------------- */

int clp_joint_tree_joint_count(const clp_joint_tree *tree)
{
  return tree->joint_count;
}

clp_joint clp_joint_tree_joint(const clp_joint_tree *tree, int joint)
{
  return tree->joints[joint];
}

int clp_joint_tree_find_joint(const clp_joint_tree *tree, const char *name)
{
  return clp_name_index_find(tree->joints_by_name, tree->joint_count, name);
}

int clp_joint_tree_link_count(const clp_joint_tree *tree)
{
  return tree->link_count;
}

const char *clp_joint_tree_link_name(const clp_joint_tree *tree, int link)
{
  return tree->links[link];
}

int clp_joint_tree_find_link(const clp_joint_tree *tree, const char *name)
{
  return clp_name_index_find(tree->links_by_name, tree->link_count, name);
}

int clp_joint_tree_joint_above(const clp_joint_tree *tree, int link)
{
  return tree->above[link];
}

/* ---- Motion ------------------------------------------------------------------------------- */

void clp_joint_tree_rest(const clp_joint_tree *tree, clp_joint_state *states)
{
  for (int j = 0; j < tree->joint_count; ++j)
    states[j] = (clp_joint_state){.pose = clp_pose_identity()};
}

static double position_of(const clp_joint *joint, const clp_joint_state *states, int index)
{
  return joint->follows < 0 ? states[index].position
                            : joint->factor * states[joint->follows].position + joint->offset;
}

static double speed_of(const clp_joint *joint, const clp_joint_state *states, int index)
{
  return joint->follows < 0 ? states[index].speed : joint->factor * states[joint->follows].speed;
}

/* Of the child in the joint's frame. */
static clp_pose motion_of(const clp_joint *joint, const clp_joint_state *states, int index)
{
  clp_pose motion = clp_pose_identity();
  switch (joint->type) {
    case CLP_JOINT_FIXED:
      break;
    case CLP_JOINT_REVOLUTE:
    case CLP_JOINT_CONTINUOUS:
    case CLP_JOINT_PRISMATIC:
      motion = clp_joint_motion_at(joint, position_of(joint, states, index));
      break;
    case CLP_JOINT_FLOATING:
    case CLP_JOINT_PLANAR:
      motion = states[index].pose;
      break;
  }
  return motion;
}

clp_pose clp_joint_tree_joint_pose(const clp_joint_tree *tree, const clp_joint_state *states,
                                   int joint)
{
  const clp_joint *j = &tree->joints[joint];
  return clp_pose_multiply(j->X_PJ, motion_of(j, states, joint));
}

static clp_twist twist_of_child(const clp_joint *joint, const clp_joint_state *states, int index,
                                const clp_pose *X_RL, clp_twist parent)
{
  const clp_pose *X_RP = &X_RL[joint->parent], *X_RC = &X_RL[joint->child];
  clp_twist own = {{0, 0, 0}, {0, 0, 0}};
  if (joint->type == CLP_JOINT_FLOATING || joint->type == CLP_JOINT_PLANAR) {
    clp_mat3 rotation = clp_mat3_multiply(X_RP->rotation, joint->X_PJ.rotation);
    own.linear = clp_rotate(rotation, states[index].twist.linear);
    own.angular = clp_rotate(rotation, states[index].twist.angular);
  } else if (joint->type != CLP_JOINT_FIXED) {
    clp_vec3 way =
        clp_scale(speed_of(joint, states, index), clp_rotate(X_RC->rotation, joint->axis));
    *(joint->type == CLP_JOINT_PRISMATIC ? &own.linear : &own.angular) = way;
  }
  clp_vec3 arm = clp_sub(X_RC->position, X_RP->position);
  clp_vec3 carried = clp_add(parent.linear, clp_cross(parent.angular, arm));
  return (clp_twist){clp_add(carried, own.linear), clp_add(parent.angular, own.angular)};
}

/* A sum that is finite when all of its terms are, and of moderate size. */
static bool is_finite(const clp_joint_state *s)
{
  const clp_mat3 *r = &s->pose.rotation;
  clp_vec3 all = clp_add(clp_add(r->x, r->y), clp_add(r->z, s->pose.position));
  all = clp_add(all, clp_add(s->twist.linear, s->twist.angular));
  return isfinite(s->position + s->speed + all.x + all.y + all.z);
}

clp_status clp_joint_tree_motion(const clp_joint_tree *tree, const clp_joint_state *states,
                                 clp_pose *X_RL, clp_twist *V_RL)
{
  if (!tree || !states || !X_RL)
    return CLP_ERROR_ARGUMENT;
  for (int j = 0; j < tree->joint_count; ++j)
    if (!is_finite(&states[j]))
      return CLP_ERROR_ARGUMENT;
  for (int l = 0; l < tree->link_count; ++l) {
    if (tree->above[l] >= 0)
      continue;
    X_RL[l] = clp_pose_identity();
    if (V_RL)
      V_RL[l] = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  }
  for (int k = 0; k < tree->joint_count; ++k) {
    int j = tree->order[k];
    const clp_joint *joint = &tree->joints[j];
    X_RL[joint->child] =
        clp_pose_multiply(X_RL[joint->parent], clp_joint_tree_joint_pose(tree, states, j));
    if (V_RL)
      V_RL[joint->child] = twist_of_child(joint, states, j, X_RL, V_RL[joint->parent]);
  }
  return CLP_OK;
}

void clp_joint_tree_jacobian(const clp_joint_tree *tree, const clp_pose *X_RL, int link,
                             clp_twist *columns)
{
  for (int j = 0; j < tree->joint_count; ++j)
    columns[j] = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  clp_vec3 place = X_RL[link].position;
  for (int j = tree->above[link]; j >= 0; j = tree->above[tree->joints[j].parent]) {
    const clp_joint *joint = &tree->joints[j];
    if (!clp_joint_is_single(joint->type))
      continue;
    const clp_pose *X_RC = &X_RL[joint->child];
    clp_vec3 axis = clp_scale(joint->factor, clp_rotate(X_RC->rotation, joint->axis));
    clp_twist *column = &columns[joint->follows < 0 ? j : joint->follows];
    if (joint->type == CLP_JOINT_PRISMATIC) {
      column->linear = clp_add(column->linear, axis);
    } else {
      clp_vec3 arm = clp_sub(place, X_RC->position);
      column->linear = clp_add(column->linear, clp_cross(axis, arm));
      column->angular = clp_add(column->angular, axis);
    }
  }
}
