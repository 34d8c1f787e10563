/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/hull/enclosure.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/random.h"
#include "support/suite.h"

/* Points of many kinds, their hulls and enclosures: against the judgement of every point over every
 * facet in wider numbers, and of the compiler of bodies, which has to accept what is made. */

#define MOST_POINTS 4000

typedef struct cloud {
  const char *name;
  clp_vec3 points[MOST_POINTS];
  size_t count;
} cloud;

static void put(cloud *c, double x, double y, double z)
{
  ck_assert(c->count < MOST_POINTS);
  c->points[c->count++] = (clp_vec3){x, y, z};
}

static void put_ball(cloud *c, random_state *g)
{
  c->name = "ball";
  for (int k = 0; k < 800; ++k) {
    clp_vec3 d = {random_between(g, -1, 1), random_between(g, -1, 1), random_between(g, -1, 1)};
    d = clp_unit(d);
    put(c, 0.1 * d.x + 5, 0.1 * d.y, 0.3 * d.z);
  }
}

static void put_cube(cloud *c, random_state *g)
{
  (void)g;
  c->name = "cube with points on its faces and edges, twice";
  for (int k = 0; k < 2; ++k)
    for (int x = 0; x < 6; ++x)
      for (int y = 0; y < 6; ++y)
        for (int z = 0; z < 6; ++z)
          put(c, 0.1 * x, 0.1 * y, 0.1 * z);
}

static void put_turned_cylinder(cloud *c, random_state *g)
{
  c->name = "cylinder, turned";
  double a = random_between(g, 0, 3), b = random_between(g, 0, 3);
  for (int k = 0; k < 200; ++k)
    for (int end = -1; end <= 1; end += 2) {
      double x = 0.05 * cos(k * 0.0314159265358979), y = 0.05 * sin(k * 0.0314159265358979);
      double z = 0.2 * end, u = cos(a) * x - sin(a) * z, w = sin(a) * x + cos(a) * z;
      put(c, cos(b) * u - sin(b) * y, sin(b) * u + cos(b) * y, w);
    }
}

static void put_needle(cloud *c, random_state *g)
{
  c->name = "needle";
  for (int k = 0; k < 300; ++k) {
    double t = random_between(g, 0, 1);
    put(c, t + random_between(g, -1e-4, 1e-4), t, -t + random_between(g, -1e-4, 1e-4));
  }
}

static void put_plate(cloud *c, random_state *g)
{
  c->name = "flat plate, tilted";
  for (int k = 0; k < 300; ++k) {
    double s = random_between(g, 0, 1), t = random_between(g, 0, 1);
    put(c, s, t, 0.3 * s - 0.7 * t);
  }
}

static void put_line(cloud *c, random_state *g)
{
  c->name = "line";
  for (int k = 0; k < 20; ++k) {
    double t = random_between(g, 0, 1);
    put(c, t, 2 * t, 3 * t);
  }
}

static void put_cone(cloud *c, random_state *g)
{
  (void)g;
  c->name = "cone";
  put(c, 0, 0, 0.3);
  for (int k = 0; k < 360; ++k)
    put(c, 0.1 * cos(k * 0.0174532925199433), 0.1 * sin(k * 0.0174532925199433), 0);
}

static void put_crowd(cloud *c, random_state *g)
{
  c->name = "clusters of nearly equal points";
  for (int k = 0; k < 40; ++k) {
    clp_vec3 at = {random_between(g, -1, 1), random_between(g, -1, 1), random_between(g, -1, 1)};
    for (int n = 0; n < 20; ++n)
      put(c, at.x + random_between(g, -1e-7, 1e-7), at.y + random_between(g, -1e-7, 1e-7),
          at.z + random_between(g, -1e-7, 1e-7));
  }
}

static void (*const kinds[])(cloud *, random_state *) = {
    put_ball, put_cube, put_turned_cylinder, put_needle, put_plate, put_line, put_cone, put_crowd};
#define KINDS (sizeof kinds / sizeof *kinds)

static cloud *new_cloud(size_t kind, uint64_t seed)
{
  static cloud c;
  c.count = 0;
  random_state g = {seed};
  kinds[kind](&c, &g);
  return &c;
}

/* ---- Hulls -------------------------------------------------------------------------------- */

SUITE("enclosure");

TEST_CASE("hull", 20);

TEST(test_hull_holds_all_points)
{
  for (size_t kind = 0; kind < KINDS; ++kind)
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      cloud *c = new_cloud(kind, seed);
      clp_arena arena = {0};
      clp_hull hull;
      clp_hull_outcome outcome = clp_hull_make(c->points, c->count, &arena, &hull);
      bool thin =
          strstr(c->name, "flat") || strstr(c->name, "line"); /* solid by rounding, or not */
      ck_assert_msg(outcome == CLP_HULL_SOLID || (thin && outcome == CLP_HULL_FLAT), "%s: %d",
                    c->name, (int)outcome);
      long double most = -1;
      for (size_t f = 0; outcome == CLP_HULL_SOLID && f < hull.facet_count; ++f)
        for (size_t k = 0; k < c->count; ++k) {
          clp_vec3 n = hull.facets[f].normal, p = c->points[k];
          long double beyond = (long double)n.x * p.x + (long double)n.y * p.y +
                               (long double)n.z * p.z - hull.facets[f].offset;
          most = beyond > most ? beyond : most;
        }
      ck_assert_msg(most <= 0.867L * hull.step, "%s: %Lg", c->name, most);
      clp_arena_release(&arena);
    }
}

TEST(test_hull_of_a_cube)
{
  cloud *c = new_cloud(1, 1);
  clp_arena arena = {0};
  clp_hull hull;
  ck_assert_int_eq(clp_hull_make(c->points, c->count, &arena, &hull), CLP_HULL_SOLID);
  ck_assert_uint_eq(hull.facet_count, 6);
  ck_assert_double_eq_tol(hull.volume, 0.125, 1e-12);
  ck_assert_double_eq_tol(hull.area, 1.5, 1e-12);
  clp_arena_release(&arena);
}

/* ---- Enclosures --------------------------------------------------------------------------- */

typedef struct verdict {
  char text[512];
} verdict;

static void keep_finding(void *user, const clp_finding *finding)
{
  verdict *v = user;
  if (finding->severity == CLP_DEFECT && !*v->text)
    snprintf(v->text, sizeof v->text, "%s", finding->text);
}

static void expect_inside(const cloud *c, const clp_polyhedron_def *def, double margin)
{
  const int *corner = def->faces;
  for (int f = 0; f < def->face_count; corner += def->face_sizes[f++]) {
    long double n[3] = {0}, middle[3] = {0};
    for (int k = 0; k < def->face_sizes[f]; ++k) {
      const double *a = def->vertices + 3 * corner[0], *b = def->vertices + 3 * corner[k],
                   *d = def->vertices + 3 * corner[(k + 1) % def->face_sizes[f]];
      for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        n[i] += ((long double)b[j] - a[j]) * ((long double)d[l] - a[l]) -
                ((long double)b[l] - a[l]) * ((long double)d[j] - a[j]);
        middle[i] += (long double)b[i] / def->face_sizes[f];
      }
    }
    long double length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    long double most = -1e9L;
    for (size_t k = 0; k < c->count; ++k) {
      long double beyond =
          (n[0] * (c->points[k].x - middle[0]) + n[1] * (c->points[k].y - middle[1]) +
           n[2] * (c->points[k].z - middle[2])) /
          length;
      most = beyond > most ? beyond : most;
    }
    ck_assert_msg(most <= -margin, "%s: face %d has a point %Lg m beyond it", c->name, f, most);
  }
}

static double expect_body(const cloud *c, const clp_polyhedron_def *polyhedron)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = *polyhedron;
  verdict v = {""};
  clp_body *body = NULL;
  clp_status status = clp_body_create(&def, (clp_reporter){keep_finding, &v}, &body);
  ck_assert_msg(status == CLP_OK, "%s: %s", c->name, v.text);
  double volume = clp_body_describe(body).volume;
  clp_body_destroy(body);
  return volume;
}

TEST_CASE("enclosure", 60);

TEST(test_enclosures_hold_all_points_and_are_bodies)
{
  static const size_t most[] = {6, 40, 300, 5000};
  for (size_t kind = 0; kind < KINDS; ++kind)
    for (uint64_t seed = 1; seed <= 2; ++seed)
      for (size_t m = 0; m < sizeof most / sizeof *most; ++m) {
        cloud *c = new_cloud(kind, seed);
        clp_arena arena = {0};
        clp_polytope polytope;
        clp_polyhedron_def def;
        clp_enclosure_wish wish = {most[m], seed == 2 ? 0.01 : 0, 0};
        ck_assert(clp_enclosure_make(c->points, c->count, wish, &arena, &polytope));
        ck_assert(clp_polytope_define(&polytope, &def));
        ck_assert_int_le(def.face_count, (int)most[m]);
        expect_inside(c, &def, wish.margin);
        expect_body(c, &def);
        clp_arena_release(&arena);
      }
}

/* As tight as the hull, to a few of the shortest edges. */
TEST(test_enclosures_are_tight)
{
  for (size_t kind = 0; kind < 3; ++kind) {
    cloud *c = new_cloud(kind, 7);
    clp_arena arena = {0};
    clp_hull hull;
    clp_polytope polytope;
    clp_polyhedron_def def;
    ck_assert_int_eq(clp_hull_make(c->points, c->count, &arena, &hull), CLP_HULL_SOLID);
    ck_assert(clp_enclosure_make(c->points, c->count, (clp_enclosure_wish){5000, 0, 0}, &arena,
                                 &polytope));
    ck_assert(clp_polytope_define(&polytope, &def));
    double volume = expect_body(c, &def), reach = 8 * polytope.apart;
    ck_assert_msg(volume < hull.volume + reach * hull.area, "%s: %g of %g, %d of %zu faces",
                  c->name, volume, hull.volume, def.face_count, hull.facet_count);
    clp_arena_release(&arena);
  }
}
