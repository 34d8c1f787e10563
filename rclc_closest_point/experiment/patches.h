/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXPERIMENT_PATCHES_H
#define RCLC_CLOSEST_POINT_EXPERIMENT_PATCHES_H

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/experiment/study.h"

/* The bodies of several experiments. The caller destroys them. */

/* The patch of Table I of "A Closest Point Algorithm ...": biquadratic, three spans each way, open;
 * u runs along the table's lines (x), v down them (y). */
clp_status clp_patch_table1(clp_body **body);

/* A point at its frame's origin: the papers' Q. */
clp_status clp_patch_probe(clp_body **body);

/* The series "patch": x,y,z of lines of constant u and of constant v, count + 1 each, over a face's
 * rectangle of parameters. */
void clp_patch_grid(clp_study *study, const clp_body *body, uint32_t face, int count);

#endif
