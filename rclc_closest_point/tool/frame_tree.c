/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/frame_tree.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"

/* The same as of poses in files: squares of larger numbers would be infinite; a rounded quaternion
 * is meant to have unit length, another one is a mistake. */
static const double max_number = 1e100, norm_tolerance = 1e-3;

/* ---- Names -------------------------------------------------------------------------------- */

static const char *bare(const char *name)
{
  return *name == '/' ? name + 1 : name;
}

/* FNV-1a */
static size_t hash_of(const char *name)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name; ++name)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return (size_t)(hash ^ hash >> 32);
}

/* Where a name is in the table, or would be. */
static size_t place_of(const clp_frame_tree *tree, const char *name)
{
  size_t place = hash_of(name) % tree->table_room;
  while (tree->table[place] > 0 && strcmp(tree->frames[tree->table[place] - 1].name, name) != 0)
    place = (place + 1) % tree->table_room;
  return place;
}

int clp_frame_tree_find(const clp_frame_tree *tree, const char *name)
{
  return tree->table_room > 0 ? tree->table[place_of(tree, bare(name))] - 1 : -1;
}

static bool grow(clp_frame_tree *tree)
{
  int room = tree->room > 0 ? 2 * tree->room : 64;
  clp_tree_frame *frames = realloc(tree->frames, (size_t)room * sizeof *frames);
  if (!frames)
    return false;
  tree->frames = frames;
  int *table = calloc(2 * (size_t)room, sizeof *table);
  if (!table)
    return false;
  free(tree->table);
  tree->table = table;
  tree->table_room = 2 * (size_t)room;
  tree->room = room;
  for (int k = 0; k < tree->count; ++k)
    table[place_of(tree, frames[k].name)] = k + 1;
  return true;
}

int clp_frame_tree_add(clp_frame_tree *tree, const char *name)
{
  int found = clp_frame_tree_find(tree, name);
  name = bare(name);
  size_t length = strlen(name);
  if (found >= 0)
    return found;
  if (length == 0 || length > CLP_FRAME_TREE_NAME_MAX || tree->count == CLP_FRAME_TREE_MAX ||
      (tree->count == tree->room && !grow(tree)))
    return -1;
  char *copy = malloc(length + 1);
  if (!copy)
    return -1;
  memcpy(copy, name, length + 1);
  tree->frames[tree->count] = (clp_tree_frame){copy, -1, clp_pose_identity(), false};
  tree->table[place_of(tree, copy)] = tree->count + 1;
  return tree->count++;
}

/* ---- The tree ----------------------------------------------------------------------------- */

bool clp_frame_tree_hang(clp_frame_tree *tree, int frame, int parent, const clp_pose *X_PF)
{
  clp_tree_frame *f = &tree->frames[frame];
  bool other = f->parent != parent;
  f->parent = parent;
  f->X_PF = *X_PF;
  return other;
}

void clp_frame_tree_cut(clp_frame_tree *tree)
{
  for (int k = 0; k < tree->count; ++k)
    tree->frames[k].parent = -1;
}

int clp_frame_tree_root(const clp_frame_tree *tree, int frame, clp_pose *X_RF)
{
  clp_pose pose = clp_pose_identity();
  int steps = 0;
  for (; tree->frames[frame].parent >= 0; frame = tree->frames[frame].parent) {
    if (X_RF)
      pose = clp_pose_multiply(tree->frames[frame].X_PF, pose);
    if (++steps > CLP_FRAME_TREE_DEPTH)
      return -1;
  }
  if (X_RF)
    *X_RF = pose;
  return frame;
}

void clp_frame_tree_watch(clp_frame_tree *tree, int frame)
{
  for (; frame >= 0 && !tree->frames[frame].watched; frame = tree->frames[frame].parent)
    tree->frames[frame].watched = true;
}

void clp_frame_tree_forget(clp_frame_tree *tree)
{
  for (int k = 0; k < tree->count; ++k)
    tree->frames[k].watched = false;
}

void clp_frame_tree_release(clp_frame_tree *tree)
{
  for (int k = 0; k < tree->count; ++k)
    free(tree->frames[k].name);
  free(tree->frames);
  free(tree->table);
  *tree = (clp_frame_tree){0};
}

bool clp_pose_of_transform(clp_vec3 translation, clp_quaternion rotation, clp_pose *pose)
{
  const double numbers[] = {translation.x, translation.y, translation.z, rotation.x,
                            rotation.y,    rotation.z,    rotation.w};
  for (int k = 0; k < 7; ++k)
    if (!(fabs(numbers[k]) <= max_number))
      return false;
  if (!(fabs(clp_quaternion_norm(rotation) - 1) <= norm_tolerance))
    return false;
  *pose = clp_pose_from(translation, rotation);
  return true;
}
