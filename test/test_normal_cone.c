/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/normal_cone.h"

#include "support/amount.h"
#include "support/facets.h"
#include "support/random.h"
#include "support/suite.h"

/* Cones of normals: the nearest element, and how deep inside a direction is. */

static const clp_vec3 octant[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

SUITE("normal cone");

TEST_CASE("normal cone", 10);

/* Next to a wall of the cone it is rounding that tells inside from outside: neither is deep. */
TEST(walls_are_not_inside)
{
  static const double beside[] = {1e-18, 0, -1e-18, -1e-12};
  for (int k = 0; k < 4; ++k)
    for (int axis = 0; axis < 3; ++axis) {
      double c[3] = {0.8, 0.8, 0.8};
      c[axis] = beside[k];
      c[(axis + 1) % 3] = 0.6;
      clp_cone_normal cone = clp_cone_nearest(octant, 3, (clp_vec3){c[0], c[1], c[2]});
      ck_assert_msg(cone.depth <= 1e-15, "axis %d, %g beside: depth %g", axis, beside[k],
                    cone.depth);
      ck_assert_double_le(clp_distance(cone.nearest, (clp_vec3){c[0], c[1], c[2]}), 1e-11);
    }
}

TEST(insides_are)
{
  clp_vec3 middle = clp_unit((clp_vec3){1, 1, 1});
  ck_assert_double_eq_tol(clp_cone_nearest(octant, 3, middle).depth, sqrt(1.0 / 3), 1e-15);
  clp_vec3 between = {sqrt(0.5), sqrt(0.5), 0}; /* two span a plane, and the depth is in that */
  ck_assert_double_eq_tol(clp_cone_nearest(octant, 2, between).depth, sqrt(0.5), 1e-15);
}

/* Of the octant the nearest element is known: no negative coordinates. */
TEST(nearest_in_the_octant)
{
  random_state g = {11};
  for (int k = 0; k < 10000; ++k) {
    clp_vec3 n = random_direction(&g);
    clp_vec3 expected = {fmax(0, n.x), fmax(0, n.y), fmax(0, n.z)};
    clp_cone_normal cone = clp_cone_nearest(octant, 3, n);
    bool inside = n.x >= 0 && n.y >= 0 && n.z >= 0;
    ck_assert_double_le(clp_distance(cone.nearest, expected), 1e-15);
    ck_assert_double_eq_tol(cone.depth, inside ? fmin(n.x, fmin(n.y, n.z)) : 0, 1e-15);
  }
}

/* ---- Rims --------------------------------------------------------------------------------- */

/* A frustum's edges are rims; their normals, made from the two faces' own, in the frame of space
 * and not in the meridian's. */
static clp_body *make_frustum(void)
{
  static const clp_profile_piece wall[3] = {{.kind = CLP_PROFILE_LINE, .r = 0.5, .z = -0.4},
                                            {.kind = CLP_PROFILE_LINE, .r = 0.2, .z = 0.3},
                                            {.kind = CLP_PROFILE_LINE, .r = 0, .z = 0.3}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, -0.4, wall, 3};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_OK);
  return body;
}

static clp_vec3 normal_beside(const clp_body *body, const clp_edge *edge, int which,
                              clp_curve_site site)
{
  const clp_use *use = &body->uses[edge->use[which]];
  const clp_face *face = &body->faces[use->face];
  return clp_surface_normal(&face->surface, &face->domain,
                            clp_edge_face_site(edge, which, use, face, site));
}

TEST(rims_are_wedges_all_round)
{
  clp_body *body = make_frustum();
  random_state g = {12};
  int rims = 0, within = 0;
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    const clp_edge *edge = &body->edges[k];
    rims += edge->wedge.turned;
    for (int n = 0; n < 2000 && edge->wedge.turned; ++n) {
      double angle = random_between(&g, -3, 3);
      clp_curve_site at = {{cos(angle), sin(angle)}};
      clp_spot spot = clp_spot_on_edge(k, at);
      clp_vec3 two[2] = {normal_beside(body, edge, 0, at), normal_beside(body, edge, 1, at)};
      double part = random_between(&g, 0.01, 0.99);
      clp_vec3 middle = clp_unit(clp_lerp(two[0], two[1], part));
      clp_vec3 direction = clp_unit(clp_add_scaled(middle, 0.02, random_direction(&g)));
      clp_cone_normal expected = clp_cone_nearest(two, 2, direction);
      clp_cone_normal found = clp_normal_cone_beside(body, spot, (clp_vec3){0, 0, 0}, direction);
      clp_cone_margin margin;
      ck_assert_double_le(clp_distance(found.nearest, expected.nearest), 1e-14);
      if (!(expected.depth > 0))
        continue;
      ++within;
      ck_assert(clp_cone_margin_usual(body, &spot, direction, &margin));
      ck_assert_double_eq_tol(margin.depth, expected.depth, 1e-14);
      ck_assert_double_eq_tol(margin.off, clp_distance(direction, expected.nearest), 1e-14);
    }
  }
  ck_assert_int_eq(rims, 2);
  ck_assert_int_gt(within, 1000);
  clp_body_destroy(body);
}

/* Far outside no more is said than what zero, an element of every cone, proves. */
TEST(far_outside_is_not_looked_at)
{
  clp_body *body = make_frustum();
  clp_cone_margin margin;
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    clp_spot spot = clp_spot_on_edge(k, (clp_curve_site){{1, 0}});
    if (!body->edges[k].wedge.turned)
      continue;
    ck_assert(clp_cone_margin_usual(body, &spot, (clp_vec3){-1, 0, 0}, &margin));
    ck_assert_double_ge(margin.off, 1);
    ck_assert_double_lt(margin.depth, 0);
  }
  clp_body_destroy(body);
}

/* ---- Tips where many faces meet ----------------------------------------------------------- */

static const clp_vertex *tip_of(const clp_body *body)
{
  const clp_vertex *tip = body->vertices;
  for (uint32_t k = 1; k < body->vertex_count; ++k)
    if (body->vertices[k].corner_count > tip->corner_count)
      tip = body->vertices + k;
  return tip;
}

static clp_vec3 face_normal(const clp_body *body, const clp_vertex *tip, uint64_t k)
{
  return body->faces[body->corners[tip->first_corner + k % tip->corner_count].face].normal;
}

/* At random, next to a face's normal, next to what is between two, and between four. */
static clp_vec3 beside_a_tip(random_state *g, const clp_body *body, const clp_vertex *tip, int kind)
{
  clp_vec3 n = random_direction(g), sum = {0, 0, 0};
  double off = kind == 3 ? 0 : pow(10, random_between(g, -14, 0));
  for (int k = 0; k < kind + (kind == 3); ++k)
    sum = clp_add_scaled(sum, random_between(g, 0.1, 1), face_normal(body, tip, random_bits(g)));
  return kind == 0 ? n : clp_unit(clp_add_scaled(sum, off, n));
}

/* Along every edge from the tip: what is normal there leads along none. */
static double most_along_edges(const clp_body *body, const clp_vertex *tip, clp_vec3 d)
{
  double most = -HUGE_VAL;
  for (uint32_t k = 0; k < tip->end_count; ++k) {
    const clp_edge *edge = &body->edges[body->ends[tip->first_end + k].edge];
    const clp_vertex *other = body->vertices + edge->vertex[0];
    other = other == tip ? body->vertices + edge->vertex[1] : other;
    most = fmax(most, clp_dot(d, clp_unit(clp_sub(other->place, tip->place))));
  }
  return most;
}

static double most_along_normals(const clp_body *body, const clp_vertex *tip, clp_vec3 d)
{
  double most = -HUGE_VAL;
  for (uint32_t k = 0; k < tip->corner_count; ++k)
    most = fmax(most, clp_dot(d, face_normal(body, tip, k)));
  return most;
}

static const int sides_of_tips[] = {12, 21, 22, 24, 30, 60, 400, 3000};

/* The nearest element of a convex cone is the one in it from which what is left leads along none,
 * and which is square to what is left. */
LOOP_TEST(nearest_where_many_faces_meet, 0, 2 * (int)(sizeof sides_of_tips / sizeof(int)))
{
  int sides = sides_of_tips[_i / 2], inside = 0, count = amount_of(4000);
  double rounding = 1e-17 * sides + 1e-14; /* normals come of edges that are as short */
  clp_body *body = _i % 2 ? make_globe(3, sides, 0.05) : make_bipyramid(sides);
  const clp_vertex *tip = tip_of(body);
  clp_spot spot = clp_spot_on_vertex((uint32_t)(tip - body->vertices));
  random_state g = {13};
  ck_assert_int_eq((int)tip->corner_count, sides);
  for (int k = 0; k < count; ++k) {
    clp_vec3 n = beside_a_tip(&g, body, tip, k % 4);
    clp_cone_normal cone = clp_normal_cone_beside(body, spot, (clp_vec3){0, 0, 0}, n);
    clp_vec3 left = clp_sub(n, cone.nearest);
    ck_assert_double_le(most_along_edges(body, tip, cone.nearest), rounding);
    ck_assert_double_le(most_along_normals(body, tip, left), 1e-14);
    ck_assert_double_le(fabs(clp_dot(left, cone.nearest)), 1e-14);
    inside += cone.depth > 0;
    if (!(cone.depth > 1e-9))
      continue;
    /* as far as it is inside, one can turn n without leaving the cone */
    clp_vec3 aside = random_direction(&g);
    aside = clp_unit(clp_add_scaled(aside, -clp_dot(aside, n), n));
    double turn = 0.999 * asin(fmin(1, cone.depth));
    clp_vec3 turned = clp_add_scaled(clp_scale(cos(turn), n), sin(turn), aside);
    ck_assert_double_le(most_along_edges(body, tip, turned), 1e-12);
  }
  ck_assert_int_gt(inside, count / 8);
  clp_body_destroy(body);
}
