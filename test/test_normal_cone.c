/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/normal_cone.h"

#include "support/random.h"
#include "support/suite.h"

/* Cones of normals: the nearest element, and how deep inside a direction is. */

static const clp_vec3 octant[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

SUITE("normal cone");

TEST_CASE("normal cone", 10);

/* Next to a wall of the cone it is rounding that tells inside from outside: neither is deep. */
TEST(walls_are_not_inside)
{
  static const double beside[] = {1e-18, 0, -1e-18, -1e-12};
  for (int k = 0; k < 4; ++k)
    for (int axis = 0; axis < 3; ++axis) {
      double c[3] = {0.8, 0.8, 0.8};
      c[axis] = beside[k];
      c[(axis + 1) % 3] = 0.6;
      clp_cone_normal cone = clp_cone_nearest(octant, 3, (clp_vec3){c[0], c[1], c[2]});
      ck_assert_msg(cone.depth <= 1e-15, "axis %d, %g beside: depth %g", axis, beside[k],
                    cone.depth);
      ck_assert_double_le(clp_distance(cone.nearest, (clp_vec3){c[0], c[1], c[2]}), 1e-11);
    }
}

TEST(insides_are)
{
  clp_vec3 middle = clp_unit((clp_vec3){1, 1, 1});
  ck_assert_double_eq_tol(clp_cone_nearest(octant, 3, middle).depth, sqrt(1.0 / 3), 1e-15);
  clp_vec3 between = {sqrt(0.5), sqrt(0.5), 0}; /* two span a plane, and the depth is in that */
  ck_assert_double_eq_tol(clp_cone_nearest(octant, 2, between).depth, sqrt(0.5), 1e-15);
}

/* Of the octant the nearest element is known: no negative coordinates. */
TEST(nearest_in_the_octant)
{
  random_state g = {11};
  for (int k = 0; k < 10000; ++k) {
    clp_vec3 n = random_direction(&g);
    clp_vec3 expected = {fmax(0, n.x), fmax(0, n.y), fmax(0, n.z)};
    clp_cone_normal cone = clp_cone_nearest(octant, 3, n);
    bool inside = n.x >= 0 && n.y >= 0 && n.z >= 0;
    ck_assert_double_le(clp_distance(cone.nearest, expected), 1e-15);
    ck_assert_double_eq_tol(cone.depth, inside ? fmin(n.x, fmin(n.y, n.z)) : 0, 1e-15);
  }
}
