/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/flat.h"
#include "rclc_closest_point/pair/pair.h"
#include "rclc_closest_point/witness/start_spot.h"

/* Iterations of one descent from afar; convergence takes about ten, and rarely fifty. Of bodies
 * that overlap a descent does not end, so that it is first asked whether they do. */
#define FIRST_BUDGET 20
#define FAR_BUDGET 120

/* Starts that are tried before the pair counts as not separated. */
#define STARTS 6

/* Restarts within one start, when a witness ends up behind the other's face. */
#define TURNS 3

/* ---- One place ---------------------------------------------------------------------------- */

/* A's outward normal: the direction that proved the bound. */
static clp_vec3 normal_of(const clp_sight *sight, const clp_certificate *certificate)
{
  return certificate->lower > -HUGE_VAL ? certificate->normal : clp_unit(sight->d);
}

void clp_pair_view_turn(clp_pair_view *view, double width)
{
  clp_vec3 d = clp_sub(view->h, view->f);
  if (clp_norm(clp_add_scaled(d, -view->distance, view->normal)) > 0.1 * width)
    view->normal = clp_unit(d);
}

static void show(clp_pair_view *view, const clp_couple *couple, const clp_spots *spots,
                 const clp_descent *descent, const clp_certificate *certificate)
{
  const clp_sight *sight = &descent->sight;
  view->distance = sight->distance;
  view->lower = fmin(certificate->lower, sight->distance);
  view->f = sight->a.p;
  view->h = sight->b.p;
  view->normal = normal_of(sight, certificate);
  view->spread = clp_spread(couple, spots, view->normal);
}

bool clp_settle_outside(clp_pair *pair, const clp_couple *couple, double width, int budget,
                        clp_pair_view *view, clp_descent_end *end)
{
  clp_descent descent =
      clp_descend(couple, &pair->spots, budget, CLP_DESCENT_TOLERANCE, &pair->log);
  clp_certificate certificate =
      clp_certify(couple, &pair->spots, &descent.sight, descent.sight.distance - 0.01 * width);
  view->steps += descent.iterations;
  *end = descent.end;
  show(view, couple, &pair->spots, &descent, &certificate);
  clp_pair_view_turn(view, width);
  bool proven = view->distance - view->lower <= width && *end == CLP_DESCENT_CONVERGED;
  view->status = proven ? CLP_TRACKING : CLP_CONVERGING;
  return view->status == CLP_TRACKING;
}

/* ---- From scratch ------------------------------------------------------------------------- */

/* A witness that looks at the other from behind starts again on the side that faces it. */
static void turn_round(clp_pair *pair, const clp_couple *couple, const clp_pair_view *view,
                       int skip)
{
  clp_vec3 d = clp_sub(view->h, view->f);
  pair->spots.a = clp_start_spot(pair->a, d, skip);
  pair->spots.b =
      clp_start_spot(pair->b, clp_negate(clp_rotate_back(couple->X_AB.rotation, d)), skip);
}

/* One start, turned round while a witness ends up behind; keeps the best of what it saw. */
typedef enum try_end { TRY_PROVEN, TRY_FAILED, TRY_TOUCH } try_end;

static try_end try_start(clp_pair *pair, const clp_couple *couple, double width, int start,
                         int budget, clp_pair_view *best, clp_spots *best_spots)
{
  clp_pair_view view = *best;
  view.f = pair->a->center;
  view.h = clp_transform(couple->X_AB, pair->b->center);
  for (int turn = 0; turn < TURNS; ++turn) {
    clp_descent_end end;
    turn_round(pair, couple, &view, start);
    bool proven = clp_settle_outside(pair, couple, width, budget, &view, &end);
    double lower = fmax(best->lower, view.lower);
    if (proven || view.distance < best->distance) {
      *best = view;
      *best_spots = pair->spots;
    }
    best->lower = lower;
    best->steps = view.steps;
    if (proven)
      return TRY_PROVEN;
    if (end == CLP_DESCENT_TOUCH)
      return TRY_TOUCH;
    if (end != CLP_DESCENT_BEHIND && end != CLP_DESCENT_STALLED)
      break;
  }
  return TRY_FAILED;
}

bool clp_acquire(clp_pair *pair, const clp_couple *couple, double width, clp_pair_view *view)
{
  clp_spots spots = pair->spots;
  view->distance = HUGE_VAL;
  view->lower = -HUGE_VAL;
  try_end end = try_start(pair, couple, width, 0, FIRST_BUDGET, view, &spots);
  pair->spots = spots;
  return end == TRY_PROVEN;
}

bool clp_acquire_again(clp_pair *pair, const clp_couple *couple, double width, clp_pair_view *view)
{
  clp_spots spots = pair->spots;
  try_end end = TRY_FAILED;
  for (int start = 0; start < STARTS && end == TRY_FAILED; ++start)
    end = try_start(pair, couple, width, start, FAR_BUDGET, view, &spots);
  pair->spots = spots;
  return end == TRY_PROVEN;
}
