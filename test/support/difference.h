/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_DIFFERENCE_H
#define TEST_SUPPORT_DIFFERENCE_H

#include <math.h>
#include <stdbool.h>

#include "rclc_closest_point/math/pose.h"

/* Central differences of a function of time, and how wrong they may be. */

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

/* f(t), known to `noise`; false where it is not the function that it is at 0. */
typedef bool (*difference_function)(void *user, double t, double *f, double *noise);

typedef struct difference {
  double first, second;
  double first_error, second_error; /* infinite: no step was found that is good enough */
} difference;

/* Of fourth order: the error falls with the fourth power of the step. */
static inline bool difference_at(difference_function f, void *user, double h, double value[2],
                                 double *noise)
{
  double y[5], worst = 0;
  for (int k = -2; k <= 2; ++k) {
    double n;
    if (!f(user, k * h, &y[k + 2], &n))
      return false;
    worst = fmax(worst, n);
  }
  value[0] = (8 * (y[3] - y[1]) - (y[4] - y[0])) / (12 * h);
  value[1] = (16 * (y[3] + y[1]) - (y[4] + y[0]) - 30 * y[2]) / (12 * h * h);
  noise[0] = 1.5 * worst / h;
  noise[1] = 5.4 * worst / (h * h);
  return true;
}

/* How one of the differences settles while the step is halved. */
typedef struct difference_course {
  double value, change; /* by the last halving */
  bool settles;         /* that change was one of fourth order */
} difference_course;

/* What this step's difference may be off by. Once the error falls with the fourth power of the step
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
  *c = (difference_course){value, change, settles};
  return twice ? fmax(fabs(change), 0.1 * fabs(before)) + noise : HUGE_VAL;
}

/* The best of steps from `longest` on, each half as long as the one before, until there is more
 * noise than the best is off by. */
static inline difference difference_find(difference_function f, void *user, double longest,
                                         int halvings)
{
  difference best = {0, 0, HUGE_VAL, HUGE_VAL};
  difference_course first = {NAN, NAN, false}, second = first;
  double noise[2] = {0, 0};
  for (int k = 0; k <= halvings; ++k) {
    double value[2];
    if (noise[0] > best.first_error && noise[1] > best.second_error)
      break;
    if (!difference_at(f, user, ldexp(longest, -k), value, noise))
      continue;
    double first_error = difference_settle(&first, value[0], noise[0]);
    double second_error = difference_settle(&second, value[1], noise[1]);
    if (first_error < best.first_error) {
      best.first = value[0];
      best.first_error = first_error;
    }
    if (second_error < best.second_error) {
      best.second = value[1];
      best.second_error = second_error;
    }
  }
  return best;
}

#endif
