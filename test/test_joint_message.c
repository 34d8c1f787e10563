/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/joint_message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

/* Joint states written here byte by byte as the wire has them, and read again. */

enum { LARGEST = 65536 };

static unsigned char bytes[LARGEST];
static size_t size;
static size_t alignment;
static clp_joint_told told[CLP_JOINT_ROOM];
static clp_joint_message found;
static uint64_t beyond;

static void put_number(uint64_t number, size_t width, size_t aligned)
{
  while ((size - 4) % aligned != 0)
    bytes[size++] = 0xee;
  ck_assert_uint_le(size + width, LARGEST);
  for (size_t k = 0; k < width; ++k)
    bytes[size++] = (unsigned char)(number >> 8 * k);
}

static void put_text(const char *text)
{
  size_t length = strlen(text) + 1;
  put_number(length, 4, 4);
  ck_assert_uint_le(size + length, LARGEST);
  memcpy(bytes + size, text, length);
  size += length;
}

/* A list of so many, each the one before and one more. */
static void put_list(uint32_t count, double first)
{
  put_number(count, 4, 4);
  for (uint32_t k = 0; k < count; ++k) {
    double number = first + k;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_number(bits, 8, alignment);
  }
}

/* Little-endian, of either version of the encoding. */
static void write_message(bool second, uint32_t names, uint32_t positions, uint32_t speeds,
                          uint32_t efforts)
{
  static const unsigned char head[2][4] = {{0, 1, 0, 0}, {0, 7, 0, 0}};
  memcpy(bytes, head[second], 4);
  size = 4;
  alignment = second ? 4 : 8;
  put_number(1700000000, 4, 4);
  put_number(250, 4, 4);
  put_text("base");
  put_number(names, 4, 4);
  for (uint32_t k = 0; k < names; ++k)
    put_text(k % 2 ? "elbow" : "shoulder_pan");
  put_list(positions, 100);
  put_list(speeds, 200);
  put_list(efforts, 300);
}

/* From a block of its own size, so that whatever is read beyond it is noticed. */
static clp_joint_reading read_bytes(size_t length)
{
  static unsigned char *copy;
  free(copy);
  copy = malloc(length > 0 ? length : 1);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, bytes, length);
  return clp_joint_message_read(copy, length, told, &found, &beyond);
}

SUITE("joint messages");

TEST_CASE("joint messages", 10);

LOOP_TEST(a_whole_message, 0, 2)
{
  write_message(_i, 3, 3, 3, 3);
  ck_assert_int_eq(read_bytes(size), CLP_JOINTS_READ);
  ck_assert_int_eq(found.stamp, INT64_C(1700000000000000250));
  ck_assert_uint_eq(found.count, 3);
  ck_assert_uint_eq(beyond, 0);
  for (size_t k = 0; k < 3; ++k) {
    ck_assert_str_eq(found.joints[k].name, k % 2 ? "elbow" : "shoulder_pan");
    ck_assert_double_eq(found.joints[k].position, 100 + (double)k);
    ck_assert_double_eq(found.joints[k].speed, 200 + (double)k);
  }
}

typedef struct lengths {
  uint32_t names, positions, speeds, efforts;
  clp_joint_reading reading;
} lengths;

static const lengths cases[] = {{2, 2, 0, 0, CLP_JOINTS_READ},   {2, 2, 2, 0, CLP_JOINTS_READ},
                                {2, 2, 0, 2, CLP_JOINTS_READ},   {0, 0, 0, 0, CLP_JOINTS_READ},
                                {2, 0, 2, 0, CLP_JOINTS_UNEVEN}, {2, 1, 0, 0, CLP_JOINTS_UNEVEN},
                                {2, 3, 0, 0, CLP_JOINTS_UNEVEN}, {2, 2, 1, 0, CLP_JOINTS_UNEVEN},
                                {2, 2, 3, 0, CLP_JOINTS_UNEVEN}, {2, 2, 2, 1, CLP_JOINTS_UNEVEN},
                                {0, 1, 0, 0, CLP_JOINTS_UNEVEN}, {0, 0, 1, 0, CLP_JOINTS_UNEVEN}};
enum { CASES = sizeof cases / sizeof *cases };

LOOP_TEST(arrays_go_together, 0, CASES)
{
  const lengths *c = &cases[_i];
  write_message(false, c->names, c->positions, c->speeds, c->efforts);
  ck_assert_int_eq(read_bytes(size), c->reading);
  if (c->reading != CLP_JOINTS_READ)
    return;
  ck_assert_uint_eq(found.count, c->names);
  ck_assert(c->names == 0 || isnan(found.joints[0].speed) == (c->speeds == 0));
}

LOOP_TEST(what_is_cut_off_is_malformed, 0, 2)
{
  write_message(_i, 4, 4, 4, 4);
  for (size_t length = 0; length < size; ++length)
    ck_assert_int_eq(read_bytes(length), CLP_JOINTS_MALFORMED);
}

/* A list that says that it is longer than the message. */
TEST(lengths_are_not_believed)
{
  write_message(false, 1, 1, 0, 0);
  size_t list = 4 + 8 + 4 + 5 + 3; /* the encoding, the stamp, "base", its padding */
  for (uint32_t length = 0; length < 40; ++length) {
    uint32_t huge = length < 20 ? UINT32_MAX - length : (uint32_t)1 << (length - 8);
    memcpy(bytes + list, &huge, sizeof huge);
    ck_assert_int_eq(read_bytes(size), CLP_JOINTS_MALFORMED);
  }
}

TEST(more_than_there_is_room_for)
{
  uint32_t count = CLP_JOINT_ROOM + 7;
  write_message(false, count, count, 0, count);
  ck_assert_int_eq(read_bytes(size), CLP_JOINTS_READ);
  ck_assert_uint_eq(found.count, CLP_JOINT_ROOM);
  ck_assert_uint_eq(beyond, 7);
  ck_assert_double_eq(found.joints[CLP_JOINT_ROOM - 1].position, 100 + CLP_JOINT_ROOM - 1);
}
