/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/hull/enclosure.h"

#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

#define NONE (-1)

/* What is thinner than this many shortest edges is made so thick, for a body has a volume. */
#define LEAST_THICKNESS 64.0

typedef struct enclosing {
  const clp_vec3 *points;
  size_t count;
  clp_enclosure_wish wish;
  clp_polytope *polytope;
  const clp_hull *hull;
  double outwards; /* of every plane from the farthest point (m) */
  bool *used;      /* by facet */
  /* By vertex: how far it is beyond the facet that it is farthest beyond. */
  double *excess;
  int *facet;
  size_t known, excess_capacity, facet_capacity;
} enclosing;

static clp_box3 box_of(const clp_vec3 *points, size_t count)
{
  clp_box3 box = {points[0], points[0]};
  for (size_t k = 1; k < count; ++k) {
    clp_vec3 p = points[k];
    box.min = (clp_vec3){fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z)};
    box.max = (clp_vec3){fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z)};
  }
  return box;
}

/* A vertex is a rounded combination of two others, so it is off its planes by some 2^-52 of the
 * coordinates; a face as small as the shortest edge carries that, 2^16 times as large, to the other
 * end of the body. Four times as much. */
double clp_enclosure_rounding(clp_box3 box)
{
  double largest =
      fmax(fmax(fmax(fabs(box.min.x), fabs(box.max.x)), fmax(fabs(box.min.y), fabs(box.max.y))),
           fmax(fabs(box.min.z), fabs(box.max.z)));
  return ldexp(fmax(largest, clp_distance(box.min, box.max)), -34);
}

static double support(const clp_vec3 *points, size_t count, clp_vec3 direction)
{
  double most = -HUGE_VAL;
  for (size_t k = 0; k < count; ++k) {
    double here = clp_dot(direction, points[k]);
    most = here > most ? here : most;
  }
  return most;
}

/* ---- The next plane ----------------------------------------------------------------------- */

static void judge(enclosing *e, size_t vertex)
{
  clp_vec3 place = e->polytope->vertices[vertex].place;
  double most = -HUGE_VAL;
  int facet = NONE;
  for (size_t f = 0; f < e->hull->facet_count; ++f) {
    double beyond = clp_dot(e->hull->facets[f].normal, place) - e->hull->facets[f].offset;
    if (beyond > most && !e->used[f]) {
      most = beyond;
      facet = (int)f;
    }
  }
  e->excess[vertex] = most;
  e->facet[vertex] = facet;
}

static bool judge_fresh(enclosing *e)
{
  while (e->known < e->polytope->vertex_count) {
    size_t size = sizeof *e->excess;
    double *excess =
        clp_arena_grow(e->polytope->arena, e->excess, e->known, &e->excess_capacity, size);
    int *facet = clp_arena_grow(e->polytope->arena, e->facet, e->known, &e->facet_capacity,
                                sizeof *e->facet);
    if (!excess || !facet)
      return false;
    e->excess = excess;
    e->facet = facet;
    judge(e, e->known++);
  }
  return true;
}

/* The facet that the farthest vertex is farthest beyond; NONE: all are close enough. */
static int worst_facet(enclosing *e)
{
  for (;;) {
    int worst = NONE;
    for (size_t v = 0; v < e->known; ++v)
      if (e->polytope->vertices[v].face[0] != NONE && e->facet[v] != NONE &&
          e->excess[v] > e->outwards + e->wish.close &&
          (worst == NONE || e->excess[v] > e->excess[worst]))
        worst = (int)v;
    if (worst == NONE || !e->used[e->facet[worst]])
      return worst == NONE ? NONE : e->facet[worst];
    judge(e, (size_t)worst);
  }
}

static size_t faces_left(const clp_polytope *p)
{
  size_t count = 0;
  for (size_t f = 0; f < p->face_count; ++f)
    count += p->faces[f].vertex != NONE;
  return count;
}

static bool carve(enclosing *e)
{
  size_t most = e->wish.most_faces;
  while (faces_left(e->polytope) < most) {
    if (!judge_fresh(e))
      return false;
    int facet = worst_facet(e);
    if (facet == NONE)
      return true;
    e->used[facet] = true;
    clp_vec3 normal = e->hull->facets[facet].normal;
    double offset = support(e->points, e->count, normal) + e->outwards;
    if (clp_polytope_cut(e->polytope, normal, offset) == CLP_CUT_NO_MEMORY)
      return false;
  }
  return true;
}

/* ---- Points without a volume -------------------------------------------------------------- */

/* Each point becomes the six corners of an octahedron about it. */
static clp_vec3 *fatten(const clp_vec3 *points, size_t count, double by, clp_arena *arena)
{
  clp_vec3 *fat = clp_arena_take(arena, 6 * count, sizeof *fat);
  for (size_t k = 0; fat && k < count; ++k)
    for (int c = 0; c < 6; ++c) {
      double step = c & 1 ? by : -by;
      fat[6 * k + (size_t)c] =
          clp_add(points[k],
                  (clp_vec3){c / 2 == 0 ? step : 0, c / 2 == 1 ? step : 0, c / 2 == 2 ? step : 0});
    }
  return fat;
}

/* Thin is what its largest facet times the least thickness would not fill. */
static bool is_thin(const clp_hull *hull, double thickness)
{
  double largest = 0;
  for (size_t f = 0; f < hull->facet_count; ++f)
    largest = fmax(largest, hull->facets[f].area);
  return hull->volume < 0.5 * thickness * largest;
}

static clp_box3 widened(clp_box3 box, double by)
{
  clp_vec3 d = {by, by, by};
  return (clp_box3){clp_sub(box.min, d), clp_add(box.max, d)};
}

bool clp_enclosure_make(const clp_vec3 *points, size_t count, clp_enclosure_wish wish,
                        clp_arena *arena, clp_polytope *polytope)
{
  clp_hull hull;
  clp_box3 box = box_of(points, count);
  double size = clp_distance(box.min, box.max), apart = CLP_ENCLOSURE_APART * size;
  clp_hull_outcome outcome = clp_hull_make(points, count, arena, &hull);
  if (outcome == CLP_HULL_FLAT ||
      (outcome == CLP_HULL_SOLID && is_thin(&hull, LEAST_THICKNESS * apart))) {
    points = fatten(points, count, LEAST_THICKNESS / 2 * apart, arena);
    count *= 6;
    outcome = points ? clp_hull_make(points, count, arena, &hull) : CLP_HULL_NO_MEMORY;
    box = points ? box_of(points, count) : box;
  }
  if (outcome != CLP_HULL_SOLID)
    return false;
  enclosing e = {.points = points, .count = count, .wish = wish, .polytope = polytope};
  e.hull = &hull;
  e.outwards = wish.margin + clp_enclosure_rounding(box);
  e.used = clp_arena_take(arena, hull.facet_count, sizeof *e.used);
  return e.used && clp_polytope_begin(polytope, arena, widened(box, e.outwards), apart) &&
         carve(&e);
}

/* ---- Cores -------------------------------------------------------------------------------- */

/* The planes, and the box that the vertices fill. */
static bool planes_of(const clp_polytope *polytope, clp_arena *arena, clp_planes *planes,
                      clp_box3 *box)
{
  size_t count = 0;
  clp_polyhedron_def def;
  if (!clp_planes_begin(planes, faces_left(polytope), arena) ||
      !clp_polytope_define(polytope, &def))
    return false;
  for (size_t f = 0; f < polytope->face_count; ++f) {
    const clp_polytope_face *face = &polytope->faces[f];
    if (face->vertex == NONE)
      continue;
    planes->normals[count] = face->normal;
    planes->offsets[count++] = face->offset;
  }
  clp_vec3 *places = clp_arena_take(arena, (size_t)def.vertex_count, sizeof *places);
  for (int v = 0; places && v < def.vertex_count; ++v) {
    const double *x = def.vertices + 3 * (size_t)v;
    places[v] = (clp_vec3){x[0], x[1], x[2]};
    planes->middle = clp_add_scaled(planes->middle, 1.0 / def.vertex_count, places[v]);
  }
  if (places)
    *box = box_of(places, (size_t)def.vertex_count);
  return places != NULL;
}

bool clp_enclosure_core(const clp_polytope *enclosure, const clp_vec3 *points, size_t count,
                        double radius, clp_arena *arena, clp_polytope *core)
{
  clp_planes planes;
  clp_box3 box;
  if (!planes_of(enclosure, arena, &planes, &box))
    return false;
  double out = clp_enclosure_rounding(box);
  if (!clp_planes_inset(&planes, points, count, fmax(radius - 2 * out, 0), arena) ||
      !clp_polytope_begin(core, arena, widened(box, out), enclosure->apart))
    return false;
  for (size_t k = 0; k < planes.count; ++k)
    if (clp_polytope_cut(core, planes.normals[k], planes.offsets[k] + out) == CLP_CUT_NO_MEMORY)
      return false;
  return true;
}

/* ---- All facets --------------------------------------------------------------------------- */

static int larger_first(const void *a, const void *b)
{
  double x = ((const clp_hull_facet *)a)->area, y = ((const clp_hull_facet *)b)->area;
  return (x < y) - (x > y);
}

/* How far a face that is left is from the farthest point: the box's own are, too, where nothing cut
 * them off. */
static double farthest_face(const clp_polytope *p, const clp_vec3 *points, size_t count)
{
  double most = 0;
  for (size_t f = 0; f < p->face_count; ++f)
    if (p->faces[f].vertex != NONE)
      most = fmax(most, p->faces[f].offset - support(points, count, p->faces[f].normal));
  return most;
}

static double to_nearest(const clp_vec3 *points, size_t count, clp_vec3 place)
{
  double least2 = HUGE_VAL;
  for (size_t k = 0; k < count; ++k)
    least2 = fmin(least2, clp_norm2(clp_sub(points[k], place)));
  return sqrt(least2);
}

/* Corners stick out farther than the planes do, by much where these meet at a small angle, or where
 * a facet was left out because there is no room for a face. Most are next to a point; others are as
 * far from the points' hull as from that of the rounded points, but for the rounding. */
static double farthest_corner(const clp_polytope *p, const clp_planes *rounded, double rounding,
                              const clp_vec3 *points, size_t count)
{
  double most = farthest_face(p, points, count);
  for (size_t v = 0; v < p->vertex_count; ++v) {
    clp_vec3 place = p->vertices[v].place;
    if (p->vertices[v].face[0] == NONE)
      continue;
    double near = to_nearest(points, count, place);
    if (near > most)
      most = fmax(most, fmin(near, clp_planes_nearest(rounded, place).distance + rounding));
  }
  return most;
}

/* The planes of the hull of the rounded points, and a point inside. */
static bool rounded_planes(const clp_vec3 *points, const clp_hull *hull, clp_arena *arena,
                           clp_planes *planes)
{
  if (!clp_planes_begin(planes, hull->facet_count, arena))
    return false;
  for (size_t f = 0; f < hull->facet_count; ++f) {
    planes->normals[f] = hull->facets[f].normal;
    planes->offsets[f] = hull->facets[f].offset;
  }
  for (size_t k = 0; k < hull->corner_count; ++k)
    planes->middle =
        clp_add_scaled(planes->middle, 1.0 / (double)hull->corner_count, points[hull->corners[k]]);
  return true;
}

bool clp_enclosure_of_hull(const clp_vec3 *points, size_t count, const clp_hull *hull,
                           clp_arena *arena, clp_polytope *polytope, double *outwards)
{
  clp_box3 box = box_of(points, count);
  double out = clp_enclosure_rounding(box), size = clp_distance(box.min, box.max);
  clp_hull_facet *facets = clp_arena_take(arena, hull->facet_count, sizeof *facets);
  clp_planes rounded;
  if (!facets || !rounded_planes(points, hull, arena, &rounded) ||
      !clp_polytope_begin(polytope, arena, widened(box, size), CLP_ENCLOSURE_APART * size))
    return false;
  polytope->size = size;
  for (size_t f = 0; f < hull->facet_count; ++f)
    facets[f] = hull->facets[f];
  qsort(facets, hull->facet_count, sizeof *facets, larger_first);
  for (size_t f = 0; f < hull->facet_count; ++f) {
    double offset = support(points, count, facets[f].normal) + out;
    if (clp_polytope_cut(polytope, facets[f].normal, offset) == CLP_CUT_NO_MEMORY)
      return false;
  }
  *outwards = farthest_corner(polytope, &rounded, hull->step, points, count);
  return true;
}
