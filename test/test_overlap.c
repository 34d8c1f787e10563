/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two convex bodies overlap: against closed forms, separating axes and the search over all
 * directions. A verdict must never be wrong; it may be open only next to contact. */

#include "rclc_closest_point/depth/overlap.h"

#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/depth/support.h"
#include "support/cases.h"
#include "support/solids.h"
#include "support/suite.h"

/* How often each verdict was given. */
typedef struct verdicts {
  int count[3];
} verdicts;

/* `s` has the sign of the signed distance, whose rounding `slack` is. */
static clp_overlap_end expect_verdict(const clp_couple *c, clp_vec3 n, double s, double slack)
{
  clp_overlap o = clp_overlap_test(c, n);
  ck_assert_msg(o.end != CLP_OVERLAP_PROVEN || s <= slack, "overlap, but %g apart", s);
  ck_assert_msg(o.end != CLP_OVERLAP_NONE || s >= -slack, "none, but %g deep", -s);
  return o.end;
}

static const double gaps[] = {1e-9, -1e-9, 1e-8, -1e-8, 1e-7, -1e-7, 1e-6, -1e-6};
enum { GAPS = sizeof gaps / sizeof *gaps };

/* ---- Round bodies ------------------------------------------------------------------------- */

SUITE("overlap");

TEST_CASE("closed forms", 20);

/* Next to contact the simplex may end in a stalemate; a hundredth of the size away it may not. */
TEST(spheres)
{
  random_state g = {1};
  solid a = make_ellipsoid(0.5, 0.5, 0.5), b = make_ellipsoid(0.3, 0.3, 0.3);
  verdicts far = {{0}};
  for (int k = 0; k < 4000; ++k) {
    double gap = k % 2 ? random_between(&g, -0.75, 1) : gaps[k / 2 % GAPS];
    clp_pose X = {.rotation = clp_pose_identity().rotation,
                  .position = clp_scale(0.8 + gap, random_direction(&g))};
    clp_couple c = couple_at(a.body, b.body, &X);
    clp_overlap_end end = expect_verdict(&c, random_direction(&g), gap, 2e-15);
    if (fabs(gap) > 1e-2)
      ++far.count[end];
  }
  ck_assert_int_eq(far.count[CLP_OVERLAP_OPEN], 0);
  ck_assert_int_gt(far.count[CLP_OVERLAP_PROVEN], 500);
  ck_assert_int_gt(far.count[CLP_OVERLAP_NONE], 500);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* Of a point at p. */
static double cylinder_distance(double radius, double length, clp_vec3 p)
{
  double r = hypot(p.x, p.y) - radius, z = fabs(p.z) - 0.5 * length;
  return r > 0 && z > 0 ? hypot(r, z) : fmax(r, z);
}

/* A wire of a millimeter, two meters long, and a bead that may be smaller still. */
TEST(needle_and_bead)
{
  random_state g = {2};
  const double radius = 5e-4, length = 2;
  solid wire = make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, radius, length);
  verdicts v = {{0}};
  for (int k = 0; k < 300; ++k) {
    double r = pow(10, random_between(&g, -5, -1));
    solid bead = make_ellipsoid(r, r, r);
    for (int i = 0; i < 10; ++i) {
      clp_vec3 p = clp_scale(random_between(&g, 0, 2) * (radius + r), random_direction(&g));
      p.z += random_between(&g, -1.05, 1.05);
      clp_pose X = {.rotation = clp_pose_identity().rotation, .position = p};
      clp_couple c = couple_at(wire.body, bead.body, &X);
      double s = cylinder_distance(radius, length, p) - r;
      ++v.count[expect_verdict(&c, random_direction(&g), s, 4e-15)];
    }
    clp_body_destroy(bead.body);
  }
  ck_assert_int_gt(v.count[CLP_OVERLAP_PROVEN], 1000);
  ck_assert_int_gt(v.count[CLP_OVERLAP_NONE], 1000);
  ck_assert_int_le(v.count[CLP_OVERLAP_OPEN], 30);
  clp_body_destroy(wire.body);
}

/* ---- Boxes -------------------------------------------------------------------------------- */

/* Boxes at random, moved along their best axis until they are `gap` apart there. */
static void check_boxes(const solid *a, const solid *b, random_state *g, verdicts *v)
{
  for (int k = 0; k < 1500; ++k) {
    clp_pose X = random_pose_within(g, 0.6 * (a->body->radius + b->body->radius));
    if (k % 4 == 0)
      X.rotation = clp_pose_identity().rotation; /* parallel faces and edges */
    clp_vec3 n;
    double s = separating_axes(a, b, &X, &n);
    if (k % 2) {
      X.position = clp_add_scaled(X.position, gaps[k / 2 % GAPS] - s, n);
      s = separating_axes(a, b, &X, &n);
    }
    clp_couple c = couple_at(a->body, b->body, &X);
    clp_overlap_end end = expect_verdict(&c, random_direction(g), s, 1e-14);
    ck_assert_msg(end != CLP_OVERLAP_OPEN || fabs(s) < 1e-9, "open at %g", s);
    ++v->count[end];
  }
}

LOOP_TEST(boxes, 0, 3)
{
  static const clp_vec3 sizes[3][2] = {{{1, 0.8, 0.6}, {0.7, 1.1, 0.3}},
                                       {{1, 1e-3, 1e-3}, {1e-3, 2, 1e-3}},
                                       {{2, 2, 2e-3}, {1, 1, 1}}};
  random_state g = {3 + (uint64_t)_i};
  clp_vec3 s = sizes[_i][0], t = sizes[_i][1];
  solid a = make_box(s.x, s.y, s.z), b = make_box(t.x, t.y, t.z);
  verdicts v = {{0}};
  check_boxes(&a, &b, &g, &v);
  ck_assert_int_gt(v.count[CLP_OVERLAP_PROVEN], 300);
  ck_assert_int_gt(v.count[CLP_OVERLAP_NONE], 300);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* ---- Symmetric positions ------------------------------------------------------------------ */

TEST_CASE("others", 30);

/* The origin lies on vertices, edges and faces of the simplices. */
TEST(symmetric)
{
  solid kinds[KINDS];
  make_kinds(kinds);
  const clp_vec3 directions[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0.6, 0.8, 0}, {0, 0.6, 0.8}};
  for (int i = 0; i < KINDS; ++i)
    for (int k = 0; k < KINDS - 1; ++k)
      for (int d = 0; d < 5; ++d)
        for (int at = 0; at < 3; ++at) {
          clp_pose X = clp_pose_identity();
          X.position = (clp_vec3){0.1 * (at == 1), 0, 0.1 * (at == 2)};
          clp_couple c = couple_at(kinds[i].body, kinds[k].body, &X);
          ck_assert_int_eq(clp_overlap_test(&c, directions[d]).end, CLP_OVERLAP_PROVEN);
        }
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* ---- All kinds ---------------------------------------------------------------------------- */

/* Against the search over all directions; the direction of a verdict NONE separates by closed
 * forms. */
TEST(all_kinds)
{
  solid kinds[KINDS];
  make_kinds(kinds);
  random_state g = {15};
  verdicts v = {{0}};
  for (int k = 0; k < 3000; ++k) {
    const solid *a = &kinds[random_bits(&g) % KINDS], *b = &kinds[random_bits(&g) % KINDS];
    clp_pose X = random_pose_within(&g, 1.6);
    clp_couple c = couple_at(a->body, b->body, &X);
    clp_spots spots;
    double s = clp_penetration_search(&c, &spots).s;
    clp_overlap o = clp_overlap_test(&c, random_direction(&g));
    ++v.count[o.end];
    if (o.end == CLP_OVERLAP_PROVEN)
      ck_assert_double_le(s, 1e-12);
    else if (o.end == CLP_OVERLAP_NONE)
      ck_assert_double_gt(gap_along(a, b, &X, o.n), -1e-14);
    else
      ck_assert_double_le(fabs(s), 1e-3); /* nearly touching, and round */
  }
  ck_assert_int_gt(v.count[CLP_OVERLAP_PROVEN], 800);
  ck_assert_int_gt(v.count[CLP_OVERLAP_NONE], 800);
  ck_assert_int_le(v.count[CLP_OVERLAP_OPEN], 10);
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* Points and regions of a plane: the signed distance is in the reference. */
LOOP_TEST(planar, 0, 5)
{
  static const char *const names[] = {"planar_point_0", "planar_point_1", "planar_point_2",
                                      "planar_pair_0", "planar_pair_1"};
  reference_case r = case_load(names[_i]);
  for (int k = 0; k < r.count; ++k) {
    clp_couple c = case_couple(&r, k);
    double s = r.rows[k].distance;
    clp_overlap_end end = expect_verdict(&c, (clp_vec3){0.6, 0.8, 0}, s, 1e-9);
    ck_assert(end != CLP_OVERLAP_OPEN || fabs(s) < 1e-3);
  }
  case_free(&r);
}

/* ---- Next to contact ---------------------------------------------------------------------- */

/* Of round bodies that are put `gap` apart along n, or overlap by that. */
static clp_couple couple_along(const solid *a, const solid *b, clp_vec3 n, double gap,
                               random_state *g)
{
  clp_pose X = {.rotation = random_pose_within(g, 1).rotation};
  clp_support f = clp_support_find(a->body, n);
  clp_support h = clp_support_find(b->body, clp_negate(clp_rotate_back(X.rotation, n)));
  X.position = clp_sub(clp_add_scaled(f.p, gap, n), clp_rotate(X.rotation, h.p));
  return couple_at(a->body, b->body, &X);
}

/* What the test leaves open is mostly told from the direction in which they overlap least. */
TEST(next_to_contact)
{
  random_state g = {16};
  solid kinds[KINDS];
  make_kinds(kinds);
  int alone = 0;
  for (int k = 0; k < 4000; ++k) {
    const solid *a = &kinds[k % 2 ? 1 : 3], *b = &kinds[1 + random_bits(&g) % 3];
    clp_vec3 n = random_direction(&g);
    double gap = pow(10, random_between(&g, -12, -6));
    clp_couple deep = couple_along(a, b, n, -gap, &g), apart = couple_along(a, b, n, gap, &g);
    bool told = clp_overlap_next_to(&deep, n, gap);
    alone += told;
    ck_assert_msg(told || clp_overlap_test(&deep, n).end == CLP_OVERLAP_PROVEN,
                  "%g deep, not proven", gap);
    ck_assert_msg(!clp_overlap_next_to(&apart, n, gap), "%g apart, and proven to overlap", gap);
  }
  ck_assert_int_gt(alone, 3600);
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* Planes square to most directions do not separate bodies that are apart. */
TEST(a_maximum_proves_nothing)
{
  random_state g = {17};
  solid kinds[KINDS];
  make_kinds(kinds);
  int wrong_ways = 0;
  for (int k = 0; k < 4000; ++k) {
    const solid *a = &kinds[k % 2 ? 1 : 3], *b = &kinds[1 + random_bits(&g) % 3];
    double gap = pow(10, random_between(&g, -6, 0));
    clp_couple c = couple_along(a, b, random_direction(&g), gap, &g);
    clp_peak peak = clp_peak_along(&c, random_direction(&g));
    wrong_ways += peak.depth.s < 0;
    clp_peak_confirm(&c, &peak, CLP_ALIGN_QUERY);
    ck_assert_msg(!peak.depth.overlaps, "%g apart, and proven to overlap", gap);
  }
  ck_assert_int_gt(wrong_ways, 1000);
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* ---- From cycle to cycle -------------------------------------------------------------------- */

TEST_CASE("cycles", 20);

/* A ball on its way through another one and out: what the last test has left proves most of them,
 * without a farthest point, and never what is not so. */
TEST(what_is_left_proves_it_again)
{
  random_state g = {19};
  solid a = make_ellipsoid(0.5, 0.5, 0.5), b = make_ellipsoid(0.3, 0.3, 0.3);
  int proven = 0, at_once = 0, apart = 0;
  for (int k = 0; k < 40; ++k) {
    clp_common common = {.count = 0};
    clp_vec3 way = random_direction(&g), aside = clp_scale(0.2, random_direction(&g));
    for (int i = -100; i <= 100; ++i) {
      clp_pose X = {.rotation = clp_pose_identity().rotation,
                    .position = clp_add_scaled(aside, 0.012 * i, way)};
      clp_effort effort = {1000000};
      clp_couple c = couple_at(a.body, b.body, &X);
      c.effort = &effort;
      c.common = &common;
      clp_overlap_end end =
          expect_verdict(&c, random_direction(&g), clp_norm(X.position) - 0.8, 2e-15);
      proven += end == CLP_OVERLAP_PROVEN;
      at_once += end == CLP_OVERLAP_PROVEN && effort.left == 1000000 - CLP_EFFORT_SIMPLEX;
      apart += end == CLP_OVERLAP_NONE;
    }
  }
  ck_assert_int_gt(apart, 1000);
  ck_assert_int_gt(at_once, proven / 2);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* Without effort nothing is looked at, and nothing said. */
TEST(without_effort_it_is_open)
{
  solid a = make_ellipsoid(0.5, 0.5, 0.5);
  clp_pose X = {.rotation = clp_pose_identity().rotation, .position = {0.1, 0, 0}};
  for (int left = 0; left < 2; ++left) {
    clp_effort effort = {left * 1000000};
    clp_couple c = couple_at(a.body, a.body, &X);
    c.effort = &effort;
    clp_overlap_end end = clp_overlap_test(&c, (clp_vec3){1, 0, 0}).end;
    ck_assert_int_eq(end, left ? CLP_OVERLAP_PROVEN : CLP_OVERLAP_OPEN);
  }
  clp_body_destroy(a.body);
}
