/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/bag_messages.h"

/* libFuzzer's entry: any bytes as a message of each type. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hear_everything(data, size);
  return 0;
}
