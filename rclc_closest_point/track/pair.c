/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/pair.h"

#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"

/* ---- Life --------------------------------------------------------------------------------- */

clp_pair_options clp_default_pair_options(void)
{
  return (clp_pair_options){.controller = CLP_CONTROLLER_AUTO,
                            .integrator = CLP_INTEGRATOR_EULER,
                            .substeps = 1,
                            .feedforward = true};
}

/* A plane in space has no second dimension to share with a solid. */
bool clp_bodies_can_meet(const clp_body *a, const clp_body *b)
{
  bool flat_a = a->info.planar, flat_b = b->info.planar;
  return flat_a == flat_b || a->info.point || b->info.point;
}

static bool is_proven_by_planes(const clp_body *a, const clp_body *b)
{
  return a->info.convex && a->info.closed && b->info.convex && b->info.closed;
}

clp_status clp_pair_aids_create(const clp_body *a, const clp_body *b,
                                const clp_pair_options *options, clp_pair_aids *aids)
{
  clp_pair_aids made = {0};
  clp_status status = CLP_OK;
  if (!is_proven_by_planes(a, b) && !(made.exclusion = clp_exclusion_create(a, b)))
    status = CLP_ERROR_MEMORY;
  if (status == CLP_OK && options->controller == CLP_CONTROLLER_NEWTON)
    status = clp_newton_create(a, b, &made.newton);
  if (status == CLP_OK)
    *aids = made;
  else
    clp_pair_aids_destroy(&made);
  return status;
}

void clp_pair_aids_destroy(clp_pair_aids *aids)
{
  clp_exclusion_destroy(aids->exclusion);
  clp_newton_destroy(aids->newton);
  *aids = (clp_pair_aids){0};
}

void clp_pair_init(clp_pair *pair, const clp_body *a, const clp_body *b,
                   const clp_pair_options *options, const clp_pair_aids *aids)
{
  *pair = (clp_pair){.a = a,
                     .b = b,
                     .cycle = clp_cycle_make(a, b),
                     .options = *options,
                     .size = fmax(a->size, b->size),
                     .convex = is_proven_by_planes(a, b),
                     .aids = *aids};
  pair->cycle.normals = pair->convex;
  pair->log = (clp_event_log){pair->events, CLP_MAX_EVENTS, 0};
  clp_pair_set_tolerance(pair, options->tolerance);
}

void clp_pair_set_tolerance(clp_pair *pair, double tolerance)
{
  pair->options.tolerance = tolerance;
  pair->tolerance = tolerance > 0 ? tolerance : (pair->convex ? 1e-9 : 1e-6);
}

/* Numbers that are none fail every comparison. */
static bool is_amount(double x)
{
  return x >= 0 && x < HUGE_VAL;
}

bool clp_pair_options_usable(const clp_pair_options *o)
{
  return (unsigned)o->controller <= CLP_CONTROLLER_NEWTON &&
         (unsigned)o->integrator <= CLP_INTEGRATOR_RK4 && is_amount(o->gain) &&
         is_amount(o->ball) && o->substeps >= 1 && is_amount(o->tolerance) && is_amount(o->range) &&
         o->cells >= 0;
}

clp_status clp_pair_create(const clp_body *a, const clp_body *b, const clp_pair_options *options,
                           clp_pair **pair)
{
  if (!a || !b || !pair || !clp_bodies_can_meet(a, b) ||
      (options && !clp_pair_options_usable(options)))
    return CLP_ERROR_ARGUMENT;
  const clp_pair_options defaults = clp_default_pair_options();
  const clp_pair_options *chosen = options ? options : &defaults;
  clp_pair_aids aids = {0};
  clp_pair *made = malloc(sizeof *made);
  clp_status status = made ? clp_pair_aids_create(a, b, chosen, &aids) : CLP_ERROR_MEMORY;
  if (status != CLP_OK) {
    free(made);
    return status;
  }
  clp_pair_init(made, a, b, chosen, &aids);
  *pair = made;
  return CLP_OK;
}

void clp_pair_destroy(clp_pair *pair)
{
  if (!pair)
    return;
  clp_pair_aids_destroy(&pair->aids);
  free(pair);
}

/* ---- Answers ------------------------------------------------------------------------------ */

/* fmax and fmin are calls, for what they do with what is not a number. */
static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
  return a < b ? a : b;
}

/* The interval that counts as tracked. Far apart, rounding alone grows with the distance. */
static inline double width_of(const clp_pair *pair, double distance)
{
  return pair->tolerance * larger(pair->size, 1e-3 * distance);
}

static inline clp_answer answer_of(const clp_pair *pair, const clp_pair_view *view,
                                   const clp_pose *X_WA)
{
  clp_answer answer = {.status = view->status,
                       .distance = view->distance,
                       .lower_bound = view->lower,
                       .point_a = clp_transform(*X_WA, view->f),
                       .point_b = clp_transform(*X_WA, view->h),
                       .normal = clp_rotate(X_WA->rotation, view->normal),
                       .kind_a = pair->spots.a.kind,
                       .kind_b = pair->spots.b.kind,
                       .feature_a = pair->spots.a.id,
                       .feature_b = pair->spots.b.id,
                       .non_unique = view->non_unique,
                       .steps = view->steps};
  if (pair->options.range > 0 && view->lower > pair->options.range)
    answer.status = CLP_OUT_OF_RANGE;
  return answer;
}

/* Any distance is possible, for all that poses say which no rigid body has. */
static __attribute__((noinline)) clp_answer know_nothing(const clp_pair *pair)
{
  return (clp_answer){.status = CLP_CONVERGING,
                      .distance = HUGE_VAL,
                      .lower_bound = -HUGE_VAL,
                      .normal = {0, 0, 1},
                      .kind_a = pair->spots.a.kind,
                      .kind_b = pair->spots.b.kind,
                      .feature_a = pair->spots.a.id,
                      .feature_b = pair->spots.b.id,
                      .non_unique = true};
}

/* What the next cycle goes on from. */
static inline clp_answer finish(clp_pair *pair, const clp_pair_view *view, const clp_pose *X_WA)
{
  if (!(view->distance < HUGE_VAL))
    return know_nothing(pair);
  pair->normal = view->normal;
  pair->inside = view->status == CLP_PENETRATING;
  return answer_of(pair, view, X_WA);
}

static double expected_distance(const clp_pair *pair, const clp_couple *couple)
{
  return clp_distance(pair->a->center, clp_transform(couple->X_AB, pair->b->center));
}

static bool spots_valid(const clp_pair *pair)
{
  return clp_spot_valid(pair->a, pair->spots.a) && clp_spot_valid(pair->b, pair->spots.b);
}

static void show_depth(clp_pair_view *view, const clp_depth *depth)
{
  view->status = CLP_PENETRATING;
  view->distance = depth->s;
  view->lower = fmin(depth->lower, depth->s);
  view->f = depth->f;
  view->h = depth->h;
  view->normal = depth->normal;
  view->steps += depth->iterations;
}

/* ---- Convex pairs ------------------------------------------------------------------------- */

/* When no start was certified, the bodies overlap, or nearly: all directions are searched. A
 * direction that separates them is as good a start as there can be. */
static void search_depth(clp_pair *pair, const clp_couple *couple, double width,
                         clp_pair_view *view)
{
  clp_spots spots = pair->spots;
  clp_depth depth = clp_penetration_search(couple, &spots);
  if (!depth.found)
    return;
  if (depth.s <= 0) {
    pair->spots = spots;
    show_depth(view, &depth);
    return;
  }
  clp_spots kept = pair->spots;
  clp_pair_view outside = *view;
  clp_descent_end end;
  pair->spots = spots;
  if (clp_settle_outside(pair, couple, width, 120, &outside, &end) ||
      outside.distance < view->distance) {
    outside.lower = fmax(outside.lower, fmin(depth.lower, outside.distance));
    *view = outside;
  } else {
    pair->spots = kept;
    view->lower = fmax(view->lower, fmin(depth.lower, view->distance));
  }
  if (view->distance - view->lower <= width)
    view->status = CLP_TRACKING;
}

/* One short descent is enough for nearly all bodies that are apart. Where it is not, they mostly
 * overlap, which is soon told, and then no other one would do better. */
static void query_convex(clp_pair *pair, const clp_couple *couple, clp_pair_view *view)
{
  double width = width_of(pair, expected_distance(pair, couple));
  if (clp_acquire(pair, couple, width, view))
    return;
  clp_vec3 d = clp_sub(view->h, view->f);
  clp_vec3 n = clp_norm2(d) > 0 ? clp_unit(d) : (clp_vec3){0, 0, 1};
  if (clp_overlap_test(couple, n).end == CLP_OVERLAP_PROVEN ||
      !clp_acquire_again(pair, couple, width, view))
    search_depth(pair, couple, width, view);
}

/* ---- Other pairs -------------------------------------------------------------------------- */

/* Cells that a query may examine, and a cycle unless it is told. */
#define QUERY_CELLS 200000
#define CYCLE_CELLS 64

/* From A to B; at contact, where the witnesses coincide, a face's normal or the last one known. */
static clp_vec3 direction_of(const clp_pair *pair, const clp_sight *sight)
{
  if (sight->distance > 0)
    return clp_unit(sight->d);
  if (sight->a.freedoms == 2)
    return sight->a.normal;
  if (sight->b.freedoms == 2)
    return clp_negate(sight->b.normal);
  return clp_norm2(pair->normal) > 0 ? pair->normal : (clp_vec3){0, 0, 1};
}

static __attribute__((noinline)) clp_vec3 direction_at_contact(const clp_pair *pair)
{
  clp_sight sight =
      clp_sight_take(pair->a, pair->spots.a, pair->b, pair->spots.b, &pair->cycle.couple.X_AB);
  return direction_of(pair, &sight);
}

static void look(const clp_pair *pair, clp_pair_view *view)
{
  view->f = clp_spot_point(pair->a, pair->spots.a);
  view->h = clp_transform(pair->cycle.couple.X_AB, clp_spot_point(pair->b, pair->spots.b));
}

/* The view is at the pair's spots already. */
static inline void show_exclusion(const clp_pair *pair, const clp_exclusion_result *found,
                                  double width, clp_pair_view *view)
{
  clp_vec3 d = clp_sub(view->h, view->f);
  view->distance = clp_norm(d);
  view->lower = smaller(found->lower, view->distance);
  view->normal = view->distance > 0 ? clp_scale(1 / view->distance, d) : direction_at_contact(pair);
  view->non_unique = found->non_unique;
  view->status = view->distance - view->lower <= width ? CLP_TRACKING : CLP_CONVERGING;
  if (!found->inside)
    return;
  view->status = CLP_PENETRATING;
  view->distance = -view->distance; /* the boundaries' distance is no depth, but not positive */
  view->normal = clp_negate(view->normal);
  view->lower = -(pair->a->size + pair->b->size);
}

static void query_other(clp_pair *pair, const clp_couple *couple, clp_pair_view *view)
{
  double width = width_of(pair, expected_distance(pair, couple));
  clp_exclusion_result found =
      clp_exclusion_search(pair->aids.exclusion, couple, &pair->spots, 0.5 * width, QUERY_CELLS);
  look(pair, view);
  show_exclusion(pair, &found, width, view);
}

static void query(clp_pair *pair, const clp_couple *couple, clp_pair_view *view)
{
  if (!clp_couple_is_rigid(couple))
    view->distance = HUGE_VAL;
  else if (pair->convex)
    query_convex(pair, couple, view);
  else
    query_other(pair, couple, view);
}

clp_answer clp_pair_query(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  clp_pair_view view = {.status = CLP_CONVERGING};
  clp_cycle_place(&pair->cycle, X_WA, X_WB);
  pair->log.count = 0;
  query(pair, &pair->cycle.couple, &view);
  pair->started = true;
  pair->batch_kind = 0;
  clp_pair_forget_rates(pair);
  return finish(pair, &view, X_WA);
}

/* ---- Tracking ----------------------------------------------------------------------------- */

/* Iterations of a cycle: one, as a rule; more after a change of features. */
#define STEP_BUDGET 8

/* Iterations of a re-acquisition, which a lost pair gets on top. */
#define RECOVERY_BUDGET 60

static inline void keep_stride(clp_pair *pair, const clp_stride *stride, clp_pair_view *view)
{
  pair->spots = stride->spots;
  clp_pair_remember_rates(pair, stride->rates);
  view->f = stride->look.f;
  view->h = stride->look.h;
  view->steps = 1;
}

/* The usual cycle: one stride, proven at once. The interval says nothing of where the witnesses
 * are, for the distance is their error's square away from its minimum; so they are asked to face
 * each other as narrowly. */
static inline bool stride_outside(clp_pair *pair, clp_pair_view *view)
{
  clp_stride stride;
  if (!clp_stride_take(&pair->cycle, &pair->spots, &pair->rates, &stride))
    return false;
  clp_interval interval = clp_certify_stride(&pair->cycle.couple, &stride);
  double width = width_of(pair, interval.distance);
  if (!(interval.distance - interval.lower <= width && interval.sideways2 <= width * width))
    return false;
  keep_stride(pair, &stride, view);
  view->status = CLP_TRACKING;
  view->distance = interval.distance;
  view->lower = smaller(interval.lower, interval.distance);
  view->normal = interval.normal;
  view->non_unique = false;
  return true;
}

/* After a cycle that took the long way: the rates at the spots where it ended. */
static void learn_rates(clp_pair *pair)
{
  clp_stride stride;
  if (pair->cycle.moves && clp_stride_take(&pair->cycle, &pair->spots, &pair->rates, &stride))
    clp_pair_remember_rates(pair, stride.rates);
}

/* Moves the spots on by prediction alone. False when they are no places of the bodies. */
static bool predict(clp_pair *pair)
{
  pair->spots = clp_stride_predict(&pair->cycle, &pair->spots, &pair->rates);
  clp_pair_forget_rates(pair);
  return spots_valid(pair);
}

/* Through contact: the pair that was followed goes on as a signed one. A stationary pair with s < 0
 * is no proof that the bodies overlap, so that is tested apart; next to contact it does not matter
 * which it is. */
static bool follow_inside(clp_pair *pair, const clp_couple *couple, const clp_spots *from,
                          clp_pair_view *view)
{
  clp_spots spots = *from;
  if (!clp_spot_valid(pair->a, spots.a) || !clp_spot_valid(pair->b, spots.b) ||
      !(clp_norm2(pair->normal) > 0.5))
    return false;
  clp_depth depth = clp_penetration_follow(couple, &spots, pair->normal, STEP_BUDGET);
  if (!depth.found || depth.s > 0)
    return false;
  bool contact = depth.s >= -1e-9 * pair->size;
  clp_overlap_end end = clp_overlap_test(couple, depth.normal).end;
  if (end != CLP_OVERLAP_PROVEN && !(contact && end == CLP_OVERLAP_OPEN))
    return false;
  pair->spots = spots;
  show_depth(view, &depth);
  return true;
}

/* A cycle in which more happens than motion. */
static __attribute__((noinline)) void recover_convex(clp_pair *pair, clp_pair_view *view)
{
  const clp_couple *couple = &pair->cycle.couple;
  const clp_spots before = pair->spots;
  if (!clp_couple_is_rigid(couple)) {
    view->distance = HUGE_VAL;
    return;
  }
  double width = width_of(pair, expected_distance(pair, couple));
  clp_descent_end end = CLP_DESCENT_CONVERGED;
  pair->batch_kind = 0;
  *view = (clp_pair_view){.status = CLP_CONVERGING};
  if (pair->inside && follow_inside(pair, couple, &before, view))
    return;
  if (!predict(pair)) {
    query_convex(pair, couple, view);
    return;
  }
  if (!clp_settle_outside(pair, couple, width, STEP_BUDGET, view, &end) &&
      (end != CLP_DESCENT_BUDGET ||
       !clp_settle_outside(pair, couple, width, RECOVERY_BUDGET, view, &end))) {
    if (follow_inside(pair, couple, &before, view))
      return;
    query_convex(pair, couple, view);
  }
  if (view->status == CLP_TRACKING)
    learn_rates(pair);
}

/* Moves the witnesses along; what else could be nearer is not looked at here. Their distance is a
 * number where they are places of the bodies, and else it is none. */
static inline bool stride_beside(clp_pair *pair, clp_pair_view *view)
{
  clp_stride stride;
  if (!clp_stride_take(&pair->cycle, &pair->spots, &pair->rates, &stride))
    return false;
  view->distance = clp_distance(stride.look.f, stride.look.h);
  if (!(view->distance < HUGE_VAL))
    return false;
  keep_stride(pair, &stride, view);
  return true;
}

static __attribute__((noinline)) bool descend_beside(clp_pair *pair, clp_pair_view *view)
{
  if (!predict(pair))
    return false;
  clp_descent descent =
      clp_descend(&pair->cycle.couple, &pair->spots, STEP_BUDGET, 1e-12, &pair->log);
  view->steps = descent.iterations;
  look(pair, view);
  view->distance = clp_distance(view->f, view->h);
  return true;
}

/* What else could be nearer than the spots: as much as is proven in one cycle; what is left goes on
 * in the next. */
static inline clp_exclusion_result exclude(clp_pair *pair, clp_spots *spots, double width)
{
  int cells = pair->options.cells > 0 ? pair->options.cells : CYCLE_CELLS;
  return clp_exclusion_refresh(pair->aids.exclusion, &pair->cycle.couple, spots, 0.5 * width,
                               cells);
}

static inline bool same_feature(const clp_spot *a, const clp_spot *b)
{
  return a->kind == b->kind && a->id == b->id;
}

/* What rounding does to a distance, of the lengths that enter. */
#define NOISE 4e-15

/* The exclusion may have found other places. They are taken over where they are nearer by more than
 * rounding, or on other features; the rates then are those of others. */
static inline void take_over(clp_pair *pair, const clp_spots *spots, double upper,
                             clp_pair_view *view)
{
  double noise = NOISE * (pair->cycle.couple.size + upper);
  if (view->distance <= upper + noise && same_feature(&spots->a, &pair->spots.a) &&
      same_feature(&spots->b, &pair->spots.b))
    return;
  pair->spots = *spots;
  clp_pair_forget_rates(pair);
  look(pair, view);
}

/* Spots that are no places of the bodies, whoever made them so: the exclusion has its own. */
static void track_other(clp_pair *pair, clp_pair_view *view)
{
  bool known = stride_beside(pair, view);
  if (!known && !clp_couple_is_rigid(&pair->cycle.couple)) {
    view->distance = HUGE_VAL;
    return;
  }
  known = known || descend_beside(pair, view);
  double distance = known ? view->distance : expected_distance(pair, &pair->cycle.couple);
  double width = width_of(pair, distance);
  clp_spots spots = pair->spots;
  clp_exclusion_result found = exclude(pair, &spots, width);
  if (!known)
    *view = (clp_pair_view){.distance = HUGE_VAL};
  take_over(pair, &spots, found.upper, view);
  show_exclusion(pair, &found, width, view);
}

/* What is proven of where a controller by itself has led. */
static void prove_flow(clp_pair *pair, const clp_sight *sight, clp_pair_view *view)
{
  double width = width_of(pair, sight->distance);
  view->f = sight->a.p;
  view->h = sight->b.p;
  if (!pair->convex) {
    clp_spots other = pair->spots;
    clp_exclusion_result found = exclude(pair, &other, width);
    show_exclusion(pair, &found, width, view);
    return;
  }
  clp_certificate proof = clp_certify(&pair->cycle.couple, &pair->spots, sight, HUGE_VAL);
  view->distance = sight->distance;
  view->lower = fmin(proof.lower, sight->distance);
  view->normal = proof.lower > -HUGE_VAL ? proof.normal : direction_of(pair, sight);
  view->status = view->distance - view->lower <= width ? CLP_TRACKING : CLP_CONVERGING;
}

/* A controller of the papers by itself: what it reaches is certified, and called CONVERGING when
 * the proof is wide; nothing steps in for it while the bodies are apart. Its equations know of no
 * inside: bodies that overlap are followed as ever, until they are apart again. */
static void track_flow(clp_pair *pair, double step, clp_pair_view *view)
{
  const clp_couple *couple = &pair->cycle.couple;
  const clp_twist *motion = pair->cycle.moves ? &pair->cycle.motion : NULL;
  const clp_spots before = pair->spots;
  *view = (clp_pair_view){.status = CLP_CONVERGING, .distance = HUGE_VAL};
  if (!clp_couple_is_rigid(couple) ||
      (pair->inside && pair->convex && follow_inside(pair, couple, &before, view)))
    return;
  clp_flow_options flow = clp_flow_options_of(&pair->options, step);
  clp_flow_result flown =
      clp_flow_cycle(&flow, couple, motion, pair->aids.newton, &pair->spots, &pair->log);
  view->steps = flown.steps;
  if (!spots_valid(pair)) {
    query(pair, couple, view);
    return;
  }
  prove_flow(pair, &flown.sight, view);
  bool overlaps = pair->convex && !(view->lower > 0) &&
                  clp_overlap_test(couple, view->normal).end == CLP_OVERLAP_PROVEN;
  if (overlaps && !follow_inside(pair, couple, &before, view))
    query(pair, couple, view);
}

static clp_answer first_cycle(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  clp_answer answer = clp_pair_query(pair, X_WA, X_WB);
  if (pair->options.controller == CLP_CONTROLLER_AUTO && answer.status == CLP_TRACKING)
    learn_rates(pair);
  return answer;
}

clp_answer clp_pair_track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                          const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_pair_view view;
  clp_cycle_move(&pair->cycle, X_WA, V_WA, X_WB, V_WB);
  if (!pair->started)
    return first_cycle(pair, X_WA, X_WB);
  clp_cycle_place(&pair->cycle, X_WA, X_WB);
  pair->cycle.step = pair->options.feedforward ? step : 0;
  pair->log.count = 0;
  if (pair->options.controller != CLP_CONTROLLER_AUTO)
    track_flow(pair, step, &view);
  else if (!pair->convex)
    track_other(pair, &view);
  else if (pair->inside || !stride_outside(pair, &view))
    recover_convex(pair, &view);
  return finish(pair, &view, X_WA);
}

/* ---- Starting, events, rate --------------------------------------------------------------- */

static bool face_spot(const clp_body *body, uint32_t face, double u, double v, clp_spot *spot)
{
  if (body->info.point) {
    *spot = clp_spot_on_vertex(0);
    return true;
  }
  if (face >= body->face_count)
    return false;
  const clp_face *f = &body->faces[face];
  clp_site site = clp_surface_site(&f->surface, u, v);
  *spot = clp_spot_on_face(face, site);
  return clp_domain_margin(&f->domain, site, NULL) >= 0;
}

clp_status clp_pair_start(clp_pair *pair, uint32_t face_a, double u_a, double v_a, uint32_t face_b,
                          double u_b, double v_b)
{
  clp_spots spots;
  if (!face_spot(pair->a, face_a, u_a, v_a, &spots.a) ||
      !face_spot(pair->b, face_b, u_b, v_b, &spots.b))
    return CLP_ERROR_ARGUMENT;
  pair->spots = spots;
  pair->started = true;
  pair->inside = false;
  pair->batch_kind = 0;
  clp_pair_forget_rates(pair);
  return CLP_OK;
}

int clp_pair_event_count(const clp_pair *pair)
{
  return pair->log.count;
}

clp_transition_event clp_pair_event(const clp_pair *pair, int index)
{
  const clp_event *e = &pair->events[index];
  return (clp_transition_event){e->side,    e->from.kind, e->to.kind,
                                e->from.id, e->to.id,     e->distance};
}

double clp_answer_rate(const clp_answer *answer, const clp_pose *X_WA, const clp_twist *V_WA,
                       const clp_pose *X_WB, const clp_twist *V_WB)
{
  clp_vec3 arm_a = clp_sub(answer->point_a, X_WA->position);
  clp_vec3 arm_b = clp_sub(answer->point_b, X_WB->position);
  clp_vec3 v_a = clp_add(V_WA->linear, clp_cross(V_WA->angular, arm_a));
  clp_vec3 v_b = clp_add(V_WB->linear, clp_cross(V_WB->angular, arm_b));
  return clp_dot(answer->normal, clp_sub(v_b, v_a));
}
