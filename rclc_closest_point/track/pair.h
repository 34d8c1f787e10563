/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TRACK_PAIR_H
#define RCLC_CLOSEST_POINT_TRACK_PAIR_H

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/track/certificate.h"
#include "rclc_closest_point/track/controller.h"
#include "rclc_closest_point/track/descent.h"
#include "rclc_closest_point/track/exclusion.h"
#include "rclc_closest_point/track/overlap.h"
#include "rclc_closest_point/track/penetration.h"
#include "rclc_closest_point/track/stride.h"

/* The state of one pair between cycles. */
struct clp_pair {
  const clp_body *a, *b;
  clp_cycle cycle;
  clp_pair_options options;
  double tolerance; /* width of the interval that counts as TRACKING, relative to the size */
  double size;      /* of the larger body */
  bool convex;      /* supporting planes prove everything */
  clp_exclusion *exclusion; /* otherwise: what else could be nearer */
  clp_newton *newton;       /* that controller's memory */

  clp_spots spots; /* of the last answer */
  clp_vec3 normal; /* of the last answer, in A's frame */
  clp_twin rates;  /* for the prediction: what the sites' rates will be in mid-cycle; A's and B's */
  clp_twin last;   /* what they were in the last cycle */
  bool rates_known; /* else both are zero */
  bool started;     /* spots are from the last cycle, or given */
  bool inside;      /* the last answer was PENETRATING */

  clp_event_log log;
  clp_event events[CLP_MAX_EVENTS];
};

/* What is known of a pair at one instant, in A's frame; spots are in the pair. */
typedef struct clp_pair_view {
  clp_pair_status status;
  double distance, lower;
  clp_vec3 f, h, normal;
  bool non_unique;
  int steps;
} clp_pair_view;

/* The outside of two convex bodies from scratch (acquire.c): starts from several places until the
 * certificate is as narrow as `width`. False when it is not; *view then holds the best found. */
bool clp_acquire(clp_pair *pair, const clp_couple *couple, double width, clp_pair_view *view);

/* A descent from the pair's spots, and its certificate (acquire.c). */
bool clp_settle_outside(clp_pair *pair, const clp_couple *couple, double width, int budget,
                        clp_pair_view *view, clp_descent_end *end);

/* The place of a body farthest in direction n (its frame) among vertices and faces' middles: where
 * a search starts. `skip` of the best are passed over. */
clp_spot clp_start_spot(const clp_body *body, clp_vec3 n, int skip);

#endif
