/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"

#include <math.h>
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

clp_number_text clp_number_between(double value, double lo, double hi, int digits)
{
  double farther = fmax(fabs(lo), fabs(hi)) / (hi - lo);
  int more = farther > 1 && farther < 1e17 ? (int)ceil(log10(farther)) : 0;
  return clp_number(value, digits + more < 17 ? digits + more : 17);
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

size_t clp_utf8_length(const char *text)
{
  /* By the first byte, and what the second may be: nothing is written longer than it need be, no
   * half of a pair of UTF-16, nothing beyond Unicode. */
  static const struct {
    unsigned char first, last, second, second_last, length;
  } kinds[] = {
      {0x00, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  const unsigned char *c = (const unsigned char *)text;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    if (c[0] < kinds[k].first || c[0] > kinds[k].last)
      continue;
    if (kinds[k].length > 1 && (c[1] < kinds[k].second || c[1] > kinds[k].second_last))
      return 0;
    for (size_t j = 2; j < kinds[k].length; ++j)
      if ((c[j] & 0xc0) != 0x80)
        return 0;
    return kinds[k].length;
  }
  return 0;
}

void clp_flatten(char *line, char instead)
{
  for (unsigned char *c = (unsigned char *)line; *c; ++c) {
    bool wide = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
    if (*c < 0x20 || *c == 0x7f || wide)
      *c = (unsigned char)instead;
    if (wide)
      *++c = (unsigned char)instead;
  }
}
