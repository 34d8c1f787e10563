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

/* A direction of the half plane, and what supports the profile there. */
typedef struct line2 {
  real nr, nz;
  best2 at;
} line2;

static line2 line_along(const shape *s, real nr, real nz)
{
  return (line2){nr, nz, profile_support(s, nr, nz)};
}

/* Directions from -z through +r to +z, ascending. */
static real turn_of(real nr, real nz)
{
  return nz / (1 + nr);
}

/* Where a piece is looked at first: its normal at the place, if the place is on it. */
static void normal_beside(const shape_piece *p, real r, real z, real *nr, real *nz)
{
  *nr = p->z1 - p->z0;
  *nz = p->r0 - p->r1;
  if (p->kind == CLP_PROFILE_ARC) {
    *nr = r - p->center_r;
    *nz = z - p->center_z;
  } else if (p->kind == CLP_PROFILE_PARABOLA) {
    *nr = r / fabsl(2 * p->focal);
    *nz = p->focal > 0 ? -1 : 1;
  } else if (p->kind == CLP_PROFILE_CONIC) {
    /* With shares a, b and c of the ends and the shoulder, b^2 = 4 w^2 a c. */
    real ur = p->r0 - p->shoulder_r, uz = p->z0 - p->shoulder_z;
    real vr = p->r1 - p->shoulder_r, vz = p->z1 - p->shoulder_z, det = ur * vz - uz * vr;
    real dr = r - p->shoulder_r, dz = z - p->shoulder_z, w = 4 * p->weight * p->weight;
    real a = (dr * vz - dz * vr) / det, c = (ur * dz - uz * dr) / det, b = 1 - a - c;
    real by_a = w * c + 2 * b, by_c = w * a + 2 * b;
    real gr = (by_a * vz - by_c * uz) / det, gz = (by_c * ur - by_a * vr) / det;
    real sign = gr * *nr + gz * *nz > 0 ? 1 : -1;
    *nr = sign * gr;
    *nz = sign * gz;
  }
}

enum { MOST_LINES = SHAPE_PIECES + 2 };

/* The directions to begin with, ascending. */
static int first_lines(const shape *s, real r, real z, line2 lines[MOST_LINES])
{
  int count = 0;
  lines[count++] = line_along(s, 0, -1);
  for (int k = 0; k < s->piece_count; ++k) {
    real nr, nz;
    normal_beside(&s->pieces[k], r, z, &nr, &nz);
    real length = hypotl(nr, nz);
    if (!(length > 0) || !(length < HUGE_VALL) || nr < 0)
      continue;
    line2 line = line_along(s, nr / length, nz / length);
    int at = count++;
    for (; at > 1 && turn_of(lines[at - 1].nr, lines[at - 1].nz) > turn_of(line.nr, line.nz); --at)
      lines[at] = lines[at - 1];
    lines[at] = line;
  }
  lines[count++] = line_along(s, 0, 1);
  return count;
}

static real beyond(const line2 *line, real r, real z)
{
  return line->nr * r + line->nz * z - line->at.value;
}

/* The most of n.q over directions n from a to b, half a turn at most: that of q itself, if it is
 * one of them, and then it is not against both. */
static real most_over(real ar, real az, real br, real bz, real qr, real qz)
{
  real most = fmaxl(ar * qr + az * qz, br * qr + bz * qz);
  bool between = ar * qz - az * qr >= 0 && qr * bz - qz * br >= 0 && most >= 0;
  return between ? hypotl(qr, qz) : most;
}

/* How far beyond the profile a place of the half plane is: the most, over all directions, of how
 * far it is beyond the line that supports the profile there. That is its distance from the solid,
 * or, negative, its depth. Between two directions, x and y farthest in them, what is farthest is as
 * far as x and y at least; which of the two is farther changes in the direction across y - x. So
 * until there the place is beyond by n.(p - x) at most, and from there on by n.(p - y); if nothing
 * is farther than x and y across y - x, by as much. Else that direction divides the two. */
static real beyond_profile(const shape *s, real r, real z)
{
  enum { DEPTH = 80, MOST = DEPTH + MOST_LINES, TURNS = 1000 };
  line2 lines[MOST];
  int count = first_lines(s, r, z, lines);
  real most = -HUGE_VALL, blur = 32 * LDBL_EPSILON * (s->size + s->numbers + hypotl(r, z));
  for (int k = 0; k < count; ++k)
    most = fmaxl(most, beyond(&lines[k], r, z));
  for (int turn = 0; count > 1 && turn < TURNS; ++turn) {
    line2 a = lines[count - 2], b = lines[count - 1];
    real mr = b.at.z - a.at.z, mz = a.at.r - b.at.r, length = hypotl(mr, mz);
    if (!(length > blur)) {
      most = fmaxl(most, most_over(a.nr, a.nz, b.nr, b.nz, r - a.at.r, z - a.at.z));
      --count;
      continue;
    }
    mr /= length;
    mz /= length;
    real bound = fmaxl(most_over(a.nr, a.nz, mr, mz, r - a.at.r, z - a.at.z),
                       most_over(mr, mz, b.nr, b.nz, r - b.at.r, z - b.at.z));
    line2 m = line_along(s, mr, mz);
    bool straight = m.at.value <= mr * a.at.r + mz * a.at.z + blur;
    most = fmaxl(most, straight ? bound : beyond(&m, r, z));
    --count;
    if (!straight && bound > most + blur && count + 2 < MOST) {
      lines[count] = m;
      lines[count + 1] = b;
      count += 2;
    }
  }
  return most;
}

static real revolved_outside(const shape *s, real3 p)
{
  return beyond_profile(s, hypotl(p.x, p.y), p.z);
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
