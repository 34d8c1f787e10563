/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_RANDOM_ARM_H
#define TEST_SUPPORT_RANDOM_ARM_H

#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/certify.h"
#include "support/bodies.h"
#include "support/dented.h"

/* Random arms among random obstacles, and random motions of theirs: every kind of joint that is one
 * number, mimics among them, and every kind of body, some of several parts. */

enum {
  ARM_JOINTS_MAX = 8,
  ARM_OBSTACLES = 3,
  ARM_LINKS_MAX = ARM_JOINTS_MAX + 1 + ARM_OBSTACLES,
  ARM_SEGMENTS_MAX = 4,
  ARM_PAIRS = 4
};

/* The bodies that links are made of, all together. */
enum { ARM_SMOOTH = BODIES, ARM_CONVEX = ARM_SMOOTH + 5, ARM_BODIES = ARM_CONVEX + 3 };

typedef struct arm_bodies {
  clp_body *bodies[ARM_BODIES];
} arm_bodies;

typedef struct random_arm {
  clp_joint_tree *tree;
  int joints, links;
  clp_part parts[ARM_LINKS_MAX][2];
  clp_link shapes[ARM_LINKS_MAX];
  clp_certify_pair pairs[ARM_PAIRS];
  int carried; /* the last obstacle; -1: it rests, too */
  clp_certifier *certifier;
  clp_joint_course courses[ARM_SEGMENTS_MAX][ARM_LINKS_MAX];
  clp_carried_course carries[ARM_SEGMENTS_MAX];
  clp_course_segment segments[ARM_SEGMENTS_MAX];
  int segment_count;
} random_arm;

static inline clp_body *arm_padded(double padding)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CYLINDER);
  def.radius = 0.2;
  def.length = 0.6;
  def.padding = padding;
  return must_create(&def);
}

static inline clp_body *arm_ball(double radius)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = radius;
  return must_create(&def);
}

static inline clp_body *arm_pyramid(void)
{
  static const double corners[] = {0.5, 0.4, 0,    -0.5, 0.4, 0, -0.5, -0.4,
                                   0,   0.5, -0.4, 0,    0,   0, 0.9};
  static const int faces[] = {0, 3, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
  static const int sizes[] = {4, 3, 3, 3, 3};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){corners, 5, faces, sizes, 5};
  return must_create(&def);
}

static inline clp_body *arm_cone(void)
{
  const clp_profile_piece pieces[] = {dented_line(0.4, -0.5), dented_line(0, 0.5)};
  return dented_turned(0, -0.5, pieces, 2, true);
}

static inline void arm_bodies_make(arm_bodies *b)
{
  bodies_make_all(b->bodies);
  b->bodies[ARM_SMOOTH] = bodies_point();
  b->bodies[ARM_SMOOTH + 1] = arm_padded(0.1);
  b->bodies[ARM_SMOOTH + 2] = arm_ball(0.3);
  b->bodies[ARM_SMOOTH + 3] = arm_pyramid();
  b->bodies[ARM_SMOOTH + 4] = arm_cone();
  b->bodies[ARM_CONVEX] = dented_make(DENTED_WASHER);
  b->bodies[ARM_CONVEX + 1] = dented_make(DENTED_BOWL);
  b->bodies[ARM_CONVEX + 2] = dented_make(DENTED_PATCH);
}

static inline void arm_bodies_destroy(arm_bodies *b)
{
  for (int k = 0; k < ARM_BODIES; ++k)
    clp_body_destroy(b->bodies[k]);
}

/* ---- The tree ----------------------------------------------------------------------------- */

static inline int arm_write_joint(random_state *g, char *text, size_t room, int j, double reach)
{
  static const char *const types[] = {"revolute", "continuous", "continuous", "prismatic"};
  clp_vec3 o = clp_scale(random_between(g, 0.2, 1) * reach, random_direction(g));
  clp_vec3 a = random_direction(g);
  const char *mimic = j == 3 ? "<mimic joint='j1' multiplier='-0.7' offset='0.2'/>" : "";
  return snprintf(text, room,
                  "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
                  "<origin xyz='%.17g %.17g %.17g' rpy='%.17g 0.3 %.17g'/>"
                  "<axis xyz='%.17g %.17g %.17g'/><limit lower='-9' upper='9' effort='1' "
                  "velocity='1'/>%s</joint>\n",
                  j, types[random_bits(g) % 4], j, j + 1, o.x, o.y, o.z, random_between(g, -3, 3),
                  random_between(g, -3, 3), a.x, a.y, a.z, mimic);
}

static inline void arm_make_tree(random_state *g, random_arm *arm, double reach)
{
  char text[8192];
  size_t used = (size_t)snprintf(text, sizeof text, "<robot name='r'>\n");
  for (int l = 0; l < arm->links; ++l)
    used += (size_t)snprintf(text + used, sizeof text - used, "<link name='l%d'/>\n", l);
  for (int j = 0; j < arm->joints; ++j)
    used += (size_t)arm_write_joint(g, text + used, sizeof text - used, j, reach);
  for (int k = 0; k < ARM_OBSTACLES; ++k) {
    clp_vec3 o = clp_scale(random_between(g, 0.5, 2.5) * reach, random_direction(g));
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "<joint name='o%d' type='fixed'><parent link='l0'/><child link='l%d'/>"
                             "<origin xyz='%.17g %.17g %.17g' rpy='1 %.17g 2'/></joint>\n",
                             k, arm->joints + 1 + k, o.x, o.y, o.z, random_between(g, -3, 3));
  }
  snprintf(text + used, sizeof text - used, "</robot>\n");
  ck_assert_int_eq(clp_joint_tree_parse(text, strlen(text), "arm", (clp_model_sink){0}, &arm->tree),
                   CLP_OK);
}

/* ---- Motion ------------------------------------------------------------------------------- */

/* From where the segment before ends; of random degree, and now and then a fast spin. */
static inline clp_joint_course arm_course(random_state *g, double q, double length, double speed)
{
  clp_joint_course course = {{q}};
  int degree = (int)(random_bits(g) % 6);
  double power = 1;
  for (int k = 1; k <= degree; ++k) {
    power *= length;
    course.c[k] = random_between(g, -1, 1) * speed / (degree * power);
  }
  return course;
}

static inline double arm_course_end(const clp_joint_course *course, double s)
{
  double q = 0;
  for (int k = 5; k >= 0; --k)
    q = q * s + course->c[k];
  return q;
}

static inline clp_pose arm_carried_pose(const clp_carried_course *course, double s)
{
  double rate = clp_norm(course->V_RL.angular);
  clp_mat3 turn = clp_rotation_about(clp_unit(course->V_RL.angular), s * rate);
  return (clp_pose){clp_mat3_multiply(turn, course->X_RL.rotation),
                    clp_add_scaled(course->X_RL.position, s, course->V_RL.linear)};
}

static inline void arm_make_motion(random_state *g, random_arm *arm, double reach)
{
  double time = random_between(g, -1, 1);
  arm->segment_count = 1 + (int)(random_bits(g) % ARM_SEGMENTS_MAX);
  for (int k = 0; k < arm->segment_count; ++k) {
    static const double turns[] = {2, 2, 2, 2, 2, 2, 20, 100};
    double length = random_between(g, 0.1, 1), fast = turns[random_bits(g) % 8];
    for (int j = 0; j < arm->joints + ARM_OBSTACLES; ++j) {
      double q = random_between(g, -2, 2),
             before = arm->segments[k > 0 ? k - 1 : 0].to - arm->segments[k > 0 ? k - 1 : 0].from;
      if (k > 0)
        q = arm_course_end(&arm->courses[k - 1][j], before);
      arm->courses[k][j] = arm_course(g, q, length, fast);
    }
    clp_carried_course *carry = &arm->carries[k];
    carry->X_RL = random_pose(g, clp_scale(1.5 * reach, random_direction(g)));
    if (k > 0)
      carry->X_RL = arm_carried_pose(&arm->carries[k - 1],
                                     arm->segments[k - 1].to - arm->segments[k - 1].from);
    carry->V_RL = random_twist(g, reach);
    arm->segments[k] = (clp_course_segment){time, time + length, arm->courses[k], carry};
    if (k > 0) /* not what was rounded, but the same number */
      arm->segments[k].from = arm->segments[k - 1].to;
    time = arm->segments[k].to;
  }
}

/* ---- All of it ---------------------------------------------------------------------------- */

static inline void arm_make_parts(random_state *g, const arm_bodies *b, random_arm *arm, int kinds)
{
  for (int l = 0; l < arm->links; ++l) {
    int count = random_bits(g) % 4 ? 1 : 2;
    for (int k = 0; k < count; ++k)
      arm->parts[l][k] = (clp_part){b->bodies[random_bits(g) % (unsigned)kinds],
                                    random_pose(g, clp_scale(0.4, random_direction(g))), ""};
    arm->shapes[l] = (clp_link){arm->parts[l], count};
  }
}

/* `kinds`: ARM_CONVEX or ARM_BODIES. The first pair has the carried obstacle. */
static inline void arm_make(random_state *g, const arm_bodies *b, int kinds, random_arm *arm)
{
  double reach = random_between(g, 1, 3);
  *arm = (random_arm){.joints = 1 + (int)(random_bits(g) % ARM_JOINTS_MAX)};
  arm->links = arm->joints + 1 + ARM_OBSTACLES;
  arm->carried = arm->links - 1;
  arm_make_tree(g, arm, reach);
  arm_make_parts(g, b, arm, kinds);
  for (int k = 0; k < ARM_PAIRS; ++k) {
    int x = 1 + (int)(random_bits(g) % (unsigned)arm->joints), y;
    do
      y = k == 0 ? arm->carried : (int)(random_bits(g) % (unsigned)arm->links);
    while (y == x);
    arm->pairs[k] = k % 2 ? (clp_certify_pair){x, y} : (clp_certify_pair){y, x};
  }
  arm_make_motion(g, arm, reach);
  clp_certify_world world = {arm->tree, arm->shapes, arm->pairs, ARM_PAIRS, &arm->carried, 1};
  ck_assert_int_eq(clp_certifier_create(&world, &arm->certifier), CLP_OK);
}

static inline void arm_destroy(random_arm *arm)
{
  clp_certifier_destroy(arm->certifier);
  clp_joint_tree_destroy(arm->tree);
}

/* Where all links are at a time, by the joint tree's own formula. */
static inline void arm_poses(const random_arm *arm, double time, clp_pose *X)
{
  clp_joint_state states[ARM_LINKS_MAX];
  int k = 0;
  while (k + 1 < arm->segment_count && time > arm->segments[k].to)
    ++k;
  clp_joint_tree_rest(arm->tree, states);
  for (int j = 0; j < arm->joints; ++j)
    states[j].position = arm_course_end(&arm->courses[k][j], time - arm->segments[k].from);
  if (clp_joint_tree_motion(arm->tree, states, X, NULL) != CLP_OK)
    ck_abort_msg("no poses at %.17g", time);
  if (arm->carried >= 0)
    X[arm->carried] = arm_carried_pose(&arm->carries[k], time - arm->segments[k].from);
}

#endif
