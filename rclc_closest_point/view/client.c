/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/view/client.h"

#include <stdio.h>

#include "rclc_closest_point/base/table.h"

void clp_client_begin(clp_client *client, int64_t now)
{
  client->requests = CLP_VIEW_REQUESTS_BURST;
  client->counted = client->taken = now;
}

void clp_client_end(clp_client *client)
{
  clp_outbox_clear(&client->outbox);
}

bool clp_client_may_ask(clp_client *client, int64_t now)
{
  double fresh = 1e-6 * (double)(now - client->counted) * CLP_VIEW_REQUESTS_RATE;
  double sum = client->requests + fresh;
  client->requests = sum < CLP_VIEW_REQUESTS_BURST ? sum : CLP_VIEW_REQUESTS_BURST;
  client->counted = now;
  if (client->requests < 1)
    return false;
  client->requests -= 1;
  return true;
}

void clp_client_note(clp_client *client, int level, const char *message)
{
  clp_packet *note = clp_status_note(level, message);
  if (note)
    clp_outbox_put_text(&client->outbox, note);
  clp_packet_release(note);
}

/* ---- Subscriptions ------------------------------------------------------------------------ */

static clp_subscription *find_subscription(clp_client *client, uint32_t id)
{
  for (int k = 0; k < client->subscription_count; ++k)
    if (client->subscriptions[k].id == id)
      return &client->subscriptions[k];
  return NULL;
}

static void note_item(clp_client *client, const char *problem, uint32_t number)
{
  char text[96];
  snprintf(text, sizeof text, "%s %lu", problem, (unsigned long)number);
  clp_client_note(client, 1, text);
}

static void subscribe(clp_client *client, const clp_channels *channels, clp_subscription_item item)
{
  if (item.channel == 0 || item.channel > (uint32_t)channels->count) {
    note_item(client, "there is no channel", item.channel);
    return;
  }
  if (find_subscription(client, item.id)) {
    note_item(client, "there is already a subscription", item.id);
    return;
  }
  if (client->subscription_count == CLP_ROWS(client->subscriptions)) {
    note_item(client, "too many subscriptions, not accepted:", item.id);
    return;
  }
  client->subscriptions[client->subscription_count++] =
      (clp_subscription){item.id, (int)item.channel - 1, 0, channels->last_serial};
}

static void unsubscribe(clp_client *client, uint32_t id)
{
  clp_subscription *subscription = find_subscription(client, id);
  if (!subscription) {
    note_item(client, "there is no subscription", id);
    return;
  }
  *subscription = client->subscriptions[--client->subscription_count];
  clp_outbox_forget(&client->outbox, id);
}

/* Read-only all the same: what it changes is when this server says what. */
static void control(clp_client *client, const clp_request *request)
{
  if (!client->playing.obey)
    clp_client_note(client, 1, "this is live: there is no recording to be played");
  else if (!client->own_page)
    clp_client_note(client, 1, "the recording is played by the server's own page alone");
  else
    client->playing.obey(client->playing.user, request->control, request->value);
}

void clp_client_obey(clp_client *client, const clp_channels *channels, const char *text,
                     size_t size)
{
  clp_request request;
  if (!clp_request_read(text, size, &request)) {
    clp_client_note(client, 2, "this is no request of the protocol");
    return;
  }
  if (request.operation == CLP_OP_UNKNOWN)
    clp_client_note(client, 1,
                    "only subscribe and unsubscribe are served: nothing can be published");
  if (request.operation == CLP_OP_PLAYBACK)
    control(client, &request);
  for (int k = 0; k < request.count; ++k)
    if (request.operation == CLP_OP_SUBSCRIBE)
      subscribe(client, channels, request.items[k]);
    else if (request.operation == CLP_OP_UNSUBSCRIBE)
      unsubscribe(client, request.items[k].id);
}

void clp_client_hush(clp_client *client)
{
  for (int k = 0; k < client->subscription_count; ++k)
    clp_outbox_forget(&client->outbox, client->subscriptions[k].id);
}

/* ---- What goes out ------------------------------------------------------------------------ */

void clp_client_offer(clp_client *client, const clp_channels *channels, int channel,
                      clp_packet *packet)
{
  for (int k = 0; k < client->subscription_count; ++k)
    if (client->subscriptions[k].channel == channel)
      clp_outbox_put(&client->outbox, packet, client->subscriptions[k].id,
                     channels->items[channel].flow == CLP_FLOW_NEWEST);
}

static const clp_kept *next_kept(const clp_channels *channels, const clp_subscription *subscription)
{
  const clp_kept *kept =
      subscription->cursor < subscription->until
          ? clp_channels_next_kept(channels, subscription->channel, subscription->cursor)
          : NULL;
  return kept && kept->serial <= subscription->until ? kept : NULL;
}

static clp_outbox_entry take_kept(clp_client *client, const clp_channels *channels)
{
  for (int k = 0; k < client->subscription_count; ++k) {
    clp_subscription *subscription = &client->subscriptions[k];
    const clp_kept *kept = next_kept(channels, subscription);
    subscription->cursor = kept ? kept->serial : subscription->until;
    if (!kept)
      continue;
    ++kept->packet->references;
    return (clp_outbox_entry){kept->packet, subscription->id, false};
  }
  return (clp_outbox_entry){NULL, 0, false};
}

clp_outbox_entry clp_client_next(clp_client *client, const clp_channels *channels)
{
  clp_outbox_entry entry = {NULL, 0, false};
  client->turn = !client->turn;
  if (client->turn)
    entry = take_kept(client, channels);
  if (!entry.packet)
    entry = clp_outbox_take(&client->outbox);
  return entry.packet || client->turn ? entry : take_kept(client, channels);
}

bool clp_client_waits(const clp_client *client, const clp_channels *channels)
{
  bool waits = client->outbox.count > 0;
  for (int k = 0; !waits && k < client->subscription_count; ++k)
    waits = next_kept(channels, &client->subscriptions[k]) != NULL;
  return waits;
}
