/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/gains.h"

#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/control/integrator.h"
#include "rclc_closest_point/control/kinematics.h"
#include "rclc_closest_point/control/sampling.h"
#include "rclc_closest_point/math/symmetric.h"
#include "rclc_closest_point/math/vec3.h"

/* The best gain stays this far from the largest one, of it: where some mode is very soft, the gain
 * that serves it best would leave the stiffest one on the edge of stability. */
#define MARGIN 0.9

/* Stiffness below this counts as this much: where nothing decays there is no stable gain to find,
 * only one that should not grow without bounds. */
#define SOFTEST 1e-3

/* ---- Stiffness ---------------------------------------------------------------------------- */

/* Tangents shorter than this against each other, or as parallel, span no plane. */
#define SINGULAR 1e-6

/* Unknowns along which the feature's tangents t are orthonormal: Gram and Schmidt. */
static void orthonormal(clp_restriction *m, const clp_vec3 *t, int freedoms, int first)
{
  int longer = freedoms == 2 && clp_norm2(t[1]) > clp_norm2(t[0]) ? 1 : 0;
  double length = freedoms > 0 ? clp_norm(t[longer]) : 0;
  if (!(length > 0))
    return;
  m->column[m->count++][first + longer] = 1 / length;
  if (freedoms < 2)
    return;
  clp_vec3 other = t[1 - longer];
  double along = clp_dot(other, t[longer]) / (length * length);
  double across = clp_norm(clp_add_scaled(other, -along, t[longer]));
  if (!(across > SINGULAR * length))
    return;
  m->column[m->count][first + longer] = -along / across;
  m->column[m->count++][first + 1 - longer] = 1 / across;
}

clp_stiffness clp_stiffness_at(const clp_couple_jets *jets)
{
  clp_system s = clp_system_exact(jets, 0);
  clp_restriction m = {0};
  int of_a = jets->a.freedoms;
  orthonormal(&m, s.t, of_a, 0);
  orthonormal(&m, s.t + of_a, jets->b.freedoms, of_a);
  clp_system r = clp_system_restrict(&s, &m);
  double q[4][4];
  clp_symmetric_eigen(r.count, r.h, q);
  clp_stiffness k = {HUGE_VAL, -HUGE_VAL, jets->distance};
  for (int i = 0; i < r.count; ++i) {
    k.least = fmin(k.least, r.h[i][i]);
    k.most = fmax(k.most, r.h[i][i]);
  }
  if (r.count == 0)
    k.least = k.most = 1; /* two vertices: nothing moves, any gain will do */
  return k;
}

clp_stiffness clp_stiffness_bound(int moving, double distance, double curvature)
{
  return (clp_stiffness){moving == 1 ? 1 : 0, moving + distance * fmax(0, curvature), distance};
}

/* ---- Curvature ---------------------------------------------------------------------------- */

/* The larger eigenvalue of the second fundamental form, -N.(uu, uv, vv), along orthonormal
 * tangents: u / |u| and the rest of v, v - k u, over its length. */
static double face_curvature(const clp_spot_jet *jet)
{
  const clp_vec3 *t = jet->t, *tt = jet->tt;
  double e = clp_norm2(t[0]), f = clp_dot(t[0], t[1]), g = clp_norm2(t[1]), det = e * g - f * f;
  double l = -clp_dot(jet->normal, tt[0]), m = -clp_dot(jet->normal, tt[1]);
  double n = -clp_dot(jet->normal, tt[2]);
  if (!(det > SINGULAR * SINGULAR * e * g))
    return 0;
  double k = f / e, rest = g - k * f;
  double a = l / e, b = (m - k * l) / sqrt(e * rest), c = (n - 2 * k * m + k * k * l) / rest;
  return 0.5 * (a + c) + hypot(0.5 * (a - c), b);
}

static double edge_curvature(const clp_spot_jet *jet)
{
  double speed = clp_norm(jet->t[0]);
  return speed > 0 ? clp_norm(clp_cross(jet->t[0], jet->tt[0])) / (speed * speed * speed) : 0;
}

double clp_local_curvature(const clp_spot_jet *jet)
{
  if (jet->freedoms == 0)
    return 0;
  return jet->freedoms == 2 ? face_curvature(jet) : edge_curvature(jet);
}

/* The largest curvature of one feature: samples, then shorter and shorter steps from the best. */
static double feature_curvature(const clp_body *body, clp_feature_kind kind, uint32_t id)
{
  enum { SAMPLES = 24, ROUNDS = 20 };
  double best = 0, at[2] = {0.5, 0.5};
  for (int k = 0; k < (SAMPLES + 1) * (SAMPLES + 1); ++k) {
    int row = k / (SAMPLES + 1), column = k % (SAMPLES + 1);
    double x = (double)column / SAMPLES, y = (double)row / SAMPLES;
    clp_spot_jet jet = clp_spot_jet_at(body, clp_spot_sample(body, kind, id, x, y));
    double c = clp_local_curvature(&jet);
    if (c > best) {
      best = c;
      at[0] = x;
      at[1] = y;
    }
  }
  for (double step = 0.5 / SAMPLES; step > ldexp(1, -ROUNDS); step *= 0.5)
    for (int k = 0; k < 4; ++k) {
      double to[2] = {at[0], at[1]};
      to[k / 2] = fmin(1, fmax(0, to[k / 2] + (k % 2 == 0 ? step : -step)));
      clp_spot_jet jet = clp_spot_jet_at(body, clp_spot_sample(body, kind, id, to[0], to[1]));
      double c = clp_local_curvature(&jet);
      if (c > best) {
        best = c;
        at[k / 2] = to[k / 2];
      }
    }
  return best;
}

double clp_body_curvature(const clp_body *body)
{
  double most = 0;
  for (uint32_t k = 0; k < body->face_count; ++k)
    most = fmax(most, feature_curvature(body, CLP_FACE, k));
  for (uint32_t k = 0; k < body->edge_count; ++k)
    if (body->edges[k].kind != CLP_EDGE_COLLAPSED)
      most = fmax(most, feature_curvature(body, CLP_EDGE, k));
  return most;
}

/* ---- Bounds ------------------------------------------------------------------------------- */

double clp_drag_bound(const clp_couple_jets *jets, clp_twist_bound motion)
{
  double at_h = motion.linear, at_f = motion.linear + motion.angular * jets->distance;
  return hypot(jets->a.freedoms > 0 ? at_h : 0, jets->b.freedoms > 0 ? at_f : 0);
}

static bool depends_on_stiffness(clp_controller controller)
{
  return controller == CLP_CONTROLLER_SWITCHING || controller == CLP_CONTROLLER_COMPENSATED;
}

/* What the law makes of the stiffness. */
static clp_stiffness effective(const clp_gain_case *c)
{
  clp_stiffness s = c->stiffness;
  if (!depends_on_stiffness(c->controller))
    s.least = s.most = 1;
  s.most = fmax(s.most, SOFTEST);
  s.least = fmin(s.most, fmax(s.least, 0));
  return s;
}

/* h K that makes the slower of the softest and the stiffest mode decay fastest: where both shrink
 * by the same factor. */
static double best_product(clp_integrator integrator, clp_stiffness s)
{
  const clp_scheme *scheme = clp_integrator_scheme(integrator);
  double lo = scheme->best / s.most, hi = MARGIN * scheme->limit / s.most;
  for (int k = 0; k < 50; ++k) {
    double z = 0.5 * (lo + hi);
    double stiff = fabs(clp_integrator_factor(integrator, z * s.most));
    double soft = fabs(clp_integrator_factor(integrator, z * s.least));
    if (stiff < soft)
      lo = z;
    else
      hi = z;
  }
  return lo;
}

double clp_gain_lag(const clp_gain_case *c, double gain)
{
  double least = effective(c).least;
  double decay = gain * (c->controller == CLP_CONTROLLER_COMPENSATED ? fmin(1, least) : least);
  if (c->drag == 0)
    return 0;
  return decay > 0 ? c->drag / decay : HUGE_VAL;
}

clp_gain_bounds clp_gain_bounds_for(const clp_gain_case *c)
{
  clp_gain_bounds b = {.step = c->step, .distance = c->stiffness.distance};
  if (!(c->step > 0))
    return b;
  clp_stiffness s = effective(c);
  b.max = clp_integrator_scheme(c->integrator)->limit / (c->step * s.most);
  b.best = best_product(c->integrator, s) / c->step;
  b.lag = clp_gain_lag(c, b.best);
  b.min = c->drag > 0 ? clp_gain_lag(c, 1) / c->error : 0;
  return b;
}

double clp_gain_floor(double speed, double angle, double distance, double tangential)
{
  double drag = speed * angle * distance;
  return drag > 0 ? drag / (tangential * tangential) : 0;
}

/* ---- Refusal ------------------------------------------------------------------------------ */

/* Adds `piece` to the text as far as there is room. */
static void add(char *text, size_t size, const char *piece)
{
  size_t used = strlen(text), length = strlen(piece);
  size_t room = size - used - 1;
  memcpy(text + used, piece, length < room ? length : room);
  text[used + (length < room ? length : room)] = '\0';
}

static void add_number(char *text, size_t size, const char *before, double value)
{
  add(text, size, before);
  add(text, size, clp_number(value, 6).text);
}

clp_status clp_gain_check(const clp_gain_bounds *bounds, double gain, char *text, size_t size)
{
  bool fine = gain > 0 && gain >= bounds->min && gain < bounds->max;
  if (text && size > 0) {
    text[0] = '\0';
    if (fine)
      return CLP_OK;
    add_number(text, size, "gain ", gain);
    add_number(text, size, " 1/s is outside of its bounds: above ", bounds->min);
    add_number(text, size, " and below ", bounds->max);
    add_number(text, size, " 1/s, best ", bounds->best);
    add_number(text, size, " (steps of ", bounds->step);
    add_number(text, size, " s, evaluated at distance ", bounds->distance);
    add(text, size, " m)");
  }
  return fine ? CLP_OK : CLP_ERROR_ARGUMENT;
}
