/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include <sqlite3.h>
#include <sys/stat.h>

#include "support/bags.h"
#include "support/suite.h"

/* Databases as rosbag2 makes them, of its several versions, and as nobody should. */

#define TOPICS_HUMBLE                                                                   \
  "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL," \
  " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);"
#define TOPICS_JAZZY                                                                    \
  "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL," \
  " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL,"            \
  " type_description_hash TEXT NOT NULL);"
#define MESSAGES                                                             \
  "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL," \
  " timestamp INTEGER NOT NULL, data BLOB NOT NULL);"                        \
  "CREATE INDEX timestamp_idx ON messages (timestamp ASC);"

static void make(const char *path, const char *sql)
{
  sqlite3 *base;
  char *wrong = NULL;
  ck_assert_int_eq(sqlite3_open(path, &base), SQLITE_OK);
  ck_assert_msg(sqlite3_exec(base, sql, NULL, NULL, &wrong) == SQLITE_OK, "%s", wrong);
  sqlite3_close(base);
}

#define TWO_TOPICS(more)                                                         \
  "INSERT INTO topics VALUES(3, '/tf', 'tf2_msgs/msg/TFMessage', 'cdr', ''" more \
  "),"                                                                           \
  "(1, '/words', 'std_msgs/msg/String', 'cdr', ''" more                          \
  "),"                                                                           \
  "(2, '/odd', 'a/msg/B', 'protobuf', ''" more ");"
#define FOUR_MESSAGES                                                             \
  "INSERT INTO messages(topic_id, timestamp, data) VALUES(3, 20, x'0001000041')," \
  "(1, 10, x'0001000042'), (2, 15, x'00'), (1, 30, x'0001000043');"

static void expect_next(clp_bag *bag, const char *topic, int64_t time, char last)
{
  clp_bag_message message;
  ck_assert_msg(clp_bag_next(bag, &message), "%s", told);
  ck_assert_str_eq(clp_bag_topic_at(bag, message.topic).name, topic);
  ck_assert_int_eq(message.received, time);
  ck_assert_uint_eq(message.size, 5);
  ck_assert_int_eq(((const char *)message.bytes)[4], last);
}

SUITE("db3");

FIXTURE_CASE("databases", 60, enter_folder, leave_folder);

LOOP_TEST(test_messages_in_the_order_of_their_times, 0, 2)
{
  static const char *const versions[] = {
      TOPICS_HUMBLE MESSAGES TWO_TOPICS("") FOUR_MESSAGES,
      TOPICS_JAZZY MESSAGES TWO_TOPICS(", 'RIHS01_'") FOUR_MESSAGES
      "CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);"
      "CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER, metadata TEXT);"};
  make("bag.db3", versions[_i]);
  ck_assert(clp_is_bag("bag.db3"));
  clp_bag *bag = open_bag("bag.db3");
  clp_bag_message message;
  int64_t first, last;
  ck_assert(clp_bag_range(bag, &first, &last));
  ck_assert_int_eq(first, 10);
  ck_assert_int_eq(last, 30);
  for (int pass = 0; pass < 2; ++pass) {
    expect_next(bag, "/words", 10, 'B');
    expect_next(bag, "/tf", 20, 'A');
    expect_next(bag, "/words", 30, 'C');
    ck_assert(!clp_bag_next(bag, &message));
    clp_bag_rewind(bag, INT64_MIN);
  }
  clp_bag_rewind(bag, 11);
  expect_next(bag, "/tf", 20, 'A');
  ck_assert_int_eq(told_count, 0);
  clp_bag_close(bag);
}

TEST(test_a_folder_with_messages_that_are_compressed)
{
  ck_assert_int_eq(mkdir("bag", 0777), 0);
  make("bag/bag_0.db3", TOPICS_HUMBLE MESSAGES TWO_TOPICS("") FOUR_MESSAGES);
  /* 'zstd' of 00 01 00 00 44, with its size */
  make("bag/bag_1.db3", TOPICS_HUMBLE MESSAGES TWO_TOPICS("")
       "INSERT INTO messages(topic_id, timestamp, data)"
       " VALUES(1, 40, x'28b52ffd20052900000001000044'), (1, 50, x'28b52ffd2005'),"
       " (9, 60, x'00')");
  clp_bag *bag = open_bag("bag");
  clp_bag_message message;
  expect_next(bag, "/words", 10, 'B');
  expect_next(bag, "/tf", 20, 'A');
  expect_next(bag, "/words", 30, 'C');
#ifdef CLP_ZSTD
  expect_next(bag, "/words", 40, 'D');
#endif
  ck_assert(!clp_bag_next(bag, &message));
  ck_assert_int_eq(told_count, 1);
  ck_assert_ptr_nonnull(strstr(told, "a message of a topic that is not there"));
  clp_bag_close(bag);
}

static void expect_refused(const char *path, const char *in_line)
{
  clp_bag *bag = NULL;
  told_count = 0;
  ck_assert_int_eq(clp_bag_open(path, hearing, &bag), CLP_ERROR_FILE);
  ck_assert_int_eq(told_count, 1);
  ck_assert_msg(strstr(told, in_line), "no '%s' in: %s", in_line, told);
}

TEST(test_what_is_none)
{
  make("other.db3", "CREATE TABLE things(a)");
  expect_refused("other.db3", "no tables of topics and messages");
  make("endless.db3", TOPICS_HUMBLE
       "CREATE VIEW messages AS WITH RECURSIVE n(id, topic_id, timestamp, data) AS"
       " (VALUES(1, 1, 1, x'00') UNION ALL SELECT id + 1, 1, 1, x'00' FROM n)"
       " SELECT id, topic_id, timestamp, data FROM n");
  expect_refused("endless.db3", "no tables of topics and messages");
  make("computed.db3", TOPICS_HUMBLE
       "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER,"
       " size INTEGER, data BLOB AS (zeroblob(size)));"
       "INSERT INTO messages(topic_id, timestamp, size) VALUES(1, 1, 100000000)");
  expect_refused("computed.db3", "no tables of topics and messages");
  make("columns.db3", "CREATE TABLE topics(id, title); CREATE TABLE messages(id, topic_id)");
  expect_refused("columns.db3", "no such column");
  write_bytes("front.db3", "SQLite format 3\0and no more", 27);
  expect_refused("front.db3", "cannot be read");
}

/* Of a database that has been cut off or overwritten, what SQLite still finds. */
TEST(test_damage)
{
  char sql[4096] = TOPICS_HUMBLE MESSAGES TWO_TOPICS("");
  strcat(sql,
         "WITH RECURSIVE n(k) AS (VALUES(1) UNION ALL SELECT k + 1 FROM n WHERE k < 2000)"
         " INSERT INTO messages(topic_id, timestamp, data) SELECT 1, k, randomblob(200) FROM n");
  make("bag.db3", sql);
  size_t size;
  unsigned char *bytes = load_file("bag.db3", &size);
  for (size_t k = 0; k < 40; ++k) {
    size_t from = size * k / 40;
    unsigned char *copy = malloc(size);
    memcpy(copy, bytes, size);
    memset(copy + from, 0x5a, size - from < 3000 ? size - from : 3000);
    write_bytes("bad.db3", copy, k % 2 ? size : from + 100);
    free(copy);
    clp_bag *bag = NULL;
    told_count = 0;
    if (clp_bag_open("bad.db3", hearing, &bag) == CLP_OK) {
      clp_bag_message message;
      int count = 0;
      while (clp_bag_next(bag, &message))
        ck_assert_int_le(++count, 4000);
      ck_assert_int_le(told_count, 1);
      ck_assert(told_count == 1 || count >= 1900);
    }
    clp_bag_close(bag);
  }
  free(bytes);
}
