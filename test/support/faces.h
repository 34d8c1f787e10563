/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_FACES_H
#define TEST_SUPPORT_FACES_H

#include "rclc_closest_point/surface/surface.h"

/* One face of every kind but splines, in several positions. */

typedef struct face {
  const char *name;
  clp_surface surface;
  clp_domain domain;
} face;

static const double face_pi = 3.14159265358979323846;

enum { FACES_MAX = 32 };

static inline face face_make(const char *name, clp_surface surface, clp_domain_kind kind,
                             double lo0, double hi0, double lo1, double hi1)
{
  return (face){name, surface, {.kind = kind, .lo = {lo0, lo1}, .hi = {hi0, hi1}}};
}

static inline clp_surface face_plane(clp_vec3 origin, clp_vec3 a, clp_vec3 b)
{
  return (clp_surface){.kind = CLP_SURFACE_PLANE, .outward = 1, .as.plane = {origin, a, b}};
}

static inline clp_surface face_ellipsoid(clp_vec3 center, clp_vec3 radii)
{
  return (clp_surface){
      .kind = CLP_SURFACE_ELLIPSOID, .outward = 1, .as.ellipsoid = {center, radii}};
}

static inline clp_surface face_cone(double r0, double z0, double dr, double dz)
{
  return (clp_surface){.kind = CLP_SURFACE_CONE, .outward = 1, .as.cone = {r0, z0, dr, dz}};
}

static inline clp_surface face_torus(double r, double z, double radius)
{
  return (clp_surface){.kind = CLP_SURFACE_TORUS, .outward = 1, .as.torus = {r, z, radius}};
}

static inline clp_surface face_paraboloid(double apex, double k)
{
  return (clp_surface){.kind = CLP_SURFACE_PARABOLOID, .outward = -1, .as.paraboloid = {apex, k}};
}

/* The rational quadratic Bezier profile over three points and the middle one's weight. */
static inline clp_surface face_conic(const double r[3], const double z[3], double w)
{
  return (clp_surface){.kind = CLP_SURFACE_CONIC,
                       .outward = 1,
                       .as.conic = {.r = {r[0], 2 * (w * r[1] - r[0]), r[0] - 2 * w * r[1] + r[2]},
                                    .z = {z[0], 2 * (w * z[1] - z[0]), z[0] - 2 * w * z[1] + z[2]},
                                    .w = {1, 2 * (w - 1), 2 - 2 * w}}};
}

static inline int faces_all(face list[FACES_MAX])
{
  const clp_domain_kind rectangle = CLP_DOMAIN_RECTANGLE, disc = CLP_DOMAIN_DISC,
                        band = CLP_DOMAIN_BAND, whole = CLP_DOMAIN_WHOLE;
  const double conic_r[3] = {0.8, 1.1, 0.2}, conic_z[3] = {-0.4, 0.5, 0.9};
  const double waist_r[3] = {0.8, 0.3, 0.7}, waist_z[3] = {-1, 0, 1};
  int n = 0;
  list[n++] =
      face_make("plane rectangle",
                face_plane((clp_vec3){1, 2, 3}, (clp_vec3){1, 0.5, 0}, (clp_vec3){-0.2, 1, 0.7}),
                rectangle, -1, 2, 0.5, 0.75);
  list[n++] = face_make(
      "plane disc", face_plane((clp_vec3){0, 1, -3}, (clp_vec3){0.6, 0.8, 0}, (clp_vec3){0, 0, 1}),
      disc, 0.5, 2, 0, 0);
  list[n++] = face_make("sphere", face_ellipsoid((clp_vec3){1, 2, 3}, (clp_vec3){2, 2, 2}), whole,
                        0, 0, -1, 1);
  list[n++] = face_make("ellipsoid", face_ellipsoid((clp_vec3){1, 0, 3}, (clp_vec3){2, 0.5, 1}),
                        whole, 0, 0, -1, 1);
  list[n++] = face_make("sphere zone", face_ellipsoid((clp_vec3){0, 0, 1}, (clp_vec3){2, 2, 2}),
                        band, 0, 0, -0.3, 0.6);
  list[n++] = face_make("sphere cap", face_ellipsoid((clp_vec3){0, 0, 1}, (clp_vec3){2, 2, 2}),
                        band, 0, 0, 0.2, 1);
  list[n++] =
      face_make("ellipsoid band", face_ellipsoid((clp_vec3){0, 0, 1}, (clp_vec3){2, 1, 0.3}), band,
                0, 0, -0.8, -0.1);
  list[n++] = face_make("cylinder", face_cone(0.5, -1, 0, 2), band, 0, 0, 0, 1);
  list[n++] = face_make("cone", face_cone(0.5, 1, -0.5, 1.5), band, 0, 0, 0, 1);
  list[n++] =
      face_make("torus outside", face_torus(2, 1, 0.5), band, 0, 0, -0.4 * face_pi, 0.45 * face_pi);
  list[n++] =
      face_make("torus inside", face_torus(2, 1, 0.5), band, 0, 0, 0.6 * face_pi, 1.5 * face_pi);
  list[n++] = face_make("spindle", face_torus(-0.6, 0, 1), band, 0, 0, -0.9, 0.8);
  list[n++] = face_make("paraboloid", face_paraboloid(0.2, 0.7), disc, 0, 1.5, 0, 0);
  list[n++] = face_make("paraboloid ring", face_paraboloid(0.2, -0.7), disc, 0.5, 1.5, 0, 0);
  list[n++] = face_make("conic", face_conic(conic_r, conic_z, 0.6), band, 0, 0, 0, 1);
  list[n++] = face_make("waist", face_conic(waist_r, waist_z, 1.4), band, 0, 0, 0, 1);
  list[n++] = face_make("conic part", face_conic(conic_r, conic_z, 3), band, 0, 0, 0.2, 0.7);
  return n;
}

#endif
