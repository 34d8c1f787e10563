/* SPDX-License-Identifier: Apache-2.0 */
/* What a step costs as bodies are made of more and more faces: the same ball of rational
 * biquadratic patches and of triangles, passed by W1's ellipsoid.
 *
 *   bench_patches          a table
 *   bench_patches --csv    the same as CSV */

#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/seconds.h"
#include "bench/workloads.h"
#include "rclc_closest_point/math/pose.h"

static const double pi = 3.14159265358979323846, radius = 1;

static void fail(const char *what)
{
  fprintf(stderr, "bench_patches: %s\n", what);
  exit(EXIT_FAILURE);
}

static void *take(size_t count, size_t size)
{
  void *memory = calloc(count, size);
  if (!memory)
    fail("no memory");
  return memory;
}

static clp_body *body_of(const clp_body_def *def)
{
  clp_body *body = NULL;
  if (clp_body_create(def, (clp_reporter){0}, &body) != CLP_OK)
    fail("no body");
  return body;
}

/* ---- A ball of patches -------------------------------------------------------------------- */

/* An arc of the unit circle as a rational quadratic: ends, shoulder and its weight. */
static void arc(double from, double to, double x[3], double y[3], double w[3])
{
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  x[0] = cos(from), y[0] = sin(from), w[0] = 1;
  x[1] = cos(middle) / cos(half), y[1] = sin(middle) / cos(half), w[1] = cos(half);
  x[2] = cos(to), y[2] = sin(to), w[2] = 1;
}

/* From a parallel to the next, and from a meridian to the next; 3 x 3 times (x y z w). */
static void put_patch(double south, double north, double west, double east, double *net)
{
  double r[3], z[3], wv[3], x[3], y[3], wu[3];
  arc(west, east, x, y, wu);
  arc(south, north, r, z, wv);
  if (south <= -0.5 * pi)
    r[0] = 0;
  if (north >= 0.5 * pi)
    r[2] = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j, net += 4) {
      net[0] = radius * r[j] * x[i];
      net[1] = radius * r[j] * y[i];
      net[2] = radius * z[j];
      net[3] = wu[i] * wv[j];
    }
}

/* 2 n n patches. */
static clp_body *ball_of_patches(int n)
{
  int bands = n, sectors = 2 * n, count = bands * sectors;
  double *nets = take((size_t)count * 36, sizeof *nets);
  char(*names)[16] = take((size_t)count, sizeof *names);
  clp_patch_def *patches = take((size_t)count, sizeof *patches);
  for (int k = 0; k < count; ++k) {
    double south = pi * (k / sectors) / bands - 0.5 * pi, west = pi * (k % sectors) / n;
    double *net = nets + 36 * k;
    put_patch(south, k / sectors == bands - 1 ? 0.5 * pi : south + pi / bands, west, west + pi / n,
              net);
    snprintf(names[k], sizeof names[k], "p%d", k);
    patches[k] = (clp_patch_def){.name = names[k],
                                 .degree_u = 2,
                                 .degree_v = 2,
                                 .size_u = 3,
                                 .size_v = 3,
                                 .control_points = net};
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = count;
  clp_body *body = body_of(&def);
  free(nets);
  free(names);
  free(patches);
  return body;
}

/* ---- A ball of triangles ------------------------------------------------------------------ */

/* Rings of vertices between two poles, triangles between the rings: 4 n (n - 1) of them. */
static clp_body *ball_of_triangles(int n)
{
  int rings = n - 1, around = 2 * n, vertices = rings * around + 2, faces = 2 * around * rings;
  double *places = take((size_t)vertices * 3, sizeof *places), *p = places;
  int *corners = take((size_t)faces * 3, sizeof *corners), *c = corners;
  int *sizes = take((size_t)faces, sizeof *sizes);
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < around; ++j, p += 3) {
      double latitude = pi * (i + 1) / n - 0.5 * pi, longitude = pi * (j + 0.5 * (i % 2)) / n;
      p[0] = radius * cos(latitude) * cos(longitude);
      p[1] = radius * cos(latitude) * sin(longitude);
      p[2] = radius * sin(latitude);
    }
  p[2] = -radius;
  p[5] = radius;
  for (int j = 0; j < around; ++j) {
    int next = (j + 1) % around, last = (rings - 1) * around;
    int lids[6] = {rings * around, next, j, last + j, last + next, rings * around + 1};
    memcpy(c, lids, sizeof lids);
    c += 6;
    for (int i = 0; i + 1 < rings; ++i, c += 6) {
      int a = i * around + j, b = i * around + next, up = a + around, beside = b + around;
      int even[6] = {a, b, up, b, beside, up}, odd[6] = {a, beside, up, a, b, beside};
      memcpy(c, i % 2 ? odd : even, sizeof even);
    }
  }
  for (int k = 0; k < faces; ++k)
    sizes[k] = 3;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){places, vertices, corners, sizes, faces};
  clp_body *body = body_of(&def);
  free(places);
  free(corners);
  free(sizes);
  return body;
}

/* ---- The costs ---------------------------------------------------------------------------- */

typedef struct costs {
  double step, query; /* seconds, the best of some runs */
  double iterations;  /* of a step */
} costs;

static costs measure(const clp_body *ball, const workload *w)
{
  enum { ROUNDS = 15, QUERIES = 50 };
  static clp_pose X[WORKLOAD_STEPS];
  static clp_twist V[WORKLOAD_STEPS];
  static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose rest = clp_pose_identity();
  costs best = {HUGE_VAL, HUGE_VAL, 0};
  clp_pair *pair = NULL;
  if (clp_pair_create(ball, w->b, NULL, &pair) != CLP_OK)
    fail("no pair");
  for (int k = 0; k < WORKLOAD_STEPS; ++k)
    w->motion(1e-3 * k, &X[k], &V[k]);
  for (int round = 0; round < ROUNDS; ++round) {
    long iterations = 0;
    double start = now();
    for (int k = 0; k < QUERIES; ++k)
      clp_pair_query(pair, &rest, &X[(QUERIES - 1 - k) * (WORKLOAD_STEPS / QUERIES)]);
    double middle = now();
    for (int k = 1; k < WORKLOAD_STEPS; ++k)
      iterations += clp_pair_track(pair, &rest, &X[k], &still, &V[k], 1e-3).steps;
    best.query = fmin(best.query, (middle - start) / QUERIES);
    best.step = fmin(best.step, (now() - middle) / (WORKLOAD_STEPS - 1));
    best.iterations = (double)iterations / (WORKLOAD_STEPS - 1);
  }
  clp_pair_destroy(pair);
  return best;
}

static void show(const char *what, clp_body *ball, bool csv)
{
  workload w = workload_make(0);
  clp_body_info info = clp_body_describe(ball);
  costs c = measure(ball, &w);
  printf(csv ? "%s,%d,%.1f,%.4f,%.2f,%.0f,%.2f\n" : "%-10s %7d %9.0f %11.3f %9.1f %9.0f %9.1f\n",
         what, info.faces, 1e9 * c.step, c.iterations, 1e6 * c.query, (double)info.bytes / 1024,
         1e3 * info.build_time);
  fflush(stdout);
  workload_destroy(&w);
  clp_body_destroy(ball);
}

int main(int argc, char **argv)
{
  static const int patches[] = {2, 4, 8, 16, 32}, triangles[] = {2, 4, 8, 16, 32};
  bool csv = argc > 1 && strcmp(argv[1], "--csv") == 0;
  puts(csv ? "kind,faces,step_ns,iterations,query_us,kib,build_ms"
           : "ball of      faces   ns/step  iterations  us/query       KiB  ms/build");
  for (size_t k = 0; k < sizeof patches / sizeof *patches; ++k)
    show("patches", ball_of_patches(patches[k]), csv);
  for (size_t k = 0; k < sizeof triangles / sizeof *triangles; ++k)
    show("triangles", ball_of_triangles(triangles[k]), csv);
  return EXIT_SUCCESS;
}
