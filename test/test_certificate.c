/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/certificate.h"

#include "rclc_closest_point/witness/normal_cone.h"
#include "support/bodies.h"
#include "support/solids.h"
#include "support/suite.h"

/* Proofs of how close two bodies are at least. Of balls and boxes the normal cones are known, and
 * with them every bound; and the heights, and with them what no bound along a direction may exceed.
 */

#define ROUNDING 3.6e-15 /* sixteen units in the last place of every length */
#define SAME 1e-13       /* of lengths near 1, computed in two ways */

/* ---- The truth ---------------------------------------------------------------------------- */

/* The element nearest n of the cone of a box's normals at p: of each axis on whose side p is, what
 * of n leads outwards. */
static clp_vec3 box_cone(clp_vec3 size, clp_vec3 p, clp_vec3 n, double *depth)
{
  const double half[3] = {size.x / 2, size.y / 2, size.z / 2}, at[3] = {p.x, p.y, p.z};
  const double to[3] = {n.x, n.y, n.z};
  double out[3];
  *depth = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    double side = fabs(fabs(at[k]) - half[k]) > 1e-12 ? 0 : at[k] > 0 ? 1 : -1;
    out[k] = side == 0 ? 0 : side * fmax(0, side * to[k]);
    *depth = side == 0 ? *depth : fmin(*depth, side * to[k]);
  }
  return (clp_vec3){out[0], out[1], out[2]};
}

/* How far n is from the cone of normals at the place p (both in the body's frame), and how deep
 * inside it. A ball's cone is a ray, a point's is all there is. */
static double miss(const solid *s, clp_vec3 p, clp_vec3 n, double *depth)
{
  *depth = 1;
  if (s->shape == CLP_SHAPE_POINT)
    return 0;
  if (s->shape == CLP_SHAPE_BOX)
    return clp_distance(n, box_cone(s->size, p, n, depth));
  clp_vec3 normal = clp_unit(p);
  return clp_distance(n, clp_scale(fmax(0, clp_dot(n, normal)), normal));
}

/* How far the body's points can be from its place p: twice through the ball that holds it. */
static double reach(const solid *s, clp_vec3 p)
{
  return clp_norm(p) + (s->shape == CLP_SHAPE_BOX ? clp_norm(clp_scale(0.5, s->size)) : s->size.x);
}

/* Two solids, a place on each, and what certificate.h says of them for a direction n. */
typedef struct places {
  const solid *a, *b;
  clp_couple couple;
  clp_spots spots;
  clp_couple_jets jets;
  clp_vec3 p, q; /* each in its own frame */
} places;

static void look(places *s)
{
  s->jets = clp_couple_jets_at(s->a->body, s->spots.a, s->b->body, s->spots.b, &s->couple.X_AB);
  s->p = clp_spot_point(s->a->body, s->spots.a);
  s->q = clp_spot_point(s->b->body, s->spots.b);
}

static double bound_along(const places *s, clp_vec3 n)
{
  double depth, reach_a = reach(s->a, s->p), reach_b = reach(s->b, s->q);
  clp_vec3 n_B = clp_negate(clp_rotate_back(s->couple.X_AB.rotation, n));
  double bound = clp_dot(n, s->jets.d) - miss(s->a, s->p, n, &depth) * reach_a -
                 miss(s->b, s->q, n_B, &depth) * reach_b;
  return bound - s->couple.slack - ROUNDING * (5 * s->couple.size + s->jets.distance);
}

static clp_vec3 square(clp_vec3 d, clp_vec3 t)
{
  t = clp_unit(t);
  return clp_sub(d, clp_scale(clp_dot(d, t), t));
}

/* All directions that suit the features, of any length. */
static int directions(const places *s, clp_vec3 n[8])
{
  const clp_spot_jet *a = &s->jets.a, *b = &s->jets.b;
  int count = 0;
  if (a->freedoms == 2)
    n[count++] = a->normal;
  if (b->freedoms == 2)
    n[count++] = clp_negate(b->normal);
  if (a->freedoms == 2 && b->freedoms == 2)
    n[count++] = clp_sub(a->normal, b->normal);
  if (a->freedoms == 1 && b->freedoms == 1) {
    clp_vec3 across = clp_cross(a->t[0], b->t[0]);
    n[count++] = clp_dot(across, s->jets.d) >= 0 ? across : clp_negate(across);
  }
  if (a->freedoms == 1)
    n[count++] = square(s->jets.d, a->t[0]);
  if (b->freedoms == 1)
    n[count++] = square(s->jets.d, b->t[0]);
  n[count++] = s->jets.d;
  return count;
}

/* ---- Any places --------------------------------------------------------------------------- */

enum { SOLIDS = 4 };

static void make_solids(solid solids[SOLIDS])
{
  solids[0] = make_box(1, 0.8, 0.6);
  solids[1] = make_ellipsoid(0.5, 0.5, 0.5);
  solids[2] = make_box(0.3, 0.7, 0.9);
  solids[3] = make_point();
}

static void free_solids(solid solids[SOLIDS])
{
  for (int k = 0; k < SOLIDS; ++k)
    clp_body_destroy(solids[k].body);
}

static places any_places(random_state *g, const solid solids[SOLIDS], int which)
{
  const solid *a = &solids[which / SOLIDS], *b = &solids[which % SOLIDS];
  clp_pose X = random_pose(g, clp_scale(random_between(g, 1, 3), random_direction(g)));
  places s = {.a = a, .b = b, .couple = couple_at(a->body, b->body, &X)};
  clp_feature_kind kind_a = (clp_feature_kind)(random_bits(g) % 3);
  clp_feature_kind kind_b = (clp_feature_kind)(random_bits(g) % 3);
  s.spots.a = random_spot(g, a->body, kind_a, 0.05);
  s.spots.b = random_spot(g, b->body, kind_b, 0.05);
  look(&s);
  return s;
}

SUITE("certificate");

TEST_CASE("certificate", 10);

/* However wrong the places: the best of the directions that suit them, with the bound that the
 * cones give; and no bound exceeds what the heights along its direction leave between the bodies.
 */
TEST(bounds_of_any_places)
{
  solid solids[SOLIDS];
  random_state g = {31};
  make_solids(solids);
  for (int k = 0; k < 12000; ++k) {
    places s = any_places(&g, solids, k % (SOLIDS * SOLIDS));
    clp_certificate c = clp_certify(&s.couple, &s.spots, &s.jets, HUGE_VAL);
    clp_vec3 n[8];
    double best = -HUGE_VAL;
    for (int i = directions(&s, n) - 1; i >= 0; --i)
      if (clp_norm(n[i]) > 1e-9)
        best = fmax(best, bound_along(&s, clp_unit(n[i])));
    ck_assert_double_eq_tol(c.lower, best, SAME);
    ck_assert_double_eq_tol(clp_norm(c.normal), 1, 1e-15);
    ck_assert_double_eq_tol(bound_along(&s, c.normal), best, SAME);
    ck_assert_double_le(c.lower, gap_along(s.a, s.b, &s.couple.X_AB, c.normal) + 1e-15);
  }
  free_solids(solids);
}

/* What rounding and the bodies' slack may do is off the bound: seen where all the rest is exact,
 * one corner of a box facing another's along an axis that both share. */
TEST(rounding_and_slack_are_taken_off)
{
  static const double slacks[] = {0, 1e-9, 0.01};
  solid box = make_box(1, 1, 1);
  clp_pose X = {clp_pose_identity().rotation, {2, 0, 0}};
  places s = {.a = &box, .b = &box, .couple = couple_at(box.body, box.body, &X)};
  for (uint32_t k = 0; k < box.body->face_count; ++k) {
    clp_vec3 n = clp_spot_jet_at(box.body, clp_spot_sample(box.body, CLP_FACE, k, 0.5, 0.5)).normal;
    if (n.x > 0.5)
      s.spots.a = clp_spot_sample(box.body, CLP_FACE, k, 0.5, 0.5);
    if (n.x < -0.5)
      s.spots.b = clp_spot_sample(box.body, CLP_FACE, k, 0.5, 0.5);
  }
  look(&s);
  double rounding = ROUNDING * (5 * s.couple.size + 1);
  for (int k = 0; k < 3; ++k) {
    s.couple.slack = slacks[k];
    clp_certificate c = clp_certify(&s.couple, &s.spots, &s.jets, HUGE_VAL);
    ck_assert_double_eq_tol(1 - c.lower, slacks[k] + rounding, 5e-16);
    clp_interval i = clp_interval_along(&s.couple, s.jets.d, (clp_vec3){1, 0, 0}, 0, 0);
    ck_assert_double_eq_tol(1 - i.lower, slacks[k] + rounding, 5e-16);
  }
  clp_body_destroy(box.body);
}

static long double along_z(const clp_pose *X, clp_vec3 p)
{
  const clp_mat3 *R = &X->rotation;
  return (long double)R->x.z * p.x + (long double)R->y.z * p.y + (long double)R->z.z * p.z +
         (long double)X->position.z;
}

/* A point a kilometer from its own frame's origin, next to a small box at the other's: whatever
 * cancels there, no bound is above the height that the point has in long double. */
TEST(frames_far_from_their_bodies)
{
  random_state g = {36};
  solid box = make_box(1e-4, 1e-4, 1e-4);
  int near = 0;
  for (int k = 0; k < 2000; ++k) {
    clp_vec3 p = clp_scale(random_between(&g, 1, 1000), random_direction(&g));
    clp_body *point = make_shape(CLP_SHAPE_POINT, p, 0, 0);
    clp_pose X = random_pose(&g, (clp_vec3){0, 0, 0});
    clp_vec3 at = {0, 0, 5e-5 + random_between(&g, 0, 1e-12)};
    X.position = clp_sub(at, clp_rotate(X.rotation, p));
    clp_couple couple = couple_at(box.body, point, &X);
    clp_spots spots = {.b = clp_spot_on_vertex(0)};
    for (uint32_t id = 0; id < box.body->face_count; ++id)
      if (clp_spot_point(box.body, clp_spot_sample(box.body, CLP_FACE, id, 0.5, 0.5)).z > 2e-5)
        spots.a = clp_spot_sample(box.body, CLP_FACE, id, 0.5, 0.5);
    clp_couple_jets jets = clp_couple_jets_at(box.body, spots.a, point, spots.b, &X);
    long double height = along_z(&X, p) - (long double)5e-5;
    double lower = clp_certify(&couple, &spots, &jets, HUGE_VAL).lower;
    ck_assert_msg((long double)lower <= height, "%.3Lg", (long double)lower - height);
    near += height < 1e-11L;
    clp_body_destroy(point);
  }
  ck_assert_int_gt(near, 1900);
  clp_body_destroy(box.body);
}

/* ---- Nearest places ----------------------------------------------------------------------- */

/* A point before a box: the nearest place is the point held within the box, and the bound there is
 * the distance but for its last digits. */
TEST(nearest_places_are_proven)
{
  solid box = make_box(1, 0.8, 0.6), point = make_point();
  random_state g = {32};
  int kinds[3] = {0};
  for (int k = 0; k < 4000; ++k) {
    clp_vec3 x = {random_between(&g, -1, 1), random_between(&g, -1, 1), random_between(&g, -1, 1)};
    clp_vec3 near = {fmax(-0.5, fmin(0.5, x.x)), fmax(-0.4, fmin(0.4, x.y)),
                     fmax(-0.3, fmin(0.3, x.z))};
    double distance = clp_distance(x, near);
    if (distance < 1e-3)
      continue;
    clp_pose X = {clp_pose_identity().rotation, x};
    places s = {.a = &box, .b = &point, .couple = couple_at(box.body, point.body, &X)};
    s.spots.b = clp_spot_on_vertex(0);
    for (uint32_t face = 0; face == 0 || clp_distance(s.p, near) > 1e-12; ++face) {
      ck_assert_uint_lt(face, 6); /* from one of them the way down leads there */
      s.spots.a = clp_spot_sample(box.body, CLP_FACE, face, 0.5, 0.5);
      clp_descend(&s.couple, &s.spots, 60, 1e-15, NULL);
      look(&s);
    }
    ++kinds[s.spots.a.kind];
    clp_certificate c = clp_certify(&s.couple, &s.spots, &s.jets, distance - 1e-12);
    ck_assert_double_le(c.lower, distance);
    ck_assert_double_ge(c.lower, distance - 1e-12);
    ck_assert_double_le(clp_distance(c.normal, clp_scale(1 / distance, clp_sub(x, near))), 1e-12);
  }
  for (int kind = 0; kind < 3; ++kind)
    ck_assert_int_gt(kinds[kind], 50);
  clp_body_destroy(box.body);
  clp_body_destroy(point.body);
}

/* Balls whose witnesses are a little off: the normals of both and what is between them prove more
 * than what leads from one witness to the other; but it is that which is published where it proves
 * enough, for only along that do the witnesses face each other. */
TEST(enough_and_facing)
{
  solid ball = make_ellipsoid(0.5, 0.5, 0.5);
  random_state g = {33};
  int more = 0;
  for (int k = 0; k < 500; ++k) {
    clp_vec3 axis = random_direction(&g);
    clp_pose X = {clp_pose_identity().rotation, clp_scale(1.1, axis)};
    places s = {.a = &ball, .b = &ball, .couple = couple_at(ball.body, ball.body, &X)};
    clp_vec3 u = clp_unit(clp_add_scaled(axis, 1e-6, random_direction(&g)));
    clp_vec3 v = clp_unit(clp_add_scaled(axis, 1e-6, random_direction(&g)));
    s.spots.a = clp_spot_on_face(0, (clp_site){{u.x, u.y, u.z}});
    s.spots.b = clp_spot_on_face(0, (clp_site){{-v.x, -v.y, -v.z}});
    look(&s);
    clp_vec3 along = clp_unit(s.jets.d);
    clp_certificate most = clp_certify(&s.couple, &s.spots, &s.jets, HUGE_VAL);
    clp_certificate enough = clp_certify(&s.couple, &s.spots, &s.jets, 0.09);
    ck_assert_double_eq_tol(enough.lower, bound_along(&s, along), SAME);
    ck_assert_double_le(clp_distance(enough.normal, along), 1e-14);
    ck_assert_double_ge(most.lower, enough.lower);
    more += most.lower > enough.lower + 1e-6;
    clp_certificate none = clp_certify(&s.couple, &s.spots, &s.jets, most.lower + 1e-12);
    ck_assert_double_eq_tol(none.lower, most.lower, 1e-16);
  }
  ck_assert_int_gt(more, 400);
  clp_body_destroy(ball.body);
}

/* Where the witnesses face each other along the first direction already it is that one. */
TEST(the_first_that_is_enough)
{
  solid ball = make_ellipsoid(0.5, 0.5, 0.5);
  clp_pose X = {clp_pose_identity().rotation, {0, 0, 1.0 + 1e-9}};
  places s = {.a = &ball, .b = &ball, .couple = couple_at(ball.body, ball.body, &X)};
  const double off = 1e-11; /* so far beside each other: 1e-2 of the distance, but little else */
  s.spots.a = clp_spot_on_face(0, (clp_site){{0, 0, 1}});
  s.spots.b = clp_spot_on_face(0, (clp_site){{2 * off, 0, -1}});
  look(&s);
  clp_certificate c = clp_certify(&s.couple, &s.spots, &s.jets, 1e-9 - 1e-10);
  ck_assert(c.normal.x == 0 && c.normal.y == 0 && c.normal.z == 1);
  clp_body_destroy(ball.body);
}

/* ---- The usual cycle ---------------------------------------------------------------------- */

static clp_stride stride_of(const places *s)
{
  return (clp_stride){.spots = s->spots,
                      .feet = {.f = s->jets.a.p,
                               .h = s->jets.b.p,
                               .normal_a = s->jets.a.normal,
                               .normal_b = s->jets.b.normal,
                               .off_a = s->spots.a.kind == CLP_FACE ? 3e-7 : 0,
                               .off_b = s->spots.b.kind == CLP_FACE ? 5e-7 : 0}};
}

/* The one direction that the features have: a face's normal, else what is square to the edges. */
static clp_vec3 direction_of(const places *s)
{
  const clp_spot_jet *a = &s->jets.a, *b = &s->jets.b;
  clp_vec3 d = s->jets.d;
  if (a->freedoms == 2)
    return a->normal;
  if (b->freedoms == 2)
    return clp_negate(b->normal);
  if (a->freedoms == 1 && b->freedoms == 1) {
    clp_vec3 across = clp_cross(clp_unit(a->t[0]), clp_unit(b->t[0]));
    if (clp_norm(across) <= 1e-3)
      return clp_unit(square(d, a->t[0]));
    return clp_unit(clp_dot(across, d) >= 0 ? across : clp_negate(across));
  }
  if (a->freedoms == 1 || b->freedoms == 1)
    return clp_unit(square(d, a->freedoms == 1 ? a->t[0] : b->t[0]));
  return clp_unit(d);
}

/* A direction far outside of a cone is not looked at any closer: zero, an element of all cones, is
 * then what it is compared with. Both are bounds, and no other is. */
static bool is_bound_of(const places *s, double most, double off_a, double off_b, double lower)
{
  const double far = -CLP_FAR_OUTSIDE;
  for (int k = 0; k < 4; ++k) {
    double a = (k & 1) && off_a > far ? 1 : off_a, b = (k & 2) && off_b > far ? 1 : off_b;
    if (fabs(most - 2 * (s->a->body->radius * a + s->b->body->radius * b) - lower) < SAME)
      return true;
  }
  return false;
}

/* Every kind of feature on both sides. */
TEST(intervals_of_any_places)
{
  solid solids[SOLIDS];
  random_state g = {34};
  int isolated = 0, counted = 0;
  make_solids(solids);
  for (int k = 0; k < 12000; ++k) {
    places s = any_places(&g, solids, k % (SOLIDS * SOLIDS));
    clp_stride stride = stride_of(&s);
    clp_vec3 n = direction_of(&s), n_B = clp_negate(clp_rotate_back(s.couple.X_AB.rotation, n));
    double depth_a, depth_b, off_a = miss(s.a, s.p, n, &depth_a),
                             off_b = miss(s.b, s.q, n_B, &depth_b);
    bool faces = s.jets.a.freedoms == 2 && s.jets.b.freedoms == 2;
    if (s.jets.a.freedoms == 2)
      off_a = stride.feet.off_a;
    else if (s.jets.b.freedoms == 2)
      off_b = stride.feet.off_b;
    if (faces) /* then it is the other's normal, not its ray, that n is compared with */
      off_b = clp_norm(clp_add(n, s.jets.b.normal)) + stride.feet.off_b;
    clp_interval i = clp_certify_stride(&s.couple, &stride);
    double along = clp_dot(n, s.jets.d), size = s.couple.size;
    double rounding = ROUNDING * (5 * size + clp_norm(s.jets.d));
    ck_assert_double_le(clp_distance(i.normal, n), 1e-14);
    ck_assert_double_eq_tol(i.distance, clp_norm(s.jets.d), 1e-14);
    ck_assert(is_bound_of(&s, along - rounding - s.couple.slack, off_a, off_b, i.lower));
    ck_assert_double_le(i.lower, gap_along(s.a, s.b, &s.couple.X_AB, i.normal) + 1e-15);
    double beside = clp_norm2(clp_cross(n, s.jets.d));
    if (fabs(along) > 1e-12)
      ck_assert(along < 0 ? i.sideways2 == HUGE_VAL : fabs(i.sideways2 - beside) < SAME);
    double depth = fmin(s.jets.a.freedoms == 2 ? 1 : depth_a, s.jets.b.freedoms == 2 ? 1 : depth_b);
    if (fabs(depth - 1e-6) < 1e-7)
      continue;
    ck_assert(i.isolated == (depth > 1e-6));
    isolated += i.isolated;
    ++counted;
  }
  ck_assert(isolated > counted / 20 && isolated < counted * 19 / 20);
  free_solids(solids);
}

static clp_spot edge_along(const clp_body *body, clp_vec3 near)
{
  clp_spot best = {0};
  double least = HUGE_VAL;
  for (uint32_t id = 0; id < body->edge_count; ++id) {
    clp_spot spot = clp_spot_sample(body, CLP_EDGE, id, 0.5, 0);
    double far = clp_distance(clp_spot_point(body, spot), near);
    if (far < least) {
      least = far;
      best = spot;
    }
  }
  return best;
}

/* Two edges that nearly lie in one plane have no common normal to rely on: what they say of each
 * other turns by 90 degrees with their last digits. */
TEST(edges_that_hardly_cross)
{
  static const double angles[] = {0, 1e-9, 0.9e-3, 1.1e-3, 1e-2, 0.5};
  solid box = make_box(1, 1, 1);
  for (int k = 0; k < 6; ++k) {
    /* A's edge along z at (0.5, 0.5); B's edge along about z, turned about the line between. */
    clp_vec3 between = clp_unit((clp_vec3){1, 1, 0});
    clp_pose X = {clp_rotation_about(between, angles[k]), clp_scale(2, between)};
    places s = {.a = &box, .b = &box, .couple = couple_at(box.body, box.body, &X)};
    s.spots.a = edge_along(box.body, (clp_vec3){0.5, 0.5, 0});
    s.spots.b = edge_along(box.body, (clp_vec3){-0.5, -0.5, 0});
    s.spots.a.site = clp_spot_sample(box.body, CLP_EDGE, s.spots.a.id, 0.5 + 1e-5, 0).site;
    s.spots.b.site = clp_spot_sample(box.body, CLP_EDGE, s.spots.b.id, 0.51, 0).site;
    look(&s);
    clp_stride stride = stride_of(&s);
    clp_interval i = clp_certify_features(&s.couple, &stride);
    clp_vec3 n = square(s.jets.d, s.jets.a.t[0]);
    if (angles[k] > 1e-3)
      n = clp_cross(s.jets.a.t[0], s.jets.b.t[0]);
    n = clp_scale(clp_dot(n, s.jets.d) >= 0 ? 1 : -1, clp_unit(n));
    ck_assert_double_le(clp_distance(i.normal, n), 1e-12);
    ck_assert_double_le(clp_distance(i.normal, between), 1e-4);
    ck_assert(i.isolated);
  }
  clp_body_destroy(box.body);
}

/* Planar bodies' curves are all in one plane: n is square to A's. */
TEST(curves_in_a_plane)
{
  const double points[4][6] = {
      {-1, -1, 1, 1, -1, 1}, {1, -1, 1, 1, 1, 1}, {1, 1, 1, -1, 1, 1}, {-1, 1, 1, -1, -1, 1}};
  static const char *const names[] = {"a", "b", "c", "d"};
  clp_curve_def curves[4];
  for (int k = 0; k < 4; ++k)
    curves[k] = (clp_curve_def){names[k], 1, 2, NULL, points[k]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = 4;
  clp_body *body = must_create(&def);
  clp_pose X = {clp_rotation_about((clp_vec3){0, 0, 1}, 0.3), {4, 0, 0}};
  clp_couple couple = couple_at(body, body, &X);
  clp_spots spots = {edge_along(body, (clp_vec3){1, 0, 0}), edge_along(body, (clp_vec3){-1, 0, 0})};
  clp_couple_jets jets = clp_couple_jets_at(body, spots.a, body, spots.b, &X);
  clp_stride stride = {.spots = spots, .feet = {.f = jets.a.p, .h = jets.b.p}};
  clp_interval i = clp_certify_features(&couple, &stride);
  ck_assert_double_le(clp_distance(i.normal, (clp_vec3){1, 0, 0}), 1e-14);
  double off_b =
      clp_distance((clp_vec3){1, 0, 0}, clp_scale(cos(0.3), (clp_vec3){cos(0.3), sin(0.3), 0}));
  ck_assert_double_eq_tol(i.lower, jets.d.x - 2 * body->radius * off_b - couple.slack, 1e-12);
  clp_body_destroy(body);
}
