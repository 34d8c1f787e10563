/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_REGISTERS_H
#define RCLC_CLOSEST_POINT_BASE_REGISTERS_H

#include <stdbool.h>

/* Whether this machine has the registers that some sources are compiled for a second time.
 * CLP_WIDE_REGISTERS says that they are. */
static inline bool clp_has_wide_registers(void)
{
#ifdef CLP_WIDE_REGISTERS
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

#endif
