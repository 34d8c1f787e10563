/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/pair.h"

clp_gain_bounds clp_pair_gain_bounds(const clp_pair *pair, const clp_pose *X_WA,
                                     const clp_pose *X_WB, double cycle, clp_twist_bound motion)
{
  if (!pair->started)
    return (clp_gain_bounds){0};
  const clp_pose *X_Wa = pair->turned ? X_WB : X_WA, *X_Wb = pair->turned ? X_WA : X_WB;
  clp_couple couple = clp_couple_make(pair->a, pair->b, X_Wa, X_Wb);
  clp_spots spots = clp_pair_spots_at(pair, X_Wa, X_Wb);
  clp_couple_jets jets = clp_couple_jets_at(pair->a, spots.a, pair->b, spots.b, &couple.X_AB);
  clp_flow_options flow = clp_flow_options_of(&pair->options, cycle);
  clp_gain_case gain_case = clp_flow_gain_case(&flow, &jets, clp_drag_bound(&jets, motion));
  clp_gain_bounds bounds = clp_gain_bounds_for(&gain_case);
  bounds.distance -= pair->padding;
  return bounds;
}
