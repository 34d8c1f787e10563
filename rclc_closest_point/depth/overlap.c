/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/overlap.h"

#include "rclc_closest_point/depth/extremal.h"
#include "rclc_closest_point/depth/nearest.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/math/pose.h"

/* Directions looked at. Overlapping bodies need about six, apart ones two or three. */
enum { BUDGET = 64 };

/* And where the nearest places of bodies that are apart are wanted. */
enum { LOOKS = 24 };

/* A simplex nearer to the origin than this (of the size) contains it, to rounding. */
#define AT_ORIGIN 1e-14

/* How often weights are improved: each time about as many digits are gained as a simplex as flat as
 * bodies are deep in each other leaves. */
enum { PASSES = 3 };

/* Directions around one, at so many angles from it. */
enum { AROUND = 24, TILTS = 4 };

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

static clp_vec3 difference(const clp_couple *c, clp_vec3 a, clp_vec3 b)
{
  return clp_sub(a, clp_transform(c->X_AB, b));
}

/* The farthest point of the set f - h along n. */
static clp_vec3 farthest(const clp_couple *c, clp_vec3 n)
{
  clp_support_pair far = clp_support_both(c, n);
  clp_spend(c->effort, CLP_EFFORT_SIMPLEX);
  return difference(c, far.a.p, far.b.p);
}

/* ---- Proofs ------------------------------------------------------------------------------- */

static double det(clp_vec3 a, clp_vec3 b, clp_vec3 c)
{
  return clp_dot(a, clp_cross(b, c));
}

/* The weights, beside the first one's, with which a simplex's corners, three or four, sum up to the
 * origin: p0 + sum of w_k e_k = 0, by Cramer's rule. A flat simplex leaves a part of that over, for
 * which the same is done again. Of a triangle, e_2 is what is square to it. */
static void weigh(const clp_vec3 *p, int count, double w[3])
{
  clp_vec3 e[3] = {clp_sub(p[1], p[0]), clp_sub(p[2], p[0])}, left = p[0];
  e[2] = count == 4 ? clp_sub(p[3], p[0]) : clp_cross(e[0], e[1]);
  double all = det(e[0], e[1], e[2]);
  w[0] = w[1] = w[2] = 0;
  for (int pass = 0; pass < PASSES; ++pass) {
    w[0] -= det(left, e[1], e[2]) / all;
    w[1] -= det(e[0], left, e[2]) / all;
    if (count == 4)
      w[2] -= det(e[0], e[1], left) / all;
    left = clp_add_scaled(clp_add_scaled(p[0], w[0], e[0]), w[1], e[1]);
    if (count == 4)
      left = clp_add_scaled(left, w[2], e[2]);
  }
}

/* A convex combination of points of a convex set is in the set, whatever weights it has that are
 * not negative. So the weights may be off, or be no numbers: what counts is where they lead. */
static bool holds_origin(const clp_couple *c, const clp_vec3 *p, int count)
{
  double w[3], sum = 0;
  clp_vec3 q = {0, 0, 0};
  weigh(p, count, w);
  for (int k = 0; k < count; ++k) {
    double weight = fmax(0, k > 0 ? w[k - 1] : 1 - w[0] - w[1] - w[2]);
    q = clp_add_scaled(q, weight, p[k]);
    sum += weight;
  }
  return sum > 0 && clp_norm(q) <= AT_ORIGIN * c->size * sum;
}

static bool is_proven(const clp_couple *c, const simplex *s)
{
  return s->count <= 2 || holds_origin(c, s->p, s->count);
}

/* ---- The test ----------------------------------------------------------------------------- */

/* What a simplex's corner is the difference of. */
typedef struct corner {
  clp_vec3 a, b;
  clp_spots spots;
  bool placed; /* the spots are known */
} corner;

typedef struct test {
  const clp_couple *couple;
  bool planar;
  simplex s;
  corner of[4]; /* its corners, and more */
  int count;
  clp_vec3 n; /* where to look next */
} test;

static void add_corner(test *t, corner added)
{
  t->of[t->count++] = added;
  t->s.p[t->s.count++] = difference(t->couple, added.a, added.b);
}

/* Of the corners those that the simplex still needs. */
static void forget_others(test *t)
{
  const test all = *t;
  t->count = 0;
  for (int i = 0; i < t->s.count; ++i)
    for (int k = 0; k < all.count && t->count == i; ++k)
      if (clp_vec3_equals(t->s.p[i], difference(t->couple, all.of[k].a, all.of[k].b)))
        t->of[t->count++] = all.of[k];
}

/* From the simplex that there is to the next direction. True where it holds the origin. */
static bool go_on(test *t)
{
  bool inside;
  const int count = t->s.count;
  clp_vec3 v = reduce(&t->s, t->planar, &inside);
  double length = clp_norm(v);
  if (t->s.count < count)
    forget_others(t);
  if (inside || length <= AT_ORIGIN * t->couple->size)
    return true;
  t->n = clp_scale(-1 / length, v);
  return false;
}

static corner corner_at(const clp_couple *c, clp_spots at)
{
  return (corner){clp_spot_point(c->a, at.a), clp_spot_point(c->b, at.b), at, true};
}

/* From what the last test has left: the same points where the bodies are now. Whether that proves
 * it. A simplex that holds the origin but for rounding leads nowhere. */
static bool start(test *t)
{
  const clp_common *last = t->couple->common;
  const clp_vec3 n = t->n;
  for (int k = 0; last && k < last->count; ++k)
    add_corner(t, last->placed ? corner_at(t->couple, last->of.spots[k])
                               : (corner){.a = last->of.points.a[k], .b = last->of.points.b[k]});
  if (t->s.count == 0 || !go_on(t))
    return false;
  if (is_proven(t->couple, &t->s))
    return true;
  t->s.count = t->count = 0;
  t->n = n;
  return false;
}

static bool is_placed(const test *t)
{
  bool placed = t->count <= 3;
  for (int k = 0; k < t->count; ++k)
    placed = placed && t->of[k].placed;
  return placed;
}

/* Of the corners those that are places, and where to look next from these. */
static void keep_placed(test *t, clp_vec3 first)
{
  const test all = *t;
  if (is_placed(t))
    return;
  t->s.count = t->count = 0;
  t->n = first;
  for (int k = 0; k < all.count; ++k)
    if (all.of[k].placed)
      add_corner(t, all.of[k]);
  if (t->count > 0)
    go_on(t);
}

static void leave(const test *t, clp_common *next)
{
  next->count = (uint8_t)t->count;
  next->placed = is_placed(t);
  for (int k = 0; k < t->count; ++k)
    if (next->placed) {
      next->of.spots[k] = t->of[k].spots;
    } else {
      next->of.points.a[k] = t->of[k].a;
      next->of.points.b[k] = t->of[k].b;
    }
}

static clp_overlap finish(const test *t, clp_overlap_end end)
{
  if (t->couple->common) {
    leave(t, t->couple->common);
    t->couple->common->open = end == CLP_OVERLAP_OPEN;
  }
  return (clp_overlap){end, t->n};
}

/* A farthest point more. False where it does not reach the origin: its height along n is below it.
 */
static bool look(test *t)
{
  clp_support_pair far = clp_support_both(t->couple, t->n);
  clp_spend(t->couple->effort, CLP_EFFORT_SIMPLEX);
  add_corner(t, (corner){far.a.p, far.b.p, {far.a.spot, far.b.spot}, true});
  return !(clp_dot(t->n, t->s.p[t->s.count - 1]) < 0);
}

/* Where the farthest point is one of the simplex's corners already, only rounding is left between
 * it and the origin: another look would find the same. */
static bool is_known(const test *t)
{
  const int last = t->s.count - 1;
  for (int k = 0; k < last; ++k)
    if (clp_vec3_equals(t->s.p[k], t->s.p[last]))
      return true;
  return false;
}

clp_overlap clp_overlap_test(const clp_couple *c, clp_vec3 n)
{
  clp_vec3 plane;
  test t = {.couple = c, .planar = clp_couple_plane(c, &plane), .n = n};
  clp_spend(c->effort, CLP_EFFORT_SIMPLEX);
  if (start(&t))
    return finish(&t, CLP_OVERLAP_PROVEN);
  bool held = false, known = false;
  for (int k = 0;
       k < BUDGET && !held && !known && t.s.count < 4 && clp_affords(c->effort, CLP_EFFORT_LOOK);
       ++k) {
    if (!look(&t)) {
      const clp_vec3 separating = t.n;
      go_on(&t); /* no more corners than the next test needs */
      t.n = separating;
      return finish(&t, CLP_OVERLAP_NONE);
    }
    known = is_known(&t);
    held = go_on(&t);
  }
  return finish(&t, held && is_proven(c, &t.s) ? CLP_OVERLAP_PROVEN : CLP_OVERLAP_OPEN);
}

/* ---- Apart -------------------------------------------------------------------------------- */

/* How much each corner has of the simplex's point v: areas opposite, or the lengths. */
static void weigh_nearest(const simplex *s, clp_vec3 v, double weights[3])
{
  weights[0] = weights[1] = weights[2] = 0;
  if (s->count == 1) {
    weights[0] = 1;
  } else if (s->count == 2) {
    double length = clp_distance(s->p[0], s->p[1]);
    weights[1] = clp_distance(s->p[0], v) / length;
    weights[0] = 1 - weights[1];
  } else {
    clp_vec3 n = clp_cross(clp_sub(s->p[1], s->p[0]), clp_sub(s->p[2], s->p[0]));
    for (int k = 0; k < 3; ++k) {
      clp_vec3 a = clp_sub(s->p[(k + 1) % 3], v), b = clp_sub(s->p[(k + 2) % 3], v);
      weights[k] = clp_dot(n, clp_cross(a, b)) / clp_norm2(n);
    }
  }
}

static void find_places(const test *t, double length, clp_nearest *found)
{
  clp_far_corner corners[3];
  double weights[3];
  weigh_nearest(&t->s, clp_scale(-length, t->n), weights);
  for (int k = 0; k < t->s.count; ++k)
    corners[k] = (clp_far_corner){t->of[k].spots, t->of[k].a, t->of[k].b, weights[k]};
  clp_nearest_spots(t->couple, corners, t->s.count, found->spots);
  found->best = 0;
  for (int k = 0; k < 4; ++k) {
    found->distances[k] = clp_couple_distance(t->couple, &found->spots[k]);
    if (found->distances[k] < found->distances[found->best])
      found->best = k;
  }
}

/* The simplex is as near as the farthest points along its direction say that the bodies are, but
 * for this, of the size. */
#define ALL_THE_WAY 4e-12

/* A farthest point more, and what its direction proves. */
static void look_apart(test *t, clp_extremal *best, double *most)
{
  look(t);
  const clp_spots *far = &t->of[t->count - 1].spots;
  double apart = -clp_dot(t->n, t->s.p[t->s.count - 1]);
  if (!(apart > *most))
    return;
  *most = apart;
  *best = (clp_extremal){.couple = t->couple, .spots = *far, .n = t->n};
}

/* On a face that bends all round farthest points come near by a part of what is left only, and a
 * descent ends that faster: this part of the distance. */
#define ROUGHLY 1e-3

static bool is_round(const clp_body *body, const clp_spot *spot)
{
  return spot->kind == CLP_FACE && body->faces[spot->id].bend != CLP_BEND_FLAT &&
         !clp_surface_facts_of(&body->faces[spot->id].surface)->straight;
}

/* Whether the simplex is as near as the last farthest point says that the bodies are. */
static bool is_all_the_way(const test *t, double length)
{
  const clp_couple *c = t->couple;
  const clp_spots *last = &t->of[t->count - 1].spots;
  double apart = -clp_dot(t->n, t->s.p[t->s.count - 1]);
  bool round = is_round(c->a, &last->a) || is_round(c->b, &last->b);
  return length - apart <= fmax(ALL_THE_WAY * c->size, round ? ROUGHLY * apart : 0);
}

/* The simplex that the last test has left is as good a start as any; of a search that was
 * interrupted it is what has been found. */
clp_overlap_end clp_overlap_or_nearest(const clp_couple *c, clp_vec3 n, clp_nearest *found)
{
  clp_vec3 plane;
  test t = {.couple = c, .planar = clp_couple_plane(c, &plane), .n = n};
  clp_extremal best;
  double most = 0;
  clp_spend(c->effort, CLP_EFFORT_SIMPLEX);
  if (start(&t))
    return finish(&t, CLP_OVERLAP_PROVEN).end;
  keep_placed(&t, n);
  double length = t.s.count > 0 ? -clp_dot(t.n, t.s.p[0]) : HUGE_VAL;
  int looks = c->common ? c->common->looks : 0;
  found->ended = false;
  do {
    look_apart(&t, &best, &most);
    found->ended = is_all_the_way(&t, length);
    if (found->ended) {
      t.s.count = --t.count;
      break;
    }
    found->ended = go_on(&t);
    if (found->ended)
      return finish(&t, is_proven(c, &t.s) ? CLP_OVERLAP_PROVEN : CLP_OVERLAP_OPEN).end;
    length = -clp_dot(t.n, t.s.p[0]);
    found->ended = ++looks >= LOOKS || t.s.count == 4;
  } while (!found->ended && clp_affords(c->effort, CLP_EFFORT_LOOK));
  found->ended = found->ended && clp_affords(c->effort, CLP_EFFORT_PLACES + CLP_EFFORT_BOUND);
  if (c->common)
    c->common->looks = (uint8_t)(found->ended ? 0 : looks);
  finish(&t, CLP_OVERLAP_NONE);
  if (!(most > 0))
    return CLP_OVERLAP_OPEN;
  clp_extremal e = clp_extremal_start(c, &best.spots, best.n);
  if (found->ended)
    find_places(&t, length, found);
  found->bound = clp_extremal_bound(&e);
  return CLP_OVERLAP_NONE;
}

/* ---- Next to contact ---------------------------------------------------------------------- */

/* What remains of p where one looks along the unit vector u. */
static clp_vec3 seen_along(clp_vec3 u, clp_vec3 p)
{
  return clp_add_scaled(p, -clp_dot(u, p), u);
}

/* Whether `back` and those of the points p that the flat simplex needs hold the origin. */
static bool holds_with(const clp_couple *c, clp_vec3 back, clp_vec3 u, const simplex *flat,
                       const clp_vec3 *p, int count)
{
  clp_vec3 corners[4] = {back};
  int found = 1;
  for (int i = 0; i < flat->count; ++i)
    for (int k = 0; k < count && found == i + 1; ++k)
      if (clp_vec3_equals(flat->p[i], seen_along(u, p[k])))
        corners[found++] = p[k];
  return found >= 3 && holds_origin(c, corners, found);
}

/* The farthest point against n is one corner of a simplex. Seen from there the origin must be
 * between the others, which are farthest in directions around n: the same search as above, in the
 * plane that is seen. */
static bool holds_between(const clp_couple *c, clp_vec3 n, double tilt)
{
  clp_vec3 back = farthest(c, clp_negate(n)), u = clp_unit(back), p[AROUND], t, other;
  simplex flat = {.count = 0};
  if (clp_couple_plane(c, &other))
    t = clp_cross(other, n);
  else
    clp_tangents(n, &t, &other);
  for (int k = 0; k < AROUND && clp_affords(c->effort, CLP_EFFORT_LOOK); ++k) {
    bool inside;
    p[k] = farthest(c, clp_unit(clp_add_scaled(n, tilt, t)));
    flat.p[flat.count++] = seen_along(u, p[k]);
    clp_vec3 v = reduce(&flat, true, &inside);
    if (holds_with(c, back, u, &flat, p, k + 1))
      return true;
    double length = clp_norm(v);
    if (inside || !(length > 0))
      return false;
    t = clp_scale(-1 / length, v);
  }
  return false;
}

/* Tilted by e, the farthest points lie R e aside and R e^2 / 2 lower, R being the radius of
 * curvature there: they must not lie lower than the origin does. How large R is nobody knows, so
 * that e starts large. */
bool clp_overlap_next_to(const clp_couple *c, clp_vec3 n, double depth)
{
  double tilt = sqrt(depth / c->size);
  for (int k = 0; k < TILTS && clp_affords(c->effort, CLP_EFFORT_LOOK); ++k, tilt *= 0.125)
    if (holds_between(c, n, tilt))
      return true;
  return false;
}
