/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/xml.h"

#include <libxml/parser.h>
#include <string.h>

#include "rclc_closest_point/model/xml_cursor.h"

/* The tree is built from libxml2's events, and a cursor follows them through the text. */
typedef struct tree_builder {
  clp_log *log;
  clp_arena *arena;
  xmlParserCtxtPtr context;
  clp_xml_cursor cursor;
  clp_status status;

  clp_xml_element *root;
  clp_xml_element *open[CLP_XML_MAX_DEPTH];
  clp_xml_element *last_child[CLP_XML_MAX_DEPTH];
  int depth;
  int element_count;

  /* All text goes here one after the other. It is never longer than what it is written with, and
   * an element has more bytes in its tags than the zero that follows its text: as many bytes as
   * the file has are enough. */
  char *text;
  size_t text_room;
  size_t text_start, text_end; /* of the text since the last tag */
  int text_line;               /* of text[text_end] */
  clp_xml_mark *marks;
  size_t mark_count, mark_capacity;
} tree_builder;

/* ---- Lines -------------------------------------------------------------------------------- */

static bool ends_line(const char *c, const char *end)
{
  return *c == '\n' || (*c == '\r' && !(c + 1 < end && c[1] == '\n'));
}

int clp_count_lines(const char *from, const char *to, const char *end)
{
  int lines = 0;
  for (; from < to; ++from)
    lines += ends_line(from, end);
  return lines;
}

/* ---- Failing ------------------------------------------------------------------------------ */

static void stop(tree_builder *builder, clp_status status)
{
  builder->status = status;
  xmlStopParser(builder->context);
}

/* An allocation for the tree; without memory the parser is stopped. */
static void *take(tree_builder *builder, size_t count, size_t size)
{
  void *memory = clp_arena_take(builder->arena, count, size);
  if (!memory)
    stop(builder, CLP_ERROR_MEMORY);
  return memory;
}

static char *copy_text(tree_builder *builder, const void *text, size_t length)
{
  char *copy = take(builder, length + 1, 1);
  if (copy)
    memcpy(copy, text, length);
  return copy;
}

/* ---- Text --------------------------------------------------------------------------------- */

/* Text beside children is remembered by its line only: nothing in a model may have it. */
static void drop_text(tree_builder *builder)
{
  clp_xml_element *parent = builder->open[builder->depth - 1];
  clp_xml_text text = {builder->text + builder->text_start, builder->text_end - builder->text_start,
                       builder->marks, builder->mark_count, 0};
  clp_tokens tokens = clp_tokens_of(&text, false);
  clp_token first;
  if (parent->stray_line == 0 && clp_next_token(&tokens, &first))
    parent->stray_line = first.line;
}

static void begin_text(tree_builder *builder)
{
  builder->text_start = builder->text_end;
  builder->text_line = 0; /* no line: the first piece sets a mark */
  builder->mark_count = 0;
}

static void set_mark(tree_builder *builder, int line)
{
  clp_xml_mark *marks = clp_arena_grow(builder->arena, builder->marks, builder->mark_count,
                                       &builder->mark_capacity, sizeof *marks);
  if (!marks) {
    stop(builder, CLP_ERROR_MEMORY);
    return;
  }
  builder->marks = marks;
  marks[builder->mark_count++] = (clp_xml_mark){builder->text_end - builder->text_start, line};
  builder->text_line = line;
}

static void on_text(void *user, const xmlChar *piece, int size)
{
  tree_builder *builder = user;
  if (builder->status != CLP_OK || builder->depth == 0 || size <= 0)
    return;
  size_t length = (size_t)size;
  if (length >= builder->text_room - builder->text_end) {
    stop(builder, CLP_ERROR_LIMIT);
    return;
  }
  clp_xml_cursor_skip(&builder->cursor, true);
  int line = clp_xml_cursor_line(&builder->cursor);
  if (line != builder->text_line)
    set_mark(builder, line);
  bool as_written = clp_xml_cursor_pass_text(&builder->cursor, length);
  builder->text_line = clp_xml_cursor_line(&builder->cursor);
  if (!as_written && (memchr(piece, '\n', length) || memchr(piece, '\r', length)))
    builder->text_line =
        0; /* a line break that the file does not have: the next piece sets a mark */
  memcpy(builder->text + builder->text_end, piece, length);
  builder->text_end += length;
}

/* ---- Elements ----------------------------------------------------------------------------- */

static char *qualified_name(tree_builder *builder, const xmlChar *prefix, const xmlChar *name)
{
  size_t front = prefix ? strlen((const char *)prefix) + 1 : 0;
  size_t length = strlen((const char *)name);
  char *copy = take(builder, front + length + 1, 1);
  if (!copy)
    return NULL;
  if (front) {
    memcpy(copy, prefix, front - 1);
    copy[front - 1] = ':';
  }
  memcpy(copy + front, name, length);
  return copy;
}

/* Where the attribute's value stands in the file, when it is written there as it is. */
static clp_xml_text attribute_text(tree_builder *builder, const char *name, const char *value)
{
  clp_xml_text text = {value, strlen(value), NULL, 0, builder->cursor.line};
  clp_raw_attribute raw;
  while (clp_xml_cursor_pass_attribute(&builder->cursor, &raw)) {
    if (raw.name.length != strlen(name) || memcmp(raw.name.begin, name, raw.name.length) != 0)
      continue; /* a declaration of a name space */
    text.line = raw.value.line;
    if (!memchr(raw.value.begin, '&', raw.value.length)) {
      text.begin = raw.value.begin;
      text.length = raw.value.length;
    }
    break;
  }
  return text;
}

/* libxml2 gives five pointers for each: name, prefix, name space, begin and end of the value. */
static bool read_attributes(tree_builder *builder, clp_xml_element *element, int count,
                            const xmlChar **parts)
{
  clp_xml_attribute *attributes = take(builder, (size_t)count, sizeof *attributes);
  if (!attributes)
    return false;
  clp_xml_cursor_enter_tag(&builder->cursor);
  for (int k = 0; k < count; ++k, parts += 5) {
    char *name = qualified_name(builder, parts[1], parts[0]);
    char *value = copy_text(builder, parts[3], (size_t)(parts[4] - parts[3]));
    if (!name || !value)
      return false;
    attributes[k].name = name;
    attributes[k].value = value;
    attributes[k].text = attribute_text(builder, name, value);
  }
  clp_raw_attribute declaration;
  while (clp_xml_cursor_pass_attribute(&builder->cursor, &declaration))
    continue;
  clp_xml_cursor_leave_tag(&builder->cursor);
  element->attributes = attributes;
  element->attribute_count = count;
  return true;
}

static bool within_limits(tree_builder *builder, int line)
{
  if (builder->depth >= CLP_XML_MAX_DEPTH)
    clp_log_defect(builder->log, line, "elements are nested deeper than %d, which is the limit",
                   CLP_XML_MAX_DEPTH);
  else if (builder->element_count >= CLP_XML_MAX_ELEMENTS)
    clp_log_defect(builder->log, line, "the file has more than %d elements, which is the limit",
                   CLP_XML_MAX_ELEMENTS);
  else
    return true;
  stop(builder, CLP_ERROR_LIMIT);
  return false;
}

/* Hangs the element into the tree and makes it the open one. */
static void open_element(tree_builder *builder, clp_xml_element *element)
{
  if (builder->depth == 0) {
    builder->root = element;
  } else {
    int parent = builder->depth - 1;
    if (builder->last_child[parent])
      builder->last_child[parent]->next = element;
    else
      builder->open[parent]->first = element;
    builder->last_child[parent] = element;
  }
  builder->open[builder->depth] = element;
  builder->last_child[builder->depth] = NULL;
  ++builder->depth;
  ++builder->element_count;
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int space_count, const xmlChar **spaces, int attribute_count,
                     int default_count, const xmlChar **attributes)
{
  (void)uri, (void)space_count, (void)spaces, (void)default_count;
  tree_builder *builder = user;
  if (builder->status != CLP_OK)
    return;
  clp_xml_cursor_skip(&builder->cursor, builder->depth > 0);
  int line = clp_xml_cursor_line(&builder->cursor);
  if (!within_limits(builder, line))
    return;
  clp_xml_element *element = take(builder, 1, sizeof *element);
  if (!element)
    return;
  element->line = line;
  element->name = qualified_name(builder, prefix, name);
  if (!element->name || !read_attributes(builder, element, attribute_count, attributes))
    return;
  if (builder->depth > 0)
    drop_text(builder);
  builder->text_end = builder->text_start;
  open_element(builder, element);
  begin_text(builder);
}

/* The text of an element without children stays; each element's ends with a zero. */
static void keep_text(tree_builder *builder, clp_xml_element *element)
{
  clp_xml_mark *marks = take(builder, builder->mark_count, sizeof *marks);
  if (!marks)
    return;
  if (builder->mark_count)
    memcpy(marks, builder->marks, builder->mark_count * sizeof *marks);
  builder->text[builder->text_end] = '\0';
  element->text =
      (clp_xml_text){builder->text + builder->text_start, builder->text_end - builder->text_start,
                     marks, builder->mark_count, element->line};
  ++builder->text_end;
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  (void)name, (void)prefix, (void)uri;
  tree_builder *builder = user;
  if (builder->status != CLP_OK || builder->depth == 0)
    return;
  clp_xml_element *element = builder->open[builder->depth - 1];
  if (!element->first) {
    keep_text(builder, element);
  } else {
    drop_text(builder);
    builder->text_end = builder->text_start;
  }
  --builder->depth;
  begin_text(builder);
}

/* ---- What is refused ---------------------------------------------------------------------- */

static void on_dtd(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
  (void)name, (void)external, (void)system;
  tree_builder *builder = user;
  if (builder->status != CLP_OK)
    return;
  clp_xml_cursor_skip(&builder->cursor, false);
  clp_log_defect(builder->log, clp_xml_cursor_line(&builder->cursor),
                 "a document type definition, expected none: DTDs and entities are refused");
  stop(builder, CLP_ERROR_FORMAT);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlErrorPtr xml_error;
#endif

/* The first thing that is not XML is reported. What comes after it may be a consequence: a tag
 * that is not closed makes every closing tag after it wrong. The parser goes on by itself to the
 * end, but without further events; it is not stopped from here, where it still uses its input. */
static void on_error(void *user, xml_error error)
{
  tree_builder *builder = user;
  if (builder->status != CLP_OK || error->level != XML_ERR_FATAL)
    return;
  if (error->code == XML_ERR_NO_MEMORY) {
    builder->status = CLP_ERROR_MEMORY;
    return;
  }
  builder->status = CLP_ERROR_FORMAT;
  const char *message = error->message ? error->message : "unknown error\n";
  size_t length = strcspn(message, "\n");
  int shown = length < 200 ? (int)length : 200;
  clp_log_defect(builder->log, error->line, "%.*s, expected well-formed XML", shown, message);
}

/* ---- Parsing ------------------------------------------------------------------------------ */

/* No handler for entities, external subsets or DTD content: there is nothing they could load. */
static xmlSAXHandler event_handlers(void)
{
  xmlSAXHandler handlers;
  memset(&handlers, 0, sizeof handlers);
  handlers.initialized = XML_SAX2_MAGIC;
  handlers.startElementNs = on_start;
  handlers.endElementNs = on_end;
  handlers.characters = on_text;
  handlers.ignorableWhitespace = on_text;
  handlers.cdataBlock = on_text;
  handlers.internalSubset = on_dtd;
  handlers.serror = on_error;
  return handlers;
}

/* Not HUGE: libxml2's own limits (names, comments and attributes of some megabytes) are a help;
 * text, which may be long here, is not subject to them. IGNORE_ENC: the guard has seen to it that
 * the file is UTF-8. NOENT makes an "&amp;" in an attribute a "&"; there are no other entities. */
static clp_status run_parser(tree_builder *builder, const char *text, size_t length)
{
  xmlInitParser();
  builder->context = xmlNewParserCtxt();
  if (!builder->context)
    return CLP_ERROR_MEMORY;
  *builder->context->sax = event_handlers();
  builder->context->userData = builder;
  xmlDocPtr document = xmlCtxtReadMemory(builder->context, text, (int)length, NULL, NULL,
                                         XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
  if (document)
    xmlFreeDoc(document);
  bool good = builder->context->wellFormed && builder->depth == 0 && builder->root;
  xmlFreeParserCtxt(builder->context);
  if (builder->status == CLP_OK && !good)
    return CLP_ERROR_MEMORY; /* libxml2 gave up without a word */
  return builder->status;
}

/* A byte order mark is no part of the text. */
static size_t byte_order_mark(const char *text, size_t length)
{
  return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

clp_status clp_xml_parse(const char *text, size_t length, clp_log *log, clp_arena *arena,
                         clp_xml_element **root)
{
  if (length > CLP_MODEL_MAX_BYTES) {
    clp_log_defect(log, 1, "the file is larger than %d MiB, which is the limit",
                   (int)(CLP_MODEL_MAX_BYTES / (1024 * 1024)));
    return CLP_ERROR_LIMIT;
  }
  size_t skipped = byte_order_mark(text, length);
  text += skipped;
  length -= skipped;
  clp_status status = clp_xml_guard(text, length, log);
  if (status != CLP_OK)
    return status;
  tree_builder builder = {.log = log,
                          .arena = arena,
                          .cursor = clp_xml_cursor_at_start(text, length),
                          .text = clp_arena_take(arena, length, 1),
                          .text_room = length};
  if (!builder.text)
    return CLP_ERROR_MEMORY;
  status = run_parser(&builder, text, length);
  if (status == CLP_OK)
    *root = builder.root;
  return status;
}

/* ---- Looking at the tree ------------------------------------------------------------------ */

const clp_xml_attribute *clp_xml_find_attribute(const clp_xml_element *element, const char *name)
{
  for (int k = 0; k < element->attribute_count; ++k)
    if (strcmp(element->attributes[k].name, name) == 0)
      return &element->attributes[k];
  return NULL;
}

const char *clp_xml_value(const clp_xml_element *element, const char *name)
{
  const clp_xml_attribute *attribute = clp_xml_find_attribute(element, name);
  return attribute ? attribute->value : NULL;
}

bool clp_xml_is(const clp_xml_element *element, const char *name)
{
  return strcmp(element->name, name) == 0;
}

const clp_xml_element *clp_xml_child(const clp_xml_element *element, const char *name)
{
  for (const clp_xml_element *child = element->first; child; child = child->next)
    if (clp_xml_is(child, name))
      return child;
  return NULL;
}

/* ---- Tokens ------------------------------------------------------------------------------- */

bool clp_is_space(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

clp_tokens clp_tokens_of(const clp_xml_text *text, bool semicolons)
{
  const char *begin = text->begin ? text->begin : ""; /* an element with children has no text */
  return (clp_tokens){.base = begin,
                      .next = begin,
                      .end = begin + text->length,
                      .mark = text->marks,
                      .marks_left = text->mark_count,
                      .line = text->line,
                      .semicolons = semicolons};
}

/* The line of the next byte, where a new piece of text begins. */
static void heed_marks(clp_tokens *tokens)
{
  for (; tokens->marks_left > 0; --tokens->marks_left, ++tokens->mark) {
    if ((size_t)(tokens->next - tokens->base) < tokens->mark->offset)
      return;
    tokens->line = tokens->mark->line;
  }
}

bool clp_next_token(clp_tokens *tokens, clp_token *token)
{
  heed_marks(tokens);
  while (tokens->next < tokens->end && clp_is_space(*tokens->next)) {
    tokens->line += ends_line(tokens->next++, tokens->end);
    heed_marks(tokens);
  }
  if (tokens->next == tokens->end)
    return false;
  *token = (clp_token){tokens->next, 0, tokens->line};
  do {
    ++tokens->next;
  } while (tokens->next < tokens->end && !clp_is_space(*tokens->next) &&
           !(tokens->semicolons && (*tokens->next == ';' || *token->begin == ';')));
  token->length = (size_t)(tokens->next - token->begin);
  return true;
}
