/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/controller_newton.h"

#include <stdlib.h>

#include "rclc_closest_point/control/newton_pair.h"
#include "rclc_closest_point/control/sampling.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/bounds.h"

/* Features are numbered faces first, then edges, then vertices. */

/* Places on a feature where a search may start: along a face's two directions, along an edge. */
enum { FACE_PLACES = 5, EDGE_PLACES = 17 };

/* What is known of one pair of features. */
typedef struct record {
  clp_site a, b;  /* where the last search ended */
  uint32_t cycle; /* in which it was looked at */
  bool known;
} record;

typedef struct ball {
  clp_vec3 center;
  double radius;
} ball;

typedef struct party {
  const clp_body *body;
  uint32_t count;   /* features */
  uint32_t *first;  /* of each feature's places; one more */
  clp_vec3 *places; /* in A's frame */
  clp_vec3 *own;    /* in the body's */
  ball *balls;      /* that hold the features, in the body's frame */
} party;

struct clp_newton {
  party a, b;
  record *records; /* a.count times b.count */
  uint32_t cycle;
  clp_spots answer; /* of the last call */
  bool answered;
};

/* ---- Features ----------------------------------------------------------------------------- */

static clp_feature_kind kind_of(const clp_body *body, uint32_t feature)
{
  if (feature < body->face_count)
    return CLP_FACE;
  return feature < body->face_count + body->edge_count ? CLP_EDGE : CLP_VERTEX;
}

static uint32_t id_of(const clp_body *body, uint32_t feature)
{
  if (feature < body->face_count)
    return feature;
  feature -= body->face_count;
  return feature < body->edge_count ? feature : feature - body->edge_count;
}

static uint32_t vertex_feature(const clp_body *body, uint32_t vertex)
{
  return body->face_count + body->edge_count + vertex;
}

/* How many features bound this one, at most, and which; CLP_NONE where there is none. */
static uint32_t bound_count(const clp_body *body, uint32_t feature)
{
  switch (kind_of(body, feature)) {
    case CLP_FACE:
      return body->faces[feature].use_count;
    case CLP_EDGE:
      return 2;
    default:
      return 0;
  }
}

static uint32_t bound_of(const clp_body *body, uint32_t feature, uint32_t k)
{
  uint32_t id = id_of(body, feature);
  if (kind_of(body, feature) == CLP_EDGE) {
    uint32_t vertex = body->edges[id].vertex[k];
    return vertex == CLP_NONE ? CLP_NONE : vertex_feature(body, vertex);
  }
  uint32_t edge = body->uses[body->faces[id].first_use + k].edge;
  if (body->edges[edge].kind == CLP_EDGE_COLLAPSED)
    return vertex_feature(body, body->edges[edge].vertex[0]);
  return body->face_count + edge;
}

/* The features that no others bound: faces, a planar body's curves, a point. */
static uint32_t top_count(const clp_body *body)
{
  if (body->face_count > 0)
    return body->face_count;
  return body->edge_count > 0 ? body->edge_count : body->vertex_count;
}

/* ---- Places to start ---------------------------------------------------------------------- */

static uint32_t place_count(clp_feature_kind kind)
{
  switch (kind) {
    case CLP_FACE:
      return FACE_PLACES * FACE_PLACES;
    case CLP_EDGE:
      return EDGE_PLACES;
    default:
      return 1;
  }
}

static clp_spot place_spot(const clp_body *body, uint32_t feature, uint32_t k)
{
  clp_feature_kind kind = kind_of(body, feature);
  uint32_t row = k / FACE_PLACES;
  double x = (k % FACE_PLACES + 0.5) / FACE_PLACES, y = (row + 0.5) / FACE_PLACES;
  if (kind == CLP_EDGE)
    x = (k + 0.5) / EDGE_PLACES;
  return clp_spot_sample(body, kind, id_of(body, feature), x, y);
}

static ball ball_of(const clp_body *body, uint32_t feature)
{
  uint32_t id = id_of(body, feature);
  if (kind_of(body, feature) == CLP_FACE)
    return (ball){body->faces[id].center, body->faces[id].radius};
  if (kind_of(body, feature) == CLP_VERTEX)
    return (ball){body->vertices[id].place, 0};
  clp_box3 box = clp_curve_box(&body->edges[id].curve);
  return (ball){clp_lerp(box.min, box.max, 0.5), 0.5 * clp_distance(box.min, box.max)};
}

static bool prepare(party *s, const clp_body *body)
{
  s->body = body;
  s->count = body->face_count + body->edge_count + body->vertex_count;
  s->first = calloc(s->count + 1, sizeof *s->first);
  if (!s->first)
    return false;
  for (uint32_t k = 0; k < s->count; ++k)
    s->first[k + 1] = s->first[k] + place_count(kind_of(body, k));
  s->own = calloc(s->first[s->count] + 1, sizeof *s->own);
  s->places = calloc(s->first[s->count] + 1, sizeof *s->places);
  s->balls = calloc(s->count + 1, sizeof *s->balls);
  if (!s->own || !s->places || !s->balls)
    return false;
  for (uint32_t k = 0; k < s->count; ++k) {
    s->balls[k] = ball_of(body, k);
    for (uint32_t i = s->first[k]; i < s->first[k + 1]; ++i)
      s->own[i] = clp_spot_point(body, place_spot(body, k, i - s->first[k]));
  }
  return true;
}

static void place(party *s, const clp_pose *X)
{
  for (uint32_t i = 0; i < s->first[s->count]; ++i)
    s->places[i] = clp_transform(*X, s->own[i]);
}

/* The nearest two places of two features. */
static clp_spots nearest_places(const clp_newton *n, uint32_t fa, uint32_t fb)
{
  uint32_t best_a = n->a.first[fa], best_b = n->b.first[fb];
  double best = HUGE_VAL;
  for (uint32_t i = n->a.first[fa]; i < n->a.first[fa + 1]; ++i)
    for (uint32_t j = n->b.first[fb]; j < n->b.first[fb + 1]; ++j) {
      double d2 = clp_norm2(clp_sub(n->a.places[i], n->b.places[j]));
      if (d2 < best) {
        best = d2;
        best_a = i;
        best_b = j;
      }
    }
  return (clp_spots){place_spot(n->a.body, fa, best_a - n->a.first[fa]),
                     place_spot(n->b.body, fb, best_b - n->b.first[fb])};
}

/* ---- Memory ------------------------------------------------------------------------------- */

static void release(party *s)
{
  free(s->first);
  free(s->places);
  free(s->own);
  free(s->balls);
}

void clp_newton_destroy(clp_newton *newton)
{
  if (!newton)
    return;
  release(&newton->a);
  release(&newton->b);
  free(newton->records);
  free(newton);
}

clp_status clp_newton_create(const clp_body *a, const clp_body *b, clp_newton **newton)
{
  size_t of_a = (size_t)a->face_count + a->edge_count + a->vertex_count;
  size_t of_b = (size_t)b->face_count + b->edge_count + b->vertex_count;
  if (of_a * of_b > CLP_NEWTON_MAX_PAIRS)
    return CLP_ERROR_LIMIT;
  clp_newton *n = calloc(1, sizeof *n);
  if (!n)
    return CLP_ERROR_MEMORY;
  n->records = calloc(of_a * of_b, sizeof *n->records);
  if (!prepare(&n->a, a) || !prepare(&n->b, b) || !n->records) {
    clp_newton_destroy(n);
    return CLP_ERROR_MEMORY;
  }
  const clp_pose identity = clp_pose_identity();
  place(&n->a, &identity);
  *newton = n;
  return CLP_OK;
}

/* ---- Top-down ----------------------------------------------------------------------------- */

typedef struct search {
  clp_newton *newton;
  clp_newton_pair pair;
  clp_spots best; /* of all places seen */
  clp_newton_result result;
} search;

static clp_spots start_of(const search *s, const record *r, uint32_t fa, uint32_t fb)
{
  const clp_newton *n = s->newton;
  if (!r->known)
    return nearest_places(n, fa, fb);
  return (clp_spots){{kind_of(n->a.body, fa), id_of(n->a.body, fa), r->a},
                     {kind_of(n->b.body, fb), id_of(n->b.body, fb), r->b}};
}

/* Whether two features, in balls as they are, are farther apart than the bodies. */
static bool is_far(const search *s, uint32_t fa, uint32_t fb)
{
  const ball *a = &s->newton->a.balls[fa], *b = &s->newton->b.balls[fb];
  const clp_couple *c = s->pair.couple;
  double apart = clp_distance(a->center, clp_transform(c->X_AB, b->center));
  return apart - a->radius - b->radius > s->result.distance + 1e-12 * c->size;
}

static void visit(search *s, uint32_t fa, uint32_t fb)
{
  clp_newton *n = s->newton;
  if (fa == CLP_NONE || fb == CLP_NONE || is_far(s, fa, fb))
    return;
  record *r = &n->records[(size_t)fa * n->b.count + fb];
  if (r->cycle == n->cycle)
    return;
  r->cycle = n->cycle;
  s->result.pairs++;
  clp_spots spots = start_of(s, r, fa, fb);
  double distance;
  bool found = clp_newton_pair_solve(&s->pair, &spots, &distance);
  if (distance < s->result.distance) {
    s->result.distance = distance;
    s->best = spots;
  }
  r->known = found;
  if (found) {
    r->a = spots.a.site;
    r->b = spots.b.site;
    return;
  }
  for (uint32_t k = 0; k < bound_count(n->a.body, fa); ++k)
    visit(s, bound_of(n->a.body, fa, k), fb);
  for (uint32_t k = 0; k < bound_count(n->b.body, fb); ++k)
    visit(s, fa, bound_of(n->b.body, fb, k));
}

static clp_newton_result run(search *s, clp_spots *spots)
{
  clp_newton *n = s->newton;
  n->cycle++;
  for (uint32_t i = 0; i < top_count(n->a.body); ++i)
    for (uint32_t j = 0; j < top_count(n->b.body); ++j)
      visit(s, i, j);
  s->result.iterations = s->pair.iterations;
  s->result.restarts = s->pair.restarts;
  n->answered = true;
  *spots = n->answer = s->best;
  return s->result;
}

clp_newton_result clp_newton_query(clp_newton *newton, const clp_couple *couple, clp_spots *spots)
{
  search s = {newton, .pair = {.couple = couple}, .result = {.distance = HUGE_VAL}};
  size_t count = (size_t)newton->a.count * newton->b.count;
  for (size_t k = 0; k < count; ++k)
    newton->records[k].known = false;
  place(&newton->b, &couple->X_AB);
  for (uint32_t i = 0; i < top_count(couple->a); ++i)
    for (uint32_t j = 0; j < top_count(couple->b); ++j) {
      clp_spots nearest = nearest_places(newton, i, j);
      double distance = clp_couple_distance(s.pair.couple, &nearest);
      if (distance < s.result.distance) {
        s.result.distance = distance;
        s.best = nearest;
      }
    }
  return run(&s, spots);
}

clp_newton_result clp_newton_track(clp_newton *newton, const clp_couple *couple, clp_spots *spots)
{
  if (!newton->answered)
    return clp_newton_query(newton, couple, spots);
  search s = {newton, .pair = {.couple = couple}, .best = newton->answer};
  place(&newton->b, &couple->X_AB);
  s.result.distance = clp_couple_distance(s.pair.couple, &s.best);
  return run(&s, spots);
}
