/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/answer.h"

#include "rclc_closest_point/math/vec3.h"

/* The velocity of a body's point that is at p in the world. */
static clp_vec3 velocity_at(clp_vec3 p, const clp_pose *X, const clp_twist *V)
{
  return clp_add(V->linear, clp_cross(V->angular, clp_sub(p, X->position)));
}

/* Other witnesses f + e, h + e with the same normal n, e square to it, move apart at
 *     n.(v_b(h + e) - v_a(f + e)) = n.(v_b - v_a) + e.(n x w),      w = w_b - w_a;
 * of those elsewhere only the speed is known. */
double clp_answer_rate(const clp_answer *answer, const clp_pose *X_WA, const clp_twist *V_WA,
                       const clp_pose *X_WB, const clp_twist *V_WB)
{
  clp_vec3 v =
      clp_sub(velocity_at(answer->point_b, X_WB, V_WB), velocity_at(answer->point_a, X_WA, V_WA));
  double rate = clp_dot(answer->normal, v);
  if (answer->spread == 0)
    return rate;
  if (answer->spread == HUGE_VAL)
    return -HUGE_VAL;
  if (answer->scattered)
    return -clp_norm(v) - (clp_norm(V_WA->angular) + clp_norm(V_WB->angular)) * answer->spread;
  clp_vec3 turn = clp_sub(V_WB->angular, V_WA->angular);
  return rate - clp_norm(clp_cross(answer->normal, turn)) * answer->spread;
}

bool clp_balls_are_far(const clp_pair *pair)
{
  double apart = clp_expected_distance(pair, &pair->cycle.couple);
  return apart - clp_body_reach(pair->a) - clp_body_reach(pair->b) > pair->options.range;
}

clp_answer clp_answer_unknown(const clp_pair *pair)
{
  const clp_spots spots = clp_pair_spots(pair);
  return (clp_answer){.status = CLP_CONVERGING,
                      .distance = HUGE_VAL,
                      .lower_bound = -HUGE_VAL,
                      .normal = {0, 0, 1},
                      .kind_a = spots.a.kind,
                      .kind_b = spots.b.kind,
                      .feature_a = spots.a.id,
                      .feature_b = spots.b.id,
                      .non_unique = true,
                      .scattered = true,
                      .spread = HUGE_VAL};
}

clp_spots clp_pair_spots(const clp_pair *pair)
{
  return pair->turned ? (clp_spots){pair->spots.b, pair->spots.a} : pair->spots;
}

void clp_answer_add_twin(clp_answer *answer, const clp_answer *twin)
{
  double shift = fmax(clp_distance(answer->point_a, twin->point_a),
                      clp_distance(answer->point_b, twin->point_b));
  answer->non_unique = true;
  answer->scattered = true;
  answer->spread = fmax(answer->spread, shift + twin->spread);
}
