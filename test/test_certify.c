/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/search.h"
#include "support/allocations.h"
#include "support/amount.h"
#include "support/motion_judge.h"
#include "support/one_joint.h"
#include "support/suite.h"

/* Clearance over all of a motion, against samples of it (support/motion_judge.h). */

static arm_bodies kinds;

static void make_bodies(void)
{
  arm_bodies_make(&kinds);
}

static void destroy_bodies(void)
{
  arm_bodies_destroy(&kinds);
}

/* Random arms have cases of their own, so that CK_RUN_CASE=narrow and the others can run beside
 * each other. */
#define RANDOM_SECONDS (amount_thorough() ? 360000 : 120)

/* What samples may be off by: a certified distance's tolerance, of bodies of some meters. */
#define SAMPLE_OFF 1e-8

/* ---- What must hold ----------------------------------------------------------------------- */

/* How much was tried, and how often each verdict was given. */
typedef struct tally {
  int arms, verdicts[4];
  long samples, looks, questions;
  double longest_contact;
  bool met[ARM_BODIES][ARM_BODIES];
} tally;

/* No sample of any pair is nearer than is proven. */
static void expect_no_sample_below(const random_arm *arm, motion_judge *judges,
                                   const clp_certified *results, int pairs, int samples,
                                   const char *what)
{
  double from = arm->segments[0].from, to = arm->segments[arm->segment_count - 1].to;
  for (int k = 0; k <= samples; ++k) {
    double time = from + (to - from) * k / samples, found = 0;
    clp_pose X[ARM_LINKS_MAX];
    bool placed = false;
    for (int i = 0; i < pairs; ++i) {
      if (time <= judges[i].clear_until)
        continue;
      if (!placed)
        arm_poses(arm, time, X);
      placed = true;
      if (judge_sample(arm, &judges[i], time, X, results[i].clearance, &found))
        ck_abort_msg("%s, pair %d: %.17g proven, %.17g at %.17g", what, i, results[i].clearance,
                     found, time);
    }
  }
}

static void expect_contact(const random_arm *arm, motion_judge *j, const clp_certified *r,
                           int instants, const char *what)
{
  ck_assert_double_le(r->contact_from, r->time);
  ck_assert_double_ge(r->contact_to, r->time);
  for (int k = 0; k <= instants; ++k) {
    double time = r->contact_from + (r->contact_to - r->contact_from) * k / instants;
    if (judge_touches(arm, j, time, SAMPLE_OFF))
      continue;
    clp_answer answer = judge_at(arm, j, time);
    if (answer.status != CLP_PENETRATING && !(answer.distance < SAMPLE_OFF))
      ck_abort_msg("%s: contact from %.17g to %.17g, %.17g apart at %.17g", what, r->contact_from,
                   r->contact_to, answer.distance, time);
  }
}

static void check_pair(const random_arm *arm, motion_judge *j, const clp_certified *r,
                       const clp_certify_options *o, const char *what)
{
  ck_assert_msg(r->clearance <= r->distance, "%s: %.17g proven, %.17g found", what, r->clearance,
                r->distance);
  clp_answer found = judge_at(arm, j, r->time);
  ck_assert_msg(found.distance <= fmax(r->distance, 0) + SAMPLE_OFF, "%s: %.17g found, %.17g", what,
                r->distance, found.distance);
  ck_assert_msg(!(r->distance > 0) || found.distance >= r->distance - SAMPLE_OFF,
                "%s: %.17g found, but others of the links' parts are nearer then: %.17g", what,
                r->distance, found.distance);
  if (r->verdict == CLP_CERTIFY_CLEAR)
    ck_assert(r->clearance > 0 && r->clearance >= o->clearance);
  if (r->verdict == CLP_CERTIFY_NEAR)
    ck_assert(r->clearance > 0 && r->distance < o->clearance);
  bool narrow = r->verdict == CLP_CERTIFY_NEAR || (r->verdict == CLP_CERTIFY_CLEAR && o->narrow);
  if (narrow)
    ck_assert_msg(r->distance - r->clearance <= o->tolerance, "%s: from %.17g to %.17g", what,
                  r->clearance, r->distance);
  if (r->verdict == CLP_CERTIFY_CONTACT)
    expect_contact(arm, j, r, amount_thorough() ? 1000 : 20, what);
}

static int kind_of(const clp_body *body)
{
  int k = 0;
  while (kinds.bodies[k] != body)
    ++k;
  return k;
}

static void count_kinds(const random_arm *arm, int pair, tally *t)
{
  const clp_link *a = &arm->shapes[arm->pairs[pair].a], *b = &arm->shapes[arm->pairs[pair].b];
  for (int k = 0; k < a->count; ++k)
    for (int i = 0; i < b->count; ++i) {
      int x = kind_of(a->parts[k].body), y = kind_of(b->parts[i].body);
      t->met[x][y] = t->met[y][x] = true;
    }
}

static bool is_same(const clp_certified *x, const clp_certified *y)
{
  if (x->verdict != y->verdict || x->verdict == CLP_CERTIFY_CONTACT)
    return x->verdict == y->verdict;
  return x->clearance == y->clearance && x->time == y->time && x->distance == y->distance;
}

/* What was asked before changes nothing where convex parts stay apart; how deep others are may
 * differ. */
static void expect_the_same_again(const random_arm *arm, const clp_certify_options *o,
                                  const clp_certified *results, const char *what)
{
  clp_certified again[ARM_PAIRS];
  ck_assert_int_eq(
      clp_certify_motion(arm->certifier, arm->segments, arm->segment_count, o, again, NULL),
      CLP_OK);
  for (int k = 0; k < ARM_PAIRS; ++k)
    ck_assert_msg(is_same(&results[k], &again[k]), "%s, pair %d: %.17g and %.17g proven", what, k,
                  results[k].clearance, again[k].clearance);
}

/* Every third arm grazes its carried obstacle, or misses it by as little; every fourth certifier
 * has room for one pair of parts at a time. */
static void check_arm(uint64_t seed, int body_kinds, const clp_certify_options *o, int samples,
                      tally *t)
{
  random_state g = {.s = seed};
  random_arm arm;
  clp_certified results[ARM_PAIRS];
  motion_judge judges[ARM_PAIRS];
  char what[64];
  snprintf(what, sizeof what, "seed %d", (int)seed);
  arm_make(&g, &kinds, body_kinds, &arm);
  if (seed % 3 == 0)
    arm_graze(&arm, (seed % 2 ? 1 : -1) * pow(10, random_between(&g, -7, -2)));
  ck_assert_int_eq(
      clp_certify_motion(arm.certifier, arm.segments, arm.segment_count, o, results, NULL), CLP_OK);
  for (int k = 0; k < ARM_PAIRS; ++k) {
    judges[k] = judge_make(&arm, k);
    check_pair(&arm, &judges[k], &results[k], o, what);
    count_kinds(&arm, k, t);
    ++t->verdicts[results[k].verdict];
    if (results[k].verdict == CLP_CERTIFY_CONTACT)
      t->longest_contact =
          fmax(t->longest_contact, results[k].contact_to - results[k].contact_from);
  }
  expect_no_sample_below(&arm, judges, results, ARM_PAIRS, samples, what);
  if (seed % 4 == 0 && body_kinds == ARM_CONVEX)
    expect_the_same_again(&arm, o, results, what);
  for (int k = 0; k < ARM_PAIRS; ++k) {
    t->looks += judges[k].looks;
    t->questions += judges[k].questions;
    judge_destroy(&judges[k]);
  }
  ++t->arms;
  t->samples += samples + 1;
  arm_destroy(&arm);
}

/* ---- Random arms -------------------------------------------------------------------------- */

static void print_tally(const tally *t)
{
  printf(
      "%d arms, %ld samples of %d pairs each, %ld of them looked at and %ld parts asked for; "
      "%d CLEAR, %d NEAR, %d CONTACT, %d UNDECIDED\n",
      t->arms, t->samples, ARM_PAIRS, t->looks, t->questions, t->verdicts[CLP_CERTIFY_CLEAR],
      t->verdicts[CLP_CERTIFY_NEAR], t->verdicts[CLP_CERTIFY_CONTACT],
      t->verdicts[CLP_CERTIFY_UNDECIDED]);
  fflush(stdout);
}

static int kinds_that_never_met(const tally *t, int body_kinds)
{
  int missing = 0;
  for (int a = 0; a < body_kinds; ++a)
    for (int b = 0; b <= a; ++b)
      missing += !t->met[a][b];
  return missing;
}

/* So many arms, each by samples of its own. Of all of them, by hand, the figures are printed. */
static tally check_arms(int first, int count, int body_kinds, const clp_certify_options *o)
{
  enum { ARMS = 1000, SAMPLES = 1000000, PRINTED = 50 };
  bool thorough = amount_thorough();
  tally t = {0};
  count = thorough ? ARMS : amount_of(count);
  for (int k = 0; k < count; ++k) {
    check_arm((uint64_t)(first + k), body_kinds, o, thorough ? SAMPLES : 1000, &t);
    if (thorough && t.arms % PRINTED == 0)
      print_tally(&t);
  }
  if (thorough)
    ck_assert_int_eq(kinds_that_never_met(&t, body_kinds), 0);
  return t;
}

SUITE("certify");

FIXTURE_CASE("narrow", RANDOM_SECONDS, make_bodies, destroy_bodies);

TEST(test_narrow)
{
  clp_certify_options o = clp_default_certify_options();
  o.seek = true;
  tally t = check_arms(1000, 48, ARM_CONVEX, &o);
  ck_assert_int_eq(t.verdicts[CLP_CERTIFY_UNDECIDED], 0);
  ck_assert_int_gt(t.verdicts[CLP_CERTIFY_CLEAR], t.arms / 2);
  ck_assert_int_gt(t.verdicts[CLP_CERTIFY_CONTACT], t.arms / 4);
  ck_assert_double_gt(t.longest_contact, 0.01);
}

FIXTURE_CASE("decide", RANDOM_SECONDS, make_bodies, destroy_bodies);

TEST(test_decide)
{
  clp_certify_options o = {.clearance = 0.3, .tolerance = 1e-3, .seek = true};
  tally t = check_arms(5000, 48, ARM_CONVEX, &o);
  ck_assert_int_eq(t.verdicts[CLP_CERTIFY_UNDECIDED], 0);
  ck_assert_int_gt(t.verdicts[CLP_CERTIFY_CLEAR], 0);
  ck_assert_int_gt(t.verdicts[CLP_CERTIFY_NEAR], 0);
  ck_assert_int_gt(t.verdicts[CLP_CERTIFY_CONTACT], 0);
}

FIXTURE_CASE("dented", RANDOM_SECONDS, make_bodies, destroy_bodies);

/* What no planes bound: by questions at instants and speeds alone. */
TEST(test_dented)
{
  clp_certify_options o = {.clearance = 0.1, .tolerance = 0.02, .seek = true, .steps = 4000};
  tally t = check_arms(9000, 16, ARM_BODIES, &o);
  ck_assert_int_gt(t.verdicts[CLP_CERTIFY_CLEAR], t.arms);
}

/* ---- Motions with a known answer ---------------------------------------------------------- */

static clp_body_def box_of(double x, double y, double z)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){x, y, z};
  return def;
}

TEST_CASE("known", 30);

/* A needle that turns at 300 rad/s in a slit that leaves 1 mm above and below, and in one that is
 * too narrow by as little. */
TEST(test_needle_in_a_slit)
{
  const clp_body_def needle = box_of(1, 0.002, 0.002);
  const clp_body_def jaws[] = {box_of(2, 2, 0.1), box_of(2, 2, 0.1)};
  for (int k = 0; k < 2; ++k) {
    double gap = k == 0 ? 0.001 : -0.001;
    const clp_vec3 places[] = {{0, 0, 0.051 + gap}, {0, 0, -0.051 - gap}};
    one_joint w;
    one_joint_make(&w, "continuous", &needle, (clp_vec3){0, 0, 0}, jaws, places, 2);
    clp_certified r = one_joint_ask(&w, 300, 1, 0);
    ck_assert_int_eq(r.verdict, k == 0 ? CLP_CERTIFY_CLEAR : CLP_CERTIFY_CONTACT);
    ck_assert_double_eq_tol(r.distance, gap, k == 0 ? 1e-9 : 1e-3);
    ck_assert_double_le(r.clearance, gap);
    ck_assert_double_ge(r.clearance, k == 0 ? gap - 1e-4 : -2);
    one_joint_destroy(&w);
  }
}

/* A ball on an arm of 1 m that turns at 20 rad/s past a ball, between which there is contact for
 * about a microsecond, or none by as little. Two balls of radius r at angles x apart on circles of
 * radii 1 and R are hypot(1 - R, 2 sqrt(R) sin(x/2)) - 2 r apart. */
TEST(test_a_microsecond_of_contact)
{
  const double rate = 20, r = 0.1, half = 0.5e-6 * rate, past = 1;
  for (int k = 0; k < 2; ++k) {
    /* (R - 1)^2 + 4 R sin^2(half / 2) = 4 r^2, from outside */
    double depth = half * half * (1 + 2 * r) / (4 * r), R = 1 + 2 * r - depth;
    if (k == 1)
      R = 1 + 2 * r + depth;
    const clp_body_def ball = ball_of(r);
    const clp_vec3 place = {R * cos(past), R * sin(past), 0};
    one_joint w;
    one_joint_make(&w, "continuous", &ball, (clp_vec3){1, 0, 0}, &ball, &place, 1);
    clp_certified c = one_joint_ask(&w, rate, 1.9 * past / rate, 0);
    ck_assert_int_eq(c.verdict, k == 0 ? CLP_CERTIFY_CONTACT : CLP_CERTIFY_CLEAR);
    ck_assert_double_eq_tol(c.time, past / rate, 1e-6);
    if (k == 0) {
      ck_assert_double_ge(c.contact_from, past / rate - 0.51e-6);
      ck_assert_double_le(c.contact_to, past / rate + 0.51e-6);
      ck_assert_double_gt(c.contact_to, c.contact_from);
    } else {
      ck_assert_double_gt(c.clearance, 0);
      ck_assert_double_le(c.clearance, depth);
    }
    one_joint_destroy(&w);
  }
}

/* How long a ball is in a box on its way through: all of it, to a millionth. */
TEST(test_when_there_is_contact)
{
  const clp_body_def ball = ball_of(0.1), box = box_of(1, 1, 0.5);
  const clp_vec3 place = {0.2, 0.1, 1};
  one_joint w;
  one_joint_make(&w, "prismatic", &ball, (clp_vec3){0, 0, 0}, &box, &place, 1);
  clp_certified r = one_joint_ask(&w, 1, 2, 0);
  ck_assert_int_eq(r.verdict, CLP_CERTIFY_CONTACT);
  ck_assert_double_eq_tol(r.contact_from, 0.65, 1e-6);
  ck_assert_double_eq_tol(r.contact_to, 1.35, 1e-6);
  ck_assert_double_ge(r.contact_from, 0.65 - 1e-9);
  ck_assert_double_le(r.contact_to, 1.35 + 1e-9);
  one_joint_destroy(&w);
}

/* The same 1e9 s later, where times are 1.2e-7 s apart: 0.65 s and 1.35 s lie between two of them,
 * and the nearer ones are outside of the contact. */
TEST(test_contact_long_after)
{
  const clp_body_def ball = ball_of(0.1), box = box_of(1, 1, 0.5);
  const clp_vec3 place = {0.2, 0.1, 1};
  const double begin = 1e9;
  clp_certify_options o = clp_default_certify_options();
  clp_certified r;
  one_joint w;
  one_joint_make(&w, "prismatic", &ball, (clp_vec3){0, 0, 0}, &box, &place, 1);
  w.course = (clp_joint_course){{0, 1}};
  w.segment = (clp_course_segment){begin, begin + 2, &w.course, NULL};
  ck_assert_int_eq(clp_certify_motion(w.certifier, &w.segment, 1, &o, &r, NULL), CLP_OK);
  ck_assert_double_ge(r.contact_from - begin, 0.65);
  ck_assert_double_le(r.contact_to - begin, 1.35);
  ck_assert_double_eq_tol(r.contact_to - r.contact_from, 0.7, 3e-6);
  one_joint_destroy(&w);
}

/* A ball goes past an ellipsoid, which has to be asked for, and past a ball on the other side,
 * which is known to be clear without a question: the distance is that of the nearer one all the
 * same. */
TEST(test_distance_of_all_parts)
{
  clp_body_def moving = ball_of(0.1),
               resting[] = {clp_default_body_def(CLP_SHAPE_ELLIPSOID), moving};
  resting[0].size = (clp_vec3){0.5, 0.5, 2};
  const clp_vec3 places[] = {{0.6, 0.6, 1}, {-0.4, 0, 1}};
  one_joint w;
  one_joint_make(&w, "prismatic", &moving, (clp_vec3){0, 0, 0}, resting, places, 2);
  clp_certify_options o = {.clearance = 0.1, .tolerance = 1e-4};
  clp_certified r;
  w.course = (clp_joint_course){{0, 1}};
  w.segment = (clp_course_segment){0, 2, &w.course, NULL};
  ck_assert_int_eq(clp_certify_motion(w.certifier, &w.segment, 1, &o, &r, NULL), CLP_OK);
  ck_assert_int_eq(r.verdict, CLP_CERTIFY_CLEAR);
  ck_assert_double_eq_tol(r.time, 1, 1e-12);
  ck_assert_double_eq_tol(r.distance, 0.2, 1e-12);
  one_joint_destroy(&w);
}

/* Through a ring of boxes, all of which are nearest at the same time: they are narrowed down in
 * groups where there is room for no more, and none is given up. */
TEST(test_little_room)
{
  enum { RING = ONE_JOINT_PARTS - 1 };
  clp_body_def boxes[RING];
  clp_vec3 places[RING];
  for (int k = 0; k < RING; ++k) {
    boxes[k] = box_of(0.1, 0.1, 0.1);
    places[k] = (clp_vec3){cos(k), sin(k), 0.3};
  }
  const clp_body_def ball = ball_of(0.5);
  clp_certify_options o = clp_default_certify_options();
  clp_certified r;
  one_joint w;
  one_joint_make(&w, "prismatic", &ball, (clp_vec3){0, 0, 0}, boxes, places, RING);
  w.certifier->capacity = CLP_CERTIFY_LEVELS;
  w.course = (clp_joint_course){{0, 0.1, 0.4}};
  w.segment = (clp_course_segment){0, 1, &w.course, NULL};
  o.tolerance = 1e-8;
  ck_assert_int_eq(clp_certify_motion(w.certifier, &w.segment, 1, &o, &r, NULL), CLP_OK);
  ck_assert_int_eq(r.verdict, CLP_CERTIFY_CLEAR);
  ck_assert_double_le(r.distance - r.clearance, o.tolerance);
  one_joint_destroy(&w);
}

/* All memory is there from the beginning on. */
TEST(test_no_allocation)
{
  const clp_body_def ball = ball_of(0.1), box = box_of(0.2, 0.3, 0.4);
  const clp_vec3 place = {0.9, 0.9, 0};
  one_joint w;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){1, 0, 0}, &box, &place, 1);
  clp_certify_options narrow = clp_default_certify_options(), o = {.clearance = 0.01};
  const double from = 0, to = 1;
  clp_certified r;
  clp_certified_edge edge;
  w.course = (clp_joint_course){{0, 3}};
  w.segment = (clp_course_segment){0, 1, &w.course, NULL};
  long before = allocation_count();
  clp_status first = clp_certify_motion(w.certifier, &w.segment, 1, &narrow, &r, NULL);
  clp_status second = clp_certify_edges(w.certifier, &from, &to, 1, &o, &edge);
  long after = allocation_count();
  ck_assert_int_eq(after, before);
  ck_assert(first == CLP_OK && second == CLP_OK);
  ck_assert_int_eq(r.verdict, CLP_CERTIFY_CONTACT);
  ck_assert_int_eq(edge.verdict, CLP_CERTIFY_CONTACT);
  one_joint_destroy(&w);
}

/* Without the steps for it nothing is claimed. */
TEST(test_budget)
{
  const clp_body_def ball = ball_of(0.1);
  const clp_vec3 place = {1.201, 0, 0};
  one_joint w;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){-1, 0, 0}, &ball, &place, 1);
  clp_certified few = one_joint_ask(&w, 5, 1, 3), all = one_joint_ask(&w, 5, 1, 0);
  ck_assert_int_eq(few.verdict, CLP_CERTIFY_UNDECIDED);
  ck_assert_double_lt(few.clearance, 0);
  ck_assert_int_eq(all.verdict, CLP_CERTIFY_CLEAR);
  ck_assert_double_eq_tol(all.clearance, 0.001, 1e-4);
  one_joint_destroy(&w);
}

/* A tolerance that rounding does not let be reached costs no more passes than one that is as fine
 * as rounding. */
TEST(test_tolerance_below_rounding)
{
  const clp_body_def ball = ball_of(0.1);
  const clp_vec3 place = {0.9, 0.8, 0.7};
  long spent[2];
  one_joint w;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){1, 0, 0}, &ball, &place, 1);
  w.course = (clp_joint_course){{0, 1e-12}};
  w.segment = (clp_course_segment){0, 1, &w.course, NULL};
  for (int k = 0; k < 2; ++k) {
    clp_certify_options o = clp_default_certify_options();
    clp_certified r;
    o.tolerance = k == 0 ? 1e-15 : 1e-300;
    ck_assert_int_eq(clp_certify_motion(w.certifier, &w.segment, 1, &o, &r, &spent[k]), CLP_OK);
    ck_assert_int_eq(r.verdict, CLP_CERTIFY_CLEAR);
    ck_assert_double_le(r.distance - r.clearance, 2e-12);
  }
  ck_assert_int_le(spent[1], 2 * spent[0]);
  one_joint_destroy(&w);
}

/* A slide is a micrometer nearer in the second of three segments, and rests in each: what is proven
 * of all of them holds in that one, too, small as the bodies are. */
TEST(test_a_slide_that_jumps)
{
  const clp_body_def ball = ball_of(0.01);
  const clp_vec3 place = {0, 0, 0.03};
  const double jump = 1e-6;
  const clp_joint_course courses[] = {{{0}}, {{jump}}, {{0}}};
  const clp_course_segment segments[] = {
      {0, 1, &courses[0], NULL}, {1, 2, &courses[1], NULL}, {2, 3, &courses[2], NULL}};
  clp_certify_options o = clp_default_certify_options();
  clp_certified r;
  one_joint w;
  one_joint_make(&w, "prismatic", &ball, (clp_vec3){0, 0, 0}, &ball, &place, 1);
  ck_assert_int_eq(clp_certify_motion(w.certifier, segments, 3, &o, &r, NULL), CLP_OK);
  ck_assert_int_eq(r.verdict, CLP_CERTIFY_CLEAR);
  ck_assert_double_le(r.clearance, 0.01 - jump);
  ck_assert_double_ge(r.clearance, 0.01 - 10 * jump);
  one_joint_destroy(&w);
}

/* ---- What is refused ---------------------------------------------------------------------- */

TEST(test_refused)
{
  const clp_body_def ball = ball_of(0.1);
  const clp_vec3 place = {1, 0, 0};
  one_joint w;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){0, 0, 0}, &ball, &place, 1);
  clp_certified r = {.clearance = 7};
  clp_joint_course steps[] = {{{0, 1}}, {{1}}, {{NAN}}, {{1.01}}};
  clp_course_segment segments[] = {{0, 1, &steps[0], NULL}, {1, 2, &steps[1], NULL}};
  clp_certify_options o = clp_default_certify_options();
  ck_assert_int_eq(clp_certify_motion(w.certifier, segments, 2, &o, &r, NULL), CLP_OK);
  r.clearance = 7;
  for (int k = 2; k < 4; ++k) { /* no number, and not where the one before ends */
    segments[1].joints = &steps[k];
    ck_assert_int_eq(clp_certify_motion(w.certifier, segments, 2, &o, &r, NULL),
                     CLP_ERROR_ARGUMENT);
  }
  segments[1] = (clp_course_segment){1.5, 2, &steps[1], NULL};
  ck_assert_int_eq(clp_certify_motion(w.certifier, segments, 2, &o, &r, NULL), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_certify_motion(w.certifier, segments, 0, &o, &r, NULL), CLP_ERROR_ARGUMENT);
  o.tolerance = 0;
  ck_assert_int_eq(clp_certify_motion(w.certifier, segments, 1, &o, &r, NULL), CLP_ERROR_ARGUMENT);
  ck_assert(r.clearance == 7);
  one_joint_destroy(&w);
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* The same verdict as the motion along an edge has by itself; one edge after the other, in any
 * order. Every other one is so long that it begins clear and does not end so, or the other way. */
TEST(test_edges)
{
  enum { EDGES = 40 };
  random_state g = {.s = 77};
  const clp_body_def ball = ball_of(0.3);
  const clp_vec3 place = {0.9, 0.5, 0};
  one_joint w;
  one_joint_make(&w, "continuous", &ball, (clp_vec3){1, 0, 0}, &ball, &place, 1);
  double from[EDGES], to[EDGES];
  clp_certified_edge results[EDGES];
  clp_certify_options o = {.clearance = 0.2, .tolerance = 1e-3};
  int clear = 0;
  for (int k = 0; k < EDGES; ++k) {
    from[k] = random_between(&g, -3, 3);
    to[k] = from[k] + (k % 2 ? 6 : 1) * random_between(&g, -0.5, 0.5);
  }
  ck_assert_int_eq(clp_certify_edges(w.certifier, from, to, EDGES, &o, results), CLP_OK);
  for (int k = 0; k < EDGES; ++k) {
    clp_certified r;
    w.course = (clp_joint_course){{from[k], to[k] - from[k]}};
    w.segment = (clp_course_segment){0, 1, &w.course, NULL};
    ck_assert_int_eq(clp_certify_motion(w.certifier, &w.segment, 1, &o, &r, NULL), CLP_OK);
    bool is_clear = r.verdict == CLP_CERTIFY_CLEAR;
    ck_assert_int_eq(results[k].verdict == CLP_CERTIFY_CLEAR, is_clear);
    ck_assert_int_eq(results[k].pair, is_clear ? -1 : 0);
    if (is_clear)
      ck_assert_double_ge(results[k].clearance, o.clearance);
    else
      ck_assert_double_lt(results[k].distance, o.clearance);
    clear += is_clear;
  }
  ck_assert_int_gt(clear, EDGES / 4);
  ck_assert_int_lt(clear, EDGES);
  one_joint_destroy(&w);
}

/* The edges of random arms, long ones too: what is CLEAR has no sample that is nearer, and what is
 * not was found where it is said. */
static void check_edges(random_arm *arm, random_state *g, int samples, int counts[4])
{
  enum { EDGES = 12 };
  double from[EDGES * ARM_LINKS_MAX], to[EDGES * ARM_LINKS_MAX];
  clp_certified_edge results[EDGES];
  clp_certify_options o = {.clearance = 0.1, .tolerance = 1e-3};
  int joints = clp_joint_tree_joint_count(arm->tree);
  for (int k = 0; k < EDGES * joints; ++k) {
    from[k] = random_between(g, -2, 2);
    to[k] = from[k] + random_between(g, -1, 1) * (k / joints % 2 ? 3 : 0.3);
  }
  ck_assert_int_eq(clp_certify_edges(arm->certifier, from, to, EDGES, &o, results), CLP_OK);
  arm->segment_count = 1;
  arm->segments[0] = (clp_course_segment){0, 1, arm->courses[0], &arm->carries[0]};
  for (int k = 0; k < EDGES; ++k) {
    const clp_certified_edge *e = &results[k];
    ++counts[e->verdict];
    for (int j = 0; j < joints; ++j)
      arm->courses[0][j] =
          (clp_joint_course){{from[k * joints + j], to[k * joints + j] - from[k * joints + j]}};
    for (int i = 0; i < ARM_PAIRS && e->verdict == CLP_CERTIFY_CLEAR; ++i) {
      motion_judge judge = judge_make(arm, i);
      clp_certified claim = {.clearance = e->clearance};
      ck_assert_double_ge(e->clearance, o.clearance);
      expect_no_sample_below(arm, &judge, &claim, 1, samples, "an edge");
      judge_destroy(&judge);
    }
    if (e->verdict == CLP_CERTIFY_CLEAR || e->verdict == CLP_CERTIFY_UNDECIDED)
      continue;
    motion_judge judge = judge_make(arm, e->pair);
    ck_assert_double_lt(judge_at(arm, &judge, e->time).distance, o.clearance);
    judge_destroy(&judge);
  }
}

/* What else was asked before, in whatever order, changes nothing. */
static void check_order(random_arm *arm, random_state *g)
{
  enum { EDGES = 16 };
  double from[EDGES * ARM_LINKS_MAX], to[EDGES * ARM_LINKS_MAX];
  clp_certified_edge results[EDGES], again;
  clp_certify_options o = {.clearance = 0.1};
  int joints = clp_joint_tree_joint_count(arm->tree);
  for (int k = 0; k < EDGES * joints; ++k) {
    from[k] = random_between(g, -2, 2);
    to[k] = from[k] + random_between(g, -0.3, 0.3);
  }
  ck_assert_int_eq(clp_certify_edges(arm->certifier, from, to, EDGES, &o, results), CLP_OK);
  for (int k = EDGES - 1; k >= 0; --k) {
    const clp_certified_edge *e = &results[k];
    int at = k * joints;
    ck_assert_int_eq(clp_certify_edges(arm->certifier, from + at, to + at, 1, &o, &again), CLP_OK);
    ck_assert(again.verdict == e->verdict && again.pair == e->pair);
    ck_assert(again.clearance == e->clearance && again.time == e->time);
    ck_assert(again.distance == e->distance);
  }
}

FIXTURE_CASE("edges", RANDOM_SECONDS, make_bodies, destroy_bodies);

TEST(test_edges_of_random_arms)
{
  int counts[4] = {0};
  for (int k = 0; k < amount_of(24); ++k) {
    random_state g = {.s = (uint64_t)(400 + k)};
    random_arm arm;
    arm_make(&g, &kinds, ARM_CONVEX, &arm);
    clp_certify_world world = {arm.tree, arm.shapes, arm.pairs, ARM_PAIRS, NULL, 0};
    clp_certifier_destroy(arm.certifier);
    ck_assert_int_eq(clp_certifier_create(&world, &arm.certifier), CLP_OK);
    arm.carried = -1;
    check_edges(&arm, &g, 200, counts);
    check_order(&arm, &g);
    arm_destroy(&arm);
  }
  ck_assert_int_gt(counts[CLP_CERTIFY_CLEAR], 0);
  ck_assert_int_gt(counts[CLP_CERTIFY_NEAR], 0);
  ck_assert_int_gt(counts[CLP_CERTIFY_CONTACT], 0);
  ck_assert_int_eq(counts[CLP_CERTIFY_UNDECIDED], 0);
}
