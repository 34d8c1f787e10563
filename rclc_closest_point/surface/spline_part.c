/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces and iso-curves of splines that are built already, from their Bezier points. */

#include <math.h>
#include <string.h>

#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/spline.h"

/* A span, and the part of it between the fractions a and b of its width. */
typedef struct cut {
  int span;
  double lo, hi;
  clp_wide a, b;
} cut;

static bool cut_is_whole(cut c)
{
  return c.a == 0 && c.b == 1;
}

static cut cut_span(const double *breaks, int span, double lo, double hi)
{
  double start = breaks[span], end = breaks[span + 1];
  cut c = {.span = span, .lo = lo > start ? lo : start, .hi = hi < end ? hi : end};
  clp_wide width = (clp_wide)end - (clp_wide)start;
  c.a = ((clp_wide)c.lo - (clp_wide)start) / width;
  c.b = ((clp_wide)c.hi - (clp_wide)start) / width;
  return c;
}

/* The weights of the part's Bezier points over the span's own. */
static void cut_matrix(int degree, clp_wide a, clp_wide b, clp_span_matrix *matrix)
{
  double knots[2 * CLP_MAX_ORDER];
  clp_bezier_knots(degree, knots);
  clp_span_bezier_matrix(degree, knots + 1, a, b, matrix);
}

/* The first of the spans that [lo, hi] overlaps, and how many there are. */
static int overlap(const double *breaks, int spans, double lo, double hi, int *first)
{
  *first = clp_span_find(breaks, spans, lo);
  int last = clp_span_find(breaks, spans, hi);
  if (last > *first && breaks[last] == hi)
    last--;
  return last - *first + 1;
}

static void store_breaks(const double *breaks, int first, int spans, double lo, double hi,
                         double *result)
{
  result[0] = 0;
  for (int i = 1; i < spans; i++)
    result[i] = breaks[first + i] - lo;
  result[spans] = hi - lo;
}

size_t clp_nurbs_piece_storage(const clp_nurbs *nurbs, double u0, double u1, double v0, double v1)
{
  int first;
  int spans_u = overlap(nurbs->breaks_u, nurbs->spans_u, u0, u1, &first);
  int spans_v = overlap(nurbs->breaks_v, nurbs->spans_v, v0, v1, &first);
  return clp_nurbs_doubles(nurbs->degree_u, (size_t)spans_u, nurbs->degree_v, (size_t)spans_v);
}

/* Whether all of a span becomes one of that width. */
static bool cut_keeps(cut c, double lo, double hi)
{
  return cut_is_whole(c) && (clp_wide)hi - (clp_wide)lo == (clp_wide)c.hi - (clp_wide)c.lo;
}

static void store_cut(const clp_nurbs *nurbs, cut u, cut v, clp_span_range range, double *block,
                      double *bezier)
{
  size_t block_size = clp_span_block(nurbs->degree_u, nurbs->degree_v);
  size_t bezier_size = 4 * clp_span_points(nurbs->degree_u, nurbs->degree_v);
  size_t index = (size_t)u.span * (size_t)nurbs->spans_v + (size_t)v.span;
  const double *old_bezier = nurbs->bezier + index * bezier_size;
  if (cut_keeps(u, range.u0, range.u1) && cut_keeps(v, range.v0, range.v1)) {
    memcpy(block, nurbs->coefficients + index * block_size, block_size * sizeof *block);
    clp_span_place(range, block);
    memcpy(bezier, old_bezier, bezier_size * sizeof *bezier);
    return;
  }
  clp_span_matrix matrix_u, matrix_v;
  clp_span_net net, part;
  cut_matrix(nurbs->degree_u, u.a, u.b, &matrix_u);
  cut_matrix(nurbs->degree_v, v.a, v.b, &matrix_v);
  clp_span_load(nurbs->degree_u, nurbs->degree_v, old_bezier, &net);
  clp_span_transform(nurbs->degree_u, &matrix_u, nurbs->degree_v, &matrix_v, &net, &part);
  clp_span_store(nurbs->degree_u, nurbs->degree_v, range, &part, block, bezier);
}

void clp_nurbs_piece(const clp_nurbs *nurbs, double u0, double u1, double v0, double v1,
                     double *storage, clp_nurbs *piece)
{
  int first_u, first_v;
  clp_nurbs cut_out = {.degree_u = nurbs->degree_u, .degree_v = nurbs->degree_v};
  cut_out.spans_u = overlap(nurbs->breaks_u, nurbs->spans_u, u0, u1, &first_u);
  cut_out.spans_v = overlap(nurbs->breaks_v, nurbs->spans_v, v0, v1, &first_v);
  clp_nurbs_parts parts = clp_nurbs_lay_out(&cut_out, storage);
  store_breaks(nurbs->breaks_u, first_u, cut_out.spans_u, u0, u1, parts.breaks_u);
  store_breaks(nurbs->breaks_v, first_v, cut_out.spans_v, v0, v1, parts.breaks_v);
  for (int i = 0; i < cut_out.spans_u; i++) {
    for (int j = 0; j < cut_out.spans_v; j++) {
      clp_span_range range = {parts.breaks_u[i], parts.breaks_u[i + 1], parts.breaks_v[j],
                              parts.breaks_v[j + 1]};
      store_cut(nurbs, cut_span(nurbs->breaks_u, first_u + i, u0, u1),
                cut_span(nurbs->breaks_v, first_v + j, v0, v1), range, parts.blocks, parts.bezier);
      parts.blocks += clp_span_block(cut_out.degree_u, cut_out.degree_v);
      parts.bezier += 4 * clp_span_points(cut_out.degree_u, cut_out.degree_v);
    }
  }
  *piece = cut_out;
}

/* ---- Iso-curves ----------------------------------------------------------------------------- */

size_t clp_iso_curve_storage(const clp_nurbs *nurbs, bool along_v)
{
  int degree = along_v ? nurbs->degree_v : nurbs->degree_u;
  int spans = along_v ? nurbs->spans_v : nurbs->spans_u;
  return clp_nurbs_curve_doubles(degree, (size_t)spans);
}

/* The span's Bezier points weighted with the Bernstein polynomials at the fraction x across. */
static void weighted_row(const clp_nurbs *nurbs, bool along_v, const double *bezier, clp_wide x,
                         clp_span_net *row)
{
  int across = along_v ? nurbs->degree_u : nurbs->degree_v;
  int along = along_v ? nurbs->degree_v : nurbs->degree_u;
  clp_span_matrix weights;
  cut_matrix(across, x, x, &weights);
  for (int i = 0; i <= along; i++) {
    for (int lane = 0; lane < 4; lane++) {
      clp_wide sum = 0;
      for (int k = 0; k <= across; k++) {
        int index = along_v ? k * (along + 1) + i : i * (across + 1) + k;
        sum += weights.m[0][k] * (clp_wide)bezier[4 * index + lane];
      }
      row->c[i][0][lane] = sum;
    }
  }
}

void clp_span_iso_row(const clp_nurbs *nurbs, bool along_v, double at, int span, double lo,
                      double hi, clp_span_net *row)
{
  const double *across = along_v ? nurbs->breaks_u : nurbs->breaks_v;
  int fixed = clp_span_find(across, along_v ? nurbs->spans_u : nurbs->spans_v, at);
  at = fmin(fmax(at, across[fixed]), across[fixed + 1]);
  clp_wide x = cut_span(across, fixed, at, at).a;
  int index = along_v ? fixed * nurbs->spans_v + span : span * nurbs->spans_v + fixed;
  size_t points = 4 * clp_span_points(nurbs->degree_u, nurbs->degree_v);
  weighted_row(nurbs, along_v, nurbs->bezier + (size_t)index * points, x, row);
  cut along = cut_span(along_v ? nurbs->breaks_v : nurbs->breaks_u, span, lo, hi);
  if (!cut_is_whole(along)) {
    int degree = along_v ? nurbs->degree_v : nurbs->degree_u;
    clp_span_net whole = *row;
    clp_span_matrix matrix;
    cut_matrix(degree, along.a, along.b, &matrix);
    clp_span_transform(degree, &matrix, 0, NULL, &whole, row);
  }
}

void clp_iso_curve(const clp_nurbs *nurbs, bool along_v, double at, double *storage,
                   clp_nurbs_curve *curve)
{
  const double *breaks = along_v ? nurbs->breaks_v : nurbs->breaks_u;
  clp_nurbs_curve iso = {.degree = along_v ? nurbs->degree_v : nurbs->degree_u,
                         .spans = along_v ? nurbs->spans_v : nurbs->spans_u};
  clp_nurbs_parts parts = clp_nurbs_curve_lay_out(&iso, storage);
  memcpy(parts.breaks_u, breaks, ((size_t)iso.spans + 1) * sizeof *breaks);
  for (int i = 0; i < iso.spans; i++) {
    clp_span_net row;
    clp_span_iso_row(nurbs, along_v, at, i, breaks[i], breaks[i + 1], &row);
    clp_span_store(iso.degree, 0, (clp_span_range){breaks[i], breaks[i + 1], 0, 1}, &row,
                   parts.blocks, parts.bezier);
    parts.blocks += clp_span_block(iso.degree, 0);
    parts.bezier += 4 * clp_span_points(iso.degree, 0);
  }
  *curve = iso;
}
