/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/hull/planes.h"

#include <math.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/vec3.h"

/* ---- Planes ------------------------------------------------------------------------------- */

bool clp_planes_begin(clp_planes *planes, size_t count, clp_arena *arena)
{
  *planes = (clp_planes){.count = count};
  planes->normals = clp_arena_take(arena, count, sizeof *planes->normals);
  planes->offsets = clp_arena_take(arena, count, sizeof *planes->offsets);
  return planes->normals && planes->offsets;
}

static clp_vec3 vertex_of(const clp_polyhedron_def *p, int index)
{
  const double *v = p->vertices + 3 * (size_t)index;
  return (clp_vec3){v[0], v[1], v[2]};
}

/* Newell's normals; a plane at the face's farthest corner, so that depths are not too small. */
bool clp_planes_of_polyhedron(const clp_polyhedron_def *p, clp_arena *arena, clp_planes *planes)
{
  if (!clp_planes_begin(planes, (size_t)p->face_count, arena))
    return false;
  const int *corner = p->faces;
  for (int f = 0; f < p->face_count; corner += p->face_sizes[f++]) {
    clp_vec3 sum = {0, 0, 0}, from = vertex_of(p, corner[0]);
    for (int k = 1; k + 1 < p->face_sizes[f]; ++k)
      sum = clp_add(sum, clp_cross(clp_sub(vertex_of(p, corner[k]), from),
                                   clp_sub(vertex_of(p, corner[k + 1]), from)));
    planes->normals[f] = clp_unit(sum);
    planes->offsets[f] = -HUGE_VAL;
    for (int k = 0; k < p->face_sizes[f]; ++k)
      planes->offsets[f] =
          fmax(planes->offsets[f], clp_dot(planes->normals[f], vertex_of(p, corner[k])));
  }
  for (int v = 0; v < p->vertex_count; ++v)
    planes->middle = clp_add_scaled(planes->middle, 1.0 / p->vertex_count, vertex_of(p, v));
  return true;
}

bool clp_planes_of_hull(const clp_hull *hull, clp_arena *arena, clp_planes *planes)
{
  if (!clp_planes_begin(planes, hull->facet_count, arena))
    return false;
  for (size_t f = 0; f < hull->facet_count; ++f) {
    planes->normals[f] = hull->facets[f].normal;
    planes->offsets[f] = hull->facets[f].offset;
  }
  return true;
}

double clp_planes_depth(const clp_planes *planes, clp_vec3 point, size_t *plane)
{
  double least = HUGE_VAL;
  *plane = 0;
  for (size_t k = 0; k < planes->count; ++k) {
    double here = planes->offsets[k] - clp_dot(planes->normals[k], point);
    if (here < least) {
      least = here;
      *plane = k;
    }
  }
  return least;
}

/* ---- The nearest point -------------------------------------------------------------------- */

/* Planes whose normals span less than this (area, or volume) are not made to meet: rounding would
 * be magnified by more than its square root. */
#define LEAST_SPAN 1e-8

/* Enough for every polytope that has been seen; each round goes to a place that is farther. */
#define MOST_ROUNDS 200

/* The way from `point` to the place nearest to it that lies in all of one, two or three planes.
 * False: there is no such place, or to be as near as can be one of the planes can be left. The way
 * is minus a sum of the normals with factors that must not be negative. */
static bool way_to(const clp_planes *p, clp_vec3 point, const clp_contact *c, clp_vec3 *way)
{
  clp_vec3 n[3];
  double over[3];
  for (int k = 0; k < c->count; ++k) {
    n[k] = p->normals[c->planes[k]];
    over[k] = clp_dot(n[k], point) - p->offsets[c->planes[k]];
  }
  if (c->count == 1) {
    *way = clp_scale(-over[0], n[0]);
    return over[0] >= 0;
  }
  if (c->count == 2) {
    double g = clp_dot(n[0], n[1]), span = clp_norm2(clp_cross(n[0], n[1]));
    double x = over[0] - g * over[1], y = over[1] - g * over[0];
    if (span < LEAST_SPAN * LEAST_SPAN || x < 0 || y < 0)
      return false;
    *way = clp_scale(-1 / span, clp_add(clp_scale(x, n[0]), clp_scale(y, n[1])));
    return true;
  }
  const clp_vec3 across[3] = {clp_cross(n[1], n[2]), clp_cross(n[2], n[0]), clp_cross(n[0], n[1])};
  double span = clp_dot(n[0], across[0]);
  if (fabs(span) < LEAST_SPAN)
    return false;
  clp_vec3 sum = {0, 0, 0};
  for (int k = 0; k < 3; ++k)
    sum = clp_add_scaled(sum, -over[k] / span, across[k]);
  *way = sum;
  for (int k = 0; k < 3; ++k)
    if (-clp_dot(sum, across[k]) / span < 0)
      return false;
  return true;
}

/* The planes to lie in when one more joins those of `c`: the new one, and of the others whichever
 * leaves none of them all missed by more than rounding. */
static bool join(const clp_planes *p, clp_vec3 point, clp_contact *c, size_t plane, clp_vec3 *way)
{
  clp_contact best = {.count = 0};
  double least = HUGE_VAL;
  for (int chosen = 0; chosen < 1 << c->count; ++chosen) {
    clp_contact some = {.planes = {plane}, .count = 1};
    for (int k = 0; k < c->count; ++k)
      if (chosen >> k & 1)
        some.planes[some.count++] = c->planes[k];
    clp_vec3 there;
    if (some.count > 3 || !way_to(p, point, &some, &there))
      continue;
    double missed = 0;
    for (int k = 0; k < c->count; ++k)
      missed = fmax(missed, clp_dot(p->normals[c->planes[k]], clp_add(point, there)) -
                                p->offsets[c->planes[k]]);
    if (missed < least) {
      least = missed;
      best = some;
      *way = there;
    }
  }
  *c = best;
  return best.count > 0;
}

/* Of a place that is beyond some planes by a little: what it takes towards the middle until it is
 * beyond none. */
static double mended(const clp_planes *p, clp_vec3 place, double beyond)
{
  size_t plane;
  double depth = clp_planes_depth(p, p->middle, &plane);
  return depth > 0 ? clp_distance(place, p->middle) * beyond / (beyond + depth) : HUGE_VAL;
}

/* Dual: of the planes looked at so far the nearest place, then the plane that is missed most. */
clp_contact clp_planes_nearest(const clp_planes *planes, clp_vec3 point)
{
  clp_contact c = {.count = 0};
  clp_vec3 way = {0, 0, 0};
  double blur = CLP_NOISE * (clp_norm(point) + clp_norm(planes->middle)), last = -1;
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    size_t plane;
    clp_vec3 place = clp_add(point, way);
    double missed = -clp_planes_depth(planes, place, &plane);
    c.distance = clp_norm(way);
    if (missed <= blur || c.distance <= last) {
      c.distance += missed > 0 ? mended(planes, place, missed) : 0;
      return c;
    }
    last = c.distance;
    if (!join(planes, point, &c, plane, &way))
      break;
  }
  c.distance = HUGE_VAL;
  return c;
}

double clp_planes_beyond(const clp_planes *planes, clp_vec3 point)
{
  size_t plane;
  double depth = clp_planes_depth(planes, point, &plane);
  return (depth >= 0 ? -depth : clp_planes_nearest(planes, point).distance) - planes->radius;
}

/* ---- Inwards ------------------------------------------------------------------------------ */

/* How far in the one of the planes is that is farthest in. */
static double most_inset(const clp_planes *planes, const double *outer, const clp_contact *c)
{
  double most = 0;
  for (int k = 0; k < c->count; ++k)
    most = fmax(most, outer[c->planes[k]] - planes->offsets[c->planes[k]]);
  return most;
}

/* Lets planes out again until the point is near enough, those that are farthest in first: the
 * others may be where another point needs them. Where three planes meet in the point and one has to
 * give way, a third of what is missing is made up for in each round, or less; so later rounds make
 * larger steps. After many rounds all go back all the way. */
static void let_out(clp_planes *planes, const double *outer, clp_vec3 point, double radius)
{
  enum { SMALL_STEPS = 30, ROUNDS = 100 };
  for (int round = 0;; ++round) {
    clp_contact c = clp_planes_nearest(planes, point);
    if (c.distance <= radius)
      return;
    if (c.count == 0 || round == ROUNDS) {
      for (size_t k = 0; k < planes->count; ++k)
        planes->offsets[k] = outer[k];
      return;
    }
    double step = (round < SMALL_STEPS ? 1 : 10) * (1 - 0.999 * radius / c.distance);
    double inset = most_inset(planes, outer, &c) * (1 - fmin(step, 0.5));
    for (int k = 0; k < c.count; ++k) {
      double *offset = &planes->offsets[c.planes[k]];
      *offset = fmax(*offset, outer[c.planes[k]] - inset);
    }
  }
}

bool clp_planes_inset(clp_planes *planes, const clp_vec3 *points, size_t count, double radius,
                      clp_arena *arena)
{
  double *outer = clp_arena_take(arena, planes->count, sizeof *outer);
  if (!outer)
    return false;
  for (size_t k = 0; k < planes->count; ++k) {
    outer[k] = planes->offsets[k];
    double room = outer[k] - clp_dot(planes->normals[k], planes->middle);
    planes->offsets[k] -= fmin(radius, 0.5 * fmax(room, 0));
  }
  /* Planes only go out again, so what is near enough remains so. */
  for (size_t k = 0; k < count; ++k)
    let_out(planes, outer, points[k], radius);
  return true;
}
