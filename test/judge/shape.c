/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/shape.h"

#include <float.h>

/* ---- Farthest points ---------------------------------------------------------------------- */

static real3 swept_support(const shape *s, real3 n)
{
  real length = real3_norm(n);
  real3 core = {0, 0, n.z > 0 ? s->half : -s->half};
  real3 p = length > 0 ? real3_add(core, real3_scale(s->radius / length, n)) : core;
  return real3_add(s->center, p);
}

/* h(n) = |M^T n|, at M M^T n / |M^T n|. */
static real3 affine_support(const shape *s, real3 n)
{
  real3 q = real33_transposed(s->image, n);
  real length = real3_norm(q);
  real3 u = length > 0 ? real3_scale(1 / length, q) : (real3){0, 0, 1};
  return real3_add(s->center, real33_apply(s->image, u));
}

static real3 hull_support(const shape *s, real3 n)
{
  int best = 0;
  for (int k = 1; k < s->point_count; ++k)
    if (real3_dot(n, s->points[k]) > real3_dot(n, s->points[best]))
      best = k;
  return s->points[best];
}

/* ---- Profiles ----------------------------------------------------------------------------- */

typedef struct best2 {
  real value, r, z;
} best2;

static void offer(best2 *best, real nr, real nz, real r, real z)
{
  real value = nr * r + nz * z;
  if (value > best->value)
    *best = (best2){value, r, z};
}

/* The circle's farthest point, if it is on the arc: on the same side of its chord as the arc is.
 * Arcs are shorter than half a turn, or half a turn through larger r. */
static void offer_arc(best2 *best, const shape_piece *p, real nr, real nz)
{
  real length = hypotl(nr, nz);
  if (!(length > 0))
    return;
  real r = p->center_r + p->radius * nr / length, z = p->center_z + p->radius * nz / length;
  /* Travel keeps the solid to the left, so convex arcs are to the right of their chords. */
  real side = (p->r1 - p->r0) * (z - p->z0) - (p->z1 - p->z0) * (r - p->r0);
  if (side <= 0 && r >= 0)
    offer(best, nr, nz, r, z);
}

/* nr + nz r / (2 focal) = 0. */
static void offer_parabola(best2 *best, const shape_piece *p, real nr, real nz)
{
  if (nz == 0)
    return;
  real r = -2 * p->focal * nr / nz;
  real least = fminl(p->r0, p->r1), most = fmaxl(p->r0, p->r1);
  if (r > least && r < most)
    offer(best, nr, nz, r, p->apex + r * r / (4 * p->focal));
}

/* With s = t / (1 - t), the derivative along the rational quadratic Bezier vanishes where
 * w (c - b) s^2 + (c - a) s + w (b - a) = 0; a, b, c are its points along n. */
static void offer_conic(best2 *best, const shape_piece *p, real nr, real nz)
{
  real a = nr * p->r0 + nz * p->z0, b = nr * p->shoulder_r + nz * p->shoulder_z;
  real c = nr * p->r1 + nz * p->z1, w = p->weight;
  real q2 = w * (c - b), q1 = c - a, q0 = w * (b - a), root = q1 * q1 - 4 * q2 * q0;
  if (root < 0)
    return;
  real h = -0.5L * (q1 + copysignl(sqrtl(root), q1));
  const real candidates[2] = {q2 != 0 ? h / q2 : -1, h != 0 ? q0 / h : -1};
  for (int k = 0; k < 2; ++k) {
    real s = candidates[k];
    if (!(s > 0) || !(s < 1e30L))
      continue;
    real u = 1 / (1 + s), v = 1 - u, sum = u * u + 2 * w * u * v + v * v;
    offer(best, nr, nz, (u * u * p->r0 + 2 * w * u * v * p->shoulder_r + v * v * p->r1) / sum,
          (u * u * p->z0 + 2 * w * u * v * p->shoulder_z + v * v * p->z1) / sum);
  }
}

/* In the half plane. */
static best2 profile_support(const shape *s, real nr, real nz)
{
  best2 best = {-HUGE_VALL, 0, 0};
  for (int k = 0; k < s->piece_count; ++k) {
    const shape_piece *p = &s->pieces[k];
    offer(&best, nr, nz, p->r0, p->z0);
    offer(&best, nr, nz, p->r1, p->z1);
    if (p->kind == CLP_PROFILE_ARC)
      offer_arc(&best, p, nr, nz);
    else if (p->kind == CLP_PROFILE_PARABOLA)
      offer_parabola(&best, p, nr, nz);
    else if (p->kind == CLP_PROFILE_CONIC)
      offer_conic(&best, p, nr, nz);
  }
  return best;
}

static real3 revolved_support(const shape *s, real3 n)
{
  real nr = hypotl(n.x, n.y);
  best2 best = profile_support(s, nr, n.z);
  if (!(nr > 0))
    return (real3){best.r, 0, best.z};
  return (real3){best.r * n.x / nr, best.r * n.y / nr, best.z};
}

static real3 core_support(const shape *s, real3 n)
{
  switch (s->form) {
    case FORM_SWEPT:
      return swept_support(s, n);
    case FORM_AFFINE:
      return affine_support(s, n);
    case FORM_HULL:
      return hull_support(s, n);
    default:
      return revolved_support(s, n);
  }
}

real3 shape_support(const shape *s, real3 n)
{
  real3 p = core_support(s, n);
  real length = real3_norm(n);
  return s->padding > 0 && length > 0 ? real3_add(p, real3_scale(s->padding / length, n)) : p;
}

/* ---- Places ------------------------------------------------------------------------------- */

static real swept_outside(const shape *s, real3 p)
{
  real3 q = real3_sub(p, s->center);
  real z = fminl(fmaxl(q.z, -s->half), s->half);
  return real3_norm((real3){q.x, q.y, q.z - z}) - s->radius;
}

/* |M^-1 p| - 1 over the length of its gradient. */
static real affine_outside(const shape *s, real3 p)
{
  real3 u = real33_transposed(s->inverse, real3_sub(p, s->center));
  real length = real3_norm(u);
  if (!(length > 0))
    return -HUGE_VALL;
  return (length - 1) / real3_norm(real33_apply(s->inverse, real3_scale(1 / length, u)));
}

static real hull_outside(const shape *s, real3 p)
{
  real most = -HUGE_VALL;
  for (int k = 0; k < s->plane_count; ++k)
    most = fmaxl(most, real3_dot(s->normals[k], p) - s->offsets[k]);
  return most;
}

/* How far a place of the half plane is beyond the line that supports the profile in a direction.
 * The most of all directions is its distance from the solid, or, negative, its depth. */
static real beyond(const shape *s, real nr, real nz, real r, real z)
{
  return nr * r + nz * z - profile_support(s, nr, nz).value;
}

/* The same for a direction of any length; what points towards the axis supports nothing. */
static real beyond_along(const shape *s, real nr, real nz, real r, real z)
{
  real length = hypotl(nr, nz);
  return length > 0 && nr >= 0 ? beyond(s, nr / length, nz / length, r, z) : -HUGE_VALL;
}

/* Directions from -z through +r to +z are those of t from -1 to 1: sines and cosines take longer.
 */
static real beyond_at(const shape *s, real t, real r, real z)
{
  return beyond(s, (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), r, z);
}

/* Outward at one of a piece's ends. Travel keeps the solid to the left, so outward is to the right.
 */
static void end_normal(const shape_piece *p, bool last, real *nr, real *nz)
{
  real r = last ? p->r1 : p->r0, z = last ? p->z1 : p->z0;
  if (p->kind == CLP_PROFILE_ARC) {
    *nr = r - p->center_r;
    *nz = z - p->center_z;
  } else if (p->kind == CLP_PROFILE_PARABOLA) {
    *nr = r / fabsl(2 * p->focal);
    *nz = p->focal > 0 ? -1 : 1;
  } else {
    bool conic = p->kind == CLP_PROFILE_CONIC;
    real from_r = conic && last ? p->shoulder_r : p->r0,
         to_r = conic && !last ? p->shoulder_r : p->r1;
    real from_z = conic && last ? p->shoulder_z : p->z0,
         to_z = conic && !last ? p->shoulder_z : p->z1;
    *nr = to_z - from_z;
    *nz = from_r - to_r;
  }
}

/* Between two pieces' ends the support is a corner's, and the most lies towards the place or at one
 * of the two ends' normals; along an arc towards the place from the center, or at one of its ends.
 * So of lines and arcs this is the most of all; of other pieces only what their ends see. */
static real most_of_ends(const shape *s, real r, real z)
{
  real most = fmaxl(beyond(s, 0, 1, r, z), beyond(s, 0, -1, r, z));
  for (int k = 0; k < s->piece_count; ++k) {
    const shape_piece *p = &s->pieces[k];
    for (int last = 0; last < 2; ++last) {
      real nr, nz;
      end_normal(p, last, &nr, &nz);
      most = fmaxl(most, beyond_along(s, nr, nz, r, z));
      most = fmaxl(most,
                   beyond_along(s, r - (last ? p->r1 : p->r0), z - (last ? p->z1 : p->z0), r, z));
    }
    if (p->kind == CLP_PROFILE_ARC)
      most = fmaxl(most, beyond_along(s, r - p->center_r, z - p->center_z, r, z));
  }
  return most;
}

/* The most between two directions; there is one. It is smooth there, or at an end of a piece, which
 * is asked for apart: to half of the digits is to all of them. */
static real most_between(const shape *s, real lo, real hi, real r, real z)
{
  enum { CUTS = 50 };
  const real golden = 0.61803398874989484820L;
  real a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
  real at_a = beyond_at(s, a, r, z), at_b = beyond_at(s, b, r, z);
  real most = fmaxl(at_a, at_b);
  for (int k = 0; k < CUTS; ++k) {
    if (at_a > at_b) {
      hi = b;
      b = a;
      at_b = at_a;
      a = hi - golden * (hi - lo);
      at_a = beyond_at(s, a, r, z);
    } else {
      lo = a;
      a = b;
      at_a = at_b;
      b = lo + golden * (hi - lo);
      at_b = beyond_at(s, b, r, z);
    }
    most = fmaxl(most, fmaxl(at_a, at_b));
  }
  return most;
}

static bool has_only_lines_and_arcs(const shape *s)
{
  for (int k = 0; k < s->piece_count; ++k)
    if (s->pieces[k].kind != CLP_PROFILE_LINE && s->pieces[k].kind != CLP_PROFILE_ARC)
      return false;
  return true;
}

static real revolved_outside(const shape *s, real3 p)
{
  enum { HALF = 90 };
  const real step = 1.0L / HALF;
  real r = hypotl(p.x, p.y), room[2 * HALF + 3], *values = room + HALF + 1;
  real most = most_of_ends(s, r, p.z);
  if (has_only_lines_and_arcs(s))
    return most;
  values[-HALF - 1] = values[HALF + 1] = -HUGE_VALL;
  for (int k = -HALF; k <= HALF; ++k)
    values[k] = beyond_at(s, step * k, r, p.z);
  /* A direction turns by twice as much as t grows, at most. */
  for (int k = -HALF; k <= HALF; ++k)
    if (values[k] >= values[k - 1] && values[k] >= values[k + 1] &&
        values[k] + 2 * step * s->size >= most)
      most =
          fmaxl(most, most_between(s, fmaxl(step * (k - 1), -1), fminl(step * (k + 1), 1), r, p.z));
  return most;
}

real shape_outside(const shape *s, real3 p)
{
  switch (s->form) {
    case FORM_SWEPT:
      return swept_outside(s, p);
    case FORM_AFFINE:
      return affine_outside(s, p);
    case FORM_HULL:
      return hull_outside(s, p);
    default:
      return revolved_outside(s, p);
  }
}

/* ---- In the world ------------------------------------------------------------------------- */

shape_at shape_place(const shape *s, const clp_pose *pose)
{
  return (shape_at){s, real33_of(pose->rotation), real3_of(pose->position)};
}

real3 shape_at_support(const shape_at *s, real3 n)
{
  real3 p = shape_support(s->shape, real33_transposed(s->rotation, n));
  return real3_add(s->position, real33_apply(s->rotation, p));
}

real shape_at_outside(const shape_at *s, real3 p)
{
  return shape_outside(s->shape, real33_transposed(s->rotation, real3_sub(p, s->position)));
}
