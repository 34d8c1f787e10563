/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_CRC32_H
#define RCLC_CLOSEST_POINT_BAG_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of IEEE 802.3, of what `before` is the checksum of and these bytes; of nothing it is
 * 0. */
uint32_t clp_crc32(uint32_t before, const void *bytes, size_t size);

#endif
