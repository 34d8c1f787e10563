/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* strsep */

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/view/access.h"
#include "rclc_closest_point/view/client.h"

/* libFuzzer's entry: any bytes as the headers of a request, a line each, and as what a client of
 * the view says. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool promise)
{
  if (!promise)
    abort();
}

enum { HEADERS = 4 };

/* Nobody comes in without the token. */
static void judge(const char *text)
{
  static const char token[] = "0123456789abcdef0123456789abcdef";
  clp_access access = {0};
  require(clp_access_set_address(&access, "0.0.0.0", 8765));
  memcpy(access.token, token, sizeof token);
  char *copy = strdup(text), *rest = copy;
  require(copy);
  const char *lines[HEADERS] = {NULL};
  for (int k = 0; k < HEADERS && rest; ++k)
    lines[k] = strsep(&rest, "\n");
  clp_request_facts facts = {lines[0], lines[1], lines[2], lines[3]};
  if (clp_access_judge(&access, &facts) == CLP_WELCOME)
    require((facts.query && strstr(facts.query, token)) ||
            (facts.cookie && strstr(facts.cookie, token)));
  free(copy);
}

static void take_control(void *user, clp_control what, uint32_t value)
{
  (void)value;
  require(what > CLP_CONTROL_NONE && what <= CLP_CONTROL_PREVIOUS);
  ++*(int *)user;
}

/* Twice, so that what is there already and what has gone are asked for, too. */
static void obey(const char *text, size_t size)
{
  static clp_channels channels;
  static clp_client client;
  const clp_channel channel = {"/x", "cdr", "a/msg/B", "", "ros2msg", CLP_FLOW_STREAM};
  while (channels.count < 3)
    require(clp_channels_add(&channels, &channel) >= 0);
  int controls = 0;
  clp_client_begin(&client, 0);
  client.own_page = true;
  client.playing = (clp_playing){take_control, &controls};
  for (int k = 0; k < 2; ++k)
    clp_client_obey(&client, &channels, text, size);
  require(controls == 0 || controls == 2);
  for (int k = 0; k < client.subscription_count; ++k)
    require(client.subscriptions[k].channel >= 0 &&
            client.subscriptions[k].channel < channels.count);
  clp_client_end(&client);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  obey((const char *)data, size);
  char *text = strndup((const char *)data, size);
  require(text);
  judge(text);
  free(text);
  return 0;
}
