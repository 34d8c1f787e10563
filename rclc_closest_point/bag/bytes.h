/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_BYTES_H
#define RCLC_CLOSEST_POINT_BAG_BYTES_H

/* Bytes that become more, and numbers among them, little end first: what MCAP files are made of.
 * Starts as {0}. Without memory `failed` is set and stays so, and nothing is added any more. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct clp_bytes {
  unsigned char *data;
  size_t size, room;
  bool failed;
} clp_bytes;

void clp_bytes_release(clp_bytes *bytes);

/* Makes room for so many more; false: there is none. */
bool clp_bytes_reserve(clp_bytes *bytes, size_t more);

void clp_put(clp_bytes *bytes, const void *what, size_t size);
void clp_put_number(clp_bytes *bytes, uint64_t number, size_t size);

/* A length of four bytes, and the text without its zero. */
void clp_put_text(clp_bytes *bytes, const char *text);

/* Writes a number over what is there already. */
void clp_set_number(clp_bytes *bytes, size_t at, uint64_t number, size_t size);

/* What was put is taken back one after the other. Beyond the end `good` is false and stays so, and
 * what is taken is 0 or empty. */
typedef struct clp_taker {
  const unsigned char *data;
  size_t size, at;
  bool good;
} clp_taker;

clp_taker clp_taker_of(const void *data, size_t size);
uint64_t clp_take_number(clp_taker *taker, size_t size);

/* NULL: there are not so many. */
const unsigned char *clp_take_bytes(clp_taker *taker, uint64_t size);

/* Behind a length of so many bytes. */
typedef struct clp_span {
  const unsigned char *data; /* never NULL */
  size_t size;
} clp_span;

clp_span clp_take_span(clp_taker *taker, size_t length_size);

bool clp_span_is(clp_span span, const char *text);

/* To be freed; NULL: there is no memory. */
char *clp_copy_text(const char *text);

#endif
