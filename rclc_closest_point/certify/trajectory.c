/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/certify/course.h"
#include "rclc_closest_point/model/joint_tree.h"

/* Positions, speeds and times beyond these are mistakes, and their powers still numbers. */
static const double max_number = 1e12;

/* ---- What is read ------------------------------------------------------------------------- */

bool clp_trajectory_accepts(clp_trajectory_reading *r, double value, const char *text,
                            const char *what, int line)
{
  if (fabs(value) <= max_number)
    return true;
  clp_shown shown = clp_show_string(text);
  if (isfinite(value))
    clp_log_defect(&r->log, line, "'%s' as %s, expected at most %s in size", shown.text, what,
                   clp_number(max_number, 3).text);
  else
    clp_log_defect(&r->log, line, "'%s' as %s, expected a finite number", shown.text, what);
  return false;
}

bool clp_trajectory_expect_values(clp_trajectory_reading *r, int count, const char *what, int line)
{
  int joints = r->trajectory->joint_count;
  if (count != joints)
    clp_log_defect(&r->log, line, "%d %s, expected %d, as there are joint_names", count, what,
                   joints);
  return count == joints;
}

void clp_trajectory_set_position(clp_trajectory_value *value, double x)
{
  value->position = x;
}

void clp_trajectory_set_velocity(clp_trajectory_value *value, double x)
{
  value->velocity = x;
  value->has_velocity = true;
}

void clp_trajectory_set_acceleration(clp_trajectory_value *value, double x)
{
  value->acceleration = x;
  value->has_acceleration = true;
}

/* Why no trajectory moves this joint; NULL: one may. */
static const char *refusal_of(const clp_joint *joint)
{
  if (joint->type == CLP_JOINT_FIXED)
    return "is fixed";
  if (!clp_joint_is_single(joint->type))
    return "is not moved by one number";
  return joint->follows >= 0 ? "mimics another joint" : NULL;
}

bool clp_trajectory_add_joint(clp_trajectory_reading *r, const char *name, int line)
{
  clp_trajectory *t = r->trajectory;
  int index = clp_joint_tree_find_joint(r->tree, name);
  clp_shown shown = clp_show_string(name);
  if (index < 0) {
    clp_log_defect(&r->log, line, "joint '%s', which the model does not have", shown.text);
    return false;
  }
  clp_joint joint = clp_joint_tree_joint(r->tree, index);
  const char *refusal = refusal_of(&joint);
  if (refusal) {
    clp_log_defect(&r->log, line, "joint '%s', which %s, expected one that moves by itself",
                   shown.text, refusal);
    return false;
  }
  for (int k = 0; k < t->joint_count; ++k)
    if (t->joints[k] == index) {
      clp_log_defect(&r->log, line, "joint '%s' again, expected it once", shown.text);
      return false;
    }
  t->joints[t->joint_count++] = index;
  return true;
}

static bool grow(clp_trajectory *t)
{
  size_t capacity = t->capacity ? 2 * (size_t)t->capacity : 64;
  double *times = realloc(t->times, capacity * sizeof *times);
  if (!times)
    return false;
  t->times = times;
  int *lines = realloc(t->lines, capacity * sizeof *lines);
  if (!lines)
    return false;
  t->lines = lines;
  clp_trajectory_value *values =
      realloc(t->values, capacity * ((size_t)t->joint_count + 1) * sizeof *values);
  if (!values)
    return false;
  t->values = values;
  t->capacity = (int)capacity;
  return true;
}

clp_trajectory_value *clp_trajectory_add_point(clp_trajectory_reading *r, double time, int line)
{
  clp_trajectory *t = r->trajectory;
  if (t->count > 0 && !(time > t->times[t->count - 1])) {
    clp_log_defect(&r->log, line, "t = %s after t = %s, expected time to increase",
                   clp_number_shortest(time).text,
                   clp_number_shortest(t->times[t->count - 1]).text);
    return NULL;
  }
  if (t->count == t->capacity && !grow(t)) {
    r->out_of_memory = true;
    return NULL;
  }
  t->times[t->count] = time;
  t->lines[t->count] = line;
  clp_trajectory_value *values = t->values + (size_t)t->count++ * (size_t)t->joint_count;
  memset(values, 0, (size_t)t->joint_count * sizeof *values);
  return values;
}

/* ---- Interpolation ------------------------------------------------------------------------ */

/* The polynomial of the degree that what both points have determines: with D = q1 - q0 and the
 * duration T, positions, velocities and accelerations at both ends are met. */
static clp_joint_course course_between(const clp_trajectory_value *a, const clp_trajectory_value *b,
                                       double T)
{
  double D = b->position - a->position;
  if (!a->has_velocity || !b->has_velocity)
    return (clp_joint_course){{a->position, D / T}};
  double va = a->velocity * T, vb = b->velocity * T;
  if (!a->has_acceleration || !b->has_acceleration)
    return (clp_joint_course){{a->position, a->velocity, (3 * D - 2 * va - vb) / (T * T),
                               (va + vb - 2 * D) / (T * T * T)}};
  double aa = a->acceleration * T * T, ab = b->acceleration * T * T, T3 = T * T * T;
  return (clp_joint_course){{a->position, a->velocity, 0.5 * a->acceleration,
                             (20 * D - 12 * va - 8 * vb - 3 * aa + ab) / (2 * T3),
                             (-30 * D + 16 * va + 14 * vb + 3 * aa - 2 * ab) / (2 * T3 * T),
                             (12 * D - 6 * va - 6 * vb - aa + ab) / (2 * T3 * T * T)}};
}

/* ---- What is worth a note ----------------------------------------------------------------- */

/* Between points less than this is rounding (rad, m). */
#define NOTED 1e-9

/* The position that is farthest outside of the joint's limits at a point, and on the way to it from
 * the one before as far as a few instants tell; within them where none is. */
static double farthest_outside(const clp_trajectory *t, int k, int i, const clp_joint *joint)
{
  enum { INSTANTS = 32 };
  const clp_trajectory_value *to = &t->values[i * t->joint_count + k];
  double farthest = to->position, most = fmax(joint->lower - farthest, farthest - joint->upper);
  if (i == 0)
    return farthest;
  double T = t->times[i] - t->times[i - 1];
  clp_joint_course course = course_between(to - t->joint_count, to, T);
  for (int n = 1; n < INSTANTS; ++n) {
    double q = clp_course_at(&course, T * n / INSTANTS);
    double outside = fmax(joint->lower - q, q - joint->upper);
    if (outside > fmax(most, NOTED)) {
      most = outside;
      farthest = q;
    }
  }
  return farthest;
}

/* The file says where the joint goes; that its motor will not is another matter. */
static void note_limits(clp_trajectory_reading *r, int k)
{
  const clp_trajectory *t = r->trajectory;
  clp_joint joint = clp_joint_tree_joint(r->tree, t->joints[k]);
  for (int i = 0; i < t->count; ++i) {
    double q = farthest_outside(t, k, i, &joint);
    if (q >= joint.lower && q <= joint.upper)
      continue;
    bool there = t->values[i * t->joint_count + k].position == q;
    clp_log_note(&r->log, t->lines[i],
                 "joint '%s' goes to %s%s, outside of its limits %s to %s: certified as it is "
                 "written",
                 clp_show_string(joint.name).text,
                 there ? clp_number_shortest(q).text : clp_number(q, 4).text,
                 there ? "" : " on the way to this point", clp_number_shortest(joint.lower).text,
                 clp_number_shortest(joint.upper).text);
    return;
  }
}

/* A continuous joint is turned as far as the file says: positions a turn apart are one pose, but
 * not one motion. */
static void note_turns(clp_trajectory_reading *r, int k)
{
  const clp_trajectory *t = r->trajectory;
  clp_joint joint = clp_joint_tree_joint(r->tree, t->joints[k]);
  for (int i = 1; joint.type == CLP_JOINT_CONTINUOUS && i < t->count; ++i) {
    double turn = t->values[i * t->joint_count + k].position -
                  t->values[(i - 1) * t->joint_count + k].position;
    if (fabs(turn) <= acos(-1.0))
      continue;
    clp_log_note(&r->log, t->lines[i],
                 "joint '%s' turns by %s rad from the point before, as it is written: not the "
                 "shorter way round",
                 clp_show_string(joint.name).text, clp_number(turn, 4).text);
    return;
  }
}

/* ---- What is no motion ----------------------------------------------------------------------- */

/* Points so close in time that what leads from one to the other is no number. */
static void check_motion(clp_trajectory_reading *r, int i)
{
  const clp_trajectory *t = r->trajectory;
  const clp_trajectory_value *from = &t->values[(i - 1) * t->joint_count];
  for (int k = 0; k < t->joint_count; ++k) {
    double T = t->times[i] - t->times[i - 1];
    clp_joint_course course = course_between(&from[k], &from[k + t->joint_count], T);
    double nothing = 0;
    for (int power = 0; power < 6; ++power)
      nothing += 0 * course.c[power];
    if (nothing == 0)
      continue;
    clp_joint joint = clp_joint_tree_joint(r->tree, t->joints[k]);
    clp_log_defect(&r->log, t->lines[i],
                   "t = %s so soon after t = %s that no motion of joint '%s' leads there",
                   clp_number_shortest(t->times[i]).text, clp_number_shortest(t->times[i - 1]).text,
                   clp_show_string(joint.name).text);
    return;
  }
}

/* ---- All of it ---------------------------------------------------------------------------- */

bool clp_trajectory_begin(clp_trajectory_reading *r)
{
  size_t joints = (size_t)clp_joint_tree_joint_count(r->tree);
  r->trajectory->joints = calloc(joints + 1, sizeof *r->trajectory->joints);
  r->out_of_memory |= !r->trajectory->joints;
  return !r->out_of_memory;
}

void clp_trajectory_end_point(clp_trajectory_reading *r, clp_trajectory_lists there, int line)
{
  if (!there.positions && r->trajectory->joint_count > 0)
    clp_log_defect(&r->log, line, "a point without positions, expected one for each joint");
  else if (there.accelerations && !there.velocities)
    clp_log_defect(&r->log, line,
                   "accelerations without velocities, with which the joint_trajectory_controller "
                   "does not interpolate");
}

clp_status clp_trajectory_finish(clp_trajectory_reading *r)
{
  if (r->log.defects == 0 && !r->out_of_memory && r->trajectory->count == 0)
    clp_log_defect(&r->log, 1, "a trajectory without points, expected at least one");
  for (int i = 1; r->log.defects == 0 && i < r->trajectory->count; ++i)
    check_motion(r, i);
  for (int k = 0; r->log.defects == 0 && k < r->trajectory->joint_count; ++k) {
    note_limits(r, k);
    note_turns(r, k);
  }
  return r->out_of_memory ? CLP_ERROR_MEMORY : r->log.defects > 0 ? CLP_ERROR_FORMAT : CLP_OK;
}

void clp_trajectory_release(clp_trajectory *t)
{
  free(t->joints);
  free(t->times);
  free(t->lines);
  free(t->values);
  *t = (clp_trajectory){0};
}

/* The last point that is not later, by halving. */
static int point_before(const clp_trajectory *t, double time)
{
  int low = 0, high = t->count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (t->times[middle] <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* The same polynomial in powers of the time after `s`. */
static void shift(clp_joint_course *course, double s)
{
  for (int first = 0; first < 5; ++first)
    for (int k = 4; k >= first; --k)
      course->c[k] += s * course->c[k + 1];
}

clp_joint_course clp_trajectory_course(const clp_trajectory *t, int k, double time)
{
  int before = point_before(t, time);
  const clp_trajectory_value *value = &t->values[before * t->joint_count + k];
  if (before == t->count - 1)
    return (clp_joint_course){{value->position}};
  double from = t->times[before];
  clp_joint_course course =
      course_between(value, value + t->joint_count, t->times[before + 1] - from);
  if (time > from)
    shift(&course, time - from);
  return course;
}
