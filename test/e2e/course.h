/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_E2E_COURSE_H
#define TEST_E2E_COURSE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "rclc_closest_point/math/quaternion.h"

/* Where a frame is at any time: it rests, goes on at one twist, or swings to and fro. As a line:
 *
 *   PARENT CHILD  x y z qx qy qz qw  vx vy vz wx wy wz  SWING
 *
 * The publisher computes poses from it, and so does the test that checks what was made of them. */

typedef struct place {
  clp_vec3 position;
  clp_quaternion turn;
} place;

typedef struct course {
  char parent[64], child[64];
  place begin;
  clp_vec3 linear, angular; /* at the beginning, in the parent */
  double swing;             /* rad/s; 0: goes on */
} course;

static inline place course_at(const course *c, double t)
{
  double s = c->swing > 0 ? sin(c->swing * t) / c->swing : t;
  return (place){clp_add_scaled(c->begin.position, s, c->linear),
                 clp_quaternion_turned(c->begin.turn, clp_scale(s, c->angular))};
}

static inline bool course_read(course *c, const char *line)
{
  place *b = &c->begin;
  clp_vec3 *p = &b->position, *v = &c->linear, *w = &c->angular;
  clp_quaternion *q = &b->turn;
  return sscanf(line, "%63s %63s %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf",
                c->parent, c->child, &p->x, &p->y, &p->z, &q->x, &q->y, &q->z, &q->w, &v->x, &v->y,
                &v->z, &w->x, &w->y, &w->z, &c->swing) == 16;
}

static inline void course_write(const course *c, const char *how, FILE *to)
{
  const place *b = &c->begin;
  fprintf(to, "%s %s %s %.17g %.17g %.17g %.17g %.17g %.17g %.17g", how, c->parent, c->child,
          b->position.x, b->position.y, b->position.z, b->turn.x, b->turn.y, b->turn.z, b->turn.w);
  fprintf(to, " %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", c->linear.x, c->linear.y, c->linear.z,
          c->angular.x, c->angular.y, c->angular.z, c->swing);
}

#endif
