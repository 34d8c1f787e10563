/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_BAG_H
#define RCLC_CLOSEST_POINT_BAG_BAG_H

/* Recordings: MCAP files, rosbag2's databases (.db3), and folders of either, message by message in
 * the order in which they were written. What is held in memory is a chunk, not the file. Files may
 * be damaged, and made by anybody: what can be read is, and of the rest there is one line. */

#include "rclc_closest_point/model.h"

typedef struct clp_bag clp_bag;

typedef struct clp_bag_topic {
  const char *name, *type; /* "/tf", "tf2_msgs/msg/TFMessage"; as long as the bag is open */
} clp_bag_topic;

typedef struct clp_bag_message {
  int topic;
  int64_t received, sent; /* ns since ROS's epoch; of a database both are the same */
  const void *bytes;      /* CDR, with its four bytes in front; until the next is asked for */
  size_t size;
} clp_bag_message;

/* Whether a path names one: a folder that has such files in it, or a file that begins as one. */
bool clp_is_bag(const char *path);

/* What is wrong is told to the sink in one line "FILE:1: ...": CLP_ERROR_FILE. */
clp_status clp_bag_open(const char *path, clp_model_sink sink, clp_bag **bag);

/* NULL is allowed. */
void clp_bag_close(clp_bag *bag);

/* The next message; false: there is none. At the end, what could not be read has been told to the
 * sink, once for each file. */
bool clp_bag_next(clp_bag *bag, clp_bag_message *message);

/* Topics are known when their first message has been read; their numbers stay. */
clp_bag_topic clp_bag_topic_at(const clp_bag *bag, int topic);

/* From the front, without the messages that were received before `begin`; INT64_MIN: with all. */
void clp_bag_rewind(clp_bag *bag, int64_t begin);

/* Of the times of reception; false: there are no messages. A file without a summary is gone
 * through for it. */
bool clp_bag_range(clp_bag *bag, int64_t *first, int64_t *last);

/* How much of it has been read, 0 to 1. */
double clp_bag_progress(const clp_bag *bag);

#endif
