/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/place_index.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/random.h"
#include "support/suite.h"

SUITE("place_index");

TEST_CASE("places", 10);

/* Against brute force: places within the tolerance of a known one share its number, others do
 * not, wherever the grid's cells happen to end. */
TEST(against_brute_force)
{
  random_state g = {.s = 11};
  clp_arena arena = {0};
  clp_place_index index;
  const double tolerance = 1e-3;
  clp_vec3 origin = {-1, -1, -1};
  ck_assert(clp_place_index_init(&index, &arena, tolerance, origin, 8));
  for (int k = 0; k < 3000; ++k) {
    /* on a grid of the cells' width, moved by up to twice the tolerance: the worst places */
    clp_vec3 p = {0.008 * (double)(random_bits(&g) % 12), 0.008 * (double)(random_bits(&g) % 12),
                  0.008 * (double)(random_bits(&g) % 12)};
    p = clp_add_scaled(p, random_between(&g, 0, 2 * tolerance), random_direction(&g));
    bool near = false;
    for (size_t i = 0; i < index.count; ++i)
      near |= clp_distance(index.places[i], p) <= tolerance;
    size_t before = index.count;
    uint32_t number = clp_place_number(&index, p);
    ck_assert_uint_eq(index.count, before + !near);
    ck_assert_double_le(clp_distance(index.places[number], p), tolerance);
  }
  clp_arena_release(&arena);
}

TEST(far_away_places)
{
  clp_arena arena = {0};
  clp_place_index index;
  ck_assert(clp_place_index_init(&index, &arena, 1e-9, (clp_vec3){0, 0, 0}, 4));
  uint32_t far = clp_place_number(&index, (clp_vec3){1e300, -1e300, 0});
  ck_assert_uint_ne(clp_place_number(&index, (clp_vec3){0, 0, 0}), far);
  ck_assert_uint_eq(clp_place_number(&index, (clp_vec3){1e300, -1e300, 0}), far);
  clp_arena_release(&arena);
}
