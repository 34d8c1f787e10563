/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/face_proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/dual_form.h"
#include "rclc_closest_point/surface/quadric_fit.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* Cells that a piece may be divided into while its turn is not within the tolerance, and
 * multiplications that may take; and cells while it is, but not yet next to nothing. */
enum { MOST_CELLS = 4000, FINE_CELLS = 24 };
static const double most_operations = 2e8;

/* A turn (rad) that rounding of second derivatives may be all of. */
static const double next_to_nothing = 1e-14;

/* A walk may cross a piece more than once: in each of its directions it is no longer than so many
 * times the piece is wide. */
static const double crossings = 4;

/* The height and the solid angle are only wanted to within a factor. */
enum { HEIGHT_CELLS = 400, ANGLE_DEPTH = 24 };
static const double near_enough = 0.5, angle_excess = 1.85;

typedef struct proof {
  const clp_face_question *question;
  clp_proof_budget *budget;
  clp_dual_form form;
  clp_bernstein l, m, k, g, normal, plane, weight; /* restricted to a cell */
  double *storage;
  clp_face_span span;
  clp_cell piece; /* of the span */
  int index;
  bool has_gauss;       /* g is that of the piece */
  clp_vec3 face_normal; /* of the plane that the face lies in, if it does */
  double share;         /* of the turn that is accepted: the piece's */
  clp_face_proof result;
} proof;

static bool proof_create(proof *work)
{
  const clp_nurbs *nurbs = &work->question->surface->as.nurbs;
  int du = nurbs->degree_u, dv = nurbs->degree_v;
  if (!clp_dual_form_create(&work->form, du, dv))
    return false;
  size_t room = 8 * clp_bernstein_count(4 * du, 4 * dv) + clp_bernstein_count(8 * du, 8 * dv);
  work->storage = malloc(room * sizeof *work->storage);
  if (!work->storage)
    clp_dual_form_destroy(&work->form);
  return work->storage != NULL;
}

static void proof_destroy(proof *work)
{
  free(work->storage);
  clp_dual_form_destroy(&work->form);
}

static void restrict_to(const clp_bernstein *f, const clp_cell *cell, clp_bernstein *part,
                        clp_proof_budget *budget)
{
  part->du = f->du;
  part->dv = f->dv;
  clp_bernstein_restrict(f, cell, part);
  budget->operations -= (double)clp_bernstein_count(f->du, f->dv) * (f->du + f->dv + 2);
}

/* Rows for a cell's forms, behind one another: none is of a higher degree than four times that of
 * the span, but g. */
static void lay_out(proof *work)
{
  int du = work->form.second.normal[0].du + 1, dv = work->form.second.normal[0].dv + 1;
  size_t step = clp_bernstein_count(4 * du / 3, 4 * dv / 3);
  clp_bernstein *forms[] = {&work->l,      &work->m,     &work->k,
                            &work->normal, &work->plane, &work->weight};
  double *next = work->storage;
  for (size_t k = 0; k < sizeof forms / sizeof forms[0]; ++k, next += step)
    forms[k]->c = next;
  work->g.c = next;
}

/* ---- Heights ------------------------------------------------------------------------------ */

/* +1 where the piece's n points outwards. */
static double outward(const proof *work)
{
  return work->question->surface->outward * work->form.turned;
}

/* Where n is a mean of vectors n[k] with positive factors, and d that of as many numbers d[k], d /
 * |n| is at least the smallest d[k] / |n[k]|. */
static double height_bound(proof *work, const clp_cell *cell)
{
  const clp_dual_form *form = &work->form;
  double sign = outward(work), least = HUGE_VAL;
  clp_bernstein lanes[3] = {work->l, work->m, work->k};
  for (int lane = 0; lane < 3; ++lane)
    restrict_to(&form->normal[lane], cell, &lanes[lane], work->budget);
  restrict_to(&form->plane, cell, &work->plane, work->budget);
  size_t count = clp_bernstein_count(work->plane.du, work->plane.dv);
  for (size_t k = 0; k < count; ++k) {
    double d = sign * work->plane.c[k];
    double n = clp_norm((clp_vec3){lanes[0].c[k], lanes[1].c[k], lanes[2].c[k]});
    if (n <= form->noise_normal && fabs(d) <= form->noise_plane)
      continue;
    least = fmin(least, (d - form->noise_plane) / (n + form->noise_normal));
  }
  return least == HUGE_VAL ? 0 : least;
}

/* The height in the cell's middle. */
static double height_at(const proof *work, const clp_cell *cell)
{
  const clp_dual_form *form = &work->form;
  double u = 0.5 * (cell->u0 + cell->u1), v = 0.5 * (cell->v0 + cell->v1);
  clp_vec3 n = {clp_bernstein_value(&form->normal[0], u, v),
                clp_bernstein_value(&form->normal[1], u, v),
                clp_bernstein_value(&form->normal[2], u, v)};
  return outward(work) * clp_bernstein_value(&form->plane, u, v) / clp_norm(n);
}

static void push(clp_cell_heap *heap, clp_cell cell, double key)
{
  cell.key = key;
  cell.halve_u = cell.u1 - cell.u0 >= cell.v1 - cell.v0;
  clp_cell_push(heap, cell);
}

static const clp_cell whole = {.u0 = 0, .u1 = 1, .v0 = 0, .v1 = 1};

static double prove_height(proof *work)
{
  clp_cell_heap heap = {.count = 0};
  double attained = height_at(work, &whole), bound;
  push(&heap, whole, -height_bound(work, &whole));
  for (int cells = 0;; ++cells) {
    clp_cell cell = clp_cell_pop(&heap);
    bound = -cell.key;
    if (bound >= near_enough * attained || attained <= 0 || cells == HEIGHT_CELLS ||
        heap.count + 2 > CLP_CELL_HEAP_SIZE || !clp_cell_divisible(cell))
      break;
    for (int upper = 0; upper < 2; ++upper) {
      clp_cell half = clp_cell_half(cell, upper);
      attained = fmin(attained, height_at(work, &half));
      push(&heap, half, -height_bound(work, &half));
    }
  }
  return attained > 0 ? bound : fmin(bound, attained);
}

/* ---- Curvature ---------------------------------------------------------------------------- */

/* A lower bound of |n| over the cell: of its part along the direction that it has in the middle. */
static double normal_bound(proof *work, const clp_cell *cell)
{
  const clp_bernstein *n = work->form.normal;
  double u = 0.5 * (cell->u0 + cell->u1), v = 0.5 * (cell->v0 + cell->v1);
  clp_vec3 a =
      clp_unit((clp_vec3){clp_bernstein_value(&n[0], u, v), clp_bernstein_value(&n[1], u, v),
                          clp_bernstein_value(&n[2], u, v)});
  size_t count = clp_bernstein_count(n[0].du, n[0].dv);
  work->normal.du = n[0].du;
  work->normal.dv = n[0].dv;
  for (size_t i = 0; i < count; ++i)
    work->normal.c[i] = clp_dot(a, (clp_vec3){n[0].c[i], n[1].c[i], n[2].c[i]});
  restrict_to(&work->normal, cell, &work->normal, work->budget);
  return clp_bernstein_range(&work->normal).min - 2 * work->form.noise_normal;
}

static double weight_bound(proof *work, const clp_cell *cell)
{
  const clp_bernstein *x = work->form.second.jet[CLP_P];
  int du = x[3].du, dv = x[3].dv;
  work->weight.du = du;
  work->weight.dv = dv;
  for (size_t k = 0; k < clp_bernstein_count(du, dv); ++k)
    work->weight.c[k] = work->form.net[4 * k + 3];
  restrict_to(&work->weight, cell, &work->weight, work->budget);
  return clp_bernstein_range(&work->weight).max;
}

static double at_most(const clp_bernstein *f, double sign)
{
  clp_range range = clp_bernstein_range(f);
  return sign > 0 ? range.max : -range.min;
}

/* How a cell may bend outwards: its curvature, and how far a walk across all of the piece would
 * turn outwards if it were like this everywhere. */
typedef struct bending {
  double curvature, turn;
} bending;

static bending worse(bending a, bending b)
{
  return (bending){fmax(a.curvature, b.curvature), fmax(a.turn, b.turn)};
}

/* Given upper bounds of l, |m| and k, of l a^2 + 2 m a b + k b^2 with a^2 + b^2 = 1, and of its sum
 * over walks of length `wide` and `high` in a and b: for |a| and |b| are at most 1, |a| a^2 is as
 * long as a at most. Where l < 0 completing the square leaves (k + m^2 / -l) b^2, and likewise with
 * k < 0. */
static bending form_bound(double l, double m, double k, double wide, double high)
{
  bending bound = {fmax(0, fmax(l, k) + m),
                   fmax(0, l) * wide + 2 * m * fmin(wide, high) + fmax(0, k) * high};
  if (l < 0) {
    double rest = fmax(0, k + m * m / -l);
    bound = (bending){fmin(bound.curvature, rest), fmin(bound.turn, rest * high)};
  }
  if (k < 0) {
    double rest = fmax(0, l + m * m / -k);
    bound = (bending){fmin(bound.curvature, rest), fmin(bound.turn, rest * wide)};
  }
  return bound;
}

/* With l + k = t < 0 and l k - m^2 >= -d the larger eigenvalue is at most d / -t as well, for the
 * other one is at most t. This sees what the bounds of l, m and k one by one do not: that a surface
 * which is bent in one direction only is not bent in the other. Only where there is no pole. */
static double gauss_bound(proof *work, const clp_cell *cell, double l, double k, double p, double q)
{
  clp_second_form *second = &work->form.second;
  if (!(l + k < 0))
    return HUGE_VAL;
  if (!work->has_gauss) {
    clp_second_form_set_gauss(second);
    double product = (double)clp_bernstein_count(second->l.du, second->l.dv);
    work->budget->operations -= 2 * product * product;
    work->has_gauss = true;
  }
  restrict_to(&second->g, cell, &work->g, work->budget);
  double g = -at_most(&work->g, -1) - second->noise_g;
  return isfinite(g) ? p * p * q * q * fmax(0, -g) / -(l + k) : HUGE_VAL;
}

/* Parameters are stretched so that both tangents are at most 1 long. Then a normal curvature, the
 * ratio of the two fundamental forms, is at most the eigenvalue of l, m, k over W^4 |Su x Sv| times
 * (E + G) / |Su x Sv|^2, and with n = W^3 (Su x Sv) and E + G <= 2 at most 2 eigenvalue W^5 /
 * |n|^3; n is stretched by p q, and l by p q p^2, m and k likewise. At a pointed pole l stands over
 * v, and the square completed with l < 0 leaves k + m^2 v / -l. */
static bending bend_bound(proof *work, const clp_cell *cell)
{
  const clp_dual_form *form = &work->form;
  const bending unknown = {HUGE_VAL, HUGE_VAL}, none = {0, 0};
  double sign = outward(work) * work->question->sense;
  double p = 1 / form->speed_u, q = 1 / form->speed_v;
  restrict_to(&form->l, cell, &work->l, work->budget);
  restrict_to(&form->m, cell, &work->m, work->budget);
  restrict_to(&form->k, cell, &work->k, work->budget);
  double l = p * p * (at_most(&work->l, sign) + form->noise_l);
  double m = p * q * (fmax(at_most(&work->m, 1), at_most(&work->m, -1)) + form->noise_m);
  double k = q * q * (at_most(&work->k, sign) + form->noise_k);
  double wide = crossings * form->speed_u * form->scale,
         high = crossings * form->speed_v * form->scale;
  bool pointed = form->pole == CLP_POLE_POINTED;
  if (pointed && !(l < 0))
    return unknown;
  double rest = pointed ? fmax(0, k + m * m * cell->v1 / -l) : 0;
  bending bound = pointed ? (bending){rest, rest * high} : form_bound(l, m, k, wide, high);
  if (bound.turn == 0)
    return none;
  double normal = normal_bound(work, cell), weight = weight_bound(work, cell);
  if (normal <= 0)
    return unknown;
  double factor = 2 * p * q * pow(weight, 5) / (form->scale * pow(p * q * normal, 3));
  if (bound.turn * factor > next_to_nothing && form->pole == CLP_POLE_NONE) {
    double gauss = gauss_bound(work, cell, l, k, p, q);
    bound.curvature = fmin(bound.curvature, gauss);
    bound.turn = fmin(bound.turn, gauss * fmax(wide, high));
  }
  bound = (bending){bound.curvature * factor, bound.turn * factor};
  return isfinite(bound.curvature) && isfinite(bound.turn) && factor > 0 ? bound : unknown;
}

/* The direction in which the forms that bend_bound has just restricted change most. */
static bool changes_along_u(const proof *work)
{
  double p = 1 / work->form.speed_u, q = 1 / work->form.speed_v, along[2];
  for (int u = 0; u < 2; ++u)
    along[u] = p * p * clp_bernstein_variation(&work->l, u) +
               2 * p * q * clp_bernstein_variation(&work->m, u) +
               q * q * clp_bernstein_variation(&work->k, u);
  return along[1] >= along[0];
}

static bool look_closer(proof *work, const clp_cell *cell)
{
  const clp_dual_form *form = &work->form;
  double narrow = fmin(1, form->scale * fmin(form->speed_u, form->speed_v));
  const clp_face_probe *witness = &work->question->witness;
  double s = 0.5 * (cell->u0 + cell->u1), t = 0.5 * (cell->v0 + cell->v1);
  double width = 0.5 * fmin(cell->u1 - cell->u0, cell->v1 - cell->v0);
  const clp_cell *piece = &work->piece;
  clp_dual_form_turn(&work->form, &s, &t);
  s = (1 - s) * piece->u0 + s * piece->u1;
  t = (1 - t) * piece->v0 + t * piece->v1;
  work->result.where = clp_face_span_site(&work->span, s, t);
  return witness->feet &&
         witness->feet(witness->user, &work->span, work->index, s, t, width, narrow);
}

/* What is left over at most of what is accepted, of turn or of curvature. */
static double excess_of(const proof *work, bending b)
{
  return fmin(b.turn / work->share, b.curvature / work->question->tolerance);
}

static void push_bending(proof *work, clp_cell_heap *heap, clp_cell cell, bending b)
{
  cell.key = excess_of(work, b);
  cell.halve_u = changes_along_u(work);
  if (!clp_cell_divisible(cell))
    cell.halve_u = !cell.halve_u;
  clp_cell_push(heap, cell);
}

/* Divides where there is most left over, until that is accepted everywhere; then a little further
 * where that makes it next to nothing. */
static bending prove_bend(proof *work)
{
  clp_cell_heap heap = {.count = 0};
  double enough = work->budget->operations - most_operations;
  bending settled = {0, 0}, first = bend_bound(work, &whole);
  if (first.turn <= next_to_nothing)
    return first;
  push_bending(work, &heap, whole, first);
  for (int cells = 0; heap.count > 0; ++cells) {
    clp_cell cell = clp_cell_pop(&heap);
    bool good = cell.key <= 1;
    bool stuck = cells >= MOST_CELLS || heap.count + 2 > CLP_CELL_HEAP_SIZE ||
                 !clp_cell_divisible(cell) || work->budget->operations < fmax(0, enough);
    if (!good && (look_closer(work, &cell) || stuck))
      return (bending){HUGE_VAL, HUGE_VAL};
    for (int upper = 0; upper < 2; ++upper) {
      clp_cell half = clp_cell_half(cell, upper);
      bending bound = bend_bound(work, &half);
      if (bound.turn > next_to_nothing && (excess_of(work, bound) > 1 || cells < FINE_CELLS))
        push_bending(work, &heap, half, bound);
      else
        settled = worse(settled, bound);
    }
  }
  return settled;
}

/* Whether a coefficient belongs to a side. */
static bool is_on_side(const clp_bernstein *f, size_t k)
{
  size_t columns = (size_t)f->dv + 1, row = k / columns, column = k % columns;
  return row == 0 || row == (size_t)f->du || column == 0 || column + 1 == columns;
}

/* What is seen of how a flat piece lies: how far n leans away from the plane's normal, which is as
 * if the face turned by it; and how far it may be folded. */
typedef struct lie {
  double tilt, fold;
} lie;

/* A flat piece does not bend, if it is not folded: n keeps to one side of the plane. On a side,
 * where tangents may be meant to be parallel or none, it may be rounding, -e at least. With all
 * that does not belong to a side at least c, n is not below -e + c t at fractions t from the sides:
 * what is folded is within e / c of one, and sticks out of the face by no more than a step of that.
 */
static bool cell_lies_flat(proof *work, const clp_cell *cell, lie *seen)
{
  const clp_dual_form *form = &work->form;
  clp_bernstein lanes[3] = {work->l, work->m, work->k};
  for (int lane = 0; lane < 3; ++lane)
    restrict_to(&form->normal[lane], cell, &lanes[lane], work->budget);
  size_t count = clp_bernstein_count(lanes[0].du, lanes[0].dv);
  double sum = 0, least = HUGE_VAL, leans = 0;
  bool rough = false;
  for (size_t k = 0; k < count; ++k)
    sum += clp_dot(form->plane_normal, (clp_vec3){lanes[0].c[k], lanes[1].c[k], lanes[2].c[k]});
  for (size_t k = 0; k < count; ++k) {
    clp_vec3 n = {lanes[0].c[k], lanes[1].c[k], lanes[2].c[k]};
    double up = copysign(1, sum) * clp_dot(form->plane_normal, n);
    if (clp_norm(n) == 0)
      continue;
    if (up <= form->noise_normal) {
      if (clp_norm(n) > form->noise_normal || !is_on_side(&lanes[0], k))
        return false;
      rough = true;
      continue;
    }
    least = fmin(least, is_on_side(&lanes[0], k) ? HUGE_VAL : up);
    leans = fmax(leans, clp_norm(clp_cross(form->plane_normal, n)) / up);
  }
  double step = form->scale * (form->speed_u + form->speed_v);
  seen->tilt = fmax(seen->tilt, leans);
  if (rough)
    seen->fold += 2 * step * (least < HUGE_VAL ? fmin(1, form->noise_normal / least) : 1);
  return true;
}

static bool lies_flat(proof *work, int depth, clp_cell cell, lie *seen)
{
  if (cell_lies_flat(work, &cell, seen))
    return true;
  if (depth == 0)
    return false;
  cell.halve_u = depth % 2 == 0;
  return lies_flat(work, depth - 1, clp_cell_half(cell, false), seen) &&
         lies_flat(work, depth - 1, clp_cell_half(cell, true), seen);
}

/* ---- Solid angle -------------------------------------------------------------------------- */

/* The piece's homogeneous points from the frame's origin have the length |X|, and
 *     the solid angle = integral of det(X, Xu, Xv) / |X|^3 = integral of d / |X|^3:
 * at most the mean of d over the cell, which is the mean of its coefficients, over the least |X|.
 * Divides until that is no more than a factor above what the largest |X| gives. */
static double angle_bound(proof *work, clp_cell cell, int depth)
{
  const clp_dual_form *form = &work->form;
  int du = form->second.jet[CLP_P][0].du, dv = form->second.jet[CLP_P][0].dv;
  size_t count = clp_bernstein_count(du, dv);
  clp_bernstein lanes[3] = {work->l, work->m, work->k};
  for (int lane = 0; lane < 3; ++lane) {
    double p = lane == 0 ? form->local.x : lane == 1 ? form->local.y : form->local.z;
    lanes[lane].du = du;
    lanes[lane].dv = dv;
    for (size_t k = 0; k < count; ++k)
      lanes[lane].c[k] = form->net[4 * k + (size_t)lane] + p * form->net[4 * k + 3];
    restrict_to(&lanes[lane], &cell, &lanes[lane], work->budget);
  }
  clp_vec3 middle = {0, 0, 0};
  for (size_t k = 0; k < count; ++k)
    middle = clp_add(middle, (clp_vec3){lanes[0].c[k], lanes[1].c[k], lanes[2].c[k]});
  middle = clp_unit(middle);
  double least = HUGE_VAL, most = 0, sum = 0;
  for (size_t k = 0; k < count; ++k) {
    clp_vec3 x = {lanes[0].c[k], lanes[1].c[k], lanes[2].c[k]};
    least = fmin(least, clp_dot(middle, x));
    most = fmax(most, clp_norm(x));
  }
  if ((least > 0 && pow(most / least, 3) <= angle_excess) || depth == 0) {
    restrict_to(&form->second.plane, &cell, &work->plane, work->budget);
    size_t terms = clp_bernstein_count(work->plane.du, work->plane.dv);
    for (size_t k = 0; k < terms; ++k)
      sum += outward(work) * work->plane.c[k] + form->noise_plane;
    double area = (cell.u1 - cell.u0) * (cell.v1 - cell.v0) * form->scale * form->scale;
    return least > 0 ? fmax(0, sum) / (double)terms * area / pow(least, 3) : HUGE_VAL;
  }
  double along_u = 0, along_v = 0;
  for (int lane = 0; lane < 3; ++lane) {
    along_u += du * clp_bernstein_variation(&lanes[lane], true);
    along_v += dv * clp_bernstein_variation(&lanes[lane], false);
  }
  cell.halve_u = along_u >= along_v;
  return angle_bound(work, clp_cell_half(cell, false), depth - 1) +
         angle_bound(work, clp_cell_half(cell, true), depth - 1);
}

/* ---- The face ----------------------------------------------------------------------------- */

/* A piece that is flat but for rounding; where normals lean by more it is looked at as curved. */
static const double flat_tilt = 1e-10;

/* Tangents that are meant to be parallel in a corner are it but for rounding, of which control
 * points have this much. */
static const double meant_zero = 1e-13;

/* Whether n vanishes in a corner of the piece: bounds that divide by it decide nothing there. */
static bool has_singular_corner(const proof *work)
{
  const clp_bernstein *n = work->form.normal;
  int columns = n[0].dv + 1, last = n[0].du * columns;
  const int corners[4] = {0, n[0].dv, last, last + n[0].dv};
  double most = 0;
  for (int lane = 0; lane < 3; ++lane)
    most = fmax(most, fmax(at_most(&n[lane], 1), at_most(&n[lane], -1)));
  for (int k = 0; k < 4; ++k) {
    clp_vec3 there = {n[0].c[corners[k]], n[1].c[corners[k]], n[2].c[corners[k]]};
    if (clp_norm(there) <= meant_zero * most)
      return true;
  }
  return false;
}

/* How a piece that is not flat bends: by bounds, or as the quadric that it is. */
static bending prove_curved(proof *work)
{
  if (!has_singular_corner(work))
    return prove_bend(work);
  clp_quadric_fit fit = clp_fit_quadric(&work->form, outward(work) * work->question->sense);
  work->result.where = clp_face_span_site(&work->span, work->piece.u0, work->piece.v0);
  work->result.hole += fit.found ? fit.off : 0;
  double walk = 2 * crossings * work->form.scale;
  return fit.found ? (bending){fit.bend, fit.bend * walk} : (bending){HUGE_VAL, HUGE_VAL};
}

static double setup_operations(const clp_nurbs *nurbs)
{
  double points = (double)clp_bernstein_count(nurbs->degree_u, nurbs->degree_v);
  double triple = (double)clp_bernstein_count(3 * nurbs->degree_u, 3 * nurbs->degree_v);
  double twice = (double)clp_bernstein_count(2 * nurbs->degree_u, 2 * nurbs->degree_v);
  return 12 * points * (twice + triple);
}

static void prove_piece(proof *work)
{
  const clp_face_question *question = work->question;
  clp_face_proof *result = &work->result;
  clp_dual_form_set(&work->form, &work->span, &work->piece, question->gauge, true);
  lay_out(work);
  work->budget->operations -= setup_operations(&question->surface->as.nurbs);
  work->has_gauss = false;
  lie seen = {0, 0};
  if (work->result.flat) {
    work->form.planar = true;
    work->form.plane_normal = work->face_normal;
  }
  bool flat = work->form.planar && lies_flat(work, 12, whole, &seen);
  clp_site where = result->where;
  bending bend = {0, 0};
  if (!flat || seen.tilt > flat_tilt) {
    bend = prove_curved(work);
    flat &= bend.turn == HUGE_VAL;
    if (flat)
      bend = (bending){0, 0};
  }
  result->flat &= flat;
  if (bend.curvature <= result->bend)
    result->where = where;
  result->bend = fmax(result->bend, bend.curvature);
  result->turn += bend.turn;
  result->kink += work->form.kink + (flat ? 2 * seen.tilt : 0);
  result->hole += work->form.hole + (flat ? work->form.off + seen.fold : 0);
  if (question->bend_only)
    return;
  result->reach = fmax(result->reach, work->form.reach);
  result->height = fmin(result->height, prove_height(work));
  if (result->height > 0)
    result->solid_angle += angle_bound(work, whole, ANGLE_DEPTH);
}

/* Whether the net lies in one plane, and its normal. */
static bool is_flat(const clp_nurbs *nurbs, const clp_gauge *gauge, clp_vec3 *plane_normal,
                    double *off)
{
  size_t points =
      clp_bernstein_count(nurbs->degree_u, nurbs->degree_v) * (size_t)clp_face_span_count(nurbs);
  clp_vec3 first = {0, 0, 0}, along = {0, 0, 0}, across = {0, 0, 0};
  double size = 0;
  for (int round = 0; round < 4; ++round) {
    double most = -1;
    clp_vec3 best = {0, 0, 0}, normal = clp_unit(clp_cross(along, across));
    for (size_t k = 0; k < points; ++k) {
      const double *h = nurbs->bezier + 4 * k;
      clp_vec3 x = {h[0] / h[3], h[1] / h[3], h[2] / h[3]};
      clp_vec3 d = clp_sub(clp_gauge_place(gauge, x), first);
      if (round == 2)
        d = clp_add_scaled(d, -clp_dot(d, along), along);
      double far = round == 3 ? fabs(clp_dot(d, normal)) : clp_norm(d);
      if (far > most) {
        most = far;
        best = d;
      }
    }
    if (round == 0)
      first = best;
    else if (round == 1)
      along = clp_unit(best), size = most;
    else if (round == 2)
      across = clp_unit(best);
    *off = most;
    *plane_normal = clp_unit(clp_cross(along, across));
  }
  return *off <= meant_zero * (size + gauge->offset);
}

clp_face_proof clp_prove_spline(const clp_face_question *question, clp_proof_budget *budget)
{
  const clp_nurbs *nurbs = &question->surface->as.nurbs;
  proof work = {.question = question, .budget = budget, .result = {.height = HUGE_VAL}};
  work.result.where = clp_domain_middle(question->surface, question->domain);
  if (!proof_create(&work)) {
    work.result.failed = true;
    return work.result;
  }
  int count = clp_face_span_count(nurbs);
  double off = 0;
  work.result.flat = is_flat(nurbs, question->gauge, &work.face_normal, &off);
  work.result.hole = work.result.flat ? off : 0;
  work.share = question->tolerance / fmax(1, 0.1 * count);
  for (work.index = 0; work.index < count && work.result.bend < HUGE_VAL; ++work.index) {
    clp_cell pieces[CLP_DUAL_PIECES];
    if (!clp_face_span_at(nurbs, question->domain, work.index, &work.span))
      continue;
    int parts = clp_dual_pieces(&work.span, question->gauge, pieces);
    for (int k = 0; k < parts && work.result.bend < HUGE_VAL; ++k) {
      work.piece = pieces[k];
      prove_piece(&work);
    }
    if (budget->operations < 0)
      work.result.bend = HUGE_VAL;
  }
  proof_destroy(&work);
  return work.result;
}
