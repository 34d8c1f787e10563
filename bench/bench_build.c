/* SPDX-License-Identifier: Apache-2.0 */
/* What a polyhedron costs until it can be used, and how much memory it has then, as it gets more
 * facets.
 *
 *   bench_build        of geodesic hulls of 500, 5,120 and 50,000 facets, the best of nine times
 *   bench_build N...   of 20 N^2 facets, once each; bench/gate.sh counts the instructions
 */

#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rclc_closest_point/closest_point.h"

typedef struct geodesic {
  int steps; /* an edge of the icosahedron is divided into */
  double *vertices;
  int *corners, *sizes;
  int vertex_count, face_count;
} geodesic;

#define GOLDEN 1.6180339887498949

static const double corners[12][3] = {{-1, GOLDEN, 0},  {1, GOLDEN, 0},   {-1, -GOLDEN, 0},
                                      {1, -GOLDEN, 0},  {0, -1, GOLDEN},  {0, 1, GOLDEN},
                                      {0, -1, -GOLDEN}, {0, 1, -GOLDEN},  {GOLDEN, 0, -1},
                                      {GOLDEN, 0, 1},   {-GOLDEN, 0, -1}, {-GOLDEN, 0, 1}};

static const int triangles[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

/* Out to the ellipsoid. Places that two triangles share are there twice: the library makes them
 * one. */
static void add_point(geodesic *g, const int t[3], int i, int j)
{
  static const double radii[3] = {0.5, 0.4, 0.3};
  double *v = g->vertices + 3 * (size_t)g->vertex_count++, length = 0;
  for (int c = 0; c < 3; ++c) {
    v[c] = (g->steps - i) * corners[t[0]][c] + (i - j) * corners[t[1]][c] + j * corners[t[2]][c];
    length = hypot(length, v[c]);
  }
  for (int c = 0; c < 3; ++c)
    v[c] *= radii[c] / length;
}

static void add_face(geodesic *g, int a, int b, int c)
{
  int *corner = g->corners + 3 * (size_t)g->face_count;
  corner[0] = a;
  corner[1] = b;
  corner[2] = c;
  g->sizes[g->face_count++] = 3;
}

/* Row i of a triangle has i + 1 points. */
static void add_triangle(geodesic *g, const int t[3])
{
  for (int i = 0; i <= g->steps; ++i) {
    int above = g->vertex_count - i, row = g->vertex_count;
    for (int j = 0; j <= i; ++j)
      add_point(g, t, i, j);
    for (int j = 0; j < i; ++j) {
      add_face(g, above + j, row + j, row + j + 1);
      if (j > 0)
        add_face(g, above + j - 1, row + j, above + j);
    }
  }
}

static bool make(geodesic *g, int steps)
{
  size_t n = (size_t)steps;
  *g = (geodesic){.steps = steps,
                  .vertices = calloc(30 * (n + 1) * (n + 2), sizeof(double)),
                  .corners = calloc(60 * n * n, sizeof(int)),
                  .sizes = calloc(20 * n * n, sizeof(int))};
  if (!g->vertices || !g->corners || !g->sizes)
    return false;
  for (int t = 0; t < 20; ++t)
    add_triangle(g, triangles[t]);
  return true;
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool measure(const geodesic *g, int rounds)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){.vertices = g->vertices,
                                        .vertex_count = g->vertex_count,
                                        .faces = g->corners,
                                        .face_sizes = g->sizes,
                                        .face_count = g->face_count};
  double least = HUGE_VAL;
  clp_body_info info = {0};
  for (int round = 0; round < rounds; ++round) {
    clp_body *body = NULL;
    double start = seconds();
    if (clp_body_create(&def, (clp_reporter){0}, &body) != CLP_OK)
      return false;
    least = fmin(least, seconds() - start);
    info = clp_body_describe(body);
    clp_body_destroy(body);
  }
  printf("%8d %10.2f %12.2f %12zu %10.0f\n", info.faces, 1e3 * least, 1e6 * least / info.faces,
         info.bytes, (double)info.bytes / info.faces);
  return true;
}

int main(int argc, char **argv)
{
  static char *usual[] = {"", "5", "16", "50"};
  char **counts = argc > 1 ? argv : usual;
  int last = argc > 1 ? argc : 4;
  printf("%8s %10s %12s %12s %10s\n", "facets", "ms", "us/facet", "bytes", "per facet");
  for (int k = 1; k < last; ++k) {
    geodesic g = {0};
    int steps = atoi(counts[k]);
    bool good = steps > 0 && steps < 70 && make(&g, steps) && measure(&g, argc > 1 ? 1 : 9);
    free(g.vertices);
    free(g.corners);
    free(g.sizes);
    if (!good)
      return 1;
  }
  return 0;
}
