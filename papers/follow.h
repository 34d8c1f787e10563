/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_FOLLOW_H
#define RCLC_CLOSEST_POINT_PAPERS_FOLLOW_H

#include "rclc_closest_point/pair/pair.h"

/* Two bodies on a course that is known in closed form, followed in two ways at once: by the
 * certified tracker, and by the papers' law (feedback linearization with feedforward, a low gain)
 * from places that may be wrong. */

/* Where both bodies are at one time, and how they move. */
typedef struct clp_placing {
  clp_pose X_WA, X_WB;
  clp_twist V_WA, V_WB;
} clp_placing;

typedef clp_placing (*clp_course)(double t);

typedef struct clp_follower {
  const clp_body *a, *b;
  clp_course course;
  double begin, step; /* s */
  int cycles;         /* done */
  double t;           /* begin + cycles * step */
  clp_placing now;
  clp_pair *pair;    /* the tracker */
  clp_answer answer; /* its last one */
  clp_flow_options law;
  clp_spots spots;      /* the law's witnesses */
  clp_couple_jets jets; /* and what they see of each other, in A's frame */
} clp_follower;

/* Asks for the first answer; the law starts there, too, until told otherwise. */
clp_status clp_follower_create(const clp_body *a, const clp_body *b, clp_course course,
                               double begin, double step, double gain, clp_follower *follower);
void clp_follower_release(clp_follower *follower);

/* Places the law's witnesses. */
void clp_follower_misplace(clp_follower *follower, clp_spots spots);

/* One cycle of both. In a body the nearest curve changes from one cycle to the next across a medial
 * axis, which no law of motion along the boundary can know of: its witnesses are then reset to the
 * tracker's. */
void clp_follower_step(clp_follower *follower);

/* How far the law's witnesses are from the tracker's, the worse one (m). */
double clp_follower_lag(const clp_follower *follower);

/* ---- Instants at which features change ---------------------------------------------------- */

/* What the witnesses lie on, and whether the bodies overlap. */
typedef struct clp_mode {
  clp_feature_kind kind_a, kind_b;
  uint32_t a, b;
  bool inside;
} clp_mode;

typedef struct clp_change {
  double t;
  clp_mode from, to;
} clp_change;

typedef struct clp_changes {
  clp_change *list;
  int count, capacity;
} clp_changes;

clp_mode clp_mode_of(const clp_answer *answer);
bool clp_mode_same(clp_mode a, clp_mode b);

/* Appends the changes during the follower's last cycle: their times are halved down to 1e-9 s
 * between answers that are asked from scratch. `before` is the mode at its beginning. Changes
 * beyond the capacity are counted only. */
void clp_follower_changes(const clp_follower *follower, clp_mode before, clp_changes *changes);

#endif
