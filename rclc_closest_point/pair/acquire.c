/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/pair/flat.h"
#include "rclc_closest_point/pair/padding.h"
#include "rclc_closest_point/pair/pair.h"
#include "rclc_closest_point/witness/automaton.h"
#include "rclc_closest_point/witness/start_spot.h"

/* Iterations of one descent from afar; convergence takes about ten, and rarely fifty. */
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

/* The distance of bodies that are apart is along the witnesses' own normal, where that differs. */
static void turn_to_witnesses(clp_known *known, double width)
{
  clp_vec3 d = clp_sub(known->h, known->f);
  if (clp_norm(clp_add_scaled(d, -known->distance, known->normal)) > 0.1 * width)
    known->normal = clp_unit(d);
}

/* What is swept by balls overlaps where its cores do not, and then its normal has to be a way out:
 * the one that proves the bound is. The witnesses' own is so only as far as they face each other,
 * and where they do not, on faces that are nearly parallel, there may be others anywhere. */
static void keep_way_out(const clp_pair *pair, const clp_couple *couple, clp_known *known)
{
  double aside = clp_distance(known->h, clp_add_scaled(known->f, known->distance, known->normal));
  if (aside <= CLP_FACING * couple->size)
    return;
  known->scattered = true;
  known->spread = clp_pair_anywhere(pair);
}

/* Whether that is what will be said of them (padding.c). */
static bool is_known_overlap(const clp_pair *pair, const clp_couple *couple, const clp_known *known)
{
  double core = known->distance + couple->blur;
  return known->status == CLP_TRACKING && pair->padding > 0 && clp_padding_overlaps(pair, core) &&
         core - known->lower <= clp_pair_width(pair, core);
}

static bool is_segment(const clp_body *body)
{
  return body->whole && body->edge_count > 0;
}

/* n without what of it is along a segment; of two, what is square to both. */
static clp_vec3 square_to_segments(const clp_pair *pair, const clp_couple *couple, clp_vec3 n)
{
  clp_vec3 axis = is_segment(pair->a) ? (clp_vec3){0, 0, 1} : couple->X_AB.rotation.z, other;
  clp_vec3 square = clp_add_scaled(n, -clp_dot(n, axis), axis);
  if (is_segment(pair->a) && is_segment(pair->b))
    square = clp_cross(axis, couple->X_AB.rotation.z);
  if (!(clp_norm(square) > CLP_NO_DIRECTION))
    clp_tangents(axis, &square, &other);
  return clp_unit(square);
}

/* A witness that is not settled goes where its segment is nearest to the other: what leads on from
 * there is a normal of the segment, and so is the place that it is swept to on the capsule. Of a
 * point every direction is. */
static void keep_square(clp_pair *pair, const clp_couple *couple, clp_known *known)
{
  const clp_spots before = pair->spots;
  if (is_segment(pair->a)) {
    pair->spots.a = clp_spot_on_core(pair->a, known->h.z);
    known->f = clp_spot_point(pair->a, pair->spots.a);
  } else if (is_segment(pair->b)) {
    pair->spots.b = clp_spot_on_core(pair->b, clp_transform_back(couple->X_AB, known->f).z);
    known->h = clp_transform(couple->X_AB, clp_spot_point(pair->b, pair->spots.b));
  } else {
    return;
  }
  clp_vec3 d = clp_sub(known->h, known->f);
  known->distance = clp_norm(d);
  known->lower = fmin(known->lower, known->distance);
  if (known->distance > CLP_DESCENT_TOUCHING * couple->size)
    known->normal = clp_unit(d);
  else /* where the witnesses coincide the way between them is rounding */
    known->normal = square_to_segments(pair, couple, known->normal);
  clp_pair_log_change(pair, &before, known->distance);
}

void clp_known_turn(clp_pair *pair, const clp_couple *couple, double width, clp_known *known)
{
  if (known->status == CLP_PENETRATING || !(known->distance < HUGE_VAL))
    return;
  if (known->status == CLP_CONVERGING)
    keep_square(pair, couple, known);
  if (known->spread == CLP_NOT_ASKED)
    known->spread = clp_spread(couple, &pair->spots, known->normal);
  if (is_known_overlap(pair, couple, known))
    keep_way_out(pair, couple, known);
  else
    turn_to_witnesses(known, width);
}

static void show(clp_known *known, const clp_descent *descent, const clp_certificate *certificate)
{
  const clp_couple_jets *jets = &descent->jets;
  known->distance = jets->distance;
  known->lower = fmin(certificate->lower, jets->distance);
  known->f = jets->a.p;
  known->h = jets->b.p;
  known->normal = normal_of(jets, certificate);
  known->spread = CLP_NOT_ASKED;
}

/* The border of the witness's face in the direction d, if it is no farther than `reach`; else the
 * lowest feature that the witness is on. `jet` and d in the same frame. */
static clp_spot border_near(const clp_body *body, clp_spot spot, const clp_spot_jet *jet,
                            clp_vec3 d, double reach)
{
  if (spot.kind == CLP_FACE) {
    const clp_vec3 *t = jet->t;
    double uu = clp_norm2(t[0]), uv = clp_dot(t[0], t[1]), vv = clp_norm2(t[1]);
    double ud = clp_dot(t[0], d), vd = clp_dot(t[1], d), det = uu * vv - uv * uv;
    double x[2] = {(vv * ud - uv * vd) / det, (uu * vd - uv * ud) / det};
    double length = clp_norm(clp_add(clp_scale(x[0], t[0]), clp_scale(x[1], t[1])));
    x[0] *= reach / length;
    x[1] *= reach / length;
    int side = -1;
    double fraction =
        isfinite(x[0]) && isfinite(x[1]) ? clp_spot_fraction(body, spot, x, &side) : 1;
    const double part[2] = {fraction * x[0], fraction * x[1]};
    if (side >= 0)
      spot = clp_spot_move(body, spot, part, side);
  }
  return clp_lowest_feature(body, spot);
}

/* Of a witness that has been put on a border, until the other one faces it. */
enum { ALONG_BORDER = 4 };

/* So near to a border, of the size, a witness may as well be on it. */
#define AT_BORDER 1e-7

/* Whether what n proves is proven by the witnesses' own normal as well. */
static bool faces_along(const clp_couple *couple, const clp_couple_jets *jets, clp_vec3 n,
                        double width)
{
  double aside = clp_norm(clp_add_scaled(jets->d, -jets->distance, n));
  return aside * couple->size <= width * jets->distance;
}

/* Next to the border of its face a witness stays where rounding hides what is gained on the way,
 * and on it as long as the other one is beyond it by less than a change of features asks for. The
 * normals that prove it optimal may be the border's alone. */
static bool prove_at_borders(clp_pair *pair, const clp_couple *couple, double width,
                             clp_descent *descent, clp_certificate *best)
{
  const clp_spots at = pair->spots;
  const clp_couple_jets *jets = &descent->jets;
  const double reach = AT_BORDER * couple->size, enough = jets->distance - 0.01 * width;
  const clp_spots low = {border_near(couple->a, at.a, &jets->a, jets->d, reach),
                         border_near(couple->b, at.b, &jets->b, clp_negate(jets->d), reach)};
  for (int k = 1; k < 4; ++k) {
    clp_spots spots = {k & 1 ? low.a : at.a, k & 2 ? low.b : at.b};
    if ((clp_spot_same_feature(&spots.a, &at.a) && clp_spot_same_feature(&spots.b, &at.b)) ||
        clp_is_spent(couple->effort))
      continue;
    clp_spend(couple->effort, CLP_EFFORT_JETS);
    clp_couple_jets there =
        clp_couple_jets_at(couple->a, spots.a, couple->b, spots.b, &couple->X_AB);
    if (descent->end != CLP_DESCENT_CONVERGED)
      there = clp_descend(couple, &spots, ALONG_BORDER, CLP_DESCENT_TOLERANCE, NULL).jets;
    clp_certificate other = clp_certify(couple, &spots, &there, enough);
    if (there.distance > jets->distance + CLP_NOISE * couple->size ||
        !(there.distance - other.lower <= width) ||
        (descent->end != CLP_DESCENT_CONVERGED &&
         !faces_along(couple, &there, other.normal, width)))
      continue;
    *best = other;
    pair->spots = spots;
    descent->jets = there;
    return true;
  }
  return false;
}

/* A residual with which a descent that has not ended yet may have met the same. */
#define NEARLY_THERE 1e-6

static bool may_be_at_border(const clp_descent *descent)
{
  return descent->end == CLP_DESCENT_CONVERGED ||
         (descent->end == CLP_DESCENT_BUDGET && descent->iterations > 0 &&
          clp_couple_jets_residual(&descent->jets) < NEARLY_THERE);
}

bool clp_settle_outside(clp_pair *pair, const clp_couple *couple, double width, int budget,
                        clp_known *known, clp_descent_end *end)
{
  clp_descent descent = clp_pair_descend(pair, couple, budget);
  double enough = descent.jets.distance - 0.01 * width;
  clp_certificate certificate = clp_certify(couple, &pair->spots, &descent.jets, enough);
  if (descent.jets.distance - certificate.lower > width && may_be_at_border(&descent) &&
      prove_at_borders(pair, couple, width, &descent, &certificate))
    descent.end = CLP_DESCENT_CONVERGED;
  known->steps += descent.iterations;
  *end = descent.end;
  show(known, &descent, &certificate);
  bool proven = known->distance - known->lower <= width && *end == CLP_DESCENT_CONVERGED;
  known->status = proven ? CLP_TRACKING : CLP_CONVERGING;
  return known->status == CLP_TRACKING;
}

/* ---- From scratch ------------------------------------------------------------------------- */

/* A witness that looks at the other from behind starts again on the side that faces it. */
static void turn_round(clp_pair *pair, const clp_couple *couple, const clp_known *known, int skip)
{
  clp_vec3 d = clp_sub(known->h, known->f);
  clp_spend(couple->effort, clp_start_effort(pair->a) + clp_start_effort(pair->b));
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
    if ((end != CLP_DESCENT_BEHIND && end != CLP_DESCENT_STALLED) || clp_is_spent(couple->effort))
      break;
  }
  return TRY_FAILED;
}

bool clp_acquire(clp_pair *pair, const clp_couple *couple, double width, int budget,
                 clp_known *known)
{
  clp_spots spots = pair->spots;
  known->distance = HUGE_VAL;
  known->lower = -HUGE_VAL;
  try_end end = try_start(pair, couple, width, 0, budget, known, &spots);
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
