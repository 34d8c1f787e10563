/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ATTACK_FAULTS_H
#define TEST_SUPPORT_ATTACK_FAULTS_H

#include "support/attack_solids.h"

/* What is done to a sound body of patches: tools to find a side, a control point with a short
 * reach, and to move it. */

/* One side of a patch: along u (0) or v (1), at the low or the high end of the other parameter. */
typedef struct attack_rim {
  attack_patch *patch;
  int number; /* of the patch */
  int along, end;
  int local;               /* a control point inside it with the shortest reach */
  clp_vec3 normal, across; /* there: of the patch, and out of it over the side */
  clp_vec3 tangent;
} attack_rim;

/* The control point `i` along the rim, `row` rows away from it. */
static inline double *attack_rim_point(const attack_rim *rim, int i, int row)
{
  const attack_patch *p = rim->patch;
  int across = rim->end ? p->size[1 - rim->along] - 1 - row : row;
  return rim->along == 0 ? attack_point(p, i, across) : attack_point(p, across, i);
}

static inline clp_vec3 attack_vector(const double *c)
{
  return (clp_vec3){c[0], c[1], c[2]};
}

static inline void attack_move(double *c, double by, clp_vec3 way)
{
  c[0] += by * way.x;
  c[1] += by * way.y;
  c[2] += by * way.z;
}

static inline void attack_mark_rim(attack_body *body, const attack_rim *rim, int i, int row)
{
  int across = rim->end ? rim->patch->size[1 - rim->along] - 1 - row : row;
  attack_mark_point(body, rim->number, rim->along == 0 ? i : across, rim->along == 0 ? across : i);
}

/* The control point between the ends along d that reaches least far; the middle one of several. */
static inline int attack_local(const attack_patch *p, int d, int first)
{
  int n = p->size[d], best = n / 2;
  double least = HUGE_VAL;
  for (int k = first; k < n - first; ++k) {
    int i = first + (k - first + n / 2 - first) % (n - 2 * first);
    double reach = p->knots[d][i + p->degree[d] + 1] - p->knots[d][i];
    if (reach < 0.999 * least) {
      least = reach;
      best = i;
    }
  }
  return best;
}

static inline bool attack_collapsed(const attack_patch *p, int along, int end)
{
  attack_rim rim = {.patch = (attack_patch *)p, .along = along, .end = end};
  clp_vec3 first = attack_vector(attack_rim_point(&rim, 0, 0));
  for (int i = 1; i < p->size[along]; ++i)
    if (clp_distance(first, attack_vector(attack_rim_point(&rim, i, 0))) > 1e-12)
      return false;
  return true;
}

static inline void attack_rim_frame(attack_rim *rim)
{
  const attack_patch *p = rim->patch;
  int d = rim->along, last = p->size[d] - 1;
  rim->local = attack_local(p, d, 1);
  double t[2], lo = p->knots[d][rim->local], hi = p->knots[d][rim->local + p->degree[d] + 1];
  t[d] = 0.5 * (lo + hi);
  /* a little inside, in case that the other end is a pole */
  double low = attack_low(p, 1 - d), high = attack_high(p, 1 - d);
  t[1 - d] = rim->end ? high - 1e-3 * (high - low) : low + 1e-3 * (high - low);
  rim->normal = attack_look_at(p, t[0], t[1]).normal;
  clp_vec3 from = attack_vector(attack_rim_point(rim, rim->local > 0 ? rim->local - 1 : 0, 0));
  clp_vec3 to = attack_vector(attack_rim_point(rim, rim->local < last ? rim->local + 1 : last, 0));
  rim->tangent = clp_unit(clp_sub(to, from));
  rim->across = clp_unit(clp_cross(rim->normal, rim->tangent));
  clp_vec3 out = clp_sub(attack_vector(attack_rim_point(rim, rim->local, 0)),
                         attack_vector(attack_rim_point(rim, rim->local, 1)));
  if (clp_dot(out, rim->across) < 0)
    rim->across = clp_negate(rim->across);
}

/* One of the sides that are no points; another one for every number. */
static inline attack_rim attack_choose_rim(attack_body *body, int number)
{
  for (int k = 0;; ++k) {
    int patch = (number / 4 + (number + k) / 4) % body->count, side = (number + k) % 4;
    attack_patch *p = &body->patches[patch];
    if (attack_collapsed(p, side / 2, side % 2))
      continue;
    attack_rim rim = {.patch = p, .number = patch, .along = side / 2, .end = side % 2};
    attack_rim_frame(&rim);
    return rim;
  }
}

/* Moves every control point of the body that is where this one is, and marks them. */
static inline void attack_move_all(attack_body *body, clp_vec3 where, double by, clp_vec3 way)
{
  for (int k = 0; k < body->count; ++k) {
    attack_patch *p = &body->patches[k];
    for (int i = 0; i < p->size[0]; ++i)
      for (int j = 0; j < p->size[1]; ++j)
        if (clp_distance(attack_place(p, i, j), where) <= 1e-13) {
          attack_move(attack_point(p, i, j), by, way);
          attack_mark_point(body, k, i, j);
        }
  }
}

static inline void attack_mark_patch(attack_body *body, int k)
{
  const attack_patch *p = &body->patches[k];
  attack_mark_at(body, k, (double[2]){attack_low(p, 0), attack_low(p, 1)},
                 (double[2]){attack_high(p, 0), attack_high(p, 1)});
}

static inline void attack_shift_patch(attack_body *body, int k, double by, clp_vec3 way)
{
  attack_patch *p = &body->patches[k];
  for (int i = 0; i < p->size[0] * p->size[1]; ++i)
    attack_move(p->points + 4 * i, by, way);
  attack_mark_patch(body, k);
}

/* ---- Pieces -------------------------------------------------------------------------------- */

static inline void attack_net_of(const attack_patch *p, attack_net *net)
{
  for (int d = 0; d < 2; ++d) {
    net->degree[d] = p->degree[d];
    net->size[d] = p->size[d];
    memcpy(net->knots[d], p->knots[d], (size_t)(p->size[d] + p->degree[d] + 1) * sizeof(double));
  }
  for (int i = 0; i < p->size[0]; ++i)
    for (int j = 0; j < p->size[1]; ++j) {
      const double *c = attack_point(p, i, j);
      attack_net_set(net, i, j, c, (long double)c[3]);
    }
}

/* The part of a net above or below a parameter of u. */
static inline void attack_net_split(attack_net *net, double t, bool above)
{
  int p = net->degree[0], m = 0, often = 0;
  for (int k = 0; k < net->size[0] + p + 1; ++k)
    often += net->knots[0][k] == t;
  attack_net_insert_often(net, t, p - often);
  while (net->knots[0][m] < t)
    ++m;
  int n = net->size[0];
  if (above) {
    memmove(net->h[0], net->h[m - 1], (size_t)(n - m + 1) * sizeof net->h[0]);
    memmove(net->knots[0] + 1, net->knots[0] + m, (size_t)(n + p + 1 - m) * sizeof(double));
    net->knots[0][0] = t;
    net->size[0] = n - m + 1;
  } else {
    net->knots[0][m + p] = t;
    net->size[0] = m;
  }
}

/* The body with one patch as two: up to `first_end` of its u (or v), and from `second_start` on.
 * The second is the last patch. */
static inline void attack_halve(attack_body *body, int k, int d, double first_end,
                                double second_start)
{
  static attack_net net;
  attack_patch old = body->patches[k], half[2];
  double lo = attack_low(&old, d), width = attack_high(&old, d) - lo;
  for (int piece = 0; piece < 2; ++piece) {
    attack_net_of(&old, &net);
    if (d == 1)
      attack_net_transpose(&net);
    attack_net_split(&net, lo + width * (piece ? second_start : first_end), piece == 1);
    if (d == 1)
      attack_net_transpose(&net);
    half[piece] = *attack_add(body, &net);
    half[piece].flip = old.flip;
    --body->count;
  }
  memcpy(half[0].name, old.name, sizeof old.name);
  body->patches[k] = half[0];
  snprintf(half[1].name, sizeof half[1].name, "p%d", body->count);
  body->patches[body->count++] = half[1];
  attack_mark_patch(body, k);
  attack_mark_patch(body, body->count - 1);
}

/* A copy of a patch as one more. */
static inline attack_patch *attack_copy(attack_body *body, int k)
{
  const attack_patch *old = &body->patches[k];
  attack_patch *copy = attack_add_room(body, old->degree, old->size);
  for (int d = 0; d < 2; ++d)
    memcpy(copy->knots[d], old->knots[d],
           (size_t)(old->size[d] + old->degree[d] + 1) * sizeof(double));
  memcpy(copy->points, old->points,
         4 * (size_t)old->size[0] * (size_t)old->size[1] * sizeof(double));
  copy->flip = old->flip;
  attack_mark_patch(body, body->count - 1);
  return copy;
}

/* ---- A body to put a fault into ------------------------------------------------------------ */

/* The solid and the layout that a fault's variant has, with degrees of at least `degree`. */
static inline void attack_choose(attack_body *body, int fault, int variant, int degree,
                                 const char *what, char *name)
{
  int which = (fault + 2 * variant + variant / 4) % ATTACK_LAYOUTS;
  attack_layout layout = attack_layouts[which];
  size_t pick = (size_t)(7 * fault + 3 * variant) % strlen(layout.solids);
  const attack_solid *solid = &attack_solids[layout.solids[pick] - '0'];
  layout.degree = layout.degree < degree ? degree : layout.degree;
  solid->build(body, &layout);
  snprintf(name, 96, "%s: %s, %s", what, solid->name, layout.name);
}

#endif
