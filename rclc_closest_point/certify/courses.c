/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/courses.h"

#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"

/* ---- Carried links ------------------------------------------------------------------------ */

static bool grow(clp_carried_stamps *s)
{
  size_t capacity = s->capacity ? 2 * (size_t)s->capacity : 64;
  double *times = realloc(s->times, capacity * sizeof *times);
  if (!times)
    return false;
  s->times = times;
  clp_carried_course *courses =
      realloc(s->courses, capacity * ((size_t)s->link_count + 1) * sizeof *courses);
  if (!courses)
    return false;
  s->courses = courses;
  s->capacity = (int)capacity;
  return true;
}

clp_carried_course *clp_carried_add_stamp(clp_carried_stamps *s, double time)
{
  if (s->count == s->capacity && !grow(s))
    return NULL;
  s->times[s->count] = time;
  return s->courses + (size_t)s->count++ * (size_t)s->link_count;
}

void clp_carried_stamps_release(clp_carried_stamps *s)
{
  free(s->links);
  free(s->times);
  free(s->courses);
  *s = (clp_carried_stamps){0};
}

/* The last stamp that is not later; the first one if all are. */
static int stamp_before(const clp_carried_stamps *s, double time)
{
  int low = 0, high = s->count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (s->times[middle] <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

clp_carried_course clp_carried_after(clp_carried_course course, double time)
{
  double angle = time * clp_norm(course.V_RL.angular);
  clp_mat3 turn = clp_rotation_about(clp_unit(course.V_RL.angular), angle);
  course.X_RL.rotation = clp_mat3_multiply(turn, course.X_RL.rotation);
  course.X_RL.position = clp_add_scaled(course.X_RL.position, time, course.V_RL.linear);
  return course;
}

/* A link's course from `time` on. */
static clp_carried_course carried_at(const clp_carried_stamps *s, int k, double time)
{
  int before = stamp_before(s, time);
  clp_carried_course course = s->courses[(size_t)before * (size_t)s->link_count + (size_t)k];
  double since = time - s->times[before];
  if (since < 0)
    course.V_RL = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  return since > 0 ? clp_carried_after(course, since) : course;
}

/* ---- Segments ----------------------------------------------------------------------------- */

/* Times between the two, in order; each once. */
typedef struct breaks {
  double *times;
  int count;
} breaks;

static int in_order(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void add_times(breaks *b, const double *times, int count, double from, double to)
{
  for (int k = 0; k < count; ++k)
    if (times[k] > from && times[k] < to)
      b->times[b->count++] = times[k];
}

static bool find_breaks(const clp_trajectory *trajectory, const clp_carried_stamps *s, double from,
                        double to, breaks *b)
{
  b->times = calloc((size_t)trajectory->count + (size_t)s->count + 2, sizeof *b->times);
  if (!b->times)
    return false;
  b->times[b->count++] = from;
  b->times[b->count++] = to;
  add_times(b, trajectory->times, trajectory->count, from, to);
  add_times(b, s->times, s->count, from, to);
  qsort(b->times, (size_t)b->count, sizeof *b->times, in_order);
  int kept = 1;
  for (int k = 1; k < b->count; ++k)
    if (b->times[k] > b->times[kept - 1])
      b->times[kept++] = b->times[k];
  b->count = kept;
  return true;
}

static void fill_segment(const clp_joint_tree *tree, const clp_trajectory *trajectory,
                         const clp_carried_stamps *s, const double *rest, double time,
                         clp_joint_course *joints, clp_carried_course *carried)
{
  for (int j = 0; j < tree->joint_count; ++j)
    joints[j] = (clp_joint_course){{rest[j]}};
  for (int k = 0; k < trajectory->joint_count; ++k)
    joints[trajectory->joints[k]] = clp_trajectory_course(trajectory, k, time);
  for (int k = 0; k < s->link_count; ++k)
    carried[k] = carried_at(s, k, time);
}

/* One instant is a segment without length. */
static bool fill(const clp_joint_tree *tree, const clp_trajectory *trajectory,
                 const clp_carried_stamps *s, const double *rest, const breaks *b,
                 clp_courses *courses)
{
  int count = b->count > 1 ? b->count - 1 : 1;
  size_t many = (size_t)count, joints = (size_t)tree->joint_count, links = (size_t)s->link_count;
  courses->segments = calloc(many, sizeof *courses->segments);
  courses->joints = calloc(many * joints + 1, sizeof *courses->joints);
  courses->carried = calloc(many * links + 1, sizeof *courses->carried);
  if (!courses->segments || !courses->joints || !courses->carried)
    return false;
  for (int k = 0; k < count; ++k) {
    clp_joint_course *own = courses->joints + (size_t)k * joints;
    clp_carried_course *carried = courses->carried + (size_t)k * links;
    fill_segment(tree, trajectory, s, rest, b->times[k], own, carried);
    courses->segments[k] =
        (clp_course_segment){b->times[k], b->times[k + 1 < b->count ? k + 1 : k], own, carried};
  }
  courses->count = count;
  return true;
}

bool clp_courses_make(const clp_joint_tree *tree, const clp_trajectory *trajectory,
                      const clp_carried_stamps *carried, double from, double to, const double *rest,
                      clp_courses *courses)
{
  breaks b = {0};
  bool good = find_breaks(trajectory, carried, from, to, &b) &&
              fill(tree, trajectory, carried, rest, &b, courses);
  free(b.times);
  return good;
}

void clp_courses_release(clp_courses *courses)
{
  free(courses->segments);
  free(courses->joints);
  free(courses->carried);
  *courses = (clp_courses){0};
}
