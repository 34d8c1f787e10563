/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_pair.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/exclusion/cell_expand.h"
#include "rclc_closest_point/exclusion/cell_gap.h"
#include "rclc_closest_point/math/pose.h"

/* Unknowns fixed one after the other, at most: there are four. */
#define FIXES 4

/* ---- Control points ----------------------------------------------------------------------- */

static bool is_spline(const clp_chart_tree *tree, const clp_tract *tract)
{
  return !clp_tract_is_box(tract) && tree->charts[tract->chart].spline;
}

/* An upper bound of n.x over the tract, by its control points where it has some. The taylor
 * is in the frame of n. */
static double height(const clp_chart_tree *tree, const clp_tract *tract, const clp_taylor *taylor,
                     clp_vec3 n, const clp_pose *X)
{
  double highest = clp_taylor_reach(taylor, n) + clp_taylor_rise(taylor, n);
  if (!is_spline(tree, tract))
    return highest;
  double by_points = clp_dot(n, X->position) +
                     clp_chart_height(tree->body, &tree->charts[tract->chart], tract->middle,
                                      tract->half, clp_rotate_back(X->rotation, n));
  return clp_min(highest, by_points);
}

static double gap_of_points(const clp_charted_couple *charted, const clp_tracts *t,
                            const clp_taylor *a, const clp_taylor *b, clp_vec3 n)
{
  const clp_pose same = clp_pose_identity();
  return -height(charted->a, &t->a, a, n, &same) -
         height(charted->b, &t->b, b, clp_negate(n), &charted->X_AB) - clp_gap_rounding(a, b);
}

/* ---- Where to divide ---------------------------------------------------------------------- */

static double longest(const clp_taylor *taylor)
{
  return clp_max(clp_norm(taylor->half[0]),
                 clp_max(clp_norm(taylor->half[1]), clp_norm(taylor->half[2])));
}

/* How much of a tract's width counts where it is divided, next to what the width does to the
 * distance between the tract and its linear part: measured, any number from 0.05 to 0.5 is good. */
#define WIDTH_COUNTS 0.1

static void divide_by_bulge(const clp_taylor *taylor, int which, double *most,
                            clp_cell_verdict *verdict)
{
  for (int axis = 0; axis < 2; ++axis) {
    double bulge = 0.5 * (taylor->second[2 * axis] + taylor->second[1]);
    double weight = bulge + WIDTH_COUNTS * clp_norm(taylor->half[axis]);
    if (weight > *most) {
      *most = weight;
      verdict->which = which;
      verdict->axis = axis;
    }
  }
}

static void choose_division(const clp_tracts *tracts, const clp_taylor *a, const clp_taylor *b,
                            clp_cell_verdict *verdict)
{
  double most = -1;
  if (clp_tract_is_box(&tracts->a) || clp_tract_is_box(&tracts->b)) {
    bool first = longest(a) >= longest(b);
    verdict->which = first ? 0 : 1;
    bool box = clp_tract_is_box(first ? &tracts->a : &tracts->b);
    if (!box)
      divide_by_bulge(first ? a : b, verdict->which, &most, verdict);
    return;
  }
  divide_by_bulge(a, 0, &most, verdict);
  divide_by_bulge(b, 1, &most, verdict);
}

/* ---- Second order ------------------------------------------------------------------------- */

static void take_minimum(const clp_charted_couple *charted, const clp_tracts *tracts,
                         const clp_expansion *x, double noise, clp_cell_verdict *verdict)
{
  clp_minimum m = clp_expansion_minimize(charted, tracts, x);
  verdict->lower = clp_max(verdict->lower, m.lower - noise);
  verdict->solved = true;
  verdict->attained = m.attained;
  verdict->spot_a = clp_tract_spot(charted->a, &tracts->a, m.at[0]);
  verdict->spot_b = clp_tract_spot(charted->b, &tracts->b, m.at[1]);
}

/* Fixes what it can; true when another look at the smaller tracts is worth it. */
static bool look_closer(const clp_charted_couple *charted, clp_tracts *tracts, const clp_taylor *a,
                        const clp_taylor *b, clp_cell_verdict *verdict)
{
  clp_expansion x = clp_expand(a, b, (clp_sway){0, 0});
  if (clp_expansion_fix(&x, tracts) > 0)
    return true;
  if (clp_expansion_convex(&x)) {
    take_minimum(charted, tracts, &x, clp_gap_rounding(a, b), verdict);
    return false;
  }
  double bound = sqrt(2 * clp_max(0, clp_expansion_bound(&x)));
  verdict->lower = clp_max(verdict->lower, bound - clp_gap_rounding(a, b));
  int worst = clp_expansion_worst(&x);
  if (worst >= 0) {
    verdict->which = x.which[worst];
    verdict->axis = x.axis[worst];
  }
  return false;
}

/* ---- Elsewhere ---------------------------------------------------------------------------- */

/* |x / |x| - y / |y|| <= 2 |x - y| / (|x| + |y|) */
static clp_cell_proof begin_proof(const clp_taylor *a, const clp_taylor *b, clp_vec3 middle_B)
{
  clp_vec3 r = clp_sub(b->p, a->p);
  double length = clp_norm(r), reach = clp_taylor_radius(b), spread = reach + clp_taylor_radius(a);
  return (clp_cell_proof){.u = clp_unit(r),
                          .slop = length > spread ? clp_min(2, 2 * spread / length) : 2,
                          .middle_B = middle_B,
                          .middle = b->p,
                          .reach = reach};
}

double clp_cell_proof_at(const clp_cell_proof *proof, const clp_pose *X_AB, double turn)
{
  clp_vec3 now = clp_transform(*X_AB, proof->middle_B), d = clp_sub(now, proof->middle);
  double lengths = clp_norm(X_AB->position) + clp_norm(proof->middle_B) + clp_norm(proof->middle);
  double rounding = CLP_ROUNDING * (lengths + proof->reach);
  return proof->bound + clp_dot(proof->u, d) - proof->slop * clp_norm(d) -
         (1 + proof->slop) * turn * proof->reach - rounding;
}

/* A plane's proof: r.n is not below the bound, and (r + D).n not below that and D.n. */
static void prove_by_plane(clp_cell_verdict *verdict, double bound, clp_vec3 n)
{
  verdict->lower = verdict->proof.bound = bound;
  verdict->proof.u = n;
  verdict->proof.slop = 0;
}

/* First order. */
static void separate(const clp_charted_couple *charted, const clp_tracts *t, const clp_taylor *a,
                     const clp_taylor *b, double target, clp_cell_verdict *verdict)
{
  clp_gap gap = clp_gap_find(a, b, target);
  double width = gap.width;
  if (width < target && (is_spline(charted->a, &t->a) || is_spline(charted->b, &t->b)))
    width = clp_max(width, gap_of_points(charted, t, a, b, gap.n));
  if (width > verdict->lower)
    prove_by_plane(verdict, width, gap.n);
}

clp_cell_verdict clp_cell_examine(const clp_charted_couple *charted, const clp_tracts *tracts,
                                  double target)
{
  clp_tracts t = *tracts;
  clp_cell_verdict verdict = {.lower = -HUGE_VAL};
  clp_cell_proof proof = {.bound = -HUGE_VAL}, plane = proof;
  for (int k = 0; k <= FIXES; ++k) {
    clp_taylor a = clp_tract_taylor(charted->a, &t.a), b_B = clp_tract_taylor(charted->b, &t.b);
    clp_taylor b = clp_taylor_from(&charted->X_AB, b_B);
    if (k == 0) {
      verdict.proof = proof = begin_proof(&a, &b, b_B.p);
      verdict.middle = clp_distance(a.p, b.p);
      choose_division(&t, &a, &b, &verdict);
    }
    separate(charted, &t, &a, &b, target, &verdict);
    if (k == 0)
      plane = verdict.proof;
    if (verdict.lower >= target || clp_tract_is_box(&t.a) || clp_tract_is_box(&t.b) ||
        !look_closer(charted, &t, &a, &b, &verdict))
      break;
  }
  if (verdict.lower == plane.bound) {
    verdict.proof = plane;
  } else { /* what was fixed may be so here alone */
    verdict.proof = proof;
    verdict.proof.bound = verdict.lower;
  }
  return verdict;
}
