/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/node/node_rclc.h"

#include <inttypes.h>
#include <lifecycle_msgs/msg/state.h>
#include <rcl/error_handling.h>
#include <rcl/logging.h>
#include <rclc/rclc.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/monitor/pace.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/node/ros_clock.h"
#include "rclc_closest_point/node/ros_graph.h"
#include "rclc_closest_point/node/ros_input.h"
#include "rclc_closest_point/node/ros_lifecycle.h"
#include "rclc_closest_point/node/ros_log.h"
#include "rclc_closest_point/node/ros_output.h"
#include "rclc_closest_point/node/ros_parameters.h"

/* Services are looked at so often (ns); where cycles are rarer, also between them, up to the time
 * that is left for being in time for the next one. */
#define SERVICE_INTERVAL INT64_C(10000000)
#define SERVICE_MARGIN INT64_C(2000000)
#define SERVICE_PAUSE INT64_C(1000000)

/* Who publishes what is looked at so often (ns). */
#define GRAPH_INTERVAL (CLP_SECOND / 4)

typedef struct rclc_node {
  rcl_allocator_t allocator;
  rclc_support_t support;
  rcl_node_t node;
  rclc_executor_t executor;
  const char *logger;
  clp_settings settings;
  clp_ros_clock clock;
  clp_ros_input input;
  clp_ros_output output;
  clp_ros_graph graph;
  clp_waiting waiting;
  clp_parameters parameters;
  clp_lifecycle lifecycle;
  clp_monitor *monitor; /* NULL: no model yet */
  clp_ros_point *room;
  clp_painter *painter;
  clp_ros_picture picture;
  uint64_t idle_cycles; /* without a monitor */
  clp_report idle;
  bool services_troubled; /* has been said */
  clp_status failure;     /* why the last configuration has failed */
  bool publishing;        /* active: what the lifecycle's state says, also while it changes */
  clp_pace pace;
  clp_publication publication;
  int64_t markers_due, diagnostics_due, service_due, graph_due;
} rclc_node;

static bool is_active(const rclc_node *n)
{
  return clp_lifecycle_state(&n->lifecycle) == lifecycle_msgs__msg__State__PRIMARY_STATE_ACTIVE;
}

/* ---- The model ---------------------------------------------------------------------------- */

static void drop_monitor(rclc_node *n)
{
  clp_painter_destroy(n->painter);
  clp_monitor_destroy(n->monitor);
  free(n->room);
  n->painter = NULL;
  n->monitor = NULL;
  n->room = NULL;
}

static clp_status start_monitor(rclc_node *n, const char *description)
{
  clp_status status =
      clp_monitor_create(&n->settings, description, description ? strlen(description) : 0,
                         clp_waiting_sink(&n->waiting), &n->monitor);
  if (status == CLP_OK)
    status = clp_painter_create(n->monitor, &n->painter);
  if (status != CLP_OK) {
    drop_monitor(n);
    return status;
  }
  n->room = calloc((size_t)clp_monitor_pair_count(n->monitor), sizeof *n->room);
  if (!n->room) {
    drop_monitor(n);
    return CLP_ERROR_MEMORY;
  }
  clp_ros_note(n->logger, "monitoring %d pairs of %d links at %s Hz",
               clp_monitor_pair_count(n->monitor), clp_monitor_link_count(n->monitor),
               clp_number(n->settings.rate, 6).text);
  return CLP_OK;
}

/* ---- A cycle ------------------------------------------------------------------------------ */

/* Before anything is judged by the clock, which is the system's or a simulated one. */
static void look_at_clock(rclc_node *n)
{
  clp_ros_clock_update(&n->clock);
  clp_clocks clocks = clp_read_clocks();
  if (!n->monitor)
    return;
  clp_monitor_count(n->monitor, CLP_FEED_MALFORMED, clp_ros_reader_unread(&n->clock.reader));
  clp_monitor_look(n->monitor, n->clock.simulated ? clp_ros_clock_now(&n->clock) : clocks.system,
                   clocks.steady);
}

/* The first model that can be used stays; what is wrong with others has been said. */
static void take_all(rclc_node *n, int64_t now)
{
  if (!n->monitor) {
    const char *description = clp_ros_input_description(&n->input);
    if (description)
      (void)start_monitor(n, description);
  }
  if (n->monitor)
    clp_ros_input_feed(&n->input, n->monitor, now);
}

static const char *read_name(const clp_ros_reader *reader)
{
  return clp_ros_reader_is_there(reader) ? rcl_subscription_get_topic_name(&reader->subscription)
                                         : NULL;
}

static const char *written_name(const clp_ros_outlet *outlet)
{
  return outlet->publisher.impl ? rcl_publisher_get_topic_name(&outlet->publisher) : NULL;
}

/* Who publishes what. */
static void look_around(rclc_node *n)
{
  n->graph.node = &n->node;
  n->graph.logger = n->logger;
  const char *names[CLP_TOPICS] = {[CLP_TOPIC_TF] = read_name(&n->input.tf),
                                   [CLP_TOPIC_TF_STATIC] = read_name(&n->input.tf_static),
                                   [CLP_TOPIC_DESCRIPTION] = read_name(&n->input.description),
                                   [CLP_TOPIC_CLOCK] = read_name(&n->clock.reader),
                                   [CLP_TOPIC_POINTS] = written_name(&n->output.points),
                                   [CLP_TOPIC_MINIMUM] = written_name(&n->output.minimum),
                                   [CLP_TOPIC_SAFETY] = written_name(&n->output.safety),
                                   [CLP_TOPIC_WRENCH] = written_name(&n->output.wrench)};
  memcpy(n->graph.names, names, sizeof names);
  clp_ros_graph_update(&n->graph);
  n->waiting.gathering = clp_publishers_judge(&n->graph.publishers);
  clp_ros_input_tidy(&n->input, n->monitor != NULL);
  if (!n->monitor)
    return;
  clp_ros_graph_introduce(&n->graph, clp_monitor_speakers(n->monitor));
  clp_publishers_present(&n->graph.publishers, n->monitor);
  clp_monitor_tell(n->monitor, n->waiting.gathering.foreign, n->waiting.gathering.hint);
}

/* Nothing is known as long as there is no model. */
static const clp_report *idle_report(rclc_node *n, int64_t time, const char *reason)
{
  n->idle = clp_report_nothing(time, ++n->idle_cycles, reason);
  return &n->idle;
}

static void publish_wrench(rclc_node *n, clp_wrench wrench, int64_t stamp)
{
  if (*n->settings.wrench_tool)
    clp_ros_publish_wrench(&n->output, wrench, stamp, clp_settings_wrench_frame(&n->settings));
}

/* The last look before an answer is written, which then takes microseconds. */
static void doubt_age(rclc_node *n, clp_report *report, int64_t stamped)
{
  double late = clp_pace_late(&n->pace, stamped, clp_steady_now());
  if (late == 0 || !n->monitor || report->safety.zone == CLP_ZONE_STOP)
    return;
  clp_report_too_late(report, late);
  clp_monitor_hold(n->monitor);
  ++n->pace.record.late;
}

/* The one place where a cycle's answers go out. */
static void publish(rclc_node *n, const clp_report *report, int64_t begin, int64_t stamped)
{
  clp_report timed = clp_report_to_send(report, &n->settings, clp_steady_now() - begin,
                                        clp_ros_clock_now(&n->clock));
  doubt_age(n, &timed, stamped);
  clp_ros_publish_report(&n->output, &timed, n->settings.fixed_frame, n->room);
  publish_wrench(n, timed.wrench, timed.stamp);
}

static void publish_markers(rclc_node *n, const clp_report *report, int64_t planned)
{
  int64_t interval = clp_interval_of(n->settings.marker_rate);
  if (!n->painter || interval == 0 || !clp_is_due(&n->markers_due, planned, interval) ||
      !clp_ros_is_watched(&n->output))
    return;
  clp_picture picture = clp_painter_draw(n->painter, report);
  clp_ros_publish_picture(&n->output, &n->picture, &picture, report->stamp);
}

static void publish_diagnostics(rclc_node *n, const clp_report *report)
{
  uint64_t unread = n->input.description.unread + n->clock.reader.unread;
  clp_diagnostics diagnostics = clp_diagnose(n->monitor, report, &n->pace.record, unread);
  const char *name = rcl_node_get_fully_qualified_name(&n->node);
  clp_ros_publish_health(&n->output, &diagnostics, name + 1, report->stamp);
  n->pace.record = (clp_cycle_record){.cycles = 0};
}

typedef const clp_report *(*cycle_function)(clp_monitor *monitor, int64_t time);

/* What has arrived, and the answer from it; `stamped` is when, by the steady clock. */
static const clp_report *compute(rclc_node *n, cycle_function cycle, int64_t *stamped)
{
  look_at_clock(n);
  take_all(n, clp_ros_clock_now(&n->clock));
  *stamped = clp_steady_now();
  int64_t time = clp_ros_clock_now(&n->clock);
  return n->monitor ? cycle(n->monitor, time)
                    : idle_report(n, time, clp_waiting_why(&n->waiting).text);
}

/* Where the process has been held up while it computed, the answer is computed again: what it then
 * says is no worse than what the others say that come in time. */
static const clp_report *answer(rclc_node *n, int64_t *stamped)
{
  const clp_report *report = compute(n, clp_monitor_cycle, stamped);
  return clp_pace_late(&n->pace, *stamped, clp_steady_now()) > 0
             ? compute(n, clp_monitor_cycle_again, stamped)
             : report;
}

static void run_cycle(rclc_node *n)
{
  int64_t planned = n->pace.planned, begin = clp_steady_now(), stamped = begin;
  if (clp_is_due(&n->graph_due, planned, GRAPH_INTERVAL))
    look_around(n);
  const clp_report *report = answer(n, &stamped);
  if (clp_publication_due(&n->publication, report->safety.zone, planned, n->settings.publish_rate))
    publish(n, report, begin, stamped);
  publish_markers(n, report, planned);
  clp_pace_done(&n->pace, begin, clp_steady_now());
  if (clp_is_due(&n->diagnostics_due, planned, CLP_SECOND))
    publish_diagnostics(n, report);
}

static void publish_last(rclc_node *n)
{
  int64_t now = clp_ros_clock_now(&n->clock), steady = clp_steady_now();
  publish(n, n->monitor ? clp_monitor_last(n->monitor, now) : idle_report(n, now, "shutting down"),
          steady, steady);
  clp_ros_output_flush(&n->output, CLP_SECOND / 5);
}

/* ---- Services ----------------------------------------------------------------------------- */

/* That nobody has asked anything is nothing wrong. Where waiting fails rclc comes back at once, and
 * says nothing. */
static void serve(rclc_node *n, int64_t wait)
{
  int64_t begin = clp_steady_now();
  rcl_ret_t result = rclc_executor_spin_some(&n->executor, (uint64_t)wait);
  if (result == RCL_RET_TIMEOUT || result == RCL_RET_SERVICE_TAKE_FAILED)
    rcl_reset_error();
  else
    (void)clp_ros_good_once(result, &n->services_troubled, n->logger, "rclc_executor_spin_some",
                            "services");
  if (wait > 0)
    clp_sleep_until(begin + SERVICE_PAUSE);
}

static void serve_between_cycles(rclc_node *n)
{
  int64_t now = clp_steady_now();
  if (now < n->service_due)
    return;
  serve(n, 0);
  for (now = clp_steady_now();
       is_active(n) && !clp_must_stop() && n->pace.planned - now > SERVICE_INTERVAL;
       now = clp_steady_now()) {
    int64_t left = n->pace.planned - now - SERVICE_MARGIN;
    serve(n, left < 5 * SERVICE_INTERVAL ? left : 5 * SERVICE_INTERVAL);
  }
  n->service_due = now + SERVICE_INTERVAL;
}

static void run(rclc_node *n)
{
  while (!clp_must_stop()) {
    if (!is_active(n)) {
      serve(n, 5 * SERVICE_INTERVAL);
      continue;
    }
    serve_between_cycles(n);
    if (!is_active(n))
      continue;
    clp_sleep_until(n->pace.planned);
    if (!clp_must_stop())
      run_cycle(n);
  }
  if (is_active(n))
    publish_last(n);
}

static void report_end(const rclc_node *n)
{
  clp_pace_summary summary = clp_pace_summarize(&n->pace);
  clp_ros_note(n->logger, "%s", summary.starts);
  clp_ros_note(n->logger, "%s; %" PRIu64 " messages not sent", summary.lengths, n->output.unsent);
}

/* ---- Lifecycle ---------------------------------------------------------------------------- */

static bool configure(void *user)
{
  rclc_node *n = user;
  bool waits = !*n->settings.model;
  n->failure = clp_ros_input_create(&n->input, waits, &n->node) ? CLP_OK : CLP_ERROR_FILE;
  if (n->failure == CLP_OK && !waits)
    n->failure = start_monitor(n, NULL);
  if (n->failure != CLP_OK) {
    clp_ros_input_release(&n->input, &n->node);
    return false;
  }
  if (waits)
    clp_ros_note(n->logger, "waiting for a model on %s",
                 rcl_subscription_get_topic_name(&n->input.description.subscription));
  return true;
}

static bool activate(void *user)
{
  rclc_node *n = user;
  clp_pace_start(&n->pace, n->settings.rate, clp_steady_now());
  n->publication = (clp_publication){0};
  n->markers_due = n->service_due = n->graph_due = 0;
  n->diagnostics_due = n->pace.planned + CLP_SECOND;
  n->publishing = true;
  return true;
}

/* Nobody shall go on being pushed by an old wrench, or driving at an old CLEAR. */
static bool deactivate(void *user)
{
  rclc_node *n = user;
  int64_t steady = clp_steady_now();
  publish(n, idle_report(n, clp_ros_clock_now(&n->clock), "deactivated"), steady, steady);
  n->publishing = false;
  return true;
}

static bool clean_up(void *user)
{
  rclc_node *n = user;
  drop_monitor(n);
  clp_ros_input_release(&n->input, &n->node);
  return true;
}

static bool shut_down(void *user)
{
  rclc_node *n = user;
  if (n->publishing)
    publish_last(n);
  n->publishing = false;
  return clean_up(user);
}

/* ---- Parameters --------------------------------------------------------------------------- */

static bool take_settings(void *user, const clp_settings *settings, char *why, size_t room)
{
  rclc_node *n = user;
  if (clp_settings_check(settings, why, room) != CLP_OK)
    return false;
  if (!n->monitor || clp_monitor_change(n->monitor, settings) == CLP_OK)
    return true;
  snprintf(why, room, "the monitor refuses it");
  return false;
}

/* rcl knows best what the node is called. */
static clp_status read_settings(rclc_node *n, clp_ros_arguments *arguments)
{
  snprintf(arguments->node, sizeof arguments->node, "%s", rcl_node_get_name(&n->node));
  snprintf(arguments->ns, sizeof arguments->ns, "%s", rcl_node_get_namespace(&n->node));
  clp_status status = clp_settings_create(&n->settings);
  return status == CLP_OK
             ? clp_ros_arguments_apply(arguments, clp_ros_sink(n->logger), &n->settings)
             : status;
}

/* ---- From start to end -------------------------------------------------------------------- */

static bool create_node(rclc_node *n, int argc, char **argv, const clp_ros_arguments *arguments)
{
  n->allocator = rcl_get_default_allocator();
  if (!clp_ros_good(rclc_support_init(&n->support, argc, (const char *const *)argv, &n->allocator),
                    CLP_NODE_NAME, "rclc_support_init", "the node"))
    return false;
  n->logger = CLP_NODE_NAME;
  return clp_ros_good(rcl_logging_configure(&n->support.context.global_arguments, &n->allocator),
                      CLP_NODE_NAME, "rcl_logging_configure", "the node") &&
         clp_ros_good(rclc_node_init_default(&n->node, arguments->node, arguments->ns, &n->support),
                      CLP_NODE_NAME, "rclc_node_init_default", arguments->node);
}

static bool create_interface(rclc_node *n)
{
  const clp_lifecycle_steps steps = {configure, activate, deactivate, clean_up, shut_down, n};
  return clp_ros_clock_create(&n->clock, n->settings.use_sim_time, &n->node) &&
         clp_ros_output_create(&n->output, clp_promise_of(&n->settings), *n->settings.wrench_tool,
                               &n->node) &&
         clp_ros_good(
             rclc_executor_init(&n->executor, &n->support.context,
                                CLP_PARAMETER_SERVICES + CLP_LIFECYCLE_SERVICES, &n->allocator),
             n->logger, "rclc_executor_init", "services") &&
         clp_parameters_create(&n->parameters, &n->settings, take_settings, n, &n->node,
                               &n->executor) &&
         clp_lifecycle_create(&n->lifecycle, &steps, &n->node, &n->executor);
}

static clp_status start(rclc_node *n, int argc, char **argv, clp_ros_arguments *arguments)
{
  if (!create_node(n, argc, argv, arguments))
    return CLP_ERROR_FILE;
  n->logger = rcl_node_get_logger_name(&n->node);
  n->waiting.sink = clp_ros_sink(n->logger);
  clp_status status = read_settings(n, arguments);
  if (status != CLP_OK)
    return status;
  if (!create_interface(n))
    return CLP_ERROR_FILE;
  if (!n->settings.autostart)
    return CLP_OK;
  bool started =
      clp_lifecycle_change(&n->lifecycle, lifecycle_msgs__msg__Transition__TRANSITION_CONFIGURE) &&
      clp_lifecycle_change(&n->lifecycle, lifecycle_msgs__msg__Transition__TRANSITION_ACTIVATE);
  return started ? CLP_OK : n->failure != CLP_OK ? n->failure : CLP_ERROR_FILE;
}

/* In reverse. What has not been created is zero, which all of these accept. Of a node that could
 * not be ended rcl's logging still has the name, which is gone: it ends before anything is said. */
static void finish(rclc_node *n)
{
  static const char about[] = "the end";
  drop_monitor(n);
  clp_ros_input_release(&n->input, &n->node);
  clp_lifecycle_release(&n->lifecycle, &n->node);
  clp_parameters_release(&n->parameters, &n->node);
  (void)clp_ros_good(rclc_executor_fini(&n->executor), n->logger, "rclc_executor_fini", about);
  clp_ros_output_release(&n->output, &n->node);
  clp_ros_clock_release(&n->clock, &n->node);
  clp_settings_release(&n->settings);
  rcl_ret_t node = rcl_node_fini(&n->node), logging = rcl_logging_fini();
  (void)clp_ros_good(node, CLP_NODE_NAME, "rcl_node_fini", about);
  (void)clp_ros_good(logging, CLP_NODE_NAME, "rcl_logging_fini", about);
  if (rcl_context_is_valid(&n->support.context))
    (void)clp_ros_good(rclc_support_fini(&n->support), CLP_NODE_NAME, "rclc_support_fini", about);
}

clp_status clp_run_rclc_node(int argc, char **argv, clp_ros_arguments *arguments)
{
  rclc_node *n = calloc(1, sizeof *n);
  if (!n)
    return CLP_ERROR_MEMORY;
  n->node = rcl_get_zero_initialized_node();
  n->executor = rclc_executor_get_zero_initialized_executor();
  clp_signals before;
  clp_keep_no_memory();
  clp_catch_signals(&before);
  clp_status status = start(n, argc, argv, arguments);
  if (status == CLP_OK) {
    run(n);
    report_end(n);
  }
  finish(n);
  clp_restore_signals(&before);
  free(n);
  return status;
}
