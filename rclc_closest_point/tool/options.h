/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_OPTIONS_H
#define RCLC_CLOSEST_POINT_TOOL_OPTIONS_H

#include <stdbool.h>

#include "rclc_closest_point/tool/command.h"

/* "--name", "--name VALUE", "--name=VALUE", "-n" and "-abc"; "--" ends the options. An option that
 * may be given several times is listed as often. */
typedef struct clp_option {
  const char *name;   /* without its dashes; NULL ends a list */
  char letter;        /* 0: none */
  bool *flag;         /* set when the option is there, or */
  const char **value; /* takes the option's value */
} clp_option;

/* What must stand on the command line besides the options, in this order. */
typedef struct clp_operand {
  const char *name; /* as messages call it, in brackets if it may be left out; NULL ends a list */
  const char **value;
} clp_operand;

/* Reads a command's options and its operands. Every command has --help and --version. True: go on.
 * Otherwise *status says how it ended: help has been printed, or what is wrong. */
bool clp_read_options(const clp_command *command, int argc, char **argv, const clp_option *options,
                      const clp_operand *operands, clp_exit_status *status);

/* Says what is wrong with the command line, and which help to look at. Always EXIT_USAGE. */
clp_exit_status clp_wrong_usage(const clp_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
