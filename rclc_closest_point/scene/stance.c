/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/stance.h"

#include <string.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/base/wide_registers.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene/motion_run.h"

/* ---- What may be set ---------------------------------------------------------------------- */

static bool is_coordinate(double x)
{
  return fabs(x) <= CLP_FARTHEST_LINK;
}

static bool is_vector(clp_vec3 a)
{
  return is_coordinate(a.x) && is_coordinate(a.y) && is_coordinate(a.z);
}

/* By the widest registers there are, with the same results. */
#ifdef CLP_WIDE_REGISTERS
#define BY_REGISTERS(name, ...) \
  (clp_has_wide_registers() ? name##_wide(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define BY_REGISTERS(name, ...) name##_plain(__VA_ARGS__)
#endif

/* Two twists are twelve numbers. Where it is not sure of all of them, each is looked at. */
bool clp_are_twists(const clp_twist *twists, int count)
{
  const int pairs = count / 2;
  int k = BY_REGISTERS(clp_are_coordinates, &twists->linear.x, pairs) ? 2 * pairs : 0;
  for (; k < count; ++k)
    if (!is_vector(twists[k].linear) || !is_vector(twists[k].angular))
      return false;
  return true;
}

bool clp_is_pose(const clp_pose *pose, double skew)
{
  const clp_mat3 *r = &pose->rotation;
  return skew <= CLP_TOLERANCE_RIGID && clp_dot(clp_cross(r->x, r->y), r->z) > 0 &&
         is_vector(pose->position);
}

/* ---- One link ----------------------------------------------------------------------------- */

typedef struct stance {
  clp_pose X_WL;
  clp_vec3 center_W;
  double skew, way;
} stance;

static void put_vector(clp_four_row *rows, int lane, clp_vec3 a)
{
  rows[0].of[lane] = a.x;
  rows[1].of[lane] = a.y;
  rows[2].of[lane] = a.z;
}

static void put(clp_stances *stances, int lane, const stance *s)
{
  put_vector(stances->rows, lane, s->X_WL.rotation.x);
  put_vector(stances->rows + 3, lane, s->X_WL.rotation.y);
  put_vector(stances->rows + 6, lane, s->X_WL.rotation.z);
  put_vector(stances->rows + CLP_STANCE_POSITION, lane, s->X_WL.position);
  put_vector(stances->rows + CLP_STANCE_CENTER, lane, s->center_W);
  stances->rows[CLP_STANCE_SKEW].of[lane] = s->skew;
}

/* The norm of the difference of two rotations is 2 sin(angle / 2), its Frobenius norm that times
 * the root of two. With Q S for each matrix, Q a rotation and |S - 1| not above the skew, either
 * norm is off by no more than both skews. */
static double chord_of(const clp_mat3 *from, const clp_mat3 *to, double skews)
{
  double square = clp_norm2(clp_sub(to->x, from->x)) + clp_norm2(clp_sub(to->y, from->y)) +
                  clp_norm2(clp_sub(to->z, from->z));
  return square == 0 ? 0 : sqrt(0.5 * square) + 2 * skews;
}

/* Not shorter than the length, for less. */
static double taxi_length(clp_vec3 a)
{
  return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

/* No point of the link has moved farther: its ball's center has, and the others by the chord's
 * length for each unit of their distance from it. */
static double way_of(double taxi, double radius, clp_vec3 from, clp_vec3 to, double chord)
{
  double way = clp_distance(from, to) + chord * radius;
  double lengths = taxi_length(from) + taxi_length(to) + taxi + radius;
  return way > 0 ? way + CLP_ROUNDING_SUMS * lengths : 0;
}

static stance find_stance(const clp_link_four *four, int lane, const clp_pose *X_WL)
{
  const clp_stances *now = &four->stances[four->now];
  const clp_vec3 center = clp_lane_vector(four->center, lane);
  const clp_mat3 before = clp_lane_pose(now, lane).rotation;
  stance s = {.X_WL = *X_WL,
              .center_W = clp_transform(*X_WL, center),
              .skew = clp_skew_of(&X_WL->rotation)};
  double chord = chord_of(&before, &X_WL->rotation, now->rows[CLP_STANCE_SKEW].of[lane] + s.skew);
  s.way = way_of(four->taxi.of[lane], four->radius.of[lane],
                 clp_lane_vector(now->rows + CLP_STANCE_CENTER, lane), s.center_W, chord);
  return s;
}

/* To the last bit, as what is found for it is. */
static bool stands_there(const clp_stances *stances, int lane, const clp_pose *X_WL)
{
  uint64_t stood, stands;
  for (int row = 0; row < CLP_STANCE_CENTER; ++row) {
    memcpy(&stood, &stances->rows[row].of[lane], sizeof stood);
    memcpy(&stands, &X_WL->rotation.x.x + row, sizeof stands);
    if (stood != stands)
      return false;
  }
  return true;
}

static void copy_next(clp_link_four *four)
{
  four->stances[four->spare] = four->stances[four->next];
  four->ways[four->spare] = four->ways[four->next];
}

bool clp_set_stance(clp_link_four *four, int lane, const clp_pose *X_WL)
{
  if (stands_there(&four->stances[four->next], lane, X_WL)) /* it has been looked at */
    return true;
  stance s = find_stance(four, lane, X_WL);
  if (!clp_is_pose(X_WL, s.skew))
    return false;
  if (four->next == four->now) {
    copy_next(four);
    clp_take_stances(four);
  }
  put(&four->stances[four->next], lane, &s);
  four->ways[four->next].of[lane] = s.way;
  return true;
}

/* ---- Lanes -------------------------------------------------------------------------------- */

void clp_four_clear(clp_link_four *four, int first)
{
  *four = (clp_link_four){.first = first, .spare = 1};
}

void clp_four_start(clp_link_four *four, clp_link_id id, clp_vec3 center, double radius)
{
  const int lane = clp_lane_of((int)id.index);
  const stance s = {.X_WL = clp_pose_identity(), .center_W = center};
  four->ids[lane] = id;
  four->used |= 1 << lane;
  put_vector(four->center, lane, center);
  four->radius.of[lane] = radius;
  four->taxi.of[lane] = taxi_length(center);
  for (int k = 0; k < 3; ++k) {
    put(&four->stances[k], lane, &s);
    four->ways[k].of[lane] = 0;
  }
  four->V_WL[lane] = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  four->twist_known |= 1 << lane;
}

/* ---- The list ----------------------------------------------------------------------------- */

static bool have_ids(const clp_link_four *four, const clp_link_id *ids)
{
  return memcmp(four->ids, ids, sizeof four->ids) == 0;
}

/* All four get on the list, one after the other. */
static void list_four(clp_link_four *four, uint64_t list, int at)
{
  four->list = list;
  four->listed = CLP_ALL_LANES;
  four->in_order = true;
  four->at[0] = at;
}

/* As they mostly do, and the next four, too. How many fours do from this one on. */
static int list_fours(clp_scene *scene, clp_link_four *four, const clp_link_id *ids, int at,
                      int count)
{
  const int left = scene->end_links / CLP_LANES - clp_four_index(four->first);
  const int most = left < (count - at) / CLP_LANES ? left : (count - at) / CLP_LANES;
  const uint64_t list = scene->lists;
  clp_link_four **listed = scene->listed + scene->listed_count;
  int fours = 0;
  for (; fours < most; ++fours, ++four, at += CLP_LANES) {
    if (four->list == list || four->used != CLP_ALL_LANES || !have_ids(four, ids + at))
      break;
    list_four(four, list, at);
    listed[fours] = four;
  }
  scene->listed_count += fours;
  return fours;
}

/* Only one of them does; false where it is nobody, or has been there. */
static bool list_link(clp_scene *scene, clp_link_four *four, clp_link_id id, int at)
{
  const int lane = clp_lane_of((int)id.index);
  if (four->list != scene->lists) {
    four->list = scene->lists;
    four->listed = 0;
    four->in_order = false;
    for (int k = 0; k < CLP_LANES; ++k)
      four->at[k] = at;
    scene->listed[scene->listed_count++] = four;
  }
  if (!(four->used >> lane & 1) || four->ids[lane].index != id.index ||
      four->ids[lane].generation != id.generation || four->listed >> lane & 1)
    return false;
  four->listed |= 1 << lane;
  four->at[lane] = at;
  return true;
}

static bool list_anew(clp_scene *scene, const clp_link_id *ids, int count)
{
  ++scene->lists;
  scene->listed_count = 0;
  for (int k = 0; k < count;) {
    if (ids[k].index >= (uint32_t)scene->end_links)
      return false;
    clp_link_four *four = clp_four_of_link(scene, (int)ids[k].index);
    const int fours = list_fours(scene, four, ids, k, count);
    if (fours == 0 && !list_link(scene, four, ids[k], k))
      return false;
    k += fours > 0 ? CLP_LANES * fours : 1;
  }
  return true;
}

/* Mostly it is the same list in every cycle, and what was found out about it still holds. */
bool clp_list_links(clp_scene *scene, const clp_link_id *ids, int count)
{
  const size_t size = (size_t)count * sizeof *ids;
  if (count > 0 && count == scene->list_count && memcmp(ids, scene->list, size) == 0)
    return true;
  scene->list_count = CLP_NOBODY;
  if (!list_anew(scene, ids, count))
    return false;
  if (count > 0)
    memcpy(scene->list, ids, size);
  scene->list_count = count;
  return true;
}

/* ---- Many links at once ------------------------------------------------------------------- */

/* What has been found, one by one. */
static bool are_poses(const clp_link_four *four, const clp_pose *X_WL)
{
  bool usable = true;
  for (int lane = 0; lane < CLP_LANES; ++lane) {
    const int at = four->in_order ? four->at[0] + lane : four->at[lane];
    if (four->listed >> lane & 1)
      usable &= clp_is_pose(&X_WL[at], four->stances[four->spare].rows[CLP_STANCE_SKEW].of[lane]);
  }
  return usable;
}

bool clp_find_stances(clp_scene *scene, const clp_pose *X_WL)
{
  bool sure = BY_REGISTERS(clp_find_stances, scene->listed, scene->listed_count, X_WL);
  bool usable = true;
  for (int k = 0; !sure && k < scene->listed_count; ++k)
    usable &= are_poses(scene->listed[k], X_WL);
  return usable;
}

void clp_take_list(clp_scene *scene, const clp_twist *V_WL)
{
  BY_REGISTERS(clp_take_list, scene, V_WL);
}

clp_two_ways clp_go_on(clp_scene *scene)
{
  return BY_REGISTERS(clp_go_on, scene);
}
