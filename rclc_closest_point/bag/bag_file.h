/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_BAG_FILE_H
#define RCLC_CLOSEST_POINT_BAG_BAG_FILE_H

/* One file of a recording, whatever its format: mcap_reader.c, db3_reader.c. */

#include <stdio.h>

#include "rclc_closest_point/bag/bytes.h"

/* Nothing longer is read, neither a message nor a chunk nor an index. */
#define CLP_BAG_MOST_BYTES ((size_t)256 << 20)

/* Longer names of topics and types are none. */
#define CLP_BAG_NAME_MAX 1024

typedef struct clp_file_message {
  const char *topic, *type; /* as long as the file is open */
  int64_t received, sent;   /* ns */
  const void *bytes;        /* until the next is asked for */
  size_t size;
} clp_file_message;

/* What could not be read. Damage is counted; the first is in words. */
typedef struct clp_damage {
  uint64_t count;
  uint64_t at; /* byte of the file, or number of the message */
  char text[192];
} clp_damage;

typedef struct clp_file_range {
  int64_t first, last; /* ns, of the messages' times of reception; first > last: there are none */
} clp_file_range;

/* `self` is the reader. */
typedef struct clp_file_kind {
  /* The next message; false: there is none. Those before `begin` are left out. */
  bool (*next)(void *self, clp_file_message *message);
  void (*rewind)(void *self, int64_t begin);
  clp_file_range (*range)(void *self);
  double (*progress)(const void *self); /* 0 to 1 */
  const clp_damage *(*damage)(const void *self);
  void (*close)(void *self);
} clp_file_kind;

extern const clp_file_kind clp_mcap_kind_of_file, clp_db3_kind_of_file;

/* NULL: it is none, or cannot be opened, and `why` (of so many bytes) says why. A stream that is
 * taken is closed with the reader, and is else the caller's. */
void *clp_mcap_reader_open(FILE *stream, char *why, size_t room);
void *clp_db3_reader_open(const char *path, char *why, size_t room);

/* Whether a file begins as one of these. */
bool clp_mcap_begins(const unsigned char *bytes, size_t size);
bool clp_db3_begins(const unsigned char *bytes, size_t size);

void clp_damage_add(clp_damage *damage, uint64_t at, const char *text);

#endif
