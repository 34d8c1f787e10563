/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, WEXITSTATUS */

#include "support/amount.h"
#include "support/random.h"
#include "support/reference.h"
#include "support/suite.h"

/* closest_point query, the built command. */

/* A sphere, a box, a link of two parts, a link without parts, a triangle and a point; a joint
 * between the first two. */
static const char model[] =
    "<robot name='r'>\n"
    "<link name='ball'><patches><sphere radius='0.5'/></patches></link>\n"
    "<link name='box'><patches><box size='1 2 3'/></patches></link>\n"
    "<link name='two'>\n"
    "  <patches name='low'><box size='1 1 1'/></patches>\n"
    "  <patches name='high'><origin xyz='0 0 4'/><sphere radius='1'/></patches>\n"
    "</link>\n"
    "<link name='frame'/>\n"
    "<joint name='j' type='fixed'><parent link='ball'/><child link='box'/></joint>\n"
    "</robot>\n";

static const char flat_model[] =
    "<robot name='r'>\n"
    "<link name='flat'><patches planar='true'>\n"
    "  <curve name='C' degree='1' size='4'><knots>0 0 1 2 3 3</knots>\n"
    "    <control_points>0 0 1  1 0 1  0 1 1  0 0 1</control_points></curve></patches></link>\n"
    "<link name='probe'><patches><point xyz='0 0 0'/></patches></link>\n"
    "<link name='ball'><patches><sphere radius='0.5'/></patches></link>\n"
    "</robot>\n";

static void write_poses(const char *rows)
{
  char text[8192];
  snprintf(text, sizeof text, POSES_HEADER "%s", rows);
  write_whole("p.csv", text);
}

static void enter(void)
{
  enter_folder();
  write_whole("m.urdf", model);
  write_whole("flat.urdf", flat_model);
  write_poses("0,ball,0,0,0,0,0,0,1\n0,box,3,0,0,0,0,0,1\n0,two,0,5,0,0,0,0,1\n");
}

/* ---- What comes out ----------------------------------------------------------------------- */

SUITE("query");

FIXTURE_CASE("query", 30, enter, leave_folder);

TEST(test_header_alone)
{
  write_poses("");
  ck_assert_str_eq(run("query m.urdf p.csv")->out, RESULT_HEADER);
  ck_assert_str_eq(run("query flat.urdf p.csv")->out, RESULT_HEADER);
  expect_done("query m.urdf p.csv", "t,link_a");
}

static void expect_pairs(const char *arguments, const char *const *names, int count)
{
  result_table table = results_of(arguments);
  ck_assert_int_eq(table.count, count);
  for (int k = 0; k < count; ++k) {
    char name[256];
    snprintf(name, sizeof name, "%s:%s", table.rows[k].link_a, table.rows[k].link_b);
    ck_assert_str_eq(name, names[k]);
    ck_assert_str_eq(table.rows[k].status, "TRACKING");
    ck_assert(!table.rows[k].has_rate);
    expect_sound(&table.rows[k], 1e-12);
  }
  free(table.rows);
}

TEST(test_choice_of_pairs)
{
  static const char *const all[] = {"ball:two", "box:two"};
  static const char *const chosen[] = {"two:box", "ball:box", "two:box"};
  expect_pairs("query m.urdf p.csv", all, 2);
  expect_pairs("query m.urdf p.csv --pairs two:box,ball:box,two:box", chosen, 3);
  write_whole("s.srdf", "<robot name='r'><disable_collisions link1='two' link2='ball'/></robot>");
  expect_pairs("query m.urdf p.csv --srdf s.srdf", all + 1, 1);
}

TEST(test_parts)
{
  result_table table = results_of("query m.urdf p.csv --pairs ball:two,two:ball");
  ck_assert_str_eq(table.rows[0].feature_a, "surface");
  ck_assert_str_eq(table.rows[0].feature_b, "low/y-");
  ck_assert_str_eq(table.rows[1].feature_a, "low/y-");
  ck_assert_double_eq_tol(table.rows[0].distance, 4, 1e-12);
  free(table.rows);
  write_poses("0,ball,0,0,6,0,0,0,1\n1,ball,1.5,1.5,0,0,0,0,1\n");
  table = results_of("query m.urdf p.csv --pairs two:ball");
  ck_assert_str_eq(table.rows[0].feature_a, "high/surface");
  ck_assert_double_eq_tol(table.rows[0].distance, 0.5, 1e-12);
  ck_assert_str_eq(table.rows[1].feature_a, "low/x+|low/y+");
  free(table.rows);
}

/* A ball around a box, both anywhere in the world. The quaternions are turned by hand into
 * rotations of vectors: v + 2 q x (q x v + w v). */
TEST(test_ball_and_box_in_the_world)
{
  enum { STAMPS = 200 };
  static double truth[STAMPS];
  random_state g = {.s = 5};
  FILE *file = fopen("p.csv", "w");
  fputs(POSES_HEADER, file);
  for (int k = 0; k < STAMPS; ++k) {
    clp_vec3 axis = random_direction(&g), at = clp_scale(random_between(&g, 0, 50), axis);
    double half = random_between(&g, 0, 3), w = cos(half);
    clp_vec3 q = clp_scale(sin(half), random_direction(&g));
    clp_vec3 local = clp_scale(random_between(&g, 3, 9), random_direction(&g));
    clp_vec3 twice = clp_cross(q, clp_add_scaled(clp_cross(q, local), w, local));
    clp_vec3 ball = clp_add(at, clp_add_scaled(local, 2, twice));
    truth[k] = box_distance(local, (clp_vec3){0.5, 1, 1.5}) - 0.5;
    fprintf(file, "%d,box,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", k, at.x, at.y, at.z, q.x,
            q.y, q.z, w);
    fprintf(file, "%d,ball,%.17g,%.17g,%.17g,0,0,0,1\n", k, ball.x, ball.y, ball.z);
  }
  fclose(file);
  result_table table = results_of("query m.urdf p.csv --pairs box:ball");
  ck_assert_int_eq(table.count, STAMPS);
  for (int k = 0; k < STAMPS; ++k) {
    ck_assert_double_eq_tol(table.rows[k].distance, truth[k], 1e-12 * 50);
    expect_sound(&table.rows[k], 1e-9);
  }
  free(table.rows);
}

/* The line of results that begins at `text`, without its t. */
static void copy_row(const char *text, char row[512])
{
  size_t skip = strcspn(text, ","), length = strcspn(text, "\n");
  ck_assert(skip < length && length < 512);
  memcpy(row, text + skip, length - skip);
  row[length - skip] = '\0';
}

/* A stamp's answer does not depend on the stamps before it. */
TEST(test_no_memory)
{
  static const char *const stamps[] = {"box,3,0.1,0.2,0,0,0.6,0.8", "box,-2,1,0.2,0,0.6,0,0.8",
                                       "box,0.2,0,2.5,0.36,0.48,0,0.8"};
  static const int order[] = {2, 0, 1, 2};
  char rows[1024], alone[3][512], row[512];
  for (int k = 0; k < 3; ++k) {
    snprintf(rows, sizeof rows, "0,%s\n", stamps[k]);
    write_poses(rows);
    copy_row(run("query m.urdf p.csv --pairs ball:box")->out + strlen(RESULT_HEADER), alone[k]);
  }
  snprintf(rows, sizeof rows, "0,%s\n1,%s\n2,%s\n3,%s\n", stamps[2], stamps[0], stamps[1],
           stamps[2]);
  write_poses(rows);
  const char *line = run("query m.urdf p.csv --pairs ball:box")->out + strlen(RESULT_HEADER);
  for (int k = 0; k < 4; ++k, line = strchr(line, '\n') + 1) {
    copy_row(line, row);
    ck_assert_str_eq(row, alone[order[k]]);
  }
}

TEST(test_links_stay_where_they_were)
{
  write_poses("1,box,3,0,0,0,0,0,1\n2.5,ball,0,2,0,0,0,0,1\n2.75,box,4,2,0,0,0,0,1\n");
  result_table table = results_of("query m.urdf p.csv --pairs ball:box");
  static const double times[] = {1, 2.5, 2.75};
  const double distances[] = {2, hypot(2.5, 1) - 0.5, 3};
  ck_assert_int_eq(table.count, 3);
  for (int k = 0; k < 3; ++k) {
    ck_assert_double_eq(table.rows[k].t, times[k]);
    ck_assert_double_eq_tol(table.rows[k].distance, distances[k], 1e-12);
  }
  free(table.rows);
}

TEST(test_range_and_tolerance)
{
  result_table table = results_of("query m.urdf p.csv --pairs ball:box,ball:two --range 3");
  ck_assert_str_eq(table.rows[0].status, "TRACKING");
  ck_assert_str_eq(table.rows[1].status, "OUT_OF_RANGE");
  ck_assert(!table.rows[1].has_witnesses); /* the boxes tell */
  ck_assert_double_gt(table.rows[1].lower, 3);
  ck_assert_double_le(table.rows[1].lower, 4);
  free(table.rows);
  table = results_of("query m.urdf p.csv --pairs ball:box --tolerance 1e-30");
  ck_assert_str_eq(table.rows[0].status, "CONVERGING");
  free(table.rows);
}

TEST(test_files)
{
  const char *printed = run("query m.urdf p.csv")->out;
  static char expected[65536], written[65536];
  strcpy(expected, printed);
  expect_done("query m.urdf p.csv --out r.csv", "");
  ck_assert_str_eq(run("query m.urdf p.csv --out=r.csv")->out, "");
  read_whole("r.csv", written, sizeof written);
  ck_assert_str_eq(written, expected);
  ck_assert_str_eq(run("query m.urdf /dev/stdin <p.csv")->out, expected);
  ck_assert_str_eq(run("query m.urdf <p.csv /dev/stdin --events e.csv")->out, expected);
  char line[256];
  read_whole("e.csv", line, sizeof line);
  ck_assert_int_eq(strncmp(line, EVENT_HEADER, strlen(EVENT_HEADER)), 0);
}

/* What cannot be sought is read only once, yet checked as a whole first. */
TEST(test_pipe)
{
  write_poses("0,ball,0,0,0,0,0,0,1\n1,box,3,0,0,0,0,0,1\n");
  static char expected[65536];
  strcpy(expected, run("query m.urdf p.csv --pairs ball:box")->out);
  ck_assert_int_eq(count_lines(expected), 3);
  ck_assert_int_eq(system("mkfifo pipe && (cat p.csv >pipe &)"), 0);
  ck_assert_str_eq(run("query m.urdf pipe --pairs ball:box")->out, expected);
}

/* ---- What is refused ---------------------------------------------------------------------- */

TEST(test_wrong_usage)
{
  static const struct {
    const char *arguments, *hint;
  } cases[] = {
      {"query", "query expects a MODEL; see 'closest_point query --help'"},
      {"query m.urdf", "query expects a POSES file"},
      {"query m.urdf p.csv p.csv", "'p.csv' is one argument too many"},
      {"query m.urdf p.csv --gain 3", "unknown option '--gain'"},
      {"query m.urdf p.csv --range 0", "'--range' is '0', expected a number greater than zero"},
      {"query m.urdf p.csv --range=1m", "'--range' is '1m', expected a number"},
      {"query m.urdf p.csv --tolerance nan", "'--tolerance' is 'nan', expected a number"},
      {"query m.urdf p.csv --pairs ball", "'--pairs' has 'ball', expected two links"},
      {"query m.urdf p.csv --pairs ball:box,", "'--pairs' has '', expected two links"},
      {"query m.urdf p.csv --pairs ball:box:two", "'--pairs' has 'ball:box:two'"},
      {"query m.urdf p.csv --pairs :box", "'--pairs' has ':box'"},
      {"query m.urdf p.csv --pairs box:box", "'box:box', expected two different links"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    expect_failure(cases[k].arguments, 2, cases[k].hint);
}

TEST(test_bad_input)
{
  expect_failure("query m.urdf p.csv --pairs ball:bx", 1, "link 'bx', which the model does not");
  expect_failure("query m.urdf p.csv --pairs frame:box", 1, "link 'frame', which has no parts");
  expect_failure("query no.urdf p.csv", 1, "no.urdf:1: ");
  expect_failure("query m.urdf no.csv", 1, "no.csv:1: the file cannot be read");
  expect_failure("query m.urdf .", 1, ".:1: the file cannot be read");
  expect_failure("query m.urdf p.csv --srdf no.srdf", 1, "no.srdf:1: ");
  expect_failure("query m.urdf m.urdf", 1, "m.urdf:1: the header '<robot name='r'>', expected t,");
}

/* A defect anywhere in the poses leaves nothing behind. */
TEST(test_defect_in_the_poses)
{
  write_poses("0,ball,0,0,0,0,0,0,1\n1,ball,0,0,x,0,0,0,1\n");
  expect_failure("query m.urdf p.csv", 1, "p.csv:3: 'x' as z, expected a number");
  write_whole("kept", "as it was");
  expect_failure("query m.urdf p.csv --out kept", 1, "p.csv:3: ");
  char text[64];
  read_whole("kept", text, sizeof text);
  ck_assert_str_eq(text, "as it was");
  ck_assert_int_eq(count_lines(run("query -q m.urdf p.csv")->err), 1);
}

TEST(test_planes)
{
  write_poses("0,probe,2,0.5,0,0,0,0,1\n0.5,flat,0,0,1,0,0,0.6,0.8\n0.5,probe,2,0,1,0,0,0,1\n");
  result_table table = results_of("query flat.urdf p.csv --pairs flat:probe,probe:flat");
  ck_assert_int_eq(table.count, 4);
  ck_assert_str_eq(table.rows[0].feature_a, "C.1|C.2");
  ck_assert_double_eq_tol(table.rows[0].distance, hypot(1, 0.5), 1e-12);
  free(table.rows);
  expect_failure(
      "query flat.urdf p.csv --pairs flat:ball", 1,
      "p.csv:2: at t = 0 links 'flat' and 'ball' meet, one planar and the other a solid");
  expect_failure("query flat.urdf p.csv", 1, "p.csv:2: at t = 0 ");
  write_poses("0,probe,2,0.5,0,0,0,0,1\n0.5,flat,0,0,1e-6,0,0,0,1\n");
  expect_failure("query flat.urdf p.csv --pairs flat:probe", 1,
                 "p.csv:3: at t = 0.5 links 'flat' and 'probe' meet, one planar and the other "
                 "outside its plane");
}

TEST(test_results_that_do_not_arrive)
{
  expect_failure("query m.urdf p.csv >/dev/full", 3, "cannot write standard output");
  expect_failure("query m.urdf p.csv >&-", 3, "cannot write standard output");
  expect_failure("query m.urdf p.csv --out no/such", 3, "cannot write no/such");
  expect_failure("query m.urdf p.csv --out r.csv --events no/such", 3, "cannot write no/such");
  expect_failure("query m.urdf p.csv --out r.csv --events /dev/full", 3, "cannot write /dev/full");
}

TEST(test_inputs_are_spared)
{
  static const char *const arguments[] = {
      "query m.urdf p.csv --out p.csv", "query m.urdf p.csv --out ./m.urdf",
      "query m.urdf p.csv --events p.csv", "query m.urdf p.csv --out r.csv --events r.csv"};
  write_poses("0,ball,9,0,0,0,0,0,1\n");
  for (size_t k = 0; k < sizeof arguments / sizeof *arguments; ++k)
    expect_failure(arguments[k], 2, "expected a file that is not also");
  expect_done("query m.urdf p.csv --out r.csv --events e.csv", "");
  expect_failure("query m.urdf p.csv --out r.csv --events ./r.csv", 2, "not also r.csv");
  expect_done("query m.urdf p.csv --out /dev/null --events /dev/null", "");
}

/* ---- Reference cases ---------------------------------------------------------------------- */

FIXTURE_CASE("reference", 30, enter_folder, leave_folder);

LOOP_TEST(test_reference, 0, REFERENCE_CASES)
{
  if (amount_has(_i))
    expect_reference(reference_cases[_i], "query");
}
