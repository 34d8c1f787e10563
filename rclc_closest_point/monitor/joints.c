/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/model/model.h"

/* Radians or meters that a position may be beyond its joint's limits: at a hard stop it is by what
 * the stop gives, and by what the zero is off. */
#define LIMIT_SLACK 0.02

/* Seconds over which told speeds are compared with positions, and how far they may lead astray: so
 * much (radians or meters), which is noise, and such a part of the way, which is what a filtered
 * speed lags behind. A driver that says zero for all speeds is found out after a fiftieth of a
 * radian. */
#define SPEED_MEMORY 0.25
#define SPEED_NOISE 0.005
#define SPEED_SHARE 0.25

/* Nanoseconds after which a joint that has jumped away may be back; how fast one may be for which
 * the model has no limit (rad/s or m/s), how much faster than its limit one may be, and what is
 * noise. What cannot turn for ever is no faster than SPEED_MOST, whatever its limit: many models
 * have 100 or 1000 there, which is no limit. */
#define SWING INT64_C(500000000)
#define SPEED_MOST 20.0
#define SPEED_EXCESS 2.0
#define JUMP_NOISE 0.02

/* How often in a second a joint can be brought from standstill to the speed that it must not exceed
 * (that of SPEED_EXCESS), at most: of industrial arms it takes 50 ms and more to their top speed.
 * And what is noise where it turns round; positions of encoders are better than this. */
#define STARTS_MOST 20.0
#define TURN_NOISE 0.005

#define TURN 6.283185307179586

/* ---- From start to end -------------------------------------------------------------------- */

static char *join_texts(const char *a, const char *b)
{
  size_t size = strlen(a) + strlen(b) + 1;
  char *text = malloc(size);
  if (text)
    snprintf(text, size, "%s%s", a, b);
  return text;
}

static const clp_joint_known nothing = {.stamp = CLP_NEVER, .left_stamp = CLP_NEVER};

clp_status clp_joints_create(clp_joints *joints, const char *text, size_t length, const char *name,
                             const char *prefix, clp_model_sink sink)
{
  clp_status status = clp_joint_forest_parse(text, length, name, sink, &joints->tree);
  if (status != CLP_OK)
    return status;
  size_t count = (size_t)joints->tree->joint_count, links = (size_t)joints->tree->link_count;
  joints->known = calloc(count + 1, sizeof *joints->known);
  joints->told = calloc(count + 1, sizeof *joints->told);
  joints->frames = calloc(links + 1, sizeof *joints->frames);
  if (!joints->known || !joints->told || !joints->frames)
    return CLP_ERROR_MEMORY;
  for (size_t l = 0; l < links; ++l) {
    joints->frames[l] = join_texts(prefix, joints->tree->links[l]);
    if (!joints->frames[l])
      return CLP_ERROR_MEMORY;
  }
  clp_joints_forget(joints);
  return CLP_OK;
}

clp_status clp_joints_load(clp_joints *joints, const char *path, const char *prefix,
                           clp_model_sink sink)
{
  clp_log log = {.file = path, .sink = sink};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_finish_file(&log, clp_read_file(&log, &text, &length));
  if (status == CLP_OK)
    status = clp_joints_create(joints, text, length, path, prefix, sink);
  free(text);
  return status;
}

void clp_joints_release(clp_joints *joints)
{
  for (int l = 0; joints->frames && l < joints->tree->link_count; ++l)
    free(joints->frames[l]);
  free(joints->frames);
  free(joints->known);
  free(joints->told);
  clp_joint_tree_destroy(joints->tree);
  *joints = (clp_joints){0};
}

void clp_joints_forget(clp_joints *joints)
{
  for (int j = 0; joints->tree && j < joints->tree->joint_count; ++j)
    joints->known[j] = nothing;
}

static clp_tf_transform transform_of(clp_pose X)
{
  clp_quaternion q = clp_quaternion_of(X.rotation);
  return (clp_tf_transform){X.position, q.x, q.y, q.z, q.w};
}

clp_status clp_joints_hang(const clp_joints *joints, clp_input *input)
{
  clp_status status = CLP_OK;
  for (int j = 0; joints->tree && j < joints->tree->joint_count && status == CLP_OK; ++j) {
    const clp_joint *joint = &joints->tree->joints[j];
    clp_tf_transform X_PC = transform_of(joint->X_PJ);
    bool fixed = joint->type == CLP_JOINT_FIXED;
    if (fixed || clp_joint_is_single(joint->type))
      status = clp_input_join(input, joints->frames[joint->parent], joints->frames[joint->child],
                              joint->name, fixed ? &X_PC : NULL);
  }
  return status;
}

/* ---- Positions ---------------------------------------------------------------------------- */

/* From one position to another, by the shortest way where a joint turns without limits. */
static double way_between(const clp_joint *joint, double from, double to)
{
  double way = to - from;
  return joint->type == CLP_JOINT_CONTINUOUS ? remainder(way, TURN) : way;
}

/* Angles that are whole turns apart are the same place, and some drivers tell of all within one
 * turn, wherever that begins. What is beyond a turn on either side of zero has not been brought
 * there, but is counted in another unit: degrees would nearly all be some place within the limits.
 */
static bool is_within_limits(const clp_joint *joint, double position)
{
  double lower = joint->lower - LIMIT_SLACK, upper = joint->upper + LIMIT_SLACK;
  bool turns_on = joint->type != CLP_JOINT_PRISMATIC && fabs(position) <= TURN + LIMIT_SLACK;
  double turns = turns_on ? TURN : 0;
  if (position < lower && turns > 0)
    position += turns * ceil((lower - position) / turns);
  if (position > upper && turns > 0)
    position -= turns * ceil((position - upper) / turns);
  return position >= lower && position <= upper;
}

static clp_feed_verdict judge_position(const clp_joint *joint, double position)
{
  if (!(fabs(position) <= CLP_LARGEST_COORDINATE))
    return CLP_FEED_NUMBER;
  return is_within_limits(joint, position) ? CLP_FEED_TAKEN : CLP_FEED_POSITION;
}

/* ---- Speeds ------------------------------------------------------------------------------- */

/* Where the told speeds have led since. */
static double way_told(const clp_joint_known *before, const clp_joint_known *next)
{
  double dt = 1e-9 * (double)(next->stamp - before->stamp);
  return 0.5 * dt * (before->told_speed + next->told_speed);
}

/* From one position to the next. Of the ways that lead there, which differ by whole turns where a
 * joint turns without limits, it is the one that the told speeds lead: what turns fast goes round
 * farther than half a turn between two messages. */
static double way_gone(const clp_joint *joint, const clp_joint_known *before,
                       const clp_joint_known *next)
{
  if (!before->has_told_speed || !next->has_told_speed)
    return way_between(joint, before->position, next->position);
  double led = way_told(before, next);
  return led + way_between(joint, before->position + led, next->position);
}

/* What a joint goes on as after a position that fits in. */
static clp_joint_known follow(const clp_joint *joint, const clp_joint_known *before,
                              const clp_joint_message *message, const clp_joint_told *told,
                              int64_t longest)
{
  clp_joint_known next = nothing;
  next.stamp = message->stamp;
  next.position = told->position;
  next.has_told_speed = fabs(told->speed) <= CLP_LARGEST_COORDINATE;
  next.told_speed = next.has_told_speed ? told->speed : 0;
  next.speed = next.told_speed;
  next.has_speed = next.has_told_speed;
  next.contradicted = !next.has_told_speed && !isnan(told->speed);
  int64_t since = before->stamp == CLP_NEVER ? 0 : message->stamp - before->stamp;
  if (since <= 0 || since > longest)
    return next;
  double dt = 1e-9 * (double)since, way = way_gone(joint, before, &next);
  double fade = exp(-dt / SPEED_MEMORY);
  double weight =
      before->has_speed && !before->has_told_speed ? 1 - exp(-dt / CLP_TWIST_SMOOTHING) : 1;
  double measured = before->speed + weight * (way / dt - before->speed);
  if (next.has_told_speed && before->has_told_speed) {
    double led = way_told(before, &next);
    next.astray = fade * before->astray + way - led;
    next.gone = fade * before->gone + fabs(way) + fabs(led);
  }
  next.contradicted |=
      next.has_told_speed && fabs(next.astray) > SPEED_NOISE + SPEED_SHARE * next.gone;
  if (next.contradicted || !next.has_told_speed)
    next.speed = next.contradicted ? way / dt : measured;
  next.has_speed = true;
  next.left_stamp = before->left_stamp;
  next.left = before->left;
  next.left_way = before->left_way;
  return next;
}

static double fastest(const clp_joint *joint)
{
  bool limited = isfinite(joint->max_speed) && joint->max_speed > 0;
  double speed = limited ? SPEED_EXCESS * joint->max_speed : SPEED_MOST;
  return joint->type == CLP_JOINT_CONTINUOUS ? speed : fmin(speed, SPEED_MOST);
}

/* To and fro in two steps, on the way from one to the other of which it cannot have been brought to
 * a stop: accelerated by a, who turns round in the middle of two steps of t has gone a t^2 / 2 in
 * each, and in one of the two no more than that if he turns round anywhere else. */
static bool turns_too_soon(const clp_joint_known *before, const clp_joint_known *next, double speed)
{
  double step = fmax(before->step, next->step);
  return before->way * next->way < 0 && fmin(fabs(before->way), fabs(next->way)) >
                                            TURN_NOISE + 0.5 * STARTS_MOST * speed * step * step;
}

/* Away and back, both faster than the joint can be, and than it is told to be, or to and fro sooner
 * than it can: two or more tell of it behind one publisher, as through a bridge. Back is where it
 * was, or on the way there. A joint that turns moves its frame's origin nowhere, so the frame's own
 * swings do not show it. */
static bool swings(const clp_joint *joint, const clp_joint_known *before, clp_joint_known *next)
{
  double speed = fastest(joint);
  if (before->stamp == CLP_NEVER || next->stamp <= before->stamp)
    return false;
  double way = way_between(joint, before->position, next->position), jump = fabs(way);
  if (before->has_told_speed && next->has_told_speed)
    jump = fmin(jump, fabs(way_gone(joint, before, next) - way_told(before, next)));
  next->step = 1e-9 * (double)(next->stamp - before->stamp);
  next->way = copysign(jump, way);
  if (turns_too_soon(before, next, speed))
    return true;
  if (jump <= JUMP_NOISE + speed * next->step)
    return false;
  int64_t away = before->left_stamp == CLP_NEVER ? INT64_MAX : next->stamp - before->left_stamp;
  bool there = fabs(way_between(joint, before->left, next->position)) <=
               JUMP_NOISE + speed * 1e-9 * (double)away;
  bool back = away <= SWING && (there || way * before->left_way < 0);
  next->left_stamp = before->stamp;
  next->left = before->position;
  next->left_way = way;
  return back;
}

/* ---- Taking ------------------------------------------------------------------------------- */

/* The joint's own axis is the same in both of its frames, so its rate needs no pose. */
static clp_twist rate_of(const clp_joint *joint, double speed)
{
  clp_vec3 axis = clp_scale(speed, clp_rotate(joint->X_PJ.rotation, joint->axis));
  clp_vec3 none = {0, 0, 0};
  return joint->type == CLP_JOINT_PRISMATIC ? (clp_twist){axis, none} : (clp_twist){none, axis};
}

/* As a transform of the joint's child. */
static clp_feed_verdict feed_frame(const clp_joints *joints, clp_input *input, int j,
                                   const clp_joint_known *state, int64_t now)
{
  const clp_joint *joint = &joints->tree->joints[j];
  clp_pose motion = clp_joint_motion_at(joint, state->position);
  clp_tf_transform X = transform_of(clp_pose_multiply(joint->X_PJ, motion));
  clp_twist rate = rate_of(joint, state->speed);
  clp_arrival arrival = {.parent = joints->frames[joint->parent],
                         .child = joints->frames[joint->child],
                         .stamp = state->stamp,
                         .translation = X.translation,
                         .rotation = {X.qx, X.qy, X.qz, X.qw}};
  return clp_input_feed_joint(input, &arrival, state->has_speed ? &rate : NULL, now);
}

static bool is_taken(clp_feed_verdict verdict)
{
  return verdict == CLP_FEED_TAKEN || verdict == CLP_FEED_BACK;
}

/* Where a joint is by the one that it follows. */
static clp_joint_known led_by(const clp_joint *joint, const clp_joint_known *leader,
                              const clp_joint_known *before)
{
  clp_joint_known next = nothing;
  next.implied = true;
  next.stamp = leader->stamp;
  next.position = joint->factor * leader->position + joint->offset;
  next.speed = joint->factor * leader->speed;
  next.has_speed = leader->has_speed;
  next.left_stamp = before->left_stamp;
  next.left = before->left;
  next.left_way = before->left_way;
  return next;
}

/* Joints that follow this one, as far as the message does not say itself where they are. Where that
 * is in turns another place than other messages say, it is as if two told of it. */
static void feed_followers(clp_joints *joints, clp_input *input, int leader,
                           const clp_joint_known *state, int64_t now)
{
  for (int j = 0; j < joints->tree->joint_count; ++j) {
    const clp_joint *joint = &joints->tree->joints[j];
    clp_joint_known *known = &joints->known[j];
    if (joint->follows != leader || joints->told[j])
      continue;
    clp_joint_known next = led_by(joint, state, known);
    clp_feed_verdict verdict = feed_frame(joints, input, j, &next, now);
    if (!is_taken(verdict))
      continue;
    if (verdict == CLP_FEED_TAKEN && !known->implied && swings(joint, known, &next))
      clp_input_doubt_joint(input, joints->frames[joint->child], now);
    *known = next;
  }
}

static clp_feed_verdict take(clp_joints *joints, clp_input *input, int j,
                             const clp_joint_message *message, const clp_joint_told *told,
                             int64_t now)
{
  const clp_joint *joint = &joints->tree->joints[j];
  clp_joint_known *known = &joints->known[j];
  clp_joint_known next = follow(joint, known, message, told, input->limits.stale_after);
  clp_feed_verdict verdict = feed_frame(joints, input, j, &next, now);
  bool anew = verdict == CLP_FEED_BACK;
  if (!is_taken(verdict) && verdict != CLP_FEED_UNRELATED)
    return verdict; /* what is unrelated is not judged, but those that follow it are */
  if (!anew && swings(joint, known, &next))
    clp_input_doubt_joint(input, joints->frames[joint->child], now);
  if (next.contradicted)
    ++input->counts[CLP_FEED_SPEED];
  *known = next;
  feed_followers(joints, input, j, &next, now);
  return verdict;
}

/* The joint of the name, which a message can be about; -1: there is none. */
static int find(const clp_joints *joints, const char *name)
{
  int j = clp_joint_tree_find_joint(joints->tree, name);
  return j >= 0 && clp_joint_is_single(joints->tree->joints[j].type) ? j : -1;
}

static bool take_one(clp_joints *joints, clp_input *input, const clp_joint_message *message,
                     const clp_joint_told *told, int64_t now)
{
  int j = find(joints, told->name);
  if (j < 0) {
    ++input->counts[CLP_FEED_STRANGER];
    return false;
  }
  clp_feed_verdict verdict = judge_position(&joints->tree->joints[j], told->position);
  if (verdict != CLP_FEED_TAKEN)
    ++input->counts[verdict];
  else
    verdict = take(joints, input, j, message, told, now);
  joints->known[j].refused = verdict >= CLP_FEED_NUMBER ? verdict : CLP_FEED_TAKEN;
  return is_taken(verdict);
}

bool clp_joints_feed(clp_joints *joints, clp_input *input, const clp_joint_message *message,
                     int64_t now)
{
  bool any = false;
  if (!joints->tree)
    return false;
  memset(joints->told, 0, (size_t)joints->tree->joint_count * sizeof *joints->told);
  for (size_t k = 0; k < message->count; ++k) {
    int j = find(joints, message->joints[k].name);
    if (j >= 0)
      joints->told[j] = true;
  }
  for (size_t k = 0; k < message->count; ++k)
    any |= take_one(joints, input, message, &message->joints[k], now);
  return any;
}

/* ---- What is missing ---------------------------------------------------------------------- */

/* The oldest of a link's joints, those that are missing first. */
clp_joint_fault clp_joints_fault(const clp_joints *joints, const char *link, int64_t time,
                                 double stale_after)
{
  clp_joint_fault fault = {-1, INT64_MAX};
  int at = joints->tree ? clp_joint_tree_find_link(joints->tree, link) : -1;
  for (int j; at >= 0 && (j = joints->tree->above[at]) >= 0; at = joints->tree->joints[j].parent) {
    const clp_joint *joint = &joints->tree->joints[j];
    const clp_joint_known *known = &joints->known[j];
    bool led = joint->follows >= 0 && (known->stamp == CLP_NEVER || known->implied);
    int told = led ? joint->follows : j;
    int64_t stamp = joints->known[told].stamp;
    bool old = stamp == CLP_NEVER || 1e-9 * (double)(time - stamp) > stale_after;
    if (clp_joint_is_single(joint->type) && old && stamp < fault.stamp)
      fault = (clp_joint_fault){told, stamp};
  }
  return fault;
}

void clp_joints_say_fault(const clp_joints *joints, clp_joint_fault fault, int64_t time, char *text,
                          size_t room)
{
  *text = '\0';
  if (fault.joint < 0)
    return;
  const char *name = joints->tree->joints[fault.joint].name;
  clp_feed_verdict refused = joints->known[fault.joint].refused;
  int used = fault.stamp == CLP_NEVER
                 ? snprintf(text, room, "joint %.60s is not in the joint states", name)
                 : snprintf(text, room, "joint %.60s was last in the joint states %s s ago", name,
                            clp_number(1e-9 * (double)(time - fault.stamp), 3).text);
  if (refused != CLP_FEED_TAKEN && used > 0 && (size_t)used < room)
    snprintf(text + used, room - (size_t)used, ", refused: %s", clp_feed_verdict_text(refused));
}
