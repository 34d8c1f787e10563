/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_pair.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/exclusion/cell_expand.h"
#include "rclc_closest_point/exclusion/cell_gap.h"
#include "rclc_closest_point/math/pose.h"

/* Looks at a cell: unknowns are fixed one after the other, and there are four. */
#define LOOKS 5

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
                         const clp_expansion *x, double enough, double noise,
                         clp_cell_verdict *verdict)
{
  clp_minimum m = clp_expansion_minimize(charted, tracts, x, enough + noise);
  verdict->lower = clp_max(verdict->lower, m.lower - noise);
  verdict->solved = true;
  verdict->attained = m.attained;
  verdict->spot_a = clp_tract_spot(charted->a, &tracts->a, m.at[0]);
  verdict->spot_b = clp_tract_spot(charted->b, &tracts->b, m.at[1]);
}

/* Fixes what it can; true when another look at the smaller tracts is worth it. */
static bool look_closer(const clp_charted_couple *charted, clp_tracts *tracts, const clp_taylor *a,
                        const clp_taylor *b, double enough, clp_cell_verdict *verdict)
{
  clp_expansion x = clp_expand(a, b, (clp_sway){0, 0});
  if (clp_expansion_fix(&x, tracts) > 0)
    return true;
  if (clp_expansion_convex(&x)) {
    take_minimum(charted, tracts, &x, enough, clp_gap_rounding(a, b), verdict);
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

/* The norm of the rotations' difference is 2 sin(angle / 2), its Frobenius norm that times the root
 * of two. */
double clp_turn_between(const clp_pose *from, const clp_pose *to)
{
  double square = clp_norm2(clp_sub(to->rotation.x, from->rotation.x)) +
                  clp_norm2(clp_sub(to->rotation.y, from->rotation.y)) +
                  clp_norm2(clp_sub(to->rotation.z, from->rotation.z));
  return sqrt(0.5 * square);
}

double clp_cell_proof_at(const clp_cell_proof *proof, const clp_pose *X_AB, double turn)
{
  clp_vec3 u_B = clp_rotate_back(X_AB->rotation, proof->u);
  clp_vec3 d = clp_sub(clp_transform(*X_AB, proof->middle_B), proof->middle);
  double askew = clp_distance(u_B, proof->u_B) + CLP_ROUNDING;
  double rounding = CLP_ROUNDING * (clp_norm(X_AB->position) + proof->lengths);
  double bound = proof->bound + clp_dot(proof->u, d) - askew * proof->reach - rounding;
  if (proof->slop > 0)
    bound -= proof->slop * (clp_norm(d) + turn * proof->reach);
  return bound;
}

/* A plane's: r.n is not below the bound, and (r + D).n not below that and D.n. */
static clp_cell_proof proof_by_plane(clp_gap gap)
{
  return (clp_cell_proof){.bound = gap.width, .u = gap.n};
}

/* Any other one: |x / |x| - y / |y|| <= 2 |x - y| / (|x| + |y|). */
static clp_cell_proof proof_by_spread(double bound, const clp_taylor *a, const clp_taylor *b)
{
  clp_vec3 r = clp_sub(b->p, a->p);
  double length = clp_norm(r), spread = clp_taylor_radius(a) + clp_taylor_radius(b);
  return (clp_cell_proof){.bound = bound,
                          .u = clp_unit(r),
                          .slop = length > spread ? clp_min(2, 2 * spread / length) : 2};
}

/* What both need to be told elsewhere. */
static void complete(clp_cell_proof *proof, const clp_mat3 *rotation, const clp_taylor *b,
                     clp_vec3 middle_B)
{
  proof->u_B = clp_rotate_back(*rotation, proof->u);
  proof->middle_B = middle_B;
  proof->middle = b->p;
  proof->reach = clp_taylor_radius(b);
  proof->lengths = clp_norm(middle_B) + clp_norm(b->p) + proof->reach;
}

/* All of the part lies below n.x = this; by its control points, too, where they are known. */
static double highest(const clp_taylor *taylor, clp_vec3 n)
{
  double by_derivatives = clp_taylor_reach(taylor, n) + clp_taylor_rise(taylor, n);
  return clp_smaller(clp_taylor_hull(taylor, n), by_derivatives);
}

/* B's plane is found in its own frame. */
clp_cell_proof clp_cell_renewed(const clp_charted_couple *charted, const clp_tracts *tracts,
                                const double at_a[2], const double at_b[2])
{
  const clp_pose *X_AB = &charted->X_AB;
  const clp_taylor *a = clp_tract_known(charted->a, &tracts->a);
  const clp_taylor *b = clp_tract_known(charted->b, &tracts->b);
  clp_vec3 h = clp_transform(*X_AB, clp_taylor_place(b, at_b));
  clp_vec3 n = clp_unit(clp_sub(h, clp_taylor_place(a, at_a)));
  clp_vec3 n_B = clp_rotate_back(X_AB->rotation, n);
  double reach = clp_taylor_radius(b), far = clp_norm(X_AB->position);
  double width = clp_dot(n, X_AB->position) - highest(b, clp_negate(n_B)) - highest(a, n);
  clp_vec3 middle = clp_transform(*X_AB, b->p);
  return (clp_cell_proof){.bound = width - CLP_ROUNDING * (a->lengths + b->lengths + far),
                          .u = n,
                          .u_B = n_B,
                          .middle_B = b->p,
                          .middle = middle,
                          .reach = reach,
                          .lengths = clp_norm(b->p) + clp_norm(middle) + reach};
}

clp_cell_verdict clp_cell_examine(const clp_charted_couple *charted, const clp_tracts *tracts,
                                  double target, double comfort, double enough)
{
  clp_tracts t = *tracts;
  clp_taylor a = clp_tract_hulled(charted->a, &t.a), b_B = clp_tract_hulled(charted->b, &t.b);
  clp_taylor b = clp_taylor_from(&charted->X_AB, b_B);
  clp_gap gap = clp_gap_find(&a, &b, target, target + comfort);
  clp_cell_verdict verdict = {.lower = gap.width, .middle = clp_distance(a.p, b.p)};
  verdict.proof = proof_by_plane(gap);
  choose_division(&t, &a, &b, &verdict);
  bool parts = !clp_tract_is_box(&t.a) && !clp_tract_is_box(&t.b);
  for (int k = 0; k < LOOKS && parts && verdict.lower < target; ++k) {
    clp_taylor x = clp_tract_hulled(charted->a, &t.a);
    clp_taylor y = clp_taylor_from(&charted->X_AB, clp_tract_hulled(charted->b, &t.b));
    if (k > 0)
      verdict.lower = clp_max(verdict.lower, clp_gap_find(&x, &y, target, target).width);
    if (verdict.lower >= target || !look_closer(charted, &t, &x, &y, enough, &verdict))
      break;
  }
  if (verdict.lower > gap.width) /* what was fixed may be so here alone */
    verdict.proof = proof_by_spread(verdict.lower, &a, &b);
  complete(&verdict.proof, &charted->X_AB.rotation, &b, b_B.p);
  return verdict;
}
