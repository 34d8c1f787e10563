/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include <sys/stat.h>

#include "rclc_closest_point/bag/crc32.h"
#include "support/bags.h"
#include "support/suite.h"

/* MCAP files written and read again: whole, cut off, damaged, and made by others. */

enum { MANY = 95 };

SUITE("mcap");

FIXTURE_CASE("files", 120, enter_folder, leave_folder);

TEST(test_checksum)
{
  ck_assert_uint_eq(clp_crc32(0, "123456789", 9), 0xcbf43926); /* the checksum's own check value */
  ck_assert_uint_eq(clp_crc32(clp_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
  ck_assert_uint_eq(clp_crc32(0, "", 0), 0);
}

LOOP_TEST(test_what_is_written_is_read, 0, CLP_COMPRESSIONS)
{
  if (clp_compression_is_there((clp_compression)_i)) {
    write_bag("all.mcap", MANY, (clp_compression)_i);
    ck_assert(clp_is_bag("all.mcap"));
    clp_bag *bag = open_bag("all.mcap");
    clp_bag_message message;
    for (int pass = 0; pass < 2; ++pass) {
      for (unsigned k = 0; k < MANY; ++k) {
        ck_assert(clp_bag_next(bag, &message));
        expect_message(bag, &message, k);
      }
      ck_assert(!clp_bag_next(bag, &message));
      ck_assert(!clp_bag_next(bag, &message));
      clp_bag_rewind(bag, INT64_MIN);
    }
    ck_assert_int_eq(told_count, 0);
    clp_bag_close(bag);
  }
}

TEST(test_it_begins_where_it_is_asked_to)
{
  write_bag("all.mcap", MANY, CLP_COMPRESSION_NONE);
  clp_bag *bag = open_bag("all.mcap");
  clp_bag_message message;
  int64_t first, last;
  ck_assert(clp_bag_range(bag, &first, &last));
  ck_assert_int_eq(first, 1000000000);
  ck_assert_int_eq(last, (1000 + MANY - 1) * INT64_C(1000000));
  for (unsigned k = 0; k < MANY; k += 7) {
    clp_bag_rewind(bag, (1000 + (int64_t)k) * 1000000);
    ck_assert(clp_bag_next(bag, &message));
    expect_message(bag, &message, k);
  }
  clp_bag_rewind(bag, last + 1);
  ck_assert(!clp_bag_next(bag, &message));
  clp_bag_close(bag);
}

/* Where the chunks of a file begin, and the end of the last one's indices. */
static size_t find_ends(const unsigned char *bytes, size_t size, size_t ends[], size_t room)
{
  size_t count = 0;
  clp_taker t = clp_taker_of(bytes, size);
  (void)clp_take_bytes(&t, CLP_MCAP_MAGIC_SIZE);
  while (t.at < size) {
    uint8_t kind = (uint8_t)clp_take_number(&t, 1);
    (void)clp_take_span(&t, 8);
    if (kind == CLP_MCAP_DATA_END)
      break;
    if (kind == CLP_MCAP_CHUNK && count < room)
      ends[count++] = t.at;
  }
  return count;
}

/* Ended at any byte, it is the chunks that are whole. */
TEST(test_cut_off_anywhere)
{
  enum { COUNT = 30, CHUNKS = 3 };
  write_bag("all.mcap", COUNT, CLP_COMPRESSION_NONE);
  size_t size, ends[CHUNKS];
  unsigned char *bytes = load_file("all.mcap", &size);
  ck_assert_uint_eq(find_ends(bytes, size, ends, CHUNKS), CHUNKS);
  for (size_t cut = 0; cut < size; cut += cut < 100 || size - cut < 1500 ? 1 : 11) {
    unsigned expected = 0, count = 0;
    clp_bag *bag = NULL;
    clp_bag_message message;
    remove("cut.mcap"); /* some file systems wait for the disk where a file is written over */
    write_bytes("cut.mcap", bytes, cut);
    told_count = 0;
    clp_status status = clp_bag_open("cut.mcap", hearing, &bag);
    ck_assert_int_eq(status, cut < CLP_MCAP_MAGIC_SIZE ? CLP_ERROR_FILE : CLP_OK);
    for (int k = 0; k < CHUNKS; ++k)
      expected += cut >= ends[k] ? 10 : 0;
    for (; bag && clp_bag_next(bag, &message); ++count)
      expect_message(bag, &message, count);
    ck_assert_uint_eq(count, expected);
    ck_assert_msg(told_count == 1 || cut > ends[CHUNKS - 1], "cut at %zu: %d lines", cut,
                  told_count);
    ck_assert_int_le(told_count, 1);
    clp_bag_close(bag);
  }
  free(bytes);
}

/* Wherever a bit is turned, no message is told that has not been written. */
LOOP_TEST(test_turned_bits, 0, 1)
{
  enum { COUNT = 40 };
  write_bag("all.mcap", COUNT, (clp_compression)_i);
  size_t size;
  unsigned char *bytes = load_file("all.mcap", &size);
  unsigned least = COUNT;
  for (size_t at = 0; at < size; at += 3) {
    bytes[at] ^= (unsigned char)(1u << at % 8);
    remove("bad.mcap");
    write_bytes("bad.mcap", bytes, size);
    clp_bag *bag = NULL;
    unsigned count = 0;
    if (clp_bag_open("bad.mcap", hearing, &bag) == CLP_OK) {
      clp_bag_message message;
      for (; clp_bag_next(bag, &message); ++count) {
        char text[64] = "";
        clp_mcap_message written = message_of((unsigned)(message.received / 1000000 - 1000), text);
        ck_assert_uint_eq(message.size, written.size);
        ck_assert_int_eq(memcmp(message.bytes, text, written.size), 0);
      }
    }
    if (at > 2000) /* in the chunks one is lost at most, for the summary knows the next */
      least = count < least ? count : least;
    clp_bag_close(bag);
    bytes[at] ^= (unsigned char)(1u << at % 8);
  }
  ck_assert_uint_ge(least, COUNT - 10);
  free(bytes);
}

/* ---- Files of others ---------------------------------------------------------------------- */

static void put_record(clp_bytes *file, clp_mcap_kind kind, clp_bytes *content)
{
  clp_put_number(file, (uint64_t)kind, 1);
  clp_put_number(file, content->size, 8);
  clp_put(file, content->data, content->size);
  clp_bytes_release(content);
}

static clp_bytes begin_foreign(const char *encoding)
{
  clp_bytes file = {0}, c = {0};
  clp_put(&file, CLP_MCAP_MAGIC, CLP_MCAP_MAGIC_SIZE);
  clp_put_text(&c, "ros2");
  clp_put_text(&c, "by hand");
  put_record(&file, CLP_MCAP_HEADER, &c);
  clp_put_number(&c, 7, 2);
  clp_put_text(&c, "std_msgs/msg/String");
  clp_put_text(&c, "ros2msg");
  clp_put_text(&c, "string data");
  put_record(&file, CLP_MCAP_SCHEMA, &c);
  clp_put_number(&c, 300, 2);
  clp_put_number(&c, 7, 2);
  clp_put_text(&c, "/said");
  clp_put_text(&c, encoding);
  clp_put_number(&c, 0, 4);
  put_record(&file, CLP_MCAP_CHANNEL, &c);
  return file;
}

static void put_message(clp_bytes *file, uint64_t time, const char *text)
{
  clp_bytes c = {0};
  clp_put_number(&c, 300, 2);
  clp_put_number(&c, 0, 4);
  clp_put_number(&c, time, 8);
  clp_put_number(&c, time, 8);
  clp_put(&c, text, strlen(text));
  put_record(file, CLP_MCAP_MESSAGE, &c);
}

static void end_foreign(clp_bytes *file)
{
  clp_bytes c = {0};
  clp_put_number(&c, 0, 4);
  put_record(file, CLP_MCAP_DATA_END, &c);
  clp_put_number(&c, 0, 8);
  clp_put_number(&c, 0, 8);
  clp_put_number(&c, 0, 4);
  put_record(file, CLP_MCAP_FOOTER, &c);
  clp_put(file, CLP_MCAP_MAGIC, CLP_MCAP_MAGIC_SIZE);
  write_bytes("foreign.mcap", file->data, file->size);
  clp_bytes_release(file);
}

TEST(test_messages_without_chunks_and_without_a_summary)
{
  clp_bytes file = begin_foreign("cdr"), c = {0};
  put_message(&file, 5, "first");
  clp_put_text(&c, "something that is not known");
  put_record(&file, (clp_mcap_kind)0x77, &c);
  put_message(&file, 9, "second");
  end_foreign(&file);
  clp_bag *bag = open_bag("foreign.mcap");
  clp_bag_message message;
  int64_t first, last;
  ck_assert(clp_bag_range(bag, &first, &last));
  ck_assert_int_eq(first, 5);
  ck_assert_int_eq(last, 9);
  ck_assert(clp_bag_next(bag, &message));
  ck_assert_str_eq(clp_bag_topic_at(bag, message.topic).name, "/said");
  ck_assert_uint_eq(message.size, 5);
  ck_assert(clp_bag_next(bag, &message));
  ck_assert_int_eq(memcmp(message.bytes, "second", 6), 0);
  ck_assert(!clp_bag_next(bag, &message));
  ck_assert_int_eq(told_count, 0);
  clp_bag_close(bag);
  file = begin_foreign("json"); /* which nobody here reads */
  put_message(&file, 5, "{}");
  end_foreign(&file);
  bag = open_bag("foreign.mcap");
  ck_assert(!clp_bag_next(bag, &message));
  clp_bag_close(bag);
}

/* A chunk that says that it is this large, so compressed, with these bytes in it. */
static void expect_bad_chunk(uint64_t size, const char *compression, const char *bytes,
                             const char *in_line)
{
  clp_bytes file = begin_foreign("cdr"), c = {0};
  clp_put_number(&c, 1, 8);
  clp_put_number(&c, 2, 8);
  clp_put_number(&c, size, 8);
  clp_put_number(&c, 0, 4);
  clp_put_text(&c, compression);
  clp_put_number(&c, strlen(bytes), 8);
  clp_put(&c, bytes, strlen(bytes));
  put_record(&file, CLP_MCAP_CHUNK, &c);
  put_message(&file, 9, "after");
  end_foreign(&file);
  clp_bag *bag = open_bag("foreign.mcap");
  clp_bag_message message;
  ck_assert(clp_bag_next(bag, &message));
  ck_assert_int_eq(message.received, 9);
  ck_assert(!clp_bag_next(bag, &message));
  ck_assert_int_eq(told_count, 1);
  ck_assert_msg(strstr(told, in_line), "no '%s' in: %s", in_line, told);
  clp_bag_close(bag);
}

TEST(test_hostile_chunks)
{
  expect_bad_chunk(UINT64_MAX, "", "abc", "too large");
  expect_bad_chunk(UINT64_C(1) << 40, "zstd", "abc",
                   clp_compression_is_there(CLP_COMPRESSION_ZSTD) ? "too large" : "without");
  expect_bad_chunk(5, "", "abc", "decompressed");
  expect_bad_chunk(9, "bzip2", "abc", "none of lz4 and zstd");
  expect_bad_chunk(3, "", "abc", "longer than it");
  if (clp_compression_is_there(CLP_COMPRESSION_ZSTD))
    expect_bad_chunk(100, "zstd", "abc", "decompressed");
  if (clp_compression_is_there(CLP_COMPRESSION_LZ4))
    expect_bad_chunk(100, "lz4", "abc", "decompressed");
}

/* ---- Which files there are ---------------------------------------------------------------- */

TEST(test_folders)
{
  ck_assert_int_eq(mkdir("empty", 0777), 0);
  ck_assert_int_eq(mkdir("bag", 0777), 0);
  ck_assert(!clp_is_bag("empty"));
  ck_assert(!clp_is_bag("nothing"));
  for (unsigned k = 0; k < 12; ++k) {
    char path[64];
    snprintf(path, sizeof path, "bag/bag_%u.mcap", k);
    clp_mcap_writer *writer = clp_mcap_writer_open(path, bag_channels, BAG_CHANNELS);
    ck_assert_ptr_nonnull(writer);
    add_messages(writer, 5 * k, 5 * k + 5, CLP_COMPRESSION_NONE);
    ck_assert(clp_mcap_writer_close(writer));
  }
  write_whole("bag/metadata.yaml", "rosbag2_bagfile_information:\n");
  ck_assert(clp_is_bag("bag"));
  clp_bag *bag = open_bag("bag"), *none = NULL;
  clp_bag_message message;
  int64_t first, last;
  ck_assert(clp_bag_range(bag, &first, &last));
  ck_assert_int_eq(last, (1000 + 59) * INT64_C(1000000));
  for (unsigned k = 0; k < 60; ++k) {
    ck_assert(clp_bag_next(bag, &message));
    expect_message(bag, &message, k);
  }
  ck_assert(!clp_bag_next(bag, &message));
  clp_bag_close(bag);
  ck_assert_int_eq(clp_bag_open("empty", hearing, &none), CLP_ERROR_FILE);
  ck_assert_ptr_nonnull(strstr(told, "expected files .mcap or .db3"));
  write_whole("words.mcap", "these are words");
  ck_assert(!clp_is_bag("words.mcap"));
  ck_assert_int_eq(clp_bag_open("words.mcap", hearing, &none), CLP_ERROR_FILE);
  ck_assert_ptr_nonnull(strstr(told, "it is no recording"));
}

TEST(test_what_is_there_is_left_alone)
{
  write_whole("there.mcap", "precious");
  ck_assert_ptr_null(clp_mcap_writer_open("there.mcap", bag_channels, BAG_CHANNELS));
  char text[32];
  read_whole("there.mcap", text, sizeof text);
  ck_assert_str_eq(text, "precious");
  write_whole("there.mcap", "");
  write_bag("there.mcap", 5, CLP_COMPRESSION_NONE);
}
