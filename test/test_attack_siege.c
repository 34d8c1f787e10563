/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/attack.h"

/* A second attacker's bodies: each passed as proven, convex and closed with a fault that is larger
 * than its slack. Every test lets a body be refused, or have a slack that covers its fault. */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdouble-promotion"

/* What is looked for is larger than this (of the size). */
#define ALLOWED 1e-13

static clp_body *create(attack_body *b)
{
  clp_body_def def = attack_define(b);
  clp_body *body = NULL;
  clp_body_create(&def, (clp_reporter){0}, &body);
  return body;
}

static void expect_fault_covered(const clp_body *body, double fault, double size)
{
  double slack = clp_body_describe(body).slack;
  ck_assert_msg(fault <= slack + ALLOWED * size,
                "proven with slack %.3g m, but a point lies %.3g m beyond a supporting plane",
                slack, fault);
}

/* ---- Extruded profiles ---------------------------------------------------------------------- */

/* A profile z(x) over [-1, 1] as a spline, extruded over -0.5 <= y <= 0.5 down to z = -1. */
typedef struct profile {
  int degree, size;
  double knots[32], x[16], z[16];
  double weight; /* of the roof's control points */
} profile;

static void add_net(attack_body *b, const profile *p, double y, bool roof)
{
  static const double ends[4] = {0, 0, 1, 1};
  const int degree[2] = {p->degree, 1}, size[2] = {p->size, 2};
  attack_patch *patch = attack_add_room(b, degree, size);
  memcpy(patch->knots[0], p->knots, (size_t)(p->size + p->degree + 1) * sizeof(double));
  memcpy(patch->knots[1], ends, sizeof ends);
  for (int i = 0; i < p->size; ++i)
    for (int j = 0; j < 2; ++j) {
      double *c = attack_point(patch, i, j);
      c[0] = p->x[i];
      c[1] = roof ? j - 0.5 : y;
      c[2] = roof || j == 1 ? p->z[i] : -1;
      c[3] = roof ? p->weight : 1;
    }
  attack_spot spot = attack_look_at(patch, 0.3, 0.5);
  patch->flip = clp_dot(spot.normal, clp_sub(spot.point, b->inside)) < 0;
}

static void extrude(attack_body *b, const profile *p)
{
  const attack_layout *plain = &attack_layouts[0];
  attack_body_init(b, (size_t)1 << 16);
  b->inside = (clp_vec3){0, 0, -0.5};
  b->size = sqrt(6);
  add_net(b, p, 0, true);
  add_net(b, p, -0.5, false);
  add_net(b, p, 0.5, false);
  for (int k = 0; k < 2; ++k) {
    double x = 2 * k - 1, z = k == 0 ? p->z[0] : p->z[p->size - 1];
    attack_quad(b, plain, (clp_vec3){x, -0.5, -1}, (clp_vec3){x, 0.5, -1}, (clp_vec3){x, -0.5, z},
                (clp_vec3){x, 0.5, z});
  }
  attack_quad(b, plain, (clp_vec3){-1, -0.5, -1}, (clp_vec3){1, -0.5, -1}, (clp_vec3){-1, 0.5, -1},
              (clp_vec3){1, 0.5, -1});
}

static double excess_of(attack_body *b)
{
  attack_samples samples = attack_sample_body(b, 8000);
  double height = attack_excess_of(&samples, b->inside, b->size).height;
  attack_samples_free(&samples);
  return height;
}

/* ---- Creases ----------------------------------------------------------------------------------
 */

/* A valley of slope s on both sides, in one patch of two spans: as many control points as the
 * degree says coincide at the inner break, so that it is a corner though its knot is single. */
static void set_valley(profile *p, int degree, double s)
{
  *p = (profile){.degree = degree, .size = degree + 2, .weight = 1};
  p->x[0] = -1;
  p->x[degree + 1] = 1;
  p->z[0] = p->z[degree + 1] = s;
  for (int k = 0; k < 2 * degree + 3; ++k)
    p->knots[k] = k <= degree ? 0 : k == degree + 1 ? 1 : 2;
}

/* A large box over the valley, parallel to its left side: what is nearest is the right ridge. */
static void ask_over_valley(const clp_body *body, double s)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){4, 4, 1};
  clp_body *box = must_create(&def);
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(body, box, NULL, &pair), CLP_OK);
  double c = cos(atan(s)), k = sin(atan(s));
  clp_pose at = clp_pose_identity(), over = at;
  over.rotation = (clp_mat3){{c, 0, -k}, {0, 1, 0}, {k, 0, c}};
  over.position = clp_add_scaled((clp_vec3){-0.5, 0, 0.5 * s}, 0.6, over.rotation.z);
  double truth = clp_dot(over.rotation.z, clp_sub(over.position, (clp_vec3){1, 0, s})) - 0.5;
  clp_answer answer = clp_pair_query(pair, &at, &over);
  ck_assert_msg(answer.lower_bound <= truth + 1e-12, "status %d: lower bound %.12g, truth %.12g",
                (int)answer.status, answer.lower_bound, truth);
  clp_pair_destroy(pair);
  clp_body_destroy(box);
}

static const struct {
  int degree;
  double slope;
} valleys[] = {{2, 1e-7}, {2, 4.9e-6}, {3, 4e-6}, {4, 1e-4}, {4, 0.01}, {4, 0.3}};

enum { VALLEYS = sizeof valleys / sizeof *valleys };

ATTACK_SUITE("siege");

TEST_CASE("siege", 120);

LOOP_TEST(crease, 0, VALLEYS)
{
  attack_body b;
  profile p;
  set_valley(&p, valleys[_i].degree, valleys[_i].slope);
  extrude(&b, &p);
  clp_body *body = create(&b);
  if (body)
    expect_fault_covered(body, excess_of(&b), b.size);
  clp_body_destroy(body);
  attack_body_free(&b);
}

LOOP_TEST(crease_query, 0, VALLEYS)
{
  attack_body b;
  profile p;
  set_valley(&p, valleys[_i].degree, valleys[_i].slope);
  extrude(&b, &p);
  clp_body *body = create(&b);
  if (body && valleys[_i].slope < 0.05)
    ask_over_valley(body, valleys[_i].slope);
  clp_body_destroy(body);
  attack_body_free(&b);
}

/* z = s |x| - k x^2 with |x| = w^2 on both sides of an inner break: two parabolic cylinders. */
static void set_curved_valley(profile *p, double s, double k)
{
  static const double knots[13] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2};
  static const double square[4] = {1, 0.5, 1.0 / 6, 0}, fourth[4] = {1, 0, 0, 0};
  *p = (profile){.degree = 4, .size = 8, .weight = 1};
  memcpy(p->knots, knots, sizeof knots);
  for (int i = 0; i < 4; ++i) {
    p->x[i] = -square[i];
    p->x[7 - i] = square[i];
    p->z[i] = p->z[7 - i] = s * square[i] - k * fourth[i];
  }
}

LOOP_TEST(curved_crease, 0, 3)
{
  static const double shapes[][2] = {{1e-3, 0.05}, {0.1, 0.05}, {0.1, 0.3}};
  attack_body b;
  profile p;
  set_curved_valley(&p, shapes[_i][0], shapes[_i][1]);
  extrude(&b, &p);
  clp_body *body = create(&b);
  if (body)
    expect_fault_covered(body, excess_of(&b), b.size);
  clp_body_destroy(body);
  attack_body_free(&b);
}

/* ---- Narrow strips ----------------------------------------------------------------------------
 */

static const struct {
  double width, rise;
} strips[] = {{4e-6, 2e-13}, {1e-5, 1e-13}, {1e-4, 1.5e-13}, {4e-6, 3e-13}, {4e-6, 4e-14}};

enum { STRIPS = sizeof strips / sizeof *strips };

/* A box whose roof and walls have a strip about x = 0 that is an arch between level faces. */
static void set_strip(attack_body *b, double width, double rise)
{
  const attack_layout *plain = &attack_layouts[0];
  const profile arch_of = {.degree = 2,
                           .size = 3,
                           .knots = {0, 0, 0, 1, 1, 1},
                           .x = {-0.5 * width, 0, 0.5 * width},
                           .z = {0, rise, 0},
                           .weight = 1};
  const double x[4] = {-1, -0.5 * width, 0.5 * width, 1};
  attack_body_init(b, (size_t)1 << 16);
  b->inside = (clp_vec3){0, 0, -0.5};
  b->size = sqrt(6);
  add_net(b, &arch_of, 0, true);
  add_net(b, &arch_of, -0.5, false);
  add_net(b, &arch_of, 0.5, false);
  for (int k = 0; k < 3; ++k) {
    clp_vec3 p[8];
    for (int i = 0; i < 8; ++i)
      p[i] = (clp_vec3){x[k + i % 2], i / 2 % 2 - 0.5, i / 4 - 1.0};
    attack_quad(b, plain, p[0], p[1], p[2], p[3]);
    if (k == 0)
      attack_quad(b, plain, p[0], p[2], p[4], p[6]);
    if (k == 2)
      attack_quad(b, plain, p[1], p[3], p[5], p[7]);
    if (k == 1)
      continue;
    attack_quad(b, plain, p[4], p[5], p[6], p[7]);
    attack_quad(b, plain, p[0], p[1], p[4], p[5]);
    attack_quad(b, plain, p[2], p[3], p[6], p[7]);
  }
}

LOOP_TEST(strip, 0, STRIPS)
{
  attack_body b;
  double width = strips[_i].width, rise = strips[_i].rise;
  set_strip(&b, width, rise);
  clp_body *body = create(&b);
  if (body)
    expect_fault_covered(body, 2 * rise / width * (1 - 0.5 * width), b.size);
  clp_body_destroy(body);
  attack_body_free(&b);
}

/* A large box along the strip's tangent plane at its rim: the roof's end is nearer. */
LOOP_TEST(strip_query, 0, STRIPS)
{
  attack_body b;
  double width = strips[_i].width, rise = strips[_i].rise, tilt = 2 * rise / width;
  set_strip(&b, width, rise);
  clp_body *body = create(&b), *box = NULL;
  if (body) {
    clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
    clp_pair *pair = NULL;
    def.size = (clp_vec3){4, 4, 1};
    box = must_create(&def);
    ck_assert_int_eq(clp_pair_create(body, box, NULL, &pair), CLP_OK);
    clp_pose at = clp_pose_identity(), over = at;
    over.rotation = (clp_mat3){{1, 0, -tilt}, {0, 1, 0}, {tilt, 0, 1}};
    over.position = clp_add_scaled((clp_vec3){0.5 * width, 0, 0}, 0.6, over.rotation.z);
    double truth = clp_dot(over.rotation.z, clp_sub(over.position, (clp_vec3){1, 0, 0})) - 0.5;
    clp_answer answer = clp_pair_query(pair, &at, &over);
    ck_assert_msg(answer.lower_bound <= truth + 1e-12, "status %d: lower bound over truth by %.3g",
                  (int)answer.status, answer.lower_bound - truth);
    clp_pair_destroy(pair);
  }
  clp_body_destroy(box);
  clp_body_destroy(body);
  attack_body_free(&b);
}

/* ---- Weights whose powers overflow ------------------------------------------------------------
 */

/* A straight span and one with z'' = -((x - m)^2 - d^2): a dent about m. */
static void set_dented(profile *p, double m, double d, double weight)
{
  static const double knots[13] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2};
  double a = 0.5 * (m * m - d * d), b = -m / 3, c = 1.0 / 12;
  const double z[5] = {0, 0, -a / 6, -(a / 2 + b / 4), -(a + b + c)};
  *p = (profile){.degree = 4, .size = 8, .weight = weight};
  memcpy(p->knots, knots, sizeof knots);
  for (int i = 0; i < 8; ++i) {
    p->x[i] = i < 4 ? -1 + 0.25 * i : 0.25 * (i - 3);
    p->z[i] = i < 4 ? 0 : z[i - 3];
  }
}

LOOP_TEST(heavy, 0, 4)
{
  static const double weights[] = {1, 2e34, 1e36, 1e40};
  attack_body b;
  profile p;
  set_dented(&p, 0.6, 0.1, weights[_i]);
  extrude(&b, &p);
  attack_mark_at(&b, 0, (double[2]){1.4, 0}, (double[2]){1.8, 1});
  clp_body *body = create(&b);
  if (body)
    expect_fault_covered(body, excess_of(&b), b.size);
  clp_body_destroy(body);
  attack_body_free(&b);
}

/* ---- A pole that points inwards ---------------------------------------------------------------
 */

typedef struct meridian {
  long double r, z, nr, nz; /* a place and its outward normal */
} meridian;

/* The parabola from (0.5, 1) over (0.25, top) to (0, pole), t from its end. */
static meridian cap_at(long double top, long double pole, long double t)
{
  long double s = 1 - t, dr = -0.5L, dz = 2 * (t * (top - 1) + s * (pole - top));
  long double length = hypotl(dr, dz);
  return (meridian){t * t * 0.5L + 2 * s * t * 0.25L, t * t + 2 * s * t * top + s * s * pole,
                    dz / length, -dr / length};
}

TEST(pole_dimple)
{
  double top = 1.0832, pole = top - 0.25 * 0.95e-6, fault = 0;
  clp_profile_piece pieces[] = {
      {.kind = CLP_PROFILE_LINE, .r = 0.5, .z = 0},
      {.kind = CLP_PROFILE_LINE, .r = 0.5, .z = 1},
      {.kind = CLP_PROFILE_CONIC, .z = pole, .shoulder_r = 0.25, .shoulder_z = top, .weight = 1}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.revolved = (clp_revolved_def){0, 0, pieces, 3};
  clp_body *body = NULL;
  if (clp_body_create(&def, (clp_reporter){0}, &body) != CLP_OK)
    return;
  for (int i = 1; i < 200; ++i)
    for (int j = 1; j < 200; ++j) {
      meridian a = cap_at(top, pole, i * 1e-7L), b = cap_at(top, pole, j * 1e-7L);
      fault = fmax(fault, (double)(a.nr * (-b.r - a.r) + a.nz * (b.z - a.z)));
    }
  expect_fault_covered(body, fault, 1.8);
  clp_body_destroy(body);
}

/* ---- Far from the origin ----------------------------------------------------------------------
 */

static const double far_knots[10] = {0, 0, 0, 1, 2, 3, 4, 5, 5, 5};
static const double far_x[7] = {-1.25, -1, -0.5, 0, 0.5, 1, 1.25}, far_ripple[7] = {0, 0, 1, 0, 1};
static const double arch[3] = {0.25, 0.75, 0.25};

/* A ripple of one unit in the last place of the offset, whose middles round to even. */
static void add_far(attack_body *b, double offset, int wall)
{
  static const double across[6] = {0, 0, 0, 1, 1, 1}, ends[4] = {0, 0, 1, 1};
  const int columns = wall ? 2 : 3, degree[2] = {2, wall ? 1 : 2}, size[2] = {7, columns};
  attack_patch *p = attack_add_room(b, degree, size);
  memcpy(p->knots[0], far_knots, sizeof far_knots);
  memcpy(p->knots[1], wall ? ends : across, wall ? sizeof ends : sizeof across);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < columns; ++j) {
      double *c = attack_point(p, i, j);
      double up = offset + arch[wall ? 0 : j] + far_ripple[i] * ldexp(offset, -52);
      c[0] = far_x[i];
      c[1] = wall ? 0.5 * wall : 0.5 * (j - 1);
      c[2] = wall && j == 0 ? offset - 0.5 : up;
      c[3] = 1;
    }
  attack_orient(b, p);
}

static void add_far_end(attack_body *b, double offset, double x)
{
  double points[6][4];
  for (int k = 0; k < 6; ++k) {
    const double c[4] = {x, 0.5 * (k / 2 - 1), k % 2 ? offset + arch[k / 2] : offset - 0.5, 1};
    memcpy(points[k], c, sizeof c);
  }
  attack_grid(b, &attack_layouts[0], 2, 1, (const double(*)[4])points);
}

/* Of the ridge, seen from the offset. */
static double ridge_fault(const attack_patch *p, double offset)
{
  enum { COUNT = 400 };
  static long double x[COUNT], z[COUNT], slope[COUNT];
  double fault = 0;
  for (int k = 0; k < COUNT; ++k) {
    long double n[ATTACK_DEGREE + 1], dn[ATTACK_DEGREE + 1], dx = 0, dz = 0;
    double t = 5 * (k + 0.5) / COUNT;
    int span = attack_span(p, 0, t, false);
    attack_basis(p->knots[0], 2, span, t, n, dn);
    x[k] = z[k] = 0;
    for (int i = 0; i < 3; ++i) {
      const double *c = attack_point(p, span - 2 + i, 1);
      x[k] += n[i] * c[0];
      z[k] += n[i] * (c[2] - offset);
      dx += dn[i] * c[0];
      dz += dn[i] * (c[2] - offset);
    }
    slope[k] = dz / dx;
  }
  for (int i = 0; i < COUNT; ++i)
    for (int j = 0; j < COUNT; ++j)
      fault = fmax(fault, (double)(z[j] - z[i] - slope[i] * (x[j] - x[i])));
  return fault;
}

LOOP_TEST(far_away, 0, 6)
{
  double offset = ldexp(1, 19 + _i);
  attack_body b;
  attack_body_init(&b, (size_t)1 << 16);
  b.inside = (clp_vec3){0, 0, offset};
  b.size = sqrt(2.5 * 2.5 + 1 + 1.25 * 1.25);
  for (int wall = -1; wall <= 1; ++wall)
    add_far(&b, offset, wall);
  add_far_end(&b, offset, -1.25);
  add_far_end(&b, offset, 1.25);
  double low = offset - 0.5;
  attack_quad(&b, &attack_layouts[0], (clp_vec3){-1.25, -0.5, low}, (clp_vec3){1.25, -0.5, low},
              (clp_vec3){-1.25, 0.5, low}, (clp_vec3){1.25, 0.5, low});
  clp_body *body = create(&b);
  if (body)
    expect_fault_covered(body, ridge_fault(&b.patches[1], offset), b.size);
  clp_body_destroy(body);
  attack_body_free(&b);
}

/* ---- Corners with parallel tangents -----------------------------------------------------------
 */

/* The unit disc as a biquadratic patch with its corners on the circle: X, Y, W. */
static void disc_row(int i, int j, long double h[3])
{
  int a = i - 1, b = j - 1;
  long double half = sqrtl(0.5L), w = (a == 0) != (b == 0) ? half : 1;
  long double far = a != 0 && b != 0 ? half : 2 * half;
  h[0] = w * far * a;
  h[1] = w * far * b;
  h[2] = w;
}

/* Seen from a pole: (2 X W, 2 Y W, W^2 - X^2 - Y^2, W^2 + X^2 + Y^2). */
static void hemisphere(attack_net *net, double up)
{
  static const int binomial[2][5] = {{1, 2, 1, 0, 0}, {1, 4, 6, 4, 1}};
  attack_net_bezier(net, 4, 4);
  memset(net->h, 0, sizeof net->h);
  for (int k = 0; k < 81; ++k) {
    int i = k / 27, j = k / 9 % 3, l = k / 3 % 3, m = k % 3;
    long double a[3], b[3], c = binomial[0][i] * binomial[0][j] * binomial[0][l] * binomial[0][m];
    disc_row(i, j, a);
    disc_row(l, m, b);
    c /= binomial[1][i + l] * binomial[1][j + m];
    long double round = a[0] * b[0] + a[1] * b[1], *h = net->h[i + l][j + m];
    h[0] += 2 * c * a[0] * b[2];
    h[1] += 2 * c * a[1] * b[2];
    h[2] += c * up * (a[2] * b[2] - round);
    h[3] += c * (a[2] * b[2] + round);
  }
}

/* One control point of the equator, next to a corner, is moved outwards. */
static void set_ball(attack_body *b, double by)
{
  static attack_net net;
  attack_body_init(b, (size_t)1 << 16);
  b->inside = (clp_vec3){0, 0, 0};
  b->size = sqrt(12);
  for (int up = -1; up <= 1; up += 2) {
    hemisphere(&net, up);
    attack_patch *p = attack_add(b, &net);
    double *c = attack_point(p, 1, 0), r = hypot(c[0], c[1]);
    c[0] *= 1 + by / r;
    c[1] *= 1 + by / r;
    for (int k = 0; k < 25; ++k)
      if (k / 5 % 4 == 0 || k % 5 % 4 == 0)
        attack_point(p, k / 5, k % 5)[2] = 0;
    attack_orient(b, p);
  }
}

/* The largest rise of a unit ball over the tangent planes at a distance from a corner. */
static double corner_fault(const attack_body *b, long double distance)
{
  double fault = 0;
  const int span[2] = {4, 4};
  for (int k = 0; k < 18; ++k) {
    const attack_patch *p = &b->patches[k % 2];
    long double angle = (k / 2) / 8.0L * 1.5707963267948966L;
    const long double t[2] = {distance * cosl(angle), distance * sinl(angle)};
    attack_jet j = attack_evaluate(p, span, t);
    long double n[3] = {j.u[1] * j.v[2] - j.u[2] * j.v[1], j.u[2] * j.v[0] - j.u[0] * j.v[2],
                        j.u[0] * j.v[1] - j.u[1] * j.v[0]};
    long double cosine = n[0] * j.p[0] + n[1] * j.p[1] + n[2] * j.p[2];
    fault = fmax(fault, (double)(1 - fabsl(cosine) / attack_length(n)));
  }
  return fault;
}

LOOP_TEST(parallel_tangents, 0, 3)
{
  static const double moved[] = {0, -1e-14, -2e-14};
  attack_body b;
  set_ball(&b, moved[_i]);
  clp_body *body = create(&b);
  if (body)
    expect_fault_covered(body, corner_fault(&b, 1e-8L), b.size);
  clp_body_destroy(body);
  attack_body_free(&b);
}

#pragma GCC diagnostic pop
