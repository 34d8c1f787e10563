/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_LEMON_H
#define RCLC_CLOSEST_POINT_PAPERS_LEMON_H

#include "papers/study.h"
#include "rclc_closest_point/witness/spot.h"

/* The papers' spatial body: three convex patches S1, S2, S3 that meet in three curves Ca, Cb, Cc
 * and two vertices. The papers draw it and give no numbers; this one is what three balls of radius
 * 1, their centers 0.6 m from the z axis, have in common: a lemon with three seams, its tips at
 * z = 0.8 and -0.8. The patches are exact (rational, of degree 2). */

enum { CLP_LEMON_PATCHES = 3 };

clp_status clp_lemon_create(clp_body **lemon);

/* S1 to S3, Ca between S1 and S2, Cb between S2 and S3, Cc; Valpha is the upper tip. */
const char *clp_lemon_feature(const clp_body *lemon, clp_feature_kind kind, uint32_t id);

/* A spot as the parameters of a patch that it is on, or at whose side or collapsed side it is: of
 * the patch *face, if that is one of them, which is then kept. */
typedef struct clp_patch_place {
  double u, v;
} clp_patch_place;

clp_patch_place clp_lemon_place(const clp_body *lemon, clp_spot spot, uint32_t *face);

/* Adds the patches at a pose to a series x,y,z,patch, as grids for pm3d, and the curves to one with
 * x,y,z. */
void clp_lemon_draw(clp_series *surface, clp_series *curves, const clp_body *lemon,
                    const clp_pose *X);

#endif
