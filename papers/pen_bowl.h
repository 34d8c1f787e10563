/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_PEN_BOWL_H
#define RCLC_CLOSEST_POINT_PAPERS_PEN_BOWL_H

#include "papers/study.h"
#include "rclc_closest_point/control/controller_newton.h"
#include "rclc_closest_point/pair/pair.h"

/* The pen and the bowl of the paper on Newton's method. The pen: a cone S3 with its tip V1 in the
 * origin, a cylinder S4, a plane S5, circles C2 and C3 between them. The bowl, at rest: a
 * paraboloid S1, a concave sphere S2, the rim C1. */
typedef struct clp_pen_bowl {
  clp_body *pen, *bowl, *point;
  clp_pair *pair;  /* answers from scratch, certified with as many cells as it takes */
  clp_pair *probe; /* the pen and a point */
  clp_newton *newton;
  clp_pose X_WB;
} clp_pen_bowl;

clp_status clp_pen_bowl_create(clp_pen_bowl *pb);
void clp_pen_bowl_release(clp_pen_bowl *pb);

/* A pair of points, each in its own body's frame. */
typedef struct clp_found {
  double distance;
  clp_vec3 pen, bowl;
  bool several;     /* others are as near */
  char features[8]; /* "S3–C1" */
} clp_found;

/* Where the pen is, for a row of the paper's tables. */
typedef clp_pose (*clp_pen_course)(double key);

clp_found clp_pen_bowl_ask(const clp_pen_bowl *pb, clp_pose X_WP);

/* The distance of two places of the bodies, and of the same two mirrored in the plane x = 0. */
double clp_pen_bowl_distance(const clp_pen_bowl *pb, clp_pose X_WP, clp_vec3 pen, clp_vec3 bowl);
double clp_pen_bowl_twin(const clp_pen_bowl *pb, clp_pose X_WP, const clp_found *found);

/* ---- The tables --------------------------------------------------------------------------- */

/* A row of a table as it is printed; `text` is the same in the words of the published column. */
typedef struct clp_printed {
  double key, distance;
  clp_vec3 pen, bowl;
  bool circle; /* instead of the bowl's point the whole of C1 */
  const char *text;
} clp_printed;

/* Adds the row, judged: the printed distance is the least one to five digits, and the printed
 * points are so far apart, to the three digits that they are printed with. */
clp_row *clp_pen_bowl_add(clp_study *study, const clp_pen_bowl *pb, clp_pen_course course,
                          const char *key_name, const clp_printed *printed);

/* The distance of the pen from the rim's point at this angle about the bowl's axis, from x on. */
double clp_pen_bowl_rim(const clp_pen_bowl *pb, clp_pose X_WP, double angle);

/* ---- Frames ------------------------------------------------------------------------------- */

/* Newton's method over frames at even distances of the key. */
typedef struct clp_pen_frames {
  int frames, solved; /* in how many the pair of features of the frame before had a solution */
  int iterations[14]; /* in how many of these so many iterations found it; the last one: more */
  int most;           /* iterations in one of them */
  int matching;       /* frames in which the top-down search found the certified minimum */
  double worst;       /* its largest error */
  double seconds, tracked_seconds; /* for all frames: the search; the certified tracker */
} clp_pen_frames;

clp_pen_frames clp_pen_bowl_frames(clp_study *study, const clp_pen_bowl *pb, clp_pen_course course,
                                   double from, double to, int count);

/* The rows about them, and a remark on their speed. */
void clp_pen_bowl_add_frames(clp_study *study, const clp_pen_frames *frames);

#endif
