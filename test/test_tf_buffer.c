/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/tf_buffer.h"

#include <math.h>

#include "rclc_closest_point/math/pose.h"
#include "support/random.h"
#include "support/suite.h"

/* tf2 behind its C functions: what goes in comes out, at the instants and between the frames that
 * were asked for, as matrices and screws in closed form say. */

#define SECOND INT64_C(1000000000)
#define START (1000 * SECOND)

/* About a unit axis. */
static clp_tf_transform turned(clp_vec3 translation, clp_vec3 axis, double angle)
{
  double s = sin(angle / 2);
  return (clp_tf_transform){translation, s * axis.x, s * axis.y, s * axis.z, cos(angle / 2)};
}

static clp_pose pose_of(const clp_tf_transform *X)
{
  double angle = 2 * atan2(sqrt(X->qx * X->qx + X->qy * X->qy + X->qz * X->qz), X->qw);
  clp_vec3 axis = {X->qx, X->qy, X->qz};
  double length = clp_norm(axis);
  clp_mat3 r = clp_pose_identity().rotation;
  if (length > 0)
    r = clp_rotation_about(clp_scale(1 / length, axis), angle);
  return (clp_pose){r, X->translation};
}

static void expect_same_pose(const clp_pose *X, const clp_pose *Y)
{
  ck_assert_double_le(clp_distance(X->position, Y->position), 1e-12);
  ck_assert_double_le(clp_distance(X->rotation.x, Y->rotation.x), 1e-12);
  ck_assert_double_le(clp_distance(X->rotation.y, Y->rotation.y), 1e-12);
  ck_assert_double_le(clp_distance(X->rotation.z, Y->rotation.z), 1e-12);
}

static clp_tf_transform random_transform(random_state *g)
{
  return turned(clp_scale(random_between(g, 0.1, 3), random_direction(g)), random_direction(g),
                random_between(g, -3, 3));
}

static clp_tf_transform look_up(const clp_tf_buffer *buffer, const char *target, const char *source,
                                int64_t stamp)
{
  clp_tf_transform X;
  ck_assert_msg(clp_tf_buffer_lookup(buffer, target, source, stamp, &X), "%s in %s", source,
                target);
  return X;
}

static bool known(const clp_tf_buffer *buffer, const char *target, const char *source,
                  int64_t stamp)
{
  clp_tf_transform X;
  return clp_tf_buffer_lookup(buffer, target, source, stamp, &X);
}

SUITE("tf buffer");

TEST_CASE("tf buffer", 10);

/* Every number in its place: to the last bit, for nothing is computed. */
TEST(numbers_in_their_places)
{
  clp_tf_buffer *buffer = clp_tf_buffer_create(10);
  clp_tf_transform X = {{1, 2, 3}, 0.1, 0.3, 0.5, sqrt(0.65)};
  ck_assert(clp_tf_buffer_set(buffer, "parent", "child", START, &X, false));
  clp_tf_transform Y = look_up(buffer, "parent", "child", START);
  ck_assert(Y.translation.x == 1 && Y.translation.y == 2 && Y.translation.z == 3);
  ck_assert_double_eq_tol(Y.qx, X.qx, 1e-15);
  ck_assert_double_eq_tol(Y.qy, X.qy, 1e-15);
  ck_assert_double_eq_tol(Y.qz, X.qz, 1e-15);
  ck_assert_double_eq_tol(Y.qw, X.qw, 1e-15);
  clp_tf_buffer_destroy(buffer);
}

/* From any frame to any other, up one arm and down the other, as products of matrices. */
TEST(chains_are_products)
{
  random_state g = {41};
  for (int k = 0; k < 50; ++k) {
    clp_tf_buffer *buffer = clp_tf_buffer_create(10);
    clp_tf_transform X_RA = random_transform(&g), X_AB = random_transform(&g);
    clp_tf_transform X_RC = random_transform(&g);
    ck_assert(clp_tf_buffer_set(buffer, "R", "A", START, &X_RA, false));
    ck_assert(clp_tf_buffer_set(buffer, "A", "B", START, &X_AB, true));
    ck_assert(clp_tf_buffer_set(buffer, "R", "C", START, &X_RC, false));
    clp_pose X_RB = clp_pose_multiply(pose_of(&X_RA), pose_of(&X_AB));
    clp_pose expected = clp_pose_multiply(clp_pose_inverse(pose_of(&X_RC)), X_RB);
    clp_tf_transform X_CB = look_up(buffer, "C", "B", START);
    clp_tf_transform X_BC = look_up(buffer, "B", "C", START);
    clp_pose there = pose_of(&X_CB), back = clp_pose_inverse(pose_of(&X_BC));
    expect_same_pose(&there, &expected);
    expect_same_pose(&back, &expected);
    clp_tf_buffer_destroy(buffer);
  }
}

/* Between two instants: on the line, and by the same part of the angle; at any nanosecond. */
TEST(between_two_instants)
{
  static const int64_t spans[] = {1000, SECOND / 1000, SECOND / 7, 2 * SECOND};
  random_state g = {43};
  for (int k = 0; k < 200; ++k) {
    clp_tf_buffer *buffer = clp_tf_buffer_create(10);
    clp_vec3 from = random_direction(&g), way = random_direction(&g), axis = random_direction(&g);
    int64_t start = START + (int64_t)(random_bits(&g) % (uint64_t)SECOND), span = spans[k % 4];
    double first = random_between(&g, -1, 1), turn = random_between(&g, -1.5, 1.5);
    clp_tf_transform X = turned(from, axis, first);
    clp_tf_transform Y = turned(clp_add(from, way), axis, first + turn);
    ck_assert(clp_tf_buffer_set(buffer, "R", "A", start, &X, false));
    ck_assert(clp_tf_buffer_set(buffer, "R", "A", start + span, &Y, false));
    for (int i = 0; i <= 10; ++i) {
      int64_t at = start + span * i / 10;
      double part = (double)(at - start) / (double)span;
      clp_tf_transform Z = look_up(buffer, "R", "A", at);
      clp_tf_transform expected =
          turned(clp_add_scaled(from, part, way), axis, first + part * turn);
      clp_pose is = pose_of(&Z), should = pose_of(&expected);
      expect_same_pose(&is, &should);
    }
    ck_assert(!known(buffer, "R", "A", start - 1) && !known(buffer, "R", "A", start + span + 1));
    clp_tf_buffer_destroy(buffer);
  }
}

/* A static transform holds at all times, and its stamp says nothing. */
TEST(static_ones_hold_always)
{
  clp_tf_buffer *buffer = clp_tf_buffer_create(10);
  clp_tf_transform X = turned((clp_vec3){1, 0, 0}, (clp_vec3){0, 0, 1}, 1);
  ck_assert(clp_tf_buffer_set(buffer, "R", "S", START, &X, true));
  ck_assert(clp_tf_buffer_set(buffer, "R", "M", START, &X, false));
  ck_assert(known(buffer, "R", "S", START) && known(buffer, "R", "S", 1));
  ck_assert(known(buffer, "R", "S", CLP_LARGEST_STAMP));
  ck_assert(known(buffer, "R", "M", START) && !known(buffer, "R", "M", START - 1));
  ck_assert(!known(buffer, "R", "M", START + 1));
  clp_tf_buffer_destroy(buffer);
}

/* As much is kept as was asked for: to the nanosecond before the newest. */
TEST(old_ones_are_forgotten)
{
  static const double kept[] = {1, 3, 30};
  for (int k = 0; k < 3; ++k) {
    clp_tf_buffer *buffer = clp_tf_buffer_create(kept[k]);
    clp_tf_transform X = turned((clp_vec3){1, 0, 0}, (clp_vec3){0, 0, 1}, 1);
    int64_t span = (int64_t)kept[k] * SECOND;
    ck_assert(clp_tf_buffer_set(buffer, "R", "A", START, &X, false));
    ck_assert(clp_tf_buffer_set(buffer, "R", "A", START + span - 1, &X, false));
    ck_assert(known(buffer, "R", "A", START));
    ck_assert(clp_tf_buffer_set(buffer, "R", "A", START + span + 1, &X, false));
    ck_assert(!known(buffer, "R", "A", START) && known(buffer, "R", "A", START + span - 1));
    clp_tf_buffer_destroy(buffer);
  }
}

/* The instants that every generation of tf2 can tell: the newer one counts seconds in 31 bits, and
 * both add to a stamp what they keep. */
TEST(stamps_to_the_end)
{
  static const int64_t stamps[] = {1, SECOND - 1, SECOND, 1700000000 * SECOND + 123456789,
                                   INT64_C(2147483637) * SECOND - 1};
  for (int k = 0; k < 5; ++k) {
    clp_tf_buffer *buffer = clp_tf_buffer_create(10);
    clp_tf_transform X = turned((clp_vec3){k, 0, 0}, (clp_vec3){0, 0, 1}, 1);
    ck_assert_msg(clp_tf_buffer_set(buffer, "R", "A", stamps[k], &X, false), "stamp %d", k);
    ck_assert(look_up(buffer, "R", "A", stamps[k]).translation.x == k);
    ck_assert(!known(buffer, "R", "A", stamps[k] - 1) || stamps[k] == 1); /* 0: the newest */
    clp_tf_buffer_destroy(buffer);
  }
}

/* What tf2 refuses or throws is a false, and the answer stays as it was. */
TEST(refusals)
{
  clp_tf_buffer *buffer = clp_tf_buffer_create(10);
  clp_tf_transform X = turned((clp_vec3){1, 2, 3}, (clp_vec3){0, 0, 1}, 1), Y = X;
  ck_assert(!clp_tf_buffer_set(buffer, "A", "A", START, &X, false)); /* in itself */
  ck_assert(!clp_tf_buffer_set(buffer, "R", "", START, &X, false));
  ck_assert(!clp_tf_buffer_set(buffer, "", "A", START, &X, false));
  clp_tf_transform none = {.qw = 0}, unknown = X;
  unknown.translation.y = NAN;
  ck_assert(!clp_tf_buffer_set(buffer, "R", "A", START, &none, false));
  ck_assert(!clp_tf_buffer_set(buffer, "R", "A", START, &unknown, false));
  ck_assert(!clp_tf_buffer_lookup(buffer, "R", "A", START, &Y));
  ck_assert(clp_tf_buffer_set(buffer, "R", "A", START, &X, false));
  ck_assert(!clp_tf_buffer_lookup(buffer, "R", "nowhere", START, &Y));
  ck_assert(!clp_tf_buffer_lookup(buffer, "", "A", START, &Y));
  ck_assert_mem_eq(&X, &Y, sizeof X);
  clp_tf_buffer_destroy(buffer);
}

/* One that could not be created answers nothing. */
TEST(no_buffer)
{
  clp_tf_transform X = turned((clp_vec3){1, 2, 3}, (clp_vec3){0, 0, 1}, 1);
  ck_assert(!clp_tf_buffer_set(NULL, "R", "A", START, &X, false));
  ck_assert(!clp_tf_buffer_lookup(NULL, "R", "A", START, &X));
  clp_tf_buffer_destroy(NULL);
}
