/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"

/* How far may points of a body that was accepted as convex lie beyond a supporting plane?
 *
 * Everything in the frame of the body's gauge. All tangent planes pass the center at a height of at
 * least h > 0, so that rays from the center cross the surface one way, and it covers their
 * directions once (the solid angle tells 4 pi from 8 pi). So there is a *gauge function* g: 1 on
 * the surface, and growing with the distance from the center. On the ray of a place p of a face
 * with the dual point a (the outward normal over its height) the gradient of g is a.
 *
 * Take a place f with its dual point a and any point x of the surface, with a.(x - f) > 0, and walk
 * straight from f to x. Were g convex along the way, then a.(x - f) <= g(x) - g(f) = 0. What it may
 * gain of slope is lost all along the rest of the way, D = 2 R at most for a body within R:
 *
 *   - at an edge whose gradient may jump back by j: j. A plane through the center crosses a
 *     rational curve of degree n at most n times, so that many times.
 *   - where a face may bend outwards with curvature k: the step splits into one along p and one in
 *     the tangent plane, at most 1 + R / h times as long; on the way, which stays h / R away from
 *     the center since a.q >= 1 for its points, g'' >= -k (1 + R / h)^2 (R / h) / h. Of every piece
 *     of a face k times the length of a walk through it is summed, or the largest k taken times
 *     half the way if that is less.
 *   - at a pole that may be pointed by an angle t without having been seen to be: t R / h^2.
 *
 * And where the surface has a gap or a hole of width w the walk goes on at the other side: x is
 * missed by as much, and a.x by w / h; twice that allows for the walk being turned to meet x.
 *
 * Together e; and for every outward unit normal N of the body at f, also those between the faces at
 * an edge, which are positive combinations of the faces' dual points, N.(x - f) is at most e times
 * the height of its plane over the center, which no point is farther from than H. So the slack is H
 * e. What is proven convex adds nothing to e. Where a profile's end was moved onto the axis, the
 * body that was meant is so much off the one that is looked at: twice that is added; and twice how
 * far off its surface a place may be computed, for both places in N.(x - f). */

/* A slack that a pair cannot be tracked with at the usual tolerance (of the size). */
#define NOTABLE 1e-9

/* From a vertex to the ends of the edges that meet in it, and to the corners of the faces. */
static double gap_at(const clp_builder *builder, const clp_vertex *vertex)
{
  double gap = 0;
  for (uint32_t k = 0; k < vertex->end_count; ++k) {
    const clp_edge_end *end = &builder->ends[vertex->first_end + k];
    const clp_edge *edge = &builder->edges[end->edge].edge;
    clp_vec3 place = clp_curve_point(&edge->curve, clp_edge_fraction(edge, end->end));
    gap = fmax(gap, clp_distance(place, vertex->place));
  }
  for (uint32_t k = 0; k < vertex->corner_count; ++k) {
    const clp_corner *corner = &builder->corners[vertex->first_corner + k];
    const clp_face *face = &builder->faces[corner->face].face;
    clp_vec3 place = clp_surface_point(&face->surface, corner->site);
    gap = fmax(gap, clp_distance(place, vertex->place));
  }
  return gap;
}

/* From the vertex that a collapsed side counts as to the farthest of its points. */
static double extent_of_collapsed(const clp_builder *builder, const clp_edge *edge)
{
  clp_box3 box = clp_curve_box(&edge->curve);
  clp_vec3 place = builder->vertices[edge->vertex[0]].place;
  clp_vec3 far = {fmax(fabs(box.min.x - place.x), fabs(box.max.x - place.x)),
                  fmax(fabs(box.min.y - place.y), fabs(box.max.y - place.y)),
                  fmax(fabs(box.min.z - place.z), fabs(box.max.z - place.z))};
  return clp_norm(far);
}

static double holes_at_vertices(const clp_builder *builder)
{
  double sum = 0;
  for (size_t k = 0; k < builder->vertex_count; ++k)
    sum += 2 * gap_at(builder, &builder->vertices[k]);
  for (size_t k = 0; k < builder->edge_count; ++k)
    if (builder->edges[k].edge.kind == CLP_EDGE_COLLAPSED)
      sum += 2 * extent_of_collapsed(builder, &builder->edges[k].edge);
  return builder->gauge.stretch * sum;
}

/* How far from the center the body reaches, in the part's frame. */
static double farthest(const clp_builder *builder)
{
  double most = 0;
  for (size_t k = 0; k < builder->face_count; ++k) {
    const clp_face *face = &builder->faces[k].face;
    most = fmax(most, clp_distance(face->center, builder->gauge.center) + face->radius);
  }
  return most;
}

/* What edges' places are computed from has digits of its own. */
static double blur_of_edges(const clp_builder *builder)
{
  double blur = 0;
  for (size_t k = 0; k < builder->edge_count; ++k)
    blur = fmax(blur, clp_curve_blur(&builder->edges[k].edge.curve));
  return blur;
}

void clp_measure_slack(clp_builder *builder)
{
  builder->blur = blur_of_edges(builder);
  double rounding = 0;
  for (size_t k = 0; k < builder->face_count; ++k) {
    const clp_surface *surface = &builder->faces[k].face.surface;
    rounding = fmax(rounding, clp_face_rounding(surface));
    builder->blur = fmax(builder->blur, clp_face_blur(surface));
  }
  bool solid = builder->def->convex && builder->all_closed;
  if (!solid || builder->face_count == 0)
    return;
  double h = builder->height, r = builder->reach, way = 2 * r;
  double turn = fmin(builder->turn, builder->bend * r);
  double bent = turn * (1 + r / h) * (1 + r / h) * (r / h) / h * way;
  double turned = (builder->jumps + builder->kinks * r / (h * h)) * way;
  double rounded = DBL_EPSILON * builder->gauge.offset; /* of a spline's Bezier points */
  double missed = 2 * (builder->holes + holes_at_vertices(builder) + rounded) / h;
  builder->slack =
      farthest(builder) * (bent + turned + missed) + 2 * builder->snapped + 2 * rounding;
  if (builder->slack <= NOTABLE * builder->size)
    return;
  if (!(builder->slack < builder->size)) {
    clp_subject whole = {CLP_FINDING_UNDECIDED, -1, -1, false, NULL, builder->slack};
    clp_undecided(builder, whole, "bounds leave open whether the part is convex at all");
    builder->slack = builder->size;
    return;
  }
  clp_subject subject = {CLP_FINDING_NOT_CONVEX, -1, -1, false, NULL, builder->slack};
  clp_note(
      builder, subject,
      "seams and dents within the tolerance: every lower bound is %s m lower for them, which is "
      "too much for TRACKING at a tolerance of %s",
      clp_number(builder->slack, 2).text, clp_number(NOTABLE, 1).text);
}
