/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_PADDING_H
#define RCLC_CLOSEST_POINT_PAIR_PADDING_H

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/pair/pair.h"

/* Where the body is whose core is on that feature. */
CLP_INLINE clp_spot clp_spot_of_whole(const clp_body *core, const clp_spot *spot)
{
  return core->whole ? clp_spot_on_face(0, (clp_site){{0, 0, 0}}) : *spot;
}

/* From the answer of two cores to that of the padded bodies, in the caller's order. */
void clp_pad_answer(const clp_pair *pair, clp_answer *answer);

/* Whether swept bodies whose cores are so far apart overlap, by more than rounding and blur. */
bool clp_padding_overlaps(const clp_pair *pair, double core);

/* The cycle of a pair with padding: its cores' and that. */
clp_track clp_track_padded;

#endif
