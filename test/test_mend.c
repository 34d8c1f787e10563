/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/mend.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/suite.h"

/* Meshes as exporters leave them: what is mended, by how much corners move, and what stays. */

static made_mesh made;
static clp_arena arena;

static clp_mesh mend_made(void)
{
  clp_mesh mesh;
  clp_vec3 *corners = clp_arena_take(&arena, 3 * made.count, sizeof *corners);
  ck_assert_ptr_nonnull(corners);
  for (size_t k = 0; k < 3 * made.count; ++k)
    corners[k] = made.corners[k];
  ck_assert(clp_mesh_make(&(clp_triangles){corners, made.count}, &arena, &mesh));
  ck_assert(clp_mesh_mend(&mesh, &arena));
  return mesh;
}

static void repeat(size_t first, size_t count, int times, bool turned)
{
  for (int k = 0; k < times; ++k)
    for (size_t t = first; t < first + count; ++t) {
      const clp_vec3 *c = made.corners + 3 * t;
      made_add(&made, c[0], c[turned ? 2 : 1], c[turned ? 1 : 2]);
    }
}

static void expect_volume(const clp_mesh *mesh, double volume)
{
  double sum = 0;
  for (int s = 0; s < mesh->shell_count; ++s)
    sum += clp_mesh_shell_volume6(mesh, s) / 6;
  ck_assert_msg(fabs(fabs(sum) - volume) < 1e-3 * volume, "%g, expected %g", sum, volume);
}

SUITE("mend");

TEST_CASE("meshes", 30);

/* Each triangle twice, or fifty times, either way round, is there once. */
TEST(test_repetitions)
{
  for (int times = 1; times <= 49; times += 48)
    for (int turned = 0; turned < 2; ++turned) {
      made.count = 0;
      made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 2, 3});
      repeat(0, 12, times, turned);
      made_box(&made, (clp_vec3){5, 5, 5}, (clp_vec3){6, 7, 8}); /* once */
      clp_mesh mesh = mend_made();
      ck_assert_uint_eq(mesh.triangle_count, 24);
      ck_assert(mesh.watertight);
      ck_assert_double_eq(mesh.moved, 0);
      expect_volume(&mesh, 12);
      clp_arena_release(&arena);
    }
}

/* Two boxes with a face in common have its two triangles twice, and need both. */
TEST(test_walls_between_are_no_repetitions)
{
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 1, 1});
  made_box(&made, (clp_vec3){1, 0, 0}, (clp_vec3){2, 1, 1});
  clp_mesh mesh = mend_made();
  ck_assert_uint_eq(mesh.triangle_count, 24);
  ck_assert(mesh.watertight);
  clp_arena_release(&arena);
}

/* Both sides of a sheet that encloses nothing: one sheet, which is open. */
TEST(test_a_sheet_from_both_sides)
{
  made.count = 0;
  made_quad(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 0, 0}, (clp_vec3){1, 1, 0},
            (clp_vec3){0, 1, 0});
  repeat(0, 2, 1, true);
  clp_mesh mesh = mend_made();
  ck_assert_uint_eq(mesh.triangle_count, 2);
  ck_assert(!mesh.watertight);
  clp_arena_release(&arena);
}

static void make_ring(void)
{
  const double profile[4][2] = {{0.1, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {0.1, 0.2}};
  made.count = 0;
  made_ring(&made, profile, 4, 40);
}

/* Every corner of every triangle on its own, by up to `apart`. */
static void crack(double apart)
{
  random_state g = {3};
  for (size_t k = 0; k < 3 * made.count; ++k)
    made.corners[k] =
        clp_add_scaled(made.corners[k], random_between(&g, 0, 0.5 * apart), random_direction(&g));
}

TEST(test_cracks_are_closed)
{
  for (double apart = 1e-12; apart < 1e-4; apart *= 8) {
    static made_mesh before;
    make_ring();
    crack(apart);
    before = made;
    clp_mesh mesh = mend_made();
    ck_assert_msg(mesh.watertight, "%g apart", apart);
    ck_assert_double_gt(mesh.moved, 0);
    ck_assert_double_le(mesh.moved, fmin(1e-4 * mesh.size, 1e-4));
    for (size_t t = 0; t < before.count; ++t)
      for (int c = 0; c < 3; ++c)
        ck_assert_double_le(
            clp_distance(before.corners[3 * t + (size_t)c], clp_mesh_corner(&mesh, t, c)),
            mesh.moved);
    expect_volume(&mesh, 40 * sin(3.14159265358979 / 20) / 2 * (0.09 - 0.01) * 0.4);
    clp_arena_release(&arena);
  }
}

/* What is farther apart is a hole, and nothing is moved for it; nor where nothing is open. */
TEST(test_what_stays)
{
  make_ring();
  crack(2e-3);
  clp_mesh mesh = mend_made();
  ck_assert(!mesh.watertight);
  ck_assert_double_eq(mesh.moved, 0);
  ck_assert_uint_eq(mesh.vertex_count, 3 * made.count);
  clp_arena_release(&arena);
  make_ring();
  made_box(&made, (clp_vec3){1, 1, 1}, (clp_vec3){1.000001, 1.000001, 1.000001});
  mesh = mend_made();
  ck_assert(mesh.watertight);
  ck_assert_double_eq(mesh.moved, 0);
  ck_assert_uint_eq(mesh.vertex_count, 160 + 8);
  clp_arena_release(&arena);
}
