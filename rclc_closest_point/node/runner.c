/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/node/runner.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/model/model.h"
#include "rclc_closest_point/node/cdr.h"
#include "rclc_closest_point/node/joint_message.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/node/tf_message.h"

/* Who publishes what is looked at so often (ns). */
#define GRAPH_INTERVAL (CLP_SECOND / 4)

/* Of descriptions that come too late no more is looked at at a time than a cycle can bear. */
#define LATE_BYTES ((size_t)1 << 20)

void clp_runner_note(const clp_runner *r, const char *format, ...)
{
  char line[768];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (r->waiting.sink.message)
    r->waiting.sink.message(r->waiting.sink.user, CLP_NOTE, line);
}

/* ROS's time; 0 is none, which makes everything stale. */
static int64_t now_of(const clp_runner *r)
{
  return r->settings->use_sim_time ? r->sim_time : clp_system_now();
}

/* ---- The model ---------------------------------------------------------------------------- */

void clp_runner_unload(clp_runner *r)
{
  clp_desk_leave(r->desk);
  clp_painter_destroy(r->painter);
  clp_monitor_destroy(r->monitor);
  clp_tiler_destroy(r->tiler);
  free(r->points);
  free(r->gradients);
  free(r->joint_names);
  r->tiler = NULL;
  *r->waiting.busy = '\0';
  r->painter = NULL;
  r->monitor = NULL;
  r->points = NULL;
  r->gradients = NULL;
  r->joint_names = NULL;
}

/* For the messages of a cycle. */
static clp_status make_room(clp_runner *r)
{
  size_t pairs = (size_t)clp_monitor_pair_count(r->monitor);
  size_t joints = (size_t)clp_monitor_joint_count(r->monitor);
  r->points = calloc(pairs, r->front->point_size);
  r->gradients = calloc(pairs, r->front->gradient_size);
  r->joint_names = calloc(joints + 1, r->front->text_size);
  return r->points && r->gradients && r->joint_names ? CLP_OK : CLP_ERROR_MEMORY;
}

static clp_status start_monitor(clp_runner *r, const char *description)
{
  clp_status status =
      clp_monitor_create(r->settings, description, description ? strlen(description) : 0,
                         clp_waiting_sink(&r->waiting), &r->monitor);
  if (status == CLP_OK)
    status = clp_painter_create(r->monitor, &r->painter);
  if (status == CLP_OK)
    status = make_room(r);
  if (status == CLP_OK) {
    clp_runner_note(r, "monitoring %d pairs of %d links at %s Hz",
                    clp_monitor_pair_count(r->monitor), clp_monitor_link_count(r->monitor),
                    clp_number(r->settings->rate, 6).text);
  } else {
    clp_waiting_refuse(&r->waiting, status);
    clp_runner_unload(r);
  }
  return status;
}

/* Of a URDF whose meshes have to be enclosed first there is no model yet. */
static clp_status begin_model(clp_runner *r, clp_urdf_source urdf)
{
  bool needs_tiling = false;
  clp_status status = CLP_OK;
  if (strcmp(r->settings->meshes, "hull") == 0)
    status = clp_needs_tiling(urdf.text, urdf.length, &needs_tiling);
  if (status != CLP_OK)
    return status;
  if (!needs_tiling)
    return start_monitor(r, urdf.file ? NULL : urdf.text);
  clp_runner_note(r, "%s has meshes, which are enclosed now", urdf.name);
  r->tiler_sink = clp_waiting_sink(&r->waiting);
  r->tiler = clp_tiler_begin(r->settings, urdf);
  if (!r->tiler)
    clp_waiting_refuse(&r->waiting, CLP_ERROR_MEMORY);
  return r->tiler ? CLP_OK : CLP_ERROR_MEMORY;
}

/* True when there is a tiler no more. */
static bool follow_tiler(clp_runner *r, clp_status *status)
{
  clp_tiler_progress progress = clp_tiler_follow(r->tiler, r->tiler_sink);
  snprintf(r->waiting.busy, sizeof r->waiting.busy,
           "the model's meshes are being enclosed: %d of %d links", progress.done, progress.links);
  if (!progress.ended)
    return false;
  clp_tiler *tiler = r->tiler;
  clp_tiler_result result = clp_tiler_take(tiler);
  r->tiler = NULL;
  *r->waiting.busy = '\0';
  *status = result.status;
  if (result.status == CLP_OK) {
    clp_runner_note(r, "%s", result.summary);
    *status = start_monitor(r, result.text);
  } else {
    clp_waiting_refuse(&r->waiting, result.status);
  }
  clp_tiler_destroy(tiler);
  return true;
}

/* How often somebody who waits looks (ns). */
#define TILER_INTERVAL (CLP_SECOND / 50)

static clp_status load_file(clp_runner *r)
{
  const char *path = r->settings->model;
  clp_log log = {.file = path, .sink = clp_waiting_sink(&r->waiting)};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_finish_file(&log, clp_read_file(&log, &text, &length));
  if (status == CLP_OK)
    status = begin_model(r, (clp_urdf_source){path, path, text, length});
  while (r->tiler && !clp_must_stop() && !follow_tiler(r, &status))
    clp_sleep_until(clp_steady_now() + TILER_INTERVAL);
  free(text);
  return status;
}

clp_status clp_runner_load(clp_runner *r)
{
  if (!clp_topic_is_used(CLP_TOPIC_DESCRIPTION, r->settings))
    return load_file(r);
  *r->waiting.refused = '\0';
  clp_runner_note(r, "waiting for a model on %s",
                  r->front->name_of(r->self, CLP_TOPIC_DESCRIPTION));
  return CLP_OK;
}

/* ---- What arrives ------------------------------------------------------------------------- */

/* What cannot be taken is counted as what cannot be read. */
static bool take(clp_runner *r, clp_topic_id topic, clp_message *message)
{
  clp_take found = r->front->take(r->self, topic, message);
  r->unread += found == CLP_TAKE_LOST;
  return found == CLP_TAKE_DONE;
}

static void refuse(clp_runner *r, clp_topic_id topic)
{
  ++r->unread;
  if (!r->puzzled[topic])
    clp_runner_note(r, "a message on %s cannot be read", r->front->name_of(r->self, topic));
  r->puzzled[topic] = true;
}

static size_t feed(clp_runner *r, clp_topic_id topic, const clp_message *message)
{
  bool is_static = topic == CLP_TOPIC_TF_STATIC;
  clp_tf_message told;
  if (!clp_tf_message_read(message->bytes, message->size, r->arrivals,
                           is_static ? CLP_TF_STATIC_ROOM : CLP_TF_ROOM, &told)) {
    refuse(r, topic);
    return 1;
  }
  clp_monitor_listen_to(r->monitor, message->writer);
  clp_monitor_feed(r->monitor, r->arrivals, told.count, is_static, now_of(r));
  clp_monitor_count(r->monitor, CLP_FEED_BEYOND, told.beyond);
  return told.count + 1;
}

/* Until enough has been taken for a cycle; what is left is for the next one. */
static void take_transforms(clp_runner *r, clp_topic_id topic)
{
  clp_message message;
  for (size_t fed = 0; fed < CLP_TF_ROOM && take(r, topic, &message);)
    fed += feed(r, topic, &message);
}

/* How much of a cycle's share a message has had. */
static size_t feed_joints(clp_runner *r, const clp_message *bytes)
{
  clp_joint_message message;
  uint64_t beyond = 0;
  clp_joint_reading found =
      clp_joint_message_read(bytes->bytes, bytes->size, r->joints, &message, &beyond);
  if (found == CLP_JOINTS_MALFORMED)
    refuse(r, CLP_TOPIC_JOINTS);
  clp_monitor_count(r->monitor, CLP_FEED_ARRAYS, found == CLP_JOINTS_UNEVEN);
  if (found != CLP_JOINTS_READ)
    return 1;
  clp_monitor_listen_to(r->monitor, bytes->writer);
  clp_monitor_feed_joints(r->monitor, &message, now_of(r));
  clp_monitor_count(r->monitor, CLP_FEED_BEYOND, beyond);
  return message.count + 1;
}

static void take_joints(clp_runner *r)
{
  clp_message message;
  if (!clp_topic_is_used(CLP_TOPIC_JOINTS, r->settings))
    return;
  for (size_t fed = 0; fed < CLP_JOINT_ROOM && take(r, CLP_TOPIC_JOINTS, &message);)
    fed += feed_joints(r, &message);
}

/* The newest time counts; a storm of them does not hold up the cycle. */
static void take_clock(clp_runner *r)
{
  clp_message message;
  for (int k = 0; k < clp_topics[CLP_TOPIC_CLOCK].quality.depth; ++k) {
    if (!take(r, CLP_TOPIC_CLOCK, &message))
      return;
    if (!clp_cdr_read_time(message.bytes, message.size, &r->sim_time))
      refuse(r, CLP_TOPIC_CLOCK);
  }
}

/* The text is NULL of one that cannot be read. */
static bool take_description(clp_runner *r, clp_message *message, const char **text)
{
  *text = NULL;
  if (!take(r, CLP_TOPIC_DESCRIPTION, message))
    return false;
  if (!clp_cdr_read_text(message->bytes, message->size, text))
    refuse(r, CLP_TOPIC_DESCRIPTION);
  return true;
}

/* Before anything is judged by the clock, which is the system's or a simulated one. */
static void look_at_clock(clp_runner *r)
{
  if (r->settings->use_sim_time)
    take_clock(r);
  clp_clocks clocks = clp_read_clocks();
  if (r->monitor)
    clp_monitor_examine(r->monitor, r->settings->use_sim_time ? r->sim_time : clocks.system,
                        clocks.steady);
}

static void tell_gathering(clp_runner *r)
{
  if (r->monitor)
    clp_monitor_tell(r->monitor, r->waiting.gathering.foreign, r->waiting.gathering.hint);
}

/* Whoever has just come may be found, but is not looked for at every message. */
static void look_for(clp_runner *r, uint64_t writer)
{
  if (!clp_publishers_find(&r->publishers, writer) &&
      clp_is_due(&r->search_due, r->pace.planned, GRAPH_INTERVAL))
    (void)r->front->gather(r->self, &r->publishers);
}

/* Somebody else's answers, also of one who is gone before publishers are looked at. */
static void overhear(clp_runner *r)
{
  clp_message message;
  for (int k = 0; k < CLP_TOPICS; ++k) {
    clp_topic_id topic = (clp_topic_id)k;
    if (!clp_topics[k].alone || !clp_topic_is_used(topic, r->settings) || !take(r, topic, &message))
      continue;
    look_for(r, message.writer);
    clp_publishers_overhear(&r->publishers, topic, message.writer, &r->waiting.gathering);
    tell_gathering(r);
  }
}

/* The first model that can be used stays; what is wrong with others has been said. */
static void take_all(clp_runner *r)
{
  clp_message message;
  const char *text;
  look_at_clock(r);
  overhear(r);
  clp_status status;
  if (r->tiler)
    (void)follow_tiler(r, &status);
  else if (!r->monitor && take_description(r, &message, &text) && text)
    (void)begin_model(r, (clp_urdf_source){"robot_description", NULL, text, strlen(text)});
  if (!r->monitor)
    return;
  take_transforms(r, CLP_TOPIC_TF_STATIC);
  take_transforms(r, CLP_TOPIC_TF);
  take_joints(r);
}

/* Some of them may be malformed. */
static void pass_over_descriptions(clp_runner *r)
{
  clp_message message;
  const char *text;
  if (clp_topic_is_used(CLP_TOPIC_DESCRIPTION, r->settings))
    for (size_t bytes = 0; bytes < LATE_BYTES && take_description(r, &message, &text);)
      bytes += message.size;
}

static void tell_unread(clp_runner *r)
{
  if (r->front->unread)
    r->unread += r->front->unread(r->self);
  if (!r->monitor)
    return;
  clp_monitor_count(r->monitor, CLP_FEED_MALFORMED, r->unread);
  r->unread = 0;
}

/* Who publishes what. True: there may be more of it. */
static bool look_around(clp_runner *r)
{
  const clp_publishers *publishers = &r->publishers;
  bool more = r->front->gather(r->self, &r->publishers);
  r->waiting.gathering = clp_publishers_judge(publishers);
  if (!r->monitor)
    return more;
  pass_over_descriptions(r);
  clp_publishers_introduce(publishers, clp_monitor_speakers(r->monitor));
  clp_publishers_present(publishers, r->monitor);
  tell_gathering(r);
  return more;
}

/* ---- Answers ------------------------------------------------------------------------------ */

/* Nothing is known as long as there is no model. */
static const clp_report *idle_report(clp_runner *r, const char *reason)
{
  r->idle = clp_report_nothing(now_of(r), ++r->idle_cycles, reason);
  return &r->idle;
}

typedef const clp_report *(*cycle_function)(clp_monitor *monitor, int64_t time);

/* What has arrived, and the answer from it; `stamped` is when, by the steady clock. */
static const clp_report *compute(clp_runner *r, cycle_function cycle, int64_t *stamped)
{
  take_all(r);
  *stamped = clp_steady_now();
  return r->monitor ? cycle(r->monitor, now_of(r))
                    : idle_report(r, clp_waiting_why(&r->waiting).text);
}

/* Where the process has been held up while it computed, the answer is computed again: what it then
 * says is no worse than what the others say that come in time. */
static const clp_report *answer(clp_runner *r, int64_t *stamped)
{
  const clp_report *report = compute(r, clp_monitor_cycle, stamped);
  return clp_pace_late(&r->pace, *stamped, clp_steady_now()) > 0
             ? compute(r, clp_monitor_cycle_again, stamped)
             : report;
}

/* The last look before an answer is written, which then takes microseconds. */
static void doubt_age(clp_runner *r, clp_report *report, int64_t stamped)
{
  double late = clp_pace_late(&r->pace, stamped, clp_steady_now());
  if (late == 0 || !r->monitor || report->safety.zone == CLP_ZONE_STOP)
    return;
  clp_report_too_late(report, late);
  clp_monitor_hold(r->monitor);
  ++r->pace.record.late;
}

static void publish(clp_runner *r, clp_topic_id topic, const clp_said *said)
{
  if (clp_topic_is_used(topic, r->settings))
    r->unsent += !r->front->publish(r->self, topic, said);
}

/* The one place where a cycle's answers go out; what a robot obeys first. */
static void publish_answers(clp_runner *r, const clp_report *report, int64_t begin, int64_t stamped)
{
  static const clp_topic_id answers[] = {CLP_TOPIC_SAFETY, CLP_TOPIC_WRENCH, CLP_TOPIC_POINTS,
                                         CLP_TOPIC_GRADIENTS, CLP_TOPIC_MINIMUM};
  clp_report timed = clp_report_to_send(report, r->settings, clp_steady_now() - begin, now_of(r));
  clp_frame_text wrench_frame = clp_settings_wrench_frame(r->settings);
  clp_said said = {.report = &timed,
                   .frame = r->settings->fixed_frame,
                   .wrench_frame = wrench_frame.text,
                   .points = r->points,
                   .gradients = r->gradients,
                   .joint_names = r->joint_names};
  doubt_age(r, &timed, stamped);
  for (size_t k = 0; k < sizeof answers / sizeof *answers; ++k)
    publish(r, answers[k], &said);
}

/* Nothing is drawn while nobody looks. */
static void publish_markers(clp_runner *r, const clp_report *report)
{
  if (!r->painter || !r->front->is_heard(r->self, CLP_TOPIC_MARKERS))
    return;
  clp_picture picture = clp_painter_draw(r->painter, report);
  publish(r, CLP_TOPIC_MARKERS, &(clp_said){.report = report, .picture = &picture});
}

static void publish_diagnostics(clp_runner *r, const clp_report *report)
{
  tell_unread(r);
  clp_diagnostics diagnostics = clp_diagnose(r->monitor, report, &r->pace.record, r->unread);
  publish(r, CLP_TOPIC_DIAGNOSTICS,
          &(clp_said){.report = report, .diagnostics = &diagnostics, .node = r->node + 1});
  r->pace.record = (clp_cycle_record){.cycles = 0};
}

void clp_runner_say_nothing(clp_runner *r, const char *why)
{
  int64_t steady = clp_steady_now();
  publish_answers(r, idle_report(r, why), steady, steady);
}

void clp_runner_say_last(clp_runner *r)
{
  int64_t steady = clp_steady_now();
  publish_answers(
      r, r->monitor ? clp_monitor_last(r->monitor, now_of(r)) : idle_report(r, "shutting down"),
      steady, steady);
}

/* ---- Cycles ------------------------------------------------------------------------------- */

void clp_runner_begin(clp_runner *r)
{
  clp_pace_start(&r->pace, r->settings->rate, clp_steady_now());
  r->publication = (clp_publication){0};
  r->markers_due = r->graph_due = r->search_due = 0;
  r->diagnostics_due = r->pace.planned + CLP_SECOND;
}

static void run_cycle(clp_runner *r)
{
  int64_t planned = r->pace.planned, begin = clp_steady_now(), stamped = begin;
  int64_t marker_interval = clp_interval_of(r->settings->marker_rate);
  if (clp_is_due(&r->graph_due, planned, GRAPH_INTERVAL) && look_around(r))
    r->graph_due = planned; /* goes on in the next cycle */
  const clp_report *report = answer(r, &stamped);
  if (clp_publication_due(&r->publication, report->safety.zone, planned, r->settings->publish_rate))
    publish_answers(r, report, begin, stamped);
  if (marker_interval > 0 && clp_is_due(&r->markers_due, planned, marker_interval))
    publish_markers(r, report);
  clp_pace_done(&r->pace, begin, clp_steady_now());
  if (clp_is_due(&r->diagnostics_due, planned, CLP_SECOND))
    publish_diagnostics(r, report);
  clp_desk_attend(r->desk, r->monitor, report->safety.reason);
}

void clp_runner_run(clp_runner *r)
{
  bool active = !r->front->serve;
  while (!clp_must_stop()) {
    active = !r->front->serve || r->front->serve(r->self, r->pace.planned);
    if (!active) {
      clp_desk_attend(r->desk, NULL, "the monitor is not active");
      continue;
    }
    clp_sleep_until(r->pace.planned);
    if (!clp_must_stop())
      run_cycle(r);
  }
  if (active)
    clp_runner_say_last(r);
  clp_pace_summary summary = clp_pace_summarize(&r->pace);
  clp_runner_note(r, "%s", summary.starts);
  clp_runner_note(r, "%s; %" PRIu64 " messages not sent", summary.lengths, r->unsent);
}

/* ---- From start to end -------------------------------------------------------------------- */

clp_status clp_runner_create(clp_runner *r, const clp_front *front, void *self,
                             const clp_settings *settings, const char *node, clp_model_sink sink)
{
  *r = (clp_runner){.front = front,
                    .self = self,
                    .settings = settings,
                    .node = node,
                    .waiting.sink = sink,
                    .arrivals = calloc(CLP_TF_STATIC_ROOM, sizeof *r->arrivals),
                    .joints = calloc(CLP_JOINT_ROOM, sizeof *r->joints)};
  return r->arrivals && r->joints ? CLP_OK : CLP_ERROR_MEMORY;
}

clp_status clp_runner_open(clp_runner *r)
{
  r->desk = clp_desk_open(r->front, r->self);
  return r->desk ? CLP_OK : CLP_ERROR_MEMORY;
}

void clp_runner_close(clp_runner *r)
{
  clp_desk_close(r->desk);
  r->desk = NULL;
}

void clp_runner_release(clp_runner *r)
{
  clp_runner_unload(r);
  free(r->arrivals);
  free(r->joints);
  *r = (clp_runner){.arrivals = NULL};
}
