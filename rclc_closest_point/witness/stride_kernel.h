/* SPDX-License-Identifier: Apache-2.0 */

/* The source of the stride, in stride.c and for wider registers in pair/step_wide.c: take_stride is
 * clp_stride_take, CLP_STRIDE_JET the spline's jet that it takes. */

#include <stddef.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/surface/ellipsoid.h"
#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/stride.h"

/* Written for few instructions: this is what every pair costs every millisecond. Compared with
 * system.c it takes the true d in the curvature terms (next to the solution it makes no
 * difference), turns d once into B's frame instead of three second derivatives into A's, and solves
 * for correction and rates at once. What is known of a pair before the step is a constant where
 * these functions are inlined. */

/* What a feature is to the equations: an ellipsoid's face, a spline's, another one, and so on to a
 * vertex and to a point that the cycle is about. */
typedef enum form {
  FORM_ELLIPSOID,
  FORM_SPLINE,
  FORM_FACE,
  FORM_EDGE,
  FORM_VERTEX,
  FORM_POINT,
  FORMS
} form;

/* ---- Prediction --------------------------------------------------------------------------- */

/* (x, y) as a direction: (cos, sin) again after a change. */
CLP_INLINE void make_unit(double *c)
{
  double over = 1 / sqrt(c[0] * c[0] + c[1] * c[1]);
  c[0] *= over;
  c[1] *= over;
}

/* What is no number becomes a bound, too. */
CLP_INLINE clp_site shifted_on_edge(const clp_curve *curve, clp_site site)
{
  double t = site.c[0], lo = curve->lo, hi = curve->hi;
  if (curve->kind == CLP_CURVE_ELLIPSE)
    make_unit(site.c);
  else
    site.c[0] = !(t >= lo) ? lo : t > hi ? hi : t;
  return site;
}

CLP_INLINE bool is_fixed(form k)
{
  return k >= FORM_VERTEX;
}

/* Changed coordinates brought back onto their chart. They may be over a bound: surfaces go on
 * there, and only where a correction ends counts. */
CLP_INLINE clp_site onto_chart(form k, const clp_body *body, uint32_t id, clp_vec3 c)
{
  clp_site site = {{c.x, c.y, c.z}};
  if (k == FORM_ELLIPSOID)
    return clp_ellipsoid_site_at(c);
  if (k == FORM_SPLINE)
    return (clp_site){{c.x, c.y, 0}};
  if (k == FORM_EDGE)
    return shifted_on_edge(&body->edges[id].curve, site);
  if (k == FORM_FACE && clp_surface_site_form(&body->faces[id].surface) != CLP_SITE_PLAIN)
    make_unit(site.c);
  return site;
}

/* Where a site is after a step at its rate. */
CLP_INLINE clp_site predicted(form k, const clp_body *body, const clp_spot *spot, clp_vec3 rate,
                              double step)
{
  if (is_fixed(k))
    return spot->site;
  return onto_chart(k, body, spot->id,
                    clp_add_scaled(clp_ellipsoid_direction(spot->site), step, rate));
}

/* ---- One feature -------------------------------------------------------------------------- */

/* A feature at a place, in its body's frame. An edge has one direction, a vertex has none. */
typedef struct footing {
  clp_jet jet;   /* of an edge p and uu, of a vertex p, of an ellipsoid p */
  clp_twin t;    /* the derivatives along the directions, u and v */
  clp_twin axis; /* of an ellipsoid: the tangents of the unit sphere that its site moves along */
  clp_vec3 arm;  /* of an ellipsoid: p - center, which is -uu and -vv; uv is 0 */
} footing;

CLP_INLINE void footing_on_ellipsoid(footing *l, const clp_ellipsoid *e, clp_site site)
{
  clp_vec3 q = clp_ellipsoid_direction(site);
  l->axis = clp_ellipsoid_axes(q);
  l->t = clp_ellipsoid_stretch_twin(e, l->axis);
  l->arm = clp_ellipsoid_stretch(e, q);
  l->jet.p = clp_add(e->center, l->arm);
}

CLP_INLINE void footing_on_edge(footing *l, const clp_curve *curve, clp_site site)
{
  clp_curve_jet j = clp_curve_jet_at(curve, (clp_curve_site){{site.c[0], site.c[1]}});
  l->t = clp_twin_of(j.t, j.t);
  l->jet.p = j.p;
  l->jet.uu = j.tt;
}

CLP_INLINE void find_footing(form k, const clp_body *body, uint32_t id, clp_site site, footing *l)
{
  if (k == FORM_ELLIPSOID) {
    footing_on_ellipsoid(l, &body->faces[id].surface.as.ellipsoid, site);
  } else if (k == FORM_SPLINE || k == FORM_FACE) {
    const clp_surface *surface = &body->faces[id].surface;
    if (k == FORM_SPLINE || clp_surface_spline(surface))
      CLP_STRIDE_JET(&surface->as.nurbs, site.c[0], site.c[1], &l->jet);
    else
      l->jet = clp_surface_jet(surface, site);
    l->t = clp_twin_of(l->jet.u, l->jet.v);
  } else if (k == FORM_EDGE) {
    footing_on_edge(l, &body->edges[id].curve, site);
  } else {
    l->jet.p = body->vertices[id].place;
  }
}

CLP_INLINE bool go_on_ellipsoid(const footing *l, clp_two x, clp_site *site)
{
  clp_vec3 q = clp_add(clp_ellipsoid_direction(*site), clp_twin_combine(l->axis, x));
  double length2 = clp_norm2(q);
  *site = clp_ellipsoid_site_in(clp_scale(1 / sqrt(length2), q));
  return clp_usually(fabs(length2 - 1) < CLP_STRIDE_LONG_TURN);
}

/* Nearly at its end an edge is left, or not. */
CLP_APART bool go_near_end(const clp_body *body, uint32_t id, double x, clp_site *site)
{
  const double y[2] = {x, 0};
  clp_spot spot = {CLP_EDGE, id, *site};
  int end;
  if (clp_spot_fraction(body, spot, y, &end) < 1)
    return false;
  *site = clp_spot_move(body, spot, y, -1).site;
  return true;
}

CLP_INLINE bool go_on_edge(const clp_body *body, uint32_t id, double x, clp_site *site)
{
  const clp_curve *curve = &body->edges[id].curve;
  double t = site->c[0] + x;
  if (curve->kind == CLP_CURVE_ELLIPSE && curve->closed)
    clp_turn(&site->c[0], &site->c[1], x);
  else if (clp_usually(curve->kind == CLP_CURVE_LINE && t >= curve->lo && t <= curve->hi))
    site->c[0] = t;
  else
    return go_near_end(body, id, x, site);
  return true;
}

/* Moves the site by x; false where that leads over a bound. */
CLP_INLINE bool go(form k, const clp_body *body, const footing *l, uint32_t id, clp_two x,
                   clp_site *site)
{
  if (k == FORM_EDGE)
    return go_on_edge(body, id, x[0], site);
  const clp_face *face = &body->faces[id];
  if (k == FORM_ELLIPSOID) {
    if (!go_on_ellipsoid(l, x, site))
      return false;
  } else if (k == FORM_SPLINE || clp_surface_site_form(&face->surface) == CLP_SITE_PLAIN) {
    site->c[0] += x[0];
    site->c[1] += x[1];
  } else {
    *site = clp_surface_step(&face->surface, *site, x[0], x[1]);
  }
  return clp_usually(clp_walk_inside(&face->domain, *site));
}

/* How the site's coordinates change at the rates x. */
CLP_INLINE clp_vec3 site_rate(form k, const clp_body *body, const footing *l, uint32_t id,
                              clp_site site, clp_two x)
{
  const double *c = site.c;
  if (k == FORM_ELLIPSOID)
    return clp_twin_combine(l->axis, x);
  if (k == FORM_SPLINE)
    return (clp_vec3){x[0], x[1], 0};
  bool flat = k == FORM_EDGE ? body->edges[id].curve.kind != CLP_CURVE_ELLIPSE
                             : clp_surface_site_form(&body->faces[id].surface) == CLP_SITE_PLAIN;
  return flat ? (clp_vec3){x[0], x[1], 0} : (clp_vec3){-c[1] * x[0], c[0] * x[0], x[1]};
}

/* ---- Looking again ------------------------------------------------------------------------ */

/* Where a correction led, and the way there. */
typedef struct moved {
  clp_vec3 p, way;
} moved;

CLP_INLINE moved moved_to(const footing *l, clp_vec3 p)
{
  return (moved){p, clp_sub(p, l->jet.p)};
}

/* From p, by the sum that surface.h tells of. */
CLP_INLINE void way_of_jet(const clp_jet *jet, double u, double v, clp_triple *way)
{
  clp_triple along_u, along_v, uu, uv, vv;
  clp_triple_load(&jet->u, &along_u);
  clp_triple_load(&jet->v, &along_v);
  clp_triple_load(&jet->uu, &uu);
  clp_triple_load(&jet->uv, &uv);
  clp_triple_load(&jet->vv, &vv);
  *way = u * along_u + v * along_v + 0.5 * u * u * uu + u * v * uv + 0.5 * v * v * vv;
}

/* The correction is small: as a rule the derivatives that are there tell where it leads. */
CLP_INLINE moved moved_on_face(const clp_face *face, const footing *l, clp_two x, clp_site site)
{
  double u = x[0], v = x[1];
  clp_triple way, there;
  moved m;
  if (!clp_usually(fabs(u) + fabs(v) <= l->jet.trust))
    return moved_to(l, clp_surface_point(&face->surface, site));
  way_of_jet(&l->jet, u, v, &way);
  clp_triple_load(&l->jet.p, &there);
  there += way;
  clp_triple_store(&there, &m.p);
  clp_triple_store(&way, &m.way);
  return m;
}

CLP_INLINE moved moved_by(form k, const clp_body *body, const footing *l, uint32_t id, clp_two x,
                          clp_site site)
{
  if (k == FORM_EDGE)
    return moved_to(
        l, clp_curve_point(&body->edges[id].curve, (clp_curve_site){{site.c[0], site.c[1]}}));
  if (k == FORM_SPLINE || k == FORM_FACE)
    return moved_on_face(&body->faces[id], l, x, site);
  const clp_ellipsoid *e = &body->faces[id].surface.as.ellipsoid;
  clp_vec3 arm = clp_ellipsoid_stretch(e, clp_ellipsoid_direction(site));
  return moved_to(l, clp_add(e->center, arm));
}

/* Of faces. */
CLP_INLINE clp_normal normal_at(form k, const clp_body *body, uint32_t id, clp_site site)
{
  const clp_face *face = &body->faces[id];
  if (k != FORM_ELLIPSOID)
    return clp_face_normal(face, site);
  clp_vec3 out = clp_ellipsoid_outward(&face->surface.as.ellipsoid, clp_ellipsoid_direction(site));
  return (clp_normal){clp_scale(face->surface.outward / clp_norm(out), out), 0};
}

/* The place that the correction led to, and the normal there where it is wanted: a spline's jet
 * there has both. */
CLP_INLINE moved arrive(form k, const clp_body *body, const footing *l, uint32_t id, clp_two x,
                        clp_site site, bool normals, clp_normal *normal)
{
  if (k > FORM_FACE || !normals)
    return moved_by(k, body, l, id, x, site);
  const clp_face *face = &body->faces[id];
  const clp_nurbs *spline = k == FORM_ELLIPSOID ? NULL : clp_surface_spline(&face->surface);
  clp_jet jet;
  if (spline) {
    CLP_STRIDE_JET(spline, site.c[0], site.c[1], &jet);
    *normal = clp_surface_normal_of(&face->surface, &face->domain, site, &jet);
    return moved_to(l, jet.p);
  }
  *normal = normal_at(k, body, id, site);
  return moved_by(k, body, l, id, x, site);
}

/* ---- The equations ------------------------------------------------------------------------ */

/* With T = (f_u, f_v, h_r, h_s) in A's frame, d = h - f and B's parameters counted backwards,
 * z = (x_A, -x_B), no sign is left but those of the curvatures:
 *     H = T^T T + diag(-d.f_xx, d.h_xx),     H z = T^T d,     H w = T^T (v(h), v(f))
 * where v is B's velocity field as seen from A: the drift is that of h along A's tangents and that
 * of f along B's. z corrects the parameters, w is how they go on changing. */

/* The diagonal block of one body, and the squares of its tangents, that its pivots must not vanish
 * against. */
typedef struct block {
  double uu, uv, vv;
  double u2, v2;
} block;

/* T^T T and the curvature terms. */
CLP_INLINE block block_of(form k, const footing *l, clp_twin t, double sign, clp_vec3 d)
{
  if (k == FORM_EDGE) {
    double tt = clp_norm2(clp_twin_first(t));
    return (block){.uu = tt + sign * clp_dot(d, l->jet.uu), .u2 = tt};
  }
  clp_two of_u = clp_twin_dot(t, clp_twin_first(t));
  double u2 = of_u[0], v2 = clp_norm2(clp_twin_second(t));
  if (k == FORM_ELLIPSOID) {
    double bend = sign * clp_dot(d, l->arm);
    return (block){u2 - bend, of_u[1], v2 - bend, u2, v2};
  }
  double bend = sign * clp_dot(d, l->jet.uu);
  return (block){u2 + bend, of_u[1] + sign * clp_dot(d, l->jet.uv),
                 v2 + sign * clp_dot(d, l->jet.vv), u2, v2};
}

/* L D L^T of a block: the element below the diagonal, and 1 / D. */
typedef struct factors {
  double l, over_u, over_v;
} factors;

/* An edge has one direction: its block is one number. */
CLP_INLINE bool factor(form k, const block *m, factors *f)
{
  f->over_u = 1 / m->uu;
  bool safe = clp_usually(m->uu > CLP_STRIDE_SAFE_PIVOT * m->u2);
  if (k == FORM_EDGE)
    return safe;
  f->l = m->uv * f->over_u;
  double pivot = m->vv - m->uv * f->l;
  f->over_v = 1 / pivot;
  return safe && clp_usually(pivot > CLP_STRIDE_SAFE_PIVOT * m->v2);
}

/* The unknowns of one body's two directions, each for both right sides. */
typedef struct unknowns {
  clp_two u, v;
} unknowns;

CLP_INLINE unknowns project(form k, clp_twin t, clp_twin sides)
{
  clp_two none = {0, 0};
  return (unknowns){clp_twin_dot(sides, clp_twin_first(t)),
                    k == FORM_EDGE ? none : clp_twin_dot(sides, clp_twin_second(t))};
}

CLP_INLINE bool solve_one(form k, const block *m, unknowns *y)
{
  factors f;
  if (!factor(k, m, &f))
    return false;
  if (k == FORM_EDGE) {
    y->u = f.over_u * y->u;
    return true;
  }
  y->v = f.over_v * (y->v - f.l * y->u);
  y->u = f.over_u * y->u - f.l * y->v;
  return true;
}

/* What A's unknowns take over of B's, of each of A's directions and B's two. */
typedef struct handover {
  clp_two u, v;
} handover;

CLP_INLINE void hand_over(form ka, form kb, const factors *f, clp_two u, clp_two v, block *b,
                          unknowns *ya, unknowns *yb, handover *l)
{
  const clp_two none = {0, 0};
  bool edge_a = ka == FORM_EDGE;
  if (!edge_a)
    v -= f->l * u;
  l->u = f->over_u * u;
  l->v = edge_a ? none : f->over_v * v;
  clp_two diagonal = edge_a ? l->u * u : l->u * u + l->v * v;
  b->uu -= diagonal[0];
  if (!edge_a)
    ya->v -= f->l * ya->u;
  yb->u -= edge_a ? l->u[0] * ya->u : l->u[0] * ya->u + l->v[0] * ya->v;
  if (kb == FORM_EDGE)
    return;
  b->uv -= edge_a ? l->u[0] * u[1] : l->u[0] * u[1] + l->v[0] * v[1];
  b->vv -= diagonal[1];
  yb->v -= edge_a ? l->u[1] * ya->u : l->u[1] * ya->u + l->v[1] * ya->v;
}

/* A's block first, then B's less what A's unknowns take over; `u` and `v` are H's elements between
 * A's direction of that name and B's two. */
CLP_INLINE bool solve_both(form ka, form kb, const block *a, block *b, clp_two u, clp_two v,
                           unknowns *ya, unknowns *yb)
{
  factors f;
  handover l;
  if (!factor(ka, a, &f))
    return false;
  hand_over(ka, kb, &f, u, v, b, ya, yb, &l);
  if (!solve_one(kb, b, yb))
    return false;
  bool edge_b = kb == FORM_EDGE;
  clp_two of_u = edge_b ? l.u[0] * yb->u : l.u[0] * yb->u + l.u[1] * yb->v;
  if (ka == FORM_EDGE) {
    ya->u = f.over_u * ya->u - of_u;
    return true;
  }
  clp_two of_v = edge_b ? l.v[0] * yb->u : l.v[0] * yb->u + l.v[1] * yb->v;
  ya->v = f.over_v * ya->v - of_v;
  ya->u = f.over_u * ya->u - of_u - f.l * ya->v;
  return true;
}

CLP_INLINE clp_vec3 velocity(const clp_twist *motion, clp_vec3 p)
{
  return clp_add(motion->linear, clp_cross(motion->angular, p));
}

CLP_INLINE bool solve_blocks(form ka, form kb, const block *a, block *b, const footing *l,
                             const clp_twin *tb, unknowns *xa, unknowns *xb)
{
  const clp_two none = {0, 0};
  if (is_fixed(kb))
    return is_fixed(ka) || solve_one(ka, a, xa);
  if (is_fixed(ka))
    return solve_one(kb, b, xb);
  return solve_both(ka, kb, a, b, clp_twin_dot(*tb, clp_twin_first(l->t)),
                    ka == FORM_EDGE ? none : clp_twin_dot(*tb, clp_twin_second(l->t)), xa, xb);
}

/* H z = T^T d and H w = T^T v; z and w side by side. */
CLP_INLINE bool solve(form ka, form kb, const clp_cycle *c, const footing *a, const footing *b,
                      clp_vec3 h, unknowns *xa, unknowns *xb)
{
  const clp_mat3 *R = &c->couple.X_AB.rotation;
  clp_vec3 f = a->jet.p, d = clp_sub(h, f);
  clp_twin tb;
  block block_a, block_b;
  if (!is_fixed(ka)) {
    clp_vec3 v = kb == FORM_POINT ? c->motion.linear : velocity(&c->motion, h);
    block_a = block_of(ka, a, a->t, -1, d);
    *xa = project(ka, a->t, clp_twin_of(d, v));
  }
  if (!is_fixed(kb)) {
    tb = clp_twin_rotate(R, b->t);
    block_b = block_of(kb, b, tb, 1, clp_rotate_back(*R, d));
    *xb = project(kb, tb, clp_twin_of(d, velocity(&c->motion, f)));
  }
  return solve_blocks(ka, kb, &block_a, &block_b, a, &tb, xa, xb);
}

/* Of what stays where it is nobody reads a rate: it gets the other one's. (A lane that is a zero is
 * written by an instruction that some tools which count them do not know.) */
CLP_INLINE clp_twin rates_of(form ka, form kb, clp_vec3 a, clp_vec3 b)
{
  return clp_twin_of(is_fixed(ka) ? b : a, is_fixed(kb) ? a : b);
}

CLP_INLINE void keep_spot(form k, const clp_spot *from, clp_site site, clp_spot *to)
{
  if (is_fixed(k))
    *to = *from;
  else
    *to = (clp_spot){from->kind, from->id, site};
}

/* ---- The stride --------------------------------------------------------------------------- */

CLP_INLINE bool stride_of(form ka, form kb, const clp_cycle *c, const clp_spots *spots,
                          const clp_twin *rates, clp_stride *s)
{
  const clp_body *body_a = c->couple.a, *body_b = c->couple.b;
  const clp_pose *X_AB = &c->couple.X_AB;
  uint32_t id_a = spots->a.id, id_b = spots->b.id;
  clp_site site_a = predicted(ka, body_a, &spots->a, clp_twin_first(*rates), c->step);
  clp_site site_b = predicted(kb, body_b, &spots->b, clp_twin_second(*rates), c->step);
  clp_vec3 rate_a = {0, 0, 0}, rate_b = rate_a;
  footing a, b;
  find_footing(ka, body_a, id_a, site_a, &a);
  find_footing(kb, body_b, id_b, site_b, &b);
  clp_vec3 h = kb == FORM_POINT ? X_AB->position : clp_transform(*X_AB, b.jet.p);
  moved to_a = {a.jet.p, {0, 0, 0}}, to_b = {b.jet.p, {0, 0, 0}};
  clp_normal normal_a = {.off = 0}, normal_b = normal_a;
  unknowns xa, xb;
  if (!solve(ka, kb, c, &a, &b, h, &xa, &xb))
    return false;
  if (!is_fixed(ka)) {
    clp_two x = {xa.u[0], xa.v[0]}, w = {xa.u[1], xa.v[1]};
    rate_a = site_rate(ka, body_a, &a, id_a, site_a, w);
    if (!go(ka, body_a, &a, id_a, x, &site_a))
      return false;
    to_a = arrive(ka, body_a, &a, id_a, x, site_a, c->normals, &normal_a);
  }
  if (!is_fixed(kb)) {
    clp_two x = {-xb.u[0], -xb.v[0]}, w = {-xb.u[1], -xb.v[1]};
    rate_b = site_rate(kb, body_b, &b, id_b, site_b, w);
    if (!go(kb, body_b, &b, id_b, x, &site_b))
      return false;
    to_b = arrive(kb, body_b, &b, id_b, x, site_b, c->normals, &normal_b);
    h = clp_transform(*X_AB, to_b.p);
  }
  keep_spot(ka, &spots->a, site_a, &s->spots.a);
  keep_spot(kb, &spots->b, site_b, &s->spots.b);
  s->rates = rates_of(ka, kb, rate_a, rate_b);
  s->feet.f = to_a.p;
  s->feet.h = h;
  if (!c->normals)
    s->way2 = clp_norm2(to_a.way) + clp_norm2(to_b.way);
  if (ka <= FORM_FACE && c->normals)
    s->feet.normal_a = normal_a.n;
  if (kb <= FORM_FACE && c->normals)
    s->feet.normal_b = clp_rotate(X_AB->rotation, normal_b.n);
  s->feet.off_a = normal_a.off;
  s->feet.off_b = normal_b.off;
  return true;
}

/* ---- Two ellipsoids ----------------------------------------------------------------------- */

/* The same equations with both bodies side by side, A in the first lane and B in the second, each
 * in its own frame; only what enters both bodies' equations is turned into A's. */
typedef struct ellipsoids {
  clp_twin center, radii;
  clp_twin q;      /* the sites */
  clp_twin t1, t2; /* the tangents of the unit sphere there */
  clp_twin p;      /* the points */
} ellipsoids;

CLP_INLINE clp_twin seconds_of(clp_twin s, clp_twin t)
{
  return (clp_twin){{s.x[1], t.x[1]}, {s.y[1], t.y[1]}, {s.z[1], t.z[1]}};
}

/* H z = T^T d and H w = T^T v, as above. */
CLP_INLINE bool solve_ellipsoids(const clp_cycle *c, const ellipsoids *e, unknowns *xa,
                                 unknowns *xb)
{
  const clp_mat3 *R = &c->couple.X_AB.rotation;
  const clp_two signs = {1, -1};
  clp_twin u = clp_twin_stretch(e->radii, e->t1), v = clp_twin_stretch(e->radii, e->t2);
  clp_twin arm = clp_twin_sub(e->p, e->center);
  clp_twin ta = clp_twin_of(clp_twin_first(u), clp_twin_first(v));
  clp_twin tb = clp_twin_rotate(R, seconds_of(u, v));
  clp_twin turned = clp_twin_rotate(R, seconds_of(arm, e->p));
  clp_vec3 f = clp_twin_first(e->p);
  clp_vec3 h = clp_add(clp_twin_second(turned), c->couple.X_AB.position), d = clp_sub(h, f);
  clp_two bend = signs * clp_twin_dot(clp_twin_of(clp_twin_first(arm), clp_twin_first(turned)), d);
  clp_two u2 = clp_twin_dots(u, u), uv = clp_twin_dots(u, v), v2 = clp_twin_dots(v, v);
  clp_two uu = u2 + bend, vv = v2 + bend;
  block a = {uu[0], uv[0], vv[0], u2[0], v2[0]}, b = {uu[1], uv[1], vv[1], u2[1], v2[1]};
  *xa = project(FORM_ELLIPSOID, ta, clp_twin_of(d, velocity(&c->motion, h)));
  *xb = project(FORM_ELLIPSOID, tb, clp_twin_of(d, velocity(&c->motion, f)));
  return solve_both(FORM_ELLIPSOID, FORM_ELLIPSOID, &a, &b, clp_twin_dot(tb, clp_twin_first(u)),
                    clp_twin_dot(tb, clp_twin_first(v)), xa, xb);
}

/* One of the two right sides' unknowns along the same direction, counted forwards in both. */
CLP_INLINE clp_two side_of(int side, clp_two a, clp_two b)
{
  return (clp_two){a[side], -b[side]};
}

CLP_INLINE clp_twin along_tangents(const ellipsoids *e, int side, const unknowns *xa,
                                   const unknowns *xb)
{
  return clp_twin_add(clp_twin_scale(side_of(side, xa->u, xb->u), e->t1),
                      clp_twin_scale(side_of(side, xa->v, xb->v), e->t2));
}

/* Both sites moved on; false where that is too far for a correction or over a bound. */
CLP_INLINE bool go_on_ellipsoids(ellipsoids *e, const unknowns *xa, const unknowns *xb,
                                 const clp_face *face_a, const clp_face *face_b)
{
  clp_twin q = clp_twin_add(e->q, along_tangents(e, 0, xa, xb));
  clp_two length2 = clp_twin_dots(q, q);
  e->q = clp_twin_scale(1 / clp_two_sqrt(length2), q);
  e->p = clp_twin_add(e->center, clp_twin_stretch(e->radii, e->q));
  return clp_usually(fabs(length2[0] - 1) < CLP_STRIDE_LONG_TURN) &&
         clp_usually(fabs(length2[1] - 1) < CLP_STRIDE_LONG_TURN) &&
         clp_usually(
             clp_walk_inside(&face_a->domain, clp_ellipsoid_site_in(clp_twin_first(e->q)))) &&
         clp_usually(
             clp_walk_inside(&face_b->domain, clp_ellipsoid_site_in(clp_twin_second(e->q))));
}

/* R^-1 q times det(R), made unit. */
CLP_INLINE clp_twin ellipsoids_normals(const ellipsoids *e, clp_two outward)
{
  clp_twin r = e->radii, yzx = {r.y * r.z, r.z * r.x, r.x * r.y};
  clp_twin out = clp_twin_stretch(yzx, e->q);
  return clp_twin_scale(outward / clp_two_sqrt(clp_twin_dots(out, out)), out);
}

static bool ELLIPSOID_ELLIPSOID(const clp_cycle *c, const clp_spots *spots, const clp_twin *rates,
                                clp_stride *s)
{
  const clp_pose *X_AB = &c->couple.X_AB;
  const clp_face *face_a = &c->couple.a->faces[spots->a.id];
  const clp_face *face_b = &c->couple.b->faces[spots->b.id];
  const clp_ellipsoid *a = &face_a->surface.as.ellipsoid, *b = &face_b->surface.as.ellipsoid;
  clp_twin q =
      clp_twin_of(clp_ellipsoid_direction(spots->a.site), clp_ellipsoid_direction(spots->b.site));
  ellipsoids e = {.center = clp_twin_of(a->center, b->center),
                  .radii = clp_twin_of(a->radii, b->radii),
                  .q = clp_twin_unit(clp_twin_add_scaled(q, c->step, *rates))};
  clp_twin_tangents(e.q, &e.t1, &e.t2);
  e.p = clp_twin_add(e.center, clp_twin_stretch(e.radii, e.q));
  unknowns xa, xb;
  if (!solve_ellipsoids(c, &e, &xa, &xb))
    return false;
  const clp_twin from = e.p;
  if (!go_on_ellipsoids(&e, &xa, &xb, face_a, face_b))
    return false;
  s->rates = along_tangents(&e, 1, &xa, &xb);
  s->spots.a = (clp_spot){CLP_FACE, spots->a.id, clp_ellipsoid_site_in(clp_twin_first(e.q))};
  s->spots.b = (clp_spot){CLP_FACE, spots->b.id, clp_ellipsoid_site_in(clp_twin_second(e.q))};
  clp_twin way = clp_twin_sub(e.p, from);
  clp_two way2 = clp_twin_dots(way, way);
  s->way2 = way2[0] + way2[1];
  clp_twin n = ellipsoids_normals(&e, (clp_two){face_a->surface.outward, face_b->surface.outward});
  clp_twin of_b = clp_twin_rotate(&X_AB->rotation, seconds_of(e.p, n));
  s->feet = (clp_feet){.f = clp_twin_first(e.p),
                       .h = clp_add(clp_twin_first(of_b), X_AB->position),
                       .normal_a = clp_twin_first(n),
                       .normal_b = clp_twin_second(of_b)};
  return true;
}

/* ---- Which of them ------------------------------------------------------------------------ */

static inline form form_of_face(const clp_body *body, uint32_t id)
{
  if (id >= body->face_count)
    return FORMS;
  const clp_surface *surface = &body->faces[id].surface;
  if (clp_surface_ellipsoid(surface))
    return FORM_ELLIPSOID;
  return clp_surface_spline(surface) ? FORM_SPLINE : FORM_FACE;
}

/* FORMS where the body has no such feature. */
static inline form form_of(const clp_body *body, const clp_spot *spot)
{
  if (spot->kind == CLP_FACE)
    return form_of_face(body, spot->id);
  if (!clp_spot_exists(body, spot))
    return FORMS;
  return spot->kind == CLP_EDGE ? FORM_EDGE : FORM_VERTEX;
}

typedef bool (*kernel)(const clp_cycle *c, const clp_spots *spots, const clp_twin *rates,
                       clp_stride *s);

static bool NO_STRIDE(const clp_cycle *c, const clp_spots *spots, const clp_twin *rates,
                      clp_stride *s)
{
  (void)c, (void)spots, (void)rates, (void)s;
  return false;
}

/* A function for each two forms: the compiler does better with many small ones than with one. */
#define KERNEL(a, b)                                                                 \
  static bool a##_##b(const clp_cycle *c, const clp_spots *spots, const clp_twin *r, \
                      clp_stride *s)                                                 \
  {                                                                                  \
    return stride_of(FORM_##a, FORM_##b, c, spots, r, s);                            \
  }

/* clang-format off */
KERNEL(ELLIPSOID, FACE) KERNEL(ELLIPSOID, EDGE) KERNEL(ELLIPSOID, VERTEX) KERNEL(ELLIPSOID, POINT)
KERNEL(SPLINE, SPLINE) KERNEL(SPLINE, POINT)
KERNEL(FACE, ELLIPSOID) KERNEL(FACE, FACE) KERNEL(FACE, EDGE) KERNEL(FACE, VERTEX)
KERNEL(EDGE, ELLIPSOID) KERNEL(EDGE, FACE) KERNEL(EDGE, EDGE) KERNEL(EDGE, VERTEX)
KERNEL(VERTEX, ELLIPSOID) KERNEL(VERTEX, FACE) KERNEL(VERTEX, EDGE) KERNEL(VERTEX, VERTEX)
KERNEL(FACE, POINT) KERNEL(EDGE, POINT) KERNEL(VERTEX, POINT)

/* By the forms, a row for each of A's behind the first one, which is for features that a body does
 * not have. A spline is a face among others but where it meets its like or a point. */
static const kernel kernels[1 + FORM_POINT * FORMS] = {
  NO_STRIDE,
  ELLIPSOID_ELLIPSOID, ELLIPSOID_FACE, ELLIPSOID_FACE, ELLIPSOID_EDGE, ELLIPSOID_VERTEX,
    ELLIPSOID_POINT,
  FACE_ELLIPSOID, SPLINE_SPLINE, FACE_FACE, FACE_EDGE, FACE_VERTEX, SPLINE_POINT,
  FACE_ELLIPSOID, FACE_FACE, FACE_FACE, FACE_EDGE, FACE_VERTEX, FACE_POINT,
  EDGE_ELLIPSOID, EDGE_FACE, EDGE_FACE, EDGE_EDGE, EDGE_VERTEX, EDGE_POINT,
  VERTEX_ELLIPSOID, VERTEX_FACE, VERTEX_FACE, VERTEX_EDGE, VERTEX_VERTEX, VERTEX_POINT};
/* clang-format on */

/* Its place among them. */
CLP_APART int stride_between(const clp_cycle *c, const clp_spots *spots)
{
  form a = form_of(c->couple.a, &spots->a);
  form b = form_of(c->couple.b, &spots->b);
  if (b == FORM_VERTEX && c->to_point)
    b = FORM_POINT;
  return a < FORM_POINT && b < FORMS ? (int)(1 + a * FORMS + b) : 0;
}

CLP_INLINE bool take_stride(clp_cycle *c, const clp_spots *spots, const clp_twin *rates,
                            clp_stride *stride)
{
  clp_stride_choice *choice = &c->choice;
  if (!clp_usually(memcmp(&choice->a, &spots->a, sizeof choice->a) == 0 &&
                   memcmp(&choice->b, &spots->b, sizeof choice->b) == 0)) {
    memcpy(&choice->a, &spots->a, sizeof choice->a);
    memcpy(&choice->b, &spots->b, sizeof choice->b);
    choice->stride = stride_between(c, spots);
  }
  return kernels[choice->stride](c, spots, rates, stride);
}
