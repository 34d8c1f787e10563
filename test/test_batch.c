/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/batch.h"

#include <string.h>

#include "judge/shape.h"
#include "support/random.h"
#include "support/suite.h"

/* Batches against the same pairs tracked one by one: the same answers, whatever registers, whatever
 * company; and what a batch declines stays as it was. */

enum { PAIRS = 9, CYCLES = 14 }; /* no multiple of four */

static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};

/* ---- Bodies and motions ------------------------------------------------------------------- */

typedef enum thing { BALL, EGG, PILL, CAN, CRATE, PROBE, FUNNEL, THINGS } thing;

static clp_body *body_of(thing what)
{
  static const clp_shape shapes[THINGS] = {
      CLP_SHAPE_SPHERE, CLP_SHAPE_ELLIPSOID, CLP_SHAPE_CAPSULE, CLP_SHAPE_CYLINDER,
      CLP_SHAPE_BOX,    CLP_SHAPE_POINT,     CLP_SHAPE_REVOLVED};
  static const clp_profile_piece cone[2] = {{.kind = CLP_PROFILE_LINE, .r = 0.4, .z = -0.3},
                                            {.kind = CLP_PROFILE_LINE, .r = 0, .z = 0.5}};
  clp_body_def def = clp_default_body_def(shapes[what]);
  def.radius = 0.3;
  def.length = 0.8;
  def.size = what == PROBE ? (clp_vec3){0.1, 0, 0} : (clp_vec3){0.5, 0.7, 0.4};
  def.revolved = (clp_revolved_def){0, -0.3, cone, 2};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_OK);
  return body;
}

/* A screw motion that stays clear: everything here fits into a ball of radius 0.6. */
typedef struct motion {
  clp_vec3 place, axis, velocity;
  double angle, spin;
} motion;

static motion random_motion(random_state *g, double distance)
{
  return (motion){clp_scale(distance, random_direction(g)), random_direction(g),
                  clp_scale(0.5, random_direction(g)), random_between(g, 0, 6),
                  random_between(g, -2, 2)};
}

static clp_vec3 turned(clp_vec3 a, clp_vec3 axis, double angle)
{
  clp_vec3 turned = clp_add_scaled(clp_scale(cos(angle), a), sin(angle), clp_cross(axis, a));
  return clp_add_scaled(turned, (1 - cos(angle)) * clp_dot(axis, a), axis);
}

static void place(const motion *m, double t, clp_pose *X, clp_twist *V)
{
  double angle = m->angle + m->spin * t;
  X->rotation = (clp_mat3){turned((clp_vec3){1, 0, 0}, m->axis, angle),
                           turned((clp_vec3){0, 1, 0}, m->axis, angle),
                           turned((clp_vec3){0, 0, 1}, m->axis, angle)};
  X->position = clp_add_scaled(m->place, t, m->velocity);
  *V = (clp_twist){m->velocity, clp_scale(m->spin, m->axis)};
}

/* ---- A crowd of like bodies --------------------------------------------------------------- */

typedef struct crowd {
  clp_pair *pairs[PAIRS];
  motion a[PAIRS], b[PAIRS];
  clp_pose X_A[PAIRS], X_B[PAIRS];
  clp_twist V_A[PAIRS], V_B[PAIRS];
  clp_batch_job jobs[PAIRS];
  clp_answer answers[PAIRS];
} crowd;

static void crowd_make(crowd *c, const clp_body *a, const clp_body *b, uint64_t seed)
{
  random_state g = {seed};
  for (int k = 0; k < PAIRS; ++k) {
    ck_assert_int_eq(clp_pair_create(a, b, NULL, &c->pairs[k]), CLP_OK);
    c->a[k] = random_motion(&g, 5); /* away from the origin: nothing may depend on it */
    c->b[k] = random_motion(&g, random_between(&g, 1.4, 3));
    c->b[k].place = clp_add(c->b[k].place, c->a[k].place);
    c->jobs[k] = (clp_batch_job){c->pairs[k], &c->X_A[k], &c->X_B[k],     &c->V_A[k],
                                 &c->V_B[k],  1e-3,       &c->answers[k], false};
  }
}

static void crowd_release(crowd *c)
{
  for (int k = 0; k < PAIRS; ++k)
    clp_pair_destroy(c->pairs[k]);
}

typedef enum way { ALONE, PLAIN, BEST, SHUFFLED, WAYS } way;

/* How many answers each kernel has given. */
static long given[CLP_BATCH_KINDS];

static void run_kind(crowd *c, int kind, way how)
{
  clp_batch_job *group[PAIRS];
  int count = 0;
  for (int k = 0; k < PAIRS; ++k) {
    int index = how == SHUFFLED ? (k * 7 + 3) % PAIRS : k;
    if (clp_batch_kind(c->pairs[index]) == kind && !c->jobs[index].done)
      group[count++] = &c->jobs[index];
  }
  if (count > 0)
    clp_batch_track(kind, group, count, how == PLAIN ? CLP_BATCH_PLAIN : CLP_BATCH_BEST);
  for (int k = 0; k < count; ++k)
    given[kind] += group[k]->done;
}

static void crowd_place(crowd *c, int cycle)
{
  for (int k = 0; k < PAIRS; ++k) {
    place(&c->a[k], 1e-3 * cycle, &c->X_A[k], &c->V_A[k]);
    place(&c->b[k], 1e-3 * cycle, &c->X_B[k], &c->V_B[k]);
    c->jobs[k].done = false;
  }
}

/* One cycle, and how many answers came from batches. */
static int crowd_step(crowd *c, int cycle, way how)
{
  int batched = 0;
  crowd_place(c, cycle);
  for (int kind = CLP_BATCH_FIRST; how != ALONE && kind < CLP_BATCH_KINDS; ++kind)
    run_kind(c, kind, how);
  for (int k = 0; k < PAIRS; ++k) {
    batched += c->jobs[k].done;
    if (!c->jobs[k].done)
      c->answers[k] =
          clp_pair_track(c->pairs[k], &c->X_A[k], &c->X_B[k], &c->V_A[k], &c->V_B[k], 1e-3);
  }
  return batched;
}

/* ---- The same answers --------------------------------------------------------------------- */

static void expect_like(const clp_answer *x, const clp_answer *y)
{
  ck_assert_int_eq(x->status, y->status);
  ck_assert_double_eq_tol(x->distance, y->distance, 1e-14);
  ck_assert_double_eq_tol(x->lower_bound, y->lower_bound, 1e-9);
  ck_assert(x->lower_bound <= y->distance && x->lower_bound <= x->distance);
  ck_assert(clp_distance(x->point_a, y->point_a) < 1e-9);
  ck_assert(clp_distance(x->point_b, y->point_b) < 1e-9);
  ck_assert(clp_distance(x->normal, y->normal) < 1e-9);
  ck_assert_double_eq_tol(clp_norm(x->normal), 1, 1e-14);
  ck_assert(x->kind_a == y->kind_a && x->kind_b == y->kind_b);
  ck_assert(x->feature_a == y->feature_a && x->feature_b == y->feature_b);
}

static void expect_same_bits(const clp_answer *x, const clp_answer *y)
{
  size_t numbers = offsetof(clp_answer, kind_a) - offsetof(clp_answer, distance);
  ck_assert_mem_eq(&x->distance, &y->distance, numbers);
}

typedef void expect_answer(const clp_answer *batched, const clp_answer *alone);

/* The same pairs all ways at once; returns how many of a way's answers came from batches. */
static int compare_ways(const clp_body *a, const clp_body *b, expect_answer *expect)
{
  static crowd crowds[WAYS];
  int batched[WAYS] = {0};
  for (way how = ALONE; how < WAYS; ++how)
    crowd_make(&crowds[how], a, b, 77);
  for (int cycle = 0; cycle < CYCLES; ++cycle) {
    for (way how = ALONE; how < WAYS; ++how)
      batched[how] += crowd_step(&crowds[how], cycle, how);
    for (int k = 0; k < PAIRS; ++k) {
      expect(&crowds[BEST].answers[k], &crowds[ALONE].answers[k]);
      expect_same_bits(&crowds[BEST].answers[k], &crowds[PLAIN].answers[k]);
      expect_same_bits(&crowds[BEST].answers[k], &crowds[SHUFFLED].answers[k]);
    }
  }
  for (way how = ALONE; how < WAYS; ++how)
    crowd_release(&crowds[how]);
  ck_assert_int_eq(batched[ALONE], 0);
  ck_assert_int_eq(batched[BEST], batched[PLAIN]);
  ck_assert_int_eq(batched[BEST], batched[SHUFFLED]);
  return batched[BEST];
}

/* These cost less one by one. */
static bool is_closed_form(thing a, thing b)
{
  bool swept_a = a == BALL || a == PILL, swept_b = b == BALL || b == PILL;
  return (swept_a && (swept_b || b == PROBE)) || (swept_b && a == PROBE) ||
         (a == BALL && b == CRATE) || (a == CRATE && b == BALL);
}

SUITE("batch");

TEST_CASE("the same answers", 60);

/* Where no edge is involved, all but the first cycle is batched; elsewhere as the features allow.
 */
TEST(the_same_answers)
{
  for (thing a = BALL; a < THINGS; ++a)
    for (thing b = BALL; b < THINGS; ++b) {
      if (a == PROBE && b == PROBE)
        continue;
      clp_body *body_a = body_of(a), *body_b = body_of(b);
      int batched = compare_ways(body_a, body_b, expect_like), all = PAIRS * (CYCLES - 1);
      clp_body_destroy(body_a);
      clp_body_destroy(body_b);
      bool smooth = (a <= PILL || a == PROBE) && (b <= PILL || b == PROBE);
      int least = smooth && !is_closed_form(a, b) ? 95 * all / 100 : 0;
      ck_assert_msg(batched >= least, "shapes %d and %d: %d of %d batched", a, b, batched, all);
      ck_assert(!is_closed_form(a, b) || batched == 0);
    }
}

/* Of others the nearest places may be anywhere: one way may be a feature ahead, within what is
 * proven. */
static void expect_near(const clp_answer *x, const clp_answer *y)
{
  ck_assert_int_eq(x->status, y->status);
  ck_assert_double_eq_tol(x->distance, y->distance, 1e-9);
  ck_assert(x->lower_bound <= y->distance && y->lower_bound <= x->distance);
  if (x->kind_a == y->kind_a && x->kind_b == y->kind_b && x->spread == 0 && y->spread == 0)
    ck_assert(clp_distance(x->normal, y->normal) < 1e-6);
  ck_assert_double_eq_tol(clp_norm(x->normal), 1, 1e-14);
}

static clp_body *body_of_shape(shape *s, shape_kind kind, random_state *g)
{
  clp_body *body = NULL;
  shape_make(s, kind, 1, g);
  ck_assert_int_eq(clp_body_create(&s->def, (clp_reporter){0}, &body), CLP_OK);
  return body;
}

/* With edges and corners; these are rarely above the middle of a rectangle. */
static bool is_frequent(clp_batch_form a, clp_batch_form b)
{
  return (a >= CLP_BATCH_EDGE || b >= CLP_BATCH_EDGE) && a != CLP_BATCH_PLANE &&
         b != CLP_BATCH_PLANE;
}

TEST(the_same_of_all_shapes)
{
  static shape a, b;
  random_state g = {11};
  memset(given, 0, sizeof given);
  for (shape_kind i = SHAPE_SPHERE; i < SHAPE_KINDS; ++i)
    for (shape_kind j = SHAPE_SPHERE; j < SHAPE_KINDS; ++j) {
      clp_body *body_a = body_of_shape(&a, i, &g), *body_b = body_of_shape(&b, j, &g);
      compare_ways(body_a, body_b, expect_near);
      clp_body_destroy(body_a);
      clp_body_destroy(body_b);
    }
  for (clp_batch_form i = 0; i < CLP_BATCH_FORMS; ++i)
    for (clp_batch_form j = 0; j < CLP_BATCH_FORMS; ++j)
      ck_assert_msg(given[CLP_BATCH_FIRST + i * CLP_BATCH_FORMS + j] > 100 || !is_frequent(i, j),
                    "forms %d and %d", i, j);
}

/* Every other pair to next to contact. Returns the gaps, or 1. */
static void approach(crowd *c, double gaps[PAIRS], random_state *g)
{
  for (int k = 0; k < PAIRS; ++k) {
    gaps[k] = k % 2 ? pow(10, random_between(g, -8, -2)) : 1;
    if (gaps[k] < c->answers[k].distance)
      c->b[k].place =
          clp_add_scaled(c->b[k].place, gaps[k] - c->answers[k].distance, c->answers[k].normal);
  }
  crowd_step(c, 2, ALONE);
}

/* Turned and moved at once, by anything from nothing to far more than the gap: what is answered
 * nevertheless is what is found from scratch. Returns how many are answered. */
static int jump(crowd *c, const double gaps[PAIRS], clp_pair *fresh, random_state *g)
{
  int done = 0;
  for (int k = 0; k < PAIRS; ++k) {
    double much = gaps[k] < 1 ? gaps[k] * pow(10, random_between(g, -3, 2))
                              : pow(10, random_between(g, -6, 0));
    c->b[k].place = clp_add_scaled(c->b[k].place, 0.3 * much, random_direction(g));
    c->b[k].angle += 3 * much;
  }
  crowd_place(c, 2);
  for (int kind = CLP_BATCH_FIRST; kind < CLP_BATCH_KINDS; ++kind)
    run_kind(c, kind, BEST);
  for (int k = 0; k < PAIRS; ++k) {
    clp_answer found = clp_pair_query(fresh, &c->X_A[k], &c->X_B[k]);
    if (!c->jobs[k].done)
      continue;
    ck_assert_double_eq_tol(c->answers[k].distance, found.distance, 1e-9);
    ck_assert(c->answers[k].lower_bound <= found.distance);
    ck_assert(found.spread > 0 || clp_distance(c->answers[k].point_a, found.point_a) < 1e-6);
    ++done;
  }
  return done;
}

TEST(what_is_answered_after_a_jump_is_right)
{
  static shape a, b;
  static crowd c;
  double gaps[PAIRS];
  random_state g = {12};
  int done = 0, all = 0;
  for (shape_kind i = SHAPE_SPHERE; i < SHAPE_KINDS; ++i)
    for (shape_kind j = SHAPE_SPHERE; j < SHAPE_KINDS; ++j, all += PAIRS) {
      clp_body *body_a = body_of_shape(&a, i, &g), *body_b = body_of_shape(&b, j, &g);
      clp_pair *fresh = NULL;
      ck_assert_int_eq(clp_pair_create(body_a, body_b, NULL, &fresh), CLP_OK);
      crowd_make(&c, body_a, body_b, g.s);
      for (int cycle = 0; cycle < 3; ++cycle)
        crowd_step(&c, cycle, ALONE);
      approach(&c, gaps, &g);
      done += jump(&c, gaps, fresh, &g);
      crowd_release(&c);
      clp_pair_destroy(fresh);
      clp_body_destroy(body_a);
      clp_body_destroy(body_b);
    }
  ck_assert_msg(done > all / 10 && done < all / 2, "%d of %d", done, all);
}

/* ---- Splines ------------------------------------------------------------------------------ */

enum { OCTANTS = 8, MOST_ROWS = 4 };

/* A quarter of the unit circle as a rational quadratic. */
static void arc(int quarter, double x[3], double y[3], double w[3])
{
  static const int cosines[] = {1, 0, -1, 0, 1, 0};
  const int *c = cosines + (quarter & 3), *s = cosines + ((quarter + 3) & 3);
  x[0] = c[0], x[1] = c[0] + c[1], x[2] = c[1];
  y[0] = s[0], y[1] = s[0] + s[1], y[2] = s[1];
  w[0] = w[2] = 1;
  w[1] = sqrt(0.5);
}

/* The same curve from three homogeneous points: as it is, of degree 3, of two spans. */
static int refine(int how, double p[3][4], double q[MOST_ROWS][4])
{
  const double third = 1.0 / 3;
  for (int k = 0; k < 4; ++k) {
    double first = how == 1 ? third * p[0][k] + 2 * third * p[1][k] : 0.5 * (p[0][k] + p[1][k]);
    double second = how == 1 ? 2 * third * p[1][k] + third * p[2][k] : 0.5 * (p[1][k] + p[2][k]);
    q[0][k] = p[0][k];
    q[1][k] = how == 0 ? p[1][k] : first;
    q[2][k] = how == 0 ? p[2][k] : second;
    q[3][k] = p[2][k];
  }
  return how == 0 ? 3 : MOST_ROWS;
}

/* One eighth of the ellipsoid, u round the axis: `how` of refine. */
static void put_octant(int number, int how, clp_vec3 radii, double net[MOST_ROWS][3][4])
{
  double x[3], y[3], wu[3], r[3], z[3], wv[3];
  arc(number % 4, x, y, wu);
  arc(number / 4 - 1, r, z, wv);
  for (int j = 0; j < 3; ++j) {
    double p[3][4], q[MOST_ROWS][4];
    for (int i = 0; i < 3; ++i) {
      double w = wu[i] * wv[j];
      const double point[4] = {w * radii.x * r[j] * x[i], w * radii.y * r[j] * y[i],
                               w * radii.z * z[j], w};
      memcpy(p[i], point, sizeof point);
    }
    int rows = refine(how, p, q);
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < 4; ++k)
        net[i][j][k] = k < 3 ? q[i][k] / q[i][3] : q[i][3];
  }
}

/* EGG, of patches whose degrees and spans differ. */
static clp_body *egg_of_patches(void)
{
  static const char *const names[OCTANTS] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
  static const double halves[7] = {0, 0, 0, 0.5, 1, 1, 1};
  double nets[OCTANTS][MOST_ROWS][3][4];
  clp_patch_def patches[OCTANTS];
  for (int k = 0; k < OCTANTS; ++k) {
    int how = k % 3;
    put_octant(k, how, (clp_vec3){0.5, 0.7, 0.4}, nets[k]);
    patches[k] = (clp_patch_def){.name = names[k],
                                 .degree_u = how == 1 ? 3 : 2,
                                 .degree_v = 2,
                                 .size_u = how == 0 ? 3 : MOST_ROWS,
                                 .size_v = 3,
                                 .knots_u = how == 2 ? halves : NULL,
                                 .control_points = nets[k][0][0]};
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  clp_body *body = NULL;
  def.patches = patches;
  def.patch_count = OCTANTS;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_OK);
  return body;
}

/* Followed in batches, against the ellipsoid that they are, asked from scratch. */
static void expect_the_egg(const clp_body *shell, const clp_body *egg, const clp_body *other)
{
  static crowd c;
  clp_pair *fresh = NULL;
  ck_assert_int_eq(clp_pair_create(egg, other, NULL, &fresh), CLP_OK);
  crowd_make(&c, shell, other, 14);
  for (int cycle = 0; cycle < CYCLES; ++cycle) {
    crowd_step(&c, cycle, BEST);
    for (int k = 0; k < PAIRS; ++k) {
      const clp_answer *answer = &c.answers[k];
      clp_answer found = clp_pair_query(fresh, &c.X_A[k], &c.X_B[k]);
      ck_assert_int_eq(answer->status, CLP_TRACKING);
      ck_assert_double_eq_tol(answer->distance, found.distance, 1e-9);
      ck_assert(answer->lower_bound <= found.distance && found.lower_bound <= answer->distance);
      ck_assert(clp_distance(answer->point_a, found.point_a) < 1e-6);
      ck_assert(clp_distance(answer->normal, found.normal) < 1e-6);
    }
  }
  crowd_release(&c);
  clp_pair_destroy(fresh);
}

TEST(splines_of_other_degrees_and_spans_go_together)
{
  clp_body *shell = egg_of_patches(), *egg = body_of(EGG);
  memset(given, 0, sizeof given);
  for (thing what = BALL; what <= THINGS; ++what) {
    clp_body *other = what < THINGS ? body_of(what) : egg_of_patches();
    int batched = compare_ways(shell, other, expect_like);
    ck_assert_msg(batched > PAIRS * (CYCLES - 1) / 2, "shape %d: %d batched", what, batched);
    expect_the_egg(shell, egg, other);
    clp_body_destroy(other);
  }
  for (clp_batch_form i = 0; i < CLP_BATCH_FORMS; ++i)
    ck_assert_msg(given[CLP_BATCH_FIRST + CLP_BATCH_SPLINE * CLP_BATCH_FORMS + i] +
                          given[CLP_BATCH_FIRST + i * CLP_BATCH_FORMS + CLP_BATCH_SPLINE] >
                      20,
                  "form %d", i);
  clp_body_destroy(shell);
  clp_body_destroy(egg);
}

/* ---- Closed forms ------------------------------------------------------------------------- */

/* They are what they are alone. */
static void expect_the_same(const clp_answer *x, const clp_answer *y)
{
  expect_same_bits(x, y);
  ck_assert(x->status == y->status && x->steps == y->steps && x->spread == y->spread);
  ck_assert(x->kind_a == y->kind_a && x->kind_b == y->kind_b);
  ck_assert(x->feature_a == y->feature_a && x->feature_b == y->feature_b);
}

TEST(closed_forms_are_the_same_to_the_last_bit)
{
  static shape a, b;
  random_state g = {13};
  int batched = 0, all = 0;
  memset(given, 0, sizeof given);
  for (int k = 0; k < 64; ++k, all += PAIRS * CYCLES) {
    static const shape_kind met[4][2] = {{SHAPE_BOX, SHAPE_BOX},
                                         {SHAPE_BOX, SHAPE_CYLINDER},
                                         {SHAPE_BOX, SHAPE_CAPSULE},
                                         {SHAPE_CYLINDER, SHAPE_CAPSULE}};
    bool turned = k % 8 > 3;
    clp_body *body_a = body_of_shape(&a, met[k % 4][turned], &g);
    clp_body *body_b = body_of_shape(&b, met[k % 4][!turned], &g);
    batched += compare_ways(body_a, body_b, expect_the_same);
    clp_body_destroy(body_a);
    clp_body_destroy(body_b);
  }
  ck_assert_int_gt(batched, all / 2);
  for (int kind = CLP_BATCH_CORNERS; kind < CLP_BATCH_KINDS; ++kind)
    ck_assert_int_gt(given[kind], 100);
}

/* ---- What is declined --------------------------------------------------------------------- */

/* A tracked pair whose next job is made wrong by `spoil`. */
static void expect_declined(const char *name,
                            void (*spoil)(clp_pair *pair, clp_batch_job *job, clp_pose *X),
                            clp_batch_width width)
{
  static crowd c;
  clp_body *a = body_of(EGG), *b = body_of(BALL);
  crowd_make(&c, a, b, 5);
  for (int cycle = 0; cycle < 3; ++cycle)
    crowd_step(&c, cycle, BEST);
  crowd_place(&c, 3);
  clp_pose X = c.X_B[0];
  clp_batch_job spoiled = c.jobs[0], good = c.jobs[1];
  clp_batch_job *group[2] = {&spoiled, &good};
  spoil(c.pairs[0], &spoiled, &X);
  clp_pair before = *c.pairs[0];
  clp_batch_track(clp_batch_kind(c.pairs[1]), group, 2, width);
  ck_assert_msg(!spoiled.done && good.done, "%s", name);
  ck_assert_mem_eq(&before, c.pairs[0], sizeof before);
  crowd_release(&c);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

static void lose_the_pose(clp_pair *pair, clp_batch_job *job, clp_pose *X)
{
  (void)pair;
  X->position.y = (double)NAN;
  job->X_WB = X;
}

static void jump_away(clp_pair *pair, clp_batch_job *job, clp_pose *X)
{
  (void)pair;
  X->position = clp_scale(-1, X->position);
  job->X_WB = X;
}

static void lose_the_site(clp_pair *pair, clp_batch_job *job, clp_pose *X)
{
  (void)job;
  (void)X;
  pair->spots.a.site.c[1] = (double)NAN;
}

static void stretch_the_site(clp_pair *pair, clp_batch_job *job, clp_pose *X)
{
  (void)job;
  (void)X;
  pair->spots.a.site.c[0] += 1;
}

static void run_wild(clp_pair *pair, clp_batch_job *job, clp_pose *X)
{
  (void)job;
  (void)X;
  pair->rates.x[0] = 1e5;
}

TEST_CASE("limits", 10);

TEST(what_is_wrong_is_declined)
{
  for (clp_batch_width width = CLP_BATCH_BEST; width <= CLP_BATCH_PLAIN; ++width) {
    expect_declined("lost pose", lose_the_pose, width);
    expect_declined("jump", jump_away, width);
    expect_declined("lost site", lose_the_site, width);
    expect_declined("stretched site", stretch_the_site, width);
    expect_declined("wild rates", run_wild, width);
  }
}

/* ---- Kinds -------------------------------------------------------------------------------- */

TEST(only_like_pairs_are_grouped)
{
  clp_body *ball = body_of(EGG), *crate = body_of(CRATE);
  clp_pair *pair = NULL;
  clp_pose X_A = clp_pose_identity(), X_B = X_A;
  ck_assert_int_eq(clp_pair_create(crate, ball, NULL, &pair), CLP_OK);
  ck_assert_int_eq(clp_batch_kind(pair), CLP_BATCH_NONE); /* not started */
  X_B.position.x = 2;
  clp_pair_query(pair, &X_A, &X_B);
  ck_assert_int_eq(clp_batch_kind(pair),
                   CLP_BATCH_FIRST + CLP_BATCH_PLANE * CLP_BATCH_FORMS + CLP_BATCH_ELLIPSOID);
  pair->sampled = true;
  ck_assert_int_eq(clp_batch_find_kind(pair), CLP_BATCH_NONE); /* what batches answer is TRACKING */
  pair->sampled = false;
  X_B.position = (clp_vec3){2, 2, 0};
  clp_pair_track(pair, &X_A, &X_B, &still, &still, 1e-3);
  ck_assert_int_eq(clp_batch_kind(pair),
                   CLP_BATCH_FIRST + CLP_BATCH_EDGE * CLP_BATCH_FORMS + CLP_BATCH_ELLIPSOID);
  X_B.position = (clp_vec3){0, 0, 0};
  clp_pair_track(pair, &X_A, &X_B, &still, &still, 1e-3);
  ck_assert_int_eq(clp_batch_kind(pair), CLP_BATCH_NONE); /* inside */
  clp_pair_destroy(pair);
  clp_body_destroy(ball);
  clp_body_destroy(crate);
}

TEST_CASE("the same answers", 60);

TEST(twists_may_be_missing)
{
  static crowd with, without;
  clp_body *a = body_of(EGG), *b = body_of(EGG);
  crowd_make(&with, a, b, 9);
  crowd_make(&without, a, b, 9);
  for (int k = 0; k < PAIRS; ++k)
    without.jobs[k].V_WA = without.jobs[k].V_WB = NULL;
  for (int cycle = 0; cycle < 20; ++cycle) {
    crowd_step(&with, cycle, BEST);
    crowd_step(&without, cycle, BEST);
    for (int k = 0; k < PAIRS; ++k)
      ck_assert_double_eq_tol(with.answers[k].distance, without.answers[k].distance, 1e-9);
  }
  for (int k = 0; k < PAIRS; ++k)
    ck_assert(!without.pairs[k]->rates_known && with.pairs[k]->rates_known);
  crowd_release(&with);
  crowd_release(&without);
  clp_body_destroy(a);
  clp_body_destroy(b);
}
