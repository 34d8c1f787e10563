/* SPDX-License-Identifier: Apache-2.0 */
/* Knots far from 0, compared with the spans between them: bodies are the same as if knots began at
 * 0, in all digits where these can be subtracted exactly; and what parameters' digits do elsewhere
 * is part of what is proven. */

#include "rclc_closest_point/derivative.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/spline.h"
#include "support/amount.h"
#include "support/attack_solids.h"
#include "support/findings.h"
#include "support/planar_shapes.h"
#include "support/random.h"
#include "support/suite.h"

/* Nothing of a knot is lost there that is a multiple of 2^-22; the last one's span is narrower than
 * a hundred-millionth of it. */
static const double far_off[] = {1e3, -1e5, 1e7, -3e8, 1e9};
enum { FAR_OFF = sizeof far_off / sizeof *far_off, NUMBERS = 200000 };

static clp_body *make_body(const attack_body *from, bool convex)
{
  clp_body_def def = attack_define((attack_body *)from);
  def.convex = def.closed = convex;
  return must_create(&def);
}

static clp_pair *make_pair(const clp_body *a, const clp_body *b)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &pair), CLP_OK);
  return pair;
}

static clp_body *primitive(clp_shape kind)
{
  clp_body_def def = clp_default_body_def(kind);
  def.radius = 0.3;
  if (kind == CLP_SHAPE_BOX)
    def.size = (clp_vec3){0.6, 0.5, 0.4};
  return must_create(&def);
}

/* ---- The same in all digits ----------------------------------------------------------------- */

static void expect_same_place(clp_vec3 a, clp_vec3 b)
{
  ck_assert_double_eq(a.x, b.x);
  ck_assert_double_eq(a.y, b.y);
  ck_assert_double_eq(a.z, b.z);
}

static void expect_same(const clp_answer *a, const clp_answer *b)
{
  ck_assert_int_eq(a->status, b->status);
  ck_assert_double_eq(a->distance, b->distance);
  ck_assert_double_eq(a->lower_bound, b->lower_bound);
  expect_same_place(a->point_a, b->point_a);
  expect_same_place(a->point_b, b->point_b);
  expect_same_place(a->normal, b->normal);
  ck_assert_int_eq(a->kind_a, b->kind_a);
  ck_assert_uint_eq(a->feature_a, b->feature_a);
}

static clp_pose random_pose(random_state *g, double from, double to)
{
  clp_vec3 angles = clp_scale(3, random_direction(g));
  return (clp_pose){.rotation = clp_rotation_from_rpy(angles.x, angles.y, angles.z),
                    .position = clp_scale(random_between(g, from, to), random_direction(g))};
}

/* Asked, tracked and asked for derivatives, apart and overlapping. */
static void compare_pairs(const clp_body *near, const clp_body *far, const clp_body *with,
                          const clp_body *with_far, int poses, random_state *g)
{
  enum { STEPS = 3 };
  const clp_pose rest = clp_pose_identity();
  clp_pair *p = make_pair(near, with), *q = make_pair(far, with_far);
  for (int k = 0; k < poses; ++k) {
    clp_pose X = random_pose(g, k % 3 == 0 ? 0 : 1, k % 3 == 0 ? 1 : 3);
    clp_mat3 turn = clp_rotation_about(random_direction(g), 1e-3);
    clp_answer a = clp_pair_query(p, &rest, &X), b = clp_pair_query(q, &rest, &X);
    expect_same(&a, &b);
    for (int step = 0; step < STEPS; ++step) {
      clp_derivative da[2], db[2];
      X.rotation = clp_mat3_multiply(turn, X.rotation);
      a = clp_pair_track(p, &rest, &X, NULL, NULL, 1e-3);
      b = clp_pair_track(q, &rest, &X, NULL, NULL, 1e-3);
      expect_same(&a, &b);
      int count = clp_pair_derivatives(p, &a, &rest, &X, da, 2);
      ck_assert_int_eq(count, clp_pair_derivatives(q, &b, &rest, &X, db, 2));
      for (int i = 0; i < count && i < 2; ++i)
        ck_assert_mem_eq(&da[i], &db[i], sizeof *da);
    }
  }
  clp_pair_destroy(p);
  clp_pair_destroy(q);
}

static void build_solid(attack_body *body, int solid, int layout, double offset)
{
  attack_layout far = attack_layouts[layout];
  far.offset = offset;
  attack_body_init(body, NUMBERS);
  attack_solids[solid].build(body, &far);
}

static void compare_solid(int solid, int layout, int poses)
{
  random_state g = {(uint64_t)(100 + solid)};
  attack_body at_0, far;
  build_solid(&at_0, solid, layout, 0);
  clp_body *near = make_body(&at_0, true), *ball = primitive(CLP_SHAPE_SPHERE);
  for (int k = 0; k < FAR_OFF; ++k) {
    build_solid(&far, solid, layout, far_off[k]);
    clp_body *body = make_body(&far, true);
    ck_assert_double_eq(clp_body_describe(body).slack, clp_body_describe(near).slack);
    compare_pairs(near, body, ball, ball, poses, &g);
    compare_pairs(near, body, near, body, poses, &g);
    clp_body_destroy(body);
    attack_body_free(&far);
  }
  clp_body_destroy(near);
  clp_body_destroy(ball);
  attack_body_free(&at_0);
}

SUITE("far-knots");

TEST_CASE("the same", 60);

LOOP_TEST(convex_bodies, 0, ATTACK_SOLIDS)
{
  compare_solid(_i, 0, amount_of(12));
}

TEST(convex_bodies_of_many_spans)
{
  const int cubic_8_spans = 9, dome = 9;
  compare_solid(dome, cubic_8_spans, amount_of(12));
}

/* A wavy surface over a square of edge 4, of five control points each way, with knots of any size.
 */
static void build_waves(attack_body *body, const double knots[8], double offset, double width)
{
  random_state g = {3};
  attack_body_init(body, NUMBERS);
  attack_patch *p = attack_add_room(body, (int[2]){2, 2}, (int[2]){5, 5});
  for (int k = 0; k < 8; ++k) {
    p->knots[0][k] = offset + width * knots[k];
    p->knots[1][k] = -offset + width * knots[k];
  }
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      memcpy(attack_point(p, i, j),
             (double[4]){i - 2, j - 2, random_between(&g, -0.7, 0.7), random_between(&g, 0.7, 1.4)},
             4 * sizeof(double));
}

static const double even[8] = {0, 0, 0, 0.25, 0.75, 1, 1, 1};

/* Proven by cells. */
TEST(open_surfaces)
{
  random_state g = {8};
  attack_body at_0, far;
  build_waves(&at_0, even, 0, 1);
  clp_body *near = make_body(&at_0, false), *box = primitive(CLP_SHAPE_BOX);
  for (int k = 0; k < FAR_OFF; ++k) {
    build_waves(&far, even, far_off[k], 1);
    clp_body *body = make_body(&far, false);
    compare_pairs(near, body, box, box, amount_of(12), &g);
    compare_pairs(near, body, near, body, amount_of(12), &g);
    clp_body_destroy(body);
    attack_body_free(&far);
  }
  clp_body_destroy(near);
  clp_body_destroy(box);
  attack_body_free(&at_0);
}

/* A lens of two parabolas and a straight side. */
static clp_body *make_region(double offset)
{
  shape *s = calloc(1, sizeof *s);
  ck_assert_ptr_nonnull(s);
  double bent[6] = {offset, offset, offset, offset + 1, offset + 1, offset + 1};
  double straight[4] = {offset, offset, offset + 1, offset + 1};
  double *points = add_curve(s, 1, 2, straight);
  set_point(points, 0, -1, 0);
  set_point(points, 1, 1, 0);
  points = add_curve(s, 2, 3, bent);
  set_point(points, 0, 1, 0);
  set_point(points, 1, 0.3, 1.1);
  set_point(points, 2, -1, 0);
  clp_body_def def = definition(s);
  clp_body *body = must_create(&def);
  free(s);
  return body;
}

TEST(planar_bodies)
{
  random_state g = {9};
  const clp_pose rest = clp_pose_identity();
  clp_body *near = make_region(0);
  clp_pair *p = make_pair(near, near);
  for (int k = 0; k < FAR_OFF; ++k) {
    clp_body *far = make_region(far_off[k]);
    clp_pair *q = make_pair(far, far);
    for (int i = 0; i < amount_of(40); ++i) {
      clp_pose X = {.rotation = clp_rotation_from_rpy(0, 0, random_between(&g, -3, 3))};
      X.position = (clp_vec3){random_between(&g, -3, 3), random_between(&g, -3, 3), 0};
      clp_answer a = clp_pair_query(p, &rest, &X), b = clp_pair_query(q, &rest, &X);
      expect_same(&a, &b);
    }
    clp_pair_destroy(q);
    clp_body_destroy(far);
  }
  clp_pair_destroy(p);
  clp_body_destroy(near);
}

/* ---- The truth --------------------------------------------------------------------------------
 */

/* The distance of p from a place that is nearest in a grid and then by ever smaller steps: by the
 * definition, on the very knots of the file. */
static long double reference_distance(const attack_patch *patch, clp_vec3 p)
{
  enum { GRID = 48 };
  long double low[2], width[2], best = HUGE_VALL, at[2] = {0, 0};
  for (int d = 0; d < 2; ++d) {
    low[d] = attack_low(patch, d);
    width[d] = attack_high(patch, d) - low[d];
  }
  for (long double step = 1.0L / GRID; step > 1e-12L; step *= best < HUGE_VALL ? 0.5L : 1)
    for (bool first = best == HUGE_VALL, better = true; better;) {
      long double from[2] = {first ? 0 : at[0] - step, first ? 0 : at[1] - step};
      int count = first ? GRID + 1 : 3;
      better = false;
      for (int k = 0; k < count * count; ++k) {
        long double t[2], square = 0;
        int span[2];
        for (int d = 0; d < 2; ++d) {
          long double f = from[d] + step * (d == 0 ? k / count : k % count);
          f = f < 0 ? 0 : f > 1 ? 1 : f;
          t[d] = low[d] + f * width[d];
          span[d] = attack_span(patch, d, (double)t[d], false);
        }
        attack_jet j = attack_evaluate(patch, span, t);
        for (int i = 0; i < 3; ++i) {
          long double x = j.p[i] - (i == 0 ? p.x : i == 1 ? p.y : p.z);
          square += x * x;
        }
        if (sqrtl(square) < best) {
          best = sqrtl(square);
          better = !first;
          for (int d = 0; d < 2; ++d)
            at[d] = (t[d] - low[d]) / width[d];
        }
      }
      first = false;
    }
  return best;
}

TEST_CASE("the truth", 60);

/* Knots that no subtraction keeps all digits of. */
LOOP_TEST(intervals_hold_it, 0, 4)
{
  static const double offsets[] = {0.1, -1000.3, 1e5 / 3, 1e7 / 3};
  static const double odd[8] = {0, 0, 0, 0.3, 0.7, 1.1, 1.1, 1.1};
  random_state g = {(uint64_t)(20 + _i)};
  attack_body waves;
  const clp_pose rest = clp_pose_identity();
  build_waves(&waves, odd, offsets[_i], 1);
  clp_body *body = make_body(&waves, false), *point = primitive(CLP_SHAPE_POINT);
  clp_pair *pair = make_pair(body, point);
  int tracking = 0, count = amount_of(40);
  for (int k = 0; k < count; ++k) {
    clp_pose X = rest;
    X.position = (clp_vec3){random_between(&g, -2, 2), random_between(&g, -2, 2),
                            (k % 2 == 0 ? 1 : -1) * random_between(&g, 1, 2)};
    clp_answer answer = clp_pair_query(pair, &rest, &X);
    long double truth = reference_distance(&waves.patches[0], X.position);
    ck_assert_ldouble_le(answer.lower_bound, truth);
    ck_assert_double_ge(answer.distance, (double)truth - 1e-14);
    tracking += answer.status == CLP_TRACKING;
  }
  ck_assert_int_eq(tracking, count);
  clp_pair_destroy(pair);
  clp_body_destroy(body);
  clp_body_destroy(point);
  attack_body_free(&waves);
}

/* Of degree 9 and with weights, and behind a span that is a million times as wide: places are off
 * by no more than it is said of them. */
LOOP_TEST(places_are_as_good_as_it_is_said, 0, 24)
{
  random_state g = {(uint64_t)(50 + _i)};
  const int degree = _i % 2 == 0 ? 9 : 2;
  const double narrow = _i % 4 < 2 ? 1 : 1e-6, weights = _i % 3 == 0 ? 0 : _i % 3;
  attack_body body;
  attack_body_init(&body, NUMBERS);
  attack_patch *p =
      attack_add_room(&body, (int[2]){degree, 2}, (int[2]){2 * degree + 1 - (degree > 1), 3});
  for (int k = 0, size = p->size[0]; k <= size + degree; ++k)
    p->knots[0][k] = k <= degree ? 0.3 : k < size ? 1.7 : 1.7 + narrow;
  memcpy(p->knots[1], (double[6]){0, 0, 0, 1, 1, 1}, 6 * sizeof(double));
  for (int i = 0; i < p->size[0]; ++i)
    for (int j = 0; j < 3; ++j)
      memcpy(attack_point(p, i, j),
             (double[4]){random_between(&g, -1, 1), random_between(&g, -1, 1),
                         random_between(&g, -1, 1), pow(10, random_between(&g, -weights, weights))},
             4 * sizeof(double));
  clp_nurbs whole, piece;
  size_t count = clp_nurbs_storage(degree, p->size[0], p->knots[0], 2, 3, p->knots[1]);
  double *storage = malloc(2 * count * sizeof *storage);
  ck_assert(clp_nurbs_build(degree, p->size[0], p->knots[0], 2, 3, p->knots[1], p->points, storage,
                            &whole));
  clp_nurbs_piece(&whole, 0.3, 1.7 + narrow, 0, 1, storage + count, &piece);
  clp_surface surface = {.kind = CLP_SURFACE_NURBS, .outward = 1, .as.nurbs = piece};
  double off = clp_face_rounding(&surface), worst = 0;
  for (int k = 0; k < amount_of(4000); ++k) {
    double u = piece.breaks_u[1] * random_between(&g, 0, 1), v = random_between(&g, 0, 1);
    if (k % 2 == 0)
      u = piece.breaks_u[1] + (piece.breaks_u[2] - piece.breaks_u[1]) * random_between(&g, 0, 1);
    const int span[2] = {attack_span(p, 0, k % 2 == 0 ? 1.7 : 0.3, false), 2};
    const long double t[2] = {k % 2 == 0 ? 1.7L + ((long double)u - piece.breaks_u[1]) : 0.3L + u,
                              v};
    attack_jet exact = attack_evaluate(p, span, t);
    clp_vec3 q = clp_surface_point(&surface, (clp_site){{u, v, 0}});
    long double x = exact.p[0] - q.x, y = exact.p[1] - q.y, z = exact.p[2] - q.z;
    worst = fmax(worst, (double)sqrtl(x * x + y * y + z * z) - 2 * DBL_EPSILON * clp_norm(q));
  }
  ck_assert_double_le(worst, off);
  if (weights == 0)
    ck_assert_double_le(off, 1e4 * fmax(worst, DBL_EPSILON));
  free(storage);
  attack_body_free(&body);
}

/* ---- Parameters -------------------------------------------------------------------------------
 */

TEST_CASE("parameters", 20);

/* Those of the file are asked for. */
TEST(places_are_those_of_the_file)
{
  random_state g = {30};
  attack_body waves;
  clp_body *point = primitive(CLP_SHAPE_POINT);
  for (int k = 0; k < FAR_OFF; ++k) {
    build_waves(&waves, even, far_off[k], 1);
    clp_body *body = make_body(&waves, false);
    clp_pair *pair = make_pair(body, point);
    for (int i = 0; i < 50; ++i) {
      double u = far_off[k] + random_between(&g, 0, 1), v = -far_off[k] + random_between(&g, 0, 1);
      clp_face_point at = clp_body_face_point(body, 0, u, v);
      attack_spot spot = attack_look_at(&waves.patches[0], u, v);
      ck_assert(at.inside);
      ck_assert_double_le(clp_distance(at.place, spot.point), 1e-14);
      ck_assert_int_eq(clp_pair_start(pair, 0, u, v, 0, 0, 0), CLP_OK);
      ck_assert_int_eq(clp_pair_start(pair, 0, u - 2, v, 0, 0, 0), CLP_ERROR_ARGUMENT);
    }
    ck_assert(clp_body_face_point(body, 0, far_off[k] + 1, 1 - far_off[k]).inside);
    ck_assert(!clp_body_face_point(body, 0, far_off[k] + 1.001, -far_off[k]).inside);
    clp_pair_destroy(pair);
    clp_body_destroy(body);
    attack_body_free(&waves);
  }
  clp_body_destroy(point);
}

/* Of a surface with creases every piece's parameters go on where those of the one before end. */
TEST(pieces_have_those_of_their_patch)
{
  static const double creased[8] = {5, 5, 5, 5.5, 5.5, 6, 6, 6};
  attack_body waves;
  findings f = {0};
  clp_body *body = NULL;
  build_waves(&waves, creased, 1000, 1);
  clp_body_def def = attack_define(&waves);
  def.convex = def.closed = false;
  ck_assert_int_eq(clp_body_create(&def, findings_reporter(&f), &body), CLP_OK);
  ck_assert_int_eq(clp_body_describe(body).faces, 4);
  for (uint32_t face = 0; face < 4; ++face) {
    const uint32_t row = face / 2, column = face % 2;
    double u = 1005.25 + 0.5 * row, v = -994.75 + 0.5 * column;
    clp_face_point at = clp_body_face_point(body, face, u, v);
    ck_assert(at.inside);
    ck_assert_double_le(clp_distance(at.place, attack_look_at(&waves.patches[0], u, v).point),
                        1e-14);
    ck_assert(!clp_body_face_point(body, face, u + 0.5, v - 0.5).inside);
  }
  clp_body_destroy(body);
  attack_body_free(&waves);
}

/* Half a turn of a cylinder in one cubic, which is cut in its middle. */
TEST(cuts_are_told_in_those_of_the_file)
{
  static const double half_circle[4][3] = {
      {1, 0, 1}, {1, 2, 1.0 / 3}, {-1, 2, 1.0 / 3}, {-1, 0, 1}};
  findings f = {0};
  attack_body half;
  clp_body *body = NULL;
  attack_body_init(&half, NUMBERS);
  attack_patch *p = attack_add_room(&half, (int[2]){3, 1}, (int[2]){4, 2});
  for (int k = 0; k < 8; ++k)
    p->knots[0][k] = k < 4 ? 1000 : 1001;
  for (int k = 0; k < 4; ++k)
    p->knots[1][k] = k < 2 ? -7 : -6;
  for (int k = 0; k < 8; ++k) {
    const double *c = half_circle[k / 2];
    memcpy(attack_point(p, k / 2, k % 2), (double[4]){c[0], c[1], k % 2, c[2]}, 4 * sizeof(double));
  }
  clp_body_def def = attack_define(&half);
  def.convex = def.closed = false;
  ck_assert_int_eq(clp_body_create(&def, findings_reporter(&f), &body), CLP_OK);
  ck_assert(findings_find(&f, CLP_FINDING_NOT_NICE, "it is split at u = 1000.5"));
  for (uint32_t face = 0; face < 2; ++face) {
    double u = 1000.25 + 0.5 * face;
    clp_face_point at = clp_body_face_point(body, face, u, -6.5);
    ck_assert(at.inside);
    ck_assert_double_le(clp_distance(at.place, attack_look_at(p, u, -6.5).point), 1e-14);
  }
  clp_body_destroy(body);
  attack_body_free(&half);
}
