/* SPDX-License-Identifier: Apache-2.0 */
/* What a polyhedron costs until it can be used, and how much memory it has then, as it gets more
 * facets.
 *
 *   bench_build              geodesic hulls of 500, 5,120 and 50,000 facets, the best of nine times
 *   bench_build N...         of 20 N^2 facets, once each; bench/gate.sh counts the instructions
 *   bench_build prism N...   of N facets, two of which have N - 2 corners
 *   bench_build cone N...    of N facets, N - 1 of which meet in the tip
 */

#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/closest_point.h"

typedef struct polyhedron {
  double *vertices;
  int *corners, *sizes;
  int vertex_count, corner_count, face_count;
} polyhedron;

#define GOLDEN 1.6180339887498949

static const double corners[12][3] = {{-1, GOLDEN, 0},  {1, GOLDEN, 0},   {-1, -GOLDEN, 0},
                                      {1, -GOLDEN, 0},  {0, -1, GOLDEN},  {0, 1, GOLDEN},
                                      {0, -1, -GOLDEN}, {0, 1, -GOLDEN},  {GOLDEN, 0, -1},
                                      {GOLDEN, 0, 1},   {-GOLDEN, 0, -1}, {-GOLDEN, 0, 1}};

static const int triangles[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

static int add_vertex(polyhedron *p, double x, double y, double z)
{
  double *v = p->vertices + 3 * (size_t)p->vertex_count;
  v[0] = x;
  v[1] = y;
  v[2] = z;
  return p->vertex_count++;
}

static void add_face(polyhedron *p, const int *face, int count)
{
  memcpy(p->corners + p->corner_count, face, (size_t)count * sizeof *face);
  p->corner_count += count;
  p->sizes[p->face_count++] = count;
}

/* ---- Geodesic hulls ------------------------------------------------------------------------- */

/* Out to the ellipsoid. Places that two triangles share are there twice: the library makes them
 * one. */
static void add_point(polyhedron *p, int steps, const int t[3], int i, int j)
{
  static const double radii[3] = {0.5, 0.4, 0.3};
  double v[3], length = 0;
  for (int c = 0; c < 3; ++c) {
    v[c] = (steps - i) * corners[t[0]][c] + (i - j) * corners[t[1]][c] + j * corners[t[2]][c];
    length = hypot(length, v[c]);
  }
  for (int c = 0; c < 3; ++c)
    v[c] *= radii[c] / length;
  add_vertex(p, v[0], v[1], v[2]);
}

/* Row i of a triangle has i + 1 points. */
static void add_triangle(polyhedron *p, int steps, const int t[3])
{
  for (int i = 0; i <= steps; ++i) {
    int above = p->vertex_count - i, row = p->vertex_count;
    for (int j = 0; j <= i; ++j)
      add_point(p, steps, t, i, j);
    for (int j = 0; j < i; ++j) {
      add_face(p, (int[]){above + j, row + j, row + j + 1}, 3);
      if (j > 0)
        add_face(p, (int[]){above + j - 1, row + j, above + j}, 3);
    }
  }
}

/* An edge of the icosahedron is divided into so many steps. */
static void add_geodesic(polyhedron *p, int steps)
{
  for (int t = 0; t < 20; ++t)
    add_triangle(p, steps, triangles[t]);
}

/* ---- Faces with many corners, vertices with many edges ------------------------------------------
 */

/* A ring, and seen from below all of it. */
static void add_base(polyhedron *p, int sides)
{
  for (int k = 0; k < sides; ++k) {
    double turn = 2 * acos(-1) * k / sides;
    add_vertex(p, cos(turn), sin(turn), 0);
    p->corners[k] = sides - 1 - k;
  }
  p->corner_count = sides;
  p->sizes[p->face_count++] = sides;
}

static void add_prism(polyhedron *p, int facets)
{
  int sides = facets - 2, *top = p->corners + sides;
  add_base(p, sides);
  for (int k = 0; k < sides; ++k)
    top[k] = add_vertex(p, p->vertices[3 * k], p->vertices[3 * k + 1], 1);
  p->corner_count += sides;
  p->sizes[p->face_count++] = sides;
  for (int k = 0; k < sides; ++k) {
    int next = (k + 1) % sides;
    add_face(p, (int[]){k, next, sides + next, sides + k}, 4);
  }
}

static void add_cone(polyhedron *p, int facets)
{
  int sides = facets - 1;
  add_base(p, sides);
  int tip = add_vertex(p, 0, 0, 1);
  for (int k = 0; k < sides; ++k)
    add_face(p, (int[]){k, (k + 1) % sides, tip}, 3);
}

/* ---- All of it --------------------------------------------------------------------------------
 */

typedef struct kind {
  const char *name;
  void (*add)(polyhedron *p, int number);
  int least, most, facets; /* of the number; for each of it, or for each of its square */
} kind;

static const kind kinds[] = {{"", add_geodesic, 1, 69, 20},
                             {"prism", add_prism, 5, 30000, 1},
                             {"cone", add_cone, 4, 30000, 1}};

/* No facet has more than six corners on average, nor are there as many vertices. */
static bool make(const kind *k, int number, polyhedron *p)
{
  if (number < k->least || number > k->most)
    return false;
  size_t facets = (size_t)k->facets * (size_t)number * (k == kinds ? (size_t)number : 1) + 100;
  *p = (polyhedron){.vertices = calloc(9 * facets, sizeof(double)),
                    .corners = calloc(6 * facets, sizeof(int)),
                    .sizes = calloc(facets, sizeof(int))};
  if (!p->vertices || !p->corners || !p->sizes)
    return false;
  k->add(p, number);
  return true;
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool measure(const polyhedron *p, int rounds)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){.vertices = p->vertices,
                                        .vertex_count = p->vertex_count,
                                        .faces = p->corners,
                                        .face_sizes = p->sizes,
                                        .face_count = p->face_count};
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

static const kind *kind_of(const char *name)
{
  for (size_t k = 1; k < sizeof kinds / sizeof *kinds; ++k)
    if (strcmp(name, kinds[k].name) == 0)
      return &kinds[k];
  return &kinds[0];
}

int main(int argc, char **argv)
{
  static char *usual[] = {"", "5", "16", "50"};
  char **words = argc > 1 ? argv : usual;
  int count = argc > 1 ? argc : 4;
  const kind *chosen = kind_of(words[1]);
  printf("%8s %10s %12s %12s %10s\n", "facets", "ms", "us/facet", "bytes", "per facet");
  for (int k = chosen == kinds ? 1 : 2; k < count; ++k) {
    polyhedron p = {0};
    bool good = make(chosen, atoi(words[k]), &p) && measure(&p, argc > 1 ? 1 : 9);
    free(p.vertices);
    free(p.corners);
    free(p.sizes);
    if (!good)
      return 1;
  }
  return 0;
}
