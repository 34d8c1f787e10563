/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/pair.h"
#include "support/amount.h"
#include "support/findings.h"
#include "support/random.h"
#include "support/suite.h"

/* Cones and frusta in closed form, beside the nearest of all places of their profiles' lines in
 * wide numbers: in every region about them, on the borders between these, and within. */

typedef long double real;

typedef struct place_rz {
  real r, z;
} place_rz;

typedef struct solid {
  double r[2], z[2]; /* of the low end and of the high one */
  double size;
  clp_body *body;
} solid;

enum { SIDE, LOW_LID, HIGH_LID, LOW_RIM, HIGH_RIM, REGIONS };

/* ---- Bodies ---------------------------------------------------------------------------------- */

static solid make_solid(double low_r, double low_z, double high_r, double high_z)
{
  clp_profile_piece pieces[3];
  int count = 0;
  if (low_r > 0)
    pieces[count++] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = low_r, .z = low_z};
  pieces[count++] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = high_r, .z = high_z};
  if (high_r > 0)
    pieces[count++] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = 0, .z = high_z};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, low_z, pieces, count};
  solid s = {{low_r, high_r}, {low_z, high_z}, 0, must_create(&def)};
  s.size = s.body->size;
  ck_assert(s.body->frustum.length > 0);
  return s;
}

/* Tips above and below and none, of any slope, needles and plates, anywhere on the axis. */
static solid any_solid(random_state *g, double scale)
{
  double wide = scale * pow(10, random_between(g, -1.5, 0.5)), height = scale;
  double narrow = wide * random_between(g, 0.02, 1), start = scale * random_between(g, -1.5, 0.5);
  switch (random_bits(g) % 5) {
    case 0:
      return make_solid(wide, start, 0, start + height);
    case 1:
      return make_solid(0, start, wide, start + height);
    case 2:
      return make_solid(wide, start, narrow, start + height);
    case 3:
      return make_solid(narrow, start, wide, start + height);
    default:
      return make_solid(wide, start, wide, start + height);
  }
}

static clp_body *make_ball(double radius)
{
  clp_body_def def = clp_default_body_def(radius > 0 ? CLP_SHAPE_SPHERE : CLP_SHAPE_POINT);
  def.radius = radius;
  return must_create(&def);
}

static clp_pair *make_pair(const clp_body *a, const clp_body *b)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &pair), CLP_OK);
  return pair;
}

/* ---- The nearest of all places --------------------------------------------------------------- */

/* How far the place is from the line between two others. */
static real from_line(place_rz p, place_rz a, place_rz b)
{
  real r = b.r - a.r, z = b.z - a.z, length2 = r * r + z * z;
  real t = length2 > 0 ? ((p.r - a.r) * r + (p.z - a.z) * z) / length2 : 0;
  t = fminl(fmaxl(t, 0), 1);
  return hypotl(p.r - a.r - t * r, p.z - a.z - t * z);
}

/* How far beyond its sides it is, each drawn on: within the solid no number is above 0. */
static real beyond_sides(const solid *s, place_rz p)
{
  real r = (real)s->r[1] - (real)s->r[0], z = (real)s->z[1] - (real)s->z[0];
  real side = ((p.r - (real)s->r[0]) * z - (p.z - (real)s->z[0]) * r) / hypotl(r, z);
  real most = side;
  if (s->r[0] > 0)
    most = fmaxl(most, (real)s->z[0] - p.z);
  if (s->r[1] > 0)
    most = fmaxl(most, p.z - (real)s->z[1]);
  return most;
}

/* Signed: within the solid as deep as the nearest side. */
static real true_distance(const solid *s, place_rz p)
{
  real beyond = beyond_sides(s, p), nearest = HUGE_VALL;
  const place_rz low = {(real)s->r[0], (real)s->z[0]}, high = {(real)s->r[1], (real)s->z[1]};
  if (beyond <= 0)
    return beyond;
  nearest = fminl(nearest, from_line(p, (place_rz){0, low.z}, low));
  nearest = fminl(nearest, from_line(p, low, high));
  return fminl(nearest, from_line(p, high, (place_rz){0, high.z}));
}

/* Where the place is as the body sees it. */
static place_rz seen_from(const clp_pose *X, const real place[3])
{
  const clp_mat3 *R = &X->rotation;
  const real d[3] = {place[0] - (real)X->position.x, place[1] - (real)X->position.y,
                     place[2] - (real)X->position.z};
  const clp_vec3 axes[3] = {R->x, R->y, R->z};
  real q[3];
  for (int k = 0; k < 3; ++k)
    q[k] = d[0] * (real)axes[k].x + d[1] * (real)axes[k].y + d[2] * (real)axes[k].z;
  return (place_rz){hypotl(q[0], q[1]), q[2]};
}

static place_rz seen(const clp_pose *X, clp_vec3 place)
{
  const real wide[3] = {(real)place.x, (real)place.y, (real)place.z};
  return seen_from(X, wide);
}

/* ---- What an answer says --------------------------------------------------------------------- */

static clp_pose any_pose(random_state *g, double reach)
{
  return (clp_pose){clp_rotation_about(random_direction(g), random_between(g, -3, 3)),
                    clp_scale(random_between(g, 0, reach), random_direction(g))};
}

/* The answer's own digits; a normal's, whose way aside may be 30 times shorter than the height that
 * it is found from; and a width as the usual way has it, where `deep`. */
static const double exact = 4e-15, unit = 3e-14, wide = 1e-9;

static void expect_true(const solid *s, const clp_pose *X, const clp_answer *answer, double truth,
                        double radius, double lengths, bool deep)
{
  double off = answer->distance - (truth - radius), allowed = (deep ? wide : exact) * lengths;
  ck_assert_msg(fabs(off) <= allowed, "%.17g, not %.17g: off by %g, r %g %g, z %g %g, ball %g",
                answer->distance, truth - radius, off, s->r[0], s->r[1], s->z[0], s->z[1], radius);
  ck_assert_msg(fabs(clp_norm(answer->normal) - 1) <= unit, "a normal of length %.17g",
                clp_norm(answer->normal));
  ck_assert_int_eq(answer->status, answer->distance < -allowed  ? CLP_PENETRATING
                                   : answer->distance > allowed ? CLP_TRACKING
                                                                : answer->status);
  ck_assert_msg(answer->lower_bound <= truth - radius, "%.17g is above %.17g", answer->lower_bound,
                truth - radius);
  double on = (double)true_distance(s, seen(X, answer->point_a));
  ck_assert_msg(fabs(on) <= allowed, "the witness is off by %g", on);
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Outwards of the region, in the half plane: the side's and the lids' normals, and of rims any
 * between two of these; `part` is from one of the borders to the other. */
static place_rz outwards(const solid *s, int region, double part)
{
  double r = s->r[1] - s->r[0], z = s->z[1] - s->z[0], length = hypot(r, z);
  double side = atan2(-r / length, z / length), down = -1.57079632679489662, up = -down;
  if (s->r[0] == 0 && region == LOW_RIM)
    down -= 0.2; /* the tip's directions go on beyond the axis */
  double angle = region == SIDE       ? side
                 : region == LOW_LID  ? down
                 : region == HIGH_LID ? up
                 : region == LOW_RIM  ? down + part * (side - down)
                                      : side + part * (up - side);
  return (place_rz){(real)cos(angle), (real)sin(angle)};
}

static place_rz start_of(const solid *s, int region, double part)
{
  switch (region) {
    case SIDE:
      return (place_rz){(real)(s->r[0] + part * (s->r[1] - s->r[0])),
                        (real)(s->z[0] + part * (s->z[1] - s->z[0]))};
    case LOW_LID:
      return (place_rz){(real)(part * s->r[0]), (real)s->z[0]};
    case HIGH_LID:
      return (place_rz){(real)(part * s->r[1]), (real)s->z[1]};
    case LOW_RIM:
      return (place_rz){(real)s->r[0], (real)s->z[0]};
    default:
      return (place_rz){(real)s->r[1], (real)s->z[1]};
  }
}

/* Well within a region, on one of its borders, or beside that by next to nothing. */
static double any_part(random_state *g)
{
  static const double little[] = {0, 1e-300, 1e-17, 1e-16, 1e-14, 1e-10, 1e-6};
  double part = random_between(g, 0.01, 0.99), by = little[random_bits(g) % 7];
  switch (random_bits(g) % 4) {
    case 0:
      return random_bits(g) % 2 ? by : -by;
    case 1:
      return random_bits(g) % 2 ? 1 + by : 1 - by;
    default:
      return part;
  }
}

static clp_vec3 in_world(const clp_pose *X, place_rz p, double azimuth)
{
  double r = (double)p.r;
  return clp_transform(*X, (clp_vec3){r * cos(azimuth), r * sin(azimuth), (double)p.z});
}

static place_rz away_from(const solid *s, int region, double part, double by)
{
  place_rz from = start_of(s, region, part), out = outwards(s, region, part);
  real r = from.r + (real)by * out.r;
  return (place_rz){r > 0 ? r : 0, from.z + (real)by * out.z};
}

/* ---- Features -------------------------------------------------------------------------------- */

static void expect_feature(const solid *s, const clp_answer *answer, int region)
{
  bool tip = (region == LOW_RIM && s->r[0] == 0) || (region == HIGH_RIM && s->r[1] == 0);
  clp_feature_kind kind = tip ? CLP_VERTEX : region < LOW_RIM ? CLP_FACE : CLP_EDGE;
  ck_assert_msg(answer->kind_a == kind, "region %d: kind %d, not %d", region, (int)answer->kind_a,
                (int)kind);
  if (kind == CLP_FACE) {
    const clp_face *face = &s->body->faces[answer->feature_a];
    ck_assert_int_eq(face->flat, region != SIDE);
    if (face->flat)
      ck_assert_int_eq(face->normal.z > 0, region == HIGH_LID);
  } else if (kind == CLP_EDGE) {
    double z = clp_curve_point(&s->body->edges[answer->feature_a].curve,
                               clp_edge_fraction(&s->body->edges[answer->feature_a], 0))
                   .z;
    ck_assert(z == s->z[region == HIGH_RIM]);
  }
}

SUITE("cones and frusta");

TEST_CASE("points and spheres", 60);

static const double scales[] = {1e-6, 1e-2, 1, 1e4};
enum { SCALES = sizeof scales / sizeof *scales, SOLIDS = 60, PLACES = 200 };

static void ask_about(const solid *s, random_state *g)
{
  double radius = random_bits(g) % 2 ? s->size * random_between(g, 0.01, 0.5) : 0;
  clp_body *ball = make_ball(radius);
  clp_pair *pair = make_pair(s->body, ball), *back = make_pair(ball, s->body);
  for (int k = 0; k < PLACES; ++k) {
    clp_pose X = any_pose(g, 3 * s->size), Y = any_pose(g, 0);
    int region = (int)(random_bits(g) % REGIONS);
    double part = any_part(g), by = s->size * pow(10, random_between(g, -5.5, 1.5));
    if (random_bits(g) % 8 == 0)
      by *= -1; /* within, mostly */
    if ((region == LOW_LID && s->r[0] == 0) || (region == HIGH_LID && s->r[1] == 0))
      continue;
    Y.position = in_world(&X, away_from(s, region, part, by), random_between(g, -3, 3));
    double truth = (double)true_distance(s, seen(&X, Y.position));
    double lengths = s->size + s->body->radius + clp_norm(s->body->center) + radius + fabs(by) +
                     clp_norm(X.position);
    clp_answer answer = clp_pair_query(pair, &X, &Y), other = clp_pair_query(back, &Y, &X);
    expect_true(s, &X, &answer, truth, radius, lengths, !pair->closed);
    ck_assert(pair->closed ? truth > 0 : truth < 1e-5 * s->size);
    ck_assert(answer.distance == other.distance && answer.lower_bound == other.lower_bound);
    ck_assert(clp_vec3_equals(answer.point_a, other.point_b));
    ck_assert(!answer.non_unique || truth <= 0);
    if (by > 1e-3 * s->size && part > 1e-3 && part < 1 - 1e-3 &&
        !(region == LOW_RIM && s->r[0] == 0))
      expect_feature(s, &answer, region);
  }
  clp_pair_destroy(pair);
  clp_pair_destroy(back);
  clp_body_destroy(ball);
}

LOOP_TEST(every_region_and_its_borders, 0, SCALES)
{
  random_state g = {.s = 31 + (uint64_t)_i};
  for (int k = 0; k < amount_of(SOLIDS); ++k) {
    solid s = any_solid(&g, scales[_i]);
    ask_about(&s, &g);
    clp_body_destroy(s.body);
  }
}

/* Exactly on the axis, and beside it by less than any rounding, above a tip and above lids. */
TEST(on_the_axis)
{
  static const double beside[] = {0, 5e-324, 1e-300, 1e-160, 1e-30, 1e-17};
  clp_body *ball = make_ball(0.1);
  for (int k = 0; k < 3; ++k) {
    solid s = make_solid(k == 1 ? 0 : 0.5, -0.2, k == 0 ? 0 : 0.7, 0.9);
    clp_pair *pair = make_pair(s.body, ball);
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 6; ++i) {
        clp_pose X = clp_pose_identity(), Y = X;
        Y.position = (clp_vec3){beside[i], -beside[i], side ? 1.4 : -0.7};
        clp_answer answer = clp_pair_query(pair, &X, &Y);
        ck_assert_msg(fabs(answer.distance - 0.4) <= 1e-15, "%.17g", answer.distance);
        ck_assert(fabs(answer.normal.z) == 1 && pair->closed && answer.lower_bound <= 0.4);
        bool tip = s.r[side] == 0;
        ck_assert_int_eq(answer.kind_a, tip ? CLP_VERTEX : CLP_FACE);
      }
    clp_pair_destroy(pair);
    clp_body_destroy(s.body);
  }
  clp_body_destroy(ball);
}

/* ---- Through the regions --------------------------------------------------------------------- */

/* A sphere's center at a time, on its way round and round the solid and up and down. */
static clp_pose on_the_way(double t)
{
  clp_pose X = clp_pose_identity();
  X.position = (clp_vec3){cos(7 * t) * (0.9 + 0.4 * sin(t)), sin(7 * t) * (0.9 + 0.4 * sin(t)),
                          1.4 * sin(3 * t)};
  return X;
}

/* What a cycle says is what a query says, and where the features are others there is an event. */
TEST(cycles_are_queries)
{
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose X = {clp_rotation_from_rpy(0.3, -0.8, 1), {0.05, 0, -0.1}};
  solid s = make_solid(0.5, -0.6, 0.2, 0.6);
  clp_body *ball = make_ball(0.08);
  clp_pair *pair = make_pair(ball, s.body), *asked = make_pair(ball, s.body);
  clp_answer before = {.status = CLP_CONVERGING};
  int changes = 0, closed = 0;
  bool follows = false;
  for (int k = 0; k < 20000; ++k) {
    clp_pose Y = on_the_way(5e-4 * k);
    clp_answer now = clp_pair_track(pair, &Y, &X, &still, &still, 1e-3);
    clp_answer query = clp_pair_query(asked, &Y, &X);
    ck_assert_int_eq(pair->closed, asked->closed);
    if (!pair->closed) {
      ck_assert_int_eq(now.status, CLP_PENETRATING);
      follows = false;
      continue;
    }
    ck_assert(now.distance == query.distance && clp_vec3_equals(now.point_a, query.point_a) &&
              clp_vec3_equals(now.point_b, query.point_b) &&
              clp_vec3_equals(now.normal, query.normal));
    ck_assert_double_eq_tol(now.lower_bound, query.lower_bound, 1e-16);
    ck_assert(now.kind_b == query.kind_b && now.feature_b == query.feature_b);
    bool other = now.kind_b != before.kind_b || now.feature_b != before.feature_b;
    if (follows) {
      ck_assert_int_eq(clp_pair_event_count(pair), other);
      changes += other;
    }
    follows = true;
    ++closed;
    before = now;
  }
  ck_assert_msg(changes > 20 && closed > 10000, "%d changes, %d closed", changes, closed);
  clp_pair_destroy(pair);
  clp_pair_destroy(asked);
  clp_body_destroy(ball);
  clp_body_destroy(s.body);
}

/* ---- Next to contact ------------------------------------------------------------------------- */

/* A tip that was put onto the axis is known to as much: next to contact nobody knows whether it
 * overlaps another body, and witnesses at no distance are one place. */
TEST(meets_where_overlap_is_not_proven)
{
  clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = 0.5, .z = 0},
                                {.kind = CLP_PROFILE_LINE, .r = 3e-10, .z = 1}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, 0, pieces, 2};
  clp_body *cone = must_create(&def), *ball = make_ball(0.25);
  const double slack = cone->info.slack;
  ck_assert(cone->frustum.length > 0 && slack > 1e-10);
  clp_pair *pair = make_pair(cone, ball);
  int met = 0;
  for (int k = -100; k <= 100; ++k) {
    clp_pose X = clp_pose_identity(), Y = X;
    Y.position = (clp_vec3){0, 0, 1.25 + 0.02 * slack * k};
    clp_answer answer = clp_pair_query(pair, &X, &Y);
    clp_vec3 rest =
        clp_sub(clp_sub(answer.point_b, answer.point_a), clp_scale(answer.distance, answer.normal));
    ck_assert_double_le(clp_norm(rest), 1e-15);
    ck_assert(answer.lower_bound <= 0.02 * slack * k - 0.9 * slack);
    ck_assert_int_eq(answer.status == CLP_PENETRATING, answer.distance < 0);
    met += answer.distance == 0 && k < -10;
  }
  ck_assert_int_gt(met, 10);
  clp_pair_destroy(pair);
  clp_body_destroy(ball);
  clp_body_destroy(cone);
}

/* ---- What is no pose ------------------------------------------------------------------------- */

TEST(no_poses)
{
  solid s = make_solid(0.5, -0.6, 0, 0.6);
  clp_body *ball = make_ball(0.08);
  clp_pair *pair = make_pair(s.body, ball);
  const clp_pose X = clp_pose_identity(), Y = {X.rotation, {1, 0, 0.2}};
  clp_pair_query(pair, &X, &Y);
  for (int k = 0; k < 4; ++k) {
    clp_pose A = X, B = Y;
    if (k == 0)
      B.position.y = (double)NAN;
    else if (k == 1)
      A.rotation.z = (clp_vec3){0, 0, 1.1};
    else if (k == 2)
      A.rotation.z.x = (double)NAN;
    else
      B.position.x = 2e9;
    clp_answer answer = clp_pair_track(pair, &A, &B, NULL, NULL, 1e-3);
    ck_assert_int_eq(answer.status, CLP_CONVERGING);
    ck_assert(answer.distance == HUGE_VAL && answer.lower_bound == -HUGE_VAL);
    answer = clp_pair_track(pair, &X, &Y, NULL, NULL, 1e-3);
    ck_assert_int_eq(answer.status, CLP_TRACKING);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(ball);
  clp_body_destroy(s.body);
}

/* ---- A point that is not where its frame is ----------------------------------------------------
 */

/* In steps that a million meters do not round. */
TEST(a_point_is_as_exact_far_from_the_world_s_origin)
{
  solid s = make_solid(0.5, -0.6, 0, 0.6);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  def.size = (clp_vec3){0.8, -0.7, 0.5};
  clp_body *point = must_create(&def);
  clp_pair *pair = make_pair(s.body, point);
  random_state g = {.s = 73};
  for (int k = 0; k < 200; ++k) {
    clp_pose X = any_pose(&g, 0), Y = any_pose(&g, 0);
    Y.position = (clp_vec3){k / 64.0, 2 - k / 32.0, 1.5};
    clp_answer here = clp_pair_query(pair, &X, &Y);
    X.position = (clp_vec3){1048576, -524288, 262144};
    Y.position = clp_add(Y.position, X.position);
    clp_answer there = clp_pair_query(pair, &X, &Y);
    ck_assert_msg(there.distance == here.distance && there.lower_bound == here.lower_bound,
                  "%.17g, not %.17g", there.distance, here.distance);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(point);
  clp_body_destroy(s.body);
}

TEST_CASE("capsules", 60);

/* The distance of a segment's place is convex: thirds, until nothing is left. */
static double from_segment(const solid *s, const clp_pose *X, const clp_pose *Y, double half)
{
  const clp_vec3 u = Y->rotation.z, c = Y->position;
  real lo = -(real)half, hi = (real)half, least = HUGE_VALL;
  for (int k = 0; k < 160; ++k) {
    real value[2];
    for (int i = 0; i < 2; ++i) {
      real t = lo + (hi - lo) * (i == 0 ? 0.382L : 0.618L);
      const real place[3] = {(real)c.x + t * (real)u.x, (real)c.y + t * (real)u.y,
                             (real)c.z + t * (real)u.z};
      value[i] = true_distance(s, seen_from(X, place));
      least = fminl(least, value[i]);
    }
    if (value[0] < value[1])
      hi = lo + (hi - lo) * 0.618L;
    else
      lo += (hi - lo) * 0.382L;
  }
  return (double)least;
}

/* Any way, along the axis, along a ruling, or across above the middle; or beside one of these by
 * little. */
static clp_mat3 any_turn(const solid *s, random_state *g)
{
  static const double little[] = {0, 1e-15, 1e-9, 1e-5, 1e-2};
  double slope = atan2(s->r[1] - s->r[0], s->z[1] - s->z[0]), by = little[random_bits(g) % 5];
  clp_mat3 spin = clp_rotation_about((clp_vec3){0, 0, 1}, random_between(g, -3, 3));
  clp_mat3 off = clp_rotation_about(random_direction(g), by);
  switch (random_bits(g) % 4) {
    case 0:
      return off;
    case 1:
      return clp_mat3_multiply(
          off, clp_mat3_multiply(spin, clp_rotation_about((clp_vec3){0, 1, 0}, slope)));
    case 2:
      return clp_mat3_multiply(
          off,
          clp_mat3_multiply(spin, clp_rotation_about((clp_vec3){0, 1, 0}, 1.5707963267948966)));
    default:
      return clp_rotation_about(random_direction(g), random_between(g, -3, 3));
  }
}

static void ask_capsule(const solid *s, random_state *g, int *closed, int *all)
{
  const double radius = s->size * random_between(g, 0.02, 0.2);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CAPSULE);
  def.radius = radius;
  def.length = s->size * random_between(g, 0.1, 2);
  clp_body *capsule = must_create(&def);
  clp_pair *pair = make_pair(s->body, capsule);
  const clp_pose X = any_pose(g, s->size);
  for (int k = 0; k < PLACES / 4; ++k) {
    clp_pose Y;
    double by = s->size * random_between(g, 0.2, 1.5), part = any_part(g);
    int region = (int)(random_bits(g) % REGIONS);
    if ((region == LOW_LID && s->r[0] == 0) || (region == HIGH_LID && s->r[1] == 0))
      continue;
    Y.rotation = clp_mat3_multiply(X.rotation, any_turn(s, g));
    Y.position = in_world(&X, away_from(s, region, part, by), random_between(g, -3, 3));
    double truth = from_segment(s, &X, &Y, 0.5 * def.length);
    double lengths = s->size + clp_norm(s->body->center) + def.length + by + clp_norm(X.position);
    clp_answer answer = clp_pair_query(pair, &X, &Y);
    if (truth < 0.02 * s->size)
      continue;
    expect_true(s, &X, &answer, truth, radius, 3 * lengths, !pair->closed);
    *closed += pair->closed;
    ++*all;
  }
  clp_pair_destroy(pair);
  clp_body_destroy(capsule);
}

LOOP_TEST(segments_anywhere, 0, SCALES)
{
  random_state g = {.s = 71 + (uint64_t)_i};
  int closed = 0, all = 0;
  for (int k = 0; k < amount_of(SOLIDS); ++k) {
    solid s = any_solid(&g, scales[_i]);
    ask_capsule(&s, &g, &closed, &all);
    clp_body_destroy(s.body);
  }
  ck_assert_msg(closed > 0.6 * all, "%d of %d", closed, all);
}

/* Across above a lid, and along a ruling, a segment's places are all as near; across above a tip,
 * or turned away by a little, one is. */
TEST(others_as_near)
{
  static const struct {
    double radius, turn; /* of the upper end; about y */
    clp_vec3 at;
    bool many;
  } cases[] = {{0.3, 0.5, {0, 0, 1}, true},     {0.3, 0.50001, {0, 0, 1}, false},
               {0, 0.5, {0, 0, 1}, false},      {0.5, 0, {1, 0, 0.1}, true},
               {0.5, 1e-5, {1, 0, 0.1}, false}, {0.5, 1, {-1, 0, -0.1}, true},
               {0.3, 0.2, {1, 0, 0.1}, false}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CAPSULE);
  def.radius = 0.05;
  def.length = 0.3;
  clp_body *capsule = must_create(&def);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    solid s = make_solid(0.5, -0.5, cases[k].radius, 0.5);
    clp_pair *pair = make_pair(s.body, capsule);
    clp_pose X = clp_pose_identity(), Y = X;
    Y.rotation = clp_rotation_about((clp_vec3){0, 1, 0}, 3.14159265358979324 * cases[k].turn);
    Y.position = cases[k].at;
    clp_answer answer = clp_pair_query(pair, &X, &Y);
    double truth = from_segment(&s, &X, &Y, 0.15) - def.radius;
    ck_assert_int_eq(answer.status, CLP_TRACKING);
    ck_assert_msg(fabs(answer.distance - truth) <= wide, "%zu: %.17g", k, answer.distance);
    ck_assert_msg(answer.non_unique == cases[k].many, "%zu: others %d", k, answer.non_unique);
    ck_assert((answer.spread > 0) == cases[k].many);
    clp_pair_destroy(pair);
    clp_body_destroy(s.body);
  }
  clp_body_destroy(capsule);
}
