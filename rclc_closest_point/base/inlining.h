/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_INLINING_H
#define RCLC_CLOSEST_POINT_BASE_INLINING_H

#include <stdbool.h>

/* A tracked step is a few hundred sums. Passing their operands through memory from one small
 * function to the next costs as much again, and what is a constant in one place is a branch in the
 * other, so the step's functions are inlined into one, whatever the compiler thinks of its size;
 * the ways that a step takes rarely stay apart, for else it would save their registers, too. */
#define CLP_INLINE static inline __attribute__((always_inline))
#define CLP_APART static __attribute__((noinline))

/* The code for this case is laid out without a jump. */
CLP_INLINE bool clp_usually(bool condition)
{
  return __builtin_expect(condition, true);
}

#endif
