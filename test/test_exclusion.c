/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/exclusion.h"

#include "support/amount.h"
#include "support/cases.h"
#include "support/meeting.h"
#include "support/octants.h"
#include "support/suite.h"

/* Against answers that are known: reference cases and closed forms. */

/* ---- Reference cases ---------------------------------------------------------------------- */

typedef struct reference_case_limits {
  const char *name;
  int median, most; /* cells */
} reference_case_limits;

static const reference_case_limits references[] = {{"pen_bowl_line", 450, 40000},
                                                   {"pen_bowl_turn", 550, 6000},
                                                   {"pen_bowl_random", 450, 2500},
                                                   {"patch_table1", 40, 100}};
enum { REFERENCES = sizeof references / sizeof *references };

static int compare_ints(const void *left, const void *right)
{
  const int *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static void check_reference(const reference_case *c, int row, meeting *m)
{
  const case_row *known = &c->rows[row];
  place(m, &known->X_WA, &known->X_WB);
  search(m, BUDGET);
  ck_assert_double_le(case_error(c, row, m->result.upper), 1e-9);
  ck_assert_double_le(m->result.lower, known->distance + 1e-9);
  ck_assert_double_le(width(m), TOLERANCE * 1.000001);
  ck_assert(!m->result.inside || known->distance == 0); /* where they touch either is right */
  /* the pen's minima off the plane x = 0 are twins */
  if (m->a->info.closed && m->b->info.closed && fabs(known->point_a.x) > 1e-6 && !known->unique)
    ck_assert(m->result.non_unique);
  if (!known->unique)
    return;
  ck_assert(!m->result.non_unique);
  ck_assert_double_le(clp_distance(clp_transform(known->X_WA, m->jets.a.p), known->point_a), 1e-6);
  ck_assert_double_le(clp_distance(clp_transform(known->X_WA, m->jets.b.p), known->point_b), 1e-6);
}

SUITE("exclusion");

TEST_CASE("reference", 30);

LOOP_TEST(test_reference, 0, REFERENCES)
{
  const reference_case_limits *limits = &references[_i];
  reference_case c = case_load(limits->name);
  int *cells = calloc((size_t)c.count, sizeof *cells);
  meeting m = meeting_of(c.a, c.b);
  for (int k = 0; k < c.count; ++k) {
    check_reference(&c, k, &m);
    cells[k] = m.result.cells;
  }
  qsort(cells, (size_t)c.count, sizeof *cells, compare_ints);
  ck_assert_int_le(cells[c.count / 2], limits->median);
  ck_assert_int_le(cells[c.count - 1], limits->most);
  free(cells);
  meeting_end(&m);
  case_free(&c);
}

TEST_CASE("closed forms", 30);

/* The pen on the bowl's axis: all of the rim is as near, and a small budget cannot prove it. */
TEST(test_circle)
{
  clp_body *bowl = dented_make(DENTED_BOWL), *pen = dented_make(DENTED_PEN);
  meeting m = meeting_of(pen, bowl);
  clp_pose X = clp_pose_identity();
  X.position.z = -8;
  place_at(&m, X);
  double before = 1;
  for (int budget = 1000; budget <= BUDGET; budget *= 10) {
    search(&m, budget);
    ck_assert_int_le(m.result.cells, budget);
    ck_assert_double_eq_tol(m.result.upper, sqrt(32), 1e-12);
    ck_assert_double_le(m.result.lower, sqrt(32));
    ck_assert_double_lt(width(&m), before);
    ck_assert(m.result.non_unique);
    before = width(&m);
  }
  ck_assert_double_le(before, TOLERANCE);
  meeting_end(&m);
  clp_body_destroy(bowl);
  clp_body_destroy(pen);
}

/* ---- Closed forms ------------------------------------------------------------------------- */

TEST(test_torus_point)
{
  random_state g = {5};
  clp_body *torus = dented_make(DENTED_TORUS), *point = dented_make(DENTED_POINT);
  meeting m = meeting_of(torus, point);
  for (int k = 0; k < amount_of(500); ++k) {
    clp_vec3 p = {random_between(&g, -5, 5), random_between(&g, -5, 5), random_between(&g, -2, 2)};
    clp_pose X = clp_pose_identity();
    X.position = clp_sub(p, point->vertices[0].place);
    place_at(&m, X);
    search(&m, BUDGET);
    expect_distance(&m, -dented_inside(DENTED_TORUS, p));
  }
  meeting_end(&m);
  clp_body_destroy(torus);
  clp_body_destroy(point);
}

/* Outside; or overlapping, when the sphere's center is not farther than its radius outside. */
TEST(test_torus_sphere)
{
  random_state g = {6};
  clp_body *torus = dented_make(DENTED_TORUS), *sphere = dented_make(DENTED_SPHERE);
  meeting m = meeting_of(torus, sphere);
  int overlaps = 0;
  for (int k = 0; k < amount_of(500); ++k) {
    clp_pose X = clp_pose_identity();
    X.position = (clp_vec3){random_between(&g, -6, 6), random_between(&g, -6, 6),
                            random_between(&g, -2.5, 2.5)};
    double distance = -dented_inside(DENTED_TORUS, X.position) - 0.7;
    place_at(&m, X);
    search(&m, BUDGET);
    overlaps += distance < 0;
    ck_assert_int_eq(m.result.inside, distance < 0);
    if (distance > 0)
      expect_distance(&m, distance);
    else
      ck_assert(m.result.lower <= distance && distance <= m.result.upper);
  }
  ck_assert_int_gt(overlaps, amount_of(20));
  meeting_end(&m);
  clp_body_destroy(torus);
  clp_body_destroy(sphere);
}

static double box_distance(clp_vec3 p, clp_vec3 lo, clp_vec3 hi)
{
  return clp_norm((clp_vec3){fmax(0, fmax(lo.x - p.x, p.x - hi.x)),
                             fmax(0, fmax(lo.y - p.y, p.y - hi.y)),
                             fmax(0, fmax(lo.z - p.z, p.z - hi.z))});
}

/* To the L-shaped prism, the union of two boxes. */
static double ell_distance(clp_vec3 p)
{
  const clp_vec3 lo = {0, 0, 0}, along_x = {3, 1, 1}, along_y = {1, 3, 1};
  return fmin(box_distance(p, lo, along_x), box_distance(p, lo, along_y));
}

static double segment_distance(double x, double y, double x0, double y0, double x1, double y1)
{
  double dx = x1 - x0, dy = y1 - y0;
  double t = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy);
  t = fmax(0, fmin(1, t));
  return hypot(x - x0 - t * dx, y - y0 - t * dy);
}

/* From inside: to the caps and to the six walls. */
static double ell_depth(clp_vec3 p)
{
  static const double walls[7][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}, {0, 0}};
  double depth = fmin(p.z, 1 - p.z);
  for (int k = 0; k < 6; ++k)
    depth = fmin(depth, segment_distance(p.x, p.y, walls[k][0], walls[k][1], walls[k + 1][0],
                                         walls[k + 1][1]));
  return depth;
}

TEST(test_ell_point)
{
  random_state g = {7};
  clp_body *ell = dented_make(DENTED_ELL), *point = dented_make(DENTED_POINT);
  meeting m = meeting_of(point, ell);
  for (int k = 0; k < amount_of(1000); ++k) {
    clp_vec3 p = {random_between(&g, -1, 4), random_between(&g, -1, 4), random_between(&g, -1, 2)};
    clp_pose X = clp_pose_identity();
    X.position = clp_sub(point->vertices[0].place, p);
    place_at(&m, X);
    search(&m, BUDGET);
    expect_distance(&m, dented_inside(DENTED_ELL, p) > 0 ? -ell_depth(p) : ell_distance(p));
  }
  meeting_end(&m);
  clp_body_destroy(ell);
  clp_body_destroy(point);
}

TEST(test_ell_sphere)
{
  random_state g = {8};
  clp_body *ell = dented_make(DENTED_ELL), *sphere = dented_make(DENTED_SPHERE);
  meeting m = meeting_of(ell, sphere);
  for (int k = 0; k < amount_of(500); ++k) {
    clp_pose X = clp_pose_identity();
    X.position =
        (clp_vec3){random_between(&g, -3, 5), random_between(&g, -3, 5), random_between(&g, -3, 3)};
    double distance = ell_distance(X.position) - 0.7;
    place_at(&m, X);
    search(&m, BUDGET);
    if (distance > 0)
      expect_distance(&m, distance);
    else
      ck_assert(m.result.inside && m.result.lower <= distance);
  }
  meeting_end(&m);
  clp_body_destroy(ell);
  clp_body_destroy(sphere);
}

static clp_body *prism_box(clp_vec3 size)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = size;
  return must_create(&def);
}

/* The distance of two convex bodies: the least over descents from many places. */
static double convex_distance(random_state *g, const clp_body *a, const clp_body *b,
                              const clp_pose *X_WA, const clp_pose *X_WB)
{
  clp_couple couple = clp_couple_make(a, b, X_WA, X_WB);
  double least = HUGE_VAL;
  for (int k = 0; k < 24; ++k) {
    clp_spots spots = {dented_sample(g, a), dented_sample(g, b)};
    least = fmin(least, clp_descend(&couple, &spots, 100, 1e-12, NULL).jets.distance);
  }
  return least;
}

/* Against a box: the nearer one of the two boxes that the prism is made of. */
TEST(test_ell_box)
{
  random_state g = {9};
  clp_body *ell = dented_make(DENTED_ELL), *box = dented_make(DENTED_BOX);
  clp_body *parts[2] = {prism_box((clp_vec3){3, 1, 1}), prism_box((clp_vec3){1, 3, 1})};
  clp_pose X_WA = clp_pose_identity(), X_part[2] = {X_WA, X_WA};
  X_part[0].position = (clp_vec3){1.5, 0.5, 0.5};
  X_part[1].position = (clp_vec3){0.5, 1.5, 0.5};
  meeting m = meeting_of(ell, box);
  for (int k = 0; k < amount_of(300); ++k) {
    clp_pose X = random_place(&g, &m, random_between(&g, 0.8, 1.5));
    if (k % 3 == 0)
      X.rotation = clp_pose_identity().rotation; /* parallel faces and edges */
    place_at(&m, X);
    search(&m, BUDGET);
    if (m.result.inside)
      continue;
    expect_distance(&m, fmin(convex_distance(&g, parts[0], box, &X_part[0], &X),
                             convex_distance(&g, parts[1], box, &X_part[1], &X)));
  }
  meeting_end(&m);
  clp_body_destroy(ell);
  clp_body_destroy(box);
  clp_body_destroy(parts[0]);
  clp_body_destroy(parts[1]);
}

/* ---- Sides -------------------------------------------------------------------------------- */

/* One body wholly inside another one, and in its hole. */
TEST(test_containment)
{
  clp_body *torus = dented_make(DENTED_TORUS), *sphere = dented_make(DENTED_SPHERE);
  clp_body *patch = dented_patch(0.02, false, false, 0);
  meeting m = meeting_of(torus, sphere), open = meeting_of(patch, torus);
  clp_pose X = clp_pose_identity();
  X.position.x = 3.1;
  place_at(&m, X);
  search(&m, BUDGET);
  ck_assert(m.result.inside);
  ck_assert_double_eq_tol(m.jets.distance, 0.2, 1e-9);
  ck_assert_double_le(m.result.lower, -1); /* out of the tube it has a way to go */
  /* In the tube's middle all of a circle is as near, which no cells prove to the last: not known.
   */
  X.position.x = 3;
  place_at(&m, X);
  search(&m, BUDGET);
  ck_assert_double_le(m.result.lower, -1);
  X.position.x = 0;
  place_at(&m, X);
  search(&m, BUDGET);
  ck_assert(!m.result.inside && m.result.non_unique);
  ck_assert_double_eq_tol(m.result.upper, 1.3, 1e-12);
  /* An open surface in a solid is at distance 0, and overlaps with nothing. */
  X.position.x = 3;
  place_at(&open, X);
  search(&open, BUDGET);
  ck_assert(!open.result.inside);
  ck_assert_double_eq(open.result.upper, 0);
  ck_assert_double_eq(open.result.lower, 0);
  meeting_end(&m);
  meeting_end(&open);
  clp_body_destroy(torus);
  clp_body_destroy(sphere);
  clp_body_destroy(patch);
}

/* ---- Near contact, and sizes -------------------------------------------------------------- */

/* A sphere over the torus' outer, inner and upper circles at a gap that must be told from none. */
TEST(test_gaps)
{
  clp_body *torus = dented_make(DENTED_TORUS), *sphere = dented_make(DENTED_SPHERE);
  meeting m = meeting_of(torus, sphere);
  for (int k = 0; k < 10; ++k)
    for (double gap = 1e-3; gap > 1e-10; gap *= 1e-2) {
      double turn = 0.7 * k;
      clp_pose X = {.rotation = clp_rotation_from_rpy(0.3 * k, 0.2, k)};
      X.position = (clp_vec3){3 + (1.7 + gap) * cos(turn), 0, (1.7 + gap) * sin(turn)};
      place_at(&m, X);
      search(&m, BUDGET);
      ck_assert(!m.result.inside);
      ck_assert_double_le(fabs(m.result.upper - gap), 1e-14);
      ck_assert(m.result.lower > 0 && m.result.lower <= gap + 1e-14);
      X.position = (clp_vec3){3 + (1.7 - gap) * cos(turn), 0, (1.7 - gap) * sin(turn)};
      place_at(&m, X);
      search(&m, BUDGET);
      ck_assert(m.result.inside);
    }
  meeting_end(&m);
  clp_body_destroy(torus);
  clp_body_destroy(sphere);
}

/* The same meeting a thousand times smaller and larger takes the same cells. */
TEST(test_sizes)
{
  int cells[3];
  double distances[3];
  for (int k = 0; k < 3; ++k) {
    double scale = pow(1000, k - 1);
    clp_body *a = dented_patch(scale, true, false, 0), *b = dented_patch(scale, false, true, 30);
    meeting m = meeting_of(a, b);
    clp_pose X = {.rotation = clp_rotation_from_rpy(0.1, 0.2, 0.3),
                  .position = {scale, -2 * scale, 0.5 * scale}};
    place_at(&m, X);
    search(&m, BUDGET);
    cells[k] = m.result.cells;
    distances[k] = m.result.upper / scale;
    ck_assert_double_le(width(&m), TOLERANCE);
    meeting_end(&m);
    clp_body_destroy(a);
    clp_body_destroy(b);
  }
  ck_assert_double_eq_tol(distances[0], distances[1], 1e-12);
  ck_assert_double_eq_tol(distances[2], distances[1], 1e-12);
  ck_assert_int_le(abs(cells[0] - cells[1]) + abs(cells[2] - cells[1]), cells[1] / 4);
}

/* ---- Poles -------------------------------------------------------------------------------- */

TEST(test_poles)
{
  clp_body *sphere = make_octants(false), *point = dented_make(DENTED_POINT),
           *box = dented_make(DENTED_BOX);
  meeting m = meeting_of(sphere, point), n = meeting_of(box, sphere);
  for (int k = 0; k < 20; ++k) {
    double off = k == 0 ? 0 : pow(10, -0.5 * k), distance = 0.5 + 0.1 * k;
    clp_vec3 p = {(1 + distance) * sin(off), 0, (1 + distance) * cos(off)};
    clp_pose X = clp_pose_identity();
    X.position = clp_sub(p, point->vertices[0].place);
    place_at(&m, X);
    search(&m, BUDGET);
    expect_distance(&m, distance);
    ck_assert_int_le(m.result.cells, 2000);
    X.position = (clp_vec3){off, 0, -1.3 - distance};
    place_at(&n, X);
    search(&n, BUDGET);
    expect_distance(&n, distance);
    ck_assert_int_le(n.result.cells, 5000);
  }
  meeting_end(&m);
  meeting_end(&n);
  clp_body_destroy(sphere);
  clp_body_destroy(point);
  clp_body_destroy(box);
}
