/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/report_page.h"

typedef struct report_run {
  const char *file, *out, *monitor;
  bool json, quiet;
} report_run;

static clp_exit_status write_report(const report_run *r, const clp_facts *facts)
{
  clp_output output = clp_output_open(r->out);
  if (!output.stream)
    return EXIT_INTERNAL;
  if (r->json)
    clp_report_json(output.stream, facts);
  else
    clp_report_page(output.stream, facts);
  return clp_output_close(&output);
}

static clp_exit_status report(const clp_command *command, report_run *r)
{
  const char *const inputs[] = {r->file, NULL};
  clp_facts facts;
  clp_exit_status status = clp_output_spares(command, "out", r->out, inputs);
  if (status != EXIT_DONE)
    return status;
  status = clp_exit_status_of(
      clp_facts_gather(r->file, r->monitor, clp_stderr_sink(&r->quiet), r->quiet, &facts));
  if (status == EXIT_DONE && facts.messages == 0) {
    fprintf(stderr, "%s:1: no message that can be read, expected the recording of a monitor\n",
            r->file);
    status = EXIT_INPUT;
  }
  if (status == EXIT_DONE)
    status = write_report(r, &facts);
  clp_facts_release(&facts);
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  report_run r = {0};
  const clp_option options[] = {{"out", 0, NULL, &r.out},
                                {"json", 0, &r.json, NULL},
                                {"monitor", 0, NULL, &r.monitor},
                                {"quiet", 'q', &r.quiet, NULL},
                                {0}};
  const clp_operand operands[] = {{"FILE", &r.file}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, options, operands, &status))
    return status;
  return report(command, &r);
}

const clp_command clp_command_report = {
    "report", "what happened in a recording, and why the robot stood still",
    "usage: closest_point report FILE [OPTION...]\n"
    "\n"
    "Reads a recording of a monitor (.mcap, .db3, or a folder of rosbag2) and writes a page of\n"
    "HTML that needs nothing else: time in each zone, cycles, input, margins, the nearest\n"
    "approach of each pair; and for every STOP when and why, the separation against what was\n"
    "required about it, a picture of the cell, and what was late or missing.\n"
    "\n"
    "options:\n"
    "  --out FILE      write to FILE instead of standard output\n"
    "  --json          the same for machines\n"
    "  --monitor NAME  the monitor's node in full; default: the first that is in it\n"
    "  -q, --quiet     no notes and no progress bar on standard error\n"
    "  --help          print this\n"
    "  --version       print the version\n",
    run};
