/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, WEXITSTATUS */

#include "support/bag_answers.h"
#include "support/results.h"
#include "support/suite.h"

/* `closest_point report` of recordings whose every number is known. */

#define BEGIN (INT64_C(1700000000) * ROS_SECOND)
#define MS INT64_C(1000000)

static const char *hand_person[] = {"hand", "person"};

/* Ten seconds at 100 Hz: a hand comes nearer from 1.5 m by 0.2 m/s; STOP below 0.5 m, from 5 s to
 * 7 s; cycles 300 to 319 are missing; the person's transforms, every 20 ms, end at 4.8 s. */
static void write_recording(const char *path, const char *reason)
{
  builder b = build_bag(path);
  add_body(&b, BEGIN, "hand");
  add_body(&b, BEGIN, "person");
  for (int k = 0; k < 1000; ++k) {
    int64_t time = BEGIN + k * 10 * MS;
    double separation = 1.5 - 0.002 * k;
    int zone = k >= 500 && k < 700 ? 2 : k >= 400 && k < 500 ? 1 : 0;
    add_transform(&b, time, time, "cell", "hand", (clp_vec3){0, 0, 0});
    if (k % 2 == 0 && k < 480)
      add_transform(&b, time, time, "cell", "person", (clp_vec3){separation, 0, 0});
    if (k >= 300 && k < 320)
      continue;
    add_safety(&b, time + MS, (uint64_t)k, zone, k < 700 ? separation : 2, 0.5, hand_person,
               zone == 2 ? reason : "clear");
    add_points(&b, time + MS, (uint64_t)k, hand_person, k < 700 ? separation + 0.02 : 2);
  }
  finish_bag(&b);
}

/* The number that stands behind a name. */
static double number_of(const char *json, const char *name)
{
  const char *found = strstr(json, name);
  ck_assert_msg(found, "no %s", name);
  return strtod(found + strlen(name), NULL);
}

static char text[32 << 20];

static const char *load_text(const char *path)
{
  read_whole(path, text, sizeof text);
  return text;
}

SUITE("report");

FIXTURE_CASE("reports", 60, enter_folder, leave_folder);

TEST(test_numbers)
{
  write_recording("r.mcap", "stop: separation 0.5 m, required 0.5 m");
  expect_done("report r.mcap --json --out r.json", "");
  const char *json = load_text("r.json");
  ck_assert_double_eq_tol(number_of(json, "\"answers\":"), 980, 1e-9);
  ck_assert_double_eq_tol(number_of(json, "\"missed_cycles\":"), 20, 1e-9);
  ck_assert_double_eq_tol(number_of(json, "\"longest_silence\":"), 0.21, 1e-6);
  ck_assert_double_eq_tol(number_of(json, "\"CLEAR\":"), 4.0 - 0.11 + 2.99, 1e-3);
  ck_assert_double_eq_tol(number_of(json, "\"WARN\":"), 1, 1e-3);
  ck_assert_double_eq_tol(number_of(json, "\"STOP\":"), 2, 1e-3);
  ck_assert_double_eq_tol(number_of(json, "\"silent\":"), 0.11, 1e-3);
  ck_assert_double_eq_tol(number_of(json, "\"nearest\":"), 1.5 - 0.002 * 699 + 0.02, 1e-9);
  const char *stop = strstr(json, "\"stops\":");
  ck_assert_double_eq_tol(number_of(stop, "\"at\":"), 5.001, 1e-6);
  ck_assert_double_eq_tol(number_of(stop, "\"lasted\":"), 2, 1e-6);
  ck_assert_double_eq_tol(number_of(stop, "\"separation\":"), 0.5, 1e-9);
  ck_assert_double_eq_tol(number_of(stop, "\"distance\":"), 0.52, 1e-9);
  ck_assert_ptr_nonnull(strstr(stop, "they have come nearer"));
  ck_assert_ptr_nonnull(strstr(stop, "Frame person was late: nothing for 0.221 s"));
  ck_assert_ptr_null(strstr(stop, "Frame hand was late"));
  const char *person = strstr(json, "\"frame\":\"person\"");
  ck_assert_double_eq_tol(number_of(person, "\"rate\":"), 50, 1e-6);
}

TEST(test_page)
{
  write_recording("r.mcap", "stop: separation 0.5 m, required 0.5 m");
  expect_done("report r.mcap --out r.html", "");
  const char *html = load_text("r.html");
  ck_assert_ptr_nonnull(strstr(html, "told to stop once, for 2 s."));
  ck_assert_ptr_nonnull(strstr(html, "STOP 1 at 22:13:25.001 UTC, 5.001 s after the start"));
  ck_assert_ptr_nonnull(strstr(html, "Frame person was late"));
  ck_assert_ptr_nonnull(strstr(html, "<polygon class=\"decisive\""));
  ck_assert_ptr_nonnull(strstr(html, ">0.52 m</text>"));
  ck_assert_ptr_nonnull(strstr(html, "Content-Security-Policy"));
  ck_assert_ptr_null(strstr(html, "<script"));
  ck_assert_ptr_null(strstr(html, "http:"));
  ck_assert_ptr_null(strstr(html, "https:"));
  ck_assert_ptr_null(strstr(html, "nan"));
}

/* Whatever a message says is text. */
TEST(test_texts_are_escaped)
{
  static const char *bodies[] = {"<b>\"", "</svg>'&\x01\xff"};
  builder b = build_bag("r.mcap");
  add_safety(&b, BEGIN, 1, 0, 1, 0.5, bodies, "");
  add_safety(&b, BEGIN + MS, 2, 2, 0.1, 0.5, bodies, "<script>alert(1)</script>%s%n");
  add_points(&b, BEGIN + MS, 2, bodies, 0.1);
  add_safety(&b, BEGIN + 2 * MS, 3, 2, 0.1, 0.5, bodies, "");
  finish_bag(&b);
  expect_done("report r.mcap --out r.html", "");
  const char *html = load_text("r.html");
  ck_assert_ptr_null(strstr(html, "<script"));
  ck_assert_ptr_null(strstr(html, "<b>"));
  ck_assert_ptr_null(strstr(html, "</svg>'"));
  ck_assert_ptr_nonnull(strstr(html, "&lt;script&gt;alert(1)&lt;/script&gt;%s%n"));
  ck_assert_ptr_nonnull(strstr(html, "&lt;/svg&gt;&#39;&amp;??"));
}

LOOP_TEST(test_causes_in_words, 0, 6)
{
  static const struct {
    const char *reason, *words;
  } causes[] = {
      {"2 pairs are stale, such as hand and person: none of person for 0.3 s", "no fresh pose"},
      {"shutting down", "The monitor was ended"},
      {"1 pair is not certified, such as a and b", "could not be proven"},
      {"the clock stands still", "The monitor itself has ordered it"},
      {"stop: separation 0.5 m, required 0.4 m, held 0.2 s more",
       "held for a while after its cause"},
      {"stop: separation 0.3 m, required 0.4 m, not settled yet", "still being computed"}};
  write_recording("r.mcap", causes[_i].reason);
  expect_done("report r.mcap --out r.html", "");
  const char *html = load_text("r.html");
  ck_assert_msg(strstr(html, causes[_i].words), "no '%s'", causes[_i].words);
  ck_assert_ptr_nonnull(strstr(html, causes[_i].reason));
}

TEST(test_what_has_nothing)
{
  builder b = build_bag("tf.mcap");
  add_transform(&b, BEGIN, BEGIN, "w", "a", (clp_vec3){0, 0, 0});
  finish_bag(&b);
  expect_done("report tf.mcap", "There is no answer of a monitor in this recording");
  b = build_bag("none.mcap");
  finish_bag(&b);
  expect_failure("report none.mcap", 1, "no message that can be read");
  write_whole("words", "these are words");
  expect_failure("report words", 1, "it is no recording");
  expect_failure("report nothing.mcap", 1, "nothing.mcap:1: ");
  expect_failure("report", 2, "FILE");
  expect_failure("report tf.mcap --out tf.mcap", 2, "not also");
}

/* ---- Recordings that nobody has recorded -------------------------------------------------- */

static void add_stops(builder *b, int count)
{
  for (int k = 0; k < 2 * count; ++k)
    add_safety(b, BEGIN + k * 10 * MS, (uint64_t)k, 2 * (k % 2), 0.4, 0.5, hand_person,
               "stop: separation 0.4 m, required 0.5 m");
}

/* All are counted; what is told of them is bounded. */
TEST(test_more_stops_than_anybody_reads)
{
  builder b = build_bag("r.mcap");
  add_stops(&b, 10100);
  finish_bag(&b);
  expect_done("report r.mcap --out r.html", "");
  const char *html = load_text("r.html");
  ck_assert_ptr_nonnull(strstr(html, "told to stop 10100 times"));
  ck_assert_ptr_nonnull(strstr(html, "STOP 10000 at "));
  ck_assert_ptr_null(strstr(html, "STOP 10001 at "));
  ck_assert_ptr_nonnull(strstr(html, "And 100 more."));
  expect_done("report r.mcap --json --out r.json", "");
  ck_assert(number_of(load_text("r.json"), "\"stop_count\":") == 10100);
}

/* Of a thousand bodies and sixty STOPs not every picture is in the page. */
TEST(test_more_outlines_than_a_page_can_have)
{
  char names[1000][16];
  builder b = build_bag("r.mcap");
  for (int k = 0; k < 1000; ++k) {
    snprintf(names[k], sizeof names[k], "body_%d", k);
    add_body(&b, BEGIN - MS, names[k]);
    add_transform(&b, BEGIN - MS, BEGIN - MS, "cell", names[k], (clp_vec3){0.01 * k, 0, 0});
  }
  add_stops(&b, 90);
  finish_bag(&b);
  expect_done("report r.mcap --out r.html", "");
  ck_assert_ptr_nonnull(strstr(load_text("r.html"), "those above have all the outlines"));
}

/* A chain of frames that is longer than any robot's. */
TEST(test_frames_without_an_end)
{
  char names[400][16];
  builder b = build_bag("r.mcap");
  for (int k = 0; k < 400; ++k) {
    snprintf(names[k], sizeof names[k], "frame_%d", k);
    add_transform(&b, BEGIN - MS, BEGIN - MS, k > 0 ? names[k - 1] : "cell", names[k],
                  (clp_vec3){0, 0, 0.1});
  }
  add_body(&b, BEGIN - MS, "frame_200");
  add_body(&b, BEGIN - MS, "frame_399");
  add_stops(&b, 1);
  finish_bag(&b);
  expect_done("report r.mcap --out r.html", "");
  const char *html = load_text("r.html");
  ck_assert_ptr_nonnull(strstr(html, "<title>frame_200</title>"));
  ck_assert_ptr_null(strstr(html, "<title>frame_399</title>"));
}

/* Times from one end of 64 bits to the other: nothing is reckoned beyond them (the sanitizers see
 * to it). */
TEST(test_times_that_are_none)
{
  static const uint64_t times[] = {0, UINT64_MAX, INT64_MAX, 1, UINT64_C(1) << 63, BEGIN};
  builder b = build_bag("r.mcap");
  for (int k = 0; k < 60; ++k) {
    int64_t time = (int64_t)times[k % 6];
    add_body(&b, time, "hand");
    add_transform(&b, time, BEGIN, "cell", "hand", (clp_vec3){0, 0, 0});
    add_safety(&b, time, (uint64_t)k, k % 3, 0.4, 0.5, hand_person, "stop");
    add_points(&b, time, (uint64_t)k, hand_person, 0.4);
  }
  finish_bag(&b);
  expect_done("report r.mcap --out r.html", "");
  ck_assert_ptr_nonnull(strstr(load_text("r.html"), "times"));
  expect_done("report r.mcap --json --out r.json", "");
}
