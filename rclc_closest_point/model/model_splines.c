/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "rclc_closest_point/model/model.h"

/* <patch> and <curve>. Degree and size are checked here, for they say how long the lists must be;
 * knots and weights are the compiler's business (body/tile_spline.c). */

/* ---- What both have ----------------------------------------------------------------------- */

static bool degree_and_size_fit(clp_reader *reader, const clp_xml_element *element, int degree,
                                int size)
{
  if (degree < 1 || degree > CLP_MAX_DEGREE) {
    clp_log_defect(reader->log, element->line, "<%s> has degree %d, expected 1 to %d",
                   element->name, degree, CLP_MAX_DEGREE);
    return false;
  }
  if (size > degree && size <= CLP_MAX_CONTROL_POINTS)
    return true;
  clp_log_defect(reader->log, element->line,
                 "<%s> has size %d for degree %d, expected %d (degree + 1) to %d", element->name,
                 size, degree, degree + 1, CLP_MAX_CONTROL_POINTS);
  return false;
}

/* The knots of one direction, or none; without them there is one span, of degree + 1 points. */
static bool read_knots(clp_reader *reader, const clp_xml_element *element, const char *name,
                       int degree, int size, clp_numbers *knots)
{
  const clp_xml_element *list = clp_xml_child(element, name);
  if (list) {
    char meaning[64];
    snprintf(meaning, sizeof meaning, "size %d + degree %d + 1", size, degree);
    return clp_read_list(reader, list, size + degree + 1, meaning, knots);
  }
  if (size == degree + 1)
    return true;
  clp_log_defect(reader->log, element->line,
                 "<%s> has size %d for degree %d and no <%s>, expected size %d or knots",
                 element->name, size, degree, name, degree + 1);
  return false;
}

static bool read_points(clp_reader *reader, const clp_xml_element *element, int count, int stride,
                        clp_numbers *points)
{
  const clp_xml_element *list = clp_xml_child(element, "control_points");
  if (!list) {
    clp_log_defect(reader->log, element->line, "<%s> has no <control_points>, expected one",
                   element->name);
    return false;
  }
  char meaning[64];
  snprintf(meaning, sizeof meaning, "%d times %s", count, stride == 4 ? "x y z w" : "x y w");
  return clp_read_list(reader, list, stride * count, meaning, points);
}

static int index_in(const char *const *names, const clp_xml_element *element)
{
  for (int k = 0; names[k]; ++k)
    if (clp_xml_is(element, names[k]))
      return k;
  return -1;
}

/* Every child is one of `names`, and none occurs twice. */
static bool expect_children(clp_reader *reader, const clp_xml_element *element,
                            const char *const *names)
{
  bool good = true;
  unsigned seen = 0;
  for (const clp_xml_element *child = element->first; child; child = child->next) {
    int index = index_in(names, child);
    unsigned bit = index < 0 ? 0 : 1u << index;
    if (bit && !(seen & bit)) {
      seen |= bit;
      continue;
    }
    if (bit)
      clp_log_defect(reader->log, child->line, "a second <%s> in <%s>, expected one", child->name,
                     element->name);
    else
      clp_log_defect(reader->log, child->line,
                     "unknown element <%s>, expected knots and <control_points> in <%s>",
                     clp_show_string(child->name).text, element->name);
    good = false;
  }
  return good;
}

/* Room left for control points in the part; a defect at the element that exceeds it. */
static bool take_room(clp_reader *reader, const clp_xml_element *element, long long points,
                      int *room)
{
  if (points <= *room) {
    *room -= (int)points;
    return true;
  }
  clp_log_defect(reader->log, element->line,
                 "with this <%s> the part has more than %d control points, which is the limit",
                 element->name, CLP_MAX_CONTROL_POINTS);
  return false;
}

/* ---- Patches ------------------------------------------------------------------------------ */

static bool read_patch(clp_reader *reader, const clp_xml_element *element, int *room,
                       clp_patch_def *def, clp_item_source *item)
{
  static const char *const attributes[] = {"name", "degree", "size", "flip", NULL};
  static const char *const children[] = {"knots_u", "knots_v", "control_points", NULL};
  int degree[2] = {0}, size[2] = {0};
  item->line = element->line;
  def->name = clp_xml_value(element, "name");
  bool good = clp_expect_attributes(reader, element, attributes);
  good &= clp_expect_no_text(reader, element);
  good &= expect_children(reader, element, children);
  good &= clp_expect_usable_name(reader, element->line, "<patch>", def->name);
  good &= clp_read_flag(reader, element, "flip", &def->flip);
  bool sized = clp_read_integers(reader, element, "degree", 2, degree);
  sized &= clp_read_integers(reader, element, "size", 2, size);
  sized = sized && degree_and_size_fit(reader, element, degree[0], size[0]) &&
          degree_and_size_fit(reader, element, degree[1], size[1]) &&
          take_room(reader, element, (long long)size[0] * size[1], room);
  if (!sized)
    return false;
  good &= read_knots(reader, element, "knots_u", degree[0], size[0], &item->knots_u);
  good &= read_knots(reader, element, "knots_v", degree[1], size[1], &item->knots_v);
  good &= read_points(reader, element, size[0] * size[1], 4, &item->points);
  def->degree_u = degree[0];
  def->degree_v = degree[1];
  def->size_u = size[0];
  def->size_v = size[1];
  def->knots_u = item->knots_u.values;
  def->knots_v = item->knots_v.values;
  def->control_points = item->points.values;
  return good;
}

/* ---- Curves ------------------------------------------------------------------------------- */

static bool read_curve(clp_reader *reader, const clp_xml_element *element, int *room,
                       clp_curve_def *def, clp_item_source *item)
{
  static const char *const attributes[] = {"name", "degree", "size", NULL};
  static const char *const children[] = {"knots", "control_points", NULL};
  item->line = element->line;
  def->name = clp_xml_value(element, "name");
  bool good = clp_expect_attributes(reader, element, attributes);
  good &= clp_expect_no_text(reader, element);
  good &= expect_children(reader, element, children);
  good &= clp_expect_usable_name(reader, element->line, "<curve>", def->name);
  bool sized = clp_read_integers(reader, element, "degree", 1, &def->degree);
  sized &= clp_read_integers(reader, element, "size", 1, &def->size);
  sized = sized && degree_and_size_fit(reader, element, def->degree, def->size) &&
          take_room(reader, element, def->size, room);
  if (!sized)
    return false;
  good &= read_knots(reader, element, "knots", def->degree, def->size, &item->knots_u);
  good &= read_points(reader, element, def->size, 3, &item->points);
  def->knots = item->knots_u.values;
  def->control_points = item->points.values;
  return good;
}

/* ---- The lists ---------------------------------------------------------------------------- */

/* Their names, for the check that they differ; those without a name are reported elsewhere. */
static void expect_unique_names(clp_reader *reader, const clp_xml_element *element,
                                const char *name, const char *what, size_t room)
{
  clp_named_line *names = clp_arena_take(reader->arena, room, sizeof *names);
  size_t count = 0;
  for (const clp_xml_element *child = element->first; names && child; child = child->next) {
    const char *own = clp_xml_is(child, name) ? clp_xml_value(child, "name") : NULL;
    if (own)
      names[count++] = (clp_named_line){own, child->line};
  }
  if (names)
    clp_expect_unique(reader, names, count, what);
}

void clp_read_patch_list(clp_reader *reader, const clp_xml_element *element, clp_part_source *part)
{
  size_t room = clp_count_children(element, "patch");
  clp_patch_def *patches = clp_arena_take(reader->arena, room, sizeof *patches);
  clp_item_source *items = clp_arena_take(reader->arena, room, sizeof *items);
  if (!patches || !items)
    return;
  int count = 0, points_left = CLP_MAX_CONTROL_POINTS;
  part->complete = true;
  for (const clp_xml_element *child = element->first; child; child = child->next) {
    if (!clp_xml_is(child, "patch"))
      continue;
    patches[count] = (clp_patch_def){0};
    items[count] = (clp_item_source){0};
    if (read_patch(reader, child, &points_left, &patches[count], &items[count]))
      ++count;
    else
      part->complete = false;
  }
  expect_unique_names(reader, element, "patch", "<patch>", room);
  part->def.shape = CLP_SHAPE_PATCHES;
  part->def.patches = patches;
  part->def.patch_count = count;
  part->items = items;
}

void clp_read_curve_list(clp_reader *reader, const clp_xml_element *element, clp_part_source *part)
{
  size_t room = clp_count_children(element, "curve");
  clp_curve_def *curves = clp_arena_take(reader->arena, room, sizeof *curves);
  clp_item_source *items = clp_arena_take(reader->arena, room, sizeof *items);
  if (!curves || !items)
    return;
  int count = 0, points_left = CLP_MAX_CONTROL_POINTS;
  part->complete = true;
  for (const clp_xml_element *child = element->first; child; child = child->next) {
    if (!clp_xml_is(child, "curve"))
      continue;
    curves[count] = (clp_curve_def){0};
    items[count] = (clp_item_source){0};
    if (read_curve(reader, child, &points_left, &curves[count], &items[count]))
      ++count;
    else
      part->complete = false;
  }
  expect_unique_names(reader, element, "curve", "<curve>", room);
  part->def.shape = CLP_SHAPE_CURVES;
  part->def.curves = curves;
  part->def.curve_count = count;
  part->items = items;
}
