/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_REFERENCE_H
#define TEST_SUPPORT_REFERENCE_H

#include "support/results.h"

/* The command against the reference cases of test/data/cases: what an independent program computed
 * for the pair a:b of each of them. */

static const char *const reference_cases[] = {"ellipsoids_00",
                                              "ellipsoids_01",
                                              "ellipsoids_02",
                                              "ellipsoids_03",
                                              "ellipsoids_04",
                                              "ellipsoids_05",
                                              "ellipsoids_06",
                                              "ellipsoids_07",
                                              "ellipsoids_08",
                                              "ellipsoids_09",
                                              "ellipsoids_10",
                                              "ellipsoids_11",
                                              "hulls_0",
                                              "hulls_1",
                                              "hulls_2",
                                              "pair_00_box_cylinder",
                                              "pair_01_box_topbox",
                                              "pair_02_cylinder_cylinder",
                                              "pair_03_cylinder_lemon",
                                              "pair_04_lemon_lemon",
                                              "pair_05_lemon_capped_frustum",
                                              "pair_06_topbox_lemon",
                                              "pair_07_topbox_capped_frustum",
                                              "pair_08_sphere6_topbox",
                                              "pair_09_capped_frustum_cylinder",
                                              "pair_10_box_box",
                                              "parallel_00_box_box",
                                              "parallel_01_box_box",
                                              "parallel_02_box_cylinder",
                                              "parallel_03_cylinder_cylinder",
                                              "parallel_04_capped_frustum_capped_frustum",
                                              "parallel_05_topbox_topbox",
                                              "parallel_06_box_box",
                                              "parallel_07_lemon_lemon",
                                              "parallel_08_box_box",
                                              "parallel_09_box_box",
                                              "patch_table1",
                                              "pen_bowl_line",
                                              "pen_bowl_random",
                                              "pen_bowl_turn",
                                              "planar_pair_0",
                                              "planar_pair_1",
                                              "planar_point_0",
                                              "planar_point_1",
                                              "planar_point_2",
                                              "point_box",
                                              "point_capped_frustum",
                                              "point_cylinder",
                                              "point_lemon",
                                              "point_sphere6",
                                              "point_topbox",
                                              "spheres_signed"};
enum {
  REFERENCE_CASES = sizeof reference_cases / sizeof *reference_cases,
  REFERENCE_ROWS_MAX = 1024
};

typedef struct reference_row {
  double t, distance;
  clp_vec3 a, b;
  bool unique; /* the witnesses are there and the only ones */
} reference_row;

static inline int reference_rows(const char *name, reference_row rows[REFERENCE_ROWS_MAX])
{
  char path[1024], line[1024];
  snprintf(path, sizeof path, DATA "/cases/%s/expected.csv", name);
  FILE *file = table_open(path, "t,link_a,link_b,distance,ax,ay,az,bx,by,bz,unique\n");
  int count = 0;
  for (; fgets(line, sizeof line, file); ++count) {
    ck_assert_int_lt(count, REFERENCE_ROWS_MAX);
    char *text = line;
    reference_row row = {.t = next_number(&text)};
    ck_assert_str_eq(next_field(&text), "a");
    ck_assert_str_eq(next_field(&text), "b");
    row.distance = next_number(&text);
    if (*text != ',') {
      row.a = next_vector(&text);
      row.b = next_vector(&text);
      row.unique = strcmp(next_field(&text), "1") == 0;
    }
    rows[count] = row;
  }
  fclose(file);
  return count;
}

static inline void expect_reference_row(const char *name, const result_row *row,
                                        const reference_row *truth)
{
  double scale = fmax(1, fabs(truth->distance));
  ck_assert_double_eq(row->t, truth->t);
  expect_sound(row, 1e-6 * scale);
  ck_assert_msg(fabs(row->distance - truth->distance) <= 1e-9 * scale,
                "%s, t %g: distance %.17g, expected %.17g", name, row->t, row->distance,
                truth->distance);
  ck_assert_msg(row->lower <= truth->distance + 1e-9 * scale,
                "%s, t %g: lower bound %.17g above the truth %.17g", name, row->t, row->lower,
                truth->distance);
  if (!truth->unique)
    return;
  double off = fmax(clp_distance(row->a, truth->a), clp_distance(row->b, truth->b));
  ck_assert_msg(off <= 1e-6, "%s, t %g: a witness is off by %g", name, row->t, off);
}

static inline result_table reference_run(const char *name, const char *mode, const char *pair)
{
  char arguments[2048];
  snprintf(arguments, sizeof arguments,
           "%s " DATA "/cases/%s/model.urdf " DATA "/cases/%s/poses.csv --pairs %s", mode, name,
           name, pair);
  return results_of(arguments);
}

/* Every answer of the case, and that the swapped pair has the same distances. */
static inline void expect_reference(const char *name, const char *mode)
{
  static reference_row truth[REFERENCE_ROWS_MAX];
  int count = reference_rows(name, truth), certain = 0;
  result_table table = reference_run(name, mode, "a:b");
  result_table swapped = reference_run(name, mode, "b:a");
  ck_assert_int_eq(table.count, count);
  ck_assert_int_eq(swapped.count, count);
  for (int k = 0; k < count; ++k) {
    const result_row *row = &table.rows[k];
    expect_reference_row(name, row, &truth[k]);
    double scale = fmax(1, fabs(truth[k].distance));
    ck_assert_double_eq_tol(row->distance, swapped.rows[k].distance, 1e-12 * scale);
    certain += strcmp(row->status, truth[k].distance < 0 ? "PENETRATING" : "TRACKING") == 0;
  }
  ck_assert_msg(count - certain <= (count + 50) / 100, "%s: %d of %d answers are certain", name,
                certain, count);
  free(table.rows);
  free(swapped.rows);
}

#endif
