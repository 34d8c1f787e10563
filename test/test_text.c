/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/json.h"
#include "support/random.h"
#include "support/suite.h"

/* Texts from elsewhere, as others may read them. */

static size_t encode(uint32_t point, char text[5])
{
  size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  memset(text, 0, 5);
  for (size_t k = length; k-- > 1; point >>= 6)
    text[k] = (char)(0x80 | (point & 0x3f));
  text[0] = (char)(leads[length] | point);
  return length;
}

static bool is_character(uint32_t point)
{
  return point < 0xd800 || (point > 0xdfff && point < 0x110000);
}

SUITE("text");

TEST_CASE("texts", 20);

TEST(test_characters)
{
  char text[5];
  for (uint32_t point = 1; point < 0x200000; point += point < 0x1000 ? 1 : 61) {
    size_t length = encode(point, text);
    ck_assert_uint_eq(clp_utf8_length(text), is_character(point) ? length : 0);
  }
  static const char *const none[] = {
      "\x80",     "\xff",         "\xc0\x80",         "\xc3",
      "\xe2\x82", "\xe0\x82\x80", "\xf0\x80\x80\x80", "\xf8\x88\x80\x80\x80"};
  for (size_t k = 0; k < sizeof none / sizeof *none; ++k)
    ck_assert_uint_eq(clp_utf8_length(none[k]), 0);
}

TEST(test_lines_stay_lines)
{
  char line[] =
      "a\x1b[2Jb\nc\x7f\xc2\x9b"
      "d\xc3\xa9\xe2\x82\xac\xff\xc2";
  clp_flatten(line, '?');
  ck_assert_str_eq(line, "a?[2Jb?c???d\xc3\xa9\xe2\x82\xac\xff\xc2");
}

/* Any bytes make a text of JSON that is UTF-8, without control characters. */
TEST(test_json_is_utf8)
{
  random_state random = {1};
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  clp_json json = {.stream = stream};
  clp_json_string(&json, NULL, "a\xff\xc3\xa9\n\"");
  fflush(stream);
  ck_assert_str_eq(text, "\"a\\ufffd\xc3\xa9\\u000a\\\"\"");
  for (int k = 0; k < 2000; ++k) {
    char bytes[9] = "";
    for (int j = 0; j < 8; ++j)
      bytes[j] = (char)(0x80 | random_bits(&random));
    clp_json_string(&json, NULL, bytes);
  }
  fclose(stream);
  for (const char *c = text; *c; c += clp_utf8_length(c))
    ck_assert(clp_utf8_length(c) > 0 && (unsigned char)*c >= ' ');
  free(text);
}
