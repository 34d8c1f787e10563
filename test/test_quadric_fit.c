/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of quadrics are recognized, in any frame, and nothing else is; how they bend is compared
 * with the curvature of their points. */

#include "rclc_closest_point/surface/quadric_fit.h"

#include "support/gauged.h"
#include "support/graph.h"
#include "support/suite.h"

static const clp_cell whole = {.u1 = 1, .v1 = 1};

typedef struct found {
  clp_quadric_fit fit;
  double most;  /* curvature towards `outward` at samples */
  double scale; /* of the piece */
} found;

/* The larger principal curvature towards the normal along u x v, or against it. */
static double curvature_at(const clp_face_span *span, const clp_gauge *gauge, const clp_cell *piece,
                           double s, double t, double sign)
{
  gauged_jet j = gauged_at(span, piece, gauge, s, t);
  wide3 n = wide3_cross(j.u, j.v);
  n = wide3_scale(sign / wide3_norm(n), n);
  clp_wide e = wide3_dot(j.u, j.u), f = wide3_dot(j.u, j.v), g = wide3_dot(j.v, j.v);
  clp_wide l = wide3_dot(n, j.uu), m = wide3_dot(n, j.uv), k = wide3_dot(n, j.vv);
  clp_wide det = e * g - f * f, mean = (e * k - 2 * f * m + g * l) / (2 * det);
  return (double)(mean + sqrtl(fmaxl(0, mean * mean - (l * k - m * m) / det)));
}

/* `outward`: +1 where the net's u x v is outward. */
static found fit_in(const net *m, const clp_gauge *gauge, const clp_cell *piece, double outward)
{
  patch p = patch_of_net(m);
  clp_face_span span;
  clp_dual_form form;
  found r = {.most = -HUGE_VAL};
  ck_assert(clp_face_span_at(&p.surface.as.nurbs, &p.domain, 0, &span));
  ck_assert(clp_dual_form_create(&form, m->degree_u, m->degree_v));
  clp_dual_form_set(&form, &span, piece, gauge, false);
  r.fit = clp_fit_quadric(&form, outward * form.turned);
  r.scale = form.scale;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) /* not in corners, which may be singular */
      r.most =
          fmax(r.most, curvature_at(&span, gauge, piece, (i + 0.5) / 12, (j + 0.5) / 12, outward));
  clp_dual_form_destroy(&form);
  patch_free(&p);
  return r;
}

/* What is round does not bend outwards by more than rounding, and seen from the other side it bends
 * by at least what its points do. */
static void expect_round(random_state *g, const net *m, double outward)
{
  const clp_cell part = {.u0 = 0.1, .u1 = 0.6, .v0 = 0.5, .v1 = 0.8};
  for (int round = 0; round < 8; ++round) {
    clp_gauge gauge =
        round == 0 ? clp_gauge_plain(1) : gauge_between(g, random_direction(g), 0.9, 1.1);
    const clp_cell *piece = round % 3 == 2 ? &part : &whole;
    found out = fit_in(m, &gauge, piece, outward), in = fit_in(m, &gauge, piece, -outward);
    ck_assert(out.fit.found && in.fit.found);
    ck_assert_double_le(out.most, 1e-12);
    ck_assert_double_le(out.fit.off, 2e-13 * (1 + gauge.offset));
    ck_assert_double_le(out.fit.bend, 1e-11);
    ck_assert_double_gt(in.most, 0.1);
    ck_assert_double_ge(in.fit.bend, in.most * (1 - 1e-9));
    ck_assert_double_le(in.fit.bend, 10 * in.most);
  }
}

/* ---- Nets --------------------------------------------------------------------------------- */

static net net_named(const char *body, const char *name)
{
  net nets[NETS_MAX];
  int count = nets_load(body, nets);
  for (int k = 0; k < count; ++k)
    if (strcmp(nets[k].name, name) == 0)
      return nets[k];
  ck_abort_msg("no net '%s'", name);
  return nets[0];
}

static void stretch(net *m, double x, double y, double z)
{
  for (int k = 0; k < net_size(m); ++k) {
    m->points[k][0] *= x;
    m->points[k][1] *= y;
    m->points[k][2] *= z;
  }
}

/* A quarter turn (u) of the quarter arc from the equator of the unit sphere to its pole (v). */
static net octant(void)
{
  const double arc[3][2] = {{1, 0}, {1, 1}, {0, 1}}, half = sqrt(0.5);
  net m = {.degree_u = 2, .degree_v = 2};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double *p = m.points[3 * i + j], w = (i == 1 ? half : 1) * (j == 1 ? half : 1);
      double point[4] = {arc[j][0] * arc[i][0], arc[j][0] * arc[i][1], arc[j][1], w};
      memcpy(p, point, sizeof point);
    }
  return m;
}

/* ---- Quadrics ----------------------------------------------------------------------------- */

SUITE("quadric_fit");

TEST_CASE("quadrics", 20);

TEST(spheres_and_ellipsoids)
{
  random_state g = {101};
  net sphere = net_named("sphere6", "zp"), cap = net_named("capped_frustum", "cap");
  net eighth = octant();
  for (int round = 0; round < 3; ++round) {
    net m[3] = {sphere, cap, eighth};
    for (int k = 0; k < 3; ++k) {
      if (round > 0)
        stretch(&m[k], random_between(&g, 0.7, 1.5), random_between(&g, 0.7, 1.5), 1);
      expect_round(&g, &m[k], 1);
    }
  }
}

/* In a frame in which a piece turns by more than a quarter its control points may be on either side
 * of the quadric: that it is one need not be found, but a bend must be seen. */
TEST(strongly_bent_pieces)
{
  random_state g = {106};
  const net nets[] = {net_named("sphere6", "ym"), net_named("capped_frustum", "cap"), octant()};
  for (int k = 0; k < 3; ++k)
    for (int round = 0; round < 100; ++round) {
      clp_gauge gauge = gauge_between(&g, random_direction(&g), 0.2, 2);
      for (int outward = -1; outward <= 1; outward += 2) {
        found f = fit_in(&nets[k], &gauge, &whole, outward);
        ck_assert(!f.fit.found || f.fit.bend >= f.most * (1 - 1e-9) - 1e-11);
      }
    }
}

/* A common weight means nothing. */
TEST(weights_of_any_size)
{
  random_state g = {102};
  const double factors[] = {1e-150, 1e-20, 1e20, 1e100};
  for (int k = 0; k < 4; ++k) {
    net m = net_named("capped_frustum", "cap");
    for (int i = 0; i < net_size(&m); ++i)
      m.points[i][3] *= factors[k];
    expect_round(&g, &m, 1);
  }
}

TEST(paraboloids)
{
  random_state g = {103};
  const term round[] = {{-0.7, 2, 0}, {-0.4, 0, 2}, {0.3, 1, 1}, {0.2, 1, 0}};
  net m = graph_net(2, -1, 0.5, round, 4), higher = graph_net(4, -1, 0.5, round, 4);
  expect_round(&g, &m, 1);
  expect_round(&g, &higher, 1);
}

/* Where a quadric is bent both ways, or has no curvature along a line, the bound is not 0, but it
 * is one from both sides. */
TEST(cones_and_saddles)
{
  random_state g = {104};
  const term terms[] = {{0.5, 1, 1}, {0.3, 2, 0}};
  const net nets[] = {net_named("capped_frustum", "cone_0"), net_named("capped_frustum", "cone_2"),
                      net_named("cylinder", "lat_1"), graph_net(2, -0.5, 1, terms, 2)};
  for (int k = 0; k < 4; ++k)
    for (int round = 0; round < 6; ++round) {
      clp_gauge gauge = gauge_random(&g, random_direction(&g), 1.5);
      for (int side = -1; side <= 1; side += 2) {
        found f = fit_in(&nets[k], &gauge, &whole, side);
        ck_assert(f.fit.found);
        ck_assert_double_le(f.fit.off, 1e-13 * (1 + gauge.offset));
        ck_assert_double_ge(f.fit.bend, f.most - 1e-12);
      }
    }
}

/* ---- Others ------------------------------------------------------------------------------- */

TEST_CASE("others", 20);

/* One control point out of its place; no quadric comes near. */
TEST(what_is_moved_is_none)
{
  random_state g = {105};
  const term terms[] = {{-0.7, 2, 0}, {-0.4, 0, 2}};
  const net nets[] = {net_named("sphere6", "xp"), net_named("capped_frustum", "cap"), octant(),
                      graph_net(3, -1, 0.5, terms, 2)};
  const int inner[] = {12, 12, 4, 5};
  const double moves[] = {1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 5; ++i) {
      net m = nets[k];
      clp_gauge gauge = gauge_random(&g, (clp_vec3){0.1, 0.2, -0.1}, 1);
      for (int lane = 0; lane < 3; ++lane)
        m.points[inner[k]][lane] += moves[i] * (1 + 0.1 * lane);
      found f = fit_in(&m, &gauge, &whole, 1);
      ck_assert(!f.fit.found);
      ck_assert_double_ge(f.fit.off, 1e-3 * moves[i]);
      ck_assert_double_le(f.fit.off, 1e3 * moves[i]);
    }
}

/* The distance is one: from the nearest paraboloid z = c x^2 + d, a quartic's part of x^4 is off by
 * 1 / 8 of it over [-1, 1] at its best. */
TEST(graphs_of_higher_degree_are_none)
{
  const double heights[] = {1, 1e-3, 1e-6, 1e-9};
  for (int k = 0; k < 4; ++k) {
    const term quartic[] = {{-1, 0, 2}, {-0.5, 2, 0}, {-heights[k], 4, 0}};
    const term cubic[] = {{-1, 0, 2}, {-0.5, 2, 0}, {heights[k], 3, 0}};
    net m = graph_net(4, -1, 1, quartic, 3), n = graph_net(3, -1, 1, cubic, 3);
    clp_gauge gauge = clp_gauge_plain(1);
    found f = fit_in(&m, &gauge, &whole, 1), h = fit_in(&n, &gauge, &whole, 1);
    ck_assert(!f.fit.found && !h.fit.found);
    ck_assert_double_ge(f.fit.off, 0.02 * heights[k]);
    ck_assert_double_ge(h.fit.off, 0.02 * heights[k]);
  }
}
