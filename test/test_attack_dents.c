/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/attack.h"
#include "support/attack_faults.h"

/* Bodies that close and are not convex: dents and bumps within faces, creases, folds and ripples,
 * notches and swellings of edges that both sides follow, corners out of place, faces that turn up
 * before an edge or a pole, and one dent among very many spans. */

/* ---- Inside one face ------------------------------------------------------------------------ */

/* One of the patches, and its control point inside with the shortest reach. */
static attack_patch *choose_local(attack_body *body, int number, int *k, int at[2])
{
  *k = number % body->count;
  attack_patch *p = &body->patches[*k];
  for (int d = 0; d < 2; ++d)
    at[d] = attack_local(p, d, 1);
  return p;
}

/* Every other control point of a row in, those between out. */
static void ripple(attack_body *body, int k, attack_patch *p, double epsilon, clp_vec3 normal)
{
  for (int i = 1; i < p->size[0] - 1; ++i)
    for (int j = 1; j < p->size[1] - 1; ++j)
      attack_move(attack_point(p, i, j), i % 2 ? epsilon : -epsilon, normal);
  attack_mark_patch(body, k);
}

/* As many control points in one place as make a corner of the curve along u, which is sunk. */
static void pinch(attack_body *body, int k, attack_patch *p, const int at[2], double epsilon,
                  clp_vec3 normal)
{
  double *center = attack_point(p, at[0], at[1]);
  attack_move(center, -epsilon, normal);
  for (int i = 1; i < p->size[0] - 1; ++i)
    if (2 * abs(i - at[0]) < p->degree[0])
      memcpy(attack_point(p, i, at[1]), center, 3 * sizeof *center);
  attack_mark_patch(body, k);
}

/* A whole inner row or all of the inside, sunk. */
static void sink(attack_body *body, int k, attack_patch *p, int row, double epsilon,
                 clp_vec3 normal)
{
  for (int i = 1; i < p->size[0] - 1; ++i)
    for (int j = 1; j < p->size[1] - 1; ++j)
      if (row < 0 || i == row)
        attack_move(attack_point(p, i, j), -epsilon, normal);
  attack_mark_patch(body, k);
}

static bool build_inside(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const faults[] = {"dent",  "bump",  "groove", "dish",      "ripple",
                                       "pinch", "slide", "weight", "heavy bump"};
  int fault = number / attack_variants(), variant = number % attack_variants(), k, at[2];
  attack_choose(body, fault, variant, 3, faults[fault], name);
  attack_patch *p = choose_local(body, number, &k, at);
  attack_spot middle = attack_middle(p);
  double *c = attack_point(p, at[0], at[1]);
  clp_vec3 along = clp_unit(clp_sub(attack_place(p, at[0] + 1, at[1]), middle.point));
  if (fault == 8)
    c[3] *= 1e6;
  if (fault < 2 || fault == 8)
    attack_move(c, fault == 0 ? -epsilon : epsilon, middle.normal);
  else if (fault == 2 || fault == 3)
    sink(body, k, p, fault == 2 ? at[0] : -1, epsilon, middle.normal);
  else if (fault == 4)
    ripple(body, k, p, epsilon, middle.normal);
  else if (fault == 5)
    pinch(body, k, p, at, epsilon, middle.normal);
  else if (fault == 6)
    attack_move(c, epsilon, along);
  else
    c[3] *= 1 - 4.9 * epsilon / (2.5 + epsilon);
  attack_mark_point(body, k, at[0], at[1]);
  return true;
}

ATTACK_SUITE("dents");

TEST_CASE("dents", 120);

LOOP_TEST(inside, 0, 9 * attack_variants())
{
  attack_family(build_inside, _i);
}

/* ---- Along an edge --------------------------------------------------------------------------- */

/* A control point next to a pole. */
static bool near_pole(attack_body *body, int number, double by, bool in)
{
  for (int k = 0; k < 4 * body->count; ++k) {
    int patch = (number + k / 4) % body->count, along = k / 2 % 2, end = k % 2;
    if (!attack_collapsed(&body->patches[patch], along, end))
      continue;
    attack_rim rim = {.patch = &body->patches[patch], .number = patch, .along = along, .end = end};
    attack_rim_frame(&rim);
    attack_move(attack_rim_point(&rim, rim.local, 1), in ? -by : by,
                attack_middle(rim.patch).normal);
    attack_mark_rim(body, &rim, rim.local, 1);
    return true;
  }
  return false;
}

static bool build_edge(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const faults[] = {"edge turns up", "edge notched", "edge swells",
                                       "corner in",     "corner out",   "turns up at a pole",
                                       "dent at a pole"};
  int fault = number / attack_variants(), variant = number % attack_variants();
  attack_choose(body, fault + 9, variant, 3, faults[fault], name);
  if (fault >= 5)
    return near_pole(body, number, epsilon, fault == 6);
  attack_rim rim = attack_choose_rim(body, number + 1);
  clp_vec3 out = clp_unit(clp_add(rim.normal, rim.across));
  int at = fault == 3 || fault == 4 ? 0 : rim.local;
  double *c = attack_rim_point(&rim, at, fault == 0);
  if (fault == 0) {
    attack_move(c, epsilon, rim.normal);
    attack_mark_rim(body, &rim, at, 1);
  } else {
    bool in = fault == 1 || fault == 3;
    attack_move_all(body, attack_vector(c), in ? -epsilon : epsilon, out);
  }
  return true;
}

LOOP_TEST(edge, 0, 7 * attack_variants())
{
  attack_family(build_edge, _i);
}

/* ---- Many spans ------------------------------------------------------------------------------ */

/* The roof over z = 0.5 - 0.4 x^4 in `spans` quartic spans of continuous tangents, which hold every
 * control point where the quartic has it; one is moved. The quartic's blossom gives the points. */
static double blossom(const double t[4], int power)
{
  double product = 1, sum = 0;
  for (int k = 0; k < 4; ++k) {
    product *= t[k];
    sum += t[k] / 4;
  }
  return power == 4 ? product : sum;
}

/* A curve's (x, z) in `spans` spans between -1 and 1, breaks closer towards both ends. */
static int fine_knots(int spans, double *knots)
{
  int count = 0;
  for (int k = 0; k <= spans; ++k) {
    double x = 2.0 * k / spans - 1, t = 1.5 * x - 0.5 * x * x * x;
    for (int often = 0; often < (k == 0 || k == spans ? 5 : 1); ++often)
      knots[count++] = t;
  }
  return count - 5;
}

static void add_fine(attack_body *body, int spans, double y0, double y1, bool wall, int moved,
                     double by)
{
  int size = spans + 4;
  attack_patch *p = attack_add_room(body, (int[2]){4, 1}, (int[2]){size, 2});
  ck_assert_int_eq(fine_knots(spans, p->knots[0]), size);
  memcpy(p->knots[1], (double[4]){0, 0, 1, 1}, 4 * sizeof(double));
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < 2; ++j) {
      const double *t = p->knots[0] + i + 1;
      double z = wall && j == 0 ? -0.5 : 0.5 - 0.4 * blossom(t, 4) - (i == moved ? by : 0);
      const double c[4] = {blossom(t, 1), wall || j == 0 ? y0 : y1, z, 1};
      memcpy(attack_point(p, i, j), c, sizeof c);
    }
  attack_orient(body, p);
  if (moved >= 0)
    attack_mark_point(body, body->count - 1, moved, 0);
}

static bool build_fine(attack_body *body, int number, double epsilon, char *name)
{
  static const int counts[] = {600, 2000, 6000, 16000};
  int spans = counts[number / 2];
  bool out = number % 2 == 1;
  /* a dent in one of very many spans is no larger than they are */
  double by = epsilon * 30 / spans * (out ? -1 : 1);
  int moved = (int)(0.37 * spans);
  const attack_layout *plain = &attack_layouts[0];
  body->size = sqrt(6);
  add_fine(body, spans, -0.5, 0.5, false, moved, by);
  add_fine(body, spans, -0.5, -0.5, true, moved, by);
  add_fine(body, spans, 0.5, 0.5, true, moved, by);
  const clp_vec3 a = {-1, -.5, -.5}, b = {1, -.5, -.5}, c = {-1, .5, -.5}, d = {1, .5, -.5};
  attack_quad(body, plain, a, b, c, d);
  attack_quad(body, plain, a, c, (clp_vec3){-1, -.5, .1}, (clp_vec3){-1, .5, .1});
  attack_quad(body, plain, b, d, (clp_vec3){1, -.5, .1}, (clp_vec3){1, .5, .1});
  snprintf(name, 96, "%s among %d spans", out ? "bump" : "dent", spans);
  return true;
}

LOOP_TEST(fine, 0, amount_thorough() ? 8 : amount_quick() ? 1 : 4)
{
  attack_family(build_fine, _i);
}

/* ---- One dent among decoys ------------------------------------------------------------------- */

/* Thirteen quartic pieces, 2 m each, and a straight end in very many spans. Every piece has
 * z'' = -0.3 ((t - a)^2 - w^2): twelve are flat at one point, a = 1/2 and w = 0, where a search for
 * dents is drawn to; in the seventh w > 0 is half the width of a dent, which lies between two of
 * the places that a small number of even samples has. */
enum { DECOYS = 13, DENTED = 6 };

static const double piece_length = 2, fine_length = 1e-4;

/* Bernstein coefficients of one piece's z over t, which goes on from *z with the slope *slope. */
static void decoy(int piece, double dent, double w, double *z, double *slope, double b[5])
{
  static const double binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
  double a = piece == DENTED ? dent : 0.5, v = piece == DENTED ? w : 0;
  double c = -0.3 * piece_length * piece_length;
  const double m[5] = {*z, *slope * piece_length, c * (a * a - v * v) / 2, -c * a / 3, c / 12};
  for (int i = 0; i < 5; ++i) {
    b[i] = 0;
    for (int k = 0; k <= i; ++k)
      b[i] += binomial[i][k] / binomial[4][k] * m[k];
  }
  *slope = 4 * (b[4] - b[3]) / piece_length;
  *z = b[4];
}

/* (x, z) of the control points and the knots; returns how many points. */
static int decoy_curve(int spans, double dent, double w, double (*points)[2], double *knots)
{
  double z = 0, slope = 0.5, b[5], end = DECOYS * piece_length;
  int count = 0, knot = 0;
  for (int k = 0; k < 5; ++k)
    knots[knot++] = 0;
  for (int piece = 0; piece < DECOYS; ++piece) {
    decoy(piece, dent, w, &z, &slope, b);
    for (int i = piece > 0; i < 4; ++i, ++count) {
      points[count][0] = (piece + 0.25 * i) * piece_length;
      points[count][1] = b[i];
    }
    for (int k = 0; k < 3; ++k)
      knots[knot++] = (piece + 1) * piece_length;
  }
  for (int k = 1; k < spans; ++k)
    knots[knot++] = end + k * fine_length;
  for (int k = 0; k < 5; ++k)
    knots[knot++] = end + spans * fine_length;
  for (; count < knot - 5; ++count) {
    const double *t = knots + count + 1;
    points[count][0] = 0.25 * (t[0] + t[1] + t[2] + t[3]);
    points[count][1] = z + slope * (points[count][0] - end);
  }
  return count;
}

/* Between the curve at y0 and, a wall, its shadow, or itself at y1. */
static void add_decoys(attack_body *body, int count, const double (*points)[2], const double *knots,
                       double y0, double y1, double base)
{
  bool wall = y0 == y1;
  attack_patch *p = attack_add_room(body, (int[2]){4, 1}, (int[2]){count, 2});
  memcpy(p->knots[0], knots, (size_t)(count + 5) * sizeof *knots);
  memcpy(p->knots[1], (double[4]){0, 0, 1, 1}, 4 * sizeof(double));
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < 2; ++j) {
      double z = wall && j == 1 ? base : points[i][1];
      const double c[4] = {points[i][0], j == 1 ? y1 : y0, z, 1};
      memcpy(attack_point(p, i, j), c, sizeof c);
    }
  attack_orient(body, p);
}

static bool build_decoys(attack_body *body, int number, double epsilon, char *name)
{
  static const int counts[] = {600, 2000, 6000, 16000}, samples[] = {11, 11, 8, 5};
  int spans = counts[number % 4];
  double step = 1.0 / (samples[number % 4] - 1), dent = number < 4 ? 2.5 * step : 0.37;
  double(*points)[2] = malloc((size_t)(spans + 100) * sizeof *points);
  double *knots = malloc((size_t)(spans + 100) * sizeof *knots);
  ck_assert(points && knots);
  /* its depth grows with the fourth power of its width */
  double w = 0.49 * step * pow(epsilon / 0.5, 0.25);
  int count = decoy_curve(spans, dent, w, points, knots);
  double right = points[count - 1][0], top = points[count - 1][1], base = -14;
  body->inside = (clp_vec3){13, 0, -7};
  body->size = sqrt(right * right + 1 + 16 * 16);
  add_decoys(body, count, (const double(*)[2])points, knots, -0.5, 0.5, base);
  add_decoys(body, count, (const double(*)[2])points, knots, -0.5, -0.5, base);
  add_decoys(body, count, (const double(*)[2])points, knots, 0.5, 0.5, base);
  double middle = (DENTED + dent) * piece_length, reach = 2 * w * piece_length;
  for (int k = 0; k < 3; ++k)
    attack_mark_at(body, k, (double[2]){middle - reach, 0}, (double[2]){middle + reach, 1});
  free(points);
  free(knots);
  const attack_layout *plain = &attack_layouts[0];
  const clp_vec3 a = {0, -.5, base}, b = {right, -.5, base}, c = {0, .5, base},
                 d = {right, .5, base};
  attack_quad(body, plain, a, b, c, d);
  attack_quad(body, plain, a, c, (clp_vec3){0, -.5, 0}, (clp_vec3){0, .5, 0});
  attack_quad(body, plain, b, d, (clp_vec3){right, -.5, top}, (clp_vec3){right, .5, top});
  snprintf(name, 96, "dent at %.3g among decoys and %d spans", dent, spans);
  return true;
}

LOOP_TEST(decoys, 0, amount_thorough() ? 8 : amount_quick() ? 1 : 6)
{
  attack_family(build_decoys, _i);
}
