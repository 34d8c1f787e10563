/* SPDX-License-Identifier: Apache-2.0 */

/* The source of motion_plain.c and motion_wide.c, which differ in the registers that they are
 * compiled for: what each link of a list of motions costs besides its stance, and each that moves
 * in a step. CLP_LIST_LINKS, CLP_TAKE_LIST and CLP_GO_ON are the names of what comes out. */

#include <assert.h>

#include "rclc_closest_point/math/quad.h"
#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/scene/motion_run.h"

/* ---- The list ----------------------------------------------------------------------------- */

static_assert(sizeof(clp_link_id[CLP_LANES]) == sizeof(clp_four), "four ids are a row");
static_assert(sizeof(clp_twist[2]) == 3 * sizeof(clp_four), "two twists are three rows");

static inline bool have_ids(const clp_link_four *four, const clp_link_id *ids)
{
  clp_four_mask those, these;
  memcpy(&those, four->ids, sizeof those);
  memcpy(&these, ids, sizeof these);
  those ^= these;
  return (those[0] | those[1] | those[2] | those[3]) == 0;
}

/* All four get on the list, one after the other. */
static inline void list_four(clp_link_four *four, uint64_t list, int at)
{
  typedef int places __attribute__((vector_size(16)));
  const places row = at + (places){0, 1, 2, 3};
  memcpy(four->at, &row, sizeof row);
  four->list = list;
  four->listed = CLP_ALL_LANES;
  four->in_order = true;
}

/* As they mostly do, and the next four, too. How many fours do from this one on. */
static inline int list_fours(clp_scene *scene, clp_link_four *four, const clp_link_id *ids, int at,
                             int count)
{
  const clp_link_four *end = scene->fours + scene->end_links / CLP_LANES;
  const uint64_t list = scene->lists;
  clp_link_four **listed = scene->listed + scene->listed_count;
  int fours = 0;
  for (; at + CLP_LANES <= count && four < end; ++four, at += CLP_LANES) {
    if (four->list == list || four->used != CLP_ALL_LANES || !have_ids(four, ids + at))
      break;
    list_four(four, list, at);
    listed[fours++] = four;
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

bool CLP_LIST_LINKS(clp_scene *scene, const clp_link_id *ids, int count)
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

/* ---- What is set -------------------------------------------------------------------------- */

static inline void take_rows(clp_link_four *four, const clp_twist *V_WL)
{
  for (size_t row = 0; row < 6; ++row)
    clp_four_store(clp_four_load((const char *)V_WL + row * sizeof(clp_four)),
                   (char *)four->V_WL + row * sizeof(clp_four));
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
      take_rows(four, &V_WL[four->at[0]]);
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

/* The two longest ways of all lanes, of which each has its own two. */
static clp_two_ways longest_of(clp_four first, clp_four second)
{
  clp_two_ways longest = {0, 0};
  for (int lane = 0; lane < 2 * CLP_LANES; ++lane) {
    double way = lane < CLP_LANES ? first[lane] : second[lane - CLP_LANES];
    longest.second = clp_larger(longest.second, clp_smaller(way, longest.first));
    longest.first = clp_larger(longest.first, way);
  }
  return longest;
}

clp_two_ways CLP_GO_ON(clp_scene *scene)
{
  clp_link_four **moving = scene->moving;
  double *ways = scene->ways;
  bool *placed = scene->placed;
  int end = scene->moving_count, count = 0;
  clp_four first = clp_four_of(0), second = clp_four_of(0);
  for (int k = 0; k < end; ++k) {
    clp_link_four *four = moving[k];
    const int links = four->first;
    clp_four_row *way_now = &four->ways[four->next];
    clp_four way = clp_four_load(way_now), before = clp_four_load(&ways[links]);
    clp_four after = (before + way) * (1 + 2 * CLP_ROUNDING_UNIT);
    clp_four_store(clp_four_select(CLP_FOUR_COMPARE(way, >, clp_four_of(0)), after, before),
                   &ways[links]);
    second = clp_four_larger(second, clp_four_smaller(way, first));
    first = clp_four_larger(first, way);
    clp_four_store(clp_four_of(0), way_now);
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
  return longest_of(first, second);
}
