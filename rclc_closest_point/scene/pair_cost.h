/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_PAIR_COST_H
#define RCLC_CLOSEST_POINT_SCENE_PAIR_COST_H

#include "rclc_closest_point/pair/pair.h"

/* The bytes that clp_pair_aids_create takes for these bodies, and not many more: known before they
 * are taken. */
uint64_t clp_memory_of_aids(const clp_body *a, const clp_body *b, const clp_pair_options *options);

/* The seconds that nothing interrupts, as far as the bodies' sizes tell: of a pair that planes
 * prove, asked from scratch; of any other, until its aids are made. What that takes to be asked is
 * bounded by its cells. */
double clp_seconds_of_pair(const clp_body *a, const clp_body *b);

#endif
