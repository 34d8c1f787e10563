/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_POINTED_H
#define TEST_SUPPORT_POINTED_H

#include <stdio.h>

#include "rclc_closest_point/math/pose.h"
#include "support/findings.h"
#include "support/random.h"

/* Pointed bodies and round ones, each with two things in closed form that the library is not asked
 * for: the place farthest along a direction, and how far any point is outside. Two bodies put
 * together at such places, at a distance along the direction, have exactly that distance. */

enum { FIGURE_PIECES = 3 };

/* The profile of a body of revolution in the (r, z) half plane, convex: lines, or arcs about
 * centers; or one of the solids of the other shapes. */
typedef struct figure {
  const char *name;
  clp_shape shape;
  clp_vec3 size; /* ellipsoid, and half the base and the height of a pyramid */
  double radius, length;
  double start_z;
  clp_profile_piece pieces[FIGURE_PIECES];
  int piece_count;
} figure;

#define TO(R, Z)                             \
  {                                          \
    .kind = CLP_PROFILE_LINE, .r = R, .z = Z \
  }
#define ROUND(R, Z, CR, CZ)                                                 \
  {                                                                         \
    .kind = CLP_PROFILE_ARC, .r = R, .z = Z, .center_r = CR, .center_z = CZ \
  }

/* The first ones are pointed. The spindle's arc is about a place beyond the axis, the bullet's is
 * square to its rim. */
enum { FIGURE_ROUND = 8, FIGURES = 12 };
static const figure figures[FIGURES] = {
    {.name = "cone",
     .shape = CLP_SHAPE_REVOLVED,
     .pieces = {TO(1.5, 0), TO(0, 1.9)},
     .piece_count = 2},
    {.name = "needle",
     .shape = CLP_SHAPE_REVOLVED,
     .pieces = {TO(0.2, 0), TO(0, 1.3)},
     .piece_count = 2},
    {.name = "frustum",
     .shape = CLP_SHAPE_REVOLVED,
     .start_z = -0.5,
     .pieces = {TO(1, -0.5), TO(0.4, 0.7), TO(0, 0.7)},
     .piece_count = 3},
    {.name = "lens",
     .shape = CLP_SHAPE_REVOLVED,
     .start_z = -0.5,
     .pieces = {ROUND(1, 0, 0, 0.75), ROUND(0, 0.5, 0, -0.75)},
     .piece_count = 2},
    {.name = "spindle",
     .shape = CLP_SHAPE_REVOLVED,
     .start_z = -1,
     .pieces = {ROUND(0, 1, -0.75, 0)},
     .piece_count = 1},
    {.name = "drop",
     .shape = CLP_SHAPE_REVOLVED,
     .start_z = -0.5,
     .pieces = {ROUND(0.4, 0.3, 0, 0), TO(0, 0.3 + 0.16 / 0.3)},
     .piece_count = 2},
    {.name = "pyramid", .shape = CLP_SHAPE_POLYHEDRON, .size = {0.7, 0.5, 1.1}},
    {.name = "cone of splines",
     .shape = CLP_SHAPE_PATCHES,
     .pieces = {TO(1, 0), TO(0, 0.8)},
     .piece_count = 2},
    {.name = "sphere", .shape = CLP_SHAPE_SPHERE, .radius = 2.3},
    {.name = "capsule", .shape = CLP_SHAPE_CAPSULE, .radius = 0.3, .length = 0.8},
    {.name = "ellipsoid", .shape = CLP_SHAPE_ELLIPSOID, .size = {0.8, 0.5, 1.1}},
    {.name = "cylinder", .shape = CLP_SHAPE_CYLINDER, .radius = 0.5, .length = 1.2},
};

/* Lines of a profile turned by a quarter at a time, as rational patches: u goes round, v along. */
static inline clp_body *figure_create_patches(const figure *f)
{
  enum { QUARTERS = 4 };
  const double corner[QUARTERS + 1][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  double points[FIGURE_PIECES * QUARTERS][3][2][4];
  char names[FIGURE_PIECES * QUARTERS][8];
  clp_patch_def patches[FIGURE_PIECES * QUARTERS];
  for (int k = 0; k < QUARTERS * f->piece_count; ++k) {
    int piece = k / QUARTERS, quarter = k % QUARTERS;
    const clp_profile_piece *to = &f->pieces[piece];
    double r[2] = {piece > 0 ? to[-1].r : 0, to->r},
           z[2] = {piece > 0 ? to[-1].z : f->start_z, to->z};
    const double *a = corner[quarter], *b = corner[quarter + 1];
    const double across[3][2] = {{a[0], a[1]}, {a[0] + b[0], a[1] + b[1]}, {b[0], b[1]}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) {
        double point[4] = {r[j] * across[i][0], r[j] * across[i][1], z[j], i == 1 ? sqrt(0.5) : 1};
        memcpy(points[k][i][j], point, sizeof point);
      }
    snprintf(names[k], sizeof names[k], "p%d", k);
    patches[k] = (clp_patch_def){.name = names[k],
                                 .degree_u = 2,
                                 .degree_v = 1,
                                 .size_u = 3,
                                 .size_v = 2,
                                 .control_points = points[k][0][0]};
  }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = QUARTERS * f->piece_count;
  return must_create(&def);
}

static inline clp_body *figure_create(const figure *f)
{
  if (f->shape == CLP_SHAPE_PATCHES)
    return figure_create_patches(f);
  const double x = f->size.x, y = f->size.y, z = f->size.z;
  const double corners[15] = {-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0, 0, 0, z};
  const int faces[16] = {3, 2, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
  const int counts[5] = {4, 3, 3, 3, 3};
  clp_body_def def = clp_default_body_def(f->shape);
  def.size = f->size;
  def.radius = f->radius;
  def.length = f->length;
  def.revolved = (clp_revolved_def){0, f->start_z, f->pieces, f->piece_count};
  def.polyhedron = (clp_polyhedron_def){corners, 5, faces, counts, 5};
  return must_create(&def);
}

/* ---- The half plane ----------------------------------------------------------------------- */

/* A piece with its start. */
typedef struct figure_piece {
  const clp_profile_piece *p;
  double r, z;
} figure_piece;

static inline figure_piece figure_piece_at(const figure *f, int k)
{
  return k == 0 ? (figure_piece){&f->pieces[0], 0, f->start_z}
                : (figure_piece){&f->pieces[k], f->pieces[k - 1].r, f->pieces[k - 1].z};
}

/* Whether the ray (r, z) from an arc's center meets it: an arc here is less than half a turn, and
 * counter-clockwise. */
static inline bool figure_on_arc(const figure_piece *a, double r, double z)
{
  double r0 = a->r - a->p->center_r, z0 = a->z - a->p->center_z;
  double r1 = a->p->r - a->p->center_r, z1 = a->p->z - a->p->center_z;
  return r0 * z - z0 * r >= 0 && r * z1 - z * r1 >= 0;
}

/* The point of the profile farthest along (r, z). */
static inline void figure_profile_support(const figure *f, double r, double z, double at[2])
{
  double best = f->start_z * z;
  at[0] = 0;
  at[1] = f->start_z;
  for (int k = 0; k < f->piece_count; ++k) {
    figure_piece a = figure_piece_at(f, k);
    double pr = a.p->r, pz = a.p->z, length = hypot(r, z);
    if (a.p->kind == CLP_PROFILE_ARC && figure_on_arc(&a, r, z)) {
      double radius = hypot(a.r - a.p->center_r, a.z - a.p->center_z);
      pr = a.p->center_r + radius * r / length;
      pz = a.p->center_z + radius * z / length;
    }
    if (pr * r + pz * z > best) {
      best = pr * r + pz * z;
      at[0] = pr;
      at[1] = pz;
    }
  }
}

/* How far (r, z) is from one piece; *outside: whether it is to its right. */
static inline double figure_piece_distance(const figure_piece *a, double r, double z, bool *outside)
{
  const clp_profile_piece *p = a->p;
  if (p->kind == CLP_PROFILE_ARC) {
    double cr = r - p->center_r, cz = z - p->center_z,
           radius = hypot(a->r - p->center_r, a->z - p->center_z);
    *outside = hypot(cr, cz) > radius;
    if (figure_on_arc(a, cr, cz))
      return fabs(hypot(cr, cz) - radius);
    return fmin(hypot(r - a->r, z - a->z), hypot(r - p->r, z - p->z));
  }
  double dr = p->r - a->r, dz = p->z - a->z, length2 = dr * dr + dz * dz;
  double t = ((r - a->r) * dr + (z - a->z) * dz) / length2;
  *outside = dr * (z - a->z) - dz * (r - a->r) < 0;
  if (t > 0 && t < 1)
    return fabs(dr * (z - a->z) - dz * (r - a->r)) / sqrt(length2);
  return t <= 0 ? hypot(r - a->r, z - a->z) : hypot(r - p->r, z - p->z);
}

/* The distance of a point from the profile, negative inside. */
static inline double figure_profile_distance(const figure *f, double r, double z)
{
  double nearest = HUGE_VAL;
  bool outside = false;
  for (int k = 0; k < f->piece_count; ++k) {
    figure_piece a = figure_piece_at(f, k);
    bool right;
    nearest = fmin(nearest, figure_piece_distance(&a, r, z, &right));
    outside |= right;
  }
  return outside ? nearest : -nearest;
}

/* ---- In space ----------------------------------------------------------------------------- */

static inline clp_vec3 figure_pyramid_support(const figure *f, clp_vec3 n)
{
  clp_vec3 corner = {copysign(f->size.x, n.x), copysign(f->size.y, n.y), 0};
  clp_vec3 tip = {0, 0, f->size.z};
  return clp_dot(tip, n) > clp_dot(corner, n) ? tip : corner;
}

/* The place farthest along n. */
static inline clp_vec3 figure_support(const figure *f, clp_vec3 n)
{
  double across = hypot(n.x, n.y), half = 0.5 * f->length, at[2];
  clp_vec3 e = across > 0 ? (clp_vec3){n.x / across, n.y / across, 0} : (clp_vec3){1, 0, 0};
  clp_vec3 s = {f->size.x * n.x, f->size.y * n.y, f->size.z * n.z};
  switch (f->shape) {
    case CLP_SHAPE_POLYHEDRON:
      return figure_pyramid_support(f, n);
    case CLP_SHAPE_SPHERE:
    case CLP_SHAPE_CAPSULE:
      return clp_add_scaled((clp_vec3){0, 0, copysign(half, n.z)}, f->radius, n);
    case CLP_SHAPE_CYLINDER:
      return (clp_vec3){f->radius * e.x, f->radius * e.y, copysign(half, n.z)};
    case CLP_SHAPE_ELLIPSOID:
      s = clp_unit(s);
      return (clp_vec3){f->size.x * s.x, f->size.y * s.y, f->size.z * s.z};
    default:
      figure_profile_support(f, across, n.z, at);
      return (clp_vec3){at[0] * e.x, at[0] * e.y, at[1]};
  }
}

/* The largest of the signed distances from a pyramid's planes. */
static inline double figure_pyramid_outside(const figure *f, clp_vec3 p)
{
  double out = -p.z;
  for (int k = 0; k < 2; ++k) {
    double half = k == 0 ? f->size.x : f->size.y, x = k == 0 ? fabs(p.x) : fabs(p.y);
    out = fmax(out, (f->size.z * (x - half) + half * p.z) / hypot(f->size.z, half));
  }
  return out;
}

/* How far a point is outside, or minus how deep inside; of pyramids and ellipsoids not more than
 * that, and zero for points on them. */
static inline double figure_outside(const figure *f, clp_vec3 p)
{
  double across = hypot(p.x, p.y), half = 0.5 * f->length, r = across - f->radius,
         z = fabs(p.z) - half;
  switch (f->shape) {
    case CLP_SHAPE_POLYHEDRON:
      return figure_pyramid_outside(f, p);
    case CLP_SHAPE_SPHERE:
    case CLP_SHAPE_CAPSULE:
      return hypot(across, fmax(0, z)) - f->radius;
    case CLP_SHAPE_CYLINDER:
      return r > 0 && z > 0 ? hypot(r, z) : fmax(r, z);
    case CLP_SHAPE_ELLIPSOID: {
      clp_vec3 q = {p.x / f->size.x, p.y / f->size.y, p.z / f->size.z};
      return (clp_norm(q) - 1) * fmin(f->size.x, fmin(f->size.y, f->size.z));
    }
    default:
      return figure_profile_distance(f, across, p.z);
  }
}

/* A direction among those that a body of revolution is pointed along as often as any other: next to
 * the axis, at angles that are parts of a turn, and anywhere. */
static inline clp_vec3 figure_direction(random_state *g)
{
  uint64_t kind = random_bits(g) % 8;
  if (kind == 0)
    return (clp_vec3){0, 0, random_bits(g) % 2 ? 1 : -1};
  if (kind > 2)
    return random_direction(g);
  double polar = random_between(g, 0, 3.14159), turn = 3.14159265358979323846;
  double angle = turn / 8 * (double)(random_bits(g) % 16) - turn;
  if (kind == 2)
    angle += pow(10, random_between(g, -14, -2));
  return (clp_vec3){sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar)};
}

/* Half a turn about the middle of two unit vectors takes one to the other. */
static inline clp_mat3 figure_half_turn(clp_vec3 from, clp_vec3 to)
{
  return clp_rotation_about(clp_unit(clp_add(from, to)), 3.14159265358979323846);
}

/* A rotation that takes `from` to `to`, both unit, then turns by `spin` about that. Vectors that
 * are nearly opposite have no middle: one of them is turned away first. */
static inline clp_mat3 figure_turned(clp_vec3 from, clp_vec3 to, double spin)
{
  clp_mat3 first = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (clp_dot(from, to) < -0.5) {
    clp_vec3 z = {0, 0, 1}, x = {1, 0, 0};
    first = figure_half_turn(from, clp_unit(clp_cross(from, fabs(from.z) < 0.6 ? z : x)));
  }
  first = clp_mat3_multiply(figure_half_turn(clp_rotate(first, from), to), first);
  return clp_mat3_multiply(clp_rotation_about(to, spin), first);
}

#endif
