/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_TEXT_H
#define RCLC_CLOSEST_POINT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/types.h"

/* Numbers as text whatever the locale, for messages and files. The structs are returned by value
 * so that a message can be put together in one call: clp_number(x).text. */

typedef struct clp_number_text {
  char text[32];
} clp_number_text;

typedef struct clp_place_text {
  char text[104];
} clp_place_text;

/* With `digits` significant digits; 17 brings every double back. */
clp_number_text clp_number(double value, int digits);

/* The same of one between lo and hi, to so many digits of hi - lo: as many more as they are far
 * from 0, so that it is not taken for an end. */
clp_number_text clp_number_between(double value, double lo, double hi, int digits);

/* The fewest digits (up to 17) that bring the value back. */
clp_number_text clp_number_shortest(double value);

/* "(x y z)" with six digits. */
clp_place_text clp_place(clp_vec3 place);

/* How many bytes the character takes that a text begins with; 0: it is none of UTF-8. */
size_t clp_utf8_length(const char *text);

/* What a terminal takes for a command becomes `instead`: a line is one line whatever is in a name.
 */
void clp_flatten(char *line, char instead);

#endif
