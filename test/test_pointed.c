/* SPDX-License-Identifier: Apache-2.0 */
#include "support/amount.h"
#include "support/figure_pair.h"
#include "support/suite.h"

/* Tips, rims and flanks of pointed bodies against each other and against round ones, apart: asked
 * and tracked, at all angles about their axes, from 1e-9 m to 10 m. What is true is known in closed
 * form (support/pointed.h). POINTED_ROUNDS in the environment makes it so many times as many. */

#define CYCLE 1e-3

static int rounds(void)
{
  const char *text = getenv("POINTED_ROUNDS");
  return text ? atoi(text) : 1;
}

static double some_gap(random_state *g)
{
  return pow(10, random_between(g, -9, 1));
}

/* ---- Asked -------------------------------------------------------------------------------- */

SUITE("pointed");

TEST_CASE("asked", 60.0 * rounds());

TEST(places_that_face_each_other_are_found)
{
  random_state g = {.s = 11};
  tally t = {0};
  const int each = amount_of(400 * rounds());
  for (int i = 0; i < FIGURE_ROUND; ++i)
    for (int k = 0; k < FIGURES; ++k) {
      figure_pair m = k % 2 ? figure_pair_make(&figures[i], &figures[k])
                            : figure_pair_make(&figures[k], &figures[i]);
      for (int n = 0; n < each; ++n) {
        double gap = some_gap(&g);
        figure_put_apart(&m, &g, gap);
        clp_answer x = clp_pair_query(m.pair, &m.X_WA, &m.X_WB);
        figure_judge(&m, &x, gap, true, &t);
      }
      figure_pair_free(&m);
    }
  figure_expect_none(&t, "asked");
}

/* A cylinder's rim over a frustum's, from where the end face's own normal is off by next to
 * nothing: straight steps on the face left its rim at once, and what they crept to was seven
 * tolerances off.
 */
TEST(rims_are_followed_as_rims)
{
  random_state g = {.s = 9380784252187011977u};
  tally t = {0};
  figure_pair m = figure_pair_make(&figures[2], &figures[11]);
  double gap = some_gap(&g);
  figure_put_apart(&m, &g, gap);
  clp_answer x = clp_pair_query(m.pair, &m.X_WA, &m.X_WB);
  figure_judge(&m, &x, gap, true, &t);
  ck_assert_int_le(x.steps, 40);
  figure_expect_none(&t, "along a rim");
  figure_pair_free(&m);
}

/* The nearest point of a body of revolution to a ball's center is in the half plane through it. */
TEST(balls_over_a_tip_are_as_far_as_in_the_half_plane)
{
  random_state g = {.s = 12};
  tally t = {0};
  figure_pair m = figure_pair_make(&figures[0], &figures[FIGURE_ROUND]);
  for (int n = 0; n < 4000 * rounds(); ++n) {
    /* the tip's normals: those above the flank's own */
    double polar = atan2(1.9, 1.5) * random_between(&g, 0, 1),
           angle = random_between(&g, -3.15, 3.15);
    clp_vec3 up = {sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar)};
    m.X_WB.position = clp_add_scaled((clp_vec3){0, 0, 1.9}, 2.3 + some_gap(&g), up);
    double truth = figure_outside(&figures[0], m.X_WB.position) - 2.3;
    clp_answer x = clp_pair_query(m.pair, &m.X_WA, &m.X_WB);
    figure_judge(&m, &x, truth, true, &t);
  }
  figure_pair_free(&m);
  figure_expect_none(&t, "balls over a tip");
}

/* The rims of cones as flat as H, in whose narrow wedge of normals a ball is, and their blunt tips:
 * what a product of normals loses is not what decides. */
LOOP_TEST(flat_cones_are_as_good_as_steep_ones, 0, 9)
{
  const double H = pow(10, -_i);
  const clp_profile_piece lines[] = {{.kind = CLP_PROFILE_LINE, .r = 1},
                                     {.kind = CLP_PROFILE_LINE, .z = H}};
  clp_body_def cone = clp_default_body_def(CLP_SHAPE_REVOLVED);
  clp_body_def ball = clp_default_body_def(CLP_SHAPE_SPHERE);
  clp_body *a, *b;
  clp_pair *pair;
  clp_pose X_WA = clp_pose_identity(), X_WB = X_WA;
  random_state g = {.s = 14};
  cone.revolved = (clp_revolved_def){.pieces = lines, .piece_count = 2};
  ball.radius = 0.3;
  ck_assert_int_eq(clp_body_create(&cone, (clp_reporter){NULL, NULL}, &a), CLP_OK);
  ck_assert_int_eq(clp_body_create(&ball, (clp_reporter){NULL, NULL}, &b), CLP_OK);
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &pair), CLP_OK);
  for (int n = 0; n < 600; ++n) {
    double gap = some_gap(&g), angle = random_between(&g, -3.15, 3.15);
    const double flank = atan2(1, H), upright = acos(0);
    bool tip = n % 3 == 0;
    double polar = tip          ? random_between(&g, flank, upright)
                   : n % 3 == 1 ? flank - random_between(&g, 0, H)
                                : random_between(&g, -upright, flank);
    double r = (tip ? 0 : 1) + (0.3 + gap) * cos(polar);
    X_WB.position =
        (clp_vec3){r * cos(angle), r * sin(angle), (tip ? H : 0) + (0.3 + gap) * sin(polar)};
    clp_answer x = clp_pair_query(pair, &X_WA, &X_WB);
    ck_assert_msg(x.status == CLP_TRACKING, "H %g, %s, status %d", H, tip ? "tip" : "rim",
                  (int)x.status);
    ck_assert_double_le(x.lower_bound, gap + 1e-14);
    ck_assert_double_eq_tol(x.distance, gap, 1e-14 * fmax(1, gap));
  }
  clp_pair_destroy(pair);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* ---- Tracked ------------------------------------------------------------------------------ */

/* B goes round A at the distance that keeps them `gap` apart along the direction it is in, and both
 * turn. */
typedef struct course {
  clp_vec3 from, axis;     /* B's direction from A, and what it turns about */
  clp_mat3 R;              /* B's orientation as seen from A, at the start */
  clp_vec3 turn_a, turn_b; /* rad/s */
  clp_pose start;          /* A's */
  double speed;            /* of the direction, rad/s */
  double gap, growth;
} course;

static course course_make(random_state *g)
{
  course c = {
      .from = figure_direction(g),
      .R = figure_turned(figure_direction(g), figure_direction(g), random_between(g, -3, 3)),
      .turn_a = clp_scale(random_between(g, 0, 1), random_direction(g)),
      .turn_b = clp_scale(random_between(g, 0, 2), random_direction(g)),
      .start = figure_anywhere(g),
      .speed = random_between(g, 0, 3),
      .gap = some_gap(g),
      .growth = random_between(g, -0.05, 0.05)};
  c.axis = clp_unit(clp_cross(c.from, random_direction(g)));
  return c;
}

static clp_mat3 turned_by(clp_vec3 rate, double time)
{
  double speed = clp_norm(rate);
  return clp_rotation_about(speed > 0 ? clp_scale(1 / speed, rate) : (clp_vec3){0, 0, 1},
                            speed * time);
}

/* How the gap changes in a cycle: by a part of itself, no faster than 1 m/s. */
static double next_gap(const course *c, double gap)
{
  double next = gap + fmin(1 * CYCLE, fmax(-1 * CYCLE, c->growth * gap));
  return fmin(10, fmax(1e-9, next));
}

static void go_to(figure_pair *m, const course *c, double time, double gap)
{
  clp_vec3 u = clp_rotate(clp_rotation_about(c->axis, c->speed * time), c->from);
  clp_pose X_AB = {clp_mat3_multiply(turned_by(c->turn_b, time), c->R), {0, 0, 0}};
  clp_vec3 f = figure_support(m->a, u);
  clp_vec3 h = clp_rotate(X_AB.rotation,
                          figure_support(m->b, clp_negate(clp_rotate_back(X_AB.rotation, u))));
  X_AB.position = clp_scale(gap + clp_dot(u, f) - clp_dot(u, h), u);
  m->X_WA = (clp_pose){clp_mat3_multiply(turned_by(c->turn_a, time), c->start.rotation),
                       c->start.position};
  m->X_WB = clp_pose_multiply(m->X_WA, X_AB);
}

/* The twist that led from one pose to another, to first order. */
static clp_twist between(const clp_pose *from, const clp_pose *to)
{
  clp_mat3 r = from->rotation, s = to->rotation;
  clp_vec3 turn = clp_add(clp_add(clp_cross(r.x, s.x), clp_cross(r.y, s.y)), clp_cross(r.z, s.z));
  return (clp_twist){clp_scale(1 / CYCLE, clp_sub(to->position, from->position)),
                     clp_scale(0.5 / CYCLE, turn)};
}

static void follow(figure_pair *m, const course *c, int cycles, tally *t)
{
  double gap = c->gap;
  tally first = {0};
  go_to(m, c, 0, gap);
  clp_answer x = clp_pair_query(m->pair, &m->X_WA, &m->X_WB);
  figure_judge(m, &x, gap, false, &first);
  t->wrong += first.wrong;
  for (int k = 1; k <= cycles; ++k) {
    clp_pose a = m->X_WA, b = m->X_WB;
    gap = next_gap(c, gap);
    go_to(m, c, k * CYCLE, gap);
    clp_twist V_WA = between(&a, &m->X_WA), V_WB = between(&b, &m->X_WB);
    x = clp_pair_track(m->pair, &m->X_WA, &m->X_WB, &V_WA, &V_WB, CYCLE);
    figure_judge(m, &x, gap, false, t);
  }
}

TEST_CASE("tracked", 60.0 * rounds());

TEST(what_is_followed_is_never_lost)
{
  random_state g = {.s = 13};
  tally t = {0};
  const int each = 2 * rounds();
  for (int i = 0; i < FIGURE_ROUND; ++i)
    for (int k = 0; k < FIGURES; ++k) {
      figure_pair m = k % 2 ? figure_pair_make(&figures[i], &figures[k])
                            : figure_pair_make(&figures[k], &figures[i]);
      for (int n = 0; n < each; ++n) {
        course c = course_make(&g);
        follow(&m, &c, 200, &t);
      }
      figure_pair_free(&m);
    }
  figure_expect_none(&t, "tracked");
}

/* A course on which the nearest places jump along a cone's whole generator, in a valley that bends
 * in the other cone's angles: they once crept along it for three cycles, and before never arrived.
 */
TEST(valleys_that_bend_are_followed)
{
  random_state g = {.s = 16909682186157576676u};
  tally t = {0};
  figure_pair m = figure_pair_make(&figures[0], &figures[7]);
  course c = course_make(&g);
  follow(&m, &c, 200, &t);
  figure_expect_none(&t, "along a generator");
  figure_pair_free(&m);
}

/* The attacker's: down on the tip of a cone, aside of its axis. */
TEST(a_ball_comes_down_on_a_tip)
{
  tally t = {0};
  figure_pair m = figure_pair_make(&figures[0], &figures[FIGURE_ROUND]);
  const clp_twist rest = {{0, 0, 0}, {0, 0, 0}}, down = {{0, 0, -0.1}, {0, 0, 0}};
  for (int k = 0; k <= 1650; ++k) {
    m.X_WB.position = (clp_vec3){-1.208, 0.326, 3.995 - 1e-4 * k};
    double truth = figure_outside(&figures[0], m.X_WB.position) - 2.3;
    clp_answer x = clp_pair_track(m.pair, &m.X_WA, &m.X_WB, &rest, &down, CYCLE);
    if (truth > 0)
      figure_judge(&m, &x, truth, true, &t);
  }
  figure_pair_free(&m);
  figure_expect_none(&t, "down on a tip");
}
