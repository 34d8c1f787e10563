/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* mkdtemp, WEXITSTATUS, pseudo-terminals */

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>

#include "support/amount.h"
#include "support/process.h"
#include "support/reference.h"
#include "support/suite.h"

/* closest_point track, the built command. */

/* A ball, a box, and a link of two parts that the ball can pass from one to the other. */
static const char model[] =
    "<robot name='r'>\n"
    "<link name='ball'><patches><sphere radius='0.5'/></patches></link>\n"
    "<link name='box'><patches><box size='1 2 3'/></patches></link>\n"
    "<link name='two'>\n"
    "  <patches name='low'><box size='1 1 1'/></patches>\n"
    "  <patches name='high'><origin xyz='0 0 4'/><sphere radius='1'/></patches>\n"
    "</link>\n"
    "<link name='probe'><patches><point xyz='0 0 0'/></patches></link>\n"
    "</robot>\n";

static const double pi = 3.14159265358979323846;

static void enter(void)
{
  enter_folder();
  write_whole("m.urdf", model);
}

/* ---- Files of poses ----------------------------------------------------------------------- */

static FILE *open_poses(void)
{
  FILE *file = fopen("p.csv", "w");
  ck_assert_ptr_nonnull(file);
  fputs(POSES_HEADER, file);
  return file;
}

static void put_pose(FILE *file, double t, const char *link, clp_vec3 at, clp_vec3 axis,
                     double angle)
{
  clp_vec3 q = clp_scale(sin(0.5 * angle), clp_unit(axis));
  fprintf(file, "%.17g,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t, link, at.x, at.y, at.z,
          q.x, q.y, q.z, cos(0.5 * angle));
}

/* The ball goes once round the box at some height, `count` stamps in one second. */
static clp_vec3 place_on_round(double t)
{
  return (clp_vec3){3 * cos(2 * pi * t), 3 * sin(2 * pi * t), 2 * sin(4 * pi * t)};
}

static clp_vec3 velocity_on_round(double t)
{
  double w = 2 * pi;
  return (clp_vec3){-3 * w * sin(w * t), 3 * w * cos(w * t), 4 * w * cos(2 * w * t)};
}

static void write_round(int count)
{
  FILE *file = open_poses();
  for (int k = 0; k < count; ++k) {
    double t = k / (double)count;
    put_pose(file, t, "ball", place_on_round(t), (clp_vec3){0, 0, 1}, 0);
  }
  fclose(file);
}

/* ---- Answers ------------------------------------------------------------------------------ */

static void expect_round(const char *options)
{
  char arguments[512];
  snprintf(arguments, sizeof arguments, "track m.urdf p.csv --pairs box:ball %s", options);
  result_table table = results_of(arguments);
  for (int k = 0; k < table.count; ++k) {
    const result_row *row = &table.rows[k];
    double truth = box_distance(place_on_round(row->t), (clp_vec3){0.5, 1, 1.5}) - 0.5;
    ck_assert_msg(strcmp(row->status, "TRACKING") == 0, "%s, t %g: %s", options, row->t,
                  row->status);
    ck_assert_double_eq_tol(row->distance, truth, 1e-9);
    expect_sound(row, 1e-9);
  }
  ck_assert_int_eq(table.count, 500);
  free(table.rows);
}

SUITE("track");

FIXTURE_CASE("track", 30, enter, leave_folder);

TEST(test_answers)
{
  write_round(500);
  expect_round("");
  expect_round("--no-feedforward");
  expect_round("--controller auto --integrator euler --substeps 1");
  expect_round("--start \"ball=surface,0.1,0.2 box=z-,0.5,0.5\"");
}

/* What is in range is what it is without a range; what is not is so for a reason. */
TEST(test_range)
{
  write_round(500);
  result_table all = results_of("track m.urdf p.csv");
  result_table table = results_of("track m.urdf p.csv --range 2");
  int near = 0, far = 0;
  ck_assert_int_eq(table.count, 500 * 6);
  ck_assert_int_eq(all.count, table.count);
  for (int k = 0; k < table.count; ++k) {
    const result_row *row = &table.rows[k], *other = &all.rows[k];
    bool in_range = strcmp(row->status, "OUT_OF_RANGE") != 0;
    ck_assert_str_eq(row->link_a, other->link_a);
    ck_assert_str_eq(row->link_b, other->link_b);
    ck_assert_double_le(row->lower, other->distance + 1e-12);
    ck_assert(in_range ? row->lower <= 2 : row->lower > 2);
    if (in_range)
      ck_assert_double_eq_tol(row->distance, other->distance, 1e-9);
    else if (row->has_witnesses)
      ck_assert_double_ge(row->distance, other->distance - 1e-9);
    near += in_range;
    far += !row->has_witnesses;
  }
  ck_assert_int_gt(near, 500);
  ck_assert_int_ge(far, 500);
  free(all.rows);
  free(table.rows);
}

/* The rate is what the difference quotient tends to; with exact twists it is the derivative. */
TEST(test_rate)
{
  write_round(2000);
  result_table table = results_of("track m.urdf p.csv --pairs box:ball,ball:box");
  ck_assert_int_eq(table.count, 4000);
  ck_assert(!table.rows[0].has_rate && !table.rows[1].has_rate);
  for (int k = 2; k < table.count; ++k) {
    const result_row *row = &table.rows[k], *before = row - 2;
    ck_assert(row->has_rate);
    double quotient = (row->distance - before->distance) / (row->t - before->t);
    ck_assert_double_eq_tol(row->rate, quotient, 0.5); /* the speed changes by 0.3 from t to t */
    double sign = strcmp(row->link_a, "box") == 0 ? 1 : -1;
    double middle = 0.5 * (row->t + before->t);
    ck_assert_double_eq_tol(row->rate, sign * clp_dot(row->n, velocity_on_round(middle)), 1e-4);
  }
  free(table.rows);
}

/* A rod that turns about its own center while it moves off: the motion between stamps is the one
 * that tf2 would fill in, which here is the true one. */
TEST(test_rate_of_a_turning_body)
{
  FILE *file = open_poses();
  clp_vec3 v = {0.7, 0.2, -0.1}, axis = {0, 0, 1};
  for (int k = 0; k < 100; ++k) {
    double t = 0.01 * k;
    put_pose(file, t, "box", clp_scale(t, v), axis, 3 * t);
    put_pose(file, t, "probe", (clp_vec3){4, 0.2, 0.3}, axis, 0);
  }
  fclose(file);
  result_table table = results_of("track m.urdf p.csv --pairs box:probe");
  for (int k = 1; k < table.count; ++k) {
    const result_row *row = &table.rows[k];
    clp_vec3 arm = clp_sub(row->a, clp_scale(row->t, v));
    clp_vec3 velocity = clp_add(v, clp_cross((clp_vec3){0, 0, 3}, arm));
    ck_assert_double_eq_tol(row->rate, -clp_dot(row->n, velocity), 1e-9);
  }
  ck_assert_int_eq(table.count, 100);
  free(table.rows);
}

/* A stamp that changes nothing leaves the answer where it is. */
TEST(test_standstill)
{
  FILE *file = open_poses();
  for (int k = 0; k < 20; ++k)
    put_pose(file, k, "box", (clp_vec3){0, 0, 2.75}, (clp_vec3){1, 2, 3}, 0);
  fclose(file);
  result_table table = results_of("track m.urdf p.csv --pairs two:box");
  for (int k = 2; k < table.count; ++k) {
    ck_assert_double_le(clp_distance(table.rows[k].a, table.rows[1].a), 1e-12);
    ck_assert_double_eq(table.rows[k].rate, 0);
  }
  ck_assert_int_eq(table.count, 20);
  free(table.rows);
}

/* ---- Events ------------------------------------------------------------------------------- */

/* Replays the events on the features of the rows: each goes on from where the last one ended, and
 * after a stamp's events the features are the row's. Returns how many there were. */
static int replay(const result_table *results, const event_table *events)
{
  char now[2][128] = {"", ""};
  int next = 0;
  for (int k = 0; k < results->count; ++k) {
    const result_row *row = &results->rows[k];
    for (; next < events->count && events->rows[next].t <= row->t; ++next) {
      const event_row *e = &events->rows[next];
      char *feature = now[e->side == 'b'];
      ck_assert_double_eq(e->t, row->t);
      ck_assert_str_eq(e->link_a, row->link_a);
      ck_assert_str_eq(e->link_b, row->link_b);
      if (*feature)
        ck_assert_str_eq(e->from, feature);
      strcpy(feature, e->to);
    }
    for (int side = 0; side < 2; ++side) {
      const char *feature = side ? row->feature_b : row->feature_a;
      ck_assert_msg(k == 0 || strcmp(now[side], feature) == 0, "t %g: %s after events to %s",
                    row->t, feature, now[side]);
      strcpy(now[side], feature);
    }
  }
  ck_assert_int_eq(next, events->count);
  return next;
}

static int events_of(const char *arguments)
{
  result_table results = results_of(arguments);
  event_table events = events_load("e.csv");
  int count = replay(&results, &events);
  free(results.rows);
  free(events.rows);
  return count;
}

TEST(test_events)
{
  write_round(500);
  ck_assert_int_ge(events_of("track m.urdf p.csv --pairs box:ball --events e.csv"), 16);
  ck_assert_int_ge(events_of("track m.urdf p.csv --pairs ball:box --events e.csv"), 16);
}

/* Down along both parts and back: the nearest part changes twice. */
TEST(test_events_between_parts)
{
  FILE *file = open_poses();
  for (int k = 0; k <= 400; ++k)
    put_pose(file, k, "probe", (clp_vec3){2, 0.1, 5 * cos(0.5 * pi * k / 100.0)},
             (clp_vec3){0, 0, 1}, 0);
  fclose(file);
  ck_assert_int_ge(events_of("track m.urdf p.csv --pairs two:probe --events e.csv"), 4);
  static char events[65536];
  read_whole("e.csv", events, sizeof events);
  ck_assert_ptr_nonnull(strstr(events, "two,probe,a,high/surface,low/x+|low/z+,"));
  ck_assert_ptr_nonnull(strstr(events, "two,probe,a,low/x+|low/z+,high/surface,"));
}

/* ---- What is refused ---------------------------------------------------------------------- */

TEST(test_wrong_usage)
{
  static const struct {
    const char *options, *hint;
  } cases[] = {
      {"--controller fast", "expected one of auto, linearising, switching, compensated, newton"},
      {"--integrator rk3", "'--integrator' is 'rk3', expected one of euler, rk2, rk4"},
      {"--gain 0", "'--gain' is '0', expected a number greater than zero"},
      {"--gain", "'--gain' expects a value"},
      {"--gain exponential", "is for the controllers switching and compensated"},
      {"--gain exponential:2 --controller newton", "is for the controllers switching and"},
      {"--gain exponential: --controller switching", "'--gain' is '', expected a number"},
      {"--gain exponential:0 --controller switching", "'--gain' is '0', expected a number"},
      {"--gain exponentially --controller switching", "'--gain' is 'exponentially', expected"},
      {"--substeps 0", "'--substeps' is '0', expected an integer greater than zero"},
      {"--substeps 2.5", "'--substeps' is '2.5', expected an integer"},
      {"--feedforward", "unknown option '--feedforward'"},
      {"--start ball=surface,0,0", "'--start' has 1 place, expected LINKA=face,u,v"},
      {"--start \"ball=surface,0,0 ball=surface,0,0\"", "with two different links"},
      {"--start \"ball=surface,0 box=x-,0,0\"", "'--start' has 'ball=surface,0', expected LINK="},
      {"--start \"ball=surface,0,0x box=x-,0,0\"", "'ball=surface,0,0x', expected LINK="},
  };
  write_round(3);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "track m.urdf p.csv %s", cases[k].options);
    expect_failure(arguments, 2, cases[k].hint);
  }
}

TEST(test_bad_starts)
{
  static const struct {
    const char *start, *hint;
  } cases[] = {
      {"ball=surface,0,0 bx=x-,0,0", "names link 'bx', which the model does not have"},
      {"ball=surface,0,0 box=x,0,0", "'box=x,0,0', expected a face of the link"},
      {"ball=surface,0,0 box=x-,0,7", "'box=x-,0,7', expected a face of the link and u, v on it"},
      {"ball=surface,0,0 two=x-,0,0", "'two=x-,0,0', expected a face of the link"},
      {"two=low/x-,0,0 box=x-,0,0", "two links that are no pair here"},
  };
  write_round(3);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "track m.urdf p.csv --pairs ball:box --start \"%s\"",
             cases[k].start);
    expect_failure(arguments, 1, cases[k].hint);
  }
  expect_done("track m.urdf p.csv --pairs ball:two --start \"two=low/x+,0,0 ball=surface,0,0\"",
              "ball,two,TRACKING");
  expect_done("track m.urdf p.csv --pairs probe:box --start \"probe=point,0,0 box=x-,0,0\"",
              "probe,box,");
}

/* Euler and rk2 are stable below 2 / step, rk4 below 2.785 / step, here of 0.02 s. */
TEST(test_gains)
{
  static const struct {
    const char *options, *bound; /* NULL: accepted */
  } cases[] = {
      {"--gain 99.9", NULL},
      {"--gain 100", "below 100 1/s"},
      {"--gain 1e6 --force", NULL},
      {"--gain 101 --controller linearising", "below 100 1/s"},
      {"--gain 101 --controller linearising --substeps 2", NULL},
      {"--gain 99 --controller linearising --integrator rk2", NULL},
      {"--gain 139 --controller linearising --integrator rk4", NULL},
      {"--gain 140 --controller linearising --integrator rk4", "below 139.265 1/s"},
      {"--gain 100 --controller switching", "outside of its bounds: above "},
      {"--gain 140 --controller linearising --integrator rk4 --force", NULL},
      {"--gain 100 --controller switching --force", NULL},
      {"--gain exponential --controller switching", NULL},
      {"--gain exponential:5 --controller compensated --substeps 4", NULL},
      {"--gain 1e-9 --controller linearising", NULL},
      {"--gain 1e-9 --controller linearising --no-feedforward", "outside of its bounds: above "},
  };
  write_round(50);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "track m.urdf p.csv --pairs box:ball %s",
             cases[k].options);
    if (cases[k].bound)
      expect_failure(arguments, 2, cases[k].bound);
    else
      expect_done(arguments, "box,ball,");
  }
  expect_failure("track m.urdf p.csv --gain 100 --pairs two:box,box:ball --out r.csv", 2,
                 "links 'two' and 'box': gain 100 1/s is outside of its bounds");
}

/* ---- Long work ---------------------------------------------------------------------------- */

/* The address sanitizer does. */
#if defined(__has_feature)
#define KEEPS_FREED_MEMORY __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define KEEPS_FREED_MEMORY 1
#else
#define KEEPS_FREED_MEMORY 0
#endif

static void write_long(int count)
{
  FILE *file = open_poses();
  for (int k = 0; k < count; ++k)
    put_pose(file, k * 1e-3, "ball", place_on_round(k * 1e-4), (clp_vec3){0, 0, 1}, 0);
  fclose(file);
}

/* Runs the command with its errors on a terminal; what it shows there comes back. It is read while
 * the command runs, for a terminal holds no more than a few lines of what nobody reads. */
static void run_on_terminal(const char *arguments, char *shown, size_t room)
{
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  char command[512];
  snprintf(command, sizeof command, "\"$CLOSEST_POINT\" %s >out 2>%s", arguments, ptsname(master));
  int terminal = open(ptsname(master), O_RDWR | O_NOCTTY); /* keeps what was written */
  ck_assert_int_ge(terminal, 0);
  ck_assert_int_eq(fcntl(master, F_SETFL, O_NONBLOCK), 0);
  pid_t child = start_process(command);
  size_t length = 0;
  int status = 0;
  for (bool ended = false, rest = true; !ended || rest;) {
    ended = ended || waitpid(child, &status, WNOHANG) == child;
    rest = poll(&(struct pollfd){.fd = master, .events = POLLIN}, 1, ended ? 200 : 50) > 0;
    ssize_t count = rest ? read(master, shown + length, room - 1 - length) : 0;
    ck_assert_msg(!rest || count > 0, "more than %zu characters", room);
    length += (size_t)count;
  }
  shown[length] = '\0';
  ck_assert_int_eq(status, 0);
  close(terminal);
  close(master);
}

TEST(test_progress_bar)
{
  static char shown[1 << 20];
  write_long(KEEPS_FREED_MEMORY ? 40000 : 250000); /* all pairs: seconds, however fast one is */
  run_on_terminal("track m.urdf p.csv --out /dev/null", shown, sizeof shown);
  ck_assert_msg(strstr(shown, "\rtrack [#") && strstr(shown, " left\033[K"), "no bar: %s", shown);
  ck_assert_str_eq(shown + strlen(shown) - 4, "\r\033[K"); /* and it is gone at the end */
  run_on_terminal("track m.urdf p.csv --out /dev/null -q", shown, sizeof shown);
  ck_assert_str_eq(shown, "");
  write_round(3);
  run_on_terminal("track m.urdf p.csv --pairs ball:box", shown, sizeof shown);
  ck_assert_str_eq(shown, "");
}

static long most_memory(void)
{
  struct rusage usage;
  ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
  return usage.ru_maxrss; /* of the largest child, KiB */
}

FIXTURE_CASE("size", 150, enter, leave_folder); /* ten thousand stamps, on a busy machine too */

/* Memory is for links, not for stamps. */
LOOP_TEST(test_long_file, 0, !KEEPS_FREED_MEMORY)
{
  write_long(500);
  run("track m.urdf p.csv --out r.csv --events e.csv");
  long before = most_memory();
  write_long(50000);
  ck_assert_str_eq(run("track m.urdf p.csv --out r.csv --events e.csv")->err, "");
  ck_assert_int_le(most_memory(), before + 1024);
}

/* ---- Reference cases ---------------------------------------------------------------------- */

/* Cases whose poses are independent of each other are not for tracking. */
static bool is_tracked(const char *name)
{
  return strncmp(name, "hulls_", 6) != 0 && strcmp(name, "patch_table1") != 0 &&
         strcmp(name, "pen_bowl_random") != 0;
}

FIXTURE_CASE("reference", 30, enter_folder, leave_folder);

LOOP_TEST(test_reference, 0, REFERENCE_CASES)
{
  if (is_tracked(reference_cases[_i]) && amount_has(_i))
    expect_reference(reference_cases[_i], "track");
}

LOOP_TEST(test_reference_events, 0, REFERENCE_CASES)
{
  const char *name = reference_cases[_i];
  char arguments[2048];
  snprintf(arguments, sizeof arguments,
           "track " DATA "/cases/%s/model.urdf " DATA "/cases/%s/poses.csv --events e.csv", name,
           name);
  if (is_tracked(name) && amount_has(_i))
    events_of(arguments);
}
