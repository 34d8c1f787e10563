/* SPDX-License-Identifier: Apache-2.0 */

/* The source of the stride, in stride.c and for wider registers in pair/step_wide.c: take_stride is
 * clp_stride_take, CLP_STRIDE_JET and CLP_STRIDE_SLOPE are the spline's that it takes. */

#include <stddef.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/surface/ellipsoid.h"
#include "rclc_closest_point/surface/spline_normal.h"
#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/stride.h"

/* Written for few instructions: this is what every pair costs every millisecond. Compared with
 * system.c it takes the true d in the curvature terms (next to the solution it makes no
 * difference), turns d once into B's frame instead of three second derivatives into A's, and solves
 * for correction and rates at once. What is known of a pair before the step is a constant where
 * these functions are inlined. */

/* What a feature is to the equations: an ellipsoid's face, a spline's, a flat one, another one, a
 * straight edge, another one, and so on to a vertex and to a point that the cycle is about. */
typedef enum form {
  FORM_ELLIPSOID,
  FORM_SPLINE,
  FORM_PLANE,
  FORM_FACE,
  FORM_LINE,
  FORM_EDGE,
  FORM_VERTEX,
  FORM_POINT,
  FORMS
} form;

CLP_INLINE bool is_face(form k)
{
  return k <= FORM_FACE;
}

CLP_INLINE bool is_edge(form k)
{
  return k == FORM_LINE || k == FORM_EDGE;
}

CLP_INLINE bool is_fixed(form k)
{
  return k >= FORM_VERTEX;
}

/* ---- Prediction --------------------------------------------------------------------------- */

/* (x, y) as a direction: (cos, sin) again after a change. */
CLP_INLINE void make_unit(double *c)
{
  double over = 1 / sqrt(c[0] * c[0] + c[1] * c[1]);
  c[0] *= over;
  c[1] *= over;
}

/* What is no number becomes a bound, too. */
CLP_INLINE clp_site shifted_on_edge(form k, const clp_curve *curve, clp_site site)
{
  double t = site.c[0], lo = curve->lo, hi = curve->hi;
  if (k != FORM_LINE && curve->kind == CLP_CURVE_ELLIPSE)
    make_unit(site.c);
  else
    site.c[0] = !(t >= lo) ? lo : t > hi ? hi : t;
  return site;
}

/* Changed coordinates brought back onto their chart. They may be over a bound: surfaces go on
 * there, and only where a correction ends counts. */
CLP_INLINE clp_site onto_chart(form k, const clp_body *body, uint32_t id, clp_vec3 c)
{
  clp_site site = {{c.x, c.y, c.z}};
  if (k == FORM_ELLIPSOID)
    return clp_ellipsoid_site_at(c);
  if (k == FORM_SPLINE || k == FORM_PLANE)
    return (clp_site){{c.x, c.y, 0}};
  if (is_edge(k))
    return shifted_on_edge(k, &body->edges[id].curve, site);
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

/* Of what does not bend no second derivative is ever asked for. */
CLP_INLINE void footing_on_plane(footing *l, const clp_plane *plane, clp_site site)
{
  l->t = clp_twin_of(plane->a, plane->b);
  l->jet.p = clp_point_on_plane(plane, site);
}

CLP_INLINE void footing_on_line(footing *l, const clp_line *line, clp_site site)
{
  l->t = clp_twin_of(line->direction, line->direction);
  l->jet.p = clp_point_on_line(line, site.c[0]);
}

CLP_INLINE void find_footing(form k, const clp_body *body, uint32_t id, clp_site site, footing *l)
{
  if (k == FORM_PLANE) {
    footing_on_plane(l, &body->faces[id].surface.as.plane, site);
  } else if (k == FORM_LINE) {
    footing_on_line(l, &body->edges[id].curve.as.line, site);
  } else if (k == FORM_ELLIPSOID) {
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

CLP_INLINE bool go_on_edge(form k, const clp_body *body, uint32_t id, double x, clp_site *site)
{
  const clp_curve *curve = &body->edges[id].curve;
  double t = site->c[0] + x;
  if (k != FORM_LINE && curve->kind == CLP_CURVE_ELLIPSE && curve->closed)
    clp_turn(&site->c[0], &site->c[1], x);
  else if (clp_usually((k == FORM_LINE || curve->kind == CLP_CURVE_LINE) && t >= curve->lo &&
                       t <= curve->hi))
    site->c[0] = t;
  else
    return go_near_end(body, id, x, site);
  return true;
}

/* What is flat is mostly a polygon, and nothing else is one. */
CLP_INLINE bool is_inside(form k, const clp_domain *domain, clp_site site)
{
  if (k == FORM_PLANE && domain->kind == CLP_DOMAIN_POLYGON)
    return clp_walk_in_polygon(domain, site.c);
  return clp_walk_inside(domain, site);
}

/* Moves the site by x; false where that leads over a bound. */
CLP_INLINE bool go(form k, const clp_body *body, const footing *l, uint32_t id, clp_two x,
                   clp_site *site)
{
  if (is_edge(k))
    return go_on_edge(k, body, id, x[0], site);
  const clp_face *face = &body->faces[id];
  if (k == FORM_ELLIPSOID) {
    if (!go_on_ellipsoid(l, x, site))
      return false;
  } else if (k == FORM_SPLINE || k == FORM_PLANE ||
             clp_surface_site_form(&face->surface) == CLP_SITE_PLAIN) {
    site->c[0] += x[0];
    site->c[1] += x[1];
  } else {
    *site = clp_surface_step(&face->surface, *site, x[0], x[1]);
  }
  return clp_usually(is_inside(k, &face->domain, *site));
}

/* How the site's coordinates change at the rates x. */
CLP_INLINE clp_vec3 site_rate(form k, const clp_body *body, const footing *l, uint32_t id,
                              clp_site site, clp_two x)
{
  const double *c = site.c;
  if (k == FORM_ELLIPSOID)
    return clp_twin_combine(l->axis, x);
  if (k == FORM_SPLINE || k == FORM_PLANE || k == FORM_LINE)
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
  if (k == FORM_PLANE)
    return moved_to(l, clp_point_on_plane(&body->faces[id].surface.as.plane, site));
  if (k == FORM_LINE)
    return moved_to(l, clp_point_on_line(&body->edges[id].curve.as.line, site.c[0]));
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
  if (k == FORM_PLANE)
    return (clp_normal){face->normal, 0};
  if (k != FORM_ELLIPSOID)
    return clp_face_normal(face, site);
  clp_vec3 out = clp_ellipsoid_outward(&face->surface.as.ellipsoid, clp_ellipsoid_direction(site));
  return (clp_normal){clp_scale(face->surface.outward / clp_norm(out), out), 0};
}

/* Whether a correction is so short, in the domain, that second derivatives are what they were: they
 * tell no more than how large the terms of the first ones are. */
CLP_INLINE bool is_short(const clp_domain *domain, clp_two x)
{
  return fabs(x[0]) <= CLP_STRIDE_SHORT * (domain->hi[0] - domain->lo[0]) &&
         fabs(x[1]) <= CLP_STRIDE_SHORT * (domain->hi[1] - domain->lo[1]);
}

/* The jet becomes that of the place that the correction led to, as far as the normal asks for it.
 */
CLP_INLINE clp_normal arrive_on_spline(const clp_face *face, const clp_nurbs *spline, clp_two x,
                                       clp_site site, clp_jet *jet)
{
  clp_normal normal;
  double u = site.c[0], v = site.c[1];
  if (!clp_usually(is_short(&face->domain, x) && CLP_STRIDE_SLOPE(spline, u, v, jet)))
    CLP_STRIDE_JET(spline, u, v, jet);
  if (clp_usually(clp_spline_normal_plain(&face->surface, &face->domain, site, jet, &normal)))
    return normal;
  CLP_STRIDE_JET(spline, u, v, jet);
  return clp_surface_normal_of(&face->surface, &face->domain, site, jet);
}

/* The place that the correction led to, and the normal there where it is wanted: then the way there
 * is not. */
CLP_INLINE moved arrive(form k, const clp_body *body, footing *l, uint32_t id, clp_two x,
                        clp_site site, bool normals, clp_normal *normal)
{
  if (!is_face(k) || !normals)
    return moved_by(k, body, l, id, x, site);
  const clp_face *face = &body->faces[id];
  const clp_nurbs *spline = k == FORM_SPLINE ? &face->surface.as.nurbs
                            : k == FORM_FACE ? clp_surface_spline(&face->surface)
                                             : NULL;
  if (spline) {
    *normal = arrive_on_spline(face, spline, x, site, &l->jet);
    return (moved){l->jet.p, {0, 0, 0}};
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
  if (is_edge(k)) {
    double tt = clp_norm2(clp_twin_first(t));
    double bend = k == FORM_LINE ? 0 : sign * clp_dot(d, l->jet.uu);
    return (block){.uu = tt + bend, .u2 = tt};
  }
  clp_two of_u = clp_twin_dot(t, clp_twin_first(t));
  double u2 = of_u[0], v2 = clp_norm2(clp_twin_second(t));
  if (k == FORM_PLANE)
    return (block){u2, of_u[1], v2, u2, v2};
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
  if (is_edge(k))
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
                    is_edge(k) ? none : clp_twin_dot(sides, clp_twin_second(t))};
}

CLP_INLINE bool solve_one(form k, const block *m, unknowns *y)
{
  factors f;
  if (!factor(k, m, &f))
    return false;
  if (is_edge(k)) {
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
  bool edge_a = is_edge(ka);
  if (!edge_a)
    v -= f->l * u;
  l->u = f->over_u * u;
  l->v = edge_a ? none : f->over_v * v;
  clp_two diagonal = edge_a ? l->u * u : l->u * u + l->v * v;
  b->uu -= diagonal[0];
  if (!edge_a)
    ya->v -= f->l * ya->u;
  yb->u -= edge_a ? l->u[0] * ya->u : l->u[0] * ya->u + l->v[0] * ya->v;
  if (is_edge(kb))
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
  bool edge_b = is_edge(kb);
  clp_two of_u = edge_b ? l.u[0] * yb->u : l.u[0] * yb->u + l.u[1] * yb->v;
  if (is_edge(ka)) {
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

/* H's elements between one of A's directions and B's. */
CLP_INLINE clp_two between(form kb, const clp_twin *tb, clp_vec3 t)
{
  if (is_edge(kb))
    return (clp_two){clp_dot(clp_twin_first(*tb), t), 0};
  return clp_twin_dot(*tb, t);
}

CLP_INLINE bool solve_blocks(form ka, form kb, const block *a, block *b, const footing *l,
                             const clp_twin *tb, unknowns *xa, unknowns *xb)
{
  const clp_two none = {0, 0};
  if (is_fixed(kb))
    return is_fixed(ka) || solve_one(ka, a, xa);
  if (is_fixed(ka))
    return solve_one(kb, b, xb);
  return solve_both(ka, kb, a, b, between(kb, tb, clp_twin_first(l->t)),
                    is_edge(ka) ? none : between(kb, tb, clp_twin_second(l->t)), xa, xb);
}

CLP_INLINE clp_twin turned(form k, const clp_mat3 *R, clp_twin t)
{
  if (!is_edge(k))
    return clp_twin_rotate(R, t);
  clp_vec3 along = clp_rotate(*R, clp_twin_first(t));
  return clp_twin_of(along, along);
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
    tb = turned(kb, R, b->t);
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
  if (is_face(ka) && c->normals)
    s->feet.normal_a = normal_a.n;
  if (is_face(kb) && c->normals)
    s->feet.normal_b = clp_rotate(X_AB->rotation, normal_b.n);
  s->feet.off_a = normal_a.off;
  s->feet.off_b = normal_b.off;
  return true;
}

#include "rclc_closest_point/witness/stride_ellipsoids.h"

/* ---- Which of them ------------------------------------------------------------------------ */

static inline form form_of_face(const clp_body *body, uint32_t id)
{
  if (id >= body->face_count)
    return FORMS;
  const clp_surface *surface = &body->faces[id].surface;
  if (clp_surface_ellipsoid(surface))
    return FORM_ELLIPSOID;
  if (body->faces[id].flat && clp_surface_plane(surface))
    return FORM_PLANE;
  return clp_surface_spline(surface) ? FORM_SPLINE : FORM_FACE;
}

/* FORMS where the body has no such feature. */
static inline form form_of(const clp_body *body, const clp_spot *spot)
{
  if (spot->kind == CLP_FACE)
    return form_of_face(body, spot->id);
  if (!clp_spot_exists(body, spot))
    return FORMS;
  if (spot->kind == CLP_VERTEX)
    return FORM_VERTEX;
  return body->edges[spot->id].curve.kind == CLP_CURVE_LINE ? FORM_LINE : FORM_EDGE;
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
KERNEL(ELLIPSOID, SPLINE) KERNEL(ELLIPSOID, PLANE) KERNEL(ELLIPSOID, FACE) KERNEL(ELLIPSOID, LINE)
KERNEL(ELLIPSOID, EDGE) KERNEL(ELLIPSOID, VERTEX) KERNEL(ELLIPSOID, POINT)
KERNEL(SPLINE, ELLIPSOID) KERNEL(SPLINE, SPLINE) KERNEL(SPLINE, PLANE) KERNEL(SPLINE, LINE)
KERNEL(SPLINE, VERTEX) KERNEL(SPLINE, POINT)
KERNEL(PLANE, ELLIPSOID) KERNEL(PLANE, SPLINE) KERNEL(PLANE, VERTEX) KERNEL(PLANE, POINT)
KERNEL(FACE, ELLIPSOID) KERNEL(FACE, FACE) KERNEL(FACE, LINE) KERNEL(FACE, EDGE)
KERNEL(FACE, VERTEX) KERNEL(FACE, POINT)
KERNEL(LINE, ELLIPSOID) KERNEL(LINE, SPLINE) KERNEL(LINE, FACE) KERNEL(LINE, LINE)
KERNEL(LINE, EDGE) KERNEL(LINE, VERTEX) KERNEL(LINE, POINT)
KERNEL(EDGE, ELLIPSOID) KERNEL(EDGE, FACE) KERNEL(EDGE, LINE) KERNEL(EDGE, EDGE)
KERNEL(EDGE, VERTEX) KERNEL(EDGE, POINT)
KERNEL(VERTEX, ELLIPSOID) KERNEL(VERTEX, SPLINE) KERNEL(VERTEX, PLANE) KERNEL(VERTEX, FACE)
KERNEL(VERTEX, LINE) KERNEL(VERTEX, EDGE) KERNEL(VERTEX, VERTEX) KERNEL(VERTEX, POINT)

/* By the forms, a row for each of A's behind the first one, which is for features that a body does
 * not have. A spline or a plane is a face among others where no kernel is its own. */
static const kernel kernels[1 + FORM_POINT * FORMS] = {
  NO_STRIDE,
  ELLIPSOID_ELLIPSOID, ELLIPSOID_SPLINE, ELLIPSOID_PLANE, ELLIPSOID_FACE, ELLIPSOID_LINE,
    ELLIPSOID_EDGE, ELLIPSOID_VERTEX, ELLIPSOID_POINT,
  SPLINE_ELLIPSOID, SPLINE_SPLINE, SPLINE_PLANE, FACE_FACE, SPLINE_LINE, FACE_EDGE, SPLINE_VERTEX,
    SPLINE_POINT,
  PLANE_ELLIPSOID, PLANE_SPLINE, FACE_FACE, FACE_FACE, FACE_LINE, FACE_EDGE, PLANE_VERTEX,
    PLANE_POINT,
  FACE_ELLIPSOID, FACE_FACE, FACE_FACE, FACE_FACE, FACE_LINE, FACE_EDGE, FACE_VERTEX, FACE_POINT,
  LINE_ELLIPSOID, LINE_SPLINE, LINE_FACE, LINE_FACE, LINE_LINE, LINE_EDGE, LINE_VERTEX, LINE_POINT,
  EDGE_ELLIPSOID, EDGE_FACE, EDGE_FACE, EDGE_FACE, EDGE_LINE, EDGE_EDGE, EDGE_VERTEX, EDGE_POINT,
  VERTEX_ELLIPSOID, VERTEX_SPLINE, VERTEX_PLANE, VERTEX_FACE, VERTEX_LINE, VERTEX_EDGE,
    VERTEX_VERTEX, VERTEX_POINT};
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
