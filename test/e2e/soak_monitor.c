/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include <limits.h>

#include "e2e/cell.h"

/* The monitor on the shipped cell for SOAK_SECONDS (`make soak`), with the joints published 200
 * times a second, unrelated frames among them, and a publisher that is killed and started again
 * every ten seconds: its memory does not grow, no answer is missing, and every topic goes on.
 *
 * Memory is the resident set, compared after WARM_UP and at the end. By then buffers have the size
 * that they need, and DDS has begun to forget publishers that were killed, which takes it ten
 * seconds. The monitor's malloc gives back what is free: else every time that the monitor is not
 * given the processor, and finds 100 messages with 130 transforms each (2 MB) afterwards, leaves a
 * step behind that is no leak. The end is the least of the last seconds, and may be higher by
 * SLACK. A leak of 120 bytes a cycle would be beyond that in 60 s, one of 8 bytes in 600 s. */

#define WARM_UP 25 /* s */
#define SLACK (4L * 1024 * 1024)
#define LAST 5            /* s */
#define PUBLISHER_LIFE 10 /* s */

static long resident_bytes(pid_t process)
{
  char path[64];
  long pages = 0;
  snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fscanf(file, "%*d %ld", &pages), 1);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static long least(long a, long b)
{
  return a < b ? a : b;
}

static void let_malloc_give_back(void)
{
  setenv("MALLOC_ARENA_MAX", "1", 1);
  setenv("MALLOC_MMAP_THRESHOLD_", "131072", 1);
  setenv("MALLOC_TRIM_THRESHOLD_", "131072", 1);
}

/* The other topics, of which only the newest message is kept. */
typedef struct others {
  dds_entity_t readers[4];
  long counts[4];
} others;

static const char *const other_names[] = {"safety", "minimum", "markers", "diagnostics"};

static others listen_to_others(void)
{
  return (others){
      .readers = {endpoint("rt" NODE "/safety", &rclc_closest_point_msg_dds__SafetyStatus__desc,
                           false, false, 1),
                  endpoint("rt" NODE "/minimum", &rclc_closest_point_msg_dds__ClosestPoint__desc,
                           false, false, 1),
                  endpoint("rt" NODE "/markers", &visualization_msgs_msg_dds__MarkerArray__desc,
                           false, false, 1),
                  endpoint("rt/diagnostics", &diagnostic_msgs_msg_dds__DiagnosticArray__desc, false,
                           false, 1)}};
}

static void hear_others(others *o)
{
  for (int k = 0; k < 4; ++k) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (dds_take(o->readers[k], &sample, &info, 1, 1) < 1)
      continue;
    o->counts[k] += info.valid_data;
    dds_return_loan(o->readers[k], &sample, 1);
  }
}

/* The cell, and a crowd that no link hangs on. */
static void publish_all(source *s)
{
  for (int k = 0; k < 100; ++k)
    fprintf(s->to, "move cell stray_%d 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n", k);
  move_cell(s, 200);
}

SUITE("soak");

FIXTURE_CASE("soak", 3600, enter_world, leave_world);

TEST(soak)
{
  const char *text = getenv("SOAK_SECONDS");
  int seconds = text ? atoi(text) : 600;
  ck_assert_msg(seconds > WARM_UP + PUBLISHER_LIFE, "SOAK_SECONDS is %d", seconds);
  ear e = listen_to(NODE);
  others o = listen_to_others();
  source s = start_source();
  let_malloc_give_back();
  pid_t monitor = start_monitor(CELL "-p rate:=1000.0");
  publish_all(&s);
  wait_for(&e, has_no_stale, "the whole cell");
  long heard = e.heard, warm = 0, end = LONG_MAX, stale = 0;
  int restarts = 0;
  int64_t begin = stamp_of(e.last), stamp = begin;
  while (stamp - begin < seconds * SECOND) {
    wait_for(&e, is_any, "a sign of life");
    stamp = stamp_of(e.last);
    stale += e.last->stale > 0;
    hear_others(&o);
    if (warm == 0 && stamp - begin > WARM_UP * SECOND)
      warm = resident_bytes(monitor);
    if (stamp - begin > (seconds - LAST) * SECOND && e.cycle % 100 == 0)
      end = least(end, resident_bytes(monitor));
    if (stamp - begin > (restarts + 1) * PUBLISHER_LIFE * SECOND) {
      kill_source(&s);
      s = start_source();
      publish_all(&s);
      ++restarts;
    }
  }
  wait_for(&e, has_no_stale, "the whole cell at the end");
  end = least(end, resident_bytes(monitor));
  printf(
      "%d s: %ld answers, %ld missing, %ld datagrams dropped by the kernel; publisher restarted "
      "%d times, %ld answers with stale pairs meanwhile\n",
      seconds, e.heard - heard, e.missing, udp_drops(getpid()), restarts, stale);
  printf("resident memory %ld kB after %d s, %ld kB at the end\n", warm / 1024, WARM_UP,
         end / 1024);
  for (int k = 0; k < 4; ++k) {
    printf("%ld times %s\n", o.counts[k], other_names[k]);
    ck_assert_int_ge(o.counts[k], seconds / 2);
  }
  expect_no_gap(&e);
  ck_assert_int_le(end - warm, SLACK);
  end_monitor(monitor);
  end_source(&s);
}
