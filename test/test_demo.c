/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#define _DEFAULT_SOURCE   /* TIOCSCTTY */

#include <math.h>

#include "support/command.h"
#include "support/pty.h"
#include "support/suite.h"
#include "support/wire.h"

/* `closest_point demo` as a user sees it: on a terminal, in a pipe, and from its topics. */

/* In a domain of its own, with a terminal that is known. */
static void enter(void)
{
  choose_domain();
  enter_folder();
  setenv("TERM", "xterm", 1);
  setenv("LC_ALL", "C", 1);
  unsetenv("NO_COLOR");
}

/* The arguments with the test's domain. */
static const char *demo(const char *arguments)
{
  static char text[256];
  snprintf(text, sizeof text, "demo --domain %u %s", (unsigned)domain_id(), arguments);
  return text;
}

static pty start_on_terminal(const char *arguments)
{
  char command[512];
  snprintf(command, sizeof command, "exec \"$CLOSEST_POINT\" %s", demo(arguments));
  return pty_start(command, 80, 24);
}

/* ---- On a terminal ------------------------------------------------------------------------ */

static void expect_left(const pty *p)
{
  ck_assert_int_eq(p->entered, 1);
  ck_assert(!p->alternate);
  ck_assert(!p->cursor_hidden);
  ck_assert_int_eq(p->overrun, 0);
}

SUITE("demo");

FIXTURE_CASE("terminal", 60, enter, leave_folder);

TEST(a_table_that_lives)
{
  pty p = start_on_terminal("");
  pty_wait_for(&p, "cycles/s");
  pty_wait_for(&p, "tracked");
  ck_assert(p.alternate && p.cursor_hidden);
  ck_assert(pty_shows(&p, "closest_point demo"));
  ck_assert(pty_shows(&p, "distance at least   rate   age zone"));
  pty_wait_for(&p, " - ");
  pty_wait_for(&p, "gripper_base - machine");
  ck_assert(pty_shows(&p, "q quits"));
  ck_assert_int_gt(p.colors, 0);
  ck_assert_int_eq(p.foreign, 0);
  pty_press(&p, "xyq");
  ck_assert_int_eq(pty_finish(&p), 0);
  expect_left(&p);
}

/* The heading moves with the right margin; what is wider than the terminal is cut. */
TEST(it_follows_the_terminals_size)
{
  static const int sizes[][2] = {{60, 20}, {133, 50}, {38, 9}, {12, 3}, {80, 24}};
  pty p = start_on_terminal("");
  pty_wait_for(&p, "distance at least");
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    pty_size(&p, sizes[k][0], sizes[k][1]);
    for (int frame = 0; frame < 2; ++frame) { /* one may have been on its way */
      memset(p.screen, 0, sizeof p.screen);
      p.overrun = 0;
      pty_wait_for(&p, "closest");
      pty_wait_for(&p, sizes[k][0] > 40 ? "zone" : "closest");
      pty_wait_for(&p, sizes[k][1] > 5 ? "q quits" : "closest");
    }
    ck_assert_int_eq(p.overrun, 0);
  }
  pty_press(&p, "\003");
  ck_assert_int_eq(pty_finish(&p), 0);
  expect_left(&p);
}

static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};

LOOP_TEST(signals_leave_the_terminal_as_it_was, 0, (int)(sizeof signals / sizeof *signals))
{
  pty p = start_on_terminal("");
  pty_wait_for(&p, _i % 2 ? "closest_point demo" : "machine");
  kill(p.child, signals[_i]);
  ck_assert_int_eq(pty_finish(&p), 0);
  expect_left(&p);
}

TEST(without_colors_in_utf8)
{
  setenv("NO_COLOR", "1", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  pty p = start_on_terminal("");
  pty_wait_for(&p, " @ machine");
  ck_assert_int_eq(p.colors, 0);
  ck_assert_int_gt(p.foreign, 0);
  pty_press(&p, "q");
  ck_assert_int_eq(pty_finish(&p), 0);
  expect_left(&p);
}

/* ---- Elsewhere ---------------------------------------------------------------------------- */

static void expect_narrow(const char *text, size_t width)
{
  for (; *text; text += strcspn(text, "\n") + 1)
    ck_assert_uint_le(strcspn(text, "\n"), width);
}

FIXTURE_CASE("elsewhere", 60, enter, leave_folder);

TEST(one_frame_for_scripts)
{
  const result *r = run(demo("--once"));
  ck_assert_msg(r->status == 0, "status %d: %s", r->status, r->err);
  ck_assert_str_eq(r->err, "");
  ck_assert_ptr_nonnull(strstr(r->out, "56 pairs"));
  ck_assert_ptr_nonnull(strstr(r->out, "gripper_base - machine"));
  ck_assert_ptr_null(strchr(r->out, 0x1b));
  expect_narrow(r->out, 80);
}

TEST(a_line_each_second)
{
  const result *r = run(demo("--seconds 2.5 | cat"));
  ck_assert_str_eq(r->err, "");
  ck_assert_int_ge(count_lines(r->out), 2);
  ck_assert_int_le(count_lines(r->out), 4);
  ck_assert_ptr_nonnull(strstr(r->out, " speed "));
  ck_assert_ptr_null(strchr(r->out, 0x1b));
  setenv("TERM", "dumb", 1);
  pty p = start_on_terminal("--seconds 0.1");
  ck_assert_int_eq(pty_finish(&p), 0);
  ck_assert_int_eq(p.entered, 0);
}

TEST(what_is_wrong_is_said)
{
  expect_failure("demo --seconds 0", 2, "option '--seconds' is '0'");
  expect_failure("demo --domain 102", 2,
                 "option '--domain' is '102', expected an integer, 1 to 101");
  expect_failure(demo("--params no.yaml"), 1, "no.yaml:1: the file cannot be read");
  expect_failure("demo operand", 2, "operand");
  write_whole("lost.yaml", "/**:\n  ros__parameters:\n    model: no.urdf\n");
  expect_failure(demo("--once --params lost.yaml"), 1, "no.urdf:1: the file cannot be read");
  expect_failure(demo("--once --params lost.yaml"), 1, "the monitor has ended with status 1");
}

/* Then nobody is looking, and it ends. */
TEST(output_that_does_not_arrive)
{
  expect_failure(demo("--once >/dev/full"), 3, "cannot write standard output");
  expect_failure(demo(">/dev/full"), 3, "cannot write standard output");
  expect_failure(demo(">&-"), 3, "cannot write standard output");
}

/* ---- What is published -------------------------------------------------------------------- */

#define SAMPLES_MAX 40000

typedef struct sample {
  int64_t stamp;
  double angle; /* of one joint of the arm, or the zone */
} sample;

typedef struct trace {
  sample samples[SAMPLES_MAX];
  int count;
} trace;

static trace motion[2], zones; /* joint_1 and joint_2 */

static void note(trace *t, builtin_interfaces_msg_dds__Time_ stamp, double value)
{
  ck_assert_int_lt(t->count, SAMPLES_MAX);
  t->samples[t->count++] = (sample){stamp.sec * SECOND + stamp.nanosec, value};
}

static void take_transforms(dds_entity_t reader)
{
  static const char *const links[2] = {"link_1", "link_2"};
  void *samples[100] = {NULL};
  dds_sample_info_t infos[100];
  dds_return_t count = dds_take(reader, samples, infos, 100, 100);
  for (int k = 0; k < count; ++k) {
    const tf2_msgs_msg_dds__TFMessage_ *m = samples[k];
    for (uint32_t t = 0; infos[k].valid_data && t < m->transforms._length; ++t) {
      const geometry_msgs_msg_dds__TransformStamped_ *x = &m->transforms._buffer[t];
      for (int j = 0; j < 2; ++j)
        if (strcmp(x->child_frame_id, links[j]) == 0)
          note(&motion[j], x->header.stamp,
               2 * atan2(x->transform.rotation.z + x->transform.rotation.y,
                         x->transform.rotation.w));
    }
  }
  if (count > 0)
    dds_return_loan(reader, samples, count);
}

/* Only changes of the zone are kept. */
static void take_zones(dds_entity_t reader)
{
  void *samples[100] = {NULL};
  dds_sample_info_t infos[100];
  dds_return_t count = dds_take(reader, samples, infos, 100, 100);
  for (int k = 0; k < count; ++k) {
    const rclc_closest_point_msg_dds__SafetyStatus_ *m = samples[k];
    if (infos[k].valid_data &&
        (zones.count == 0 || zones.samples[zones.count - 1].angle != m->zone))
      note(&zones, m->header.stamp, m->zone);
  }
  if (count > 0)
    dds_return_loan(reader, samples, count);
}

/* The way was clear, then it was not for as long as the person takes, and it is again. (On a busy
 * machine there are shorter stops, when transforms come late.) */
static bool has_gone_on(void)
{
  bool was_clear = false, was_stopped = false;
  for (int k = 0; k + 1 < zones.count; ++k) {
    int64_t lasted = zones.samples[k + 1].stamp - zones.samples[k].stamp;
    was_clear |= zones.samples[k].angle == 0;
    was_stopped |= was_clear && zones.samples[k].angle == 2 && lasted > 9 * SECOND / 10;
  }
  return was_stopped && zones.samples[zones.count - 1].angle == 0;
}

static bool stops_at(int64_t stamp)
{
  bool stop = false;
  for (int k = 0; k < zones.count && zones.samples[k].stamp <= stamp; ++k)
    stop = zones.samples[k].angle == 2;
  return stop;
}

/* When the zone that holds at `stamp` was entered. */
static int64_t zone_since(int64_t stamp)
{
  int64_t since = 0;
  for (int k = 0; k < zones.count && zones.samples[k].stamp <= stamp; ++k)
    since = zones.samples[k].stamp;
  return since;
}

/* By stamps and counts: half a second and 60 transforms after STOP, and as long as that lasts, the
 * arm does not move; before and afterwards it does. */
static void judge_motion(const trace *t)
{
  int at_rest = 0, moving = 0, in_stop = 0;
  for (int k = 1; k < t->count; ++k) {
    bool moved = fabs(t->samples[k].angle - t->samples[k - 1].angle) > 1e-12;
    int64_t stamp = t->samples[k].stamp;
    in_stop = stops_at(stamp) ? in_stop + 1 : 0;
    moving += moved && in_stop == 0;
    if (in_stop <= 60 || stamp - zone_since(stamp) < SECOND / 2)
      continue;
    ck_assert_msg(!moved, "moved in STOP, %d transforms after its begin", in_stop);
    ++at_rest;
  }
  ck_assert_int_gt(at_rest, 10);
  ck_assert_int_gt(moving, 100);
}

FIXTURE_CASE("published", 90, enter, leave_folder);

TEST(the_arm_stops_before_the_person)
{
  join_wire();
  dds_entity_t tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, false, false, 1000);
  dds_entity_t safety =
      endpoint("rt/closest_point_monitor/safety", &rclc_closest_point_msg_dds__SafetyStatus__desc,
               false, false, 1000);
  char command[512];
  snprintf(command, sizeof command, "\"$CLOSEST_POINT\" %s", demo(">out"));
  pid_t child = start_process(command);
  for (int k = 0; k < 12000 && !has_gone_on(); ++k) {
    rest(5);
    take_transforms(tf);
    take_zones(safety);
  }
  ck_assert_int_eq(stop_process(child, SIGINT), 0);
  leave_wire();
  ck_assert_msg(has_gone_on(), "the zone has changed %d times", zones.count);
  for (int j = 0; j < 2; ++j)
    judge_motion(&motion[j]);
}
