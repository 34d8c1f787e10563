/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "support/one_monitor.h"

/* ~/safety of the whole monitor, fed with scripted transforms. */

static const char model_text[] =
    "<robot name='cell'>"
    "<link name='world'/>"
    "<link name='arm'><patches><capsule radius='0.1' length='0.4'/></patches></link>"
    "<link name='table'><patches><box size='1 1 0.1'/></patches></link>"
    "<link name='alice'><patches><capsule radius='0.2' length='1.2'/></patches></link>"
    "<link name='bob'><patches><capsule radius='0.2' length='1.2'/></patches></link>"
    "</robot>";

static void create(void)
{
  ck_assert_int_eq(create_of(model_text), CLP_OK);
}

static void enter(void)
{
  monitor_begin();
  set("robot_links", "[arm]");
  set("human_links", "[alice, bob]");
}

static void feed(const char *child, bool is_static, int64_t stamp, clp_vec3 position)
{
  clp_arrival arrival = {"world", child, stamp, position, {0, 0, 0, 1}};
  clp_monitor_feed(monitor, &arrival, 1, is_static, stamp);
}

/* ---- Who counts --------------------------------------------------------------------------- */

/* The arm rests for a second, as moving things do: it is told again and again. */
static const clp_report *rest_arm(int64_t from, double z)
{
  const clp_report *report = NULL;
  for (int k = 0; k <= 100; ++k) {
    feed("arm", false, from + k * 10 * MILLISECOND, (clp_vec3){0, 0, z});
    report = clp_monitor_cycle(monitor, from + k * 10 * MILLISECOND);
  }
  return report;
}

SUITE("safety");

FIXTURE_CASE("scenarios", 20, enter, leave);

/* A stale pair of obstacles stops nobody, and things need not be as far away as people. */
TEST(only_the_robot_counts)
{
  set("pairs", "['arm:table', 'table:bob']");
  create();
  feed("table", true, 0, (clp_vec3){0, 0, -0.05});
  const clp_report *report = rest_arm(BEGIN, 1);
  ck_assert_uint_eq(report->stale, 1);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_CLEAR);
  ck_assert_double_eq(report->safety.speed_scale, 1);
  ck_assert_double_eq_tol(report->safety.separation, 0.7, 1e-6);
  ck_assert_double_eq_tol(report->safety.required_separation, 0.17, 1e-9);
  ck_assert_double_eq(report->pairs[0].required, report->safety.required_separation);
  ck_assert_double_eq(report->pairs[1].required, -HUGE_VAL);
  report = rest_arm(BEGIN + 2 * SECOND, 0.68);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_WARN);
  ck_assert_double_eq_tol(report->safety.speed_scale, 0.5, 1e-4);
  report = rest_arm(BEGIN + 4 * SECOND, 0.46);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report->safety.speed_scale, 0);
}

/* A body that samples vouch for stops the robot wherever it may be near, and where it is not near
 * by what holds it does not. */
TEST(what_is_not_proven_is_stop)
{
  said = (lines){0};
  set("model", TEST_DATA_DIR "/sampled.urdf");
  set("human_links", "[head]");
  set("range", "10");
  ck_assert_int_eq(clp_monitor_create(&settings, NULL, 0, lines_sink(&said), &monitor), CLP_OK);
  feed("roof", true, BEGIN, (clp_vec3){0, 0, -20});
  feed("head", true, BEGIN, (clp_vec3){0, 0, 9});
  const clp_report *report = rest_arm(BEGIN, 0.46);
  ck_assert_msg(report->safety.zone != CLP_ZONE_STOP, "%s", report->safety.reason);
  feed("roof", true, BEGIN, (clp_vec3){0, 0, -1});
  report = rest_arm(BEGIN + 2 * SECOND, 0.46);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_msg(strstr(report->safety.reason, "not certified, such as roof and arm"), "%s",
                report->safety.reason);
}

/* ---- Scenarios ---------------------------------------------------------------------------- */

/* The arm and the people are upright capsules on scripted ways; each tells its pose at its own
 * period, except while it is silent. */
enum { ARM, ALICE, BOB, LINKS };
static const char *const names[LINKS] = {"arm", "alice", "bob"};
static const double radii[LINKS] = {0.1, 0.2, 0.2}, lengths[LINKS] = {0.4, 1.2, 1.2};

typedef clp_vec3 (*way)(double t);

typedef struct script {
  way ways[LINKS];
  int period[LINKS]; /* ms */
  double silent_from[LINKS], silent_to[LINKS];
} script;

static clp_vec3 arm_rests(double t)
{
  (void)t;
  return (clp_vec3){0, 0, 1};
}

static clp_vec3 far_away(double t)
{
  return (clp_vec3){6, 4 + 0.1 * sin(t), 1};
}

/* A trace: whenever the zone changes, when and why. */
typedef struct change {
  int64_t time;
  clp_zone zone;
  char reason[400], body[16];
} change;

#define MAX_CHANGES 64
static change changes[MAX_CHANGES];
static int change_count;
static double fastest_rise, last_scale;

/* By the ways alone. */
static double true_distance(const script *s, int other, double t)
{
  clp_vec3 p = s->ways[ARM](t), q = s->ways[other](t);
  double above = fabs(p.z - q.z) - (lengths[ARM] + lengths[other]) / 2;
  return hypot(hypot(p.x - q.x, p.y - q.y), fmax(0, above)) - radii[ARM] - radii[other];
}

/* With the speeds of the true distance, taken apart. */
static double truly_required(const script *s, int other, double t)
{
  const double h = 1e-5;
  clp_vec3 p = s->ways[ARM](t), q = s->ways[other](t);
  clp_vec3 towards = clp_unit((clp_vec3){q.x - p.x, q.y - p.y, 0});
  double v_r = clp_dot(towards, clp_sub(s->ways[ARM](t + h), s->ways[ARM](t - h))) / (2 * h);
  double v_h = -clp_dot(towards, clp_sub(s->ways[other](t + h), s->ways[other](t - h))) / (2 * h);
  return fmax(settings.human_speed, v_h) * (settings.reaction_time + settings.stopping_time) +
         fmax(0, v_r) * settings.reaction_time + settings.stopping_distance + settings.intrusion +
         settings.position_uncertainty;
}

/* No cycle may say anything but STOP while anybody is closer than required, and nothing may be
 * faster than the rise; what is said is traced. */
static void check_cycle(const script *s, const clp_report *report, double t)
{
  const clp_safety *safety = &report->safety;
  for (int k = ALICE; k < LINKS; ++k)
    if (true_distance(s, k, t) < truly_required(s, k, t))
      ck_assert_msg(safety->zone == CLP_ZONE_STOP, "late at %g s: %s is at %g m; %s", t, names[k],
                    true_distance(s, k, t), safety->reason);
  ck_assert((safety->zone == CLP_ZONE_STOP) <= (safety->speed_scale == 0));
  ck_assert((safety->zone == CLP_ZONE_CLEAR) <= (safety->speed_scale == 1));
  fastest_rise = fmax(fastest_rise, safety->speed_scale - last_scale);
  last_scale = safety->speed_scale;
  if (change_count > 0 && changes[change_count - 1].zone == safety->zone)
    return;
  ck_assert_int_lt(change_count, MAX_CHANGES);
  change *c = &changes[change_count++];
  *c = (change){.time = report->stamp, .zone = safety->zone};
  snprintf(c->reason, sizeof c->reason, "%s", safety->reason);
  snprintf(c->body, sizeof c->body, "%s", safety->body_b);
}

static const clp_report *step(const script *s, int k)
{
  int64_t now = BEGIN + k * MILLISECOND;
  double t = 0.001 * k;
  for (int link = 0; link < LINKS; ++link)
    if (k % s->period[link] == 0 && !(t >= s->silent_from[link] && t < s->silent_to[link]))
      feed(names[link], false, now, s->ways[link](t));
  const clp_report *report = clp_monitor_cycle(monitor, now);
  check_cycle(s, report, t);
  return report;
}

static const clp_report *play(const script *s, double from, double to)
{
  const clp_report *report = NULL;
  for (int k = (int)lround(1000 * from); k < (int)lround(1000 * to); ++k)
    report = step(s, k);
  ck_assert_double_le(fastest_rise, 0.002 + 1e-9);
  return report;
}

static void begin(void)
{
  set("pairs", "['arm:alice', 'arm:bob']");
  set("robot_speed", "0.6");
  create();
  change_count = 0;
  fastest_rise = last_scale = 0;
}

static void expect_change(int k, clp_zone zone, const char *body, const char *reason)
{
  ck_assert_msg(k < change_count, "only %d changes, the last: %s", change_count,
                changes[change_count - 1].reason);
  ck_assert_msg(changes[k].zone == zone && strcmp(changes[k].body, body) == 0 &&
                    strstr(changes[k].reason, reason),
                "change %d at %.3f s: zone %d, %s, %s", k, 1e-9 * (double)(changes[k].time - BEGIN),
                changes[k].zone, changes[k].body, changes[k].reason);
}

static double time_of(int k)
{
  return 1e-9 * (double)(changes[k].time - BEGIN);
}

/* The first second: stale for want of anything, held, rising, clear. */
static void expect_start(void)
{
  expect_change(0, CLP_ZONE_STOP, "alice", "held 0.2 s more");
  expect_change(1, CLP_ZONE_WARN, "alice", "warn: separation");
  expect_change(2, CLP_ZONE_CLEAR, "alice", "clear: separation");
  ck_assert_double_eq_tol(time_of(1), 0.2, 0.002);
  ck_assert_double_eq_tol(time_of(2), 0.7, 0.003);
}

/* From 5 m to 0.7 m, where she looks on for two seconds, and back. */
static clp_vec3 walks_in(double t)
{
  double x = t < 1 ? 5 : fmax(0.7, 5 - 1.2 * (t - 1));
  return (clp_vec3){t < 7 ? x : fmin(5, 0.7 + 1.2 * (t - 7)), 0.1, 1};
}

TEST(a_person_walks_in)
{
  script s = {{arm_rests, walks_in, far_away}, {10, 10, 10}, {0}, {0}};
  begin();
  play(&s, 0, 11);
  expect_start();
  ck_assert_int_eq(change_count, 7);
  expect_change(3, CLP_ZONE_WARN, "alice", "warn: separation");
  expect_change(4, CLP_ZONE_STOP, "alice", "required 0.97 m");
  expect_change(5, CLP_ZONE_WARN, "alice", "warn: separation");
  expect_change(6, CLP_ZONE_CLEAR, "alice", "clear: separation");
  /* The bound is late by nothing, and early by no more than both ages and prediction. */
  double near = 5 - 0.3 - 0.97, at = 1 + near / 1.2;
  ck_assert_double_le(time_of(4), at);
  ck_assert_double_ge(time_of(4), at - (2 + 2 + 1.2) * 0.01 / 1.2 - 0.002);
}

/* From 6 m, half as fast again as max_speed allows. */
static clp_vec3 runs_in(double t)
{
  return (clp_vec3){t < 1 ? 6 : fmax(0.7, 6 - 3 * (t - 1)), 0, 1};
}

TEST(a_person_is_faster_than_max_speed)
{
  script s = {{arm_rests, runs_in, far_away}, {10, 10, 10}, {0}, {0}};
  begin();
  ck_assert_double_eq(settings.max_speed, 2);
  play(&s, 0, 3);
  expect_start();
  expect_change(4, CLP_ZONE_STOP, "alice", "required 1.53 m");
}

/* Of a link that has paused it is not known where to it goes, only how fast it has been. */
TEST(a_person_jumps_while_nobody_looks)
{
  set("pairs", "['arm:alice']");
  set("robot_links", "[arm]");
  create();
  feed("arm", true, 0, (clp_vec3){0, 0, 1});
  feed("alice", false, BEGIN - 500 * MILLISECOND, (clp_vec3){8, 0, 1});
  feed("alice", false, BEGIN, (clp_vec3){5, 0, 1});
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN);
  ck_assert_double_eq_tol(report->safety.required_separation, 6 * 0.4 + 0.27, 1e-9);
}

/* Alice stands there; the arm moves towards her, and away: receding earns nothing. */
static clp_vec3 stands_near(double t)
{
  (void)t;
  return (clp_vec3){1.6, 0, 1};
}

static clp_vec3 stands_nearer(double t)
{
  (void)t;
  return (clp_vec3){1.4, 0, 1};
}

static clp_vec3 arm_comes_and_goes(double t)
{
  return (clp_vec3){t < 1 ? -0.6 : -0.3 * (1 + cos(2 * (t - 1))), 0, 1};
}

TEST(the_robot_retreats)
{
  script s = {{arm_comes_and_goes, stands_nearer, far_away}, {4, 10, 10}, {0}, {0}};
  set("warn_distance", "0.3");
  begin();
  play(&s, 0, 4.14);
  expect_start();
  ck_assert_int_eq(change_count, 5);
  expect_change(3, CLP_ZONE_WARN, "alice", "warn: separation");
  expect_change(4, CLP_ZONE_CLEAR, "alice", "clear: separation");
  set("robot_speed", "0.0");
  set("stop_distance", "1.1");
  set("warn_distance", "1.3");
  begin();
  play(&s, 0, 4.14);
  ck_assert_int_eq(change_count, 7);
  expect_change(4, CLP_ZONE_STOP, "alice", "required 1.1 m");
  expect_change(5, CLP_ZONE_WARN, "alice", "warn: separation");
}

TEST(a_sensor_drops_out)
{
  script s = {{arm_rests, stands_near, far_away}, {10, 10, 10}, {0}, {0}};
  s.silent_from[BOB] = 2;
  s.silent_to[BOB] = 2.5;
  set("warn_distance", "0.3");
  begin();
  play(&s, 0, 4);
  expect_start();
  ck_assert_int_eq(change_count, 6);
  expect_change(3, CLP_ZONE_STOP, "bob",
                "1 pair is stale, such as arm and bob: none of bob for 0.1");
  ck_assert_double_eq_tol(time_of(3), 1.99 + 0.101, 1e-9);
  expect_change(4, CLP_ZONE_WARN, "alice", "speed still rising");
  ck_assert_double_eq_tol(time_of(4), 2.5 - 0.001 + 0.2, 1e-9);
  expect_change(5, CLP_ZONE_CLEAR, "alice", "clear");
}

static clp_vec3 stands_aside(double t)
{
  (void)t;
  return (clp_vec3){1.8, 0, 1};
}

/* Stale for half of the time is STOP for all of it. If old poses are allowed, their bounds tell. */
TEST(transforms_slow_down_to_5_hz)
{
  script fast = {{arm_rests, stands_aside, far_away}, {10, 10, 10}, {0}, {0}}, slow = fast;
  slow.period[ALICE] = slow.period[BOB] = 200;
  set("warn_distance", "0.3");
  begin();
  play(&fast, 0, 2);
  play(&slow, 2, 5);
  expect_start();
  ck_assert_int_eq(change_count, 4);
  expect_change(3, CLP_ZONE_STOP, "alice", "2 pairs are stale");
  ck_assert_double_eq_tol(time_of(3), 2.101, 1e-9);
  set("stale_after", "0.5");
  begin();
  play(&fast, 0, 2);
  const clp_report *report = play(&slow, 2, 5);
  ck_assert_int_eq(change_count, 4);
  expect_change(3, CLP_ZONE_WARN, "alice", "warn: separation");
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_WARN);
  ck_assert_double_lt(report->safety.speed_scale, 0.7);
}

/* Bob, who is farther away, runs: he decides before he is the nearer one. */
static clp_vec3 strolls(double t)
{
  return (clp_vec3){0, 1.7 + 0.1 * sin(t), 1};
}

static clp_vec3 runs(double t)
{
  double x = t < 1 ? 5 : fmax(0.6, 5 - 3 * (t - 1));
  return (clp_vec3){x, 0, 1};
}

TEST(two_people)
{
  script s = {{arm_rests, strolls, runs}, {10, 10, 10}, {0}, {0}};
  set("max_speed", "3.5");
  set("warn_distance", "0.3");
  begin();
  const clp_report *report = NULL;
  int by_bob_beyond_alice = 0;
  for (int k = 0; k < 3000; ++k) {
    double t = 0.001 * k;
    report = step(&s, k);
    double margins[LINKS] = {0};
    for (int p = ALICE; p < LINKS; ++p)
      margins[p] = true_distance(&s, p, t) - truly_required(&s, p, t);
    bool bob = strcmp(report->safety.body_b, "bob") == 0;
    /* Bounds and smoothed speeds blur the truth by less than this. */
    if (fabs(margins[BOB] - margins[ALICE]) > 0.1 && fabs(t - 1) > 0.05)
      ck_assert_msg(bob == (margins[BOB] < margins[ALICE]), "at %g s: %s", t,
                    report->safety.reason);
    by_bob_beyond_alice += bob && true_distance(&s, BOB, t) > true_distance(&s, ALICE, t);
  }
  ck_assert_int_gt(by_bob_beyond_alice, 50);
  expect_change(change_count - 1, CLP_ZONE_STOP, "bob", "required 1.53 m");
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
}

/* With somebody near a new monitor knows nothing yet, and says STOP from its first cycle on. */
TEST(the_monitor_is_restarted)
{
  script s = {{arm_rests, walks_in, far_away}, {10, 10, 10}, {0}, {0}};
  set("robot_speed", "0.0");
  begin();
  play(&s, 0, 2);
  ck_assert_int_eq(clp_monitor_last(monitor, BEGIN + 2 * SECOND)->safety.zone, CLP_ZONE_STOP);
  create();
  last_scale = 0;
  play(&s, 2.001, 2.3);
  expect_start();
  expect_change(3, CLP_ZONE_STOP, "alice", "pairs are stale");
  expect_change(4, CLP_ZONE_WARN, "alice", "speed still rising");
  ck_assert_double_eq_tol(time_of(4), 2.2 + 0.01, 0.002);
}

/* ---- What is not looked at ---------------------------------------------------------------- */

/* A range shorter than what is required changes no decision. */
TEST(range_does_not_limit_safety)
{
  script s = {{arm_rests, walks_in, far_away}, {10, 10, 10}, {0}, {0}};
  change all[MAX_CHANGES];
  begin();
  play(&s, 0, 11);
  int count = change_count;
  memcpy(all, changes, sizeof all);
  set("range", "0.3");
  begin();
  const clp_report *report = play(&s, 0, 11);
  ck_assert_int_eq(report->pair_count, 0);
  ck_assert_uint_eq(report->culled, 2);
  ck_assert_int_eq(change_count, count);
  for (int k = 0; k < count; ++k) {
    ck_assert_int_eq(changes[k].zone, all[k].zone);
    ck_assert_int_eq(changes[k].time, all[k].time);
  }
}

TEST(pairs_without_their_turn_are_stop)
{
  script s = {{arm_rests, stands_near, far_away}, {10, 10, 10}, {0}, {0}};
  set("max_pairs_per_cycle", "1");
  begin();
  const clp_report *report = play(&s, 0, 1);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_ptr_nonnull(strstr(report->safety.reason, "1 pair is not covered in this cycle"));
  ck_assert_int_eq(change_count, 1);
}

TEST(parameters_change_at_once)
{
  script s = {{arm_rests, stands_near, far_away}, {10, 10, 10}, {0}, {0}};
  set("warn_distance", "0.3");
  begin();
  play(&s, 0, 1);
  ck_assert_int_eq(changes[change_count - 1].zone, CLP_ZONE_CLEAR);
  set("stop_distance", "2.5");
  ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
  const clp_report *report = step(&s, 1000);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report->safety.required_separation, 2.5);
  set("stop_distance", "0.1");
  ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
  report = play(&s, 1.001, 1.2);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP); /* held */
  report = play(&s, 1.2, 2);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_CLEAR);
}
