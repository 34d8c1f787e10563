/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_nanosleep */

/* How late a cycle of a millisecond begins: on a timer of rcl's that rclc's executor waits for, and
 * on a thread that sleeps until absolute times. Both have a node and a subscription to /tf beside
 * them, as the monitor has. Takes turns, SECONDS each (default 10), so that what else the machine
 * does meets both. */

#include <rclc/executor.h>
#include <rclc/rclc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tf2_msgs/msg/tf_message.h>
#include <time.h>

#include "rclc_closest_point/monitor/timing.h"

#define SECOND INT64_C(1000000000)
#define PERIOD INT64_C(1000000)
#define ROUNDS 3

/* The timer's callback is told of nothing but the timer, so what it needs is around that. */
typedef struct timed {
  rcl_timer_t timer;
  int64_t planned;
  uint64_t missed;
  clp_timing lateness;
  int64_t busy; /* ns of the processor, all threads */
} timed;

static int64_t clock_ns(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static int64_t steady_ns(void)
{
  return clock_ns(CLOCK_MONOTONIC);
}

static void record(timed *t, int64_t now)
{
  int64_t late = now - t->planned;
  clp_timing_add(&t->lateness, late);
  int64_t missed = late >= PERIOD ? late / PERIOD : 0;
  t->missed += (uint64_t)missed;
  t->planned += (1 + missed) * PERIOD;
}

static void on_timer(rcl_timer_t *timer, int64_t since)
{
  (void)since;
  record((timed *)((char *)timer - offsetof(timed, timer)), steady_ns());
}

static void on_message(const void *message)
{
  (void)message;
}

static void run_timer(timed *t, rclc_executor_t *executor, int64_t seconds)
{
  int64_t left = 0;
  if (rcl_timer_reset(&t->timer) != RCL_RET_OK ||
      rcl_timer_get_time_until_next_call(&t->timer, &left) != RCL_RET_OK)
    return;
  t->planned = steady_ns() + left;
  for (int64_t end = t->planned + seconds * SECOND; steady_ns() < end;)
    (void)rclc_executor_spin_some(executor, (uint64_t)(10 * PERIOD));
}

static void run_thread(timed *t, int64_t seconds)
{
  t->planned = steady_ns() + PERIOD;
  for (int64_t end = t->planned + seconds * SECOND; steady_ns() < end;) {
    struct timespec until = {t->planned / SECOND, t->planned % SECOND};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
    }
    record(t, steady_ns());
  }
}

static void print_row(const char *name, const timed *t)
{
  printf("%-8s %8llu %8llu %8.1f %8.1f %8.1f %8.1f %8.1f\n", name,
         (unsigned long long)t->lateness.count, (unsigned long long)t->missed,
         1e6 * clp_timing_quantile(&t->lateness, 0.5),
         1e6 * clp_timing_quantile(&t->lateness, 0.99),
         1e6 * clp_timing_quantile(&t->lateness, 0.999), 1e-3 * (double)t->lateness.largest,
         1e-3 * (double)t->busy / (double)t->lateness.count);
}

static void require(rcl_ret_t result, const char *call)
{
  if (result == RCL_RET_OK)
    return;
  fprintf(stderr, "bench_cycle: %s fails\n", call);
  exit(1);
}

int main(int argc, char **argv)
{
  int64_t seconds = argc > 1 ? atoi(argv[1]) : 10;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rclc_support_t support;
  rcl_node_t node = rcl_get_zero_initialized_node();
  rcl_subscription_t tf = rcl_get_zero_initialized_subscription();
  rclc_executor_t executor = rclc_executor_get_zero_initialized_executor();
  tf2_msgs__msg__TFMessage *message = tf2_msgs__msg__TFMessage__create();
  static timed timer, thread;
  require(rclc_support_init(&support, 0, NULL, &allocator), "rclc_support_init");
  require(rclc_node_init_default(&node, "bench_cycle", "", &support), "rclc_node_init_default");
  require(rclc_subscription_init_default(
              &tf, &node, ROSIDL_GET_MSG_TYPE_SUPPORT(tf2_msgs, msg, TFMessage), "/tf"),
          "rclc_subscription_init_default");
  timer.timer = rcl_get_zero_initialized_timer();
  require(rclc_timer_init_default(&timer.timer, &support, PERIOD, on_timer),
          "rclc_timer_init_default");
  require(rclc_executor_init(&executor, &support.context, 2, &allocator), "rclc_executor_init");
  require(rclc_executor_add_timer(&executor, &timer.timer), "rclc_executor_add_timer");
  require(rclc_executor_add_subscription(&executor, &tf, message, on_message, ON_NEW_DATA),
          "rclc_executor_add_subscription");
  for (int k = 0; k < ROUNDS; ++k) {
    int64_t begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    run_timer(&timer, &executor, seconds);
    int64_t middle = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    run_thread(&thread, seconds);
    timer.busy += middle - begin;
    thread.busy += clock_ns(CLOCK_PROCESS_CPUTIME_ID) - middle;
  }
  printf("cycles of 1 ms; how late they begin, in us\n");
  printf("%-8s %8s %8s %8s %8s %8s %8s %8s\n", "", "cycles", "missed", "median", "99 %", "99.9 %",
         "most", "busy");
  print_row("timer", &timer);
  print_row("thread", &thread);
  require(rclc_executor_fini(&executor), "rclc_executor_fini");
  require(rcl_timer_fini(&timer.timer), "rcl_timer_fini");
  require(rcl_subscription_fini(&tf, &node), "rcl_subscription_fini");
  require(rcl_node_fini(&node), "rcl_node_fini");
  require(rclc_support_fini(&support), "rclc_support_fini");
  tf2_msgs__msg__TFMessage__destroy(message);
}
