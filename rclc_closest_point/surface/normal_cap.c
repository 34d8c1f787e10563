/* SPDX-License-Identifier: Apache-2.0 */
/* Within a hemisphere caps of the sphere are like discs of the plane: the smallest one is defined
 * by two or three of the vectors that it holds, and Welzl's incremental construction finds it.
 * Whenever a vector is not in the cap of those before it, it is on the rim of the new one, and the
 * same question is asked again with one vector fixed, then with two. In a random order that takes
 * time in proportion to the number of vectors. Beyond a hemisphere this is not so: what was held is
 * lost again, and time grows with the third power; whoever takes that long is beyond one. */

#include "rclc_closest_point/surface/normal_cap.h"

#include <stdbool.h>

#include "rclc_closest_point/math/vec3.h"

/* Vectors whose order is shuffled by a stride, and how many may still be looked at. */
typedef struct list {
  const clp_vec3 *vectors;
  int count, stride;
  long left;
} list;

/* For each vector so many are looked at. Of a patch's normals, which are in no random order, those
 * within a hemisphere took up to 250. */
#define LOOKS 1000

typedef struct cap {
  clp_vec3 axis;
  double cosine;
} cap;

double clp_angle_between(clp_vec3 a, clp_vec3 b)
{
  return atan2(clp_norm(clp_cross(a, b)), clp_dot(a, b));
}

static clp_vec3 element(const list *l, int k)
{
  return l->vectors[(long long)k * l->stride % l->count];
}

/* A vector that is on a cap's rim is in it, whatever rounding makes of its cosine: some fifty units
 * in its last place. */
#define ON_CAP 1e-14

/* Unit vectors whose sum is shorter are opposite: of it a digit in a million is left. */
#define OPPOSITE 1e-7

static bool holds(cap c, clp_vec3 a)
{
  return clp_dot(c.axis, a) >= c.cosine - ON_CAP;
}

/* Of opposite vectors the middle is anywhere between them. */
static cap cap_of_two(clp_vec3 a, clp_vec3 b)
{
  clp_vec3 sum = clp_add(a, b), across, other;
  if (clp_norm(sum) < OPPOSITE) {
    clp_tangents(a, &across, &other);
    return (cap){across, 0};
  }
  clp_vec3 axis = clp_unit(sum);
  return (cap){axis, clp_dot(axis, a)};
}

/* Two that are equal make it a cap of two. */
static cap cap_of_three(clp_vec3 a, clp_vec3 b, clp_vec3 c)
{
  clp_vec3 axis = clp_unit(clp_cross(clp_sub(b, a), clp_sub(c, a)));
  if (!(clp_norm2(axis) > 0))
    return cap_of_two(a, c);
  if (clp_dot(axis, a) < 0)
    axis = clp_negate(axis);
  return (cap){axis, clp_dot(axis, a)};
}

static cap with_two_fixed(list *l, int count, clp_vec3 a, clp_vec3 b)
{
  cap c = cap_of_two(a, b);
  l->left -= count;
  for (int k = 0; k < count; ++k) {
    if (!holds(c, element(l, k)))
      c = cap_of_three(a, b, element(l, k));
  }
  return c;
}

static cap with_one_fixed(list *l, int count, clp_vec3 a)
{
  cap c = {a, 1};
  for (int k = 0; k < count && l->left > 0; ++k) {
    if (!holds(c, element(l, k)))
      c = with_two_fixed(l, k, a, element(l, k));
  }
  return c;
}

/* A prime beyond any factor that the count may have, so that the stride visits every vector. */
static int coprime_stride(int count)
{
  static const int primes[3] = {389, 397, 401};
  for (int k = 0; k < 3; ++k) {
    if (count % primes[k] != 0)
      return primes[k];
  }
  return 1;
}

clp_normal_cap clp_smallest_cap(const clp_vec3 *vectors, int count)
{
  list l = {vectors, count, coprime_stride(count), LOOKS * (long)count};
  cap c = {element(&l, 0), 1};
  for (int k = 1; k < count && l.left > 0; ++k) {
    if (!holds(c, element(&l, k)))
      c = with_one_fixed(&l, k, element(&l, k));
  }
  clp_normal_cap result = {c.axis, 0};
  for (int k = 0; k < count; ++k)
    result.angle = fmax(result.angle, clp_angle_between(c.axis, vectors[k]));
  return result;
}
