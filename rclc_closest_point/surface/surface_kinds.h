/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SURFACE_KINDS_H
#define RCLC_CLOSEST_POINT_SURFACE_SURFACE_KINDS_H

/* Inside the surface layer: what each kind of surface and curve contributes to
 * surface.c and curve.c. The functions mean what surface.h and curve.h say. */

#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

#define CLP_PI 3.14159265358979323846

/* A normal is along u x v and need not be unit; surface.c scales it and applies the sign. */

clp_vec3 clp_plane_point(const clp_surface *surface, clp_site site);
clp_jet clp_plane_jet(const clp_surface *surface, clp_site site);
clp_vec3 clp_plane_normal(const clp_surface *surface, const clp_domain *domain, clp_site site);

clp_vec3 clp_ellipsoid_point(const clp_surface *surface, clp_site site);
clp_jet clp_ellipsoid_jet(const clp_surface *surface, clp_site site);
clp_site clp_ellipsoid_step(const clp_surface *surface, clp_site site, double a, double b);
clp_site clp_ellipsoid_site(const clp_surface *surface, double u, double v);
void clp_ellipsoid_parameters(const clp_surface *surface, clp_site site, double *u, double *v);
clp_vec3 clp_ellipsoid_normal(const clp_surface *surface, const clp_domain *domain, clp_site site);

void clp_ellipsoid_opposite(clp_site *site);
clp_site clp_ellipsoid_facing(const clp_surface *surface, clp_vec3 n);

clp_vec3 clp_paraboloid_point(const clp_surface *surface, clp_site site);
clp_jet clp_paraboloid_jet(const clp_surface *surface, clp_site site);
clp_vec3 clp_paraboloid_normal(const clp_surface *surface, const clp_domain *domain, clp_site site);

/* Cones, tori and conics share all but their profiles. */
clp_vec3 clp_cone_point(const clp_surface *surface, clp_site site);
clp_jet clp_cone_jet(const clp_surface *surface, clp_site site);
clp_vec3 clp_cone_normal(const clp_surface *surface, const clp_domain *domain, clp_site site);
clp_vec3 clp_torus_point(const clp_surface *surface, clp_site site);
clp_jet clp_torus_jet(const clp_surface *surface, clp_site site);
clp_vec3 clp_torus_normal(const clp_surface *surface, const clp_domain *domain, clp_site site);
clp_vec3 clp_conic_point(const clp_surface *surface, clp_site site);
clp_jet clp_conic_jet(const clp_surface *surface, clp_site site);
clp_vec3 clp_conic_normal(const clp_surface *surface, const clp_domain *domain, clp_site site);
clp_site clp_revolved_step(const clp_surface *surface, clp_site site, double a, double b);
clp_site clp_revolved_site(const clp_surface *surface, double u, double v);
void clp_revolved_parameters(const clp_surface *surface, clp_site site, double *u, double *v);
void clp_revolved_opposite(clp_site *site);

clp_vec3 clp_nurbs_point(const clp_surface *surface, clp_site site);
clp_jet clp_nurbs_jet(const clp_surface *surface, clp_site site);
/* *off: the unit normal is known to be off by no more for rounding. */
clp_vec3 clp_nurbs_normal_within(const clp_surface *surface, const clp_domain *domain,
                                 clp_site site, const clp_jet *jet, double *off);
void clp_nurbs_moved(clp_surface *surface, const double *from, const double *to);
clp_vec3 clp_nurbs_normal(const clp_surface *surface, const clp_domain *domain, clp_site site);

/* Where the site is (u, v) itself: planes, paraboloids, splines. */
clp_site clp_flat_step(const clp_surface *surface, clp_site site, double a, double b);
clp_site clp_flat_site(const clp_surface *surface, double u, double v);
void clp_flat_parameters(const clp_surface *surface, clp_site site, double *u, double *v);

/* An azimuth in (-pi, pi]. */
double clp_azimuth(double cosine, double sine);

#endif
