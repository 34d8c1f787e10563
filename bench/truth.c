/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/truth.h"

#include <math.h>

#include "rclc_closest_point/math/pose.h"

typedef long double real;

typedef struct real3 {
  real x, y, z;
} real3;

static real3 wide(clp_vec3 a)
{
  return (real3){(real)a.x, (real)a.y, (real)a.z};
}

static real dot(real3 a, real3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* ---- Supporting planes ---------------------------------------------------------------------- */

static real corners_height(const clp_polyhedron_def *p, real3 n)
{
  real highest = -HUGE_VALL;
  for (int k = 0; k < p->vertex_count; ++k) {
    const double *at = p->vertices + 3 * k;
    highest = fmaxl(highest, dot(n, wide((clp_vec3){at[0], at[1], at[2]})));
  }
  return highest;
}

/* The largest n . x of the body's places x, for any n. */
static real height(const clp_body_def *def, real3 n)
{
  real across = hypotl(n.x, n.y), length = hypotl(across, n.z);
  real r = (real)def->radius, half = 0.5L * (real)def->length;
  real3 size = wide(def->size);
  switch (def->shape) {
    case CLP_SHAPE_SPHERE:
      return r * length;
    case CLP_SHAPE_CAPSULE:
      return r * length + half * fabsl(n.z);
    case CLP_SHAPE_BOX:
      return 0.5L * dot(size, (real3){fabsl(n.x), fabsl(n.y), fabsl(n.z)});
    case CLP_SHAPE_CYLINDER:
      return r * across + half * fabsl(n.z);
    case CLP_SHAPE_REVOLVED: /* a cone */
      return fmaxl(half * n.z, r * across - half * n.z);
    case CLP_SHAPE_POLYHEDRON:
      return corners_height(&def->polyhedron, n);
    default: /* an ellipsoid, whatever it is made of */
      return hypotl(hypotl(size.x * n.x, size.y * n.y), size.z * n.z);
  }
}

long double truth_gap(const clp_body_def *a, const clp_body_def *b, const clp_pose *X_AB,
                      clp_vec3 normal)
{
  const clp_mat3 *R = &X_AB->rotation;
  real3 n = wide(normal);
  real3 inward = {-dot(wide(R->x), n), -dot(wide(R->y), n), -dot(wide(R->z), n)};
  real apart = dot(n, wide(X_AB->position)) - height(b, inward) - height(a, n);
  return apart / hypotl(hypotl(n.x, n.y), n.z);
}

/* ---- Surfaces ------------------------------------------------------------------------------- */

/* Of a solid that is the product of two intervals, by how far outside of each. */
static double outside_both(double x, double y)
{
  return x > 0 && y > 0 ? hypot(x, y) : fmax(x, y);
}

static double outside_segment(double x, double y, double from_x, double from_y, double to_x,
                              double to_y)
{
  double dx = to_x - from_x, dy = to_y - from_y;
  double s = ((x - from_x) * dx + (y - from_y) * dy) / (dx * dx + dy * dy);
  s = fmin(fmax(s, 0), 1);
  return hypot(x - from_x - s * dx, y - from_y - s * dy);
}

static double outside_cone(double r, double z, double radius, double half)
{
  double slope = (r - radius) * 2 * half + (z + half) * radius;
  double distance = fmin(outside_segment(r, z, 0, -half, radius, -half),
                         outside_segment(r, z, radius, -half, 0, half));
  return z >= -half && slope <= 0 ? -distance : distance;
}

static double outside_ellipsoid(clp_vec3 p, clp_vec3 radii)
{
  clp_vec3 q = {p.x / radii.x, p.y / radii.y, p.z / radii.z};
  clp_vec3 gradient = {q.x / radii.x, q.y / radii.y, q.z / radii.z};
  double f = clp_norm(q), steepness = clp_norm(gradient);
  return steepness > 0 ? (f - 1) * f / steepness : -radii.z;
}

/* Beyond the face's plane that the place is farthest beyond: less than its distance where it is
 * next to an edge, and never more. */
static double outside_faces(const clp_polyhedron_def *p, clp_vec3 place)
{
  double farthest = -HUGE_VAL;
  const int *face = p->faces;
  for (int k = 0; k < p->face_count; face += p->face_sizes[k++]) {
    clp_vec3 c[3];
    for (int i = 0; i < 3; ++i) {
      const double *v = p->vertices + 3 * face[i];
      c[i] = (clp_vec3){v[0], v[1], v[2]};
    }
    clp_vec3 n = clp_cross(clp_sub(c[1], c[0]), clp_sub(c[2], c[0]));
    farthest = fmax(farthest, clp_dot(n, clp_sub(place, c[0])) / clp_norm(n));
  }
  return farthest;
}

double truth_outside(const clp_body_def *def, clp_vec3 p)
{
  double r = def->radius, half = 0.5 * def->length, across = hypot(p.x, p.y);
  switch (def->shape) {
    case CLP_SHAPE_SPHERE:
      return clp_norm(p) - r;
    case CLP_SHAPE_CAPSULE:
      return hypot(across, fmax(fabs(p.z) - half, 0)) - r;
    case CLP_SHAPE_BOX:
      return outside_both(
          outside_both(fabs(p.x) - 0.5 * def->size.x, fabs(p.y) - 0.5 * def->size.y),
          fabs(p.z) - 0.5 * def->size.z);
    case CLP_SHAPE_CYLINDER:
      return outside_both(across - r, fabs(p.z) - half);
    case CLP_SHAPE_REVOLVED:
      return outside_cone(across, p.z, r, half);
    case CLP_SHAPE_POLYHEDRON:
      return outside_faces(&def->polyhedron, p);
    default:
      return outside_ellipsoid(p, def->size);
  }
}

/* ---- Both ----------------------------------------------------------------------------------- */

truth truth_interval(const clp_body_def *a, const clp_body_def *b, const clp_pose *X_AB,
                     const clp_answer *found)
{
  clp_vec3 on_b = clp_transform_back(*X_AB, found->point_b);
  double off = fmax(truth_outside(a, found->point_a), 0) + fmax(truth_outside(b, on_b), 0);
  double low = (double)truth_gap(a, b, X_AB, found->normal);
  return (truth){low, fmax(low, clp_norm(clp_sub(found->point_b, found->point_a)) + off)};
}

double truth_error(truth t, double distance)
{
  return fmax(fmax(t.low - distance, distance - t.high), 0);
}
