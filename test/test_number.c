/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/model/number.h"
#include "support/random.h"
#include "support/suite.h"

static clp_number_fault parse(const char *text, double *value)
{
  return clp_parse_double(text, strlen(text), value);
}

SUITE("number");

TEST_CASE("number", 10);

TEST(test_accepts_what_xml_schema_calls_a_double)
{
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      {"0", 0},
      {"1", 1},
      {"-1", -1},
      {"+1", 1},
      {"1.", 1},
      {".5", 0.5},
      {"-.5e1", -5},
      {"1e3", 1000},
      {"1E+3", 1000},
      {"1e-3", 1e-3},
      {"007", 7},
      {"4.9406564584124654e-324", DBL_TRUE_MIN},
      {"1e-999", 0},
      {"1.7976931348623157e308", DBL_MAX},
      {"0.1", 0.1},
      {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
      {"9007199254740993", 9007199254740992.0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    double value = 42;
    ck_assert_msg(parse(cases[k].text, &value) == CLP_NUMBER_FINE, "%s", cases[k].text);
    ck_assert_msg(value == cases[k].value, "%s became %.17g", cases[k].text, value);
  }
  double zero = 1;
  ck_assert_int_eq(parse("-0", &zero), CLP_NUMBER_FINE);
  ck_assert(zero == 0 && signbit(zero));
}

TEST(test_refuses_everything_else)
{
  static const char *const words[] = {
      "",      "+",     "-",       ".",         "e5",           "1e",    "1e+",  "+-1",
      "--1",   "1.2.3", "1,5",     "0x1",       "0x1p3",        "1f",    "1d0",  "1_000",
      "1e5.0", "one",   "- 1",     "1 2",       "1;",           "\"1\"", "in",   "infi",
      "na",    "nano",  "infinit", "infinityy", "\xef\xbc\x91", "1e5e5", "inf1",
  };
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
    double value = 42;
    ck_assert_msg(parse(words[k], &value) == CLP_NUMBER_WORD, "'%s'", words[k]);
    ck_assert(value == 42);
  }
  static const char *const infinite[] = {"INF", "-INF",      "+INF",  "NaN",   "nan",
                                         "inf", "-Infinity", "1e999", "-1e309"};
  for (size_t k = 0; k < sizeof infinite / sizeof *infinite; ++k) {
    double value = 42;
    ck_assert_msg(parse(infinite[k], &value) == CLP_NUMBER_INFINITE, "'%s'", infinite[k]);
    ck_assert(value == 42);
  }
}

/* Every double comes back from its 17 digits, also from the middle of a longer text. */
TEST(test_reads_back_random_doubles)
{
  random_state g = {1};
  for (int k = 0; k < 20000; ++k) {
    uint64_t bits = random_bits(&g);
    double value, read = 0;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    char text[64];
    int length = snprintf(text, sizeof text, "%.17g", value);
    snprintf(text + length, sizeof text - (size_t)length, " 77");
    ck_assert_int_eq(clp_parse_double(text, (size_t)length, &read), CLP_NUMBER_FINE);
    ck_assert_mem_eq(&read, &value, sizeof read);
  }
}

TEST(test_integers)
{
  int value = 42;
  ck_assert_int_eq(clp_parse_int("+12", 3, &value), CLP_NUMBER_FINE);
  ck_assert_int_eq(value, 12);
  ck_assert_int_eq(clp_parse_int("-2147483647", 11, &value), CLP_NUMBER_FINE);
  ck_assert_int_eq(value, -INT_MAX);
  ck_assert_int_eq(clp_parse_int("2147483647", 10, &value), CLP_NUMBER_FINE);
  ck_assert_int_eq(value, INT_MAX);
  value = 42;
  ck_assert_int_eq(clp_parse_int("2147483648", 10, &value), CLP_NUMBER_INFINITE);
  ck_assert_int_eq(clp_parse_int("99999999999999999999", 20, &value), CLP_NUMBER_INFINITE);
  ck_assert_int_eq(clp_parse_int("1.0", 3, &value), CLP_NUMBER_WORD);
  ck_assert_int_eq(clp_parse_int("1e3", 3, &value), CLP_NUMBER_WORD);
  ck_assert_int_eq(clp_parse_int("-", 1, &value), CLP_NUMBER_WORD);
  ck_assert_int_eq(clp_parse_int("", 0, &value), CLP_NUMBER_WORD);
  ck_assert_int_eq(value, 42);
}

/* Under a locale with a decimal comma, where the machine has one, a point stays a point. */
TEST(test_locale_does_not_matter)
{
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    if (setlocale(LC_ALL, names[k]))
      break;
  double value = 0;
  ck_assert_int_eq(parse("1.5", &value), CLP_NUMBER_FINE);
  ck_assert(value == 1.5);
  ck_assert_int_eq(parse("1,5", &value), CLP_NUMBER_WORD);
  setlocale(LC_ALL, "C");
}
