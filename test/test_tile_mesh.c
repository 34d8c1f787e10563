/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <sys/stat.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/mesh/tile.h"
#include "rclc_closest_point/mesh/triangle_tree.h"
#include "support/amount.h"
#include "support/lines.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/scratch.h"
#include "support/suite.h"

/* URDFs with meshes of the tests' own making become models. Whether these contain the meshes is
 * asked of random points in wider numbers, from the face planes of the model that is read again. */

static made_mesh made;

static clp_model *tile_and_read(const char *urdf, clp_tile_wish wish, clp_tiled *tiled, lines *l)
{
  FILE *file = fopen("robot.urdf", "w");
  ck_assert_ptr_nonnull(file);
  fputs(urdf, file);
  fclose(file);
  clp_status status = clp_tile("robot.urdf", wish, lines_sink(l), tiled);
  ck_assert_msg(status == CLP_OK, "%s", l->text);
  clp_model *model = NULL;
  lines again = {0};
  clp_model_parse(tiled->text, tiled->length, "tiled", lines_sink(&again), &model);
  ck_assert_msg(model != NULL, "%s", again.text);
  return model;
}

static const char one_mesh[] =
    "<robot name='r'>\n  <link name='a'>\n    <collision name='shell'>\n      <origin xyz='1 2 3' "
    "rpy='0.1 0.2 0.3'/>\n      <geometry><mesh filename='a.stl'/></geometry>\n    </collision>\n"
    "  </link>\n</robot>\n";

/* How far a point is outside of the nearest part of link 0, at most; parts share one pose. */
static long double outside(const clp_model *model, const long double p[3])
{
  long double least = 1e9L;
  for (int k = 0; k < clp_model_part_count(model, 0); ++k) {
    const clp_body *body = clp_model_part(model, 0, k).body;
    long double most = -1e9L;
    for (uint32_t f = 0; f < body->face_count; ++f) {
      const clp_plane *plane = &body->faces[f].surface.as.plane;
      clp_vec3 n = clp_cross(plane->a, plane->b), o = plane->origin;
      long double beyond = (n.x * (p[0] - o.x) + n.y * (p[1] - o.y) + n.z * (p[2] - o.z));
      most = beyond > most ? beyond : most;
    }
    least = most < least ? most : least;
  }
  return least;
}

/* Random points of the surface, by triangle. */
static long double worst_of_surface(const clp_model *model, int points)
{
  random_state g = {5};
  long double worst = -1e9L;
  for (int k = 0; k < points; ++k) {
    const clp_vec3 *c = made.corners + 3 * (random_bits(&g) % made.count);
    long double u = random_between(&g, 0, 1), v = random_between(&g, 0, 1);
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    long double p[3] = {c[0].x + u * (c[1].x - c[0].x) + v * (c[2].x - c[0].x),
                        c[0].y + u * (c[1].y - c[0].y) + v * (c[2].y - c[0].y),
                        c[0].z + u * (c[1].z - c[0].z) + v * (c[2].z - c[0].z)};
    long double here = outside(model, p);
    worst = here > worst ? here : worst;
  }
  return worst;
}

static clp_model *tile_made(clp_tile_wish wish, clp_tiled *tiled)
{
  lines l = {0};
  enter_folder();
  made_round(&made);
  made_write_binary(&made, "a.stl");
  clp_model *model = tile_and_read(one_mesh, wish, tiled, &l);
  leave_folder();
  ck_assert_msg(l.defects == 0, "%s", l.text);
  ck_assert_int_eq(tiled->failures, 0);
  ck_assert(tiled->links[0].contained);
  return model;
}

/* ---- One part ----------------------------------------------------------------------------- */

SUITE("tile_mesh");

TEST_CASE("meshes", 60);

TEST(test_box)
{
  clp_tiled tiled;
  made.count = 0;
  made_box(&made, (clp_vec3){-0.1, 0.2, 0.3}, (clp_vec3){0.4, 0.5, 0.7});
  clp_model *model = tile_made(clp_default_tile_wish(), &tiled);
  clp_part part = clp_model_part(model, 0, 0);
  ck_assert_int_eq(clp_model_part_count(model, 0), 1);
  ck_assert_str_eq(part.name, "shell");
  ck_assert_double_eq(part.X_LP.position.z, 3);
  ck_assert_int_eq(clp_body_describe(part.body).faces, 6);
  ck_assert(tiled.links[0].watertight && tiled.links[0].gap < 1e-6 && tiled.links[0].gap > 0);
  ck_assert_double_eq_tol(tiled.links[0].volume_ratio, 1, 1e-6);
  ck_assert(worst_of_surface(model, amount_of(2000)) < 0);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

static void make_ball(int steps)
{
  double profile[40][2];
  made.count = 0;
  for (int k = 0; k < 40; ++k) {
    double a = -1.5707963267948966 + 3.141592653589793 * k / 39;
    profile[k][0] = k == 0 || k == 39 ? 0 : 0.2 * cos(a);
    profile[k][1] = 0.3 * sin(a);
  }
  made_ring(&made, (const double(*)[2])profile, 40, steps);
}

TEST(test_round_body_within_its_facets)
{
  static const int facets[] = {6, 30, 300, 3000};
  double last = 1;
  for (int k = 0; k < 4; ++k) {
    clp_tiled tiled;
    clp_tile_wish wish = clp_default_tile_wish();
    wish.max_facets = facets[k];
    wish.max_gap = 1;
    make_ball(60);
    clp_model *model = tile_made(wish, &tiled);
    ck_assert_int_le(tiled.links[0].facets, facets[k]);
    ck_assert(worst_of_surface(model, amount_of(3000)) < 0);
    ck_assert_msg(tiled.links[0].gap < last, "%d: %g after %g", facets[k], tiled.links[0].gap,
                  last);
    last = tiled.links[0].gap;
    clp_model_destroy(model);
    clp_tiled_release(&tiled);
  }
  ck_assert_double_lt(last, 2e-4);
}

TEST(test_margin)
{
  clp_tiled tiled;
  clp_tile_wish wish = clp_default_tile_wish();
  wish.margin = 0.01;
  make_ball(40);
  clp_model *model = tile_made(wish, &tiled);
  ck_assert(worst_of_surface(model, amount_of(3000)) < -0.01L);
  ck_assert_double_gt(tiled.links[0].gap, 0.01);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

/* ---- Several parts ------------------------------------------------------------------------ */

/* Random points inside: a shallow box in each wall and in the floor of the U. */
static long double worst_inside_u(const clp_model *model)
{
  random_state g = {6};
  long double worst = -1e9L;
  for (int k = 0; k < amount_of(20000); ++k) {
    long double x = random_between(&g, 0, 0.5), z = random_between(&g, 0, 0.4);
    long double p[3] = {x, random_between(&g, 0, 0.3), z};
    if (x > 0.05L && x < 0.45L && z > 0.05L)
      continue;
    long double here = outside(model, p);
    worst = here > worst ? here : worst;
  }
  return worst;
}

TEST(test_u_is_divided)
{
  clp_tiled tiled;
  made.count = 0;
  made_u(&made, 0.5, 0.4, 0.05, 0.3);
  clp_model *model = tile_made(clp_default_tile_wish(), &tiled);
  ck_assert(tiled.links[0].watertight);
  ck_assert_int_gt(tiled.links[0].parts, 2);
  ck_assert_msg(tiled.links[0].gap <= 0.02, "%g", tiled.links[0].gap);
  ck_assert(worst_of_surface(model, amount_of(20000)) < 0);
  ck_assert(worst_inside_u(model) < 1e-7L); /* single precision moved the walls */
  ck_assert_str_eq(clp_model_part(model, 0, 0).name, "shell_0");
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

/* Cutting a block's surface alone would lose its inside. */
TEST(test_inside_of_a_divided_body)
{
  clp_tiled tiled;
  clp_tile_wish wish = clp_default_tile_wish();
  const double profile[4][2] = {{0.05, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {0.05, 0.2}};
  wish.max_gap = 0.001;
  wish.max_parts = amount_quick() ? 4 : 16;
  made.count = 0;
  made_ring(&made, profile, 4, 48);
  clp_model *model = tile_made(wish, &tiled);
  ck_assert_int_gt(tiled.links[0].parts, 2);
  random_state g = {8};
  long double worst = -1e9L;
  for (int k = 0; k < amount_of(20000); ++k) {
    double r = random_between(&g, 0.0501, 0.299), a = random_between(&g, 0, 6.28);
    long double p[3] = {r * cos(a), r * sin(a), random_between(&g, -0.2, 0.2)};
    long double here = outside(model, p);
    worst = here > worst ? here : worst;
  }
  ck_assert_msg(worst < 0, "%Lg", worst);
  ck_assert(worst_of_surface(model, amount_of(20000)) < 0);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

/* A round recess is as deep in each half of it: it takes two cuts that cross, and only then those
 * that help alone. */
TEST(test_round_recess)
{
  clp_tiled tiled;
  clp_tile_wish wish = clp_default_tile_wish();
  const double profile[6][2] = {{0, -0.05}, {0.06, -0.05},   {0.06, 0},
                                {0.022, 0}, {0.022, -0.011}, {0.002, -0.011}};
  wish.max_gap = 0.01;
  wish.max_parts = 4;
  made.count = 0;
  made_ring(&made, profile, 6, 48);
  clp_model *model = tile_made(wish, &tiled);
  ck_assert_int_eq(tiled.links[0].parts, 4);
  ck_assert_msg(tiled.links[0].gap <= 0.01, "%g", tiled.links[0].gap);
  ck_assert(worst_of_surface(model, amount_of(20000)) < 0);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

/* Holes, flipped and doubled triangles, slivers: the surface is contained all the same. */
TEST(test_damaged_meshes)
{
  for (int damage = 0; damage < 4; ++damage) {
    clp_tiled tiled;
    made.count = 0;
    made_u(&made, 0.5, 0.4, 0.05, 0.3);
    if (damage == 0)
      made.count -= 3;
    for (size_t t = 0; damage == 1 && t < made.count; t += 3) {
      clp_vec3 other = made.corners[3 * t];
      made.corners[3 * t] = made.corners[3 * t + 1];
      made.corners[3 * t + 1] = other;
    }
    for (size_t t = 0, count = made.count; damage == 2 && t < count; t += 2)
      made_add(&made, made.corners[3 * t], made.corners[3 * t + 1], made.corners[3 * t + 2]);
    if (damage == 3)
      made_add(&made, (clp_vec3){0, 0, 0}, (clp_vec3){0.5, 0.3, 0.4}, (clp_vec3){0.25, 0.15, 0.2});
    clp_model *model = tile_made(clp_default_tile_wish(), &tiled);
    ck_assert_msg(worst_of_surface(model, amount_of(20000)) < 0, "damage %d", damage);
    ck_assert_int_eq(tiled.links[0].watertight, damage == 1);
    clp_model_destroy(model);
    clp_tiled_release(&tiled);
  }
}

/* Corners that were one and have been rounded apart: closed again, and what the file says is
 * contained, not only what it has been taken for. */
TEST(test_cracked_mesh)
{
  clp_tiled tiled;
  random_state g = {4};
  made.count = 0;
  made_u(&made, 0.5, 0.4, 0.05, 0.3);
  for (size_t k = 0; k < 3 * made.count; ++k)
    made.corners[k] =
        clp_add_scaled(made.corners[k], random_between(&g, 0, 2e-5), random_direction(&g));
  clp_model *model = tile_made(clp_default_tile_wish(), &tiled);
  ck_assert(tiled.links[0].watertight);
  ck_assert_msg(tiled.links[0].gap <= 0.02, "%g", tiled.links[0].gap);
  ck_assert(worst_of_surface(model, amount_of(20000)) < 0);
  ck_assert(worst_inside_u(model) < 1e-4L);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

/* ---- The gap ------------------------------------------------------------------------------ */

/* A box with a cavity that is closed is filled; one that is open is not. */
TEST(test_gap_of_hollow_bodies)
{
  clp_tiled tiled;
  clp_tile_wish wish = clp_default_tile_wish();
  wish.max_parts = 1;
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){0.5, 0.4, 0.3});
  made_box(&made, (clp_vec3){0.1, 0.1, 0.1}, (clp_vec3){0.4, 0.3, 0.2});
  clp_model_destroy(tile_made(wish, &tiled));
  ck_assert_double_lt(tiled.links[0].gap, 1e-6);
  clp_tiled_release(&tiled);
  made.count = 0;
  made_u(&made, 0.5, 0.4, 0.05, 0.3);
  clp_model_destroy(tile_made(wish, &tiled));
  ck_assert_msg(tiled.links[0].gap >= 0.1999 && tiled.links[0].gap < 0.21, "%g",
                tiled.links[0].gap);
  clp_tiled_release(&tiled);
}

/* The distance from the mesh's nearest triangle, of the vertex that is farthest: of a body round a
 * convex mesh this is the gap. */
static double farthest_vertex(const clp_model *model)
{
  const clp_body *body = clp_model_part(model, 0, 0).body;
  clp_arena arena = {0};
  clp_mesh mesh;
  ck_assert(clp_mesh_make(&(clp_triangles){made.corners, made.count}, &arena, &mesh));
  double farthest = 0;
  for (uint32_t v = 0; v < body->vertex_count; ++v) {
    double least = HUGE_VAL;
    for (size_t t = 0; t < mesh.triangle_count; ++t)
      least = fmin(least, clp_triangle_distance(&mesh, (int)t, body->vertices[v].place));
    farthest = fmax(farthest, least);
  }
  clp_arena_release(&arena);
  return farthest;
}

/* Next to nothing is added to what is there, round and angular, and in a shallow pocket. */
TEST(test_gap_of_nearly_convex_bodies)
{
  clp_tile_wish wish = clp_default_tile_wish();
  for (int facets = 60; facets <= 600; facets *= 10) {
    clp_tiled tiled;
    make_ball(60);
    wish.max_facets = facets;
    clp_model *model = tile_made(wish, &tiled);
    double there = farthest_vertex(model);
    ck_assert_msg(tiled.links[0].gap >= there && tiled.links[0].gap < 1.05 * there + 1e-5,
                  "%d facets: %g of %g", facets, tiled.links[0].gap, there);
    clp_model_destroy(model);
    clp_tiled_release(&tiled);
  }
  clp_tiled tiled;
  made.count = 0;
  made_u(&made, 0.5, 0.052, 0.05, 0.3);
  clp_model_destroy(tile_made(wish, &tiled));
  ck_assert_msg(tiled.links[0].gap >= 0.002 && tiled.links[0].gap < 0.0021, "%g",
                tiled.links[0].gap);
  clp_tiled_release(&tiled);
}

/* ---- The file ----------------------------------------------------------------------------- */

static const char mixed[] =
    "<robot name='r'>\n"
    "  <!-- <link name='not me'> -->\n"
    "  <link name='base'><collision><geometry><capsule radius='0.1' length='1'/></geometry>"
    "</collision></link>\n"
    "  <link name='bad'>\n    <collision><geometry><mesh filename='none.stl'/></geometry>"
    "</collision>\n    <collision><geometry><box size='1 1 1'/></geometry></collision>\n  </link>\n"
    "  <link name='good'>\n    <collision><geometry><mesh filename='a.stl'/></geometry>"
    "</collision>\n  </link>\n"
    "  <joint name='j' type='fixed'><parent link='base'/><child link='good'/></joint>\n"
    "</robot>\n";

TEST_CASE("files", 30);

TEST(test_a_failed_link_stays_uncovered)
{
  clp_tiled tiled;
  lines l = {0};
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 1, 1});
  enter_folder();
  made_write_text(&made, "a.stl");
  clp_model *model = tile_and_read(mixed, clp_default_tile_wish(), &tiled, &l);
  leave_folder();
  ck_assert_int_eq(tiled.failures, 1);
  ck_assert_msg(lines_have(&l, "robot.urdf", 5, "mesh 'none.stl' cannot be enclosed"), "%s",
                l.text);
  ck_assert_int_eq(clp_model_part_count(model, 0), 1);
  ck_assert_int_eq(clp_model_part_count(model, 1), 0);
  ck_assert_uint_ne(clp_model_link_matter(model, 1), 0);
  ck_assert_int_eq(clp_model_part_count(model, 2), 1);
  ck_assert(!clp_model_is_pair(model, 0, 2)); /* the joint is still there */
  ck_assert(tiled.links[1].failed && !tiled.links[1].contained && tiled.links[2].contained);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

TEST(test_one_link_as_an_overlay)
{
  clp_tiled tiled;
  lines l = {0};
  clp_tile_wish wish = clp_default_tile_wish();
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 1, 1});
  enter_folder();
  made_write_text(&made, "a.stl");
  wish.link = "good";
  clp_model *model = tile_and_read(mixed, wish, &tiled, &l);
  ck_assert_int_eq(clp_model_link_count(model), 1);
  ck_assert_str_eq(clp_model_link_name(model, 0), "good");
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
  wish.link = "nobody";
  ck_assert_int_eq(clp_tile("robot.urdf", wish, lines_sink(&l), &tiled), CLP_ERROR_FORMAT);
  ck_assert_msg(lines_have(&l, "robot.urdf", 1, "there is no link 'nobody'"), "%s", l.text);
  leave_folder();
}

TEST(test_visuals)
{
  clp_tiled tiled;
  lines l = {0};
  clp_tile_wish wish = clp_default_tile_wish();
  wish.visual = true;
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 1, 1});
  enter_folder();
  made_write_text(&made, "a.stl");
  clp_model *model = tile_and_read(
      "<robot><link name='a'><visual><geometry><mesh filename='a.stl' scale='2 2 2'/></geometry>"
      "</visual><visual><origin xyz='5 0 0'/><geometry><mesh filename='a.stl'/></geometry></visual>"
      "<collision name='visual'><geometry><sphere "
      "radius='1'/></geometry></collision></link></robot>",
      wish, &tiled, &l);
  leave_folder();
  ck_assert_int_eq(clp_model_part_count(model, 0), 3);
  ck_assert_double_eq(clp_model_part(model, 0, 2).X_LP.position.x, 5);
  ck_assert_double_eq_tol(clp_body_describe(clp_model_part(model, 0, 1).body).volume, 8, 1e-4);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

/* A visual box round primitives, off to one side. */
TEST(test_how_far_visuals_reach)
{
  static const struct {
    const char *shape;
    double reach;
  } cases[] = {{"<box size='2 2 2'/>", 0.5},                     /* 1.5 - 1 */
               {"<sphere radius='2'/>", 0.0615528},              /* |1.5 1 1| - 2 */
               {"<cylinder radius='1' length='2'/>", 0.8027756}, /* |1.5 1| - 1 */
               {"<capsule radius='1' length='1'/>", 0.8708287},  /* |1.5 1 0.5| - 1 */
               {"<mesh filename='a.stl'/>", 0.7071068}};         /* |0.5 0.5| at (-0.5 -1) */
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char urdf[600];
    clp_tiled tiled;
    lines l = {0};
    snprintf(urdf, sizeof urdf,
             "<robot><link name='a'><visual><origin xyz='0.5 0 0' rpy='0 0 3.141592653589793'/>"
             "<geometry><mesh filename='a.stl' scale='1 1 1'/></geometry></visual><visual/>"
             "<collision><origin xyz='%s'/><geometry>%s</geometry></collision></link></robot>",
             k == 4 ? "0.5 0.5 0.5" : "0 0 0", cases[k].shape);
    made.count = 0;
    made_box(&made, (clp_vec3){-1, -1, -1}, (clp_vec3){1, 1, 1});
    enter_folder();
    made_write_text(&made, "a.stl");
    clp_model_destroy(tile_and_read(urdf, clp_default_tile_wish(), &tiled, &l));
    leave_folder();
    double outside = tiled.links[0].visual_outside, expected = cases[k].reach;
    ck_assert_msg(outside >= expected - 1e-6 && outside <= expected * 1.05 + 2e-4, "%s: %g",
                  cases[k].shape, outside);
    clp_tiled_release(&tiled);
  }
}

/* ---- Paths -------------------------------------------------------------------------------- */

static void tile_uri(const char *uri, const char *folder, const char *expected)
{
  char urdf[512];
  snprintf(urdf, sizeof urdf,
           "<robot><link name='a'><visual/><collision><geometry>\n<mesh filename='%s'/></geometry>"
           "</collision></link></robot>",
           uri);
  FILE *file = fopen("ws/pkg/urdf/robot.urdf", "w");
  ck_assert_ptr_nonnull(file);
  fputs(urdf, file);
  fclose(file);
  clp_tiled tiled;
  lines l = {0};
  const char *const folders[] = {folder, NULL};
  clp_tile_wish wish = clp_default_tile_wish();
  wish.package_paths = folder ? folders : NULL;
  ck_assert_int_eq(clp_tile("ws/pkg/urdf/robot.urdf", wish, lines_sink(&l), &tiled), CLP_OK);
  if (expected)
    ck_assert_msg(lines_have(&l, "ws/pkg/urdf/robot.urdf", 2, expected), "%s: %s", uri, l.text);
  ck_assert_msg(tiled.failures == (expected != NULL), "%s: %s", uri, l.text);
  clp_tiled_release(&tiled);
}

TEST(test_paths)
{
  char here[512], uri[640];
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 1, 1});
  enter_folder();
  ck_assert_int_eq(
      system("mkdir -p ws/pkg/urdf ws/pkg/meshes ws/folder/meshes pre/share/third "
             "other && echo '<package><name> pkg </name></package>' >ws/pkg/package.xml "
             "&& echo '<package><name>second</name></package>' "
             ">ws/folder/package.xml"),
      0);
  made_write_text(&made, "ws/pkg/meshes/a.stl");
  made_write_text(&made, "ws/folder/meshes/a.stl");
  made_write_text(&made, "pre/share/third/a.stl");
  made_write_text(&made, "other/a.stl");
  unsetenv("AMENT_PREFIX_PATH");
  unsetenv("ROS_PACKAGE_PATH");
  tile_uri("../meshes/a.stl", NULL, NULL);
  tile_uri("../../folder/meshes/a.stl", NULL, "leads out of the URDF");
  tile_uri("../../folder/meshes/a.stl", "ws", NULL);
  tile_uri("package://pkg/meshes/a.stl", NULL, NULL);
  tile_uri("package://pkg/urdf/../meshes/a.stl", NULL, NULL);
  tile_uri("package://pkg/../folder/meshes/a.stl", "ws", "leads out of its package");
  tile_uri("package://second/meshes/a.stl", NULL, "there is no package 'second'");
  tile_uri("package://second/meshes/a.stl", "ws", NULL);
  tile_uri("package://second/meshes/a.stl", "ws/folder/", NULL);
  tile_uri("package://third/a.stl", NULL, "there is no package 'third'");
  tile_uri("package://../a.stl", "ws", "expected package://NAME/PATH");
  tile_uri("model://pkg/a.stl", NULL, "expected package://, file:/// or a path");
  ck_assert_ptr_nonnull(getcwd(here, sizeof here));
  setenv("AMENT_PREFIX_PATH", "/nowhere:pre", 1);
  tile_uri("package://third/a.stl", NULL, NULL);
  setenv("ROS_PACKAGE_PATH", "ws", 1);
  tile_uri("package://second/meshes/a.stl", NULL, NULL);
  snprintf(uri, sizeof uri, "file://%s/other/a.stl", here);
  tile_uri(uri, NULL, NULL);
  leave_folder();
}
