/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_core.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/exclusion/cell_expand.h"
#include "rclc_closest_point/math/pose.h"

/* Halvings of a chart's width, at most, until it is a core's. */
#define HALVINGS 16

/* A spot this far from the middle of a box (of its half width) is near its bound. */
#define CENTRAL 0.7

/* A spot that is outside of the core by this part of its half width is taken to be on its bound:
 * the bound's own place is looked at then. */
#define BESIDE 1e-6

/* Of a chart's parameters: rounding of what a box's bounds are computed from. */
#define SAME_PARAMETER 1e-15

static const double half_turn = 3.14159265358979323846;

/* ---- Where is a spot? --------------------------------------------------------------------- */

/* A chart's parameters of a site; angles are the ones nearest to `middle`. */
static bool parameters_of(const clp_chart *chart, clp_site site, double middle, double p[2])
{
  const double *c = site.c, *d = chart->data;
  p[0] = c[0];
  p[1] = c[1];
  switch (chart->kind) {
    case CLP_CHART_NATURAL:
    case CLP_CHART_CAP:
      return true;
    case CLP_CHART_QUAD: {
      double det = d[2] * d[5] - d[3] * d[4], x = c[0] - d[0], y = c[1] - d[1];
      p[0] = (x * d[5] - y * d[4]) / det;
      p[1] = (y * d[2] - x * d[3]) / det;
      return d[6] == 0 && d[7] == 0;
    }
    case CLP_CHART_POLAR:
      p[1] = hypot(c[0], c[1]);
      break;
    case CLP_CHART_TURN:
      p[1] = c[2];
      break;
    case CLP_CHART_LATITUDE:
      p[1] = atan2(c[2], hypot(c[0], c[1]));
      break;
    default:
      return false;
  }
  p[0] = atan2(c[1], c[0]);
  p[0] += 2 * half_turn * round((middle - p[0]) / (2 * half_turn));
  return true;
}

/* An edge's place on a face that it borders on. */
static bool site_on_face(const clp_body *body, clp_spot spot, uint32_t face, clp_site *site)
{
  *site = spot.site;
  if (spot.kind == CLP_FACE)
    return spot.id == face;
  const clp_edge *edge = &body->edges[spot.id];
  for (int k = 0; spot.kind == CLP_EDGE && k < 2; ++k) {
    if (edge->use[k] == CLP_NONE || body->uses[edge->use[k]].face != face)
      continue;
    *site = clp_edge_face_site(edge, k, &body->uses[edge->use[k]], &body->faces[face],
                               clp_spot_curve_site(spot));
    return true;
  }
  return false;
}

/* The spot's parameters on the tract's chart. */
static bool chart_parameters(const clp_chart_tree *tree, const clp_tract *tract, clp_spot spot,
                             double p[2])
{
  const clp_body *body = tree->body;
  const clp_chart *chart = &tree->charts[tract->chart];
  clp_site site;
  p[0] = p[1] = 0;
  if (chart->kind == CLP_CHART_POINT)
    return true;
  if (chart->kind != CLP_CHART_CURVE)
    return site_on_face(body, spot, chart->id, &site) &&
           parameters_of(chart, site, tract->middle[0], p);
  if (spot.kind != CLP_EDGE || spot.id != chart->id)
    return false;
  p[0] = clp_curve_parameter(&body->edges[spot.id].curve, clp_spot_curve_site(spot));
  return true;
}

/* The place of the tract that is nearest to these, from -1 to 1. */
static void nearest_to(const clp_tract *tract, const double p[2], double x[2])
{
  for (int k = 0; k < 2; ++k) {
    double half = tract->half[k];
    x[k] = half > 0 ? clp_max(-1, clp_min(1, (p[k] - tract->middle[k]) / half)) : 0;
  }
}

/* The same where they are in the tract; places beside it are taken for places on its bound. */
static bool locate(const clp_chart_tree *tree, const clp_tract *tract, const double p[2],
                   double slack, double x[2])
{
  const clp_chart *chart = &tree->charts[tract->chart];
  for (int k = 0; k < 2; ++k)
    if (!(fabs(p[k] - tract->middle[k]) <= tract->half[k] + slack * (chart->hi[k] - chart->lo[k])))
      return false;
  nearest_to(tract, p, x);
  return true;
}

static bool holds(const clp_chart_tree *tree, const clp_tract *tract, clp_spot spot)
{
  double p[2], x[2];
  return chart_parameters(tree, tract, spot, p) && locate(tree, tract, p, 0, x);
}

bool clp_cell_holds(const clp_charted_couple *charted, const clp_tracts *tracts, clp_spot a,
                    clp_spot b)
{
  return holds(charted->a, &tracts->a, a) && holds(charted->b, &tracts->b, b);
}

bool clp_cell_nearest(const clp_charted_couple *charted, const clp_tracts *tracts, clp_spot a,
                      clp_spot b, double x[2][2])
{
  double p[2], q[2];
  if (!chart_parameters(charted->a, &tracts->a, a, p) ||
      !chart_parameters(charted->b, &tracts->b, b, q))
    return false;
  nearest_to(&tracts->a, p, x[0]);
  nearest_to(&tracts->b, q, x[1]);
  return true;
}

/* ---- Making one --------------------------------------------------------------------------- */

static bool is_core(const clp_charted_couple *charted, clp_sway sway, clp_tracts *tracts,
                    clp_expansion *x)
{
  *x = clp_expand_fixed(charted, sway, tracts);
  return clp_expansion_convex(x);
}

bool clp_cell_core_renew(const clp_charted_couple *charted, clp_sway sway, clp_cell_core *core)
{
  clp_expansion x;
  core->fixed = core->box;
  return is_core(charted, sway, &core->fixed, &x);
}

/* Half as wide, about p, and within the chart. */
static void narrow(const clp_chart *chart, const double p[2], int axis, clp_tract *tract)
{
  double half = 0.5 * tract->half[axis];
  tract->half[axis] = half;
  tract->middle[axis] = clp_max(chart->lo[axis] + half, clp_min(chart->hi[axis] - half, p[axis]));
}

bool clp_cell_core_make(const clp_charted_couple *charted, const clp_tracts *cell, clp_spot a,
                        clp_spot b, clp_sway sway, clp_cell_core *core)
{
  const clp_chart_tree *tree[2] = {charted->a, charted->b};
  double p[2][2];
  if (!chart_parameters(charted->a, &cell->a, a, p[0]) ||
      !chart_parameters(charted->b, &cell->b, b, p[1]))
    return false;
  core->box = (clp_tracts){clp_tract_chart(charted->a, cell->a.chart),
                           clp_tract_chart(charted->b, cell->b.chart)};
  for (int k = 0; k < HALVINGS; ++k) {
    clp_expansion x;
    core->fixed = core->box;
    if (is_core(charted, sway, &core->fixed, &x))
      return true;
    int worst = clp_expansion_worst(&x), which = worst < 0 ? 0 : x.which[worst];
    clp_tract *tract = which == 0 ? &core->box.a : &core->box.b;
    if (worst < 0)
      return false;
    narrow(&tree[which]->charts[tract->chart], p[which], x.axis[worst], tract);
  }
  return false;
}

/* ---- Others and the core ------------------------------------------------------------------ */

/* What of a tract is in another one, and the parts below and above a bound of that. */
static clp_core_share share(const clp_chart_tree *tree, const clp_tract *tract,
                            const clp_tract *box, clp_tract parts[2])
{
  if (clp_tract_is_box(tract) || tract->chart != box->chart)
    return CLP_CORE_NONE;
  const clp_chart *chart = &tree->charts[box->chart];
  clp_core_share all = CLP_CORE_ALL;
  for (int k = 0; k < 2; ++k) {
    double noise = SAME_PARAMETER * (fabs(box->middle[k]) + chart->hi[k] - chart->lo[k]);
    double lo = tract->middle[k] - tract->half[k], hi = tract->middle[k] + tract->half[k];
    double from = box->middle[k] - box->half[k], to = box->middle[k] + box->half[k];
    if (lo >= from - noise && hi <= to + noise)
      continue;
    if (hi <= from + noise || lo >= to - noise)
      return CLP_CORE_NONE;
    double cut = lo < from - noise ? from : to;
    parts[0] = parts[1] = *tract;
    parts[0].middle[k] = 0.5 * (lo + cut);
    parts[0].half[k] = 0.5 * (cut - lo);
    parts[1].middle[k] = 0.5 * (cut + hi);
    parts[1].half[k] = 0.5 * (hi - cut);
    all = CLP_CORE_SOME;
  }
  return all;
}

clp_core_share clp_cell_core_share(const clp_charted_couple *charted, const clp_cell_core *core,
                                   const clp_tracts *cell, clp_tracts parts[2])
{
  clp_tract a[2], b[2];
  clp_core_share of_a = share(charted->a, &cell->a, &core->box.a, a);
  clp_core_share of_b = share(charted->b, &cell->b, &core->box.b, b);
  if (of_a == CLP_CORE_NONE || of_b == CLP_CORE_NONE)
    return CLP_CORE_NONE;
  for (int k = 0; k < 2; ++k) {
    parts[k] = *cell;
    if (of_a == CLP_CORE_SOME)
      parts[k].a = a[k];
    else if (of_b == CLP_CORE_SOME)
      parts[k].b = b[k];
  }
  return of_a == CLP_CORE_SOME || of_b == CLP_CORE_SOME ? CLP_CORE_SOME : CLP_CORE_ALL;
}

/* ---- The bound ---------------------------------------------------------------------------- */

/* A place and the first derivatives there with respect to x, each from -1 to 1 across its tract. */
typedef struct slope {
  clp_vec3 p, t[2];
} slope;

static slope slope_at(const clp_chart_tree *tree, const clp_tract *tract, const double x[2])
{
  const double *h = tract->half;
  clp_jet j = clp_chart_jet(tree->body, &tree->charts[tract->chart], tract->middle[0] + x[0] * h[0],
                            tract->middle[1] + x[1] * h[1]);
  return (slope){j.p, {clp_scale(h[0], j.u), clp_scale(h[1], j.v)}};
}

/* phi(y) >= phi(x) + g.(y - x) for all y of the cell, phi half the squared distance: least in the
 * corner that g leads away from. */
static double below(const slope *at, clp_vec3 r, const double x[2])
{
  double u = clp_dot(r, at->t[0]), v = clp_dot(r, at->t[1]);
  return clp_max(u * (x[0] + 1), u * (x[0] - 1)) + clp_max(v * (x[1] + 1), v * (x[1] - 1));
}

/* Bounds of the chart itself do not count: what is beyond them is another chart's. */
static bool is_central(const clp_chart_tree *tree, const clp_tract *box, const double x[2])
{
  const clp_chart *chart = &tree->charts[box->chart];
  for (int k = 0; k < 2; ++k) {
    double end = x[k] > 0 ? chart->hi[k] - box->middle[k] : box->middle[k] - chart->lo[k];
    if (fabs(x[k]) > CENTRAL && end > 1.000001 * box->half[k])
      return false;
  }
  return true;
}

/* The places are those of the fixed tracts, for which phi is convex in the unknowns that are left;
 * no other place of the box is nearer than these. */
bool clp_cell_core_examine(const clp_charted_couple *charted, const clp_cell_core *core, clp_spot a,
                           clp_spot b, double *attained, double *lower, bool *central)
{
  const clp_chart_tree *at = charted->a, *bt = charted->b;
  double p[2], q[2], x[2], y[2];
  if (!chart_parameters(at, &core->box.a, a, p) || !chart_parameters(bt, &core->box.b, b, q) ||
      !locate(at, &core->box.a, p, BESIDE, x) || !locate(bt, &core->box.b, q, BESIDE, y))
    return false;
  *central = is_central(at, &core->box.a, x) && is_central(bt, &core->box.b, y);
  if (!locate(at, &core->fixed.a, p, BESIDE, x) || !locate(bt, &core->fixed.b, q, BESIDE, y))
    return false;
  slope f = slope_at(at, &core->fixed.a, x), h = slope_at(bt, &core->fixed.b, y);
  clp_vec3 h_A = clp_transform(charted->X_AB, h.p), r = clp_sub(f.p, h_A);
  clp_vec3 back = clp_negate(clp_rotate_back(charted->X_AB.rotation, r));
  double square = clp_norm2(r), lost = below(&f, r, x) + below(&h, back, y);
  double scale = clp_norm(f.p) + clp_norm(h.p) + clp_norm(charted->X_AB.position) +
                 charted->a->body->size + charted->b->body->size +
                 at->charts[core->box.a.chart].lengths + bt->charts[core->box.b.chart].lengths;
  *attained = sqrt(square);
  *lower = sqrt(clp_max(0, square - 2 * lost)) - CLP_ROUNDING * scale;
  return true;
}
