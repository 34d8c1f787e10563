/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/mesh/divide.h"
#include "rclc_closest_point/mesh/stl.h"

/* libFuzzer's entry: any bytes as an STL file. What is read becomes a mesh and, if it is small, an
 * enclosure; no vertex may be outside of that. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_BYTES 16384
#define MAX_TRIANGLES 200

static void require(bool promise)
{
  if (!promise)
    abort();
}

static void on_message(void *user, clp_severity severity, const char *line)
{
  *(int *)user += severity == CLP_DEFECT;
  require(strncmp(line, "fuzz:", 5) == 0 && line[5] >= '1' && line[5] <= '9');
}

static void enclose(const clp_mesh *mesh, clp_arena *arena)
{
  clp_polytope polytope;
  clp_triangle_tree tree;
  clp_mesh_gap gap;
  clp_polyhedron_def def;
  if (!clp_enclosure_make(mesh->vertices, mesh->vertex_count, (clp_enclosure_wish){50, 0, 0}, arena,
                          &polytope) ||
      !clp_polytope_define(&polytope, &def) || !clp_triangle_tree_make(mesh, arena, &tree) ||
      !clp_gap_bound(&tree, &def, 0, (clp_gap_effort){0.1, 0, 300, 1}, arena, &gap))
    return; /* no memory */
  require(def.face_count >= 4 && gap.most >= gap.found);
  for (size_t f = 0; f < polytope.face_count; ++f)
    for (size_t k = 0; k < mesh->vertex_count && polytope.faces[f].vertex >= 0; ++k) {
      clp_vec3 n = polytope.faces[f].normal, p = mesh->vertices[k];
      require(n.x * p.x + n.y * p.y + n.z * p.z < polytope.faces[f].offset);
    }
}

/* What a ball sweeps instead. */
static void round_off(const clp_mesh *mesh, clp_arena *arena)
{
  clp_polytope outer, core;
  clp_polyhedron_def def;
  clp_planes planes;
  double radius = 0.05 * mesh->size;
  if (!clp_enclosure_make(mesh->vertices, mesh->vertex_count, (clp_enclosure_wish){50, 0, 0}, arena,
                          &outer) ||
      !clp_enclosure_core(&outer, mesh->vertices, mesh->vertex_count, radius, arena, &core) ||
      !clp_polytope_define(&core, &def) || !clp_planes_of_polyhedron(&def, arena, &planes))
    return; /* no memory */
  require(def.face_count >= 4);
  planes.radius = radius;
  for (size_t k = 0; k < mesh->vertex_count; ++k)
    require(clp_planes_beyond(&planes, mesh->vertices[k]) < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > MAX_BYTES)
    return 0;
  char *bytes = malloc(size + 1);
  if (!bytes)
    return 0;
  if (size)
    memcpy(bytes, data, size);
  bytes[size] = '\0';
  int defects = 0;
  clp_arena arena = {0};
  clp_triangles triangles;
  clp_log log = {.file = "fuzz", .sink = {on_message, &defects}};
  clp_status status = clp_stl_read(bytes, size, &log, &arena, &triangles);
  require((status == CLP_OK) == (defects == 0));
  clp_mesh mesh;
  if (status == CLP_OK && clp_mesh_make(&triangles, &arena, &mesh) &&
      mesh.triangle_count <= MAX_TRIANGLES && mesh.triangle_count > 0 && mesh.size >= 1e-6) {
    enclose(&mesh, &arena);
    round_off(&mesh, &arena);
  }
  clp_arena_release(&arena);
  free(bytes);
  return 0;
}
