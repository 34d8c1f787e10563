/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* stat, opendir */

#include "rclc_closest_point/bag/bag.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rclc_closest_point/bag/bag_file.h"
#include "rclc_closest_point/bag/compression.h"
#include "rclc_closest_point/model/log.h"

enum { MOST_TOPICS = 4096, MOST_FILES = 100000, LONGEST_PATH = 4096 };

typedef struct known_topic {
  char *name, *type;
} known_topic;

typedef struct bag_file {
  char *path;
  bool told; /* of its damage */
} bag_file;

struct clp_bag {
  clp_model_sink sink;
  bag_file *files;
  size_t file_count, file; /* the one that is read */
  const clp_file_kind *kind;
  void *reader; /* of the file; NULL: not opened */
  int64_t begin;
  known_topic *topics;
  int topic_count;
  int recent;          /* the topic of the message before */
  clp_bytes unpacked;  /* a message that was compressed by itself */
  uint64_t unreadable; /* of these, such as could not be */
};

/* ---- Which files -------------------------------------------------------------------------- */

static const clp_file_kind *kind_of(const char *path)
{
  unsigned char front[16];
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
    return NULL;
  FILE *stream = fopen(path, "rb");
  size_t size = stream ? fread(front, 1, sizeof front, stream) : 0;
  if (stream)
    fclose(stream);
  return clp_mcap_begins(front, size)  ? &clp_mcap_kind_of_file
         : clp_db3_begins(front, size) ? &clp_db3_kind_of_file
                                       : NULL;
}

static bool ends_with(const char *text, const char *end)
{
  size_t length = strlen(text), tail = strlen(end);
  return length > tail && strcmp(text + length - tail, end) == 0;
}

/* x_2 comes before x_10. */
static int compare_files(const void *a, const void *b)
{
  const char *x = ((const bag_file *)a)->path, *y = ((const bag_file *)b)->path;
  size_t long_x = strlen(x), long_y = strlen(y);
  return long_x != long_y ? (long_x > long_y) - (long_x < long_y) : strcmp(x, y);
}

static bool add_file(clp_bag *bag, const char *path)
{
  bag_file *files = realloc(bag->files, (bag->file_count + 1) * sizeof *files);
  if (!files)
    return false;
  bag->files = files;
  char *copy = clp_copy_text(path);
  if (!copy)
    return false;
  files[bag->file_count++] = (bag_file){.path = copy};
  return true;
}

/* The recordings of a folder; of nothing that is not named as one. */
static clp_status add_folder(clp_bag *bag, const char *path, DIR *folder)
{
  clp_status status = CLP_OK;
  const struct dirent *entry;
  while (status == CLP_OK && (entry = readdir(folder)) && bag->file_count < MOST_FILES) {
    char name[LONGEST_PATH];
    if ((!ends_with(entry->d_name, ".mcap") && !ends_with(entry->d_name, ".db3")) ||
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= LONGEST_PATH)
      continue;
    status = add_file(bag, name) ? CLP_OK : CLP_ERROR_MEMORY;
  }
  if (bag->file_count > 0)
    qsort(bag->files, bag->file_count, sizeof *bag->files, compare_files);
  return status;
}

static clp_status find_files(clp_bag *bag, const char *path)
{
  DIR *folder = opendir(path);
  if (!folder)
    return add_file(bag, path) ? CLP_OK : CLP_ERROR_MEMORY;
  clp_status status = add_folder(bag, path, folder);
  closedir(folder);
  return status;
}

bool clp_is_bag(const char *path)
{
  clp_bag bag = {0};
  DIR *folder = opendir(path);
  if (!folder)
    return kind_of(path) != NULL;
  (void)add_folder(&bag, path, folder);
  closedir(folder);
  bool found = bag.file_count > 0;
  for (size_t k = 0; k < bag.file_count; ++k)
    free(bag.files[k].path);
  free(bag.files);
  return found;
}

/* ---- One file after the other ------------------------------------------------------------- */

static void tell(const clp_bag *bag, const char *path, const char *text)
{
  clp_log log = {.file = path, .sink = bag->sink};
  clp_log_defect(&log, 1, "%s", text);
}

static const char *open_kind(clp_bag *bag, const char *path, char *why, size_t room)
{
  bag->kind = kind_of(path);
  if (!bag->kind)
    return "it is no recording: expected an MCAP file or a database of rosbag2";
  if (bag->kind == &clp_db3_kind_of_file) {
    bag->reader = clp_db3_reader_open(path, why, room);
    return bag->reader ? NULL : why;
  }
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return strerror(errno);
  bag->reader = clp_mcap_reader_open(stream, why, room);
  if (!bag->reader)
    fclose(stream);
  return bag->reader ? NULL : why;
}

static bool open_file(clp_bag *bag)
{
  char why[256], line[512];
  bag_file *file = &bag->files[bag->file];
  const char *wrong = open_kind(bag, file->path, why, sizeof why);
  if (!wrong) {
    bag->kind->rewind(bag->reader, bag->begin);
    return true;
  }
  snprintf(line, sizeof line, "the recording cannot be read: %s", wrong);
  if (!file->told)
    tell(bag, file->path, line);
  file->told = true;
  return false;
}

static void tell_damage(clp_bag *bag)
{
  bag_file *file = &bag->files[bag->file];
  const clp_damage *damage = bag->kind->damage(bag->reader);
  char line[512], more[96] = "";
  if (file->told || (damage->count == 0 && bag->unreadable == 0))
    return;
  file->told = true;
  if (damage->count > 1)
    snprintf(more, sizeof more, ", and %" PRIu64 " more places", damage->count - 1);
  if (damage->count > 0)
    snprintf(line, sizeof line, "damaged from %s %" PRIu64 " on: %s%s; the rest has been read",
             bag->kind == &clp_db3_kind_of_file ? "message" : "byte", damage->at, damage->text,
             more);
  else
    snprintf(line, sizeof line, "%" PRIu64 " compressed messages cannot be read%s", bag->unreadable,
             clp_compression_is_there(CLP_COMPRESSION_ZSTD)
                 ? ""
                 : ": this program was built without zstd");
  tell(bag, file->path, line);
}

static void close_file(clp_bag *bag)
{
  if (bag->reader)
    bag->kind->close(bag->reader);
  bag->reader = NULL;
}

/* ---- Messages ----------------------------------------------------------------------------- */

static bool is_topic(const known_topic *t, const clp_file_message *message)
{
  return strcmp(t->name, message->topic) == 0 && strcmp(t->type, message->type) == 0;
}

static int add_topic(clp_bag *bag, const clp_file_message *message)
{
  known_topic *topics = bag->topic_count < MOST_TOPICS
                            ? realloc(bag->topics, ((size_t)bag->topic_count + 1) * sizeof *topics)
                            : NULL;
  if (!topics)
    return -1;
  bag->topics = topics;
  known_topic added = {clp_copy_text(message->topic), clp_copy_text(message->type)};
  if (!added.name || !added.type) {
    free(added.name);
    free(added.type);
    return -1;
  }
  topics[bag->topic_count] = added;
  return bag->topic_count++;
}

/* -1: there are too many. Messages of a topic like to come one after the other. */
static int topic_of(clp_bag *bag, const clp_file_message *message)
{
  for (int k = 0; k < bag->topic_count; ++k) {
    int candidate = (bag->recent + k) % bag->topic_count;
    if (is_topic(&bag->topics[candidate], message))
      return bag->recent = candidate;
  }
  return add_topic(bag, message);
}

/* rosbag2 may have compressed each message by itself. The first byte of CDR is zero. */
static bool unpack(clp_bag *bag, clp_bag_message *message)
{
  if (!clp_is_zstd(message->bytes, message->size))
    return true;
  bag->unpacked.failed = false;
  if (!clp_decompress_message(message->bytes, message->size, CLP_BAG_MOST_BYTES, &bag->unpacked)) {
    ++bag->unreadable;
    return false;
  }
  message->bytes = bag->unpacked.data;
  message->size = bag->unpacked.size;
  return true;
}

/* From 1897 to 2116: whoever reckons with two of these does not get beyond 64 bits. */
static int64_t bounded(int64_t time)
{
  const int64_t least = -(INT64_C(1) << 61), most = INT64_C(1) << 62;
  return time < least ? least : time > most ? most : time;
}

static bool next_of_file(clp_bag *bag, clp_bag_message *message)
{
  clp_file_message found;
  while (bag->kind->next(bag->reader, &found)) {
    *message = (clp_bag_message){topic_of(bag, &found), bounded(found.received),
                                 bounded(found.sent), found.bytes, found.size};
    if (message->topic >= 0 && unpack(bag, message))
      return true;
  }
  return false;
}

bool clp_bag_next(clp_bag *bag, clp_bag_message *message)
{
  for (; bag->file < bag->file_count; ++bag->file) {
    if (!bag->reader && !open_file(bag))
      continue;
    if (next_of_file(bag, message))
      return true;
    tell_damage(bag);
    bag->unreadable = 0;
    close_file(bag);
  }
  return false;
}

clp_bag_topic clp_bag_topic_at(const clp_bag *bag, int topic)
{
  return (clp_bag_topic){bag->topics[topic].name, bag->topics[topic].type};
}

void clp_bag_rewind(clp_bag *bag, int64_t begin)
{
  bag->begin = begin;
  bag->unreadable = 0;
  if (bag->file == 0 && bag->reader) {
    bag->kind->rewind(bag->reader, begin);
    return;
  }
  close_file(bag);
  bag->file = 0;
}

bool clp_bag_range(clp_bag *bag, int64_t *first, int64_t *last)
{
  clp_file_range all = {INT64_MAX, INT64_MIN};
  close_file(bag);
  for (bag->file = 0; bag->file < bag->file_count; ++bag->file) {
    if (!open_file(bag))
      continue;
    clp_file_range range = bag->kind->range(bag->reader);
    close_file(bag);
    if (range.first > range.last)
      continue;
    all.first = range.first < all.first ? range.first : all.first;
    all.last = range.last > all.last ? range.last : all.last;
  }
  bag->file = 0;
  *first = bounded(all.first);
  *last = bounded(all.last);
  return all.first <= all.last;
}

double clp_bag_progress(const clp_bag *bag)
{
  double part = bag->reader ? bag->kind->progress(bag->reader) : 0;
  part = part > 0 ? part < 1 ? part : 1 : 0;
  return bag->file_count > 0 ? ((double)bag->file + part) / (double)bag->file_count : 1;
}

/* ---- From start to end -------------------------------------------------------------------- */

clp_status clp_bag_open(const char *path, clp_model_sink sink, clp_bag **bag)
{
  clp_bag *opened = calloc(1, sizeof *opened);
  if (!opened)
    return CLP_ERROR_MEMORY;
  opened->sink = sink;
  opened->begin = INT64_MIN;
  clp_status status = find_files(opened, path);
  if (status == CLP_OK && opened->file_count == 0) {
    tell(opened, path, "a folder without a recording, expected files .mcap or .db3");
    status = CLP_ERROR_FILE;
  }
  if (status == CLP_OK && opened->file_count == 1 && !open_file(opened))
    status = CLP_ERROR_FILE;
  if (status == CLP_OK)
    *bag = opened;
  else
    clp_bag_close(opened);
  return status;
}

void clp_bag_close(clp_bag *bag)
{
  if (!bag)
    return;
  close_file(bag);
  for (size_t k = 0; k < bag->file_count; ++k)
    free(bag->files[k].path);
  for (int k = 0; k < bag->topic_count; ++k) {
    free(bag->topics[k].name);
    free(bag->topics[k].type);
  }
  free(bag->files);
  free(bag->topics);
  clp_bytes_release(&bag->unpacked);
  free(bag);
}
