/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles that nothing is easy for: however bodies have jumped, a cycle takes a bounded number of
 * iterations, and at rest it does not take many until all is known. */

#include "rclc_closest_point/body/compass.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/pair/pair.h"
#include "support/amount.h"
#include "support/dented.h"
#include "support/facets.h"
#include "support/solids.h"
#include "support/suite.h"

/* ---- Farthest vertices -------------------------------------------------------------------- */

/* At random, along faces' normals, along axes, and next to these. */
static clp_vec3 some_direction(random_state *g, const clp_body *body)
{
  clp_vec3 n = random_direction(g), axis = {0, 0, 0};
  double off = random_bits(g) % 2 ? 0 : pow(10, random_between(g, -15, -1));
  uint64_t kind = random_bits(g) % 3;
  if (kind == 0)
    return n;
  if (kind == 1)
    axis = body->faces[random_bits(g) % body->face_count].normal;
  else
    axis.z = random_bits(g) % 2 ? 1 : -1;
  return clp_unit(clp_add_scaled(axis, off, n));
}

SUITE("bounded");

TEST_CASE("tops", 60);

static clp_body *make_climb(int k)
{
  static const int rings[] = {6, 9, 40}, around[] = {12, 7, 22};
  return k < 3 ? make_globe(rings[k], around[k], k == 1 ? 0.01 : 0.7) : make_bipyramid(400);
}

LOOP_TEST(climbs_to_the_top, 0, 4)
{
  clp_body *body = make_climb(_i);
  random_state g = {3};
  int whole = 0;
  ck_assert_uint_gt(body->compass.grid, 0);
  for (int k = 0, count = amount_of(20000); k < count; ++k) {
    clp_vec3 n = some_direction(&g, body);
    double height = vertex_height(body, n);
    clp_support s = clp_support_find(body, n);
    ck_assert_double_eq_tol(s.value, height, 1e-13);
    ck_assert_double_eq_tol(clp_dot(n, clp_spot_point(body, s.spot)), s.value, 1e-13);
    whole += s.spot.kind == CLP_FACE;
  }
  ck_assert_int_gt(whole, amount_of(20000) / 50); /* faces are farthest as a whole, too */
  clp_body_destroy(body);
}

/* Of each cell's middle the top is kept, so that a way is short. */
LOOP_TEST(starts_at_the_top, 0, 4)
{
  clp_body *body = make_climb(_i);
  uint32_t grid = body->compass.grid;
  for (size_t k = 0; k < clp_compass_cells(grid); ++k) {
    double u = 2 * ((double)(k % grid) + 0.5) / grid - 1;
    double v = 2 * ((double)(k / grid % grid) + 0.5) / grid - 1;
    size_t side = k / ((size_t)grid * grid);
    double w = side % 2 ? 1 : -1;
    clp_vec3 n = side < 2   ? (clp_vec3){w, u, v}
                 : side < 4 ? (clp_vec3){u, w, v}
                            : (clp_vec3){u, v, w};
    uint32_t top = body->compass.vertex[clp_compass_cell(grid, n)];
    ck_assert_double_eq_tol(clp_dot(n, body->vertices[top].place), vertex_height(body, n), 1e-15);
  }
  clp_body_destroy(body);
}

/* ---- Cycles ------------------------------------------------------------------------------- */

/* Of a cycle, however bodies have jumped, and of bodies that face each other; at rest until all is
 * known, and until no shorter way out is looked for. */
enum { MOST_STEPS = 24, MOST_FACING = 20, SETTLED_AFTER = 12, LOOKED_AFTER = 40 };

typedef struct scene {
  clp_pair *tracked, *asked;
  clp_body *a, *b;
  random_state g;
} scene;

static scene make_scene(clp_body *a, clp_body *b, uint64_t seed)
{
  scene s = {.a = a, .b = b, .g = {seed}};
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &s.tracked), CLP_OK);
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &s.asked), CLP_OK);
  const clp_pose I = clp_pose_identity(), apart = {I.rotation, {5, 0, 0}};
  clp_pair_query(s.tracked, &I, &apart); /* the first cycle would be one */
  return s;
}

static void free_scene(scene *s)
{
  clp_pair_destroy(s->tracked);
  clp_pair_destroy(s->asked);
  clp_body_destroy(s->a);
  clp_body_destroy(s->b);
}

/* Whatever a cycle has been able to find out. Of an overlap it is a way out, perhaps not the
 * shortest. */
static void expect_to_hold(const clp_answer *answer, const clp_answer *truth)
{
  const double rounding = 1e-9;
  ck_assert_double_le(answer->lower_bound, truth->distance + rounding);
  if (answer->status == CLP_PENETRATING)
    ck_assert_msg(answer->distance <= truth->distance + rounding,
                  "%.17g, proven %.17g, asked %.17g, proven %.17g; features %d %d",
                  answer->distance, answer->lower_bound, truth->distance, truth->lower_bound,
                  (int)answer->kind_a, (int)answer->kind_b);
  else
    ck_assert_double_ge(answer->distance, truth->lower_bound - rounding);
}

/* A jump to X, and rest: every answer holds, and soon it is as good as can be. */
static void expect_settling(scene *s, const clp_pose *X, int most)
{
  const clp_pose I = clp_pose_identity();
  clp_answer truth = clp_pair_query(s->asked, &I, X), answer = truth;
  for (int k = 0; k < LOOKED_AFTER; ++k) {
    answer = clp_pair_track(s->tracked, &I, X, NULL, NULL, 1e-3);
    ck_assert_msg(answer.steps <= most, "cycle %d: %d iterations", k, answer.steps);
    expect_to_hold(&answer, &truth);
    ck_assert_msg(k < SETTLED_AFTER || answer.status == truth.status,
                  "cycle %d: status %d in [%.17g, %.17g], asked %d in [%.17g, %.17g]", k,
                  (int)answer.status, answer.lower_bound, answer.distance, (int)truth.status,
                  truth.lower_bound, truth.distance);
  }
  if (truth.distance > 0)
    ck_assert_double_eq_tol(answer.distance, truth.distance, 1e-9);
}

TEST_CASE("cycles", 120);

/* Through each other, at any orientation. */
LOOP_TEST(overlapping, 0, 4)
{
  static const int rings[] = {4, 40, 40, 9}, around[] = {6, 22, 22, 14};
  clp_body *a = make_globe(rings[_i], around[_i], 0.6);
  clp_body *b = _i < 2 ? make_globe(rings[_i], around[_i], 0.6)
                       : make_solid(_i == 2 ? CLP_SHAPE_BOX : CLP_SHAPE_CYLINDER,
                                    (clp_vec3){1, 0.8, 0.6}, 0.4, 1)
                             .body;
  scene s = make_scene(a, b, 7);
  for (int k = 0, count = amount_of(80); k < count; ++k) {
    clp_pose X = random_pose_within(&s.g, 1.2);
    expect_settling(&s, &X, MOST_STEPS);
  }
  free_scene(&s);
}

/* None, or between a rounding and a tenth. */
static double next_to_nothing(random_state *g)
{
  return random_bits(g) % 4 == 0 ? 0 : pow(10, random_between(g, -14, -1));
}

/* Planes that are parallel, or nearly: on one axis, or aside. */
LOOP_TEST(facing, 0, 3)
{
  solid disc = make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 0.1);
  solid other = _i == 0   ? make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 0.1)
                : _i == 1 ? make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.25, 0.1)
                          : make_box(0.8, 0.6, 0.1);
  scene s = make_scene(disc.body, other.body, 5);
  for (int k = 0, count = amount_of(400); k < count; ++k) {
    random_state *g = &s.g;
    double gap = pow(10, random_between(g, -4, -0.5)), tilt = next_to_nothing(g);
    clp_pose X = {clp_rotation_from_rpy(tilt, next_to_nothing(g), random_between(g, -3, 3)),
                  {random_bits(g) % 2 ? next_to_nothing(g) : random_between(g, 0, 0.7), 0,
                   0.1 + 0.9 * (tilt + 0.1) * gap}};
    expect_settling(&s, &X, MOST_FACING);
  }
  free_scene(&s);
}

/* ---- Effort ------------------------------------------------------------------------------- */

TEST_CASE("effort", 120);

/* Thousands of instructions that a cycle may take, 0 for the default; and by how much what is
 * counted, the most of each of its parts, may be beyond it (bench_worst has what callgrind counts).
 */
static const int efforts[] = {60, 120, 0};
enum { DEFAULT_EFFORT = 1000, BEYOND = 60, HARD_PAIRS = 6, AT_REST = 50 };

static scene make_hard_scene(int k, int effort)
{
  const clp_vec3 none = {0, 0, 0};
  clp_body *a = k == 0   ? make_globe(40, 22, 0.6)
                : k == 1 ? make_bipyramid(50)
                : k == 2 ? make_bipyramid(24)
                         : make_solid(CLP_SHAPE_CYLINDER, none, 0.4, 0.1).body;
  clp_body *b = k == 0   ? make_globe(40, 22, 0.6)
                : k == 1 ? make_ellipsoid(0.5, 0.5, 0.0005).body
                : k <= 3 ? make_box(0.8, 0.6, 0.5).body
                : k == 4 ? make_solid(CLP_SHAPE_CYLINDER, none, 0.4, 0.1).body
                         : make_ellipsoid(0.5, 0.3, 0.4).body;
  scene s = make_scene(a, b, 11 + (uint64_t)k);
  clp_pair_options options = clp_default_pair_options();
  const clp_pose I = clp_pose_identity(), apart = {I.rotation, {5, 0, 0}};
  options.effort = 1000 * effort;
  clp_pair_destroy(s.tracked);
  ck_assert_int_eq(clp_pair_create(a, b, &options, &s.tracked), CLP_OK);
  clp_pair_query(s.tracked, &I, &apart);
  return s;
}

/* One cycle: it holds, and has not taken more than it may. */
static clp_answer step_within(scene *s, const clp_pose *X, int most)
{
  const clp_pose I = clp_pose_identity();
  clp_answer truth = clp_pair_query(s->asked, &I, X);
  s->tracked->common.hundreds = 0;
  clp_answer answer = clp_pair_track(s->tracked, &I, X, NULL, NULL, 1e-3);
  ck_assert_int_le(s->tracked->common.hundreds, 10 * (most + BEYOND));
  expect_to_hold(&answer, &truth);
  return answer;
}

/* Through each other and round, with jumps and rest after some of them. */
LOOP_TEST(no_cycle_takes_more, 0, 3 * HARD_PAIRS)
{
  int effort = efforts[_i / HARD_PAIRS], most = effort > 0 ? effort : DEFAULT_EFFORT, full = 0;
  scene s = make_hard_scene(_i % HARD_PAIRS, effort);
  clp_pose X = random_pose_within(&s.g, 1.2);
  for (int k = 0, count = amount_of(400); k < count; ++k) {
    clp_vec3 way = clp_scale(2e-3, random_direction(&s.g));
    if (k % 8 == 0)
      X = random_pose_within(&s.g, 1.2);
    X.position = clp_add(X.position, way);
    step_within(&s, &X, most);
    full += s.tracked->common.hundreds >= 10 * most - CLP_EFFORT_GREATEST / 100;
    bool open = k % 8 == 7;
    for (int j = 0; j < AT_REST && open; ++j)
      open = step_within(&s, &X, most).status == CLP_CONVERGING;
    ck_assert(!open);
  }
  ck_assert(effort == 0 || full > 0);
  free_scene(&s);
}

/* A disc or a rod whose lower rim is rounded: radius, half its length, radius of the rounding. */
typedef struct rounded {
  double r, z, f;
} rounded;

static clp_body *make_rounded(const rounded *o)
{
  const clp_profile_piece pieces[] = {dented_line(o->r - o->f, -o->z),
                                      dented_arc(o->r, o->f - o->z, o->r - o->f, o->f - o->z),
                                      dented_line(o->r, o->z), dented_line(0, o->z)};
  return dented_turned(0, -o->z, pieces, 4, true);
}

static double rounded_height(const rounded *o, clp_vec3 n)
{
  const double out = hypot(n.x, n.y);
  return fmax(o->r * out + o->z * n.z, (o->r - o->f) * out - (o->z - o->f) * n.z + o->f);
}

/* Moved along its normal by what is told, wherever the effort ends, bodies are apart: of lids that
 * are nearly parallel each has a normal of its own, of which other places are farthest. */
TEST(an_interrupted_depth_is_a_way_out)
{
  static const rounded a = {0.0406, 5.4e-5, 1.1e-5}, b = {0.0581, 0.0516, 0.0079};
  const clp_pose I = clp_pose_identity();
  scene s = make_scene(make_rounded(&a), make_rounded(&b), 13);
  int told = 0;
  for (int k = 0, count = amount_of(2000); k < count; ++k) {
    const double tilt = pow(10, random_between(&s.g, -9, -7)), half_turn = 3.141592653589793;
    const double aside = random_between(&s.g, 0, 0.1), deep = random_between(&s.g, 0, 2e-3);
    const clp_pose X = {clp_rotation_from_rpy(half_turn + tilt, 0, random_between(&s.g, -3, 3)),
                        {aside, 0, deep - a.z - b.z}};
    s.tracked->options.effort = (int)random_between(&s.g, 6e4, 2e5);
    for (int j = 0; j < 4; ++j) {
      clp_answer answer = clp_pair_track(s.tracked, &I, &X, NULL, NULL, 1e-3);
      if (answer.status != CLP_PENETRATING)
        continue;
      const clp_vec3 n = answer.normal, back = clp_negate(clp_rotate_back(X.rotation, n));
      const double gap = clp_dot(n, X.position) - rounded_height(&a, n) - rounded_height(&b, back);
      ck_assert_msg(answer.distance <= gap + 2e-10, "%.17g, %.3g too much", answer.distance,
                    answer.distance - gap);
      ++told;
    }
    const clp_pose elsewhere = random_pose_within(&s.g, 0.2);
    clp_pair_track(s.tracked, &I, &elsewhere, NULL, NULL, 1e-3);
  }
  ck_assert_int_gt(told, amount_of(2000));
  free_scene(&s);
}

/* ---- Tips where many faces meet ----------------------------------------------------------- */

TEST_CASE("tips", 120);

/* s(n) of the vertices of a at the origin and a solid at X. */
static double gap_of_vertices(const clp_body *a, const solid *b, const clp_pose *X, clp_vec3 n)
{
  clp_vec3 m = clp_rotate_back(X->rotation, n);
  long double height = -HUGE_VALL, x = n.x, y = n.y, z = n.z;
  for (uint32_t k = 0; k < a->vertex_count; ++k) {
    clp_vec3 p = a->vertices[k].place;
    height = fmaxl(height, x * p.x + y * p.y + z * p.z);
  }
  const clp_vec3 p = X->position;
  return (double)(x * p.x + y * p.y + z * p.z - height - height_of(b, clp_negate(m)));
}

/* An answer is what its normal tells, and proven. */
static void expect_told_by_normal(const clp_body *a, const solid *b, const clp_pose *X,
                                  const clp_answer *answer, double width)
{
  double gap = gap_of_vertices(a, b, X, answer->normal);
  ck_assert_msg(answer->status == CLP_TRACKING || answer->status == CLP_PENETRATING, "status %d",
                (int)answer->status);
  ck_assert_double_eq_tol(gap, answer->distance, 1e-9);
  ck_assert_double_le(answer->lower_bound, answer->distance);
  ck_assert_msg(answer->distance - answer->lower_bound <= width,
                "distance %.17g, proven %.17g; features %d %d", answer->distance,
                answer->lower_bound, (int)answer->kind_a, (int)answer->kind_b);
}

/* s(n) of no direction is more than who asks is told: directions all round, and about the one that
 * was found. */
static void expect_no_more_anywhere(const clp_body *a, const solid *b, const clp_pose *X,
                                    const clp_answer *asked, random_state *g)
{
  for (int k = 0; k < 400; ++k) {
    clp_vec3 n = random_direction(g);
    if (k % 2)
      n = clp_unit(clp_add_scaled(asked->normal, pow(10, random_between(g, -4, 0)), n));
    ck_assert_double_le(gap_of_vertices(a, b, X, n), asked->distance + 1e-9);
  }
}

static const int tip_sides[] = {24, 30, 60, 400};

static solid beside_tips(int k)
{
  const clp_vec3 none = {0, 0, 0};
  return k == 0   ? make_box(0.8, 0.6, 1)
         : k == 1 ? make_solid(CLP_SHAPE_CYLINDER, none, 0.4, 1)
         : k == 2 ? make_solid(CLP_SHAPE_CAPSULE, none, 0.3, 0.8)
                  : make_solid(CLP_SHAPE_SPHERE, none, 0.4, 0);
}

/* Apart, touching and overlapping, at one of the tips or anywhere: of who asks and of who follows,
 * from wherever bodies jump. */
LOOP_TEST(told_by_their_normals, 0, 16)
{
  solid other = beside_tips(_i % 4);
  scene s = make_scene(make_bipyramid(tip_sides[_i / 4]), other.body, 9);
  const clp_pose I = clp_pose_identity();
  int apart = 0, inside = 0, count = amount_of(160);
  for (int k = 0; k < count; ++k) {
    clp_pose X = random_pose_within(&s.g, 1.2);
    if (k % 2)
      X.position = clp_add((clp_vec3){0.2, 0, 0.8}, clp_scale(0.6, X.position));
    clp_answer asked = clp_pair_query(s.asked, &I, &X);
    if (k % 3 == 0) { /* next to contact */
      X.position = clp_add_scaled(X.position, random_between(&s.g, -1e-4, 1e-4) - asked.distance,
                                  asked.normal);
      asked = clp_pair_query(s.asked, &I, &X);
    }
    expect_told_by_normal(s.a, &other, &X, &asked, 1e-9);
    expect_no_more_anywhere(s.a, &other, &X, &asked, &s.g);
    apart += asked.distance > 0;
    inside += asked.distance < 0;
    for (int j = 0; j < SETTLED_AFTER; ++j) {
      clp_answer found = clp_pair_track(s.tracked, &I, &X, NULL, NULL, 1e-3);
      expect_to_hold(&found, &asked);
      if (found.status == CLP_CONVERGING && j + 1 < SETTLED_AFTER)
        continue;
      expect_told_by_normal(s.a, &other, &X, &found, 1e-3);
      ck_assert_double_le(found.distance, asked.distance + 1e-9);
    }
  }
  ck_assert_int_gt(apart, count / 8);
  ck_assert_int_gt(inside, count / 8);
  free_scene(&s);
}
