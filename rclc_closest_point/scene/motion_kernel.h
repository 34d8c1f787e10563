/* SPDX-License-Identifier: Apache-2.0 */

/* The source of motion_plain.c and motion_wide.c, which differ in the registers that they are
 * compiled for: what each link of a list of motions costs besides its stance, and each that moves
 * in a step. CLP_TAKE_LIST and CLP_GO_ON are the names of what comes out. */

#include <assert.h>

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/scene/abreast.h"
#include "rclc_closest_point/scene/motion_run.h"

/* ---- What is set -------------------------------------------------------------------------- */

static_assert(sizeof(clp_twist) == 6 * sizeof(double), "a twist is six numbers");

static inline void take_all(clp_link_four *four, const clp_twist *V_WL)
{
  const double *from = &V_WL->linear.x;
  double *to = &four->V_WL->linear.x;
  for (int k = 0; k < 6 * CLP_LANES; k += ABREAST)
    abreast_store(abreast_load(from + k), to + k);
}

static void take_lanes(clp_link_four *four, const clp_twist *V_WL)
{
  for (int lane = 0; lane < CLP_LANES; ++lane)
    if (four->listed >> lane & 1)
      four->V_WL[lane] = V_WL ? V_WL[four->at[lane]] : (clp_twist){{0, 0, 0}, {0, 0, 0}};
}

void CLP_TAKE_LIST(clp_scene *scene, const clp_twist *V_WL)
{
  clp_link_four *const *listed = scene->listed;
  const int count = scene->listed_count;
  for (int k = 0; k < count; ++k) {
    clp_link_four *four = listed[k];
    clp_take_stances(four);
    if (four->in_order && V_WL) {
      take_all(four, &V_WL[four->at[0]]);
      clp_note_motion(scene, four, CLP_ALL_LANES, CLP_ALL_LANES);
    } else {
      take_lanes(four, V_WL);
      clp_note_motion(scene, four, four->listed, V_WL ? CLP_ALL_LANES : 0);
    }
  }
}

/* ---- Going on ----------------------------------------------------------------------------- */

/* Some lanes of a four were not in motion, or have not been set since the last step: these rest. */
static void go_on_in_part(clp_link_four *four, bool *placed)
{
  for (int lane = 0; lane < CLP_LANES; ++lane) {
    if (!(four->in_motion >> lane & 1))
      continue;
    placed[lane] = false;
    if (!(four->set >> lane & 1))
      four->V_WL[lane] = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  }
  four->twist_known |= four->in_motion & ~four->set;
  four->in_motion = four->set;
}

/* The two longest ways of those that each lane has. */
typedef struct ways {
  abreast first, second;
} ways;

/* A step's ways, which are zero then, to all that has been gone. */
CLP_QUAD_INLINE void add_ways(double *way, double *sum, ways *longest)
{
  const abreast zero = abreast_of(0), more = abreast_load(way), before = abreast_load(sum);
  const abreast after = (before + more) * (1 + 2 * CLP_ROUNDING_UNIT);
  const abreast_mask is_first = more > longest->first;
  const abreast smaller = abreast_select(is_first, longest->first, more);
  abreast_store(abreast_select(more > zero, after, before), sum);
  abreast_store(zero, way);
  longest->first = abreast_select(is_first, more, longest->first);
  longest->second = abreast_select(smaller > longest->second, smaller, longest->second);
}

static clp_two_ways longest_of(ways longest)
{
  clp_two_ways all = {0, 0};
  for (int k = 0; k < 2 * ABREAST; ++k) {
    double way = k < ABREAST ? longest.first[k] : longest.second[k - ABREAST];
    all.second = clp_larger(all.second, clp_smaller(way, all.first));
    all.first = clp_larger(all.first, way);
  }
  return all;
}

clp_two_ways CLP_GO_ON(clp_scene *scene)
{
  clp_link_four **moving = scene->moving;
  double *sums = scene->ways;
  bool *placed = scene->placed;
  int end = scene->moving_count, count = 0;
  ways longest = {{0}, {0}};
  for (int k = 0; k < end; ++k) {
    clp_link_four *four = moving[k];
    const int links = four->first;
    for (int lane = 0; lane < CLP_LANES; lane += ABREAST)
      add_ways(&four->ways[four->next].of[lane], &sums[links + lane], &longest);
    four->now = four->next;
    if ((four->in_motion & four->set) == CLP_ALL_LANES)
      memset(placed + links, 0, CLP_LANES * sizeof *placed);
    else
      go_on_in_part(four, placed + links);
    four->set = 0;
    moving[count] = four;
    count += four->in_motion != 0;
  }
  scene->moving_count = count;
  return longest_of(longest);
}
