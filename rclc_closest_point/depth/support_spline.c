/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/face_span.h"
#include "rclc_closest_point/surface/spline_height.h"
#include "rclc_closest_point/witness/effort.h"

/* ---- Curves ------------------------------------------------------------------------------- */

/* Halvings and Newton steps that narrow a bracket down to rounding. */
#define NARROWINGS 60

/* The root of n.p' in [lo, hi], where it falls from positive to negative. A Newton step that leaves
 * the bracket is replaced by halving. */
static double peak_between(const clp_height_form *form, double lo, double hi, int *effort)
{
  double t = 0.5 * (lo + hi);
  for (int k = 0; k < NARROWINGS; ++k) {
    *effort += CLP_EFFORT_PLACE;
    clp_spline_height at = clp_form_rise(form, t);
    if (at.u > 0)
      lo = t;
    else
      hi = t;
    double next = at.uu < 0 ? t - at.u / at.uu : lo;
    bool inside = next > lo && next < hi;
    double last = t;
    t = inside ? next : 0.5 * (lo + hi);
    if (t == last || hi - lo <= CLP_ROUNDING_ONCE * (fabs(lo) + fabs(hi)))
      break;
  }
  return t;
}

/* A few samples for each span; where two spans meet the slope may change its sign at once. */
int clp_support_on_curve(const clp_curve *curve, clp_vec3 n, double peaks[CLP_SUPPORT_PEAKS],
                         int *effort)
{
  clp_domain domain;
  const clp_nurbs nurbs = clp_curve_as_nurbs(curve, &domain);
  const int samples = 2 + 6 / nurbs.spans_u;
  clp_height_form form;
  bool rising = false;
  int count = 0;
  for (int i = 0; i < nurbs.spans_u; ++i) {
    double lo = fmax(nurbs.breaks_u[i], curve->lo), hi = fmin(nurbs.breaks_u[i + 1], curve->hi);
    if (!(lo < hi))
      continue;
    *effort += (samples + 1) * CLP_EFFORT_PLACE;
    clp_height_form_of(&nurbs, n, i, 0, &form);
    double before = lo;
    for (int k = 0; k <= samples; ++k) {
      double at = k < samples ? lo + (hi - lo) * k / samples : hi;
      double slope = clp_form_rise(&form, at).u;
      if (rising && slope <= 0 && count < CLP_SUPPORT_PEAKS)
        peaks[count++] = peak_between(&form, before, at, effort);
      rising = slope > 0;
      before = at;
    }
  }
  return count;
}

/* ---- Faces -------------------------------------------------------------------------------- */

/* Samples along either parameter: more for higher degrees and more spans. The ascent from the best
 * of them is safeguarded, so that they need not be close. */
enum { FACE_SAMPLES_MAX = 24 };

/* Iterations from the best sample. Newton's need about five. */
#define ASCENT_BUDGET 30

/* How often a step that does not lead up is halved. */
#define HALVINGS 8

/* Of the face's parameters: the step that comes after one of Newton's that is this short, about its
 * square, is rounding. */
#define LAST_STEP 1e-7

/* The least curvature along any direction, of the largest: where there is less, or the height is
 * not concave at all, steps are as if there were so much. */
#define LEAST_CURVATURE 1e-6

/* Of a span. */
static int samples_along(int degree, int spans)
{
  int most = FACE_SAMPLES_MAX / spans, samples = spans > 1 ? 2 + degree / 4 : 2 + degree / 2;
  return samples < most ? samples : most > 1 ? most : 1;
}

int clp_support_samples(const clp_nurbs *nurbs)
{
  return nurbs->spans_u * samples_along(nurbs->degree_u, nurbs->spans_u) * nurbs->spans_v *
         samples_along(nurbs->degree_v, nurbs->spans_v);
}

/* What the face covers of a span, along one parameter; false where that is nothing. */
static bool covers(const double *breaks, const clp_domain *domain, int axis, double *lo, double *hi)
{
  *lo = clp_larger(breaks[0], domain->lo[axis]);
  *hi = clp_smaller(breaks[1], domain->hi[axis]);
  return *lo < *hi;
}

clp_spline_place clp_support_sample(const clp_face *face, clp_vec3 n, int *effort)
{
  const clp_nurbs *nurbs = &face->surface.as.nurbs;
  const int cells[2] = {samples_along(nurbs->degree_u, nurbs->spans_u),
                        samples_along(nurbs->degree_v, nurbs->spans_v)};
  clp_height_form form;
  clp_spline_place best = {face->domain.lo[0], face->domain.lo[1], -HUGE_VAL};
  double lo[2], hi[2];
  for (int i = 0; i < nurbs->spans_u; ++i)
    for (int j = 0; j < nurbs->spans_v; ++j) {
      if (!covers(nurbs->breaks_u + i, &face->domain, 0, &lo[0], &hi[0]) ||
          !covers(nurbs->breaks_v + j, &face->domain, 1, &lo[1], &hi[1]))
        continue;
      clp_height_form_of(nurbs, n, i, j, &form);
      clp_spline_place there = clp_form_highest(&form, lo, hi, cells);
      best = there.height > best.height ? there : best;
    }
  *effort += CLP_EFFORT_NORMAL + clp_support_samples(nurbs) * CLP_EFFORT_PLACE;
  return best;
}

/* A place of the face, in parts of its parameters from 0 to 1, and how high it is. */
typedef struct ascent {
  const clp_face *face;
  clp_vec3 n;
  double x[2], width[2];
  clp_spline_height at;
  clp_height_form form;
  int effort;
} ascent;

static clp_site site_of(const ascent *a, const double x[2])
{
  const double *lo = a->face->domain.lo, *hi = a->face->domain.hi;
  return (clp_site){{(1 - x[0]) * lo[0] + x[0] * hi[0], (1 - x[1]) * lo[1] + x[1] * hi[1], 0}};
}

static clp_spline_height height_at(ascent *a, const double x[2])
{
  clp_site site = site_of(a, x);
  a->effort += CLP_EFFORT_SPLINE;
  clp_height_form_at(&a->face->surface.as.nurbs, a->n, site.c[0], site.c[1], &a->form);
  return clp_form_height(&a->form, site.c[0], site.c[1]);
}

/* The maximum of g.d - d m d / 2. Whether m is concave enough for that to be Newton's step. */
static bool newton_step(const double g[2], const double m[3], double d[2])
{
  double half = 0.5 * (m[0] + m[2]), off = 0.5 * (m[0] - m[2]);
  double root = sqrt(off * off + m[1] * m[1]), least = LEAST_CURVATURE * (fabs(half) + root);
  double more = half - root < least ? least - (half - root) : 0;
  double uu = m[0] + more, vv = m[2] + more, det = uu * vv - m[1] * m[1];
  d[0] = det > 0 ? (vv * g[0] - m[1] * g[1]) / det : 0;
  d[1] = det > 0 ? (uu * g[1] - m[1] * g[0]) / det : 0;
  return more == 0;
}

static bool leads_out(double x, double d)
{
  return (x <= 0 && d < 0) || (x >= 1 && d > 0);
}

/* Uphill within the face: where the way leads out at a side, along it. */
static bool step_up(const ascent *a, double d[2])
{
  const double *w = a->width;
  double g[2] = {w[0] * a->at.u, w[1] * a->at.v};
  double m[3] = {-w[0] * w[0] * a->at.uu, -w[0] * w[1] * a->at.uv, -w[1] * w[1] * a->at.vv};
  bool newton = newton_step(g, m, d);
  for (int i = 0; i < 2; ++i)
    if (leads_out(a->x[i], d[i])) {
      int k = 1 - i;
      double bend = clp_larger(m[2 * k], LEAST_CURVATURE * fabs(m[2 * i]));
      newton = bend == m[2 * k];
      d[i] = 0;
      d[k] = bend > 0 ? g[k] / bend : 0;
      if (leads_out(a->x[k], d[k]))
        d[k] = 0;
    }
  return newton;
}

/* Where a part of the step leads, within the face. */
static void go(const ascent *a, const double d[2], double part, double x[2])
{
  for (int i = 0; i < 2; ++i)
    x[i] = clp_smaller(clp_larger(a->x[i] + part * d[i], 0), 1);
}

/* As much of the step as leads up. False where none does. */
static bool move(ascent *a, const double d[2])
{
  double rounding = CLP_ROUNDING_ONCE * (fabs(a->at.p) + a->face->radius), part = 1;
  for (int i = 0; i < 2; ++i)
    if (d[i] != 0)
      part = clp_smaller(part, (d[i] > 0 ? 1 - a->x[i] : -a->x[i]) / d[i]);
  for (int k = 0; k < HALVINGS; ++k, part *= 0.5) {
    double x[2];
    go(a, d, part, x);
    clp_spline_height there = height_at(a, x);
    if (!(there.p >= a->at.p - rounding))
      continue;
    a->x[0] = x[0];
    a->x[1] = x[1];
    a->at = there;
    return true;
  }
  return false;
}

static void start(ascent *a, const clp_face *face, clp_vec3 n, clp_spline_place from)
{
  const double *lo = face->domain.lo, *hi = face->domain.hi;
  a->face = face;
  a->n = n;
  a->form.block = NULL;
  a->effort = 0;
  for (int i = 0; i < 2; ++i) {
    a->width[i] = hi[i] - lo[i];
    a->x[i] = ((i == 0 ? from.u : from.v) - lo[i]) / a->width[i];
  }
  a->at = height_at(a, a->x);
}

clp_site clp_support_on_spline(const clp_face *face, clp_vec3 n, clp_spline_place from, int *effort)
{
  ascent a;
  start(&a, face, n, from);
  for (int k = 0; k < ASCENT_BUDGET; ++k) {
    double d[2];
    bool newton = step_up(&a, d);
    bool last = clp_larger(fabs(d[0]), fabs(d[1])) <= (newton ? LAST_STEP : CLP_ROUNDING_ONCE);
    if (last)
      go(&a, d, 1, a.x);
    if (last || !move(&a, d))
      break;
  }
  *effort += a.effort;
  return site_of(&a, a.x);
}
