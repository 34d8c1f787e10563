/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/result_csv.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/feature_name.h"

static const char *status_name(clp_pair_status status)
{
  static const char *const names[] = {
      [CLP_TRACKING] = "TRACKING",         [CLP_CONVERGING] = "CONVERGING",
      [CLP_PENETRATING] = "PENETRATING",   [CLP_STALE] = "STALE",
      [CLP_OUT_OF_RANGE] = "OUT_OF_RANGE",
  };
  return names[status];
}

static void write_number(FILE *stream, double value)
{
  if (isfinite(value))
    fputs(clp_number(value, 17).text, stream);
  fputc(',', stream);
}

static void write_vector(FILE *stream, clp_vec3 a)
{
  write_number(stream, a.x);
  write_number(stream, a.y);
  write_number(stream, a.z);
}

/* "t,link_a,link_b," */
static void write_key(FILE *stream, const clp_model *model, double time, clp_link_indices links)
{
  write_number(stream, time);
  fprintf(stream, "%s,%s,", clp_model_link_name(model, links.a),
          clp_model_link_name(model, links.b));
}

static bool write_feature(FILE *stream, const clp_model *model, int link, int part,
                          clp_feature_kind kind, uint32_t id)
{
  clp_feature_info feature = clp_body_feature(clp_model_part(model, link, part).body, kind, id);
  char *name = clp_feature_name(model, link, part, feature.name);
  if (!name)
    return false;
  fprintf(stream, "%s,", name);
  free(name);
  return true;
}

void clp_write_result_header(FILE *stream)
{
  fputs(
      "t,link_a,link_b,status,distance,lower_bound,ax,ay,az,bx,by,bz,nx,ny,nz,rate,feature_a,"
      "feature_b,steps\n",
      stream);
}

void clp_write_event_header(FILE *stream)
{
  fputs("t,link_a,link_b,side,from,to,distance\n", stream);
}

bool clp_write_result(FILE *stream, const clp_model *model, double time, clp_link_indices links,
                      const clp_link_answer *answer, double rate)
{
  const clp_answer *a = &answer->answer;
  write_key(stream, model, time, links);
  if (answer->coverage == CLP_CULLED) {
    fprintf(stream, "%s,,", status_name(a->status));
    write_number(stream, a->lower_bound);
    fputs(",,,,,,,,,,,,0\n", stream);
    return true;
  }
  fprintf(stream, "%s,", status_name(a->status));
  write_number(stream, a->distance);
  write_number(stream, a->lower_bound);
  write_vector(stream, a->point_a);
  write_vector(stream, a->point_b);
  write_vector(stream, a->normal);
  write_number(stream, rate);
  if (!write_feature(stream, model, links.a, answer->part_a, a->kind_a, a->feature_a) ||
      !write_feature(stream, model, links.b, answer->part_b, a->kind_b, a->feature_b))
    return false;
  fprintf(stream, "%d\n", a->steps);
  return true;
}

bool clp_write_event(FILE *stream, const clp_model *model, double time, clp_link_indices links,
                     const clp_link_event *event)
{
  const clp_transition_event *t = &event->transition;
  int link = event->side ? links.b : links.a;
  write_key(stream, model, time, links);
  fputs(event->side ? "b," : "a,", stream);
  if (!write_feature(stream, model, link, event->from_part, t->from_kind, t->from) ||
      !write_feature(stream, model, link, event->to_part, t->to_kind, t->to))
    return false;
  fprintf(stream, "%s\n", clp_number(t->distance, 17).text);
  return true;
}
