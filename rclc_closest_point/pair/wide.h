/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_WIDE_H
#define RCLC_CLOSEST_POINT_PAIR_WIDE_H

#include <stdbool.h>

/* Whether the machine has the registers that some sources are compiled for once more; CLP_WIDE says
 * that they are. */
static inline bool clp_has_wide_registers(void)
{
#ifdef CLP_WIDE
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

#endif
