/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_READER_H
#define RCLC_CLOSEST_POINT_MODEL_READER_H

/* From text to values: attributes, lists of numbers, names. What is wrong is reported where it
 * stands, and reading goes on, so that one run finds every defect. */

#include "rclc_closest_point/model/xml.h"

typedef struct clp_reader {
  clp_log *log;
  clp_arena *arena; /* for what is read; lives as long as the tree */
  bool for_overlay; /* an overlay is to be written: links with <patches> are left out */
  bool with_meshes; /* meshes are taken down, and those of <visual>, too */
} clp_reader;

/* Numbers with the line that each stands on. */
typedef struct clp_numbers {
  double *values;
  int *lines;
  int count;
} clp_numbers;

/* ---- What may stand in an element --------------------------------------------------------- */

/* Every attribute is one of `names` (NULL at the end). */
bool clp_expect_attributes(clp_reader *reader, const clp_xml_element *element,
                           const char *const *names);

/* No child elements. */
bool clp_expect_leaf(clp_reader *reader, const clp_xml_element *element);

/* No text; of an element with children, none beside them. */
bool clp_expect_no_text(clp_reader *reader, const clp_xml_element *element);

/* Attributes as listed, and neither children nor text. */
bool clp_expect_empty(clp_reader *reader, const clp_xml_element *element, const char *const *names);

/* ---- Names -------------------------------------------------------------------------------- */

/* Whether `name` can stand in a feature's name. `what` says whose name it is. */
bool clp_expect_usable_name(clp_reader *reader, int line, const char *what, const char *name);
bool clp_is_usable_name(const char *name);

/* A link is a frame of tf2's, which may have slashes, but not before everything else. */
bool clp_expect_link_name(clp_reader *reader, int line, const char *name);

typedef struct clp_named_line {
  const char *name;
  int line;
} clp_named_line;

/* Reports each name that occurred before, at its later line. Reorders the array. */
bool clp_expect_unique(clp_reader *reader, clp_named_line *names, size_t count, const char *what);

/* ---- Attributes --------------------------------------------------------------------------- */

/* `count` numbers. An attribute that is missing is reported when `required`; otherwise `values`
 * stays as it is. */
bool clp_read_attribute(clp_reader *reader, const clp_xml_element *element, const char *name,
                        int count, bool required, double *values);
bool clp_read_integers(clp_reader *reader, const clp_xml_element *element, const char *name,
                       int count, int *values);

/* true, false, 1 or 0; *value stays as it is when there is no such attribute. */
bool clp_read_flag(clp_reader *reader, const clp_xml_element *element, const char *name,
                   bool *value);

/* ---- Lists in an element's text ----------------------------------------------------------- */

/* Exactly `count` numbers; `meaning` says what they are ("9 times x y z w"). */
bool clp_read_list(clp_reader *reader, const clp_xml_element *element, int count,
                   const char *meaning, clp_numbers *numbers);

/* Any number of groups of `stride` numbers, at most `most` groups. */
bool clp_read_groups(clp_reader *reader, const clp_xml_element *element, int stride, int most,
                     clp_numbers *numbers);

/* Integers in groups that semicolons divide. */
typedef struct clp_integer_groups {
  int *values, *lines;
  int *sizes;
  int count, group_count;
} clp_integer_groups;

/* At most `most` integers. */
bool clp_read_integer_groups(clp_reader *reader, const clp_xml_element *element, int most,
                             clp_integer_groups *groups);

#endif
