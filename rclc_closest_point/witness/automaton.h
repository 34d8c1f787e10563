/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_AUTOMATON_H
#define RCLC_CLOSEST_POINT_WITNESS_AUTOMATON_H

#include "rclc_closest_point/witness/spot.h"

/* The automaton of one witness: faces, edges and vertices, and the Voronoi tests that lead from
 * one to the next.
 *
 *   face   -> edge    on a side, when the other witness lies beyond it: d.c < 0 with c the unit
 *                     vector in the face, square to the side, pointing inwards
 *   face   -> face    the same across a smooth edge, which owns no Voronoi region
 *   face   -> vertex  at a collapsed side
 *   edge   -> face    when the other witness lies over the face: d.c > 0
 *   edge   -> vertex  at an end, when d points beyond it; or on to the next edge where the curve
 *                     goes on without a corner
 *   vertex -> edge    along which d has a component; or into a face at a pole
 *
 * d is the unit vector towards the other witness. Every transition stays at the same point, so the
 * distance does not change; what follows it lowers the distance. */

/* Components of d below this count as none: it keeps rounding from toggling features. */
#define CLP_RELEASE_ANGLE 1e-10

/* The feature to go on with from `spot`, at the same point, or false to stay. d: unit, in the
 * body's frame. */
bool clp_transition(const clp_body *body, clp_spot spot, clp_vec3 d, clp_spot *next);

/* What that takes, and the step to it, where it is more than a few sums, as effort: on a spline,
 * and at the tip of some, whose ways out are searched. */
int clp_transition_effort(const clp_body *body, const clp_spot *spot);

/* Across a face's side that a step has met, whatever d says: to the neighbour over a smooth edge.
 * False where the edge is sharp. */
bool clp_hop(const clp_body *body, clp_spot spot, int side, clp_spot *next);

/* The vertex or the edge that the spot is at, of whatever kind these are, or the spot itself. */
clp_spot clp_lowest_feature(const clp_body *body, clp_spot spot);

#endif
