/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/overlap.h"

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/track/extremal.h"
#include "rclc_closest_point/track/support.h"

/* Directions looked at. Overlapping bodies need about six, apart ones two or three. */
enum { BUDGET = 32 };

/* A simplex nearer to the origin than this (of the size) contains it, to rounding. */
#define AT_ORIGIN 1e-14

typedef struct simplex {
  clp_vec3 p[4];
  int count;
} simplex;

/* The point of the line from a to b nearest to the origin, and the ends that it needs. */
static clp_vec3 reduce_line(simplex *s)
{
  clp_vec3 a = s->p[0], ab = clp_sub(s->p[1], a);
  double length2 = clp_norm2(ab), t = length2 > 0 ? -clp_dot(a, ab) / length2 : 0;
  if (t <= 0 || t >= 1) {
    if (t >= 1)
      s->p[0] = s->p[1];
    s->count = 1;
    return s->p[0];
  }
  return clp_add_scaled(a, t, ab);
}

/* Of the three sides of a triangle the one nearest to the origin. */
static clp_vec3 reduce_to_side(simplex *s)
{
  simplex best = *s;
  clp_vec3 nearest = {HUGE_VAL, 0, 0};
  for (int k = 0; k < 3; ++k) {
    simplex side = {{s->p[k], s->p[(k + 1) % 3]}, 2};
    clp_vec3 v = reduce_line(&side);
    if (clp_norm2(v) < clp_norm2(nearest)) {
      nearest = v;
      best = side;
    }
  }
  *s = best;
  return nearest;
}

/* The point of a triangle nearest to the origin: its foot on the plane, if that is to the left of
 * all three sides. */
static clp_vec3 reduce_triangle(simplex *s)
{
  const clp_vec3 *p = s->p;
  clp_vec3 n = clp_cross(clp_sub(p[1], p[0]), clp_sub(p[2], p[0]));
  bool inside = clp_norm2(n) > 0;
  for (int k = 0; k < 3 && inside; ++k)
    inside = clp_dot(n, clp_cross(p[k], p[(k + 1) % 3])) > 0;
  if (!inside)
    return reduce_to_side(s);
  return clp_scale(clp_dot(n, p[0]) / clp_norm2(n), n);
}

/* The faces of a tetrahedron: three corners and the one opposite. */
static const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};

/* Which side of the face the origin is on, as against the opposite corner: beyond it (positive), or
 * on the corner's side. A flat tetrahedron has the origin beyond every face. */
static bool is_beyond(const simplex *s, const int face[4])
{
  clp_vec3 a = s->p[face[0]];
  clp_vec3 n = clp_cross(clp_sub(s->p[face[1]], a), clp_sub(s->p[face[2]], a));
  double origin = -clp_dot(n, a), corner = clp_dot(n, clp_sub(s->p[face[3]], a));
  return !(origin * corner > 0);
}

/* *inside: the origin is in the tetrahedron. */
static clp_vec3 reduce_tetrahedron(simplex *s, bool *inside)
{
  const simplex all = *s;
  clp_vec3 nearest = {HUGE_VAL, 0, 0};
  *inside = true;
  for (int k = 0; k < 4; ++k) {
    if (!is_beyond(&all, faces[k]))
      continue;
    *inside = false;
    simplex face = {{all.p[faces[k][0]], all.p[faces[k][1]], all.p[faces[k][2]]}, 3};
    clp_vec3 v = reduce_triangle(&face);
    if (clp_norm2(v) < clp_norm2(nearest)) {
      nearest = v;
      *s = face;
    }
  }
  return nearest;
}

/* The simplex's point nearest to the origin, and the simplex reduced to what that needs. */
static clp_vec3 reduce(simplex *s, bool planar, bool *inside)
{
  *inside = false;
  if (s->count == 1)
    return s->p[0];
  if (s->count == 2)
    return reduce_line(s);
  if (s->count == 4)
    return reduce_tetrahedron(s, inside);
  clp_vec3 v = reduce_triangle(s);
  *inside = planar && s->count == 3;
  return v;
}

/* The farthest point of the set f - h along n. */
static clp_vec3 farthest(const clp_couple *c, clp_vec3 n)
{
  clp_support a = clp_support_find(c->a, n);
  clp_support b = clp_support_find(c->b, clp_negate(clp_rotate_back(c->X_AB.rotation, n)));
  return clp_sub(a.p, clp_transform(c->X_AB, b.p));
}

clp_overlap clp_overlap_test(const clp_couple *c, clp_vec3 n)
{
  clp_vec3 plane;
  bool planar = clp_couple_plane(c, &plane), inside;
  simplex s = {.count = 0};
  for (int k = 0; k < BUDGET; ++k) {
    clp_vec3 p = farthest(c, n);
    if (clp_dot(n, p) < 0)
      return (clp_overlap){CLP_OVERLAP_NONE, n};
    s.p[s.count++] = p;
    clp_vec3 v = reduce(&s, planar, &inside);
    double length = clp_norm(v);
    if (inside || length <= AT_ORIGIN * c->size)
      return (clp_overlap){CLP_OVERLAP_PROVEN, n};
    n = clp_scale(-1 / length, v);
  }
  return (clp_overlap){CLP_OVERLAP_OPEN, n};
}
