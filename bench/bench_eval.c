/* SPDX-License-Identifier: Apache-2.0 */
/* What one evaluation of a surface costs: point, first and second derivatives.
 *
 * bench_eval                  times everything in one run and prints a table with ratios
 * bench_eval --count N WHAT   evaluates WHAT (one of the table's names) N times and nothing else
 *
 * Instructions per evaluation, the division by N done by hand:
 *     valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=clp_surface_jet \
 *         bench_eval --count 1000 biquadratic
 * and for the algorithms of the textbook
 *     valgrind ... --toggle-collect=textbook_jet bench_eval --count 1000 textbook
 *
 * The patches are the biquadratic one with 3 x 3 spans of which the tracking workloads are made,
 * and a single span with weights. Sites follow a slow path, as they do when tracking. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/spline.h"

/* ---- The algorithms of the textbook ---------------------------------------------------------- */

/* Piegl and Tiller's way: find the knot span, compute the basis functions with their derivatives,
 * sum the homogeneous derivatives, apply the quotient rule, all per call and for any degree. */

enum { MAX_ORDER = 10, DERIVATIVES = 2 };

typedef struct spline {
  int degree_u, degree_v, size_u, size_v;
  const double *knots_u, *knots_v;
  const double (*homogeneous)[4]; /* size_u * size_v, v fastest */
} spline;

static int find_span(int degree, int size, const double *knots, double t)
{
  if (t >= knots[size])
    return size - 1;
  int low = degree, high = size, middle = (low + high) / 2;
  while (t < knots[middle] || t >= knots[middle + 1]) {
    if (t < knots[middle])
      high = middle;
    else
      low = middle;
    middle = (low + high) / 2;
  }
  return middle;
}

/* The triangle of basis functions (upper part) and knot differences (lower part). */
static void basis_triangle(int degree, const double *knots, int span, double t,
                           double triangle[MAX_ORDER][MAX_ORDER])
{
  double left[MAX_ORDER], right[MAX_ORDER];
  triangle[0][0] = 1;
  for (int j = 1; j <= degree; j++) {
    left[j] = t - knots[span + 1 - j];
    right[j] = knots[span + j] - t;
    double saved = 0;
    for (int r = 0; r < j; r++) {
      triangle[j][r] = right[r + 1] + left[j - r];
      double part = triangle[r][j - 1] / triangle[j][r];
      triangle[r][j] = saved + right[r + 1] * part;
      saved = left[j - r] * part;
    }
    triangle[j][j] = saved;
  }
}

/* Derivatives of basis function r from two alternating rows of coefficients. */
static void basis_column(int degree, int r, double triangle[MAX_ORDER][MAX_ORDER],
                         double result[DERIVATIVES + 1][MAX_ORDER])
{
  double a[2][MAX_ORDER] = {{1}};
  int old = 0, new = 1;
  for (int k = 1; k <= DERIVATIVES && k <= degree; k++) {
    double d = 0;
    int rk = r - k, pk = degree - k;
    if (r >= k) {
      a[new][0] = a[old][0] / triangle[pk + 1][rk];
      d = a[new][0] * triangle[rk][pk];
    }
    int first = rk >= -1 ? 1 : -rk, last = r - 1 <= pk ? k - 1 : degree - r;
    for (int j = first; j <= last; j++) {
      a[new][j] = (a[old][j] - a[old][j - 1]) / triangle[pk + 1][rk + j];
      d += a[new][j] * triangle[rk + j][pk];
    }
    if (r <= pk) {
      a[new][k] = -a[old][k - 1] / triangle[pk + 1][r];
      d += a[new][k] * triangle[r][pk];
    }
    result[k][r] = d;
    old = new;
    new = 1 - old;
  }
}

static void basis_derivatives(int degree, const double *knots, int span, double t,
                              double result[DERIVATIVES + 1][MAX_ORDER])
{
  double triangle[MAX_ORDER][MAX_ORDER];
  basis_triangle(degree, knots, span, t, triangle);
  for (int j = 0; j <= degree; j++)
    result[0][j] = triangle[j][degree];
  for (int r = 0; r <= degree; r++)
    basis_column(degree, r, triangle, result);
  double factor = degree;
  for (int k = 1; k <= DERIVATIVES; k++) {
    for (int j = 0; j <= degree; j++)
      result[k][j] = k <= degree ? result[k][j] * factor : 0;
    factor *= degree - k;
  }
}

static void homogeneous_derivatives(const spline *s, double u, double v,
                                    double result[DERIVATIVES + 1][DERIVATIVES + 1][4])
{
  double basis_u[DERIVATIVES + 1][MAX_ORDER], basis_v[DERIVATIVES + 1][MAX_ORDER];
  int span_u = find_span(s->degree_u, s->size_u, s->knots_u, u);
  int span_v = find_span(s->degree_v, s->size_v, s->knots_v, v);
  basis_derivatives(s->degree_u, s->knots_u, span_u, u, basis_u);
  basis_derivatives(s->degree_v, s->knots_v, span_v, v, basis_v);
  for (int k = 0; k <= DERIVATIVES; k++) {
    double row[MAX_ORDER][4];
    for (int j = 0; j <= s->degree_v; j++) {
      memset(row[j], 0, sizeof row[j]);
      for (int i = 0; i <= s->degree_u; i++) {
        int index = (span_u - s->degree_u + i) * s->size_v + span_v - s->degree_v + j;
        for (int lane = 0; lane < 4; lane++)
          row[j][lane] += basis_u[k][i] * s->homogeneous[index][lane];
      }
    }
    for (int l = 0; l <= DERIVATIVES - k; l++) {
      memset(result[k][l], 0, sizeof result[k][l]);
      for (int j = 0; j <= s->degree_v; j++) {
        for (int lane = 0; lane < 4; lane++)
          result[k][l][lane] += basis_v[l][j] * row[j][lane];
      }
    }
  }
}

static clp_vec3 vec3_of(const double *a)
{
  return (clp_vec3){a[0], a[1], a[2]};
}

__attribute__((noinline)) static clp_jet textbook_jet(const spline *s, double u, double v)
{
  static const double binomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};
  double h[DERIVATIVES + 1][DERIVATIVES + 1][4];
  double d[DERIVATIVES + 1][DERIVATIVES + 1][3];
  homogeneous_derivatives(s, u, v, h);
  for (int k = 0; k <= DERIVATIVES; k++) {
    for (int l = 0; l <= DERIVATIVES - k; l++) {
      double sum[3] = {h[k][l][0], h[k][l][1], h[k][l][2]};
      for (int i = 0; i <= k; i++) {
        for (int j = i == 0 ? 1 : 0; j <= l; j++) {
          double factor = binomial[k][i] * binomial[l][j] * h[i][j][3];
          for (int x = 0; x < 3; x++)
            sum[x] -= factor * d[k - i][l - j][x];
        }
      }
      for (int x = 0; x < 3; x++)
        d[k][l][x] = sum[x] / h[0][0][3];
    }
  }
  return (clp_jet){.p = vec3_of(d[0][0]),
                   .u = vec3_of(d[1][0]),
                   .v = vec3_of(d[0][1]),
                   .uu = vec3_of(d[2][0]),
                   .uv = vec3_of(d[1][1]),
                   .vv = vec3_of(d[0][2])};
}

/* ---- Workloads --------------------------------------------------------------------------------
 */

enum { SITES = 1024 };

/* One surface, as the library has it and (splines) as the textbook does. */
typedef struct workload {
  const char *name;
  bool textbook;
  clp_surface surface;
  spline spline;
  clp_site sites[SITES];
} workload;

static double homogeneous[2][25][4], storage[2][1000];

static const double nine_span_knots[] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
static const double one_span_knots[] = {0, 0, 0, 1, 1, 1};

static const double nine_span_net[5][5][3] = {
    {{0, 0, 0}, {1, 3, 3}, {2, 5, 5}, {1, 8, 3}, {0, 10, 0}},
    {{3, 0, 2}, {3, 3, 5}, {3, 5, 7}, {3, 8, 5}, {3, 10, 2}},
    {{5, 0, 3}, {5, 3, 6}, {5, 5, 8}, {5, 8, 6}, {5, 10, 3}},
    {{8, 0, 3}, {8, 3, 5}, {8, 5, 7}, {8, 8, 5}, {8, 10, 2}},
    {{10, 0, 0}, {9, 3, 3}, {8, 5, 5}, {9, 8, 3}, {10, 10, 0}},
};

static void set_sites(workload *w)
{
  for (int i = 0; i < SITES; i++) {
    double a = 6.283185307179586 * i / SITES;
    double u = 0.5 + 0.45 * cos(a), v = 0.5 + 0.45 * sin(2 * a);
    w->sites[i] = clp_surface_site(&w->surface, u, v);
  }
}

/* Patch 0 has 3 x 3 spans, patch 1 is one span of the same net's corner with weights. */
static void set_patch(workload *w, int which)
{
  int size = which == 0 ? 5 : 3;
  const double *knots = which == 0 ? nine_span_knots : one_span_knots;
  double control_points[100], *c = control_points;
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) {
      double weight = which == 1 && (i == 1 || j == 1) ? 0.8 : 1;
      double *h = homogeneous[which][i * size + j];
      for (int k = 0; k < 3; k++) {
        *c++ = nine_span_net[i][j][k];
        h[k] = weight * nine_span_net[i][j][k];
      }
      *c++ = h[3] = weight;
    }
  }
  w->surface = (clp_surface){.kind = CLP_SURFACE_NURBS, .outward = 1};
  w->spline = (spline){2, 2, size, size, knots, knots, (const double(*)[4])homogeneous[which]};
  if (!clp_nurbs_build(2, size, knots, 2, size, knots, control_points, storage[which],
                       &w->surface.as.nurbs))
    abort();
}

/* The rows of the table. The ratio of a spline is the next row's time over its own. */
enum { ROWS = 5 };

static const char *const names[ROWS] = {"biquadratic", "textbook", "biquadratic_spans",
                                        "textbook_spans", "ellipsoid"};

static workload make_workload(int row)
{
  workload w = {.name = names[row], .textbook = row == 1 || row == 3};
  if (row == 4) {
    w.surface = (clp_surface){.kind = CLP_SURFACE_ELLIPSOID, .outward = 1};
    w.surface.as.ellipsoid = (clp_ellipsoid){{0, 0, 0}, {1.0, 0.7, 0.5}};
  } else {
    set_patch(&w, row < 2 ? 1 : 0);
  }
  set_sites(&w);
  return w;
}

/* Neither function is inlined here: each writes its whole jet, the sum reads a little. */
static double evaluate(const workload *w, long count)
{
  double sum = 0;
  for (long i = 0; i < count; i++) {
    clp_site site = w->sites[i % SITES];
    clp_jet j = w->textbook ? textbook_jet(&w->spline, site.c[0], site.c[1])
                            : clp_surface_jet(&w->surface, site);
    sum += j.p.x + j.u.y + j.v.z + j.uu.x + j.uv.y + j.vv.z;
  }
  return sum;
}

/* ---- Timing -----------------------------------------------------------------------------------
 */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds per evaluation of every row. The rows take turns, so that a slow spell of the machine
 * meets all of them, and the best of many rounds counts, for interruptions only ever add. */
static void time_rows(double time[ROWS], double sum[ROWS])
{
  const long count = 100000;
  workload rows[ROWS];
  for (int row = 0; row < ROWS; row++) {
    rows[row] = make_workload(row);
    time[row] = HUGE_VAL;
  }
  for (int round = 0; round < 40; round++) {
    for (int row = 0; row < ROWS; row++) {
      double start = now();
      sum[row] = evaluate(&rows[row], count);
      time[row] = fmin(time[row], 1e9 * (now() - start) / (double)count);
    }
  }
}

static int print_table(void)
{
  double time[ROWS], sum[ROWS];
  time_rows(time, sum);
  printf("%-18s %12s %22s\n", "evaluation", "ns per call", "textbook / this");
  for (int row = 0; row < ROWS; row++) {
    printf("%-18s %12.1f", names[row], time[row]);
    if (row == 0 || row == 2)
      printf(" %22.1f", time[row + 1] / time[row]);
    printf("\n");
  }
  bool agree = true;
  for (int row = 0; row < 4; row += 2)
    agree = agree && fabs(sum[row] - sum[row + 1]) <= 1e-9 * fabs(sum[row]);
  printf("both ways %s\n", agree ? "give the same sums" : "DISAGREE");
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run_only(long count, const char *name)
{
  for (int row = 0; row < ROWS; row++) {
    if (strcmp(name, names[row]) == 0) {
      workload w = make_workload(row);
      printf("%ld evaluations of %s, sum %.17g\n", count, name, evaluate(&w, count));
      return EXIT_SUCCESS;
    }
  }
  fprintf(stderr, "bench_eval: no evaluation is called %s\n", name);
  return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
  if (argc == 1)
    return print_table();
  if (argc == 4 && strcmp(argv[1], "--count") == 0)
    return run_only(strtol(argv[2], NULL, 10), argv[3]);
  fprintf(stderr, "usage: bench_eval [--count N WHAT]\n");
  return EXIT_FAILURE;
}
