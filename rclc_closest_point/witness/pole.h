/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_POLE_H
#define RCLC_CLOSEST_POINT_WITNESS_POLE_H

#include "rclc_closest_point/witness/spot.h"

/* A side of a face that is collapsed to one point: the tip of a cone, a pole. All along it the
 * point is the same; the face's normal and the direction in which the face leaves the point turn.
 * Searches over it are of one kind: where does one of the two point most along d? */

/* Where d points most along the directions in which the face leaves its collapsed side, and its
 * component along that direction. */
double clp_pole_direction(const clp_body *body, const clp_corner *corner, clp_vec3 d,
                          clp_site *site);

/* On the face, half way from its collapsed side to the opposite one, behind the place on that side
 * where the normal is nearest n: where a search on this face starts. */
clp_site clp_pole_behind(const clp_body *body, const clp_corner *corner, clp_vec3 n);

/* The normals that the face has there, some of them: the one nearest n first, others far from it;
 * of a pole that is smooth, where all are the same, one. Returns how many; *off becomes at least
 * how far off one of them may be. */
enum { CLP_POLE_NORMALS = 4 };
int clp_pole_normals(const clp_body *body, const clp_corner *corner, clp_vec3 n,
                     clp_vec3 normals[CLP_POLE_NORMALS], double *off);

#endif
