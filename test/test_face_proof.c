/* SPDX-License-Identifier: Apache-2.0 */
/* What is proven of faces, against samples of them: nothing is beyond a bound, and bounds are not
 * far off. */

#include "rclc_closest_point/surface/face_proof.h"

#include "rclc_closest_point/surface/face_span.h"
#include "support/amount.h"
#include "support/faces.h"
#include "support/gauged.h"
#include "support/graph.h"
#include "support/suite.h"

/* What samples say of a face. */
typedef struct seen {
  double height, reach, angle, bend;
} seen;

static void look_at(const gauged_jet *j, double side, seen *s)
{
  wide3 n = wide3_cross(j->u, j->v);
  s->reach = fmax(s->reach, (double)wide3_norm(j->p));
  if (!(wide3_norm(n) > 1e-9L))
    return;
  s->height = fmin(s->height, side * (double)(wide3_dot(n, j->p) / wide3_norm(n)));
  s->bend = fmax(s->bend, gauged_bend(j, side));
}

enum { GRID = 48 };

static seen look(const patch *p, const clp_gauge *gauge)
{
  seen s = {.height = HUGE_VAL, .bend = -HUGE_VAL};
  const clp_nurbs *nurbs = &p->surface.as.nurbs;
  for (int index = 0; index < clp_face_span_count(nurbs); ++index) {
    clp_face_span span;
    static wide3 places[GRID + 1][GRID + 1];
    if (!clp_face_span_at(nurbs, &p->domain, index, &span))
      continue;
    for (int i = 0; i <= GRID; ++i)
      for (int j = 0; j <= GRID; ++j) {
        gauged_jet jet =
            gauged_at(&span, &span.cell, gauge, (clp_wide)i / GRID, (clp_wide)j / GRID);
        look_at(&jet, p->surface.outward, &s);
        places[i][j] = jet.p;
      }
    for (int i = 0; i < GRID; ++i)
      for (int j = 0; j < GRID; ++j)
        s.angle += p->surface.outward *
                   (wide3_angle(places[i][j], places[i + 1][j], places[i + 1][j + 1]) +
                    wide3_angle(places[i][j], places[i + 1][j + 1], places[i][j + 1]));
  }
  return s;
}

static clp_face_proof prove(const patch *p, const clp_gauge *gauge, double side)
{
  clp_proof_budget budget = {CLP_PROOF_OPERATIONS};
  clp_face_question question = {.surface = &p->surface,
                                .domain = &p->domain,
                                .gauge = gauge,
                                .sense = side,
                                .tolerance = 1e-10};
  clp_face_proof proof = clp_prove_spline(&question, &budget);
  ck_assert(!proof.failed);
  ck_assert_double_lt(budget.operations, CLP_PROOF_OPERATIONS);
  return proof;
}

/* Height, reach and angle; samples of a grid are not quite at the extremes. */
static void expect_bounds(const clp_face_proof *proof, const seen *s)
{
  ck_assert_double_gt(s->height, 0);
  ck_assert_double_le(proof->height, s->height * (1 + 1e-12));
  ck_assert_double_ge(proof->height, 0.4 * s->height);
  ck_assert_double_ge(proof->reach, s->reach * (1 - 1e-14));
  ck_assert_double_le(proof->reach, 1.6 * s->reach);
  ck_assert_double_ge(proof->solid_angle, s->angle * (1 - 2e-3));
  ck_assert_double_le(proof->solid_angle, 1.5 * s->angle * (1 + 2e-3));
}

static void check_net(const net *m, const clp_gauge *gauge, bool round)
{
  patch p = patch_of_net(m);
  clp_face_proof proof = prove(&p, gauge, 1);
  seen s = look(&p, gauge);
  expect_bounds(&proof, &s);
  if (round)
    ck_assert_double_le(proof.turn, 1e-10);
  ck_assert_double_ge(proof.bend, fmax(0, s.bend) - 1e-9);
  ck_assert(isfinite(proof.bend) || !round);
  patch_free(&p);
}

/* ---- Splines ------------------------------------------------------------------------------ */

SUITE("face_proof");

TEST_CASE("splines", 30);

/* From all over the inside of every reference body. */
TEST(faces_of_the_reference_bodies)
{
  static const char *const bodies[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  random_state g = {111};
  for (int b = 0; b < 5; ++b) {
    net nets[NETS_MAX];
    int count = nets_load(bodies[b], nets);
    for (int k = 0; k < count; ++k) {
      clp_vec3 inside = clp_scale(0.1, random_direction(&g));
      clp_gauge gauge = gauge_between(&g, inside, 0.7, 1.4);
      check_net(&nets[k], &gauge, true);
    }
  }
}

/* A sphere from its center: 4 pi, and all planes at its radius. */
TEST(a_whole_sphere)
{
  net nets[NETS_MAX];
  int count = nets_load("sphere6", nets);
  clp_gauge gauge = clp_gauge_plain(2);
  double angle = 0;
  for (int k = 0; k < count; ++k) {
    patch p = patch_of_net(&nets[k]);
    clp_face_proof proof = prove(&p, &gauge, 1), inward = prove(&p, &gauge, -1);
    angle += proof.solid_angle;
    ck_assert_double_ge(proof.height, 0.4 * 0.25);
    ck_assert_double_le(proof.height, 0.25 * (1 + 1e-12));
    ck_assert_double_ge(proof.reach, 0.25 * (1 - 1e-15));
    ck_assert_double_le(proof.bend, 1e-10);
    ck_assert_double_ge(inward.bend, 4 * (1 - 1e-12)); /* 1 / 0.25 */
    patch_free(&p);
  }
  ck_assert_double_ge(angle, 4 * face_pi * (1 - 1e-12));
  ck_assert_double_le(angle, 1.5 * 4 * face_pi);
}

/* What is beneath the outward side, bent by a curvature that bounds may not miss and may not
 * exceed by much. */
TEST(bends_are_bounded)
{
  random_state g = {112};
  for (int round = 0; round < amount_of(40); ++round) {
    double dent = pow(10, random_between(&g, -8, 0));
    const term terms[] = {{0.5 * dent, 2, 0}, {-0.3, 0, 2}, {0.05 * dent, 1, 1}, {-0.1, 0, 1}};
    net m = graph_net(2 + round % 3, -0.5, 0.5, terms, 4);
    clp_gauge gauge = gauge_between(&g, (clp_vec3){0.1, 0, -1}, 0.5, 1);
    patch p = patch_of_net(&m);
    clp_proof_budget budget = {CLP_PROOF_OPERATIONS};
    clp_face_question question = {&p.surface, &p.domain, &gauge, 1, 2 * dent, false, {0}};
    clp_face_proof proof = clp_prove_spline(&question, &budget);
    seen s = look(&p, &gauge);
    expect_bounds(&proof, &s);
    ck_assert_double_gt(s.bend, 0.1 * dent);
    ck_assert_double_ge(proof.bend, s.bend * (1 - 1e-9));
    ck_assert(proof.bend == HUGE_VAL || proof.bend <= 100 * s.bend);
    /* A walk across turns by its length times the curvature there at least. */
    ck_assert_double_ge(proof.turn, s.bend * 0.5);
    patch_free(&p);
  }
}

/* Several spans, of which the face covers a part; n outward against u x v. */
TEST(parts_of_splines)
{
  random_state g = {113};
  const double knots[] = {0, 0, 0, 0.3, 0.7, 1, 1, 1}, straight[] = {0, 0, 0.5, 1, 1};
  for (int round = 0; round < 10; ++round) {
    double points[15][4];
    for (int k = 0; k < 15; ++k) {
      double x = k / 3 - 2, up = round % 2 ? 0.1 : -0.1;
      double point[4] = {0.5 * x, 0.5 * (k % 3 - 1), up * x * x, 1 + 0.1 * (k / 3 % 2)};
      memcpy(points[k], point, sizeof point);
    }
    patch p = patch_of_spline(2, 5, knots, 1, 3, straight, points[0]);
    p.surface.outward = round % 2 ? -1 : 1;
    p.domain.lo[0] = random_between(&g, 0, 0.4);
    p.domain.hi[1] = random_between(&g, 0.4, 0.9);
    clp_gauge gauge = gauge_between(&g, (clp_vec3){0.2, 0.1, round % 2 ? 3 : -1.5}, 0.4, 0.5);
    clp_face_proof proof = prove(&p, &gauge, 1);
    seen s = look(&p, &gauge);
    expect_bounds(&proof, &s);
    ck_assert_double_ge(proof.bend, s.bend - 1e-9);
    ck_assert_double_le(proof.bend, 1e-9);
    ck_assert(!proof.flat);
    patch_free(&p);
  }
}

TEST(what_does_not_see_the_origin)
{
  net nets[NETS_MAX];
  nets_load("sphere6", nets);
  clp_gauge gauge = clp_gauge_plain(1);
  gauge.center = (clp_vec3){0, 0, 0.6}; /* beyond the patch at the top */
  patch p = patch_of_net(&nets[0]);
  ck_assert_double_le(prove(&p, &gauge, 1).height, 0);
  patch_free(&p);
}

TEST(flat_splines)
{
  random_state g = {114};
  for (int round = 0; round < 20; ++round) {
    net m = gauged_net(&g, 1 + round % 3, 2);
    for (int k = 0; k < net_size(&m); ++k)
      m.points[k][2] = 0.1 * m.points[k][0] + (round % 2 && k == 4 ? 1e-6 : 0);
    clp_gauge gauge = gauge_between(&g, (clp_vec3){4, 1, -2}, 0.2, 0.4);
    patch p = patch_of_net(&m);
    clp_face_proof proof = prove(&p, &gauge, 1);
    seen s = look(&p, &gauge);
    expect_bounds(&proof, &s);
    ck_assert(proof.flat == !(round % 2));
    ck_assert(!proof.flat || (proof.bend == 0 && proof.turn == 0 && proof.kink < 1e-12));
    ck_assert(proof.flat || proof.bend >= s.bend * (1 - 1e-9));
    patch_free(&p);
  }
}

/* A pointed pole and two at once: from below a cone of splines. */
TEST(poles)
{
  net nets[NETS_MAX];
  int count = nets_load("lemon", nets);
  for (int k = 0; k < count; ++k) {
    clp_gauge gauge = clp_gauge_plain(1);
    patch p = patch_of_net(&nets[k]);
    clp_face_proof proof = prove(&p, &gauge, 1);
    seen s = look(&p, &gauge);
    expect_bounds(&proof, &s);
    ck_assert_double_le(proof.bend, 1e-9);
    ck_assert_double_le(proof.kink + proof.hole, 1e-12);
    patch_free(&p);
  }
}

/* A quarter of a cone from its tip down to radius 1, whose profile sinks in the middle. */
static net sunken_cone(double sink)
{
  const double profile[3][2] = {{0, 1}, {0.5 - sink, 0.5 - sink}, {1, 0}};
  const double round[3][3] = {{1, 0, 1}, {1, 1, sqrt(0.5)}, {0, 1, 1}};
  net m = {.degree_u = 2, .degree_v = 2};
  for (int k = 0; k < 9; ++k) {
    const double *r = round[2 - k % 3], *q = profile[k / 3];
    double point[4] = {q[0] * r[0], q[0] * r[1], q[1], r[2]};
    memcpy(m.points[k], point, sizeof point);
  }
  return m;
}

TEST(sunken_tips)
{
  for (int k = 1; k < 8; ++k) {
    double sink = pow(10, -k);
    net m = sunken_cone(sink);
    clp_gauge gauge = clp_gauge_plain(1);
    patch p = patch_of_net(&m);
    p.surface.outward = -1;
    clp_proof_budget budget = {CLP_PROOF_OPERATIONS};
    clp_face_question question = {&p.surface, &p.domain, &gauge, 1, 100 * sink, false, {0}};
    clp_face_proof proof = clp_prove_spline(&question, &budget);
    seen s = look(&p, &gauge);
    ck_assert_double_gt(s.bend, 0.5 * sink);
    ck_assert_double_ge(proof.bend, s.bend * (1 - 1e-9));
    ck_assert_double_ge(proof.turn, s.bend);
    ck_assert_double_le(proof.bend, 100 * sink);
    patch_free(&p);
  }
}

/* Planes that pass the origin much nearer in one place than in most. */
TEST(heights_that_differ)
{
  for (int k = 0; k < 5; ++k) {
    const term terms[] = {{-1, 2, 0}, {-1, 0, 2}};
    net m = graph_net(2, -1, 1, terms, 2);
    clp_gauge gauge = clp_gauge_plain(1);
    gauge.center = (clp_vec3){0, 0, -0.05 - 0.2 * k};
    patch p = patch_of_net(&m);
    clp_face_proof proof = prove(&p, &gauge, 1);
    seen s = look(&p, &gauge);
    expect_bounds(&proof, &s);
    patch_free(&p);
  }
}

/* ---- Closed forms ------------------------------------------------------------------------- */

static clp_site closed_site(const face *f, double x, double y)
{
  const clp_domain *d = &f->domain;
  double turn = 2 * face_pi * x, lo = fmax(d->lo[1], -1e300), hi = d->hi[1];
  if (d->kind == CLP_DOMAIN_RECTANGLE)
    return (clp_site){{d->lo[0] + x * (d->hi[0] - d->lo[0]), lo + y * (hi - lo), 0}};
  if (d->kind == CLP_DOMAIN_DISC) {
    double r = d->lo[0] + y * (d->hi[0] - d->lo[0]);
    return (clp_site){{r * cos(turn), r * sin(turn), 0}};
  }
  if (f->surface.kind != CLP_SURFACE_ELLIPSOID)
    return (clp_site){{cos(turn), sin(turn), lo + y * (hi - lo)}};
  double z = d->kind == CLP_DOMAIN_BAND ? lo + y * (hi - lo) : 2 * y - 1, r = sqrt(1 - z * z);
  return (clp_site){{r * cos(turn), r * sin(turn), z}};
}

static seen look_at_closed(const face *f, const clp_gauge *gauge)
{
  enum { SAMPLES = 120 };
  seen s = {.height = HUGE_VAL};
  for (int i = 0; i <= SAMPLES; ++i)
    for (int j = 0; j <= SAMPLES; ++j) {
      clp_site site = closed_site(f, (double)i / SAMPLES, (double)j / SAMPLES);
      clp_vec3 p = clp_gauge_place(gauge, clp_surface_point(&f->surface, site));
      clp_jet jet = clp_surface_jet(&f->surface, site);
      clp_vec3 n = clp_scale(f->surface.outward, clp_cross(clp_gauge_direction(gauge, jet.u),
                                                           clp_gauge_direction(gauge, jet.v)));
      s.reach = fmax(s.reach, clp_norm(p));
      if (clp_norm(n) > 1e-9)
        s.height = fmin(s.height, clp_dot(clp_unit(n), p));
    }
  return s;
}

TEST_CASE("closed forms", 10);

/* In frames that stand upright and are as wide in x as in y, as those of bodies of revolution. */
TEST(closed_forms_from_the_axis)
{
  random_state g = {115};
  face list[FACES_MAX];
  int count = faces_all(list), positive = 0;
  for (int k = 0; k < count; ++k)
    for (int round = 0; round < amount_of(20); ++round) {
      double wide = random_between(&g, 0.8, 1.2), high = random_between(&g, 0.8, 1.2);
      clp_surface_kind kind = list[k].surface.kind;
      bool turned = kind != CLP_SURFACE_PLANE && kind != CLP_SURFACE_ELLIPSOID;
      clp_gauge gauge = {.center = {turned ? 0 : 0.4, turned ? 0 : 0.3, random_between(&g, -2, 3)},
                         .to = {{wide, 0, 0}, {0, wide, 0}, {0, 0, high}},
                         .from = {{1 / wide, 0, 0}, {0, 1 / wide, 0}, {0, 0, 1 / high}},
                         .stretch = fmax(wide, high)};
      clp_face_proof proof = clp_prove_closed_form(&list[k].surface, &list[k].domain, &gauge);
      seen s = look_at_closed(&list[k], &gauge);
      ck_assert_msg(proof.height <= fmax(0, s.height) + 1e-12 * s.reach, "%s: %g instead of %g",
                    list[k].name, proof.height, s.height);
      if (s.height > 0.05 && turned && list[k].domain.kind == CLP_DOMAIN_BAND) {
        ck_assert_double_ge(proof.height, 0.2 * s.height);
        ++positive;
      }
      ck_assert_msg(proof.reach >= s.reach * (1 - 1e-12) || list[k].domain.kind == CLP_DOMAIN_WHOLE,
                    "%s: reach %g instead of %g", list[k].name, proof.reach, s.reach);
      ck_assert(proof.flat == (kind == CLP_SURFACE_PLANE));
    }
  ck_assert_int_gt(positive, amount_of(20));
}

/* The square seen from the cube's center is a sixth of everything; a triangle is an eighth. */
TEST(solid_angles_of_planes)
{
  const double corners[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  clp_gauge gauge = clp_gauge_plain(0.7);
  face f =
      face_make("square", face_plane((clp_vec3){0, 0, 1}, (clp_vec3){1, 0, 0}, (clp_vec3){0, 1, 0}),
                CLP_DOMAIN_RECTANGLE, -1, 1, -1, 1);
  clp_face_proof proof = clp_prove_closed_form(&f.surface, &f.domain, &gauge);
  ck_assert_double_eq_tol(proof.solid_angle, 2 * face_pi / 3, 1e-14);
  ck_assert_double_eq_tol(proof.height, 1 / 0.7, 1e-14);
  ck_assert_double_eq_tol(proof.reach, sqrt(3) / 0.7, 1e-14);
  f.surface = face_plane((clp_vec3){1, 0, 0}, (clp_vec3){-1, 1, 0}, (clp_vec3){-1, 0, 1});
  f.domain = (clp_domain){.kind = CLP_DOMAIN_POLYGON, .corners = corners, .corner_count = 3};
  proof = clp_prove_closed_form(&f.surface, &f.domain, &gauge);
  ck_assert_double_eq_tol(proof.solid_angle, face_pi / 2, 1e-14);
  ck_assert_double_eq_tol(proof.height, 1 / sqrt(3) / 0.7, 1e-14);
  ck_assert_double_eq_tol(proof.reach, 1 / 0.7, 1e-14);
}
