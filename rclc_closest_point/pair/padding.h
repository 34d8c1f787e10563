/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_PADDING_H
#define RCLC_CLOSEST_POINT_PAIR_PADDING_H

#include "rclc_closest_point/pair/pair.h"

/* From the answer of two cores to that of the padded bodies, in the caller's order. */
void clp_pad_answer(const clp_pair *pair, clp_answer *answer);

/* The cycle of a pair with padding: its cores' and that. */
clp_track clp_track_padded;

#endif
