/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_tract.h"

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/pose.h"

/* Parts of charts that are remembered: as many as a pair has in its cells, usually. */
#define MEMOS 128

/* An odd number without a pattern, for bits that decide which of them. */
#define MIXING 0x9e3779b97f4a7c15u

struct clp_tract_memo {
  clp_tract tract;
  clp_taylor taylor;
};

/* ---- Views -------------------------------------------------------------------------------- */

clp_tract clp_tract_chart(const clp_chart_tree *tree, uint32_t chart)
{
  const clp_chart *c = &tree->charts[chart];
  return (clp_tract){.node = CLP_NONE,
                     .chart = chart,
                     .middle = {0.5 * (c->lo[0] + c->hi[0]), 0.5 * (c->lo[1] + c->hi[1])},
                     .half = {0.5 * (c->hi[0] - c->lo[0]), 0.5 * (c->hi[1] - c->lo[1])}};
}

static clp_taylor box_view(const clp_tree_node *node)
{
  return (clp_taylor){.p = node->center,
                      .half = {{node->half.x, 0, 0}, {0, node->half.y, 0}, {0, 0, node->half.z}},
                      .lengths = clp_norm(node->center)};
}

static double component(const clp_taylor *taylor, clp_vec3 a, int which)
{
  double along = clp_dot(taylor->axis, a);
  return which == 1 ? fabs(along) : clp_norm(clp_add_scaled(a, -along, taylor->axis));
}

/* A second derivative is nowhere longer than in the middle plus what the third ones change it by;
 * where the bound over the whole chart is coarse that is the better one. */
static void set_bounds(clp_taylor *taylor, const clp_chart_bounds *b, const double h[2])
{
  const double third[4] = {h[0] * h[0] * h[0], h[0] * h[0] * h[1], h[0] * h[1] * h[1],
                           h[1] * h[1] * h[1]};
  const double second[3] = {h[0] * h[0], h[0] * h[1], h[1] * h[1]};
  for (int which = 0; which < 2; ++which) {
    double *s = taylor->bounds.second[which], *t = taylor->bounds.third[which];
    for (int k = 0; k < 4; ++k)
      t[k] = b->third[which][k] * third[k];
    for (int k = 0; k < 3; ++k)
      s[k] = clp_min(b->second[which][k] * second[k],
                     component(taylor, taylor->bend[k], which) + t[k] + t[k + 1]);
    taylor->bulge[which] = 0.5 * s[0] + s[1] + 0.5 * s[2];
    taylor->cubic[which] = (t[0] + 3 * t[1] + 3 * t[2] + t[3]) / 6;
  }
  for (int k = 0; k < 3; ++k)
    taylor->second[k] = hypot(taylor->bounds.second[0][k], taylor->bounds.second[1][k]);
}

static clp_taylor part_view(const clp_chart_tree *tree, const clp_tract *tract)
{
  const double middle[2] = {0, 0};
  clp_jet j = clp_tract_jet(tree, tract, middle);
  const clp_chart *chart = &tree->charts[tract->chart];
  clp_taylor taylor = {.p = j.p,
                       .half = {j.u, j.v},
                       .bend = {j.uu, j.uv, j.vv},
                       .axis = chart->axis,
                       .lengths = clp_norm(j.p) + chart->lengths};
  clp_chart_bounds bounds = clp_chart_bound(tree->body, chart, tract->middle[1], tract->half[1]);
  set_bounds(&taylor, &bounds, tract->half);
  return taylor;
}

static bool same_part(const clp_tract *a, const clp_tract *b)
{
  return a->node == b->node && a->chart == b->chart && a->middle[0] == b->middle[0] &&
         a->middle[1] == b->middle[1] && a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

/* Where a part of a chart is remembered. */
static uint32_t memo_of(const clp_tract *tract)
{
  uint64_t bits[4], sum = tract->chart;
  memcpy(bits, tract->middle, sizeof tract->middle);
  memcpy(bits + 2, tract->half, sizeof tract->half);
  for (int k = 0; k < 4; ++k)
    sum = (sum ^ bits[k]) * MIXING;
  return (uint32_t)(sum >> 32) % MEMOS;
}

/* What is known of it, or as much as its derivatives tell. */
static clp_tract_memo *remember(const clp_chart_tree *tree, const clp_tract *tract)
{
  clp_tract_memo *memo = &tree->memos[memo_of(tract)];
  if (!same_part(&memo->tract, tract))
    *memo = (clp_tract_memo){*tract, part_view(tree, tract)};
  return memo;
}

clp_taylor clp_tract_taylor(const clp_chart_tree *tree, const clp_tract *tract)
{
  return clp_tract_is_box(tract) ? box_view(&tree->nodes[tract->node])
                                 : remember(tree, tract)->taylor;
}

const clp_taylor *clp_tract_known(const clp_chart_tree *tree, const clp_tract *part)
{
  return &remember(tree, part)->taylor;
}

static const clp_taylor *hulled(const clp_chart_tree *tree, const clp_tract *part)
{
  clp_tract_memo *memo = remember(tree, part);
  const clp_chart *chart = &tree->charts[part->chart];
  clp_taylor *taylor = &memo->taylor;
  if (!chart->spline || taylor->point_count > 0)
    return taylor;
  clp_vec3 *points = tree->points + (size_t)(memo - tree->memos) * tree->most_points;
  double most = 0;
  taylor->points = points;
  taylor->point_count = clp_chart_hull(tree->body, chart, part->middle, part->half, points);
  for (uint32_t k = 0; k < taylor->point_count; ++k)
    most = clp_max(most, clp_norm2(points[k]));
  taylor->lengths = clp_max(taylor->lengths, sqrt(most) + chart->lengths);
  return taylor;
}

clp_taylor clp_tract_hulled(const clp_chart_tree *tree, const clp_tract *tract)
{
  return clp_tract_is_box(tract) ? clp_tract_taylor(tree, tract) : *hulled(tree, tract);
}

clp_taylor clp_taylor_from(const clp_pose *X, clp_taylor taylor)
{
  taylor.p = clp_transform(*X, taylor.p);
  taylor.lengths += clp_norm(X->position);
  for (int k = 0; k < 3; ++k) {
    taylor.half[k] = clp_rotate(X->rotation, taylor.half[k]);
    taylor.bend[k] = clp_rotate(X->rotation, taylor.bend[k]);
  }
  taylor.axis = clp_rotate(X->rotation, taylor.axis);
  taylor.from = X;
  return taylor;
}

double clp_taylor_hull(const clp_taylor *taylor, clp_vec3 n)
{
  const clp_pose *X = taylor->from;
  clp_vec3 n_B = X ? clp_rotate_back(X->rotation, n) : n;
  double highest = -HUGE_VAL;
  for (uint32_t k = 0; k < taylor->point_count; ++k)
    highest = clp_max(highest, clp_dot(n_B, taylor->points[k]));
  if (taylor->point_count == 0)
    return HUGE_VAL;
  return X ? highest + clp_dot(n, X->position) : highest;
}

double clp_taylor_reach(const clp_taylor *taylor, clp_vec3 n)
{
  return clp_dot(n, taylor->p) + fabs(clp_dot(n, taylor->half[0])) +
         fabs(clp_dot(n, taylor->half[1])) + fabs(clp_dot(n, taylor->half[2]));
}

/* sA + tB + stC is largest in a corner: for A, B >= 0, which is no loss, that is A + B + C when C
 * is positive, and otherwise the larger of A + B + C and |A - B| - C. What it is above A + B: */
static double mixed_rise(double a, double b, double c)
{
  double sense = copysign(c, a * b * c); /* C, with the signs of A and B taken out */
  return sense >= 0 ? sense : clp_max(sense, -sense - 2 * clp_min(fabs(a), fabs(b)));
}

/* The largest sA + s^2 B / 2 for |s| <= 1, less |A|: for B < 0 at s = |A / B| or at the end. */
static double square_rise(double a, double b)
{
  double slope = fabs(a);
  if (slope >= -b)
    return 0.5 * b;
  return -0.5 * slope * slope / b - slope;
}

/* Of a root of what is 1 at most, where next to 1 it counts. */
#define ROOT_ROUNDING 1e-15

/* The second order terms, less the linear ones, by the better one of two bounds: that of the linear
 * and mixed terms plus those of the squares, and that of the linear terms and squares plus that of
 * the mixed one. The part of n across the axis gets a little more than the root gives, for
 * rounding. */
double clp_taylor_rise(const clp_taylor *taylor, clp_vec3 n)
{
  double a = clp_dot(n, taylor->half[0]), b = clp_dot(n, taylor->half[1]);
  double aa = clp_dot(n, taylor->bend[0]), ab = clp_dot(n, taylor->bend[1]);
  double bb = clp_dot(n, taylor->bend[2]);
  double mixed_first = mixed_rise(a, b, ab) + 0.5 * (clp_max(0, aa) + clp_max(0, bb));
  double mixed_last = square_rise(a, aa) + square_rise(b, bb) + fabs(ab);
  double along = fabs(clp_dot(n, taylor->axis));
  double across = sqrt(clp_max(0, 1 - along * along)) + ROOT_ROUNDING;
  return clp_min(
      clp_min(mixed_first, mixed_last) + across * taylor->cubic[0] + along * taylor->cubic[1],
      across * taylor->bulge[0] + along * taylor->bulge[1]);
}

clp_vec3 clp_taylor_place(const clp_taylor *taylor, const double x[2])
{
  clp_vec3 u = clp_add_scaled(taylor->half[0], 0.5 * x[0], taylor->bend[0]);
  clp_vec3 v = clp_add_scaled(taylor->half[1], 0.5 * x[1], taylor->bend[2]);
  clp_vec3 p = clp_add_scaled(clp_add_scaled(taylor->p, x[0], u), x[1], v);
  return clp_add_scaled(p, x[0] * x[1], taylor->bend[1]);
}

static double support(const clp_taylor *taylor, clp_vec3 n)
{
  return clp_taylor_reach(taylor, n) + clp_taylor_rise(taylor, n);
}

double clp_taylor_radius(const clp_taylor *taylor)
{
  return clp_norm(taylor->half[0]) + clp_norm(taylor->half[1]) + clp_norm(taylor->half[2]) +
         hypot(taylor->bulge[0], taylor->bulge[1]) + CLP_ROUNDING * taylor->lengths;
}

/* ---- Parts -------------------------------------------------------------------------------- */

bool clp_tract_is_beyond(const clp_chart_tree *tree, const clp_tract *tract, clp_vec3 p,
                         double distance)
{
  clp_taylor taylor = clp_tract_taylor(tree, tract);
  return clp_distance(taylor.p, p) > clp_taylor_radius(&taylor) + distance;
}

clp_jet clp_tract_jet(const clp_chart_tree *tree, const clp_tract *tract, const double x[2])
{
  const double *h = tract->half;
  clp_jet j = clp_chart_jet(tree->body, &tree->charts[tract->chart], tract->middle[0] + x[0] * h[0],
                            tract->middle[1] + x[1] * h[1]);
  return (clp_jet){.p = j.p,
                   .u = clp_scale(h[0], j.u),
                   .v = clp_scale(h[1], j.v),
                   .uu = clp_scale(h[0] * h[0], j.uu),
                   .uv = clp_scale(h[0] * h[1], j.uv),
                   .vv = clp_scale(h[1] * h[1], j.vv)};
}

clp_spot clp_tract_spot(const clp_chart_tree *tree, const clp_tract *tract, const double x[2])
{
  const clp_chart *chart = &tree->charts[tract->chart];
  double at[2];
  for (int k = 0; k < 2; ++k)
    at[k] = clp_max(chart->lo[k], clp_min(chart->hi[k], tract->middle[k] + x[k] * tract->half[k]));
  return clp_chart_spot(tree->body, chart, at[0], at[1]);
}

static clp_tract tract_of_node(const clp_chart_tree *tree, uint32_t node)
{
  if (tree->nodes[node].child[0] == CLP_NONE)
    return clp_tract_chart(tree, tree->nodes[node].chart);
  return (clp_tract){.node = node};
}

clp_tract clp_tract_root(const clp_chart_tree *tree)
{
  return tract_of_node(tree, 0);
}

void clp_tract_split(const clp_chart_tree *tree, const clp_tract *tract, int axis,
                     clp_tract parts[2])
{
  for (int k = 0; k < 2; ++k) {
    if (clp_tract_is_box(tract)) {
      parts[k] = tract_of_node(tree, tree->nodes[tract->node].child[k]);
      continue;
    }
    parts[k] = *tract;
    parts[k].half[axis] = 0.5 * tract->half[axis];
    parts[k].middle[axis] += k == 0 ? -parts[k].half[axis] : parts[k].half[axis];
  }
}

/* ---- The tree ----------------------------------------------------------------------------- */

typedef struct leaf {
  clp_box3 box;
  uint32_t chart;
  double key; /* what leaves are sorted by */
} leaf;

/* Its rounding is in the box, and not in that of what is said of boxes. */
static clp_box3 chart_box(const clp_chart_tree *tree, uint32_t chart)
{
  clp_tract tract = clp_tract_chart(tree, chart);
  clp_taylor taylor = clp_tract_taylor(tree, &tract);
  double off = CLP_ROUNDING * taylor.lengths;
  clp_box3 box;
  box.max.x = off + support(&taylor, (clp_vec3){1, 0, 0});
  box.max.y = off + support(&taylor, (clp_vec3){0, 1, 0});
  box.max.z = off + support(&taylor, (clp_vec3){0, 0, 1});
  box.min.x = 0 - (off + support(&taylor, (clp_vec3){-1, 0, 0}));
  box.min.y = 0 - (off + support(&taylor, (clp_vec3){0, -1, 0}));
  box.min.z = 0 - (off + support(&taylor, (clp_vec3){0, 0, -1}));
  return box;
}

static clp_box3 box_of(const leaf *leaves, uint32_t count)
{
  clp_box3 all = leaves[0].box;
  for (uint32_t k = 1; k < count; ++k) {
    const clp_box3 *box = &leaves[k].box;
    all.min = (clp_vec3){clp_min(all.min.x, box->min.x), clp_min(all.min.y, box->min.y),
                         clp_min(all.min.z, box->min.z)};
    all.max = (clp_vec3){clp_max(all.max.x, box->max.x), clp_max(all.max.y, box->max.y),
                         clp_max(all.max.z, box->max.z)};
  }
  return all;
}

static int compare_leaves(const void *left, const void *right)
{
  const leaf *a = left, *b = right;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->chart < b->chart ? -1 : a->chart > b->chart;
}

/* By the middles' places along the box's longest side. */
static void sort_leaves(leaf *leaves, uint32_t count, clp_vec3 half)
{
  for (uint32_t k = 0; k < count; ++k) {
    clp_vec3 middle = clp_add(leaves[k].box.min, leaves[k].box.max);
    if (half.x >= half.y && half.x >= half.z)
      leaves[k].key = middle.x;
    else
      leaves[k].key = half.y >= half.z ? middle.y : middle.z;
  }
  qsort(leaves, count, sizeof *leaves, compare_leaves);
}

/* Numbers the nodes depth first; returns the number of this one. Halving makes the depth the
 * logarithm of the count. */
static uint32_t build(clp_chart_tree *tree, leaf *leaves, uint32_t count, uint32_t *used)
{
  clp_box3 box = box_of(leaves, count);
  uint32_t number = (*used)++;
  clp_tree_node *node = &tree->nodes[number];
  *node = (clp_tree_node){.center = clp_lerp(box.min, box.max, 0.5),
                          .half = clp_scale(0.5, clp_sub(box.max, box.min)),
                          .child = {CLP_NONE, CLP_NONE},
                          .chart = leaves[0].chart};
  if (count > 1) {
    sort_leaves(leaves, count, node->half);
    node->child[0] = build(tree, leaves, count / 2, used);
    node->child[1] = build(tree, leaves + count / 2, count - count / 2, used);
  }
  return number;
}

/* Of one span. */
static uint32_t most_points(const clp_body *body)
{
  uint32_t most = 0;
  for (uint32_t k = 0; k < body->face_count; ++k) {
    const clp_nurbs *nurbs = clp_surface_spline(&body->faces[k].surface);
    uint32_t points = nurbs ? (uint32_t)((nurbs->degree_u + 1) * (nurbs->degree_v + 1)) : 0;
    most = points > most ? points : most;
  }
  return most;
}

uint64_t clp_chart_tree_memory(const clp_body *body)
{
  const uint64_t each = sizeof(clp_chart) + 2 * sizeof(clp_tree_node) + sizeof(leaf);
  return each * clp_chart_count(body) +
         MEMOS * (sizeof(clp_tract_memo) + most_points(body) * sizeof(clp_vec3));
}

bool clp_chart_tree_create(const clp_body *body, clp_chart_tree *tree)
{
  clp_chart_tree made = {.body = body, .count = clp_chart_count(body)};
  made.charts = calloc(made.count, sizeof *made.charts);
  made.nodes = calloc(2 * (size_t)made.count, sizeof *made.nodes);
  made.memos = calloc(MEMOS, sizeof *made.memos);
  made.most_points = most_points(body);
  made.points = calloc((size_t)MEMOS * made.most_points + 1, sizeof *made.points);
  leaf *leaves = calloc(made.count, sizeof *leaves);
  bool good = made.charts && made.nodes && made.memos && made.points && leaves;
  if (good) {
    uint32_t used = 0;
    clp_chart_cover(body, made.charts);
    for (uint32_t k = 0; k < made.count; ++k)
      leaves[k] = (leaf){.box = chart_box(&made, k), .chart = k};
    build(&made, leaves, made.count, &used);
    *tree = made;
  } else {
    clp_chart_tree_destroy(&made);
  }
  free(leaves);
  return good;
}

void clp_chart_tree_destroy(clp_chart_tree *tree)
{
  free(tree->charts);
  free(tree->nodes);
  free(tree->memos);
  free(tree->points);
  *tree = (clp_chart_tree){0};
}
