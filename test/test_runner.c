/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/node/runner.h"

#include <string.h>

#include "rclc_closest_point/node/process.h"
#include "support/lines.h"
#include "support/suite.h"

/* The runner on a middleware that is made up: what arrives is a list, and what is said is kept. */

#define BALL(name, radius) \
  "<link name='" name "'><patches><sphere radius='" radius "'/></patches></link>"
#define MODEL(radius) "<robot name='r'>" BALL("a", radius) BALL("b", "1") "</robot>"
#define BROKEN "<robot name='r'>\n<link name='a'><patches><box/></patches></link></robot>"

/* Cycles of 2 ms: diagnostics come once in a second. */
enum { CYCLES_MAX = 600, ARRIVALS = 8 };

typedef struct said_answer {
  clp_zone zone;
  int pairs;
  char reason[160];
} said_answer;

typedef struct made_up {
  const char *descriptions[ARRIVALS]; /* one in each cycle; "": malformed; NULL: no more */
  int described;
  int lost_transforms, lost_descriptions; /* so many messages cannot be taken */
  int inactive;                           /* so many times there shall be no cycle */
  clp_topic_id overheard;                 /* somebody else answers on it, once */
  bool named;                             /* and it can be known who that is */
  int cycles;                             /* until the end; the next is asked for at its safety */
  unsigned char bytes[4096];
  said_answer answers[CYCLES_MAX + 2];
  int count;
  clp_topic_id order[8]; /* of the first things said */
  int order_count;
  bool unsent;          /* nothing can be sent */
  unsigned long unread; /* as the diagnostics have it */
  bool diagnosed;
} made_up;

static made_up middle;
static clp_settings settings;
static lines said;
static clp_runner runner;

static void set(const char *name, const char *value)
{
  ck_assert_int_eq(clp_settings_read_value(&settings, name, value, "-", (clp_model_sink){0}),
                   CLP_OK);
}

static int painters_refused; /* so many: there is no memory for them */

clp_status __real_clp_painter_create(const clp_monitor *monitor, clp_painter **painter);
clp_status __wrap_clp_painter_create(const clp_monitor *monitor, clp_painter **painter);

clp_status __wrap_clp_painter_create(const clp_monitor *monitor, clp_painter **painter)
{
  return painters_refused-- > 0 ? CLP_ERROR_MEMORY : __real_clp_painter_create(monitor, painter);
}

/* ---- The middleware ----------------------------------------------------------------------- */

/* A std_msgs/String as it is on the wire. */
static clp_message wire_of(made_up *m, const char *text)
{
  uint32_t length = (uint32_t)strlen(text) + 1;
  unsigned char head[] = {0, 1, 0, 0, length & 0xff, (unsigned char)(length >> 8), 0, 0};
  ck_assert_uint_le(sizeof head + length, sizeof m->bytes);
  memcpy(m->bytes, head, sizeof head);
  memcpy(m->bytes + sizeof head, text, length);
  return (clp_message){m->bytes, *text ? sizeof head + length : 3, 7};
}

static clp_take take_one(made_up *m, clp_topic_id topic, clp_message *message)
{
  int none = 0;
  int *lost = topic == CLP_TOPIC_DESCRIPTION ? &m->lost_descriptions
              : topic == CLP_TOPIC_TF        ? &m->lost_transforms
                                             : &none;
  if (*lost > 0) {
    --*lost;
    return CLP_TAKE_LOST;
  }
  if (m->overheard != CLP_TOPICS && m->overheard == topic && m->count == 3) {
    m->overheard = CLP_TOPICS;
    *message = wire_of(m, "an answer");
    return CLP_TAKE_DONE;
  }
  if (topic != CLP_TOPIC_DESCRIPTION || !m->descriptions[m->described])
    return CLP_TAKE_NOTHING;
  *message = wire_of(m, m->descriptions[m->described++]);
  return CLP_TAKE_DONE;
}

static clp_take take(void *self, clp_topic_id topic, clp_message *message)
{
  return take_one(self, topic, message);
}

static void keep_answer(made_up *m, const clp_report *report)
{
  if (m->count < CYCLES_MAX + 2) {
    said_answer *answer = &m->answers[m->count++];
    *answer = (said_answer){.zone = report->safety.zone, .pairs = report->pair_count};
    snprintf(answer->reason, sizeof answer->reason, "%.150s", report->safety.reason);
  }
  if (m->count == m->cycles)
    raise(SIGINT);
}

static void keep_diagnostics(made_up *m, const clp_diagnostics *diagnostics)
{
  m->diagnosed = true;
  for (int k = 0; k < diagnostics->count; ++k)
    if (strcmp(diagnostics->values[k].key, clp_feed_verdict_text(CLP_FEED_MALFORMED)) == 0)
      m->unread = strtoul(diagnostics->values[k].value, NULL, 10);
}

static bool publish(void *self, clp_topic_id topic, const clp_said *what)
{
  made_up *m = self;
  if (m->order_count < 8)
    m->order[m->order_count++] = topic;
  if (topic == CLP_TOPIC_SAFETY)
    keep_answer(m, what->report);
  if (topic == CLP_TOPIC_DIAGNOSTICS)
    keep_diagnostics(m, what->diagnostics);
  return !m->unsent;
}

static bool is_heard(void *self, clp_topic_id topic)
{
  (void)self, (void)topic;
  return false;
}

/* Who has answered is there for a moment. */
static bool gather(void *self, clp_publishers *publishers)
{
  made_up *m = self;
  publishers->count = 0;
  if (m->named && m->overheard == CLP_TOPICS && m->count == 3)
    publishers->items[publishers->count++] =
        (clp_publisher){.id = 7, .topic = CLP_TOPIC_TF, .name = {"/other"}};
  return false;
}

static const char *name_of(void *self, clp_topic_id topic)
{
  (void)self;
  return clp_topics[topic].name;
}

static bool serve(void *self, int64_t planned)
{
  made_up *m = self;
  (void)planned;
  return m->inactive-- <= 0;
}

static const clp_front front = {.take = take,
                                .publish = publish,
                                .is_heard = is_heard,
                                .gather = gather,
                                .name_of = name_of,
                                .serve = serve,
                                .point_size = 8,
                                .gradient_size = 8,
                                .text_size = 8};

/* ---- A run -------------------------------------------------------------------------------- */

static void enter(void)
{
  middle = (made_up){.cycles = 20, .overheard = CLP_TOPICS};
  said = (lines){0};
  painters_refused = 0;
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  set("model", "''");
  set("rate", "500.0");
}

static void leave(void)
{
  clp_settings_release(&settings);
}

static void run(void)
{
  clp_signals before;
  clp_catch_signals(&before);
  ck_assert_int_eq(
      clp_runner_create(&runner, &front, &middle, &settings, "/node", lines_sink(&said)), CLP_OK);
  ck_assert_int_eq(clp_runner_load(&runner), CLP_OK);
  clp_runner_begin(&runner);
  clp_runner_run(&runner);
  clp_restore_signals(&before);
  ck_assert_int_eq(middle.count, middle.cycles + 1);
}

/* Of so many of the answers that come before the last word. */
static void expect_reason(int first, int end, const char *reason)
{
  for (int k = first; k < end; ++k) {
    ck_assert_int_eq(middle.answers[k].zone, CLP_ZONE_STOP);
    ck_assert_msg(strncmp(middle.answers[k].reason, reason, strlen(reason)) == 0, "answer %d: %s",
                  k, middle.answers[k].reason);
  }
}

SUITE("runner");

FIXTURE_CASE("runner", 20, enter, leave);

TEST(the_last_word_is_stop)
{
  run();
  expect_reason(0, middle.cycles, "there is no robot_description yet");
  expect_reason(middle.cycles, middle.cycles + 1, "shutting down");
  ck_assert_ptr_nonnull(strstr(said.text, "waiting for a model on robot_description"));
  ck_assert_ptr_nonnull(strstr(said.text, " 0 messages not sent"));
  clp_runner_release(&runner);
}

/* The first that can be used is used; what comes before is refused for its own reason, and what
 * comes later changes nothing. */
TEST(the_first_model_that_can_be_used)
{
  middle.descriptions[0] = BROKEN;
  middle.descriptions[1] = "";
  middle.descriptions[2] = "nothing";
  middle.descriptions[3] = MODEL("2");
  middle.descriptions[4] = MODEL("3");
  run();
  expect_reason(0, 2, "robot_description is refused: robot_description:2: ");
  expect_reason(2, 3, "robot_description is refused: robot_description:1: ");
  expect_reason(3, middle.cycles, "1 pair is stale, such as a and b: no transform of ");
  for (int k = 3; k < middle.cycles; ++k)
    ck_assert_int_eq(middle.answers[k].pairs, 1);
  const char *once = strstr(said.text, "monitoring 1 pairs of 2 links at 500 Hz");
  ck_assert_msg(once && !strstr(once + 1, "monitoring"), "%s", said.text);
  ck_assert_ptr_nonnull(strstr(said.text, "a message on robot_description cannot be read"));
  clp_runner_release(&runner);
}

TEST(a_model_that_is_refused_without_a_word)
{
  char reason[128];
  snprintf(reason, sizeof reason, "robot_description is refused: %s",
           clp_status_text(CLP_ERROR_MEMORY));
  painters_refused = 1;
  middle.descriptions[0] = MODEL("2");
  run();
  expect_reason(0, middle.cycles, reason);
  clp_runner_release(&runner);
}

/* Transforms are listened to where there is a model, and descriptions also later. */
LOOP_TEST(what_cannot_be_taken_or_read_is_counted, 0, 2)
{
  bool modelled = _i == 1;
  middle.cycles = CYCLES_MAX;
  middle.lost_descriptions = 2;
  middle.lost_transforms = 3;
  middle.descriptions[0] = "";
  middle.descriptions[1] = modelled ? MODEL("2") : NULL;
  middle.descriptions[2] = "";
  run();
  ck_assert(middle.diagnosed);
  ck_assert_uint_eq(middle.unread, modelled ? 7 : 3);
  clp_runner_release(&runner);
}

/* What a robot obeys goes out first. */
TEST(the_order_of_answers)
{
  static const clp_topic_id order[] = {CLP_TOPIC_SAFETY,    CLP_TOPIC_WRENCH,  CLP_TOPIC_POINTS,
                                       CLP_TOPIC_GRADIENTS, CLP_TOPIC_MINIMUM, CLP_TOPIC_SAFETY};
  set("wrench_tool", "a");
  set("joint_states", "joint_states");
  run();
  for (int k = 0; k < 6; ++k)
    ck_assert_int_eq(middle.order[k], order[k]);
  clp_runner_release(&runner);
}

/* In the answer that comes next, with a model or without; by a number where it is not known whose
 * it is. */
LOOP_TEST(somebody_else_answers, 0, 10)
{
  static const clp_topic_id answers[] = {CLP_TOPIC_SAFETY, CLP_TOPIC_WRENCH, CLP_TOPIC_POINTS,
                                         CLP_TOPIC_GRADIENTS, CLP_TOPIC_MINIMUM};
  char reason[160];
  bool modelled = _i >= 5;
  middle.overheard = answers[_i % 5];
  middle.named = _i % 2 == 0;
  middle.descriptions[0] = modelled ? MODEL("2") : NULL;
  set("wrench_tool", "a");
  set("joint_states", "joint_states");
  run();
  snprintf(reason, sizeof reason, "%s%s publishes %s, too",
           modelled ? "" : "there is no robot_description yet; ",
           middle.named ? "/other" : "publisher 7", clp_topics[answers[_i % 5]].name);
  ck_assert_ptr_null(strstr(middle.answers[2].reason, "too"));
  expect_reason(3, 4, reason);
  clp_runner_release(&runner);
}

TEST(cycles_wait_for_what_else_there_is)
{
  middle.inactive = 10;
  middle.unsent = true;
  run();
  ck_assert_int_eq(middle.inactive, -middle.cycles);
  ck_assert_msg(strstr(said.text, " 63 messages not sent"), "%s", said.text);
  clp_runner_release(&runner);
}
