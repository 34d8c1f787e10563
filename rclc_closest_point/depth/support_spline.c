/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/face_span.h"
#include "rclc_closest_point/surface/spline_height.h"
#include "rclc_closest_point/witness/effort.h"

/* ---- Curves ------------------------------------------------------------------------------- */

/* Samples of a curve: a few per span. */
enum { CURVE_SAMPLES = 64 };

/* Halvings and Newton steps that narrow a bracket down to rounding. */
#define NARROWINGS 60

/* How high a curve is along a direction. */
typedef struct rise {
  clp_nurbs nurbs;
  clp_vec3 n;
  clp_height_form form;
  int effort;
} rise;

static clp_spline_height rise_at(rise *r, double t)
{
  r->effort += CLP_EFFORT_PLACE;
  clp_height_form_at(&r->nurbs, r->n, t, 0, &r->form);
  return clp_form_rise(&r->form, t);
}

/* The root of n.p' in [lo, hi], where it falls from positive to negative. A Newton step that leaves
 * the bracket is replaced by halving. */
static double peak_between(rise *r, double lo, double hi)
{
  double t = 0.5 * (lo + hi);
  for (int k = 0; k < NARROWINGS; ++k) {
    clp_spline_height at = rise_at(r, t);
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

int clp_support_on_curve(const clp_curve *curve, clp_vec3 n, double peaks[CLP_SUPPORT_PEAKS],
                         int *effort)
{
  clp_domain domain;
  rise r;
  r.nurbs = clp_curve_as_nurbs(curve, &domain);
  r.n = n;
  r.form.block = NULL;
  r.effort = CLP_EFFORT_NORMAL;
  const int most = 6 + 2 * r.nurbs.spans_u, samples = most < CURVE_SAMPLES ? most : CURVE_SAMPLES;
  double before = curve->lo, slope_before = rise_at(&r, before).u;
  int count = 0;
  for (int k = 1; k <= samples && count < CLP_SUPPORT_PEAKS; ++k) {
    double at = k < samples ? curve->lo + (curve->hi - curve->lo) * k / samples : curve->hi;
    double slope = rise_at(&r, at).u;
    if (slope_before > 0 && slope <= 0)
      peaks[count++] = peak_between(&r, before, at);
    before = at;
    slope_before = slope;
  }
  *effort += r.effort;
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

/* Along one parameter: of the spans from `first` on up to the last one every so many, each by so
 * many cells. */
typedef struct sampling {
  int first, last, by, cells;
} sampling;

static sampling sampling_between(int first, int last, int degree)
{
  int spans = last - first + 1, by = (spans + FACE_SAMPLES_MAX - 1) / FACE_SAMPLES_MAX;
  int most = FACE_SAMPLES_MAX / spans, cells = spans > 1 ? 2 + degree / 4 : 2 + degree / 2;
  return (sampling){first, last, by, cells < most ? cells : most > 1 ? most : 1};
}

/* Of the spans that the face covers. */
static sampling sampling_of(const double *breaks, int spans, int degree, double lo, double hi)
{
  int first = 0;
  while (first + 1 < spans && breaks[first + 1] <= lo)
    ++first;
  int last = first;
  while (last + 1 < spans && breaks[last + 1] < hi)
    ++last;
  return sampling_between(first, last, degree);
}

static int samples_of(sampling s)
{
  return ((s.last - s.first) / s.by + 1) * s.cells;
}

int clp_support_samples(const clp_nurbs *nurbs)
{
  return samples_of(sampling_between(0, nurbs->spans_u - 1, nurbs->degree_u)) *
         samples_of(sampling_between(0, nurbs->spans_v - 1, nurbs->degree_v));
}

clp_spline_place clp_support_sample(const clp_face *face, clp_vec3 n, int *effort)
{
  const clp_nurbs *nurbs = &face->surface.as.nurbs;
  const double *from = face->domain.lo, *to = face->domain.hi;
  const double *breaks_u = nurbs->breaks_u, *breaks_v = nurbs->breaks_v;
  sampling u = sampling_of(breaks_u, nurbs->spans_u, nurbs->degree_u, from[0], to[0]);
  sampling v = sampling_of(breaks_v, nurbs->spans_v, nurbs->degree_v, from[1], to[1]);
  const int cells[2] = {u.cells, v.cells};
  clp_height_form form;
  clp_spline_place best = {from[0], from[1], -HUGE_VAL};
  for (int i = u.first; i <= u.last; i += u.by)
    for (int j = v.first; j <= v.last; j += v.by) {
      const double lo[2] = {clp_larger(breaks_u[i], from[0]), clp_larger(breaks_v[j], from[1])};
      const double hi[2] = {clp_smaller(breaks_u[i + 1], to[0]),
                            clp_smaller(breaks_v[j + 1], to[1])};
      clp_height_form_of(nurbs, n, i, j, &form);
      clp_spline_place there = clp_form_highest(&form, lo, hi, cells);
      best = there.height > best.height ? there : best;
    }
  *effort += CLP_EFFORT_NORMAL + samples_of(u) * samples_of(v) * CLP_EFFORT_PLACE;
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
