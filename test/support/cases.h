/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_CASES_H
#define TEST_SUPPORT_CASES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model.h"
#include "rclc_closest_point/witness/descent.h"
#include "support/marks.h"

/* The reference cases of test/data/cases: a model of two links, poses, and what an independent
 * program computed for them. */

typedef struct case_row {
  double t, distance;
  clp_pose X_WA, X_WB;
  clp_vec3 point_a, point_b;
  bool unique; /* the witnesses are given and the only ones */
} case_row;

typedef struct reference_case {
  clp_model *model;
  const clp_body *a, *b;
  case_row *rows;
  int count;
} reference_case;

static inline void case_message(void *user, clp_severity severity, const char *line)
{
  (void)user;
  if (severity == CLP_DEFECT)
    ck_abort_msg("%s", line);
}

static inline clp_pose case_pose(const double *p, const double *q)
{
  double l = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  double x = q[0] / l, y = q[1] / l, z = q[2] / l, w = q[3] / l;
  return (clp_pose){{{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                     {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                     {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}},
                    {p[0], p[1], p[2]}};
}

static inline FILE *case_open(const char *name, const char *file)
{
  char path[512];
  snprintf(path, sizeof path, "%s/cases/%s/%s", TEST_DATA_DIR, name, file);
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "cannot open %s", path);
  return f;
}

/* Reads the rows of expected.csv, each with the poses that hold at its time. */
static inline void case_read_rows(reference_case *c, FILE *expected, FILE *poses, const char *a)
{
  char line[1024], next[1024] = "";
  clp_pose now[2] = {clp_pose_identity(), clp_pose_identity()};
  ck_assert_ptr_nonnull(fgets(line, sizeof line, expected));
  ck_assert_ptr_nonnull(fgets(next, sizeof next, poses));
  bool more = fgets(next, sizeof next, poses) != NULL;
  while (fgets(line, sizeof line, expected)) {
    double t, d, w[6], p[3], q[4];
    int unique = 0, fields;
    char link[64];
    fields = sscanf(line, "%lf,%*[^,],%*[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d", &t, &d, w, w + 1,
                    w + 2, w + 3, w + 4, w + 5, &unique);
    while (more &&
           sscanf(next, "%*[^,],%63[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf", link, p, p + 1, p + 2, q,
                  q + 1, q + 2, q + 3) == 8 &&
           strtod(next, NULL) <= t) {
      now[strcmp(link, a) != 0] = case_pose(p, q);
      more = fgets(next, sizeof next, poses) != NULL;
    }
    c->rows = realloc(c->rows, (size_t)(c->count + 1) * sizeof *c->rows);
    ck_assert_ptr_nonnull(c->rows);
    c->rows[c->count++] = (case_row){.t = t,
                                     .distance = d,
                                     .X_WA = now[0],
                                     .X_WB = now[1],
                                     .point_a = {w[0], w[1], w[2]},
                                     .point_b = {w[3], w[4], w[5]},
                                     .unique = fields == 9 && unique == 1};
  }
}

/* The case with one part per link, first link as A. */
static inline reference_case case_load(const char *name)
{
  reference_case c = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/cases/%s/model.urdf", TEST_DATA_DIR, name);
  ck_assert_int_eq(clp_model_load(path, (clp_model_sink){case_message, NULL}, &c.model), CLP_OK);
  c.a = clp_model_part(c.model, 0, 0).body;
  c.b = clp_model_part(c.model, 1, 0).body;
  FILE *expected = case_open(name, "expected.csv"), *poses = case_open(name, "poses.csv");
  case_read_rows(&c, expected, poses, clp_model_link_name(c.model, 0));
  fclose(expected);
  fclose(poses);
  ck_assert_int_gt(c.count, 0);
  return c;
}

static inline void case_free(reference_case *c)
{
  free(c->rows);
  clp_model_destroy(c->model);
  *c = (reference_case){0};
}

/* The velocity that led from one pose to the next, as a twist at the later one. */
static inline clp_twist case_twist(const clp_pose *from, const clp_pose *to, double step)
{
  clp_pose back = clp_pose_inverse(*from);
  clp_mat3 r = clp_mat3_multiply(to->rotation, back.rotation);
  clp_vec3 axis = {r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x};
  double sine = 0.5 * clp_norm(axis), cosine = 0.5 * (r.x.x + r.y.y + r.z.z - 1);
  double angle = atan2(sine, cosine);
  return (clp_twist){clp_scale(1 / step, clp_sub(to->position, from->position)),
                     clp_scale(sine > 1e-12 ? angle / (2 * sine * step) : 0.5 / step, axis)};
}

/* The two bodies as the controllers see them at a row. */
static inline clp_couple case_couple(const reference_case *c, int row)
{
  return clp_couple_make(c->a, c->b, &c->rows[row].X_WA, &c->rows[row].X_WB);
}

/* How long the cycle to this row took, and B's motion in it as seen from A. */
static inline double case_cycle(const reference_case *c, int row)
{
  return c->rows[row].t - c->rows[row - 1].t;
}

static inline double case_error(const reference_case *c, int row, double distance)
{
  double expected = c->rows[row].distance;
  return fabs(distance - expected) / fmax(1, fabs(expected));
}

#endif
