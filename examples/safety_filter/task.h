/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLE_SAFETY_FILTER_TASK_H
#define EXAMPLE_SAFETY_FILTER_TASK_H

#include "cell.h"

/* What is asked of the arm: speeds of its axes that bring the tool towards a goal, as if there were
 * nothing in the way, no faster than a person walks. */
void task_speeds(const cell *c, clp_vec3 goal, double speeds[CELL_AXES]);

#endif
