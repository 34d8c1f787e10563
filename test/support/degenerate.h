/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_DEGENERATE_H
#define TEST_SUPPORT_DEGENERATE_H

#include "rclc_closest_point/math/pose.h"
#include "support/tiled.h"

/* Pairs of bodies in places where something vanishes or coincides, and their distance in closed
 * form. Lengths are in units that a test chooses. */

typedef struct figure {
  clp_shape shape;
  clp_vec3 size;
  double radius, length;
  const char *net; /* of a reference body */
} figure;

typedef enum sharing {
  UNIQUE,
  SHARED, /* other points are as close */
  EITHER  /* nothing is promised */
} sharing;

typedef struct setting {
  const char *name;
  figure a, b;
  clp_pose X_AB;
  double distance;
  sharing sharing;
} setting;

/* clang-format off */
#define BOX(x, y, z) {CLP_SHAPE_BOX, {x, y, z}, 0, 0, NULL}
#define BALL(r) {CLP_SHAPE_SPHERE, {0, 0, 0}, r, 0, NULL}
#define EGG(x, y, z) {CLP_SHAPE_ELLIPSOID, {x, y, z}, 0, 0, NULL}
#define ROD(r, l) {CLP_SHAPE_CYLINDER, {0, 0, 0}, r, l, NULL}
#define PILL(r, l) {CLP_SHAPE_CAPSULE, {0, 0, 0}, r, l, NULL}
#define CONE(r, l) {CLP_SHAPE_REVOLVED, {0, 0, 0}, r, l, NULL} /* tip at 0, base at z = l */
#define NET(name) {CLP_SHAPE_PATCHES, {0, 0, 0}, 0, 0, name}
#define POINT {CLP_SHAPE_POINT, {0, 0, 0}, 0, 0, NULL}

#define UPRIGHT {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
#define ALONG_X {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}} /* what was along z */
#define ALONG_Y {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}
#define UPSIDE_DOWN {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}
#define TURNED {{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}}
/* The generator of CONE(0.75, 1) at y = 0 goes along x, the cone above it. */
#define LYING {{0.6, 0, -0.8}, {0, 1, 0}, {0.8, 0, 0.6}}

#define R8 0.35355339059327373 /* 0.5 / sqrt 2: the corners of the cylinder's discs */
#define R3 0.57735026918962576 /* 1 / sqrt 3 */

static const setting settings[] = {
  {"box over box", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {0, 0, 1.25}}, 0.25, SHARED},
  {"box over box, slid", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {0.3, 0.2, 1.25}}, 0.25, SHARED},
  {"box over box, turned", BOX(1, 1, 1), BOX(1, 1, 1), {TURNED, {0.1, 0.2, 1.25}}, 0.25, SHARED},
  {"box over plate", BOX(4, 4, 0.1), BOX(1, 1, 1), {UPRIGHT, {0.2, 0.1, 0.8}}, 0.25, SHARED},
  {"edges, one over the other", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {1, 0, 1.25}}, 0.25, SHARED},
  {"corners, one over the other", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {1, 1, 1.25}}, 0.25, UNIQUE},
  {"parallel edges", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {1.3, 0.1, 1.4}}, 0.5, SHARED},
  {"corner to corner", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {1.2, 1.2, 1.1}}, 0.3, UNIQUE},
  {"cylinder beside cylinder", ROD(0.5, 2), ROD(0.25, 2), {UPRIGHT, {1, 0, 0}}, 0.25, SHARED},
  {"cylinder beside cylinder, slid", ROD(0.5, 2), ROD(0.25, 2), {UPRIGHT, {0.6, 0.8, 1.5}}, 0.25, SHARED},
  {"cylinder's end beside the other's", ROD(0.5, 2), ROD(0.25, 2), {UPRIGHT, {1, 0, 2}}, 0.25, UNIQUE},
  {"cylinder lying over a plate", BOX(4, 4, 1), ROD(0.25, 2), {ALONG_X, {0.1, 0.2, 1}}, 0.25, SHARED},
  {"cylinder over a plate's edge", BOX(4, 4, 1), ROD(0.25, 2), {ALONG_X, {2, 0, 1}}, 0.25, SHARED},
  {"cylinder over a plate", BOX(4, 4, 1), ROD(0.25, 2), {UPRIGHT, {0.3, 0, 1.75}}, 0.25, SHARED},
  {"cylinder half over a plate", BOX(4, 4, 1), ROD(0.25, 2), {UPRIGHT, {2, 0, 1.75}}, 0.25, SHARED},
  {"capsule beside capsule", PILL(0.5, 2), PILL(0.25, 1), {UPRIGHT, {0, 1, 0}}, 0.25, SHARED},
  {"capsule across capsule", PILL(0.5, 2), PILL(0.25, 2), {ALONG_Y, {1, 0, 0}}, 0.25, UNIQUE},
  {"capsule lying over a plate", BOX(4, 4, 1), PILL(0.25, 1), {ALONG_X, {0.1, 0, 1}}, 0.25, SHARED},
  {"capsule standing over a plate", BOX(4, 4, 1), PILL(0.25, 2), {UPRIGHT, {0.1, 0, 2}}, 0.25, UNIQUE},
  {"poles of balls", BALL(0.5), BALL(0.25), {UPRIGHT, {0, 0, 1}}, 0.25, UNIQUE},
  {"poles of ellipsoids", EGG(0.3, 0.4, 0.5), EGG(0.2, 0.3, 0.25), {UPRIGHT, {0, 0, 1}}, 0.25, UNIQUE},
  {"corner of a sphere's patches", NET("sphere6"), BALL(0.25), {UPRIGHT, {R3, R3, R3}}, 0.25, UNIQUE},
  {"tip of a cone over a box", BOX(1, 1, 1), CONE(0.5, 1), {UPRIGHT, {0.1, 0, 0.75}}, 0.25, UNIQUE},
  {"tip to tip", CONE(0.5, 1), CONE(0.75, 1), {UPSIDE_DOWN, {0, 0, -0.25}}, 0.25, UNIQUE},
  {"cone lying over a plate", BOX(4, 4, 1), CONE(0.75, 1), {LYING, {-0.5, 0, 0.75}}, 0.25, SHARED},
  {"tip of a lemon over a box", BOX(1, 1, 1), NET("lemon"), {UPRIGHT, {0, 0, 1.55}}, 0.25, UNIQUE},
  {"point over a disc's corner", NET("cylinder"), POINT, {UPRIGHT, {R8, R8, 0.95}}, 0.25, UNIQUE},
  {"point beyond a disc's corner", NET("cylinder"), POINT, {UPRIGHT, {1.6 * R8, 1.6 * R8, 1.1}}, 0.5, UNIQUE},
  {"disc over disc", NET("cylinder"), NET("cylinder"), {UPRIGHT, {0, 0, 1.65}}, 0.25, SHARED},
  {"disc over disc, slid to its corner", NET("cylinder"), NET("cylinder"), {UPRIGHT, {R8, R8, 1.65}}, 0.25, SHARED},
  {"patched cylinder beside its like", NET("cylinder"), NET("cylinder"), {UPRIGHT, {1.25, 0, 0.2}}, 0.25, SHARED},

  {"coincident planes", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {0.3, 0.2, 1}}, 0, SHARED},
  {"coincident faces", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {0, 0, 1}}, 0, SHARED},
  {"cylinder standing on a plate", BOX(4, 4, 1), ROD(0.25, 2), {UPRIGHT, {0.3, 0, 1.5}}, 0, SHARED},
  {"cylinder lying on a plate", BOX(4, 4, 1), ROD(0.25, 2), {ALONG_X, {0.1, 0.2, 0.75}}, 0, SHARED},
  {"cylinders touching", ROD(0.5, 2), ROD(0.25, 2), {UPRIGHT, {0.75, 0, 0.3}}, 0, SHARED},
  {"edges touching", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {1, 0.2, 1}}, 0, SHARED},
  {"corners touching", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {1, 1, 1}}, 0, UNIQUE},
  {"tip of a cone on a box", BOX(1, 1, 1), CONE(0.5, 1), {UPRIGHT, {0.1, 0, 0.5}}, 0, UNIQUE},
  {"balls touching", BALL(0.5), BALL(0.25), {UPRIGHT, {0.45, 0.6, 0}}, 0, UNIQUE},

  {"needle's end", EGG(1, 1e-3, 1e-3), BALL(0.25), {UPRIGHT, {1.5, 0, 0}}, 0.25, UNIQUE},
  {"needle's side", EGG(1, 1e-3, 1e-3), BALL(0.25), {UPRIGHT, {0, 0.501, 0}}, 0.25, UNIQUE},
  {"needles, one over the other", BOX(1, 1e-3, 1e-3), BOX(1, 1e-3, 1e-3), {UPRIGHT, {0.1, 0, 0.251}}, 0.25, SHARED},
  {"wires, parallel", ROD(5e-4, 1), ROD(5e-4, 1), {UPRIGHT, {0.251, 0, 0.1}}, 0.25, SHARED},
  {"wires, crossing", ROD(5e-4, 1), ROD(5e-4, 1), {ALONG_Y, {0.251, 0, 0.1}}, 0.25, UNIQUE},
  {"thin plates", BOX(1, 1, 1e-3), BOX(1, 1, 1e-3), {UPRIGHT, {0.1, 0, 0.251}}, 0.25, SHARED},
  {"coin over a plate", BOX(1, 1, 1e-3), ROD(0.5, 1e-3), {UPRIGHT, {0.1, 0, 0.251}}, 0.25, SHARED},
  {"coin's rim", BOX(1, 1, 1), ROD(0.5, 1e-3), {ALONG_X, {0.1, 0, 1.25}}, 0.25, SHARED},
  {"spike over a plate", BOX(1, 1, 1e-3), CONE(5e-4, 1), {UPRIGHT, {0.1, 0, 0.2505}}, 0.25, UNIQUE},
  {"flat ellipsoids", EGG(1, 1, 1e-3), EGG(1, 1, 1e-3), {UPRIGHT, {0, 0, 0.252}}, 0.25, UNIQUE},
  {"flat ellipsoids, rim to rim", EGG(1, 1, 1e-3), EGG(1, 1, 1e-3), {UPRIGHT, {2.25, 0, 0}}, 0.25, UNIQUE},

  {"grain over a hall", BOX(1e3, 1e3, 1e3), BALL(1e-3), {UPRIGHT, {300, 200, 500.0011}}, 1e-4, UNIQUE},
  {"dice over a hall", BOX(1e3, 1e3, 1e3), BOX(1e-3, 1e-3, 1e-3), {UPRIGHT, {300, 200, 500.0006}}, 1e-4, SHARED},
  {"pin lying over a hall", BOX(1e3, 1e3, 1e3), ROD(1e-3, 0.02), {ALONG_X, {300, 200, 500.0011}}, 1e-4, SHARED},
  {"grain over a dome", BALL(1e3), BALL(1e-3), {UPRIGHT, {0, 0, 1000.0011}}, 1e-4, UNIQUE},
  {"balls far apart", BALL(0.5), BALL(0.25), {UPRIGHT, {600, 800, 0}}, 999.25, UNIQUE},
  {"boxes far apart", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {0.2, 0.3, 1e3}}, 999, SHARED},
  {"cylinders far apart", ROD(0.5, 2), ROD(0.25, 2), {UPRIGHT, {600, 800, 0.5}}, 999.25, SHARED},
  {"ellipsoids far apart", EGG(0.3, 0.4, 0.5), EGG(0.2, 0.3, 0.25), {UPRIGHT, {0, 1e3, 0}}, 999.3, UNIQUE},

  {"concentric balls", BALL(0.5), BALL(0.25), {UPRIGHT, {0, 0, 0}}, -0.75, SHARED},
  {"identical balls", BALL(0.5), BALL(0.5), {UPRIGHT, {0, 0, 0}}, -1, SHARED},
  {"identical boxes", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {0, 0, 0}}, -1, SHARED},
  {"identical ellipsoids", EGG(0.3, 0.4, 0.5), EGG(0.3, 0.4, 0.5), {UPRIGHT, {0, 0, 0}}, -0.6, EITHER},
  {"identical cylinders", ROD(0.5, 2), ROD(0.5, 2), {UPRIGHT, {0, 0, 0}}, -1, SHARED},
  {"ball in the middle of a box", BOX(1, 1, 1), BALL(0.25), {UPRIGHT, {0, 0, 0}}, -0.75, EITHER},
  {"boxes overlapping", BOX(1, 1, 1), BOX(1, 1, 1), {UPRIGHT, {0.3, 0.2, 0.75}}, -0.25, SHARED},
  {"cylinders overlapping", ROD(0.5, 2), ROD(0.25, 2), {UPRIGHT, {0.5, 0, 0.3}}, -0.25, SHARED},
  {"ellipsoids overlapping", EGG(0.3, 0.4, 0.5), EGG(0.2, 0.3, 0.25), {UPRIGHT, {0, 0, 0.7}}, -0.05, UNIQUE},
};
/* clang-format on */

enum { SETTINGS = sizeof settings / sizeof *settings };

static inline clp_body *make_net(const char *name, double scale)
{
  tiled t;
  tiled_load(&t, name);
  for (int k = 0; k < t.count; ++k)
    for (int i = 0; i < net_size(&t.nets[k]); ++i)
      for (int lane = 0; lane < 3; ++lane)
        t.nets[k].points[i][lane] *= scale;
  return must_create(&t.def);
}

static inline clp_body *make_figure(const figure *f, double scale)
{
  if (f->net)
    return make_net(f->net, scale);
  clp_body_def def = clp_default_body_def(f->shape);
  clp_profile_piece cone[2] = {
      {.kind = CLP_PROFILE_LINE, .r = scale * f->radius, .z = scale * f->length},
      {.kind = CLP_PROFILE_LINE, .r = 0, .z = scale * f->length}};
  def.size = clp_scale(scale, f->size);
  def.radius = scale * f->radius;
  def.length = scale * f->length;
  if (f->shape == CLP_SHAPE_REVOLVED)
    def.revolved = (clp_revolved_def){.pieces = cone, .piece_count = 2};
  return must_create(&def);
}

#endif
