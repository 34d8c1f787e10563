/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/derivative.h"
#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/automaton.h"
#include "rclc_closest_point/witness/pole.h"

/* Which features a witness is on, where it is on the border of several, and how long it stays on
 * one. */

/* Sites farther from a bound than this, in its own coordinate, are not compared as points. */
#define NEAR_BOUND 1e-6

/* ---- On the border ------------------------------------------------------------------------ */

static clp_spot onto_side(const clp_body *body, clp_spot spot)
{
  const clp_face *face = &body->faces[spot.id];
  int side = -1;
  if (face->domain.kind == CLP_DOMAIN_WHOLE)
    return spot;
  double margin = clp_domain_margin(&face->domain, spot.site, &side);
  if (margin > NEAR_BOUND || side < 0)
    return spot;
  clp_spot snapped = spot;
  snapped.site = clp_walk_snap(&face->surface, &face->domain, spot.site, side);
  double way = clp_distance(clp_spot_point(body, snapped), clp_spot_point(body, spot));
  return way <= CLP_ON_BORDER * body->size ? snapped : spot;
}

static clp_spot onto_end(const clp_body *body, clp_spot spot)
{
  const clp_edge *edge = &body->edges[spot.id];
  double t = spot.site.c[0], lo = edge->curve.lo, hi = edge->curve.hi;
  if (edge->curve.closed)
    return spot;
  if (edge->curve.kind == CLP_CURVE_ELLIPSE)
    t = clp_curve_parameter(&edge->curve, clp_spot_curve_site(spot));
  clp_spot end =
      clp_spot_on_edge(spot.id, clp_curve_site_at(&edge->curve, t - lo < hi - t ? lo : hi));
  if (fmin(t - lo, hi - t) > NEAR_BOUND * (hi - lo))
    return spot;
  double way = clp_distance(clp_spot_point(body, end), clp_spot_point(body, spot));
  return way <= CLP_ON_BORDER * body->size
             ? clp_spot_on_vertex(edge->vertex[t - lo < hi - t ? 0 : 1])
             : spot;
}

/* The lowest feature that the spot is at. */
static clp_spot settled(const clp_body *body, clp_spot spot)
{
  if (spot.kind == CLP_FACE)
    spot = clp_lowest_feature(body, onto_side(body, spot));
  return spot.kind == CLP_EDGE ? onto_end(body, spot) : spot;
}

/* ---- What meets there ---------------------------------------------------------------------- */

typedef struct branches {
  const clp_body *body;
  clp_vec3 n;
  clp_spot *spots;
  int count;
} branches;

static bool is_same(const clp_spot *x, const clp_spot *y)
{
  const double *c = x->site.c, *d = y->site.c;
  bool there = c[0] == d[0] && c[1] == d[1] && c[2] == d[2];
  return clp_spot_same_feature(x, y) && (x->kind != CLP_FACE || there);
}

static void add(branches *to, clp_spot spot)
{
  for (int k = 0; k < to->count; ++k)
    if (is_same(&to->spots[k], &spot))
      return;
  if (to->count < CLP_BRANCHES_MAX)
    to->spots[to->count++] = spot;
}

static clp_spot face_beside(const clp_body *body, const clp_edge *edge, int which,
                            clp_curve_site at)
{
  const clp_use *use = &body->uses[edge->use[which]];
  const clp_face *face = &body->faces[use->face];
  return clp_spot_on_face(use->face, clp_edge_face_site(edge, which, use, face, at));
}

/* Into the face, square to the edge. */
static clp_vec3 into_face(const clp_body *body, const clp_edge *edge, int which, clp_spot at)
{
  const clp_use *use = &body->uses[edge->use[which]];
  const clp_face *face = &body->faces[use->face];
  clp_curve_site site = clp_walk_side_site(&face->surface, &face->domain, use->side, at.site);
  return clp_side_conormal(&face->surface, &face->domain, use->side, site);
}

static void add_edge(branches *to, clp_spot spot)
{
  const clp_edge *edge = &to->body->edges[spot.id];
  clp_curve_site at = clp_spot_curve_site(spot);
  if (!clp_edge_is_smooth(edge))
    add(to, spot);
  for (int which = 0; which < 2; ++which) {
    if (edge->use[which] == CLP_NONE)
      continue;
    clp_spot face = face_beside(to->body, edge, which, at);
    bool twice = edge->kind == CLP_EDGE_SEAM && which == 1 &&
                 !clp_surface_spline(&to->body->faces[face.id].surface);
    if (twice)
      continue;
    if (clp_edge_is_smooth(edge) ||
        clp_dot(to->n, into_face(to->body, edge, which, face)) >= -CLP_ON_BORDER)
      add(to, face);
  }
}

static clp_vec3 away_from(const clp_body *body, clp_edge_end end)
{
  const clp_edge *edge = &body->edges[end.edge];
  clp_vec3 t = clp_unit(clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, end.end)).t);
  return end.end == 0 ? t : clp_negate(t);
}

/* Two edges that go on into each other, as arcs of one rim do, have no corner there. */
#define STRAIGHT_ON 1e-6

static bool is_corner(const clp_body *body, const clp_vertex *vertex)
{
  clp_vec3 sum = {0, 0, 0};
  int sharp = 0;
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_end end = body->ends[vertex->first_end + k];
    if (clp_edge_is_smooth(&body->edges[end.edge]))
      continue;
    sum = clp_add(sum, away_from(body, end));
    ++sharp;
  }
  return vertex->sharp && !(sharp == 2 && clp_norm(sum) < STRAIGHT_ON);
}

static void add_vertex(branches *to, clp_spot spot)
{
  const clp_vertex *vertex = &to->body->vertices[spot.id];
  if (to->body->info.point || is_corner(to->body, vertex))
    add(to, spot);
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_end end = to->body->ends[vertex->first_end + k];
    const clp_edge *edge = &to->body->edges[end.edge];
    if (!clp_edge_is_smooth(edge) && clp_dot(to->n, away_from(to->body, end)) >= -CLP_ON_BORDER)
      add_edge(to, clp_spot_on_edge(end.edge, clp_edge_fraction(edge, end.end)));
  }
  for (uint32_t k = 0; k < vertex->corner_count && !vertex->sharp; ++k) {
    const clp_corner *corner = &to->body->corners[vertex->first_corner + k];
    if (corner->side < 0)
      add(to, clp_spot_on_face(corner->face, corner->site));
  }
}

int clp_branches_at(const clp_body *body, clp_spot spot, clp_vec3 n,
                    clp_spot found[CLP_BRANCHES_MAX])
{
  branches to = {body, n, found, 0};
  clp_spot lowest = settled(body, spot);
  if (lowest.kind == CLP_FACE)
    add(&to, lowest);
  else if (lowest.kind == CLP_EDGE)
    add_edge(&to, lowest);
  else
    add_vertex(&to, lowest);
  return to.count;
}

/* ---- For how long -------------------------------------------------------------------------- */

/* How a witness and its outward normal move, as their body sees them, in its frame. */
typedef struct course {
  const clp_body *body;
  clp_spot spot;
  clp_vec3 n, slide, turn;
} course;

/* A margin that shrinks more slowly than this, of the motion, does not shrink. */
#define STILL 1e-9

/* When a margin that is `now`, and `later` after `step` seconds, is used up. */
static double used_up(double now, double later, double step, double motion)
{
  double rate = (later - now) / step;
  if (rate >= -STILL * motion)
    return HUGE_VAL;
  return fmax(0, now - CLP_ON_BORDER) / -rate;
}

static double motion_of(const course *c)
{
  return clp_norm(c->turn) + clp_norm(c->slide) / c->body->size;
}

/* Seconds in which so little happens that differences are derivatives. */
static double instant_of(const course *c)
{
  return 1e-6 / motion_of(c);
}

/* Bounds are asked for a step this long in a feature's coordinates. */
#define LONG_STEP 1e3

static double until_bound(const course *c, const double rate[2])
{
  double fastest = fmax(fabs(rate[0]), fabs(rate[1]));
  int side = -1;
  if (!(fastest > 0))
    return HUGE_VAL;
  double time = LONG_STEP / fastest, x[2] = {time * rate[0], time * rate[1]};
  double fraction = clp_spot_fraction(c->body, c->spot, x, &side);
  return side < 0 ? HUGE_VAL : time * fraction;
}

static void rates_on(const course *c, double rate[2])
{
  clp_spot_jet jet = clp_spot_jet_at(c->body, c->spot);
  double s0 = clp_dot(c->slide, jet.t[0]), e = clp_norm2(jet.t[0]);
  rate[0] = rate[1] = 0;
  if (jet.freedoms == 1) {
    rate[0] = e > 0 ? s0 / e : 0;
  } else if (jet.freedoms == 2) {
    double s1 = clp_dot(c->slide, jet.t[1]), f = clp_dot(jet.t[0], jet.t[1]);
    double g = clp_norm2(jet.t[1]), det = e * g - f * f;
    rate[0] = det > 0 ? (g * s0 - f * s1) / det : 0;
    rate[1] = det > 0 ? (e * s1 - f * s0) / det : 0;
  }
}

/* Until the normal is that of a face beside the edge. The direction into the face turns while the
 * witness slides. */
static double until_face(const course *c, double rate)
{
  const clp_edge *edge = &c->body->edges[c->spot.id];
  double step = instant_of(c), x[2] = {rate * step, 0}, least = HUGE_VAL;
  clp_spot later = clp_spot_move(c->body, c->spot, x, -1);
  clp_vec3 n = clp_add_scaled(c->n, step, c->turn);
  for (int which = 0; which < 2; ++which) {
    if (edge->use[which] == CLP_NONE)
      continue;
    clp_spot here = face_beside(c->body, edge, which, clp_spot_curve_site(c->spot));
    clp_spot there = face_beside(c->body, edge, which, clp_spot_curve_site(later));
    double now = -clp_dot(c->n, into_face(c->body, edge, which, here));
    double then = -clp_dot(n, into_face(c->body, edge, which, there));
    least = fmin(least, used_up(now, then, step, motion_of(c)));
  }
  return least;
}

/* Until the normal is square to an edge, or to a ruling, that ends at the vertex. */
static double until_edge(const course *c)
{
  const clp_vertex *vertex = &c->body->vertices[c->spot.id];
  double step = instant_of(c), least = HUGE_VAL;
  clp_vec3 n = clp_add_scaled(c->n, step, c->turn);
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_vec3 t = away_from(c->body, c->body->ends[vertex->first_end + k]);
    least = fmin(least, used_up(-clp_dot(c->n, t), -clp_dot(n, t), step, motion_of(c)));
  }
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &c->body->corners[vertex->first_corner + k];
    clp_site site;
    if (corner->side < 0)
      continue;
    double now = -clp_pole_direction(c->body, corner, c->n, &site);
    double then = -clp_pole_direction(c->body, corner, n, &site);
    least = fmin(least, used_up(now, then, step, motion_of(c)));
  }
  return least;
}

static double lasts(const course *c)
{
  double rate[2];
  if (!(motion_of(c) > 0) || c->body->info.point)
    return HUGE_VAL;
  rates_on(c, rate);
  double bound = until_bound(c, rate);
  if (c->spot.kind == CLP_FACE)
    return bound;
  return fmin(bound, c->spot.kind == CLP_EDGE ? until_face(c, rate[0]) : until_edge(c));
}

static course course_of(const clp_body *body, const clp_pose *X, clp_feature_kind kind, uint32_t id,
                        const double site[3], clp_vec3 n, clp_vec3 slide, clp_vec3 turn)
{
  clp_spot spot = {kind, id, {{site[0], site[1], site[2]}}};
  clp_vec3 core = clp_add_scaled(slide, -body->padding, turn);
  return (course){body, spot, clp_rotate_back(X->rotation, n), clp_rotate_back(X->rotation, core),
                  clp_rotate_back(X->rotation, turn)};
}

double clp_pair_derivative_lasts(const clp_pair *pair, const clp_derivative *d,
                                 const clp_pose *X_WA, const clp_pose *X_WB, const clp_twist *V_WA,
                                 const clp_twist *V_WB)
{
  clp_moving moving = clp_moving_of(d, V_WA, V_WB);
  clp_vec3 slide = {0, 0, 0}, turn = slide, slide_b = slide, turn_b = slide;
  clp_two x = clp_moved_by(d->slide, moving.m), y = clp_moved_by(d->turn, moving.m);
  for (int i = 0; i < 2; ++i) {
    slide = clp_add_scaled(slide, x[i], d->across[i]);
    turn = clp_add_scaled(turn, y[i], d->across[i]);
    slide_b = clp_add_scaled(slide_b, x[i] + d->distance * y[i] - moving.m[i], d->across[i]);
    turn_b = clp_add_scaled(turn_b, moving.m[2 + i] - y[i], d->across[i]);
  }
  const bool turned = pair->turned;
  const clp_body *body_a = turned ? pair->b : pair->a, *body_b = turned ? pair->a : pair->b;
  course a = course_of(clp_body_whole(body_a), X_WA, d->kind_a, d->feature_a, d->site_a, d->normal,
                       slide, turn);
  course b = course_of(clp_body_whole(body_b), X_WB, d->kind_b, d->feature_b, d->site_b,
                       clp_negate(d->normal), slide_b, turn_b);
  return fmin(lasts(&a), lasts(&b));
}
