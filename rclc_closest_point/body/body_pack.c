/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/compass.h"
#include "rclc_closest_point/math/vec3.h"

/* The finished body as one block. The same walk runs twice: once without memory, to learn the
 * size, and once to copy; so the two cannot disagree. */

typedef struct packer {
  unsigned char *block; /* NULL while measuring */
  size_t used;
} packer;

static void *take(packer *p, size_t count, size_t size)
{
  const size_t alignment = alignof(max_align_t);
  size_t start = (p->used + alignment - 1) / alignment * alignment;
  p->used = start + count * size;
  return p->block ? p->block + start : NULL;
}

static void *copy(packer *p, const void *from, size_t count, size_t size)
{
  void *to = take(p, count, size);
  if (to && count)
    memcpy(to, from, count * size);
  return to;
}

static const char *copy_text(packer *p, const char *text)
{
  size_t length = strlen(text) + 1;
  char *to = p->block ? (char *)p->block + p->used : NULL;
  p->used += length; /* no alignment: names lie one after the other */
  if (to)
    memcpy(to, text, length);
  return to;
}

static const double *moved(const double *pointer, clp_storage from, const double *to)
{
  return to + (pointer - from.numbers);
}

static void pack_surface(packer *p, clp_surface *surface, clp_storage storage)
{
  if (!storage.numbers)
    return;
  const double *to = copy(p, storage.numbers, storage.count, sizeof *to);
  if (to)
    clp_surface_moved(surface, storage.numbers, to);
}

static void pack_curve(packer *p, clp_curve *curve, clp_storage storage)
{
  if (curve->kind != CLP_CURVE_NURBS || !storage.numbers)
    return;
  const double *to = copy(p, storage.numbers, storage.count, sizeof *to);
  if (!to)
    return;
  clp_nurbs_curve *nurbs = &curve->as.nurbs;
  nurbs->breaks = moved(nurbs->breaks, storage, to);
  nurbs->coefficients = moved(nurbs->coefficients, storage, to);
  nurbs->bezier = moved(nurbs->bezier, storage, to);
}

static bool has_quadric(const clp_builder *builder)
{
  bool found = false;
  for (size_t k = 0; k < builder->face_count && !found; ++k) {
    const clp_surface *surface = &builder->faces[k].face.surface;
    found = clp_surface_ellipsoid(surface) || clp_surface_cone(surface);
  }
  return found;
}

static void pack_faces(packer *p, const clp_builder *builder, clp_body *body)
{
  clp_face *faces = take(p, builder->face_count, sizeof *faces);
  double(*firsts)[2] = take(p, builder->face_count, sizeof *firsts);
  for (size_t k = 0; k < builder->face_count; ++k) {
    const clp_build_face *from = &builder->faces[k];
    clp_face face = from->face;
    pack_surface(p, &face.surface, from->storage);
    if (face.domain.kind == CLP_DOMAIN_POLYGON)
      face.domain.corners =
          copy(p, from->corners, (size_t)face.domain.corner_count, sizeof *from->corners);
    face.name = copy_text(p, face.name);
    face.flat = clp_surface_facts_of(&face.surface)->flat;
    if (face.flat)
      face.normal = clp_surface_normal(&face.surface, &face.domain, (clp_site){{0, 0, 0}});
    if (faces) {
      faces[k] = face;
      memcpy(firsts[k], from->first, sizeof from->first);
    }
  }
  if (body) {
    body->faces = faces;
    body->firsts = firsts;
    body->face_count = (uint32_t)builder->face_count;
    body->quadric = has_quadric(builder);
  }
}

static void pack_edges(packer *p, const clp_builder *builder, clp_body *body)
{
  clp_edge *edges = take(p, builder->edge_count, sizeof *edges);
  for (size_t k = 0; k < builder->edge_count; ++k) {
    const clp_build_edge *from = &builder->edges[k];
    clp_edge edge = from->edge;
    pack_curve(p, &edge.curve, from->storage);
    pack_curve(p, &edge.second, from->second_storage);
    edge.name = copy_text(p, edge.name);
    if (edges)
      edges[k] = edge;
  }
  if (body) {
    body->edges = edges;
    body->edge_count = (uint32_t)builder->edge_count;
  }
}

static void pack_vertices(packer *p, const clp_builder *builder, clp_body *body)
{
  clp_vertex *vertices = copy(p, builder->vertices, builder->vertex_count, sizeof *vertices);
  for (size_t k = 0; k < builder->vertex_count; ++k) {
    const char *name = copy_text(p, builder->vertices[k].name);
    if (vertices)
      vertices[k].name = name;
  }
  clp_use *uses = copy(p, builder->uses, builder->use_count, sizeof *uses);
  clp_corner *corners = copy(p, builder->corners, builder->corner_count, sizeof *corners);
  clp_edge_end *ends = copy(p, builder->ends, builder->end_count, sizeof *ends);
  if (!body)
    return;
  body->vertices = vertices;
  body->vertex_count = (uint32_t)builder->vertex_count;
  body->uses = uses;
  body->corners = corners;
  body->ends = ends;
}

static bool is_polyhedron(const clp_builder *builder)
{
  bool flat = builder->def->convex && builder->all_closed;
  for (size_t k = 0; k < builder->face_count && flat; ++k)
    flat = builder->faces[k].face.bend == CLP_BEND_FLAT;
  for (size_t k = 0; k < builder->edge_count && flat; ++k)
    flat = builder->edges[k].edge.curve.kind == CLP_CURVE_LINE;
  return flat;
}

static void pack_compass(packer *p, const clp_builder *builder, clp_body *body)
{
  bool worth_it = builder->vertex_count >= CLP_COMPASS_LEAST && is_polyhedron(builder);
  uint32_t grid = worth_it ? clp_compass_grid((uint32_t)builder->vertex_count) : 0;
  uint32_t *vertex = take(p, clp_compass_cells(grid), sizeof *vertex);
  if (!body)
    return;
  body->compass.grid = grid;
  body->compass.vertex = vertex;
}

/* Products are of differences: normals of flat bodies differ by little, and that is not lost. */
static clp_wedge wedge_between(clp_vec3 a, clp_vec3 b)
{
  clp_vec3 c = clp_cross(clp_sub(a, b), b);
  double length = clp_norm(c);
  if (!(length > CLP_SAME_DIRECTION))
    return (clp_wedge){.flat = false};
  c = clp_scale(1 / length, c);
  return (clp_wedge){true, false, {a, b}, c, {clp_cross(c, a), clp_cross(b, c)}};
}

/* A circle about z whose angle counts from x, on both of its faces. */
static bool is_rim(const clp_body *body, const clp_edge *edge)
{
  const clp_ellipse *e = &edge->curve.as.ellipse;
  if (edge->curve.kind != CLP_CURVE_ELLIPSE || !edge->curve.closed)
    return false;
  for (int which = 0; which < 2; ++which) {
    const clp_use *use = &body->uses[edge->use[which]];
    if (!use->affine || (which == 1 && use->sense < 0) ||
        !clp_surface_turns_about_z(&body->faces[use->face].surface))
      return false;
  }
  return clp_vec3_equals(e->center, (clp_vec3){0, 0, e->center.z}) && e->a.x > 0 &&
         clp_vec3_equals(e->a, (clp_vec3){e->a.x, 0, 0}) &&
         clp_vec3_equals(e->b, (clp_vec3){0, e->a.x, 0});
}

static clp_vec3 rim_normal(const clp_body *body, const clp_edge *edge, int which)
{
  const clp_use *use = &body->uses[edge->use[which]];
  const clp_face *face = &body->faces[use->face];
  clp_site site = clp_edge_face_site(edge, which, use, face, (clp_curve_site){{1, 0}});
  return clp_surface_normal(&face->surface, &face->domain, site);
}

static clp_wedge rim_wedge(const clp_body *body, const clp_edge *edge)
{
  clp_vec3 a = rim_normal(body, edge, 0), b = rim_normal(body, edge, 1);
  clp_wedge wedge = wedge_between(a, b);
  wedge.turned = wedge.flat && a.y == 0 && b.y == 0;
  wedge.flat = false;
  return wedge;
}

static void fill_wedges(clp_body *body)
{
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    clp_edge *edge = &body->edges[k];
    if (edge->use[0] == CLP_NONE || edge->use[1] == CLP_NONE)
      continue;
    const clp_face *a = &body->faces[body->uses[edge->use[0]].face];
    const clp_face *b = &body->faces[body->uses[edge->use[1]].face];
    if (a->flat && b->flat)
      edge->wedge = wedge_between(a->normal, b->normal);
    else if (is_rim(body, edge))
      edge->wedge = rim_wedge(body, edge);
  }
}

/* Normals that differ by less leave what is square to both less exact than normal_cone.c takes it
 * for. */
#define WIDE_WEDGE 1e-4

/* More faces meet in few corners, and every normal is looked at from every edge. */
#define MOST_ENDS 24

static clp_vec3 corner_normal(const clp_body *body, const clp_vertex *vertex, uint32_t k)
{
  return body->faces[body->corners[vertex->first_corner + k].face].normal;
}

/* Square to the normals of the edge's faces, and away from all others: these are the planes that
 * bound the normals at the vertex. False where they do not. */
static bool find_away(const clp_body *body, const clp_vertex *vertex, clp_edge_end *end)
{
  const clp_wedge *wedge = &body->edges[end->edge].wedge;
  clp_vec3 sum = {0, 0, 0};
  if (!wedge->flat || !(clp_distance(wedge->normal[0], wedge->normal[1]) > WIDE_WEDGE))
    return false;
  for (uint32_t k = 0; k < vertex->corner_count; ++k)
    sum = clp_add(sum, corner_normal(body, vertex, k));
  end->away = clp_dot(sum, wedge->across) < 0 ? wedge->across : clp_negate(wedge->across);
  for (uint32_t k = 0; k < vertex->corner_count; ++k)
    if (!(clp_dot(corner_normal(body, vertex, k), end->away) <= CLP_SAME_DIRECTION))
      return false;
  return true;
}

static bool is_flat_vertex(const clp_body *body, const clp_vertex *vertex)
{
  if (vertex->end_count == 0 && vertex->corner_count == 0)
    return true;
  if (vertex->end_count < 3 || vertex->end_count > MOST_ENDS ||
      vertex->end_count != vertex->corner_count)
    return false;
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    if (corner->side >= 0 || !body->faces[corner->face].flat)
      return false;
  }
  for (uint32_t k = 0; k < vertex->end_count; ++k)
    if (!find_away(body, vertex, &body->ends[vertex->first_end + k]))
      return false;
  return true;
}

static clp_vec3 out_of_vertex(const clp_body *body, clp_edge_end end)
{
  const clp_edge *edge = &body->edges[end.edge];
  clp_vec3 t = clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, end.end)).t;
  return clp_scale(end.end == 0 ? 1 : -1, clp_unit(t));
}

/* ---- Round vertices ----------------------------------------------------------------------- */

/* Whether the face has the vertex's normal at a site; the first one is it. */
static bool has_normal(clp_vertex *vertex, const clp_face *face, clp_site site)
{
  clp_normal normal = clp_face_normal(face, site);
  if (!(clp_norm2(vertex->normal.n) > 0))
    vertex->normal = normal;
  vertex->normal.off = fmax(vertex->normal.off, normal.off);
  return clp_distance(normal.n, vertex->normal.n) <= CLP_SAME_DIRECTION;
}

/* Both ends and the middle of a collapsed side tell whether its normals differ. */
static bool has_normal_along(const clp_body *body, clp_vertex *vertex, const clp_use *use)
{
  const clp_edge *edge = &body->edges[use->edge];
  const clp_face *face = &body->faces[use->face];
  const int which = &body->uses[edge->use[0]] == use ? 0 : 1;
  bool same = true;
  for (int k = 0; k <= 2 && same; ++k) {
    clp_curve_site at = clp_edge_fraction(edge, 0.5 * k);
    clp_site site = clp_edge_face_site(edge, which, use, face, at);
    same = has_normal(vertex, face, site);
  }
  return same;
}

static bool is_round_vertex(const clp_body *body, clp_vertex *vertex)
{
  bool round = !vertex->sharp && vertex->corner_count > 0;
  vertex->normal = (clp_normal){{0, 0, 0}, 0};
  for (uint32_t k = 0; k < vertex->corner_count && round; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    const clp_face *face = &body->faces[corner->face];
    if (corner->side < 0)
      round = has_normal(vertex, face, corner->site);
    for (uint32_t i = 0; i < face->use_count && corner->side >= 0 && round; ++i)
      if (body->uses[face->first_use + i].side == corner->side)
        round = has_normal_along(body, vertex, &body->uses[face->first_use + i]);
  }
  return round;
}

/* How far from straight what is looked at is, as a curvature times the size: so much that there is
 * no ruling between two of them that is straight. */
#define WELL_BENT 1e-3

enum { RULINGS = 16 };

/* Whether the rulings out of a collapsed side are all bent. */
static bool is_bent_along(const clp_body *body, const clp_face *face, const clp_use *use)
{
  const clp_edge *edge = &body->edges[use->edge];
  const int which = &body->uses[edge->use[0]] == use ? 0 : 1;
  bool bent = clp_surface_spline(&face->surface);
  for (int k = 0; k <= RULINGS && bent; ++k) {
    clp_curve_site at = clp_edge_fraction(edge, (double)k / RULINGS);
    clp_jet jet = clp_surface_jet(&face->surface, clp_edge_face_site(edge, which, use, face, at));
    clp_vec3 t = use->side <= CLP_SIDE_U1 ? jet.u : jet.v;
    clp_vec3 tt = use->side <= CLP_SIDE_U1 ? jet.uu : jet.vv;
    bent = clp_norm(clp_cross(t, tt)) * body->size > WELL_BENT * clp_norm(t) * clp_norm2(t);
  }
  return bent;
}

/* Whether the face bends away from its normal n along every direction. */
static bool is_bent_at(const clp_body *body, const clp_face *face, clp_site site, clp_vec3 n)
{
  const double least = WELL_BENT / body->size;
  clp_jet jet = clp_surface_jet(&face->surface, site);
  double uu = -clp_dot(n, jet.uu) - least * clp_norm2(jet.u);
  double uv = -clp_dot(n, jet.uv) - least * clp_dot(jet.u, jet.v);
  double vv = -clp_dot(n, jet.vv) - least * clp_norm2(jet.v);
  return uu > 0 && uu * vv > uv * uv;
}

/* The rulings out of a collapsed side are all ways of its face, its own corners' among them. */
static bool has_rulings(const clp_body *body, const clp_vertex *vertex, uint32_t face)
{
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    if (corner->face == face && corner->side >= 0)
      return true;
  }
  return false;
}

static bool is_bent_vertex(const clp_body *body, const clp_vertex *vertex)
{
  bool bent = vertex->round;
  for (uint32_t k = 0; k < vertex->corner_count && bent; ++k) {
    const clp_corner *corner = &body->corners[vertex->first_corner + k];
    const clp_face *face = &body->faces[corner->face];
    if (corner->side < 0 && !has_rulings(body, vertex, corner->face))
      bent = is_bent_at(body, face, corner->site, vertex->normal.n);
    for (uint32_t i = 0; i < face->use_count && corner->side >= 0 && bent; ++i)
      if (body->uses[face->first_use + i].side == corner->side)
        bent = is_bent_along(body, face, &body->uses[face->first_use + i]);
  }
  return bent;
}

static void fill_vertices(clp_body *body)
{
  for (uint32_t k = 0; k < body->vertex_count; ++k) {
    clp_vertex *vertex = &body->vertices[k];
    vertex->flat = is_flat_vertex(body, vertex);
    vertex->round = !vertex->flat && is_round_vertex(body, vertex);
    vertex->bent = is_bent_vertex(body, vertex);
    for (uint32_t i = 0; i < vertex->end_count && !vertex->flat; ++i) {
      clp_edge_end *end = &body->ends[vertex->first_end + i];
      end->away = out_of_vertex(body, *end);
    }
  }
}

/* ---- Figures ------------------------------------------------------------------------------ */

/* A ball about the box's middle: of the faces' balls, of the curves' control points, of a point. */
static double ball_radius(const clp_builder *builder, clp_vec3 center)
{
  double radius = 0;
  for (size_t k = 0; k < builder->face_count; ++k) {
    const clp_face *face = &builder->faces[k].face;
    double own = clp_distance(face->center, center) + face->radius;
    radius = fmax(radius, own);
  }
  if (builder->face_count == 0 || radius > 0.5 * builder->size)
    radius = 0.5 * builder->size; /* the box's corners are a bound too */
  return radius;
}

/* The side of a profile turned about z, where nothing else but lids is there; else NULL. */
static const clp_face *only_side(const clp_body *body)
{
  const clp_face *side = NULL;
  for (uint32_t k = 0; k < body->face_count; ++k) {
    const clp_face *face = &body->faces[k];
    bool lid = face->flat && face->domain.lo[0] == 0;
    if (!lid && (side || !clp_surface_cone(&face->surface)))
      return NULL;
    side = lid ? side : face;
  }
  return side;
}

/* Closed and convex, it is travelled upwards. */
static clp_frustum frustum_of(const clp_body *body)
{
  const clp_face *side = only_side(body);
  if (!side || !body->info.closed || !body->info.convex || body->blur > 0)
    return (clp_frustum){0};
  const clp_cone *cone = &side->surface.as.cone;
  double length = hypot(cone->dr, cone->dz);
  return (clp_frustum){.low_r = cone->r0,
                       .low_z = cone->z0,
                       .high_r = cone->r0 + cone->dr,
                       .high_z = cone->z0 + cone->dz,
                       .along_r = cone->dr / length,
                       .along_z = cone->dz / length,
                       .length = length};
}

static void fill_info(const clp_builder *builder, clp_body *body, size_t bytes)
{
  const clp_body_def *def = builder->def;
  bool point = def->shape == CLP_SHAPE_POINT;
  body->info = (clp_body_info){.faces = (int)builder->face_count,
                               .edges = (int)builder->edge_count,
                               .vertices = (int)builder->vertex_count,
                               .closed = builder->all_closed,
                               .convex = point || def->convex,
                               .planar = def->shape == CLP_SHAPE_CURVES,
                               .point = point,
                               .nice = !builder->was_split,
                               .proven = builder->undecided == 0,
                               .bounds = builder->box,
                               .volume = builder->volume,
                               .area = builder->area,
                               .slack = builder->slack,
                               .bytes = bytes};
  body->size = builder->size;
  body->blur = builder->blur;
  body->sharpness = builder->sharpness;
  if (def->shape == CLP_SHAPE_SPHERE || def->shape == CLP_SHAPE_CAPSULE)
    body->sweep.radius = def->radius;
  if (def->shape == CLP_SHAPE_BOX)
    body->box = clp_scale(0.5, def->size);
  if (def->shape == CLP_SHAPE_CAPSULE)
    body->sweep.half = 0.5 * def->length;
  if (def->shape == CLP_SHAPE_CYLINDER) {
    body->cylinder.radius = def->radius;
    body->cylinder.half = 0.5 * def->length;
  }
  if (def->shape == CLP_SHAPE_REVOLVED)
    body->frustum = frustum_of(body);
  body->center = clp_lerp(builder->box.min, builder->box.max, 0.5);
  body->radius = ball_radius(builder, body->center);
}

/* What the radius of a sphere or a capsule pads: a vertex, or an edge between two, on z. */
static void pack_core(packer *p, const clp_builder *builder, clp_body *body)
{
  const clp_shape shape = builder->def->shape;
  const uint32_t edges = shape == CLP_SHAPE_CAPSULE, vertices = 1 + edges;
  if (shape != CLP_SHAPE_SPHERE && shape != CLP_SHAPE_CAPSULE)
    return;
  clp_body *core = take(p, 1, sizeof *core);
  clp_edge *edge = take(p, edges, sizeof *edge);
  clp_vertex *vertex = take(p, vertices, sizeof *vertex);
  clp_edge_end *ends = take(p, 2 * (size_t)edges, sizeof *ends);
  if (!body)
    return;
  *core = (clp_body){.faces = body->faces, /* none of them, but addresses to count from */
                     .uses = body->uses,
                     .corners = body->corners,
                     .edges = edge,
                     .vertices = vertex,
                     .ends = ends,
                     .edge_count = edges,
                     .vertex_count = vertices,
                     .whole = body};
  body->core = core;
}

static void fill_segment(clp_body *core, double half)
{
  const clp_line z = {{0, 0, 0}, {0, 0, 1}};
  *core->edges = (clp_edge){.name = "axis",
                            .kind = CLP_EDGE_SHARP,
                            .curve = {CLP_CURVE_LINE, -half, half, .as.line = z},
                            .use = {CLP_NONE, CLP_NONE},
                            .vertex = {0, 1}};
  for (uint32_t k = 0; k < 2; ++k) {
    core->vertices[k].place.z = k == 0 ? -half : half;
    core->vertices[k].first_end = k;
    core->vertices[k].end_count = 1;
    core->ends[k] = (clp_edge_end){.edge = 0, .end = (int)k, .away.z = k == 0 ? 1 : -1};
  }
}

static void fill_core(const clp_body *body, clp_body *core)
{
  const double half = body->sweep.half;
  for (uint32_t k = 0; k < core->vertex_count; ++k)
    core->vertices[k] = (clp_vertex){.name = "center", .sharp = true, .flat = true};
  if (core->edge_count > 0)
    fill_segment(core, half);
  core->radius = half;
  core->size = 2 * half;
  core->padding = body->sweep.radius;
  core->info = (clp_body_info){.edges = (int)core->edge_count,
                               .vertices = (int)core->vertex_count,
                               .closed = true,
                               .convex = true,
                               .point = core->edge_count == 0,
                               .nice = true,
                               .proven = body->info.proven,
                               .bounds = {{0, 0, -half}, {0, 0, half}},
                               .padding = core->padding};
}

clp_body *clp_pack_body(const clp_builder *builder)
{
  packer p = {0};
  clp_body *body = NULL;
  for (int pass = 0; pass < 2; ++pass) {
    p.used = 0;
    body = take(&p, 1, sizeof *body);
    pack_faces(&p, builder, body);
    pack_edges(&p, builder, body);
    pack_vertices(&p, builder, body);
    pack_compass(&p, builder, body);
    pack_core(&p, builder, body);
    if (pass == 0 && !(p.block = calloc(1, p.used)))
      return NULL;
  }
  fill_info(builder, body, p.used);
  fill_wedges(body);
  fill_vertices(body);
  if (body->core)
    fill_core(body, body->core);
  if (body->compass.grid > 0 && !clp_compass_fill(body))
    body->compass.grid = 0;
  return body;
}
