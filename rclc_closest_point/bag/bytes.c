/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/bytes.h"

#include <stdlib.h>
#include <string.h>

void clp_bytes_release(clp_bytes *bytes)
{
  free(bytes->data);
  *bytes = (clp_bytes){0};
}

bool clp_bytes_reserve(clp_bytes *bytes, size_t more)
{
  if (bytes->failed || more <= bytes->room - bytes->size)
    return !bytes->failed;
  size_t room = bytes->room < 256 ? 256 : bytes->room;
  while (room - bytes->size < more && room <= SIZE_MAX / 2)
    room *= 2;
  unsigned char *data = room - bytes->size < more ? NULL : realloc(bytes->data, room);
  bytes->failed = !data;
  if (data) {
    bytes->data = data;
    bytes->room = room;
  }
  return !bytes->failed;
}

void clp_put(clp_bytes *bytes, const void *what, size_t size)
{
  if (size == 0 || !clp_bytes_reserve(bytes, size))
    return;
  memcpy(bytes->data + bytes->size, what, size);
  bytes->size += size;
}

void clp_set_number(clp_bytes *bytes, size_t at, uint64_t number, size_t size)
{
  if (bytes->failed)
    return;
  for (size_t k = 0; k < size; ++k)
    bytes->data[at + k] = (unsigned char)(number >> 8 * k);
}

void clp_put_number(clp_bytes *bytes, uint64_t number, size_t size)
{
  if (!clp_bytes_reserve(bytes, size))
    return;
  bytes->size += size;
  clp_set_number(bytes, bytes->size - size, number, size);
}

void clp_put_text(clp_bytes *bytes, const char *text)
{
  size_t length = strlen(text);
  clp_put_number(bytes, length, 4);
  clp_put(bytes, text, length);
}

clp_taker clp_taker_of(const void *data, size_t size)
{
  return (clp_taker){.data = data, .size = size, .good = true};
}

const unsigned char *clp_take_bytes(clp_taker *taker, uint64_t size)
{
  taker->good = taker->good && size <= taker->size - taker->at;
  if (!taker->good)
    return NULL;
  taker->at += (size_t)size;
  return taker->data + taker->at - size;
}

uint64_t clp_take_number(clp_taker *taker, size_t size)
{
  const unsigned char *bytes = clp_take_bytes(taker, size);
  uint64_t number = 0;
  for (size_t k = size; bytes && k > 0; --k)
    number = number << 8 | bytes[k - 1];
  return number;
}

clp_span clp_take_span(clp_taker *taker, size_t length_size)
{
  uint64_t length = clp_take_number(taker, length_size);
  const unsigned char *data = clp_take_bytes(taker, length);
  static const unsigned char nothing[1];
  return data ? (clp_span){data, (size_t)length} : (clp_span){nothing, 0};
}

bool clp_span_is(clp_span span, const char *text)
{
  return span.size == strlen(text) && memcmp(span.data, text, span.size) == 0;
}

char *clp_copy_text(const char *text)
{
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}
