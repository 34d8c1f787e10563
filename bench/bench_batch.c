/* SPDX-License-Identifier: Apache-2.0 */
/* Like pairs stepped one by one and four at a time, on the same motions: the ratio of the times in
 * one run, by the registers used, and whether the results are the same to the last bit. */

#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/crowd.h"
#include "bench/seconds.h"
#include "rclc_closest_point/math/pose.h"

enum { CYCLES = 400, ROUNDS = 9 };

/* ---- Bodies and motions ------------------------------------------------------------------- */

static clp_body *body_of(clp_shape shape, double a, double b, double c)
{
  clp_body_def def = clp_default_body_def(shape);
  def.size = (clp_vec3){a, b, c};
  def.radius = a;
  def.length = b;
  clp_body *body = NULL;
  if (clp_body_create(&def, (clp_reporter){0}, &body) != CLP_OK)
    exit(EXIT_FAILURE);
  return body;
}

/* A loop far enough out to stay clear, near enough to slide over the features' middles. */
static void motion_at(double t, double phase, double wobble, clp_pose *X, clp_twist *V)
{
  double w = 2, a = w * t + phase, turn = wobble * sin(a), rate = wobble * w * cos(a);
  X->rotation = clp_rotation_from_rpy(turn, 0, 0);
  X->position = (clp_vec3){1.5 + 0.1 * cos(a), 0.1 * sin(a), 0.05 * sin(2 * a)};
  V->linear = (clp_vec3){-0.1 * w * sin(a), 0.1 * w * cos(a), 0.1 * w * cos(2 * a)};
  V->angular = (clp_vec3){rate, 0, 0};
}

typedef struct contest {
  const char *name;
  clp_body *a, *b;
} contest;

/* ---- Runs --------------------------------------------------------------------------------- */

static void place_all(crowd *c, int cycle)
{
  for (int k = 0; k < CROWD; ++k)
    motion_at(1e-3 * cycle, 0.1 * k, 0.2, &c->X[k], &c->V[k]);
}

typedef struct outcome {
  double seconds;
  long batched;
  uint64_t bits; /* of all distances */
  double worst;  /* difference to those one by one */
} outcome;

static uint64_t mix(uint64_t hash, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (hash ^ bits) * 0x100000001b3u;
}

static outcome run(const contest *w, crowd_way how, double *distances)
{
  static crowd c;
  outcome out = {.bits = 0xcbf29ce484222325u};
  if (!crowd_create(&c, w->a, w->b, 0, 1e-3))
    exit(EXIT_FAILURE);
  for (int cycle = 0; cycle < CYCLES; ++cycle) {
    place_all(&c, cycle);
    double start = now();
    long batched = crowd_step(&c, how);
    if (cycle > 3) {
      out.seconds += now() - start;
      out.batched += batched;
    }
    for (int k = 0; k < CROWD; ++k) {
      double *reference = &distances[cycle * CROWD + k], d = c.answers[k].distance;
      if (how == CROWD_ONE_BY_ONE)
        *reference = d;
      out.worst = fmax(out.worst, fabs(d - *reference));
      out.bits = mix(out.bits, d);
    }
  }
  crowd_destroy(&c);
  return out;
}

static void show(const contest *w)
{
  static double distances[CYCLES * CROWD];
  double seconds[CROWD_WAYS][ROUNDS];
  outcome out[CROWD_WAYS];
  for (int round = 0; round < ROUNDS; ++round)
    for (crowd_way how = CROWD_ONE_BY_ONE; how < CROWD_WAYS; ++how) {
      out[how] = run(w, how, distances);
      seconds[how][round] = out[how].seconds;
    }
  for (crowd_way how = CROWD_ONE_BY_ONE; how < CROWD_WAYS; ++how)
    qsort(seconds[how], ROUNDS, sizeof seconds[how][0], ascending);
  double single = seconds[CROWD_ONE_BY_ONE][0];
  printf("%-24s %9.0f %8.2f %8.2f %9.1f%% %12.1e %s\n", w->name,
         1e9 * single / ((CYCLES - 4.0) * CROWD), single / seconds[CROWD_PLAIN][0],
         single / seconds[CROWD_BEST][0],
         100.0 * (double)out[CROWD_BEST].batched / ((CYCLES - 4.0) * CROWD), out[CROWD_BEST].worst,
         out[CROWD_PLAIN].bits == out[CROWD_BEST].bits ? "same" : "DIFFERENT");
}

int main(void)
{
  contest contests[] = {
      {"ellipsoid, ellipsoid", body_of(CLP_SHAPE_ELLIPSOID, 0.5, 0.4, 0.3),
       body_of(CLP_SHAPE_ELLIPSOID, 0.3, 0.2, 0.4)},
      {"sphere, sphere", body_of(CLP_SHAPE_SPHERE, 0.3, 0, 0),
       body_of(CLP_SHAPE_SPHERE, 0.4, 0, 0)},
      {"box, sphere", body_of(CLP_SHAPE_BOX, 1, 1, 1), body_of(CLP_SHAPE_SPHERE, 0.4, 0, 0)},
      {"capsule, sphere", body_of(CLP_SHAPE_CAPSULE, 0.2, 1, 0),
       body_of(CLP_SHAPE_SPHERE, 0.4, 0, 0)},
      {"capsule, capsule", body_of(CLP_SHAPE_CAPSULE, 0.2, 1, 0),
       body_of(CLP_SHAPE_CAPSULE, 0.1, 0.8, 0)},
      {"ellipsoid, point", body_of(CLP_SHAPE_ELLIPSOID, 0.5, 0.4, 0.3),
       body_of(CLP_SHAPE_POINT, 0, 0, 0)},
  };
  printf("%-24s %9s %8s %8s %10s %12s %s\n", "like pairs", "ns single", "plain x", "wide x",
         "batched", "difference", "bits");
  for (size_t k = 0; k < sizeof contests / sizeof contests[0]; ++k) {
    show(&contests[k]);
    clp_body_destroy(contests[k].a);
    clp_body_destroy(contests[k].b);
  }
  return EXIT_SUCCESS;
}
