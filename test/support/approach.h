/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_APPROACH_H
#define TEST_SUPPORT_APPROACH_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/monitor/monitor.h"
#include "support/random.h"

/* A person approaches a robot that obeys ~/safety, everything at its worst: a simulation of the
 * whole loop but for the middleware. The robot's arm is a capsule that turns about the origin and
 * slides; the person is an upright capsule from which a hand may reach out by `intrusion`, always
 * the nearest way to the arm. Truth is in closed form and never seen by the monitor, which is told
 * poses that are late, sometimes lost, and off by position_uncertainty altogether.
 *
 * The robot begins to obey an answer so late after its stamp that with one more period it is
 * reaction_time, and then changes its pace by no more than 1 / stopping_time when it slows down; it
 * speeds up at once. */

#define APPROACH_SECOND INT64_C(1000000000)
#define APPROACH_BEGIN (1700000000 * APPROACH_SECOND)
#define APPROACH_PERIOD 4 /* ms, of the monitor's cycles */

typedef enum approach_kind {
  APPROACH_CHARGE,   /* straight at the arm, as fast as possible; everything adverse at once */
  APPROACH_HEEDLESS, /* the same, and the robot does not slow down before STOP */
  APPROACH_PASS,     /* straight past it */
  APPROACH_ROAM,     /* anywhere, in turns */
  APPROACH_KINDS
} approach_kind;

static inline bool approach_is_worst(approach_kind kind)
{
  return kind == APPROACH_CHARGE || kind == APPROACH_HEEDLESS;
}

/* What happens; speeds in m/s, times in s, lengths in m. */
typedef struct approach {
  approach_kind kind;
  double human_speed, robot_speed, max_speed;
  double reaction_time, stopping_time, stopping_distance, intrusion, uncertainty;
  double told_reaction; /* the monitor's idea of reaction_time */
  int robot_period, human_period, robot_delay, human_delay; /* ms, of transforms */
  double lost;                                        /* the share of the person's transforms */
  double swing, swing_rate, slide, slide_rate, phase; /* the arm's course */
  clp_vec3 start, heading;
  double starts_at;
  random_state chance;
  FILE *trace; /* a line for each cycle, where there is one */
} approach;

typedef struct approach_result {
  bool failed;          /* for want of memory */
  clp_zone zone;        /* the last one */
  bool stopped;         /* it came to STOP by distance */
  int late;             /* cycles with a person closer than required, and no STOP */
  int contacts;         /* milliseconds in which the robot moved and touched */
  double least_moving;  /* the least distance to the hand while the robot moved */
  double early;         /* at that STOP: true distance less what truth requires */
  double at_standstill; /* the distance to the hand when the robot first stood */
} approach_result;

/* ---- Capsules ----------------------------------------------------------------------------- */

#define APPROACH_ARM_LENGTH 0.8
#define APPROACH_ARM_RADIUS 0.08
#define APPROACH_BODY_LENGTH 1.2
#define APPROACH_BODY_RADIUS 0.25

/* Where two segments are nearest: p + s u and q + t v, s and t within 0 and 1. */
static inline void approach_nearest(clp_vec3 p, clp_vec3 u, clp_vec3 q, clp_vec3 v, double *s,
                                    double *t)
{
  clp_vec3 r = clp_sub(p, q);
  double a = clp_norm2(u), b = clp_dot(u, v), c = clp_norm2(v);
  double d = clp_dot(u, r), e = clp_dot(v, r), det = a * c - b * b;
  *s = det > 1e-12 ? fmin(1, fmax(0, (b * e - c * d) / det)) : 0;
  *t = (b * *s + e) / c;
  if (*t < 0 || *t > 1) {
    *t = fmin(1, fmax(0, *t));
    *s = fmin(1, fmax(0, (b * *t - d) / a));
  }
}

/* ---- The world ---------------------------------------------------------------------------- */

/* The arm's course by its own time, which goes on at the pace that is permitted. */
static inline double approach_angle(const approach *x, double course)
{
  return x->swing * sin(x->swing_rate * course + x->phase);
}

static inline clp_vec3 approach_arm_root(const approach *x, double course)
{
  double q = approach_angle(x, course);
  double out = 0.2 + x->slide * (1 + sin(x->slide_rate * course + 2 * x->phase));
  return (clp_vec3){out * cos(q), out * sin(q), 1};
}

static inline clp_vec3 approach_arm_direction(const approach *x, double course)
{
  double q = approach_angle(x, course);
  return (clp_vec3){cos(q), sin(q), 0};
}

typedef struct approach_world {
  double course, pace; /* of the arm */
  clp_vec3 human, velocity;
  double distance;  /* to the person; a hand is nearer by the intrusion */
  clp_vec3 towards; /* from the arm to the person, and */
  double along;     /* where on the arm it is nearest */
} approach_world;

static inline void approach_measure(const approach *x, approach_world *w)
{
  clp_vec3 root = approach_arm_root(x, w->course);
  clp_vec3 way = clp_scale(APPROACH_ARM_LENGTH, approach_arm_direction(x, w->course));
  clp_vec3 foot = {w->human.x, w->human.y, w->human.z - APPROACH_BODY_LENGTH / 2};
  clp_vec3 up = {0, 0, APPROACH_BODY_LENGTH};
  double t;
  approach_nearest(root, way, foot, up, &w->along, &t);
  clp_vec3 on_arm = clp_add_scaled(root, w->along, way), on_body = clp_add_scaled(foot, t, up);
  double apart = clp_distance(on_arm, on_body);
  w->distance = apart - APPROACH_ARM_RADIUS - APPROACH_BODY_RADIUS;
  w->towards = clp_scale(1 / fmax(apart, 1e-9), clp_sub(on_body, on_arm));
}

/* How fast the arm's nearest place approaches at full pace. */
static inline double approach_robot_speed(const approach *x, const approach_world *w)
{
  const double h = 1e-6;
  clp_vec3 place[2];
  for (int k = 0; k < 2; ++k) {
    double course = w->course + (k ? h : -h);
    place[k] = clp_add_scaled(approach_arm_root(x, course), w->along * APPROACH_ARM_LENGTH,
                              approach_arm_direction(x, course));
  }
  return clp_dot(w->towards, clp_sub(place[1], place[0])) / (2 * h);
}

static inline void approach_walk(approach *x, approach_world *w, double time)
{
  if (x->kind == APPROACH_ROAM && random_bits(&x->chance) % 400 == 0)
    x->heading = random_direction(&x->chance);
  clp_vec3 heading = approach_is_worst(x->kind) ? clp_scale(-1, w->towards) : x->heading;
  heading.z = 0;
  double speed = time < x->starts_at ? 0 : x->human_speed;
  if (approach_is_worst(x->kind) && w->distance < 0.01)
    speed = 0;
  w->velocity = clp_scale(speed, clp_unit(heading));
  w->human = clp_add_scaled(w->human, 0.001, w->velocity);
}

/* ---- Drawing one -------------------------------------------------------------------------- */

static inline approach approach_draw(random_state *g, approach_kind kind)
{
  approach x = {.kind = kind, .max_speed = 2};
  bool worst = approach_is_worst(kind);
  x.human_speed = worst ? 1.6 : random_between(g, 0.3, 1.6);
  x.robot_speed = random_between(g, 0.3, 1.5);
  x.reaction_time = random_between(g, 0.03, 0.3);
  x.told_reaction = x.reaction_time;
  x.stopping_time = random_between(g, 0.05, 0.5);
  x.stopping_distance = x.robot_speed * x.stopping_time / 2;
  x.intrusion = random_between(g, 0, 0.3);
  x.uncertainty = random_between(g, 0, 0.05);
  x.robot_period = (int)random_between(g, 2, 20);
  x.human_period = (int)random_between(g, 10, 50);
  x.robot_delay = (int)random_between(g, 0, 20);
  x.human_delay = (int)random_between(g, 0, 40);
  x.lost = worst ? 0 : random_between(g, 0, 0.2);
  if (worst && random_bits(g) % 2 == 0) { /* sharp senses leave little to be gained from them */
    x.max_speed = 1.6;
    x.robot_period = x.human_period = 2;
    x.robot_delay = x.human_delay = 0;
  }
  /* The tip is the fastest: |turning| * its radius and |sliding| share robot_speed. */
  double share = random_between(g, 0.2, 1);
  x.swing = random_between(g, 0.3, 1.2);
  x.slide = random_between(g, 0.05, 0.2);
  double radius = 0.2 + 2 * x.slide + APPROACH_ARM_LENGTH + APPROACH_ARM_RADIUS;
  x.swing_rate = share * x.robot_speed / (radius * x.swing);
  x.slide_rate = (1 - share) * x.robot_speed / x.slide;
  x.phase = random_between(g, 0, 6.28);
  double bearing = random_between(g, -1.5, 1.5), away = random_between(g, 3, 4.5);
  x.start = (clp_vec3){away * cos(bearing), away * sin(bearing), 0.9};
  double aside = random_between(g, -1, 1);
  x.heading = clp_unit((clp_vec3){-cos(bearing) - aside * sin(bearing) / 3,
                                  -sin(bearing) + aside * cos(bearing) / 3, 0});
  x.starts_at = random_between(g, 0.8, 1.5);
  x.chance.s = random_bits(g);
  return x;
}

/* ---- The monitor's side ------------------------------------------------------------------- */

static const char approach_model[] =
    "<robot name='cell'><link name='world'/>"
    "<link name='arm'><patches><capsule radius='0.08' length='0.8'/></patches></link>"
    "<link name='person'><patches><capsule radius='0.25' length='1.2'/></patches></link></robot>";

static inline bool approach_set(clp_settings *settings, const char *name, double value)
{
  char why[256];
  clp_value v = {.type = CLP_VALUE_DOUBLE, .real = value};
  return clp_settings_set(settings, clp_find_setting(name), &v, why, sizeof why) == CLP_OK;
}

/* NULL: out of memory. */
static inline clp_monitor *approach_monitor(const approach *x, clp_settings *settings)
{
  const struct {
    const char *name;
    double value;
  } values[] = {{"human_speed", 1.6},
                {"robot_speed", x->robot_speed},
                {"reaction_time", x->told_reaction},
                {"stopping_time", x->stopping_time},
                {"stopping_distance", x->stopping_distance},
                {"intrusion", x->intrusion},
                {"position_uncertainty", x->uncertainty},
                {"max_speed", x->max_speed},
                {"stale_after", 0.15}};
  clp_monitor *monitor = NULL;
  clp_model_sink quiet = {0};
  if (clp_settings_create(settings) != CLP_OK)
    return NULL;
  bool fine = clp_settings_read_value(settings, "robot_links", "[arm]", "-p", quiet) == CLP_OK;
  for (size_t k = 0; fine && k < sizeof values / sizeof *values; ++k)
    fine = approach_set(settings, values[k].name, values[k].value);
  if (fine)
    (void)clp_monitor_create(settings, approach_model, strlen(approach_model), quiet, &monitor);
  return monitor;
}

/* A transform on its way. */
typedef struct approach_message {
  int arrives; /* ms */
  clp_arrival arrival;
} approach_message;

enum { APPROACH_QUEUE = 64 };

typedef struct approach_queue {
  approach_message messages[APPROACH_QUEUE];
  int first, count;
} approach_queue;

static inline void approach_send(approach_queue *q, int arrives, clp_arrival arrival)
{
  if (q->count < APPROACH_QUEUE)
    q->messages[(q->first + q->count++) % APPROACH_QUEUE] = (approach_message){arrives, arrival};
}

static inline void approach_deliver(approach_queue *q, clp_monitor *monitor, int now)
{
  for (; q->count > 0 && q->messages[q->first].arrives <= now; --q->count) {
    clp_monitor_feed(monitor, &q->messages[q->first].arrival, 1, false,
                     APPROACH_BEGIN + now * INT64_C(1000000));
    q->first = (q->first + 1) % APPROACH_QUEUE;
  }
}

/* The person seems farther away than it is by the whole uncertainty; or is seen anywhere within. */
static inline clp_vec3 approach_error(approach *x, const approach_world *w)
{
  if (approach_is_worst(x->kind))
    return clp_scale(x->uncertainty, w->towards);
  return clp_scale(random_between(&x->chance, 0, x->uncertainty), random_direction(&x->chance));
}

static inline void approach_tell(approach *x, const approach_world *w, int now, approach_queue *q)
{
  int64_t stamp = APPROACH_BEGIN + now * INT64_C(1000000);
  if (now % x->robot_period == 0) {
    clp_vec3 d = approach_arm_direction(x, w->course);
    clp_vec3 middle = clp_add_scaled(approach_arm_root(x, w->course), APPROACH_ARM_LENGTH / 2, d);
    clp_quaternion turn = {-d.y * sqrt(0.5), d.x * sqrt(0.5), 0, sqrt(0.5)};
    approach_send(&q[0], now + x->robot_delay, (clp_arrival){"world", "arm", stamp, middle, turn});
  }
  if (now % x->human_period == 0 && random_between(&x->chance, 0, 1) >= x->lost)
    approach_send(
        &q[1], now + x->human_delay,
        (clp_arrival){
            "world", "person", stamp, clp_add(w->human, approach_error(x, w)), {0, 0, 0, 1}});
}

/* ---- The loop ----------------------------------------------------------------------------- */

/* What truth alone requires at this place: no uncertainty, the arm's true speed. */
static inline double approach_required(const approach *x, const approach_world *w)
{
  double v_r = fmax(0, w->pace * approach_robot_speed(x, w));
  return x->human_speed * (x->reaction_time + x->stopping_time) + v_r * x->reaction_time +
         x->stopping_distance + x->intrusion;
}

static inline void approach_judge(const approach *x, const approach_world *w,
                                  const clp_safety *safety, approach_result *result)
{
  double margin = w->distance - approach_required(x, w);
  if (margin < 0 && safety->zone != CLP_ZONE_STOP)
    ++result->late;
  bool enters = safety->zone == CLP_ZONE_STOP && result->zone != CLP_ZONE_STOP;
  if (enters && !result->stopped && strncmp(safety->reason, "stop: separation", 16) == 0) {
    result->stopped = true;
    result->early = margin;
  }
  result->zone = safety->zone;
}

static inline void approach_trace(const approach *x, const approach_world *w, int now,
                                  const clp_safety *safety)
{
  if (x->trace)
    fprintf(x->trace, "%.3f,%.6g,%.6g,%.6g,%.6g,%.6g,%d\n", 0.001 * now, w->distance,
            safety->separation, safety->required_separation, safety->speed_scale, w->pace,
            safety->zone);
}

static inline void approach_move_arm(const approach *x, approach_world *w, double permitted)
{
  w->pace = fmax(permitted, w->pace - 0.001 / x->stopping_time);
  w->course += 0.001 * w->pace;
}

/* Runs for so many milliseconds. */
static inline approach_result approach_run(approach *x, int duration)
{
  enum { HISTORY = 1024 };
  double scales[HISTORY] = {0}; /* what was said in each millisecond */
  approach_queue queues[2] = {{.count = 0}, {.count = 0}};
  approach_world w = {.human = x->start};
  approach_result result = {
      .zone = CLP_ZONE_STOP, .least_moving = HUGE_VAL, .at_standstill = HUGE_VAL};
  clp_settings settings;
  clp_monitor *monitor = approach_monitor(x, &settings);
  result.failed = !monitor;
  int obeys_after = (int)lround(1000 * x->reaction_time) - APPROACH_PERIOD;
  approach_measure(x, &w);
  for (int now = 0; monitor && now < duration; ++now) {
    approach_tell(x, &w, now, queues);
    approach_deliver(&queues[0], monitor, now);
    approach_deliver(&queues[1], monitor, now);
    scales[now % HISTORY] = now > 0 ? scales[(now - 1) % HISTORY] : 0;
    if (now % APPROACH_PERIOD == 0) {
      const clp_report *report =
          clp_monitor_cycle(monitor, APPROACH_BEGIN + now * INT64_C(1000000));
      bool heedless = x->kind == APPROACH_HEEDLESS && report->safety.zone != CLP_ZONE_STOP;
      scales[now % HISTORY] = heedless ? 1 : report->safety.speed_scale;
      approach_judge(x, &w, &report->safety, &result);
      approach_trace(x, &w, now, &report->safety);
    }
    approach_move_arm(x, &w, now < obeys_after ? 0 : scales[(now - obeys_after) % HISTORY]);
    approach_walk(x, &w, 0.001 * now);
    approach_measure(x, &w);
    double to_hand = w.distance - x->intrusion;
    if (w.pace > 0) {
      result.least_moving = fmin(result.least_moving, to_hand);
      result.contacts += to_hand <= 0;
    } else if (result.stopped && result.at_standstill == HUGE_VAL) {
      result.at_standstill = to_hand;
    }
  }
  clp_monitor_destroy(monitor);
  clp_settings_release(&settings);
  return result;
}

#endif
