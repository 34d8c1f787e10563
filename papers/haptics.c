/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "papers/chase.h"
#include "papers/experiment.h"
#include "papers/lemon.h"
#include "papers/patches.h"
#include "rclc_closest_point/math/pose.h"

/* Haptic rendering as the papers draw it: a hand at a device, the device's image E, a virtual
 * coupler from E to the proxy P, and P, a mass, against a body of NURBS patches. The virtual
 * environment is one system of differential equations,
 *
 *   m v' = k (E - x) + b (E' - v) + N max(0, -K_w s - C_w N.v),   x' = v,   (u', v') = w,
 *
 * with s = N.(x - f(u, v)), the wall's force only for s < 0, and w the library's linearizing law:
 * eight states that one Runge-Kutta step of fourth order takes over a millisecond, E going on at
 * its last speed. The device is apart: it moves on while its motor's force is held for the
 * millisecond, and is integrated a hundred times finer. */

static const double cycle = 1e-3;
static const double tracking_gain = 500; /* K (1/s) */

/* The device with the finger at it (N, m, s, kg), the coupler, the proxy and the wall. */
static const double device_mass = 0.3, device_damping = 3, hand_stiffness = 300;
static const double coupler_stiffness = 1000, coupler_damping = 1;
static const double proxy_mass = 0.05, wall_stiffness = 4000, wall_damping = 5;

/* The patch S1 is a part of the unit sphere about this. */
static const clp_vec3 center = {0.6, 0, 0};

enum { STATES = 8, STEPS = 4000, FINER = 100 };

typedef struct environment {
  const clp_body *body, *probe;
  clp_couple couple;
  double coupler, damping, wall, wall_damping;
  clp_vec3 image, image_speed; /* E, at the beginning of the step */
  double y[STATES];            /* x, v, u, v */
} environment;

static clp_vec3 vector_at(const double *y)
{
  return (clp_vec3){y[0], y[1], y[2]};
}

/* The proxy's witness, the signed distance and the force of the wall at a state. */
typedef struct contact {
  clp_vec3 place, normal, force;
  double s;
} contact;

static clp_spots spots_at(const environment *e, const double *y)
{
  return (clp_spots){clp_spot_on_face(0, clp_surface_site(&e->body->faces[0].surface, y[6], y[7])),
                     clp_spot_on_vertex(0)};
}

static contact touch(const environment *e, const double *y)
{
  clp_spot_jet at = clp_spot_jet_at(e->body, spots_at(e, y).a);
  contact c = {.place = at.p, .normal = at.normal};
  c.s = clp_dot(at.normal, clp_sub(vector_at(y), at.p));
  double push = -e->wall * c.s - e->wall_damping * clp_dot(at.normal, vector_at(y + 3));
  c.force = clp_scale(c.s < 0 ? fmax(0, push) : 0, at.normal);
  return c;
}

static clp_vec3 pull_of_coupler(const environment *e, const double *y, double t)
{
  clp_vec3 image = clp_add_scaled(e->image, t, e->image_speed);
  clp_vec3 force = clp_scale(e->coupler, clp_sub(image, vector_at(y)));
  return clp_add_scaled(force, e->damping, clp_sub(e->image_speed, vector_at(y + 3)));
}

static void derive(environment *e, double t, const double *y, double *dy)
{
  clp_spots spots = spots_at(e, y);
  e->couple.X_AB.position = vector_at(y);
  clp_law_input state = {
      .couple = &e->couple,
      .spots = &spots,
      .jets = clp_couple_jets_at(e->body, spots.a, e->probe, spots.b, &e->couple.X_AB),
      .motion = {vector_at(y + 3), {0, 0, 0}},
      .gain = tracking_gain,
      .step = cycle,
      .integrator = CLP_INTEGRATOR_RK4};
  double w[4] = {0};
  clp_law_linearising(&state, w);
  clp_vec3 force = clp_add(pull_of_coupler(e, y, t), touch(e, y).force);
  clp_vec3 a = clp_scale(1 / proxy_mass, force);
  memcpy(dy, (double[STATES]){y[3], y[4], y[5], a.x, a.y, a.z, w[0], w[1]}, STATES * sizeof *dy);
}

/* One step of fourth order of everything. */
static void step_environment(environment *e)
{
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double sum[STATES] = {0}, slope[STATES] = {0};
  for (int stage = 0; stage < 4; ++stage) {
    double y[STATES];
    for (int i = 0; i < STATES; ++i)
      y[i] = e->y[i] + at[stage] * cycle * slope[i];
    derive(e, at[stage] * cycle, y, slope);
    for (int i = 0; i < STATES; ++i)
      sum[i] += weight[stage] * slope[i];
  }
  for (int i = 0; i < STATES; ++i)
    e->y[i] += cycle / 6 * sum[i];
}

/* ---- The device --------------------------------------------------------------------------- */

typedef struct device {
  clp_vec3 x, v, last;
} device;

/* The hand's spring rests at a place; the motor's force is held. */
static void step_device(device *d, clp_vec3 hand, clp_vec3 motor)
{
  double h = cycle / FINER;
  d->last = d->x;
  for (int k = 0; k < FINER; ++k) {
    clp_vec3 force = clp_add_scaled(motor, hand_stiffness, clp_sub(hand, d->x));
    force = clp_add_scaled(force, -device_damping, d->v);
    d->v = clp_add_scaled(d->v, h / device_mass, force);
    d->x = clp_add_scaled(d->x, h, d->v);
  }
}

/* From a start with the witness off by this much in u. */
static environment make_environment(const clp_body *body, const clp_body *probe, clp_vec3 x,
                                    double off)
{
  clp_pose X = clp_pose_identity();
  environment e = {.body = body,
                   .probe = probe,
                   .couple = clp_couple_make(body, probe, &X, &X),
                   .coupler = coupler_stiffness,
                   .damping = coupler_damping,
                   .wall = wall_stiffness,
                   .wall_damping = wall_damping,
                   .image = x,
                   .y = {x.x, x.y, x.z, 0, 0, 0, 0.5 + off, 0.5}};
  return e;
}

/* Takes the device's place as E, steps the environment, then the device. The energy that went into
 * the coupler in this cycle (J). */
static double cycle_both(environment *e, device *d, clp_vec3 hand)
{
  e->image_speed = clp_scale(1 / cycle, clp_sub(d->x, d->last));
  e->image = d->x;
  clp_vec3 force = pull_of_coupler(e, e->y, 0);
  step_environment(e);
  step_device(d, hand, clp_negate(force));
  return clp_dot(force, clp_sub(d->x, d->last));
}

/* ---- A touch ------------------------------------------------------------------------------ */

static double smooth(double t)
{
  t = fmin(1, fmax(0, t));
  return t * t * (3 - 2 * t);
}

/* In, 60 mm below the surface, along it, and out again. */
static clp_vec3 hand_at(double t)
{
  double in = smooth(t / 0.8) - smooth((t - 3) / 0.8), along = smooth((t - 1) / 1.5);
  double angle = 0.25 * along, r = 1 + 0.05 - 0.11 * in;
  return (clp_vec3){center.x - r * cos(angle) * cos(angle), r * sin(angle),
                    r * cos(angle) * sin(angle)};
}

typedef struct findings {
  double start_error;        /* the witness's first distance from the nearest place (m) */
  double settled;            /* seconds until that is a millionth */
  double witness, distance;  /* the largest errors later (m) */
  double expected_s, rest_s; /* the depth at the end of the press, from the force and as it is */
  double least_push;         /* the wall's force along the normal (N) */
  double largest_step;       /* of the force on the finger in a cycle (N) */
  double least_energy, most_energy;
} findings;

static double witness_error(const contact *c, clp_vec3 x)
{
  clp_vec3 nearest = clp_add(center, clp_unit(clp_sub(x, center)));
  return clp_distance(nearest, c->place);
}

static void look(findings *f, const environment *e, const contact *c, double t)
{
  clp_vec3 x = vector_at(e->y);
  double error = witness_error(c, x);
  if (f->start_error == 0)
    f->start_error = error;
  if (error > 1e-6 * f->start_error && t < 0.5)
    f->settled = t + cycle;
  if (t > 0.1) {
    f->witness = fmax(f->witness, error);
    f->distance = fmax(f->distance, fabs(c->s - (clp_distance(x, center) - 1)));
  }
  f->least_push = fmin(f->least_push, clp_dot(c->force, c->normal));
}

static findings touch_and_slide(clp_study *study, const clp_body *body, const clp_body *probe)
{
  clp_series *series = clp_study_series(study, "touch", "t,force,wall,depth,energy,u,v,error");
  environment e = make_environment(body, probe, hand_at(0), 0.2);
  device d = {hand_at(0), {0, 0, 0}, hand_at(0)};
  findings f = {0};
  double energy = 0;
  clp_vec3 last = {0, 0, 0};
  for (int k = 0; k < STEPS; ++k) {
    double t = k * cycle;
    contact c = touch(&e, e.y);
    clp_vec3 felt = pull_of_coupler(&e, e.y, 0);
    look(&f, &e, &c, t);
    if (k > 0)
      f.largest_step = fmax(f.largest_step, clp_distance(felt, last));
    last = felt;
    if (k == 2900) {
      f.rest_s = -c.s;
      f.expected_s = clp_dot(clp_negate(felt), c.normal) / wall_stiffness;
    }
    clp_series_add(series, (double[]){t, clp_norm(felt), clp_norm(c.force), 1e3 * fmax(0, -c.s),
                                      energy, e.y[6], e.y[7], witness_error(&c, vector_at(e.y))});
    energy += cycle_both(&e, &d, hand_at(t));
    f.least_energy = fmin(f.least_energy, energy);
    f.most_energy = fmax(f.most_energy, energy);
    clp_study_progress(study, 0.5 * k / STEPS);
  }
  return f;
}

/* ---- Limits ------------------------------------------------------------------------------- */

/* Pressed into the wall with E held 20 mm below the surface: the size of a small disturbance after
 * so many steps, as a multiple of what it was. Into a series, too, if there is one. */
static double growth_of_wall(const clp_body *body, const clp_body *probe, double wall, int steps,
                             clp_series *series)
{
  clp_vec3 image = {center.x - 1 + 0.02, 0, 0}, x = image;
  double depth = coupler_stiffness * 0.02 / (coupler_stiffness + wall);
  x.x = center.x - 1 + depth;
  environment e = make_environment(body, probe, x, 0);
  e.wall = wall;
  e.wall_damping = 0;
  e.image = image;
  const double size = 1e-6;
  e.y[3] = size * sqrt(wall / proxy_mass);
  double late = 0;
  for (int k = 0; k < steps; ++k) {
    double off = fabs(e.y[0] - x.x);
    late = k >= 3 * steps / 4 ? fmax(late, off) : late;
    if (series)
      clp_series_add(series, (double[]){wall, k, 1e3 * (depth + e.y[0] - x.x)});
    step_environment(&e);
  }
  return isfinite(late) ? late / size : HUGE_VAL;
}

/* How a step of fourth order multiplies m x'' + c x' + k x = 0: |1 + z + z^2/2 + z^3/6 + z^4/24| of
 * z = h lambda, with lambda a pair of complex numbers. */
static double factor_of_step(double stiffness, double damping)
{
  double real = -0.5 * damping / proxy_mass;
  double imaginary = sqrt(fmax(0, stiffness / proxy_mass - real * real));
  double zr = cycle * real, zi = cycle * imaginary, pr = 1, pi = 0, sr = 1, si = 0;
  for (int k = 1; k <= 4; ++k) {
    double r = (pr * zr - pi * zi) / k, i = (pr * zi + pi * zr) / k;
    pr = r;
    pi = i;
    sr += r;
    si += i;
  }
  return hypot(sr, si);
}

static double predicted_wall(void)
{
  double low = wall_stiffness, high = 1e7;
  while (high - low > 1e-9 * high) {
    double middle = 0.5 * (low + high);
    *(factor_of_step(middle + coupler_stiffness, coupler_damping) < 1 ? &low : &high) = middle;
  }
  return low;
}

static double largest_wall(const clp_body *body, const clp_body *probe)
{
  double low = wall_stiffness, high = 1e6;
  while (high - low > 1e-4 * high) {
    double middle = 0.5 * (low + high);
    *(growth_of_wall(body, probe, middle, 800, NULL) < 1 ? &low : &high) = middle;
  }
  return low;
}

/* Pressed with the coupler of this stiffness; the hand's spring rests so that it holds. */
static bool is_coupler_stable(const clp_body *body, const clp_body *probe, double coupler)
{
  double force = 10;
  clp_vec3 x = {center.x - 1 + force / wall_stiffness, 0, 0};
  environment e = make_environment(body, probe, x, 0);
  device d = {{x.x + force / coupler, 0, 0}, {1e-4, 0, 0}, {x.x + force / coupler, 0, 0}};
  clp_vec3 hand = {d.x.x + force / hand_stiffness, 0, 0};
  e.coupler = coupler;
  double early = 0, late = 0;
  for (int k = 0; k < 2000; ++k) {
    (void)cycle_both(&e, &d, hand);
    double speed = fabs(d.v.x) + fabs(e.y[3]);
    early = k >= 200 && k < 600 ? fmax(early, speed) : early;
    late = k >= 1600 ? fmax(late, speed) : late;
  }
  return late < early && late < 1e-3;
}

static double largest_coupler(const clp_body *body, const clp_body *probe)
{
  double low = coupler_stiffness, high = 1.05 * low;
  for (; high < 1e6 && is_coupler_stable(body, probe, high); high *= 1.05)
    low = high;
  while (high - low > 1e-3 * high) {
    double middle = 0.5 * (low + high);
    *(is_coupler_stable(body, probe, middle) ? &low : &high) = middle;
  }
  return low;
}

/* ---- The table ---------------------------------------------------------------------------- */

static void add_tracking_rows(clp_study *study, const findings *f)
{
  clp_row *row = clp_study_row(study, "dynamics and tracking in one integration", "possible");
  clp_row_result(row, f->witness < 1e-6 && f->distance < 1e-9, f->witness, "yes");
  clp_row_note(row,
               "Six states of the proxy and two of its witness in one Runge-Kutta step of fourth "
               "order a millisecond, through free motion, contact and back. Beside the closed form "
               "(the patch is a part of a sphere) the witness is off by less than a micrometer and "
               "the signed distance by less than a nanometer.");

  row = clp_study_row(study, "the start's error is gone to a millionth after", NULL);
  clp_row_number(row, fabs(f->settled * tracking_gain / log(1e6) - 1) < 0.15, 1e3 * f->settled, 2,
                 "ms");
  clp_row_note(row, "With K = %g 1/s the errors decay as exp(-K t): predicted %.0f ms.",
               tracking_gain, 1e3 * log(1e6) / tracking_gain);
}

static void add_contact_rows(clp_study *study, const findings *f)
{
  clp_row *row = clp_study_row(study, "depth in the wall at rest", NULL);
  clp_row_number(row, fabs(f->rest_s / f->expected_s - 1) < 1e-3, 1e3 * f->rest_s, 3, "mm");
  clp_row_note(row, "The force on the finger over the wall's stiffness, %g N/m.", wall_stiffness);

  row = clp_study_row(study, "the wall pulls", NULL);
  clp_row_result(row, f->least_push >= 0, f->least_push, "%s",
                 f->least_push >= 0 ? "never" : "yes");

  row = clp_study_row(study, "largest change of the force in a cycle", NULL);
  clp_row_number(row, f->largest_step < 0.5, f->largest_step, 2, "N");

  row = clp_study_row(study, "energy out of the coupler beyond what went in", NULL);
  clp_row_result(row, f->least_energy >= -1e-6, f->least_energy, "%s",
                 f->least_energy >= -1e-6 ? "never" : "yes");
  clp_row_note(row,
               "Force times way of every cycle, exact for a force that is held; the most that was "
               "in it is %.2g J. The device's own damping, %g N s/m, is not counted.",
               f->most_energy, device_damping);
}

static void add_limit_rows(clp_study *study, double wall, double predicted, double coupler)
{
  clp_row *row = clp_study_row(study, "stiffest wall for the integration", NULL);
  clp_row_number(row, fabs(wall / predicted - 1) < 0.01, wall, 3, "N/m");
  clp_row_note(row,
               "Without a damper of the wall. A step of fourth order multiplies by 1 + z + z²/2 + "
               "z³/6 + z⁴/24 with z = hλ; for the proxy of %g kg between wall and coupler that "
               "leaves the unit circle at %.3g N/m.",
               proxy_mass, predicted);

  double passive = 2 / cycle * (device_damping - coupler_damping);
  row = clp_study_row(study, "stiffest coupler", NULL);
  clp_row_number(row, coupler > passive, coupler, 2, "N/m");
  clp_row_note(row,
               "Passive, whatever the hand does, up to 2 (B - b) / T = %g N/m with the device's "
               "damping B and the coupler's b (Colgate and Schenkel); this hand bears more.",
               passive);
}

static clp_status run(clp_study *study)
{
  clp_body *body = NULL, *probe = NULL;
  clp_status status = clp_lemon_create(&body);
  if (status == CLP_OK)
    status = clp_patch_probe(&probe);
  if (status == CLP_OK) {
    findings f = touch_and_slide(study, body, probe);
    add_tracking_rows(study, &f);
    add_contact_rows(study, &f);
    double predicted = predicted_wall(), wall = largest_wall(body, probe);
    clp_study_progress(study, 0.7);
    add_limit_rows(study, wall, predicted, largest_coupler(body, probe));
    clp_series *series = clp_study_series(study, "limit", "wall,step,depth");
    (void)growth_of_wall(body, probe, 0.98 * predicted, 400, series);
    (void)growth_of_wall(body, probe, 1.02 * predicted, 400, series);
    clp_study_plot(study, "touch", NULL);
    clp_study_plot(study, "limit", "predicted = %.17g", predicted);
  }
  clp_body_destroy(probe);
  clp_body_destroy(body);
  return status;
}

const clp_experiment clp_experiment_haptics = {
    "haptics", CLP_PAPER_HAPTIC ", Figs. 1, 2 and 7; " CLP_PAPER_FEEDBACK ", Fig. 5",
    "A finger on a device, a virtual coupler, a proxy with mass and a body of NURBS patches: "
    "forward "
    "dynamics and closest points in one integration at 1 kHz, in contact and at its limits.",
    2, run};
