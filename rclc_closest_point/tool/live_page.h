/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_LIVE_PAGE_H
#define RCLC_CLOSEST_POINT_TOOL_LIVE_PAGE_H

/* A server for those who look at a monitor, from its beginning to its end. Where the program has
 * been built without libwebsockets there is none, which is said. */

#include "rclc_closest_point/tool/command.h"

#define CLP_VIEW_PORT 8765

typedef struct clp_live_page_options {
  int port;
  const char *address;
  bool token;          /* also on the loopback interface */
  bool open;           /* in the browser */
  const char *monitor; /* its full name; NULL: the usual one */
  bool quiet_address;  /* somebody else tells the address */
} clp_live_page_options;

#define CLP_LIVE_PAGE_DEFAULT \
  ((clp_live_page_options){CLP_VIEW_PORT, "127.0.0.1", false, false, NULL, false})

/* Whether this program can do it. */
bool clp_has_live_page(void);

/* The port if it can be listened on at this moment, on the loopback interface, or another one; 0:
 * there is none. */
int clp_free_port(int port);

/* A recording instead of a monitor; `options->monitor` is NULL for the first that is in it. */
clp_exit_status clp_run_recorded_page(const char *file, const clp_live_page_options *options,
                                      bool quiet, clp_model_sink sink);

/* Serves until it is asked to stop. */
clp_exit_status clp_run_live_page(const clp_live_page_options *options, clp_model_sink sink);

#endif
