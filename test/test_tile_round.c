/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/mesh/tile.h"
#include "rclc_closest_point/pair/pair.h"
#include "support/amount.h"
#include "support/lines.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/scratch.h"
#include "support/suite.h"

/* Meshes of the tests' own making become hulls that a ball sweeps. Whether these contain the
 * meshes, and how their normals turn, is asked of the pairs of their parts and a probe. */

static made_mesh made;

static const char urdf[] =
    "<robot name='r'><link name='a'><collision name='shell'><geometry><mesh filename='a.stl'/>"
    "</geometry></collision></link></robot>\n";

static clp_model *tile_made(clp_tile_wish wish, clp_tiled *tiled)
{
  lines l = {0};
  clp_model *model = NULL;
  enter_folder();
  made_round(&made);
  made_write_binary(&made, "a.stl");
  FILE *file = fopen("robot.urdf", "w");
  ck_assert_ptr_nonnull(file);
  fputs(urdf, file);
  fclose(file);
  clp_status status = clp_tile("robot.urdf", wish, lines_sink(&l), tiled);
  leave_folder();
  ck_assert_msg(status == CLP_OK && l.defects == 0 && tiled->failures == 0, "%s", l.text);
  ck_assert(tiled->links[0].contained);
  ck_assert_int_eq(clp_model_parse(tiled->text, tiled->length, "tiled", lines_sink(&l), &model),
                   CLP_OK);
  return model;
}

/* ---- Probes ------------------------------------------------------------------------------- */

enum { MOST_PARTS = 32 };

typedef struct probing {
  clp_pair *pairs[MOST_PARTS]; /* of the parts and the probe */
  int count;
} probing;

static clp_body *probe;

static void begin_probing(probing *p, const clp_model *model)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){NULL, NULL}, &probe), CLP_OK);
  p->count = clp_model_part_count(model, 0);
  for (int k = 0; k < p->count; ++k)
    ck_assert_int_eq(clp_pair_create(clp_model_part(model, 0, k).body, probe, NULL, &p->pairs[k]),
                     CLP_OK);
}

static void end_probing(probing *p)
{
  for (int k = 0; k < p->count; ++k)
    clp_pair_destroy(p->pairs[k]);
  clp_body_destroy(probe);
}

static clp_answer ask(const probing *p, int part, clp_vec3 place)
{
  const clp_pose X_WA = clp_pose_identity(), X_WB = {X_WA.rotation, place};
  return clp_pair_query(p->pairs[part], &X_WA, &X_WB);
}

static double nearest(const probing *p, clp_vec3 place)
{
  double least = HUGE_VAL;
  for (int k = 0; k < p->count; ++k)
    least = fmin(least, ask(p, k, place).distance);
  return least;
}

/* The farthest outside of the swept hulls, of random points of the surface and of its corners. */
static double worst_of_surface(const probing *p, int points)
{
  random_state g = {5};
  double worst = -HUGE_VAL;
  for (int k = 0; k < points; ++k) {
    const clp_vec3 *c = made.corners + 3 * (random_bits(&g) % made.count);
    double u = random_between(&g, 0, 1), v = random_between(&g, 0, 1) * (1 - u);
    if (k % 3 == 0)
      u = v = 0;
    clp_vec3 place =
        clp_add_scaled(clp_add_scaled(c[0], u, clp_sub(c[1], c[0])), v, clp_sub(c[2], c[0]));
    worst = fmax(worst, nearest(p, place));
  }
  return worst;
}

/* ---- Containment and gap ------------------------------------------------------------------ */

SUITE("tile_round");

TEST_CASE("rounded", 60);

/* The rounded body's planes are R (1 - 1/sqrt(3)) outside of a box's. */
TEST(test_box)
{
  clp_tiled tiled;
  clp_tile_wish wish = clp_default_tile_wish();
  wish.round = 0.01;
  made.count = 0;
  made_box(&made, (clp_vec3){-0.2, -0.15, -0.1}, (clp_vec3){0.2, 0.15, 0.1});
  clp_model *model = tile_made(wish, &tiled);
  double expected = 0.01 * (1 - 1 / sqrt(3)), gap = tiled.links[0].gap;
  ck_assert_msg(gap > 0.98 * expected && gap < 1.05 * expected, "%g, expected %g", gap, expected);
  clp_body_info info = clp_body_describe(clp_model_part(model, 0, 0).body);
  ck_assert_double_eq(info.padding, 0.01);
  ck_assert_double_eq_tol(info.bounds.max.x, 0.2 + expected, 2e-4);
  ck_assert_double_ge(0.2 + gap, info.bounds.max.x);
  probing p;
  begin_probing(&p, model);
  ck_assert_double_lt(worst_of_surface(&p, 500), 0);
  ck_assert_double_gt(nearest(&p, (clp_vec3){0.2 + 1.01 * gap, 0, 0}), 0);
  end_probing(&p);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}

static void make_wheel(int steps)
{
  const double profile[7][2] = {{0, -0.02},   {0.1, -0.02}, {0.13, 0}, {0.1, 0.02},
                                {0.05, 0.02}, {0.04, 0.15}, {0, 0.16}};
  made.count = 0;
  made_ring(&made, profile, 7, steps);
}

/* In one part and in several, with few facets and many, with a margin below and above the radius:
 * nothing is outside, and with a margin all is inside by as much. */
TEST(test_contained)
{
  static const struct {
    double round, margin, max_gap;
    int facets;
  } cases[] = {{0.001, 0, 1, 300},      {0.02, 0, 1, 300},       {0.02, 0, 0.004, 300},
               {0.01, 0.004, 0.01, 40}, {0.004, 0.01, 0.01, 40}, {0.004, 0.004, 0.01, 300},
               {0.0005, 0, 1, 5000},    {0.3, 0, 0.02, 300}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    clp_tiled tiled;
    clp_tile_wish wish = clp_default_tile_wish();
    wish.round = cases[k].round;
    wish.margin = cases[k].margin;
    wish.max_gap = cases[k].max_gap;
    wish.max_facets = cases[k].facets;
    make_wheel(amount_quick() ? 12 : 24);
    clp_model *model = tile_made(wish, &tiled);
    probing p;
    begin_probing(&p, model);
    double worst = worst_of_surface(&p, amount_quick() ? 24 : 600), most = -wish.margin;
    ck_assert_msg(worst < most, "case %zu: %g, expected less than %g", k, worst, most);
    ck_assert_msg(tiled.links[0].gap < 0.08 + wish.round + wish.margin, "case %zu: %g", k,
                  tiled.links[0].gap);
    end_probing(&p);
    clp_model_destroy(model);
    clp_tiled_release(&tiled);
  }
}

/* What the report says of the gap holds of every place of the surface: a wheel's distance is known.
 */
static double beyond_wheel(clp_vec3 x)
{
  const double profile[7][2] = {{0, -0.02},   {0.1, -0.02}, {0.13, 0}, {0.1, 0.02},
                                {0.05, 0.02}, {0.04, 0.15}, {0, 0.16}};
  double r = hypot(x.x, x.y), least = HUGE_VAL;
  bool inside = false;
  for (int k = 0; k < 7; ++k) {
    const double *a = profile[k], *b = profile[(k + 1) % 7];
    double dr = b[0] - a[0], dz = b[1] - a[1];
    double t = ((r - a[0]) * dr + (x.z - a[1]) * dz) / (dr * dr + dz * dz);
    t = fmin(1, fmax(0, t));
    least = fmin(least, hypot(r - a[0] - t * dr, x.z - a[1] - t * dz));
    if ((a[1] > x.z) != (b[1] > x.z) && r < a[0] + (x.z - a[1]) / dz * dr)
      inside = !inside;
  }
  return inside ? 0 : least;
}

TEST(test_gap)
{
  for (int parts = 1; parts <= 4; parts += 3) {
    clp_tiled tiled;
    clp_tile_wish wish = clp_default_tile_wish();
    random_state g = {7};
    wish.round = 0.008;
    wish.max_parts = parts;
    make_wheel(60);
    clp_model *model = tile_made(wish, &tiled);
    probing p;
    begin_probing(&p, model);
    double most = 0;
    for (int k = 0; k < amount_of(1500); ++k) {
      int part = (int)(random_bits(&g) % (uint64_t)p.count);
      clp_vec3 place = clp_add((clp_vec3){0, 0, 0.07},
                               clp_scale(random_between(&g, 0, 0.3), random_direction(&g)));
      most = fmax(most, beyond_wheel(ask(&p, part, place).point_a));
    }
    /* The mesh is within 0.2 mm of the wheel. */
    ck_assert_msg(most <= tiled.links[0].gap + 2e-4, "%d parts: %g beyond, reported %g", parts,
                  most, tiled.links[0].gap);
    ck_assert_msg(tiled.links[0].gap <= 1.1 * most + 2e-3, "%d parts: %g beyond, reported %g",
                  parts, most, tiled.links[0].gap);
    end_probing(&p);
    clp_model_destroy(model);
    clp_tiled_release(&tiled);
  }
}

/* ---- Normals ------------------------------------------------------------------------------ */

#define HEIGHT 1e-6 /* m above the surface */

typedef struct crossing {
  clp_vec3 middle;  /* of the edge */
  clp_vec3 n[2];    /* the faces' normals */
  clp_vec3 into[2]; /* along the faces, away from the edge */
  double radius;
} crossing;

static crossing crossing_of(const clp_body *body, const clp_edge *edge)
{
  clp_curve_site site = clp_edge_fraction(edge, 0.5);
  clp_curve_jet jet = clp_curve_jet_at(&edge->curve, site);
  crossing c = {.middle = jet.p, .radius = body->padding};
  for (int k = 0; k < 2; ++k) {
    const clp_plane *plane = &body->faces[body->uses[edge->use[k]].face].surface.as.plane;
    c.n[k] = clp_unit(clp_cross(plane->a, plane->b));
    c.into[k] = clp_unit(clp_cross(c.n[k], jet.t));
  }
  for (int k = 0; k < 2; ++k) /* away from the edge is where the other face looks away from */
    if (clp_dot(c.into[k], c.n[1 - k]) > 0)
      c.into[k] = clp_negate(c.into[k]);
  return c;
}

/* At `way` from the middle of the arc, along the rounded surface, from the first face to the
 * second. */
static clp_vec3 place_at(const crossing *c, double way)
{
  double angle = atan2(clp_norm(clp_cross(c->n[0], c->n[1])), clp_dot(c->n[0], c->n[1]));
  double half = 0.5 * angle * c->radius, height = c->radius + HEIGHT;
  int side = way < 0 ? 0 : 1;
  if (fabs(way) >= half)
    return clp_add_scaled(clp_add_scaled(c->middle, height, c->n[side]), fabs(way) - half,
                          c->into[side]);
  double turn = angle * (0.5 + 0.5 * way / half);
  clp_vec3 n = clp_add(clp_scale(sin(angle - turn) / sin(angle), c->n[0]),
                       clp_scale(sin(turn) / sin(angle), c->n[1]));
  return clp_add_scaled(c->middle, height, n);
}

/* Over every edge of every part in steps of a fortieth of the radius, three of them on either face:
 * the largest turn of the normal, in units of what the way of the step over the radius is.
 * Distances from a convex body that are at least R have normals that turn by no more than this. */
static double most_turn(const clp_model *model, double radius, double *angle)
{
  const double step = fmax(radius, 1e-4) / 40;
  probing p;
  begin_probing(&p, model);
  double most = 0;
  *angle = 0;
  for (int part = 0; part < p.count; ++part) {
    const clp_body *body = clp_model_part(model, 0, part).body;
    for (uint32_t e = 0; e < body->edge_count; ++e) {
      if (amount_quick() && e % 32 != 0)
        continue;
      crossing c = crossing_of(body, &body->edges[e]);
      clp_vec3 last_place = {0, 0, 0}, last = {0, 0, 0};
      double sharp = clp_norm(clp_sub(c.n[1], c.n[0]));
      int steps = 3 + (int)(sharp * c.radius / step);
      for (int k = -steps; k <= steps; ++k) {
        clp_vec3 place = place_at(&c, (k + 0.5) * step);
        clp_answer answer = ask(&p, part, place);
        ck_assert_double_gt(answer.distance, 0.5 * HEIGHT);
        double turn = clp_norm(clp_sub(answer.normal, last));
        if (k > -steps) {
          most = fmax(most, (turn - 1e-9) * (c.radius + HEIGHT) / clp_distance(place, last_place));
          *angle = fmax(*angle, turn);
        }
        last = answer.normal;
        last_place = place;
      }
    }
  }
  end_probing(&p);
  return most;
}

TEST(test_the_normal_turns_continuously)
{
  static const double radii[] = {0.001, 0.01};
  for (int k = 0; k < 2; ++k) {
    clp_tiled tiled;
    clp_tile_wish wish = clp_default_tile_wish();
    double angle;
    wish.round = radii[k];
    wish.max_facets = 40;
    make_wheel(16);
    clp_model *model = tile_made(wish, &tiled);
    double turn = most_turn(model, radii[k], &angle);
    ck_assert_msg(turn <= 1 + 1e-6, "%g of what the radius allows", turn);
    ck_assert_double_le(angle, 0.0251);
    clp_model_destroy(model);
    clp_tiled_release(&tiled);
  }
}

/* The same of a hull that nothing sweeps: all of an edge's angle within one step. */
TEST(test_without_rounding_it_does_not)
{
  clp_tiled tiled;
  clp_tile_wish wish = clp_default_tile_wish();
  double angle;
  wish.max_facets = 40;
  make_wheel(16);
  clp_model *model = tile_made(wish, &tiled);
  (void)most_turn(model, 0, &angle);
  ck_assert_double_gt(angle, 0.7);
  clp_model_destroy(model);
  clp_tiled_release(&tiled);
}
