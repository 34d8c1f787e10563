/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction, PATH_MAX */

#include "rclc_closest_point/node/tiler.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/mesh/tile_cache.h"
#include "rclc_closest_point/node/background.h"
#include "rclc_closest_point/node/process.h"

/* What the thread has said, until the one of the cycles passes it on. */
typedef struct line {
  struct line *next;
  clp_severity severity;
  char text[];
} line;

struct clp_tiler {
  clp_settings settings;
  clp_urdf_source urdf;
  char *name, *file, *text; /* what that points to */
  pthread_t thread;
  bool begun;
  pthread_mutex_t lock; /* of the lines */
  line *first, **last;
  atomic_int done, links;
  atomic_bool give_up, ended;
  clp_status status; /* from here on by the thread alone, until it has ended */
  clp_tiled tiled;
  bool cached;
  int64_t began, took; /* ns */
};

/* ---- The thread --------------------------------------------------------------------------- */

static void say(void *user, clp_severity severity, const char *text)
{
  clp_tiler *tiler = user;
  size_t size = strlen(text) + 1;
  line *said = malloc(sizeof *said + size);
  if (!said)
    return;
  said->next = NULL;
  said->severity = severity;
  memcpy(said->text, text, size);
  pthread_mutex_lock(&tiler->lock);
  *tiler->last = said;
  tiler->last = &said->next;
  pthread_mutex_unlock(&tiler->lock);
}

static bool go_on(void *user, int done, int links)
{
  clp_tiler *tiler = user;
  atomic_store(&tiler->done, done);
  atomic_store(&tiler->links, links);
  return !atomic_load(&tiler->give_up);
}

static void *run(void *user)
{
  clp_tiler *tiler = user;
  char folder[PATH_MAX];
  clp_tile_wish wish = clp_default_tile_wish();
  wish.package_paths =
      (const char *const *)tiler->settings.package_path.items; /* NULL at the end */
  wish.max_gap = tiler->settings.max_gap;
  wish.max_parts = (int)tiler->settings.max_parts;
  wish.progress = go_on;
  wish.user = tiler;
  bool has_folder = clp_tile_cache_folder(folder, sizeof folder);
  tiler->status = clp_tile_with_cache(tiler->urdf, wish, has_folder ? folder : NULL,
                                      (clp_model_sink){say, tiler}, &tiler->tiled, &tiler->cached);
  tiler->took = clp_steady_now() - tiler->began;
  atomic_store(&tiler->ended, true);
  return NULL;
}

static bool start_thread(clp_tiler *tiler)
{
  tiler->begun = clp_begin_background(&tiler->thread, run, tiler);
  return tiler->begun;
}

/* ---- The thread of the cycles ------------------------------------------------------------- */

static char *copy_of(const char *text, size_t length)
{
  char *copy = malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

clp_tiler *clp_tiler_begin(const clp_settings *settings, clp_urdf_source urdf)
{
  clp_tiler *tiler = calloc(1, sizeof *tiler);
  if (!tiler)
    return NULL;
  tiler->last = &tiler->first;
  tiler->began = clp_steady_now();
  pthread_mutex_init(&tiler->lock, NULL);
  tiler->name = copy_of(urdf.name, strlen(urdf.name));
  tiler->file = urdf.file ? copy_of(urdf.file, strlen(urdf.file)) : NULL;
  tiler->text = copy_of(urdf.text, urdf.length);
  tiler->urdf = (clp_urdf_source){tiler->name, tiler->file, tiler->text, urdf.length};
  if (!tiler->name || !tiler->text || (urdf.file && !tiler->file) ||
      clp_settings_copy(settings, &tiler->settings) != CLP_OK || !start_thread(tiler)) {
    clp_tiler_destroy(tiler);
    return NULL;
  }
  return tiler;
}

clp_tiler_progress clp_tiler_follow(clp_tiler *tiler, clp_model_sink sink)
{
  clp_tiler_progress progress = {atomic_load(&tiler->ended), atomic_load(&tiler->done),
                                 atomic_load(&tiler->links)};
  pthread_mutex_lock(&tiler->lock);
  line *said = tiler->first;
  tiler->first = NULL;
  tiler->last = &tiler->first;
  pthread_mutex_unlock(&tiler->lock);
  while (said) {
    line *next = said->next;
    if (sink.message)
      sink.message(sink.user, said->severity, said->text);
    free(said);
    said = next;
  }
  return progress;
}

static void summarize(const clp_tiler *tiler, char *text, size_t room)
{
  int parts = 0, meshes = 0;
  double gap = 0;
  for (int k = 0; k < tiler->tiled.link_count; ++k) {
    const clp_tile_link *link = &tiler->tiled.links[k];
    if (link->failed)
      continue;
    meshes += link->mesh_count;
    parts += link->mesh_count > 0 ? link->parts : 0;
    gap = link->mesh_count > 0 ? fmax(gap, link->gap) : gap;
  }
  clp_number_text took = clp_number(1e-9 * (double)tiler->took, 2);
  if (tiler->cached)
    snprintf(text, room, "the bodies of its meshes are from the cache, in %s s", took.text);
  else
    snprintf(text, room,
             "%d meshes are enclosed in %d bodies, none of which reaches more than %s mm beyond "
             "its mesh, in %s s",
             meshes, parts, clp_number(1e3 * gap, 3).text, took.text);
}

clp_tiler_result clp_tiler_take(clp_tiler *tiler)
{
  clp_tiler_result result = {.status = tiler->status, .text = tiler->tiled.text};
  if (tiler->status == CLP_OK)
    summarize(tiler, result.summary, sizeof result.summary);
  return result;
}

void clp_tiler_destroy(clp_tiler *tiler)
{
  if (!tiler)
    return;
  atomic_store(&tiler->give_up, true);
  if (tiler->begun)
    pthread_join(tiler->thread, NULL);
  clp_tiler_follow(tiler, (clp_model_sink){0});
  pthread_mutex_destroy(&tiler->lock);
  clp_tiled_release(&tiler->tiled);
  clp_settings_release(&tiler->settings);
  free(tiler->name);
  free(tiler->file);
  free(tiler->text);
  free(tiler);
}
