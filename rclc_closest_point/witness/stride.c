/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/stride.h"

#define CLP_STRIDE_JET clp_spline_jet
#define CLP_STRIDE_SLOPE clp_spline_slope
#include "rclc_closest_point/witness/stride_kernel.h"

bool clp_stride_take(clp_cycle *c, const clp_spots *spots, const clp_twin *rates,
                     clp_stride *stride)
{
  return take_stride(c, spots, rates, stride);
}

/* ---- The prediction alone ----------------------------------------------------------------- */

static clp_site predict_one(const clp_body *body, const clp_spot *spot, clp_vec3 rate, double step)
{
  form k = form_of(body, spot);
  clp_site site = predicted(k, body, spot, rate, step);
  if (k > FORM_FACE)
    return site;
  const clp_face *face = &body->faces[spot->id];
  int side;
  if (!clp_walk_inside(&face->domain, site) && clp_domain_margin(&face->domain, site, &side) < 0)
    return clp_walk_snap(&face->surface, &face->domain, site, side);
  return site;
}

clp_spots clp_stride_predict(const clp_cycle *c, const clp_spots *spots, const clp_twin *rates)
{
  clp_spots to = *spots;
  to.a.site = predict_one(c->couple.a, &spots->a, clp_twin_first(*rates), c->step);
  to.b.site = predict_one(c->couple.b, &spots->b, clp_twin_second(*rates), c->step);
  return to;
}
