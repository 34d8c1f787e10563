/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include <arpa/inet.h>
#include <netinet/in.h>

#include "e2e/e2e.h"
#include "support/random.h"

/* While one process publishes what is right, this one does whatever it can to the same topics, and
 * to the monitor's ports: afterwards the monitor lives, and its answers are right. */

typedef geometry_msgs_msg_dds__TransformStamped_ transform_message;

static dds_entity_t tf, tf_static;
static source publisher;
static pid_t monitor;
static ear e;

static void enter(void)
{
  enter_world();
  write_balls();
  tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  tf_static = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 100);
  e = listen_to(NODE);
  publisher = start_source();
  monitor = start_monitor("-p model:=model.urdf -p rate:=500.0");
  move_balls(&publisher);
  wait_for(&e, is_right, "the right distance before");
}

/* What has been said before this is no answer to it. */
static void expect_right(const char *after)
{
  int64_t stamp = now();
  for (; now() - stamp < PATIENCE; expect_all_alive())
    if (hear(&e) && stamp_of(e.last) > stamp && is_right(e.last))
      return;
  ck_abort_msg("no right distance after %s", after);
}

static void leave(void)
{
  expect_right("all");
  end_monitor(monitor);
  end_source(&publisher);
  leave_world();
}

static transform_message transform_of(char *parent, char *child, int64_t stamp)
{
  return (transform_message){
      .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, parent},
      .child_frame_id = child,
      .transform.rotation.w = 1};
}

static void send_many(dds_entity_t writer, transform_message *transforms, uint32_t count)
{
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {count, count, transforms, false}};
  ck_assert_int_eq(dds_write(writer, &message), DDS_RETCODE_OK);
}

/* ---- Transforms that are none ------------------------------------------------------------- */

static void send_bad_numbers(dds_entity_t writer)
{
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e300, 1e10};
  char world[] = "world", tool[] = "tool";
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    transform_message m[4];
    for (int j = 0; j < 4; ++j)
      m[j] = transform_of(world, tool, now());
    m[0].transform.translation.y = bad[k];
    m[1].transform.rotation.z = bad[k];
    m[2].transform.rotation.w = bad[k];
    m[3].transform.rotation.w = 0;
    send_many(writer, m, 4);
  }
}

static void send_bad_names(dds_entity_t writer)
{
  char world[] = "world", tool[] = "tool", head[] = "head", empty[] = "", slash[] = "/";
  char bytes[] = "\xff\xfe\x80", *huge = malloc(1 << 20);
  ck_assert_ptr_nonnull(huge);
  memset(huge, 'x', 1 << 20);
  huge[(1 << 20) - 1] = '\0';
  char *const pairs[][2] = {{empty, tool},  {world, empty}, {tool, tool}, {tool, world},
                            {head, tool},   {world, huge},  {huge, tool}, {slash, tool},
                            {bytes, bytes}, {huge, huge}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
    bool moves_it = strcmp(pairs[k][0], "head") == 0 || pairs[k][0] == huge;
    transform_message m = transform_of(pairs[k][0], pairs[k][1], moves_it ? 0 : now());
    send_many(writer, &m, 1);
  }
  free(huge);
}

static void send_bad_stamps(dds_entity_t writer)
{
  char world[] = "world", tool[] = "tool";
  const int64_t stamps[] = {0, -5 * SECOND, 1, INT64_C(2147483647) * SECOND, now() + 1000 * SECOND};
  for (size_t k = 0; k < sizeof stamps / sizeof *stamps; ++k) {
    transform_message m = transform_of(world, tool, stamps[k]);
    send_many(writer, &m, 1);
    m.header.stamp.nanosec = 4294967295u;
    send_many(writer, &m, 1);
  }
}

/* How many transforms have been refused, as /diagnostics says. */
static void expect_refused(void)
{
  dds_entity_t reader =
      endpoint("rt/diagnostics", &diagnostic_msgs_msg_dds__DiagnosticArray__desc, false, false, 10);
  bool refused = false;
  for (int64_t begin = now(); !refused && now() - begin < PATIENCE; rest(10)) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (dds_take(reader, &sample, &info, 1, 1) < 1)
      continue;
    const diagnostic_msgs_msg_dds__DiagnosticArray_ *m = sample;
    refused = info.valid_data && m->status._length == 1 &&
              strstr(m->status._buffer[0].message, "transforms refused so far");
    dds_return_loan(reader, &sample, 1);
  }
  ck_assert_msg(refused, "no transform has been refused");
}

SUITE("e2e_garbage");

FIXTURE_CASE("garbage", 60, enter, leave);

TEST(transforms_that_are_none)
{
  for (int k = 0; k < 50; ++k) {
    send_bad_numbers(tf);
    send_bad_stamps(tf);
    if (k % 10 == 0)
      send_bad_names(tf);
    rest(1);
  }
  expect_right("bad transforms");
  send_bad_numbers(tf_static);
  send_bad_names(tf_static);
  send_bad_stamps(tf_static);
  expect_right("bad static transforms");
  expect_refused();
}

/* ---- Many transforms ---------------------------------------------------------------------- */

enum { CROWD = 10000 };

TEST(crowds)
{
  static char names[CROWD][24];
  char world[] = "world";
  transform_message *m = calloc(CROWD, sizeof *m);
  ck_assert_ptr_nonnull(m);
  for (int round = 0; round < 3; ++round) { /* more names than a monitor remembers */
    for (int k = 0; k < CROWD; ++k) {
      snprintf(names[k], sizeof names[k], "stray_%d_%d", round, k);
      m[k] = transform_of(k % 7 == 6 ? names[k - 1] : world, names[k], now());
    }
    send_many(tf, m, CROWD);
    send_many(tf_static, m, CROWD);
    expect_right("a crowd");
  }
  free(m);
}

TEST(a_storm)
{
  char world[] = "world", tool[] = "tool", names[50][16];
  transform_message m[50];
  for (int k = 0; k < 50; ++k)
    snprintf(names[k], sizeof names[k], "stray_%d", k);
  for (int n = 0; n < 3000; ++n) {
    for (int k = 0; k < 50; ++k)
      m[k] = transform_of(world, names[k], now());
    m[n % 50] = transform_of(world, tool, now() - 1000 * SECOND);
    send_many(tf, m, 50);
  }
  expect_right("a storm");
}

/* ---- Bytes that are no transforms --------------------------------------------------------- */

enum { LIES = 20 };

/* Writes another type under the name of the one that a topic has: the wire says nothing else of a
 * type, so the monitor is sent bytes that are to be read as what they are not. */
static void write_as(const char *topic, const dds_topic_descriptor_t *expected, bool latched,
                     const dds_topic_descriptor_t *type, const void *message)
{
  dds_topic_descriptor_t disguised = *type;
  dds_publication_matched_status_t matched = {.current_count = 0};
  dds_entity_t other = dds_create_participant(domain_id(), NULL, NULL), own = participant;
  disguised.m_typename = expected->m_typename;
  participant = other;
  dds_entity_t writer = endpoint(topic, &disguised, true, latched, 100);
  participant = own;
  for (int64_t begin = now(); matched.current_count == 0; rest(1)) {
    dds_get_publication_matched_status(writer, &matched);
    ck_assert_msg(now() - begin < PATIENCE, "the monitor does not listen to %s", topic);
  }
  for (int n = 0; n < LIES; ++n, rest(1))
    ck_assert_int_eq(dds_write(writer, message), DDS_RETCODE_OK);
  dds_wait_for_acks(writer, DDS_SECS(5));
  dds_delete(other);
}

static void write_as_transforms(const dds_topic_descriptor_t *type, const void *message)
{
  write_as("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, false, type, message);
  write_as("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, type, message);
}

TEST(other_types)
{
  char words[] = "\x7f\x7f\x7f\x7f these are no transforms, and more than a few bytes of that";
  write_as_transforms(&std_msgs_msg_dds__String__desc, &(std_msgs_msg_dds__String_){words});
  expect_right("a string");
  write_as_transforms(&rosgraph_msgs_msg_dds__Clock__desc,
                      &(rosgraph_msgs_msg_dds__Clock_){{-1, 4000000000u}});
  expect_right("a clock");
  static rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ info;
  random_state g = {5};
  for (size_t k = 0; k < sizeof info.gid.data; ++k)
    info.gid.data[k] = (char)(random_bits(&g) % 128);
  write_as_transforms(&rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, &info);
  expect_right("random bytes");
}

/* ---- What is counted ---------------------------------------------------------------------- */

static dds_entity_t health, clock_topic;

/* The monitor has no model, and no time. */
static void enter_unknowing(void)
{
  enter_world();
  write_balls();
  health =
      endpoint("rt/diagnostics", &diagnostic_msgs_msg_dds__DiagnosticArray__desc, false, false, 10);
  e = listen_to(NODE);
  publisher = start_source();
  monitor = start_monitor("-p use_sim_time:=true -p stamp_ahead:=0.2 -p rate:=500.0");
  wait_for(&e, is_any, "a sign of life");
}

static void leave_unknowing(void)
{
  end_monitor(monitor);
  end_source(&publisher);
  leave_world();
}

static int unread_of(const diagnostic_msgs_msg_dds__DiagnosticStatus_ *status)
{
  for (uint32_t k = 0; k < status->values._length; ++k)
    if (strcmp(status->values._buffer[k].key, "messages that cannot be read") == 0)
      return atoi(status->values._buffer[k].value);
  return 0;
}

/* How many messages that cannot be read have been counted, once there are so many and it stays so,
 * or when so many nanoseconds have gone by. */
static int unread_after(int least, int64_t patience)
{
  int unread = 0, same = 0, before = -1;
  for (int64_t begin = now(); now() - begin < patience && (unread < least || same < 1); rest(10)) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (dds_take(health, &sample, &info, 1, 1) < 1)
      continue;
    const diagnostic_msgs_msg_dds__DiagnosticArray_ *m = sample;
    unread = info.valid_data ? unread_of(m->status._buffer) : unread;
    same = unread == before ? same + 1 : 0;
    before = unread;
    dds_return_loan(health, &sample, 1);
  }
  return unread;
}

static void expect_unread(int least, int most, const char *after)
{
  int unread = unread_after(least, PATIENCE);
  ck_assert_msg(unread >= least && unread <= most, "%d unread after %s, not %d to %d", unread,
                after, least, most);
}

static void lie_as_description(void)
{
  write_as("rt/robot_description", &std_msgs_msg_dds__String__desc, true,
           &rosgraph_msgs_msg_dds__Clock__desc, &(rosgraph_msgs_msg_dds__Clock_){{1 << 30, 1}});
}

static void lie_as_clock(void)
{
  write_as("rt/clock", &rosgraph_msgs_msg_dds__Clock__desc, false,
           &tf2_msgs_msg_dds__TFMessage__desc, &(tf2_msgs_msg_dds__TFMessage_){{0}});
}

FIXTURE_CASE("counting", 60, enter_unknowing, leave_unknowing);

/* Also while there is no model, and later ones after one. Of times, which are not sent reliably,
 * all are lost that come before the monitor has heard of who sends them. */
TEST(what_cannot_be_read_is_counted)
{
  int lies = LIES;
  lie_as_description();
  expect_unread(lies, lies, "descriptions");
  do {
    lie_as_clock();
    lies += LIES;
  } while (unread_after(LIES + 1, 3 * SECOND) <= LIES && lies < 20 * LIES);
  expect_unread(LIES + 1, lies, "times");
  fputs("describe model.urdf\n", publisher.to);
  clock_topic = endpoint("rt/clock", &rosgraph_msgs_msg_dds__Clock__desc, true, false, 1);
  move_balls(&publisher);
  for (int64_t begin = now(), time = begin; now() - begin < PATIENCE; time = now()) {
    rosgraph_msgs_msg_dds__Clock_ told = {{(int32_t)(time / SECOND), (uint32_t)(time % SECOND)}};
    ck_assert_int_eq(dds_write(clock_topic, &told), DDS_RETCODE_OK);
    if (hear(&e) && is_right(e.last))
      break;
  }
  ck_assert_msg(e.last && is_right(e.last), "no right distance");
  expect_unread(LIES + 1, lies, "a model");
  lie_as_description();
  expect_unread(2 * LIES + 1, lies + LIES, "later descriptions");
  write_as_transforms(&std_msgs_msg_dds__String__desc, &(std_msgs_msg_dds__String_){(char[]){""}});
  expect_unread(4 * LIES + 1, lies + 3 * LIES, "transforms");
}

/* ---- Datagrams ---------------------------------------------------------------------------- */

typedef struct datagram {
  uint8_t bytes[1024];
  size_t length;
} datagram;

static void put(datagram *d, const void *bytes, size_t length)
{
  ck_assert_uint_le(d->length + length, sizeof d->bytes);
  memcpy(d->bytes + d->length, bytes, length);
  d->length += length;
}

static void put_number(datagram *d, uint32_t number, size_t length)
{
  uint8_t bytes[4];
  for (size_t k = 0; k < 4; ++k)
    bytes[k] = (uint8_t)(number >> 8 * k);
  put(d, bytes, length);
}

static void put_random(datagram *d, random_state *g, size_t length)
{
  for (size_t k = 0; k < length; ++k)
    put_number(d, (uint32_t)random_bits(g), 1);
}

/* The head of a message of RTPS 2.1 from this participant. */
static void put_head(datagram *d, const dds_guid_t *guid)
{
  static const uint8_t head[] = {'R', 'T', 'P', 'S', 2, 1, 1, 0x10};
  put(d, head, sizeof head);
  put(d, guid->v, 12);
}

/* A DATA submessage that goes on in the sequence of a writer that the monitor knows, to all of its
 * readers; what it carries is nothing that a message of transforms could be. */
static void put_data(datagram *d, random_state *g, const dds_guid_t *guid, uint32_t sequence)
{
  static const uint8_t lies[][8] = {{0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff}, /* that many transforms */
                                    {0, 1, 0, 0, 1, 0, 0, 0},             /* one, cut off */
                                    {0, 1, 0, 0, 0, 0, 0, 0x80}};
  size_t extra = 4 * (random_bits(g) % 50);
  put_number(d, 0x15, 1);
  put_number(d, 0x05, 1);
  put_number(d, (uint32_t)(28 + extra), 2);
  put_number(d, 0, 2);
  put_number(d, 16, 2);
  put_number(d, 0, 4);
  put(d, guid->v + 12, 4);
  put_number(d, 0, 4);
  put_number(d, sequence, 4);
  put(d, lies[sequence % 3], 8);
  put_random(d, g, extra);
}

/* Any submessage with any flags and any length, right or wrong. */
static void put_anything(datagram *d, random_state *g)
{
  static const uint8_t kinds[] = {0x01, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x0e,
                                  0x0f, 0x12, 0x13, 0x15, 0x16, 0x30, 0x80, 0xff};
  size_t length = 4 * (random_bits(g) % 20);
  put_number(d, kinds[random_bits(g) % sizeof kinds], 1);
  put_number(d, (uint32_t)random_bits(g), 1);
  put_number(d, random_bits(g) % 2 ? (uint32_t)length : (uint32_t)random_bits(g), 2);
  put_random(d, g, length);
}

/* To every port that is the monitor's alone; those of the domain's multicast are all processes'. */
static void send_to(int outlet, const udp_socket *ports, int count, const datagram *d)
{
  unsigned shared = 7400 + 250 * domain_id();
  for (int k = 0; k < count; ++k) {
    if (ports[k].port == shared || ports[k].port == shared + 1)
      continue;
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)ports[k].port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    (void)sendto(outlet, d->bytes, d->length, 0, (const struct sockaddr *)&to, sizeof to);
  }
}

FIXTURE_CASE("garbage", 60, enter, leave);

TEST(datagrams)
{
  random_state g = {6};
  dds_guid_t guid;
  udp_socket ports[16];
  int outlet = socket(AF_INET, SOCK_DGRAM, 0), count = udp_sockets(monitor, ports, 16);
  ck_assert_int_ge(outlet, 0);
  ck_assert_int_gt(count, 0);
  char world[] = "world", stray[] = "stray";
  transform_message m = transform_of(world, stray, now());
  send_many(tf, &m, 1); /* the monitor knows this writer, and awaits its second message */
  dds_wait_for_acks(tf, DDS_SECS(5));
  ck_assert_int_eq(dds_get_guid(tf, &guid), DDS_RETCODE_OK);
  for (uint32_t n = 0; n < 2000; ++n) {
    datagram d = {.length = 0};
    if (n % 4 != 0)
      put_head(&d, &guid);
    if (n % 4 == 0)
      put_random(&d, &g, random_bits(&g) % sizeof d.bytes);
    else if (n % 4 == 1)
      put_data(&d, &g, &guid, 2 + n / 4);
    else
      put_anything(&d, &g);
    send_to(outlet, ports, count, &d);
    if (n % 50 == 0)
      rest(1);
  }
  close(outlet);
  expect_right("datagrams");
}
