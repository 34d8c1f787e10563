/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_OPTIONS_H
#define RCLC_CLOSEST_POINT_TOOL_OPTIONS_H

#include <stdbool.h>

#include "rclc_closest_point/tool/command.h"

/* "--name", "--name VALUE", "--name=VALUE", "-n" and "-abc"; "--" ends the options. */
typedef struct clp_option {
  const char *name;   /* without its dashes; NULL ends a list */
  char letter;        /* 0: none */
  bool *flag;         /* set when the option is there, or */
  const char **value; /* takes the option's value */
} clp_option;

/* Reads a command's options and its one operand, which `operand_name` names in messages. Every
 * command has --help and --version. True: go on. Otherwise *status says how it ended: help has been
 * printed, or what is wrong. */
bool clp_read_options(const clp_command *command, int argc, char **argv, const clp_option *options,
                      const char *operand_name, const char **operand, clp_exit_status *status);

#endif
