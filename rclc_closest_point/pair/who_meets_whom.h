/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_WHO_MEETS_WHOM_H
#define RCLC_CLOSEST_POINT_PAIR_WHO_MEETS_WHOM_H

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/witness/descent.h"

/* Which two bodies meet, and how their pair is asked, stepped and proven: everything that depends
 * on what they are is chosen here. There are two tables, by the kinds of A and of B: of bodies (in
 * who_meets_whom.c), and, where a batch asks, of the features that the witnesses are on (below).
 * How one stride is computed for two features is the table at the end of witness/stride_kernel.h.
 *
 * A closed form for bodies of two kinds is a way of its own, in a file of its own, and its name in
 * the table's place for these two. */

/* In closed forms the later one is A (order.h). */
typedef enum clp_body_kind {
  CLP_BODY_POINT,
  CLP_BODY_BALL,
  CLP_BODY_CAPSULE,
  CLP_BODY_ROUND, /* a whole ellipsoid */
  CLP_BODY_BOX,
  CLP_BODY_CYLINDER,
  CLP_BODY_CONE,   /* a cone or a frustum, with its lids */
  CLP_BODY_CONVEX, /* any other that supporting planes prove: convex and closed */
  CLP_BODY_OTHER,  /* dented, or open */
  CLP_BODY_FLAT,   /* planar, and convex */
  CLP_BODY_DENTED_FLAT,
  CLP_BODY_COUNT
} clp_body_kind;

clp_body_kind clp_body_kind_of(const clp_body *body);

struct clp_known;

/* One cycle. The bodies are named in the pair's order; the twists may be NULL. */
typedef clp_answer clp_track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                             const clp_twist *V_WA, const clp_twist *V_WB, double step);

/* How pairs of bodies of two kinds are treated. All of it is about the outside and the poses that
 * the pair's cycle has; *known is at the pair's spots, in A's frame. */
typedef struct clp_way {
  bool planes;      /* supporting planes prove everything; else it is the exclusion, an aid */
  bool once;        /* of what planes prove: one place at most is nearest */
  double tolerance; /* of tracked intervals, of the size, unless the options say */
  void (*query)(clp_pair *pair, struct clp_known *known); /* from scratch */

  /* Of a closed form: from scratch as well, with a region and a place of 0 that are carried on;
   * false where it has no answer, and `query` is asked. */
  bool (*at_once)(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer);
  clp_track *track;
  clp_track *track_wide; /* the same where there is AVX2 (base/wide_registers.h) */

  /* What is proven of where a controller by itself has led. */
  void (*prove)(clp_pair *pair, const clp_couple_jets *jets, struct clp_known *known);

  /* Of a closed form, which keeps no sites: where the witnesses are in these poses. */
  clp_spots (*spots)(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB);
} clp_way;

/* NULL where the two do not meet: a planar body has no second dimension to share with a solid. */
const clp_way *clp_way_of(const clp_body *a, const clp_body *b);

/* The ways (pair.c). */
extern const clp_way clp_way_by_planes;
extern const clp_way clp_way_by_planes_once;
extern const clp_way clp_way_by_exclusion;

/* Two segments, each swept by a ball (swept.c). */
extern const clp_way clp_way_swept;
extern const clp_way clp_way_swept_once;

/* A box and a ball (box_ball.c). */
extern const clp_way clp_way_box_ball;

/* A box and a capsule (box_capsule.c). */
extern const clp_way clp_way_box_capsule;

/* A box and a cylinder (box_cylinder.c). */
extern const clp_way clp_way_box_cylinder;

/* A cylinder or a cone, and a sphere, a point or a capsule (revolved_swept.c). */
extern const clp_way clp_way_cylinder_ball;
extern const clp_way clp_way_cylinder_capsule;
extern const clp_way clp_way_cone_ball;
extern const clp_way clp_way_cone_capsule;

/* Two boxes (box_box.c). */
extern const clp_way clp_way_box_box;

/* Two balls (balls.c). */
extern const clp_way clp_way_balls;

/* Intervals that planes prove, of the size. */
#define CLP_WIDTH_BY_PLANES 1e-9

/* One of the papers' controllers by itself, whatever the way: what the options ask for. */
clp_track clp_track_by_controller;

/* ---- Side by side ------------------------------------------------------------------------- */

/* Forms of features that can be computed side by side. */
typedef enum clp_batch_form {
  CLP_BATCH_ELLIPSOID, /* spheres, capsules' caps */
  CLP_BATCH_CONE,      /* cylinders' and cones' sides */
  CLP_BATCH_PLANE,     /* rectangles */
  CLP_BATCH_SPLINE,    /* rectangles of low degrees */
  CLP_BATCH_EDGE,      /* straight ones between flat faces or none, rims */
  CLP_BATCH_VERTEX,    /* of flat faces; a body that is a point */
  CLP_BATCH_FORMS
} clp_batch_form;

/* The highest degree of splines that go side by side. */
enum { CLP_BATCH_DEGREE = 4 };

/* Which of them are, in the order of A's form and then B's: YES has a kernel,
 * TURNED is that of B's form and then A's. Two planes have nothing to solve. */
/* clang-format off */
#define CLP_SIDE_BY_SIDE(YES, TURNED, NO)                                                 \
  YES(ELLIPSOID, ELLIPSOID) YES(ELLIPSOID, CONE)  YES(ELLIPSOID, PLANE)                   \
    TURNED(ELLIPSOID, SPLINE)   YES(ELLIPSOID, EDGE)  YES(ELLIPSOID, VERTEX)              \
  YES(CONE, ELLIPSOID)      YES(CONE, CONE)       YES(CONE, PLANE)                        \
    TURNED(CONE, SPLINE)        YES(CONE, EDGE)       YES(CONE, VERTEX)                   \
  YES(PLANE, ELLIPSOID)     YES(PLANE, CONE)      NO(PLANE, PLANE)                        \
    TURNED(PLANE, SPLINE)       YES(PLANE, EDGE)      YES(PLANE, VERTEX)                  \
  YES(SPLINE, ELLIPSOID)    YES(SPLINE, CONE)     YES(SPLINE, PLANE)                      \
    YES(SPLINE, SPLINE)         YES(SPLINE, EDGE)     YES(SPLINE, VERTEX)                 \
  YES(EDGE, ELLIPSOID)      YES(EDGE, CONE)       YES(EDGE, PLANE)                        \
    TURNED(EDGE, SPLINE)        YES(EDGE, EDGE)       YES(EDGE, VERTEX)                   \
  YES(VERTEX, ELLIPSOID)    YES(VERTEX, CONE)     YES(VERTEX, PLANE)                      \
    TURNED(VERTEX, SPLINE)      YES(VERTEX, EDGE)     YES(VERTEX, VERTEX)
/* clang-format on */

#endif
