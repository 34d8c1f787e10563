/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes under attack: links come and go and take each other's indices, motions are set in lists of
 * any order, half of them refused, bodies are padded, far away, or everywhere at once. Two scenes
 * are told the same in different ways, and must answer with the same bits; and what they answer is
 * held against closed forms, or against every pair of parts asked alone. */

#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene.h"
#include "support/amount.h"
#include "support/findings.h"
#include "support/holds.h"
#include "support/random.h"
#include "support/suite.h"

enum { LINKS = 14, PAIRS = LINKS * (LINKS - 1) / 2, PARTS = 2, BODIES = 7, GONE = 8 };

static bool one_in(random_state *g, uint64_t n)
{
  return random_bits(g) % n == 0;
}

static int below(random_state *g, int n)
{
  return (int)(random_bits(g) % (uint64_t)n);
}

/* ---- Bodies ------------------------------------------------------------------------------- */

/* A segment, along z and maybe of no length, swept by a ball; or a box. */
typedef struct solid {
  bool is_box;
  double half, radius, reach;
  clp_body *body;
} solid;

static solid solids[BODIES];

static clp_body *make_body(clp_shape shape, clp_vec3 size, double radius, double length,
                           double padding)
{
  clp_body_def def = clp_default_body_def(shape);
  def.size = size;
  def.radius = radius;
  def.length = length;
  def.padding = padding;
  return must_create(&def);
}

static solid make_swept(double half, double radius, double padding)
{
  const clp_shape shape = half > 0 ? CLP_SHAPE_CAPSULE : CLP_SHAPE_SPHERE;
  clp_body *body = make_body(shape, (clp_vec3){1, 1, 1}, radius, 2 * half, padding);
  return (solid){false, half, radius + padding, half + radius + padding, body};
}

static solid make_box(clp_vec3 size, double padding)
{
  clp_body *body = make_body(CLP_SHAPE_BOX, size, 1, 1, padding);
  return (solid){true, 0, padding, 0.5 * clp_norm(size) + padding, body};
}

static void make_solids(void)
{
  solids[0] = make_swept(0, 0.2, 0);
  solids[1] = make_swept(0, 0.1, 0.15);
  solids[2] = make_swept(0.3, 0.1, 0);
  solids[3] = make_swept(0.2, 0.05, 0.1);
  solids[4] = make_box((clp_vec3){0.4, 0.3, 0.2}, 0);
  solids[5] = make_box((clp_vec3){0.2, 0.1, 0.5}, 0.07);
  solids[6] = make_swept(0, 0.02, 0);
}

static void destroy_solids(void)
{
  for (int k = 0; k < BODIES; ++k)
    clp_body_destroy(solids[k].body);
}

/* ---- The world, and two scenes of it ------------------------------------------------------ */

typedef struct thing {
  clp_link_id id;
  bool there, enabled;
  int kind[PARTS], count;
  clp_part parts[PARTS];
  clp_pose X_WL;
} thing;

/* A witness's place, as events name it. */
typedef struct feature {
  int part;
  clp_feature_kind kind;
  uint32_t id;
} feature;

typedef struct couple {
  clp_link_pair_id id;
  bool known; /* where the last answer was: */
  feature on[2];
  bool strayed; /* and one of them was far away then, or has been since */
} couple;

enum { BY_LIST, ONE_BY_ONE, SCENES };

typedef struct world {
  clp_scene *scenes[SCENES];
  clp_scene_options options;
  thing things[LINKS];
  couple couples[LINKS][LINKS];
  clp_link_id gone[GONE]; /* ids of links that have been */
  clp_link_pair_id gone_pairs[GONE];
  uint64_t cycle;
  double size, time;
  clp_pair *alone[BODIES][BODIES];
} world;

/* The chunks of a cycle from the last one to the first: their order must not show. */
static void run_backwards(void *user, void (*job)(void *context, int i), void *context, int count)
{
  (void)user;
  for (int i = count - 1; i >= 0; --i)
    job(context, i);
}

static world make_world(random_state *g)
{
  static const int events[6] = {0, 0, 1, 2, 5, CLP_MAX_EVENTS};
  world w = {.options = clp_default_scene_options(), .size = random_between(g, 0.5, 4)};
  w.options.nearest_only = one_in(g, 3);
  w.options.pair.range = one_in(g, 2) ? random_between(g, 0.1, 2) : 0;
  w.options.max_pairs_per_cycle = one_in(g, 3) ? 1 + below(g, 30) : 0;
  w.options.max_new_per_cycle = one_in(g, 3) ? 1 + below(g, 5) : 0;
  w.options.events = events[below(g, 6)];
  const clp_scene_limits limits = {.links = LINKS,
                                   .parts = LINKS * PARTS,
                                   .pairs = PAIRS,
                                   .part_pairs = PAIRS * PARTS * PARTS,
                                   .tracked = one_in(g, 3) ? 1 + below(g, 60) : 0};
  for (int k = 0; k < SCENES; ++k) {
    clp_scene_options options = w.options;
    options.workers.run = k == ONE_BY_ONE ? run_backwards : NULL;
    ck_assert_int_eq(clp_scene_create(&limits, &options, &w.scenes[k]), CLP_OK);
  }
  for (int a = 0; a < BODIES; ++a)
    for (int b = 0; b < BODIES; ++b)
      ck_assert_int_eq(clp_pair_create(solids[a].body, solids[b].body, NULL, &w.alone[a][b]),
                       CLP_OK);
  return w;
}

static void destroy_world(world *w)
{
  for (int k = 0; k < SCENES; ++k)
    clp_scene_destroy(w->scenes[k]);
  for (int a = 0; a < BODIES; ++a)
    for (int b = 0; b < BODIES; ++b)
      clp_pair_destroy(w->alone[a][b]);
}

/* ---- Coming and going --------------------------------------------------------------------- */

static clp_mat3 random_rotation(random_state *g)
{
  return clp_rotation_about(random_direction(g), random_between(g, -3, 3));
}

static void add_pair(world *w, int a, int b)
{
  couple *c = &w->couples[a][b];
  *c = (couple){.known = false};
  for (int k = 0; k < SCENES; ++k) {
    clp_link_pair_id id;
    HOLDS(clp_scene_add_pair(w->scenes[k], w->things[a].id, w->things[b].id, &id) == CLP_OK);
    HOLDS(k == 0 || memcmp(&id, &c->id, sizeof id) == 0);
    c->id = id;
  }
}

static void add(world *w, int index, random_state *g)
{
  thing *t = &w->things[index];
  *t = (thing){.there = true, .enabled = true, .count = 1 + below(g, PARTS)};
  t->X_WL = clp_pose_identity();
  for (int k = 0; k < t->count; ++k) {
    t->kind[k] = below(g, BODIES);
    const clp_pose X_LP = {random_rotation(g),
                           clp_scale(random_between(g, 0, 0.5), random_direction(g))};
    t->parts[k] = (clp_part){.body = solids[t->kind[k]].body, .X_LP = X_LP};
  }
  for (int k = 0; k < SCENES; ++k) {
    clp_link_id id;
    HOLDS(clp_scene_add_link(w->scenes[k], (clp_link){t->parts, t->count}, &id) == CLP_OK);
    HOLDS(k == 0 || memcmp(&id, &t->id, sizeof id) == 0);
    t->id = id;
  }
  for (int k = 0; k < LINKS; ++k)
    if (k != index && w->things[k].there)
      add_pair(w, k < index ? k : index, k < index ? index : k);
}

/* Nobody is found by its id any more. */
static void expect_gone(const world *w, clp_link_id id, clp_link_pair_id pair)
{
  const clp_pose X = clp_pose_identity();
  for (int k = 0; k < SCENES; ++k) {
    clp_scene *scene = w->scenes[k];
    HOLDS(clp_scene_set_motion(scene, id, &X, NULL) == CLP_ERROR_ARGUMENT);
    HOLDS(clp_scene_set_motions(scene, &id, &X, NULL, 1) == CLP_ERROR_ARGUMENT);
    HOLDS(clp_scene_enable_link(scene, id, true) == CLP_ERROR_ARGUMENT);
    HOLDS(clp_scene_remove_link(scene, id) == CLP_ERROR_ARGUMENT);
    HOLDS(clp_scene_answer(scene, pair).coverage == CLP_COVERAGE_NONE);
    HOLDS(clp_scene_event_count(scene, pair) == 0);
  }
}

static void remove_thing(world *w, int index, random_state *g)
{
  thing *t = &w->things[index];
  const int other = (index + 1 + below(g, LINKS - 1)) % LINKS, at = below(g, GONE);
  const couple *c = &w->couples[index < other ? index : other][index < other ? other : index];
  w->gone[at] = t->id;
  if (w->things[other].there)
    w->gone_pairs[at] = c->id;
  t->there = false;
  for (int k = 0; k < SCENES; ++k)
    HOLDS(clp_scene_remove_link(w->scenes[k], t->id) == CLP_OK);
  expect_gone(w, w->gone[at], w->gone_pairs[at]);
}

static void enable(world *w, thing *t, bool enabled)
{
  t->enabled = enabled;
  for (int k = 0; k < SCENES; ++k)
    HOLDS(clp_scene_enable_link(w->scenes[k], t->id, enabled) == CLP_OK);
}

/* Most of the time there are as many as can be, sometimes next to none. */
static void change_things(world *w, int cycle, random_state *g)
{
  const bool few = cycle / 15 % 4 == 3;
  for (int k = 0; k < LINKS; ++k) {
    thing *t = &w->things[k];
    if (!t->there && one_in(g, few ? 100 : 6))
      add(w, k, g);
    else if (t->there && one_in(g, few ? 10 : 150))
      remove_thing(w, k, g);
    else if (t->there && one_in(g, t->enabled ? 200 : 10))
      enable(w, t, !t->enabled);
  }
  const int at = below(g, GONE);
  expect_gone(w, w->gone[at], w->gone_pairs[at]);
}

/* ---- Motions ------------------------------------------------------------------------------ */

typedef struct list {
  int count;
  int thing[LINKS];
  clp_link_id ids[LINKS];
  clp_pose X[LINKS];
  clp_twist V[LINKS];
  bool twists;
} list;

/* Mostly a little; sometimes anywhere, or much farther than that. */
static clp_pose random_motion(const world *w, const clp_pose *X, random_state *g)
{
  static const double far[4] = {1e3, 1e6, 1e15, 1e99};
  clp_pose next = *X;
  switch (below(g, 40)) {
    case 0:
      next.position = clp_scale(far[below(g, 4)], random_direction(g));
      return next;
    case 1:
      next.rotation = random_rotation(g);
      return next;
    case 2:
    case 3:
      return next;
    default:
      next.position =
          clp_add_scaled(next.position, random_between(g, 0, 0.02), random_direction(g));
      next.rotation = clp_mat3_multiply(
          clp_rotation_about(random_direction(g), random_between(g, 0, 0.03)), next.rotation);
      if (clp_norm(next.position) > w->size)
        next.position = clp_scale(random_between(g, 0, w->size), random_direction(g));
      return next;
  }
}

/* In the order of their indices, or turned round, or mixed; all of them, or some. */
static list make_list(const world *w, random_state *g)
{
  list l = {.twists = !one_in(g, 4)};
  const bool some = one_in(g, 2), mixed = one_in(g, 3);
  const int first = one_in(g, 2) ? below(g, LINKS) : 0;
  for (int k = 0; k < LINKS; ++k) {
    const int index = (k + first) % LINKS;
    if (w->things[index].there && !(some && one_in(g, 4)))
      l.thing[l.count++] = index;
  }
  for (int k = l.count - 1; mixed && k > 0; --k) {
    const int other = below(g, k + 1), moved = l.thing[k];
    l.thing[k] = l.thing[other];
    l.thing[other] = moved;
  }
  for (int k = 0; k < l.count; ++k) {
    const thing *t = &w->things[l.thing[k]];
    l.ids[k] = t->id;
    l.X[k] = random_motion(w, &t->X_WL, g);
    l.V[k] = (clp_twist){clp_scale(random_between(g, 0, 20), random_direction(g)),
                         clp_scale(random_between(g, 0, 30), random_direction(g))};
  }
  return l;
}

static void set_list(world *w, const list *l, random_state *g)
{
  HOLDS(clp_scene_set_motions(w->scenes[BY_LIST], l->ids, l->X, l->twists ? l->V : NULL,
                              l->count) == CLP_OK);
  const int first = l->count > 0 ? below(g, l->count) : 0;
  for (int i = 0; i < l->count; ++i) {
    const int k = (i + first) % l->count;
    w->things[l->thing[k]].X_WL = l->X[k];
    HOLDS(clp_scene_set_motion(w->scenes[ONE_BY_ONE], l->ids[k], &l->X[k],
                               l->twists ? &l->V[k] : NULL) == CLP_OK);
  }
}

/* One of a list is absurd: nothing of it is set. */
static void set_absurd(const world *w, list l, random_state *g)
{
  if (l.count == 0)
    return;
  const int at = below(g, l.count);
  clp_pose *X = &l.X[at];
  clp_status wrong = CLP_ERROR_POSE;
  switch (below(g, 9)) {
    case 0:
      X->position.y = (double)NAN;
      break;
    case 1:
      X->position.z = -HUGE_VAL;
      break;
    case 2:
      X->position.x = 1.01e100;
      break;
    case 3:
      X->rotation.x = clp_negate(X->rotation.x);
      break;
    case 4:
      X->rotation = (clp_mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
      break;
    case 5:
      X->rotation.y = clp_scale(1e200, X->rotation.y);
      break;
    case 6:
      l.V[at].angular.x = 2e100;
      l.twists = true;
      wrong = CLP_ERROR_ARGUMENT;
      break;
    case 7:
      l.ids[at] = w->gone[below(g, GONE)];
      wrong = CLP_ERROR_ARGUMENT;
      break;
    default:
      l.ids[at] = l.ids[(at + 1) % l.count];
      wrong = CLP_ERROR_ARGUMENT;
      if (l.count == 1)
        return;
  }
  HOLDS(clp_scene_set_motions(w->scenes[BY_LIST], l.ids, l.X, l.twists ? l.V : NULL, l.count) ==
        wrong);
}

static void move(world *w, random_state *g)
{
  for (int times = below(g, 4); times > 0; --times) {
    const list l = make_list(w, g);
    if (one_in(g, 2))
      set_absurd(w, l, g);
    set_list(w, &l, g);
    if (one_in(g, 2))
      set_absurd(w, l, g);
  }
}

/* ---- The truth ---------------------------------------------------------------------------- */

typedef struct interval {
  double lower, upper;
} interval;

static clp_vec3 along(const clp_pose *X, double z)
{
  return clp_add_scaled(X->position, z, X->rotation.z);
}

static double limited(double x, double half)
{
  return fmax(-half, fmin(half, x));
}

/* Of two segments about their middles: the nearest of one segment's place to the other one's line,
 * there and back; or, of parallel ones, an end. */
static double segment_distance(const clp_pose *X, double half_x, const clp_pose *Y, double half_y)
{
  const clp_vec3 between = clp_sub(Y->position, X->position), u = X->rotation.z, v = Y->rotation.z;
  const double uv = clp_dot(u, v), du = clp_dot(between, u), dv = clp_dot(between, v);
  const double square = 1 - uv * uv;
  double least = HUGE_VAL;
  double starts[3] = {-half_x, half_x,
                      square > 1e-12 ? limited((du - uv * dv) / square, half_x) : 0};
  for (int k = 0; k < 3; ++k) {
    const double t = limited(uv * starts[k] - dv, half_y);
    const double s = limited(uv * t + du, half_x);
    least = fmin(least, clp_distance(along(X, s), along(Y, t)));
  }
  return least;
}

/* Every pair of parts by a formula or alone; or, too far away to compute with, by their balls. */
static interval truth_of_parts(const world *w, int a, const clp_pose *X, int b, const clp_pose *Y)
{
  const solid *p = &solids[a], *q = &solids[b];
  const double centers = clp_distance(X->position, Y->position), reach = p->reach + q->reach;
  if (!p->is_box && !q->is_box) {
    const double d = segment_distance(X, p->half, Y, q->half) - p->radius - q->radius;
    return (interval){d, d};
  }
  if (centers > 1e6)
    return (interval){centers - reach, centers + reach};
  const clp_answer answer = clp_pair_query(w->alone[a][b], X, Y);
  return (interval){answer.lower_bound, answer.distance};
}

static interval truth_of(const world *w, const thing *a, const thing *b)
{
  interval least = {HUGE_VAL, HUGE_VAL};
  for (int i = 0; i < a->count; ++i)
    for (int j = 0; j < b->count; ++j) {
      const clp_pose X = clp_pose_multiply(a->X_WL, a->parts[i].X_LP);
      const clp_pose Y = clp_pose_multiply(b->X_WL, b->parts[j].X_LP);
      const interval d = truth_of_parts(w, a->kind[i], &X, b->kind[j], &Y);
      least = (interval){fmin(least.lower, d.lower), fmin(least.upper, d.upper)};
    }
  return least;
}

/* ---- What must hold ----------------------------------------------------------------------- */

/* Distances far away are as exact as their digits. */
static double slack_of(const thing *a, const thing *b)
{
  return 1e-9 + 1e-13 * (clp_norm(a->X_WL.position) + clp_norm(b->X_WL.position));
}

static long aside; /* depths whose witnesses do not face each other, which say so */

/* Overlapping bodies are at most touching, however deep the search has found them. */
static void expect_answer(const world *w, const clp_link_answer *links, interval truth,
                          double slack)
{
  const clp_answer *answer = &links->answer;
  const double range = w->options.pair.range;
  const clp_vec3 end = clp_add_scaled(answer->point_a, answer->distance, answer->normal);
  HOLDS(answer->lower_bound <= fmax(0, truth.upper) + slack);
  HOLDS(fmax(0, answer->distance) >= truth.lower - slack);
  HOLDS(answer->lower_bound <= answer->distance);
  if (clp_distance(end, answer->point_b) > (links->asked > 0 ? 10 * slack : 1e-6 + slack)) {
    HOLDS(answer->status == CLP_PENETRATING && answer->non_unique);
    ++aside;
  }
  if (links->coverage == CLP_STEPPED && answer->status == CLP_TRACKING)
    HOLDS(answer->distance <= fmax(0, truth.upper) + 10 * slack);
  if (answer->status == CLP_PENETRATING)
    HOLDS(truth.lower <= slack);
  if (answer->status == CLP_OUT_OF_RANGE ||
      (links->coverage == CLP_CULLED && !w->options.nearest_only))
    HOLDS(truth.upper > range - slack);
}

static feature feature_of(const clp_link_answer *links, int which)
{
  const clp_answer *a = &links->answer;
  return which ? (feature){links->part_b, a->kind_b, a->feature_b}
               : (feature){links->part_a, a->kind_a, a->feature_a};
}

static bool is_same(feature x, feature y)
{
  return x.part == y.part && x.kind == y.kind && x.id == y.id;
}

/* From where the last answer's witnesses were the events lead to where this one's are, step by
 * step.
 */
static void expect_events(const world *w, couple *c, const clp_link_answer *links)
{
  const clp_scene *scene = w->scenes[BY_LIST];
  const int count = clp_scene_event_count(scene, c->id);
  const feature is[2] = {feature_of(links, 0), feature_of(links, 1)};
  HOLDS(count <= (w->options.events > 2 ? w->options.events : 2));
  if (links->asked == 0) { /* too far away to compute with */
    HOLDS(count == 0);
    return;
  }
  for (int k = 0; k < count; ++k) {
    const clp_link_event e = clp_scene_event(scene, c->id, k);
    const clp_transition_event *by = &e.transition;
    feature *on = &c->on[e.which];
    HOLDS(e.which == 0 || e.which == 1);
    HOLDS(!c->known || is_same(*on, (feature){e.from_part, by->from_kind, by->from}));
    *on = (feature){e.to_part, by->to_kind, by->to};
  }
  for (int which = 0; which < 2; ++which)
    HOLDS(!c->known || is_same(c->on[which], is[which]));
  *c = (couple){c->id, true, {is[0], is[1]}, c->strayed};
}

/* Who is not asked has the witnesses of the last answer. */
static void expect_carried(const couple *c, const clp_link_answer *links)
{
  for (int which = 0; which < 2; ++which)
    HOLDS(is_same(c->on[which], feature_of(links, which)));
}

/* Number by number: between the members of a structure there may be anything. */
static void expect_same(const clp_link_answer *x, const clp_link_answer *y)
{
  const clp_answer *a = &x->answer, *b = &y->answer;
  HOLDS(a->distance == b->distance && a->lower_bound == b->lower_bound && a->spread == b->spread);
  HOLDS(memcmp(&a->point_a, &b->point_a, sizeof a->point_a) == 0);
  HOLDS(memcmp(&a->point_b, &b->point_b, sizeof a->point_b) == 0);
  HOLDS(memcmp(&a->normal, &b->normal, sizeof a->normal) == 0);
  HOLDS(a->status == b->status && a->steps == b->steps);
  HOLDS(a->non_unique == b->non_unique && a->scattered == b->scattered);
  HOLDS(x->coverage == y->coverage && x->asked == y->asked && x->cycle == y->cycle);
  for (int which = 0; which < 2; ++which)
    HOLDS(is_same(feature_of(x, which), feature_of(y, which)));
}

static void expect_same_events(const world *w, clp_link_pair_id id)
{
  const clp_scene *x = w->scenes[BY_LIST], *y = w->scenes[ONE_BY_ONE];
  const int count = clp_scene_event_count(x, id);
  HOLDS(count == clp_scene_event_count(y, id));
  for (int k = 0; k < count; ++k) {
    const clp_link_event a = clp_scene_event(x, id, k), b = clp_scene_event(y, id, k);
    HOLDS(a.which == b.which && a.from_part == b.from_part && a.to_part == b.to_part);
    HOLDS(a.transition.to == b.transition.to && a.transition.distance == b.transition.distance);
  }
}

typedef struct tally {
  int pairs, stepped, culled, uncovered, events;
  interval truth;
  double slack;
} tally;

static void expect_pair(world *w, int a, int b, bool query, tally *t)
{
  couple *c = &w->couples[a][b];
  const thing *p = &w->things[a], *q = &w->things[b];
  const clp_link_answer links = clp_scene_answer(w->scenes[BY_LIST], c->id);
  const clp_link_answer other = clp_scene_answer(w->scenes[ONE_BY_ONE], c->id);
  expect_same(&links, &other);
  expect_same_events(w, c->id);
  const double slack = slack_of(p, q);
  c->known &= !query;
  c->strayed |= slack > 1e-8;
  if (!p->enabled || !q->enabled) {
    HOLDS(links.coverage == CLP_COVERAGE_NONE && links.answer.status == CLP_STALE);
    return;
  }
  const interval truth = truth_of(w, p, q);
  const bool answered = links.cycle == w->cycle;
  expect_answer(w, &links, truth, slack);
  t->events += clp_scene_event_count(w->scenes[BY_LIST], c->id);
  if (answered) {
    c->strayed = slack > 1e-8;
    expect_events(w, c, &links);
  } else if (c->known && !c->strayed) {
    expect_carried(c, &links);
  }
  ++t->pairs;
  t->stepped += links.coverage == CLP_STEPPED;
  t->culled += links.coverage == CLP_CULLED;
  t->uncovered += links.coverage == CLP_UNCOVERED;
  t->truth = (interval){fmin(t->truth.lower, truth.lower), fmin(t->truth.upper, truth.upper)};
  t->slack = fmax(t->slack, slack);
}

static tally expect_cycle(world *w, const clp_scene_report *r, const clp_scene_report *other,
                          bool query)
{
  tally t = {.truth = {HUGE_VAL, HUGE_VAL}};
  for (int a = 0; a < LINKS; ++a)
    for (int b = a + 1; b < LINKS; ++b)
      if (w->things[a].there && w->things[b].there)
        expect_pair(w, a, b, query, &t);
  HOLDS(r->distance == other->distance && r->lower_bound == other->lower_bound);
  HOLDS(r->part_pairs == other->part_pairs && r->minimum.index == other->minimum.index);
  HOLDS(r->pairs == t.pairs && r->stepped == t.stepped && r->culled == t.culled);
  HOLDS(r->uncovered == t.uncovered && t.stepped + t.culled + t.uncovered == t.pairs);
  HOLDS(r->lower_bound <= fmax(0, t.truth.upper) + t.slack);
  HOLDS(fmax(0, r->distance) >= t.truth.lower - t.slack);
  const int most = w->options.max_pairs_per_cycle;
  HOLDS(most == 0 || t.stepped <= most);
  return t;
}

SUITE("attack_scenes");

TEST_CASE("attack_scenes", 60);

LOOP_TEST(test_crowds_that_come_and_go, 0, 4)
{
  enum { WORLDS = 8 };
  const int cycles = amount_quick() ? 32 : 500;
  random_state g = {.s = 900 + (uint64_t)_i};
  long stepped = 0, culled = 0, uncovered = 0, events = 0;
  aside = 0;
  make_solids();
  for (int k = 0; k < WORLDS; ++k) {
    world w = make_world(&g);
    for (int cycle = 0; cycle < cycles; ++cycle) {
      const bool query = one_in(&g, 100);
      clp_scene_report reports[SCENES];
      change_things(&w, cycle, &g);
      move(&w, &g);
      ++w.cycle;
      w.time += one_in(&g, 10) ? 0 : 1e-3;
      for (int i = 0; i < SCENES; ++i)
        reports[i] =
            query ? clp_scene_query(w.scenes[i], w.time) : clp_scene_step(w.scenes[i], w.time);
      const tally t = expect_cycle(&w, &reports[0], &reports[1], query);
      stepped += t.stepped;
      culled += t.culled;
      uncovered += t.uncovered;
      events += t.events;
    }
    destroy_world(&w);
  }
  destroy_solids();
  ck_assert_int_gt(stepped, 6 * WORLDS * cycles);
  ck_assert_int_gt(culled, 6 * WORLDS * cycles);
  ck_assert_int_gt(uncovered, WORLDS * cycles / 2);
  ck_assert_int_gt(events, WORLDS * cycles / 2);
  ck_assert_int_le(aside, 2 + stepped / 20000);
}

static void go_there_and_back(clp_scene *scene, const clp_link_id *links, clp_vec3 way)
{
  for (int cycle = 0; cycle < 3; ++cycle) {
    const double far = cycle < 2 ? 3e7 : 3;
    for (int i = 0; i < 2; ++i) {
      clp_pose X = clp_pose_identity();
      X.position = clp_scale(i == 0 ? far : -far, way);
      HOLDS(clp_scene_set_motion(scene, links[i + 1], &X, NULL) == CLP_OK);
    }
    clp_scene_step(scene, 1e-3 * cycle);
  }
}

/* Two balls come back from far away on both sides of a third one, and one of them is not asked: its
 * last witnesses, which lost digits there, say no less than how far apart they are. */
TEST(test_back_from_afar)
{
  enum { TRIALS = 100 };
  const clp_scene_limits limits = {.links = 3, .pairs = 2};
  clp_scene_options options = clp_default_scene_options();
  random_state g = {.s = 950};
  int carried = 0;
  options.max_pairs_per_cycle = 1;
  make_solids();
  for (int k = 0; k < TRIALS; ++k) {
    const clp_part part = {.body = solids[0].body, .X_LP = clp_pose_identity()};
    const clp_vec3 way = random_direction(&g);
    clp_scene *scene;
    clp_link_id links[3];
    clp_link_pair_id pairs[2];
    HOLDS(clp_scene_create(&limits, &options, &scene) == CLP_OK);
    for (int i = 0; i < 3; ++i)
      HOLDS(clp_scene_add_link(scene, (clp_link){&part, 1}, &links[i]) == CLP_OK);
    for (int i = 0; i < 2; ++i)
      HOLDS(clp_scene_add_pair(scene, links[0], links[i + 1], &pairs[i]) == CLP_OK);
    go_there_and_back(scene, links, way);
    for (int i = 0; i < 2; ++i) {
      const clp_link_answer answer = clp_scene_answer(scene, pairs[i]);
      HOLDS(answer.answer.distance >= 2.6 - 1e-12 && answer.answer.distance <= 2.6 + 1e-6);
      carried += answer.asked == 0;
    }
    clp_scene_destroy(scene);
  }
  destroy_solids();
  ck_assert_int_eq(carried, TRIALS);
}
