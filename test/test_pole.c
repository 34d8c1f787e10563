/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/pole.h"

#include "rclc_closest_point/witness/normal_cone.h"
#include "support/pointed.h"
#include "support/suite.h"

/* Tips of bodies of revolution, at all angles about the axis: where they are left, and their cones
 * of normals, are those of a circular cone. */

/* A tip upwards, whose flanks start at an angle to the axis. */
typedef struct tip {
  const char *name;
  double sine, cosine; /* of that angle */
} tip;

enum { TIPS = 3 };
static const tip tips[TIPS] = {{"cone", 0, 0},
                               {"spindle", 0.8, 0.6}, /* square to the arc's radius (0.75, 1) */
                               {"cone of splines", 0, 0}};

static const figure *figure_named(const char *name)
{
  for (int k = 0; k < FIGURES; ++k)
    if (strcmp(figures[k].name, name) == 0)
      return &figures[k];
  ck_abort_msg("no figure '%s'", name);
  return NULL;
}

/* That of a straight flank is its profile's. */
static tip tip_of(const figure *f, const tip *known)
{
  if (known->cosine > 0)
    return *known;
  const clp_profile_piece *rim = &f->pieces[0], *end = &f->pieces[1];
  double length = hypot(rim->r, end->z - rim->z);
  return (tip){known->name, rim->r / length, (end->z - rim->z) / length};
}

static uint32_t highest_vertex(const clp_body *body)
{
  uint32_t best = 0;
  for (uint32_t k = 1; k < body->vertex_count; ++k)
    if (body->vertices[k].place.z > body->vertices[best].place.z)
      best = k;
  return best;
}

/* Near the seam, where angles start and end, more often than elsewhere. */
static clp_vec3 some_direction(random_state *g)
{
  clp_vec3 n = figure_direction(g);
  double off = pow(10, random_between(g, -16, 0)), across = hypot(n.x, n.y);
  if (random_bits(g) % 4 == 0)
    n = clp_unit((clp_vec3){-across, random_bits(g) % 2 ? off : -off, n.z});
  return n;
}

/* The direction down the flank that d is nearest to has d's own angle about the axis. */
static void expect_way_down(const clp_body *body, const clp_vertex *v, const tip *t, clp_vec3 d)
{
  double best = -HUGE_VAL, truth = t->sine * hypot(d.x, d.y) - t->cosine * d.z;
  for (uint32_t k = 0; k < v->corner_count; ++k) {
    const clp_corner *corner = &body->corners[v->first_corner + k];
    clp_site site;
    if (corner->side >= 0)
      best = fmax(best, clp_pole_direction(body, corner, d, &site));
  }
  ck_assert_msg(fabs(best - truth) <= 1e-12, "%s, (%.17g %.17g %.17g): %.17g instead of %.17g",
                t->name, d.x, d.y, d.z, best, truth);
}

/* The normals are within a right angle less the flank's from the axis. */
static void expect_cone(const clp_body *body, uint32_t vertex, const tip *t, clp_vec3 n)
{
  clp_spot spot = clp_spot_on_vertex(vertex);
  clp_spot_jet jet = clp_spot_jet_at(body, spot);
  double off = clp_normal_cone_miss(body, spot, &jet, n);
  double beyond = atan2(hypot(n.x, n.y), n.z) - atan2(t->cosine, t->sine);
  double truth = beyond <= 0 ? 0 : beyond < 1.5707963267948966 ? sin(beyond) : 1;
  ck_assert_msg(fabs(off - truth) <= 1e-10, "%s, (%.17g %.17g %.17g): off by %.17g, not %.17g",
                t->name, n.x, n.y, n.z, off, truth);
}

SUITE("pole");

TEST_CASE("pole", 20);

LOOP_TEST(tips_are_round, 0, TIPS)
{
  random_state g = {.s = 5};
  const figure *f = figure_named(tips[_i].name);
  tip t = tip_of(f, &tips[_i]);
  clp_body *body = figure_create(f);
  uint32_t top = highest_vertex(body);
  for (int k = 0; k < 10000; ++k) {
    clp_vec3 n = some_direction(&g);
    expect_way_down(body, &body->vertices[top], &t, n);
    expect_cone(body, top, &t, n);
  }
  clp_body_destroy(body);
}

/* ---- Poles of arcs ------------------------------------------------------------------------ */

TEST_CASE("arcs", 20);

/* Next to an arc's ends r may be rounding, and negative; the normal looks outwards all the same. */
TEST(arcs_look_outwards_at_their_poles)
{
  const clp_profile_piece arc = {.kind = CLP_PROFILE_ARC, .z = 1, .center_r = -0.01};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){.start_z = -1, .pieces = &arc, .piece_count = 1};
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){NULL, NULL}, &body), CLP_OK);
  const clp_domain *domain = &body->faces[0].domain;
  for (int k = -40; k <= 40; ++k) {
    double off = k == 0 ? 0 : copysign(pow(10, -abs(k) / 2.0), k);
    for (int end = 0; end < 2; ++end) {
      double t = end ? domain->hi[1] + off : domain->lo[1] - off;
      clp_spot_jet jet = clp_spot_jet_at(body, clp_spot_on_face(0, (clp_site){{0.6, 0.8, t}}));
      clp_vec3 arm = clp_add(jet.p, clp_scale(0.01, (clp_vec3){0.6, 0.8, 0}));
      ck_assert_double_ge(clp_dot(jet.normal, clp_unit(arm)), 1 - 1e-12);
    }
  }
  clp_body_destroy(body);
}

/* Inside, 0.95 below the pole. */
TEST(points_within_arcs_are_not_apart)
{
  const clp_profile_piece arc = {.kind = CLP_PROFILE_ARC, .z = 1, .center_r = -0.01};
  const clp_pose I = clp_pose_identity();
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){.start_z = -1, .pieces = &arc, .piece_count = 1};
  clp_body_def at = clp_default_body_def(CLP_SHAPE_POINT);
  at.size.z = 0.05;
  clp_body *body = NULL, *point = NULL;
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){NULL, NULL}, &body), CLP_OK);
  ck_assert_int_eq(clp_body_create(&at, (clp_reporter){NULL, NULL}, &point), CLP_OK);
  ck_assert_int_eq(clp_pair_create(body, point, NULL, &pair), CLP_OK);
  clp_answer answer = clp_pair_query(pair, &I, &I);
  ck_assert_int_eq(answer.status, CLP_PENETRATING);
  ck_assert_double_le(answer.lower_bound, 0);
  clp_pair_destroy(pair);
  clp_body_destroy(point);
  clp_body_destroy(body);
}
