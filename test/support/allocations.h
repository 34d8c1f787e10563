/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ALLOCATIONS_H
#define TEST_SUPPORT_ALLOCATIONS_H

#include <stddef.h>

/* How often memory has been asked for, and for how many bytes. Whoever includes this is linked with
 * --wrap=malloc,--wrap=calloc,--wrap=realloc, which catches the calls of everything that is linked
 * statically. */
static long allocations;
static double allocated_bytes;
static long allocations_granted = -1; /* those that follow fail; -1: none does */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static int is_refused(void)
{
  if (allocations_granted > 0)
    --allocations_granted;
  else if (allocations_granted == 0)
    return 1;
  return 0;
}

void *__wrap_malloc(size_t size)
{
  if (is_refused())
    return NULL;
  ++allocations;
  allocated_bytes += (double)size;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  if (is_refused())
    return NULL;
  ++allocations;
  allocated_bytes += (double)count * (double)size;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
  if (is_refused())
    return NULL;
  ++allocations;
  allocated_bytes += (double)size;
  return __real_realloc(memory, size);
}

static inline long allocation_count(void)
{
  return allocations;
}

#endif
