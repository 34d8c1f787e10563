/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_MCAP_WRITER_H
#define RCLC_CLOSEST_POINT_BAG_MCAP_WRITER_H

/* Writes an MCAP file as rosbag2 and its viewers read it: profile "ros2", one channel for each
 * topic with its schema, chunks, and an index at the end.
 *
 * Whatever ends the process, what has been handed to the system stays a file that can be read up to
 * its last whole chunk: schemas and channels stand in front, and nothing is written over. What the
 * system itself had not put on the disk is lost when it is the machine that ends. */

#include "rclc_closest_point/bag/mcap_chunk.h"

typedef struct clp_mcap_channel {
  const char *topic, *type; /* "/tf", "tf2_msgs/msg/TFMessage" */
  const char *schema;       /* text */
  const char *qualities;    /* as rosbag2 has offered_qos_profiles; "": none */
} clp_mcap_channel;

typedef struct clp_mcap_writer clp_mcap_writer;

/* Channels are numbered from 1 in this order, at most CLP_MCAP_CHANNELS - 1. What is there already
 * under this name and is not empty is left alone. NULL: `errno` says why. */
clp_mcap_writer *clp_mcap_writer_open(const char *path, const clp_mcap_channel *channels,
                                      int count);

/* False: it could not be written, which errno explains. The file is as it was before. */
bool clp_mcap_writer_add(clp_mcap_writer *writer, const clp_mcap_sealed *chunk);

/* Bytes so far. */
uint64_t clp_mcap_writer_size(const clp_mcap_writer *writer);

/* Writes the summary. False: it has not been possible (errno); the file is then without, and still
 * can be read. */
bool clp_mcap_writer_close(clp_mcap_writer *writer);

#endif
