/* SPDX-License-Identifier: Apache-2.0 */

/* The source of derivative_plain.c and derivative_wide.c, which differ in the registers that they
 * are compiled for. CLP_DERIVATIVE_RUN is the name of the one function that comes out. */

#include "rclc_closest_point/pair/derivative_features.h"
#include "rclc_closest_point/pair/padding.h"

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

/* What is asked: of which poses, and of which bodies, in the caller's order and as others know
 * them. */
typedef struct question {
  const clp_body *a, *b;
  const clp_spot *spot_a, *spot_b;
  const clp_pose *X_WA, *X_WB;
  double unit;                 /* one over the size of the two bodies */
  bool siteless_a, siteless_b; /* sites are to be found: neither closed forms nor cores keep one */
} question;

CLP_INLINE party party_of(const clp_body *body, const clp_pose *X, double outward,
                          const clp_vec3 *arm, const double *site, const clp_normal_frame *frame,
                          const question *q)
{
  party p;
  p.body = body;
  p.X = X;
  p.site = site;
  p.frame = frame;
  p.arm = arm;
  p.outward = outward;
  p.unit = q->unit;
  p.extruded = body->info.planar;
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
CLP_INLINE standing stand_on_other(party *p, const clp_spot *spot, bool siteless, double *site,
                                   feature *f)
{
  const clp_body *body = p->body;
  face_outward(p);
  if (clp_usually(spot->kind == CLP_FACE)) {
    const clp_face *face = &body->faces[spot->id];
    if (siteless)
      put_site(site_on_face(&face->surface, place_of(p)), site);
    if (!clp_usually(clp_is_within_face(face, site, body->size)))
      return AT_BORDER;
    if (!clp_usually(feature_of_face(face, p, f)))
      return UNKNOWN;
  } else if (spot->kind == CLP_EDGE) {
    const clp_edge *edge = &body->edges[spot->id];
    if (siteless)
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

CLP_INLINE standing stand_on(party *p, const clp_spot *spot, bool siteless, double *site,
                             feature *f)
{
  const clp_nurbs *spline = spline_at(p->body, spot);
  standing stands =
      spline ? stand_on_spline(p, spot, spline, f) : stand_on_other(p, spot, siteless, site, f);
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
CLP_INLINE clp_spot settled(const party *p, clp_spot spot, bool siteless)
{
  if (siteless && spot.kind == CLP_FACE)
    spot.site = site_on_face(&p->body->faces[spot.id].surface, place_of(p));
  else if (siteless && spot.kind == CLP_EDGE)
    spot.site = site_on_edge(&p->body->edges[spot.id].curve, place_of(p));
  return spot;
}

/* Of a core what others know: the body whose core it is. */
CLP_APART question of_whole(question q)
{
  q.siteless_a = q.siteless_a || q.a->whole;
  q.siteless_b = q.siteless_b || q.b->whole;
  q.spot_a = clp_spot_of_whole(q.a, q.spot_a);
  q.spot_b = clp_spot_of_whole(q.b, q.spot_b);
  q.a = clp_body_whole(q.a);
  q.b = clp_body_whole(q.b);
  return q;
}

CLP_INLINE question question_of(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  const bool turned = pair->turned;
  const clp_spot *first = &pair->spots.a, *second = &pair->spots.b;
  const question q = {.a = turned ? pair->b : pair->a,
                      .b = turned ? pair->a : pair->b,
                      .spot_a = turned ? second : first,
                      .spot_b = turned ? first : second,
                      .X_WA = X_WA,
                      .X_WB = X_WB,
                      .unit = 1 / pair->cycle.couple.size,
                      .siteless_a = pair->closed,
                      .siteless_b = pair->closed};
  return clp_usually(!pair->by_core) ? q : of_whole(q);
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
  clp_spot spot_a = settled(&a, *q->spot_a, q->siteless_a);
  clp_spot spot_b = settled(&b, *q->spot_b, q->siteless_b);
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
  standing stands = stand_on(&a, q.spot_a, q.siteless_a, d->site_a, &on_a);
  if (clp_usually(stands == WELL))
    stands = stand_on(&b, q.spot_b, q.siteless_b, d->site_b, &on_b);
  if (clp_usually(stands == WELL))
    return solve(&on_a, &on_b, a.unit, d->distance, d);
  const question again = q;
  return stands == UNKNOWN ? 0 : find_all(&again, &frame, d, derivatives, capacity);
}
