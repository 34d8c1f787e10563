/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/allocations.h"
#include "support/random.h"
#include "support/suite.h"

/* The frames' tree, its chains, and what is remembered of times: each beside a plain list in which
 * everything is looked for from the start. */

#define SECOND INT64_C(1000000000)

static clp_tf_transform moved_by(double x)
{
  return (clp_tf_transform){.translation = {x, 0, 0}, .qw = 1};
}

static clp_frames frames_of(int capacity)
{
  clp_frames frames = {0};
  ck_assert(clp_frames_create(&frames, capacity));
  return frames;
}

static int below(random_state *g, int count)
{
  return (int)(random_bits(g) % (uint64_t)count);
}

SUITE("frames");

TEST_CASE("frames", 10);

/* Where memory is not to be had there are no frames, and nothing is kept of what there was. */
TEST(no_memory)
{
  int refused = 0;
  for (bool created = false; !created; ++refused) {
    clp_frames frames = {0};
    allocations_granted = refused;
    created = clp_frames_create(&frames, 10);
    allocations_granted = -1;
    if (created)
      clp_frames_release(&frames);
    else
      ck_assert(!frames.items && frames.capacity == 0);
  }
  ck_assert_int_eq(refused, 3); /* the third time it is there */
}

/* ---- Names -------------------------------------------------------------------------------- */

/* As many as there is room for: every one is found, in the order in which they came, and no other.
 */
TEST(names_are_found)
{
  enum { COUNT = 300 };
  clp_frames frames = frames_of(COUNT);
  char name[CLP_FRAME_NAME_MAX];
  for (int k = 0; k < COUNT; ++k) {
    snprintf(name, sizeof name, "link_%d", k * k);
    ck_assert_int_eq(clp_frames_find(&frames, name), -1);
    ck_assert_int_eq(clp_frames_add(&frames, name), k);
    memset(name, 'x', sizeof name - 1); /* the name is a copy */
  }
  for (int k = 0; k < COUNT; ++k) {
    snprintf(name, sizeof name, "link_%d", k * k);
    ck_assert_int_eq(clp_frames_find(&frames, name), k);
    ck_assert_int_eq(clp_frames_add(&frames, name), k);
    ck_assert_str_eq(frames.items[k].name, name);
  }
  ck_assert_int_eq(clp_frames_find(&frames, "link_2"), -1);
  ck_assert_int_eq(clp_frames_find(&frames, ""), -1);
  ck_assert_int_eq(clp_frames_add(&frames, "one_more"), -1);
  ck_assert_int_eq(frames.count, COUNT);
  clp_frames_release(&frames);
  ck_assert_ptr_null(frames.items);
  ck_assert_int_eq(frames.count, 0);
}

TEST(nothing_is_known_of_a_new_frame)
{
  clp_frames frames = frames_of(2);
  const clp_frame *frame = &frames.items[clp_frames_add(&frames, "new")];
  ck_assert_int_eq(frame->parent, -1);
  ck_assert_int_eq(frame->static_parent, -1);
  ck_assert(frame->newest == CLP_NEVER && frame->told == CLP_NEVER && frame->left == CLP_NEVER);
  ck_assert(!frame->is_static && !frame->needed);
  ck_assert(!clp_frame_remembers(frame, 0, INT64_MAX / 2));
  clp_frames_release(&frames);
}

/* ---- The tree ----------------------------------------------------------------------------- */

/* Trees as lists of parents, every parent before its children. */
enum { TREE = 40 };

typedef struct tree {
  clp_frames frames;
  int parent[TREE];
} tree;

static tree tree_make(random_state *g, int roots)
{
  tree t = {.frames = frames_of(TREE)};
  clp_tf_transform X = moved_by(1);
  for (int k = 0; k < TREE; ++k) {
    char name[16];
    snprintf(name, sizeof name, "f%d", k);
    ck_assert_int_eq(clp_frames_add(&t.frames, name), k);
    t.parent[k] = k < roots ? -1 : below(g, k);
    if (t.parent[k] >= 0 && k % 2 == 0)
      clp_frames_set_static(&t.frames, k, t.parent[k], &X);
    else if (t.parent[k] >= 0)
      clp_frames_set_moving(&t.frames, k, t.parent[k], 1, &X);
  }
  return t;
}

/* The frames from one up to its root; how many. */
static int way_up(const tree *t, int from, int way[TREE])
{
  int count = 0;
  for (int k = from; k >= 0; k = t->parent[k])
    way[count++] = k;
  return count;
}

static bool contains(const int *list, int count, int what)
{
  for (int k = 0; k < count; ++k)
    if (list[k] == what)
      return true;
  return false;
}

/* Those above a that are not above b, then those above b that are not above a; -1 for two trees. */
static int expected_chain(const tree *t, int a, int b, int chain[TREE])
{
  int up_a[TREE], up_b[TREE], count = 0;
  int count_a = way_up(t, a, up_a), count_b = way_up(t, b, up_b);
  if (up_a[count_a - 1] != up_b[count_b - 1])
    return -1;
  for (int k = 0; k < count_a; ++k)
    if (!contains(up_b, count_b, up_a[k]))
      chain[count++] = up_a[k];
  for (int k = 0; k < count_b; ++k)
    if (!contains(up_a, count_a, up_b[k]))
      chain[count++] = up_b[k];
  return count;
}

TEST(chains_of_random_trees)
{
  random_state g = {7};
  for (int k = 0; k < 40; ++k) {
    tree t = tree_make(&g, 1 + k % 3);
    for (int a = 0; a < TREE; ++a)
      for (int b = 0; b < TREE; ++b) {
        int chain[CLP_FRAME_DEPTH_MAX], expected[TREE], way[TREE];
        int count = expected_chain(&t, a, b, expected);
        ck_assert_int_eq(clp_frames_chain(&t.frames, a, b, chain), count);
        if (count > 0)
          ck_assert_mem_eq(chain, expected, (size_t)count * sizeof *chain);
        ck_assert(clp_frames_hangs_on(&t.frames, a, b) == contains(way, way_up(&t, a, way), b));
      }
    clp_frames_release(&t.frames);
  }
}

/* A chain may be as long as the limit, and no longer: up one arm, or up one and down another. */
TEST(the_longest_chain)
{
  enum { COUNT = CLP_FRAME_DEPTH_MAX + 2 };
  clp_frames frames = frames_of(COUNT);
  int chain[CLP_FRAME_DEPTH_MAX];
  clp_tf_transform X = moved_by(1);
  for (int k = 0; k < COUNT; ++k) {
    char name[16];
    snprintf(name, sizeof name, "f%d", k);
    clp_frames_add(&frames, name);
    if (k > 0) /* two arms, one of them of a single frame */
      clp_frames_set_static(&frames, k, k == COUNT - 1 ? 0 : k - 1, &X);
  }
  ck_assert_int_eq(clp_frames_chain(&frames, CLP_FRAME_DEPTH_MAX, 0, chain), CLP_FRAME_DEPTH_MAX);
  ck_assert_int_eq(clp_frames_chain(&frames, 0, CLP_FRAME_DEPTH_MAX, chain), CLP_FRAME_DEPTH_MAX);
  ck_assert_int_eq(clp_frames_chain(&frames, CLP_FRAME_DEPTH_MAX - 1, COUNT - 1, chain),
                   CLP_FRAME_DEPTH_MAX);
  ck_assert_int_eq(clp_frames_chain(&frames, CLP_FRAME_DEPTH_MAX, COUNT - 1, chain), -1);
  ck_assert_int_eq(clp_frames_chain(&frames, 3, 3, chain), 0);
  clp_frames_release(&frames);
}

/* The version tells whoever keeps chains that they may be others. */
TEST(versions_count_parents)
{
  clp_frames frames = frames_of(3);
  clp_tf_transform X = moved_by(1), Y = moved_by(2);
  for (int k = 0; k < 3; ++k)
    clp_frames_add(&frames, (const char *[]){"a", "b", "c"}[k]);
  uint64_t version = frames.version;
  clp_frames_set_static(&frames, 1, 0, &X);
  ck_assert_uint_eq(frames.version, ++version);
  clp_frames_set_static(&frames, 1, 0, &Y);
  clp_frames_set_moving(&frames, 1, 0, 5, &X);
  ck_assert_uint_eq(frames.version, version);
  ck_assert(frames.items[1].X_PC.translation.x == 2);
  ck_assert(frames.items[1].newest_X_PC.translation.x == 1);
  ck_assert(!frames.items[1].is_static);
  clp_frames_set_moving(&frames, 1, 2, 6, &X);
  ck_assert_uint_eq(frames.version, ++version);
  clp_frames_cut(&frames, 1);
  ck_assert_uint_eq(frames.version, ++version);
  ck_assert_int_eq(frames.items[1].parent, -1);
  ck_assert(!clp_frame_remembers(&frames.items[1], 6, 0));
  clp_frames_release(&frames);
}

/* ---- Stamps ------------------------------------------------------------------------------- */

/* The last CLP_FRAME_STAMPS of them, and not one more. */
TEST(stamps_are_a_ring)
{
  enum { TOLD = 3 * CLP_FRAME_STAMPS + 5 };
  clp_frames frames = frames_of(2);
  clp_frames_add(&frames, "parent");
  clp_frames_add(&frames, "child");
  clp_frame *frame = &frames.items[1];
  for (int k = 0; k < TOLD; ++k) {
    clp_tf_transform X = moved_by(k);
    clp_frames_set_moving(&frames, 1, 0, 100 * k, &X);
    for (int i = 0; i <= k; ++i) {
      clp_tf_transform Y = moved_by(i), Z = moved_by(i + 1);
      bool kept = i > k - CLP_FRAME_STAMPS;
      ck_assert(clp_frame_remembers(frame, 100 * i, 0) == kept);
      ck_assert(clp_frame_has_heard(frame, 100 * i, clp_transform_print(0, &Y)) == kept);
      ck_assert(!clp_frame_has_heard(frame, 100 * i, clp_transform_print(0, &Z)));
    }
    ck_assert(frame->newest == 100 * k);
  }
  int64_t last = 100 * (TOLD - 1), first = 100 * (TOLD - CLP_FRAME_STAMPS);
  ck_assert(clp_frame_remembers(frame, last + 30, 30) &&
            !clp_frame_remembers(frame, last + 30, 29));
  ck_assert(clp_frame_remembers(frame, first - 30, 30));
  ck_assert(!clp_frame_remembers(frame, first - 30, 29));
  clp_frames_forget_motion(&frames);
  ck_assert(!clp_frame_remembers(frame, last, 0) && frame->newest == CLP_NEVER);
  ck_assert_int_eq(frame->parent, 0);
  clp_frames_release(&frames);
}

/* ---- The most of late --------------------------------------------------------------------- */

/* All of the last ten seconds counts, and nothing that is older than twenty and the silence in
 * between. */
TEST(most_of_the_last_seconds)
{
  enum { COUNT = 4000 };
  static double values[COUNT];
  static int64_t times[COUNT];
  const int64_t silence = SECOND / 2;
  random_state g = {3};
  clp_recent_most most = {0};
  int64_t now = 0;
  for (int k = 0; k < COUNT; ++k) {
    now += (int64_t)(random_bits(&g) % (uint64_t)silence);
    times[k] = now;
    values[k] = random_between(&g, -1, 1) * pow(random_between(&g, 0, 1), 20);
    clp_recent_most_add(&most, values[k], now);
    double within_10 = 0, within_20 = 0;
    for (int i = k; i >= 0 && now - times[i] < 20 * SECOND + 2 * silence; --i) {
      within_20 = fmax(within_20, values[i]);
      if (now - times[i] < 10 * SECOND)
        within_10 = fmax(within_10, values[i]);
    }
    ck_assert_double_ge(clp_recent_most_value(&most), within_10);
    ck_assert_double_le(clp_recent_most_value(&most), within_20);
  }
}

/* Intervals of ten seconds; time that goes back begins another one, and nothing is lost by that. */
TEST(most_at_the_borders)
{
  clp_recent_most most = {0};
  clp_recent_most_add(&most, 3, 1);
  clp_recent_most_add(&most, 1, 10 * SECOND - 1);
  ck_assert(most.current == 3 && most.before == 0 && most.since == 0);
  clp_recent_most_add(&most, 1, 10 * SECOND);
  ck_assert(most.current == 1 && most.before == 3 && most.since == 10 * SECOND);
  clp_recent_most_add(&most, 2, 5 * SECOND);
  ck_assert(most.current == 2 && most.before == 1 && most.since == 5 * SECOND);
  clp_recent_most_add(&most, 1, 25 * SECOND);
  ck_assert(most.current == 1 && most.before == 0);
}

/* ---- The time of a chain ------------------------------------------------------------------ */

enum { LINKS = 6, TOLD_MAX = 20 };

/* A chain of frames with stamps and leads of their own. */
typedef struct links {
  clp_frames frames;
  int chain[LINKS];
  int64_t stamps[LINKS][TOLD_MAX];
  double lead[LINKS];
  int told[LINKS];
} links;

static links links_make(random_state *g)
{
  links l = {.frames = frames_of(LINKS + 1)};
  clp_tf_transform X = moved_by(1);
  clp_frames_add(&l.frames, "root");
  for (int k = 0; k < LINKS; ++k) {
    char name[16];
    snprintf(name, sizeof name, "f%d", k);
    l.chain[k] = clp_frames_add(&l.frames, name);
    clp_frame *frame = &l.frames.items[l.chain[k]];
    if (below(g, 3) == 0) {
      clp_frames_set_static(&l.frames, l.chain[k], l.chain[k] - 1, &X);
      continue;
    }
    l.told[k] = 1 + below(g, TOLD_MAX);
    int64_t stamp = 1000 * SECOND + below(g, 100000000);
    for (int i = 0; i < l.told[k]; ++i, stamp += 1 + below(g, 20000000)) {
      l.stamps[k][i] = stamp;
      clp_frames_set_moving(&l.frames, l.chain[k], l.chain[k] - 1, stamp, &X);
    }
    l.lead[k] = random_between(g, 0, 0.2);
    clp_recent_most_add(&frame->lead, l.lead[k], 1);
    frame->post_dated = below(g, 3) == 0;
  }
  return l;
}

static clp_chain_time expected_time(const links *l)
{
  clp_chain_time time = {.known = true, .stamp = INT64_MAX};
  double least = HUGE_VAL;
  for (int k = 0; k < LINKS; ++k)
    if (l->told[k] > 0) {
      time.moving = true;
      int64_t newest = l->stamps[k][l->told[k] - 1];
      time.stamp = newest < time.stamp ? newest : time.stamp;
      if (!l->frames.items[l->chain[k]].post_dated)
        least = fmin(least, l->lead[k]);
    }
  for (int k = 0; k < LINKS; ++k) {
    double gap = HUGE_VAL;
    for (int i = 0; i < l->told[k]; ++i)
      gap = fmin(gap, 1e-9 * fabs((double)(l->stamps[k][i] - time.stamp)));
    if (l->told[k] == 0)
      continue;
    time.gap += gap;
    bool post_dated = l->frames.items[l->chain[k]].post_dated;
    time.lead += post_dated ? l->lead[k] : l->lead[k] - least;
    time.late = post_dated ? fmax(time.late, l->lead[k]) : time.late;
  }
  time.lead += least < HUGE_VAL ? least : 0;
  return time;
}

TEST(times_of_random_chains)
{
  random_state g = {19};
  for (int k = 0; k < 3000; ++k) {
    links l = links_make(&g);
    clp_chain_time expected = expected_time(&l);
    clp_chain_time time = clp_frames_chain_time(&l.frames, l.chain, LINKS);
    ck_assert(time.moving == expected.moving && time.known);
    ck_assert(time.stamp == expected.stamp);
    ck_assert_double_eq_tol(time.gap, expected.gap, 1e-12);
    ck_assert_double_eq_tol(time.lead, expected.lead, 1e-12);
    ck_assert_double_eq_tol(time.late, expected.late, 1e-12);
    clp_frames_release(&l.frames);
  }
}

/* A frame that moves and has not been told of since leaves the chain without an instant. */
TEST(a_chain_that_is_not_known)
{
  clp_frames frames = frames_of(3);
  clp_tf_transform X = moved_by(1);
  int chain[2];
  clp_frames_add(&frames, "root");
  for (int k = 0; k < 2; ++k) {
    chain[k] = clp_frames_add(&frames, k ? "b" : "a");
    clp_frames_set_moving(&frames, chain[k], k, 7, &X);
  }
  ck_assert(clp_frames_chain_time(&frames, chain, 2).known);
  clp_frame_forget_motion(&frames.items[chain[1]]);
  clp_chain_time time = clp_frames_chain_time(&frames, chain, 2);
  ck_assert(time.moving && !time.known && time.gap == 0 && time.lead == 0);
  ck_assert(!clp_frames_chain_time(&frames, chain, 0).moving);
  clp_frames_release(&frames);
}

/* ---- Room --------------------------------------------------------------------------------- */

static int told_by(clp_frames *frames, const char *name, int number, uint64_t writer)
{
  clp_tf_transform X = moved_by(1);
  char text[32];
  snprintf(text, sizeof text, "%s_%d", name, number);
  int frame = clp_frames_add(frames, text);
  if (frame < 0)
    return -1;
  clp_frames_set_static(frames, frame, 0, &X);
  frames->items[frame].voices.speaker = (clp_voice){writer, 0, 1};
  return frame;
}

/* Who has filled the tree with what nobody needs makes room for others, not for himself; what is
 * needed, and what it hangs on, stays where it was, and so does what others have told of. */
TEST(the_most_talkative_makes_room)
{
  enum { CAPACITY = 200 };
  clp_frames frames = frames_of(CAPACITY);
  clp_tf_transform X = moved_by(1);
  int root = clp_frames_add(&frames, "root"), tool = clp_frames_add(&frames, "tool");
  frames.items[root].needed = frames.items[tool].needed = true;
  for (int k = 0; k < 10; ++k)
    ck_assert_int_ge(told_by(&frames, "few", k, 1), 0);
  clp_frames_add(&frames, "a name");
  int last = 0;
  for (int k = 0; frames.count < CAPACITY; ++k)
    last = told_by(&frames, "many", k, 2);
  clp_frames_set_static(&frames, tool, last, &X);
  ck_assert_int_eq(clp_frames_add(&frames, "one more"), -1);
  ck_assert(clp_frames_make_room(&frames, 2)); /* of the name */
  ck_assert(!clp_frames_make_room(&frames, 2));
  ck_assert(clp_frames_make_room(&frames, 3));
  ck_assert(!clp_frames_make_room(&frames, 3) || clp_frames_find(&frames, "few_3") < 0);
  ck_assert_int_eq(clp_frames_find(&frames, "tool"), tool);
  ck_assert_int_eq(frames.items[tool].parent, last);
  ck_assert(clp_frames_hangs_on(&frames, tool, root));
  ck_assert_int_eq(clp_frames_find(&frames, "many_0"), -1);
  int taken = 0;
  while (told_by(&frames, "new", taken, 3) >= 0)
    ++taken;
  ck_assert_int_ge(taken, CAPACITY - 14);
  ck_assert_int_eq(frames.count, CAPACITY);
  for (int k = 0; k < taken; ++k) {
    char name[32];
    snprintf(name, sizeof name, "new_%d", k);
    int frame = clp_frames_find(&frames, name);
    ck_assert(frame >= 0 && strcmp(frames.items[frame].name, name) == 0);
  }
  clp_frames_release(&frames);
}

/* Nothing hangs by more transforms than a chain may have, from whichever end it grows. */
TEST(no_way_up_is_long)
{
  enum { MANY = 3 * CLP_FRAME_DEPTH_MAX };
  clp_tf_transform X = moved_by(1);
  for (int down = 0; down < 2; ++down) {
    clp_frames frames = frames_of(MANY);
    for (int k = 0; k < MANY; ++k) {
      char name[16];
      snprintf(name, sizeof name, "f%d", k);
      clp_frames_add(&frames, name);
    }
    int hung = 0;
    for (int k = 1; k < MANY; ++k) {
      int child = down ? k : k - 1, parent = down ? k - 1 : k;
      if (clp_frames_is_too_deep(&frames, child, parent))
        break;
      clp_frames_set_static(&frames, child, parent, &X);
      ++hung;
    }
    ck_assert_int_eq(hung, CLP_FRAME_DEPTH_MAX);
    ck_assert(!clp_frames_is_too_deep(&frames, down ? 1 : 0, down ? 0 : 1)); /* as it is */
    clp_frames_release(&frames);
  }
}
