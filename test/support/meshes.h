/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MESHES_H
#define TEST_SUPPORT_MESHES_H

/* Meshes of the tests' own making, and STL files of them. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/math/vec3.h"
#include "support/marks.h"

#define MADE_MOST 20000

typedef struct made_mesh {
  clp_vec3 corners[3 * MADE_MOST];
  size_t count; /* of triangles */
} made_mesh;

static inline void made_add(made_mesh *m, clp_vec3 a, clp_vec3 b, clp_vec3 c)
{
  ck_assert(m->count < MADE_MOST);
  clp_vec3 *t = m->corners + 3 * m->count++;
  t[0] = a;
  t[1] = b;
  t[2] = c;
}

static inline void made_quad(made_mesh *m, clp_vec3 a, clp_vec3 b, clp_vec3 c, clp_vec3 d)
{
  made_add(m, a, b, c);
  made_add(m, a, c, d);
}

static inline void made_box(made_mesh *m, clp_vec3 lo, clp_vec3 hi)
{
  clp_vec3 v[8];
  for (int k = 0; k < 8; ++k)
    v[k] = (clp_vec3){k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z};
  made_quad(m, v[0], v[2], v[3], v[1]);
  made_quad(m, v[4], v[5], v[7], v[6]);
  made_quad(m, v[0], v[1], v[5], v[4]);
  made_quad(m, v[2], v[6], v[7], v[3]);
  made_quad(m, v[0], v[4], v[6], v[2]);
  made_quad(m, v[1], v[3], v[7], v[5]);
}

/* A profile of (r, z), closed, turned about z. */
static inline void made_ring(made_mesh *m, const double (*profile)[2], int points, int steps)
{
  for (int s = 0; s < steps; ++s)
    for (int k = 0; k < points; ++k) {
      double a = 6.283185307179586 * s / steps, b = 6.283185307179586 * (s + 1) / steps;
      a = s == 0 ? 0 : a;
      b = s + 1 == steps ? 0 : b;
      const double *p = profile[k], *q = profile[(k + 1) % points];
      made_quad(m, (clp_vec3){p[0] * cos(a), p[0] * sin(a), p[1]},
                (clp_vec3){p[0] * cos(b), p[0] * sin(b), p[1]},
                (clp_vec3){q[0] * cos(b), q[0] * sin(b), q[1]},
                (clp_vec3){q[0] * cos(a), q[0] * sin(a), q[1]});
    }
}

/* A box with a pocket in its top: a U of three boxes in one surface, extruded along y. */
static inline void made_u(made_mesh *m, double width, double height, double wall, double depth)
{
  const double p[8][2] = {
      {0, 0},       {width, 0},     {width, height}, {width - wall, height}, {width - wall, wall},
      {wall, wall}, {wall, height}, {0, height}};
  static const int caps[6][3] = {{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 7}, {5, 6, 7}};
  for (int k = 0; k < 8; ++k) {
    const double *a = p[k], *b = p[(k + 1) % 8];
    made_quad(m, (clp_vec3){a[0], depth, a[1]}, (clp_vec3){a[0], 0, a[1]},
              (clp_vec3){b[0], 0, b[1]}, (clp_vec3){b[0], depth, b[1]});
  }
  for (int k = 0; k < 6; ++k) {
    const double *a = p[caps[k][0]], *b = p[caps[k][1]], *c = p[caps[k][2]];
    made_add(m, (clp_vec3){a[0], 0, a[1]}, (clp_vec3){b[0], 0, b[1]}, (clp_vec3){c[0], 0, c[1]});
    made_add(m, (clp_vec3){a[0], depth, a[1]}, (clp_vec3){c[0], depth, c[1]},
             (clp_vec3){b[0], depth, b[1]});
  }
}

/* Through memory: gcc 12 takes a conversion there and back for none where it does two at once. */
static inline double made_single(double value)
{
  volatile float single = (float)value;
  return (double)single;
}

/* Corners become what a file in single precision has. */
static inline void made_round(made_mesh *m)
{
  for (size_t k = 0; k < 3 * m->count; ++k) {
    clp_vec3 *p = &m->corners[k];
    *p = (clp_vec3){made_single(p->x), made_single(p->y), made_single(p->z)};
  }
}

static inline void made_write_binary(const made_mesh *m, const char *path)
{
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  char header[80] = "made by a test";
  uint32_t count = (uint32_t)m->count;
  fwrite(header, 1, 80, file);
  fwrite(&count, 4, 1, file); /* the tests run on little-endian machines */
  for (size_t t = 0; t < m->count; ++t) {
    float numbers[12] = {0};
    for (int c = 0; c < 3; ++c) {
      clp_vec3 p = m->corners[3 * t + (size_t)c];
      numbers[3 + 3 * c] = (float)p.x;
      numbers[4 + 3 * c] = (float)p.y;
      numbers[5 + 3 * c] = (float)p.z;
    }
    fwrite(numbers, 4, 12, file);
    fwrite("\0\0", 1, 2, file);
  }
  ck_assert_int_eq(fclose(file), 0);
}

static inline void made_write_text(const made_mesh *m, const char *path)
{
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs("solid made by a test\n", file);
  for (size_t t = 0; t < m->count; ++t) {
    fputs("facet normal 0 0 0\n outer loop\n", file);
    for (int c = 0; c < 3; ++c) {
      clp_vec3 p = m->corners[3 * t + (size_t)c];
      fprintf(file, "  vertex %.17g %.17g %.17g\n", p.x, p.y, p.z);
    }
    fputs(" endloop\nendfacet\n", file);
  }
  fputs("endsolid made by a test\n", file);
  ck_assert_int_eq(fclose(file), 0);
}

#endif
