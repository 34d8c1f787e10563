/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdir, getpid */

#include "rclc_closest_point/mesh/tile_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rclc_closest_point/mesh/mesh_file.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/model/model.h"

/* ---- Digests ------------------------------------------------------------------------------ */

/* FNV-1a of 128 bits. It tells contents apart, and finds what a disk has lost; against somebody who
 * writes into the user's cache nothing that lies there helps. */
__extension__ typedef unsigned __int128 digest;

static digest digest_start(void)
{
  return ((digest)0x6c62272e07bb0142u << 64) | 0x62b821756295c58du;
}

static digest digest_bytes(digest d, const void *bytes, size_t length)
{
  const digest prime = ((digest)1 << 88) | 0x13b;
  const unsigned char *c = bytes;
  for (size_t k = 0; k < length; ++k)
    d = (d ^ c[k]) * prime;
  return d;
}

/* With its length, so that no two lists of pieces look alike. */
static digest digest_piece(digest d, const void *bytes, size_t length)
{
  uint64_t count = length;
  return digest_bytes(digest_bytes(d, &count, sizeof count), bytes, length);
}

typedef struct digest_text {
  char text[33];
} digest_text;

static digest_text show_digest(digest d)
{
  digest_text shown;
  snprintf(shown.text, sizeof shown.text, "%016" PRIx64 "%016" PRIx64, (uint64_t)(d >> 64),
           (uint64_t)d);
  return shown;
}

static bool add_file(void *user, const char *path)
{
  digest *d = user;
  clp_log log = {.file = path};
  char *bytes = NULL;
  size_t length = 0;
  if (clp_mesh_read_bytes(&log, &bytes, &length) != CLP_OK)
    return false;
  *d = digest_piece(*d, path, strlen(path));
  *d = digest_piece(*d, bytes, length);
  free(bytes);
  return true;
}

/* False: a mesh cannot be read, which tiling will say. */
static bool digest_all(const clp_urdf_source *urdf, const clp_tile_wish *wish, digest *d)
{
  const double lengths[] = {wish->margin, wish->max_gap, wish->round};
  const int counts[] = {wish->max_parts, wish->max_facets, wish->visual};
  *d = digest_piece(digest_start(), CLP_TILING, strlen(CLP_TILING));
  *d = digest_piece(*d, lengths, sizeof lengths);
  *d = digest_piece(*d, counts, sizeof counts);
  *d = digest_piece(*d, wish->link ? wish->link : "", wish->link ? strlen(wish->link) : 0);
  *d = digest_piece(*d, urdf->text, urdf->length);
  return clp_tile_each_mesh(urdf, wish, add_file, d);
}

/* ---- Files -------------------------------------------------------------------------------- */

bool clp_tile_cache_folder(char *folder, size_t room)
{
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = -1;
  if (cache && *cache == '/')
    length = snprintf(folder, room, "%s/rclc_closest_point", cache);
  else if (home && *home == '/')
    length = snprintf(folder, room, "%s/.cache/rclc_closest_point", home);
  return length > 0 && (size_t)length < room;
}

/* With all that it is in. */
static bool make_folder(const char *folder)
{
  char path[PATH_MAX];
  size_t length = strlen(folder);
  if (length >= sizeof path)
    return false;
  memcpy(path, folder, length + 1);
  for (size_t k = 1; k <= length; ++k)
    if (path[k] == '/' || path[k] == '\0') {
      path[k] = '\0';
      if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
      path[k] = folder[k];
    }
  return true;
}

/* The first line of a file, behind which its text stands. */
typedef struct head_line {
  char text[96];
} head_line;

static head_line head_of(const char *text, size_t length)
{
  head_line head;
  digest_text d = show_digest(digest_piece(digest_start(), text, length));
  snprintf(head.text, sizeof head.text, "rclc_closest_point tiled %zu %s\n", length, d.text);
  return head;
}

typedef enum read_result { READ_DONE, READ_NOTHING, READ_DAMAGED, READ_NO_MEMORY } read_result;

static read_result take_text(const char *bytes, size_t length, clp_tiled *tiled)
{
  const char *end = memchr(bytes, '\n', length);
  size_t head = end ? (size_t)(end - bytes) + 1 : length, rest = length - head;
  head_line expected = head_of(bytes + head, rest);
  if (head != strlen(expected.text) || memcmp(bytes, expected.text, head) != 0)
    return READ_DAMAGED;
  char *text = malloc(rest + 1);
  if (!text)
    return READ_NO_MEMORY;
  memcpy(text, bytes + head, rest);
  text[rest] = '\0';
  *tiled = (clp_tiled){.text = text, .length = rest};
  return READ_DONE;
}

static read_result read_cached(const char *path, clp_tiled *tiled)
{
  clp_log log = {.file = path};
  char *bytes = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &bytes, &length);
  if (status != CLP_OK)
    return status == CLP_ERROR_MEMORY ? READ_NO_MEMORY : READ_NOTHING;
  read_result result = take_text(bytes, length, tiled);
  free(bytes);
  return result;
}

/* Under another name first, so that nobody ever reads half of it. */
static bool write_cached(const char *folder, const char *path, const clp_tiled *tiled)
{
  char part[PATH_MAX];
  if (!make_folder(folder) ||
      (size_t)snprintf(part, sizeof part, "%s.%ld", path, (long)getpid()) >= sizeof part)
    return false;
  FILE *file = fopen(part, "wb");
  if (!file)
    return false;
  fputs(head_of(tiled->text, tiled->length).text, file);
  fwrite(tiled->text, 1, tiled->length, file);
  bool good = !ferror(file);
  good = fclose(file) == 0 && good && rename(part, path) == 0;
  if (!good)
    remove(part);
  return good;
}

/* ---- The whole ---------------------------------------------------------------------------- */

static clp_status tile_and_keep(clp_urdf_source urdf, clp_tile_wish wish, const char *folder,
                                const char *path, digest before, clp_log *log, clp_tiled *tiled)
{
  clp_status status = clp_tile_text(urdf, wish, log->sink, tiled);
  digest after;
  /* What failed shall be tried again, and what has changed meanwhile is not what was asked for. */
  if (status != CLP_OK || tiled->failures > 0 || !digest_all(&urdf, &wish, &after) ||
      after != before)
    return status;
  if (!write_cached(folder, path, tiled))
    clp_log_note(log, 1, "cannot be written: bodies are made again at every start");
  return status;
}

clp_status clp_tile_with_cache(clp_urdf_source urdf, clp_tile_wish wish, const char *folder,
                               clp_model_sink sink, clp_tiled *tiled, bool *found)
{
  char path[PATH_MAX];
  digest d;
  *found = false;
  if (!folder || !digest_all(&urdf, &wish, &d) ||
      (size_t)snprintf(path, sizeof path, "%s/%s.tiled", folder, show_digest(d).text) >=
          sizeof path)
    return clp_tile_text(urdf, wish, sink, tiled);
  clp_log log = {.file = path, .sink = sink};
  read_result result = read_cached(path, tiled);
  *found = result == READ_DONE;
  if (result == READ_DONE)
    return CLP_OK;
  if (result == READ_NO_MEMORY)
    return CLP_ERROR_MEMORY;
  if (result == READ_DAMAGED)
    clp_log_note(&log, 1, "is damaged, and made anew");
  return tile_and_keep(urdf, wish, folder, path, d, &log, tiled);
}
