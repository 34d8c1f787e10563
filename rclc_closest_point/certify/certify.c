/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/certify/search.h"
#include "rclc_closest_point/math/pose.h"

/* Two segments that follow each other may be apart at their common instant by what rounding and
 * printed digits leave (rad, m, of positions of moderate size); it is charged. */
#define JUMP_MOST 1e-6

/* The first pass is content with half of the distance; each other one with a tenth of that of the
 * one before, so that none of them narrows down what a later one finds not to be the least. */
#define FIRST_COARSE 0.5
#define NEXT_COARSE 0.1

/* A tenth of what robots repeat their positions to (m). */
#define USUAL_TOLERANCE 1e-4

clp_certify_options clp_default_certify_options(void)
{
  return (clp_certify_options){.clearance = 0, .tolerance = USUAL_TOLERANCE, .narrow = true};
}

static bool are_usable(const clp_certify_options *o)
{
  return o->clearance >= 0 && o->clearance < HUGE_VAL && o->tolerance >= 0 &&
         o->tolerance < HUGE_VAL && o->steps >= 0 && !(o->narrow && o->tolerance == 0);
}

/* ---- Segments ----------------------------------------------------------------------------- */

/* What the motion adds to rounding: radians that movers turn by, meters that they slide, and what
 * segments are apart in both. */
typedef struct amounts {
  double turns, slides, turn_jumps, slide_jumps;
} amounts;

static bool is_carried_usable(const clp_carried_course *course)
{
  const clp_mat3 *r = &course->X_RL.rotation;
  clp_vec3 all = clp_add(clp_add(r->x, r->y), clp_add(r->z, course->X_RL.position));
  all = clp_add(all, clp_add(course->V_RL.linear, course->V_RL.angular));
  return isfinite(all.x + all.y + all.z) && clp_skew_of(r) <= JUMP_MOST;
}

/* What a mover turns by at most, or slides. */
static double extent_in(const clp_mover *mover, const clp_course_segment *segment)
{
  double length = segment->to - segment->from;
  if (mover->carried < 0)
    return fabs(mover->factor) * clp_course_magnitude(&segment->joints[mover->joint], length) +
           fabs(mover->offset);
  const clp_carried_course *course = &segment->carried[mover->carried];
  if (mover->kind == CLP_MOVER_TURN)
    return length * clp_norm(course->V_RL.angular);
  return clp_norm(course->X_RL.position) + length * clp_norm(course->V_RL.linear);
}

/* How far a mover's position is from one segment's end to the next one's beginning. */
static double jump_between(const clp_mover *mover, const clp_course_segment *before,
                           const clp_course_segment *after)
{
  double length = before->to - before->from;
  if (mover->carried < 0)
    return fabs(mover->factor * (clp_course_at(&before->joints[mover->joint], length) -
                                 after->joints[mover->joint].c[0]));
  const clp_carried_course *from = &before->carried[mover->carried];
  const clp_carried_course *to = &after->carried[mover->carried];
  clp_vec3 end = clp_add_scaled(from->X_RL.position, length, from->V_RL.linear);
  if (mover->kind == CLP_MOVER_SLIDE)
    return clp_distance(end, to->X_RL.position);
  clp_mat3 turn =
      clp_rotation_about(clp_unit(from->V_RL.angular), length * clp_norm(from->V_RL.angular));
  clp_mat3 r = clp_mat3_multiply(turn, from->X_RL.rotation);
  return clp_distance(r.x, to->X_RL.rotation.x) + clp_distance(r.y, to->X_RL.rotation.y) +
         clp_distance(r.z, to->X_RL.rotation.z);
}

static bool add_mover(const clp_mover *mover, const clp_course_segment *segments, int count,
                      amounts *sum)
{
  double most = 0, jumps = 0;
  bool turns = mover->kind == CLP_MOVER_TURN;
  for (int k = 0; k < count; ++k) {
    double extent = extent_in(mover, &segments[k]);
    double jump = k > 0 ? jump_between(mover, &segments[k - 1], &segments[k]) : 0;
    most = fmax(most, extent);
    jumps += jump;
    if (!isfinite(extent) || !(jump <= JUMP_MOST * (1 + extent)))
      return false;
  }
  *(turns ? &sum->turns : &sum->slides) += most;
  *(turns ? &sum->turn_jumps : &sum->slide_jumps) += jumps;
  return true;
}

static bool follow_in_time(const clp_chain *chain, const clp_course_segment *segments, int count)
{
  for (int k = 0; k < count; ++k) {
    const clp_course_segment *s = &segments[k];
    if (!isfinite(s->from) || !isfinite(s->to) || s->to < s->from ||
        (k > 0 && s->from != segments[k - 1].to) || (chain->joint_count > 0 && !s->joints) ||
        (chain->carried_count > 0 && !s->carried))
      return false;
    for (int i = 0; i < chain->carried_count; ++i)
      if (!is_carried_usable(&s->carried[i]))
        return false;
  }
  return count > 0;
}

/* A place is the end of a chain of products of poses: each factor adds the usual rounding of all
 * that it is made of, and an angle of so many radians its own. What segments are apart moves a
 * place by as much, where it is a turn of its distance from the axis. */
static bool take_segments(clp_certifier *c, const clp_course_segment *segments, int count)
{
  amounts sum = {0};
  int depth = 2;
  if (!segments || !follow_in_time(&c->chain, segments, count))
    return false;
  for (int k = 0; k < c->chain.mover_count; ++k) {
    if (!add_mover(&c->chain.movers[k], segments, count, &sum))
      return false;
    depth = depth > c->chain.movers[k].depth + 2 ? depth : c->chain.movers[k].depth + 2;
  }
  c->segments = segments;
  c->segment_count = count;
  c->slides = sum.slides;
  c->charge = CLP_ROUNDING_EXACT * (2 * depth + sum.turns) + sum.turn_jumps;
  c->jumps = sum.slide_jumps;
  return true;
}

/* ---- Questions ---------------------------------------------------------------------------- */

static void begin(clp_certifier *c, const clp_certify_options *options)
{
  c->options = *options;
  c->steps = 0;
  ++c->question;
  c->spent = c->given_up = c->ended = c->first_only = false;
  for (int k = 0; k < c->link_pair_count; ++k) {
    clp_certify_state *state = &c->states[k];
    *state = (clp_certify_state){.first = state->first,
                                 .end = state->end,
                                 .lower = -HUGE_VAL,
                                 .best = HUGE_VAL,
                                 .contact = -1};
  }
}

/* One pass over all pairs, of which nothing is known yet, each to the clearance. Left at the first
 * one that is not CLEAR it has looked at a part of the time, and proves nothing. */
static void run_first_pass(clp_certifier *c)
{
  clp_certify_state fresh = c->states[0];
  clp_update_wanted(c, &fresh);
  for (int k = 0; k < c->link_pair_count; ++k) {
    c->states[k].wanted = fresh.wanted;
    c->states[k].busy = true;
    c->states[k].lower = HUGE_VAL;
  }
  clp_search_all(c);
  for (int k = 0; k < c->link_pair_count && c->ended; ++k)
    c->states[k].lower = -HUGE_VAL;
}

/* Whether the pair's bound is what the last pass is to reach. */
static bool is_reached(clp_certifier *c, clp_certify_state *state)
{
  double coarse = c->coarse;
  c->coarse = 0;
  state->busy = true;
  clp_update_wanted(c, state);
  bool reached = !state->busy || state->lower >= state->wanted;
  c->coarse = coarse;
  return reached;
}

/* One pass over those that are not as narrow as they are to be; whether there are any. What one
 * pass has proven goes on to hold; one that was left at the first pair that is not CLEAR has looked
 * at a part of the time, and proves nothing. */
static bool run_pass(clp_certifier *c)
{
  bool any = false;
  for (int k = 0; k < c->link_pair_count; ++k) {
    clp_certify_state *state = &c->states[k];
    bool reached = state->decided || is_reached(c, state);
    state->busy = !reached;
    any |= !reached;
    if (state->busy)
      clp_update_wanted(c, state);
    state->before = state->lower;
    state->lower = HUGE_VAL;
  }
  if (any)
    clp_search_all(c);
  for (int k = 0; k < c->link_pair_count; ++k) {
    clp_certify_state *state = &c->states[k];
    bool proven = state->lower < HUGE_VAL && !c->ended;
    state->lower = proven ? fmax(state->before, state->lower) : state->before;
  }
  return any;
}

static double largest_distance(const clp_certifier *c)
{
  double largest = 0;
  for (int k = 0; k < c->link_pair_count; ++k)
    if (!c->states[k].decided && c->states[k].best < HUGE_VAL)
      largest = fmax(largest, fabs(c->states[k].best));
  return largest;
}

/* The last pass has the tolerance alone, at the latest when a pass is as fine as rounding is. */
static void run_passes(clp_certifier *c)
{
  bool last = false;
  for (c->coarse = FIRST_COARSE; run_pass(c) && !c->spent && !last;) {
    c->coarse *= NEXT_COARSE;
    last =
        c->coarse * largest_distance(c) <= c->options.tolerance || c->coarse < CLP_ROUNDING_EXACT;
    c->coarse = last ? 0 : c->coarse;
  }
}

/* Asks for the distances of a pair at both ends of the motion: nobody is surprised by what is found
 * there, and halving comes close to them only. */
static void ask_at_ends(clp_certifier *c, int pair)
{
  const clp_course_segment *last = &c->segments[c->segment_count - 1];
  clp_instant *from = &c->instants[0], *to = &c->instants[1];
  clp_chain_place(&c->chain, c->segments, 0, 0, from);
  clp_chain_place(&c->chain, c->segments, c->segment_count - 1, last->to - last->from, to);
  for (int i = c->states[pair].first; i < c->states[pair].end; ++i) {
    clp_ask(c, i, from);
    clp_ask(c, i, to);
  }
}

/* Of pairs that are clear by balls alone, a distance if one is wanted. */
static void ask_the_rest(clp_certifier *c)
{
  for (int k = 0; k < c->link_pair_count; ++k) {
    clp_certify_state *state = &c->states[k];
    bool near = state->best < c->options.clearance && c->options.tolerance > 0;
    if (near || (c->options.seek && !(state->best < HUGE_VAL)))
      ask_at_ends(c, k);
  }
}

/* How far balls round two parts are apart. */
static double ball_gap(const clp_certifier *c, int pair, const clp_instant *at)
{
  const clp_moving_part *a = &c->chain.parts[c->pairs[pair].a],
                        *b = &c->chain.parts[c->pairs[pair].b];
  return clp_distance(clp_center_of_part(a, at), clp_center_of_part(b, at)) - a->radius - b->radius;
}

/* The least distance that was found is that of two parts; where the links have others, that balls
 * keep apart by as much as was wanted, some of these may be nearer at the same instant. */
static void ask_others_at_the_least(clp_certifier *c, clp_certify_state *state)
{
  clp_instant *at = &c->instants[0];
  if (state->end - state->first < 2 || !(state->best < HUGE_VAL))
    return;
  clp_chain_place(&c->chain, c->segments, state->segment, state->s, at);
  for (int i = state->first; i < state->end; ++i)
    if (ball_gap(c, i, at) < state->best)
      clp_ask(c, i, at);
}

/* ---- Verdicts ----------------------------------------------------------------------------- */

static clp_certify_verdict verdict_of(const clp_certifier *c, const clp_certify_state *state)
{
  double clearance = c->options.clearance;
  if (state->contact >= 0)
    return CLP_CERTIFY_CONTACT;
  if (state->lower >= clearance && state->lower > 0)
    return CLP_CERTIFY_CLEAR;
  bool apart = state->lower > 0 || c->options.tolerance == 0;
  return state->best < clearance && apart ? CLP_CERTIFY_NEAR : CLP_CERTIFY_UNDECIDED;
}

static clp_certified certified_of(clp_certifier *c, int pair)
{
  const clp_certify_state *state = &c->states[pair];
  clp_certified result = {.verdict = verdict_of(c, state),
                          .clearance = fmin(state->lower, state->best),
                          .distance = state->best,
                          .time = clp_time_of(c, state->segment, state->s)};
  result.contact_from = result.contact_to = result.time;
  if (result.verdict == CLP_CERTIFY_CONTACT)
    clp_contact_interval(c, pair, &result);
  return result;
}

clp_status clp_certify_motion(clp_certifier *c, const clp_course_segment *segments, int count,
                              const clp_certify_options *options, clp_certified *results,
                              long *spent)
{
  if (!c || !options || !results || !are_usable(options) || !take_segments(c, segments, count))
    return CLP_ERROR_ARGUMENT;
  begin(c, options);
  for (int k = 0; k < c->link_pair_count && options->narrow; ++k)
    ask_at_ends(c, k);
  run_passes(c);
  ask_the_rest(c);
  for (int k = 0; k < c->link_pair_count; ++k) {
    ask_others_at_the_least(c, &c->states[k]);
    results[k] = certified_of(c, k);
  }
  if (spent)
    *spent = c->steps;
  return CLP_OK;
}

clp_status clp_certify_places(clp_certifier *c, int pair, clp_vec3 *on_a, clp_vec3 *on_b)
{
  double least = HUGE_VAL;
  if (!c || !on_a || !on_b || pair < 0 || pair >= c->link_pair_count || !c->segments ||
      !(c->states[pair].best < HUGE_VAL))
    return CLP_ERROR_ARGUMENT;
  const clp_certify_state *state = &c->states[pair];
  clp_instant *at = &c->instants[0];
  clp_chain_place(&c->chain, c->segments, state->segment, state->s, at);
  for (int i = state->first; i < state->end; ++i) {
    const clp_certify_parts *parts = &c->pairs[i];
    if (ball_gap(c, i, at) >= least)
      continue;
    clp_answer answer = clp_pair_query(parts->pair, clp_pose_of_part(&c->chain.parts[parts->a], at),
                                       clp_pose_of_part(&c->chain.parts[parts->b], at));
    if (!(answer.distance < least))
      continue;
    least = answer.distance;
    *on_a = answer.point_a;
    *on_b = answer.point_b;
  }
  return least < HUGE_VAL ? CLP_OK : CLP_ERROR_ARGUMENT;
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* The pair that decided: one that was found near or in contact, else one that is not clear. */
static int deciding_pair(const clp_certifier *c)
{
  int undecided = -1;
  for (int k = 0; k < c->link_pair_count; ++k) {
    clp_certify_verdict verdict = verdict_of(c, &c->states[k]);
    if (verdict == CLP_CERTIFY_NEAR || verdict == CLP_CERTIFY_CONTACT)
      return k;
    if (verdict == CLP_CERTIFY_UNDECIDED)
      undecided = k;
  }
  return undecided;
}

static clp_certified_edge edge_result(const clp_certifier *c)
{
  int pair = deciding_pair(c);
  if (pair >= 0)
    return (clp_certified_edge){verdict_of(c, &c->states[pair]), pair, 0, c->states[pair].s,
                                c->states[pair].best};
  clp_certified_edge clear = {CLP_CERTIFY_CLEAR, -1, HUGE_VAL, 0, HUGE_VAL};
  for (int k = 0; k < c->link_pair_count; ++k)
    clear.clearance = fmin(clear.clearance, c->states[k].lower);
  return clear;
}

static bool are_finite(const double *q, size_t count)
{
  double sum = 0;
  for (size_t k = 0; k < count; ++k)
    sum += 0 * q[k];
  return sum == 0;
}

clp_status clp_certify_edges(clp_certifier *c, const double *from, const double *to, int count,
                             const clp_certify_options *options, clp_certified_edge *results)
{
  if (!c || !options || !results || count < 0 || (count > 0 && (!from || !to)) ||
      c->chain.carried_count > 0)
    return CLP_ERROR_ARGUMENT;
  clp_certify_options decide = *options;
  decide.tolerance = 0;
  decide.narrow = decide.seek = false;
  size_t joints = (size_t)c->chain.joint_count;
  if (!are_usable(&decide) || !are_finite(from, joints * (size_t)count) ||
      !are_finite(to, joints * (size_t)count))
    return CLP_ERROR_ARGUMENT;
  const clp_carried_course nobody = {.X_RL = clp_pose_identity()};
  clp_course_segment segment = {0, 1, c->courses, &nobody};
  for (int k = 0; k < count; ++k, from += joints, to += joints) {
    for (size_t j = 0; j < joints; ++j)
      c->courses[j] = (clp_joint_course){{from[j], to[j] - from[j]}};
    if (!take_segments(c, &segment, 1)) {
      c->segments = NULL;
      return CLP_ERROR_ARGUMENT;
    }
    begin(c, &decide);
    c->first_only = true;
    run_first_pass(c);
    results[k] = edge_result(c);
  }
  c->segments = NULL;
  return CLP_OK;
}
