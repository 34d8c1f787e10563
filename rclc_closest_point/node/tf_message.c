/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/tf_message.h"

#include <string.h>

#include "rclc_closest_point/node/convert.h"

/* On the wire: 4 bytes that say how numbers are encoded, then the transforms' number, then each:
 * stamp, two names, seven doubles. Numbers are aligned to their size from the fifth byte on,
 * doubles in the second version of the encoding to 4. A text is its length with the final zero, and
 * it. */
#define HEAD 4
#define LEAST_TRANSFORM 76 /* bytes: with empty names, packed */

typedef struct cursor {
  const unsigned char *bytes;
  size_t size, at;
  bool big_endian;
  size_t double_alignment;
  bool good;
} cursor;

static bool begin(cursor *c, const unsigned char *bytes, size_t size)
{
  if (size < HEAD || bytes[0] != 0)
    return false;
  bool first = bytes[1] <= 1, second = bytes[1] == 6 || bytes[1] == 7;
  *c = (cursor){.bytes = bytes + HEAD,
                .size = size - HEAD,
                .big_endian = bytes[1] % 2 == 0,
                .double_alignment = second ? 4 : 8,
                .good = first || second};
  return c->good;
}

/* Where the next so many bytes are; NULL: beyond the end. */
static const unsigned char *take(cursor *c, size_t count, size_t alignment)
{
  size_t at = (c->at + alignment - 1) / alignment * alignment;
  c->good = c->good && at <= c->size && count <= c->size - at;
  if (!c->good)
    return NULL;
  c->at = at + count;
  return c->bytes + at;
}

static uint64_t take_number(cursor *c, size_t count, size_t alignment)
{
  const unsigned char *bytes = take(c, count, alignment);
  uint64_t number = 0;
  for (size_t k = 0; bytes && k < count; ++k)
    number = number << 8 | bytes[c->big_endian ? k : count - 1 - k];
  return number;
}

static uint32_t take_uint32(cursor *c)
{
  return (uint32_t)take_number(c, 4, 4);
}

static double take_double(cursor *c)
{
  uint64_t bits = take_number(c, 8, c->double_alignment);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* It stays where it is. */
static const char *take_text(cursor *c)
{
  uint32_t length = take_uint32(c);
  const unsigned char *text = c->good ? take(c, length, 1) : NULL;
  if (length == 0)
    return "";
  c->good = text && text[length - 1] == '\0';
  return c->good ? (const char *)text : "";
}

static clp_arrival take_arrival(cursor *c)
{
  clp_arrival a;
  int32_t sec = (int32_t)take_uint32(c);
  uint32_t nanosec = take_uint32(c);
  a.stamp = clp_time_of(sec, nanosec);
  a.parent = take_text(c);
  a.child = take_text(c);
  double *const numbers[] = {&a.translation.x, &a.translation.y, &a.translation.z, &a.rotation.x,
                             &a.rotation.y,    &a.rotation.z,    &a.rotation.w};
  for (int k = 0; k < 7; ++k)
    *numbers[k] = take_double(c);
  return a;
}

bool clp_tf_message_read(const void *bytes, size_t size, clp_arrival *arrivals, size_t room,
                         clp_tf_message *message)
{
  cursor c;
  *message = (clp_tf_message){0};
  if (!begin(&c, bytes, size))
    return false;
  uint32_t told = take_uint32(&c);
  if (!c.good || told > (c.size - c.at) / LEAST_TRANSFORM)
    return false;
  size_t count = told < room ? told : room;
  for (size_t k = 0; c.good && k < count; ++k)
    arrivals[k] = take_arrival(&c);
  if (c.good)
    *message = (clp_tf_message){count, told - count};
  return c.good;
}
