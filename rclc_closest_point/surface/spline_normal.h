/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SPLINE_NORMAL_H
#define RCLC_CLOSEST_POINT_SURFACE_SPLINE_NORMAL_H

/* A spline's normal where nothing degenerates, inline for the step. Elsewhere: surface_nurbs.c. */

#include <float.h>
#include <math.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface.h"

/* Rounding of a normal, where nothing is degenerate, of a patch about the origin. */
#define CLP_SPLINE_NORMAL_ROUNDING (4 * DBL_EPSILON)

/* u x v this small against what it would measure if nothing degenerated is looked at more closely.
 */
#define CLP_SPLINE_SMALL 1e-2

/* The part of what it would measure if nothing degenerated that u x v is where it is plain. */
#define CLP_SPLINE_PLAIN 0.1

/* False where u x v is small against what it would measure between here and the middle (a, b) away,
 *     size = (|u| + a |uu| + b |uv|) (|v| + a |uv| + b |vv|),
 * and rounding, of coordinates so much larger than the patch, puts the normal off by
 *     (1 + |p| / sqrt(size area)) size / |u x v|   times the constant above.
 * Here it is no less: (x + y + z)^2 <= 3 (x^2 + y^2 + z^2), (1 + x)^2 <= 2 (1 + x^2) and
 * size >= |u x v|. So it takes two roots, and not seven. */
CLP_INLINE bool clp_spline_normal_plain(const clp_surface *surface, const clp_domain *domain,
                                        clp_site site, const clp_jet *j, clp_normal *normal)
{
  const double *lo = domain->lo, *hi = domain->hi;
  double a = 0.5 * (lo[0] + hi[0]) - site.c[0], b = 0.5 * (lo[1] + hi[1]) - site.c[1];
  double aa = a * a, bb = b * b, mixed = clp_norm2(j->uv);
  double u2 = clp_norm2(j->u) + (aa * clp_norm2(j->uu) + bb * mixed);
  double v2 = clp_norm2(j->v) + (aa * mixed + bb * clp_norm2(j->vv));
  clp_vec3 n = clp_cross(j->u, j->v);
  double n2 = clp_norm2(n), size2 = 9 * (u2 * v2);
  if (!(n2 > CLP_SPLINE_PLAIN * CLP_SPLINE_PLAIN * size2))
    return false;
  double over = 1 / sqrt(n2), area = (hi[0] - lo[0]) * (hi[1] - lo[1]);
  double far2 = 1 + clp_norm2(j->p) * over / area;
  normal->n = clp_scale(surface->outward, clp_scale(over, n));
  normal->off = CLP_SPLINE_NORMAL_ROUNDING * (over * sqrt(2 * (size2 * far2)));
  return true;
}

#endif
