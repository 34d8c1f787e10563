/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_TF_BUFFER_H
#define RCLC_CLOSEST_POINT_MONITOR_TF_BUFFER_H

/* tf2's BufferCore, for C: transforms between frames over time in, the transform between any two
 * frames at one instant out. Behind it is ROS 2's tf2, or, where there is no ROS 2, ROS 1's, which
 * Debian has.
 *
 * No exception leaves these functions: what tf2 throws, running out of memory included, is a false.
 * Setting and looking up both allocate, and lock a mutex that nobody else holds. */

#include <stdbool.h>
#include <stdint.h>

#include "rclc_closest_point/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stamps are nanoseconds since ROS's epoch; tf2 of ROS 1 counts seconds in 32 bits. */
#define CLP_LARGEST_STAMP (INT64_C(4294967295) * INT64_C(1000000000))

/* The pose of a child frame in its parent: X_PC. */
typedef struct clp_tf_transform {
  clp_vec3 translation;
  double qx, qy, qz, qw;
} clp_tf_transform;

typedef struct clp_tf_buffer clp_tf_buffer;

/* What is older than the newest transform of its frame by more than so many seconds is forgotten.
 * NULL: no memory. */
clp_tf_buffer *clp_tf_buffer_create(double seconds);

/* NULL is allowed. */
void clp_tf_buffer_destroy(clp_tf_buffer *buffer);

/* The stamp, which is not negative and not above CLP_LARGEST_STAMP, says nothing of a static
 * transform. False: tf2 refuses it, or has thrown, or there is no buffer. */
bool clp_tf_buffer_set(clp_tf_buffer *buffer, const char *parent, const char *child, int64_t stamp,
                       const clp_tf_transform *X_PC, bool is_static);

/* X_TS at the stamp, interpolated where it lies between two. False: not known at that instant,
 * or there is no buffer. */
bool clp_tf_buffer_lookup(const clp_tf_buffer *buffer, const char *target, const char *source,
                          int64_t stamp, clp_tf_transform *X_TS);

#ifdef __cplusplus
}
#endif

#endif
