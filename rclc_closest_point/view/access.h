/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_ACCESS_H
#define RCLC_CLOSEST_POINT_VIEW_ACCESS_H

/* Who may come in: what a request says of itself, judged before anything is sent.
 *
 * A page from elsewhere that runs in somebody's browser can reach a server on the loopback
 * interface. What gives it away is the Host that the browser believes to talk to (a name of its own
 * that has been bound to 127.0.0.1 meanwhile: DNS rebinding) and the Origin that it comes from.
 * Programs that are no browsers send no Origin.
 *
 * Where there is a token, a request has it in the query of its address or, once the browser has
 * been given it, in a cookie. From another origin, as viewers that are web pages come, only the one
 * in the address counts: that somebody has typed, whereas cookies come along by themselves. */

#include <stdbool.h>
#include <stddef.h>

#define CLP_TOKEN_LENGTH 32 /* hexadecimal digits: 128 bits */
#define CLP_TOKEN_NAME "token"
#define CLP_COOKIE_NAME "closest_point_token"

typedef struct clp_access {
  char address[64]; /* that is listened on, as text */
  int port;
  bool loopback;                    /* that address is reached from this machine alone */
  char token[CLP_TOKEN_LENGTH + 1]; /* empty: none is asked for */
} clp_access;

/* Of a request's headers; NULL or empty: it has none of that name. */
typedef struct clp_request_facts {
  const char *host, *origin, *query, *cookie;
} clp_request_facts;

typedef enum clp_admission {
  CLP_WELCOME,
  CLP_WRONG_HOST,
  CLP_WRONG_ORIGIN,
  CLP_WRONG_TOKEN,
  CLP_ADMISSIONS
} clp_admission;

/* Fills in what is listened on. False: `address` is no address, IPv4 or IPv6 in digits. */
bool clp_access_set_address(clp_access *access, const char *address, int port);

/* A token by chance. False: the system has none to give. */
bool clp_access_make_token(clp_access *access);

/* Takes as long whatever the digits are. */
bool clp_access_is_token(const clp_access *access, const char *text, size_t length);

clp_admission clp_access_judge(const clp_access *access, const clp_request_facts *facts);

/* Whether it says that it comes from the server's own page. Programs that are no browsers can say
 * so, too; pages from elsewhere cannot. */
bool clp_access_is_own_page(const clp_request_facts *facts);

/* What is said to whom is not let in. */
extern const char *const clp_admission_texts[CLP_ADMISSIONS];

/* The value of a member `name=value` of a list that `separator` divides, as queries and cookies
 * are. NULL: there is none. */
const char *clp_access_member(const char *list, char separator, const char *name, size_t *length);

#endif
