/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/shape.h"

/* Random definitions, and beside each what the judge makes of it. */

const char *const shape_names[SHAPE_KINDS] = {
    "point",  "sphere",  "capsule",    "ellipsoid", "box",     "cylinder", "pyramid",
    "prism",  "hull",    "cone",       "frustum",   "spindle", "lens",     "barrel",
    "bullet", "rounded", "paraboloid", "conic",     "net"};

/* ---- Numbers ------------------------------------------------------------------------------ */

/* Evenly spread by its logarithm. */
static double factor(random_state *g, double least, double most)
{
  return exp(random_between(g, log(least), log(most)));
}

/* Extents along x, y and z, each by itself; a fifth of all bodies are needles or plates. */
typedef struct extents {
  double x, y, z;
} extents;

static extents random_extents(double size, random_state *g)
{
  extents e = {size * factor(g, 0.4, 1), size * factor(g, 0.4, 1), size * factor(g, 0.4, 1)};
  double thin = random_between(g, 0, 1) < 0.2 ? factor(g, 1e-3, 0.1) : 1;
  if (random_between(g, 0, 1) < 0.5) {
    e.z *= thin;
  } else {
    e.x *= thin;
    e.y *= thin;
  }
  return e;
}

static real33 diagonal(real x, real y, real z)
{
  return (real33){{x, 0, 0}, {0, y, 0}, {0, 0, z}};
}

/* ---- Swept, affine ------------------------------------------------------------------------ */

static void make_swept(shape *s, double radius, double length)
{
  s->form = FORM_SWEPT;
  s->radius = radius;
  s->half = 0.5L * length;
  s->def.radius = radius;
  s->def.length = length;
}

static void make_affine(shape *s, real33 image)
{
  s->form = FORM_AFFINE;
  s->image = image;
  s->inverse = real33_inverse_transposed(image);
}

static real33 random_rotation(random_state *g)
{
  real3 x = real3_of(random_direction(g)), y = real3_of(random_direction(g));
  x = real3_unit(x);
  y = real3_unit(real3_sub(y, real3_scale(real3_dot(x, y), x)));
  return (real33){x, y, real3_cross(x, y)};
}

/* Control points are mapped like points; what the rounding of the result changes is of the order
 * of 1e-16 of the size. */
static void make_net(shape *s, extents e, random_state *g)
{
  real33 turn = random_rotation(g), d = diagonal(e.x, e.y, e.z);
  real33 shear = random_rotation(g);
  real33 m = {real33_apply(turn, real33_apply(d, shear.x)),
              real33_apply(turn, real33_apply(d, shear.y)),
              real33_apply(turn, real33_apply(d, shear.z))};
  s->center = real3_of((clp_vec3){random_between(g, -0.2, 0.2) * e.x, 0, 0});
  make_affine(s, (real33){real3_scale(SPHERE_NET_RADIUS, m.x), real3_scale(SPHERE_NET_RADIUS, m.y),
                          real3_scale(SPHERE_NET_RADIUS, m.z)});
  for (int f = 0; f < SPHERE_NET_FACES; ++f) {
    sphere_net(f, s->nets[f]);
    for (int k = 0; k < 25; ++k) {
      double *c = &s->nets[f][4 * k];
      real3 p = real3_add(s->center, real33_apply(m, (real3){c[0], c[1], c[2]}));
      c[0] = (double)p.x;
      c[1] = (double)p.y;
      c[2] = (double)p.z;
    }
    static const char *const names[SPHERE_NET_FACES] = {"a", "b", "c", "d", "e", "f"};
    s->patches[f] = (clp_patch_def){.name = names[f],
                                    .degree_u = 4,
                                    .degree_v = 4,
                                    .size_u = 5,
                                    .size_v = 5,
                                    .control_points = s->nets[f]};
  }
  s->def.patches = s->patches;
  s->def.patch_count = SPHERE_NET_FACES;
}

/* ---- Hulls -------------------------------------------------------------------------------- */

static void add_point(shape *s, double x, double y, double z)
{
  double *v = &s->vertices[3 * s->point_count];
  v[0] = x;
  v[1] = y;
  v[2] = z;
  s->points[s->point_count++] = (real3){x, y, z};
}

/* Counter-clockwise as seen from outside. */
static void add_plane(shape *s, const int *corners, int count, int *used)
{
  real3 a = s->points[corners[0]], b = s->points[corners[1]], c = s->points[corners[2]];
  real3 n = real3_unit(real3_cross(real3_sub(b, a), real3_sub(c, a)));
  s->normals[s->plane_count] = n;
  s->offsets[s->plane_count] = real3_dot(n, a);
  s->face_sizes[s->plane_count++] = count;
  for (int k = 0; k < count; ++k)
    s->faces[(*used)++] = corners[k];
}

static void finish_hull(shape *s)
{
  s->form = FORM_HULL;
  s->def.polyhedron = (clp_polyhedron_def){.vertices = s->vertices,
                                           .vertex_count = s->point_count,
                                           .faces = s->faces,
                                           .face_sizes = s->face_sizes,
                                           .face_count = s->plane_count};
}

/* Corners k and k + 1 of every face are signs of the axes. */
static void make_box(shape *s, extents e)
{
  static const int corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  int used = 0;
  for (int k = 0; k < 8; ++k)
    add_point(s, k & 1 ? 0.5 * e.x : -0.5 * e.x, k & 2 ? 0.5 * e.y : -0.5 * e.y,
              k & 4 ? 0.5 * e.z : -0.5 * e.z);
  for (int k = 0; k < 6; ++k)
    add_plane(s, corners[k], 4, &used);
  s->form = FORM_HULL;
  s->def.size = (clp_vec3){e.x, e.y, e.z};
}

static void add_ring(shape *s, int count, extents e, double z)
{
  for (int k = 0; k < count; ++k) {
    double angle = 6.283185307179586 * k / count;
    add_point(s, 0.5 * e.x * cos(angle), 0.5 * e.y * sin(angle), z);
  }
}

static void make_pyramid(shape *s, extents e, random_state *g)
{
  int count = 3 + (int)(random_bits(g) % 6), used = 0, base[SHAPE_POINTS];
  add_ring(s, count, e, 0);
  add_point(s, random_between(g, -0.6, 0.6) * e.x, random_between(g, -0.6, 0.6) * e.y, e.z);
  for (int k = 0; k < count; ++k)
    base[k] = count - 1 - k;
  add_plane(s, base, count, &used);
  for (int k = 0; k < count; ++k)
    add_plane(s, (const int[]){k, (k + 1) % count, count}, 3, &used);
  finish_hull(s);
}

static void make_prism(shape *s, extents e, random_state *g)
{
  int count = 3 + (int)(random_bits(g) % 6), used = 0, base[SHAPE_POINTS], top[SHAPE_POINTS];
  add_ring(s, count, e, -0.5 * e.z);
  add_ring(s, count, e, 0.5 * e.z);
  for (int k = 0; k < count; ++k) {
    base[k] = count - 1 - k;
    top[k] = count + k;
  }
  add_plane(s, base, count, &used);
  add_plane(s, top, count, &used);
  for (int k = 0; k < count; ++k) {
    int next = (k + 1) % count;
    add_plane(s, (const int[]){k, next, count + next, count + k}, 4, &used);
  }
  finish_hull(s);
}

/* Points on an ellipsoid are all corners; the hull of few is found by trying all triples. */
static void make_hull(shape *s, extents e, random_state *g)
{
  int count = 4 + (int)(random_bits(g) % 7), used = 0;
  for (int k = 0; k < count; ++k) {
    clp_vec3 u = random_direction(g);
    add_point(s, 0.5 * e.x * u.x, 0.5 * e.y * u.y, 0.5 * e.z * u.z);
  }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      for (int k = 0; k < count; ++k) {
        if (i == j || j == k || k == i || i > j || i > k)
          continue;
        real3 a = s->points[i];
        real3 n = real3_cross(real3_sub(s->points[j], a), real3_sub(s->points[k], a));
        bool outer = true;
        for (int m = 0; m < count; ++m)
          outer &= m == i || m == j || m == k || real3_dot(n, real3_sub(s->points[m], a)) < 0;
        if (outer)
          add_plane(s, (const int[]){i, j, k}, 3, &used);
      }
  finish_hull(s);
}

/* ---- Profiles ----------------------------------------------------------------------------- */

static void begin_profile(shape *s, double r, double z)
{
  s->form = FORM_REVOLVED;
  s->def.revolved = (clp_revolved_def){r, z, s->profile, 0};
}

static void add_piece(shape *s, clp_profile_piece p)
{
  clp_revolved_def *d = &s->def.revolved;
  double r = d->start_r, z = d->start_z;
  if (d->piece_count > 0) {
    r = s->profile[d->piece_count - 1].r;
    z = s->profile[d->piece_count - 1].z;
  }
  s->profile[d->piece_count++] = p;
  s->pieces[s->piece_count++] = (shape_piece){p.kind,
                                              r,
                                              z,
                                              p.r,
                                              p.z,
                                              p.center_r,
                                              p.center_z,
                                              hypotl((real)r - p.center_r, (real)z - p.center_z),
                                              p.apex_z,
                                              p.focal,
                                              p.shoulder_r,
                                              p.shoulder_z,
                                              p.weight};
  if (p.kind == CLP_PROFILE_ARC)
    s->numbers = fmaxl(s->numbers, s->pieces[s->piece_count - 1].radius);
}

static void add_line(shape *s, double r, double z)
{
  add_piece(s, (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = r, .z = z});
}

static void add_arc(shape *s, double r, double z, double center_r, double center_z)
{
  add_piece(
      s, (clp_profile_piece){
             .kind = CLP_PROFILE_ARC, .r = r, .z = z, .center_r = center_r, .center_z = center_z});
}

/* The primitive has faces of its own, but this is what it means. */
static void make_cylinder(shape *s, double r, double z)
{
  s->form = FORM_REVOLVED;
  s->def.radius = r;
  s->def.length = 2 * z;
  s->pieces[s->piece_count++] = (shape_piece){.z0 = -z, .r1 = r, .z1 = -z};
  s->pieces[s->piece_count++] = (shape_piece){.r0 = r, .z0 = -z, .r1 = r, .z1 = z};
  s->pieces[s->piece_count++] = (shape_piece){.r0 = r, .z0 = z, .z1 = z};
}

/* Arcs through a pole at a height of at most r: their centers are on the axis at (r^2 - a^2)/(2a)
 * from the plane of the rim, away from the pole. */
static void make_lens(shape *s, double r, double z, random_state *g)
{
  double below = fmin(r, z) * random_between(g, 0.3, 1);
  double above = fmin(r, z) * random_between(g, 0.3, 1);
  begin_profile(s, 0, -below);
  add_arc(s, r, 0, 0, (r * r - below * below) / (2 * below));
  add_arc(s, 0, above, 0, -(r * r - above * above) / (2 * above));
}

/* The center is at -k with (r + k)^2 = k^2 + z^2. */
static void make_barrel(shape *s, double r, double z)
{
  double waist = fmin(r, 0.99 * z);
  begin_profile(s, 0, -z);
  add_arc(s, 0, z, -(z * z - waist * waist) / (2 * waist), 0);
}

static void make_bullet(shape *s, double r, double z)
{
  begin_profile(s, 0, -z);
  add_line(s, r, -z);
  add_line(s, r, z);
  add_arc(s, 0, z + r, 0, z);
}

static void make_rounded(shape *s, double r, double z, random_state *g)
{
  double f = fmin(r, z) * random_between(g, 0.1, 0.9);
  begin_profile(s, 0, -z);
  add_line(s, r - f, -z);
  add_arc(s, r, -z + f, r - f, -z + f);
  add_line(s, r, z);
  add_line(s, 0, z);
}

static void make_paraboloid(shape *s, double r, double z)
{
  begin_profile(s, 0, -z);
  add_piece(
      s, (clp_profile_piece){
             .kind = CLP_PROFILE_PARABOLA, .r = r, .z = z, .apex_z = -z, .focal = r * r / (8 * z)});
  add_line(s, 0, z);
}

static void make_conic(shape *s, double r, double z, random_state *g)
{
  begin_profile(s, 0, -z);
  add_piece(s, (clp_profile_piece){.kind = CLP_PROFILE_CONIC,
                                   .r = r,
                                   .z = 0,
                                   .shoulder_r = r,
                                   .shoulder_z = -z,
                                   .weight = factor(g, 0.3, 3)});
  add_line(s, 0, z * random_between(g, 0.2, 2));
}

static void make_straight(shape *s, shape_kind kind, double r, double z, random_state *g)
{
  double share = random_between(g, 0.2, 0.9);
  if (kind == SHAPE_CONE) {
    begin_profile(s, 0, -z);
    add_line(s, r, -z);
  } else if (kind == SHAPE_SPINDLE) {
    begin_profile(s, 0, -z * share);
    add_line(s, r, 0);
  } else {
    begin_profile(s, 0, -z);
    add_line(s, r, -z);
    add_line(s, r * share, z);
  }
  add_line(s, 0, z);
}

static void make_revolved(shape *s, shape_kind kind, double r, double z, random_state *g)
{
  switch (kind) {
    case SHAPE_CYLINDER:
      make_cylinder(s, r, z);
      return;
    case SHAPE_LENS:
      make_lens(s, r, z, g);
      return;
    case SHAPE_BARREL:
      make_barrel(s, r, z);
      return;
    case SHAPE_BULLET:
      make_bullet(s, r, z);
      return;
    case SHAPE_ROUNDED:
      make_rounded(s, r, z, g);
      return;
    case SHAPE_PARABOLOID:
      make_paraboloid(s, r, z);
      return;
    case SHAPE_CONIC:
      make_conic(s, r, z, g);
      return;
    default:
      make_straight(s, kind, r, z, g);
  }
}

/* ---- All of them -------------------------------------------------------------------------- */

static clp_shape library_shape(shape_kind kind)
{
  switch (kind) {
    case SHAPE_POINT:
      return CLP_SHAPE_POINT;
    case SHAPE_SPHERE:
      return CLP_SHAPE_SPHERE;
    case SHAPE_CAPSULE:
      return CLP_SHAPE_CAPSULE;
    case SHAPE_ELLIPSOID:
      return CLP_SHAPE_ELLIPSOID;
    case SHAPE_BOX:
      return CLP_SHAPE_BOX;
    case SHAPE_CYLINDER:
      return CLP_SHAPE_CYLINDER;
    case SHAPE_PYRAMID:
    case SHAPE_PRISM:
    case SHAPE_HULL:
      return CLP_SHAPE_POLYHEDRON;
    case SHAPE_NET:
      return CLP_SHAPE_PATCHES;
    default:
      return CLP_SHAPE_REVOLVED;
  }
}

/* Twice the farthest of the box's corners. */
static real size_of(const shape *s)
{
  real3 most = {0, 0, 0};
  for (int k = -1; k <= 1; k += 2) {
    most.x = fmaxl(most.x, fabsl(shape_support(s, (real3){k, 0, 0}).x));
    most.y = fmaxl(most.y, fabsl(shape_support(s, (real3){0, k, 0}).y));
    most.z = fmaxl(most.z, fabsl(shape_support(s, (real3){0, 0, k}).z));
  }
  return 2 * real3_norm(most);
}

void shape_make(shape *s, shape_kind kind, double size, random_state *g)
{
  extents e = random_extents(size, g);
  *s = (shape){.kind = kind, .def = clp_default_body_def(library_shape(kind))};
  if (kind == SHAPE_POINT) {
    s->def.size = (clp_vec3){random_between(g, -0.1, 0.1) * size, 0, 0};
    s->center = real3_of(s->def.size);
  } else if (kind == SHAPE_SPHERE || kind == SHAPE_CAPSULE) {
    make_swept(s, 0.5 * e.x, kind == SHAPE_CAPSULE ? e.z : 0);
  } else if (kind == SHAPE_ELLIPSOID) {
    s->def.size = (clp_vec3){0.5 * e.x, 0.5 * e.y, 0.5 * e.z};
    make_affine(s, diagonal(s->def.size.x, s->def.size.y, s->def.size.z));
  } else if (kind == SHAPE_BOX) {
    make_box(s, e);
  } else if (kind == SHAPE_PYRAMID) {
    make_pyramid(s, e, g);
  } else if (kind == SHAPE_PRISM) {
    make_prism(s, e, g);
  } else if (kind == SHAPE_HULL) {
    make_hull(s, e, g);
  } else if (kind == SHAPE_NET) {
    make_net(s, e, g);
  } else {
    make_revolved(s, kind, 0.5 * e.x, 0.5 * e.z, g);
  }
  s->size = size_of(s);
}

void shape_pad(shape *s, double padding)
{
  s->padding = s->def.padding = padding;
  s->size = size_of(s);
}

/* ---- Words -------------------------------------------------------------------------------- */

static void print_profile(FILE *out, const shape *s)
{
  static const char *const names[] = {"line", "arc", "parabola", "conic"};
  fprintf(out, " start %.17g %.17g\n", s->def.revolved.start_r, s->def.revolved.start_z);
  for (int k = 0; k < s->def.revolved.piece_count; ++k) {
    const clp_profile_piece *p = &s->profile[k];
    fprintf(
        out,
        "    %s to %.17g %.17g center %.17g %.17g apex_z %.17g focal %.17g shoulder %.17g %.17g "
        "weight %.17g\n",
        names[p->kind], p->r, p->z, p->center_r, p->center_z, p->apex_z, p->focal, p->shoulder_r,
        p->shoulder_z, p->weight);
  }
}

static void print_hull(FILE *out, const shape *s)
{
  int used = 0;
  fprintf(out, "\n");
  for (int k = 0; k < s->point_count; ++k)
    fprintf(out, "    vertex %.17g %.17g %.17g\n", s->vertices[3 * k], s->vertices[3 * k + 1],
            s->vertices[3 * k + 2]);
  for (int k = 0; k < s->plane_count; ++k) {
    fprintf(out, "    face");
    for (int i = 0; i < s->face_sizes[k]; ++i)
      fprintf(out, " %d", s->faces[used++]);
    fprintf(out, "\n");
  }
}

void shape_print(FILE *out, const shape *s)
{
  fprintf(out, "  %s", shape_names[s->kind]);
  if (s->padding > 0)
    fprintf(out, " padding %.17g", s->def.padding);
  if (s->def.shape == CLP_SHAPE_REVOLVED)
    print_profile(out, s);
  else if (s->def.shape == CLP_SHAPE_POLYHEDRON)
    print_hull(out, s);
  else if (s->kind == SHAPE_NET)
    fprintf(
        out,
        " image %.17Lg %.17Lg %.17Lg  %.17Lg %.17Lg %.17Lg  %.17Lg %.17Lg %.17Lg center %.17Lg\n",
        s->image.x.x, s->image.x.y, s->image.x.z, s->image.y.x, s->image.y.y, s->image.y.z,
        s->image.z.x, s->image.z.y, s->image.z.z, s->center.x);
  else
    fprintf(out, " size %.17g %.17g %.17g radius %.17g length %.17g\n", s->def.size.x,
            s->def.size.y, s->def.size.z, s->def.radius, s->def.length);
}
