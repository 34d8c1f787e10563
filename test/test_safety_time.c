/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "support/amount.h"
#include "support/suite.h"
#include "support/timed.h"

/* 2,304 scenes (SAFETY_TIME_SCENES of each kind for more): whatever clocks, ways and processes do,
 * no answer lets the robot move when the formula of docs/safety.md says STOP at what is true. */

static timed_scene scene;

static int scenes_of_each_kind(void)
{
  const char *text = getenv("SAFETY_TIME_SCENES");
  return text ? atoi(text) : amount_of(128);
}

SUITE("safety_time");

TEST_CASE("scenes", 300);

LOOP_TEST(no_answer_lets_move_too_near, 0, TIMED_KINDS)
{
  timed_kind kind = (timed_kind)_i;
  int clear = 0, near_by = 0, scenes = scenes_of_each_kind();
  double least = HUGE_VAL;
  for (int k = 0; k < scenes; ++k) {
    timed_draw(&scene, kind, (uint64_t)k);
    timed_result r = timed_run(&scene);
    ck_assert(!r.failed);
    ck_assert_msg(r.late == 0, "%s, scene %d: %d cycles late, by %g m at %g s: %s",
                  timed_names[kind], k, r.late, -r.worst, r.worst_at, r.worst_reason);
    clear += r.clear > 0;
    near_by += r.near_by > 0;
    least = fmin(least, r.worst);
  }
  printf("%-18s %5d scenes, CLEAR in %d, too near in %d, least margin in motion %.3f m\n",
         timed_names[kind], scenes, clear, near_by, least);
  ck_assert_int_gt(3 * near_by, 2 * scenes); /* three of four; of an eighth of them, chance */
  ck_assert_int_gt(4 * clear, scenes);       /* where nobody may ever move nothing is shown */
}

/* The judge can tell: a reaction time that is not told, and poses that are as much older than they
 * say as they are under way, which no monitor can know. */
TEST(what_is_not_true_is_found_out)
{
  const int scenes = amount_quick() ? 30 : 60;
  int late[2] = {0, 0};
  for (int k = 0; k < scenes; ++k) {
    timed_draw(&scene, TIMED_PLAIN, (uint64_t)k);
    scene.told_reaction = 0.1 * scene.reaction_time;
    late[0] += timed_run(&scene).late > 0;
    timed_draw(&scene, TIMED_PLAIN, (uint64_t)k);
    scene.publishers[TIMED_PERSON].latency = scene.publishers[TIMED_PERSON].clock.offset = 0.08;
    scene.publishers[TIMED_PERSON].latency_jitter = 0;
    late[1] += timed_run(&scene).late > 0;
  }
  ck_assert_int_gt(late[0], scenes / 6);
  ck_assert_int_gt(late[1], scenes / 6);
}
