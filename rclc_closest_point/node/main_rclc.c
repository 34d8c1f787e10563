/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rclc_closest_point/node/node_rclc.h"

/* `ros2 run rclc_closest_point monitor` */

enum { EXIT_DONE = 0, EXIT_BAD_INPUT = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3 };

static const char usage[] =
    "usage: monitor [--help | --list-parameters] [--ros-args ROS_OPTION...]\n"
    "\n"
    "The live monitor as a managed node of ROS 2. Listens to /tf and /tf_static and publishes the\n"
    "closest distances of a model's links in every cycle. Ends with SIGINT.\n";

static void print_line(void *user, clp_severity severity, const char *line)
{
  (void)user, (void)severity;
  fprintf(stderr, "%s\n", line);
}

static int exit_status_of(clp_status status)
{
  switch (status) {
    case CLP_OK:
      return EXIT_DONE;
    case CLP_ERROR_ARGUMENT:
      return EXIT_USAGE;
    case CLP_ERROR_MEMORY:
      return EXIT_INTERNAL;
    default:
      return EXIT_BAD_INPUT;
  }
}

static int run(int argc, char **argv, clp_ros_arguments *arguments)
{
  const char *word = arguments->rest_count > 1 ? arguments->rest[1] : NULL;
  if (!word)
    return exit_status_of(clp_run_rclc_node(argc, argv, arguments));
  if (strcmp(word, "--help") == 0) {
    fputs(usage, stdout);
    return EXIT_DONE;
  }
  if (strcmp(word, "--list-parameters") == 0) {
    clp_settings_print(stdout);
    return EXIT_DONE;
  }
  fprintf(stderr, "monitor: unknown argument '%s', expected --ros-args\n%s", word, usage);
  return EXIT_USAGE;
}

int main(int argc, char **argv)
{
  clp_ros_arguments arguments;
  clp_model_sink sink = {print_line, NULL};
  clp_status status = clp_ros_arguments_read(argc, argv, CLP_NODE_NAME, sink, &arguments);
  if (status != CLP_OK)
    return exit_status_of(status);
  int exit_status = run(argc, argv, &arguments);
  clp_ros_arguments_release(&arguments);
  return exit_status;
}
