/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS; kill, setenv, clock_gettime */

#include "e2e/live.h"

#include <sys/mman.h>

/* Live scenes with a truth in closed form: whatever clocks, networks and processes do, no answer
 * lets the robot move when the formula of docs/safety.md says STOP at what is true. E2E_SCENES of
 * each kind, E2E_PARALLEL at a time. */

static const live_kind kinds[] = {
    {TIMED_PLAIN, false},
    {TIMED_DISORDER, false},
    {TIMED_AHEAD, false},
    {TIMED_BEHIND, false},
    {TIMED_DRIFT, false},
    {TIMED_TWO_PUBLISHERS, false},
    {TIMED_LIAR, false},
    {TIMED_PUBLISHER_STEP, false},
    {TIMED_MONITOR_PAUSE, false},
    {TIMED_PLAIN, true},
    {TIMED_MONITOR_RESTART, false},
    {TIMED_PUBLISHER_PAUSE, false},
    {TIMED_NETWORK_PAUSE, false},
    {TIMED_PUBLISHER_RESTART, false},
    {TIMED_SIMULATED, false},
    {TIMED_SIMULATED_STANDS, false},
    {TIMED_SIMULATED_JUMPS, false},
};

enum { KINDS = sizeof kinds / sizeof *kinds, SCENES_MAX = 4096 };

static live_scene scene;
static live_result *results; /* shared with the processes of the scenes */

static int number_of(const char *variable, int otherwise)
{
  const char *text = getenv(variable);
  return text ? atoi(text) : otherwise;
}

static void enter(void)
{
  results = mmap(NULL, SCENES_MAX * sizeof *results, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert(results != MAP_FAILED);
}

/* ---- Many at a time ----------------------------------------------------------------------- */

static void start_scene(int index, live_kind kind, double told)
{
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child > 0)
    return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  uint64_t seed = (uint64_t)(index / KINDS);
  live_draw(&scene, kind, seed, seed % 3 > 0);
  scene.scene.told_reaction *= told;
  live_run(&scene, &results[index]);
  _exit(0);
}

static void await_scene(void)
{
  int status = 0;
  ck_assert_int_gt(wait(&status), 0);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a scene has ended with %d", status);
}

static void say(int index)
{
  const live_result *r = &results[index];
  live_kind kind = kinds[index % KINDS];
  printf(
      "%-18s%s %2d: %4d answers, %4d CLEAR, %4d too near, %d late; least margin in motion "
      "%.3f m, at %.3f s: %s; delays up to %.3f s\n",
      timed_names[kind.timed], kind.stops ? ", stops" : "", index / KINDS, r->answers, r->clear,
      r->near_by, r->late, r->worst, r->worst_at, r->worst_reason, r->hidden);
}

/* ---- The tests ---------------------------------------------------------------------------- */

SUITE("e2e_scenes");

FIXTURE_CASE("scenes", 150, enter, NULL);

TEST(no_answer_lets_move_too_near)
{
  int scenes = number_of("E2E_SCENES", 3) * KINDS, parallel = number_of("E2E_PARALLEL", 10);
  int late = 0, clear = 0, near_by = 0;
  ck_assert_int_le(scenes, SCENES_MAX);
  for (int k = 0; k < scenes + parallel; ++k) {
    if (k >= parallel && k - parallel < scenes)
      await_scene();
    if (k < scenes)
      start_scene(k, kinds[k % KINDS], 1);
  }
  for (int k = 0; k < scenes; ++k) {
    say(k);
    ck_assert_msg(results[k].done, "the monitor of scene %d has not ended as it should", k);
    late += results[k].late > 0;
    clear += results[k].clear > 0;
    near_by += results[k].near_by > 0;
  }
  printf("%d scenes, CLEAR in %d, too near in %d, late in %d\n", scenes, clear, near_by, late);
  ck_assert_int_eq(late, 0);
  ck_assert_int_gt(2 * near_by, scenes);
  ck_assert_int_gt(2 * clear, scenes); /* where nobody may ever move nothing is shown */
}

/* The judge can tell: a reaction time that is not told. */
TEST(what_is_not_true_is_found_out)
{
  enum { SCENES = 6 };
  int late = 0;
  for (int k = 0; k < SCENES; ++k)
    start_scene(k * KINDS, kinds[0], 0.1);
  for (int k = 0; k < SCENES; ++k)
    await_scene();
  for (int k = 0; k < SCENES; ++k)
    late += results[k * KINDS].late > 0;
  printf("%d of %d scenes with a reaction_time that is not told are found out\n", late, SCENES);
  ck_assert_int_gt(late, SCENES / 3);
}
