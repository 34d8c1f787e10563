/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_JOINT_MESSAGE_H
#define RCLC_CLOSEST_POINT_NODE_JOINT_MESSAGE_H

/* A sensor_msgs/JointState as it is on the wire, read in place (cdr.h): its stamp, the joints'
 * names, and for each of them a position, a velocity and an effort; what is not known is left out
 * for all. */

#include "rclc_closest_point/monitor/joints.h"

/* So many joints are read of a message, and no message is begun in a cycle after so many. */
#define CLP_JOINT_ROOM 1024

typedef enum clp_joint_reading {
  CLP_JOINTS_READ,
  CLP_JOINTS_UNEVEN, /* no position for each name, or not as many of the others */
  CLP_JOINTS_MALFORMED
} clp_joint_reading;

/* Reads at most CLP_JOINT_ROOM joints of the bytes of a message, whose names stay there; `beyond`
 * is how many there are more. Nothing of what is not CLP_JOINTS_READ is to be used. */
clp_joint_reading clp_joint_message_read(const void *bytes, size_t size, clp_joint_told *joints,
                                         clp_joint_message *message, uint64_t *beyond);

#endif
