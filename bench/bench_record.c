/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rclc_closest_point/bag/bag.h"
#include "rclc_closest_point/bag/cdr_reader.h"
#include "rclc_closest_point/bag/recorder.h"
#include "rclc_closest_point/bag/schemas.h"

/* What a long recording takes of memory and disk: the messages of a short one go through the
 * recorder again and again, with the times that they would have, as fast as it takes them.
 *
 *   bench_record FILE.mcap HOURS OUT.mcap */

#define NS 1000000000
#define MIB (1024.0 * 1024.0)

typedef struct kept {
  clp_bag_message message;
  unsigned char *bytes;
} kept;

typedef struct sample {
  kept *messages;
  size_t count, room;
  clp_bag_recorder_channel channels[CLP_MCAP_CHANNELS];
  int channel_count;
  int64_t first, last;
  double cycles, pairs;
} sample;

static void complain(void *user, clp_severity severity, const char *line)
{
  (void)user;
  (void)severity;
  fprintf(stderr, "%s\n", line);
}

static void listen(void *user, bool bad, const char *line)
{
  (void)user;
  if (bad)
    fprintf(stderr, "%s\n", line);
}

static void fail(const char *why)
{
  fprintf(stderr, "bench_record: %s\n", why);
  exit(EXIT_FAILURE);
}

static double resident(void)
{
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1)
    fail("there is no /proc/self/statm");
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE) / MIB;
}

static void keep(sample *s, const clp_bag_message *message)
{
  if (s->count == s->room) {
    s->room = s->room > 0 ? 2 * s->room : 1024;
    s->messages = realloc(s->messages, s->room * sizeof *s->messages);
  }
  unsigned char *bytes = malloc(message->size);
  if (!s->messages || !bytes)
    fail("there is no memory");
  memcpy(bytes, message->bytes, message->size);
  s->messages[s->count++] = (kept){*message, bytes};
}

/* How many pairs an answer has is what its size goes by. */
static void count_pairs(sample *s, const clp_bag_message *message)
{
  clp_heard_points points;
  if (!clp_hear_points(message->bytes, message->size, NULL, 0, &points))
    fail("an answer cannot be read");
  s->pairs += (double)(points.pair_count + points.beyond);
  s->cycles += 1;
}

static void take_sample(sample *s, const char *path)
{
  clp_bag *bag = NULL;
  clp_bag_message message;
  if (clp_bag_open(path, (clp_model_sink){complain, NULL}, &bag) != CLP_OK)
    exit(EXIT_FAILURE);
  while (clp_bag_next(bag, &message)) {
    clp_bag_topic topic = clp_bag_topic_at(bag, message.topic);
    if (message.topic >= s->channel_count) {
      char *name = strdup(topic.name), *type = strdup(topic.type);
      if (!name || !type)
        fail("there is no memory");
      s->channels[message.topic] = (clp_bag_recorder_channel){
          .channel = {name, type, clp_schema_text(type), ""},
          .safety = strcmp(type, "rclc_closest_point/msg/SafetyStatus") == 0};
      s->channel_count = message.topic + 1;
    }
    if (strcmp(topic.type, "rclc_closest_point/msg/ClosestPointArray") == 0)
      count_pairs(s, &message);
    keep(s, &message);
  }
  clp_bag_close(bag);
  if (s->count < 2 || s->cycles == 0)
    fail("a recording of a monitor's answers is needed");
  s->first = s->messages[0].message.received;
  s->last = s->messages[s->count - 1].message.received;
}

static void report(double hours, double before, const clp_bag_recorder_totals *totals)
{
  printf("%8.3f h  %12" PRIu64 " messages  %9.1f MB written  %6.1f MiB of memory\n", hours,
         totals->messages, (double)totals->bytes / 1e6, resident() - before);
}

/* The sample once more, `later` ns after it was. */
static void play(const sample *s, clp_bag_recorder *recorder, int64_t later)
{
  for (size_t k = 0; k < s->count; ++k) {
    const clp_bag_message *m = &s->messages[k].message;
    if (!clp_bag_recorder_take(recorder, m->topic, m->received + later, m->sent + later,
                               s->messages[k].bytes, m->size) ||
        !clp_bag_recorder_tick(recorder, m->received + later))
      fail("the recording has ended early");
  }
}

static void run(const sample *s, double hours, const char *path)
{
  const clp_bag_recorder_options options = {
      .path = path,
      .compression = clp_compression_is_there(CLP_COMPRESSION_ZSTD) ? CLP_COMPRESSION_ZSTD
                                                                    : CLP_COMPRESSION_NONE,
      .channels = s->channels,
      .channel_count = s->channel_count,
      .tell = listen};
  double before = resident(), length = (double)(s->last - s->first) / NS;
  clp_bag_recorder *recorder = clp_bag_recorder_create(&options);
  if (!recorder)
    fail("there is no recorder");
  int rounds = (int)(hours * 3600 / length) + 1, step = rounds / 6 + 1;
  clp_bag_recorder_totals totals;
  for (int k = 0; k < rounds; ++k) {
    play(s, recorder, k * (s->last - s->first));
    totals = clp_bag_recorder_count(recorder);
    if (k == 0 || (k + 1) % step == 0)
      report((k + 1) * length / 3600, before, &totals);
  }
  if (!clp_bag_recorder_close(recorder, &totals))
    fail("the end could not be written");
  report(rounds * length / 3600, before, &totals);
}

int main(int argc, char **argv)
{
  if (argc < 4) {
    puts("usage: bench_record FILE HOURS OUT.mcap: FILE again and again, through the recorder");
    return EXIT_SUCCESS;
  }
  static sample s;
  take_sample(&s, argv[1]);
  printf("%zu messages in %.1f s, %.0f answers with %.1f pairs each\n", s.count,
         (double)(s.last - s.first) / NS, s.cycles, s.pairs / s.cycles);
  run(&s, atof(argv[2]), argv[3]);
  return EXIT_SUCCESS;
}
