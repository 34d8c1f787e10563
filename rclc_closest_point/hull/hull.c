/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/hull/hull.h"

#include <stdint.h>
#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

/* Quickhull (Barber, Dobkin and Huhdanpaa 1996) on integers that are kept in doubles: coordinates
 * stay below 2^16, so differences do, the components of a facet's normal are below 2^33, and the
 * height of a point over a facet is below 3 * 2^49: exact. A facet is visible from a point that is
 * strictly above it. Coplanar triangles are visible together, and a point that is in the plane of
 * one facet but not in the hull is strictly above another, so visible facets always form a disk and
 * a new triangle has an area. */

#define GRID_STEPS 65535.0
#define NONE (-1)

typedef struct triangle {
  int corner[3], neighbor[3]; /* neighbor[k] lies across corner[k], corner[k + 1] */
  clp_vec3 normal;            /* twice the vector area */
  double length;              /* of the normal */
  int outside;                /* the first point above it, then `next`; the farthest one */
  int farthest;
  double height; /* of the farthest, over the plane */
  int seen;      /* by which point, counted */
  int group;     /* coplanar neighbors have the same; NONE: the triangle is gone */
} triangle;

typedef struct quickhull {
  clp_arena *arena;
  clp_vec3 *points; /* on the grid */
  int *next;        /* of a point in its list */
  int *starts;      /* by point: the new triangle whose rim edge begins there */
  int count;
  triangle *triangles;
  size_t used, capacity;
  int *pending; /* triangles that may have points above them */
  size_t pending_count, pending_capacity;
  int *visible;
  size_t visible_count, visible_capacity;
  int *fresh; /* the triangles that replace the visible ones */
  size_t fresh_count, fresh_capacity;
  int round;
} quickhull;

static bool push(quickhull *q, int **list, size_t *count, size_t *capacity, int value)
{
  int *grown = clp_arena_grow(q->arena, *list, *count, capacity, sizeof **list);
  if (!grown)
    return false;
  *list = grown;
  grown[(*count)++] = value;
  return true;
}

static double height_over(const quickhull *q, const triangle *t, int point)
{
  return clp_dot(t->normal, clp_sub(q->points[point], q->points[t->corner[0]]));
}

static int add_triangle(quickhull *q, int a, int b, int c)
{
  triangle *grown =
      clp_arena_grow(q->arena, q->triangles, q->used, &q->capacity, sizeof *q->triangles);
  if (!grown)
    return NONE;
  q->triangles = grown;
  clp_vec3 ab = clp_sub(q->points[b], q->points[a]), ac = clp_sub(q->points[c], q->points[a]);
  clp_vec3 normal = clp_cross(ab, ac);
  grown[q->used] = (triangle){.corner = {a, b, c},
                              .neighbor = {NONE, NONE, NONE},
                              .normal = normal,
                              .length = clp_norm(normal),
                              .outside = NONE,
                              .farthest = NONE,
                              .group = (int)q->used};
  return (int)q->used++;
}

static void put_outside(quickhull *q, triangle *t, int point, double height)
{
  q->next[point] = t->outside;
  t->outside = point;
  if (t->farthest == NONE || height > t->height) {
    t->height = height;
    t->farthest = point;
  }
}

/* The point goes to the first triangle that it is above; the others see it when that is replaced.
 */
static void distribute(quickhull *q, int point, const int *triangles, size_t count)
{
  for (size_t k = 0; k < count; ++k) {
    triangle *t = &q->triangles[triangles[k]];
    double height = height_over(q, t, point);
    if (height > 0) {
      put_outside(q, t, point, height);
      return;
    }
  }
}

/* ---- The grid and the first tetrahedron --------------------------------------------------- */

static double widest(const clp_vec3 *points, size_t count, clp_vec3 *low)
{
  clp_vec3 lo = points[0], hi = points[0];
  for (size_t k = 1; k < count; ++k) {
    lo = (clp_vec3){fmin(lo.x, points[k].x), fmin(lo.y, points[k].y), fmin(lo.z, points[k].z)};
    hi = (clp_vec3){fmax(hi.x, points[k].x), fmax(hi.y, points[k].y), fmax(hi.z, points[k].z)};
  }
  *low = lo;
  return fmax(fmax(hi.x - lo.x, hi.y - lo.y), hi.z - lo.z);
}

static clp_vec3 on_grid(clp_vec3 p, clp_vec3 low, double step)
{
  return (clp_vec3){rint((p.x - low.x) / step), rint((p.y - low.y) / step),
                    rint((p.z - low.z) / step)};
}

static int farthest_from_point(const quickhull *q, clp_vec3 from)
{
  int best = 0;
  double most = -1;
  for (int k = 0; k < q->count; ++k) {
    double far = clp_norm2(clp_sub(q->points[k], from));
    if (far > most) {
      most = far;
      best = k;
    }
  }
  return best;
}

static int farthest_from_line(const quickhull *q, int a, int b, double *most)
{
  clp_vec3 along = clp_sub(q->points[b], q->points[a]);
  int best = a;
  *most = 0;
  for (int k = 0; k < q->count; ++k) {
    double far = clp_norm2(clp_cross(along, clp_sub(q->points[k], q->points[a])));
    if (far > *most) {
      *most = far;
      best = k;
    }
  }
  return best;
}

static int farthest_from_plane(const quickhull *q, const int corner[3], double *height)
{
  clp_vec3 a = q->points[corner[0]];
  clp_vec3 normal = clp_cross(clp_sub(q->points[corner[1]], a), clp_sub(q->points[corner[2]], a));
  int best = corner[0];
  *height = 0;
  for (int k = 0; k < q->count; ++k) {
    double far = clp_dot(normal, clp_sub(q->points[k], a));
    if (fabs(far) > fabs(*height)) {
      *height = far;
      best = k;
    }
  }
  return best;
}

/* False: the points lie in one plane. */
static bool find_tetrahedron(const quickhull *q, int corner[4])
{
  double off_line, off_plane;
  corner[0] = farthest_from_point(q, q->points[0]);
  corner[1] = farthest_from_point(q, q->points[corner[0]]);
  corner[2] = farthest_from_line(q, corner[0], corner[1], &off_line);
  if (!(off_line > 0))
    return false;
  corner[3] = farthest_from_plane(q, corner, &off_plane);
  if (off_plane > 0) { /* the fourth below the first three */
    int other = corner[1];
    corner[1] = corner[2];
    corner[2] = other;
  }
  return off_plane != 0;
}

static int edge_from(const triangle *t, int corner)
{
  return t->corner[0] == corner ? 0 : t->corner[1] == corner ? 1 : 2;
}

static bool begin(quickhull *q, const int c[4])
{
  static const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  int first[4];
  for (int k = 0; k < 4; ++k) {
    first[k] = add_triangle(q, c[corners[k][0]], c[corners[k][1]], c[corners[k][2]]);
    if (first[k] == NONE)
      return false;
  }
  for (int k = 0; k < 4; ++k)
    for (int e = 0; e < 3; ++e)
      for (int other = 0; other < 4; ++other)
        for (int f = 0; f < 3; ++f)
          if (corners[k][e] == corners[other][(f + 1) % 3] &&
              corners[k][(e + 1) % 3] == corners[other][f])
            q->triangles[first[k]].neighbor[e] = first[other];
  for (int p = 0; p < q->count; ++p)
    distribute(q, p, first, 4);
  for (int k = 0; k < 4; ++k)
    if (!push(q, &q->pending, &q->pending_count, &q->pending_capacity, first[k]))
      return false;
  return true;
}

/* ---- One point more ----------------------------------------------------------------------- */

/* All triangles that the eye is above, from one of them on. */
static bool find_visible(quickhull *q, int eye, int from)
{
  ++q->round;
  q->visible_count = 0;
  q->triangles[from].seen = q->round;
  if (!push(q, &q->visible, &q->visible_count, &q->visible_capacity, from))
    return false;
  for (size_t k = 0; k < q->visible_count; ++k) {
    for (int e = 0; e < 3; ++e) {
      int other = q->triangles[q->visible[k]].neighbor[e];
      triangle *t = &q->triangles[other];
      if (t->seen == q->round || !(height_over(q, t, eye) > 0))
        continue;
      t->seen = q->round;
      if (!push(q, &q->visible, &q->visible_count, &q->visible_capacity, other))
        return false;
    }
  }
  return true;
}

/* A triangle from every rim edge of the visible disk to the eye. */
static bool raise_tent(quickhull *q, int eye)
{
  q->fresh_count = 0;
  for (size_t k = 0; k < q->visible_count; ++k) {
    int below = q->visible[k];
    for (int e = 0; e < 3; ++e) {
      int outer = q->triangles[below].neighbor[e];
      if (q->triangles[outer].seen == q->round)
        continue;
      int a = q->triangles[below].corner[e], b = q->triangles[below].corner[(e + 1) % 3];
      int made = add_triangle(q, a, b, eye);
      if (made == NONE || !push(q, &q->fresh, &q->fresh_count, &q->fresh_capacity, made))
        return false;
      q->triangles[made].neighbor[0] = outer;
      q->triangles[outer].neighbor[edge_from(&q->triangles[outer], b)] = made;
      q->starts[a] = made;
    }
  }
  for (size_t k = 0; k < q->fresh_count; ++k) {
    int made = q->fresh[k], after = q->starts[q->triangles[made].corner[1]];
    q->triangles[made].neighbor[1] = after;
    q->triangles[after].neighbor[2] = made;
  }
  return true;
}

/* The points over the visible triangles go to the new ones, or are inside. */
static bool redistribute(quickhull *q, int eye)
{
  for (size_t k = 0; k < q->visible_count; ++k) {
    triangle *gone = &q->triangles[q->visible[k]];
    int point = gone->outside;
    gone->outside = NONE;
    gone->group = NONE;
    while (point != NONE) {
      int after = q->next[point];
      if (point != eye)
        distribute(q, point, q->fresh, q->fresh_count);
      point = after;
    }
  }
  for (size_t k = 0; k < q->fresh_count; ++k)
    if (q->triangles[q->fresh[k]].outside != NONE &&
        !push(q, &q->pending, &q->pending_count, &q->pending_capacity, q->fresh[k]))
      return false;
  return true;
}

static bool grow(quickhull *q)
{
  while (q->pending_count > 0) {
    int from = q->pending[--q->pending_count];
    if (q->triangles[from].group == NONE || q->triangles[from].outside == NONE)
      continue;
    int eye = q->triangles[from].farthest;
    if (!find_visible(q, eye, from) || !raise_tent(q, eye) || !redistribute(q, eye))
      return false;
  }
  return true;
}

/* ---- The result --------------------------------------------------------------------------- */

static int group_of(triangle *triangles, int k)
{
  while (triangles[k].group != k) {
    triangles[k].group = triangles[triangles[k].group].group;
    k = triangles[k].group;
  }
  return k;
}

static void join_coplanar(quickhull *q)
{
  for (int k = 0; k < (int)q->used; ++k) {
    if (q->triangles[k].group == NONE)
      continue;
    for (int e = 0; e < 3; ++e) {
      int other = q->triangles[k].neighbor[e];
      int far =
          q->triangles[other]
              .corner[(edge_from(&q->triangles[other], q->triangles[k].corner[(e + 1) % 3]) + 2) %
                      3];
      if (height_over(q, &q->triangles[k], far) == 0)
        q->triangles[group_of(q->triangles, other)].group = group_of(q->triangles, k);
    }
  }
}

/* A facet takes its normal from the largest of its triangles. */
static bool collect_facets(quickhull *q, clp_vec3 low, double step, clp_hull *hull)
{
  int *facet = clp_arena_take(q->arena, q->used, sizeof *facet);
  double *largest = clp_arena_take(q->arena, q->used, sizeof *largest);
  hull->facets = clp_arena_take(q->arena, q->used, sizeof *hull->facets);
  if (!facet || !largest || !hull->facets)
    return false;
  for (size_t k = 0; k < q->used; ++k)
    facet[k] = NONE;
  for (int k = 0; k < (int)q->used; ++k) {
    const triangle *t = &q->triangles[k];
    if (t->group == NONE)
      continue;
    int group = group_of(q->triangles, k);
    if (facet[group] == NONE)
      facet[group] = (int)hull->facet_count++;
    clp_hull_facet *f = &hull->facets[facet[group]];
    clp_vec3 corner = q->points[t->corner[0]];
    if (t->length > largest[facet[group]]) {
      largest[facet[group]] = t->length;
      f->normal = clp_scale(1 / t->length, t->normal);
      f->offset = clp_dot(f->normal, clp_add_scaled(low, step, corner));
    }
    f->area += 0.5 * t->length * step * step;
    hull->area += 0.5 * t->length * step * step;
    hull->volume += clp_dot(t->normal, clp_sub(corner, q->points[0])) * step * step * step / 6;
  }
  return true;
}

static bool collect_corners(quickhull *q, clp_hull *hull)
{
  bool *is_corner = clp_arena_take(q->arena, (size_t)q->count, sizeof *is_corner);
  if (!is_corner)
    return false;
  for (size_t k = 0; k < q->used; ++k)
    for (int e = 0; e < 3 && q->triangles[k].group != NONE; ++e) {
      hull->corner_count += !is_corner[q->triangles[k].corner[e]];
      is_corner[q->triangles[k].corner[e]] = true;
    }
  hull->corners = clp_arena_take(q->arena, hull->corner_count, sizeof *hull->corners);
  size_t used = 0;
  for (int k = 0; hull->corners && k < q->count; ++k)
    if (is_corner[k])
      hull->corners[used++] = (size_t)k;
  return hull->corners != NULL;
}

static clp_hull_outcome enclose(quickhull *q, clp_vec3 low, clp_hull *hull)
{
  int corner[4];
  if (!find_tetrahedron(q, corner))
    return CLP_HULL_FLAT;
  if (!begin(q, corner) || !grow(q))
    return CLP_HULL_NO_MEMORY;
  join_coplanar(q);
  return collect_facets(q, low, hull->step, hull) && collect_corners(q, hull) ? CLP_HULL_SOLID
                                                                              : CLP_HULL_NO_MEMORY;
}

clp_hull_outcome clp_hull_make(const clp_vec3 *points, size_t count, clp_arena *arena,
                               clp_hull *hull)
{
  clp_vec3 low;
  double extent = widest(points, count, &low);
  *hull = (clp_hull){.step = extent / GRID_STEPS};
  if (!(hull->step > 0))
    return CLP_HULL_FLAT;
  if (count > INT32_MAX / 4)
    return CLP_HULL_NO_MEMORY;
  quickhull q = {.arena = arena, .count = (int)count};
  q.points = clp_arena_take(arena, count, sizeof *q.points);
  q.next = clp_arena_take(arena, count, sizeof *q.next);
  q.starts = clp_arena_take(arena, count, sizeof *q.starts);
  if (!q.points || !q.next || !q.starts)
    return CLP_HULL_NO_MEMORY;
  for (size_t k = 0; k < count; ++k)
    q.points[k] = on_grid(points[k], low, hull->step);
  return enclose(&q, low, hull);
}
