/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include "bench/cell.h"
#include "rclc_closest_point/closest_point.h"

/* Other libraries behind a C interface: the same bodies, the same poses, the same loop.
 *
 * Each file peer_<library>.cpp offers its ways to answer as tables that end with a NULL name. What
 * is particular to a library (its shapes, transforms and caches) is made by `create`, which is not
 * timed. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_witnesses {
  clp_vec3 a, b;
} peer_witnesses;

/* One way to the distance of two bodies, the first at rest in the world's frame, the second
 * following `poses`. */
typedef struct peer_pair {
  const char *name, *representation;
  /* NULL where the library has no such shapes. The poses must outlive the pair. */
  void *(*create)(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count);
  /* The distance at poses[k], continued from the last call: what the library says, not positive
   * where it says that the bodies overlap; NaN where it gives none. */
  double (*distance)(void *pair, int k);
  void (*destroy)(void *pair);
  /* Where on the bodies, in the world's frame, the last call found them nearest. */
  peer_witnesses (*witnesses)(const void *pair);
  /* The bodies jump: what was kept from the last call is of no use. NULL where nothing is kept. */
  void (*forget)(void *pair);
  double tolerance; /* what it is asked for, or what is built into it (m); 0: of another kind */
  bool is_default;  /* the library's own choice of it */
} peer_pair;

typedef enum peer_verdict { PEER_CLEAR, PEER_TOUCHES, PEER_SILENT } peer_verdict;

/* One way to tell whether two bodies touch while the second goes from one pose to another, its
 * origin straight on and its orientation about a fixed axis; the first rests in the world's frame.
 */
typedef struct peer_motion {
  const char *name, *representation;
  void *(*create)(const clp_body_def *a, const clp_body_def *b); /* as above */
  peer_verdict (*touches)(void *pair, const clp_pose *from, const clp_pose *to);
  void (*destroy)(void *pair);
  double most_turn; /* of one question (rad) */
} peer_motion;

/* A robot's link and an obstacle, and how far the nearest part of the link is from it. */
typedef struct peer_near {
  int link, obstacle;
  double distance;
} peer_near;

/* One way to the distances of a whole cell. */
typedef struct peer_cell {
  const char *name, *representation;
  bool exact;         /* the shapes themselves, and no meshes of them */
  int most_obstacles; /* what it has memory for; 0: any number */
  void *(*create)(const cell *c);
  /* One cycle: `nearest`, of CELL_ROBOT_LINKS, gets each robot link's distance to all obstacles;
   * where it is NULL, the minimum alone is searched for. Returns the minimum. */
  double (*cycle)(void *state, const clp_pose *X_WL, double *nearest);
  /* One cycle: every pair of a robot's link and an obstacle nearer than `range`, in any order.
   * There is room for all pairs. Returns how many these are. */
  int (*within)(void *state, const clp_pose *X_WL, double range, peer_near *near);
  void (*destroy)(void *state);
} peer_cell;

extern const peer_pair peer_coal_pairs[], peer_fcl_pairs[], peer_bullet_pairs[],
    peer_mujoco_pairs[], peer_occt_pairs[];
extern const peer_motion peer_fcl_motions[], peer_bullet_motions[];
extern const peer_cell peer_coal_cells[], peer_fcl_cells[], peer_bullet_cells[];

#ifdef __cplusplus
}
#endif

#endif
