/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/sweep.h"

#include <math.h>

#include "bench/random.h"
#include "rclc_closest_point/math/pose.h"

clp_pose sweep_pose(const sweep *s, double t)
{
  double angle = clp_norm(s->turn);
  clp_pose X = {s->X.rotation, clp_add_scaled(s->X.position, t, s->way)};
  if (angle > 0)
    X.rotation = clp_mat3_multiply(clp_rotation_about(clp_unit(s->turn), t * angle), s->X.rotation);
  return X;
}

/* ---- Truth -------------------------------------------------------------------------------- */

static clp_answer answer_at(clp_pair *pair, const sweep *s, double t)
{
  const clp_pose rest = clp_pose_identity(), X = sweep_pose(s, t);
  clp_answer answer = clp_pair_track(pair, &rest, &X, NULL, NULL, 0);
  return answer.status == CLP_CONVERGING ? clp_pair_query(pair, &rest, &X) : answer;
}

/* An instant that was asked for. */
typedef struct instant {
  double t;
  clp_answer answer;
} instant;

static instant nearer_at(clp_pair *pair, const sweep *s, double t, instant best)
{
  clp_answer answer = answer_at(pair, s, t);
  return answer.distance < best.answer.distance ? (instant){t, answer} : best;
}

/* The least distance from t on that some hundred instants find, and then ever closer ones. */
static clp_answer least_from(clp_pair *pair, const sweep *s, double from)
{
  enum { SAMPLES = 400, CLOSER = 30 };
  instant best = {.answer = {.distance = HUGE_VAL}};
  double step = (1 - from) / SAMPLES;
  for (int k = 0; k <= SAMPLES; ++k)
    best = nearer_at(pair, s, from + k * step, best);
  for (int k = 0; k < CLOSER; ++k) {
    step *= 0.6;
    double t = best.t;
    best = nearer_at(pair, s, fmax(from, t - step), best);
    best = nearer_at(pair, s, fmin(1, t + step), best);
  }
  return best.answer;
}

/* Steps (m) are not shorter than this, so that overlaps of no more are passed over. */
#define SHORTEST_STEP 1e-8

/* Passes that close (m), and steps as many, are of no use to a comparison. */
#define TOO_CLOSE 1e-7
enum { STEPS_MAX = 200000 };

/* From instant to instant, as far as the distance at the first one lets no point of the body get:
 * none is faster than |way| + |turn| radius. Nothing of what is compared is used but distances. */
static sweep_truth truth_of(clp_pair *pair, const sweep *s, double radius)
{
  double speed = clp_norm(s->way) + clp_norm(s->turn) * radius, least = HUGE_VAL, t = 0;
  for (int k = 0; k < STEPS_MAX && t <= 1; ++k) {
    clp_answer answer = answer_at(pair, s, t);
    if (answer.status == CLP_PENETRATING) {
      double deepest = least_from(pair, s, t).distance;
      return (sweep_truth){deepest < -TOO_CLOSE, true, deepest};
    }
    least = fmin(least, answer.distance);
    t += fmax(answer.lower_bound, SHORTEST_STEP) / speed;
  }
  return (sweep_truth){t > 1 && least > TOO_CLOSE, false, least};
}

/* ---- Motions ------------------------------------------------------------------------------ */

/* Halfway the origin is near the other body's, and the body turned anyhow. */
static sweep drawn(double off, double way, double turn, double seconds, uint64_t *g)
{
  sweep s = {.seconds = seconds};
  s.X.rotation = clp_rotation_about(random_direction(g), random_between(g, 0, 3));
  s.way = clp_scale(way, random_direction(g));
  s.turn = clp_scale(turn, random_direction(g));
  clp_vec3 middle = clp_scale(off, random_direction(g));
  s.X.position = clp_add_scaled(middle, -0.5, s.way);
  return s;
}

static sweep draw_pass(uint64_t *g)
{
  double off = random_between(g, 0, 1.2), way = random_between(g, 2, 4);
  return drawn(off, way, random_between(g, 0, 1), 1, g);
}

static sweep draw_spin(uint64_t *g)
{
  double off = random_between(g, 0.4, 1.2), way = random_between(g, 0.5, 1.5);
  return drawn(off, way, random_between(g, 6, 60), 1, g);
}

/* Onto a plate that is thin along z. */
static sweep draw_dart(uint64_t *g)
{
  sweep s =
      drawn(random_between(g, 0, 0.7), random_between(g, 1, 2), random_between(g, 0, 0.5), 0, g);
  s.seconds = clp_norm(s.way) / random_between(g, 50, 300);
  return s;
}

/* As close as that, where the motion is nearest. */
static void graze(sweep *s, clp_pair *pair, double gap)
{
  enum { ROUNDS = 8 };
  for (int round = 0; round < ROUNDS; ++round) {
    clp_answer least = least_from(pair, s, 0);
    s->X.position = clp_add_scaled(s->X.position, gap - least.distance, least.normal);
  }
}

/* Motions begin that far apart at least (m). */
#define APART 0.01

sweep sweep_draw(sweep_kind kind, clp_pair *pair, double radius, uint64_t *g, sweep_truth *truth)
{
  for (;;) {
    bool spins = kind == SWEEP_SPINS || (kind == SWEEP_GRAZES && random_between(g, 0, 1) < 0.5);
    sweep s = kind == SWEEP_DARTS ? draw_dart(g) : spins ? draw_spin(g) : draw_pass(g);
    double gap = pow(10, random_between(g, -6, -2));
    if (kind == SWEEP_GRAZES)
      graze(&s, pair, random_between(g, 0, 1) < 0.5 ? gap : -gap);
    if (answer_at(pair, &s, 0).distance < APART)
      continue;
    *truth = truth_of(pair, &s, radius);
    if (truth->known)
      return s;
  }
}
