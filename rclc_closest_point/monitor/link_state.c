/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/link_state.h"

#include <math.h>
#include <stddef.h>

#include "rclc_closest_point/math/pose.h"

/* A pose counts this much among those before it for the interval between poses. */
#define INTERVAL_WEIGHT 0.1

static const clp_measured *pose_before(const clp_link_state *state, int steps)
{
  return &state->poses[(state->newest + CLP_POSES_KEPT - steps) % CLP_POSES_KEPT];
}

static const clp_measured *sparse_before(const clp_link_state *state, int steps)
{
  return &state->sparse[(state->sparse_newest + CLP_POSES_SPARSE - steps) % CLP_POSES_SPARSE];
}

static double seconds(int64_t from, int64_t to)
{
  return 1e-9 * (double)(to - from);
}

clp_vec3 clp_box_corner(clp_box3 box, int k)
{
  return (clp_vec3){k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
                    k & 4 ? box.max.z : box.min.z};
}

/* How far the points of the box are apart in two poses, at most. */
static double displacement(clp_box3 box, clp_pose X, clp_pose Y)
{
  double largest = 0;
  for (int k = 0; k < 8; ++k)
    largest = fmax(largest, clp_distance(clp_transform(X, clp_box_corner(box, k)),
                                         clp_transform(Y, clp_box_corner(box, k))));
  return largest;
}

/* The speed of the fastest corner. */
static double speed_of(clp_box3 box, clp_mat3 rotation, clp_twist twist)
{
  double largest = 0;
  for (int k = 0; k < 8; ++k) {
    clp_vec3 arm = clp_rotate(rotation, clp_box_corner(box, k));
    largest = fmax(largest, clp_norm(clp_add(twist.linear, clp_cross(twist.angular, arm))));
  }
  return largest;
}

static clp_twist twist_between(const clp_measured *from, const clp_measured *to)
{
  double rate = 1 / seconds(from->stamp, to->stamp);
  return (clp_twist){clp_scale(rate, clp_sub(to->position, from->position)),
                     clp_scale(rate, clp_quaternion_turn(from->orientation, to->orientation))};
}

/* ---- Measuring ---------------------------------------------------------------------------- */

static clp_vec3 blend(clp_vec3 old, clp_vec3 fresh, double weight)
{
  return clp_add_scaled(old, weight, clp_sub(fresh, old));
}

static void measure_twist(clp_link_state *state, const clp_measured *from, const clp_measured *to)
{
  double dt = seconds(from->stamp, to->stamp);
  double weight = state->has_twist ? 1 - exp(-dt / CLP_TWIST_SMOOTHING) : 1;
  clp_twist twist = twist_between(from, to);
  state->twist.linear = blend(state->twist.linear, twist.linear, weight);
  state->twist.angular = blend(state->twist.angular, twist.angular, weight);
  state->has_twist = true;
}

static void measure_interval(clp_link_state *state, double dt)
{
  state->interval += (state->interval > 0 ? INTERVAL_WEIGHT : 1) * (dt - state->interval);
}

static void keep_sparsely(clp_link_state *state, const clp_measured *pose)
{
  if (state->sparse_count > 0 && pose->stamp - sparse_before(state, 0)->stamp < CLP_POSES_APART)
    return;
  state->sparse_newest = (state->sparse_newest + 1) % CLP_POSES_SPARSE;
  state->sparse[state->sparse_newest] = *pose;
  if (state->sparse_count < CLP_POSES_SPARSE)
    ++state->sparse_count;
}

static void measure_rates(clp_link_state *state, const clp_measured *pose)
{
  clp_mat3 rotation = clp_pose_from(pose->position, pose->orientation).rotation;
  state->has_rates = pose->has_rates;
  state->rates = pose->rates;
  if (pose->has_rates)
    state->speed = fmax(state->speed, speed_of(state->box, rotation, pose->rates));
}

void clp_link_state_measure(clp_link_state *state, const clp_measured *pose, double longest)
{
  const clp_measured *last = pose_before(state, 0);
  bool follows =
      state->count > 0 && pose->moving && last->moving && !pose->anew && pose->stamp > last->stamp;
  if (!follows) {
    clp_link_state_forget(state);
  } else {
    double dt = seconds(last->stamp, pose->stamp);
    clp_pose from = clp_pose_from(last->position, last->orientation);
    clp_pose to = clp_pose_from(pose->position, pose->orientation);
    state->speed = displacement(state->box, from, to) / dt;
    measure_interval(state, dt);
    if (dt > longest)
      state->has_twist = false;
    else
      measure_twist(state, last, pose);
  }
  measure_rates(state, pose);
  state->newest = (state->newest + 1) % CLP_POSES_KEPT;
  state->poses[state->newest] = *pose;
  if (state->count < CLP_POSES_KEPT)
    ++state->count;
  keep_sparsely(state, pose);
}

void clp_link_state_forget(clp_link_state *state)
{
  *state = (clp_link_state){.box = state->box};
}

bool clp_link_state_rests(const clp_link_state *state)
{
  return state->count > 0 && !pose_before(state, 0)->moving;
}

bool clp_link_state_newest(const clp_link_state *state, clp_measured *pose)
{
  if (state->count > 0)
    *pose = *pose_before(state, 0);
  return state->count > 0;
}

/* ---- At an instant ------------------------------------------------------------------------ */

double clp_link_fastest(const clp_link_state *state, const clp_link_now *now)
{
  const clp_mat3 rotation = now->X_WL.rotation;
  double seen =
      fmax(speed_of(state->box, rotation, now->seen), speed_of(state->box, rotation, now->other));
  return fmax(state->speed, seen);
}

static clp_twist bounded(const clp_link_state *state, clp_mat3 rotation, clp_twist twist,
                         double max_speed)
{
  double speed = speed_of(state->box, rotation, twist);
  if (!(speed > max_speed))
    return twist;
  double factor = max_speed / speed;
  return (clp_twist){clp_scale(factor, twist.linear), clp_scale(factor, twist.angular)};
}

/* Where the link is when it goes on from a pose at the twist. */
static void move(clp_link_now *now, const clp_measured *from, clp_twist twist, double dt)
{
  now->orientation = clp_quaternion_turned(from->orientation, clp_scale(dt, twist.angular));
  now->X_WL = (clp_pose){clp_quaternion_rotation(now->orientation),
                         clp_add_scaled(from->position, dt, twist.linear)};
  now->twist = twist;
}

static double reach_from(const clp_link_state *state, const clp_link_now *now,
                         const clp_measured *measured, clp_pose X_measured, int64_t time)
{
  double apart = fabs(seconds(measured->stamp, time));
  return now->speed * (apart + 2 * measured->gap + measured->lead) +
         displacement(state->box, now->X_WL, X_measured);
}

/* Between two poses the link is where the motion from one to the other brings it. It may have
 * taken another way; how far off that leads is bounded from the nearer one. */
static void interpolate(const clp_link_state *state, const clp_measured *from,
                        const clp_measured *to, int64_t time, double max_speed, clp_link_now *now)
{
  clp_twist twist = twist_between(from, to);
  const clp_measured *nearer = time - from->stamp < to->stamp - time ? from : to;
  move(now, from, twist, seconds(from->stamp, time));
  now->twist = bounded(state, now->X_WL.rotation, twist, max_speed);
  now->seen = now->other = bounded(state, now->X_WL.rotation, twist, now->speed);
  now->measured = true;
  now->reach =
      reach_from(state, now, nearer, clp_pose_from(nearer->position, nearer->orientation), time);
}

/* It is still where it was measured. */
static void predict(const clp_link_state *state, const clp_measured *from, int64_t time,
                    double max_speed, clp_link_now *now)
{
  clp_pose X = now->X_WL;
  clp_twist twist = state->has_rates ? state->rates : state->twist;
  now->measured = state->has_rates || state->has_twist;
  if (now->measured) {
    move(now, from, bounded(state, X.rotation, twist, max_speed), seconds(from->stamp, time));
    now->seen = bounded(state, X.rotation, twist, now->speed);
    now->other =
        state->has_twist ? bounded(state, X.rotation, state->twist, now->speed) : now->seen;
  }
  now->reach = reach_from(state, now, from, X, time);
}

/* The two poses that an instant lies between; without a second one after all of them. Before all
 * the first is the oldest one. */
typedef struct around {
  const clp_measured *from, *to;
} around;

static around find_around(const clp_link_state *state, int64_t time)
{
  around found = {pose_before(state, 0), NULL};
  for (int k = 1; k < state->count && found.from->moving && found.from->stamp > time; ++k)
    found = (around){pose_before(state, k), found.from};
  for (int k = 0; k < state->sparse_count && found.from->moving && found.from->stamp > time; ++k)
    if (sparse_before(state, k)->stamp < found.from->stamp)
      found = (around){sparse_before(state, k), found.from};
  return found;
}

clp_link_now clp_link_state_at(const clp_link_state *state, int64_t time, double max_speed,
                               double stale_after)
{
  if (state->count == 0)
    return (clp_link_now){.orientation = {0, 0, 0, 1},
                          .X_WL = clp_pose_identity(),
                          .age = HUGE_VAL,
                          .reach = HUGE_VAL};
  around found = find_around(state, time);
  const clp_measured *from = found.from;
  clp_link_now now = {.freshness = CLP_LINK_FRESH,
                      .moving = from->moving,
                      .orientation = from->orientation,
                      .X_WL = clp_pose_from(from->position, from->orientation)};
  now.measured = !from->moving;
  if (!from->moving)
    return now;
  /* What has been seen to move faster than it may is granted what it has shown. */
  now.speed = fmax(max_speed, state->speed);
  now.age = from->stamp <= time ? seconds(from->stamp, time) + from->late : HUGE_VAL;
  if (now.age > stale_after) {
    now.freshness = CLP_LINK_STALE;
    now.reach = reach_from(state, &now, from, now.X_WL, time);
  } else if (found.to) {
    interpolate(state, from, found.to, time, max_speed, &now);
  } else {
    predict(state, from, time, max_speed, &now);
  }
  return now;
}

double clp_link_state_rate(const clp_link_state *state, int64_t time)
{
  if (state->count == 0 || !(state->interval > 0))
    return 0;
  return 1 / fmax(state->interval, seconds(pose_before(state, 0)->stamp, time));
}
