/* SPDX-License-Identifier: Apache-2.0 */

/* The source of batch_plain.c and batch_wide.c, which differ in the registers that they are
 * compiled for: the stride of stride_kernel.h and the certificate of certificate.h for four pairs
 * party by party. CLP_BATCH_RUN is the name of the one function that comes out.
 *
 * The equations are those of stride_kernel.h. What differs is where they are written: in the
 * world's axes, with A's frame at the origin, for then no pose has to be multiplied with another.
 * And how they are solved: every operation waits for the one before, so what counts is the length
 * of that chain. */

#include <assert.h>
#include <stddef.h>

#include "rclc_closest_point/math/quad.h"
#include "rclc_closest_point/pair/batch_run.h"

#define INLINE CLP_QUAD_INLINE

typedef clp_batch_form form;

/* ---- Gathering ---------------------------------------------------------------------------- */

/* One of the two bodies of each pair. */
typedef struct party {
  clp_quad_mat3 R;
  clp_quad position;
  clp_quad linear, angular;
  clp_four kind_and_id; /* of the spot: bits, not a number */
  clp_quad site, rate;
  clp_four lo[2], hi[2];
  clp_four_mask unbounded;
  clp_quad center, radii;  /* of ellipsoids */
  clp_four r0, z0, dr, dz; /* of cones */
  clp_quad origin, du, dv; /* of planes; a point is at the origin */
  clp_four sign, radius;   /* the surface's party, the body's radius */
  clp_quad axis_u, axis_v; /* the unit sphere's tangents at an ellipsoid's site */
  clp_quad direction;      /* for the normal: need not wait until the site is made unit */
  clp_quad p, u, v;        /* first in the body's frame, then in the world's axes */
  clp_quad f, normal;      /* the corrected witness, likewise */
} party;

/* Four pairs. */
typedef struct group {
  party a, b;
  clp_four step;
  clp_four size, larger, tolerance; /* of both bodies, of the larger one, relative to it */
  clp_four slack;                   /* of the couple */
} group;

/* One number of each. Not lane by lane: what is stored in pieces is slow to load as a whole. */
#define EACH(from, member) \
  ((clp_four){(from)[0]->member, (from)[1]->member, (from)[2]->member, (from)[3]->member})

/* Gathers, and the rows that are scattered, take four numbers in a row across members: these are
 * where they expect them. Where fewer than four are left a gather begins earlier and takes some
 * again, so it ends within the structure. */
#define AT(type, member, bytes) \
  static_assert(offsetof(type, member) == (bytes), "gathers and rows expect it there")

static_assert(sizeof(clp_vec3) == 24, "three numbers and nothing between vectors");
AT(clp_pose, rotation.x, 0);
AT(clp_pose, rotation.y, 24);
AT(clp_pose, rotation.z, 48);
AT(clp_pose, position, 72);
AT(clp_twist, linear, 0);
AT(clp_twist, angular, 24);
AT(clp_ellipsoid, center, 0);
AT(clp_ellipsoid, radii, 24);
AT(clp_plane, origin, 0);
AT(clp_plane, a, 24);
AT(clp_plane, b, 48);
AT(clp_cone, r0, 0);
AT(clp_cone, z0, 8);
AT(clp_cone, dr, 16);
AT(clp_cone, dz, 24);
AT(clp_domain, hi, offsetof(clp_domain, lo) + 16);
static_assert(offsetof(clp_vertex, place) + 32 <= sizeof(clp_vertex), "a fourth number is read");
AT(clp_spot, kind, 0);
AT(clp_spot, id, 4);
AT(clp_spot, site, 8);
static_assert(sizeof(clp_spot) == 32, "a spot is a row");
AT(clp_twin, x, 0);
AT(clp_twin, y, 16);
AT(clp_twin, z, 32);
AT(clp_answer, lower_bound, offsetof(clp_answer, distance) + 8);
AT(clp_answer, point_a, offsetof(clp_answer, distance) + 16);
AT(clp_answer, point_b, offsetof(clp_answer, distance) + 40);
AT(clp_answer, normal, offsetof(clp_answer, distance) + 64);

INLINE void gather_pose(const void *const X[4], party *s)
{
  clp_quad_mat3 *R = &s->R;
  clp_four_gather(X, 0, &R->x.x, &R->x.y, &R->x.z, &R->y.x);
  clp_four_gather(X, 32, &R->y.y, &R->y.z, &R->z.x, &R->z.y);
  clp_four_gather(X, 64, &R->z.z, &s->position.x, &s->position.y, &s->position.z);
}

INLINE void gather_twist(const void *const V[4], party *s)
{
  clp_quad *v = &s->linear, *w = &s->angular;
  clp_four_gather(V, 0, &v->x, &v->y, &v->z, &w->x);
  clp_four_gather(V, 16, &v->z, &w->x, &w->y, &w->z);
}

INLINE void gather_ellipsoid(const void *const face[4], party *s)
{
  clp_quad *c = &s->center, *r = &s->radii;
  size_t at = offsetof(clp_face, surface.as.ellipsoid);
  clp_four_gather(face, at, &c->x, &c->y, &c->z, &r->x);
  clp_four_gather(face, at + 16, &c->z, &r->x, &r->y, &r->z);
}

INLINE void gather_plane(const void *const face[4], party *s)
{
  clp_quad *o = &s->origin, *u = &s->du, *v = &s->dv;
  size_t at = offsetof(clp_face, surface.as.plane);
  clp_four_gather(face, at, &o->x, &o->y, &o->z, &u->x);
  clp_four_gather(face, at + 32, &u->y, &u->z, &v->x, &v->y);
  clp_four_gather(face, at + 40, &u->z, &v->x, &v->y, &v->z);
}

INLINE void gather_feature(form k, const clp_body *const body[4], const clp_spot *const spot[4],
                           party *s)
{
  const void *from[4];
  const clp_face *face[4];
  clp_four unused;
  for (int n = 0; n < 4; ++n) {
    face[n] = k == CLP_BATCH_POINT ? NULL : &body[n]->faces[spot[n]->id];
    from[n] = k == CLP_BATCH_POINT ? (const void *)&body[n]->vertices[0] : (const void *)face[n];
  }
  s->radius = EACH(body, radius);
  if (k != CLP_BATCH_POINT) {
    clp_four whole = EACH(face, domain.kind == CLP_DOMAIN_WHOLE);
    s->unbounded = whole != 0;
    s->sign = EACH(face, surface.outward);
  }
  if (k != CLP_BATCH_POINT)
    clp_four_gather(from, offsetof(clp_face, domain.lo), &s->lo[0], &s->lo[1], &s->hi[0],
                    &s->hi[1]);
  if (k == CLP_BATCH_ELLIPSOID)
    gather_ellipsoid(from, s);
  else if (k == CLP_BATCH_CONE)
    clp_four_gather(from, offsetof(clp_face, surface.as.cone), &s->r0, &s->z0, &s->dr, &s->dz);
  else if (k == CLP_BATCH_PLANE)
    gather_plane(from, s);
  else
    clp_four_gather(from, offsetof(clp_vertex, place), &s->origin.x, &s->origin.y, &s->origin.z,
                    &unused);
}

INLINE void gather_spot(const clp_spot *const spot[4], party *s)
{
  const void *const from[4] = {spot[0], spot[1], spot[2], spot[3]};
  clp_four_gather(from, 0, &s->kind_and_id, &s->site.x, &s->site.y, &s->site.z);
}

/* A's and B's rates stand side by side in a clp_twin. */
INLINE void gather_rates(const void *const twin[4], clp_quad *a, clp_quad *b)
{
  clp_four_gather(twin, 0, &a->x, &b->x, &a->y, &b->y);
  clp_four_gather(twin, 16, &a->y, &b->y, &a->z, &b->z);
}

/* ---- One feature: the formulas of surface/ ------------------------------------------------ */

/* 1 / sqrt(a) next to 1, without the wait for a root and a division: a prediction is corrected
 * anyway, and the correction ends on the chart exactly. */
INLINE clp_four nearly_over_root(clp_four a)
{
  return 1.5 - 0.5 * a;
}

INLINE void predict(form k, const clp_four *step, party *s)
{
  if (k == CLP_BATCH_POINT)
    return;
  s->site = clp_quad_add_scaled(s->site, *step, s->rate);
  if (k == CLP_BATCH_ELLIPSOID)
    s->site = clp_quad_scale(nearly_over_root(clp_quad_dot(s->site, s->site)), s->site);
  if (k == CLP_BATCH_CONE) {
    clp_four over = nearly_over_root(s->site.x * s->site.x + s->site.y * s->site.y);
    s->site.x *= over;
    s->site.y *= over;
  }
}

/* The branch-free orthonormal basis of surface/ellipsoid.h. */
INLINE void find_axes(party *s)
{
  clp_quad q = s->site;
  const clp_four one = clp_four_of(1), zero = clp_four_of(0);
  clp_four sign = clp_four_select((clp_four_mask)q.z < (clp_four_mask)zero, -one, one);
  clp_four a = -1 / (sign + q.z), px = sign * q.x;
  s->axis_u = (clp_quad){one + q.x * (px * a), q.y * (px * a), -px};
  s->axis_v = (clp_quad){q.x * (q.y * a), sign + q.y * (q.y * a), -q.y};
}

INLINE clp_quad point_on(form k, const party *s)
{
  clp_quad q = s->site;
  if (k == CLP_BATCH_ELLIPSOID)
    return clp_quad_add(s->center, clp_quad_stretch(s->radii, q));
  if (k == CLP_BATCH_CONE) {
    clp_four r = s->r0 + q.z * s->dr;
    return (clp_quad){r * q.x, r * q.y, s->z0 + q.z * s->dz};
  }
  if (k == CLP_BATCH_PLANE)
    return clp_quad_add_scaled(clp_quad_add_scaled(s->origin, q.x, s->du), q.y, s->dv);
  return s->origin;
}

/* q is the site, or anything along it where that is a direction. */
INLINE clp_quad normal_on(form k, const party *s, clp_quad q)
{
  clp_quad out;
  if (k == CLP_BATCH_ELLIPSOID) {
    clp_quad r = s->radii;
    out = (clp_quad){r.y * r.z * q.x, r.z * r.x * q.y, r.x * r.y * q.z};
  } else if (k == CLP_BATCH_CONE) {
    out = (clp_quad){s->dz * q.x, s->dz * q.y, -s->dr};
  } else {
    out = clp_quad_cross(s->du, s->dv);
  }
  return clp_quad_scale(s->sign / clp_four_sqrt(clp_quad_dot(out, out)), out);
}

/* The point and its derivatives; those of a point are never asked for. */
INLINE void find_footing(form k, party *s)
{
  clp_quad q = s->site;
  s->p = point_on(k, s);
  if (k == CLP_BATCH_ELLIPSOID) {
    find_axes(s);
    s->u = clp_quad_stretch(s->radii, s->axis_u);
    s->v = clp_quad_stretch(s->radii, s->axis_v);
  } else if (k == CLP_BATCH_CONE) {
    clp_four r = s->r0 + q.z * s->dr;
    s->u = (clp_quad){-r * q.y, r * q.x, clp_four_of(0)};
    s->v = (clp_quad){s->dr * q.x, s->dr * q.y, s->dz};
  } else if (k == CLP_BATCH_PLANE) {
    s->u = s->du;
    s->v = s->dv;
  }
}

/* ---- The equations ------------------------------------------------------------------------ */

typedef struct block {
  clp_four uu, uv, vv, u2, v2;
} block;

/* T^T T, and the curvature terms: d in the body's frame times the second derivatives. */
INLINE block block_of(form k, const party *s, double sign, clp_quad d)
{
  clp_four u2 = clp_quad_dot(s->u, s->u), uv = clp_quad_dot(s->u, s->v);
  clp_four v2 = clp_quad_dot(s->v, s->v);
  if (k == CLP_BATCH_PLANE)
    return (block){u2, uv, v2, u2, v2};
  clp_quad own = clp_quad_rotate_back(&s->R, d), q = s->site;
  if (k == CLP_BATCH_ELLIPSOID) {
    clp_four bend = sign * clp_quad_dot(own, clp_quad_stretch(s->radii, q));
    return (block){u2 - bend, uv, v2 - bend, u2, v2};
  }
  clp_four r = s->r0 + q.z * s->dr;
  return (block){u2 - sign * (r * (own.x * q.x + own.y * q.y)),
                 uv + sign * (s->dr * (own.y * q.x - own.x * q.y)), v2, u2, v2};
}

/* The unknowns of one body's two directions: for the correction, and for the rates. */
typedef struct unknowns {
  clp_four u[2], v[2];
} unknowns;

INLINE unknowns project(const party *s, clp_quad d, clp_quad velocity)
{
  return (unknowns){{clp_quad_dot(s->u, d), clp_quad_dot(s->u, velocity)},
                    {clp_quad_dot(s->v, d), clp_quad_dot(s->v, velocity)}};
}

/* Blocks are inverted as a whole: their determinants take two divisions one after the other, where
 * L D L^T takes four, and everything here waits for those. */
INLINE clp_four over_determinant(const block *m, clp_four_mask *safe)
{
  const clp_four part = clp_four_of(CLP_STRIDE_SAFE_PIVOT);
  clp_four determinant = m->uu * m->vv - m->uv * m->uv;
  *safe &= (m->uu > part * m->u2) & (determinant > m->uu * (part * m->v2));
  return 1 / determinant;
}

INLINE void solve_one(const block *m, unknowns *y, clp_four_mask *safe)
{
  clp_four over = over_determinant(m, safe);
  for (int k = 0; k < 2; ++k) {
    clp_four u = y->u[k], v = y->v[k];
    y->u[k] = over * (m->vv * u - m->uv * v);
    y->v[k] = over * (m->uu * v - m->uv * u);
  }
}

/* B's block less what A's unknowns take over, then B's unknowns, then A's. */
INLINE void solve_both(const block *ma, block mb, const party *a, const party *b, unknowns *ya,
                       unknowns *yb, clp_four_mask *safe)
{
  clp_four uu = clp_quad_dot(a->u, b->u), uv = clp_quad_dot(a->u, b->v);
  clp_four vu = clp_quad_dot(a->v, b->u), vv = clp_quad_dot(a->v, b->v);
  clp_four over = over_determinant(ma, safe);
  clp_four w_uu = over * (ma->vv * uu - ma->uv * vu), w_uv = over * (ma->vv * uv - ma->uv * vv);
  clp_four w_vu = over * (ma->uu * vu - ma->uv * uu), w_vv = over * (ma->uu * vv - ma->uv * uv);
  mb.uu -= w_uu * uu + w_vu * vu;
  mb.uv -= w_uu * uv + w_vu * vv;
  mb.vv -= w_uv * uv + w_vv * vv;
  for (int k = 0; k < 2; ++k) {
    yb->u[k] -= w_uu * ya->u[k] + w_vu * ya->v[k];
    yb->v[k] -= w_uv * ya->u[k] + w_vv * ya->v[k];
    clp_four u = ya->u[k], v = ya->v[k];
    ya->u[k] = over * (ma->vv * u - ma->uv * v);
    ya->v[k] = over * (ma->uu * v - ma->uv * u);
  }
  solve_one(&mb, yb, safe);
  for (int k = 0; k < 2; ++k) {
    ya->u[k] -= w_uu * yb->u[k] + w_uv * yb->v[k];
    ya->v[k] -= w_vu * yb->u[k] + w_vv * yb->v[k];
  }
}

INLINE void solve(form ka, form kb, const party *a, const party *b, clp_quad d, clp_quad v_h,
                  clp_quad v_f, unknowns *xa, unknowns *xb, clp_four_mask *safe)
{
  block ma, mb;
  if (ka != CLP_BATCH_POINT) {
    ma = block_of(ka, a, -1, d);
    *xa = project(a, d, v_h);
  }
  if (kb != CLP_BATCH_POINT) {
    mb = block_of(kb, b, 1, d);
    *xb = project(b, d, v_f);
  }
  if (ka == CLP_BATCH_POINT)
    solve_one(&mb, xb, safe);
  else if (kb == CLP_BATCH_POINT)
    solve_one(&ma, xa, safe);
  else
    solve_both(&ma, mb, a, b, xa, xb, safe);
}

/* ---- Moving on ---------------------------------------------------------------------------- */

/* Moves the site by the correction and finds how it goes on changing. */
INLINE void go(form k, const unknowns *x, double sign, party *s, clp_four_mask *safe)
{
  clp_four u = sign * x->u[0], v = sign * x->v[0], w_u = sign * x->u[1], w_v = sign * x->v[1];
  clp_quad q = s->site;
  if (k == CLP_BATCH_ELLIPSOID) {
    s->rate = clp_quad_add_scaled(clp_quad_scale(w_u, s->axis_u), w_v, s->axis_v);
    q = clp_quad_add_scaled(clp_quad_add_scaled(q, u, s->axis_u), v, s->axis_v);
    clp_four length2 = clp_quad_dot(q, q);
    *safe &= clp_four_abs(length2 - 1) < clp_four_of(CLP_STRIDE_LONG_TURN);
    s->site = clp_quad_scale(1 / clp_four_sqrt(length2), q);
    s->direction = q;
  } else if (k == CLP_BATCH_CONE) {
    s->rate = (clp_quad){-q.y * w_u, q.x * w_u, w_v};
    clp_four x1 = q.x - u * q.y, y1 = q.y + u * q.x;
    clp_four over = 1 / clp_four_sqrt(x1 * x1 + y1 * y1);
    s->site = (clp_quad){over * x1, over * y1, q.z + v};
    s->direction = s->site;
  } else {
    s->rate = (clp_quad){w_u, w_v, clp_four_of(0)};
    s->site = (clp_quad){q.x + u, q.y + v, q.z};
    s->direction = s->site;
  }
}

/* ---- The interval ------------------------------------------------------------------------- */

typedef struct interval {
  clp_quad normal;
  clp_four distance, lower;
} interval;

/* clp_interval_along, and whether it is as narrow as TRACKING asks. */
INLINE interval certify(form ka, form kb, const group *g, clp_four_mask *safe)
{
  const party *a = &g->a, *b = &g->b;
  clp_quad d = clp_quad_sub(b->f, a->f);
  interval i;
  clp_four off = clp_four_of(0);
  i.normal = ka == CLP_BATCH_POINT ? clp_quad_negate(b->normal) : a->normal;
  if (ka != CLP_BATCH_POINT && kb != CLP_BATCH_POINT) {
    clp_quad apart = clp_quad_add(a->normal, b->normal);
    off = clp_four_sqrt(clp_quad_dot(apart, apart));
  }
  clp_four along = clp_quad_dot(i.normal, d);
  clp_quad beside = clp_quad_add_scaled(d, -along, i.normal);
  clp_four sideways2 = clp_quad_dot(beside, beside);
  i.distance = clp_four_sqrt(along * along + sideways2);
  clp_four rounding = CLP_ROUNDING * (5 * g->size + i.distance);
  clp_four width = g->tolerance * clp_four_larger(g->larger, 1e-3 * i.distance);
  i.lower = along - 2 * (b->radius * off) - (rounding + g->slack);
  *safe &= (i.distance - i.lower <= width) & (sideways2 <= width * width) & (along >= 0);
  i.lower = clp_four_smaller(i.lower, i.distance);
  return i;
}

/* ---- Scattering --------------------------------------------------------------------------- */

/* Rectangles of planes and bands of the others. Where a rim is reached clp_pair_track looks what is
 * behind it. */
INLINE clp_four_mask inside(form k, const party *s)
{
  const clp_quad q = s->site;
  if (k == CLP_BATCH_PLANE)
    return (q.x > s->lo[0]) & (q.x < s->hi[0]) & (q.y > s->lo[1]) & (q.y < s->hi[1]);
  return s->unbounded | ((q.z > s->lo[1]) & (q.z < s->hi[1]));
}

/* What is written of each pair, a row of four numbers of each. */
typedef struct rows {
  clp_four spot_a[4], spot_b[4], rates[2][4], normal[4], answer[3][4];
  clp_four_mask safe;
} rows;

INLINE void set_row(clp_four row[4], clp_four a, clp_four b, clp_four c, clp_four d)
{
  clp_four_transpose(&a, &b, &c, &d);
  row[0] = a;
  row[1] = b;
  row[2] = c;
  row[3] = d;
}

INLINE void set_rows(const party *a, const party *b, const interval *i, clp_four_mask safe, rows *r)
{
  clp_quad f = clp_quad_add(a->position, a->f), h = clp_quad_add(a->position, b->f);
  clp_quad n = i->normal, own = clp_quad_rotate_back(&a->R, n);
  set_row(r->spot_a, a->kind_and_id, a->site.x, a->site.y, a->site.z);
  set_row(r->spot_b, b->kind_and_id, b->site.x, b->site.y, b->site.z);
  set_row(r->rates[0], a->rate.x, b->rate.x, a->rate.y, b->rate.y);
  set_row(r->rates[1], a->rate.y, b->rate.y, a->rate.z, b->rate.z);
  set_row(r->normal, own.x, own.y, own.z, own.z);
  set_row(r->answer[0], i->distance, i->lower, f.x, f.y);
  set_row(r->answer[1], f.z, h.x, h.y, h.z);
  set_row(r->answer[2], h.z, n.x, n.y, n.z);
  r->safe = safe;
}

INLINE bool moves(const clp_batch_job *job)
{
  return job->V_WA && job->V_WB;
}

/* The last lines of clp_pair_track. What has just been stored in one piece is not loaded across the
 * pieces' borders, which would wait until both are in the cache: so the kinds, which stay as they
 * are, are read first, and the rates come in the halves of rows. */
INLINE void scatter(const rows *r, int k, clp_batch_job *job)
{
  clp_pair *pair = job->pair;
  clp_answer *answer = job->answer;
  clp_twin rates;
  answer->kind_a = pair->spots.a.kind;
  answer->kind_b = pair->spots.b.kind;
  answer->feature_a = pair->spots.a.id;
  answer->feature_b = pair->spots.b.id;
  memcpy(&pair->spots.a, &r->spot_a[k], sizeof r->spot_a[k]);
  memcpy(&pair->spots.b, &r->spot_b[k], sizeof r->spot_b[k]);
  memcpy(&rates.x, &r->rates[0][k], 16);
  memcpy(&rates.y, (const char *)&r->rates[0][k] + 16, 16);
  memcpy(&rates.z, (const char *)&r->rates[1][k] + 16, 16);
  pair->cycle.moves = moves(job);
  clp_pair_remember_rates(pair, rates);
  memcpy(&pair->normal, &r->normal[k], sizeof pair->normal);
  pair->log.count = 0;
  memcpy(&answer->distance, &r->answer[0][k], 32);
  memcpy((char *)&answer->distance + 32, &r->answer[1][k], 32);
  memcpy((char *)&answer->distance + 56, &r->answer[2][k], 32);
  bool far = pair->range > 0 && answer->lower_bound > pair->range;
  answer->status = far ? CLP_OUT_OF_RANGE : CLP_TRACKING;
  answer->non_unique = answer->scattered = false;
  answer->spread = 0;
  answer->steps = 1;
  if (pair->turned)
    clp_order_turn(answer);
}

/* A group that is computed, and of which nothing is written yet. */
typedef struct computed {
  clp_batch_job *const *jobs;
  int count;
  rows rows;
} computed;

static void write_back(const computed *c, int from, int to)
{
  for (int n = from; n < to && n < c->count; ++n) {
    c->jobs[n]->done = c->rows.safe[n];
    if (c->jobs[n]->done)
      scatter(&c->rows, n, c->jobs[n]);
  }
}

/* ---- Groups of four ----------------------------------------------------------------------- */

static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};

INLINE void gather_side(form k, const clp_body *const body[4], const clp_spot *const spot[4],
                        const void *const X[4], const void *const V[4], party *s)
{
  gather_spot(spot, s);
  gather_feature(k, body, spot, s);
  gather_pose(X, s);
  gather_twist(V, s);
}

/* One party of the pairs, in their own order. */
INLINE void gather_bodies(form k, clp_batch_job *const job[4], bool second, party *s)
{
  const void *X[4], *V[4];
  const clp_body *body[4];
  const clp_spot *spot[4];
  for (int n = 0; n < 4; ++n) {
    const clp_pair *pair = job[n]->pair;
    bool is_b = second != pair->turned;
    X[n] = is_b ? job[n]->X_WB : job[n]->X_WA;
    V[n] = !moves(job[n]) ? &still : is_b ? job[n]->V_WB : job[n]->V_WA;
    body[n] = second ? pair->b : pair->a;
    spot[n] = second ? &pair->spots.b : &pair->spots.a;
  }
  gather_side(k, body, spot, X, V, s);
}

INLINE void gather_pairs(clp_batch_job *const job[4], group *g)
{
  const clp_pair *pair[4];
  const void *rates[4];
  double step[4];
  for (int n = 0; n < 4; ++n) {
    pair[n] = job[n]->pair;
    rates[n] = &pair[n]->rates;
    step[n] = pair[n]->options.feedforward ? job[n]->step : 0;
  }
  g->step = (clp_four){step[0], step[1], step[2], step[3]};
  g->size = EACH(pair, cycle.couple.size);
  g->slack = EACH(pair, cycle.couple.slack);
  g->larger = EACH(pair, size);
  g->tolerance = EACH(pair, tolerance);
  gather_rates(rates, &g->a.rate, &g->b.rate);
}

/* The point and its derivatives, from the body's frame into the world's axes. */
INLINE void take_jet(form k, const clp_four *step, party *s)
{
  predict(k, step, s);
  find_footing(k, s);
  s->p = clp_quad_rotate(&s->R, s->p);
  if (k == CLP_BATCH_POINT)
    return;
  s->u = clp_quad_rotate(&s->R, s->u);
  s->v = clp_quad_rotate(&s->R, s->v);
}

/* The corrected witness and its normal. */
INLINE void take_foot(form k, party *s)
{
  if (k == CLP_BATCH_POINT) {
    s->f = s->p;
    return;
  }
  s->f = clp_quad_rotate(&s->R, point_on(k, s));
  s->normal = clp_quad_rotate(&s->R, normal_on(k, s, s->direction));
}

/* Everything here waits for the one operation before. So the last group's answers are written in
 * between, where the chain is longest: a processor looks ahead a few hundred instructions, and
 * needs some among them that do not wait. */
INLINE void stride_of(form ka, form kb, clp_batch_job *const job[4], computed *last)
{
  group g;
  party *a = &g.a, *b = &g.b;
  clp_four_mask safe = {-1, -1, -1, -1};
  unknowns xa, xb;
  gather_pairs(job, &g);
  gather_bodies(ka, job, false, a);
  take_jet(ka, &g.step, a);
  gather_bodies(kb, job, true, b);
  take_jet(kb, &g.step, b);
  /* B's motion as seen from A: the velocity of its point at p, from A's origin, is v + w x p. */
  clp_quad shift = clp_quad_sub(b->position, a->position);
  clp_quad w = clp_quad_sub(b->angular, a->angular);
  clp_quad v = clp_quad_sub(clp_quad_sub(b->linear, a->linear), clp_quad_cross(b->angular, shift));
  clp_quad h = clp_quad_add(shift, b->p), d = clp_quad_sub(h, a->p);
  clp_quad v_h = clp_quad_add(v, clp_quad_cross(w, h));
  clp_quad v_f = clp_quad_add(v, clp_quad_cross(w, a->p));
  solve(ka, kb, a, b, d, v_h, v_f, &xa, &xb, &safe);
  if (ka != CLP_BATCH_POINT) {
    go(ka, &xa, 1, a, &safe);
    safe &= inside(ka, a);
  }
  if (kb != CLP_BATCH_POINT) {
    go(kb, &xb, -1, b, &safe);
    safe &= inside(kb, b);
  }
  write_back(last, 0, 2);
  take_foot(ka, a);
  take_foot(kb, b);
  write_back(last, 2, 4);
  b->f = clp_quad_add(shift, b->f);
  interval i = certify(ka, kb, &g, &safe);
  set_rows(a, b, &i, safe, &last->rows);
}

/* Where fewer than four are left the first of them fills the other lanes. */
INLINE void stride_of_all(form ka, form kb, clp_batch_job *const *jobs, int count)
{
  computed last;
  last.count = 0;
  for (int k = 0; k < count; k += 4) {
    int left = count - k < 4 ? count - k : 4;
    clp_batch_job *four[4];
    for (int n = 0; n < 4; ++n)
      four[n] = jobs[k + (n < left ? n : 0)];
    stride_of(ka, kb, four, &last);
    last.jobs = jobs + k;
    last.count = left;
  }
  write_back(&last, 0, 4);
}

/* ---- The kinds ---------------------------------------------------------------------------- */

#define KERNEL(a, b)                                                  \
  static void stride_##a##_##b(clp_batch_job *const *jobs, int count) \
  {                                                                   \
    stride_of_all(CLP_BATCH_##a, CLP_BATCH_##b, jobs, count);         \
  }
#define NOTHING(a, b)
#define NAME(a, b) stride_##a##_##b,
#define NONE(a, b) NULL,

CLP_SIDE_BY_SIDE(KERNEL, NOTHING)

static void (*const kernels[])(clp_batch_job *const *, int) = {CLP_SIDE_BY_SIDE(NAME, NONE)};

CLP_COMPLETE(kernels, CLP_BATCH_KINDS - CLP_BATCH_FIRST);

void CLP_BATCH_RUN(int kind, clp_batch_job *const *jobs, int count)
{
  kernels[kind - CLP_BATCH_FIRST](jobs, count);
}
