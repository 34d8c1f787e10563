/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/curve_course.h"

#include <float.h>
#include <math.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/plane_piece.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* Of an angle of a few turns, with what is added to it. */
static const double angle_rounding = 4e-15;

/* Halving is of no use where no more than this could be gained (rad). */
static const double negligible = 1e-15;

/* A noise above which a piece is halved a few times to see whether its parts are known better. */
static const double coarse_noise = 1e-9;

enum { MAX_DEPTH = 48, COARSE_DEPTH = 4 };

typedef struct piece {
  clp_plane_piece net;
  int depth;
  double lo, hi;    /* parameters */
  double rounding;  /* of its points (m) */
  double noise;     /* of every leg that it is divided into (rad) */
  double beside[2]; /* noise of the legs before and after it, in other spans (rad) */
} piece;

/* The legs of a piece. */
typedef struct legs {
  int count;
  clp_bearing list[CLP_MAX_DEGREE];
  bool clear;   /* all directions are known and within less than half a turn */
  double noise; /* the largest */
  double drop;  /* how far the angle may fall */
} legs;

/* ---- Pieces ------------------------------------------------------------------------------- */

static void split(const piece *whole, double t, piece *low, piece *high)
{
  piece left = *whole, right = *whole;
  clp_plane_piece_split(&whole->net, t, &left.net, &right.net);
  left.hi = right.lo = (1 - t) * whole->lo + t * whole->hi;
  left.beside[1] = right.beside[0] = 0;
  *low = left;
  *high = right;
}

/* How far off a span's points are when they are evaluated, see span.h: the numerator and the weight
 * by Horner's scheme about the middle, whose kth term is rounded 2 k + 1 times. To move all control
 * points by as much moves points and directions at least as far, for on the span the powers' own
 * control points are between -1 and 1. */
static double evaluation_rounding(const clp_nurbs_curve *curve, int span, const double *bezier)
{
  const double *block = curve->coefficients + (size_t)span * clp_span_block(curve->degree, 0);
  const double *c = block + CLP_SPAN_HEAD;
  double above = 0, below = 0, power = DBL_EPSILON, extent = 0, weight = HUGE_VAL;
  for (int k = 0; k <= curve->degree; ++k, c += 4, bezier += 4) {
    above += (k + 1) * power * hypot(c[0], c[1]);
    below += (k + 1) * power * fabs(c[3]);
    power *= block[CLP_SPAN_HALF_U];
    weight = fmin(weight, bezier[3]);
    extent =
        fmax(extent, hypot(bezier[0] / bezier[3] - block[0], bezier[1] / bezier[3] - block[1]));
  }
  bool polynomial = block[CLP_SPAN_TRUST] != 0;
  return (above + extent * below) / (polynomial ? 1 : weight);
}

static piece span_piece(const clp_nurbs_curve *curve, int span)
{
  const double *h = curve->bezier + 4 * (size_t)span * (size_t)(curve->degree + 1);
  piece c = {.net = clp_plane_piece_of_span(curve, span),
             .lo = curve->breaks[span],
             .hi = curve->breaks[span + 1],
             .noise = HUGE_VAL};
  double farthest = 0, evaluation = evaluation_rounding(curve, span, h);
  for (int k = 0; k <= curve->degree; ++k, h += 4)
    farthest = fmax(farthest, hypot(h[0] / h[3], h[1] / h[3]));
  c.rounding = CLP_PLANE_ROUNDING * farthest + evaluation;
  return c;
}

/* ---- Legs --------------------------------------------------------------------------------- */

bool clp_course_shift(const clp_bearing *before, const clp_bearing *next, double *shift)
{
  double turn = remainder(next->angle - before->angle, 2 * CLP_PI);
  *shift = 2 * CLP_PI * rint((before->angle + turn - next->angle) / (2 * CLP_PI));
  return fabs(turn) < CLP_PI - before->noise - next->noise;
}

/* Both ends of a leg may be off. An angle's sine is at least 0.95 of it up to half a radian. What
 * all the halvings have rounded is at most some hundred units of the wider numbers. */
static double noise_of(const piece *c, double length, double extent)
{
  double off = 2 * c->rounding / length;
  double own = off <= 0.5 ? 1.05 * off : HUGE_VAL;
  return fmin(own, c->noise) + 1024 * (double)LDBL_EPSILON * extent / length + angle_rounding;
}

static void set_legs(const piece *c, legs *l)
{
  const clp_plane_piece *net = &c->net;
  double at[CLP_MAX_ORDER][2], extent = 0;
  for (int k = 0; k <= net->degree; ++k) {
    at[k][0] = (double)(net->p[k][0] / net->p[k][2]);
    at[k][1] = (double)(net->p[k][1] / net->p[k][2]);
    extent = fmax(extent, hypot(at[k][0], at[k][1]));
  }
  *l = (legs){.count = net->degree};
  for (int k = 0; k < l->count; ++k) {
    clp_wide x = net->p[k + 1][0] / net->p[k + 1][2] - net->p[k][0] / net->p[k][2];
    clp_wide y = net->p[k + 1][1] / net->p[k + 1][2] - net->p[k][1] / net->p[k][2];
    clp_bearing *leg = &l->list[k];
    leg->length = hypot((double)x, (double)y);
    leg->angle = atan2((double)y, (double)x);
    leg->noise = leg->length > 0 ? noise_of(c, leg->length, extent) : HUGE_VAL;
    leg->tangent = k == 0 || k == l->count - 1;
    leg->at = k == 0 ? c->lo : c->hi;
  }
}

/* Counts the angles on, and finds how far they may fall. */
static void count_on(legs *l)
{
  double highest = -HUGE_VAL, lowest = HUGE_VAL;
  for (int k = 0; k < l->count; ++k) {
    clp_bearing *leg = &l->list[k];
    double shift = 0;
    if (k > 0)
      clp_course_shift(leg - 1, leg, &shift);
    leg->angle += shift;
    l->noise = fmax(l->noise, leg->noise);
    l->drop = fmax(l->drop, highest - clp_bearing_low(leg));
    highest = fmax(highest, clp_bearing_high(leg));
    lowest = fmin(lowest, clp_bearing_low(leg));
  }
  l->clear = highest - lowest < CLP_PI && l->noise < CLP_PI; /* NaN hides behind the noise */
}

/* What pieces of this one inherit, as the header derives it. Weights are off too, by a few units in
 * the last place, and with them the terms of the sum. */
static void bequeath(piece *c, const legs *l)
{
  double least = HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
  for (int k = 0; k < l->count; ++k) {
    least = fmin(least, l->list[k].length);
    low = fmin(low, l->list[k].angle);
    high = fmax(high, l->list[k].angle);
  }
  double off = 4 * c->rounding / least + 16 * DBL_EPSILON;
  if (l->clear && high - low <= 2 * CLP_PI / 3 && off <= 0.5)
    c->noise = fmin(c->noise, 1.05 * off);
}

/* Whether halving a piece would tell nothing more: its legs turn to the left, or to the right by no
 * more than the curve itself does, whose directions at the ends are those of the legs. */
static bool settled(const piece *c, const legs *l)
{
  if (!l->clear)
    return false;
  if (l->drop == 0)
    return true;
  if (l->noise > coarse_noise && c->depth < COARSE_DEPTH)
    return false;
  double own = clp_bearing_high(&l->list[0]) - clp_bearing_low(&l->list[l->count - 1]);
  return l->drop - fmax(0, own) <= negligible + 4 * l->noise;
}

/* Whether legs next to a short span, whose direction nobody knows well, are short too. */
static bool fine_enough(const piece *c, const legs *l, double fine)
{
  return c->beside[0] * l->list[0].length <= fine &&
         c->beside[1] * l->list[l->count - 1].length <= fine;
}

/* Takes one halving from what may still be spent on this piece. */
static bool may_halve(clp_course *course, const piece *c, const legs *l)
{
  int *budget = &course->budget;
  if (settled(c, l)) {
    if (fine_enough(c, l, course->fine))
      return false;
    budget = &course->fine_budget;
  }
  if (c->depth == MAX_DEPTH || *budget <= 0)
    return false;
  --*budget;
  return true;
}

/* ---- Following ---------------------------------------------------------------------------- */

static void append(clp_course *course, const clp_bearing *bearing)
{
  clp_bearing *list = clp_arena_grow(course->arena, course->bearings, course->count,
                                     &course->capacity, sizeof *list);
  if (!list)
    return;
  course->bearings = list;
  list[course->count++] = *bearing;
}

/* False where directions, or the turn from the leg before, are not known. */
static bool append_legs(clp_course *course, size_t first, legs *l)
{
  double shift = 0;
  if (course->count > first)
    l->clear &= clp_course_shift(&course->bearings[course->count - 1], &l->list[0], &shift);
  for (int k = 0; k < l->count; ++k) {
    l->list[k].angle += shift;
    append(course, &l->list[k]);
  }
  return l->clear;
}

/* From the left to the right, each piece halved until it is settled. */
static bool follow_piece(clp_course *course, size_t first, const piece *whole, double *at)
{
  piece stack[MAX_DEPTH + 2];
  int top = 0;
  bool clear = true;
  for (stack[top++] = *whole; top > 0;) {
    piece *c = &stack[--top];
    legs l;
    set_legs(c, &l);
    count_on(&l);
    if (!may_halve(course, c, &l)) {
      bool known = append_legs(course, first, &l);
      if (clear && !known && at)
        *at = c->lo;
      clear &= known;
      continue;
    }
    bequeath(c, &l);
    ++c->depth;
    piece low, high;
    split(c, 0.5, &low, &high);
    stack[top++] = high;
    stack[top++] = low;
  }
  return clear;
}

/* Of a span's first and last leg. */
static void end_noise(const clp_nurbs_curve *curve, int span, double noise[2])
{
  legs l;
  piece c = span_piece(curve, span);
  set_legs(&c, &l);
  noise[0] = l.list[0].noise;
  noise[1] = l.list[l.count - 1].noise;
}

/* A span, cut to what the curve has of it; `alone` if its neighbors do not matter. */
static piece covered_piece(const clp_curve *curve, int span, bool alone)
{
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  piece c = span_piece(nurbs, span), rest;
  legs l;
  double noise[2];
  set_legs(&c, &l);
  count_on(&l);
  bequeath(&c, &l);
  if (!alone && span > 0 && c.lo > curve->lo) {
    end_noise(nurbs, span - 1, noise);
    c.beside[0] = noise[1];
  }
  if (!alone && span + 1 < nurbs->spans && c.hi < curve->hi) {
    end_noise(nurbs, span + 1, noise);
    c.beside[1] = noise[0];
  }
  if (curve->hi < c.hi)
    split(&c, (curve->hi - c.lo) / (c.hi - c.lo), &c, &rest);
  if (curve->lo > c.lo)
    split(&c, (curve->lo - c.lo) / (c.hi - c.lo), &rest, &c);
  return c;
}

static bool follow_spans(clp_course *course, const clp_curve *curve, double *at)
{
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  size_t first = course->count;
  bool clear = true;
  int span = clp_span_find(nurbs->breaks, nurbs->spans, curve->lo);
  for (; span < nurbs->spans && nurbs->breaks[span] < curve->hi; ++span) {
    piece c = covered_piece(curve, span, course->fine == HUGE_VAL);
    double place = c.lo;
    course->rounding = fmax(course->rounding, c.rounding);
    bool known = follow_piece(course, first, &c, &place);
    if (clear && !known && at)
      *at = place;
    clear &= known;
  }
  return clear;
}

/* A line's points are off by the rounding of its two terms. */
static bool follow_line(clp_course *course, const clp_curve *curve, double *at)
{
  const clp_line *line = &curve->as.line;
  double farthest = fmax(fabs(curve->lo), fabs(curve->hi)) * clp_norm(line->direction);
  farthest += clp_norm(line->origin);
  piece c = {.rounding = CLP_PLANE_ROUNDING * farthest, .noise = HUGE_VAL};
  clp_bearing leg = {.angle = atan2(line->direction.y, line->direction.x),
                     .length = (curve->hi - curve->lo) * clp_norm(line->direction),
                     .at = curve->lo,
                     .tangent = true};
  leg.noise = leg.length > 0 ? noise_of(&c, leg.length, leg.length) : HUGE_VAL;
  course->rounding = fmax(course->rounding, c.rounding);
  append(course, &leg);
  if (at)
    *at = curve->lo;
  return leg.noise < 0.5 * CLP_PI;
}

bool clp_course_follow(clp_course *course, const clp_curve *curve, double *at)
{
  if (curve->kind == CLP_CURVE_NURBS)
    return follow_spans(course, curve, at);
  return curve->kind == CLP_CURVE_LINE && follow_line(course, curve, at);
}

/* ---- What is known of it ------------------------------------------------------------------ */

double clp_course_fall(const clp_bearing *bearings, size_t count, double *at)
{
  double highest = -HUGE_VAL, fall = 0;
  for (size_t k = 0; k < count; ++k) {
    const clp_bearing *b = &bearings[k];
    if (!b->tangent)
      continue;
    if (highest - (b->angle + b->noise) > fall) {
      fall = highest - (b->angle + b->noise);
      *at = b->at;
    }
    highest = fmax(highest, b->angle - b->noise);
  }
  return fall;
}

double clp_course_spread(const clp_bearing *bearings, size_t count)
{
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t k = 0; k < count; ++k) {
    low = fmin(low, clp_bearing_low(&bearings[k]));
    high = fmax(high, clp_bearing_high(&bearings[k]));
  }
  return high - low;
}
