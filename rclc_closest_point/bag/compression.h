/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_COMPRESSION_H
#define RCLC_CLOSEST_POINT_BAG_COMPRESSION_H

/* lz4 frames and zstd, where their libraries were there when this was built. */

#include "rclc_closest_point/bag/bytes.h"

typedef enum clp_compression {
  CLP_COMPRESSION_NONE,
  CLP_COMPRESSION_LZ4,
  CLP_COMPRESSION_ZSTD,
  CLP_COMPRESSIONS
} clp_compression;

/* As MCAP files have it: "", "lz4", "zstd". */
const char *clp_compression_name(clp_compression compression);

/* Whether it can be done here. */
bool clp_compression_is_there(clp_compression compression);

/* Adds the bytes, compressed. False: there is no memory. */
bool clp_compress(clp_compression compression, const void *bytes, size_t size, clp_bytes *out);

/* Exactly `room` bytes come of it, or it is damaged: false. */
bool clp_decompress(clp_compression compression, const void *bytes, size_t size, void *out,
                    size_t room);

/* Of one zstd frame that tells its size, up to `most`, as rosbag2 has it in place of a message.
 * False: it is none, damaged, larger, or there is no memory. */
bool clp_is_zstd(const void *bytes, size_t size);
bool clp_decompress_message(const void *bytes, size_t size, size_t most, clp_bytes *out);

#endif
