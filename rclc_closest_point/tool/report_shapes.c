/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/report_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/bytes.h"

/* Corners that are nearer to each other than this, of the size of all, are one. */
static const double same = 1e-6;

/* A corner of a triangle: where it is, on a grid, and which triangle. */
typedef struct corner {
  int64_t cell[3];
  clp_vec3 place;
  uint32_t number; /* three to a triangle */
} corner;

static int compare_places(const void *a, const void *b)
{
  const corner *x = a, *y = b;
  for (int k = 0; k < 3; ++k)
    if (x->cell[k] != y->cell[k])
      return x->cell[k] < y->cell[k] ? -1 : 1;
  return 0;
}

static double size_of(const corner *corners, uint32_t count)
{
  double size = 0;
  for (uint32_t k = 0; k < count; ++k)
    size = fmax(size, fmax(fabs(corners[k].place.x),
                           fmax(fabs(corners[k].place.y), fabs(corners[k].place.z))));
  return size;
}

/* False: a number is none. */
static bool take_corners(const clp_heard_marker *marker, corner *corners, uint32_t count)
{
  clp_cdr c = marker->points;
  for (uint32_t k = 0; k < count; ++k) {
    clp_vec3 p;
    p.x = clp_cdr_double(&c);
    p.y = clp_cdr_double(&c);
    p.z = clp_cdr_double(&c);
    if (!(fabs(p.x) + fabs(p.y) + fabs(p.z) < 1e6))
      return false;
    corners[k] = (corner){.place = p, .number = k};
  }
  double grid = same * fmax(size_of(corners, count), same);
  for (uint32_t k = 0; k < count; ++k) {
    const double p[] = {corners[k].place.x, corners[k].place.y, corners[k].place.z};
    for (int j = 0; j < 3; ++j)
      corners[k].cell[j] = (int64_t)floor(p[j] / grid + 0.5);
  }
  return true;
}

/* ---- Pieces ------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parents, uint32_t k)
{
  while (parents[k] != k)
    k = parents[k] = parents[parents[k]];
  return k;
}

/* Triangles with a common corner belong together. The corners are sorted by place. */
static void join(const corner *corners, uint32_t count, uint32_t *parents)
{
  for (uint32_t k = 0; k < count / 3; ++k)
    parents[k] = k;
  for (uint32_t k = 1; k < count; ++k)
    if (compare_places(&corners[k - 1], &corners[k]) == 0)
      parents[root_of(parents, corners[k].number / 3)] =
          root_of(parents, corners[k - 1].number / 3);
}

/* The different corners of each piece, whose numbers become their roots. */
static bool add_pieces(clp_report_shape *shape, const corner *corners, uint32_t count,
                       uint32_t *parents)
{
  uint32_t *place = calloc(count / 3 + 1, sizeof *place); /* of a root's piece, + 1 */
  bool good = place;
  for (uint32_t k = 0; good && k < count; ++k) {
    uint32_t root = root_of(parents, corners[k].number / 3);
    if (place[root] == 0) {
      clp_report_piece *more =
          realloc(shape->pieces, (shape->piece_count + 1) * sizeof *shape->pieces);
      good = more;
      if (!good)
        break;
      shape->pieces = more;
      shape->pieces[shape->piece_count++] = (clp_report_piece){0};
      place[root] = (uint32_t)shape->piece_count;
    }
    clp_report_piece *piece = &shape->pieces[place[root] - 1];
    bool known = k > 0 && compare_places(&corners[k - 1], &corners[k]) == 0;
    if (known)
      continue;
    if ((piece->count & (piece->count - 1)) == 0) { /* a power of two: there is no room left */
      size_t room = piece->count > 0 ? 2 * piece->count : 1;
      clp_vec3 *more = realloc(piece->corners, room * sizeof *more);
      good = more;
      if (!good)
        break;
      piece->corners = more;
    }
    piece->corners[piece->count++] = corners[k].place;
  }
  free(place);
  return good;
}

static bool fill(clp_report_shape *shape, const clp_heard_marker *marker)
{
  uint32_t count = marker->point_count / 3 * 3;
  corner *corners = calloc((size_t)count + 1, sizeof *corners);
  uint32_t *parents = calloc(count / 3 + 1, sizeof *parents);
  bool good = corners && parents;
  if (good && take_corners(marker, corners, count)) {
    qsort(corners, count, sizeof *corners, compare_places);
    join(corners, count, parents);
    good = add_pieces(shape, corners, count, parents);
  }
  free(corners);
  free(parents);
  return good;
}

/* ---- Shapes ------------------------------------------------------------------------------- */

static bool is_known(const clp_report_shapes *shapes, const char *link)
{
  for (size_t k = 0; k < shapes->count; ++k)
    if (strcmp(shapes->shapes[k].link, link) == 0)
      return true;
  return false;
}

bool clp_report_shapes_take(clp_report_shapes *shapes, const clp_heard_marker *marker)
{
  enum { TRIANGLES = 11, ADD = 0 };
  if (marker->kind != TRIANGLES || marker->action != ADD || marker->point_count < 3 ||
      shapes->count == CLP_REPORT_SHAPES ||
      marker->point_count > CLP_REPORT_CORNERS - shapes->corners || is_known(shapes, marker->frame))
    return true;
  if (shapes->count == shapes->room) {
    size_t room = shapes->room > 0 ? 2 * shapes->room : 32;
    clp_report_shape *more = realloc(shapes->shapes, room * sizeof *more);
    if (!more)
      return false;
    shapes->shapes = more;
    shapes->room = room;
  }
  clp_report_shape *shape = &shapes->shapes[shapes->count++];
  *shape = (clp_report_shape){.link = clp_copy_text(marker->frame)};
  for (int k = 0; k < 3; ++k)
    shape->color[k] = marker->color[k];
  shapes->corners += marker->point_count;
  return shape->link && fill(shape, marker);
}

void clp_report_shapes_release(clp_report_shapes *shapes)
{
  for (size_t k = 0; k < shapes->count; ++k) {
    clp_report_shape *shape = &shapes->shapes[k];
    for (size_t j = 0; j < shape->piece_count; ++j)
      free(shape->pieces[j].corners);
    free(shape->pieces);
    free(shape->link);
  }
  free(shapes->shapes);
  *shapes = (clp_report_shapes){0};
}
