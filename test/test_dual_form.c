/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of splines and their tangent planes in a frame, against what they stand for in wide
 * numbers; with poles on every side. */

#include "rclc_closest_point/surface/dual_form.h"

#include "support/gauged.h"
#include "support/suite.h"

typedef struct fixture {
  patch p;
  clp_gauge gauge;
  clp_face_span span;
  clp_dual_form form;
} fixture;

/* Seen from well below the sheets of gauged_net. */
static void set_up(fixture *f, random_state *g, const net *m)
{
  f->p = patch_of_net(m);
  f->gauge = gauge_random(g, (clp_vec3){3.5, 1.2, -4}, 0.3);
  ck_assert(clp_face_span_at(&f->p.surface.as.nurbs, &f->p.domain, 0, &f->span));
  ck_assert(clp_dual_form_create(&f->form, m->degree_u, m->degree_v));
}

static void tear_down(fixture *f)
{
  clp_dual_form_destroy(&f->form);
  patch_free(&f->p);
}

static const clp_cell whole = {.u1 = 1, .v1 = 1};

/* ---- One place ---------------------------------------------------------------------------- */

/* The jet by the form's u and v. */
static gauged_jet jet_at(const fixture *f, const clp_cell *piece, double u, double v)
{
  double s = f->form.transposed ? (f->form.reversed ? 1 - v : v) : u;
  double t = f->form.transposed ? u : (f->form.reversed ? 1 - v : v);
  double su = s, sv = t;
  clp_dual_form_turn(&f->form, &su, &sv);
  ck_assert_double_eq_tol(su, u, 1e-15);
  ck_assert_double_eq_tol(sv, v, 1e-15);
  gauged_jet j = gauged_at(&f->span, piece, &f->gauge, s, t), r = j;
  if (f->form.transposed)
    r = (gauged_jet){j.p, j.v, j.u, j.vv, j.uv, j.uu};
  if (f->form.reversed) {
    r.v = wide3_scale(-1, r.v);
    r.uv = wide3_scale(-1, r.uv);
  }
  wide3 own = wide3_cross(j.u, j.v), here = wide3_cross(r.u, r.v);
  ck_assert(f->form.turned * wide3_dot(own, here) >= 0);
  return r;
}

/* Weights are only wanted up to a power of two: the form's own. */
static double weight_of(const clp_dual_form *form, double u, double v)
{
  double weights[CLP_DUAL_POINTS];
  const clp_bernstein *x = &form->second.jet[CLP_P][3];
  for (size_t k = 0; k < clp_bernstein_count(x->du, x->dv); ++k)
    weights[k] = form->net[4 * k + 3];
  return clp_bernstein_value(&(clp_bernstein){x->du, x->dv, weights}, u, v);
}

static void expect_value(const clp_bernstein *b, double u, double v, clp_wide expected,
                         double noise, double slack)
{
  double got = clp_bernstein_value(b, u, v);
  double off = fabs((double)(got - expected));
  ck_assert_msg(off <= noise + slack + 1e-18, "%.17g instead of %.17Lg: off by %.3g, noise %.3g",
                got, expected, off, noise);
}

/* Evaluation rounds values of this size. */
static double largest(const clp_bernstein *b)
{
  clp_range r = clp_bernstein_range(b);
  return 1e-14 * fmax(r.max, -r.min);
}

static void check_plane(const fixture *f, const clp_cell *piece, double u, double v)
{
  const clp_dual_form *form = &f->form;
  gauged_jet j = jet_at(f, piece, u, v);
  clp_wide over = 1;
  if (form->pole != CLP_POLE_NONE && v == 0)
    j.u = j.uv; /* Su / v */
  else if (form->pole != CLP_POLE_NONE)
    over = v;
  clp_wide w = weight_of(form, u, v), size = form->scale;
  wide3 n = wide3_scale(w * w * w / (size * size) / over, wide3_cross(j.u, j.v));
  const clp_wide lanes[3] = {n.x, n.y, n.z};
  clp_vec3 got;
  for (int lane = 0; lane < 3; ++lane) {
    const clp_bernstein *b = &form->normal[lane];
    expect_value(b, u, v, lanes[lane], form->noise_normal, largest(b));
    (lane == 0 ? &got.x : lane == 1 ? &got.y : &got.z)[0] = clp_bernstein_value(b, u, v);
  }
  clp_wide d = wide3_dot(n, j.p);
  expect_value(&form->plane, u, v, d, form->noise_plane, largest(&form->plane));
  wide3 dual = wide3_scale(1 / d, n);
  wide3 off =
      wide3_add(wide3_scale(1 / clp_bernstein_value(&form->plane, u, v), wide3_of(got)), -1, dual);
  ck_assert_double_le((double)(wide3_norm(off) / wide3_norm(dual)), 1e-11);
  ck_assert_double_le((double)wide3_norm(j.p), form->reach * (1 + 1e-14));
  ck_assert_double_le((double)w, form->weight * (1 + 1e-14));
  ck_assert_double_le((double)(wide3_norm(j.u) / over / size), form->speed_u * (1 + 1e-12));
  ck_assert_double_le((double)(wide3_norm(j.v) / size), form->speed_v * (1 + 1e-12));
}

/* l' = l / v^2 and so on; not at the pole itself, where what is rounded is divided by 0. */
static void check_bend(const fixture *f, const clp_cell *piece, double u, double v)
{
  const clp_dual_form *form = &f->form;
  gauged_jet j = jet_at(f, piece, u, v);
  clp_wide w = weight_of(form, u, v), size = form->scale;
  clp_wide factor = w * w * w * w / (size * size * size), r = form->pole == CLP_POLE_NONE ? 1 : v;
  wide3 n = wide3_cross(j.u, j.v);
  clp_wide l = factor * wide3_dot(n, j.uu) / (r * r), m = factor * wide3_dot(n, j.uv) / (r * r);
  clp_wide k = factor * wide3_dot(n, j.vv) / r;
  if (form->pole == CLP_POLE_SMOOTH)
    l /= r;
  expect_value(&form->l, u, v, l, form->noise_l, largest(&form->l));
  expect_value(&form->m, u, v, m, form->noise_m, largest(&form->m));
  expect_value(&form->k, u, v, k, form->noise_k, largest(&form->k));
}

static void check_everywhere(fixture *f, random_state *g, const clp_cell *piece)
{
  clp_dual_form_set(&f->form, &f->span, piece, &f->gauge, true);
  for (int k = 0; k < 12; ++k) {
    double u = random_between(g, 0, 1), v = random_between(g, 0.1, 1);
    check_plane(f, piece, u, v);
    check_bend(f, piece, u, v);
  }
  for (int k = 0; k < 4; ++k)
    check_plane(f, piece, k % 2, k / 2);
  check_plane(f, piece, 0.37, 0);
  /* Noise is not much: of most of the form's digits nothing is lost. */
  ck_assert_double_le(f->form.noise_plane, 1e-2 * 1e14 * largest(&f->form.plane));
}

/* Along a side's growing parameter. */
static void check_sides(const fixture *f)
{
  const clp_dual_form *form = &f->form;
  const clp_bernstein *forms[2] = {&form->normal[1], &form->plane};
  for (int side = 0; side < 4; ++side)
    for (int which = 0; which < 2; ++which) {
      double row[3 * CLP_MAX_DEGREE + 1];
      int degree = clp_dual_form_side(form, forms[which], side, row);
      const clp_bernstein along = {degree, 0, row};
      for (int k = 0; k <= 4; ++k) {
        double x = 0.25 * k, high = side % 2;
        double s = side < 2 ? high : x, t = side < 2 ? x : high;
        clp_dual_form_turn(form, &s, &t);
        ck_assert_double_eq_tol(clp_bernstein_value(&along, x, 0),
                                clp_bernstein_value(forms[which], s, t), largest(forms[which]));
      }
    }
}

/* ---- Pieces without and with poles -------------------------------------------------------- */

SUITE("dual_form");

TEST_CASE("forms", 20);

TEST(plain_pieces)
{
  random_state g = {91};
  for (int du = 1; du <= 4; ++du)
    for (int dv = 1; dv <= 4; ++dv) {
      net m = gauged_net(&g, du, dv);
      fixture f;
      set_up(&f, &g, &m);
      const clp_cell part = {.u0 = 0.2, .u1 = 0.7, .v0 = 0.55, .v1 = 0.6};
      check_everywhere(&f, &g, &whole);
      ck_assert_int_eq(f.form.pole, CLP_POLE_NONE);
      ck_assert(f.form.turned == 1);
      check_sides(&f);
      check_everywhere(&f, &g, &part);
      tear_down(&f);
    }
}

TEST(the_highest_degree)
{
  random_state g = {92};
  net m = gauged_net(&g, CLP_MAX_DEGREE, CLP_MAX_DEGREE);
  fixture f;
  set_up(&f, &g, &m);
  check_everywhere(&f, &g, &whole);
  tear_down(&f);
}

TEST(poles_on_every_side)
{
  random_state g = {93};
  for (int side = 0; side < 4; ++side)
    for (int degree = 2; degree <= 4; ++degree)
      for (int smooth = 0; smooth < 2; ++smooth) {
        net m = gauged_net(&g, degree, 6 - degree);
        net_collapse(&g, &m, side, smooth);
        fixture f;
        set_up(&f, &g, &m);
        check_everywhere(&f, &g, &whole);
        ck_assert_int_eq(f.form.pole, smooth ? CLP_POLE_SMOOTH : CLP_POLE_POINTED);
        ck_assert(f.form.transposed == (side == CLP_SIDE_U0 || side == CLP_SIDE_U1));
        ck_assert(f.form.reversed == (side == CLP_SIDE_U1 || side == CLP_SIDE_V1));
        ck_assert_double_le(f.form.kink, 1e-12);
        check_sides(&f);
        const clp_cell part = {.u0 = side == CLP_SIDE_U0 ? 0 : 0.4,
                               .u1 = side == CLP_SIDE_U1 ? 1 : 0.8,
                               .v0 = side == CLP_SIDE_V0 ? 0 : 0.1,
                               .v1 = side == CLP_SIDE_V1 ? 1 : 0.7};
        check_everywhere(&f, &g, &part);
        ck_assert_int_ne(f.form.pole, CLP_POLE_NONE);
        const clp_cell away = {.u0 = 0.3, .u1 = 0.9, .v0 = 0.2, .v1 = 0.9};
        check_everywhere(&f, &g, &away);
        ck_assert_int_eq(f.form.pole, CLP_POLE_NONE);
        tear_down(&f);
      }
}

/* One unit in the last place is a pole, and its hole is told; more is none. */
TEST(poles_that_are_not_quite_one_point)
{
  random_state g = {94};
  for (int close = 0; close < 2; ++close) {
    net m = gauged_net(&g, 3, 3);
    net_collapse(&g, &m, CLP_SIDE_V0, false);
    double moved = close ? 4e-15 : 1e-10;
    m.points[4][0] += moved;
    fixture f;
    set_up(&f, &g, &m);
    clp_dual_form_set(&f.form, &f.span, &whole, &f.gauge, true);
    ck_assert_int_eq(f.form.pole, close ? CLP_POLE_POINTED : CLP_POLE_NONE);
    if (close) {
      ck_assert_double_ge(f.form.hole, 0.5 * moved * clp_norm(f.gauge.to.x));
      ck_assert_double_le(f.form.hole, 2 * moved * clp_norm(f.gauge.to.x));
    }
    tear_down(&f);
  }
}

/* ---- Weights ------------------------------------------------------------------------------ */

TEST(common_weights_change_nothing)
{
  random_state g = {95};
  const double factors[] = {0x1p-300, 0x1p300, 0x1p-900, 0x1p700};
  for (int k = 0; k < 4; ++k) {
    net m = gauged_net(&g, 3, 2), n;
    net_collapse(&g, &m, CLP_SIDE_U1, k % 2);
    n = m;
    for (int i = 0; i < net_size(&n); ++i)
      n.points[i][3] *= factors[k];
    random_state same = g;
    fixture f, h;
    set_up(&f, &g, &m);
    set_up(&h, &same, &n);
    clp_dual_form_set(&f.form, &f.span, &whole, &f.gauge, true);
    clp_dual_form_set(&h.form, &h.span, &whole, &h.gauge, true);
    ck_assert_int_eq(f.form.pole, h.form.pole);
    ck_assert(f.form.speed_u == h.form.speed_u && f.form.scale == h.form.scale);
    const clp_bernstein *a[] = {&f.form.normal[0], &f.form.plane, &f.form.l, &f.form.m, &f.form.k};
    const clp_bernstein *b[] = {&h.form.normal[0], &h.form.plane, &h.form.l, &h.form.m, &h.form.k};
    for (int i = 0; i < 5; ++i)
      ck_assert_mem_eq(a[i]->c, b[i]->c, clp_bernstein_count(a[i]->du, a[i]->dv) * sizeof(double));
    check_everywhere(&h, &g, &whole);
    tear_down(&f);
    tear_down(&h);
  }
}

/* ---- The pieces of a span ----------------------------------------------------------------- */

TEST_CASE("pieces", 20);

TEST(spans_with_two_poles_are_cut)
{
  random_state g = {97};
  for (int along_v = 0; along_v < 2; ++along_v) {
    net m = gauged_net(&g, 3, 3);
    for (int k = 0; k < net_size(&m); ++k)
      m.points[k][3] = 1;
    net_collapse(&g, &m, along_v ? CLP_SIDE_V0 : CLP_SIDE_U0, false);
    net_collapse(&g, &m, along_v ? CLP_SIDE_V1 : CLP_SIDE_U1, true);
    fixture f;
    set_up(&f, &g, &m);
    clp_cell pieces[CLP_DUAL_PIECES];
    int count = clp_dual_pieces(&f.span, &f.gauge, pieces);
    ck_assert_int_eq(count, 2);
    cells_expect_cover(&f.span.cell, pieces, count);
    ck_assert((along_v ? pieces[0].v1 - pieces[0].v0 : pieces[0].u1 - pieces[0].u0) == 0.5);
    for (int k = 0; k < count; ++k) {
      check_everywhere(&f, &g, &pieces[k]);
      ck_assert_int_ne(f.form.pole, CLP_POLE_NONE);
    }
    tear_down(&f);
  }
}

TEST(unlike_weights_are_cut)
{
  random_state g = {98};
  for (int round = 0; round < 6; ++round) {
    net m = gauged_net(&g, 2 + round % 3, 3);
    for (int k = 0; k < net_size(&m); ++k)
      m.points[k][3] = pow(10, random_between(&g, -0.8, 0.8));
    fixture f;
    set_up(&f, &g, &m);
    f.p.domain.hi[0] = 0.8; /* a face may cover a part only */
    f.p.domain.lo[1] = 0.1;
    ck_assert(clp_face_span_at(&f.p.surface.as.nurbs, &f.p.domain, 0, &f.span));
    clp_cell pieces[CLP_DUAL_PIECES];
    int count = clp_dual_pieces(&f.span, &f.gauge, pieces);
    ck_assert_int_ge(count, 4);
    ck_assert_int_lt(count, CLP_DUAL_PIECES);
    cells_expect_cover(&f.span.cell, pieces, count);
    for (int k = 0; k < count; ++k) {
      double ends[3] = {gauged_weight(&f.span, &pieces[k], 0, 0),
                        gauged_weight(&f.span, &pieces[k], 1, 0),
                        gauged_weight(&f.span, &pieces[k], 0, 1)};
      ck_assert_double_le(fmax(ends[0], ends[1]), 2 * fmin(ends[0], ends[1]) * (1 + 1e-12));
      ck_assert_double_le(fmax(ends[0], ends[2]), 2 * fmin(ends[0], ends[2]) * (1 + 1e-12));
    }
    tear_down(&f);
  }
}

TEST_CASE("forms", 20);

TEST(flat_pieces)
{
  random_state g = {99};
  for (int bent = 0; bent < 2; ++bent) {
    net m = gauged_net(&g, 2, 3);
    for (int k = 0; k < net_size(&m); ++k)
      m.points[k][2] = 0.3 * m.points[k][0] - 0.2 * m.points[k][1];
    m.points[5][2] += bent ? 1e-10 : 0;
    fixture f;
    set_up(&f, &g, &m);
    clp_dual_form_set(&f.form, &f.span, &whole, &f.gauge, false);
    clp_vec3 n = clp_unit(clp_gauge_normal(&f.gauge, (clp_vec3){-0.3, 0.2, 1}));
    ck_assert(f.form.planar == !bent);
    ck_assert_double_le(clp_norm(clp_cross(n, f.form.plane_normal)), 1e-9);
    ck_assert_double_le(f.form.off, bent ? 1e-10 : 1e-14);
    ck_assert(!bent || f.form.off > 1e-12);
    tear_down(&f);
  }
}

/* All that is 0 in theory, of a plane through the frame's origin, is within the noise. */
TEST(noise_covers_rounding)
{
  random_state g = {90};
  for (int round = 0; round < 40; ++round) {
    net m = gauged_net(&g, 1 + round % 4, 1 + round / 4 % 4);
    for (int k = 0; k < net_size(&m); ++k)
      m.points[k][2] = 0;
    fixture f;
    set_up(&f, &g, &m);
    f.gauge = gauge_random(&g, (clp_vec3){2, -1, 0}, 0.3);
    clp_dual_form_set(&f.form, &f.span, &whole, &f.gauge, true);
    const clp_bernstein *b[] = {&f.form.plane, &f.form.l, &f.form.m, &f.form.k};
    const double noise[] = {f.form.noise_plane, f.form.noise_l, f.form.noise_m, f.form.noise_k};
    for (int k = 0; k < 4; ++k)
      ck_assert_double_le(1e14 * largest(b[k]), noise[k]);
    tear_down(&f);
  }
}
