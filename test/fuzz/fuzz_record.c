/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/scene/record.h"
#include "rclc_closest_point/scene/scene.h"

/* libFuzzer's entry: any bytes as a record. What a replay may take is counted, all allocations and
 * the processor's time, and must be within what record.h promises.
 *
 * Whoever wants to do harm runs the library, too: where a replay ends because a body or a cycle is
 * not what the record says, the right words are written into it and it is replayed again. */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *memory);

#define MAX_BYTES 65536

/* How often one input is made right. */
enum { FORGERIES = 12 };

/* Steps that nothing interrupts take the sanitizers so many times as long. */
#define SLOWNESS 5

static void require(bool promise, const char *what)
{
  if (promise)
    return;
  fprintf(stderr, "%s\n", what);
  abort();
}

/* ---- Memory ------------------------------------------------------------------------------- */

static size_t memory_now, memory_most;

static void on_malloc(const volatile void *memory, size_t size)
{
  (void)memory;
  memory_now += size;
  memory_most = memory_now > memory_most ? memory_now : memory_most;
}

static void on_free(const volatile void *memory)
{
  size_t size = memory ? __sanitizer_get_allocated_size(memory) : 0;
  memory_now -= size < memory_now ? size : memory_now;
}

/* ---- Bodies ------------------------------------------------------------------------------- */

enum { BODIES = 6 };

static clp_body *bodies[BODIES];

static clp_body_def def_of(int k)
{
  static const clp_shape shapes[BODIES] = {CLP_SHAPE_BOX,      CLP_SHAPE_SPHERE,
                                           CLP_SHAPE_CYLINDER, CLP_SHAPE_POINT,
                                           CLP_SHAPE_REVOLVED, CLP_SHAPE_ELLIPSOID};
  static const clp_profile_piece bowl[] = {
      {.kind = CLP_PROFILE_LINE, .r = 0.6, .z = -0.6},
      {.kind = CLP_PROFILE_LINE, .r = 0.6, .z = 0},
      {.kind = CLP_PROFILE_LINE, .r = 0.4, .z = 0},
      {.kind = CLP_PROFILE_ARC, .r = 0, .z = -0.4, .center_r = 0, .center_z = 0}};
  clp_body_def def = clp_default_body_def(shapes[k]);
  def.size = shapes[k] == CLP_SHAPE_POINT ? (clp_vec3){0, 0, 0} : (clp_vec3){0.4, 0.3, 0.2};
  def.radius = 0.2;
  def.length = 0.5;
  def.convex = shapes[k] != CLP_SHAPE_REVOLVED;
  def.revolved = (clp_revolved_def){0, -0.6, bowl, 4};
  return def;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  for (int k = 0; k < BODIES; ++k) {
    clp_body_def def = def_of(k);
    require(clp_body_create(&def, (clp_reporter){0}, &bodies[k]) == CLP_OK, "a body is refused");
  }
  require(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0, "no hooks");
  return 0;
}

/* ---- The record --------------------------------------------------------------------------- */

typedef struct tape {
  uint8_t *bytes;
  size_t length, place;
  size_t entry; /* where the last one begins */
} tape;

static size_t read_tape(void *user, void *bytes, size_t count)
{
  tape *t = user;
  require(count <= t->length - t->place, "more is read than there is");
  if (count == 8)
    t->entry = t->place;
  memcpy(bytes, t->bytes + t->place, count);
  t->place += count;
  return count;
}

static const clp_body *body_on_tape(void *user, int serial)
{
  (void)user;
  return bodies[serial % BODIES];
}

/* Writes words over those of the last entry from word `first` on. */
static bool put_words(tape *t, const clp_entry *words, int first)
{
  bool changed = false;
  for (int k = 0; k < words->count; ++k)
    for (int i = 0; i < 8; ++i) {
      uint8_t byte = (uint8_t)(words->words[k] >> (8 * i));
      uint8_t *place = &t->bytes[t->entry + 8 * (size_t)(1 + first + k) + (size_t)i];
      changed |= *place != byte;
      *place = byte;
    }
  return changed;
}

/* What the last entry should have said; false where that is not what was wrong. */
static bool forge(tape *t, const clp_replay *replay, int parts)
{
  clp_entry words = clp_entry_make(CLP_ENTRY_PART);
  if (t->place < t->entry + 16)
    return false;
  size_t count = t->place - t->entry;
  uint8_t kind = t->bytes[t->entry];
  const clp_scene *scene = clp_replay_scene(replay);
  if (kind == CLP_ENTRY_PART && count == 8 * 24 && parts > 0) {
    clp_entry_add_body(&words, bodies[(parts - 1) % BODIES]);
    return put_words(t, &words, 12);
  }
  if ((kind != CLP_ENTRY_STEP && kind != CLP_ENTRY_QUERY) || count != 8 * 13)
    return false;
  clp_entry_add_report(&words, scene, &scene->report);
  return put_words(t, &words, 0);
}

/* ---- Replaying ---------------------------------------------------------------------------- */

static int parts_of(const tape *t)
{
  int parts = 0;
  for (size_t k = 0; k + 8 <= t->place; k += 8 * (1 + (size_t)t->bytes[k + 1]))
    parts += t->bytes[k] == CLP_ENTRY_PART;
  return parts;
}

/* Whether it is worth another try. */
static bool replay_all(tape *t)
{
  clp_replay *replay = NULL;
  clp_scene_report report = {.cycle = 1};
  t->place = t->entry = 0;
  clp_replay_source source = {
      .read = read_tape, .body = body_on_tape, .user = t, .length = t->length};
  clp_status status = clp_replay_open(source, (clp_workers){0}, &replay);
  require((status == CLP_OK) == (replay != NULL), "a status that is none");
  while (status == CLP_OK && report.cycle > 0)
    status = clp_replay_next(replay, &report);
  require(status == CLP_OK || status == CLP_ERROR_FORMAT || status == CLP_ERROR_LIMIT,
          "another status");
  if (replay && status != CLP_OK)
    require(clp_replay_next(replay, &report) == status, "it goes on");
  bool again = replay && status == CLP_ERROR_FORMAT && forge(t, replay, parts_of(t));
  clp_replay_close(replay);
  return again;
}

static bool replay_within_limits(tape *t)
{
  size_t memory = memory_most = memory_now;
  clock_t start = clock();
  bool again = replay_all(t);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  require((double)(memory_most - memory) <= 64e6 + 1e3 * (double)t->length, "too much memory");
  require(memory_now <= memory, "memory is kept");
  if (seconds > SLOWNESS * (1 + 1e-6 * (double)t->length))
    fprintf(stderr, "%g s for %zu bytes\n", seconds, t->length);
  require(seconds <= SLOWNESS * (1 + 1e-6 * (double)t->length), "too much time");
  return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0 || size > MAX_BYTES)
    return 0;
  tape t = {.bytes = malloc(size), .length = size};
  if (!t.bytes)
    return 0;
  memcpy(t.bytes, data, size);
  for (int k = 0; k < FORGERIES && replay_within_limits(&t);)
    ++k;
  free(t.bytes);
  return 0;
}
