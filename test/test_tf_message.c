/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/tf_message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/node/cdr.h"
#include "support/random.h"
#include "support/suite.h"

/* Messages written here byte by byte as the wire has them, and read again. */

enum { ROOM = 8, LARGEST = 4096 };

typedef struct wire {
  unsigned char bytes[LARGEST];
  size_t size;
  bool big_endian;
  size_t double_alignment;
} wire;

static void put(wire *w, const void *what, size_t size)
{
  ck_assert_uint_le(w->size + size, LARGEST);
  memcpy(w->bytes + w->size, what, size);
  w->size += size;
}

static void put_number(wire *w, uint64_t number, size_t size, size_t alignment)
{
  while ((w->size - 4) % alignment != 0)
    w->bytes[w->size++] = 0xee;
  for (size_t k = 0; k < size; ++k) {
    unsigned char byte = (unsigned char)(number >> 8 * (w->big_endian ? size - 1 - k : k));
    put(w, &byte, 1);
  }
}

static void put_text(wire *w, const char *text)
{
  put_number(w, strlen(text) + 1, 4, 4);
  put(w, text, strlen(text) + 1);
}

static void put_transform(wire *w, const char *parent, const char *child, double x)
{
  double numbers[] = {x, 2, 3, 0, 0, 0.6, 0.8};
  put_number(w, 1700000000, 4, 4);
  put_number(w, 5, 4, 4);
  put_text(w, parent);
  put_text(w, child);
  for (int k = 0; k < 7; ++k) {
    uint64_t bits;
    memcpy(&bits, &numbers[k], sizeof bits);
    put_number(w, bits, 8, w->double_alignment);
  }
}

static wire message(unsigned char encoding, uint32_t told)
{
  wire w = {.big_endian = encoding % 2 == 0, .double_alignment = encoding < 2 ? 8 : 4};
  unsigned char head[] = {0, encoding, 0, 0};
  put(&w, head, 4);
  put_number(&w, told, 4, 4);
  return w;
}

static clp_arrival arrivals[ROOM];
static clp_tf_message found;

/* From a block of its own size, so that whatever is read beyond it is noticed. */
static bool read_bytes(const unsigned char *bytes, size_t size, size_t room)
{
  unsigned char *copy = malloc(size > 0 ? size : 1);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, bytes, size);
  bool good = clp_tf_message_read(copy, size, arrivals, room, &found);
  free(copy);
  return good;
}

SUITE("tf_message");

TEST_CASE("bytes", 20);

/* Both orders of bytes, both versions of the encoding, names of every length modulo 8. */
TEST(every_encoding)
{
  static const unsigned char encodings[] = {0, 1, 6, 7};
  for (size_t e = 0; e < 4; ++e)
    for (size_t length = 0; length < 9; ++length) {
      char name[16] = "abcdefghijkl";
      name[length] = '\0';
      wire w = message(encodings[e], 2);
      put_transform(&w, name, "tool", 1);
      put_transform(&w, "world", name, -0.5);
      ck_assert(clp_tf_message_read(w.bytes, w.size, arrivals, ROOM, &found));
      ck_assert_uint_eq(found.count, 2);
      ck_assert_uint_eq(found.beyond, 0);
      ck_assert_str_eq(arrivals[0].parent, name);
      ck_assert_str_eq(arrivals[0].child, "tool");
      ck_assert_str_eq(arrivals[1].child, name);
      ck_assert_int_eq(arrivals[1].stamp, INT64_C(1700000000000000005));
      ck_assert_double_eq(arrivals[0].translation.x, 1);
      ck_assert_double_eq(arrivals[1].translation.x, -0.5);
      ck_assert_double_eq(arrivals[1].translation.z, 3);
      ck_assert_double_eq(arrivals[1].rotation.w, 0.8);
    }
}

TEST(no_more_than_there_is_room_for)
{
  wire w = message(1, 10);
  for (int k = 0; k < 10; ++k)
    put_transform(&w, "world", "tool", k);
  ck_assert(clp_tf_message_read(w.bytes, w.size, arrivals, 3, &found));
  ck_assert_uint_eq(found.count, 3);
  ck_assert_uint_eq(found.beyond, 7);
  ck_assert_double_eq(arrivals[2].translation.x, 2);
}

/* Cut off after each byte, with a length that is not there, and without a text's final zero. */
TEST(what_is_malformed_is_known_to_be)
{
  wire w = message(1, 1);
  put_transform(&w, "world", "tool", 1);
  for (size_t size = 0; size < w.size; ++size) {
    ck_assert(!read_bytes(w.bytes, size, ROOM));
    ck_assert_uint_eq(found.count, 0);
  }
  ck_assert(read_bytes(w.bytes, w.size, ROOM));
  static const struct {
    size_t at;
    unsigned char byte;
  } lies[] = {{0, 1},    {1, 2},     {1, 3},
              {1, 9},    {4, 2},     {7, 0x80},
              {7, 0xff}, {19, 0x7f}, {16, 5} /* without the zero */,
              {25, 'x'} /* in its place */};
  for (size_t k = 0; k < sizeof lies / sizeof *lies; ++k) {
    wire bad = w;
    bad.bytes[lies[k].at] = lies[k].byte;
    ck_assert_msg(!read_bytes(bad.bytes, bad.size, ROOM), "lie %zu", k);
  }
}

/* Messages of one time and of one text, in every encoding, and cut off after each byte. */
TEST(times_and_texts)
{
  static const unsigned char encodings[] = {0, 1, 6, 7};
  for (size_t e = 0; e < 4; ++e) {
    wire at = message(encodings[e], (uint32_t)-3), words = message(encodings[e], 6);
    int64_t time = 7;
    const char *text = "before";
    put_number(&at, 5, 4, 4);
    put(&words, "<robo", 6);
    for (size_t size = 0; size < at.size; ++size)
      ck_assert(!clp_cdr_read_time(at.bytes, size, &time) && time == 7);
    for (size_t size = 0; size < words.size; ++size)
      ck_assert(!clp_cdr_read_text(words.bytes, size, &text) && strcmp(text, "before") == 0);
    ck_assert(clp_cdr_read_time(at.bytes, at.size, &time));
    ck_assert(clp_cdr_read_text(words.bytes, words.size, &text));
    ck_assert_int_eq(time, INT64_C(-2999999995));
    ck_assert_str_eq(text, "<robo");
    words.bytes[words.size - 1] = 't';
    ck_assert(!clp_cdr_read_text(words.bytes, words.size, &text));
    at.bytes[1] = 3;
    ck_assert(!clp_cdr_read_time(at.bytes, at.size, &time));
  }
}

/* Whatever the bytes are: nothing is read beyond them, and names end. */
TEST(any_bytes)
{
  random_state g = {3};
  for (int round = 0; round < 2000; ++round) {
    wire w = message((unsigned char)(random_bits(&g) % 2), 2);
    put_transform(&w, "world", "tool", 1);
    put_transform(&w, "tool", "tip", 1);
    for (int k = 0; k < 3; ++k)
      w.bytes[random_bits(&g) % w.size] = (unsigned char)random_bits(&g);
    size_t size = random_bits(&g) % 2 ? w.size : random_bits(&g) % w.size;
    unsigned char *copy = malloc(size > 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, w.bytes, size);
    if (clp_tf_message_read(copy, size, arrivals, ROOM, &found))
      for (size_t k = 0; k < found.count; ++k)
        ck_assert_uint_lt(strlen(arrivals[k].parent) + strlen(arrivals[k].child), size);
    free(copy);
  }
}
