/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rclc_closest_point/tool/live_page.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/pair_options.h"

static clp_exit_status read_values(const clp_command *command, const char *port,
                                   clp_live_page_options *options)
{
  clp_exit_status status = clp_read_count(command, "port", port, &options->port);
  if (status == EXIT_DONE && options->port > 65535)
    status =
        clp_wrong_usage(command, "option '--port' is '%s', expected an integer, 1 to 65535", port);
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  const char *port = NULL, *file = NULL;
  clp_live_page_options view = CLP_LIVE_PAGE_DEFAULT;
  bool quiet = false;
  const clp_option options[] = {{"port", 0, NULL, &port},
                                {"bind", 0, NULL, &view.address},
                                {"token", 0, &view.token, NULL},
                                {"open", 0, &view.open, NULL},
                                {"monitor", 0, NULL, &view.monitor},
                                {"quiet", 'q', &quiet, NULL},
                                {0}};
  const clp_operand operands[] = {{"[FILE]", &file}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, options, operands, &status))
    return status;
  status = read_values(command, port, &view);
  if (status == EXIT_DONE)
    status = file ? clp_run_recorded_page(file, &view, quiet, clp_stderr_sink(&quiet))
                  : clp_run_live_page(&view, clp_stderr_sink(&quiet));
  return status;
}

const clp_command clp_command_view = {
    "view", "a live view of a monitor, or of a recording, for browsers and Foxglove clients",
    "usage: closest_point view [FILE] [OPTION...]\n"
    "\n"
    "Serves a page that shows what a monitor says: the cell in 3-D, the decisive pair, the zone\n"
    "and why it is what it is. It listens to the topics as another node does, from ROS 2 or\n"
    "from 'closest_point monitor', in a process of its own that cannot delay them. The same\n"
    "port speaks the Foxglove WebSocket protocol. Nothing can be published through it. Prints\n"
    "the address and serves until SIGINT.\n"
    "\n"
    "With FILE, a recording (.mcap, .db3, or a folder of rosbag2), it plays that instead: with a\n"
    "time line, speed, and steps from answer to answer. Of a damaged one, what can be read.\n"
    "\n"
    "options:\n"
    "  --port N         the port to listen on (8765)\n"
    "  --bind ADDRESS   the address to listen on (127.0.0.1); beyond this machine with a token\n"
    "  --token          ask for a token on this machine, too; a viewer that is itself a page from\n"
    "                   elsewhere needs it\n"
    "  --open           open the page in the browser\n"
    "  --monitor NAME   the monitor's full name (/closest_point_monitor; of a recording the first\n"
    "                   that is in it)\n"
    "  -q, --quiet      no notes and no progress bar on standard error\n"
    "  --help           print this\n"
    "  --version        print the version\n"
    "\n"
    "environment: ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, CYCLONEDDS_URI, BROWSER\n",
    run};
