/* SPDX-License-Identifier: Apache-2.0 */

/* The source of stance_plain.c and stance_wide.c, which differ in the registers that they are
 * compiled for: stance.c for four links at once, operation by operation. CLP_FIND_STANCES and
 * CLP_ARE_COORDINATES are the names of what comes out. */

#include <assert.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/quad.h"
#include "rclc_closest_point/scene/motion_run.h"

static_assert(sizeof(clp_pose) == 96, "a pose is three rows of four");

CLP_QUAD_INLINE clp_quad vectors_of(const clp_four_row *rows)
{
  return (clp_quad){clp_four_load(&rows[0]), clp_four_load(&rows[1]), clp_four_load(&rows[2])};
}

CLP_QUAD_INLINE void put_vectors(clp_quad a, clp_four_row *rows)
{
  clp_four_store(a.x, &rows[0]);
  clp_four_store(a.y, &rows[1]);
  clp_four_store(a.z, &rows[2]);
}

CLP_QUAD_INLINE bool are_all(clp_four_mask mask)
{
  return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
}

CLP_QUAD_INLINE clp_four norm2(clp_quad a)
{
  return clp_quad_dot(a, a);
}

CLP_QUAD_INLINE clp_four chords_of(clp_four squares, clp_four skews)
{
  clp_four chords = clp_four_sqrt(0.5 * squares) + 2 * skews;
  return clp_four_select(CLP_FOUR_COMPARE(squares, ==, clp_four_of(0)), clp_four_of(0), chords);
}

CLP_QUAD_INLINE clp_four taxi_lengths(clp_quad a)
{
  return clp_four_abs(a.x) + clp_four_abs(a.y) + clp_four_abs(a.z);
}

/* From the centers, and the rotations' chords, to the ways. */
CLP_QUAD_INLINE clp_four ways_of(clp_quad from, clp_quad to, clp_four chords, clp_four radius,
                                 clp_four lengths)
{
  clp_quad between = clp_quad_sub(from, to);
  clp_four ways = clp_four_sqrt(norm2(between)) + chords * radius;
  return clp_four_select(CLP_FOUR_COMPARE(ways, >, clp_four_of(0)),
                         ways + CLP_ROUNDING_SUMS * lengths, clp_four_of(0));
}

/* The squares of a distance are at least 4 between a rotation and a mirror, less what little skews
 * do to them. So what is near the last step's rotation is none. */
#define NO_MIRROR 3

/* A link's position is no farther away than its center and that are in all, and little more. */
#define NOT_FAR (0.5 * CLP_FARTHEST_LINK)

/* To the spare stances. -1 in the lanes of what is sure to be a pose. Column by column, each number
 * loaded where it is used, for there are not registers for all at once. */
CLP_QUAD_INLINE clp_four_mask find_four(clp_link_four *four, const void *const X_WL[CLP_LANES])
{
  const clp_four_row *now = four->stances[four->now].rows;
  clp_four_row *to = four->stances[four->spare].rows;
  clp_quad_mat3 R;
  clp_quad p, along, across;

  clp_four_gather(X_WL, 0, &R.x.x, &R.x.y, &R.x.z, &R.y.x);
  put_vectors(R.x, to);
  along.x = norm2(R.x) - 1;
  clp_four squares = norm2(clp_quad_sub(R.x, vectors_of(now)));
  clp_quad center_W = clp_quad_scale(clp_four_load(&four->center[0]), R.x);

  clp_four_gather(X_WL, 32, &R.y.y, &R.y.z, &R.z.x, &R.z.y);
  put_vectors(R.y, to + 3);
  along.y = norm2(R.y) - 1;
  across.x = clp_quad_dot(R.x, R.y);
  squares += norm2(clp_quad_sub(R.y, vectors_of(now + 3)));
  center_W = clp_quad_add_scaled(center_W, clp_four_load(&four->center[1]), R.y);

  clp_four_gather(X_WL, 64, &R.z.z, &p.x, &p.y, &p.z);
  put_vectors(R.z, to + 6);
  put_vectors(p, to + CLP_STANCE_POSITION);
  along.z = norm2(R.z) - 1;
  across.y = clp_quad_dot(R.y, R.z);
  across.z = clp_quad_dot(R.z, R.x);
  squares += norm2(clp_quad_sub(R.z, vectors_of(now + 6)));
  center_W = clp_quad_add_scaled(center_W, clp_four_load(&four->center[2]), R.z);
  center_W = clp_quad_add(center_W, p);
  put_vectors(center_W, to + CLP_STANCE_CENTER);

  clp_four skews = clp_four_sqrt(norm2(along) + 2 * norm2(across));
  clp_four_store(skews, &to[CLP_STANCE_SKEW]);
  clp_four chords = chords_of(squares, clp_four_load(&now[CLP_STANCE_SKEW]) + skews);
  const clp_quad before = vectors_of(now + CLP_STANCE_CENTER);
  clp_four radius = clp_four_load(&four->radius);
  clp_four lengths =
      taxi_lengths(before) + taxi_lengths(center_W) + clp_four_load(&four->taxi) + radius;
  clp_four_store(ways_of(before, center_W, chords, radius, lengths), &four->ways[four->spare]);
  return CLP_FOUR_COMPARE(skews, <=, clp_four_of(CLP_TOLERANCE_RIGID)) &
         CLP_FOUR_COMPARE(squares, <, clp_four_of(NO_MIRROR)) &
         CLP_FOUR_COMPARE(lengths, <, clp_four_of(NOT_FAR));
}

/* Lanes that are not listed are as in the next stances. -1 there. */
static clp_four_mask keep_others(clp_link_four *four)
{
  const int listed = four->listed;
  const clp_four_mask bits = {1, 2, 4, 8}, those = {listed, listed, listed, listed};
  const clp_four_mask found = (those & bits) != 0;
  const clp_stances *next = &four->stances[four->next];
  clp_stances *to = &four->stances[four->spare];
  for (int row = 0; row < CLP_STANCE_ROWS; ++row)
    clp_four_store(
        clp_four_select(found, clp_four_load(&to->rows[row]), clp_four_load(&next->rows[row])),
        &to->rows[row]);
  clp_four_row *way = &four->ways[four->spare];
  clp_four kept = clp_four_load(&four->ways[four->next]);
  clp_four_store(clp_four_select(found, clp_four_load(way), kept), way);
  return ~found;
}

/* Listed in order or not. */
CLP_QUAD_INLINE clp_four_mask find_listed(clp_link_four *four, const clp_pose *X_WL)
{
  const int *at = four->at;
  const clp_pose *X = X_WL + at[0];
  if (four->in_order)
    return find_four(four, (const void *const[]){X, X + 1, X + 2, X + 3});
  clp_four_mask sure =
      find_four(four, (const void *const[]){X, X_WL + at[1], X_WL + at[2], X_WL + at[3]});
  return four->listed == CLP_ALL_LANES ? sure : sure | keep_others(four);
}

bool CLP_FIND_STANCES(clp_link_four *const *fours, int count, const clp_pose *X_WL)
{
  clp_four_mask sure = {-1, -1, -1, -1};
  for (int k = 0; k < count; ++k)
    sure &= find_listed(fours[k], X_WL);
  return are_all(sure);
}

CLP_QUAD_INLINE clp_four_mask are_coordinates(clp_four a)
{
  return CLP_FOUR_COMPARE(clp_four_abs(a), <=, clp_four_of(CLP_FARTHEST_LINK));
}

CLP_QUAD_INLINE clp_four_mask are_twelve(const double *numbers)
{
  return are_coordinates(clp_four_load(numbers)) & are_coordinates(clp_four_load(numbers + 4)) &
         are_coordinates(clp_four_load(numbers + 8));
}

bool CLP_ARE_COORDINATES(const double *numbers, int twelves)
{
  clp_four_mask usable = {-1, -1, -1, -1};
  const double *end = numbers + 12 * twelves;
  for (; end - numbers >= 24; numbers += 24)
    usable &= are_twelve(numbers) & are_twelve(numbers + 12);
  if (numbers < end)
    usable &= are_twelve(numbers);
  return are_all(usable);
}
