/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/pair.h"

#include "support/amount.h"
#include "support/cases.h"
#include "support/random.h"
#include "support/suite.h"

/* Pairs against what an independent program computed: asked, tracked, swapped, started anywhere
 * and sabotaged. */

static const char *const convex_cases[] = {"ellipsoids_00",
                                           "ellipsoids_05",
                                           "ellipsoids_11",
                                           "pair_00_box_cylinder",
                                           "pair_01_box_topbox",
                                           "pair_02_cylinder_cylinder",
                                           "pair_03_cylinder_lemon",
                                           "pair_04_lemon_lemon",
                                           "pair_05_lemon_capped_frustum",
                                           "pair_06_topbox_lemon",
                                           "pair_07_topbox_capped_frustum",
                                           "pair_08_sphere6_topbox",
                                           "pair_09_capped_frustum_cylinder",
                                           "pair_10_box_box",
                                           "point_box",
                                           "point_cylinder",
                                           "point_lemon",
                                           "point_sphere6",
                                           "point_capped_frustum",
                                           "point_topbox",
                                           "planar_pair_0",
                                           "planar_pair_1"};
enum { CONVEX_CASES = sizeof convex_cases / sizeof *convex_cases };

static const char *const still_cases[] = {"parallel_00_box_box",
                                          "parallel_01_box_box",
                                          "parallel_02_box_cylinder",
                                          "parallel_03_cylinder_cylinder",
                                          "parallel_04_capped_frustum_capped_frustum",
                                          "parallel_05_topbox_topbox",
                                          "parallel_06_box_box",
                                          "parallel_07_lemon_lemon",
                                          "parallel_08_box_box",
                                          "parallel_09_box_box",
                                          "hulls_0",
                                          "hulls_1",
                                          "hulls_2"};
enum { STILL_CASES = sizeof still_cases / sizeof *still_cases };

static clp_pair *make_pair(const clp_body *a, const clp_body *b)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &pair), CLP_OK);
  return pair;
}

/* The contract of every answer, and its agreement with the reference. */
static void expect_answer(const clp_answer *answer, const case_row *row, const clp_pair *pair)
{
  double scale = fmax(1, fabs(row->distance));
  ck_assert_msg(fabs(answer->distance - row->distance) <= 1e-9 * scale,
                "t %g: distance %.15g, expected %.15g", row->t, answer->distance, row->distance);
  ck_assert_msg(answer->lower_bound <= row->distance + 1e-11 * scale,
                "t %g: lower bound %.15g above the truth %.15g", row->t, answer->lower_bound,
                row->distance);
  ck_assert_msg(answer->status == CLP_TRACKING, "t %g: status %d", row->t, (int)answer->status);
  ck_assert_double_le(answer->distance - answer->lower_bound, 1e-9 * pair->size);
  ck_assert_double_eq_tol(clp_norm(answer->normal), 1, 1e-12);
  clp_vec3 end = clp_add_scaled(answer->point_a, answer->distance, answer->normal);
  ck_assert_double_le(clp_distance(end, answer->point_b), 1e-8 * scale);
  if (!row->unique)
    return;
  ck_assert_double_le(clp_distance(answer->point_a, row->point_a), 1e-6);
  ck_assert_double_le(clp_distance(answer->point_b, row->point_b), 1e-6);
}

static void expect_queries(const char *name)
{
  reference_case c = case_load(name);
  clp_pair *pair = make_pair(c.a, c.b), *swapped = make_pair(c.b, c.a);
  for (int k = 0; k < c.count; ++k) {
    const case_row *row = &c.rows[k];
    clp_answer answer = clp_pair_query(pair, &row->X_WA, &row->X_WB);
    clp_answer other = clp_pair_query(swapped, &row->X_WB, &row->X_WA);
    expect_answer(&answer, row, pair);
    ck_assert_double_eq_tol(answer.distance, other.distance, 1e-12 * fmax(1, row->distance));
  }
  clp_pair_destroy(pair);
  clp_pair_destroy(swapped);
  case_free(&c);
}

SUITE("pair");

TEST_CASE("query", 60);

LOOP_TEST(query_moving, 0, CONVEX_CASES)
{
  expect_queries(convex_cases[_i]);
}

LOOP_TEST(query_still, 0, STILL_CASES)
{
  expect_queries(still_cases[_i]);
}

TEST_CASE("track", 60);

LOOP_TEST(track, 0, CONVEX_CASES)
{
  reference_case c = case_load(convex_cases[_i]);
  clp_pair *pair = make_pair(c.a, c.b);
  for (int k = 0; k < c.count; ++k) {
    const case_row *row = &c.rows[k], *before = k > 0 ? row - 1 : row;
    double step = row->t - before->t;
    clp_twist V_WA = {{0, 0, 0}, {0, 0, 0}}, V_WB = V_WA;
    if (k > 0) {
      V_WA = case_twist(&before->X_WA, &row->X_WA, step);
      V_WB = case_twist(&before->X_WB, &row->X_WB, step);
    }
    clp_answer answer = clp_pair_track(pair, &row->X_WA, &row->X_WB, &V_WA, &V_WB, step);
    expect_answer(&answer, row, pair);
  }
  clp_pair_destroy(pair);
  case_free(&c);
}

/* ---- Anywhere ----------------------------------------------------------------------------- */

static clp_spot random_spot(random_state *g, const clp_body *body)
{
  uint64_t kind = random_bits(g) % 3;
  if (body->vertex_count > 0 && (kind == 2 || body->info.point))
    return clp_spot_on_vertex((uint32_t)(random_bits(g) % body->vertex_count));
  if (kind == 1 && body->edge_count > 0) {
    uint32_t edge = (uint32_t)(random_bits(g) % body->edge_count);
    clp_edge_kind k = body->edges[edge].kind;
    if (k != CLP_EDGE_SMOOTH && k != CLP_EDGE_SEAM && k != CLP_EDGE_COLLAPSED)
      return clp_spot_on_edge(edge, clp_edge_fraction(&body->edges[edge], random_between(g, 0, 1)));
  }
  if (body->face_count == 0) {
    uint32_t edge = (uint32_t)(random_bits(g) % body->edge_count);
    return clp_spot_on_edge(edge, clp_edge_fraction(&body->edges[edge], random_between(g, 0, 1)));
  }
  uint32_t id = (uint32_t)(random_bits(g) % body->face_count);
  const clp_face *face = &body->faces[id];
  double x[2] = {random_between(g, -3, 3), random_between(g, -3, 3)};
  clp_spot spot = clp_spot_on_face(id, clp_domain_middle(&face->surface, &face->domain));
  int side;
  double f = clp_spot_fraction(body, spot, x, &side) * random_between(g, 0, 1);
  x[0] *= f;
  x[1] *= f;
  return clp_spot_move(body, spot, x, -1);
}

TEST_CASE("anywhere", 60);

/* From any features and any parameters the answer is the certified global minimum. */
LOOP_TEST(random_starts, 0, 11)
{
  static const char *const names[] = {
      "pair_00_box_cylinder",   "pair_04_lemon_lemon", "pair_05_lemon_capped_frustum",
      "pair_08_sphere6_topbox", "pair_10_box_box",     "point_box",
      "point_cylinder",         "point_lemon",         "point_sphere6",
      "point_capped_frustum",   "point_topbox"};
  random_state g = {.s = (uint64_t)_i + 1};
  reference_case c = case_load(names[_i]);
  clp_pair *pair = make_pair(c.a, c.b);
  for (int k = 0, count = amount_of(1000); k < count; ++k) {
    const case_row *row = &c.rows[random_bits(&g) % (uint64_t)c.count];
    pair->spots = (clp_spots){random_spot(&g, pair->a), random_spot(&g, pair->b)};
    pair->started = true;
    pair->rates_known = false;
    clp_answer answer = clp_pair_track(pair, &row->X_WA, &row->X_WB, NULL, NULL, 0);
    expect_answer(&answer, row, pair);
  }
  clp_pair_destroy(pair);
  case_free(&c);
}

/* A descent's events: every change of feature at the distance of the iteration before it, which
 * never grows from one change to the next. */
LOOP_TEST(transitions_never_lead_away, 0, CONVEX_CASES)
{
  random_state g = {.s = 77};
  reference_case c = case_load(convex_cases[_i]);
  clp_event events[CLP_MAX_EVENTS];
  for (int k = 0, count = amount_of(300); k < count; ++k) {
    const case_row *row = &c.rows[random_bits(&g) % (uint64_t)c.count];
    clp_couple couple = clp_couple_make(c.a, c.b, &row->X_WA, &row->X_WB);
    clp_spots spots = {random_spot(&g, c.a), random_spot(&g, c.b)};
    clp_event_log log = {events, CLP_MAX_EVENTS, 0};
    clp_descent descent = clp_descend(&couple, &spots, 300, 1e-12, &log);
    double last = HUGE_VAL;
    ck_assert_int_le(log.count, CLP_MAX_EVENTS);
    for (int i = 0; i < log.count; ++i) {
      const clp_event *e = &events[i];
      const clp_body *body = e->which == 0 ? c.a : c.b;
      double jump = clp_distance(clp_spot_point(body, e->from), clp_spot_point(body, e->to));
      ck_assert_double_le(jump, 1e-13);
      ck_assert_double_le(e->distance, last + 1e-13);
      last = e->distance;
    }
    ck_assert_double_le(descent.jets.distance, last + 1e-13);
  }
  case_free(&c);
}

/* ---- Sabotage ----------------------------------------------------------------------------- */

/* Whatever is done to the state between cycles, the published interval holds the truth. */
static void sabotage(clp_pair *pair, random_state *g)
{
  switch (random_bits(g) % 6) {
    case 0: /* any feature */
      pair->spots = (clp_spots){random_spot(g, pair->a), random_spot(g, pair->b)};
      break;
    case 1: /* parameters off */
      for (int k = 0; k < 3; ++k)
        pair->spots.a.site.c[k] += random_between(g, -1, 1);
      break;
    case 2: /* not a number */
      pair->spots.b.site.c[random_bits(g) % 2] = nan("");
      break;
    case 3: /* rates that lead astray */
      pair->rates = clp_twin_of(clp_scale(1e3, random_direction(g)), clp_twin_second(pair->rates));
      break;
    case 4: /* a rate that is not a number */
      pair->rates.x[1] = nan("");
      break;
    default: /* believes to be inside */
      pair->inside = true;
      pair->normal = random_direction(g);
      break;
  }
}

TEST_CASE("sabotage", 60);

LOOP_TEST(sabotaged, 0, CONVEX_CASES)
{
  random_state g = {.s = 1000 + (uint64_t)_i};
  reference_case c = case_load(convex_cases[_i]);
  clp_pair *pair = make_pair(c.a, c.b);
  for (int k = 0, count = amount_of(1000); k < count; ++k) {
    const case_row *row = &c.rows[random_bits(&g) % (uint64_t)c.count];
    sabotage(pair, &g);
    clp_answer answer = clp_pair_track(pair, &row->X_WA, &row->X_WB, NULL, NULL, 1e-3);
    double slack = 1e-11 * fmax(1, row->distance);
    ck_assert(answer.distance == answer.distance);
    ck_assert_msg(answer.lower_bound <= row->distance + slack, "%d: lower bound %.15g of %.15g", k,
                  answer.lower_bound, row->distance);
    ck_assert_msg(answer.distance >= row->distance - slack, "%d: distance %.15g below %.15g", k,
                  answer.distance, row->distance);
    ck_assert_int_ne(answer.status, CLP_PENETRATING);
    if (answer.status == CLP_TRACKING)
      ck_assert_double_le(answer.distance - row->distance, 1e-9 * fmax(pair->size, 1));
  }
  clp_pair_destroy(pair);
  case_free(&c);
}
