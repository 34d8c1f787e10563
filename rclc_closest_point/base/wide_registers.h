/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_WIDE_REGISTERS_H
#define RCLC_CLOSEST_POINT_BASE_WIDE_REGISTERS_H

#include <stdbool.h>

/* Whether this machine has the registers that sources are compiled for twice. CMakeLists.txt
 * defines CLP_WIDE_REGISTERS where there can be any. */
static inline bool clp_has_wide_registers(void)
{
#ifdef CLP_WIDE_REGISTERS
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

#endif
