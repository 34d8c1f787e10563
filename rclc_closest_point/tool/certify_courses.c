/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/certify_courses.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"

/* POSES as it is read: the stamps' times and, for each, the carried links' poses there and twists
 * from there to the next stamp. */
typedef struct stamps {
  double *times;
  clp_carried_course *courses; /* `links` for each */
  int count, capacity, links;
} stamps;

/* ---- POSES -------------------------------------------------------------------------------- */

static bool is_moved(const clp_joint_tree *tree, int link)
{
  for (int j = tree->above[link]; j >= 0; j = tree->above[tree->joints[j].parent])
    if (clp_joint_is_single(tree->joints[j].type))
      return true;
  return false;
}

/* The links of the first stamp are carried; they are all that may be listed. */
static bool take_links(const clp_joint_tree *tree, clp_poses *poses, const clp_pose_stamp *stamp,
                       clp_courses *courses)
{
  for (int l = 0; l < tree->link_count; ++l) {
    if (!clp_poses_list(poses, l))
      continue;
    if (is_moved(tree, l)) {
      clp_poses_refuse(poses, stamp->line,
                       "link '%s', which joints move, expected one that none moves",
                       clp_show_string(tree->links[l]).text);
      return false;
    }
    courses->links[courses->link_count++] = l;
  }
  return true;
}

static bool has_no_others(const clp_joint_tree *tree, clp_poses *poses, const clp_pose_stamp *stamp,
                          const clp_courses *courses)
{
  for (int l = 0, k = 0; l < tree->link_count; ++l) {
    bool carried = k < courses->link_count && courses->links[k] == l;
    k += carried;
    if (!carried && clp_poses_list(poses, l)) {
      clp_poses_refuse(
          poses, stamp->line,
          "link '%s' for the first time at t = %s, expected it at the first stamp, too",
          clp_show_string(tree->links[l]).text, clp_number_shortest(stamp->time).text);
      return false;
    }
  }
  return true;
}

static bool grow(stamps *s)
{
  size_t capacity = s->capacity ? 2 * (size_t)s->capacity : 64;
  double *times = realloc(s->times, capacity * sizeof *times);
  if (!times)
    return false;
  s->times = times;
  clp_carried_course *courses =
      realloc(s->courses, capacity * ((size_t)s->links + 1) * sizeof *courses);
  if (!courses)
    return false;
  s->courses = courses;
  s->capacity = (int)capacity;
  return true;
}

/* The twists are those that lead to the stamp: they are the courses' from the one before on. */
static bool add_stamp(stamps *s, const clp_poses *poses, const clp_pose_stamp *stamp,
                      const clp_courses *courses)
{
  if (s->count == s->capacity && !grow(s))
    return false;
  s->times[s->count] = stamp->time;
  clp_carried_course *row = s->courses + (size_t)s->count * (size_t)s->links;
  for (int k = 0; k < s->links; ++k) {
    const clp_link_motion *motion = clp_poses_motion(poses, courses->links[k]);
    row[k] = (clp_carried_course){motion->X_WL, {{0, 0, 0}, {0, 0, 0}}};
    if (s->count > 0)
      row[k - s->links].V_RL = motion->V_WL;
  }
  ++s->count;
  return true;
}

static clp_exit_status read_stamps(const clp_joint_tree *tree, clp_poses *poses, stamps *s,
                                   clp_courses *courses)
{
  clp_pose_stamp stamp;
  while (clp_poses_next(poses, &stamp)) {
    bool first = s->count == 0;
    if (first ? !take_links(tree, poses, &stamp, courses)
              : !has_no_others(tree, poses, &stamp, courses))
      return clp_poses_status(poses);
    s->links = courses->link_count;
    if (!first && !stamp.has_twists) {
      clp_poses_refuse(poses, stamp.line,
                       "a stamp so soon after the one before that no motion leads there");
      return clp_poses_status(poses);
    }
    if (!add_stamp(s, poses, &stamp, courses))
      return clp_exit_status_of(CLP_ERROR_MEMORY);
  }
  return clp_poses_status(poses);
}

/* The last stamp that is not later; the first one if all are. */
static int stamp_before(const stamps *s, double time)
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

/* A link's course from `time` on. */
static clp_carried_course carried_at(const stamps *s, int k, double time)
{
  int before = stamp_before(s, time);
  clp_carried_course course = s->courses[(size_t)before * (size_t)s->links + (size_t)k];
  double since = time - s->times[before], angle = since * clp_norm(course.V_RL.angular);
  if (since < 0)
    course.V_RL = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  if (since <= 0)
    return course;
  clp_mat3 turn = clp_rotation_about(clp_unit(course.V_RL.angular), angle);
  course.X_RL.rotation = clp_mat3_multiply(turn, course.X_RL.rotation);
  course.X_RL.position = clp_add_scaled(course.X_RL.position, since, course.V_RL.linear);
  return course;
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

static bool find_breaks(const clp_trajectory *trajectory, const stamps *s, double from, double to,
                        breaks *b)
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
                         const stamps *s, const double *rest, double time, clp_joint_course *joints,
                         clp_carried_course *carried)
{
  for (int j = 0; j < tree->joint_count; ++j)
    joints[j] = (clp_joint_course){{rest[j]}};
  for (int k = 0; k < trajectory->joint_count; ++k)
    joints[trajectory->joints[k]] = clp_trajectory_course(trajectory, k, time);
  for (int k = 0; k < s->links; ++k)
    carried[k] = carried_at(s, k, time);
}

/* One instant is a segment without length. */
static bool fill(const clp_joint_tree *tree, const clp_trajectory *trajectory, const stamps *s,
                 const double *rest, const breaks *b, clp_courses *courses)
{
  int count = b->count > 1 ? b->count - 1 : 1;
  size_t many = (size_t)count, joints = (size_t)tree->joint_count, links = (size_t)s->links;
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

clp_exit_status clp_courses_make(const clp_joint_tree *tree, const clp_trajectory *trajectory,
                                 clp_poses *poses, double from, double to, const double *rest,
                                 clp_courses *courses)
{
  stamps s = {0};
  breaks b = {0};
  clp_exit_status status = EXIT_DONE;
  courses->links = calloc((size_t)tree->link_count + 1, sizeof *courses->links);
  bool good = courses->links != NULL;
  if (good && poses)
    status = read_stamps(tree, poses, &s, courses);
  if (status == EXIT_DONE)
    good = good && find_breaks(trajectory, &s, from, to, &b) &&
           fill(tree, trajectory, &s, rest, &b, courses);
  free(s.times);
  free(s.courses);
  free(b.times);
  return good ? status : clp_exit_status_of(CLP_ERROR_MEMORY);
}

void clp_courses_release(clp_courses *courses)
{
  free(courses->segments);
  free(courses->joints);
  free(courses->carried);
  free(courses->links);
  *courses = (clp_courses){0};
}
