/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/convex.h"

#include <stdbool.h>
#include <stdlib.h>

/* A point of the difference B - A, and the points that it is made of. */
typedef struct corner {
  real3 w, x, y;
} corner;

static corner farthest(const convex_pair *pair, real3 n)
{
  real3 x = shape_at_support(&pair->a, n), y = shape_at_support(&pair->b, real3_scale(-1, n));
  return (corner){real3_sub(y, x), x, y};
}

real convex_separation(const convex_pair *pair, real3 n)
{
  return real3_dot(n, farthest(pair, n).w);
}

/* ---- The nearest point of a simplex ------------------------------------------------------- */

typedef struct simplex {
  corner corners[4];
  real share[4]; /* of the nearest point */
  int count;
} simplex;

/* Gauss's elimination; false where it is singular. */
static bool solve(real m[3][4], int count)
{
  for (int k = 0; k < count; ++k) {
    int pivot = k;
    for (int i = k + 1; i < count; ++i)
      if (fabsl(m[i][k]) > fabsl(m[pivot][k]))
        pivot = i;
    for (int j = 0; j <= count; ++j) {
      real kept = m[k][j];
      m[k][j] = m[pivot][j];
      m[pivot][j] = kept;
    }
    if (!(fabsl(m[k][k]) > 0))
      return false;
    for (int i = 0; i < count; ++i) {
      real f = i == k ? 0 : m[i][k] / m[k][k];
      for (int j = k; j <= count; ++j)
        m[i][j] -= f * m[k][j];
    }
  }
  for (int k = 0; k < count; ++k)
    m[k][count] /= m[k][k];
  return true;
}

static real3 mix(const simplex *s, int which)
{
  real3 sum = {0, 0, 0};
  for (int k = 0; k < s->count; ++k) {
    const corner *c = &s->corners[k];
    sum = real3_add(sum, real3_scale(s->share[k], which == 0 ? c->w : which == 1 ? c->x : c->y));
  }
  return sum;
}

/* The corners' edges from the newest, which belongs to every side that is nearer than the last one
 * was: with edges e from it, sums over (e_i.e_j) s_j = -e_i.w are the nearest place of the plane.
 */
typedef struct spread {
  real3 e[3];
  real products[3][3], right[3];
} spread;

static spread spread_of(const simplex *s)
{
  spread g = {0};
  int newest = s->count - 1;
  real3 w = s->corners[newest].w;
  for (int i = 0; i < newest; ++i) {
    g.e[i] = real3_sub(s->corners[i].w, w);
    g.right[i] = -real3_dot(g.e[i], w);
    for (int j = 0; j <= i; ++j)
      g.products[i][j] = g.products[j][i] = real3_dot(g.e[i], g.e[j]);
  }
  return g;
}

/* The nearest place of the plane through the newest corner and the chosen ones, if it is between
 * them. */
static bool nearest_of(const spread *g, const int *chosen, int count, real share[4])
{
  real m[3][4], rest = 1;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j)
      m[i][j] = g->products[chosen[i]][chosen[j]];
    m[i][count] = g->right[chosen[i]];
  }
  if (!solve(m, count))
    return false;
  for (int i = 0; i < count; ++i) {
    share[i] = m[i][count];
    rest -= share[i];
    if (!(share[i] >= 0))
      return false;
  }
  share[count] = rest;
  return rest >= 0;
}

/* All eight sides with the newest corner are tried: nothing is concluded from signs that rounding
 * may have turned. Only the corners of the best side are kept. */
static void reduce(simplex *s)
{
  const spread g = spread_of(s);
  int newest = s->count - 1, best[4], best_count = 0;
  real least = HUGE_VALL, best_share[4] = {1};
  for (int set = 0; set < 1 << newest; ++set) {
    int chosen[4], count = 0;
    real share[4];
    for (int k = 0; k < newest; ++k)
      if (set >> k & 1)
        chosen[count++] = k;
    if (!nearest_of(&g, chosen, count, share))
      continue;
    chosen[count] = newest;
    real3 v = s->corners[newest].w;
    for (int k = 0; k < count; ++k)
      v = real3_add(v, real3_scale(share[k], g.e[chosen[k]]));
    if (real3_dot(v, v) >= least)
      continue;
    least = real3_dot(v, v);
    best_count = count + 1;
    for (int k = 0; k <= count; ++k) {
      best[k] = chosen[k];
      best_share[k] = share[k];
    }
  }
  for (int k = 0; k < best_count; ++k) { /* `best` ascends */
    s->corners[k] = s->corners[best[k]];
    s->share[k] = best_share[k];
  }
  s->count = best_count;
}

/* ---- Apart -------------------------------------------------------------------------------- */

void convex_try(const convex_pair *pair, real3 n, convex_bracket *bracket)
{
  real length = real3_norm(n);
  if (!(length > 0) || !(length < HUGE_VALL))
    return;
  n = real3_scale(1 / length, n);
  real separation = convex_separation(pair, n);
  if (separation > bracket->lower) {
    bracket->lower = separation;
    bracket->normal = n;
  }
}

static bool holds(const simplex *s, real3 w)
{
  for (int k = 0; k < s->count; ++k) {
    real3 d = real3_sub(s->corners[k].w, w);
    if (real3_dot(d, d) == 0)
      return true;
  }
  return false;
}

/* Gilbert, Johnson and Keerthi's iteration. */
static void approach(const convex_pair *pair, real scale, simplex *s, convex_bracket *b)
{
  enum { ROUNDS = 400 };
  real3 v = mix(s, 0);
  b->upper = HUGE_VALL;
  for (b->rounds = 0; b->rounds < ROUNDS; ++b->rounds) {
    real length = real3_norm(v);
    if (length < b->upper) {
      b->upper = length;
      b->x = mix(s, 1);
      b->y = mix(s, 2);
    }
    if (length <= 1e-17L * scale || b->upper - b->lower <= 1e-17L * scale)
      return;
    real3 n = real3_scale(1 / length, v);
    corner c = farthest(pair, n);
    real separation = real3_dot(n, c.w);
    if (separation > b->lower) {
      b->lower = separation;
      b->normal = n;
    }
    if (holds(s, c.w) || s->count == 4)
      return;
    s->corners[s->count++] = c;
    reduce(s);
    v = mix(s, 0);
    if (real3_norm(v) >= length)
      return;
  }
}

/* ---- Overlap ------------------------------------------------------------------------------ */

/* Polytopes within the difference that grow outwards: the origin is as deep in the difference as
 * in the polytope at least, and as the plane that supports it beyond at most. */

enum { HULL_CORNERS = 260, HULL_SIDES = 2 * HULL_CORNERS };

typedef struct side {
  int c[3];
  real3 n;
  real offset; /* of the plane from the origin */
} side;

typedef struct hull {
  corner corners[HULL_CORNERS];
  side sides[HULL_SIDES];
  double planes[HULL_SIDES][4]; /* of the sides, rounded: most are soon told to be hidden */
  double blur;                  /* what that rounding makes of distances, and much more */
  int corner_count, side_count;
} hull;

/* Outwards: away from a point inside. */
static bool add_side(hull *h, int i, int j, int k, real3 inside)
{
  real3 a = h->corners[i].w;
  real3 n = real3_cross(real3_sub(h->corners[j].w, a), real3_sub(h->corners[k].w, a));
  real length = real3_norm(n);
  if (!(length > 0) || h->side_count == HULL_SIDES)
    return false;
  n = real3_scale(1 / length, n);
  bool turned = real3_dot(n, real3_sub(a, inside)) < 0;
  n = turned ? real3_scale(-1, n) : n;
  real offset = real3_dot(n, a);
  double *plane = h->planes[h->side_count];
  plane[0] = (double)n.x;
  plane[1] = (double)n.y;
  plane[2] = (double)n.z;
  plane[3] = (double)offset;
  h->sides[h->side_count++] = (side){{i, turned ? k : j, turned ? j : k}, n, offset};
  return true;
}

static bool is_seen(const hull *h, int k, real3 w, const double rounded[3])
{
  const double *p = h->planes[k];
  double beyond = p[0] * rounded[0] + p[1] * rounded[1] + p[2] * rounded[2] - p[3];
  return beyond > -h->blur && real3_dot(h->sides[k].n, w) > h->sides[k].offset;
}

static void take_side(hull *h, int k)
{
  int last = --h->side_count;
  h->sides[k] = h->sides[last];
  for (int i = 0; i < 4; ++i)
    h->planes[k][i] = h->planes[last][i];
}

/* Takes away the sides that see the new corner, and closes the hole. */
static bool add_corner(hull *h, corner c, real3 inside)
{
  int edges[HULL_SIDES][2], edge_count = 0, before = h->side_count;
  const double w[3] = {(double)c.w.x, (double)c.w.y, (double)c.w.z};
  if (h->corner_count == HULL_CORNERS)
    return false;
  h->corners[h->corner_count] = c;
  for (int k = 0; k < h->side_count;) {
    if (!is_seen(h, k, c.w, w)) {
      ++k;
      continue;
    }
    const int *s = h->sides[k].c;
    for (int i = 0; i < 3; ++i) {
      int from = s[i], to = s[(i + 1) % 3], e = 0;
      while (e < edge_count && !(edges[e][0] == to && edges[e][1] == from))
        ++e;
      if (e < edge_count) { /* between two sides that go */
        edges[e][0] = edges[edge_count - 1][0];
        edges[e][1] = edges[--edge_count][1];
      } else if (edge_count < HULL_SIDES) {
        edges[edge_count][0] = from;
        edges[edge_count++][1] = to;
      }
    }
    take_side(h, k);
  }
  if (h->side_count == before)
    return false;
  for (int e = 0; e < edge_count; ++e)
    if (!add_side(h, edges[e][0], edges[e][1], h->corner_count, inside))
      return false;
  ++h->corner_count;
  return true;
}

/* A tetrahedron that holds the origin: the simplex of the approach, completed by the difference's
 * extents across it. False where the difference is flat, or touches the origin only. */
static bool begin_hull(const convex_pair *pair, const simplex *s, real scale, hull *h,
                       real3 *inside)
{
  static const real3 axes[6] = {{1, 0.1L, 0.2L},    {-1, -0.1L, -0.2L}, {0.2L, 1, 0.1L},
                                {-0.2L, -1, -0.1L}, {0.1L, 0.2L, 1},    {-0.1L, -0.2L, -1}};
  h->corner_count = h->side_count = 0;
  h->blur = 1e-12 * (double)scale;
  for (int k = 0; k < s->count; ++k)
    h->corners[h->corner_count++] = s->corners[k];
  for (int k = 0; k < 6; ++k)
    h->corners[h->corner_count++] = farthest(pair, axes[k]);
  corner *c = h->corners;
  int best[4] = {-1, 0, 0, 0};
  real most = 1e-13L * scale * scale * scale;
  for (int i = 0; i < h->corner_count; ++i)
    for (int j = i + 1; j < h->corner_count; ++j)
      for (int k = j + 1; k < h->corner_count; ++k)
        for (int l = k + 1; l < h->corner_count; ++l) {
          real volume =
              fabsl(real3_dot(real3_sub(c[j].w, c[i].w),
                              real3_cross(real3_sub(c[k].w, c[i].w), real3_sub(c[l].w, c[i].w))));
          if (volume > most) {
            most = volume;
            best[0] = i;
            best[1] = j;
            best[2] = k;
            best[3] = l;
          }
        }
  if (best[0] < 0)
    return false;
  corner chosen[4];
  *inside = (real3){0, 0, 0};
  for (int k = 0; k < 4; ++k) {
    chosen[k] = c[best[k]];
    *inside = real3_add(*inside, real3_scale(0.25L, chosen[k].w));
  }
  for (int k = 0; k < 4; ++k)
    h->corners[k] = chosen[k];
  h->corner_count = 4;
  return add_side(h, 0, 1, 2, *inside) && add_side(h, 0, 1, 3, *inside) &&
         add_side(h, 0, 2, 3, *inside) && add_side(h, 1, 2, 3, *inside);
}

/* The tetrahedron need not hold the origin yet: sides beyond which it lies have negative offsets,
 * and the least of all is looked at next. When it is not negative, the origin is inside. */
static void deepen(const convex_pair *pair, const simplex *s, real scale, convex_bracket *b)
{
  hull *h = malloc(sizeof *h);
  real3 inside;
  if (h && begin_hull(pair, s, scale, h, &inside))
    for (int round = 0; round < HULL_CORNERS; ++round) {
      int least = 0;
      for (int k = 1; k < h->side_count; ++k)
        if (h->sides[k].offset < h->sides[least].offset)
          least = k;
      side *nearest = &h->sides[least];
      if (nearest->offset > 0 && -nearest->offset < b->upper)
        b->upper = -nearest->offset;
      corner c = farthest(pair, real3_scale(-1, nearest->n));
      real support = real3_dot(nearest->n, c.w);
      if (-support > b->lower) {
        b->lower = -support;
        b->normal = real3_scale(-1, nearest->n);
      }
      if (support - nearest->offset <= 1e-15L * scale || b->upper - b->lower <= 1e-13L * scale ||
          !add_corner(h, c, inside))
        break;
    }
  free(h);
}

convex_bracket convex_find(const convex_pair *pair, real3 n)
{
  convex_bracket b = {.lower = -HUGE_VALL, .upper = HUGE_VALL, .normal = n};
  real scale = pair->a.shape->size + pair->b.shape->size;
  simplex s = {.corners = {farthest(pair, n)}, .share = {1}, .count = 1};
  convex_try(pair, n, &b);
  approach(pair, scale, &s, &b);
  convex_try(pair, real3_sub(b.y, b.x), &b);
  if (b.lower <= 0 && b.upper <= 1e-16L * scale)
    deepen(pair, &s, scale, &b);
  return b;
}
