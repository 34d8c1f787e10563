/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/extremal.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/depth/turning.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/automaton.h"
#include "rclc_closest_point/witness/normal_cone.h"

/* Radii below this, of the size, are none (see solve). */
#define NO_RADIUS 1e-12

/* The slope of a feature that is square to n, to rounding. */
#define NO_SLOPE 1e-15

/* What is asked for is farther away than this, of the size (see solve_two). */
#define FAR 1e-6

/* The largest change of direction in one step (radians): beyond it the equations say nothing. */
#define LARGEST_TURN 0.5

/* The square of the part of an edge's tangent that is square to n, of the tangent's: below it the
 * edge runs along n, and which directions are square to both is not known. */
#define ALONG_TANGENT 1e-6

/* Changes of feature after one step, on either body. */
enum { CHANGES_MAX = 4 };

bool clp_couple_plane(const clp_couple *c, clp_vec3 *normal)
{
  if (c->a->info.planar)
    *normal = (clp_vec3){0, 0, 1};
  else if (c->b->info.planar)
    *normal = c->X_AB.rotation.z;
  return c->a->info.planar || c->b->info.planar;
}

static void measure(clp_extremal *e)
{
  const clp_couple *c = e->couple;
  e->jets = clp_couple_jets_at(c->a, e->spots.a, c->b, e->spots.b, &c->X_AB);
  e->s = clp_dot(e->n, e->jets.d);
}

clp_extremal clp_extremal_start(const clp_couple *couple, const clp_spots *spots, clp_vec3 n)
{
  clp_extremal e = {.couple = couple, .spots = *spots, .n = n};
  clp_vec3 normal;
  if (clp_couple_plane(couple, &normal))
    e.n = clp_unit(clp_add_scaled(n, -clp_dot(n, normal), normal));
  clp_spend(couple->effort, CLP_EFFORT_JETS);
  measure(&e);
  return e;
}

/* ---- The step ----------------------------------------------------------------------------- */

typedef struct step {
  clp_vec3 y;       /* change of n */
  double x[2][2];   /* of the spots' parameters, A's and B's */
  clp_vec3 move[2]; /* of the points */
  clp_turning turning[2];
} step;

/* The directions square to n, in the plane of a planar pair only one. Where one edge is all that
 * has a radius, the first runs along it: the matrix is then diagonal, and the small s in it is not
 * drowned in the edge's large radius. */
static int tangent_basis(const clp_extremal *e, clp_vec3 basis[2])
{
  clp_vec3 normal;
  if (clp_couple_plane(e->couple, &normal)) {
    basis[0] = clp_cross(normal, e->n);
    return 1;
  }
  const clp_spot_jet *a = &e->jets.a, *b = &e->jets.b;
  clp_tangents(e->n, &basis[0], &basis[1]);
  if (a->freedoms + b->freedoms == 1) {
    clp_vec3 t = a->freedoms == 1 ? a->t[0] : b->t[0];
    clp_vec3 square = clp_add_scaled(t, -clp_dot(t, e->n), e->n);
    if (clp_norm2(square) > ALONG_TANGENT * clp_norm2(t)) {
      basis[0] = clp_unit(square);
      basis[1] = clp_cross(e->n, basis[0]);
    }
  }
  return 2;
}

typedef enum solution {
  SOLVED,
  SOLVED_IN_PART, /* not along a direction in which s(n) has no maximum */
  NOT_SOLVED
} solution;

/* One equation m y = r. A radius of zero with nothing asked for is a direction that does not
 * matter: concentric spheres. Not solved where m is not positive. */
static solution solve_one(double m, double no_m, double r, double no_r, double *y)
{
  *y = 0;
  if (fabs(m) <= no_m && fabs(r) <= no_r)
    return SOLVED;
  if (!(m > 0))
    return NOT_SOLVED;
  *y = r / m;
  return SOLVED;
}

static solution worse(solution a, solution b)
{
  return a > b ? a : b;
}

/* The symmetric 2 x 2 system by elimination from the larger pivot. What is left of the other may be
 * rounding of large radii. Where it is negative, but the larger radius has a way to go yet (from
 * the rim of a cone, where it is narrow, to its middle), the other may be positive there. */
static solution solve_two(double m[2][2], const double r[2], double nothing, double far,
                          double y[2])
{
  int p = m[0][0] >= m[1][1] ? 0 : 1, q = 1 - p;
  if (!(m[p][p] > nothing)) /* no radius at all */
    return worse(solve_one(m[p][p], nothing, r[p], nothing, &y[p]),
                 solve_one(m[q][q], nothing, r[q], nothing, &y[q]));
  double f = m[p][q] / m[p][p], taken = f * m[p][q];
  double no_m = nothing + CLP_NOISE * (fabs(m[q][q]) + fabs(taken));
  solution found = solve_one(m[q][q] - taken, no_m, r[q] - f * r[p], nothing, &y[q]);
  y[p] = (r[p] - m[p][q] * y[q]) / m[p][p];
  return found == NOT_SOLVED && fabs(r[p]) > far ? SOLVED_IN_PART : found;
}

/* W_A + W_B + s on the directions square to n; returns how many of these there are. */
static int matrix_of(const clp_extremal *e, const clp_turning turning[2], clp_vec3 basis[2],
                     double m[2][2])
{
  int count = tangent_basis(e, basis);
  for (int i = 0; i < count; ++i) {
    clp_vec3 column =
        clp_add(clp_turning_apply(&turning[0], basis[i]), clp_turning_apply(&turning[1], basis[i]));
    for (int k = 0; k < count; ++k)
      m[k][i] = clp_dot(basis[k], column);
    m[i][i] += e->s;
  }
  return count;
}

static solution solve(const clp_extremal *e, const clp_turning turning[2], clp_vec3 asked,
                      clp_vec3 *y)
{
  clp_vec3 basis[2];
  double m[2][2] = {{0}}, r[2] = {0}, z[2] = {0};
  double nothing = NO_RADIUS * e->couple->size, far = FAR * e->couple->size;
  int count = matrix_of(e, turning, basis, m);
  for (int i = 0; i < count; ++i)
    r[i] = clp_dot(basis[i], asked);
  solution found = count == 1 ? solve_one(m[0][0], nothing, r[0], nothing, &z[0])
                              : solve_two(m, r, nothing, far, z);
  *y = clp_scale(z[0], basis[0]);
  if (count == 2)
    *y = clp_add_scaled(*y, z[1], basis[1]);
  return found;
}

/* The slopes P^T n of one feature. What is rounding is none: the large radius of a flat feature
 * would make a step of it, in every cycle. */
static void slopes_of(const clp_turning *turning, clp_vec3 n, double slopes[2])
{
  clp_turning_slopes(turning, n, slopes);
  for (int i = 0; i < turning->count; ++i)
    if (fabs(slopes[i]) <= NO_SLOPE * clp_norm(turning->t[i]))
      slopes[i] = 0;
}

/* Not solved when there is no local maximum to go to. The slopes are formed once: next to a flat
 * feature they are small, and its large radius must not make them into two different moves. */
static solution find_step(const clp_extremal *e, step *t)
{
  const clp_spot_jet *jet[2] = {&e->jets.a, &e->jets.b};
  clp_vec3 asked = e->jets.d;
  double slopes[2][2] = {{0, 0}, {0, 0}};
  for (int k = 0; k < 2; ++k) {
    clp_vec3 out = clp_scale(k == 0 ? 1 : -1, e->n);
    double dx[2] = {0, 0};
    t->turning[k] = clp_turning_of(jet[k], out, e->couple->size);
    slopes_of(&t->turning[k], out, slopes[k]);
    clp_turning_step(&t->turning[k], slopes[k], dx);
    asked = clp_add_scaled(asked, k == 0 ? -1 : 1, clp_turning_move(&t->turning[k], dx));
  }
  solution found = solve(e, t->turning, asked, &t->y);
  for (int k = 0; k < 2; ++k) {
    double more[2] = {0, 0};
    clp_turning_slopes(&t->turning[k], clp_scale(k == 0 ? 1 : -1, t->y), more);
    for (int i = 0; i < t->turning[k].count; ++i)
      slopes[k][i] += more[i];
    clp_turning_step(&t->turning[k], slopes[k], t->x[k]);
    t->move[k] = clp_turning_move(&t->turning[k], t->x[k]);
  }
  return found;
}

/* ---- Features ----------------------------------------------------------------------------- */

/* What a step meets: a bound may stop it on either body, and both stay in step. */
typedef struct meeting {
  double fraction;
  int side[2]; /* -1: not met */
} meeting;

static meeting meet(const clp_extremal *e, const step *t)
{
  meeting m;
  double turn = clp_norm(t->y);
  double fa = clp_spot_fraction(e->couple->a, e->spots.a, t->x[0], &m.side[0]);
  double fb = clp_spot_fraction(e->couple->b, e->spots.b, t->x[1], &m.side[1]);
  m.fraction = fmin(fa, fb);
  if (turn * m.fraction > LARGEST_TURN)
    m.fraction = LARGEST_TURN / turn;
  if (fa > m.fraction)
    m.side[0] = -1;
  if (fb > m.fraction)
    m.side[1] = -1;
  return m;
}

static clp_spot moved(const clp_body *body, clp_spot spot, const double *x, double fraction,
                      int side)
{
  double part[2] = {fraction * x[0], fraction * x[1]};
  return clp_spot_move(body, spot, part, side);
}

/* Behind a bound that was met lies the next feature, in the direction of the move. Otherwise the
 * feature changes when n leaves its normal cone. */
static bool change(const clp_body *body, clp_spot *spot, int side, clp_vec3 move, clp_vec3 out,
                   clp_effort *effort)
{
  clp_spot next;
  clp_spend(effort, clp_transition_effort(body, spot));
  if (side >= 0) {
    if (!clp_transition(body, *spot, clp_unit(move), &next))
      return false;
    *spot = next;
    return true;
  }
  bool changed = false;
  for (int k = 0; k < CHANGES_MAX && clp_transition(body, *spot, out, &next); ++k) {
    *spot = next;
    changed = true;
    clp_spend(effort, clp_transition_effort(body, spot));
  }
  return changed;
}

static bool change_features(clp_extremal *e, const step *t, const meeting *m)
{
  const clp_couple *c = e->couple;
  clp_mat3 r = c->X_AB.rotation;
  clp_vec3 back = clp_negate(clp_rotate_back(r, e->n));
  bool a = change(c->a, &e->spots.a, m->side[0], t->move[0], e->n, c->effort);
  bool b = change(c->b, &e->spots.b, m->side[1], clp_rotate_back(r, t->move[1]), back, c->effort);
  return a || b;
}

static bool is_short(const clp_extremal *e, const step *t, double last)
{
  double size = e->couple->size;
  return clp_norm(t->y) <= last && clp_norm(t->move[0]) <= last * size &&
         clp_norm(t->move[1]) <= last * size;
}

clp_extremal_end clp_extremal_iterate(clp_extremal *e, int budget, double last)
{
  solution found = SOLVED;
  for (int k = 0; k < budget && clp_affords(e->couple->effort, CLP_EFFORT_EXTREMAL); ++k) {
    step t = {0};
    clp_spend(e->couple->effort, CLP_EFFORT_EXTREMAL);
    found = find_step(e, &t);
    if (found == NOT_SOLVED)
      return CLP_EXTREMAL_LOST;
    meeting m = meet(e, &t);
    e->n = clp_unit(clp_add_scaled(e->n, m.fraction, t.y));
    e->spots.a = moved(e->couple->a, e->spots.a, t.x[0], m.fraction, m.side[0]);
    e->spots.b = moved(e->couple->b, e->spots.b, t.x[1], m.fraction, m.side[1]);
    e->iterations++;
    bool changed = change_features(e, &t, &m);
    clp_spend(e->couple->effort, changed ? 2 * CLP_EFFORT_CHANGE : 0);
    measure(e);
    if (found == SOLVED && !changed && m.fraction == 1 && is_short(e, &t, last))
      return CLP_EXTREMAL_CONVERGED;
  }
  return found == SOLVED ? CLP_EXTREMAL_BUDGET : CLP_EXTREMAL_LOST;
}

/* ---- What is proven ----------------------------------------------------------------------- */

/* How far n is from A's normals, and -n from B's, which are known in A's frame on a face. */
static double miss_a(const clp_extremal *e, clp_vec3 n)
{
  return clp_normal_cone_miss(e->couple->a, e->spots.a, &e->jets.a, n);
}

static double miss_b(const clp_extremal *e, clp_vec3 back)
{
  const clp_mat3 *r = &e->couple->X_AB.rotation;
  clp_spot_jet jet = e->jets.b;
  if (e->spots.b.kind == CLP_FACE)
    return clp_normal_cone_miss(e->couple->b, e->spots.b, &jet, back);
  jet.t[0] = clp_rotate_back(*r, jet.t[0]);
  return clp_normal_cone_miss(e->couple->b, e->spots.b, &jet, clp_rotate_back(*r, back));
}

static double reach(const clp_body *body, clp_vec3 p)
{
  return body->info.point ? 0 : clp_distance(p, body->center) + body->radius;
}

typedef struct reaches {
  double a, b, rounding;
} reaches;

/* Shorter ones are differences of unit vectors that agree: rounding says where they point. */
#define NO_DIRECTION 1e-9

static void try_direction(const clp_extremal *e, const reaches *r, clp_vec3 direction,
                          clp_signed_bound *best)
{
  double length = clp_norm(direction);
  if (!(length > NO_DIRECTION))
    return;
  clp_vec3 n = clp_scale(1 / length, direction), back = clp_negate(n);
  double lower = clp_dot(n, e->jets.d) - miss_a(e, n) * r->a - miss_b(e, back) * r->b - r->rounding;
  if (lower > best->lower)
    *best = (clp_signed_bound){lower, n};
}

clp_signed_bound clp_extremal_bound(const clp_extremal *e)
{
  const clp_couple *c = e->couple;
  const clp_spot_jet *a = &e->jets.a, *b = &e->jets.b;
  clp_signed_bound best = {-HUGE_VAL, e->n};
  clp_spend(c->effort, CLP_EFFORT_BOUND);
  clp_spend(c->effort, clp_normal_cone_effort(c->a, &e->spots.a));
  clp_spend(c->effort, clp_normal_cone_effort(c->b, &e->spots.b));
  reaches r = {reach(c->a, a->p), reach(c->b, clp_transform_back(c->X_AB, b->p)), 0};
  r.rounding = clp_couple_rounding(c, e->jets.distance);
  if (a->freedoms == 2)
    try_direction(e, &r, a->normal, &best);
  if (b->freedoms == 2)
    try_direction(e, &r, clp_negate(b->normal), &best);
  clp_vec3 plane;
  if (a->freedoms == 1 && b->freedoms == 1 && !clp_couple_plane(c, &plane)) {
    clp_vec3 across = clp_cross(clp_unit(a->t[0]), clp_unit(b->t[0]));
    try_direction(e, &r, clp_dot(across, e->n) >= 0 ? across : clp_negate(across), &best);
  }
  try_direction(e, &r, e->n, &best);
  return best;
}

bool clp_extremal_turns_freely(const clp_extremal *e)
{
  const clp_spot_jet *jet[2] = {&e->jets.a, &e->jets.b};
  clp_turning turning[2];
  clp_vec3 basis[2];
  double m[2][2], nothing = NO_RADIUS * e->couple->size;
  if (e->s >= -nothing)
    return false;
  for (int k = 0; k < 2; ++k)
    turning[k] = clp_turning_of(jet[k], clp_scale(k == 0 ? 1 : -1, e->n), e->couple->size);
  if (matrix_of(e, turning, basis, m) == 1)
    return m[0][0] <= nothing;
  double half = 0.5 * (m[0][0] + m[1][1]);
  return half - hypot(0.5 * (m[0][0] - m[1][1]), m[0][1]) <= nothing;
}
