/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_JUDGE_JUDGE_H
#define TEST_JUDGE_JUDGE_H

#include <stdbool.h>
#include <stdio.h>

#include "judge/convex.h"

/* Whether an answer is true, as far as that can be proven from the bodies' definitions. A complaint
 * is a proof: two points of the bodies that are nearer than a lower bound, planes that are farther
 * apart than a distance, ... What rounding may have done is allowed for. */

typedef enum complaint {
  LOWER_TOO_HIGH,   /* points of the bodies are nearer than the lower bound, or overlap deeper */
  DISTANCE_TOO_LOW, /* planes that part the bodies are farther apart than the distance */
  FALSE_CONTACT,    /* PENETRATING, and planes part the bodies */
  DEPTH_TOO_SMALL,  /* a translation as long as the depth, whatever its direction, is not enough */
  NO_WAY_OUT,       /* the one along the normal is not */
  NOT_ON_A,         /* the witness is off the surface */
  NOT_ON_B,
  NOT_ALONG_NORMAL, /* point_b is not point_a + distance normal */
  NORMAL_NOT_UNIT,
  INTERVAL_EMPTY, /* lower_bound above distance, or what is no number */
  INTERVAL_WIDE,  /* TRACKING, and wider than the tolerance */
  WITHIN_RANGE,   /* OUT_OF_RANGE, and the lower bound is not */
  COMPLAINTS
} complaint;

extern const char *const complaint_names[COMPLAINTS];

/* Two bodies, where they are, and what is known of their distance. */
typedef struct judge {
  convex_pair pair;
  convex_bracket truth;
  real size;      /* of both */
  real allowance; /* for rounding: 1e-12 of the bodies, 1e-13 of the largest numbers that define
                     them, 1e-14 of where they are */
  real excess[COMPLAINTS]; /* of each complaint: how much too much it is (m) */
} judge;

/* Looks along `first` first, if that is a direction: what is near the truth already, like an
 * answer's normal, makes it sooner known, and proves nothing. */
judge judge_make(const shape *a, const clp_pose *X_WA, const shape *b, const clp_pose *X_WB,
                 clp_vec3 first);

/* The same pair with A for B. */
judge judge_swapped(const judge *j);

/* What an answer says is true of these poses? Complaints are bits, 1 << complaint. The answer's
 * normal is tried, too, and may make the truth narrower. `range` is the pair's. */
unsigned judge_answer(judge *j, const clp_answer *answer, double range);

/* Overlapping, and it says (scattered) that it does not know which places the depth is between:
 * they do not face each other. */
bool judge_finds_lost(const judge *j, const clp_answer *answer);

/* The bracket contradicts itself: the judge has erred, and says nothing. */
bool judge_is_confused(const judge *j);

#endif
