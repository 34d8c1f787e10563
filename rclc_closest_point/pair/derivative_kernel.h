/* SPDX-License-Identifier: Apache-2.0 */

/* The source of derivative_plain.c and derivative_wide.c, which differ in the registers that they
 * are compiled for. CLP_DERIVATIVE_RUN is the name of the one function that comes out,
 * CLP_DERIVATIVE_JET that of clp_spline_jet for such registers. */

#include "rclc_closest_point/math/trio.h"
#include "rclc_closest_point/pair/closed.h"
#include "rclc_closest_point/pair/derivative_run.h"
#include "rclc_closest_point/surface/ellipsoid.h"

/* The signed distance is the stationary value of s = n.(h - f) over the direction n and the places
 * f and h, apart, touching and overlapping alike; no 1/s is in its equations. Square to n, where
 * everything below happens, a body's feature says how its witness x and the normal y go together:
 * on a smooth surface y = K x with the curvatures K, at a vertex x = 0, along an edge the one and
 * across it the other. All of these are x = X p, y = Y p with two symmetric 2 x 2 matrices that
 * commute and any p: with some length, here the bodies' size, that makes 1 a curvature,
 *     face  X = 1, Y = K;     edge along e  X = e e^T, Y = k e e^T + (1 - e e^T) / size;
 *     vertex  X = 0, Y = 1 / size;
 * and sweeping by a ball of radius r adds r y to x, which is X + r Y for X. With d the distance, u
 * and w as in clp_derivative, A's p and B's q,
 *     turn = Y_A p = w - Y_B q,     slide_B = X_B q = X_A p + d Y_A p - u.
 * Y_B times the second of these plus X_B times the first leaves
 *     (Y_B X_A + X_B Y_A + d Y_B Y_A) p = Y_B u + X_B w,
 * two equations whatever the features, singular only where the answer has no derivative: faces that
 * are parallel and flat, a center of curvature, corners that touch. */

/* ---- Features ------------------------------------------------------------------------------ */

/* A 2 x 2 matrix by its columns. */
typedef struct mat2 {
  clp_two x, y;
} mat2;

typedef struct feature {
  mat2 x, y;
  bool even_x, even_y; /* the matrix is a number times 1 */
} feature;

CLP_INLINE mat2 even(double k)
{
  return (mat2){k * (clp_two){1, 0}, k * (clp_two){0, 1}};
}

CLP_INLINE mat2 plus(mat2 a, double k, mat2 b)
{
  return (mat2){a.x + k * b.x, a.y + k * b.y};
}

/* One of the bodies. */
typedef struct party {
  const clp_body *body;
  const clp_mat3 *rotation;
  clp_vec3 n;      /* outward, in the body's frame */
  clp_trio arm;    /* from the frame's origin to the witness, in the world */
  clp_twin across; /* two directions square to n, in the world */
  bool extruded;   /* a planar body whose feature is to go on square to its plane: of two bodies in
                      a plane one has to, or nothing says how the other stands there */
} party;

/* In the body's frame. */
CLP_INLINE clp_twin across_in(const party *p)
{
  const clp_mat3 *r = p->rotation;
  return (clp_twin){clp_twin_dot(p->across, r->x), clp_twin_dot(p->across, r->y),
                    clp_twin_dot(p->across, r->z)};
}

/* Witnesses beside their normal by more (radians) do not face each other: of an answer that is not
 * settled yet. */
#define FACING 1e-6

/* A parallelogram of tangents flatter than this (its sine) tells no curvature. */
#define NO_AREA 1e-8

/* k t t^T: symmetric to the last bit. */
CLP_INLINE mat2 along(double k, clp_two t)
{
  clp_two a = k * t;
  return (mat2){a[0] * t, t[1] * a};
}

/* The direction of the circle about z there, unit. */
CLP_INLINE clp_two of_circle(const party *p, double x, double y)
{
  const clp_mat3 *r = p->rotation;
  clp_trio circle = clp_trio_sub_scaled(clp_trio_scale(x, clp_trio_of(&r->y)), y, clp_trio_of(&r->x));
  return clp_twin_dot(p->across, clp_trio_vec3(circle));
}

/* Of a tangent whose square is given, or that of its part square to n. */
CLP_INLINE bool is_square(clp_vec3 t, clp_vec3 n, double t2)
{
  double off = clp_dot(t, n);
  return off * off <= FACING * FACING * t2;
}

CLP_INLINE bool is_along(clp_vec3 out, clp_vec3 n)
{
  return clp_norm2(clp_sub(out, n)) <= FACING * FACING;
}

/* Where an ellipsoid's normal is n its place is R^2 n / h from the center, h = |R n|, and the place
 * moves by W = (R^2 - R^2 n n^T R^2 / h^2) / h when n turns: y = x is here x = W y. Its site says
 * the same, R n / h. */
CLP_INLINE bool feature_of_ellipsoid(const clp_ellipsoid *e, const party *p, clp_site site,
                                     double unit, feature *f)
{
  clp_twin r = clp_ellipsoid_stretch_twin(e, across_in(p));
  clp_vec3 c = clp_ellipsoid_stretch(e, p->n);
  double over = 1 / clp_norm(c), scale = over * unit;
  clp_two beside = over * clp_twin_dot(r, c);
  clp_two own = scale * (r.x * r.x + r.y * r.y + r.z * r.z - beside * beside);
  double both = r.x[0] * r.x[1] + r.y[0] * r.y[1] + r.z[0] * r.z[1] - beside[0] * beside[1];
  both *= scale;
  *f = (feature){{{own[0], both}, {both, own[1]}}, even(unit), false, true};
  return is_along(clp_ellipsoid_direction(site), clp_scale(over, c));
}

/* The same where all radii are one: W = R. */
CLP_INLINE bool feature_of_ball(double radius, const party *p, clp_site site, double unit,
                                feature *f)
{
  *f = (feature){even(radius * unit), even(unit), true, true};
  return is_along(clp_ellipsoid_direction(site), p->n);
}

/* The only curvature is along the circle about z, where the part of n that is away from z bends
 * the circle. */
CLP_INLINE bool feature_of_cone(const clp_cone *cone, const party *p, clp_site site, feature *f)
{
  double x = site.c[0], y = site.c[1], r = cone->r0 + site.c[2] * cone->dr;
  double away = x * p->n.x + y * p->n.y, aside = x * p->n.y - y * p->n.x;
  double ruling = away * cone->dr + p->n.z * cone->dz;
  *f = (feature){even(1), along(away / r, of_circle(p, x, y)), true, false};
  double length2 = cone->dr * cone->dr + cone->dz * cone->dz;
  return r > 0 && aside * aside <= FACING * FACING && ruling * ruling <= FACING * FACING * length2;
}

/* The curvatures in the axes, from those along the tangents u = P e: K = P^-1 (-n.p_ij) P^-T. */
CLP_INLINE bool feature_of_jet(const clp_jet *jet, const party *p, feature *f)
{
  clp_twin e = across_in(p);
  clp_two of_u = clp_twin_dot(e, jet->u), of_v = clp_twin_dot(e, jet->v);
  double a = of_u[0], b = of_u[1], c = of_v[0], d = of_v[1];
  double det = a * d - b * c, u2 = a * a + b * b, v2 = c * c + d * d;
  double over = -1 / (det * det);
  double uu = over * clp_dot(p->n, jet->uu), uv = over * clp_dot(p->n, jet->uv);
  double vv = over * clp_dot(p->n, jet->vv);
  double left = d * uu - b * uv, right = d * uv - b * vv, both = a * right - c * left;
  mat2 bends = {{d * left - b * right, both}, {both, a * (a * vv - c * uv) - c * (a * uv - c * uu)}};
  *f = (feature){even(1), bends, true, false};
  return det * det > NO_AREA * NO_AREA * u2 * v2 && is_square(jet->u, p->n, u2) &&
         is_square(jet->v, p->n, v2);
}

CLP_INLINE bool feature_of_spline(const clp_nurbs *nurbs, const party *p, clp_site site, feature *f)
{
  clp_jet jet;
  CLP_DERIVATIVE_JET(nurbs, site.c[0], site.c[1], &jet);
  return feature_of_jet(&jet, p, f);
}

/* This and others that are apart get the party by value, so that else it stays in registers. */
CLP_APART bool feature_of_surface(const clp_surface *surface, party p, clp_site site, feature *f)
{
  clp_jet jet = clp_surface_jet(surface, site);
  return feature_of_jet(&jet, &p, f);
}

CLP_INLINE bool feature_of_plane(const clp_face *face, const party *p, feature *f)
{
  *f = (feature){even(1), even(0), true, true};
  return is_along(face->normal, p->n);
}

CLP_INLINE bool feature_of_face(const clp_face *face, const party *p, clp_site site, double unit,
                                feature *f)
{
  const clp_ellipsoid *ellipsoid = clp_surface_ellipsoid(&face->surface);
  const clp_cone *cone = clp_surface_cone(&face->surface);
  const clp_nurbs *spline = clp_surface_spline(&face->surface);
  if (ellipsoid)
    return clp_ellipsoid_is_ball(ellipsoid) ? feature_of_ball(ellipsoid->radii.x, p, site, unit, f)
                                            : feature_of_ellipsoid(ellipsoid, p, site, unit, f);
  return face->flat ? feature_of_plane(face, p, f)
         : cone     ? feature_of_cone(cone, p, site, f)
         : spline   ? feature_of_spline(spline, p, site, f)
                    : feature_of_surface(&face->surface, *p, site, f);
}

/* `off` and `bend` are the first and the second derivative along n; t is told in the body's frame.
 */
CLP_INLINE bool feature_of_tangent(const party *p, clp_vec3 t, double off, double bend, double unit,
                                   feature *f)
{
  clp_two of_t = clp_twin_dot(p->across, clp_rotate(*p->rotation, t));
  double t2 = clp_norm2(t), over = 1 / t2;
  f->x = along(over, of_t);
  f->y = plus(even(unit), -(unit + over * bend), f->x);
  f->even_x = f->even_y = false;
  return off * off <= FACING * FACING * t2 && t2 > 0;
}

CLP_INLINE bool feature_of_line(const clp_line *line, const party *p, double unit, feature *f)
{
  return feature_of_tangent(p, line->direction, clp_dot(p->n, line->direction), 0, unit, f);
}

CLP_INLINE bool feature_of_ellipse(const clp_ellipse *e, const party *p, clp_site site, double unit,
                                   feature *f)
{
  const double x = site.c[0], y = site.c[1], a = clp_dot(p->n, e->a), b = clp_dot(p->n, e->b);
  clp_vec3 t = clp_add_scaled(clp_scale(x, e->b), -y, e->a);
  return feature_of_tangent(p, t, x * b - y * a, -(x * a + y * b), unit, f);
}

CLP_APART bool feature_of_curve(const clp_curve *curve, party p, clp_site site, double unit,
                                feature *f)
{
  clp_curve_jet jet = clp_curve_jet_at(curve, (clp_curve_site){{site.c[0], site.c[1]}});
  return feature_of_tangent(&p, jet.t, clp_dot(p.n, jet.t), clp_dot(p.n, jet.tt), unit, f);
}

CLP_INLINE feature feature_of_vertex(double unit)
{
  return (feature){even(0), even(unit), true, true};
}

CLP_INLINE bool feature_of_edge(const clp_edge *edge, const party *p, clp_site site, double unit,
                                feature *f)
{
  const clp_curve *curve = &edge->curve;
  return curve->kind == CLP_CURVE_LINE ? feature_of_line(&curve->as.line, p, unit, f)
         : curve->kind == CLP_CURVE_ELLIPSE
             ? feature_of_ellipse(&curve->as.ellipse, p, site, unit, f)
             : feature_of_curve(curve, *p, site, unit, f);
}

/* Along the plane's normal, which is z of the body's frame, X is 1 and Y is 0. */
CLP_INLINE void extrude(const party *p, double unit, feature *f)
{
  mat2 z = along(1, clp_twin_dot(p->across, p->rotation->z));
  f->x = plus(f->x, 1, z);
  f->y = plus(f->y, -unit, z);
  f->even_x = f->even_y = false;
}

CLP_INLINE void pad(double r, feature *f)
{
  f->x = plus(f->x, r, f->y);
  f->even_x = f->even_x && f->even_y;
}

/* The ball that sweeps the body, and what it is beside its plane. */
CLP_INLINE void complete(const party *p, double unit, feature *f)
{
  if (p->body->padding > 0)
    pad(p->body->padding, f);
  if (p->extruded)
    extrude(p, unit, f);
}

/* `unit` is one over the size. */
CLP_INLINE bool find_feature(const party *p, const clp_spot *spot, double unit, feature *f)
{
  const clp_body *body = p->body;
  bool known = true;
  if (spot->kind == CLP_FACE)
    known = feature_of_face(&body->faces[spot->id], p, spot->site, unit, f);
  else if (spot->kind == CLP_EDGE)
    known = feature_of_edge(&body->edges[spot->id], p, spot->site, unit, f);
  else
    *f = feature_of_vertex(unit);
  complete(p, unit, f);
  return known;
}

/* ---- Two features -------------------------------------------------------------------------- */

CLP_INLINE mat2 times(mat2 a, mat2 b)
{
  return (mat2){b.x[0] * a.x + b.x[1] * a.y, b.y[0] * a.x + b.y[1] * a.y};
}

/* A product with a matrix that may be a number times 1, from the left and from the right. */
CLP_INLINE mat2 left_times(mat2 f, bool is_even, mat2 m)
{
  return is_even ? (mat2){f.x[0] * m.x, f.x[0] * m.y} : times(f, m);
}

CLP_INLINE mat2 times_right(mat2 m, mat2 f, bool is_even)
{
  return is_even ? (mat2){f.x[0] * m.x, f.x[0] * m.y} : times(m, f);
}

/* The least that the equations' matrix stretches by, told in sizes, below which it is singular to
 * rounding: the answer is not the only one, or turns at once. */
#define SINGULAR 1e-9

CLP_INLINE void put(mat2 m, double (*to)[2])
{
  memcpy(to[0], &m.x, sizeof m.x);
  memcpy(to[1], &m.y, sizeof m.y);
}

/* Y_B X_A + X_B Y_A + d Y_B Y_A */
CLP_INLINE mat2 equations(const feature *a, const feature *b, double d)
{
  mat2 p = left_times(b->y, b->even_y, plus(a->x, d, a->y));
  mat2 q = left_times(b->x, b->even_x, a->y);
  return (mat2){p.x + q.x, p.y + q.y};
}

CLP_INLINE bool invert(mat2 m, double least, mat2 *inverse)
{
  clp_two squares = m.x * m.x + m.y * m.y;
  double det = m.x[0] * m.y[1] - m.y[0] * m.x[1], over = 1 / det;
  *inverse = (mat2){{over * m.y[1], -over * m.x[1]}, {-over * m.y[0], over * m.x[0]}};
  return clp_usually(det * det > least * least * (squares[0] + squares[1]));
}

CLP_INLINE bool solve(const feature *a, const feature *b, double unit, double distance,
                      clp_derivative *d)
{
  mat2 inverse;
  if (!invert(equations(a, b, distance), SINGULAR * unit, &inverse))
    return false;
  mat2 of_u = times_right(inverse, b->y, b->even_y);
  mat2 of_w = times_right(inverse, b->x, b->even_x);
  put(left_times(a->x, a->even_x, of_u), d->slide);
  put(left_times(a->x, a->even_x, of_w), d->slide + 2);
  put(left_times(a->y, a->even_y, of_u), d->turn);
  put(left_times(a->y, a->even_y, of_w), d->turn + 2);
  return true;
}

/* ---- Of an answer -------------------------------------------------------------------------- */

/* Apart from what its witnesses say an answer may tell that it has none. */
CLP_INLINE bool has_derivative(const clp_pair *pair, const clp_answer *answer)
{
  bool is_signed = pair->way->planes || answer->status != CLP_PENETRATING;
  return pair->started && is_signed && !answer->non_unique && answer->distance < HUGE_VAL;
}

/* A question: the answer, the poses that it is of, and what follows from these at once. */
typedef struct question {
  party a, b;
  double unit, distance; /* one over the size */
} question;

CLP_INLINE void put_trio(clp_trio t, clp_vec3 *to)
{
  memcpy(to, &t.xy, sizeof t.xy);
  to->z = t.z;
}

/* What does not depend on the features. */
CLP_INLINE void describe(const question *q, const clp_answer *answer, const clp_pose *X_WA,
                         clp_derivative *d)
{
  clp_trio reach =
      clp_trio_sub(clp_trio_of(&answer->point_b), clp_trio_of(&X_WA->position));
  d->distance = q->distance;
  d->normal = answer->normal;
  d->across[0] = clp_twin_first(q->a.across);
  d->across[1] = clp_twin_second(q->a.across);
  put_trio(q->a.arm, &d->arm_a);
  put_trio(q->b.arm, &d->arm_b);
  put_trio(reach, &d->reach);
}

CLP_INLINE void name_features(const clp_spot *a, const clp_spot *b, clp_site at_a, clp_site at_b,
                              clp_derivative *d)
{
  d->kind_a = a->kind;
  d->kind_b = b->kind;
  d->feature_a = a->id;
  d->feature_b = b->id;
  memcpy(d->site_a, at_a.c, sizeof d->site_a);
  memcpy(d->site_b, at_b.c, sizeof d->site_b);
}

/* ---- Sites of closed forms ------------------------------------------------------------------ */

/* They keep none but the features that the witnesses are on: of boxes, cylinders, cones, capsules,
 * spheres and points. */

CLP_INLINE clp_site site_on_face(const clp_surface *surface, clp_vec3 q)
{
  const clp_ellipsoid *ball = clp_surface_ellipsoid(surface);
  const clp_cone *side = clp_surface_cone(surface);
  if (ball)
    return clp_ellipsoid_site_at(clp_sub(q, ball->center));
  if (side) {
    double v = (q.z - side->z0) / side->dz, over = 1 / (side->r0 + v * side->dr);
    return (clp_site){{over * q.x, over * q.y, v}};
  }
  const clp_plane *plane = &surface->as.plane;
  clp_vec3 d = clp_sub(q, plane->origin);
  return (clp_site){{clp_dot(d, plane->a), clp_dot(d, plane->b), 0}};
}

CLP_INLINE clp_site site_on_edge(const clp_curve *curve, clp_vec3 q)
{
  if (curve->kind == CLP_CURVE_LINE) {
    const clp_line *line = &curve->as.line;
    clp_vec3 along = line->direction;
    return (clp_site){{clp_dot(clp_sub(q, line->origin), along) / clp_norm2(along), 0, 0}};
  }
  const clp_ellipse *rim = &curve->as.ellipse;
  double x = clp_dot(q, rim->a), y = clp_dot(q, rim->b), over = 1 / sqrt(x * x + y * y);
  return (clp_site){{over * x, over * y, 0}};
}

/* The witness in the body's frame, on the core. */
CLP_INLINE clp_vec3 place_of(const party *p)
{
  return clp_add_scaled(clp_rotate_back(*p->rotation, clp_trio_vec3(p->arm)), -p->body->padding, p->n);
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* Where a witness is, whether well within, and the feature there, if it is known. */
typedef struct stand {
  clp_site site;
  bool within, known;
  feature feature;
} stand;

CLP_INLINE void stand_on(const party *p, const clp_spot *spot, bool closed, double unit, stand *s)
{
  const clp_body *body = p->body;
  s->site = spot->site;
  if (clp_usually(spot->kind == CLP_FACE)) {
    const clp_face *face = &body->faces[spot->id];
    if (closed)
      s->site = site_on_face(&face->surface, place_of(p));
    s->known = feature_of_face(face, p, s->site, unit, &s->feature);
    s->within = clp_is_within_face(face, s->site.c, body->size);
  } else if (spot->kind == CLP_EDGE) {
    const clp_edge *edge = &body->edges[spot->id];
    if (closed)
      s->site = site_on_edge(&edge->curve, place_of(p));
    s->known = feature_of_edge(edge, p, s->site, unit, &s->feature);
    s->within = clp_is_within_edge(edge, s->site.c, p->n);
  } else {
    s->known = true;
    s->feature = feature_of_vertex(unit);
    s->within = clp_is_within_vertex(body, &body->vertices[spot->id], p->n);
  }
  complete(p, unit, &s->feature);
}

/* On all that meet at the witnesses, of which one is at a border. */
CLP_APART int find_all(question q, clp_spot a, clp_spot b, clp_derivative common, clp_derivative *to, int capacity)
{
  clp_spot spots_a[CLP_BRANCHES_MAX], spots_b[CLP_BRANCHES_MAX];
  int of_a = clp_branches_at(q.a.body, a, q.a.n, spots_a), count = 0;
  int of_b = clp_branches_at(q.b.body, b, q.b.n, spots_b);
  for (int i = 0; i < of_a; ++i)
    for (int j = 0; j < of_b; ++j) {
      clp_derivative d = common;
      feature on_a, on_b;
      name_features(&spots_a[i], &spots_b[j], spots_a[i].site, spots_b[j].site, &d);
      if (!find_feature(&q.a, &spots_a[i], q.unit, &on_a) ||
          !find_feature(&q.b, &spots_b[j], q.unit, &on_b) ||
          !solve(&on_a, &on_b, q.unit, q.distance, &d))
        continue;
      if (count < capacity)
        to[count] = d;
      ++count;
    }
  return count;
}

CLP_INLINE party party_of(const clp_body *body, const clp_pose *X, clp_vec3 n, const clp_vec3 *witness, 
                          clp_twin across)
{
  return (party){body, &X->rotation, clp_rotate_back(X->rotation, n),
                 clp_trio_sub(clp_trio_of(witness), clp_trio_of(&X->position)), across, false};
}

int CLP_DERIVATIVE_RUN(const clp_pair *pair, const clp_answer *answer, const clp_pose *X_WA,
                       const clp_pose *X_WB, clp_derivative *derivatives, int capacity)
{
  const bool turned = pair->turned, closed = pair->closed;
  const clp_spot *spot_a = turned ? &pair->spots.b : &pair->spots.a;
  const clp_spot *spot_b = turned ? &pair->spots.a : &pair->spots.b;
  clp_derivative unwanted, *first = capacity > 0 ? derivatives : &unwanted;
  stand a, b;
  if (!has_derivative(pair, answer))
    return 0;
  clp_vec3 across[2];
  clp_tangents(answer->normal, &across[0], &across[1]);
  clp_twin both = clp_twin_of(across[0], across[1]);
  question q = {party_of(turned ? pair->b : pair->a, X_WA, answer->normal, &answer->point_a, both),
                party_of(turned ? pair->a : pair->b, X_WB, answer->normal, &answer->point_b, both),
                1 / pair->cycle.couple.size, answer->distance};
  q.b.n = clp_negate(q.b.n);
  q.b.extruded = q.b.body->info.planar;
  q.a.extruded = q.a.body->info.planar && !q.b.extruded;
  describe(&q, answer, X_WA, first);
  stand_on(&q.a, spot_a, closed, q.unit, &a);
  stand_on(&q.b, spot_b, closed, q.unit, &b);
  name_features(spot_a, spot_b, a.site, b.site, first);
  if (clp_usually(a.within && b.within))
    return a.known && b.known && solve(&a.feature, &b.feature, q.unit, q.distance, first);
  clp_spot at_a = *spot_a, at_b = *spot_b;
  at_a.site = a.site;
  at_b.site = b.site;
  return find_all(q, at_a, at_b, *first, derivatives, capacity);
}
