/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/view/request.h"

#include <string.h>

#define DEPTH_MAX 8 /* of brackets; what is needed has three */
#define WORD_MAX 32 /* of a name or a value that means something here */
#define DIGITS_MAX 10

typedef struct scanner {
  const char *at, *end;
  bool bad;
} scanner;

typedef struct word {
  char text[WORD_MAX];
  bool whole; /* it has fit */
} word;

/* ---- JSON --------------------------------------------------------------------------------- */

static char next(scanner *s)
{
  while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at)
    ++s->at;
  return s->at < s->end ? *s->at : '\0';
}

static bool accept(scanner *s, char c)
{
  if (s->bad || next(s) != c || c == '\0')
    return false;
  ++s->at;
  return true;
}

static void expect(scanner *s, char c)
{
  if (!accept(s, c))
    s->bad = true;
}

/* Escapes stand for themselves: no name or value that means something here has any. */
static word read_string(scanner *s)
{
  word found = {.whole = true};
  size_t length = 0;
  expect(s, '"');
  while (!s->bad && s->at < s->end && *s->at != '"') {
    if ((unsigned char)*s->at < 0x20)
      s->bad = true;
    if (*s->at == '\\' && ++s->at == s->end)
      break;
    if (length + 1 < sizeof found.text)
      found.text[length++] = *s->at;
    else
      found.whole = false;
    ++s->at;
  }
  if (s->at == s->end)
    s->bad = true;
  else
    ++s->at;
  return found;
}

static uint32_t read_number(scanner *s)
{
  uint64_t value = 0;
  int digits = 0;
  next(s);
  for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; ++s->at, ++digits)
    value = digits < DIGITS_MAX ? 10 * value + (uint64_t)(*s->at - '0') : UINT64_MAX;
  if (digits == 0 || value > UINT32_MAX || (s->at < s->end && strchr(".eE-+", *s->at)))
    s->bad = true;
  return (uint32_t)value;
}

/* A number or one of the three words. */
static void skip_literal(scanner *s)
{
  const char *begin = s->at;
  static const char letters[] = "+-.0123456789Eaeflnrstu";
  while (s->at < s->end && *s->at && strchr(letters, *s->at))
    ++s->at;
  if (s->at == begin)
    s->bad = true;
}

/* A value of any kind, without recursion: brackets are counted by their kind. */
static void skip_value(scanner *s)
{
  char open[DEPTH_MAX];
  int depth = 0;
  do {
    char c = next(s);
    if (c == '{' || c == '[') {
      if (depth == DEPTH_MAX) {
        s->bad = true;
        return;
      }
      open[depth++] = c;
      ++s->at;
    } else if (c == '}' || c == ']') {
      if (depth == 0 || open[depth - 1] != (c == '}' ? '{' : '[')) {
        s->bad = true;
        return;
      }
      --depth;
      ++s->at;
    } else if (depth > 0 && (c == ',' || c == ':')) {
      ++s->at;
    } else if (c == '"') {
      read_string(s);
    } else {
      skip_literal(s);
    }
  } while (!s->bad && depth > 0);
}

/* ---- Requests ----------------------------------------------------------------------------- */

static void add(scanner *s, clp_request *request, clp_subscription_item item)
{
  if (request->count == CLP_REQUEST_ITEMS)
    s->bad = true;
  else
    request->items[request->count++] = item;
}

/* {"id": N, "channelId": N} */
static void read_item(scanner *s, clp_request *request)
{
  clp_subscription_item item = {0};
  bool has_id = false, has_channel = false;
  expect(s, '{');
  while (!s->bad && next(s) != '}') {
    word name = read_string(s);
    expect(s, ':');
    if (strcmp(name.text, "id") == 0) {
      item.id = read_number(s);
      has_id = true;
    } else if (strcmp(name.text, "channelId") == 0) {
      item.channel = read_number(s);
      has_channel = true;
    } else {
      skip_value(s);
    }
    if (!accept(s, ','))
      break;
  }
  expect(s, '}');
  if (!has_id || !has_channel)
    s->bad = true;
  add(s, request, item);
}

static void read_list(scanner *s, clp_request *request, bool objects)
{
  expect(s, '[');
  while (!s->bad && next(s) != ']') {
    if (objects)
      read_item(s, request);
    else
      add(s, request, (clp_subscription_item){.id = read_number(s)});
    if (!accept(s, ','))
      break;
  }
  expect(s, ']');
}

static clp_operation operation_of(const word *value)
{
  if (!value->whole)
    return CLP_OP_UNKNOWN;
  return strcmp(value->text, "subscribe") == 0     ? CLP_OP_SUBSCRIBE
         : strcmp(value->text, "unsubscribe") == 0 ? CLP_OP_UNSUBSCRIBE
         : strcmp(value->text, "playback") == 0    ? CLP_OP_PLAYBACK
                                                   : CLP_OP_UNKNOWN;
}

static clp_control control_of(const word *value)
{
  static const char *const names[] = {
      [CLP_CONTROL_PLAY] = "play", [CLP_CONTROL_PAUSE] = "pause",
      [CLP_CONTROL_SEEK] = "seek", [CLP_CONTROL_SPEED] = "speed",
      [CLP_CONTROL_NEXT] = "next", [CLP_CONTROL_PREVIOUS] = "previous"};
  for (int k = CLP_CONTROL_PLAY; value->whole && k <= CLP_CONTROL_PREVIOUS; ++k)
    if (strcmp(value->text, names[k]) == 0)
      return (clp_control)k;
  return CLP_CONTROL_NONE;
}

static void read_member(scanner *s, clp_request *request, clp_operation *of_items)
{
  word name = read_string(s);
  expect(s, ':');
  if (s->bad)
    return;
  if (strcmp(name.text, "op") == 0) {
    word value = read_string(s);
    request->operation = operation_of(&value);
  } else if (strcmp(name.text, "control") == 0) {
    word value = read_string(s);
    request->control = control_of(&value);
  } else if (strcmp(name.text, "value") == 0) {
    request->has_value = true;
    request->value = read_number(s);
  } else if (strcmp(name.text, "subscriptions") == 0 && request->count == 0) {
    *of_items = CLP_OP_SUBSCRIBE;
    read_list(s, request, true);
  } else if (strcmp(name.text, "subscriptionIds") == 0 && request->count == 0) {
    *of_items = CLP_OP_UNSUBSCRIBE;
    read_list(s, request, false);
  } else {
    skip_value(s);
  }
}

bool clp_request_read(const char *text, size_t size, clp_request *request)
{
  scanner s = {text, text + size, false};
  clp_operation of_items = CLP_OP_UNKNOWN;
  *request = (clp_request){.operation = CLP_OP_UNKNOWN};
  expect(&s, '{');
  while (!s.bad && next(&s) != '}') {
    read_member(&s, request, &of_items);
    if (!accept(&s, ','))
      break;
  }
  expect(&s, '}');
  if (s.bad || next(&s) != '\0' || s.at != s.end)
    return false;
  bool valued = request->control == CLP_CONTROL_SEEK || request->control == CLP_CONTROL_SPEED;
  if (request->operation == CLP_OP_PLAYBACK)
    return request->control != CLP_CONTROL_NONE && request->has_value >= valued &&
           of_items == CLP_OP_UNKNOWN;
  return request->operation == CLP_OP_UNKNOWN || request->operation == of_items;
}
