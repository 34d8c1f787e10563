/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/decimal.h"

/* snprintf writes the locale's decimal separator; it is whatever is no part of a number in "C". */
static void restore_point(char *text)
{
  char *out = text;
  bool replaced = false;
  for (const char *in = text; *in; ++in) {
    bool plain = strchr("0123456789+-einfa", *in) != NULL;
    if (plain)
      *out++ = *in;
    else if (!replaced) { /* a separator may take several bytes */
      *out++ = '.';
      replaced = true;
    }
  }
  *out = '\0';
}

clp_number_text clp_number(double value, int digits)
{
  clp_number_text number;
  int length = digits == 17 ? clp_decimal_write(value, number.text) : 0;
  number.text[length] = '\0';
  if (length > 0)
    return number;
  snprintf(number.text, sizeof number.text, "%.*g", digits, value);
  restore_point(number.text);
  return number;
}

clp_number_text clp_number_shortest(double value)
{
  clp_number_text number;
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(number.text, sizeof number.text, "%.*g", digits, value);
    if (digits == 17 || strtod(number.text, NULL) == value)
      break; /* read back with the separator it was written with */
  }
  restore_point(number.text);
  return number;
}

clp_place_text clp_place(clp_vec3 place)
{
  clp_place_text out;
  snprintf(out.text, sizeof out.text, "(%s %s %s)", clp_number(place.x, 6).text,
           clp_number(place.y, 6).text, clp_number(place.z, 6).text);
  return out;
}
