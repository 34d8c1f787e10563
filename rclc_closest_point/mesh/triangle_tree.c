/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/triangle_tree.h"

#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

#define LEAF_TRIANGLES 4
#define MOST_DEPTH 64

/* ---- Building ----------------------------------------------------------------------------- */

static double coordinate(clp_vec3 p, int axis)
{
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static void include(clp_box3 *box, clp_vec3 p)
{
  box->min = (clp_vec3){fmin(box->min.x, p.x), fmin(box->min.y, p.y), fmin(box->min.z, p.z)};
  box->max = (clp_vec3){fmax(box->max.x, p.x), fmax(box->max.y, p.y), fmax(box->max.z, p.z)};
}

static clp_box3 box_of(const clp_triangle_tree *tree, int first, int count)
{
  clp_vec3 p = clp_mesh_corner(tree->mesh, (size_t)tree->order[first], 0);
  clp_box3 box = {p, p};
  for (int k = first; k < first + count; ++k)
    for (int c = 0; c < 3; ++c)
      include(&box, clp_mesh_corner(tree->mesh, (size_t)tree->order[k], c));
  return box;
}

static double middle(const clp_triangle_tree *tree, int triangle, int axis)
{
  size_t t = (size_t)triangle;
  return coordinate(clp_mesh_corner(tree->mesh, t, 0), axis) +
         coordinate(clp_mesh_corner(tree->mesh, t, 1), axis) +
         coordinate(clp_mesh_corner(tree->mesh, t, 2), axis);
}

/* Puts the triangles with the smaller middles before those with the larger ones (Hoare's select):
 * half of them each. */
static void halve(clp_triangle_tree *tree, int first, int count, int axis)
{
  int *order = tree->order, lo = first, hi = first + count - 1, wanted = first + count / 2;
  while (lo < hi) {
    double pivot = middle(tree, order[lo + (hi - lo) / 2], axis);
    int i = lo, j = hi;
    while (i <= j) {
      while (middle(tree, order[i], axis) < pivot)
        ++i;
      while (middle(tree, order[j], axis) > pivot)
        --j;
      if (i <= j) {
        int other = order[i];
        order[i++] = order[j];
        order[j--] = other;
      }
    }
    if (wanted <= j)
      hi = j;
    else if (wanted >= i)
      lo = i;
    else
      return;
  }
}

static int longest_axis(clp_box3 box)
{
  clp_vec3 d = clp_sub(box.max, box.min);
  return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
}

static int build(clp_triangle_tree *tree, int first, int count)
{
  int index = (int)tree->node_count++;
  clp_mesh_node *node = &tree->nodes[index];
  node->box = box_of(tree, first, count);
  node->first = first;
  if (count <= LEAF_TRIANGLES) {
    node->count = count;
    return index;
  }
  halve(tree, first, count, longest_axis(node->box));
  build(tree, first, count / 2);
  node->second = build(tree, first + count / 2, count - count / 2);
  return index;
}

bool clp_triangle_tree_make(const clp_mesh *mesh, clp_arena *arena, clp_triangle_tree *tree)
{
  *tree = (clp_triangle_tree){.mesh = mesh};
  tree->order = clp_arena_take(arena, mesh->triangle_count, sizeof *tree->order);
  tree->nodes = clp_arena_take(arena, 2 * mesh->triangle_count, sizeof *tree->nodes);
  tree->crossings = clp_arena_take(arena, (size_t)mesh->shell_count, sizeof *tree->crossings);
  tree->windings = clp_arena_take(arena, (size_t)mesh->shell_count, sizeof *tree->windings);
  if (!tree->order || !tree->nodes || !tree->crossings || !tree->windings)
    return false;
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    tree->order[t] = (int)t;
  build(tree, 0, (int)mesh->triangle_count);
  return true;
}

/* ---- Distance ----------------------------------------------------------------------------- */

static double below_or_above(double x, double lo, double hi)
{
  return x < lo ? lo - x : x > hi ? x - hi : 0;
}

static double box_distance2(const clp_box3 *box, clp_vec3 p)
{
  double x = below_or_above(p.x, box->min.x, box->max.x);
  double y = below_or_above(p.y, box->min.y, box->max.y);
  double z = below_or_above(p.z, box->min.z, box->max.z);
  return x * x + y * y + z * z;
}

static clp_vec3 nearest_on_segment(clp_vec3 p, clp_vec3 a, clp_vec3 b)
{
  clp_vec3 ab = clp_sub(b, a);
  double length2 = clp_norm2(ab), t = length2 > 0 ? clp_dot(clp_sub(p, a), ab) / length2 : 0;
  return clp_lerp(a, b, fmin(fmax(t, 0), 1));
}

/* The foot in the plane if it is inside of all three sides, otherwise the nearest place of a side.
 * Where rounding decides wrongly the other answer is as near to within rounding. */
static clp_vec3 nearest_on_triangle(clp_vec3 p, const clp_vec3 c[3])
{
  clp_vec3 normal = clp_cross(clp_sub(c[1], c[0]), clp_sub(c[2], c[0]));
  double length2 = clp_norm2(normal);
  bool inside = length2 > 0;
  for (int k = 0; k < 3 && inside; ++k) {
    clp_vec3 a = c[k], b = c[(k + 1) % 3];
    inside = clp_dot(clp_cross(normal, clp_sub(b, a)), clp_sub(p, a)) >= 0;
  }
  if (inside)
    return clp_add_scaled(p, -clp_dot(normal, clp_sub(p, c[0])) / length2, normal);
  clp_vec3 best = nearest_on_segment(p, c[0], c[1]);
  for (int k = 1; k < 3; ++k) {
    clp_vec3 other = nearest_on_segment(p, c[k], c[(k + 1) % 3]);
    if (clp_norm2(clp_sub(other, p)) < clp_norm2(clp_sub(best, p)))
      best = other;
  }
  return best;
}

double clp_triangle_distance(const clp_mesh *mesh, int triangle, clp_vec3 point)
{
  size_t t = (size_t)triangle;
  const clp_vec3 c[3] = {clp_mesh_corner(mesh, t, 0), clp_mesh_corner(mesh, t, 1),
                         clp_mesh_corner(mesh, t, 2)};
  return clp_distance(nearest_on_triangle(point, c), point);
}

double clp_triangle_tree_distance(const clp_triangle_tree *tree, clp_vec3 point, int *nearest)
{
  int stack[MOST_DEPTH], depth = 0;
  double best = HUGE_VAL;
  stack[depth++] = 0;
  while (depth > 0) {
    const clp_mesh_node *node = &tree->nodes[stack[--depth]];
    if (box_distance2(&node->box, point) >= best * best)
      continue;
    for (int k = node->first; k < node->first + node->count; ++k) {
      double far = clp_triangle_distance(tree->mesh, tree->order[k], point);
      if (far < best) {
        best = far;
        *nearest = tree->order[k];
      }
    }
    if (node->count > 0)
      continue;
    int near = (int)(node - tree->nodes) + 1, far = node->second;
    if (box_distance2(&tree->nodes[far].box, point) <
        box_distance2(&tree->nodes[near].box, point)) {
      int other = near;
      near = far;
      far = other;
    }
    stack[depth++] = far;
    stack[depth++] = near;
  }
  return best;
}

/* ---- Inside ------------------------------------------------------------------------------- */

/* Rays in directions that are nobody's edge; what one of them leaves open the next may decide. */
static const double slants[][2] = {
    {0.3127, 0.1713}, {-0.2291, 0.3869}, {0.1187, -0.4351}, {-0.4019, -0.0933}};
#define SLANTS (sizeof slants / sizeof *slants)

typedef struct ray {
  clp_vec3 from;
  double x, y; /* the direction is (x, y, 1) */
  double blur; /* a triangle's corner is known so well, seen along the ray (m) */
} ray;

static bool misses(const ray *r, const clp_box3 *box)
{
  double up = box->max.z - r->from.z, low = fmax(box->min.z - r->from.z, 0) - r->blur;
  if (up < -r->blur)
    return true;
  up += r->blur;
  double x0 = r->from.x + r->x * low, x1 = r->from.x + r->x * up;
  double y0 = r->from.y + r->y * low, y1 = r->from.y + r->y * up;
  return fmax(x0, x1) < box->min.x - r->blur || fmin(x0, x1) > box->max.x + r->blur ||
         fmax(y0, y1) < box->min.y - r->blur || fmin(y0, y1) > box->max.y + r->blur;
}

/* +1, -1: the ray goes out or in through the triangle; 0: it misses it; 2: rounding could decide.
 * Seen along the ray the triangle is flat: each side has the origin on its left or on its right. A
 * product of two lengths of at most L that are blurred by b is known to 2 L b. */
static int crossing(const ray *r, const clp_vec3 c[3])
{
  double x[3], y[3], longest = 0;
  for (int k = 0; k < 3; ++k) {
    double z = c[k].z - r->from.z;
    x[k] = c[k].x - r->from.x - r->x * z;
    y[k] = c[k].y - r->from.y - r->y * z;
    longest = fmax(longest, fmax(fabs(x[k]), fabs(y[k])));
  }
  double unsure = 8 * r->blur * (longest + r->blur);
  int left = 0, right = 0;
  for (int k = 0; k < 3; ++k) {
    int n = (k + 1) % 3;
    double turn = x[k] * y[n] - y[k] * x[n];
    left += turn > unsure;
    right += turn < -unsure;
  }
  if (left > 0 && right > 0)
    return 0;
  if (left < 3 && right < 3)
    return 2;
  clp_vec3 normal = clp_cross(clp_sub(c[1], c[0]), clp_sub(c[2], c[0]));
  double height = clp_dot(normal, clp_sub(r->from, c[0]));
  double rise = normal.x * r->x + normal.y * r->y + normal.z;
  if (fabs(height) <= 8 * r->blur * clp_norm(normal))
    return 2;
  if ((height > 0) == (rise > 0))
    return 0;
  return rise > 0 ? 1 : -1;
}

/* False: some triangle does not let itself be counted. */
static bool count_crossings(clp_triangle_tree *tree, const ray *r)
{
  int stack[MOST_DEPTH], depth = 0;
  const clp_mesh *mesh = tree->mesh;
  stack[depth++] = 0;
  while (depth > 0) {
    const clp_mesh_node *node = &tree->nodes[stack[--depth]];
    if (misses(r, &node->box))
      continue;
    if (node->count == 0) {
      stack[depth++] = node->second;
      stack[depth++] = (int)(node - tree->nodes) + 1;
      continue;
    }
    for (int k = node->first; k < node->first + node->count; ++k) {
      size_t t = (size_t)tree->order[k];
      if (!mesh->closed[mesh->shell[t]])
        continue;
      const clp_vec3 c[3] = {clp_mesh_corner(mesh, t, 0), clp_mesh_corner(mesh, t, 1),
                             clp_mesh_corner(mesh, t, 2)};
      int found = crossing(r, c);
      if (found == 2)
        return false;
      tree->crossings[mesh->shell[t]] += found != 0;
      tree->windings[mesh->shell[t]] += found;
    }
  }
  return true;
}

/* Counts on some ray; false: rounding could decide on all of them. */
static bool count_on_a_ray(clp_triangle_tree *tree, clp_vec3 point)
{
  const clp_mesh *mesh = tree->mesh;
  double far = fmax(mesh->size + clp_distance(point, mesh->box.min), clp_norm(point));
  for (size_t s = 0; s < SLANTS; ++s) {
    ray r = {point, slants[s][0], slants[s][1], ldexp(far, -48)};
    for (int k = 0; k < mesh->shell_count; ++k)
      tree->crossings[k] = tree->windings[k] = 0;
    if (count_crossings(tree, &r))
      return true;
  }
  return false;
}

clp_where clp_triangle_tree_where(clp_triangle_tree *tree, clp_vec3 point)
{
  if (!count_on_a_ray(tree, point))
    return CLP_UNDECIDED;
  bool wound = false;
  for (int k = 0; k < tree->mesh->shell_count; ++k) {
    if (tree->crossings[k] % 2)
      return CLP_INSIDE;
    wound |= tree->windings[k] != 0;
  }
  return wound ? CLP_UNDECIDED : CLP_OUTSIDE;
}

bool clp_triangle_tree_in_shell(clp_triangle_tree *tree, clp_vec3 point, int shell)
{
  return tree->mesh->closed[shell] && count_on_a_ray(tree, point) && tree->crossings[shell] % 2;
}
