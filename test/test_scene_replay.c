/* SPDX-License-Identifier: Apache-2.0 */
/* Records that ask for more than a record of their length may. */

#include <time.h>

#include "rclc_closest_point/scene/pair_cost.h"
#include "rclc_closest_point/scene/record.h"
#include "support/allocations.h"
#include "support/amount.h"
#include "support/medley.h"
#include "support/suite.h"

/* ---- A record in memory ------------------------------------------------------------------- */

enum { TAPE = 1 << 22 };

typedef struct tape {
  unsigned char bytes[TAPE];
  size_t length, place;
  clp_body *bodies[2]; /* every part is the first one, or these two in turn */
} tape;

static tape the_tape;

static bool write_tape(void *user, const void *bytes, size_t count)
{
  tape *t = user;
  ck_assert_uint_le(count, TAPE - t->length);
  memcpy(t->bytes + t->length, bytes, count);
  t->length += count;
  return true;
}

static size_t read_tape(void *user, void *bytes, size_t count)
{
  tape *t = user;
  if (count > t->length - t->place)
    count = t->length - t->place;
  memcpy(bytes, t->bytes + t->place, count);
  t->place += count;
  return count;
}

static const clp_body *body_on_tape(void *user, int serial)
{
  const tape *t = user;
  return t->bodies[t->bodies[1] ? serial % 2 : 0];
}

/* A tape with the settings of such a scene, which is not made. */
static tape *begin(clp_scene_limits limits, clp_scene_options options)
{
  tape *t = &the_tape;
  clp_entry settings = clp_entry_of_settings(&limits, &options);
  t->length = 0;
  t->bodies[0] = t->bodies[1] = NULL;
  unsigned char bytes[8 * (CLP_ENTRY_MAX + 1)] = {CLP_ENTRY_SETTINGS,
                                                  (unsigned char)settings.count};
  for (int k = 0; k < 8 * settings.count; ++k)
    bytes[8 + k] = (unsigned char)(settings.words[k / 8] >> (8 * (k % 8)));
  write_tape(t, bytes, 8 * (size_t)(1 + settings.count));
  return t;
}

static void add(tape *t, const clp_entry *entry)
{
  unsigned char bytes[8 * (CLP_ENTRY_MAX + 1)] = {(unsigned char)entry->kind,
                                                  (unsigned char)entry->count};
  for (int k = 0; k < 8 * entry->count; ++k)
    bytes[8 + k] = (unsigned char)(entry->words[k / 8] >> (8 * (k % 8)));
  write_tape(t, bytes, 8 * (size_t)(1 + entry->count));
}

static void add_words(tape *t, clp_entry_kind kind, int count, const uint64_t *words)
{
  clp_entry entry = clp_entry_make(kind);
  for (int k = 0; k < count; ++k)
    clp_entry_add(&entry, words[k]);
  add(t, &entry);
}

/* The link gets this index, as links do that are added one after the other. */
static void add_link(tape *t, int index, int parts)
{
  const clp_pose X_LP = clp_pose_identity();
  for (int k = 0; k < parts; ++k) {
    clp_entry part = clp_entry_make(CLP_ENTRY_PART);
    clp_entry_add_pose(&part, &X_LP);
    clp_entry_add_body(&part, t->bodies[0]);
    add(t, &part);
  }
  add_words(t, CLP_ENTRY_ADD_LINK, 2, (const uint64_t[]){(uint64_t)index, 1});
}

static void add_pair(tape *t, int a, int b, int index)
{
  const uint64_t words[] = {(uint64_t)a, 1, (uint64_t)b, 1, (uint64_t)index, 1};
  add_words(t, CLP_ENTRY_ADD_PAIR, 6, words);
}

/* ---- Replaying, counted ------------------------------------------------------------------- */

typedef struct outcome {
  clp_status status;
  int cycles;
  double bytes, seconds; /* asked for, in sum; of the processor */
} outcome;

static outcome replay_as(tape *t, bool trusted)
{
  clp_replay *replay = NULL;
  clp_scene_report report = {.cycle = 1};
  outcome o = {.bytes = -allocated_bytes};
  clock_t start = clock();
  t->place = 0;
  clp_replay_source source = {
      .read = read_tape, .body = body_on_tape, .user = t, .length = t->length, .trusted = trusted};
  o.status = clp_replay_open(source, (clp_workers){0}, &replay);
  while (o.status == CLP_OK && report.cycle > 0) {
    o.status = clp_replay_next(replay, &report);
    o.cycles += o.status == CLP_OK && report.cycle > 0;
  }
  if (replay && o.status != CLP_OK)
    ck_assert_int_eq(clp_replay_next(replay, &report), o.status);
  clp_replay_close(replay);
  o.bytes += allocated_bytes;
  o.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  return o;
}

static outcome replay_within_limits(tape *t)
{
  outcome o = replay_as(t, false);
  ck_assert_double_le(o.bytes, 64e6 + 1e3 * (double)t->length);
  ck_assert_double_le(o.seconds, 1 + 1e-6 * (double)t->length);
  return o;
}

/* Seconds of work of one's own record are no fault of it. What the limits end goes on there with
 * more of the same, which one build of all need see. */
static void expect_whole(tape *t, int cycles)
{
  if (amount_quick())
    return;
  outcome all = replay_as(t, true);
  ck_assert_int_eq(all.status, CLP_OK);
  ck_assert_int_eq(all.cycles, cycles);
}

/* ---- Numbers in the settings -------------------------------------------------------------- */

typedef struct nasty {
  int links, parts, pairs, part_pairs, tracked, substeps, cells;
  clp_status status;
} nasty;

/* All are of 152 bytes, and what each asked for is behind it. */
static const nasty headers[] = {
    {2, 0, 1, 0, 400000, 1, 0, CLP_ERROR_LIMIT},    /* 2.3 GB */
    {2, 0, 1, 1600000, 0, 1, 0, CLP_ERROR_LIMIT},   /* 9.4 GB */
    {2, 0, 2000000, 1, 1, 1, 0, CLP_ERROR_LIMIT},   /* 1.0 GB */
    {2, 4000000, 1, 0, 0, 1, 0, CLP_ERROR_LIMIT},   /* 1.6 GB */
    {4000000, 1, 1, 0, 0, 1, 0, CLP_ERROR_LIMIT},   /* 1.6 GB */
    {2, 0, INT32_MAX, 0, 0, 1, 0, CLP_ERROR_LIMIT}, /* terabytes */
    {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, 1, 0, CLP_ERROR_LIMIT},
    {2, 0, 1, 0, 0, INT32_MAX, 0, CLP_ERROR_LIMIT}, /* two hours for a pair's cycle */
    {2, 0, 1, 0, 0, 60000, 0, CLP_ERROR_LIMIT},
    {2, 0, 1, 0, 0, 1, INT32_MAX, CLP_ERROR_LIMIT}, /* three hours */
    {2, 0, 1, 0, 0, 1, 60000, CLP_ERROR_LIMIT},
    {2, 0, 1, 0, -1, 1, 0, CLP_ERROR_FORMAT}, /* no scene has these */
    {2, 0, 1, 0, 0, 0, 0, CLP_ERROR_FORMAT},
    {0, 0, 1, 0, 0, 1, 0, CLP_ERROR_FORMAT},
    {2, 0, 1, 0, 0, 32768, 32768, CLP_OK}, /* and these are in use */
    {200, 0, 4950, 0, 0, 1, 0, CLP_OK},
};

SUITE("scene_replay");

TEST_CASE("settings", 10);

LOOP_TEST(test_headers, 0, sizeof headers / sizeof *headers)
{
  nasty n = headers[_i];
  clp_scene_options options = clp_default_scene_options();
  options.pair.substeps = n.substeps;
  options.pair.cells = n.cells;
  tape *t = begin((clp_scene_limits){n.links, n.parts, n.pairs, n.part_pairs, n.tracked}, options);
  ck_assert_uint_eq(t->length, 152);
  ck_assert_int_eq(replay_within_limits(t).status, n.status);
  if (_i == 8 || _i == 10) /* a record that is trusted takes what it takes */
    ck_assert_int_eq(replay_as(t, true).status, CLP_OK);
}

/* A record is older than the effort: the default is not told, and what is told comes back. */
TEST(test_effort)
{
  for (int effort = -1; effort < 3; ++effort) {
    clp_scene_options options = clp_default_scene_options();
    options.pair.effort = effort < 0 ? INT32_MAX : 30000 * effort;
    tape *t = begin((clp_scene_limits){.links = 2, .pairs = 1, .tracked = 1}, options);
    ck_assert_uint_eq(t->length, effort == 0 ? 152 : 160);
    ck_assert_int_eq(replay_within_limits(t).status, CLP_OK);
    t->bytes[152] = 0; /* no effort is told as none */
    t->bytes[153] = t->bytes[154] = t->bytes[155] = 0;
    ck_assert_int_eq(replay_within_limits(t).status, effort == 0 ? CLP_OK : CLP_ERROR_FORMAT);
  }
}

/* What was refused leaves nothing behind, and the caller's pointer alone. */
TEST(test_untouched)
{
  tape *t = begin((clp_scene_limits){.links = 2, .pairs = INT32_MAX}, clp_default_scene_options());
  clp_replay *replay = (clp_replay *)t;
  clp_replay_source source = {
      .read = read_tape, .body = body_on_tape, .user = t, .length = t->length};
  t->place = 0;
  ck_assert_int_eq(clp_replay_open(source, (clp_workers){0}, &replay), CLP_ERROR_LIMIT);
  ck_assert_ptr_eq(replay, (clp_replay *)t);
}

/* The length is what the source says, not what its callback would still give. */
TEST(test_length)
{
  tape *t = begin((clp_scene_limits){.links = 2, .pairs = 1}, clp_default_scene_options());
  for (uint64_t length = 0; length <= 152; length += 8) {
    clp_replay *replay = NULL;
    clp_scene_report report;
    clp_replay_source source = {
        .read = read_tape, .body = body_on_tape, .user = t, .length = length};
    t->place = 0;
    clp_status status = clp_replay_open(source, (clp_workers){0}, &replay);
    ck_assert_int_eq(status, length == 152 ? CLP_OK : CLP_ERROR_FORMAT);
    ck_assert_uint_le(t->place, length);
    if (replay)
      ck_assert_int_eq(clp_replay_next(replay, &report), CLP_OK);
    clp_replay_close(replay);
  }
}

/* ---- Numbers in what follows -------------------------------------------------------------- */

static clp_body *make_box(void)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){1, 1, 1};
  return must_create(&def);
}

TEST_CASE("entries", 30);

/* Two links of 500 parts have 250,000 pairs of them, for the 56 bytes of their pair. */
TEST(test_products)
{
  tape *t = begin((clp_scene_limits){2, 1000, 1, 250000, 1}, clp_default_scene_options());
  t->bodies[0] = make_box();
  add_link(t, 0, 500);
  add_link(t, 1, 500);
  for (int k = 0; k < 400; ++k) {
    add_pair(t, 0, 1, 0);
    the_tape.bytes[t->length - 8] = (unsigned char)(k + 1); /* the generation */
    the_tape.bytes[t->length - 7] = (unsigned char)((k + 1) >> 8);
    add_words(t, CLP_ENTRY_REMOVE_PAIR, 2, (const uint64_t[]){0, (uint64_t)k + 1});
  }
  outcome o = replay_within_limits(t);
  ck_assert_int_eq(o.status, CLP_ERROR_LIMIT); /* 400 times three milliseconds */
  expect_whole(t, 0);
  clp_body_destroy(t->bodies[0]);
}

/* A pair of bowls takes megabytes for its 56 bytes, and Newton's method takes them for features. */
LOOP_TEST(test_aids, 0, 2)
{
  clp_scene_options options = clp_default_scene_options();
  if (_i == 1)
    options.pair.controller = CLP_CONTROLLER_NEWTON;
  tape *t = begin((clp_scene_limits){.links = 20, .pairs = 100}, options);
  t->bodies[0] = medley_bowl();
  for (int k = 0; k < 20; ++k)
    add_link(t, k, 1);
  for (int k = 0; k < 19; ++k)
    add_pair(t, k, k + 1, k);
  ck_assert_int_eq(replay_within_limits(t).status, CLP_ERROR_LIMIT);
  ck_assert_int_eq(replay_as(t, true).status, CLP_OK);
  clp_body_destroy(t->bodies[0]);
}

/* The estimate is not below what is taken, nor much above. */
TEST(test_estimate)
{
  clp_body *const bodies[] = {medley_bowl(), make_box()};
  clp_pair_options options = clp_default_pair_options();
  for (int k = 0; k < 8; ++k) {
    const clp_body *a = bodies[k & 1], *b = bodies[k >> 1 & 1];
    options.controller = k & 4 ? CLP_CONTROLLER_NEWTON : CLP_CONTROLLER_AUTO;
    clp_pair_aids aids = {0};
    double before = allocated_bytes;
    clp_status status = clp_pair_aids_create(a, b, &options, &aids);
    double taken = allocated_bytes - before; /* before an assertion, which takes some, too */
    ck_assert_int_eq(status, CLP_OK);
    double estimate = (double)clp_memory_of_aids(a, b, &options);
    ck_assert_double_le(taken, estimate);
    if (taken > 0) /* what a shared library takes is not seen from here */
      ck_assert_double_le(estimate, 1.1 * taken + 1e5);
    clp_pair_aids_destroy(&aids);
  }
  clp_body_destroy(bodies[0]);
  clp_body_destroy(bodies[1]);
}

/* Bodies that overlap are asked from scratch again and again: a millisecond for 104 bytes. */
TEST(test_time)
{
  enum { LINKS = 4, PAIRS = 6, QUERIES = 2000 };
  tape *t = &the_tape;
  clp_scene *scene = NULL;
  clp_link_id ids[LINKS];
  clp_link_pair_id pair;
  clp_pose X_WL = clp_pose_identity();
  const clp_scene_limits limits = {.links = LINKS, .pairs = PAIRS};
  t->length = 0;
  t->bodies[0] = make_box();
  t->bodies[1] = NULL;
  clp_part part = {.body = t->bodies[0], .X_LP = X_WL};
  ck_assert_int_eq(clp_scene_create(&limits, NULL, &scene), CLP_OK);
  ck_assert_int_eq(clp_scene_record(scene, (clp_recorder){write_tape, t}), CLP_OK);
  for (int k = 0; k < LINKS; ++k) {
    ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&part, 1}, &ids[k]), CLP_OK);
    X_WL.position = (clp_vec3){0.1 * k, 0.05 * k, 0.02 * k * k};
    ck_assert_int_eq(clp_scene_set_motion(scene, ids[k], &X_WL, NULL), CLP_OK);
    for (int i = 0; i < k; ++i)
      ck_assert_int_eq(clp_scene_add_pair(scene, ids[i], ids[k], &pair), CLP_OK);
  }
  /* To record a cycle takes what its replay does: in a second is more than that may last. */
  int queries = 0;
  const clock_t start = clock();
  while (queries < QUERIES && !(amount_quick() && clock() - start > CLOCKS_PER_SEC))
    clp_scene_query(scene, queries++);
  clp_scene_destroy(scene);
  outcome o = replay_within_limits(t);
  expect_whole(t, queries);
  ck_assert_int_eq(o.status, CLP_ERROR_LIMIT);
  ck_assert_int_lt(o.cycles, queries);
  clp_body_destroy(t->bodies[0]);
}

/* ---- Bodies of the caller's ------------------------------------------------------------------ */

/* Half an ellipse of so many chords, turned about z. */
static clp_body *make_turned(int chords)
{
  clp_profile_piece *pieces = calloc((size_t)chords, sizeof *pieces);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  for (int k = 0; k < chords; ++k) {
    double angle = 3.14159265358979 * (k + 1) / chords;
    pieces[k] = (clp_profile_piece){.kind = CLP_PROFILE_LINE,
                                    .r = k + 1 < chords ? sin(angle) : 0,
                                    .z = k + 1 < chords ? -2 * cos(angle) : 2};
  }
  def.revolved = (clp_revolved_def){0, -2, pieces, chords};
  clp_body *body = must_create(&def);
  free(pieces);
  return body;
}

/* A pyramid on a polygon of so many corners, which all meet in its tip. */
static clp_body *make_pyramid(int corners)
{
  double *vertices = calloc(3 * (size_t)corners + 3, sizeof *vertices);
  int *faces = calloc(4 * (size_t)corners, sizeof *faces), used = corners;
  int *sizes = calloc((size_t)corners + 1, sizeof *sizes);
  sizes[0] = corners;
  for (int k = 0; k < corners; ++k) {
    double angle = 6.28318530717959 * k / corners;
    vertices[3 * k] = cos(angle);
    vertices[3 * k + 1] = sin(angle);
    faces[k] = corners - 1 - k;
    faces[used++] = k;
    faces[used++] = (k + 1) % corners;
    faces[used++] = corners;
    sizes[k + 1] = 3;
  }
  vertices[3 * corners + 2] = 1;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices, corners + 1, faces, sizes, corners + 1};
  clp_body *body = must_create(&def);
  free(vertices);
  free(faces);
  free(sizes);
  return body;
}

/* A wavy cubic patch of so many spans along either parameter, open. */
static clp_body *make_wavy(int spans)
{
  int size = spans + 3;
  double *knots = calloc((size_t)size + 4, sizeof *knots);
  double *points = calloc(4 * (size_t)(size * size), sizeof *points);
  for (int k = 0; k < size + 4; ++k)
    knots[k] = k < 4 ? 0 : k >= size ? spans : k - 3;
  for (int k = 0; k < size * size; ++k) {
    double x = (double)(k / size) / size, y = (double)(k % size) / size;
    const double point[4] = {x, y, 0.05 * sin(6 * x) * cos(9 * y), 1};
    memcpy(points + 4 * k, point, sizeof point);
  }
  clp_patch_def patch = {"wavy", 3, 3, size, size, knots, knots, points, false};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.convex = def.closed = false;
  def.patches = &patch;
  def.patch_count = 1;
  clp_body *body = must_create(&def);
  free(knots);
  free(points);
  return body;
}

/* Nothing interrupts a pair's first question, nor the making of what it needs: its time is bounded
 * before, by how much there is to look at. Nothing of it is made then. */
TEST(test_bodies)
{
  static clp_body *(*const make[])(int) = {make_turned, make_pyramid, make_wavy};
  static const int small[] = {300, 200, 20}, large[] = {2500, 3000, 100};
  for (int k = 0; k < 6; ++k) {
    bool is_large = k >= 3;
    tape *t = begin((clp_scene_limits){.links = 2, .pairs = 1}, clp_default_scene_options());
    t->bodies[0] = make[k % 3](is_large ? large[k % 3] : small[k % 3]);
    add_link(t, 0, 1);
    add_link(t, 1, 1);
    double before = replay_as(t, false).bytes;
    add_pair(t, 0, 1, 0);
    outcome o = replay_within_limits(t);
    ck_assert_int_eq(o.status, is_large ? CLP_ERROR_LIMIT : CLP_OK);
    ck_assert(!is_large || o.bytes <= before + 1000);
    expect_whole(t, 0);
    clp_body_destroy(t->bodies[0]);
  }
}

/* ---- Words that are no numbers of anything ------------------------------------------------ */

TEST(test_words)
{
  const uint64_t high = (uint64_t)1 << 32;
  tape *t = begin((clp_scene_limits){.links = 2, .pairs = 1}, clp_default_scene_options());
  t->bodies[0] = make_box();
  add_link(t, 0, 1);
  add_link(t, 1, 1);
  size_t whole = t->length;
  ck_assert_int_eq(replay_within_limits(t).status, CLP_OK);
  add_words(t, CLP_ENTRY_ADD_PAIR, 6, (const uint64_t[]){0, 1, 1, 1, 0, 1});
  ck_assert_int_eq(replay_within_limits(t).status, CLP_OK);
  for (int k = 0; k < 6; ++k) { /* what is above half a word once was cut off */
    uint64_t words[] = {0, 1, 1, 1, 0, 1};
    words[k] += high;
    t->length = whole;
    add_words(t, CLP_ENTRY_ADD_PAIR, 6, words);
    ck_assert_int_eq(replay_within_limits(t).status, CLP_ERROR_FORMAT);
  }
  for (int count = 14; count <= 20; ++count) { /* a twist once could be a piece of one */
    clp_pose X_WL = clp_pose_identity();
    clp_entry motion = clp_entry_make(CLP_ENTRY_MOTION);
    clp_entry_add(&motion, 0);
    clp_entry_add(&motion, 1);
    clp_entry_add_pose(&motion, &X_WL);
    while (motion.count < count)
      clp_entry_add_number(&motion, 0);
    t->length = whole;
    add(t, &motion);
    ck_assert_int_eq(replay_within_limits(t).status,
                     count == 14 || count == 20 ? CLP_OK : CLP_ERROR_FORMAT);
  }
  clp_body_destroy(t->bodies[0]);
}
