/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_DESCENT_H
#define RCLC_CLOSEST_POINT_WITNESS_DESCENT_H

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/witness/effort.h"
#include "rclc_closest_point/witness/system.h"

typedef struct clp_spots {
  clp_spot a, b;
} clp_spots;

/* Attempts to make the witnesses of bodies that overlap face each other, and where a cycle's effort
 * has ended, so that the next one goes on there (depth/peak_align.c). */
typedef struct clp_align {
  uint8_t attempt;    /* which one is next */
  uint8_t leg, way;   /* of bodies taken apart: how often the way uphill has been gone on, and what
                         is next on this leg; the rest is of a leg that has begun */
  uint8_t iterations; /* of its descent so far */
  uint8_t doublings;  /* of its step uphill so far, and */
  uint8_t course;     /* which way that goes on */
  clp_spots spots;    /* where that stands */
  clp_vec3 n, to;     /* along which they are taken apart, and from one place to the other */
  double far, lower;  /* how far, and the bound of n */
} clp_align;

/* What a cycle leaves for the next. Points of both bodies, each in its body's frame: wherever the
 * bodies go they are points of them, and their differences make a simplex (depth/overlap.h). Of no
 * more than three the places are kept, for these may become the nearest ones. */
typedef struct clp_common {
  union {
    clp_spots spots[3];
    struct {
      clp_vec3 a[4], b[4];
    } points;
  } of;
  uint8_t count;
  bool placed;       /* they are places */
  bool open;         /* whether the bodies overlap was not told */
  uint8_t looks;     /* of a search for the nearest places: how many farthest ones it has had */
  uint8_t due, next; /* of an overlap: the tasks that come first, in this cycle and in the next
                        (depth/penetration.c) */
  uint16_t hundreds; /* of its effort that the last cycle which did more than a stride has spent */
  uint32_t face;     /* of an overlap with a point: the face that is compared with it next */
  clp_align align;   /* which attempt is next to make its witnesses face each other */
} clp_common;

/* Two bodies and where they are: everything a descent reads. */
typedef struct clp_couple {
  const clp_body *a, *b;
  clp_pose X_AB;
  double size;        /* of both together: what rounding is relative to */
  double slack;       /* of both together: how far they may be from convex and closed (m) */
  double blur;        /* of both together: how far off the surfaces places may be computed (m) */
  clp_effort *effort; /* what may still be done about them; NULL: as much as it takes */
  clp_common *common; /* what the last test for overlap has left for the next; NULL: nothing */
} clp_couple;

clp_couple clp_couple_make(const clp_body *a, const clp_body *b, const clp_pose *X_WA,
                           const clp_pose *X_WB);

/* What rounding and slack may have added to a distance between the two: taken off whatever is
 * proven. A place f of A and one q of B are no longer than the size, and X_AB's position no longer
 * than both and the distance, though all of them may cancel: from R q + p - f that makes four sizes
 * and the distance. What a direction is off by counts times no more than two radii, a few of the
 * 16 units (base/rounding.h) of the fifth size. */
CLP_INLINE double clp_couple_rounding(const clp_couple *couple, double distance)
{
  return CLP_ROUNDING * (5 * couple->size + distance) + couple->slack;
}

/* Whether X_AB is a motion of a rigid body, to rounding and a little more: a rotation, numbers all
 * of them, not beyond what can be computed with. Nothing but the usual cycle bears with others. */
bool clp_couple_is_rigid(const clp_couple *couple);

/* From one place to the other. */
double clp_couple_distance(const clp_couple *couple, const clp_spots *spots);

/* Witnesses nearer than this (of the size) coincide, to rounding. */
#define CLP_DESCENT_TOUCHING 1e-13

/* A residual, of the distance, that counts as none: the distance is off by its square. */
#define CLP_DESCENT_TOLERANCE 1e-12

typedef enum clp_descent_end {
  CLP_DESCENT_CONVERGED, /* no direction on either body leads closer */
  CLP_DESCENT_BEHIND,    /* the same, but a witness lies behind the other's face: inside, or a
                            maximum */
  CLP_DESCENT_TOUCH,     /* the witnesses coincide to rounding */
  CLP_DESCENT_STALLED,   /* no step found that leads closer, though the gradient is not zero */
  CLP_DESCENT_BUDGET
} clp_descent_end;

/* A change of feature. */
typedef struct clp_event {
  int which; /* 0: on A, 1: on B */
  clp_spot from, to;
  double distance;
} clp_event;

/* Receives events as they happen; the step's caller owns the buffer. Events beyond the capacity
 * are counted only. */
typedef struct clp_event_log {
  clp_event *events;
  int capacity, count;
} clp_event_log;

typedef struct clp_descent {
  clp_descent_end end;
  int iterations;
  int transitions;
  clp_couple_jets jets; /* at the spots reached */
} clp_descent;

/* From the given spots downhill until the spots are optimal on their bodies, in at most `budget`
 * iterations. Every iteration settles the features (at most CLP_SETTLE_MAX changes a body), then
 * takes the Newton step where the Hessian allows it, else the switching step; a step is shortened
 * until the distance does not grow. Allocates nothing. `log` may be NULL. */
enum { CLP_SETTLE_MAX = 6 };

clp_descent clp_descend(const clp_couple *couple, clp_spots *spots, int budget, double tolerance,
                        clp_event_log *log);

/* The Newton step alone, cut off where it meets a bound, for whoever proves what comes of it: false
 * where there is none, or a bound lets it go nowhere. */
bool clp_descend_to_bound(const clp_couple *couple, clp_spots *spots);

#endif
