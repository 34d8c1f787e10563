/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_DDS_SECURITY_H
#define RCLC_CLOSEST_POINT_NODE_DDS_SECURITY_H

/* DDS security as ROS 2 (SROS2) sets it up, by the same environment and files:
 *
 *   ROS_SECURITY_ENABLE            true: it is wanted; unset, empty or false: it is not
 *   ROS_SECURITY_STRATEGY          Enforce: nothing goes on without it; else it does, and says so
 *   ROS_SECURITY_KEYSTORE          the folder in which enclaves/ENCLAVE holds the keys
 *   ROS_SECURITY_ENCLAVE_OVERRIDE  instead of the enclave of the command line */

#include <dds/dds.h>

#include "rclc_closest_point/node/ros_arguments.h"

typedef struct clp_enclave {
  char text[CLP_ROS_NAME_MAX];
} clp_enclave;

/* The one that the process is in. */
clp_enclave clp_dds_enclave(const clp_ros_arguments *arguments);

/* Gives a participant's qualities what security needs. CLP_ERROR_ARGUMENT, CLP_ERROR_FILE: it is
 * wanted, cannot be had and must not be done without, and why has been told to the sink. */
clp_status clp_dds_secure(dds_qos_t *qos, const clp_ros_arguments *arguments, clp_model_sink sink);

#endif
