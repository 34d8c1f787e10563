/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/body_triangles.h"

#include "rclc_closest_point/control/sampling.h"
#include "rclc_closest_point/math/pose.h"

/* Of a padded body the faces are moved outwards, each sharp edge becomes a strip that turns from
 * one face's normal to the other's, and each sharp vertex a cap within the strips that end there.
 */

/* Steps round a face and across it; flat ones take no more than their corners, straight ones than
 * their ends. TURN are those from normal to normal. */
enum { ROUND = 20, ACROSS = 8, TURN = 4 };

typedef struct work {
  const clp_part *part;
  clp_vec3 *points; /* NULL while counting */
  int count;
} work;

static void add_triangle(work *w, clp_vec3 a, clp_vec3 b, clp_vec3 c)
{
  const clp_vec3 corners[3] = {a, b, c};
  for (int k = 0; k < 3; ++k, ++w->count)
    if (w->points)
      w->points[w->count] = clp_transform(w->part->X_LP, corners[k]);
}

static void add_quad(work *w, clp_vec3 a, clp_vec3 b, clp_vec3 c, clp_vec3 d)
{
  add_triangle(w, a, b, c);
  add_triangle(w, a, c, d);
}

/* ---- Faces -------------------------------------------------------------------------------- */

typedef struct grid_size {
  int columns, rows;
} grid_size;

static grid_size grid_of(const clp_face *face)
{
  const clp_surface_facts *facts = clp_surface_facts_of(&face->surface);
  bool rectangle = face->domain.kind == CLP_DOMAIN_RECTANGLE;
  if (face->domain.kind == CLP_DOMAIN_POLYGON)
    return (grid_size){face->domain.corner_count, facts->flat ? 1 : ACROSS};
  if (facts->flat)
    return (grid_size){rectangle ? 1 : ROUND, 1};
  return (grid_size){rectangle ? ACROSS : ROUND, facts->straight ? 1 : ACROSS};
}

static clp_vec3 grid_point(const clp_body *body, uint32_t face, grid_size grid, int i, int j)
{
  clp_spot spot =
      clp_spot_sample(body, CLP_FACE, face, (double)i / grid.columns, (double)j / grid.rows);
  clp_vec3 p = clp_spot_point(body, spot);
  if (body->padding == 0)
    return p;
  const clp_face *f = &body->faces[face];
  return clp_add_scaled(p, body->padding, clp_surface_normal(&f->surface, &f->domain, spot.site));
}

static void add_face(work *w, uint32_t face)
{
  const clp_body *body = w->part->body;
  grid_size grid = grid_of(&body->faces[face]);
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i)
      add_quad(w, grid_point(body, face, grid, i, j), grid_point(body, face, grid, i + 1, j),
               grid_point(body, face, grid, i + 1, j + 1), grid_point(body, face, grid, i, j + 1));
}

/* ---- Edges of padded bodies --------------------------------------------------------------- */

/* The outward normal of the edge's face `which`. */
static clp_vec3 normal_at(const clp_body *body, const clp_edge *edge, int which, double fraction)
{
  const clp_use *use = &body->uses[edge->use[which]];
  const clp_face *face = &body->faces[use->face];
  clp_site site = clp_edge_face_site(edge, which, use, face, clp_edge_fraction(edge, fraction));
  return clp_surface_normal(&face->surface, &face->domain, site);
}

/* From one normal (0) to the other (TURN). */
static clp_vec3 turned_normal(const clp_body *body, const clp_edge *edge, double fraction, int turn)
{
  return clp_unit(clp_lerp(normal_at(body, edge, 0, fraction), normal_at(body, edge, 1, fraction),
                           (double)turn / TURN));
}

static clp_vec3 strip_point(const clp_body *body, const clp_edge *edge, double fraction, int turn)
{
  clp_vec3 p = clp_curve_point(&edge->curve, clp_edge_fraction(edge, fraction));
  return clp_add_scaled(p, body->padding, turned_normal(body, edge, fraction, turn));
}

static bool is_sharp(const clp_edge *edge)
{
  return edge->kind == CLP_EDGE_SHARP && edge->use[0] != CLP_NONE && edge->use[1] != CLP_NONE;
}

static void add_strip(work *w, const clp_edge *edge)
{
  const clp_body *body = w->part->body;
  int along = edge->curve.kind == CLP_CURVE_LINE ? 1 : ROUND;
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < TURN; ++j) {
      double from = (double)i / along, to = (double)(i + 1) / along;
      add_quad(w, strip_point(body, edge, from, j), strip_point(body, edge, to, j),
               strip_point(body, edge, to, j + 1), strip_point(body, edge, from, j + 1));
    }
}

/* ---- Vertices of padded bodies ------------------------------------------------------------ */

/* A piece of the border of a vertex's cap: normals that follow each other. */
typedef struct arc {
  int count;
  clp_vec3 normals[ROUND + 1];
} arc;

/* Where a sharp edge ends. */
static arc arc_of_end(const clp_body *body, clp_edge_end end)
{
  const clp_edge *edge = &body->edges[end.edge];
  arc found = {.count = 0};
  for (int k = 0; is_sharp(edge) && k <= TURN; ++k)
    found.normals[found.count++] = turned_normal(body, edge, end.end, k);
  return found;
}

/* Where a side is one point. */
static arc arc_of_corner(const clp_body *body, const clp_corner *corner)
{
  const clp_face *face = &body->faces[corner->face];
  arc found = {.count = 0};
  for (uint32_t u = 0; corner->side >= 0 && u < face->use_count && found.count == 0; ++u) {
    const clp_use *use = &body->uses[face->first_use + u];
    for (int k = 0; use->side == corner->side && k <= ROUND; ++k)
      found.normals[found.count++] = normal_at(body, &body->edges[use->edge], 0, (double)k / ROUND);
  }
  return found;
}

static arc arc_at(const clp_body *body, const clp_vertex *vertex, uint32_t k)
{
  if (k < vertex->end_count)
    return arc_of_end(body, body->ends[vertex->first_end + k]);
  return arc_of_corner(body, &body->corners[vertex->first_corner + k - vertex->end_count]);
}

/* Between the cap's middle and two neighbors of its border, by way of the places half-way. */
static void add_sector(work *w, clp_vec3 p, clp_vec3 middle, clp_vec3 from, clp_vec3 to)
{
  double r = w->part->body->padding;
  clp_vec3 a = clp_add_scaled(p, r, clp_unit(clp_add(middle, from)));
  clp_vec3 b = clp_add_scaled(p, r, clp_unit(clp_add(middle, to)));
  add_triangle(w, clp_add_scaled(p, r, middle), a, b);
  add_quad(w, a, clp_add_scaled(p, r, from), clp_add_scaled(p, r, to), b);
}

static void add_cap(work *w, const clp_vertex *vertex)
{
  const clp_body *body = w->part->body;
  uint32_t arcs = vertex->end_count + vertex->corner_count;
  clp_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < arcs; ++i) {
    arc border = arc_at(body, vertex, i);
    for (int k = 0; k < border.count; ++k)
      sum = clp_add(sum, border.normals[k]);
  }
  if (!(clp_norm2(sum) > 0))
    return;
  for (uint32_t i = 0; i < arcs; ++i) {
    arc border = arc_at(body, vertex, i);
    for (int k = 0; k + 1 < border.count; ++k)
      add_sector(w, vertex->place, clp_unit(sum), border.normals[k], border.normals[k + 1]);
  }
}

/* ---- Points that are padded --------------------------------------------------------------- */

static clp_vec3 ball_point(const clp_body *body, int i, int j)
{
  const double pi = 3.14159265358979323846;
  double turn = 2 * pi * i / ROUND, height = pi * ((double)j / ACROSS - 0.5);
  clp_vec3 n = {cos(height) * cos(turn), cos(height) * sin(turn), sin(height)};
  return clp_add_scaled(body->vertices[0].place, body->padding, n);
}

static void add_ball(work *w)
{
  const clp_body *body = w->part->body;
  for (int j = 0; j < ACROSS; ++j)
    for (int i = 0; i < ROUND; ++i)
      add_quad(w, ball_point(body, i, j), ball_point(body, i + 1, j),
               ball_point(body, i + 1, j + 1), ball_point(body, i, j + 1));
}

/* ---- Which way round ----------------------------------------------------------------------- */

/* Bodies are convex, so that the middle of all corners is inside: what does not look away from it
 * is turned round. Whoever draws may leave out what turns its back. */
static void turn_outwards(clp_vec3 *points, int count)
{
  clp_vec3 middle = {0, 0, 0};
  for (int k = 0; k < count; ++k)
    middle = clp_add_scaled(middle, 1.0 / count, points[k]);
  for (clp_vec3 *p = points; p < points + count; p += 3) {
    clp_vec3 normal = clp_cross(clp_sub(p[1], p[0]), clp_sub(p[2], p[0]));
    if (clp_dot(normal, clp_sub(p[0], middle)) >= 0)
      continue;
    clp_vec3 second = p[1];
    p[1] = p[2];
    p[2] = second;
  }
}

static void add_padding(work *w)
{
  const clp_body *body = w->part->body;
  for (uint32_t k = 0; k < body->edge_count; ++k)
    if (is_sharp(&body->edges[k]))
      add_strip(w, &body->edges[k]);
  for (uint32_t k = 0; k < body->vertex_count; ++k)
    if (body->vertices[k].sharp)
      add_cap(w, &body->vertices[k]);
  if (body->info.point)
    add_ball(w);
}

int clp_part_triangles(const clp_part *part, clp_vec3 *points)
{
  const clp_body *body = part->body;
  work w = {part, points, 0};
  for (uint32_t k = 0; k < body->face_count; ++k)
    add_face(&w, k);
  if (body->padding > 0)
    add_padding(&w);
  if (points)
    turn_outwards(points, w.count);
  return w.count;
}
