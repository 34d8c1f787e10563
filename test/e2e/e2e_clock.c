/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "e2e/e2e.h"

/* The system's clock is set, as the monitor alone sees it (clock_interposer.c), while transforms go
 * on and while they cease. Each answer that lets the robot move is judged by the time that is true
 * here: what it rests on is no older than stale_after and the three periods until it is written. */

#define RATE 500
#define STALE_AFTER (100 * MILLISECOND) /* the default */
#define OLDEST (STALE_AFTER + 3 * SECOND / RATE)

static dds_entity_t tf, tf_static, answers;
static _Atomic int64_t *offset; /* what the monitor's clock is ahead by */
static int64_t offset_before;
static int64_t told;    /* the newest transform's stamp */
static int64_t written; /* when the last answer was, in true time */
static bool silent;
static long moving, halted; /* answers */
static ear e;
static pid_t monitor;

/* The monitor says when it has written an answer by its own clock, before a step or after it: the
 * earlier time that can be. */
static int64_t true_time(int64_t said)
{
  int64_t a = said - atomic_load(offset), b = said - offset_before, time = now();
  bool a_can_be = a >= written && a <= time, b_can_be = b >= written && b <= time;
  if (a_can_be && b_can_be)
    return a < b ? a : b;
  return a_can_be ? a : b_can_be ? b : time;
}

static void judge(const safety_message *m, int64_t said)
{
  bool moves = m->zone != 2 || m->speed_scale > 0;
  written = true_time(said);
  ck_assert_msg(!moves || written <= told + OLDEST,
                "zone %d, speed %g, %.1f ms after the last transform: %s", m->zone, m->speed_scale,
                1e-6 * (double)(written - told), m->reason);
  ck_assert_msg(m->zone != 2 || *m->reason, "STOP without a reason");
  moving += moves;
  halted += !moves;
}

static void judge_all(void)
{
  enum { ROOM = 64 };
  void *samples[ROOM] = {NULL};
  dds_sample_info_t infos[ROOM];
  for (int count = ROOM; count == ROOM;) {
    count = dds_take(answers, samples, infos, ROOM, ROOM);
    for (int k = 0; k < count; ++k)
      if (infos[k].valid_data)
        judge(samples[k], infos[k].source_timestamp);
    if (count > 0)
      dds_return_loan(answers, samples, count);
  }
}

static void tell(void)
{
  if (!silent)
    publish_at(tf, "tool", told = now(), 1);
  judge_all();
}

static void tell_for(int milliseconds)
{
  for (int64_t begin = now(); now() - begin < milliseconds * MILLISECOND; rest(1))
    tell();
}

static void set_clock(double ahead)
{
  offset_before = atomic_load(offset);
  atomic_store(offset, (int64_t)(1e9 * ahead));
}

static void start(void)
{
  const char *interposer = getenv("CLOCK_INTERPOSER");
  ck_assert_msg(interposer && access(interposer, R_OK) == 0, "there is no clock to be set");
  static const int64_t none = 0;
  write_bytes("offset", &none, sizeof none);
  int file = open("offset", O_RDWR);
  ck_assert_int_ge(file, 0);
  void *mapped = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ck_assert_ptr_ne(mapped, MAP_FAILED);
  close(file);
  offset = mapped;
  /* AddressSanitizer wants to be the first library, but finds what comes after it all the same. */
  monitor = start_process(
      "env ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=\"$CLOCK_INTERPOSER\" "
      "CLOCK_OFFSET=offset \"$MONITOR\" "
      "$MONITOR_COMMAND --ros-args -p model:=model.urdf -p rate:=500.0 "
      ">/dev/null 2>err");
}

static void enter(void)
{
  enter_world();
  write_balls();
  tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  tf_static = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  answers = endpoint("rt" NODE "/safety", &rclc_closest_point_msg_dds__SafetyStatus__desc, false,
                     false, 0);
  e = listen_to(NODE);
  publish_at(tf_static, "head", 0, 3);
  offset_before = written = moving = halted = 0;
  silent = false;
  start();
  expect_safety_while(&e, 0, "clear", tell);
}

static void leave(void)
{
  ck_assert_int_gt(moving, 0);
  ck_assert_int_gt(halted, 0);
  end_monitor(monitor);
  munmap((void *)offset, sizeof *offset);
  leave_world();
}

static const double steps[] = {0.5, -0.5, -0.9};
enum { STEPS = sizeof steps / sizeof *steps };

SUITE("e2e_clock");

FIXTURE_CASE("the system's clock", 300, enter, leave);

/* Transforms go on by the true time: they are old, or from the future; and good again when the
 * clock is. */
LOOP_TEST(the_clock_is_set_and_set_again, 0, STEPS)
{
  double step = steps[_i];
  for (int k = 0; k < 2; ++k) {
    set_clock(step);
    expect_safety_while(&e, 2, step > 0 ? "stale" : "the clock has gone back by", tell);
    if (step < 0)
      expect_safety_while(&e, 2, "s ahead: clocks differ", tell);
    long before = moving;
    tell_for(600);
    ck_assert_int_eq(moving, before);
    set_clock(0);
    if (step > 0)
      expect_safety_while(&e, 2, "the clock has gone back by", tell);
    expect_safety_while(&e, 0, "clear", tell);
  }
}

/* Nothing comes any more. A clock that has been set back says of the last pose, as long as the step
 * was, that it is young. */
LOOP_TEST(nothing_that_is_old_looks_young, 0, STEPS)
{
  double step = steps[_i];
  for (int k = 0; k < 2; ++k) {
    silent = true;
    set_clock(step);
    expect_safety_while(&e, 2, step > 0 ? "stale" : "the clock has gone back by", tell);
    long before = moving;
    tell_for(1100);
    ck_assert_int_eq(moving, before);
    silent = false;
    set_clock(0);
    expect_safety_while(&e, 0, "clear", tell);
  }
}

/* The clock is set while the monitor sleeps, and is no earlier afterwards than it was before. */
TEST(a_step_during_a_pause)
{
  for (int k = 0; k < 2; ++k) {
    kill(monitor, SIGSTOP);
    silent = true;
    set_clock(-0.5);
    rest(520);
    kill(monitor, SIGCONT);
    expect_safety_while(&e, 2, "the clock has gone back by", tell);
    long before = moving;
    tell_for(700);
    ck_assert_int_eq(moving, before);
    silent = false;
    set_clock(0);
    expect_safety_while(&e, 0, "clear", tell);
  }
}
