/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/markers.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/monitor/body_triangles.h"
#include "support/bodies.h"
#include "support/suite.h"

/* A report as something to look at. */

static clp_settings settings;
static clp_vec3 witnesses[6], normals[6];
static clp_color colors[6];
static clp_markers markers = {
    .witnesses = witnesses, .normals = normals, .colors = colors, .room = 3};

static clp_closest_point point_at(double x, double distance, double lower_bound,
                                  clp_pair_status status)
{
  return (clp_closest_point){.body_a = "a",
                             .body_b = "b",
                             .status = status,
                             .distance = distance,
                             .lower_bound = lower_bound,
                             .required = 0.1,
                             .point_a = {x, 0, 0},
                             .point_b = {x, distance, 0},
                             .normal = {0, 1, 0}};
}

static void fill(const clp_closest_point *points, int count)
{
  clp_report report = {.pairs = points, .pair_count = count};
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  clp_markers_fill(&markers, &report, &settings);
  clp_settings_release(&settings);
}

SUITE("markers");

TEST_CASE("lists", 10);

TEST(lines_go_from_witness_to_witness)
{
  clp_closest_point points[] = {point_at(1, 0.3, 0.25, CLP_TRACKING),
                                point_at(2, 0.9, 0.8, CLP_CONVERGING)};
  fill(points, 2);
  ck_assert_int_eq(markers.count, 2);
  ck_assert_double_eq(witnesses[0].x, 1);
  ck_assert_double_eq(witnesses[1].y, 0.3);
  ck_assert_double_eq(witnesses[3].y, 0.9);
  ck_assert_double_eq(normals[1].y - normals[0].y, 0.05);
  ck_assert_double_eq(markers.place.y, 0.15);
  ck_assert_str_eq(markers.words, "0.3 m (at least 0.25)");
}

/* By the bound, not by the distance; what is not certain is paler. */
TEST(colors_tell_the_zone)
{
  clp_closest_point points[] = {point_at(1, 0.7, 0.05, CLP_TRACKING),
                                point_at(2, 0.7, 0.3, CLP_TRACKING),
                                point_at(3, 0.7, 0.6, CLP_CONVERGING)};
  fill(points, 3);
  ck_assert(colors[0].r > 0.9f && colors[0].g < 0.2f);
  ck_assert(colors[2].r > 0.9f && colors[3].g > 0.5f);
  ck_assert(colors[4].g > 0.7f && colors[4].r < 0.5f);
  ck_assert(colors[2].a > 0.9f && colors[5].a < 0.6f);
}

TEST(stale_pairs_and_what_has_no_room_are_left_out)
{
  clp_closest_point points[] = {
      point_at(1, 0.1, 0, CLP_TRACKING), point_at(2, 0.2, 0, CLP_TRACKING),
      point_at(3, 0.3, 0, CLP_TRACKING), point_at(4, 0.4, 0, CLP_TRACKING)};
  fill(points, 4);
  ck_assert_int_eq(markers.count, 3);
  points[0] = point_at(1, (double)NAN, -1, CLP_STALE);
  fill(points, 1);
  ck_assert_int_eq(markers.count, 0);
  ck_assert_str_eq(markers.words, "");
}

/* ---- Bodies ------------------------------------------------------------------------------- */

static double area_of(const clp_vec3 *points, int count)
{
  double sum = 0;
  for (int k = 0; k + 2 < count; k += 3)
    sum += 0.5 * clp_norm(clp_cross(clp_sub(points[k + 1], points[k]),
                                    clp_sub(points[k + 2], points[k])));
  return sum;
}

/* Less, where triangles look inwards. */
static double volume_of(const clp_vec3 *points, int count)
{
  double sum = 0;
  for (int k = 0; k + 2 < count; k += 3)
    sum += clp_dot(points[k], clp_cross(points[k + 1], points[k + 2])) / 6;
  return sum;
}

/* What is drawn covers the body, padding included, is on it, and looks outwards. */
static void expect_drawn(clp_body_def def)
{
  const clp_pose identity = clp_pose_identity();
  clp_body *body = must_create(&def);
  clp_body_info info = clp_body_describe(body);
  clp_part part = {body, identity, ""};
  int count = clp_part_triangles(&part, NULL);
  clp_vec3 *points = calloc((size_t)count, sizeof *points);
  ck_assert_int_eq(clp_part_triangles(&part, points), count);
  ck_assert_int_eq(count % 3, 0);
  ck_assert_double_eq_tol(area_of(points, count) / info.area, 1, 0.04);
  ck_assert_double_eq_tol(volume_of(points, count) / info.volume, 1, 0.08);
  def.padding = 0;
  clp_body *core = must_create(&def), *point = bodies_point();
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(core, point, NULL, &pair), CLP_OK);
  for (int k = 0; k < count; k += 7) {
    clp_pose X = {identity.rotation, points[k]};
    ck_assert_double_eq_tol(clp_pair_query(pair, &identity, &X).distance, info.padding, 1e-8);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(core);
  clp_body_destroy(point);
  clp_body_destroy(body);
  free(points);
}

LOOP_TEST(padded_bodies_are_drawn, 0, 12)
{
  static const clp_shape shapes[] = {CLP_SHAPE_BOX,     CLP_SHAPE_CYLINDER, CLP_SHAPE_ELLIPSOID,
                                     CLP_SHAPE_CAPSULE, CLP_SHAPE_POINT,    CLP_SHAPE_REVOLVED};
  static const clp_profile_piece cone[2] = {{.kind = CLP_PROFILE_LINE, .r = 0.4, .z = -0.3},
                                            {.kind = CLP_PROFILE_LINE, .r = 0, .z = 0.5}};
  clp_body_def def = clp_default_body_def(shapes[_i / 2]);
  if (def.shape != CLP_SHAPE_POINT)
    def.size = (clp_vec3){0.5, 0.7, 0.4};
  def.radius = 0.3;
  def.length = 0.8;
  def.padding = 0.3 * (_i % 2);
  def.revolved = (clp_revolved_def){0, -0.3, cone, 2};
  if (def.shape != CLP_SHAPE_POINT || def.padding > 0)
    expect_drawn(def);
}
