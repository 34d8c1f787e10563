/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/second_form.h"

#include "rclc_closest_point/math/vec3.h"
#include "test/support/nets.h"
#include "test/support/random.h"
#include "test/support/suite.h"

/* A random rational patch of one span over [2, 5] x [-1, 1]. */
static patch random_patch(random_state *g, int degree_u, int degree_v)
{
  double knots_u[2 * CLP_MAX_DEGREE + 2], knots_v[2 * CLP_MAX_DEGREE + 2];
  net m = {.degree_u = degree_u, .degree_v = degree_v};
  for (int k = 0; k < net_size(&m); ++k) {
    int row = k / (degree_v + 1), column = k % (degree_v + 1);
    m.points[k][0] = 3 + row + random_between(g, -0.4, 0.4);
    m.points[k][1] = column + random_between(g, -0.4, 0.4);
    m.points[k][2] = random_between(g, -1, 1);
    m.points[k][3] = random_between(g, 0.5, 2);
  }
  for (int k = 0; k <= degree_u; ++k) {
    knots_u[k] = 2;
    knots_u[degree_u + 1 + k] = 5;
  }
  for (int k = 0; k <= degree_v; ++k) {
    knots_v[k] = -1;
    knots_v[degree_v + 1 + k] = 1;
  }
  return patch_of_spline(degree_u, degree_u + 1, knots_u, degree_v, degree_v + 1, knots_v,
                         m.points[0]);
}

static double weight_at(const clp_face_span *span, double s, double t)
{
  double storage[100];
  clp_bernstein w = {span->degree_u, span->degree_v, storage};
  clp_face_span_weight(span, &w);
  return clp_bernstein_value(&w, s, t);
}

static void check_value(const clp_bernstein *f, double s, double t, double expected, double scale)
{
  ck_assert_double_eq_tol(clp_bernstein_value(f, s, t), expected, 1e-11 * scale);
}

/* The polynomials are the products of derivatives that they stand for. The jet's derivatives are
 * by u and v, the polynomials' by fractions of the span, in the form's unit of length. */
static void check_place(const clp_second_form *form, const patch *p, const clp_face_span *span,
                        double s, double t)
{
  clp_jet j = clp_surface_jet(&p->surface, clp_face_span_site(span, s, t));
  double hu = (span->u1 - span->u0), hv = (span->v1 - span->v0), unit = 1 / form->scale;
  double w = weight_at(span, s, t), w4 = w * w * w * w;
  clp_vec3 su = clp_scale(hu * unit, j.u), sv = clp_scale(hv * unit, j.v);
  clp_vec3 cross = clp_cross(su, sv), n = clp_scale(w * w * w, cross);
  double l = w4 * clp_dot(cross, clp_scale(hu * hu * unit, j.uu));
  double m = w4 * clp_dot(cross, clp_scale(hu * hv * unit, j.uv));
  double k = w4 * clp_dot(cross, clp_scale(hv * hv * unit, j.vv));
  double speed = form->speed_u * form->speed_v, bend = form->speed_u + form->speed_v;
  double scale = 100 * w4 * speed * bend * bend;
  check_value(&form->normal[0], s, t, n.x, 100 * w * w * w * speed);
  check_value(&form->normal[1], s, t, n.y, 100 * w * w * w * speed);
  check_value(&form->normal[2], s, t, n.z, 100 * w * w * w * speed);
  check_value(&form->l, s, t, l, scale);
  check_value(&form->m, s, t, m, scale);
  check_value(&form->k, s, t, k, scale);
  check_value(&form->g, s, t, l * k - m * m, scale * scale);
  ck_assert_double_le(clp_norm(su), form->speed_u);
  ck_assert_double_le(clp_norm(sv), form->speed_v);
  ck_assert_double_le(w, form->weight);
}

SUITE("second_form");

TEST_CASE("polynomials", 20);

TEST(polynomials_are_what_they_stand_for)
{
  random_state g = {41};
  for (int du = 1; du <= 5; ++du) {
    for (int dv = 1; dv <= 5; ++dv) {
      patch p = random_patch(&g, du, dv);
      clp_second_form form;
      clp_face_span span;
      ck_assert(clp_face_span_at(&p.surface.as.nurbs, &p.domain, 0, &span));
      ck_assert(clp_second_form_create(&form, du, dv));
      clp_second_form_set(&form, &span);
      for (int k = 0; k < 20; ++k)
        check_place(&form, &p, &span, random_between(&g, 0, 1), random_between(&g, 0, 1));
      clp_second_form_destroy(&form);
      patch_free(&p);
    }
  }
}

TEST(the_highest_degree_fits)
{
  random_state g = {42};
  patch p = random_patch(&g, CLP_MAX_DEGREE, CLP_MAX_DEGREE);
  clp_second_form form;
  clp_face_span span;
  ck_assert(clp_face_span_at(&p.surface.as.nurbs, &p.domain, 0, &span));
  ck_assert(clp_second_form_create(&form, CLP_MAX_DEGREE, CLP_MAX_DEGREE));
  ck_assert_int_eq(form.g.du, CLP_BERNSTEIN_MAX_DEGREE);
  clp_second_form_set(&form, &span);
  for (int k = 0; k < 20; ++k)
    check_place(&form, &p, &span, random_between(&g, 0, 1), random_between(&g, 0, 1));
  clp_second_form_destroy(&form);
  patch_free(&p);
}

/* What is zero in theory is within the noise: m, k and g of the exact cylinder, everything of the
 * exact disc, wherever they are. And the noise is small. */
TEST(noise_covers_rounding)
{
  random_state g = {43};
  net nets[NETS_MAX];
  int count = nets_load("cylinder", nets);
  for (int f = 0; f < count; ++f) {
    clp_vec3 a, b, n = random_direction(&g), to = clp_scale(20, random_direction(&g));
    clp_tangents(n, &a, &b);
    for (int k = 0; k < net_size(&nets[f]); ++k) {
      double *p = nets[f].points[k];
      clp_vec3 moved = clp_add_scaled(clp_add_scaled(clp_scale(p[0], a), p[1], b), p[2], n);
      p[0] = moved.x + to.x;
      p[1] = moved.y + to.y;
      p[2] = moved.z + to.z;
    }
    patch p = patch_of_net(&nets[f]);
    clp_second_form form;
    clp_face_span span;
    ck_assert(clp_face_span_at(&p.surface.as.nurbs, &p.domain, 0, &span));
    ck_assert(clp_second_form_create(&form, nets[f].degree_u, nets[f].degree_v));
    clp_second_form_set(&form, &span);
    clp_range m = clp_bernstein_range(&form.m), k = clp_bernstein_range(&form.k);
    clp_range l = clp_bernstein_range(&form.l), gauss = clp_bernstein_range(&form.g);
    bool disc = nets[f].name[0] == 'd';
    ck_assert_double_le(fmax(-m.min, m.max), form.noise_m);
    ck_assert_double_le(fmax(-k.min, k.max), form.noise_k);
    ck_assert_double_le(fmax(-gauss.min, gauss.max), form.noise_g);
    ck_assert(!disc || fmax(-l.min, l.max) <= form.noise_l);
    ck_assert(disc || l.max < -1e6 * form.noise_l);
    clp_second_form_destroy(&form);
    patch_free(&p);
  }
}
