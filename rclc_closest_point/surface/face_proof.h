/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_FACE_PROOF_H
#define RCLC_CLOSEST_POINT_SURFACE_FACE_PROOF_H

/* Inside the library's building: what is proven of a face in the frame of a gauge, by bounds on
 * every place of it and nowhere by samples. */

#include <stdbool.h>

#include "rclc_closest_point/surface/gauge.h"
#include "rclc_closest_point/surface/surface.h"

struct clp_face_span;

typedef struct clp_face_proof {
  double height; /* its tangent planes pass the origin at least so high; <= 0: not proven */
  double reach;  /* it reaches no farther from the origin */
  double bend;   /* no normal curvature towards the outward normal is larger; HUGE_VAL where
                    that was not decided */
  double turn;   /* by so much at most the face turns outwards on a walk across all of it: of
                    every piece its curvature times what a straight walk can be long there */
  double kink;   /* angles that rounding hides, at poles and in what counts as flat, summed (rad)
                  */
  double hole;   /* how far poles reach that count as points, and flat pieces leave their
                    planes, summed */
  double solid_angle; /* at most, as seen from the origin; splines and straight-sided planes only */
  clp_site where;     /* the place that the bound of the curvature is largest about */
  bool flat;          /* all of it in one plane */
  bool failed;        /* there was no memory */
} clp_face_proof;

/* Work, in multiplications: what is left of a body's. A proof that runs out of it gives up. The
 * whole is some thirty seconds' worth. */
#define CLP_PROOF_OPERATIONS 3e10

typedef struct clp_proof_budget {
  double operations;
} clp_proof_budget;

/* Evidence against convexity, gathered where bounds do not decide: looks at a place of span `index`
 * at fractions s and t of it; true to give up. The piece is `narrow` in its shorter direction (at
 * most 1). */
typedef struct clp_face_probe {
  bool (*feet)(void *user, const struct clp_face_span *span, int index, double s, double t,
               double width, double narrow);
  void *user;
} clp_face_probe;

/* Of a spline; `sense`: +1 asks for curvature towards the outward normal, -1 for that away from it.
 * With `bend_only` nothing else is asked for. `tolerance` (of curvature,
 * and of the turn of ten pieces) is what the caller accepts: beyond it more work is spent. */
typedef struct clp_face_question {
  const clp_surface *surface;
  const clp_domain *domain;
  const clp_gauge *gauge;
  double sense, tolerance;
  bool bend_only;
  clp_face_probe witness;
} clp_face_question;

clp_face_proof clp_prove_spline(const clp_face_question *question, clp_proof_budget *budget);

/* Height and solid angle of every other kind, in closed form; its bend is not looked at. */
clp_face_proof clp_prove_closed_form(const clp_surface *surface, const clp_domain *domain,
                                     const clp_gauge *gauge);

#endif
