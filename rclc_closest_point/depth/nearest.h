/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DEPTH_NEAREST_H
#define RCLC_CLOSEST_POINT_DEPTH_NEAREST_H

#include "rclc_closest_point/witness/descent.h"

/* The spot moved, within its face or edge, to where the line through `to` along n meets it, or next
 * to that. Everything in the body's frame. */
clp_spot clp_spot_slide(const clp_body *body, clp_spot spot, clp_vec3 to, clp_vec3 n);

/* The middle of the edge between two vertices; false where there is none. */
bool clp_edge_between(const clp_body *body, uint32_t from, uint32_t to, clp_spot *spot);

/* A corner of a simplex of differences f - h: which places these are of, and how much it has of the
 * simplex's point nearest to the origin. */
typedef struct clp_far_corner {
  clp_spots spots;
  clp_vec3 a, b; /* the places, each in its body's frame */
  double weight;
} clp_far_corner;

/* The places of both bodies that the weights lead to: each on the heaviest corner's own
 * feature or the edge between two vertices, or on the face that all of its corners belong to, in
 * all four ways. */
void clp_nearest_spots(const clp_couple *couple, const clp_far_corner *corners, int count,
                       clp_spots spots[4]);

#endif
