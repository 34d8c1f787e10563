/* SPDX-License-Identifier: Apache-2.0 */
/* Random scenes against brute force over all pairs: links of balls, whose distances have closed
 * forms, that wander, rest, jump, come and go, in 100,000 cycles. */

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene.h"
#include "support/amount.h"
#include "support/holds.h"
#include "support/medley.h"
#include "support/random.h"
#include "support/suite.h"

enum { LINKS = 7, PAIRS = LINKS * (LINKS - 1) / 2, PARTS = 3, RADII = 4 };

static clp_body *balls[RADII];
static const double radii[RADII] = {0.05, 0.1, 0.2, 0.4};

static void make_balls(void)
{
  for (int k = 0; k < RADII; ++k) {
    clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
    def.radius = radii[k];
    ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &balls[k]), CLP_OK);
  }
}

static void destroy_balls(void)
{
  for (int k = 0; k < RADII; ++k)
    clp_body_destroy(balls[k]);
}

typedef struct cluster {
  clp_link_id id;
  bool there, enabled, frozen;
  clp_part parts[PARTS];
  double radius[PARTS];
  int count;
  clp_pose X_WL;
  clp_twist V_WL;
} cluster;

typedef struct world {
  clp_scene *scene;
  clp_scene_options options;
  cluster links[LINKS];
  clp_link_pair_id pairs[LINKS][LINKS];
  double time, size;
} world;

static clp_mat3 random_rotation(random_state *g)
{
  return clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -1.5, 1.5),
                               random_between(g, -3, 3));
}

static bool one_in(random_state *g, uint64_t n)
{
  return random_bits(g) % n == 0;
}

static void fill_cluster(cluster *link, random_state *g)
{
  link->count = 1 + (int)(random_bits(g) % PARTS);
  for (int k = 0; k < link->count; ++k) {
    int size = (int)(random_bits(g) % RADII);
    link->radius[k] = radii[size];
    link->parts[k] =
        (clp_part){balls[size], {random_rotation(g), clp_scale(0.6, random_direction(g))}, NULL};
  }
}

static void jump(world *w, cluster *link, random_state *g)
{
  double far = one_in(g, 50) ? 1e4 : 1; /* more than the sums of motion hold at once */
  link->X_WL = (clp_pose){random_rotation(g),
                          clp_scale(far * random_between(g, 0, w->size), random_direction(g))};
}

static void add(world *w, int index, random_state *g)
{
  cluster *link = &w->links[index];
  *link = (cluster){.there = true, .enabled = true};
  fill_cluster(link, g);
  jump(w, link, g);
  clp_link made = {link->parts, link->count};
  ck_assert_int_eq(clp_scene_add_link(w->scene, made, &link->id), CLP_OK);
  ck_assert_int_eq(clp_scene_set_motion(w->scene, link->id, &link->X_WL, NULL), CLP_OK);
  for (int k = 0; k < LINKS; ++k) {
    int a = k < index ? k : index, b = k < index ? index : k;
    if (k != index && w->links[k].there)
      ck_assert_int_eq(
          clp_scene_add_pair(w->scene, w->links[a].id, w->links[b].id, &w->pairs[a][b]), CLP_OK);
  }
}

static world make_world(random_state *g)
{
  world w = {.options = clp_default_scene_options(), .size = random_between(g, 2, 8)};
  w.options.nearest_only = one_in(g, 2);
  if (one_in(g, 2))
    w.options.pair.range = random_between(g, 0.1, 2);
  if (one_in(g, 3))
    w.options.max_pairs_per_cycle = 1 + (int)(random_bits(g) % 8);
  if (one_in(g, 3))
    w.options.max_new_per_cycle = 1 + (int)(random_bits(g) % 4);
  clp_scene_limits limits = {.links = LINKS,
                             .parts = LINKS * PARTS,
                             .pairs = PAIRS,
                             .part_pairs = PAIRS * PARTS * PARTS,
                             .tracked = one_in(g, 3) ? 1 + (int)(random_bits(g) % 12) : 0};
  ck_assert_int_eq(clp_scene_create(&limits, &w.options, &w.scene), CLP_OK);
  for (int k = 0; k < LINKS; ++k)
    add(&w, k, g);
  return w;
}

/* ---- What happens between steps ----------------------------------------------------------- */

static void wander(world *w, cluster *link, random_state *g, double step)
{
  double speed = 2;
  clp_twist *v = &link->V_WL;
  v->linear = clp_scale(0.95, clp_add_scaled(v->linear, 0.3 * speed, random_direction(g)));
  v->linear = clp_add_scaled(v->linear, -0.1 * step, link->X_WL.position);
  v->angular = clp_scale(0.95, clp_add_scaled(v->angular, 0.3, random_direction(g)));
  clp_vec3 turn = clp_scale(step, v->angular);
  clp_mat3 more = clp_rotation_from_rpy(turn.x, turn.y, turn.z);
  link->X_WL.position = clp_add_scaled(link->X_WL.position, step, v->linear);
  link->X_WL.rotation = clp_mat3_multiply(more, link->X_WL.rotation);
  if (clp_norm(link->X_WL.position) > 2 * w->size)
    v->linear = clp_negate(v->linear);
}

static void change_link(world *w, int index, random_state *g, double step)
{
  cluster *link = &w->links[index];
  if (!link->there) {
    if (one_in(g, 20))
      add(w, index, g);
    return;
  }
  if (one_in(g, 700)) {
    ck_assert_int_eq(clp_scene_remove_link(w->scene, link->id), CLP_OK);
    link->there = false;
    return;
  }
  if (one_in(g, link->enabled ? 500 : 20)) {
    link->enabled = !link->enabled;
    ck_assert_int_eq(clp_scene_enable_link(w->scene, link->id, link->enabled), CLP_OK);
  }
  if (one_in(g, 100))
    link->frozen = !link->frozen;
  bool jumps = one_in(g, 300);
  if (link->frozen && !jumps)
    return;
  if (jumps)
    jump(w, link, g);
  else
    wander(w, link, g, step);
  const clp_twist *twist = jumps || one_in(g, 5) ? NULL : &link->V_WL;
  ck_assert_int_eq(clp_scene_set_motion(w->scene, link->id, &link->X_WL, twist), CLP_OK);
}

static void change_settings(world *w, random_state *g)
{
  if (w->options.pair.range > 0 && one_in(g, 200)) {
    w->options.pair.range = random_between(g, 0.1, 2);
    ck_assert_int_eq(clp_scene_set_range(w->scene, w->options.pair.range), CLP_OK);
  }
}

/* ---- What must hold ----------------------------------------------------------------------- */

static double truth_of(const cluster *a, const cluster *b)
{
  double least = HUGE_VAL;
  for (int i = 0; i < a->count; ++i)
    for (int j = 0; j < b->count; ++j) {
      clp_vec3 p = clp_transform(a->X_WL, a->parts[i].X_LP.position);
      clp_vec3 q = clp_transform(b->X_WL, b->parts[j].X_LP.position);
      least = fmin(least, clp_distance(p, q) - a->radius[i] - b->radius[j]);
    }
  return least;
}

/* Distances far away are as exact as their digits. */
static double slack_of(const cluster *a, const cluster *b)
{
  return 1e-12 + 1e-14 * (clp_norm(a->X_WL.position) + clp_norm(b->X_WL.position));
}

static void expect_pair(const world *w, const clp_link_answer *links, double truth, double slack)
{
  const clp_answer *answer = &links->answer;
  double range = w->options.pair.range;
  HOLDS(answer->lower_bound <= truth + slack);
  HOLDS(answer->distance >= truth - slack);
  HOLDS(answer->lower_bound <= answer->distance);
  clp_vec3 end = clp_add_scaled(answer->point_a, answer->distance, answer->normal);
  HOLDS(clp_distance(end, answer->point_b) <= 1e-8 + 1e3 * slack);
  if (links->coverage == CLP_STEPPED && answer->status != CLP_OUT_OF_RANGE)
    HOLDS(fabs(answer->distance - truth) <= 1e-8 + 1e3 * slack);
  if (links->coverage == CLP_CULLED && !w->options.nearest_only)
    HOLDS(truth > range - slack);
  if (answer->status == CLP_OUT_OF_RANGE)
    HOLDS(truth > range - slack);
}

typedef struct tally {
  int pairs, stepped, culled, uncovered;
  double truth, bound, slack; /* the smallest, the smallest, the largest */
} tally;

static tally count_pairs(const world *w, const clp_scene_report *report)
{
  tally t = {.truth = HUGE_VAL, .bound = HUGE_VAL};
  for (int a = 0; a < LINKS; ++a)
    for (int b = a + 1; b < LINKS; ++b) {
      const cluster *link_a = &w->links[a], *link_b = &w->links[b];
      if (!link_a->there || !link_b->there)
        continue;
      clp_link_answer links = clp_scene_answer(w->scene, w->pairs[a][b]);
      if (!link_a->enabled || !link_b->enabled) {
        HOLDS(links.coverage == CLP_COVERAGE_NONE);
        continue;
      }
      double truth = truth_of(link_a, link_b), slack = slack_of(link_a, link_b);
      expect_pair(w, &links, truth, slack);
      ++t.pairs;
      t.stepped += links.coverage == CLP_STEPPED;
      t.culled += links.coverage == CLP_CULLED;
      t.uncovered += links.coverage == CLP_UNCOVERED;
      t.truth = fmin(t.truth, truth);
      t.bound = fmin(t.bound, links.answer.lower_bound);
      t.slack = fmax(t.slack, slack);
      HOLDS(links.coverage != CLP_STEPPED || links.cycle == report->cycle);
    }
  return t;
}

/* The array says what is said pair by pair. */
static void expect_distances(const world *w)
{
  clp_link_distance near[LINKS * LINKS];
  const int count = clp_scene_near_distances(w->scene, near, LINKS * LINKS);
  HOLDS(count == clp_scene_near_count(w->scene));
  for (int k = 0; k < count; ++k) {
    const clp_link_pair_id id = clp_scene_near(w->scene, k);
    const clp_link_answer links = clp_scene_answer(w->scene, id);
    HOLDS(memcmp(&near[k].pair, &id, sizeof id) == 0);
    HOLDS(memcmp(&near[k].distance, &links.answer.distance, sizeof(double)) == 0);
    HOLDS(memcmp(&near[k].lower_bound, &links.answer.lower_bound, sizeof(double)) == 0);
    HOLDS(near[k].status == links.answer.status);
    HOLDS(near[k].coverage == links.coverage);
  }
}

static void expect_cycle(const world *w, const clp_scene_report *report)
{
  tally t = count_pairs(w, report);
  HOLDS(report->pairs == t.pairs);
  HOLDS(report->stepped == t.stepped);
  HOLDS(report->culled == t.culled);
  HOLDS(report->uncovered == t.uncovered);
  HOLDS(t.stepped + t.culled + t.uncovered == t.pairs);
  HOLDS(clp_scene_near_count(w->scene) == t.stepped + t.uncovered);
  HOLDS(report->lower_bound <= t.bound + t.slack);
  HOLDS(report->lower_bound <= t.truth + t.slack);
  HOLDS(report->distance >= t.truth - t.slack);
  bool complete = t.uncovered == 0 && t.pairs > 0;
  if (complete && (w->options.pair.range == 0 || t.truth < w->options.pair.range - 1e-6)) {
    HOLDS(fabs(report->distance - t.truth) <= 1e-8 + 1e3 * t.slack);
    HOLDS(fabs(report->lower_bound - t.truth) <= 1e-8 + 1e3 * t.slack);
  }
  if (w->options.max_pairs_per_cycle > 0)
    HOLDS(t.stepped <= w->options.max_pairs_per_cycle);
  expect_distances(w);
}

SUITE("scene_random");

TEST_CASE("scene_random", 30);

LOOP_TEST(test_random_scenes, 0, 4)
{
  enum { CYCLES = 1000 };
  const int scenes = amount_of(25);
  random_state g = {.s = 1000 + (uint64_t)_i};
  long stepped = 0, culled = 0, uncovered = 0;
  make_balls();
  for (int k = 0; k < scenes; ++k) {
    world w = make_world(&g);
    for (int cycle = 0; cycle < CYCLES; ++cycle) {
      double step = one_in(&g, 10) ? 0 : 0.01;
      w.time += step;
      change_settings(&w, &g);
      for (int link = 0; link < LINKS; ++link)
        change_link(&w, link, &g, step);
      clp_scene_report report =
          one_in(&g, 100) ? clp_scene_query(w.scene, w.time) : clp_scene_step(w.scene, w.time);
      expect_cycle(&w, &report);
      stepped += report.stepped;
      culled += report.culled;
      uncovered += report.uncovered;
    }
    clp_scene_destroy(w.scene);
  }
  destroy_balls();
  ck_assert_int_gt(stepped, 400 * scenes);
  ck_assert_int_gt(culled, 400 * scenes);
  ck_assert_int_gt(uncovered, 40 * scenes);
}

/* ---- Shapes of all kinds ------------------------------------------------------------------ */

/* Asked from scratch, outside of the scene: the truth is in an interval. */
typedef struct question {
  clp_pair *pair;
  int link[2];
  clp_pose X_LP[2];
} question;

typedef struct inquiry {
  question questions[MEDLEY_PAIRS * 9];
  int first[MEDLEY_PAIRS + 1]; /* of each pair of links */
} inquiry;

static void prepare_inquiry(inquiry *q, const medley *m)
{
  int pair = 0, count = 0;
  for (int a = 0; a < MEDLEY_LINKS; ++a)
    for (int b = a + 1; b < MEDLEY_LINKS; ++b) {
      if (!medley_is_pair(a, b))
        continue;
      q->first[pair++] = count;
      for (int i = 0; i < m->part_counts[a]; ++i)
        for (int j = 0; j < m->part_counts[b]; ++j) {
          const clp_part *p = &m->parts[a][i], *o = &m->parts[b][j];
          question *next = &q->questions[count++];
          *next = (question){NULL, {a, b}, {p->X_LP, o->X_LP}};
          ck_assert_int_eq(clp_pair_create(p->body, o->body, NULL, &next->pair), CLP_OK);
        }
    }
  q->first[pair] = count;
}

static void end_inquiry(inquiry *q, const medley *m)
{
  for (int k = 0; k < q->first[m->pair_count]; ++k)
    clp_pair_destroy(q->questions[k].pair);
}

/* The interval that holds the distance of the pair of links. */
static void ask(const inquiry *q, const medley *m, int pair, double *lower, double *upper)
{
  *lower = *upper = HUGE_VAL;
  for (int k = q->first[pair]; k < q->first[pair + 1]; ++k) {
    const question *s = &q->questions[k];
    clp_pose X_WA = clp_pose_multiply(m->X_WL[s->link[0]], s->X_LP[0]);
    clp_pose X_WB = clp_pose_multiply(m->X_WL[s->link[1]], s->X_LP[1]);
    clp_answer answer = clp_pair_query(s->pair, &X_WA, &X_WB);
    *lower = fmin(*lower, answer.lower_bound);
    *upper = fmin(*upper, answer.distance);
  }
}

/* Overlapping bodies are at most touching, however deep the search has found them. */
static void expect_pairs(const medley *m, const inquiry *q, const clp_scene_report *report)
{
  double least_upper = HUGE_VAL;
  for (int k = 0; k < m->pair_count; ++k) {
    double lower, upper;
    ask(q, m, k, &lower, &upper);
    clp_link_answer links = clp_scene_answer(m->scene, m->pairs[k]);
    HOLDS(links.answer.lower_bound <= fmax(0, upper) + 1e-9);
    HOLDS(fmax(0, links.answer.distance) >= lower - 1e-9);
    least_upper = fmin(least_upper, upper);
  }
  HOLDS(report->lower_bound <= fmax(0, least_upper) + 1e-9);
}

LOOP_TEST(test_shapes, 0, 4)
{
  enum { SHAPE_CYCLES = 60 };
  static inquiry q;
  random_state g = {.s = 77};
  clp_scene_options options = clp_default_scene_options();
  options.nearest_only = _i == 1;
  options.pair.range = _i == 2 ? 0.3 : 0;
  options.max_pairs_per_cycle = _i == 3 ? 20 : 0;
  medley m = medley_make(options);
  prepare_inquiry(&q, &m);
  for (int cycle = 0; cycle < SHAPE_CYCLES; ++cycle) {
    if (cycle % 20 == 19)
      m.cycle += (int)(random_bits(&g) % 5000); /* everything jumps */
    ck_assert(medley_move(&m));
    clp_scene_report report = clp_scene_step(m.scene, 0.001 * m.cycle);
    HOLDS(report.stepped + report.culled + report.uncovered == report.pairs);
    expect_pairs(&m, &q, &report);
  }
  end_inquiry(&q, &m);
  medley_destroy(&m);
}
