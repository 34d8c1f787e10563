/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "rclc_closest_point/bag/recorder.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#include "support/bags.h"
#include "support/suite.h"

/* The recorder fed by hand: one file, files about each STOP, and a full disk. */

enum { TF, STATIC, SAFETY, CHANNELS };

static const clp_bag_recorder_channel channels[CHANNELS] = {
    {.channel = {"/tf", "tf2_msgs/msg/TFMessage", "", ""}},
    {.channel = {"/tf_static", "tf2_msgs/msg/TFMessage", "", ""}, .latched = true},
    {.channel = {"/m/safety", "rclc_closest_point/msg/SafetyStatus", "", ""}, .safety = true}};

static clp_bag_recorder_totals totals;
static int complaints;
static char complaint[1024];

static void listen(void *user, bool bad, const char *line)
{
  (void)user;
  complaints += bad;
  snprintf(complaint, sizeof complaint, "%s", line);
}

static clp_bag_recorder *record(const char *path, double around)
{
  const clp_bag_recorder_options options = {.path = path,
                                            .around = around,
                                            .channels = channels,
                                            .channel_count = CHANNELS,
                                            .tell = listen};
  complaints = 0;
  return clp_bag_recorder_create(&options);
}

/* A SafetyStatus as it is on the wire. */
static size_t safety_bytes(unsigned char bytes[256], uint8_t zone, const char *reason)
{
  clp_bytes b = {0};
  clp_put_number(&b, 0x100, 4);
  clp_put_number(&b, 1, 4); /* stamp */
  clp_put_number(&b, 2, 4);
  clp_put_number(&b, 1, 4); /* frame "" */
  clp_put_number(&b, 0, 8);
  b.size = 4 + 16;
  clp_put_number(&b, 3, 8); /* cycle */
  clp_put_number(&b, zone, 8);
  for (int k = 0; k < 4; ++k)
    clp_put_number(&b, 0, 8);
  for (int k = 0; k < 2; ++k) { /* bodies */
    clp_put_number(&b, 1, 4);
    clp_put_number(&b, 0, 4);
  }
  clp_put_number(&b, strlen(reason) + 1, 4);
  clp_put(&b, reason, strlen(reason) + 1);
  ck_assert_uint_le(b.size, 256);
  memcpy(bytes, b.data, b.size);
  size_t size = b.size;
  clp_bytes_release(&b);
  return size;
}

static bool say_zone(clp_bag_recorder *r, int64_t time, uint8_t zone, const char *reason)
{
  unsigned char bytes[256];
  size_t size = safety_bytes(bytes, zone, reason);
  return clp_bag_recorder_take(r, SAFETY, time, time, bytes, size) &&
         clp_bag_recorder_tick(r, time);
}

static int64_t at(double seconds)
{
  return 1700000000 * ROS_SECOND + (int64_t)(seconds * 1e9);
}

/* The names of the files in a folder, sorted. */
static int list(const char *folder, char names[][256], int room)
{
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort), found = 0;
  for (int k = 0; k < count; ++k) {
    if (*entries[k]->d_name != '.' && found < room)
      snprintf(names[found++], 256, "%s", entries[k]->d_name);
    free(entries[k]);
  }
  free(entries);
  return found;
}

typedef struct content {
  int counts[CHANNELS];
  int64_t first, last; /* of what is not latched */
} content;

static content content_of(const char *folder, const char *name)
{
  char path[600];
  content c = {.first = INT64_MAX, .last = INT64_MIN};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  clp_bag *bag = open_bag(path);
  clp_bag_message message;
  while (clp_bag_next(bag, &message)) {
    const char *topic = clp_bag_topic_at(bag, message.topic).name;
    int k = 0;
    while (strcmp(topic, channels[k].channel.topic) != 0)
      ++k;
    ++c.counts[k];
    if (channels[k].latched)
      continue;
    c.first = message.received < c.first ? message.received : c.first;
    c.last = message.received > c.last ? message.received : c.last;
  }
  ck_assert_int_eq(told_count, 0);
  clp_bag_close(bag);
  return c;
}

/* ---- One file ----------------------------------------------------------------------------- */

SUITE("recorder");

FIXTURE_CASE("files", 60, enter_folder, leave_folder);

TEST(test_one_file_has_all)
{
  clp_bag_recorder *r = record("all.mcap", 0);
  for (int k = 0; k < 5000; ++k)
    ck_assert(clp_bag_recorder_take(r, TF, at(0.001 * k), at(0.001 * k), "\0\1\0\0abcd", 8));
  ck_assert_uint_eq(clp_bag_recorder_count(r).messages, 0); /* all in the chunk that is open */
  ck_assert(clp_bag_recorder_tick(r, at(5)));
  ck_assert_uint_eq(clp_bag_recorder_count(r).messages, 5000);
  ck_assert(clp_bag_recorder_close(r, &totals));
  ck_assert_int_eq(content_of(".", "all.mcap").counts[TF], 5000);
}

TEST(test_a_file_that_cannot_be)
{
  write_whole("there.mcap", "x");
  ck_assert_ptr_null(record("there.mcap", 0));
  ck_assert_ptr_nonnull(strstr(complaint, "is there already"));
  ck_assert_ptr_null(record("no/such/folder.mcap", 0));
  ck_assert_ptr_nonnull(strstr(complaint, "No such file"));
  ck_assert_ptr_null(record("there.mcap", 3));
  ck_assert_ptr_nonnull(strstr(complaint, "cannot make the folder"));
}

/* What no longer fits is told, and what has been written can be read, to its last chunk. */
TEST(test_a_full_disk)
{
  enum { ROOM = 300000, SIZE = 4000 };
  static unsigned char bytes[SIZE];
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit = {ROOM, ROOM};
  setrlimit(RLIMIT_FSIZE, &limit);
  clp_bag_recorder *r = record("full.mcap", 0);
  int taken = 0;
  for (; taken < 1000; ++taken)
    if (!clp_bag_recorder_take(r, TF, at(taken), at(taken), bytes, SIZE) ||
        !clp_bag_recorder_tick(r, at(taken)))
      break;
  ck_assert_int_lt(taken, 1000);
  ck_assert_int_gt(taken, ROOM / SIZE / 2);
  ck_assert_int_eq(complaints, 1);
  ck_assert_ptr_nonnull(strstr(complaint, "cannot write full.mcap any further: File too large"));
  (void)clp_bag_recorder_close(r, &totals);
  content c = content_of(".", "full.mcap");
  ck_assert_int_ge(c.counts[TF], taken - 2);
}

/* ---- About each STOP ---------------------------------------------------------------------- */

/* Transforms and answers every 10 ms, from and to these times. */
static void run_quietly(clp_bag_recorder *r, double from, double to, uint8_t zone)
{
  for (int k = 0; k < (int)((to - from) * 100); ++k) {
    double t = from + 0.01 * k;
    ck_assert(clp_bag_recorder_take(r, TF, at(t), at(t), "\0\1\0\0abcd", 8));
    ck_assert(say_zone(r, at(t) + 1000, zone, "stop: separation 0.2 m, required 0.3 m"));
  }
}

TEST(test_a_stop_is_kept_with_what_was_before)
{
  char names[8][256];
  clp_bag_recorder *r = record("box", 5);
  ck_assert(clp_bag_recorder_take(r, STATIC, at(0), at(0), "\0\1\0\0once", 8));
  run_quietly(r, 0, 60, 0);
  ck_assert_int_eq(list("box", names, 8), 0);
  run_quietly(r, 60, 62, 2);
  run_quietly(r, 62, 100, 0);
  ck_assert_int_eq(clp_bag_recorder_count(r).files, 1);
  run_quietly(r, 100, 101, 2);
  ck_assert(clp_bag_recorder_close(r, &totals));
  ck_assert_int_eq(list("box", names, 8), 2);
  ck_assert_str_eq(names[0], "20231114T221420.000Z_stop-separation-0.2-m-required-0.3-m.mcap");
  content c = content_of("box", names[0]);
  ck_assert_int_eq(c.counts[STATIC], 1);
  ck_assert_int_le(c.first, at(55));
  ck_assert_int_ge(c.first, at(53)); /* whole chunks */
  ck_assert_int_ge(c.last, at(64.98));
  ck_assert_int_le(c.last, at(66.1));
  ck_assert_int_ge(c.counts[TF], 990);
  ck_assert_int_eq(content_of("box", names[1]).counts[STATIC], 1);
}

TEST(test_a_stop_while_one_is_written_prolongs_it)
{
  char names[8][256];
  clp_bag_recorder *r = record("box", 4);
  run_quietly(r, 0, 10, 0);
  run_quietly(r, 10, 11, 2);
  run_quietly(r, 11, 13, 1);
  run_quietly(r, 13, 14, 2);
  run_quietly(r, 14, 30, 0);
  ck_assert(clp_bag_recorder_close(r, &totals));
  ck_assert_int_eq(list("box", names, 8), 1);
  ck_assert_int_ge(content_of("box", names[0]).last, at(16.98));
}

/* A STOP that was there before is none that begins; one that begins by silence is one. */
TEST(test_silence_is_a_stop)
{
  char names[8][256];
  clp_bag_recorder *r = record("box", 2);
  for (int k = 0; k < 50; ++k)
    ck_assert(clp_bag_recorder_tick(r, at(-10 + 0.1 * k)));
  run_quietly(r, 0, 3, 2);
  run_quietly(r, 3, 5, 0);
  ck_assert_int_eq(clp_bag_recorder_count(r).files, 0);
  for (int k = 0; k < 60; ++k)
    ck_assert(clp_bag_recorder_tick(r, at(5 + 0.1 * k)));
  ck_assert_int_eq(clp_bag_recorder_count(r).files, 1);
  ck_assert(clp_bag_recorder_close(r, &totals));
  ck_assert_int_eq(list("box", names, 8), 1);
  ck_assert_ptr_nonnull(strstr(names[0], "_the-monitor-is-silent.mcap"));
  ck_assert_int_ge(content_of("box", names[0]).counts[SAFETY], 190);
}

/* What is in memory does not grow with time. */
TEST(test_memory_is_bounded)
{
  clp_bag_recorder *r = record("box", 5);
  run_quietly(r, 0, 20, 0);
  size_t kept = clp_bag_recorder_count(r).kept;
  run_quietly(r, 20, 120, 0);
  ck_assert_uint_le(clp_bag_recorder_count(r).kept, kept + kept / 5);
  ck_assert(clp_bag_recorder_close(r, &totals));
}

TEST_CASE("names", 60);

/* Whatever the reason says, the name is that of a file in the folder. */
TEST(test_names_of_files)
{
  static const char *const reasons[] = {"../../etc/passwd", "",   "a/b\\c\n\x01\xff%s", "....",
                                        "x y  z",           "-rf"};
  static const char *const ends[] = {"_etc-passwd.mcap", "_stop.mcap",  "_a-b-c-s.mcap",
                                     "_stop.mcap",       "_x-y-z.mcap", "_rf.mcap"};
  for (size_t k = 0; k < sizeof reasons / sizeof *reasons; ++k) {
    char names[8][256];
    enter_folder();
    clp_bag_recorder *r = record("box", 1);
    run_quietly(r, 0, 1, 0);
    ck_assert(say_zone(r, at(1), 2, reasons[k]));
    ck_assert_ptr_null(strpbrk(complaint, "\n\x01")); /* nor is it a command for a terminal */
    ck_assert(clp_bag_recorder_close(r, &totals));
    ck_assert_int_eq(list("box", names, 8), 1);
    ck_assert_msg(strstr(names[0], ends[k]), "%s", names[0]);
    leave_folder();
  }
}
