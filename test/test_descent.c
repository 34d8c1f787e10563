/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/descent.h"

#include "rclc_closest_point/base/tolerance.h"
#include "support/bodies.h"
#include "support/solids.h"
#include "support/suite.h"

/* Downhill from any places. Where it ends is known: of convex bodies that face each other there is
 * one smallest distance, which balls, boxes and whatever is round about an axis have in closed
 * form.
 */

enum { BUDGET = 80 };

static clp_descent descend(const clp_couple *c, clp_spots *spots)
{
  return clp_descend(c, spots, BUDGET, 1e-14, NULL);
}

/* ---- Couples ------------------------------------------------------------------------------ */

SUITE("descent");

TEST_CASE("descent", 10);

/* At a pole a tangent is nothing, and along it there is nothing to be gained: what a border there
 * leaves free is solved for all the same. */
TEST(nothing_along_a_pole)
{
  const clp_couple_jets jets = {
      .a = {.t = {{1, 0, 0}, {0, 1, 0}}, .normal = {0, 0, 1}, .freedoms = 2},
      .b = {.t = {{0, 0, 0}, {0.3, 0, 0}}, .normal = {0, 0, -1}, .freedoms = 2, .singular = true},
      .d = {1e-3, 2e-3, 0.5},
      .distance = sqrt(5e-6 + 0.25)};
  clp_system s = clp_system_assemble(&jets, 1);
  const clp_restriction all = {4, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  clp_system r = clp_system_restrict(&s, &all);
  double x[4];
  ck_assert(clp_system_solve_semidefinite(&r, r.g, x));
  for (int k = 0; k < 4; ++k)
    ck_assert_double_le(fabs(x[k]), 0.1);
  ck_assert_double_eq_tol(x[1], 2e-3, 1e-12);
  ck_assert_double_le(fabs(x[2]), 0);
}

TEST(what_a_couple_is)
{
  solid box = make_box(1, 0.8, 0.6), point = make_point();
  random_state g = {1};
  clp_body a = *box.body, b = *point.body;
  a.info.slack = 1e-3, b.info.slack = 2e-4;
  a.blur = 1e-5, b.blur = 3e-6;
  a.center = (clp_vec3){0, 3, 4};
  a.radius = 2;
  for (int k = 0; k < 100; ++k) {
    clp_pose X_WA = random_pose(&g, random_direction(&g)),
             X_WB = random_pose(&g, random_direction(&g));
    clp_couple c = clp_couple_make(&a, &b, &X_WA, &X_WB), d = clp_couple_make(&b, &a, &X_WA, &X_WB);
    clp_vec3 p = random_direction(&g);
    clp_vec3 in_world = clp_transform(X_WA, clp_transform(c.X_AB, p));
    ck_assert_double_le(clp_distance(in_world, clp_transform(X_WB, p)), 1e-14);
    ck_assert(clp_couple_is_rigid(&c));
    ck_assert(c.size == 7 && d.size == 7);
    ck_assert_double_eq_tol(c.slack, 1.2e-3, 1e-18);
    ck_assert_double_eq_tol(c.blur, 1.3e-5, 1e-20);
  }
  clp_body_destroy(box.body);
  clp_body_destroy(point.body);
}

/* Any of the numbers of a rotation off by more than the tolerance, or none at all. */
TEST(what_is_rigid)
{
  solid box = make_box(1, 1, 1);
  for (int k = 0; k < 12; ++k) {
    clp_couple c =
        couple_at(box.body, box.body, &(clp_pose){clp_pose_identity().rotation, {0, 0, 0}});
    double *number = (double *)&c.X_AB + k, was = *number;
    if (k < 9) {
      *number = was + 0.4 * CLP_TOLERANCE_RIGID;
      ck_assert(clp_couple_is_rigid(&c));
      *number = was + 3 * CLP_TOLERANCE_RIGID;
      ck_assert_msg(!clp_couple_is_rigid(&c), "number %d", k);
      *number = was - 3 * CLP_TOLERANCE_RIGID;
      ck_assert_msg(!clp_couple_is_rigid(&c), "number %d", k);
    } else {
      *number = CLP_LARGEST_COORDINATE;
      ck_assert(clp_couple_is_rigid(&c));
      *number = -1.001 * CLP_LARGEST_COORDINATE;
      ck_assert(!clp_couple_is_rigid(&c));
    }
    *number = NAN;
    ck_assert(!clp_couple_is_rigid(&c));
  }
  clp_couple mirrored =
      couple_at(box.body, box.body, &(clp_pose){{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {0, 0, 0}});
  ck_assert(!clp_couple_is_rigid(&mirrored));
  clp_body_destroy(box.body);
}

/* ---- A point before a solid ---------------------------------------------------------------- */

static double clamp(double x, double half)
{
  return fmax(-half, fmin(half, x));
}

/* How far a place outside is from the solid. */
static double distance_to(const solid *s, clp_vec3 x)
{
  double r = hypot(x.x, x.y), half = s->length / 2;
  if (s->shape == CLP_SHAPE_BOX)
    return clp_distance(x, (clp_vec3){clamp(x.x, s->size.x / 2), clamp(x.y, s->size.y / 2),
                                      clamp(x.z, s->size.z / 2)});
  if (s->shape == CLP_SHAPE_CYLINDER)
    return hypot(fmax(0, r - s->radius), fmax(0, fabs(x.z) - half));
  if (s->shape == CLP_SHAPE_CAPSULE)
    return hypot(r, x.z - clamp(x.z, half)) - s->radius;
  return clp_norm(x) - s->size.x;
}

enum { ROUND = 4 };

static void make_round(solid solids[ROUND])
{
  solids[0] = make_box(1, 0.8, 0.6);
  solids[1] = make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1);
  solids[2] = make_solid(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.3, 0.7);
  solids[3] = make_ellipsoid(0.5, 0.5, 0.5);
}

/* Whether the place x lies behind the feature that the witness is on: a face's tangent plane. */
static bool lies_behind(const clp_body *body, clp_spot spot, clp_vec3 x)
{
  clp_spot_jet jet = clp_spot_jet_at(body, spot);
  return spot.kind == CLP_FACE && clp_dot(clp_sub(x, jet.p), jet.normal) < 0;
}

/* From anywhere on the solid, with the solid as A and as B: what has converged is nearest, and what
 * is behind is that. */
TEST(points_before_solids)
{
  solid solids[ROUND], point = make_point();
  random_state g = {2};
  int converged[ROUND] = {0};
  make_round(solids);
  enum { TIMES = 1200 };
  for (int k = 0; k < TIMES; ++k) {
    const solid *s = &solids[k % ROUND];
    clp_vec3 x = clp_scale(random_between(&g, 0.9, 2), random_direction(&g));
    clp_pose X_S = random_pose(&g, random_direction(&g));
    clp_pose X_P = random_pose(&g, clp_transform(X_S, x));
    bool second = k / ROUND % 2;
    clp_couple c = second ? clp_couple_make(point.body, s->body, &X_P, &X_S)
                          : clp_couple_make(s->body, point.body, &X_S, &X_P);
    clp_spots spots;
    clp_spot *on_solid = second ? &spots.b : &spots.a;
    *(second ? &spots.a : &spots.b) = clp_spot_on_vertex(0);
    *on_solid = random_spot(&g, s->body, (clp_feature_kind)(random_bits(&g) % 3), 0);
    clp_descent d = descend(&c, &spots);
    ck_assert(clp_spot_valid(s->body, *on_solid));
    if (d.end == CLP_DESCENT_BEHIND) {
      ck_assert(lies_behind(s->body, *on_solid, x));
      continue;
    }
    ck_assert_int_eq(d.end, CLP_DESCENT_CONVERGED);
    ck_assert_double_eq_tol(d.jets.distance, distance_to(s, x), 1e-13);
    ck_assert_double_eq_tol(clp_distance(clp_spot_point(s->body, *on_solid), x), distance_to(s, x),
                            1e-13);
    ++converged[k % ROUND];
  }
  for (int k = 0; k < ROUND; ++k) {
    ck_assert_msg(converged[k] > TIMES / ROUND / 2, "%d of kind %d", converged[k], k);
    clp_body_destroy(solids[k].body);
  }
  clp_body_destroy(point.body);
}

/* The far side of a ball is no minimum: the normal looks away. */
TEST(far_sides_are_behind)
{
  solid ball = make_ellipsoid(0.5, 0.5, 0.5), point = make_point();
  clp_pose X = {clp_pose_identity().rotation, {0, 0, 2}};
  for (int side = 0; side < 2; ++side) {
    clp_couple c =
        side ? couple_at(point.body, ball.body, &X) : couple_at(ball.body, point.body, &X);
    clp_spot far = clp_spot_on_face(0, (clp_site){{0, 0, side ? 1 : -1}});
    clp_spot near = clp_spot_on_face(0, (clp_site){{0, 0, side ? -1 : 1}});
    clp_spots spots = {far, clp_spot_on_vertex(0)}, other = {near, clp_spot_on_vertex(0)};
    if (side) {
      spots = (clp_spots){clp_spot_on_vertex(0), far};
      other = (clp_spots){clp_spot_on_vertex(0), near};
    }
    clp_descent d = descend(&c, &spots), e = descend(&c, &other);
    ck_assert_int_eq(d.end, CLP_DESCENT_BEHIND);
    ck_assert_int_eq(e.end, CLP_DESCENT_CONVERGED);
    ck_assert_int_eq(e.iterations, 0);
    ck_assert_double_eq_tol(d.jets.distance, 2.5, 1e-14);
    ck_assert_double_eq_tol(e.jets.distance, 1.5, 1e-14);
  }
  clp_body_destroy(ball.body);
  clp_body_destroy(point.body);
}

/* ---- Two solids --------------------------------------------------------------------------- */

/* Ellipsoids: at the nearest places both normals, which are (x / r^2), lie along d. Newton's steps
 * are few. */
TEST(ellipsoids)
{
  const clp_vec3 ra = {0.5, 0.4, 0.7}, rb = {0.3, 0.6, 0.35};
  solid a = make_ellipsoid(ra.x, ra.y, ra.z), b = make_ellipsoid(rb.x, rb.y, rb.z);
  random_state g = {3};
  int iterations = 0, converged = 0;
  for (int k = 0; k < 400; ++k) {
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 1.5, 3), random_direction(&g)));
    clp_couple c = couple_at(a.body, b.body, &X);
    clp_vec3 towards = clp_unit(X.position), u = clp_unit(clp_add(towards, random_direction(&g)));
    clp_vec3 v = clp_unit(clp_add(clp_rotate_back(X.rotation, clp_negate(towards)),
                                  clp_scale(0.9, random_direction(&g))));
    clp_spots spots = {clp_spot_on_face(0, (clp_site){{u.x, u.y, u.z}}),
                       clp_spot_on_face(0, (clp_site){{v.x, v.y, v.z}})};
    clp_descent d = descend(&c, &spots);
    if (d.end == CLP_DESCENT_BEHIND)
      continue;
    ck_assert_int_eq(d.end, CLP_DESCENT_CONVERGED);
    clp_vec3 p = clp_spot_point(a.body, spots.a), q = clp_spot_point(b.body, spots.b);
    clp_vec3 way = clp_sub(clp_transform(X, q), p),
             back = clp_negate(clp_rotate_back(X.rotation, way));
    clp_vec3 n_a = {p.x / (ra.x * ra.x), p.y / (ra.y * ra.y), p.z / (ra.z * ra.z)};
    clp_vec3 n_b = {q.x / (rb.x * rb.x), q.y / (rb.y * rb.y), q.z / (rb.z * rb.z)};
    ck_assert_double_ge(clp_dot(clp_unit(n_a), clp_unit(way)), 1 - 1e-13);
    ck_assert_double_ge(clp_dot(clp_unit(n_b), clp_unit(back)), 1 - 1e-13);
    ck_assert_double_eq_tol(d.jets.distance, clp_norm(way), 1e-14);
    iterations += d.iterations;
    ++converged;
  }
  ck_assert_int_gt(converged, 300);
  ck_assert_msg(iterations < 8 * converged, "%g each", (double)iterations / converged);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* Boxes: no direction shows a gap that is larger than the distance reached, and the one from
 * witness to witness shows that. */
TEST(boxes)
{
  solid a = make_box(1, 0.8, 0.6), b = make_box(0.5, 0.9, 0.7);
  random_state g = {4};
  int converged = 0;
  for (int k = 0; k < 600; ++k) {
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 1.5, 2.5), random_direction(&g)));
    clp_couple c = couple_at(a.body, b.body, &X);
    clp_spots spots = {random_spot(&g, a.body, (clp_feature_kind)(k % 3), 0),
                       random_spot(&g, b.body, (clp_feature_kind)(k / 3 % 3), 0)};
    clp_descent d = descend(&c, &spots);
    ck_assert(d.end == CLP_DESCENT_CONVERGED || d.end == CLP_DESCENT_BEHIND);
    if (d.end == CLP_DESCENT_BEHIND)
      continue;
    clp_vec3 n = clp_unit(d.jets.d);
    ck_assert_double_eq_tol(gap_along(&a, &b, &X, n), d.jets.distance, 1e-12);
    ++converged;
  }
  ck_assert_int_gt(converged, 300);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* ---- Budgets and logs --------------------------------------------------------------------- */

static clp_spot feature_before(const clp_event *events, int count, int side, clp_spot start)
{
  for (int k = count - 1; k >= 0; --k)
    if (events[k].which == side)
      return events[k].to;
  return start;
}

/* With every iteration nearer, or as near; and as many of them as are allowed. Every change of
 * feature is told once, in order, at the distance where it happened. */
TEST(step_by_step)
{
  enum { EVENTS = 64 };
  solid a = make_box(1, 0.8, 0.6), b = make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1);
  random_state g = {5};
  int changes = 0;
  for (int k = 0; k < 200; ++k) {
    clp_pose X = random_pose(&g, clp_scale(2, random_direction(&g)));
    clp_couple c = couple_at(a.body, b.body, &X);
    clp_spots start = {random_spot(&g, a.body, CLP_FACE, 0), random_spot(&g, b.body, CLP_FACE, 0)};
    double last = HUGE_VAL;
    clp_descent d = {.end = CLP_DESCENT_BUDGET};
    for (int budget = 0; d.end == CLP_DESCENT_BUDGET && budget < BUDGET; ++budget) {
      clp_event events[EVENTS], few[1] = {{.which = 7}};
      clp_event_log log = {events, EVENTS, 0}, none = {few, 0, 0};
      clp_spots spots = start, same = start;
      d = clp_descend(&c, &spots, budget, 1e-14, &log);
      ck_assert_double_le(d.jets.distance, last + 1e-14);
      last = d.jets.distance;
      ck_assert_int_eq(d.iterations, d.end == CLP_DESCENT_BUDGET ? budget : budget - 1);
      ck_assert_int_eq(d.transitions, log.count);
      clp_descend(&c, &same, budget, 1e-14, &none);
      ck_assert(none.count == log.count && few[0].which == 7);
      ck_assert_mem_eq(&spots, &same, sizeof spots);
      for (int i = 0; i < log.count; ++i) {
        clp_spot from =
            feature_before(events, i, events[i].which, events[i].which == 0 ? start.a : start.b);
        ck_assert(clp_spot_same_feature(&events[i].from, &from));
        ck_assert_double_ge(events[i].distance, last - 1e-14);
      }
      clp_spot end_a = feature_before(events, log.count, 0, start.a);
      clp_spot end_b = feature_before(events, log.count, 1, start.b);
      ck_assert(clp_spot_same_feature(&spots.a, &end_a) && clp_spot_same_feature(&spots.b, &end_b));
      changes += d.end == CLP_DESCENT_BUDGET ? 0 : log.count;
    }
    ck_assert_int_ne(d.end, CLP_DESCENT_BUDGET);
  }
  ck_assert_int_gt(changes, 200);
  clp_body_destroy(a.body);
  clp_body_destroy(b.body);
}

/* Places that coincide to rounding are a touch, and farther ones none. */
TEST(touches)
{
  static const double apart[] = {0, 0.5, 2, 1e3};
  solid box = make_box(1, 1, 1);
  for (int k = 0; k < 4; ++k) {
    double gap = apart[k] * CLP_DESCENT_TOUCHING * (0.5 * sqrt(3));
    clp_pose X = {clp_pose_identity().rotation, {1 + gap, 0, 0}};
    clp_couple c = couple_at(box.body, box.body, &X);
    clp_spots spots = {clp_spot_on_vertex(0), clp_spot_on_vertex(0)};
    for (uint32_t id = 0; id < box.body->face_count; ++id) {
      clp_spot middle = clp_spot_sample(box.body, CLP_FACE, id, 0.5, 0.5);
      double x = clp_spot_point(box.body, middle).x;
      if (x > 0.4)
        spots.a = middle;
      if (x < -0.4)
        spots.b = middle;
    }
    clp_descent d = descend(&c, &spots);
    ck_assert_int_eq(d.end, k < 2 ? CLP_DESCENT_TOUCH : CLP_DESCENT_CONVERGED);
  }
  clp_body_destroy(box.body);
}

/* ---- Places where steps are hard ---------------------------------------------------------- */

/* A disc that is one patch has four corners whose sides begin along one line: from each of them,
 * too, a few steps lead to the place below the point. */
TEST(corners_with_parallel_sides)
{
  clp_body *body = bodies_make(0), *point = bodies_point();
  random_state g = {6};
  int corners = 0, total = 0;
  double top = body->info.bounds.max.z;
  for (uint32_t id = 0; id < body->face_count; ++id) {
    clp_spot middle = clp_spot_sample(body, CLP_FACE, id, 0.5, 0.5);
    if (clp_spot_jet_at(body, middle).normal.z < 0.9)
      continue;
    for (int corner = 0; corner < 4; ++corner)
      for (int k = 0; k < 20; ++k) {
        clp_vec3 x = clp_scale(random_between(&g, 0, 0.3), random_direction(&g));
        clp_pose X = {clp_pose_identity().rotation, {x.x, x.y, top + 0.5}};
        clp_couple c = couple_at(body, point, &X);
        clp_spots spots = {clp_spot_sample(body, CLP_FACE, id, corner % 2, corner / 2),
                           clp_spot_on_vertex(0)};
        clp_descent d = descend(&c, &spots);
        ck_assert_int_eq(d.end, CLP_DESCENT_CONVERGED);
        ck_assert_double_eq_tol(d.jets.distance, 0.5, 1e-13);
        total += d.iterations;
        ++corners;
      }
  }
  ck_assert_int_eq(corners, 80);
  ck_assert_msg(total < 5.5 * corners, "%g each", (double)total / corners);
  clp_body_destroy(body);
  clp_body_destroy(point);
}

/* Over a smooth seam a step goes on at once: from a capsule's wall to its pole in a few steps. */
TEST(over_seams)
{
  solid capsule = make_solid(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.3, 0.7),
        point = make_point();
  random_state g = {7};
  int iterations = 0, times = 0;
  for (int k = 0; k < 300; ++k) {
    clp_vec3 x = clp_scale(0.2, random_direction(&g));
    x.z = k % 2 ? 1.2 : -1.2;
    clp_pose X = {clp_pose_identity().rotation, x};
    clp_couple c = couple_at(capsule.body, point.body, &X);
    clp_spots spots = {random_spot(&g, capsule.body, CLP_FACE, 0.1), clp_spot_on_vertex(0)};
    clp_descent d = descend(&c, &spots);
    if (d.end != CLP_DESCENT_CONVERGED)
      continue;
    ck_assert_double_eq_tol(d.jets.distance, distance_to(&capsule, x), 1e-13);
    iterations += d.iterations;
    ++times;
  }
  ck_assert_int_gt(times, 200);
  ck_assert_msg(iterations < 3 * times, "%g each", (double)iterations / times);
  clp_body_destroy(capsule.body);
  clp_body_destroy(point.body);
}

/* From the bounds of faces, where the whole Newton step does not get away: with what they leave
 * free of it 7.13 iterations are enough in the mean, and without that it takes 7.21. */
static double fraction_or_bound(random_state *g)
{
  uint64_t k = random_bits(g) % 4;
  return k < 2 ? (double)k : random_between(g, 0, 1);
}

static clp_spot spot_at_bounds(random_state *g, const clp_body *body)
{
  uint32_t id = (uint32_t)(random_bits(g) % body->face_count);
  return clp_spot_sample(body, CLP_FACE, id, fraction_or_bound(g), fraction_or_bound(g));
}

TEST(from_bounds)
{
  clp_body *bodies[BODIES];
  random_state g = {9};
  int converged = 0, iterations = 0, longest = 0;
  enum { TIMES = 6000 };
  bodies_make_all(bodies);
  for (int k = 0; k < TIMES; ++k) {
    const clp_body *a = bodies[k % BODIES], *b = bodies[k / BODIES % BODIES];
    clp_pose X = random_pose(&g, clp_scale(random_between(&g, 2, 4), random_direction(&g)));
    clp_couple c = couple_at(a, b, &X);
    clp_spots spots = {spot_at_bounds(&g, a), spot_at_bounds(&g, b)};
    clp_descent d = clp_descend(&c, &spots, 300, 1e-14, NULL);
    ck_assert(d.end == CLP_DESCENT_CONVERGED || d.end == CLP_DESCENT_BEHIND);
    if (d.end == CLP_DESCENT_BEHIND)
      continue;
    ++converged;
    iterations += d.iterations;
    longest = d.iterations > longest ? d.iterations : longest;
  }
  ck_assert_int_gt(converged, TIMES * 0.99);
  ck_assert_int_lt(longest, 40);
  ck_assert_msg(iterations < 7.18 * converged, "%g each", (double)iterations / converged);
  bodies_destroy_all(bodies);
}

/* What rounding does to a distance grows with the bodies: whatever their size the same steps lead
 * to the same places. */
TEST(of_any_size)
{
  static const double sizes[] = {1, 1e-4, 1e4};
  int iterations[3] = {0}, converged[3] = {0};
  enum { TIMES = 500 };
  for (int k = 0; k < 3; ++k) {
    double s = sizes[k];
    solid a = make_ellipsoid(0.5 * s, 0.4 * s, 0.7 * s),
          b = make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4 * s, s);
    random_state g = {10};
    for (int i = 0; i < TIMES; ++i) {
      clp_vec3 p = clp_scale(random_between(&g, 1.5, 3) * s, random_direction(&g));
      clp_pose X = random_pose(&g, p);
      clp_couple c = couple_at(a.body, b.body, &X);
      clp_spots spots = {random_spot(&g, a.body, CLP_FACE, 0.1),
                         random_spot(&g, b.body, CLP_FACE, 0)};
      clp_descent d = descend(&c, &spots);
      converged[k] += d.end == CLP_DESCENT_CONVERGED;
      iterations[k] += d.end == CLP_DESCENT_CONVERGED ? d.iterations : 0;
    }
    ck_assert_int_gt(converged[k], TIMES * 0.97);
    ck_assert_int_eq(converged[k], converged[0]);
    ck_assert_double_eq_tol(iterations[k], iterations[0], 0.01 * iterations[0]);
    clp_body_destroy(a.body);
    clp_body_destroy(b.body);
  }
}

/* In the plane a curve has an inside, to its left. */
TEST(inside_a_region)
{
  const double arc[4][9] = {{1, 0, 1, 1, 1, sqrt(0.5), 0, 1, 1},
                            {0, 1, 1, -1, 1, sqrt(0.5), -1, 0, 1},
                            {-1, 0, 1, -1, -1, sqrt(0.5), 0, -1, 1},
                            {0, -1, 1, 1, -1, sqrt(0.5), 1, 0, 1}};
  static const char *const names[] = {"a", "b", "c", "d"};
  clp_curve_def curves[4];
  for (int k = 0; k < 4; ++k)
    curves[k] = (clp_curve_def){names[k], 2, 3, NULL, arc[k]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = 4;
  clp_body *body = must_create(&def), *point = bodies_point();
  random_state g = {8};
  for (int k = 0; k < 300; ++k) {
    double angle = random_between(&g, -3, 3), r = random_between(&g, 0.1, 3);
    if (fabs(r - 1) < 1e-3)
      continue;
    clp_pose X = {clp_pose_identity().rotation, {r * cos(angle), r * sin(angle), 0}};
    clp_pose back = clp_pose_inverse(X);
    bool second = k % 2;
    clp_couple c = second ? couple_at(point, body, &back) : couple_at(body, point, &X);
    clp_spot near = clp_spot_sample(body, CLP_EDGE, 0, 0, 0);
    for (uint32_t id = 0; id < 4; ++id)
      for (int i = 0; i <= 8; ++i) {
        clp_spot spot = clp_spot_sample(body, CLP_EDGE, id, i / 8.0, 0);
        if (clp_distance(clp_spot_point(body, spot), X.position) <
            clp_distance(clp_spot_point(body, near), X.position))
          near = spot;
      }
    clp_spots spots = {near, clp_spot_on_vertex(0)};
    if (second)
      spots = (clp_spots){clp_spot_on_vertex(0), near};
    clp_descent d = descend(&c, &spots);
    ck_assert_int_eq(d.end, r < 1 ? CLP_DESCENT_BEHIND : CLP_DESCENT_CONVERGED);
    ck_assert_double_eq_tol(d.jets.distance, fabs(r - 1), 1e-13);
  }
  clp_body_destroy(body);
  clp_body_destroy(point);
}
