/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/view/access.h"
#include "support/suite.h"

static clp_access access_to(const char *address, const char *token)
{
  clp_access access = {.port = 0};
  ck_assert(clp_access_set_address(&access, address, 8765));
  strcpy(access.token, token);
  return access;
}

static clp_admission judge(const clp_access *access, const char *host, const char *origin,
                           const char *query, const char *cookie)
{
  const clp_request_facts facts = {host, origin, query, cookie};
  return clp_access_judge(access, &facts);
}

SUITE("view: access");

TEST_CASE("requests", 20);

TEST(addresses)
{
  static const struct {
    const char *text;
    bool good, loopback;
  } cases[] = {
      {"127.0.0.1", true, true},   {"127.8.9.1", true, true}, {"::1", true, true},
      {"0.0.0.0", true, false},    {"::", true, false},       {"10.0.0.7", true, false},
      {"localhost", false, false}, {"", false, false},        {"127.0.0.1:80", false, false},
      {"::2", true, false},        {"1.2.3", false, false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    clp_access access = {.port = 0};
    ck_assert_int_eq(clp_access_set_address(&access, cases[k].text, 1), cases[k].good);
    ck_assert_int_eq(access.loopback, cases[k].loopback);
  }
}

TEST(hosts)
{
  static const char *const good[] = {"127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765",
                                     "[::1]:8765",     "localhost",      "127.0.0.1:9000"};
  static const char *const bad[] = {"",
                                    "evil.example:8765",
                                    "127.0.0.1.evil.example:8765",
                                    "localhost.evil.example:8765",
                                    "10.0.0.7:8765",
                                    "[::1",
                                    "::1:8765x",
                                    "127.0.0.1:",
                                    "127.0.0.1:87a",
                                    "127.0.0.1 evil.example"};
  clp_access access = access_to("127.0.0.1", "");
  for (size_t k = 0; k < sizeof good / sizeof *good; ++k)
    ck_assert_msg(judge(&access, good[k], NULL, NULL, NULL) == CLP_WELCOME, "%s", good[k]);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
    ck_assert_msg(judge(&access, bad[k], NULL, NULL, NULL) == CLP_WRONG_HOST, "%s", bad[k]);
  ck_assert_int_eq(judge(&access, NULL, NULL, NULL, NULL), CLP_WRONG_HOST);
}

TEST(hosts_beyond_this_machine)
{
  clp_access access = access_to("0.0.0.0", "");
  ck_assert_int_eq(judge(&access, "10.0.0.7:8765", NULL, NULL, NULL), CLP_WELCOME);
  ck_assert_int_eq(judge(&access, "[fe80::7]:8765", NULL, NULL, NULL), CLP_WELCOME);
  ck_assert_int_eq(judge(&access, "10.0.0.7:8766", NULL, NULL, NULL), CLP_WRONG_HOST);
  ck_assert_int_eq(judge(&access, "robot.example:8765", NULL, NULL, NULL), CLP_WRONG_HOST);
}

static const char token[] = "0123456789abcdef0123456789abcdef";

TEST(origins)
{
  clp_access access = access_to("127.0.0.1", "");
  const char *host = "localhost:8765";
  ck_assert_int_eq(judge(&access, host, "", NULL, NULL), CLP_WELCOME);
  ck_assert_int_eq(judge(&access, host, "http://localhost:8765", NULL, NULL), CLP_WELCOME);
  static const char *const bad[] = {"http://localhost:3000", "https://localhost:8765",
                                    "http://127.0.0.1:8765", "null",
                                    "http://evil.example",   "http://localhost:8765.evil.example"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    ck_assert_msg(judge(&access, host, bad[k], NULL, NULL) == CLP_WRONG_ORIGIN, "%s", bad[k]);
    /* Where none is asked for, none is right. */
    ck_assert_int_eq(judge(&access, host, bad[k], "token=", NULL), CLP_WRONG_ORIGIN);
  }
}

/* Who controls a recording: nobody who may look for another reason, as viewers with the token may.
 */
TEST(own_page)
{
  static const struct {
    const char *host, *origin;
    bool own;
  } cases[] = {{"localhost:8765", "http://localhost:8765", true},
               {"127.0.0.1:8765", "http://127.0.0.1:8765", true},
               {"localhost:8765", "http://127.0.0.1:8765", false},
               {"localhost:8765", "http://localhost:3000", false},
               {"localhost:8765", "http://evil.example", false},
               {"localhost:8765", "null", false},
               {"localhost:8765", "", false},
               {"localhost:8765", NULL, false},
               {NULL, "http://localhost:8765", false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const clp_request_facts facts = {cases[k].host, cases[k].origin, NULL, NULL};
    ck_assert_int_eq(clp_access_is_own_page(&facts), cases[k].own);
  }
}

TEST(tokens)
{
  clp_access access = access_to("127.0.0.1", token);
  const char *host = "127.0.0.1:8765", *own = "http://127.0.0.1:8765", *other = "http://x.example";
  char query[80], cookie[120];
  snprintf(query, sizeof query, "a=1&token=%s", token);
  snprintf(cookie, sizeof cookie, "x=token; closest_point_token=%s; y", token);
  ck_assert_int_eq(judge(&access, host, NULL, NULL, NULL), CLP_WRONG_TOKEN);
  ck_assert_int_eq(judge(&access, host, own, query, NULL), CLP_WELCOME);
  ck_assert_int_eq(judge(&access, host, own, NULL, cookie), CLP_WELCOME);
  ck_assert_int_eq(judge(&access, host, other, query, NULL), CLP_WELCOME);
  ck_assert_int_eq(judge(&access, host, other, NULL, cookie), CLP_WRONG_ORIGIN);
  ck_assert_int_eq(judge(&access, "evil.example", other, query, cookie), CLP_WRONG_HOST);
  snprintf(query, sizeof query, "xtoken=%s", token);
  ck_assert_int_eq(judge(&access, host, NULL, query, NULL), CLP_WRONG_TOKEN);
}

TEST(every_digit_of_a_token_counts)
{
  clp_access access = access_to("127.0.0.1", token);
  ck_assert(clp_access_is_token(&access, token, CLP_TOKEN_LENGTH));
  ck_assert(!clp_access_is_token(&access, token, CLP_TOKEN_LENGTH - 1));
  ck_assert(!clp_access_is_token(&access, "", 0));
  for (int k = 0; k < CLP_TOKEN_LENGTH; ++k) {
    char wrong[sizeof token];
    strcpy(wrong, token);
    wrong[k] = 'x';
    ck_assert(!clp_access_is_token(&access, wrong, CLP_TOKEN_LENGTH));
  }
  clp_access none = access_to("127.0.0.1", "");
  static const char zeros[CLP_TOKEN_LENGTH] = {0};
  ck_assert(!clp_access_is_token(&none, zeros, sizeof zeros));
  ck_assert(!clp_access_is_token(&none, "", 0));
}

TEST(tokens_by_chance)
{
  clp_access first = access_to("127.0.0.1", ""), second = first;
  ck_assert(clp_access_make_token(&first) && clp_access_make_token(&second));
  ck_assert_uint_eq(strspn(first.token, "0123456789abcdef"), CLP_TOKEN_LENGTH);
  ck_assert_str_ne(first.token, second.token);
}
