/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct clp_arena_chunk {
  clp_arena_chunk *next;
  size_t used, capacity; /* bytes of `bytes` */
  alignas(max_align_t) unsigned char bytes[];
};

/* Large enough that a usual body takes a handful of chunks. */
#define CHUNK_BYTES ((size_t)64 * 1024)

static clp_arena_chunk *add_chunk(clp_arena *arena, size_t bytes)
{
  size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
  clp_arena_chunk *chunk = NULL;
  if (capacity <= SIZE_MAX - sizeof *chunk)
    chunk = calloc(1, sizeof *chunk + capacity);
  if (!chunk) {
    arena->failed = true;
    return NULL;
  }
  chunk->capacity = capacity;
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  return chunk;
}

void *clp_arena_take(clp_arena *arena, size_t count, size_t size)
{
  const size_t alignment = alignof(max_align_t);
  if (size != 0 && count > (SIZE_MAX - alignment) / size) {
    arena->failed = true;
    return NULL;
  }
  size_t bytes = (count * size + alignment - 1) / alignment * alignment;
  clp_arena_chunk *chunk = arena->chunks;
  if (!chunk || chunk->capacity - chunk->used < bytes)
    chunk = add_chunk(arena, bytes);
  if (!chunk)
    return NULL;
  void *memory = chunk->bytes + chunk->used;
  chunk->used += bytes;
  return memory;
}

void *clp_arena_grow(clp_arena *arena, void *array, size_t used, size_t *capacity, size_t size)
{
  if (used < *capacity)
    return array;
  size_t wanted = *capacity ? 2 * *capacity : 16;
  void *moved = clp_arena_take(arena, wanted, size);
  if (!moved)
    return NULL;
  if (used)
    memcpy(moved, array, used * size);
  *capacity = wanted;
  return moved;
}

char *clp_arena_string(clp_arena *arena, const char *text)
{
  size_t length = strlen(text) + 1;
  char *copy = clp_arena_take(arena, length, 1);
  if (copy)
    memcpy(copy, text, length);
  return copy;
}

clp_arena_mark clp_arena_here(const clp_arena *arena)
{
  return (clp_arena_mark){arena->chunks, arena->chunks ? arena->chunks->used : 0};
}

void clp_arena_back(clp_arena *arena, clp_arena_mark mark)
{
  clp_arena_chunk *chunk = arena->chunks;
  if (!chunk || chunk != mark.chunk)
    return;
  memset(chunk->bytes + mark.used, 0, chunk->used - mark.used);
  chunk->used = mark.used;
}

void clp_arena_release(clp_arena *arena)
{
  while (arena->chunks) {
    clp_arena_chunk *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
  arena->failed = false;
}
