/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/controller.h"
#include "rclc_closest_point/control/kinematics.h"
#include "rclc_closest_point/math/vec3.h"

/* The switching law: each witness walks on its own feature as if the other one stood still,
 *     w = -K I^-1 g,      I the feature's first fundamental matrix,
 * so that with d_t the part of d along the features d|d|/dt = -K |d_t|^2 / |d|: never away.
 * I^-1 g are the contravariant components of the error vector; on a side that they point out of
 * only the component along the side remains, and there it is g.T / (T.T) (clp_system_switching). */

/* -I^-1 y, saturated at the bounds. */
static void against(const clp_law_input *input, const clp_system *system, const double *y,
                    double *w)
{
  clp_system s = *system;
  for (int i = 0; i < s.count; ++i)
    s.g[i] = y[i];
  for (int i = 0; i < 4; ++i)
    w[i] = 0;
  clp_system_switching(&s, input->couple->a, input->spots->a, input->couple->b, input->spots->b, w);
}

/* ---- The guard ---------------------------------------------------------------------------- */

/* A step may deviate from its direction by this part of its length. */
#define BEND 0.25

/* By what the step x along the feature's chart must be shortened. Where tangents are short against
 * their derivatives, as next to the corners of a disc that is one patch, I^-1 is large and a step
 * of any size leads elsewhere: T x is then a small part of the way that it takes. What leaves the
 * surface of that way is curvature, which the gain allows for; what stays in it is the chart's. */
static double shortening(const clp_spot_jet *jet, const double *x)
{
  if (jet->freedoms == 0)
    return 1;
  clp_vec3 way = clp_scale(x[0], jet->t[0]), bend = clp_scale(0.5 * x[0] * x[0], jet->tt[0]);
  if (jet->freedoms == 2) {
    way = clp_add_scaled(way, x[1], jet->t[1]);
    bend = clp_add_scaled(bend, x[0] * x[1], jet->tt[1]);
    bend = clp_add_scaled(bend, 0.5 * x[1] * x[1], jet->tt[2]);
    bend = clp_add_scaled(bend, -clp_dot(bend, jet->normal), jet->normal);
  } else if (clp_norm2(way) > 0) {
    bend = clp_scale(clp_dot(bend, way) / clp_norm2(way), way);
  }
  double length = clp_norm(way), deviation = clp_norm(bend);
  return deviation > BEND * length ? BEND * length / deviation : 1;
}

static void guard(const clp_law_input *input, double *w)
{
  if (input->bold)
    return;
  const clp_spot_jet *jet[2] = {&input->jets.a, &input->jets.b};
  for (int which = 0; which < 2; ++which) {
    double x[2] = {0, 0};
    for (int i = 0; i < jet[which]->freedoms; ++i)
      x[i] = input->step * w[i];
    double part = shortening(jet[which], x);
    for (int i = 0; i < jet[which]->freedoms; ++i)
      w[i] *= part;
    w += jet[which]->freedoms;
  }
}

/* ---- The laws ----------------------------------------------------------------------------- */

/* The papers' Remark 1. With w = -K I^-1 g the distance D changes at the rate g.w / D
 * = -K rho^2 D, rho^2 = |d_t|^2 / D^2: at K = rate / rho^2 it shrinks like exp(-rate t). That gain
 * grows without bounds towards the solution, but there the distance has no way left to go: what the
 * step can bear ends it, and within the ball the best gain takes its place. */
static double scheduled_gain(const clp_law_input *input, const clp_system *s,
                             const double *downhill)
{
  double fall = 0, d = input->jets.distance;
  if (!(input->ball > 0))
    return input->gain;
  for (int i = 0; i < s->count; ++i)
    fall -= s->g[i] * downhill[i];
  double rho2 = d > 0 ? fall / (d * d) : 0;
  clp_gain_case c = {.controller = CLP_CONTROLLER_SWITCHING,
                     .integrator = input->integrator,
                     .step = input->step,
                     .stiffness = clp_stiffness_at(&input->jets)};
  double best = clp_gain_bounds_for(&c).best;
  return rho2 > input->ball * input->ball ? fmin(input->gain / rho2, best) : best;
}

void clp_law_switching(const clp_law_input *input, double w[4])
{
  clp_system s = clp_system_assemble(&input->jets, input->couple->size);
  against(input, &s, s.g, w);
  double gain = scheduled_gain(input, &s, w);
  for (int i = 0; i < s.count; ++i)
    w[i] *= gain;
  guard(input, w);
}

/* The papers' Remark 3. The motion changes D by (sum of P^i b_i + what no witness can influence)
 * / D, with P = I^-1 g the contravariant error and b the drift. A component with P^i b_i > 0 drives
 * the bodies apart along the features: it is cancelled, by adding it to K g. One with P^i b_i < 0
 * brings the witness closer for nothing, and is kept.
 *
 * In steps of length h "kept" has a limit. Taken all the way, motion that is faster than what is
 * left of the error carries the witness past the solution, where it turns into a disturbance, and
 * back again: chatter of the size h |b|. So no more is kept than the error that the feedback leaves
 * over in this step, (1 - h K) |P^i|; as P^i goes to zero all is cancelled.
 *
 * When both witnesses can move, each takes half: together they cancel the motion once. */
void clp_law_compensated(const clp_law_input *input, double w[4])
{
  clp_system s = clp_system_assemble(&input->jets, input->couple->size);
  double drift[4], downhill[4], dragged[4], y[4];
  clp_drift(&input->jets, input->motion, drift);
  against(input, &s, s.g, downhill);
  against(input, &s, drift, dragged);
  double gain = scheduled_gain(input, &s, downhill);
  double share = input->jets.a.freedoms > 0 && input->jets.b.freedoms > 0 ? 0.5 : 1;
  for (int i = 0; i < s.count; ++i) {
    double left_over = fmax(0, 1 - input->step * gain) * fabs(downhill[i]);
    double moved = input->step * fabs(dragged[i]);
    bool helps = downhill[i] * drift[i] > 0;
    double kept = helps && moved > 0 ? fmin(1, left_over / moved) : 0;
    y[i] = gain * s.g[i] + share * (1 - kept) * drift[i];
  }
  against(input, &s, y, w);
  guard(input, w);
}
