/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sched_yield */

#include "bench/pool.h"

#include <sched.h>

/* Looks at the gate before a helper lets others have its core: some ten microseconds. */
enum { PATIENCE = 20000 };

static void work(pool *p)
{
  for (int i; (i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed)) < p->count;)
    p->job(p->context, i);
}

/* A helper that is inside may read the round, as it stands until everybody has left. */
static bool enter(pool *p)
{
  int inside = atomic_load_explicit(&p->gate, memory_order_relaxed);
  return inside > 0 &&
         atomic_compare_exchange_strong_explicit(&p->gate, &inside, inside + 1,
                                                 memory_order_acquire, memory_order_relaxed);
}

static void leave(pool *p)
{
  atomic_fetch_sub_explicit(&p->gate, 1, memory_order_release);
}

static void *help(void *user)
{
  pool *p = user;
  for (int idle = 0; !atomic_load_explicit(&p->quit, memory_order_relaxed); ++idle) {
    if (enter(p)) {
      work(p);
      leave(p);
      idle = 0;
    } else if (idle >= PATIENCE) {
      sched_yield();
    }
  }
  return NULL;
}

static void run(void *user, void (*job)(void *context, int i), void *context, int count)
{
  pool *p = user;
  p->job = job;
  p->context = context;
  p->count = count;
  atomic_store_explicit(&p->next, 0, memory_order_relaxed);
  atomic_store_explicit(&p->gate, 1, memory_order_release);
  work(p);
  for (int open = 1; !atomic_compare_exchange_weak_explicit(
           &p->gate, &open, 0, memory_order_acquire, memory_order_relaxed);)
    open = 1;
}

bool pool_start(pool *p, int helpers)
{
  *p = (pool){.size = 0};
  atomic_init(&p->gate, 0);
  atomic_init(&p->next, 0);
  atomic_init(&p->quit, false);
  while (p->size < helpers && p->size < POOL_MOST) {
    if (pthread_create(&p->threads[p->size], NULL, help, p) != 0) {
      pool_stop(p);
      return false;
    }
    ++p->size;
  }
  return true;
}

void pool_stop(pool *p)
{
  atomic_store(&p->quit, true);
  for (int k = 0; k < p->size; ++k)
    pthread_join(p->threads[k], NULL);
  p->size = 0;
}

clp_workers pool_workers(pool *p)
{
  return (clp_workers){run, p};
}
