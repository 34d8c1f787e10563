/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"

/* How far may points of a body that was accepted as convex lie beyond a supporting plane?
 *
 * Let N be a normal at f, x a point of the body, and cut both by a plane through f and x along N.
 * The cut runs along the body's surface from f to x and is convex but for what was tolerated: faces
 * bend outwards by their curvature, over at most the size; edges turn outwards by an angle; from
 * one face to the next there is a gap. Height over the plane at f is gained by gaps at once, and by
 * angles along the rest of the way, which is at most half a turn round the body: together at most
 *     2 (sum of gaps) + 2 size (sum of angles).
 * Gaps are sampled, which is what the factor two of the first term is for. */

#define SAMPLES_PER_SPAN 8
#define SAMPLES_MAX 64

/* A slack that a pair cannot be tracked with at the usual tolerance (of the size). */
#define NOTABLE 1e-9

static int samples_of(const clp_edge *edge)
{
  int spans = edge->curve.kind == CLP_CURVE_NURBS ? edge->curve.as.nurbs.spans : 1;
  return spans < SAMPLES_MAX / SAMPLES_PER_SPAN ? spans * SAMPLES_PER_SPAN : SAMPLES_MAX;
}

/* The largest distance between an edge as its two faces see it. */
static double gap_along(const clp_builder *builder, const clp_edge *edge)
{
  const clp_use *use = &builder->uses[edge->use[1]];
  const clp_face *face = &builder->faces[use->face].face;
  int samples = samples_of(edge);
  double gap = 0;
  for (int k = 0; k <= samples; ++k) {
    double fraction = (double)k / samples;
    clp_vec3 own = clp_curve_point(&edge->curve, clp_edge_fraction(edge, fraction));
    clp_vec3 other = clp_surface_point(&face->surface, clp_edge_site(builder, edge, 1, fraction));
    gap = fmax(gap, clp_distance(own, other));
  }
  return gap;
}

/* How far a side that counts as one point goes from the first of its places. */
static double gap_of_collapsed(const clp_edge *edge)
{
  int samples = samples_of(edge);
  clp_vec3 start = clp_curve_point(&edge->curve, clp_edge_fraction(edge, 0));
  double gap = 0;
  for (int k = 1; k <= samples; ++k)
    gap = fmax(gap,
               clp_distance(start, clp_curve_point(&edge->curve,
                                                   clp_edge_fraction(edge, (double)k / samples))));
  return gap;
}

/* From a vertex to the ends of the edges that meet in it. */
static double gap_at(const clp_builder *builder, const clp_vertex *vertex)
{
  double gap = 0;
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    const clp_edge_end *end = &builder->ends[vertex->first_end + k];
    const clp_edge *edge = &builder->edges[end->edge].edge;
    clp_vec3 place = clp_curve_point(&edge->curve, clp_edge_fraction(edge, end->end));
    gap = fmax(gap, clp_distance(place, vertex->place));
  }
  return gap;
}

static double sum_of_gaps(const clp_builder *builder)
{
  double sum = 0;
  for (size_t k = 0; k < builder->edge_count; ++k) {
    const clp_edge *edge = &builder->edges[k].edge;
    if (edge->kind == CLP_EDGE_COLLAPSED)
      sum += gap_of_collapsed(edge);
    else if (edge->use[0] != CLP_NONE && edge->use[1] != CLP_NONE)
      sum += gap_along(builder, edge);
  }
  for (size_t k = 0; k < builder->vertex_count; ++k)
    sum += gap_at(builder, &builder->vertices[k]);
  return sum;
}

void clp_measure_slack(clp_builder *builder)
{
  bool solid = builder->def->convex && builder->all_closed;
  if (!solid || builder->def->shape == CLP_SHAPE_POINT)
    return;
  builder->slack = 2 * sum_of_gaps(builder) + 2 * builder->size * builder->outward_turn;
  if (builder->slack <= NOTABLE * builder->size)
    return;
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, -1, -1, false, NULL, builder->slack};
  clp_note(
      builder, subject,
      "seams and dents within the tolerance: every lower bound is %s m lower for them, which is "
      "too much for TRACKING at a tolerance of %s",
      clp_number(builder->slack, 2).text, clp_number(NOTABLE, 1).text);
}
