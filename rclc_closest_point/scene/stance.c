/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/stance.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/base/wide_registers.h"
#include "rclc_closest_point/math/pose.h"

static bool is_coordinate(double x)
{
  return fabs(x) <= CLP_FARTHEST_LINK;
}

static bool is_vector(clp_vec3 a)
{
  return is_coordinate(a.x) && is_coordinate(a.y) && is_coordinate(a.z);
}

/* Two twists are three times four numbers. */
bool clp_are_twists(const clp_twist *twists, int count)
{
  int first = 0;
#ifdef CLP_WIDE_REGISTERS
  if (clp_has_wide_registers()) {
    first = count - count % 2;
    if (!clp_are_coordinates_wide(&twists->linear.x, 3 * (count / 2)))
      return false;
  }
#endif
  for (int k = first; k < count; ++k)
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
static double way_of(const clp_scene_link *link, const clp_stance *from, const clp_stance *to)
{
  double chord = chord_of(&from->X_WL.rotation, &to->X_WL.rotation, from->skew + to->skew);
  double way = clp_distance(from->center_W, to->center_W) + chord * link->radius;
  double lengths = taxi_length(from->center_W) + taxi_length(to->center_W) +
                   taxi_length(link->center) + link->radius;
  return way > 0 ? way + CLP_ROUNDING_SUMS * lengths : 0;
}

bool clp_find_stance(clp_scene_link *link, const clp_pose *X_WL)
{
  clp_stance *stance = &link->stances[link->spare];
  stance->X_WL = *X_WL;
  stance->skew = clp_skew_of(&X_WL->rotation);
  stance->center_W = clp_transform(*X_WL, link->center);
  link->ways[link->spare] = way_of(link, &link->stances[link->now], stance);
  return clp_is_pose(X_WL, stance->skew);
}

bool clp_find_stances(clp_scene_link *const *links, const clp_pose *const *X_WL, int count)
{
  bool usable = true;
  int first = 0;
#ifdef CLP_WIDE_REGISTERS
  if (clp_has_wide_registers()) {
    first = count - count % 4;
    usable = clp_find_stances_wide(links, X_WL, count / 4);
  }
#endif
  for (int k = first; k < count; ++k)
    usable &= clp_find_stance(links[k], X_WL[k]);
  return usable;
}

void clp_list_moved(clp_scene_link *const *links, const clp_pose *X_WL, int count,
                    clp_motion_list *moved)
{
#ifdef CLP_WIDE_REGISTERS
  if (clp_has_wide_registers()) {
    clp_list_moved_wide(links, X_WL, count, moved);
    return;
  }
#endif
  for (int k = 0; k < count; ++k)
    clp_list_link(moved, links[k], &X_WL[k], clp_pose_equals(&X_WL[k], clp_next_pose(links[k])));
}
