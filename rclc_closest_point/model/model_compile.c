/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/model.h"

/* The compiler speaks of items and of numbers in their lists; here they become lines again. */

typedef struct compilation {
  clp_log *log;
  const clp_link_source *link;
  const clp_part_source *part;
  bool names_repeated; /* the compiler has found a name that the reader has reported */
} compilation;

static int line_in(const int *lines, int count, int index, int otherwise)
{
  return lines && index >= 0 && index < count ? lines[index] : otherwise;
}

/* A face's numbers are counted through all faces; a face as such stands where its first number
 * does. */
static int polyhedron_line(const clp_part_source *part, const clp_finding *finding)
{
  if (finding->item < 0)
    return line_in(part->vertices.lines, part->vertices.count, finding->number, part->shape_line);
  int number = finding->number;
  if (number < 0) {
    number = 0;
    for (int f = 0; f < finding->item && f < part->faces.group_count; ++f)
      number += part->faces.sizes[f];
  }
  return line_in(part->faces.lines, part->faces.count, number, part->shape_line);
}

static int item_count(const clp_body_def *def)
{
  switch (def->shape) {
    case CLP_SHAPE_PATCHES:
      return def->patch_count;
    case CLP_SHAPE_CURVES:
      return def->curve_count;
    case CLP_SHAPE_REVOLVED:
      return def->revolved.piece_count;
    default:
      return 0;
  }
}

static int finding_line(const clp_part_source *part, const clp_finding *finding)
{
  if (part->def.shape == CLP_SHAPE_POLYHEDRON)
    return polyhedron_line(part, finding);
  if (finding->item < 0 || finding->item >= item_count(&part->def))
    return part->shape_line;
  const clp_item_source *item = &part->items[finding->item];
  const clp_numbers *list = &item->points;
  if (finding->kind == CLP_FINDING_KNOTS)
    list = finding->in_knots_v ? &item->knots_v : &item->knots_u;
  return line_in(list->lines, list->count, finding->number, item->line);
}

static void report(void *user, const clp_finding *finding)
{
  compilation *work = user;
  if (finding->kind == CLP_FINDING_NAME) {
    work->names_repeated = true;
    return;
  }
  const char *part = work->part->name;
  void (*say)(clp_log *, int, const char *, ...) =
      finding->severity == CLP_NOTE ? clp_log_note : clp_log_defect;
  say(work->log, finding_line(work->part, finding), "link '%s'%s%s%s: %s",
      clp_show_string(work->link->name).text, *part ? ", part '" : "", clp_show_string(part).text,
      *part ? "'" : "", finding->text);
}

/* Of a part that is missing pieces, only what is said about single numbers is meant. */
static void report_numbers(void *user, const clp_finding *finding)
{
  if (finding->severity == CLP_DEFECT && finding->item >= 0 &&
      (finding->kind == CLP_FINDING_NUMBER || finding->kind == CLP_FINDING_KNOTS))
    report(user, finding);
}

/* Checks the patches that could be read of a part that cannot be compiled as a whole. */
static void check_numbers(compilation *work)
{
  clp_body_def def = work->part->def;
  bool many = def.shape == CLP_SHAPE_PATCHES || def.shape == CLP_SHAPE_CURVES;
  if (!many || item_count(&def) == 0)
    return;
  clp_body *body = NULL;
  def.closed = def.convex = false;
  clp_body_create(&def, (clp_reporter){report_numbers, work}, &body);
  clp_body_destroy(body);
}

clp_status clp_compile_part(clp_log *log, const clp_link_source *link, const clp_part_source *part,
                            clp_body **body)
{
  compilation work = {log, link, part, false};
  if (!part->complete) {
    check_numbers(&work);
    return CLP_ERROR_FORMAT;
  }
  int before = log->defects;
  clp_status status = clp_body_create(&part->def, (clp_reporter){report, &work}, body);
  if (status != CLP_OK && status != CLP_ERROR_MEMORY && log->defects == before &&
      !work.names_repeated)
    clp_log_defect(log, part->shape_line, "link '%s': %s", clp_show_string(link->name).text,
                   clp_status_text(status));
  return status;
}

clp_pose clp_part_pose(const clp_part_source *part)
{
  clp_vec3 place = {part->xyz[0], part->xyz[1], part->xyz[2]};
  if (part->has_quaternion)
    return clp_pose_from(place, part->quaternion);
  return (clp_pose){clp_rotation_from_rpy(part->rpy[0], part->rpy[1], part->rpy[2]), place};
}
