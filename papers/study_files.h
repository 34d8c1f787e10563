/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_STUDY_FILES_H
#define RCLC_CLOSEST_POINT_PAPERS_STUDY_FILES_H

#include <stdio.h>

#include "papers/study.h"

/* A study as files: NAME_SERIES.csv and NAME_PLOT.gp in one folder, NAME_PLOT.svg and .png in
 * another one. Where something cannot be written, errno tells why. */

/* The folder, and those that it is in. */
clp_status clp_make_folder(const char *path);

/* Series and scripts. */
clp_status clp_study_write(const clp_study *study, const char *folder);

/* Whether there is a gnuplot that can be run. */
bool clp_gnuplot_is_there(void);

/* Draws all plots of a study that has been written to `data`. CLP_ERROR_FILE when gnuplot did not
 * do it; what it complained about stands on standard error. */
clp_status clp_study_draw(const clp_study *study, const char *data, const char *pictures);

#endif
