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
static bool can_meet(const clp_body *a, const clp_body *b)
{
  bool flat_a = a->info.planar, flat_b = b->info.planar;
  return flat_a == flat_b || a->info.point || b->info.point;
}

static bool is_proven_by_planes(const clp_body *body)
{
  return body->info.convex && body->info.closed;
}

clp_status clp_pair_create(const clp_body *a, const clp_body *b, const clp_pair_options *options,
                           clp_pair **pair)
{
  if (!a || !b || !pair || !can_meet(a, b))
    return CLP_ERROR_ARGUMENT;
  clp_pair *made = calloc(1, sizeof *made);
  if (!made)
    return CLP_ERROR_MEMORY;
  made->a = a;
  made->b = b;
  made->options = options ? *options : clp_default_pair_options();
  made->size = fmax(a->size, b->size);
  made->convex = is_proven_by_planes(a) && is_proven_by_planes(b);
  made->tolerance =
      made->options.tolerance > 0 ? made->options.tolerance : (made->convex ? 1e-9 : 1e-6);
  made->rates_known = 0;
  made->log = (clp_event_log){made->events, CLP_MAX_EVENTS, 0};
  if (!made->convex && !(made->exclusion = clp_exclusion_create(a, b))) {
    free(made);
    return CLP_ERROR_MEMORY;
  }
  if (made->options.controller == CLP_CONTROLLER_NEWTON) {
    clp_status status = clp_newton_create(a, b, &made->newton);
    if (status != CLP_OK) {
      clp_pair_destroy(made);
      return status;
    }
  }
  *pair = made;
  return CLP_OK;
}

void clp_pair_destroy(clp_pair *pair)
{
  if (!pair)
    return;
  clp_exclusion_destroy(pair->exclusion);
  if (pair->newton)
    clp_newton_destroy(pair->newton);
  free(pair);
}

/* ---- Answers ------------------------------------------------------------------------------ */

/* The interval that counts as tracked. Far apart, rounding alone grows with the distance. */
static double width_of(const clp_pair *pair, double distance)
{
  return pair->tolerance * fmax(pair->size, 1e-3 * distance);
}

static clp_answer answer_of(const clp_pair *pair, const clp_pair_view *view, const clp_pose *X_WA)
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

static double expected_distance(const clp_pair *pair, const clp_couple *couple)
{
  return clp_distance(pair->a->center, clp_transform(couple->X_AB, pair->b->center));
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

static void query_convex(clp_pair *pair, const clp_couple *couple, clp_pair_view *view)
{
  double width = width_of(pair, expected_distance(pair, couple));
  if (!clp_acquire(pair, couple, width, view))
    search_depth(pair, couple, width, view);
}

/* ---- Other pairs -------------------------------------------------------------------------- */

#define EXCLUSION_QUERY_BUDGET 200000
#define EXCLUSION_STEP_BUDGET 400
#define EXCLUSION_RECOVERY_BUDGET 100000

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

static void show_exclusion(const clp_pair *pair, const clp_couple *couple,
                           const clp_exclusion_result *found, double width, clp_pair_view *view)
{
  clp_sight sight = clp_sight_take(pair->a, pair->spots.a, pair->b, pair->spots.b, &couple->X_AB);
  view->f = sight.a.p;
  view->h = sight.b.p;
  view->distance = sight.distance;
  view->lower = fmin(found->lower, sight.distance);
  view->normal = direction_of(pair, &sight);
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
  clp_exclusion_result found = clp_exclusion_search(pair->exclusion, couple, &pair->spots,
                                                    0.5 * width, EXCLUSION_QUERY_BUDGET);
  show_exclusion(pair, couple, &found, width, view);
}

static void query(clp_pair *pair, const clp_couple *couple, clp_pair_view *view)
{
  if (pair->convex)
    query_convex(pair, couple, view);
  else
    query_other(pair, couple, view);
}

clp_answer clp_pair_query(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  clp_couple couple = clp_couple_make(pair->a, pair->b, X_WA, X_WB);
  clp_pair_view view = {.status = CLP_CONVERGING};
  pair->log.count = 0;
  query(pair, &couple, &view);
  pair->normal = view.normal;
  pair->inside = view.status == CLP_PENETRATING;
  pair->started = true;
  pair->rates_known = 0;
  return answer_of(pair, &view, X_WA);
}

/* ---- Tracking ----------------------------------------------------------------------------- */

/* Iterations of a cycle: one, as a rule; more after a change of features. */
#define STEP_BUDGET 8

/* Iterations of a re-acquisition, which a lost pair gets on top. */
#define RECOVERY_BUDGET 60

/* Moves the spots along with the bodies by the rates of the last cycle and half of what these had
 * changed by since the one before, which leaves an error of third order in the step. */
static void predict(clp_pair *pair, double step)
{
  if (pair->rates_known == 0 || step == 0)
    return;
  clp_vec3 change[2];
  for (int k = 0; k < 2; ++k) {
    change[k] = clp_scale(step, pair->rate[k]);
    if (pair->rates_known == 2)
      change[k] = clp_add_scaled(change[k], 0.5 * step, clp_sub(pair->rate[k], pair->earlier[k]));
  }
  pair->spots.a = clp_spot_shift(pair->a, pair->spots.a, change[0]);
  pair->spots.b = clp_spot_shift(pair->b, pair->spots.b, change[1]);
}

static bool same_features(const clp_spots *a, const clp_spots *b)
{
  return a->a.kind == b->a.kind && a->a.id == b->a.id && a->b.kind == b->b.kind &&
         a->b.id == b->b.id;
}

/* `from` are the spots that the stride's equations were set up at. */
static void remember_rates(clp_pair *pair, const clp_spots *from, const clp_stride *stride)
{
  if (!stride->has_rates) {
    pair->rates_known = 0;
    return;
  }
  pair->earlier[0] = pair->rate[0];
  pair->earlier[1] = pair->rate[1];
  pair->rate[0] = clp_spot_site_rate(pair->a, from->a, stride->rates);
  pair->rate[1] = clp_spot_site_rate(pair->b, from->b, stride->rates + 2 - (int)from->a.kind);
  pair->rates_known = pair->rates_known > 0 ? 2 : 1;
}

/* The usual cycle: one stride, proven at once. The interval says nothing of where the witnesses
 * are, for the distance is their error's square away from its minimum; so they are asked to face
 * each other as narrowly. And whatever the state was, the witnesses must be places of the bodies:
 * only then is their distance an upper bound. */
static bool stride_outside(clp_pair *pair, const clp_couple *couple, const clp_twist *motion,
                           double width, clp_pair_view *view)
{
  clp_stride stride;
  clp_interval interval;
  const clp_spots from = pair->spots;
  clp_spots spots = from;
  if (!clp_stride_take(couple, &spots, motion, &stride) ||
      !clp_certify_faces(couple, &spots, &interval) ||
      !(interval.distance - interval.lower <= width && interval.sideways <= width) ||
      !clp_spot_valid(pair->a, spots.a) || !clp_spot_valid(pair->b, spots.b))
    return false;
  pair->spots = spots;
  remember_rates(pair, &from, &stride);
  *view = (clp_pair_view){.status = CLP_TRACKING,
                          .distance = interval.distance,
                          .lower = fmin(interval.lower, interval.distance),
                          .f = interval.f,
                          .h = interval.h,
                          .normal = interval.normal,
                          .steps = 1};
  return true;
}

/* After a cycle that took the long way: the rates at the spots where it ended. */
static void learn_rates(clp_pair *pair, const clp_couple *couple, const clp_twist *motion)
{
  clp_spots spots = pair->spots;
  clp_stride stride;
  if (motion && clp_stride_take(couple, &spots, motion, &stride))
    remember_rates(pair, &pair->spots, &stride);
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

static void track_convex(clp_pair *pair, const clp_couple *couple, const clp_twist *motion,
                         double step, clp_pair_view *view)
{
  double width = width_of(pair, expected_distance(pair, couple));
  clp_spots before = pair->spots;
  clp_descent_end end = CLP_DESCENT_CONVERGED;
  if (pair->inside && follow_inside(pair, couple, &before, view))
    return;
  predict(pair, pair->options.feedforward ? step : 0);
  if (stride_outside(pair, couple, motion, width, view))
    return;
  pair->rates_known = 0;
  if (!clp_spot_valid(pair->a, pair->spots.a) || !clp_spot_valid(pair->b, pair->spots.b)) {
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
    learn_rates(pair, couple, motion);
}

static bool spots_valid(const clp_pair *pair)
{
  return clp_spot_valid(pair->a, pair->spots.a) && clp_spot_valid(pair->b, pair->spots.b);
}

/* Moves the witnesses along; what else could be nearer is not looked at here. */
static void stride_other(clp_pair *pair, const clp_couple *couple, const clp_twist *motion,
                         clp_pair_view *view)
{
  clp_stride stride;
  const clp_spots from = pair->spots;
  if (clp_stride_take(couple, &pair->spots, motion, &stride)) {
    remember_rates(pair, &from, &stride);
    view->steps = 1;
    return;
  }
  pair->rates_known = 0;
  view->steps = clp_descend(couple, &pair->spots, STEP_BUDGET, 1e-12, &pair->log).iterations;
}

static void track_other(clp_pair *pair, const clp_couple *couple, const clp_twist *motion,
                        double step, clp_pair_view *view)
{
  double width = width_of(pair, expected_distance(pair, couple));
  predict(pair, pair->options.feedforward ? step : 0);
  if (spots_valid(pair))
    stride_other(pair, couple, motion, view);
  if (!spots_valid(pair)) {
    pair->rates_known = 0;
    query_other(pair, couple, view);
    return;
  }
  clp_spots strided = pair->spots;
  clp_exclusion_result found = clp_exclusion_refresh(pair->exclusion, couple, &pair->spots,
                                                     0.5 * width, EXCLUSION_STEP_BUDGET);
  if (!found.inside && !(found.upper - found.lower <= width))
    found = clp_exclusion_search(pair->exclusion, couple, &pair->spots, 0.5 * width,
                                 EXCLUSION_RECOVERY_BUDGET);
  if (!same_features(&strided, &pair->spots))
    pair->rates_known = 0;
  show_exclusion(pair, couple, &found, width, view);
}

/* A controller of the papers by itself: what it reaches is certified, and called CONVERGING when
 * the proof is wide; nothing steps in for it. */
static void track_flow(clp_pair *pair, const clp_couple *couple, const clp_twist *motion,
                       double step, clp_pair_view *view)
{
  const clp_pair_options *options = &pair->options;
  clp_flow_options flow = clp_default_flow_options();
  flow.controller = options->controller;
  flow.integrator = options->integrator;
  flow.gain = options->gain;
  flow.cycle = step;
  flow.substeps = options->substeps;
  flow.feedforward = options->feedforward;
  clp_flow_result flown =
      clp_flow_cycle(&flow, couple, motion, pair->newton, &pair->spots, &pair->log);
  double width = width_of(pair, flown.sight.distance), lower = -HUGE_VAL;
  view->steps = flown.steps;
  view->normal = direction_of(pair, &flown.sight);
  if (!spots_valid(pair)) {
    query(pair, couple, view);
    return;
  }
  if (pair->convex) {
    clp_certificate proof = clp_certify(couple, &pair->spots, &flown.sight, HUGE_VAL);
    lower = proof.lower;
    view->normal = lower > -HUGE_VAL ? proof.normal : view->normal;
  } else {
    clp_spots other = pair->spots;
    lower =
        clp_exclusion_refresh(pair->exclusion, couple, &other, 0.5 * width, EXCLUSION_STEP_BUDGET)
            .lower;
  }
  view->f = flown.sight.a.p;
  view->h = flown.sight.b.p;
  view->distance = flown.sight.distance;
  view->lower = fmin(lower, view->distance);
  view->status = view->distance - view->lower <= width ? CLP_TRACKING : CLP_CONVERGING;
}

clp_answer clp_pair_track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                          const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  if (!pair->started)
    return clp_pair_query(pair, X_WA, X_WB);
  clp_couple couple = clp_couple_make(pair->a, pair->b, X_WA, X_WB);
  clp_pair_view view = {.status = CLP_CONVERGING};
  clp_twist relative, *motion = NULL;
  pair->log.count = 0;
  if (V_WA && V_WB) {
    relative = clp_relative_twist(X_WA, V_WA, X_WB, V_WB);
    motion = &relative;
  }
  if (pair->options.controller != CLP_CONTROLLER_AUTO)
    track_flow(pair, &couple, motion, step, &view);
  else if (pair->convex)
    track_convex(pair, &couple, motion, step, &view);
  else
    track_other(pair, &couple, motion, step, &view);
  pair->normal = view.normal;
  pair->inside = view.status == CLP_PENETRATING;
  return answer_of(pair, &view, X_WA);
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
  pair->rates_known = 0;
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
