/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_EXPERIMENT_H
#define RCLC_CLOSEST_POINT_PAPERS_EXPERIMENT_H

#include "papers/study.h"

/* The papers' simulations, each one run again and set beside what is published.
 *
 * How to add one:
 *  1. A file experiment/NAME.c, whose functions compute, and end in one constant:
 *       const clp_experiment clp_experiment_NAME = {"name", "source", "what it shows", weight,
 * run}; It is declared below, stands in the list in experiments.c, in the sources of
 *     rclc_closest_point/CMakeLists.txt, and has its line in the map rclc_closest_point/README.md.
 *  2. run(study) builds its bodies from tables in the file (an installed command has no other
 *     files; shared ones stand in patches.h), computes with the library's own controllers, and adds
 *     rows, series and plots to the study (study.h). It returns CLP_OK or what has failed; failures
 *     of the study itself are remembered there. It says how far it is by clp_study_progress.
 *  3. Verdicts are made from numbers: clp_row_judge(row, fabs(found - 1250) < 25). Where the paper
 *     does not hold, the note says why, with the numbers that show it.
 *  4. The same bits with every compiler: nothing random but from a seed, nothing of the clock in
 *     the table, and only as many digits as are the same.
 *  5. Tests: test/test_experiment_NAME.c runs it once, looks at the numbers of rows and series, and
 *     compares docs/experiments.md with it (test/support/experiment.h).
 *  6. `make experiments` writes docs/experiments.md and docs/images/experiments/ anew, also when
 *     two changes of that page meet. Look at every picture.
 *
 * invariance.c is the one to begin with. */
typedef struct clp_experiment {
  const char *name;
  const char *source; /* the paper and its figure */
  const char *shows;  /* in a sentence or two */
  int weight;         /* how long it takes beside the others, for the progress bar */
  clp_status (*run)(clp_study *study);
} clp_experiment;

/* The papers, as `source` calls them. */
#define CLP_PAPER_STABLE                                                                          \
  "Patoglu and Gillespie, A Closest Point Algorithm for Parametric Surfaces with Global Uniform " \
  "Asymptotic Stability"
#define CLP_PAPER_FEEDBACK                                                                         \
  "Patoglu and Gillespie, Feedback Stabilized Minimum Distance Maintenance for Convex Parametric " \
  "Surfaces"
#define CLP_PAPER_EXTREMAL \
  "Patoglu and Gillespie, Extremal Distance Maintenance for Parametric Curves and Surfaces"
#define CLP_PAPER_HAPTIC                                                                        \
  "Patoglu and Gillespie, Haptic Rendering of Parametric Surfaces Using a Feedback Stabilized " \
  "Extremal Distance Tracking Algorithm"
#define CLP_PAPER_NEWTON "Zou and Xiao, tracking of closest points by Newton's method"

extern const clp_experiment clp_experiment_invariance;
extern const clp_experiment clp_experiment_attraction;
extern const clp_experiment clp_experiment_gains;
extern const clp_experiment clp_experiment_voronoi_switching;
extern const clp_experiment clp_experiment_domain;
extern const clp_experiment clp_experiment_convergence;
extern const clp_experiment clp_experiment_planar_spiral;
extern const clp_experiment clp_experiment_planar_pair;
extern const clp_experiment clp_experiment_spatial_helix;
extern const clp_experiment clp_experiment_haptics;
extern const clp_experiment clp_experiment_spatial_pair;
extern const clp_experiment clp_experiment_ellipsoids;
extern const clp_experiment clp_experiment_haptics_seams;
extern const clp_experiment clp_experiment_pen_bowl_line;
extern const clp_experiment clp_experiment_pen_bowl_turn;

/* All of them in the order of the table, and how many. */
extern const clp_experiment *const clp_experiments[];
extern const int clp_experiment_count;

/* NULL: there is none of that name. */
const clp_experiment *clp_experiment_find(const char *name);

/* Runs one into a study that starts as {0} (or with a progress function); the caller releases it,
 * also after a failure. */
clp_status clp_experiment_run(const clp_experiment *experiment, clp_study *study);

#endif
