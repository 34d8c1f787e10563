/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* fmemopen */

#include "fuzz/bag_messages.h"
#include "rclc_closest_point/bag/bag_file.h"

/* libFuzzer's entry: any bytes as an MCAP file, read twice, and from the middle of its times. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t read_all(void *reader, int64_t begin)
{
  const clp_file_kind *kind = &clp_mcap_kind_of_file;
  clp_file_message message;
  size_t count = 0;
  kind->rewind(reader, begin);
  while (kind->next(reader, &message)) {
    require_text(message.topic);
    require_text(message.type);
    require(message.received >= begin);
    hear_everything(message.bytes, message.size);
    double progress = kind->progress(reader);
    require(progress >= 0 && progress <= 1);
    ++count;
  }
  require(memchr(kind->damage(reader)->text, '\0', sizeof kind->damage(reader)->text));
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char why[64] = "";
  if (size == 0)
    return 0;
  void *copy = malloc(size);
  require(copy);
  memcpy(copy, data, size);
  FILE *stream = fmemopen(copy, size, "rb");
  require(stream);
  void *reader = clp_mcap_reader_open(stream, why, sizeof why);
  if (reader) {
    size_t count = read_all(reader, INT64_MIN);
    clp_file_range range = clp_mcap_kind_of_file.range(reader);
    require(read_all(reader, INT64_MIN) == count);
    if (range.first < range.last)
      require(read_all(reader, range.first / 2 + range.last / 2) <= count);
    clp_mcap_kind_of_file.close(reader);
  } else {
    require(*why);
    fclose(stream);
  }
  free(copy);
  return 0;
}
