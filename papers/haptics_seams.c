/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papers/experiment.h"
#include "papers/haptic_loop.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/vec3.h"

enum { STEPS = 2500, SETTLED = 400, TRIAL = 4000, SHOWN = 1000, CROSSINGS = 2 };

static const double stiffness = 10000; /* N/m */

/* Where the shell is pressed while its stiffness is raised, and how deep the hand goes (m). */
static const uint32_t pressed_patch = 2;
static const double pressed_u = 0.7, pressed_v = 0.2, pressed_depth = 0.02;
static const double tap_speed = 0.02; /* m/s */

/* ---- The session -------------------------------------------------------------------------- */

static double between(double t, double from, double to)
{
  double s = fmin(1, fmax(0, (t - from) / (to - from)));
  return s * s * (3 - 2 * s);
}

/* Down, a stroke over the middle of the shell, and up again. */
static clp_vec3 stroke(double t)
{
  double s = between(t, 0.9, 1.9);
  double z = 0.1 - 0.05 * between(t, 0.2, 0.7) + 0.05 * between(t, 2.0, 2.4);
  return (clp_vec3){0.06 - 0.12 * s, -0.035 + 0.065 * s, z};
}

typedef struct session {
  double start_error, errors[STEPS + 1];
  double worst, worst_push; /* differences from the certified: distance (m), push vector (N) */
  double miss, turn;        /* in contact: the largest error (m), turn of the normal (rad) */
  double push_jump;         /* the largest change of the push's vector in a cycle (N) ... */
  double seam_jump;         /* ... in one that crosses a seam */
  double seam_bound;        /* k times the way of the proxy in that cycle, and the turn's share */
  double deepest, strongest, idle_push;
  double least_work, created, lost;
  int arrival; /* cycles before the witness had arrived */
  int crossings;
  double crossed[CROSSINGS]; /* when (s) */
  char patches[64];
  clp_haptic_state last;
} session;

static clp_vec3 push_vector(const clp_haptic_state *state)
{
  return clp_scale(state->push, state->normal);
}

static void compare(session *s, const clp_haptic_state *state, const clp_answer *truth)
{
  double off = fabs(state->s - truth->distance);
  s->worst = fmax(s->worst, off);
  if (truth->distance > 0) {
    s->idle_push = fmax(s->idle_push, state->push);
    return;
  }
  clp_vec3 wanted = clp_scale(stiffness, clp_sub(truth->point_a, state->proxy));
  s->worst_push = fmax(s->worst_push, clp_distance(push_vector(state), wanted));
}

static void record(session *s, const clp_haptic_loop *loop, const clp_haptic_state *before,
                   const clp_haptic_state *now, bool crossed)
{
  bool touching = before->push > 0 && now->push > 0;
  clp_vec3 way = clp_sub(now->proxy, before->proxy);
  double jump = clp_distance(push_vector(now), push_vector(before));
  double turn = clp_norm(clp_cross(now->normal, before->normal));
  s->push_jump = fmax(s->push_jump, jump);
  s->miss = touching ? fmax(s->miss, now->error) : s->miss;
  s->turn = touching ? fmax(s->turn, turn) : s->turn;
  s->deepest = fmax(s->deepest, -now->s * (now->push > 0));
  s->strongest = fmax(s->strongest, now->push);
  s->least_work = fmin(s->least_work, loop->y[CLP_HAPTIC_WORK]);
  s->created = fmax(s->created, now->created);
  s->lost = loop->y[CLP_HAPTIC_LOST];
  if (crossed && touching && jump > s->seam_jump) {
    s->seam_jump = jump;
    s->seam_bound = stiffness * fabs(clp_dot(way, now->normal)) + now->push * turn;
  }
}

static void append(session *s, const char *patch)
{
  size_t length = strlen(s->patches);
  snprintf(s->patches + length, sizeof s->patches - length, "%s%s", length ? " → " : "", patch);
}

static void add_line(clp_series *series, const clp_haptic_loop *loop, const clp_haptic_state *v,
                     const clp_answer *truth)
{
  const double *y = loop->y;
  clp_series_add_text(series,
                      (double[]){loop->steps * loop->step,
                                 v->device.x,
                                 v->device.y,
                                 v->device.z,
                                 v->proxy.x,
                                 v->proxy.y,
                                 v->proxy.z,
                                 v->witness.x,
                                 v->witness.y,
                                 v->witness.z,
                                 y[CLP_HAPTIC_WITNESS],
                                 y[CLP_HAPTIC_WITNESS + 1],
                                 1e3 * v->s,
                                 1e3 * truth->distance,
                                 v->push,
                                 clp_norm(v->pull),
                                 1e3 * y[CLP_HAPTIC_WORK],
                                 1e3 * y[CLP_HAPTIC_LOST],
                                 1e3 * v->stored,
                                 1e3 * v->created},
                      loop->shell->faces[loop->patch].name);
}

static const char header[] =
    "t,x,y,z,px,py,pz,fx,fy,fz,u,v,distance,certified,push,motor,work,lost,stored,created,patch";

static session play(clp_study *study, clp_haptic_loop *loop, clp_pair *pair)
{
  session s = {0};
  clp_series *series = clp_study_text_series(study, "session", header);
  clp_pose X_WA = clp_pose_identity(), X_WP = X_WA;
  clp_twist rest = {0}, motion = {0};
  clp_haptic_state before = clp_haptic_measure(loop), now = before;
  for (int k = 0; k <= STEPS; ++k) {
    int crossings = loop->crossings;
    if (k > 0)
      clp_haptic_step(loop);
    now = clp_haptic_measure(loop);
    motion.linear = clp_scale(1 / loop->step, clp_sub(now.proxy, before.proxy));
    X_WP.position = now.proxy;
    clp_answer truth = k == 0 ? clp_pair_query(pair, &X_WA, &X_WP)
                              : clp_pair_track(pair, &X_WA, &X_WP, &rest, &motion, loop->step);
    s.errors[k] = now.error;
    if (loop->ready)
      compare(&s, &now, &truth);
    else
      s.arrival = k + 1;
    if (k == 0 || loop->crossings != crossings)
      append(&s, loop->shell->faces[loop->patch].name);
    if (loop->crossings != crossings && s.crossings < CROSSINGS)
      s.crossed[s.crossings++] = k * loop->step;
    record(&s, loop, &before, &now, loop->crossings != crossings);
    add_line(series, loop, &now, &truth);
    before = now;
    clp_study_progress(study, 0.3 * k / STEPS);
  }
  s.last = now;
  return s;
}

/* The session's largest push before the hand has come down, and largest error in contact. */
typedef struct variant {
  double false_push, miss;
} variant;

static variant vary(const clp_body *shell, bool trusting, bool feedforward)
{
  variant result = {0, 0};
  clp_haptic_loop loop = clp_haptic_begin(shell, stroke, (clp_vec3){0, 0, 0}, stiffness);
  loop.trusting = trusting;
  loop.feedforward = feedforward;
  for (int k = 1; k <= STEPS; ++k) {
    clp_haptic_step(&loop);
    clp_haptic_state state = clp_haptic_measure(&loop);
    if (k <= 100)
      result.false_push = fmax(result.false_push, state.push);
    else if (state.push > 0)
      result.miss = fmax(result.miss, state.error);
  }
  return result;
}

/* ---- The order of the one integrator ------------------------------------------------------ */

/* All 14 states at 1.5 s, the witness as a place, with steps of 1 ms / part. */
static void state_after(const clp_body *shell, int part, double state[15])
{
  clp_haptic_loop loop = clp_haptic_begin(shell, stroke, (clp_vec3){0, 0, 0}, stiffness);
  loop.step /= part;
  for (int k = 0; k < 1500 * part; ++k)
    clp_haptic_step(&loop);
  clp_vec3 witness = clp_haptic_measure(&loop).witness;
  memcpy(state, loop.y, CLP_HAPTIC_WITNESS * sizeof *state);
  memcpy(state + CLP_HAPTIC_WITNESS, &witness, sizeof witness);
}

static double order_of(const clp_body *shell)
{
  double states[3][15], sum[2] = {0, 0};
  for (int k = 0; k < 3; ++k)
    state_after(shell, 2 << k, states[k]);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 15; ++i)
      sum[k] += (states[k + 1][i] - states[k][i]) * (states[k + 1][i] - states[k][i]);
  return 0.5 * log2(sum[0] / sum[1]);
}

/* ---- The stiffest wall -------------------------------------------------------------------- */

static clp_haptic_loop pressed(const clp_body *shell, clp_integrator integrator, double k,
                               double speed, double *force)
{
  clp_haptic_loop loop = clp_haptic_begin(shell, NULL, (clp_vec3){0, 0, 0.1}, k);
  loop.integrator = integrator;
  *force = clp_haptic_press(&loop, pressed_patch, pressed_u, pressed_v, pressed_depth);
  clp_vec3 n = clp_haptic_measure(&loop).normal;
  loop.y[CLP_HAPTIC_PROXY + 3] = speed * n.x;
  loop.y[CLP_HAPTIC_PROXY + 4] = speed * n.y;
  loop.y[CLP_HAPTIC_PROXY + 5] = speed * n.z;
  return loop;
}

/* A press is disturbed by next to nothing: do the fast oscillations, the second differences of the
 * push, decay from the third to the fourth quarter? */
static bool settles(const clp_body *shell, clp_integrator integrator, double k)
{
  const double noise = 1e-8; /* N, far above rounding and far below the disturbance */
  double force, sum[2] = {0, 0};
  clp_haptic_loop loop = pressed(shell, integrator, k, 1e-6, &force);
  double last = force, last_change = 0;
  for (int i = 0; i < TRIAL; ++i) {
    clp_haptic_step(&loop);
    double push = clp_haptic_measure(&loop).push, change = push - last, bend = change - last_change;
    if (!(fabs(push - force) < 0.1 * force))
      return false;
    if (i >= TRIAL / 2)
      sum[i >= TRIAL * 3 / 4] += bend * bend;
    last = push;
    last_change = change;
  }
  return sum[1] < fmax(sum[0], noise * noise);
}

static double found_limit(const clp_body *shell, clp_integrator integrator)
{
  double lo = 1000, hi = 2000;
  while (settles(shell, integrator, hi)) {
    lo = hi;
    hi *= 2;
  }
  while (hi - lo > 1e-5 * hi) {
    double middle = 0.5 * (lo + hi);
    *(settles(shell, integrator, middle) ? &lo : &hi) = middle;
  }
  return 0.5 * (lo + hi);
}

/* A press at `k`, tapped: what becomes of it. */
typedef struct tap {
  double swing;   /* of the push in the last quarter (N) */
  double created; /* the change of what the steps have made, up to the end (J) */
  double force;   /* at rest */
  int lifted;     /* cycles without contact */
} tap;

static tap try_tap(clp_study *study, const char *name, const clp_body *shell, double k)
{
  tap result = {0, 0, 0, 0};
  clp_series *series = clp_study_series(study, name, "t,push,motor,created");
  clp_haptic_loop loop = pressed(shell, CLP_INTEGRATOR_RK2, k, tap_speed, &result.force);
  double start = clp_haptic_measure(&loop).created, least = HUGE_VAL, most = 0;
  for (int i = 0; i <= SHOWN; ++i) {
    clp_haptic_state state = clp_haptic_measure(&loop);
    result.created = state.created - start;
    clp_series_add(
        series, (double[]){i * loop.step, state.push, clp_norm(state.pull), 1e3 * result.created});
    result.lifted += state.push <= 0;
    least = i >= SHOWN * 3 / 4 ? fmin(least, state.push) : least;
    most = i >= SHOWN * 3 / 4 ? fmax(most, state.push) : most;
    clp_haptic_step(&loop);
  }
  result.swing = most - least;
  return result;
}

/* ---- Rows --------------------------------------------------------------------------------- */

static void add_tracking_rows(clp_study *study, const session *s, double order)
{
  clp_row *row =
      clp_study_row(study, "dynamics and closest point integrated in one operation",
                    "all integrations are combined in a single one (Fig. 7; Fig. 5 of the other)");
  clp_row_result(row, fabs(order - 2) < 0.1, order,
                 "14 states, one midpoint step per ms; order %.2f", order);
  clp_row_note(row,
               "Device, proxy and witness are one vector. Halving the step from 0.5 to 0.125 ms "
               "changes all of its states at 1.5 s, after contact and in the stroke, as a "
               "second-order rule has to.");

  int steps = 0;
  for (int k = 0; k <= STEPS; ++k)
    steps = s->errors[k] > 1e-3 * s->errors[0] ? k + 1 : steps;
  row = clp_study_row(study, "steps to recover from the initialization error, K = 1000", "10");
  clp_row_result(row, abs(steps - 10) <= 1, steps, "%d", steps);
  clp_row_note(row,
               "To a thousandth of the start's error of %.0f mm; the number is that of "
               "\"Feedback Stabilized ...\", Fig. 7, for another patch.",
               1e3 * s->errors[0]);

  row = clp_study_row(study, "integration steps per update in the tracking phase", "1");
  clp_row_result(row, s->miss < 1e-6, s->miss,
                 "1; in contact the witness's error stays below %.1e m", s->miss);
  clp_row_note(row,
               "The error is how far the normal at the witness misses the proxy. Nothing is "
               "iterated: two evaluations of the patch per ms.");

  row = clp_study_row(study, "distance when disjoint, depth when interpenetrated",
                      "both are tracked where one of the pair is a point");
  clp_row_below(row, s->worst < 1e-9, s->worst, "m from the certified signed distance");
  clp_row_note(row,
               "From +%.0f to %.2f mm and back, through zero in the same equations, in every "
               "cycle after the witness has arrived.",
               1e3 * s->last.s, -1e3 * s->deepest);
}

static void add_force_rows(clp_study *study, const session *s, const variant *blind,
                           const variant *plain)
{
  clp_row *row =
      clp_study_row(study, "reaction force",
                    "the vector from the stylus's image to the closest point, times a stiffness");
  clp_row_result(row, s->worst_push < 1e-3 * s->strongest, s->worst_push,
                 "differs from it by at most %.0e N of %.1f N", s->worst_push, s->strongest);
  clp_row_note(row,
               "\"A Closest Point Algorithm ...\", section I. The vector is the certified "
               "one; without contact the push is %g N throughout.",
               s->idle_push);

  row = clp_study_row(study, "force across seams where curvature is discontinuous",
                      "patches may join there; smoothness does not depend on rendering");
  clp_row_result(row, s->seam_jump < s->seam_bound + 1e-3, s->seam_jump,
                 "%s; across seams the force changes by %.4f N in a cycle", s->patches,
                 s->seam_jump);
  clp_row_note(row,
               "Motion alone accounts for up to %.4f N in that cycle (stiffness times way along "
               "the normal, plus force times turn of the normal, %.4f rad per cycle at most). At "
               "the seam x = 0 the radius of curvature across it jumps from %.2f to %.2f m. "
               "The largest change of all, at first contact, is %.2f N.",
               s->seam_bound, s->turn, 0.04 / 0.08, 0.0144 / 0.08, s->push_jump);

  row = clp_study_row(study, "force from a wrong start in free space",
                      "initialization errors are tolerated");
  clp_row_result(row, blind->false_push == 0, blind->false_push,
                 "up to %.0f N if the distance is believed at once", blind->false_push);
  clp_row_note(
      row,
      "The witness recovers, the hand would not: on the way the tangent plane at the "
      "witness cuts off the proxy, and s = N.(p - f) = -%.0f mm says penetration. Here, as "
      "in the product, nothing is pushed before the answer is proven (the witness's error "
      "below 1e-6 m, after %d ms). With that rule it is %g N.",
      1e3 * blind->false_push / stiffness, s->arrival, s->idle_push);

  row = clp_study_row(study, "motion fed forward by b",
                      "needed to track moving bodies; known from the forward dynamics");
  clp_row_result(row, plain->miss > 100 * s->miss, plain->miss / s->miss,
                 "error in contact %.0e m with b, %.0e m without", s->miss, plain->miss);
}

static void add_energy_rows(clp_study *study, const session *s, double force, double depth)
{
  clp_row *row = clp_study_row(study, "penetration at rest", NULL);
  clp_row_result(row, fabs(depth - force / stiffness) < 1e-9, depth, "%.4f mm under %.4f N",
                 1e3 * depth, force);
  clp_row_note(row,
               "A hand %.0f mm below the surface; closed form: three springs in a row, depth "
               "%.4f mm.",
               1e3 * pressed_depth, 1e3 * force / stiffness);

  row = clp_study_row(study, "energy that the device has put into coupler and shell", NULL);
  clp_row_result(row, s->least_work > -1e-9, s->least_work, "never negative");
  clp_row_note(row, "Passive: what is rendered gives back no more than it has got.");

  row = clp_study_row(study, "energy made by sampling in the session", NULL);
  clp_row_result(row, s->created < s->lost, s->created / s->lost,
                 "at most %.2f mJ, with %.1f mJ taken by the coupler's damper", 1e3 * s->created,
                 1e3 * s->lost);
  clp_row_note(row,
               "Stored energy and losses less the work done by the device; without steps it "
               "would be zero, as the push is the gradient of the spring's energy.");
}

enum { SCHEMES = 3 };

static void add_limit_rows(clp_study *study, const double found[SCHEMES],
                           const double predicted[SCHEMES], const tap *below, const tap *above)
{
  static const char *const names[SCHEMES] = {"Euler", "midpoint", "Kutta's"};
  for (int k = 0; k < SCHEMES; ++k) {
    char quantity[96];
    snprintf(quantity, sizeof quantity, "stiffest stable shell at 1 kHz, %s rule", names[k]);
    clp_row *row = clp_study_row(study, quantity, NULL);
    clp_row_result(row, fabs(found[k] / predicted[k] - 1) < 1e-3, found[k],
                   "%.2f kN/m found, %.2f predicted", 1e-3 * found[k], 1e-3 * predicted[k]);
    if (k == 0)
      clp_row_note(row,
                   "Found by bisection: the whole loop, pressed and touched, settles or does "
                   "not. Predicted: the eigenvalues of the step along the normal, 4 by 4, "
                   "leave the unit circle.");
  }
  clp_row *row = clp_study_row(study, "a tap 3 % below the limit", NULL);
  clp_row_result(row, below->swing < 0.05 * below->force && below->lifted == 0, below->swing,
                 "settles: swing %.0e N after 0.75 s", below->swing);

  row = clp_study_row(study, "a tap 3 % above the limit", NULL);
  clp_row_result(row, above->swing > 0.5 * above->force && above->created > 0 && above->lifted > 0,
                 above->swing, "buzzes: swing %.1f N about %.1f N, %.0f mJ made by sampling in 1 s",
                 above->swing, above->force, 1e3 * above->created);
}

/* ---- Plots -------------------------------------------------------------------------------- */

/* The shell from above: seams, and an outline of one ellipse arc per quadrant. */
static void add_outline(clp_study *study)
{
  enum { POINTS = 240 };
  clp_series *series = clp_study_series(study, "shell", "x,y,z");
  const double heights[] = {0, 0.03, 0.05, 0.065, 0.075};
  for (size_t k = 0; k < sizeof heights / sizeof *heights; ++k) {
    for (int i = 0; i <= POINTS; ++i) {
      double angle = 2 * acos(-1) * i / POINTS, c = cos(angle), s = sin(angle);
      clp_vec3 radii = clp_haptic_radii_at((clp_vec3){c, s, 0});
      double shrink = sqrt(1 - heights[k] * heights[k] / (radii.z * radii.z));
      clp_series_add(series, (double[]){1e3 * shrink * radii.x * c, 1e3 * shrink * radii.y * s,
                                        1e3 * heights[k]});
    }
    clp_series_gap(series);
  }
}

static void add_plots(clp_study *study, const session *s, double limit)
{
  add_outline(study);
  clp_study_plot(study, "session", "t_1 = %.3f; t_2 = %.3f", s->crossed[0], s->crossed[1]);
  clp_study_plot(study, "limit", "below = %.1f; above = %.1f", 0.97e-3 * limit, 1.03e-3 * limit);
}

/* ---- All of it ---------------------------------------------------------------------------- */

static double depth_at_rest(const clp_body *shell, double *force)
{
  clp_haptic_loop loop = pressed(shell, CLP_INTEGRATOR_RK2, stiffness, 1e-3, force);
  for (int k = 0; k < SETTLED * 20; ++k)
    clp_haptic_step(&loop);
  return -clp_haptic_measure(&loop).s;
}

static double look_for_limits(clp_study *study, const clp_body *shell)
{
  static const clp_integrator schemes[SCHEMES] = {CLP_INTEGRATOR_EULER, CLP_INTEGRATOR_RK2,
                                                  CLP_INTEGRATOR_RK4};
  double found[SCHEMES], predicted[SCHEMES];
  for (int k = 0; k < SCHEMES; ++k) {
    found[k] = found_limit(shell, schemes[k]);
    predicted[k] = clp_haptic_predicted_limit(schemes[k], 1e-3);
    clp_study_progress(study, 0.5 + 0.15 * (k + 1));
  }
  tap below = try_tap(study, "below", shell, 0.97 * predicted[1]);
  tap above = try_tap(study, "above", shell, 1.03 * predicted[1]);
  add_limit_rows(study, found, predicted, &below, &above);
  return predicted[1];
}

static clp_status run(clp_study *study)
{
  clp_body *shell = NULL, *probe = NULL;
  clp_pair *pair = NULL;
  clp_body_def point = clp_default_body_def(CLP_SHAPE_POINT);
  clp_status status = clp_haptic_shell(&shell);
  if (status == CLP_OK)
    status = clp_body_create(&point, (clp_reporter){NULL, NULL}, &probe);
  if (status == CLP_OK)
    status = clp_pair_create(shell, probe, NULL, &pair);
  if (status == CLP_OK) {
    clp_haptic_loop loop = clp_haptic_begin(shell, stroke, (clp_vec3){0, 0, 0}, stiffness);
    session s = play(study, &loop, pair);
    add_tracking_rows(study, &s, order_of(shell));
    variant blind = vary(shell, true, true), plain = vary(shell, false, false);
    add_force_rows(study, &s, &blind, &plain);
    double force, depth = depth_at_rest(shell, &force);
    add_energy_rows(study, &s, force, depth);
    add_plots(study, &s, look_for_limits(study, shell));
  }
  clp_pair_destroy(pair);
  clp_body_destroy(probe);
  clp_body_destroy(shell);
  return status;
}

const clp_experiment clp_experiment_haptics_seams = {
    "haptics-seams", CLP_PAPER_HAPTIC ", Figs. 1, 2 and 7; " CLP_PAPER_FEEDBACK ", Fig. 5",
    "The same with the device in the state vector, too: a stroke over a shell of eight NURBS "
    "patches whose curvature jumps at their seams, a start from a wrong witness, and the stiffest "
    "shell that each integrator can render at 1 kHz beside its prediction.",
    2, run};
