/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/pair_cost.h"

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/exclusion/cell_queue.h"
#include "rclc_closest_point/exclusion/cell_tract.h"
#include "rclc_closest_point/pair/who_meets_whom.h"

/* The two covers of an exclusion, each of so many cells. */
enum { COVERS = 2, CELLS = 16384 };

/* Of an exclusion or a newton apart from its lists. */
enum { FRAME = 32768 };

/* Newton's method keeps at most so many places of a feature, each in two frames, and a ball. */
enum { PLACES = 25 };

static uint64_t features(const clp_body *body)
{
  return (uint64_t)body->face_count + body->edge_count + body->vertex_count + 1;
}

/* And for each pair of features where the last search ended, and when. */
static uint64_t records(const clp_body *a, const clp_body *b)
{
  return (2 * sizeof(clp_site) + 16) * features(a) * features(b);
}

uint64_t clp_memory_of_aids(const clp_body *a, const clp_body *b, const clp_pair_options *options)
{
  uint64_t bytes = 0;
  if (!clp_way_of(a, b)->planes)
    bytes += FRAME + clp_chart_tree_memory(a) + clp_chart_tree_memory(b) +
             (uint64_t)COVERS * CELLS * (sizeof(clp_cell_pair) + sizeof(clp_cell_rank));
  if (options->controller == CLP_CONTROLLER_NEWTON)
    bytes +=
        FRAME + records(a, b) + (features(a) + features(b)) * (2 * PLACES + 2) * sizeof(clp_vec3);
  return bytes;
}

/* Of overlapping bodies that are asked: some five hundred supports of each, which take so long for
 * every place that they look at (s); measured on the worst of 60 poses of bodies of revolution and
 * of pyramids of 300 to 3,000 faces. */
#define PLACE_TIME 30e-6

/* For each control point of a chart, for each chart, and once more for it in a tree of so many (s);
 * measured on patches of degrees 1 to 9. */
#define POINT_TIME 0.15e-6
#define CHART_TIME 3e-6

static double seconds_of_tree(const clp_body *body)
{
  return POINT_TIME * (double)clp_chart_points(body) + CHART_TIME * clp_chart_count(body);
}

double clp_seconds_of_pair(const clp_body *a, const clp_body *b)
{
  if (clp_way_of(a, b)->planes)
    return PLACE_TIME * (double)(clp_support_places(a) + clp_support_places(b));
  return seconds_of_tree(a) + seconds_of_tree(b);
}
