/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/stride.h"

#include <stddef.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/surface/ellipsoid.h"
#include "rclc_closest_point/surface/walk.h"

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
static void make_unit(double *c)
{
  double over = 1 / sqrt(c[0] * c[0] + c[1] * c[1]);
  c[0] *= over;
  c[1] *= over;
}

static clp_site shifted_on_edge(const clp_edge *edge, clp_site site)
{
  if (edge->curve.kind == CLP_CURVE_ELLIPSE)
    make_unit(site.c);
  else
    site.c[0] = fmin(edge->curve.hi, fmax(edge->curve.lo, site.c[0]));
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
    return shifted_on_edge(&body->edges[id], site);
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

/* The same for two ellipsoids side by side. */
CLP_INLINE clp_twin predicted_both(const clp_spots *spots, const clp_twin *rates, double step)
{
  clp_twin q =
      clp_twin_of(clp_ellipsoid_direction(spots->a.site), clp_ellipsoid_direction(spots->b.site));
  return clp_twin_unit(clp_twin_add_scaled(q, step, *rates));
}

/* ---- One feature -------------------------------------------------------------------------- */

/* A feature at a place, in its body's frame. All have two directions: an edge's second one, and
 * both of a vertex, lead nowhere. */
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
  l->t = clp_twin_of(j.t, (clp_vec3){0, 0, 0});
  l->jet.p = j.p;
  l->jet.uu = j.tt;
}

CLP_INLINE void find_footing(form k, const clp_body *body, uint32_t id, clp_site site, footing *l)
{
  if (k == FORM_ELLIPSOID) {
    footing_on_ellipsoid(l, &body->faces[id].surface.as.ellipsoid, site);
  } else if (k == FORM_SPLINE || k == FORM_FACE) {
    const clp_surface *surface = &body->faces[id].surface;
    if (k == FORM_SPLINE)
      clp_spline_jet(&surface->as.nurbs, site.c[0], site.c[1], &l->jet);
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

CLP_APART bool go_on_edge(const clp_body *body, uint32_t id, clp_two x, clp_site *site)
{
  const clp_curve *curve = &body->edges[id].curve;
  double y[2] = {x[0], x[1]}, t = site->c[0] + x[0];
  int end;
  if (clp_usually(curve->kind == CLP_CURVE_LINE && t >= curve->lo && t <= curve->hi)) {
    site->c[0] = t;
    return true;
  }
  clp_spot spot = {CLP_EDGE, id, *site};
  if (clp_spot_fraction(body, spot, y, &end) < 1)
    return false;
  *site = clp_spot_move(body, spot, y, -1).site;
  return true;
}

/* Moves the site by x; false where that leads over a bound. */
CLP_INLINE bool go(form k, const clp_body *body, const footing *l, uint32_t id, clp_two x,
                   clp_site *site)
{
  if (k == FORM_EDGE)
    return go_on_edge(body, id, x, site);
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

/* The correction is small: as a rule the derivatives that are there tell where it leads. */
CLP_INLINE moved moved_on_face(const clp_face *face, const footing *l, clp_two x, clp_site site)
{
  double u = x[0], v = x[1];
  if (!clp_usually(fabs(u) + fabs(v) <= l->jet.trust))
    return moved_to(l, clp_surface_point(&face->surface, site));
  clp_vec3 way = clp_twin_combine(l->t, x);
  way = clp_add_scaled(way, 0.5 * u * u, l->jet.uu);
  way = clp_add_scaled(way, u * v, l->jet.uv);
  way = clp_add_scaled(way, 0.5 * v * v, l->jet.vv);
  return (moved){clp_add(l->jet.p, way), way};
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

/* T^T T and the curvature terms. A direction that leads nowhere must not make H singular. */
CLP_INLINE block block_of(form k, const footing *l, clp_twin t, double sign, clp_vec3 d)
{
  clp_two of_u = clp_twin_dot(t, clp_twin_first(t));
  double u2 = of_u[0], v2 = clp_norm2(clp_twin_second(t));
  if (k == FORM_ELLIPSOID) {
    double bend = sign * clp_dot(d, l->arm);
    return (block){u2 - bend, of_u[1], v2 - bend, u2, v2};
  }
  double bend = sign * clp_dot(d, l->jet.uu);
  if (k == FORM_EDGE)
    return (block){u2 + bend, 0, 1, u2, 0};
  return (block){u2 + bend, of_u[1] + sign * clp_dot(d, l->jet.uv),
                 v2 + sign * clp_dot(d, l->jet.vv), u2, v2};
}

/* L D L^T of a block: the element below the diagonal, and 1 / D. */
typedef struct factors {
  double l, over_u, over_v;
} factors;

CLP_INLINE bool factor(const block *m, factors *f)
{
  f->over_u = 1 / m->uu;
  f->l = m->uv * f->over_u;
  double pivot = m->vv - m->uv * f->l;
  f->over_v = 1 / pivot;
  return clp_usually(m->uu > CLP_STRIDE_SAFE_PIVOT * m->u2) &&
         clp_usually(pivot > CLP_STRIDE_SAFE_PIVOT * m->v2);
}

/* The unknowns of one body's two directions, each for both right sides. */
typedef struct unknowns {
  clp_two u, v;
} unknowns;

CLP_INLINE unknowns project(clp_twin t, clp_twin sides)
{
  return (unknowns){clp_twin_dot(sides, clp_twin_first(t)),
                    clp_twin_dot(sides, clp_twin_second(t))};
}

CLP_INLINE bool solve_one(const block *m, unknowns *y)
{
  factors f;
  if (!factor(m, &f))
    return false;
  y->v = f.over_v * (y->v - f.l * y->u);
  y->u = f.over_u * y->u - f.l * y->v;
  return true;
}

/* A's block first, then B's less what A's unknowns take over; `u` and `v` are H's elements between
 * A's direction of that name and B's two. */
CLP_INLINE bool solve_both(const block *a, block *b, clp_two u, clp_two v, unknowns *ya,
                           unknowns *yb)
{
  factors f;
  if (!factor(a, &f))
    return false;
  v -= f.l * u;
  clp_two l_u = f.over_u * u, l_v = f.over_v * v;
  clp_two diagonal = l_u * u + l_v * v;
  b->uu -= diagonal[0];
  b->uv -= l_u[0] * u[1] + l_v[0] * v[1];
  b->vv -= diagonal[1];
  ya->v -= f.l * ya->u;
  yb->u -= l_u[0] * ya->u + l_v[0] * ya->v;
  yb->v -= l_u[1] * ya->u + l_v[1] * ya->v;
  if (!solve_one(b, yb))
    return false;
  ya->v = f.over_v * ya->v - (l_v[0] * yb->u + l_v[1] * yb->v);
  ya->u = f.over_u * ya->u - (l_u[0] * yb->u + l_u[1] * yb->v) - f.l * ya->v;
  return true;
}

CLP_INLINE clp_vec3 velocity(const clp_twist *motion, clp_vec3 p)
{
  return clp_add(motion->linear, clp_cross(motion->angular, p));
}

CLP_INLINE bool solve_blocks(form ka, form kb, const block *a, block *b, const footing *l,
                             const clp_twin *tb, unknowns *xa, unknowns *xb)
{
  if (is_fixed(kb))
    return is_fixed(ka) || solve_one(a, xa);
  if (is_fixed(ka))
    return solve_one(b, xb);
  return solve_both(a, b, clp_twin_dot(*tb, clp_twin_first(l->t)),
                    clp_twin_dot(*tb, clp_twin_second(l->t)), xa, xb);
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
    *xa = project(a->t, clp_twin_of(d, v));
  }
  if (!is_fixed(kb)) {
    tb = clp_twin_rotate(R, b->t);
    block_b = block_of(kb, b, tb, 1, clp_rotate_back(*R, d));
    *xb = project(tb, clp_twin_of(d, velocity(&c->motion, f)));
  }
  return solve_blocks(ka, kb, &block_a, &block_b, a, &tb, xa, xb);
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
  clp_site site_a, site_b;
  if (ka == FORM_ELLIPSOID && kb == FORM_ELLIPSOID) {
    clp_twin q = predicted_both(spots, rates, c->step);
    site_a = clp_ellipsoid_site_in(clp_twin_first(q));
    site_b = clp_ellipsoid_site_in(clp_twin_second(q));
  } else {
    site_a = predicted(ka, body_a, &spots->a, clp_twin_first(*rates), c->step);
    site_b = predicted(kb, body_b, &spots->b, clp_twin_second(*rates), c->step);
  }
  clp_vec3 rate_a = {0, 0, 0}, rate_b = rate_a;
  footing a, b;
  find_footing(ka, body_a, id_a, site_a, &a);
  find_footing(kb, body_b, id_b, site_b, &b);
  clp_vec3 h = kb == FORM_POINT ? X_AB->position : clp_transform(*X_AB, b.jet.p);
  moved to_a = {a.jet.p, {0, 0, 0}}, to_b = {b.jet.p, {0, 0, 0}};
  unknowns xa, xb;
  if (!solve(ka, kb, c, &a, &b, h, &xa, &xb))
    return false;
  if (!is_fixed(ka)) {
    clp_two x = {xa.u[0], xa.v[0]}, w = {xa.u[1], xa.v[1]};
    rate_a = site_rate(ka, body_a, &a, id_a, site_a, w);
    if (!go(ka, body_a, &a, id_a, x, &site_a))
      return false;
    to_a = moved_by(ka, body_a, &a, id_a, x, site_a);
  }
  if (!is_fixed(kb)) {
    clp_two x = {-xb.u[0], -xb.v[0]}, w = {-xb.u[1], -xb.v[1]};
    rate_b = site_rate(kb, body_b, &b, id_b, site_b, w);
    if (!go(kb, body_b, &b, id_b, x, &site_b))
      return false;
    to_b = moved_by(kb, body_b, &b, id_b, x, site_b);
    h = clp_transform(*X_AB, to_b.p);
  }
  keep_spot(ka, &spots->a, site_a, &s->spots.a);
  keep_spot(kb, &spots->b, site_b, &s->spots.b);
  s->rates = clp_twin_of(rate_a, rate_b);
  s->feet.f = to_a.p;
  s->feet.h = h;
  if (!c->normals)
    s->way2 = clp_norm2(to_a.way) + clp_norm2(to_b.way);
  clp_normal normal = {.off = 0};
  if (ka <= FORM_FACE && c->normals) {
    normal = normal_at(ka, body_a, id_a, site_a);
    s->feet.normal_a = normal.n;
  }
  s->feet.off_a = normal.off;
  normal.off = 0;
  if (kb <= FORM_FACE && c->normals) {
    normal = normal_at(kb, body_b, id_b, site_b);
    s->feet.normal_b = clp_rotate(X_AB->rotation, normal.n);
  }
  s->feet.off_b = normal.off;
  return true;
}

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

/* A function for each two forms: the compiler does better with many small ones than with one. */
#define KERNEL(a, b)                                                                 \
  static bool a##_##b(const clp_cycle *c, const clp_spots *spots, const clp_twin *r, \
                      clp_stride *s)                                                 \
  {                                                                                  \
    return stride_of(FORM_##a, FORM_##b, c, spots, r, s);                            \
  }

/* clang-format off */
KERNEL(ELLIPSOID, ELLIPSOID) KERNEL(ELLIPSOID, FACE) KERNEL(ELLIPSOID, EDGE)
KERNEL(ELLIPSOID, VERTEX) KERNEL(ELLIPSOID, POINT)
KERNEL(SPLINE, SPLINE) KERNEL(SPLINE, POINT)
KERNEL(FACE, ELLIPSOID) KERNEL(FACE, FACE) KERNEL(FACE, EDGE) KERNEL(FACE, VERTEX)
KERNEL(FACE, POINT)
KERNEL(EDGE, ELLIPSOID) KERNEL(EDGE, FACE) KERNEL(EDGE, EDGE) KERNEL(EDGE, VERTEX)
KERNEL(EDGE, POINT)
KERNEL(VERTEX, ELLIPSOID) KERNEL(VERTEX, FACE) KERNEL(VERTEX, EDGE) KERNEL(VERTEX, VERTEX)
KERNEL(VERTEX, POINT)

/* A spline is a face among others but where it meets its like or a point. */
static const kernel kernels[FORM_POINT][FORMS] = {
  {ELLIPSOID_ELLIPSOID, ELLIPSOID_FACE, ELLIPSOID_FACE, ELLIPSOID_EDGE, ELLIPSOID_VERTEX,
   ELLIPSOID_POINT},
  {FACE_ELLIPSOID, SPLINE_SPLINE, FACE_FACE, FACE_EDGE, FACE_VERTEX, SPLINE_POINT},
  {FACE_ELLIPSOID, FACE_FACE, FACE_FACE, FACE_EDGE, FACE_VERTEX, FACE_POINT},
  {EDGE_ELLIPSOID, EDGE_FACE, EDGE_FACE, EDGE_EDGE, EDGE_VERTEX, EDGE_POINT},
  {VERTEX_ELLIPSOID, VERTEX_FACE, VERTEX_FACE, VERTEX_EDGE, VERTEX_VERTEX, VERTEX_POINT}};
/* clang-format on */

bool clp_stride_take(const clp_cycle *c, const clp_spots *spots, const clp_twin *rates,
                     clp_stride *stride)
{
  form a = form_of(c->couple.a, &spots->a);
  form b = form_of(c->couple.b, &spots->b);
  if (b == FORM_VERTEX && c->to_point)
    b = FORM_POINT;
  return clp_usually(a < FORM_POINT && b < FORMS) && kernels[a][b](c, spots, rates, stride);
}

/* ---- The prediction alone ----------------------------------------------------------------- */

static clp_site predict_one(const clp_body *body, const clp_spot *spot, clp_vec3 rate, double step)
{
  form k = form_of(body, spot);
  clp_site site = predicted(k, body, spot, rate, step);
  if (k > FORM_FACE)
    return site;
  const clp_face *face = &body->faces[spot->id];
  int side;
  if (!clp_walk_inside(&face->domain, site) && clp_domain_margin(&face->domain, site, &side) < 0)
    return clp_walk_snap(&face->surface, &face->domain, site, side);
  return site;
}

clp_spots clp_stride_predict(const clp_cycle *c, const clp_spots *spots, const clp_twin *rates)
{
  clp_spots to = *spots;
  to.a.site = predict_one(c->couple.a, &spots->a, clp_twin_first(*rates), c->step);
  to.b.site = predict_one(c->couple.b, &spots->b, clp_twin_second(*rates), c->step);
  return to;
}
