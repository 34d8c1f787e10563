/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/view/outbox.h"

#include <stdlib.h>
#include <string.h>

clp_packet *clp_packet_create(uint64_t time, const void *bytes, size_t size)
{
  clp_packet *packet = malloc(sizeof *packet + size);
  if (!packet)
    return NULL;
  packet->references = 1;
  packet->time = time;
  packet->size = size;
  if (size > 0)
    memcpy(packet->bytes, bytes, size);
  return packet;
}

void clp_packet_release(clp_packet *packet)
{
  if (packet && --packet->references == 0)
    free(packet);
}

static clp_outbox_entry *entry_at(clp_outbox *outbox, int k)
{
  return &outbox->entries[(outbox->first + k) % CLP_OUTBOX_ENTRIES];
}

/* The rest moves up. */
static void remove_at(clp_outbox *outbox, int k)
{
  clp_packet *packet = entry_at(outbox, k)->packet;
  outbox->bytes -= packet->size;
  clp_packet_release(packet);
  for (; k + 1 < outbox->count; ++k)
    *entry_at(outbox, k) = *entry_at(outbox, k + 1);
  --outbox->count;
}

static bool drop_oldest(clp_outbox *outbox)
{
  for (int k = 0; k < outbox->count; ++k)
    if (!entry_at(outbox, k)->text) {
      remove_at(outbox, k);
      ++outbox->dropped;
      return true;
    }
  return false;
}

static bool make_room(clp_outbox *outbox, size_t size)
{
  bool room = true;
  while (room && (outbox->count == CLP_OUTBOX_ENTRIES || outbox->bytes + size > CLP_OUTBOX_BYTES))
    room = drop_oldest(outbox);
  return room;
}

static bool append(clp_outbox *outbox, clp_outbox_entry entry)
{
  if (!make_room(outbox, entry.packet->size)) {
    ++outbox->dropped;
    return false;
  }
  ++entry.packet->references;
  *entry_at(outbox, outbox->count++) = entry;
  outbox->bytes += entry.packet->size;
  return true;
}

bool clp_outbox_put(clp_outbox *outbox, clp_packet *packet, uint32_t subscription, bool newest)
{
  for (int k = 0; newest && k < outbox->count; ++k) {
    clp_outbox_entry *entry = entry_at(outbox, k);
    if (entry->text || entry->subscription != subscription)
      continue;
    outbox->bytes += packet->size - entry->packet->size;
    ++packet->references;
    clp_packet_release(entry->packet);
    entry->packet = packet;
    return true;
  }
  return append(outbox, (clp_outbox_entry){packet, subscription, false});
}

bool clp_outbox_put_text(clp_outbox *outbox, clp_packet *packet)
{
  return append(outbox, (clp_outbox_entry){packet, 0, true});
}

clp_outbox_entry clp_outbox_take(clp_outbox *outbox)
{
  if (outbox->count == 0)
    return (clp_outbox_entry){NULL, 0, false};
  clp_outbox_entry entry = *entry_at(outbox, 0);
  outbox->first = (outbox->first + 1) % CLP_OUTBOX_ENTRIES;
  --outbox->count;
  outbox->bytes -= entry.packet->size;
  return entry;
}

void clp_outbox_forget(clp_outbox *outbox, uint32_t subscription)
{
  for (int k = outbox->count - 1; k >= 0; --k)
    if (!entry_at(outbox, k)->text && entry_at(outbox, k)->subscription == subscription)
      remove_at(outbox, k);
}

void clp_outbox_clear(clp_outbox *outbox)
{
  while (outbox->count > 0)
    remove_at(outbox, outbox->count - 1);
}
