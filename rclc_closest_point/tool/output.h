/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_OUTPUT_H
#define RCLC_CLOSEST_POINT_TOOL_OUTPUT_H

#include <stdio.h>

#include "rclc_closest_point/tool/command.h"

/* Results go to standard output or to the file of --out. Whether they arrived is known only when
 * the stream has been closed, so every command ends with clp_output_close. */
typedef struct clp_output {
  FILE *stream;     /* NULL: it could not be opened, and that has been said */
  const char *path; /* NULL: standard output */
} clp_output;

/* That the file of option --`option` is none of `files`, which ends with NULL: opening it would
 * destroy what another argument names. Without a path there is nothing to be said. */
clp_exit_status clp_output_spares(const clp_command *command, const char *option, const char *path,
                                  const char *const *files);

clp_output clp_output_open(const char *path);

/* EXIT_DONE, or EXIT_INTERNAL after a message. */
clp_exit_status clp_output_close(clp_output *output);

/* A whole text, or "closest_point VERSION", on standard output. */
clp_exit_status clp_print_text(const char *text);
clp_exit_status clp_print_version(void);

#endif
