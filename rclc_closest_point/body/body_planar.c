/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/place_index.h"
#include "rclc_closest_point/math/vec3.h"

/* A planar body: curves that follow each other counter-clockwise round a filled region. */

static const double pi = 3.14159265358979323846;

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

/* ---- Convexity ---------------------------------------------------------------------------- */

#define BEND_SAMPLES 128

/* Signed curvature (1/m), positive to the left: towards the inside. */
static double curvature(const clp_edge *edge, double fraction)
{
  clp_curve_jet jet = jet_at(edge, fraction);
  double speed = clp_norm(jet.t);
  return speed > 0 ? clp_cross(jet.t, jet.tt).z / (speed * speed * speed) : 0;
}

/* The place where the curve bends most to the right: samples, then halving. */
static double least_curvature(const clp_edge *edge, double *at)
{
  *at = 0.5;
  double least = curvature(edge, 0.5);
  for (int k = 0; k <= BEND_SAMPLES; ++k) {
    double c = curvature(edge, (double)k / BEND_SAMPLES);
    if (c < least) {
      least = c;
      *at = (double)k / BEND_SAMPLES;
    }
  }
  for (double step = 0.5 / BEND_SAMPLES; step > 1e-9; step *= 0.5)
    for (int side = -1; side <= 1; side += 2) {
      double f = fmin(1, fmax(0, *at + side * step));
      double c = curvature(edge, f);
      if (c < least) {
        least = c;
        *at = f;
      }
    }
  return least;
}

static void check_bend(clp_builder *builder, clp_build_edge *edge)
{
  double at;
  double least = least_curvature(&edge->edge, &at);
  builder->outward_turn += fmax(0, -least) * builder->size;
  edge->edge.reflex = least < -CLP_TOLERANCE_CURVATURE / builder->size;
  if (!edge->edge.reflex || !builder->def->convex)
    return;
  clp_vec3 place = jet_at(&edge->edge, at).p;
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, edge->item, -1, false, &place, -least};
  clp_defect(builder, subject,
             "curve '%.40s' is not convex: at %s it bends outwards with curvature %s 1/m, "
             "expected at most %s (found by sampling)",
             edge->edge.name, clp_place(place).text, clp_number(-least, 3).text,
             clp_number(CLP_TOLERANCE_CURVATURE / builder->size, 2).text);
}

/* The turn at a corner, from the curve that ends there to the one that starts. */
static double corner_turn(const clp_builder *builder, const clp_vertex *vertex)
{
  const clp_edge_end *ends = &builder->ends[vertex->first_end];
  int first = ends[0].end ? 0 : 1;
  clp_vec3 in = jet_at(&builder->edges[ends[first].edge].edge, 1).t;
  clp_vec3 out = jet_at(&builder->edges[ends[1 - first].edge].edge, 0).t;
  return atan2(clp_cross(in, out).z, clp_dot(in, out));
}

static double check_corner(clp_builder *builder, clp_vertex *vertex)
{
  vertex->sharp = vertex->end_count != 2;
  if (vertex->end_count != 2)
    return 0;
  double turn = corner_turn(builder, vertex);
  builder->outward_turn += fmax(0, -turn);
  vertex->sharp = fabs(turn) > CLP_TOLERANCE_SMOOTH;
  if (turn >= -CLP_TOLERANCE_SMOOTH || !builder->def->convex)
    return turn;
  const clp_build_edge *edge = &builder->edges[builder->ends[vertex->first_end].edge];
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, edge->item, -1, false, &vertex->place, -turn};
  clp_defect(builder, subject, "the corner at %s is not convex: it turns outwards by %s rad",
             clp_place(vertex->place).text, clp_number(-turn, 3).text);
  return turn;
}

/* How far a curve's tangent turns; its pieces turn by less than half a turn each, so sixteen
 * steps cannot be mistaken. */
static double curve_turn(const clp_edge *edge)
{
  double turned = 0;
  clp_vec3 before = jet_at(edge, 0).t;
  for (int k = 1; k <= 16; ++k) {
    clp_vec3 tangent = jet_at(edge, k / 16.0).t;
    turned += atan2(clp_cross(before, tangent).z, clp_dot(before, tangent));
    before = tangent;
  }
  return turned;
}

static void check_turning(clp_builder *builder)
{
  double turned = 0;
  for (size_t k = 0; k < builder->edge_count; ++k) {
    turned += curve_turn(&builder->edges[k].edge);
    check_bend(builder, &builder->edges[k]);
  }
  for (size_t k = 0; k < builder->vertex_count; ++k)
    turned += check_corner(builder, &builder->vertices[k]);
  if (!builder->all_closed || builder->defects > 0)
    return;
  clp_subject subject = {.kind = CLP_FINDING_ORIENTATION, .item = -1, .number = -1};
  if (turned < 0)
    clp_defect(builder, subject,
               "the curves run clockwise round the region, expected "
               "counter-clockwise");
  else if (builder->def->convex && turned > 3 * pi) {
    subject.kind = CLP_FINDING_OVERLAP;
    clp_defect(builder, subject, "the curves wind round the region more than once");
  }
}

/* A convex region is bounded by one loop. */
static void check_loops(clp_builder *builder)
{
  size_t reached = 0;
  uint32_t edge = 0;
  do {
    const clp_vertex *vertex = &builder->vertices[builder->edges[edge].edge.vertex[1]];
    const clp_edge_end *ends = &builder->ends[vertex->first_end];
    edge = ends[0].end == 0 ? ends[0].edge : ends[1].edge;
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
  if (builder->defects > 0)
    return;
  if (builder->all_closed && builder->def->convex)
    check_loops(builder);
  check_turning(builder);
}
