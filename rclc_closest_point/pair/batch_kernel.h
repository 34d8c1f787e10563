/* SPDX-License-Identifier: Apache-2.0 */

/* The source of batch_plain.c and batch_wide.c, which differ in the registers that they are
 * compiled for: the stride of stride_kernel.h and the certificate of certificate.h for four pairs
 * party by party. CLP_BATCH_RUN is the name of the one function that comes out.
 *
 * The equations are those of stride_kernel.h. What differs is where they are written: in the
 * world's axes, with A's frame at the origin, for then no pose has to be multiplied with another.
 * And how they are solved: every operation waits for the one before, so what counts is the length
 * of that chain. */

#include "rclc_closest_point/pair/batch_answer.h"
#include "rclc_closest_point/pair/batch_closed.h"
#include "rclc_closest_point/pair/batch_cones.h"
#include "rclc_closest_point/surface/walk.h"

/* Four pairs. Where the kernel is that of the features the other way round, a is the pairs' b. */
typedef struct group {
  party a, b;
  clp_four step;
  clp_four size, larger, tolerance; /* of both bodies, of the larger one, relative to it */
  clp_four slack;                   /* of the couple */
  clp_four_mask once;               /* the witnesses are always the only ones */
} group;

/* ---- The equations ------------------------------------------------------------------------ */

typedef struct block {
  clp_four uu, uv, vv, u2, v2;
} block;

/* T^T T, and the curvature terms: d in the body's frame times the second derivatives. An edge has u
 * alone: what is about v of it is never asked for. */
INLINE block block_of(form k, const party *s, double sign, clp_quad d)
{
  if (k == CLP_BATCH_EDGE) {
    clp_four tt = clp_quad_dot(s->u, s->u);
    clp_four bend = sign * clp_quad_dot(clp_quad_rotate_back(&s->R, d), s->arm);
    return (block){.uu = tt - bend, .u2 = tt};
  }
  clp_four u2 = clp_quad_dot(s->u, s->u), uv = clp_quad_dot(s->u, s->v);
  clp_four v2 = clp_quad_dot(s->v, s->v);
  if (k == CLP_BATCH_PLANE)
    return (block){u2, uv, v2, u2, v2};
  clp_quad own = clp_quad_rotate_back(&s->R, d), q = s->site;
  if (k == CLP_BATCH_SPLINE) {
    const splines *f = &s->spline;
    return (block){u2 + sign * clp_quad_dot(own, f->uu), uv + sign * clp_quad_dot(own, f->uv),
                   v2 + sign * clp_quad_dot(own, f->vv), u2, v2};
  }
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

INLINE unknowns project(form k, const party *s, clp_quad d, clp_quad velocity)
{
  if (k == CLP_BATCH_EDGE)
    return (unknowns){.u = {clp_quad_dot(s->u, d), clp_quad_dot(s->u, velocity)}};
  return (unknowns){{clp_quad_dot(s->u, d), clp_quad_dot(s->u, velocity)},
                    {clp_quad_dot(s->v, d), clp_quad_dot(s->v, velocity)}};
}

/* Blocks are inverted as a whole: their determinants take two divisions one after the other, where
 * L D L^T takes four, and everything here waits for those. */
INLINE clp_four over_determinant(form k, const block *m, clp_four_mask *safe)
{
  const clp_four part = clp_four_of(CLP_STRIDE_SAFE_PIVOT);
  *safe &= clp_four_less(part * m->u2, m->uu);
  if (k == CLP_BATCH_EDGE)
    return 1 / m->uu;
  clp_four determinant = m->uu * m->vv - m->uv * m->uv;
  *safe &= clp_four_less(m->uu * (part * m->v2), determinant);
  return 1 / determinant;
}

/* One side of the equations of a block: (u, v), where there is a v. */
typedef struct column {
  clp_four u, v;
} column;

INLINE column solved(form k, const block *m, clp_four over, clp_four u, clp_four v)
{
  if (k == CLP_BATCH_EDGE)
    return (column){.u = over * u};
  return (column){over * (m->vv * u - m->uv * v), over * (m->uu * v - m->uv * u)};
}

INLINE clp_four column_dot(form k, column a, column b)
{
  return k == CLP_BATCH_EDGE ? a.u * b.u : a.u * b.u + a.v * b.v;
}

INLINE void solve_one(form k, const block *m, unknowns *y, clp_four_mask *safe)
{
  clp_four over = over_determinant(k, m, safe);
  for (int n = 0; n < 2; ++n) {
    column x = solved(k, m, over, y->u[n], y->v[n]);
    y->u[n] = x.u;
    y->v[n] = x.v;
  }
}

/* B's block less what A's unknowns take over, then B's unknowns, then A's. `of_u` and `of_v` are
 * H's elements between A's directions and B's of that name, `w` are A's unknowns of these. */
INLINE void solve_both(form ka, form kb, const block *ma, block mb, const party *a, const party *b,
                       unknowns *ya, unknowns *yb, clp_four_mask *safe)
{
  const bool edge_a = ka == CLP_BATCH_EDGE, edge_b = kb == CLP_BATCH_EDGE;
  column of_u = {.u = clp_quad_dot(a->u, b->u)}, of_v = of_u, w_u, w_v;
  if (!edge_a)
    of_u.v = clp_quad_dot(a->v, b->u);
  if (!edge_b)
    of_v.u = clp_quad_dot(a->u, b->v);
  if (!edge_a && !edge_b)
    of_v.v = clp_quad_dot(a->v, b->v);
  clp_four over = over_determinant(ka, ma, safe);
  w_u = w_v = solved(ka, ma, over, of_u.u, of_u.v);
  mb.uu -= column_dot(ka, w_u, of_u);
  if (!edge_b) {
    w_v = solved(ka, ma, over, of_v.u, of_v.v);
    mb.uv -= column_dot(ka, w_u, of_v);
    mb.vv -= column_dot(ka, w_v, of_v);
  }
  for (int k = 0; k < 2; ++k) {
    column y = {ya->u[k], ya->v[k]}, x = solved(ka, ma, over, y.u, y.v);
    yb->u[k] -= column_dot(ka, w_u, y);
    if (!edge_b)
      yb->v[k] -= column_dot(ka, w_v, y);
    ya->u[k] = x.u;
    ya->v[k] = x.v;
  }
  solve_one(kb, &mb, yb, safe);
  for (int k = 0; k < 2; ++k) {
    ya->u[k] -= edge_b ? w_u.u * yb->u[k] : w_u.u * yb->u[k] + w_v.u * yb->v[k];
    if (!edge_a)
      ya->v[k] -= edge_b ? w_u.v * yb->u[k] : w_u.v * yb->u[k] + w_v.v * yb->v[k];
  }
}

INLINE void solve(form ka, form kb, const party *a, const party *b, clp_quad d, clp_quad v_h,
                  clp_quad v_f, unknowns *xa, unknowns *xb, clp_four_mask *safe)
{
  const bool fixed_a = ka == CLP_BATCH_VERTEX, fixed_b = kb == CLP_BATCH_VERTEX;
  block ma, mb;
  if (!fixed_a) {
    ma = block_of(ka, a, -1, d);
    *xa = project(ka, a, d, v_h);
  }
  if (!fixed_b) {
    mb = block_of(kb, b, 1, d);
    *xb = project(kb, b, d, v_f);
  }
  if (!fixed_a && !fixed_b)
    /* cppcheck-suppress uninitStructMember ; neither is fixed */
    solve_both(ka, kb, &ma, mb, a, b, xa, xb, safe);
  else if (!fixed_a)
    solve_one(ka, &ma, xa, safe);
  else if (!fixed_b)
    solve_one(kb, &mb, xb, safe);
}

/* ---- Moving on ---------------------------------------------------------------------------- */

/* Round a rim, or along a line. */
INLINE void go_on_edge(clp_four u, clp_four w, party *s)
{
  const clp_four zero = clp_four_of(0);
  clp_quad q = s->site;
  clp_four x = q.x - u * q.y, y = q.y + u * q.x;
  clp_four over = 1 / clp_four_sqrt(x * x + y * y);
  s->rate = (clp_quad){clp_four_select(s->rim, -q.y * w, w), clp_four_select(s->rim, q.x * w, zero),
                       zero};
  s->site = (clp_quad){clp_four_select(s->rim, over * x, q.x + u),
                       clp_four_select(s->rim, over * y, zero), zero};
}

/* Moves the site by the correction and finds how it goes on changing. */
INLINE void go(form k, const unknowns *x, double sign, party *s, clp_four_mask *safe)
{
  clp_four u = sign * x->u[0], w_u = sign * x->u[1];
  if (k == CLP_BATCH_EDGE) {
    *safe &= ~s->rim | clp_four_less(u * u, clp_four_of(CLP_STRIDE_LONG_TURN));
    go_on_edge(u, w_u, s);
    return;
  }
  clp_four v = sign * x->v[0], w_v = sign * x->v[1];
  clp_quad q = s->site;
  if (k == CLP_BATCH_ELLIPSOID) {
    s->rate = clp_quad_add_scaled(clp_quad_scale(w_u, s->axis_u), w_v, s->axis_v);
    q = clp_quad_add_scaled(clp_quad_add_scaled(q, u, s->axis_u), v, s->axis_v);
    clp_four length2 = clp_quad_dot(q, q);
    *safe &= clp_four_less(clp_four_abs(length2 - 1), clp_four_of(CLP_STRIDE_LONG_TURN));
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

/* From A to B: a face's own normal, or else what is square to the edges that there are. */
INLINE clp_quad normal_between(form ka, form kb, const group *g, clp_quad d, clp_four_mask *safe)
{
  const clp_quad t = g->a.u, u = g->b.u;
  const bool edge_a = ka == CLP_BATCH_EDGE, edge_b = kb == CLP_BATCH_EDGE;
  if (is_face(ka))
    return g->a.normal;
  if (is_face(kb))
    return clp_quad_negate(g->b.normal);
  if (edge_a && edge_b) {
    const clp_four one = clp_four_of(1), least = clp_four_of(CLP_CROSSING * CLP_CROSSING);
    clp_quad across = clp_quad_cross(t, u);
    clp_four length2 = clp_quad_dot(across, across);
    *safe &= clp_four_less(least * (clp_quad_dot(t, t) * clp_quad_dot(u, u)), length2);
    clp_four way =
        clp_four_select(clp_four_less(clp_quad_dot(across, d), clp_four_of(0)), -one, one);
    return clp_quad_scale(way / clp_four_sqrt(length2), across);
  }
  if (edge_a)
    d = clp_quad_add_scaled(d, -clp_quad_dot(d, t) / clp_quad_dot(t, t), t);
  if (edge_b)
    d = clp_quad_add_scaled(d, -clp_quad_dot(d, u) / clp_quad_dot(u, u), u);
  return clp_quad_unit(d);
}

/* How much less is proven for the normals' sake: two radii times what they are off. Other witnesses
 * as near as these are for clp_pair_track. */
INLINE clp_four off_by(form ka, form kb, const group *g, clp_quad n, clp_four_mask *safe)
{
  const party *a = &g->a, *b = &g->b;
  const clp_four well = clp_four_of(CLP_WELL_INSIDE);
  if (is_face(ka) && is_face(kb)) {
    clp_quad apart = clp_quad_add(a->normal, b->normal);
    clp_four off = clp_four_sqrt(clp_quad_dot(apart, apart));
    if (kb == CLP_BATCH_SPLINE)
      off += b->off;
    off = b->radius * off;
    return 2 * (ka == CLP_BATCH_SPLINE ? a->radius * a->off + off : off);
  }
  margin of_a = margin_of(ka, a, n, safe), of_b = margin_of(kb, b, clp_quad_negate(n), safe);
  *safe &= g->once | (clp_four_less(well, of_a.depth) & clp_four_less(well, of_b.depth));
  return 2 * (a->radius * of_a.off + b->radius * of_b.off);
}

/* clp_interval_along, and whether it is as narrow as TRACKING asks. */
INLINE interval certify(form ka, form kb, const group *g, clp_four_mask *safe)
{
  clp_quad d = clp_quad_sub(g->b.f, g->a.f);
  interval i;
  i.normal = normal_between(ka, kb, g, d, safe);
  clp_four off = off_by(ka, kb, g, i.normal, safe);
  clp_four along = clp_quad_dot(i.normal, d);
  clp_quad beside = clp_quad_add_scaled(d, -along, i.normal);
  clp_four sideways2 = clp_quad_dot(beside, beside);
  i.distance = clp_four_sqrt(along * along + sideways2);
  clp_four rounding = CLP_ROUNDING * (5 * g->size + i.distance);
  clp_four width = g->tolerance * clp_four_larger(g->larger, 1e-3 * i.distance);
  i.lower = along - off - (rounding + g->slack);
  *safe &= clp_four_at_most(i.distance - i.lower, width) &
           clp_four_at_most(sideways2, width * width) & clp_four_at_most(clp_four_of(0), along);
  i.lower = clp_four_smaller(i.lower, i.distance);
  return i;
}

/* ---- Scattering --------------------------------------------------------------------------- */

INLINE clp_four_mask is_within(clp_four low, clp_four x, clp_four high)
{
  return clp_four_less(low, x) & clp_four_less(x, high);
}

/* Rectangles of planes, stretches of lines and bands of the others. Where a rim is reached
 * clp_pair_track looks what is behind it. */
INLINE clp_four_mask inside(form k, const party *s)
{
  const clp_quad q = s->site;
  if (k == CLP_BATCH_EDGE) {
    clp_four slack = CLP_AT_END * (s->hi[0] - s->lo[0]);
    return s->rim | is_within(s->lo[0] + slack, q.x, s->hi[0] - slack);
  }
  if (k == CLP_BATCH_PLANE)
    return is_within(s->lo[0], q.x, s->hi[0]) & is_within(s->lo[1], q.y, s->hi[1]);
  if (k == CLP_BATCH_SPLINE) {
    const clp_four u = CLP_ON_SIDE * (s->hi[0] - s->lo[0]);
    const clp_four v = CLP_ON_SIDE * (s->hi[1] - s->lo[1]);
    return is_within(s->lo[0] + u, q.x, s->hi[0] - u) & is_within(s->lo[1] + v, q.y, s->hi[1] - v) &
           are_on_spans(&s->spline, q);
  }
  return s->unbounded | is_within(s->lo[1], q.z, s->hi[1]);
}

/* What is written of each pair, a row of four numbers of each. */
typedef struct rows {
  clp_four spot_a[4], spot_b[4], rates[2][4], normal[4];
  answer_rows answer;
  clp_four_mask safe;
} rows;

INLINE void set_rows(const party *a, const party *b, const interval *i, clp_four_mask safe,
                     bool turned, rows *r)
{
  clp_quad n = i->normal;
  clp_quad own =
      turned ? clp_quad_rotate_back(&b->R, clp_quad_negate(n)) : clp_quad_rotate_back(&a->R, n);
  const found answers = {i->distance, i->lower, clp_quad_add(a->position, a->f),
                         clp_quad_add(a->position, b->f), n};
  set_row(r->spot_a, a->kind_and_id, a->site.x, a->site.y, a->site.z);
  set_row(r->spot_b, b->kind_and_id, b->site.x, b->site.y, b->site.z);
  set_row(r->rates[0], a->rate.x, b->rate.x, a->rate.y, b->rate.y);
  set_row(r->rates[1], a->rate.y, b->rate.y, a->rate.z, b->rate.z);
  set_row(r->normal, own.x, own.y, own.z, own.z);
  set_answers(&answers, &r->answer);
  r->safe = safe;
}

INLINE bool moves(const clp_batch_job *job)
{
  return job->V_WA && job->V_WB;
}

/* The last lines of clp_pair_track. What has just been stored in one piece is not loaded across the
 * pieces' borders, which would wait until both are in the cache: so the kinds, which stay as they
 * are, are read first, and the rates come in the halves of rows. */
INLINE void scatter(const rows *r, int k, bool turned, clp_batch_job *job)
{
  clp_pair *pair = job->pair;
  clp_twin rates;
  write_answer(&r->answer, k, pair, turned, job->answer);
  memcpy(turned ? &pair->spots.b : &pair->spots.a, &r->spot_a[k], sizeof r->spot_a[k]);
  memcpy(turned ? &pair->spots.a : &pair->spots.b, &r->spot_b[k], sizeof r->spot_b[k]);
  memcpy(&rates.x, &r->rates[0][k], 16);
  memcpy(&rates.y, (const char *)&r->rates[0][k] + 16, 16);
  memcpy(&rates.z, (const char *)&r->rates[1][k] + 16, 16);
  if (turned)
    rates = clp_twin_of(clp_twin_second(rates), clp_twin_first(rates));
  pair->cycle.moves = moves(job);
  clp_pair_remember_rates(pair, rates);
  memcpy(&pair->normal, &r->normal[k], sizeof pair->normal);
  pair->log.count = 0;
}

/* A group that is computed, and of which nothing is written yet. */
typedef struct computed {
  clp_batch_job *const *jobs;
  int count;
  rows rows;
} computed;

INLINE void write_pairs(const computed *c, bool turned, int from, int to)
{
  for (int n = from; n < to && n < c->count; ++n) {
    c->jobs[n]->done = c->rows.safe[n];
    if (c->jobs[n]->done)
      scatter(&c->rows, n, turned, c->jobs[n]);
  }
}

static void write_kept(const computed *c, int from, int to)
{
  write_pairs(c, false, from, to);
}

static void write_turned(const computed *c, int from, int to)
{
  write_pairs(c, true, from, to);
}

INLINE void write_back(const computed *c, bool turned, int from, int to)
{
  if (turned)
    write_turned(c, from, to);
  else
    write_kept(c, from, to);
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

/* One party of the pairs, in their own order: the first or the second. */
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

INLINE void gather_pairs(clp_batch_job *const job[4], bool turned, group *g)
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
  clp_four once = EACH(pair, round);
  g->once = clp_four_is(once);
  if (turned)
    gather_rates(rates, &g->b.rate, &g->a.rate);
  else
    gather_rates(rates, &g->a.rate, &g->b.rate);
}

/* The point and its derivatives, from the body's frame into the world's axes. */
INLINE void take_jet(form k, const clp_four *step, party *s)
{
  predict(k, step, s);
  find_footing(k, s);
  s->p = clp_quad_rotate(&s->R, s->p);
  if (k == CLP_BATCH_VERTEX)
    return;
  s->u = clp_quad_rotate(&s->R, s->u);
  if (k != CLP_BATCH_EDGE)
    s->v = clp_quad_rotate(&s->R, s->v);
}

/* The corrected witness and its normal, or its edge's tangent. */
INLINE void take_foot(form k, party *s, clp_four_mask *safe)
{
  if (k == CLP_BATCH_VERTEX) {
    s->f = s->p;
    return;
  }
  if (k == CLP_BATCH_SPLINE) {
    find_jets(&s->site, &s->spline);
    find_normals(&s->site, s->lo, s->hi, &s->spline, &s->normal, &s->off, safe);
    s->f = clp_quad_rotate(&s->R, s->spline.p);
    s->normal = clp_quad_rotate(&s->R, clp_quad_scale(s->sign, s->normal));
    return;
  }
  s->f = clp_quad_rotate(&s->R, point_on(k, s));
  if (k == CLP_BATCH_EDGE)
    s->u = clp_quad_rotate(&s->R, tangent_on(s));
  else
    s->normal = clp_quad_rotate(&s->R, normal_on(k, s, s->direction));
}

/* Everything here waits for the one operation before. So the last group's answers are written in
 * between, where the chain is longest: a processor looks ahead a few hundred instructions, and
 * needs some among them that do not wait. */
INLINE void stride_of(form ka, form kb, bool turned, clp_batch_job *const job[4], computed *last)
{
  group g;
  party *a = &g.a, *b = &g.b;
  clp_four_mask safe = {-1, -1, -1, -1};
  unknowns xa, xb;
  gather_pairs(job, turned, &g);
  gather_bodies(ka, job, turned, a);
  take_jet(ka, &g.step, a);
  gather_bodies(kb, job, !turned, b);
  take_jet(kb, &g.step, b);
  /* B's motion as seen from A: the velocity of its point at p, from A's origin, is v + w x p. */
  clp_quad shift = clp_quad_sub(b->position, a->position);
  clp_quad w = clp_quad_sub(b->angular, a->angular);
  clp_quad v = clp_quad_sub(clp_quad_sub(b->linear, a->linear), clp_quad_cross(b->angular, shift));
  clp_quad h = clp_quad_add(shift, b->p), d = clp_quad_sub(h, a->p);
  clp_quad v_h = clp_quad_add(v, clp_quad_cross(w, h));
  clp_quad v_f = clp_quad_add(v, clp_quad_cross(w, a->p));
  solve(ka, kb, a, b, d, v_h, v_f, &xa, &xb, &safe);
  if (ka != CLP_BATCH_VERTEX) {
    go(ka, &xa, 1, a, &safe);
    safe &= inside(ka, a);
  }
  if (kb != CLP_BATCH_VERTEX) {
    go(kb, &xb, -1, b, &safe);
    safe &= inside(kb, b);
  }
  write_back(last, turned, 0, 2);
  take_foot(ka, a, &safe);
  take_foot(kb, b, &safe);
  write_back(last, turned, 2, 4);
  b->f = clp_quad_add(shift, b->f);
  interval i = certify(ka, kb, &g, &safe);
  set_rows(a, b, &i, safe, turned, &last->rows);
}

/* Where fewer than four are left the first of them fills the other lanes. */
INLINE void stride_of_all(form ka, form kb, bool turned, clp_batch_job *const *jobs, int count)
{
  computed last;
  last.count = 0;
  for (int k = 0; k < count; k += 4) {
    int left = count - k < 4 ? count - k : 4;
    clp_batch_job *four[4];
    for (int n = 0; n < 4; ++n)
      four[n] = jobs[k + (n < left ? n : 0)];
    stride_of(ka, kb, turned, four, &last);
    last.jobs = jobs + k;
    last.count = left;
  }
  write_back(&last, turned, 0, 4);
}

/* ---- The kinds ---------------------------------------------------------------------------- */

/* Each is long to compile: that of a spline's face does for pairs whose second one is, too. */
#define KERNEL(a, b)                                                                  \
  CLP_APART void either_##a##_##b(bool turned, clp_batch_job *const *jobs, int count) \
  {                                                                                   \
    const bool may_turn = CLP_BATCH_##a == CLP_BATCH_SPLINE;                          \
    stride_of_all(CLP_BATCH_##a, CLP_BATCH_##b, may_turn &&turned, jobs, count);      \
  }                                                                                   \
  static void stride_##a##_##b(clp_batch_job *const *jobs, int count)                 \
  {                                                                                   \
    either_##a##_##b(false, jobs, count);                                             \
  }
#define TURNED(a, b)                                                  \
  static void stride_##a##_##b(clp_batch_job *const *jobs, int count) \
  {                                                                   \
    either_##b##_##a(true, jobs, count);                              \
  }
#define NOTHING(a, b)
#define NAME(a, b) stride_##a##_##b,
#define NONE(a, b) NULL,

CLP_SIDE_BY_SIDE(KERNEL, NOTHING, NOTHING)
CLP_SIDE_BY_SIDE(NOTHING, TURNED, NOTHING)

/* In the order of batch.h. */
static void (*const kernels[])(clp_batch_job *const *, int) = {CLP_SIDE_BY_SIDE(NAME, NAME, NONE)
                                                                   meet_corners,
                                                               meet_edges,
                                                               meet_can_corners,
                                                               meet_can_edges,
                                                               meet_can_capsules,
                                                               meet_capsules};

CLP_COMPLETE(kernels, CLP_BATCH_KINDS - CLP_BATCH_FIRST);

void CLP_BATCH_RUN(int kind, clp_batch_job *const *jobs, int count)
{
  kernels[kind - CLP_BATCH_FIRST](jobs, count);
}
