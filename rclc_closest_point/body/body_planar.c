/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/place_index.h"
#include "rclc_closest_point/body/planar_loop.h"
#include "rclc_closest_point/body/planar_proof.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"

#include <float.h>
#include <math.h>

/* A planar body: curves that follow each other counter-clockwise round a filled region. Here their
 * ends are matched; planar_proof.c proves the rest. */

static clp_curve_jet jet_at(const clp_edge *edge, double fraction)
{
  return clp_curve_jet_at(&edge->curve, clp_edge_fraction(edge, fraction));
}

/* ---- Ends --------------------------------------------------------------------------------- */

static bool number_ends(clp_builder *builder, clp_place_index *places)
{
  double tolerance = CLP_TOLERANCE_MATCH * builder->size;
  if (!clp_place_index_init(places, &builder->arena, tolerance, builder->box.min,
                            2 * builder->edge_count))
    return false;
  for (size_t k = 0; k < builder->edge_count; ++k) {
    clp_edge *edge = &builder->edges[k].edge;
    for (int end = 0; end < 2; ++end)
      edge->vertex[end] = clp_place_number(places, jet_at(edge, end).p);
  }
  clp_gather_vertices(builder, places->places, places->count);
  return !builder->arena.failed;
}

static void report_loose_end(clp_builder *builder, const clp_vertex *vertex)
{
  const clp_build_edge *edge = &builder->edges[builder->ends[vertex->first_end].edge];
  clp_subject subject = {CLP_FINDING_OPEN, edge->item, -1, false, &vertex->place, 0};
  clp_defect(builder, subject, "curve '%.40s' %s at %s, where no other curve %s", edge->edge.name,
             builder->ends[vertex->first_end].end ? "ends" : "starts",
             clp_place(vertex->place).text,
             builder->ends[vertex->first_end].end ? "starts" : "ends");
}

static void report_crowd(clp_builder *builder, const clp_vertex *vertex)
{
  const clp_build_edge *edge = &builder->edges[builder->ends[vertex->first_end].edge];
  clp_subject subject = {CLP_FINDING_OVERLAP, edge->item, -1, false, &vertex->place, 0};
  clp_defect(builder, subject, "%d curves meet at %s, expected two", (int)vertex->end_count,
             clp_place(vertex->place).text);
}

static void report_clash(clp_builder *builder, const clp_vertex *vertex)
{
  const clp_edge_end *ends = &builder->ends[vertex->first_end];
  const clp_build_edge *a = &builder->edges[ends[0].edge], *b = &builder->edges[ends[1].edge];
  clp_subject subject = {CLP_FINDING_ORIENTATION, b->item, -1, false, &vertex->place, 0};
  clp_defect(builder, subject,
             "curves '%.40s' and '%.40s' both %s at %s, expected one to end where the other "
             "starts",
             a->edge.name, b->edge.name, ends[0].end ? "end" : "start",
             clp_place(vertex->place).text);
}

static void check_ends(clp_builder *builder)
{
  builder->all_closed = true;
  for (size_t k = 0; k < builder->vertex_count; ++k) {
    const clp_vertex *vertex = &builder->vertices[k];
    const clp_edge_end *ends = &builder->ends[vertex->first_end];
    if (vertex->end_count > 2) {
      report_crowd(builder, vertex);
    } else if (vertex->end_count == 1) {
      builder->all_closed = false;
      if (builder->def->closed)
        report_loose_end(builder, vertex);
    } else if (ends[0].end == ends[1].end) {
      report_clash(builder, vertex);
    }
  }
}

/* ---- Tangents ----------------------------------------------------------------------------- */

/* Of a curve's extent: what is left of a tangent that control points at one place do not give. */
#define STILL 1e-12

static void report_still(clp_builder *builder, const clp_build_edge *edge, int end, clp_vec3 place)
{
  clp_subject subject = {CLP_FINDING_DEGENERATE, edge->item, -1, false, &place, 0};
  clp_defect(builder, subject,
             "curve '%.40s' has no tangent where it %s, at %s, expected control points there that "
             "do not coincide",
             edge->edge.name, end ? "ends" : "starts", clp_place(place).text);
}

/* Tangents tell a region's inside from its outside. */
static void check_tangents(clp_builder *builder)
{
  for (size_t k = 0; k < builder->edge_count; ++k) {
    const clp_build_edge *edge = &builder->edges[k];
    const clp_curve *curve = &edge->edge.curve;
    const clp_box3 box = clp_curve_box(curve);
    const double least =
        STILL * clp_distance(box.min, box.max) / fmax(curve->hi - curve->lo, DBL_MIN);
    for (int end = 0; end < 2; ++end) {
      const clp_curve_jet jet = jet_at(&edge->edge, end);
      if (!(clp_norm(jet.t) > least))
        report_still(builder, edge, end, jet.p);
    }
  }
}

/* ---- Loops -------------------------------------------------------------------------------- */

/* A region without holes, in one piece, is bounded by one loop. */
static void check_loops(clp_builder *builder)
{
  size_t reached = 0;
  uint32_t edge = 0;
  do {
    edge = clp_next_edge(builder, edge);
    ++reached;
  } while (edge != 0 && reached <= builder->edge_count);
  if (reached == builder->edge_count)
    return;
  clp_subject subject = {.kind = CLP_FINDING_OVERLAP, .item = -1, .number = -1};
  clp_defect(builder, subject, "the curves form more than one loop, expected one");
}

void clp_check_planar(clp_builder *builder)
{
  clp_place_index places;
  if (!number_ends(builder, &places))
    return;
  check_ends(builder);
  check_tangents(builder);
  if (builder->defects > 0)
    return;
  if (builder->all_closed)
    check_loops(builder);
  if (builder->all_closed && builder->defects == 0 && !builder->def->convex)
    clp_expect_simple_loop(builder);
  if (builder->defects > 0)
    return;
  clp_prove_planar(builder);
  /* What is convex is simple; where samples decide that it is, they may be wrong. */
  if (builder->all_closed && builder->defects == 0 && builder->def->convex &&
      builder->undecided > 0)
    clp_expect_simple_loop(builder);
}
