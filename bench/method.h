/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_METHOD_H
#define BENCH_METHOD_H

#include "bench/peers/peer.h"
#include "rclc_closest_point/closest_point.h"

/* Ways to follow the distance of two bodies, ours and other libraries', behind one interface. */

/* How the second body moves against the first, which rests: 1 ms from pose to pose. */
typedef struct course {
  int count;
  const clp_pose *poses;
  const clp_twist *twists[2]; /* those that led to each pose, forwards and backwards in time */
  int leap; /* at every pose of which this is a divisor the bodies have jumped; 0: at none */
} course;

typedef struct method {
  const char *name, *representation;
  double tolerance;      /* see peers/peer.h */
  bool is_default;       /* the tolerance */
  const peer_pair *peer; /* NULL: ours */
  bool alone;            /* ours without the proof */
  int jumps;             /* the course's leap, of a peer */
  void *state;
} method;

/* Ours with this relative tolerance, 0 for the default one. `alone`: without what proves that
 * nothing else of a pair that is not convex is nearer, so it is what other libraries' local
 * searches are. False where there is no memory. */
bool method_ours(const clp_body *a, const clp_body *b, const course *c, double tolerance,
                 bool alone, method *m);

/* Whether the pair of ours is convex, so that a step alone is all of it. */
bool method_is_convex(const method *ours);

/* Every peer's way that knows both shapes, at most so many; returns how many. */
int method_peers(const clp_body_def *a, const clp_body_def *b, const course *c, method *methods,
                 int most);

/* The distance at a pose, continued from the last call. Of ours NaN where it is not proven; of
 * peers see peers/peer.h. */
double method_distance(const method *m, int k);

/* Of the last call, which gave a distance. */
peer_witnesses method_witnesses(const method *m);

/* Of the last call: what the distance is at least, proven; of peers minus infinity. */
double method_lower_bound(const method *m);

/* From pose to pose through `count` of the course, the last one first where backwards. */
double method_pass(const method *m, int count, bool backwards);

void method_destroy(const method *m);

#endif
