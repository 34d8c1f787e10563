/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/mend_polyhedron.h"

#include <stdlib.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/place_index.h"
#include "rclc_closest_point/hull/enclosure.h"
#include "rclc_closest_point/math/vec3.h"

typedef struct mending {
  const clp_polyhedron_def *def;
  clp_arena *arena;
  clp_vec3 *points; /* the vertices */
  uint32_t *number; /* by vertex: those at one place have the same */
  double size, deepest;
  clp_hull hull;
} mending;

/* ---- Closed? ------------------------------------------------------------------------------ */

typedef struct directed_edge {
  uint32_t low, high;
  int sense;
} directed_edge;

static int by_ends(const void *a, const void *b)
{
  const directed_edge *x = a, *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return x->high < y->high ? -1 : x->high > y->high;
}

static size_t corner_count(const clp_polyhedron_def *def)
{
  size_t count = 0;
  for (int f = 0; f < def->face_count; ++f) {
    if (def->face_sizes[f] < 3)
      return 0;
    count += (size_t)def->face_sizes[f];
  }
  return count;
}

static bool indices_valid(const clp_polyhedron_def *def, size_t corners)
{
  for (size_t k = 0; k < corners; ++k)
    if (def->faces[k] < 0 || def->faces[k] >= def->vertex_count)
      return false;
  return corners > 0;
}

/* Every edge is there once in each direction, seen from the places of its ends. */
static bool is_closed(mending *m, size_t corners)
{
  directed_edge *edges = clp_arena_take(m->arena, corners, sizeof *edges);
  size_t used = 0;
  const int *corner = m->def->faces;
  for (int f = 0; edges && f < m->def->face_count; corner += m->def->face_sizes[f++])
    for (int k = 0; k < m->def->face_sizes[f]; ++k) {
      uint32_t a = m->number[corner[k]], b = m->number[corner[(k + 1) % m->def->face_sizes[f]]];
      if (a != b)
        edges[used++] = a < b ? (directed_edge){a, b, 1} : (directed_edge){b, a, -1};
    }
  if (!edges || used % 2)
    return false;
  qsort(edges, used, sizeof *edges, by_ends);
  for (size_t k = 0; k < used; k += 2)
    if (by_ends(&edges[k], &edges[k + 1]) != 0 || edges[k].sense + edges[k + 1].sense != 0 ||
        (k + 2 < used && by_ends(&edges[k], &edges[k + 2]) == 0))
      return false;
  return used > 0;
}

/* ---- Convex but for digits? --------------------------------------------------------------- */

/* How deep a place is in the hull, at most. */
static double depth_of(const mending *m, clp_vec3 place)
{
  double least = HUGE_VAL;
  for (size_t f = 0; f < m->hull.facet_count && least > m->deepest; ++f) {
    double depth = m->hull.facets[f].offset - clp_dot(m->hull.facets[f].normal, place);
    least = depth < least ? depth : least;
  }
  return least;
}

/* A face that is bent by more than digits is no polygon, whatever its triangles are. */
static bool is_flat(const mending *m, const int *corner, int count)
{
  clp_vec3 sum = {0, 0, 0}, from = m->points[corner[0]];
  for (int k = 1; k + 1 < count; ++k)
    sum = clp_add(sum, clp_cross(clp_sub(m->points[corner[k]], from),
                                 clp_sub(m->points[corner[k + 1]], from)));
  clp_vec3 normal = clp_unit(sum);
  double lo = 0, hi = 0;
  for (int k = 1; k < count; ++k) {
    double height = clp_dot(normal, clp_sub(m->points[corner[k]], from));
    lo = fmin(lo, height);
    hi = fmax(hi, height);
  }
  return hi - lo <= m->deepest;
}

/* The depth is a concave function, and small at the corners of a triangle: if it is small at the
 * middle it is nowhere more than three times as large. So the triangles of all faces lie along the
 * hull; that they go round it once, and outwards, is seen in their volume. */
static bool lies_along_hull(const mending *m)
{
  double volume = 0;
  const int *corner = m->def->faces;
  for (int f = 0; f < m->def->face_count; corner += m->def->face_sizes[f++]) {
    clp_vec3 a = m->points[corner[0]];
    if (!is_flat(m, corner, m->def->face_sizes[f]))
      return false;
    for (int k = 1; k + 1 < m->def->face_sizes[f]; ++k) {
      clp_vec3 b = m->points[corner[k]], c = m->points[corner[k + 1]];
      clp_vec3 from = m->points[0];
      volume += clp_dot(clp_sub(a, from), clp_cross(clp_sub(b, from), clp_sub(c, from))) / 6;
      if (depth_of(m, clp_scale(1.0 / 3, clp_add(a, clp_add(b, c)))) > m->deepest)
        return false;
    }
  }
  for (int k = 0; k < m->def->vertex_count; ++k)
    if (depth_of(m, m->points[k]) > m->deepest)
      return false;
  return fabs(volume - m->hull.volume) <= 4 * m->deepest * m->hull.area;
}

static bool number_places(mending *m)
{
  size_t count = (size_t)m->def->vertex_count;
  clp_place_index index;
  m->number = clp_arena_take(m->arena, count, sizeof *m->number);
  if (!m->number ||
      !clp_place_index_init(&index, m->arena, CLP_TOLERANCE_MATCH * m->size, m->points[0], count))
    return false;
  for (size_t k = 0; k < count; ++k) {
    m->number[k] = clp_place_number(&index, m->points[k]);
    if (m->number[k] == UINT32_MAX)
      return false;
  }
  return true;
}

static bool take_points(mending *m)
{
  clp_vec3 lo = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  m->points = clp_arena_take(m->arena, (size_t)m->def->vertex_count, sizeof *m->points);
  if (!m->points)
    return false;
  for (int k = 0; k < m->def->vertex_count; ++k) {
    const double *v = m->def->vertices + 3 * (size_t)k;
    clp_vec3 p = m->points[k] = (clp_vec3){v[0], v[1], v[2]};
    if (!(clp_norm(p) < CLP_LARGEST_COORDINATE))
      return false;
    lo = (clp_vec3){fmin(lo.x, p.x), fmin(lo.y, p.y), fmin(lo.z, p.z)};
    hi = (clp_vec3){fmax(hi.x, p.x), fmax(hi.y, p.y), fmax(hi.z, p.z)};
  }
  m->size = clp_distance(lo, hi);
  m->deepest = CLP_TOLERANCE_MEND * m->size;
  return m->size > CLP_SMALLEST_SIZE;
}

/* Of the size: what moves of planes away from corners come to (polytope.c), and a few times as much
 * where they meet. What is larger than that is another body: a needle has no room for the faces at
 * its ends. */
#define FARTHEST_OUT (64 * CLP_ENCLOSURE_APART)

bool clp_mend_polyhedron(const clp_polyhedron_def *def, clp_arena *arena, clp_mended *mended)
{
  mending m = {.def = def, .arena = arena};
  if (def->vertex_count < 4 || def->vertex_count > CLP_MAX_CONTROL_POINTS || def->face_count < 4 ||
      def->face_count > CLP_MAX_CONTROL_POINTS)
    return false;
  size_t corners = corner_count(def), count = (size_t)def->vertex_count;
  clp_polytope polytope;
  return indices_valid(def, corners) && take_points(&m) && number_places(&m) &&
         is_closed(&m, corners) &&
         clp_hull_make(m.points, count, arena, &m.hull) == CLP_HULL_SOLID && lies_along_hull(&m) &&
         clp_enclosure_of_hull(m.points, count, &m.hull, arena, &polytope, &mended->outwards) &&
         mended->outwards <= FARTHEST_OUT * m.size &&
         clp_polytope_define(&polytope, &mended->polyhedron);
}
