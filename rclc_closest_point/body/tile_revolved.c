/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/tile.h"
#include "rclc_closest_point/math/vec3.h"

/* A profile lists its pieces so that the solid lies to the left. With u the angle about the axis
 * and v along the direction of travel, u x v points to the right: outwards. Pieces whose surface
 * has a direction of its own (a circle's angle, a sphere's latitude, a graph's upper side) get
 * side -1 where that direction is against the travel. */

static const double pi = 3.14159265358979323846;

typedef struct point_rz {
  double r, z;
} point_rz;

static double apart(point_rz a, point_rz b)
{
  return hypot(a.r - b.r, a.z - b.z);
}

static clp_vec3 in_space(point_rz p)
{
  return (clp_vec3){p.r, 0, p.z};
}

static clp_subject about(clp_finding_kind kind, int item, const clp_vec3 *place, double amount)
{
  return (clp_subject){.kind = kind, .item = item, .number = -1, .place = place, .amount = amount};
}

/* ---- The pieces --------------------------------------------------------------------------- */

static void piece_name(int item, char name[24])
{
  snprintf(name, 24, "s%d", item);
}

static void tile_line(clp_builder *builder, int item, point_rz from, point_rz to)
{
  char name[24];
  piece_name(item, name);
  if (from.r == 0 && to.r == 0)
    return; /* along the axis it sweeps no surface */
  if (from.z == to.z && to.r > from.r)
    clp_tile_disc(builder, name, item, from.z, from.r, to.r, -1);
  else if (from.z == to.z)
    clp_tile_disc(builder, name, item, from.z, to.r, from.r, 1);
  else
    clp_tile_cone(builder, name, item, (clp_cone){from.r, from.z, to.r - from.r, to.z - from.z});
}

/* Both ends must be at the same distance from the center: the radius. */
static bool arc_radius(clp_builder *builder, point_rz center, int item, point_rz from, point_rz to,
                       double size, double *radius)
{
  double start = apart(from, center), end = apart(to, center);
  if (fabs(start - end) > CLP_TOLERANCE_MATCH * size || start == 0) {
    clp_vec3 place = in_space(to);
    clp_defect(builder, about(CLP_FINDING_NUMBER, item, &place, end - start),
               "arc s%d starts %s m from its center and ends %s m from it, expected one radius",
               item, clp_number(start, 9).text, clp_number(end, 9).text);
    return false;
  }
  *radius = 0.5 * (start + end);
  builder->snapped = fmax(builder->snapped, 0.5 * fabs(start - end));
  return true;
}

/* The angles of an arc, the shorter way; half a turn goes through larger r. Half a turn means to
 * within what a printed center can express. */
static void arc_angles(point_rz from, point_rz to, point_rz center, double *start, double *end)
{
  *start = atan2(from.z - center.z, from.r - center.r);
  *end = atan2(to.z - center.z, to.r - center.r);
  double turn = remainder(*end - *start, 2 * pi);
  if (fabs(fabs(turn) - pi) < 1e-9) {
    double middle = *start + 0.5 * turn;
    turn = cos(middle) > 0 ? turn : turn - copysign(2 * pi, turn);
  }
  *end = *start + turn;
}

/* The smallest r that an arc reaches: at an end, or where it passes straight inwards. */
static double arc_least_r(point_rz center, double radius, double start, double end)
{
  double lo = fmin(start, end), hi = fmax(start, end);
  double inwards = lo + remainder(pi - lo, 2 * pi);
  if (inwards < lo)
    inwards += 2 * pi;
  double least = fmin(cos(lo), cos(hi));
  return center.r + radius * (inwards <= hi ? -1 : least);
}

static void tile_torus(clp_builder *builder, int item, point_rz center, double radius, double start,
                       double end)
{
  char name[24];
  piece_name(item, name);
  clp_build_face *face = clp_add_face(builder, name, item);
  if (!face)
    return;
  face->face.surface = (clp_surface){.kind = CLP_SURFACE_TORUS,
                                     .outward = end > start ? 1 : -1,
                                     .as.torus = {center.r, center.z, radius}};
  face->face.domain = (clp_domain){
      .kind = CLP_DOMAIN_BAND, .lo = {0, fmin(start, end)}, .hi = {0, fmax(start, end)}};
}

/* An end on the axis is latitude +-1 exactly, so that the band knows that it has no rim there. */
static clp_latitude latitude_of(point_rz end, point_rz center, double radius)
{
  if (end.r == 0)
    return (clp_latitude){copysign(1, end.z - center.z), 0};
  return (clp_latitude){fmax(-1, fmin((end.z - center.z) / radius, 1)), end.r / radius};
}

/* A center on the axis makes a sphere, whose chart has no poles. */
static void tile_sphere_zone(clp_builder *builder, int item, point_rz center, double radius,
                             point_rz from, point_rz to)
{
  clp_latitude start = latitude_of(from, center, radius), end = latitude_of(to, center, radius);
  bool upwards = end.z > start.z;
  char name[24];
  piece_name(item, name);
  clp_tile_ellipsoid(builder, name, item,
                     (clp_ellipsoid){{0, 0, center.z}, {radius, radius, radius}},
                     upwards ? start : end, upwards ? end : start, upwards ? 1 : -1);
}

static void tile_arc(clp_builder *builder, const clp_profile_piece *piece, int item, point_rz from,
                     point_rz to, double size)
{
  bool on_axis = fabs(piece->center_r) <= CLP_TOLERANCE_PLANAR * size;
  point_rz center = {on_axis ? 0 : piece->center_r, piece->center_z};
  if (on_axis)
    builder->snapped = fmax(builder->snapped, fabs(piece->center_r));
  double radius, start, end;
  if (!arc_radius(builder, center, item, from, to, size, &radius))
    return;
  if (on_axis) {
    tile_sphere_zone(builder, item, center, radius, from, to);
    return;
  }
  arc_angles(from, to, center, &start, &end);
  double least = arc_least_r(center, radius, start, end);
  if (least < -CLP_TOLERANCE_PLANAR * size) {
    clp_vec3 place = in_space(center);
    clp_defect(builder, about(CLP_FINDING_NUMBER, item, &place, least),
               "arc s%d about %s crosses the axis: it reaches r = %s, expected r >= 0", item,
               clp_place(place).text, clp_number(least, 6).text);
    return;
  }
  tile_torus(builder, item, center, radius, start, end);
}

static void tile_parabola(clp_builder *builder, const clp_profile_piece *piece, int item,
                          point_rz from, point_rz to, double size)
{
  if (!(fabs(piece->focal) >= CLP_SMALLEST_LENGTH)) {
    clp_defect(builder, about(CLP_FINDING_NUMBER, item, NULL, piece->focal),
               "parabola s%d has focal %s, expected a number other than 0, of at least 1e-12", item,
               clp_number(piece->focal, 6).text);
    return;
  }
  double k = 1 / (4 * piece->focal);
  const point_rz ends[2] = {from, to};
  for (int end = 0; end < 2; ++end) {
    double off = ends[end].z - piece->apex_z - k * ends[end].r * ends[end].r;
    if (fabs(off) <= CLP_TOLERANCE_MATCH * size) {
      builder->snapped = fmax(builder->snapped, fabs(off));
      continue;
    }
    clp_vec3 place = in_space(ends[end]);
    clp_defect(builder, about(CLP_FINDING_NUMBER, item, &place, off),
               "parabola s%d %s at r = %s, z = %s, which is %s m off r^2 = 4 focal (z - apex_z)",
               item, end ? "ends" : "starts", clp_number(ends[end].r, 9).text,
               clp_number(ends[end].z, 9).text, clp_number(off, 3).text);
    return;
  }
  if (from.r == to.r) {
    clp_defect(builder, about(CLP_FINDING_DEGENERATE, item, NULL, 0),
               "parabola s%d ends at the r it starts from, expected another r", item);
    return;
  }
  char name[24];
  piece_name(item, name);
  clp_build_face *face = clp_add_face(builder, name, item);
  if (!face)
    return;
  /* u x v of a graph over (x, y) points up; the solid lies above where the travel is outwards. */
  face->face.surface = (clp_surface){.kind = CLP_SURFACE_PARABOLOID,
                                     .outward = to.r > from.r ? -1 : 1,
                                     .as.paraboloid = {piece->apex_z, k}};
  face->face.domain = (clp_domain){
      .kind = CLP_DOMAIN_DISC, .lo = {fmin(from.r, to.r), 0}, .hi = {fmax(from.r, to.r), 0}};
}

/* Of a shoulder that weighs less, or more, as against its ends' weight of 1, nothing else is left.
 */
#define LIGHTEST 1e-12

/* From Bezier form (from, shoulder with its weight, to) to powers of t. */
static void tile_conic(clp_builder *builder, const clp_profile_piece *piece, int item,
                       point_rz from, point_rz to, double size)
{
  double w = piece->weight;
  if (!(w >= LIGHTEST && w <= 1 / LIGHTEST) || piece->shoulder_r < 0 ||
      !clp_is_coordinate(piece->shoulder_r) || !clp_is_coordinate(piece->shoulder_z)) {
    clp_defect(builder, about(CLP_FINDING_NUMBER, item, NULL, w),
               "conic s%d has shoulder (%s, %s) of weight %s, expected r >= 0, coordinates of at "
               "most 1e+09 and a weight above 0, from 1e-12 to 1e+12",
               item, clp_number(piece->shoulder_r, 6).text, clp_number(piece->shoulder_z, 6).text,
               clp_number(w, 6).text);
    return;
  }
  const point_rz shoulder = {piece->shoulder_r, piece->shoulder_z};
  if (fmin(apart(shoulder, from), apart(shoulder, to)) <= CLP_TOLERANCE_PLANAR * size) {
    clp_vec3 place = in_space(shoulder);
    clp_defect(builder, about(CLP_FINDING_DEGENERATE, item, &place, 0),
               "conic s%d has its shoulder at one of its ends, %s, where it has no tangent then",
               item, clp_place(place).text);
    return;
  }
  char name[24];
  piece_name(item, name);
  clp_build_face *face = clp_add_face(builder, name, item);
  if (!face)
    return;
  double sr = w * piece->shoulder_r, sz = w * piece->shoulder_z;
  face->face.surface =
      (clp_surface){.kind = CLP_SURFACE_CONIC,
                    .outward = 1,
                    .as.conic = {.r = {from.r, 2 * (sr - from.r), from.r - 2 * sr + to.r},
                                 .z = {from.z, 2 * (sz - from.z), from.z - 2 * sz + to.z},
                                 .w = {1, 2 * (w - 1), 2 - 2 * w}}};
  face->face.domain = (clp_domain){.kind = CLP_DOMAIN_BAND, .lo = {0, 0}, .hi = {0, 1}};
}

/* ---- The profile -------------------------------------------------------------------------- */

static bool good_end(clp_builder *builder, int item, point_rz p)
{
  if (clp_is_coordinate(p.r) && clp_is_coordinate(p.z) && p.r >= 0)
    return true;
  clp_defect(builder, about(CLP_FINDING_NUMBER, item, NULL, p.r),
             "the profile passes r = %s, z = %s, expected finite numbers and r >= 0, at most 1e+09",
             clp_number(p.r, 6).text, clp_number(p.z, 6).text);
  return false;
}

static bool piece_numbers_finite(clp_builder *builder, const clp_profile_piece *piece, int item)
{
  bool finite = true;
  if (piece->kind == CLP_PROFILE_ARC)
    finite = clp_is_coordinate(piece->center_r) && clp_is_coordinate(piece->center_z);
  else if (piece->kind == CLP_PROFILE_PARABOLA)
    finite = clp_is_coordinate(piece->apex_z) && isfinite(piece->focal);
  if (!finite)
    clp_defect(builder, about(CLP_FINDING_NUMBER, item, NULL, 0),
               "piece s%d has a number that is not finite, or beyond 1e+09", item);
  return finite;
}

static void tile_piece(clp_builder *builder, int item, point_rz from, point_rz to, double size)
{
  const clp_profile_piece *piece = &builder->def->revolved.pieces[item];
  if (apart(from, to) <= CLP_TOLERANCE_PLANAR * size) {
    clp_vec3 place = in_space(to);
    clp_defect(builder, about(CLP_FINDING_DEGENERATE, item, &place, apart(from, to)),
               "piece s%d ends where it starts, at %s", item, clp_place(place).text);
    return;
  }
  switch (piece->kind) {
    case CLP_PROFILE_LINE:
      tile_line(builder, item, from, to);
      break;
    case CLP_PROFILE_ARC:
      tile_arc(builder, piece, item, from, to, size);
      break;
    case CLP_PROFILE_PARABOLA:
      tile_parabola(builder, piece, item, from, to, size);
      break;
    default:
      tile_conic(builder, piece, item, from, to, size);
      break;
  }
}

/* The extent of the profile's corners: what tolerances are relative to before there are faces. */
static double profile_size(const clp_revolved_def *def)
{
  double r = def->start_r, lo = def->start_z, hi = def->start_z;
  for (int k = 0; k < def->piece_count; ++k) {
    r = fmax(r, def->pieces[k].r);
    lo = fmin(lo, def->pieces[k].z);
    hi = fmax(hi, def->pieces[k].z);
  }
  return hypot(2 * r, hi - lo);
}

/* Numbers near the axis by rounding are on it: the poles' charts depend on an exact zero. */
static point_rz snap_to_axis(clp_builder *builder, point_rz p, double size)
{
  if (p.r > CLP_TOLERANCE_PLANAR * size)
    return p;
  builder->snapped = fmax(builder->snapped, p.r);
  return (point_rz){0, p.z};
}

static bool profile_closes(clp_builder *builder, point_rz start, point_rz end, double size)
{
  double gap = apart(start, end);
  if ((start.r == 0 && end.r == 0) || gap <= CLP_TOLERANCE_MATCH * size || !builder->def->closed)
    return true;
  clp_vec3 place = in_space(end);
  clp_defect(builder, about(CLP_FINDING_OPEN, -1, &place, gap),
             "the profile runs from r = %s, z = %s to r = %s, z = %s, expected both ends on the "
             "axis or at the same place",
             clp_number(start.r, 6).text, clp_number(start.z, 6).text, clp_number(end.r, 6).text,
             clp_number(end.z, 6).text);
  return false;
}

void clp_tile_revolved(clp_builder *builder)
{
  const clp_revolved_def *def = &builder->def->revolved;
  if (def->piece_count < 1 || def->piece_count > CLP_MAX_CONTROL_POINTS) {
    clp_defect(builder, about(CLP_FINDING_COUNT, -1, NULL, 0),
               "a profile of %d pieces, expected 1 to %d", def->piece_count,
               CLP_MAX_CONTROL_POINTS);
    return;
  }
  bool good = good_end(builder, -1, (point_rz){def->start_r, def->start_z});
  for (int k = 0; k < def->piece_count; ++k) {
    good &= good_end(builder, k, (point_rz){def->pieces[k].r, def->pieces[k].z});
    good &= piece_numbers_finite(builder, &def->pieces[k], k);
  }
  if (!good)
    return;
  double size = profile_size(def);
  const point_rz start = snap_to_axis(builder, (point_rz){def->start_r, def->start_z}, size);
  point_rz from = start;
  for (int k = 0; k < def->piece_count; ++k) {
    point_rz to = snap_to_axis(builder, (point_rz){def->pieces[k].r, def->pieces[k].z}, size);
    tile_piece(builder, k, from, to, size);
    from = to;
  }
  if (profile_closes(builder, start, from, size) && builder->face_count == 0 &&
      builder->defects == 0)
    clp_defect(builder, about(CLP_FINDING_DEGENERATE, -1, NULL, 0),
               "the profile is nowhere farther from the axis than %s m and sweeps no surface",
               clp_number(CLP_TOLERANCE_PLANAR * size, 3).text);
}
