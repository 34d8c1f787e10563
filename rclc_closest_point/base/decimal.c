/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/decimal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 17, LEAST = -16 }; /* the least decimal exponent */

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

static wide power_of_5(int exponent)
{
  wide power = 1;
  for (wide factor = 5; exponent > 0; exponent /= 2, factor *= factor)
    if (exponent % 2)
      power *= factor;
  return power;
}

/* m 2^e 10^p, rounded to nearest, ties to even. With p from 0 to 32 the product m 5^p is below
 * 2^128, so that it is exact, and what is shifted out decides on the rounding. */
static uint64_t scale(uint64_t m, int e, int p)
{
  wide product = m * power_of_5(p);
  int shift = -(e + p);
  if (shift <= 0)
    return (uint64_t)(product << -shift);
  uint64_t whole = (uint64_t)(product >> shift);
  wide rest = product - ((wide)whole << shift), half = (wide)1 << (shift - 1);
  return whole + (rest > half || (rest == half && whole % 2));
}

/* The number as 17 digits d.ddd 10^*exponent; 0 when it cannot be done. */
static uint64_t digits_of(double value, int *exponent)
{
  const uint64_t most = 99999999999999999u;
  int e;
  uint64_t m = (uint64_t)ldexp(frexp(value, &e), 53);
  e -= 53;
  /* of the power of two below, which is the number's or one less */
  int k = (int)floor((e + 52) * 0.30102999566398120);
  if (k < LEAST || k >= DIGITS)
    return 0;
  uint64_t digits = scale(m, e, DIGITS - 1 - k);
  if (digits > most && ++k < DIGITS)
    digits = scale(m, e, DIGITS - 1 - k);
  *exponent = k;
  return digits > most ? 0 : digits;
}

#else

static uint64_t digits_of(double value, int *exponent)
{
  (void)value;
  (void)exponent;
  return 0;
}

#endif

static void write_block(uint32_t digits, int count, char *text)
{
  for (int k = count - 1; k >= 0; --k) {
    text[k] = (char)('0' + digits % 10);
    digits /= 10;
  }
}

/* In two halves, which a processor divides side by side. Returns how many digits there are without
 * the zeros at the end. */
static int write_digits(uint64_t digits, char *text)
{
  const uint64_t half = 100000000;
  int count = DIGITS;
  write_block((uint32_t)(digits / half), 9, text);
  write_block((uint32_t)(digits % half), 8, text + 9);
  while (count > 1 && text[count - 1] == '0')
    --count;
  return count;
}

static char *put(char *out, const char *text, int count)
{
  memcpy(out, text, (size_t)count);
  return out + count;
}

static char *put_zeros(char *out, int count)
{
  memset(out, '0', (size_t)count);
  return out + count;
}

static char *put_fixed(char *out, const char *digits, int count, int exponent)
{
  if (exponent < 0) {
    out = put_zeros(put(out, "0.", 2), -exponent - 1);
    return put(out, digits, count);
  }
  int whole = exponent + 1;
  if (count <= whole)
    return put_zeros(put(out, digits, count), whole - count);
  out = put(put(out, digits, whole), ".", 1);
  return put(out, digits + whole, count - whole);
}

/* Only for exponents from -16 to -5. */
static char *put_scientific(char *out, const char *digits, int count, int exponent)
{
  out = put(out, digits, 1);
  if (count > 1)
    out = put(put(out, ".", 1), digits + 1, count - 1);
  out = put(out, "e-", 2);
  *out++ = (char)('0' + -exponent / 10);
  *out++ = (char)('0' + -exponent % 10);
  return out;
}

int clp_decimal_write(double value, char text[CLP_DECIMAL_MAX])
{
  char digits[DIGITS], *out = text;
  int exponent = 0;
  uint64_t number = 0;
  if (isfinite(value) && value != 0)
    number = digits_of(fabs(value), &exponent);
  if (number == 0 && value != 0)
    return 0;
  if (signbit(value))
    *out++ = '-';
  int count = write_digits(number, digits);
  out = exponent < -4 ? put_scientific(out, digits, count, exponent)
                      : put_fixed(out, digits, count, exponent);
  return (int)(out - text);
}
