/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

#include "rclc_closest_point/math/vec3.h"

/* splitmix64: the same numbers on every machine. */
static inline double random_between(uint64_t *state, double lo, double hi)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return lo + (hi - lo) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

static inline clp_vec3 random_direction(uint64_t *state)
{
  for (;;) {
    clp_vec3 a = {random_between(state, -1, 1), random_between(state, -1, 1),
                  random_between(state, -1, 1)};
    double n2 = clp_norm2(a);
    if (n2 > 1e-4 && n2 <= 1)
      return clp_unit(a);
  }
}

#endif
