/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/math/pose.h"

/* All directions, by branch and bound.
 *
 * The points c = f - h with f in A and h in B make a convex set C; its support h_C(n) is -s(n). For
 * every direction n_i that was looked at, a point c_i of C is known that is farthest along it. A
 * cell is a triangle of directions (in the plane an arc), n = sum l_i n_i with l_i >= 0. With any
 * q = sum m_j c_j, m_j >= 0, sum m_j = 1, which is a point of C too,
 *     h_C(n) >= n.q = sum l_i (n_i.q) >= v sum l_i,      v = min over i of n_i.q,
 * and, n being a unit vector, 1 <= sum l_i <= 1 / r with r the distance of the flat triangle from
 * the origin. The best q is the solution of a small matrix game; any q gives a bound. A cell whose
 * bound is above the smallest h_C found cannot hold anything better. */

/* A cell is done when what it may still hold is this much better (of the size and the distance). */
#define TOLERANCE 1e-10

/* Directions looked at, and cells kept; the numbers are what the stack has to hold. Concentric
 * spheres use up any number of them. */
enum { NODES_MAX = 1200, CELLS_MAX = 1600 };

typedef struct node {
  clp_vec3 n, c;
  uint32_t parents; /* the two nodes it is the middle of */
} node;

typedef struct cell {
  double bound; /* h_C is not below it in the cell */
  uint16_t corner[3];
} cell;

typedef struct search {
  const clp_couple *couple;
  int corners; /* of a cell: 3, or 2 in a plane */
  clp_peak best;
  int node_count, cell_count;
  node nodes[NODES_MAX];
  cell cells[CELLS_MAX]; /* a heap, the smallest bound first */
} search;

/* ---- Nodes -------------------------------------------------------------------------------- */

/* Looks along n; what is better than the best is improved at once. */
static int look_along(search *s, clp_vec3 n, uint32_t parents)
{
  clp_peak peak = clp_peak_along(s->couple, n);
  s->nodes[s->node_count] = (node){n, clp_sub(peak.depth.f, peak.depth.h), parents};
  if (peak.depth.lower > s->best.depth.lower) {
    clp_peak_improve(s->couple, &peak);
    clp_peak_keep(s->couple, &s->best, &peak);
  }
  return s->node_count++;
}

/* The middle of two nodes: cells that share a side share it. -1: no room. */
static int middle_of(search *s, int i, int k)
{
  uint32_t parents = (uint32_t)(i < k ? i << 16 | k : k << 16 | i);
  for (int m = s->node_count - 1; m > i && m > k; --m)
    if (s->nodes[m].parents == parents)
      return m;
  if (s->node_count == NODES_MAX)
    return -1;
  return look_along(s, clp_unit(clp_add(s->nodes[i].n, s->nodes[k].n)), parents);
}

/* ---- Bounds ------------------------------------------------------------------------------- */

typedef struct game {
  int count;
  double m[3][3]; /* n_i . c_j; zero beyond the count */
  double best;
} game;

/* The value of the mixed strategy `weight`, any that is not negative. */
static void play(game *g, const double weight[3])
{
  double sum = weight[0] + weight[1] + weight[2], least = HUGE_VAL;
  if (!(sum > 0))
    return;
  for (int i = 0; i < g->count; ++i) {
    const double *row = g->m[i];
    double value = row[0] * weight[0] + row[1] * weight[1] + row[2] * weight[2];
    least = fmin(least, value / sum);
  }
  g->best = fmax(g->best, least);
}

/* The weights of columns j and k that make rows i and l equal. */
static void play_two(game *g, int j, int k, int i, int l)
{
  double weight[3] = {0, 0, 0};
  double dj = g->m[i][j] - g->m[l][j], dk = g->m[i][k] - g->m[l][k];
  if (dj * dk >= 0)
    return;
  weight[j] = fabs(dk);
  weight[k] = fabs(dj);
  play(g, weight);
}

/* The weights that make all three rows equal, when none is negative. */
static void play_three(game *g)
{
  clp_vec3 a = {g->m[0][0] - g->m[1][0], g->m[0][1] - g->m[1][1], g->m[0][2] - g->m[1][2]};
  clp_vec3 b = {g->m[0][0] - g->m[2][0], g->m[0][1] - g->m[2][1], g->m[0][2] - g->m[2][2]};
  clp_vec3 w = clp_cross(a, b);
  double sign = w.x + w.y + w.z >= 0 ? 1 : -1;
  double weight[3] = {sign * w.x, sign * w.y, sign * w.z};
  if (weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0)
    play(g, weight);
}

static double game_value(game *g)
{
  g->best = -HUGE_VAL;
  for (int j = 0; j < g->count; ++j) {
    double weight[3] = {0, 0, 0};
    weight[j] = 1;
    play(g, weight);
    for (int k = j + 1; k < g->count; ++k)
      for (int i = 0; i < g->count; ++i)
        for (int l = i + 1; l < g->count; ++l)
          play_two(g, j, k, i, l);
  }
  if (g->count == 3)
    play_three(g);
  return g->best;
}

/* The distance of the flat triangle, or chord, from the origin. */
static double flat_distance(const search *s, const cell *c)
{
  clp_vec3 a = s->nodes[c->corner[0]].n, b = s->nodes[c->corner[1]].n;
  if (s->corners == 2)
    return 0.5 * clp_norm(clp_add(a, b));
  clp_vec3 across = clp_cross(clp_sub(b, a), clp_sub(s->nodes[c->corner[2]].n, a));
  return fabs(clp_dot(a, clp_unit(across)));
}

static double bound_of(const search *s, const cell *c)
{
  game g = {.count = s->corners};
  for (int i = 0; i < g.count; ++i)
    for (int j = 0; j < g.count; ++j)
      g.m[i][j] = clp_dot(s->nodes[c->corner[i]].n, s->nodes[c->corner[j]].c);
  double value = game_value(&g);
  return value >= 0 ? value : value / flat_distance(s, c);
}

/* ---- Cells -------------------------------------------------------------------------------- */

static void swap(cell *a, cell *b)
{
  cell kept = *a;
  *a = *b;
  *b = kept;
}

/* False when there is no room. */
static bool push(search *s, cell added)
{
  if (s->cell_count == CELLS_MAX)
    return false;
  int k = s->cell_count++;
  s->cells[k] = added;
  for (; k > 0 && s->cells[k].bound < s->cells[(k - 1) / 2].bound; k = (k - 1) / 2)
    swap(&s->cells[k], &s->cells[(k - 1) / 2]);
  return true;
}

static cell pop(search *s)
{
  cell top = s->cells[0];
  s->cells[0] = s->cells[--s->cell_count];
  for (int k = 0;;) {
    int least = k;
    for (int child = 2 * k + 1; child <= 2 * k + 2; ++child)
      if (child < s->cell_count && s->cells[child].bound < s->cells[least].bound)
        least = child;
    if (least == k)
      return top;
    swap(&s->cells[k], &s->cells[least]);
    k = least;
  }
}

/* The side to halve: the longest. */
static int longest_side(const search *s, const cell *c)
{
  int best = 0;
  double longest = -1;
  for (int k = 0; k < (s->corners == 3 ? 3 : 1); ++k) {
    clp_vec3 a = s->nodes[c->corner[k]].n, b = s->nodes[c->corner[(k + 1) % s->corners]].n;
    double length = clp_norm2(clp_sub(a, b));
    if (length > longest * (1 + 1e-9)) {
      longest = length;
      best = k;
    }
  }
  return best;
}

/* Nothing better than the best by more than the tolerance can be in the cell. */
static bool is_done(const search *s, const cell *c)
{
  double scale = s->couple->size + fabs(s->best.depth.s);
  return c->bound >= -s->best.depth.lower - TOLERANCE * scale;
}

static bool keep(search *s, cell c, double parent)
{
  c.bound = fmax(parent, bound_of(s, &c));
  return is_done(s, &c) || push(s, c);
}

static bool split(search *s, const cell *c)
{
  int side = longest_side(s, c), other = (side + 1) % s->corners;
  int middle = middle_of(s, c->corner[side], c->corner[other]);
  if (middle < 0)
    return false;
  cell left = *c, right = *c;
  left.corner[side] = (uint16_t)middle;
  right.corner[other] = (uint16_t)middle;
  return keep(s, left, c->bound) && keep(s, right, c->bound);
}

/* ---- The search --------------------------------------------------------------------------- */

/* The six axes of a frame and the eight octants between them; in a plane four and four. The frame
 * is turned, so that the faces of boxes, which like axes, do not lie on sides of cells. */
static void start_cells(search *s, clp_vec3 x, clp_vec3 y, clp_vec3 z)
{
  const clp_vec3 axes[6] = {x, y, clp_negate(x), clp_negate(y), z, clp_negate(z)};
  for (int k = 0; k < (s->corners == 3 ? 6 : 4); ++k)
    look_along(s, axes[k], UINT32_MAX);
  for (uint16_t k = 0; k < 4; ++k) {
    uint16_t next = (uint16_t)((k + 1) % 4);
    keep(s, (cell){.corner = {k, next, 4}}, -HUGE_VAL);
    if (s->corners == 3)
      keep(s, (cell){.corner = {k, next, 5}}, -HUGE_VAL);
  }
}

static void start(search *s)
{
  clp_mat3 frame = clp_rotation_from_rpy(0.3, 0.5, 0.7);
  clp_vec3 plane;
  s->corners = 3;
  if (clp_couple_plane(s->couple, &plane)) {
    s->corners = 2;
    clp_vec3 t1, t2;
    clp_tangents(plane, &t1, &t2);
    frame.x = clp_add(clp_scale(0.8, t1), clp_scale(0.6, t2));
    frame.y = clp_cross(plane, frame.x);
  }
  start_cells(s, frame.x, frame.y, frame.z);
}

clp_depth clp_penetration_search(const clp_couple *couple, clp_spots *spots)
{
  search s;
  s.couple = couple;
  s.node_count = s.cell_count = 0;
  s.best = (clp_peak){.depth = {.lower = -HUGE_VAL}};
  clp_vec3 d = clp_center_direction(couple);
  if (clp_norm2(d) > 0)
    look_along(&s, d, UINT32_MAX);
  s.node_count = 0;
  start(&s);
  bool room = true;
  while (room && s.cell_count > 0) {
    cell c = pop(&s);
    if (is_done(&s, &c))
      break;
    room = split(&s, &c);
  }
  clp_peak_improve(couple, &s.best);
  clp_peak_align(couple, &s.best, CLP_ALIGN_QUERY);
  clp_peak_confirm(couple, &s.best, CLP_ALIGN_QUERY);
  s.best.depth.found = true; /* whether it is a maximum of its own or not */
  s.best.depth.global = room;
  s.best.depth.iterations = s.node_count;
  *spots = s.best.spots;
  return s.best.depth;
}
