/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_PAIR_H
#define RCLC_CLOSEST_POINT_PAIR_PAIR_H

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/control/controller.h"
#include "rclc_closest_point/depth/overlap.h"
#include "rclc_closest_point/depth/penetration.h"
#include "rclc_closest_point/exclusion/exclusion.h"
#include "rclc_closest_point/pair/order.h"
#include "rclc_closest_point/pair/who_meets_whom.h"
#include "rclc_closest_point/witness/certificate.h"
#include "rclc_closest_point/witness/descent.h"
#include "rclc_closest_point/witness/stride.h"

/* What some pairs need besides their state: memory of a size that depends on the bodies. */
typedef struct clp_pair_aids {
  clp_exclusion *exclusion; /* unless supporting planes prove everything: what could be nearer */
  clp_newton *newton;       /* that controller's memory */
} clp_pair_aids;

/* Where a closed form's answer is plain (closed.h): where its cores' distance is between `from` and
 * `to`. The bodies' is less by the balls' radii, which sweep the cores. Rounding and slack may have
 * put it off by `rounding`, and by what rounding does to that much. */
typedef struct clp_plain {
  double from, to, radii, rounding;
} clp_plain;

/* Where a cycle's changes of features are written for whoever wants them (clp_pair_keep_events). */
typedef struct clp_pair_log {
  clp_transition_event *events;
  int capacity, count; /* `count` may be larger */
} clp_pair_log;

/* Where a cycle's effort has ended, so that the next one goes on there: nothing was left to do, or
 * the farthest points that lead to the nearest places, the descent from there, what finds a pair
 * again that is lost, and at last the way out of an overlap that is not proven. */
typedef enum clp_stage {
  CLP_STAGE_NONE,
  CLP_STAGE_NEAREST,
  CLP_STAGE_SETTLE,
  CLP_STAGE_AGAIN,
  CLP_STAGE_DEPTH
} clp_stage;

/* The state of one pair between cycles, in an order of its own (order.h). */
struct clp_pair {
  const clp_body *a, *b;
  const clp_way *way;
  clp_track *track;       /* padding's, where there is some, or else the same as */
  clp_track *track_cores; /* the way's, or that of a controller by itself */
  clp_cycle cycle;
  clp_pair_options options;
  double tolerance; /* width of the interval that counts as TRACKING, relative to the size */
  double size;      /* of the larger body, padding included */
  double padding;   /* of both: what answers are the cores' less of; they say so at the end */
  double range;     /* of the options; 0 where there is padding, which is looked at after that */
  clp_plain plain;  /* of a closed form */
  clp_pair_aids aids;

  clp_spots spots; /* of the last answer */
  clp_vec3 normal; /* of the last answer, in A's frame */
  double carried;  /* of a closed form: where on its segment the witness was */
  clp_twin rates;  /* for the prediction: what the sites' rates will be in mid-cycle; A's and B's */
  clp_twin last;   /* what they were in the last cycle */
  bool round;      /* the witnesses of a pair that planes prove are always the only ones */
  bool turned;     /* a is the caller's B */
  bool by_place;   /* asked anew, the order is decided anew */
  bool sampled;    /* a body is not proven, so that no interval is, and none is TRACKING */
  bool by_core;    /* a or b is the core of one of the caller's bodies */
  bool rates_known; /* else both are zero */
  bool started;     /* spots are from the last cycle, or given */
  bool inside;      /* the last answer was PENETRATING */
  uint8_t looked;   /* of bodies that overlap: in how many directions other ways out were sought */
  uint8_t stage; /* clp_stage: where the last cycle that did more than a stride was interrupted */
  uint8_t settling; /* and iterations of its descent so far */
  bool closed;      /* the last answer was in closed form: rates and sites are older */
  int region;       /* of a closed form's: which features the witnesses are on; its own numbers */
  int batch_kind;   /* which like pairs the next cycle can be computed with (batch.h); 0: not known
                       since the features were found anew */

  clp_common common; /* what a cycle in which more happens than a stride has left */
  clp_pair_log log;  /* of the last query or cycle */
};

/* Allocates what the pair needs, which is nothing for most. */
clp_status clp_pair_aids_create(const clp_body *a, const clp_body *b,
                                const clp_pair_options *options, clp_pair_aids *aids);
void clp_pair_aids_destroy(clp_pair_aids *aids);

/* Makes `pair` the state of two bodies that meet, before its first cycle. Allocates: no. What
 * it is made of outlives it; who has made the aids destroys them. */
void clp_pair_init(clp_pair *pair, const clp_body *a, const clp_body *b,
                   const clp_pair_options *options, const clp_pair_aids *aids);

/* Whether all of them are in their ranges. */
bool clp_pair_options_usable(const clp_pair_options *o);

/* As in the options; 0 is the default. */
void clp_pair_set_tolerance(clp_pair *pair, double tolerance);
void clp_pair_set_range(clp_pair *pair, double range);

/* What a cycle may spend on bodies that are convex both (effort.h). */
int clp_pair_effort(const clp_pair *pair);

/* What of it each begins and ends with. */
int clp_pair_overhead(const clp_pair *pair);

/* After a while without a cycle: the witnesses have not slid on as they did then. */
static inline void clp_pair_forget_rates(clp_pair *pair)
{
  pair->rates = pair->last = (clp_twin){{0, 0}, {0, 0}, {0, 0}};
  pair->rates_known = false;
}

/* The next cycle's sites are predicted with what their rates will be in its middle: this cycle's
 * and half of what they have changed by since the one before. The error is of third order in the
 * step. */
static inline void clp_pair_remember_rates(clp_pair *pair, clp_twin rates)
{
  if (!pair->cycle.moves) {
    clp_pair_forget_rates(pair);
    return;
  }
  if (!pair->rates_known)
    pair->last = rates;
  pair->rates = clp_twin_add_scaled(rates, 0.5, clp_twin_sub(rates, pair->last));
  pair->last = rates;
  pair->rates_known = true;
}

/* Whether there are witnesses beside those that are known is asked once, of those that are
 * published. */
#define CLP_NOT_ASKED (-1)

/* What is known of a pair at one instant, in A's frame; spots are in the pair. */
typedef struct clp_known {
  clp_pair_status status;
  double distance, lower;
  clp_vec3 f, h, normal;
  double spread; /* as in clp_answer, or CLP_NOT_ASKED */
  bool scattered;
  int steps;
} clp_known;

/* Back to what was known before, but for the steps since. */
static inline void clp_pair_go_back(clp_pair *pair, const clp_spots *spots, const clp_known *before,
                                    clp_known *known)
{
  int steps = known->steps;
  pair->spots = *spots;
  *known = *before;
  known->steps = steps;
}

/* What a way's cycle begins with, and may end with: the answer of what it has found. */
CLP_INLINE void clp_pair_begin(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                               const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_cycle_go(&pair->cycle, X_WA, V_WA, X_WB, V_WB);
  pair->cycle.step = pair->options.feedforward ? step : 0;
  pair->log.count = 0;
}

/* What the ways that planes prove have in common (pair.c). */
void clp_query_by_planes(clp_pair *pair, clp_known *known);
void clp_prove_by_planes(clp_pair *pair, const clp_couple_jets *jets, clp_known *known);

/* From a closed form back: where it has no answer. Rates are forgotten, and the sites are those of
 * when the features were found. */
clp_answer clp_pair_go_by_planes(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                 const clp_twist *V_WA, const clp_twist *V_WB, double step);

/* Of a closed form, where its usual cycle is not enough: what it finds out at once, or else the way
 * back. */
clp_answer clp_pair_go_the_long_way(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                    const clp_twist *V_WA, const clp_twist *V_WB, double step);

/* The features that are others than before are events; and those that the pair's spots come across
 * on their way downhill, or with their controller, are (events.c). */
void clp_pair_log_change(clp_pair *pair, const clp_spots *before, double distance);
clp_descent clp_pair_descend(clp_pair *pair, const clp_couple *couple, int budget);

/* What was tried on the way from `before` and led to nothing is no event: where those there are do
 * not lead from there to where the pair's spots are, step by step, the change itself is one. */
void clp_pair_mend_log(clp_pair *pair, const clp_spots *before, double distance);
clp_flow_result clp_pair_flow(clp_pair *pair, double step);

/* Where the last answer's witnesses are, in the pair's order. */
static inline clp_spots clp_pair_spots_at(const clp_pair *pair, const clp_pose *X_WA,
                                          const clp_pose *X_WB)
{
  return pair->closed ? pair->way->spots(pair, X_WA, X_WB) : pair->spots;
}

clp_answer clp_pair_end(clp_pair *pair, clp_known known, const clp_pose *X_WA);

/* Where the normal does not lead from one witness to the other, the way from one to the other is
 * the normal. It is the better one for bodies that do not touch, and next to contact does not
 * differ by as much: the width is what a tracked interval has. */
void clp_known_turn(clp_pair *pair, const clp_couple *couple, double width, clp_known *known);

/* A cycle of bodies that overlap, proven, followed from these spots and the last normal; false
 * where they do not (inside.c). */
bool clp_follow_inside(clp_pair *pair, const clp_couple *couple, const clp_spots *from,
                       clp_known *known);

/* A cycle of a pair that is lost, from `stage` on: what can be known within about so many
 * iterations, whether the bodies overlap or not, and where the next cycle goes on (inside.c). */
void clp_find_again(clp_pair *pair, const clp_couple *couple, double width, int budget,
                    clp_stage stage, clp_known *known);

/* The outside of two convex bodies from scratch (acquire.c): a short descent, of `budget`
 * iterations, from the places that look most towards each other. False when the certificate is
 * wider than `width`; *known then holds the best found. The second one goes on from that with
 * longer ones, and from other places. */
bool clp_acquire(clp_pair *pair, const clp_couple *couple, double width, int budget,
                 clp_known *known);
bool clp_acquire_again(clp_pair *pair, const clp_couple *couple, double width, clp_known *known);

/* A descent from the pair's spots, and its certificate (acquire.c). */
bool clp_settle_outside(clp_pair *pair, const clp_couple *couple, double width, int budget,
                        clp_known *known, clp_descent_end *end);

/* Any distance is possible: for all that poses say which no rigid body has, or where there was no
 * time to find it out (answer.c). */
clp_answer clp_answer_unknown(const clp_pair *pair);

/* The last answer's, in the caller's order. */
clp_spots clp_pair_spots(const clp_pair *pair);

/* Adds that the twin's witnesses are as close as the answer's (answer.c). */
void clp_answer_add_twin(clp_answer *answer, const clp_answer *twin);

#endif
