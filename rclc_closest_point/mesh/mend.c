/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/mend.h"

#include <stdint.h>
#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

#define NONE (-1)

/* Corners are tried to be one within this, and ten times and a hundred times as much (of the size).
 */
#define FIRST_APART 1e-6

static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static bool make_again(const clp_mesh *mesh, const bool *kept, const int *instead, clp_arena *arena,
                       clp_mesh *made)
{
  clp_triangles triangles = {
      .corners = clp_arena_take(arena, 3 * mesh->triangle_count, sizeof *triangles.corners)};
  if (!triangles.corners)
    return false;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    if (kept && !kept[t])
      continue;
    for (int c = 0; c < 3; ++c) {
      int vertex = mesh->triangles[t][c];
      triangles.corners[3 * triangles.count + (size_t)c] =
          mesh->vertices[instead ? instead[vertex] : vertex];
    }
    ++triangles.count;
  }
  return clp_mesh_make(&triangles, arena, made);
}

/* ---- Repetitions -------------------------------------------------------------------------- */

typedef struct sorted_triangle {
  int corner[3]; /* ascending */
  size_t triangle;
} sorted_triangle;

static int by_corners(const void *a, const void *b)
{
  const sorted_triangle *x = a, *y = b;
  for (int k = 0; k < 3; ++k)
    if (x->corner[k] != y->corner[k])
      return x->corner[k] < y->corner[k] ? -1 : 1;
  return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static bool same_corners(const sorted_triangle *a, const sorted_triangle *b)
{
  return a->corner[0] == b->corner[0] && a->corner[1] == b->corner[1] &&
         a->corner[2] == b->corner[2];
}

static sorted_triangle sorted(const clp_mesh *mesh, size_t t)
{
  const int *c = mesh->triangles[t];
  int low = c[0] < c[1] ? c[0] : c[1], high = c[0] < c[1] ? c[1] : c[0];
  if (c[2] < low)
    return (sorted_triangle){{c[2], low, high}, t};
  if (c[2] < high)
    return (sorted_triangle){{low, c[2], high}, t};
  return (sorted_triangle){{low, high, c[2]}, t};
}

/* times[shell]: how often each of its triangles is there; 1: not all equally often. kept[t]: the
 * first of its kind. */
static bool count_repetitions(const clp_mesh *mesh, clp_arena *arena, size_t *times, bool *kept)
{
  size_t count = mesh->triangle_count;
  sorted_triangle *list = clp_arena_take(arena, count, sizeof *list);
  if (!list)
    return false;
  for (size_t t = 0; t < count; ++t)
    list[t] = sorted(mesh, t);
  qsort(list, count, sizeof *list, by_corners);
  for (size_t first = 0, next; first < count; first = next) {
    for (next = first + 1; next < count && same_corners(&list[first], &list[next]);)
      ++next;
    kept[list[first].triangle] = true;
    size_t *usual = &times[mesh->shell[list[first].triangle]];
    *usual = *usual == 0 || *usual == next - first ? next - first : 1;
  }
  return true;
}

static bool drop_repetitions(clp_mesh *mesh, clp_arena *arena)
{
  size_t *times = clp_arena_take(arena, (size_t)mesh->shell_count, sizeof *times);
  bool *kept = clp_arena_take(arena, mesh->triangle_count, sizeof *kept);
  if (!times || !kept || !count_repetitions(mesh, arena, times, kept))
    return false;
  bool any = false;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    kept[t] = kept[t] || times[mesh->shell[t]] == 1;
    any |= !kept[t];
  }
  clp_mesh made;
  if (!any)
    return true;
  if (!make_again(mesh, kept, NULL, arena, &made))
    return false;
  *mesh = made;
  return true;
}

/* ---- Corners ------------------------------------------------------------------------------ */

/* Vertices by the cubes that they are in. */
typedef struct cubes {
  double side;
  clp_vec3 origin;
  int *first; /* by slot: a vertex, */
  int *next;  /* and behind each vertex another one */
  size_t slots;
} cubes;

static size_t slot_of(const cubes *c, clp_vec3 p, int x, int y, int z)
{
  uint64_t i = (uint64_t)(int64_t)floor((p.x - c->origin.x) / c->side) + (uint64_t)(int64_t)x;
  uint64_t j = (uint64_t)(int64_t)floor((p.y - c->origin.y) / c->side) + (uint64_t)(int64_t)y;
  uint64_t k = (uint64_t)(int64_t)floor((p.z - c->origin.z) / c->side) + (uint64_t)(int64_t)z;
  return mix(i + mix(j + mix(k))) & (c->slots - 1);
}

static int nearest_before(const clp_mesh *mesh, const cubes *c, clp_vec3 p)
{
  int nearest = NONE;
  double least = c->side;
  for (int k = 0; k < 27; ++k)
    for (int v = c->first[slot_of(c, p, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)]; v != NONE;
         v = c->next[v])
      if (clp_distance(mesh->vertices[v], p) <= least) {
        least = clp_distance(mesh->vertices[v], p);
        nearest = v;
      }
  return nearest;
}

/* Every vertex in its turn becomes the nearest of those before it that have stayed, if one is
 * within `apart`. */
static bool weld(const clp_mesh *mesh, double apart, clp_arena *arena, clp_mesh *made)
{
  cubes c = {.side = apart, .origin = mesh->box.min, .slots = 16};
  while (c.slots < 2 * mesh->vertex_count)
    c.slots *= 2;
  int *instead = clp_arena_take(arena, mesh->vertex_count, sizeof *instead);
  c.first = clp_arena_take(arena, c.slots, sizeof *c.first);
  c.next = clp_arena_take(arena, mesh->vertex_count, sizeof *c.next);
  if (!instead || !c.first || !c.next)
    return false;
  for (size_t k = 0; k < c.slots; ++k)
    c.first[k] = NONE;
  double moved = 0;
  for (size_t v = 0; v < mesh->vertex_count; ++v) {
    clp_vec3 p = mesh->vertices[v];
    int other = nearest_before(mesh, &c, p);
    instead[v] = other == NONE ? (int)v : other;
    moved = fmax(moved, clp_distance(p, mesh->vertices[instead[v]]));
    if (other != NONE)
      continue;
    int *first = &c.first[slot_of(&c, p, 0, 0, 0)];
    c.next[v] = *first;
    *first = (int)v;
  }
  if (!make_again(mesh, NULL, instead, arena, made))
    return false;
  made->moved = moved;
  return true;
}

static size_t closed_triangles(const clp_mesh *mesh)
{
  size_t count = 0;
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    count += !clp_mesh_is_segment(mesh, t) && mesh->closed[mesh->shell[t]];
  return count;
}

bool clp_mesh_mend(clp_mesh *mesh, clp_arena *arena)
{
  if (!drop_repetitions(mesh, arena))
    return false;
  clp_mesh best = *mesh;
  double most = fmin(CLP_MEND_MOST_OF_SIZE * mesh->size, CLP_MEND_MOST);
  for (double apart = FIRST_APART * mesh->size; !best.watertight && apart <= 1.01 * most;
       apart *= 10) {
    clp_mesh made;
    if (!weld(mesh, fmin(apart, most), arena, &made))
      return false;
    if (closed_triangles(&made) > closed_triangles(&best))
      best = made;
  }
  *mesh = best;
  return true;
}
