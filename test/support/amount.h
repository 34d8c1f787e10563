/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_AMOUNT_H
#define TEST_SUPPORT_AMOUNT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How much the long tests try. One build tries all of it; the others, which differ in what watches
 * them and not in what they compute, are told CLP_AMOUNT=quick: every test runs there, too, with an
 * eighth of its cases. With CLP_AMOUNT=thorough, by hand, some try more. */

static inline bool amount_is(const char *amount)
{
  const char *value = getenv("CLP_AMOUNT");
  return value && strcmp(value, amount) == 0;
}

static inline bool amount_quick(void)
{
  return amount_is("quick");
}

static inline bool amount_thorough(void)
{
  return amount_is("thorough");
}

/* How many of so many random cases are tried. */
static inline int amount_of(int all)
{
  return amount_quick() ? (all + 7) / 8 : all;
}

/* Whether the k-th case of a list is. */
static inline bool amount_has(int k)
{
  return !amount_quick() || k % 8 == 0;
}

#endif
