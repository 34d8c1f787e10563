/* SPDX-License-Identifier: Apache-2.0 */
#include "draw_body.h"

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"

static const double pi = 3.14159265358979323846;

color shade(lights lamp, color paint, clp_vec3 place, clp_vec3 normal)
{
  clp_vec3 view = clp_unit(clp_sub(lamp.eye, place));
  clp_vec3 half = clp_unit(clp_add(lamp.key, view));
  double diffuse = 0.40 * fmax(0, clp_dot(normal, lamp.key));
  double sky = 0.16 * (0.5 + 0.5 * normal.z);
  double head = 0.20 * fmax(0, clp_dot(normal, view));
  double gloss = 0.10 * pow(fmax(0, clp_dot(normal, half)), 40);
  double k = 0.42 + diffuse + sky + head;
  return (color){k * paint.r + gloss, k * paint.g + gloss, k * paint.b + gloss};
}

/* ---- Faces as grids ------------------------------------------------------------------------ */

static double between(double lo, double hi, double t)
{
  return (1 - t) * lo + t * hi;
}

/* A band without a rim, up to the pole, has an infinite bound. */
static clp_site band_site(const clp_face *face, double s, double t)
{
  const clp_domain *d = &face->domain;
  double angle = 2 * pi * s;
  if (face->surface.kind != CLP_SURFACE_ELLIPSOID)
    return (clp_site){{cos(angle), sin(angle), between(d->lo[1], d->hi[1], t)}};
  double latitude = between(asin(fmax(-1, d->lo[1])), asin(fmin(1, d->hi[1])), t);
  return (clp_site){{cos(latitude) * cos(angle), cos(latitude) * sin(angle), sin(latitude)}};
}

static clp_site disc_site(const clp_domain *d, double s, double t)
{
  double r = between(d->lo[0], d->hi[0], t);
  return (clp_site){{r * cos(2 * pi * s), r * sin(2 * pi * s)}};
}

/* From the middle of the corners (t = 0) to the rim (t = 1), once round with s. */
static clp_site polygon_site(const clp_domain *d, double s, double t)
{
  double middle[2] = {0, 0};
  for (int i = 0; i < d->corner_count; i++) {
    middle[0] += d->corners[i][0] / d->corner_count;
    middle[1] += d->corners[i][1] / d->corner_count;
  }
  int corner = (int)fmin(s * d->corner_count, d->corner_count - 1);
  double along = s * d->corner_count - corner;
  const double *a = d->corners[corner];
  const double *b = d->corners[(corner + 1) % d->corner_count];
  return (clp_site){{between(middle[0], between(a[0], b[0], along), t),
                     between(middle[1], between(a[1], b[1], along), t)}};
}

/* Maps the unit square onto the face. */
static clp_site face_site(const clp_face *face, double s, double t)
{
  const clp_domain *d = &face->domain;
  switch (d->kind) {
    case CLP_DOMAIN_RECTANGLE:
      return (clp_site){{between(d->lo[0], d->hi[0], s), between(d->lo[1], d->hi[1], t)}};
    case CLP_DOMAIN_POLYGON:
      return polygon_site(d, s, t);
    case CLP_DOMAIN_DISC:
      return disc_site(d, s, t);
    default:
      return band_site(face, s, t);
  }
}

/* Columns of the grid: a polygon's must fall on its corners. */
static int columns(const clp_face *face)
{
  if (face->domain.kind == CLP_DOMAIN_POLYGON)
    return face->domain.corner_count;
  return face->domain.kind == CLP_DOMAIN_RECTANGLE ? DRAW_GRID : 3 * DRAW_GRID;
}

typedef struct grid {
  int columns, rows;
  clp_vec3 place[(DRAW_GRID + 1) * (3 * DRAW_GRID + 1)];
  clp_vec3 normal[(DRAW_GRID + 1) * (3 * DRAW_GRID + 1)];
} grid;

static grid face_grid(const clp_face *face, clp_pose pose)
{
  grid g = {.columns = columns(face), .rows = DRAW_GRID};
  for (int j = 0, at = 0; j <= g.rows; j++) {
    for (int i = 0; i <= g.columns; i++, at++) {
      clp_site site = face_site(face, (double)i / g.columns, (double)j / g.rows);
      g.place[at] = clp_transform(pose, clp_surface_point(&face->surface, site));
      g.normal[at] =
          clp_rotate(pose.rotation, clp_surface_normal(&face->surface, &face->domain, site));
    }
  }
  return g;
}

static void draw_grid(canvas *picture, const grid *g, const color *paint)
{
  for (int j = 0; j < g->rows; j++) {
    for (int i = 0; i < g->columns; i++) {
      int a = j * (g->columns + 1) + i, b = a + g->columns + 1;
      canvas_vertex corner[4] = {{g->place[a], paint[a]},
                                 {g->place[a + 1], paint[a + 1]},
                                 {g->place[b], paint[b]},
                                 {g->place[b + 1], paint[b + 1]}};
      canvas_triangle(picture, corner[0], corner[1], corner[3]);
      canvas_triangle(picture, corner[0], corner[3], corner[2]);
    }
  }
}

void draw_faces(canvas *picture, const clp_body *body, clp_pose pose, lights lamp,
                const color *palette, int palette_count)
{
  for (uint32_t f = 0; f < body->face_count; f++) {
    grid g = face_grid(&body->faces[f], pose);
    color paint[sizeof g.place / sizeof g.place[0]];
    for (int i = 0; i < (g.columns + 1) * (g.rows + 1); i++)
      paint[i] = shade(lamp, palette[(int)f % palette_count], g.place[i], g.normal[i]);
    draw_grid(picture, &g, paint);
  }
}

void draw_shadow(canvas *picture, const clp_body *body, clp_pose pose, lights lamp, color paint)
{
  for (uint32_t f = 0; f < body->face_count; f++) {
    grid g = face_grid(&body->faces[f], pose);
    color flat[sizeof g.place / sizeof g.place[0]];
    for (int i = 0; i < (g.columns + 1) * (g.rows + 1); i++) {
      g.place[i] = clp_add_scaled(g.place[i], -g.place[i].z / lamp.key.z, lamp.key);
      flat[i] = paint;
    }
    draw_grid(picture, &g, flat);
  }
}

/* ---- Lines and arrows ---------------------------------------------------------------------- */

static double edge_width(const clp_edge *edge, line_style style)
{
  switch (edge->kind) {
    case CLP_EDGE_COLLAPSED:
      return 0;
    case CLP_EDGE_SMOOTH:
    case CLP_EDGE_SEAM:
      return style.smooth;
    default:
      return style.sharp;
  }
}

void draw_edges(canvas *picture, const clp_body *body, clp_pose pose, line_style style)
{
  const int pieces = 96;
  for (uint32_t e = 0; e < body->edge_count; e++) {
    const clp_edge *edge = &body->edges[e];
    double width = edge_width(edge, style);
    clp_vec3 last = {0, 0, 0};
    for (int i = 0; i <= pieces && width > 0; i++) {
      double t = between(edge->curve.lo, edge->curve.hi, (double)i / pieces);
      clp_vec3 p = clp_curve_point(&edge->curve, clp_curve_site_at(&edge->curve, t));
      p = clp_transform(pose, p);
      if (i > 0)
        canvas_line(picture, last, p, width, style.lift, style.paint);
      last = p;
    }
  }
}

/* One side of a cone frustum from `a` to `b`; a cylinder where the radii are equal. */
static void draw_frustum(canvas *picture, clp_vec3 a, clp_vec3 b, double ra, double rb, lights lamp,
                         color paint)
{
  const int sides = 24;
  clp_vec3 t1, t2;
  clp_tangents(clp_unit(clp_sub(b, a)), &t1, &t2);
  canvas_vertex last[2] = {{a, paint}, {b, paint}};
  for (int i = 0; i <= sides; i++) {
    double angle = 2 * pi * i / sides;
    clp_vec3 out = clp_add(clp_scale(cos(angle), t1), clp_scale(sin(angle), t2));
    color lit = shade(lamp, paint, a, out);
    canvas_vertex now[2] = {{clp_add_scaled(a, ra, out), lit}, {clp_add_scaled(b, rb, out), lit}};
    if (i > 0) {
      canvas_triangle(picture, last[0], now[0], now[1]);
      canvas_triangle(picture, last[0], now[1], last[1]);
    }
    last[0] = now[0];
    last[1] = now[1];
  }
}

static void draw_arrow(canvas *picture, clp_vec3 from, clp_vec3 along, lights lamp, color paint)
{
  double length = clp_norm(along);
  clp_vec3 neck = clp_add_scaled(from, 0.62, along);
  clp_vec3 tip = clp_add(from, along);
  draw_frustum(picture, from, neck, 0.028 * length, 0.028 * length, lamp, paint);
  draw_frustum(picture, neck, tip, 0.09 * length, 0, lamp, paint);
  draw_frustum(picture, clp_add_scaled(neck, -0.001, along), neck, 0, 0.09 * length, lamp, paint);
}

/* Asks the public interface for the normals, so that what is seen is what a caller gets. */
void draw_normals(canvas *picture, const clp_body *body, clp_pose pose, lights lamp,
                  normal_style style)
{
  for (uint32_t f = 0; f < body->face_count; f++) {
    const clp_face *face = &body->faces[f];
    int count = (int)fmax(1, round(sqrt(2) * face->radius / style.spacing));
    for (int k = 0; k < count * count; k++) {
      int column = k % count, row = k / count;
      double s = (column + 0.5) / count, t = (row + 0.5) / count;
      double u, v;
      clp_surface_parameters(&face->surface, face_site(face, s, t), &u, &v);
      clp_face_point point = clp_body_face_point(body, f, u, v);
      clp_vec3 along = clp_scale(style.length, clp_rotate(pose.rotation, point.normal));
      if (point.inside)
        draw_arrow(picture, clp_transform(pose, point.place), along, lamp, style.paint);
    }
  }
}
