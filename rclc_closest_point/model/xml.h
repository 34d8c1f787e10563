/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_XML_H
#define RCLC_CLOSEST_POINT_MODEL_XML_H

/* An XML file as a light tree in which every element, and every number, knows its line. (libxml2's
 * own tree counts lines in 16 bits, and counts them at the end of the start tag.) */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/model/log.h"

/* Documented limits, besides CLP_MODEL_MAX_BYTES. libxml2 compares each attribute of an element
 * with all others, so their number must be small; the rest keeps memory in proportion. */
#define CLP_XML_MAX_ATTRIBUTES 64
#define CLP_XML_MAX_DEPTH 64
#define CLP_XML_MAX_ELEMENTS 1000000

/* Text is delivered in pieces (comments, CDATA sections and references divide it). A mark says on
 * which line the text from `offset` on stands, where counting from the mark before it would not. */
typedef struct clp_xml_mark {
  size_t offset;
  int line;
} clp_xml_mark;

typedef struct clp_xml_text {
  const char *begin; /* zero-terminated after `length` bytes, or followed by a quote */
  size_t length;
  const clp_xml_mark *marks;
  size_t mark_count;
  int line; /* of the first byte, unless a mark says otherwise */
} clp_xml_text;

typedef struct clp_xml_attribute {
  const char *name; /* with its prefix, if any */
  const char *value;
  clp_xml_text text; /* the value with its lines, for reading numbers */
} clp_xml_attribute;

typedef struct clp_xml_element {
  const char *name; /* with its prefix, if any: "xacro:macro" */
  int line;         /* of the '<' of its start tag */
  int attribute_count;
  const clp_xml_attribute *attributes;
  struct clp_xml_element *first, *next; /* children, siblings; NULL at the end */
  clp_xml_text text;                    /* of an element without children */
  int stray_line;                       /* of the first text beside children; 0: there is none */
} clp_xml_element;

/* Parses `text` (UTF-8) into `arena`. Refuses DTDs, other encodings and what is beyond the limits;
 * never reads anything but `text`, which must live as long as the tree. */
clp_status clp_xml_parse(const char *text, size_t length, clp_log *log, clp_arena *arena,
                         clp_xml_element **root);

/* Refuses what libxml2 is not to see: zero bytes, other encodings, tags full of attributes. */
clp_status clp_xml_guard(const char *text, size_t length, clp_log *log);

/* NULL: the element has no such attribute. */
const clp_xml_attribute *clp_xml_find_attribute(const clp_xml_element *element, const char *name);

/* The value, or NULL. */
const char *clp_xml_value(const clp_xml_element *element, const char *name);

bool clp_xml_is(const clp_xml_element *element, const char *name);

/* The first child of that name, or NULL. */
const clp_xml_element *clp_xml_child(const clp_xml_element *element, const char *name);

/* ---- Lines and tokens --------------------------------------------------------------------- */

/* How many lines end between `from` and `to`, as XML has it: at "\n", "\r\n" and a lone "\r". `end`
 * is the end of the text: a "\r" just before `to` may be half of a "\r\n". */
int clp_count_lines(const char *from, const char *to, const char *end);

/* White space, in ASCII, as XML has it. */
bool clp_is_space(char c);

/* Takes a text apart at white space; with `semicolons` each ";" is a token, too. */
typedef struct clp_tokens {
  const char *base, *next, *end;
  const clp_xml_mark *mark; /* the next one */
  size_t marks_left;
  int line;
  bool semicolons;
} clp_tokens;

typedef struct clp_token {
  const char *begin;
  size_t length;
  int line;
} clp_token;

clp_tokens clp_tokens_of(const clp_xml_text *text, bool semicolons);
bool clp_next_token(clp_tokens *tokens, clp_token *token);

#endif
