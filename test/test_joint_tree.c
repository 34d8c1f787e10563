/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"
#include "support/lines.h"
#include "support/random.h"
#include "support/suite.h"

#define JOINTS_MAX 64
#define CELL URDF_PATCHES_DIR "/cell_with_arm.urdf"

static clp_joint_tree *load(const char *path)
{
  lines l = {0};
  clp_joint_tree *tree = NULL;
  ck_assert_msg(clp_joint_tree_load(path, lines_sink(&l), &tree) == CLP_OK, "%s", l.text);
  ck_assert_int_le(clp_joint_tree_joint_count(tree), JOINTS_MAX);
  ck_assert_int_le(clp_joint_tree_link_count(tree), JOINTS_MAX);
  return tree;
}

static clp_joint_tree *parse(const char *text)
{
  lines l = {0};
  clp_joint_tree *tree = NULL;
  clp_status status = clp_joint_tree_parse(text, strlen(text), "text", lines_sink(&l), &tree);
  ck_assert_msg(status == CLP_OK, "%s", l.text);
  return tree;
}

#define ROBOT(inside) "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n" inside "</robot>"
#define ENDS "<parent link='a'/><child link='b'/>"

/* Joints that follow one another. */
static const char followers[] = ROBOT(
    "<link name='c'/><link name='d'/>\n"
    "<joint name='slide' type='prismatic'><parent link='c'/><child link='d'/>"
    "<axis xyz='0 0 -2'/><limit lower='-0.5' upper='1.5' velocity='3'/>"
    "<mimic joint='free' multiplier='2' offset='0.25'/></joint>\n"
    "<joint name='free' type='continuous'>" ENDS
    "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><mimic joint='hinge' multiplier='-3' "
    "offset='1'/></joint>\n"
    "<joint name='hinge' type='revolute'><parent link='b'/><child link='c'/>"
    "<limit lower='-1' upper='1' effort='9'/></joint>\n");

static double apart(clp_pose a, clp_pose b)
{
  double columns = clp_distance(a.rotation.x, b.rotation.x) +
                   clp_distance(a.rotation.y, b.rotation.y) +
                   clp_distance(a.rotation.z, b.rotation.z);
  return columns + clp_distance(a.position, b.position);
}

/* ---- Poses against exponentials ----------------------------------------------------------- */

static bool turns(clp_joint_type type)
{
  return type == CLP_JOINT_REVOLUTE || type == CLP_JOINT_CONTINUOUS;
}

static double effective(const clp_joint_tree *tree, const clp_joint_state *states, int j)
{
  clp_joint joint = clp_joint_tree_joint(tree, j);
  return joint.follows < 0 ? states[j].position
                           : joint.factor * states[joint.follows].position + joint.offset;
}

/* Brockett's formula: the link's pose at zero, moved by exp(screw * position) of one joint after
 * the other, from the link up to the root; the screws are those at zero. */
static clp_pose exponential_pose(const clp_joint_tree *tree, const clp_joint_state *states,
                                 const clp_pose *at_zero, int link)
{
  clp_pose pose = at_zero[link];
  for (int j; (j = clp_joint_tree_joint_above(tree, link)) >= 0;) {
    clp_joint joint = clp_joint_tree_joint(tree, j);
    clp_vec3 axis = clp_rotate(at_zero[joint.child].rotation, joint.axis);
    clp_twist screw = {{0, 0, 0}, {0, 0, 0}};
    if (turns(joint.type))
      screw = (clp_twist){clp_cross(at_zero[joint.child].position, axis), axis};
    else if (joint.type == CLP_JOINT_PRISMATIC)
      screw.linear = axis;
    double q = effective(tree, states, j);
    pose = clp_pose_multiply(clp_pose_after(clp_pose_identity(), screw, q), pose);
    link = joint.parent;
  }
  return pose;
}

static void scatter(const clp_joint_tree *tree, random_state *g, clp_joint_state *states)
{
  clp_joint_tree_rest(tree, states);
  for (int j = 0; j < clp_joint_tree_joint_count(tree); ++j) {
    states[j].position = random_between(g, -2, 2);
    states[j].speed = random_between(g, -1, 1);
  }
}

SUITE("joint_tree");

TEST_CASE("motion", 10);

TEST(poses_are_products_of_exponentials)
{
  clp_joint_tree *tree = load(CELL);
  clp_joint_state states[JOINTS_MAX];
  clp_pose at_zero[JOINTS_MAX], poses[JOINTS_MAX];
  random_state g = {7};
  clp_joint_tree_rest(tree, states);
  ck_assert_int_eq(clp_joint_tree_motion(tree, states, at_zero, NULL), CLP_OK);
  for (int round = 0; round < 100; ++round) {
    scatter(tree, &g, states);
    ck_assert_int_eq(clp_joint_tree_motion(tree, states, poses, NULL), CLP_OK);
    for (int l = 0; l < clp_joint_tree_link_count(tree); ++l)
      ck_assert_double_lt(apart(poses[l], exponential_pose(tree, states, at_zero, l)), 1e-13);
  }
  clp_joint_tree_destroy(tree);
}

/* The arm stands upright at zero: heights add up. The right finger mirrors the left one. */
TEST(places_of_the_arm)
{
  clp_joint_tree *tree = load(URDF_PATCHES_DIR "/arm_with_gripper.urdf");
  clp_joint_state states[JOINTS_MAX];
  clp_pose poses[JOINTS_MAX];
  int tcp = clp_joint_tree_find_link(tree, "tcp");
  int fingers[2] = {clp_joint_tree_find_link(tree, "left_finger"),
                    clp_joint_tree_find_link(tree, "right_finger")};
  clp_joint_tree_rest(tree, states);
  states[clp_joint_tree_find_joint(tree, "left_finger_joint")].position = 0.02;
  ck_assert_int_eq(clp_joint_tree_motion(tree, states, poses, NULL), CLP_OK);
  ck_assert_double_eq_tol(poses[tcp].position.z,
                          0.14 + 0.2 + 0.12 + 0.28 + 0.11 + 0.25 + 0.07 + 0.04 + 0.12, 1e-14);
  ck_assert_double_eq_tol(poses[fingers[0]].position.y, 0.02, 1e-15);
  ck_assert_double_eq_tol(poses[fingers[1]].position.y, -0.02, 1e-15);
  /* joint_2, 0.34 m up, turns about y: the tool comes to lie in front. */
  states[clp_joint_tree_find_joint(tree, "joint_2")].position = 0.5 * acos(-1);
  ck_assert_int_eq(clp_joint_tree_motion(tree, states, poses, NULL), CLP_OK);
  ck_assert_double_eq_tol(poses[tcp].position.x, 1.33 - 0.34, 1e-14);
  ck_assert_double_eq_tol(poses[tcp].position.z, 0.34, 1e-14);
  clp_joint_tree_destroy(tree);
}

/* clp_rotation_about against quaternions. */
TEST(turns_about_an_axis)
{
  random_state g = {3};
  for (int round = 0; round < 1000; ++round) {
    clp_vec3 axis = random_direction(&g);
    double angle = random_between(&g, -3, 3);
    clp_quaternion q = clp_quaternion_turned((clp_quaternion){0, 0, 0, 1}, clp_scale(angle, axis));
    clp_pose a = {.rotation = clp_rotation_about(axis, angle)};
    clp_pose b = {.rotation = clp_quaternion_rotation(q)};
    ck_assert_double_lt(apart(a, b), 1e-14);
  }
}

/* ---- Speeds against differences ----------------------------------------------------------- */

static void advance(const clp_joint_tree *tree, clp_joint_state *states, double time)
{
  for (int j = 0; j < clp_joint_tree_joint_count(tree); ++j) {
    states[j].position += time * states[j].speed;
    clp_pose *pose = &states[j].pose;
    clp_twist twist = states[j].twist;
    twist.linear = clp_sub(twist.linear, clp_cross(twist.angular, pose->position));
    *pose = clp_pose_after(*pose, twist, time);
  }
}

/* The motion between a moment before and a moment after, as a twist of the link's origin. */
static clp_twist difference(const clp_joint_tree *tree, const clp_joint_state *states, int link)
{
  const double h = 1e-5;
  clp_joint_state moved[JOINTS_MAX];
  clp_pose poses[2][JOINTS_MAX];
  for (int side = 0; side < 2; ++side) {
    memcpy(moved, states, sizeof moved);
    advance(tree, moved, side ? h : -h);
    ck_assert_int_eq(clp_joint_tree_motion(tree, moved, poses[side], NULL), CLP_OK);
  }
  clp_pose from = poses[0][link], to = poses[1][link];
  clp_twist twist = clp_twist_between((clp_pose){.rotation = from.rotation},
                                      (clp_pose){.rotation = to.rotation}, 2 * h);
  twist.linear = clp_scale(1 / (2 * h), clp_sub(to.position, from.position));
  return twist;
}

static void expect_twist(clp_twist a, clp_twist b, double tolerance)
{
  ck_assert_double_lt(clp_distance(a.linear, b.linear), tolerance);
  ck_assert_double_lt(clp_distance(a.angular, b.angular), tolerance);
}

LOOP_TEST(twists_are_derivatives_of_poses, 0, 2)
{
  clp_joint_tree *tree = _i == 0 ? load(CELL) : parse(followers);
  clp_joint_state states[JOINTS_MAX];
  clp_pose poses[JOINTS_MAX];
  clp_twist twists[JOINTS_MAX];
  random_state g = {11};
  int person = clp_joint_tree_find_joint(tree, "cell_person");
  for (int round = 0; round < 10; ++round) {
    scatter(tree, &g, states);
    if (person >= 0) {
      states[person].pose =
          (clp_pose){clp_rotation_from_rpy(0.3, -0.2, 1.1 + round), {0.4, -0.3, 0.2}};
      states[person].twist = (clp_twist){random_direction(&g), random_direction(&g)};
    }
    ck_assert_int_eq(clp_joint_tree_motion(tree, states, poses, twists), CLP_OK);
    for (int l = 0; l < clp_joint_tree_link_count(tree); ++l)
      expect_twist(twists[l], difference(tree, states, l), 1e-8);
  }
  clp_joint_tree_destroy(tree);
}

/* Each column is the link's twist when its joint alone moves at unit speed. */
TEST(columns_are_twists_of_single_joints)
{
  clp_joint_tree *tree = load(CELL);
  clp_joint_state states[JOINTS_MAX];
  clp_pose poses[JOINTS_MAX];
  clp_twist columns[JOINTS_MAX];
  random_state g = {5};
  int seen = 0;
  static const char *const names[] = {"right_finger", "tcp", "head", "table", "cell"};
  scatter(tree, &g, states);
  ck_assert_int_eq(clp_joint_tree_motion(tree, states, poses, NULL), CLP_OK);
  for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
    int link = clp_joint_tree_find_link(tree, names[n]);
    clp_joint_tree_jacobian(tree, poses, link, columns);
    for (int j = 0; j < clp_joint_tree_joint_count(tree); ++j) {
      for (int k = 0; k < clp_joint_tree_joint_count(tree); ++k)
        states[k].speed = k == j;
      clp_twist twist = difference(tree, states, link);
      expect_twist(columns[j], twist, 1e-9);
      seen += clp_norm(twist.linear) + clp_norm(twist.angular) > 0.5;
    }
  }
  ck_assert_int_eq(seen, 8 + 7 + 2); /* arm and finger; arm; waist and neck */
  clp_joint_tree_destroy(tree);
}

/* ---- Reading ------------------------------------------------------------------------------ */

TEST_CASE("reading", 10);

TEST(what_a_joint_says)
{
  clp_joint_tree *tree = parse(followers);
  clp_joint slide = clp_joint_tree_joint(tree, 0), loose = clp_joint_tree_joint(tree, 1);
  clp_joint hinge = clp_joint_tree_joint(tree, 2);
  ck_assert_str_eq(slide.name, "slide");
  ck_assert_int_eq(slide.type, CLP_JOINT_PRISMATIC);
  ck_assert_str_eq(clp_joint_tree_link_name(tree, slide.parent), "c");
  ck_assert_str_eq(clp_joint_tree_link_name(tree, slide.child), "d");
  ck_assert_double_eq(slide.axis.z, -1);
  ck_assert_double_eq(slide.lower, -0.5);
  ck_assert_double_eq(slide.upper, 1.5);
  ck_assert_double_eq(slide.max_speed, 3);
  ck_assert_int_eq(slide.follows, 2); /* 2 (-3 q + 1) + 0.25 */
  ck_assert_double_eq(slide.factor, -6);
  ck_assert_double_eq(slide.offset, 2.25);
  ck_assert_double_eq(loose.axis.x, 1);
  ck_assert_double_eq(loose.X_PJ.position.z, 3);
  ck_assert_double_eq_tol(loose.X_PJ.rotation.x.z, -sin(0.2), 1e-15);
  ck_assert(isinf(loose.upper) && isinf(loose.lower) && isinf(loose.max_speed));
  ck_assert_int_eq(hinge.follows, -1);
  ck_assert_int_eq(clp_joint_tree_find_joint(tree, "hinge"), 2);
  ck_assert_int_eq(clp_joint_tree_find_joint(tree, "none"), -1);
  ck_assert_int_eq(clp_joint_tree_find_link(tree, "none"), -1);
  ck_assert_int_eq(clp_joint_tree_joint_above(tree, clp_joint_tree_find_link(tree, "a")), -1);
  clp_joint_tree_destroy(tree);
}

typedef struct defect {
  const char *text;
  int line;
  const char *part;
} defect;

static const defect defects[] = {
    {"<robo/>", 1, "expected <robot>"},
    {ROBOT("<joint name='j'>" ENDS "</joint>"), 4, "joint 'j' has no type, expected type="},
    {ROBOT("<joint name='j' type='ball'>" ENDS "</joint>"), 4, "'j' has the type 'ball', expected"},
    {ROBOT("<joint name='j' type='revolute'>" ENDS "</joint>"), 4, "revolute and has no <limit>"},
    {ROBOT("<joint name='j' type='fixed'>\n<parent link='x'/><child link='b'/></joint>"), 4,
     "the joint's parent is link 'x'"},
    {ROBOT("<joint name='j' type='fixed'>\n<child link='b'/></joint>"), 4, "has no parent"},
    {ROBOT("<joint name='j' type='continuous'>" ENDS "\n<axis xyz='0 0 0'/></joint>"), 5,
     "the axis of joint 'j' has no direction"},
    {ROBOT("<joint name='j' type='continuous'>" ENDS "\n<axis xyz='0 zero 1'/></joint>"), 5,
     "'zero' is not a number"},
    {ROBOT("<joint name='j' type='prismatic'>" ENDS "\n<limit lower='2' upper='1'/></joint>"), 5,
     "lower limit of joint 'j' is above"},
    {ROBOT("<joint name='j' type='continuous'>" ENDS "\n<limit velocity='-1'/></joint>"), 5,
     "velocity of joint 'j' is negative"},
    {ROBOT("<joint name='j' type='continuous'>" ENDS "\n<mimic joint='k'/></joint>"), 5,
     "joint 'j' mimics 'k', expected a joint that turns or slides"},
    {ROBOT("<joint name='j' type='continuous'>" ENDS "\n<mimic joint='j'/></joint>"), 5,
     "joint 'j' mimics itself"},
    {ROBOT("\n"), 3, "link 'b' hangs on no joint, as 'a' does, expected one root"},
    {ROBOT("<joint name='j' type='fixed'>" ENDS "</joint>\n<joint name='k' type='fixed'>" ENDS
           "</joint>"),
     5, "link 'b' hangs on joint 'j' already"},
    {ROBOT("<joint name='j' type='fixed'>" ENDS "</joint>\n<joint name='j' type='fixed'>" ENDS
           "</joint>"),
     5, "<joint> name 'j' is taken since line 4"},
    {ROBOT("<link name='b'/>"), 4, "<link> name 'b' is taken since line 3"},
    {ROBOT("<link name='c'/><joint name='j' type='fixed'>" ENDS
           "</joint>\n<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
     4, "joint 'j' hangs on a loop of joints"},
};

LOOP_TEST(defects_have_their_line, 0, (int)(sizeof defects / sizeof *defects))
{
  const defect *d = &defects[_i];
  lines l = {0};
  clp_joint_tree *tree = NULL;
  ck_assert_int_eq(clp_joint_tree_parse(d->text, strlen(d->text), "r", lines_sink(&l), &tree),
                   CLP_ERROR_FORMAT);
  ck_assert_ptr_null(tree);
  ck_assert_msg(lines_have(&l, "r", d->line, d->part), "%d %s, got %s", d->line, d->part, l.text);
}

TEST(wrong_calls)
{
  lines l = {0};
  clp_joint_tree *tree = NULL;
  ck_assert_int_eq(clp_joint_tree_load("no.urdf", lines_sink(&l), &tree), CLP_ERROR_FILE);
  ck_assert(lines_have(&l, "no.urdf", 1, ""));
  tree = parse(ROBOT("<joint name='j' type='continuous'>" ENDS "</joint>"));
  clp_joint_state state;
  clp_pose poses[2] = {{.position = {7, 7, 7}}};
  clp_joint_tree_rest(tree, &state);
  state.position = (double)NAN;
  ck_assert_int_eq(clp_joint_tree_motion(tree, &state, poses, NULL), CLP_ERROR_ARGUMENT);
  ck_assert_double_eq(poses[0].position.x, 7);
  ck_assert_int_eq(clp_joint_tree_motion(tree, &state, NULL, NULL), CLP_ERROR_ARGUMENT);
  clp_joint_tree_destroy(tree);
  clp_joint_tree_destroy(NULL);
}

/* A chain of 50,000 links, listed from its end: in no time, and as exact as one link. */
TEST(a_long_chain)
{
  enum { COUNT = 50000 };
  size_t size = COUNT * 160, used = 0;
  char *text = malloc(size);
  used += (size_t)snprintf(text, size, "<robot>");
  for (int k = COUNT; k >= 0; --k)
    used += (size_t)snprintf(text + used, size - used, "<link name='l%d'/>", k);
  for (int k = COUNT; k > 0; --k)
    used += (size_t)snprintf(text + used, size - used,
                             "<joint name='j%d' type='fixed'><parent link='l%d'/><child "
                             "link='l%d'/><origin xyz='1 0 0'/></joint>",
                             k, k - 1, k);
  snprintf(text + used, size - used, "</robot>");
  clp_joint_tree *tree = parse(text);
  clp_joint_state *states = malloc(COUNT * sizeof *states);
  clp_pose *poses = malloc((COUNT + 1) * sizeof *poses);
  clp_joint_tree_rest(tree, states);
  ck_assert_int_eq(clp_joint_tree_motion(tree, states, poses, NULL), CLP_OK);
  ck_assert_double_eq(poses[0].position.x, COUNT); /* the first in the file is the last one */
  free(poses);
  free(states);
  free(text);
  clp_joint_tree_destroy(tree);
}
