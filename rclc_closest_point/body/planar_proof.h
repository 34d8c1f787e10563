/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_PLANAR_PROOF_H
#define RCLC_CLOSEST_POINT_BODY_PLANAR_PROOF_H

/* Inside the body layer: what is proven of a planar body by the course of its curves. */

#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/surface/curve_course.h"

/* How often pieces of curves may be halved, a microsecond or two each: in one part, and, while
 * curves are cut, in a piece that is looked at, plus a few times for each of its spans. */
enum { CLP_PLANAR_BUDGET = 20000, CLP_CUT_BUDGET = 1000, CLP_CUT_BUDGET_SPAN = 8 };

/* The edge that goes on where this one ends; its ends are those of two. */
uint32_t clp_next_edge(const clp_builder *builder, uint32_t edge);

/* Corners and curves: convex? The direction round the region, how often, and the slack. The ends
 * have been matched; closed curves promised as convex are one loop. */
void clp_prove_planar(clp_builder *builder);

void clp_report_clockwise(clp_builder *builder);

/* What the bounds do not decide of a curve ("curve 'C' ...") or of the whole (item -1). */
void clp_planar_undecided(clp_builder *builder, int item, const clp_vec3 *place, const char *what);

#endif
