/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_CHART_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_CHART_H

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/witness/spot.h"

/* Charts: faces as images of rectangles.
 *
 * A branch and bound halves rectangles of parameters, so every face is covered by charts, each of
 * which maps a rectangle [lo, hi] into the face: what is halved never leaves it. Charts may overlap
 * (a disc is a square in its middle and a ring), and none has a pole in its inside: near a pole of
 * the ring's angle there is a chart without one. The tip of a cone is the one place where a side of
 * a chart is a point.
 *
 * Next to its first and second derivatives a chart knows bounds of its second and third ones over
 * any part of itself: of their components along a direction of its own, the axis, and of those
 * across it. The derivatives of a piece of a plane have nothing along its normal, nor has what a
 * turn about an axis does anything along that, and mostly it is this direction that matters. */

typedef enum clp_chart_kind {
  CLP_CHART_POINT, /* a point body: no parameters */
  CLP_CHART_CURVE, /* a planar body's curve: u is its parameter, v is not used */
  CLP_CHART_QUAD,  /* a plane: (x, y) = data[0..1] + u data[2..3] + v data[4..5] + uv data[6..7] */
  CLP_CHART_NATURAL,  /* (u, v) is the surface's site */
  CLP_CHART_POLAR,    /* the site is (v cos u, v sin u) */
  CLP_CHART_TURN,     /* the site is (cos u, sin u, v) */
  CLP_CHART_LATITUDE, /* an ellipsoid: u is the azimuth, v the latitude of the site */
  CLP_CHART_CAP       /* an ellipsoid about a pole: the site is (u, v, +-sqrt(1 - u^2 - v^2)) */
} clp_chart_kind;

/* Bounds of derivatives: [0] of the length of what is square to the axis, [1] of the component
 * along it. */
typedef struct clp_chart_bounds {
  double second[2][3]; /* uu, uv, vv */
  double third[2][4];  /* uuu, uuv, uvv, vvv */
} clp_chart_bounds;

typedef struct clp_chart {
  clp_chart_kind kind;
  uint32_t id; /* of the face, or of the edge of a CURVE */
  double lo[2], hi[2];
  double data[8];          /* of a QUAD; data[0] is the sign of a CAP */
  clp_vec3 axis;           /* unit */
  clp_chart_bounds bounds; /* over the whole chart; of turning charts only those of vv and vvv */
  double stretch;          /* POLAR, TURN, LATITUDE, else 0: |d/du| <= stretch * radius, ... */
  double slope;            /* ... and a bound of the radius' derivative */
  double lengths;          /* what rounding is relative to, beside where places are */
  bool spline;             /* a part of the span number `span` of a spline */
  int span;
} clp_chart;

/* Point and derivatives in the body's frame; (u, v) in the chart's rectangle. */
clp_jet clp_chart_jet(const clp_body *body, const clp_chart *chart, double u, double v);

/* Over the part of the chart with parameters v +- half_v. */
clp_chart_bounds clp_chart_bound(const clp_body *body, const clp_chart *chart, double v,
                                 double half_v);

/* The control points of a rectangle of a spline's chart, whose convex hull holds it; how many there
 * are. They say where the surface is near a pole, too, where derivatives say little; and mostly a
 * little more than bounds of the derivatives over the whole chart do. */
uint32_t clp_chart_hull(const clp_body *body, const clp_chart *chart, const double middle[2],
                        const double half[2], clp_vec3 *points);

clp_spot clp_chart_spot(const clp_body *body, const clp_chart *chart, double u, double v);

/* ---- Covering a body (cell_cover.c) --------------------------------------------------------- */

/* How many charts cover the body, how many control points bound those of splines, and the charts
 * themselves. For building: takes its time. */
uint32_t clp_chart_count(const clp_body *body);
uint64_t clp_chart_points(const clp_body *body);
void clp_chart_cover(const clp_body *body, clp_chart *charts);

/* ---- Rounding (cell_rounding.c) -------------------------------------------------------------- */

/* How far the chart's cells may be from covering it, for the digits of parameters (m). */
double clp_chart_digits(const clp_body *body, const clp_chart *chart);

/* How far off Bezier points of a part of a span may be, of the largest one's size. They take 2
 * (degree_u + degree_v) rounds of means, three roundings each, half a last digit of the largest;
 * and turning, centering and dividing them adds four. */
static inline double clp_chart_means(int degree_u, int degree_v)
{
  return (3 * (degree_u + degree_v) + 4) * CLP_ROUNDING_UNIT;
}

/* How far off expansions and control points may be of a span that is cut into so many pieces along
 * each parameter (m). */
double clp_chart_evaluation(const clp_nurbs *nurbs, int span, int pieces);

/* ---- Splines (cell_spline.c) ---------------------------------------------------------------- */

/* Bounds of the derivatives of a rational Bezier piece over [u0, u1] x [v0, v1] of its unit square,
 * with respect to the unit square's parameters; `bezier` as in clp_nurbs, degree_v may be 0.
 * *slope receives a bound of the part of the derivative along u that is square to the axis. */
clp_chart_bounds clp_chart_spline_bounds(int degree_u, int degree_v, const double *bezier,
                                         clp_vec3 axis, const double u[2], const double v[2],
                                         double *slope);

#endif
