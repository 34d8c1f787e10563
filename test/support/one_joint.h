/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ONE_JOINT_H
#define TEST_SUPPORT_ONE_JOINT_H

#include "rclc_closest_point/certify.h"
#include "support/bodies.h"
#include "support/suite.h"

enum { ONE_JOINT_PARTS = 33 };

/* Two links, one joint between them, the parts fixed in either. */
typedef struct one_joint {
  clp_joint_tree *tree;
  clp_body *bodies[ONE_JOINT_PARTS];
  clp_part parts[ONE_JOINT_PARTS];
  clp_certifier *certifier;
  clp_joint_course course;
  clp_course_segment segment;
} one_joint;

static inline void one_joint_make(one_joint *w, const char *type, const clp_body_def *moving,
                                  clp_vec3 place, const clp_body_def *resting,
                                  const clp_vec3 *places, int count)
{
  char text[1024];
  snprintf(text, sizeof text,
           "<robot name='r'><link name='rest'/><link name='move'/><joint name='j' type='%s'>"
           "<parent link='rest'/><child link='move'/><axis xyz='0 0 1'/>"
           "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>",
           type);
  *w = (one_joint){0};
  ck_assert_int_eq(clp_joint_tree_parse(text, strlen(text), "one", (clp_model_sink){0}, &w->tree),
                   CLP_OK);
  for (int k = 0; k <= count; ++k) {
    w->bodies[k] = must_create(k == 0 ? moving : &resting[k - 1]);
    w->parts[k] = (clp_part){w->bodies[k], clp_pose_identity(), ""};
    w->parts[k].X_LP.position = k == 0 ? place : places[k - 1];
  }
  const clp_link links[] = {{w->parts + 1, count}, {w->parts, 1}};
  const clp_certify_pair pair = {0, 1};
  clp_certify_world world = {w->tree, links, &pair, 1, NULL, 0};
  ck_assert_int_eq(clp_certifier_create(&world, &w->certifier), CLP_OK);
}

static inline void one_joint_destroy(one_joint *w)
{
  clp_certifier_destroy(w->certifier);
  clp_joint_tree_destroy(w->tree);
  for (int k = 0; k < ONE_JOINT_PARTS; ++k)
    clp_body_destroy(w->bodies[k]);
}

static inline clp_certified one_joint_ask(one_joint *w, double speed, double time, long steps)
{
  clp_certify_options o = clp_default_certify_options();
  clp_certified r;
  o.steps = steps;
  w->course = (clp_joint_course){{0, speed}};
  w->segment = (clp_course_segment){0, time, &w->course, NULL};
  ck_assert_int_eq(clp_certify_motion(w->certifier, &w->segment, 1, &o, &r, NULL), CLP_OK);
  return r;
}

static inline clp_body_def ball_of(double radius)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = radius;
  return def;
}

#endif
