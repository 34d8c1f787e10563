/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/pair/answer.h"

/* Two spheres, whose centers are their frames' origins: the centers' distance less the radii, apart
 * and overlapping. It is swept.c without segments, and a third of its instructions. */

CLP_APART clp_answer go_the_long_way(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                     const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  return clp_way_swept_once.track(pair, X_WA, X_WB, V_WA, V_WB, step);
}

static clp_answer track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                        const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  const clp_couple *couple = &pair->cycle.couple;
  const double r_a = pair->a->sweep.radius, r_b = pair->b->sweep.radius;
  clp_vec3 w = clp_sub(X_WB->position, X_WA->position);
  double between = clp_norm(w);
  double rounding = CLP_ROUNDING * (5 * couple->size + between) + couple->slack;
  double distance = between - (r_a + r_b);
  if (!clp_usually(distance > rounding && between < CLP_FARTHEST &&
                   rounding <= clp_pair_width(pair, distance) && pair->range == 0))
    return go_the_long_way(pair, X_WA, X_WB, V_WA, V_WB, step);
  clp_vec3 n = clp_scale(1 / between, w);
  clp_vec3 f = clp_add_scaled(X_WA->position, r_a, n);
  clp_vec3 h = clp_add_scaled(X_WB->position, -r_b, n);
  const bool turned = pair->turned;
  pair->log.count = 0;
  pair->closed = true;
  pair->inside = false;
  return (clp_answer){.status = pair->sampled ? CLP_CONVERGING : CLP_TRACKING,
                      .distance = distance,
                      .lower_bound = distance - rounding,
                      .point_a = turned ? h : f,
                      .point_b = turned ? f : h,
                      .normal = turned ? clp_sub((clp_vec3){0, 0, 0}, n) : n,
                      .kind_a = CLP_FACE,
                      .kind_b = CLP_FACE,
                      .feature_a = 0,
                      .feature_b = 0,
                      .non_unique = false,
                      .scattered = false,
                      .steps = 1,
                      .spread = 0};
}

static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  return clp_way_swept_once.at_once(pair, X_WA, X_WB, answer);
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  return clp_way_swept_once.spots(pair, X_WA, X_WB);
}

const clp_way clp_way_balls = {true,    true,  CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                               at_once, track, clp_prove_by_planes, spots};
