/* SPDX-License-Identifier: Apache-2.0 */
/* The longest cycles of convex pairs: of those that nothing is easy for, bodies of many facets that
 * overlap and bodies that face each other with parallel planes or on one axis; and of any two.
 *
 *   bench_worst [--steps N] [--class K]   of each class (or one): iterations and times of N steps
 *               [--effort N]              with that much of a cycle (clp_pair_options)
 *               [--first E]               from that episode of each class on
 *   bench_worst --list N                  the hundred longest of N steps of each class, as they
 *                                         count themselves: class, episode, step, iterations, count
 *   bench_worst --replay FILE             these again, for callgrind with
 *                                         --toggle-collect=worst_step --dump-after=worst_step;
 *                                         and what each cycle counts itself
 *
 * A hundred of all: bench_worst --list N | sort -nrk5 | head -n 100
 */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/pair.h"
#include "shapes.h"
#include "test/support/random.h"
#include "worst.h"

enum { EPISODE_STEPS = 50, LISTED = 100 };

#define CYCLE 1e-3

/* ---- Classes ------------------------------------------------------------------------------ */

/* How two bodies move against each other. */
typedef enum manner {
  OVERLAPPING, /* through each other, at any orientation, with a jump in every twelfth step */
  FACING,      /* along one axis, a little aside, turning about it and tilted by next to nothing */
  LYING,       /* side by side, the axes parallel or nearly */
  ANYHOW       /* anywhere between on top of each other and apart, at any orientation */
} manner;

enum { DISC = SHAPES, PLATE, HULL_50, HULL_5000, BODIES };

typedef struct class
{
  const char *name;
  int a, b; /* bodies */
  manner manner;
} class;

static const class hard[] = {
    {"hulls of 50, overlapping", HULL_50, HULL_50, OVERLAPPING},
    {"hulls of 1,000, overlapping", SHAPE_HULL_1000, SHAPE_HULL_1000, OVERLAPPING},
    {"hulls of 5,000, overlapping", HULL_5000, HULL_5000, OVERLAPPING},
    {"hull of 5,000 and box", HULL_5000, SHAPE_BOX, OVERLAPPING},
    {"hull of 5,000 and cylinder", HULL_5000, SHAPE_CYLINDER, OVERLAPPING},
    {"boxes, overlapping", SHAPE_BOX, SHAPE_BOX, OVERLAPPING},
    {"box and cylinder, overlapping", SHAPE_BOX, SHAPE_CYLINDER, OVERLAPPING},
    {"cylinders, overlapping", SHAPE_CYLINDER, SHAPE_CYLINDER, OVERLAPPING},
    {"box and capsule, overlapping", SHAPE_BOX, SHAPE_CAPSULE, OVERLAPPING},
    {"ellipsoids, overlapping", SHAPE_ELLIPSOID, SHAPE_ELLIPSOID, OVERLAPPING},
    {"cone and box, overlapping", SHAPE_CONE, SHAPE_BOX, OVERLAPPING},
    {"discs, overlapping", DISC, DISC, OVERLAPPING},
    {"shells, overlapping", SHAPE_SHELL, SHAPE_SHELL, OVERLAPPING},
    {"shell and cylinder", SHAPE_SHELL, SHAPE_CYLINDER, OVERLAPPING},
    {"discs, facing", DISC, DISC, FACING},
    {"cylinders, facing", SHAPE_CYLINDER, SHAPE_CYLINDER, FACING},
    {"disc and cone, facing", DISC, SHAPE_CONE, FACING},
    {"plate and disc, facing", PLATE, DISC, FACING},
    {"boxes, facing", SHAPE_BOX, SHAPE_BOX, FACING},
    {"plates, facing", PLATE, PLATE, FACING},
    {"hulls of 5,000, facing", HULL_5000, HULL_5000, FACING},
    {"discs, lying", DISC, DISC, LYING},
    {"cylinders, lying", SHAPE_CYLINDER, SHAPE_CYLINDER, LYING},
    {"cylinder and box, lying", SHAPE_CYLINDER, SHAPE_BOX, LYING},
    {"cylinder and capsule, lying", SHAPE_CYLINDER, SHAPE_CAPSULE, LYING},
    {"boxes, lying", SHAPE_BOX, SHAPE_BOX, LYING},
};

enum { HARD = sizeof hard / sizeof *hard, CLASSES = HARD + SHAPES * SHAPES };

/* After the hard ones each shape with each. */
static class class_of(int k)
{
  return k < HARD ? hard[k] : (class){"any two", (k - HARD) / SHAPES, (k - HARD) % SHAPES, ANYHOW};
}

typedef struct zoo {
  shape shapes[SHAPES];
  shape more[2];
  clp_body *bodies[BODIES];
  clp_pair_options options;
} zoo;

static bool zoo_make(zoo *z, int effort)
{
  clp_body_def disc = clp_default_body_def(CLP_SHAPE_CYLINDER);
  clp_body_def plate = clp_default_body_def(CLP_SHAPE_BOX);
  bool made = true;
  *z = (zoo){.options = clp_default_pair_options()};
  z->options.effort = effort;
  disc.radius = 0.4;
  disc.length = 0.1;
  plate.size = (clp_vec3){0.8, 0.6, 0.05};
  shapes_create(z->shapes);
  for (int k = 0; k < SHAPES; ++k)
    z->bodies[k] = z->shapes[k].body;
  clp_body_create(&disc, (clp_reporter){0}, &z->bodies[DISC]);
  clp_body_create(&plate, (clp_reporter){0}, &z->bodies[PLATE]);
  shape_make_hull(&z->more[0], "hull of 50", 50, (clp_vec3){0.5, 0.4, 0.3});
  shape_make_hull(&z->more[1], "hull of 5,000", 5000, (clp_vec3){0.5, 0.4, 0.3});
  z->bodies[HULL_50] = z->more[0].body;
  z->bodies[HULL_5000] = z->more[1].body;
  for (int k = 0; k < BODIES; ++k)
    made = made && z->bodies[k];
  return made;
}

static void zoo_free(zoo *z)
{
  clp_body_destroy(z->bodies[DISC]);
  clp_body_destroy(z->bodies[PLATE]);
  shape_destroy(&z->more[0]);
  shape_destroy(&z->more[1]);
  shapes_destroy(z->shapes);
}

/* ---- Motion ------------------------------------------------------------------------------- */

typedef struct episode {
  random_state g;
  clp_pair *pair;
  manner manner;
  double height, width; /* of both, half: along z and aside */
  clp_pose X_WB;
  clp_twist V_WB;
} episode;

static double half(const clp_body *body, int axis)
{
  clp_box3 box = clp_body_describe(body).bounds;
  return axis == 2 ? 0.5 * (box.max.z - box.min.z) : 0.5 * (box.max.x - box.min.x);
}

/* None, or between a rounding and a hundredth. */
static double next_to_nothing(random_state *g)
{
  return random_bits(g) % 3 == 0 ? 0 : pow(10, random_between(g, -14, -2));
}

static void jump_through(episode *e)
{
  random_state *g = &e->g;
  double reach = e->width + e->height;
  e->X_WB.rotation = clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -1.5, 1.5),
                                           random_between(g, -3, 3));
  double far = e->manner == ANYHOW ? 1.5 : 0.7;
  e->X_WB.position = clp_scale(random_between(g, 0, far) * reach, random_direction(g));
  e->V_WB.linear = clp_scale(random_between(g, 0, 2) * reach, random_direction(g));
  e->V_WB.angular = clp_scale(random_between(g, 0, 4), random_direction(g));
}

/* Where planes or axes are parallel, and what keeps them so, or nearly. */
static void jump_beside(episode *e)
{
  random_state *g = &e->g;
  double gap = pow(10, random_between(g, -4, -0.5)), aside = next_to_nothing(g);
  double tilt = next_to_nothing(g), over = random_bits(g) % 2 ? aside : random_between(g, 0, 0.9);
  bool facing = e->manner == FACING;
  clp_vec3 to = facing ? (clp_vec3){over * e->width, 0, e->height + gap}
                       : (clp_vec3){e->width + gap, 0, over * e->height};
  e->X_WB.rotation = clp_rotation_from_rpy(tilt, next_to_nothing(g), random_between(g, -3, 3));
  e->X_WB.position = to;
  e->V_WB.angular = (clp_vec3){next_to_nothing(g), next_to_nothing(g), random_between(g, -9, 9)};
  e->V_WB.linear = clp_scale(random_between(g, 0, 1), random_direction(g));
  if (random_bits(g) % 2) /* only within the plane that both share */
    e->V_WB.linear = facing ? (clp_vec3){e->V_WB.linear.x, e->V_WB.linear.y, 0}
                            : (clp_vec3){0, e->V_WB.linear.y, e->V_WB.linear.z};
}

static void jump(episode *e)
{
  if (e->manner == FACING || e->manner == LYING)
    jump_beside(e);
  else
    jump_through(e);
}

/* A pair of its own, so that an episode is the same wherever it is repeated; NULL where there is no
 * memory. */
static episode start(const zoo *z, int k, long number)
{
  const class c = class_of(k);
  const clp_body *a = z->bodies[c.a], *b = z->bodies[c.b];
  episode e = {.g = {.s = (uint64_t)number * CLASSES + (uint64_t)k},
               .manner = c.manner,
               .height = half(a, 2) + half(b, 2),
               .width = half(a, 0) + half(b, 0)};
  const clp_pose rest = clp_pose_identity();
  random_bits(&e.g);
  jump(&e);
  if (clp_pair_create(a, b, &z->options, &e.pair) == CLP_OK)
    clp_pair_query(e.pair, &rest, &e.X_WB);
  return e;
}

/* Whether it is a jump. */
static bool go_on(episode *e)
{
  if (random_bits(&e->g) % 100 < 8) {
    jump(e);
    return true;
  }
  clp_twist turn = {.angular = e->V_WB.angular};
  clp_pose turned = {.rotation = e->X_WB.rotation};
  e->X_WB.rotation = clp_pose_after(turned, turn, CYCLE).rotation;
  e->X_WB.position = clp_add_scaled(e->X_WB.position, CYCLE, e->V_WB.linear);
  return false;
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

/* ---- Measuring ---------------------------------------------------------------------------- */

typedef struct record {
  int class, step, iterations;
  long episode;
  int effort; /* as the cycle has counted it, in hundreds of instructions */
  double microseconds;
  clp_pair_status status;
} record;

typedef struct tally {
  record worst[LISTED]; /* the longest first */
  int count;
  long steps, converging, penetrating;
  long smooth, over; /* steps that are no jumps, and those of them with more than 20 iterations */
  int iterations, smooth_iterations; /* the most of a step */
} tally;

static void keep(tally *t, record r)
{
  if (t->count == LISTED && t->worst[LISTED - 1].effort >= r.effort)
    return;
  int k = t->count < LISTED ? t->count++ : LISTED - 1;
  for (; k > 0 && t->worst[k - 1].effort < r.effort; --k)
    t->worst[k] = t->worst[k - 1];
  t->worst[k] = r;
}

static double now(void)
{
  return 1e6 * (double)clock() / CLOCKS_PER_SEC;
}

static void run_episode(const zoo *z, int k, long number, tally *t)
{
  episode e = start(z, k, number);
  for (int i = 0; i < EPISODE_STEPS && e.pair; ++i) {
    bool jumped = go_on(&e);
    e.pair->common.hundreds = 0;
    double before = now();
    clp_answer answer = worst_step(&e);
    double after = now();
    t->steps++;
    t->converging += answer.status == CLP_CONVERGING;
    t->penetrating += answer.status == CLP_PENETRATING;
    t->smooth += !jumped;
    t->over += !jumped && answer.steps > 20;
    if (!jumped && answer.steps > t->smooth_iterations)
      t->smooth_iterations = answer.steps;
    t->iterations = answer.steps > t->iterations ? answer.steps : t->iterations;
    keep(t, (record){k, i, answer.steps, number, e.pair->common.hundreds, after - before,
                     answer.status});
  }
  clp_pair_destroy(e.pair);
}

static tally run_class(const zoo *z, int k, long first, long steps)
{
  tally t = {.count = 0};
  for (long number = 0; number * EPISODE_STEPS < steps; ++number)
    run_episode(z, k, first + number, &t);
  return t;
}

static void print_class(const zoo *z, int k, long first, long steps)
{
  tally t = run_class(z, k, first, steps);
  double all = 100.0 / (double)t.steps;
  printf("%2d %-30s %8d %8d %8.3f %8.3f %8.3f %10.1f\n", k, class_of(k).name, t.iterations,
         t.smooth_iterations, 100.0 * (double)t.over / (double)t.smooth, all * (double)t.converging,
         all * (double)t.penetrating, t.worst[t.count / 2].microseconds);
}

static void print_list(const zoo *z, int k, long first, long steps)
{
  tally t = run_class(z, k, first, steps);
  for (int i = 0; i < t.count; ++i) {
    const record *r = &t.worst[i];
    printf("%d %ld %d %d %d %.1f %s\n", k, r->episode, r->step, r->iterations, 100 * r->effort,
           r->microseconds, clp_pair_status_name(r->status));
  }
}

/* The episode up to its step `last`. */
static void replay(const zoo *z, int k, long number, int last)
{
  episode e = start(z, k, number);
  if (!e.pair)
    return;
  for (int i = 0; i < last; ++i) {
    go_on(&e);
    step(&e);
  }
  go_on(&e);
  e.pair->common.hundreds = 0;
  worst_step(&e);
  printf("%d\n", 100 * e.pair->common.hundreds);
  clp_pair_destroy(e.pair);
}

static int replay_file(const zoo *z, const char *path)
{
  char line[200];
  FILE *file = fopen(path, "r");
  if (!file)
    return EXIT_FAILURE;
  while (fgets(line, sizeof line, file)) {
    char *end;
    long k = strtol(line, &end, 10), number = strtol(end, &end, 10);
    if (end != line && k >= 0 && k < CLASSES)
      replay(z, (int)k, number, (int)strtol(end, NULL, 10));
  }
  fclose(file);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  static zoo z;
  long steps = 20000, only = -1, effort = 0, first = 0;
  const char *file = NULL;
  bool list = false;
  for (int k = 1; k + 1 < argc; k += 2) {
    list = list || strcmp(argv[k], "--list") == 0;
    if (strcmp(argv[k], "--replay") == 0)
      file = argv[k + 1];
    else if (strcmp(argv[k], "--class") == 0)
      only = strtol(argv[k + 1], NULL, 10);
    else if (strcmp(argv[k], "--effort") == 0)
      effort = strtol(argv[k + 1], NULL, 10);
    else if (strcmp(argv[k], "--first") == 0)
      first = strtol(argv[k + 1], NULL, 10);
    else
      steps = strtol(argv[k + 1], NULL, 10);
  }
  if (!zoo_make(&z, (int)effort))
    return EXIT_FAILURE;
  int result = file ? replay_file(&z, file) : EXIT_SUCCESS;
  if (!file && !list)
    printf("   %-30s %8s %8s %8s %8s %8s %10s\n", "", "most it.", "no jump", "% > 20", "% open",
           "% inside", "us, 50th");
  for (int k = 0; k < CLASSES && !file; ++k)
    if (only < 0 || k == only)
      (list ? print_list : print_class)(&z, k, first, steps);
  zoo_free(&z);
  return result;
}
