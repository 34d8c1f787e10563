/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_RECORDER_H
#define RCLC_CLOSEST_POINT_BAG_RECORDER_H

/* Messages into MCAP files: into one from the first message to the last, or, as a black box, into
 * one about each STOP, from some seconds before it until as long after it. */

#include "rclc_closest_point/bag/mcap_writer.h"

/* A chunk ends when it is so large, or so old: what an end at any time may cost. */
#define CLP_RECORDER_CHUNK_BYTES ((size_t)1 << 20)
#define CLP_RECORDER_CHUNK_SECONDS 1.0

/* What a black box keeps in memory, compressed; beyond, the oldest goes before its time. */
#define CLP_RECORDER_KEPT_BYTES ((size_t)1 << 30)

/* After so many seconds without a word a monitor that spoke is silent, which is a STOP, too. */
#define CLP_RECORDER_SILENCE 0.5

typedef struct clp_bag_recorder_channel {
  clp_mcap_channel channel;
  bool latched; /* its messages are in every file, however long ago they came */
  bool safety;  /* it tells the zone */
} clp_bag_recorder_channel;

typedef struct clp_bag_recorder_options {
  const char *path; /* of the file; of the folder of a black box, made if it is not there */
  double around;    /* s; 0: one file with all */
  clp_compression compression;
  const clp_bag_recorder_channel *channels; /* outlive it */
  int channel_count;
  void (*tell)(void *user, bool bad, const char *line); /* of each file, and of what fails */
  void *user;
} clp_bag_recorder_options;

typedef struct clp_bag_recorder clp_bag_recorder;

/* NULL: it has been told why. */
clp_bag_recorder *clp_bag_recorder_create(const clp_bag_recorder_options *options);

/* A message of the channel with this number, from 0 on. False: recording has come to its end,
 * because there is no room on the disk or no memory; it has been told why. */
bool clp_bag_recorder_take(clp_bag_recorder *recorder, int channel, int64_t received, int64_t sent,
                           const void *bytes, size_t size);

/* To be called now and then, also when nothing comes. False as above. */
bool clp_bag_recorder_tick(clp_bag_recorder *recorder, int64_t now);

typedef struct clp_bag_recorder_totals {
  uint64_t messages, bytes; /* that have been written to files */
  int files;
  size_t kept; /* bytes in memory, of a black box */
} clp_bag_recorder_totals;

clp_bag_recorder_totals clp_bag_recorder_count(const clp_bag_recorder *recorder);

/* Writes what is left; the totals are then those of all. False: it could not all be written, which
 * has been told. */
bool clp_bag_recorder_close(clp_bag_recorder *recorder, clp_bag_recorder_totals *totals);

#endif
