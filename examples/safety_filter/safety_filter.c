/* SPDX-License-Identifier: Apache-2.0 */
/* An arm tracks a task among a person, a machine and furniture, through a filter that keeps it away
 * from all of them: of all accelerations (or speeds) that hold every barrier it takes the one that
 * is nearest to what the task asks for, a thousand times a second.
 *
 *   safety_filter CELL FOLDER   four goals, by speeds and by accelerations, and by accelerations
 *                               on hulls: FOLDER gets a table of each, stdout the figures
 *   safety_filter CELL --random N S [FIRST]
 *                               N random runs of S seconds, from that number on (0): 1 when a
 *                               margin was violated. Each run is the same whatever runs before it.
 *
 * A barrier keeps h = lower bound - margin above zero, the bound that is proven of the distance. By
 * speeds, h' >= -K h; by accelerations, with both rates K,
 *     h'' + 2 K h' + K^2 h >= 0,      h'' = v.second v + gradient.u + what the person does. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "nearest.h"
#include "task.h"

static const double period = 1e-3; /* s */
static const double margin = 0.03; /* m */
static const double rate = 12;     /* 1/s, of barriers */

/* What a period may take off the bound beyond what derivatives at its start say (m). */
static const double reserve = 5e-4;

/* Where a pair has no second derivative, or its rate has fallen below what the barrier allows, as
 * it may when another corner of a body becomes the nearest, it is to be right after so long (s). */
static const double horizon = 0.01;

typedef enum order { BY_SPEEDS = 1, BY_ACCELERATIONS } order;

typedef struct run {
  cell *c;
  order order;
  double phase, time;
  double v[CELL_AXES], u[CELL_AXES];
  double least; /* the lowest bound so far (m) */
  long contradictions, cycles, binding;
} run;

/* ---- What the task asks for ----------------------------------------------------------------- */

static void wish(const run *r, clp_vec3 goal, double *x)
{
  task_speeds(r->c, goal, x);
  for (int k = 0; k < CELL_AXES && r->order == BY_ACCELERATIONS; ++k)
    x[k] = 20 * (x[k] - r->v[k]);
}

/* ---- Barriers ------------------------------------------------------------------------------- */

/* The rate that is not the arm's, and of second derivatives everything but gradient.u. */
static void rest_of(const run *r, const clp_joint_row *row, double rest[2])
{
  const cell *c = r->c;
  int arm = clp_joint_space_coordinate(c->space, c->first);
  rest[0] = row->rate_rest;
  rest[1] = 0;
  for (int i = 0; i < c->size; ++i) {
    bool own = i >= arm && i < arm + CELL_AXES;
    rest[0] += own ? 0 : row->gradient[i] * c->speeds[i];
    rest[1] += own ? 0 : row->gradient[i] * c->changes[i];
    for (int j = 0; j < c->size && row->branches > 0; ++j)
      rest[1] += c->speeds[i] * row->second[i * c->size + j] * c->speeds[j];
  }
}

static nearest_row barrier(const run *r, const clp_joint_row *row)
{
  int arm = clp_joint_space_coordinate(r->c->space, r->c->first);
  double h = row->answer.lower_bound - margin - reserve, rest[2], changes;
  nearest_row to = {.b = 0};
  rest_of(r, row, rest);
  memcpy(to.a, &row->gradient[arm], CELL_AXES * sizeof *to.a);
  changes = rest[0];
  for (int k = 0; k < CELL_AXES; ++k)
    changes += to.a[k] * r->v[k];
  double over = changes + rate * h; /* not below zero */
  if (r->order == BY_SPEEDS)
    to.b = -rate * h - rest[0];
  else if (row->branches > 0)
    to.b = (over < 0 ? -over / horizon : -rate * over) - rate * changes - rest[1];
  else
    to.b = -over / horizon;
  return to;
}

/* The axes' own limits, of places and speeds, as barriers too. */
static int limits(const run *r, nearest_row *rows)
{
  int count = 0;
  for (int k = 0; k < CELL_AXES; ++k) {
    clp_joint joint = clp_joint_tree_joint(r->c->tree, r->c->first + k);
    double q = r->c->states[r->c->first + k].position, v = r->v[k];
    for (int sign = -1; sign <= 1; sign += 2) {
      double left = sign > 0 ? joint.upper - q : q - joint.lower;
      double most = fmin(joint.max_speed, rate * left);
      if (r->order == BY_ACCELERATIONS)
        most = fmin(50 * (joint.max_speed - sign * v), rate * rate * left - 2 * rate * sign * v);
      rows[count] = (nearest_row){.b = -most};
      rows[count++].a[k] = -sign;
    }
  }
  return count;
}

/* One period. Allocates nothing. */
static void cycle(run *r, clp_vec3 goal)
{
  static nearest_row rows[NEAREST_ROWS + 2 * CELL_AXES];
  cell *c = r->c;
  double x[CELL_AXES], wished[CELL_AXES];
  int arm = clp_joint_space_coordinate(c->space, c->first);
  cell_move_person(c, r->time, r->phase);
  memcpy(&c->speeds[arm], r->v, sizeof r->v);
  cell_step(c, r->time, r->cycles == 0);
  wish(r, goal, x);
  memcpy(wished, x, sizeof x);
  int count = limits(r, rows);
  for (int k = 0; k < c->pair_count; ++k)
    if (c->rows[k].known && c->rows[k].answer.status != CLP_OUT_OF_RANGE)
      rows[count++] = barrier(r, &c->rows[k]);
  r->contradictions += !nearest_or_least(rows, count, CELL_AXES, x);
  r->binding += memcmp(wished, x, sizeof x) != 0;
  r->least = fmin(r->least, c->least);
  for (int k = 0; k < CELL_AXES; ++k) {
    double u = r->order == BY_SPEEDS ? (x[k] - r->v[k]) / period : x[k];
    double v = r->order == BY_SPEEDS ? x[k] : r->v[k];
    c->states[c->first + k].position +=
        period * v + (r->order == BY_SPEEDS ? 0 : 0.5 * period * period * u);
    r->v[k] = r->order == BY_SPEEDS ? x[k] : r->v[k] + period * u;
    r->u[k] = u;
  }
  r->time += period;
  ++r->cycles;
}

/* ---- Four goals ----------------------------------------------------------------------------- */

static const clp_vec3 goals[] = {
    {0.25, 0.55, 1.2}, {0.45, 0.0, 1.1}, {-0.3, 0.75, 1.25}, {0.35, 0.1, 0.75}};
enum { GOALS = 4, CYCLES = 2500, AFTER = 50 };

static bool tell(const char *path, const char *folder, const char *name, order by, bool hulls)
{
  static cell c;
  char file[1024];
  snprintf(file, sizeof file, "%s/%s.csv", folder, name);
  FILE *out = cell_create(path, hulls, &c) ? fopen(file, "w") : NULL;
  run r = {.c = &c, .order = by, .least = HUGE_VAL};
  double roughest = 0; /* the largest change of an axis' acceleration in one period */
  if (!out)
    return false;
  fprintf(out, "t,distance,margin,acceleration,change\n");
  for (int k = 0; k < GOALS * CYCLES; ++k) {
    double before[CELL_AXES], u2 = 0, change = 0;
    memcpy(before, r.u, sizeof before);
    cycle(&r, goals[k / CYCLES]);
    for (int i = 0; i < CELL_AXES; ++i) {
      u2 += r.u[i] * r.u[i];
      change = fmax(change, fabs(r.u[i] - before[i]));
    }
    if (k % CYCLES > AFTER) /* a new goal is a jump of what is wished for */
      roughest = fmax(roughest, change);
    fprintf(out, "%.3f,%.6f,%.3f,%.6g,%.6g\n", r.time, c.least, margin, sqrt(u2), change);
  }
  printf("%s_least_m,%.6f\n%s_binding,%.4f\n%s_contradictions,%ld\n%s_change_rad_s2,%.6g\n", name,
         r.least, name, (double)r.binding / (double)r.cycles, name, r.contradictions, name,
         roughest);
  bool fine = fclose(out) == 0;
  cell_destroy(&c);
  return fine;
}

/* ---- Random runs ---------------------------------------------------------------------------- */

/* splitmix64 */
static double random_between(unsigned long long *s, double lo, double hi)
{
  unsigned long long z = (*s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return lo + (hi - lo) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

/* From anywhere that is clear by two centimeters more than the margin. */
static void start(cell *c, double phase, unsigned long long *s)
{
  do {
    for (int k = 0; k < CELL_AXES; ++k) {
      clp_joint joint = clp_joint_tree_joint(c->tree, c->first + k);
      c->states[c->first + k].position =
          random_between(s, fmax(joint.lower, -2.5), fmin(joint.upper, 2.5));
    }
    cell_move_person(c, 0, phase);
    cell_step(c, 0, true);
  } while (c->least < margin + 0.02);
}

static int random_runs(const char *path, long count, double seconds, long first)
{
  static cell c;
  long violations = 0, contradictions = 0, cycles = 0, binding = 0;
  double least = HUGE_VAL;
  if (!cell_create(path, false, &c))
    return 2;
  for (long k = first; k < first + count; ++k) {
    unsigned long long s = (unsigned long long)k << 32;
    run r = {.c = &c, .order = k % 4 ? BY_ACCELERATIONS : BY_SPEEDS, .least = HUGE_VAL};
    r.phase = random_between(&s, 0, 6);
    start(&c, r.phase, &s);
    clp_vec3 goal = {random_between(&s, -0.9, 1.3), random_between(&s, -0.6, 1.3),
                     random_between(&s, 0.6, 1.7)};
    while (r.time < seconds)
      cycle(&r, goal);
    if (r.least < margin && violations < 10)
      printf("run %ld, order %d: %.6f m\n", k, (int)r.order, r.least);
    violations += r.least < margin;
    least = fmin(least, r.least);
    contradictions += r.contradictions;
    cycles += r.cycles;
    binding += r.binding;
  }
  printf(
      "%ld runs, %ld cycles, %ld in which the filter changed something, %ld contradictions: "
      "%ld violations, %.6f m at least\n",
      count, cycles, binding, contradictions, violations, least);
  cell_destroy(&c);
  return violations > 0;
}

int main(int argc, char **argv)
{
  if ((argc == 5 || argc == 6) && strcmp(argv[2], "--random") == 0)
    return random_runs(argv[1], strtol(argv[3], NULL, 10), strtod(argv[4], NULL),
                       argc == 6 ? strtol(argv[5], NULL, 10) : 0);
  bool fine = argc == 3 && tell(argv[1], argv[2], "speeds", BY_SPEEDS, false) &&
              tell(argv[1], argv[2], "accelerations", BY_ACCELERATIONS, false) &&
              tell(argv[1], argv[2], "hulls", BY_ACCELERATIONS, true);
  if (!fine)
    fputs("usage: safety_filter CELL FOLDER | CELL --random RUNS SECONDS [FIRST]\n", stderr);
  return fine ? 0 : 2;
}
