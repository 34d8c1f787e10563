/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TRACK_ORDER_H
#define RCLC_CLOSEST_POINT_TRACK_ORDER_H

#include "rclc_closest_point/track/penetration.h"

/* Overlapping bodies may have several ways out that are equally short, or as good as known, and
 * which of them is found depends on where a search starts. That must not be the order in which the
 * bodies are named: one order is chosen, whatever it is, and what is found in it is turned back. */

/* Whether B comes before A. Decided by what the bodies are, and where they are alike by where they
 * are, the same in any run. */
bool clp_order_is_turned(const clp_couple *couple);

/* The same couple with A's and B's parts exchanged. */
clp_couple clp_order_turn(const clp_couple *couple);
clp_spots clp_order_turn_spots(const clp_spots *spots);

/* A's outward normal as B's. */
clp_vec3 clp_order_turn_normal(const clp_couple *couple, clp_vec3 n);

/* What was found of the turned couple, as of `couple`. */
clp_depth clp_order_turn_back(const clp_couple *couple, const clp_depth *depth);

#endif
