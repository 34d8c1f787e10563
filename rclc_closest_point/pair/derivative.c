/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/derivative.h"

#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/pair/answer.h"
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

typedef struct form {
  double xx, xy, yy;
} form;

typedef struct feature {
  form x, y;
  bool even; /* y is 1 / size whatever the direction, as of ellipsoids */
} feature;

static const form one = {1, 0, 1};

/* The normal and two directions square to it, in a body's frame. */
typedef struct axes {
  clp_vec3 n;
  clp_twin e;
} axes;

/* Witnesses beside their normal by more (radians) do not face each other: of an answer that is not
 * settled yet. */
#define FACING 1e-6

/* A parallelogram of tangents flatter than this (its sine) tells no curvature. */
#define NO_AREA 1e-8

static bool is_square(clp_vec3 t, clp_vec3 n)
{
  double off = clp_dot(t, n);
  return off * off <= FACING * FACING * clp_norm2(t);
}

/* Where an ellipsoid's normal is n its place is R^2 n / h from the center, h = |R n|, and the place
 * moves by W = (R^2 - R^2 n n^T R^2 / h^2) / h when n turns: y = x is here x = W y. Its site says
 * the same, R n / h. */
CLP_INLINE bool feature_of_ellipsoid(const clp_ellipsoid *e, clp_site site, const axes *to,
                                     double unit, feature *f)
{
  clp_twin r = clp_ellipsoid_stretch_twin(e, to->e);
  clp_vec3 c = clp_ellipsoid_stretch(e, to->n);
  double over = 1 / clp_norm(c), scale = over * unit;
  clp_two along = over * clp_twin_dot(r, c);
  clp_two own = scale * (r.x * r.x + r.y * r.y + r.z * r.z - along * along);
  double both = r.x[0] * r.x[1] + r.y[0] * r.y[1] + r.z[0] * r.z[1] - along[0] * along[1];
  clp_vec3 off = clp_add_scaled(clp_ellipsoid_direction(site), -over, c);
  f->x = (form){own[0], scale * both, own[1]};
  f->y = (form){unit, 0, unit};
  f->even = true;
  return clp_norm2(off) <= FACING * FACING;
}

/* The curvatures in the axes, from those along the tangents u = P e: K = P^-1 (-n.p_ij) P^-T. */
CLP_APART bool feature_of_surface(const clp_surface *surface, clp_site site, const axes *to,
                                  feature *f)
{
  clp_jet jet = clp_surface_jet(surface, site);
  clp_two of_u = clp_twin_dot(to->e, jet.u), of_v = clp_twin_dot(to->e, jet.v);
  double a = of_u[0], b = of_u[1], c = of_v[0], d = of_v[1];
  double det = a * d - b * c, u2 = a * a + b * b, v2 = c * c + d * d;
  if (!(det * det > NO_AREA * NO_AREA * u2 * v2) || !is_square(jet.u, to->n) ||
      !is_square(jet.v, to->n))
    return false;
  double over = 1 / (det * det);
  double uu = -over * clp_dot(to->n, jet.uu), uv = -over * clp_dot(to->n, jet.uv);
  double vv = -over * clp_dot(to->n, jet.vv);
  f->x = one;
  f->even = false;
  f->y = (form){d * (d * uu - b * uv) - b * (d * uv - b * vv),
                a * (d * uv - b * vv) - c * (d * uu - b * uv),
                a * (a * vv - c * uv) - c * (a * uv - c * uu)};
  return true;
}

CLP_INLINE bool feature_of_face(const clp_face *face, clp_site site, const axes *to, double unit,
                                feature *f)
{
  const clp_ellipsoid *ellipsoid = clp_surface_ellipsoid(&face->surface);
  if (ellipsoid)
    return feature_of_ellipsoid(ellipsoid, site, to, unit, f);
  if (!face->flat)
    return feature_of_surface(&face->surface, site, to, f);
  *f = (feature){one, {0, 0, 0}, false};
  return clp_norm2(clp_sub(face->normal, to->n)) <= FACING * FACING;
}

CLP_APART bool feature_of_edge(const clp_edge *edge, clp_site site, const axes *to, double unit,
                               feature *f)
{
  clp_curve_jet jet = clp_curve_jet_at(&edge->curve, (clp_curve_site){{site.c[0], site.c[1]}});
  clp_two of_t = clp_twin_dot(to->e, jet.t);
  double a = of_t[0], b = of_t[1], t2 = a * a + b * b;
  if (!(t2 > 0) || !is_square(jet.t, to->n))
    return false;
  double over = 1 / t2, bend = unit + over * clp_dot(to->n, jet.tt);
  f->x = (form){over * a * a, over * a * b, over * b * b};
  f->even = false;
  f->y = (form){unit - bend * f->x.xx, -bend * f->x.xy, unit - bend * f->x.yy};
  return true;
}

/* Along the plane's normal, which is z of the body's frame, X is 1 and Y is 0. */
CLP_APART void extrude(const axes *to, double unit, feature *f)
{
  double a = to->e.z[0], b = to->e.z[1];
  f->x = (form){f->x.xx + a * a, f->x.xy + a * b, f->x.yy + b * b};
  f->even = false;
  f->y = (form){f->y.xx - unit * a * a, f->y.xy - unit * a * b, f->y.yy - unit * b * b};
}

/* One of the bodies, and where on it its witness is. */
typedef struct party {
  const clp_body *body;
  const clp_spot *spot;
  axes axes;
  bool extruded; /* a planar body whose feature is to go on square to its plane: of two bodies in a
                    plane one has to, or nothing says how the other stands there */
} party;

/* `unit` is one over the size. */
CLP_INLINE bool find_feature(const party *p, const clp_spot *spot, double unit, feature *f)
{
  const clp_body *body = p->body;
  bool known = true;
  if (clp_usually(spot->kind == CLP_FACE))
    known = feature_of_face(&body->faces[spot->id], spot->site, &p->axes, unit, f);
  else if (spot->kind == CLP_EDGE)
    known = feature_of_edge(&body->edges[spot->id], spot->site, &p->axes, unit, f);
  else
    *f = (feature){{0, 0, 0}, {unit, 0, unit}, true};
  if (!clp_usually(known))
    return false;
  double r = body->padding;
  if (r > 0)
    f->x = (form){f->x.xx + r * f->y.xx, f->x.xy + r * f->y.xy, f->x.yy + r * f->y.yy};
  if (p->extruded)
    extrude(&p->axes, unit, f);
  return true;
}

/* ---- Two features -------------------------------------------------------------------------- */

/* A 2 x 2 matrix by its columns. */
typedef struct mat2 {
  clp_two x, y;
} mat2;

CLP_INLINE mat2 mat2_of(form f)
{
  return (mat2){{f.xx, f.xy}, {f.xy, f.yy}};
}

CLP_INLINE mat2 times(mat2 a, mat2 b)
{
  return (mat2){b.x[0] * a.x + b.x[1] * a.y, b.y[0] * a.x + b.y[1] * a.y};
}

CLP_INLINE mat2 plus(mat2 a, double s, mat2 b)
{
  return (mat2){a.x + s * b.x, a.y + s * b.y};
}

/* The least that the equations' matrix stretches by, told in sizes, below which it is singular to
 * rounding: the answer is not the only one, or turns at once. */
#define SINGULAR 1e-9

CLP_INLINE void put(mat2 m, double (*to)[2])
{
  memcpy(to[0], &m.x, sizeof m.x);
  memcpy(to[1], &m.y, sizeof m.y);
}

/* The product with Y of a feature, from either side where that is even. */
CLP_INLINE mat2 by_y(mat2 y, mat2 m, bool even, double unit)
{
  return even ? (mat2){unit * m.x, unit * m.y} : times(y, m);
}

/* `even`: of both features; the numbers are the same, and found with fewer products. */
CLP_INLINE bool solve(const feature *a, const feature *b, bool even, double unit, clp_derivative *d)
{
  mat2 xa = mat2_of(a->x), ya = mat2_of(a->y), xb = mat2_of(b->x), yb = mat2_of(b->y);
  mat2 xb_ya = even ? by_y(ya, xb, true, unit) : times(xb, ya);
  mat2 m = plus(by_y(yb, plus(xa, d->distance, ya), even, unit), 1, xb_ya);
  clp_two squares = m.x * m.x + m.y * m.y;
  double det = m.x[0] * m.y[1] - m.y[0] * m.x[1], least = SINGULAR * unit;
  if (!(det * det > least * least * (squares[0] + squares[1])))
    return false;
  double over = 1 / det;
  mat2 inverse = {{over * m.y[1], -over * m.x[1]}, {-over * m.y[0], over * m.x[0]}};
  mat2 of_u = even ? by_y(yb, inverse, true, unit) : times(inverse, yb), of_w = times(inverse, xb);
  put(times(xa, of_u), d->slide);
  put(times(xa, of_w), d->slide + 2);
  put(by_y(ya, of_u, even, unit), d->turn);
  put(by_y(ya, of_w, even, unit), d->turn + 2);
  return true;
}

/* ---- Of an answer -------------------------------------------------------------------------- */

/* Both bodies' side by side: the normal's moments about the frames' origins. */
clp_gradient clp_answer_gradient(const clp_answer *answer, const clp_pose *X_WA,
                                 const clp_pose *X_WB)
{
  clp_vec3 n = answer->normal;
  clp_twin arm = clp_twin_sub(clp_twin_of(answer->point_a, answer->point_b),
                              clp_twin_of(X_WA->position, X_WB->position));
  const clp_two signs = {-1, 1};
  clp_twin out = {signs * n.x, signs * n.y, signs * n.z};
  clp_twin moment = {arm.y * out.z - arm.z * out.y, arm.z * out.x - arm.x * out.z,
                     arm.x * out.y - arm.y * out.x};
  return (clp_gradient){{clp_twin_first(out), clp_twin_first(moment)},
                        {clp_twin_second(out), clp_twin_second(moment)}};
}

CLP_INLINE axes axes_in(const clp_mat3 *r, clp_vec3 n, clp_twin e)
{
  return (axes){clp_rotate_back(*r, n),
                {clp_twin_dot(e, r->x), clp_twin_dot(e, r->y), clp_twin_dot(e, r->z)}};
}

/* Apart from what its witnesses say an answer may tell that it has none. */
CLP_INLINE bool has_derivative(const clp_pair *pair, const clp_answer *answer)
{
  bool is_signed = pair->way->planes || answer->status != CLP_PENETRATING;
  return pair->started && is_signed && !answer->non_unique && answer->distance < HUGE_VAL;
}

CLP_INLINE void start(const clp_answer *answer, const clp_pose *X_WA, const clp_pose *X_WB,
                      clp_derivative *d)
{
  d->distance = answer->distance;
  d->normal = answer->normal;
  d->arm_a = clp_sub(answer->point_a, X_WA->position);
  d->arm_b = clp_sub(answer->point_b, X_WB->position);
  d->reach = clp_sub(answer->point_b, X_WA->position);
  clp_tangents(d->normal, &d->across[0], &d->across[1]);
}

CLP_INLINE void name_features(const clp_spot *a, const clp_spot *b, clp_derivative *d)
{
  d->kind_a = a->kind;
  d->kind_b = b->kind;
  d->feature_a = a->id;
  d->feature_b = b->id;
  memcpy(d->site_a, a->site.c, sizeof d->site_a);
  memcpy(d->site_b, b->site.c, sizeof d->site_b);
}

/* On these two features. */
CLP_INLINE bool find(const party *a, const clp_spot *spot_a, const party *b, const clp_spot *spot_b,
                     double unit, clp_derivative *d)
{
  feature feature_a, feature_b;
  name_features(spot_a, spot_b, d);
  if (!find_feature(a, spot_a, unit, &feature_a) || !find_feature(b, spot_b, unit, &feature_b))
    return false;
  return feature_a.even && feature_b.even ? solve(&feature_a, &feature_b, true, unit, d)
                                          : solve(&feature_a, &feature_b, false, unit, d);
}

/* On all that meet at the witnesses. */
CLP_APART int find_all(const party *a, const party *b, double unit, const clp_derivative *common,
                       clp_derivative *to, int capacity)
{
  clp_spot spots_a[CLP_BRANCHES_MAX], spots_b[CLP_BRANCHES_MAX];
  int of_a = clp_branches_at(a->body, *a->spot, a->axes.n, spots_a), count = 0;
  int of_b = clp_branches_at(b->body, *b->spot, b->axes.n, spots_b);
  for (int i = 0; i < of_a; ++i)
    for (int j = 0; j < of_b; ++j) {
      clp_derivative d = *common;
      if (!find(a, &spots_a[i], b, &spots_b[j], unit, &d))
        continue;
      if (count < capacity)
        to[count] = d;
      ++count;
    }
  return count;
}

int clp_pair_derivatives(const clp_pair *pair, const clp_answer *answer, const clp_pose *X_WA,
                         const clp_pose *X_WB, clp_derivative *derivatives, int capacity)
{
  const bool turned = pair->turned;
  clp_derivative common;
  if (!has_derivative(pair, answer))
    return 0;
  clp_spots found;
  const clp_spots *spots = &pair->spots;
  if (pair->closed) {
    found = pair->way->spots(pair, turned ? X_WB : X_WA, turned ? X_WA : X_WB);
    spots = &found;
  }
  clp_derivative *first = capacity > 0 ? derivatives : &common;
  start(answer, X_WA, X_WB, first);
  clp_twin across = clp_twin_of(first->across[0], first->across[1]);
  party a = {turned ? pair->b : pair->a, turned ? &spots->b : &spots->a,
             axes_in(&X_WA->rotation, first->normal, across), false};
  party b = {turned ? pair->a : pair->b, turned ? &spots->a : &spots->b,
             axes_in(&X_WB->rotation, first->normal, across), false};
  b.axes.n = clp_negate(b.axes.n);
  b.extruded = b.body->info.planar;
  a.extruded = a.body->info.planar && !b.extruded;
  const double unit = 1 / pair->cycle.couple.size;
  if (clp_usually(clp_is_within(a.body, a.spot, a.axes.n) &&
                  clp_is_within(b.body, b.spot, b.axes.n)))
    return find(&a, a.spot, &b, b.spot, unit, first);
  common = *first;
  return find_all(&a, &b, unit, &common, derivatives, capacity);
}
