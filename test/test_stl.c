/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <sys/stat.h>

#include "rclc_closest_point/mesh/mesh.h"
#include "rclc_closest_point/mesh/mesh_file.h"
#include "support/lines.h"
#include "support/meshes.h"
#include "support/scratch.h"
#include "support/suite.h"

static clp_status read_bytes(const char *bytes, size_t length, lines *l, clp_arena *arena,
                             clp_triangles *triangles)
{
  clp_log log = {.file = "a.stl", .sink = lines_sink(l)};
  return clp_stl_read(bytes, length, &log, arena, triangles);
}

static void expect_refused(const char *text, int line, const char *message)
{
  lines l = {0};
  clp_arena arena = {0};
  clp_triangles t;
  ck_assert_int_eq(read_bytes(text, strlen(text), &l, &arena, &t), CLP_ERROR_FORMAT);
  ck_assert_msg(lines_have(&l, "a.stl", line, message), "%s", l.text);
  clp_arena_release(&arena);
}

SUITE("stl");

TEST_CASE("stl", 10);

TEST(test_text_defects)
{
  expect_refused("", 1, "0 bytes, expected STL");
  expect_refused("mesh of something", 1, "expected STL: text that begins with solid");
  expect_refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n", 4,
                 "'zero', expected a number");
  expect_refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 0\n", 4, "'nan'");
  expect_refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 1e30 0\n", 4, "at most 1e7");
  expect_refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nendloop\n",
                 6, "'endloop', expected vertex");
  expect_refused("solid a\nfacet normal 0 0 1\nouter loop\n", 4, "the file ends, expected vertex");
  expect_refused("solid a\nfacet normal 0 0 1\n inner loop\n", 3, "'inner', expected outer");
  expect_refused("solid\nfoo\n", 2, "'foo', expected facet");
}

TEST(test_two_solids_and_odd_text)
{
  static const char text[] =
      "SOLID two words\r\nFACET NORMAL nan nan nan OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0\r\n"
      "VERTEX 0 1 -1.5e-3 ENDLOOP ENDFACET ENDSOLID two words\r\nsolid\nendsolid\n";
  lines l = {0};
  clp_arena arena = {0};
  clp_triangles t;
  ck_assert_msg(read_bytes(text, sizeof text - 1, &l, &arena, &t) == CLP_OK, "%s", l.text);
  ck_assert_uint_eq(t.count, 1);
  ck_assert_double_eq(t.corners[2].z, -1.5e-3);
  clp_arena_release(&arena);
}

TEST(test_binary_defects)
{
  char bytes[84 + 50 + 7] = "solid in name only";
  const size_t whole = 84 + 50;
  lines l = {0};
  clp_arena arena = {0};
  clp_triangles t;
  bytes[80] = 1;
  ck_assert_int_eq(read_bytes(bytes, whole, &l, &arena, &t), CLP_OK);
  ck_assert_uint_eq(t.count, 1);
  ck_assert_int_eq(read_bytes(bytes, whole - 1, &l, &arena, &t), CLP_ERROR_FORMAT);
  ck_assert_msg(lines_have(&l, "a.stl", 1, "133 bytes, expected STL"), "%s", l.text);
  l = (lines){0};
  ck_assert_int_eq(read_bytes(bytes, sizeof bytes, &l, &arena, &t), CLP_OK); /* zeros behind it */
  ck_assert(t.count == 1 && l.notes == 1);
  bytes[whole] = 1;
  ck_assert_int_eq(read_bytes(bytes, sizeof bytes, &l, &arena, &t), CLP_ERROR_FORMAT);
  memset(bytes + 96, 0xff, 4); /* a NaN */
  ck_assert_int_eq(read_bytes(bytes, whole, &l, &arena, &t), CLP_ERROR_FORMAT);
  ck_assert_msg(lines_have(&l, "a.stl", 1, "triangle 0 has coordinate"), "%s", l.text);
  clp_arena_release(&arena);
}

/* Both kinds say the same, and so does the scale. */
TEST(test_both_kinds_agree)
{
  static made_mesh made;
  const double one[3] = {1, 1, 1}, milli[3] = {1e-3, 1e-3, -1e-3};
  lines l = {0};
  clp_arena arena = {0};
  clp_mesh a, b, c;
  made.count = 0;
  made_box(&made, (clp_vec3){-0.1, 0.2, 0.3}, (clp_vec3){0.4, 0.5, 0.7});
  made_round(&made);
  enter_folder();
  made_write_binary(&made, "binary.STL");
  made_write_text(&made, "text.stl");
  ck_assert_int_eq(clp_mesh_load("binary.STL", one, lines_sink(&l), &arena, &a), CLP_OK);
  ck_assert_int_eq(clp_mesh_load("text.stl", one, lines_sink(&l), &arena, &b), CLP_OK);
  ck_assert_int_eq(clp_mesh_load("text.stl", milli, lines_sink(&l), &arena, &c), CLP_OK);
  leave_folder();
  ck_assert_uint_eq(a.vertex_count, 8);
  ck_assert_uint_eq(a.triangle_count, 12);
  ck_assert(a.watertight && a.shell_count == 1);
  ck_assert_mem_eq(a.vertices, b.vertices, 8 * sizeof *a.vertices);
  for (int k = 0; k < 8; ++k) {
    ck_assert(c.vertices[k].x == 1e-3 * b.vertices[k].x);
    ck_assert(c.vertices[k].z == -1e-3 * b.vertices[k].z);
  }
  clp_arena_release(&arena);
}

static void expect_load_refused(const char *path, const double scale[3], const char *message)
{
  lines l = {0};
  clp_arena arena = {0};
  clp_mesh mesh;
  ck_assert_int_ne(clp_mesh_load(path, scale, lines_sink(&l), &arena, &mesh), CLP_OK);
  ck_assert_msg(lines_have(&l, path, 1, message), "%s", l.text);
  clp_arena_release(&arena);
}

TEST(test_files_refused)
{
  static made_mesh made;
  const double one[3] = {1, 1, 1}, zero[3] = {1, 0, 1};
  enter_folder();
  made.count = 0;
  made_write_text(&made, "empty.stl");
  made_add(&made, (clp_vec3){1, 1, 1}, (clp_vec3){1, 1, 1}, (clp_vec3){1, 1, 1});
  made_write_text(&made, "point.stl");
  expect_load_refused("empty.stl", one, "no triangles");
  expect_load_refused("point.stl", one, "expected an extent");
  expect_load_refused("point.stl", zero, "a scale of 0");
  expect_load_refused("missing.stl", one, "cannot be read");
  expect_load_refused("hand.step", one, "a mesh of format '.step'");
  ck_assert_int_eq(mkdir("folder.stl", 0700), 0);
  expect_load_refused("folder.stl", one, "a directory, expected a regular file");
  ck_assert_int_eq(mkfifo("pipe.stl", 0600), 0); /* nobody will ever write into it */
  expect_load_refused("pipe.stl", one, "a pipe, a socket or a device, expected a regular file");
  ck_assert_int_eq(symlink("/dev/zero", "endless.stl"), 0);
  expect_load_refused("endless.stl", one, "a pipe, a socket or a device, expected a regular file");
  leave_folder();
}

/* ---- Other formats ------------------------------------------------------------------------ */

/* A tetrahedron in millimeters, z up, with a node that moves it, and a line beside it. */
static const char collada[] =
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
    "version='1.4.1'><asset><unit name='millimeter' meter='0.001'/><up_axis>Z_UP</up_axis></asset>"
    "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='pa' count='12'>"
    "0 0 0 100 0 0 0 200 0 0 0 300</float_array><technique_common><accessor source='#pa' count='4' "
    "stride='3'><param name='X' type='float'/><param name='Y' type='float'/><param name='Z' "
    "type='float'/></accessor></technique_common></source><vertices id='v'><input "
    "semantic='POSITION' source='#p'/></vertices><triangles count='4'><input semantic='VERTEX' "
    "source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles><lines count='1'><input "
    "semantic='VERTEX' source='#v' offset='0'/><p>0 3</p></lines></mesh></geometry>"
    "</library_geometries><library_visual_scenes><visual_scene id='s'><node><translate>10 20 30"
    "</translate><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
    "<instance_visual_scene url='#s'/></scene></COLLADA>";

TEST(test_other_formats)
{
  const double one[3] = {1, 1, 1};
  clp_arena arena = {0};
  enter_folder();
  write_whole("a.dae", collada);
  write_whole("a.obj",
              "v 0 0 0\nv 0.1 0 0\nv 0 0.2 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
#ifdef CLP_ASSIMP
  clp_mesh mesh;
  lines l = {0};
  ck_assert_msg(clp_mesh_load("a.dae", one, lines_sink(&l), &arena, &mesh) == CLP_OK, "%s", l.text);
  ck_assert_uint_eq(mesh.triangle_count, 4);
  ck_assert(mesh.watertight);
  ck_assert_double_eq_tol(mesh.box.min.x, 0.01, 1e-7);
  ck_assert_double_eq_tol(mesh.box.min.z, 0.03, 1e-7);
  ck_assert_double_eq_tol(mesh.box.max.y, 0.22, 1e-7);
  ck_assert_double_eq_tol(mesh.box.max.z, 0.33, 1e-7);
  ck_assert_msg(clp_mesh_load("a.obj", one, lines_sink(&l), &arena, &mesh) == CLP_OK, "%s", l.text);
  ck_assert_double_eq_tol(mesh.box.max.z, 0.3, 1e-7);
  ck_assert_double_eq_tol(clp_mesh_shell_volume6(&mesh, 0), 0.006, 1e-8);
  write_whole("b.dae", "<COLLADA><nothing/>");
  expect_load_refused("b.dae", one, "no mesh can be read from it");
#else
  expect_load_refused("a.dae", one, "expected .stl, or a build with Assimp");
  expect_load_refused("a.obj", one, "a mesh of format '.obj'");
#endif
  leave_folder();
  clp_arena_release(&arena);
}

/* A glTF of one triangle: from `uri`, or, where that is none, from nothing. */
static void write_gltf(const char *uri, const char *count)
{
  char text[700], buffers[300] = "";
  if (uri)
    snprintf(buffers, sizeof buffers,
             "\"buffers\":[{\"uri\":\"%s\",\"byteLength\":36}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],",
             uri);
  snprintf(text, sizeof text,
           "{\"asset\":{\"version\":\"2.0\"},%s\"accessors\":[{%s\"componentType\":5126,"
           "\"count\":%s,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":"
           "{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],"
           "\"scene\":0}",
           buffers, uri ? "\"bufferView\":0," : "", count);
  write_whole("a.gltf", text);
}

/* What a library would believe: other files that a mesh names, and counts of what is not there. */
TEST(test_other_formats_that_ask_for_more)
{
#ifdef CLP_ASSIMP
  const double one[3] = {1, 1, 1};
  static const char glb[] = "glTF\2\0\0\0\377\377\377\177\377\377\377\177JSON{}";
  const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  clp_arena arena = {0};
  clp_mesh mesh;
  lines l = {0};
  enter_folder();
  write_gltf(
      "data:application/octet-stream;base64,"
      "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA",
      "3");
  ck_assert_msg(clp_mesh_load("a.gltf", one, lines_sink(&l), &arena, &mesh) == CLP_OK, "%s",
                l.text);
  ck_assert_uint_eq(mesh.triangle_count, 1);
  write_bytes("beside.bin", corners, sizeof corners);
  write_gltf("beside.bin", "3");
  expect_load_refused("a.gltf", one, "no mesh can be read from it");
  write_gltf("../../../../../../../../etc/passwd", "3");
  expect_load_refused("a.gltf", one, "no mesh can be read from it");
  write_gltf(NULL, "4000000000");
  expect_load_refused("a.gltf", one, "4000000000 things in ");
  write_bytes("a.glb", glb, sizeof glb - 1);
  expect_load_refused("a.glb", one, "2147483647 bytes in 22 bytes");
  write_whole("a.ply",
              "ply\nformat ascii 1.0\nelement vertex 4294967295\nproperty float x\n"
              "property float y\nproperty float z\nend_header\n0 0 0\n");
  expect_load_refused("a.ply", one, "4294967295 elements in ");
  write_whole("a.dae",
              "<COLLADA version='1.4.1'><library_geometries><geometry id='g'><mesh><source "
              "id='s'><float_array id='f' count = '99999999999999999999999'>0</float_array>"
              "</source></mesh></geometry></library_geometries></COLLADA>");
  expect_load_refused("a.dae", one, " things in ");
  leave_folder();
  clp_arena_release(&arena);
#endif
}

/* ---- Shells ------------------------------------------------------------------------------- */

static clp_mesh mesh_of(const made_mesh *made, clp_arena *arena)
{
  static clp_vec3 corners[3 * MADE_MOST];
  memcpy(corners, made->corners, 3 * made->count * sizeof *corners);
  clp_mesh mesh;
  ck_assert(clp_mesh_make(&(clp_triangles){corners, made->count}, arena, &mesh));
  return mesh;
}

TEST(test_shells)
{
  static made_mesh made;
  clp_arena arena = {0};
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){1, 1, 1});
  made_box(&made, (clp_vec3){2, 0, 0}, (clp_vec3){3, 1, 1});
  clp_mesh mesh = mesh_of(&made, &arena);
  ck_assert(mesh.shell_count == 2 && mesh.watertight);
  ck_assert_double_eq_tol(clp_mesh_shell_volume6(&mesh, 0), 6, 1e-12);
  made.count -= 1; /* a hole in the second box */
  mesh = mesh_of(&made, &arena);
  ck_assert(mesh.shell_count == 2 && !mesh.watertight && mesh.closed[0] && !mesh.closed[1]);
  clp_arena_release(&arena);
}
