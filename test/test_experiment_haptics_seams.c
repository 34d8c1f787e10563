/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "papers/haptic_loop.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/experiment.h"

/* ---- The session again, without patches and without a tracker ----------------------------- */

/* The nearest point of the ellipsoid |q_i / r_i| = 1 is q_i = r_i^2 p_i / (r_i^2 + t) with t from
 * sum (r_i p_i / (r_i^2 + t))^2 = 1. That sum falls and is convex, and at the start one of its
 * terms is 1 already: Newton comes from below. t has the distance's sign. Eighths of ellipsoids
 * that share normals in the coordinate planes have their nearest points in p's own octant. */
static clp_vec3 nearest(clp_vec3 p, double *t)
{
  clp_vec3 r = clp_haptic_radii_at(p);
  const double radii[3] = {r.x, r.y, r.z}, at[3] = {p.x, p.y, p.z};
  double q[3] = {0, 0, 0};
  *t = -HUGE_VAL;
  for (int i = 0; i < 3; ++i)
    *t = fmax(*t, radii[i] * fabs(at[i]) - radii[i] * radii[i]);
  for (int k = 0; k < 50; ++k) {
    double value = -1, slope = 0;
    for (int i = 0; i < 3; ++i) {
      double square = radii[i] * radii[i], below = square + *t, part = radii[i] * at[i] / below;
      q[i] = square * at[i] / below;
      value += part * part;
      slope -= 2 * part * part / below;
    }
    if (!(value > 1e-14))
      break;
    *t -= value / slope;
  }
  return (clp_vec3){q[0], q[1], q[2]};
}

static double smooth_step(double t, double from, double to)
{
  double s = t <= from ? 0 : t >= to ? 1 : (t - from) / (to - from);
  return 3 * s * s - 2 * s * s * s;
}

static clp_vec3 hand(double t)
{
  double s = smooth_step(t, 0.9, 1.9);
  return (clp_vec3){0.06 - 0.12 * s, -0.035 + 0.065 * s,
                    0.1 - 0.05 * smooth_step(t, 0.2, 0.7) + 0.05 * smooth_step(t, 2.0, 2.4)};
}

typedef struct plain_state {
  clp_vec3 x, dx, p, dp;
} plain_state;

static double push_at(clp_vec3 p, clp_vec3 *force)
{
  double t;
  clp_vec3 q = nearest(p, &t);
  double push = t < 0 ? 10000 * clp_distance(q, p) : 0;
  *force = push > 0 ? clp_scale(10000, clp_sub(q, p)) : (clp_vec3){0, 0, 0};
  return push;
}

static plain_state rate_of(double time, const plain_state *s)
{
  clp_vec3 pull =
      clp_add(clp_scale(1000, clp_sub(s->x, s->p)), clp_scale(8, clp_sub(s->dx, s->dp)));
  clp_vec3 held = clp_sub(clp_scale(150, clp_sub(hand(time), s->x)), clp_scale(3.5, s->dx)), push;
  push_at(s->p, &push);
  return (plain_state){s->dx, clp_scale(1 / 0.5, clp_sub(held, pull)), s->dp,
                       clp_scale(1 / 0.05, clp_add(pull, push))};
}

static plain_state ahead(const plain_state *s, double h, const plain_state *rate)
{
  return (plain_state){clp_add_scaled(s->x, h, rate->x), clp_add_scaled(s->dx, h, rate->dx),
                       clp_add_scaled(s->p, h, rate->p), clp_add_scaled(s->dp, h, rate->dp)};
}

/* One step of Kutta's rule. */
static plain_state plain_step(double time, plain_state s, double h)
{
  plain_state a = rate_of(time, &s), at = ahead(&s, h / 2, &a);
  plain_state b = rate_of(time + h / 2, &at);
  at = ahead(&s, h / 2, &b);
  plain_state c = rate_of(time + h / 2, &at);
  at = ahead(&s, h, &c);
  plain_state d = rate_of(time + h, &at);
  s = ahead(&s, h / 6, &a);
  s = ahead(&s, h / 3, &b);
  s = ahead(&s, h / 3, &c);
  return ahead(&s, h / 6, &d);
}

static clp_vec3 point_of(const clp_series *series, int k, const char *x, const char *y,
                         const char *z)
{
  return (clp_vec3){clp_series_at(series, k, x), clp_series_at(series, k, y),
                    clp_series_at(series, k, z)};
}

EXPERIMENT("haptics-seams");

/* Ten times smaller steps of a better rule and closed forms of the distance: what is left is the
 * midpoint rule's error at 1 kHz, largest after the impact. */
TEST(test_reference)
{
  enum { FINE = 10 };
  const clp_series *session = the_series("session");
  ck_assert_int_eq(session->count, 2501);
  plain_state s = {hand(0), {0, 0, 0}, hand(0), {0, 0, 0}};
  double worst = 0, late = 0, apart = 0;
  for (int k = 0; k < session->count; ++k) {
    clp_vec3 unused;
    double push = push_at(s.p, &unused);
    double off = fabs(clp_series_at(session, k, "push") - push);
    worst = fmax(worst, off);
    late = k > 800 && k < 2050 ? fmax(late, off) : late;
    apart = fmax(apart, clp_distance(s.p, point_of(session, k, "px", "py", "pz")));
    for (int i = 0; i < FINE; ++i)
      s = plain_step(1e-3 * (k + (double)i / FINE), s, 1e-3 / FINE);
  }
  ck_assert_double_lt(worst, 0.5);
  ck_assert_double_lt(late, 2e-3);
  ck_assert_double_lt(apart, 1e-4);
}

/* ---- Distances ---------------------------------------------------------------------------- */

TEST(test_distance)
{
  const clp_series *session = the_series("session");
  clp_body *shell = NULL, *probe = NULL;
  clp_pair *pair = NULL;
  clp_body_def point = clp_default_body_def(CLP_SHAPE_POINT);
  ck_assert_int_eq(clp_haptic_shell(&shell), CLP_OK);
  ck_assert_int_eq(clp_body_create(&point, (clp_reporter){NULL, NULL}, &probe), CLP_OK);
  ck_assert_int_eq(clp_pair_create(shell, probe, NULL, &pair), CLP_OK);
  clp_pose X_WA = clp_pose_identity(), X_WP = X_WA;
  for (int k = 50; k < session->count; k += 50) {
    X_WP.position = point_of(session, k, "px", "py", "pz");
    clp_answer answer = clp_pair_query(pair, &X_WA, &X_WP);
    double t;
    clp_vec3 q = nearest(X_WP.position, &t);
    double s = 1e-3 * clp_series_at(session, k, "distance");
    ck_assert_int_eq(answer.status, s < 0 ? CLP_PENETRATING : CLP_TRACKING);
    ck_assert_double_eq_tol(answer.distance, s, 1e-9);
    ck_assert_double_eq_tol(copysign(clp_distance(q, X_WP.position), t), s, 1e-9);
    ck_assert_double_lt(clp_distance(q, point_of(session, k, "fx", "fy", "fz")), 1e-6);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(probe);
  clp_body_destroy(shell);
}

/* Where a seam is crossed at the speed v the curvature jumps by no more than 4.5 / m, the second
 * derivative of the depth therefore by no more than 4.5 v^2, and that is all: the force has neither
 * a step nor a corner. */
TEST(test_seams)
{
  const clp_series *session = the_series("session");
  int crossed = 0;
  for (int k = 900; k < 2000; ++k) {
    if (strcmp(session->texts[k], session->texts[k - 1]) == 0)
      continue;
    crossed++;
    double way = clp_distance(point_of(session, k, "px", "py", "pz"),
                              point_of(session, k - 1, "px", "py", "pz"));
    ck_assert_double_gt(way, 1e-4);
    for (int i = k - 3; i <= k + 3; ++i) {
      double t;
      clp_vec3 q = nearest(point_of(session, i, "px", "py", "pz"), &t);
      ck_assert_double_lt(clp_distance(q, point_of(session, i, "fx", "fy", "fz")), 1e-6);
      double bend = clp_series_at(session, i - 1, "push") - 2 * clp_series_at(session, i, "push") +
                    clp_series_at(session, i + 1, "push");
      ck_assert_double_lt(fabs(bend), 1.5 * 10000 * 4.5 * way * way);
    }
  }
  ck_assert_int_eq(crossed, 2);
  ck_assert_double_lt(clp_series_at(session, 900, "px") * clp_series_at(session, 2000, "px"), 0);
  ck_assert_double_lt(clp_series_at(session, 900, "py") * clp_series_at(session, 2000, "py"), 0);
}

/* ---- Energy ------------------------------------------------------------------------------- */

static clp_vec3 rate_at(const clp_haptic_loop *loop, int of)
{
  return (clp_vec3){loop->y[of + 3], loop->y[of + 4], loop->y[of + 5]};
}

/* Work and losses summed by trapezoids from what is seen from outside. */
TEST(test_energy)
{
  clp_body *shell = NULL;
  ck_assert_int_eq(clp_haptic_shell(&shell), CLP_OK);
  clp_haptic_loop loop = clp_haptic_begin(shell, hand, (clp_vec3){0, 0, 0}, 10000);
  loop.step = 1e-4;
  double work = 0, lost = 0, power = 0, heat = 0, most = 0;
  for (int k = 0; k < 25000; ++k) {
    clp_haptic_step(&loop);
    clp_haptic_state state = clp_haptic_measure(&loop);
    clp_vec3 dx = rate_at(&loop, CLP_HAPTIC_DEVICE), dp = rate_at(&loop, CLP_HAPTIC_PROXY);
    double now = clp_dot(state.pull, dx), heated = 8 * clp_norm2(clp_sub(dx, dp));
    work += 0.5e-4 * (power + now);
    lost += 0.5e-4 * (heat + heated);
    power = now;
    heat = heated;
    double depth = fmax(0, -state.s), stretch = clp_distance(state.device, state.proxy);
    double stored = 0.5 * (0.05 * clp_norm2(dp) + 1000 * stretch * stretch + 1e4 * depth * depth);
    ck_assert_double_eq_tol(state.stored, stored, 1e-12);
    ck_assert_double_eq_tol(work, stored + lost, 2e-6);
    ck_assert_double_ge(work, -1e-9);
    most = fmax(most, work);
  }
  ck_assert_double_gt(most, 5e-3);
  ck_assert_double_eq_tol(work, loop.y[CLP_HAPTIC_WORK], 2e-6);
  ck_assert_double_eq_tol(lost, loop.y[CLP_HAPTIC_LOST], 2e-6);
  clp_body_destroy(shell);
}

/* ---- At rest and at the limit ------------------------------------------------------------- */

/* Pressed anywhere, device and proxy stay where three springs in a row put them. */
TEST(test_press)
{
  clp_body *shell = NULL;
  ck_assert_int_eq(clp_haptic_shell(&shell), CLP_OK);
  for (uint32_t patch = 0; patch < 8; ++patch) {
    clp_haptic_loop loop = clp_haptic_begin(shell, NULL, (clp_vec3){0, 0, 0.1}, 5000);
    double force = clp_haptic_press(&loop, patch, 0.3 + 0.05 * patch, 0.6 - 0.05 * patch, 0.01);
    ck_assert_double_eq_tol(force * (1.0 / 150 + 1.0 / 1000 + 1.0 / 5000), 0.01, 1e-15);
    for (int k = 0; k < 2000; ++k)
      clp_haptic_step(&loop);
    clp_haptic_state state = clp_haptic_measure(&loop);
    ck_assert_double_eq_tol(-state.s, force / 5000, 1e-12);
    ck_assert_double_eq_tol(clp_norm(state.pull), force, 1e-9);
    clp_vec3 r = clp_haptic_radii_at(state.witness), w = state.witness;
    ck_assert_double_eq_tol(
        w.x * w.x / (r.x * r.x) + w.y * w.y / (r.y * r.y) + w.z * w.z / (r.z * r.z), 1, 1e-12);
    ck_assert_double_gt(clp_dot(state.normal, w), 0);
  }
  clp_body_destroy(shell);
}

/* Device and proxy on a line in front of a plane, by the midpoint rule. */
static double grown(double k)
{
  double y[4] = {0, 0, 0, 1}, late[2] = {0, 0};
  for (int n = 0; n < 40000; ++n) {
    double at[4], rate[4] = {0, 0, 0, 0};
    for (int stage = 0; stage < 2; ++stage) {
      for (int i = 0; i < 4; ++i)
        at[i] = y[i] + (stage == 0 ? 0 : 0.5e-3 * rate[i]);
      double pull = 1000 * (at[0] - at[2]) + 8 * (at[1] - at[3]);
      rate[0] = at[1];
      rate[1] = (-150 * at[0] - 3.5 * at[1] - pull) / 0.5;
      rate[2] = at[3];
      rate[3] = (pull - k * at[2]) / 0.05;
    }
    for (int i = 0; i < 4; ++i)
      y[i] += 1e-3 * rate[i];
    if (n >= 20000)
      late[n >= 30000] += y[3] * y[3];
  }
  return late[1] / late[0];
}

TEST(test_limit)
{
  double limit = clp_haptic_predicted_limit(CLP_INTEGRATOR_RK2, 1e-3);
  ck_assert_double_lt(grown(0.9995 * limit), 1);
  ck_assert_double_gt(grown(1.0005 * limit), 1);
  ck_assert_double_eq_tol(the_row("stiffest stable shell at 1 kHz, midpoint")->value / limit, 1,
                          1e-4);
  const clp_series *below = the_series("below"), *above = the_series("above");
  double swings[2] = {0, 0};
  for (int k = 900; k < below->count; ++k) {
    swings[0] = fmax(swings[0],
                     fabs(clp_series_at(below, k, "push") - clp_series_at(below, k - 1, "push")));
    swings[1] = fmax(swings[1],
                     fabs(clp_series_at(above, k, "push") - clp_series_at(above, k - 1, "push")));
  }
  ck_assert_double_lt(swings[0], 0.1);
  ck_assert_double_gt(swings[1], 1);
}

TEST(test_rows)
{
  ck_assert_double_eq_tol(the_row("dynamics and closest point")->value, 2, 0.1);
  ck_assert_double_eq_tol(the_row("steps to recover")->value, 10, 1);
  ck_assert_double_lt(the_row("integration steps")->value, 1e-6);
  ck_assert_double_lt(the_row("reaction force")->value, 1e-4);
  expect_verdict("force from a wrong start", CLP_VERDICT_DIFFERS);
  ck_assert_double_gt(the_row("force from a wrong start")->value, 100);
  double force = 0.02 / (1.0 / 150 + 1.0 / 1000 + 1.0 / 10000);
  ck_assert_double_eq_tol(the_row("penetration at rest")->value, force / 10000, 1e-10);
}
