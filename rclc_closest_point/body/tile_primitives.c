/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/tile.h"
#include "rclc_closest_point/math/vec3.h"

bool clp_expect_positive(clp_builder *builder, double value, const char *what)
{
  if (value >= CLP_SMALLEST_LENGTH && clp_is_coordinate(value))
    return true;
  clp_subject subject = {.kind = CLP_FINDING_NUMBER, .item = -1, .number = -1, .amount = value};
  clp_defect(builder, subject, "%s is %s, expected a finite number above 0%s", what,
             clp_number(value, 6).text,
             isfinite(value) && value > 0 ? ", from 1e-12 to 1e+09" : "");
  return false;
}

void clp_tile_disc(clp_builder *builder, const char *name, int item, double z, double inner,
                   double outer, double outward)
{
  clp_build_face *face = clp_add_face(builder, name, item);
  if (!face)
    return;
  face->face.surface = (clp_surface){
      .kind = CLP_SURFACE_PLANE, .outward = outward, .as.plane = {{0, 0, z}, {1, 0, 0}, {0, 1, 0}}};
  face->face.domain = (clp_domain){.kind = CLP_DOMAIN_DISC, .lo = {inner, 0}, .hi = {outer, 0}};
}

void clp_tile_cone(clp_builder *builder, const char *name, int item, clp_cone cone)
{
  clp_build_face *face = clp_add_face(builder, name, item);
  if (!face)
    return;
  face->face.surface = (clp_surface){.kind = CLP_SURFACE_CONE, .outward = 1, .as.cone = cone};
  face->face.domain = (clp_domain){.kind = CLP_DOMAIN_BAND, .lo = {0, 0}, .hi = {0, 1}};
}

void clp_tile_ellipsoid(clp_builder *builder, const char *name, int item, clp_ellipsoid shape,
                        clp_latitude lowest, clp_latitude highest, double outward)
{
  clp_build_face *face = clp_add_face(builder, name, item);
  if (!face)
    return;
  bool whole = lowest.z <= -1 && highest.z >= 1;
  double lo = lowest.z > -1 ? lowest.z : -HUGE_VAL; /* a pole is no rim */
  double hi = highest.z < 1 ? highest.z : HUGE_VAL;
  face->face.surface =
      (clp_surface){.kind = CLP_SURFACE_ELLIPSOID, .outward = outward, .as.ellipsoid = shape};
  face->face.domain = (clp_domain){.kind = whole ? CLP_DOMAIN_WHOLE : CLP_DOMAIN_BAND,
                                   .lo = {lowest.across, lo},
                                   .hi = {highest.across, hi}};
}

static const clp_latitude south = {-1, 0}, equator = {0, 1}, north = {1, 0};

/* One side of a box: square to axis `axis` (0 x, 1 y, 2 z), at the end that `sign` tells. The
 * other two axes in cyclic order make a right-handed frame with +axis; for the low end they are
 * taken in the opposite order, so that a x b points outwards at both. */
static void tile_box_face(clp_builder *builder, const char *name, clp_vec3 half, int axis,
                          double sign)
{
  static const clp_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double extent[3] = {half.x, half.y, half.z};
  int first = (axis + (sign > 0 ? 1 : 2)) % 3;
  int second = 3 - axis - first;
  clp_build_face *face = clp_add_face(builder, name, -1);
  if (!face)
    return;
  face->face.surface = (clp_surface){
      .kind = CLP_SURFACE_PLANE,
      .outward = 1,
      .as.plane = {clp_scale(sign * extent[axis], units[axis]), units[first], units[second]}};
  face->face.domain = (clp_domain){.kind = CLP_DOMAIN_RECTANGLE,
                                   .lo = {-extent[first], -extent[second]},
                                   .hi = {extent[first], extent[second]}};
}

static void tile_box(clp_builder *builder, clp_vec3 size)
{
  static const char *names[6] = {"x-", "x+", "y-", "y+", "z-", "z+"};
  bool good = clp_expect_positive(builder, size.x, "the box's size in x");
  good &= clp_expect_positive(builder, size.y, "the box's size in y");
  good &= clp_expect_positive(builder, size.z, "the box's size in z");
  for (int k = 0; good && k < 6; ++k)
    tile_box_face(builder, names[k], clp_scale(0.5, size), k / 2, k % 2 ? 1 : -1);
}

static void tile_whole_ellipsoid(clp_builder *builder, clp_vec3 radii)
{
  clp_tile_ellipsoid(builder, "surface", -1, (clp_ellipsoid){{0, 0, 0}, radii}, south, north, 1);
}

static void tile_ellipsoid(clp_builder *builder, clp_vec3 radii)
{
  bool good = clp_expect_positive(builder, radii.x, "the ellipsoid's radius in x");
  good &= clp_expect_positive(builder, radii.y, "the ellipsoid's radius in y");
  good &= clp_expect_positive(builder, radii.z, "the ellipsoid's radius in z");
  if (good)
    tile_whole_ellipsoid(builder, radii);
}

static void tile_cylinder(clp_builder *builder, double r, double length)
{
  bool good = clp_expect_positive(builder, r, "the cylinder's radius");
  good &= clp_expect_positive(builder, length, "the cylinder's length");
  if (!good)
    return;
  clp_tile_cone(builder, "side", -1, (clp_cone){r, -length / 2, 0, length});
  clp_tile_disc(builder, "z-", -1, -length / 2, 0, r, -1);
  clp_tile_disc(builder, "z+", -1, length / 2, 0, r, 1);
}

static void tile_capsule(clp_builder *builder, double r, double length)
{
  bool good = clp_expect_positive(builder, r, "the capsule's radius");
  good &= clp_expect_positive(builder, length, "the capsule's length");
  if (!good)
    return;
  clp_vec3 radii = {r, r, r};
  clp_tile_cone(builder, "side", -1, (clp_cone){r, -length / 2, 0, length});
  clp_tile_ellipsoid(builder, "z-", -1, (clp_ellipsoid){{0, 0, -length / 2}, radii}, south, equator,
                     1);
  clp_tile_ellipsoid(builder, "z+", -1, (clp_ellipsoid){{0, 0, length / 2}, radii}, equator, north,
                     1);
}

/* A point is a single vertex without faces. */
static void tile_point(clp_builder *builder, clp_vec3 place)
{
  if (!clp_is_coordinate(place.x) || !clp_is_coordinate(place.y) || !clp_is_coordinate(place.z)) {
    clp_subject subject = {.kind = CLP_FINDING_NUMBER, .item = -1, .number = -1};
    clp_defect(builder, subject,
               "the point's position is %s, expected finite numbers of at most 1e+09",
               clp_place(place).text);
    return;
  }
  clp_vertex *vertex = clp_arena_take(&builder->arena, 1, sizeof *vertex);
  if (!vertex)
    return;
  *vertex = (clp_vertex){.name = "point", .place = place, .sharp = true};
  builder->vertices = vertex;
  builder->vertex_count = 1;
}

void clp_tile_primitive(clp_builder *builder)
{
  const clp_body_def *def = builder->def;
  switch (def->shape) {
    case CLP_SHAPE_BOX:
      tile_box(builder, def->size);
      break;
    case CLP_SHAPE_SPHERE:
      if (clp_expect_positive(builder, def->radius, "the sphere's radius"))
        tile_whole_ellipsoid(builder, (clp_vec3){def->radius, def->radius, def->radius});
      break;
    case CLP_SHAPE_ELLIPSOID:
      tile_ellipsoid(builder, def->size);
      break;
    case CLP_SHAPE_CYLINDER:
      tile_cylinder(builder, def->radius, def->length);
      break;
    case CLP_SHAPE_CAPSULE:
      tile_capsule(builder, def->radius, def->length);
      break;
    default:
      tile_point(builder, def->size);
      break;
  }
}
