/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLE_SAFETY_FILTER_CELL_H
#define EXAMPLE_SAFETY_FILTER_CELL_H

#include <rclc_closest_point/joint_derivative.h>

/* The shipped cell: an arm with seven axes, and table, pillar, machine and a person about it, part
 * by part, with the distances' derivatives by all joints. */

enum { CELL_AXES = 7, CELL_LINKS = 64, CELL_PARTS = 96, CELL_PAIRS = 512, CELL_SIZE = 40 };

typedef struct cell {
  clp_model *model;
  clp_joint_tree *tree;
  clp_joint_space *space;
  clp_scene *scene;
  clp_body *hulls[CELL_PARTS];
  int first, tool; /* joint_1, and the link whose place is the task's */
  int size, joints;
  int link_of[CELL_PARTS]; /* of the tree */
  clp_link_id ids[CELL_PARTS];
  int part_count, pair_count;
  clp_joint_pair pairs[CELL_PAIRS];
  clp_joint_row rows[CELL_PAIRS];
  double gradients[CELL_PAIRS][CELL_SIZE], seconds[CELL_PAIRS][CELL_SIZE * CELL_SIZE];
  clp_joint_state states[CELL_LINKS];
  double speeds[CELL_SIZE], changes[CELL_SIZE]; /* of all coordinates: what others do is known */
  clp_pose X_RL[CELL_LINKS];
  double least; /* of the last step: the lower bound over all pairs (m) */
} cell;

/* With `hulls` the person's parts are the polyhedra that others would have of them, 12 x 8 facets
 * about each. False, and a line on stderr, when the file is not that cell. */
bool cell_create(const char *path, bool hulls, cell *c);
void cell_destroy(cell *c);

/* Where the person is at this time, who sways and moves the arms, a phase apart in every run. */
void cell_move_person(cell *c, double time, double phase);

/* Distances and derivatives for the states as they are: on from the last ones, or from scratch. */
void cell_step(cell *c, double time, bool again);

/* The tool's place, and how it moves at unit speed of each axis. */
clp_vec3 cell_tool(const cell *c, clp_vec3 columns[CELL_AXES]);

#endif
