/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/depth/turning.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/witness/system.h"

/* ---- Curves ------------------------------------------------------------------------------- */

/* Samples of a curve: a few per span. */
enum { CURVE_SAMPLES = 64 };

/* Halvings and Newton steps that narrow a bracket down to rounding. */
#define NARROWINGS 60

/* Of the body's size: a climb that moves less has arrived. */
#define LAST_STEP 1e-13

/* The root of n.p' in [lo, hi], where it falls from positive to negative. A Newton step that leaves
 * the bracket is replaced by halving. */
static double peak_between(const clp_curve *curve, clp_vec3 n, double lo, double hi, int *effort)
{
  double t = 0.5 * (lo + hi);
  for (int k = 0; k < NARROWINGS; ++k) {
    *effort += CLP_EFFORT_NORMAL;
    clp_curve_jet jet = clp_curve_jet_at(curve, clp_curve_site_at(curve, t));
    double slope = clp_dot(n, jet.t), bend = clp_dot(n, jet.tt);
    if (slope > 0)
      lo = t;
    else
      hi = t;
    double next = bend < 0 ? t - slope / bend : lo;
    bool inside = next > lo && next < hi;
    double last = t;
    t = inside ? next : 0.5 * (lo + hi);
    if (t == last || hi - lo <= CLP_ROUNDING_ONCE * (fabs(lo) + fabs(hi)))
      break;
  }
  return t;
}

static double slope_at(const clp_curve *curve, clp_vec3 n, double t)
{
  return clp_dot(n, clp_curve_jet_at(curve, clp_curve_site_at(curve, t)).t);
}

int clp_support_on_curve(const clp_curve *curve, clp_vec3 n, double peaks[CLP_SUPPORT_PEAKS],
                         int *effort)
{
  int spans = curve->kind == CLP_CURVE_NURBS ? curve->as.nurbs.spans : 1, count = 0;
  int samples = 6 + 2 * spans < CURVE_SAMPLES ? 6 + 2 * spans : CURVE_SAMPLES;
  double before = curve->lo, slope_before = slope_at(curve, n, before);
  *effort += samples * CLP_EFFORT_NORMAL;
  for (int k = 1; k <= samples && count < CLP_SUPPORT_PEAKS; ++k) {
    double at = k < samples ? curve->lo + (curve->hi - curve->lo) * k / samples : curve->hi;
    double slope = slope_at(curve, n, at);
    if (slope_before > 0 && slope <= 0)
      peaks[count++] = peak_between(curve, n, before, at, effort);
    before = at;
    slope_before = slope;
  }
  return count;
}

/* ---- Faces -------------------------------------------------------------------------------- */

/* Samples along either parameter: more for higher degrees and more spans. The ascent from the best
 * of them is safeguarded, so that they need not be close. */
enum { FACE_SAMPLES_MIN = 3, FACE_SAMPLES_MAX = 24 };

/* Iterations from the best sample. Newton's need about five; sliding along sides takes more. */
#define ASCENT_BUDGET 30

/* How often a step that does not lead up is halved. */
#define HALVINGS 8

static int samples_along(int degree, int spans)
{
  int samples = degree / 2 + 2 * spans;
  samples = samples > FACE_SAMPLES_MIN ? samples : FACE_SAMPLES_MIN;
  return samples < FACE_SAMPLES_MAX ? samples : FACE_SAMPLES_MAX;
}

int clp_support_samples(const clp_nurbs *nurbs)
{
  return samples_along(nurbs->degree_u, nurbs->spans_u) *
         samples_along(nurbs->degree_v, nurbs->spans_v);
}

/* The samples are the middles of a grid's cells: sides may be collapsed, or have other places where
 * no step can be made. */
static clp_site best_sample(const clp_face *face, clp_vec3 n)
{
  const clp_nurbs *nurbs = &face->surface.as.nurbs;
  const double *lo = face->domain.lo, *hi = face->domain.hi;
  int count_u = samples_along(nurbs->degree_u, nurbs->spans_u);
  int count_v = samples_along(nurbs->degree_v, nurbs->spans_v);
  clp_site best = {{lo[0], lo[1], 0}};
  double highest = -HUGE_VAL;
  for (int i = 0; i < count_u; ++i)
    for (int j = 0; j < count_v; ++j) {
      double u = (i + 0.5) / count_u, v = (j + 0.5) / count_v;
      clp_site site = {{(1 - u) * lo[0] + u * hi[0], (1 - v) * lo[1] + v * hi[1], 0}};
      double height = clp_dot(n, clp_surface_point(&face->surface, site));
      if (height > highest) {
        highest = height;
        best = site;
      }
    }
  return best;
}

/* The step that the bound `side` leaves: along it. */
static void slide(const clp_body *body, clp_spot spot, const clp_turning *turning, clp_vec3 n,
                  int side, double dx[2])
{
  double along[2], slopes[2] = {0, 0};
  clp_side_along(body, spot, side, along);
  clp_turning_slopes(turning, n, slopes);
  const double(*m)[2] = turning->inverse;
  double det = m[0][0] * m[1][1] - m[0][1] * m[0][1];
  /* a G a, from the inverse of G */
  double g = along[0] * along[0] * m[1][1] - 2 * along[0] * along[1] * m[0][1] +
             along[1] * along[1] * m[0][0];
  double step = det > 0 && g > 0 ? (along[0] * slopes[0] + along[1] * slopes[1]) * det / g : 0;
  dx[0] = step * along[0];
  dx[1] = step * along[1];
}

/* Moves by dx, or less, so that n.p does not fall by more than rounding makes it. */
static bool climb(const clp_body *body, clp_spot *spot, clp_vec3 n, double least,
                  const double dx[2], double fraction, int side)
{
  for (int k = 0; k < HALVINGS; ++k, fraction *= 0.5, side = -1) {
    double x[2] = {fraction * dx[0], fraction * dx[1]};
    clp_spot trial = clp_spot_move(body, *spot, x, side);
    if (clp_dot(n, clp_spot_point(body, trial)) >= least) {
      *spot = trial;
      return true;
    }
  }
  return false;
}

clp_site clp_support_on_spline(const clp_body *body, uint32_t face, clp_vec3 n, int *effort)
{
  const clp_nurbs *nurbs = &body->faces[face].surface.as.nurbs;
  clp_spot spot = clp_spot_on_face(face, best_sample(&body->faces[face], n));
  *effort += clp_support_samples(nurbs) * CLP_EFFORT_NORMAL;
  for (int k = 0; k < ASCENT_BUDGET; ++k) {
    *effort += CLP_EFFORT_JETS + CLP_EFFORT_TRIAL;
    clp_spot_jet jet = clp_spot_jet_at(body, spot);
    clp_turning turning = clp_turning_of(&jet, n, body->size);
    double slopes[2] = {0, 0}, dx[2] = {0, 0};
    int side;
    clp_turning_slopes(&turning, n, slopes);
    clp_turning_step(&turning, slopes, dx);
    double fraction = clp_spot_fraction(body, spot, dx, &side);
    if (side >= 0 && fraction <= 0) {
      slide(body, spot, &turning, n, side, dx);
      fraction = clp_spot_fraction(body, spot, dx, &side);
    }
    double moved = clp_norm(clp_turning_move(&turning, dx)) * fraction;
    double least = clp_dot(n, jet.p) - CLP_ROUNDING_ONCE * (clp_norm(jet.p) + body->size);
    if (!climb(body, &spot, n, least, dx, fraction, side) || !(moved > LAST_STEP * body->size))
      break;
  }
  return spot.site;
}
