/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, WEXITSTATUS */

#include <math.h>

#include "support/command.h"
#include "support/suite.h"

/* closest_point certify, the built command. */

#define HEADER "link_a,link_b,verdict,clearance,t,distance,contact_from,contact_to\n"

/* A ball at a radius of 0.5 m on a turning arm, one beside its way, a box on it, a slide that
 * mimics the arm, and a link that a joint of no number carries. */
static const char model[] =
    "<robot name='r'>\n"
    "<link name='base'/>\n"
    "<link name='arm'><patches><origin xyz='0.5 0 0'/><sphere radius='0.1'/></patches></link>\n"
    "<link name='ball'><patches><origin xyz='0 0.75 0'/><sphere radius='0.1'/></patches></link>\n"
    "<link name='box'><patches><origin xyz='-0.5 0 0'/><box size='0.2 0.1 0.1'/></patches></link>\n"
    "<link name='slide'><patches><sphere radius='0.1'/></patches></link>\n"
    "<link name='guest'><patches><sphere radius='0.1'/></patches></link>\n"
    "<link name='flat'><patches planar='true'><curve name='C' degree='1' size='4'>\n"
    "  <knots>0 0 1 2 3 3</knots><control_points>0 0 1  1 0 1  0 1 1  0 0 1</control_points>\n"
    "</curve></patches></link>\n"
    "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/>\n"
    "  <axis xyz='0 0 1'/></joint>\n"
    "<joint name='f1' type='fixed'><parent link='base'/><child link='ball'/></joint>\n"
    "<joint name='f2' type='fixed'><parent link='base'/><child link='box'/></joint>\n"
    "<joint name='s' type='prismatic'><parent link='base'/><child link='slide'/>\n"
    "  <origin xyz='3 0 0'/><axis xyz='1 0 0'/><limit lower='-2' upper='2' effort='1' "
    "velocity='1'/>\n"
    "  <mimic joint='j' multiplier='-0.5'/></joint>\n"
    "<joint name='k' type='prismatic'><parent link='base'/><child link='other'/>\n"
    "  <axis xyz='0 1 0'/><limit lower='1' upper='2' effort='1' velocity='1'/></joint>\n"
    "<link name='other'><patches><origin xyz='0 5 0'/><sphere radius='0.1'/></patches></link>\n"
    "<joint name='g' type='floating'><parent link='base'/><child link='guest'/>\n"
    "  <origin xyz='0 0 5'/></joint>\n"
    "</robot>\n";

static void enter(void)
{
  enter_folder();
  write_whole("m.urdf", model);
  write_whole("t.csv", "t,j,k\n0,0,1\n1,2,1\n2,3,1\n");
}

typedef struct row {
  char verdict[16];
  double clearance, t, distance, from, to;
  int fields;
} row;

/* The first row, and the exit status that it goes with. */
static row row_of(const char *arguments)
{
  row w = {.fields = 0};
  const result *r = run(arguments);
  ck_assert_msg(strncmp(r->out, HEADER, strlen(HEADER)) == 0, "%s: %s %s", arguments, r->out,
                r->err);
  w.fields = sscanf(r->out + strlen(HEADER), "%*[^,],%*[^,],%15[^,],%lf,%lf,%lf,%lf,%lf", w.verdict,
                    &w.clearance, &w.t, &w.distance, &w.from, &w.to);
  ck_assert_int_eq(r->status, strcmp(w.verdict, "CLEAR") == 0 ? 0 : 4);
  return w;
}

/* ---- Verdicts ----------------------------------------------------------------------------- */

SUITE("command certify");

FIXTURE_CASE("certify", 60, enter, leave_folder);

/* At 0.79 s the arm points along y: 0.05 m are left. */
TEST(test_clear)
{
  row w = row_of("certify m.urdf t.csv --pairs arm:ball");
  ck_assert_str_eq(w.verdict, "CLEAR");
  ck_assert_int_eq(w.fields, 4);
  ck_assert_double_le(w.clearance, 0.05);
  ck_assert_double_ge(w.distance, 0.05);
  ck_assert_double_le(w.distance - w.clearance, 1e-4);
  ck_assert_double_eq_tol(w.t, acos(0) / 2, 0.01);
  w = row_of("certify m.urdf t.csv --pairs arm:ball --tolerance 1e-7");
  ck_assert_double_le(w.distance - w.clearance, 1e-7);
  w = row_of("certify m.urdf t.csv --pairs arm:ball --clearance 0.049");
  ck_assert_str_eq(w.verdict, "CLEAR");
  ck_assert_double_ge(w.clearance, 0.049);
}

TEST(test_near)
{
  row w = row_of("certify m.urdf t.csv --pairs arm:ball --clearance 0.06");
  ck_assert_str_eq(w.verdict, "NEAR");
  ck_assert_double_le(w.clearance, 0.05);
  ck_assert_double_gt(w.clearance, 0);
  ck_assert_double_lt(w.distance, 0.06);
}

/* The ball's center comes within 0.1 m of the box's side at y = 0.05 where 0.5 sin q = 0.15. */
TEST(test_contact)
{
  row w = row_of("certify m.urdf t.csv --pairs arm:box");
  double from = 1 + 2 * acos(0) - asin(0.3) - 2;
  ck_assert_str_eq(w.verdict, "CONTACT");
  ck_assert_int_eq(w.fields, 6);
  ck_assert_double_eq_tol(w.from, from, 1e-6);
  ck_assert_double_ge(w.from, from - 1e-12);
  ck_assert(w.to == 2);
  ck_assert_double_lt(w.distance, 0);
}

TEST(test_window)
{
  row w = row_of("certify m.urdf t.csv --pairs arm:box --to 1.5");
  ck_assert_str_eq(w.verdict, "CLEAR");
  ck_assert(w.t == 1.5);
  w = row_of("certify m.urdf t.csv --pairs arm:ball --from 1 --to 9");
  ck_assert(w.t == 1);
  ck_assert_double_eq_tol(w.distance, hypot(0.5 * cos(2), 0.75 - 0.5 * sin(2)) - 0.2, 1e-12);
  w = row_of("certify m.urdf t.csv --pairs arm:box --from 2 --to 3");
  ck_assert(w.from == 2 && w.to == 3);
  w = row_of("certify m.urdf t.csv --pairs arm:ball --from 1 --to 1");
  ck_assert_double_eq_tol(w.clearance, w.distance, 1e-9);
  expect_failure("certify m.urdf t.csv --pairs arm:box --from -1", 1,
                 "'--from' is -1, expected no less than 0");
  expect_failure("certify m.urdf t.csv --pairs arm:box --from 1 --to 0.5", 1,
                 "no end before the beginning");
  expect_failure("certify m.urdf t.csv --pairs arm:box --to x", 2, "expected a number");
}

/* The times that are told are within the motion, to the last digit. */
TEST(test_end_of_time)
{
  write_whole("e.csv", "t,j,k\n-3,1,1\n0.1,2.5,1\n");
  row w = row_of("certify m.urdf e.csv --pairs arm:box --clearance 3");
  ck_assert_double_eq(w.t, 0.1);
}

/* A joint that mimics one of the trajectory's goes with it: from 3 m to 1.5. */
TEST(test_mimic)
{
  row w = row_of("certify m.urdf t.csv --pairs slide:ball");
  ck_assert(w.t == 2);
  ck_assert_double_eq_tol(w.distance, hypot(1.5, 0.75) - 0.2, 1e-9);
}

TEST(test_left_out)
{
  write_whole("j.csv", "t,j\n0,0\n1,1\n");
  const result *r = run("certify m.urdf j.csv --pairs other:ball");
  ck_assert_int_eq(r->status, 0);
  ck_assert_ptr_nonnull(
      strstr(r->err, "j.csv:1: note: joint 'k' is not in the trajectory: it stays at 1"));
  ck_assert_ptr_null(strstr(r->err, "'s'"));
  ck_assert(!*run("certify m.urdf j.csv --pairs other:ball -q")->err);
  row w = row_of("certify m.urdf j.csv --pairs other:ball -q");
  ck_assert_double_eq_tol(w.distance, 6 - 0.75 - 0.2, 1e-12);
}

/* ---- Interpolation ------------------------------------------------------------------------ */

/* One joint from 0 to 1 in 1 s; how far the slide has gone tells where it is half way. */
static double position_at_a_quarter(const char *header, const char *first, const char *last)
{
  char text[256];
  snprintf(text, sizeof text, "%s\n%s\n%s\n", header, first, last);
  write_whole("q.csv", text);
  row w = row_of("certify m.urdf q.csv --pairs slide:guest --from 0.25 --to 0.25 -q");
  double x = sqrt((w.distance + 0.2) * (w.distance + 0.2) - 25);
  return -2 * (x - 3);
}

TEST(test_interpolation)
{
  /* Straight; 3 s^2 - 2 s^3 and, with velocities 1 and 2, s - 2 s^2 ... by Hermite's formula; and
   * 10 s^3 - 15 s^4 + 6 s^5. */
  double s = 0.25, s2 = s * s, s3 = s2 * s;
  ck_assert_double_eq_tol(position_at_a_quarter("t,j", "0,0", "1,1"), s, 1e-9);
  ck_assert_double_eq_tol(position_at_a_quarter("t,j,j.v", "0,0,0", "1,1,0"), 3 * s2 - 2 * s3,
                          1e-9);
  ck_assert_double_eq_tol(position_at_a_quarter("t,j.v,j", "0,1,0", "1,2,1"),
                          (s3 - 2 * s2 + s) + 2 * (s3 - s2) + 3 * s2 - 2 * s3, 1e-9);
  ck_assert_double_eq_tol(position_at_a_quarter("t,j,j.v,j.a", "0,0,0,0", "1,1,0,0"),
                          10 * s3 - 15 * s3 * s + 6 * s3 * s2, 1e-9);
  /* s^2 has acceleration 2 throughout */
  ck_assert_double_eq_tol(position_at_a_quarter("t,j,j.v,j.a", "0,0,0,2", "1,1,2,2"), s2, 1e-9);
}

static const char message[] =
    "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\n"
    "joint_names:\n- j\n- k\n"
    "points:\n"
    "- positions:\n  - 0.0\n  - 1.0\n  velocities: []\n  accelerations: []\n  effort: []\n"
    "  time_from_start:\n    sec: 0\n    nanosec: 0\n"
    "- positions: [2.0, 1.0]\n  velocities: []\n  accelerations: []\n  effort: []\n"
    "  time_from_start:\n    sec: 1\n    nanosec: 0\n"
    "- positions: [3.0, 1.0]\n  time_from_start: {sec: 2, nanosec: 0}\n"
    "---\n";

TEST(test_message)
{
  write_whole("t.yaml", message);
  static char csv[65536];
  const result *r = run("certify m.urdf t.csv -q --pairs arm:ball,arm:box,slide:guest");
  snprintf(csv, sizeof csv, "%s", r->out);
  ck_assert_int_eq(r->status, 4);
  ck_assert_str_eq(run("certify m.urdf t.yaml -q --pairs arm:ball,arm:box,slide:guest")->out, csv);
  write_whole(
      "v.yaml",
      "joint_names: [j]\npoints:\n"
      "- {positions: [0], velocities: [0], time_from_start: {sec: 0, nanosec: 0}}\n"
      "- {positions: [1], velocities: [0], time_from_start: {sec: 1, nanosec: 500000000}}\n");
  row w = row_of("certify m.urdf v.yaml -q --pairs slide:guest --from 0.75 --to 0.75");
  ck_assert_double_eq_tol(w.distance, hypot(5, 2.75) - 0.2, 1e-9);
}

/* ---- Poses -------------------------------------------------------------------------------- */

#define POSES "t,link,x,y,z,qx,qy,qz,qw\n"

/* A guest that falls from 5 m to the ball and back; the arm stands. */
TEST(test_poses)
{
  write_whole("t.csv", "t,j\n0,0\n4,0\n");
  write_whole("p.csv", POSES
              "0,guest,0,0.75,5,0,0,0,1\n1,guest,0,0.75,0.5,0,0,0,1\n"
              "2,guest,0,0.75,5,0,0,0,1\n");
  row w = row_of("certify m.urdf t.csv -q --pairs guest:ball --poses p.csv");
  ck_assert_str_eq(w.verdict, "CLEAR");
  ck_assert_double_eq_tol(w.t, 1, 1e-4);
  ck_assert_double_eq_tol(w.distance, 0.3, 1e-4);
  w = row_of("certify m.urdf t.csv -q --pairs guest:ball --poses p.csv --from 3");
  ck_assert_double_eq_tol(w.distance, 4.8, 1e-9);
  write_whole("p.csv", POSES "0,arm,0,0,5,0,0,0,1\n");
  expect_failure("certify m.urdf t.csv -q --poses p.csv --pairs arm:ball", 1,
                 "p.csv:2: link 'arm', which joints move");
  write_whole("p.csv", POSES "0,guest,0,0,5,0,0,0,1\n1,box,0,0,5,0,0,0,1\n");
  expect_failure("certify m.urdf t.csv -q --poses p.csv --pairs arm:ball", 1,
                 "p.csv:3: link 'box' for the first time at t = 1");
}

/* ---- What is refused ---------------------------------------------------------------------- */

static void expect_refused(const char *text, const char *message_part)
{
  write_whole("bad", text);
  expect_failure("certify m.urdf bad -q --pairs arm:ball", 1, message_part);
}

TEST(test_bad_csv)
{
  expect_refused("", "bad:1: an empty file");
  expect_refused("t,j\n", "bad:1: a trajectory without points");
  expect_refused("t,x\n0,0\n", "bad:1: joint 'x', which the model does not have");
  expect_refused("t,s\n0,0\n", "bad:1: joint 's', which mimics another joint");
  expect_refused("t,f1\n0,0\n", "bad:1: joint 'f1', which is fixed");
  expect_refused("t,g\n0,0\n", "bad:1: joint 'g', which is not moved by one number");
  expect_refused("t,j,j\n0,0,0\n", "bad:1: joint 'j' again");
  expect_refused("t,j,j.a\n0,0,0\n", "without one for its velocity");
  expect_refused("t,j,k.v\n0,0,0\n", "expected one for its position, too");
  expect_refused("t,j,j.v,j.v\n0,0,0,0\n", "a second column for the velocity of 'j'");
  expect_refused("t,j\n0,0\n1\n", "bad:3: 1 field, expected 2");
  expect_refused("t,j\n0,0\n\n1,1\n", "bad:3: 1 field, expected 2");
  expect_refused("t,j\n0,0\n0,1\n", "bad:3: t = 0 after t = 0, expected time to increase");
  expect_refused("t,j\n1,0\n0,1\n", "bad:3: t = 0 after t = 1, expected time to increase");
  expect_refused("t,j,j.v,k\n0,0,0,1\n1e-300,1,0,1\n",
                 "bad:3: t = 1e-300 so soon after t = 0 that no motion of joint 'j' leads there");
  expect_refused("t,j\n0,nan\n", "bad:2: 'nan' as the position of j");
  expect_refused("t,j\n0,x\n", "bad:2: 'x' as the position of j, expected a number");
  expect_refused("t,j\n0,1e20\n", "bad:2: '1e20' as the position of j, expected at most");
  expect_failure("certify m.urdf none -q --pairs arm:ball", 1, "none:1: ");
}

TEST(test_bad_message)
{
  expect_refused("joint_names: [j\n", "bad:");
  expect_refused("joint_names: [j]\n", "bad:1: no joint_names or no points");
  expect_refused("joint_names: [x]\npoints: []\n", "bad:1: joint 'x'");
  expect_refused("joint_names: [j]\npoints: []\n", "a trajectory without points");
  expect_refused("joint_names: [j]\npoints:\n- positions: [0]\n", "bad:3: a point without time");
  expect_refused("joint_names: [j]\npoints:\n- time_from_start: {sec: 0}\n",
                 "bad:3: a point without positions");
  expect_refused("joint_names: [j]\npoints:\n- time_from_start: {sec: 0}\n  positions: [0, 1]\n",
                 "bad:4: 2 positions, expected 1");
  expect_refused("joint_names: [j]\npoints:\n- time_from_start: {sec: 0}\n  positions: [.nan]\n",
                 "bad:4: '.nan' as positions");
  expect_refused(
      "joint_names: [j]\npoints:\n- {positions: [0], time_from_start: {sec: 1}}\n"
      "- {positions: [0], time_from_start: {sec: 1}}\n",
      "bad:4: t = 1 after t = 1");
  expect_refused(
      "joint_names: [j]\npoints:\n- {positions: [0], accelerations: [0], "
      "time_from_start: {sec: 1}}\n",
      "bad:3: accelerations without velocities");
  expect_refused(
      "joint_names: [j]\npoints:\n- {positions: [0], time_from_start: {sec: 1}}\n"
      "---\njoint_names: [j]\n",
      "bad:5: a second message");
}

TEST(test_bad_use)
{
  expect_failure("certify m.urdf t.csv --pairs arm:none", 1, "the model does not have");
  expect_failure("certify m.urdf t.csv --pairs arm:flat", 1,
                 "m.urdf:8: link 'flat' has a planar part");
  expect_failure("certify m.urdf t.csv --clearance -1", 2, "expected no less than zero");
  expect_failure("certify m.urdf t.csv --tolerance 0", 2, "greater than zero");
  expect_failure("certify m.urdf t.csv --out t.csv", 2, "not also t.csv");
  expect_failure("certify m.urdf", 2, "TRAJECTORY");
}

TEST(test_notes)
{
  write_whole("n.csv", "t,j,k\n0,0,1\n1,4,2.5\n");
  const result *r = run("certify m.urdf n.csv --pairs other:ball");
  ck_assert_ptr_nonnull(
      strstr(r->err, "n.csv:3: note: joint 'k' goes to 2.5, outside of its limits 1 to 2"));
  ck_assert_ptr_nonnull(strstr(r->err, "n.csv:3: note: joint 'j' turns by 4 rad"));
  ck_assert_int_eq(r->status, 0);
}

/* Both points are within the limits, and the cubic between them is not: at 0.5 s it is at 1.9 +
 * 0.25 * 2 / 2. What is certified is where it goes. */
TEST(test_overshoot)
{
  write_whole("o.csv", "t,j,k,k.v\n0,0,1.9,2\n1,0,1.9,-2\n");
  const result *r = run("certify m.urdf o.csv --pairs other:ball");
  ck_assert_ptr_nonnull(strstr(r->err,
                               "o.csv:3: note: joint 'k' goes to 2.4 on the way to this "
                               "point, outside of its limits 1 to 2"));
  row w = row_of("certify m.urdf o.csv --pairs other:ball -q --from 0.5 --to 0.5");
  ck_assert_double_eq_tol(w.distance, 5 + 2.4 - 0.75 - 0.2, 1e-9);
}

/* Where there is nothing between two points, or next to nothing; and long after 1970. */
TEST(test_odd_times)
{
  write_whole("o.csv", "t,j,k\n-1e9,0,1\n1e-9,0,1\n1.0000001e-9,2,1\n1e9,2,1\n");
  row w = row_of("certify m.urdf o.csv --pairs arm:ball -q");
  ck_assert_str_eq(w.verdict, "CLEAR");
  ck_assert_double_le(w.distance - w.clearance, 1e-4);
  ck_assert_double_eq_tol(w.distance, 0.05, 1e-4);
  ck_assert_double_ge(w.t, 1e-9);
  ck_assert_double_le(w.t, 1.0000001e-9);
  w = row_of("certify m.urdf o.csv --pairs arm:ball -q --from 1e9 --to 1e12");
  ck_assert_double_eq_tol(w.distance, hypot(0.5 * cos(2), 0.75 - 0.5 * sin(2)) - 0.2, 1e-9);
  w = row_of("certify m.urdf o.csv --pairs arm:ball -q --from -1e9 --to -1e9");
  ck_assert_double_eq_tol(w.distance, hypot(0.5, 0.75) - 0.2, 1e-9);
  write_whole("o.csv", "t,j\n1.7e9,0\n1700000001,2\n");
  w = row_of("certify m.urdf o.csv --pairs arm:ball -q");
  ck_assert_double_eq_tol(w.distance, 0.05, 1e-4);
  ck_assert_double_eq_tol(w.t, 1.7e9 + acos(0) / 2, 0.01);
}
