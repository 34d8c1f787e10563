/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/aids_memory.h"

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/exclusion/cell_chart.h"
#include "rclc_closest_point/exclusion/cell_queue.h"
#include "rclc_closest_point/exclusion/cell_tract.h"
#include "rclc_closest_point/pair/who_meets_whom.h"

/* The two covers of an exclusion, each of so many cells. */
enum { COVERS = 2, CELLS = 16384 };

/* Of an exclusion or a newton apart from its lists. */
enum { FRAME = 16384 };

/* Newton's method keeps at most so many places of a feature, each in two frames, and a ball. */
enum { PLACES = 25 };

/* A chart, its leaf while the tree is made, and two nodes. */
static uint64_t tree(const clp_body *body)
{
  const uint64_t each = sizeof(clp_chart) + 2 * sizeof(clp_tree_node) + sizeof(clp_box3) + 16;
  return each * clp_chart_count(body);
}

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
    bytes += FRAME + tree(a) + tree(b) +
             (uint64_t)COVERS * CELLS * (sizeof(clp_cell_pair) + sizeof(clp_cell_rank));
  if (options->controller == CLP_CONTROLLER_NEWTON)
    bytes +=
        FRAME + records(a, b) + (features(a) + features(b)) * (2 * PLACES + 2) * sizeof(clp_vec3);
  return bytes;
}
