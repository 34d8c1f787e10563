/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/compass.h"

#include <math.h>

#include "rclc_closest_point/math/vec3.h"

/* Vertices for each cell: a way uphill is then an edge or two long. */
#define SHARED 4

/* Of the body's size: what a polyhedron that is convex to its digits leaves between two tops. */
#define AS_HIGH 1e-12

uint32_t clp_compass_grid(uint32_t vertices)
{
  return (uint32_t)ceil(sqrt((double)vertices / (6 * SHARED)));
}

/* The coordinate that says most, and what is left of the others divided by it. */
size_t clp_compass_cell(uint32_t grid, clp_vec3 n)
{
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z), u, v, most;
  size_t side;
  if (x >= y && x >= z) {
    side = n.x > 0 ? 0 : 1;
    most = x;
    u = n.y;
    v = n.z;
  } else if (y >= z) {
    side = n.y > 0 ? 2 : 3;
    most = y;
    u = n.z;
    v = n.x;
  } else {
    side = n.z > 0 ? 4 : 5;
    most = z;
    u = n.x;
    v = n.y;
  }
  if (!(most > 0)) /* no direction at all */
    return 0;
  const double half = 0.5 * grid / most, last = grid - 1;
  const double i = half * (u + most), k = half * (v + most); /* which need not be numbers */
  return (side * grid + (uint32_t)(i < last ? i : last)) * grid + (uint32_t)(k < last ? k : last);
}

/* The middle of a cell, the inverse of the above. */
static clp_vec3 direction_of(uint32_t grid, size_t cell)
{
  size_t side = cell / ((size_t)grid * grid);
  double u = 2 * ((double)(cell / grid % grid) + 0.5) / grid - 1;
  double v = 2 * ((double)(cell % grid) + 0.5) / grid - 1, w = side % 2 == 0 ? 1 : -1;
  if (side < 2)
    return (clp_vec3){w, u, v};
  return side < 4 ? (clp_vec3){v, w, u} : (clp_vec3){u, v, w};
}

static uint32_t uphill(const clp_body *body, uint32_t from, clp_vec3 n)
{
  double highest = clp_dot(n, body->vertices[from].place);
  for (uint32_t at = CLP_NONE; at != from;) {
    const clp_vertex *vertex = &body->vertices[at = from];
    for (uint32_t k = 0; k < vertex->end_count; ++k) {
      uint32_t next = clp_vertex_across(body, body->ends[vertex->first_end + k]);
      double height = clp_dot(n, body->vertices[next].place);
      if (height > highest) {
        highest = height;
        from = next;
      }
    }
  }
  return from;
}

uint32_t clp_compass_farthest(const clp_body *body, clp_vec3 n)
{
  return uphill(body, body->compass.vertex[clp_compass_cell(body->compass.grid, n)], n);
}

/* Along each axis both ways the top is looked for among all. */
static bool leads_to_tops(const clp_body *body)
{
  static const clp_vec3 axes[6] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                   {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  for (int i = 0; i < 6; ++i) {
    double found = clp_dot(axes[i], body->vertices[clp_compass_farthest(body, axes[i])].place);
    for (uint32_t k = 0; k < body->vertex_count; ++k)
      if (clp_dot(axes[i], body->vertices[k].place) > found + AS_HIGH * body->size)
        return false;
  }
  return true;
}

/* Where n edges meet, a look at all of them for each of n directions would take n^2: a tip of a
 * cone is the top of many. It is that of all directions in a round cone within those that no edge
 * is uphill along: sin(angle to the axis) is less than any edge falls along it. */
typedef struct tip {
  uint32_t vertex;
  clp_vec3 axis;
  double cosine; /* of directions in the cone with the axis, at least; 2: there is no cone */
} tip;

enum { MANY_ENDS = 32 };

/* An edge falls by more than rounding along what is in the cone by so much (rad). */
#define WELL_WITHIN 1e-6

static clp_vec3 edge_out_of(const clp_body *body, const clp_vertex *vertex, uint32_t k)
{
  uint32_t other = clp_vertex_across(body, body->ends[vertex->first_end + k]);
  return clp_sub(body->vertices[other].place, vertex->place);
}

static tip tip_at(const clp_body *body, uint32_t index)
{
  const clp_vertex *vertex = &body->vertices[index];
  clp_vec3 sum = {0, 0, 0};
  double highest = -1, rounding = AS_HIGH * (body->size + clp_norm(vertex->place));
  for (uint32_t k = 0; k < vertex->end_count; ++k)
    sum = clp_sub(sum, clp_unit(edge_out_of(body, vertex, k)));
  const clp_vec3 axis = clp_unit(sum);
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_vec3 e = edge_out_of(body, vertex, k);
    bool long_enough = clp_norm(e) * WELL_WITHIN > rounding;
    highest = fmax(highest, long_enough ? clp_dot(axis, clp_unit(e)) : 1);
  }
  bool pointed = highest < 0; /* also where the axis is none */
  return (tip){index, axis, pointed ? sqrt(1 - highest * highest) + WELL_WITHIN : 2};
}

/* A cell's neighbor, which comes before it, is where its way starts. */
bool clp_compass_fill(clp_body *body)
{
  uint32_t at = 0;
  tip last = {.vertex = CLP_NONE};
  for (size_t cell = 0; cell < clp_compass_cells(body->compass.grid); ++cell) {
    clp_vec3 n = direction_of(body->compass.grid, cell);
    bool known = at == last.vertex && clp_dot(last.axis, n) >= last.cosine * clp_norm(n);
    if (!known)
      at = uphill(body, at, n);
    if (at != last.vertex && body->vertices[at].end_count >= MANY_ENDS)
      last = tip_at(body, at);
    body->compass.vertex[cell] = at;
  }
  return leads_to_tops(body);
}
