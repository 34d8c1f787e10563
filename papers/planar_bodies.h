/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_PLANAR_BODIES_H
#define RCLC_CLOSEST_POINT_PAPERS_PLANAR_BODIES_H

#include "rclc_closest_point/body/body.h"

/* The planar bodies of the papers: each three convex curves that meet in three corners. The papers
 * draw them and give no numbers; these are quadratic curves fitted to the drawings' events. */

enum { CLP_PLANAR_CURVES = 3 };

/* Body A with the curves C1, C2, C3; vertices Va between C1 and C2, Vb between C2 and C3, Vc. */
clp_status clp_planar_body_a(clp_body **body);
/* Body B with the curves Ca, Cb, Cc. */
clp_status clp_planar_body_b(clp_body **body);

/* The letter of the vertex: a where the first curve ends, b the second, c the third. */
char clp_planar_vertex_letter(const clp_body *body, uint32_t vertex);

#endif
