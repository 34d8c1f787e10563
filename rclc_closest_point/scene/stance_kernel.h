/* SPDX-License-Identifier: Apache-2.0 */

/* The source of stance_plain.c and stance_wide.c, which differ in the registers that they are
 * compiled for: stance.c for several links at once, operation by operation. CLP_FIND_STANCES and
 * CLP_ARE_COORDINATES are the names of what comes out. */

#include <assert.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/scene/abreast.h"
#include "rclc_closest_point/scene/motion_run.h"

static_assert(sizeof(clp_pose) == 12 * sizeof(double), "a pose is twelve numbers");

CLP_QUAD_INLINE abreast chords_of(abreast squares, abreast skews)
{
  abreast chords = abreast_sqrt(0.5 * squares) + 2 * skews;
  return abreast_select(squares == abreast_of(0), abreast_of(0), chords);
}

CLP_QUAD_INLINE abreast taxi_lengths(vectors a)
{
  return abreast_abs(a.x) + abreast_abs(a.y) + abreast_abs(a.z);
}

/* From the centers, and the rotations' chords, to the ways. */
CLP_QUAD_INLINE abreast ways_of(vectors from, vectors to, abreast chords, abreast radius,
                                abreast lengths)
{
  abreast ways = abreast_sqrt(vectors_norm2(vectors_sub(from, to))) + chords * radius;
  return abreast_select(ways > abreast_of(0), ways + CLP_ROUNDING_SUMS * lengths, abreast_of(0));
}

/* The squares of a distance are at least 4 between a rotation and a mirror, less what little skews
 * do to them. So what is near the last step's rotation is none. */
#define NO_MIRROR 3

/* A link's position is no farther away than its center and that are in all, and little more. */
#define NOT_FAR (0.5 * CLP_FARTHEST_LINK)

CLP_QUAD_INLINE void add_square(abreast a, abreast *sum)
{
  *sum += a * a;
}

/* To the spare stances. -1 in the lanes of what is sure to be a pose. Column by column, each
 * number used up where it is loaded, for there are not registers for all at once. */
CLP_QUAD_INLINE abreast_mask find_lanes(clp_link_four *four, int lane, const double *const *X_WL)
{
  const int spare = four->spare;
  const clp_four_row *now = four->stances[four->now].rows, *center = four->center;
  clp_four_row *to = four->stances[spare].rows;
  vectors x, y, z, p;

  abreast_gather(X_WL, 0, &x.x, &x.y, &x.z, &y.x);
  vectors_store(x, to, lane);
  abreast squares = vectors_norm2(vectors_sub(x, vectors_load(now, lane)));
  vectors center_W = vectors_scale(abreast_load(&center[0].of[lane]), x);
  abreast along = vectors_norm2(x) - 1;
  along *= along;

  abreast_gather(X_WL, 4, &y.y, &y.z, &z.x, &z.y);
  vectors_store(y, to + 3, lane);
  squares += vectors_norm2(vectors_sub(y, vectors_load(now + 3, lane)));
  center_W = vectors_add(center_W, vectors_scale(abreast_load(&center[1].of[lane]), y));
  add_square(vectors_norm2(y) - 1, &along);
  abreast across = vectors_dot(x, y);
  across *= across;

  abreast_gather(X_WL, 8, &z.z, &p.x, &p.y, &p.z);
  vectors_store(z, to + 6, lane);
  vectors_store(p, to + CLP_STANCE_POSITION, lane);
  squares += vectors_norm2(vectors_sub(z, vectors_load(now + 6, lane)));
  center_W = vectors_add(center_W, vectors_scale(abreast_load(&center[2].of[lane]), z));
  center_W = vectors_add(center_W, p);
  vectors_store(center_W, to + CLP_STANCE_CENTER, lane);
  add_square(vectors_norm2(z) - 1, &along);
  add_square(vectors_dot(y, z), &across);
  add_square(vectors_dot(z, x), &across);

  abreast skews = abreast_sqrt(along + 2 * across);
  abreast_store(skews, &to[CLP_STANCE_SKEW].of[lane]);
  abreast chords = chords_of(squares, abreast_load(&now[CLP_STANCE_SKEW].of[lane]) + skews);
  const vectors before = vectors_load(now + CLP_STANCE_CENTER, lane);
  abreast radius = abreast_load(&four->radius.of[lane]);
  abreast lengths =
      taxi_lengths(before) + taxi_lengths(center_W) + abreast_load(&four->taxi.of[lane]) + radius;
  abreast_store(ways_of(before, center_W, chords, radius, lengths), &four->ways[spare].of[lane]);
  return (skews <= abreast_of(CLP_TOLERANCE_RIGID)) & (squares < abreast_of(NO_MIRROR)) &
         (lengths < abreast_of(NOT_FAR));
}

/* Lanes that are not listed are as in the next stances. -1 there. */
static abreast_mask keep_others(clp_link_four *four, int lane)
{
  abreast_mask listed;
  for (int k = 0; k < ABREAST; ++k)
    listed[k] = -(int64_t)(four->listed >> (lane + k) & 1);
  const clp_four_row *next = four->stances[four->next].rows;
  clp_four_row *to = four->stances[four->spare].rows;
  for (int row = 0; row < CLP_STANCE_ROWS; ++row)
    abreast_store(
        abreast_select(listed, abreast_load(&to[row].of[lane]), abreast_load(&next[row].of[lane])),
        &to[row].of[lane]);
  double *way = &four->ways[four->spare].of[lane];
  abreast_store(
      abreast_select(listed, abreast_load(way), abreast_load(&four->ways[four->next].of[lane])),
      way);
  return ~listed;
}

CLP_QUAD_INLINE abreast_mask find_four(clp_link_four *four, const double *const *X_WL, bool all)
{
  abreast_mask sure = abreast_mask_of(-1);
  for (int lane = 0; lane < CLP_LANES; lane += ABREAST) {
    const abreast_mask found = find_lanes(four, lane, X_WL + lane);
    sure &= all ? found : found | keep_others(four, lane);
  }
  return sure;
}

/* Listed in order or not. */
CLP_QUAD_INLINE abreast_mask find_listed(clp_link_four *four, const clp_pose *X_WL)
{
  const int *at = four->at;
  const double *const X = &X_WL[at[0]].rotation.x.x;
  if (four->in_order)
    return find_four(four, (const double *const[]){X, X + 12, X + 24, X + 36}, true);
  const double *const anywhere[] = {X, &X_WL[at[1]].rotation.x.x, &X_WL[at[2]].rotation.x.x,
                                    &X_WL[at[3]].rotation.x.x};
  return find_four(four, anywhere, four->listed == CLP_ALL_LANES);
}

bool CLP_FIND_STANCES(clp_link_four *const *fours, int count, const clp_pose *X_WL)
{
  abreast_mask sure = abreast_mask_of(-1);
  for (int k = 0; k < count; ++k)
    sure &= find_listed(fours[k], X_WL);
  return abreast_are_all(sure);
}

/* Magnitudes add up to no less than the largest of them, and to no number with any that is none. */
bool CLP_ARE_COORDINATES(const double *numbers, int twelves)
{
  enum { ROWS = 12 / ABREAST };
  abreast sums[ROWS] = {0};
  for (const double *end = numbers + 12 * twelves; numbers < end; numbers += 12)
    for (int row = 0; row < ROWS; ++row)
      sums[row] += abreast_abs(abreast_load(numbers + ABREAST * row));
  for (int row = 1; row < ROWS; ++row)
    sums[0] += sums[row];
  return abreast_are_all(sums[0] < abreast_of(CLP_FARTHEST_LINK));
}
