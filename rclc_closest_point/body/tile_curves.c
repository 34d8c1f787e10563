/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/planar_proof.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/spline.h"

/* A planar body's curves become edges without faces. As with patches, a curve is cut where it is
 * only continuous, and where it turns by half a turn or more. */

static const double pi = 3.14159265358979323846;

/* How often a piece is cut in halves: spans first, then as far as a knot span can be halved. */
enum { MAX_DEPTH = 64 };

typedef struct curve_work {
  clp_builder *builder;
  const clp_curve_def *def;
  int item;
  clp_nurbs_curve whole;
  bool in_pieces;
  int pieces;
  clp_course course; /* of the piece that is looked at */
  bool unknown;      /* where some piece heads is not known */
  bool uncut;        /* some piece still turns by half a turn or more */
  double *cuts;      /* the ends of the pieces */
  size_t cut_count, cut_capacity;
} curve_work;

/* ---- Pieces ------------------------------------------------------------------------------- */

static void add_piece(curve_work *work, const clp_curve *curve, clp_storage storage)
{
  const char *name = work->def->name;
  if (work->in_pieces)
    name = clp_piece_name(work->builder, name, ++work->pieces);
  clp_build_edge *edge = clp_add_edge(work->builder);
  char *copy = clp_arena_string(&work->builder->arena, name);
  if (!edge || !copy)
    return;
  edge->edge.name = copy;
  edge->edge.kind = CLP_EDGE_CURVE;
  edge->edge.curve = *curve;
  edge->storage = storage;
  edge->item = work->item;
}

/* The spans from `first` to before `last` as a curve of their own, so that at its ends it has its
 * own tangents and not the neighbour's; and parameters that begin at 0, as pieces of surfaces have
 * (clp_nurbs_piece). */
static bool extract(curve_work *work, int first, int last, clp_curve *curve, clp_storage *storage)
{
  clp_builder *builder = work->builder;
  int degree = work->whole.degree, spans = last - first, size = spans * degree + 1;
  const double *breaks = work->whole.breaks + first;
  double *knots = clp_take_storage(builder, (size_t)(size + degree + 1)).numbers;
  double *points = clp_take_storage(builder, 4 * (size_t)size).numbers;
  if (!knots || !points)
    return false;
  for (int k = 0; k < size + degree + 1; ++k) {
    int span = k == 0 ? 0 : (k - 1) / degree;
    knots[k] = breaks[span < spans ? span : spans] - breaks[0];
  }
  for (int k = 0; k < size; ++k) {
    int span = k / degree < spans ? k / degree : spans - 1;
    const double *h = work->whole.bezier + 4 * ((size_t)(first + span) * (size_t)(degree + 1) +
                                                (size_t)(k - span * degree));
    for (int i = 0; i < 3; ++i)
      points[4 * k + i] = h[i] / h[3];
    points[4 * k + 3] = h[3];
  }
  *storage = clp_take_storage(builder, clp_nurbs_curve_storage(degree, size, knots));
  *curve = (clp_curve){.kind = CLP_CURVE_NURBS, .lo = 0, .hi = breaks[spans] - breaks[0]};
  return storage->numbers &&
         clp_nurbs_curve_build(degree, size, knots, points, storage->numbers, &curve->as.nurbs);
}

/* A straight span of degree one with equal weights is a line in the same parameter, which begins at
 * 0. */
static void simplify(clp_curve *curve, clp_storage *storage)
{
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  if (nurbs->degree != 1 || nurbs->spans != 1 || nurbs->bezier[3] != nurbs->bezier[7])
    return;
  clp_vec3 from = clp_curve_point(curve, clp_curve_site_at(curve, curve->lo));
  clp_vec3 to = clp_curve_point(curve, clp_curve_site_at(curve, curve->hi));
  curve->kind = CLP_CURVE_LINE;
  curve->as.line = (clp_line){from, clp_scale(1 / curve->hi, clp_sub(to, from))};
  *storage = (clp_storage){0};
}

/* ---- Turning ------------------------------------------------------------------------------ */

#define TURN_SAMPLES 256

/* How far the tangent has turned (radians, counter-clockwise positive) at each sample: this is only
 * where cuts are proposed. */
static void turning(const clp_curve *curve, double turned[TURN_SAMPLES + 1])
{
  clp_vec3 before = {0, 0, 0};
  turned[0] = 0;
  for (int k = 0; k <= TURN_SAMPLES; ++k) {
    double f = (double)k / TURN_SAMPLES;
    double t = (1 - f) * curve->lo + f * curve->hi;
    clp_vec3 tangent = clp_curve_jet_at(curve, clp_curve_site_at(curve, t)).t;
    if (k > 0)
      turned[k] = turned[k - 1] + atan2(clp_cross(before, tangent).z, clp_dot(before, tangent));
    before = tangent;
  }
}

static void note_split(curve_work *work, double total, int parts)
{
  work->builder->was_split = true;
  clp_subject subject = {CLP_FINDING_NOT_NICE, work->item, -1, false, NULL, total};
  clp_note(work->builder, subject,
           "curve '%.40s' turns by %s degrees, expected less than 180; it is split into %d",
           work->def->name, clp_number(total * 180 / pi, 4).text, parts);
}

/* The first and the last of the spans that a curve has a part of. */
static void spans_of(const clp_curve *curve, int *first, int *last)
{
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  *first = *last = 0;
  if (curve->kind != CLP_CURVE_NURBS)
    return;
  *first = clp_span_find(nurbs->breaks, nurbs->spans, curve->lo);
  *last = clp_span_find(nurbs->breaks, nurbs->spans, curve->hi);
  *last -= *last > *first && nurbs->breaks[*last] >= curve->hi;
}

/* Whether the curve certainly heads within less than half a turn; *total takes how far it turns
 * from end to end. Where it stops or turns back no cut helps: true, and `unknown` is set. */
static bool is_nice(curve_work *work, const clp_curve *curve, double *total)
{
  clp_course *course = &work->course;
  int first, last;
  spans_of(curve, &first, &last);
  course->count = 0;
  course->budget = CLP_CUT_BUDGET + CLP_CUT_BUDGET_SPAN * (last + 1 - first);
  bool known = clp_course_follow(course, curve, NULL);
  if (course->count == 0)
    return true;
  work->unknown |= !known;
  *total = course->bearings[course->count - 1].angle - course->bearings[0].angle;
  return !known || clp_course_spread(course->bearings, course->count) < pi;
}

/* Where a piece is cut that turns too far: at a break, as far as it has any, so that short spans
 * are found soon. */
static double middle_of(const clp_curve *curve)
{
  int first, last;
  spans_of(curve, &first, &last);
  return first < last ? curve->as.nurbs.breaks[(first + last + 1) / 2]
                      : 0.5 * (curve->lo + curve->hi);
}

static void cut_at(curve_work *work, double at)
{
  double *cuts = clp_arena_grow(&work->builder->arena, work->cuts, work->cut_count,
                                &work->cut_capacity, sizeof *cuts);
  if (!cuts)
    return;
  work->cuts = cuts;
  cuts[work->cut_count++] = at;
}

/* Appends the ends of the pieces that this one has to be cut into. */
static void add_cuts(curve_work *work, clp_curve piece, int depth)
{
  double total, middle = middle_of(&piece), end = piece.hi;
  bool nice = is_nice(work, &piece, &total);
  if (nice || depth == MAX_DEPTH || !(piece.lo < middle && middle < end)) {
    work->uncut |= !nice;
    cut_at(work, end);
    return;
  }
  piece.hi = middle;
  add_cuts(work, piece, depth + 1);
  piece.lo = middle;
  piece.hi = end;
  add_cuts(work, piece, depth + 1);
}

/* Cuts are proposed at equal shares of the turning; a piece that for all that is not proven to turn
 * by less than half a turn is cut in halves until it is. */
static void find_cuts(curve_work *work, const clp_curve *curve, const double *turned, double total)
{
  int parts = (int)fmin(TURN_SAMPLES, fabs(total) / (0.999 * pi)) + 1, k = 0;
  double sampled = fabs(turned[TURN_SAMPLES]);
  clp_curve piece = *curve;
  work->cut_count = 0;
  for (int part = 1; part <= parts; ++part) {
    while (k < TURN_SAMPLES && fabs(turned[k]) < sampled * part / parts)
      ++k;
    double f = part == parts ? 1 : (double)k / TURN_SAMPLES;
    piece.hi = (1 - f) * curve->lo + f * curve->hi;
    if (piece.hi > piece.lo)
      add_cuts(work, piece, 0);
    piece.lo = piece.hi;
  }
}

static void add_nice(curve_work *work, const clp_curve *curve, clp_storage storage)
{
  double turned[TURN_SAMPLES + 1], total = 0;
  turning(curve, turned);
  if (!isfinite(turned[TURN_SAMPLES])) {
    clp_refuse_overflow(work->builder, work->def->name, work->item);
    return;
  }
  is_nice(work, curve, &total);
  if (work->unknown)
    total = turned[TURN_SAMPLES];
  find_cuts(work, curve, turned, total);
  if (work->uncut) {
    clp_planar_undecided(work->builder, work->item, NULL,
                         "into which pieces a curve is to be cut that turns by so much");
    return;
  }
  if (work->cut_count > 1) {
    note_split(work, total, (int)work->cut_count);
    work->in_pieces = true;
  }
  clp_curve piece = *curve;
  for (size_t k = 0; k < work->cut_count; ++k) {
    piece.hi = work->cuts[k];
    add_piece(work, &piece, storage);
    piece.lo = piece.hi;
  }
}

/* ---- Curves ------------------------------------------------------------------------------- */

static bool only_continuous(const clp_curve_def *def, double at)
{
  return def->knots &&
         clp_knot_multiplicity(def->knots, def->size + def->degree + 1, at) >= def->degree;
}

static void tile_stretches(curve_work *work)
{
  const clp_nurbs_curve *whole = &work->whole;
  int first = 0;
  for (int span = 1; span < whole->spans; ++span)
    work->in_pieces |= only_continuous(work->def, whole->breaks[span]);
  for (int span = 1; span <= whole->spans; ++span) {
    clp_curve curve;
    clp_storage storage;
    if (span < whole->spans && !only_continuous(work->def, whole->breaks[span]))
      continue;
    if (!extract(work, first, span, &curve, &storage)) {
      work->builder->arena.failed = true;
      return;
    }
    simplify(&curve, &storage);
    add_nice(work, &curve, storage);
    first = span;
  }
}

static bool curve_valid(clp_builder *builder, const clp_curve_def *def, int item, int *room)
{
  if (!clp_expect_name(builder, def->name, item, "curve") ||
      !clp_expect_knots(builder, def->name, item, def->degree, def->size, def->knots, false))
    return false;
  if (def->size > *room) {
    clp_subject subject = {.kind = CLP_FINDING_COUNT, .item = item, .number = -1};
    clp_defect(builder, subject, "with curve '%.40s' the part has more than %d control points",
               def->name, CLP_MAX_CONTROL_POINTS);
    return false;
  }
  *room -= def->size;
  return clp_expect_control_points(builder, def->name, item, def->control_points, def->size, 3);
}

static void tile_curve(clp_builder *builder, const clp_curve_def *def, int item)
{
  double bezier[2 * CLP_MAX_DEGREE + 2];
  clp_bezier_knots(def->degree, bezier);
  const double *knots = def->knots ? def->knots : bezier;
  curve_work work = {.builder = builder,
                     .def = def,
                     .item = item,
                     .course = {.arena = &builder->arena, .fine = HUGE_VAL}};
  double *points = clp_take_storage(builder, 4 * (size_t)def->size).numbers;
  double *storage =
      clp_take_storage(builder, clp_nurbs_curve_storage(def->degree, def->size, knots)).numbers;
  if (!points || !storage)
    return;
  for (int k = 0; k < def->size; ++k) {
    const double *p = def->control_points + 3 * (size_t)k;
    memcpy(points + 4 * k, (double[4]){p[0], p[1], 0, p[2]}, 4 * sizeof(double));
  }
  if (clp_nurbs_curve_build(def->degree, def->size, knots, points, storage, &work.whole))
    tile_stretches(&work);
  else
    clp_refuse_overflow(builder, def->name, item);
}

void clp_tile_curves(clp_builder *builder)
{
  const clp_body_def *def = builder->def;
  int room = CLP_MAX_CONTROL_POINTS;
  for (int k = 0; k < def->curve_count; ++k)
    if (curve_valid(builder, &def->curves[k], k, &room))
      tile_curve(builder, &def->curves[k], k);
}
