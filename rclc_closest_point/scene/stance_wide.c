/* SPDX-License-Identifier: Apache-2.0 */
/* stance.c for four links at once, operation by operation, on machines with 32-byte registers:
 * CMakeLists.txt gives it the flags. In narrower ones four lanes take longer than one by one. */

#include <assert.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/quad.h"
#include "rclc_closest_point/scene/stance.h"

static_assert(sizeof(clp_pose) == 96, "a pose is three rows of four");
static_assert(offsetof(clp_stance, X_WL) == 0, "a stance begins with its pose");
static_assert(offsetof(clp_scene_link, radius) == offsetof(clp_scene_link, center) + 24, "one row");
static_assert(offsetof(clp_stance, skew) == offsetof(clp_stance, center_W) + 24, "one row");

typedef struct four_poses {
  clp_quad_mat3 rotation;
  clp_quad position;
} four_poses;

CLP_QUAD_INLINE four_poses gather_poses(const void *const X[4])
{
  four_poses p;
  clp_quad_mat3 *R = &p.rotation;
  clp_four_gather(X, 0, &R->x.x, &R->x.y, &R->x.z, &R->y.x);
  clp_four_gather(X, 32, &R->y.y, &R->y.z, &R->z.x, &R->z.y);
  clp_four_gather(X, 64, &R->z.z, &p.position.x, &p.position.y, &p.position.z);
  return p;
}

CLP_QUAD_INLINE clp_quad_mat3 gather_rotations(const void *const X[4])
{
  return gather_poses(X).rotation;
}

/* Compilers copy structures through narrow registers. */
CLP_QUAD_INLINE void copy_rows(clp_pose *to, const clp_pose *from)
{
  for (size_t at = 0; at < sizeof *to; at += sizeof(clp_four)) {
    clp_four row;
    memcpy(&row, (const char *)from + at, sizeof row);
    memcpy((char *)to + at, &row, sizeof row);
  }
}

CLP_QUAD_INLINE clp_four norm2(clp_quad a)
{
  return clp_quad_dot(a, a);
}

CLP_QUAD_INLINE clp_four skews_of(const clp_quad_mat3 *r)
{
  clp_quad along = {norm2(r->x) - 1, norm2(r->y) - 1, norm2(r->z) - 1};
  clp_quad across = {clp_quad_dot(r->x, r->y), clp_quad_dot(r->y, r->z), clp_quad_dot(r->z, r->x)};
  return clp_four_sqrt(norm2(along) + 2 * norm2(across));
}

CLP_QUAD_INLINE clp_four_mask are_coordinates(clp_four a)
{
  return clp_four_abs(a) <= CLP_FARTHEST_LINK;
}

CLP_QUAD_INLINE clp_four_mask are_vectors(clp_quad a)
{
  return are_coordinates(a.x) & are_coordinates(a.y) & are_coordinates(a.z);
}

CLP_QUAD_INLINE clp_four_mask are_poses(const four_poses *p, clp_four skews)
{
  const clp_quad_mat3 *r = &p->rotation;
  return (skews <= CLP_TOLERANCE_RIGID) & (clp_quad_dot(clp_quad_cross(r->x, r->y), r->z) > 0) &
         are_vectors(p->position);
}

CLP_QUAD_INLINE clp_four chords_of(const clp_quad_mat3 *from, const clp_quad_mat3 *to,
                                   clp_four skews)
{
  clp_four square = norm2(clp_quad_sub(to->x, from->x)) + norm2(clp_quad_sub(to->y, from->y)) +
                    norm2(clp_quad_sub(to->z, from->z));
  clp_four chords = clp_four_sqrt(0.5 * square) + 2 * skews;
  return clp_four_select(square == 0, clp_four_of(0), chords);
}

CLP_QUAD_INLINE clp_four taxi_lengths(clp_quad a)
{
  return clp_four_abs(a.x) + clp_four_abs(a.y) + clp_four_abs(a.z);
}

/* From the centers, and the rotations' chords, to the ways. */
CLP_QUAD_INLINE clp_four ways_of(clp_quad from, clp_quad to, clp_four chords, clp_quad center,
                                 clp_four radius)
{
  clp_quad between = clp_quad_sub(from, to);
  clp_four ways = clp_four_sqrt(norm2(between)) + chords * radius;
  clp_four lengths = taxi_lengths(from) + taxi_lengths(to) + taxi_lengths(center) + radius;
  return clp_four_select(ways > 0, ways + CLP_ROUNDING_SUMS * lengths, clp_four_of(0));
}

/* -1 in the lanes of poses. */
CLP_QUAD_INLINE clp_four_mask find_four(clp_scene_link *const links[4],
                                        const clp_pose *const X_WL[4])
{
  const void *link[4], *now[4], *X[4];
  clp_stance *to[4];
  for (int k = 0; k < 4; ++k) {
    link[k] = links[k];
    now[k] = &links[k]->stances[links[k]->now];
    to[k] = &links[k]->stances[links[k]->spare];
    X[k] = X_WL[k];
    copy_rows(&to[k]->X_WL, X_WL[k]);
  }
  four_poses poses = gather_poses(X);
  clp_four skews = skews_of(&poses.rotation);
  clp_four_mask usable = are_poses(&poses, skews);
  clp_quad center, center_before;
  clp_four radius, skews_before;
  clp_four_gather(link, offsetof(clp_scene_link, center), &center.x, &center.y, &center.z, &radius);
  clp_quad center_W = clp_quad_add(clp_quad_rotate(&poses.rotation, center), poses.position);
  clp_four_gather(now, offsetof(clp_stance, center_W), &center_before.x, &center_before.y,
                  &center_before.z, &skews_before);
  clp_quad_mat3 before = gather_rotations(now);
  clp_four chords = chords_of(&before, &poses.rotation, skews_before + skews);
  clp_four ways = ways_of(center_before, center_W, chords, center, radius);
  clp_four_transpose(&center_W.x, &center_W.y, &center_W.z, &skews);
  const clp_four rows[4] = {center_W.x, center_W.y, center_W.z, skews};
  for (int k = 0; k < 4; ++k) {
    memcpy(&to[k]->center_W, &rows[k], sizeof rows[k]);
    links[k]->ways[links[k]->spare] = ways[k];
  }
  return usable;
}

CLP_QUAD_INLINE bool are_all(clp_four_mask mask)
{
  return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
}

bool clp_find_stances_wide(clp_scene_link *const *links, const clp_pose *const *X_WL, int fours)
{
  clp_four_mask usable = {-1, -1, -1, -1};
  for (int k = 0; k < fours; ++k)
    usable &= find_four(links + 4 * k, X_WL + 4 * k);
  return are_all(usable);
}

/* clp_pose_equals, row by row; a link that moves does so along x. */
CLP_QUAD_INLINE bool are_equal(const clp_pose *x, const clp_pose *y)
{
  if (x->position.x != y->position.x)
    return false;
  clp_four_mask equal = {-1, -1, -1, -1};
  for (size_t at = 0; at < sizeof *x; at += sizeof(clp_four)) {
    clp_four a, b;
    memcpy(&a, (const char *)x + at, sizeof a);
    memcpy(&b, (const char *)y + at, sizeof b);
    equal &= a == b;
  }
  return are_all(equal);
}

void clp_list_moved_wide(clp_scene_link *const *links, const clp_pose *X_WL, int count,
                         clp_motion_list *moved)
{
  for (int k = 0; k < count; ++k)
    clp_list_link(moved, links[k], &X_WL[k], are_equal(&X_WL[k], clp_next_pose(links[k])));
}

bool clp_are_coordinates_wide(const double *numbers, int fours)
{
  clp_four_mask usable = {-1, -1, -1, -1};
  for (int k = 0; k < fours; ++k) {
    clp_four four;
    memcpy(&four, numbers + 4 * k, sizeof four);
    usable &= are_coordinates(four);
  }
  return are_all(usable);
}
