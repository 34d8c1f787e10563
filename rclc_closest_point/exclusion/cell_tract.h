/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_TRACT_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_TRACT_H

#include "rclc_closest_point/exclusion/cell_chart.h"

/* Tracts: the pieces of a body's surface that a branch and bound looks at and divides. Down to the
 * charts a tract is a node of a tree of boxes; below, a part of one chart. */

typedef struct clp_tree_node {
  clp_vec3 center, half;
  uint32_t child[2]; /* CLP_NONE in a leaf ... */
  uint32_t chart;    /* ... which is this chart */
} clp_tree_node;

typedef struct clp_tract {
  uint32_t node; /* CLP_NONE: a part of a chart */
  uint32_t chart;
  double middle[2], half[2]; /* of the part, in the chart's parameters */
} clp_tract;

typedef struct clp_tract_memo clp_tract_memo;

typedef struct clp_chart_tree {
  const clp_body *body;
  clp_chart *charts;
  clp_tree_node *nodes; /* the root first */
  uint32_t count;       /* of charts */
  clp_tract_memo
      *memos;       /* what was found of some tracts, each at the place that its bits say ... */
  clp_vec3 *points; /* ... and for each of them room for so many control points */
  uint32_t most_points;
} clp_chart_tree;

/* Allocates the tree's arrays; false, and nothing to destroy, when there is no memory. */
bool clp_chart_tree_create(const clp_body *body, clp_chart_tree *tree);
void clp_chart_tree_destroy(clp_chart_tree *tree);

/* Bytes that such a tree takes. */
uint64_t clp_chart_tree_memory(const clp_body *body);

clp_tract clp_tract_root(const clp_chart_tree *tree);
clp_tract clp_tract_chart(const clp_chart_tree *tree, uint32_t chart);

static inline bool clp_tract_is_box(const clp_tract *tract)
{
  return tract->node != CLP_NONE;
}

/* The two halves: children in the tree, or along the parameter `axis` of a chart's part. */
void clp_tract_split(const clp_chart_tree *tree, const clp_tract *tract, int axis,
                     clp_tract parts[2]);

/* What can be said of a tract's points to third order. With s and t from -1 to 1 across it, a
 * chart's part is
 *     p + s half[0] + t half[1] + (s^2 bend[0] + 2 s t bend[1] + t^2 bend[2]) / 2 + rest,
 * where the rest is no longer than `cubic`, and the second order with the rest than `bulge`, both
 * across [0] and along [1] the axis. A box is p +- half[0] +- half[1] +- half[2] and nothing else.
 * Derivatives are taken with respect to s and t. */
typedef struct clp_taylor {
  clp_vec3 p;
  clp_vec3 half[3];
  clp_vec3 bend[3];
  clp_vec3 axis;
  clp_chart_bounds bounds;
  double second[3]; /* bounds of the second derivatives' lengths */
  double bulge[2], cubic[2];
  double lengths; /* those p was summed from: what rounding is relative to, p may be short */
  const clp_vec3
      *points; /* a spline's part is in their convex hull: in the body's frame, and ... */
  uint32_t point_count;
  const clp_pose *from; /* ... this is where they are; NULL: the taylor is in that frame, too */
} clp_taylor;

/* In the body's frame, and without control points or with them, good until the next one of this
 * tree is asked for; and the same seen from another frame, as long as the pose stays where it is.
 */
clp_taylor clp_tract_taylor(const clp_chart_tree *tree, const clp_tract *tract);
clp_taylor clp_tract_hulled(const clp_chart_tree *tree, const clp_tract *tract);
clp_taylor clp_taylor_from(const clp_pose *X, clp_taylor taylor);

/* Of a chart's part where it is kept, which is until the next one of this tree is asked for: with
 * control points if these have been asked for. */
const clp_taylor *clp_tract_known(const clp_chart_tree *tree, const clp_tract *part);

/* n.x over the tract is at most the sum of these, n a unit vector: what the point and the
 * half-widths contribute, and what the second order and the rest do (which may be negative). */
double clp_taylor_reach(const clp_taylor *taylor, clp_vec3 n);
double clp_taylor_rise(const clp_taylor *taylor, clp_vec3 n);

/* The same by control points; infinite where there are none. */
double clp_taylor_hull(const clp_taylor *taylor, clp_vec3 n);

/* The place at x, each from -1 to 1, to second order. */
clp_vec3 clp_taylor_place(const clp_taylor *taylor, const double x[2]);

/* No point of the tract is farther from its middle, as both are computed. */
double clp_taylor_radius(const clp_taylor *taylor);

/* Whether all points of the tract are farther than that from p. */
bool clp_tract_is_beyond(const clp_chart_tree *tree, const clp_tract *tract, clp_vec3 p,
                         double distance);

/* The derivatives with respect to s and t at one point of a chart's part. */
clp_jet clp_tract_jet(const clp_chart_tree *tree, const clp_tract *tract, const double x[2]);
clp_spot clp_tract_spot(const clp_chart_tree *tree, const clp_tract *tract, const double x[2]);

#endif
