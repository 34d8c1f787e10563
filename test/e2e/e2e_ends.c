/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* unshare */

#include "e2e/e2e.h"
#include "rclc_closest_point/node/process.h"
#include "support/network.h"

/* How the monitor ends, and what does not end it. */

#define BALLS "-p model:=model.urdf -p rate:=500.0"

static void enter(void)
{
  enter_folder();
  write_balls();
  choose_domain();
}

/* ---- With its last word ------------------------------------------------------------------- */

/* Every signal that asks to stop is answered with the last report, and status 0. */
static void expect_goodbye(int signal_number)
{
  join_wire();
  ear e = listen_to(NODE);
  pid_t monitor = start_monitor(BALLS);
  wait_for(&e, is_any, "a sign of life");
  ck_assert_int_eq(stop_process(monitor, signal_number), 0);
  expect_safety(&e, 2, "shutting down");
  leave_wire();
}

SUITE("e2e_ends");

FIXTURE_CASE("ends", 60, enter, leave_folder);

LOOP_TEST(signals_that_ask_to_stop, 0, 3)
{
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  expect_goodbye(signals[_i]);
}

/* nohup ignores SIGHUP, and so does what it starts. */
TEST(nohup_is_respected)
{
  join_wire();
  ear e = listen_to(NODE);
  signal(SIGHUP, SIG_IGN);
  pid_t monitor = start_monitor(BALLS);
  signal(SIGHUP, SIG_DFL);
  wait_for(&e, is_any, "a sign of life");
  ck_assert_int_eq(kill(monitor, SIGHUP), 0);
  long heard = e.heard;
  while (e.heard < heard + 100)
    wait_for(&e, is_any, "signs of life after SIGHUP");
  end_monitor(monitor);
  leave_wire();
}

/* Who has read its errors is gone before it says anything; what it writes then goes nowhere, and it
 * goes on. */
TEST(nobody_reads_its_errors)
{
  int errors[2];
  join_wire();
  ear e = listen_to(NODE);
  ck_assert_int_eq(pipe(errors), 0);
  char command[64], target[32];
  snprintf(target, sizeof target, "/proc/%d/fd/%d", (int)getpid(), errors[1]);
  snprintf(command, sizeof command, "%s", BALLS);
  pid_t monitor = start_monitor_to(command, target);
  wait_for(&e, is_any, "a sign of life");
  close(errors[0]);
  close(errors[1]);
  ck_assert_int_eq(stop_process(monitor, SIGTERM), 0); /* which it has something to say about */
  expect_safety(&e, 2, "shutting down");
  leave_wire();
}

/* ---- Whatever hangs ----------------------------------------------------------------------- */

/* In the file of its errors, if there is one yet. */
static bool has_said(const char *what)
{
  char text[4096] = "";
  FILE *file = fopen("err", "r");
  if (!file)
    return false;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return strstr(text, what) != NULL;
}

/* Runs in a process of its own, which has a network of its own. Returns milliseconds from the
 * second signal to the end, or -1. */
static long end_without_network(void)
{
  pid_t monitor = start_monitor(BALLS);
  for (int64_t begin = now(); !has_said("monitoring "); rest(10))
    if (now() - begin > PATIENCE)
      return -1;
  rest(200);
  if (!set_loopback(false))
    return -1;
  rest(200);
  kill(monitor, SIGTERM);
  rest(1000 * CLP_SAME_SIGNAL + 100);
  int64_t begin = now();
  kill(monitor, SIGTERM);
  waitpid(monitor, NULL, 0);
  return (long)((now() - begin) / MILLISECOND);
}

TEST(a_second_signal_ends_it)
{
  int answer[2];
  long took = -1;
  ck_assert_int_eq(pipe(answer), 0);
  pid_t child = fork();
  if (child == 0) {
    took = enter_own_network() ? end_without_network() : -2;
    _exit(write(answer[1], &took, sizeof took) == sizeof took ? 0 : 1);
  }
  close(answer[1]);
  ck_assert_int_eq(waitpid(child, NULL, 0), child);
  ck_assert_int_eq(read(answer[0], &took, sizeof took), (ssize_t)sizeof took);
  if (took == -2)
    printf("no network of its own is permitted here: not tested\n");
  else
    ck_assert_msg(took >= 0 && took < 2000, "%ld ms after the second signal", took);
}
