/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DERIVATIVE_H
#define RCLC_CLOSEST_POINT_DERIVATIVE_H

/* How an answer changes when its bodies move: exact derivatives, of the distance to second order,
 * of the witnesses and the normal to first order, by both bodies' twists, signed through contact
 * (docs/derivatives.md). They are computed when they are asked for, from a pair's last answer; a
 * cycle does nothing for them. Twists are as everywhere: of the frames' origins, in the world's
 * axes; units are SI and radians. */

#include "rclc_closest_point/closest_point.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The distance's first derivative ------------------------------------------------------- */

/* Of a number, by one body's twist (v, w): its rate is linear.v + angular.w. */
typedef struct clp_slope {
  clp_vec3 linear, angular;
} clp_slope;

typedef struct clp_gradient {
  clp_slope a, b;
} clp_gradient;

/* Of the signed distance, for the poses of the answer. It needs no curvature, and is one of many
 * where other places are as near: each of these has its own, and while the bodies are apart the
 * distance follows the one with the smallest rate. Allocates: no. Thread-safe: yes. */
CLP_API clp_gradient clp_answer_gradient(const clp_answer *answer, const clp_pose *X_WA,
                                         const clp_pose *X_WB);

/* The distance's rate for these twists. Allocates: no. Thread-safe: yes. */
static inline double clp_gradient_rate(const clp_gradient *g, const clp_twist *V_WA,
                                       const clp_twist *V_WB)
{
  const clp_vec3 *a = &g->a.linear, *b = &g->a.angular, *c = &g->b.linear, *d = &g->b.angular;
  return a->x * V_WA->linear.x + a->y * V_WA->linear.y + a->z * V_WA->linear.z +
         b->x * V_WA->angular.x + b->y * V_WA->angular.y + b->z * V_WA->angular.z +
         c->x * V_WB->linear.x + c->y * V_WB->linear.y + c->z * V_WB->linear.z +
         d->x * V_WB->angular.x + d->y * V_WB->angular.y + d->z * V_WB->angular.z;
}

/* ---- All of them --------------------------------------------------------------------------- */

/* How an answer changes while its witnesses stay on two features, in the fewest numbers. What moves
 * is told by four of them: with `across` two unit vectors square to the normal, B's material at B's
 * witness moves by u along them as A sees it, and the normal, were it B's, would turn by w:
 *     u_i = across_i . (v_B + w_B x arm_b - v_A - w_A x reach),     w_i = across_i . (w x normal),
 * w = w_B - w_A. Then A's witness slides on A, and the normal turns as A sees it, along `across` by
 *     slide[0] u_0 + slide[1] u_1 + slide[2] w_0 + slide[3] w_1,     turn[0] u_0 + ... */
typedef struct clp_derivative {
  clp_feature_kind kind_a, kind_b; /* the features, as in clp_answer */
  uint32_t feature_a, feature_b;
  double distance;
  clp_vec3 normal, across[2];
  clp_vec3 arm_a, arm_b; /* from the frames' origins to the witnesses */
  clp_vec3 reach;        /* from A's origin to B's witness */
  double slide[4][2], turn[4][2];
  double site_a[3], site_b[3]; /* the witnesses' places on the features; parameters of patches count
                                  from where the face begins */
} clp_derivative;

/* The derivatives after a pair's last query or cycle, whose answer and poses these are; returns how
 * many there are. One, as a rule. Several where a witness lies on the border of two features, or
 * the normal on the border of an edge's or a vertex's normals: the distance's and the features'
 * first derivatives agree there, but how witnesses and normal move, and the second derivative,
 * depend on which features the motion leads to; these are one-sided derivatives, one for each two
 * features, of which the first `capacity` are written. None where the answer is CONVERGING and its
 * witnesses do not face each other, where other places are as near (non_unique, scattered), where
 * bodies of which one is not convex overlap, at the tip of a smooth pole, and where the second
 * derivative is infinite: corners that touch. Of bodies that overlap, and a point that touches an
 * edge, it is that of the answer's own way out: where another one is as short and nothing tells so,
 * the distance's rate is that derivative's or a higher one.
 * Allocates: no. Thread-safe: for different pairs. */
CLP_API int clp_pair_derivatives(const clp_pair *pair, const clp_answer *answer,
                                 const clp_pose *X_WA, const clp_pose *X_WB,
                                 clp_derivative *derivatives, int capacity);

/* For how many seconds, to first order, the witnesses stay on the features while the bodies move
 * so: infinite when they do not leave them, and 0 when they are at a border that they leave through
 * (then another of the answer's derivatives is the motion's). Allocates: no. Thread-safe: for
 * different pairs. */
CLP_API double clp_pair_derivative_lasts(const clp_pair *pair, const clp_derivative *derivative,
                                         const clp_pose *X_WA, const clp_pose *X_WB,
                                         const clp_twist *V_WA, const clp_twist *V_WB);

/* Rates for given twists: of the distance (m/s), of the witnesses (m/s) and of the normal (1/s). */
typedef struct clp_answer_rates {
  double distance;
  clp_vec3 point_a, point_b, normal;
} clp_answer_rates;

/* Allocates: no. Thread-safe: yes. */
CLP_API clp_answer_rates clp_derivative_rates(const clp_derivative *derivative,
                                              const clp_twist *V_WA, const clp_twist *V_WB);

/* The distance's second derivative (m/s^2) for twists that do not change; to twists that change at
 * the rates A belongs clp_gradient_rate of A_WA and A_WB more. Allocates: no. Thread-safe:
 * yes. */
CLP_API double clp_derivative_second(const clp_derivative *derivative, const clp_twist *V_WA,
                                     const clp_twist *V_WB);

/* The same as a symmetric form of two motions. Allocates: no. Thread-safe: yes. */
CLP_API double clp_derivative_mixed(const clp_derivative *derivative, const clp_twist *V_WA,
                                    const clp_twist *V_WB, const clp_twist *U_WA,
                                    const clp_twist *U_WB);

/* All derivatives as matrices. Columns count the twists' numbers: A's linear x y z, A's angular,
 * B's linear, B's angular. */
typedef struct clp_derivative_matrices {
  double distance[12];
  double point_a[3][12], point_b[3][12], normal[3][12];
  double second[12][12]; /* of the distance: symmetric, as clp_derivative_mixed */
} clp_derivative_matrices;

/* Allocates: no. Thread-safe: yes. */
CLP_API void clp_derivative_expand(const clp_derivative *derivative,
                                   clp_derivative_matrices *matrices);

#ifdef __cplusplus
}
#endif

#endif
