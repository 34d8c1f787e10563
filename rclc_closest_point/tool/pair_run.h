/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_PAIR_RUN_H
#define RCLC_CLOSEST_POINT_TOOL_PAIR_RUN_H

#include "rclc_closest_point/tool/pair_options.h"

/* What `query` and `track` have in common: a model, a file of poses, and a row for every stamp and
 * pair. The file is read twice, first to see that all of it is in order, so that a defect leaves no
 * half of a result behind; neither it nor the results are held in memory. */
typedef struct clp_pair_run {
  const clp_command *command;
  const char *model, *poses; /* poses may be a recording, and the model then be NULL */
  const char *pairs, *srdf, *out, *events, *start, *fixed_frame; /* options; NULL: not there */
  bool quiet;
  bool tracks; /* from stamp to stamp; else every stamp from scratch */
  bool force;  /* any gain */
  clp_pair_options options;
} clp_pair_run;

/* The operands MODEL and POSES, or a recording alone, which has its description in it. */
clp_exit_status clp_read_pair_operands(clp_pair_run *run);

clp_exit_status clp_run_pairs(clp_pair_run *run);

#endif
