/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/gap_convex.h"

#include "rclc_closest_point/hull/planes.h"
#include "rclc_closest_point/math/vec3.h"

/* Beyond this part of the size no mesh is nearly convex, and a place so deep may not be there. */
#define DEEPEST_OF_SIZE 0.05

#define MOST_ROUNDS 400

/* No point of the triangle is deeper: the least, over the planes, of the farthest corner's depth.
 */
static double triangle_depth(const clp_planes *p, const clp_mesh *mesh, size_t t)
{
  double least = HUGE_VAL;
  for (size_t f = 0; f < p->count; ++f) {
    double depth = 0;
    for (int c = 0; c < 3; ++c)
      depth = fmax(depth, p->offsets[f] - clp_dot(p->normals[f], clp_mesh_corner(mesh, t, c)));
    least = fmin(least, depth);
  }
  return least;
}

/* The closed shell whose deepest triangle is the least deep. */
static int outermost_shell(const clp_planes *p, const clp_mesh *mesh, clp_arena *arena,
                           double *depth)
{
  double *deepest = clp_arena_take(arena, (size_t)mesh->shell_count, sizeof *deepest);
  int best = -1;
  if (!deepest)
    return best;
  double limit = DEEPEST_OF_SIZE * mesh->size;
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    if (!clp_mesh_is_segment(mesh, t) && deepest[mesh->shell[t]] <= limit)
      deepest[mesh->shell[t]] = fmax(deepest[mesh->shell[t]], triangle_depth(p, mesh, t));
  for (int k = 0; k < mesh->shell_count; ++k)
    if (mesh->closed[k] && deepest[k] <= limit && (best < 0 || deepest[k] < deepest[best]))
      best = k;
  *depth = best < 0 ? 0 : deepest[best];
  return best;
}

/* A place near `from` that is deeper than `depth`: again and again a little beyond the plane that
 * is missed most. False: none was found. */
static bool find_deeper(const clp_planes *p, double size, clp_vec3 from, double depth,
                        clp_vec3 *place)
{
  double wanted = 1.02 * depth + 1e-9 * size;
  *place = from;
  for (int k = 0; k < MOST_ROUNDS; ++k) {
    size_t plane;
    double here = clp_planes_depth(p, *place, &plane);
    if (here > depth * (1 + 1e-9) + 1e-12 * size)
      return true;
    *place = clp_add_scaled(*place, here - wanted, p->normals[plane]);
  }
  return false;
}

bool clp_gap_if_convex(clp_triangle_tree *tree, const clp_polyhedron_def *polyhedron, double ball,
                       clp_arena *arena, double *gap)
{
  clp_planes planes;
  double depth;
  *gap = HUGE_VAL;
  if (!clp_planes_of_polyhedron(polyhedron, arena, &planes))
    return false;
  for (size_t k = 0; k < planes.count; ++k)
    planes.offsets[k] += ball;
  int shell = outermost_shell(&planes, tree->mesh, arena, &depth);
  if (shell < 0)
    return !arena->failed;
  double most = 0;
  clp_vec3 place = {0, 0, 0};
  for (int v = 0; v < polyhedron->vertex_count; ++v) {
    const double *x = polyhedron->vertices + 3 * (size_t)v;
    clp_vec3 vertex = {x[0], x[1], x[2]};
    if (!find_deeper(&planes, tree->mesh->size, vertex, depth, &place))
      return true;
    most = fmax(most, clp_distance(vertex, place));
  }
  if (clp_triangle_tree_in_shell(tree, place, shell))
    *gap = most + fmin(depth, ball);
  return true;
}
