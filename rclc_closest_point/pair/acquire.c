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
static clp_vec3 normal_of(const clp_couple_jets *jets, const clp_certificate *certificate)
{
  return certificate->lower > -HUGE_VAL ? certificate->normal : clp_unit(jets->d);
}

void clp_known_turn(clp_known *known, double width)
{
  clp_vec3 d = clp_sub(known->h, known->f);
  if (clp_norm(clp_add_scaled(d, -known->distance, known->normal)) > 0.1 * width)
    known->normal = clp_unit(d);
}

static void show(clp_known *known, const clp_couple *couple, const clp_spots *spots,
                 const clp_descent *descent, const clp_certificate *certificate)
{
  const clp_couple_jets *jets = &descent->jets;
  known->distance = jets->distance;
  known->lower = fmin(certificate->lower, jets->distance);
  known->f = jets->a.p;
  known->h = jets->b.p;
  known->normal = normal_of(jets, certificate);
  known->spread = clp_spread(couple, spots, known->normal);
}

bool clp_settle_outside(clp_pair *pair, const clp_couple *couple, double width, int budget,
                        clp_known *known, clp_descent_end *end)
{
  clp_descent descent =
      clp_descend(couple, &pair->spots, budget, CLP_DESCENT_TOLERANCE, &pair->log);
  clp_certificate certificate =
      clp_certify(couple, &pair->spots, &descent.jets, descent.jets.distance - 0.01 * width);
  known->steps += descent.iterations;
  *end = descent.end;
  show(known, couple, &pair->spots, &descent, &certificate);
  clp_known_turn(known, width);
  bool proven = known->distance - known->lower <= width && *end == CLP_DESCENT_CONVERGED;
  known->status = proven ? CLP_TRACKING : CLP_CONVERGING;
  return known->status == CLP_TRACKING;
}

/* ---- From scratch ------------------------------------------------------------------------- */

/* A witness that looks at the other from behind starts again on the side that faces it. */
static void turn_round(clp_pair *pair, const clp_couple *couple, const clp_known *known, int skip)
{
  clp_vec3 d = clp_sub(known->h, known->f);
  pair->spots.a = clp_start_spot(pair->a, d, skip);
  pair->spots.b =
      clp_start_spot(pair->b, clp_negate(clp_rotate_back(couple->X_AB.rotation, d)), skip);
}

/* One start, turned round while a witness ends up behind; keeps the best of what it saw. */
typedef enum try_end { TRY_PROVEN, TRY_FAILED, TRY_TOUCH } try_end;

static try_end try_start(clp_pair *pair, const clp_couple *couple, double width, int start,
                         int budget, clp_known *best, clp_spots *best_spots)
{
  clp_known known = *best;
  known.f = pair->a->center;
  known.h = clp_transform(couple->X_AB, pair->b->center);
  for (int turn = 0; turn < TURNS; ++turn) {
    clp_descent_end end;
    turn_round(pair, couple, &known, start);
    bool proven = clp_settle_outside(pair, couple, width, budget, &known, &end);
    double lower = fmax(best->lower, known.lower);
    if (proven || known.distance < best->distance) {
      *best = known;
      *best_spots = pair->spots;
    }
    best->lower = fmin(lower, best->distance); /* another start's bound may be beyond by rounding */
    best->steps = known.steps;
    if (proven)
      return TRY_PROVEN;
    if (end == CLP_DESCENT_TOUCH)
      return TRY_TOUCH;
    if (end != CLP_DESCENT_BEHIND && end != CLP_DESCENT_STALLED)
      break;
  }
  return TRY_FAILED;
}

bool clp_acquire(clp_pair *pair, const clp_couple *couple, double width, clp_known *known)
{
  clp_spots spots = pair->spots;
  known->distance = HUGE_VAL;
  known->lower = -HUGE_VAL;
  try_end end = try_start(pair, couple, width, 0, FIRST_BUDGET, known, &spots);
  pair->spots = spots;
  return end == TRY_PROVEN;
}

bool clp_acquire_again(clp_pair *pair, const clp_couple *couple, double width, clp_known *known)
{
  clp_spots spots = pair->spots;
  try_end end = TRY_FAILED;
  for (int start = 0; start < STARTS && end == TRY_FAILED; ++start)
    end = try_start(pair, couple, width, start, FAR_BUDGET, known, &spots);
  pair->spots = spots;
  return end == TRY_PROVEN;
}
