/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/batch.h"

#include "rclc_closest_point/pair/batch_run.h"

/* ---- Which pairs are alike ---------------------------------------------------------------- */

static int form_of(const clp_body *body, const clp_spot *spot)
{
  if (body->info.point)
    return CLP_BATCH_POINT;
  if (spot->kind != CLP_FACE)
    return CLP_BATCH_FORMS;
  const clp_face *face = &body->faces[spot->id];
  switch (face->surface.kind) {
    case CLP_SURFACE_ELLIPSOID:
      return CLP_BATCH_ELLIPSOID;
    case CLP_SURFACE_CONE:
      return CLP_BATCH_CONE;
    case CLP_SURFACE_PLANE:
      return face->domain.kind == CLP_DOMAIN_RECTANGLE ? CLP_BATCH_PLANE : CLP_BATCH_FORMS;
    default:
      return CLP_BATCH_FORMS;
  }
}

int clp_batch_find_kind(const clp_pair *pair)
{
  bool usual = pair->started && pair->convex && !pair->sampled && !pair->inside &&
               pair->options.controller == CLP_CONTROLLER_AUTO && !pair->a->info.planar;
  if (!usual)
    return CLP_BATCH_NONE;
  int a = form_of(pair->a, &pair->spots.a), b = form_of(pair->b, &pair->spots.b);
  bool flat = a == b && (a == CLP_BATCH_PLANE || a == CLP_BATCH_POINT);
  if (a == CLP_BATCH_FORMS || b == CLP_BATCH_FORMS || flat)
    return CLP_BATCH_NONE;
  return CLP_BATCH_FIRST + a * CLP_BATCH_FORMS + b;
}

/* ---- Running them ------------------------------------------------------------------------- */

static bool has_wide_registers(void)
{
#ifdef CLP_BATCH_WIDE
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

void clp_batch_track(int kind, clp_batch_job *const *jobs, int count, clp_batch_width width)
{
#ifdef CLP_BATCH_WIDE
  if (width == CLP_BATCH_BEST && has_wide_registers()) {
    clp_batch_run_wide(kind, jobs, count);
    return;
  }
#endif
  (void)width;
  clp_batch_run_plain(kind, jobs, count);
}
