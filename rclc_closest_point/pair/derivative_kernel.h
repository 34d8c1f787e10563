/* SPDX-License-Identifier: Apache-2.0 */

/* The source of derivative_plain.c and derivative_wide.c, which differ in the registers that they
 * are compiled for. CLP_DERIVATIVE_RUN is the name of the one function that comes out. */

#include "rclc_closest_point/math/trio.h"
#include "rclc_closest_point/pair/closed.h"
#include "rclc_closest_point/pair/derivative_run.h"
#include "rclc_closest_point/pair/padding.h"
#include "rclc_closest_point/surface/ellipsoid.h"
#include "rclc_closest_point/surface/spline_bends.h"

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

/* A 2 x 2 matrix, its first column and its second one. */
typedef clp_quartet mat2;

typedef struct feature {
  mat2 x, y;
  bool even_x, even_y; /* the matrix is a number times 1 */
} feature;

CLP_INLINE mat2 even(double k)
{
  return clp_quartet_scale(k, clp_quartet_of(1, 0, 0, 1));
}

CLP_INLINE mat2 plus(mat2 a, double k, mat2 b)
{
  return clp_quartet_add(a, clp_quartet_scale(k, b));
}

/* One of the bodies, and where on it its witness is. */
typedef struct party {
  const clp_body *body;
  const clp_pose *X;
  const double *site;
  const clp_vec3 *arm;           /* from the frame's origin to the witness, in the world */
  const clp_normal_frame *frame; /* the answer's normal, and two directions square to it */
  double outward;                /* 1 or -1: times that normal the body's own one */
  clp_vec3 n;                    /* that in the body's frame; splines do without these two */
  clp_twin across;               /* the two directions, in the world */
  double unit;                   /* one over the size of the two bodies */
  bool extruded; /* a planar body whose feature is to go on square to its plane: of two bodies in
                    a plane one has to, or nothing says how the other stands there */
  bool siteless; /* its site is to be found: neither closed forms nor cores keep one */
} party;

/* The two directions side by side. */
CLP_INLINE clp_twin across_of(const clp_normal_frame *frame)
{
  clp_quartet a = frame->across[0], b = frame->across[1];
  clp_quartet even = CLP_QUARTET_PICK(a, b, 0, 4, 2, 6), odd = CLP_QUARTET_PICK(a, b, 1, 5, 3, 7);
  return (clp_twin){clp_quartet_first(even), clp_quartet_first(odd), clp_quartet_second(even)};
}

CLP_INLINE clp_vec3 direction_of(const party *p)
{
  return (clp_vec3){p->site[0], p->site[1], p->site[2]};
}

/* In the body's frame. */
CLP_INLINE clp_twin across_in(const party *p)
{
  const clp_mat3 *r = &p->X->rotation;
  return (clp_twin){clp_twin_dot(p->across, r->x), clp_twin_dot(p->across, r->y),
                    clp_twin_dot(p->across, r->z)};
}

/* Witnesses beside their normal by more (radians) do not face each other: of an answer that is not
 * settled yet. */
#define FACING CLP_BENDS_FACING

/* k t t^T: symmetric to the last bit. */
CLP_INLINE mat2 along(double k, clp_two t)
{
  clp_quartet twice = clp_quartet_joined(t, t);
  return clp_quartet_scale(k, clp_quartet_mul(twice, CLP_QUARTET_PICK(twice, twice, 0, 0, 1, 1)));
}

/* The direction of the circle about z there, unit. */
CLP_INLINE clp_two of_circle(const party *p)
{
  clp_trio x = clp_trio_of(&p->X->rotation.x), y = clp_trio_of(&p->X->rotation.y);
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
  *f = (feature){clp_quartet_of(own[0], both, both, own[1]), even(p->unit), false, true};
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
  clp_vec3 q = clp_rotate_back(p->X->rotation, *p->arm);
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
  const clp_mat3 *r = &p->X->rotation;
  double bend = -2 * bowl->k * p->n.z, x = p->n.x + 2 * bowl->k * p->site[0] * p->n.z;
  double y = p->n.y + 2 * bowl->k * p->site[1] * p->n.z;
  mat2 in_x = along(bend, clp_twin_dot(p->across, r->x));
  *f = (feature){even(1), plus(in_x, bend, along(1, clp_twin_dot(p->across, r->y))), true, false};
  return x * x + y * y <= FACING * FACING;
}

CLP_INLINE bool feature_of_spline(const clp_nurbs *nurbs, const double *site, const party *p,
                                  feature *f)
{
  mat2 bends;
  bool known = spline_bends(nurbs, site, p->frame, p->X, -p->outward, &bends);
  *f = (feature){even(1), bends, true, false};
  return known;
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
  if (ellipsoid)
    return clp_ellipsoid_is_ball(ellipsoid) ? feature_of_ball(ellipsoid->radii.x, p, f)
                                            : feature_of_ellipsoid(ellipsoid, p, f);
  return face->flat ? feature_of_plane(face, p, f)
         : cone     ? feature_of_cone(cone, p, f)
                    : feature_of_arc(surface, p, f);
}

/* `off` and `bend` are the first and the second derivative along n; t is told in the body's frame.
 */
CLP_INLINE bool feature_of_tangent(const party *p, clp_vec3 t, double off, double bend, feature *f)
{
  clp_two of_t = clp_twin_dot(p->across, clp_rotate(p->X->rotation, t));
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
  mat2 z = along(1, clp_twin_dot(across_of(p->frame), p->X->rotation.z));
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
  clp_quartet x = CLP_QUARTET_PICK(a, a, 0, 1, 0, 1), y = CLP_QUARTET_PICK(a, a, 2, 3, 2, 3);
  return clp_quartet_add(clp_quartet_mul(x, CLP_QUARTET_PICK(b, b, 0, 0, 2, 2)),
                         clp_quartet_mul(y, CLP_QUARTET_PICK(b, b, 1, 1, 3, 3)));
}

/* A product with a matrix that may be a number times 1, from the left and from the right. */
CLP_INLINE mat2 left_times(mat2 f, bool is_even, mat2 m)
{
  return is_even ? clp_quartet_scale(clp_quartet_first(f)[0], m) : times(f, m);
}

CLP_INLINE mat2 times_right(mat2 m, mat2 f, bool is_even)
{
  return is_even ? clp_quartet_scale(clp_quartet_first(f)[0], m) : times(m, f);
}

/* The least that the equations' matrix stretches by, told in sizes, below which it is singular to
 * rounding: the answer is not the only one, or turns at once. */
#define SINGULAR 1e-9

CLP_INLINE void put(mat2 m, double (*to)[2])
{
  clp_quartet_store(m, to);
}

/* Of a matrix that is symmetric but for rounding, which is not small where two equations are nearly
 * one: the mean of both halves. */
CLP_INLINE mat2 evened(mat2 m)
{
  return clp_quartet_scale(0.5, clp_quartet_add(m, CLP_QUARTET_PICK(m, m, 0, 2, 1, 3)));
}

/* Y_B X_A + X_B Y_A + d Y_B Y_A */
CLP_INLINE mat2 equations(const feature *a, const feature *b, double d)
{
  return clp_quartet_add(left_times(b->y, b->even_y, plus(a->x, d, a->y)),
                         left_times(b->x, b->even_x, a->y));
}

CLP_INLINE bool invert(mat2 m, double least, mat2 *inverse)
{
  clp_two x = clp_quartet_first(m), y = clp_quartet_second(m);
  clp_two squares = x * x + y * y, crossed = x * __builtin_shufflevector(y, y, 1, 0);
  double det = crossed[0] - crossed[1];
  clp_quartet signs = clp_quartet_scale(1 / det, clp_quartet_of(1, -1, -1, 1));
  *inverse = clp_quartet_mul(signs, CLP_QUARTET_PICK(m, m, 3, 1, 2, 0));
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
  put(evened(left_times(a->y, a->even_y, of_u)), d->turn);
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

/* Vectors are read and written with the number that is before them in memory: four lanes at once.
 * What is written is written from the end, so that the numbers before are right in the end. */

CLP_INLINE clp_quartet before(const clp_vec3 *v)
{
  return clp_quartet_load((const char *)v - sizeof(double));
}

CLP_INLINE void put_before(clp_quartet q, clp_derivative *d, size_t offset)
{
  clp_quartet_store(q, (char *)d + offset - sizeof(double));
}

/* Without that number, and with 0 behind it. */
CLP_INLINE clp_quartet alone(clp_quartet q)
{
  clp_quartet none = clp_quartet_of(0, 0, 0, 0);
  return CLP_QUARTET_PICK(q, none, 1, 2, 3, 4);
}

/* The frame's directions are clp_tangents of n: with v = (n.x, n.y, 0) / -(s + n.z) - (0, 0, 1) and
 * s the sign of n.z they are (1, 0, 0) + s n.x v and (0, s, 0) + n.y v. */
CLP_INLINE void describe_frame(clp_quartet n, clp_derivative *d, clp_normal_frame *frame)
{
  double x = clp_quartet_first(n)[1], y = clp_quartet_second(n)[0], z = clp_quartet_second(n)[1];
  double sign = copysign(1, z);
  clp_quartet scaled = clp_quartet_scale(-1 / (sign + z), n), one = clp_quartet_of(-1, -1, -1, -1);
  clp_quartet v = CLP_QUARTET_PICK(scaled, one, 0, 1, 2, 7);
  clp_quartet first = clp_quartet_add(clp_quartet_of(0, 1, 0, 0), clp_quartet_scale(sign * x, v));
  clp_quartet second = clp_quartet_add(clp_quartet_of(0, 0, sign, 0), clp_quartet_scale(y, v));
  put_before(second, d, offsetof(clp_derivative, across[1]));
  put_before(first, d, offsetof(clp_derivative, across[0]));
  put_before(n, d, offsetof(clp_derivative, normal));
  *frame = (clp_normal_frame){alone(n), {alone(first), alone(second)}};
}

/* All but the features, and what depends on them. */
CLP_INLINE void describe(const clp_answer *answer, const clp_vec3 *origin_a,
                         const clp_vec3 *origin_b, clp_derivative *d, clp_normal_frame *frame)
{
  clp_quartet a = before(&answer->point_a), b = before(&answer->point_b);
  clp_quartet from_a = before(origin_a), from_b = before(origin_b);
  put_before(clp_quartet_sub(b, from_a), d, offsetof(clp_derivative, reach));
  put_before(clp_quartet_sub(b, from_b), d, offsetof(clp_derivative, arm_b));
  put_before(clp_quartet_sub(a, from_a), d, offsetof(clp_derivative, arm_a));
  describe_frame(before(&answer->normal), d, frame);
  d->distance = answer->distance;
}

/* What is asked: of which poses, and of which bodies, in the caller's order: as the pair computes
 * with them, and spots as others know them. */
typedef struct question {
  const clp_body *a, *b;
  const clp_spot *spot_a, *spot_b;
  const clp_pose *X_WA, *X_WB;
  double unit; /* one over the size of the two bodies */
  bool closed;
} question;

CLP_INLINE party party_of(const clp_body *body, const clp_pose *X, double outward,
                          const clp_vec3 *arm, const double *site, const clp_normal_frame *frame,
                          const question *q)
{
  party p;
  p.body = clp_body_whole(body);
  p.X = X;
  p.site = site;
  p.frame = frame;
  p.arm = arm;
  p.outward = outward;
  p.unit = q->unit;
  p.extruded = body->info.planar;
  p.siteless = q->closed || body->whole;
  return p;
}

/* The normal and what is square to it, for all features but splines. */
CLP_INLINE void face_outward(party *p)
{
  clp_quartet n = clp_quartet_scale(p->outward, clp_quartet_turn_back(p->X, p->frame->n));
  clp_two xy = clp_quartet_first(n), z = clp_quartet_second(n);
  p->n = (clp_vec3){xy[0], xy[1], z[0]};
  p->across = across_of(p->frame);
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
  clp_vec3 q = clp_rotate_back(p->X->rotation, *p->arm);
  return clp_add_scaled(q, -p->body->padding, p->n);
}

/* ---- One witness ---------------------------------------------------------------------------- */

/* Whether a witness is well within its feature, and the feature is known there. */
typedef enum standing { AT_BORDER, UNKNOWN, WELL } standing;

CLP_INLINE const clp_nurbs *spline_at(const clp_body *body, const clp_spot *spot)
{
  return spot->kind == CLP_FACE ? clp_surface_spline(&body->faces[spot->id].surface) : NULL;
}

CLP_INLINE standing stand_on_spline(const party *p, const clp_spot *spot, const clp_nurbs *spline,
                                    feature *f)
{
  const clp_domain *domain = &p->body->faces[spot->id].domain;
  const double *site = spot->site.c;
  if (!clp_usually(domain->kind == CLP_DOMAIN_RECTANGLE && clp_is_within_rectangle(domain, site)))
    return AT_BORDER;
  return clp_usually(feature_of_spline(spline, site, p, f)) ? WELL : UNKNOWN;
}

/* On what is no spline. The site is found out and written, too. */
CLP_INLINE standing stand_on_other(party *p, const clp_spot *spot, double *site, feature *f)
{
  const clp_body *body = p->body;
  face_outward(p);
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
  return WELL;
}

CLP_INLINE standing stand_on(party *p, const clp_spot *spot, double *site, feature *f)
{
  const clp_nurbs *spline = spline_at(p->body, spot);
  standing stands = spline ? stand_on_spline(p, spot, spline, f) : stand_on_other(p, spot, site, f);
  if (clp_usually(stands == WELL))
    complete(p, f);
  return stands;
}

/* ---- On a border ---------------------------------------------------------------------------- */

/* A feature's kind and its number, and those of A's and of B's. */
typedef uint32_t names __attribute__((vector_size(16)));

static_assert(offsetof(clp_spot, id) == 4 && offsetof(clp_derivative, kind_a) == 0 &&
                  offsetof(clp_derivative, kind_b) == 4 &&
                  offsetof(clp_derivative, feature_a) == 8 &&
                  offsetof(clp_derivative, feature_b) == 12,
              "kinds are before numbers");
static_assert(offsetof(clp_spot, site) == 8 && sizeof(clp_spot) == sizeof(clp_quartet),
              "as much as one number is before the site");

CLP_INLINE void put_spot(const clp_spot *spot, clp_derivative *d, size_t offset)
{
  put_before(clp_quartet_load(spot), d, offset);
}

/* With their sites. */
CLP_INLINE void name_features(const clp_spot *a, const clp_spot *b, clp_derivative *d)
{
  names of_a, of_b;
  memcpy(&of_a, a, sizeof of_a);
  memcpy(&of_b, b, sizeof of_b);
  of_a = __builtin_shufflevector(of_a, of_b, 0, 4, 1, 5);
  memcpy(d, &of_a, sizeof of_a);
  put_spot(b, d, offsetof(clp_derivative, site_b));
  put_spot(a, d, offsetof(clp_derivative, site_a));
}

CLP_INLINE bool find_feature(const party *p, const clp_spot *spot, feature *f)
{
  const clp_body *body = p->body;
  const clp_nurbs *spline = spline_at(body, spot);
  if (spot->kind == CLP_VERTEX)
    *f = feature_of_vertex(p);
  else if (!(spline                   ? feature_of_spline(spline, spot->site.c, p, f)
             : spot->kind == CLP_FACE ? feature_of_face(&body->faces[spot->id], p, f)
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

CLP_INLINE question question_of(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  const bool turned = pair->turned;
  const clp_spot *first = clp_spot_of_whole(pair->a, &pair->spots.a);
  const clp_spot *second = clp_spot_of_whole(pair->b, &pair->spots.b);
  return (question){.a = turned ? pair->b : pair->a,
                    .b = turned ? pair->a : pair->b,
                    .spot_a = turned ? second : first,
                    .spot_b = turned ? first : second,
                    .X_WA = X_WA,
                    .X_WB = X_WB,
                    .unit = 1 / pair->cycle.couple.size,
                    .closed = pair->closed};
}

CLP_INLINE party party_a(const question *q, const clp_derivative *d, const clp_normal_frame *frame)
{
  party p = party_of(q->a, q->X_WA, 1, &d->arm_a, d->site_a, frame, q);
  p.extruded = p.extruded && !q->b->info.planar;
  return p;
}

CLP_INLINE party party_b(const question *q, const clp_derivative *d, const clp_normal_frame *frame)
{
  return party_of(q->b, q->X_WB, -1, &d->arm_b, d->site_b, frame, q);
}

/* On all features that meet at the witnesses. */
CLP_APART int find_all(const question *q, const clp_normal_frame *frame,
                       const clp_derivative *common, clp_derivative *to, int capacity)
{
  clp_spot spots_a[CLP_BRANCHES_MAX], spots_b[CLP_BRANCHES_MAX];
  clp_derivative d = *common;
  party a = party_a(q, &d, frame), b = party_b(q, &d, frame);
  face_outward(&a);
  face_outward(&b);
  clp_spot spot_a = settled(&a, *q->spot_a);
  clp_spot spot_b = settled(&b, *q->spot_b);
  int of_a = clp_branches_at(a.body, spot_a, a.n, spots_a), count = 0;
  int of_b = clp_branches_at(b.body, spot_b, b.n, spots_b);
  for (int i = 0; i < of_a; ++i)
    for (int j = 0; j < of_b; ++j) {
      feature on_a, on_b;
      name_features(&spots_a[i], &spots_b[j], &d);
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
  clp_derivative unwanted, *d = capacity > 0 ? derivatives : &unwanted;
  clp_normal_frame frame;
  feature on_a, on_b;
  if (!has_derivative(pair, answer))
    return 0;
  const question q = question_of(pair, X_WA, X_WB);
  describe(answer, &X_WA->position, &X_WB->position, d, &frame);
  name_features(q.spot_a, q.spot_b, d);
  party a = party_a(&q, d, &frame), b = party_b(&q, d, &frame);
  standing stands = stand_on(&a, q.spot_a, d->site_a, &on_a);
  if (clp_usually(stands == WELL))
    stands = stand_on(&b, q.spot_b, d->site_b, &on_b);
  if (clp_usually(stands == WELL))
    return solve(&on_a, &on_b, a.unit, d->distance, d);
  const question again = q;
  return stands == UNKNOWN ? 0 : find_all(&again, &frame, d, derivatives, capacity);
}
