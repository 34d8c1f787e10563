/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/picture.h"

#include <stdlib.h>

#include "rclc_closest_point/monitor/body_triangles.h"
#include "rclc_closest_point/monitor/monitor_state.h"

/* Meters. */
#define LINE_WIDTH 0.004
#define SPHERE_DIAMETER 0.015
#define NORMAL_WIDTH 0.002
#define TEXT_HEIGHT 0.06

typedef struct link_shape {
  clp_vec3 *points; /* three to a triangle, in the link's frame */
  int count;
} link_shape;

struct clp_painter {
  const clp_monitor *monitor;
  link_shape *shapes; /* of the monitor's links */
  int next;           /* the link whose body is shown next */
  clp_markers lists;
};

/* ---- Bodies ------------------------------------------------------------------------------- */

static bool make_shape(const clp_monitor *monitor, int index, link_shape *shape)
{
  int link = monitor->links[index].link, count = 0;
  int parts = clp_model_part_count(monitor->model, link);
  for (int k = 0; k < parts; ++k) {
    clp_part part = clp_model_part(monitor->model, link, k);
    count += clp_part_triangles(&part, NULL);
  }
  shape->points = malloc(((size_t)count + 1) * sizeof *shape->points);
  if (!shape->points)
    return false;
  for (int k = 0; k < parts; ++k) {
    clp_part part = clp_model_part(monitor->model, link, k);
    shape->count += clp_part_triangles(&part, shape->points + shape->count);
  }
  return true;
}

/* ---- From start to end -------------------------------------------------------------------- */

static bool fill(clp_painter *p)
{
  p->shapes = calloc((size_t)p->monitor->link_count, sizeof *p->shapes);
  for (int k = 0; p->shapes && k < p->monitor->link_count; ++k)
    if (!make_shape(p->monitor, k, &p->shapes[k]))
      return false;
  int64_t most = p->monitor->settings.max_published;
  p->lists.room = most < p->monitor->pair_count ? (int)most : p->monitor->pair_count;
  size_t room = 2 * (size_t)p->lists.room;
  p->lists.witnesses = calloc(room, sizeof *p->lists.witnesses);
  p->lists.normals = calloc(room, sizeof *p->lists.normals);
  p->lists.colors = calloc(room, sizeof *p->lists.colors);
  return p->shapes && p->lists.witnesses && p->lists.normals && p->lists.colors;
}

clp_status clp_painter_create(const clp_monitor *monitor, clp_painter **painter)
{
  clp_painter *p = calloc(1, sizeof *p);
  if (!p)
    return CLP_ERROR_MEMORY;
  p->monitor = monitor;
  if (!fill(p)) {
    clp_painter_destroy(p);
    return CLP_ERROR_MEMORY;
  }
  *painter = p;
  return CLP_OK;
}

void clp_painter_destroy(clp_painter *painter)
{
  if (!painter)
    return;
  for (int k = 0; painter->shapes && k < painter->monitor->link_count; ++k)
    free(painter->shapes[k].points);
  free(painter->shapes);
  free(painter->lists.witnesses);
  free(painter->lists.normals);
  free(painter->lists.colors);
  free(painter);
}

/* ---- Pictures ----------------------------------------------------------------------------- */

/* Answers do not outlive the monitor by much: a second, or three pictures that are rarer. */
static double lifetime_of(const clp_painter *p)
{
  double rate = p->monitor->settings.marker_rate;
  return rate > 0 && rate < 3 ? 3 / rate : 1;
}

/* Of the lists; the same marker in each picture. */
static clp_marker list_marker(const clp_painter *p, const char *name, clp_marker_kind kind,
                              double size, const clp_vec3 *points)
{
  return (clp_marker){.name = name,
                      .kind = kind,
                      .frame = p->monitor->settings.fixed_frame,
                      .size = size,
                      .color = {1, 1, 1, 1},
                      .points = points,
                      .colors = p->lists.colors,
                      .count = 2 * p->lists.count,
                      .text = "",
                      .shown = p->lists.count > 0,
                      .lifetime = lifetime_of(p)};
}

static clp_marker words_marker(const clp_painter *p)
{
  return (clp_marker){.name = "minimum",
                      .kind = CLP_MARKER_TEXT,
                      .frame = p->monitor->settings.fixed_frame,
                      .size = TEXT_HEIGHT,
                      .color = {1, 1, 1, 1},
                      .place = p->lists.place,
                      .text = p->lists.words,
                      .shown = p->lists.count > 0,
                      .lifetime = lifetime_of(p)};
}

/* What the monitor takes a link for stands in its marker's text, which triangles do not show. */
typedef struct body_look {
  const char *role;
  clp_color color;
} body_look;

static const body_look looks[] = {
    [CLP_ROLE_ANY] = {"any", {0.8F, 0.75F, 0.65F, 0.5F}},
    [CLP_ROLE_ROBOT] = {"robot", {0.55F, 0.65F, 0.8F, 0.6F}},
    [CLP_ROLE_HUMAN] = {"human", {0.85F, 0.7F, 0.45F, 0.6F}},
    [CLP_ROLE_THING] = {"thing", {0.8F, 0.75F, 0.65F, 0.5F}},
};

static clp_marker body_marker(clp_painter *p)
{
  int index = p->next;
  p->next = (index + 1) % p->monitor->link_count;
  const clp_monitor_link *link = &p->monitor->links[index];
  const char *name = clp_model_link_name(p->monitor->model, link->link);
  const body_look *look = &looks[link->role];
  return (clp_marker){.name = name,
                      .kind = CLP_MARKER_TRIANGLES,
                      .frame = name,
                      .moves_with_frame = true,
                      .size = 1,
                      .color = look->color,
                      .points = p->shapes[index].points,
                      .count = p->shapes[index].count,
                      .text = look->role,
                      .shown = true};
}

clp_picture clp_painter_draw(clp_painter *painter, const clp_report *report)
{
  clp_markers_fill(&painter->lists, report, &painter->monitor->settings);
  const clp_vec3 *witnesses = painter->lists.witnesses, *normals = painter->lists.normals;
  return (clp_picture){
      {body_marker(painter),
       list_marker(painter, "witness_lines", CLP_MARKER_LINES, LINE_WIDTH, witnesses),
       list_marker(painter, "witness_points", CLP_MARKER_SPHERES, SPHERE_DIAMETER, witnesses),
       list_marker(painter, "normals", CLP_MARKER_LINES, NORMAL_WIDTH, normals),
       words_marker(painter)},
      CLP_MARKERS_IN_PICTURE};
}
