/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/planar_proof.h"

#include <stdio.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* Is a planar body convex, and how far from it may it be?
 *
 * The boundary is followed once round as a polygon of legs (curve_course.h): their angles, counted
 * on from leg to leg and from curve to curve by less than half a turn each, bound those of the
 * curves, and add up to one full turn. Were they never to fall, the region would be convex: seen
 * from a place f with the direction 0, angles would rise from 0 to 2 pi, and heights over the
 * tangent at f would rise with them and come back to 0.
 *
 * They may fall a little: by rounding, and by what is tolerated. A block is a run of legs of which
 * no angle is, or may be, above one of a later block, so that both ends of a fall are in one block.
 * Let D be the deepest fall of a block and L the sum of its legs. Divide the polygon at f, so that
 * f is a corner and one of its directions that of a leg, and let N be the outward normal of this
 * direction 0, x any corner. If no leg from f to x is above pi, the height of x is a sum over these
 * legs of which only those below 0 count down: they are falls from f, hence in f's block, and not
 * below -D: together they take at most D L. If one of them is above pi, go back to x from the end
 * of the round, 2 pi, instead: what counts down are legs above 2 pi, in f's block once more, and
 * legs below pi that follow the one above pi, which all are falls from it and in one block. Hence
 *     N.(x - f) <= 2 max (D L)
 * for all corners, and for the curves, which are in the hulls of corners.
 *
 * Dividing at f changes neither D nor what counts down: a corner of the legs a and b is cut by
 * s a + t b, whose angle is between theirs, and which goes down in no direction by more than s a
 * and t b do. The constant has nothing to do with how thin the region is: L is the length of the
 * fall alone, a few legs next to it where the curve bends.
 *
 * Ends that do not meet are steps from curve to curve without an angle. Between f and x there are
 * steps whose sum is at most the diagonal of the box of all partial sums, plus the sum of all of
 * them where the way leads across the first curve's start. And what is stored is off by rounding, f
 * and x by as much. */

/* Beyond these a body is refused: an angle by which a curve certainly turns outwards (rad), as much
 * as it gathers over the whole size with the curvature that faces may have; one by which everything
 * may (rad); and twice the largest D L (of the size), which leaves corners ten times their
 * tolerance. */
static const double bend_tolerance = CLP_TOLERANCE_CURVATURE;
static const double fall_limit = 0.1;
static const double slack_limit = 1e-5;

/* What legs next to a short span are worth to be halved for (of the size). */
static const double fine = 2e-15;

/* A slack that a pair cannot be tracked with at the usual tolerance (of the size). */
static const double notable = 1e-9;

/* Every answer allows for rounding of the bodies' sizes anyway; only a body far from its origin, or
 * with uneven weights, is off by more. */
static const double allowed_rounding = CLP_ROUNDING_EXACT;

typedef struct proof {
  clp_builder *builder;
  clp_course course;
  size_t *first;     /* of each edge's bearings, and the end of the last one's */
  bool known;        /* all directions are */
  clp_bearing *loop; /* twice round */
  size_t loop_count;
} proof;

/* ---- Findings ----------------------------------------------------------------------------- */

void clp_planar_undecided(clp_builder *builder, int item, const clp_vec3 *place, const char *what)
{
  clp_subject subject = {CLP_FINDING_UNDECIDED, item, -1, false, place, 0};
  clp_undecided(builder, subject, "bounds do not decide %.120s", what);
}

static clp_vec3 place_at(const clp_edge *edge, double t)
{
  return clp_curve_point(&edge->curve, clp_curve_site_at(&edge->curve, t));
}

static void report_bend(clp_builder *builder, const clp_build_edge *edge, double fall, double at)
{
  clp_vec3 place = place_at(&edge->edge, at);
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, edge->item, -1, false, &place, fall};
  clp_defect(builder, subject,
             "curve '%.40s' is not convex: next to %s it has turned outwards by %s rad, expected "
             "at most %s (found by bounds)",
             edge->edge.name, clp_place(place).text, clp_number(fall, 3).text,
             clp_number(bend_tolerance, 1).text);
}

static void report_unknown(clp_builder *builder, const clp_build_edge *edge, double at)
{
  clp_vec3 place = place_at(&edge->edge, at);
  char what[200];
  snprintf(what, sizeof what, "where curve '%.40s' heads at %s", edge->edge.name,
           clp_place(place).text);
  clp_planar_undecided(builder, edge->item, &place, what);
}

/* ---- Curves and corners ------------------------------------------------------------------- */

static void follow_edge(proof *work, size_t k)
{
  clp_builder *builder = work->builder;
  clp_build_edge *edge = &builder->edges[k];
  double at = edge->edge.curve.lo;
  size_t first = work->course.count;
  work->first[k] = first;
  bool known = clp_course_follow(&work->course, &edge->edge.curve, &at);
  work->first[k + 1] = work->course.count;
  if (builder->arena.failed)
    return;
  work->known &= known;
  if (!known && builder->def->convex)
    report_unknown(builder, edge, at);
  double fall = clp_course_fall(&work->course.bearings[first], work->course.count - first, &at);
  edge->edge.reflex = fall > bend_tolerance;
  if (known && edge->edge.reflex && builder->def->convex)
    report_bend(builder, edge, fall, at);
}

static double edge_turn(const proof *work, size_t edge)
{
  const clp_bearing *bearings = work->course.bearings;
  return bearings[work->first[edge + 1] - 1].angle - bearings[work->first[edge]].angle;
}

/* From the curve that ends in a corner to the one that starts there. */
static double corner_turn(const proof *work, const clp_vertex *vertex)
{
  const clp_edge_end *ends = &work->builder->ends[vertex->first_end];
  uint32_t in = ends[0].end ? ends[0].edge : ends[1].edge;
  uint32_t out = ends[0].end ? ends[1].edge : ends[0].edge;
  const clp_bearing *bearings = work->course.bearings;
  double turn = bearings[work->first[out]].angle - bearings[work->first[in + 1] - 1].angle;
  return remainder(turn, 2 * CLP_PI);
}

static double check_corner(const proof *work, clp_vertex *vertex)
{
  clp_builder *builder = work->builder;
  vertex->sharp = vertex->end_count != 2;
  if (vertex->end_count != 2)
    return 0;
  double turn = corner_turn(work, vertex);
  builder->sharpness = fmin(builder->sharpness, CLP_PI - fabs(turn));
  vertex->sharp = fabs(turn) > CLP_TOLERANCE_SMOOTH;
  if (turn >= -CLP_TOLERANCE_SMOOTH || !builder->def->convex)
    return turn;
  const clp_build_edge *edge = &builder->edges[builder->ends[vertex->first_end].edge];
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, edge->item, -1, false, &vertex->place, -turn};
  clp_defect(builder, subject, "the corner at %s is not convex: it turns outwards by %s rad",
             clp_place(vertex->place).text, clp_number(-turn, 3).text);
  return turn;
}

void clp_report_clockwise(clp_builder *builder)
{
  clp_subject subject = {.kind = CLP_FINDING_ORIENTATION, .item = -1, .number = -1};
  clp_defect(builder, subject,
             "the curves run clockwise round the region, expected "
             "counter-clockwise");
}

/* ---- Once round --------------------------------------------------------------------------- */

uint32_t clp_next_edge(const clp_builder *builder, uint32_t edge)
{
  const clp_vertex *vertex = &builder->vertices[builder->edges[edge].edge.vertex[1]];
  const clp_edge_end *ends = &builder->ends[vertex->first_end];
  return ends[0].end == 0 ? ends[0].edge : ends[1].edge;
}

/* Twice round, so that each fall is seen whole, wherever it starts. False where a corner may turn
 * to either side. */
static bool lay_loop(proof *work)
{
  clp_builder *builder = work->builder;
  work->loop = clp_arena_take(&builder->arena, 2 * work->course.count, sizeof *work->loop);
  if (!work->loop)
    return false;
  uint32_t edge = 0;
  for (size_t k = 0; k < 2 * builder->edge_count; ++k, edge = clp_next_edge(builder, edge)) {
    const clp_bearing *from = &work->course.bearings[work->first[edge]];
    size_t count = work->first[edge + 1] - work->first[edge];
    double shift = 0;
    if (k > 0 && !clp_course_shift(&work->loop[work->loop_count - 1], from, &shift)) {
      clp_vec3 place = place_at(&builder->edges[edge].edge, builder->edges[edge].edge.curve.lo);
      clp_planar_undecided(builder, builder->edges[edge].item, &place,
                           "to which side the curves turn where two of them meet");
      return false;
    }
    for (size_t i = 0; i < count; ++i) {
      clp_bearing *to = &work->loop[work->loop_count++];
      *to = from[i];
      to->angle += shift;
    }
  }
  return true;
}

static bool expect_one_turn(proof *work)
{
  double turned = work->loop[work->course.count].angle - work->loop[0].angle;
  int turns = (int)rint(turned / (2 * CLP_PI));
  if (turns == 1)
    return true;
  clp_subject subject = {.kind = CLP_FINDING_OVERLAP, .item = -1, .number = -1};
  clp_defect(work->builder, subject,
             turns > 1 ? "the curves wind round the region more than once"
                       : "the curves turn as often to the right as to the left, expected once to "
                         "the left");
  return false;
}

/* Twice the largest D L; no less than `size` where a fall is too deep. */
static double loop_slack(proof *work)
{
  size_t count = work->loop_count;
  double *lowest = clp_arena_take(&work->builder->arena, count + 1, sizeof *lowest);
  if (!lowest)
    return 0;
  lowest[count] = HUGE_VAL;
  for (size_t k = count; k > 0; --k)
    lowest[k - 1] = fmin(lowest[k], clp_bearing_low(&work->loop[k - 1]));
  double highest = -HUGE_VAL, fall = 0, length = 0, most = 0;
  for (size_t k = 0; k < count; ++k) {
    const clp_bearing *b = &work->loop[k];
    fall = fmax(fall, highest - clp_bearing_low(b));
    highest = fmax(highest, clp_bearing_high(b));
    length += b->length;
    if (highest > lowest[k + 1])
      continue;
    most = fmax(most, fall < fall_limit ? fall * length : work->builder->size);
    highest = -HUGE_VAL;
    fall = length = 0;
  }
  return 2 * most;
}

/* ---- Steps between curves ----------------------------------------------------------------- */

static clp_vec3 step_after(const clp_builder *builder, uint32_t edge)
{
  const clp_curve *curve = &builder->edges[edge].edge.curve;
  const clp_curve *next = &builder->edges[clp_next_edge(builder, edge)].edge.curve;
  return clp_sub(clp_curve_point(next, clp_curve_site_at(next, next->lo)),
                 clp_curve_point(curve, clp_curve_site_at(curve, curve->hi)));
}

static double steps(const clp_builder *builder)
{
  clp_vec3 sum = {0, 0, 0}, low = sum, high = sum;
  uint32_t edge = 0;
  for (size_t k = 0; k < builder->edge_count; ++k, edge = clp_next_edge(builder, edge)) {
    sum = clp_add(sum, step_after(builder, edge));
    low = (clp_vec3){fmin(low.x, sum.x), fmin(low.y, sum.y), 0};
    high = (clp_vec3){fmax(high.x, sum.x), fmax(high.y, sum.y), 0};
  }
  return clp_distance(low, high) + clp_norm(sum);
}

/* ---- The whole ---------------------------------------------------------------------------- */

static void report_fall(proof *work)
{
  double at, fall = clp_course_fall(work->loop, work->loop_count, &at);
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, -1, -1, false, NULL, fall};
  if (fall > CLP_TOLERANCE_SMOOTH)
    clp_defect(work->builder, subject,
               "the curves are not convex: one after the other they turn outwards by %s rad",
               clp_number(fall, 3).text);
  else
    clp_planar_undecided(work->builder, -1, NULL, "whether the curves turn outwards");
}

static void report_slack(clp_builder *builder)
{
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, -1, -1, false, NULL, builder->slack};
  clp_note(builder, subject,
           "ends and dents within the tolerance: every lower bound is %s m lower for them, which "
           "is too much for TRACKING at a tolerance of %s",
           clp_number(builder->slack, 2).text, clp_number(notable, 1).text);
}

static void prove_loop(proof *work)
{
  clp_builder *builder = work->builder;
  if (!lay_loop(work) || !expect_one_turn(work))
    return;
  double slack = loop_slack(work);
  if (!(slack <= slack_limit * builder->size)) {
    report_fall(work);
    return;
  }
  double rounding = 4 * work->course.rounding - allowed_rounding * builder->size;
  builder->slack = slack + steps(builder) + fmax(0, rounding);
  if (builder->slack > notable * builder->size)
    report_slack(builder);
}

void clp_prove_planar(clp_builder *builder)
{
  proof work = {.builder = builder,
                .course = {.arena = &builder->arena,
                           .budget = CLP_PLANAR_BUDGET,
                           .fine_budget = CLP_PLANAR_BUDGET,
                           .fine = fine * builder->size},
                .first = clp_arena_take(&builder->arena, builder->edge_count + 1, sizeof(size_t)),
                .known = true};
  for (size_t k = 0; k < builder->edge_count && !builder->arena.failed; ++k)
    follow_edge(&work, k);
  if (builder->arena.failed || !work.course.bearings)
    return;
  double turned = 0;
  for (size_t k = 0; k < builder->edge_count; ++k)
    turned += edge_turn(&work, k);
  for (size_t k = 0; k < builder->vertex_count; ++k)
    turned += check_corner(&work, &builder->vertices[k]);
  if (!builder->all_closed || builder->defects > 0)
    return;
  if (turned < -CLP_PI) /* a multiple of a full turn, but for rounding */
    clp_report_clockwise(builder);
  if (builder->def->convex && builder->defects == 0)
    prove_loop(&work);
}
