/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_CYCLE_H
#define RCLC_CLOSEST_POINT_WITNESS_CYCLE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/descent.h"

/* Two features, by what a spot begins with, and which of the strides leads from the one to the
 * other: as a rule the next cycle is about the same ones, and need not look for it. */
typedef struct clp_stride_choice {
  struct {
    clp_feature_kind kind;
    uint32_t id;
  } a, b;
  int stride;
} clp_stride_choice;

static_assert(offsetof(clp_spot, site) == offsetof(clp_stride_choice, b),
              "kind and number, and nothing else");

/* One cycle of two bodies: where they are, how they move, and for how long they have moved. Inline,
 * for every step begins with it. */
typedef struct clp_cycle {
  clp_couple couple;
  clp_twist motion; /* B's as seen from A, in A's frame: that of its point at p is v + w x p */
  double step;      /* seconds since the last cycle */
  bool moves;       /* the motion is known; else it is zero here */
  bool normals;     /* a look at faces shows their normals: those prove convex bodies apart */
  bool to_point;    /* B is a point at its frame's origin: it has no orientation and does not turn,
                       its frame counts as parallel to A's */
  clp_stride_choice choice; /* of the last stride */
} clp_cycle;

static inline clp_cycle clp_cycle_make(const clp_body *a, const clp_body *b)
{
  const clp_pose none = clp_pose_identity();
  return (clp_cycle){.couple = clp_couple_make(a, b, &none, &none),
                     .to_point = b->info.point && clp_norm2(b->vertices[0].place) == 0,
                     .choice = {{CLP_FACE, UINT32_MAX}, {CLP_FACE, UINT32_MAX}, 0}};
}

/* Here and below `back` is that of X_WA: back into A's frame. */
CLP_INLINE void clp_cycle_place_by(clp_cycle *cycle, const clp_triples *back, const clp_pose *X_WA,
                                   const clp_pose *X_WB)
{
  clp_pose *X_AB = &cycle->couple.X_AB;
  clp_triple way, p;
  if (!cycle->to_point) {
    clp_pose_between_by(back, X_WA, X_WB, X_AB);
    return;
  }
  clp_triple_between(X_WA, X_WB, &way);
  clp_triple_turn_lanes(back, &way, &p);
  clp_triple_store(&p, &X_AB->position);
}

/* B's motion as seen from A, in A's frame. */
CLP_INLINE clp_twist clp_relative_twist(const clp_triples *back, const clp_pose *X_WA,
                                        const clp_twist *V_WA, const clp_pose *X_WB,
                                        const clp_twist *V_WB)
{
  clp_triple arm, spin, swing, v, w, linear, angular;
  clp_twist twist;
  clp_triple_between(X_WB, X_WA, &arm);
  clp_triple_of_angular(V_WB, &spin);
  clp_triple_cross(&spin, &arm, &swing);
  clp_triple_more_linear(V_WA, V_WB, &v);
  clp_triple_more_angular(V_WA, V_WB, &w);
  v += swing;
  clp_triple_turn_lanes(back, &v, &linear);
  clp_triple_turn_lanes(back, &w, &angular);
  clp_triple_store_over(&linear, &twist, offsetof(clp_twist, linear));
  clp_triple_store(&angular, &twist.angular);
  return twist;
}

/* The velocity of B's origin alone, as seen from A. */
CLP_INLINE clp_vec3 clp_relative_velocity(const clp_triples *back, const clp_pose *X_WA,
                                          const clp_twist *V_WA, const clp_pose *X_WB,
                                          const clp_twist *V_WB)
{
  clp_triple arm, spin, swing, v, linear;
  clp_vec3 velocity;
  clp_triple_between(X_WA, X_WB, &arm);
  clp_triple_of_angular(V_WA, &spin);
  clp_triple_cross(&spin, &arm, &swing);
  clp_triple_more_linear(V_WA, V_WB, &v);
  v -= swing;
  clp_triple_turn_lanes(back, &v, &linear);
  clp_triple_store(&linear, &velocity);
  return velocity;
}

/* The twists may be NULL. A point's frame does not turn: of its motion no more is ever set than the
 * velocity. */
CLP_INLINE void clp_cycle_move_by(clp_cycle *cycle, const clp_triples *back, const clp_pose *X_WA,
                                  const clp_twist *V_WA, const clp_pose *X_WB,
                                  const clp_twist *V_WB)
{
  cycle->moves = V_WA && V_WB;
  if (!cycle->moves)
    cycle->motion = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  else if (cycle->to_point)
    cycle->motion.linear = clp_relative_velocity(back, X_WA, V_WA, X_WB, V_WB);
  else
    cycle->motion = clp_relative_twist(back, X_WA, V_WA, X_WB, V_WB);
}

/* Where the bodies are, how they move, and both. */
static inline void clp_cycle_place(clp_cycle *cycle, const clp_pose *X_WA, const clp_pose *X_WB)
{
  clp_triples back;
  clp_triples_back(X_WA, &back);
  clp_cycle_place_by(cycle, &back, X_WA, X_WB);
}

static inline void clp_cycle_move(clp_cycle *cycle, const clp_pose *X_WA, const clp_twist *V_WA,
                                  const clp_pose *X_WB, const clp_twist *V_WB)
{
  clp_triples back;
  clp_triples_back(X_WA, &back);
  clp_cycle_move_by(cycle, &back, X_WA, V_WA, X_WB, V_WB);
}

CLP_INLINE void clp_cycle_go(clp_cycle *cycle, const clp_pose *X_WA, const clp_twist *V_WA,
                             const clp_pose *X_WB, const clp_twist *V_WB)
{
  clp_triples back;
  clp_triples_back(X_WA, &back);
  clp_cycle_move_by(cycle, &back, X_WA, V_WA, X_WB, V_WB);
  clp_cycle_place_by(cycle, &back, X_WA, X_WB);
}

#endif
