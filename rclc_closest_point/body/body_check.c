/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"

/* Is the body convex? A closed connected surface that is convex inside every face, across every
 * edge and at every vertex bounds a convex body (Tietze, Nakajima), provided it goes round only
 * once, which a look at tangent planes from afar settles. */

/* ---- Faces -------------------------------------------------------------------------------- */

static void report_bend(clp_builder *builder, const clp_face *face,
                        const clp_curvature_verdict *verdict)
{
  clp_vec3 place = clp_surface_point(&face->surface, verdict->where);
  double u, v;
  clp_surface_parameters(&face->surface, verdict->where, &u, &v);
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, face->item, -1, false, &place, verdict->worst};
  clp_defect(builder, subject,
             "'%.40s' is not convex: at u = %s, v = %s, %s, it bends outwards with curvature %s "
             "1/m, expected at most %s (found by %s)",
             face->name, clp_number(u, 4).text, clp_number(v, 4).text, clp_place(place).text,
             clp_number(verdict->worst, 3).text,
             clp_number(CLP_TOLERANCE_CURVATURE / builder->size, 2).text,
             verdict->by_bounds ? "bounds" : "sampling");
}

static void check_faces(clp_builder *builder)
{
  for (size_t k = 0; k < builder->face_count; ++k) {
    clp_face *face = &builder->faces[k].face;
    clp_curvature_verdict verdict =
        clp_face_curvature(&face->surface, &face->domain, builder->size);
    face->bend = verdict.bend;
    builder->sampled_faces += !verdict.by_bounds;
    builder->outward_turn += fmax(0, verdict.worst) * builder->size;
    bool dented = verdict.bend == CLP_BEND_CONCAVE || verdict.bend == CLP_BEND_MIXED;
    if (dented && builder->def->convex)
      report_bend(builder, face, &verdict);
  }
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* How two faces meet at one place of an edge. */
typedef struct meeting {
  clp_vec3 place;
  double angle;  /* between the outward normals, 0...pi */
  double reflex; /* sine by which one face rises above the other's plane; < 0 where convex */
  bool folded;   /* both faces leave the edge in the same direction */
} meeting;

clp_site clp_edge_site(const clp_builder *builder, const clp_edge *edge, int which, double fraction)
{
  const clp_use *use = &builder->uses[edge->use[which]];
  return clp_edge_face_site(edge, which, use, &builder->faces[use->face].face,
                            clp_edge_fraction(edge, fraction));
}

typedef struct face_at_edge {
  clp_vec3 normal, conormal;
} face_at_edge;

/* The conormal is the unit vector in the face, square to the edge, that points into the face:
 * normal x tangent when the tangent runs counter-clockwise round the face. */
static face_at_edge look_at(const clp_builder *builder, const clp_edge *edge, int which,
                            double fraction, clp_vec3 tangent)
{
  const clp_use *use = &builder->uses[edge->use[which]];
  const clp_face *face = &builder->faces[use->face].face;
  clp_site site = clp_edge_site(builder, edge, which, fraction);
  clp_vec3 normal = clp_surface_normal(&face->surface, &face->domain, site);
  double direction = use->sense * clp_side_direction(&face->surface, &face->domain, use->side);
  return (face_at_edge){normal, clp_unit(clp_cross(normal, clp_scale(direction, tangent)))};
}

static meeting meet(const clp_builder *builder, const clp_edge *edge, double fraction)
{
  clp_curve_jet jet = clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, fraction));
  clp_vec3 tangent = clp_unit(jet.t);
  face_at_edge a = look_at(builder, edge, 0, fraction, tangent);
  face_at_edge b = look_at(builder, edge, 1, fraction, tangent);
  double sine = clp_norm(clp_cross(a.normal, b.normal));
  return (meeting){.place = jet.p,
                   .angle = atan2(sine, clp_dot(a.normal, b.normal)),
                   .reflex = fmax(clp_dot(a.conormal, b.normal), clp_dot(b.conormal, a.normal)),
                   .folded = clp_dot(a.conormal, b.conormal) > 1 - 1e-6};
}

static int edge_samples(const clp_builder *builder, const clp_edge *edge)
{
  bool flat = builder->faces[builder->uses[edge->use[0]].face].face.bend == CLP_BEND_FLAT &&
              builder->faces[builder->uses[edge->use[1]].face].face.bend == CLP_BEND_FLAT;
  if (flat && edge->curve.kind == CLP_CURVE_LINE)
    return 1;
  int spans = edge->curve.kind == CLP_CURVE_NURBS ? edge->curve.as.nurbs.spans : 1;
  int wanted = 24 * spans;
  return wanted < 512 ? wanted : 512;
}

typedef double (*meeting_measure)(const meeting *);

static double measure_reflex(const meeting *m)
{
  return m->reflex;
}

static double measure_angle(const meeting *m)
{
  return m->angle;
}

/* The largest measure along the edge: samples, then halving round the best one. */
static meeting worst_meeting(const clp_builder *builder, const clp_edge *edge,
                             meeting_measure measure)
{
  int samples = edge_samples(builder, edge);
  double at = 0.5;
  meeting worst = meet(builder, edge, at);
  for (int k = 0; k < samples; ++k) {
    double fraction = (k + 0.5) / samples;
    meeting m = meet(builder, edge, fraction);
    if (measure(&m) > measure(&worst)) {
      worst = m;
      at = fraction;
    }
  }
  for (double step = 0.25 / samples; samples > 1 && step > 1e-4 / samples; step *= 0.5)
    for (int side = -1; side <= 1; side += 2) {
      double fraction = fmin(1, fmax(0, at + side * step));
      meeting m = meet(builder, edge, fraction);
      if (measure(&m) > measure(&worst)) {
        worst = m;
        at = fraction;
      }
    }
  return worst;
}

static void report_reflex(clp_builder *builder, const clp_edge *edge, const meeting *m)
{
  const clp_face *a = &builder->faces[builder->uses[edge->use[0]].face].face;
  const clp_face *b = &builder->faces[builder->uses[edge->use[1]].face].face;
  clp_finding_kind kind = m->folded ? CLP_FINDING_OVERLAP : CLP_FINDING_NOT_CONVEX;
  clp_subject subject = {kind, a->item, -1, false, &m->place, m->reflex};
  if (m->folded)
    clp_defect(builder, subject, "faces '%.40s' and '%.40s' lie on top of each other at %s",
               a->name, b->name, clp_place(m->place).text);
  else
    clp_defect(builder, subject,
               "the edge between '%.40s' and '%.40s' is not convex: at %s it turns outwards by %s "
               "rad, expected at most %s (found by sampling along the edge)",
               a->name, b->name, clp_place(m->place).text,
               clp_number(asin(fmin(1, m->reflex)), 3).text,
               clp_number(CLP_TOLERANCE_SMOOTH, 1).text);
}

static void check_edge(clp_builder *builder, clp_edge *edge)
{
  if (edge->kind == CLP_EDGE_COLLAPSED)
    return;
  if (edge->use[0] == CLP_NONE || edge->use[1] == CLP_NONE) {
    edge->kind = CLP_EDGE_BOUNDARY;
    return;
  }
  bool same_face = builder->uses[edge->use[0]].face == builder->uses[edge->use[1]].face;
  meeting reflex = worst_meeting(builder, edge, measure_reflex);
  meeting widest = worst_meeting(builder, edge, measure_angle);
  builder->outward_turn += fmax(0, reflex.reflex);
  bool smooth = widest.angle <= CLP_TOLERANCE_SMOOTH;
  edge->kind = !smooth ? CLP_EDGE_SHARP : same_face ? CLP_EDGE_SEAM : CLP_EDGE_SMOOTH;
  edge->reflex = !smooth && reflex.reflex > CLP_TOLERANCE_SMOOTH;
  if (reflex.folded || (edge->reflex && builder->def->convex))
    report_reflex(builder, edge, &reflex);
}

/* ---- Vertices ----------------------------------------------------------------------------- */

/* Unit tangent of an edge, from its end into it. */
static clp_vec3 end_tangent(const clp_builder *builder, const clp_edge_end *end)
{
  const clp_edge *edge = &builder->edges[end->edge].edge;
  clp_vec3 t = clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, end->end)).t;
  return clp_scale(end->end ? -1 : 1, clp_unit(t));
}

static clp_vec3 corner_normal(const clp_builder *builder, const clp_corner *corner)
{
  const clp_face *face = &builder->faces[corner->face].face;
  return clp_surface_normal(&face->surface, &face->domain, corner->site);
}

/* A pole is pointed when the normals along its collapsed side differ. */
static bool is_pointed(const clp_builder *builder, const clp_corner *corner)
{
  const clp_face *face = &builder->faces[corner->face].face;
  for (uint32_t k = 0; k < face->use_count; ++k) {
    const clp_use *use = &builder->uses[face->first_use + k];
    const clp_edge *edge = &builder->edges[use->edge].edge;
    if (use->side != corner->side || edge->kind != CLP_EDGE_COLLAPSED)
      continue;
    clp_vec3 normals[3];
    for (int i = 0; i < 3; ++i) /* not at equal angles of a full turn: 0.05, 0.45, 0.85 */
      normals[i] = clp_surface_normal(&face->surface, &face->domain,
                                      clp_edge_site(builder, edge, 0, 0.05 + 0.4 * i));
    if (clp_distance(normals[0], normals[1]) > CLP_TOLERANCE_SMOOTH ||
        clp_distance(normals[0], normals[2]) > CLP_TOLERANCE_SMOOTH)
      return true;
  }
  return false;
}

static bool is_sharp(const clp_builder *builder, const clp_vertex *vertex)
{
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    clp_edge_kind kind = builder->edges[builder->ends[vertex->first_end + k].edge].edge.kind;
    if (kind != CLP_EDGE_SMOOTH && kind != CLP_EDGE_SEAM)
      return true;
  }
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &builder->corners[vertex->first_corner + k];
    if (corner->side >= 0 && is_pointed(builder, corner))
      return true;
  }
  return false;
}

/* No edge may leave the vertex above a face's tangent plane. */
static void check_vertex(clp_builder *builder, clp_vertex *vertex)
{
  vertex->sharp = is_sharp(builder, vertex);
  for (uint32_t c = 0; builder->def->convex && c < vertex->corner_count; ++c) {
    const clp_corner *corner = &builder->corners[vertex->first_corner + c];
    if (corner->side >= 0)
      continue; /* a collapsed side has many normals; its neighbours' corners are checked */
    clp_vec3 normal = corner_normal(builder, corner);
    for (uint32_t e = 0; e < vertex->end_count; ++e) {
      const clp_edge_end *end = &builder->ends[vertex->first_end + e];
      double rise = clp_dot(normal, end_tangent(builder, end));
      if (rise <= CLP_TOLERANCE_SMOOTH)
        continue;
      const clp_face *face = &builder->faces[corner->face].face;
      clp_subject subject = {CLP_FINDING_NOT_CONVEX, face->item, -1, false, &vertex->place, rise};
      clp_defect(builder, subject,
                 "the corner at %s is not convex: an edge leaves it %s rad above the plane of "
                 "'%.40s'",
                 clp_place(vertex->place).text, clp_number(asin(fmin(1, rise)), 3).text,
                 face->name);
      return;
    }
  }
}

/* ---- From afar ---------------------------------------------------------------------------- */

/* At most so many tangent planes against so many faces and so many vertices. */
#define FAR_PLANES 256
#define FAR_PLACES 4096

typedef struct tangent_plane {
  const clp_face *face;
  clp_vec3 place, normal;
} tangent_plane;

static tangent_plane middle_plane(const clp_face *face)
{
  clp_site middle = clp_domain_middle(&face->surface, &face->domain);
  return (tangent_plane){face, clp_surface_point(&face->surface, middle),
                         clp_surface_normal(&face->surface, &face->domain, middle)};
}

static bool lies_behind(clp_builder *builder, const tangent_plane *plane, clp_vec3 place)
{
  double above = clp_dot(plane->normal, clp_sub(place, plane->place));
  if (above <= CLP_TOLERANCE_MATCH * builder->size)
    return true;
  clp_subject subject = {CLP_FINDING_OVERLAP, plane->face->item, -1, false, &place, above};
  clp_defect(builder, subject,
             "%s is %s m above the tangent plane in the middle of '%.40s': the surface winds round "
             "more than once",
             clp_place(place).text, clp_number(above, 3).text, plane->face->name);
  return false;
}

static bool all_behind(clp_builder *builder, const tangent_plane *plane)
{
  size_t face_step = builder->face_count / FAR_PLACES + 1;
  size_t vertex_step = builder->vertex_count / FAR_PLACES + 1;
  for (size_t k = 0; k < builder->face_count; k += face_step)
    if (!lies_behind(builder, plane, middle_plane(&builder->faces[k].face).place))
      return false;
  for (size_t k = 0; k < builder->vertex_count; k += vertex_step)
    if (!lies_behind(builder, plane, builder->vertices[k].place))
      return false;
  return true;
}

static void check_from_afar(clp_builder *builder)
{
  size_t step = builder->face_count / FAR_PLANES + 1;
  for (size_t k = 0; k < builder->face_count; k += step) {
    tangent_plane plane = middle_plane(&builder->faces[k].face);
    if (!all_behind(builder, &plane))
      return;
  }
}

void clp_check_convexity(clp_builder *builder)
{
  check_faces(builder);
  for (size_t k = 0; k < builder->edge_count; ++k)
    check_edge(builder, &builder->edges[k].edge);
  for (size_t k = 0; k < builder->vertex_count; ++k)
    check_vertex(builder, &builder->vertices[k]);
  if (builder->def->convex && builder->defects == 0)
    check_from_afar(builder);
}
