/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_CHAIN_H
#define RCLC_CLOSEST_POINT_CERTIFY_CHAIN_H

#include "rclc_closest_point/certify/course.h"

/* What moves the parts: a tree of *movers*, each a turn about an axis or a slide along one, that a
 * joint or a carried link's course makes. Whatever lies between two movers is rigid and folded
 * together. Movers stand in an order in which each comes after its parent. */

typedef enum clp_mover_kind { CLP_MOVER_TURN, CLP_MOVER_SLIDE } clp_mover_kind;

typedef struct clp_mover {
  clp_mover_kind kind;
  int parent;    /* the mover nearer to the root, or -1 */
  int depth;     /* movers above it */
  int joint;     /* whose position it follows; -1 for a carried link's */
  int carried;   /* a carried link has a slide, and a turn after it that has its frame; else -1 */
  double factor; /* of the joint's position, to which the offset is added */
  double offset;
  clp_pose X_PM; /* its frame, at zero, in the parent's */
  clp_vec3 axis; /* unit, in its frame */
} clp_mover;

/* A part: fixed in the frame of a mover. */
typedef struct clp_moving_part {
  const clp_body *body;
  clp_pose X_MP;   /* in the mover's frame; in the root's where there is no mover */
  clp_vec3 center; /* of a ball that holds it, in that same frame */
  double radius;
  clp_vec3 box_middle, box_half; /* of a box that holds it, parallel to its own frame, in that */
  int mover;                     /* -1: it rests */
  int moving;                    /* its number among those that move; -1: it rests */
  int depth;                     /* movers above it */
  int first;                     /* where its numbers begin in tables of `depth` + 1 of them */
  double reach;                  /* how far from the root's origin it can get, slides at zero */
} clp_moving_part;

typedef struct clp_chain {
  clp_mover *movers;
  clp_moving_part *parts; /* those of link 0 first */
  int mover_count, part_count, moving_count;
  int table;       /* numbers in a table */
  int *first_part; /* for each link, and one more */
  int link_count, carried_count, joint_count;
} clp_chain;

clp_status clp_chain_create(const clp_certify_world *world, clp_chain *chain);
void clp_chain_destroy(clp_chain *chain);

/* ---- Instants ----------------------------------------------------------------------------- */

/* Where everything is at one instant. What rests is not written again for each. */
typedef struct clp_instant {
  int segment;
  double s;         /* into the segment */
  clp_pose *X_RM;   /* of movers' frames */
  clp_vec3 *axis;   /* of movers, in the root's frame */
  clp_vec3 *center; /* of the moving parts' balls */
  clp_pose *X_RP;   /* of the moving parts */
} clp_instant;

void clp_chain_place(const clp_chain *chain, const clp_course_segment *segments, int segment,
                     double s, clp_instant *instant);

static inline clp_vec3 clp_center_of_part(const clp_moving_part *part, const clp_instant *instant)
{
  return part->moving < 0 ? part->center : instant->center[part->moving];
}

static inline const clp_pose *clp_pose_of_part(const clp_moving_part *part,
                                               const clp_instant *instant)
{
  return part->moving < 0 ? &part->X_MP : &instant->X_RP[part->moving];
}

/* ---- Stretches of time -------------------------------------------------------------------- */

/* How a part moves at most in a stretch, as seen from its c-th mover (0: the root's): the speed and
 * the acceleration of any of its points. Numbers c = 0 ... depth from `first` on in both. */
typedef struct clp_rates {
  double *mover_speed, *mover_acceleration; /* of each mover: in its own coordinate */
  double *speed, *acceleration;
  bool *known; /* of each moving part */
} clp_rates;

/* Between two instants within one segment (smooth), or over several, whose accelerations are then
 * not bounded. Of the parts nothing is known yet. */
void clp_chain_rates(const clp_chain *chain, const clp_course_segment *segments,
                     const clp_instant *from, const clp_instant *to, clp_rates *rates);

/* `length`: of the stretch (s). */
void clp_chain_part_rates(const clp_chain *chain, const clp_moving_part *part,
                          const clp_instant *from, const clp_instant *to, double length,
                          clp_rates *rates);

#endif
