/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "rclc_closest_point/scene.h"

/* Helping threads for a scene's workers: they wait for work without sleeping, as what is to be done
 * takes some microseconds and waking a thread takes as many. Nobody waits for a helper that has not
 * come in: who calls does what is left. */

enum { POOL_MOST = 63 };

typedef struct pool {
  pthread_t threads[POOL_MOST];
  int size;
  atomic_int gate; /* 0: closed; else open, and one more than there are helpers inside */
  atomic_int next; /* job to be taken */
  atomic_bool quit;
  void (*job)(void *context, int i); /* of the round that the gate is open for */
  void *context;
  int count;
} pool;

/* Starts so many helpers; false where that fails. */
bool pool_start(pool *p, int helpers);
void pool_stop(pool *p);

/* To be given to a scene; the pool outlives it. */
clp_workers pool_workers(pool *p);

#endif
