/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/pen_bowl.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/control/newton_pair.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* There is no deadline here. */
#define PATIENT_CELLS 1000000

#define RIM_RADIUS 4.0
#define RIM_HEIGHT 4.0

/* What the tables' digits allow. */
#define DISTANCE_DIGITS 1.0e-5
#define POINT_DIGITS 1.0e-3

/* ---- The bodies --------------------------------------------------------------------------- */

static clp_status turned(const clp_profile_piece *pieces, int count, bool convex, clp_body **body)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.convex = convex;
  def.revolved = (clp_revolved_def){0, 0, pieces, count};
  return clp_body_create(&def, (clp_reporter){NULL, NULL}, body);
}

clp_status clp_pen_bowl_create(clp_pen_bowl *pb)
{
  static const clp_profile_piece pen[] = {{.kind = CLP_PROFILE_LINE, .r = 0.5, .z = 1},
                                          {.kind = CLP_PROFILE_LINE, .r = 0.5, .z = 7},
                                          {.kind = CLP_PROFILE_LINE, .r = 0, .z = 7}};
  static const clp_profile_piece bowl[] = {
      {.kind = CLP_PROFILE_PARABOLA, .r = RIM_RADIUS, .z = RIM_HEIGHT, .apex_z = 0, .focal = 1},
      {.kind = CLP_PROFILE_ARC, .r = 0, .z = 2, .center_r = 0, .center_z = 7}};
  const clp_body_def point = clp_default_body_def(CLP_SHAPE_POINT);
  clp_pair_options options = clp_default_pair_options();
  options.cells = PATIENT_CELLS;
  *pb = (clp_pen_bowl){.X_WB = clp_pose_identity()};
  pb->X_WB.position = (clp_vec3){0, 4, -12};
  clp_status status = turned(pen, 3, true, &pb->pen);
  if (status == CLP_OK)
    status = turned(bowl, 2, false, &pb->bowl);
  if (status == CLP_OK)
    status = clp_body_create(&point, (clp_reporter){NULL, NULL}, &pb->point);
  if (status == CLP_OK)
    status = clp_pair_create(pb->pen, pb->point, NULL, &pb->probe);
  if (status == CLP_OK)
    status = clp_pair_create(pb->pen, pb->bowl, &options, &pb->pair);
  if (status == CLP_OK)
    status = clp_newton_create(pb->pen, pb->bowl, &pb->newton);
  return status;
}

void clp_pen_bowl_release(clp_pen_bowl *pb)
{
  clp_newton_destroy(pb->newton);
  clp_pair_destroy(pb->pair);
  clp_pair_destroy(pb->probe);
  clp_body_destroy(pb->point);
  clp_body_destroy(pb->bowl);
  clp_body_destroy(pb->pen);
  *pb = (clp_pen_bowl){0};
}

/* ---- Answers ------------------------------------------------------------------------------ */

static const char *pen_feature(clp_feature_kind kind, uint32_t id)
{
  static const char *const faces[] = {"S3", "S4", "S5"}, *const edges[] = {"C2", "C3"};
  if (kind == CLP_VERTEX)
    return "V1";
  return kind == CLP_FACE ? faces[id] : edges[id];
}

static const char *bowl_feature(clp_feature_kind kind, uint32_t id)
{
  static const char *const faces[] = {"S1", "S2"};
  return kind == CLP_FACE ? faces[id] : "C1";
}

clp_found clp_pen_bowl_ask(const clp_pen_bowl *pb, clp_pose X_WP)
{
  clp_answer a = clp_pair_query(pb->pair, &X_WP, &pb->X_WB);
  clp_found found = {.distance = a.distance,
                     .pen = clp_transform_back(X_WP, a.point_a),
                     .bowl = clp_transform_back(pb->X_WB, a.point_b),
                     .several = a.non_unique};
  snprintf(found.features, sizeof found.features, "%s–%s", pen_feature(a.kind_a, a.feature_a),
           bowl_feature(a.kind_b, a.feature_b));
  return found;
}

double clp_pen_bowl_distance(const clp_pen_bowl *pb, clp_pose X_WP, clp_vec3 pen, clp_vec3 bowl)
{
  return clp_distance(clp_transform(X_WP, pen), clp_transform(pb->X_WB, bowl));
}

double clp_pen_bowl_twin(const clp_pen_bowl *pb, clp_pose X_WP, const clp_found *found)
{
  clp_vec3 pen = {-found->pen.x, found->pen.y, found->pen.z};
  clp_vec3 bowl = {-found->bowl.x, found->bowl.y, found->bowl.z};
  return clp_pen_bowl_distance(pb, X_WP, pen, bowl);
}

/* ---- The tables --------------------------------------------------------------------------- */

/* Five digits, and no minus before a zero. */
static double rounded(double x)
{
  return round(x * 1e5) / 1e5 + 0.0;
}

static void write_found(clp_row *row, bool right, const clp_found *found, bool circle)
{
  clp_vec3 p = found->pen, b = found->bowl;
  char bowl[64];
  snprintf(bowl, sizeof bowl, "(%.5g, %.5g, %.5g)", rounded(b.x), rounded(b.y), rounded(b.z));
  clp_row_result(row, right, found->distance, "%.6g: pen (%.5g, %.5g, %.5g), bowl %s",
                 rounded(found->distance), rounded(p.x), rounded(p.y), rounded(p.z),
                 circle ? "any point of C1" : bowl);
}

/* By how much the distances between the pen and the points of the rim differ. */
static double rim_spread(const clp_pen_bowl *pb, clp_pose X_WP)
{
  double least = HUGE_VAL, most = 0;
  for (int k = 0; k < 360; ++k) {
    double distance = clp_pen_bowl_rim(pb, X_WP, k * CLP_PI / 180);
    least = fmin(least, distance);
    most = fmax(most, distance);
  }
  return most - least;
}

clp_row *clp_pen_bowl_add(clp_study *study, const clp_pen_bowl *pb, clp_pen_course course,
                          const char *key_name, const clp_printed *printed)
{
  char quantity[64];
  clp_pose X_WP = course(printed->key);
  clp_found found = clp_pen_bowl_ask(pb, X_WP);
  snprintf(quantity, sizeof quantity, "%s%g", key_name, printed->key);
  clp_row *row = clp_study_row(study, quantity, printed->text);
  bool circle = printed->circle && found.several && rim_spread(pb, X_WP) < 1e-12;
  double apart = printed->circle ? found.distance
                                 : clp_pen_bowl_distance(pb, X_WP, printed->pen, printed->bowl);
  bool right = fabs(printed->distance - found.distance) < DISTANCE_DIGITS &&
               fabs(apart - found.distance) < POINT_DIGITS && circle == printed->circle;
  write_found(row, right, &found, circle);
  return row;
}

double clp_pen_bowl_rim(const clp_pen_bowl *pb, clp_pose X_WP, double angle)
{
  clp_pose X_WQ = clp_pose_identity();
  clp_vec3 p = {RIM_RADIUS * cos(angle), RIM_RADIUS * sin(angle), RIM_HEIGHT};
  X_WQ.position = clp_transform(pb->X_WB, p);
  return clp_pair_query(pb->probe, &X_WP, &X_WQ).distance;
}

/* ---- Frames ------------------------------------------------------------------------------- */

static double seconds_since(clock_t start)
{
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* One call of the paper's FindMin: the features that were nearest in the frame before. */
static void find_minimum(clp_pen_frames *f, const clp_couple *couple, clp_spots spots)
{
  clp_newton_pair pair = {.couple = couple};
  double distance;
  if (!clp_newton_pair_solve(&pair, &spots, &distance) || pair.restarts > 0)
    return;
  const int last = (int)(sizeof f->iterations / sizeof *f->iterations) - 1;
  f->solved++;
  f->iterations[pair.iterations < last ? pair.iterations : last]++;
  f->most = pair.iterations > f->most ? pair.iterations : f->most;
}

static double track_seconds(const clp_pen_bowl *pb, clp_pen_course course, double from, double to,
                            int count)
{
  clp_pair *pair;
  clp_twist rest = {{0, 0, 0}, {0, 0, 0}};
  if (clp_pair_create(pb->pen, pb->bowl, NULL, &pair) != CLP_OK)
    return 0;
  clp_pose X = course(from);
  clp_pair_query(pair, &X, &pb->X_WB);
  clock_t start = clock();
  for (int k = 1; k <= count; ++k) {
    clp_pose next = course(from + (to - from) * k / count);
    clp_twist V = clp_twist_between(X, next, 1e-3);
    V.linear = clp_add(V.linear, clp_cross(V.angular, next.position));
    clp_pair_track(pair, &next, &pb->X_WB, &V, &rest, 1e-3);
    X = next;
  }
  double seconds = seconds_since(start);
  clp_pair_destroy(pair);
  return seconds;
}

clp_pen_frames clp_pen_bowl_frames(clp_study *study, const clp_pen_bowl *pb, clp_pen_course course,
                                   double from, double to, int count)
{
  clp_pen_frames f = {.frames = count};
  clp_spots spots;
  clp_pose X = course(from);
  clp_couple couple = clp_couple_make(pb->pen, pb->bowl, &X, &pb->X_WB);
  clp_newton_query(pb->newton, &couple, &spots);
  for (int k = 1; k <= count; ++k) {
    X = course(from + (to - from) * k / count);
    couple = clp_couple_make(pb->pen, pb->bowl, &X, &pb->X_WB);
    find_minimum(&f, &couple, spots);
    clock_t start = clock();
    clp_newton_result found = clp_newton_track(pb->newton, &couple, &spots);
    f.seconds += seconds_since(start);
    double error = fabs(found.distance - clp_pair_query(pb->pair, &X, &pb->X_WB).distance);
    f.matching += error < 1e-9;
    f.worst = fmax(f.worst, error);
    clp_study_progress(study, 0.5 * k / count);
  }
  f.tracked_seconds = track_seconds(pb, course, from, to, count);
  return f;
}

void clp_pen_bowl_add_frames(clp_study *study, const clp_pen_frames *f)
{
  clp_row *row = clp_study_row(study, "iterations of Newton's method, where there is a solution",
                               "2 to 3, at most 12");
  const int *n = f->iterations;
  clp_row_result(row, 2 * (n[0] + n[1] + n[2] + n[3]) > f->solved && f->most <= 12, f->most,
                 "0 or 1 in %d frames, 2 in %d, 3 in %d, more in %d, at most %d", n[0] + n[1], n[2],
                 n[3], f->solved - n[0] - n[1] - n[2] - n[3], f->most);
  clp_row_note(row,
               "From the solution of the frame before, with the features that were nearest there, "
               "to 1e-12 of the distance. In the other %d of %d frames these have no minimum, and "
               "the search goes on with others.",
               f->frames - f->solved, f->frames);
  row = clp_study_row(study, "frames in which the top-down search finds the certified minimum",
                      "all");
  clp_row_result(row, f->matching == f->frames, f->matching, "%d of %d", f->matching, f->frames);
  clp_study_remark(
      study,
      "update rate here, to its order of magnitude: %.0e/s by the top-down search, %.0e/s "
      "by the certified tracker (published: about 1e+03/s on a Pentium 4)",
      f->frames / fmax(f->seconds, 1e-6), f->frames / fmax(f->tracked_seconds, 1e-6));
}
