/* SPDX-License-Identifier: Apache-2.0 */
/* The same bits, whoever does the work. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "support/medley.h"
#include "support/suite.h"

/* ---- Workers ------------------------------------------------------------------------------ */

enum { THREADS_MAX = 3 };

/* A job of some thread: every `stride`-th part of it, from `first` on. */
typedef struct share {
  void (*job)(void *context, int i);
  void *context;
  int first, stride, count;
} share;

typedef struct crew {
  int threads;
  int runs;
} crew;

static void *work(void *user)
{
  const share *s = user;
  for (int i = s->first; i < s->count; i += s->stride)
    s->job(s->context, i);
  return NULL;
}

static void run_on_threads(void *user, void (*job)(void *context, int i), void *context, int count)
{
  crew *c = user;
  pthread_t threads[THREADS_MAX];
  share shares[THREADS_MAX];
  ++c->runs;
  for (int k = 0; k < c->threads; ++k) {
    shares[k] = (share){job, context, k, c->threads, count};
    ck_assert_int_eq(pthread_create(&threads[k], NULL, work, &shares[k]), 0);
  }
  for (int k = 0; k < c->threads; ++k)
    pthread_join(threads[k], NULL);
}

static void run_backwards(void *user, void (*job)(void *context, int i), void *context, int count)
{
  ++*(int *)user;
  for (int i = count - 1; i >= 0; --i)
    job(context, i);
}

/* ---- Runs --------------------------------------------------------------------------------- */

static uint64_t fingerprint(clp_scene_options options, clp_workers workers, int cycles)
{
  options.workers = workers;
  medley m = medley_make(options);
  uint64_t hash = MEDLEY_SEED;
  for (int k = 0; k < cycles; ++k) {
    clp_scene_report report = medley_step(&m);
    hash = medley_mix_cycle(hash, &m, &report);
  }
  medley_destroy(&m);
  return hash;
}

static clp_scene_options options_of(int k)
{
  clp_scene_options options = clp_default_scene_options();
  if (k == 1)
    options.pair.range = 0.8;
  if (k == 2)
    options.nearest_only = true;
  if (k == 3)
    options.max_pairs_per_cycle = 17;
  return options;
}

SUITE("scene_workers");

TEST_CASE("scene_workers", 30);

LOOP_TEST(test_same_bits, 0, 4)
{
  enum { CYCLES = 300 };
  clp_scene_options options = options_of(_i);
  crew two = {.threads = 2}, three = {.threads = 3};
  int turned = 0;
  uint64_t alone = fingerprint(options, (clp_workers){0}, CYCLES);
  ck_assert_uint_eq(fingerprint(options, (clp_workers){0}, CYCLES), alone);
  ck_assert_uint_eq(fingerprint(options, (clp_workers){run_backwards, &turned}, CYCLES), alone);
  ck_assert_uint_eq(fingerprint(options, (clp_workers){run_on_threads, &two}, CYCLES), alone);
  ck_assert_uint_eq(fingerprint(options, (clp_workers){run_on_threads, &three}, CYCLES), alone);
  ck_assert_uint_ne(fingerprint(options, (clp_workers){0}, CYCLES - 1), alone);
  if (_i != 2)
    ck_assert_int_ge(turned, 3 * CYCLES / 4);
  ck_assert_int_eq(two.runs, turned);
  ck_assert_int_eq(three.runs, turned);
}
