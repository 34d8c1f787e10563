/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_SCHEMAS_H
#define RCLC_CLOSEST_POINT_BAG_SCHEMAS_H

/* Message types in words, as MCAP files and Foxglove's protocol have them (encoding "ros2msg"): the
 * type's own .msg text, then that of each type that it is made of, once, below a line of 80 '=' and
 * a line "MSG: package/Type".
 *
 * This package's texts are its .msg files, at the time of the build; ROS's stand in ros_messages.c.
 */

typedef struct clp_definition {
  const char *type; /* "package/Type"; NULL ends a table */
  const char *text;
} clp_definition;

extern const clp_definition clp_ros_definitions[], clp_own_definitions[];

#define CLP_SCHEMA_ENCODING "ros2msg"

/* For a type as "package/Type" or as "package/msg/Type". To be freed; NULL: there is no memory, or
 * no such type. */
char *clp_schema_text(const char *type);

#endif
