/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TYPES_H
#define RCLC_CLOSEST_POINT_TYPES_H

/* Small values that cross the public interface. SI units and radians throughout; all are passed
 * and returned by value.
 *
 * Frames stand in names: p_A is a point expressed in frame A, X_AB is the pose of frame B in
 * frame A, so that p_A = X_AB * p_B. */

typedef struct clp_vec3 {
  double x, y, z;
} clp_vec3;

/* Columns: the images of the three unit vectors. */
typedef struct clp_mat3 {
  clp_vec3 x, y, z;
} clp_mat3;

typedef struct clp_pose {
  clp_mat3 rotation;
  clp_vec3 position;
} clp_pose;

/* Linear velocity of the frame's origin and angular velocity, both in the outer frame. */
typedef struct clp_twist {
  clp_vec3 linear, angular;
} clp_twist;

typedef struct clp_box3 {
  clp_vec3 min, max;
} clp_box3;

/* What a witness point lies on. The values are those of the ClosestPoint message. */
typedef enum clp_feature_kind { CLP_FACE = 0, CLP_EDGE = 1, CLP_VERTEX = 2 } clp_feature_kind;

#endif
