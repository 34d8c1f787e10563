/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/seam.h"

#include <float.h>
#include <math.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/curve_match.h"
#include "rclc_closest_point/surface/face_span.h"

/* Cells that a piece of an edge is divided into at most, and those after which a little will do. */
enum { MOST_CELLS = 256, FINE_CELLS = 16 };

/* Jumps (rad): one that is next to nothing, rounding of normals, and one that is little beside what
 * a whole body may have. */
#define NEXT_TO_NOTHING 1e-14
#define LITTLE 1e-9

/* Of a side: jumps do not move within so little of it. */
#define NARROW 1e-12

/* A little that halving does not make smaller is rounding of control points. */
#define STAYS 0.7

/* Control points are doubles: where tangents are meant to be parallel, at a corner or in a pole,
 * they are so but for rounding, and coefficients below this, of what they are the difference of,
 * are meant to be 0. */
#define MEANT_ZERO 1e-13

/* What the proof's budget is charged with for the jump between two planes. */
#define CONSTANT_COST 20

/* A gap that is no more than rounding turns no normals. */
#define ROUNDING_GAP 1e-13

/* ---- Tangent planes along a side ---------------------------------------------------------- */

/* n and d as polynomials along a side: the dual point is n / d. */
typedef struct planes {
  clp_wide_form n[3], d;
  clp_wide_form scale; /* as large would their coefficients be if nothing in them canceled */
} planes;

static void constant(clp_wide_form *f, double value)
{
  f->degree = 0;
  f->c[0] = (clp_wide)value;
}

static clp_dual_plane plane_of_face(const clp_gauge *gauge, const clp_face *face)
{
  const clp_surface *surface = &face->surface;
  clp_site middle = clp_domain_middle(surface, &face->domain);
  clp_vec3 normal = clp_surface_normal(surface, &face->domain, middle);
  clp_vec3 p = clp_surface_point(surface, middle);
  return (clp_dual_plane){clp_gauge_normal(gauge, normal),
                          clp_dot(normal, clp_sub(p, gauge->center))};
}

static void planes_of_plane(clp_dual_plane flat, planes *result)
{
  constant(&result->n[0], flat.n.x);
  constant(&result->n[1], flat.n.y);
  constant(&result->n[2], flat.n.z);
  constant(&result->d, flat.d);
}

/* A row of a span's homogeneous points in the gauge's frame: along the side, `inner` rows from it.
 */
static void take_row(const clp_gauge *gauge, const clp_face_span *span, int side, int inner,
                     clp_wide_curve *row)
{
  bool along_v = side == CLP_SIDE_U0 || side == CLP_SIDE_U1, high = side % 2 == 1;
  int count = along_v ? span->degree_v : span->degree_u;
  int last = along_v ? span->degree_u : span->degree_v;
  int fixed = high ? last - inner : inner;
  for (int k = 0; k <= count; ++k) {
    int i = along_v ? fixed : k, j = along_v ? k : fixed;
    const double *h = span->bezier + 4 * (size_t)(i * (span->degree_v + 1) + j);
    clp_wide point[4] = {(clp_wide)h[0], (clp_wide)h[1], (clp_wide)h[2], (clp_wide)h[3]};
    clp_wide_into_gauge(gauge, point);
    for (int lane = 0; lane < 4; ++lane)
      row->lane[lane].c[k] = point[lane];
  }
  for (int lane = 0; lane < 4; ++lane)
    row->lane[lane].degree = count;
}

static void add_cross(clp_wide_form sum[3], double factor, const clp_wide_form *a,
                      const clp_wide_form *b)
{
  for (int lane = 0; lane < 3; ++lane) {
    int next = (lane + 1) % 3, last = (lane + 2) % 3;
    clp_wide_add_product(&sum[lane], (clp_wide)factor, &a[next], &b[last]);
    clp_wide_add_product(&sum[lane], (clp_wide)-factor, &a[last], &b[next]);
  }
}

static void add_scaled(clp_wide_form sum[3], double factor, const clp_wide_form *w,
                       const clp_wide_form *v)
{
  for (int lane = 0; lane < 3; ++lane)
    clp_wide_add_product(&sum[lane], (clp_wide)factor, w, &v[lane]);
}

static void clear(clp_wide_form *forms, int count)
{
  for (int k = 0; k < count; ++k)
    forms[k].degree = -1;
}

/* The largest lane of each point, and of each difference of neighbors or of the two rows: a product
 * of three such forms has the coefficients' size, weights and all. */
static void scale_of_rows(const clp_wide_curve *rows, clp_wide_form *scale)
{
  int degree = rows[0].lane[0].degree;
  clp_wide_form size[2], along, across, product;
  for (int row = 0; row < 2; ++row) {
    size[row].degree = degree;
    for (int k = 0; k <= degree; ++k) {
      size[row].c[k] = 0;
      for (int lane = 0; lane < 4; ++lane)
        size[row].c[k] = fmaxl(size[row].c[k], fabsl(rows[row].lane[lane].c[k]));
    }
  }
  along.degree = degree > 0 ? degree - 1 : 0;
  across.degree = degree;
  along.c[0] = 0;
  for (int k = 0; k < degree; ++k)
    along.c[k] = degree * (size[0].c[k] + size[0].c[k + 1]);
  for (int k = 0; k <= degree; ++k)
    across.c[k] = size[0].c[k] + size[1].c[k];
  clear(&product, 1);
  clear(scale, 1);
  clp_wide_add_product(&product, 1, &along, &across);
  clp_wide_add_product(scale, 1, &size[0], &product);
}

/* n = W (Xu x Xv) - Wu (X x Xv) - Wv (Xu x X) and d = X.(Xu x Xv) along a side of a span (see
 * surface/second_form.h), X and what runs along the side from the first row, the derivative across
 * from the first two. */
static void planes_of_rows(const clp_wide_curve *rows, bool along_v, bool high, double outward,
                           planes *result)
{
  clp_wide_form along[4], across[4], cross[3], other[3];
  for (int lane = 0; lane < 4; ++lane) {
    const clp_wide_form *outer = &rows[0].lane[lane], *inner = &rows[1].lane[lane];
    clp_wide_derive(outer, &along[lane]);
    across[lane].degree = outer->degree;
    for (int k = 0; k <= outer->degree; ++k)
      across[lane].c[k] = (high ? -1 : 1) * (inner->c[k] - outer->c[k]);
  }
  const clp_wide_form *x = rows[0].lane, *u = along_v ? across : along,
                      *v = along_v ? along : across;
  clear(result->n, 3);
  clear(&result->d, 1);
  clear(cross, 3);
  add_cross(cross, outward, u, v);
  add_scaled(result->n, 1, &x[3], cross);
  for (int lane = 0; lane < 3; ++lane)
    clp_wide_add_product(&result->d, 1, &x[lane], &cross[lane]);
  if (clp_wide_largest(&u[3]) > 0) {
    clear(other, 3);
    add_cross(other, outward, x, v);
    add_scaled(result->n, -1, &u[3], other);
  }
  if (clp_wide_largest(&v[3]) > 0) {
    clear(other, 3);
    add_cross(other, outward, u, x);
    add_scaled(result->n, -1, &v[3], other);
  }
}

/* A common factor t, or 1 - t, of all four goes out. */
static void take_out_zeros(planes *p)
{
  for (int end = 0; end < 2; ++end)
    while (p->d.degree > 0) {
      int k = end ? p->d.degree : 0;
      clp_wide there = fmaxl(fmaxl(fabsl(p->n[0].c[k]), fabsl(p->n[1].c[k])),
                             fmaxl(fabsl(p->n[2].c[k]), fabsl(p->d.c[k])));
      if (there > (clp_wide)MEANT_ZERO * p->scale.c[k])
        break;
      for (int lane = 0; lane < 3; ++lane)
        clp_wide_divide(&p->n[lane], end);
      clp_wide_divide(&p->d, end);
      clp_wide_divide(&p->scale, end);
    }
}

static int span_index(const clp_nurbs *nurbs, int side, int along)
{
  switch (side) {
    case CLP_SIDE_U0:
      return along;
    case CLP_SIDE_U1:
      return (nurbs->spans_u - 1) * nurbs->spans_v + along;
    case CLP_SIDE_V0:
      return along * nurbs->spans_v;
    default:
      return along * nurbs->spans_v + nurbs->spans_v - 1;
  }
}

/* Whether all of the face has one tangent plane. */
static bool is_flat(const clp_face *face)
{
  return clp_surface_facts_of(&face->surface)->flat || face->bend == CLP_BEND_FLAT;
}

/* Whether two rows are the same points, weighted alike. */
static bool same_rows(const clp_wide_curve *a, const clp_wide_curve *b)
{
  clp_wide factor = b->lane[3].c[0] / a->lane[3].c[0];
  for (int k = 0; k <= a->lane[0].degree; ++k) {
    clp_wide most = 0, off = 0;
    for (int lane = 0; lane < 4; ++lane) {
      most = fmaxl(most, fabsl(b->lane[lane].c[k]));
      off = fmaxl(off, fabsl(b->lane[lane].c[k] - factor * a->lane[lane].c[k]));
    }
    if (off > (clp_wide)MEANT_ZERO * most)
      return false;
  }
  return true;
}

/* Over a stretch of a span along one of its sides. Where the first rows of points coincide the
 * patch leaves the side towards the first one that does not. */
static void take_span_planes(const clp_gauge *gauge, const clp_face_span *span, int side,
                             double from, double to, double outward, planes *result)
{
  clp_wide_curve rows[2];
  bool along_v = side == CLP_SIDE_U0 || side == CLP_SIDE_U1;
  int last = along_v ? span->degree_u : span->degree_v, inner = 1;
  take_row(gauge, span, side, 0, &rows[0]);
  take_row(gauge, span, side, inner, &rows[1]);
  while (inner < last && same_rows(&rows[0], &rows[1]))
    take_row(gauge, span, side, ++inner, &rows[1]);
  clp_wide lo = (clp_wide)fmin(from, to), hi = (clp_wide)fmax(from, to);
  for (int row = 0; row < 2; ++row)
    for (int lane = 0; lane < 4; ++lane)
      clp_wide_restrict(&rows[row].lane[lane], lo, hi);
  planes_of_rows(rows, along_v, side % 2 == 1, outward, result);
  scale_of_rows(rows, &result->scale);
  take_out_zeros(result);
}

static void turn_planes(planes *p, bool backwards, clp_wide alpha)
{
  for (int lane = 0; lane < 4; ++lane) {
    clp_wide_form *f = lane < 3 ? &p->n[lane] : &p->d;
    if (backwards)
      clp_wide_restrict(f, 1, 0);
    clp_wide_stretch(f, alpha);
  }
}

/* ---- The jump over a piece ---------------------------------------------------------------- */

/* b - a = q / dd; `turn` is q.(T x p) times something positive, where it is needed. */
typedef struct jump {
  clp_wide_form q[3], dd, turn;
} jump;

static void curve_in_gauge(const clp_gauge *gauge, clp_wide_curve *curve)
{
  for (int k = 0; k <= curve->lane[0].degree; ++k) {
    clp_wide point[4];
    for (int lane = 0; lane < 4; ++lane)
      point[lane] = curve->lane[lane].c[k];
    clp_wide_into_gauge(gauge, point);
    for (int lane = 0; lane < 4; ++lane)
      curve->lane[lane].c[k] = point[lane];
  }
}

static void set_jump(const planes *a, const planes *b, jump *j)
{
  clear(j->q, 3);
  clear(&j->dd, 1);
  add_scaled(j->q, 1, &a->d, b->n);
  add_scaled(j->q, -1, &b->d, a->n);
  clp_wide_add_product(&j->dd, 1, &a->d, &b->d);
}

/* T x p is along X' x X for a curve X / W that runs counter-clockwise round the first face. */
static void set_turn(const clp_wide_curve *curve, double direction, jump *j)
{
  clp_wide_form along[3], plane[3];
  clear(&j->turn, 1);
  clear(plane, 3);
  for (int lane = 0; lane < 3; ++lane)
    clp_wide_derive(&curve->lane[lane], &along[lane]);
  add_cross(plane, direction, along, curve->lane);
  for (int lane = 0; lane < 3; ++lane)
    clp_wide_add_product(&j->turn, 1, &j->q[lane], &plane[lane]);
}

/* Whichever way it is; HUGE_VAL where the planes pass the center, or are not known. */
static double size_over(const jump *j, clp_wide lo, clp_wide hi)
{
  clp_wide_form dd = j->dd, q[3] = {j->q[0], j->q[1], j->q[2]};
  clp_wide_restrict(&dd, lo, hi);
  if (!(clp_wide_smallest_value(&dd) > 0))
    return HUGE_VAL;
  for (int lane = 0; lane < 3; ++lane)
    clp_wide_restrict(&q[lane], lo, hi);
  clp_wide most = 0;
  for (int k = 0; k <= dd.degree; ++k) {
    clp_wide x = q[0].c[k], y = q[1].c[k], z = q[2].c[k];
    most = fmaxl(most, sqrtl(x * x + y * y + z * z) / dd.c[k]);
  }
  return (double)most;
}

/* Nothing where the edge is convex. */
static double jump_over(const jump *j, double from, double to)
{
  const clp_wide lo = (clp_wide)from, hi = (clp_wide)to;
  double size = size_over(j, lo, hi);
  clp_wide_form turn = j->turn;
  clp_wide_restrict(&turn, lo, hi);
  return size < HUGE_VAL && clp_wide_smallest_value(&turn) >= 0 ? 0 : size;
}

typedef struct cell {
  double lo, hi, jump;
} cell;

/* Divides where the jump may be largest, until that is next to nothing or does not get smaller. */
static cell largest_jump(jump *j, const clp_wide_curve *curve, double direction,
                         clp_proof_budget *budget)
{
  /* wide numbers take twice as long; restricting a form of degree n takes n^2 / 2 steps, products
   * of three rows less than ten times the square of the result's degree */
  double square = (double)(j->dd.degree + 1) * (j->dd.degree + 1);
  double size = size_over(j, 0, 1);
  budget->operations -= CONSTANT_COST * square;
  if (size <= NEXT_TO_NOTHING)
    return (cell){0, 1, size};
  set_turn(curve, direction, j);
  cell cells[MOST_CELLS];
  cells[0] = (cell){0, 1, jump_over(j, 0, 1)};
  int count = 1;
  for (;;) {
    int worst = 0;
    for (int k = 1; k < count; ++k)
      if (cells[k].jump > cells[worst].jump)
        worst = k;
    cell top = cells[worst];
    if (top.jump <= NEXT_TO_NOTHING || (top.jump <= LITTLE && count >= FINE_CELLS) ||
        count == MOST_CELLS || top.hi - top.lo < NARROW)
      return top;
    double middle = 0.5 * (top.lo + top.hi);
    cells[worst] = (cell){top.lo, middle, jump_over(j, top.lo, middle)};
    cells[count++] = (cell){middle, top.hi, jump_over(j, middle, top.hi)};
    budget->operations -= 10 * square;
    double left = fmax(cells[worst].jump, cells[count - 1].jump);
    if (top.jump <= LITTLE && left > STAYS * top.jump)
      return top;
  }
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* What a gap g between the sides does to b - a: b.p is not 1 but off by |b| g, and b.T not 0 but
 * off by |b| times the angle between the sides' tangents, their drift over the least speed of the
 * edge. Where g is no more than rounding, nothing. */
static double tilt_of_gap(const clp_wide_curve *curve, double gap, double drift, double height)
{
  if (gap <= ROUNDING_GAP)
    return 0;
  int degree = curve->lane[0].degree;
  clp_vec3 p[CLP_MAX_ORDER];
  for (int k = 0; k <= degree; ++k) {
    clp_wide w = curve->lane[3].c[k];
    p[k] = (clp_vec3){(double)(curve->lane[0].c[k] / w), (double)(curve->lane[1].c[k] / w),
                      (double)(curve->lane[2].c[k] / w)};
  }
  clp_vec3 chord = clp_unit(clp_sub(p[degree], p[0]));
  double least = HUGE_VAL;
  for (int k = 0; k < degree; ++k)
    least = fmin(least, clp_dot(chord, clp_sub(p[k + 1], p[k])));
  const clp_wide_form *weight = &curve->lane[3];
  double ratio = (double)(clp_wide_smallest_value(weight) / clp_wide_largest(weight));
  double speed = degree * least * ratio * ratio;
  return drift == 0 ? gap / height : speed > 0 ? (gap + drift / speed) / height : HUGE_VAL;
}

typedef struct edge_work {
  clp_builder *builder;
  const clp_gauge *gauge;
  const clp_edge *edge;
  clp_seam seam;
} edge_work;

static const clp_use *use_of(const edge_work *work, int which)
{
  return &work->builder->uses[work->edge->use[which]];
}

static const clp_face *face_of(const edge_work *work, int which)
{
  return &work->builder->faces[use_of(work, which)->face].face;
}

/* Of a flat face. The middle of one with n corners takes n steps, and it has n edges. */
static clp_dual_plane plane_of(const edge_work *work, int which)
{
  clp_build_face *build = &work->builder->faces[use_of(work, which)->face];
  if (build->plane.d == 0)
    build->plane = plane_of_face(work->gauge, &build->face);
  return build->plane;
}

/* The tangent planes along one of the edge's faces: a plane, or over a stretch of a span. */
static void take_planes(const edge_work *work, int which, int along, double from, double to,
                        planes *result)
{
  const clp_face *face = face_of(work, which);
  if (is_flat(face)) {
    planes_of_plane(plane_of(work, which), result);
    return;
  }
  clp_face_span span;
  const clp_nurbs *nurbs = &face->surface.as.nurbs;
  int side = use_of(work, which)->side;
  clp_face_span_at(nurbs, &face->domain, span_index(nurbs, side, along), &span);
  take_span_planes(work->gauge, &span, side, from, to, face->surface.outward, result);
}

static double direction_of(const edge_work *work)
{
  const clp_face *face = face_of(work, 0);
  const clp_use *use = use_of(work, 0);
  return use->sense * clp_side_direction(&face->surface, &face->domain, use->side);
}

/* Two planes that meet along a line: all of what is below for polynomials, which then are constant,
 * and for the turn linear. False: it takes a search. */
static bool jump_of_planes(const edge_work *work, cell *worst)
{
  const clp_gauge *gauge = work->gauge;
  const clp_dual_plane a = plane_of(work, 0), b = plane_of(work, 1);
  const double an[3] = {a.n.x, a.n.y, a.n.z}, bn[3] = {b.n.x, b.n.y, b.n.z};
  clp_wide q[3], dd = (clp_wide)a.d * (clp_wide)b.d;
  for (int lane = 0; lane < 3; ++lane)
    q[lane] = (clp_wide)a.d * (clp_wide)bn[lane] - (clp_wide)b.d * (clp_wide)an[lane];
  if (!(dd > 0))
    return false;
  *worst = (cell){0, 1, (double)(sqrtl(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / dd)};
  if (worst->jump <= NEXT_TO_NOTHING)
    return true;
  clp_wide ends[2][3], x[2][4], direction = (clp_wide)direction_of(work);
  clp_wide_line_ends(&work->edge->curve, ends);
  for (int end = 0; end < 2; ++end) {
    for (int lane = 0; lane < 3; ++lane)
      x[end][lane] = ends[end][lane];
    x[end][3] = 1;
    clp_wide_into_gauge(gauge, x[end]);
  }
  for (int end = 0; end < 2; ++end) {
    clp_wide turn = 0;
    for (int lane = 0; lane < 3; ++lane) {
      int next = (lane + 1) % 3, last = (lane + 2) % 3;
      turn += q[lane] * (direction * (x[1][next] - x[0][next]) * x[end][last] -
                         direction * (x[1][last] - x[0][last]) * x[end][next]);
    }
    if (!(turn >= 0))
      return false;
  }
  worst->jump = 0;
  return true;
}

/* The largest jump over a piece; what its gap does comes on top. Returns the degree. */
static int search_piece(edge_work *work, const clp_match_piece *piece, double gap, cell *worst)
{
  planes a, b;
  clp_wide_curve x;
  jump j;
  take_planes(work, 0, piece->span_a, piece->from_a, piece->to_a, &a);
  take_planes(work, 1, piece->span_b, piece->from_b, piece->to_b, &b);
  turn_planes(&b, piece->to_b < piece->from_b, piece->alpha);
  clp_wide_curve_take(&work->edge->curve, piece->span_a, piece->from_a, piece->to_a, &x);
  curve_in_gauge(work->gauge, &x);
  set_jump(&a, &b, &j);
  *worst = largest_jump(&j, &x, direction_of(work), &work->builder->budget);
  double drift = piece->drift * work->gauge->stretch;
  worst->jump += tilt_of_gap(&x, gap, drift, work->builder->height);
  return x.lane[0].degree;
}

/* The largest jump over a piece and the largest gap between its sides; returns the degree. */
static int look_at_piece(edge_work *work, const clp_match_piece *piece, double *most, double *gap)
{
  const clp_curve *curve = &work->edge->curve;
  bool flat = is_flat(face_of(work, 0)) && is_flat(face_of(work, 1));
  int degree = 1;
  cell worst;
  *gap = piece->gap * work->gauge->stretch;
  if (flat && curve->kind == CLP_CURVE_LINE && *gap <= ROUNDING_GAP && jump_of_planes(work, &worst))
    work->builder->budget.operations -= CONSTANT_COST;
  else
    degree = search_piece(work, piece, *gap, &worst);
  double lo = clp_wide_curve_break(curve, piece->span_a);
  double hi = clp_wide_curve_break(curve, piece->span_a + 1);
  double within = piece->from_a + 0.5 * (worst.lo + worst.hi) * (piece->to_a - piece->from_a);
  double t = (1 - within) * lo + within * hi;
  *most = worst.jump;
  if (!(*most <= work->seam.jump)) { /* also what is no number */
    work->seam.jump = *most;
    work->seam.fraction = (t - curve->lo) / (curve->hi - curve->lo);
  }
  return degree;
}

/* A plane crosses a span as often as its degree says, however many pieces it is looked at in. */
static void add_pieces(edge_work *work, const clp_curve_match *match)
{
  for (size_t first = 0, end; first < match->count; first = end) {
    if (work->builder->budget.operations < 0) {
      work->seam.jump = HUGE_VAL;
      return;
    }
    double back = 0, apart = 0;
    int degree = 1;
    for (end = first;
         end < match->count && match->pieces[end].span_a == match->pieces[first].span_a; ++end) {
      double most, wide;
      degree = look_at_piece(work, &match->pieces[end], &most, &wide);
      back = !(most <= back) ? most : back;
      apart = !(wide <= apart) ? wide : apart;
    }
    work->seam.jumps += degree * back;
    work->seam.gaps += degree * apart;
  }
}

/* The gap in the gauge's frame, which may be stretched more in another direction. They match, so
 * that they count from the same place, in the same direction or not. */
static double circle_gap(const clp_gauge *gauge, const clp_ellipse *a, const clp_ellipse *b)
{
  clp_vec3 other = clp_dot(a->b, b->b) < 0 ? clp_negate(b->b) : b->b;
  return clp_norm(clp_gauge_direction(gauge, clp_sub(a->center, b->center))) +
         hypot(clp_norm(clp_gauge_direction(gauge, clp_sub(a->a, b->a))),
               clp_norm(clp_gauge_direction(gauge, clp_sub(a->b, other))));
}

/* Two circles about one axis: everything is the same all round. */
static void add_circle(edge_work *work, const clp_curve *other)
{
  clp_builder *builder = work->builder;
  const clp_edge *edge = work->edge;
  clp_vec3 dual[2], p = clp_curve_point(&edge->curve, clp_edge_fraction(edge, 0.5));
  clp_vec3 along = clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, 0.5)).t;
  for (int which = 0; which < 2; ++which) {
    clp_site site = clp_edge_site(builder, edge, which, 0.5);
    const clp_face *face = face_of(work, which);
    clp_vec3 n = clp_surface_normal(&face->surface, &face->domain, site);
    clp_vec3 q = clp_surface_point(&face->surface, site);
    double height = clp_dot(n, clp_sub(q, work->gauge->center));
    dual[which] = clp_scale(1 / height, clp_gauge_normal(work->gauge, n));
  }
  clp_vec3 across = clp_sub(dual[1], dual[0]);
  clp_vec3 plane =
      clp_cross(clp_gauge_direction(work->gauge, along), clp_gauge_place(work->gauge, p));
  bool convex = direction_of(work) * clp_dot(across, plane) >= 0;
  work->seam.jump = convex ? 0 : clp_norm(across);
  work->seam.jumps = 2 * work->seam.jump;
  work->seam.gaps = 2 * circle_gap(work->gauge, &edge->curve.as.ellipse, &other->as.ellipse);
}

static clp_seam prove_seam(clp_builder *builder, const clp_gauge *gauge, const clp_edge *edge)
{
  edge_work work = {.builder = builder, .gauge = gauge, .edge = edge, .seam = {.fraction = 0.5}};
  const clp_use *use = use_of(&work, 1);
  const clp_face *face = face_of(&work, 1);
  clp_storage storage =
      clp_take_storage(builder, clp_side_storage(&face->surface, &face->domain, use->side));
  if (!storage.numbers)
    return work.seam;
  clp_curve other = clp_side_curve(&face->surface, &face->domain, use->side, storage.numbers);
  if (!other.closed) {
    other.lo = use->lo;
    other.hi = use->hi;
  }
  clp_match_limits limits = {CLP_TOLERANCE_MATCH * builder->size,
                             CLP_TOLERANCE_AFFINE * builder->size,
                             is_flat(face_of(&work, 0)) || is_flat(face)};
  clp_curve_match match = clp_match_curves(&edge->curve, &other, &limits, &builder->arena);
  if (!match.same)
    work.seam.jump = HUGE_VAL;
  else if (edge->curve.closed)
    add_circle(&work, &other);
  else
    add_pieces(&work, &match);
  return work.seam;
}

clp_seam clp_prove_seam(clp_builder *builder, const clp_gauge *gauge, const clp_edge *edge)
{
  clp_arena_mark mark = clp_arena_here(&builder->arena);
  clp_seam seam = prove_seam(builder, gauge, edge);
  clp_arena_back(&builder->arena, mark);
  return seam;
}

/* ---- Breaks within a face ----------------------------------------------------------------- */

/* Two spans that share a break: what the first has on its side u1, or v1, the second has on u0, or
 * v0. Their points there are the same, with the same parameter. */
static cell look_at_break(const clp_gauge *gauge, const clp_surface *surface,
                          const clp_face_span *before, const clp_face_span *after, bool across_u,
                          int *degree, clp_proof_budget *budget)
{
  int side = across_u ? CLP_SIDE_U1 : CLP_SIDE_V1, other = across_u ? CLP_SIDE_U0 : CLP_SIDE_V0;
  planes a, b;
  clp_wide_curve x;
  jump j;
  take_span_planes(gauge, before, side, 0, 1, surface->outward, &a);
  take_span_planes(gauge, after, other, 0, 1, surface->outward, &b);
  take_row(gauge, before, side, 0, &x);
  *degree = x.lane[0].degree;
  /* as clp_side_direction: u1 runs counter-clockwise seen from u x v, v1 clockwise */
  set_jump(&a, &b, &j);
  return largest_jump(&j, &x, across_u ? surface->outward : -surface->outward, budget);
}

static void add_break(const clp_gauge *gauge, const clp_face *face, int index, bool across_u,
                      clp_crease *crease, clp_proof_budget *budget)
{
  const clp_nurbs *nurbs = &face->surface.as.nurbs;
  clp_face_span before, after;
  int degree, next = index + (across_u ? nurbs->spans_v : 1);
  if (!clp_face_span_at(nurbs, &face->domain, index, &before) ||
      !clp_face_span_at(nurbs, &face->domain, next, &after))
    return;
  cell worst = look_at_break(gauge, &face->surface, &before, &after, across_u, &degree, budget);
  crease->jumps += degree * worst.jump;
  if (worst.jump <= crease->jump)
    return;
  double middle = 0.5 * (worst.lo + worst.hi);
  crease->jump = worst.jump;
  crease->where =
      across_u ? clp_face_span_site(&before, 1, middle) : clp_face_span_site(&before, middle, 1);
}

clp_crease clp_prove_breaks(const clp_gauge *gauge, const clp_face *face, clp_proof_budget *budget)
{
  clp_crease crease = {0, 0, clp_domain_middle(&face->surface, &face->domain)};
  const clp_nurbs *nurbs = clp_surface_spline(&face->surface);
  if (!nurbs || is_flat(face))
    return crease;
  for (int index = 0; index < clp_face_span_count(nurbs); ++index) {
    if (index + nurbs->spans_v < clp_face_span_count(nurbs))
      add_break(gauge, face, index, true, &crease, budget);
    if ((index + 1) % nurbs->spans_v != 0)
      add_break(gauge, face, index, false, &crease, budget);
  }
  if (budget->operations < 0)
    crease.jump = HUGE_VAL;
  return crease;
}
