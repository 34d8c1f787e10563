/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* fseeko */

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/bag_file.h"
#include "rclc_closest_point/bag/compression.h"
#include "rclc_closest_point/bag/crc32.h"
#include "rclc_closest_point/bag/mcap_format.h"

/* An MCAP file from its front to its end, chunk by chunk; of one whose end is missing, what there
 * is. The summary, where it can be read, tells channels whose own records are damaged, where chunks
 * begin after damage, and the times. */

typedef struct channel {
  char *topic; /* NULL: nothing tells of it */
  uint16_t schema;
  bool readable; /* its messages are CDR */
} channel;

typedef struct mcap_reader {
  FILE *stream;
  uint64_t size, at; /* of the file; of the next record */
  bool ended;
  char **schemas; /* names of types, by id */
  channel *channels;
  size_t schema_room, channel_room;
  clp_bytes stored, records; /* the chunk, and the same without compression */
  clp_taker chunk;           /* what is left of the records; all of it: there is none */
  uint64_t chunk_at;
  clp_bytes alone;  /* a record outside of chunks */
  uint64_t *chunks; /* where they begin */
  size_t chunk_count, chunk_room;
  bool has_times, has_channels; /* the summary has told */
  bool chunked;                 /* messages stand in chunks, and none by itself */
  clp_file_range range;
  int64_t begin;
  clp_damage damage;
} mcap_reader;

void clp_damage_add(clp_damage *damage, uint64_t at, const char *text)
{
  if (damage->count++ > 0)
    return;
  damage->at = at;
  snprintf(damage->text, sizeof damage->text, "%s", text);
}

static void damaged(mcap_reader *r, uint64_t at, const char *text)
{
  clp_damage_add(&r->damage, at, text);
}

/* ---- The file ----------------------------------------------------------------------------- */

static bool read_at(mcap_reader *r, uint64_t at, void *bytes, size_t size)
{
  return at <= r->size && size <= r->size - at && fseeko(r->stream, (off_t)at, SEEK_SET) == 0 &&
         fread(bytes, 1, size, r->stream) == size;
}

static bool load(mcap_reader *r, uint64_t at, uint64_t size, clp_bytes *bytes)
{
  bytes->size = 0;
  bytes->failed = false;
  if (size > CLP_BAG_MOST_BYTES || size > r->size || !clp_bytes_reserve(bytes, (size_t)size + 1) ||
      !read_at(r, at, bytes->data, (size_t)size))
    return false;
  bytes->size = (size_t)size;
  return true;
}

typedef struct record_head {
  uint8_t kind;
  uint64_t length;
} record_head;

static bool read_head(mcap_reader *r, uint64_t at, record_head *head)
{
  unsigned char bytes[CLP_MCAP_HEAD];
  if (!read_at(r, at, bytes, sizeof bytes))
    return false;
  clp_taker t = clp_taker_of(bytes, sizeof bytes);
  head->kind = (uint8_t)clp_take_number(&t, 1);
  head->length = clp_take_number(&t, 8);
  return head->length <= r->size - at - CLP_MCAP_HEAD;
}

/* ---- Channels ----------------------------------------------------------------------------- */

/* To be freed; NULL: it is too long, has a zero in it, or there is no memory. */
static char *text_of(clp_span span)
{
  if (span.size == 0 || span.size > CLP_BAG_NAME_MAX || memchr(span.data, '\0', span.size))
    return NULL;
  char *text = malloc(span.size + 1);
  if (text) {
    memcpy(text, span.data, span.size);
    text[span.size] = '\0';
  }
  return text;
}

/* Ids are small as a rule, and may be any. False: there is no memory. */
static bool make_room(void **table, size_t *room, size_t entry, uint16_t id)
{
  size_t wanted = *room;
  while (wanted <= id)
    wanted = wanted > 0 ? 2 * wanted : 32;
  void *more = wanted > *room ? realloc(*table, wanted * entry) : *table;
  if (!more)
    return false;
  memset((char *)more + *room * entry, 0, (wanted - *room) * entry);
  *table = more;
  *room = wanted;
  return true;
}

/* What has been told once stays so. */
static void take_schema(mcap_reader *r, clp_taker t)
{
  uint16_t id = (uint16_t)clp_take_number(&t, 2);
  clp_span name = clp_take_span(&t, 4);
  void *table = r->schemas;
  if (!t.good || id == 0 || !make_room(&table, &r->schema_room, sizeof *r->schemas, id))
    return;
  r->schemas = table;
  if (!r->schemas[id])
    r->schemas[id] = text_of(name);
}

static const char *schema_at(const mcap_reader *r, uint16_t id)
{
  return id < r->schema_room ? r->schemas[id] : NULL;
}

static void take_channel(mcap_reader *r, clp_taker t)
{
  uint16_t id = (uint16_t)clp_take_number(&t, 2);
  uint16_t schema = (uint16_t)clp_take_number(&t, 2);
  clp_span topic = clp_take_span(&t, 4), encoding = clp_take_span(&t, 4);
  void *table = r->channels;
  if (!t.good || !make_room(&table, &r->channel_room, sizeof *r->channels, id))
    return;
  r->channels = table;
  if (!r->channels[id].topic)
    r->channels[id] = (channel){text_of(topic), schema, clp_span_is(encoding, CLP_MCAP_ENCODING)};
}

/* ---- The summary -------------------------------------------------------------------------- */

static void take_chunk_index(mcap_reader *r, clp_taker t)
{
  (void)clp_take_number(&t, 8);
  (void)clp_take_number(&t, 8);
  uint64_t at = clp_take_number(&t, 8);
  if (!t.good || at >= r->size || (r->chunk_count > 0 && at <= r->chunks[r->chunk_count - 1]))
    return;
  if (r->chunk_count == r->chunk_room) {
    size_t more = r->chunk_room > 0 ? 2 * r->chunk_room : 64;
    uint64_t *chunks = realloc(r->chunks, more * sizeof *chunks);
    if (!chunks)
      return;
    r->chunks = chunks;
    r->chunk_room = more;
  }
  r->chunks[r->chunk_count++] = at;
}

static int64_t time_of(uint64_t told)
{
  return told > INT64_MAX ? INT64_MAX : (int64_t)told;
}

static void take_statistics(mcap_reader *r, clp_taker t)
{
  uint64_t messages = clp_take_number(&t, 8);
  (void)clp_take_bytes(&t, 2 + 4 + 4 + 4 + 4);
  int64_t first = time_of(clp_take_number(&t, 8)), last = time_of(clp_take_number(&t, 8));
  if (!t.good)
    return;
  r->has_times = true;
  r->range = messages > 0 ? (clp_file_range){first, last} : (clp_file_range){1, 0};
}

static void take_summary(mcap_reader *r, const clp_bytes *summary)
{
  clp_taker t = clp_taker_of(summary->data, summary->size);
  while (t.good && t.at < t.size) {
    uint8_t kind = (uint8_t)clp_take_number(&t, 1);
    clp_span content = clp_take_span(&t, 8);
    clp_taker record = clp_taker_of(content.data, content.size);
    if (kind == CLP_MCAP_SCHEMA)
      take_schema(r, record);
    else if (kind == CLP_MCAP_CHANNEL)
      take_channel(r, record);
    else if (kind == CLP_MCAP_CHUNK_INDEX)
      take_chunk_index(r, record);
    else if (kind == CLP_MCAP_STATISTICS)
      take_statistics(r, record);
    r->has_channels |= kind == CLP_MCAP_CHANNEL;
  }
}

/* Nothing, where there is none that is whole. */
static void read_summary(mcap_reader *r)
{
  enum { END = CLP_MCAP_HEAD + CLP_MCAP_FOOTER_SIZE + CLP_MCAP_MAGIC_SIZE };
  unsigned char end[END];
  if (r->size < CLP_MCAP_MAGIC_SIZE + END || !read_at(r, r->size - END, end, END) ||
      end[0] != CLP_MCAP_FOOTER ||
      memcmp(end + END - CLP_MCAP_MAGIC_SIZE, CLP_MCAP_MAGIC, CLP_MCAP_MAGIC_SIZE) != 0)
    return;
  clp_taker t = clp_taker_of(end, END);
  (void)clp_take_bytes(&t, CLP_MCAP_HEAD);
  uint64_t begin = clp_take_number(&t, 8), offsets = clp_take_number(&t, 8);
  uint32_t checksum = (uint32_t)clp_take_number(&t, 4);
  uint64_t footer = r->size - END;
  if (begin == 0 || begin > footer || offsets > footer)
    return;
  clp_bytes summary = {0};
  if (load(r, begin, footer - begin, &summary) &&
      (checksum == 0 ||
       checksum == clp_crc32(clp_crc32(0, summary.data, summary.size), end, CLP_MCAP_HEAD + 16)))
    take_summary(r, &summary);
  clp_bytes_release(&summary);
}

/* ---- Chunks ------------------------------------------------------------------------------- */

static bool find_compression(clp_span name, clp_compression *found)
{
  for (int k = 0; k < CLP_COMPRESSIONS; ++k) {
    *found = (clp_compression)k;
    if (clp_span_is(name, clp_compression_name(*found)))
      return true;
  }
  return false;
}

/* The records of a chunk's content. NULL: they are there; else what is wrong. */
static const char *open_chunk(mcap_reader *r, const clp_bytes *content)
{
  clp_taker t = clp_taker_of(content->data, content->size);
  (void)clp_take_bytes(&t, 16);
  uint64_t size = clp_take_number(&t, 8);
  uint32_t checksum = (uint32_t)clp_take_number(&t, 4);
  clp_compression compression;
  clp_span name = clp_take_span(&t, 4), stored = clp_take_span(&t, 8);
  if (!t.good)
    return "a chunk whose lengths do not fit";
  if (!find_compression(name, &compression))
    return "a chunk whose compression is none of lz4 and zstd";
  if (!clp_compression_is_there(compression))
    return compression == CLP_COMPRESSION_LZ4
               ? "a chunk compressed by lz4, which this program was built without"
               : "a chunk compressed by zstd, which this program was built without";
  r->records.size = 0;
  r->records.failed = false;
  if (size > CLP_BAG_MOST_BYTES || !clp_bytes_reserve(&r->records, (size_t)size + 1))
    return "a chunk that is too large";
  r->records.size = (size_t)size;
  if (!clp_decompress(compression, stored.data, stored.size, r->records.data, r->records.size))
    return "a chunk that cannot be decompressed";
  if (checksum != 0 && checksum != clp_crc32(0, r->records.data, r->records.size))
    return "a chunk whose checksum is wrong";
  return NULL;
}

/* Whether it has messages, and all of them come before those that are asked for; not, where it may
 * hold channels that nothing else tells of. Times of a chunk without messages are 0. */
static bool is_before(mcap_reader *r, uint64_t at)
{
  unsigned char times[16];
  if (r->begin == INT64_MIN || !r->has_channels || !read_at(r, at, times, sizeof times))
    return false;
  clp_taker t = clp_taker_of(times + 8, 8);
  int64_t last = time_of(clp_take_number(&t, 8));
  return last > 0 && last < r->begin;
}

static void enter_chunk(mcap_reader *r, uint64_t at, uint64_t length)
{
  if (is_before(r, at)) {
    r->chunked = true;
    return;
  }
  const char *wrong = "a chunk that is too large";
  if (load(r, at, length, &r->stored))
    wrong = open_chunk(r, &r->stored);
  if (wrong) {
    damaged(r, at - CLP_MCAP_HEAD, wrong);
    return;
  }
  r->chunk = clp_taker_of(r->records.data, r->records.size);
  r->chunk_at = at - CLP_MCAP_HEAD;
}

/* ---- Records ------------------------------------------------------------------------------ */

/* False: it is none that is to be handed on. */
static bool take_message(mcap_reader *r, clp_taker t, uint64_t at, clp_file_message *message)
{
  uint16_t id = (uint16_t)clp_take_number(&t, 2);
  (void)clp_take_number(&t, 4);
  int64_t received = time_of(clp_take_number(&t, 8)), sent = time_of(clp_take_number(&t, 8));
  if (!t.good) {
    damaged(r, at, "a message that is too short");
    return false;
  }
  const channel *of = id < r->channel_room ? &r->channels[id] : NULL;
  if (!of || !of->topic) {
    damaged(r, at, "a message of a channel that nothing tells of");
    return false;
  }
  if (!of->readable || !schema_at(r, of->schema) || received < r->begin)
    return false;
  *message = (clp_file_message){.topic = of->topic,
                                .type = schema_at(r, of->schema),
                                .received = received,
                                .sent = sent,
                                .bytes = t.data + t.at,
                                .size = t.size - t.at};
  return true;
}

static bool take_record(mcap_reader *r, uint8_t kind, clp_taker content, uint64_t at,
                        clp_file_message *message)
{
  if (kind == CLP_MCAP_SCHEMA)
    take_schema(r, content);
  else if (kind == CLP_MCAP_CHANNEL)
    take_channel(r, content);
  return kind == CLP_MCAP_MESSAGE && take_message(r, content, at, message);
}

static bool next_of_chunk(mcap_reader *r, clp_file_message *message)
{
  while (r->chunk.at < r->chunk.size) {
    uint8_t kind = (uint8_t)clp_take_number(&r->chunk, 1);
    clp_span content = clp_take_span(&r->chunk, 8);
    if (!r->chunk.good) {
      damaged(r, r->chunk_at, "a record in a chunk is longer than it");
      r->chunk.at = r->chunk.size;
      return false;
    }
    r->chunked |= kind == CLP_MCAP_MESSAGE; /* also where it is not one that is asked for */
    if (take_record(r, kind, clp_taker_of(content.data, content.size), r->chunk_at, message))
      return true;
  }
  return false;
}

/* After what cannot be read, the next chunk that the summary tells of. */
static void go_on_after(mcap_reader *r, uint64_t at, const char *text)
{
  size_t low = 0, high = r->chunk_count;
  damaged(r, at, text);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (r->chunks[middle] > at)
      high = middle;
    else
      low = middle + 1;
  }
  if (low < r->chunk_count)
    r->at = r->chunks[low];
  else
    r->ended = true;
}

/* Goes through the records of the file to the next message outside of a chunk, or into a chunk. */
static bool next_of_file(mcap_reader *r, clp_file_message *message)
{
  record_head head;
  uint64_t at = r->at;
  if (at == r->size || !read_head(r, at, &head)) {
    go_on_after(r, at,
                at == r->size ? "the end is missing: what was recorded last may not be there"
                              : "the file ends within a record");
    return false;
  }
  r->at += CLP_MCAP_HEAD + head.length;
  if (head.kind == 0) {
    go_on_after(r, at, "no record where one should be");
  } else if (head.kind == CLP_MCAP_CHUNK) {
    enter_chunk(r, at + CLP_MCAP_HEAD, head.length);
  } else if (head.kind == CLP_MCAP_DATA_END || head.kind == CLP_MCAP_FOOTER) {
    r->ended = true;
  } else if (head.kind == CLP_MCAP_MESSAGE && r->chunked) {
    damaged(r, at, "a message that is not in a chunk");
  } else if (head.kind >= CLP_MCAP_SCHEMA && head.kind <= CLP_MCAP_MESSAGE) {
    if (load(r, at + CLP_MCAP_HEAD, head.length, &r->alone))
      return take_record(r, head.kind, clp_taker_of(r->alone.data, r->alone.size), at, message);
    damaged(r, at, "a record that is too large");
  }
  return false;
}

static bool next(void *self, clp_file_message *message)
{
  mcap_reader *r = self;
  for (;;) {
    if (next_of_chunk(r, message))
      return true;
    if (r->ended)
      return false;
    if (next_of_file(r, message))
      return true;
  }
}

/* ---- From start to end -------------------------------------------------------------------- */

/* What records have told. */
static void forget(mcap_reader *r)
{
  for (size_t k = 0; k < r->schema_room; ++k)
    free(r->schemas[k]);
  for (size_t k = 0; k < r->channel_room; ++k)
    free(r->channels[k].topic);
  if (r->schema_room > 0)
    memset(r->schemas, 0, r->schema_room * sizeof *r->schemas);
  if (r->channel_room > 0)
    memset(r->channels, 0, r->channel_room * sizeof *r->channels);
  r->chunk_count = 0;
}

/* As if it had just been opened, so that the same messages come again. */
static void rewind_to(void *self, int64_t begin)
{
  mcap_reader *r = self;
  forget(r);
  read_summary(r);
  r->at = CLP_MCAP_MAGIC_SIZE;
  r->ended = r->chunked = false;
  r->begin = begin;
  r->chunk = clp_taker_of("", 0);
  r->damage = (clp_damage){0};
}

/* Of a chunk, or of a message outside of one; false: of neither. */
static bool read_times(mcap_reader *r, uint64_t at, uint8_t kind, clp_file_range *times)
{
  unsigned char bytes[16];
  uint64_t skip = kind == CLP_MCAP_CHUNK ? 0 : 2 + 4;
  if ((kind != CLP_MCAP_CHUNK && kind != CLP_MCAP_MESSAGE) ||
      !read_at(r, at + CLP_MCAP_HEAD + skip, bytes, sizeof bytes))
    return false;
  clp_taker t = clp_taker_of(bytes, sizeof bytes);
  times->first = time_of(clp_take_number(&t, 8));
  times->last = kind == CLP_MCAP_CHUNK ? time_of(clp_take_number(&t, 8)) : times->first;
  return kind == CLP_MCAP_MESSAGE || times->last > 0; /* of a chunk without messages they are 0 */
}

static clp_file_range range(void *self)
{
  mcap_reader *r = self;
  if (r->has_times)
    return r->range;
  clp_file_range all = {INT64_MAX, INT64_MIN}, times;
  record_head head;
  for (uint64_t at = CLP_MCAP_MAGIC_SIZE;
       read_head(r, at, &head) && head.kind != 0 && head.kind != CLP_MCAP_DATA_END;
       at += CLP_MCAP_HEAD + head.length)
    if (read_times(r, at, head.kind, &times)) {
      all.first = times.first < all.first ? times.first : all.first;
      all.last = times.last > all.last ? times.last : all.last;
    }
  r->has_times = true;
  r->range = all;
  return all;
}

static double progress(const void *self)
{
  const mcap_reader *r = self;
  return r->size > 0 ? (double)r->at / (double)r->size : 1;
}

static const clp_damage *damage_of(const void *self)
{
  const mcap_reader *r = self;
  return &r->damage;
}

static void release(mcap_reader *r)
{
  forget(r);
  free(r->schemas);
  free(r->channels);
  free(r->chunks);
  clp_bytes_release(&r->stored);
  clp_bytes_release(&r->records);
  clp_bytes_release(&r->alone);
  free(r);
}

static void close_reader(void *self)
{
  mcap_reader *r = self;
  fclose(r->stream);
  release(r);
}

bool clp_mcap_begins(const unsigned char *bytes, size_t size)
{
  return size >= CLP_MCAP_MAGIC_SIZE && memcmp(bytes, CLP_MCAP_MAGIC, CLP_MCAP_MAGIC_SIZE) == 0;
}

void *clp_mcap_reader_open(FILE *stream, char *why, size_t room)
{
  unsigned char magic[CLP_MCAP_MAGIC_SIZE];
  mcap_reader *r = calloc(1, sizeof *r);
  const char *wrong = NULL;
  off_t size = 0;
  if (!r)
    wrong = "there is no memory";
  else if (fseeko(stream, 0, SEEK_END) != 0 || (size = ftello(stream)) < 0)
    wrong = "it cannot be read at any place";
  if (!wrong) {
    r->stream = stream;
    r->size = (uint64_t)size;
    if (!read_at(r, 0, magic, sizeof magic) || !clp_mcap_begins(magic, sizeof magic))
      wrong = "it does not begin as an MCAP file does";
  }
  if (wrong) {
    snprintf(why, room, "%s", wrong);
    if (r)
      release(r);
    return NULL;
  }
  rewind_to(r, INT64_MIN);
  return r;
}

const clp_file_kind clp_mcap_kind_of_file = {.next = next,
                                             .rewind = rewind_to,
                                             .range = range,
                                             .progress = progress,
                                             .damage = damage_of,
                                             .close = close_reader};
