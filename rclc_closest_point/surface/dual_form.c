/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/dual_form.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/wide_form.h"

/* Points that agree to so many units in the last place of the largest coordinate are one: nobody
 * who means a pole writes anything else, and a net that was cut from a larger one is that exact. */
#define SAME_POINT (32 * DBL_EPSILON)

/* ... and points so much off a plane (of the piece's extent) are in it. */
#define SAME_PLANE 1e-13

/* Weights whose ratio is no larger are alike. */
#define LIKE_WEIGHTS 2

/* ---- Room --------------------------------------------------------------------------------- */

bool clp_dual_form_create(clp_dual_form *form, int degree_u, int degree_v)
{
  *form = (clp_dual_form){.degree_u = degree_u, .degree_v = degree_v};
  size_t room = 4 * clp_bernstein_count(3 * degree_u, 3 * degree_v) +
                3 * clp_bernstein_count(4 * degree_u, 4 * degree_v);
  if (!clp_second_form_create(&form->second, degree_u, degree_v))
    return false;
  form->storage = malloc(room * sizeof *form->storage);
  if (!form->storage)
    clp_second_form_destroy(&form->second);
  return form->storage != NULL;
}

void clp_dual_form_destroy(clp_dual_form *form)
{
  clp_second_form_destroy(&form->second);
  free(form->storage);
  form->storage = NULL;
}

/* ---- The net ------------------------------------------------------------------------------ */

/* In wide numbers as long as P is in it: afterwards doubles have the digits of a small piece. */
typedef struct net {
  int du, dv;
  clp_wide *c; /* homogeneous, v fastest */
} net;

static clp_wide *at(const net *n, int i, int j)
{
  return n->c + 4 * (i * (n->dv + 1) + j);
}

static clp_vec3 place(const net *n, int i, int j)
{
  const clp_wide *h = at(n, i, j);
  return (clp_vec3){(double)(h[0] / h[3]), (double)(h[1] / h[3]), (double)(h[2] / h[3])};
}

/* De Casteljau's scheme on `degree + 1` points that are `stride` numbers apart, in place: what
 * remains belongs to [from, to]. */
static void keep_between(clp_wide *c, int degree, int stride, clp_wide from, clp_wide to)
{
  for (int r = 1; to < 1 && r <= degree; ++r)
    for (int k = degree; k >= r; --k)
      for (int lane = 0; lane < 4; ++lane)
        c[k * stride + lane] = (1 - to) * c[(k - 1) * stride + lane] + to * c[k * stride + lane];
  clp_wide t = from / to;
  for (int r = 1; from > 0 && r <= degree; ++r)
    for (int k = 0; k <= degree - r; ++k)
      for (int lane = 0; lane < 4; ++lane)
        c[k * stride + lane] = (1 - t) * c[k * stride + lane] + t * c[(k + 1) * stride + lane];
}

/* A common factor of all weights changes nothing but the size of polynomials in them, up to the
 * ninth power of a weight: it goes out, as a power of two, which costs no digit. */
static void make_weights_ordinary(net *n)
{
  size_t count = clp_bernstein_count(n->du, n->dv);
  clp_wide most = 0;
  int power;
  for (size_t i = 0; i < count; ++i)
    most = fmaxl(most, n->c[4 * i + 3]);
  frexp((double)most, &power);
  clp_wide factor = (clp_wide)ldexp(1, -power);
  for (size_t i = 0; i < 4 * count; ++i)
    n->c[i] *= factor;
}

/* The piece's points in the gauge's frame. */
static void take_net(const clp_face_span *span, const clp_cell *piece, const clp_gauge *gauge,
                     net *n)
{
  size_t count = clp_bernstein_count(n->du, n->dv);
  for (size_t i = 0; i < 4 * count; ++i)
    n->c[i] = (clp_wide)span->bezier[i];
  for (int j = 0; j <= n->dv; ++j)
    keep_between(n->c + 4 * j, n->du, 4 * (n->dv + 1), (clp_wide)piece->u0, (clp_wide)piece->u1);
  for (int i = 0; i <= n->du; ++i)
    keep_between(n->c + 4 * i * (n->dv + 1), n->dv, 4, (clp_wide)piece->v0, (clp_wide)piece->v1);
  make_weights_ordinary(n);
  for (size_t i = 0; i < count; ++i)
    clp_wide_into_gauge(gauge, n->c + 4 * i);
}

/* How far a side's points are from its first one; HUGE_VAL where they are not one point. */
static double side_extent(const net *n, int side)
{
  bool along_v = side == CLP_SIDE_U0 || side == CLP_SIDE_U1;
  int count = along_v ? n->dv : n->du;
  int fixed = side == CLP_SIDE_U1 ? n->du : side == CLP_SIDE_V1 ? n->dv : 0;
  clp_vec3 first = along_v ? place(n, fixed, 0) : place(n, 0, fixed);
  double extent = 0;
  for (int k = 1; k <= count; ++k)
    extent = fmax(extent, clp_distance(first, along_v ? place(n, fixed, k) : place(n, k, fixed)));
  return extent;
}

static double reach(const net *n)
{
  double most = 0;
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; j <= n->dv; ++j)
      most = fmax(most, clp_norm(place(n, i, j)));
  return most;
}

static bool is_pole(const net *n, int side, double offset)
{
  return side_extent(n, side) <= SAME_POINT * (reach(n) + offset);
}

/* The largest ratio of two weights in a row along u, or along v. */
static double weight_ratio(const net *n, bool along_u)
{
  double ratio = 1;
  int rows = along_u ? n->dv : n->du, columns = along_u ? n->du : n->dv;
  for (int i = 0; i <= rows; ++i) {
    double least = HUGE_VAL, most = 0;
    for (int k = 0; k <= columns; ++k) {
      double w = (double)(along_u ? at(n, k, i) : at(n, i, k))[3];
      least = fmin(least, w);
      most = fmax(most, w);
    }
    ratio = fmax(ratio, most / least);
  }
  return ratio;
}

/* Whether a cell is to be halved, and how. */
static bool must_halve(const clp_face_span *span, const clp_gauge *gauge, clp_cell *cell)
{
  clp_wide points[4 * CLP_DUAL_POINTS] = {0};
  net n = {span->degree_u, span->degree_v, points};
  double offset = gauge->offset;
  take_net(span, cell, gauge, &n);
  bool along_u = is_pole(&n, CLP_SIDE_U0, offset) && is_pole(&n, CLP_SIDE_U1, offset);
  bool along_v = is_pole(&n, CLP_SIDE_V0, offset) && is_pole(&n, CLP_SIDE_V1, offset);
  cell->halve_u = along_u;
  if (along_u || along_v)
    return true;
  double ratio_u = weight_ratio(&n, true), ratio_v = weight_ratio(&n, false);
  cell->halve_u = ratio_u > ratio_v;
  return fmax(ratio_u, ratio_v) > LIKE_WEIGHTS;
}

int clp_dual_pieces(const clp_face_span *span, const clp_gauge *gauge,
                    clp_cell pieces[CLP_DUAL_PIECES])
{
  int count = 1, done = 0;
  pieces[0] = span->cell;
  while (done < count) {
    clp_cell cell = pieces[done];
    if (count == CLP_DUAL_PIECES || !must_halve(span, gauge, &cell)) {
      ++done;
      continue;
    }
    pieces[done] = clp_cell_half(cell, false);
    pieces[count++] = clp_cell_half(cell, true);
  }
  return count;
}

/* ---- The pole to v = 0 -------------------------------------------------------------------- */

static void transpose(net *n)
{
  clp_wide copy[4 * CLP_DUAL_POINTS] = {0};
  net from = {n->du, n->dv, copy};
  memcpy(copy, n->c, 4 * clp_bernstein_count(n->du, n->dv) * sizeof *copy);
  *n = (net){from.dv, from.du, n->c};
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; j <= n->dv; ++j)
      memcpy(at(n, i, j), at(&from, j, i), 4 * sizeof *copy);
}

static void reverse(net *n)
{
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; 2 * j < n->dv; ++j) {
      clp_wide swap[4];
      memcpy(swap, at(n, i, j), sizeof swap);
      memcpy(at(n, i, j), at(n, i, n->dv - j), sizeof swap);
      memcpy(at(n, i, n->dv - j), swap, sizeof swap);
    }
}

/* Turns the first side that is a point to v = 0; whether there is one. */
static bool turn_pole(clp_dual_form *form, net *n, double offset)
{
  int side = 0;
  while (side < 4 && !is_pole(n, side, offset))
    ++side;
  form->transposed = side == CLP_SIDE_U0 || side == CLP_SIDE_U1;
  form->reversed = side == CLP_SIDE_U1 || side == CLP_SIDE_V1;
  form->turned = form->transposed != form->reversed ? -1 : 1;
  if (form->transposed)
    transpose(n);
  if (form->reversed)
    reverse(n);
  return side < 4;
}

/* Takes the place P out of the points. */
static void make_local(clp_dual_form *form, net *n, bool pole)
{
  clp_vec3 middle = {0, 0, 0};
  double share = 1.0 / (double)clp_bernstein_count(n->du, n->dv);
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; j <= n->dv; ++j)
      middle = clp_add_scaled(middle, share, place(n, i, j));
  form->local = pole ? place(n, 0, 0) : middle;
  form->hole = pole ? side_extent(n, CLP_SIDE_V0) : 0;
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; j <= n->dv; ++j) {
      clp_wide *h = at(n, i, j), w = pole && j == 0 ? 0 : h[3];
      h[0] = w > 0 ? h[0] - w * (clp_wide)form->local.x : 0;
      h[1] = w > 0 ? h[1] - w * (clp_wide)form->local.y : 0;
      h[2] = w > 0 ? h[2] - w * (clp_wide)form->local.z : 0;
    }
}

/* ---- Flat pieces -------------------------------------------------------------------------- */

/* The point farthest from the line through `from` along the unit vector `along`, or from `from`
 * itself where that is zero. */
static clp_vec3 farthest(const net *n, clp_vec3 from, clp_vec3 along)
{
  clp_vec3 best = {0, 0, 0};
  double most = -1;
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; j <= n->dv; ++j) {
      clp_vec3 d = clp_sub(place(n, i, j), from);
      d = clp_add_scaled(d, -clp_dot(d, along), along);
      if (clp_norm2(d) > most) {
        most = clp_norm2(d);
        best = d;
      }
    }
  return best;
}

static void find_plane(clp_dual_form *form, const net *n, double extent, double offset)
{
  clp_vec3 first = place(n, 0, 0);
  clp_vec3 along = clp_unit(farthest(n, first, (clp_vec3){0, 0, 0}));
  clp_vec3 across = clp_unit(farthest(n, first, along));
  clp_vec3 normal = clp_unit(clp_cross(along, across));
  double off = 0;
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; j <= n->dv; ++j)
      off = fmax(off, fabs(clp_dot(normal, clp_sub(place(n, i, j), first))));
  form->planar = off <= SAME_PLANE * extent + 4 * DBL_EPSILON * offset;
  form->off = off;
  form->plane_normal = normal;
}

/* ---- Without v ---------------------------------------------------------------------------- */

/* f = v^power f' in Bernstein form: with degree d along v, c[j] = (j / d) c'[j - 1] each time. */
static double divide(const clp_bernstein *f, int power, clp_bernstein *result, double noise)
{
  int dv = f->dv;
  result->du = f->du;
  result->dv = dv - power;
  for (int i = 0; i <= f->du; ++i)
    for (int j = 0; j <= dv - power; ++j) {
      double c = f->c[i * (dv + 1) + j + power];
      for (int k = 0; k < power; ++k)
        c *= (double)(dv - k) / (j + power - k);
      result->c[i * (dv - power + 1) + j] = c;
    }
  for (int k = 0; k < power; ++k)
    noise *= (double)(dv - k) / (power - k);
  return noise;
}

/* What is left of l' in the pole is nothing but rounding where the pole is smooth; it stands for
 * an angle by which the tangents may yet rise out of their plane. */
static void sort_pole(clp_dual_form *form)
{
  int columns = form->l.dv + 1;
  double most = 0, normal = 0;
  for (int i = 0; i <= form->l.du; ++i)
    most = fmax(most, fabs(form->l.c[i * columns]));
  form->pole = CLP_POLE_POINTED;
  if (most > form->noise_l || form->l.dv == 0)
    return;
  for (int lane = 0; lane < 3; ++lane) {
    clp_range range = clp_bernstein_range(&form->normal[lane]);
    normal = fmax(normal, fmax(range.max, -range.min));
  }
  form->pole = CLP_POLE_SMOOTH;
  form->kink = normal > 0 ? most / normal : HUGE_VAL;
  form->noise_l = divide(&form->l, 1, &form->l, form->noise_l);
}

/* |T_u| = |X'_u - W_u T| / W with X' = X / v and T = X' / W, from the differences of their
 * coefficients. */
static double pole_speed(const clp_dual_form *form, int du, int dv)
{
  double along = 0, turn = 0, far = 0, least = HUGE_VAL;
  for (int i = 0; i <= du; ++i)
    for (int j = 0; j <= dv; ++j) {
      const double *h = form->net + 4 * (i * (dv + 1) + j), *next = h + 4 * (dv + 1);
      least = fmin(least, h[3]);
      if (i < du)
        turn = fmax(turn, du * fabs(next[3] - h[3]));
      if (j == 0)
        continue;
      double power = (double)dv / j / form->scale;
      clp_vec3 x = {h[0], h[1], h[2]};
      far = fmax(far, power * clp_norm(x));
      if (i == du)
        continue;
      clp_vec3 d = clp_sub((clp_vec3){next[0], next[1], next[2]}, x);
      along = fmax(along, power * du * clp_norm(d));
    }
  return (along + turn * far / least) / least;
}

/* ---- The forms ---------------------------------------------------------------------------- */

/* d = t + n.P, lengths of t in units of `scale` */
static void set_plane(clp_dual_form *form)
{
  clp_second_form *second = &form->second;
  clp_vec3 p = form->local;
  size_t count = clp_bernstein_count(second->plane.du, second->plane.dv);
  for (size_t k = 0; k < count; ++k) {
    const double n[3] = {second->normal[0].c[k], second->normal[1].c[k], second->normal[2].c[k]};
    second->plane.c[k] = form->scale * second->plane.c[k] + n[0] * p.x + n[1] * p.y + n[2] * p.z;
  }
}

static void lay_out(clp_dual_form *form, int du, int dv)
{
  double *next = form->storage;
  for (int lane = 0; lane < 3; ++lane)
    form->normal[lane] = clp_bernstein_take(3 * du - 1, 3 * dv - 1, &next);
  form->plane = clp_bernstein_take(3 * du - 1, 3 * dv - 1, &next);
  form->l = clp_bernstein_take(4 * du - 3, 4 * dv - 1, &next);
  form->m = clp_bernstein_take(4 * du - 2, 4 * dv - 2, &next);
  form->k = clp_bernstein_take(4 * du - 1, 4 * dv - 3, &next);
}

static void take_normals(clp_dual_form *form, int power)
{
  const clp_second_form *second = &form->second;
  double noise = second->noise_normal;
  for (int lane = 0; lane < 3; ++lane)
    form->noise_normal = divide(&second->normal[lane], power, &form->normal[lane], noise);
  noise = form->scale * second->noise_plane + clp_norm(form->local) * noise;
  form->noise_plane = divide(&second->plane, power, &form->plane, noise);
}

static void take_bend(clp_dual_form *form, int power)
{
  const clp_second_form *second = &form->second;
  form->noise_l = divide(&second->l, 2 * power, &form->l, second->noise_l);
  form->noise_m = divide(&second->m, 2 * power, &form->m, second->noise_m);
  form->noise_k = divide(&second->k, power, &form->k, second->noise_k);
  if (power > 0)
    sort_pole(form);
}

void clp_dual_form_set(clp_dual_form *form, const clp_face_span *span, const clp_cell *piece,
                       const clp_gauge *gauge, bool bend)
{
  clp_wide points[4 * CLP_DUAL_POINTS] = {0};
  net n = {span->degree_u, span->degree_v, points};
  take_net(span, piece, gauge, &n);
  form->reach = reach(&n);
  bool pole = turn_pole(form, &n, gauge->offset);
  make_local(form, &n, pole);
  form->pole = CLP_POLE_NONE;
  form->kink = 0;
  form->scale = reach(&n);
  if (!(form->scale > 0))
    form->scale = 1;
  find_plane(form, &n, form->scale, form->reach + gauge->offset);
  for (size_t k = 0; k < 4 * clp_bernstein_count(n.du, n.dv); ++k)
    form->net[k] = (double)points[k];
  clp_face_span local = {.degree_u = n.du, .degree_v = n.dv, .bezier = form->net};
  clp_second_form_lay_out(&form->second, n.du, n.dv);
  clp_second_form_set_shifted(&form->second, &local, form->scale, gauge->offset, bend);
  lay_out(form, n.du, n.dv);
  set_plane(form);
  take_normals(form, pole);
  form->weight = form->second.weight;
  form->speed_u = pole ? pole_speed(form, n.du, n.dv) : form->second.speed_u;
  form->speed_v = form->second.speed_v;
  if (bend)
    take_bend(form, pole);
}

/* ---- Places and sides --------------------------------------------------------------------- */

void clp_dual_form_turn(const clp_dual_form *form, double *s, double *t)
{
  if (form->transposed) {
    double swap = *s;
    *s = *t;
    *t = swap;
  }
  if (form->reversed)
    *t = 1 - *t;
}

int clp_dual_form_side(const clp_dual_form *form, const clp_bernstein *f, int side, double *row)
{
  bool along_v = side == CLP_SIDE_U0 || side == CLP_SIDE_U1, high = side % 2 == 1;
  if (form->transposed)
    along_v = !along_v;
  if (!along_v && form->reversed)
    high = !high;
  int columns = f->dv + 1, degree = along_v ? f->dv : f->du;
  for (int k = 0; k <= degree; ++k) {
    int i = along_v ? (high ? f->du : 0) : k, j = along_v ? k : (high ? f->dv : 0);
    int to = along_v && form->reversed ? degree - k : k;
    row[to] = f->c[i * columns + j];
  }
  return degree;
}
