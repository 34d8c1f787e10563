/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/result_csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/decimal.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/feature_name.h"

/* ---- Rows --------------------------------------------------------------------------------- */

/* Numbers are put together here before they are written: a row has many. */
typedef struct number_row {
  char text[16 * CLP_DECIMAL_MAX];
  int length;
} number_row;

/* "x," */
static void add_number(number_row *row, double value)
{
  char *end = row->text + row->length;
  int length = clp_decimal_write(value, end);
  if (length == 0 && isfinite(value)) {
    clp_number_text number = clp_number(value, 17);
    length = (int)strlen(number.text);
    memcpy(end, number.text, (size_t)length);
  }
  end[length] = ',';
  row->length += length + 1;
}

static void add_vector(number_row *row, clp_vec3 a)
{
  add_number(row, a.x);
  add_number(row, a.y);
  add_number(row, a.z);
}

static void write_row(FILE *stream, const number_row *row)
{
  fwrite(row->text, 1, (size_t)row->length, stream);
}

/* "word," */
static void write_word(FILE *stream, const char *word)
{
  fputs(word, stream);
  fputc(',', stream);
}

/* "t,link_a,link_b," */
static void write_key(FILE *stream, const clp_model *model, const char *time,
                      clp_link_indices links)
{
  write_word(stream, time);
  write_word(stream, clp_model_link_name(model, links.a));
  write_word(stream, clp_model_link_name(model, links.b));
}

/* In a link of one part they are called as in the part. */
static bool write_feature(FILE *stream, const clp_model *model, int link, int part,
                          clp_feature_kind kind, uint32_t id)
{
  const char *plain = clp_body_feature(clp_model_part(model, link, part).body, kind, id).name;
  if (clp_model_part_count(model, link) == 1) {
    write_word(stream, plain);
    return true;
  }
  char *name = clp_feature_name(model, link, part, plain);
  bool named = name != NULL;
  if (named)
    write_word(stream, name);
  free(name);
  return named;
}

/* ---- Results ------------------------------------------------------------------------------ */

void clp_write_result_header(FILE *stream)
{
  fputs(
      "t,link_a,link_b,status,distance,lower_bound,ax,ay,az,bx,by,bz,nx,ny,nz,rate,feature_a,"
      "feature_b,steps\n",
      stream);
}

static void write_bound(FILE *stream, const clp_answer *answer)
{
  number_row row = {.length = 0};
  add_number(&row, answer->lower_bound);
  fputc(',', stream);
  write_row(stream, &row);
  fputs(",,,,,,,,,,,,0\n", stream);
}

static void write_numbers(FILE *stream, const clp_answer *answer, double rate)
{
  number_row row = {.length = 0};
  add_number(&row, answer->distance);
  add_number(&row, answer->lower_bound);
  add_vector(&row, answer->point_a);
  add_vector(&row, answer->point_b);
  add_vector(&row, answer->normal);
  add_number(&row, rate);
  write_row(stream, &row);
}

bool clp_write_result(FILE *stream, const clp_model *model, const char *time,
                      clp_link_indices links, const clp_link_answer *answer, double rate)
{
  const clp_answer *a = &answer->answer;
  write_key(stream, model, time, links);
  write_word(stream, clp_pair_status_name(a->status));
  if (answer->coverage == CLP_CULLED) {
    write_bound(stream, a);
    return true;
  }
  write_numbers(stream, a, rate);
  if (!write_feature(stream, model, links.a, answer->part_a, a->kind_a, a->feature_a) ||
      !write_feature(stream, model, links.b, answer->part_b, a->kind_b, a->feature_b))
    return false;
  fprintf(stream, "%d\n", a->steps);
  return true;
}

/* ---- Events ------------------------------------------------------------------------------- */

void clp_write_event_header(FILE *stream)
{
  fputs("t,link_a,link_b,side,from,to,distance\n", stream);
}

bool clp_write_event(FILE *stream, const clp_model *model, const char *time, clp_link_indices links,
                     const clp_link_event *event)
{
  const clp_transition_event *t = &event->transition;
  int link = event->which ? links.b : links.a;
  write_key(stream, model, time, links);
  fputs(event->which ? "b," : "a,", stream);
  if (!write_feature(stream, model, link, event->from_part, t->from_kind, t->from) ||
      !write_feature(stream, model, link, event->to_part, t->to_kind, t->to))
    return false;
  fprintf(stream, "%s\n", clp_number(t->distance, 17).text);
  return true;
}
