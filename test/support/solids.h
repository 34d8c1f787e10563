/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_SOLIDS_H
#define TEST_SUPPORT_SOLIDS_H

#include "rclc_closest_point/depth/penetration.h"
#include "rclc_closest_point/math/pose.h"
#include "support/random.h"
#include "support/tiled.h"

/* Convex bodies whose height along a direction is known in closed form, and with it the separation
 * of two of them along any direction. */

typedef struct solid {
  clp_shape shape;
  clp_vec3 size;
  double radius, length;
  clp_body *body;
} solid;

static inline solid make_solid(clp_shape shape, clp_vec3 size, double radius, double length)
{
  return (solid){shape, size, radius, length, make_shape(shape, size, radius, length)};
}

static inline solid make_box(double x, double y, double z)
{
  return make_solid(CLP_SHAPE_BOX, (clp_vec3){x, y, z}, 0, 0);
}

static inline solid make_ellipsoid(double x, double y, double z)
{
  return make_solid(CLP_SHAPE_ELLIPSOID, (clp_vec3){x, y, z}, 0, 0);
}

static inline solid make_point(void)
{
  return make_solid(CLP_SHAPE_POINT, (clp_vec3){0, 0, 0}, 0, 0);
}

static inline double height_of(const solid *s, clp_vec3 n)
{
  switch (s->shape) {
    case CLP_SHAPE_BOX:
      return 0.5 * (s->size.x * fabs(n.x) + s->size.y * fabs(n.y) + s->size.z * fabs(n.z));
    case CLP_SHAPE_ELLIPSOID:
      return clp_norm((clp_vec3){s->size.x * n.x, s->size.y * n.y, s->size.z * n.z});
    case CLP_SHAPE_CYLINDER:
      return s->radius * hypot(n.x, n.y) + 0.5 * s->length * fabs(n.z);
    case CLP_SHAPE_SPHERE:
    case CLP_SHAPE_CAPSULE:
      return s->radius + 0.5 * s->length * fabs(n.z);
    default:
      return 0;
  }
}

/* s(n) of a at the origin and b at X. */
static inline double gap_along(const solid *a, const solid *b, const clp_pose *X, clp_vec3 n)
{
  clp_vec3 n_B = clp_negate(clp_rotate_back(X->rotation, n));
  return clp_dot(n, X->position) - height_of(a, n) - height_of(b, n_B);
}

/* The largest s(n): many directions, then ever smaller random changes of the best few. */
static inline double brute_force(const solid *a, const solid *b, const clp_pose *X, int directions,
                                 random_state *g)
{
  enum { KEPT = 4 };
  clp_vec3 best[KEPT] = {{0, 0, 0}};
  double value[KEPT];
  for (int k = 0; k < KEPT; ++k)
    value[k] = -HUGE_VAL;
  for (int k = 0; k < directions; ++k) {
    clp_vec3 n = random_direction(g);
    double s = gap_along(a, b, X, n);
    for (int i = 0; i < KEPT; ++i)
      if (s > value[i] && (value[i] == -HUGE_VAL || clp_dot(n, best[i]) > 0.5 || i == KEPT - 1)) {
        value[i] = s;
        best[i] = n;
        break;
      }
  }
  double highest = -HUGE_VAL;
  for (int i = 0; i < KEPT; ++i) {
    for (double step = 0.2; step > 1e-11; step *= 0.8)
      for (int k = 0; k < 12; ++k) {
        clp_vec3 n = clp_unit(clp_add_scaled(best[i], step, random_direction(g)));
        double s = gap_along(a, b, X, n);
        if (s > value[i]) {
          value[i] = s;
          best[i] = n;
        }
      }
    highest = fmax(highest, value[i]);
  }
  return highest;
}

static inline clp_pose random_pose_within(random_state *g, double reach)
{
  clp_vec3 axis = random_direction(g);
  double angle = random_between(g, -3.14159265358979, 3.14159265358979), c = cos(angle),
         s = sin(angle);
  clp_mat3 r;
  clp_vec3 *columns[3] = {&r.x, &r.y, &r.z};
  const clp_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k) {
    clp_vec3 along = clp_scale((1 - c) * clp_dot(axis, units[k]), axis);
    *columns[k] =
        clp_add(clp_add(clp_scale(c, units[k]), clp_scale(s, clp_cross(axis, units[k]))), along);
  }
  return (clp_pose){r, clp_scale(random_between(g, 0, reach), random_direction(g))};
}

static inline clp_couple couple_at(const clp_body *a, const clp_body *b, const clp_pose *X)
{
  clp_pose I = clp_pose_identity();
  return clp_couple_make(a, b, &I, X);
}

/* What every answer promises: a unit normal, witnesses on the bodies along it, a proof. */
static inline void expect_sound(const clp_couple *c, const clp_spots *spots, const clp_depth *d,
                                double slack)
{
  double scale = c->size + fabs(d->s);
  clp_vec3 f = clp_spot_point(c->a, spots->a);
  clp_vec3 h = clp_transform(c->X_AB, clp_spot_point(c->b, spots->b));
  ck_assert(d->found);
  ck_assert_double_eq_tol(clp_norm(d->normal), 1, 1e-14);
  ck_assert_double_le(clp_distance(d->h, clp_add_scaled(d->f, d->s, d->normal)), slack * scale);
  ck_assert_double_le(d->lower, d->s);
  ck_assert_double_ge(d->lower, d->s - fmax(1e-13, 10 * slack) * scale);
  ck_assert_double_le(clp_distance(d->f, f), 1e-14 * scale);
  ck_assert_double_le(clp_distance(d->h, h), 1e-14 * scale);
}

enum { KINDS = 5 };

static inline void make_kinds(solid kinds[KINDS])
{
  kinds[0] = make_box(1, 0.8, 0.6);
  kinds[1] = make_ellipsoid(0.6, 0.4, 0.9);
  kinds[2] = make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 1);
  kinds[3] = make_solid(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.3, 0.7);
  kinds[4] = make_point();
}

/* The largest gap along the fifteen axes of two boxes, and its direction: positive exactly where
 * they are apart, and for overlapping ones minus their depth. */
static inline double separating_axes(const solid *a, const solid *b, const clp_pose *X, clp_vec3 *n)
{
  const clp_vec3 ea[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const clp_vec3 eb[3] = {X->rotation.x, X->rotation.y, X->rotation.z};
  clp_vec3 axes[15];
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    axes[count++] = ea[i];
    axes[count++] = eb[i];
    for (int k = 0; k < 3; ++k) {
      clp_vec3 across = clp_cross(ea[i], eb[k]);
      if (clp_norm(across) > 1e-9)
        axes[count++] = clp_unit(across);
    }
  }
  double best = -HUGE_VAL;
  for (int k = 0; k < 2 * count; ++k) {
    clp_vec3 along = k % 2 ? clp_negate(axes[k / 2]) : axes[k / 2];
    double gap = gap_along(a, b, X, along);
    if (gap > best) {
      best = gap;
      *n = along;
    }
  }
  return best;
}

/* Of a polyhedron. */
static inline double vertex_height(const clp_body *body, clp_vec3 n)
{
  double height = -HUGE_VAL;
  for (uint32_t k = 0; k < body->vertex_count; ++k)
    height = fmax(height, clp_dot(n, body->vertices[k].place));
  return height;
}

#endif
