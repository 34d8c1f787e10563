/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_CURVATURE_SAMPLE_H
#define RCLC_CLOSEST_POINT_SURFACE_CURVATURE_SAMPLE_H

/* Inside the surface layer: principal curvatures of splines at points, and the search for the
 * largest and the smallest ones by dense sampling and local refinement. */

#include "rclc_closest_point/surface/bend_range.h"
#include "rclc_closest_point/surface/face_span.h"

enum { CLP_SEEDS = 8 };

/* A sample worth refining. */
typedef struct clp_seed {
  int span;
  double s, t;  /* in fractions of the span */
  double step;  /* the distance of the samples */
  double value; /* the larger, the more worth */
} clp_seed;

typedef struct clp_seed_list {
  int count;
  clp_seed seeds[CLP_SEEDS]; /* the best first */
} clp_seed_list;

typedef struct clp_curvature_search {
  const clp_surface *surface;
  const clp_domain *domain;
  double size;          /* of the part (m) */
  clp_bend_range range; /* of all samples so far */
  clp_seed_list high, low;
} clp_curvature_search;

clp_curvature_search clp_curvature_search_begin(const clp_surface *surface,
                                                const clp_domain *domain, double size);

/* Looks at one place, which becomes a seed when it is among the best; its value is set here. */
void clp_curvature_sample(clp_curvature_search *search, const clp_face_span *span, clp_seed seed);

/* Dense samples of every span, and the creases between spans. */
void clp_curvature_sample_face(clp_curvature_search *search);

/* Climbs from the seeds, which are then used up. */
void clp_curvature_refine(clp_curvature_search *search);

#endif
