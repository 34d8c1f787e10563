/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "rclc_closest_point/node/node_dds.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"

static clp_exit_status status_of(clp_status status)
{
  return status == CLP_ERROR_ARGUMENT ? EXIT_USAGE : clp_exit_status_of(status);
}

/* The file of --params first, so that what follows --ros-args has the last word. */
static clp_status read_settings(const char *file, const clp_ros_arguments *arguments,
                                clp_model_sink sink, clp_settings *settings)
{
  clp_ros_name node = clp_ros_node_name(arguments);
  clp_status status = clp_settings_create(settings);
  if (status != CLP_OK)
    return status;
  if (file)
    status = clp_settings_read_file(settings, file, node.text, sink);
  if (status == CLP_OK)
    status = clp_ros_arguments_apply(arguments, sink, settings);
  if (status != CLP_OK)
    clp_settings_release(settings);
  return status;
}

static clp_exit_status run_node(const char *file, const clp_ros_arguments *arguments,
                                clp_model_sink sink)
{
  clp_settings settings;
  clp_status status = read_settings(file, arguments, sink, &settings);
  if (status != CLP_OK)
    return status_of(status);
  status = clp_run_dds_node(&settings, arguments, sink);
  clp_settings_release(&settings);
  return status_of(status);
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  const char *file = NULL;
  bool quiet = false, parameters = false;
  const clp_option options[] = {{"params", 0, NULL, &file},
                                {"quiet", 'q', &quiet, NULL},
                                {"list-parameters", 0, &parameters, NULL},
                                {0}};
  const clp_operand operands[] = {{0}};
  clp_ros_arguments arguments;
  clp_status read =
      clp_ros_arguments_read(argc, argv, CLP_NODE_NAME, clp_stderr_sink(&quiet), &arguments);
  if (read != CLP_OK)
    return status_of(read);
  clp_exit_status status;
  if (clp_read_options(command, arguments.rest_count, arguments.rest, options, operands, &status)) {
    if (parameters) {
      clp_output output = clp_output_open(NULL);
      clp_settings_print(output.stream);
      status = clp_output_close(&output);
    } else {
      status = run_node(file, &arguments, clp_stderr_sink(&quiet));
    }
  }
  clp_ros_arguments_release(&arguments);
  return status;
}

const clp_command clp_command_monitor = {
    "monitor", "the live monitor: transforms in, closest distances out, on DDS",
    "usage: closest_point monitor [OPTION...] [--ros-args ROS_OPTION...]\n"
    "\n"
    "Listens to /tf and /tf_static and publishes the closest distances of a model's links in\n"
    "every cycle. It talks DDS like a node of ROS 2, and needs no ROS. Ends with SIGINT.\n"
    "\n"
    "options:\n"
    "  --params FILE        a parameter file of ROS 2\n"
    "  --list-parameters    print every parameter with its range, default and meaning\n"
    "  -q, --quiet          no notes on standard error\n"
    "  --help               print this\n"
    "  --version            print the version\n"
    "\n"
    "after --ros-args:\n"
    "  --params-file FILE   the same as --params\n"
    "  -p NAME:=VALUE       a parameter\n"
    "  -r FROM:=TO          rename a topic; __ns:=/NAMESPACE and __node:=NAME the node\n"
    "\n"
    "environment: ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, CYCLONEDDS_URI\n",
    run};
