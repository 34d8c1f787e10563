/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"

/* Extent, area and volume. */

static clp_box3 join_boxes(clp_box3 a, clp_box3 b)
{
  return (clp_box3){{fmin(a.min.x, b.min.x), fmin(a.min.y, b.min.y), fmin(a.min.z, b.min.z)},
                    {fmax(a.max.x, b.max.x), fmax(a.max.y, b.max.y), fmax(a.max.z, b.max.z)}};
}

static double largest_coordinate(clp_box3 box)
{
  double low = fmax(fabs(box.min.x), fmax(fabs(box.min.y), fabs(box.min.z)));
  double high = fmax(fabs(box.max.x), fmax(fabs(box.max.y), fabs(box.max.z)));
  return fmax(low, high);
}

/* Written so that a NaN fails too. */
static void expect_sensible_size(clp_builder *builder)
{
  double largest = largest_coordinate(builder->box) + builder->def->padding;
  bool point = builder->def->shape == CLP_SHAPE_POINT;
  if (largest <= CLP_LARGEST_COORDINATE && (point || builder->size >= CLP_SMALLEST_SIZE))
    return;
  clp_subject subject = {CLP_FINDING_NUMBER, -1, -1, false, NULL, builder->size};
  clp_defect(builder, subject,
             "the part measures %s m across and reaches coordinates of %s m, expected at least %s "
             "and at most %s",
             clp_number(builder->size, 3).text, clp_number(largest, 3).text,
             clp_number(CLP_SMALLEST_SIZE, 1).text, clp_number(CLP_LARGEST_COORDINATE, 1).text);
}

void clp_measure_box(clp_builder *builder)
{
  clp_box3 box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (size_t k = 0; k < builder->face_count; ++k) {
    clp_face *face = &builder->faces[k].face;
    face->box = clp_face_box(&face->surface, &face->domain);
    face->center = clp_lerp(face->box.min, face->box.max, 0.5);
    face->radius = clp_face_radius(&face->surface, &face->domain, face->center);
    box = join_boxes(box, face->box);
  }
  for (size_t k = 0; k < builder->edge_count; ++k)
    box = join_boxes(box, clp_curve_box(&builder->edges[k].edge.curve));
  for (size_t k = 0; k < builder->vertex_count; ++k)
    box = join_boxes(box, (clp_box3){builder->vertices[k].place, builder->vertices[k].place});
  builder->box = box;
  builder->size = clp_distance(box.min, box.max);
  expect_sensible_size(builder);
}

/* Gauss-Legendre on eight points, exact to degree fifteen. */
static const double gauss_at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                   0.9602898564975363};
static const double gauss_weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                       0.1012285362903763};

/* Twice the area swept by the radius from `origin` along the curve between two parameters. */
static double swept(const clp_curve *curve, clp_vec3 origin, double lo, double hi)
{
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    double x = k < 4 ? -gauss_at[k] : gauss_at[k - 4];
    double t = 0.5 * (lo + hi) + 0.5 * (hi - lo) * x;
    clp_curve_jet jet = clp_curve_jet_at(curve, clp_curve_site_at(curve, t));
    sum += gauss_weight[k % 4] * clp_cross(clp_sub(jet.p, origin), jet.t).z;
  }
  return 0.5 * (hi - lo) * sum;
}

/* Halves until two halves agree with the whole; the depth bounds the work. */
static double swept_adaptive(const clp_curve *curve, clp_vec3 origin, double lo, double hi,
                             double tolerance, int depth)
{
  double middle = 0.5 * (lo + hi);
  double whole = swept(curve, origin, lo, hi);
  double halves = swept(curve, origin, lo, middle) + swept(curve, origin, middle, hi);
  if (depth == 0 || fabs(whole - halves) <= tolerance)
    return halves;
  return swept_adaptive(curve, origin, lo, middle, 0.5 * tolerance, depth - 1) +
         swept_adaptive(curve, origin, middle, hi, 0.5 * tolerance, depth - 1);
}

static double curve_share(const clp_curve *curve, clp_vec3 origin, double tolerance)
{
  if (curve->kind != CLP_CURVE_NURBS)
    return swept_adaptive(curve, origin, curve->lo, curve->hi, tolerance, 12);
  double sum = 0;
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  for (int k = 0; k < nurbs->spans; ++k) {
    double lo = fmax(curve->lo, nurbs->breaks[k]), hi = fmin(curve->hi, nurbs->breaks[k + 1]);
    if (lo < hi)
      sum += swept_adaptive(curve, origin, lo, hi, tolerance, 12);
  }
  return sum;
}

void clp_measure(clp_builder *builder)
{
  clp_vec3 origin = clp_lerp(builder->box.min, builder->box.max, 0.5);
  for (size_t k = 0; k < builder->face_count; ++k) {
    const clp_face *face = &builder->faces[k].face;
    clp_face_measure measure =
        clp_face_quadrature(&face->surface, &face->domain, origin, CLP_TOLERANCE_QUADRATURE);
    builder->area += measure.area;
    builder->volume += measure.volume;
  }
  if (!builder->all_closed) {
    builder->volume = 0;
    return;
  }
  double tolerance = CLP_TOLERANCE_QUADRATURE * builder->size * builder->size;
  for (size_t k = 0; builder->def->shape == CLP_SHAPE_CURVES && k < builder->edge_count; ++k)
    builder->area += 0.5 * curve_share(&builder->edges[k].edge.curve, origin, tolerance);
}
