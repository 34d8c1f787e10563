/* SPDX-License-Identifier: Apache-2.0 */

/* What a feature is to the equations of derivative_kernel.h, which includes this: a part of its
 * source. */

#include "rclc_closest_point/math/trio.h"
#include "rclc_closest_point/pair/closed.h"
#include "rclc_closest_point/pair/derivative_run.h"
#include "rclc_closest_point/surface/ellipsoid.h"
#include "rclc_closest_point/surface/spline_bends.h"

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
