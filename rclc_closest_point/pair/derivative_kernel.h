/* SPDX-License-Identifier: Apache-2.0 */

/* The source of derivative_plain.c and derivative_wide.c, which differ in the registers that they
 * are compiled for. CLP_DERIVATIVE_RUN is the name of the one function that comes out,
 * CLP_DERIVATIVE_JET that of clp_spline_jet for such registers. */

#include "rclc_closest_point/math/trio.h"
#include "rclc_closest_point/pair/closed.h"
#include "rclc_closest_point/pair/derivative_run.h"
#include "rclc_closest_point/pair/padding.h"
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

/* One of the bodies, and where on it its witness is. */
typedef struct party {
  const clp_body *body;
  const clp_mat3 *rotation;
  const double *site;
  const clp_vec3 *arm; /* from the frame's origin to the witness, in the world */
  clp_vec3 n;          /* outward, in the body's frame */
  clp_twin across;     /* two directions square to n, in the world */
  double unit;         /* one over the size of the two bodies */
  bool extruded; /* a planar body whose feature is to go on square to its plane: of two bodies in
                    a plane one has to, or nothing says how the other stands there */
  bool siteless; /* its site is to be found: neither closed forms nor cores keep one */
} party;

CLP_INLINE clp_vec3 direction_of(const party *p)
{
  return (clp_vec3){p->site[0], p->site[1], p->site[2]};
}

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
CLP_INLINE clp_two of_circle(const party *p)
{
  clp_trio x = clp_trio_of(&p->rotation->x), y = clp_trio_of(&p->rotation->y);
  clp_trio circle = clp_trio_sub_scaled(clp_trio_scale(p->site[0], y), p->site[1], x);
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
CLP_INLINE bool feature_of_ellipsoid(const clp_ellipsoid *e, const party *p, feature *f)
{
  clp_twin r = clp_ellipsoid_stretch_twin(e, across_in(p));
  clp_vec3 c = clp_ellipsoid_stretch(e, p->n);
  double over = 1 / clp_norm(c), scale = over * p->unit;
  clp_two beside = over * clp_twin_dot(r, c);
  clp_two own = scale * (r.x * r.x + r.y * r.y + r.z * r.z - beside * beside);
  double both = r.x[0] * r.x[1] + r.y[0] * r.y[1] + r.z[0] * r.z[1] - beside[0] * beside[1];
  both *= scale;
  *f = (feature){{{own[0], both}, {both, own[1]}}, even(p->unit), false, true};
  return is_along(direction_of(p), clp_scale(over, c));
}

/* The same where all radii are one: W = R. */
CLP_INLINE bool feature_of_ball(double radius, const party *p, feature *f)
{
  *f = (feature){even(radius * p->unit), even(p->unit), true, true};
  return is_along(direction_of(p), p->n);
}

/* On a surface that is turned about z: the parts of n away from z and along the circle about z.
 * Along the circle and along the profile it bends most and least: along the circle by the part away
 * from z, over the circle's radius. */
typedef struct parts {
  double away, aside;
} parts;

CLP_INLINE parts parts_of(const party *p)
{
  double x = p->site[0], y = p->site[1];
  return (parts){x * p->n.x + y * p->n.y, x * p->n.y - y * p->n.x};
}

CLP_INLINE bool is_not_aside(parts n)
{
  return n.aside * n.aside <= FACING * FACING;
}

/* A straight profile does not bend. */
CLP_INLINE bool feature_of_cone(const clp_cone *cone, const party *p, feature *f)
{
  parts n = parts_of(p);
  double r = cone->r0 + p->site[2] * cone->dr, ruling = n.away * cone->dr + p->n.z * cone->dz;
  *f = (feature){even(1), along(n.away / r, of_circle(p)), true, false};
  double length2 = cone->dr * cone->dr + cone->dz * cone->dz;
  return r > 0 && is_not_aside(n) && ruling * ruling <= FACING * FACING * length2;
}

CLP_INLINE bool feature_of_profile(const party *p, parts n, double r, double bend, feature *f)
{
  mat2 circle = along(n.away / r - bend, of_circle(p));
  *f = (feature){even(1), plus(circle, bend, even(1)), true, false};
  return r > 0 && is_not_aside(n);
}

/* The sine and the cosine of a place on the profile are the normal's parts, and the arm says
 * whether this is that place. */
CLP_INLINE bool feature_of_torus(const clp_surface *surface, const party *p, feature *f)
{
  const clp_torus *torus = &surface->as.torus;
  clp_vec3 q = clp_rotate_back(*p->rotation, *p->arm);
  parts n = parts_of(p);
  double away = p->site[0] * q.x + p->site[1] * q.y - torus->center_r;
  double beside = away * p->n.z - (q.z - torus->center_z) * n.away, radius = torus->radius;
  double r = torus->center_r + surface->outward * radius * n.away;
  return feature_of_profile(p, n, r, surface->outward / radius, f) &&
         beside * beside <= FACING * FACING * radius * radius;
}

/* With P = (R, Z, W), and h how high the tangent is along n, the profile p is below the tangent by
 * (n, -h).P / W, of which P'' is the same everywhere; it bends by that as against |p'|^2. */
CLP_INLINE bool feature_of_conic(const clp_conic *conic, const party *p, feature *f)
{
  const double *r = conic->r, *z = conic->z, *w = conic->w, t = p->site[2];
  parts n = parts_of(p);
  double of_r = r[0] + t * (r[1] + t * r[2]), of_z = z[0] + t * (z[1] + t * z[2]);
  double of_w = w[0] + t * (w[1] + t * w[2]), dw = w[1] + 2 * t * w[2], over = 1 / of_w;
  double dr = (r[1] + 2 * t * r[2]) * of_w - of_r * dw;
  double dz = (z[1] + 2 * t * z[2]) * of_w - of_z * dw;
  double height = over * (n.away * of_r + p->n.z * of_z), length2 = dr * dr + dz * dz;
  double below = height * w[2] - n.away * r[2] - p->n.z * z[2];
  double bend = 2 * below * of_w * of_w * of_w / length2;
  double along = n.away * dr + p->n.z * dz;
  return feature_of_profile(p, n, over * of_r, bend, f) &&
         along * along <= FACING * FACING * length2;
}

/* n is along the derivative of z - k (x^2 + y^2), which is 1 along z and turns alike everywhere. */
CLP_INLINE bool feature_of_paraboloid(const clp_paraboloid *bowl, const party *p, feature *f)
{
  const clp_mat3 *r = p->rotation;
  double bend = -2 * bowl->k * p->n.z, x = p->n.x + 2 * bowl->k * p->site[0] * p->n.z;
  double y = p->n.y + 2 * bowl->k * p->site[1] * p->n.z;
  mat2 in_x = along(bend, clp_twin_dot(p->across, r->x));
  *f = (feature){even(1), plus(in_x, bend, along(1, clp_twin_dot(p->across, r->y))), true, false};
  return x * x + y * y <= FACING * FACING;
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
  mat2 bends = {{d * left - b * right, both},
                {both, a * (a * vv - c * uv) - c * (a * uv - c * uu)}};
  *f = (feature){even(1), bends, true, false};
  return det * det > NO_AREA * NO_AREA * u2 * v2 && is_square(jet->u, p->n, u2) &&
         is_square(jet->v, p->n, v2);
}

CLP_INLINE bool feature_of_spline(const clp_nurbs *nurbs, const party *p, feature *f)
{
  clp_jet jet;
  CLP_DERIVATIVE_JET(nurbs, p->site[0], p->site[1], &jet);
  return feature_of_jet(&jet, p, f);
}

/* Of the other profiles. */
CLP_INLINE bool feature_of_arc(const clp_surface *surface, const party *p, feature *f)
{
  const clp_conic *conic = clp_surface_conic(surface);
  const clp_paraboloid *paraboloid = clp_surface_paraboloid(surface);
  if (clp_surface_torus(surface))
    return feature_of_torus(surface, p, f);
  return conic ? feature_of_conic(conic, p, f)
               : paraboloid && feature_of_paraboloid(paraboloid, p, f);
}

CLP_INLINE bool feature_of_plane(const clp_face *face, const party *p, feature *f)
{
  *f = (feature){even(1), even(0), true, true};
  return is_along(face->normal, p->n);
}

CLP_INLINE bool feature_of_face(const clp_face *face, const party *p, feature *f)
{
  const clp_surface *surface = &face->surface;
  const clp_ellipsoid *ellipsoid = clp_surface_ellipsoid(surface);
  const clp_cone *cone = clp_surface_cone(surface);
  const clp_nurbs *spline = clp_surface_spline(surface);
  if (ellipsoid)
    return clp_ellipsoid_is_ball(ellipsoid) ? feature_of_ball(ellipsoid->radii.x, p, f)
                                            : feature_of_ellipsoid(ellipsoid, p, f);
  return face->flat ? feature_of_plane(face, p, f)
         : cone     ? feature_of_cone(cone, p, f)
         : spline   ? feature_of_spline(spline, p, f)
                    : feature_of_arc(surface, p, f);
}

/* `off` and `bend` are the first and the second derivative along n; t is told in the body's frame.
 */
CLP_INLINE bool feature_of_tangent(const party *p, clp_vec3 t, double off, double bend, feature *f)
{
  clp_two of_t = clp_twin_dot(p->across, clp_rotate(*p->rotation, t));
  double t2 = clp_norm2(t), over = 1 / t2;
  f->x = along(over, of_t);
  f->y = plus(even(p->unit), -(p->unit + over * bend), f->x);
  f->even_x = f->even_y = false;
  return off * off <= FACING * FACING * t2 && t2 > 0;
}

CLP_INLINE bool feature_of_line(const clp_line *line, const party *p, feature *f)
{
  return feature_of_tangent(p, line->direction, clp_dot(p->n, line->direction), 0, f);
}

CLP_INLINE bool feature_of_ellipse(const clp_ellipse *e, const party *p, feature *f)
{
  const double x = p->site[0], y = p->site[1], a = clp_dot(p->n, e->a), b = clp_dot(p->n, e->b);
  clp_vec3 t = clp_add_scaled(clp_scale(x, e->b), -y, e->a);
  return feature_of_tangent(p, t, x * b - y * a, -(x * a + y * b), f);
}

/* The same of a circle about z, whose angle counts from x. */
CLP_INLINE bool feature_of_rim(const clp_ellipse *rim, const party *p, feature *f)
{
  parts n = parts_of(p);
  mat2 circle = along(1, of_circle(p));
  *f = (feature){circle, plus(even(p->unit), n.away / rim->a.x - p->unit, circle), false, false};
  return is_not_aside(n);
}

CLP_INLINE bool feature_of_curve(const clp_curve *curve, const party *p, feature *f)
{
  clp_curve_jet jet = clp_curve_jet_at(curve, (clp_curve_site){{p->site[0], p->site[1]}});
  return feature_of_tangent(p, jet.t, clp_dot(p->n, jet.t), clp_dot(p->n, jet.tt), f);
}

CLP_INLINE feature feature_of_vertex(const party *p)
{
  return (feature){even(0), even(p->unit), true, true};
}

CLP_INLINE bool feature_of_edge(const clp_edge *edge, const party *p, feature *f)
{
  const clp_curve *curve = &edge->curve;
  return curve->kind == CLP_CURVE_LINE      ? feature_of_line(&curve->as.line, p, f)
         : edge->wedge.turned               ? feature_of_rim(&curve->as.ellipse, p, f)
         : curve->kind == CLP_CURVE_ELLIPSE ? feature_of_ellipse(&curve->as.ellipse, p, f)
                                            : feature_of_curve(curve, p, f);
}

/* Along the plane's normal, which is z of the body's frame, X is 1 and Y is 0. */
CLP_INLINE void extrude(const party *p, feature *f)
{
  mat2 z = along(1, clp_twin_dot(p->across, p->rotation->z));
  f->x = plus(f->x, 1, z);
  f->y = plus(f->y, -p->unit, z);
  f->even_x = f->even_y = false;
}

CLP_INLINE void pad(double r, feature *f)
{
  f->x = plus(f->x, r, f->y);
  f->even_x = f->even_x && f->even_y;
}

/* The ball that sweeps the body, and what it is beside its plane. */
CLP_INLINE void complete(const party *p, feature *f)
{
  if (p->body->padding > 0)
    pad(p->body->padding, f);
  if (p->extruded)
    extrude(p, f);
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

CLP_INLINE void put_way(const clp_vec3 *from, const clp_vec3 *to, clp_vec3 *way)
{
  clp_trio between = clp_trio_sub(clp_trio_of(to), clp_trio_of(from));
  memcpy(way, &between.xy, sizeof between.xy);
  way->z = between.z;
}

/* All but the features, and what depends on them. */
CLP_INLINE void describe(const clp_answer *answer, const clp_vec3 *origin_a,
                         const clp_vec3 *origin_b, clp_derivative *d)
{
  d->distance = answer->distance;
  d->normal = answer->normal;
  clp_tangents(answer->normal, &d->across[0], &d->across[1]);
  put_way(origin_a, &answer->point_a, &d->arm_a);
  put_way(origin_b, &answer->point_b, &d->arm_b);
  put_way(origin_a, &answer->point_b, &d->reach);
}

CLP_INLINE party party_of(const clp_pair *pair, const clp_body *body, const clp_pose *X, clp_vec3 n,
                          const clp_vec3 *arm, const double *site, const clp_derivative *d)
{
  return (party){.body = clp_body_whole(body),
                 .rotation = &X->rotation,
                 .site = site,
                 .arm = arm,
                 .n = clp_rotate_back(X->rotation, n),
                 .across = clp_twin_of(d->across[0], d->across[1]),
                 .unit = 1 / pair->cycle.couple.size,
                 .extruded = body->info.planar,
                 .siteless = pair->closed || body->whole};
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

CLP_INLINE void put_site(clp_site site, double *to)
{
  memcpy(to, site.c, sizeof site.c);
}

/* The witness in the body's frame, on the core. */
CLP_INLINE clp_vec3 place_of(const party *p)
{
  clp_vec3 q = clp_rotate_back(*p->rotation, *p->arm);
  return clp_add_scaled(q, -p->body->padding, p->n);
}

/* ---- One witness ---------------------------------------------------------------------------- */

/* Whether a witness is well within its feature, and the feature is known there. */
typedef enum standing { AT_BORDER, UNKNOWN, WELL } standing;

/* The site is found out and written, too. */
CLP_INLINE standing stand_on(const party *p, const clp_spot *spot, double *site, feature *f)
{
  const clp_body *body = p->body;
  memcpy(site, spot->site.c, sizeof spot->site.c);
  if (clp_usually(spot->kind == CLP_FACE)) {
    const clp_face *face = &body->faces[spot->id];
    if (p->siteless)
      put_site(site_on_face(&face->surface, place_of(p)), site);
    if (!clp_usually(clp_is_within_face(face, site, body->size)))
      return AT_BORDER;
    if (!clp_usually(feature_of_face(face, p, f)))
      return UNKNOWN;
  } else if (spot->kind == CLP_EDGE) {
    const clp_edge *edge = &body->edges[spot->id];
    if (p->siteless)
      put_site(site_on_edge(&edge->curve, place_of(p)), site);
    if (!clp_usually(clp_is_within_edge(edge, site, p->n)))
      return AT_BORDER;
    if (!clp_usually(feature_of_edge(edge, p, f)))
      return UNKNOWN;
  } else {
    if (!clp_usually(clp_is_within_vertex(body, &body->vertices[spot->id], p->n)))
      return AT_BORDER;
    *f = feature_of_vertex(p);
  }
  complete(p, f);
  return WELL;
}

/* ---- On a border ---------------------------------------------------------------------------- */

CLP_INLINE void name_features(const clp_spot *a, const clp_spot *b, clp_derivative *d)
{
  d->kind_a = a->kind;
  d->kind_b = b->kind;
  d->feature_a = a->id;
  d->feature_b = b->id;
}

CLP_INLINE bool find_feature(const party *p, const clp_spot *spot, feature *f)
{
  const clp_body *body = p->body;
  if (spot->kind == CLP_VERTEX)
    *f = feature_of_vertex(p);
  else if (!(spot->kind == CLP_FACE ? feature_of_face(&body->faces[spot->id], p, f)
                                    : feature_of_edge(&body->edges[spot->id], p, f)))
    return false;
  complete(p, f);
  return true;
}

/* With its site. */
CLP_INLINE clp_spot settled(const party *p, clp_spot spot)
{
  if (p->siteless && spot.kind == CLP_FACE)
    spot.site = site_on_face(&p->body->faces[spot.id].surface, place_of(p));
  else if (p->siteless && spot.kind == CLP_EDGE)
    spot.site = site_on_edge(&p->body->edges[spot.id].curve, place_of(p));
  return spot;
}

/* What is asked: of which answer and of which poses. */
typedef struct question {
  const clp_pair *pair;
  const clp_answer *answer;
  const clp_pose *X_WA, *X_WB;
} question;

CLP_INLINE const clp_body *body_of(const clp_pair *pair, bool of_a)
{
  return of_a != pair->turned ? pair->a : pair->b;
}

CLP_INLINE const clp_spot *spot_of(const clp_pair *pair, bool of_a)
{
  return clp_spot_of_whole(body_of(pair, of_a),
                           of_a != pair->turned ? &pair->spots.a : &pair->spots.b);
}

CLP_INLINE party party_a(const question *q, const clp_derivative *d)
{
  const clp_pair *pair = q->pair;
  party p =
      party_of(pair, body_of(pair, true), q->X_WA, q->answer->normal, &d->arm_a, d->site_a, d);
  p.extruded = p.extruded && !body_of(pair, false)->info.planar;
  return p;
}

CLP_INLINE party party_b(const question *q, const clp_derivative *d)
{
  const clp_pair *pair = q->pair;
  return party_of(pair, body_of(pair, false), q->X_WB, clp_negate(q->answer->normal), &d->arm_b,
                  d->site_b, d);
}

/* On all features that meet at the witnesses. */
CLP_APART int find_all(const question *q, const clp_derivative *common, clp_derivative *to,
                       int capacity)
{
  clp_spot spots_a[CLP_BRANCHES_MAX], spots_b[CLP_BRANCHES_MAX];
  clp_derivative d = *common;
  party a = party_a(q, &d), b = party_b(q, &d);
  clp_spot spot_a = settled(&a, *spot_of(q->pair, true));
  clp_spot spot_b = settled(&b, *spot_of(q->pair, false));
  int of_a = clp_branches_at(a.body, spot_a, a.n, spots_a), count = 0;
  int of_b = clp_branches_at(b.body, spot_b, b.n, spots_b);
  for (int i = 0; i < of_a; ++i)
    for (int j = 0; j < of_b; ++j) {
      feature on_a, on_b;
      name_features(&spots_a[i], &spots_b[j], &d);
      put_site(spots_a[i].site, d.site_a);
      put_site(spots_b[j].site, d.site_b);
      if (!find_feature(&a, &spots_a[i], &on_a) || !find_feature(&b, &spots_b[j], &on_b) ||
          !solve(&on_a, &on_b, a.unit, d.distance, &d))
        continue;
      if (count < capacity)
        to[count] = d;
      ++count;
    }
  return count;
}

/* ---- All of it ------------------------------------------------------------------------------ */

int CLP_DERIVATIVE_RUN(const clp_pair *pair, const clp_answer *answer, const clp_pose *X_WA,
                       const clp_pose *X_WB, clp_derivative *derivatives, int capacity)
{
  const question q = {pair, answer, X_WA, X_WB};
  clp_derivative unwanted, *d = capacity > 0 ? derivatives : &unwanted;
  feature on_a, on_b;
  if (!has_derivative(pair, answer))
    return 0;
  describe(answer, &X_WA->position, &X_WB->position, d);
  const clp_spot *spot_a = spot_of(pair, true), *spot_b = spot_of(pair, false);
  name_features(spot_a, spot_b, d);
  party a = party_a(&q, d);
  standing of_a = stand_on(&a, spot_a, d->site_a, &on_a);
  if (!clp_usually(of_a == WELL))
    return of_a == UNKNOWN ? 0 : find_all(&q, d, derivatives, capacity);
  party b = party_b(&q, d);
  standing of_b = stand_on(&b, spot_b, d->site_b, &on_b);
  if (!clp_usually(of_b == WELL))
    return of_b == UNKNOWN ? 0 : find_all(&q, d, derivatives, capacity);
  return solve(&on_a, &on_b, a.unit, d->distance, d);
}
