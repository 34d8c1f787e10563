/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/crc32.h"

/* The remainders of four bits by the polynomial, lowest power first. */
static const uint32_t remainders[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

uint32_t clp_crc32(uint32_t before, const void *bytes, size_t size)
{
  const unsigned char *byte = bytes;
  uint32_t rest = ~before;
  for (size_t k = 0; k < size; ++k) {
    rest ^= byte[k];
    rest = rest >> 4 ^ remainders[rest & 15];
    rest = rest >> 4 ^ remainders[rest & 15];
  }
  return ~rest;
}
