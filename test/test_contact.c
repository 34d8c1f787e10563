/* SPDX-License-Identifier: Apache-2.0 */
/* Signed distances that are followed: two bodies through contact, and a point in a body. */

#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/depth/extremal.h"
#include "support/amount.h"
#include "support/cases.h"
#include "support/facets.h"
#include "support/octants.h"
#include "support/solids.h"
#include "support/suite.h"

/* ---- Through contact ---------------------------------------------------------------------- */

typedef struct motion {
  clp_vec3 from, to, turn;
} motion;

static clp_pose pose_at(const motion *m, double t)
{
  return (clp_pose){clp_rotation_from_rpy(m->turn.x * t, m->turn.y * t, m->turn.z * t),
                    clp_lerp(m->from, m->to, t)};
}

SUITE("contact");

TEST_CASE("two bodies", 60);

/* One iteration per millisecond, at half a meter per second. */
TEST(ellipsoids_through_contact)
{
  solid a = make_ellipsoid(1, 0.7, 0.5), b = make_ellipsoid(0.6, 0.4, 0.9);
  const motion m = {{1.75, 0.2, 0.1}, {1.25, -0.1, 0.2}, {0.3, 0.4, -0.2}};
  clp_spots spots, settled;
  clp_pose X = pose_at(&m, 0);
  clp_couple c = couple_at(a.body, b.body, &X);
  clp_depth d = clp_penetration_search(&c, &spots), before = d;
  ck_assert_double_gt(d.s, 0.1);
  for (int k = 1; k <= 1000; ++k) {
    X = pose_at(&m, 1e-3 * k);
    c = couple_at(a.body, b.body, &X);
    d = clp_penetration_follow(&c, &spots, before.normal, 1);
    ck_assert(d.found);
    ck_assert_int_le(d.iterations, 2); /* and one for witnesses that face each other */
    settled = spots;
    clp_depth exact = clp_penetration_follow(&c, &settled, d.normal, 20);
    ck_assert_double_le(clp_distance(d.normal, exact.normal), 1e-6);
    ck_assert_double_eq_tol(d.s, exact.s, 1e-12);
    ck_assert_double_ge(d.lower, exact.s - 1e-5);
    ck_assert_double_le(fabs(d.s - before.s), 1.2e-3);
    ck_assert_double_le(clp_distance(d.normal, before.normal), 2e-3);
    before = d;
  }
  ck_assert_double_lt(d.s, -0.2);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* The error is squared from one iteration to the next, also where the bodies just touch. */
TEST(quadratic_convergence)
{
  solid a = make_ellipsoid(1, 0.7, 0.5), b = make_ellipsoid(0.6, 0.4, 0.9);
  const motion m = {{1.6, 0.2, 0.1}, {1.3, -0.1, 0.2}, {0.3, 0.4, -0.2}};
  clp_pose X = pose_at(&m, 0.3);
  for (int k = 0; k < 3; ++k) {
    clp_couple c = couple_at(a.body, b.body, &X);
    clp_spots spots;
    clp_depth exact = clp_penetration_search(&c, &spots);
    clp_vec3 aside, other;
    clp_tangents(exact.normal, &aside, &other);
    clp_vec3 n = clp_unit(clp_add_scaled(exact.normal, 1e-2, aside));
    spots.a.site = clp_surface_step(&a.body->faces[0].surface, spots.a.site, 1e-2, -1e-2);
    clp_extremal e = clp_extremal_start(&c, &spots, n);
    double error = 1e-2;
    for (int i = 0; i < 4; ++i) {
      clp_extremal_iterate(&e, 1, 0);
      double next = clp_distance(e.n, exact.normal);
      ck_assert_double_le(next, fmax(10 * error * error, 1e-15));
      error = next;
    }
    ck_assert_double_le(error, 1e-15);
    if (k == 0) /* apart, touching, overlapping */
      X.position = clp_add_scaled(X.position, -exact.s, exact.normal);
    else
      X.position = clp_add_scaled(X.position, -0.2, exact.normal);
  }
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

typedef struct approach {
  const char *a, *b;
  motion m;
} approach;

/* Faces that curve, edges, rims and corners; each ends a tenth or so deep. */
static const approach approaches[] = {
    {"sphere6", "topbox", {{1.3, 0.1, 0.2}, {0.7, 0.15, 0.1}, {0.4, 0.3, -0.5}}},
    {"sphere6", "lemon", {{0.2, 1.4, 0.1}, {0.1, 0.7, 0.1}, {0.2, 0.6, 0.3}}},
    {"lemon", "topbox", {{1.1, 0.2, 0.3}, {0.6, 0.3, 0.2}, {-0.3, 0.5, 0.2}}},
    {"topbox", "topbox", {{0.1, 0.2, 1.2}, {0.2, 0.1, 0.6}, {0.3, -0.2, 0.4}}},
    {"topbox", "sphere6", {{-1.4, 0.3, 0.1}, {-0.8, 0.3, 0}, {0.5, 0.2, 0.2}}},
};

/* Depth and normal stay continuous, and until the pair is deep it is the best there is. */
LOOP_TEST(tiled_bodies_through_contact, 0, (int)(sizeof approaches / sizeof *approaches))
{
  const approach *m = &approaches[_i];
  clp_body *a = make_tiled(m->a), *b = make_tiled(m->b);
  clp_spots spots, best;
  clp_pose X = pose_at(&m->m, 0);
  clp_couple c = couple_at(a, b, &X);
  clp_depth d = clp_penetration_search(&c, &spots), before = d;
  ck_assert_double_gt(d.s, 0.01);
  int touching = 0;
  for (int k = 1; k <= 1000; ++k) {
    X = pose_at(&m->m, 1e-3 * k);
    c = couple_at(a, b, &X);
    d = clp_penetration_follow(&c, &spots, before.normal, 8);
    expect_sound(&c, &spots, &d, 1e-10);
    ck_assert_double_le(fabs(d.s - before.s), 2e-3);
    if (fabs(d.s) < 0.01) {
      ck_assert_double_le(clp_distance(d.normal, before.normal), 5e-3);
      ++touching;
    }
    if (k % 20 == 0)
      ck_assert_double_eq_tol(d.s, clp_penetration_search(&c, &best).s, 1e-10);
    before = d;
  }
  ck_assert_int_gt(touching, 10);
  ck_assert_double_lt(d.s, -0.05);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* Straight through and out at the other side: the followed pair must not stay inside. */
TEST(through_and_out)
{
  solid kinds[KINDS];
  make_kinds(kinds);
  random_state g = {11};
  for (int path = 0, count = amount_of(60); path < count; ++path) {
    const solid *a = &kinds[random_bits(&g) % 4], *b = &kinds[random_bits(&g) % 4];
    clp_vec3 way = clp_scale(2, random_direction(&g));
    clp_vec3 off = clp_scale(random_between(&g, 0, 0.4), random_direction(&g));
    const motion m = {clp_sub(off, way), clp_add(off, way), random_direction(&g)};
    clp_spots spots, best;
    clp_depth d = {.found = false};
    for (int k = 0; k <= 400; ++k) {
      clp_pose X = pose_at(&m, k / 400.0);
      clp_couple c = couple_at(a->body, b->body, &X);
      if (d.found)
        d = clp_penetration_follow(&c, &spots, d.normal, 8);
      if (!d.found)
        d = clp_penetration_search(&c, &spots);
      double truth = clp_penetration_search(&c, &best).s;
      ck_assert_double_le(d.s, truth + 1e-9);
      if (truth > 1e-9)
        ck_assert_double_eq_tol(d.s, truth, 1e-9);
    }
  }
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* Bodies that jump to where they touch, but for rounding, are not deep in each other. */
TEST(shells_that_touch)
{
  clp_body *a = make_octants(true), *b = make_octants(true);
  clp_pair *pair = NULL;
  random_state g = {29};
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &pair), CLP_OK);
  for (int k = 0; k < 150; ++k) {
    clp_pose X = random_pose_within(&g, 3), Y = random_pose_within(&g, 3);
    Y.position = clp_add_scaled(X.position, 3, random_direction(&g));
    clp_pair_track(pair, &X, &Y, NULL, NULL, 1e-3);
    X = random_pose_within(&g, 3);
    Y.position = clp_add_scaled(X.position, 2 + 1e-14, random_direction(&g));
    for (int cycle = 0; cycle < 3; ++cycle)
      ck_assert_double_ge(clp_pair_track(pair, &X, &Y, NULL, NULL, 1e-3).distance, -1e-12);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* ---- Points ------------------------------------------------------------------------------- */

/* Of a point at p in the box. */
static double box_distance(const solid *box, clp_vec3 p)
{
  double x = 0.5 * box->size.x - fabs(p.x), y = 0.5 * box->size.y - fabs(p.y),
         z = 0.5 * box->size.z - fabs(p.z);
  return -fmin(x, fmin(y, z));
}

/* The nearest point of a spline's face by ever finer grids about the best. */
static double nearest_on_face(const clp_face *face, clp_vec3 p)
{
  double lo[2] = {face->domain.lo[0], face->domain.lo[1]};
  double width[2] = {face->domain.hi[0] - lo[0], face->domain.hi[1] - lo[1]};
  double best = HUGE_VAL, at[2] = {0, 0};
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i <= 40; ++i)
      for (int k = 0; k <= 40; ++k) {
        clp_site site = {{lo[0] + width[0] * i / 40, lo[1] + width[1] * k / 40, 0}};
        for (int axis = 0; axis < 2; ++axis)
          site.c[axis] = fmin(face->domain.hi[axis], fmax(face->domain.lo[axis], site.c[axis]));
        double distance = clp_distance(p, clp_surface_point(&face->surface, site));
        if (distance < best) {
          best = distance;
          at[0] = site.c[0];
          at[1] = site.c[1];
        }
      }
    for (int axis = 0; axis < 2; ++axis) {
      width[axis] *= 0.1;
      lo[axis] = at[axis] - 0.5 * width[axis];
    }
  }
  return best;
}

TEST_CASE("points", 30);

/* A path that leads through the box and across its medial axis several times, with the point as
 * either of the two bodies. */
LOOP_TEST(point_through_box, 0, 2)
{
  solid box = make_box(1, 0.8, 0.6), point = make_point();
  clp_spots spots;
  clp_depth d = {.found = false};
  for (int k = 0; k <= 4000; ++k) {
    double t = 1e-3 * k;
    clp_vec3 p = {0.45 * sin(3 * t), 0.35 * cos(5 * t), 0.28 * sin(7 * t)};
    clp_pose X = {clp_rotation_from_rpy(t, 2 * t, 0), p};
    clp_pose I = clp_pose_identity();
    clp_couple c = _i == 0 ? couple_at(box.body, point.body, &X)
                           : clp_couple_make(point.body, box.body, &X, &I);
    d = d.found ? clp_penetration_follow(&c, &spots, d.normal, 2)
                : clp_penetration_search(&c, &spots);
    ck_assert_double_eq_tol(d.s, box_distance(&box, p), 1e-14);
    expect_sound(&c, &spots, &d, 1e-13);
  }
  clp_body_destroy(box.body);
  clp_body_destroy(point.body);
}

/* That there are many faces costs no more than to look at each of them. */
TEST(point_in_many_faces)
{
  clp_body *prism = make_prism(2500);
  solid point = make_point();
  random_state g = {23};
  for (int k = 0; k < 40; ++k) {
    clp_pose X = random_pose_within(&g, 0.3);
    clp_effort effort = {1000000};
    clp_couple c = couple_at(prism, point.body, &X);
    c.effort = &effort;
    clp_peak peak = clp_peak_along(&c, random_direction(&g));
    clp_peak_compare_faces(&c, &peak);
    ck_assert_int_gt(effort.left, 0);
    double truth = -HUGE_VAL;
    for (uint32_t f = 0; f < prism->face_count; ++f) {
      const clp_face *face = &prism->faces[f];
      clp_site site = clp_domain_middle(&face->surface, &face->domain);
      clp_vec3 n = clp_surface_normal(&face->surface, &face->domain, site);
      truth = fmax(truth, clp_dot(n, clp_sub(X.position, clp_surface_point(&face->surface, site))));
    }
    ck_assert_double_eq_tol(peak.depth.s, truth, 1e-12);
  }
  clp_body_destroy(prism);
  clp_body_destroy(point.body);
}

LOOP_TEST(point_through_tiled_body, 0, 2)
{
  clp_body *body = make_tiled(_i == 0 ? "topbox" : "lemon");
  solid point = make_point();
  clp_spots spots;
  clp_depth d = {.found = false};
  double size = _i == 0 ? 1 : 0.6;
  for (int k = 0; k <= 600; ++k) {
    double t = 5e-3 * k;
    clp_pose X = clp_pose_identity();
    X.position = (clp_vec3){0.4 * size * sin(3 * t), 0.3 * size * cos(5 * t), 0.25 * sin(7 * t)};
    clp_couple c = couple_at(body, point.body, &X);
    d = d.found ? clp_penetration_follow(&c, &spots, d.normal, 4)
                : clp_penetration_search(&c, &spots);
    double nearest = HUGE_VAL;
    for (uint32_t f = 0; k % 10 == 0 && f < body->face_count; ++f)
      nearest = fmin(nearest, nearest_on_face(&body->faces[f], X.position));
    if (k % 10 == 0)
      ck_assert_double_eq_tol(d.s, -nearest, 1e-10);
    expect_sound(&c, &spots, &d, 1e-10);
  }
  clp_body_destroy(body);
  clp_body_destroy(point.body);
}

/* The nearest point of an ellipsoid has x_i = r_i^2 p_i / (r_i^2 + t), with t the largest root of
 * sum (r_i p_i / (r_i^2 + t))^2 = 1, found by halving. */
static double ellipsoid_depth(clp_vec3 radii, clp_vec3 p)
{
  const double r[3] = {radii.x, radii.y, radii.z}, q[3] = {p.x, p.y, p.z};
  double least = fmin(r[0], fmin(r[1], r[2])), lo = -least * least, hi = 0;
  for (int k = 0; k < 200; ++k) {
    double t = 0.5 * (lo + hi), sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += pow(r[i] * q[i] / (r[i] * r[i] + t), 2);
    *(sum > 1 ? &lo : &hi) = t;
  }
  clp_vec3 x = {r[0] * r[0] * q[0] / (r[0] * r[0] + hi), r[1] * r[1] * q[1] / (r[1] * r[1] + hi),
                r[2] * r[2] * q[2] / (r[2] * r[2] + hi)};
  return clp_distance(x, p);
}

/* What is inside a convex solid of revolution with straight sides is as deep as the nearest side of
 * its profile, extended: a cone of height 2 on a base of radius 1 at z = 0. */
static double cone_depth(clp_vec3 p)
{
  return fmin(p.z, ((1 - hypot(p.x, p.y)) * 2 - p.z) / sqrt(5));
}

static clp_body *make_cone(void)
{
  const clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = 1, .z = 0},
                                      {.kind = CLP_PROFILE_LINE, .r = 0, .z = 2}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, 0, pieces, 2};
  return must_create(&def);
}

/* The point on its way through the medial axis, again and again. */
static clp_vec3 winding(double t, clp_vec3 middle, clp_vec3 reach)
{
  return clp_add(middle,
                 (clp_vec3){reach.x * sin(3 * t), reach.y * cos(5 * t), reach.z * sin(7 * t)});
}

/* Followed at every step, and found anew where that was lost; says how often it was. */
static int follow_point(const clp_body *body, const solid *point, bool second, clp_vec3 middle,
                        clp_vec3 reach, double (*depth)(clp_vec3))
{
  clp_spots spots;
  clp_depth d = {.found = false};
  int lost = 0;
  for (int k = 0; k <= 4000; ++k) {
    clp_vec3 p = winding(1e-3 * k, middle, reach);
    clp_pose I = clp_pose_identity(), X = {clp_rotation_from_rpy(1e-3 * k, 2e-3 * k, 0), p};
    clp_couple c = second ? clp_couple_make(point->body, body, &X, &I)
                          : clp_couple_make(body, point->body, &I, &X);
    if (d.found)
      d = clp_penetration_follow(&c, &spots, d.normal, 8);
    if (!d.found) {
      d = clp_penetration_search(&c, &spots);
      ++lost;
    }
    ck_assert_msg(fabs(d.s + depth(p)) <= 1e-11, "%d: %.15g, expected %.15g", k, d.s, -depth(p));
    expect_sound(&c, &spots, &d, 1e-10);
  }
  return lost;
}

static const clp_vec3 radii = {1, 0.7, 0.5};

static double depth_in_ellipsoid(clp_vec3 p)
{
  return ellipsoid_depth(radii, p);
}

LOOP_TEST(point_through_ellipsoid, 0, 2)
{
  solid point = make_point(), body = make_ellipsoid(radii.x, radii.y, radii.z);
  ck_assert_int_le(follow_point(body.body, &point, _i == 1, (clp_vec3){0, 0, 0},
                                (clp_vec3){0.6, 0.4, 0.2}, depth_in_ellipsoid),
                   1);
  clp_body_destroy(body.body);
  clp_body_destroy(point.body);
}

LOOP_TEST(point_through_cone, 0, 2)
{
  solid point = make_point();
  clp_body *body = make_cone();
  ck_assert_int_le(follow_point(body, &point, _i == 1, (clp_vec3){0, 0, 0.7},
                                (clp_vec3){0.3, 0.25, 0.65}, cone_depth),
                   1);
  clp_body_destroy(body);
  clp_body_destroy(point.body);
}

/* The nearest point of a region's boundary: samples, then ever finer ones about the best. */
static double planar_depth(const clp_body *body, clp_vec3 p)
{
  double best = HUGE_VAL;
  for (uint32_t e = 0; e < body->edge_count; ++e) {
    double lo = 0, width = 1, nearest = HUGE_VAL, at = 0;
    for (int round = 0; round < 20; ++round) {
      for (int i = 0; i <= 60; ++i) {
        double t = fmin(1, fmax(0, lo + width * i / 60));
        clp_curve_site site = clp_edge_fraction(&body->edges[e], t);
        double distance = clp_distance(p, clp_curve_point(&body->edges[e].curve, site));
        if (distance < nearest) {
          nearest = distance;
          at = t;
        }
      }
      width *= 0.1;
      lo = at - 0.5 * width;
    }
    best = fmin(best, nearest);
  }
  return best;
}

LOOP_TEST(point_through_region, 0, 3)
{
  static const char *const names[] = {"planar_pair_0", "planar_pair_1", "planar_point_0"};
  reference_case r = case_load(names[_i]);
  const clp_body *body = r.a->info.planar ? r.a : r.b;
  solid point = make_point();
  clp_spots spots;
  clp_depth d = {.found = false};
  for (int k = 0; k <= 2000; ++k) {
    clp_vec3 reach = {0.35 * body->radius, 0.3 * body->radius, 0};
    clp_pose I = clp_pose_identity(), X = I;
    X.position = winding(2e-3 * k, body->center, reach);
    X.position.z = 0;
    clp_couple c = k % 2000 < 1000 ? clp_couple_make(body, point.body, &I, &X)
                                   : clp_couple_make(point.body, body, &X, &I);
    d = d.found && k % 1000 > 0 ? clp_penetration_follow(&c, &spots, d.normal, 8)
                                : clp_penetration_search(&c, &spots);
    double depth = planar_depth(body, X.position);
    ck_assert_msg(fabs(d.s + depth) <= 1e-12, "%d: off by %g", k, d.s + depth);
    expect_sound(&c, &spots, &d, 1e-10);
  }
  clp_body_destroy(point.body);
  case_free(&r);
}
