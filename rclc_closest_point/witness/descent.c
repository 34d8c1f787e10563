/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/descent.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/walk.h"
#include "rclc_closest_point/witness/automaton.h"

/* How a step is shortened, and how often: what has not led down after twelve times will not. */
#define SHORTEN 0.4
#define SHORTEN_MAX 12

/* Of a cycle's step along a valley's floor. */
#define CYCLE_SLIDES 2

/* What a step takes where it is as simple as can be. */
#define STEP_EFFORT (2 * CLP_EFFORT_JETS + CLP_EFFORT_STEP + 2 * CLP_EFFORT_TRIAL)

/* What one along a valley's floor takes that meets no border and leads nearer at once: twice down
 * the walls, the floor, and the end. */
#define SLIDE_EFFORT \
  (2 * WALLS * CLP_EFFORT_WALL + 2 * CLP_EFFORT_JETS + CLP_EFFORT_FLOOR + CLP_EFFORT_TRIAL)

/* Hops over smooth seams in a row: more would mean running in circles round a pole. */
#define HOPS_MAX 4

/* The distance is the residual's square away from its minimum: below the first of these there is
 * so little to gain that rounding may hide it, below the second there is nothing. */
#define NEARLY_THERE 1e-5
#define THERE 1e-7

/* The last digits of a surface that is part of a large one, a flat arc about a far center, are
 * rounding of larger numbers than the distance's: up to this of the size. */
#define BLURRED 1e-12

/* Witnesses look at each other this straight, as a residual, in a valley of the distance. Where it
 * bends a step along it leaves some of 1e-2, and other steps than along its floor only creep. */
#define LEVEL 3e-2

/* Steps down a valley's walls after one along its floor. */
#define WALLS 2

/* Borders that a step along a floor may have to stay on, both witnesses' and once more; and what of
 * a step, before it meets one, is worth making without it. */
#define BORDERS 3
#define LONG_ENOUGH 0.1

/* Steps in a row that lead nowhere. At a pole four do before one leads on: they turn the parameters
 * and nothing else. */
#define IDLE_MAX 8

/* Tangents in a corner whose sine is no larger are parallel: the face goes on across both. */
#define PARALLEL 1e-6

/* A step that a bound ends this early may be too short to gain anything but the bound. */
#define NEAR_BOUND 1e-3

/* A step below this part of the way to a bound means that the bound blocks it at once. */
#define BLOCKED 1e-14

clp_couple clp_couple_make(const clp_body *a, const clp_body *b, const clp_pose *X_WA,
                           const clp_pose *X_WB)
{
  return (clp_couple){a,
                      b,
                      clp_pose_between(X_WA, X_WB),
                      fmax(a->radius + clp_norm(a->center), b->radius + clp_norm(b->center)),
                      a->info.slack + b->info.slack,
                      a->blur + b->blur,
                      NULL,
                      NULL};
}

/* Every comparison is false for what is not a number. */
bool clp_couple_is_rigid(const clp_couple *couple)
{
  const clp_mat3 *r = &couple->X_AB.rotation;
  clp_vec3 off = clp_sub(clp_cross(r->x, r->y), r->z);
  return fabs(clp_norm2(r->x) - 1) <= CLP_TOLERANCE_RIGID &&
         fabs(clp_norm2(r->y) - 1) <= CLP_TOLERANCE_RIGID &&
         fabs(clp_dot(r->x, r->y)) <= CLP_TOLERANCE_RIGID && clp_norm(off) <= CLP_TOLERANCE_RIGID &&
         clp_norm(couple->X_AB.position) <= CLP_LARGEST_COORDINATE;
}

typedef struct descent_work {
  const clp_couple *couple;
  clp_spots *spots;
  clp_couple_jets jets;
  double residual;
  clp_event_log *log;
  int transitions, hops;
  bool put_off; /* what would be the step takes more than there is left */
} descent_work;

static void measure(descent_work *w)
{
  clp_spend(w->couple->effort, CLP_EFFORT_JETS);
  w->jets =
      clp_couple_jets_at(w->couple->a, w->spots->a, w->couple->b, w->spots->b, &w->couple->X_AB);
}

double clp_couple_distance(const clp_couple *couple, const clp_spots *spots)
{
  clp_vec3 p = clp_spot_point(couple->a, spots->a);
  clp_vec3 q = clp_transform(couple->X_AB, clp_spot_point(couple->b, spots->b));
  return clp_distance(p, q);
}

static double distance_at(const clp_couple *couple, const clp_spots *spots)
{
  clp_spend(couple->effort, CLP_EFFORT_TRIAL);
  return clp_couple_distance(couple, spots);
}

/* What rounding can do to a distance. */
static double rounding(const clp_couple *c, const clp_couple_jets *jets)
{
  return CLP_ROUNDING_ONCE * (c->size + jets->distance + clp_norm(jets->a.p));
}

/* Whether the step may be one that takes as much. */
static bool may_take(descent_work *w, int cost)
{
  w->put_off = w->put_off || !clp_affords(w->couple->effort, cost);
  return !w->put_off;
}

/* ---- Features ----------------------------------------------------------------------------- */

static void change(descent_work *w, int which, clp_spot to)
{
  clp_spot *spot = which == 0 ? &w->spots->a : &w->spots->b;
  clp_event_log *log = w->log;
  if (log && log->count < log->capacity)
    log->events[log->count] = (clp_event){which, *spot, to, w->jets.distance};
  if (log)
    log->count++;
  *spot = to;
  w->transitions++;
  clp_spend(w->couple->effort, CLP_EFFORT_CHANGE);
}

/* Lets both witnesses find the features they belong to, at the points where they are. */
static bool settle(descent_work *w)
{
  const clp_couple *c = w->couple;
  clp_vec3 n = clp_scale(1 / w->jets.distance, w->jets.d);
  clp_vec3 n_B = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  bool changed = false;
  clp_spot next;
  clp_spend(c->effort, clp_transition_effort(c->a, &w->spots->a));
  clp_spend(c->effort, clp_transition_effort(c->b, &w->spots->b));
  for (int k = 0; k < CLP_SETTLE_MAX && clp_transition(c->a, w->spots->a, n, &next); ++k) {
    change(w, 0, next);
    changed = true;
  }
  for (int k = 0; k < CLP_SETTLE_MAX && clp_transition(c->b, w->spots->b, n_B, &next); ++k) {
    change(w, 1, next);
    changed = true;
  }
  return changed;
}

/* ---- Corners with parallel sides ---------------------------------------------------------- */

/* In a corner whose two sides start along one line (a disc written as one patch has four) no step
 * of first order enters the face. Along (a, b) = (+-|v|, +-|u|), which cancels the first order, the
 * point moves by q s^2 / 2 with q = uu a^2 + 2 uv a b + vv b^2: so far that this reaches what d
 * asks for inwards. False where d asks for nothing. */
static bool enter_corner(const clp_body *body, clp_spot spot, clp_vec3 d, clp_spot *inside)
{
  const clp_face *face = &body->faces[spot.id];
  const clp_domain *domain = &face->domain;
  if (spot.kind != CLP_FACE || domain->kind != CLP_DOMAIN_RECTANGLE)
    return false;
  const double *c = spot.site.c;
  bool on_u = c[0] == domain->lo[0] || c[0] == domain->hi[0];
  bool on_v = c[1] == domain->lo[1] || c[1] == domain->hi[1];
  if (!on_u || !on_v)
    return false;
  clp_jet jet = clp_surface_jet(&face->surface, spot.site);
  double u = clp_norm(jet.u), v = clp_norm(jet.v);
  if (u == 0 || v == 0 || clp_norm(clp_cross(jet.u, jet.v)) > PARALLEL * u * v)
    return false;
  double a = (c[0] == domain->lo[0] ? v : -v) / fmax(u, v);
  double b = (c[1] == domain->lo[1] ? u : -u) / fmax(u, v);
  clp_vec3 q = clp_add_scaled(clp_scale(a * a, jet.uu), 2 * a * b, jet.uv);
  q = clp_add_scaled(q, b * b, jet.vv);
  clp_vec3 normal = clp_surface_normal(&face->surface, domain, spot.site);
  clp_vec3 along = clp_unit(jet.u);
  q = clp_add_scaled(q, -clp_dot(q, normal), normal);
  q = clp_add_scaled(q, -clp_dot(q, along), along);
  double bend = clp_norm(q), wanted = bend > 0 ? clp_dot(q, d) / bend : 0;
  if (wanted <= 0)
    return false;
  double reach = 0.4 * fmin(domain->hi[0] - domain->lo[0], domain->hi[1] - domain->lo[1]);
  double s = fmin(reach, sqrt(wanted / bend));
  *inside = spot;
  inside->site.c[0] = fmin(domain->hi[0], fmax(domain->lo[0], c[0] + s * a));
  inside->site.c[1] = fmin(domain->hi[1], fmax(domain->lo[1], c[1] + s * b));
  return true;
}

static bool enter_corners(descent_work *w)
{
  const clp_couple *c = w->couple;
  clp_vec3 d_B = clp_negate(clp_rotate_back(c->X_AB.rotation, w->jets.d));
  for (int which = 0; which < 2; ++which) {
    const clp_body *body = which == 0 ? c->a : c->b;
    clp_vec3 d = which == 0 ? w->jets.d : d_B;
    for (int k = 0; k < 24; ++k) {
      clp_spots trial = *w->spots;
      clp_spot *spot = which == 0 ? &trial.a : &trial.b;
      if (!enter_corner(body, *spot, d, spot))
        break;
      if (distance_at(c, &trial) < w->jets.distance) {
        *w->spots = trial;
        return true;
      }
      d = clp_scale(0.5, d);
    }
  }
  return false;
}

/* ---- Steps -------------------------------------------------------------------------------- */

/* What bounds a step: the smaller of both bodies' fractions, so that they stay in step. */
typedef struct bounds {
  double fraction;
  int side[2]; /* bound met on A, on B; -1 where the other body stopped the step first */
} bounds;

static bounds common_bounds(const clp_couple *c, const clp_spots *spots, const double *x)
{
  bounds k;
  double fa = clp_spot_fraction(c->a, spots->a, x, &k.side[0]);
  double fb = clp_spot_fraction(c->b, spots->b, x + 2 - (int)spots->a.kind, &k.side[1]);
  k.fraction = fmin(fa, fb);
  if (fa > k.fraction)
    k.side[0] = -1;
  if (fb > k.fraction)
    k.side[1] = -1;
  return k;
}

static clp_spots moved(const clp_couple *c, const clp_spots *spots, const double *x, double length,
                       const bounds *k)
{
  double y[4] = {0, 0, 0, 0};
  int first = 2 - (int)spots->a.kind, count = first + 2 - (int)spots->b.kind;
  double f = fmin(length, k->fraction);
  bool at_bound = length >= k->fraction;
  for (int i = 0; i < count; ++i)
    y[i] = f * x[i];
  return (clp_spots){clp_spot_move(c->a, spots->a, y, at_bound ? k->side[0] : -1),
                     clp_spot_move(c->b, spots->b, y + first, at_bound ? k->side[1] : -1)};
}

bool clp_descend_to_bound(const clp_couple *c, clp_spots *spots)
{
  double x[4];
  clp_spend(c->effort, CLP_EFFORT_JETS + CLP_EFFORT_STEP);
  clp_couple_jets jets = clp_couple_jets_at(c->a, spots->a, c->b, spots->b, &c->X_AB);
  clp_system s = clp_system_assemble(&jets, c->size);
  if (!clp_system_solve(&s, s.g, x))
    return false;
  bounds met = common_bounds(c, spots, x);
  *spots = moved(c, spots, x, 1, &met);
  return met.fraction >= BLOCKED;
}

/* Next to the solution the residual tells, where the distance is blurred, that a step leads there.
 */
static bool leads_there(const descent_work *w, const clp_spots *trial, double distance)
{
  const clp_couple *c = w->couple;
  if (!(w->residual <= NEARLY_THERE && distance <= w->jets.distance + BLURRED * c->size))
    return false;
  clp_spend(c->effort, CLP_EFFORT_JETS);
  clp_couple_jets there = clp_couple_jets_at(c->a, trial->a, c->b, trial->b, &c->X_AB);
  return clp_couple_jets_residual(&there) < 0.5 * w->residual;
}

/* The step x, shortened at most so often until it does not lead away; far from the solution until
 * it leads closer, for at a pole there are steps that change the parameters and nothing else. */
static bool try_step(descent_work *w, const double *x, double length, int shortened)
{
  const clp_couple *c = w->couple;
  double noise = rounding(c, &w->jets);
  bounds k = common_bounds(c, w->spots, x);
  bool must_gain = w->residual > NEARLY_THERE && k.fraction > NEAR_BOUND;
  double allowed = w->jets.distance + (must_gain ? -noise : noise);
  for (int i = 0; i <= shortened && may_take(w, CLP_EFFORT_TRIAL); ++i, length *= SHORTEN) {
    clp_spots trial = moved(c, w->spots, x, length, &k);
    double distance = distance_at(c, &trial);
    if (distance <= allowed || leads_there(w, &trial, distance)) {
      *w->spots = trial;
      return true;
    }
  }
  return false;
}

/* A Newton step that a smooth seam blocks at once goes on behind the seam. */
static bool hop_over_seam(descent_work *w, const bounds *k)
{
  const clp_couple *c = w->couple;
  clp_spot next;
  if (w->hops >= HOPS_MAX)
    return false;
  for (int side = 0; side < 2; ++side) {
    clp_spot spot = side == 0 ? w->spots->a : w->spots->b;
    if (clp_hop(side == 0 ? c->a : c->b, spot, k->side[side], &next)) {
      change(w, side, next);
      w->hops++;
      return true;
    }
  }
  return false;
}

typedef enum stride { STRIDE_MADE, STRIDE_HOPPED, STRIDE_NONE } stride;

/* The unknowns that one body keeps at its bound: those along a side, none at an edge's end. */
static void keep_free(clp_restriction *m, const clp_body *body, clp_spot spot, int first, int side)
{
  int freedoms = 2 - (int)spot.kind;
  double along[2];
  if (side >= 0 && freedoms == 2) {
    clp_side_along(body, spot, side, along);
    m->column[m->count][first] = along[0];
    m->column[m->count++][first + 1] = along[1];
  } else if (side < 0) {
    for (int k = 0; k < freedoms; ++k)
      m->column[m->count++][first + k] = 1;
  }
}

/* The Newton step of the unknowns that the bounds met leave free. A bound that stops this step at
 * once in turn is added, until the step gets away or nothing is free: at most one bound a
 * freedom. */
static bool bounded_newton(const clp_couple *c, const clp_spots *spots, const clp_system *s,
                           const bounds *met, double *x)
{
  int side[2] = {met->side[0], met->side[1]};
  int freedoms_a = 2 - (int)spots->a.kind;
  for (int k = 0; k < 4; ++k) {
    clp_spend(c->effort, CLP_EFFORT_BOUNDED);
    clp_restriction m = {0};
    double y[4];
    keep_free(&m, c->a, spots->a, 0, side[0]);
    keep_free(&m, c->b, spots->b, freedoms_a, side[1]);
    clp_system r = clp_system_restrict(s, &m);
    if (m.count == 0 ||
        !(clp_system_solve(&r, r.g, y) || clp_system_solve_semidefinite(&r, r.g, y)))
      return false;
    clp_restriction_expand(&m, s->count, y, x);
    bounds next = common_bounds(c, spots, x);
    if (next.fraction >= BLOCKED)
      return true;
    if ((next.side[0] >= 0 && side[0] >= 0) || (next.side[1] >= 0 && side[1] >= 0))
      return false; /* two sides of one face: its corner, where only the switching step goes on */
    side[0] = next.side[0] >= 0 ? next.side[0] : side[0];
    side[1] = next.side[1] >= 0 ? next.side[1] : side[1];
  }
  return false;
}

/* A slope that is less, as a length, is none: where the descent ends. */
static double quiet(const descent_work *w)
{
  return fmax(CLP_DESCENT_TOLERANCE * w->jets.distance, rounding(w->couple, &w->jets));
}

static bool is_straight(const clp_spot_jet *jet)
{
  double bend = 0;
  for (int k = 0; k < 3 && jet->freedoms > 0; k += jet->freedoms == 2 ? 1 : 3)
    bend += clp_norm2(jet->tt[k]);
  return bend == 0;
}

/* Down the walls of a valley, from a place on its floor that is straight where the valley is not.
 */
static clp_spots down_the_walls(const clp_couple *c, clp_spots spots)
{
  for (int k = 0; k < WALLS; ++k) {
    double x[4];
    clp_spend(c->effort, CLP_EFFORT_WALL);
    clp_couple_jets jets = clp_couple_jets_at(c->a, spots.a, c->b, spots.b, &c->X_AB);
    clp_system s = clp_system_assemble(&jets, c->size);
    if (!clp_system_solve_steep(&s, s.g, x))
      break;
    bounds met = common_bounds(c, &spots, x);
    spots = moved(c, &spots, x, 1, &met);
    if (is_straight(&jets.a) && is_straight(&jets.b)) /* one step is all the way */
      break;
  }
  return spots;
}

/* What there is of a valley's floor: where it starts, the features that witnesses on borders go on
 * with, which way it leads, and how far. */
typedef struct valley {
  clp_spots walls, floor;
  double x[4];
  bounds bounds;
} valley;

/* A witness on the border of its face that the floor leads beyond goes on along the border: in a
 * straight line it would get nowhere where that is curved. Smooth ones own no place to stay at. */
static bool stay_on_border(const clp_couple *c, valley *v)
{
  bool found = false;
  for (int side = 0; side < 2; ++side) {
    clp_spot *spot = side == 0 ? &v->floor.a : &v->floor.b;
    const clp_body *body = side == 0 ? c->a : c->b;
    clp_spot lowest = clp_lowest_feature(body, *spot);
    if (v->bounds.side[side] < 0 || spot->kind != CLP_FACE || lowest.kind != CLP_EDGE ||
        clp_edge_is_smooth(&body->edges[lowest.id]))
      continue;
    *spot = lowest;
    found = true;
  }
  return found;
}

static bool is_at_seam(const clp_couple *c, const valley *v)
{
  clp_spot behind;
  return clp_hop(c->a, v->floor.a, v->bounds.side[0], &behind) ||
         clp_hop(c->b, v->floor.b, v->bounds.side[1], &behind);
}

static bool find_floor(const descent_work *w, valley *v)
{
  const clp_couple *c = w->couple;
  v->walls = v->floor = down_the_walls(c, *w->spots);
  for (int pass = 0; pass < BORDERS; ++pass) {
    clp_spend(c->effort, CLP_EFFORT_JETS + CLP_EFFORT_FLOOR);
    clp_couple_jets jets = clp_couple_jets_at(c->a, v->floor.a, c->b, v->floor.b, &c->X_AB);
    clp_system s = clp_system_assemble(&jets, c->size);
    if (!clp_system_slide(&s, s.g, quiet(w), 2 * c->size, v->x))
      return false;
    v->bounds = common_bounds(c, &v->floor, v->x);
    if (v->bounds.fraction >= LONG_ENOUGH)
      return true;
    if (clp_is_spent(c->effort))
      return false;
    if (stay_on_border(c, v))
      continue;
    if (v->bounds.fraction < BLOCKED && is_at_seam(c, v))
      return true;
    bool free = v->bounds.fraction >= BLOCKED || bounded_newton(c, &v->floor, &s, &v->bounds, v->x);
    v->bounds = common_bounds(c, &v->floor, v->x);
    return free;
  }
  return false;
}

/* The floor's start, whose features may be others, and from there to where it leads. */
static void go_to(descent_work *w, const valley *v, clp_spots there)
{
  *w->spots = v->walls;
  measure(w);
  if (!clp_spot_same_feature(&v->walls.a, &v->floor.a))
    change(w, 0, v->floor.a);
  if (!clp_spot_same_feature(&v->walls.b, &v->floor.b))
    change(w, 1, v->floor.b);
  *w->spots = there;
}

/* A floor that ends at a smooth seam goes on behind it; rounding may hide what is gained before. */
static stride hop_from_floor(descent_work *w, const valley *v)
{
  const double most = w->jets.distance + rounding(w->couple, &w->jets);
  if (w->hops >= HOPS_MAX || distance_at(w->couple, &v->floor) > most)
    return STRIDE_NONE;
  go_to(w, v, v->floor);
  return hop_over_seam(w, &v->bounds) ? STRIDE_HOPPED : STRIDE_MADE;
}

/* Along a valley's floor, shortened until it leads down. Mostly the first one does; a cycle does
 * not creep, for there farthest points find what is left. */
static stride slide(descent_work *w)
{
  const clp_couple *c = w->couple;
  const int most = c->effort ? CYCLE_SLIDES : SHORTEN_MAX;
  double length = 1;
  valley v;
  if (w->residual > LEVEL || !may_take(w, SLIDE_EFFORT) || !find_floor(w, &v))
    return STRIDE_NONE;
  if (v.bounds.fraction < BLOCKED)
    return hop_from_floor(w, &v);
  for (int i = 0; i < most && (i == 0 || !clp_is_spent(c->effort)); ++i, length *= SHORTEN) {
    clp_spots trial = down_the_walls(c, moved(c, &v.floor, v.x, length, &v.bounds));
    if (distance_at(c, &trial) < w->jets.distance - rounding(c, &w->jets)) {
      go_to(w, &v, trial);
      return STRIDE_MADE;
    }
  }
  return STRIDE_NONE;
}

/* A witness on the curved border that its straight step would leave: the edge that it is on. */
static bool border_left(const clp_body *body, clp_spot *spot, int side)
{
  if (side < 0 || spot->kind != CLP_FACE ||
      !clp_walk_on_side(&body->faces[spot->id].domain, spot->site, side))
    return false;
  clp_spot lowest = clp_lowest_feature(body, *spot);
  bool on_edge = lowest.kind == CLP_EDGE;
  if (on_edge)
    *spot = lowest;
  return on_edge;
}

/* Along a rim, as a tangent to it, a step on the face behind it ends where it has hardly begun: it
 * is the rim that leads on, also where the face's normals are still those that are wanted. */
static bool follow_border(descent_work *w, const bounds *met, const double *straight)
{
  const clp_couple *c = w->couple;
  clp_spots border = *w->spots;
  double x[4];
  bool left_a = border_left(c->a, &border.a, met->side[0]);
  bool left_b = border_left(c->b, &border.b, met->side[1]);
  if (!left_a && !left_b)
    return false;
  clp_spend(c->effort, CLP_EFFORT_JETS + CLP_EFFORT_STEP);
  clp_couple_jets jets = clp_couple_jets_at(c->a, border.a, c->b, border.b, &c->X_AB);
  clp_system s = clp_system_assemble(&jets, c->size);
  if (!clp_system_solve(&s, s.g, x))
    return false;
  bounds k = common_bounds(c, &border, x);
  clp_spots trial = moved(c, &border, x, 1, &k), chord = moved(c, w->spots, straight, 1, met);
  if (!(distance_at(c, &trial) < fmin(distance_at(c, &chord), w->jets.distance)))
    return false;
  if (left_a)
    change(w, 0, border.a);
  if (left_b)
    change(w, 1, border.b);
  *w->spots = trial;
  return true;
}

/* The Newton step. Where it has to be shortened it may be a valley's floor that is not straight. */
static stride newton(descent_work *w, const clp_system *s, double *x, bool solved)
{
  const clp_couple *c = w->couple;
  bounds k = common_bounds(c, w->spots, x);
  bool free = k.fraction >= BLOCKED;
  if (!free && hop_over_seam(w, &k))
    return STRIDE_HOPPED;
  if (!free && !bounded_newton(c, w->spots, s, &k, x))
    return STRIDE_NONE;
  if ((free && follow_border(w, &k, x)) || try_step(w, x, 1, 0))
    return STRIDE_MADE;
  stride slid = solved ? slide(w) : STRIDE_NONE;
  if (slid != STRIDE_NONE)
    return slid;
  return !w->put_off && try_step(w, x, SHORTEN, SHORTEN_MAX - 2) ? STRIDE_MADE : STRIDE_NONE;
}

static stride take_step(descent_work *w)
{
  const clp_couple *c = w->couple;
  clp_system s = clp_system_assemble(&w->jets, c->size);
  double x[4];
  bool solved = clp_system_solve(&s, s.g, x);
  stride slid = solved ? STRIDE_NONE : slide(w);
  if (slid != STRIDE_NONE)
    return slid;
  if (w->put_off || (!solved && !may_take(w, CLP_EFFORT_SADDLE + CLP_EFFORT_GREATEST)))
    return STRIDE_NONE;
  clp_spend(c->effort, solved ? 0 : CLP_EFFORT_SADDLE);
  if (solved || clp_system_solve_semidefinite(&s, s.g, x)) {
    stride made = newton(w, &s, x, solved);
    if (made != STRIDE_NONE || w->put_off)
      return made;
  }
  clp_system_switching(&s, c->a, w->spots->a, c->b, w->spots->b, x);
  return try_step(w, x, 0.5, SHORTEN_MAX - 1) ? STRIDE_MADE : STRIDE_NONE;
}

/* ---- The descent -------------------------------------------------------------------------- */

/* `up` is the z axis of the body's frame, for the curves of planar bodies: outwards is to the right
 * of the tangent as seen from its tip. */
static bool is_behind(const clp_body *body, clp_spot spot, const clp_spot_jet *jet, clp_vec3 up,
                      clp_vec3 d)
{
  if (spot.kind == CLP_FACE)
    return clp_dot(d, jet->normal) < 0;
  if (spot.kind == CLP_EDGE && body->edges[spot.id].kind == CLP_EDGE_CURVE)
    return clp_dot(d, clp_cross(jet->t[0], up)) < 0;
  return false;
}

static clp_descent_end judge(const descent_work *w)
{
  const clp_couple *c = w->couple;
  const clp_vec3 up = {0, 0, 1};
  bool behind = is_behind(c->a, w->spots->a, &w->jets.a, up, w->jets.d) ||
                is_behind(c->b, w->spots->b, &w->jets.b, c->X_AB.rotation.z, clp_negate(w->jets.d));
  return behind ? CLP_DESCENT_BEHIND : CLP_DESCENT_CONVERGED;
}

/* Where no step is made: there is none, or not enough left to find one. */
static clp_descent_end stop(const descent_work *w)
{
  if (w->put_off)
    return CLP_DESCENT_BUDGET;
  return w->residual < THERE ? judge(w) : CLP_DESCENT_STALLED;
}

static clp_descent finish(const descent_work *w, clp_descent_end end, int iterations)
{
  return (clp_descent){end, iterations, w->transitions, w->jets};
}

/* Whether a step has led nowhere: neither nearer nor, where rounding hides that, to a smaller
 * residual. On a side that the other witness is beyond by less than a change of features asks for,
 * steps go on to do so for ever. */
static bool is_idle(const descent_work *w, double distance, double residual)
{
  return w->jets.distance >= distance - rounding(w->couple, &w->jets) &&
         clp_couple_jets_residual(&w->jets) > 0.5 * residual;
}

clp_descent clp_descend(const clp_couple *couple, clp_spots *spots, int budget, double tolerance,
                        clp_event_log *log)
{
  descent_work w = {.couple = couple, .spots = spots, .log = log};
  int idle = 0, k = 0;
  measure(&w);
  for (; k < budget && clp_affords(couple->effort, STEP_EFFORT); ++k) {
    clp_spend(couple->effort, CLP_EFFORT_STEP);
    if (w.jets.distance < CLP_DESCENT_TOUCHING * couple->size)
      return finish(&w, CLP_DESCENT_TOUCH, k);
    bool changed = settle(&w);
    if (changed)
      measure(&w);
    w.residual = clp_couple_jets_residual(&w.jets);
    bool still = w.residual <= fmax(tolerance, rounding(couple, &w.jets) / w.jets.distance);
    if (still && !changed)
      return finish(&w, judge(&w), k);
    if (still)
      continue; /* the features must be settled too */
    double distance = w.jets.distance;
    bool entered = enter_corners(&w);
    if (!entered) {
      stride made = take_step(&w);
      if (made == STRIDE_NONE)
        return finish(&w, stop(&w), k);
      if (made == STRIDE_MADE)
        w.hops = 0;
    }
    measure(&w);
    idle = !changed && is_idle(&w, distance, w.residual) ? idle + 1 : 0;
    if (idle == IDLE_MAX)
      return finish(&w, stop(&w), k + 1);
  }
  return finish(&w, CLP_DESCENT_BUDGET, k);
}
