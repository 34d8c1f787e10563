/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/compression.h"

#include <string.h>

#ifdef CLP_LZ4
#include <lz4frame.h>
#endif
#ifdef CLP_ZSTD
#include <zstd.h>
#endif

/* A recorder is to cost little beside a robot. */
#define ZSTD_LEVEL 1

const char *clp_compression_name(clp_compression compression)
{
  static const char *const names[CLP_COMPRESSIONS] = {"", "lz4", "zstd"};
  return names[compression];
}

bool clp_compression_is_there(clp_compression compression)
{
  switch (compression) {
    case CLP_COMPRESSION_NONE:
      return true;
    case CLP_COMPRESSION_LZ4:
#ifdef CLP_LZ4
      return true;
#else
      return false;
#endif
    case CLP_COMPRESSION_ZSTD:
#ifdef CLP_ZSTD
      return true;
#else
      return false;
#endif
    default:
      return false;
  }
}

/* ---- lz4 ---------------------------------------------------------------------------------- */

#ifdef CLP_LZ4

static bool compress_lz4(const void *bytes, size_t size, clp_bytes *out)
{
  LZ4F_preferences_t wanted = {.frameInfo = {.contentSize = size}};
  size_t most = LZ4F_compressFrameBound(size, &wanted);
  if (LZ4F_isError(most) || !clp_bytes_reserve(out, most))
    return false;
  size_t length = LZ4F_compressFrame(out->data + out->size, most, bytes, size, &wanted);
  if (LZ4F_isError(length))
    return false;
  out->size += length;
  return true;
}

static bool decompress_lz4(const void *bytes, size_t size, void *out, size_t room)
{
  LZ4F_dctx *context = NULL;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
    return false;
  size_t read = 0, written = 0, more = 1;
  while (more != 0 && !LZ4F_isError(more) && read < size) {
    size_t in = size - read, to = room - written;
    more =
        LZ4F_decompress(context, (char *)out + written, &to, (const char *)bytes + read, &in, NULL);
    read += in;
    written += to;
    if (in == 0 && to == 0)
      break;
  }
  (void)LZ4F_freeDecompressionContext(context);
  return more == 0 && written == room;
}

#else

static bool compress_lz4(const void *bytes, size_t size, clp_bytes *out)
{
  (void)bytes, (void)size, (void)out;
  return false;
}

static bool decompress_lz4(const void *bytes, size_t size, void *out, size_t room)
{
  (void)bytes, (void)size, (void)out, (void)room;
  return false;
}

#endif

/* ---- zstd --------------------------------------------------------------------------------- */

#ifdef CLP_ZSTD

static bool compress_zstd(const void *bytes, size_t size, clp_bytes *out)
{
  size_t most = ZSTD_compressBound(size);
  if (!clp_bytes_reserve(out, most))
    return false;
  size_t length = ZSTD_compress(out->data + out->size, most, bytes, size, ZSTD_LEVEL);
  if (ZSTD_isError(length))
    return false;
  out->size += length;
  return true;
}

static bool decompress_zstd(const void *bytes, size_t size, void *out, size_t room)
{
  return ZSTD_decompress(out, room, bytes, size) == room;
}

bool clp_decompress_message(const void *bytes, size_t size, size_t most, clp_bytes *out)
{
  unsigned long long told = ZSTD_getFrameContentSize(bytes, size);
  out->size = 0;
  if (told == ZSTD_CONTENTSIZE_ERROR || told == ZSTD_CONTENTSIZE_UNKNOWN || told > most ||
      !clp_bytes_reserve(out, (size_t)told + 1))
    return false;
  out->size = (size_t)told;
  return decompress_zstd(bytes, size, out->data, out->size);
}

#else

static bool compress_zstd(const void *bytes, size_t size, clp_bytes *out)
{
  (void)bytes, (void)size, (void)out;
  return false;
}

static bool decompress_zstd(const void *bytes, size_t size, void *out, size_t room)
{
  (void)bytes, (void)size, (void)out, (void)room;
  return false;
}

bool clp_decompress_message(const void *bytes, size_t size, size_t most, clp_bytes *out)
{
  (void)bytes, (void)size, (void)most, (void)out;
  return false;
}

#endif

/* ---- All of them -------------------------------------------------------------------------- */

bool clp_is_zstd(const void *bytes, size_t size)
{
  static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};
  return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

bool clp_compress(clp_compression compression, const void *bytes, size_t size, clp_bytes *out)
{
  switch (compression) {
    case CLP_COMPRESSION_LZ4:
      return compress_lz4(bytes, size, out);
    case CLP_COMPRESSION_ZSTD:
      return compress_zstd(bytes, size, out);
    default:
      clp_put(out, bytes, size);
      return !out->failed;
  }
}

bool clp_decompress(clp_compression compression, const void *bytes, size_t size, void *out,
                    size_t room)
{
  switch (compression) {
    case CLP_COMPRESSION_LZ4:
      return decompress_lz4(bytes, size, out, room);
    case CLP_COMPRESSION_ZSTD:
      return decompress_zstd(bytes, size, out, room);
    default:
      if (size != room)
        return false;
      memcpy(out, bytes, size);
      return true;
  }
}
