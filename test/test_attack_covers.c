/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/attack.h"
#include "support/attack_faults.h"

/* Bodies that cover something twice: surfaces that wind round more than once, second shells,
 * specks, fins and needles, overhangs, strips that are crossed, reversed or left out, crossing
 * faces. */

static const attack_layout plain = {.name = "plain", .degree = 1};

/* ---- Winding -------------------------------------------------------------------------------- */

/* r = 1 + wobble cos(share theta + 0.3) goes round 1 / share times before it closes. */
typedef struct winding {
  const char *name;
  int turns, pieces; /* pieces in all */
  int profile;       /* 0: two cones, 1: two domes, 2: a prism with two lids */
  double height;
  bool uneven; /* joints as in the first one that was found */
} winding;

static const winding windings[] = {
    {"bicone twice, 5 pieces", 2, 5, 0, 0.6, true},
    {"bicone twice, 8 pieces", 2, 8, 0, 0.6, false},
    {"bicone twice, 13 pieces", 2, 13, 0, 2, false},
    {"bicone thrice", 3, 9, 0, 0.6, false},
    {"bicone four times", 4, 14, 0, 1, false},
    {"flat bicone twice", 2, 7, 0, 0.05, false},
    {"domes twice", 2, 7, 1, 0.5, false},
    {"domes thrice", 3, 11, 1, 0.8, false},
    {"prism twice", 2, 9, 2, 0.5, false},
    {"prism thrice", 3, 10, 2, 0.3, false},
};

typedef struct joint {
  double x, y, tx, ty;
} joint;

static joint joint_at(double theta, double share, double wobble)
{
  double r = 1 + wobble * cos(share * theta + 0.3), dr = -wobble * share * sin(share * theta + 0.3);
  double c = cos(theta), s = sin(theta);
  return (joint){r * c, r * s, dr * c - r * s, dr * s + r * c};
}

/* The conic between two joints, its shoulder where their tangents meet. */
static void conic(const joint *a, const joint *b, double turn, double points[3][3])
{
  double cross = a->tx * b->ty - a->ty * b->tx;
  double along = ((b->x - a->x) * b->ty - (b->y - a->y) * b->tx) / cross;
  const double rows[3][3] = {{a->x, a->y, 1},
                             {a->x + along * a->tx, a->y + along * a->ty, cos(0.5 * turn)},
                             {b->x, b->y, 1}};
  memcpy(points, rows, sizeof rows);
}

/* A patch over a conic: rows of it, each scaled, at a height, weighted. */
static void add_over(attack_body *body, const double arc[3][3], int degree,
                     const double (*profile)[3])
{
  double points[12][4];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= degree; ++j) {
      const double c[4] = {arc[i][0] * profile[j][0], arc[i][1] * profile[j][0], profile[j][1],
                           arc[i][2] * profile[j][2]};
      memcpy(points[i * (degree + 1) + j], c, sizeof c);
    }
  attack_patch *p = attack_grid(body, &plain, 2, degree, (const double(*)[4])points);
  /* u runs counter-clockwise, and v has to run up */
  p->flip = false;
  attack_mark_patch(body, body->count - 1);
}

static bool build_winding(attack_body *body, int number, double epsilon, char *name)
{
  static const double uneven[6] = {0, 160, 300, 450, 580, 720};
  const winding *w = &windings[number];
  double h = w->height, wobble = 0.4 * epsilon;
  const double low[3][2][3] = {{{0, -h, 1}, {1, 0, 1}}, {{0, 0, 1}}, {{0, -h, 1}, {1, -h, 1}}};
  const double high[3][2][3] = {{{1, 0, 1}, {0, h, 1}}, {{0, 0, 1}}, {{1, h, 1}, {0, h, 1}}};
  const double wall[2][3] = {{1, -h, 1}, {1, h, 1}};
  const double dome_low[3][3] = {{0, -h, 1}, {0.7, -h, 0.8}, {1, 0, 1}};
  const double dome_high[3][3] = {{1, 0, 1}, {0.7, h, 0.8}, {0, h, 1}};
  snprintf(name, 96, "%s", w->name);
  body->never = true;
  body->size = sqrt(8 + 4 * h * h);
  for (int k = 0; k < w->pieces; ++k) {
    double step = 360.0 * w->turns / w->pieces, degree = attack_pi / 180, arc[3][3];
    double from = degree * (w->uneven ? uneven[k] : k * step);
    double to = degree * (w->uneven ? uneven[k + 1] : (k + 1) % w->pieces * step);
    double turn = w->uneven || k + 1 < w->pieces ? to - from : degree * step;
    joint a = joint_at(from, 1.0 / w->turns, wobble), b = joint_at(to, 1.0 / w->turns, wobble);
    if (w->uneven && k + 1 == w->pieces)
      b = joint_at(0, 1.0 / w->turns, wobble);
    conic(&a, &b, turn, arc);
    bool dome = w->profile == 1;
    add_over(body, (const double(*)[3])arc, dome ? 2 : 1, dome ? dome_low : low[w->profile]);
    add_over(body, (const double(*)[3])arc, dome ? 2 : 1, dome ? dome_high : high[w->profile]);
    if (w->profile == 2)
      add_over(body, (const double(*)[3])arc, 1, wall);
  }
  return true;
}

ATTACK_SUITE("covers");

TEST_CASE("covers", 60);

LOOP_TEST(winds, 0, (int)(sizeof windings / sizeof *windings))
{
  attack_family(build_winding, _i);
}

/* ---- Second shells --------------------------------------------------------------------------- */

static void add_box_at(attack_body *body, clp_vec3 center, clp_vec3 half)
{
  clp_vec3 corners[8], inside = body->inside;
  double size = body->size;
  for (int k = 0; k < 8; ++k)
    corners[k] = clp_add(center, attack_corner(k, (double[3]){half.x, half.y, half.z}));
  body->inside = center;
  int first = body->count;
  attack_hexahedron(body, &plain, corners);
  body->inside = inside;
  body->size = size;
  for (int k = first; k < body->count; ++k)
    attack_mark_patch(body, k);
}

/* A box of the size of the fault, or as thin as that, somewhere. */
static bool build_speck(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {
      "speck apart",         "speck at a corner",   "speck within",       "speck on a face",
      "fin on an edge",      "fin on a face",       "needle at a corner", "plate on a face",
      "boxes share an edge", "boxes share a corner"};
  double e = epsilon;
  const clp_vec3 centers[] = {{1.3, 0, 0},           {1 + e, .5 + e, .5 + e},
                              {0.2, 0.1, 0},         {0.3, 0.1, .5 + e},
                              {0, -.5 - e, .7},      {0.1, 0, .7},
                              {1.2, .5 + e, .5 + e}, {0, 0, .5 + e},
                              {0, -.5 - e, .5 + e},  {1 + e, .5 + e, .5 + e}};
  const clp_vec3 halves[] = {{e, e, e},     {e, e, e},   {e, e, e},     {e, e, e}, {0.3, e, 0.2},
                             {0.3, e, 0.2}, {0.2, e, e}, {0.3, 0.3, e}, {1, e, e}, {e, e, e}};
  const attack_solid *solid = &attack_solids[number < 10 ? 0 : 7];
  int kind = number % 10;
  solid->build(body, &plain);
  snprintf(name, 96, "%s: %s", kinds[kind], solid->name);
  add_box_at(body, centers[kind], halves[kind]);
  return true;
}

LOOP_TEST(speck, 0, 20)
{
  attack_family(build_speck, _i);
}

/* The body once more, smaller, or one patch of it once more, or a needle with two equal sides. */
static bool build_again(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {"shell within", "hollow", "patch twice", "patch as lining"};
  static const int layouts[] = {0, 2, 4, 9};
  int kind = number % 4, which = number / 4;
  const attack_layout *layout = &attack_layouts[layouts[which % 4]];
  const attack_solid *solid =
      &attack_solids[layout->solids[(size_t)number % strlen(layout->solids)] - '0'];
  solid->build(body, layout);
  snprintf(name, 96, "%s: %s, %s", kinds[kind], solid->name, layout->name);
  int count = body->count;
  body->never = true;
  for (int k = 0; k < (kind < 2 ? count : 1); ++k) {
    attack_patch *p = attack_copy(body, k);
    for (int i = 0; i < p->size[0] * p->size[1]; ++i) {
      double *c = p->points + 4 * i;
      attack_move(c, -epsilon / body->size, clp_sub(attack_vector(c), body->inside));
    }
    p->flip = kind % 2 == 1 ? !p->flip : p->flip;
  }
  return true;
}

LOOP_TEST(again, 0, 16)
{
  attack_family(build_again, _i);
}

/* ---- The box with a strip along one edge ------------------------------------------------------
 */

/* Of the end faces the corners in the plane of y and z: E and D are the strip's. */
static void add_ends(attack_body *body, const clp_vec3 c[5])
{
  for (int side = -1; side <= 1; side += 2) {
    clp_vec3 p[5];
    for (int k = 0; k < 5; ++k)
      p[k] = (clp_vec3){side, c[k].y, c[k].z};
    attack_quad(body, &plain, p[0], p[1], p[4], p[2]);
    attack_quad(body, &plain, p[4], p[2], p[3], p[3]);
  }
}

static clp_vec3 at_x(clp_vec3 c, double x)
{
  return (clp_vec3){x, c.y, c.z};
}

static attack_patch *add_along(attack_body *body, clp_vec3 a, clp_vec3 b)
{
  return attack_quad(body, &plain, at_x(a, -1), at_x(a, 1), at_x(b, -1), at_x(b, 1));
}

/* The top ends at y = -0.5 + back, the front at z = 0.5 - down; the strip lies between. */
typedef struct strip {
  const char *name;
  double back, down; /* of the size of the fault */
  int fault;         /* 0 none besides, 1 reversed, 2 left out, 3 crossed, 4 twice */
} strip;

static const strip strips[] = {{"overhang", -1, 1, 0},         {"overhang, steep", -0.1, 1, 0},
                               {"overhang, flat", -1, 0.1, 0}, {"strip inside out", -1, -1, 0},
                               {"front overhangs", 1, -1, 0},  {"strip reversed", 1, 1, 1},
                               {"strip left out", 1, 1, 2},    {"strip crossed", 1, 1, 3},
                               {"strip twice", 1, 1, 4},       {"narrow strip left out", 1, 0, 2}};

static bool build_strip(attack_body *body, int number, double epsilon, char *name)
{
  const strip *s = &strips[number];
  double back = s->back * epsilon, down = s->down * epsilon;
  const clp_vec3 c[5] = {
      {0, -.5, -.5}, {0, .5, -.5}, {0, .5, .5}, {0, -.5 + back, .5}, {0, -.5, .5 - down}};
  snprintf(name, 96, "%s", s->name);
  body->size = sqrt(6);
  add_along(body, c[0], c[1]);
  add_along(body, c[1], c[2]);
  add_along(body, c[2], c[3]);
  add_along(body, c[4], c[0]);
  add_ends(body, c);
  for (int k = 4; k < body->count; ++k)
    attack_mark_patch(body, k);
  if (s->fault == 2)
    return true;
  attack_patch *p = s->fault == 3 ? attack_quad(body, &plain, at_x(c[3], -1), at_x(c[4], 1),
                                                at_x(c[4], -1), at_x(c[3], 1))
                                  : add_along(body, c[3], c[4]);
  /* outwards where it leads from the top down to the front */
  p->flip = false;
  attack_spot middle = attack_middle(p);
  p->flip = middle.normal.z - middle.normal.y < 0;
  p->flip = s->fault == 1 ? !p->flip : p->flip;
  attack_mark_patch(body, body->count - 1);
  if (s->fault == 4)
    attack_copy(body, body->count - 1);
  return true;
}

LOOP_TEST(strip_along_an_edge, 0, (int)(sizeof strips / sizeof *strips))
{
  attack_family(build_strip, _i);
}

/* ---- Hexahedra out of shape --------------------------------------------------------------------
 */

/* The eight corners after a fault: walls that are saddles, faces that cross. */
static bool build_bent(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {"top turned",    "corner down",   "corner up",
                                      "edges crossed", "faces crossed", "corner through"};
  static const int layouts[] = {0, 1, 9};
  int kind = number % 6;
  const attack_layout *layout = &attack_layouts[layouts[number / 6]];
  double thick = kind < 3 ? 1 : 0.3, half[3] = {1, 0.5, 0.5 * thick};
  clp_vec3 c[8];
  for (int k = 0; k < 8; ++k)
    c[k] = attack_corner(k, half);
  for (int k = 4; k < 8 && kind == 0; ++k) {
    double a = epsilon / 2.5, x = c[k].x, y = c[k].y;
    c[k].x = x * cos(a) - y * sin(a);
    c[k].y = x * sin(a) + y * cos(a);
  }
  if (kind == 1 || kind == 2)
    c[7].z += kind == 1 ? -epsilon : epsilon;
  if (kind == 3) /* the top's two ends along x = 1 change places, all but the fault's size */
    c[5].y = epsilon, c[7].y = -epsilon;
  if (kind == 4)
    c[5].z = c[7].z = c[1].z - epsilon;
  if (kind == 5)
    c[7].z = c[3].z - epsilon;
  snprintf(name, 96, "%s: box, %s", kinds[kind], layout->name);
  body->inside = (clp_vec3){-0.5, 0, 0};
  body->size = sqrt(5 + thick * thick);
  attack_hexahedron(body, layout, c);
  for (int k = 0; k < 6; ++k)
    attack_mark_patch(body, k);
  return true;
}

LOOP_TEST(bent, 0, 18)
{
  attack_family(build_bent, _i);
}

/* ---- Towers, pits, ridges, grooves ------------------------------------------------------------
 */

/* The top in 3 x 3 fields, the middle one of the fault's width and lifted or sunk: all edges match.
 */
static void add_tower(attack_body *body, double e, double height)
{
  const double x[4] = {-1, 0.3 - e, 0.3 + e, 1}, y[4] = {-0.5, 0.1 - e, 0.1 + e, 0.5};
  clp_vec3 foot[4], head[4];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (i != 1 || j != 1)
        attack_quad(body, &plain, (clp_vec3){x[i], y[j], 0.5}, (clp_vec3){x[i + 1], y[j], 0.5},
                    (clp_vec3){x[i], y[j + 1], 0.5}, (clp_vec3){x[i + 1], y[j + 1], 0.5});
  for (int k = 0; k < 4; ++k) {
    foot[k] = (clp_vec3){x[1 + k % 2], y[1 + k / 2], 0.5};
    head[k] = (clp_vec3){foot[k].x, foot[k].y, 0.5 + height};
  }
  static const int walls[4][2] = {{0, 1}, {1, 3}, {3, 2}, {2, 0}};
  int first = body->count;
  for (int k = 0; k < 4; ++k)
    attack_quad(body, &plain, foot[walls[k][0]], foot[walls[k][1]], head[walls[k][0]],
                head[walls[k][1]])
        ->flip = false;
  attack_quad(body, &plain, head[0], head[1], head[2], head[3])->flip = false;
  for (int k = first; k < body->count; ++k)
    attack_mark_patch(body, k);
}

/* One half of the box beside a ridge or a groove along y, of the fault's width. */
static void add_half(attack_body *body, double side, double e, double height)
{
  double x[4] = {side, side * e, 0, 0};
  for (int end = -1; end <= 1; end += 2) {
    double y = 0.5 * end;
    const clp_vec3 a = {x[0], y, -.5}, o = {0, y, -.5}, v = {0, y, .5 + height}, n = {x[1], y, .5},
                   d = {x[0], y, .5};
    attack_quad(body, &plain, a, o, d, n);
    attack_quad(body, &plain, o, v, n, n);
  }
  attack_quad(body, &plain, (clp_vec3){x[1], -.5, .5}, (clp_vec3){x[0], -.5, .5},
              (clp_vec3){x[1], .5, .5}, (clp_vec3){x[0], .5, .5});
  attack_patch *p =
      attack_quad(body, &plain, (clp_vec3){x[1], -.5, .5}, (clp_vec3){0, -.5, .5 + height},
                  (clp_vec3){x[1], .5, .5}, (clp_vec3){0, .5, .5 + height});
  p->flip = false;
  p->flip = attack_middle(p).normal.z < 0;
  attack_mark_patch(body, body->count - 1);
}

static bool build_tower(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {"tower",  "pit",           "low tower",     "ridge",
                                      "groove", "shallow ridge", "shallow groove"};
  static const double heights[] = {0.3, -0.3, 1e-3, 0.3, -0.3, 1e-4, -1e-4};
  bool ridge = number >= 3;
  double half[3] = {1, 0.5, 0.5};
  snprintf(name, 96, "%s", kinds[number]);
  body->size = sqrt(6);
  if (ridge) {
    add_half(body, -1, 0.4 * epsilon, heights[number]);
    add_half(body, 1, 0.4 * epsilon, heights[number]);
  } else {
    add_tower(body, 0.4 * epsilon, heights[number]);
  }
  for (int k = 0; k < 6; ++k) {
    const int *f = attack_box_faces[k];
    bool there = k != 5 && (!ridge || (k != 2 && k != 3));
    if (there)
      attack_quad(body, &plain, attack_corner(f[0], half), attack_corner(f[1], half),
                  attack_corner(f[2], half), attack_corner(f[3], half));
  }
  return true;
}

LOOP_TEST(tower, 0, 7)
{
  attack_family(build_tower, _i);
}
