/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_CYCLE_H
#define RCLC_CLOSEST_POINT_WITNESS_CYCLE_H

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/descent.h"

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
} clp_cycle;

static inline clp_cycle clp_cycle_make(const clp_body *a, const clp_body *b)
{
  const clp_pose none = clp_pose_identity();
  return (clp_cycle){.couple = clp_couple_make(a, b, &none, &none),
                     .to_point = b->info.point && clp_norm2(b->vertices[0].place) == 0};
}

CLP_INLINE void clp_cycle_place(clp_cycle *cycle, const clp_pose *X_WA, const clp_pose *X_WB)
{
  if (!cycle->to_point)
    cycle->couple.X_AB = clp_pose_between(X_WA, X_WB);
  else
    cycle->couple.X_AB.position = clp_transform_back(*X_WA, X_WB->position);
}

/* B's motion as seen from A, in A's frame. */
CLP_INLINE clp_twist clp_relative_twist(const clp_pose *X_WA, const clp_twist *V_WA,
                                        const clp_pose *X_WB, const clp_twist *V_WB)
{
  clp_vec3 arm = clp_sub(X_WA->position, X_WB->position);
  clp_vec3 v = clp_add(clp_sub(V_WB->linear, V_WA->linear), clp_cross(V_WB->angular, arm));
  return (clp_twist){clp_rotate_back(X_WA->rotation, v),
                     clp_rotate_back(X_WA->rotation, clp_sub(V_WB->angular, V_WA->angular))};
}

/* The velocity of B's origin alone, as seen from A. */
CLP_INLINE clp_vec3 clp_relative_velocity(const clp_pose *X_WA, const clp_twist *V_WA,
                                          const clp_pose *X_WB, const clp_twist *V_WB)
{
  clp_vec3 arm = clp_sub(X_WB->position, X_WA->position);
  clp_vec3 v = clp_sub(clp_sub(V_WB->linear, V_WA->linear), clp_cross(V_WA->angular, arm));
  return clp_rotate_back(X_WA->rotation, v);
}

/* The twists may be NULL. A point's frame does not turn: of its motion no more is ever set than the
 * velocity. */
CLP_INLINE void clp_cycle_move(clp_cycle *cycle, const clp_pose *X_WA, const clp_twist *V_WA,
                               const clp_pose *X_WB, const clp_twist *V_WB)
{
  cycle->moves = V_WA && V_WB;
  if (!cycle->moves)
    cycle->motion = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  else if (cycle->to_point)
    cycle->motion.linear = clp_relative_velocity(X_WA, V_WA, X_WB, V_WB);
  else
    cycle->motion = clp_relative_twist(X_WA, V_WA, X_WB, V_WB);
}

#endif
