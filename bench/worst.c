/* SPDX-License-Identifier: Apache-2.0 */
#include "worst.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/pose.h"
#include "test/support/random.h"
#include "workloads.h"

enum { EPISODE_STEPS = 25, LISTED = 100, BODIES = 9, PAIRS_MAX = BODIES * BODIES + WORKLOADS };

#define CYCLE 1e-3

/* Of the steps of an episode this many in a hundred are jumps. */
#define JUMPS 8

/* ---- Bodies ------------------------------------------------------------------------------- */

typedef struct zoo {
  clp_body *bodies[BODIES];
  workload workloads[WORKLOADS];
  clp_pair *pairs[PAIRS_MAX];
  const clp_body *a[PAIRS_MAX], *b[PAIRS_MAX];
  int count;
} zoo;

static clp_body *sized(clp_shape shape, double a, double b, double c)
{
  clp_body *body = NULL;
  clp_body_def def = clp_default_body_def(shape);
  def.size = (clp_vec3){a, b, c};
  return clp_body_create(&def, (clp_reporter){0}, &body) == CLP_OK ? body : NULL;
}

static clp_body *round_body(clp_shape shape, double radius, double length)
{
  clp_body *body = NULL;
  clp_body_def def = clp_default_body_def(shape);
  def.radius = radius;
  def.length = length;
  return clp_body_create(&def, (clp_reporter){0}, &body) == CLP_OK ? body : NULL;
}

static bool add_pair(zoo *z, const clp_body *a, const clp_body *b)
{
  z->a[z->count] = a;
  z->b[z->count] = b;
  return a && b && clp_pair_create(a, b, NULL, &z->pairs[z->count++]) == CLP_OK;
}

static bool zoo_make(zoo *z)
{
  clp_body *bodies[BODIES] = {sized(CLP_SHAPE_BOX, 1, 0.6, 0.4),
                              sized(CLP_SHAPE_BOX, 1, 0.02, 0.02),
                              sized(CLP_SHAPE_ELLIPSOID, 0.5, 0.3, 0.2),
                              sized(CLP_SHAPE_ELLIPSOID, 0.6, 0.6, 0.03),
                              round_body(CLP_SHAPE_SPHERE, 0.4, 0),
                              round_body(CLP_SHAPE_CYLINDER, 0.2, 0.8),
                              round_body(CLP_SHAPE_CYLINDER, 0.5, 0.02),
                              round_body(CLP_SHAPE_CAPSULE, 0.1, 0.6),
                              sized(CLP_SHAPE_POINT, 0, 0, 0)};
  bool made = true;
  *z = (zoo){.count = 0};
  for (int k = 0; k < BODIES; ++k)
    z->bodies[k] = bodies[k];
  for (int k = 0; k < WORKLOADS; ++k)
    z->workloads[k] = workload_make(k);
  for (int i = 0; i < BODIES; ++i)
    for (int j = 0; j < BODIES; ++j)
      made = made && add_pair(z, bodies[i], bodies[j]);
  for (int k = 0; k < WORKLOADS; ++k)
    made = made && add_pair(z, z->workloads[k].a, z->workloads[k].b);
  return made;
}

static void zoo_free(zoo *z)
{
  for (int k = 0; k < z->count; ++k)
    clp_pair_destroy(z->pairs[k]);
  for (int k = 0; k < WORKLOADS; ++k)
    workload_destroy(&z->workloads[k]);
  for (int k = 0; k < BODIES; ++k)
    clp_body_destroy(z->bodies[k]);
}

/* ---- Episodes ----------------------------------------------------------------------------- */

typedef struct episode {
  random_state g;
  clp_pair *pair;
  clp_vec3 center_a, center_b;
  double reach; /* of both bodies together */
  clp_pose X_WB;
  clp_twist V_WB;
} episode;

static clp_vec3 middle(const clp_body *body)
{
  clp_box3 box = clp_body_describe(body).bounds;
  return clp_scale(0.5, clp_add(box.min, box.max));
}

static double half_diagonal(const clp_body *body)
{
  clp_box3 box = clp_body_describe(body).bounds;
  return 0.5 * clp_distance(box.min, box.max);
}

/* Anywhere between on top of each other and well apart, at any orientation and velocity. */
static void jump(episode *e)
{
  random_state *g = &e->g;
  double apart = random_between(g, 0, 2) * e->reach;
  e->X_WB.rotation = clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -1.5, 1.5),
                                           random_between(g, -3, 3));
  clp_vec3 place = clp_add_scaled(e->center_a, apart, random_direction(g));
  e->X_WB.position = clp_sub(place, clp_rotate(e->X_WB.rotation, e->center_b));
  e->V_WB.linear = clp_scale(random_between(g, 0, 2) * e->reach, random_direction(g));
  e->V_WB.angular = clp_scale(random_between(g, 0, 4), random_direction(g));
}

static episode start(const zoo *z, long number)
{
  int k = (int)(number % z->count);
  episode e = {.g = {.s = (uint64_t)number},
               .pair = z->pairs[k],
               .center_a = middle(z->a[k]),
               .center_b = middle(z->b[k]),
               .reach = half_diagonal(z->a[k]) + half_diagonal(z->b[k])};
  const clp_pose rest = clp_pose_identity();
  jump(&e);
  clp_pair_query(e.pair, &rest, &e.X_WB);
  return e;
}

/* B's origin moves and B turns about it, which is what a twist of its frame says. */
static void go_on(episode *e)
{
  if (random_bits(&e->g) % 100 < JUMPS) {
    jump(e);
    return;
  }
  clp_twist turn = {.angular = e->V_WB.angular};
  clp_pose turned = {.rotation = e->X_WB.rotation};
  e->X_WB.rotation = clp_pose_after(turned, turn, CYCLE).rotation;
  e->X_WB.position = clp_add_scaled(e->X_WB.position, CYCLE, e->V_WB.linear);
}

static clp_answer step(const episode *e)
{
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  return clp_pair_track(e->pair, &rest, &e->X_WB, &still, &e->V_WB, CYCLE);
}

__attribute__((noinline)) clp_answer worst_step(const struct episode *e)
{
  return step(e);
}

/* ---- The worst ---------------------------------------------------------------------------- */

typedef struct record {
  long episode;
  int step, iterations, transitions;
  double microseconds, rank;
  clp_pair_status status;
} record;

typedef struct list {
  record best[LISTED]; /* the worst first */
  int count;
} list;

static void keep(list *l, record r, double rank)
{
  r.rank = rank;
  if (l->count == LISTED && l->best[LISTED - 1].rank >= rank)
    return;
  int k = l->count < LISTED ? l->count++ : LISTED - 1;
  for (; k > 0 && l->best[k - 1].rank < rank; --k)
    l->best[k] = l->best[k - 1];
  l->best[k] = r;
}

/* Those of the list's first `most` that are not in `but`; how many there were. */
static int print_list(const list *l, const list *but, int but_count, int most)
{
  int printed = 0;
  for (int k = 0; k < l->count && printed < most; ++k) {
    const record *r = &l->best[k];
    bool known = false;
    for (int i = 0; i < but_count; ++i)
      known = known || (but->best[i].episode == r->episode && but->best[i].step == r->step);
    if (known)
      continue;
    printf("%8ld %4d %10d %11d %8.0f us   %s\n", r->episode, r->step, r->iterations, r->transitions,
           r->microseconds, clp_pair_status_name(r->status));
    printed++;
  }
  return printed;
}

typedef struct tally {
  list counted, timed;
  long steps, tracking, penetrating, once; /* `once`: with one iteration */
  int iterations, transitions;             /* the most of a step */
} tally;

static void run_episode(const zoo *z, long number, tally *t)
{
  episode e = start(z, number);
  for (int k = 0; k < EPISODE_STEPS; ++k) {
    go_on(&e);
    clock_t before = clock();
    clp_answer answer = step(&e);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    record r = {.episode = number,
                .step = k,
                .iterations = answer.steps,
                .transitions = clp_pair_event_count(e.pair),
                .microseconds = 1e6 * seconds,
                .status = answer.status};
    t->iterations = r.iterations > t->iterations ? r.iterations : t->iterations;
    t->transitions = r.transitions > t->transitions ? r.transitions : t->transitions;
    keep(&t->counted, r, r.iterations + r.transitions);
    keep(&t->timed, r, r.microseconds);
    t->steps++;
    t->tracking += answer.status == CLP_TRACKING;
    t->penetrating += answer.status == CLP_PENETRATING;
    t->once += answer.steps <= 1;
  }
}

bool worst_find(long steps)
{
  zoo z;
  tally t = {.steps = 0};
  bool made = zoo_make(&z);
  for (long number = 0; made && t.steps < steps; ++number)
    run_episode(&z, number, &t);
  printf(
      "# %ld steps of %d pairs, %d %% of them jumps: %.2f %% TRACKING, %.2f %% PENETRATING, "
      "%.2f %% in one iteration; at most %d iterations, at most %d transitions\n"
      "# episode step iterations transitions\n",
      t.steps, z.count, JUMPS, 100 * (double)t.tracking / (double)t.steps,
      100 * (double)t.penetrating / (double)t.steps, 100 * (double)t.once / (double)t.steps,
      t.iterations, t.transitions);
  int printed = print_list(&t.counted, NULL, 0, LISTED / 2);
  print_list(&t.timed, &t.counted, printed, LISTED - printed);
  zoo_free(&z);
  return made;
}

/* The episode up to its step `last`. */
static void replay(const zoo *z, long number, int last)
{
  episode e = start(z, number);
  for (int k = 0; k < last; ++k) {
    go_on(&e);
    step(&e);
  }
  go_on(&e);
  worst_step(&e);
}

bool worst_replay(const char *path)
{
  zoo z;
  char line[200];
  FILE *file = fopen(path, "r");
  bool made = zoo_make(&z) && file;
  while (made && fgets(line, sizeof line, file)) {
    char *end;
    long number = strtol(line, &end, 10);
    if (end != line)
      replay(&z, number, (int)strtol(end, NULL, 10));
  }
  if (file)
    fclose(file);
  zoo_free(&z);
  return made;
}
