/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_DIFFERENCE_H
#define TEST_SUPPORT_DIFFERENCE_H

#include <math.h>
#include <stdbool.h>

#include "rclc_closest_point/math/pose.h"

/* Central differences of functions of time, and how wrong they may be. */

enum { DIFFERENCE_NUMBERS = 10 }; /* at most, of one function */

/* After t seconds at a twist that stays as it is: the origin goes straight on. */
static inline clp_pose difference_pose_after(const clp_pose *X, const clp_twist *V, double t)
{
  double w = clp_norm(V->angular);
  clp_pose to = {X->rotation, clp_add_scaled(X->position, t, V->linear)};
  if (w > 0)
    to.rotation =
        clp_mat3_multiply(clp_rotation_about(clp_scale(1 / w, V->angular), w * t), X->rotation);
  return to;
}

/* Numbers f(t), each known to its `noise`; false where they are not the function that they are at
 * 0. */
typedef bool (*difference_function)(void *user, double t, double *f, double *noise);

typedef struct difference {
  double first, second;
  double first_error, second_error; /* infinite: no step was found that is good enough */
} difference;

/* f at five times, and the most noise that each number has there. */
typedef struct difference_sample {
  double y[5][DIFFERENCE_NUMBERS], noise[DIFFERENCE_NUMBERS];
} difference_sample;

static inline bool difference_sample_at(difference_function f, void *user, int count, double h,
                                        difference_sample *s)
{
  for (int i = 0; i < count; ++i)
    s->noise[i] = 0;
  for (int k = 0; k < 5; ++k) {
    double noise[DIFFERENCE_NUMBERS];
    if (!f(user, (k - 2) * h, s->y[k], noise))
      return false;
    for (int i = 0; i < count; ++i)
      s->noise[i] = fmax(s->noise[i], noise[i]);
  }
  return true;
}

/* How one of the differences settles while the step is halved. */
typedef struct difference_course {
  double value, change; /* by the last halving */
  bool settles;         /* that change was one of fourth order */
  double noise;
} difference_course;

/* What a step's difference may be off by. Once the error falls with the fourth power of the step
 * each halving changes the difference by a sixteenth of what the one before did. Two in a row must
 * have changed it by between none and a quarter, to noise: one alone is that small by chance, where
 * steps that are still too long for what the function does nearby pass from too much to too little.
 * From there on, at a quarter each, the changes still to come are a third of the last one, which is
 * a twelfth of the one before: all of the last is charged, and no less than a tenth of that. */
static inline double difference_settle(difference_course *c, double value, double noise)
{
  double change = value - c->value, before = c->change;
  bool settles = fabs(change - before / 8) <= fabs(before) / 8 + 2 * noise;
  bool twice = settles && c->settles;
  *c = (difference_course){value, change, settles, noise};
  return twice ? fmax(fabs(change), 0.1 * fabs(before)) + noise : HUGE_VAL;
}

/* One number, as its steps are halved. */
typedef struct difference_search {
  difference best;
  difference_course first, second;
} difference_search;

/* Of fourth order: the error falls with the fourth power of the step. */
static inline void difference_take(difference_search *s, const difference_sample *sample,
                                   int number, double h)
{
  double y[5], noise = sample->noise[number];
  for (int k = 0; k < 5; ++k)
    y[k] = sample->y[k][number];
  double first = (8 * (y[3] - y[1]) - (y[4] - y[0])) / (12 * h);
  double second = (16 * (y[3] + y[1]) - (y[4] + y[0]) - 30 * y[2]) / (12 * h * h);
  double first_error = difference_settle(&s->first, first, 1.5 * noise / h);
  double second_error = difference_settle(&s->second, second, 5.4 * noise / (h * h));
  if (first_error < s->best.first_error) {
    s->best.first = first;
    s->best.first_error = first_error;
  }
  if (second_error < s->best.second_error) {
    s->best.second = second;
    s->best.second_error = second_error;
  }
}

/* Shorter steps have more noise than the best is off by. */
static inline bool difference_is_found(const difference_search *s)
{
  return s->first.noise > s->best.first_error && s->second.noise > s->best.second_error;
}

/* Of each of the function's numbers the best of steps from `longest` on, each half as long as the
 * one before. */
static inline void difference_find(difference_function f, void *user, int count, double longest,
                                   int halvings, difference *best)
{
  const difference_course begin = {NAN, NAN, false, 0};
  difference_search searches[DIFFERENCE_NUMBERS];
  bool found = false;
  for (int i = 0; i < count; ++i)
    searches[i] = (difference_search){{0, 0, HUGE_VAL, HUGE_VAL}, begin, begin};
  for (int k = 0; k <= halvings && !found; ++k) {
    double h = ldexp(longest, -k);
    difference_sample sample;
    if (!difference_sample_at(f, user, count, h, &sample))
      continue;
    found = true;
    for (int i = 0; i < count; ++i) {
      difference_take(&searches[i], &sample, i, h);
      found = found && difference_is_found(&searches[i]);
    }
  }
  for (int i = 0; i < count; ++i)
    best[i] = searches[i].best;
}

#endif
