/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_STEP_H
#define RCLC_CLOSEST_POINT_PAIR_STEP_H

/* The usual cycles, of pairs that planes prove and of others: one source (step_kernel.h) for two
 * kinds of registers. And what they have in common with the cycles in which more happens, which are
 * in pair.c. */

#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/pair/flat.h"

clp_track clp_step_by_planes_plain, clp_step_padded_plain, clp_step_by_exclusion_plain;
#ifdef CLP_WIDE_REGISTERS
clp_track clp_step_by_planes_wide, clp_step_padded_wide, clp_step_by_exclusion_wide;
#else
#define clp_step_by_planes_wide clp_step_by_planes_plain
#define clp_step_padded_wide clp_step_padded_plain
#define clp_step_by_exclusion_wide clp_step_by_exclusion_plain
#endif

/* A way's cycle for the widest registers that there are. Which one runs changes no digit
 * (step_plain.c). */
clp_track *clp_step_widest(const clp_way *way);

/* The cycle of a pair with padding, whose cores' is this one. */
clp_track *clp_step_padded(clp_track *cores);

/* ---- When more happens ---------------------------------------------------------------------- */

/* By value: the usual cycle's own are in registers. */
clp_answer clp_pair_blurred(const clp_pair *pair, clp_answer answer);
clp_known clp_pair_recover(clp_pair *pair);
clp_known clp_pair_correct_again(clp_pair *pair, const clp_stride *first, clp_interval interval);
clp_known clp_pair_recover_other(clp_pair *pair);
clp_known clp_pair_take_over(clp_pair *pair, clp_spots spots, clp_exclusion_result found,
                             double width);

/* ---- What every cycle ends with ------------------------------------------------------------- */

/* Witnesses and normal in the world. */
typedef struct clp_triple_places {
  clp_triple a, b, n;
} clp_triple_places;

CLP_INLINE void clp_pair_show_places(const clp_pair *pair, const clp_known *known,
                                     const clp_triple_places *w, const clp_spot *a,
                                     const clp_spot *b, clp_answer *answer)
{
  clp_triple point_a = w->a, point_b = w->b, normal = w->n;
  const clp_spot *spot_a = a, *spot_b = b;
  if (!clp_usually(!pair->turned)) {
    point_a = w->b;
    point_b = w->a;
    normal = 0 - w->n;
    spot_a = b;
    spot_b = a;
  }
  clp_triple_store(&point_a, &answer->point_a);
  clp_triple_store(&point_b, &answer->point_b);
  clp_triple_store(&normal, &answer->normal);
  clp_answer_fill(pair, known, spot_a, spot_b, answer);
}

CLP_INLINE void clp_pair_turn_places(const clp_known *known, const clp_pose *X_WA,
                                     clp_triple_places *w)
{
  clp_triples R;
  clp_triple position;
  clp_triples_of(X_WA, &R);
  clp_triple_of_position(X_WA, &position);
  clp_triple_turn(&R, known->f, &w->a);
  clp_triple_turn(&R, known->h, &w->b);
  clp_triple_turn(&R, known->normal, &w->n);
  w->a = w->a + position;
  w->b = w->b + position;
}

/* The end of a cycle, and what the next one goes on from. */
CLP_INLINE clp_answer clp_pair_finish(clp_pair *pair, const clp_known *known, const clp_pose *X_WA)
{
  clp_answer answer;
  clp_triple_places w;
  pair->normal = known->normal;
  pair->inside = known->status == CLP_PENETRATING;
  clp_pair_turn_places(known, X_WA, &w);
  clp_pair_show_places(pair, known, &w, &pair->spots.a, &pair->spots.b, &answer);
  if (!clp_usually(!(pair->cycle.couple.blur > 0)))
    return clp_pair_blurred(pair, answer);
  return answer;
}

CLP_INLINE void clp_pair_keep_stride(clp_pair *pair, const clp_stride *stride)
{
  pair->spots = stride->spots;
  clp_pair_remember_rates(pair, stride->rates);
}

/* By value, and apart, as above. */
CLP_APART double clp_pair_spread(const clp_couple *couple, const clp_spots *spots, clp_vec3 normal)
{
  return clp_spread(couple, spots, normal);
}

CLP_INLINE double clp_pair_spread_of(const clp_pair *pair, const clp_stride *stride,
                                     const clp_interval *interval)
{
  const clp_couple *couple = &pair->cycle.couple;
  return clp_usually(pair->round || clp_is_alone(couple, &stride->spots, interval->isolated))
             ? 0
             : clp_pair_spread(couple, &stride->spots, interval->normal);
}

/* The interval says nothing of where the witnesses are, for the distance is their error's square
 * away from its minimum; so they are asked to face each other as narrowly. */
CLP_INLINE bool clp_is_narrow(clp_interval interval, double width)
{
  return interval.distance - interval.lower <= width && interval.sideways2 <= width * width;
}

/* What a stride says that is proven. */
CLP_INLINE clp_known clp_pair_known_of(const clp_pair *pair, const clp_stride *stride,
                                       clp_interval interval)
{
  return (clp_known){.status = CLP_TRACKING,
                     .distance = interval.distance,
                     .lower = clp_smaller(interval.lower, interval.distance),
                     .f = stride->feet.f,
                     .h = stride->feet.h,
                     .normal = interval.normal,
                     .spread = clp_pair_spread_of(pair, stride, &interval),
                     .steps = 1};
}

/* Cells that a cycle may examine unless it is told. */
#define CLP_CYCLE_CELLS 64

/* What else could be nearer than the spots: as much as is proven in one cycle; what is left goes on
 * in the next. */
CLP_INLINE clp_exclusion_result clp_pair_exclude(clp_pair *pair, clp_spots *spots, double width)
{
  int cells = pair->options.cells > 0 ? pair->options.cells : CLP_CYCLE_CELLS;
  return clp_exclusion_refresh(pair->aids.exclusion, &pair->cycle.couple, spots, 0.5 * width,
                               cells);
}

#endif
