/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/mesh.h"

#include <stdint.h>
#include <string.h>

#include "rclc_closest_point/math/vec3.h"

#define NONE (-1)

/* ---- Vertices ----------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t hash_place(clp_vec3 p)
{
  uint64_t bits[3];
  memcpy(bits, &p, sizeof bits);
  return mix(bits[0] + mix(bits[1] + mix(bits[2])));
}

/* At least twice as many slots as entries. */
static size_t slots_for(size_t entries)
{
  size_t slots = 16;
  while (slots < 2 * entries)
    slots *= 2;
  return slots;
}

static bool number_vertices(const clp_triangles *triangles, clp_arena *arena, clp_mesh *mesh)
{
  size_t corners = 3 * triangles->count, slots = slots_for(corners);
  int *table = clp_arena_take(arena, slots, sizeof *table); /* vertex + 1; 0: free */
  mesh->vertices = clp_arena_take(arena, corners, sizeof *mesh->vertices);
  mesh->triangles = clp_arena_take(arena, triangles->count, sizeof *mesh->triangles);
  if (!table || !mesh->vertices || !mesh->triangles)
    return false;
  for (size_t k = 0; k < corners; ++k) {
    clp_vec3 p = triangles->corners[k];
    p = (clp_vec3){p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* one zero */
    size_t at = hash_place(p) & (slots - 1);
    while (table[at] && !clp_vec3_equals(mesh->vertices[table[at] - 1], p))
      at = (at + 1) & (slots - 1);
    if (!table[at]) {
      mesh->vertices[mesh->vertex_count] = p;
      table[at] = (int)++mesh->vertex_count;
    }
    mesh->triangles[k / 3][k % 3] = table[at] - 1;
  }
  mesh->triangle_count = triangles->count;
  return true;
}

static void measure(clp_mesh *mesh)
{
  clp_box3 b = {mesh->vertices[0], mesh->vertices[0]};
  for (size_t k = 1; k < mesh->vertex_count; ++k) {
    clp_vec3 p = mesh->vertices[k];
    b.min = (clp_vec3){fmin(b.min.x, p.x), fmin(b.min.y, p.y), fmin(b.min.z, p.z)};
    b.max = (clp_vec3){fmax(b.max.x, p.x), fmax(b.max.y, p.y), fmax(b.max.z, p.z)};
  }
  mesh->box = b;
  mesh->size = clp_distance(b.min, b.max);
}

/* ---- Shells ------------------------------------------------------------------------------- */

static int root_of(int *parent, int k)
{
  while (parent[k] != k) {
    parent[k] = parent[parent[k]];
    k = parent[k];
  }
  return k;
}

static bool number_shells(clp_arena *arena, clp_mesh *mesh)
{
  int *parent = clp_arena_take(arena, mesh->vertex_count, sizeof *parent);
  int *number = clp_arena_take(arena, mesh->vertex_count, sizeof *number);
  mesh->shell = clp_arena_take(arena, mesh->triangle_count, sizeof *mesh->shell);
  if (!parent || !number || !mesh->shell)
    return false;
  for (size_t k = 0; k < mesh->vertex_count; ++k) {
    parent[k] = (int)k;
    number[k] = NONE;
  }
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    for (int e = 1; e < 3; ++e)
      parent[root_of(parent, mesh->triangles[t][e])] = root_of(parent, mesh->triangles[t][0]);
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    int root = root_of(parent, mesh->triangles[t][0]);
    if (number[root] == NONE)
      number[root] = mesh->shell_count++;
    mesh->shell[t] = number[root];
  }
  return true;
}

typedef struct edge_use {
  int low, high; /* vertices; low < high */
  int shell, uses;
} edge_use;

static bool find_closed(clp_arena *arena, clp_mesh *mesh)
{
  size_t slots = slots_for(3 * mesh->triangle_count);
  edge_use *table = clp_arena_take(arena, slots, sizeof *table);
  mesh->closed = clp_arena_take(arena, (size_t)mesh->shell_count, sizeof *mesh->closed);
  if (!table || !mesh->closed)
    return false;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const int *corner = mesh->triangles[t];
    for (int e = 0; e < 3 && !clp_mesh_is_segment(mesh, t); ++e) {
      int a = corner[e], b = corner[(e + 1) % 3], low = a < b ? a : b, high = a < b ? b : a;
      size_t at = mix((uint64_t)low << 32 | (uint64_t)high) & (slots - 1);
      while (table[at].uses && (table[at].low != low || table[at].high != high))
        at = (at + 1) & (slots - 1);
      table[at] = (edge_use){low, high, mesh->shell[t], table[at].uses + 1};
    }
  }
  for (int s = 0; s < mesh->shell_count; ++s)
    mesh->closed[s] = true;
  for (size_t k = 0; k < slots; ++k)
    if (table[k].uses % 2)
      mesh->closed[table[k].shell] = false;
  mesh->watertight = true;
  for (int s = 0; s < mesh->shell_count; ++s)
    mesh->watertight &= mesh->closed[s];
  return true;
}

bool clp_mesh_make(const clp_triangles *triangles, clp_arena *arena, clp_mesh *mesh)
{
  *mesh = (clp_mesh){0};
  if (triangles->count == 0)
    return true;
  if (!number_vertices(triangles, arena, mesh))
    return false;
  measure(mesh);
  return number_shells(arena, mesh) && find_closed(arena, mesh);
}

double clp_mesh_shell_volume6(const clp_mesh *mesh, int shell)
{
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    if (mesh->shell[t] != shell)
      continue;
    clp_vec3 a = clp_sub(clp_mesh_corner(mesh, t, 0), mesh->box.min);
    clp_vec3 b = clp_sub(clp_mesh_corner(mesh, t, 1), mesh->box.min);
    clp_vec3 c = clp_sub(clp_mesh_corner(mesh, t, 2), mesh->box.min);
    sum += clp_dot(a, clp_cross(b, c));
  }
  return sum;
}
