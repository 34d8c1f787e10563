/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, WEXITSTATUS */

#include <sys/stat.h>

#include "support/bag_build.h"
#include "support/random.h"
#include "support/results.h"
#include "support/suite.h"

/* Recordings in place of poses, by the built command. */

static const char model[] =
    "<robot name='r'>\n"
    "<link name='base'/>\n"
    "<link name='arm'><patches><capsule radius='0.1' length='1'/></patches></link>\n"
    "<link name='ball'><patches><ellipsoid radii='0.5 0.3 0.2'/></patches></link>\n"
    "<joint name='turn' type='revolute'><parent link='base'/><child link='arm'/>"
    "<origin xyz='0 0 1'/><axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/>"
    "</joint>\n"
    "<joint name='lift' type='prismatic'><parent link='base'/><child link='ball'/>"
    "<origin xyz='2 0 1'/><axis xyz='1 0 0'/><limit lower='-3' upper='3' effort='1' velocity='1'/>"
    "</joint>\n"
    "</robot>\n";

#define BEGIN (INT64_C(1700000000) * ROS_SECOND)
#define STEP INT64_C(10000000) /* 10 ms */

static void enter(void)
{
  enter_folder();
  write_whole("m.urdf", model);
}

static built_transform random_transform(random_state *g, const char *parent, const char *child)
{
  double q[4], norm = 0;
  for (int k = 0; k < 4; ++k) {
    q[k] = random_between(g, -1, 1);
    norm += q[k] * q[k];
  }
  norm = sqrt(norm);
  return (built_transform){
      parent,
      child,
      {random_between(g, -3, 3), random_between(g, -3, 3), random_between(g, -3, 3)},
      {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm}};
}

static void print_row(FILE *csv, double time, const built_transform *t)
{
  fprintf(csv, "%.17g,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", time, t->child, t->p.x,
          t->p.y, t->p.z, t->q.x, t->q.y, t->q.z, t->q.w);
}

/* The same rows, but for rounding. */
static void expect_same(const char *bag_arguments, const char *csv_arguments, int count)
{
  result_table bag = results_of(bag_arguments), csv = results_of(csv_arguments);
  ck_assert_int_eq(bag.count, count);
  ck_assert_int_eq(csv.count, count);
  for (int k = 0; k < count; ++k) {
    const result_row *x = &bag.rows[k], *y = &csv.rows[k];
    ck_assert_double_eq_tol(x->t, y->t, 1e-6);
    ck_assert_double_eq_tol(x->distance, y->distance, 1e-9);
    ck_assert_str_eq(x->status, y->status);
    ck_assert_double_eq_tol(clp_norm(clp_sub(x->a, y->a)), 0, 1e-5);
    ck_assert_int_eq(x->has_rate, y->has_rate);
    if (x->has_rate)
      ck_assert_double_eq_tol(x->rate, y->rate, 1e-3 * (1 + fabs(y->rate)));
  }
  free(bag.rows);
  free(csv.rows);
}

SUITE("bag_poses");

TEST_CASE("recordings", 60);

/* What is told flat is what a file of poses says. */
TEST(test_transforms_are_poses)
{
  enum { COUNT = 30 };
  enter();
  random_state g = {7};
  builder b = build_bag("b.mcap");
  FILE *csv = fopen("p.csv", "w");
  fputs(POSES_HEADER, csv);
  for (int k = 0; k < COUNT; ++k) {
    int64_t stamp = BEGIN + k * STEP;
    const built_transform t[] = {random_transform(&g, "world", "arm"),
                                 random_transform(&g, "world", "ball")};
    add_transforms(&b, B_TF, stamp + 1000000, stamp, t, 2);
    print_row(csv, 1e-9 * (double)stamp, &t[0]);
    print_row(csv, 1e-9 * (double)stamp, &t[1]);
  }
  fclose(csv);
  add_description(&b, BEGIN + 1000 * STEP, model);
  finish_bag(&b);
  expect_same("query m.urdf b.mcap --pairs arm:ball", "query m.urdf p.csv --pairs arm:ball", COUNT);
  expect_same("track m.urdf b.mcap --pairs arm:ball", "track m.urdf p.csv --pairs arm:ball", COUNT);
  expect_same("query b.mcap --pairs arm:ball", "query m.urdf p.csv --pairs arm:ball", COUNT);
  leave_folder();
}

static double sphere_gap(const char *arguments, int row)
{
  result_table table = results_of(arguments);
  ck_assert_int_lt(row, table.count);
  double distance = table.rows[row].distance;
  free(table.rows);
  return distance;
}

static const char balls[] =
    "<robot name='r'><link name='a'><patches><sphere radius='0.5'/></patches></link>"
    "<link name='b'><patches><sphere radius='0.25'/></patches></link></robot>";

/* Chains, static frames told at the end, and a frame that links do not hang on. */
TEST(test_a_tree_of_frames)
{
  enter();
  write_whole("balls.urdf", balls);
  builder b = build_bag("b.mcap");
  const double turn = sqrt(0.5);
  for (int k = 0; k < 5; ++k) {
    const built_transform t[] = {{"odom", "cart", {1.0 * k, 0, 0}, {0, 0, turn, turn}},
                                 {"camera", "speck", {0, 0, 0}, {0, 0, 0, 1}}};
    add_transforms(&b, B_TF, BEGIN + k * STEP, BEGIN + k * STEP, t, 1);
    add_transforms(&b, B_TF, BEGIN + k * STEP, BEGIN + k * STEP + 5000000, t + 1, 1);
  }
  const built_transform still[] = {{"/map", "/odom", {0, 0, 0}, {0, 0, 0, 1}},
                                   {"cart", "a", {0, 2, 0}, {0, 0, 0, 1}}, /* behind the cart */
                                   {"map", "b", {-9, 0, 0}, {0, 0, 0, 1}}};
  add_transforms(&b, B_STATIC, BEGIN + 50 * STEP, 0, still, 3);
  finish_bag(&b);
  const result *r = run("query balls.urdf b.mcap");
  ck_assert_int_eq(r->status, 0);
  ck_assert_int_eq(count_lines(r->out), 1 + 5);
  ck_assert_str_eq(r->err, "");
  ck_assert_double_eq_tol(sphere_gap("query balls.urdf b.mcap", 3), 3 - 2 + 9 - 0.75, 1e-12);
  result_table table = results_of("query balls.urdf b.mcap --fixed-frame cart --pairs b:a");
  ck_assert_double_eq_tol(table.rows[3].b.y, 2 + 0.5, 1e-9); /* on the cart it always is there */
  ck_assert_double_eq_tol(table.rows[0].b.y, 2 + 0.5, 1e-9);
  free(table.rows);
  leave_folder();
}

TEST(test_joint_states)
{
  enter();
  builder b = build_bag("b.mcap");
  add_description(&b, BEGIN, model);
  add_joint(&b, BEGIN + STEP, "turn", 0.3);
  add_joint(&b, BEGIN + 2 * STEP, "lift", 0.5);
  add_joint(&b, BEGIN + 3 * STEP, "lift", -0.25);
  finish_bag(&b);
  result_table table = results_of("query b.mcap --pairs arm:ball");
  ck_assert_int_eq(table.count, 2);
  ck_assert_double_eq_tol(table.rows[0].distance, 2.5 - 0.5 - 0.1, 1e-9);
  ck_assert_double_eq_tol(table.rows[1].distance, 1.75 - 0.5 - 0.1, 1e-9);
  free(table.rows);
  leave_folder();
}

/* Of several publishers messages come in any order; what comes after a second is left out. */
TEST(test_order)
{
  enter();
  write_whole("balls.urdf", balls);
  builder b = build_bag("b.mcap");
  add_transform(&b, BEGIN, BEGIN, "w", "a", (clp_vec3){0, 0, 0});
  add_transform(&b, BEGIN + 1, BEGIN, "w", "b", (clp_vec3){1, 0, 0});
  add_transform(&b, BEGIN + 2, BEGIN + 2 * STEP, "w", "a", (clp_vec3){0, 2, 0});
  add_transform(&b, BEGIN + 3, BEGIN + STEP, "w", "b", (clp_vec3){4, 0, 0});
  for (int k = 3; k < 300; ++k)
    add_transform(&b, BEGIN + k * STEP, BEGIN + k * STEP, "w", "a", (clp_vec3){0, 0, 0});
  add_transform(&b, BEGIN + 300 * STEP, BEGIN + 50 * STEP, "w", "a", (clp_vec3){9, 9, 9});
  finish_bag(&b);
  const result *r = run("query balls.urdf b.mcap --pairs a:b");
  ck_assert_int_eq(r->status, 0);
  ck_assert_int_eq(count_lines(r->out), 1 + 300);
  ck_assert_ptr_nonnull(strstr(r->err, "left out: 1 transforms"));
  ck_assert_double_eq_tol(sphere_gap("query balls.urdf b.mcap -q", 0), 0.25, 1e-12);
  ck_assert_double_eq_tol(sphere_gap("query balls.urdf b.mcap -q", 1), 4 - 0.75, 1e-12);
  ck_assert_double_eq_tol(sphere_gap("query balls.urdf b.mcap -q", 2), sqrt(20) - 0.75, 1e-12);
  leave_folder();
}

TEST(test_what_is_missing)
{
  enter();
  write_whole("balls.urdf", balls);
  builder b = build_bag("one.mcap");
  add_transform(&b, BEGIN, BEGIN, "w", "a", (clp_vec3){0, 0, 0});
  finish_bag(&b);
  expect_failure("query balls.urdf one.mcap", 1, "one.mcap:1: link 'b' has no transform in it");
  expect_failure("query one.mcap", 1, "no robot_description in it");
  b = build_bag("two.mcap");
  add_transform(&b, BEGIN, BEGIN, "w", "a", (clp_vec3){0, 0, 0});
  add_transform(&b, BEGIN, BEGIN, "v", "b", (clp_vec3){0, 0, 0});
  finish_bag(&b);
  expect_failure("query balls.urdf two.mcap", 1,
                 "link 'b' hangs on frame 'v' at last, others on 'w'");
  b = build_bag("none.mcap");
  add_description(&b, BEGIN, balls);
  finish_bag(&b);
  expect_failure("query none.mcap", 1, "no message on /tf or joint_states");
  b = build_bag("bad.mcap");
  add_description(&b, BEGIN, "<robot name='r'><link name='a'><patches/></link></robot>");
  finish_bag(&b);
  expect_failure("query bad.mcap", 1, "bad.mcap, robot_description:1: ");
  expect_failure("query m.urdf", 2, "expects a POSES file");
  expect_failure("query m.urdf p.csv --fixed-frame w", 2, "is for recordings");
  expect_failure("query balls.urdf two.mcap --fixed-frame x", 1, "hangs on frame");
  leave_folder();
}

TEST(test_numbers_that_are_none)
{
  enter();
  write_whole("balls.urdf", balls);
  builder b = build_bag("b.mcap");
  const built_transform bad[] = {{"w", "a", {NAN, 0, 0}, {0, 0, 0, 1}},
                                 {"w", "a", {0, 0, 0}, {0, 0, 0, 0.5}},
                                 {"w", "", {0, 0, 0}, {0, 0, 0, 1}},
                                 {"a", "a", {0, 0, 0}, {0, 0, 0, 1}}};
  add_transform(&b, BEGIN, BEGIN, "w", "a", (clp_vec3){0, 0, 0});
  add_transform(&b, BEGIN, BEGIN, "w", "b", (clp_vec3){1, 0, 0});
  add_transforms(&b, B_TF, BEGIN + STEP, BEGIN + STEP, bad, 4);
  finish_bag(&b);
  const result *r = run("query balls.urdf b.mcap");
  ck_assert_int_eq(r->status, 0);
  ck_assert_int_eq(count_lines(r->out), 1 + 1);
  ck_assert_ptr_nonnull(strstr(r->err, "4 with names or numbers that are none"));
  leave_folder();
}

/* Frames that hang on each other in a ring hang on nothing. */
TEST(test_rings)
{
  enter();
  write_whole("balls.urdf", balls);
  builder b = build_bag("b.mcap");
  add_transform(&b, BEGIN, BEGIN, "b", "a", (clp_vec3){0, 0, 0});
  add_transform(&b, BEGIN, BEGIN, "a", "b", (clp_vec3){0, 0, 0});
  finish_bag(&b);
  expect_failure("query balls.urdf b.mcap", 1, "has no transform in it");
  leave_folder();
}

/* Of a recording that has been cut off, what there is, and a line. */
TEST(test_damage)
{
  enter();
  write_whole("balls.urdf", balls);
  builder b = build_bag("b.mcap");
  for (int k = 0; k < 4000; ++k) {
    const built_transform t[] = {{"w", "a", {0, 0, 0}, {0, 0, 0, 1}},
                                 {"w", "b", {1 + 0.001 * k, 0, 0}, {0, 0, 0, 1}}};
    add_transforms(&b, B_TF, BEGIN + k * STEP, BEGIN + k * STEP, t, 2);
  }
  finish_bag(&b);
  size_t size;
  unsigned char *bytes = load_file("b.mcap", &size);
  write_bytes("cut.mcap", bytes, size * 6 / 10);
  free(bytes);
  const result *r = run("query balls.urdf cut.mcap --out r.csv");
  ck_assert_int_eq(r->status, 0);
  ck_assert_int_eq(count_lines(r->err), 1);
  ck_assert_ptr_nonnull(strstr(r->err, "cut.mcap:1: damaged from byte"));
  static char text[1 << 20];
  read_whole("r.csv", text, sizeof text);
  ck_assert_int_gt(count_lines(text), 1900);
  ck_assert_int_lt(count_lines(text), 2450);
  leave_folder();
}
