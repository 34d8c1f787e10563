/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_COMMAND_H
#define RCLC_CLOSEST_POINT_TOOL_COMMAND_H

#include "rclc_closest_point/model.h"

/* The exit statuses that scripts rely on. */
typedef enum clp_exit_status {
  EXIT_DONE = 0,
  EXIT_INPUT = 1,    /* what was read is not right */
  EXIT_USAGE = 2,    /* the command line is not right */
  EXIT_INTERNAL = 3, /* no memory, or the results could not be written */
  EXIT_NOT_CLEAR = 4 /* certify: some pair is not proven to be CLEAR */
} clp_exit_status;

typedef struct clp_command {
  const char *name;
  const char *summary; /* a line in the list of commands */
  const char *help;    /* what --help prints */
  clp_exit_status (*run)(const struct clp_command *command, int argc, char **argv);
} clp_command;

/* One file each: cmd_NAME.c. */
extern const clp_command clp_command_check;
extern const clp_command clp_command_query;
extern const clp_command clp_command_track;
extern const clp_command clp_command_tile;
extern const clp_command clp_command_certify;
extern const clp_command clp_command_monitor;
extern const clp_command clp_command_record;
extern const clp_command clp_command_report;
extern const clp_command clp_command_demo;
extern const clp_command clp_command_view;
extern const clp_command clp_command_reproduce;

/* Prints a reader's lines to stderr. The user pointer is a bool: leave out notes. */
clp_model_sink clp_stderr_sink(bool *quiet);

/* The exit status for a reader's status; what has not been said yet is said. */
clp_exit_status clp_exit_status_of(clp_status status);

#endif
