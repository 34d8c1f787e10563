/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_TIMED_H
#define TEST_SUPPORT_TIMED_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/monitor/monitor.h"
#include "support/random.h"

/* Two balls on lines, told by publishers whose clocks, ways and lives are not as they should be,
 * and a monitor whose clock may not be either. Where the balls are is known in closed form, and
 * nobody but the judge knows it. True time is seconds since the beginning; a steady clock shows it.
 */

#define TIMED_BEGIN INT64_C(1700000000000000000)

typedef enum timed_kind {
  TIMED_PLAIN, /* rates, jitter, latency and loss, as in all others, too */
  TIMED_DISORDER,
  TIMED_AHEAD,
  TIMED_BEHIND,
  TIMED_DRIFT,
  TIMED_TWO_PUBLISHERS,
  TIMED_LIAR, /* a second publisher tells of another place */
  TIMED_PUBLISHER_STEP,
  TIMED_MONITOR_STEP,
  TIMED_MONITOR_STEP_IN_PAUSE,
  TIMED_MONITOR_PAUSE,
  TIMED_MONITOR_RESTART,
  TIMED_PUBLISHER_PAUSE,
  TIMED_NETWORK_PAUSE,     /* what was sent meanwhile comes all at once */
  TIMED_PUBLISHER_RESTART, /* with another clock */
  TIMED_SIMULATED,
  TIMED_SIMULATED_STANDS,
  TIMED_SIMULATED_JUMPS,
  TIMED_KINDS
} timed_kind;

static const char *const timed_names[TIMED_KINDS] = {"plain",
                                                     "disorder",
                                                     "ahead",
                                                     "behind",
                                                     "drift",
                                                     "two publishers",
                                                     "liar",
                                                     "publisher steps",
                                                     "monitor steps",
                                                     "steps in pause",
                                                     "monitor pauses",
                                                     "monitor restarts",
                                                     "publisher pauses",
                                                     "network pauses",
                                                     "publisher restarts",
                                                     "/clock",
                                                     "/clock stands",
                                                     "/clock jumps"};

/* Shows true time, plus an offset that drifts and steps. */
typedef struct timed_clock {
  double offset, drift, step_at, step; /* s, s/s, s, s */
} timed_clock;

static inline double timed_show(const timed_clock *c, double t)
{
  return t + c->offset + c->drift * t + (t >= c->step_at ? c->step : 0);
}

typedef struct timed_publisher {
  int ball;
  clp_vec3 lie; /* how far from the truth it tells */
  timed_clock clock;
  bool simulated; /* it stamps with simulated time */
  double period, jitter, latency, latency_jitter, lost;
  double silent_from, silent_to;
  bool held; /* when silent: it speaks, and is heard afterwards */
  bool ordered;
  double next, last_arrival;
} timed_publisher;

enum { TIMED_ARM, TIMED_PERSON, TIMED_BALLS, TIMED_PUBLISHERS = 3, TIMED_QUEUE = 4096 };

typedef struct timed_message {
  double sent, arrives;
  int ball;
  uint64_t writer; /* what the middleware tells publishers apart by */
  int64_t stamp;
  clp_vec3 place;
} timed_message;

typedef struct timed_scene {
  timed_kind kind;
  bool severe; /* nothing but the fault is wrong, and that at its worst: few scenes show it */
  random_state chance;
  /* What is true. */
  double radius[TIMED_BALLS];
  double arm_speed, arm_reach, person_speed, person_from, person_aside, person_starts;
  /* The monitor's settings. */
  double reaction_time, told_reaction, stopping_time, stopping_distance, intrusion, human_speed,
      max_speed, stale_after;
  double cycle;
  timed_clock clock;
  double pause_from, pause_to; /* of the monitor */
  double restart_at;
  bool simulated;
  double tick, tick_latency; /* of /clock */
  double stands_from, stands_to, jump_at, jump;
  double creeps; /* where it stands: what it goes on by in a second all the same */
  timed_publisher publishers[TIMED_PUBLISHERS];
  int publisher_count;
  timed_message queue[TIMED_QUEUE];
  int queued;
} timed_scene;

typedef struct timed_result {
  bool failed;              /* for want of memory */
  int clear, late, near_by; /* cycles: CLEAR; letting move too near; that truth says STOP in */
  double worst;             /* the least true margin while the robot may move (m) */
  double worst_at;
  char worst_reason[400];
} timed_result;

#define TIMED_DURATION 5.0
#define TIMED_NEVER 1e9

/* ---- The world ---------------------------------------------------------------------------- */

/* To and fro between -reach and reach. */
static inline double timed_arm(const timed_scene *s, double t, double *speed)
{
  double way = fmod(s->arm_speed * t, 4 * s->arm_reach);
  bool back = way > s->arm_reach && way < 3 * s->arm_reach;
  *speed = back ? -s->arm_speed : s->arm_speed;
  return way <= s->arm_reach ? way : back ? 2 * s->arm_reach - way : way - 4 * s->arm_reach;
}

static inline void timed_place(const timed_scene *s, int ball, double t, clp_vec3 *where,
                               clp_vec3 *velocity)
{
  double speed = 0;
  if (ball == TIMED_ARM) {
    *where = (clp_vec3){timed_arm(s, t, &speed), 0, 1};
    *velocity = (clp_vec3){speed, 0, 0};
    return;
  }
  bool walks = t > s->person_starts;
  double way = walks ? s->person_speed * (t - s->person_starts) : 0;
  *where = (clp_vec3){s->person_from - way, s->person_aside, 1};
  *velocity = (clp_vec3){walks ? -s->person_speed : 0, 0, 0};
}

/* The formula of docs/safety.md at what is true, and how much more there is. */
static inline double timed_margin(const timed_scene *s, double t)
{
  clp_vec3 arm, person, v_arm, v_person;
  timed_place(s, TIMED_ARM, t, &arm, &v_arm);
  timed_place(s, TIMED_PERSON, t, &person, &v_person);
  clp_vec3 way = clp_sub(person, arm), towards = clp_unit(way);
  double v_r = fmax(0, clp_dot(v_arm, towards));
  double v_h = fmax(s->human_speed, -clp_dot(v_person, towards));
  double required = v_h * (s->reaction_time + s->stopping_time) + v_r * s->reaction_time +
                    s->stopping_distance + s->intrusion;
  return clp_norm(way) - s->radius[0] - s->radius[1] - required;
}

/* ---- Time --------------------------------------------------------------------------------- */

static inline double timed_simulated(const timed_scene *s, double t)
{
  double stood = (1 - s->creeps) * fmax(0, fmin(t, s->stands_to) - s->stands_from);
  return 10 + t - stood + (t >= s->jump_at ? s->jump : 0);
}

static inline int64_t timed_stamp(double seconds)
{
  return TIMED_BEGIN + (int64_t)llround(1e9 * seconds);
}

/* What the monitor takes for the time. */
static inline int64_t timed_monitor_time(const timed_scene *s, double t)
{
  if (!s->simulated)
    return timed_stamp(timed_show(&s->clock, t));
  double told = s->tick * floor((t - s->tick_latency) / s->tick);
  return told < 0 ? 0 : timed_stamp(timed_simulated(s, told));
}

/* ---- Publishers --------------------------------------------------------------------------- */

static inline void timed_send(timed_scene *s, timed_publisher *p, double t)
{
  bool silent = t >= p->silent_from && t < p->silent_to;
  if ((silent && !p->held) || random_between(&s->chance, 0, 1) < p->lost ||
      s->queued == TIMED_QUEUE)
    return;
  clp_vec3 where, velocity;
  timed_place(s, p->ball, t, &where, &velocity);
  double arrives = silent ? p->silent_to : t;
  arrives += p->latency + random_between(&s->chance, 0, 1) * p->latency_jitter;
  if (p->ordered)
    arrives = fmax(arrives, p->last_arrival);
  p->last_arrival = arrives;
  double shown = p->simulated ? timed_simulated(s, t) : timed_show(&p->clock, t);
  s->queue[s->queued++] = (timed_message){t,
                                          arrives,
                                          p->ball,
                                          (uint64_t)(p - s->publishers) + 1,
                                          timed_stamp(shown),
                                          clp_add(where, p->lie)};
}

static inline void timed_publish(timed_scene *s, double t)
{
  for (int k = 0; k < s->publisher_count; ++k) {
    timed_publisher *p = &s->publishers[k];
    for (; p->next <= t; p->next += p->period * (1 + random_between(&s->chance, -1, 1) * p->jitter))
      timed_send(s, p, p->next);
  }
}

static inline int timed_first(const timed_scene *s)
{
  int first = 0;
  for (int k = 1; k < s->queued; ++k)
    if (s->queue[k].arrives < s->queue[first].arrives)
      first = k;
  return first;
}

/* What has arrived, in its order; of what has piled up the newest hundred, as a reader keeps it. */
static inline void timed_deliver(timed_scene *s, clp_monitor *monitor, double t)
{
  static const char *const names[] = {"arm", "person"};
  int arrived = 0;
  for (int k = 0; k < s->queued; ++k)
    arrived += s->queue[k].arrives <= t;
  for (; arrived > 0; --arrived) {
    int first = timed_first(s);
    timed_message m = s->queue[first];
    memmove(&s->queue[first], &s->queue[first + 1],
            (size_t)(--s->queued - first) * sizeof *s->queue);
    clp_arrival arrival = {"world", names[m.ball], m.stamp, m.place, {0, 0, 0, 1}};
    clp_monitor_listen_to(monitor, m.writer);
    if (arrived <= 100)
      clp_monitor_feed(monitor, &arrival, 1, false, timed_monitor_time(s, t));
  }
}

/* ---- Drawing a scene ---------------------------------------------------------------------- */

/* Each size as likely as any other. */
static inline double timed_size(random_state *g, double least, double most)
{
  return least * pow(most / least, random_between(g, 0, 1));
}

static inline timed_publisher timed_draw_publisher(random_state *g, int ball)
{
  timed_publisher p = {.ball = ball, .ordered = true};
  p.period = 1 / timed_size(g, 5, 1000);
  p.jitter = random_bits(g) % 2 ? random_between(g, 0, 0.9) : 0;
  p.latency = random_bits(g) % 2 ? timed_size(g, 0.0002, 0.05) : 0;
  p.latency_jitter = random_bits(g) % 2 ? timed_size(g, 0.0002, 0.05) : 0;
  p.lost = random_bits(g) % 3 == 0 ? random_between(g, 0, 0.3) : 0;
  p.silent_from = p.silent_to = TIMED_NEVER;
  p.clock.step_at = TIMED_NEVER;
  p.next = random_between(g, 0, p.period);
  return p;
}

static inline void timed_draw_world(timed_scene *s, random_state *g)
{
  for (int k = 0; k < TIMED_BALLS; ++k)
    s->radius[k] = random_between(g, 0.05, 0.3);
  s->arm_speed = random_between(g, 0, 1);
  s->arm_reach = random_between(g, 0.1, 0.5);
  s->human_speed = random_between(g, 1, 2);
  s->person_speed = random_between(g, 0.6, 1) * s->human_speed;
  s->person_from = random_between(g, 2.5, 4.5);
  s->person_aside = random_bits(g) % 2 ? random_between(g, 0, 1) : 0;
  s->person_starts = random_between(g, 0.5, 1.5);
  s->max_speed = random_between(g, 1, 1.5) * fmax(s->person_speed, s->arm_speed);
  s->reaction_time = s->told_reaction = random_between(g, 0.02, 0.2);
  s->stopping_time = random_between(g, 0.05, 0.3);
  s->stopping_distance = random_between(g, 0, 0.2);
  s->intrusion = random_between(g, 0, 0.1);
}

static inline double timed_sign(random_state *g)
{
  return random_bits(g) % 2 ? 1 : -1;
}

/* Ahead is worse than behind. */
static inline double timed_way(const timed_scene *s, random_state *g)
{
  return s->severe ? 1 : timed_sign(g);
}

static inline void timed_draw_simulated(timed_scene *s, random_state *g)
{
  s->simulated = true;
  s->tick = timed_size(g, 0.001, 0.02);
  s->tick_latency = random_bits(g) % 2 ? random_between(g, 0, 0.005) : 0;
  for (int k = 0; k < s->publisher_count; ++k) {
    s->publishers[k].simulated = s->severe || random_bits(g) % 4 != 0;
    s->publishers[k].clock.offset = 10;
  }
}

/* When it first becomes serious. */
static inline double timed_crisis(const timed_scene *s)
{
  double t = 1;
  while (t < TIMED_DURATION && timed_margin(s, t) >= 0)
    t += 0.01;
  return t;
}

/* Faults come mostly just before they matter. */
static inline double timed_draw_moment(const timed_scene *s, random_state *g)
{
  if (s->severe)
    return fmax(0.8, timed_crisis(s) - timed_size(g, 0.05, 0.4));
  if (random_bits(g) % 4 == 0)
    return random_between(g, 1, 4);
  return fmax(0.8, timed_crisis(s) - timed_size(g, 0.01, 1));
}

/* Where it does not stand but creeps all are silent: who moves would contradict himself. */
static inline void timed_creep(timed_scene *s, random_state *g)
{
  s->creeps = timed_size(g, 1e-6, 0.5);
  for (int k = 0; k < TIMED_BALLS; ++k) {
    s->publishers[k].silent_from = s->stands_from;
    s->publishers[k].silent_to = s->stands_to;
  }
}

/* What is wrong in this scene. */
static inline void timed_draw_fault(timed_scene *s, random_state *g)
{
  timed_publisher *p = &s->publishers[random_bits(g) % 2];
  double at = timed_draw_moment(s, g), size = timed_size(g, s->severe ? 0.3 : 0.001, 2);
  double pause = timed_size(g, s->severe ? 0.5 : 0.005, 1.5);
  if (s->severe) {
    p = &s->publishers[TIMED_PERSON];
    size = fmin(size, 0.95);
  }
  switch (s->kind) {
    case TIMED_DISORDER:
      p->ordered = false;
      break;
    case TIMED_AHEAD:
    case TIMED_BEHIND:
      p->clock.offset = s->kind == TIMED_AHEAD ? size : -size;
      break;
    case TIMED_DRIFT:
      p->clock.drift = timed_sign(g) * timed_size(g, 1e-5, 1e-2);
      p->clock.offset = timed_sign(g) * random_between(g, 0, 0.03);
      break;
    case TIMED_TWO_PUBLISHERS:
      s->publishers[2] = timed_draw_publisher(g, p->ball);
      s->publishers[2].clock.offset = timed_way(s, g) * size;
      s->publishers[2].silent_to = random_bits(g) % 2 ? at : 0;
      s->publishers[2].silent_from = 0;
      s->publisher_count = 3;
      break;
    case TIMED_LIAR: /* beside one who is heard all the time: who lies alone is believed */
      s->publishers[2] = timed_draw_publisher(g, TIMED_PERSON);
      s->publishers[2].lie = clp_scale(timed_size(g, 0.1, 5), random_direction(g));
      s->publishers[2].clock.offset = random_bits(g) % 2 ? timed_sign(g) * size : 0;
      if (s->severe) {
        s->publishers[2].lie = (clp_vec3){random_between(g, 1, 3), 0, 0};
        s->publishers[2].clock.offset = size;
        s->publishers[2].period = s->publishers[TIMED_PERSON].period;
      }
      s->publishers[2].silent_from = 0;
      s->publishers[2].silent_to = random_bits(g) % 2 ? at : 0;
      s->publishers[TIMED_PERSON].lost = 0;
      s->publisher_count = 3;
      break;
    case TIMED_PUBLISHER_STEP:
      p->clock.step_at = at;
      p->clock.step = timed_way(s, g) * size;
      break;
    case TIMED_MONITOR_STEP:
    case TIMED_MONITOR_STEP_IN_PAUSE:
      s->clock.step_at = at;
      s->clock.step = timed_sign(g) * size;
      if (s->kind == TIMED_MONITOR_STEP)
        break;
      s->pause_from = at - random_between(g, 0, 1) * pause;
      s->pause_to = s->pause_from + pause;
      break;
    case TIMED_MONITOR_PAUSE:
      s->pause_from = at;
      s->pause_to = at + pause;
      break;
    case TIMED_MONITOR_RESTART:
      s->restart_at = at;
      break;
    case TIMED_PUBLISHER_RESTART:
      p->clock.step_at = at;
      p->clock.step = timed_way(s, g) * size;
      p->silent_from = at;
      p->silent_to = at + pause;
      break;
    case TIMED_PUBLISHER_PAUSE:
    case TIMED_NETWORK_PAUSE:
      p->held = s->kind == TIMED_NETWORK_PAUSE;
      p->silent_from = at;
      p->silent_to = at + pause;
      break;
    case TIMED_SIMULATED:
    case TIMED_SIMULATED_STANDS:
    case TIMED_SIMULATED_JUMPS:
      timed_draw_simulated(s, g);
      if (s->kind == TIMED_SIMULATED_STANDS) {
        s->stands_from = at;
        s->stands_to = at + pause;
        if (random_bits(g) % 2)
          timed_creep(s, g);
      } else if (s->kind == TIMED_SIMULATED_JUMPS) {
        s->jump_at = at;
        s->jump = timed_sign(g) * size;
      }
      break;
    case TIMED_PLAIN:
    case TIMED_KINDS:
      break;
  }
}

/* Whether some clock may be ahead of another. */
static inline bool timed_hides_delays(timed_kind kind)
{
  return kind != TIMED_PLAIN && kind != TIMED_DISORDER && kind != TIMED_BEHIND &&
         kind != TIMED_PUBLISHER_PAUSE && kind != TIMED_NETWORK_PAUSE &&
         kind != TIMED_MONITOR_PAUSE && kind != TIMED_MONITOR_RESTART;
}

/* docs/safety.md: of a clock that is ahead that part stays unseen that the way here takes, and is
 * to be added to reaction_time. */
static inline void timed_tell_reaction(timed_scene *s)
{
  double hidden = 0;
  for (int k = 0; k < s->publisher_count; ++k)
    hidden = fmax(hidden, s->publishers[k].latency + s->publishers[k].latency_jitter);
  if (timed_hides_delays(s->kind))
    s->told_reaction += hidden;
}

/* Whoever comes straight in, at nearly the speed that bounds rest on, told of fast and at once. */
static inline void timed_sharpen(timed_scene *s, random_state *g)
{
  s->person_aside = 0;
  s->person_speed = s->human_speed;
  s->max_speed = 1.02 * fmax(s->person_speed, s->arm_speed);
  for (int k = 0; k < TIMED_BALLS; ++k) {
    timed_publisher *p = &s->publishers[k];
    p->period = timed_size(g, 0.01, 0.04);
    p->jitter = p->latency = p->latency_jitter = p->lost = 0;
    p->next = random_between(g, 0, p->period);
  }
}

static inline void timed_draw_as(timed_scene *s, timed_kind kind, uint64_t seed, bool severe)
{
  random_state g = {seed * TIMED_KINDS + (uint64_t)kind + 1};
  *s = (timed_scene){
      .kind = kind, .severe = severe, .publisher_count = 2, .clock = {.step_at = TIMED_NEVER}};
  s->pause_from = s->pause_to = s->restart_at = TIMED_NEVER;
  s->stands_from = s->stands_to = s->jump_at = TIMED_NEVER;
  timed_draw_world(s, &g);
  double longest = 0;
  for (int k = 0; k < TIMED_BALLS; ++k) {
    s->publishers[k] = timed_draw_publisher(&g, k);
    longest = fmax(longest, s->publishers[k].period);
  }
  if (severe)
    timed_sharpen(s, &g);
  s->stale_after = fmin(1, fmax(0.1, random_between(&g, 2, 4) * longest + 0.1));
  s->cycle = timed_size(&g, 0.001, 0.005);
  timed_draw_fault(s, &g);
  timed_tell_reaction(s);
  s->chance.s = random_bits(&g) | 1;
}

static inline void timed_draw(timed_scene *s, timed_kind kind, uint64_t seed)
{
  timed_draw_as(s, kind, seed, false);
}

/* ---- The monitor -------------------------------------------------------------------------- */

static inline bool timed_set(clp_settings *settings, const char *name, double value)
{
  char why[256];
  clp_value v = {.type = CLP_VALUE_DOUBLE, .real = value};
  return clp_settings_set(settings, clp_find_setting(name), &v, why, sizeof why) == CLP_OK;
}

typedef struct timed_value {
  const char *name;
  double value;
} timed_value;

enum { TIMED_VALUES = 13 };

/* What the monitor is told. */
static inline void timed_values(const timed_scene *s, timed_value values[TIMED_VALUES])
{
  const timed_value told[TIMED_VALUES] = {{"human_speed", s->human_speed},
                                          {"robot_speed", s->arm_speed},
                                          {"reaction_time", s->told_reaction},
                                          {"stopping_time", s->stopping_time},
                                          {"stopping_distance", s->stopping_distance},
                                          {"intrusion", s->intrusion},
                                          {"position_uncertainty", 0},
                                          {"stop_distance", 0},
                                          {"warn_distance", 0.2},
                                          {"minimum_hold", 0.1},
                                          {"max_speed", s->max_speed},
                                          {"stale_after", s->stale_after},
                                          {"rate", 1 / s->cycle}};
  memcpy(values, told, sizeof told);
}

static inline bool timed_settings(const timed_scene *s, clp_settings *settings)
{
  timed_value values[TIMED_VALUES];
  clp_model_sink quiet = {0};
  timed_values(s, values);
  bool fine = clp_settings_read_value(settings, "robot_links", "[arm]", "-p", quiet) == CLP_OK &&
              clp_settings_read_value(settings, "use_sim_time", s->simulated ? "true" : "false",
                                      "-p", quiet) == CLP_OK;
  for (int k = 0; fine && k < TIMED_VALUES; ++k)
    fine = timed_set(settings, values[k].name, values[k].value);
  return fine;
}

/* The model's text. */
static inline void timed_model(const timed_scene *s, char *text, size_t room)
{
  snprintf(text, room,
           "<robot name='r'><link name='arm'><patches><sphere radius='%.17g'/></patches></link>"
           "<link name='person'><patches><sphere radius='%.17g'/></patches></link></robot>",
           s->radius[0], s->radius[1]);
}

/* NULL: out of memory. */
static inline clp_monitor *timed_monitor(const timed_scene *s)
{
  char model[256];
  clp_settings settings;
  clp_monitor *monitor = NULL;
  timed_model(s, model, sizeof model);
  if (clp_settings_create(&settings) != CLP_OK)
    return NULL;
  if (timed_settings(s, &settings))
    (void)clp_monitor_create(&settings, model, strlen(model), (clp_model_sink){0}, &monitor);
  clp_settings_release(&settings);
  return monitor;
}

/* ---- The judge ---------------------------------------------------------------------------- */

static inline void timed_judge(const timed_scene *s, double t, const clp_safety *safety,
                               timed_result *found)
{
  double margin = timed_margin(s, t);
  found->clear += safety->zone == CLP_ZONE_CLEAR;
  found->near_by += margin < 0;
  bool moves = safety->zone != CLP_ZONE_STOP || safety->speed_scale > 0;
  if (!moves)
    return;
  found->late += margin < -1e-6;
  if (margin < found->worst) {
    found->worst = margin;
    found->worst_at = t;
    snprintf(found->worst_reason, sizeof found->worst_reason, "%s", safety->reason);
  }
}

static inline timed_result timed_run(timed_scene *s)
{
  timed_result found = {.worst = HUGE_VAL};
  clp_monitor *monitor = timed_monitor(s);
  for (double t = 0; monitor && t < TIMED_DURATION; t += s->cycle) {
    timed_publish(s, t);
    if (t >= s->pause_from && t < s->pause_to)
      continue;
    if (t >= s->restart_at) {
      s->restart_at = TIMED_NEVER;
      clp_monitor_destroy(monitor);
      monitor = timed_monitor(s);
      if (!monitor)
        break;
    }
    clp_monitor_examine(monitor, timed_monitor_time(s, t), (int64_t)(1e9 * (t + 1)));
    timed_deliver(s, monitor, t);
    timed_judge(s, t, &clp_monitor_cycle(monitor, timed_monitor_time(s, t))->safety, &found);
  }
  found.failed = !monitor;
  clp_monitor_destroy(monitor);
  return found;
}

#endif
