/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/random.h"
#include "support/suite.h"

/* Polyhedra as other programs write them: triangles, a number of digits, slivers, corners that are
 * there twice. */

#define MOST 4000

typedef struct rough_body {
  double vertices[3 * MOST];
  int faces[3 * 2 * MOST], sizes[2 * MOST];
  int vertex_count, face_count;
} rough_body;

static rough_body body;

static int put(double x, double y, double z)
{
  ck_assert_int_lt(body.vertex_count, MOST);
  double *v = body.vertices + 3 * body.vertex_count;
  v[0] = x;
  v[1] = y;
  v[2] = z;
  return body.vertex_count++;
}

static void face(int a, int b, int c)
{
  int *f = body.faces + 3 * body.face_count;
  f[0] = a;
  f[1] = b;
  f[2] = c;
  body.sizes[body.face_count++] = 3;
}

/* A cylinder of triangles, turned, its flat ends as fans: many triangles of one plane. */
static void make_cylinder(int steps, double turn)
{
  body.vertex_count = body.face_count = 0;
  for (int k = 0; k < 2 * steps + 2; ++k) {
    double a = 6.283185307179586 * (k / 2) / steps, r = k < 2 * steps ? 0.1 : 0;
    double x = r * cos(a), y = r * sin(a), z = k % 2 ? 0.3 : -0.2;
    put(x * cos(turn) - z * sin(turn) + 0.7, y, x * sin(turn) + z * cos(turn));
  }
  for (int k = 0; k < steps; ++k) {
    int a = 2 * k, b = 2 * ((k + 1) % steps);
    face(a, b, b + 1);
    face(a, b + 1, a + 1);
    face(2 * steps, b, a);
    face(2 * steps + 1, a + 1, b + 1);
  }
}

static void write_with(int digits)
{
  for (int k = 0; k < 3 * body.vertex_count; ++k) {
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, body.vertices[k]);
    body.vertices[k] = strtod(text, NULL);
  }
}

typedef struct heard {
  int notes;
  double outwards; /* that it says */
  char first[sizeof((clp_finding *)0)->text];
} heard;

static void hear(void *user, const clp_finding *finding)
{
  heard *h = user;
  h->notes += finding->severity == CLP_NOTE;
  h->outwards += finding->severity == CLP_NOTE ? finding->amount : 0;
  if (!*h->first)
    strcpy(h->first, finding->text);
}

static clp_body *compile(heard *h)
{
  clp_body *made = NULL;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){body.vertices, body.vertex_count, body.faces, body.sizes,
                                        body.face_count};
  *h = (heard){0};
  clp_body_create(&def, (clp_reporter){hear, h}, &made);
  return made;
}

/* All vertices inside, in wider numbers. */
static void expect_vertices_inside(const clp_body *made, double tolerance)
{
  long double worst = -1;
  for (uint32_t f = 0; f < made->face_count; ++f) {
    const clp_plane *p = &made->faces[f].surface.as.plane;
    clp_vec3 n = clp_cross(p->a, p->b);
    for (int k = 0; k < body.vertex_count; ++k) {
      const double *v = body.vertices + 3 * k;
      long double beyond = (long double)n.x * (v[0] - p->origin.x) +
                           (long double)n.y * (v[1] - p->origin.y) +
                           (long double)n.z * (v[2] - p->origin.z);
      worst = beyond > worst ? beyond : worst;
    }
  }
  ck_assert_msg(worst <= tolerance, "%Lg beyond, expected %g; %u faces of %d", worst, tolerance,
                made->face_count, body.face_count);
}

SUITE("mend_polyhedron");

TEST_CASE("mend", 60);

TEST(test_digits)
{
  for (int digits = 6; digits <= 17; ++digits)
    for (int steps = 12; steps <= 360; steps *= 3) {
      heard h;
      make_cylinder(steps, 0.4);
      write_with(digits);
      clp_body *made = compile(&h);
      ck_assert_msg(made != NULL, "%d digits, %d steps: %s", digits, steps, h.first);
      expect_vertices_inside(
          made, strstr(h.first, "replaced") ? 0 : clp_body_describe(made).slack + 1e-12);
      double exact = 0.5 * steps * 0.01 * sin(6.283185307179586 / steps) * 0.5;
      ck_assert_double_eq_tol(clp_body_describe(made).volume, exact, 1e-4 * exact + 2e-5);
      clp_body_destroy(made);
    }
}

TEST(test_what_is_sound_is_left_alone)
{
  heard h;
  body.vertex_count = body.face_count = 0;
  for (int k = 0; k < 4; ++k)
    put(k == 1, k == 2, k == 3);
  face(0, 2, 1);
  face(0, 1, 3);
  face(0, 3, 2);
  face(1, 2, 3);
  clp_body *made = compile(&h);
  ck_assert_ptr_nonnull(made);
  ck_assert_int_eq(h.notes, 0);
  ck_assert_double_eq_tol(clp_body_describe(made).volume, 1.0 / 6, 1e-12);
  clp_body_destroy(made);
}

/* An edge with a third point on it, a hair beside: two slivers. */
TEST(test_slivers)
{
  for (int inwards = 0; inwards < 2; ++inwards) {
    heard h;
    double off = inwards ? 1e-10 : -1e-10;
    body.vertex_count = body.face_count = 0;
    for (int k = 0; k < 4; ++k)
      put(k == 1, k == 2, k == 3);
    int middle = put(0.5, off, off);
    face(0, 2, 1);
    face(0, 3, 2);
    face(1, 2, 3);
    face(0, middle, 3);
    face(middle, 1, 3);
    face(0, 1, middle);
    clp_body *made = compile(&h);
    ck_assert_msg(made != NULL, "%s", h.first);
    ck_assert_int_eq(h.notes, 1);
    ck_assert_msg(strstr(h.first, "its 6 faces are replaced by 4") != NULL, "%s", h.first);
    expect_vertices_inside(made, 0);
    clp_body_destroy(made);
  }
}

TEST(test_corners_that_are_there_twice)
{
  heard h;
  make_cylinder(40, 0.3);
  rough_body *whole = malloc(sizeof *whole);
  ck_assert_ptr_nonnull(whole);
  *whole = body;
  body.vertex_count = body.face_count = 0;
  for (int f = 0; f < whole->face_count; ++f) {
    int first = body.vertex_count;
    for (int c = 0; c < 3; ++c) {
      const double *v = whole->vertices + 3 * whole->faces[3 * f + c];
      put(v[0], v[1], v[2]);
    }
    face(first, first + 1, first + 2);
  }
  free(whole);
  write_with(7);
  clp_body *made = compile(&h);
  ck_assert_msg(made != NULL, "%s", h.first);
  expect_vertices_inside(made,
                         strstr(h.first, "replaced") ? 0 : clp_body_describe(made).slack + 1e-12);
  clp_body_destroy(made);
}

/* More than digits: a dent, a hole, inside out, a face twice. */
TEST(test_what_is_wrong_is_refused)
{
  heard h;
  make_cylinder(60, 0.2);
  body.vertices[3 * 120 + 2] += 1e-3; /* the middle of the lower end, upwards */
  ck_assert_ptr_null(compile(&h));
  ck_assert_msg(strstr(h.first, "not convex") != NULL, "%s", h.first);
  make_cylinder(60, 0.2);
  write_with(6);
  --body.face_count;
  ck_assert_ptr_null(compile(&h));
  make_cylinder(60, 0.2);
  write_with(6);
  for (int f = 0; f < body.face_count; ++f) {
    int other = body.faces[3 * f];
    body.faces[3 * f] = body.faces[3 * f + 1];
    body.faces[3 * f + 1] = other;
  }
  ck_assert_ptr_null(compile(&h));
  make_cylinder(60, 0.2);
  write_with(6);
  face(body.faces[0], body.faces[1], body.faces[2]);
  ck_assert_ptr_null(compile(&h));
}

/* A frustum of four sides: a box, a needle, a plate, or nearly a tip. */
static void make_frustum(double x, double y, double z, double tip)
{
  static const int triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                       {0, 1, 4}, {1, 5, 4}, {1, 3, 5}, {3, 7, 5},
                                       {3, 2, 7}, {2, 6, 7}, {2, 0, 6}, {0, 4, 6}};
  body.vertex_count = body.face_count = 0;
  for (int k = 0; k < 8; ++k) {
    double part = k & 4 ? tip : 1;
    put(part * (k & 1 ? x : -x), part * (k & 2 ? y : -y), k & 4 ? z : -z);
  }
  for (int k = 0; k < 12; ++k)
    face(triangles[k][0], triangles[k][1], triangles[k][2]);
}

static double farther_out(const clp_body *made, clp_vec3 n)
{
  double of_body = -HUGE_VAL, of_vertices = -HUGE_VAL;
  for (uint32_t k = 0; k < made->vertex_count; ++k)
    of_body = fmax(of_body, clp_dot(n, made->vertices[k].place));
  for (int k = 0; k < body.vertex_count; ++k) {
    const double *v = body.vertices + 3 * k;
    of_vertices = fmax(of_vertices, clp_dot(n, (clp_vec3){v[0], v[1], v[2]}));
  }
  return of_body - of_vertices;
}

/* What is too thin for a face is refused, or enclosed as narrowly as is said of it; it once became
 * a plate as wide as a needle is long. */
TEST(test_thin_ones)
{
  random_state g = {.s = 31};
  int made_ones = 0, refused = 0, mended = 0;
  for (int k = 0; k < 600; ++k) {
    heard h;
    double x = pow(10, random_between(&g, -6, 0)), y = pow(10, random_between(&g, -6, 0));
    make_frustum(x, k % 3 ? x : y, 1, k % 2 ? 1 : pow(10, random_between(&g, -6, 0)));
    clp_body *made = compile(&h);
    refused += !made;
    mended += h.notes > 0 && made;
    for (int i = 0; made && i < 40; ++i) {
      static const clp_vec3 axes[6] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                       {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
      double out = farther_out(made, i < 6 ? axes[i] : random_direction(&g));
      ck_assert_msg(out <= h.outwards + 1e-14, "%g farther out, said %g", out, h.outwards);
    }
    made_ones += made != NULL;
    clp_body_destroy(made);
  }
  ck_assert_int_gt(made_ones, 100);
  ck_assert_int_gt(refused, 10);
  ck_assert_int_gt(mended, 10);
}
