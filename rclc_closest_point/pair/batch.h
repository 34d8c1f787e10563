/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BATCH_H
#define RCLC_CLOSEST_POINT_PAIR_BATCH_H

#include "rclc_closest_point/pair/pair.h"

/* The usual cycle of four like pairs at once: the same stride and the same certificate as
 * clp_pair_track, side by side. Pairs are alike when the features that their witnesses are on have
 * the same form; the bodies may differ. A pair whose stride declines or is not certified is left as
 * it was, for clp_pair_track to take. The last bits of strides are those of another order of sums;
 * closed forms are what they are alone. */

/* How pairs are grouped: by A's form and B's, or, of some closed forms, by what they have found. */
enum {
  CLP_BATCH_UNKNOWN, /* to be found */
  CLP_BATCH_NONE,    /* this pair goes alone */
  CLP_BATCH_FIRST,
  CLP_BATCH_CORNERS = CLP_BATCH_FIRST + CLP_BATCH_FORMS * CLP_BATCH_FORMS, /* of two boxes */
  CLP_BATCH_EDGES,                                                         /* of two boxes */
  CLP_BATCH_CAN_CORNERS,  /* of a box, and a cylinder */
  CLP_BATCH_CAN_EDGES,    /* of a box, and a cylinder */
  CLP_BATCH_CAN_CAPSULES, /* with cylinders */
  CLP_BATCH_CAPSULES,     /* with boxes */
  CLP_BATCH_KINDS
};

int clp_batch_find_kind(const clp_pair *pair);

/* What a batch does not change is found once. */
static inline int clp_batch_kind(clp_pair *pair)
{
  if (pair->batch_kind == CLP_BATCH_UNKNOWN)
    pair->batch_kind = clp_batch_find_kind(pair);
  return pair->batch_kind;
}

/* One pair's cycle. The twists may be NULL. */
typedef struct clp_batch_job {
  clp_pair *pair;
  const clp_pose *X_WA, *X_WB;
  const clp_twist *V_WA, *V_WB;
  double step;
  clp_answer *answer; /* written when done */
  bool done;
} clp_batch_job;

/* Registers to use. All give the same results to the last bit. */
typedef enum clp_batch_width {
  CLP_BATCH_BEST, /* what this machine has */
  CLP_BATCH_PLAIN /* what every machine has */
} clp_batch_width;

/* The jobs must all be of one kind, and that neither UNKNOWN nor NONE, and of different pairs with
 * answers of their own. Allocates: no. */
void clp_batch_track(int kind, clp_batch_job *const *jobs, int count, clp_batch_width width);

#endif
