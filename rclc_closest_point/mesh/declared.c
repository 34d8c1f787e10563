/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */

#include "rclc_closest_point/mesh/declared.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char *find(const char *from, const char *end, const char *word)
{
  return from < end ? memmem(from, (size_t)(end - from), word, strlen(word)) : NULL;
}

/* The number behind what may stand between it and its name; beyond all limits where it has too many
 * digits. */
static uint64_t number_after(const char *at, const char *end)
{
  uint64_t n = 0;
  while (at < end && *at && strchr(" \t\r\n\"':=", *at))
    ++at;
  for (; at < end && *at >= '0' && *at <= '9'; ++at)
    n = n < UINT64_MAX / 16 ? 10 * n + (uint64_t)(*at - '0') : UINT64_MAX / 2;
  return n;
}

static void offer(clp_declared *most, uint64_t count, const char *what)
{
  if (count > most->count)
    *most = (clp_declared){count, what};
}

static bool is_in_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* What is named so, and not what has the name in its own, as an "account17". */
static void offer_named(clp_declared *most, const char *bytes, const char *end, const char *name,
                        const char *what)
{
  for (const char *at = bytes; (at = find(at, end, name)) != NULL;) {
    bool whole = (at == bytes || !is_in_word(at[-1])) && !is_in_word(at[strlen(name)]);
    at += strlen(name);
    if (whole)
      offer(most, number_after(at, end), what);
  }
}

/* element NAME COUNT, in the lines before end_header. */
static void offer_elements(clp_declared *most, const char *bytes, const char *end)
{
  const char *body = find(bytes, end, "end_header");
  for (const char *at = bytes; (at = find(at, body ? body : end, "element ")) != NULL;) {
    at += strlen("element ");
    at += strspn(at, " ");
    at += strcspn(at, " \r\n");
    offer(most, number_after(at, end), "elements");
  }
}

static uint64_t little_endian(const char *at)
{
  const unsigned char *b = (const unsigned char *)at;
  return b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24;
}

/* The whole's length, and its first chunk's. */
static void offer_glb(clp_declared *most, const char *bytes, size_t length)
{
  for (size_t at = 8; at <= 12 && at + 4 <= length; at += 4)
    offer(most, little_endian(bytes + at), "bytes");
}

clp_declared clp_declared_most(const char *bytes, size_t length, const char *ending)
{
  const char *end = bytes + length;
  clp_declared most = {0, ""};
  if (strcasecmp(ending, ".ply") == 0)
    offer_elements(&most, bytes, end);
  if (strcasecmp(ending, ".glb") == 0)
    offer_glb(&most, bytes, length);
  if (strcasecmp(ending, ".dae") == 0 || strncasecmp(ending, ".gl", 3) == 0) {
    offer_named(&most, bytes, end, "count", "things");
    offer_named(&most, bytes, end, "byteLength", "bytes");
  }
  return most;
}
