/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/experiment.h"
#include "papers/pen_bowl.h"
#include "rclc_closest_point/math/pose.h"

enum { ROWS = 9, FRAMES = 220, SWEEP = 221, PROFILE = 32 };

#define END 22.0

/* Table 1, row by row. */
static const clp_printed table[ROWS] = {
    {0, 8.0, {0, 0, 0}, {0, -4, 4}, false, "8.0: pen (0, 0, 0), bowl (0, -4, 4)"},
    {4, 5.65685, {0, 0, 0}, {0, 0, 0}, true, "5.65685: pen (0, 0, 0), bowl full C1"},
    {8, 0, {0, 0, 0}, {0, 4, 4}, false, "0: pen (0, 0, 0), bowl (0, 4, 4)"},
    {8.1,
     0.04472,
     {0, -0.03, 0.06},
     {0, 4, 4},
     false,
     "0.04472: pen (0, -0.03, 0.06), bowl (0, 4, 4)"},
    {8.8,
     0.35777,
     {0, -0.48, 0.96},
     {0, 4, 4},
     false,
     "0.35777: pen (0, -0.48, 0.96), bowl (0, 4, 4)"},
    {9.5, 1.0, {0, -0.5, 1.5}, {0, 4, 4}, false, "1.0: pen (0, -0.5, 1.5), bowl (0, 4, 4)"},
    {14.8, 6.3, {0, -0.5, 6.8}, {0, 4, 4}, false, "6.3: pen (0, -0.5, 6.8), bowl (0, 4, 4)"},
    {15.5, 7.01783, {0, -0.5, 7}, {0, 4, 4}, false, "7.01783: pen (0, -0.5, 7), bowl (0, 4, 4)"},
    {22,
     15.40764,
     {0, -0.5, 7},
     {0, 3.923, 3.84},
     false,
     "15.40764: pen (0, -0.5, 7), bowl (0, 3.923, 3.84)"}};

/* The pen's origin moves along (0, y, −y). */
static clp_pose course(double y)
{
  clp_pose X = clp_pose_identity();
  X.position = (clp_vec3){0, y, -y};
  return X;
}

/* ---- The misprints ------------------------------------------------------------------------ */

static void explain_half(clp_row *row, const clp_pen_bowl *pb, const clp_printed *printed)
{
  clp_pose X = course(printed->key);
  clp_vec3 twice = clp_scale(2, printed->pen);
  clp_row_note(
      row,
      "Misprint: the printed points are %.5f apart, twice the pen's point, (0, %g, %g), is "
      "%.5f from the bowl's.",
      clp_pen_bowl_distance(pb, X, printed->pen, printed->bowl), twice.y, twice.z,
      clp_pen_bowl_distance(pb, X, twice, printed->bowl));
}

/* Where the distance, which grows there, is the printed one. */
static void explain_key(clp_row *row, const clp_pen_bowl *pb, const clp_printed *printed)
{
  double lo = printed->key, hi = printed->key + 1;
  while (hi - lo > 1e-9) {
    double y = 0.5 * (lo + hi);
    *(clp_pen_bowl_ask(pb, course(y)).distance < printed->distance ? &lo : &hi) = y;
  }
  clp_found found = clp_pen_bowl_ask(pb, course(lo));
  clp_row_note(row,
               "Misprint: the row is that of y = %.2f, where the distance is %.5f and the bowl's "
               "point (0, %.3f, %.3f). The text calls the features (S1, C5); there is no C5, they "
               "are S1 and C3.",
               lo, found.distance, found.bowl.y, found.bowl.z);
}

static void add_table(clp_study *study, const clp_pen_bowl *pb)
{
  clp_series *rows = clp_study_series(study, "table", "y,distance,published");
  for (int k = 0; k < ROWS; ++k) {
    clp_row *row = clp_pen_bowl_add(study, pb, course, "Table 1, y = ", &table[k]);
    clp_series_add(rows, (double[]){table[k].key, row->value, table[k].distance});
    if (row->verdict == CLP_VERDICT_AGREES)
      continue;
    if (fabs(row->value - table[k].distance) < 1e-5)
      explain_half(row, pb, &table[k]);
    else
      explain_key(row, pb, &table[k]);
  }
}

/* ---- Pictures ----------------------------------------------------------------------------- */

static void add_sweep(clp_study *study, const clp_pen_bowl *pb)
{
  clp_series *sweep = clp_study_text_series(study, "sweep",
                                            "y,distance,pen_y,pen_z,bowl_y,bowl_z,"
                                            "features");
  clp_series *marks = clp_study_text_series(study, "features", "y,distance,features");
  char last[8] = "";
  for (int k = 0; k < SWEEP; ++k) {
    double y = END * k / (SWEEP - 1);
    clp_found found = clp_pen_bowl_ask(pb, course(y));
    if (found.distance < 1e-9) /* they touch: any features are right */
      continue;
    clp_series_add_text(
        sweep, (double[]){y, found.distance, found.pen.y, found.pen.z, found.bowl.y, found.bowl.z},
        found.features);
    if (strcmp(last, found.features) != 0)
      clp_series_add_text(marks, (double[]){y, found.distance}, found.features);
    memcpy(last, found.features, sizeof last);
    clp_study_progress(study, 0.5 + 0.5 * k / SWEEP);
  }
}

/* Cuts by the plane x = 0, in the world: the bowl, and the pen in the nine frames. */
static void add_cuts(clp_study *study, const clp_pen_bowl *pb)
{
  clp_series *bowl = clp_study_series(study, "bowl", "y,z");
  for (int k = -PROFILE; k <= PROFILE; ++k) {
    double r = 4.0 * k / PROFILE;
    clp_series_add(bowl, (double[]){4 + r, r * r / 4 - 12});
  }
  for (int k = PROFILE; k >= -PROFILE; --k) {
    double r = 4.0 * k / PROFILE;
    clp_series_add(bowl, (double[]){4 + r, 7 - sqrt(25 - r * r) - 12});
  }
  static const double pen[6][2] = {{0, 0}, {0.5, 1}, {0.5, 7}, {-0.5, 7}, {-0.5, 1}, {0, 0}};
  clp_series *pens = clp_study_series(study, "pens", "y,z");
  clp_series *pairs = clp_study_series(study, "pairs", "y,z");
  for (int k = 0; k < ROWS; ++k) {
    double y = table[k].key;
    for (int i = 0; i < 6; ++i)
      clp_series_add(pens, (double[]){pen[i][0] + y, pen[i][1] - y});
    clp_series_gap(pens);
    clp_found found = clp_pen_bowl_ask(pb, course(y));
    if (fabs(found.bowl.x) > 1e-6) /* all of C1 */
      found.bowl = (clp_vec3){0, 4, 4};
    clp_series_add(pairs, (double[]){found.pen.y + y, found.pen.z - y});
    clp_series_add(pairs, (double[]){found.bowl.y + 4, found.bowl.z - 12});
    clp_series_gap(pairs);
  }
}

static clp_status run(clp_study *study)
{
  clp_pen_bowl pb;
  clp_status status = clp_pen_bowl_create(&pb);
  if (status == CLP_OK) {
    add_table(study, &pb);
    clp_pen_frames frames = clp_pen_bowl_frames(study, &pb, course, 0, END, FRAMES);
    clp_pen_bowl_add_frames(study, &frames);
    add_sweep(study, &pb);
    add_cuts(study, &pb);
    clp_study_plot(study, "frames", NULL);
    clp_study_plot(study, "distance", NULL);
  }
  clp_pen_bowl_release(&pb);
  return status;
}

const clp_experiment clp_experiment_pen_bowl_line = {
    "pen-bowl-line", CLP_PAPER_NEWTON ", Table 1 and Fig. 4",
    "A pen moves along a line past a bowl that is not convex: every row of the table, and Newton's "
    "iterations from frame to frame.",
    4, run};
