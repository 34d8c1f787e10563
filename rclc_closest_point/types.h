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

/* An orientation as ROS writes it: x y z w, of unit length, q and -q being the same. */
typedef struct clp_quaternion {
  double x, y, z, w;
} clp_quaternion;

/* Linear velocity of the frame's origin and angular velocity, both in the outer frame. */
typedef struct clp_twist {
  clp_vec3 linear, angular;
} clp_twist;

typedef struct clp_box3 {
  clp_vec3 min, max;
} clp_box3;

/* What a witness point lies on. The values are those of the ClosestPoint message. */
typedef enum clp_feature_kind { CLP_FACE = 0, CLP_EDGE = 1, CLP_VERTEX = 2 } clp_feature_kind;

/* The frame itself. A pose of zeros is none, and is refused. Allocates: no. Thread-safe: yes. */
static inline clp_pose clp_pose_identity(void)
{
  clp_pose identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
  return identity;
}

/* A rotation also where q has not quite unit length: its length divides out. Of zeros it is no
 * number. Allocates: no. Thread-safe: yes. */
static inline clp_mat3 clp_quaternion_rotation(clp_quaternion q)
{
  double s = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
  double xy = s * q.x * q.y, yz = s * q.y * q.z, zx = s * q.z * q.x;
  double xw = s * q.x * q.w, yw = s * q.y * q.w, zw = s * q.z * q.w;
  clp_mat3 rotation = {{1 - yy - zz, xy + zw, zx - yw},
                       {xy - zw, 1 - zz - xx, yz + xw},
                       {zx + yw, yz - xw, 1 - xx - yy}};
  return rotation;
}

/* A pose as ROS writes it. Allocates: no. Thread-safe: yes. */
static inline clp_pose clp_pose_from(clp_vec3 position, clp_quaternion orientation)
{
  clp_pose pose = {clp_quaternion_rotation(orientation), position};
  return pose;
}

#endif
