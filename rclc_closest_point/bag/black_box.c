/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/black_box.h"

#include <stdlib.h>
#include <string.h>

/* Latched messages are few; somebody may send ever new ones all the same. */
#define LATCHED_MOST 1000
#define LATCHED_BYTES ((size_t)64 << 20)

/* ---- Chunks ------------------------------------------------------------------------------- */

static clp_mcap_sealed *place(const clp_black_box *box, size_t k)
{
  return &box->chunks[(box->first + k) % box->room];
}

const clp_mcap_sealed *clp_black_box_at(const clp_black_box *box, size_t k)
{
  return place(box, k);
}

static void drop_oldest(clp_black_box *box)
{
  clp_mcap_sealed *oldest = place(box, 0);
  box->bytes -= oldest->bytes.room;
  clp_mcap_sealed_release(oldest);
  box->first = (box->first + 1) % box->room;
  --box->count;
}

static bool grow(clp_black_box *box)
{
  size_t room = box->room > 0 ? 2 * box->room : 16;
  clp_mcap_sealed *chunks = malloc(room * sizeof *chunks);
  if (!chunks)
    return false;
  for (size_t k = 0; k < box->count; ++k)
    chunks[k] = *place(box, k);
  free(box->chunks);
  box->chunks = chunks;
  box->room = room;
  box->first = 0;
  return true;
}

/* What compressing might have needed and did not goes back. */
static void shrink(clp_bytes *bytes)
{
  void *data = realloc(bytes->data, bytes->size);
  if (data) {
    bytes->data = data;
    bytes->room = bytes->size;
  }
}

bool clp_black_box_keep(clp_black_box *box, clp_mcap_sealed *sealed, int64_t oldest, size_t most)
{
  while (box->count > 0 && (int64_t)place(box, 0)->last < oldest)
    drop_oldest(box);
  if (box->count == box->room && !grow(box)) {
    clp_mcap_sealed_release(sealed);
    return false;
  }
  shrink(&sealed->bytes);
  ++box->count;
  *place(box, box->count - 1) = *sealed;
  box->bytes += sealed->bytes.room;
  bool fits = box->bytes <= most;
  while (box->bytes > most && box->count > 1)
    drop_oldest(box);
  return fits;
}

/* ---- Latched messages --------------------------------------------------------------------- */

static void forget_oldest(clp_black_box *box)
{
  box->latched_bytes -= box->latched[0].size;
  free(box->latched[0].bytes);
  --box->latched_count;
  memmove(box->latched, box->latched + 1, box->latched_count * sizeof *box->latched);
}

static bool is_known(const clp_black_box *box, int channel, const void *bytes, size_t size)
{
  for (size_t k = 0; k < box->latched_count; ++k) {
    const clp_latched_message *m = &box->latched[k];
    if (m->channel == channel && m->size == size && memcmp(m->bytes, bytes, size) == 0)
      return true;
  }
  return false;
}

bool clp_black_box_latch(clp_black_box *box, int channel, int64_t sent, const void *bytes,
                         size_t size)
{
  if (is_known(box, channel, bytes, size))
    return true;
  if (!box->latched)
    box->latched = calloc(LATCHED_MOST, sizeof *box->latched);
  void *copy = malloc(size > 0 ? size : 1);
  if (!box->latched || !copy) {
    free(copy);
    return false;
  }
  memcpy(copy, bytes, size);
  while (box->latched_count > 0 &&
         (box->latched_count == LATCHED_MOST || box->latched_bytes + size > LATCHED_BYTES))
    forget_oldest(box);
  box->latched[box->latched_count++] = (clp_latched_message){channel, sent, copy, size};
  box->latched_bytes += size;
  return true;
}

/* ---- Its end ------------------------------------------------------------------------------ */

void clp_black_box_release(clp_black_box *box)
{
  while (box->count > 0)
    drop_oldest(box);
  while (box->latched_count > 0)
    forget_oldest(box);
  free(box->chunks);
  free(box->latched);
  *box = (clp_black_box){0};
}
