/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/math/pose.h"
#include "support/one_joint.h"

/* What a certifier does besides verdicts: giving up, saying where the links are nearest, carrying
 * what joints move. */

static bool go_on_for_a_while(void *user)
{
  int *left = user;
  return --*left > 0;
}

SUITE("certify_places");

TEST_CASE("places", 10);

/* Whoever gives up has no verdict, and a next question is worked on again. */
TEST(test_giving_up)
{
  const clp_body_def ball = ball_of(0.1);
  const clp_vec3 place = {1.201, 0, 0};
  int left = 3;
  clp_certify_options o = clp_default_certify_options();
  clp_certified r;
  long spent = 0;
  one_joint w;
  o.go_on = go_on_for_a_while;
  o.user = &left;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){-1, 0, 0}, &ball, &place, 1);
  w.course = (clp_joint_course){{0, 5}};
  w.segment = (clp_course_segment){0, 1, &w.course, NULL};
  ck_assert_int_eq(clp_certify_motion(w.certifier, &w.segment, 1, &o, &r, &spent), CLP_OK);
  ck_assert_int_eq(r.verdict, CLP_CERTIFY_UNDECIDED);
  ck_assert_int_eq(left, 0);
  ck_assert_int_le(spent, 3);
  ck_assert_int_eq(one_joint_ask(&w, 5, 1, 0).verdict, CLP_CERTIFY_CLEAR);
  one_joint_destroy(&w);
}

/* Where the nearest configuration is, and who touches whom there. */
TEST(test_places)
{
  const clp_body_def ball = ball_of(0.1);
  const clp_vec3 place = {1.5, 0, 0};
  clp_vec3 on_rest, on_move;
  one_joint w;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){-1, 0, 0}, &ball, &place, 1);
  clp_certified r = one_joint_ask(&w, 5, 1, 0);
  ck_assert_int_eq(clp_certify_places(w.certifier, 0, &on_rest, &on_move), CLP_OK);
  double angle = 5 * r.time;
  ck_assert_double_eq_tol(clp_distance(on_rest, on_move), r.distance, 1e-9);
  ck_assert_double_eq_tol(clp_distance(on_rest, place), 0.1, 1e-9);
  ck_assert_double_eq_tol(clp_distance(on_move, (clp_vec3){-cos(angle), -sin(angle), 0}), 0.1,
                          1e-9);
  ck_assert_int_eq(clp_certify_places(w.certifier, 1, &on_rest, &on_move), CLP_ERROR_ARGUMENT);
  const double from = 0, to = 1;
  clp_certified_edge edge;
  clp_certify_options o = {.clearance = 0.01};
  ck_assert_int_eq(clp_certify_edges(w.certifier, &from, &to, 1, &o, &edge), CLP_OK);
  ck_assert_int_eq(clp_certify_places(w.certifier, 0, &on_rest, &on_move), CLP_ERROR_ARGUMENT);
  one_joint_destroy(&w);
}

/* A carried link is where its course says, and not where the joint above it would have it. */
TEST(test_carried_below_a_joint)
{
  const clp_body_def ball = ball_of(0.1);
  const clp_vec3 place = {0, 0, 0};
  const int move = 1;
  const clp_certify_pair pair = {0, 1};
  one_joint w;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){0, 0, 0}, &ball, &place, 1);
  const clp_link links[] = {{w.parts + 1, 1}, {w.parts, 1}};
  clp_certify_world world = {w.tree, links, &pair, 1, &move, 1};
  clp_carried_course carried = {.X_RL = clp_pose_identity(), .V_RL = {{-1, 0, 0}, {0, 0, 0}}};
  clp_certify_options o = clp_default_certify_options();
  clp_certified r;
  carried.X_RL.position.x = 2;
  clp_certifier_destroy(w.certifier);
  ck_assert_int_eq(clp_certifier_create(&world, &w.certifier), CLP_OK);
  w.course = (clp_joint_course){{0}};
  w.segment = (clp_course_segment){0, 1, &w.course, &carried};
  ck_assert_int_eq(clp_certify_motion(w.certifier, &w.segment, 1, &o, &r, NULL), CLP_OK);
  ck_assert_int_eq(r.verdict, CLP_CERTIFY_CLEAR);
  ck_assert_double_eq_tol(r.distance, 0.8, 1e-9);
  ck_assert_double_eq_tol(r.time, 1, 1e-9);
  one_joint_destroy(&w);
}
