/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_REPORT_H
#define RCLC_CLOSEST_POINT_PAPERS_REPORT_H

#include <stdio.h>

#include "papers/experiment.h"

/* The page about the experiments (docs/experiments.md), as Markdown. */

/* One table for all of them, then a section for each with its pictures and its evidence;
 * studies[k] is experiments[k]'s. */
void clp_report_write(FILE *file, const clp_experiment *const *experiments,
                      const clp_study *studies, int count);

/* Parts of it: a row of that table, the section of an experiment. */
void clp_report_write_row(FILE *file, const clp_study *study, const clp_row *row);
void clp_report_write_section(FILE *file, const clp_experiment *experiment, const clp_study *study);

#endif
