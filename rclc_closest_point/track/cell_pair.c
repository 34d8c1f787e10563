/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/cell_pair.h"

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/track/cell_expand.h"

/* Sixteen units in the last place of every length that entered. */
#define ROUNDING 3.6e-15

/* Rounds of the search for the direction that separates two parallelepipeds, at most. */
#define SWEEPS 40

/* Parts that are nearer to each other than this, of their size, are nearly in contact. */
#define NEAR 0.05

/* Unknowns fixed one after the other, at most: there are four. */
#define FIXES 4

/* ---- First order -------------------------------------------------------------------------- */

/* For any unit n, all of A's part lies below n.x = reach_A(n) + rise_A(n), all of B's above
 * -reach_B(-n) - rise_B(-n): between them is a gap of at least the difference. The best n for the
 * linear parts alone is along the shortest connection of two parallelepipeds; it is found by
 * minimizing |d| over one coefficient after the other, d from A's point to B's. */
typedef struct gap_search {
  const clp_view *a, *b;
  clp_vec3 d, arm[6];
  double coefficient[6];
  double lower;
  clp_vec3 n; /* that gave it */
} gap_search;

/* What n gives: the linear parts' gap, and how much of it the rest takes away. */
static void measure_along(gap_search *s, clp_vec3 n, double *linear, double *rise)
{
  clp_vec3 back = clp_negate(n);
  *linear = -clp_view_reach(s->a, n) - clp_view_reach(s->b, back);
  *rise = clp_view_rise(s->a, n) + clp_view_rise(s->b, back);
  if (*linear - *rise > s->lower) {
    s->lower = *linear - *rise;
    s->n = n;
  }
}

/* Takes the present d for n. Whether there is nothing to gain from a better one: the linear parts'
 * distance is not above |d|, and n's not far below it. */
static bool measure_gap(gap_search *s, double target)
{
  double length = clp_norm(s->d), linear, rise;
  if (!(length > 0))
    return true;
  measure_along(s, clp_scale(1 / length, s->d), &linear, &rise);
  return s->lower >= target || length < target || length - linear <= 0.1 * rise;
}

static void measure_both(gap_search *s, clp_vec3 direction)
{
  double length = clp_norm(direction), linear, rise;
  if (!(length > 0))
    return;
  clp_vec3 n = clp_scale(copysign(1 / length, clp_dot(direction, s->d)), direction);
  measure_along(s, n, &linear, &rise);
}

/* Nearly in contact the shortest connection is too short to tell its direction well. What separates
 * two parallelograms is also one of these: the normal of one, which is the best there is between
 * parallel planes, a vector square to a side of each, or one in its plane square to a side. */
static void measure_axes(gap_search *s, double target)
{
  clp_vec3 normal[2] = {clp_cross(s->a->half[0], s->a->half[1]),
                        clp_cross(s->b->half[0], s->b->half[1])};
  double size = clp_norm2(s->a->half[0]) + clp_norm2(s->a->half[1]) + clp_norm2(s->b->half[0]) +
                clp_norm2(s->b->half[1]);
  measure_both(s, normal[0]);
  measure_both(s, normal[1]);
  if (clp_norm2(s->d) > NEAR * NEAR * size)
    return;
  for (int i = 0; i < 2 && s->lower < target; ++i) {
    measure_both(s, clp_cross(normal[0], s->a->half[i]));
    measure_both(s, clp_cross(normal[1], s->b->half[i]));
    for (int j = 0; j < 2; ++j)
      measure_both(s, clp_cross(s->a->half[i], s->b->half[j]));
  }
}

static void sweep(gap_search *s)
{
  for (int k = 0; k < 6; ++k) {
    double square = clp_norm2(s->arm[k]), old = s->coefficient[k];
    if (square == 0)
      continue;
    double wanted = old - clp_dot(s->d, s->arm[k]) / square;
    s->coefficient[k] = fmax(-1, fmin(1, wanted));
    s->d = clp_add_scaled(s->d, s->coefficient[k] - old, s->arm[k]);
  }
}

static double rounding(const clp_view *a, const clp_view *b)
{
  return ROUNDING * (clp_norm(a->p) + clp_norm(b->p));
}

static double gap(const clp_view *a, const clp_view *b, double target, clp_vec3 *n)
{
  gap_search s = {.a = a, .b = b, .d = clp_sub(b->p, a->p), .lower = -HUGE_VAL};
  for (int k = 0; k < 3; ++k) {
    s.arm[k] = clp_negate(a->half[k]);
    s.arm[3 + k] = b->half[k];
  }
  bool done = measure_gap(&s, target) && s.lower >= target;
  for (int k = 0; k < SWEEPS && !done; ++k) {
    sweep(&s);
    done = k % 2 == 1 && measure_gap(&s, target);
  }
  if (s.lower < target)
    measure_axes(&s, target);
  *n = s.n;
  return s.lower - rounding(a, b);
}

/* ---- Control points ------------------------------------------------------------------------- */

static bool is_spline(const clp_chart_tree *tree, const clp_tract *tract)
{
  return !clp_tract_is_box(tract) && tree->charts[tract->chart].spline;
}

/* An upper bound of n.x over the tract, by its control points where it has some. The view
 * is in the frame of n. */
static double height(const clp_chart_tree *tree, const clp_tract *tract, const clp_view *view,
                     clp_vec3 n, const clp_pose *X)
{
  double highest = clp_view_reach(view, n) + clp_view_rise(view, n);
  if (!is_spline(tree, tract))
    return highest;
  double by_points = clp_dot(n, X->position) +
                     clp_chart_height(tree->body, &tree->charts[tract->chart], tract->middle,
                                      tract->half, clp_rotate_back(X->rotation, n));
  return fmin(highest, by_points);
}

static double gap_of_points(const clp_scene *scene, const clp_tracts *t, const clp_view *a,
                            const clp_view *b, clp_vec3 n)
{
  const clp_pose same = clp_pose_identity();
  return -height(scene->a, &t->a, a, n, &same) -
         height(scene->b, &t->b, b, clp_negate(n), &scene->X_AB) - rounding(a, b);
}

/* ---- Where to divide ---------------------------------------------------------------------- */

static double longest(const clp_view *view)
{
  return fmax(clp_norm(view->half[0]), fmax(clp_norm(view->half[1]), clp_norm(view->half[2])));
}

/* By what a parameter adds to the distance between the part and its linear part; by its width where
 * all is linear. */
static void divide_by_bulge(const clp_view *view, int side, double *most, clp_verdict *verdict)
{
  for (int axis = 0; axis < 2; ++axis) {
    double bulge = 0.5 * (view->second[2 * axis] + view->second[1]);
    double weight = bulge + 1e-3 * clp_norm(view->half[axis]);
    if (weight > *most) {
      *most = weight;
      verdict->side = side;
      verdict->axis = axis;
    }
  }
}

static void choose_division(const clp_tracts *tracts, const clp_view *a, const clp_view *b,
                            clp_verdict *verdict)
{
  double most = -1;
  if (clp_tract_is_box(&tracts->a) || clp_tract_is_box(&tracts->b)) {
    bool first = longest(a) >= longest(b);
    verdict->side = first ? 0 : 1;
    bool box = clp_tract_is_box(first ? &tracts->a : &tracts->b);
    if (!box)
      divide_by_bulge(first ? a : b, verdict->side, &most, verdict);
    return;
  }
  divide_by_bulge(a, 0, &most, verdict);
  divide_by_bulge(b, 1, &most, verdict);
}

/* ---- Second order ------------------------------------------------------------------------- */

static void take_minimum(const clp_scene *scene, const clp_tracts *tracts, const clp_expansion *x,
                         double noise, clp_verdict *verdict)
{
  clp_minimum m = clp_expansion_minimize(scene, tracts, x);
  verdict->lower = fmax(verdict->lower, m.lower - noise);
  verdict->solved = true;
  verdict->attained = m.attained;
  verdict->spot_a = clp_tract_spot(scene->a, &tracts->a, m.at[0]);
  verdict->spot_b = clp_tract_spot(scene->b, &tracts->b, m.at[1]);
}

/* Fixes what it can; true when another look at the smaller tracts is worth it. */
static bool look_closer(const clp_scene *scene, clp_tracts *tracts, const clp_view *a,
                        const clp_view *b, clp_verdict *verdict)
{
  clp_expansion x = clp_expand(a, b);
  if (clp_expansion_fix(&x, tracts) > 0)
    return true;
  if (clp_expansion_convex(&x)) {
    take_minimum(scene, tracts, &x, rounding(a, b), verdict);
    return false;
  }
  double bound = sqrt(2 * fmax(0, clp_expansion_bound(&x)));
  verdict->lower = fmax(verdict->lower, bound - rounding(a, b));
  int worst = clp_expansion_worst(&x);
  if (worst >= 0) {
    verdict->side = x.side[worst];
    verdict->axis = x.axis[worst];
  }
  return false;
}

clp_verdict clp_cell_examine(const clp_scene *scene, const clp_tracts *tracts, double target)
{
  clp_tracts t = *tracts;
  clp_verdict verdict = {.lower = -HUGE_VAL};
  for (int k = 0; k <= FIXES; ++k) {
    clp_view a = clp_tract_view(scene->a, &t.a);
    clp_view b = clp_view_from(&scene->X_AB, clp_tract_view(scene->b, &t.b));
    if (k == 0) {
      verdict.middle = clp_distance(a.p, b.p);
      choose_division(&t, &a, &b, &verdict);
    }
    clp_vec3 n;
    verdict.lower = fmax(verdict.lower, gap(&a, &b, target, &n));
    if (verdict.lower < target && (is_spline(scene->a, &t.a) || is_spline(scene->b, &t.b)))
      verdict.lower = fmax(verdict.lower, gap_of_points(scene, &t, &a, &b, n));
    if (verdict.lower >= target || clp_tract_is_box(&t.a) || clp_tract_is_box(&t.b) ||
        !look_closer(scene, &t, &a, &b, &verdict))
      break;
  }
  return verdict;
}
