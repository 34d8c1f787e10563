/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/buckets.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"

/* The vertices of a body: the places where edges end or sides collapse, each with the edges that
 * end there and the corners of the faces that touch it. */

/* Sites of one corner, reached along two sides, agree to rounding. */
static int compare_sites(clp_site a, clp_site b)
{
  for (int k = 0; k < 3; ++k)
    if (fabs(a.c[k] - b.c[k]) > 1e-9 * (1 + fabs(a.c[k])))
      return a.c[k] < b.c[k] ? -1 : 1;
  return 0;
}

static int compare_corners(const void *left, const void *right)
{
  const clp_corner *a = left, *b = right;
  if (a->face != b->face)
    return a->face < b->face ? -1 : 1;
  if (a->side != b->side)
    return a->side < b->side ? -1 : 1;
  return compare_sites(a->site, b->site);
}

/* Replaces numbers of places by numbers of vertices: those that some edge names, in their order. */
static bool number_vertices(clp_builder *builder, const clp_vec3 *places, size_t count)
{
  uint32_t *vertex_of = clp_arena_take(&builder->arena, count + 1, sizeof *vertex_of);
  if (!vertex_of)
    return false;
  for (size_t k = 0; k < builder->edge_count; ++k)
    for (int end = 0; end < 2; ++end)
      if (builder->edges[k].edge.vertex[end] != CLP_NONE)
        vertex_of[builder->edges[k].edge.vertex[end]] = 1;
  size_t used = 0;
  for (size_t k = 0; k < count; ++k)
    if (vertex_of[k])
      vertex_of[k] = (uint32_t)used++;
  builder->vertices = clp_arena_take(&builder->arena, used + 1, sizeof *builder->vertices);
  if (!builder->vertices)
    return false;
  builder->vertex_count = used;
  for (size_t k = 0; k < builder->edge_count; ++k)
    for (int end = 0; end < 2; ++end) {
      uint32_t *vertex = &builder->edges[k].edge.vertex[end];
      if (*vertex == CLP_NONE)
        continue;
      clp_vec3 place = places[*vertex];
      *vertex = vertex_of[*vertex];
      builder->vertices[*vertex].place = place;
    }
  return true;
}

/* What belongs to a vertex: an end of an edge, as one of its uses has it. */
typedef struct endings {
  uint32_t *vertex;
  uint32_t *what; /* 4 edge + 2 use + end */
  size_t count;
  clp_buckets by_vertex;
} endings;

static bool take_endings(clp_builder *builder, size_t room, endings *e)
{
  *e = (endings){.vertex = clp_arena_take(&builder->arena, room, sizeof *e->vertex),
                 .what = clp_arena_take(&builder->arena, room, sizeof *e->what)};
  return e->vertex && e->what;
}

static void add_ending(endings *e, uint32_t vertex, size_t edge, int which, int end)
{
  e->vertex[e->count] = vertex;
  e->what[e->count++] = 4 * (uint32_t)edge + 2 * (uint32_t)which + (uint32_t)end;
}

static bool sort_endings(clp_builder *builder, endings *e)
{
  return clp_buckets_make(&e->by_vertex, &builder->arena, e->vertex, e->count,
                          builder->vertex_count);
}

/* By vertex, and there in the order of edges. */
static bool gather_ends(clp_builder *builder)
{
  endings e;
  size_t room = 2 * builder->edge_count + 1;
  builder->ends = clp_arena_take(&builder->arena, room, sizeof *builder->ends);
  if (!builder->ends || !take_endings(builder, room, &e))
    return false;
  for (size_t k = 0; k < builder->edge_count; ++k) {
    const clp_edge *edge = &builder->edges[k].edge;
    for (int end = 0; end < 2; ++end)
      if (edge->vertex[end] != CLP_NONE && edge->kind != CLP_EDGE_COLLAPSED)
        add_ending(&e, edge->vertex[end], k, 0, end);
  }
  if (!sort_endings(builder, &e))
    return false;
  for (size_t k = 0; k < e.count; ++k) {
    uint32_t number = e.by_vertex.order[k];
    clp_vertex *vertex = &builder->vertices[e.vertex[number]];
    if (vertex->end_count++ == 0)
      vertex->first_end = (uint32_t)k;
    builder->ends[k] = (clp_edge_end){.edge = e.what[number] / 4, .end = (int)(e.what[number] & 1)};
  }
  builder->end_count = e.count;
  return true;
}

/* The corner that a use has at one end of its edge; a collapsed side has one in its middle. */
static clp_corner corner_of_use(const clp_builder *builder, uint32_t what)
{
  const clp_edge *edge = &builder->edges[what / 4].edge;
  int which = (int)(what >> 1 & 1), end = (int)(what & 1);
  const clp_use *use = &builder->uses[edge->use[which]];
  bool collapsed = edge->kind == CLP_EDGE_COLLAPSED;
  return (clp_corner){.face = use->face,
                      .side = collapsed ? use->side : -1,
                      .site = clp_edge_site(builder, edge, which, collapsed ? 0.5 : end)};
}

static void find_corners(const clp_builder *builder, endings *e)
{
  for (size_t k = 0; k < builder->edge_count; ++k) {
    const clp_edge *edge = &builder->edges[k].edge;
    int ends = edge->vertex[0] == CLP_NONE ? 0 : edge->kind == CLP_EDGE_COLLAPSED ? 1 : 2;
    for (int which = 0; which < 2; ++which)
      for (int end = 0; end < ends && edge->use[which] != CLP_NONE; ++end)
        add_ending(e, edge->vertex[end], k, which, end);
  }
}

/* A vertex's corners, sorted and each once; what is kept moves to the front. */
static void keep_corners(clp_builder *builder, clp_vertex *vertex, size_t first, size_t end)
{
  clp_corner *found = builder->corners + first;
  if (end - first > 1)
    qsort(found, end - first, sizeof *found, compare_corners);
  for (size_t k = 0; k < end - first; ++k) {
    if (k > 0 && compare_corners(&found[k - 1], &found[k]) == 0)
      continue;
    if (vertex->corner_count++ == 0)
      vertex->first_corner = (uint32_t)builder->corner_count;
    builder->corners[builder->corner_count++] = found[k];
  }
}

static bool gather_corners(clp_builder *builder)
{
  endings e;
  size_t room = 4 * builder->edge_count + 1;
  builder->corners = clp_arena_take(&builder->arena, room, sizeof *builder->corners);
  if (!builder->corners || !take_endings(builder, room, &e))
    return false;
  find_corners(builder, &e);
  if (!sort_endings(builder, &e))
    return false;
  for (size_t k = 0; k < e.count; ++k)
    builder->corners[k] = corner_of_use(builder, e.what[e.by_vertex.order[k]]);
  for (size_t v = 0; v < builder->vertex_count; ++v)
    keep_corners(builder, &builder->vertices[v], e.by_vertex.first[v], e.by_vertex.first[v + 1]);
  return true;
}

void clp_gather_vertices(clp_builder *builder, const clp_vec3 *places, size_t count)
{
  if (number_vertices(builder, places, count) && gather_ends(builder))
    gather_corners(builder);
}
