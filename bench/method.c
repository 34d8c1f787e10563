/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/method.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/pair.h"

/* ---- Ours ----------------------------------------------------------------------------------- */

typedef struct track {
  clp_pair *pair;
  const course *course;
  int last;
  clp_answer answer;
} track;

bool method_ours(const clp_body *a, const clp_body *b, const course *c, double tolerance,
                 bool alone, method *m)
{
  track *t = calloc(1, sizeof *t);
  clp_pair_options options = clp_default_pair_options();
  options.tolerance = tolerance;
  if (t == NULL || clp_pair_create(a, b, &options, &t->pair) != CLP_OK) {
    free(t);
    return false;
  }
  t->course = c;
  *m = (method){alone ? "this library, step alone" : "this library",
                alone            ? "exact, tracked, not certified"
                : tolerance == 0 ? "exact, tracked, certified"
                                 : "exact, tracked, certified to 1e-12",
                .tolerance = tolerance == 0 ? 1e-9 : tolerance,
                .is_default = tolerance == 0,
                .alone = alone,
                .state = t};
  return true;
}

bool method_is_convex(const method *ours)
{
  const track *t = ours->state;
  return t->pair->way->planes;
}

static const clp_pose at_rest = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};

static double track_distance(track *t, int k)
{
  const course *c = t->course;
  bool jumped = c->leap > 0 && k % c->leap == 0;
  const clp_twist *twist = &c->twists[k < t->last][k];
  t->answer = clp_pair_track(t->pair, &at_rest, &c->poses[k], jumped ? NULL : &still,
                             jumped ? NULL : twist, 1e-3);
  t->last = k;
  return t->answer.status == CLP_TRACKING ? t->answer.distance : (double)NAN;
}

/* Where the step declines, all of it steps in. */
static double track_distance_alone(track *t, int k)
{
  clp_pair *pair = t->pair;
  clp_stride stride;
  if (!pair->started)
    return track_distance(t, k);
  const clp_pose *X_W[] = {&at_rest, &t->course->poses[k]};
  const clp_twist *V_W[] = {&still, &t->course->twists[k < t->last][k]};
  int a = pair->turned, b = !pair->turned;
  clp_cycle_move(&pair->cycle, X_W[a], V_W[a], X_W[b], V_W[b]);
  clp_cycle_place(&pair->cycle, X_W[a], X_W[b]);
  pair->cycle.step = 1e-3;
  if (!clp_stride_take(&pair->cycle, &pair->spots, &pair->rates, &stride))
    return track_distance(t, k);
  t->last = k;
  pair->spots = stride.spots;
  clp_pair_remember_rates(pair, stride.rates);
  return clp_distance(stride.feet.f, stride.feet.h);
}

/* ---- Peers ---------------------------------------------------------------------------------- */

static const peer_pair *const libraries[] = {
#ifdef PEER_COAL
    peer_coal_pairs,
#endif
#ifdef PEER_FCL
    peer_fcl_pairs,
#endif
#ifdef PEER_BULLET
    peer_bullet_pairs,
#endif
#ifdef PEER_MUJOCO
    peer_mujoco_pairs,
#endif
#ifdef PEER_OCCT
    peer_occt_pairs,
#endif
    NULL};

int method_peers(const clp_body_def *a, const clp_body_def *b, const course *c, method *methods,
                 int most)
{
  int count = 0;
  for (const peer_pair *const *library = libraries; *library; ++library) {
    for (const peer_pair *p = *library; p->name && count < most; ++p) {
      void *state = p->create(a, b, c->poses, c->count);
      if (state)
        methods[count++] = (method){p->name,
                                    p->representation,
                                    .tolerance = p->tolerance,
                                    .is_default = p->is_default,
                                    .jumps = c->leap,
                                    .peer = p,
                                    .state = state};
    }
  }
  return count;
}

/* ---- Both ----------------------------------------------------------------------------------- */

double method_distance(const method *m, int k)
{
  if (m->peer) {
    if (m->jumps > 0 && k % m->jumps == 0 && m->peer->forget)
      m->peer->forget(m->state);
    return m->peer->distance(m->state, k);
  }
  return m->alone ? track_distance_alone(m->state, k) : track_distance(m->state, k);
}

peer_witnesses method_witnesses(const method *m)
{
  if (m->peer)
    return m->peer->witnesses(m->state);
  const track *t = m->state;
  return (peer_witnesses){t->answer.point_a, t->answer.point_b};
}

double method_lower_bound(const method *m)
{
  return m->peer ? -HUGE_VAL : ((const track *)m->state)->answer.lower_bound;
}

double method_pass(const method *m, int count, bool backwards)
{
  double sum = 0;
  for (int k = 0; k < count; ++k)
    sum += method_distance(m, backwards ? count - 1 - k : k);
  return sum;
}

void method_destroy(const method *m)
{
  if (m->peer) {
    m->peer->destroy(m->state);
  } else if (m->state) {
    clp_pair_destroy(((track *)m->state)->pair);
    free(m->state);
  }
}
