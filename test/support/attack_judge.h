/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ATTACK_JUDGE_H
#define TEST_SUPPORT_ATTACK_JUDGE_H

#include "support/attack_patch.h"
#include "support/random.h"

/* Doubles that widen to long doubles are what the evaluator is for. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdouble-promotion"

/* What a body truly is, told from many points of its surface and the normals there: how far points
 * lie beyond supporting planes, how far sides are from other sides, and how near balls are. */

typedef struct attack_sample {
  clp_vec3 p, n;
  double tilt; /* of n, see attack_spot */
  bool marked;
} attack_sample;

typedef struct attack_samples {
  attack_sample *list;
  int count, capacity;
  double spacing; /* the largest step between neighbours */
  clp_box3 box;
  bool crowded; /* samples are added where the fault is */
} attack_samples;

static inline attack_samples attack_samples_make(int capacity)
{
  attack_samples s = {.capacity = capacity, .list = malloc((size_t)capacity * sizeof *s.list)};
  ck_assert_ptr_nonnull(s.list);
  s.box = (clp_box3){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  return s;
}

static inline void attack_samples_free(attack_samples *s)
{
  free(s->list);
}

static inline void attack_samples_add(attack_samples *s, attack_spot spot)
{
  clp_vec3 p = spot.point;
  if (s->count == s->capacity)
    return;
  s->list[s->count++] = (attack_sample){p, spot.normal, spot.tilt, s->crowded};
  s->box.min =
      (clp_vec3){fmin(p.x, s->box.min.x), fmin(p.y, s->box.min.y), fmin(p.z, s->box.min.z)};
  s->box.max =
      (clp_vec3){fmax(p.x, s->box.max.x), fmax(p.y, s->box.max.y), fmax(p.z, s->box.max.z)};
}

/* ---- Samples of patches -------------------------------------------------------------------- */

/* n x n samples of a rectangle within one span. */
static inline void attack_sample_rectangle(attack_samples *s, const attack_patch *p,
                                           const int span[2], const double lo[2],
                                           const double hi[2], int n)
{
  int first = s->count;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      long double x = (long double)i / (n - 1), y = (long double)j / (n - 1);
      const long double t[2] = {(1 - x) * lo[0] + x * hi[0], (1 - y) * lo[1] + y * hi[1]};
      attack_samples_add(s, attack_look(p, span, t));
      int k = s->count - 1;
      if (j > 0 && k - 1 >= first)
        s->spacing = fmax(s->spacing, clp_distance(s->list[k].p, s->list[k - 1].p));
      if (i > 0 && k - n >= first)
        s->spacing = fmax(s->spacing, clp_distance(s->list[k].p, s->list[k - n].p));
    }
}

/* Spans that are not empty, at most so many, evenly picked. */
enum { ATTACK_SPANS = 96 };

static inline int attack_spans(const attack_patch *p, int d, double lo, double hi, int *spans)
{
  int all = 0, kept = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int k = p->degree[d], seen = 0; k < p->size[d]; ++k) {
      const double *t = p->knots[d] + k;
      if (!(t[0] < t[1]) || t[1] <= lo || t[0] >= hi)
        continue;
      if (pass == 0)
        ++all;
      else if (kept < ATTACK_SPANS &&
               (int)((long)seen * ATTACK_SPANS / (all > ATTACK_SPANS ? all : ATTACK_SPANS)) >= kept)
        spans[kept++] = k;
      ++seen;
    }
  return kept;
}

/* n x n samples of every span's part of a rectangle. */
static inline void attack_sample_spans(attack_samples *s, const attack_patch *p, const double lo[2],
                                       const double hi[2], int n)
{
  int spans[2][ATTACK_SPANS], count[2];
  for (int d = 0; d < 2; ++d)
    count[d] = attack_spans(p, d, lo[d], hi[d], spans[d]);
  for (int i = 0; i < count[0]; ++i)
    for (int j = 0; j < count[1]; ++j) {
      const int span[2] = {spans[0][i], spans[1][j]};
      double from[2], to[2];
      for (int d = 0; d < 2; ++d) {
        from[d] = fmax(lo[d], p->knots[d][span[d]]);
        to[d] = fmin(hi[d], p->knots[d][span[d] + 1]);
      }
      attack_sample_rectangle(s, p, span, from, to, n);
    }
}

static inline int attack_cells(const attack_patch *p)
{
  int spans[ATTACK_SPANS];
  return attack_spans(p, 0, -HUGE_VAL, HUGE_VAL, spans) *
         attack_spans(p, 1, -HUGE_VAL, HUGE_VAL, spans);
}

static inline int attack_each(double budget, int cells, int least, int most)
{
  int n = (int)sqrt(budget / (cells > 0 ? cells : 1));
  return n < least ? least : n > most ? most : n;
}

/* Where the marks are; half of the budget. */
static inline void attack_sample_marks(attack_samples *s, const attack_body *body, int budget)
{
  int spans[ATTACK_SPANS];
  s->crowded = true;
  for (int m = 0; m < body->mark_count; ++m) {
    const attack_mark *mark = &body->marks[m];
    const attack_patch *p = &body->patches[mark->patch];
    int cells = attack_spans(p, 0, mark->lo[0], mark->hi[0], spans) *
                attack_spans(p, 1, mark->lo[1], mark->hi[1], spans);
    attack_sample_spans(s, p, mark->lo, mark->hi,
                        attack_each(0.5 * budget / body->mark_count, cells, 3, 9));
  }
  s->crowded = false;
}

/* Every span of every patch, and closer where the marks are. */
static inline attack_samples attack_sample_body(const attack_body *body, int budget)
{
  int cells = 0;
  for (int k = 0; k < body->count; ++k)
    cells += attack_cells(&body->patches[k]);
  int n = attack_each(budget, cells, 2, 12);
  attack_samples s = attack_samples_make(12 * cells + 8 * budget + 100 * ATTACK_MARKS);
  attack_sample_marks(&s, body, budget);
  const double lo[2] = {-HUGE_VAL, -HUGE_VAL}, hi[2] = {HUGE_VAL, HUGE_VAL};
  for (int k = 0; k < body->count; ++k)
    attack_sample_spans(&s, &body->patches[k], lo, hi, n);
  ck_assert_int_lt(s.count, s.capacity);
  return s;
}

/* ---- Beyond supporting planes -------------------------------------------------------------- */

typedef struct attack_excess {
  double height;     /* the most that a sample lies beyond another's plane, for certain (m) */
  int plane, beyond; /* which two */
  int inverted;      /* samples whose normal looks into the body */
} attack_excess;

/* Where a parametrization turns back on itself the normal looks the other way, though the place is
 * one of the body's: no witness can lie there. Many of them are a fault. */
static inline void attack_excess_from(const attack_samples *s, int i, clp_vec3 inside, double size,
                                      attack_excess *worst)
{
  const attack_sample *a = &s->list[i];
  double doubt = 2 * a->tilt * size;
  if (!(doubt < 1e-3 * size))
    return;
  if (clp_dot(a->n, clp_sub(inside, a->p)) > 0) {
    worst->inverted += !a->marked;
    return;
  }
  for (int j = 0; j < s->count; ++j) {
    double height = clp_dot(a->n, clp_sub(s->list[j].p, a->p)) - doubt;
    if (height > worst->height)
      *worst = (attack_excess){height, i, j, worst->inverted};
  }
}

static inline attack_excess attack_excess_of(const attack_samples *s, clp_vec3 inside, double size)
{
  attack_excess worst = {0};
  int step = s->count / 400 + 1;
  for (int i = 0; i < s->count; ++i)
    if (i % step == 0 || (s->list[i].marked && i % (step / 4 + 1) == 0))
      attack_excess_from(s, i, inside, size, &worst);
  if (worst.inverted > 20)
    worst.height = size;
  return worst;
}

/* ---- Gaps ---------------------------------------------------------------------------------- */

enum { ATTACK_SIDE_SAMPLES = 160 };

typedef struct attack_side {
  const attack_patch *patch;
  int along, end; /* runs along u (0) or v (1), at the other parameter's low or high end */
  int count;
  double t[ATTACK_SIDE_SAMPLES];
  clp_vec3 place[ATTACK_SIDE_SAMPLES];
} attack_side;

/* A point of the side, and the derivative there. */
static inline clp_vec3 attack_side_jet(const attack_side *side, long double t, clp_vec3 *slope)
{
  const attack_patch *p = side->patch;
  int d = side->along, span = attack_span(p, d, (double)t, false);
  long double n[ATTACK_DEGREE + 1], dn[ATTACK_DEGREE + 1], h[4] = {0}, dh[4] = {0};
  attack_basis(p->knots[d], p->degree[d], span, t, n, dn);
  for (int k = 0; k <= p->degree[d]; ++k) {
    int i = span - p->degree[d] + k, fixed = side->end ? p->size[1 - d] - 1 : 0;
    const double *c = d == 0 ? attack_point(p, i, fixed) : attack_point(p, fixed, i);
    for (int lane = 0; lane < 4; ++lane) {
      long double x = lane < 3 ? c[lane] : 1;
      h[lane] += n[k] * c[3] * x;
      dh[lane] += dn[k] * c[3] * x;
    }
  }
  for (int lane = 0; lane < 3; ++lane) {
    h[lane] /= h[3];
    dh[lane] = (dh[lane] - h[lane] * dh[3]) / h[3];
  }
  *slope = (clp_vec3){(double)dh[0], (double)dh[1], (double)dh[2]};
  return (clp_vec3){(double)h[0], (double)h[1], (double)h[2]};
}

static inline clp_vec3 attack_side_point(const attack_side *side, long double t)
{
  clp_vec3 slope;
  return attack_side_jet(side, t, &slope);
}

static inline int attack_compare(const void *left, const void *right)
{
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/* Samples of every span and of the marks that touch the side; false where it is a point. */
static inline bool attack_side_make(const attack_body *body, int patch, int along, int end,
                                    attack_side *side)
{
  const attack_patch *p = &body->patches[patch];
  int spans[ATTACK_SPANS], count = attack_spans(p, along, -HUGE_VAL, HUGE_VAL, spans);
  int each = 96 / count < 3 ? 1 : 96 / count > 24 ? 24 : 96 / count;
  *side = (attack_side){.patch = p, .along = along, .end = end};
  side->t[side->count++] = attack_high(p, along);
  for (int s = 0; s < count; ++s)
    for (int k = 0; k < each && side->count < 120; ++k) {
      const double *knot = p->knots[along] + spans[s];
      side->t[side->count++] = knot[0] + (knot[1] - knot[0]) * k / each;
    }
  for (int m = 0; m < body->mark_count; ++m)
    for (int k = 1; k < 8 && body->marks[m].patch == patch; ++k)
      if (side->count < ATTACK_SIDE_SAMPLES)
        side->t[side->count++] = body->marks[m].lo[along] +
                                 (body->marks[m].hi[along] - body->marks[m].lo[along]) * k / 8;
  qsort(side->t, (size_t)side->count, sizeof *side->t, attack_compare);
  int kept = 1;
  for (int k = 1; k < side->count; ++k)
    if (side->t[k] - side->t[kept - 1] > 1e-14 * (side->t[side->count - 1] - side->t[0]))
      side->t[kept++] = side->t[k];
  side->count = kept;
  double extent = 0;
  for (int k = 0; k < side->count; ++k) {
    side->place[k] = attack_side_point(side, side->t[k]);
    extent = fmax(extent, clp_distance(side->place[k], side->place[0]));
  }
  return extent > 1e-15 * body->size;
}

/* Golden sections between two parameters. */
static inline double attack_side_golden(const attack_side *side, clp_vec3 p, long double lo,
                                        long double hi)
{
  double nearest = HUGE_VAL;
  for (int k = 0; k < 90; ++k) {
    long double a = lo + 0.381966L * (hi - lo), b = lo + 0.618034L * (hi - lo);
    double da = clp_distance(attack_side_point(side, a), p);
    double db = clp_distance(attack_side_point(side, b), p);
    nearest = fmin(nearest, fmin(da, db));
    if (da < db)
      hi = b;
    else
      lo = a;
  }
  return nearest;
}

/* From one sample on, which is nearer than its neighbours. */
static inline double attack_side_refine(const attack_side *side, clp_vec3 p, int k, bool careful)
{
  int before = k > 2 ? k - 2 : 0, after = k + 3 < side->count ? k + 2 : side->count - 1;
  long double lo = side->t[before], hi = side->t[after], t = side->t[k];
  double nearest = HUGE_VAL;
  for (int i = 0; i < 8 && nearest > 0; ++i) {
    clp_vec3 slope, at = attack_side_jet(side, t, &slope);
    nearest = fmin(nearest, clp_distance(at, p));
    t += clp_dot(clp_sub(p, at), slope) / fmax(clp_norm2(slope), 1e-300);
    t = t < lo ? lo : t > hi ? hi : t;
  }
  return careful ? fmin(nearest, attack_side_golden(side, p, lo, hi)) : nearest;
}

/* The distance of p from a side, where it is below `enough`: an upper bound by Newton's steps, or
 * with more care. A flat curve comes by more than once. */
static inline double attack_side_distance(const attack_side *side, clp_vec3 p, double enough,
                                          bool careful)
{
  double d[ATTACK_SIDE_SAMPLES], nearest = enough;
  int last = side->count - 1;
  for (int k = 0; k <= last; ++k) {
    d[k] = clp_distance(side->place[k], p);
    nearest = fmin(nearest, d[k]);
  }
  for (int k = 0; k <= last && nearest > 0; ++k) {
    int before = k > 2 ? k - 2 : 0, after = k + 3 < side->count ? k + 2 : last;
    double step = fmax(clp_distance(side->place[before], side->place[k]),
                       clp_distance(side->place[after], side->place[k]));
    bool lowest = (k == 0 || d[k] <= d[k - 1]) && (k == last || d[k] <= d[k + 1]);
    if (lowest && d[k] - step < nearest)
      nearest = fmin(nearest, attack_side_refine(side, p, k, careful));
  }
  return nearest;
}

/* The distance of a side's point from all other sides, or something up to `enough`. */
static inline double attack_point_gap(const attack_side *sides, int count, int a, int k,
                                      double enough, bool careful)
{
  double nearest = HUGE_VAL;
  for (int b = 0; b < count && nearest > enough; ++b)
    if (b != a)
      nearest = fmin(nearest, attack_side_distance(&sides[b], sides[a].place[k], nearest, careful));
  return nearest;
}

/* The largest distance of a side's point from all other sides. `enough`: what is of no interest. */
static inline double attack_gap_of(const attack_body *body, double enough)
{
  attack_side *sides = malloc(4 * (size_t)body->count * sizeof *sides);
  int count = 0;
  double gap = 0;
  ck_assert_ptr_nonnull(sides);
  for (int k = 0; k < body->count; ++k)
    for (int s = 0; s < 4; ++s)
      count += attack_side_make(body, k, s / 2, s % 2, &sides[count]);
  for (int a = 0; a < count; ++a)
    for (int k = 0; k < sides[a].count; k += 1 + sides[a].count / 40) {
      double least = fmax(gap, enough);
      if (attack_point_gap(sides, count, a, k, least, false) > least)
        gap = fmax(gap, attack_point_gap(sides, count, a, k, least, true));
    }
  free(sides);
  return gap;
}

/* ---- Balls --------------------------------------------------------------------------------- */

typedef struct attack_balls {
  int asked, wrong;
  double worst; /* by how much a lower bound was above the truth (m) */
} attack_balls;

static inline attack_sample attack_pick(const attack_samples *s, random_state *g, bool marked)
{
  attack_sample picked = s->list[random_bits(g) % (uint64_t)s->count];
  for (int k = 0; k < 60 && marked && !picked.marked; ++k)
    picked = s->list[random_bits(g) % (uint64_t)s->count];
  return picked;
}

/* Near the worst fault, near its marks, and all around. */
static inline clp_vec3 attack_ball_center(const attack_samples *s, const attack_excess *excess,
                                          clp_vec3 inside, int k, double away, random_state *g)
{
  attack_sample at = attack_pick(s, g, k % 4 != 2);
  clp_vec3 random = random_direction(g), way = clp_add_scaled(at.n, 0.6, random);
  if (k % 4 == 0 && excess->height > 0) {
    at = s->list[excess->beyond];
    way = clp_add_scaled(s->list[excess->plane].n, k % 8 == 0 ? 0 : 0.5, random);
  } else if (k % 4 == 3 || at.tilt == HUGE_VAL) {
    way = clp_add_scaled(clp_unit(clp_sub(at.p, inside)), 0.6, random);
  }
  return clp_add_scaled(at.p, away / clp_norm(way), way);
}

static inline bool attack_within(clp_box3 b, clp_vec3 p, double margin)
{
  return p.x > b.min.x - margin && p.x < b.max.x + margin && p.y > b.min.y - margin &&
         p.y < b.max.y + margin && p.z > b.min.z - margin && p.z < b.max.z + margin;
}

static inline double attack_nearest(const attack_samples *s, clp_vec3 p)
{
  double nearest = HUGE_VAL;
  for (int j = 0; j < s->count; ++j)
    nearest = fmin(nearest, clp_norm2(clp_sub(s->list[j].p, p)));
  return sqrt(nearest);
}

static inline clp_body *attack_ball(double radius)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  clp_body *ball = NULL;
  def.radius = radius;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &ball), CLP_OK);
  return ball;
}

/* An answer is false where its lower bound is above the distance of a sample, or its distance below
 * all that samples this close to each other leave possible. */
static inline void attack_ask(clp_pair *pair, const attack_samples *s, clp_vec3 center,
                              double radius, double size, attack_balls *balls)
{
  const clp_pose rest = clp_pose_identity();
  clp_pose X = rest;
  X.position = center;
  clp_answer answer = clp_pair_query(pair, &rest, &X);
  double truth = attack_nearest(s, center) - radius;
  double over = answer.lower_bound - truth - 2e-15 * (size + clp_norm(center));
  bool outside = !attack_within(s->box, center, radius);
  bool low = outside && answer.distance < truth - s->spacing;
  ++balls->asked;
  balls->wrong += !(over <= 0) || low;
  balls->worst = fmax(balls->worst, over);
}

static inline attack_balls attack_ask_balls(const clp_body *body, const attack_samples *s,
                                            const attack_excess *excess, clp_vec3 inside,
                                            double size, int count, random_state *g)
{
  attack_balls balls = {0};
  static const double radii[] = {0.05, 0.004, 0.4};
  for (int r = 0; r < 3; ++r) {
    double radius = radii[r] * size;
    clp_body *ball = attack_ball(radius);
    clp_pair *pair = NULL;
    ck_assert_int_eq(clp_pair_create(body, ball, NULL, &pair), CLP_OK);
    for (int k = r; k < count; k += 3) {
      double away = radius + size * pow(10, random_between(g, -3, 0));
      clp_vec3 center = attack_ball_center(s, excess, inside, k / 3, away, g);
      attack_ask(pair, s, center, radius, size, &balls);
    }
    clp_pair_destroy(pair);
    clp_body_destroy(ball);
  }
  return balls;
}

#pragma GCC diagnostic pop

#endif
