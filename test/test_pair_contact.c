/* SPDX-License-Identifier: Apache-2.0 */
/* The sign of a pair's distance: asked and tracked next to contact, through contact and out again,
 * against closed forms that decide by themselves whether the bodies overlap. */

#include "rclc_closest_point/closest_point.h"
#include "support/amount.h"
#include "support/solids.h"
#include "support/suite.h"

/* Nearer to contact than this either status is right. */
#define CONTACT 1e-12

static clp_pair *pair_of(const solid *a, const solid *b)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(a->body, b->body, NULL, &pair), CLP_OK);
  return pair;
}

/* `s` has the sign of the true signed distance. */
static void expect_side(const clp_answer *answer, double s)
{
  bool inside = answer->status == CLP_PENETRATING;
  ck_assert_double_eq_tol(clp_norm(answer->normal), 1, 1e-12);
  ck_assert_double_le(answer->lower_bound, answer->distance);
  ck_assert_msg(!(s > CONTACT) || (!inside && answer->distance > 0), "%g apart, answer %g", s,
                answer->distance);
  ck_assert_msg(!(s < -CONTACT) || (inside && answer->distance < 0),
                "%g deep, answer %g, status %d", -s, answer->distance, (int)answer->status);
  ck_assert(!inside || answer->distance <= 0);
}

static void expect_distance(const clp_answer *answer, double s)
{
  expect_side(answer, s);
  ck_assert_msg(fabs(answer->distance - s) <= 1e-12 * fmax(1, fabs(s)), "%.15g, expected %.15g",
                answer->distance, s);
  ck_assert_double_le(answer->lower_bound, s + 1e-15);
}

/* What a pair follows that is put somewhere else is one way out, perhaps not the shortest. */
static void expect_way_out(const clp_answer *answer, double s)
{
  expect_side(answer, s);
  if (s > 0)
    expect_distance(answer, s);
  else
    ck_assert_double_le(answer->distance, s + 1e-12);
}

/* Gaps of all sizes, on both sides. */
static double some_gap(random_state *g)
{
  double gap = pow(10, random_between(g, -11, -0.5));
  return random_bits(g) % 2 ? gap : -gap;
}

/* Asked, and tracked from wherever the last one was. */
static void expect_both(clp_pair *asked, clp_pair *tracked, const clp_pose *X, double s)
{
  const clp_pose I = clp_pose_identity();
  clp_answer answer = clp_pair_query(asked, &I, X);
  expect_distance(&answer, s);
  answer = clp_pair_track(tracked, &I, X, NULL, NULL, 1e-3);
  expect_way_out(&answer, s);
}

/* ---- Next to contact ---------------------------------------------------------------------- */

SUITE("pair_contact");

TEST_CASE("next to contact", 30);

TEST(spheres)
{
  random_state g = {1};
  for (int i = 0; i < 20; ++i) {
    double ra = pow(10, random_between(&g, -2, 1)), rb = pow(10, random_between(&g, -2, 1));
    solid a = make_ellipsoid(ra, ra, ra), b = make_ellipsoid(rb, rb, rb);
    clp_pair *asked = pair_of(&a, &b), *tracked = pair_of(&a, &b);
    for (int k = 0; k < 20; ++k) {
      double gap = some_gap(&g) * fmin(ra, rb);
      clp_pose X = clp_pose_identity();
      X.position = clp_scale(ra + rb + gap, random_direction(&g));
      expect_both(asked, tracked, &X, clp_norm(X.position) - ra - rb);
    }
    clp_pair_destroy(asked);
    clp_pair_destroy(tracked);
    clp_body_destroy(a.body);
    clp_body_destroy(b.body);
  }
}

TEST(boxes)
{
  random_state g = {2};
  solid a = make_box(1, 0.8, 0.6), b = make_box(0.7, 1.1, 0.3);
  clp_pair *asked = pair_of(&a, &b), *tracked = pair_of(&a, &b);
  const clp_pose I = clp_pose_identity();
  for (int k = 0; k < 600; ++k) {
    clp_pose X = random_pose_within(&g, 1.2);
    if (k % 5 == 0)
      X.rotation = clp_pose_identity().rotation;
    clp_vec3 n;
    double s = separating_axes(&a, &b, &X, &n);
    X.position = clp_add_scaled(X.position, some_gap(&g) - s, n);
    s = separating_axes(&a, &b, &X, &n);
    if (s < 0) {
      expect_both(asked, tracked, &X, s);
      continue;
    }
    /* of boxes that are apart the axes tell no more than that */
    clp_answer answer = clp_pair_query(asked, &I, &X);
    expect_side(&answer, s);
    answer = clp_pair_track(tracked, &I, &X, NULL, NULL, 1e-3);
    expect_side(&answer, s);
  }
  clp_pair_destroy(asked);
  clp_pair_destroy(tracked);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* The signed distance of a point, positive outside. */
static double point_distance(const solid *s, clp_vec3 p)
{
  double r = hypot(p.x, p.y);
  if (s->shape == CLP_SHAPE_CAPSULE)
    return hypot(r, fmax(0, fabs(p.z) - 0.5 * s->length)) - s->radius;
  double d[3] = {r - s->radius, fabs(p.z) - 0.5 * s->length, -HUGE_VAL};
  if (s->shape == CLP_SHAPE_BOX) {
    d[0] = fabs(p.x) - 0.5 * s->size.x;
    d[1] = fabs(p.y) - 0.5 * s->size.y;
    d[2] = fabs(p.z) - 0.5 * s->size.z;
  }
  double inside = fmax(d[0], fmax(d[1], d[2]));
  clp_vec3 out = {fmax(0, d[0]), fmax(0, d[1]), fmax(0, d[2])};
  return inside > 0 ? clp_norm(out) : inside;
}

/* A ball about a point is as far away as the point, less its radius: also inside. */
LOOP_TEST(ball_and_body, 0, 3)
{
  random_state g = {3 + (uint64_t)_i};
  const double radius = 0.25;
  solid bodies[3] = {make_box(1, 0.8, 0.6),
                     make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1),
                     make_solid(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.3, 0.7)};
  solid *body = &bodies[_i], ball = make_ellipsoid(radius, radius, radius);
  clp_pair *asked = pair_of(body, &ball), *tracked = pair_of(body, &ball);
  for (int k = 0; k < 600; ++k) {
    clp_vec3 p = clp_scale(random_between(&g, 0, 1.2), random_direction(&g));
    if (k % 2) { /* near the offset surface: from the body's outside along the gradient */
      double s = point_distance(body, p), h = 1e-7, gap = some_gap(&g);
      clp_vec3 out = {point_distance(body, clp_add(p, (clp_vec3){h, 0, 0})) - s,
                      point_distance(body, clp_add(p, (clp_vec3){0, h, 0})) - s,
                      point_distance(body, clp_add(p, (clp_vec3){0, 0, h})) - s};
      for (int i = 0; i < 3; ++i)
        p = clp_add_scaled(p, radius + gap - point_distance(body, p), clp_unit(out));
    }
    clp_pose X = clp_pose_identity();
    X.position = p;
    expect_both(asked, tracked, &X, point_distance(body, p) - radius);
  }
  clp_pair_destroy(asked);
  clp_pair_destroy(tracked);
  clp_body_destroy(ball.body);
  for (int k = 0; k < 3; ++k)
    clp_body_destroy(bodies[k].body);
}

/* ---- One in the other --------------------------------------------------------------------- */

TEST(containment)
{
  random_state g = {6};
  solid box = make_box(4, 3, 2), kinds[KINDS];
  make_kinds(kinds);
  for (int kind = 0; kind < KINDS; ++kind) {
    clp_pair *asked = pair_of(&box, &kinds[kind]), *tracked = pair_of(&kinds[kind], &box);
    for (int k = 0; k < 40; ++k) {
      clp_pose X = random_pose_within(&g, k % 4 == 0 ? 0 : 0.05), I = clp_pose_identity();
      double s = -HUGE_VAL; /* out through one of the box's faces */
      for (int i = 0; i < 6; ++i) {
        clp_vec3 n = {i / 2 == 0, i / 2 == 1, i / 2 == 2};
        s = fmax(s, gap_along(&box, &kinds[kind], &X, i % 2 ? n : clp_negate(n)));
      }
      clp_answer answer = clp_pair_query(asked, &I, &X);
      expect_distance(&answer, s);
      answer = clp_pair_track(tracked, &X, &I, NULL, NULL, 1e-3);
      expect_way_out(&answer, s);
    }
    clp_pair_destroy(asked);
    clp_pair_destroy(tracked);
  }
  clp_body_destroy(box.body);
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* A ball about the middle of a box is nearly as deep in every direction, and its far side's place
 * is as stationary along each as its near one's. */
TEST(a_ball_in_the_middle)
{
  random_state g = {16};
  solid box = make_box(1, 0.8, 0.6), balls[] = {make_solid(CLP_SHAPE_SPHERE, (clp_vec3){0}, 0.3, 0),
                                                make_ellipsoid(0.3, 0.3, 0.3)};
  for (int kind = 0; kind < 2; ++kind) {
    clp_pair *pair = pair_of(&box, &balls[kind]);
    for (int k = 0; k < amount_of(5000); ++k) {
      clp_pose X = random_pose_within(&g, 0.1), I = clp_pose_identity();
      double way = fmin(0.5 - fabs(X.position.x), 0.4 - fabs(X.position.y));
      clp_answer answer = clp_pair_query(pair, &I, &X);
      expect_distance(&answer, -fmin(way, 0.3 - fabs(X.position.z)) - 0.3);
    }
    clp_pair_destroy(pair);
    clp_body_destroy(balls[kind].body);
  }
  clp_body_destroy(box.body);
}

/* ---- Through contact ---------------------------------------------------------------------- */

/* A pair on its way at one meter per second and up to a radian per second, a millisecond a cycle:
 * from outside, in, and out on the other side. */
typedef struct passage {
  const solid *a, *b;
  clp_vec3 from, way, turn;
} passage;

static clp_pose passage_pose(const passage *p, int cycle)
{
  double t = 1e-3 * cycle;
  return (clp_pose){clp_rotation_from_rpy(p->turn.x * t, p->turn.y * t, p->turn.z * t),
                    clp_add_scaled(p->from, t, p->way)};
}

/* No point of B moves farther in a cycle. */
static double reach_of_cycle(const passage *p)
{
  return 1e-3 * (clp_norm(p->way) + 1.8 * clp_norm(p->turn) * p->b->body->radius);
}

/* The distance of two bodies cannot change faster than they move. A depth that is followed is that
 * of one way out; where another one has become the shortest it may jump, but only towards less. */
static void expect_no_jump(const passage *p, const clp_answer *before, const clp_answer *now)
{
  double change = now->distance - before->distance, most = reach_of_cycle(p) + 1e-9;
  ck_assert_msg(change >= -most, "from %g to %g in one cycle", before->distance, now->distance);
  if (before->distance > -0.01)
    ck_assert_msg(change <= most, "from %g to %g in one cycle", before->distance, now->distance);
}

/* Against the search over all directions, which has its own tests. */
static void expect_truth(const passage *p, const clp_pose *X, const clp_answer *now)
{
  clp_couple c = couple_at(p->a->body, p->b->body, X);
  clp_spots spots;
  double s = clp_penetration_search(&c, &spots).s;
  expect_side(now, s);
  if (s > -0.01)
    ck_assert_double_eq_tol(now->distance, s, 1e-9);
  else
    ck_assert_double_le(now->distance, s + 1e-9);
}

static void pass(const passage *p)
{
  clp_pair *pair = pair_of(p->a, p->b);
  const clp_pose I = clp_pose_identity();
  const clp_twist rest = {{0, 0, 0}, {0, 0, 0}};
  clp_answer before = {.status = CLP_STALE};
  int inside = 0;
  for (int k = 0; k <= 4000; ++k) {
    clp_pose X = passage_pose(p, k);
    clp_twist V = {p->way, p->turn};
    clp_answer now = clp_pair_track(pair, &I, &X, &rest, &V, 1e-3);
    ck_assert(now.status == CLP_TRACKING || now.status == CLP_PENETRATING);
    ck_assert((now.status == CLP_PENETRATING) == (now.distance < 0) ||
              fabs(now.distance) <= CONTACT);
    if (k > 0)
      expect_no_jump(p, &before, &now);
    if (k % 50 == 0)
      expect_truth(p, &X, &now);
    inside += now.status == CLP_PENETRATING;
    before = now;
  }
  ck_assert_int_gt(inside, 100);
  ck_assert_double_gt(before.distance, 0);
  clp_pair_destroy(pair);
}

TEST_CASE("through contact", 60);

LOOP_TEST(through_and_out, 0, 4)
{
  solid kinds[KINDS];
  make_kinds(kinds);
  random_state g = {20 + (uint64_t)_i};
  for (int k = 0; k < amount_of(6); ++k) {
    clp_vec3 way = random_direction(&g);
    clp_vec3 aside = clp_scale(random_between(&g, 0, 0.2), random_direction(&g));
    passage p = {.a = &kinds[random_bits(&g) % (KINDS - 1)],
                 .b = &kinds[random_bits(&g) % KINDS],
                 .from = clp_add_scaled(aside, -2, way),
                 .way = way,
                 .turn = clp_scale(random_between(&g, 0, 0.5), random_direction(&g))};
    pass(&p);
  }
  for (int k = 0; k < KINDS; ++k)
    clp_body_destroy(kinds[k].body);
}

/* Round bodies: the normal turns no faster than the motion over the smallest radius lets it. */
TEST(normal_of_round_bodies)
{
  solid a = make_ellipsoid(1, 0.7, 0.5), b = make_ellipsoid(0.6, 0.4, 0.9);
  random_state g = {30};
  for (int i = 0; i < 6; ++i) {
    clp_vec3 way = random_direction(&g);
    passage p = {&a, &b, clp_scale(-2.2, way), way, clp_scale(0.5, random_direction(&g))};
    clp_pair *pair = pair_of(&a, &b);
    const clp_pose I = clp_pose_identity();
    clp_answer before = {.distance = 1};
    int touching = 0;
    /* the least sum of radii of curvature: 0.5^2 / 1 and 0.4^2 / 0.9 */
    double most = reach_of_cycle(&p) / (0.25 + 0.17 - 0.05);
    for (int k = 0; k < 2200; ++k) {
      clp_pose X = passage_pose(&p, k);
      clp_twist V = {p.way, p.turn}, rest = {{0, 0, 0}, {0, 0, 0}};
      clp_answer now = clp_pair_track(pair, &I, &X, &rest, &V, 1e-3);
      if (now.distance < 0.2 && now.distance > -0.05) {
        ck_assert_msg(clp_distance(now.normal, before.normal) <= most, "%g at %g",
                      clp_distance(now.normal, before.normal), now.distance);
        ++touching;
      }
      before = now;
    }
    ck_assert_int_gt(touching, 100);
    clp_pair_destroy(pair);
  }
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}
