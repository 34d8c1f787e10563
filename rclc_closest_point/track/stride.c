/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/stride.h"

#include <stddef.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/walk.h"

/* Written for few instructions: this is what every pair costs every millisecond. Compared with
 * system.c it takes the true r in the curvature terms (next to the solution it makes no
 * difference), turns r once into B's frame instead of three second derivatives into A's, and uses
 * the factorization twice. */

/* Loops over the unknowns have constant bounds where these functions are inlined and are worth
 * unrolling: half of all pairs have the full four. GCC asks to be told at -O2, clang does so by
 * itself. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 4")
#else
#define UNROLL
#endif

/* A pivot below this part of its diagonal is no sound basis for a step. */
#define SAFE_PIVOT 1e-9

typedef struct equations {
  clp_vec3 t[4]; /* f_u, f_v, -h_r, -h_s in A's frame, as many as are free */
  double g[4];
  double h[4][4]; /* the lower triangle; after factoring, L below and 1 / D on the diagonal */
} equations;

/* First and second derivatives of one feature, in its body's frame. */
typedef struct shape {
  clp_vec3 p, t[2], tt[3];
} shape;

ALWAYS_INLINE shape shape_at(const clp_body *body, clp_spot spot, int freedoms)
{
  if (freedoms == 2) {
    clp_jet j = clp_surface_jet(&body->faces[spot.id].surface, spot.site);
    return (shape){j.p, {j.u, j.v}, {j.uu, j.uv, j.vv}};
  }
  if (freedoms == 1) {
    clp_curve_jet j = clp_curve_jet_at(&body->edges[spot.id].curve, clp_spot_curve_site(spot));
    return (shape){j.p, {j.t}, {j.tt}};
  }
  return (shape){.p = body->vertices[spot.id].place};
}

/* r times the second derivatives, on the diagonal block that starts at `o`. */
ALWAYS_INLINE void add_curvature(equations *e, int o, int freedoms, const shape *s, clp_vec3 r)
{
  if (freedoms > 0)
    e->h[o][o] += clp_dot(r, s->tt[0]);
  if (freedoms == 2) {
    e->h[o + 1][o] += clp_dot(r, s->tt[1]);
    e->h[o + 1][o + 1] += clp_dot(r, s->tt[2]);
  }
}

ALWAYS_INLINE void set_up(equations *e, int na, int nb, const shape *a, const shape *b,
                          const clp_mat3 *R, clp_vec3 r)
{
  UNROLL for (int k = 0; k < na; ++k) e->t[k] = a->t[k];
  UNROLL for (int k = 0; k < nb; ++k) e->t[na + k] = clp_negate(clp_rotate(*R, b->t[k]));
  UNROLL for (int i = 0; i < na + nb; ++i)
  {
    e->g[i] = clp_dot(e->t[i], r);
    UNROLL for (int j = 0; j <= i; ++j) e->h[i][j] = clp_dot(e->t[i], e->t[j]);
  }
  add_curvature(e, 0, na, a, r);
  if (nb > 0)
    add_curvature(e, na, nb, b, clp_negate(clp_rotate_back(*R, r)));
}

/* H = L D L^T in place, row by row; false where a pivot vanishes against the tangent's length. */
ALWAYS_INLINE bool factor(equations *e, int n)
{
  UNROLL for (int j = 0; j < n; ++j)
  {
    double pivot = e->h[j][j];
    UNROLL for (int k = 0; k < j; ++k)
    {
      double ld = e->h[j][k];
      e->h[j][k] = ld * e->h[k][k];
      pivot -= ld * e->h[j][k];
    }
    if (!(pivot > SAFE_PIVOT * clp_norm2(e->t[j])))
      return false;
    e->h[j][j] = 1 / pivot;
    UNROLL for (int i = j + 1; i < n; ++i) UNROLL for (int k = 0; k < j; ++k) e->h[i][j] -=
        e->h[i][k] * e->h[j][k];
  }
  return true;
}

/* x = -H^-1 y with the factors of above. */
ALWAYS_INLINE void solve(const equations *e, int n, const double *y, double *x)
{
  UNROLL for (int i = 0; i < n; ++i)
  {
    x[i] = -y[i];
    UNROLL for (int k = 0; k < i; ++k) x[i] -= e->h[i][k] * x[k];
  }
  UNROLL for (int i = n - 1; i >= 0; --i)
  {
    x[i] *= e->h[i][i];
    UNROLL for (int k = i + 1; k < n; ++k) x[i] -= e->h[k][i] * x[k];
  }
}

/* Whether the whole step stays on the feature: most often there is no bound at all. */
ALWAYS_INLINE bool moves_freely(const clp_body *body, clp_spot spot, int freedoms, const double *x)
{
  int side;
  if (freedoms == 0 || (freedoms == 2 && body->faces[spot.id].domain.kind == CLP_DOMAIN_WHOLE))
    return true;
  return clp_spot_fraction(body, spot, x, &side) >= 1;
}

ALWAYS_INLINE clp_spot moved(const clp_body *body, clp_spot spot, int freedoms, const double *x)
{
  if (freedoms == 2)
    spot.site = clp_surface_step(&body->faces[spot.id].surface, spot.site, x[0], x[1]);
  return freedoms == 1 ? clp_spot_move(body, spot, x, -1) : spot;
}

/* The drift b = dg/dt at fixed parameters: -v(h).t for A's tangents, -v(f).t for B's, which carry
 * their sign already; v is B's velocity field as seen from A. */
ALWAYS_INLINE void find_rates(const equations *e, int na, int nb, clp_vec3 f, clp_vec3 h,
                              const clp_twist *motion, double *rates)
{
  clp_vec3 v_h = clp_add(motion->linear, clp_cross(motion->angular, h));
  clp_vec3 v_f = clp_add(motion->linear, clp_cross(motion->angular, f));
  double drift[4];
  UNROLL for (int k = 0; k < na + nb; ++k) drift[k] = -clp_dot(k < na ? v_h : v_f, e->t[k]);
  solve(e, na + nb, drift, rates);
}

ALWAYS_INLINE bool stride_of(int na, int nb, const clp_couple *c, clp_spots *spots,
                             const clp_twist *motion, clp_stride *stride)
{
  shape a = shape_at(c->a, spots->a, na), b = shape_at(c->b, spots->b, nb);
  clp_vec3 h = clp_transform(c->X_AB, b.p);
  equations e;
  double x[4];
  set_up(&e, na, nb, &a, &b, &c->X_AB.rotation, clp_sub(a.p, h));
  stride->has_rates = false;
  if (!factor(&e, na + nb))
    return false;
  solve(&e, na + nb, e.g, x);
  if (!moves_freely(c->a, spots->a, na, x) || !moves_freely(c->b, spots->b, nb, x + na))
    return false;
  spots->a = moved(c->a, spots->a, na, x);
  spots->b = moved(c->b, spots->b, nb, x + na);
  stride->has_rates = motion != NULL;
  if (motion)
    find_rates(&e, na, nb, a.p, h, motion, stride->rates);
  return true;
}

bool clp_stride_take(const clp_couple *c, clp_spots *spots, const clp_twist *motion,
                     clp_stride *stride)
{
  switch (3 * (int)spots->a.kind + (int)spots->b.kind) {
    case 3 * CLP_FACE + CLP_FACE:
      return stride_of(2, 2, c, spots, motion, stride);
    case 3 * CLP_FACE + CLP_EDGE:
      return stride_of(2, 1, c, spots, motion, stride);
    case 3 * CLP_FACE + CLP_VERTEX:
      return stride_of(2, 0, c, spots, motion, stride);
    case 3 * CLP_EDGE + CLP_FACE:
      return stride_of(1, 2, c, spots, motion, stride);
    case 3 * CLP_EDGE + CLP_EDGE:
      return stride_of(1, 1, c, spots, motion, stride);
    case 3 * CLP_EDGE + CLP_VERTEX:
      return stride_of(1, 0, c, spots, motion, stride);
    case 3 * CLP_VERTEX + CLP_FACE:
      return stride_of(0, 2, c, spots, motion, stride);
    case 3 * CLP_VERTEX + CLP_EDGE:
      return stride_of(0, 1, c, spots, motion, stride);
    default:
      return stride_of(0, 0, c, spots, motion, stride);
  }
}

/* ---- Between cycles ----------------------------------------------------------------------- */

clp_vec3 clp_spot_site_rate(const clp_body *body, clp_spot spot, const double *x)
{
  if (spot.kind == CLP_FACE)
    return clp_walk_site_rate(&body->faces[spot.id].surface, spot.site, x[0], x[1]);
  if (spot.kind == CLP_VERTEX)
    return (clp_vec3){0, 0, 0};
  bool turns = body->edges[spot.id].curve.kind == CLP_CURVE_ELLIPSE;
  return turns ? (clp_vec3){-spot.site.c[1] * x[0], spot.site.c[0] * x[0], 0}
               : (clp_vec3){x[0], 0, 0};
}

static clp_spot shift_on_edge(const clp_edge *edge, clp_spot spot, clp_vec3 change)
{
  double *c = spot.site.c;
  c[0] += change.x;
  c[1] += change.y;
  if (edge->curve.kind != CLP_CURVE_ELLIPSE) {
    c[0] = fmin(edge->curve.hi, fmax(edge->curve.lo, c[0]));
  } else {
    double over = 1 / sqrt(c[0] * c[0] + c[1] * c[1]);
    c[0] *= over;
    c[1] *= over;
  }
  return spot;
}

clp_spot clp_spot_shift(const clp_body *body, clp_spot spot, clp_vec3 change)
{
  int side;
  if (spot.kind == CLP_VERTEX)
    return spot;
  if (spot.kind == CLP_EDGE)
    return shift_on_edge(&body->edges[spot.id], spot, change);
  const clp_face *face = &body->faces[spot.id];
  spot.site = clp_walk_shift(&face->surface, spot.site, change);
  if (face->domain.kind != CLP_DOMAIN_WHOLE &&
      clp_domain_margin(&face->domain, spot.site, &side) < 0)
    spot.site = clp_walk_snap(&face->surface, &face->domain, spot.site, side);
  return spot;
}

clp_twist clp_relative_twist(const clp_pose *X_WA, const clp_twist *V_WA, const clp_pose *X_WB,
                             const clp_twist *V_WB)
{
  clp_vec3 arm = clp_sub(X_WA->position, X_WB->position);
  clp_vec3 v = clp_add(clp_sub(V_WB->linear, V_WA->linear), clp_cross(V_WB->angular, arm));
  return (clp_twist){clp_rotate_back(X_WA->rotation, v),
                     clp_rotate_back(X_WA->rotation, clp_sub(V_WB->angular, V_WA->angular))};
}
