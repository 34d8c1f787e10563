/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_DECLARED_H
#define RCLC_CLOSEST_POINT_MESH_DECLARED_H

/* What a file of a mesh says that it holds, before a library believes it and takes memory for it:
 * a GLB of 24 bytes could ask for 2 GiB. */

#include <stddef.h>
#include <stdint.h>

typedef struct clp_declared {
  uint64_t count; /* the largest, or 0 */
  const char *what;
} clp_declared;

/* `bytes` end with a zero. Of what is said to be there each takes a byte at least, in every format
 * that this knows: PLY's elements, glTF's and Collada's counts, glTF's lengths. */
clp_declared clp_declared_most(const char *bytes, size_t length, const char *ending);

#endif
