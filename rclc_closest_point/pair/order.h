/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_ORDER_H
#define RCLC_CLOSEST_POINT_PAIR_ORDER_H

#include "rclc_closest_point/closest_point.h"

/* Which of two bodies is called A must not show in the answer: not in which of several ways out
 * that are equally short is found, nor in a status that hangs on the last bit. So a pair computes
 * in an order of its own, the same whoever was named first, and tells its answers in the caller's.
 */
typedef enum clp_order {
  CLP_ORDER_KEPT,
  CLP_ORDER_TURNED,  /* B comes first */
  CLP_ORDER_BY_PLACE /* the bodies are alike: where they are when they are first asked decides */
} clp_order;

/* By what the bodies are, the same in any run: of those that meet in closed form by their kinds,
 * the later one first, else by their numbers. A point comes last, as clp_cycle likes it. */
clp_order clp_order_of_bodies(const clp_body *a, const clp_body *b);

/* Whether B comes first of bodies that are alike. */
bool clp_order_is_turned_at(const clp_pose *X_WA, const clp_pose *X_WB);

/* The answer as of the bodies named the other way round. */
void clp_order_turn(clp_answer *answer);

#endif
