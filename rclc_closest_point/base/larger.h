/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_LARGER_H
#define RCLC_CLOSEST_POINT_BASE_LARGER_H

#include <math.h>

#include "rclc_closest_point/base/inlining.h"

/* fmax and fmin are calls, for what they do with what is not a number. These are an instruction: b
 * where one of the two is no number. */
CLP_INLINE double clp_larger(double a, double b)
{
  return a > b ? a : b;
}

CLP_INLINE double clp_smaller(double a, double b)
{
  return a < b ? a : b;
}

/* fmax and fmin: the other one where one of the two is no number. For bounds, which one that is
 * none must not take the place of. */
CLP_INLINE double clp_max(double a, double b)
{
  return isnan(b) ? a : clp_larger(a, b);
}

CLP_INLINE double clp_min(double a, double b)
{
  return isnan(b) ? a : clp_smaller(a, b);
}

#endif
