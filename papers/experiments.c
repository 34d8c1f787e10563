/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "papers/experiment.h"

const clp_experiment *const clp_experiments[] = {
    &clp_experiment_invariance,        &clp_experiment_attraction,    &clp_experiment_gains,
    &clp_experiment_voronoi_switching, &clp_experiment_domain,        &clp_experiment_convergence,
    &clp_experiment_planar_spiral,     &clp_experiment_planar_pair,   &clp_experiment_spatial_helix,
    &clp_experiment_spatial_pair,      &clp_experiment_ellipsoids,    &clp_experiment_haptics,
    &clp_experiment_haptics_seams,     &clp_experiment_pen_bowl_line, &clp_experiment_pen_bowl_turn,
};
const int clp_experiment_count = (int)(sizeof clp_experiments / sizeof *clp_experiments);

const clp_experiment *clp_experiment_find(const char *name)
{
  for (int k = 0; k < clp_experiment_count; ++k)
    if (strcmp(clp_experiments[k]->name, name) == 0)
      return clp_experiments[k];
  return NULL;
}

clp_status clp_experiment_run(const clp_experiment *experiment, clp_study *study)
{
  study->name = experiment->name;
  clp_status status = experiment->run(study);
  clp_study_progress(study, 1);
  return status == CLP_OK ? study->status : status;
}
