/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/claim.h"

#include <stdlib.h>
#include <string.h>
#include "support/one_monitor.h"

/* Half a robot is not CLEAR: links that are there and have no body. */

#define BODY "<patches><sphere radius='0.1'/></patches>"
#define SHOWN "<visual><geometry><box size='1 1 1'/></geometry></visual>"
#define HEAVY "<inertial><mass value='2'/></inertial>"

/* A base, an arm of six, of which only three have bodies, a flange with a decal; a table with
 * nothing but a picture, and a person. */
static const char robot_text[] =
    "<robot name='cell'>\n"
    "<link name='world'/>\n"
    "<link name='base'>" SHOWN
    "</link>\n"
    "<link name='a1'>" HEAVY BODY
    "</link>\n"
    "<link name='a2'>" SHOWN HEAVY
    "</link>\n"
    "<link name='a3'>" BODY SHOWN
    "</link>\n"
    "<link name='a4'>" BODY
    "</link>\n"
    "<link name='flange'>" SHOWN
    "</link>\n"
    "<link name='old_decal'>" SHOWN
    "</link>\n"
    "<link name='frame_only'><inertial><mass value='0.0'/></inertial></link>\n"
    "<link name='table'>" SHOWN
    "</link>\n"
    "<link name='head'>" BODY
    "</link>\n"
    "<joint name='j0' type='fixed'><parent link='world'/><child link='base'/></joint>"
    "<joint name='j1' type='fixed'><parent link='base'/><child link='a1'/></joint>"
    "<joint name='j2' type='fixed'><parent link='a1'/><child link='a2'/></joint>"
    "<joint name='j3' type='fixed'><parent link='a2'/><child link='a3'/></joint>"
    "<joint name='j4' type='fixed'><parent link='a3'/><child link='a4'/></joint>"
    "<joint name='j5' type='fixed'><parent link='a4'/><child link='flange'/></joint>"
    "<joint name='j6' type='fixed'><parent link='flange'/><child link='old_decal'/></joint>"
    "<joint name='j7' type='fixed'><parent link='flange'/><child link='frame_only'/></joint>"
    "<joint name='j8' type='fixed'><parent link='world'/><child link='table'/></joint>"
    "<joint name='j9' type='floating'><parent link='world'/><child link='head'/></joint>"
    "</robot>";

static void create(const char *text)
{
  said = (lines){0};
  ck_assert_int_eq(create_of(text), CLP_OK);
}

/* What is said when all that is watched is far apart. */
static const clp_report *far_apart(void)
{
  const clp_report *report = NULL;
  const char *const names[] = {"a1", "a3", "a4", "head"};
  for (int k = 0; k < 4; ++k) {
    clp_arrival arrival = {"world", names[k], 0, {9.0 * k, 0, 0}, {0, 0, 0, 1}};
    clp_monitor_feed(monitor, &arrival, 1, true, BEGIN);
  }
  for (int k = 0; k < 200; ++k)
    report = clp_monitor_cycle(monitor, BEGIN + k * (SECOND / 50));
  return report;
}

static void expect_stop(const char *reason)
{
  const clp_report *report = far_apart();
  ck_assert_str_eq(report->safety.reason, reason);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report->safety.speed_scale, 0);
}

static void expect_clear(void)
{
  const clp_report *report = far_apart();
  ck_assert_msg(report->safety.zone == CLP_ZONE_CLEAR, "%s", report->safety.reason);
}

SUITE("claim");

FIXTURE_CASE("coverage", 20, monitor_begin, leave);

TEST(half_a_robot_is_stop)
{
  set("robot_links", "[a1, a3, a4]");
  create(robot_text);
  expect_stop("link base of the robot has no body, nor have 3 others");
  ck_assert(lines_have(&said, "robot_description", 3,
                       "link 'base' has a <visual> but no body, so the zone is STOP until"));
  ck_assert(lines_have(&said, "robot_description", 5, "link 'a2' has a <visual> and a mass but"));
  ck_assert(lines_have(&said, "robot_description", 11,
                       "link 'table' has a <visual> but no body, "
                       "so nothing is known of what is near it"));
  ck_assert_int_eq(said.notes, 5);
  ck_assert_int_eq(clp_monitor_uncovered_count(monitor), 5);
}

/* Each of them stops alone, wherever it hangs; what is not of the robot does not. */
LOOP_TEST(one_is_enough, 0, 11)
{
  static const struct {
    const char *robot, *excused, *stops; /* NULL: CLEAR */
  } cases[] = {
      {"[a1, a3, a4]", "[a2, flange, old_decal]", "base"},     /* above */
      {"[a1, a3, a4]", "[base, flange, '*_decal']", "a2"},     /* between */
      {"[a1, a3, a4]", "['[ab]*', '*_decal']", "flange"},      /* below */
      {"[a1, a3, a4]", "[base, a2, flange]", "old_decal"},     /* farther below */
      {"[a1, a3, a4]", "[base, a2, flange, '*_decal']", NULL}, /* all are excused */
      {"[a1, a3, a4]", "['*']", NULL},                         /* at one's own risk */
      {"[a4]", "[base, flange, '*_decal']", "a2"},             /* only above the robot */
      {"[a1]", "[base, a2, '?????e']", "old_decal"},           /* only below it */
      {"[head]", "[]", NULL},                                  /* another robot */
      {"[]", "[base, flange, '*_decal']", "a2"},               /* every link may be it */
      {"[]", "[base, a2, flange, '*_decal']", NULL},
  };
  set("robot_links", cases[_i].robot);
  set("allow_uncovered", cases[_i].excused);
  create(robot_text);
  char reason[100];
  snprintf(reason, sizeof reason, "link %s of the robot has no body", cases[_i].stops);
  if (cases[_i].stops)
    expect_stop(reason);
  else
    expect_clear();
}

TEST(patterns_in_vain_are_noted)
{
  set("robot_links", "[head]");
  set("allow_uncovered", "['*_dekal', flange]");
  create(robot_text);
  ck_assert(lines_have(&said, "robot_description", 1,
                       "parameter 'allow_uncovered' has '*_dekal', which no uncovered link"));
  ck_assert_ptr_null(strstr(said.text, "'flange', which no"));
}

/* What is fixed to a link of the robot moves with it, whichever of the two hangs on the other one,
 * or both on a frame; unless all that stands still with the world. */
TEST(what_is_fixed_to_the_robot)
{
  static const char text[] =
      "<robot name='r'><link name='footprint'/><link name='a1'>" BODY
      "</link><link name='tower'>" SHOWN "</link><link name='mast'/><link name='lamp'>" HEAVY
      "</link><link name='crate'>" SHOWN
      "</link>"
      "<link name='head'>" BODY
      "</link>"
      "<joint name='j1' type='fixed'><parent link='footprint'/><child link='a1'/></joint>"
      "<joint name='j2' type='fixed'><parent link='footprint'/><child link='tower'/></joint>"
      "<joint name='j3' type='fixed'><parent link='footprint'/><child link='mast'/></joint>"
      "<joint name='j4' type='continuous'><parent link='mast'/><child link='lamp'/></joint>"
      "</robot>";
  set("robot_links", "[a1]");
  create(text);
  expect_stop("link tower of the robot has no body, nor have 1 others");
  set("allow_uncovered", "[tower]");
  create(text);
  expect_stop("link lamp of the robot has no body");
  set("allow_uncovered", "[tower, lamp]");
  create(text);
  expect_clear();
  set("allow_uncovered", "[]");
  set("fixed_frame", "footprint");
  create(text);
  ck_assert(lines_have(&said, "robot_description", 1,
                       "link 'tower' has a <visual> but no body, so nothing"));
}

/* Joints that close a loop are another reader's business. */
TEST(loops_of_joints_end)
{
  static const char text[] =
      "<robot name='r'><link name='a1'>" BODY "</link><link name='b'>" SHOWN
      "</link>"
      "<link name='head'>" BODY
      "</link>"
      "<joint name='j1' type='fixed'><parent link='a1'/><child link='b'/></joint>"
      "<joint name='j2' type='fixed'><parent link='b'/><child link='a1'/></joint></robot>";
  set("robot_links", "[a1]");
  create(text);
  expect_stop("link b of the robot has no body");
}

TEST(the_diagnostics_name_them)
{
  static clp_diagnostics d;
  static const clp_cycle_record record;
  set("robot_links", "[a1, a3, a4]");
  set("allow_uncovered", "[base, '*_decal', flange]");
  create(robot_text);
  d = clp_diagnose(monitor, far_apart(), &record, 0);
  ck_assert_int_eq(d.level, CLP_HEALTH_ERROR);
  ck_assert_str_eq(d.message, "link a2 of the robot has no body");
  ck_assert_str_eq(value_of(&d, "uncovered links"), "5");
  ck_assert_str_eq(value_of(&d, "uncovered a2"), "STOP");
  ck_assert_str_eq(value_of(&d, "uncovered flange"), "excused");
  ck_assert_str_eq(value_of(&d, "uncovered table"), "not of the robot");
  ck_assert_str_eq(value_of(&d, "uncovered frame_only"), "");
}
