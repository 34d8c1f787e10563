/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/curvature.h"
#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/spline.h"

/* A patch becomes one face, or several: it is cut where it is only continuous (a knot as often as
 * the degree says), for a face has tangents everywhere, and where its normals spread too far. */

/* Halving the turning of the normals this often is enough for any patch that is not wound up. */
#define MAX_CUTS 6

typedef struct patch_work {
  clp_builder *builder;
  const clp_patch_def *def;
  int item;
  clp_nurbs whole;
  bool in_pieces; /* pieces get numbered names */
  int pieces;
} patch_work;

typedef struct rectangle {
  double u0, u1, v0, v1;
} rectangle;

/* In the parameters of the piece, which begin at 0. */
static clp_domain piece_domain(rectangle r)
{
  return (clp_domain){.kind = CLP_DOMAIN_RECTANGLE, .hi = {r.u1 - r.u0, r.v1 - r.v0}};
}

/* ---- Cutting at knots --------------------------------------------------------------------- */

/* The parameters between which the spline has continuous tangents: the domain's ends and the
 * breaks whose knot occurs at least `degree` times. Writes at most `spans + 1` numbers. */
static int smooth_stretches(int degree, int size, const double *knots, const double *breaks,
                            int spans, double *at)
{
  int count = 0;
  at[count++] = breaks[0];
  for (int k = 1; k < spans; ++k)
    if (knots && clp_knot_multiplicity(knots, size + degree + 1, breaks[k]) >= degree)
      at[count++] = breaks[k];
  at[count++] = breaks[spans];
  return count;
}

/* ---- Faces -------------------------------------------------------------------------------- */

/* A bilinear net that is a parallelogram with equal weights is a plane in the same parameters, and
 * these begin at 0. */
static bool as_plane(const clp_nurbs *nurbs, clp_plane *plane)
{
  if (nurbs->degree_u != 1 || nurbs->degree_v != 1 || nurbs->spans_u != 1 || nurbs->spans_v != 1)
    return false;
  clp_vec3 p[4];
  for (int k = 0; k < 4; ++k) {
    const double *h = nurbs->bezier + 4 * k;
    if (h[3] != nurbs->bezier[3])
      return false;
    p[k] = clp_scale(1 / h[3], clp_vec3_make(h[0], h[1], h[2]));
  }
  clp_vec3 twist = clp_sub(clp_add(p[0], p[3]), clp_add(p[1], p[2]));
  double reach = clp_distance(p[0], p[3]) + clp_distance(p[1], p[2]);
  if (clp_norm(twist) > CLP_ROUNDING_ONCE * (reach + clp_norm(p[0])))
    return false;
  plane->origin = p[0];
  plane->a = clp_scale(1 / nurbs->breaks_u[1], clp_sub(p[2], p[0]));
  plane->b = clp_scale(1 / nurbs->breaks_v[1], clp_sub(p[1], p[0]));
  return clp_norm(clp_cross(plane->a, plane->b)) > 0;
}

static void add_piece(patch_work *work, const clp_surface *surface, clp_storage storage,
                      rectangle r)
{
  const char *name = work->def->name;
  if (work->in_pieces)
    name = clp_piece_name(work->builder, name, ++work->pieces);
  clp_build_face *face = clp_add_face(work->builder, name, work->item);
  if (!face)
    return;
  face->face.surface = *surface;
  face->face.domain = piece_domain(r);
  face->first[0] = r.u0;
  face->first[1] = r.v0;
  face->storage = storage;
  clp_plane plane;
  if (as_plane(&surface->as.nurbs, &plane)) {
    face->face.surface =
        (clp_surface){.kind = CLP_SURFACE_PLANE, .outward = surface->outward, .as.plane = plane};
    face->storage = (clp_storage){0};
  }
}

static bool cut(patch_work *work, rectangle r, clp_surface *surface, clp_storage *storage)
{
  size_t count = clp_nurbs_piece_storage(&work->whole, r.u0, r.u1, r.v0, r.v1);
  *storage = clp_take_storage(work->builder, count);
  if (!storage->numbers)
    return false;
  *surface = (clp_surface){.kind = CLP_SURFACE_NURBS, .outward = work->def->flip ? -1 : 1};
  clp_nurbs_piece(&work->whole, r.u0, r.u1, r.v0, r.v1, storage->numbers, &surface->as.nurbs);
  return true;
}

static void note_split(patch_work *work, const clp_gauss_verdict *gauss, double at)
{
  const clp_nurbs *whole = &work->whole;
  clp_number_text place =
      gauss->split_u
          ? clp_number_between(at, whole->breaks_u[0], whole->breaks_u[whole->spans_u], 6)
          : clp_number_between(at, whole->breaks_v[0], whole->breaks_v[whole->spans_v], 6);
  work->builder->was_split = true;
  clp_subject subject = {CLP_FINDING_NOT_NICE, work->item, -1, false, NULL, gauss->spread};
  clp_note(work->builder, subject,
           "patch '%.40s' is not nice: its normals spread %s degrees from their middle, expected "
           "less than 90; it is split at %s = %s",
           work->def->name, clp_number(gauss->spread * 57.29577951308232, 4).text,
           gauss->split_u ? "u" : "v", place.text);
}

/* Where the patch is cut, that far behind lo. What is meant to be at a break is there, and not next
 * to it for rounding. */
static double cut_place(const double *breaks, int spans, double lo, double hi, double behind)
{
  double at = lo + behind, near = CLP_NARROWEST_SPAN * (breaks[spans] - breaks[0]);
  int span = clp_span_find(breaks, spans, at);
  for (int k = span; k <= span + 1; ++k)
    if (fabs(breaks[k] - at) < near && breaks[k] > lo && breaks[k] < hi)
      return breaks[k];
  return at;
}

/* Cuts until every piece is nice. */
static void tile_nice(patch_work *work, rectangle r, int cuts_left)
{
  clp_surface surface;
  clp_storage storage;
  if (!cut(work, r, &surface, &storage))
    return;
  clp_domain domain = piece_domain(r);
  clp_gauss_verdict gauss = clp_face_gauss(&surface, &domain);
  work->builder->arena.failed |= gauss.failed;
  if (gauss.nice) {
    add_piece(work, &surface, storage, r);
    return;
  }
  if (cuts_left == 0) {
    clp_vec3 place = clp_surface_point(&surface, clp_domain_middle(&surface, &domain));
    clp_subject subject = {CLP_FINDING_NOT_NICE, work->item, -1, false, &place, gauss.spread};
    clp_defect(work->builder, subject,
               "patch '%.40s' is not nice near %s even in %d cuts: its normals spread %s degrees",
               work->def->name, clp_place(place).text, MAX_CUTS,
               clp_number(gauss.spread * 57.29577951308232, 4).text);
    return;
  }
  const clp_nurbs *whole = &work->whole;
  double at = gauss.split_u
                  ? cut_place(whole->breaks_u, whole->spans_u, r.u0, r.u1, gauss.split_at)
                  : cut_place(whole->breaks_v, whole->spans_v, r.v0, r.v1, gauss.split_at);
  note_split(work, &gauss, at);
  work->in_pieces = true;
  rectangle first = r, second = r;
  if (gauss.split_u)
    first.u1 = second.u0 = at;
  else
    first.v1 = second.v0 = at;
  tile_nice(work, first, cuts_left - 1);
  tile_nice(work, second, cuts_left - 1);
}

/* The grid of stretches with continuous tangents. */
static void tile_stretches(patch_work *work)
{
  clp_builder *builder = work->builder;
  const clp_nurbs *whole = &work->whole;
  double *u = clp_take_storage(builder, (size_t)whole->spans_u + 1).numbers;
  double *v = clp_take_storage(builder, (size_t)whole->spans_v + 1).numbers;
  if (!u || !v)
    return;
  const clp_patch_def *def = work->def;
  int nu = smooth_stretches(def->degree_u, def->size_u, def->knots_u, whole->breaks_u,
                            whole->spans_u, u);
  int nv = smooth_stretches(def->degree_v, def->size_v, def->knots_v, whole->breaks_v,
                            whole->spans_v, v);
  work->in_pieces = nu > 2 || nv > 2;
  if (work->in_pieces) {
    clp_subject subject = {.kind = CLP_FINDING_KNOTS, .item = work->item, .number = -1};
    clp_note(builder, subject,
             "patch '%.40s' is only continuous at knots that occur as often as its degree; it is "
             "divided there into %d faces",
             def->name, (nu - 1) * (nv - 1));
  }
  for (int i = 0; i + 1 < nu; ++i)
    for (int j = 0; j + 1 < nv; ++j)
      tile_nice(work, (rectangle){u[i], u[i + 1], v[j], v[j + 1]}, MAX_CUTS);
}

static bool patch_valid(clp_builder *builder, const clp_patch_def *def, int item, int *room)
{
  if (!clp_expect_name(builder, def->name, item, "patch"))
    return false;
  const char *name = def->name;
  if (!clp_expect_knots(builder, name, item, def->degree_u, def->size_u, def->knots_u, false) ||
      !clp_expect_knots(builder, name, item, def->degree_v, def->size_v, def->knots_v, true))
    return false;
  if (def->size_u > *room / def->size_v) {
    clp_subject subject = {.kind = CLP_FINDING_COUNT, .item = item, .number = -1};
    clp_defect(builder, subject, "with patch '%.40s' the part has more than %d control points",
               name, CLP_MAX_CONTROL_POINTS);
    return false;
  }
  *room -= def->size_u * def->size_v;
  return clp_expect_control_points(builder, name, item, def->control_points,
                                   def->size_u * def->size_v, 4);
}

static void tile_patch(clp_builder *builder, const clp_patch_def *def, int item)
{
  double bezier_u[2 * CLP_MAX_DEGREE + 2], bezier_v[2 * CLP_MAX_DEGREE + 2];
  clp_bezier_knots(def->degree_u, bezier_u);
  clp_bezier_knots(def->degree_v, bezier_v);
  const double *knots_u = def->knots_u ? def->knots_u : bezier_u;
  const double *knots_v = def->knots_v ? def->knots_v : bezier_v;
  patch_work work = {.builder = builder, .def = def, .item = item};
  size_t count =
      clp_nurbs_storage(def->degree_u, def->size_u, knots_u, def->degree_v, def->size_v, knots_v);
  double *storage = clp_take_storage(builder, count).numbers;
  if (!storage)
    return;
  if (!clp_nurbs_build(def->degree_u, def->size_u, knots_u, def->degree_v, def->size_v, knots_v,
                       def->control_points, storage, &work.whole))
    clp_refuse_overflow(builder, def->name, item);
  else
    tile_stretches(&work);
}

/* A face without area has no normal anywhere. */
static void refuse_degenerate(clp_builder *builder)
{
  for (size_t k = 0; k < builder->face_count; ++k) {
    const clp_build_face *face = &builder->faces[k];
    clp_site middle = clp_domain_middle(&face->face.surface, &face->face.domain);
    clp_vec3 place = clp_surface_point(&face->face.surface, middle);
    clp_box3 box = clp_face_box(&face->face.surface, &face->face.domain);
    double size = clp_distance(box.min, box.max);
    double area = 0, none = CLP_TOLERANCE_MATCH * size * size;
    for (int closer = 0; closer < 2 && !(area > none); ++closer)
      area = clp_face_quadrature(&face->face.surface, &face->face.domain, place,
                                 closer ? 1e-3 : CLP_QUADRATURE_ROUGH)
                 .area;
    if (area > none)
      continue;
    clp_subject subject = {CLP_FINDING_DEGENERATE, face->face.item, -1, false, &place, area};
    clp_defect(builder, subject, "patch '%.40s' at %s has no area", face->face.name,
               clp_place(place).text);
  }
}

void clp_tile_patches(clp_builder *builder)
{
  const clp_body_def *def = builder->def;
  int room = CLP_MAX_CONTROL_POINTS;
  for (int k = 0; k < def->patch_count; ++k)
    if (patch_valid(builder, &def->patches[k], k, &room))
      tile_patch(builder, &def->patches[k], k);
  if (builder->defects == 0 && !builder->arena.failed)
    refuse_degenerate(builder);
}
