/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/cdr.h"

#include <string.h>

#include "rclc_closest_point/node/convert.h"

#define HEAD 4

bool clp_cdr_begin(clp_cdr *cdr, const void *message, size_t size)
{
  const unsigned char *bytes = message;
  *cdr = (clp_cdr){.double_alignment = 8, .good = false};
  if (size < HEAD || bytes[0] != 0)
    return false;
  bool first = bytes[1] <= 1, second = bytes[1] == 6 || bytes[1] == 7;
  *cdr = (clp_cdr){.bytes = bytes + HEAD,
                   .size = size - HEAD,
                   .big_endian = bytes[1] % 2 == 0,
                   .double_alignment = second ? 4 : 8,
                   .good = first || second};
  return cdr->good;
}

/* Where the next so many bytes are; NULL: beyond the end. */
static const unsigned char *take(clp_cdr *cdr, size_t count, size_t alignment)
{
  size_t at = (cdr->at + alignment - 1) / alignment * alignment;
  cdr->good = cdr->good && at <= cdr->size && count <= cdr->size - at;
  if (!cdr->good)
    return NULL;
  cdr->at = at + count;
  return cdr->bytes + at;
}

static uint64_t take_number(clp_cdr *cdr, size_t count, size_t alignment)
{
  const unsigned char *bytes = take(cdr, count, alignment);
  uint64_t number = 0;
  for (size_t k = 0; bytes && k < count; ++k)
    number = number << 8 | bytes[cdr->big_endian ? k : count - 1 - k];
  return number;
}

uint8_t clp_cdr_byte(clp_cdr *cdr)
{
  return (uint8_t)take_number(cdr, 1, 1);
}

uint32_t clp_cdr_uint32(clp_cdr *cdr)
{
  return (uint32_t)take_number(cdr, 4, 4);
}

uint64_t clp_cdr_uint64(clp_cdr *cdr)
{
  return take_number(cdr, 8, cdr->double_alignment);
}

uint32_t clp_cdr_sequence(clp_cdr *cdr, size_t least)
{
  uint32_t count = clp_cdr_uint32(cdr);
  cdr->good = cdr->good && count <= (cdr->size - cdr->at) / least;
  return cdr->good ? count : 0;
}

float clp_cdr_float(clp_cdr *cdr)
{
  uint32_t bits = clp_cdr_uint32(cdr);
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

double clp_cdr_double(clp_cdr *cdr)
{
  uint64_t bits = take_number(cdr, 8, cdr->double_alignment);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

const char *clp_cdr_text(clp_cdr *cdr)
{
  uint32_t length = clp_cdr_uint32(cdr);
  const unsigned char *text = cdr->good ? take(cdr, length, 1) : NULL;
  if (length == 0)
    return "";
  cdr->good = text && text[length - 1] == '\0';
  return cdr->good ? (const char *)text : "";
}

int64_t clp_cdr_time(clp_cdr *cdr)
{
  int32_t sec = (int32_t)clp_cdr_uint32(cdr);
  uint32_t nanosec = clp_cdr_uint32(cdr);
  return clp_time_of(sec, nanosec);
}

bool clp_cdr_read_time(const void *bytes, size_t size, int64_t *time)
{
  clp_cdr cdr;
  (void)clp_cdr_begin(&cdr, bytes, size);
  int64_t told = clp_cdr_time(&cdr);
  if (cdr.good)
    *time = told;
  return cdr.good;
}

bool clp_cdr_read_text(const void *bytes, size_t size, const char **text)
{
  clp_cdr cdr;
  (void)clp_cdr_begin(&cdr, bytes, size);
  const char *told = clp_cdr_text(&cdr);
  if (cdr.good)
    *text = told;
  return cdr.good;
}
