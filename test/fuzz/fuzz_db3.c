/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/bag_messages.h"
#include "rclc_closest_point/bag/bag_file.h"

/* libFuzzer's entry: any bytes as a database of rosbag2. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file of so many bytes has no more messages. */
static void read_all(void *reader, size_t size)
{
  const clp_file_kind *kind = &clp_db3_kind_of_file;
  clp_file_message message;
  size_t count = 0;
  while (kind->next(reader, &message)) {
    require_text(message.topic);
    require_text(message.type);
    hear_everything(message.bytes, message.size);
    require(count++ <= size);
  }
  (void)kind->range(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64], why[128] = "";
  int file = memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0 && write(file, data, size) == (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  void *reader = clp_db3_reader_open(path, why, sizeof why);
  if (reader) {
    read_all(reader, size);
    clp_db3_kind_of_file.rewind(reader, 0);
    read_all(reader, size);
    clp_db3_kind_of_file.close(reader);
  } else {
    require(*why);
  }
  close(file);
  return 0;
}
