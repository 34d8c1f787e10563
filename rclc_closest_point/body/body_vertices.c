/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"

/* The vertices of a body: the places where edges end or sides collapse, each with the edges that
 * end there and the corners of the faces that touch it. */

typedef struct found_corner {
  uint32_t vertex;
  clp_corner corner;
} found_corner;

typedef struct found_end {
  uint32_t vertex;
  clp_edge_end end;
} found_end;

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
  const found_corner *a = left, *b = right;
  if (a->vertex != b->vertex)
    return a->vertex < b->vertex ? -1 : 1;
  if (a->corner.face != b->corner.face)
    return a->corner.face < b->corner.face ? -1 : 1;
  if (a->corner.side != b->corner.side)
    return a->corner.side < b->corner.side ? -1 : 1;
  return compare_sites(a->corner.site, b->corner.site);
}

static int compare_ends(const void *left, const void *right)
{
  const found_end *a = left, *b = right;
  if (a->vertex != b->vertex)
    return a->vertex < b->vertex ? -1 : 1;
  if (a->end.edge != b->end.edge)
    return a->end.edge < b->end.edge ? -1 : 1;
  return a->end.end - b->end.end;
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

static bool gather_ends(clp_builder *builder)
{
  size_t room = 2 * builder->edge_count + 1, count = 0;
  found_end *found = clp_arena_take(&builder->arena, room, sizeof *found);
  builder->ends = clp_arena_take(&builder->arena, room, sizeof *builder->ends);
  if (!found || !builder->ends)
    return false;
  for (uint32_t k = 0; k < builder->edge_count; ++k) {
    const clp_edge *edge = &builder->edges[k].edge;
    for (int end = 0; end < 2; ++end)
      if (edge->vertex[end] != CLP_NONE && edge->kind != CLP_EDGE_COLLAPSED)
        found[count++] = (found_end){.vertex = edge->vertex[end], .end = {.edge = k, .end = end}};
  }
  qsort(found, count, sizeof *found, compare_ends);
  for (size_t k = 0; k < count; ++k) {
    clp_vertex *vertex = &builder->vertices[found[k].vertex];
    if (vertex->end_count++ == 0)
      vertex->first_end = (uint32_t)k;
    builder->ends[k] = found[k].end;
  }
  builder->end_count = count;
  return true;
}

/* The corner that a use has at one end of its edge; a collapsed side has one in its middle. */
static found_corner corner_of_use(const clp_builder *builder, const clp_edge *edge, int which,
                                  int end)
{
  const clp_use *use = &builder->uses[edge->use[which]];
  bool collapsed = edge->kind == CLP_EDGE_COLLAPSED;
  return (found_corner){edge->vertex[end],
                        {.face = use->face,
                         .side = collapsed ? use->side : -1,
                         .site = clp_edge_site(builder, edge, which, collapsed ? 0.5 : end)}};
}

static size_t find_corners(const clp_builder *builder, found_corner *found)
{
  size_t count = 0;
  for (size_t k = 0; k < builder->edge_count; ++k) {
    const clp_edge *edge = &builder->edges[k].edge;
    int ends = edge->vertex[0] == CLP_NONE ? 0 : edge->kind == CLP_EDGE_COLLAPSED ? 1 : 2;
    for (int which = 0; which < 2; ++which)
      for (int end = 0; end < ends && edge->use[which] != CLP_NONE; ++end)
        found[count++] = corner_of_use(builder, edge, which, end);
  }
  return count;
}

static bool gather_corners(clp_builder *builder)
{
  size_t room = 4 * builder->edge_count + 1;
  found_corner *found = clp_arena_take(&builder->arena, room, sizeof *found);
  builder->corners = clp_arena_take(&builder->arena, room, sizeof *builder->corners);
  if (!found || !builder->corners)
    return false;
  size_t count = find_corners(builder, found);
  qsort(found, count, sizeof *found, compare_corners);
  for (size_t k = 0; k < count; ++k) {
    const found_corner *f = &found[k];
    if (k > 0 && f[-1].vertex == f->vertex && f[-1].corner.face == f->corner.face &&
        f[-1].corner.side == f->corner.side &&
        compare_sites(f[-1].corner.site, f->corner.site) == 0)
      continue;
    clp_vertex *vertex = &builder->vertices[f->vertex];
    if (vertex->corner_count++ == 0)
      vertex->first_corner = (uint32_t)builder->corner_count;
    builder->corners[builder->corner_count++] = f->corner;
  }
  return true;
}

void clp_gather_vertices(clp_builder *builder, const clp_vec3 *places, size_t count)
{
  if (number_vertices(builder, places, count) && gather_ends(builder))
    gather_corners(builder);
}
