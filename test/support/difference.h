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

/* The best of steps from `longest` on, each half as long as the one before: what a step's
 * difference is off by is, while it converges, a sixteenth of what it differs by from the step
 * before. All of that is charged, and a part of what the step before differed by, for one of them
 * may be small by chance. */
static inline difference difference_find(difference_function f, void *user, double longest,
                                         int halvings)
{
  difference best = {0, 0, HUGE_VAL, HUGE_VAL};
  double before[2] = {NAN, NAN}, change[2] = {HUGE_VAL, HUGE_VAL};
  for (int k = 0; k <= halvings; ++k) {
    double value[2], noise[2];
    if (!difference_at(f, user, ldexp(longest, -k), value, noise))
      continue;
    const double last[2] = {0.1 * change[0], 0.1 * change[1]};
    for (int i = 0; i < 2; ++i)
      change[i] = isnan(before[i]) ? HUGE_VAL : fabs(value[i] - before[i]);
    double first = fmax(change[0], last[0]) + noise[0];
    double second = fmax(change[1], last[1]) + noise[1];
    if (first < best.first_error) {
      best.first = value[0];
      best.first_error = first;
    }
    if (second < best.second_error) {
      best.second = value[1];
      best.second_error = second;
    }
    before[0] = value[0];
    before[1] = value[1];
  }
  return best;
}

#endif
