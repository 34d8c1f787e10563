/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_PROFILE_H
#define RCLC_CLOSEST_POINT_SURFACE_PROFILE_H

/* Inside the surface layer: the profile (r(t), z(t)) of a face of revolution about z. A full turn
 * reduces questions about the face to questions about the profile in the (r, z) half plane. Cones,
 * conics and paraboloids (t is the radius) have rational quadratic profiles, tori circles. */

#include <stdbool.h>

#include "rclc_closest_point/surface/surface.h"

typedef struct clp_profile {
  const clp_surface *surface;
  double lo, hi;  /* the face's part */
  double outward; /* +1: outward is to the right of growing t, -1: to the left */
} clp_profile;

typedef struct clp_profile_jet {
  double r, z, dr, dz, ddr, ddz;
} clp_profile_jet;

/* False for planes, ellipsoids and splines. */
bool clp_profile_of(const clp_surface *surface, const clp_domain *domain, clp_profile *profile);

clp_profile_jet clp_profile_at(const clp_profile *profile, double t);

/* The site at t in the direction (c, s) from the axis, a unit vector. */
clp_site clp_profile_site(const clp_profile *profile, double t, double c, double s);

/* Parameters between the ends at which dr or dz may change its sign: between two neighbors of
 * lo, these, hi both keep theirs. Ascending; returns how many there are. */
enum { CLP_PROFILE_TURNS = 8 };
int clp_profile_turns(const clp_profile *profile, double turns[CLP_PROFILE_TURNS]);

/* The largest a r + b z, and where. */
double clp_profile_support(const clp_profile *profile, double a, double b, double *t);

/* The profile's tangents pass (0, z) at least so high in a frame in which `across` is a unit of r
 * and `along` one of z: a lower bound of N.(p - (0, z)) with N the outward normal that is a unit
 * vector there, near the smallest one. */
double clp_profile_height(const clp_profile *profile, double z, double across, double along);

/* A bound of the distance from (r, z), nowhere more than a relative 1e-9 above the largest one. */
double clp_profile_reach(const clp_profile *profile, double r, double z);

#endif
