/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const inks[] = {
    [CLP_INK_PLAIN] = "",
    [CLP_INK_BOLD] = "\033[1m",
    [CLP_INK_FAINT] = "\033[2m",
    [CLP_INK_GOOD] = "\033[32m",
    [CLP_INK_WARN] = "\033[33m",
    [CLP_INK_BAD] = "\033[31m",
    [CLP_INK_GOOD_BADGE] = "\033[1;30;42m",
    [CLP_INK_WARN_BADGE] = "\033[1;30;43m",
    [CLP_INK_BAD_BADGE] = "\033[1;37;41m",
};

void clp_page_begin(clp_page *page, int columns, int rows, bool color, bool utf8)
{
  page->columns = columns;
  page->rows = rows;
  page->color = color;
  page->utf8 = utf8;
  page->used = 0;
  page->line = page->column = 0;
  page->text[0] = '\0';
}

static bool is_open(const clp_page *page)
{
  return page->rows == 0 || page->line < page->rows;
}

static void add_bytes(clp_page *page, const char *bytes, size_t length)
{
  if (page->used + length >= CLP_PAGE_ROOM)
    return;
  memcpy(page->text + page->used, bytes, length);
  page->used += length;
  page->text[page->used] = '\0';
}

/* The bytes of a character. */
static size_t character_length(const char *text)
{
  size_t length = 1;
  while (((unsigned char)text[length] & 0xc0) == 0x80)
    ++length;
  return length;
}

static int width_of(const char *text)
{
  int width = 0;
  for (; *text; text += character_length(text))
    ++width;
  return width;
}

static void add_width(clp_page *page, const char *text, int width)
{
  for (; *text && width > 0 && page->column < page->columns; --width) {
    size_t length = character_length(text);
    add_bytes(page, text, length);
    ++page->column;
    text += length;
  }
}

static void put(clp_page *page, clp_ink ink, const char *text, int width)
{
  if (!is_open(page) || page->column >= page->columns || width <= 0)
    return;
  bool colored = page->color && ink != CLP_INK_PLAIN;
  if (colored)
    add_bytes(page, inks[ink], strlen(inks[ink]));
  add_width(page, text, width);
  if (colored)
    add_bytes(page, "\033[0m", 4);
}

void clp_page_put(clp_page *page, clp_ink ink, const char *text)
{
  put(page, ink, text, page->columns);
}

void clp_page_print(clp_page *page, clp_ink ink, const char *format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  clp_page_put(page, ink, text);
}

void clp_page_fit(clp_page *page, clp_ink ink, const char *text, int width)
{
  const char *ellipsis = page->utf8 ? "\xe2\x80\xa6" : "...";
  int left = page->columns - page->column, tail = width_of(ellipsis);
  width = width < left ? width : left;
  if (width_of(text) <= width) {
    put(page, ink, text, width);
  } else {
    put(page, ink, text, width - tail);
    put(page, ink, ellipsis, width < tail ? width : tail);
  }
}

void clp_page_to(clp_page *page, int column)
{
  while (is_open(page) && page->column < column && page->column < page->columns) {
    add_bytes(page, " ", 1);
    ++page->column;
  }
}

void clp_page_end_line(clp_page *page)
{
  if (page->rows > 0)
    clp_page_to(page, page->columns);
  if (is_open(page))
    add_bytes(page, "\n", 1);
  ++page->line;
  page->column = 0;
}
