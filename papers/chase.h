/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_CHASE_H
#define RCLC_CLOSEST_POINT_PAPERS_CHASE_H

#include "rclc_closest_point/control/controller.h"

/* A witness on a resting body chases the place nearest to a point Q: what most of the papers'
 * simulations of one body are. The laws are the library's (control/controller.h). */
typedef struct clp_chase {
  const clp_body *body, *probe;
  clp_couple couple;
  clp_spots spots;
  clp_flow_options options;
} clp_chase;

/* At rest, with the witness at (u, v) of a face and the point at q. */
clp_chase clp_chase_begin(const clp_body *body, const clp_body *probe, clp_vec3 q, uint32_t face,
                          double u, double v);

/* The witness is put at (u, v) of a face. */
void clp_chase_start(clp_chase *chase, uint32_t face, double u, double v);

/* One cycle, at the end of which the point is at q. */
clp_flow_result clp_chase_step(clp_chase *chase, clp_vec3 q);

/* The witness seen from a face that it is on or at the border of: its parameters there, and the
 * papers' projection errors, g = df.f_u, normalized psi = g / (|df| |f_u|), and the same in v, with
 * df = f - Q. */
typedef struct clp_chase_state {
  double u, v, g_u, g_v, psi_u, psi_v;
  clp_vec3 place;
  double distance;
} clp_chase_state;

clp_chase_state clp_chase_measure(const clp_chase *chase, uint32_t face);

/* The certified answer for a point at q, from scratch. */
clp_status clp_chase_ask(const clp_body *body, const clp_body *probe, clp_vec3 q,
                         clp_answer *answer);

/* The name of the feature that the witness is on. */
const char *clp_chase_feature(const clp_chase *chase);

#endif
