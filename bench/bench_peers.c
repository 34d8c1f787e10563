/* SPDX-License-Identifier: Apache-2.0 */
/* The tracked step beside other libraries, on the same bodies and poses, in one run.
 *
 *   bench_peers                        a table of each workload
 *   bench_peers W1                     one workload's
 *   bench_peers --count N W1 METHOD    N steps of one workload by method number METHOD of its table
 *                                      (0 is ours) and nothing else, to count instructions:
 *     valgrind --tool=callgrind bench_peers --count 2000 W1 0
 *
 * bench/README.md says how to read the table. */

#define _POSIX_C_SOURCE 200112L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/peers/peer.h"
#include "bench/workloads.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/pair.h"

enum { STEPS = WORKLOAD_STEPS, MOST_METHODS = 24, MOST_ROUNDS = 15, LEAST_ROUNDS = 4 };

/* The processor's time of this process: other work on the machine does not count. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Ours, behind the same interface ------------------------------------------------------- */

typedef struct track {
  clp_pair *pair;
  clp_twist twists[2][STEPS]; /* forwards and backwards in time */
  clp_pose poses[STEPS];
  int last;
} track;

static void track_destroy(track *t)
{
  clp_pair_destroy(t->pair);
  free(t);
}

static track *track_create(const workload *w)
{
  track *t = calloc(1, sizeof *t);
  if (t == NULL || clp_pair_create(w->a, w->b, NULL, &t->pair) != CLP_OK) {
    free(t);
    return NULL;
  }
  for (int k = 0; k < STEPS; ++k) {
    w->motion(k * 1e-3, &t->poses[k], &t->twists[0][k]);
    t->twists[1][k] =
        (clp_twist){clp_negate(t->twists[0][k].linear), clp_negate(t->twists[0][k].angular)};
  }
  return t;
}

static const clp_pose at_rest = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};

static double track_distance(track *t, int k)
{
  clp_answer answer =
      clp_pair_track(t->pair, &at_rest, &t->poses[k], &still, &t->twists[k < t->last][k], 1e-3);
  t->last = k;
  return answer.status == CLP_TRACKING ? answer.distance : (double)NAN;
}

/* The step without what proves that nothing else of a pair that is not convex is nearer. So it is
 * what other libraries' local searches are. Where the step declines, all of it steps in. */
static double track_distance_alone(track *t, int k)
{
  clp_pair *pair = t->pair;
  clp_stride stride;
  if (!pair->started)
    return track_distance(t, k);
  const clp_pose *X_W[] = {&at_rest, &t->poses[k]};
  const clp_twist *V_W[] = {&still, &t->twists[k < t->last][k]};
  int a = pair->turned, b = !pair->turned;
  clp_cycle_move(&pair->cycle, X_W[a], V_W[a], X_W[b], V_W[b]);
  clp_cycle_place(&pair->cycle, X_W[a], X_W[b]);
  pair->cycle.step = 1e-3;
  if (!clp_stride_take(&pair->cycle, &pair->spots, &pair->rates, &stride))
    return track_distance(t, k);
  t->last = k;
  pair->spots = stride.spots;
  clp_pair_remember_rates(pair, stride.rates);
  return clp_distance(stride.look.f, stride.look.h);
}

/* ---- Methods ------------------------------------------------------------------------------ */

/* One row of a table. */
typedef struct method {
  const char *name, *representation;
  const peer_pair *peer; /* NULL: ours */
  bool alone;            /* ours without the proof */
  void *state;
  double rounds[MOST_ROUNDS]; /* seconds of each round's pass */
  int round_count;
  double errors[STEPS];
  int answers;
} method;

static const peer_pair *const libraries[] = {
#ifdef PEER_FCL
    peer_fcl_pairs,
#endif
#ifdef PEER_BULLET
    peer_bullet_pairs,
#endif
#ifdef PEER_OCCT
    peer_occt_pairs,
#endif
    NULL};

static double method_distance(const method *m, int k)
{
  if (m->peer)
    return m->peer->distance(m->state, k);
  return m->alone ? track_distance_alone(m->state, k) : track_distance(m->state, k);
}

static void method_destroy(method *m)
{
  if (m->peer)
    m->peer->destroy(m->state);
  else
    track_destroy(m->state);
}

/* Ours, which is also the step alone where convexity proves all, or else that apart. */
static int create_ours(const workload *w, method *methods)
{
  track *ours = track_create(w), *alone = NULL;
  if (ours == NULL)
    return 0;
  methods[0] = (method){"this library", "exact, tracked, certified", .state = ours};
  if (ours->pair->way->planes || (alone = track_create(w)) == NULL)
    return 1;
  methods[1] = (method){"this library, step alone", "exact, tracked, not certified", .alone = true,
                        .state = alone};
  return 2;
}

/* Ours first, then every peer's method that knows the workload's shapes. */
static int create_methods(const workload *w, method *methods)
{
  int count = create_ours(w, methods);
  const track *ours = methods[0].state;
  if (count == 0)
    return 0;
  for (const peer_pair *const *library = libraries; *library; ++library) {
    for (const peer_pair *p = *library; p->name && count < MOST_METHODS; ++p) {
      void *state = p->create(&w->def_a, &w->def_b, ours->poses, STEPS);
      if (state)
        methods[count++] = (method){p->name, p->representation, .peer = p, .state = state};
    }
  }
  return count;
}

/* ---- Errors ------------------------------------------------------------------------------- */

/* Distances asked from scratch, and the widest interval among them, relative. */
static double make_reference(const workload *w, const clp_pose *poses, double *reference)
{
  clp_pair *pair = NULL;
  const clp_pose rest = clp_pose_identity();
  if (clp_pair_create(w->a, w->b, NULL, &pair) != CLP_OK)
    return HUGE_VAL;
  double widest = 0;
  for (int k = 0; k < STEPS; ++k) {
    clp_answer answer = clp_pair_query(pair, &rest, &poses[k]);
    reference[k] = answer.distance;
    widest = fmax(widest, (answer.distance - answer.lower_bound) / answer.distance);
  }
  clp_pair_destroy(pair);
  return widest;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of at most STEPS values; the one in the middle is number count / 2, the largest the last. */
static double ranked(const double *values, int count, int number)
{
  double sorted[STEPS];
  if (count == 0)
    return (double)NAN;
  memcpy(sorted, values, (size_t)count * sizeof *values);
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  return sorted[number];
}

static double median(const double *values, int count)
{
  return ranked(values, count, count / 2);
}

/* One pass, which also warms everything up; returns its seconds. */
static double measure_errors(method *m, const double *reference)
{
  double start = now();
  for (int k = 0; k < STEPS; ++k) {
    double distance = method_distance(m, k);
    if (!isnan(distance))
      m->errors[m->answers++] = fabs(distance - reference[k]) / reference[k];
  }
  return now() - start;
}

/* ---- Times -------------------------------------------------------------------------------- */

/* Through the poses and back again, round by round, so that the motion is smooth throughout. */
static double time_pass(method *m, int round)
{
  double start = now(), sum = 0;
  for (int k = 0; k < STEPS; ++k)
    sum += method_distance(m, round % 2 ? k : STEPS - 1 - k);
  double seconds = now() - start;
  return isinf(sum) ? HUGE_VAL : seconds;
}

/* The methods take turns, so that a slow spell of the machine meets all of them; slow ones leave
 * after fewer rounds. */
static void time_methods(method *methods, int count, const double *first)
{
  for (int round = 0; round < MOST_ROUNDS; ++round)
    for (int i = 0; i < count; ++i)
      if (round < LEAST_ROUNDS || (round + 1) * first[i] < 1)
        methods[i].rounds[methods[i].round_count++] = time_pass(&methods[i], round);
}

/* The median over the rounds of how many times ours the round's pass took. */
static double ratio_to(const method *ours, const method *m)
{
  double ratios[MOST_ROUNDS];
  int common = m->round_count < ours->round_count ? m->round_count : ours->round_count;
  for (int round = 0; round < common; ++round)
    ratios[round] = m->rounds[round] / ours->rounds[round];
  return median(ratios, common);
}

/* ---- Table -------------------------------------------------------------------------------- */

static void print_table(const workload *w, const method *methods, int count, double certified)
{
  const method *ours = &methods[0], *step = methods[1].alone ? &methods[1] : ours;
  printf("\n%s %s; the reference is certified to %.0e\n", w->name, w->what, certified);
  printf("%2s  %-30s %-39s %9s %8s %8s %9s %9s %7s\n", "", "library", "representation", "ns/step",
         "/ ours", "/ step", "error", "worst", "misses");
  for (int i = 0; i < count; ++i) {
    const method *m = &methods[i];
    printf("%2d  %-30s %-39s %9.0f %8.2f %8.2f %9.1e %9.1e %7d\n", i, m->name, m->representation,
           1e9 * median(m->rounds, m->round_count) / STEPS, ratio_to(ours, m), ratio_to(step, m),
           median(m->errors, m->answers), ranked(m->errors, m->answers, m->answers - 1),
           STEPS - m->answers);
  }
}

static bool compare(const workload *w)
{
  method *methods = calloc(MOST_METHODS, sizeof *methods);
  double *reference = malloc(STEPS * sizeof *reference), first[MOST_METHODS];
  int count = methods && reference ? create_methods(w, methods) : 0;
  if (count > 0) {
    const track *ours = methods[0].state;
    double certified = make_reference(w, ours->poses, reference);
    for (int i = 0; i < count; ++i)
      first[i] = measure_errors(&methods[i], reference);
    time_methods(methods, count, first);
    print_table(w, methods, count, certified);
  }
  for (int i = 0; i < count; ++i)
    method_destroy(&methods[i]);
  free(methods);
  free(reference);
  return count > 0;
}

/* Nothing but one method's steps, but for what building it takes. */
static bool count_only(const workload *w, long steps, int number)
{
  method *methods = calloc(MOST_METHODS, sizeof *methods);
  int count = methods ? create_methods(w, methods) : 0;
  bool known = number >= 0 && number < count;
  for (long k = 0; known && k < steps; ++k)
    method_distance(&methods[number], (int)(k % STEPS));
  for (int i = 0; i < count; ++i)
    method_destroy(&methods[i]);
  free(methods);
  return known;
}

int main(int argc, char **argv)
{
  bool counting = argc == 5 && strcmp(argv[1], "--count") == 0;
  const char *wanted = counting ? argv[3] : argc == 2 ? argv[1] : NULL;
  if (!counting && argc > 2) {
    fprintf(stderr, "usage: bench_peers [WORKLOAD | --count N WORKLOAD METHOD]\n");
    return 2;
  }
  bool found = false, good = true;
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    if (wanted == NULL || strcmp(w.name, wanted) == 0) {
      found = true;
      good &= counting ? count_only(&w, strtol(argv[2], NULL, 10), (int)strtol(argv[4], NULL, 10))
                       : compare(&w);
    }
    workload_destroy(&w);
  }
  if (!found || !good)
    fprintf(stderr, "bench_peers: %s\n",
            found ? "a workload or method failed" : "no such workload");
  return found && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
