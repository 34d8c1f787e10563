/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/experiment.h"
#include "papers/pen_bowl.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/surface/surface_kinds.h"

enum { ROWS = 11, FRAMES = 360, SWEEP = 361, RANGES = 8 };

/* Table 2, row by row. */
static const clp_printed table[ROWS] = {
    {45, 8, {0, 0, 0}, {0, -4, 4}, false, "8: pen (0, 0, 0), bowl (0, -4, 4)"},
    {66,
     7.99198,
     {0, -0.16, 0.32},
     {0, -4, 4},
     false,
     "7.99198: pen (0, -.16, .32), bowl (0, -4, 4)"},
    {90, 7.56637, {0, -0.5, 1}, {0, -4, 4}, false, "7.56637: pen (0, -.5, 1), bowl (0, -4, 4)"},
    {120, 6.42820, {0, -0.5, 4}, {0, -4, 4}, false, "6.42820: pen (0, -.5, 4), bowl (0, -4, 4)"},
    {170, 1.24994, {0, -0.5, 7}, {0, -4, 4}, false, "1.24994: pen (0, -.5, 7), bowl (0, -4, 4)"},
    {178,
     0.99513,
     {0, -0.279, 7},
     {0, -4, 4},
     false,
     "0.99513: pen (0, -0.279, 7), bowl (0, -4, 4)"},
    {182,
     0.99513,
     {0, 0.279, 7},
     {0, -2.897, 2.925},
     false,
     "0.99513: pen (0, 0.279, 7), bowl (0, -2.897, 2.925)"},
    {210, 3.38993, {0, 0.5, 7}, {0, 4, 4}, false, "3.38993: pen (0, 0.5, 7), bowl (0, 4, 4)"},
    {225, 4.31371, {0, 0, 7}, {0, 4, 4}, false, "4.31371: pen (0, 0, 7), bowl (0, 4, 4)"},
    {270, 7.56637, {0, 0.5, 7}, {0, 4, 4}, false, "7.56637: pen (0, 0.5, 7), bowl (0, 4, 4)"},
    {293,
     7.98452,
     {0, 0.222, 0.445},
     {0, -4, 4},
     false,
     "7.98452: pen (0, .222, .445), bowl (0, -4, 4)"}};

/* The pen turns right-handed about its x axis. */
static clp_pose course(double degrees)
{
  clp_pose X = clp_pose_identity();
  X.rotation = clp_rotation_from_rpy(degrees * CLP_PI / 180, 0, 0);
  return X;
}

/* ---- The rows that do not hold ------------------------------------------------------------ */

/* The printed pair lies in the plane x = 0. Along the rim the pen's distance is largest there. */
static void explain_maximum(clp_row *row, const clp_pen_bowl *pb, const clp_printed *printed)
{
  clp_pose X = course(printed->key);
  clp_found found = clp_pen_bowl_ask(pb, X);
  double at = atan2(printed->bowl.y, printed->bowl.x), side = 0.05;
  clp_row_note(row,
               "The printed pair is stationary, but no minimum: of the rim's points (0, %g, 4) is "
               "%.6f from the pen, those 0.05 rad to both sides of it are %.6f and %.6f. The two "
               "minima lie at x = %.3f and x = %.3f, each %.6f from the pen.",
               printed->bowl.y, clp_pen_bowl_rim(pb, X, at), clp_pen_bowl_rim(pb, X, at - side),
               clp_pen_bowl_rim(pb, X, at + side), -fabs(found.bowl.x), fabs(found.bowl.x),
               clp_pen_bowl_twin(pb, X, &found));
}

static clp_vec3 mirrored(clp_vec3 p)
{
  return (clp_vec3){p.x, -p.y, p.z};
}

/* The distance is right, the bowl's point is another row's: of the one in which it is as far from
 * the pen's point as is printed there, perhaps with the sign of y reversed. */
static void explain_exchange(clp_row *row, const clp_pen_bowl *pb, const clp_printed *printed)
{
  double apart = clp_pen_bowl_distance(pb, course(printed->key), printed->pen, printed->bowl);
  for (int k = 0; k < ROWS; ++k) {
    const clp_printed *other = &table[k];
    clp_pose X = course(other->key);
    double there = clp_pen_bowl_distance(pb, X, other->pen, other->bowl);
    double same = clp_pen_bowl_distance(pb, X, other->pen, printed->bowl);
    double turned = clp_pen_bowl_distance(pb, X, other->pen, mirrored(printed->bowl));
    bool wrong = other != printed && fabs(there - other->distance) > 1e-3;
    if (wrong && fmin(fabs(same - other->distance), fabs(turned - other->distance)) < 1e-3)
      clp_row_note(
          row,
          "Misprint: the printed points are %.4f apart. The bowl's point is that of %g°%s, "
          "where it is %.4f from the printed point of the pen.",
          apart, other->key, fabs(same - other->distance) < 1e-3 ? "" : ", y reversed",
          fmin(same, turned));
  }
}

static void add_table(clp_study *study, const clp_pen_bowl *pb)
{
  clp_series *rows = clp_study_series(study, "table", "degrees,distance,published");
  for (int k = 0; k < ROWS; ++k) {
    clp_row *row = clp_pen_bowl_add(study, pb, course, "Table 2, degrees: ", &table[k]);
    clp_series_add(rows, (double[]){table[k].key, row->value, table[k].distance});
    if (row->verdict == CLP_VERDICT_AGREES)
      continue;
    if (fabs(row->value - table[k].distance) < 1e-5)
      explain_exchange(row, pb, &table[k]);
    else
      explain_maximum(row, pb, &table[k]);
  }
}

/* ---- Out of the plane --------------------------------------------------------------------- */

typedef struct range {
  double from, to;
} range;

static bool is_off_plane(const clp_pen_bowl *pb, double degrees)
{
  return fabs(clp_pen_bowl_ask(pb, course(degrees)).bowl.x) > 1e-3;
}

/* Where being off the plane changes between the two angles. */
static double boundary(const clp_pen_bowl *pb, double lo, double hi)
{
  bool at_lo = is_off_plane(pb, lo);
  while (hi - lo > 1e-4) {
    double middle = 0.5 * (lo + hi);
    *(is_off_plane(pb, middle) == at_lo ? &lo : &hi) = middle;
  }
  return 0.5 * (lo + hi);
}

typedef struct sweep {
  range ranges[RANGES];
  int count;
  double unlike; /* the largest difference of the distances of twins */
  int single;    /* of twins, how often the answer does not say that there are several */
  int off;       /* answers off the plane */
} sweep;

static sweep make_sweep(clp_study *study, const clp_pen_bowl *pb)
{
  sweep s = {.count = 0};
  clp_series *series = clp_study_text_series(study, "sweep", "degrees,distance,x,features");
  clp_series *marks = clp_study_text_series(study, "features", "degrees,distance,features");
  char last[8] = "";
  bool off_before = false;
  for (int k = 0; k < SWEEP; ++k) {
    double degrees = 360.0 * k / (SWEEP - 1), before = 360.0 * (k - 1) / (SWEEP - 1);
    clp_pose X = course(degrees);
    clp_found found = clp_pen_bowl_ask(pb, X);
    bool off = fabs(found.bowl.x) > 1e-3;
    if (off && !off_before && s.count < RANGES)
      s.ranges[s.count].from = boundary(pb, before, degrees);
    if (!off && off_before && s.count < RANGES)
      s.ranges[s.count++].to = boundary(pb, before, degrees);
    if (off) {
      s.unlike = fmax(s.unlike, fabs(clp_pen_bowl_twin(pb, X, &found) - found.distance));
      s.single += !found.several;
      s.off++;
    }
    clp_series_add_text(series, (double[]){degrees, found.distance, fabs(found.bowl.x)},
                        found.features);
    if (strcmp(last, found.features) != 0)
      clp_series_add_text(marks, (double[]){degrees, found.distance}, found.features);
    memcpy(last, found.features, sizeof last);
    off_before = off;
    clp_study_progress(study, 0.5 + 0.5 * k / SWEEP);
  }
  return s;
}

static void add_sweep(clp_study *study, const clp_pen_bowl *pb)
{
  sweep s = make_sweep(study, pb);
  clp_row *row =
      clp_study_row(study, "closest points out of the plane x = 0", "never: all x are 0");
  char text[128] = "";
  for (int k = 0; k < s.count; ++k) {
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%.2f° to %.2f°", k > 0 ? ", " : "",
             s.ranges[k].from, s.ranges[k].to);
  }
  clp_row_result(row, s.count == 0, s.count, "%s", *text ? text : "never");
  clp_row_note(row,
               "Two minima each time, mirrored in the plane and equally far to %s: a search in the "
               "plane finds a point between them that is a maximum along the rim. That the second "
               "derivatives are looked at is not optional. %d of %d certified answers there say "
               "that others are as near.",
               s.unlike < 1e-12 ? "1e-12" : "less than 1e-12", s.off - s.single, s.off);
}

static clp_status run(clp_study *study)
{
  clp_pen_bowl pb;
  clp_status status = clp_pen_bowl_create(&pb);
  if (status == CLP_OK) {
    add_table(study, &pb);
    clp_pen_frames frames = clp_pen_bowl_frames(study, &pb, course, 0, 360, FRAMES);
    clp_pen_bowl_add_frames(study, &frames);
    add_sweep(study, &pb);
    clp_study_plot(study, "distance", NULL);
  }
  clp_pen_bowl_release(&pb);
  return status;
}

const clp_experiment clp_experiment_pen_bowl_turn = {
    "pen-bowl-turn", CLP_PAPER_NEWTON ", Table 2 and Fig. 5",
    "The pen turns about its x axis over the bowl, a degree a frame: every row of the table, the "
    "twin minima out of the plane, and Newton's iterations.",
    4, run};
