/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_E2E_CELL_H
#define TEST_E2E_CELL_H

#include "e2e/e2e.h"
#include "support/joints.h"

/* The shipped cell: a moving arm and a walking person, 56 pairs of links. */

#define CELL \
  "--params-file " CONFIG_DIR "/arm_cell.yaml -p model:=" URDF_PATCHES_DIR "/cell_with_arm.urdf "

/* Fixed joints rest; the others swing by 0.3 rad or 0.1 m, each at its own pace. */
static inline course joint_course(const joint *j, int index)
{
  double pace = 0.6 + 0.05 * index;
  clp_quaternion turn = joint_turn(j);
  clp_vec3 axis_P = clp_rotate(clp_quaternion_rotation(turn), j->axis);
  course c = {.begin = {j->xyz, turn}, .swing = pace};
  memcpy(c.parent, j->parent, sizeof c.parent);
  memcpy(c.child, j->child, sizeof c.child);
  if (joint_slides(j))
    c.linear = clp_scale(0.1 * pace, axis_P);
  else
    c.angular = clp_scale(0.3 * pace, axis_P);
  return c;
}

static inline void move_cell(source *s, double rate)
{
  enum { JOINTS_MAX = 64 };
  joint joints[JOINTS_MAX];
  int count = joints_read(URDF_PATCHES_DIR "/cell_with_arm.urdf", joints, JOINTS_MAX);
  ck_assert_int_gt(count, 10);
  for (int k = 0; k < count; ++k) {
    course c = joint_course(&joints[k], k);
    course_write(&c, joint_is_fixed(&joints[k]) ? "fix" : "move", s->to);
  }
  go(s, rate);
}

static inline bool has_no_stale(const points_message *m)
{
  return m->tracked > 0 && m->stale == 0 && m->minimum == 0;
}

#endif
