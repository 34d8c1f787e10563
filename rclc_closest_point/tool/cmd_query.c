/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/pair_run.h"

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  clp_pair_run query = {.command = command, .options = clp_default_pair_options()};
  const char *range = NULL, *tolerance = NULL;
  const clp_option options[] = {{"pairs", 0, NULL, &query.pairs},
                                {"srdf", 0, NULL, &query.srdf},
                                {"range", 0, NULL, &range},
                                {"tolerance", 0, NULL, &tolerance},
                                {"out", 0, NULL, &query.out},
                                {"events", 0, NULL, &query.events},
                                {"quiet", 'q', &query.quiet, NULL},
                                {"fixed-frame", 0, NULL, &query.fixed_frame},
                                {0}};
  const clp_operand operands[] = {{"MODEL", &query.model}, {"[POSES file]", &query.poses}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, options, operands, &status))
    return status;
  status = clp_read_pair_operands(&query);
  if (status == EXIT_DONE)
    status = clp_read_positive(command, "range", range, &query.options.range);
  if (status == EXIT_DONE)
    status = clp_read_positive(command, "tolerance", tolerance, &query.options.tolerance);
  return status == EXIT_DONE ? clp_run_pairs(&query) : status;
}

const clp_command clp_command_query = {
    "query", "closest distances at every time stamp, each from scratch",
    "usage: closest_point query MODEL POSES [OPTION...]\n"
    "       closest_point query RECORDING [OPTION...]\n"
    "\n"
    "Reads MODEL (a URDF with <patches>) and POSES (CSV: t,link,x,y,z,qx,qy,qz,qw) and writes\n"
    "CSV, a row for every time stamp and pair of links: the closest distance and a lower bound\n"
    "between which the truth lies, the closest points, the normal, and the features they are\n"
    "on. Nothing is remembered from stamp to stamp.\n"
    "\n"
    "POSES may also be a recording (.mcap, .db3, or a folder of rosbag2): then it has a row for\n"
    "each stamp of /tf that moves a link or, without /tf, of joint_states; and MODEL may be left\n"
    "out if the recording has the robot_description.\n"
    "\n"
    "options:\n"
    "  --pairs A:B,...  these pairs of links, in this order; default: all that no joint\n"
    "                   connects directly, in the order of the model\n"
    "  --srdf FILE      leave out the disabled pairs of an SRDF\n"
    "  --range D        farther apart than D meters is OUT_OF_RANGE, with a bound of the\n"
    "                   distance alone where that is enough to tell\n"
    "  --tolerance T    how wide the interval may be, of the body's size, to count as\n"
    "                   TRACKING; default 1e-9, where a part is not convex 1e-6\n"
    "  --fixed-frame F  of a recording: the frame of the results; default: the one that all\n"
    "                   links hang on at last\n"
    "  --out FILE       write to FILE instead of standard output\n"
    "  --events FILE    write the changes of features on the way to each answer\n"
    "  -q, --quiet      no notes and no progress bar on standard error\n"
    "  --help           print this\n"
    "  --version        print the version\n",
    run};
