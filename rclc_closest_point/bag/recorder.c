/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdir, gmtime_r */

#include "rclc_closest_point/bag/recorder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "rclc_closest_point/bag/black_box.h"
#include "rclc_closest_point/bag/cdr_reader.h"
#include "rclc_closest_point/base/text.h"

#define SECOND INT64_C(1000000000)

enum { LONGEST_PATH = 4096, ZONE_STOP = 2 };

struct clp_bag_recorder {
  clp_bag_recorder_options options;
  clp_mcap_channel channels[CLP_MCAP_CHANNELS];
  uint32_t sequences[CLP_MCAP_CHANNELS];
  clp_mcap_chunk chunk;
  int64_t chunk_begin;     /* when its first message came */
  clp_mcap_writer *writer; /* NULL: nothing is being written */
  char path[LONGEST_PATH]; /* to this file */
  uint64_t messages, bytes;
  int files;

  /* Of a black box: */
  clp_black_box box;
  int64_t until;   /* the file goes on */
  int64_t spoken;  /* ~/safety was heard last; 0: never */
  bool stopped;    /* the zone was STOP */
  bool silent;     /* and then nothing was heard any more */
  bool overflowed; /* which has been told */
};

static void tell(const clp_bag_recorder *r, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell(const clp_bag_recorder *r, bool bad, const char *format, ...)
{
  char line[LONGEST_PATH + 256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  clp_flatten(line, ' '); /* what is told may have a monitor's words in it */
  if (r->options.tell)
    r->options.tell(r->options.user, bad, line);
}

/* ---- Files -------------------------------------------------------------------------------- */

static bool open_file(clp_bag_recorder *r)
{
  r->writer = clp_mcap_writer_open(r->path, r->channels, r->options.channel_count);
  if (r->writer) {
    ++r->files;
    return true;
  }
  if (errno == EEXIST)
    tell(r, true, "%s is there already, expected a name that is free", r->path);
  else
    tell(r, true, "cannot write %s: %s", r->path, strerror(errno));
  return false;
}

static bool close_file(clp_bag_recorder *r)
{
  if (!r->writer)
    return true;
  uint64_t size = clp_mcap_writer_size(r->writer);
  bool good = clp_mcap_writer_close(r->writer);
  r->writer = NULL;
  r->bytes += size;
  if (!good)
    tell(r, true, "cannot write the end of %s: %s; what is in it can be read", r->path,
         strerror(errno));
  return good;
}

/* What has been written stays. */
static bool add_chunk(clp_bag_recorder *r, const clp_mcap_sealed *sealed)
{
  if (clp_mcap_writer_add(r->writer, sealed)) {
    for (int k = 0; k < CLP_MCAP_CHANNELS; ++k)
      r->messages += sealed->counts[k];
    return true;
  }
  tell(r, true, "cannot write %s any further: %s; what is in it can be read", r->path,
       strerror(errno));
  close_file(r);
  return false;
}

/* ---- Chunks ------------------------------------------------------------------------------- */

static void keep(clp_bag_recorder *r, clp_mcap_sealed *sealed)
{
  int64_t oldest = (int64_t)sealed->last - (int64_t)(r->options.around * 1e9);
  if (clp_black_box_keep(&r->box, sealed, oldest, CLP_RECORDER_KEPT_BYTES) || r->overflowed)
    return;
  r->overflowed = true;
  tell(r, true, "the last %g s do not fit into memory: only the newest of it are kept",
       r->options.around);
}

/* False: recording is over. */
static bool end_chunk(clp_bag_recorder *r)
{
  clp_mcap_sealed sealed = {0};
  if (r->chunk.message_count == 0)
    return true;
  if (!clp_mcap_chunk_seal(&r->chunk, r->options.compression, &sealed)) {
    tell(r, true, "there is no memory to record any further");
    return false;
  }
  bool good = true;
  if (r->writer)
    good = add_chunk(r, &sealed);
  if (r->options.around > 0) {
    keep(r, &sealed);
    return true; /* a file has ended; there may be room for the next one */
  }
  clp_mcap_sealed_release(&sealed);
  return good;
}

static bool put(clp_bag_recorder *r, int channel, int64_t received, int64_t sent, const void *bytes,
                size_t size)
{
  const clp_mcap_message message = {.channel = (uint16_t)(channel + 1),
                                    .sequence = r->sequences[channel],
                                    .log_time = (uint64_t)received,
                                    .publish_time = (uint64_t)sent,
                                    .bytes = bytes,
                                    .size = size};
  if (r->chunk.message_count == 0)
    r->chunk_begin = received;
  if (!clp_mcap_chunk_add(&r->chunk, &message)) {
    tell(r, true, "there is no memory to record any further");
    return false;
  }
  ++r->sequences[channel];
  return r->chunk.records.size < CLP_RECORDER_CHUNK_BYTES || end_chunk(r);
}

/* ---- About a STOP ------------------------------------------------------------------------- */

/* "20261119T115010.250Z_REASON.mcap"; of the reason what any file system takes. */
static void name_file(clp_bag_recorder *r, int64_t time, const char *reason)
{
  enum { LONGEST_REASON = 100 };
  char stamp[32], words[LONGEST_REASON + 1];
  time_t seconds = (time_t)(time / SECOND);
  struct tm utc;
  size_t length = 0;
  if (!gmtime_r(&seconds, &utc) || strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%S", &utc) == 0)
    strcpy(stamp, "unknown");
  for (; *reason && length < LONGEST_REASON; ++reason) {
    char c = *reason;
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 (c == '.' && length > 0 && words[length - 1] != '-') || c == '_';
    if (plain)
      words[length++] = c;
    else if (length > 0 && words[length - 1] != '-')
      words[length++] = '-';
  }
  while (length > 0 && (words[length - 1] == '-' || words[length - 1] == '.'))
    --length;
  words[length] = '\0';
  snprintf(r->path, sizeof r->path, "%s/%s.%03dZ_%s.mcap", r->options.path, stamp,
           (int)(time % SECOND / 1000000), *words ? words : "stop");
}

/* The messages of latched topics, as the first of the file. */
static bool put_latched(clp_bag_recorder *r, int64_t time)
{
  clp_mcap_chunk chunk = {0};
  clp_mcap_sealed sealed = {0};
  bool good = true;
  for (size_t k = 0; good && k < r->box.latched_count; ++k) {
    const clp_latched_message *m = &r->box.latched[k];
    good = clp_mcap_chunk_add(&chunk, &(clp_mcap_message){.channel = (uint16_t)(m->channel + 1),
                                                          .log_time = (uint64_t)time,
                                                          .publish_time = (uint64_t)m->sent,
                                                          .bytes = m->bytes,
                                                          .size = m->size});
  }
  if (good && chunk.message_count > 0) {
    good = clp_mcap_chunk_seal(&chunk, r->options.compression, &sealed) && add_chunk(r, &sealed);
    clp_mcap_sealed_release(&sealed);
  }
  clp_mcap_chunk_release(&chunk);
  return good;
}

static void begin_file(clp_bag_recorder *r, int64_t time, const char *reason)
{
  name_file(r, time, reason);
  if (!open_file(r))
    return;
  int64_t oldest = r->box.count > 0 ? (int64_t)clp_black_box_at(&r->box, 0)->first : time;
  bool good = put_latched(r, oldest);
  for (size_t k = 0; good && r->writer && k < r->box.count; ++k)
    good = add_chunk(r, clp_black_box_at(&r->box, k));
  if (r->writer)
    tell(r, false, "STOP: %s; it goes to %s", reason, r->path);
}

static void stop(clp_bag_recorder *r, int64_t time, const char *reason)
{
  r->until = time + (int64_t)(r->options.around * 1e9);
  if (!r->writer)
    begin_file(r, time, reason);
}

/* Before its own message is recorded, which thereby is in the file's next chunk. A STOP that was
 * there from the first word on has begun before. */
static void watch_zone(clp_bag_recorder *r, int64_t received, const void *bytes, size_t size)
{
  clp_heard_safety safety;
  if (!clp_hear_safety(bytes, size, &safety))
    return;
  bool stops = safety.zone >= ZONE_STOP;
  if (stops && !r->stopped && r->spoken > 0)
    stop(r, received, safety.reason);
  r->stopped = stops;
  r->silent = false;
  r->spoken = received;
}

/* ---- What comes --------------------------------------------------------------------------- */

bool clp_bag_recorder_take(clp_bag_recorder *recorder, int channel, int64_t received, int64_t sent,
                           const void *bytes, size_t size)
{
  clp_bag_recorder *r = recorder;
  const clp_bag_recorder_channel *of = &r->options.channels[channel];
  bool boxed = r->options.around > 0;
  if (boxed && of->safety)
    watch_zone(r, received, bytes, size);
  if (boxed && of->latched && !clp_black_box_latch(&r->box, channel, sent, bytes, size)) {
    tell(r, true, "there is no memory to record any further");
    return false;
  }
  return put(r, channel, received, sent, bytes, size);
}

bool clp_bag_recorder_tick(clp_bag_recorder *recorder, int64_t now)
{
  clp_bag_recorder *r = recorder;
  const int64_t longest = (int64_t)(CLP_RECORDER_CHUNK_SECONDS * 1e9);
  bool good = true;
  if (r->chunk.message_count > 0 && now - r->chunk_begin >= longest)
    good = end_chunk(r);
  if (r->options.around <= 0 || !good)
    return good;
  if (r->spoken > 0 && !r->silent && now - r->spoken > (int64_t)(CLP_RECORDER_SILENCE * 1e9)) {
    r->silent = true;
    stop(r, now, "the monitor is silent");
  }
  if (r->writer && now >= r->until) {
    good = end_chunk(r);
    close_file(r);
  }
  return good;
}

/* ---- From start to end -------------------------------------------------------------------- */

clp_bag_recorder_totals clp_bag_recorder_count(const clp_bag_recorder *recorder)
{
  const clp_bag_recorder *r = recorder;
  uint64_t under_way = r->writer ? clp_mcap_writer_size(r->writer) : 0;
  return (clp_bag_recorder_totals){r->messages, r->bytes + under_way, r->files, r->box.bytes};
}

static bool begin(clp_bag_recorder *r)
{
  if (r->options.around <= 0) {
    snprintf(r->path, sizeof r->path, "%s", r->options.path);
    return open_file(r);
  }
  struct stat about;
  if (mkdir(r->options.path, 0777) == 0)
    return true;
  int reason = errno;
  if (stat(r->options.path, &about) == 0 && S_ISDIR(about.st_mode))
    return true;
  tell(r, true, "cannot make the folder %s: %s", r->options.path, strerror(reason));
  return false;
}

static void release(clp_bag_recorder *r)
{
  clp_mcap_chunk_release(&r->chunk);
  clp_black_box_release(&r->box);
  free(r);
}

clp_bag_recorder *clp_bag_recorder_create(const clp_bag_recorder_options *options)
{
  clp_bag_recorder *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->options = *options;
  for (int k = 0; k < options->channel_count; ++k)
    r->channels[k] = options->channels[k].channel;
  if (strlen(options->path) >= LONGEST_PATH - 256)
    tell(r, true, "the name of what is to be written is longer than a path may be");
  else if (begin(r))
    return r;
  release(r);
  return NULL;
}

bool clp_bag_recorder_close(clp_bag_recorder *recorder, clp_bag_recorder_totals *totals)
{
  clp_bag_recorder *r = recorder;
  bool good = !r->writer || end_chunk(r);
  good = close_file(r) && good;
  *totals = clp_bag_recorder_count(r);
  release(r);
  return good;
}
