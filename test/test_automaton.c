/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/automaton.h"

#include "rclc_closest_point/surface/walk.h"
#include "support/bodies.h"
#include "support/suite.h"

/* From feature to feature at one point. Of boxes, cylinders and capsules it is known which feature
 * a direction leads to; what is here of them is counted out from coordinates. */

#define CLEAR 1e-6 /* nearer to a tie than this a direction says nothing */

static const clp_vec3 half = {0.5, 0.4, 0.3};

static double at(clp_vec3 v, int axis)
{
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static clp_body *make(clp_shape shape)
{
  clp_body_def def = clp_default_body_def(shape);
  def.size = clp_scale(2, half);
  def.radius = 0.5;
  def.length = 1;
  return must_create(&def);
}

static void expect_same_place(const clp_body *body, clp_spot spot, clp_spot next)
{
  ck_assert(clp_spot_valid(body, next));
  ck_assert_double_le(clp_distance(clp_spot_point(body, spot), clp_spot_point(body, next)), 1e-12);
}

/* ---- Boxes -------------------------------------------------------------------------------- */

/* A feature of a box: per axis on which side it is, 0 where it extends over both. */
typedef struct box_feature {
  int side[3];
} box_feature;

/* What the places that all of a feature shares have in common. */
static box_feature feature_of(const clp_body *body, clp_spot spot)
{
  box_feature f = {{1, 1, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int k = 0; k < 25; ++k) {
      clp_spot place = clp_spot_sample(body, spot.kind, spot.id, 0.25 * (k % 5), 0.25 * (k / 5));
      double c = at(clp_spot_point(body, place), axis) / at(half, axis);
      lo = fmin(lo, c);
      hi = fmax(hi, c);
    }
    f.side[axis] = hi - lo > 0.1 ? 0 : lo > 0 ? 1 : -1;
  }
  return f;
}

static bool is_feature(const clp_body *body, clp_spot spot, const box_feature *f)
{
  box_feature is = feature_of(body, spot);
  return memcmp(&is, f, sizeof is) == 0;
}

/* How much d gains by the change: from a face or an edge outwards by what leads beyond its end,
 * from an edge or a vertex inwards by what leads along the axis that becomes free. Outwards goes
 * first from edges, and nothing else from faces. */
static double best_change(const box_feature *f, clp_vec3 p, clp_vec3 d, box_feature *next,
                          double *second)
{
  double best = 0;
  int free_count = (f->side[0] == 0) + (f->side[1] == 0) + (f->side[2] == 0);
  *second = 0;
  for (int outwards = 1; outwards >= 0 && best == 0; --outwards) {
    for (int axis = 0; axis < 3; ++axis) {
      double c = at(p, axis) / at(half, axis), along = at(d, axis) * (c > 0 ? 1 : -1);
      bool possible = outwards ? f->side[axis] == 0 && fabs(fabs(c) - 1) < 1e-12
                               : f->side[axis] != 0 && free_count < 2;
      double gain = possible ? (outwards ? along : -along) : 0;
      *second = gain > best ? best : fmax(*second, gain);
      if (gain <= best)
        continue;
      best = gain;
      *next = *f;
      next->side[axis] = outwards ? (c > 0 ? 1 : -1) : 0;
    }
  }
  return best;
}

/* Somewhere on a feature, often on its bounds. */
static clp_spot any_spot(random_state *g, const clp_body *body)
{
  static const double places[] = {0, 1, 0.5};
  uint64_t bits = random_bits(g);
  uint32_t counts[3] = {body->face_count, body->edge_count, body->vertex_count};
  clp_feature_kind kind = (clp_feature_kind)(bits % 3);
  return clp_spot_sample(body, kind, (uint32_t)(bits >> 8) % counts[kind], places[(bits >> 40) % 3],
                         places[(bits >> 48) % 3]);
}

/* Directions of all kinds: some along the axes, some of their components far smaller. */
static clp_vec3 any_direction(random_state *g)
{
  clp_vec3 d = random_direction(g);
  uint64_t bits = random_bits(g);
  double *c[3] = {&d.x, &d.y, &d.z};
  for (int k = 0; k < 3; ++k)
    *c[k] *= (bits >> (8 * k)) % 4 == 0 ? 0 : (bits >> (8 * k)) % 4 == 1 ? 1e-3 : 1;
  return clp_norm(d) > 0 ? clp_unit(d) : (clp_vec3){0, 0, 1};
}

SUITE("automaton");

TEST_CASE("automaton", 10);

TEST(boxes)
{
  clp_body *body = make(CLP_SHAPE_BOX);
  random_state g = {5};
  int changes[3] = {0}, stays[3] = {0};
  for (int k = 0; k < 20000; ++k) {
    clp_spot spot = any_spot(&g, body), next = {0};
    clp_vec3 d = any_direction(&g);
    box_feature f = feature_of(body, spot), expected;
    double second, gain = best_change(&f, clp_spot_point(body, spot), d, &expected, &second);
    if (fabs(gain - second) < CLEAR && gain > 0)
      continue;
    bool changed = clp_transition(body, spot, d, &next);
    ck_assert_msg(changed == (gain > 0), "gain %g at %d", gain, spot.kind);
    ++*(changed ? &changes[spot.kind] : &stays[spot.kind]);
    if (!changed)
      continue;
    ck_assert(is_feature(body, next, &expected));
    expect_same_place(body, spot, next);
  }
  for (int kind = 0; kind < 3; ++kind)
    ck_assert(changes[kind] > 500 && stays[kind] > 500);
  clp_body_destroy(body);
}

/* Components below the release angle count as none, on either side of every test. */
TEST(rounding_toggles_nothing)
{
  static const double beyond[] = {0.5, 0.99, 1.01, 2};
  clp_body *body = make(CLP_SHAPE_BOX);
  for (int k = 0; k < 4; ++k)
    for (uint32_t id = 0; id < body->edge_count; ++id) {
      double e = beyond[k] * CLP_RELEASE_ANGLE;
      bool leaves = beyond[k] > 1;
      clp_spot edge = clp_spot_sample(body, CLP_EDGE, id, 0.5, 0), end, next;
      box_feature f = feature_of(body, edge);
      int along = f.side[0] == 0 ? 0 : f.side[1] == 0 ? 1 : 2, i = (along + 1) % 3;
      double way[3] = {0, 0, 0}, back[3] = {0, 0, 0};
      way[along] = e; /* beyond one end, and back from the other */
      end = clp_spot_sample(body, CLP_EDGE, id, 1, 0);
      if (at(clp_spot_point(body, end), along) < 0)
        end = clp_spot_sample(body, CLP_EDGE, id, 0, 0);
      clp_vec3 d = {way[0], way[1], way[2]};
      ck_assert(clp_transition(body, end, d, &next) == leaves);
      clp_spot vertex = clp_lowest_feature(body, end);
      ck_assert_int_eq(vertex.kind, CLP_VERTEX);
      ck_assert(clp_transition(body, vertex, clp_negate(d), &next) == leaves);
      back[i] = -e * f.side[i]; /* over the face beside the edge, and beyond that face's side */
      clp_vec3 over = {back[0], back[1], back[2]};
      ck_assert(clp_transition(body, edge, over, &next) == leaves);
      ck_assert(clp_transition(body, edge, clp_negate(over), &next) == false);
      way[i] = -(double)f.side[i];
      way[along] = 0;
      ck_assert(clp_transition(body, edge, (clp_vec3){way[0], way[1], way[2]}, &next));
      ck_assert_int_eq(next.kind, CLP_FACE);
      ck_assert(clp_transition(body, next, clp_negate(over), &end) == leaves);
    }
  clp_body_destroy(body);
}

/* An edge's end is one only to the last digits. */
TEST(ends_of_edges)
{
  clp_body *body = make(CLP_SHAPE_BOX);
  for (uint32_t id = 0; id < body->edge_count; ++id)
    for (int end = 0; end < 2; ++end) {
      const clp_edge *edge = &body->edges[id];
      double length = edge->curve.hi - edge->curve.lo;
      clp_vec3 tangent = clp_unit(clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, 0.5)).t);
      clp_vec3 d = end ? tangent : clp_negate(tangent);
      static const double off[] = {0, 0.5, 2, 1e6};
      for (int k = 0; k < 4; ++k) {
        clp_spot spot = clp_spot_on_edge(id, clp_edge_fraction(edge, end)), next;
        spot.site.c[0] += (end ? -1 : 1) * off[k] * CLP_AT_END * length;
        ck_assert(clp_transition(body, spot, d, &next) == (k < 2));
        if (k < 2)
          ck_assert(next.kind == CLP_VERTEX && next.id == edge->vertex[end]);
        clp_spot lowest = clp_lowest_feature(body, spot);
        ck_assert_int_eq(lowest.kind, k < 2 ? CLP_VERTEX : CLP_EDGE);
        ck_assert_uint_eq(lowest.id, k < 2 ? edge->vertex[end] : id);
      }
    }
  clp_body_destroy(body);
}

/* ---- Rims --------------------------------------------------------------------------------- */

/* The face whose normal at its middle has this height: 1 and -1 for caps, 0 for the wall. */
static uint32_t face_facing(const clp_body *body, int up)
{
  for (uint32_t id = 0; id < body->face_count; ++id) {
    clp_spot_jet jet = clp_spot_jet_at(body, clp_spot_sample(body, CLP_FACE, id, 0.3, 0.5));
    if ((up == 0) == (fabs(jet.normal.z) < 0.1) && up * jet.normal.z >= 0)
      return id;
  }
  ck_abort_msg("no such face");
  return 0;
}

/* The place of a face that is nearest the point at this angle and this height. */
static clp_spot rim_spot(const clp_body *body, clp_feature_kind kind, uint32_t id, double angle,
                         double z)
{
  clp_vec3 p = {0.5 * cos(angle), 0.5 * sin(angle), z};
  clp_spot best = {0};
  double least = HUGE_VAL;
  for (int k = 0; k <= 48; ++k)
    for (int end = 0; end < 2; ++end) {
      clp_spot spot = clp_spot_sample(body, kind, id, k / 48.0, end);
      double far = clp_distance(clp_spot_point(body, spot), p);
      if (far < least) {
        least = far;
        best = spot;
      }
    }
  return best;
}

/* Wall and cap own what is over them; the rim owns what is beyond both. Of both that are possible
 * it is the one over which d leads more. */
TEST(rims_of_cylinders)
{
  clp_body *body = make(CLP_SHAPE_CYLINDER);
  random_state g = {8};
  uint32_t wall = face_facing(body, 0);
  int onto_wall = 0, onto_cap = 0;
  for (int k = 0; k < 2000; ++k) {
    int up = k % 2 ? 1 : -1;
    uint32_t cap = face_facing(body, up);
    clp_spot on_wall = rim_spot(body, CLP_FACE, wall, random_between(&g, -3, 3), 0.5 * up), next;
    clp_vec3 p = clp_spot_point(body, on_wall), d = random_direction(&g);
    double outwards = 2 * (p.x * d.x + p.y * d.y), upwards = up * d.z;
    clp_spot on_cap = rim_spot(body, CLP_FACE, cap, atan2(p.y, p.x), p.z);
    p = clp_spot_point(body, on_cap);
    double off_cap = 2 * (p.x * d.x + p.y * d.y);
    ck_assert(clp_transition(body, on_cap, d, &next) == (off_cap > CLP_RELEASE_ANGLE));
    ck_assert(clp_transition(body, on_wall, d, &next) == (upwards > CLP_RELEASE_ANGLE));
    if (upwards <= CLP_RELEASE_ANGLE)
      continue;
    ck_assert_int_eq(next.kind, CLP_EDGE);
    expect_same_place(body, on_wall, next);
    clp_spot rim = next;
    bool over = outwards < 0;
    ck_assert(clp_transition(body, rim, d, &next) == over);
    if (over)
      ck_assert(next.kind == CLP_FACE && next.id == cap);
    d.z = -d.z;
    ck_assert(clp_transition(body, rim, d, &next));
    bool to_wall = upwards > -outwards;
    ck_assert_uint_eq(next.id, to_wall ? wall : cap);
    expect_same_place(body, rim, next);
    *(to_wall ? &onto_wall : &onto_cap) += 1;
    ck_assert_int_eq(clp_lowest_feature(body, on_wall).kind, CLP_EDGE);
    ck_assert_uint_eq(clp_lowest_feature(body, on_wall).id, rim.id);
    ck_assert_int_eq(clp_lowest_feature(body, rim).kind, CLP_EDGE); /* closed: it has no end */
  }
  ck_assert(onto_wall > 100 && onto_cap > 100);
  clp_body_destroy(body);
}

/* A smooth seam owns nothing: from face to face, by direction or where a step has met it. */
TEST(seams_of_capsules)
{
  clp_body *body = make(CLP_SHAPE_CAPSULE);
  random_state g = {9};
  uint32_t wall = face_facing(body, 0);
  for (int k = 0; k < 2000; ++k) {
    int up = k % 2 ? 1 : -1;
    clp_spot on_wall = rim_spot(body, CLP_FACE, wall, random_between(&g, -3, 3), 0.5 * up), next;
    clp_vec3 d = random_direction(&g), p = clp_spot_point(body, on_wall);
    bool leaves = clp_transition(body, on_wall, d, &next);
    ck_assert(leaves == (up * d.z > CLP_RELEASE_ANGLE));
    int side = -1;
    const double beyond[2][2] = {{0, 10}, {0, -10}};
    for (int i = 0; i < 2 && side < 0; ++i)
      if (clp_spot_fraction(body, on_wall, beyond[i], &side) > 1e-9)
        side = -1;
    ck_assert_int_ge(side, 0);
    clp_spot hopped;
    ck_assert(clp_hop(body, on_wall, side, &hopped));
    ck_assert(hopped.kind == CLP_FACE && hopped.id != wall);
    expect_same_place(body, on_wall, hopped);
    ck_assert_double_ge(
        up * clp_spot_point(body, clp_spot_sample(body, CLP_FACE, hopped.id, 0, 0.5)).z, 0.5);
    ck_assert(!clp_hop(body, on_wall, -1, &next));
    ck_assert(!clp_hop(body, clp_lowest_feature(body, on_wall), 0, &next));
    ck_assert_double_le(fabs(hypot(p.x, p.y) - 0.5), 1e-12);
    if (leaves)
      ck_assert(clp_spot_same_feature(&next, &hopped));
    /* And back: from the cap down. */
    ck_assert(clp_transition(body, hopped, (clp_vec3){0, 0, -up}, &next));
    ck_assert(next.kind == CLP_FACE && next.id == wall);
    ck_assert(!clp_transition(body, hopped, (clp_vec3){0, 0, up}, &next));
  }
  clp_body_destroy(body);
}

TEST(no_hops_over_sharp_edges)
{
  clp_body *body = make(CLP_SHAPE_BOX);
  for (uint32_t id = 0; id < body->face_count; ++id)
    for (int side = 0; side < clp_domain_sides(&body->faces[id].domain); ++side) {
      clp_spot next, corner = clp_spot_sample(body, CLP_FACE, id, 0, 0);
      if (clp_walk_on_side(&body->faces[id].domain, corner.site, side))
        ck_assert(!clp_hop(body, corner, side, &next));
    }
  clp_body_destroy(body);
}

/* ---- Tips --------------------------------------------------------------------------------- */

/* From (0, -1) by (1, 0) to (0, 1), turned about z. */
static clp_body *double_cone(void)
{
  const clp_profile_piece pieces[] = {{.kind = CLP_PROFILE_LINE, .r = 1},
                                      {.kind = CLP_PROFILE_LINE, .z = 1}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, -1, pieces, 2};
  return must_create(&def);
}

/* Down the side of the tip d leads where its component along the generator, (c, s, -1) / sqrt 2 at
 * the angle of d, is positive. */
TEST(tips_of_cones)
{
  clp_body *body = double_cone();
  random_state g = {10};
  int left = 0, stayed = 0;
  for (int k = 0; k < 4000; ++k) {
    clp_vec3 d = random_direction(&g);
    for (uint32_t id = 0; id < body->vertex_count; ++id) {
      double up = body->vertices[id].place.z;
      double along = (hypot(d.x, d.y) - up * d.z) / sqrt(2);
      clp_spot next, back, tip = clp_spot_on_vertex(id);
      if (fabs(along) < CLEAR)
        continue;
      bool leaves = clp_transition(body, tip, d, &next);
      ck_assert(leaves == (along > 0));
      *(leaves ? &left : &stayed) += 1;
      if (!leaves)
        continue;
      ck_assert_int_eq(next.kind, CLP_FACE);
      expect_same_place(body, tip, next);
      ck_assert_double_ge(next.site.c[0] * d.x + next.site.c[1] * d.y, 0.999999 * hypot(d.x, d.y));
      ck_assert(!clp_transition(body, next, d, &back)); /* it is left for good, unless d turns */
      ck_assert(clp_transition(body, next, (clp_vec3){0, 0, up}, &back));
      ck_assert(back.kind == CLP_VERTEX && back.id == id);
      clp_spot lowest = clp_lowest_feature(body, next);
      ck_assert(lowest.kind == CLP_VERTEX && lowest.id == id);
    }
  }
  ck_assert(left > 1000 && stayed > 500);
  clp_body_destroy(body);
}

/* At a tip the face is kept only for what leads down it, and be it by a little. */
TEST(square_to_a_generator)
{
  static const double down[] = {-2, -0.5, 0.5, 2};
  clp_body *body = double_cone();
  for (uint32_t id = 0; id < body->vertex_count; ++id) {
    double up = body->vertices[id].place.z;
    clp_vec3 along = clp_unit((clp_vec3){0.6, 0.8, -up}), out = clp_unit((clp_vec3){0.6, 0.8, up});
    clp_spot face, next;
    ck_assert(clp_transition(body, clp_spot_on_vertex(id), along, &face));
    for (int k = 0; k < 4; ++k) {
      clp_vec3 d = clp_add_scaled(out, down[k] * CLP_RELEASE_ANGLE, along);
      ck_assert(clp_transition(body, face, d, &next) == (k < 3));
      ck_assert(clp_transition(body, clp_spot_on_vertex(id), d, &next) == (k == 3));
    }
  }
  clp_body_destroy(body);
}

/* ---- Curves that go on -------------------------------------------------------------------- */

/* A disc of four quarter circles, and one with a corner at (1, 1) instead of the first of them. */
static clp_body *disc(bool with_corner)
{
  const double w = sqrt(0.5);
  const double x[] = {1, 1, 0, -1, -1, -1, 0, 1}, y[] = {0, 1, 1, 1, 0, -1, -1, -1};
  double points[5][9];
  clp_curve_def curves[5] = {{0}};
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  int count = 0;
  for (int k = 0; k < 4; ++k) {
    int i = 2 * k, j = (2 * k + 2) % 8;
    bool cut = with_corner && k == 0;
    const double arc[9] = {x[i], y[i], 1, x[i + 1], y[i + 1], w, x[j], y[j], 1};
    const double up[6] = {1, 0, 1, 1, 1, 1}, left[6] = {1, 1, 1, 0, 1, 1};
    memcpy(points[count], cut ? up : arc, cut ? sizeof up : sizeof arc);
    curves[count] = (clp_curve_def){names[count], cut ? 1 : 2, cut ? 2 : 3, NULL, points[count]};
    if (++count && cut) {
      memcpy(points[count], left, sizeof left);
      curves[count] = (clp_curve_def){names[count], 1, 2, NULL, points[count]};
      ++count;
    }
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = count;
  return must_create(&def);
}

/* Where a curve goes on without a corner the next one follows at once; at a corner the vertex. */
TEST(curves_go_on)
{
  for (int with_corner = 0; with_corner < 2; ++with_corner) {
    clp_body *body = disc(with_corner);
    for (uint32_t id = 0; id < body->edge_count; ++id)
      for (int end = 0; end < 2; ++end) {
        const clp_edge *edge = &body->edges[id];
        clp_spot spot = clp_spot_on_edge(id, clp_edge_fraction(edge, end)), next;
        clp_curve_jet jet = clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, end));
        clp_vec3 d = clp_scale(end ? 1 : -1, clp_unit(jet.t));
        ck_assert(!clp_transition(body, spot, clp_negate(d), &next));
        ck_assert(clp_transition(body, spot, d, &next));
        expect_same_place(body, spot, next);
        bool corner = with_corner && clp_distance(jet.p, (clp_vec3){1, 1, 0}) < 1e-9;
        ck_assert_msg((next.kind == CLP_VERTEX) == corner, "at %g %g", jet.p.x, jet.p.y);
        if (!corner)
          ck_assert_uint_ne(next.id, id);
        clp_spot back;
        if (corner) /* and from there back */
          ck_assert(clp_transition(body, next, clp_negate(d), &back) && back.kind == CLP_EDGE &&
                    back.id == id);
        else
          ck_assert(!clp_transition(body, next, d, &back));
      }
    clp_body_destroy(body);
  }
}

/* Onto an edge that owns nothing means into a face of it: down the wall of a cylinder of four. */
TEST(vertices_of_smooth_edges)
{
  clp_body *body = bodies_make(0);
  int entered = 0;
  for (uint32_t id = 0; id < body->vertex_count; ++id) {
    clp_vec3 p = body->vertices[id].place;
    clp_spot next, vertex = clp_spot_on_vertex(id);
    ck_assert(clp_transition(body, vertex, (clp_vec3){0, 0, p.z > 0 ? -1 : 1}, &next));
    expect_same_place(body, vertex, next);
    ck_assert_int_eq(next.kind, CLP_FACE);
    ck_assert_double_le(fabs(clp_spot_jet_at(body, next).normal.z), 1e-9);
    ck_assert(!clp_transition(body, vertex, clp_unit((clp_vec3){p.x, p.y, p.z}), &next));
    ++entered;
  }
  ck_assert_int_ge(entered, 4);
  clp_body_destroy(body);
}
