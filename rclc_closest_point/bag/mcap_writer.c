/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open, ftruncate */

#include "rclc_closest_point/bag/mcap_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rclc_closest_point/bag/crc32.h"
#include "rclc_closest_point/bag/mcap_format.h"
#include "rclc_closest_point/bag/schemas.h"

#define LIBRARY "rclc_closest_point " CLP_VERSION

struct clp_mcap_writer {
  int file;
  uint64_t size;
  clp_bytes definitions; /* records of schemas and channels, as in front and in the summary */
  size_t schemas_size;   /* of that, the schemas */
  int channel_count;
  clp_bytes chunk_indices;
  uint32_t chunk_count;
  uint64_t counts[CLP_MCAP_CHANNELS], message_count;
  uint64_t first, last;
  uint64_t metadata_at, metadata_length;
};

/* ---- The file ----------------------------------------------------------------------------- */

/* All of it, or nothing: what a full disk has taken is given back. */
static bool append(clp_mcap_writer *w, const clp_bytes *bytes)
{
  size_t done = 0;
  if (bytes->failed) {
    errno = ENOMEM;
    return false;
  }
  while (done < bytes->size) {
    ssize_t count = write(w->file, bytes->data + done, bytes->size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      int reason = count < 0 ? errno : ENOSPC;
      if (ftruncate(w->file, (off_t)w->size) != 0 || lseek(w->file, (off_t)w->size, SEEK_SET) < 0)
        w->size += done; /* it stays, as a record that is not whole */
      errno = reason;
      return false;
    }
    done += (size_t)count;
  }
  w->size += bytes->size;
  return true;
}

/* Only a file that is new, or empty. */
static int open_new(const char *path)
{
  struct stat about;
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || fstat(file, &about) != 0)
    return file;
  if (!S_ISREG(about.st_mode) || about.st_size > 0) {
    close(file);
    errno = EEXIST;
    return -1;
  }
  return file;
}

/* ---- What stands in front ----------------------------------------------------------------- */

static void finish(clp_bytes *bytes, clp_mcap_kind kind, clp_bytes *content)
{
  clp_mcap_put_record(bytes, (uint8_t)kind, content);
  clp_bytes_release(content);
}

static void put_schema(clp_bytes *bytes, int id, const clp_mcap_channel *channel)
{
  clp_bytes c = {0};
  clp_put_number(&c, (uint64_t)id, 2);
  clp_put_text(&c, channel->type);
  clp_put_text(&c, CLP_SCHEMA_ENCODING);
  clp_put_text(&c, channel->schema);
  finish(bytes, CLP_MCAP_SCHEMA, &c);
}

static void put_pair(clp_bytes *content, const char *key, const char *value)
{
  clp_put_number(content, 4 + strlen(key) + 4 + strlen(value), 4);
  clp_put_text(content, key);
  clp_put_text(content, value);
}

static void put_channel(clp_bytes *bytes, int id, int schema, const clp_mcap_channel *channel)
{
  clp_bytes c = {0};
  clp_put_number(&c, (uint64_t)id, 2);
  clp_put_number(&c, (uint64_t)schema, 2);
  clp_put_text(&c, channel->topic);
  clp_put_text(&c, CLP_MCAP_ENCODING);
  put_pair(&c, "offered_qos_profiles", channel->qualities);
  finish(bytes, CLP_MCAP_CHANNEL, &c);
}

/* The first channel of the same type. */
static int schema_of(const clp_mcap_channel *channels, int k)
{
  int first = 0;
  while (strcmp(channels[first].type, channels[k].type) != 0)
    ++first;
  return first;
}

static void put_definitions(clp_mcap_writer *w, const clp_mcap_channel *channels)
{
  for (int k = 0; k < w->channel_count; ++k)
    if (schema_of(channels, k) == k)
      put_schema(&w->definitions, k + 1, &channels[k]);
  w->schemas_size = w->definitions.size;
  for (int k = 0; k < w->channel_count; ++k)
    put_channel(&w->definitions, k + 1, schema_of(channels, k) + 1, &channels[k]);
}

/* Without the list of its content, which such a record usually has, rosbag2 reads qualities as
 * numbers, as all of its versions can. */
static void put_metadata(clp_bytes *bytes)
{
  clp_bytes c = {0};
  clp_put_text(&c, "rosbag2");
  put_pair(&c, "ROS_DISTRO", "");
  finish(bytes, CLP_MCAP_METADATA, &c);
}

static bool write_front(clp_mcap_writer *w)
{
  clp_bytes front = {0}, c = {0};
  clp_put(&front, CLP_MCAP_MAGIC, CLP_MCAP_MAGIC_SIZE);
  clp_put_text(&c, CLP_MCAP_PROFILE);
  clp_put_text(&c, LIBRARY);
  finish(&front, CLP_MCAP_HEADER, &c);
  w->metadata_at = front.size;
  put_metadata(&front);
  w->metadata_length = front.size - w->metadata_at;
  clp_put(&front, w->definitions.data, w->definitions.size);
  front.failed |= w->definitions.failed;
  bool good = append(w, &front);
  clp_bytes_release(&front);
  return good;
}

static void release(clp_mcap_writer *w)
{
  int reason = errno;
  if (w->file >= 0)
    close(w->file);
  clp_bytes_release(&w->definitions);
  clp_bytes_release(&w->chunk_indices);
  free(w);
  errno = reason;
}

clp_mcap_writer *clp_mcap_writer_open(const char *path, const clp_mcap_channel *channels, int count)
{
  clp_mcap_writer *w = calloc(1, sizeof *w);
  if (!w) {
    errno = ENOMEM;
    return NULL;
  }
  w->channel_count = count;
  put_definitions(w, channels);
  w->file = open_new(path);
  if (w->file >= 0 && write_front(w))
    return w;
  release(w);
  return NULL;
}

/* ---- Chunks ------------------------------------------------------------------------------- */

static void put_chunk_index(clp_mcap_writer *w, const clp_mcap_sealed *chunk, uint64_t at)
{
  clp_bytes c = {0}, places = {0};
  for (int k = 0; k < CLP_MCAP_CHANNELS; ++k) {
    if (chunk->index_at[k] == 0)
      continue;
    clp_put_number(&places, (uint64_t)k, 2);
    clp_put_number(&places, at + chunk->index_at[k], 8);
  }
  clp_put_number(&c, chunk->first, 8);
  clp_put_number(&c, chunk->last, 8);
  clp_put_number(&c, at, 8);
  clp_put_number(&c, chunk->chunk_length, 8);
  clp_put_number(&c, places.size, 4);
  clp_put(&c, places.data, places.size);
  clp_put_number(&c, chunk->bytes.size - chunk->chunk_length, 8);
  clp_put_text(&c, clp_compression_name(chunk->compression));
  clp_put_number(&c, chunk->compressed, 8);
  clp_put_number(&c, chunk->uncompressed, 8);
  c.failed |= places.failed;
  clp_bytes_release(&places);
  finish(&w->chunk_indices, CLP_MCAP_CHUNK_INDEX, &c);
}

static void count_messages(clp_mcap_writer *w, const clp_mcap_sealed *chunk)
{
  uint64_t before = w->message_count;
  for (int k = 0; k < CLP_MCAP_CHANNELS; ++k) {
    w->counts[k] += chunk->counts[k];
    w->message_count += chunk->counts[k];
  }
  if (w->message_count == before)
    return;
  if (before == 0 || chunk->first < w->first)
    w->first = chunk->first;
  if (before == 0 || chunk->last > w->last)
    w->last = chunk->last;
}

bool clp_mcap_writer_add(clp_mcap_writer *writer, const clp_mcap_sealed *chunk)
{
  uint64_t at = writer->size;
  if (!append(writer, &chunk->bytes))
    return false;
  put_chunk_index(writer, chunk, at);
  ++writer->chunk_count;
  count_messages(writer, chunk);
  return true;
}

uint64_t clp_mcap_writer_size(const clp_mcap_writer *writer)
{
  return writer->size;
}

/* ---- The summary -------------------------------------------------------------------------- */

static void put_statistics(const clp_mcap_writer *w, int schemas, clp_bytes *bytes)
{
  clp_bytes c = {0}, counts = {0};
  for (int k = 1; k <= w->channel_count; ++k) {
    clp_put_number(&counts, (uint64_t)k, 2);
    clp_put_number(&counts, w->counts[k], 8);
  }
  clp_put_number(&c, w->message_count, 8);
  clp_put_number(&c, (uint64_t)schemas, 2);
  clp_put_number(&c, (uint64_t)w->channel_count, 4);
  clp_put_number(&c, 0, 4); /* attachments */
  clp_put_number(&c, 1, 4); /* metadata */
  clp_put_number(&c, w->chunk_count, 4);
  clp_put_number(&c, w->first, 8);
  clp_put_number(&c, w->last, 8);
  clp_put_number(&c, counts.size, 4);
  clp_put(&c, counts.data, counts.size);
  c.failed |= counts.failed;
  clp_bytes_release(&counts);
  finish(bytes, CLP_MCAP_STATISTICS, &c);
}

static void put_metadata_index(const clp_mcap_writer *w, clp_bytes *bytes)
{
  clp_bytes c = {0};
  clp_put_number(&c, w->metadata_at, 8);
  clp_put_number(&c, w->metadata_length, 8);
  clp_put_text(&c, "rosbag2");
  finish(bytes, CLP_MCAP_METADATA_INDEX, &c);
}

/* Where in the summary the records of a kind begin, and how long they are. */
typedef struct group {
  clp_mcap_kind kind;
  size_t begin, length;
} group;

enum { GROUPS = 5 };

static group group_of(clp_mcap_kind kind, size_t begin, const clp_bytes *bytes)
{
  return (group){kind, begin, bytes->size - begin};
}

static int count_schemas(const clp_mcap_writer *w)
{
  int count = 0;
  clp_taker t = clp_taker_of(w->definitions.data, w->schemas_size);
  while (t.at < t.size && t.good) {
    (void)clp_take_number(&t, 1);
    (void)clp_take_span(&t, 8);
    ++count;
  }
  return count;
}

static void put_groups(const clp_mcap_writer *w, clp_bytes *bytes, group groups[GROUPS])
{
  size_t at = bytes->size;
  clp_put(bytes, w->definitions.data, w->schemas_size);
  groups[0] = group_of(CLP_MCAP_SCHEMA, at, bytes);
  at = bytes->size;
  clp_put(bytes, w->definitions.data + w->schemas_size, w->definitions.size - w->schemas_size);
  groups[1] = group_of(CLP_MCAP_CHANNEL, at, bytes);
  at = bytes->size;
  put_statistics(w, count_schemas(w), bytes);
  groups[2] = group_of(CLP_MCAP_STATISTICS, at, bytes);
  at = bytes->size;
  clp_put(bytes, w->chunk_indices.data, w->chunk_indices.size);
  bytes->failed |= w->chunk_indices.failed;
  groups[3] = group_of(CLP_MCAP_CHUNK_INDEX, at, bytes);
  at = bytes->size;
  put_metadata_index(w, bytes);
  groups[4] = group_of(CLP_MCAP_METADATA_INDEX, at, bytes);
}

static void put_offsets(const clp_mcap_writer *w, clp_bytes *bytes, const group groups[GROUPS])
{
  for (int k = 0; k < GROUPS; ++k) {
    if (groups[k].length == 0)
      continue;
    clp_bytes c = {0};
    clp_put_number(&c, (uint64_t)groups[k].kind, 1);
    clp_put_number(&c, w->size + groups[k].begin, 8);
    clp_put_number(&c, groups[k].length, 8);
    finish(bytes, CLP_MCAP_SUMMARY_OFFSET, &c);
  }
}

static bool write_end(clp_mcap_writer *w)
{
  enum { DATA_END = CLP_MCAP_HEAD + 4 };
  clp_bytes bytes = {0};
  group groups[GROUPS];
  clp_put_number(&bytes, CLP_MCAP_DATA_END, 1);
  clp_put_number(&bytes, 4, 8);
  clp_put_number(&bytes, 0, 4); /* the chunks have their own checksums */
  put_groups(w, &bytes, groups);
  uint64_t offsets = w->size + bytes.size;
  put_offsets(w, &bytes, groups);
  clp_put_number(&bytes, CLP_MCAP_FOOTER, 1);
  clp_put_number(&bytes, CLP_MCAP_FOOTER_SIZE, 8);
  clp_put_number(&bytes, w->size + DATA_END, 8);
  clp_put_number(&bytes, offsets, 8);
  if (!bytes.failed)
    clp_put_number(&bytes, clp_crc32(0, bytes.data + DATA_END, bytes.size - DATA_END), 4);
  clp_put(&bytes, CLP_MCAP_MAGIC, CLP_MCAP_MAGIC_SIZE);
  bool good = append(w, &bytes);
  clp_bytes_release(&bytes);
  return good;
}

bool clp_mcap_writer_close(clp_mcap_writer *writer)
{
  bool good = write_end(writer);
  int reason = errno;
  if (close(writer->file) != 0 && good) {
    good = false;
    reason = errno;
  }
  writer->file = -1;
  errno = reason;
  release(writer);
  return good;
}
