/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"

static const double pi = 3.14159265358979323846;

/* Padding: what becomes of a convex body that a ball sweeps. Distances know of it in pair/padding.c
 * alone; here are the figures. */

void clp_expect_padding(clp_builder *builder)
{
  const clp_body_def *def = builder->def;
  const clp_number_text padding = clp_number(def->padding, 6);
  clp_subject subject = {
      .kind = CLP_FINDING_NUMBER, .item = -1, .number = -1, .amount = def->padding};
  if (!(def->padding >= 0 && def->padding <= CLP_LARGEST_COORDINATE))
    clp_defect(builder, subject, "the padding is %s, expected a finite number of at least 0",
               padding.text);
  else if (def->padding > 0 && (!def->convex || !def->closed || def->shape == CLP_SHAPE_CURVES))
    clp_defect(builder, subject,
               "the padding of a part that is %s is %s, expected 0: only what is convex and closed "
               "is padded",
               def->shape == CLP_SHAPE_CURVES ? "planar"
               : !def->convex                 ? "not convex"
                                              : "not closed",
               padding.text);
}

/* ---- The mean curvature ------------------------------------------------------------------- */

/* Between the outward normals of an edge's two faces. */
static double angle_at(const clp_body *body, const clp_edge *edge, clp_curve_site site)
{
  clp_vec3 n[2];
  for (int which = 0; which < 2; ++which) {
    const clp_use *use = &body->uses[edge->use[which]];
    const clp_face *face = &body->faces[use->face];
    n[which] = clp_surface_normal(&face->surface, &face->domain,
                                  clp_edge_face_site(edge, which, use, face, site));
  }
  return atan2(clp_norm(clp_cross(n[0], n[1])), clp_dot(n[0], n[1]));
}

/* Gauss-Legendre on four points of [0, 1]. */
static double bend_between(const clp_body *body, const clp_edge *edge, double from, double to)
{
  static const double at[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                               0.9305681557970263};
  static const double weight[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                   0.1739274225687269};
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    clp_curve_site site = clp_edge_fraction(edge, from + at[k] * (to - from));
    double speed = clp_norm(clp_curve_jet_at(&edge->curve, site).t);
    sum += weight[k] * 0.5 * angle_at(body, edge, site) * speed;
  }
  return sum * (to - from) * (edge->curve.hi - edge->curve.lo);
}

/* Halves until two halves agree with the whole; the depth bounds the work. */
static double edge_bend(const clp_body *body, const clp_edge *edge, double from, double to,
                        int depth)
{
  double middle = 0.5 * (from + to), whole = bend_between(body, edge, from, to);
  double low = bend_between(body, edge, from, middle), high = bend_between(body, edge, middle, to);
  if (depth == 0 || fabs(whole - low - high) <= CLP_TOLERANCE_QUADRATURE * body->size)
    return low + high;
  return edge_bend(body, edge, from, middle, depth - 1) +
         edge_bend(body, edge, middle, to, depth - 1);
}

/* Of the core: its faces' share and its edges', half the angle by which they turn times the
 * length. */
static double mean_curvature(const clp_body *body)
{
  double sum = 0;
  for (uint32_t k = 0; k < body->face_count; ++k)
    sum += clp_face_bend(&body->faces[k].surface, &body->faces[k].domain, body->size,
                         CLP_TOLERANCE_QUADRATURE);
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    const clp_edge *edge = &body->edges[k];
    if (edge->kind == CLP_EDGE_SHARP && edge->use[0] != CLP_NONE && edge->use[1] != CLP_NONE)
      sum += edge_bend(body, edge, 0, 1, 12);
  }
  return sum;
}

/* ---- Sweeping ----------------------------------------------------------------------------- */

static clp_box3 grown(clp_box3 box, double by)
{
  return (clp_box3){{box.min.x - by, box.min.y - by, box.min.z - by},
                    {box.max.x + by, box.max.y + by, box.max.z + by}};
}

/* Steiner: a convex body of volume V, area A and integral of the mean curvature M has, swept by a
 * ball of radius r, the volume V + A r + M r^2 + 4 pi r^3 / 3 and the area A + 2 M r + 4 pi r^2,
 * and its M grows by 4 pi r. */
bool clp_body_pad(clp_body *body, double radius)
{
  clp_body_info *info = &body->info;
  double reach = clp_norm(body->center) + clp_body_reach(body) + radius;
  if (radius == 0)
    return true;
  if (!(radius > 0 && reach <= 2 * CLP_LARGEST_COORDINATE) || !clp_body_is_paddable(body))
    return false;
  double m = mean_curvature(body) + 4 * pi * body->padding, area = info->area;
  info->volume += radius * (area + radius * (m + 4.0 / 3 * pi * radius));
  info->area += 2 * radius * (m + 2 * pi * radius);
  info->bounds = grown(info->bounds, radius);
  info->padding = body->padding = body->padding + radius;
  if (body->core)
    body->core->info.padding = body->core->padding = body->core->padding + radius;
  return true;
}
