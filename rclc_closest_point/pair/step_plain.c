/* SPDX-License-Identifier: Apache-2.0 */
/* The usual cycles for every machine, and the choice of those for better ones. */
#define CLP_STEP_STRIDE clp_stride_take
#define CLP_STEP_FEATURES clp_certify_features
#define CLP_STEP_BY_PLANES clp_step_by_planes_plain
#define CLP_STEP_PADDED clp_step_padded_plain
#define CLP_STEP_BY_EXCLUSION clp_step_by_exclusion_plain

#include "rclc_closest_point/base/wide_registers.h"
#include "rclc_closest_point/pair/step_kernel.h"

clp_track *clp_step_widest(const clp_way *way)
{
  return clp_has_wide_registers() ? way->track_wide : way->track;
}

clp_track *clp_step_padded(clp_track *cores)
{
  if (cores == clp_step_by_planes_plain)
    return clp_step_padded_plain;
  return cores == clp_step_by_planes_wide ? clp_step_padded_wide : clp_track_padded;
}
