/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/haptic_loop.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "rclc_closest_point/control/integrator.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/automaton.h"

/* ---- The shell ---------------------------------------------------------------------------- */

const clp_vec3 clp_haptic_radii[2] = {{0.20, 0.15, 0.08}, {0.12, 0.10, 0.08}};

clp_vec3 clp_haptic_radii_at(clp_vec3 p)
{
  return (clp_vec3){clp_haptic_radii[p.x < 0].x, clp_haptic_radii[p.y < 0].y,
                    clp_haptic_radii[p.z < 0].z};
}

enum { PATCHES = 8, NET = 36 };

/* A quarter circle about x, turned from one of the planes that meet in x to the other: the
 * collapsed side lies at the tip of x. A reflection turns a patch inside out. */
static void fill_patch(clp_patch_def *patch, double *points, const char *name, int octant)
{
  const double along[3][2] = {{1, 0}, {1, 1}, {0, 1}}, half = sqrt(0.5);
  const double weights[3] = {1, half, 1};
  clp_vec3 sign = {octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1};
  clp_vec3 radii = clp_haptic_radii_at(sign);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double *p = points + 4 * (3 * i + j);
      p[0] = sign.x * radii.x * along[j][1];
      p[1] = sign.y * radii.y * along[j][0] * along[i][0];
      p[2] = sign.z * radii.z * along[j][0] * along[i][1];
      p[3] = weights[i] * weights[j];
    }
  *patch = (clp_patch_def){.name = name,
                           .degree_u = 2,
                           .degree_v = 2,
                           .size_u = 3,
                           .size_v = 3,
                           .control_points = points,
                           .flip = sign.x * sign.y * sign.z < 0};
}

clp_status clp_haptic_shell(clp_body **shell)
{
  static const char *const names[PATCHES] = {"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"};
  double points[PATCHES][NET];
  clp_patch_def patches[PATCHES];
  for (int k = 0; k < PATCHES; ++k)
    fill_patch(&patches[k], points[k], names[k], k);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = PATCHES;
  return clp_body_create(&def, (clp_reporter){NULL, NULL}, shell);
}

/* ---- The differential equation ------------------------------------------------------------ */

static clp_vec3 get(const double *y)
{
  return (clp_vec3){y[0], y[1], y[2]};
}

static void put(double *y, clp_vec3 p)
{
  y[0] = p.x;
  y[1] = p.y;
  y[2] = p.z;
}

static clp_jet jet_at(const clp_haptic_loop *loop, const double *y)
{
  clp_site site = {{y[CLP_HAPTIC_WITNESS], y[CLP_HAPTIC_WITNESS + 1], 0}};
  return clp_surface_jet(&loop->shell->faces[loop->patch].surface, site);
}

static clp_vec3 normal_of(const clp_haptic_loop *loop, const clp_jet *jet)
{
  double outward = loop->shell->faces[loop->patch].surface.outward;
  return clp_scale(outward, clp_unit(clp_cross(jet->u, jet->v)));
}

static double push_of(const clp_haptic_loop *loop, double s)
{
  return loop->ready || loop->trusting ? loop->stiffness * fmax(0, -s) : 0;
}

static clp_vec3 pull_of(const double *y)
{
  clp_vec3 stretch = clp_sub(get(y + CLP_HAPTIC_DEVICE), get(y + CLP_HAPTIC_PROXY));
  clp_vec3 rate = clp_sub(get(y + CLP_HAPTIC_DEVICE + 3), get(y + CLP_HAPTIC_PROXY + 3));
  return clp_add_scaled(clp_scale(CLP_HAPTIC_COUPLER_STIFFNESS, stretch),
                        CLP_HAPTIC_COUPLER_DAMPING, rate);
}

/* Solves H x = -r, H being the Hessian of |f - p|^2 / 2 at the jet, r0 = f - p. */
static void newton(const clp_jet *jet, clp_vec3 r0, double r_u, double r_v, double x[2])
{
  double a = clp_dot(jet->u, jet->u) + clp_dot(r0, jet->uu);
  double b = clp_dot(jet->u, jet->v) + clp_dot(r0, jet->uv);
  double c = clp_dot(jet->v, jet->v) + clp_dot(r0, jet->vv);
  double det = a * c - b * b;
  x[0] = (b * r_v - c * r_u) / det;
  x[1] = (b * r_u - a * r_v) / det;
}

static clp_vec3 hand_at(const clp_haptic_loop *loop, double t)
{
  return loop->course ? loop->course(t) : loop->hand;
}

static void derive(const clp_haptic_loop *loop, double t, const double *y, double *rate)
{
  clp_vec3 x = get(y + CLP_HAPTIC_DEVICE), dx = get(y + CLP_HAPTIC_DEVICE + 3);
  clp_vec3 p = get(y + CLP_HAPTIC_PROXY), dp = get(y + CLP_HAPTIC_PROXY + 3);
  clp_vec3 held = clp_add_scaled(clp_scale(CLP_HAPTIC_HAND_STIFFNESS, clp_sub(hand_at(loop, t), x)),
                                 -CLP_HAPTIC_HAND_DAMPING, dx);
  clp_vec3 pull = pull_of(y);
  put(rate + CLP_HAPTIC_DEVICE, dx);
  put(rate + CLP_HAPTIC_DEVICE + 3, clp_scale(1 / CLP_HAPTIC_DEVICE_MASS, clp_sub(held, pull)));

  clp_jet jet = jet_at(loop, y);
  clp_vec3 r = clp_sub(jet.p, p), n = normal_of(loop, &jet);
  clp_vec3 force = clp_add_scaled(pull, push_of(loop, -clp_dot(n, r)), n);
  put(rate + CLP_HAPTIC_PROXY, dp);
  put(rate + CLP_HAPTIC_PROXY + 3, clp_scale(1 / CLP_HAPTIC_PROXY_MASS, force));

  clp_vec3 wanted = clp_scale(loop->gain, r);
  if (loop->feedforward)
    wanted = clp_sub(wanted, dp);
  newton(&jet, r, clp_dot(wanted, jet.u), clp_dot(wanted, jet.v), rate + CLP_HAPTIC_WITNESS);

  rate[CLP_HAPTIC_WORK] = clp_dot(pull, dx);
  rate[CLP_HAPTIC_LOST] = CLP_HAPTIC_COUPLER_DAMPING * clp_norm2(clp_sub(dx, dp));
}

/* ---- From patch to patch ------------------------------------------------------------------ */

/* What leads from a spot on a face to the place of its surface, continued beyond the face where
 * need be, that is nearest to p. */
static void approach(const clp_body *shell, clp_spot spot, clp_vec3 p, double x[2])
{
  enum { ITERATIONS = 6 };
  x[0] = x[1] = 0;
  for (int k = 0; k < ITERATIONS; ++k) {
    clp_site site = {{spot.site.c[0] + x[0], spot.site.c[1] + x[1], 0}};
    clp_jet jet = clp_surface_jet(&shell->faces[spot.id].surface, site);
    clp_vec3 r = clp_sub(jet.p, p);
    double more[2];
    newton(&jet, r, clp_dot(r, jet.u), clp_dot(r, jet.v), more);
    x[0] += more[0];
    x[1] += more[1];
  }
}

/* A step of the witness that may have led beyond its patch: there the surface's continuation is
 * known, and on the patches beyond the sides, two where it passes a corner, the nearest place to
 * that is where the witness goes on. */
static void cross(clp_haptic_loop *loop, const double *before)
{
  enum { AT_MOST = 4 };
  double *w = loop->y + CLP_HAPTIC_WITNESS;
  clp_spot spot = clp_spot_on_face(loop->patch, (clp_site){{before[0], before[1], 0}}), next;
  double x[2] = {w[0] - before[0], w[1] - before[1]};
  clp_vec3 there = jet_at(loop, loop->y).p;
  int side = -1;
  double part = clp_spot_fraction(loop->shell, spot, x, &side);
  for (int k = 0; side >= 0 && k < AT_MOST; ++k) {
    x[0] *= part;
    x[1] *= part;
    spot = clp_spot_move(loop->shell, spot, x, side);
    if (!clp_hop(loop->shell, spot, side, &next))
      break;
    spot = next;
    loop->crossings++;
    approach(loop->shell, spot, there, x);
    part = clp_spot_fraction(loop->shell, spot, x, &side);
  }
  spot = clp_spot_move(loop->shell, spot, x, -1);
  loop->patch = spot.id;
  w[0] = spot.site.c[0];
  w[1] = spot.site.c[1];
}

/* ---- Steps -------------------------------------------------------------------------------- */

void clp_haptic_step(clp_haptic_loop *loop)
{
  const clp_scheme *scheme = clp_integrator_scheme(loop->integrator);
  double t = loop->steps * loop->step, before[CLP_HAPTIC_STATES], rate[CLP_HAPTIC_STATES] = {0};
  memcpy(before, loop->y, sizeof before);
  for (int k = 0; k < scheme->stages; ++k) {
    double at[CLP_HAPTIC_STATES], ahead = scheme->node[k] * loop->step;
    for (int i = 0; i < CLP_HAPTIC_STATES; ++i)
      at[i] = before[i] + ahead * rate[i];
    derive(loop, t + ahead, at, rate);
    for (int i = 0; i < CLP_HAPTIC_STATES; ++i)
      loop->y[i] += loop->step * scheme->weight[k] * rate[i];
  }
  loop->steps++;
  const double *w = loop->y + CLP_HAPTIC_WITNESS;
  if (!clp_walk_inside(&loop->shell->faces[loop->patch].domain, (clp_site){{w[0], w[1], 0}})) {
    double s = clp_haptic_measure(loop).s;
    cross(loop, before + CLP_HAPTIC_WITNESS);
    loop->crossing_gap = fmax(loop->crossing_gap, fabs(clp_haptic_measure(loop).s - s));
  }
  loop->ready = loop->ready || clp_haptic_measure(loop).error < CLP_HAPTIC_ARRIVED;
}

clp_haptic_state clp_haptic_measure(const clp_haptic_loop *loop)
{
  const double *y = loop->y;
  clp_jet jet = jet_at(loop, y);
  clp_haptic_state state = {.hand = hand_at(loop, loop->steps * loop->step),
                            .device = get(y + CLP_HAPTIC_DEVICE),
                            .proxy = get(y + CLP_HAPTIC_PROXY),
                            .witness = jet.p,
                            .normal = normal_of(loop, &jet),
                            .pull = pull_of(y)};
  clp_vec3 r = clp_sub(state.proxy, jet.p), rate = get(y + CLP_HAPTIC_PROXY + 3);
  state.s = clp_dot(state.normal, r);
  state.push = push_of(loop, state.s);
  state.error = clp_norm(clp_add_scaled(r, -state.s, state.normal));
  double stretch = clp_distance(state.device, state.proxy);
  state.stored =
      0.5 * (CLP_HAPTIC_PROXY_MASS * clp_norm2(rate) +
             CLP_HAPTIC_COUPLER_STIFFNESS * stretch * stretch + state.push * fmax(0, -state.s));
  state.created = state.stored + y[CLP_HAPTIC_LOST] - y[CLP_HAPTIC_WORK];
  return state;
}

/* ---- Beginnings --------------------------------------------------------------------------- */

clp_haptic_loop clp_haptic_begin(const clp_body *shell, clp_vec3 (*course)(double t), clp_vec3 hand,
                                 double stiffness)
{
  clp_haptic_loop loop = {.shell = shell,
                          .course = course,
                          .hand = hand,
                          .integrator = CLP_INTEGRATOR_RK2,
                          .step = 1e-3,
                          .stiffness = stiffness,
                          .gain = 1000,
                          .feedforward = true};
  clp_vec3 start = hand_at(&loop, 0);
  loop.patch = (uint32_t)((start.x < 0) + 2 * (start.y < 0) + 4 * (start.z < 0));
  loop.y[CLP_HAPTIC_WITNESS] = loop.y[CLP_HAPTIC_WITNESS + 1] = 0.5;
  put(loop.y + CLP_HAPTIC_DEVICE, start);
  put(loop.y + CLP_HAPTIC_PROXY, start);
  return loop;
}

double clp_haptic_press(clp_haptic_loop *loop, uint32_t patch, double u, double v, double depth)
{
  double soft = 1 / CLP_HAPTIC_HAND_STIFFNESS, middle = 1 / CLP_HAPTIC_COUPLER_STIFFNESS;
  double force = depth / (soft + middle + 1 / loop->stiffness);
  memset(loop->y, 0, sizeof loop->y);
  loop->patch = patch;
  loop->y[CLP_HAPTIC_WITNESS] = u;
  loop->y[CLP_HAPTIC_WITNESS + 1] = v;
  clp_jet jet = jet_at(loop, loop->y);
  clp_vec3 n = normal_of(loop, &jet);
  loop->course = NULL;
  loop->ready = true;
  loop->hand = clp_add_scaled(jet.p, -depth, n);
  put(loop->y + CLP_HAPTIC_DEVICE, clp_add_scaled(loop->hand, force * soft, n));
  put(loop->y + CLP_HAPTIC_PROXY, clp_add_scaled(jet.p, -force / loop->stiffness, n));
  return force;
}

/* ---- The predicted limit ------------------------------------------------------------------ */

enum { N = 4 };

typedef struct matrix {
  double e[N][N];
} matrix;

static matrix scalar(double s)
{
  matrix m = {{{0}}};
  for (int i = 0; i < N; ++i)
    m.e[i][i] = s;
  return m;
}

static matrix plus(matrix a, double s, const matrix *b)
{
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      a.e[i][j] += s * b->e[i][j];
  return a;
}

static matrix times(const matrix *a, const matrix *b)
{
  matrix c = scalar(0);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k)
        c.e[i][j] += a->e[i][k] * b->e[k][j];
  return c;
}

/* The integrator on dy/dt = A y from the unit matrix. */
static matrix step_matrix(const clp_scheme *scheme, const matrix *a, double h)
{
  matrix map = scalar(1), rate = scalar(0);
  for (int k = 0; k < scheme->stages; ++k) {
    matrix at = plus(scalar(1), h * scheme->node[k], &rate);
    rate = times(a, &at);
    map = plus(map, h * scheme->weight[k], &rate);
  }
  return map;
}

/* The characteristic polynomial c[0] + c[1] z + ... + z^N, by Faddeev and LeVerrier. */
static void characteristic(const matrix *a, double c[N + 1])
{
  matrix product = scalar(0), unit = scalar(1);
  c[N] = 1;
  for (int k = 1; k <= N; ++k) {
    matrix m = plus(product, c[N - k + 1], &unit);
    product = times(a, &m);
    c[N - k] = 0;
    for (int i = 0; i < N; ++i)
      c[N - k] -= product.e[i][i] / k;
  }
}

/* Whether all roots lie inside the unit circle, by Schur and Cohn: |c0| < |cn|, and the polynomial
 * (cn p(z) - c0 z^n p(1/z)) / z, of one degree less, has them there, too. */
static bool all_inside(double c[N + 1])
{
  for (int n = N; n > 0; --n) {
    if (!(fabs(c[0]) < fabs(c[n])))
      return false;
    double next[N + 1] = {0};
    for (int i = 0; i < n; ++i)
      next[i] = (c[n] * c[i + 1] - c[0] * c[n - 1 - i]) / c[n];
    memcpy(c, next, sizeof next);
  }
  return true;
}

static bool is_stable(const clp_scheme *scheme, double step, double k)
{
  const double M = CLP_HAPTIC_DEVICE_MASS, m = CLP_HAPTIC_PROXY_MASS;
  const double hand = CLP_HAPTIC_HAND_STIFFNESS, stiff = CLP_HAPTIC_COUPLER_STIFFNESS;
  const double slow = CLP_HAPTIC_HAND_DAMPING, damp = CLP_HAPTIC_COUPLER_DAMPING;
  const matrix a = {{{0, 1, 0, 0},
                     {-(hand + stiff) / M, -(slow + damp) / M, stiff / M, damp / M},
                     {0, 0, 0, 1},
                     {stiff / m, damp / m, -(stiff + k) / m, -damp / m}}};
  matrix map = step_matrix(scheme, &a, step);
  double c[N + 1];
  characteristic(&map, c);
  return all_inside(c);
}

double clp_haptic_predicted_limit(clp_integrator integrator, double step)
{
  const clp_scheme *scheme = clp_integrator_scheme(integrator);
  double lo = 1, hi = 1;
  while (is_stable(scheme, step, hi))
    hi *= 1.05;
  lo = hi / 1.05;
  for (int i = 0; i < 50; ++i) {
    double middle = 0.5 * (lo + hi);
    *(is_stable(scheme, step, middle) ? &lo : &hi) = middle;
  }
  return 0.5 * (lo + hi);
}
