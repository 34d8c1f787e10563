/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/cross_cut.h"

#include "rclc_closest_point/hull/hull.h"
#include "rclc_closest_point/hull/planes.h"
#include "rclc_closest_point/math/vec3.h"

/* Places on the part's surface round the deepest one, out to so many times what that reaches beyond
 * the mesh. */
enum { PLACES = 200 };
#define AROUND 3

/* Of the farthest reach: what is deep. */
#define DEEP 0.5

/* Of the sum over what is deep: a cut that leaves more does not help, and a cross that leaves no
 * more does. */
#define NO_HELP 0.8
#define HELP 0.5

/* Planes across the face, and across each other: cosines. */
#define ACROSS 0.3

typedef struct deep {
  clp_triangle_tree *tree;
  const clp_portion *portion;
  clp_planes planes; /* of the part */
  clp_vec3 normal;   /* of the face that is deep */
  clp_vec3 places[PLACES];
  double weight[PLACES]; /* the reach beyond the mesh, cubed */
  int count;
  double sum;
} deep;

/* ---- What is deep ------------------------------------------------------------------------- */

static void add_place(deep *d, clp_vec3 place, double farthest)
{
  size_t plane;
  int nearest;
  if (clp_planes_depth(&d->planes, place, &plane) < -1e-9 * d->tree->mesh->size)
    return;
  double reach = clp_triangle_tree_distance(d->tree, place, &nearest);
  if (reach < DEEP * farthest || clp_triangle_tree_where(d->tree, place) == CLP_INSIDE)
    return;
  d->places[d->count] = place;
  d->weight[d->count] = reach * reach * reach;
  d->sum += d->weight[d->count++];
}

/* In the plane of the face, evenly round its middle, which is where they turn out to be. */
static clp_vec3 find_deep(deep *d, const clp_mesh_gap *gap)
{
  size_t face;
  clp_vec3 middle = gap->deepest;
  clp_planes_depth(&d->planes, middle, &face);
  d->normal = d->planes.normals[face];
  clp_vec3 a, b;
  clp_tangents(d->normal, &a, &b);
  for (int round = 0; round < 3; ++round) {
    d->count = 0;
    d->sum = 0;
    for (int k = 0; k < PLACES; ++k) {
      double r = AROUND * gap->found * sqrt((k + 0.5) / PLACES), turn = 2.39996322972865332 * k;
      clp_vec3 place = clp_add_scaled(middle, r * cos(turn), a);
      add_place(d, clp_add_scaled(place, r * sin(turn), b), gap->found);
    }
    clp_vec3 sum = {0, 0, 0};
    for (int k = 0; k < d->count; ++k)
      sum = clp_add_scaled(sum, d->weight[k] / d->sum, d->places[k]);
    middle = d->count > 0 ? sum : middle;
  }
  return middle;
}

/* ---- What cuts leave ---------------------------------------------------------------------- */

/* What of it is in the hull of a piece. */
static bool add_left(const deep *d, const clp_portion *piece, bool *left)
{
  clp_arena scratch = {0};
  clp_vec3 *points;
  size_t count, plane;
  clp_hull hull;
  clp_planes planes = {0};
  bool good = clp_portion_points(d->tree, piece, &scratch, &points, &count) &&
              (count < 4 || clp_hull_make(points, count, &scratch, &hull) != CLP_HULL_SOLID ||
               clp_planes_of_hull(&hull, &scratch, &planes));
  for (int k = 0; good && k < d->count && planes.count > 0; ++k)
    left[k] |= clp_planes_depth(&planes, d->places[k], &plane) > -hull.step;
  clp_arena_release(&scratch);
  return good;
}

static bool leave(const deep *d, const clp_portion *portion, const clp_cut_choice *cuts, int count,
                  bool *left)
{
  if (count == 0)
    return add_left(d, portion, left);
  bool good = true;
  for (int sign = -1; sign <= 1 && good; sign += 2) {
    clp_arena scratch = {0};
    clp_portion half;
    clp_half_space wall = {cuts[0].direction, cuts[0].offset, sign};
    good = clp_portion_cut(portion, wall, &scratch, &half) &&
           leave(d, &half, cuts + 1, count - 1, left);
    clp_arena_release(&scratch);
  }
  return good;
}

/* Of the sum, what is still within the parts. */
static bool share_left(const deep *d, const clp_cut_choice *cuts, int count, double *share)
{
  bool left[PLACES] = {false};
  double sum = 0;
  if (!leave(d, d->portion, cuts, count, left))
    return false;
  for (int k = 0; k < d->count; ++k)
    sum += left[k] ? d->weight[k] : 0;
  *share = sum / d->sum;
  return true;
}

/* ---- The choice --------------------------------------------------------------------------- */

static bool is_across(clp_vec3 a, clp_vec3 b)
{
  return fabs(clp_dot(a, b)) <= ACROSS * clp_norm(a) * clp_norm(b);
}

static bool choose(const deep *d, clp_vec3 middle, clp_cut_choice cross[2])
{
  double least = HELP;
  for (int i = 0; i < CLP_CUT_DIRECTIONS; ++i)
    for (int k = i + 1; k < CLP_CUT_DIRECTIONS; ++k) {
      clp_vec3 a = clp_cut_direction(i), b = clp_cut_direction(k);
      if (!is_across(a, d->normal) || !is_across(b, d->normal) || !is_across(a, b))
        continue;
      clp_cut_choice pair[2] = {{true, i, clp_dot(a, middle)}, {true, k, clp_dot(b, middle)}};
      double share;
      if (!clp_cut_fits(d->tree, d->portion, &pair[0]) ||
          !clp_cut_fits(d->tree, d->portion, &pair[1]))
        continue;
      if (!share_left(d, pair, 2, &share))
        return false;
      if (share < least) {
        least = share;
        cross[0] = pair[0];
        cross[1] = pair[1];
      }
    }
  return true;
}

bool clp_choose_cross(clp_triangle_tree *tree, const clp_portion *portion,
                      const clp_mesh_part *part, const clp_cut_choice *one, clp_cut_choice cross[2])
{
  clp_arena arena = {0};
  deep d = {.tree = tree, .portion = portion};
  double share;
  cross[0] = cross[1] = (clp_cut_choice){0};
  bool good = clp_planes_of_polyhedron(&part->polyhedron, &arena, &d.planes);
  clp_vec3 middle = good ? find_deep(&d, &part->gap) : (clp_vec3){0, 0, 0};
  if (good && d.count > 0) {
    good = share_left(&d, one, one->found, &share);
    if (good && share > NO_HELP)
      good = choose(&d, middle, cross);
  }
  clp_arena_release(&arena);
  return good;
}
