/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_TOLERANCE_H
#define RCLC_CLOSEST_POINT_BASE_TOLERANCE_H

/* The tolerances that a user meets, or more than one file keeps to, with their units and the
 * reasons for their sizes. "Of the size" means multiplied by the diagonal of the part's bounding
 * box. What rounding does is in base/rounding.h; where an iteration of one file ends, or what
 * counts as nothing in it, has a name and a reason there. */

/* Two boundary curves, or two corners, are the same when nowhere farther apart (of the size).
 * It is the model format's promise to whoever writes patches with a finite number of digits. */
#define CLP_TOLERANCE_MATCH 1e-6

/* Sides whose equal fractions agree within this (of the size) need no projection to get from one to
 * the other. */
#define CLP_TOLERANCE_AFFINE 1e-10

/* A polyhedron's face is planar when no corner is farther from its plane (of the size). */
#define CLP_TOLERANCE_PLANAR 1e-9

/* A polyhedron that is refused, but no farther from its vertices' hull (of the size), is replaced
 * by that. It is what six digits leave of coordinates of several times the size, and three times
 * the grid on which hulls are made. */
#define CLP_TOLERANCE_MEND 5e-5

/* Two faces meet smoothly when their unit normals differ less along the whole edge (radians). A
 * matched edge may be off by CLP_TOLERANCE_MATCH, so a smaller angle cannot be told from none. */
#define CLP_TOLERANCE_SMOOTH 1e-6

/* Curvature times size below which a surface counts as flat rather than bent the wrong way
 * (dimensionless): rounding in second derivatives of degree nine stays two digits under it. */
#define CLP_TOLERANCE_CURVATURE 1e-9

/* Relative change at which a quadrature is finished; figures promise 1e-6. */
#define CLP_TOLERANCE_QUADRATURE 1e-10

/* A tight bound is refined until it is this close to what is attained (of the size). */
#define CLP_TOLERANCE_BOUND 1e-12

/* The largest coordinate and the smallest size (meters) that a part may have: within them products
 * of four lengths neither overflow nor vanish, whatever is computed. */
#define CLP_LARGEST_COORDINATE 1e9
#define CLP_SMALLEST_SIZE 1e-9

/* The smallest length that a definition may name: a radius, an edge, a focal length (meters). Its
 * square divides others. */
#define CLP_SMALLEST_LENGTH 1e-12

/* A rotation's columns are unit vectors square to each other to within this: poses that were stored
 * in single precision still pass, and distances are off by no more than as much of the sizes. */
#define CLP_TOLERANCE_RIGID 1e-6

/* Instead of zero where something is divided by it: squares of lengths do not come near it. */
#define CLP_NOT_ZERO 1e-300

#endif
