/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_RANDOM_H
#define TEST_SUPPORT_RANDOM_H

#include <stdint.h>

#include "rclc_closest_point/math/vec3.h"

/* A small repeatable generator (splitmix64): every test names its seed and owns its state. */
typedef struct random_state {
  uint64_t s;
} random_state;

static inline uint64_t random_bits(random_state *g)
{
  uint64_t z = (g->s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline double random_between(random_state *g, double lo, double hi)
{
  return lo + (hi - lo) * ((double)(random_bits(g) >> 11) * 0x1p-53);
}

static inline clp_vec3 random_direction(random_state *g)
{
  for (;;) {
    clp_vec3 a = {random_between(g, -1, 1), random_between(g, -1, 1), random_between(g, -1, 1)};
    double n2 = clp_norm2(a);
    if (n2 > 1e-4 && n2 <= 1)
      return clp_unit(a);
  }
}

#endif
