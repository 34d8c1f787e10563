/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/mcap_chunk.h"

#include "rclc_closest_point/bag/crc32.h"
#include "rclc_closest_point/bag/mcap_format.h"

#define INDEX_ENTRY 16 /* bytes: a time and a place */

void clp_mcap_put_record(clp_bytes *bytes, uint8_t kind, const clp_bytes *content)
{
  clp_put_number(bytes, kind, 1);
  clp_put_number(bytes, content->size, 8);
  clp_put(bytes, content->data, content->size);
  bytes->failed |= content->failed;
}

bool clp_mcap_chunk_add(clp_mcap_chunk *chunk, const clp_mcap_message *message)
{
  clp_bytes *records = &chunk->records, *index = &chunk->indices[message->channel];
  size_t at = records->size;
  if (!clp_bytes_reserve(records, CLP_MCAP_HEAD + CLP_MCAP_MESSAGE_HEAD + message->size) ||
      !clp_bytes_reserve(index, INDEX_ENTRY)) {
    records->failed = index->failed = false;
    return false;
  }
  clp_put_number(records, CLP_MCAP_MESSAGE, 1);
  clp_put_number(records, CLP_MCAP_MESSAGE_HEAD + message->size, 8);
  clp_put_number(records, message->channel, 2);
  clp_put_number(records, message->sequence, 4);
  clp_put_number(records, message->log_time, 8);
  clp_put_number(records, message->publish_time, 8);
  clp_put(records, message->bytes, message->size);
  clp_put_number(index, message->log_time, 8);
  clp_put_number(index, at, 8);
  if (chunk->message_count == 0 || message->log_time < chunk->first)
    chunk->first = message->log_time;
  if (chunk->message_count == 0 || message->log_time > chunk->last)
    chunk->last = message->log_time;
  ++chunk->message_count;
  ++chunk->counts[message->channel];
  return true;
}

/* The chunk's record. Its length, and that of what is compressed, are known at the end. */
static bool put_chunk(const clp_mcap_chunk *chunk, clp_mcap_sealed *sealed)
{
  clp_bytes *bytes = &sealed->bytes;
  clp_put_number(bytes, CLP_MCAP_CHUNK, 1);
  clp_put_number(bytes, 0, 8);
  clp_put_number(bytes, chunk->first, 8);
  clp_put_number(bytes, chunk->last, 8);
  clp_put_number(bytes, chunk->records.size, 8);
  clp_put_number(bytes, clp_crc32(0, chunk->records.data, chunk->records.size), 4);
  clp_put_text(bytes, clp_compression_name(sealed->compression));
  clp_put_number(bytes, 0, 8);
  size_t begin = bytes->size;
  if (bytes->failed ||
      !clp_compress(sealed->compression, chunk->records.data, chunk->records.size, bytes))
    return false;
  sealed->compressed = bytes->size - begin;
  sealed->uncompressed = chunk->records.size;
  sealed->chunk_length = bytes->size;
  clp_set_number(bytes, begin - 8, sealed->compressed, 8);
  clp_set_number(bytes, 1, bytes->size - CLP_MCAP_HEAD, 8);
  return true;
}

static void put_indices(const clp_mcap_chunk *chunk, clp_mcap_sealed *sealed)
{
  for (int k = 0; k < CLP_MCAP_CHANNELS; ++k) {
    const clp_bytes *index = &chunk->indices[k];
    if (chunk->counts[k] == 0)
      continue;
    sealed->index_at[k] = sealed->bytes.size;
    clp_put_number(&sealed->bytes, CLP_MCAP_MESSAGE_INDEX, 1);
    clp_put_number(&sealed->bytes, 2 + 4 + index->size, 8);
    clp_put_number(&sealed->bytes, (uint64_t)k, 2);
    clp_put_number(&sealed->bytes, index->size, 4);
    clp_put(&sealed->bytes, index->data, index->size);
  }
}

/* What it has room for stays. */
static void empty(clp_mcap_chunk *chunk)
{
  chunk->records.size = 0;
  chunk->message_count = 0;
  for (int k = 0; k < CLP_MCAP_CHANNELS; ++k) {
    chunk->indices[k].size = 0;
    chunk->counts[k] = 0;
  }
}

bool clp_mcap_chunk_seal(clp_mcap_chunk *chunk, clp_compression compression,
                         clp_mcap_sealed *sealed)
{
  clp_mcap_sealed s = {.first = chunk->first, .last = chunk->last, .compression = compression};
  if (chunk->message_count == 0)
    s.first = s.last = 0;
  for (int k = 0; k < CLP_MCAP_CHANNELS; ++k)
    s.counts[k] = chunk->counts[k];
  bool good = put_chunk(chunk, &s);
  if (good)
    put_indices(chunk, &s);
  good = good && !s.bytes.failed;
  empty(chunk);
  if (good)
    *sealed = s;
  else
    clp_mcap_sealed_release(&s);
  return good;
}

void clp_mcap_chunk_release(clp_mcap_chunk *chunk)
{
  clp_bytes_release(&chunk->records);
  for (int k = 0; k < CLP_MCAP_CHANNELS; ++k)
    clp_bytes_release(&chunk->indices[k]);
}

void clp_mcap_sealed_release(clp_mcap_sealed *sealed)
{
  clp_bytes_release(&sealed->bytes);
}
