/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/second_form.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/vec3.h"

enum { U_CROSS_V, P_CROSS_V, U_CROSS_P };

/* Degrees of the derivatives and of the cross products, less those of as many points. */
static const int jet_less[CLP_DERIVATIVES][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
static const int cross_less[3][2] = {{1, 1}, {0, 1}, {1, 0}};

/* ---- Room --------------------------------------------------------------------------------- */

static int at_least_zero(int degree)
{
  return degree > 0 ? degree : 0;
}

/* Lays the forms out behind one another. */
static double *lay_out(clp_second_form *form, int du, int dv, double *room)
{
  for (int d = 0; d < CLP_DERIVATIVES; ++d)
    for (int lane = 0; lane < 4; ++lane)
      form->jet[d][lane] = clp_bernstein_take(at_least_zero(du - jet_less[d][0]),
                                              at_least_zero(dv - jet_less[d][1]), &room);
  for (int c = 0; c < 3; ++c)
    for (int lane = 0; lane < 3; ++lane)
      form->cross[c][lane] =
          clp_bernstein_take(2 * du - cross_less[c][0], 2 * dv - cross_less[c][1], &room);
  for (int lane = 0; lane < 3; ++lane)
    form->normal[lane] = clp_bernstein_take(3 * du - 1, 3 * dv - 1, &room);
  form->plane = clp_bernstein_take(3 * du - 1, 3 * dv - 1, &room);
  form->l = clp_bernstein_take(4 * du - 3, 4 * dv - 1, &room);
  form->m = clp_bernstein_take(4 * du - 2, 4 * dv - 2, &room);
  form->k = clp_bernstein_take(4 * du - 1, 4 * dv - 3, &room);
  form->g = clp_bernstein_take(8 * du - 4, 8 * dv - 4, &room);
  return room;
}

/* Somewhat more than the forms take, with the degrees rounded up. */
static size_t room_needed(int du, int dv)
{
  return 24 * clp_bernstein_count(du, dv) + 9 * clp_bernstein_count(2 * du, 2 * dv) +
         4 * clp_bernstein_count(3 * du, 3 * dv) + 3 * clp_bernstein_count(4 * du, 4 * dv) +
         clp_bernstein_count(8 * du, 8 * dv);
}

bool clp_second_form_create(clp_second_form *form, int degree_u, int degree_v)
{
  double *storage = malloc(room_needed(degree_u, degree_v) * sizeof *storage);
  if (!storage)
    return false;
  *form = (clp_second_form){.storage = storage};
  lay_out(form, degree_u, degree_v, storage);
  return true;
}

void clp_second_form_lay_out(clp_second_form *form, int degree_u, int degree_v)
{
  lay_out(form, degree_u, degree_v, form->storage);
}

void clp_second_form_destroy(clp_second_form *form)
{
  free(form->storage);
  form->storage = NULL;
}

/* ---- Derivatives -------------------------------------------------------------------------- */

static void set_jet(clp_second_form *form, const clp_face_span *span, clp_span_ball unit)
{
  static const clp_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double center[3] = {unit.center.x, unit.center.y, unit.center.z};
  for (int lane = 0; lane < 3; ++lane)
    clp_face_span_height(span, clp_scale(1 / unit.radius, axes[lane]), center[lane] / unit.radius,
                         &form->jet[CLP_P][lane]);
  clp_face_span_weight(span, &form->jet[CLP_P][3]);
  for (int lane = 0; lane < 4; ++lane) {
    clp_bernstein_derive_u(&form->jet[CLP_P][lane], &form->jet[CLP_PU][lane]);
    clp_bernstein_derive_v(&form->jet[CLP_P][lane], &form->jet[CLP_PV][lane]);
    clp_bernstein_derive_u(&form->jet[CLP_PU][lane], &form->jet[CLP_PUU][lane]);
    clp_bernstein_derive_v(&form->jet[CLP_PU][lane], &form->jet[CLP_PUV][lane]);
    clp_bernstein_derive_v(&form->jet[CLP_PV][lane], &form->jet[CLP_PVV][lane]);
  }
}

static double largest(const clp_bernstein *f)
{
  clp_range range = clp_bernstein_range(f);
  return fmax(fabs(range.min), fabs(range.max));
}

static double largest_of_three(const clp_bernstein forms[4])
{
  return fmax(fmax(largest(&forms[0]), largest(&forms[1])), largest(&forms[2]));
}

/* |Su| = |Xu - Wu S| / W with |S| <= 1. */
static double speed(const clp_bernstein derivative[4], double weight_min)
{
  double length =
      hypot(hypot(largest(&derivative[0]), largest(&derivative[1])), largest(&derivative[2]));
  return (length + largest(&derivative[3])) / weight_min;
}

/* The largest coefficient of a form, and by how much rounding may be off in each. */
typedef struct rough {
  double size, off;
} rough;

static rough product(rough a, rough b)
{
  return (rough){a.size * b.size, a.off * b.size + a.size * b.off + a.off * b.off};
}

/* Every derivative is the degree times a difference of coefficients, each of which is rounded as
 * numbers of size `largest` are. */
static rough derivative(double size, double largest, int degree_u, int degree_v, const int less[2],
                        double rounding)
{
  double power = 1;
  if (less[0] > degree_u || less[1] > degree_v)
    return (rough){0, 0};
  for (int k = 0; k < less[0]; ++k)
    power *= 2 * degree_u;
  for (int k = 0; k < less[1]; ++k)
    power *= 2 * degree_v;
  return (rough){size, rounding * (size + power * largest / 8)};
}

/* A coefficient of a product in Bernstein form is a mean of products of coefficients, so that the
 * product of their largest magnitudes bounds it; and so does, of a sum of products, the sum. */
static void set_noise(clp_second_form *form, clp_span_ball unit, double offset)
{
  rough x[CLP_DERIVATIVES], w[CLP_DERIVATIVES];
  double rounding = 8 * DBL_EPSILON * (1 + offset / unit.radius);
  double far = largest_of_three(form->jet[CLP_P]), heavy = largest(&form->jet[CLP_P][3]);
  int du = form->jet[CLP_P][0].du, dv = form->jet[CLP_P][0].dv;
  for (int d = 0; d < CLP_DERIVATIVES; ++d) {
    x[d] = derivative(largest_of_three(form->jet[d]), far, du, dv, jet_less[d], rounding);
    w[d] = derivative(largest(&form->jet[d][3]), heavy, du, dv, jet_less[d], rounding);
    if (w[d].size == 0) /* weights are as they were given */
      w[d].off = 0;
  }
  rough cross = product(x[CLP_PU], x[CLP_PV]);
  rough a = product(w[CLP_P], cross), b = product(w[CLP_PU], product(x[CLP_P], x[CLP_PV])),
        c = product(w[CLP_PV], product(x[CLP_PU], x[CLP_P])), t = product(x[CLP_P], cross);
  rough n = {2 * (a.size + b.size + c.size), 2 * (a.off + b.off + c.off)};
  rough plane = {6 * t.size, 6 * t.off};
  form->noise_normal = n.off;
  form->noise_plane = plane.off;
  form->noise_l = 3 * product(n, x[CLP_PUU]).off + product(plane, w[CLP_PUU]).off;
  form->noise_m = 3 * product(n, x[CLP_PUV]).off + product(plane, w[CLP_PUV]).off;
  form->noise_k = 3 * product(n, x[CLP_PVV]).off + product(plane, w[CLP_PVV]).off;
}

static void set_metric(clp_second_form *form, const clp_face_span *span, clp_span_ball unit,
                       double offset)
{
  set_jet(form, span, unit);
  set_noise(form, unit, offset);
  clp_range weight = clp_bernstein_range(&form->jet[CLP_P][3]);
  form->scale = unit.radius;
  form->weight = weight.max;
  form->speed_u = speed(form->jet[CLP_PU], weight.min);
  form->speed_v = speed(form->jet[CLP_PV], weight.min);
  for (int d = 0; d < CLP_DERIVATIVES; ++d)
    for (int lane = 0; lane < 4; ++lane)
      clp_bernstein_scale(&form->jet[d][lane]);
}

/* ---- Products, all in scaled form --------------------------------------------------------- */

static void clear(clp_bernstein *f)
{
  memset(f->c, 0, clp_bernstein_count(f->du, f->dv) * sizeof *f->c);
}

static void set_cross(const clp_bernstein a[4], const clp_bernstein b[4], clp_bernstein cross[3])
{
  for (int lane = 0; lane < 3; ++lane) {
    int next = (lane + 1) % 3, last = (lane + 2) % 3;
    clear(&cross[lane]);
    clp_bernstein_add_product(&cross[lane], 1, &a[next], &b[last]);
    clp_bernstein_add_product(&cross[lane], -1, &a[last], &b[next]);
  }
}

static void set_plane(clp_second_form *form)
{
  const clp_bernstein *p = form->jet[CLP_P], *pu = form->jet[CLP_PU], *pv = form->jet[CLP_PV];
  set_cross(pu, pv, form->cross[U_CROSS_V]);
  set_cross(p, pv, form->cross[P_CROSS_V]);
  set_cross(pu, p, form->cross[U_CROSS_P]);
  clear(&form->plane);
  for (int lane = 0; lane < 3; ++lane) {
    clp_bernstein *n = &form->normal[lane];
    clear(n);
    clp_bernstein_add_product(n, 1, &p[3], &form->cross[U_CROSS_V][lane]);
    clp_bernstein_add_product(n, -1, &pu[3], &form->cross[P_CROSS_V][lane]);
    clp_bernstein_add_product(n, -1, &pv[3], &form->cross[U_CROSS_P][lane]);
    clp_bernstein_add_product(&form->plane, 1, &p[lane], &form->cross[U_CROSS_V][lane]);
  }
}

/* The tangent plane's product with a second derivative. */
static void set_coefficient(clp_second_form *form, int derivative, clp_bernstein *f)
{
  const clp_bernstein *second = form->jet[derivative];
  for (int lane = 0; lane < 3; ++lane)
    clp_bernstein_add_product(f, 1, &form->normal[lane], &second[lane]);
  clp_bernstein_add_product(f, -1, &form->plane, &second[3]);
}

static void set_gauss(clp_second_form *form)
{
  clear(&form->g);
  clp_bernstein_add_product(&form->g, 1, &form->l, &form->k);
  clp_bernstein_add_product(&form->g, -1, &form->m, &form->m);
}

static void set_gauss_noise(clp_second_form *form)
{
  double l = largest(&form->l) + form->noise_l, m = largest(&form->m) + form->noise_m,
         k = largest(&form->k) + form->noise_k;
  form->noise_g = 2 * (form->noise_l * k + form->noise_k * l + 2 * form->noise_m * m) +
                  16 * DBL_EPSILON * (l * k + m * m);
}

/* Degree 1 along u leaves Suu along the tangent plane only: l is zero. */
static void set_bend(clp_second_form *form, const clp_face_span *span)
{
  clear(&form->l);
  clear(&form->m);
  clear(&form->k);
  if (span->degree_u > 1)
    set_coefficient(form, CLP_PUU, &form->l);
  set_coefficient(form, CLP_PUV, &form->m);
  if (span->degree_v > 1)
    set_coefficient(form, CLP_PVV, &form->k);
}

static void unscale_normal(clp_second_form *form)
{
  for (int lane = 0; lane < 3; ++lane)
    clp_bernstein_unscale(&form->normal[lane]);
}

static void unscale_bend(clp_second_form *form)
{
  clp_bernstein_unscale(&form->l);
  clp_bernstein_unscale(&form->m);
  clp_bernstein_unscale(&form->k);
}

static void set_about_middle(clp_second_form *form, const clp_face_span *span)
{
  clp_span_ball unit = clp_face_span_ball(span);
  if (!(unit.radius > 0))
    unit.radius = 1;
  set_metric(form, span, unit, clp_norm(unit.center));
  set_plane(form);
}

void clp_second_form_set_normal(clp_second_form *form, const clp_face_span *span)
{
  set_about_middle(form, span);
  unscale_normal(form);
}

void clp_second_form_set(clp_second_form *form, const clp_face_span *span)
{
  set_about_middle(form, span);
  set_bend(form, span);
  set_gauss(form);
  unscale_normal(form);
  unscale_bend(form);
  clp_bernstein_unscale(&form->g);
  set_gauss_noise(form);
}

/* set_noise takes sixteen halves of a unit in the last place per length. */
void clp_second_form_set_shifted(clp_second_form *form, const clp_face_span *span, double radius,
                                 double offset, bool bend)
{
  set_metric(form, span, (clp_span_ball){{0, 0, 0}, radius}, offset / 16);
  set_plane(form);
  if (bend) {
    set_bend(form, span);
    unscale_bend(form);
  }
  unscale_normal(form);
  clp_bernstein_unscale(&form->plane);
}

void clp_second_form_set_gauss(clp_second_form *form)
{
  clp_bernstein_scale(&form->l);
  clp_bernstein_scale(&form->m);
  clp_bernstein_scale(&form->k);
  set_gauss(form);
  unscale_bend(form);
  clp_bernstein_unscale(&form->g);
  set_gauss_noise(form);
}
