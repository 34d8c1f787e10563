/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/place_index.h"

#include "rclc_closest_point/math/vec3.h"

#define NOTHING UINT32_MAX

/* Cells much wider than the tolerance keep most searches in one cell. */
static double cell_width(const clp_place_index *index)
{
  return 8 * index->tolerance;
}

typedef struct cell {
  int64_t x, y, z;
} cell;

/* Rounded downwards, without asking the library to. */
static int64_t cell_of(const clp_place_index *index, double offset)
{
  double number = offset / cell_width(index);
  number = number > 9e15 ? 9e15 : number > -9e15 ? number : -9e15;
  int64_t towards_zero = (int64_t)number;
  return towards_zero - (number < (double)towards_zero);
}

static size_t bucket_of(const clp_place_index *index, cell c)
{
  uint64_t h = (uint64_t)c.x * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 29) ^ (uint64_t)c.y) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 31) ^ (uint64_t)c.z) * 0x94d049bb133111ebu;
  return (size_t)(h ^ (h >> 32)) & (index->bucket_count - 1);
}

bool clp_place_index_init(clp_place_index *index, clp_arena *arena, double tolerance,
                          clp_vec3 origin, size_t expected)
{
  size_t buckets = 16;
  while (buckets < expected)
    buckets *= 2;
  *index = (clp_place_index){.arena = arena,
                             .tolerance = tolerance,
                             .origin = origin,
                             .bucket_count = buckets,
                             .buckets = clp_arena_take(arena, buckets, sizeof(uint32_t))};
  for (size_t k = 0; index->buckets && k < buckets; ++k)
    index->buckets[k] = NOTHING;
  return index->buckets != NULL;
}

/* The nearest known place of one cell that is within the tolerance. */
static uint32_t find_in_cell(const clp_place_index *index, cell c, clp_vec3 place)
{
  uint32_t k = index->buckets[bucket_of(index, c)];
  while (k != NOTHING && clp_distance(index->places[k], place) > index->tolerance)
    k = index->next[k];
  return k;
}

/* Of the cells that lie within the tolerance, which usually are one. */
static uint32_t find(const clp_place_index *index, clp_vec3 place)
{
  clp_vec3 r = clp_sub(place, index->origin);
  double t = index->tolerance;
  cell low = {cell_of(index, r.x - t), cell_of(index, r.y - t), cell_of(index, r.z - t)};
  cell high = {cell_of(index, r.x + t), cell_of(index, r.y + t), cell_of(index, r.z + t)};
  for (int corner = 0; corner < 8; ++corner) {
    if ((corner & 1 && high.x == low.x) || (corner & 2 && high.y == low.y) ||
        (corner & 4 && high.z == low.z))
      continue;
    cell c = {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y,
              corner & 4 ? high.z : low.z};
    uint32_t k = find_in_cell(index, c, place);
    if (k != NOTHING)
      return k;
  }
  return NOTHING;
}

uint32_t clp_place_number(clp_place_index *index, clp_vec3 place)
{
  uint32_t known = find(index, place);
  if (known != NOTHING)
    return known;
  clp_vec3 *places = clp_arena_grow(index->arena, index->places, index->count,
                                    &index->place_capacity, sizeof *places);
  uint32_t *next =
      clp_arena_grow(index->arena, index->next, index->count, &index->next_capacity, sizeof *next);
  if (!places || !next)
    return NOTHING;
  index->places = places;
  index->next = next;
  clp_vec3 r = clp_sub(place, index->origin);
  size_t bucket =
      bucket_of(index, (cell){cell_of(index, r.x), cell_of(index, r.y), cell_of(index, r.z)});
  uint32_t number = (uint32_t)index->count++;
  places[number] = place;
  next[number] = index->buckets[bucket];
  index->buckets[bucket] = number;
  return number;
}
