/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/link_state.h"

#include "rclc_closest_point/math/pose.h"
#include "support/instants.h"
#include "support/random.h"
#include "support/suite.h"

/* A link's motion from measured poses. */

static clp_link_state box_link(void)
{
  return (clp_link_state){.box = {{-0.1, -0.2, -0.3}, {0.1, 0.2, 0.5}}};
}

static clp_measured pose_at(int64_t stamp, clp_vec3 position, clp_vec3 turn)
{
  return (clp_measured){.stamp = stamp,
                        .moving = true,
                        .position = position,
                        .orientation = clp_quaternion_turned((clp_quaternion){0, 0, 0, 1}, turn)};
}

static void measure(clp_link_state *state, int64_t stamp, clp_vec3 position, clp_vec3 turn)
{
  clp_measured pose = pose_at(stamp, position, turn);
  clp_link_state_measure(state, &pose, 0.1);
}

/* The farthest that a corner is from where the link is said to be. */
static double farthest_corner(const clp_link_state *state, const clp_link_now *now, clp_pose truth)
{
  clp_pose said = now->X_WL;
  ck_assert_double_eq(clp_distance(said.rotation.y, clp_quaternion_rotation(now->orientation).y),
                      0);
  double largest = 0;
  for (int k = 0; k < 8; ++k) {
    clp_vec3 corner = clp_box_corner(state->box, k);
    largest =
        fmax(largest, clp_distance(clp_transform(said, corner), clp_transform(truth, corner)));
  }
  return largest;
}

SUITE("link_state");

TEST_CASE("poses", 10);

TEST(nothing_is_known_before_the_first_pose)
{
  clp_link_state state = box_link();
  clp_link_now now = clp_link_state_at(&state, BEGIN, 2, 0.1);
  ck_assert_int_eq(now.freshness, CLP_LINK_UNKNOWN);
  ck_assert(isinf(now.age) && isinf(now.reach));
  ck_assert_double_eq(clp_link_state_rate(&state, BEGIN), 0);
}

TEST(what_stands_still_has_no_age)
{
  clp_link_state state = box_link();
  clp_measured pose = pose_at(0, (clp_vec3){1, 2, 3}, (clp_vec3){0, 0, 0.5});
  pose.moving = false;
  clp_link_state_measure(&state, &pose, 0.1);
  clp_link_now now = clp_link_state_at(&state, BEGIN + 1000 * SECOND, 2, 0.1);
  ck_assert_int_eq(now.freshness, CLP_LINK_FRESH);
  ck_assert(!now.moving);
  ck_assert_double_eq(now.age, 0);
  ck_assert_double_eq(now.reach, 0);
  ck_assert_double_eq(now.X_WL.position.y, 2);
}

/* One pose: it is where it was, and may have moved as fast as it may. */
TEST(one_pose_reaches_as_far_as_its_age)
{
  clp_link_state state = box_link();
  measure(&state, BEGIN, (clp_vec3){1, 0, 0}, (clp_vec3){0, 0, 0});
  clp_link_now now = clp_link_state_at(&state, BEGIN + 30 * MILLISECOND, 2, 0.1);
  ck_assert_int_eq(now.freshness, CLP_LINK_FRESH);
  ck_assert_double_eq_tol(now.age, 0.03, 1e-12);
  ck_assert_double_eq_tol(now.reach, 0.06, 1e-12);
  ck_assert_double_eq(now.X_WL.position.x, 1);
  now = clp_link_state_at(&state, BEGIN + 200 * MILLISECOND, 2, 0.1);
  ck_assert_int_eq(now.freshness, CLP_LINK_STALE);
  ck_assert_double_eq_tol(now.reach, 0.4, 1e-12);
}

/* At a constant twist the prediction is exact from the second pose on. */
TEST(constant_motion_is_predicted)
{
  clp_link_state state = box_link();
  for (int k = 0; k < 20; ++k) {
    double t = 0.01 * k;
    measure(&state, BEGIN + k * 10 * MILLISECOND, (clp_vec3){0.5 * t, 0, -t},
            (clp_vec3){0, 0, 0.8 * t});
  }
  clp_link_now now = clp_link_state_at(&state, BEGIN + 205 * MILLISECOND, 3, 0.1);
  clp_measured truth =
      pose_at(0, (clp_vec3){0.5 * 0.205, 0, -0.205}, (clp_vec3){0, 0, 0.8 * 0.205});
  clp_pose X = clp_pose_from(truth.position, truth.orientation);
  ck_assert_double_lt(farthest_corner(&state, &now, X), 1e-12);
  ck_assert_double_eq_tol(now.twist.linear.z, -1, 1e-9);
  ck_assert_double_eq_tol(now.twist.angular.z, 0.8, 1e-9);
  ck_assert_double_eq_tol(clp_link_state_rate(&state, BEGIN + 200 * MILLISECOND), 100, 1e-6);
  ck_assert_double_eq_tol(clp_link_state_rate(&state, BEGIN + 690 * MILLISECOND), 2, 1e-6);
}

/* Between two poses it is on the way from one to the other. */
TEST(announced_poses_are_interpolated)
{
  clp_link_state state = box_link();
  measure(&state, BEGIN, (clp_vec3){0, 0, 0}, (clp_vec3){0, 0, 0});
  measure(&state, BEGIN + 20 * MILLISECOND, (clp_vec3){0.02, 0, 0}, (clp_vec3){0, 0, 0.01});
  clp_link_now now = clp_link_state_at(&state, BEGIN + 5 * MILLISECOND, 2, 0.1);
  ck_assert_double_eq_tol(now.X_WL.position.x, 0.005, 1e-12);
  ck_assert_double_eq_tol(now.age, 0.005, 1e-12);
  now = clp_link_state_at(&state, BEGIN + 20 * MILLISECOND, 2, 0.1);
  ck_assert_double_eq(now.age, 0);
  ck_assert_double_lt(now.reach, 1e-9);
  now = clp_link_state_at(&state, BEGIN - MILLISECOND, 2, 0.1);
  ck_assert_int_eq(now.freshness, CLP_LINK_STALE);
}

TEST(a_jump_is_not_extrapolated_and_widens)
{
  clp_link_state state = box_link();
  measure(&state, BEGIN, (clp_vec3){0, 0, 0}, (clp_vec3){0, 0, 0});
  measure(&state, BEGIN + 10 * MILLISECOND, (clp_vec3){5, 0, 0}, (clp_vec3){0, 0, 0});
  clp_link_now now = clp_link_state_at(&state, BEGIN + 20 * MILLISECOND, 2, 0.1);
  ck_assert_double_le(clp_norm(now.twist.linear), 2 + 1e-9);
  ck_assert_double_le(now.X_WL.position.x, 5.02 + 1e-9);
  ck_assert_double_ge(now.reach, 5);
  ck_assert_double_eq_tol(now.speed, 500, 1e-9); /* but it is told as it was seen */
  ck_assert_double_eq_tol(now.seen.linear.x, 500, 1e-9);
}

TEST(after_a_pause_the_twist_is_not_known)
{
  clp_link_state state = box_link();
  measure(&state, BEGIN, (clp_vec3){0, 0, 0}, (clp_vec3){0, 0, 0});
  measure(&state, BEGIN + 10 * MILLISECOND, (clp_vec3){0.01, 0, 0}, (clp_vec3){0, 0, 0});
  measure(&state, BEGIN + 500 * MILLISECOND, (clp_vec3){0.2, 0, 0}, (clp_vec3){0, 0, 0});
  clp_link_now now = clp_link_state_at(&state, BEGIN + 510 * MILLISECOND, 2, 0.1);
  ck_assert_double_eq(now.X_WL.position.x, 0.2);
  ck_assert_double_eq(clp_norm(now.twist.linear), 0);
  measure(&state, BEGIN + 400 * MILLISECOND, (clp_vec3){3, 0, 0}, (clp_vec3){0, 0, 0});
  now = clp_link_state_at(&state, BEGIN + 410 * MILLISECOND, 2, 0.1);
  ck_assert_int_eq(state.count, 1);
  ck_assert_double_eq(now.X_WL.position.x, 3);
}

/* A body that wanders and turns, no point of its box faster than the bound: where it is said to be
 * is never off by more than its reach, whatever of its poses was measured. */
typedef struct walk {
  clp_vec3 position, velocity, spin;
  clp_quaternion orientation;
} walk;

static void wander(walk *w, const clp_link_state *state, random_state *g, double max_speed,
                   double dt)
{
  double radius = 0;
  for (int k = 0; k < 8; ++k)
    radius = fmax(radius, clp_norm(clp_box_corner(state->box, k)));
  if (random_bits(g) % 50 == 0) {
    double share = random_between(g, 0, 1);
    w->velocity = clp_scale(share * max_speed, random_direction(g));
    w->spin = clp_scale((1 - share) * max_speed / radius, random_direction(g));
  }
  w->position = clp_add_scaled(w->position, dt, w->velocity);
  w->orientation = clp_quaternion_turned(w->orientation, clp_scale(dt, w->spin));
}

LOOP_TEST(the_truth_is_within_reach, 0, 40)
{
  random_state g = {(uint64_t)_i + 1};
  clp_link_state state = box_link();
  walk w = {.orientation = {0, 0, 0, 1}};
  double max_speed = random_between(&g, 0.2, 5), tightest = 0;
  int period = 1 + (int)(random_bits(&g) % 60);
  for (int k = 0; k < 5000; ++k) {
    int64_t time = BEGIN + k * MILLISECOND;
    wander(&w, &state, &g, max_speed, 1e-3);
    if (k % period == 0 && random_bits(&g) % 4 != 0) {
      clp_measured pose = {
          .stamp = time, .moving = true, .position = w.position, .orientation = w.orientation};
      clp_link_state_measure(&state, &pose, 0.1);
    }
    clp_link_now now = clp_link_state_at(&state, time, max_speed, 0.1);
    if (now.freshness == CLP_LINK_UNKNOWN)
      continue;
    clp_pose truth = clp_pose_from(w.position, w.orientation);
    double off = farthest_corner(&state, &now, truth);
    ck_assert_msg(off <= now.reach + 1e-9, "walk %d, %d ms: %g off, reach %g", _i, k, off,
                  now.reach);
    tightest = fmax(tightest, now.reach > 1e-3 ? off / now.reach : 0);
  }
  ck_assert_msg(period == 1 || tightest > 0.2, "the reach is never used: %g", tightest);
}

/* However often poses come: with all that is kept of them, a second of the future is known. */
LOOP_TEST(a_second_of_the_future_is_known, 0, 4)
{
  static const int64_t periods[] = {200000, 1000000, 5000000, 20000000};
  const double max_speed = 2;
  clp_link_state state = box_link();
  for (int64_t t = 0; t < 4 * SECOND; t += periods[_i]) {
    measure(&state, BEGIN + t + SECOND, (clp_vec3){1e-9 * (double)t, 0, 0}, (clp_vec3){0, 0, 0});
    clp_link_now now = clp_link_state_at(&state, BEGIN + t, max_speed, 0.1);
    if (t < SECOND + 100 * MILLISECOND)
      continue;
    clp_vec3 truth = {1e-9 * (double)(t - SECOND), 0, 0};
    ck_assert_int_eq(now.freshness, CLP_LINK_FRESH);
    ck_assert_double_eq_tol(clp_distance(now.X_WL.position, truth), 0, 1e-6);
    ck_assert_double_le(now.reach, max_speed * 1e-9 * (double)(2 * CLP_POSES_APART));
    ck_assert_double_le(now.age, 1e-9 * (double)(CLP_POSES_APART + periods[_i]));
  }
}
