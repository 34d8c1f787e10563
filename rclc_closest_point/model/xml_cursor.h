/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_XML_CURSOR_H
#define RCLC_CLOSEST_POINT_MODEL_XML_CURSOR_H

#include "rclc_closest_point/model/xml.h"

/* Follows the parser through the file, to know on which line everything stands. libxml2 reports
 * what it has read in the file's order (start tags, pieces of text) but not, in a way that all its
 * versions and paths agree on, from where. What it does not report (comments, processing
 * instructions, end tags, the brackets of CDATA sections) is skipped here; so the cursor stands at
 * the beginning of what is reported next. It may rely on the text being well-formed up to there. */
typedef struct clp_xml_cursor {
  const char *at, *end;
  const char *counted; /* line breaks are counted up to here */
  int line;            /* of *counted */
  bool in_cdata;
} clp_xml_cursor;

clp_xml_cursor clp_xml_cursor_at_start(const char *text, size_t length);

/* To what is reported next. Outside the root element white space is not reported either. */
void clp_xml_cursor_skip(clp_xml_cursor *cursor, bool in_root);

/* The line of the byte at the cursor. */
int clp_xml_cursor_line(clp_xml_cursor *cursor);

/* Past a piece of text that was reported with `length` bytes. False: it is a reference, which is
 * written in other bytes. */
bool clp_xml_cursor_pass_text(clp_xml_cursor *cursor, size_t length);

/* Past the name of a start tag. */
void clp_xml_cursor_enter_tag(clp_xml_cursor *cursor);

typedef struct clp_raw_attribute {
  clp_token name, value; /* as they are written; only the value has its line */
} clp_raw_attribute;

/* Past the next attribute; false when the tag has no more. */
bool clp_xml_cursor_pass_attribute(clp_xml_cursor *cursor, clp_raw_attribute *raw);

/* Past the tag's '>'. */
void clp_xml_cursor_leave_tag(clp_xml_cursor *cursor);

#endif
