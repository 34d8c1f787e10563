/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_WALK_H
#define RCLC_CLOSEST_POINT_SURFACE_WALK_H

#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

/* Walking inside a domain: how far a step may go, landing exactly on a side, and the way from a
 * face's site to its side's curve. For the step: nothing here allocates or iterates. */

/* The fraction (at most 1) of the step (a, b) from `site` after which it meets a side it runs
 * towards; *side is that side, or -1 when the whole step stays inside. A site on a side may leave
 * it inwards; outwards the fraction is 0. */
double clp_walk_fraction(const clp_surface *surface, const clp_domain *domain, clp_site site,
                         double a, double b, int *side);

/* The site moved onto a side that it has reached up to rounding. */
clp_site clp_walk_snap(const clp_surface *surface, const clp_domain *domain, clp_site site,
                       int side);

/* Whether the site lies on the side (to rounding). */
bool clp_walk_on_side(const clp_domain *domain, clp_site site, int side);

/* The place on the side's curve of a site that lies on the side: the inverse of clp_side_site. */
clp_curve_site clp_walk_side_site(const clp_surface *surface, const clp_domain *domain, int side,
                                  clp_site site);

/* Sites as plain coordinates, for extrapolating them in time: how they change at rates a and b
 * along the local directions, and the site after a change, brought back onto the chart. The change
 * of a unit vector is a vector in space, whatever tangent basis it was told in. */
clp_vec3 clp_walk_site_rate(const clp_surface *surface, clp_site site, double a, double b);
clp_site clp_walk_shift(const clp_surface *surface, clp_site site, clp_vec3 change);

#endif
