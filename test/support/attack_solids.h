/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ATTACK_SOLIDS_H
#define TEST_SUPPORT_ATTACK_SOLIDS_H

#include "support/attack_patch.h"
#include "support/sphere_net.h"

/* Sound bodies of patches, each in any layout: closed and convex but for the rounding of their
 * numbers. Faults are put into them elsewhere. */

static const double attack_pi = 3.14159265358979323846;

/* A Bezier net of (x y z w) in `layout`, oriented outwards. */
static inline attack_patch *attack_grid(attack_body *body, const attack_layout *layout,
                                        int degree_u, int degree_v, const double (*points)[4])
{
  static attack_net net;
  attack_net_bezier(&net, degree_u, degree_v);
  for (int i = 0; i <= degree_u; ++i)
    for (int j = 0; j <= degree_v; ++j) {
      const double *c = points[i * (degree_v + 1) + j];
      attack_net_set(&net, i, j, c, (long double)c[3]);
    }
  attack_layout_apply(&net, layout, body->count % 2 == 1);
  attack_patch *p = attack_add(body, &net);
  attack_orient(body, p);
  return p;
}

/* Bilinear: a and b at v = 0, c and d at v = 1. */
static inline attack_patch *attack_quad(attack_body *body, const attack_layout *layout, clp_vec3 a,
                                        clp_vec3 b, clp_vec3 c, clp_vec3 d)
{
  const double points[4][4] = {
      {a.x, a.y, a.z, 1}, {c.x, c.y, c.z, 1}, {b.x, b.y, b.z, 1}, {d.x, d.y, d.z, 1}};
  return attack_grid(body, layout, 1, 1, points);
}

static inline clp_vec3 attack_corner(int k, const double half[3])
{
  return (clp_vec3){k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                    k & 4 ? half[2] : -half[2]};
}

/* Faces x- x+ y- y+ z- z+ over any eight corners, numbered by the bits of x, y and z. */
static const int attack_box_faces[6][4] = {{0, 2, 4, 6}, {1, 3, 5, 7}, {0, 1, 4, 5},
                                           {2, 3, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}};

static inline void attack_hexahedron(attack_body *body, const attack_layout *layout,
                                     const clp_vec3 corners[8])
{
  for (int k = 0; k < 6; ++k) {
    const int *f = attack_box_faces[k];
    attack_quad(body, layout, corners[f[0]], corners[f[1]], corners[f[2]], corners[f[3]]);
  }
}

static inline void attack_box_of(attack_body *body, const attack_layout *layout, double x, double y,
                                 double z)
{
  clp_vec3 corners[8];
  for (int k = 0; k < 8; ++k)
    corners[k] = attack_corner(k, (double[3]){0.5 * x, 0.5 * y, 0.5 * z});
  body->size = sqrt(x * x + y * y + z * z);
  attack_hexahedron(body, layout, corners);
}

static inline void attack_box(attack_body *body, const attack_layout *layout)
{
  attack_box_of(body, layout, 2, 1, 1);
}

/* A roof over a rectangle: two collapsed sides in its gables. */
static inline void attack_wedge_of(attack_body *body, const attack_layout *layout, double width,
                                   double height)
{
  double y = 0.5 * width;
  const clp_vec3 a = {-1, -y, 0}, b = {1, -y, 0}, c = {-1, y, 0}, d = {1, y, 0},
                 left = {-1, 0, height}, right = {1, 0, height};
  body->inside = (clp_vec3){0, 0, 0.3 * height};
  body->size = sqrt(4 + width * width + height * height);
  attack_quad(body, layout, a, b, c, d);
  attack_quad(body, layout, a, b, left, right);
  attack_quad(body, layout, c, d, left, right);
  attack_quad(body, layout, a, c, left, left);
  attack_quad(body, layout, b, d, right, right);
}

static inline void attack_wedge(attack_body *body, const attack_layout *layout)
{
  attack_wedge_of(body, layout, 1, 0.8);
}

/* ---- Turned -------------------------------------------------------------------------------- */

/* A quarter turn about z, as three points on the unit circle's tangents and the middle's weight. */
static inline void attack_quarter(int k, double points[3][3])
{
  static const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
  int n = (k + 1) % 4;
  const double rows[3][3] = {{cosine[k], sine[k], 1},
                             {cosine[k] + cosine[n], sine[k] + sine[n], sqrt(0.5)},
                             {cosine[n], sine[n], 1}};
  memcpy(points, rows, sizeof rows);
}

/* A profile of (r z w) turned about z in four patches. */
static inline void attack_turned(attack_body *body, const attack_layout *layout, int degree,
                                 const double (*profile)[3])
{
  for (int k = 0; k < 4; ++k) {
    double arc[3][3], points[3 * (ATTACK_DEGREE + 1)][4];
    attack_quarter(k, arc);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= degree; ++j) {
        double *c = points[i * (degree + 1) + j];
        c[0] = arc[i][0] * profile[j][0];
        c[1] = arc[i][1] * profile[j][0];
        c[2] = profile[j][1];
        c[3] = arc[i][2] * profile[j][2];
      }
    attack_grid(body, layout, 2, degree, (const double(*)[4])points);
  }
}

static inline void attack_cylinder(attack_body *body, const attack_layout *layout)
{
  body->size = sqrt(2 * 1.44 + 1);
  attack_turned(body, layout, 1, (const double[][3]){{0, -0.5, 1}, {0.6, -0.5, 1}});
  attack_turned(body, layout, 1, (const double[][3]){{0.6, -0.5, 1}, {0.6, 0.5, 1}});
  attack_turned(body, layout, 1, (const double[][3]){{0.6, 0.5, 1}, {0, 0.5, 1}});
}

static inline void attack_cone(attack_body *body, const attack_layout *layout)
{
  body->size = sqrt(2 * 2.56 + 1);
  attack_turned(body, layout, 1, (const double[][3]){{0, -0.3, 1}, {0.8, -0.3, 1}});
  attack_turned(body, layout, 1, (const double[][3]){{0.8, -0.3, 1}, {0, 0.7, 1}});
}

static inline void attack_bicone(attack_body *body, const attack_layout *layout)
{
  body->size = sqrt(8 + 1.44);
  attack_turned(body, layout, 1, (const double[][3]){{0, -0.6, 1}, {1, 0, 1}});
  attack_turned(body, layout, 1, (const double[][3]){{1, 0, 1}, {0, 0.6, 1}});
}

/* Two caps of spheres of height h over the unit circle: with q = (h^2 - 1) / 2h the height of the
 * center the shoulder is where the rim's tangent reaches h. */
static inline void attack_lens_of(attack_body *body, const attack_layout *layout, double h)
{
  double below = (1 - h * h) / (2 * h), shoulder = 1 - h * below, weight;
  weight = cos(0.5 * atan2(1, below));
  body->size = sqrt(8 + 4 * h * h);
  attack_turned(body, layout, 2,
                (const double[][3]){{0, -h, 1}, {shoulder, -h, weight}, {1, 0, 1}});
  attack_turned(body, layout, 2, (const double[][3]){{1, 0, 1}, {shoulder, h, weight}, {0, h, 1}});
}

static inline void attack_lens(attack_body *body, const attack_layout *layout)
{
  attack_lens_of(body, layout, 0.4);
}

/* ---- Curved -------------------------------------------------------------------------------- */

static inline void attack_sphere(attack_body *body, const attack_layout *layout)
{
  body->size = sqrt(3);
  for (int k = 0; k < SPHERE_NET_FACES; ++k) {
    double points[25][4];
    sphere_net(k, points[0]);
    attack_grid(body, layout, 4, 4, (const double(*)[4])points);
  }
}

/* Over a curve of degree n in the plane y = const, its shadow on z = base. */
static inline void attack_wall(attack_body *body, const attack_layout *layout, int n,
                               const double (*curve)[4], double base)
{
  double points[2 * (ATTACK_DEGREE + 1)][4];
  for (int i = 0; i <= n; ++i) {
    memcpy(points[2 * i], curve[i], sizeof points[0]);
    memcpy(points[2 * i + 1], curve[i], sizeof points[0]);
    points[2 * i][2] = base;
  }
  attack_grid(body, layout, n, 1, (const double(*)[4])points);
}

/* z = 0.5 - 0.4 x^4, extruded along y: curvature vanishes at x = 0. */
static inline void attack_roof(attack_body *body, const attack_layout *layout)
{
  /* x^4 over [-1, 1] has the coefficients 1 -1 1 -1 1 */
  double front[5][4], back[5][4], top[10][4];
  for (int i = 0; i < 5; ++i) {
    const double c[4] = {-1 + 0.5 * i, -0.5, i % 2 ? 0.9 : 0.1, 1};
    memcpy(front[i], c, sizeof c);
    memcpy(back[i], c, sizeof c);
    back[i][1] = 0.5;
    memcpy(top[2 * i], front[i], sizeof c);
    memcpy(top[2 * i + 1], back[i], sizeof c);
  }
  body->size = sqrt(6);
  attack_grid(body, layout, 4, 1, (const double(*)[4])top);
  attack_wall(body, layout, 4, (const double(*)[4])front, -0.5);
  attack_wall(body, layout, 4, (const double(*)[4])back, -0.5);
  const clp_vec3 a = {-1, -.5, -.5}, b = {1, -.5, -.5}, c = {-1, .5, -.5}, d = {1, .5, -.5};
  attack_quad(body, layout, a, b, c, d);
  attack_quad(body, layout, a, c, (clp_vec3){-1, -.5, .1}, (clp_vec3){-1, .5, .1});
  attack_quad(body, layout, b, d, (clp_vec3){1, -.5, .1}, (clp_vec3){1, .5, .1});
}

/* A quarter of a rounded disc, extruded: a curved wall, two fans, two flat walls. */
static inline void attack_prism(attack_body *body, const attack_layout *layout)
{
  const double x[3] = {1, 1, 0}, y[3] = {0, 1, 1}, w[3] = {1, 0.7, 1};
  const clp_vec3 axis = {0, 0, -0.6}, axis_top = {0, 0, 0.6};
  double wall[6][4], bottom[6][4], top[6][4];
  for (int k = 0; k < 6; ++k) {
    double z = k % 2 ? 0.6 : -0.6, on = k % 2;
    int i = k / 2;
    memcpy(wall[k], (double[4]){x[i], y[i], z, w[i]}, sizeof wall[k]);
    memcpy(bottom[k], (double[4]){on * x[i], on * y[i], -0.6, w[i]}, sizeof bottom[k]);
    memcpy(top[k], (double[4]){on * x[i], on * y[i], 0.6, w[i]}, sizeof top[k]);
  }
  body->inside = (clp_vec3){0.4, 0.4, 0};
  body->size = sqrt(2 + 1.44);
  attack_grid(body, layout, 2, 1, (const double(*)[4])wall);
  attack_grid(body, layout, 2, 1, (const double(*)[4])bottom);
  attack_grid(body, layout, 2, 1, (const double(*)[4])top);
  attack_quad(body, layout, axis, (clp_vec3){1, 0, -0.6}, axis_top, (clp_vec3){1, 0, 0.6});
  attack_quad(body, layout, axis, (clp_vec3){0, 1, -0.6}, axis_top, (clp_vec3){0, 1, 0.6});
}

/* z = 0.5 - 0.3 (x^2 + y^2) over a square, on four walls. */
static inline void attack_dome(attack_body *body, const attack_layout *layout)
{
  static const double bump[3] = {1, -1, 1}, at[3] = {-1, 0, 1}; /* x^2 over [-1, 1] */
  double top[9][4], wall[4][3][4];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      memcpy(top[3 * i + j], (double[4]){at[i], at[j], 0.5 - 0.3 * (bump[i] + bump[j]), 1},
             sizeof top[0]);
    double z = 0.5 - 0.3 * (bump[i] + 1);
    for (int k = 0; k < 4; ++k) {
      double side = k % 2 ? 1 : -1;
      const double c[4] = {k < 2 ? at[i] : side, k < 2 ? side : at[i], z, 1};
      memcpy(wall[k][i], c, sizeof c);
    }
  }
  body->size = 3;
  attack_grid(body, layout, 2, 2, (const double(*)[4])top);
  for (int k = 0; k < 4; ++k)
    attack_wall(body, layout, 2, (const double(*)[4])wall[k], -0.5);
  attack_quad(body, layout, (clp_vec3){-1, -1, -.5}, (clp_vec3){1, -1, -.5}, (clp_vec3){-1, 1, -.5},
              (clp_vec3){1, 1, -.5});
}

/* ---- All of them ---------------------------------------------------------------------------- */

typedef struct attack_solid {
  const char *name;
  void (*build)(attack_body *body, const attack_layout *layout);
} attack_solid;

static const attack_solid attack_solids[] = {
    {"box", attack_box},       {"wedge", attack_wedge}, {"cylinder", attack_cylinder},
    {"sphere", attack_sphere}, {"lens", attack_lens},   {"prism", attack_prism},
    {"cone", attack_cone},     {"roof", attack_roof},   {"bicone", attack_bicone},
    {"dome", attack_dome},
};

enum { ATTACK_SOLIDS = sizeof attack_solids / sizeof *attack_solids };

#endif
