/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_DENTED_H
#define TEST_SUPPORT_DENTED_H

#include "rclc_closest_point/control/sampling.h"
#include "support/findings.h"
#include "support/random.h"

/* Bodies without supporting planes, open surfaces, and convex ones to meet them. For most of the
 * closed ones the inside is known in closed form. */

typedef enum dented_kind {
  DENTED_BOWL,     /* a paraboloid below, a hollow of a sphere above */
  DENTED_TORUS,    /* radii 3 and 1 */
  DENTED_WASHER,   /* r from 1 to 2, |z| <= 0.3 */
  DENTED_SPOOL,    /* a cylinder with flanges and fillets */
  DENTED_FUNNEL,   /* a thin-walled cone with two tips */
  DENTED_CUP,      /* a conic turned about its axis, with a flat conical hollow */
  DENTED_ELL,      /* an L-shaped prism */
  DENTED_STAR,     /* six spikes */
  DENTED_PATCH,    /* an open biquadratic spline of 3 x 3 spans */
  DENTED_RATIONAL, /* the same with weights */
  DENTED_PEN,      /* from here on convex */
  DENTED_POINT,
  DENTED_SPHERE,
  DENTED_BOX,
  DENTED_ELLIPSOID,
  DENTED_CAPSULE,
  DENTED_CYLINDER,
  DENTED_KINDS
} dented_kind;

/* ---- Definitions -------------------------------------------------------------------------- */

static inline clp_profile_piece dented_line(double r, double z)
{
  return (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = r, .z = z};
}

static inline clp_profile_piece dented_arc(double r, double z, double center_r, double center_z)
{
  return (clp_profile_piece){
      .kind = CLP_PROFILE_ARC, .r = r, .z = z, .center_r = center_r, .center_z = center_z};
}

static inline clp_body *dented_turned(double r, double z, const clp_profile_piece *pieces,
                                      int count, bool convex)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.convex = convex;
  def.revolved = (clp_revolved_def){r, z, pieces, count};
  return must_create(&def);
}

static inline clp_body *dented_make_turned(dented_kind kind)
{
  const clp_profile_piece bowl[] = {
      {.kind = CLP_PROFILE_PARABOLA, .r = 4, .z = 4, .apex_z = 0, .focal = 1},
      dented_arc(0, 2, 0, 7)};
  const clp_profile_piece torus[] = {dented_arc(4, 0, 3, 0), dented_arc(3, 1, 3, 0),
                                     dented_arc(2, 0, 3, 0), dented_arc(3, -1, 3, 0)};
  const clp_profile_piece washer[] = {dented_line(2, -0.3), dented_line(2, 0.3),
                                      dented_line(1, 0.3), dented_line(1, -0.3)};
  const clp_profile_piece spool[] = {
      dented_line(1.5, -3),  dented_line(1.5, -2.8),         dented_arc(0.5, -1.8, 1.5, -1.8),
      dented_line(0.5, 1.8), dented_arc(1.5, 2.8, 1.5, 1.8), dented_line(1.5, 3),
      dented_line(0, 3)};
  const clp_profile_piece funnel[] = {dented_line(2, 3), dented_line(1.9, 3), dented_line(0, 1)};
  const clp_profile_piece cup[] = {{.kind = CLP_PROFILE_CONIC,
                                    .r = 2,
                                    .z = 1,
                                    .shoulder_r = 2.5,
                                    .shoulder_z = -1,
                                    .weight = 0.6},
                                   dented_line(2, 1.4),
                                   dented_line(0, 0.4)};
  const clp_profile_piece pen[] = {dented_line(0.5, 1), dented_line(0.5, 7), dented_line(0, 7)};
  switch (kind) {
    case DENTED_BOWL:
      return dented_turned(0, 0, bowl, 2, false);
    case DENTED_TORUS:
      return dented_turned(3, -1, torus, 4, false);
    case DENTED_WASHER:
      return dented_turned(1, -0.3, washer, 4, false);
    case DENTED_SPOOL:
      return dented_turned(0, -3, spool, 7, false);
    case DENTED_FUNNEL:
      return dented_turned(0, 0, funnel, 3, false);
    case DENTED_CUP:
      return dented_turned(0, -1, cup, 3, false);
    default:
      return dented_turned(0, 0, pen, 3, true);
  }
}

static inline clp_body *dented_polyhedron(const double *vertices, int vertex_count,
                                          const int *faces, int corners, int face_count)
{
  int sizes[32];
  for (int k = 0; k < face_count; ++k)
    sizes[k] = corners;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.convex = false;
  def.polyhedron = (clp_polyhedron_def){vertices, vertex_count, faces, sizes, face_count};
  return must_create(&def);
}

/* The union of [0, 3] x [0, 1] and [0, 1] x [0, 3], z from 0 to 1. */
static inline clp_body *dented_ell(void)
{
  static const double v[] = {0, 0, 0, 3, 0, 0, 3, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0,
                             0, 0, 1, 3, 0, 1, 3, 1, 1, 1, 1, 1, 1, 3, 1, 0, 3, 1};
  static const int f[] = {3, 2, 1, 0, 5, 4, 3, 0, 6, 7, 8,  9, 6, 9, 10, 11, 0, 1, 7, 6,
                          1, 2, 8, 7, 2, 3, 9, 8, 3, 4, 10, 9, 4, 5, 11, 10, 5, 0, 6, 11};
  return dented_polyhedron(v, 12, f, 4, 10);
}

/* Spikes to 2.5 along the axes; in every octant a dent at (0.45, 0.45, 0.45). */
static inline clp_body *dented_star(void)
{
  double v[14 * 3];
  int f[24 * 3], faces = 0;
  for (int k = 0; k < 6; ++k)
    for (int i = 0; i < 3; ++i)
      v[3 * k + i] = k / 2 == i ? (k % 2 ? -2.5 : 2.5) : 0;
  for (int octant = 0; octant < 8; ++octant) {
    int sign[3] = {octant & 1, octant >> 1 & 1, octant >> 2 & 1}, dent = 6 + octant;
    for (int i = 0; i < 3; ++i)
      v[3 * dent + i] = sign[i] ? -0.45 : 0.45;
    bool mirrored = (sign[0] + sign[1] + sign[2]) % 2;
    for (int i = 0; i < 3; ++i, ++faces) {
      int j = (i + 1) % 3;
      f[3 * faces] = 2 * (mirrored ? j : i) + sign[mirrored ? j : i];
      f[3 * faces + 1] = 2 * (mirrored ? i : j) + sign[mirrored ? i : j];
      f[3 * faces + 2] = dent;
    }
  }
  return dented_polyhedron(v, 14, f, 3, 24);
}

static const double dented_net[25][3] = {{0, 0, 0},  {1, 3, 3}, {2, 5, 5}, {1, 8, 3}, {0, 10, 0},
                                         {3, 0, 2},  {3, 3, 5}, {3, 5, 7}, {3, 8, 5}, {3, 10, 2},
                                         {5, 0, 3},  {5, 3, 6}, {5, 5, 8}, {5, 8, 6}, {5, 10, 3},
                                         {8, 0, 3},  {8, 3, 5}, {8, 5, 7}, {8, 8, 5}, {8, 10, 2},
                                         {10, 0, 0}, {9, 3, 3}, {8, 5, 5}, {9, 8, 3}, {10, 10, 0}};

/* The net with z -> lift - z where it is mirrored. */
static inline clp_body *dented_patch(double scale, bool weighted, bool mirrored, double lift)
{
  static const double knots[8] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
  double points[25][4];
  for (int k = 0; k < 25; ++k) {
    const double *p = dented_net[k];
    points[k][0] = scale * p[0];
    points[k][1] = scale * p[1];
    points[k][2] = scale * (mirrored ? lift - p[2] : p[2]);
    points[k][3] = weighted ? 0.5 + (7 * k % 11) / 10.0 : 1;
  }
  clp_patch_def spline = {.name = "S1",
                          .degree_u = 2,
                          .degree_v = 2,
                          .size_u = 5,
                          .size_v = 5,
                          .knots_u = knots,
                          .knots_v = knots,
                          .control_points = points[0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.convex = def.closed = false;
  def.patches = &spline;
  def.patch_count = 1;
  return must_create(&def);
}

static inline clp_body *dented_primitive(dented_kind kind)
{
  static const clp_shape shapes[] = {CLP_SHAPE_POINT,     CLP_SHAPE_SPHERE,  CLP_SHAPE_BOX,
                                     CLP_SHAPE_ELLIPSOID, CLP_SHAPE_CAPSULE, CLP_SHAPE_CYLINDER};
  static const clp_vec3 sizes[] = {{0.1, 0.2, -0.1}, {0, 0, 0}, {1, 2, 0.6},
                                   {1.5, 0.8, 0.4},  {0, 0, 0}, {0, 0, 0}};
  static const double radii[] = {0, 0.7, 0, 0, 0.3, 0.8}, lengths[] = {0, 0, 0, 0, 2, 1};
  int k = (int)kind - (int)DENTED_POINT;
  clp_body_def def = clp_default_body_def(shapes[k]);
  def.size = sizes[k];
  def.radius = radii[k];
  def.length = lengths[k];
  return must_create(&def);
}

static inline clp_body *dented_make(dented_kind kind)
{
  if (kind <= DENTED_CUP || kind == DENTED_PEN)
    return dented_make_turned(kind);
  if (kind == DENTED_ELL)
    return dented_ell();
  if (kind == DENTED_STAR)
    return dented_star();
  if (kind == DENTED_PATCH || kind == DENTED_RATIONAL)
    return dented_patch(kind == DENTED_PATCH ? 0.5 : 0.4, kind == DENTED_RATIONAL, false, 0);
  return dented_primitive(kind);
}

/* ---- Inside ------------------------------------------------------------------------------- */

static inline double dented_least(double a, double b, double c)
{
  return fmin(a, fmin(b, c));
}

static inline double dented_spool_inside(double r, double z)
{
  if (z > 2.8)
    return fmin(3 - z, 1.5 - r);
  if (z < 1.8)
    return 0.5 - r;
  return fmin(1.5 - r, hypot(r - 1.5, z - 1.8) - 1);
}

/* In an octant the star is three tetrahedra of the origin, the dent and two spikes. */
static inline double dented_star_inside(clp_vec3 p)
{
  const double a[3] = {fabs(p.x), fabs(p.y), fabs(p.z)};
  double best = -HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    double u = a[k] / 0.45, s = (a[(k + 1) % 3] - a[k]) / 2.5, t = (a[(k + 2) % 3] - a[k]) / 2.5;
    if (s >= 0 && t >= 0)
      best = fmax(best, 1 - s - t - u);
  }
  return 0.4 * best;
}

/* Positive inside, negative outside, and no farther from zero than the boundary is; not a number
 * where no closed form is at hand. */
static inline double dented_inside(dented_kind kind, clp_vec3 p)
{
  double r = hypot(p.x, p.y), z = p.z;
  switch (kind) {
    case DENTED_BOWL:
      return r > 4 || z > 4 ? -fmax(r - 4, z - 4)
                            : fmin((z - 0.25 * r * r) / 2.3, hypot(r, z - 7) - 5);
    case DENTED_TORUS:
      return 1 - hypot(r - 3, z);
    case DENTED_WASHER:
      return dented_least(0.3 - fabs(z), 2 - r, r - 1);
    case DENTED_SPOOL:
      return dented_spool_inside(r, fabs(z));
    case DENTED_FUNNEL:
      return dented_least((z - 1.5 * r) / 1.81, (1 + r * 2 / 1.9 - z) / 1.46, 3 - z);
    case DENTED_ELL:
      return fmin(fmin(z, 1 - z), fmax(dented_least(fmin(p.x, p.y), 3 - p.x, 1 - p.y),
                                       dented_least(fmin(p.x, p.y), 1 - p.x, 3 - p.y)));
    case DENTED_STAR:
      return dented_star_inside(p);
    case DENTED_PEN:
      return dented_least(7 - z, 0.5 - r, (z - 2 * r) / 2.3);
    case DENTED_SPHERE:
      return 0.7 - clp_norm(p);
    case DENTED_BOX:
      return dented_least(0.5 - fabs(p.x), 1 - fabs(p.y), 0.3 - fabs(z));
    case DENTED_ELLIPSOID:
      return 0.4 * (1 - sqrt(p.x * p.x / 2.25 + p.y * p.y / 0.64 + z * z / 0.16));
    case DENTED_CAPSULE:
      return 0.3 - hypot(r, fmax(0, fabs(z) - 1));
    case DENTED_CYLINDER:
      return fmin(0.8 - r, 0.5 - fabs(z));
    default:
      return nan("");
  }
}

/* ---- Samples ------------------------------------------------------------------------------ */

static inline clp_spot dented_sample(random_state *g, const clp_body *body)
{
  if (body->info.point)
    return clp_spot_on_vertex(0);
  double x = fmax(0, fmin(1, random_between(g, -0.05, 1.05)));
  double y = fmax(0, fmin(1, random_between(g, -0.1, 1.1)));
  if (body->info.planar)
    return clp_spot_sample(body, CLP_EDGE, (uint32_t)(random_bits(g) % body->edge_count), x, 0);
  return clp_spot_sample(body, CLP_FACE, (uint32_t)(random_bits(g) % body->face_count), x, y);
}

#endif
