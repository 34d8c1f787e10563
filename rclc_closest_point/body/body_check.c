/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/seam.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* Is the body convex? A closed connected surface that is convex inside every face and across every
 * edge, whose tangent planes all leave one inner place behind them, and which that place sees once
 * in every direction, bounds a convex body: its gauge function is convex (body_slack.c). Each of
 * these is proven by bounds. Samples find defects, their places and amounts; they prove nothing. */

/* The gradient of the gauge function may not be proven to jump back by more than that at an edge or
 * a break: ten times an angle that counts as none. */
#define LARGEST_JUMP (10 * CLP_TOLERANCE_SMOOTH)

/* ---- Faces -------------------------------------------------------------------------------- */

/* What the file calls a face's parameter. */
static clp_number_text parameter(const clp_build_face *build, int axis, double c)
{
  const clp_domain *domain = &build->face.domain;
  double first = build->first[axis];
  return domain->kind == CLP_DOMAIN_RECTANGLE
             ? clp_number_between(first + c, first + domain->lo[axis], first + domain->hi[axis], 4)
             : clp_number(first + c, 4);
}

static void report_bend(clp_builder *builder, const clp_build_face *build,
                        const clp_curvature_verdict *verdict)
{
  const clp_face *face = &build->face;
  clp_vec3 place = clp_surface_point(&face->surface, verdict->where);
  double u, v;
  clp_surface_parameters(&face->surface, verdict->where, &u, &v);
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, face->item, -1, false, &place, verdict->worst};
  clp_defect(builder, subject,
             "'%.40s' is not convex: at u = %s, v = %s, %s, it bends outwards with curvature %s "
             "1/m, expected at most %s",
             face->name, parameter(build, 0, u).text, parameter(build, 1, v).text,
             clp_place(place).text, clp_number(verdict->worst, 3).text,
             clp_number(CLP_TOLERANCE_CURVATURE / builder->size, 2).text);
}

static void report_undecided(clp_builder *builder, const clp_face *face,
                             const clp_curvature_verdict *verdict, const clp_face_proof *proof)
{
  clp_vec3 place = clp_surface_point(&face->surface, proof->where);
  clp_subject subject = {CLP_FINDING_UNDECIDED, face->item, -1, false, &place, verdict->worst};
  clp_undecided(builder, subject,
                "bounds do not decide whether '%.40s' is convex about %s; the largest curvature "
                "outwards that samples find is %s 1/m",
                face->name, clp_place(place).text, clp_number(verdict->worst, 3).text);
}

/* The center is among points of the body: a tangent plane that it is not behind has the body on
 * both sides. */
static void check_height(clp_builder *builder, const clp_face *face, double height)
{
  if (height > 0 || !builder->all_closed) {
    builder->height = fmin(builder->height, height);
    return;
  }
  clp_site middle = clp_domain_middle(&face->surface, &face->domain);
  clp_vec3 place = clp_surface_point(&face->surface, middle);
  clp_vec3 normal = clp_surface_normal(&face->surface, &face->domain, middle);
  double above = clp_dot(normal, clp_sub(builder->gauge.center, place));
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, face->item, -1, false, &place, above};
  if (above > 0)
    clp_defect(
        builder, subject,
        "'%.40s' is not convex, or faces inwards: the body's middle is %s m above its tangent "
        "plane at %s",
        face->name, clp_number(above, 3).text, clp_place(place).text);
  else
    clp_undecided(builder, subject,
                  "bounds do not decide whether all tangent planes of '%.40s' have the body's "
                  "middle behind them",
                  face->name);
}

/* Just beyond the break the tangent plane is another: samples tell how far the face rises there. */
static void report_crease(clp_builder *builder, const clp_face *face, const clp_crease *crease)
{
  clp_vec3 place = clp_surface_point(&face->surface, crease->where);
  clp_subject subject = {CLP_FINDING_UNDECIDED, face->item, -1, false, &place, crease->jump};
  clp_undecided(builder, subject,
                "'%.40s' has a crease at %s, and bounds do not decide whether it is convex there",
                face->name, clp_place(place).text);
}

static void check_breaks(clp_builder *builder, const clp_face *face)
{
  if (!builder->all_closed)
    return;
  clp_crease crease = clp_prove_breaks(&builder->gauge, face, &builder->budget);
  if (crease.jump <= LARGEST_JUMP)
    builder->jumps += crease.jumps;
  else
    report_crease(builder, face, &crease);
}

static void take_proof(clp_builder *builder, const clp_face *face, const clp_face_proof *proof)
{
  builder->reach = fmax(builder->reach, proof->reach);
  builder->bend = fmax(builder->bend, proof->bend);
  builder->turn += proof->turn;
  builder->holes += proof->hole;
  builder->kinks += proof->kink;
  builder->solid_angle += proof->solid_angle;
  check_height(builder, face, proof->height);
  if (proof->height > 0)
    check_breaks(builder, face);
}

static void check_faces(clp_builder *builder)
{
  builder->budget.operations = CLP_PROOF_OPERATIONS;
  builder->height = HUGE_VAL;
  for (size_t k = 0; k < builder->face_count; ++k) {
    clp_face *face = &builder->faces[k].face;
    clp_face_proof proof = {0};
    clp_curvature_verdict verdict =
        builder->def->convex ? clp_face_convexity(&face->surface, &face->domain, builder->size,
                                                  &builder->gauge, &builder->budget, &proof)
                             : clp_face_curvature(&face->surface, &face->domain, builder->size);
    face->bend = verdict.bend;
    builder->arena.failed |= proof.failed;
    bool dented = verdict.bend == CLP_BEND_CONCAVE || verdict.bend == CLP_BEND_MIXED;
    if (!builder->def->convex || proof.failed)
      continue;
    if (dented)
      report_bend(builder, &builder->faces[k], &verdict);
    else if (!verdict.by_bounds)
      report_undecided(builder, face, &verdict, &proof);
    else
      take_proof(builder, face, &proof);
  }
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* Faces that leave an edge the same way are on top of each other when the sine of the angle between
 * them is no more than this. A wedge may be thin, and so may a groove. */
#define FOLDED 1e-9

/* How two faces meet at one place of an edge. */
typedef struct meeting {
  clp_vec3 place;
  double angle; /* between the outward normals, 0...pi */
  double turn;  /* outwards, from going on straight to where the other face goes, -pi...pi: < 0
                   where convex, more than pi / 2 in a groove that is sharper than a right angle */
  bool folded;  /* both faces leave the edge in the same direction */
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
  double rise = fmax(clp_dot(a.conormal, b.normal), clp_dot(b.conormal, a.normal));
  double same = clp_dot(a.conormal, b.conormal);
  return (meeting){.place = jet.p,
                   .angle = atan2(sine, clp_dot(a.normal, b.normal)),
                   .turn = atan2(rise, -same),
                   .folded = same > 0 && fabs(rise) <= FOLDED};
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

static double measure_turn(const meeting *m)
{
  return m->turn;
}

static double measure_angle(const meeting *m)
{
  return m->angle;
}

/* Of the samples' distance: the largest is off by the square of its place's error. */
#define LAST_STEP 1e-4

/* The largest measure along the edge: samples, then halving round the best one. */
static meeting worst_meeting(const clp_builder *builder, const clp_edge *edge, int samples,
                             meeting_measure measure)
{
  double at = 0.5;
  meeting worst = meet(builder, edge, at);
  for (int k = 0; samples > 1 && k < samples; ++k) {
    double fraction = (k + 0.5) / samples;
    meeting m = meet(builder, edge, fraction);
    if (measure(&m) > measure(&worst)) {
      worst = m;
      at = fraction;
    }
  }
  for (double step = 0.25 / samples; samples > 1 && step > LAST_STEP / samples; step *= 0.5)
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
  clp_subject subject = {kind, a->item, -1, false, &m->place, m->turn};
  if (m->folded)
    clp_defect(builder, subject, "faces '%.40s' and '%.40s' lie on top of each other at %s",
               a->name, b->name, clp_place(m->place).text);
  else
    clp_defect(builder, subject,
               "the edge between '%.40s' and '%.40s' is not convex: at %s it turns outwards by %s "
               "rad, expected at most %s",
               a->name, b->name, clp_place(m->place).text, clp_number(m->turn, 3).text,
               clp_number(CLP_TOLERANCE_SMOOTH, 1).text);
}

/* What samples along the edge say of its kind; whether they found it reflex. */
static bool sort_edge(clp_builder *builder, clp_edge *edge)
{
  bool same_face = builder->uses[edge->use[0]].face == builder->uses[edge->use[1]].face;
  int samples = edge_samples(builder, edge);
  meeting sharpest = worst_meeting(builder, edge, samples, measure_turn);
  meeting widest = samples > 1 ? worst_meeting(builder, edge, samples, measure_angle) : sharpest;
  bool smooth = widest.angle <= CLP_TOLERANCE_SMOOTH;
  builder->sharpness = fmin(builder->sharpness, CLP_PI - widest.angle);
  edge->kind = !smooth ? CLP_EDGE_SHARP : same_face ? CLP_EDGE_SEAM : CLP_EDGE_SMOOTH;
  edge->reflex = !smooth && sharpest.turn > CLP_TOLERANCE_SMOOTH;
  if (sharpest.folded || (edge->reflex && builder->def->convex))
    report_reflex(builder, edge, &sharpest);
  return sharpest.folded || edge->reflex;
}

static void report_unproven(clp_builder *builder, const clp_edge *edge, const clp_seam *seam)
{
  meeting there = meet(builder, edge, seam->fraction);
  if (there.turn > CLP_TOLERANCE_SMOOTH) {
    report_reflex(builder, edge, &there);
    return;
  }
  const clp_face *a = &builder->faces[builder->uses[edge->use[0]].face].face;
  const clp_face *b = &builder->faces[builder->uses[edge->use[1]].face].face;
  clp_subject subject = {CLP_FINDING_UNDECIDED, a->item, -1, false, &there.place, there.turn};
  clp_undecided(builder, subject,
                "bounds do not decide whether the edge between '%.40s' and '%.40s' is convex about "
                "%s",
                a->name, b->name, clp_place(there.place).text);
}

enum { WAYS = 8 };

/* How far apart the ways out of a side that is collapsed, to an apex or a pole, into its face are
 * at most: no farther are walls from each other beside the apex of a pit or a spike. */
static double apex_angle(const clp_builder *builder, const clp_edge *edge)
{
  const clp_use *use = &builder->uses[edge->use[0]];
  const clp_face *face = &builder->faces[use->face].face;
  clp_vec3 ways[WAYS + 1];
  double widest = 0;
  for (int k = 0; k <= WAYS; ++k) {
    clp_curve_site at = clp_edge_fraction(edge, (double)k / WAYS);
    ways[k] = clp_side_conormal(&face->surface, &face->domain, use->side, at);
    for (int i = 0; i < k; ++i)
      widest =
          fmax(widest, atan2(clp_norm(clp_cross(ways[i], ways[k])), clp_dot(ways[i], ways[k])));
  }
  return widest;
}

static void check_edge(clp_builder *builder, clp_edge *edge)
{
  if (edge->kind == CLP_EDGE_COLLAPSED) {
    builder->sharpness = fmin(builder->sharpness, apex_angle(builder, edge));
    return;
  }
  if (edge->use[0] == CLP_NONE || edge->use[1] == CLP_NONE) {
    edge->kind = CLP_EDGE_BOUNDARY;
    return;
  }
  bool solid = builder->def->convex && builder->all_closed;
  if (sort_edge(builder, edge) || !solid || builder->undecided > 0)
    return;
  clp_seam seam = clp_prove_seam(builder, &builder->gauge, edge);
  if (seam.jump <= LARGEST_JUMP) {
    builder->jumps += seam.jumps;
    builder->holes += seam.gaps;
  } else {
    report_unproven(builder, edge, &seam);
  }
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

/* Looks at a vertex, which samples a defect and proves nothing, are worth so many. */
#define VERTEX_LOOKS 1e6

/* No edge may leave the vertex above a face's tangent plane. The tangents are those of all ends. */
static void check_vertex(clp_builder *builder, clp_vertex *vertex, const clp_vec3 *tangents)
{
  vertex->sharp = is_sharp(builder, vertex);
  if ((double)vertex->corner_count * vertex->end_count > VERTEX_LOOKS)
    return;
  for (uint32_t c = 0; builder->def->convex && c < vertex->corner_count; ++c) {
    const clp_corner *corner = &builder->corners[vertex->first_corner + c];
    if (corner->side >= 0)
      continue; /* a collapsed side has many normals; its neighbours' corners are checked */
    clp_vec3 normal = corner_normal(builder, corner);
    for (uint32_t e = 0; e < vertex->end_count; ++e) {
      double rise = clp_dot(normal, tangents[vertex->first_end + e]);
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

/* No edge is farther from the first one than this: at least half of what they open. */
static double vertex_angle(const clp_vertex *vertex, const clp_vec3 *tangents)
{
  const clp_vec3 *first = &tangents[vertex->first_end];
  double widest = vertex->end_count < 3 ? CLP_PI : 0;
  for (uint32_t k = 1; k < vertex->end_count; ++k)
    widest =
        fmax(widest, atan2(clp_norm(clp_cross(first[0], first[k])), clp_dot(first[0], first[k])));
  return widest;
}

static void check_vertices(clp_builder *builder)
{
  clp_vec3 *tangents = clp_arena_take(&builder->arena, builder->end_count + 1, sizeof *tangents);
  for (size_t k = 0; tangents && k < builder->end_count; ++k)
    tangents[k] = end_tangent(builder, &builder->ends[k]);
  for (size_t k = 0; tangents && k < builder->vertex_count; ++k) {
    clp_vertex *vertex = &builder->vertices[k];
    check_vertex(builder, vertex, tangents);
    if (!builder->def->convex)
      builder->sharpness = fmin(builder->sharpness, vertex_angle(vertex, tangents));
  }
}

/* ---- All around --------------------------------------------------------------------------- */

/* A proven solid angle is less than twice the true one (face_proof.c), which is a multiple of 4 pi;
 * a surface of revolution has a profile on one side of its axis, and cannot wind round. */
static void check_winding(clp_builder *builder)
{
  const double pi = 3.14159265358979323846;
  clp_shape shape = builder->def->shape;
  bool told = shape == CLP_SHAPE_PATCHES || shape == CLP_SHAPE_POLYHEDRON;
  if (!told || builder->solid_angle < 7.9 * pi)
    return;
  clp_subject subject = {CLP_FINDING_OVERLAP, -1, -1, false, NULL, builder->solid_angle};
  clp_defect(builder, subject,
             "seen from its middle the surface covers up to %s times all directions: it winds "
             "round more than once",
             clp_number(builder->solid_angle / (4 * pi), 3).text);
}

void clp_check_convexity(clp_builder *builder)
{
  check_faces(builder);
  if (builder->arena.failed)
    return;
  for (size_t k = 0; k < builder->edge_count; ++k)
    check_edge(builder, &builder->edges[k].edge);
  check_vertices(builder);
  if (builder->def->convex && builder->all_closed && builder->defects == 0)
    check_winding(builder);
}
