/* SPDX-License-Identifier: Apache-2.0 */
/* Spheres and capsules that are computed with as their cores, padded, against the same bodies as
 * they are tiled: asked and tracked, apart, touching and overlapping, with their features, events
 * and derivatives; and started from places of their faces. */

#include <math.h>

#include "rclc_closest_point/derivative.h"
#include "rclc_closest_point/pair/pair.h"
#include "rclc_closest_point/witness/normal_cone.h"
#include "support/amount.h"
#include "support/dented.h"
#include "support/solids.h"
#include "support/suite.h"

static const clp_pose identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

/* ---- Bodies ------------------------------------------------------------------------------- */

enum { SPHERE, CAPSULE, SWEPT_KINDS };
enum { HULL, SHELL, ROUND, PEN, OTHERS };

static clp_body *make_hull(void)
{
  static const int faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, sizes[] = {3, 3, 3, 3};
  static const double vertices[] = {-0.3, -0.2, -0.2, 0.4, -0.1, -0.25,
                                    -0.1, 0.5,  -0.2, 0,   0.1,  0.4};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices, 4, faces, sizes, 4};
  return must_create(&def);
}

static clp_body *make_other(int kind)
{
  tiled t;
  if (kind == HULL)
    return make_hull();
  if (kind == ROUND)
    return make_shape(CLP_SHAPE_ELLIPSOID, (clp_vec3){0.5, 0.3, 0.4}, 0, 0);
  if (kind == PEN)
    return dented_make(DENTED_PEN);
  tiled_load(&t, "sphere6"); /* of radius 1/2 */
  return must_create(&t.def);
}

/* One body, twice: the second time nobody knows of its core. */
typedef struct swept {
  clp_body *body, tiled;
} swept;

static swept make_swept(int kind)
{
  swept s = {.body = make_shape(kind == SPHERE ? CLP_SHAPE_SPHERE : CLP_SHAPE_CAPSULE,
                                (clp_vec3){0, 0, 0}, 0.2, 0.6)};
  s.tiled = *s.body;
  s.tiled.core = NULL;
  return s;
}

/* What goes side by side with a capsule's faces is no reason to leave them (pair_create.c). */
static bool is_by_core(int kind, int other)
{
  return kind == SPHERE || other == HULL || other == SHELL;
}

/* Two pairs of the same bodies, in either order. */
typedef struct twins {
  swept swept;
  clp_body *other;
  clp_pair *cores, *tiled;
  clp_transition_event of_cores[CLP_MAX_EVENTS];
  bool first; /* the swept body is A */
} twins;

static clp_pair *pair_of(const twins *t, const clp_body *body)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(
      clp_pair_create(t->first ? body : t->other, t->first ? t->other : body, NULL, &pair), CLP_OK);
  return pair;
}

static void make_twins(twins *t, int kind, int other, bool first)
{
  *t = (twins){.swept = make_swept(kind), .other = make_other(other), .first = first};
  t->cores = pair_of(t, t->swept.body);
  t->tiled = pair_of(t, &t->swept.tiled);
  clp_pair_keep_events(t->cores, t->of_cores, CLP_MAX_EVENTS);
  const bool by_core = t->cores->a == t->swept.body->core || t->cores->b == t->swept.body->core;
  ck_assert_int_eq(by_core, is_by_core(kind, other));
  ck_assert_double_eq(t->tiled->padding, 0);
}

static void destroy_twins(twins *t)
{
  clp_pair_destroy(t->cores);
  clp_pair_destroy(t->tiled);
  clp_body_destroy(t->swept.body);
  clp_body_destroy(t->other);
}

/* ---- What has to be the same --------------------------------------------------------------- */

#define CLOSE 1e-6

static bool same_places(const clp_answer *x, const clp_answer *y)
{
  return clp_distance(x->point_a, y->point_a) < CLOSE &&
         clp_distance(x->point_b, y->point_b) < CLOSE && clp_distance(x->normal, y->normal) < CLOSE;
}

static void expect_interval(const clp_answer *x, const clp_answer *y)
{
  const double room = x->distance < 0 ? 1e-12 : 1e-14; /* a depth is not proven from above */
  ck_assert_int_eq(x->status, y->status);
  ck_assert_double_le(x->lower_bound, x->distance);
  ck_assert_msg(fabs(x->distance - y->distance) <= 2e-9, "%.15g, tiled %.15g", x->distance,
                y->distance);
  ck_assert_double_le(x->lower_bound, y->distance + room);
  ck_assert_double_le(y->lower_bound, x->distance + room);
}

/* At a border a witness may be on either side. */
static bool same_features(const clp_answer *x, const clp_answer *y)
{
  return x->kind_a == y->kind_a && x->feature_a == y->feature_a && x->kind_b == y->kind_b &&
         x->feature_b == y->feature_b;
}

/* Relative to what they are themselves. */
static void expect_near(double x, double y, double scale)
{
  ck_assert_msg(fabs(x - y) <= 1e-3 * (scale + fabs(y)), "%.12g, tiled %.12g", x, y);
}

static void expect_derivatives(const twins *t, const clp_answer *x, const clp_answer *y,
                               const clp_pose *X_WA, const clp_pose *X_WB)
{
  const clp_twist V = {{0.3, -0.2, 0.4}, {0.5, 0.7, -0.3}}, W = {{-0.1, 0.6, 0.2}, {0.2, 0, 0.9}};
  clp_derivative d[8], e[8];
  int count = clp_pair_derivatives(t->cores, x, X_WA, X_WB, d, 8);
  ck_assert_int_eq(count, clp_pair_derivatives(t->tiled, y, X_WA, X_WB, e, 8));
  if (count != 1)
    return;
  ck_assert(d->kind_a == e->kind_a && d->feature_a == e->feature_a);
  ck_assert(d->kind_b == e->kind_b && d->feature_b == e->feature_b);
  for (int k = 0; k < 3; ++k) {
    expect_near(d->site_a[k], e->site_a[k], 1);
    expect_near(d->site_b[k], e->site_b[k], 1);
  }
  clp_answer_rates p = clp_derivative_rates(d, &V, &W), q = clp_derivative_rates(e, &V, &W);
  double scale = 1 + clp_norm(q.point_a) + clp_norm(q.normal);
  expect_near(clp_distance(p.point_a, q.point_a), 0, scale);
  expect_near(clp_distance(p.normal, q.normal), 0, scale);
  expect_near(clp_derivative_second(d, &V, &W), clp_derivative_second(e, &V, &W), scale);
  double lasts = clp_pair_derivative_lasts(t->tiled, e, X_WA, X_WB, &V, &W);
  double same = clp_pair_derivative_lasts(t->cores, d, X_WA, X_WB, &V, &W);
  ck_assert_int_eq(lasts < HUGE_VAL, same < HUGE_VAL);
  if (lasts < HUGE_VAL)
    expect_near(same, lasts, 1e-3);
}

/* How many of the answers could be compared in all of it. */
static bool compare(const twins *t, const clp_answer *x, const clp_answer *y, const clp_pose *X_WA,
                    const clp_pose *X_WB)
{
  expect_interval(x, y);
  ck_assert_int_eq((t->first ? x->kind_a : x->kind_b), CLP_FACE);
  if (!same_places(x, y) || !same_features(x, y) || x->non_unique || y->non_unique)
    return false;
  expect_derivatives(t, x, y, X_WA, X_WB);
  return true;
}

/* ---- Asked --------------------------------------------------------------------------------- */

static clp_pose random_pose(random_state *g, clp_vec3 position)
{
  clp_mat3 turn = clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -1.5, 1.5),
                                        random_between(g, -3, 3));
  return (clp_pose){turn, position};
}

/* Two poses of B so that the distance is about `gap`, as far as a few steps along the normal lead.
 */
static clp_pose pose_at(clp_pair *pair, random_state *g, double gap)
{
  clp_pose X = random_pose(g, clp_scale(1.5, random_direction(g)));
  for (int k = 0; k < 4; ++k) {
    clp_answer answer = clp_pair_query(pair, &identity, &X);
    X.position = clp_add_scaled(X.position, gap - answer.distance, answer.normal);
  }
  return X;
}

SUITE("cores");

TEST_CASE("asked", 120);

LOOP_TEST(asked_like_tiled, 0, 2 * SWEPT_KINDS * OTHERS)
{
  static const double gaps[] = {1, 0.1, 1e-3, 1e-7, -1e-7, -1e-3, -0.1, -0.19, -0.2, -0.21, -0.3};
  enum { GAPS = sizeof gaps / sizeof *gaps };
  const int count = amount_of(20) * GAPS;
  random_state g = {40 + (uint64_t)_i};
  int compared = 0;
  twins t;
  make_twins(&t, _i / 2 / OTHERS, _i / 2 % OTHERS, _i % 2);
  for (int k = 0; k < count; ++k) {
    clp_pose X = pose_at(t.tiled, &g, gaps[k % GAPS]);
    clp_answer x = clp_pair_query(t.cores, &identity, &X);
    clp_answer y = clp_pair_query(t.tiled, &identity, &X);
    compared += compare(&t, &x, &y, &identity, &X);
  }
  ck_assert_int_gt(compared, count * 3 / 5);
  destroy_twins(&t);
}

/* ---- Tracked ------------------------------------------------------------------------------- */

/* The first event begins where the last answer was, each goes on where the one before it ended, and
 * the last one ends where this answer is. */
static void expect_events(const twins *t, const clp_answer *before, const clp_answer *now)
{
  uint32_t at = t->first ? before->feature_a : before->feature_b;
  const int own = t->first ? 0 : 1, count = clp_pair_event_count(t->cores);
  for (int k = 0; k < count; ++k) {
    const clp_transition_event *e = &t->of_cores[k];
    if (e->which != own)
      continue;
    ck_assert(e->from_kind == CLP_FACE && e->to_kind == CLP_FACE);
    ck_assert_uint_eq(e->from, at);
    at = e->to;
  }
  ck_assert_uint_eq(at, t->first ? now->feature_a : now->feature_b);
}

/* Round A, nearer and farther, through contact: all of a capsule's faces are nearest in turn. */
static clp_pose on_the_way(double s, clp_twist *V)
{
  const double r = 0.85 + 0.3 * cos(3 * s), dr = -0.9 * sin(3 * s);
  *V = (clp_twist){{dr * cos(s) - r * sin(s), dr * sin(s) + r * cos(s), 0.6 * cos(2 * s)},
                   {2, 1.5, -1}};
  const double turned = s * clp_norm(V->angular);
  return (clp_pose){clp_rotation_about(clp_unit(V->angular), turned),
                    {0.3 + r * cos(s), -2 + r * sin(s), 1 + 0.3 * sin(2 * s)}};
}

LOOP_TEST(tracked_like_tiled, 0, 2 * SWEPT_KINDS * OTHERS)
{
  const int cycles = amount_of(6000); /* for the same way */
  const double dt = 6.0 / cycles;
  const clp_pose X_WA = {clp_rotation_from_rpy(0.3, 1, -0.4), {0.3, -2, 1}};
  const clp_twist V = {{0, 0, 0}, {0, 0, 0}};
  int compared = 0, apart = 0, changes = 0;
  twins t;
  clp_twist W;
  make_twins(&t, _i / 2 / OTHERS, _i / 2 % OTHERS, _i % 2);
  clp_pose X_WB = on_the_way(-dt, &W);
  clp_answer before = clp_pair_query(t.cores, &X_WA, &X_WB);
  for (int k = 0; k < cycles; ++k) {
    X_WB = on_the_way(dt * k, &W);
    clp_answer x = clp_pair_track(t.cores, &X_WA, &X_WB, &V, &W, dt);
    clp_answer y = clp_pair_track(t.tiled, &X_WA, &X_WB, &V, &W, dt);
    if (x.distance > 0 && before.distance > 0)
      expect_events(&t, &before, &x);
    changes += t.first ? x.feature_a != before.feature_a : x.feature_b != before.feature_b;
    before = x;
    if (x.distance < -0.2 || y.distance < -0.2)
      continue; /* then one way out of several is followed */
    apart += 1;
    compared += compare(&t, &x, &y, &X_WA, &X_WB);
  }
  ck_assert_int_gt(apart, cycles / 2);
  ck_assert_msg(compared > apart * 9 / 10, "%d of %d", compared, apart);
  ck_assert_int_eq(changes > 0, _i / 2 / OTHERS == CAPSULE);
  destroy_twins(&t);
}

/* ---- Both orders --------------------------------------------------------------------------- */

static void expect_turned(const clp_answer *x, const clp_answer *y)
{
  ck_assert_int_eq(x->status, y->status);
  ck_assert(x->distance == y->distance && x->lower_bound == y->lower_bound);
  ck_assert(clp_distance(x->point_a, y->point_b) == 0 && clp_distance(x->point_b, y->point_a) == 0);
  ck_assert(clp_norm(clp_add(x->normal, y->normal)) == 0);
  ck_assert(x->kind_a == y->kind_b && x->feature_a == y->feature_b);
}

LOOP_TEST(orders, 0, SWEPT_KINDS *OTHERS)
{
  random_state g = {70 + (uint64_t)_i};
  twins t, turned;
  make_twins(&t, _i / OTHERS, _i % OTHERS, true);
  make_twins(&turned, _i / OTHERS, _i % OTHERS, false);
  for (int k = 0; k < 400; ++k) {
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 0, 1.2), random_direction(&g)));
    clp_answer x = k % 4 ? clp_pair_track(t.cores, &identity, &X, NULL, NULL, 1e-3)
                         : clp_pair_query(t.cores, &identity, &X);
    clp_answer y = k % 4 ? clp_pair_track(turned.cores, &X, &identity, NULL, NULL, 1e-3)
                         : clp_pair_query(turned.cores, &X, &identity);
    expect_turned(&x, &y);
  }
  destroy_twins(&t);
  destroy_twins(&turned);
}

/* ---- Proofs -------------------------------------------------------------------------------- */

/* A quick bound of the cores is never above the truth, however far the spots are off. */
LOOP_TEST(quick_bounds_hold, 0, SWEPT_KINDS)
{
  random_state g = {55 + (uint64_t)_i};
  int taken = 0;
  twins t;
  make_twins(&t, _i, HULL, true);
  const clp_pair *pair = t.cores;
  for (int k = 0; k < 4000; ++k) {
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 0.9, 1.5), random_direction(&g)));
    const clp_twin off = clp_twin_of(clp_scale(random_between(&g, 0, 0.3), random_direction(&g)),
                                     clp_scale(random_between(&g, 0, 0.3), random_direction(&g)));
    clp_stride stride;
    double truth = clp_pair_query(t.cores, &identity, &X).distance + pair->padding;
    clp_cycle c = clp_cycle_make(pair->a, pair->b);
    c.normals = true;
    c.step = 1;
    clp_cycle_place(&c, pair->turned ? &X : &identity, pair->turned ? &identity : &X);
    if (!clp_stride_take(&c, &pair->spots, &off, &stride))
      continue;
    clp_interval interval = clp_certify_stride(&c.couple, &stride);
    ck_assert_double_le(interval.lower, truth);
    ck_assert_double_ge(interval.distance, truth * (1 - 1e-14));
    taken++;
  }
  ck_assert_int_gt(taken, 1000);
  destroy_twins(&t);
}

/* No place of the segment is beyond its normals, and what is told of how far others are from these
 * is so, whichever way it is found out. */
static void expect_cone(const clp_body *segment, clp_spot spot, clp_vec3 n)
{
  clp_spot_jet jet = clp_spot_jet_at(segment, spot);
  clp_cone_normal cone = clp_normal_cone_nearest(segment, spot, &jet, n);
  clp_cone_margin margin;
  for (uint32_t k = 0; k < 2; ++k) {
    clp_vec3 way = clp_sub(segment->vertices[k].place, jet.p);
    ck_assert_double_le(clp_dot(cone.nearest, way), 0);
  }
  if (!clp_cone_margin_usual(segment, &spot, n, &margin))
    return;
  ck_assert_double_le(clp_distance(n, cone.nearest), margin.off + 1e-15);
  ck_assert(margin.off == 1 || fabs(margin.off - clp_distance(n, cone.nearest)) < 1e-15);
}

TEST(normals_of_a_segment)
{
  swept s = make_swept(CAPSULE);
  random_state g = {8};
  for (int k = 0; k < 3000; ++k) {
    clp_vec3 n = random_direction(&g);
    n = k % 3 ? n : clp_unit((clp_vec3){n.x, n.y, pow(10, -random_between(&g, 4, 17))});
    const double at = random_between(&g, -0.3, 0.3);
    expect_cone(s.body->core, clp_spot_on_edge(0, (clp_curve_site){{at, 0}}), n);
    expect_cone(s.body->core, clp_spot_on_vertex(0), n);
    expect_cone(s.body->core, clp_spot_on_vertex(1), n);
    expect_cone(s.body->core, clp_spot_on_vertex(0), clp_negate(n));
  }
  clp_body_destroy(s.body);
}

/* ---- Starting ------------------------------------------------------------------------------ */

/* A place of each of a capsule's faces, and what is none: such a face, and such a place. */
TEST(started_from_faces)
{
  static const struct {
    uint32_t face;
    double v;
    clp_feature_kind kind;
    uint32_t id;
    clp_status status;
  } starts[] = {{0, 0.5, CLP_EDGE, 0, CLP_OK},           {0, 0, CLP_VERTEX, 0, CLP_OK},
                {1, -1, CLP_VERTEX, 0, CLP_OK},          {2, 1, CLP_VERTEX, 1, CLP_OK},
                {3, 0, CLP_EDGE, 0, CLP_ERROR_ARGUMENT}, {2, -1, CLP_EDGE, 0, CLP_ERROR_ARGUMENT}};
  const clp_pose X = {identity.rotation, {1, 0, 0}};
  twins t;
  make_twins(&t, CAPSULE, HULL, true);
  for (size_t k = 0; k < sizeof starts / sizeof *starts; ++k) {
    clp_status status = clp_pair_start(t.cores, starts[k].face, 0, starts[k].v, 0, 0, 0);
    ck_assert_int_eq(status, starts[k].status);
    ck_assert_int_eq(status, clp_pair_start(t.tiled, starts[k].face, 0, starts[k].v, 0, 0, 0));
    if (status != CLP_OK)
      continue;
    clp_spots spots = clp_pair_spots(t.cores);
    ck_assert(spots.a.kind == starts[k].kind && spots.a.id == starts[k].id);
    clp_answer x = {0}, y = clp_pair_query(t.tiled, &identity, &X);
    for (int i = 0; i < 5; ++i)
      x = clp_pair_track(t.cores, &identity, &X, NULL, NULL, 1e-3);
    expect_interval(&x, &y);
  }
  destroy_twins(&t);
}

/* ---- Figures ------------------------------------------------------------------------------- */

/* Padding on top of the radius is the core's, too; a controller by itself has the tiled body. */
TEST(padded_again)
{
  for (int kind = 0; kind < SWEPT_KINDS; ++kind) {
    swept s = make_swept(kind);
    clp_body *hull = make_hull();
    clp_pair_options options = clp_default_pair_options();
    clp_pair *pair = NULL;
    ck_assert(clp_body_pad(s.body, 0.05));
    ck_assert_double_eq(s.body->core->padding, 0.2 + 0.05);
    ck_assert_ptr_eq(clp_body_whole(s.body->core), s.body);
    ck_assert_int_eq(clp_pair_create(s.body, hull, NULL, &pair), CLP_OK);
    const clp_pose X = {identity.rotation, {1.5, 0, 0}};
    clp_answer padded = clp_pair_query(pair, &identity, &X);
    clp_pair_destroy(pair);
    options.controller = CLP_CONTROLLER_LINEARISING;
    ck_assert_int_eq(clp_pair_create(s.body, hull, &options, &pair), CLP_OK);
    ck_assert_double_eq(pair->padding, 0.05);
    clp_answer alone = clp_pair_query(pair, &identity, &X);
    expect_interval(&padded, &alone);
    clp_pair_destroy(pair);
    clp_body_destroy(s.body);
    clp_body_destroy(hull);
  }
}
