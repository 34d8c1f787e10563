/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strcasecmp */

#include "rclc_closest_point/view/access.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/model/number.h"

const char *const clp_admission_texts[] = {
    [CLP_WELCOME] = "welcome",
    [CLP_WRONG_HOST] = "the Host of the request is not an address that is served here",
    [CLP_WRONG_ORIGIN] = "a page from elsewhere may not connect without the token in the address",
    [CLP_WRONG_TOKEN] = "the address needs ?token= and what closest_point view has printed"};
CLP_COMPLETE(clp_admission_texts, CLP_ADMISSIONS);

/* ---- Addresses ---------------------------------------------------------------------------- */

static bool is_loopback(const char *address)
{
  unsigned char bytes[16];
  static const unsigned char one[16] = {[15] = 1};
  if (inet_pton(AF_INET, address, bytes) == 1)
    return bytes[0] == 127;
  return inet_pton(AF_INET6, address, bytes) == 1 && memcmp(bytes, one, sizeof one) == 0;
}

static bool is_address(const char *text)
{
  unsigned char bytes[16];
  return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

bool clp_access_set_address(clp_access *access, const char *address, int port)
{
  if (!is_address(address))
    return false;
  snprintf(access->address, sizeof access->address, "%s", address);
  access->port = port;
  access->loopback = is_loopback(address);
  return true;
}

/* ---- The token ---------------------------------------------------------------------------- */

bool clp_access_make_token(clp_access *access)
{
  unsigned char bytes[CLP_TOKEN_LENGTH / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (size_t k = 0; k < sizeof bytes; ++k)
    snprintf(access->token + 2 * k, 3, "%02x", bytes[k]);
  return true;
}

bool clp_access_is_token(const clp_access *access, const char *text, size_t length)
{
  unsigned char difference = length != CLP_TOKEN_LENGTH || !*access->token;
  for (size_t k = 0; k < CLP_TOKEN_LENGTH; ++k) {
    char given = k < length ? text[k] : '\0';
    difference = (unsigned char)(difference | (unsigned char)(given ^ access->token[k]));
  }
  return difference == 0;
}

const char *clp_access_member(const char *list, char separator, const char *name, size_t *length)
{
  size_t wanted = strlen(name);
  while (list && *list) {
    list += strspn(list, " ");
    const char *end = strchr(list, separator);
    size_t size = end ? (size_t)(end - list) : strlen(list);
    if (size > wanted && strncmp(list, name, wanted) == 0 && list[wanted] == '=') {
      *length = size - wanted - 1;
      return list + wanted + 1;
    }
    list = end ? end + 1 : NULL;
  }
  return NULL;
}

static bool has_token(const clp_access *access, const char *list, char separator, const char *name)
{
  size_t length = 0;
  const char *value = clp_access_member(list, separator, name, &length);
  return value && clp_access_is_token(access, value, length);
}

/* ---- Host and Origin ---------------------------------------------------------------------- */

/* "NAME:PORT", "[IPV6]:PORT" or without the port, which then is 80, in two. */
static bool divide_host(const char *host, char name[64], int *port)
{
  const char *colon = strrchr(host, ':');
  const char *bracket = strrchr(host, ']');
  if (colon && bracket && colon < bracket)
    colon = NULL;
  size_t length = colon ? (size_t)(colon - host) : strlen(host);
  if (length > 0 && host[0] == '[') {
    if (!bracket || bracket != host + length - 1)
      return false;
    ++host;
    length -= 2;
  }
  if (length == 0 || length >= 64)
    return false;
  memcpy(name, host, length);
  name[length] = '\0';
  *port = 80;
  return !colon ||
         (clp_parse_int(colon + 1, strlen(colon + 1), port) == CLP_NUMBER_FINE && *port > 0);
}

/* A name could have been bound to this machine by whoever owns it; digits, and localhost, not. What
 * is reached through a tunnel has another port there, but on the loopback interface of both. */
static bool is_own_host(const clp_access *access, const char *host)
{
  char name[64];
  int port;
  if (!host || !divide_host(host, name, &port))
    return false;
  bool local = strcasecmp(name, "localhost") == 0 || is_loopback(name);
  if (local)
    return true;
  return !access->loopback && is_address(name) && port == access->port;
}

static bool is_own_origin(const char *origin, const char *host)
{
  static const char scheme[] = "http://";
  return strncasecmp(origin, scheme, sizeof scheme - 1) == 0 &&
         strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

bool clp_access_is_own_page(const clp_request_facts *facts)
{
  return facts->origin && *facts->origin && facts->host &&
         is_own_origin(facts->origin, facts->host);
}

clp_admission clp_access_judge(const clp_access *access, const clp_request_facts *facts)
{
  if (!is_own_host(access, facts->host))
    return CLP_WRONG_HOST;
  bool asked = has_token(access, facts->query, '&', CLP_TOKEN_NAME);
  if (facts->origin && *facts->origin && !is_own_origin(facts->origin, facts->host) && !asked)
    return CLP_WRONG_ORIGIN;
  if (!*access->token || asked || has_token(access, facts->cookie, ';', CLP_COOKIE_NAME))
    return CLP_WELCOME;
  return CLP_WRONG_TOKEN;
}
