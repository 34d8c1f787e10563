/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/divide.h"

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/mesh/cut_choice.h"
#include "rclc_closest_point/mesh/gap_convex.h"

/* Greedy: the part that reaches farthest beyond the mesh is cut in two, until all are close enough
 * or there are as many as there may be. */

typedef struct dividing {
  clp_triangle_tree *tree;
  clp_division_wish wish;
  clp_arena *arena;
  clp_division *division;
  clp_portion *portions; /* of the parts */
  int *nodes;
  bool *stuck; /* no plane cuts it */
} dividing;

/* While parts are cut it is enough to know which is the loosest, and whether it is loose; what is
 * written is measured better. */
static clp_gap_effort rough(const dividing *d)
{
  return (clp_gap_effort){0.1, 0.5 * d->wish.max_gap, 4000};
}

static clp_gap_effort fine(void)
{
  return (clp_gap_effort){0.03, 2e-4, 12000};
}

/* The whole may be nearly convex; a part has cuts for walls, which that proof knows nothing of. */
static bool bound_gap(dividing *d, const clp_mesh_part *part, clp_gap_effort effort,
                      clp_arena *arena, clp_mesh_gap *gap)
{
  double near = HUGE_VAL;
  if (d->division->part_count == 1 && !clp_gap_if_convex(d->tree, &part->polyhedron, arena, &near))
    return false;
  if (near <= d->wish.max_gap)
    effort.points = 0;
  if (!clp_gap_bound(d->tree, &part->polyhedron, effort, arena, gap))
    return false;
  gap->most = fmin(gap->most, near);
  return true;
}

static bool make_part(dividing *d, int part, int node)
{
  clp_arena scratch = {0};
  clp_vec3 *points;
  size_t count;
  clp_polytope polytope;
  clp_mesh_part *made = &d->division->parts[part];
  d->nodes[part] = node;
  d->division->nodes[node] = (clp_cut_node){.part = part, .below = -1, .above = -1};
  bool good = clp_portion_points(d->tree, &d->portions[part], &scratch, &points, &count) &&
              clp_enclosure_make(points, count, d->wish.enclosure, d->arena, &polytope) &&
              clp_polytope_define(&polytope, &made->polyhedron) &&
              bound_gap(d, made, rough(d), &scratch, &made->gap);
  clp_arena_release(&scratch);
  return good;
}

static int loosest(const dividing *d)
{
  int worst = -1;
  for (int k = 0; k < d->division->part_count; ++k)
    if (!d->stuck[k] && d->division->parts[k].gap.most > d->wish.max_gap &&
        (worst < 0 || d->division->parts[k].gap.found > d->division->parts[worst].gap.found))
      worst = k;
  return worst;
}

static bool cut(dividing *d, int part, const clp_cut_choice *choice)
{
  int below = d->division->node_count++, above = d->division->node_count++;
  int other = d->division->part_count++;
  clp_portion whole = d->portions[part];
  clp_half_space wall = {choice->direction, choice->offset, 1};
  d->division->nodes[d->nodes[part]] =
      (clp_cut_node){choice->direction, choice->offset, below, above, -1};
  if (!clp_portion_cut(&whole, wall, d->arena, &d->portions[part]))
    return false;
  wall.sign = -1;
  return clp_portion_cut(&whole, wall, d->arena, &d->portions[other]) &&
         make_part(d, part, below) && make_part(d, other, above);
}

static bool refine(dividing *d)
{
  while (d->division->part_count < d->wish.max_parts) {
    int part = loosest(d);
    if (part < 0)
      return true;
    clp_cut_choice choice;
    if (!clp_choose_cut(d->tree, &d->portions[part], d->division->parts[part].gap.deepest, &choice))
      return false;
    d->stuck[part] = !choice.found;
    if (choice.found && !cut(d, part, &choice))
      return false;
  }
  return true;
}

static bool measure(dividing *d)
{
  d->division->gap = 0;
  for (int k = 0; k < d->division->part_count; ++k) {
    clp_arena scratch = {0};
    clp_mesh_part *part = &d->division->parts[k];
    bool good = bound_gap(d, part, fine(), &scratch, &part->gap);
    clp_arena_release(&scratch);
    if (!good)
      return false;
    d->division->gap = fmax(d->division->gap, part->gap.most);
  }
  return true;
}

bool clp_divide(clp_triangle_tree *tree, clp_division_wish wish, clp_arena *arena,
                clp_division *division)
{
  size_t most = (size_t)wish.max_parts;
  *division = (clp_division){0};
  dividing d = {.tree = tree, .wish = wish, .arena = arena, .division = division};
  division->nodes = clp_arena_take(arena, 2 * most, sizeof *division->nodes);
  division->parts = clp_arena_take(arena, most, sizeof *division->parts);
  d.portions = clp_arena_take(arena, most, sizeof *d.portions);
  d.nodes = clp_arena_take(arena, most, sizeof *d.nodes);
  d.stuck = clp_arena_take(arena, most, sizeof *d.stuck);
  if (!division->nodes || !division->parts || !d.portions || !d.nodes || !d.stuck)
    return false;
  division->node_count = division->part_count = 1;
  d.portions[0].cell = clp_cell_of_box(tree->mesh->box);
  return clp_soup_of_mesh(tree->mesh, arena, &d.portions[0].soup) && make_part(&d, 0, 0) &&
         refine(&d) && measure(&d);
}
