/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/pair.h"
#include "support/amount.h"
#include "support/bodies.h"
#include "support/findings.h"
#include "support/random.h"
#include "support/suite.h"

/* Boxes, cylinders, capsules and spheres in closed form: the distance from both sides in wide
 * numbers, and features and uniqueness as the usual way finds them. */

typedef long double real;

static clp_body_def round_def(clp_shape shape, double radius, double length)
{
  clp_body_def def = clp_default_body_def(shape);
  def.radius = radius;
  def.length = length;
  return def;
}

static clp_body_def any_def(random_state *g, clp_shape shape)
{
  clp_body_def def = round_def(shape, random_between(g, 0.05, 0.5), random_between(g, 0.1, 1));
  if (shape == CLP_SHAPE_BOX)
    def.size =
        (clp_vec3){random_between(g, 0.1, 1), random_between(g, 0.1, 1), random_between(g, 0.1, 1)};
  return def;
}

/* ---- What the definitions say ---------------------------------------------------------------- */

static real dot(clp_vec3 a, clp_vec3 b)
{
  return (real)a.x * (real)b.x + (real)a.y * (real)b.y + (real)a.z * (real)b.z;
}

/* How far the body reaches along n beyond the world's origin. */
static real support(const clp_body_def *def, const clp_pose *X, clp_vec3 n)
{
  const clp_mat3 *R = &X->rotation;
  real x = dot(R->x, n), y = dot(R->y, n), z = dot(R->z, n), reach = dot(X->position, n);
  real r = (real)def->radius, half = (real)def->length / 2;
  switch (def->shape) {
    case CLP_SHAPE_BOX:
      return reach + (fabsl(x) * (real)def->size.x + fabsl(y) * (real)def->size.y +
                      fabsl(z) * (real)def->size.z) /
                         2;
    case CLP_SHAPE_CYLINDER:
      return reach + half * fabsl(z) + r * sqrtl(x * x + y * y);
    case CLP_SHAPE_CAPSULE:
      return reach + half * fabsl(z) + r * sqrtl(dot(n, n));
    default:
      return reach + r * sqrtl(dot(n, n));
  }
}

/* How far the place is outside of the body, at most. */
static real outside(const clp_body_def *def, const clp_pose *X, clp_vec3 place)
{
  const clp_mat3 *R = &X->rotation;
  real d[3] = {(real)place.x - (real)X->position.x, (real)place.y - (real)X->position.y,
               (real)place.z - (real)X->position.z};
  const clp_vec3 axes[3] = {R->x, R->y, R->z};
  real p[3], r = (real)def->radius, half = (real)def->length / 2;
  for (int k = 0; k < 3; ++k)
    p[k] = d[0] * (real)axes[k].x + d[1] * (real)axes[k].y + d[2] * (real)axes[k].z;
  real across = hypotl(p[0], p[1]), beyond = fabsl(p[2]) - half;
  switch (def->shape) {
    case CLP_SHAPE_BOX:
      return fmaxl(fmaxl(fabsl(p[0]) - (real)def->size.x / 2, fabsl(p[1]) - (real)def->size.y / 2),
                   fabsl(p[2]) - (real)def->size.z / 2);
    case CLP_SHAPE_CYLINDER:
      return fmaxl(across - r, beyond);
    case CLP_SHAPE_CAPSULE:
      return hypotl(across, fmaxl(beyond, 0)) - r;
    default:
      return hypotl(across, p[2]) - r;
  }
}

/* ---- Motions --------------------------------------------------------------------------------- */

typedef struct scene {
  clp_body_def def[2];
  clp_body *body[2];
  clp_pose start;
  clp_vec3 axis, speed;
  double rate;
} scene;

static scene make_scene(uint64_t seed, clp_shape a, clp_shape b)
{
  random_state g = {.s = seed};
  scene s = {.def = {any_def(&g, a), any_def(&g, b)}};
  for (int k = 0; k < 2; ++k)
    s.body[k] = must_create(&s.def[k]);
  s.start.rotation = clp_rotation_about(random_direction(&g), random_between(&g, -3, 3));
  s.start.position = clp_scale(random_between(&g, 0.9, 1.6), random_direction(&g));
  s.speed = clp_scale(random_between(&g, 0, 0.8), random_direction(&g));
  s.axis = random_direction(&g);
  s.rate = random_between(&g, 0, 3);
  return s;
}

static clp_pose pose_at(const scene *s, double t)
{
  clp_mat3 turn = clp_rotation_about(s->axis, s->rate * t);
  return (clp_pose){clp_mat3_multiply(turn, s->start.rotation),
                    clp_add_scaled(s->start.position, t, s->speed)};
}

static void free_scene(scene *s)
{
  clp_body_destroy(s->body[0]);
  clp_body_destroy(s->body[1]);
}

static clp_pair *make_pair(const scene *s)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(s->body[0], s->body[1], NULL, &pair), CLP_OK);
  return pair;
}

/* The same pair without its closed form. */
static clp_pair *make_usual(const scene *s)
{
  clp_pair *pair = make_pair(s);
  pair->way = pair->way->once ? &clp_way_by_planes_once : &clp_way_by_planes;
  pair->track = pair->way->track;
  return pair;
}

/* ---- Distances ------------------------------------------------------------------------------- */

static const clp_shape shapes[][2] = {
    {CLP_SHAPE_BOX, CLP_SHAPE_BOX},         {CLP_SHAPE_BOX, CLP_SHAPE_SPHERE},
    {CLP_SHAPE_CAPSULE, CLP_SHAPE_BOX},     {CLP_SHAPE_BOX, CLP_SHAPE_CYLINDER},
    {CLP_SHAPE_CYLINDER, CLP_SHAPE_SPHERE}, {CLP_SHAPE_CAPSULE, CLP_SHAPE_CYLINDER},
    {CLP_SHAPE_CAPSULE, CLP_SHAPE_CAPSULE}};
enum { PAIRS = sizeof shapes / sizeof *shapes, MOTIONS = 40, CYCLES = 400 };

/* Of the lengths that enter: the answer's own digits. */
static const double exact = 1.5e-15;

/* A normal that is a way from place to place is off by rounding of the places over its length, and
 * so is this test's lower side: of distances below this part of the lengths the more. */
static const double near = 0.01;

static void expect_exact(const scene *s, const clp_pose *X, const clp_answer *answer, int cycle)
{
  const clp_pose rest = clp_pose_identity();
  clp_vec3 n = answer->normal, back = clp_negate(n);
  real length = sqrtl(dot(n, n));
  real least = (-support(&s->def[1], X, back) - support(&s->def[0], &rest, n)) / length;
  double size = s->body[0]->size + s->body[1]->size + clp_norm(X->position);
  double allowed = exact * size * fmax(1, near * size / answer->distance),
         off = answer->distance - (double)least;
  double at_a = (double)outside(&s->def[0], &rest, answer->point_a);
  double at_b = (double)outside(&s->def[1], X, answer->point_b);
  double apart = clp_distance(answer->point_a, answer->point_b);
  ck_assert_msg(fabs(off) <= allowed, "cycle %d: distance %.17g is off by %g of %g", cycle,
                answer->distance, off, size);
  ck_assert_msg(fabs(apart - answer->distance) <= allowed, "cycle %d: witnesses %g apart, not %g",
                cycle, apart, answer->distance);
  ck_assert_msg(fabs(at_a) <= allowed && fabs(at_b) <= allowed, "cycle %d: witnesses off by %g, %g",
                cycle, at_a, at_b);
  ck_assert(answer->lower_bound <= (double)least + 1e-17 * size);
}

SUITE("closed forms");

TEST_CASE("boxes and cylinders", 60);

LOOP_TEST(distances_are_right_to_the_last_digits, 0, PAIRS)
{
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose rest = clp_pose_identity();
  int closed = 0, all = 0;
  for (int motion = 0; motion < amount_of(MOTIONS); ++motion) {
    scene s = make_scene(100 * (uint64_t)_i + (uint64_t)motion, shapes[_i][0], shapes[_i][1]);
    clp_pair *pair = make_pair(&s);
    for (int k = 0; k < CYCLES; ++k) {
      clp_pose X = pose_at(&s, 1e-3 * k);
      clp_answer answer = clp_pair_track(pair, &rest, &X, &still, &still, 1e-3);
      ++all;
      closed += pair->closed;
      if (answer.status == CLP_TRACKING)
        expect_exact(&s, &X, &answer, k);
      else
        ck_assert_int_eq(answer.status, CLP_PENETRATING);
      if (answer.status == CLP_TRACKING && k % 50 == 0) {
        clp_answer asked = clp_pair_query(pair, &rest, &X);
        expect_exact(&s, &X, &asked, k);
      }
    }
    clp_pair_destroy(pair);
    free_scene(&s);
  }
  ck_assert_msg(closed >= 0.9 * all, "%d of %d cycles", closed, all);
}

/* Next to contact the way from place to place is no normal to twelve digits any more: there the
 * usual way, which has the features', is to step in. */
LOOP_TEST(what_is_to_be_narrower_is, 0, PAIRS)
{
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose rest = clp_pose_identity();
  clp_pair_options options = clp_default_pair_options();
  options.tolerance = 1e-12;
  for (int motion = 0; motion < amount_of(4 * MOTIONS); ++motion) {
    scene s = make_scene(100 * (uint64_t)_i + (uint64_t)motion, shapes[_i][0], shapes[_i][1]);
    clp_pair *pair = NULL;
    ck_assert_int_eq(clp_pair_create(s.body[0], s.body[1], &options, &pair), CLP_OK);
    clp_answer from = clp_pair_query(pair, &rest, &s.start);
    for (double gap = 1e-4; gap > 3e-7 && from.status == CLP_TRACKING; gap /= 2) {
      clp_pose X = s.start;
      X.position = clp_add_scaled(X.position, gap - from.distance, from.normal);
      clp_answer answer = clp_pair_track(pair, &rest, &X, &still, &still, 1e-3);
      ck_assert_msg(answer.status == CLP_TRACKING, "motion %d: %g apart, of which %g are proven",
                    motion, answer.distance, answer.lower_bound);
    }
    clp_pair_destroy(pair);
    free_scene(&s);
  }
}

/* A cylinder above a box, tilted by so little that what is across its axis has lost half of its
 * digits or more. */
TEST(tilted_a_little)
{
  const clp_pose rest = clp_pose_identity();
  random_state g = {.s = 7};
  scene s = make_scene(7, CLP_SHAPE_BOX, CLP_SHAPE_CYLINDER);
  clp_pair *pair = make_pair(&s);
  for (int k = 0; k < 2000; ++k) {
    double tilt = pow(10, random_between(&g, -6, -3)), azimuth = random_between(&g, 0, 6.3);
    clp_pose X = {clp_rotation_about((clp_vec3){cos(azimuth), sin(azimuth), 0}, tilt), {0, 0, 0}};
    X.position.z = 0.5 * (s.def[0].size.z + s.def[1].length) + random_between(&g, 0.01, 1);
    clp_answer answer = clp_pair_query(pair, &rest, &X);
    real least = -support(&s.def[1], &X, (clp_vec3){0, 0, -1}) - (real)s.def[0].size.z / 2;
    double off = answer.distance - (double)least;
    if (fabs(answer.normal.z) == 1) /* the rim's lowest place is above the face */
      ck_assert_msg(fabs(off) <= 1e-14, "tilted by %g: off by %g", tilt, off);
  }
  clp_pair_destroy(pair);
  free_scene(&s);
}

/* How far a point is outside of a box's corner, in units of the box. */
static double past_corner(clp_vec3 out)
{
  return clp_norm((clp_vec3){fmax(out.x, 0), fmax(out.y, 0), fmax(out.z, 0)});
}

/* Points that go from over a face past a corner of a small box, by next to nothing: what a place
 * may be off its face by is rounding of the box's own numbers, not of a metre's. */
TEST(corners_of_small_boxes)
{
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  random_state g = {.s = 8};
  clp_body_def point = clp_default_body_def(CLP_SHAPE_POINT);
  for (int k = 0; k < 2000; ++k) {
    double size = pow(10, random_between(&g, -9, -7));
    clp_body_def box = clp_default_body_def(CLP_SHAPE_BOX);
    box.size = (clp_vec3){size, 0.02 * size, 1.7 * size};
    scene s = {.def = {box, point}, .body = {must_create(&box), must_create(&point)}};
    clp_pair *pair = make_pair(&s);
    clp_pose X = rest;
    clp_vec3 out = {-1e-6, -1e-6, 1e-8}, way = clp_scale(1e-4, random_direction(&g));
    const clp_twist V = {clp_scale(1e3 * size, way), {0, 0, 0}};
    for (int cycle = 0; cycle < 3; ++cycle, out = clp_add(out, way)) {
      X.position = (clp_vec3){size * (0.5 + out.x), size * (0.01 + out.y), size * (0.85 + out.z)};
      clp_answer answer = clp_pair_track(pair, &rest, &X, &still, &V, cycle > 0 ? 1e-3 : 0);
      double off = answer.distance - size * past_corner(out);
      if (answer.status == CLP_TRACKING)
        ck_assert_msg(fabs(off) <= 1e-12 * size, "%g m, cycle %d: off by %g of it", size, cycle,
                      off / size);
    }
    clp_pair_destroy(pair);
    free_scene(&s);
  }
}

/* How far the place at t of B's segment is from A's, which is about the origin on z. */
static real from_axis(const clp_pose *X, real t, real half_a)
{
  const clp_vec3 c = X->position, u = X->rotation.z;
  real x = (real)c.x + t * (real)u.x, y = (real)c.y + t * (real)u.y, z = (real)c.z + t * (real)u.z;
  return hypotl(hypotl(x, y), fmaxl(fabsl(z) - half_a, 0));
}

/* Convex in t: thirds, until nothing is left. */
static real between_segments(const clp_pose *X, real half_a, real half_b)
{
  real lo = -half_b, hi = half_b;
  for (int k = 0; k < 200; ++k) {
    real third = (hi - lo) / 3;
    if (from_axis(X, lo + third, half_a) < from_axis(X, hi - third, half_a))
      hi -= third;
    else
      lo += third;
  }
  return from_axis(X, lo, half_a);
}

/* Capsules that are parallel, or nearly: beside each other, end to end, this way and that. Others
 * are as near where they are beside each other, not only where the usual way says so. */
TEST(parallel_capsules)
{
  static const double tilts[] = {0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 9e-5, 2e-4, 1e-2};
  const clp_pose rest = clp_pose_identity();
  random_state g = {.s = 9};
  int many = 0, rounds = amount_of(4000);
  for (int k = 0; k < rounds; ++k) {
    double tilt = tilts[random_bits(&g) % 10], azimuth = random_between(&g, -3, 3);
    scene s = make_scene(900 + (uint64_t)(k % 50), CLP_SHAPE_CAPSULE, CLP_SHAPE_CAPSULE);
    clp_pair *pair = make_pair(&s), *usual = make_usual(&s);
    double halves = 0.5 * (s.def[0].length + s.def[1].length);
    clp_vec3 axis = {cos(azimuth), sin(azimuth), 0};
    clp_pose X = {clp_rotation_about(axis, random_bits(&g) % 2 ? tilt : 3.14159265358979312 - tilt),
                  {random_between(&g, 0.2, 2), random_between(&g, -0.5, 0.5),
                   halves * random_between(&g, -1.3, 1.3)}};
    clp_answer mine = clp_pair_query(pair, &rest, &X), other = clp_pair_query(usual, &rest, &X);
    double radii = s.def[0].radius + s.def[1].radius;
    double truth =
        (double)(between_segments(&X, (real)s.def[0].length / 2, (real)s.def[1].length / 2) -
                 (real)radii);
    double allowed = 1e-14 * (2 * halves + 2);
    ck_assert_msg(fabs(mine.distance - truth) <= allowed, "tilt %g: %.17g, not %.17g", tilt,
                  mine.distance, truth);
    ck_assert_msg(mine.lower_bound <= truth + 1e-17, "tilt %g", tilt);
    ck_assert(pair->closed);
    ck_assert_int_eq(mine.status, other.status);
    ck_assert_int_eq(mine.scattered, other.scattered);
    bool beside = fabs(X.position.z)<halves, sure = fabs(fabs(X.position.z) - halves)> 1e-6;
    if (sure && (tilt < 2e-9 || tilt > 2e-8)) {
      ck_assert_msg(mine.non_unique == (beside && tilt < 1e-8), "tilt %g: many %d", tilt,
                    mine.non_unique);
      ck_assert(mine.non_unique || !other.non_unique);
      ck_assert((mine.spread > 0) == mine.non_unique);
    }
    double shared = fmin(halves - fabs(X.position.z), fmin(s.def[0].length, s.def[1].length));
    ck_assert(!mine.non_unique || mine.spread >= 0.5 * shared);
    many += mine.non_unique;
    clp_pair_destroy(pair);
    clp_pair_destroy(usual);
    free_scene(&s);
  }
  ck_assert_int_gt(many, rounds / 8);
}

/* ---- A point that is not where its frame is -------------------------------------------------- */

static clp_pair *pair_with_point(clp_body *other, clp_body **point)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  def.size = (clp_vec3){0.8, -0.7, 0.5};
  *point = must_create(&def);
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(*point, other, NULL, &pair), CLP_OK);
  return pair;
}

/* Places whose coordinates a million meters do not round. */
static clp_vec3 any_place(random_state *g)
{
  return (clp_vec3){round(random_between(g, -3e4, 3e4)) / 16384,
                    round(random_between(g, -3e4, 3e4)) / 16384,
                    round(random_between(g, -3e4, 3e4)) / 16384};
}

LOOP_TEST(a_point_is_as_exact_far_from_the_world_s_origin, 0, 2)
{
  const clp_body_def def = round_def(_i ? CLP_SHAPE_CAPSULE : CLP_SHAPE_SPHERE, 0.3, 0.9);
  const clp_vec3 away = {1048576, -524288, 262144};
  random_state g = {.s = 71 + (uint64_t)_i};
  clp_body *other = must_create(&def), *point = NULL;
  clp_pair *pair = pair_with_point(other, &point);
  for (int k = 0; k < 200; ++k) {
    clp_pose X = random_pose(&g, any_place(&g)), Y = random_pose(&g, any_place(&g));
    clp_answer here = clp_pair_query(pair, &X, &Y);
    X.position = clp_add(X.position, away);
    Y.position = clp_add(Y.position, away);
    clp_answer there = clp_pair_query(pair, &X, &Y);
    ck_assert_msg(there.distance == here.distance && there.lower_bound == here.lower_bound,
                  "%.17g, not %.17g", there.distance, here.distance);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(point);
  clp_body_destroy(other);
}

TEST(a_point_has_no_place_in_what_is_no_frame)
{
  const clp_body_def def = round_def(CLP_SHAPE_SPHERE, 0.3, 0);
  clp_body *ball = must_create(&def), *point = NULL;
  clp_pair *pair = pair_with_point(ball, &point);
  clp_pose X = clp_pose_identity(), Y = {X.rotation, {2, 1, 3}};
  ck_assert_int_eq(clp_pair_query(pair, &X, &Y).status, CLP_TRACKING);
  X.rotation.x.x = 1.01;
  clp_answer answer = clp_pair_query(pair, &X, &Y);
  ck_assert_int_eq(answer.status, CLP_CONVERGING);
  ck_assert(answer.distance == HUGE_VAL);
  clp_pair_destroy(pair);
  clp_body_destroy(point);
  clp_body_destroy(ball);
}

/* ---- What is no rotation --------------------------------------------------------------------- */

static void shear(clp_mat3 *r)
{
  r->y = clp_vec3_make(0.6, 0.8, 0);
  r->z = clp_cross(r->x, r->y);
}

/* Of a box's frame every number counts, and none that is off by what a scene lets pass. */
LOOP_TEST(frames_that_are_none, 0, 4)
{
  scene s = make_scene(5, shapes[_i][0], shapes[_i][1]);
  clp_pair *pair = make_pair(&s);
  const bool first = s.def[0].shape == CLP_SHAPE_BOX;
  for (int k = 0; k < 9; ++k)
    for (int by = -2; by <= 2; ++by) {
      static const double amounts[] = {-1e-4, -2e-7, 0, 2e-7, 1e-4};
      clp_pose box = clp_pose_identity(), other = {s.start.rotation, {0.9, 1.3, -1.4}};
      double *number = &box.rotation.x.x + k;
      *number += amounts[by + 2];
      clp_answer answer =
          first ? clp_pair_query(pair, &box, &other) : clp_pair_query(pair, &other, &box);
      ck_assert_msg(answer.status == (abs(by) == 2 ? CLP_CONVERGING : CLP_TRACKING),
                    "number %d off by %g: status %d", k, amounts[by + 2], (int)answer.status);
      ck_assert_int_eq(answer.distance < HUGE_VAL, abs(by) < 2);
    }
  clp_pose box = clp_pose_identity(), other = {s.start.rotation, {0.9, 1.3, -1.4}};
  shear(&box.rotation);
  clp_answer answer =
      first ? clp_pair_query(pair, &box, &other) : clp_pair_query(pair, &other, &box);
  ck_assert_int_eq(answer.status, CLP_CONVERGING);
  ck_assert(answer.distance == HUGE_VAL);
  clp_pair_destroy(pair);
  free_scene(&s);
}

/* ---- Features -------------------------------------------------------------------------------- */

/* The usual way may need another cycle where motion was not told: its interval holds meanwhile. */
static bool is_open(const clp_answer *mine, const clp_answer *usual)
{
  ck_assert_int_eq(mine->status, CLP_TRACKING);
  if (usual->status != CLP_CONVERGING)
    return false;
  ck_assert_double_le(usual->lower_bound, mine->distance + 1e-15);
  ck_assert_double_ge(usual->distance, mine->lower_bound);
  return true;
}

static void expect_alike(const clp_answer *mine, const clp_answer *usual, int cycle)
{
  ck_assert_int_eq(mine->status, usual->status);
  ck_assert_msg(mine->kind_a == usual->kind_a && mine->feature_a == usual->feature_a &&
                    mine->kind_b == usual->kind_b && mine->feature_b == usual->feature_b,
                "cycle %d: features %d/%u %d/%u, not %d/%u %d/%u", cycle, (int)mine->kind_a,
                mine->feature_a, (int)mine->kind_b, mine->feature_b, (int)usual->kind_a,
                usual->feature_a, (int)usual->kind_b, usual->feature_b);
  ck_assert_int_eq(mine->non_unique, usual->non_unique);
  ck_assert_double_eq_tol(clp_distance(mine->point_a, usual->point_a), 0, 1e-7);
}

LOOP_TEST(features_are_those_of_the_usual_way, 0, PAIRS)
{
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose rest = clp_pose_identity();
  int asked = 0, open = 0;
  for (int motion = 0; motion < amount_of(MOTIONS); ++motion) {
    scene s = make_scene(100 * (uint64_t)_i + (uint64_t)motion, shapes[_i][0], shapes[_i][1]);
    clp_pair *pair = make_pair(&s), *usual = make_usual(&s);
    for (int k = 0; k < CYCLES; k += 10) {
      clp_pose X = pose_at(&s, 1e-3 * k);
      clp_answer mine = clp_pair_track(pair, &rest, &X, &still, &still, 1e-2);
      clp_answer other = clp_pair_track(usual, &rest, &X, &still, &still, 1e-2);
      if (mine.distance <= 1e-3)
        continue;
      ++asked;
      if (is_open(&mine, &other))
        ++open;
      else
        expect_alike(&mine, &other, k);
    }
    clp_pair_destroy(pair);
    clp_pair_destroy(usual);
    free_scene(&s);
  }
  ck_assert_int_le(open, 1 + asked / 100);
}
