/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_SEAM_H
#define RCLC_CLOSEST_POINT_BODY_SEAM_H

/* How two faces meet along all of an edge, by bounds, in the frame of a gauge.
 *
 * With the dual points a and b of the faces' tangent planes, p the edge's point and T its tangent
 * counter-clockwise round the first face, a - b is along T x p where the faces share the edge. The
 * edge is convex where (b - a).(T x p) >= 0; where that is not proven, the gradient of the body's
 * gauge function (body_slack.c) may jump back by |b - a|. */

#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/surface/gauge.h"

typedef struct clp_seam {
  double jump;     /* by how much the gradient jumps back at most; HUGE_VAL: undecided */
  double jumps;    /* the same, summed over as many places as a plane can cross the edge at */
  double gaps;     /* the distance between the two sides, summed likewise (in the gauge's units) */
  double fraction; /* of the edge, where the jump may be largest */
} clp_seam;

/* Of an edge with two faces that is no collapsed side. It takes from the builder's budget, and
 * gives up when that is used up. */
clp_seam clp_prove_seam(clp_builder *builder, const clp_gauge *gauge, const clp_edge *edge);

/* The same at the breaks between the spans of a spline's face: where derivatives vanish, or
 * rounding has moved control points, tangents may jump there, too. */
typedef struct clp_crease {
  double jump, jumps; /* as in clp_seam */
  clp_site where;     /* the jump may be largest */
} clp_crease;

clp_crease clp_prove_breaks(const clp_gauge *gauge, const clp_face *face, clp_proof_budget *budget);

#endif
