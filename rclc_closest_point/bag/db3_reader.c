/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/bag_file.h"

/* rosbag2's databases: a table of topics, and one of messages, which are read in the order of their
 * times. What else stands in the file, such as views and triggers, is not run. */

static const char magic[] = "SQLite format 3";

bool clp_db3_begins(const unsigned char *bytes, size_t size)
{
  return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

#ifdef CLP_SQLITE

#include <sqlite3.h>

enum { MOST_TOPICS = 65536 };

typedef struct db3_topic {
  int64_t id;
  char *name, *type; /* NULL: it is not read */
} db3_topic;

typedef struct db3_reader {
  sqlite3 *base;
  sqlite3_stmt *messages;
  db3_topic *topics;
  size_t topic_count;
  clp_file_range range;
  int64_t begin, reached;
  uint64_t number; /* of the message */
  clp_damage damage;
} db3_reader;

/* ---- Topics ------------------------------------------------------------------------------- */

static char *column_text(sqlite3_stmt *row, int column)
{
  const char *text = (const char *)sqlite3_column_text(row, column);
  size_t length = text ? strlen(text) : 0;
  char *copy = length > 0 && length <= CLP_BAG_NAME_MAX ? malloc(length + 1) : NULL;
  if (copy)
    memcpy(copy, text, length + 1);
  return copy;
}

static bool add_topic(db3_reader *r, sqlite3_stmt *row)
{
  if (r->topic_count == MOST_TOPICS)
    return false;
  db3_topic *topics = realloc(r->topics, (r->topic_count + 1) * sizeof *topics);
  if (!topics)
    return false;
  r->topics = topics;
  db3_topic *topic = &topics[r->topic_count++];
  const char *format = (const char *)sqlite3_column_text(row, 3);
  bool readable = format && strcmp(format, "cdr") == 0;
  *topic = (db3_topic){.id = sqlite3_column_int64(row, 0)};
  if (!readable)
    return true;
  topic->name = column_text(row, 1);
  topic->type = column_text(row, 2);
  return true;
}

static int compare_topics(const void *a, const void *b)
{
  const db3_topic *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

static bool read_topics(db3_reader *r)
{
  sqlite3_stmt *rows = NULL;
  bool good =
      sqlite3_prepare_v2(r->base, "SELECT id, name, type, serialization_format FROM main.topics",
                         -1, &rows, NULL) == SQLITE_OK;
  int step = SQLITE_ROW;
  while (good && (step = sqlite3_step(rows)) == SQLITE_ROW)
    good = add_topic(r, rows);
  sqlite3_finalize(rows);
  if (r->topic_count > 0)
    qsort(r->topics, r->topic_count, sizeof *r->topics, compare_topics);
  return good && step == SQLITE_DONE;
}

static const db3_topic *find_topic(const db3_reader *r, int64_t id)
{
  db3_topic wanted = {.id = id};
  return r->topic_count == 0
             ? NULL
             : bsearch(&wanted, r->topics, r->topic_count, sizeof *r->topics, compare_topics);
}

/* ---- Messages ----------------------------------------------------------------------------- */

static bool fill(db3_reader *r, clp_file_message *message)
{
  const db3_topic *topic = find_topic(r, sqlite3_column_int64(r->messages, 0));
  if (!topic || !topic->name || !topic->type) {
    if (!topic)
      clp_damage_add(&r->damage, r->number, "a message of a topic that is not there");
    return false;
  }
  int64_t time = sqlite3_column_int64(r->messages, 1);
  r->reached = time;
  *message = (clp_file_message){.topic = topic->name,
                                .type = topic->type,
                                .received = time,
                                .sent = time,
                                .bytes = sqlite3_column_blob(r->messages, 2),
                                .size = (size_t)sqlite3_column_bytes(r->messages, 2)};
  return message->bytes != NULL;
}

static bool next(void *self, clp_file_message *message)
{
  db3_reader *r = self;
  int step = SQLITE_DONE;
  while (r->messages && (step = sqlite3_step(r->messages)) == SQLITE_ROW) {
    ++r->number;
    if (fill(r, message))
      return true;
  }
  if (r->messages && step != SQLITE_DONE)
    clp_damage_add(&r->damage, r->number + 1, sqlite3_errmsg(r->base));
  sqlite3_finalize(r->messages);
  r->messages = NULL;
  return false;
}

static void rewind_to(void *self, int64_t begin)
{
  db3_reader *r = self;
  sqlite3_finalize(r->messages);
  r->messages = NULL;
  r->begin = begin;
  r->number = 0;
  r->damage = (clp_damage){0};
  if (sqlite3_prepare_v2(r->base,
                         "SELECT topic_id, timestamp, data FROM main.messages"
                         " WHERE timestamp >= ?1 ORDER BY timestamp",
                         -1, &r->messages, NULL) != SQLITE_OK ||
      sqlite3_bind_int64(r->messages, 1, begin) != SQLITE_OK)
    clp_damage_add(&r->damage, 0, sqlite3_errmsg(r->base));
}

static void read_range(db3_reader *r)
{
  sqlite3_stmt *row = NULL;
  r->range = (clp_file_range){1, 0};
  if (sqlite3_prepare_v2(r->base, "SELECT min(timestamp), max(timestamp) FROM main.messages", -1,
                         &row, NULL) == SQLITE_OK &&
      sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) == SQLITE_INTEGER)
    r->range = (clp_file_range){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
  sqlite3_finalize(row);
}

static clp_file_range range(void *self)
{
  const db3_reader *r = self;
  return r->range;
}

static double progress(const void *self)
{
  const db3_reader *r = self;
  double whole = (double)r->range.last - (double)r->range.first;
  return whole > 0 ? ((double)r->reached - (double)r->range.first) / whole : 1;
}

static const clp_damage *damage_of(const void *self)
{
  const db3_reader *r = self;
  return &r->damage;
}

/* ---- Opening ------------------------------------------------------------------------------ */

static void close_reader(void *self)
{
  db3_reader *r = self;
  sqlite3_finalize(r->messages);
  sqlite3_close(r->base);
  for (size_t k = 0; k < r->topic_count; ++k) {
    free(r->topics[k].name);
    free(r->topics[k].type);
  }
  free(r->topics);
  free(r);
}

static int count_of(sqlite3 *base, const char *question)
{
  sqlite3_stmt *row = NULL;
  int count = -1;
  if (sqlite3_prepare_v2(base, question, -1, &row, NULL) == SQLITE_OK &&
      sqlite3_step(row) == SQLITE_ROW)
    count = sqlite3_column_int(row, 0);
  sqlite3_finalize(row);
  return count;
}

/* Both tables are tables, and hold what is in their columns: a view, or a column that is computed,
 * could be a program that does not end. */
static bool has_tables(sqlite3 *base)
{
  return count_of(base,
                  "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND "
                  "name IN ('topics', 'messages') AND sql NOT LIKE '%VIRTUAL%'") == 2 &&
         count_of(base,
                  "SELECT (SELECT count(*) FROM pragma_table_xinfo('topics') WHERE hidden > 0) + "
                  "(SELECT count(*) FROM pragma_table_xinfo('messages') WHERE hidden > 0)") == 0;
}

/* What a file says about itself is not believed. */
static void be_careful(sqlite3 *base)
{
  (void)sqlite3_db_config(base, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  (void)sqlite3_db_config(base, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  (void)sqlite3_db_config(base, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  (void)sqlite3_db_config(base, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  (void)sqlite3_limit(base, SQLITE_LIMIT_LENGTH, (int)CLP_BAG_MOST_BYTES);
  (void)sqlite3_exec(base, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", NULL, NULL, NULL);
}

void *clp_db3_reader_open(const char *path, char *why, size_t room)
{
  db3_reader *r = calloc(1, sizeof *r);
  if (!r) {
    snprintf(why, room, "there is no memory");
    return NULL;
  }
  bool opened = sqlite3_open_v2(path, &r->base, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
  if (opened)
    be_careful(r->base);
  bool tables = opened && has_tables(r->base);
  if (tables && read_topics(r)) {
    read_range(r);
    rewind_to(r, INT64_MIN);
    return r;
  }
  if (opened && sqlite3_errcode(r->base) == SQLITE_OK)
    snprintf(why, room, "it has no tables of topics and messages");
  else
    snprintf(why, room, "%s", r->base ? sqlite3_errmsg(r->base) : "there is no memory");
  close_reader(r);
  return NULL;
}

const clp_file_kind clp_db3_kind_of_file = {.next = next,
                                            .rewind = rewind_to,
                                            .range = range,
                                            .progress = progress,
                                            .damage = damage_of,
                                            .close = close_reader};

#else

void *clp_db3_reader_open(const char *path, char *why, size_t room)
{
  (void)path;
  snprintf(why, room, "this program was built without SQLite");
  return NULL;
}

const clp_file_kind clp_db3_kind_of_file = {0};

#endif
