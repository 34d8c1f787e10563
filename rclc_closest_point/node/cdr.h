/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CDR_H
#define RCLC_CLOSEST_POINT_NODE_CDR_H

/* Messages as they are on the wire, read in place: nothing is allocated, nothing is read beyond
 * their end, and what is malformed is known to be.
 *
 * In front stand 4 bytes that say how numbers are encoded. Numbers are aligned to their size from
 * the fifth byte on, doubles in the second version of the encoding to 4. A text is its length with
 * the final zero, and it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once something has not been there, `good` is false and stays so, and what is taken is 0 or "". */
typedef struct clp_cdr {
  const unsigned char *bytes;
  size_t size, at;
  bool big_endian;
  size_t double_alignment;
  bool good;
} clp_cdr;

/* False: the encoding is none that is known. */
bool clp_cdr_begin(clp_cdr *cdr, const void *bytes, size_t size);

uint8_t clp_cdr_byte(clp_cdr *cdr);
uint32_t clp_cdr_uint32(clp_cdr *cdr);
uint64_t clp_cdr_uint64(clp_cdr *cdr);
float clp_cdr_float(clp_cdr *cdr);
double clp_cdr_double(clp_cdr *cdr);

/* How many elements a sequence has, each of at least so many bytes; more than there is room for in
 * what is left is malformed. */
uint32_t clp_cdr_sequence(clp_cdr *cdr, size_t least);

/* It stays where it is. */
const char *clp_cdr_text(clp_cdr *cdr);

/* Seconds and nanoseconds, as nanoseconds. */
int64_t clp_cdr_time(clp_cdr *cdr);

/* All of a message that is a time, as rosgraph_msgs/Clock, or a text, as std_msgs/String. False: it
 * is malformed, and the value is left as it is. */
bool clp_cdr_read_time(const void *bytes, size_t size, int64_t *time);
bool clp_cdr_read_text(const void *bytes, size_t size, const char **text);

#endif
