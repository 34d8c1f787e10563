/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_PAIR_OPTIONS_H
#define RCLC_CLOSEST_POINT_TOOL_PAIR_OPTIONS_H

#include "rclc_closest_point/scene.h"
#include "rclc_closest_point/tool/command.h"

/* The values of options about pairs, from the words on the command line. A text of NULL is an
 * option that is not there, and leaves the value as it is. What is wrong has been said. */

/* A number greater than zero. */
clp_exit_status clp_read_positive(const clp_command *command, const char *option, const char *text,
                                  double *value);

/* A number. */
clp_exit_status clp_read_number(const clp_command *command, const char *option, const char *text,
                                double *value);

/* An integer greater than zero. */
clp_exit_status clp_read_count(const clp_command *command, const char *option, const char *text,
                               int *value);

/* The index of `text` among `words`, which ends with NULL. */
clp_exit_status clp_read_word(const clp_command *command, const char *option, const char *text,
                              const char *const *words, int *index);

/* Two links of a model, in the order asked for. */
typedef struct clp_link_indices {
  int a, b;
} clp_link_indices;

typedef struct clp_pair_list {
  clp_link_indices *pairs;
  size_t count, capacity;
} clp_pair_list;

/* The pairs of --pairs a:b,c:d, in that order, or without it all that the model has. The list
 * starts as {0}. */
clp_exit_status clp_choose_pairs(const clp_command *command, const clp_model *model,
                                 const char *text, clp_pair_list *list);
void clp_pair_list_release(clp_pair_list *list);

/* --start "LINKA=face,u,v LINKB=face,u,v" */
typedef struct clp_start {
  int link[2];
  clp_link_spot spot[2];
} clp_start;

clp_exit_status clp_read_start(const clp_command *command, const clp_model *model, const char *text,
                               clp_start *start);

#endif
