/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_bowl.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/pose.h"

/* Of the square, what a bowl's sides have to leave, so that |r| is at most twice the root of that.
 * Rounding of r is as if B stood elsewhere, by as much. Rounding of a slope is 8 u |r| times the
 * length of the derivative (u = 2^-53; three products, for B's with r turned first), four times
 * that in what is left, and 32 u times the length in the root: which is what is taken off for it.
 */
#define LEFT 0.25

/* For all poses within the sway from here. False where phi is not known to be convex. */
static bool make(const clp_charted_couple *charted, const clp_tracts *cell, clp_sway sway,
                 clp_cell_bowl *bowl)
{
  clp_tracts fixed = *cell;
  clp_expansion x = clp_expand_fixed(charted, sway, &fixed);
  double at[4], steep[4];
  if (!clp_expansion_bowl(&x, at, steep))
    return false;
  *bowl = (clp_cell_bowl){.lengths = charted->a->body->size + charted->b->body->size +
                                     charted->a->charts[cell->a.chart].lengths +
                                     charted->b->charts[cell->b.chart].lengths};
  for (int i = 0; i < x.count; ++i) {
    bowl->at[x.which[i]][x.axis[i]] = at[i];
    bowl->steep[x.which[i]][x.axis[i]] = steep[i];
  }
  for (int k = 0; k < 2; ++k) {
    clp_jet jet = k == 0 ? clp_tract_jet(charted->a, &fixed.a, bowl->at[0])
                         : clp_tract_jet(charted->b, &fixed.b, bowl->at[1]);
    bowl->place[k] = jet.p;
    bowl->along[k][0] = jet.u;
    bowl->along[k][1] = jet.v;
    bowl->lengths += clp_norm(jet.p) + clp_norm(jet.u) + clp_norm(jet.v);
  }
  return true;
}

/* How far g z + k z^2 / 2 goes below zero for x + z from -1 to 1. */
static double depth(double g, double k, double x)
{
  double wanted = k > 0 ? -g / k : -copysign(2, g);
  double z = clp_max(-1 - x, clp_min(1 - x, wanted));
  return -(g + 0.5 * k * z) * z;
}

/* A lower bound of the cell's distance. */
static double bound_at(const clp_cell_bowl *bowl, const clp_pose *X_AB)
{
  clp_vec3 r = clp_sub(bowl->place[0], clp_transform(*X_AB, bowl->place[1]));
  clp_vec3 back = clp_negate(clp_rotate_back(X_AB->rotation, r));
  double square = clp_norm2(r), lost = 0;
  for (int axis = 0; axis < 2; ++axis) {
    lost += depth(clp_dot(r, bowl->along[0][axis]), bowl->steep[0][axis], bowl->at[0][axis]);
    lost += depth(clp_dot(back, bowl->along[1][axis]), bowl->steep[1][axis], bowl->at[1][axis]);
  }
  double left = square - 2 * lost;
  if (!(left >= LEFT * square))
    return -HUGE_VAL;
  return sqrt(left) - CLP_ROUNDING * (bowl->lengths + clp_norm(X_AB->position));
}

/* ---- The last ones -------------------------------------------------------------------------- */

uint64_t clp_bowls_make(clp_bowls *bowls, const clp_charted_couple *charted, const clp_tracts *cell,
                        clp_sway sway, double motion, double wanted, double *bound)
{
  uint64_t number = bowls->made + 1, slot = number % CLP_BOWLS;
  clp_cell_bowl bowl;
  if (clp_tract_is_box(&cell->a) || clp_tract_is_box(&cell->b) || !make(charted, cell, sway, &bowl))
    return 0;
  *bound = bound_at(&bowl, &charted->X_AB);
  if (!(*bound >= wanted))
    return 0;
  bowls->made = bowls->slots[slot].number = number;
  bowls->slots[slot].bowl = bowl;
  bowls->slots[slot].ends = motion + sway.shift;
  return number;
}

double clp_bowls_bound(const clp_bowls *bowls, uint64_t number, double motion, const clp_pose *X_AB)
{
  uint64_t slot = number % CLP_BOWLS;
  if (number == 0 || bowls->slots[slot].number != number || motion > bowls->slots[slot].ends)
    return -HUGE_VAL;
  return bound_at(&bowls->slots[slot].bowl, X_AB);
}

void clp_bowls_lower(clp_bowls *bowls, double by)
{
  for (int k = 0; k < CLP_BOWLS; ++k)
    bowls->slots[k].ends -= by;
}
