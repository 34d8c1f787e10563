/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/poses.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/model/number.h"

#define HEADER "t,link,x,y,z,qx,qy,qz,qw"
static const char *const field_names[] = {"t", "link", "x", "y", "z", "qx", "qy", "qz", "qw"};
enum { FIELDS = 9, LINK_FIELD = 1 };

/* Longer lines than this are no poses. */
enum { MAX_LINE = 4096 };

/* Squares of larger numbers would be infinite. */
static const double max_number = 1e100;

/* A rounded quaternion is meant to have unit length, another one is a mistake. */
static const double norm_tolerance = 1e-3;

typedef struct pose_row {
  double time;
  int link, line;
  clp_vec3 position;
  clp_quaternion orientation;
} pose_row;

typedef struct link_state {
  clp_link_motion motion;
  clp_quaternion orientation;
  long stamp; /* the last one that listed the link, counted from 1 */
  int line;   /* where */
} link_state;

typedef struct pose_file {
  const clp_model *model;
  clp_log log;
  FILE *stream;
  clp_exit_status status;

  char text[MAX_LINE];
  int line; /* its number */

  bool has_row; /* `row` is the first of the next stamp */
  pose_row row;
  long stamp; /* how many have been read */
  double time;
  link_state *links;
} pose_file;

/* ---- Complaints --------------------------------------------------------------------------- */

static void fail(pose_file *poses, clp_exit_status status)
{
  poses->status = status;
  poses->has_row = false;
}

static void refuse(pose_file *poses, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void refuse(pose_file *poses, int line, const char *format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  clp_log_defect(&poses->log, line, "%s", text);
  fail(poses, EXIT_INPUT);
}

static void refuse_file(pose_file *poses, int line, int reason)
{
  refuse(poses, line, "the file cannot be read: %s, expected a file of poses", strerror(reason));
}

/* ---- Lines -------------------------------------------------------------------------------- */

/* Takes the end of the line off `text`; false when the line did not fit. */
static bool end_line(pose_file *poses)
{
  size_t length = strlen(poses->text);
  bool ended = length > 0 && poses->text[length - 1] == '\n';
  if (!ended && !feof(poses->stream)) {
    refuse(poses, poses->line,
           "a line with a zero byte or more than %d bytes, expected "
           "%d fields",
           MAX_LINE - 2, FIELDS);
    return false;
  }
  while (length > 0 && (poses->text[length - 1] == '\n' || poses->text[length - 1] == '\r'))
    poses->text[--length] = '\0';
  return true;
}

/* The next line into `text`, empty ones at the end of the file left out. False at the end and after
 * a defect. */
static bool read_line(pose_file *poses)
{
  int blank = 0;
  do {
    errno = 0;
    if (!fgets(poses->text, MAX_LINE, poses->stream)) {
      if (ferror(poses->stream))
        refuse_file(poses, poses->line + 1, errno);
      return false;
    }
    ++poses->line;
    if (!end_line(poses))
      return false;
    blank = blank || *poses->text ? blank : poses->line;
  } while (!*poses->text);
  if (blank)
    refuse(poses, blank, "an empty line, expected %d fields", FIELDS);
  return !blank;
}

/* Spreadsheets begin their files with a byte order mark. */
static const char *skip_mark(const char *text)
{
  static const char mark[] = "\xef\xbb\xbf";
  return strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : text;
}

static void read_header(pose_file *poses)
{
  bool present = read_line(poses);
  if (poses->status != EXIT_DONE)
    return;
  if (!present)
    refuse(poses, 1, "an empty file, expected the header " HEADER);
  else if (strcmp(skip_mark(poses->text), HEADER) != 0)
    refuse(poses, poses->line, "the header '%s', expected " HEADER,
           clp_show_string(poses->text).text);
}

/* ---- Rows --------------------------------------------------------------------------------- */

/* Takes `text` apart at its commas. */
static bool split(pose_file *poses, char *fields[FIELDS])
{
  int count = 0;
  char *c = poses->text;
  for (;;) {
    if (count < FIELDS)
      fields[count] = c;
    ++count;
    c = strchr(c, ',');
    if (!c)
      break;
    *c++ = '\0';
  }
  if (count != FIELDS)
    refuse(poses, poses->line, "%d %s, expected %d: " HEADER, count,
           count == 1 ? "field" : "fields", FIELDS);
  return count == FIELDS;
}

static bool read_number(pose_file *poses, const char *text, int field, double *value)
{
  clp_number_fault fault = clp_parse_double(text, strlen(text), value);
  if (fault == CLP_NUMBER_FINE && fabs(*value) <= max_number)
    return true;
  const char *name = field_names[field];
  clp_shown shown = clp_show_string(text);
  if (fault == CLP_NUMBER_MEMORY)
    fail(poses, clp_exit_status_of(CLP_ERROR_MEMORY));
  else if (fault == CLP_NUMBER_FINE)
    refuse(poses, poses->line, "'%s' as %s, expected at most %s in size", shown.text, name,
           clp_number(max_number, 3).text);
  else
    refuse(poses, poses->line, "'%s' as %s, expected a %s", shown.text, name,
           fault == CLP_NUMBER_INFINITE ? "finite number" : "number");
  return false;
}

static bool read_fields(pose_file *poses, char *const fields[FIELDS], pose_row *row)
{
  double values[FIELDS] = {0};
  for (int k = 0; k < FIELDS; ++k)
    if (k != LINK_FIELD && !read_number(poses, fields[k], k, &values[k]))
      return false;
  const double *v = values;
  *row = (pose_row){.time = v[0],
                    .link = clp_model_find_link(poses->model, fields[LINK_FIELD]),
                    .line = poses->line,
                    .position = {v[2], v[3], v[4]},
                    .orientation = {v[5], v[6], v[7], v[8]}};
  if (row->link >= 0)
    return true;
  refuse(poses, poses->line, "link '%s', which the model does not have",
         clp_show_string(fields[LINK_FIELD]).text);
  return false;
}

static bool is_usable(pose_file *poses, const pose_row *row)
{
  double norm = clp_quaternion_norm(row->orientation);
  if (!(fabs(norm - 1) <= norm_tolerance)) {
    refuse(poses, row->line, "a quaternion of norm %s, expected 1 up to %s",
           clp_number(norm, 6).text, clp_number(norm_tolerance, 3).text);
    return false;
  }
  if (poses->stamp > 0 && row->time < poses->time) {
    refuse(poses, row->line, "t = %s after t = %s, expected time not to go backwards",
           clp_number_shortest(row->time).text, clp_number_shortest(poses->time).text);
    return false;
  }
  return true;
}

/* The next row into `row`. False at the end and after a defect. */
static bool read_row(pose_file *poses)
{
  char *fields[FIELDS];
  poses->has_row = read_line(poses) && split(poses, fields) &&
                   read_fields(poses, fields, &poses->row) && is_usable(poses, &poses->row);
  return poses->has_row;
}

/* ---- Stamps ------------------------------------------------------------------------------- */

static clp_twist twist_between(clp_vec3 from, clp_quaternion from_q, const pose_row *to,
                               double step)
{
  return (clp_twist){clp_scale(1 / step, clp_sub(to->position, from)),
                     clp_scale(1 / step, clp_quaternion_turn(from_q, to->orientation))};
}

static bool is_finite(clp_twist v)
{
  return isfinite(clp_norm2(v.linear)) && isfinite(clp_norm2(v.angular));
}

static bool apply_row(pose_file *poses, clp_pose_stamp *stamp)
{
  const pose_row *row = &poses->row;
  link_state *link = &poses->links[row->link];
  if (link->stamp == poses->stamp) {
    refuse(poses, row->line, "link '%s' again at t = %s, expected it once (it is on line %d)",
           clp_show_string(clp_model_link_name(poses->model, row->link)).text,
           clp_number_shortest(row->time).text, link->line);
    return false;
  }
  if (stamp->has_twists) {
    link->motion.V_WL =
        twist_between(link->motion.X_WL.position, link->orientation, row, stamp->step);
    stamp->has_twists = is_finite(link->motion.V_WL);
  }
  link->motion.X_WL = clp_pose_from(row->position, row->orientation);
  link->orientation = row->orientation;
  link->stamp = poses->stamp;
  link->line = row->line;
  return true;
}

static void stop_links(pose_file *poses)
{
  for (int k = 0; k < clp_model_link_count(poses->model); ++k)
    poses->links[k].motion.V_WL = (clp_twist){{0, 0, 0}, {0, 0, 0}};
}

static bool next(void *self, clp_pose_stamp *stamp)
{
  pose_file *poses = self;
  if (poses->status != EXIT_DONE || !(poses->has_row || read_row(poses)))
    return false;
  bool first = poses->stamp == 0;
  stamp->time = poses->row.time;
  stamp->step = first ? 0 : stamp->time - poses->time;
  stamp->has_twists = !first;
  stamp->line = poses->row.line;
  poses->time = stamp->time;
  ++poses->stamp;
  stop_links(poses);
  do {
    if (!apply_row(poses, stamp))
      return false;
  } while (read_row(poses) && poses->row.time == stamp->time);
  return poses->status == EXIT_DONE;
}

static clp_exit_status status_of(const void *self)
{
  const pose_file *poses = self;
  return poses->status;
}

static const clp_link_motion *motion_of(const void *self, int link)
{
  const pose_file *poses = self;
  return &poses->links[link].motion;
}

static bool lists(const void *self, int link)
{
  const pose_file *poses = self;
  return poses->links[link].stamp > 0;
}

static void refuse_use(void *self, int line, const char *text)
{
  refuse(self, line, "%s", text);
}

/* ---- Opening ------------------------------------------------------------------------------ */

static void rewind_file(void *self)
{
  pose_file *poses = self;
  rewind(poses->stream);
  poses->line = 0;
  poses->has_row = false;
  poses->stamp = 0;
  for (int k = 0; k < clp_model_link_count(poses->model); ++k)
    poses->links[k] = (link_state){.motion.X_WL = clp_pose_identity(), .orientation = {.w = 1}};
  read_header(poses);
}

/* Copies what is left of `from`, which can be read only once. */
static FILE *spool(FILE *from)
{
  FILE *to = tmpfile();
  char block[65536];
  size_t length;
  while (to && (length = fread(block, 1, sizeof block, from)) > 0)
    if (fwrite(block, 1, length, to) != length)
      break;
  if (to && (ferror(from) || ferror(to) || fflush(to) != 0)) {
    fclose(to);
    to = NULL;
  }
  return to;
}

static bool open_stream(pose_file *poses)
{
  poses->stream = fopen(poses->log.file, "rb");
  if (!poses->stream) {
    refuse_file(poses, 1, errno);
    return false;
  }
  if (fseek(poses->stream, 0, SEEK_SET) == 0)
    return true;
  FILE *copy = spool(poses->stream);
  int reason = errno;
  fclose(poses->stream);
  poses->stream = copy;
  if (!copy)
    refuse_file(poses, 1, reason);
  return copy;
}

static void close_file(void *self)
{
  pose_file *poses = self;
  if (poses->stream)
    fclose(poses->stream);
  free(poses->links);
  free(poses);
}

static const clp_poses_kind kind = {.next = next,
                                    .status = status_of,
                                    .motion = motion_of,
                                    .lists = lists,
                                    .rewind = rewind_file,
                                    .refuse = refuse_use,
                                    .close = close_file};

clp_exit_status clp_poses_open(const char *path, const clp_model *model, clp_model_sink sink,
                               clp_poses **poses)
{
  pose_file *opened = calloc(1, sizeof *opened);
  int links = clp_model_link_count(model);
  link_state *states = calloc((size_t)(links > 0 ? links : 1), sizeof *states);
  if (!opened || !states) {
    free(opened);
    free(states);
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  }
  opened->model = model;
  opened->log = (clp_log){.file = path, .sink = sink};
  opened->links = states;
  if (open_stream(opened))
    rewind_file(opened);
  clp_exit_status status = opened->status;
  if (status == EXIT_DONE)
    return clp_poses_of(&kind, opened, poses);
  close_file(opened);
  return status;
}
