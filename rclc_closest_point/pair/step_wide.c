/* SPDX-License-Identifier: Apache-2.0 */
/* The usual cycles for machines with AVX2, whose operations have a place of their own for what
 * comes out: a sixth of all instructions less. CMakeLists.txt gives it the flags. */
#define CLP_WIDE_LANES
#define CLP_STRIDE_JET spline_jet
#define CLP_STRIDE_SLOPE spline_slope
#define CLP_STEP_STRIDE take_stride
#define CLP_STEP_FEATURES certify_features
#define CLP_STEP_BY_PLANES clp_step_by_planes_wide
#define CLP_STEP_PADDED clp_step_padded_wide
#define CLP_STEP_BY_EXCLUSION clp_step_by_exclusion_wide
#include "rclc_closest_point/surface/spline_kernel.h"
#include "rclc_closest_point/witness/certificate_kernel.h"
#include "rclc_closest_point/witness/stride_kernel.h"

#include "rclc_closest_point/pair/step_kernel.h"
