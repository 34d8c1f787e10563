/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/batch.h"

#include "rclc_closest_point/base/wide_registers.h"
#include "rclc_closest_point/pair/batch_run.h"
#include "rclc_closest_point/pair/box_parts.h"
#include "rclc_closest_point/pair/padding.h"
#include "rclc_closest_point/pair/step.h"

/* ---- Which pairs are alike ---------------------------------------------------------------- */

/* Of faces; of planes and splines the rectangles. */
static const clp_batch_form forms[] = {
    [CLP_SURFACE_PLANE] = CLP_BATCH_PLANE,      [CLP_SURFACE_ELLIPSOID] = CLP_BATCH_ELLIPSOID,
    [CLP_SURFACE_PARABOLOID] = CLP_BATCH_FORMS, [CLP_SURFACE_CONE] = CLP_BATCH_CONE,
    [CLP_SURFACE_TORUS] = CLP_BATCH_FORMS,      [CLP_SURFACE_CONIC] = CLP_BATCH_FORMS,
    [CLP_SURFACE_NURBS] = CLP_BATCH_SPLINE,
};

CLP_COMPLETE(forms, CLP_SURFACE_COUNT);

static clp_batch_form form_of_face(const clp_face *face)
{
  const clp_nurbs *spline = clp_surface_spline(&face->surface);
  clp_batch_form form = forms[face->surface.kind];
  bool cut = (form == CLP_BATCH_PLANE || spline) && face->domain.kind != CLP_DOMAIN_RECTANGLE;
  bool high =
      spline && (spline->degree_u > CLP_BATCH_DEGREE || spline->degree_v > CLP_BATCH_DEGREE);
  return cut || high ? CLP_BATCH_FORMS : form;
}

/* Whose normals a few sums tell (normal_cone.h). */
static clp_batch_form form_of_edge(const clp_edge *edge)
{
  const clp_curve *curve = &edge->curve;
  bool alone = edge->kind == CLP_EDGE_SHARP && edge->use[0] == CLP_NONE;
  bool line = curve->kind == CLP_CURVE_LINE && (edge->wedge.flat || alone);
  bool rim = curve->kind == CLP_CURVE_ELLIPSE && curve->closed && edge->wedge.turned;
  return line || rim ? CLP_BATCH_EDGE : CLP_BATCH_FORMS;
}

static clp_batch_form form_of(const clp_body *body, const clp_spot *spot)
{
  if (body->info.point)
    return CLP_BATCH_VERTEX;
  if (body->info.planar || !clp_spot_exists(body, spot))
    return CLP_BATCH_FORMS;
  if (spot->kind == CLP_EDGE)
    return form_of_edge(&body->edges[spot->id]);
  if (spot->kind == CLP_VERTEX)
    return body->vertices[spot->id].flat ? CLP_BATCH_VERTEX : CLP_BATCH_FORMS;
  return form_of_face(&body->faces[spot->id]);
}

#define YES(a, b) true,
#define NO(a, b) false,

static const bool side_by_side[] = {CLP_SIDE_BY_SIDE(YES, YES, NO)};

CLP_COMPLETE(side_by_side, CLP_BATCH_FORMS *CLP_BATCH_FORMS);

/* The bits of one. */
enum { PART = (1 << CLP_BOX_PART) - 1 };

static int kind_of_boxes(int region)
{
  const int a = region & PART, b = region >> CLP_BOX_PART & PART;
  bool corner = clp_box_is_corner(a) || clp_box_is_corner(b);
  bool edges = clp_box_edge_axis(a) >= 0 && clp_box_edge_axis(b) >= 0;
  return corner ? CLP_BATCH_CORNERS : edges ? CLP_BATCH_EDGES : CLP_BATCH_NONE;
}

static int kind_of_can(int part)
{
  if (clp_box_is_corner(part))
    return CLP_BATCH_CAN_CORNERS;
  return clp_box_edge_axis(part) >= 0 ? CLP_BATCH_CAN_EDGES : CLP_BATCH_NONE;
}

static int kind_of_closed(const clp_pair *pair)
{
  if (pair->way == &clp_way_box_box)
    return kind_of_boxes(pair->region);
  if (pair->way == &clp_way_box_cylinder)
    return kind_of_can(pair->region & PART);
  if (pair->way == &clp_way_cylinder_capsule)
    return CLP_BATCH_CAN_CAPSULES;
  return pair->way == &clp_way_box_capsule ? CLP_BATCH_CAPSULES : CLP_BATCH_NONE;
}

int clp_batch_find_kind(const clp_pair *pair)
{
  bool usual = pair->started && pair->way->planes && !pair->sampled && !pair->inside &&
               pair->options.controller == CLP_CONTROLLER_AUTO;
  if (!usual)
    return CLP_BATCH_NONE;
  if (pair->way->spots)
    return kind_of_closed(pair);
  clp_batch_form a = form_of(pair->a, &pair->spots.a), b = form_of(pair->b, &pair->spots.b);
  if (a == CLP_BATCH_FORMS || b == CLP_BATCH_FORMS)
    return CLP_BATCH_NONE;
  int index = (int)a * CLP_BATCH_FORMS + (int)b;
  return side_by_side[index] ? CLP_BATCH_FIRST + index : CLP_BATCH_NONE;
}

/* ---- Running them ------------------------------------------------------------------------- */

static void run(int kind, clp_batch_job *const *jobs, int count, clp_batch_width width)
{
#ifdef CLP_WIDE_REGISTERS
  if (width == CLP_BATCH_BEST && clp_has_wide_registers()) {
    clp_batch_run_wide(kind, jobs, count);
    return;
  }
#endif
  (void)width;
  clp_batch_run_plain(kind, jobs, count);
}

void clp_batch_track(int kind, clp_batch_job *const *jobs, int count, clp_batch_width width)
{
  run(kind, jobs, count, width);
  for (int k = 0; k < count; ++k) {
    const clp_pair *pair = jobs[k]->pair;
    if (jobs[k]->done && pair->cycle.couple.blur > 0)
      *jobs[k]->answer = clp_pair_blurred(pair, *jobs[k]->answer);
    if (jobs[k]->done && pair->padding > 0)
      clp_pad_answer(pair, jobs[k]->answer);
  }
}
