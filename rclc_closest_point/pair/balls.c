/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/closed.h"

/* Two spheres, whose centers are their frames' origins: the centers' distance less the radii, apart
 * and overlapping. It is swept.c without segments, and features that change. */

static clp_answer track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                        const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  const clp_trio a = clp_trio_of(&X_WA->position), b = clp_trio_of(&X_WB->position);
  const clp_trio w = clp_trio_sub(b, a);
  const double between = clp_trio_norm(w);
  if (!clp_usually(clp_closed_is_plain(pair, between)))
    return clp_pair_go_the_long_way(pair, X_WA, X_WB, V_WA, V_WB, step);
  const clp_trio n = clp_trio_scale(1 / between, w);
  const clp_places at = {clp_trio_add_scaled(a, pair->a->sweep.radius, n),
                         clp_trio_sub_scaled(b, pair->b->sweep.radius, n), n};
  return clp_closed_answer(pair, between, between, at);
}

static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  return clp_way_swept_once.at_once(pair, X_WA, X_WB, answer);
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  return clp_way_swept_once.spots(pair, X_WA, X_WB);
}

const clp_way clp_way_balls = {true,
                               true,
                               CLP_WIDTH_BY_PLANES,
                               clp_query_by_planes,
                               at_once,
                               track,
                               track,
                               clp_prove_by_planes,
                               spots};
