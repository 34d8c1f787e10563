/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_FACETS_H
#define TEST_SUPPORT_FACETS_H

#include <math.h>
#include <stdlib.h>

#include "support/findings.h"

/* Convex polyhedra of as many facets as are asked for, between rings of vertices. */

typedef struct facets {
  double *vertices;
  int *corners, *sizes;
  int vertex_count, corner_count, face_count;
} facets;

static inline facets facets_begin(int vertices, int corners, int faces)
{
  facets f = {.vertices = calloc(3 * (size_t)vertices, sizeof(double)),
              .corners = calloc((size_t)corners, sizeof(int)),
              .sizes = calloc((size_t)faces, sizeof(int))};
  ck_assert(f.vertices && f.corners && f.sizes);
  return f;
}

static inline int facets_add_vertex(facets *f, double x, double y, double z)
{
  double *v = f->vertices + 3 * (size_t)f->vertex_count;
  v[0] = x;
  v[1] = y;
  v[2] = z;
  return f->vertex_count++;
}

/* The number of its first vertex. */
static inline int facets_add_ring(facets *f, int count, double radius, double z)
{
  int first = f->vertex_count;
  for (int k = 0; k < count; ++k) {
    double turn = 6.28318530717959 * k / count;
    facets_add_vertex(f, radius * cos(turn), radius * sin(turn), z);
  }
  return first;
}

static inline void facets_add_face(facets *f, const int *corners, int count)
{
  for (int k = 0; k < count; ++k)
    f->corners[f->corner_count++] = corners[k];
  f->sizes[f->face_count++] = count;
}

/* Quadrangles from one ring to the next. */
static inline void facets_add_belt(facets *f, int count, int low)
{
  for (int k = 0; k < count; ++k) {
    int next = low + (k + 1) % count;
    facets_add_face(f, (int[]){low + k, next, next + count, low + k + count}, 4);
  }
}

/* Triangles from a ring to a tip above or below it. */
static inline void facets_add_fan(facets *f, int count, int ring, int tip, bool above)
{
  for (int k = 0; k < count; ++k) {
    int here = ring + k, next = ring + (k + 1) % count;
    facets_add_face(f, (int[]){above ? here : next, above ? next : here, tip}, 3);
  }
}

/* All of a ring, seen from above or below. */
static inline void facets_add_lid(facets *f, int count, int ring, bool above)
{
  for (int k = 0; k < count; ++k)
    f->corners[f->corner_count++] = ring + (above ? k : count - 1 - k);
  f->sizes[f->face_count++] = count;
}

static inline clp_body *facets_end(facets f)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron =
      (clp_polyhedron_def){f.vertices, f.vertex_count, f.corners, f.sizes, f.face_count};
  clp_body *body = must_create(&def);
  free(f.vertices);
  free(f.corners);
  free(f.sizes);
  return body;
}

/* Two faces with as many corners as it has sides. */
static inline clp_body *make_prism(int sides)
{
  facets f = facets_begin(2 * sides, 6 * sides, sides + 2);
  int low = facets_add_ring(&f, sides, 1, -0.5), high = facets_add_ring(&f, sides, 1, 0.5);
  facets_add_belt(&f, sides, low);
  facets_add_lid(&f, sides, low, false);
  facets_add_lid(&f, sides, high, true);
  return facets_end(f);
}

/* Two vertices where as many faces meet. */
static inline clp_body *make_bipyramid(int sides)
{
  facets f = facets_begin(sides + 2, 6 * sides, 2 * sides);
  int ring = facets_add_ring(&f, sides, 1, 0);
  facets_add_fan(&f, sides, ring, facets_add_vertex(&f, 0.2, 0, 0.8), true);
  facets_add_fan(&f, sides, ring, facets_add_vertex(&f, 0, 0.1, -0.3), false);
  return facets_end(f);
}

/* Rings between two poles. */
static inline clp_body *make_globe(int rings, int around, double flatness)
{
  int count = rings * around;
  facets f = facets_begin(count + 2, 4 * (count + around), count + around);
  for (int i = 0; i < rings; ++i) {
    double up = 3.14159265358979 * ((i + 1.0) / (rings + 1) - 0.5);
    int ring = facets_add_ring(&f, around, cos(up), flatness * sin(up));
    if (i < rings - 1)
      facets_add_belt(&f, around, ring);
  }
  facets_add_fan(&f, around, 0, facets_add_vertex(&f, 0, 0, -flatness), false);
  facets_add_fan(&f, around, count - around, facets_add_vertex(&f, 0, 0, flatness), true);
  return facets_end(f);
}

#endif
