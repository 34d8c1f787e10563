/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are recorded and replayed, and one whose results are known to the last bit. */

#include "rclc_closest_point/record.h"
#include "support/amount.h"
#include "support/medley.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- A record in memory ------------------------------------------------------------------- */

typedef struct tape {
  unsigned char *bytes;
  size_t length, room; /* beyond the room writes fail */
  size_t place;        /* of the next byte read */
  const medley *m;     /* whose parts these are */
} tape;

static tape make_tape(size_t room)
{
  tape t = {.bytes = malloc(room), .room = room};
  ck_assert_ptr_nonnull(t.bytes);
  return t;
}

static bool write_tape(void *user, const void *bytes, size_t count)
{
  tape *t = user;
  ck_assert_uint_le(count, 512);
  if (count > t->room - t->length)
    return false;
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
  return serial < t->m->part_count ? t->m->part_bodies[serial] : NULL;
}

static clp_replay_source source_of(tape *t)
{
  return (clp_replay_source){
      .read = read_tape, .body = body_on_tape, .user = t, .length = t->length};
}

/* ---- Runs --------------------------------------------------------------------------------- */

enum { CYCLES = 200 };

/* What a caller can do between two cycles. */
static void change_something(medley *m, int cycle)
{
  clp_scene *scene = m->scene;
  if (cycle % 40 == 10)
    ck_assert_int_eq(clp_scene_enable_link(scene, m->links[2], cycle % 80 == 10), CLP_OK);
  if (cycle % 50 == 20)
    ck_assert_int_eq(clp_scene_set_range(scene, cycle % 100 == 20 ? 0.7 : 0), CLP_OK);
  if (cycle == 60)
    ck_assert_int_eq(clp_scene_set_tolerance(scene, 1e-7), CLP_OK);
  if (cycle == 90)
    ck_assert_int_eq(clp_scene_remove_pair(scene, m->pairs[7]), CLP_OK);
  if (cycle == 100) {
    ck_assert_int_eq(clp_scene_remove_link(scene, m->links[5]), CLP_OK);
    medley_add_link(m, 5);
    clp_link_spot a = {.part = 0, .face = 0, .u = 0.5, .v = 0.5}, b = a;
    ck_assert_int_eq(clp_scene_add_pair(scene, m->links[1], m->links[5], &m->pairs[0]), CLP_OK);
    clp_scene_start(scene, m->pairs[0], a, b);
  }
}

static clp_scene_report run_cycle(medley *m, int cycle)
{
  change_something(m, cycle);
  ck_assert(medley_move(m));
  double time = 0.001 * m->cycle;
  return cycle % 70 == 69 ? clp_scene_query(m->scene, time) : clp_scene_step(m->scene, time);
}

static medley make_recorded(tape *t)
{
  medley m = medley_prepare(clp_default_scene_options());
  ck_assert_int_eq(clp_scene_record(m.scene, (clp_recorder){write_tape, t}), CLP_OK);
  ck_assert(clp_scene_is_recorded(m.scene));
  medley_fill(&m);
  return m;
}

static medley record_run(tape *t, clp_scene_report *reports)
{
  medley m = make_recorded(t);
  for (int k = 0; k < CYCLES; ++k)
    reports[k] = run_cycle(&m, k);
  ck_assert(clp_scene_is_recorded(m.scene));
  return m;
}

static void run_backwards(void *user, void (*job)(void *context, int i), void *context, int count)
{
  (void)user;
  for (int i = count - 1; i >= 0; --i)
    job(context, i);
}

static void expect_replay(tape *t, clp_workers workers, const clp_scene_report *reports)
{
  clp_replay *replay = NULL;
  clp_scene_report report;
  t->place = 0;
  ck_assert_int_eq(clp_replay_open(source_of(t), workers, &replay), CLP_OK);
  for (int k = 0; k < CYCLES; ++k) {
    ck_assert_int_eq(clp_replay_next(replay, &report), CLP_OK);
    ck_assert_uint_eq(report.cycle, reports[k].cycle);
    ck_assert_mem_eq(&report.distance, &reports[k].distance, sizeof(double));
    ck_assert_mem_eq(&report.lower_bound, &reports[k].lower_bound, sizeof(double));
    ck_assert_int_eq(report.stepped, reports[k].stepped);
  }
  ck_assert_int_eq(clp_replay_next(replay, &report), CLP_OK);
  ck_assert_uint_eq(report.cycle, 0);
  ck_assert_int_eq(clp_scene_near_count(clp_replay_scene(replay)) > 0, 1);
  clp_replay_close(replay);
}

SUITE("scene_record");

TEST_CASE("scene_record", 30);

TEST(test_replay)
{
  tape t = make_tape((size_t)1 << 22);
  clp_scene_report reports[CYCLES];
  medley m = record_run(&t, reports);
  t.m = &m;
  expect_replay(&t, (clp_workers){0}, reports);
  expect_replay(&t, (clp_workers){run_backwards, NULL}, reports);
  medley_destroy(&m);
  free(t.bytes);
}

/* ---- A run that everybody knows ------------------------------------------------------------ */

/* The results of 10,000 cycles. They are the same for any number of workers, any compiler and, as
 * far as its C library's mathematics agrees, any machine. Whoever changes the results on purpose
 * writes the new number here. */
static const uint64_t golden = 0xa6ed9d61810275cbu;

TEST_CASE("golden", 60);

LOOP_TEST(test_golden, 0, 2)
{
  if (!amount_has(_i))
    return;
  enum { GOLDEN_CYCLES = 10000 };
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = 1;
  if (_i == 1)
    options.workers = (clp_workers){run_backwards, NULL};
  medley m = medley_make(options);
  uint64_t hash = MEDLEY_SEED;
  for (int k = 0; k < GOLDEN_CYCLES; ++k) {
    clp_scene_report report = medley_step(&m);
    hash = medley_mix_cycle(hash, &m, &report);
  }
  medley_destroy(&m);
  ck_assert_msg(hash == golden, "the run's fingerprint is 0x%016llx", (unsigned long long)hash);
}

/* ---- What is wrong ------------------------------------------------------------------------ */

/* How many cycles can be replayed, and the status that it ends with. */
static clp_status replay_all(tape *t, int *cycles)
{
  clp_replay *replay = NULL;
  clp_scene_report report = {.cycle = 1};
  *cycles = 0;
  t->place = 0;
  clp_status status = clp_replay_open(source_of(t), (clp_workers){0}, &replay);
  while (status == CLP_OK && report.cycle > 0) {
    status = clp_replay_next(replay, &report);
    *cycles += status == CLP_OK && report.cycle > 0;
  }
  if (status != CLP_OK && replay)
    ck_assert_int_eq(clp_replay_next(replay, &report), status); /* and stays so */
  clp_replay_close(replay);
  return status;
}

TEST_CASE("scene_record", 30);

TEST(test_damage)
{
  enum { SHORT = 3 };
  random_state g = {.s = 8};
  tape t = make_tape((size_t)1 << 20);
  medley m = make_recorded(&t);
  int cycles, refused = 0;
  for (int k = 0; k < SHORT; ++k)
    medley_step(&m);
  t.m = &m;
  ck_assert_int_eq(replay_all(&t, &cycles), CLP_OK);
  ck_assert_int_eq(cycles, SHORT);
  const int times = amount_of(200);
  for (int k = 0; k < times; ++k) {
    size_t place = random_bits(&g) % t.length;
    unsigned char byte = t.bytes[place];
    t.bytes[place] ^= (unsigned char)(1u << random_bits(&g) % 8);
    refused += replay_all(&t, &cycles) != CLP_OK;
    t.bytes[place] = byte;
  }
  ck_assert_int_gt(2 * refused, times);
  size_t whole = t.length;
  for (int k = 0; k < amount_of(50); ++k) {
    t.length = random_bits(&g) % whole;
    clp_status status = replay_all(&t, &cycles);
    ck_assert(status == CLP_ERROR_FORMAT || t.length % 8 == 0);
  }
  t.length = whole;
  const clp_body *body = m.part_bodies[4];
  m.part_bodies[4] = m.part_bodies[3];
  ck_assert_int_eq(replay_all(&t, &cycles), CLP_ERROR_FORMAT);
  m.part_bodies[4] = NULL;
  ck_assert_int_eq(replay_all(&t, &cycles), CLP_ERROR_FORMAT);
  m.part_bodies[4] = body;
  medley_destroy(&m);
  free(t.bytes);
}

TEST(test_recorder)
{
  tape small = make_tape(5000), none = make_tape(10);
  medley m = make_recorded(&small), other = medley_prepare(clp_default_scene_options());
  clp_recorder recorder = {write_tape, &small};
  ck_assert_int_eq(clp_scene_record(m.scene, recorder), CLP_ERROR_ARGUMENT); /* twice */
  clp_scene_report report = medley_step(&m);
  ck_assert(!clp_scene_is_recorded(m.scene)); /* no more room */
  ck_assert_int_gt(report.stepped, 0);
  recorder.user = &none;
  ck_assert_int_eq(clp_scene_record(other.scene, recorder), CLP_ERROR_FILE);
  ck_assert(!clp_scene_is_recorded(other.scene));
  medley_fill(&other);
  recorder.user = &small;
  ck_assert_int_eq(clp_scene_record(other.scene, recorder), CLP_ERROR_ARGUMENT); /* too late */
  ck_assert_int_eq(clp_scene_record(other.scene, (clp_recorder){0}), CLP_ERROR_ARGUMENT);
  medley_destroy(&m);
  medley_destroy(&other);
  free(small.bytes);
  free(none.bytes);
}
