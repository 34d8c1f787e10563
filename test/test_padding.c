/* SPDX-License-Identifier: Apache-2.0 */
/* Padded bodies against the same bodies tiled, against closed forms, and against what their cores
 * answer: apart, overlapping a little and deeply; asked, tracked, side by side and in scenes. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/pair/batch.h"
#include "rclc_closest_point/pair/pair.h"
#include "rclc_closest_point/scene.h"
#include "support/amount.h"
#include "support/bodies.h"
#include "support/dented.h"
#include "support/rounded_box.h"
#include "support/solids.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;
static const clp_pose identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

/* ---- Bodies ------------------------------------------------------------------------------- */

static clp_body_def box_def(clp_vec3 size, double padding)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = size;
  def.padding = padding;
  return def;
}

static clp_body *padded_box(clp_vec3 size, double padding)
{
  clp_body_def def = box_def(size, padding);
  return must_create(&def);
}

static clp_body *tiled_box(clp_vec3 size, double radius)
{
  rounded_box tiles;
  rounded_box_define(&tiles, size, radius);
  return must_create(&tiles.def);
}

/* Five kinds of cores, and how high each is along a direction. */
enum { CORES = 6, CORE_PAIRS = CORES * CORES };

static solid padded_solid(int kind, double padding)
{
  static const clp_shape shapes[CORES] = {CLP_SHAPE_BOX,      CLP_SHAPE_ELLIPSOID,
                                          CLP_SHAPE_CYLINDER, CLP_SHAPE_CAPSULE,
                                          CLP_SHAPE_POINT,    CLP_SHAPE_SPHERE};
  clp_body_def def = clp_default_body_def(shapes[kind]);
  def.size = kind == 4 ? (clp_vec3){0, 0, 0} : (clp_vec3){0.5, 0.7, 0.4};
  def.radius = 0.3;
  def.length = kind == 5 ? 0 : 0.8;
  def.padding = padding;
  return (solid){kind == 5 ? CLP_SHAPE_CAPSULE : shapes[kind], def.size, def.radius, def.length,
                 must_create(&def)};
}

static clp_body *padded_hull(double padding, double stretch)
{
  static const int faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, sizes[] = {3, 3, 3, 3};
  double vertices[] = {-0.3, -0.2, -0.2, 0.4, -0.1, -0.25, -0.1, 0.5, -0.2, 0, 0.1, 0.4 * stretch};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices, 4, faces, sizes, 4};
  def.padding = padding;
  return must_create(&def);
}

static clp_pair *pair_of(const clp_body *a, const clp_body *b, double tolerance)
{
  clp_pair_options options = clp_default_pair_options();
  clp_pair *pair = NULL;
  options.tolerance = tolerance;
  ck_assert_int_eq(clp_pair_create(a, b, &options, &pair), CLP_OK);
  return pair;
}

/* ---- What has to hold of every answer ------------------------------------------------------ */

static void expect_answer(const clp_answer *answer)
{
  clp_vec3 way = clp_sub(answer->point_b, answer->point_a);
  clp_vec3 off = clp_add_scaled(way, -answer->distance, answer->normal);
  ck_assert_double_le(answer->lower_bound, answer->distance);
  ck_assert_double_eq_tol(clp_norm(answer->normal), 1, 1e-12);
  ck_assert_msg(clp_norm(off) <= 1e-8, "the normal leads %g past the witness", clp_norm(off));
  ck_assert_int_eq(answer->status == CLP_PENETRATING, answer->distance < 0);
}

static void expect_distance(const clp_answer *answer, double truth, double tolerance)
{
  expect_answer(answer);
  ck_assert_msg(fabs(answer->distance - truth) <= tolerance, "%.16g, expected %.16g: %g",
                answer->distance, truth, answer->distance - truth);
  ck_assert_msg(answer->lower_bound <= truth + 1e-14, "bound %.16g above %.16g",
                answer->lower_bound, truth);
}

/* ---- Against the tiled box ----------------------------------------------------------------- */

/* Puts B so that the padded box's distance to it is `gap`, and asks both. */
static void compare_at(clp_pair *padded, clp_pair *explicit, clp_pose X, double gap)
{
  for (int k = 0; k < 4; ++k) {
    clp_answer answer = clp_pair_query(padded, &identity, &X);
    X.position = clp_add_scaled(X.position, gap - answer.distance, answer.normal);
  }
  clp_answer ours = clp_pair_query(padded, &identity, &X);
  clp_answer other = clp_pair_query(explicit, &identity, &X);
  expect_answer(&ours);
  ck_assert_int_eq(ours.status, other.status);
  ck_assert_msg(fabs(ours.distance - other.distance) <= 1e-12, "%.16g, tiled %.16g (%g)",
                ours.distance, other.distance, ours.distance - other.distance);
  ck_assert_double_le(ours.lower_bound, other.distance + 1e-14);
  ck_assert_double_le(other.lower_bound, ours.distance + 1e-14);
}

SUITE("padding");

TEST_CASE("distances", 300);

/* B is an ellipsoid, round all over, so that no other pair of places is as near; in the deepest
 * overlaps the box's core overlaps it, too. */
LOOP_TEST(box_against_tiles, 0, 2)
{
  static const double gaps[] = {1, 0.1, 1e-3, 1e-6, -1e-6, -1e-3, -0.05, -0.15, -0.3};
  const clp_vec3 size = {0.8, 0.6, 1};
  const double radius = _i == 0 ? 0.2 : 0.05;
  clp_body *ours = padded_box(size, radius), *tiles = tiled_box(size, radius);
  clp_body *b = bodies_ellipsoid((clp_vec3){0.5, 0.4, 0.7});
  clp_pair *padded = pair_of(ours, b, 1e-12), *explicit = pair_of(tiles, b, 1e-12);
  random_state g = {100 + (uint64_t)_i};
  for (int k = 0; k < amount_of(360); ++k)
    compare_at(padded, explicit, random_pose(&g, clp_scale(1.5, random_direction(&g))),
               gaps[k % 9]);
  clp_pair_destroy(padded);
  clp_pair_destroy(explicit);
  clp_body_destroy(ours);
  clp_body_destroy(tiles);
  clp_body_destroy(b);
}

TEST_CASE("figures", 60);

TEST(figures_against_tiles)
{
  const clp_vec3 size = {0.8, 0.6, 1};
  clp_body *ours = padded_box(size, 0.2), *tiles = tiled_box(size, 0.2);
  clp_body_info a = clp_body_describe(ours), b = clp_body_describe(tiles);
  ck_assert_double_eq_tol(a.volume, b.volume, 1e-9);
  ck_assert_double_eq_tol(a.area, b.area, 1e-9);
  ck_assert_double_eq_tol(clp_distance(a.bounds.min, b.bounds.min), 0, 1e-12);
  ck_assert_double_eq_tol(clp_distance(a.bounds.max, b.bounds.max), 0, 1e-12);
  ck_assert_double_eq(a.padding, 0.2);
  ck_assert_double_eq(b.padding, 0);
  ck_assert_int_eq(a.faces, 6);
  clp_face_point at = clp_body_face_point(ours, 0, 0, 0);
  ck_assert_double_eq_tol(at.place.x, -0.6, 1e-15);
  clp_body_destroy(ours);
  clp_body_destroy(tiles);
}

/* ---- Figures in closed form ---------------------------------------------------------------- */

static void expect_figures(clp_body *body, double volume, double area)
{
  clp_body_info info = clp_body_describe(body);
  ck_assert_msg(fabs(info.volume - volume) <= 1e-9, "%.12g, expected %.12g", info.volume, volume);
  ck_assert_msg(fabs(info.area - area) <= 1e-9, "%.12g, expected %.12g", info.area, area);
  clp_body_destroy(body);
}

static void expect_capsule(solid s, double radius, double length)
{
  double ball = 4 * pi / 3 * pow(radius, 3), side = 2 * pi * radius * length;
  expect_figures(s.body, ball + pi * radius * radius * length, side + 4 * pi * radius * radius);
}

TEST(figures)
{
  expect_capsule(padded_solid(3, 0.1), 0.4, 0.8);
  expect_capsule(padded_solid(4, 0.1), 0.1, 0);
  expect_capsule(padded_solid(5, 0.1), 0.4, 0);
  /* a cylinder, by Pappus: a quarter of a disc outside of its rim has its centroid 4 r / 3 pi out
   */
  double r = 0.3, h = 0.8, p = 0.1;
  double volume = pi * r * r * (h + 2 * p) + 2 * pi * r * p * h + pi * p * p * h;
  double centroid = r + 4 * p / (3 * pi), arc = r + 2 * p / pi;
  volume += 2 * (2 * pi * centroid * pi * p * p / 4);
  double area = 2 * pi * r * r + 2 * pi * (r + p) * h + 2 * (2 * pi * arc * pi * p / 2);
  expect_figures(padded_solid(2, p).body, volume, area);
}

/* What is padded twice is padded by the sum; an ellipsoid as patches turns like the closed one. */
TEST(figures_add_up)
{
  for (int kind = 0; kind < CORES; ++kind) {
    clp_body *once = padded_solid(kind, 0.3).body, *twice = padded_solid(kind, 0.1).body;
    ck_assert(clp_body_pad(twice, 0.2));
    clp_body_info info = clp_body_describe(once);
    ck_assert_double_eq_tol(clp_body_describe(twice).padding, 0.3, 1e-15);
    ck_assert_double_eq_tol(clp_body_describe(twice).bounds.max.z, info.bounds.max.z, 1e-15);
    clp_body_destroy(once);
    expect_figures(twice, info.volume, info.area);
  }
}

TEST(figures_of_splines)
{
  tiled t;
  tiled_load(&t, "sphere6"); /* of radius 1/2 */
  t.def.padding = 0.25;
  expect_figures(must_create(&t.def), 4 * pi / 3 * pow(0.75, 3), 4 * pi * 0.75 * 0.75);
}

/* ---- Against closed forms, in all depths --------------------------------------------------- */

static void expect_brute(const solid *a, const solid *b, double radii, const clp_answer *answer,
                         const clp_pose *X, random_state *g)
{
  double found = brute_force(a, b, X, 1000, g) - radii;
  double there = gap_along(a, b, X, answer->normal) - radii;
  expect_answer(answer);
  ck_assert_msg(answer->distance >= found - 1e-12, "%.12g, brute force %.12g", answer->distance,
                found);
  ck_assert_msg(fabs(answer->distance - there) <= 1e-9, "%.12g, along the normal %.12g",
                answer->distance, there);
}

TEST_CASE("distances", 300);

/* Every two kinds of cores, both padded. What directions that are tried show is never more than the
 * truth, and what the answer's own normal shows is the answer: so it is the truth. */
LOOP_TEST(kinds_against_brute_force, 0, CORE_PAIRS)
{
  random_state g = {7 + (uint64_t)_i};
  solid a = padded_solid(_i / CORES, 0.15), b = padded_solid(_i % CORES, 0.25);
  clp_pair *pair = pair_of(a.body, b.body, 0);
  int deep = 0;
  for (int k = 0; k < 40; ++k) {
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 0.05, 1.9), random_direction(&g)));
    clp_answer answer = clp_pair_query(pair, &identity, &X);
    expect_brute(&a, &b, 0.15 + 0.25, &answer, &X, &g);
    deep += answer.status == CLP_PENETRATING;
    ck_assert(answer.status == CLP_PENETRATING || answer.status == CLP_TRACKING);
  }
  ck_assert_int_gt(deep, 4);
  clp_pair_destroy(pair);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* A point that is padded is a ball, and so is a ball. */
TEST(balls)
{
  random_state g = {3};
  solid point = padded_solid(4, 0.4), ball = padded_solid(5, 0.2), bare = padded_solid(5, 0);
  const solid *both[3][2] = {{&point, &point}, {&point, &ball}, {&bare, &ball}};
  static const double radii[3] = {0.8, 0.9, 0.8};
  for (int k = 0; k < 3; ++k) {
    clp_pair *pair = pair_of(both[k][0]->body, both[k][1]->body, 0);
    for (int i = 0; i < 200; ++i) {
      double apart = random_between(&g, 0.1, 2);
      clp_pose X = random_pose(&g, clp_scale(apart, random_direction(&g)));
      clp_answer answer = i % 2 ? clp_pair_track(pair, &identity, &X, NULL, NULL, 1e-3)
                                : clp_pair_query(pair, &identity, &X);
      expect_distance(&answer, apart - radii[k], 1e-14);
      ck_assert_double_eq_tol(clp_norm(answer.point_a),
                              0.5 * radii[k] + (k == 1   ? -0.05
                                                : k == 2 ? -0.1
                                                         : 0),
                              1e-14);
    }
    clp_pair_destroy(pair);
  }
  clp_body_destroy(point.body);
  clp_body_destroy(ball.body);
  clp_body_destroy(bare.body);
}

/* ---- Cycles -------------------------------------------------------------------------------- */

/* Towards each other, through all depths, and out again: tracked like asked. */
LOOP_TEST(through_contact, 0, 4)
{
  solid a = padded_solid(_i, 0.1), b = padded_solid((_i + 1) % 4, 0.2);
  clp_pair *tracked = pair_of(a.body, b.body, 0), *asked = pair_of(a.body, b.body, 0);
  random_state g = {11};
  clp_pose X = random_pose(&g, (clp_vec3){0, 0, 0});
  double deepest = 0;
  for (int k = 0; k < 1500; ++k) {
    double t = 1e-3 * k;
    X.position = (clp_vec3){1.9 * cos(2 * t), 0.1 * sin(3 * t), 0.2 * t};
    clp_twist V = {{-3.8 * sin(2 * t), 0.3 * cos(3 * t), 0.2}, {0, 0, 0}},
              still = {{0, 0, 0}, {0, 0, 0}};
    clp_answer now = clp_pair_track(tracked, &identity, &X, &still, &V, 1e-3);
    clp_answer then = clp_pair_query(asked, &identity, &X);
    expect_answer(&now);
    ck_assert_int_eq(now.status, then.status);
    bool cores_overlap = then.distance < -0.3 + 1e-6; /* then one way out is followed */
    ck_assert_double_le(now.distance, then.distance + 2e-9);
    ck_assert(cores_overlap || now.distance >= then.distance - 2e-9);
    deepest = fmin(deepest, now.distance);
  }
  ck_assert_double_lt(deepest, -0.4);
  clp_pair_destroy(tracked);
  clp_pair_destroy(asked);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* ---- Faces that are nearly parallel --------------------------------------------------------- */

static solid disc(double radius, double length, double padding)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CYLINDER);
  def.radius = radius;
  def.length = length;
  def.padding = padding;
  return (solid){CLP_SHAPE_CYLINDER, def.size, radius, length, must_create(&def)};
}

/* Overlapping, the normal is a way out; where it is not said that there may be others, and wherever
 * bodies do not overlap, it leads from one witness to the other, too. */
static void expect_normal(const solid *a, const solid *b, double radii, const clp_pose *X,
                          const clp_answer *answer)
{
  clp_vec3 way = clp_sub(answer->point_b, answer->point_a);
  double off = clp_norm(clp_add_scaled(way, -answer->distance, answer->normal));
  bool overlap = answer->status == CLP_PENETRATING;
  double out = gap_along(a, b, X, answer->normal) - radii;
  ck_assert_msg(!overlap || out >= answer->distance - 1e-9, "%g deep, the way out is %g short",
                -answer->distance, answer->distance - out);
  ck_assert_msg((overlap && answer->scattered) || off <= 1e-9, "%s: %g past the witness",
                clp_pair_status_name(answer->status), off);
}

/* Two flat cylinders, one above the other, tilted by so little that they are nearest anywhere as
 * far as distances can tell: on the point of touching, where cores say nothing, and overlapping. */
TEST(faces_nearly_parallel)
{
  enum { CYCLES = 12 };
  const double radii = 0.002 + 0.12;
  solid a = disc(0.3, 0.01, 0.002), b = disc(0.15, 0.002, 0.12);
  clp_pair *pair = pair_of(a.body, b.body, 0);
  for (int k = 0, rounds = amount_of(2000); k < rounds; ++k) {
    random_state g = {(uint64_t)k + 1};
    double tilt = pow(10, random_between(&g, -12, -3)), deep = pow(10, random_between(&g, -16, -1));
    double gap = k % 4 ? radii - deep : radii, direction = random_between(&g, 0, 2 * pi);
    const clp_vec3 axis = {cos(direction), sin(direction), 0};
    clp_pose X = {clp_rotation_about(axis, tilt), {random_between(&g, -0.3, 0.3), 0, 0}};
    X.position.z = gap + height_of(&a, (clp_vec3){0, 0, 1}) +
                   height_of(&b, clp_rotate_back(X.rotation, (clp_vec3){0, 0, -1}));
    clp_answer answer = clp_pair_query(pair, &identity, &X);
    expect_normal(&a, &b, radii, &X, &answer);
    for (int i = 0; i < CYCLES; ++i) {
      X.rotation = clp_rotation_about(axis, tilt *= random_between(&g, 0.5, 2));
      X.position = clp_add_scaled(X.position, 1e-4, random_direction(&g));
      answer = clp_pair_track(pair, &identity, &X, NULL, NULL, 1e-3);
      expect_normal(&a, &b, radii, &X, &answer);
    }
  }
  clp_pair_destroy(pair);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* This needle is convex to 1.2e-10 m: next to contact nobody knows how far it is from another body,
 * or how deep in it. The witnesses are places of the bodies all the same, so far apart along the
 * normal as the distance says. */
TEST(witnesses_where_slack_is_more_than_the_distance)
{
  const double half = 0.027404405741292794, center = -21.739791352671446;
  const clp_profile_piece side = dented_arc(0, half, center, 0);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, -half, &side, 1};
  def.padding = 4e-5;
  clp_body_def ball_def = clp_default_body_def(CLP_SHAPE_SPHERE);
  ball_def.radius = 1e-3;
  clp_body *needle = must_create(&def), *ball = must_create(&ball_def);
  clp_pair *pair = pair_of(needle, ball, 0);
  const double waist = hypot(center, half) + center, reach = waist + def.padding + 1e-3;
  int open = 0;
  for (int k = -200; k <= 200; k += amount_quick() ? 8 : 1) {
    clp_pose X = {identity.rotation, {0, reach + 5e-12 * k, 0}};
    clp_answer answer = clp_pair_query(pair, &identity, &X);
    clp_vec3 rest =
        clp_sub(clp_sub(answer.point_b, answer.point_a), clp_scale(answer.distance, answer.normal));
    ck_assert_double_le(clp_norm(rest), 1e-14);
    ck_assert_double_eq_tol(clp_distance(answer.point_b, X.position), 1e-3, 1e-13);
    open += answer.status == CLP_CONVERGING && k < 0;
  }
  ck_assert_int_gt(open, amount_of(10));
  clp_pair_destroy(pair);
  clp_body_destroy(needle);
  clp_body_destroy(ball);
}

/* ---- Both orders --------------------------------------------------------------------------- */

static void expect_same_bits(clp_answer x, clp_answer y)
{
  clp_vec3 n = y.normal;
  clp_vec3 back = {0 - n.x, 0 - n.y, 0 - n.z};
  ck_assert_int_eq(x.status, y.status);
  ck_assert_int_eq(memcmp(&x.distance, &y.distance, sizeof x.distance), 0);
  ck_assert_int_eq(memcmp(&x.lower_bound, &y.lower_bound, sizeof x.distance), 0);
  ck_assert_int_eq(memcmp(&x.spread, &y.spread, sizeof x.distance), 0);
  ck_assert_int_eq(memcmp(&x.point_a, &y.point_b, sizeof n), 0);
  ck_assert_int_eq(memcmp(&x.point_b, &y.point_a, sizeof n), 0);
  ck_assert(x.normal.x == back.x && x.normal.y == back.y && x.normal.z == back.z);
  ck_assert_int_eq(x.feature_a, y.feature_b);
  ck_assert_int_eq(x.kind_a, y.kind_b);
}

/* Two hulls, also two that are alike but for the padding, and all that is at zero. */
LOOP_TEST(orders, 0, 3)
{
  clp_body *a = padded_hull(0.1, 1), *b = padded_hull(_i == 0   ? 0.03
                                                      : _i == 1 ? 0.1
                                                                : 0,
                                                      _i == 0 ? 1.5 : 1);
  clp_pair *ab = pair_of(a, b, 0), *ba = pair_of(b, a, 0);
  random_state g = {40 + (uint64_t)_i};
  for (int k = 0; k < amount_of(400); ++k) {
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 0.1, 1.5), random_direction(&g)));
    if (k % 4 == 0)
      X.rotation = identity.rotation;
    if (k % 8 == 0)
      X.position = (clp_vec3){0, 0, X.position.z};
    expect_same_bits(clp_pair_query(ab, &identity, &X), clp_pair_query(ba, &X, &identity));
    X.position.x += 1e-4;
    expect_same_bits(clp_pair_track(ab, &identity, &X, NULL, NULL, 1e-3),
                     clp_pair_track(ba, &X, &identity, NULL, NULL, 1e-3));
  }
  clp_pair_destroy(ab);
  clp_pair_destroy(ba);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* ---- Side by side, and in a scene ---------------------------------------------------------- */

TEST(side_by_side)
{
  enum { COUNT = 6 };
  solid a = padded_solid(1, 0.05), b = padded_solid(1, 0.1);
  clp_pair *alone[COUNT], *together[COUNT];
  clp_batch_job jobs[COUNT], *list[COUNT];
  clp_answer answers[COUNT];
  clp_pose X[COUNT];
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}}, V = {{-1, 0, 0}, {0, 0, 0}};
  random_state g = {5};
  int done = 0;
  for (int k = 0; k < COUNT; ++k) {
    alone[k] = pair_of(a.body, b.body, 0);
    together[k] = pair_of(a.body, b.body, 0);
    X[k] = random_pose(&g, clp_scale(1.3 + 0.2 * k, random_direction(&g)));
    clp_pair_track(alone[k], &identity, &X[k], NULL, NULL, 0);
    clp_pair_track(together[k], &identity, &X[k], NULL, NULL, 0);
  }
  for (int cycle = 0; cycle < 20; ++cycle) {
    for (int k = 0; k < COUNT; ++k) {
      X[k].position.x -= 1e-3;
      jobs[k] =
          (clp_batch_job){together[k], &identity, &X[k], &still, &V, 1e-3, &answers[k], false};
      list[k] = &jobs[k];
    }
    clp_batch_track(clp_batch_kind(together[0]), list, COUNT, CLP_BATCH_BEST);
    for (int k = 0; k < COUNT; ++k) {
      clp_answer one = clp_pair_track(alone[k], &identity, &X[k], &still, &V, 1e-3);
      if (!jobs[k].done)
        answers[k] = clp_pair_track(together[k], &identity, &X[k], &still, &V, 1e-3);
      done += jobs[k].done;
      ck_assert_double_eq_tol(answers[k].distance, one.distance, 1e-12);
      ck_assert_double_eq_tol(clp_distance(answers[k].point_a, one.point_a), 0, 1e-8);
      ck_assert_int_eq(answers[k].status, one.status);
    }
  }
  ck_assert_int_gt(done, 60);
  for (int k = 0; k < COUNT; ++k) {
    clp_pair_destroy(alone[k]);
    clp_pair_destroy(together[k]);
  }
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* What is culled by balls and boxes is as far away as the padded bodies are. */
TEST(in_a_scene)
{
  solid bodies[2] = {padded_solid(0, 0.4), padded_solid(1, 0.3)};
  clp_scene_limits limits = {.links = 2, .parts = 2, .pairs = 1, .part_pairs = 1, .tracked = 1};
  clp_scene_options options = clp_default_scene_options();
  clp_scene *scene = NULL;
  clp_link_id links[2];
  clp_link_pair_id pair;
  random_state g = {9};
  int far = 0;
  options.pair.range = 0.2;
  ck_assert_int_eq(clp_scene_create(&limits, &options, &scene), CLP_OK);
  for (int k = 0; k < 2; ++k) {
    clp_part part = {bodies[k].body, identity, ""};
    ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&part, 1}, &links[k]), CLP_OK);
  }
  ck_assert_int_eq(clp_scene_add_pair(scene, links[0], links[1], &pair), CLP_OK);
  clp_pair *asked = pair_of(bodies[0].body, bodies[1].body, 0);
  clp_scene_set_motion(scene, links[0], &identity, NULL);
  for (int k = 0; k < 300; ++k) {
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 0.8, 3), random_direction(&g)));
    clp_scene_set_motion(scene, links[1], &X, NULL);
    clp_scene_step(scene, 1e-3 * k);
    clp_answer here = clp_scene_answer(scene, pair).answer,
               truth = clp_pair_query(asked, &identity, &X);
    ck_assert_double_le(here.lower_bound, truth.distance + 1e-12);
    if (truth.distance > 0.2 + 1e-9)
      far += here.status == CLP_OUT_OF_RANGE || here.lower_bound > 0.2;
    else if (truth.distance < 0.2 - 1e-9)
      ck_assert_double_eq_tol(here.distance, truth.distance, 1e-9);
    if (here.status == CLP_OUT_OF_RANGE)
      ck_assert_double_gt(here.lower_bound, 0.2);
  }
  ck_assert_int_gt(far, 50);
  clp_pair_destroy(asked);
  clp_scene_destroy(scene);
  for (int k = 0; k < 2; ++k)
    clp_body_destroy(bodies[k].body);
}

/* ---- What is not convex -------------------------------------------------------------------- */

/* A point that is padded meets it like a ball, apart and overlapping; how deep is not known. */
LOOP_TEST(dented_bodies, 0, 3)
{
  const dented_kind kinds[] = {DENTED_BOWL, DENTED_TORUS, DENTED_PATCH};
  clp_body *other = dented_make(kinds[_i]);
  solid ball = padded_solid(4, 0.4);
  clp_body *bare = bodies_point();
  clp_pair *padded = pair_of(ball.body, other, 0), *core = pair_of(bare, other, 0);
  random_state g = {60 + (uint64_t)_i};
  int deep = 0;
  for (int k = 0; k < 60; ++k) {
    clp_pose X =
        random_pose(&g, clp_scale(random_between(&g, 0.2, _i == 2 ? 1 : 6), random_direction(&g)));
    clp_answer answer = clp_pair_query(padded, &identity, &X);
    clp_answer point = clp_pair_query(core, &identity, &X);
    ck_assert_double_eq_tol(answer.distance, point.distance - 0.4, 1e-15);
    ck_assert_int_eq(answer.status == CLP_PENETRATING, answer.distance < 0);
    if (answer.status != CLP_PENETRATING)
      ck_assert_double_eq_tol(answer.lower_bound, point.lower_bound - 0.4, 1e-14);
    else
      ck_assert_double_le(answer.lower_bound, -0.4);
    deep += answer.status == CLP_PENETRATING;
  }
  ck_assert_int_gt(deep, 1);
  clp_pair_destroy(padded);
  clp_pair_destroy(core);
  clp_body_destroy(other);
  clp_body_destroy(ball.body);
  clp_body_destroy(bare);
}

/* ---- What is refused ----------------------------------------------------------------------- */

TEST_CASE("figures", 60);

TEST(refusals)
{
  clp_body_def box = box_def((clp_vec3){1, 1, 1}, -0.1);
  must_refuse(&box, CLP_FINDING_NUMBER, -1, "the padding is -0.1, expected a finite number");
  box.padding = NAN;
  must_refuse(&box, CLP_FINDING_NUMBER, -1, "the padding is nan");
  box.padding = HUGE_VAL;
  must_refuse(&box, CLP_FINDING_NUMBER, -1, "the padding is inf");
  box.padding = 0.1;
  box.convex = false;
  must_refuse(&box, CLP_FINDING_NUMBER, -1,
              "the padding of a part that is not convex is 0.1, expected 0");
  box.convex = true;
  box.closed = false;
  must_refuse(&box, CLP_FINDING_NUMBER, -1, "the padding of a part that is not closed is 0.1");
}
