/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/spline_height.h"

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/spline_lanes.h"

static void write_form(const clp_nurbs *nurbs, clp_vec3 n, const double *block,
                       clp_height_form *form)
{
  const double *c = block + CLP_SPAN_HEAD, *last = c;
  form->block = block;
  form->degree_u = nurbs->degree_u;
  form->degree_v = nurbs->degree_v;
  form->middle = clp_dot(n, (clp_vec3){block[0], block[1], block[2]});
  last += 4 * clp_span_points(nurbs->degree_u, nurbs->degree_v);
  for (double *to = form->c; c < last; c += 4, to += 4) {
    to[0] = clp_dot(n, (clp_vec3){c[0], c[1], c[2]});
    to[1] = c[3];
  }
}

void clp_height_form_of(const clp_nurbs *nurbs, clp_vec3 n, int i, int j, clp_height_form *form)
{
  size_t block = clp_span_block(nurbs->degree_u, nurbs->degree_v);
  write_form(nurbs, n, nurbs->coefficients + (size_t)(i * nurbs->spans_v + j) * block, form);
}

/* Whether the span is one that the place is in. */
static bool holds(const double *block, double u, double v)
{
  return block && fabs(u - block[CLP_SPAN_MIDDLE_U]) <= block[CLP_SPAN_HALF_U] &&
         fabs(v - block[CLP_SPAN_MIDDLE_V]) <= block[CLP_SPAN_HALF_V];
}

void clp_height_form_at(const clp_nurbs *nurbs, clp_vec3 n, double u, double v,
                        clp_height_form *form)
{
  if (holds(form->block, u, v))
    return;
  const double *block = block_at(nurbs, nurbs->degree_u, nurbs->degree_v, u, v);
  if (block != form->block)
    write_form(nurbs, n, block, form);
}

/* Of a polynomial the denominator is one, and its coefficients are not those of one. */
static bool is_polynomial(const clp_height_form *form)
{
  return form->block[CLP_SPAN_TRUST] > 0;
}

clp_spline_place clp_form_highest(const clp_height_form *form, const double lo[2],
                                  const double hi[2], const int cells[2])
{
  const bool polynomial = is_polynomial(form);
  const int stride = 4 * (form->degree_v + 1);
  const double *last = form->c + form->degree_u * stride;
  clp_spline_place best = {lo[0], lo[1], -HUGE_VAL};
  lanes row[CLP_MAX_DEGREE + 1];
  for (int i = 0; i < cells[0]; ++i) {
    double u = lo[0] + (hi[0] - lo[0]) * (i + 0.5) / cells[0];
    lanes s = lanes_of(u - form->block[CLP_SPAN_MIDDLE_U]);
    for (int k = 0; k <= form->degree_v; ++k) {
      row[k] = lanes_load(last + 4 * k);
      for (const double *c = last - stride + 4 * k; c >= form->c; c -= stride)
        row[k] = s * row[k] + lanes_load(c);
    }
    for (int j = 0; j < cells[1]; ++j) {
      double v = lo[1] + (hi[1] - lo[1]) * (j + 0.5) / cells[1];
      lanes t = lanes_of(v - form->block[CLP_SPAN_MIDDLE_V]), p = row[form->degree_v];
      for (int k = form->degree_v - 1; k >= 0; --k)
        p = t * p + row[k];
      double height = polynomial ? p[0] : p[0] / p[1];
      if (height > best.height)
        best = (clp_spline_place){u, v, height};
    }
  }
  best.height += form->middle;
  return best;
}

/* The quotient rule (spline_kernel.h), with h = a / w: a_u = w h_u + w_u h and so on; what lanes
 * have of a second derivative along one parameter is half of it. */
clp_spline_height clp_form_height(const clp_height_form *form, double u, double v)
{
  lanes s = lanes_of(u - form->block[CLP_SPAN_MIDDLE_U]);
  lanes t = lanes_of(v - form->block[CLP_SPAN_MIDDLE_V]);
  lanes_jet j = lanes_jet_at(form->c, form->degree_u, form->degree_v, s, t);
  clp_spline_height h = {j.p[0], j.s[0], j.t[0], 2 * j.ss[0], j.st[0], 2 * j.tt[0]};
  if (!is_polynomial(form)) {
    double over = 1 / j.p[1];
    h.p *= over;
    h.u = over * (h.u - j.s[1] * h.p);
    h.v = over * (h.v - j.t[1] * h.p);
    h.uu = over * (h.uu - 2 * (j.s[1] * h.u + j.ss[1] * h.p));
    h.uv = over * (h.uv - j.s[1] * h.v - j.t[1] * h.u - j.st[1] * h.p);
    h.vv = over * (h.vv - 2 * (j.t[1] * h.v + j.tt[1] * h.p));
  }
  h.p += form->middle;
  return h;
}

clp_spline_height clp_form_rise(const clp_height_form *form, double u)
{
  lanes_row r = row_at(form->c, form->degree_u, lanes_of(u - form->block[CLP_SPAN_MIDDLE_U]));
  clp_spline_height h = {.p = r.a[0], .u = r.d[0], .uu = 2 * r.h[0]};
  if (!is_polynomial(form)) {
    double over = 1 / r.a[1];
    h.p *= over;
    h.u = over * (h.u - r.d[1] * h.p);
    h.uu = over * (h.uu - 2 * (r.d[1] * h.u + r.h[1] * h.p));
  }
  h.p += form->middle;
  return h;
}
