/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* newlocale, uselocale */

#include "rclc_closest_point/model/number.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static const char *skip_sign(const char *c, const char *end)
{
  return c < end && (*c == '+' || *c == '-') ? c + 1 : c;
}

static const char *skip_digits(const char *c, const char *end)
{
  while (c < end && is_digit(*c))
    ++c;
  return c;
}

/* [+-] digits [. digits] [e [+-] digits], where the mantissa has a digit on some side. */
static bool is_double(const char *text, size_t length)
{
  const char *end = text + length;
  const char *start = skip_sign(text, end);
  const char *c = skip_digits(start, end);
  ptrdiff_t digits = c - start;
  if (c < end && *c == '.') {
    const char *fraction = c + 1;
    c = skip_digits(fraction, end);
    digits += c - fraction;
  }
  if (digits == 0)
    return false;
  if (c < end && (*c == 'e' || *c == 'E')) {
    const char *exponent = skip_sign(c + 1, end);
    c = skip_digits(exponent, end);
    if (c == exponent)
      return false;
  }
  return c == end;
}

/* The words that printf and XML Schema have for what is not finite. */
static bool is_infinite_word(const char *text, size_t length)
{
  static const char *const words[] = {"inf", "nan", "infinity"};
  const char *start = skip_sign(text, text + length);
  length -= (size_t)(start - text);
  for (size_t w = 0; w < sizeof words / sizeof *words; ++w) {
    size_t k = 0;
    while (k < length && words[w][k] && (start[k] | 0x20) == words[w][k])
      ++k;
    if (k == length && !words[w][k])
      return true;
  }
  return false;
}

clp_number_fault clp_parse_double(const char *text, size_t length, double *value)
{
  if (!is_double(text, length))
    return is_infinite_word(text, length) ? CLP_NUMBER_INFINITE : CLP_NUMBER_WORD;
  /* strtod is the one correctly rounded conversion at hand, but it asks the thread's locale for
   * the decimal separator. ("C" is built in: nothing is allocated.) */
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale)
    return CLP_NUMBER_MEMORY;
  locale_t previous = uselocale(c_locale);
  double parsed = strtod(text, NULL);
  uselocale(previous);
  freelocale(c_locale);
  if (!isfinite(parsed))
    return CLP_NUMBER_INFINITE;
  *value = parsed;
  return CLP_NUMBER_FINE;
}

clp_number_fault clp_parse_int(const char *text, size_t length, int *value)
{
  const char *end = text + length;
  const char *start = skip_sign(text, end);
  if (start == end || skip_digits(start, end) != end)
    return CLP_NUMBER_WORD;
  int sign = *text == '-' ? -1 : 1;
  int parsed = 0;
  for (const char *c = start; c < end; ++c) {
    int digit = *c - '0';
    if (parsed > (INT_MAX - digit) / 10)
      return CLP_NUMBER_INFINITE;
    parsed = 10 * parsed + digit;
  }
  *value = sign * parsed;
  return CLP_NUMBER_FINE;
}
