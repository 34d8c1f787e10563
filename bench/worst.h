/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_WORST_H
#define BENCH_WORST_H

#include <stdbool.h>

#include "rclc_closest_point/closest_point.h"

/* The worst of many random steps: pairs of all kinds of bodies that follow each other smoothly and
 * jump now and then, into overlap, too. The steps come in episodes that depend on their number
 * alone, so any of them can be had again. */

/* Prints the hundred worst of about `steps` steps: half of them those with the most iterations and
 * transitions, half those that took longest. False where a body could not be made. */
bool worst_find(long steps);

/* Takes the steps that worst_find has printed into the file again, each in a call of worst_step and
 * all that leads there outside of it. */
bool worst_replay(const char *path);

/* A name that can be counted. */
struct episode;
clp_answer worst_step(const struct episode *e);

#endif
