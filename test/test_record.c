/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* fork, setenv */

#include "rclc_closest_point/bag/cdr_reader.h"
#include "support/bags.h"
#include "support/command.h"
#include "support/suite.h"
#include "support/wire.h"

/* `closest_point record` beside a monitor that this process plays. */

static dds_entity_t frames, safety;

static void begin(void)
{
  choose_domain();
  enter_folder();
  join_wire();
  frames = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  safety = endpoint("rt/cell/closest_point_monitor/safety",
                    &rclc_closest_point_msg_dds__SafetyStatus__desc, true, false, 0);
  geometry_msgs_msg_dds__TransformStamped_ transform = {.header = {.frame_id = "world"},
                                                        .child_frame_id = "table",
                                                        .transform = {.rotation = {.w = 1}}};
  tf2_msgs_msg_dds__TFMessage_ still = {
      .transforms = {._buffer = &transform, ._length = 1, ._maximum = 1}};
  ck_assert_int_eq(dds_write(frames, &still), 0);
}

static void end(void)
{
  leave_wire();
  leave_folder();
}

static void say(uint64_t cycle, uint8_t zone)
{
  rclc_closest_point_msg_dds__SafetyStatus_ said = {.header = {.frame_id = "cell"},
                                                    .cycle = cycle,
                                                    .zone = zone,
                                                    .body_a = "hand",
                                                    .body_b = "person",
                                                    .reason = "too near"};
  ck_assert_int_eq(dds_write(safety, &said), 0);
}

/* It hears all that is said from then on: whether it has heard the greeting, cycle 0, is not known,
 * for the writer knows of a reader before that knows of the writer. */
static pid_t start_recorder(const char *arguments)
{
  char command[512];
  snprintf(command, sizeof command,
           "\"$CLOSEST_POINT\" record %s --ros-args -r __ns:=/cell >out 2>err", arguments);
  pid_t child = start_process(command);
  dds_publication_matched_status_t matched = {0};
  int64_t since = now();
  while (matched.current_count == 0 && now() - since < PATIENCE) {
    dds_get_publication_matched_status(safety, &matched);
    rest(5);
  }
  ck_assert_uint_gt(matched.current_count, 0);
  say(0, 0);
  ck_assert_int_eq(dds_wait_for_acks(safety, DDS_SECS(10)), 0);
  return child;
}

typedef struct content {
  int transforms, greetings, answers;
  uint64_t first, last; /* cycles */
} content;

static content content_of(const char *path)
{
  content c = {.first = UINT64_MAX};
  clp_bag *bag = open_bag(path);
  clp_bag_message message;
  while (clp_bag_next(bag, &message)) {
    clp_bag_topic topic = clp_bag_topic_at(bag, message.topic);
    clp_heard_safety heard;
    c.transforms += strcmp(topic.name, "/tf_static") == 0;
    if (strcmp(topic.name, "/cell/closest_point_monitor/safety") != 0)
      continue;
    ck_assert_str_eq(topic.type, "rclc_closest_point/msg/SafetyStatus");
    ck_assert(clp_hear_safety(message.bytes, message.size, &heard));
    if (heard.cycle == 0) {
      ++c.greetings;
      continue;
    }
    c.first = heard.cycle < c.first ? heard.cycle : c.first;
    ck_assert(c.answers == 0 || heard.cycle == c.last + 1);
    c.last = heard.cycle;
    ++c.answers;
  }
  clp_bag_close(bag);
  return c;
}

/* By the format's own library, where NODE_MODULES (make check-recordings) says that it is there. */
static void expect_read_back(const char *path, const char *expected)
{
  const char *modules = getenv("NODE_MODULES");
  if (!modules || access(modules, R_OK) != 0)
    return;
  char command[2048], text[4096];
  snprintf(command, sizeof command, "node '%s/../bag/read_back.mjs' '%s' '%s' >read 2>&1",
           TEST_DATA_DIR, modules, path);
  int status = system(command);
  read_whole("read", text, sizeof text);
  ck_assert_msg(status == 0, "%s", text);
  ck_assert_str_eq(text, expected);
}

SUITE("record");

TEST_CASE("recordings", 120);

TEST(test_all_that_is_said_is_recorded)
{
  enum { MANY = 1000 };
  begin();
  pid_t child = start_recorder("all.mcap");
  for (uint64_t k = 1; k <= MANY; ++k) {
    say(k, 0);
    if (k % 20 == 0)
      rest(1);
  }
  dds_wait_for_acks(safety, DDS_SECS(10));
  rest(300);
  ck_assert_int_eq(stop_process(child, SIGINT), 0);
  content c = content_of("all.mcap");
  ck_assert_int_eq(told_count, 0);
  ck_assert_int_eq(c.transforms, 1); /* said before it came */
  ck_assert_int_eq(c.answers, MANY);
  ck_assert_uint_eq(c.last, MANY);
  char text[4096];
  snprintf(text, sizeof text,
           "/cell/closest_point_monitor/safety %d\n/tf_static 1\n"
           "safety: cycle %d, zone 0, too near\n",
           c.greetings + MANY, MANY);
  expect_read_back("all.mcap", text);
  read_whole("err", text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "recording /cell/closest_point_monitor"));
  ck_assert_ptr_nonnull(strstr(text, c.greetings ? "1002 messages, " : "1001 messages, "));
  end();
}

/* Killed in the middle, it leaves what was there a second before. */
TEST(test_killed_at_any_time)
{
  begin();
  pid_t child = start_recorder("killed.mcap");
  int64_t since = now();
  uint64_t k = 1;
  for (; now() - since < 5 * SECOND / 2; ++k) {
    say(k, 0);
    rest(5);
  }
  ck_assert_int_eq(stop_process(child, SIGKILL), -SIGKILL);
  content c = content_of("killed.mcap");
  ck_assert_int_eq(told_count, 1);
  ck_assert_ptr_nonnull(strstr(told, "the end is missing"));
  ck_assert_int_eq(c.transforms, 1);
  ck_assert_int_ge(c.answers, (int)(k / 4));
  end();
}

TEST(test_a_full_disk_ends_the_recording)
{
  begin();
  char command[512];
  snprintf(command, sizeof command,
           "ulimit -f 200; exec \"$CLOSEST_POINT\" record full.mcap"
           " --compression none --ros-args -r __ns:=/cell 2>err");
  pid_t child = fork();
  if (child == 0) {
    become_another();
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  int64_t since = now();
  for (uint64_t k = 1; waitpid(child, &status, WNOHANG) == 0 && now() - since < PATIENCE; ++k) {
    say(k, 0);
    rest(1);
  }
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), 3);
  char text[4096];
  read_whole("err", text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "cannot write full.mcap any further: File too large"));
  content c = content_of("full.mcap");
  ck_assert_int_le(told_count, 1);
  ck_assert_int_ge(c.transforms, 0);
  end();
}

TEST(test_around_stops)
{
  begin();
  pid_t child = start_recorder("box --around-stops 1");
  for (uint64_t k = 1; k < 250; ++k) {
    say(k, k >= 120 && k < 140 ? 2 : 0);
    rest(10);
  }
  ck_assert_int_eq(stop_process(child, SIGTERM), 0);
  char text[4096];
  read_whole("err", text, sizeof text);
  char *name = strstr(text, "box/");
  ck_assert_msg(name, "%s", text);
  ck_assert_ptr_nonnull(strstr(name, "_too-near.mcap"));
  name[strcspn(name, "\n")] = '\0';
  content c = content_of(name);
  ck_assert_int_ge(c.transforms, 1);
  ck_assert_uint_le(c.first, 100);
  ck_assert_uint_ge(c.last, 180);
  end();
}

TEST(test_usage)
{
  enter_folder();
  write_whole("there.mcap", "x");
  expect_failure("record", 2, "OUT");
  expect_failure("record a.mcap --around-stops 0", 2, "around-stops");
  expect_failure("record a.mcap --compression gzip", 2, "compression");
  expect_failure("record there.mcap", 1, "there.mcap is there already");
  leave_folder();
}
