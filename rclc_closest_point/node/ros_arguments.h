/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_ARGUMENTS_H
#define RCLC_CLOSEST_POINT_NODE_ROS_ARGUMENTS_H

/* What ROS users write on a command line between --ros-args and --, for a node without rcl:
 *   -p NAME:=VALUE  --params-file FILE  -r FROM:=TO  -r __ns:=/NAMESPACE  -r __node:=NAME
 * Options about logging are accepted and have no effect. */

#include "rclc_closest_point/monitor/settings.h"

/* The monitor's, unless it is told another. */
#define CLP_NODE_NAME "closest_point_monitor"

#define CLP_ROS_NAME_MAX 256

/* A rule FROM:=TO, a parameter NAME:=VALUE, or a file (from is NULL); pointers into argv. */
typedef struct clp_ros_argument {
  const char *from; /* not terminated: from_length bytes */
  size_t from_length;
  const char *to;
} clp_ros_argument;

typedef struct clp_ros_arguments {
  char node[CLP_ROS_NAME_MAX];           /* without a slash */
  char ns[CLP_ROS_NAME_MAX];             /* "/" or "/a/b" */
  char enclave[CLP_ROS_NAME_MAX];        /* of security; "" where it is not said */
  clp_ros_argument *remaps, *parameters; /* in their order; parameters include files */
  int remap_count, parameter_count;
  char **rest; /* the words before, between and after, NULL at the end */
  int rest_count;
} clp_ros_arguments;

/* Splits a command line. What is wrong is told to the sink and is CLP_ERROR_ARGUMENT; *arguments is
 * then untouched. Rules for another node are passed over. */
clp_status clp_ros_arguments_read(int argc, char **argv, const char *default_node,
                                  clp_model_sink sink, clp_ros_arguments *arguments);
void clp_ros_arguments_release(clp_ros_arguments *arguments);

/* Applies the parameter files and the single parameters in the order in which they stand. */
clp_status clp_ros_arguments_apply(const clp_ros_arguments *arguments, clp_model_sink sink,
                                   clp_settings *settings);

/* "/ns/node" */
typedef struct clp_ros_name {
  char text[3 * CLP_ROS_NAME_MAX];
} clp_ros_name;

clp_ros_name clp_ros_node_name(const clp_ros_arguments *arguments);

/* The full name of a topic: "/x" is itself, "x" is below the namespace, "~/x" below the node; then
 * the first rule that renames it. */
clp_ros_name clp_ros_topic(const clp_ros_arguments *arguments, const char *name);

#endif
