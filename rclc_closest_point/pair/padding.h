/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_PADDING_H
#define RCLC_CLOSEST_POINT_PAIR_PADDING_H

#include "rclc_closest_point/pair/closed.h"

/* The face of a ball or a capsule whose core is on that feature; faces are all that they have. */
CLP_INLINE uint32_t clp_face_of_core(const clp_body *core, clp_feature_kind kind, uint32_t id)
{
  const bool end = kind == CLP_VERTEX && core->edge_count > 0;
  return end ? CLP_SWEPT_LOW + id : CLP_SWEPT_SIDE;
}

/* Where the body is whose core is there; of a core without a site. */
CLP_INLINE const clp_spot *clp_spot_of_whole(const clp_body *core, const clp_spot *spot)
{
  static const clp_spot faces[] = {{CLP_FACE, CLP_SWEPT_SIDE, {{0, 0, 0}}},
                                   {CLP_FACE, CLP_SWEPT_LOW, {{0, 0, 0}}},
                                   {CLP_FACE, CLP_SWEPT_HIGH, {{0, 0, 0}}}};
  return clp_usually(!core->whole) ? spot : &faces[clp_face_of_core(core, spot->kind, spot->id)];
}

/* The place of such a core that is nearest to one so high. */
clp_spot clp_spot_on_core(const clp_body *core, double z);

/* From the answer of two cores to that of the padded bodies, in the caller's order. */
void clp_pad_answer(const clp_pair *pair, clp_answer *answer);

/* The end of a cycle in which more happens than motion: the cores', and that. */
clp_answer clp_pair_end_padded(clp_pair *pair, clp_known known, const clp_pose *X_WA);

/* Whether swept bodies whose cores are so far apart overlap, by more than rounding and blur. */
bool clp_padding_overlaps(const clp_pair *pair, double core);

/* The cycle of a pair with padding: its cores' and that. */
clp_track clp_track_padded;

#endif
