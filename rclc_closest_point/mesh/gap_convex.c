/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/gap_convex.h"

#include "rclc_closest_point/math/vec3.h"

/* Beyond this part of the size no mesh is nearly convex, and a place so deep may not be there. */
#define DEEPEST_OF_SIZE 0.05

#define MOST_ROUNDS 400

typedef struct shape {
  clp_vec3 *normals;
  double *offsets;
  int count;
  double size;
} shape;

static clp_vec3 vertex_of(const clp_polyhedron_def *p, int index)
{
  const double *v = p->vertices + 3 * (size_t)index;
  return (clp_vec3){v[0], v[1], v[2]};
}

/* Newell's normals; a plane at the face's farthest corner, so that depths are not too small. */
static bool find_planes(const clp_polyhedron_def *p, clp_arena *arena, shape *s)
{
  s->normals = clp_arena_take(arena, (size_t)p->face_count, sizeof *s->normals);
  s->offsets = clp_arena_take(arena, (size_t)p->face_count, sizeof *s->offsets);
  s->count = p->face_count;
  if (!s->normals || !s->offsets)
    return false;
  const int *corner = p->faces;
  for (int f = 0; f < p->face_count; corner += p->face_sizes[f++]) {
    clp_vec3 sum = {0, 0, 0}, from = vertex_of(p, corner[0]);
    for (int k = 1; k + 1 < p->face_sizes[f]; ++k)
      sum = clp_add(sum, clp_cross(clp_sub(vertex_of(p, corner[k]), from),
                                   clp_sub(vertex_of(p, corner[k + 1]), from)));
    s->normals[f] = clp_unit(sum);
    s->offsets[f] = -HUGE_VAL;
    for (int k = 0; k < p->face_sizes[f]; ++k)
      s->offsets[f] = fmax(s->offsets[f], clp_dot(s->normals[f], vertex_of(p, corner[k])));
  }
  return true;
}

/* No point of the triangle is deeper: the least, over the planes, of the farthest corner's depth.
 */
static double triangle_depth(const shape *s, const clp_mesh *mesh, size_t t)
{
  double least = HUGE_VAL;
  for (int f = 0; f < s->count; ++f) {
    double depth = 0;
    for (int c = 0; c < 3; ++c)
      depth = fmax(depth, s->offsets[f] - clp_dot(s->normals[f], clp_mesh_corner(mesh, t, c)));
    least = fmin(least, depth);
  }
  return least;
}

/* The closed shell whose deepest triangle is the least deep. */
static int outermost_shell(const shape *s, const clp_mesh *mesh, clp_arena *arena, double *depth)
{
  double *deepest = clp_arena_take(arena, (size_t)mesh->shell_count, sizeof *deepest);
  int best = -1;
  if (!deepest)
    return best;
  double limit = DEEPEST_OF_SIZE * s->size;
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    if (!clp_mesh_is_segment(mesh, t) && deepest[mesh->shell[t]] <= limit)
      deepest[mesh->shell[t]] = fmax(deepest[mesh->shell[t]], triangle_depth(s, mesh, t));
  for (int k = 0; k < mesh->shell_count; ++k)
    if (mesh->closed[k] && deepest[k] <= limit && (best < 0 || deepest[k] < deepest[best]))
      best = k;
  *depth = best < 0 ? 0 : deepest[best];
  return best;
}

static int shallowest(const shape *s, clp_vec3 place, double *depth)
{
  int worst = 0;
  *depth = HUGE_VAL;
  for (int f = 0; f < s->count; ++f) {
    double here = s->offsets[f] - clp_dot(s->normals[f], place);
    if (here < *depth) {
      *depth = here;
      worst = f;
    }
  }
  return worst;
}

/* A place near `from` that is deeper than `depth`: again and again a little beyond the plane that
 * is missed most. False: none was found. */
static bool find_deeper(const shape *s, clp_vec3 from, double depth, clp_vec3 *place)
{
  double wanted = 1.02 * depth + 1e-9 * s->size, here;
  *place = from;
  for (int k = 0; k < MOST_ROUNDS; ++k) {
    int plane = shallowest(s, *place, &here);
    if (here > depth * (1 + 1e-9) + 1e-12 * s->size)
      return true;
    *place = clp_add_scaled(*place, here - wanted, s->normals[plane]);
  }
  return false;
}

bool clp_gap_if_convex(clp_triangle_tree *tree, const clp_polyhedron_def *polyhedron,
                       clp_arena *arena, double *gap)
{
  shape s = {.size = tree->mesh->size};
  double depth;
  *gap = HUGE_VAL;
  if (!find_planes(polyhedron, arena, &s))
    return false;
  int shell = outermost_shell(&s, tree->mesh, arena, &depth);
  if (shell < 0)
    return !arena->failed;
  double most = 0;
  clp_vec3 place = {0, 0, 0};
  for (int v = 0; v < polyhedron->vertex_count; ++v) {
    if (!find_deeper(&s, vertex_of(polyhedron, v), depth, &place))
      return true;
    most = fmax(most, clp_distance(vertex_of(polyhedron, v), place));
  }
  if (clp_triangle_tree_in_shell(tree, place, shell))
    *gap = most;
  return true;
}
