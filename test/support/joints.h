/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_JOINTS_H
#define TEST_SUPPORT_JOINTS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"

/* The joints of a shipped model, whose files have one attribute a line. */

typedef struct joint {
  char parent[64], child[64], type[16];
  clp_vec3 xyz, rpy, axis;
} joint;

static inline void joint_read_vector(const char *line, const char *key, clp_vec3 *v)
{
  const char *at = strstr(line, key);
  if (at)
    (void)sscanf(at + strlen(key), "%lf %lf %lf", &v->x, &v->y, &v->z);
}

static inline void joint_read_word(const char *line, const char *key, char *word, size_t room)
{
  const char *at = strstr(line, key);
  if (at)
    snprintf(word, room, "%.*s", (int)strcspn(at + strlen(key), "\""), at + strlen(key));
}

/* How many there are; at most so many are read. */
static inline int joints_read(const char *path, joint *joints, int most)
{
  char line[4096];
  int count = 0;
  joint *current = NULL;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strstr(line, "<joint ") && count < most) {
      current = &joints[count++];
      *current = (joint){{0}, {0}, {0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
      joint_read_word(line, "type=\"", current->type, sizeof current->type);
    }
    if (current) {
      joint_read_word(line, "parent link=\"", current->parent, sizeof current->parent);
      joint_read_word(line, "child link=\"", current->child, sizeof current->child);
      joint_read_vector(line, "origin xyz=\"", &current->xyz);
      joint_read_vector(line, "rpy=\"", &current->rpy);
      joint_read_vector(line, "axis xyz=\"", &current->axis);
    }
    if (strstr(line, "</joint>"))
      current = NULL;
  }
  if (file)
    fclose(file);
  return count;
}

static inline bool joint_is_fixed(const joint *j)
{
  return strcmp(j->type, "fixed") == 0;
}

static inline bool joint_slides(const joint *j)
{
  return strcmp(j->type, "prismatic") == 0 || strcmp(j->type, "floating") == 0;
}

/* How the child is turned where the joint is at zero. */
static inline clp_quaternion joint_turn(const joint *j)
{
  clp_quaternion q =
      clp_quaternion_turned((clp_quaternion){0, 0, 0, 1}, (clp_vec3){j->rpy.x, 0, 0});
  q = clp_quaternion_turned(q, (clp_vec3){0, j->rpy.y, 0});
  return clp_quaternion_turned(q, (clp_vec3){0, 0, j->rpy.z});
}

#endif
