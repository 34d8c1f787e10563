/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/view/client.h"
#include "support/suite.h"

/* What clients ask for, and what is queued for them. */

/* ---- Requests ----------------------------------------------------------------------------- */

static bool reads(const char *text, clp_request *request)
{
  return clp_request_read(text, strlen(text), request);
}

SUITE("view: clients");

TEST_CASE("clients", 60);

TEST(requests)
{
  clp_request r;
  ck_assert(
      reads("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":7,\"channelId\":2},"
            " {\"more\":[{},\"]}\\\"\"],\"channelId\":4294967295,\"id\":0}]}",
            &r));
  ck_assert_int_eq(r.operation, CLP_OP_SUBSCRIBE);
  ck_assert_int_eq(r.count, 2);
  ck_assert_uint_eq(r.items[0].id, 7);
  ck_assert_uint_eq(r.items[0].channel, 2);
  ck_assert_uint_eq(r.items[1].id, 0);
  ck_assert_uint_eq(r.items[1].channel, 4294967295u);
  ck_assert(reads(" {\"subscriptionIds\" : [ 3,4 ] , \"op\":\"unsubscribe\" } \n", &r));
  ck_assert_int_eq(r.operation, CLP_OP_UNSUBSCRIBE);
  ck_assert_int_eq(r.count, 2);
  ck_assert_uint_eq(r.items[1].id, 4);
  ck_assert(reads("{\"op\":\"advertise\",\"channels\":[{\"id\":-1.5e3,\"x\":null}]}", &r));
  ck_assert_int_eq(r.operation, CLP_OP_UNKNOWN);
}

TEST(controls)
{
  static const struct {
    const char *text;
    clp_control control;
    uint32_t value;
  } good[] = {{"{\"op\":\"playback\",\"control\":\"play\"}", CLP_CONTROL_PLAY, 0},
              {"{\"control\":\"pause\",\"op\":\"playback\",\"x\":[1]}", CLP_CONTROL_PAUSE, 0},
              {"{\"op\":\"playback\",\"control\":\"seek\",\"value\":4294967295}", CLP_CONTROL_SEEK,
               UINT32_MAX},
              {"{\"op\":\"playback\",\"control\":\"speed\",\"value\":10}", CLP_CONTROL_SPEED, 10},
              {"{\"op\":\"playback\",\"control\":\"next\"}", CLP_CONTROL_NEXT, 0},
              {"{\"op\":\"playback\",\"control\":\"previous\"}", CLP_CONTROL_PREVIOUS, 0}};
  static const char *const bad[] = {
      "{\"op\":\"playback\"}",
      "{\"op\":\"playback\",\"control\":\"seek\"}",
      "{\"op\":\"playback\",\"control\":\"speed\"}",
      "{\"op\":\"playback\",\"control\":\"rewind\"}",
      "{\"op\":\"playback\",\"control\":1}",
      "{\"op\":\"playback\",\"control\":\"seek\",\"value\":-1}",
      "{\"op\":\"playback\",\"control\":\"seek\",\"value\":1e3}",
      "{\"op\":\"playback\",\"control\":\"play\",\"subscriptionIds\":[1]}"};
  clp_request r;
  for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
    ck_assert_msg(reads(good[k].text, &r), "%s", good[k].text);
    ck_assert_int_eq(r.operation, CLP_OP_PLAYBACK);
    ck_assert_int_eq(r.control, good[k].control);
    ck_assert_uint_eq(r.value, good[k].value);
  }
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
    ck_assert_msg(!reads(bad[k], &r), "%s", bad[k]);
}

TEST(no_requests)
{
  static const char *const texts[] = {
      "",
      "{",
      "[]",
      "{}x",
      "{\"op\":\"subscribe\"}",
      "{\"op\":\"subscribe\",\"subscriptionIds\":[1]}",
      "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1}]}",
      "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":-1,\"channelId\":1}]}",
      "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1.5,\"channelId\":1}]}",
      "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":4294967296,\"channelId\":1}]}",
      "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":99999999999999999999,\"channelId\":1}]}",
      "{\"op\":\"subscribe\",\"subscriptions\":[1]}",
      "{\"op\":\"subscribe\",\"subscriptions\":{}}",
      "{\"op\":\"unsubscribe\",\"subscriptionIds\":[\"1\"]}",
      "{\"op\":3}",
      "{\"op\":\"x",
      "{\"op\":\"x\\",
      "{\"a\":[[[[[[[[[[[]]]]]]]]]]]}",
      "{\"a\":[}}",
      "{\"a\":tru\"e}"};
  clp_request r;
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
    ck_assert_msg(!reads(texts[k], &r), "%s", texts[k]);
}

TEST(too_much_at_once)
{
  char text[8192];
  for (int items = CLP_REQUEST_ITEMS; items <= CLP_REQUEST_ITEMS + 1; ++items) {
    clp_request r;
    int length = snprintf(text, sizeof text, "{\"op\":\"unsubscribe\",\"subscriptionIds\":[0");
    for (int k = 1; k < items; ++k)
      length += snprintf(text + length, sizeof text - (size_t)length, ",%d", k);
    snprintf(text + length, sizeof text - (size_t)length, "]}");
    ck_assert_int_eq(reads(text, &r), items == CLP_REQUEST_ITEMS);
  }
}

/* Every beginning of a request, and every byte of it another one: no reading beyond its end, which
 * the sanitizers see. */
TEST(damaged_requests)
{
  static const char text[] =
      "{\"op\":\"subscribe\",\"x\":[1,\"\\u0041\",true],\"subscriptions\":["
      "{\"id\":7,\"channelId\":2}]}";
  clp_request r;
  for (size_t size = 0; size < sizeof text - 1; ++size) {
    char *copy = malloc(size + 1);
    memcpy(copy, text, size);
    ck_assert(!clp_request_read(copy, size, &r));
    free(copy);
  }
  for (size_t at = 0; at < sizeof text - 1; ++at)
    for (int value = 0; value < 256; ++value) {
      char copy[sizeof text - 1];
      memcpy(copy, text, sizeof copy);
      copy[at] = (char)value;
      (void)clp_request_read(copy, sizeof copy, &r);
      ck_assert_int_le(r.count, CLP_REQUEST_ITEMS);
    }
}

/* ---- The outbox --------------------------------------------------------------------------- */

static clp_packet *packet_of(int number, size_t size)
{
  char *bytes = calloc(1, size + 1);
  clp_packet *packet = clp_packet_create((uint64_t)number, bytes, size);
  free(bytes);
  return packet;
}

static void put(clp_outbox *box, int number, size_t size, uint32_t subscription, bool newest)
{
  clp_packet *packet = packet_of(number, size);
  clp_outbox_put(box, packet, subscription, newest);
  clp_packet_release(packet);
}

/* The number of the oldest one, or -1. */
static int take(clp_outbox *box)
{
  clp_outbox_entry entry = clp_outbox_take(box);
  int number = entry.packet ? (int)entry.packet->time : -1;
  clp_packet_release(entry.packet);
  return number;
}

TEST(the_oldest_falls_out)
{
  static clp_outbox box;
  for (int k = 0; k < CLP_OUTBOX_ENTRIES + 10; ++k)
    put(&box, k, 100, 1, false);
  ck_assert_int_eq(box.count, CLP_OUTBOX_ENTRIES);
  ck_assert_uint_eq(box.dropped, 10);
  ck_assert_uint_eq(box.bytes, 100 * CLP_OUTBOX_ENTRIES);
  for (int k = 10; k < CLP_OUTBOX_ENTRIES + 10; ++k)
    ck_assert_int_eq(take(&box), k);
  ck_assert_int_eq(take(&box), -1);
  ck_assert_uint_eq(box.bytes, 0);
}

TEST(bytes_are_bounded)
{
  static clp_outbox box;
  for (int k = 0; k < 100; ++k) {
    put(&box, k, CLP_OUTBOX_BYTES / 3, 1, false);
    ck_assert_uint_le(box.bytes, CLP_OUTBOX_BYTES);
  }
  ck_assert_int_eq(box.count, 3);
  put(&box, 100, CLP_OUTBOX_BYTES + 1, 1, false);
  ck_assert_int_eq(box.count, 0);
}

TEST(the_newest_takes_the_place_of_the_one_before)
{
  static clp_outbox box;
  put(&box, 1, 10, 1, true);
  put(&box, 2, 10, 2, true);
  put(&box, 3, 30, 1, true);
  put(&box, 4, 10, 3, false);
  put(&box, 5, 10, 3, false);
  ck_assert_uint_eq(box.bytes, 60);
  ck_assert_int_eq(take(&box), 3);
  ck_assert_int_eq(take(&box), 2);
  clp_outbox_forget(&box, 3);
  ck_assert_int_eq(take(&box), -1);
  ck_assert_uint_eq(box.dropped, 0);
}

TEST(the_servers_own_words_stay)
{
  static clp_outbox box;
  clp_packet *word = packet_of(-7, 10);
  ck_assert(clp_outbox_put_text(&box, word));
  for (int k = 0; k < 3 * CLP_OUTBOX_ENTRIES; ++k)
    put(&box, k, 10, 1, false);
  clp_outbox_entry first = clp_outbox_take(&box);
  ck_assert(first.text && first.packet == word);
  clp_packet_release(first.packet);
  while (clp_outbox_put_text(&box, word))
    ck_assert_int_le(box.count, CLP_OUTBOX_ENTRIES);
  ck_assert_int_eq(box.count, CLP_OUTBOX_ENTRIES);
  clp_outbox_clear(&box);
  ck_assert_int_eq(word->references, 1);
  clp_packet_release(word);
}

/* ---- A client ----------------------------------------------------------------------------- */

static void obey(clp_client *client, const clp_channels *channels, const char *text)
{
  clp_client_obey(client, channels, text, strlen(text));
}

static int add_channel(clp_channels *channels, clp_flow flow)
{
  const clp_channel channel = {"/x", "cdr", "a/msg/B", "", "ros2msg", flow};
  return clp_channels_add(channels, &channel);
}

static void keep(clp_channels *channels, int channel, int number, const char *key)
{
  clp_packet *packet = packet_of(number, 5);
  ck_assert_int_eq(clp_channels_keep(channels, channel, key, packet), CLP_OK);
  clp_packet_release(packet);
}

static int next(clp_client *client, const clp_channels *channels)
{
  clp_outbox_entry entry = clp_client_next(client, channels);
  int number = entry.packet ? (int)entry.packet->time : -1;
  clp_packet_release(entry.packet);
  return number;
}

/* More than its outbox could hold, and what is new in between. */
TEST(what_is_kept_is_repeated)
{
  static clp_channels channels;
  static clp_client client;
  char key[16];
  int one = add_channel(&channels, CLP_FLOW_STREAM), two = add_channel(&channels, CLP_FLOW_STREAM);
  clp_client_begin(&client, 0);
  for (int k = 0; k < 2 * CLP_OUTBOX_ENTRIES; ++k) {
    snprintf(key, sizeof key, "%d", k);
    keep(&channels, one, k, key);
    keep(&channels, two, 100000 + k, key);
  }
  keep(&channels, one, 5555, "3");
  obey(&client, &channels, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":1}]}");
  keep(&channels, one, 7777, "new"); /* as it is published, it comes by itself */
  ck_assert(clp_client_waits(&client, &channels));
  int kept = 0, fresh = 0;
  for (int number; (number = next(&client, &channels)) >= 0;) {
    if (number == 9999) {
      ++fresh;
      continue;
    }
    ck_assert_int_eq(number, kept == 3 ? 5555 : kept);
    if (++kept % 10 == 0) {
      clp_packet *packet = packet_of(9999, 5);
      clp_client_offer(&client, &channels, one, packet);
      clp_packet_release(packet);
    }
  }
  ck_assert_int_eq(kept, 2 * CLP_OUTBOX_ENTRIES);
  ck_assert_int_eq(fresh, kept / 10);
  ck_assert(!clp_client_waits(&client, &channels));
  clp_client_end(&client);
  clp_channels_release(&channels);
}

/* Where there is always something new, what is kept comes all the same. */
TEST(neither_waits_for_the_end_of_the_other)
{
  static clp_channels channels;
  static clp_client client;
  int one = add_channel(&channels, CLP_FLOW_STREAM), kept = 0, fresh = 0;
  keep(&channels, one, 1, "a");
  keep(&channels, one, 2, "b");
  clp_client_begin(&client, 0);
  obey(&client, &channels, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":9,\"channelId\":1}]}");
  for (int k = 0; k < 4; ++k) {
    clp_packet *packet = packet_of(9999, 5);
    clp_client_offer(&client, &channels, one, packet);
    clp_packet_release(packet);
    *(next(&client, &channels) == 9999 ? &fresh : &kept) += 1;
  }
  ck_assert_int_eq(kept, 2);
  ck_assert_int_eq(fresh, 2);
  clp_client_end(&client);
  clp_channels_release(&channels);
}

TEST(what_is_kept_is_bounded)
{
  static clp_channels channels;
  char key[16];
  int one = add_channel(&channels, CLP_FLOW_STREAM);
  for (int k = 0; k < CLP_KEPT_MAX + 5; ++k) {
    snprintf(key, sizeof key, "%d", k);
    keep(&channels, one, k, key);
  }
  ck_assert_int_eq(channels.kept_count, CLP_KEPT_MAX);
  ck_assert_uint_eq(channels.kept_bytes, 5 * CLP_KEPT_MAX);
  ck_assert_uint_eq(clp_channels_next_kept(&channels, one, 0)->packet->time, 5);
  clp_channels_forget(&channels, one);
  ck_assert_uint_eq(channels.kept_bytes, 0);
  clp_channels_release(&channels);
}

TEST(subscriptions_are_bounded)
{
  static clp_channels channels;
  static clp_client client;
  char text[160];
  add_channel(&channels, CLP_FLOW_NEWEST);
  clp_client_begin(&client, 0);
  for (int k = 0; k < 2 * CLP_VIEW_SUBSCRIPTIONS_MAX; ++k) {
    snprintf(text, sizeof text,
             "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":%d,\"channelId\":1}]}", k);
    obey(&client, &channels, text);
  }
  ck_assert_int_eq(client.subscription_count, CLP_VIEW_SUBSCRIPTIONS_MAX);
  ck_assert_int_eq(client.outbox.count, CLP_VIEW_SUBSCRIPTIONS_MAX); /* notes */
  obey(&client, &channels, "{\"op\":\"unsubscribe\",\"subscriptionIds\":[0,1,2]}");
  ck_assert_int_eq(client.subscription_count, CLP_VIEW_SUBSCRIPTIONS_MAX - 3);
  clp_client_end(&client);
  clp_channels_release(&channels);
}

TEST(requests_have_a_rate)
{
  static clp_client client;
  int heard = 0;
  clp_client_begin(&client, 0);
  for (int64_t time = 0; time < 10000000; time += 1000) /* a thousand a second, for ten */
    heard += clp_client_may_ask(&client, time);
  ck_assert_int_ge(heard, 10 * CLP_VIEW_REQUESTS_RATE + CLP_VIEW_REQUESTS_BURST - 2);
  ck_assert_int_le(heard, 10 * CLP_VIEW_REQUESTS_RATE + CLP_VIEW_REQUESTS_BURST + 1);
}

static void count_control(void *user, clp_control control, uint32_t value)
{
  ck_assert_int_eq(control, CLP_CONTROL_SEEK);
  ck_assert_uint_eq(value, 7);
  ++*(int *)user;
}

TEST(the_own_page_alone_controls)
{
  static const char seek[] = "{\"op\":\"playback\",\"control\":\"seek\",\"value\":7}";
  static clp_channels channels;
  static clp_client client;
  int count = 0;
  for (int k = 0; k < 4; ++k) {
    bool played = k & 1, own = k & 2;
    clp_client_begin(&client, 0);
    client.own_page = own;
    client.playing = (clp_playing){played ? count_control : NULL, &count};
    obey(&client, &channels, seek);
    ck_assert_int_eq(count, played && own);
    clp_outbox_entry note = clp_outbox_take(&client.outbox);
    ck_assert_int_eq(note.packet == NULL, played && own);
    if (note.packet) {
      char text[256] = "";
      ck_assert_uint_lt(note.packet->size, sizeof text);
      memcpy(text, note.packet->bytes, note.packet->size);
      ck_assert_ptr_nonnull(strstr(text, played ? "own page" : "live"));
    }
    clp_packet_release(note.packet);
    clp_client_end(&client);
  }
}
