/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"

/* The shipped consumer, examples/obey, beside a monitor that is held up or dies: it drives at an
 * answer as long as that is young, and no longer. */

/* Machines are shared: here an answer may be older than the example's ten periods. */
#define TOO_OLD "0.05"

#define CONSUMER "\"$OBEY_SAFETY\" " NODE "/safety " TOO_OLD " >speeds 2>/dev/null"

/* The last speed that the consumer has printed, or -1. */
static double last_speed(void)
{
  char text[1 << 16];
  double speed = -1;
  read_whole("speeds", text, sizeof text);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    speed = strtod(line, NULL);
  return speed;
}

static void wait_for_speed(double speed)
{
  int64_t begin = now();
  for (; last_speed() != speed; rest(5))
    ck_assert_msg(now() - begin < PATIENCE, "the speed is %g, not %g", last_speed(), speed);
}

static void expect_standstill(int milliseconds)
{
  wait_for_speed(0);
  for (int k = 0; k < milliseconds; k += 5, rest(5))
    ck_assert_double_eq(last_speed(), 0);
}

static void enter(void)
{
  enter_world();
  write_balls();
  write_whole("speeds", "");
}

SUITE("e2e_obey");

FIXTURE_CASE("consumer", 300, enter, leave_world);

TEST(who_obeys_stands_when_the_monitor_does)
{
  source s = start_source();
  pid_t consumer = start_process(CONSUMER);
  pid_t monitor = start_monitor("-p model:=model.urdf -p rate:=500.0");
  move_balls(&s);
  for (int k = 0; k < 3; ++k) {
    wait_for_speed(1);
    kill(monitor, SIGSTOP);
    expect_standstill(300);
    kill(monitor, SIGCONT);
  }
  wait_for_speed(1);
  end_monitor(monitor);
  expect_standstill(300);
  ck_assert_int_eq(stop_process(consumer, SIGINT), 0);
  end_source(&s);
}

/* Whoever ends it while it drives is told that it drives no more. */
TEST(the_last_word_is_zero)
{
  source s = start_source();
  pid_t monitor = start_monitor("-p model:=model.urdf -p rate:=500.0");
  pid_t consumer = start_process(CONSUMER);
  move_balls(&s);
  wait_for_speed(1);
  ck_assert_int_eq(stop_process(consumer, SIGTERM), 0);
  ck_assert_double_eq(last_speed(), 0);
  end_monitor(monitor);
  end_source(&s);
}

/* As Ctrl-C in `ros2 launch` does, which comes by the terminal and a moment later by the launch. */
static int interrupt_again(pid_t process)
{
  for (int k = 0; k < 10; ++k, rest(1))
    ck_assert_int_eq(kill(process, SIGINT), 0);
  return stop_process(process, SIGINT);
}

/* Both end as they do when they are asked once, also the monitor that waits for a reader that has
 * died, which takes it longer than a second. */
TEST(who_is_interrupted_again_ends_in_order)
{
  source s = start_source();
  pid_t monitor = start_monitor("-p model:=model.urdf -p rate:=500.0");
  pid_t consumer = start_process(CONSUMER);
  move_balls(&s);
  wait_for_speed(1);
  ck_assert_int_eq(interrupt_again(consumer), 0);
  ck_assert_double_eq(last_speed(), 0);
  consumer = start_process(CONSUMER);
  wait_for_speed(1);
  ck_assert_int_eq(stop_process(consumer, SIGKILL), -SIGKILL);
  ck_assert_int_eq(interrupt_again(monitor), 0);
  end_source(&s);
}

/* What has lain in the queue while the consumer slept is no longer true. */
TEST(who_has_slept_does_not_drive_at_what_was_said)
{
  source s = start_source();
  pid_t consumer = start_process(CONSUMER);
  pid_t monitor = start_monitor("-p model:=model.urdf -p rate:=500.0");
  move_balls(&s);
  wait_for_speed(1);
  kill(consumer, SIGSTOP);
  rest(100);
  ck_assert_int_eq(stop_process(monitor, SIGKILL), -SIGKILL);
  rest(200);
  kill(consumer, SIGCONT);
  expect_standstill(300);
  ck_assert_int_eq(stop_process(consumer, SIGKILL), -SIGKILL);
  end_source(&s);
}
