/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/force.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "support/one_monitor.h"
#include "support/random.h"

static const clp_force_law law = {500, 10, 0.1};

/* ---- The formula -------------------------------------------------------------------------- */

/* As it stands in the documentation. */
static double formula(clp_force_law l, double distance, double rate)
{
  if (distance >= l.engage_distance)
    return 0;
  double depth = l.engage_distance - distance;
  double c = depth < l.engage_distance / 4 ? 4 * l.damping * depth / l.engage_distance : l.damping;
  double f = l.stiffness * depth - c * rate;
  return f > 0 ? f : 0;
}

SUITE("force");

TEST_CASE("formula", 10);

TEST(the_force_is_the_formula)
{
  random_state g = {1};
  for (int k = 0; k < 20000; ++k) {
    double distance = random_between(&g, -0.3, 0.2), rate = random_between(&g, -9, 9);
    double f = clp_force_magnitude(law, distance, rate);
    ck_assert_double_eq_tol(f, formula(law, distance, rate), 1e-12);
    ck_assert_double_ge(f, 0);
  }
  ck_assert_double_eq(clp_force_magnitude(law, 0.1, -1000), 0);
  ck_assert_double_eq(clp_force_magnitude(law, (double)NAN, 0), 0);
  ck_assert_double_eq_tol(clp_force_magnitude(law, -1, 0), 550, 1e-12);
  ck_assert_double_eq(clp_force_magnitude((clp_force_law){500, 10, 0}, 0, -1), 0);
}

/* No step anywhere, at the zone's edge and at the touch neither: differences over ever smaller
 * changes stay below the slopes that the formula has. */
TEST(the_force_is_continuous)
{
  random_state g = {2};
  for (int k = 0; k < 20000; ++k) {
    double rate = random_between(&g, -5, 5), h = pow(10, random_between(&g, -12, -2));
    double distance = k % 3 == 0 ? random_between(&g, -0.2, 0.2)
                                 : (k % 3 == 1 ? 0.1 : 0) - random_between(&g, 0, h);
    double slope = law.stiffness + 4 * law.damping * fabs(rate) / law.engage_distance;
    double here = clp_force_magnitude(law, distance, rate);
    ck_assert_double_le(fabs(clp_force_magnitude(law, distance + h, rate) - here),
                        slope * h + 1e-12);
    ck_assert_double_le(fabs(clp_force_magnitude(law, distance, rate + h) - here),
                        law.damping * h + 1e-12);
  }
}

TEST(a_push_is_away_from_the_other_body)
{
  random_state g = {3};
  for (int k = 0; k < 2000; ++k) {
    clp_closest_point pair = {.status = k % 2 ? CLP_TRACKING : CLP_PENETRATING,
                              .distance = random_between(&g, -0.1, 0.15),
                              .distance_rate = random_between(&g, -2, 2),
                              .point_a = random_direction(&g),
                              .normal = random_direction(&g)};
    pair.point_b = clp_add_scaled(pair.point_a, pair.distance, pair.normal);
    clp_vec3 origin = random_direction(&g);
    clp_wrench on_a = clp_force_wanted(law, &pair, false, origin);
    clp_wrench on_b = clp_force_wanted(law, &pair, true, origin);
    double f = formula(law, pair.distance, pair.distance_rate);
    ck_assert_double_eq_tol(clp_dot(on_b.force, pair.normal), f, 1e-9);
    ck_assert_double_lt(clp_distance(on_a.force, clp_negate(on_b.force)), 1e-12);
    /* Both act along one line, so the torques cancel, too. */
    ck_assert_double_lt(clp_norm(clp_add(on_a.torque, on_b.torque)), 1e-9);
    ck_assert_double_lt(fabs(clp_dot(on_b.torque, on_b.force)), 1e-7);
    pair.status = k % 2 ? CLP_CONVERGING : CLP_OUT_OF_RANGE;
    ck_assert_double_eq(clp_norm(clp_force_wanted(law, &pair, true, origin).force), 0);
  }
}

/* Each number of a pair in turn is none, or beyond all; the next push is as if nothing had been. */
TEST(what_is_not_finite_does_not_push)
{
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  const clp_closest_point good = {
      .status = CLP_TRACKING, .distance = 0.05, .point_b = {0, 0, 0.05}, .normal = {0, 0, 1}};
  for (int k = 0; k < 3; ++k) {
    clp_closest_point pairs[] = {good, good, good, good, good};
    pairs[0].distance = pairs[1].distance_rate = pairs[2].normal.x = pairs[3].point_b.y = bad[k];
    pairs[4].normal.y = bad[k];
    pairs[4].distance = 1; /* beyond the zone: no force, times no number */
    for (int j = 0; j < 5; ++j) {
      clp_wrench push = clp_force_wanted(law, &pairs[j], true, (clp_vec3){1, 0, 0});
      ck_assert(isfinite(clp_norm(push.force)) && isfinite(clp_norm(push.torque)));
      clp_wrench next = clp_force_wanted(law, &good, true, (clp_vec3){1, 0, 0});
      for (int i = 0; i < 100; ++i)
        push = clp_force_towards(law, push, next, 1e-3, 2);
      ck_assert_double_eq_tol(push.force.z, 25, 1e-9);
    }
  }
}

/* ---- The way from push to push ------------------------------------------------------------ */

static clp_wrench random_push(random_state *g, double most)
{
  double size = random_between(g, 0, most), length = random_between(g, 0, 0.3);
  clp_vec3 force = clp_scale(size, random_direction(g));
  clp_vec3 arm = clp_scale(length, random_direction(g));
  return (clp_wrench){force, clp_cross(arm, force)};
}

TEST(a_push_moves_straight_and_no_faster_than_the_ramp)
{
  random_state g = {4};
  double full = law.stiffness * law.engage_distance;
  for (int k = 0; k < 5000; ++k) {
    clp_wrench from = random_push(&g, 2 * full), wanted = random_push(&g, 2 * full);
    double step = random_between(&g, 0, 0.002);
    double most = fmax(full, clp_norm(from.force)) * step / CLP_FORCE_RAMP;
    clp_wrench to = clp_force_towards(law, from, wanted, step, 0.3);
    ck_assert_double_le(clp_distance(from.force, to.force), most + 1e-12);
    ck_assert_double_le(clp_distance(from.torque, to.torque), 0.3 * most + 1e-12);
    double left = clp_distance(to.force, wanted.force) + clp_distance(from.force, to.force);
    ck_assert_double_eq_tol(left, clp_distance(from.force, wanted.force), 1e-9);
  }
}

TEST(a_push_comes_and_goes_within_the_ramp)
{
  clp_wrench none = {{0, 0, 0}, {0, 0, 0}}, full = {{50, 0, 0}, {0, 15, 0}}, now = none;
  for (int k = 1; k <= 20; ++k) {
    now = clp_force_towards(law, now, full, 0.001, 0.3);
    ck_assert_double_eq_tol(now.force.x, 2.5 * k, 1e-9);
    ck_assert_double_eq_tol(now.torque.y, 0.75 * k, 1e-9);
  }
  for (int k = 1; k <= 21; ++k)
    now = clp_force_towards(law, now, none, 0.001, 0.3);
  ck_assert_double_eq(clp_norm(now.force) + clp_norm(now.torque), 0);
  now = full;
  for (int k = 0; k < 400; ++k) /* gains that ask for nothing do not keep it up */
    now = clp_force_towards((clp_force_law){0, 0, 0}, now, none, 0.001, 0.3);
  ck_assert_double_lt(clp_norm(now.force), 1e-6);
  ck_assert_double_eq(clp_force_towards(law, none, full, 0, 0.3).force.x, 0);
}

/* ---- The limit ---------------------------------------------------------------------------- */

/* What a sampled, delayed and held force takes in (J) while something is pressed from the zone's
 * edge to a depth and let go at one speed. The motion is given, the force is what the formula makes
 * of samples: nothing of the derivation is used. */
static double energy_of_a_press(clp_force_law l, double depth, double cycle, double latency,
                                double speed)
{
  enum { PARTS = 200 }; /* of a cycle */
  double half = depth / speed, taken = 0;
  int cycles = (int)((2 * half + latency) / cycle) + 2;
  for (int k = 0; k < cycles; ++k) {
    double sampled = k * cycle - latency;
    bool outside = sampled < 0 || sampled > 2 * half;
    double rate = outside ? 0 : sampled < half ? -speed : speed;
    double in = outside ? 0 : depth - fabs(half - sampled) * speed;
    double force = clp_force_magnitude(l, l.engage_distance - in, rate);
    for (int p = 0; p < PARTS; ++p) {
      double t = (k + (p + 0.5) / PARTS) * cycle;
      taken += t > 2 * half ? 0 : (t < half ? 1 : -1) * force * speed * cycle / PARTS;
    }
  }
  return taken;
}

TEST(at_the_limit_a_press_gives_back_what_it_took)
{
  static const struct {
    double cycle, latency, damping;
  } cases[] = {{0.001, 0, 5}, {0.001, 0.002, 10}, {0.002, 0.005, 20}, {0.01, 0, 10}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    double cycle = cases[k].cycle, latency = cases[k].latency, quarter = 0.025;
    double limit = clp_force_stiffness_limit(cases[k].damping, cycle, latency);
    double delay = 0.5 * cycle + latency, speed = 0.01 * quarter / delay; /* slow against it */
    clp_force_law at = {limit, cases[k].damping, 4 * quarter}, below = at, above = at;
    below.stiffness *= 0.9;
    above.stiffness *= 1.1;
    double noticed = 0.05 * 2 * speed * limit * delay * quarter;
    ck_assert_double_lt(fabs(energy_of_a_press(at, quarter, cycle, latency, speed)), noticed);
    ck_assert_double_gt(energy_of_a_press(below, quarter, cycle, latency, speed), noticed);
    ck_assert_double_lt(energy_of_a_press(above, quarter, cycle, latency, speed), -noticed);
    for (int deep = 2; deep < 7; ++deep)
      ck_assert_double_gt(energy_of_a_press(at, deep * quarter, cycle, latency, speed), noticed);
  }
  ck_assert_double_eq_tol(clp_force_stiffness_limit(10, 0.001, 0.002), 2000, 1e-9);
}

/* ---- Through the tracker ------------------------------------------------------------------ */

/* A flange that carries a palm and, fixed to that, a finger; obstacles of every kind around. */
static const char model_text[] =
    "<robot name='test'>"
    "<link name='world'/><link name='flange'/>"
    "<link name='palm'><patches><box size='0.1 0.08 0.06'/></patches></link>"
    "<link name='finger'><patches><cylinder radius='0.01' length='0.1'/></patches></link>"
    "<joint name='p' type='fixed'><parent link='flange'/><child link='palm'/></joint>"
    "<joint name='f' type='fixed'><parent link='palm'/><child link='finger'/></joint>"
    "<link name='block'><patches><box size='0.3 0.2 0.1'/></patches></link>"
    "<link name='post'><patches><cylinder radius='0.05' length='0.3'/></patches></link>"
    "<link name='ball'><patches><ellipsoid radii='0.1 0.07 0.05'/></patches></link>"
    "</robot>";

static clp_status create(void)
{
  return create_of(model_text);
}

static void enter(void)
{
  monitor_begin();
  set("wrench_tool", "flange");
  set("max_speed", "10");
}

static void feed(const char *parent, const char *child, bool is_static, int64_t stamp, clp_vec3 p,
                 clp_quaternion q)
{
  clp_arrival arrival = {parent, child, is_static ? 0 : stamp, p, q};
  clp_monitor_feed(monitor, &arrival, 1, is_static, stamp);
}

static const clp_quaternion upright = {0, 0, 0, 1};

/* The palm 5 cm before the flange, the finger 10 cm before the palm. */
static void build_hand(void)
{
  feed("flange", "palm", true, BEGIN, (clp_vec3){0, 0, 0.05}, upright);
  feed("palm", "finger", true, BEGIN, (clp_vec3){0.03, 0, 0.08}, upright);
}

static void build_cell(void)
{
  build_hand();
  feed("world", "block", true, BEGIN, (clp_vec3){0, 0, 0}, upright);
  feed("world", "post", true, BEGIN, (clp_vec3){0.35, 0, 0}, upright);
  feed("world", "ball", true, BEGIN, (clp_vec3){0, 0.35, 0.05}, upright);
}

typedef struct place {
  clp_vec3 position;
  clp_quaternion orientation;
} place;

static place flange;

static clp_wrench cycle_at(int k)
{
  int64_t now = BEGIN + k * MILLISECOND;
  feed("world", "flange", false, now, flange.position, flange.orientation);
  return clp_monitor_cycle(monitor, now)->wrench;
}

static bool is_of_hand(const char *link)
{
  return strcmp(link, "palm") == 0 || strcmp(link, "finger") == 0;
}

/* What the reported pairs add up to about the flange, by the formula, as components of arms and
 * forces. */
static clp_wrench sum_of_pairs(const clp_report *report, clp_force_law l, clp_vec3 origin)
{
  clp_wrench sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < report->pair_count; ++k) {
    const clp_closest_point *pair = &report->pairs[k];
    bool a = is_of_hand(pair->body_a), b = is_of_hand(pair->body_b);
    if (a == b || (pair->status != CLP_TRACKING && pair->status != CLP_PENETRATING))
      continue;
    double f = formula(l, pair->distance, pair->distance_rate) * (b ? 1 : -1);
    clp_vec3 F = {f * pair->normal.x, f * pair->normal.y, f * pair->normal.z};
    clp_vec3 p = b ? pair->point_b : pair->point_a;
    clp_vec3 r = {p.x - origin.x, p.y - origin.y, p.z - origin.z};
    sum.force = (clp_vec3){sum.force.x + F.x, sum.force.y + F.y, sum.force.z + F.z};
    sum.torque =
        (clp_vec3){sum.torque.x + r.y * F.z - r.z * F.y, sum.torque.y + r.z * F.x - r.x * F.z,
                   sum.torque.z + r.x * F.y - r.y * F.x};
  }
  return sum;
}

/* A slow random flight of the hand among the obstacles, turning as it goes. */
static void fly(double t)
{
  flange.position = (clp_vec3){0.25 * sin(1.3 * t) + 0.12, 0.25 * cos(0.9 * t) + 0.05,
                               0.12 + 0.08 * sin(2.1 * t)};
  clp_vec3 turn = {1.5 + sin(0.7 * t), cos(1.1 * t), 2 * sin(0.4 * t)};
  flange.orientation = clp_quaternion_turned(upright, turn);
}

FIXTURE_CASE("tracker", 20, enter, leave);

/* The sum of what the pairs ask for, wherever nothing has jumped; in the tool's axes and in
 * another frame's. */
LOOP_TEST(the_wrench_is_the_sum_about_the_tool, 0, 3)
{
  static const char *const frames[] = {"", "world", "camera"};
  clp_quaternion tilted = clp_quaternion_turned(upright, (clp_vec3){0.3, -1, 2});
  set("wrench_frame", frames[_i]);
  ck_assert_int_eq(create(), CLP_OK);
  build_cell();
  feed("world", "camera", true, BEGIN, (clp_vec3){3, 2, 1}, tilted);
  int pushed = 0, checked = 0;
  for (int k = 0; k < 4000; ++k) {
    fly(1e-3 * k);
    clp_wrench wrench = cycle_at(k);
    const clp_report *report = clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND);
    clp_wrench sum = sum_of_pairs(report, law, flange.position);
    clp_quaternion axes = _i == 0 ? flange.orientation : _i == 1 ? upright : tilted;
    clp_mat3 R = clp_quaternion_rotation(axes);
    double off = clp_distance(clp_rotate(R, wrench.force), sum.force) +
                 clp_distance(clp_rotate(R, wrench.torque), sum.torque);
    pushed += clp_norm(sum.force) > 1;
    checked += clp_norm(sum.force) > 1 && off < 1e-6 * clp_norm(sum.force);
  }
  ck_assert_int_gt(pushed, 1000);
  ck_assert_msg(checked > 0.95 * pushed, "%d of %d", checked, pushed);
}

/* Whatever happens, with features and nearest parts changing all the time: no step beyond the
 * bound, and outside of the zone nothing. */
LOOP_TEST(no_step_is_larger_than_the_bound, 0, 4)
{
  set("wrench_frame", "world");
  ck_assert_int_eq(create(), CLP_OK);
  build_cell();
  random_state g = {(uint64_t)_i + 10};
  double full = law.stiffness * law.engage_distance, offset = random_between(&g, 0, 50);
  double speed = random_between(&g, 0.5, 4), largest = 0;
  clp_wrench last = {{0, 0, 0}, {0, 0, 0}};
  long transitions = 0;
  uint32_t features[8] = {0};
  for (int k = 0; k < 3000; ++k) {
    fly(offset + 1e-3 * speed * k);
    clp_wrench wrench = cycle_at(k);
    /* At most six pairs of the hand push; each by the bound of what it is. */
    double most = 6 * fmax(full, clp_norm(last.force)) * 1e-3 / CLP_FORCE_RAMP;
    ck_assert_double_le(clp_distance(wrench.force, last.force), most + 1e-9);
    ck_assert_double_le(clp_distance(wrench.torque, last.torque), 0.5 * most + 1e-9);
    largest = fmax(largest, clp_distance(wrench.force, last.force));
    last = wrench;
    const clp_report *report = clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND);
    for (int p = 0; p < report->pair_count && p < 8; ++p) {
      transitions += report->pairs[p].feature_a != features[p];
      features[p] = report->pairs[p].feature_a;
    }
  }
  ck_assert_int_gt(transitions, 20);
  ck_assert_double_gt(largest, 0);
}

/* One pair, apart: no pull, whichever way the hand moves and turns, and whether it came from a
 * face, over an edge or past a corner. */
LOOP_TEST(never_attractive, 0, 4)
{
  set("wrench_frame", "world");
  set("pairs", "['finger:block']");
  ck_assert_int_eq(create(), CLP_OK);
  build_cell();
  random_state g = {(uint64_t)_i + 40};
  clp_vec3 position = {0.1, 0.1, 0.25}, velocity = {0, 0, 0}, spin = {0, 0, 0};
  flange.orientation = (clp_quaternion){1, 0, 0, 0}; /* fingers down */
  int pushed = 0, kinds[3] = {0};
  for (int k = 0; k < 6000; ++k) {
    if (k % 60 == 0) {
      /* Towards the rim of the block, now here, now there. */
      double angle = random_between(&g, 0, 6.3), haste = random_between(&g, 0, 2);
      clp_vec3 rim = {0.25 * cos(angle), 0.2 * sin(angle), 0.2};
      velocity = clp_scale(haste, clp_sub(rim, position));
      velocity = clp_add_scaled(velocity, 0.3, random_direction(&g));
      double turning = random_between(&g, 0, 2);
      spin = clp_scale(turning, random_direction(&g));
    }
    position = clp_add_scaled(position, 1e-3, velocity);
    flange = (place){position, clp_quaternion_turned(flange.orientation, clp_scale(1e-3, spin))};
    clp_wrench wrench = cycle_at(k);
    const clp_closest_point *pair = &clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND)->pairs[0];
    if (pair->distance < 0.005) { /* back out along the normal, so that it stays apart */
      velocity = clp_scale(-0.5, pair->normal);
      continue;
    }
    double push = -clp_dot(wrench.force, pair->normal);
    ck_assert_msg(push >= -1e-9, "%g at %d, distance %g", push, k, pair->distance);
    if (pair->distance > law.engage_distance + 0.02)
      ck_assert_double_eq(clp_norm(wrench.force), 0);
    pushed += push > 0;
    ++kinds[pair->kind_b];
  }
  ck_assert_int_gt(pushed, 500);
  ck_assert_msg(kinds[CLP_EDGE] > 20, "%d %d %d", kinds[0], kinds[1], kinds[2]);
}

/* Around a corner of the block at a constant distance: face, edge, vertex, edge, face. The normal
 * turns steadily, so the force, too, follows it without being held up. */
TEST(around_an_edge_the_force_turns_with_the_normal)
{
  set("wrench_frame", "world");
  set("pairs", "['palm:block']");
  ck_assert_int_eq(create(), CLP_OK);
  build_cell();
  flange.orientation = clp_quaternion_turned(upright, (clp_vec3){0.2, 0.3, 0.1});
  double largest = 0;
  int switches = 0, kind = -1;
  clp_wrench last = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < 3000; ++k) {
    double angle = 1e-3 * k - 0.7;
    flange.position = (clp_vec3){0.15 + 0.13 * sin(angle), 0.1, 0.05 + 0.13 * cos(angle)};
    clp_wrench wrench = cycle_at(k);
    const clp_closest_point *pair = &clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND)->pairs[0];
    switches += kind >= 0 && (int)pair->kind_b != kind;
    kind = (int)pair->kind_b;
    if (k > 50) {
      largest = fmax(largest, clp_distance(wrench.force, last.force));
      clp_vec3 tangential =
          clp_add_scaled(wrench.force, -clp_dot(wrench.force, pair->normal), pair->normal);
      ck_assert_double_lt(clp_norm(tangential), 1e-6);
    }
    last = wrench;
  }
  ck_assert_int_ge(switches, 2);
  ck_assert_double_lt(largest, 0.5); /* of 2.5 that it could */
}

/* Two parallel faces: where they push is anybody's guess, how much is not. */
TEST(parallel_faces_push_as_one)
{
  set("wrench_frame", "world");
  set("pairs", "['palm:block']");
  ck_assert_int_eq(create(), CLP_OK);
  build_cell();
  flange.orientation = upright;
  for (int k = 0; k < 1000; ++k) {
    flange.position = (clp_vec3){0.2 * sin(0.01 * k), 0.05 * cos(0.013 * k), 0.08};
    clp_wrench wrench = cycle_at(k);
    const clp_closest_point *pair = &clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND)->pairs[0];
    if (k < 30 || fabs(flange.position.x) > 0.19)
      continue;
    ck_assert_double_eq_tol(pair->distance, 0.05, 1e-9);
    ck_assert_double_eq_tol(wrench.force.z, 25, 1e-6);
    ck_assert_double_lt(fabs(wrench.torque.x), 25 * 0.0401);
    ck_assert_double_lt(fabs(wrench.torque.y), 25 * 0.0501);
  }
}

/* ---- Pushes come and go ------------------------------------------------------------------- */

static void hover(void)
{
  set("wrench_frame", "world");
  set("pairs", "['palm:block']");
  ck_assert_int_eq(create(), CLP_OK);
  build_cell();
  flange = (place){{0.02, 0.01, 0.08}, clp_quaternion_turned(upright, (clp_vec3){0.1, 0.2, 0})};
}

TEST(a_dropout_ramps_out_and_back_in)
{
  hover();
  clp_wrench wrench = {{0, 0, 0}, {0, 0, 0}};
  double last = 0;
  for (int k = 0; k < 100; ++k) {
    wrench = cycle_at(k);
    ck_assert_double_le(fabs(wrench.force.z - last), 2.5 + 1e-9);
    last = wrench.force.z;
  }
  double full = wrench.force.z;
  ck_assert_double_gt(full, 25);
  int held = 0, ramped = 0;
  for (int k = 100; k < 400; ++k) { /* nothing arrives; stale after 100 ms */
    wrench = clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND)->wrench;
    ck_assert_double_le(wrench.force.z, last + 1e-9);
    ck_assert_double_ge(wrench.force.z, last - 2.5 - 1e-9);
    held += wrench.force.z == full;
    ramped += wrench.force.z < full && wrench.force.z > 0;
    last = wrench.force.z;
  }
  ck_assert_int_ge(held, 95);
  ck_assert_int_ge(ramped, 10);
  ck_assert_int_le(ramped, 20);
  ck_assert_double_eq(clp_norm(wrench.force) + clp_norm(wrench.torque), 0);
  for (int k = 400; k < 430; ++k) {
    wrench = cycle_at(k);
    ck_assert_double_le(wrench.force.z, last + 2.5 + 1e-9);
    last = wrench.force.z;
  }
  ck_assert_double_eq_tol(wrench.force.z, full, 1e-9);
}

/* An obstacle that jumps, and one that is inside of the hand all at once. */
TEST(jumps_are_ramped)
{
  hover();
  clp_wrench last = cycle_at(0);
  for (int k = 1; k < 600; ++k) {
    flange.position = k / 100 % 2 ? (clp_vec3){0, 0, -0.05 - 0.001 * (k / 100)}
                                  : (clp_vec3){0.02, 0.01, 0.08 + 0.01 * (k / 100)};
    clp_wrench wrench = cycle_at(k);
    double most = fmax(50, clp_norm(last.force)) * 1e-3 / CLP_FORCE_RAMP;
    ck_assert_double_le(clp_distance(wrench.force, last.force), most + 1e-9);
    last = wrench;
    if (k == 199) { /* the palm's center in the block's: the spring goes on inside */
      const clp_report *report = clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND);
      ck_assert_int_eq(report->pairs[0].status, CLP_PENETRATING);
      ck_assert_double_gt(clp_norm(wrench.force), 60);
    }
  }
}

TEST(the_last_word_is_zero)
{
  hover();
  for (int k = 0; k < 50; ++k)
    ck_assert_double_ge(cycle_at(k).force.z, 0);
  clp_wrench wrench = clp_monitor_last(monitor, BEGIN + 50 * MILLISECOND)->wrench;
  ck_assert_double_eq(clp_norm(wrench.force) + clp_norm(wrench.torque), 0);
}

TEST(after_a_pause_it_begins_with_nothing)
{
  hover();
  for (int k = 0; k < 50; ++k)
    cycle_at(k);
  ck_assert_double_gt(clp_norm(cycle_at(50).force), 25);
  double first = clp_norm(cycle_at(5000).force);
  ck_assert_double_gt(first, 0);
  ck_assert_double_le(first, 5 + 1e-9); /* of two cycles */
  double before = first;
  ck_assert_double_le(clp_norm(cycle_at(5010).force), before + 5 + 1e-9); /* late, but no pause */
}

/* ---- Settings ----------------------------------------------------------------------------- */

FIXTURE_CASE("settings", 20, enter, leave);

TEST(gains_beyond_the_limit_are_refused)
{
  char why[256];
  ck_assert_int_eq(create(), CLP_OK);
  set("stiffness", "2000.1");
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_ERROR_ARGUMENT);
  ck_assert_str_eq(why,
                   "stiffness is 2000.1 N/m, expected at most 2000 N/m: the wrench of a stiffer "
                   "spring is not passive with damping 10 N s/m, rate 1000 Hz and wrench_latency "
                   "0.002 s");
  ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_ERROR_ARGUMENT);
  ck_assert_double_eq(clp_monitor_settings(monitor)->stiffness, 500);
  ck_assert_int_eq(create(), CLP_ERROR_FORMAT);
  ck_assert_ptr_nonnull(strstr(said.text, "parameter stiffness is 2000.1 N/m, expected at most"));
  set("stiffness", "2000");
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_OK);
  set("wrench_latency", "0.01");
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_ERROR_ARGUMENT);
  set("damping", "43");
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_OK);
  set("publish_rate", "10"); /* a wrench is held for so long */
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_ERROR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(why, "expected at most 358.333 N/m"));
  ck_assert_ptr_nonnull(strstr(why, "publish_rate 10 Hz"));
  set("publish_rate", "5000");
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_OK);
  set("range", "0.05");
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_ERROR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(why, "engage_distance is 0.1 m, expected at most the range"));
  set("wrench_tool", "''"); /* nobody is pushed */
  set("stiffness", "1000000");
  ck_assert_int_eq(clp_settings_check(&settings, why, sizeof why), CLP_OK);
}

TEST(gains_change_without_a_step)
{
  hover();
  double last = 0;
  for (int k = 0; k < 300; ++k) {
    if (k == 100 || k == 200) {
      set("stiffness", k == 100 ? "1500" : "0");
      ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
    }
    double now = clp_norm(cycle_at(k).force), full = k < 100 ? 50 : 150;
    ck_assert_double_le(fabs(now - last), fmax(full, last) * 0.05 + 1e-9);
    last = now;
  }
  ck_assert_double_lt(last, 1);
}

TEST(tools_that_do_not_do)
{
  set("wrench_tool", "hand");
  ck_assert_int_eq(create(), CLP_ERROR_FORMAT);
  ck_assert_ptr_nonnull(
      strstr(said.text, "parameter 'wrench_tool' names link 'hand', which the model does not"));
  set("wrench_tool", "flange");
  set("pairs", "['block:post', 'palm:finger']");
  ck_assert_int_eq(create(), CLP_ERROR_FORMAT);
  ck_assert_ptr_nonnull(strstr(said.text, "'flange', which is in no monitored pair, nor is"));
  set("pairs", "['finger:post']");
  set("wrench_tool", "palm");
  ck_assert_int_eq(create(), CLP_OK);
  set("wrench_tool", "finger");
  set("pairs", "['palm:post']"); /* the palm does not hang on the finger */
  ck_assert_int_eq(create(), CLP_ERROR_FORMAT);
}
