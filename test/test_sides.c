/* SPDX-License-Identifier: Apache-2.0 */
/* Which side of a boundary a point is on: beside corners so sharp that the places on both of their
 * sides are nearly as near, and of bodies far from their own frame. What is told of points that
 * jump and drift about is compared with the polygon, whose sides are crossed an odd number of times
 * by a ray from within. */

#include "support/findings.h"
#include "support/planar_shapes.h"
#include "support/random.h"
#include "support/suite.h"

#include <math.h>

SUITE("sides");

enum { CORNERS_MAX = 8 };

typedef struct region {
  double corners[CORNERS_MAX][2];
  int count;
  double x; /* where it is in its frame */
} region;

/* Its distance to the boundary, negative within. */
static double height_of(const region *r, double x, double y)
{
  long double nearest = HUGE_VALL;
  bool within = false;
  for (int k = 0; k < r->count; ++k) {
    const double *a = r->corners[k], *b = r->corners[(k + 1) % r->count];
    long double ex = (long double)b[0] - (long double)a[0],
                ey = (long double)b[1] - (long double)a[1];
    long double px = (long double)x - (long double)a[0], py = (long double)y - (long double)a[1];
    long double t = fminl(fmaxl((px * ex + py * ey) / (ex * ex + ey * ey), 0), 1);
    nearest = fminl(nearest, hypotl(px - t * ex, py - t * ey));
    if ((a[1] > y) != (b[1] > y) && (ex * py - ey * px > 0) == (b[1] > a[1]))
      within = !within;
  }
  return (double)(within ? -nearest : nearest);
}

static clp_body *body_of(const region *r)
{
  static shape s;
  s.count = s.used = 0;
  for (int k = 0; k < r->count; ++k) {
    const double *a = r->corners[k], *b = r->corners[(k + 1) % r->count];
    add_line(&s, r->x + a[0], a[1], r->x + b[0], b[1]);
  }
  clp_body_def def = definition(&s);
  def.convex = false;
  return must_create(&def);
}

/* A square with a slit, and a kite with a dent: the corner at the origin has this angle. */
static region slit_of(double degrees)
{
  const double h = 2 * tan(degrees * pi / 360);
  return (region){.corners = {{-2, -2}, {2, -2}, {2, -h}, {0, 0}, {2, h}, {2, 2}, {-2, 2}},
                  .count = 7};
}

static region spike_of(double degrees)
{
  const double h = 2 * tan(degrees * pi / 360);
  return (region){.corners = {{0, 0}, {-2, h}, {-2 + h / 2, 0}, {-2, -h}}, .count = 4};
}

typedef struct told {
  int sides, wrong;
} told;

/* What is told of the point's side must be right; where it is not told the bounds are of both. */
static void judge(const region *r, const clp_answer *a, clp_vec3 p, double digits, told *t)
{
  const double height = height_of(r, p.x - r->x, p.y);
  const bool within = a->status == CLP_PENETRATING, apart = a->lower_bound > 0;
  t->sides += within || apart;
  t->wrong += (within && height > digits) || (apart && height < -digits);
  ck_assert_msg(a->lower_bound <= height + digits, "%.17g above %.17g", a->lower_bound, height);
}

/* The body is destroyed. Each twentieth cycle a jump, at all distances from the origin alike, and a
 * drift from there. */
static told told_of(const region *r, clp_body *body, clp_pair_options options, double reach)
{
  clp_body *point = make_shape(CLP_SHAPE_POINT, (clp_vec3){0}, 0, 0);
  clp_pair *pair;
  ck_assert_int_eq(clp_pair_create(body, point, &options, &pair), CLP_OK);
  random_state g = {7};
  told t = {0, 0};
  clp_pose rest = clp_pose_identity(), at = rest;
  clp_vec3 way = {0, 0, 0};
  for (int k = 0; k < 2000; ++k) {
    if (k % 20 == 0 || k >= 1000) {
      const double distance = reach * pow(10, random_between(&g, -8, 0));
      const double angle = random_between(&g, 0, 2 * pi), turn = random_between(&g, 0, 2 * pi);
      const double step = distance * pow(10, random_between(&g, -3, -0.5));
      at.position = (clp_vec3){r->x + distance * cos(angle), distance * sin(angle), 0};
      way = (clp_vec3){step * cos(turn), step * sin(turn), 0};
    } else {
      at.position = clp_add(at.position, way);
    }
    clp_answer a = clp_pair_track(pair, &rest, &at, NULL, NULL, 1e-3);
    judge(r, &a, at.position, 4e-13 * (10 + r->x), &t);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(point);
  clp_body_destroy(body);
  return t;
}

static const struct {
  double degrees, tolerance;
} sharp[] = {{45, 0}, {7, 0}, {7, 1e-4}, {3, 0}, {3, 1e-4}, {1, 0}, {1, 1e-4}, {0.1, 0}, {0.01, 0}};

enum { SHARP = sizeof sharp / sizeof *sharp };

TEST_CASE("sides", 60);

LOOP_TEST(sharp_corners, 0, 2 * SHARP)
{
  const double degrees = sharp[_i / 2].degrees;
  const region r = _i % 2 ? spike_of(degrees) : slit_of(degrees);
  clp_pair_options options = clp_default_pair_options();
  options.tolerance = sharp[_i / 2].tolerance;
  const told t = told_of(&r, body_of(&r), options, 0.5);
  ck_assert_int_eq(t.wrong, 0);
  const int least = degrees > 2 ? 1900 : degrees > 0.5 ? 1850 : 0;
  ck_assert_int_gt(t.sides, least);
}

/* An L of three meters that is a kilometer and more from where its frame is. */
LOOP_TEST(far_from_the_frame, 0, 4)
{
  const region r = {.corners = {{-1, -1}, {2, -1}, {2, 0}, {0, 0}, {0, 2}, {-1, 2}},
                    .count = 6,
                    .x = _i % 2 ? 10000 : 1000};
  clp_pair_options options = clp_default_pair_options();
  options.cells = _i / 2 ? 2 : 64;
  const told t = told_of(&r, body_of(&r), options, 8);
  ck_assert_int_eq(t.wrong, 0);
  ck_assert_int_gt(t.sides, options.cells == 2 ? 100 : 1900);
}

/* ---- Grooves ------------------------------------------------------------------------------ */

/* What is above the slit's region and below, far beyond where the points are; its lids in pieces
 * that are convex. */
static clp_body *prism_of(const region *slit)
{
  enum { CORNERS = 7, PIECES = 3 };
  static const int pieces[PIECES][4] = {{0, 1, 2, 3}, {3, 4, 5, 6}, {3, 6, 0, -1}};
  double vertices[2 * CORNERS][3];
  int corners[80], sizes[2 * PIECES + CORNERS], used = 0, faces = 0;
  for (int k = 0; k < 2 * CORNERS; ++k) {
    const double *corner = slit->corners[k % CORNERS];
    memcpy(vertices[k], (double[3]){slit->x + corner[0], corner[1], k < CORNERS ? -9 : 9},
           sizeof *vertices);
  }
  for (int k = 0; k < PIECES; ++k) {
    const int size = pieces[k][3] < 0 ? 3 : 4;
    for (int i = 0; i < size; ++i)
      corners[used++] = pieces[k][size - 1 - i];
    for (int i = 0; i < size; ++i)
      corners[used++] = CORNERS + pieces[k][i];
    sizes[faces++] = size;
    sizes[faces++] = size;
  }
  for (int k = 0; k < CORNERS; ++k, used += 4) {
    const int next = (k + 1) % CORNERS, side[4] = {k, next, CORNERS + next, CORNERS + k};
    memcpy(corners + used, side, sizeof side);
    sizes[faces++] = 4;
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices[0], 2 * CORNERS, corners, sizes, faces};
  def.convex = false;
  return must_create(&def);
}

/* Sharper than a right angle a groove's sides leave its floor the same way, but not on top of each
 * other. The sharper it is, the less is told next to where they meet. */
LOOP_TEST(grooves, 0, 8)
{
  static const double degrees[] = {89, 60, 45, 20, 7, 1, 0.1, 0.01};
  const region r = slit_of(degrees[_i]);
  const told t = told_of(&r, prism_of(&r), clp_default_pair_options(), 0.5);
  ck_assert_int_eq(t.wrong, 0);
  const int least = degrees[_i] > 2 ? 1900 : degrees[_i] > 0.5 ? 1700 : 0;
  ck_assert_int_gt(t.sides, least);
}
