/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/follow.h"

#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/pose.h"

/* Instants are known to so many seconds. */
#define INSTANT 1e-9

/* ---- The two followers -------------------------------------------------------------------- */

clp_status clp_follower_create(const clp_body *a, const clp_body *b, clp_course course,
                               double begin, double step, double gain, clp_follower *follower)
{
  clp_follower f = {.a = a, .b = b, .course = course, .begin = begin, .step = step, .t = begin};
  clp_status status = clp_pair_create(a, b, NULL, &f.pair);
  if (status != CLP_OK)
    return status;
  f.law = clp_default_flow_options();
  f.law.controller = CLP_CONTROLLER_LINEARISING;
  f.law.integrator = CLP_INTEGRATOR_RK2;
  f.law.gain = gain;
  f.law.cycle = step;
  f.now = course(begin);
  f.answer = clp_pair_query(f.pair, &f.now.X_WA, &f.now.X_WB);
  *follower = f;
  clp_follower_misplace(follower, clp_pair_spots(f.pair));
  return CLP_OK;
}

void clp_follower_release(clp_follower *follower)
{
  clp_pair_destroy(follower->pair);
  follower->pair = NULL;
}

static clp_couple couple_of(const clp_follower *f)
{
  return clp_couple_make(f->a, f->b, &f->now.X_WA, &f->now.X_WB);
}

void clp_follower_misplace(clp_follower *follower, clp_spots spots)
{
  clp_couple c = couple_of(follower);
  follower->spots = spots;
  follower->jets = clp_couple_jets_at(c.a, spots.a, c.b, spots.b, &c.X_AB);
}

void clp_follower_step(clp_follower *f)
{
  clp_mode before = clp_mode_of(&f->answer);
  clp_pose X_AB = couple_of(f).X_AB;
  f->t = f->begin + f->step * ++f->cycles;
  f->now = f->course(f->t);
  const clp_placing *p = &f->now;
  f->answer = clp_pair_track(f->pair, &p->X_WA, &p->X_WB, &p->V_WA, &p->V_WB, f->step);
  clp_mode after = clp_mode_of(&f->answer);
  if (before.inside && after.inside && !clp_mode_same(before, after)) {
    clp_follower_misplace(f, clp_pair_spots(f->pair));
    return;
  }
  clp_couple c = couple_of(f);
  clp_twist motion = clp_twist_between(X_AB, c.X_AB, f->step);
  f->jets = clp_flow_cycle(&f->law, &c, &motion, NULL, &f->spots, NULL).jets;
}

double clp_follower_lag(const clp_follower *f)
{
  const clp_pose *X = &f->now.X_WA;
  double a = clp_distance(clp_transform(*X, f->jets.a.p), f->answer.point_a);
  double b = clp_distance(clp_transform(*X, f->jets.b.p), f->answer.point_b);
  return fmax(a, b);
}

/* ---- Changes ------------------------------------------------------------------------------ */

clp_mode clp_mode_of(const clp_answer *answer)
{
  return (clp_mode){answer->kind_a, answer->kind_b, answer->feature_a, answer->feature_b,
                    answer->status == CLP_PENETRATING};
}

bool clp_mode_same(clp_mode a, clp_mode b)
{
  return a.kind_a == b.kind_a && a.kind_b == b.kind_b && a.a == b.a && a.b == b.b &&
         a.inside == b.inside;
}

static clp_mode mode_at(clp_pair *probe, clp_course course, double t)
{
  clp_placing p = course(t);
  clp_answer answer = clp_pair_query(probe, &p.X_WA, &p.X_WB);
  return clp_mode_of(&answer);
}

static void halve(clp_pair *probe, clp_course course, clp_change lo, clp_change hi,
                  clp_changes *changes)
{
  if (clp_mode_same(lo.to, hi.to))
    return;
  if (hi.t - lo.t < INSTANT) {
    if (changes->count < changes->capacity)
      changes->list[changes->count] = (clp_change){hi.t, lo.to, hi.to};
    changes->count++;
    return;
  }
  double t = 0.5 * (lo.t + hi.t);
  clp_change middle = {.t = t, .to = mode_at(probe, course, t)};
  halve(probe, course, lo, middle, changes);
  halve(probe, course, middle, hi, changes);
}

void clp_follower_changes(const clp_follower *f, clp_mode before, clp_changes *changes)
{
  clp_pair *probe;
  if (clp_mode_same(before, clp_mode_of(&f->answer)) ||
      clp_pair_create(f->a, f->b, NULL, &probe) != CLP_OK)
    return;
  double t = f->t - f->step;
  clp_change lo = {.t = t, .to = mode_at(probe, f->course, t)};
  clp_change hi = {.t = f->t, .to = mode_at(probe, f->course, f->t)};
  halve(probe, f->course, lo, hi, changes);
  clp_pair_destroy(probe);
}
