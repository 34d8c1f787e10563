/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/report_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/tool/html.h"

#define N(value) clp_svg_number(value).text

enum { SIDE = 420, MARGIN = 14 };

/* An orthographic view: to the right, upwards, and towards the beholder. */
typedef struct view {
  const char *title;
  clp_vec3 right, up, towards;
} view;

typedef struct place {
  double x, y;
} place;

typedef struct outline {
  place *corners; /* counter-clockwise */
  size_t count;
  double nearness; /* of its middle */
  const clp_report_shape *shape;
  bool decisive;
} outline;

typedef struct drawing {
  view view;
  outline *outlines;
  size_t count;
  place least, most;
} drawing;

/* ---- Outlines ----------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
  const place *p = a, *q = b;
  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

static double turn(place a, place b, place c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The convex hull, in place of the corners, by Andrew's chains: `hull` has room for one more. */
static size_t find_hull(place *corners, size_t count, place *hull)
{
  size_t size = 0;
  qsort(corners, count, sizeof *corners, compare_places);
  for (size_t k = 0; k < count; ++k) {
    while (size >= 2 && turn(hull[size - 2], hull[size - 1], corners[k]) <= 0)
      --size;
    hull[size++] = corners[k];
  }
  size_t lower = size + 1;
  for (size_t k = count - 1; k-- > 0;) {
    while (size >= lower && turn(hull[size - 2], hull[size - 1], corners[k]) <= 0)
      --size;
    hull[size++] = corners[k];
  }
  return size > 1 ? size - 1 : size;
}

/* False: there is no memory. */
static bool outline_of(const clp_report_piece *piece, const clp_pose *X_WL, const view *v,
                       outline *o)
{
  place *corners = malloc(piece->count * sizeof *corners);
  o->corners = malloc((2 * piece->count + 1) * sizeof *o->corners);
  o->nearness = 0;
  for (size_t k = 0; corners && o->corners && k < piece->count; ++k) {
    clp_vec3 p = clp_transform(*X_WL, piece->corners[k]);
    corners[k] = (place){clp_dot(v->right, p), clp_dot(v->up, p)};
    o->nearness += clp_dot(v->towards, p) / (double)piece->count;
  }
  bool good = corners && o->corners;
  if (good)
    o->count = find_hull(corners, piece->count, o->corners);
  free(corners);
  return good;
}

/* ---- A view ------------------------------------------------------------------------------- */

static int compare_outlines(const void *a, const void *b)
{
  const outline *x = a, *y = b;
  return (x->nearness > y->nearness) - (x->nearness < y->nearness);
}

static void widen(drawing *d, place p)
{
  d->least = (place){fmin(d->least.x, p.x), fmin(d->least.y, p.y)};
  d->most = (place){fmax(d->most.x, p.x), fmax(d->most.y, p.y)};
}

static size_t count_pieces(const clp_facts *facts, const clp_report_stop *stop)
{
  size_t count = 0;
  for (size_t k = 0; k < facts->shapes.count; ++k)
    count += stop->placed[k] ? facts->shapes.shapes[k].piece_count : 0;
  return count;
}

/* False: there is no memory. */
static bool look(const clp_facts *facts, const clp_report_stop *stop, drawing *d)
{
  bool good = true;
  d->outlines = calloc(count_pieces(facts, stop) + 1, sizeof *d->outlines);
  good = d->outlines;
  for (size_t k = 0; good && k < facts->shapes.count; ++k) {
    const clp_report_shape *shape = &facts->shapes.shapes[k];
    for (size_t j = 0; good && stop->placed[k] && j < shape->piece_count; ++j) {
      outline *o = &d->outlines[d->count++];
      good = outline_of(&shape->pieces[j], &stop->poses[k], &d->view, o);
      o->shape = shape;
      o->decisive = strcmp(shape->link, stop->a) == 0 || strcmp(shape->link, stop->b) == 0;
      for (size_t i = 0; i < o->count; ++i)
        widen(d, o->corners[i]);
    }
  }
  if (good && d->count > 0)
    qsort(d->outlines, d->count, sizeof *d->outlines, compare_outlines);
  return good;
}

static double scale_of(const drawing *d)
{
  double width = d->most.x - d->least.x, height = d->most.y - d->least.y;
  return (SIDE - 2 * MARGIN) / fmax(fmax(width, height), 1e-3);
}

static place put(const drawing *d, place p)
{
  double scale = scale_of(d);
  place middle = {0.5 * (d->least.x + d->most.x), 0.5 * (d->least.y + d->most.y)};
  return (place){0.5 * SIDE + scale * (p.x - middle.x), 0.5 * SIDE - scale * (p.y - middle.y)};
}

static void write_outline(FILE *stream, const drawing *d, const outline *o)
{
  const float *c = o->shape->color;
  int rgb[3];
  for (int k = 0; k < 3; ++k)
    rgb[k] = c[k] >= 0 && c[k] <= 1 ? (int)(255 * (double)c[k]) : 128;
  clp_html(stream, "<polygon class=\"%s\"", o->decisive ? "decisive" : "body");
  if (!o->decisive)
    clp_html(stream, " fill=\"rgb(%d,%d,%d)\"", rgb[0], rgb[1], rgb[2]);
  clp_html(stream, " points=\"");
  for (size_t k = 0; k < o->count; ++k) {
    place p = put(d, o->corners[k]);
    clp_html(stream, "%s,%s ", N(p.x), N(p.y));
  }
  clp_html(stream, "\"><title>%s</title></polygon>", o->shape->link);
}

static void write_witnesses(FILE *stream, const drawing *d, const clp_report_stop *stop)
{
  place ends[2];
  if (!stop->has_witnesses)
    return;
  for (int k = 0; k < 2; ++k)
    ends[k] = put(d, (place){clp_dot(d->view.right, stop->witness[k]),
                             clp_dot(d->view.up, stop->witness[k])});
  clp_html(stream, "<line class=\"witness\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>",
           N(ends[0].x), N(ends[0].y), N(ends[1].x), N(ends[1].y));
  for (int k = 0; k < 2; ++k)
    clp_html(stream, "<circle class=\"end\" cx=\"%s\" cy=\"%s\" r=\"3\"/>", N(ends[k].x),
             N(ends[k].y));
  bool right = ends[0].x < 0.6 * SIDE;
  clp_html(stream, "<text class=\"label\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s m</text>",
           N(0.5 * (ends[0].x + ends[1].x) + (right ? 8 : -8)),
           N(0.5 * (ends[0].y + ends[1].y) - 6), right ? "start" : "end",
           clp_number(stop->distance, 3).text);
}

static void write_scale(FILE *stream, const drawing *d)
{
  double meter = scale_of(d), length = meter > 120 ? 0.5 : meter > 30 ? 1 : 5;
  clp_html(stream,
           "<line class=\"ruler\" x1=\"%d\" y1=\"%d\" x2=\"%s\" y2=\"%d\"/>"
           "<text class=\"axis\" x=\"%d\" y=\"%d\">%s m</text>",
           MARGIN, SIDE - 6, N(MARGIN + length * meter), SIDE - 6, MARGIN, SIDE - 11,
           clp_number(length, 2).text);
}

/* Returns how many corners its outlines have. */
static size_t write_drawing(FILE *stream, const drawing *d, const clp_report_stop *stop)
{
  size_t corners = 0;
  clp_html(stream,
           "<figure><svg class=\"picture\" viewBox=\"0 0 %d %d\" role=\"img\" "
           "aria-label=\"The cell, %s\">",
           SIDE, SIDE, d->view.title);
  for (size_t k = 0; k < d->count; ++k)
    if (d->outlines[k].count >= 3) {
      write_outline(stream, d, &d->outlines[k]);
      corners += d->outlines[k].count;
    }
  write_witnesses(stream, d, stop);
  write_scale(stream, d);
  clp_html(stream, "</svg><figcaption>%s</figcaption></figure>\n", d->view.title);
  return corners;
}

static void release(drawing *d)
{
  for (size_t k = 0; d->outlines && k < d->count; ++k)
    free(d->outlines[k].corners);
  free(d->outlines);
}

size_t clp_report_draw(FILE *stream, const clp_facts *facts, const clp_report_stop *stop)
{
  size_t corners = 0;
  /* From 35 degrees above, from the corner at -x and -y, turned a little. */
  static const view views[] = {{"seen from a corner",
                                {0.819152, -0.573576, 0},
                                {0.328990, 0.469846, 0.819152},
                                {-0.469846, -0.671010, 0.573576}},
                               {"seen from above", {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (!stop->placed || count_pieces(facts, stop) == 0)
    return 0;
  for (int k = 0; k < 2; ++k) {
    drawing d = {.view = views[k], .least = {HUGE_VAL, HUGE_VAL}, .most = {-HUGE_VAL, -HUGE_VAL}};
    if (look(facts, stop, &d))
      corners += write_drawing(stream, &d, stop);
    release(&d);
  }
  return corners;
}
