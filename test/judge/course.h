/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_JUDGE_COURSE_H
#define TEST_JUDGE_COURSE_H

#include <stdbool.h>

#include "judge/shape.h"

/* Where two random bodies are, and how they move: from touching to far, from parallel to any. */

typedef struct course {
  const shape *a, *b;
  random_state *g;
  clp_pose X_WA, X_WB;
  clp_twist V_WA, V_WB; /* that the next move is made with */
  bool known;           /* whether the tracker is told of it */
} course;

/* Anywhere: with a gap from 1e-13 of the bodies' size to ten times that, or none, overlapping a
 * little or deeply, one within the other, in random poses or in aligned ones. */
void course_place(course *c);

/* A random motion of both from here on: slow or fast, with B towards A or not. */
void course_set_out(course *c);

/* One cycle of so many seconds; now and then another way, or rest. False where the bodies jumped
 * instead. */
bool course_move(course *c, double step);

#endif
