/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/search.h"
#include "support/amount.h"
#include "support/random_arm.h"
#include "support/suite.h"

/* Speeds and accelerations that a certificate rests on (docs/certify.md, section 3), held against
 * where places of parts are: between two instants h apart a place goes no farther than V h, and in
 * the middle of them it is no farther from the middle of both than K h^2 / 8. */

/* Where a place of a part's ball is, seen from one of the movers that it hangs on. */
static clp_vec3 place_at(const clp_chain *chain, const clp_moving_part *part, int frame, clp_vec3 p,
                         const clp_course_segment *segment, double s, clp_instant *at)
{
  clp_chain_place(chain, segment, 0, s, at);
  clp_vec3 y = clp_transform(at->X_RM[part->mover], p);
  return frame < 0 ? y : clp_transform_back(at->X_RM[frame], y);
}

/* What of V and K one place needs between s0 and s1. */
typedef struct needed {
  double speed, acceleration;
} needed;

static needed needed_between(clp_certifier *c, const clp_moving_part *part, int frame, clp_vec3 p,
                             const clp_course_segment *segment, double s0, double s1)
{
  clp_instant *at = &c->instants[2];
  double h = s1 - s0;
  clp_vec3 y0 = place_at(&c->chain, part, frame, p, segment, s0, at);
  clp_vec3 y1 = place_at(&c->chain, part, frame, p, segment, s1, at);
  clp_vec3 middle = place_at(&c->chain, part, frame, p, segment, 0.5 * (s0 + s1), at);
  return (needed){clp_distance(y0, y1) / h,
                  8 / (h * h) * clp_distance(middle, clp_lerp(y0, y1, 0.5))};
}

/* What the chain says of a stretch of a segment. */
static void rates_between(clp_certifier *c, const clp_moving_part *part,
                          const clp_course_segment *segment, double from, double to)
{
  clp_instant *at = c->instants;
  clp_chain_place(&c->chain, segment, 0, from, &at[0]);
  clp_chain_place(&c->chain, segment, 0, to, &at[1]);
  clp_chain_rates(&c->chain, segment, &at[0], &at[1], &c->rates);
  clp_chain_part_rates(&c->chain, part, &at[0], &at[1], to - from, &c->rates);
}

/* The mover so many above the part's, counted from the root; -1: the root. */
static int frame_of(const clp_chain *chain, const clp_moving_part *part, int shared)
{
  int mover = part->mover;
  while (mover >= 0 && chain->movers[mover].depth >= shared)
    mover = chain->movers[mover].parent;
  return mover;
}

/* Rounding of places: a chord is right to this (m). */
#define CHORD_OFF 1e-13

static void check_part(random_state *g, clp_certifier *c, const clp_moving_part *part,
                       const clp_course_segment *segment)
{
  double length = segment->to - segment->from, a = random_between(g, 0, 1);
  double from = a * length, to = from + (length - from) * pow(random_between(g, 0.05, 1), 3);
  rates_between(c, part, segment, from, to);
  for (int k = 0; k < 20; ++k) {
    int shared = (int)(random_bits(g) % (unsigned)part->depth);
    double V = c->rates.speed[part->first + shared];
    double K = c->rates.acceleration[part->first + shared];
    double s0 = random_between(g, from, to), s1 = random_between(g, from, to), h = fabs(s1 - s0);
    clp_vec3 p = clp_add_scaled(part->center, part->radius, random_direction(g));
    needed n = needed_between(c, part, frame_of(&c->chain, part, shared), p, segment, fmin(s0, s1),
                              fmax(s0, s1));
    ck_assert_msg(n.speed * h <= V * h + CHORD_OFF * part->reach, "%g m/s, %g allowed", n.speed, V);
    ck_assert_msg(n.acceleration * h * h <= K * h * h + 16 * CHORD_OFF * part->reach,
                  "%g m/s^2, %g allowed", n.acceleration, K);
  }
}

SUITE("certify_rates");

TEST_CASE("rates", 60);

TEST(test_random_arms)
{
  arm_bodies kinds;
  random_arm arm;
  arm_bodies_make(&kinds);
  for (int k = 0; k < amount_of(200); ++k) {
    random_state g = {.s = (uint64_t)(300 + k)};
    arm_make(&g, &kinds, ARM_BODIES, &arm);
    for (int i = 0; i < arm.segment_count; ++i)
      for (int part = 0; part < arm.certifier->chain.part_count; ++part)
        if (arm.certifier->chain.parts[part].moving >= 0)
          check_part(&g, arm.certifier, &arm.certifier->chain.parts[part], &arm.segments[i]);
    arm_destroy(&arm);
  }
  arm_bodies_destroy(&kinds);
}

/* Two parallel axes 1 m from each other, and a ball on the second arm, 0.6 m from its axis where it
 * is farthest. */
typedef struct two_axes {
  clp_joint_tree *tree;
  clp_body *ball;
  clp_certifier *certifier;
  const clp_moving_part *part;
} two_axes;

static const clp_vec3 tip = {0.6, 0, 0};

static two_axes two_axes_make(void)
{
  static const char text[] =
      "<robot name='r'><link name='rest'/><link name='upper'/><link name='lower'/>"
      "<joint name='a' type='continuous'><parent link='rest'/><child link='upper'/>"
      "<axis xyz='0 0 1'/></joint>"
      "<joint name='b' type='continuous'><parent link='upper'/><child link='lower'/>"
      "<origin xyz='1 0 0'/><axis xyz='0 0 1'/></joint></robot>";
  two_axes w = {.ball = arm_ball(0.1)};
  ck_assert_int_eq(clp_joint_tree_parse(text, strlen(text), "two", (clp_model_sink){0}, &w.tree),
                   CLP_OK);
  clp_part still = {w.ball, clp_pose_identity(), ""}, outer = still;
  outer.X_LP.position = (clp_vec3){0.5, 0, 0};
  const clp_link links[] = {{&still, 1}, {&still, 0}, {&outer, 1}};
  const clp_certify_pair pair = {0, 2};
  clp_certify_world world = {w.tree, links, &pair, 1, NULL, 0};
  ck_assert_int_eq(clp_certifier_create(&world, &w.certifier), CLP_OK);
  w.part = &w.certifier->chain.parts[1];
  return w;
}

static void two_axes_destroy(two_axes *w)
{
  clp_certifier_destroy(w->certifier);
  clp_joint_tree_destroy(w->tree);
  clp_body_destroy(w->ball);
}

/* What is said of the tip seen from the root, for joints that move like this for so long. */
static needed said_of(const two_axes *w, const clp_joint_course courses[2], double length)
{
  const clp_course_segment segment = {0, length, courses, NULL};
  const clp_rates *rates = &w->certifier->rates;
  rates_between(w->certifier, w->part, &segment, 0, length);
  return (needed){rates->speed[w->part->first], rates->acceleration[w->part->first]};
}

/* Both turn the same way and the arm is stretched: nothing is given away over a short time, neither
 * of speeds and what is owed to turning nor, from rest, of the joints' own accelerations. */
TEST(test_nothing_given_away)
{
  const double h = 1e-4, w = 2, v = 3, bend = 7;
  const clp_joint_course even[] = {{{0, w}}, {{-0.5 * v * h, v}}};
  const clp_joint_course begun[] = {{{0, 0, 0.5 * bend}}, {{0, 0, 0.5 * bend}}};
  two_axes axes = two_axes_make();
  needed said = said_of(&axes, even, h);
  ck_assert_double_eq_tol(said.speed, 1.6 * w + 0.6 * v, 2e-3);
  ck_assert_double_eq_tol(said.acceleration, w * w + 0.6 * (w + v) * (w + v), 2e-2);
  said = said_of(&axes, begun, h);
  ck_assert_double_eq_tol(said.acceleration, (1.6 + 0.6) * bend, 2e-2);
  two_axes_destroy(&axes);
}

/* The arm is folded at both ends of the time, and stretched between: then the tip is 1.6 m from the
 * first axis and as fast as that. */
TEST(test_farther_out_in_between)
{
  const double pi = 3.14159265358979323846, w = 5, v = 2 * pi;
  const clp_joint_course courses[] = {{{0, w}}, {{-pi, v}}};
  const clp_course_segment segment = {0, 1, courses, NULL};
  two_axes axes = two_axes_make();
  needed said = said_of(&axes, courses, 1);
  needed most = needed_between(axes.certifier, axes.part, -1, tip, &segment, 0.499, 0.501);
  ck_assert_double_eq_tol(most.speed, 1.6 * w + 0.6 * v, 1e-3);
  ck_assert_double_ge(said.speed, most.speed);
  ck_assert_double_ge(said.acceleration, most.acceleration);
  two_axes_destroy(&axes);
}
