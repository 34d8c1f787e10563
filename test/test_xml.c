/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/xml.h"
#include "support/lines.h"
#include "support/random.h"
#include "support/suite.h"

/* A tree with what belongs to it. */
typedef struct parsed {
  clp_arena arena;
  clp_status status;
  clp_xml_element *root;
  lines lines;
} parsed;

static parsed *parse_bytes(const char *text, size_t length)
{
  parsed *p = calloc(1, sizeof *p);
  ck_assert_ptr_nonnull(p);
  clp_log log = {.file = "f", .sink = lines_sink(&p->lines)};
  p->status = clp_xml_parse(text, length, &log, &p->arena, &p->root);
  ck_assert_int_eq(p->status == CLP_OK, p->lines.defects == 0);
  ck_assert_int_eq(p->status == CLP_OK, p->root != NULL);
  return p;
}

static parsed *parse(const char *text)
{
  return parse_bytes(text, strlen(text));
}

static void release(parsed *p)
{
  clp_arena_release(&p->arena);
  free(p);
}

/* The k-th child. */
static const clp_xml_element *child(const clp_xml_element *element, int k)
{
  const clp_xml_element *c = element->first;
  for (; c && k > 0; --k)
    c = c->next;
  ck_assert_ptr_nonnull(c);
  return c;
}

static void expect_token(clp_tokens *tokens, const char *text, int line)
{
  clp_token token;
  ck_assert_msg(clp_next_token(tokens, &token), "no token, expected %s", text);
  ck_assert_msg(token.length == strlen(text) && memcmp(token.begin, text, token.length) == 0,
                "token '%.*s', expected '%s'", (int)token.length, token.begin, text);
  ck_assert_msg(token.line == line, "token '%s' in line %d, expected %d", text, token.line, line);
}

/* ---- The tree ----------------------------------------------------------------------------- */

SUITE("xml");

TEST_CASE("tree", 10);

TEST(test_tree)
{
  parsed *p = parse(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<!-- <not> an element -->\n"
      "<robot name='r' xmlns:x='urn:x' x:y='1 &amp; 2'>\n"
      "  <a/><b\n"
      "    k='v'>text</b>\n"
      "  <?php <c> ?>\n"
      "  <x:c\n"
      "  /> <![CDATA[ ]]>\n"
      "</robot>\n");
  const clp_xml_element *root = p->root;
  ck_assert_str_eq(root->name, "robot");
  ck_assert_int_eq(root->line, 3);
  ck_assert_int_eq(root->attribute_count, 2);
  ck_assert_str_eq(clp_xml_value(root, "name"), "r");
  ck_assert_str_eq(clp_xml_value(root, "x:y"), "1 & 2");
  ck_assert_ptr_null(clp_xml_value(root, "y"));
  ck_assert_int_eq(root->stray_line, 0);
  ck_assert_str_eq(child(root, 0)->name, "a");
  ck_assert_int_eq(child(root, 0)->line, 4);
  ck_assert_str_eq(child(root, 1)->name, "b");
  ck_assert_int_eq(child(root, 1)->line, 4);
  ck_assert_str_eq(child(root, 1)->text.begin, "text");
  ck_assert_str_eq(child(root, 2)->name, "x:c");
  ck_assert_int_eq(child(root, 2)->line, 7);
  ck_assert_ptr_null(child(root, 2)->next);
  ck_assert_ptr_eq(clp_xml_child(root, "b"), child(root, 1));
  ck_assert_ptr_null(clp_xml_child(root, "c"));
  release(p);
}

TEST(test_byte_order_mark)
{
  parsed *p = parse("\xef\xbb\xbf<?xml version='1.0'?>\n<robot/>");
  ck_assert_int_eq(p->root->line, 2);
  release(p);
}

TEST(test_stray_text)
{
  parsed *p = parse("<r>\n<a/>\n \n x <b/> y</r>");
  ck_assert_int_eq(p->root->stray_line, 4);
  release(p);
  p = parse("<r>\n<a/>\n<b/>\n<!--\n-->\nz</r>");
  ck_assert_int_eq(p->root->stray_line, 6);
  release(p);
}

/* ---- Lines -------------------------------------------------------------------------------- */

TEST_CASE("lines", 10);

TEST(test_lines_of_numbers_in_text)
{
  parsed *p = parse(
      "<r>\n"
      "<v> 1 2\n"
      "3 <!-- 0\n0 --> 4\n"
      "<?pi\n?>5<![CDATA[ 6\n7]]> &#49;&#10;8\n"
      "</v><w a='1\n2' b=\"\n3\r\n4 \r5\"/></r>");
  clp_tokens t = clp_tokens_of(&child(p->root, 0)->text, false);
  expect_token(&t, "1", 2);
  expect_token(&t, "2", 2);
  expect_token(&t, "3", 3);
  expect_token(&t, "4", 4);
  expect_token(&t, "5", 6);
  expect_token(&t, "6", 6);
  expect_token(&t, "7", 7);
  expect_token(&t, "1", 7);
  expect_token(&t, "8", 7);
  clp_token none;
  ck_assert(!clp_next_token(&t, &none));
  const clp_xml_element *w = child(p->root, 1);
  ck_assert_int_eq(w->line, 8);
  t = clp_tokens_of(&clp_xml_find_attribute(w, "a")->text, false);
  expect_token(&t, "1", 8);
  expect_token(&t, "2", 9);
  t = clp_tokens_of(&clp_xml_find_attribute(w, "b")->text, false);
  expect_token(&t, "3", 10);
  expect_token(&t, "4", 11);
  expect_token(&t, "5", 12);
  release(p);
}

TEST(test_semicolons)
{
  parsed *p = parse("<r>1;2 ;\n3;</r>");
  clp_tokens t = clp_tokens_of(&p->root->text, true);
  expect_token(&t, "1", 1);
  expect_token(&t, ";", 1);
  expect_token(&t, "2", 1);
  expect_token(&t, ";", 1);
  expect_token(&t, "3", 2);
  expect_token(&t, ";", 2);
  t = clp_tokens_of(&p->root->text, false);
  expect_token(&t, "1;2", 1);
  release(p);
}

/* A text that is put together from random pieces, with the line of each number in it. */
typedef struct composed {
  char *text;
  size_t length;
  int line;
} composed;

static void put(composed *c, const char *piece)
{
  size_t length = strlen(piece);
  memcpy(c->text + c->length, piece, length);
  c->length += length;
}

static void put_break(composed *c, random_state *g)
{
  static const char *const breaks[] = {"\n", "\r\n", "\r"};
  /* "\r" "\n" from two pieces would be one break. */
  bool after_return = c->length > 0 && c->text[c->length - 1] == '\r';
  put(c, breaks[after_return ? 1 : random_bits(g) % 3]);
  ++c->line;
}

static void put_filler(composed *c, random_state *g)
{
  static const char *const openings[] = {" <!-- <&> \xe2\x82\xac ", " <?pi <&> ", " <![CDATA[ "};
  static const char *const closings[] = {" --> ", " ?> ", " ]]> "};
  static const char *const references[] = {"&#32;", "&#x20;", "&#10;", "&#9;", "&#13;"};
  uint64_t choice = random_bits(g) % 8;
  if (choice < 3) {
    put(c, openings[choice]);
    for (uint64_t k = random_bits(g) % 3; k > 0; --k)
      put_break(c, g);
    put(c, closings[choice]);
  } else if (choice < 5) {
    put_break(c, g);
  } else if (choice < 6) {
    put(c, references[random_bits(g) % 5]);
  } else {
    put(c, choice < 7 ? " " : "                                      ");
  }
  put(c, " ");
}

/* In <v>, numbers that count up, filler between them; now and then a word that is not ASCII, which
 * takes libxml2 to another path. Then every number must be where it was put. */
static void check_random_text(random_state *g)
{
  enum { COUNT = 400 };
  static int expected[COUNT];
  composed c = {calloc(1, 1 << 20), 0, 1};
  ck_assert_ptr_nonnull(c.text);
  put(&c, "<r><v> ");
  for (int k = 0; k < COUNT; ++k) {
    for (uint64_t n = random_bits(g) % 4; n > 0; --n)
      put_filler(&c, g);
    char number[32];
    bool wide = random_bits(g) % 16 == 0;
    snprintf(number, sizeof number, "%s%d ", wide ? "\xc3\xa4" : "", k);
    put(&c, number);
    expected[k] = c.line;
  }
  put(&c, "</v></r>");
  parsed *p = parse_bytes(c.text, c.length);
  ck_assert_msg(p->status == CLP_OK, "%s", p->lines.text);
  clp_tokens t = clp_tokens_of(&p->root->first->text, false);
  for (int k = 0; k < COUNT; ++k) {
    clp_token token;
    ck_assert(clp_next_token(&t, &token));
    int skip = (unsigned char)*token.begin == 0xc3 ? 2 : 0;
    ck_assert_int_eq(atoi(token.begin + skip), k);
    ck_assert_msg(token.line == expected[k], "number %d in line %d, expected %d", k, token.line,
                  expected[k]);
  }
  release(p);
  free(c.text);
}

TEST(test_lines_in_random_texts)
{
  random_state g = {7};
  for (int k = 0; k < 200; ++k)
    check_random_text(&g);
}

TEST(test_lines_beyond_65535)
{
  enum { LINES = 200000 };
  char *text = malloc(LINES + 200);
  ck_assert_ptr_nonnull(text);
  strcpy(text, "<r><v>1");
  size_t length = strlen(text);
  memset(text + length, '\n', LINES);
  strcpy(text + length + LINES, "2</v><w\na='\n3'/></r>");
  parsed *p = parse(text);
  clp_tokens t = clp_tokens_of(&p->root->first->text, false);
  expect_token(&t, "1", 1);
  expect_token(&t, "2", LINES + 1);
  const clp_xml_element *w = child(p->root, 1);
  ck_assert_int_eq(w->line, LINES + 1);
  t = clp_tokens_of(&w->attributes[0].text, false);
  expect_token(&t, "3", LINES + 3);
  release(p);
  free(text);
}

/* ---- What is refused ---------------------------------------------------------------------- */

TEST_CASE("refused", 10);

TEST(test_refused)
{
  static const struct {
    const char *text;
    clp_status status;
    int line;
    const char *message;
  } cases[] = {
      {"", CLP_ERROR_FORMAT, 1, "empty"},
      {" \n ", CLP_ERROR_FORMAT, 1, "empty"},
      {"\n\nrobot", CLP_ERROR_FORMAT, 3, "does not begin with '<'"},
      {"<r>\n<a></r>", CLP_ERROR_FORMAT, 2, "mismatch"},
      {"<r>\n<a>\n", CLP_ERROR_FORMAT, 3, "Premature end"},
      {"<r>\n& </r>", CLP_ERROR_FORMAT, 2, "well-formed"},
      {"<r>\n&x;</r>", CLP_ERROR_FORMAT, 2, "'x' not defined"},
      {"<r>\n\xff</r>", CLP_ERROR_FORMAT, 2, "UTF-8"},
      {"<r a='1'\n a='2'/>", CLP_ERROR_FORMAT, 2, "redefined"},
      {"<r/>\n<s/>", CLP_ERROR_FORMAT, 2, "Extra content"},
      {"<r a='\n<'/>", CLP_ERROR_FORMAT, 2, "'<' not allowed"},
      {"<!-- -->\n<!DOCTYPE r>\n<r/>", CLP_ERROR_FORMAT, 2, "DTD"},
      {"<!DOCTYPE r [<!ENTITY a 'b'>]>\n<r>&a;</r>", CLP_ERROR_FORMAT, 1, "DTD"},
      {"<?xml version='1.0'\n encoding='latin1'?><r/>", CLP_ERROR_FORMAT, 2, "'latin1'"},
      {"<?xml version='1.0' encoding = 'UTF-16'?><r/>", CLP_ERROR_FORMAT, 1, "expected UTF-8"},
      {"\xff\xfe<\0r\0/\0>", CLP_ERROR_FORMAT, 1, "begin"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    parsed *p = parse(cases[k].text);
    ck_assert_msg(p->status == cases[k].status, "%zu: status %d", k, (int)p->status);
    ck_assert_int_eq(p->lines.defects, 1);
    ck_assert_msg(lines_have(&p->lines, "f", cases[k].line, cases[k].message), "%zu: %s", k,
                  p->lines.text);
    release(p);
  }
}

TEST(test_zero_bytes)
{
  static const char text[] = "<r>\n\0</r>";
  parsed *p = parse_bytes(text, sizeof text - 1);
  ck_assert(lines_have(&p->lines, "f", 2, "zero byte"));
  release(p);
}

/* `count` times `unit` between `head` and `tail`. */
static char *repeat(const char *head, const char *unit, int count, const char *tail)
{
  size_t length = strlen(unit);
  char *text = malloc(strlen(head) + length * (size_t)count + strlen(tail) + 1);
  ck_assert_ptr_nonnull(text);
  strcpy(text, head);
  char *at = text + strlen(head);
  for (int k = 0; k < count; ++k, at += length)
    memcpy(at, unit, length);
  strcpy(at, tail);
  return text;
}

static void check_limit(char *text, bool within, const char *message)
{
  parsed *p = parse(text);
  if (within)
    ck_assert_msg(p->status == CLP_OK, "%s", p->lines.text);
  else
    ck_assert_msg(p->status == CLP_ERROR_LIMIT && strstr(p->lines.text, message), "%s",
                  p->lines.text);
  release(p);
  free(text);
}

TEST(test_depth_limit)
{
  const char *message = "deeper than 64";
  char *inner = repeat("", "</e>", 63, "</r>");
  check_limit(repeat("<r>", "<e>", 63, inner), true, message);
  free(inner);
  check_limit(repeat("<r>", "<e>", 64, ""), false, message);
  check_limit(repeat("<r>", "<e>", 3000000, ""), false, message);
}

TEST(test_element_limit)
{
  const char *message = "more than 1000000 elements";
  check_limit(repeat("<r>", "<e/>", 999999, "</r>"), true, message);
  check_limit(repeat("<r>", "<e/>", 1000000, "</r>"), false, message);
}

/* `count` attributes of different names in one tag, after `head`. */
static char *many_attributes(const char *head, int count)
{
  char *text = malloc(strlen(head) + 16 * (size_t)count + 16);
  ck_assert_ptr_nonnull(text);
  size_t used = (size_t)sprintf(text, "%s<e", head);
  for (int k = 0; k < count; ++k)
    used += (size_t)sprintf(text + used, " a%d='>'", k);
  strcpy(text + used, "/>");
  return text;
}

TEST(test_attribute_limit)
{
  const char *message = "more than 64 attributes";
  check_limit(many_attributes("", 64), true, message);
  check_limit(many_attributes("", 65), false, message);
  /* libxml2 compares each with each: this would take minutes */
  check_limit(many_attributes("", 1500000), false, message);
  check_limit(many_attributes("<!-- </broken> <r><", 1500000), false, message);
}

TEST(test_size_limit)
{
  static char byte = ' '; /* more than one is not looked at */
  parsed *p = parse_bytes(&byte, (size_t)CLP_MODEL_MAX_BYTES + 1);
  ck_assert_int_eq(p->status, CLP_ERROR_LIMIT);
  ck_assert(lines_have(&p->lines, "f", 1, "larger than 64 MiB"));
  release(p);
}

/* Long texts are neither cut nor refused: 20 MB of numbers in one element. */
TEST(test_long_text)
{
  char *text = repeat("<r>", "0.125\n", 3500000, "</r>");
  parsed *p = parse(text);
  ck_assert_int_eq(p->status, CLP_OK);
  clp_tokens tokens = clp_tokens_of(&p->root->text, false);
  clp_token token;
  int count = 0;
  while (clp_next_token(&tokens, &token))
    ++count;
  ck_assert_int_eq(count, 3500000);
  ck_assert_int_eq(token.line, 3500000);
  release(p);
  free(text);
}

/* ---- Messages ----------------------------------------------------------------------------- */

TEST_CASE("messages", 5);

TEST(test_messages_are_single_lines_and_limited)
{
  lines l = {0};
  clp_log log = {.file = "f", .sink = lines_sink(&l)};
  clp_log_defect(&log, 1, "%s", "a\nb\tc");
  ck_assert_str_eq(l.text, "f:1: a b c\n");
  clp_log_note(&log, 2, "%s", "d");
  ck_assert_str_eq(l.text, "f:1: a b c\nf:2: note: d\n");
  for (int k = 0; k < 5000; ++k)
    clp_log_defect(&log, 3, "e");
  ck_assert_int_eq(l.defects + l.notes, CLP_LOG_MAX_LINES);
  ck_assert_int_eq(log.defects, 5001);
}

TEST(test_shown_text_is_cut_between_characters)
{
  ck_assert_str_eq(clp_show_string("short").text, "short");
  ck_assert_str_eq(clp_show_string("").text, "");
  char text[101] = {0};
  for (int k = 0; k < 50; ++k)
    memcpy(text + 2 * k, "\xc3\xa4", 2);
  for (int shift = 0; shift < 2; ++shift) {
    clp_shown shown = clp_show_string(text + 2 * shift);
    size_t length = strlen(shown.text);
    ck_assert(length < sizeof shown.text);
    ck_assert_str_eq(shown.text + length - 3, "...");
    ck_assert_int_eq((length - 3) % 2, 0);
    text[2] = 'x';
    text[3] = 'y';
  }
}
