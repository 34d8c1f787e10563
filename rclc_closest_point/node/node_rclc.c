/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/node/node_rclc.h"

#include <lifecycle_msgs/msg/state.h>
#include <rcl/error_handling.h>
#include <rcl/logging.h>
#include <rclc/rclc.h>
#include <stdlib.h>

#include "rclc_closest_point/node/certify_rclc.h"
#include "rclc_closest_point/node/convert_rclc.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/node/ros_graph.h"
#include "rclc_closest_point/node/ros_lifecycle.h"
#include "rclc_closest_point/node/ros_log.h"
#include "rclc_closest_point/node/ros_parameters.h"
#include "rclc_closest_point/node/runner.h"

/* Services are looked at so often (ns); where cycles are rarer, also between them, up to the time
 * that is left for being in time for the next one. */
#define SERVICE_INTERVAL INT64_C(10000000)
#define SERVICE_MARGIN INT64_C(2000000)
#define SERVICE_PAUSE INT64_C(1000000)

typedef struct rclc_node {
  rcl_allocator_t allocator;
  rclc_support_t support;
  rcl_node_t node;
  rclc_executor_t executor;
  const char *logger;
  clp_settings settings;
  clp_ros_wire wire;
  clp_ros_room room;
  clp_runner runner;
  clp_parameters parameters;
  clp_lifecycle lifecycle;
  clp_certify_rclc certify;
  clp_ros_graph graph;
  bool services_troubled; /* has been said */
  clp_status failure;     /* why the last configuration has failed */
  bool publishing;        /* active: what the lifecycle's state says, also while it changes */
  int64_t service_due;
} rclc_node;

static bool is_active(const rclc_node *n)
{
  return clp_lifecycle_state(&n->lifecycle) == lifecycle_msgs__msg__State__PRIMARY_STATE_ACTIVE;
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

static void serve_between_cycles(rclc_node *n, int64_t planned)
{
  int64_t now = clp_steady_now();
  if (now < n->service_due)
    return;
  serve(n, 0);
  for (now = clp_steady_now(); is_active(n) && !clp_must_stop() && planned - now > SERVICE_INTERVAL;
       now = clp_steady_now()) {
    int64_t left = planned - now - SERVICE_MARGIN;
    serve(n, left < 5 * SERVICE_INTERVAL ? left : 5 * SERVICE_INTERVAL);
  }
  n->service_due = now + SERVICE_INTERVAL;
}

/* ---- What the runner asks for ------------------------------------------------------------- */

static clp_take take(void *self, clp_topic_id topic, clp_message *message)
{
  rclc_node *n = self;
  return clp_ros_take(&n->wire, topic, message);
}

static bool publish(void *self, clp_topic_id topic, const clp_said *said)
{
  rclc_node *n = self;
  return clp_ros_publish(&n->wire, topic, clp_ros_message(&n->room, topic, said));
}

static bool is_heard(void *self, clp_topic_id topic)
{
  rclc_node *n = self;
  return clp_ros_is_heard(&n->wire, topic);
}

static bool gather(void *self, clp_publishers *publishers)
{
  rclc_node *n = self;
  clp_ros_gather(&n->graph, &n->wire, publishers);
  clp_ros_tidy(&n->wire);
  return false;
}

static const char *name_of(void *self, clp_topic_id topic)
{
  rclc_node *n = self;
  return clp_ros_name_of(&n->wire, topic);
}

static bool serve_until(void *self, int64_t planned)
{
  rclc_node *n = self;
  if (is_active(n))
    serve_between_cycles(n, planned);
  else
    serve(n, 5 * SERVICE_INTERVAL);
  return is_active(n);
}

static clp_service_request *take_request(void *self)
{
  rclc_node *n = self;
  return clp_certify_rclc_take(&n->certify);
}

static void respond(void *self, const clp_service_request *request,
                    const clp_question_answer *answer)
{
  rclc_node *n = self;
  clp_certify_rclc_respond(&n->certify, request, answer);
}

static void drop_request(void *self, clp_service_request *request)
{
  (void)self;
  clp_certify_rclc_drop(request);
}

static const clp_front front = {.take = take,
                                .publish = publish,
                                .is_heard = is_heard,
                                .gather = gather,
                                .name_of = name_of,
                                .serve = serve_until,
                                .take_request = take_request,
                                .respond = respond,
                                .drop_request = drop_request,
                                .point_size = sizeof(rclc_closest_point__msg__ClosestPoint),
                                .gradient_size = sizeof(rclc_closest_point__msg__JointGradient),
                                .text_size = sizeof(rosidl_runtime_c__String)};

/* ---- Lifecycle ---------------------------------------------------------------------------- */

static bool configure(void *user)
{
  rclc_node *n = user;
  bool listens = clp_ros_wire_create(&n->wire, false, &n->settings, &n->node);
  n->failure = listens ? clp_runner_load(&n->runner) : CLP_ERROR_FILE;
  if (n->failure != CLP_OK)
    clp_ros_wire_release(&n->wire, false);
  return n->failure == CLP_OK;
}

static bool activate(void *user)
{
  rclc_node *n = user;
  clp_runner_begin(&n->runner);
  n->service_due = 0;
  n->publishing = true;
  return true;
}

static bool deactivate(void *user)
{
  rclc_node *n = user;
  clp_runner_say_nothing(&n->runner, "deactivated");
  n->publishing = false;
  return true;
}

static bool clean_up(void *user)
{
  rclc_node *n = user;
  clp_runner_unload(&n->runner);
  clp_ros_wire_release(&n->wire, false);
  return true;
}

static bool shut_down(void *user)
{
  rclc_node *n = user;
  if (n->publishing)
    clp_runner_say_last(&n->runner);
  n->publishing = false;
  return clean_up(user);
}

/* ---- Parameters --------------------------------------------------------------------------- */

static bool take_settings(void *user, const clp_settings *settings, char *why, size_t room)
{
  rclc_node *n = user;
  if (clp_settings_check(settings, why, room) != CLP_OK)
    return false;
  if (!n->runner.monitor || clp_monitor_change(n->runner.monitor, settings) == CLP_OK)
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
  return clp_ros_wire_create(&n->wire, true, &n->settings, &n->node) &&
         clp_ros_good(
             rclc_executor_init(&n->executor, &n->support.context,
                                CLP_PARAMETER_SERVICES + CLP_LIFECYCLE_SERVICES, &n->allocator),
             n->logger, "rclc_executor_init", "services") &&
         clp_parameters_create(&n->parameters, &n->settings, take_settings, n, &n->node,
                               &n->executor) &&
         clp_lifecycle_create(&n->lifecycle, &steps, &n->node, &n->executor) &&
         clp_certify_rclc_create(&n->certify, &n->node);
}

static clp_status start(rclc_node *n, int argc, char **argv, clp_ros_arguments *arguments)
{
  if (!create_node(n, argc, argv, arguments))
    return CLP_ERROR_FILE;
  n->logger = rcl_node_get_logger_name(&n->node);
  clp_ros_graph_create(&n->graph, &n->node);
  clp_status status = read_settings(n, arguments);
  if (status == CLP_OK)
    status =
        clp_runner_create(&n->runner, &front, n, &n->settings,
                          rcl_node_get_fully_qualified_name(&n->node), clp_ros_sink(n->logger));
  if (status != CLP_OK)
    return status;
  if (!create_interface(n))
    return CLP_ERROR_FILE;
  status = clp_runner_open(&n->runner);
  if (status != CLP_OK || !n->settings.autostart)
    return status;
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
  clp_runner_close(&n->runner);
  clp_runner_release(&n->runner);
  clp_certify_rclc_release(&n->certify, &n->node);
  clp_ros_wire_release(&n->wire, false);
  clp_lifecycle_release(&n->lifecycle, &n->node);
  clp_parameters_release(&n->parameters, &n->node);
  (void)clp_ros_good(rclc_executor_fini(&n->executor), n->logger, "rclc_executor_fini", about);
  clp_ros_wire_release(&n->wire, true);
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
  if (status == CLP_OK)
    clp_runner_run(&n->runner);
  finish(n);
  clp_restore_signals(&before);
  free(n);
  return status;
}
