/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/gap_convex.h"

#include "rclc_closest_point/base/buckets.h"
#include "rclc_closest_point/body/compass.h"
#include "rclc_closest_point/hull/hull.h"
#include "rclc_closest_point/hull/planes.h"
#include "rclc_closest_point/math/vec3.h"

/* Beyond this part of the size no mesh is nearly convex. */
#define DEEPEST_OF_SIZE 0.05

/* Any plane will do for a triangle; so often one is held to all planes for a better one. */
#define MOST_LOOKS 2e7

/* Of the coordinates: much more than rounding of a height. */
#define LITTLE 1e-12

/* So many are asked whether they are inside of a shell, until one is. */
enum { PLACES = 8 };

/* How far a triangle's farthest corner is behind a plane of the hull. */
typedef struct depth {
  uint32_t plane;
  double below;
} depth;

typedef struct search {
  const clp_mesh *mesh;
  clp_planes planes; /* of the hull */
  uint32_t grid;
  clp_buckets compass; /* the planes by the cells of their normals */
  double enough;       /* what rounding to the hull's grid does */
  double looks;
  depth *depths; /* by triangle */
} search;

static bool make_planes(search *s, clp_arena *arena)
{
  clp_hull hull;
  const clp_mesh *mesh = s->mesh;
  if (clp_hull_make(mesh->vertices, mesh->vertex_count, arena, &hull) != CLP_HULL_SOLID)
    return false;
  uint32_t *cell = clp_arena_take(arena, hull.facet_count, sizeof *cell);
  if (!cell || !clp_planes_of_hull(&hull, arena, &s->planes))
    return false;
  s->grid = clp_compass_grid((uint32_t)hull.facet_count);
  s->enough = hull.step;
  for (size_t f = 0; f < hull.facet_count; ++f)
    cell[f] = (uint32_t)clp_compass_cell(s->grid, hull.facets[f].normal);
  for (size_t k = 0; k < hull.corner_count; ++k)
    s->planes.middle = clp_add_scaled(s->planes.middle, 1.0 / (double)hull.corner_count,
                                      mesh->vertices[hull.corners[k]]);
  return clp_buckets_make(&s->compass, arena, cell, hull.facet_count, clp_compass_cells(s->grid));
}

/* ---- How deep the mesh is ----------------------------------------------------------------- */

static void look(const search *s, size_t t, uint32_t plane, depth *best)
{
  double lowest = HUGE_VAL;
  for (int c = 0; c < 3; ++c)
    lowest = fmin(lowest, clp_dot(s->planes.normals[plane], clp_mesh_corner(s->mesh, t, c)));
  if (s->planes.offsets[plane] - lowest < best->below)
    *best = (depth){plane, s->planes.offsets[plane] - lowest};
}

/* A plane that a triangle is not far behind: of those with about its normal, whichever way that
 * points, or of all. */
static depth depth_of(search *s, size_t t)
{
  depth best = {0, HUGE_VAL};
  clp_vec3 a = clp_mesh_corner(s->mesh, t, 0), b = clp_mesh_corner(s->mesh, t, 1);
  clp_vec3 normal = clp_cross(clp_sub(b, a), clp_sub(clp_mesh_corner(s->mesh, t, 2), a));
  for (int turned = 0; turned < 2; ++turned) {
    size_t cell = clp_compass_cell(s->grid, turned ? clp_negate(normal) : normal);
    for (uint32_t k = s->compass.first[cell]; k < s->compass.first[cell + 1]; ++k)
      look(s, t, s->compass.order[k], &best);
  }
  if (best.below > s->enough && (s->looks < MOST_LOOKS || best.below == HUGE_VAL))
    for (uint32_t f = 0; f < s->planes.count && best.below > s->enough; ++f, ++s->looks)
      look(s, t, f, &best);
  return best;
}

/* The closed shell whose deepest triangle is the least deep. */
static int outermost_shell(search *s, clp_arena *arena)
{
  const clp_mesh *mesh = s->mesh;
  double *deepest = clp_arena_take(arena, (size_t)mesh->shell_count, sizeof *deepest);
  double limit = DEEPEST_OF_SIZE * mesh->size;
  int best = -1;
  s->depths = clp_arena_take(arena, mesh->triangle_count, sizeof *s->depths);
  if (!deepest || !s->depths)
    return best;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    double *own = &deepest[mesh->shell[t]];
    if (!mesh->closed[mesh->shell[t]] || *own > limit || clp_mesh_is_segment(mesh, t))
      continue;
    s->depths[t] = depth_of(s, t);
    *own = fmax(*own, s->depths[t].below);
  }
  for (int k = 0; k < mesh->shell_count; ++k)
    if (mesh->closed[k] && deepest[k] <= limit && (best < 0 || deepest[k] < deepest[best]))
      best = k;
  return best;
}

/* ---- The places behind it ----------------------------------------------------------------- */

/* Behind all planes, each moved inwards by as much as its deepest triangle asks for and a little
 * more, no point is on the shell. */
static bool move_inwards(search *s, int shell, clp_arena *arena)
{
  const clp_mesh *mesh = s->mesh;
  double *inwards = clp_arena_take(arena, s->planes.count, sizeof *inwards);
  double reach = fmax(clp_norm(mesh->box.min), clp_norm(mesh->box.max)) + mesh->size;
  for (size_t t = 0; inwards && t < mesh->triangle_count; ++t)
    if (mesh->shell[t] == shell && !clp_mesh_is_segment(mesh, t))
      inwards[s->depths[t].plane] = fmax(inwards[s->depths[t].plane], s->depths[t].below);
  for (size_t f = 0; inwards && f < s->planes.count; ++f)
    s->planes.offsets[f] -= inwards[f] + LITTLE * reach;
  return inwards != NULL;
}

/* Whether these are inside of the shell, as one is: one on a ray or a wall cannot be told. */
static bool are_inside(const search *s, clp_triangle_tree *tree, int shell)
{
  const clp_mesh *mesh = s->mesh;
  size_t plane;
  for (size_t k = 0; k < PLACES; ++k) {
    clp_vec3 corner = mesh->vertices[k * (mesh->vertex_count - 1) / (PLACES - 1)];
    clp_vec3 place = clp_lerp(s->planes.middle, corner, 0.5);
    if (clp_planes_depth(&s->planes, place, &plane) > 0 &&
        clp_triangle_tree_in_shell(tree, place, shell))
      return true;
  }
  return false;
}

bool clp_gap_if_convex(clp_triangle_tree *tree, const clp_polyhedron_def *polyhedron, double ball,
                       clp_arena *arena, double *gap)
{
  search s = {.mesh = tree->mesh};
  *gap = HUGE_VAL;
  int shell = make_planes(&s, arena) ? outermost_shell(&s, arena) : -1;
  if (shell < 0 || !move_inwards(&s, shell, arena))
    return !arena->failed;
  if (!are_inside(&s, tree, shell))
    return true;
  *gap = 0;
  for (int v = 0; v < polyhedron->vertex_count; ++v) {
    const double *x = polyhedron->vertices + 3 * (size_t)v;
    *gap = fmax(*gap, ball + clp_planes_beyond(&s.planes, (clp_vec3){x[0], x[1], x[2]}));
  }
  return true;
}
