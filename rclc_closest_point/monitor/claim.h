/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_CLAIM_H
#define RCLC_CLOSEST_POINT_MONITOR_CLAIM_H

/* Whether the bodies that are watched are all of the robot. A link that shows, collides or weighs
 * something but has no body is *uncovered*: whoever stands there is far away from everything that
 * is watched. Where one hangs between, below or above links of the robot, or is fixed to one, the
 * robot must not move, unless it has been said that it may be without a body. */

#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/monitor/settings.h"

typedef enum clp_uncovered_kind {
  CLP_UNCOVERED_APART,   /* nothing of the robot: its joints lead to none of its links */
  CLP_UNCOVERED_EXCUSED, /* allow_uncovered names it */
  CLP_UNCOVERED_STOP
} clp_uncovered_kind;

/* "not of the robot", "excused", "STOP". */
const char *clp_uncovered_text(clp_uncovered_kind kind);

typedef struct clp_uncovered {
  int link; /* of the model */
  clp_uncovered_kind kind;
} clp_uncovered;

typedef struct clp_claim {
  clp_uncovered *links;
  int count, stops;
  char objection[120]; /* what stands against moving; "": nothing */
} clp_claim;

/* `is_robot` says it of each link of the model. What is uncovered, and what `excused` names in
 * vain, is noted. Starts from {0}; CLP_ERROR_MEMORY: it is {0} again. */
clp_status clp_claim_create(clp_claim *claim, const clp_model *model, const bool *is_robot,
                            const clp_texts *excused, clp_log *log);
void clp_claim_release(clp_claim *claim);

#endif
