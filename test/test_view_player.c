/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "rclc_closest_point/bag/cdr_reader.h"
#include "rclc_closest_point/node/tf_message.h"
#include "rclc_closest_point/view/player.h"
#include "support/bag_answers.h"
#include "support/scratch.h"
#include "support/suite.h"

/* A recording that is played: what is handed over when, by a clock that the test turns. */

#define BEGIN (INT64_C(1700000000) * ROS_SECOND)
#define MS INT64_C(1000000)
#define FILE_NAME "a.mcap"

enum { ANSWERS = 1000 };

static const char *bodies[] = {"hand", "person"};

/* Ten seconds: transforms of two frames every 10 ms, and 1 ms after each an answer; the separation
 * is the number of the answer in millimeters, STOP below 0.3 m. */
static void write_answers(const char *path)
{
  builder b = build_bag(path);
  add_transforms(&b, B_STATIC, BEGIN, BEGIN,
                 &(built_transform){"cell", "base", {1, 0, 0}, {0, 0, 0, 1}}, 1);
  for (int k = 0; k < ANSWERS; ++k) {
    int64_t time = BEGIN + k * 10 * MS;
    if (k == 500)
      add_transforms(&b, B_STATIC, time, time,
                     &(built_transform){"cell", "base", {2, 0, 0}, {0, 0, 0, 1}}, 1);
    add_transform(&b, time, time, "cell", k % 2 ? "hand" : "person", (clp_vec3){k, 0, 0});
    add_safety(&b, time + MS, (uint64_t)k + 1, k < 300 ? 2 : 0, 1e-3 * k, 0.3, bodies, "so it is");
    if (k == 100)
      add_body(&b, time + MS, "hand");
  }
  finish_bag(&b);
}

/* ---- Who listens -------------------------------------------------------------------------- */

typedef struct listener {
  clp_recording *recording;
  int jumps, answers, transforms, statics;
  int64_t from, to; /* of the last jump */
  int64_t newest;   /* of all messages, and the last answer */
  uint64_t cycle;
} listener;

static void on_jump(void *user, int64_t from, int64_t to)
{
  listener *l = user;
  l->from = from;
  l->to = to;
  l->newest = INT64_MIN;
  ++l->jumps;
}

static void on_message(void *user, const clp_bag_message *m)
{
  listener *l = user;
  clp_heard_safety s;
  clp_played_role role = l->recording->topics[m->topic].role;
  ck_assert_int_ge(m->received, l->newest);
  l->newest = m->received;
  l->transforms += role == CLP_PLAYED_TF;
  l->statics += role == CLP_PLAYED_TF_STATIC;
  if (role != CLP_PLAYED_SAFETY)
    return;
  ck_assert(clp_hear_safety(m->bytes, m->size, &s));
  ++l->answers;
  l->cycle = s.cycle;
}

static clp_recording recording;
static listener heard;
static clp_status open_recording(const char *monitor)
{
  const clp_recording_options options = {.path = FILE_NAME, .monitor = monitor, .sink = hearing};
  told[0] = '\0';
  return clp_recording_open(&options, &recording);
}

static clp_player *begin(void)
{
  enter_folder();
  write_answers(FILE_NAME);
  ck_assert_int_eq(open_recording(NULL), CLP_OK);
  heard = (listener){.recording = &recording, .newest = INT64_MIN};
  const clp_player_out out = {&heard, on_jump, on_message};
  clp_player *player = clp_player_create(&recording, &out);
  ck_assert_ptr_nonnull(player);
  return player;
}

static void end(clp_player *player)
{
  clp_player_destroy(player);
  clp_recording_close(&recording);
  leave_folder();
}

static int64_t position(const clp_player *player)
{
  return clp_player_state_of(player).position - BEGIN;
}

/* ---- The recording ------------------------------------------------------------------------ */

SUITE("view: player");

TEST_CASE("player", 60);

TEST(all_of_it_is_known_before)
{
  clp_player *p = begin();
  ck_assert_str_eq(recording.monitor, "/closest_point_monitor");
  ck_assert_int_eq(recording.first, BEGIN);
  ck_assert_int_eq(recording.last, BEGIN + 9991 * MS);
  ck_assert_uint_eq(recording.answer_count, ANSWERS);
  ck_assert(recording.has_answers && recording.has_bodies && recording.has_transforms);
  uint64_t count = 0;
  for (int k = 0; k < CLP_RECORDING_BINS; ++k) {
    const clp_answer_bin *bin = &recording.bins[k];
    double first = (double)k * (double)recording.bin_width / 1e7;
    count += bin->count;
    if (bin->count == 0)
      continue;
    ck_assert_double_ge(bin->separation, 1e-3 * (first - 1));
    ck_assert_double_le(bin->separation, 1e-3 * (first + 1));
    ck_assert_double_eq(bin->required, 0.3);
    ck_assert_int_eq(bin->zone, bin->separation < 0.2995 ? 2 : 0);
    ck_assert_double_eq(bin->speed_scale, bin->zone == 2 ? 0 : 1);
  }
  ck_assert_uint_eq(count, ANSWERS);
  end(p);
}

static void count_holding(void *user, const clp_lasting *m)
{
  char(*found)[64] = user;
  clp_arrival arrival;
  clp_tf_message read;
  if (recording.topics[m->topic].role == CLP_PLAYED_MARKERS)
    strcat(*found, m->key);
  else if (clp_tf_message_read(m->bytes, m->size, &arrival, 1, &read))
    strcat(*found, arrival.translation.x < 1.5 ? "1" : "2");
}

TEST(what_holds_is_that_of_the_moment)
{
  clp_player *p = begin();
  static const struct {
    int64_t ms;
    const char *holding;
  } moments[] = {{0, "1hand"}, {1001, "1hand"}, {4999, "1hand"}, {5000, "hand2"}, {9991, "hand2"}};
  for (size_t k = 0; k < sizeof moments / sizeof *moments; ++k) {
    char found[64] = "";
    clp_recording_holding_at(&recording, BEGIN + moments[k].ms * MS, count_holding, &found);
    ck_assert_str_eq(found, moments[k].holding);
  }
  ck_assert(clp_recording_changes_between(&recording, BEGIN, BEGIN + 5000 * MS));
  ck_assert(clp_recording_changes_between(&recording, BEGIN + 5000 * MS, BEGIN));
  ck_assert(!clp_recording_changes_between(&recording, BEGIN, BEGIN + 4999 * MS));
  end(p);
}

/* ---- The pace ----------------------------------------------------------------------------- */

TEST(it_keeps_the_pace)
{
  static const uint32_t speeds[] = {10, 100, 1000};
  for (int s = 0; s < 3; ++s) {
    clp_player *p = begin();
    int64_t now = 77 * ROS_SECOND;
    clp_player_update(p, now);
    ck_assert_int_eq(position(p), 0);
    clp_player_set_speed(p, speeds[s], now);
    clp_player_play(p, now);
    for (int tick = 1; tick <= 50; ++tick) {
      clp_player_update(p, now + tick * 16 * MS);
      int64_t due = (int64_t)speeds[s] * tick * 16 * MS / 100;
      ck_assert_int_eq(position(p), due);
      ck_assert_int_eq(heard.answers, due < MS ? 0 : (due - MS) / (10 * MS) + 1);
      ck_assert_int_eq(heard.transforms, due / (10 * MS) + 1);
    }
    ck_assert_int_eq(heard.jumps, 0);
    end(p);
  }
}

TEST(a_pause_takes_no_time)
{
  clp_player *p = begin();
  clp_player_play(p, 0);
  clp_player_update(p, 100 * MS);
  clp_player_pause(p, 200 * MS);
  ck_assert_int_eq(position(p), 200 * MS);
  ck_assert_int_eq(heard.answers, 20);
  clp_player_update(p, 3600 * ROS_SECOND);
  ck_assert_int_eq(position(p), 200 * MS);
  clp_player_play(p, 3600 * ROS_SECOND);
  clp_player_update(p, 3600 * ROS_SECOND + 50 * MS);
  ck_assert_int_eq(position(p), 250 * MS);
  ck_assert_int_eq(heard.answers, 25);
  end(p);
}

TEST(another_speed_begins_where_it_is)
{
  clp_player *p = begin();
  clp_player_play(p, 0);
  clp_player_set_speed(p, 200, 1000 * MS);
  clp_player_update(p, 1500 * MS);
  ck_assert_int_eq(position(p), 2000 * MS);
  clp_player_set_speed(p, 0, 1500 * MS);
  ck_assert_uint_eq(clp_player_state_of(p).percent, CLP_PLAYER_SLOWEST);
  clp_player_set_speed(p, UINT32_MAX, 1500 * MS);
  ck_assert_uint_eq(clp_player_state_of(p).percent, CLP_PLAYER_FASTEST);
  end(p);
}

TEST(it_ends_and_begins_anew)
{
  clp_player *p = begin();
  clp_player_set_speed(p, 1000, 0);
  clp_player_play(p, 0);
  clp_player_update(p, 3600 * ROS_SECOND);
  ck_assert_int_eq(position(p), 9991 * MS);
  ck_assert(!clp_player_state_of(p).playing);
  ck_assert_int_eq(heard.answers, ANSWERS);
  clp_player_play(p, 3601 * ROS_SECOND);
  ck_assert_int_eq(heard.jumps, 1);
  ck_assert_int_eq(position(p), 0);
  ck_assert(clp_player_state_of(p).playing);
  clp_player_update(p, 3601 * ROS_SECOND + 10 * MS);
  ck_assert_int_eq(position(p), 100 * MS);
  end(p);
}

/* ---- Another moment ----------------------------------------------------------------------- */

TEST(a_seek_tells_the_newest_of_each)
{
  static const int places[] = {9990, 5000, 5001, 1, 2503, 0, 7777};
  clp_player *p = begin();
  for (size_t k = 0; k < sizeof places / sizeof *places; ++k) {
    listener before = heard;
    clp_player_seek(p, BEGIN + places[k] * MS, 0);
    ck_assert_int_eq(heard.jumps, before.jumps + 1);
    ck_assert_int_eq(heard.to, BEGIN + places[k] * MS);
    ck_assert_int_eq(position(p), places[k] * MS);
    int answer = places[k] < 1 ? 0 : (places[k] - 1) / 10 + 1;
    ck_assert_int_eq(heard.answers - before.answers, answer > 0);
    if (answer > 0)
      ck_assert_uint_eq(heard.cycle, (uint64_t)answer);
    ck_assert_int_eq(heard.transforms - before.transforms, places[k] < 10 ? 1 : 2);
  }
  end(p);
}

TEST(beyond_the_ends_is_the_end)
{
  clp_player *p = begin();
  clp_player_seek(p, INT64_MAX, 0);
  ck_assert_int_eq(position(p), 9991 * MS);
  ck_assert_uint_eq(heard.cycle, ANSWERS);
  clp_player_seek(p, INT64_MIN, 0);
  ck_assert_int_eq(position(p), 0);
  end(p);
}

TEST(it_goes_on_where_it_was_sought)
{
  clp_player *p = begin();
  clp_player_play(p, 0);
  clp_player_seek(p, BEGIN + 5000 * MS, 20 * MS);
  int answers = heard.answers;
  clp_player_update(p, 120 * MS);
  ck_assert_int_eq(position(p), 5100 * MS);
  ck_assert_int_eq(heard.answers - answers, 10);
  ck_assert_uint_eq(heard.cycle, 510);
  end(p);
}

TEST(steps_go_from_answer_to_answer)
{
  clp_player *p = begin();
  ck_assert(!clp_player_step(p, false, 0));
  for (uint64_t k = 1; k <= 5; ++k) {
    ck_assert(clp_player_step(p, true, 0));
    ck_assert_uint_eq(heard.cycle, k);
    ck_assert_int_eq(position(p), (int64_t)(10 * k - 9) * MS);
  }
  for (uint64_t k = 4; k >= 1; --k) {
    ck_assert(clp_player_step(p, false, 0));
    ck_assert_uint_eq(heard.cycle, k);
    ck_assert_int_eq(position(p), (int64_t)(10 * k - 9) * MS);
  }
  ck_assert(!clp_player_step(p, false, 0));
  clp_player_seek(p, INT64_MAX, 0);
  ck_assert(!clp_player_step(p, true, 0));
  clp_player_play(p, 0);
  clp_player_update(p, 100 * MS);
  ck_assert(clp_player_step(p, true, 100 * MS));
  ck_assert_int_eq(position(p), 101 * MS);
  clp_player_seek(p, BEGIN + 105 * MS, 0);
  ck_assert(clp_player_step(p, false, 0));
  ck_assert_int_eq(position(p), 91 * MS);
  ck_assert(!clp_player_state_of(p).playing);
  end(p);
}

/* ---- What is not as it should be ---------------------------------------------------------- */

TEST(without_answers_steps_go_by_transforms)
{
  enter_folder();
  builder b = build_bag(FILE_NAME);
  for (int k = 0; k < 10; ++k)
    add_transform(&b, BEGIN + k * 10 * MS, BEGIN, "cell", "hand", (clp_vec3){k, 0, 0});
  finish_bag(&b);
  ck_assert_int_eq(open_recording(NULL), CLP_OK);
  ck_assert(!recording.has_answers && recording.has_transforms && !recording.monitor);
  ck_assert_uint_eq(recording.answer_count, 10);
  int64_t next;
  ck_assert(clp_recording_after(&recording, BEGIN, &next));
  ck_assert_int_eq(next, BEGIN + 10 * MS);
  clp_recording_close(&recording);
  leave_folder();
}

TEST(another_monitor_is_not_played)
{
  enter_folder();
  write_answers(FILE_NAME);
  ck_assert_int_eq(open_recording("/cell_2/monitor"), CLP_OK);
  ck_assert(!recording.has_answers);
  for (int k = 0; k < recording.topic_count; ++k) {
    clp_bag_topic topic = clp_bag_topic_at(recording.bag, k);
    ck_assert_int_eq(recording.topics[k].role == CLP_PLAYED_NOT,
                     strncmp(topic.name, "/closest_point_monitor/", 23) == 0);
  }
  clp_recording_close(&recording);
  leave_folder();
}

/* A monitor that begins anew counts from the front, and may show other bodies. */
TEST(bodies_are_those_of_the_run)
{
  enter_folder();
  builder b = build_bag(FILE_NAME);
  for (int k = 0; k < 4; ++k) {
    add_safety(&b, BEGIN + k * 1000 * MS, (uint64_t)(k % 2 + 1), 0, 1, 0.3, bodies, "");
    add_body(&b, BEGIN + (k * 1000 + 1) * MS, k < 2 ? "hand" : "person");
  }
  finish_bag(&b);
  ck_assert_int_eq(open_recording(NULL), CLP_OK);
  ck_assert_uint_eq(recording.run_count, 1);
  char found[2][64] = {"", ""};
  clp_recording_holding_at(&recording, BEGIN, count_holding, &found[0]);
  clp_recording_holding_at(&recording, BEGIN + 2000 * MS, count_holding, &found[1]);
  ck_assert_str_eq(found[0], "hand");
  ck_assert_str_eq(found[1], "person");
  ck_assert(clp_recording_changes_between(&recording, BEGIN, BEGIN + 2000 * MS));
  clp_recording_close(&recording);
  leave_folder();
}

TEST(of_what_is_damaged_the_rest_is_played)
{
  enter_folder();
  write_answers(FILE_NAME);
  FILE *file = fopen(FILE_NAME, "rb+");
  ck_assert_ptr_nonnull(file);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  fclose(file);
  ck_assert_int_eq(truncate(FILE_NAME, size * 2 / 3), 0);
  ck_assert_int_eq(open_recording(NULL), CLP_OK);
  ck_assert_uint_gt(recording.answer_count, ANSWERS / 4);
  ck_assert_uint_lt(recording.answer_count, ANSWERS);
  ck_assert_ptr_nonnull(strstr(recording.damage, "damaged from"));
  ck_assert_str_eq(told, recording.damage);
  heard = (listener){.recording = &recording, .newest = INT64_MIN};
  const clp_player_out out = {&heard, on_jump, on_message};
  clp_player *p = clp_player_create(&recording, &out);
  clp_player_play(p, 0);
  clp_player_update(p, 60 * ROS_SECOND);
  ck_assert_uint_eq((size_t)heard.answers, recording.answer_count);
  clp_player_seek(p, BEGIN + 1001 * MS, 0);
  ck_assert_uint_eq(heard.cycle, 101);
  end(p);
}

TEST(what_is_none_is_refused)
{
  enter_folder();
  FILE *file = fopen(FILE_NAME, "wb");
  fputs("no recording", file);
  fclose(file);
  ck_assert_int_eq(open_recording(NULL), CLP_ERROR_FILE);
  ck_assert_ptr_nonnull(strstr(told, "a.mcap:1: "));
  ck_assert_int_eq(remove(FILE_NAME), 0);
  ck_assert_int_eq(open_recording(NULL), CLP_ERROR_FILE);
  builder b = build_bag(FILE_NAME);
  finish_bag(&b);
  ck_assert_int_eq(open_recording(NULL), CLP_ERROR_FILE);
  ck_assert_ptr_nonnull(strstr(told, "no message"));
  leave_folder();
}
