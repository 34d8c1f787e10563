/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/shapes.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

enum { SHELL_PATCHES = 8, SHELL_POINTS = 1002 };

/* ---- Hulls -------------------------------------------------------------------------------- */

static const double golden_angle = 2.39996322972865332;

/* Evenly spread on an ellipsoid, where every point is a corner of the hull. */
static clp_vec3 spread_point(int k, int count, clp_vec3 radii)
{
  double z = 1 - (2 * k + 1.0) / count, r = sqrt(1 - z * z), turn = k * golden_angle;
  return (clp_vec3){radii.x * r * cos(turn), radii.y * r * sin(turn), radii.z * z};
}

/* A plane through the corner a and the line `along` from it turns until it has all others below:
 * the corner that stops it. `b` is one on that line, or -1. */
static int stopping_corner(const clp_vec3 *p, int count, int a, clp_vec3 along, int b)
{
  int best = -1;
  clp_vec3 normal = {0, 0, 0};
  for (int k = 0; k < count; ++k) {
    clp_vec3 from = clp_sub(p[k], p[a]);
    if (k != a && k != b && (best < 0 || clp_dot(normal, from) > 0)) {
      best = k;
      normal = clp_cross(along, from);
    }
  }
  return best;
}

typedef struct wrapping {
  const clp_vec3 *places;
  int count;
  int *corners; /* of the triangles so far */
  int faces;
  bool *met; /* for each directed edge, whether it has its face */
} wrapping;

static void wrap_edge(wrapping *w, int a, int b)
{
  if (w->met[a * w->count + b] || w->faces == 2 * w->count - 4)
    return;
  clp_vec3 along = clp_sub(w->places[b], w->places[a]);
  int *face = w->corners + 3 * w->faces++;
  face[0] = a;
  face[1] = b;
  face[2] = stopping_corner(w->places, w->count, a, along, b);
  for (int k = 0; k < 3; ++k)
    w->met[face[k] * w->count + face[(k + 1) % 3]] = true;
}

/* Gift wrapping, from an edge at the highest corner: every directed edge of a face is met by one in
 * the other direction. */
static int wrap(const clp_vec3 *places, int count, int *corners)
{
  wrapping w = {places, count, corners, 0, calloc((size_t)count * (size_t)count, sizeof(bool))};
  int first = 0;
  for (int k = 1; k < count; ++k)
    first = places[k].z > places[first].z ? k : first;
  if (w.met == NULL)
    return 0;
  wrap_edge(&w, first, stopping_corner(places, count, first, (clp_vec3){1, 0, 0}, -1));
  for (int face = 0; face < w.faces; ++face)
    for (int k = 0; k < 3; ++k)
      wrap_edge(&w, corners[3 * face + (k + 1) % 3], corners[3 * face + k]);
  free(w.met);
  return w.faces;
}

/* Into `shape`'s memory from `slot` on. */
static clp_polyhedron_def hull(shape *s, int slot, int vertices, clp_vec3 radii)
{
  int faces = 2 * vertices - 4;
  clp_vec3 *places = calloc((size_t)vertices, sizeof *places);
  int *corners = calloc((size_t)faces * 4, sizeof *corners), *sizes = corners + 3 * faces;
  s->memory[slot] = places;
  s->memory[slot + 1] = corners;
  if (!places || !corners)
    return (clp_polyhedron_def){0};
  for (int k = 0; k < vertices; ++k)
    places[k] = spread_point(k, vertices, radii);
  for (int k = 0; k < faces; ++k)
    sizes[k] = 3;
  faces = wrap(places, vertices, corners);
  return (clp_polyhedron_def){.vertices = &places[0].x,
                              .vertex_count = vertices,
                              .faces = corners,
                              .face_sizes = sizes,
                              .face_count = faces};
}

static void make_hull(shape *s, const char *name, int facets, clp_vec3 radii)
{
  s->name = name;
  s->def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  s->def.polyhedron = hull(s, 0, facets / 2 + 2, radii);
}

/* ---- A shell of rational patches ------------------------------------------------------------ */

/* A quarter of the unit circle, the first from the x axis on, as a rational quadratic. Ends and
 * shoulder have no rounding in them, so that patches meet. */
static void arc(int quarter, double x[3], double y[3], double w[3])
{
  static const int cosines[] = {1, 0, -1, 0, 1};
  int from = quarter & 3, x0 = cosines[from], x2 = cosines[from + 1];
  int y0 = cosines[(from + 3) & 3], y2 = cosines[from];
  x[0] = x0, x[1] = x0 + x2, x[2] = x2;
  y[0] = y0, y[1] = y0 + y2, y[2] = y2;
  w[0] = w[2] = 1;
  w[1] = sqrt(0.5);
}

/* One of the eight eighths of the ellipsoid: 3 x 3 times (x y z w). */
static void put_patch(int band, int sector, clp_vec3 radii, double *net)
{
  double r[3], z[3], wv[3], x[3], y[3], wu[3];
  arc(sector, x, y, wu);
  arc(band - 1, r, z, wv);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j, net += 4) {
      net[0] = radii.x * r[j] * x[i];
      net[1] = radii.y * r[j] * y[i];
      net[2] = radii.z * z[j];
      net[3] = wu[i] * wv[j];
    }
}

static void make_shell(shape *s, clp_vec3 radii)
{
  static const char *const names[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
  double *nets = calloc((size_t)SHELL_PATCHES * 36, sizeof *nets);
  clp_patch_def *patches = calloc(SHELL_PATCHES, sizeof *patches);
  s->name = "rational shell";
  s->def = clp_default_body_def(CLP_SHAPE_PATCHES);
  s->memory[0] = nets;
  s->memory[1] = patches;
  if (!nets || !patches)
    return;
  for (int k = 0; k < SHELL_PATCHES; ++k) {
    put_patch(k / 4, k % 4, radii, nets + 36 * k);
    patches[k] = (clp_patch_def){.name = names[k],
                                 .degree_u = 2,
                                 .degree_v = 2,
                                 .size_u = 3,
                                 .size_v = 3,
                                 .control_points = nets + 36 * k};
  }
  s->def.patches = patches;
  s->def.patch_count = SHELL_PATCHES;
  s->def.size = radii;
  s->def.polyhedron = hull(s, 2, SHELL_POINTS, radii);
}

/* ---- All ------------------------------------------------------------------------------------ */

static void make_cone(shape *s, double radius, double length)
{
  clp_profile_piece *pieces = calloc(2, sizeof *pieces);
  s->name = "cone";
  s->memory[0] = pieces;
  s->def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  s->def.radius = radius;
  s->def.length = length;
  if (!pieces)
    return;
  pieces[0] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = radius, .z = -0.5 * length};
  pieces[1] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = 0, .z = 0.5 * length};
  s->def.revolved =
      (clp_revolved_def){.start_z = -0.5 * length, .pieces = pieces, .piece_count = 2};
}

static void make_sized(shape *s, const char *name, clp_shape kind, clp_vec3 size)
{
  s->name = name;
  s->def = clp_default_body_def(kind);
  s->def.size = size;
}

static void make_round(shape *s, const char *name, clp_shape kind, double radius, double length)
{
  s->name = name;
  s->def = clp_default_body_def(kind);
  s->def.radius = radius;
  s->def.length = length;
}

void shapes_create(shape shapes[SHAPES])
{
  for (int k = 0; k < SHAPES; ++k)
    shapes[k] = (shape){0};
  make_round(&shapes[SHAPE_SPHERE], "sphere", CLP_SHAPE_SPHERE, 0.4, 0);
  make_round(&shapes[SHAPE_CAPSULE], "capsule", CLP_SHAPE_CAPSULE, 0.2, 0.6);
  make_sized(&shapes[SHAPE_BOX], "box", CLP_SHAPE_BOX, (clp_vec3){0.7, 0.5, 0.4});
  make_round(&shapes[SHAPE_CYLINDER], "cylinder", CLP_SHAPE_CYLINDER, 0.25, 0.7);
  make_sized(&shapes[SHAPE_ELLIPSOID], "ellipsoid", CLP_SHAPE_ELLIPSOID,
             (clp_vec3){0.5, 0.35, 0.25});
  make_cone(&shapes[SHAPE_CONE], 0.35, 0.7);
  make_hull(&shapes[SHAPE_HULL_30], "hull of 30", 30, (clp_vec3){0.5, 0.4, 0.3});
  make_hull(&shapes[SHAPE_HULL_1000], "hull of 1,000", 1000, (clp_vec3){0.5, 0.4, 0.3});
  make_shell(&shapes[SHAPE_SHELL], (clp_vec3){0.45, 0.35, 0.3});
  for (int k = 0; k < SHAPES; ++k)
    clp_body_create(&shapes[k].def, (clp_reporter){0}, &shapes[k].body);
}

void shapes_destroy(shape shapes[SHAPES])
{
  for (int k = 0; k < SHAPES; ++k)
    shape_destroy(&shapes[k]);
}

void shape_destroy(shape *s)
{
  clp_body_destroy(s->body);
  for (size_t i = 0; i < sizeof s->memory / sizeof *s->memory; ++i)
    free(s->memory[i]);
}

void shape_make_hull(shape *s, const char *name, int facets, clp_vec3 radii)
{
  *s = (shape){0};
  make_hull(s, name, facets, radii);
  clp_body_create(&s->def, (clp_reporter){0}, &s->body);
}
