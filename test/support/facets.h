/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_FACETS_H
#define TEST_SUPPORT_FACETS_H

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/closest_point.h"
#include "support/suite.h"

/* Convex polyhedra of as many facets as are asked for. */

typedef enum facets_kind {
  FACETS_PRISM,     /* two faces with n corners */
  FACETS_BIPYRAMID, /* two vertices where n faces meet */
  FACETS_GLOBE,     /* many small faces */
  FACETS_KINDS
} facets_kind;

typedef struct facets {
  double *vertices;
  int *corners, *sizes;
  int vertex_count, corner_count, face_count;
} facets;

static inline void facets_add_vertex(facets *f, double x, double y, double z)
{
  double *v = f->vertices + 3 * (size_t)f->vertex_count++;
  v[0] = x;
  v[1] = y;
  v[2] = z;
}

static inline void facets_add_ring(facets *f, int count, double radius, double z)
{
  for (int k = 0; k < count; ++k) {
    double angle = 2 * acos(-1) * k / count;
    facets_add_vertex(f, radius * cos(angle), radius * sin(angle), z);
  }
}

static inline void facets_add_face(facets *f, const int *corners, int count)
{
  for (int k = 0; k < count; ++k)
    f->corners[f->corner_count++] = corners[k];
  f->sizes[f->face_count++] = count;
}

/* Between a ring of `count` vertices from `low` on and one from `high` on. */
static inline void facets_add_belt(facets *f, int count, int low, int high)
{
  for (int k = 0; k < count; ++k) {
    int next = (k + 1) % count;
    facets_add_face(f, (int[]){low + k, low + next, high + next, high + k}, 4);
  }
}

static inline void facets_add_fan(facets *f, int count, int ring, int top, bool up)
{
  for (int k = 0; k < count; ++k) {
    int here = ring + k, next = ring + (k + 1) % count;
    facets_add_face(f, up ? (int[]){here, next, top} : (int[]){next, here, top}, 3);
  }
}

static inline void facets_add_prism(facets *f, int count)
{
  int sides = count - 2, *corner = f->corners;
  facets_add_ring(f, sides, 1, -0.5);
  facets_add_ring(f, sides, 1, 0.5);
  for (int k = 0; k < sides; ++k) {
    corner[k] = sides - 1 - k;
    corner[sides + k] = sides + k;
  }
  f->corner_count = 2 * sides;
  f->sizes[f->face_count++] = sides;
  f->sizes[f->face_count++] = sides;
  facets_add_belt(f, sides, 0, sides);
}

static inline void facets_add_bipyramid(facets *f, int count)
{
  facets_add_ring(f, count / 2, 1, 0);
  facets_add_vertex(f, 0, 0, 1);
  facets_add_vertex(f, 0, 0, -1);
  facets_add_fan(f, count / 2, 0, count / 2, true);
  facets_add_fan(f, count / 2, 0, count / 2 + 1, false);
}

static inline void facets_add_globe(facets *f, int count)
{
  int belts = (int)sqrt(0.5 * count), sides = count / belts;
  for (int k = 1; k < belts; ++k) {
    double angle = acos(-1) * k / belts;
    facets_add_ring(f, sides, sin(angle), -cos(angle));
  }
  facets_add_vertex(f, 0, 0, -1);
  facets_add_vertex(f, 0, 0, 1);
  for (int k = 0; k < belts - 2; ++k)
    facets_add_belt(f, sides, k * sides, (k + 1) * sides);
  facets_add_fan(f, sides, (belts - 2) * sides, f->vertex_count - 1, true);
  facets_add_fan(f, sides, 0, f->vertex_count - 2, false);
}

/* Of about `count` facets, 20 at least. */
static inline clp_body *facets_make(facets_kind kind, int count)
{
  size_t room = 4 * (size_t)count;
  facets f = {.vertices = calloc(3 * room, sizeof(double)),
              .corners = calloc(2 * room, sizeof(int)),
              .sizes = calloc(room, sizeof(int))};
  ck_assert(f.vertices && f.corners && f.sizes);
  static void (*const add[FACETS_KINDS])(facets *, int) = {facets_add_prism, facets_add_bipyramid,
                                                           facets_add_globe};
  add[kind](&f, count);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron =
      (clp_polyhedron_def){f.vertices, f.vertex_count, f.corners, f.sizes, f.face_count};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_OK);
  free(f.vertices);
  free(f.corners);
  free(f.sizes);
  return body;
}

#endif
