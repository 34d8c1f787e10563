/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CELL_SCENE_H
#define BENCH_CELL_SCENE_H

#include "bench/cell.h"
#include "rclc_closest_point/scene.h"

/* The cell (cell.h) as a scene of this library: every robot link with every obstacle. */

/* The monitored range of a cell with a person in it: at 1.6 m/s, half a second away. */
#define CELL_RANGE 0.8

typedef struct cell_scene {
  cell c;
  clp_body **bodies; /* of the parts */
  clp_scene *scene;
  clp_link_id *links;
  int *pairs; /* by a pair's index: its robot link times the obstacles, and its obstacle */
  clp_pose *X;
  clp_twist *V;
} cell_scene;

/* Every pair within the range, and the nearest pair alone. */
clp_scene_options cell_within(double range);
clp_scene_options cell_nearest(void);

/* Ends the program where it cannot. */
cell_scene cell_scene_create(int obstacles, const clp_scene_options *options);
void cell_scene_destroy(cell_scene *s);

/* What is timed: the poses in X and V in, step. */
clp_scene_report cell_scene_cycle(cell_scene *s, double t);

#endif
