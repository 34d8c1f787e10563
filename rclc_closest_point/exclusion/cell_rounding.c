/* SPDX-License-Identifier: Apache-2.0 */
/* How far off what is said of a chart's cells may be, for rounding, beside that of where places are
 * (u = 2^-53). */

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/exclusion/cell_chart.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/span.h"

/* ---- Parameters ----------------------------------------------------------------------------- */

/* A cell's ends are its middle and half width, its middle that of its parent and half its own
 * width: that is rounded by u of the chart's largest parameter M, or by less than the cell is wide.
 * So each halving leaves out as much of the parent at most, and all halvings together no more than
 * 55 u M: 53, until cells are as narrow as that, and two for all that follow. The chart's own ends
 * are off by 4 u M, its span's middle, an end that is fixed and one that a part begins at by u M
 * each; cells are taken to be in a core's box that stick out of it by 20 u M (cell_core.c), and to
 * cut them along one costs 3 u M, for which there is room fifteen times: 128 u M in all. Places are
 * missed by that times a derivative. */
#define CUT (64 * CLP_ROUNDING_UNIT)

/* Bounds of the derivatives' lengths: in the middle, and what the second ones change. */
double clp_chart_digits(const clp_body *body, const clp_chart *chart)
{
  double middle[2], half[2], digits = 0;
  for (int k = 0; k < 2; ++k) {
    middle[k] = 0.5 * (chart->lo[k] + chart->hi[k]);
    half[k] = 0.5 * (chart->hi[k] - chart->lo[k]);
  }
  clp_jet jet = clp_chart_jet(body, chart, middle[0], middle[1]);
  clp_chart_bounds b = clp_chart_bound(body, chart, middle[1], half[1]);
  for (int k = 0; k < 2; ++k) {
    double most = clp_max(fabs(chart->lo[k]), fabs(chart->hi[k]));
    double length = clp_norm(k == 0 ? jet.u : jet.v) +
                    half[0] * hypot(b.second[0][k], b.second[1][k]) +
                    half[1] * hypot(b.second[0][k + 1], b.second[1][k + 1]);
    digits += CUT * most * length;
  }
  return digits;
}

/* ---- Splines -------------------------------------------------------------------------------- */

/* What a cell is off for its expansion. It is as wide as the span over `pieces` at most. So a first
 * derivative's terms are at most degree / pieces times the place's, a second one's the square of
 * that: with x for both degrees together all of it is off by 1 + x + x^2 / 2 times what places are,
 * for which see clp_face_rounding, and one last digit for multiplying with the width. Where weights
 * are divided out the first derivative takes what the place is off times the weight's slope, too,
 * and the second one twice what both are. */
static double of_expansion(double place, double x, double pull)
{
  return (1 + x + 0.5 * x * x) * (1 + pull) * (1 + pull) * place;
}

/* What control points of a part are off, for the means that they and their weights are made of. */
static double of_points(const clp_nurbs *nurbs, int span)
{
  size_t count = clp_span_points(nurbs->degree_u, nurbs->degree_v);
  const double *h = nurbs->bezier + 4 * count * (size_t)span;
  double far = 0, least = HUGE_VAL, most = 0;
  for (size_t k = 0; k < count; ++k, h += 4) {
    far = clp_max(far, clp_norm((clp_vec3){h[0], h[1], h[2]}) / h[3]);
    least = clp_min(least, h[3]);
    most = clp_max(most, h[3]);
  }
  return 2 * clp_chart_means(nurbs->degree_u, nurbs->degree_v) * far * most / least;
}

double clp_chart_evaluation(const clp_nurbs *nurbs, int span, int pieces)
{
  int degrees = nurbs->degree_u + nurbs->degree_v;
  clp_span_terms terms = clp_nurbs_terms(nurbs, span);
  double x = (double)degrees / pieces, pull = 2 * terms.pull / pieces;
  double place = (degrees + 3) * CLP_ROUNDING_UNIT * terms.sum;
  return clp_max(of_expansion(place, x, pull), of_points(nurbs, span));
}
