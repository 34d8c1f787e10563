/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/track/flat.h"
#include "rclc_closest_point/track/pair.h"

/* Iterations of one descent from afar; convergence takes about ten, and rarely fifty. Of bodies
 * that overlap a descent does not end, so that it is first asked whether they do. */
#define FIRST_BUDGET 20
#define FAR_BUDGET 120

/* Starts that are tried before the pair counts as not separated. */
#define STARTS 6

/* Restarts within one start, when a witness ends up behind the other's face. */
#define TURNS 3

/* Starting places are taken from at most this many vertices and as many faces. */
#define LOOK_AT 2048

typedef struct ranked {
  double value;
  clp_spot spot;
} ranked;

enum { RANKS = STARTS };

typedef struct ranking {
  ranked best[RANKS]; /* best first */
  int count;
} ranking;

static void rank(ranking *r, double value, clp_spot spot)
{
  int k = r->count < RANKS ? r->count++ : RANKS;
  for (; k > 0 && r->best[k - 1].value < value; --k)
    if (k < RANKS)
      r->best[k] = r->best[k - 1];
  if (k < RANKS)
    r->best[k] = (ranked){value, spot};
}

/* The sites of a face that are looked at: its middle, and all round where it goes round. */
static int face_sites(const clp_face *face, clp_site sites[6])
{
  static const double round[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  sites[0] = clp_domain_middle(&face->surface, &face->domain);
  if (face->domain.kind != CLP_DOMAIN_BAND && face->domain.kind != CLP_DOMAIN_WHOLE)
    return 1;
  bool ellipsoid = face->surface.kind == CLP_SURFACE_ELLIPSOID;
  double z = sites[0].c[2], across = ellipsoid ? sqrt(fmax(0, 1 - z * z)) : 1;
  for (int k = 0; k < 4; ++k)
    sites[k] = (clp_site){{across * round[k][0], across * round[k][1], z}};
  if (face->domain.kind == CLP_DOMAIN_BAND)
    return 4;
  sites[4] = (clp_site){{0, 0, 1}};
  sites[5] = (clp_site){{0, 0, -1}};
  return 6;
}

clp_spot clp_start_spot(const clp_body *body, clp_vec3 n, int skip)
{
  ranking r = {.count = 0};
  uint32_t step = body->face_count / LOOK_AT + 1;
  for (uint32_t k = 0; k < body->face_count; k += step) {
    clp_site sites[6];
    for (int i = face_sites(&body->faces[k], sites) - 1; i >= 0; --i)
      rank(&r, clp_dot(n, clp_surface_point(&body->faces[k].surface, sites[i])),
           clp_spot_on_face(k, sites[i]));
  }
  step = body->vertex_count / LOOK_AT + 1;
  for (uint32_t k = 0; k < body->vertex_count; k += step)
    rank(&r, clp_dot(n, body->vertices[k].place), clp_spot_on_vertex(k));
  for (uint32_t k = 0; body->info.planar && k < body->edge_count; ++k) {
    clp_curve_site middle = clp_edge_fraction(&body->edges[k], 0.5);
    rank(&r, clp_dot(n, clp_curve_point(&body->edges[k].curve, middle)),
         clp_spot_on_edge(k, middle));
  }
  return r.best[skip < r.count ? skip : r.count - 1].spot;
}

/* ---- One place ---------------------------------------------------------------------------- */

/* A's outward normal: the direction that proved the bound. */
static clp_vec3 normal_of(const clp_sight *sight, const clp_certificate *certificate)
{
  return certificate->lower > -HUGE_VAL ? certificate->normal : clp_unit(sight->d);
}

void clp_pair_view_turn(clp_pair_view *view, double width)
{
  clp_vec3 d = clp_sub(view->h, view->f);
  if (clp_norm(clp_add_scaled(d, -view->distance, view->normal)) > 0.1 * width)
    view->normal = clp_unit(d);
}

static void show(clp_pair_view *view, const clp_couple *couple, const clp_spots *spots,
                 const clp_descent *descent, const clp_certificate *certificate)
{
  const clp_sight *sight = &descent->sight;
  view->distance = sight->distance;
  view->lower = fmin(certificate->lower, sight->distance);
  view->f = sight->a.p;
  view->h = sight->b.p;
  view->normal = normal_of(sight, certificate);
  view->spread = clp_spread(couple, spots, view->normal);
}

bool clp_settle_outside(clp_pair *pair, const clp_couple *couple, double width, int budget,
                        clp_pair_view *view, clp_descent_end *end)
{
  clp_descent descent = clp_descend(couple, &pair->spots, budget, 1e-12, &pair->log);
  clp_certificate certificate =
      clp_certify(couple, &pair->spots, &descent.sight, descent.sight.distance - 0.01 * width);
  view->steps += descent.iterations;
  *end = descent.end;
  show(view, couple, &pair->spots, &descent, &certificate);
  clp_pair_view_turn(view, width);
  bool proven = view->distance - view->lower <= width && *end == CLP_DESCENT_CONVERGED;
  view->status = proven ? CLP_TRACKING : CLP_CONVERGING;
  return view->status == CLP_TRACKING;
}

/* ---- From scratch ------------------------------------------------------------------------- */

/* A witness that looks at the other from behind starts again on the side that faces it. */
static void turn_round(clp_pair *pair, const clp_couple *couple, const clp_pair_view *view,
                       int skip)
{
  clp_vec3 d = clp_sub(view->h, view->f);
  pair->spots.a = clp_start_spot(pair->a, d, skip);
  pair->spots.b =
      clp_start_spot(pair->b, clp_negate(clp_rotate_back(couple->X_AB.rotation, d)), skip);
}

/* One start, turned round while a witness ends up behind; keeps the best of what it saw. */
typedef enum try_end { TRY_PROVEN, TRY_FAILED, TRY_TOUCH } try_end;

static try_end try_start(clp_pair *pair, const clp_couple *couple, double width, int start,
                         int budget, clp_pair_view *best, clp_spots *best_spots)
{
  clp_pair_view view = *best;
  view.f = pair->a->center;
  view.h = clp_transform(couple->X_AB, pair->b->center);
  for (int turn = 0; turn < TURNS; ++turn) {
    clp_descent_end end;
    turn_round(pair, couple, &view, start);
    bool proven = clp_settle_outside(pair, couple, width, budget, &view, &end);
    double lower = fmax(best->lower, view.lower);
    if (proven || view.distance < best->distance) {
      *best = view;
      *best_spots = pair->spots;
    }
    best->lower = lower;
    best->steps = view.steps;
    if (proven)
      return TRY_PROVEN;
    if (end == CLP_DESCENT_TOUCH)
      return TRY_TOUCH;
    if (end != CLP_DESCENT_BEHIND && end != CLP_DESCENT_STALLED)
      break;
  }
  return TRY_FAILED;
}

bool clp_acquire(clp_pair *pair, const clp_couple *couple, double width, clp_pair_view *view)
{
  clp_spots spots = pair->spots;
  view->distance = HUGE_VAL;
  view->lower = -HUGE_VAL;
  try_end end = try_start(pair, couple, width, 0, FIRST_BUDGET, view, &spots);
  pair->spots = spots;
  return end == TRY_PROVEN;
}

bool clp_acquire_again(clp_pair *pair, const clp_couple *couple, double width, clp_pair_view *view)
{
  clp_spots spots = pair->spots;
  try_end end = TRY_FAILED;
  for (int start = 0; start < STARTS && end == TRY_FAILED; ++start)
    end = try_start(pair, couple, width, start, FAR_BUDGET, view, &spots);
  pair->spots = spots;
  return end == TRY_PROVEN;
}
