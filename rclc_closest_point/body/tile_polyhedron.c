/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"

typedef struct polygon {
  const double *vertices; /* of the whole polyhedron */
  const int *indices;
  int count;
  int face;
  int first_number; /* position of indices[0] in the definition's list */
} polygon;

static clp_vec3 corner(const polygon *p, int k)
{
  const double *v = p->vertices + 3 * (size_t)p->indices[(k + p->count) % p->count];
  return (clp_vec3){v[0], v[1], v[2]};
}

static clp_vec3 centroid(const polygon *p)
{
  clp_vec3 sum = {0, 0, 0};
  for (int k = 0; k < p->count; ++k)
    sum = clp_add(sum, corner(p, k));
  return clp_scale(1.0 / p->count, sum);
}

/* Newell's normal: the sum over edges is twice the vector area, whatever the corners' spread out
 * of the plane, and its direction is the plane of least squares' to first order. */
static clp_vec3 vector_area(const polygon *p, clp_vec3 center)
{
  clp_vec3 sum = {0, 0, 0};
  for (int k = 0; k < p->count; ++k) {
    clp_vec3 a = clp_sub(corner(p, k), center);
    clp_vec3 b = clp_sub(corner(p, k + 1), center);
    sum = clp_add(sum, clp_cross(a, b));
  }
  return clp_scale(0.5, sum);
}

static bool vertices_are_places(clp_builder *builder, const clp_polyhedron_def *def)
{
  for (int k = 0; k < 3 * def->vertex_count; ++k)
    if (!clp_is_coordinate(def->vertices[k])) {
      clp_subject subject = {.kind = CLP_FINDING_NUMBER, .item = -1, .number = k};
      clp_defect(builder, subject,
                 "vertex %d has the coordinate %s, expected a finite number of at most 1e+09",
                 k / 3, clp_number(def->vertices[k], 6).text);
      return false;
    }
  return true;
}

static bool counts_fit(clp_builder *builder, const clp_polyhedron_def *def)
{
  clp_subject subject = {.kind = CLP_FINDING_COUNT, .item = -1, .number = -1};
  if (def->vertex_count < 3 || def->vertex_count > CLP_MAX_CONTROL_POINTS)
    clp_defect(builder, subject, "a polyhedron of %d vertices, expected 3 to %d", def->vertex_count,
               CLP_MAX_CONTROL_POINTS);
  else if (def->face_count < 1 || def->face_count > CLP_MAX_CONTROL_POINTS)
    clp_defect(builder, subject, "a polyhedron of %d faces, expected 1 to %d", def->face_count,
               CLP_MAX_CONTROL_POINTS);
  else
    return true;
  return false;
}

static bool indices_valid(clp_builder *builder, const polygon *p)
{
  clp_subject subject = {.kind = CLP_FINDING_COUNT, .item = p->face, .number = p->first_number};
  if (p->count < 3) {
    clp_defect(builder, subject, "face f%d has %d corners, expected at least 3", p->face, p->count);
    return false;
  }
  const clp_polyhedron_def *def = &builder->def->polyhedron;
  for (int k = 0; k < p->count; ++k) {
    subject.number = p->first_number + k;
    if (p->indices[k] < 0 || p->indices[k] >= def->vertex_count) {
      clp_defect(builder, subject, "face f%d names vertex %d, expected 0 to %d", p->face,
                 p->indices[k], def->vertex_count - 1);
      return false;
    }
    if (p->indices[k] == p->indices[(k + 1) % p->count]) {
      clp_defect(builder, subject, "face f%d names vertex %d twice in a row", p->face,
                 p->indices[k]);
      return false;
    }
  }
  return true;
}

/* How far the corners are from the plane, and the worst of them. */
static double planarity(const polygon *p, clp_vec3 center, clp_vec3 normal, int *worst)
{
  double most = -1;
  for (int k = 0; k < p->count; ++k) {
    double off = fabs(clp_dot(normal, clp_sub(corner(p, k), center)));
    if (off > most) {
      most = off;
      *worst = k;
    }
  }
  return most;
}

/* The corners in the plane's frame, the middle at its origin. */
static void lay_out(const polygon *p, const clp_plane *plane, double (*corners)[2])
{
  for (int k = 0; k < p->count; ++k) {
    clp_vec3 r = clp_sub(corner(p, k), plane->origin);
    corners[k][0] = clp_dot(r, plane->a);
    corners[k][1] = clp_dot(r, plane->b);
  }
}

/* A domain is the intersection of its sides' half planes, so its corners must not turn right, and
 * they must go round just once: a star turns left at every corner too. */
static bool turns_left(clp_builder *builder, const polygon *p, double (*corners)[2], double size)
{
  double turned = 0;
  if (p->count == 3) /* which has an area */
    return true;
  for (int k = 0; k < p->count; ++k) {
    const double *a = corners[(k + p->count - 1) % p->count];
    const double *b = corners[k];
    const double *c = corners[(k + 1) % p->count];
    double in[2] = {b[0] - a[0], b[1] - a[1]}, out[2] = {c[0] - b[0], c[1] - b[1]};
    double turn = atan2(in[0] * out[1] - in[1] * out[0], in[0] * out[0] + in[1] * out[1]);
    double reach = fmin(hypot(in[0], in[1]), hypot(out[0], out[1]));
    turned += turn;
    if (turn * reach < -CLP_TOLERANCE_PLANAR * size || turn > 3.14159) {
      clp_vec3 place = corner(p, k);
      clp_subject subject = {
          CLP_FINDING_NOT_CONVEX, p->face, p->first_number + k, false, &place, -turn};
      clp_defect(builder, subject,
                 "face f%d is not convex: it turns right by %s rad at %s; divide it into convex "
                 "faces",
                 p->face, clp_number(-turn, 3).text, clp_place(place).text);
      return false;
    }
  }
  if (turned < 6.5)
    return true;
  clp_subject subject = {.kind = CLP_FINDING_NOT_CONVEX, .item = p->face, .number = -1};
  clp_defect(builder, subject, "face f%d winds round more than once", p->face);
  return false;
}

static bool is_flat(clp_builder *builder, const polygon *p, const clp_plane *plane, double size)
{
  int worst = 0;
  clp_vec3 normal = clp_cross(plane->a, plane->b);
  double off = planarity(p, plane->origin, normal, &worst);
  if (off <= CLP_TOLERANCE_PLANAR * size)
    return true;
  clp_vec3 place = corner(p, worst);
  clp_subject subject = {
      CLP_FINDING_NOT_PLANAR, p->face, p->first_number + worst, false, &place, off};
  clp_defect(builder, subject,
             "face f%d is not planar: vertex %d at %s is %s m off its plane, expected at most %s",
             p->face, p->indices[worst], clp_place(place).text, clp_number(off, 3).text,
             clp_number(CLP_TOLERANCE_PLANAR * size, 3).text);
  return false;
}

static void tile_polygon(clp_builder *builder, const polygon *p, double size)
{
  clp_vec3 center = centroid(p);
  clp_vec3 area = vector_area(p, center);
  if (clp_norm(area) <= CLP_TOLERANCE_PLANAR * size * size) {
    clp_subject subject = {CLP_FINDING_DEGENERATE, p->face, p->first_number, false, &center, 0};
    clp_defect(builder, subject, "face f%d at %s has no area", p->face, clp_place(center).text);
    return;
  }
  clp_plane plane = {.origin = center};
  clp_vec3 normal = clp_unit(area);
  plane.a = clp_unit(clp_sub(corner(p, 1), corner(p, 0)));
  plane.a = clp_unit(clp_add_scaled(plane.a, -clp_dot(plane.a, normal), normal));
  plane.b = clp_cross(normal, plane.a);
  double(*corners)[2] = clp_arena_take(&builder->arena, (size_t)p->count, sizeof *corners);
  if (!corners || !is_flat(builder, p, &plane, size))
    return;
  lay_out(p, &plane, corners);
  if (!turns_left(builder, p, corners, size))
    return;
  char name[24];
  snprintf(name, sizeof name, "f%d", p->face);
  clp_build_face *face = clp_add_face(builder, name, p->face);
  if (!face)
    return;
  face->face.surface = (clp_surface){.kind = CLP_SURFACE_PLANE, .outward = 1, .as.plane = plane};
  face->corners = corners;
  face->face.domain = (clp_domain){
      .kind = CLP_DOMAIN_POLYGON, .corners = (const double(*)[2])corners, .corner_count = p->count};
}

static double vertex_spread(const clp_polyhedron_def *def)
{
  double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 3 * def->vertex_count; ++k) {
    lo[k % 3] = fmin(lo[k % 3], def->vertices[k]);
    hi[k % 3] = fmax(hi[k % 3], def->vertices[k]);
  }
  return hypot(hypot(hi[0] - lo[0], hi[1] - lo[1]), hi[2] - lo[2]);
}

void clp_tile_polyhedron(clp_builder *builder)
{
  const clp_polyhedron_def *def = &builder->def->polyhedron;
  if (!counts_fit(builder, def) || !vertices_are_places(builder, def))
    return;
  double size = vertex_spread(def);
  int first = 0;
  clp_expect_faces(builder, (size_t)def->face_count);
  for (int f = 0; f < def->face_count; ++f) {
    polygon p = {def->vertices, def->faces + first, def->face_sizes[f], f, first};
    first += p.count > 0 ? p.count : 0;
    if (indices_valid(builder, &p))
      tile_polygon(builder, &p, size);
  }
}
