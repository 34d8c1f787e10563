/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/newton_pair.h"

#include "rclc_closest_point/control/kinematics.h"
#include "rclc_closest_point/math/pose.h"

/* Newton's iteration has found its stationary point after so many steps or will not. */
enum { NEWTON_MAX = 12 };

/* Downhill steps, and halvings of one. */
enum { DOWNHILL_MAX = 40, HALVINGS_MAX = 30 };

/* Tangential parts of the error vector below this part of the distance, or below this part of the
 * bodies' size, are none. */
#define STATIONARY 1e-12
#define ROUNDING 2e-15

/* A minimum's Hessian may have eigenvalues this far below zero, of the largest. */
#define FLAT 1e-8

/* Within bounds, up to this part of their extent. */
#define AT_BOUND 1e-9

/* ---- Iterations --------------------------------------------------------------------------- */

typedef struct state {
  clp_spots spots;
  clp_couple_jets jets;
  clp_system system;
} state;

static state state_at(const clp_newton_pair *p, const clp_spots *spots)
{
  const clp_couple *c = p->couple;
  state s = {.spots = *spots, .jets = clp_couple_jets_at(c->a, spots->a, c->b, spots->b, &c->X_AB)};
  s.system = clp_system_exact(&s.jets, c->size);
  return s;
}

static bool is_stationary(const clp_newton_pair *p, const state *s)
{
  double allowed = STATIONARY * s->jets.distance + ROUNDING * p->couple->size;
  for (int i = 0; i < s->system.count; ++i)
    if (!(fabs(s->system.g[i]) <= allowed * s->system.scale[i]))
      return false;
  return true;
}

static clp_spots moved(const clp_newton_pair *p, const clp_spots *spots, const double *x)
{
  int of_a = 2 - (int)spots->a.kind;
  return (clp_spots){clp_spot_move(p->couple->a, spots->a, x, -1),
                     clp_spot_move(p->couple->b, spots->b, x + of_a, -1)};
}

/* To a stationary point of any kind. */
static bool iterate(clp_newton_pair *p, state *s)
{
  for (int k = 0; k < NEWTON_MAX; ++k) {
    double x[4] = {0, 0, 0, 0};
    if (is_stationary(p, s))
      return true;
    clp_system_solve_any(&s->system, s->system.g, false, x);
    clp_spots next = moved(p, &s->spots, x);
    *s = state_at(p, &next);
    p->iterations++;
  }
  return is_stationary(p, s);
}

/* To a minimum: Newton's step with all of H's eigenvalues taken as positive, halved until the
 * distance falls; in the end, where rounding hides whether it does, Newton's iteration. */
static bool go_down(clp_newton_pair *p, state *s)
{
  for (int k = 0; k < DOWNHILL_MAX && !is_stationary(p, s); ++k) {
    double x[4] = {0, 0, 0, 0};
    clp_system_solve_any(&s->system, s->system.g, true, x);
    state next = *s;
    for (int i = 0; i < HALVINGS_MAX; ++i) {
      clp_spots spots = moved(p, &s->spots, x);
      next = state_at(p, &spots);
      if (next.jets.distance < s->jets.distance)
        break;
      for (int j = 0; j < 4; ++j)
        x[j] *= 0.5;
    }
    p->iterations++;
    if (!(next.jets.distance < s->jets.distance))
      break;
    *s = next;
  }
  return iterate(p, s);
}

/* ---- What a solution must be -------------------------------------------------------------- */

static bool within_edge(const clp_edge *edge, clp_spot *spot)
{
  const clp_curve *c = &edge->curve;
  double slack = AT_BOUND * (c->hi - c->lo);
  if (c->closed)
    return true;
  double t = clp_curve_parameter(c, clp_spot_curve_site(*spot));
  if (!(t >= c->lo - slack && t <= c->hi + slack))
    return false;
  if (t < c->lo || t > c->hi)
    *spot = clp_spot_on_edge(spot->id, clp_curve_site_at(c, t < c->lo ? c->lo : c->hi));
  return true;
}

/* A length in the domain's coordinates. */
static double extent(const clp_domain *d)
{
  if (d->kind == CLP_DOMAIN_POLYGON)
    return fabs(d->corners[0][0] - d->corners[1][0]) + fabs(d->corners[0][1] - d->corners[1][1]);
  return d->kind == CLP_DOMAIN_DISC ? d->hi[0] : fmin(2, fabs(d->hi[1] - d->lo[1]));
}

/* Whether the spot lies within its feature's bounds; one that is off by rounding is put on them. */
static bool within(const clp_body *body, clp_spot *spot)
{
  if (spot->kind == CLP_VERTEX)
    return true;
  if (spot->kind == CLP_EDGE)
    return within_edge(&body->edges[spot->id], spot);
  const clp_face *face = &body->faces[spot->id];
  int side;
  double margin = clp_domain_margin(&face->domain, spot->site, &side);
  if (!(margin >= -AT_BOUND * extent(&face->domain)))
    return false;
  if (margin < 0) {
    const double nowhere[2] = {0, 0};
    *spot = clp_spot_move(body, *spot, nowhere, side);
  }
  return true;
}

/* Bodies that are apart have nothing of them between their nearest points. `up` is the z axis of
 * the body's frame: a planar body is to the left of its curves. An open surface has two sides. */
static bool in_front(const clp_body *body, const clp_spot_jet *jet, clp_vec3 up, clp_vec3 d)
{
  if (jet->freedoms == 1 && body->info.planar)
    return clp_dot(d, clp_cross(jet->t[0], up)) >= 0;
  return jet->freedoms < 2 || !body->info.closed || clp_dot(d, jet->normal) >= 0;
}

typedef struct verdict {
  bool inside, minimum;
} verdict;

static verdict judge(const clp_newton_pair *p, state *s)
{
  const clp_couple *c = p->couple;
  const clp_vec3 up = {0, 0, 1};
  verdict v = {.inside = within(c->a, &s->spots.a) && within(c->b, &s->spots.b)};
  v.minimum = clp_system_softest(&s->system, NULL) >= -FLAT &&
              in_front(c->a, &s->jets.a, up, s->jets.d) &&
              in_front(c->b, &s->jets.b, c->X_AB.rotation.z, clp_negate(s->jets.d));
  return v;
}

/* ---- Restarts ----------------------------------------------------------------------------- */

/* The place half a turn away on a feature that turns about an axis; on a closed quadric the one
 * opposite. */
static bool opposite(const clp_body *body, clp_spot *spot)
{
  double *c = spot->site.c;
  if (spot->kind == CLP_EDGE && body->edges[spot->id].curve.kind == CLP_CURVE_ELLIPSE) {
    c[0] = -c[0];
    c[1] = -c[1];
    return true;
  }
  return spot->kind == CLP_FACE &&
         clp_surface_opposite(&body->faces[spot->id].surface, &spot->site);
}

/* Downhill on either side of a saddle or a maximum, along its softest direction. */
static bool leave_saddle(clp_newton_pair *p, state *s, int sign)
{
  double x[4] = {0, 0, 0, 0};
  if (clp_system_softest(&s->system, x) >= -FLAT)
    return false;
  double length = sign * 0.1 * s->jets.distance;
  for (int k = 0; k < HALVINGS_MAX; ++k, length *= 0.5) {
    double y[4];
    for (int i = 0; i < 4; ++i)
      y[i] = length * x[i];
    clp_spots spots = moved(p, &s->spots, y);
    state next = state_at(p, &spots);
    if (next.jets.distance < s->jets.distance) {
      *s = next;
      return go_down(p, s);
    }
  }
  return false;
}

/* The best so far within the bounds. */
typedef struct best {
  double distance;
  clp_spots spots;
  bool minimum;
} best;

static bool consider(const clp_newton_pair *p, state *s, best *b)
{
  verdict v = judge(p, s);
  if (v.inside && s->jets.distance < b->distance)
    *b = (best){s->jets.distance, s->spots, v.minimum};
  return v.inside && v.minimum;
}

static bool try_opposite(clp_newton_pair *p, const state *from, best *b)
{
  for (int k = 1; k < 4; ++k) {
    clp_spots spots = from->spots;
    if ((k & 1 && !opposite(p->couple->a, &spots.a)) ||
        (k & 2 && !opposite(p->couple->b, &spots.b)))
      continue;
    state s = state_at(p, &spots);
    p->restarts++;
    if (iterate(p, &s) && consider(p, &s, b))
      return true;
  }
  return false;
}

static bool try_downhill(clp_newton_pair *p, const state *from, best *b)
{
  bool found = false;
  for (int sign = -1; sign <= 1; sign += 2) {
    state s = *from;
    p->restarts++;
    if (leave_saddle(p, &s, sign) && consider(p, &s, b))
      found = true;
  }
  return found;
}

/* Planes and lines have no other stationary points than the one that Newton finds. */
static bool is_flat(const clp_spot_jet *jet)
{
  const clp_vec3 *tt = jet->tt;
  return clp_norm2(tt[0]) + clp_norm2(tt[1]) + clp_norm2(tt[2]) == 0;
}

bool clp_newton_pair_solve(clp_newton_pair *p, clp_spots *spots, double *distance)
{
  const state start = state_at(p, spots);
  state s = start;
  best b = {.distance = HUGE_VAL};
  bool stationary = iterate(p, &s), found = stationary && consider(p, &s, &b);
  if (!found && stationary && !judge(p, &s).minimum)
    found = try_opposite(p, &s, &b) || try_downhill(p, &s, &b);
  if (!found && !(is_flat(&start.jets.a) && is_flat(&start.jets.b))) {
    s = start;
    p->restarts++;
    found = go_down(p, &s) && consider(p, &s, &b);
  }
  *distance = b.distance;
  *spots = b.spots;
  return found && b.minimum;
}
