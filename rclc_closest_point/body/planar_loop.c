/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/planar_loop.h"

#include <float.h>
#include <math.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/body/planar_proof.h"
#include "rclc_closest_point/surface/plane_piece.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* Does the boundary of a planar body meet itself? Only where it does not, each place of it has the
 * inside on its left, which is what tells a point inside from one outside.
 *
 * The boundary is a list of pieces, the spans of its curves, each in the hull of its control
 * points. Two pieces that do not follow each other are apart where a line parts their hulls.
 * Directions of a piece are positive sums of its legs, which lead from control point to control
 * point (curve_course.h). If all legs of a piece, or of two of which the second begins where the
 * first ends, have positive products with one direction, heights along it rise from end to end: no
 * place is there twice. Where neither is seen to hold, pieces are halved: curves that are apart are
 * seen to be, for hulls approach the curves like the square of the width; those that cross, touch,
 * or leave a corner in one direction never are, and are refused when halves are as small as digits.
 *
 * In a corner of two curves the second one begins a gap g from where the first one ends, at most as
 * far as ends are matched. Let the legs' angles be within pi - a. With d the direction in their
 * middle, a way back along the first curve and one along the second, if they lead to one place,
 * differ by g and lose of the product with d no less than their lengths times sin(a / 2): so these
 * are no longer than |g| / sin(a / 2), and what meets is as near to the corner. That is tolerated
 * within `corner` of the size. Legs that are lost in rounding are taken for none, and added to g.
 *
 * Which pieces are near each other is found from boxes of runs of pieces, of twice as many each
 * time, along the loop. */

/* Ten times as far as ends are matched (of the size). */
static const double corner = 10 * CLP_TOLERANCE_MATCH;

/* Halves of the whole size are below the last digit. */
enum { MAX_DEPTH = 54 };

/* What may be spent: pairs of boxes, a few nanoseconds each, and pairs of pieces. */
enum { BUDGET = 100000000, PIECE_COST = 64 };

typedef struct span_box {
  double least[2], most[2];
} span_box;

/* A span of a curve, nowhere farther than `width` from the straight way from its end to its end. */
typedef struct leaf {
  uint32_t edge;
  int span;
  clp_vec3 from, to;
  double width;
} leaf;

typedef struct loop {
  clp_builder *builder;
  leaf *leaves;
  size_t count, capacity;
  span_box *boxes;   /* of runs: box k holds those of 2 k and 2 k + 1 */
  size_t first_leaf; /* the box of the first piece */
  double rounding;   /* how far off control points may be (m) */
  long budget;
  bool refused;
} loop;

typedef struct section {
  clp_plane_piece net;
  uint32_t edge;
} section;

/* Which end of two sections the boundary passes: the first one's, and goes on with the second, or
 * the second one's, back to the first. */
enum { NEITHER = 0, ONWARD = 1, ROUND = 2 };

/* ---- Pieces ------------------------------------------------------------------------------- */

static clp_plane_piece line_piece(const clp_curve *curve)
{
  clp_vec3 from = clp_curve_point(curve, clp_curve_site_at(curve, curve->lo));
  clp_vec3 to = clp_curve_point(curve, clp_curve_site_at(curve, curve->hi));
  clp_plane_piece net = {.degree = 1, .origin = {(clp_wide)from.x, (clp_wide)from.y}};
  net.p[0][2] = net.p[1][2] = 1;
  net.p[1][0] = (clp_wide)to.x - (clp_wide)from.x;
  net.p[1][1] = (clp_wide)to.y - (clp_wide)from.y;
  return net;
}

/* What the curve has of its span. */
static section section_of(const loop *l, const leaf *from)
{
  const clp_curve *curve = &l->builder->edges[from->edge].edge.curve;
  if (curve->kind == CLP_CURVE_LINE)
    return (section){line_piece(curve), from->edge};
  section s = {clp_plane_piece_of_span(&curve->as.nurbs, from->span), from->edge};
  clp_plane_piece rest;
  double lo = curve->as.nurbs.breaks[from->span], hi = curve->as.nurbs.breaks[from->span + 1];
  if (curve->hi < hi) {
    clp_plane_piece_split(&s.net, (curve->hi - lo) / (hi - lo), &s.net, &rest);
    hi = curve->hi;
  }
  if (curve->lo > lo)
    clp_plane_piece_split(&s.net, (curve->lo - lo) / (hi - lo), &rest, &s.net);
  return s;
}

static void halve(const section *whole, section *low, section *high)
{
  *low = *high = *whole;
  clp_plane_piece_split(&whole->net, 0.5, &low->net, &high->net);
}

/* Control point k, seen from `origin`. */
static clp_vec3 point_from(const clp_plane_piece *net, int k, const clp_wide origin[2])
{
  const clp_wide *h = net->p[k];
  return (clp_vec3){(double)(h[0] / h[2] + (net->origin[0] - origin[0])),
                    (double)(h[1] / h[2] + (net->origin[1] - origin[1])), 0};
}

static const clp_wide frame[2] = {0, 0};

static clp_vec3 leg_of(const clp_plane_piece *net, int k)
{
  const clp_wide *h = net->p[k], *next = net->p[k + 1];
  return (clp_vec3){(double)(next[0] / next[2] - h[0] / h[2]),
                    (double)(next[1] / next[2] - h[1] / h[2]), 0};
}

/* ---- Findings ----------------------------------------------------------------------------- */

static void report_meeting(loop *l, const section *a, const section *b)
{
  const clp_build_edge *first = &l->builder->edges[a->edge], *second = &l->builder->edges[b->edge];
  clp_vec3 place = point_from(&a->net, 0, frame);
  clp_subject subject = {CLP_FINDING_OVERLAP, second->item, -1, false, &place, 0};
  l->refused = true;
  if (a->edge == b->edge)
    clp_defect(l->builder, subject,
               "curve '%.40s' meets itself at %s, expected a boundary that crosses and touches "
               "itself nowhere",
               first->edge.name, clp_place(place).text);
  else
    clp_defect(l->builder, subject,
               "curves '%.40s' and '%.40s' meet at %s, expected a boundary that crosses and "
               "touches itself nowhere",
               first->edge.name, second->edge.name, clp_place(place).text);
}

/* False when nothing is left. */
static bool spend(loop *l, long cost)
{
  l->budget -= cost;
  if (l->budget >= 0)
    return true;
  if (!l->refused)
    clp_planar_undecided(l->builder, -1, NULL, "whether the boundary crosses itself");
  l->refused = true;
  return false;
}

/* ---- Two pieces --------------------------------------------------------------------------- */

typedef struct hull {
  clp_vec3 point[CLP_MAX_ORDER];
  int count;
} hull;

static hull hull_of(const clp_plane_piece *net, const clp_wide origin[2])
{
  hull h = {.count = net->degree + 1};
  for (int k = 0; k < h.count; ++k)
    h.point[k] = point_from(net, k, origin);
  return h;
}

static void extent_along(const hull *h, clp_vec3 n, double *least, double *most)
{
  *least = *most = clp_dot(n, h->point[0]);
  for (int k = 1; k < h->count; ++k) {
    *least = fmin(*least, clp_dot(n, h->point[k]));
    *most = fmax(*most, clp_dot(n, h->point[k]));
  }
}

static bool parted_along(const hull *a, const hull *b, clp_vec3 n, double margin)
{
  double lowest_a, highest_a, lowest_b, highest_b;
  extent_along(a, n, &lowest_a, &highest_a);
  extent_along(b, n, &lowest_b, &highest_b);
  return fmax(lowest_b - highest_a, lowest_a - highest_b) > margin * clp_norm(n);
}

static clp_vec3 across(clp_vec3 a)
{
  return (clp_vec3){-a.y, a.x, 0};
}

/* By lines along the sides of the first one's polygon. */
static bool parted_beside(const hull *a, const hull *b, double margin)
{
  for (int k = 0; k < a->count; ++k) {
    clp_vec3 side = clp_sub(a->point[(k + 1) % a->count], a->point[k]);
    if (parted_along(a, b, across(side), margin))
      return true;
  }
  return parted_along(a, b, clp_sub(a->point[a->count - 1], a->point[0]), margin);
}

/* Both may be off, and so may be the heights' digits. */
static bool hulls_apart(const loop *l, const section *a, const section *b)
{
  hull p = hull_of(&a->net, a->net.origin), q = hull_of(&b->net, a->net.origin);
  double margin = 4 * l->rounding;
  clp_vec3 between = clp_sub(q.point[q.count / 2], p.point[p.count / 2]);
  return parted_along(&p, &q, between, margin) || parted_beside(&p, &q, margin) ||
         parted_beside(&q, &p, margin);
}

/* The range of angles of legs, counted from the first one's. */
typedef struct fan {
  clp_vec3 first;
  bool any;
  double least, most, lost;
} fan;

static void add_legs(fan *f, const clp_plane_piece *net, double rounding)
{
  for (int k = 0; k < net->degree; ++k) {
    clp_vec3 leg = leg_of(net, k);
    if (clp_norm(leg) <= 4 * rounding) {
      f->lost += clp_norm(leg);
      continue;
    }
    if (!f->any)
      f->first = leg;
    f->any = true;
    double angle = atan2(clp_cross(f->first, leg).z, clp_dot(f->first, leg));
    f->least = fmin(f->least, angle);
    f->most = fmax(f->most, angle);
  }
}

/* Whether heights along one direction rise from end to end of both, or of a alone. */
static bool rises(const loop *l, const section *a, const section *b)
{
  fan f = {.any = false};
  double gap = 0;
  add_legs(&f, &a->net, l->rounding);
  if (b) {
    add_legs(&f, &b->net, l->rounding);
    gap = clp_distance(point_from(&a->net, a->net.degree, a->net.origin),
                       point_from(&b->net, 0, a->net.origin));
  }
  double left = CLP_PI - (f.most - f.least);
  return left > 0 && gap + f.lost + 4 * l->rounding <= corner * l->builder->size * sin(0.5 * left);
}

/* Whether two sections, the first one before the second, meet nowhere but where they follow each
 * other. */
static bool apart(loop *l, const section *a, const section *b, int joints, int depth)
{
  if (!spend(l, PIECE_COST))
    return false;
  if ((joints == NEITHER && hulls_apart(l, a, b)) || (joints == ONWARD && rises(l, a, b)) ||
      (joints == ROUND && rises(l, b, a)))
    return true;
  if (depth == MAX_DEPTH) {
    report_meeting(l, a, b);
    return false;
  }
  section a0, a1, b0, b1;
  halve(a, &a0, &a1);
  halve(b, &b0, &b1);
  return apart(l, &a0, &b0, NEITHER, depth + 1) && apart(l, &a1, &b1, NEITHER, depth + 1) &&
         apart(l, &a1, &b0, joints & ONWARD, depth + 1) &&
         apart(l, &a0, &b1, joints & ROUND, depth + 1);
}

/* The same of one section and itself; `whole`: it is all of the loop. */
static bool simple(loop *l, const section *a, bool whole, int depth)
{
  if (!spend(l, PIECE_COST))
    return false;
  if (!whole && rises(l, a, NULL))
    return true;
  if (depth == MAX_DEPTH) {
    report_meeting(l, a, a);
    return false;
  }
  section low, high;
  halve(a, &low, &high);
  return simple(l, &low, false, depth + 1) && simple(l, &high, false, depth + 1) &&
         apart(l, &low, &high, whole ? ONWARD | ROUND : ONWARD, depth + 1);
}

/* ---- All pieces --------------------------------------------------------------------------- */

static span_box box_of(const leaf *part)
{
  double w = part->width;
  return (span_box){{fmin(part->from.x, part->to.x) - w, fmin(part->from.y, part->to.y) - w},
                    {fmax(part->from.x, part->to.x) + w, fmax(part->from.y, part->to.y) + w}};
}

static span_box box_of_both(const span_box *a, const span_box *b)
{
  span_box box;
  for (int axis = 0; axis < 2; ++axis) {
    box.least[axis] = fmin(a->least[axis], b->least[axis]);
    box.most[axis] = fmax(a->most[axis], b->most[axis]);
  }
  return box;
}

static bool boxes_apart(const span_box *a, const span_box *b)
{
  for (int axis = 0; axis < 2; ++axis)
    if (a->least[axis] > b->most[axis] || b->least[axis] > a->most[axis])
      return true;
  return false;
}

/* Whether all of b is to one side of a. */
static bool beside(const leaf *a, const leaf *b)
{
  clp_vec3 n = across(clp_sub(a->to, a->from));
  double away = (a->width + b->width) * clp_norm(n);
  double from = clp_dot(n, clp_sub(b->from, a->from)), to = clp_dot(n, clp_sub(b->to, a->from));
  return (from > away && to > away) || (from < -away && to < -away);
}

static bool leaves_apart(loop *l, size_t i, size_t j)
{
  if (beside(&l->leaves[i], &l->leaves[j]) || beside(&l->leaves[j], &l->leaves[i]))
    return true;
  section a = section_of(l, &l->leaves[i]), b = section_of(l, &l->leaves[j]);
  int joints = (j == i + 1 ? ONWARD : NEITHER) | (i == 0 && j + 1 == l->count ? ROUND : NEITHER);
  return apart(l, &a, &b, joints, 0);
}

/* Of the runs in boxes a and b, which stand in this order along the loop; where one is larger it is
 * the one with the smaller number. */
static bool runs_apart(loop *l, size_t a, size_t b)
{
  if (!spend(l, 1))
    return false;
  if (boxes_apart(&l->boxes[a], &l->boxes[b]))
    return true;
  if (a >= l->first_leaf && b >= l->first_leaf)
    return leaves_apart(l, a - l->first_leaf, b - l->first_leaf);
  if (a < b)
    return runs_apart(l, 2 * a, b) && runs_apart(l, 2 * a + 1, b);
  return runs_apart(l, a, 2 * b) && runs_apart(l, a, 2 * b + 1);
}

static bool run_is_simple(loop *l, size_t a)
{
  if (a >= l->first_leaf + l->count)
    return true;
  if (a >= l->first_leaf) {
    section s = section_of(l, &l->leaves[a - l->first_leaf]);
    return simple(l, &s, l->count == 1, 0);
  }
  return run_is_simple(l, 2 * a) && run_is_simple(l, 2 * a + 1) && runs_apart(l, 2 * a, 2 * a + 1);
}

/* ---- The loop ----------------------------------------------------------------------------- */

/* Ends, and how far control points are from the way between them, with what they are off. */
static void measure_leaf(const loop *l, const clp_plane_piece *net, leaf *part)
{
  part->from = point_from(net, 0, frame);
  part->to = point_from(net, net->degree, frame);
  part->width = 8 * l->rounding;
  for (int k = 1; k < net->degree; ++k) {
    clp_vec3 p = point_from(net, k, frame), way = clp_sub(part->to, part->from);
    double along = clp_dot(clp_sub(p, part->from), way) / fmax(clp_norm2(way), CLP_NOT_ZERO);
    clp_vec3 foot = clp_add_scaled(part->from, fmin(fmax(along, 0), 1), way);
    part->width = fmax(part->width, clp_distance(p, foot) + 8 * l->rounding);
  }
}

/* Pieces that are lost in rounding are none: their neighbors follow each other. */
static void add_leaf(loop *l, leaf part)
{
  section s = section_of(l, &part);
  double length = 0;
  for (int k = 0; k < s.net.degree; ++k)
    length += clp_norm(leg_of(&s.net, k));
  if (length <= 64 * l->rounding)
    return;
  leaf *leaves =
      clp_arena_grow(&l->builder->arena, l->leaves, l->count, &l->capacity, sizeof *leaves);
  if (!leaves)
    return;
  l->leaves = leaves;
  measure_leaf(l, &s.net, &part);
  leaves[l->count++] = part;
}

static void add_edge(loop *l, uint32_t edge)
{
  const clp_curve *curve = &l->builder->edges[edge].edge.curve;
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  if (curve->kind == CLP_CURVE_LINE) {
    add_leaf(l, (leaf){.edge = edge});
    return;
  }
  for (int span = 0; span < nurbs->spans; ++span)
    if (nurbs->breaks[span + 1] > curve->lo && nurbs->breaks[span] < curve->hi)
      add_leaf(l, (leaf){.edge = edge, .span = span});
}

static double farthest_point(const clp_builder *builder)
{
  double most = 0;
  for (size_t k = 0; k < builder->edge_count; ++k) {
    const clp_curve *curve = &builder->edges[k].edge.curve;
    const clp_nurbs_curve *nurbs = &curve->as.nurbs;
    int points = curve->kind == CLP_CURVE_LINE ? 0 : nurbs->spans * (nurbs->degree + 1);
    for (int i = 0; i < points; ++i) {
      const double *h = nurbs->bezier + 4 * (size_t)i;
      most = fmax(most, hypot(h[0] / h[3], h[1] / h[3]));
    }
  }
  return fmax(most, fmax(clp_norm(builder->box.min), clp_norm(builder->box.max)));
}

static void lay_boxes(loop *l)
{
  for (l->first_leaf = 1; l->first_leaf < l->count;)
    l->first_leaf *= 2;
  l->boxes = clp_arena_take(&l->builder->arena, 2 * l->first_leaf, sizeof *l->boxes);
  if (!l->boxes)
    return;
  const span_box nothing = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
  for (size_t k = 0; k < l->first_leaf; ++k)
    l->boxes[l->first_leaf + k] = k < l->count ? box_of(&l->leaves[k]) : nothing;
  for (size_t k = l->first_leaf - 1; k > 0; --k)
    l->boxes[k] = box_of_both(&l->boxes[2 * k], &l->boxes[2 * k + 1]);
}

void clp_expect_simple_loop(clp_builder *builder)
{
  loop l = {.builder = builder,
            .rounding = CLP_PLANE_ROUNDING * farthest_point(builder),
            .budget = BUDGET};
  uint32_t edge = 0;
  for (size_t k = 0; k < builder->edge_count; ++k, edge = clp_next_edge(builder, edge))
    add_edge(&l, edge);
  lay_boxes(&l);
  if (!builder->arena.failed)
    run_is_simple(&l, 1);
}
