/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/base/buckets.h"
#include "rclc_closest_point/base/decimal.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/closest_point.h"
#include "support/amount.h"
#include "support/random.h"
#include "support/suite.h"

SUITE("base");

TEST_CASE("arena", 5);

TEST(arena_zeroes_and_aligns)
{
  clp_arena arena = {0};
  for (size_t k = 1; k < 3000; k += 7) {
    unsigned char *memory = clp_arena_take(&arena, k, 3);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq((uintptr_t)memory % _Alignof(max_align_t), 0);
    unsigned char bits = 0;
    for (size_t i = 0; i < 3 * k; ++i)
      bits |= memory[i];
    ck_assert_uint_eq(bits, 0);
    memset(memory, 0xff, 3 * k); /* what is handed out once is not handed out again */
  }
  ck_assert(!arena.failed);
  clp_arena_release(&arena);
}

TEST(arena_remembers_failure)
{
  clp_arena arena = {0};
  ck_assert_ptr_null(clp_arena_take(&arena, SIZE_MAX / 2, 16));
  ck_assert(arena.failed);
  ck_assert_ptr_nonnull(clp_arena_take(&arena, 1, 1));
  ck_assert(arena.failed);
  clp_arena_release(&arena);
  ck_assert(!arena.failed);
}

TEST(arena_grows)
{
  clp_arena arena = {0};
  int *numbers = NULL;
  size_t capacity = 0;
  for (size_t k = 0; k < 10000; ++k) {
    numbers = clp_arena_grow(&arena, numbers, k, &capacity, sizeof *numbers);
    ck_assert_ptr_nonnull(numbers);
    numbers[k] = (int)k;
  }
  for (int k = 0; k < 10000; ++k)
    ck_assert_int_eq(numbers[k], k);
  ck_assert_str_eq(clp_arena_string(&arena, "kept"), "kept");
  clp_arena_release(&arena);
}

/* What is taken again is zeroed again; what has begun another chunk stays. */
TEST(arena_goes_back)
{
  clp_arena arena = {0};
  char *kept = clp_arena_string(&arena, "kept");
  clp_arena_mark mark = clp_arena_here(&arena);
  unsigned char *first = clp_arena_take(&arena, 1000, 1);
  memset(first, 0xff, 1000);
  clp_arena_back(&arena, mark);
  unsigned char *second = clp_arena_take(&arena, 2000, 1);
  ck_assert_ptr_eq(first, second);
  for (size_t k = 0; k < 2000; ++k)
    ck_assert_uint_eq(second[k], 0);
  ck_assert_str_eq(kept, "kept");
  unsigned char *large = clp_arena_take(&arena, 1000000, 1);
  memset(large, 0xff, 1000000);
  clp_arena_back(&arena, mark);
  unsigned char *other = clp_arena_take(&arena, 1000, 1);
  ck_assert(other < large || other >= large + 1000000);
  ck_assert_uint_eq(large[999999], 0xff);
  ck_assert_str_eq(kept, "kept");
  clp_arena_release(&arena);
}

/* Every index is there once, numbers do not fall, and what is alike keeps its order. */
TEST(buckets_sort)
{
  random_state random = {5};
  for (int round = 0; round < 200; ++round) {
    clp_arena arena = {0};
    size_t count = random_bits(&random) % 61, limit = 1 + random_bits(&random) % 20;
    uint32_t numbers[60], first = 0;
    for (size_t k = 0; k < count; ++k)
      numbers[k] = (uint32_t)(random_bits(&random) % limit);
    clp_buckets b;
    ck_assert(clp_buckets_make(&b, &arena, numbers, count, limit));
    for (uint32_t n = 0; n < limit; ++n) {
      ck_assert_uint_eq(b.first[n], first);
      for (uint32_t k = 0; k < count; ++k)
        if (numbers[k] == n)
          ck_assert_uint_eq(b.order[first++], k);
    }
    ck_assert_uint_eq(b.first[limit], count);
    clp_arena_release(&arena);
  }
}

TEST_CASE("text", 5);

/* Every double comes back, and no more digits are spent than needed. */
TEST(numbers_come_back)
{
  random_state g = {.s = 3};
  for (int k = 0; k < 20000; ++k) {
    uint64_t bits = random_bits(&g);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value))
      continue;
    ck_assert(strtod(clp_number_shortest(value).text, NULL) == value);
    ck_assert(strtod(clp_number(value, 17).text, NULL) == value);
  }
  ck_assert_str_eq(clp_number_shortest(0.1).text, "0.1");
  ck_assert_str_eq(clp_number_shortest(-1e-300).text, "-1e-300");
  ck_assert_str_eq(clp_number_between(1.0 / 3, 0, 1, 4).text, "0.3333");
  ck_assert_str_eq(clp_number_between(1000.5, 1000, 1001, 4).text, "1000.5");
  ck_assert_str_eq(clp_number_between(-100000.25, -100001, -100000, 4).text, "-100000.25");
  ck_assert_str_eq(clp_number_between(1e15 + 0.5, 1e15, 1e15 + 1, 4).text, "1000000000000000.5");
  ck_assert_str_eq(clp_place((clp_vec3){1, -0.25, 3e9}).text, "(1 -0.25 3e+09)");
}

/* Whatever is written fast is what snprintf writes. */
static void expect_as_printed(double value)
{
  char expected[64], text[CLP_DECIMAL_MAX + 1];
  int length = clp_decimal_write(value, text);
  bool suits = value == 0 || (fabs(value) >= 0x1p-53 && fabs(value) < 1e17);
  if (length > 0 || suits) {
    text[length] = '\0';
    snprintf(expected, sizeof expected, "%.17g", value);
    if (strcmp(text, expected) != 0)
      ck_abort_msg("%s, expected %s", text, expected);
  }
}

static void expect_around_as_printed(double value)
{
  expect_as_printed(value);
  expect_as_printed(-value);
  expect_as_printed(nextafter(value, HUGE_VAL));
  expect_as_printed(nextafter(value, -HUGE_VAL));
}

TEST(decimals_are_as_printed)
{
  random_state g = {.s = 4};
  for (int k = 0, count = amount_of(300000); k < count; ++k) {
    double value = ldexp(random_between(&g, 1, 2), (int)(random_bits(&g) % 120) - 60);
    double coarse = ldexp((double)(random_bits(&g) % 4096), (int)(random_bits(&g) % 60) - 50);
    expect_as_printed(random_bits(&g) % 2 ? value : -value);
    expect_as_printed(coarse); /* ties: digits that end in a 5 */
  }
  for (int k = -20; k <= 20; ++k) {
    expect_around_as_printed(pow(10, k));
    expect_around_as_printed(5 * pow(10, k));
    expect_around_as_printed(ldexp(1, 3 * k));
  }
  for (int k = 0; k < 2000; ++k)
    expect_around_as_printed(0.001 * k);
  const double others[] = {HUGE_VAL, -HUGE_VAL, (double)NAN,          1e-310,
                           1e17,     1e300,     9.9999999999999999e16};
  char text[CLP_DECIMAL_MAX];
  for (int k = 0; k < 6; ++k)
    ck_assert_int_eq(clp_decimal_write(others[k], text), 0);
  ck_assert_str_eq(clp_number(-0.0, 17).text, "-0");
  ck_assert_str_eq(clp_number(HUGE_VAL, 17).text, "inf");
}

/* A locale with a decimal comma, where one is installed, changes nothing. */
TEST(numbers_ignore_the_locale)
{
  static const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  for (int k = 0; k < 3; ++k)
    if (setlocale(LC_ALL, names[k]))
      break;
  ck_assert_str_eq(clp_number(1234.5, 6).text, "1234.5");
  ck_assert_str_eq(clp_number_shortest(0.125).text, "0.125");
  ck_assert_str_eq(clp_number(HUGE_VAL, 6).text, "inf");
}

TEST(every_status_has_a_text)
{
  for (int status = CLP_ERROR_POSE; status <= CLP_OK; ++status) {
    const char *text = clp_status_text((clp_status)status);
    ck_assert_uint_gt(strlen(text), 4);
    for (int other = status + 1; other <= CLP_OK; ++other)
      ck_assert_str_ne(text, clp_status_text((clp_status)other));
  }
  ck_assert_ptr_nonnull(clp_status_text((clp_status)77));
}

TEST(statuses_and_kinds_have_names)
{
  static const char *const statuses[] = {"TRACKING", "CONVERGING", "PENETRATING", "STALE",
                                         "OUT_OF_RANGE"};
  for (int k = CLP_TRACKING; k <= CLP_OUT_OF_RANGE; ++k)
    ck_assert_str_eq(clp_pair_status_name((clp_pair_status)k), statuses[k]);
  ck_assert_ptr_nonnull(clp_pair_status_name((clp_pair_status)77));
  ck_assert_str_eq(clp_feature_kind_name(CLP_FACE), "face");
  ck_assert_str_eq(clp_feature_kind_name(CLP_EDGE), "edge");
  ck_assert_str_eq(clp_feature_kind_name(CLP_VERTEX), "vertex");
  ck_assert_ptr_nonnull(clp_feature_kind_name((clp_feature_kind)77));
}
