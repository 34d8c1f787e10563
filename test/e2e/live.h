/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_E2E_LIVE_H
#define TEST_E2E_LIVE_H

#include "e2e/e2e.h"
#include "support/timed.h"

/* The scenes of support/timed.h in real time: this process publishes on DDS what they draw, and the
 * monitor is a process, which is stopped and killed as they say. Its answers are judged afterwards,
 * each by the formula at what was true when it held. */

typedef struct live_kind {
  timed_kind timed;
  bool stops; /* the monitor is stopped and continued at random */
} live_kind;

typedef struct live_result {
  bool done;                         /* the monitor has lived as long as it should */
  int answers, clear, late, near_by; /* see timed_result */
  double worst, worst_at, hidden;
  char worst_reason[160];
} live_result;

enum { LIVE_ANSWERS = 8192, LIVE_TAKEN = 64 };

typedef struct live_answer {
  int64_t stamp, written;
  bool clear, moves;
  char reason[160];
} live_answer;

typedef struct live_scene {
  timed_scene scene;
  bool stops;
  int64_t begin; /* of the scene, by the system's clock */
  dds_entity_t tf[TIMED_PUBLISHERS], clock, safety;
  bool absent[TIMED_PUBLISHERS]; /* the publisher has ended, and a new one will begin */
  pid_t monitor;
  bool stopped;
  double next_stop, next_go;
  double told;   /* /clock, last (true time) */
  double hidden; /* the longest that anything was under way (s) */
  live_answer answers[LIVE_ANSWERS];
  int count;
} live_scene;

/* What reaction_time has for scheduling here, beyond what the scene draws, and how much of that is
 * left to DDS and the monitor's own cycle (s). */
#define LIVE_DELAY 0.02
#define LIVE_TRANSPORT 0.005

static inline double live_time(const live_scene *l)
{
  return 1e-9 * (double)(now() - l->begin);
}

/* ---- The monitor -------------------------------------------------------------------------- */

static inline void live_write_files(const live_scene *l)
{
  char text[2048];
  timed_value values[TIMED_VALUES];
  timed_model(&l->scene, text, sizeof text);
  write_whole("model.urdf", text);
  timed_values(&l->scene, values);
  FILE *file = fopen("parameters.yaml", "w");
  must(file != NULL, "parameters.yaml");
  fprintf(file, "/**:\n  ros__parameters:\n    model: model.urdf\n    robot_links: [arm]\n");
  fprintf(file, "    use_sim_time: %s\n", l->scene.simulated ? "true" : "false");
  for (int k = 0; k < TIMED_VALUES; ++k)
    fprintf(file, "    %s: %.9f\n", values[k].name, values[k].value);
  fclose(file);
}

static inline pid_t live_start(void)
{
  return start_monitor("--params-file parameters.yaml");
}

static inline void live_stop(live_scene *l, bool stop)
{
  if (stop != l->stopped)
    kill(l->monitor, stop ? SIGSTOP : SIGCONT);
  l->stopped = stop;
}

static inline void live_handle_monitor(live_scene *l, double t)
{
  timed_scene *s = &l->scene;
  if (t >= s->restart_at) {
    s->restart_at = TIMED_NEVER;
    (void)stop_process(l->monitor, SIGKILL);
    l->monitor = live_start();
  }
  if (l->stops && t >= l->next_go) {
    l->next_stop = t + timed_size(&s->chance, 0.005, 0.5);
    l->next_go = l->next_stop + timed_size(&s->chance, 0.001, 0.15);
  }
  live_stop(l, l->stops ? t >= l->next_stop : t >= s->pause_from && t < s->pause_to);
}

/* ---- Publishers --------------------------------------------------------------------------- */

static inline dds_entity_t live_writer(void)
{
  return endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
}

static inline void live_send(live_scene *l, const timed_message *m, double t)
{
  static char world[] = "world", arm[] = "arm", person[] = "person";
  int64_t stamp = m->stamp - (l->scene.simulated ? 0 : TIMED_BEGIN - l->begin);
  geometry_msgs_msg_dds__TransformStamped_ transform = {
      .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, world},
      .child_frame_id = m->ball == TIMED_ARM ? arm : person,
      .transform = {{m->place.x, m->place.y, m->place.z}, {0, 0, 0, 1}}};
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &transform, false}};
  if (l->absent[m->writer - 1])
    return;
  must(dds_write(l->tf[m->writer - 1], &message) == DDS_RETCODE_OK, "a transform");
  l->hidden = fmax(l->hidden, t - m->sent);
}

static inline void live_publish(live_scene *l, double t)
{
  timed_scene *s = &l->scene;
  timed_publish(s, t);
  for (int first = timed_first(s); s->queued > 0 && s->queue[first].arrives <= t;
       first = timed_first(s)) {
    live_send(l, &s->queue[first], t);
    memmove(&s->queue[first], &s->queue[first + 1],
            (size_t)(--s->queued - first) * sizeof *s->queue);
  }
}

/* Whoever begins again is somebody else to DDS. */
static inline void live_handle_publishers(live_scene *l, double t)
{
  for (int k = 0; k < l->scene.publisher_count; ++k) {
    const timed_publisher *p = &l->scene.publishers[k];
    bool absent = l->scene.kind == TIMED_PUBLISHER_RESTART && t >= p->silent_from;
    absent &= t < p->silent_to;
    if (absent && !l->absent[k])
      dds_delete(l->tf[k]);
    if (!absent && l->absent[k])
      l->tf[k] = live_writer();
    l->absent[k] = absent;
  }
}

static inline void live_tell_time(live_scene *l, double t)
{
  const timed_scene *s = &l->scene;
  double tick = s->tick * floor((t - s->tick_latency) / s->tick);
  if (!s->simulated || tick < 0 || tick <= l->told)
    return;
  int64_t time = timed_stamp(timed_simulated(s, tick));
  rosgraph_msgs_msg_dds__Clock_ told = {{(int32_t)(time / SECOND), (uint32_t)(time % SECOND)}};
  must(dds_write(l->clock, &told) == DDS_RETCODE_OK, "the time");
  l->hidden = fmax(l->hidden, t - tick - s->tick);
  l->told = tick;
}

/* ---- Answers ------------------------------------------------------------------------------ */

static inline void live_note(live_scene *l, const safety_message *m, int64_t written)
{
  if (l->count == LIVE_ANSWERS)
    return;
  live_answer *a = &l->answers[l->count++];
  a->stamp = m->header.stamp.sec * SECOND + m->header.stamp.nanosec;
  a->written = written;
  a->clear = m->zone == CLP_ZONE_CLEAR;
  a->moves = m->zone != CLP_ZONE_STOP || m->speed_scale > 0;
  snprintf(a->reason, sizeof a->reason, "%s", m->reason);
}

static inline int live_listen(live_scene *l)
{
  void *samples[LIVE_TAKEN] = {NULL};
  dds_sample_info_t infos[LIVE_TAKEN];
  int count = dds_take(l->safety, samples, infos, LIVE_TAKEN, LIVE_TAKEN);
  for (int k = 0; k < count; ++k)
    if (infos[k].valid_data && l->begin > 0)
      live_note(l, samples[k], infos[k].source_timestamp);
  if (count > 0)
    dds_return_loan(l->safety, samples, count);
  return count;
}

/* When the answer held, in true seconds. The system's time is true. Simulated time may stand, so
 * there it is when the answer was written, less the three periods that it may take until then; but
 * not after /clock has shown a later time. */
static inline double live_instant(const live_scene *l, const live_answer *a)
{
  const timed_scene *s = &l->scene;
  if (!s->simulated)
    return 1e-9 * (double)(a->stamp - l->begin);
  double t = 1e-9 * (double)(a->written - l->begin) - 3 * s->cycle;
  while (t > 0 && timed_monitor_time(s, t) > a->stamp)
    t -= s->tick;
  return t;
}

static inline void live_judge(live_scene *l, live_result *found)
{
  timed_scene *s = &l->scene;
  if (timed_hides_delays(s->kind))
    s->reaction_time = fmin(s->reaction_time, s->told_reaction - l->hidden - LIVE_TRANSPORT);
  found->hidden = l->hidden;
  for (int k = 0; k < l->count; ++k) {
    const live_answer *a = &l->answers[k];
    double t = live_instant(l, a), margin = timed_margin(s, t);
    ++found->answers;
    found->clear += a->clear;
    found->near_by += margin < 0;
    found->late += a->moves && margin < -1e-6;
    if (!a->moves || margin >= found->worst)
      continue;
    found->worst = margin;
    found->worst_at = t;
    snprintf(found->worst_reason, sizeof found->worst_reason, "%s", a->reason);
  }
}

/* ---- A scene ------------------------------------------------------------------------------ */

static inline void live_wait(live_scene *l, const dds_entity_t *writers, int count)
{
  int64_t begin = now();
  dds_publication_matched_status_t matched;
  for (int k = 0; k < count; ++k)
    for (matched.current_count = 0; matched.current_count == 0; rest(1)) {
      dds_get_publication_matched_status(writers[k], &matched);
      must(now() - begin < PATIENCE, "a reader of what is published");
    }
  while (live_listen(l) < 1)
    must(now() - begin < PATIENCE, "an answer");
}

static inline void live_begin(live_scene *l)
{
  const timed_scene *s = &l->scene;
  enter_world();
  live_write_files(l);
  l->safety = endpoint("rt" NODE "/safety", &rclc_closest_point_msg_dds__SafetyStatus__desc, false,
                       false, 0);
  for (int k = 0; k < s->publisher_count; ++k)
    l->tf[k] = live_writer();
  l->monitor = live_start();
  live_wait(l, l->tf, s->publisher_count);
  if (s->simulated) {
    l->clock = endpoint("rt/clock", &rosgraph_msgs_msg_dds__Clock__desc, true, false, 1);
    live_wait(l, &l->clock, 1);
  }
  l->begin = now();
}

static inline void live_run(live_scene *l, live_result *found)
{
  static const struct timespec nap = {0, 500000};
  found->worst = HUGE_VAL;
  live_begin(l);
  for (double t = 0; t < TIMED_DURATION; nanosleep(&nap, NULL)) {
    t = live_time(l);
    live_handle_publishers(l, t);
    live_tell_time(l, t);
    live_publish(l, t);
    live_handle_monitor(l, t);
    while (live_listen(l) == LIVE_TAKEN) {
    }
  }
  live_stop(l, false);
  found->done = stop_process(l->monitor, SIGTERM) == 0;
  live_judge(l, found);
  leave_world();
}

/* On a machine that is shared with others cycles are no faster than these, and what is under way
 * is so for longer than is drawn. */
static inline void live_draw(live_scene *l, live_kind kind, uint64_t seed, bool severe)
{
  timed_scene *s = &l->scene;
  *l = (live_scene){.stops = kind.stops, .told = -1};
  timed_draw_as(s, kind.timed, seed, severe);
  s->cycle = fmax(s->cycle, 0.003);
  if (timed_hides_delays(kind.timed))
    s->told_reaction += LIVE_DELAY;
}

#endif
