/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLES_TELEOPERATION_WALL_H
#define EXAMPLES_TELEOPERATION_WALL_H

/* What the slave's tip is kept away from: one ellipsoid in four makes, and the force that the
 * library has for it. */

#include "rclc_closest_point/monitor/force.h"

enum { WALL_SHELL, WALL_FACETS, WALL_ROUNDED, WALL_QUADRIC, WALL_KINDS };

/* Eight rational biquadratic patches, exactly the ellipsoid; a polyhedron with its vertices on it,
 * 32 facets around; the same rounded by a ball; and the library's own ellipsoid, for comparison.
 * NULL: it was refused. */
#define WALL_ROUNDING 0.03
clp_body *wall_create(int kind);

/* A sphere of WALL_TIP meters. */
#define WALL_TIP 0.005
clp_body *wall_create_tip(void);

/* The ellipsoid's point above (x, y), and the outward normal there. */
typedef struct wall_place {
  clp_vec3 place, normal;
} wall_place;
wall_place wall_above(double x, double y);

/* The tip in front of a wall, from cycle to cycle. */
typedef struct wall_contact {
  clp_pair *pair;
  clp_force_law law;
  clp_wrench push;
  clp_vec3 last;
  bool started;
  clp_answer answer; /* of the last cycle */
  long switches;     /* how often the wall's witness has changed its feature */
} wall_contact;

bool wall_touch(wall_contact *contact, const clp_body *wall, const clp_body *tip,
                clp_force_law law);
void wall_leave(wall_contact *contact);

/* The force on the tip, whose center is at a place `step` seconds after the last. */
clp_vec3 wall_push(wall_contact *contact, clp_vec3 tip, double step);

#endif
