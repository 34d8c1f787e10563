/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "rclc_closest_point/tool/poses.h"

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"
#include "support/lines.h"
#include "support/random.h"
#include "support/scratch.h"
#include "support/suite.h"

#define HEADER "t,link,x,y,z,qx,qy,qz,qw\n"

/* In place of the command's own, which stands beside its main. */
clp_exit_status clp_exit_status_of(clp_status status)
{
  return status == CLP_OK ? EXIT_DONE : EXIT_INTERNAL;
}

static clp_model *model;
static const char path[] = "poses.csv";
static lines said;

static void enter(void)
{
  static const char text[] =
      "<robot name='r'><link name='a'><patches><sphere radius='1'/></patches></link>"
      "<link name='b'/><link name='c'/></robot>";
  ck_assert_int_eq(clp_model_parse(text, strlen(text), "model", (clp_model_sink){0}, &model),
                   CLP_OK);
  enter_folder();
  said = (lines){0};
}

static void leave(void)
{
  leave_folder();
  clp_model_destroy(model);
}

static clp_exit_status open_text(const char *text, clp_poses **poses)
{
  write_bytes(path, text, strlen(text));
  return clp_poses_open(path, model, lines_sink(&said), poses);
}

static clp_poses *opened(const char *text)
{
  clp_poses *poses = NULL;
  ck_assert_int_eq(open_text(text, &poses), EXIT_DONE);
  return poses;
}

static clp_pose_stamp next(clp_poses *poses)
{
  clp_pose_stamp stamp;
  ck_assert_msg(clp_poses_next(poses, &stamp), "%s", said.text);
  return stamp;
}

static void expect_end(clp_poses *poses)
{
  clp_pose_stamp stamp;
  ck_assert(!clp_poses_next(poses, &stamp));
  ck_assert_int_eq(clp_poses_status(poses), EXIT_DONE);
  ck_assert(!clp_poses_next(poses, &stamp));
  clp_poses_close(poses);
}

static void expect_vector(clp_vec3 a, double x, double y, double z, double tolerance)
{
  ck_assert_double_le(clp_distance(a, (clp_vec3){x, y, z}), tolerance);
}

/* ---- What is read ------------------------------------------------------------------------- */

SUITE("poses");

FIXTURE_CASE("poses", 10, enter, leave);

TEST(test_stamps)
{
  clp_poses *poses = opened(HEADER
                            "-1.5,b,1,2,3,0,0,0,1\n"
                            "-1.5,a,4,5,6,0,0,1,0\n"
                            "0,a,+4.5e0,.5,6.,0,0,-1,0\n"
                            "0.25,b,1,2,3,0,0,0,1");
  clp_pose_stamp stamp = next(poses);
  ck_assert_double_eq(stamp.time, -1.5);
  ck_assert_double_eq(stamp.step, 0);
  ck_assert(!stamp.has_twists);
  ck_assert_int_eq(stamp.line, 2);
  expect_vector(clp_poses_motion(poses, 0)->X_WL.position, 4, 5, 6, 0);
  expect_vector(clp_poses_motion(poses, 0)->X_WL.rotation.x, -1, 0, 0, 0);
  expect_vector(clp_poses_motion(poses, 1)->X_WL.position, 1, 2, 3, 0);
  expect_vector(clp_poses_motion(poses, 2)->X_WL.position, 0, 0, 0, 0);
  expect_vector(clp_poses_motion(poses, 2)->X_WL.rotation.y, 0, 1, 0, 0);
  stamp = next(poses);
  ck_assert_double_eq(stamp.step, 1.5);
  ck_assert(stamp.has_twists);
  ck_assert_int_eq(stamp.line, 4);
  expect_vector(clp_poses_motion(poses, 0)->V_WL.linear, 1 / 3.0, -3, 0, 1e-15);
  expect_vector(clp_poses_motion(poses, 0)->V_WL.angular, 0, 0, 0, 0); /* q and -q are the same */
  expect_vector(clp_poses_motion(poses, 1)->X_WL.position, 1, 2, 3, 0);
  stamp = next(poses);
  ck_assert_double_eq(stamp.step, 0.25);
  expect_vector(clp_poses_motion(poses, 0)->V_WL.linear, 0, 0, 0, 0); /* it stays */
  expect_end(poses);
}

TEST(test_no_stamps)
{
  expect_end(opened(HEADER));
  expect_end(opened("t,link,x,y,z,qx,qy,qz,qw"));
  expect_end(opened("\xef\xbb\xbft,link,x,y,z,qx,qy,qz,qw\r\n\r\n\r\n"));
  ck_assert_str_eq(said.text, "");
}

TEST(test_line_ends)
{
  clp_poses *poses = opened("t,link,x,y,z,qx,qy,qz,qw\r\n0,a,1,2,3,0,0,0,1\r\n\r\n\n");
  next(poses);
  expect_vector(clp_poses_motion(poses, 0)->X_WL.position, 1, 2, 3, 0);
  expect_end(poses);
}

TEST(test_rewind)
{
  clp_poses *poses = opened(HEADER "1,a,1,0,0,0,0,0,1\n2,a,2,0,0,0,0,0,1\n2,b,3,0,0,0,0,0,1\n");
  for (int k = 0; k < 3; ++k) {
    clp_pose_stamp stamp = next(poses);
    ck_assert_double_eq(stamp.step, 0);
    expect_vector(clp_poses_motion(poses, 1)->X_WL.position, 0, 0, 0, 0);
    expect_vector(clp_poses_motion(poses, 0)->V_WL.linear, 0, 0, 0, 0);
    stamp = next(poses);
    ck_assert_int_eq(stamp.line, 3);
    expect_vector(clp_poses_motion(poses, 0)->V_WL.linear, 1, 0, 0, 0);
    if (k == 1) {
      ck_assert(!clp_poses_next(poses, &stamp));
    }
    clp_poses_rewind(poses);
  }
  clp_poses_close(poses);
}

/* A rounded quaternion is made a rotation. */
TEST(test_normalization)
{
  clp_poses *poses = opened(HEADER "0,a,0,0,0,0.3,-0.5,0.4,0.7071\n");
  next(poses);
  clp_mat3 r = clp_poses_motion(poses, 0)->X_WL.rotation;
  ck_assert_double_eq_tol(clp_norm(r.x), 1, 1e-15);
  ck_assert_double_eq_tol(clp_norm(r.y), 1, 1e-15);
  ck_assert_double_eq_tol(clp_dot(r.x, r.y), 0, 1e-15);
  ck_assert_double_le(clp_distance(clp_cross(r.x, r.y), r.z), 1e-15);
  expect_end(poses);
}

/* ---- Motion ------------------------------------------------------------------------------- */

static clp_quaternion turned(clp_vec3 axis, double angle)
{
  clp_vec3 v = clp_scale(sin(0.5 * angle), axis);
  return (clp_quaternion){v.x, v.y, v.z, cos(0.5 * angle)};
}

/* Rodrigues' formula. */
static clp_vec3 turn_vector(clp_vec3 axis, double angle, clp_vec3 a)
{
  clp_vec3 along = clp_scale(clp_dot(axis, a), axis), across = clp_sub(a, along);
  return clp_add(along,
                 clp_add_scaled(clp_scale(cos(angle), across), sin(angle), clp_cross(axis, a)));
}

TEST(test_quaternions)
{
  random_state g = {.s = 3};
  for (int k = 0; k < 1000; ++k) {
    clp_vec3 axis = random_direction(&g), a = random_direction(&g);
    double angle = random_between(&g, -6, 6);
    clp_pose X = clp_pose_from(axis, turned(axis, angle));
    clp_vec3 expected = clp_add(axis, turn_vector(axis, angle, a));
    ck_assert_double_le(clp_distance(clp_transform(X, a), expected), 1e-14);
    ck_assert_double_eq(clp_distance(clp_transform(clp_pose_identity(), a), a), 0);
  }
}

/* Turning on from any orientation about an axis of the world by any angle below half a turn gives
 * back that axis and angle, whichever sign the quaternions have. */
TEST(test_turns)
{
  random_state g = {.s = 4};
  for (int k = 0; k < 1000; ++k) {
    clp_quaternion from = turned(random_direction(&g), random_between(&g, -6, 6));
    clp_vec3 axis = random_direction(&g), v = {from.x, from.y, from.z};
    double angle = k % 2 ? random_between(&g, 0, 3.1) : random_between(&g, 0, 1e-9);
    clp_quaternion q = turned(axis, angle);
    clp_vec3 p = {q.x, q.y, q.z};
    clp_vec3 to_v = clp_add(clp_add(clp_scale(q.w, v), clp_scale(from.w, p)), clp_cross(p, v));
    double sign = k % 3 ? 1 : -1;
    clp_quaternion to = {sign * to_v.x, sign * to_v.y, sign * to_v.z,
                         sign * (q.w * from.w - clp_dot(p, v))};
    clp_vec3 turn = clp_quaternion_turn(from, to);
    ck_assert_double_le(clp_distance(turn, clp_scale(angle, axis)), 1e-14);
  }
  clp_vec3 none = clp_quaternion_turn((clp_quaternion){0, 0, 0, 1}, (clp_quaternion){0, 0, 0, -1});
  expect_vector(none, 0, 0, 0, 0);
}

TEST(test_twists)
{
  clp_poses *poses = opened(HEADER
                            "0,a,0,0,0,0,0,0,1\n"
                            "0.5,a,1,2,3,0,0,0.479425538604203,0.8775825618903728\n");
  next(poses);
  next(poses);
  expect_vector(clp_poses_motion(poses, 0)->V_WL.linear, 2, 4, 6, 1e-15);
  expect_vector(clp_poses_motion(poses, 0)->V_WL.angular, 0, 0, 2, 1e-14);
  expect_end(poses);
}

TEST(test_step_too_short_for_a_velocity)
{
  clp_poses *poses = opened(HEADER "0,a,0,0,0,0,0,0,1\n5e-324,a,1,0,0,0,0,0,1\n");
  next(poses);
  ck_assert(!next(poses).has_twists);
  expect_end(poses);
}

/* ---- What is refused ---------------------------------------------------------------------- */

static void expect_defect(const char *text, int line, const char *what)
{
  clp_poses *poses = NULL;
  said = (lines){0};
  clp_exit_status status = open_text(text, &poses);
  clp_pose_stamp stamp;
  while (status == EXIT_DONE && clp_poses_next(poses, &stamp))
    ;
  if (poses)
    status = clp_poses_status(poses);
  clp_poses_close(poses);
  ck_assert_msg(status == EXIT_INPUT && said.defects == 1, "%s: accepted, or %s", text, said.text);
  ck_assert_msg(lines_have(&said, path, line, what), "%s: not '%d: %s' but %s", text, line, what,
                said.text);
}

TEST(test_headers)
{
  expect_defect("", 1, "an empty file, expected the header t,link,x,y,z,qx,qy,qz,qw");
  expect_defect("\n\n", 1, "an empty file");
  expect_defect("t,link,x,y,z,qx,qy,qz\n", 1, "the header 't,link,x,y,z,qx,qy,qz', expected t,");
  expect_defect("0,a,0,0,0,0,0,0,1\n", 1, "the header '0,a,");
  expect_defect("\n" HEADER, 1, "an empty line");
}

TEST(test_rows)
{
  static const struct {
    const char *row, *what;
  } cases[] = {
      {"0,a,0,0,0,0,0,0", "8 fields, expected 9: t,link,x"},
      {"0,a,0,0,0,0,0,0,1,", "10 fields, expected 9"},
      {"0", "1 field, expected 9"},
      {"0,d,0,0,0,0,0,0,1", "link 'd', which the model does not have"},
      {"0,,0,0,0,0,0,0,1", "link '', which the model does not have"},
      {"0, a,0,0,0,0,0,0,1", "link ' a', which the model does not have"},
      {"nan,a,0,0,0,0,0,0,1", "'nan' as t, expected a finite number"},
      {"0,a,-inf,0,0,0,0,0,1", "'-inf' as x, expected a finite number"},
      {"0,a,0,1e999,0,0,0,0,1", "'1e999' as y, expected a finite number"},
      {"0,a,0,0,0x1,0,0,0,1", "'0x1' as z, expected a number"},
      {"0,a,0,0,0,,0,0,1", "'' as qx, expected a number"},
      {"0,a,0,0,0,0,1 ,0,1", "'1 ' as qy, expected a number"},
      {"0,a,0,0,0,0,0,one,1", "'one' as qz, expected a number"},
      {"0,a,0,0,0,0,0,0,1;5", "'1;5' as qw, expected a number"},
      {"0,a,1e101,0,0,0,0,0,1", "'1e101' as x, expected at most 1e+100 in size"},
      {"0,a,0,0,0,0,0,0,1.0011", "a quaternion of norm 1.0011, expected 1 up to 0.001"},
      {"0,a,0,0,0,0,0,0,0", "a quaternion of norm 0, expected 1"},
      {"0,b,0,0,0,0,0,0,1", "link 'b' again at t = 0, expected it once (it is on line 2)"},
      {"-0.1,a,0,0,0,0,0,0,1", "t = -0.1 after t = 0, expected time not to go backwards"},
      {"\n1,a,0,0,0,0,0,0,1", "an empty line, expected 9 fields"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char text[256];
    snprintf(text, sizeof text, HEADER "0,b,0,0,0,0,0,0,1\n%s\n", cases[k].row);
    expect_defect(text, 3, cases[k].what);
    snprintf(text, sizeof text, HEADER "0,b,0,0,0,0,0,0,1\r\n%s", cases[k].row);
    expect_defect(text, 3, cases[k].what);
  }
}

TEST(test_accepted_norms)
{
  clp_poses *poses = opened(HEADER "0,a,0,0,0,0,0,0,1.0009\n0,b,0,0,0,0,0,0,-0.9991\n");
  next(poses);
  expect_end(poses);
}

TEST(test_long_and_binary_lines)
{
  static char text[20000] = HEADER "0,";
  size_t used = strlen(text);
  memset(text + used, 'a', 10000);
  strcpy(text + used + 10000, ",0,0,0,0,0,0,1\n");
  expect_defect(text, 2, "a line with a zero byte or more than");
  static const char binary[] = HEADER "0,a,0,0\0,0,0,0,0,1\n0,b,0,0,0,0,0,0,1\n";
  write_bytes(path, binary, sizeof binary - 1);
  clp_poses *poses = NULL;
  clp_pose_stamp stamp;
  said = (lines){0};
  ck_assert_int_eq(clp_poses_open(path, model, lines_sink(&said), &poses), EXIT_DONE);
  ck_assert(!clp_poses_next(poses, &stamp));
  ck_assert(lines_have(&said, path, 2, "a line with a zero byte"));
  clp_poses_close(poses);
}

TEST(test_line_numbers_beyond_65535)
{
  FILE *file = fopen(path, "w");
  fputs(HEADER, file);
  for (int k = 0; k < 70000; ++k)
    fprintf(file, "%d,a,0,0,0,0,0,0,1\n", k);
  fputs("70000,a,0,0,0,0,0,1\n", file);
  fclose(file);
  clp_poses *poses = NULL;
  clp_pose_stamp stamp;
  ck_assert_int_eq(clp_poses_open(path, model, lines_sink(&said), &poses), EXIT_DONE);
  while (clp_poses_next(poses, &stamp))
    ;
  ck_assert(lines_have(&said, path, 70002, "8 fields"));
  clp_poses_close(poses);
}

TEST(test_no_file)
{
  clp_poses *poses = NULL;
  ck_assert_int_eq(clp_poses_open("no such", model, lines_sink(&said), &poses), EXIT_INPUT);
  ck_assert_ptr_null(poses);
  ck_assert(lines_have(&said, "no such", 1, "the file cannot be read: "));
  ck_assert_int_eq(clp_poses_open(".", model, lines_sink(&said), &poses), EXIT_INPUT);
  ck_assert_ptr_null(poses);
}
