/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/body.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rclc_closest_point/base/enumerators.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/mend_polyhedron.h"
#include "rclc_closest_point/body/planar_proof.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

clp_body_def clp_default_body_def(clp_shape shape)
{
  return (clp_body_def){.shape = shape, .convex = true, .closed = true};
}

/* ---- Creation ----------------------------------------------------------------------------- */

static double seconds_now(void)
{
  struct timespec now;
  return timespec_get(&now, TIME_UTC) ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

static bool is_planar(const clp_body_def *def)
{
  return def->shape == CLP_SHAPE_CURVES;
}

static bool arguments_valid(const clp_body_def *def, clp_body **body)
{
  if (!def || !body || !clp_is_shape(def->shape) || (unsigned)def->proof > CLP_PROOF_SAMPLED)
    return false;
  switch (def->shape) {
    case CLP_SHAPE_POLYHEDRON:
      return def->polyhedron.vertices && def->polyhedron.faces && def->polyhedron.face_sizes;
    case CLP_SHAPE_REVOLVED:
      return def->revolved.pieces != NULL;
    case CLP_SHAPE_PATCHES:
      return def->patches && def->patch_count > 0;
    case CLP_SHAPE_CURVES:
      return def->curves && def->curve_count > 0;
    default:
      return true;
  }
}

static void tile(clp_builder *builder)
{
  switch (builder->def->shape) {
    case CLP_SHAPE_POLYHEDRON:
      clp_tile_polyhedron(builder);
      break;
    case CLP_SHAPE_REVOLVED:
      clp_tile_revolved(builder);
      break;
    case CLP_SHAPE_PATCHES:
      clp_tile_patches(builder);
      break;
    case CLP_SHAPE_CURVES:
      clp_tile_curves(builder);
      break;
    default:
      clp_tile_primitive(builder);
      break;
  }
  clp_expect_unique_names(builder);
}

/* Each stage needs what the ones before it made, so the first that finds a defect is the last. */
static bool sound(const clp_builder *builder)
{
  return builder->defects == 0 && !builder->arena.failed;
}

static void build(clp_builder *builder)
{
  clp_expect_padding(builder);
  tile(builder);
  if (!sound(builder))
    return;
  clp_measure_box(builder);
  if (!sound(builder))
    return;
  if (builder->def->shape == CLP_SHAPE_POINT) {
    builder->all_closed = true;
  } else if (is_planar(builder->def)) {
    clp_check_planar(builder);
  } else {
    clp_fit_gauge(builder);
    clp_match_sides(builder);
    if (!builder->arena.failed)
      clp_check_orientation(builder);
    if (sound(builder))
      clp_check_convexity(builder);
  }
  if (sound(builder))
    clp_measure(builder);
  if (sound(builder) && builder->area < 0) /* where nobody knows which way curves turn */
    clp_report_clockwise(builder);
  if (sound(builder))
    clp_measure_slack(builder);
  if (sound(builder))
    clp_name_features(builder);
}

static void keep_first(void *user, const clp_finding *finding)
{
  clp_finding *first = user;
  if (finding->severity == CLP_DEFECT && first->severity != CLP_DEFECT)
    *first = *finding;
}

clp_reporter clp_first_defect(clp_finding *defect)
{
  *defect = (clp_finding){.severity = CLP_NOTE};
  return (clp_reporter){keep_first, defect};
}

static clp_status compile(const clp_body_def *def, clp_reporter reporter, clp_body **body)
{
  double start = seconds_now();
  clp_builder builder = {.def = def, .reporter = reporter, .sharpness = CLP_PI};
  build(&builder);
  clp_status status = CLP_OK;
  clp_body *packed = NULL;
  if (builder.arena.failed) {
    status = CLP_ERROR_MEMORY;
  } else if (builder.defects > 0) {
    clp_report_suppressed(&builder);
    status = CLP_ERROR_SHAPE;
  } else if (!(packed = clp_pack_body(&builder))) {
    status = CLP_ERROR_MEMORY;
  }
  clp_arena_release(&builder.arena);
  if (status == CLP_OK) {
    clp_body_pad(packed, def->padding);
    packed->info.build_time = seconds_now() - start;
    *body = packed;
  }
  return status;
}

/* ---- Polyhedra from anywhere -------------------------------------------------------------- */

/* What is found is kept until it is known whether it matters. */
typedef struct kept_findings {
  clp_finding findings[CLP_MAX_FINDINGS + 1];
  int count;
} kept_findings;

static void keep(void *user, const clp_finding *finding)
{
  kept_findings *kept = user;
  if (kept->count <= CLP_MAX_FINDINGS)
    kept->findings[kept->count++] = *finding;
}

static void pass_on(const kept_findings *kept, clp_reporter reporter)
{
  for (int k = 0; reporter.report && k < kept->count; ++k)
    reporter.report(reporter.user, &kept->findings[k]);
}

static void report_mended(const clp_body_def *def, const clp_mended *mended, clp_reporter reporter)
{
  clp_finding note = {
      .severity = CLP_NOTE, .kind = CLP_FINDING_NOT_CONVEX, .item = -1, .number = -1};
  note.amount = mended->outwards;
  snprintf(
      note.text, sizeof note.text,
      "convex but for the last digits of its vertices: its %d faces are replaced by %d that hold "
      "them all, at most %s m farther out, named f0 to f%d",
      def->polyhedron.face_count, mended->polyhedron.face_count,
      clp_number(mended->outwards, 3).text, mended->polyhedron.face_count - 1);
  if (reporter.report)
    reporter.report(reporter.user, &note);
}

/* What is refused, and convex but for digits, is compiled as what encloses it. */
static clp_status compile_polyhedron(const clp_body_def *def, clp_reporter reporter,
                                     clp_body **body)
{
  kept_findings *kept = calloc(1, sizeof *kept);
  if (!kept)
    return CLP_ERROR_MEMORY;
  clp_status status = compile(def, (clp_reporter){keep, kept}, body);
  clp_arena arena = {0};
  clp_mended mended;
  clp_body_def other = *def;
  if (status == CLP_ERROR_SHAPE && clp_mend_polyhedron(&def->polyhedron, &arena, &mended)) {
    other.polyhedron = mended.polyhedron;
    status = compile(&other, (clp_reporter){NULL, NULL}, body);
    if (status == CLP_OK)
      report_mended(def, &mended, reporter);
  }
  if (status == CLP_ERROR_SHAPE || (status == CLP_OK && !arena.chunks))
    pass_on(kept, reporter);
  status = arena.failed ? CLP_ERROR_MEMORY : status;
  clp_arena_release(&arena);
  free(kept);
  return status;
}

clp_status clp_body_create(const clp_body_def *def, clp_reporter reporter, clp_body **body)
{
  if (!arguments_valid(def, body))
    return CLP_ERROR_ARGUMENT;
  if (def->shape == CLP_SHAPE_POLYHEDRON && def->convex && def->closed)
    return compile_polyhedron(def, reporter, body);
  return compile(def, reporter, body);
}

void clp_body_destroy(clp_body *body)
{
  free(body);
}

/* ---- Reading ------------------------------------------------------------------------------ */

clp_body_info clp_body_describe(const clp_body *body)
{
  return body->info;
}

clp_curve_site clp_edge_fraction(const clp_edge *edge, double fraction)
{
  const clp_curve *curve = &edge->curve;
  return clp_curve_site_at(curve, (1 - fraction) * curve->lo + fraction * curve->hi);
}

/* The same place on the second use's curve. A closed curve keeps its site, mirrored where the two
 * run against each other, for both angles count from the same place. */
static clp_curve_site second_site(const clp_edge *edge, const clp_use *use, clp_curve_site site)
{
  if (!use->affine) {
    double t = clp_curve_project(&edge->second, clp_curve_point(&edge->curve, site), NULL);
    return clp_curve_site_at(&edge->second, t);
  }
  if (edge->curve.closed)
    return (clp_curve_site){{site.c[0], use->sense * site.c[1]}};
  double t = clp_curve_parameter(&edge->curve, site);
  double fraction = (t - edge->curve.lo) / (edge->curve.hi - edge->curve.lo);
  if (use->sense < 0)
    fraction = 1 - fraction;
  return (clp_curve_site){{(1 - fraction) * use->lo + fraction * use->hi, 0}};
}

clp_site clp_edge_face_site(const clp_edge *edge, int which, const clp_use *use,
                            const clp_face *face, clp_curve_site site)
{
  clp_curve_site own = which == 0 ? site : second_site(edge, use, site);
  return clp_side_site(&face->surface, &face->domain, use->side, own);
}

static clp_feature_info face_info(const clp_body *body, uint32_t id)
{
  const clp_face *face = &body->faces[id];
  clp_site middle = clp_domain_middle(&face->surface, &face->domain);
  return (clp_feature_info){.kind = CLP_FACE,
                            .id = id,
                            .name = face->name,
                            .place = clp_surface_point(&face->surface, middle)};
}

static clp_feature_info edge_info(const clp_body *body, uint32_t id)
{
  const clp_edge *edge = &body->edges[id];
  return (clp_feature_info){.kind = CLP_EDGE,
                            .id = id,
                            .name = edge->name,
                            .edge = edge->kind,
                            .place = clp_curve_point(&edge->curve, clp_edge_fraction(edge, 0.5))};
}

clp_feature_info clp_body_feature(const clp_body *body, clp_feature_kind kind, uint32_t id)
{
  if (kind == CLP_FACE)
    return face_info(body, id);
  if (kind == CLP_EDGE)
    return edge_info(body, id);
  const clp_vertex *vertex = &body->vertices[id];
  return (clp_feature_info){.kind = CLP_VERTEX,
                            .id = id,
                            .name = vertex->name,
                            .sharp = vertex->sharp,
                            .place = vertex->place};
}

clp_face_point clp_body_face_point(const clp_body *body, uint32_t id, double u, double v)
{
  const clp_face *face = &body->faces[id];
  clp_site site = clp_face_site_at(body, id, u, v);
  clp_vec3 normal = clp_surface_normal(&face->surface, &face->domain, site);
  clp_vec3 core = clp_surface_point(&face->surface, site);
  return (clp_face_point){.place = clp_add_scaled(core, body->padding, normal),
                          .normal = normal,
                          .inside = clp_domain_margin(&face->domain, site, NULL) >= 0};
}
