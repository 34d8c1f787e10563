/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"

/* Do all faces look to the same side, and is it the outer one?
 *
 * Two faces agree when they run along their common edge in opposite directions. Spreading out from
 * one face over the edges gives every face of a connected shell a sign: +1 like the first, -1
 * against it. The volume that the shell then encloses tells which sign is outwards. */

typedef struct shell_walk {
  clp_builder *builder;
  signed char *sign; /* by face; 0: not reached */
  uint32_t *faces;   /* of the shell, in the order reached */
  size_t count;
} shell_walk;

/* +1 when the use runs counter-clockwise round its face along the edge's parameter. */
static double use_direction(const clp_builder *builder, const clp_use *use)
{
  const clp_face *face = &builder->faces[use->face].face;
  return use->sense * clp_side_direction(&face->surface, &face->domain, use->side);
}

static bool uses_agree(const clp_builder *builder, const clp_edge *edge)
{
  const clp_use *uses = builder->uses;
  return use_direction(builder, &uses[edge->use[0]]) != use_direction(builder, &uses[edge->use[1]]);
}

static bool is_shared(const clp_edge *edge)
{
  return edge->use[0] != CLP_NONE && edge->use[1] != CLP_NONE;
}

/* Takes the neighbour over one use's edge into the shell. */
static void visit_use(shell_walk *walk, uint32_t number)
{
  clp_builder *builder = walk->builder;
  const clp_edge *edge = &builder->edges[builder->uses[number].edge].edge;
  if (!is_shared(edge))
    return;
  uint32_t here = builder->uses[number].face;
  uint32_t there = builder->uses[edge->use[edge->use[0] == number ? 1 : 0]].face;
  signed char sign =
      (signed char)(uses_agree(builder, edge) ? walk->sign[here] : -walk->sign[here]);
  if (walk->sign[there] == 0) {
    walk->sign[there] = sign;
    walk->faces[walk->count++] = there;
    return;
  }
  if (walk->sign[there] == sign || edge->use[0] != number)
    return; /* a conflict is seen from both sides; one report is enough */
  const clp_face *face = &builder->faces[there].face;
  clp_vec3 place = clp_curve_point(&edge->curve, clp_edge_fraction(edge, 0.5));
  clp_subject subject = {CLP_FINDING_ORIENTATION, face->item, -1, false, &place, 0};
  clp_defect(builder, subject,
             "no orientation fits: going round the surface, '%.40s' and '%.40s' disagree at %s",
             builder->faces[here].face.name, face->name, clp_place(place).text);
}

static void walk_shell(shell_walk *walk, uint32_t first)
{
  clp_builder *builder = walk->builder;
  walk->count = 0;
  walk->sign[first] = 1;
  walk->faces[walk->count++] = first;
  for (size_t k = 0; k < walk->count; ++k) {
    const clp_face *face = &builder->faces[walk->faces[k]].face;
    for (uint32_t use = 0; use < face->use_count; ++use)
      visit_use(walk, face->first_use + use);
  }
}

/* What the shell encloses, where its first face points outwards. */
static double enclosed(const shell_walk *walk, double tolerance)
{
  const clp_builder *builder = walk->builder;
  clp_vec3 origin = clp_lerp(builder->box.min, builder->box.max, 0.5);
  double volume = 0;
  for (size_t k = 0; k < walk->count; ++k) {
    const clp_face *face = &builder->faces[walk->faces[k]].face;
    volume += walk->sign[walk->faces[k]] *
              clp_face_quadrature(&face->surface, &face->domain, origin, tolerance).volume;
  }
  return volume;
}

/* A shell that seems to enclose that part of its box does so whichever way it was measured. */
#define CLEARLY 0.1

/* The sign that points outwards: by volume on a closed shell, else the majority's. */
static signed char outward_sign(const shell_walk *walk)
{
  const clp_builder *builder = walk->builder;
  long balance = 0;
  for (size_t k = 0; k < walk->count; ++k)
    balance += walk->sign[walk->faces[k]];
  if (!builder->all_closed)
    return balance >= 0 ? 1 : -1;
  clp_vec3 box = clp_sub(builder->box.max, builder->box.min);
  double volume = enclosed(walk, CLP_QUADRATURE_ROUGH);
  if (!(fabs(volume) > CLEARLY * box.x * box.y * box.z))
    volume = enclosed(walk, 1e-4);
  return volume >= 0 ? 1 : -1;
}

static const char *remedy(const clp_body_def *def)
{
  switch (def->shape) {
    case CLP_SHAPE_PATCHES:
      return "exchange its u and v or set flip";
    case CLP_SHAPE_POLYHEDRON:
      return "list its corners counter-clockwise as seen from outside";
    default:
      return "list the profile with the solid to the left of the direction of travel";
  }
}

static void report_inverted(clp_builder *builder, const clp_face *face)
{
  clp_site middle = clp_domain_middle(&face->surface, &face->domain);
  clp_vec3 place = clp_surface_point(&face->surface, middle);
  clp_subject subject = {CLP_FINDING_ORIENTATION, face->item, -1, false, &place, 0};
  clp_defect(builder, subject,
             "'%.40s' is oriented against its neighbors: its normal at %s points inwards; %s",
             face->name, clp_place(place).text, remedy(builder->def));
}

static void check_shell(shell_walk *walk)
{
  clp_builder *builder = walk->builder;
  signed char outward = outward_sign(walk);
  size_t inverted = 0;
  for (size_t k = 0; k < walk->count; ++k)
    inverted += walk->sign[walk->faces[k]] != outward;
  if (inverted == walk->count && builder->all_closed) {
    clp_subject subject = {.kind = CLP_FINDING_ORIENTATION, .item = -1, .number = -1};
    clp_defect(builder, subject, "all outward normals point inwards; %s", remedy(builder->def));
    return;
  }
  for (size_t k = 0; k < walk->count; ++k)
    if (walk->sign[walk->faces[k]] != outward)
      report_inverted(builder, &builder->faces[walk->faces[k]].face);
}

/* A convex solid has one shell; so has an open surface that is one part. */
static void report_shells(clp_builder *builder, size_t shells)
{
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, -1, -1, false, NULL, (double)shells};
  clp_defect(builder, subject,
             "the part falls into %d shells that share no edge, expected one; give each its own "
             "part",
             (int)shells);
}

void clp_check_orientation(clp_builder *builder)
{
  shell_walk walk = {
      .builder = builder,
      .sign = clp_arena_take(&builder->arena, builder->face_count + 1, sizeof *walk.sign),
      .faces = clp_arena_take(&builder->arena, builder->face_count + 1, sizeof *walk.faces)};
  if (!walk.sign || !walk.faces)
    return;
  size_t shells = 0;
  for (uint32_t k = 0; k < builder->face_count; ++k)
    if (walk.sign[k] == 0) {
      walk_shell(&walk, k);
      check_shell(&walk);
      ++shells;
    }
  if (shells > 1 && builder->def->convex && builder->defects == 0)
    report_shells(builder, shells);
}
