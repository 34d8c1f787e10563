/* SPDX-License-Identifier: Apache-2.0 */
/* Ten thousand people approach a robot that obeys ~/safety, everything at its worst: does it ever
 * touch one while it moves, is it ever late, and how much farther away than necessary does it
 * stop? One line for each approach, for docs/figures/safety.gp; the summary is on standard error.
 * Or one person who passes by, cycle by cycle.
 *
 *   bench_safety [APPROACHES] > approaches.csv
 *   bench_safety --one > one.csv
 *
 * Judged by counts, not by time. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/approach.h"

static const char *const kinds[APPROACH_KINDS] = {"charge", "heedless", "pass", "roam"};

typedef struct totals {
  long approaches, stopped, late, contacts;
  double least_moving;
  double *early; /* of those that were stopped */
} totals;

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void add(totals *t, const approach_result *result)
{
  ++t->approaches;
  t->late += result->late;
  t->contacts += result->contacts;
  t->least_moving = fmin(t->least_moving, result->least_moving);
  if (result->stopped)
    t->early[t->stopped++] = result->early;
}

static void print(const char *name, totals *t)
{
  qsort(t->early, (size_t)t->stopped, sizeof *t->early, ascending);
  double q[5];
  for (int k = 0; k < 5; ++k)
    q[k] = t->stopped > 0 ? t->early[(t->stopped - 1) * k / 4] : (double)NAN;
  fprintf(stderr, "%-8s %6ld %7ld %5ld %8ld %9.4f   %7.3f %7.3f %7.3f %7.3f %7.3f\n", name,
          t->approaches, t->stopped, t->late, t->contacts, t->least_moving, q[0], q[1], q[2], q[3],
          q[4]);
}

/* The monitor's default parameters. */
static int trace_one(void)
{
  random_state g = {4};
  approach x = approach_draw(&g, APPROACH_PASS);
  x.human_speed = 1.2;
  x.robot_speed = 1;
  x.told_reaction = x.reaction_time = 0.1;
  x.stopping_time = 0.3;
  x.stopping_distance = 0.15;
  x.intrusion = 0.1;
  x.uncertainty = 0.02;
  x.human_period = 20;
  x.human_delay = 10;
  x.robot_period = 4;
  x.robot_delay = 2;
  x.lost = 0;
  x.starts_at = 1;
  x.start = (clp_vec3){1.6, -3.4, 0.9};
  x.heading = (clp_vec3){0, 1, 0};
  x.trace = stdout;
  puts("t,distance,separation,required,scale,pace,zone");
  return approach_run(&x, 7000).failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  if (argc > 1 && strcmp(argv[1], "--one") == 0)
    return trace_one();
  int count = argc > 1 ? atoi(argv[1]) : 1000;
  totals all[APPROACH_KINDS];
  for (int k = 0; k < APPROACH_KINDS; ++k)
    all[k] = (totals){.least_moving = HUGE_VAL,
                      .early = calloc((size_t)count + 1, sizeof *all[k].early)};
  random_state g = {2026};
  printf("kind,sharp,stopped,least_moving,early,at_standstill\n");
  for (int k = 0; k < count; ++k) {
    approach_kind kind = (approach_kind)(k % APPROACH_KINDS);
    approach x = approach_draw(&g, kind);
    approach_result result = approach_run(&x, 5000);
    if (result.failed || !all[kind].early)
      return EXIT_FAILURE;
    add(&all[kind], &result);
    printf("%s,%d,%d,%.6g,%.6g,%.6g\n", kinds[kind], x.human_delay == 0, result.stopped,
           result.least_moving, result.early, result.at_standstill);
  }
  fprintf(stderr, "%-8s %6s %7s %5s %8s %9s   %s\n", "", "", "stopped", "late", "contacts",
          "nearest", "early: least, quartiles, most");
  for (int k = 0; k < APPROACH_KINDS; ++k) {
    print(kinds[k], &all[k]);
    free(all[k].early);
  }
  return EXIT_SUCCESS;
}
