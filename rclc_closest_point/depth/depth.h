/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DEPTH_DEPTH_H
#define RCLC_CLOSEST_POINT_DEPTH_DEPTH_H

#include "rclc_closest_point/depth/extremal.h"
#include "rclc_closest_point/depth/penetration.h"

/* Inside penetration: local maxima of s(n) and what is known of them. */
typedef struct clp_peak {
  clp_spots spots;
  clp_depth depth;
  bool settled; /* Newton's iteration ended here: the features have a maximum of their own */
} clp_peak;

/* How far the witnesses are from lying along the direction, and s from what is proven (m). */
double clp_peak_rest(const clp_peak *peak);

/* Of where an iteration stands. */
clp_peak clp_peak_of(const clp_extremal *e, clp_extremal_end end);

/* Keeps the higher of the two by what is proven; of two that are equal to rounding one that is
 * settled, or whose witnesses lie better along its direction. */
void clp_peak_keep(const clp_couple *couple, clp_peak *best, const clp_peak *other);

/* The place farthest along n on A and along -n on B. */
clp_peak clp_peak_along(const clp_couple *couple, clp_vec3 n);

/* The same for a peak that is followed: a rival must be higher by more than rounding, so that the
 * witnesses do not jump between equals while nothing moves; a lost peak yields to an equal one. */
void clp_peak_challenge(const clp_couple *couple, clp_peak *followed, const clp_peak *rival);

/* The unit vector from A's center to B's, or zero. */
clp_vec3 clp_center_direction(const clp_couple *couple);

/* Improves a peak: Newton's iteration from its features, and where these have no maximum of their
 * own (corners and edges of overlapping bodies) from all combinations of what borders on them.
 * depth.found then tells whether it ended at a local maximum. (peak_near.c) */
void clp_peak_improve(const clp_couple *couple, clp_peak *peak);

/* The peak that farthest points lead to from direction n uphill, of bodies that overlap: a bounded
 * number of them. False where that is not to be had: of planar pairs and points. (portal.c) */
bool clp_peak_by_portals(const clp_couple *couple, clp_vec3 n, clp_peak *peak);

/* Where a peak's witnesses do not face each other, or it has some way to go yet: finds those that
 * do, or the way, with at most so many descents. (peak_align.c) */
enum { CLP_ALIGN_QUERY = 24, CLP_ALIGN_CYCLE = 8 };
void clp_peak_align(const clp_couple *couple, clp_peak *peak, int descents);

/* A maximum with s <= 0 says nothing of overlap, for there may be a higher one: asks whether the
 * bodies overlap at all. Where a direction separates them, the peak is the one that it leads to,
 * aligned as above. */
void clp_peak_confirm(const clp_couple *couple, clp_peak *peak, int descents);

/* A point inside a body is as deep as its nearest face is near: challenges a followed peak with all
 * faces or curves. (peak_point.c) */
void clp_peak_compare_faces(const clp_couple *couple, clp_peak *peak);

#endif
