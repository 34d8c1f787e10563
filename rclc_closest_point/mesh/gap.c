/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/gap.h"

#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

/* A piece of the surface with what is known of it. */
typedef struct piece {
  clp_vec3 corner[3];
  double most; /* no point of it is farther from the filled mesh */
} piece;

typedef struct search {
  clp_triangle_tree *tree;
  clp_arena *arena;
  piece *heap; /* the piece with the largest bound first */
  size_t count, capacity;
  clp_mesh_gap *gap;
  double ball; /* the radius of what sweeps the surface */
  int looked;
} search;

static bool push(search *s, piece p)
{
  piece *grown = clp_arena_grow(s->arena, s->heap, s->count, &s->capacity, sizeof *s->heap);
  if (!grown)
    return false;
  s->heap = grown;
  size_t at = s->count++;
  for (; at > 0 && s->heap[(at - 1) / 2].most < p.most; at = (at - 1) / 2)
    s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = p;
  return true;
}

static piece pop(search *s)
{
  piece top = s->heap[0], last = s->heap[--s->count];
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child + 1 < s->count && s->heap[child + 1].most > s->heap[child].most)
      ++child;
    if (child >= s->count || s->heap[child].most <= last.most)
      break;
    s->heap[at] = s->heap[child];
    at = child;
  }
  if (s->count > 0)
    s->heap[at] = last;
  return top;
}

/* Its middle's distance and radius bound the piece's, and, for the distance from one triangle is a
 * convex function, so do its corners' distances from the triangle that is nearest to the middle. */
static bool look(search *s, piece p)
{
  clp_vec3 middle = clp_scale(1.0 / 3, clp_add(clp_add(p.corner[0], p.corner[1]), p.corner[2]));
  int nearest = 0;
  double here = clp_triangle_tree_distance(s->tree, middle, &nearest), radius = 0, corners = 0;
  for (int k = 0; k < 3; ++k) {
    radius = fmax(radius, clp_distance(middle, p.corner[k]));
    corners = fmax(corners, clp_triangle_distance(s->tree->mesh, nearest, p.corner[k]));
  }
  ++s->looked;
  if (here > 0 && clp_triangle_tree_where(s->tree, middle) == CLP_INSIDE)
    here = -here;
  here += s->ball;
  if (here > s->gap->found) {
    s->gap->found = here;
    s->gap->deepest = middle;
  }
  p.most = fmax(0, fmin(fmin(p.most, corners + s->ball), here + radius));
  return push(s, p);
}

/* In two, across the longest side. */
static bool divide(search *s, piece p)
{
  int longest = 0;
  for (int k = 1; k < 3; ++k)
    if (clp_distance(p.corner[k], p.corner[(k + 1) % 3]) >
        clp_distance(p.corner[longest], p.corner[(longest + 1) % 3]))
      longest = k;
  int from = longest, to = (longest + 1) % 3;
  clp_vec3 middle = clp_lerp(p.corner[from], p.corner[to], 0.5);
  piece one = p, other = p;
  one.corner[to] = middle;
  other.corner[from] = middle;
  return look(s, one) && look(s, other);
}

static bool begin(search *s, const clp_polyhedron_def *surface)
{
  const int *corner = surface->faces;
  for (int f = 0; f < surface->face_count; corner += surface->face_sizes[f++])
    for (int k = 1; k + 1 < surface->face_sizes[f]; ++k) {
      const int c[3] = {corner[0], corner[k], corner[k + 1]};
      piece p = {.most = HUGE_VAL};
      for (int i = 0; i < 3; ++i) {
        const double *v = surface->vertices + 3 * (size_t)c[i];
        p.corner[i] = (clp_vec3){v[0], v[1], v[2]};
      }
      if (!look(s, p))
        return false;
    }
  return true;
}

static bool is_enough(const search *s, clp_gap_effort effort)
{
  double found = s->gap->found, most = s->heap[0].most;
  return most <= found * (1 + effort.relative) + effort.absolute &&
         (most <= effort.wanted || found > effort.wanted);
}

bool clp_gap_bound(clp_triangle_tree *tree, const clp_polyhedron_def *surface, double ball,
                   clp_gap_effort effort, clp_arena *arena, clp_mesh_gap *gap)
{
  *gap = (clp_mesh_gap){0};
  search s = {.tree = tree, .arena = arena, .gap = gap, .ball = ball};
  if (!begin(&s, surface))
    return false;
  while (s.count > 0 && s.looked < effort.points && !is_enough(&s, effort))
    if (!divide(&s, pop(&s)))
      return false;
  gap->most = s.count > 0 ? fmax(s.heap[0].most, gap->found) : gap->found;
  return true;
}
