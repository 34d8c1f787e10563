/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_PATCHES_H
#define RCLC_CLOSEST_POINT_PAPERS_PATCHES_H

#include "papers/study.h"
#include "rclc_closest_point/closest_point.h"

/* The bodies of several experiments. The caller destroys them. */

/* The patch of Table I of "A Closest Point Algorithm ...": biquadratic, three spans each way, open;
 * u runs along the table's lines (x), v down them (y). */
clp_status clp_patch_table1(clp_body **body);

/* A box of five flat patches S2 (x-), S3 (y+), S4 (x+), S5 (y-), S6 (bottom) and a curved one on
 * top, S1, whose side u = 0 it shares with S2: the body of Fig. 3 there, whose shape the paper does
 * not give. */
clp_status clp_patch_box(clp_body **body);

/* A flat patch in the shape of a U, ruled between two parabolas: u = 0 is the shore of the bay. */
clp_status clp_patch_bay(clp_body **body);

/* A point at its frame's origin: the papers' Q. */
clp_status clp_patch_probe(clp_body **body);

/* The series "patch": x,y,z of count + 1 lines of constant u and as many of constant v on each
 * face, which are rectangles in their parameters. */
void clp_patch_grid(clp_study *study, const clp_body *body, int count);

#endif
