/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/node/node_dds.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/monitor/pace.h"
#include "rclc_closest_point/monitor/topics.h"
#include "rclc_closest_point/node/convert_dds.h"
#include "rclc_closest_point/node/dds_graph.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/node/tf_message.h"

/* Who publishes what is looked at so often (ns). */
#define GRAPH_INTERVAL (CLP_SECOND / 4)

typedef struct dds_node {
  const clp_settings *settings;
  clp_model_sink sink;
  clp_dds dds;
  dds_entity_t tf, tf_static, description, clock;             /* readers; 0: not there */
  dds_entity_t points, minimum, safety, markers, diagnostics; /* writers */
  dds_entity_t wrench;                                        /* 0: there is no tool */
  clp_monitor *monitor;                                       /* NULL: no model yet */
  clp_dds_point *room;
  clp_painter *painter;
  clp_dds_picture picture;
  clp_arrival *arrivals; /* room for those of one message */
  clp_dds_graph graph;
  clp_waiting waiting;
  unsigned long malformed; /* of those that DDS counts, which the monitor has been told of */
  int64_t sim_time;
  uint64_t idle_cycles; /* without a monitor */
  clp_report idle;
  clp_pace pace;
  uint64_t unsent;
} dds_node;

static int64_t now_of(const dds_node *node)
{
  return node->settings->use_sim_time ? node->sim_time : clp_system_now();
}

static void note(const dds_node *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(const dds_node *node, const char *format, ...)
{
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (node->sink.message)
    node->sink.message(node->sink.user, CLP_NOTE, line);
}

/* ---- What arrives ------------------------------------------------------------------------- */

static size_t feed_bytes(dds_node *node, const clp_dds_bytes *bytes, bool is_static)
{
  clp_tf_message message;
  if (!clp_tf_message_read(bytes->bytes, bytes->size, node->arrivals,
                           is_static ? CLP_TF_STATIC_ROOM : CLP_TF_ROOM, &message)) {
    clp_monitor_count(node->monitor, CLP_FEED_MALFORMED, 1);
    return 1;
  }
  clp_monitor_listen_to(node->monitor, bytes->writer);
  clp_monitor_feed(node->monitor, node->arrivals, message.count, is_static, now_of(node));
  clp_monitor_count(node->monitor, CLP_FEED_BEYOND, message.beyond);
  return message.count + 1;
}

/* Until enough has been taken for a cycle; what is left is for the next one. */
static void take_transforms(dds_node *node, dds_entity_t reader, bool is_static)
{
  clp_dds_bytes bytes;
  for (size_t fed = 0; fed < CLP_TF_ROOM && clp_dds_take_bytes(&node->dds, reader, &bytes);) {
    fed += feed_bytes(node, &bytes, is_static);
    clp_dds_give_bytes_back(&bytes);
  }
}

static void take_clock(dds_node *node)
{
  void *sample = NULL;
  dds_sample_info_t info;
  int count = clp_dds_take(&node->dds, node->clock, &sample, &info, 1);
  if (count > 0 && info.valid_data) {
    const rosgraph_msgs_msg_dds__Clock_ *told = sample;
    node->sim_time = clp_time_of(told->clock.sec, told->clock.nanosec);
  }
  clp_dds_give_back(&node->dds, node->clock, &sample, count);
}

static void report_start(const dds_node *node)
{
  note(node, "monitoring %d pairs of %d links at %s Hz as %s in domain %" PRIu32,
       clp_monitor_pair_count(node->monitor), clp_monitor_link_count(node->monitor),
       clp_number(node->settings->rate, 6).text, clp_ros_node_name(node->dds.arguments).text,
       node->dds.domain_id);
}

static void drop_monitor(dds_node *node)
{
  clp_painter_destroy(node->painter);
  clp_monitor_destroy(node->monitor);
  free(node->room);
  node->painter = NULL;
  node->monitor = NULL;
  node->room = NULL;
}

static clp_status start_monitor(dds_node *node, const char *description)
{
  clp_status status =
      clp_monitor_create(node->settings, description, description ? strlen(description) : 0,
                         clp_waiting_sink(&node->waiting), &node->monitor);
  if (status == CLP_OK)
    status = clp_painter_create(node->monitor, &node->painter);
  if (status == CLP_OK) {
    node->room = calloc((size_t)clp_monitor_pair_count(node->monitor), sizeof *node->room);
    status = node->room ? CLP_OK : CLP_ERROR_MEMORY;
  }
  if (status == CLP_OK)
    report_start(node);
  else
    drop_monitor(node);
  return status;
}

/* The first model that can be used stays; what is wrong with others has been said. */
static void take_description(dds_node *node)
{
  void *sample = NULL;
  dds_sample_info_t info;
  int count = clp_dds_take(&node->dds, node->description, &sample, &info, 1);
  if (count > 0 && info.valid_data)
    (void)start_monitor(node, ((const std_msgs_msg_dds__String_ *)sample)->data);
  clp_dds_give_back(&node->dds, node->description, &sample, count);
}

/* Before anything is judged by the clock. */
static void look_at_clock(dds_node *node)
{
  if (node->clock > 0)
    take_clock(node);
  clp_clocks clocks = clp_read_clocks();
  if (node->monitor)
    clp_monitor_look(node->monitor, node->clock > 0 ? node->sim_time : clocks.system,
                     clocks.steady);
}

static void take_all(dds_node *node)
{
  look_at_clock(node);
  if (!node->monitor)
    take_description(node);
  if (!node->monitor)
    return;
  take_transforms(node, node->tf_static, true);
  take_transforms(node, node->tf, false);
}

/* Who publishes what, and what DDS has not been able to read. True: there may be more of it. */
static bool look_around(dds_node *node)
{
  clp_waiting *waiting = &node->waiting;
  bool more = clp_dds_graph_update(&node->graph);
  waiting->gathering = clp_publishers_judge(&node->graph.publishers);
  if (!node->monitor)
    return more;
  unsigned long malformed = atomic_load(&node->dds.malformed);
  clp_publishers_introduce(&node->graph.publishers, clp_monitor_speakers(node->monitor));
  clp_publishers_present(&node->graph.publishers, node->monitor);
  clp_monitor_tell(node->monitor, waiting->gathering.foreign, waiting->gathering.hint);
  clp_monitor_count(node->monitor, CLP_FEED_MALFORMED, malformed - node->malformed);
  node->malformed = malformed;
  return more;
}

/* ---- What is said ------------------------------------------------------------------------- */

/* Nothing is known as long as there is no model. */
static const clp_report *idle_report(dds_node *node, int64_t time, const char *reason)
{
  node->idle = clp_report_nothing(time, ++node->idle_cycles, reason);
  return &node->idle;
}

typedef const clp_report *(*cycle_function)(clp_monitor *monitor, int64_t time);

/* What has arrived, and the answer from it; `stamped` is when, by the steady clock. */
static const clp_report *run_cycle(dds_node *node, cycle_function cycle, int64_t *stamped)
{
  take_all(node);
  *stamped = clp_steady_now();
  int64_t time = now_of(node);
  return node->monitor ? cycle(node->monitor, time)
                       : idle_report(node, time, clp_waiting_why(&node->waiting).text);
}

/* Where the process has been held up while it computed, the answer is computed again: what it then
 * says is no worse than what the others say that come in time. */
static const clp_report *answer(dds_node *node, int64_t *stamped)
{
  const clp_report *report = run_cycle(node, clp_monitor_cycle, stamped);
  return clp_pace_late(&node->pace, *stamped, clp_steady_now()) > 0
             ? run_cycle(node, clp_monitor_cycle_again, stamped)
             : report;
}

static const clp_report *last_report(dds_node *node, int64_t time)
{
  return node->monitor ? clp_monitor_last(node->monitor, time)
                       : idle_report(node, time, "shutting down");
}

static void write_message(dds_node *node, dds_entity_t writer, const void *message)
{
  node->unsent += !clp_dds_write(&node->dds, writer, message);
}

/* The last look before an answer is written, which then takes microseconds. */
static void doubt_age(dds_node *node, clp_report *report, int64_t stamped)
{
  double late = clp_pace_late(&node->pace, stamped, clp_steady_now());
  if (late == 0 || !node->monitor || report->safety.zone == CLP_ZONE_STOP)
    return;
  clp_report_too_late(report, late);
  clp_monitor_hold(node->monitor);
  ++node->pace.record.late;
}

static void publish(dds_node *node, const clp_report *report, int64_t cycle_begin, int64_t stamped)
{
  clp_report timed =
      clp_report_to_send(report, node->settings, clp_steady_now() - cycle_begin, now_of(node));
  const char *frame = node->settings->fixed_frame;
  clp_dds_points points = clp_dds_points_of(&timed, frame, node->room);
  clp_closest_point nearest = clp_report_minimum(&timed);
  clp_dds_point minimum = clp_dds_point_of(&nearest);
  doubt_age(node, &timed, stamped);
  clp_dds_safety safety = clp_dds_safety_of(&timed, frame);
  write_message(node, node->safety, &safety);
  write_message(node, node->points, &points);
  write_message(node, node->minimum, &minimum);
  if (node->wrench > 0) {
    geometry_msgs_msg_dds__WrenchStamped_ wrench =
        clp_dds_wrench_of(&timed, clp_settings_wrench_frame(node->settings));
    write_message(node, node->wrench, &wrench);
  }
}

/* Nothing is drawn while nobody looks. */
static void publish_markers(dds_node *node, const clp_report *report)
{
  if (!node->painter || !clp_dds_is_read(&node->dds, node->markers))
    return;
  clp_picture picture = clp_painter_draw(node->painter, report);
  clp_dds_fill_picture(&node->picture, &picture, report->stamp);
  write_message(node, node->markers, &node->picture.message);
}

static void publish_diagnostics(dds_node *node, const clp_report *report)
{
  clp_dds_health health;
  uint64_t unread = atomic_load(&node->dds.malformed) - node->malformed;
  clp_diagnostics diagnostics = clp_diagnose(node->monitor, report, &node->pace.record, unread);
  clp_ros_name name = clp_ros_node_name(node->dds.arguments);
  clp_dds_fill_health(&health, &diagnostics, name.text + 1, report->stamp);
  write_message(node, node->diagnostics, &health.message);
  node->pace.record = (clp_cycle_record){.cycles = 0};
}

/* ---- Time --------------------------------------------------------------------------------- */

static void run_cycles(dds_node *node)
{
  clp_pace *pace = &node->pace;
  double publish_rate = node->settings->publish_rate;
  int64_t marker_interval = clp_interval_of(node->settings->marker_rate);
  clp_pace_start(pace, node->settings->rate, clp_steady_now());
  clp_publication publication = {0};
  int64_t markers_due = 0, diagnostics_due = pace->planned + CLP_SECOND, graph_due = 0;
  while (!clp_must_stop()) {
    clp_sleep_until(pace->planned);
    if (clp_must_stop())
      break;
    int64_t planned = pace->planned, begin = clp_steady_now(), stamped = begin;
    if (clp_is_due(&graph_due, planned, GRAPH_INTERVAL) && look_around(node))
      graph_due = planned; /* goes on in the next cycle */
    const clp_report *report = answer(node, &stamped);
    if (clp_publication_due(&publication, report->safety.zone, planned, publish_rate))
      publish(node, report, begin, stamped);
    if (marker_interval > 0 && clp_is_due(&markers_due, planned, marker_interval))
      publish_markers(node, report);
    clp_pace_done(pace, begin, clp_steady_now());
    if (clp_is_due(&diagnostics_due, planned, CLP_SECOND))
      publish_diagnostics(node, report);
  }
  int64_t end = clp_steady_now();
  publish(node, last_report(node, now_of(node)), end, end);
}

static void report_end(const dds_node *node)
{
  clp_pace_summary summary = clp_pace_summarize(&node->pace);
  note(node, "%s", summary.starts);
  note(node, "%s; %" PRIu64 " messages not sent", summary.lengths, node->unsent);
}

/* ---- From start to end -------------------------------------------------------------------- */

static dds_entity_t reader(dds_node *node, clp_topic_id topic, const dds_topic_descriptor_t *type,
                           clp_dds_quality quality)
{
  return clp_dds_reader(&node->dds, clp_topics[topic].name, type, quality);
}

static dds_entity_t writer(dds_node *node, clp_topic_id topic, const dds_topic_descriptor_t *type,
                           clp_dds_quality quality)
{
  return clp_dds_writer(&node->dds, clp_topics[topic].name, type, quality,
                        clp_promise_of(node->settings));
}

static clp_status create_endpoints(dds_node *node)
{
  const dds_topic_descriptor_t *tf = &tf2_msgs_msg_dds__TFMessage__desc;
  bool waits = !*node->settings->model;
  node->points = writer(node, CLP_TOPIC_POINTS,
                        &rclc_closest_point_msg_dds__ClosestPointArray__desc, CLP_DDS_ANSWERS);
  node->minimum = writer(node, CLP_TOPIC_MINIMUM, &rclc_closest_point_msg_dds__ClosestPoint__desc,
                         CLP_DDS_ANSWERS);
  node->safety = writer(node, CLP_TOPIC_SAFETY, &rclc_closest_point_msg_dds__SafetyStatus__desc,
                        CLP_DDS_ORDERS);
  if (*node->settings->wrench_tool)
    node->wrench =
        writer(node, CLP_TOPIC_WRENCH, &geometry_msgs_msg_dds__WrenchStamped__desc, CLP_DDS_ORDERS);
  node->markers = writer(node, CLP_TOPIC_MARKERS, &visualization_msgs_msg_dds__MarkerArray__desc,
                         CLP_DDS_NEWEST);
  node->diagnostics = writer(node, CLP_TOPIC_DIAGNOSTICS,
                             &diagnostic_msgs_msg_dds__DiagnosticArray__desc, CLP_DDS_STATUS);
  node->tf = reader(node, CLP_TOPIC_TF, tf, CLP_DDS_STREAM);
  node->tf_static = reader(node, CLP_TOPIC_TF_STATIC, tf, CLP_DDS_LATCHED);
  if (waits)
    node->description =
        reader(node, CLP_TOPIC_DESCRIPTION, &std_msgs_msg_dds__String__desc, CLP_DDS_LATCHED);
  if (node->settings->use_sim_time)
    node->clock = reader(node, CLP_TOPIC_CLOCK, &rosgraph_msgs_msg_dds__Clock__desc, CLP_DDS_CLOCK);
  bool good = node->points > 0 && node->minimum > 0 && node->safety > 0 && node->markers > 0 &&
              node->diagnostics > 0 && node->tf > 0 && node->tf_static > 0 &&
              node->description >= 0 && node->clock >= 0 && node->wrench >= 0;
  return good ? clp_dds_announce(&node->dds) : CLP_ERROR_FILE;
}

static clp_status start(dds_node *node, const clp_ros_arguments *arguments)
{
  clp_status status = clp_dds_open(&node->dds, arguments, node->sink);
  if (status == CLP_OK)
    status = create_endpoints(node);
  if (status == CLP_OK && !clp_dds_graph_create(&node->graph, &node->dds))
    status = CLP_ERROR_FILE;
  if (status == CLP_OK && *node->settings->model)
    status = start_monitor(node, NULL);
  if (status == CLP_OK && !node->monitor)
    note(node, "waiting for a model on %s",
         clp_ros_topic(arguments, clp_topics[CLP_TOPIC_DESCRIPTION].name).text);
  return status;
}

clp_status clp_run_dds_node(const clp_settings *settings, const clp_ros_arguments *arguments,
                            clp_model_sink sink)
{
  dds_node *node = calloc(1, sizeof *node);
  if (!node)
    return CLP_ERROR_MEMORY;
  node->settings = settings;
  node->sink = node->waiting.sink = sink;
  node->arrivals = calloc(CLP_TF_STATIC_ROOM, sizeof *node->arrivals);
  clp_signals before;
  clp_keep_no_memory();
  clp_catch_signals(&before);
  clp_status status = node->arrivals ? start(node, arguments) : CLP_ERROR_MEMORY;
  if (status == CLP_OK) {
    run_cycles(node);
    report_end(node);
  }
  clp_dds_close(&node->dds);
  clp_restore_signals(&before);
  drop_monitor(node);
  free(node->arrivals);
  free(node);
  return status;
}
