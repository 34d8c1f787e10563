/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_H
#define RCLC_CLOSEST_POINT_CERTIFY_H

/* Clearance over all of a motion, proven: for those who plan. What is asked is not sampled: a bound
 * holds for every instant between the first and the last (docs/certify.md has the proof).
 *
 * A *certifier* is made once of a tree of joints, the links' parts and the pairs that matter; it
 * holds all memory that its questions need. Courses say how joints move in a *segment* of time.
 * Units are SI and radians; frames are the tree's root's. No call has variables of its own: a
 * certifier is used by one thread at a time, any number of them share a tree and its bodies. */

#include "rclc_closest_point/joint_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clp_certifier clp_certifier;

/* Two links of the tree. */
typedef struct clp_certify_pair {
  int a, b;
} clp_certify_pair;

typedef struct clp_certify_world {
  const clp_joint_tree *tree; /* outlives the certifier */
  const clp_link *links; /* for each link of the tree; copied, the bodies outlive the certifier;
                            a link may have no parts, and is then in no pair */
  const clp_certify_pair *pairs;
  int pair_count;
  const int *carried; /* links that are where segments say, with all that hangs on them, not where
                         the joint above has them, whatever that is */
  int carried_count;
} clp_certify_world;

/* CLP_ERROR_ARGUMENT: a link or a pair that is none, a part that is planar. CLP_ERROR_LIMIT: too
 * many pairs of parts. Allocates: yes, all that the certifier will ever use. Thread-safe: yes. */
CLP_API clp_status clp_certifier_create(const clp_certify_world *world, clp_certifier **certifier);

/* NULL is allowed. Allocates: no. Thread-safe: for different certifiers. */
CLP_API void clp_certifier_destroy(clp_certifier *certifier);

/* ---- Motion ------------------------------------------------------------------------------- */

/* A joint's position s seconds into the segment: the sum of c[k] s^k. */
typedef struct clp_joint_course {
  double c[6];
} clp_joint_course;

/* A carried link at the segment's beginning, and how it goes on: its origin in a straight line, its
 * orientation about a fixed axis. */
typedef struct clp_carried_course {
  clp_pose X_RL;
  clp_twist V_RL;
} clp_carried_course;

/* A segment begins when the one before it ends, and where that one ends. */
typedef struct clp_course_segment {
  double from, to;                   /* s */
  const clp_joint_course *joints;    /* for each joint of the tree; of those whose position is not
                                        one number, or that follow another, nothing is looked at */
  const clp_carried_course *carried; /* for each carried link */
} clp_course_segment;

/* ---- Questions ---------------------------------------------------------------------------- */

typedef struct clp_certify_options {
  double clearance; /* m, not negative: a pair that is proven to stay as far apart is CLEAR. 0: more
                       than 0 */
  double tolerance; /* m: what is not CLEAR is narrowed down until the proven bound and the least
                       distance found differ by no more; 0: a pair is left as soon as it is not */
  bool narrow;      /* narrow down what is CLEAR, too */
  bool seek;        /* find a distance of each pair, also of those that balls keep apart */
  long steps;       /* how many stretches of time of a pair of parts may be examined, some hundred
                       to some ten thousand instructions each; 0: any number */
  bool (*go_on)(void *user); /* asked at every step; false: it ends as if the steps were spent, and
                                what was found until then is not completed; NULL: nobody is asked */
  void *user;
} clp_certify_options;

/* The clearance 0, the tolerance 1e-4, narrow, any number of steps. Allocates: no. Thread-safe:
 * yes. */
CLP_API clp_certify_options clp_default_certify_options(void);

typedef enum clp_certify_verdict {
  CLP_CERTIFY_CLEAR,    /* proven to stay apart by the clearance */
  CLP_CERTIFY_NEAR,     /* a configuration that is nearer was found; where there is a tolerance it
                           is proven that there is no contact */
  CLP_CERTIFY_CONTACT,  /* proven to have a point in common at some instant */
  CLP_CERTIFY_UNDECIDED /* none of these within the steps, or within what rounding leaves */
} clp_certify_verdict;

/* "CLEAR". Allocates: no. Thread-safe: yes. */
CLP_API const char *clp_certify_verdict_name(clp_certify_verdict verdict);

typedef struct clp_certified {
  clp_certify_verdict verdict;
  double clearance; /* m: at no instant are the links nearer, proven; signed as clp_answer is. Of a
                       pair that was left early it is as low as what was not examined allows */
  double time, distance;           /* the least that was found, and when; infinite: none was */
  double contact_from, contact_to; /* of CONTACT: proven at every instant between, and at both */
} clp_certified;

/* All of a motion: segments in their order, at least one. results has room for every pair, in the
 * order of the world. CLP_ERROR_ARGUMENT: options out of their ranges, segments that do not follow
 * each other in time or place, a number that is not finite; nothing is written. `spent` gets the
 * number of steps; it may be NULL. Allocates: no; takes no lock, makes no system call. Thread-safe:
 * for different certifiers. */
CLP_API clp_status clp_certify_motion(clp_certifier *certifier, const clp_course_segment *segments,
                                      int count, const clp_certify_options *options,
                                      clp_certified *results, long *spent);

/* The places of a pair's links that are nearest at the time of its result in the last question, in
 * the root's frame; its segments are still there. CLP_ERROR_ARGUMENT: no such pair, or no distance
 * was found. Allocates: no. Thread-safe: for different certifiers. */
CLP_API clp_status clp_certify_places(clp_certifier *certifier, int pair, clp_vec3 *on_a,
                                      clp_vec3 *on_b);

/* What is known of one edge: of its pair that decided, or, where it is CLEAR, of all. */
typedef struct clp_certified_edge {
  clp_certify_verdict verdict;
  int pair;              /* that is not CLEAR, the first that was found; -1: all are */
  double clearance;      /* m, proven for all pairs; 0 unless CLEAR */
  double time, distance; /* where the pair was found too near, from 0 to 1 of the edge */
} clp_certified_edge;

/* The edges of a roadmap: straight ways in joint space, each decided by itself and left at the
 * first pair that is not CLEAR. Joint j of edge k goes from from[k * joints + j] to to[k * joints +
 * j], with `joints` those of the tree. Of the options clearance and steps count, the latter for
 * each edge. There are no carried links. CLP_ERROR_ARGUMENT: carried links, a number that is not
 * finite. Allocates: no; takes no lock, makes no system call. Thread-safe: for different
 * certifiers. */
CLP_API clp_status clp_certify_edges(clp_certifier *certifier, const double *from, const double *to,
                                     int count, const clp_certify_options *options,
                                     clp_certified_edge *results);

#ifdef __cplusplus
}
#endif

#endif
