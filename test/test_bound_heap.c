/* SPDX-License-Identifier: Apache-2.0 */
/* The heap of far pairs against a list that is searched from end to end, after every operation. */

#include <math.h>

#include "rclc_closest_point/scene/bound_heap.h"
#include "support/amount.h"
#include "support/holds.h"
#include "support/random.h"
#include "support/suite.h"

enum { BELOW = 4, MOST = 90, ABSENT = -1 };

/* One more than the heap may use of each. */
typedef struct state {
  clp_bound_heap heap;
  double keys[MOST + CLP_BOUND_HEAP_SPARE + 1];
  int items[MOST + 1], places[MOST + 1];

  int room, held; /* what the heap should hold: */
  bool there[MOST];
  double key[MOST];
} state;

static const double untouched = 42;

static void begin(state *s, int room)
{
  *s = (state){.room = room};
  s->heap = (clp_bound_heap){.keys = s->keys, .items = s->items, .places = s->places, .count = 7};
  s->keys[room + CLP_BOUND_HEAP_SPARE] = untouched;
  s->items[room] = s->places[room] = (int)untouched;
  clp_bound_heap_clear(&s->heap, room);
}

/* Many are equal, some are infinite, and most are like those of a scene. */
static double random_key(random_state *g)
{
  switch (random_bits(g) % 6) {
    case 0:
      return (double)(random_bits(g) % 4);
    case 1:
      return random_bits(g) % 2 ? -HUGE_VAL : 0;
    case 2:
      return random_between(g, -1e300, 1e300);
    default:
      return random_between(g, 0, 10);
  }
}

/* ---- What must hold ----------------------------------------------------------------------- */

static void expect_places(const state *s)
{
  const clp_bound_heap *heap = &s->heap;
  HOLDS(heap->count == s->held);
  for (int item = 0; item < s->room; ++item) {
    HOLDS(clp_bound_heap_holds(heap, item) == s->there[item]);
    if (!s->there[item])
      continue;
    int place = heap->places[item];
    HOLDS(place >= 0 && place < heap->count);
    HOLDS(heap->items[place] == item && heap->keys[place] == s->key[item]);
  }
  for (int k = heap->count; k < s->room + CLP_BOUND_HEAP_SPARE; ++k)
    HOLDS(heap->keys[k] == HUGE_VAL);
  HOLDS(s->keys[s->room + CLP_BOUND_HEAP_SPARE] == untouched);
  HOLDS(s->items[s->room] == (int)untouched && s->places[s->room] == (int)untouched);
}

static double smallest(const state *s)
{
  double least = HUGE_VAL;
  for (int item = 0; item < s->room; ++item)
    if (s->there[item])
      least = fmin(least, s->key[item]);
  return least;
}

/* Those not above the limit, each once, and behind whoever it is below. */
static void expect_list(const state *s, double limit)
{
  int items[MOST], expected = 0;
  bool listed[MOST] = {false};
  int count = clp_bound_heap_list(&s->heap, limit, items);
  for (int item = 0; item < s->room; ++item)
    expected += s->there[item] && s->key[item] <= limit;
  HOLDS(count == expected);
  for (int k = 0; k < count; ++k) {
    int item = items[k], place = s->heap.places[item];
    HOLDS(s->there[item] && s->key[item] <= limit && !listed[item]);
    HOLDS(place == 0 || listed[s->heap.items[(place - 1) / BELOW]]);
    listed[item] = true;
  }
}

static void expect_all(const state *s, random_state *g)
{
  expect_places(s);
  HOLDS(s->held == 0 || s->heap.keys[0] == smallest(s));
  expect_list(s, random_key(g));
  expect_list(s, s->held > 0 ? smallest(s) : 0);
}

/* ---- What is done ------------------------------------------------------------------------- */

static void set(state *s, int item, double key)
{
  if (s->there[item])
    clp_bound_heap_change(&s->heap, item, key);
  else
    clp_bound_heap_push(&s->heap, item, key);
  s->held += !s->there[item];
  s->there[item] = true;
  s->key[item] = key;
}

static void take_out(state *s, int item)
{
  clp_bound_heap_remove(&s->heap, item);
  s->held -= s->there[item];
  s->there[item] = false;
}

/* As a cycle does: all whose keys have come down get higher ones or leave, the last one first. */
static void wake(state *s, random_state *g)
{
  int items[MOST], count = clp_bound_heap_list(&s->heap, smallest(s) + 1, items);
  for (int k = count - 1; k >= 0; --k)
    if (random_bits(g) % 4)
      set(s, items[k], s->key[items[k]] + random_between(g, 0, 3));
    else
      take_out(s, items[k]);
}

SUITE("bound_heap");

TEST_CASE("bound_heap", 30);

/* Rooms that end within a level, at its end, and beyond it. Now it grows, now it shrinks. */
LOOP_TEST(against_brute_force, 0, 10)
{
  static const int rooms[10] = {1, 2, 3, 5, 6, 17, 21, 22, 85, MOST};
  random_state g = {.s = 5000 + (uint64_t)_i};
  const int steps = amount_of(40000);
  state s;
  begin(&s, rooms[_i]);
  expect_all(&s, &g);
  for (int step = 0; step < steps; ++step) {
    const int item = (int)(random_bits(&g) % (uint64_t)s.room);
    const bool grows = step / 500 % 2 == 0;
    if (random_bits(&g) % 400 == 0)
      wake(&s, &g);
    else if (random_bits(&g) % 4 < (grows ? 3 : 1))
      set(&s, item, random_key(&g));
    else
      take_out(&s, item);
    expect_all(&s, &g);
  }
}

/* One after the other, the smallest leave in the order of their keys. */
TEST(gives_them_in_order)
{
  random_state g = {.s = 6000};
  state s;
  begin(&s, MOST);
  for (int item = 0; item < MOST; ++item)
    set(&s, item, random_key(&g));
  for (double last = -HUGE_VAL; s.held > 0;) {
    ck_assert(s.keys[0] == smallest(&s) && s.keys[0] >= last);
    last = s.keys[0];
    take_out(&s, s.items[0]);
  }
  expect_all(&s, &g);
}

/* Who is in it is in it no more. */
TEST(clears)
{
  random_state g = {.s = 7000};
  state s;
  begin(&s, 17);
  for (int item = 0; item < 17; item += 2)
    set(&s, item, random_key(&g));
  clp_bound_heap_clear(&s.heap, 17);
  for (int item = 0; item < 17; ++item)
    s.there[item] = false;
  s.held = 0;
  expect_all(&s, &g);
}
