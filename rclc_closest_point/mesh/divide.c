/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/divide.h"

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/mesh/cross_cut.h"
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
  bool *stuck;             /* no plane cuts it */
  bool *measured;          /* as what is written is */
  clp_cut_choice *planned; /* the cut of a part that has been chosen with another one */
  bool may_cross, crossed;
  double best; /* the least gap so far, of this many parts */
  int best_count;
} dividing;

/* While parts are cut it is enough to know which is the loosest, and whether it is loose; what is
 * written is measured better. */
static clp_gap_effort rough(const dividing *d)
{
  return (clp_gap_effort){0.1, 0.5 * d->wish.max_gap, 4000, HUGE_VAL};
}

/* What is swept has its surface inside of the mesh, where only the distance from its middle bounds
 * a piece's gap. */
#define TIMES_IF_SWEPT 4

/* No cut mends what rounding takes. Where that is more than half of what is allowed, the other half
 * is left to the rest. */
static double allowed(const dividing *d)
{
  return fmax(d->wish.max_gap, d->wish.round + 0.5 * d->wish.max_gap);
}

static clp_gap_effort fine(const dividing *d)
{
  return (clp_gap_effort){0.03, 2e-4, 12000, allowed(d)};
}

/* The whole may be nearly convex; a part has cuts for walls, which that proof knows nothing of. */
static bool bound_gap(dividing *d, const clp_mesh_part *part, clp_gap_effort effort,
                      clp_arena *arena, clp_mesh_gap *gap)
{
  double near = HUGE_VAL;
  if (d->division->part_count == 1 &&
      !clp_gap_if_convex(d->tree, &part->polyhedron, d->wish.round, arena, &near))
    return false;
  effort.points *= near <= allowed(d) ? 0 : d->wish.round > 0 ? TIMES_IF_SWEPT : 1;
  if (!clp_gap_bound(d->tree, &part->polyhedron, d->wish.round, effort, arena, gap))
    return false;
  gap->most = fmin(gap->most, near);
  return true;
}

/* The margin is part of what the ball is for. */
static bool enclose(const dividing *d, const clp_vec3 *points, size_t count, clp_arena *scratch,
                    clp_polytope *polytope)
{
  clp_enclosure_wish wish = d->wish.enclosure;
  double ball = d->wish.round - wish.margin;
  if (d->wish.round == 0)
    return clp_enclosure_make(points, count, wish, d->arena, polytope);
  clp_polytope outer;
  wish.margin = fmax(-ball, 0);
  return clp_enclosure_make(points, count, wish, ball > 0 ? scratch : d->arena,
                            ball > 0 ? &outer : polytope) &&
         (ball <= 0 || clp_enclosure_core(&outer, points, count, ball, d->arena, polytope));
}

static bool make_part(dividing *d, int part, int node)
{
  clp_arena scratch = {0};
  clp_vec3 *points;
  size_t count;
  clp_polytope polytope;
  clp_mesh_part *made = &d->division->parts[part];
  d->nodes[part] = node;
  d->measured[part] = false;
  d->division->nodes[node] = (clp_cut_node){.part = part, .below = -1, .above = -1};
  bool good = clp_portion_points(d->tree, &d->portions[part], &scratch, &points, &count) &&
              enclose(d, points, count, &scratch, &polytope) &&
              clp_polytope_define(&polytope, &made->polyhedron) &&
              bound_gap(d, made, rough(d), &scratch, &made->gap);
  clp_arena_release(&scratch);
  return good;
}

static int loosest(const dividing *d)
{
  int worst = -1;
  for (int k = 0; k < d->division->part_count; ++k)
    if (!d->stuck[k] && d->division->parts[k].gap.most > allowed(d) &&
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

static bool measure_part(dividing *d, int k)
{
  clp_arena scratch = {0};
  clp_mesh_part *part = &d->division->parts[k];
  bool good = d->measured[k] || bound_gap(d, part, fine(d), &scratch, &part->gap);
  clp_arena_release(&scratch);
  d->measured[k] = true;
  return good;
}

static void remember_best(dividing *d)
{
  double most = 0;
  for (int k = 0; k < d->division->part_count; ++k)
    most = fmax(most, d->division->parts[k].gap.most);
  if (most < d->best) {
    d->best = most;
    d->best_count = d->division->part_count;
  }
}

static bool goes_on(const dividing *d)
{
  return !d->wish.go_on || d->wish.go_on(d->wish.user);
}

static bool may_cut(const dividing *d)
{
  return d->division->part_count < d->wish.max_parts && goes_on(d);
}

/* The next cut of the part, which may be one half of a cross: then both halves are crossed. */
static bool choose(dividing *d, int part, clp_cut_choice *choice)
{
  const clp_mesh_part *p = &d->division->parts[part];
  clp_cut_choice cross[2], *planned = &d->planned[part];
  *choice = *planned;
  *planned = (clp_cut_choice){0};
  if (choice->found && clp_cut_fits(d->tree, &d->portions[part], choice))
    return true;
  if (!clp_choose_cut(d->tree, &d->portions[part], p->gap.deepest, choice))
    return false;
  if (!d->may_cross || d->division->part_count + 3 > d->wish.max_parts)
    return true;
  if (!clp_choose_cross(d->tree, &d->portions[part], p, choice, cross))
    return false;
  if (cross[0].found) {
    d->crossed = true;
    *choice = cross[0];
    d->planned[part] = d->planned[d->division->part_count] = cross[1];
  }
  return true;
}

/* Where no place that is too far out has been found, a better bound may do in place of a cut. */
static bool refine(dividing *d)
{
  for (;;) {
    remember_best(d);
    int part = may_cut(d) ? loosest(d) : -1;
    if (part < 0)
      return true;
    if (!d->measured[part] && d->division->parts[part].gap.found <= allowed(d)) {
      if (!measure_part(d, part))
        return false;
      continue;
    }
    clp_cut_choice choice;
    if (!choose(d, part, &choice))
      return false;
    d->stuck[part] = !choice.found;
    if (choice.found && !cut(d, part, &choice))
      return false;
  }
}

static bool measure(dividing *d)
{
  d->division->gap = 0;
  for (int k = 0; k < d->division->part_count; ++k) {
    if (!measure_part(d, k))
      return false;
    d->division->gap = fmax(d->division->gap, d->division->parts[k].gap.most);
  }
  return true;
}

static bool divide(dividing *d)
{
  clp_division *division = d->division;
  size_t most = (size_t)d->wish.max_parts;
  *division = (clp_division){0};
  d->best = HUGE_VAL;
  division->nodes = clp_arena_take(d->arena, 2 * most, sizeof *division->nodes);
  division->parts = clp_arena_take(d->arena, most, sizeof *division->parts);
  d->portions = clp_arena_take(d->arena, most, sizeof *d->portions);
  d->nodes = clp_arena_take(d->arena, most, sizeof *d->nodes);
  d->stuck = clp_arena_take(d->arena, most, sizeof *d->stuck);
  d->measured = clp_arena_take(d->arena, most, sizeof *d->measured);
  d->planned = clp_arena_take(d->arena, most, sizeof *d->planned);
  if (!division->nodes || !division->parts || !d->portions || !d->nodes || !d->stuck ||
      !d->measured || !d->planned)
    return false;
  division->node_count = division->part_count = 1;
  d->portions[0].cell = clp_cell_of_box(d->tree->mesh->box);
  return clp_soup_of_mesh(d->tree->mesh, d->arena, &d->portions[0].soup) && make_part(d, 0, 0) &&
         refine(d) && measure(d);
}

/* A cut can leave a looser part than it found. Where all of them were not enough, those are made
 * again that were the best. */
static bool divide_best(dividing *d)
{
  if (!divide(d))
    return false;
  if (d->best >= d->division->gap || d->best_count == d->division->part_count)
    return true;
  d->wish.max_parts = d->best_count;
  return divide(d);
}

/* A cross takes parts that are missing elsewhere: where there were too few, it is left out. */
bool clp_divide(clp_triangle_tree *tree, clp_division_wish wish, clp_arena *arena,
                clp_division *division)
{
  dividing d = {
      .tree = tree, .wish = wish, .arena = arena, .division = division, .may_cross = true};
  if (!divide_best(&d))
    return false;
  if (!d.crossed || division->gap <= allowed(&d) || !goes_on(&d))
    return true;
  clp_division other;
  dividing again = {.tree = tree, .wish = wish, .arena = arena, .division = &other};
  if (!divide_best(&again))
    return false;
  if (other.gap < division->gap)
    *division = other;
  return true;
}
