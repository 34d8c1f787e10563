/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_CURVATURE_H
#define RCLC_CLOSEST_POINT_SURFACE_CURVATURE_H

/* Does a face bend away from its outward normal everywhere, and how far do its normals spread?
 * Dents are found by dense sampling with local refinement; that there is none is proven by bounds
 * (the Bernstein coefficients of the second fundamental form's numerators, of the normals'
 * numerators), and the verdict says whether it was. For building, not for the step. */

#include <stdbool.h>

#include "rclc_closest_point/surface/face_proof.h"
#include "rclc_closest_point/surface/surface.h"

typedef enum clp_bend {
  CLP_BEND_FLAT,    /* no normal curvature beyond tolerance */
  CLP_BEND_CONVEX,  /* none towards the outward normal */
  CLP_BEND_CONCAVE, /* none away from it */
  CLP_BEND_MIXED    /* saddles, or convex here and concave there */
} clp_bend;

typedef struct clp_curvature_verdict {
  clp_bend bend;
  bool by_bounds; /* proven; otherwise samples only say so */
  double worst;   /* largest normal curvature towards the outward normal (1/m); > 0: a dent */
  clp_site where; /* its place */
} clp_curvature_verdict;

/* `size` is the part's size (m): curvature below CLP_TOLERANCE_CURVATURE / size counts as none. */
clp_curvature_verdict clp_face_curvature(const clp_surface *surface, const clp_domain *domain,
                                         double size);

/* The same, with everything else that a convex body's face must fulfil in the frame of a gauge: the
 * verdict is by bounds when `proof` is within CLP_TOLERANCE_CURVATURE. */
clp_curvature_verdict clp_face_convexity(const clp_surface *surface, const clp_domain *domain,
                                         double size, const clp_gauge *gauge,
                                         clp_proof_budget *budget, clp_face_proof *proof);

typedef struct clp_gauss_verdict {
  bool nice; /* all normals lie in an open hemisphere about `axis` */
  bool by_bounds;
  bool failed;     /* there was no memory */
  clp_vec3 axis;   /* unit */
  double spread;   /* largest angle found between a normal and the axis (radians) */
  bool split_u;    /* where to cut when it is not nice: across u, else across v ... */
  double split_at; /* ... at this parameter */
} clp_gauss_verdict;

clp_gauss_verdict clp_face_gauss(const clp_surface *surface, const clp_domain *domain);

#endif
