/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MONITOR_H
#define TEST_SUPPORT_MONITOR_H

/* A monitor of three links, fed with scripted transforms. */

#include <math.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "support/one_monitor.h"

static const char model_text[] =
    "<robot name='test'>"
    "<link name='world'/>"
    "<link name='tool'><patches name='shaft'><cylinder radius='0.05' length='0.4'/></patches>"
    "<patches name='tip'><origin xyz='0 0 0.3'/><sphere radius='0.08'/></patches></link>"
    "<link name='table'><patches><box size='1 1 0.1'/></patches></link>"
    "<link name='head'><patches><ellipsoid radii='0.1 0.12 0.15'/></patches></link>"
    "</robot>";

static clp_model *model;

static inline clp_status create(void)
{
  return create_of(model_text);
}

static inline void enter(void)
{
  monitor_begin();
  ck_assert_int_eq(create(), CLP_OK);
  ck_assert_int_eq(clp_model_parse(model_text, strlen(model_text), "m", lines_sink(&said), &model),
                   CLP_OK);
}

static inline void leave_with_model(void)
{
  clp_model_destroy(model);
  leave();
}

static inline void create_again(void)
{
  ck_assert_int_eq(create(), CLP_OK);
}

/* ---- Poses -------------------------------------------------------------------------------- */

typedef struct place {
  clp_vec3 position;
  clp_quaternion orientation;
} place;

static inline place at(double x, double y, double z)
{
  return (place){{x, y, z}, {0, 0, 0, 1}};
}

static inline clp_pose pose_of(place p)
{
  return clp_pose_from(p.position, p.orientation);
}

static inline void feed(const char *child, int64_t stamp, place p)
{
  clp_arrival arrival = {"world", child, stamp, p.position, p.orientation};
  clp_monitor_feed(monitor, &arrival, 1, false, stamp);
}

static inline void feed_static(const char *child, place p)
{
  clp_arrival arrival = {"world", child, 0, p.position, p.orientation};
  clp_monitor_feed(monitor, &arrival, 1, true, BEGIN);
}

/* The usual scene: the tool moves, the others rest. */
static inline void rest_others(void)
{
  feed_static("table", at(0, 0, -0.05));
  feed_static("head", at(1.5, 0, 0.5));
}

static inline const clp_closest_point *find(const clp_report *report, const char *a, const char *b)
{
  for (int k = 0; k < report->pair_count; ++k)
    if (strcmp(report->pairs[k].body_a, a) == 0 && strcmp(report->pairs[k].body_b, b) == 0)
      return &report->pairs[k];
  return NULL;
}

static inline const clp_closest_point *get(const clp_report *report, const char *a, const char *b)
{
  const clp_closest_point *point = find(report, a, b);
  ck_assert_msg(point != NULL, "no pair %s:%s", a, b);
  return point;
}

static inline void expect_stale(const clp_closest_point *point)
{
  ck_assert_int_eq(point->status, CLP_STALE);
  ck_assert(isnan(point->distance) && isnan(point->point_a.x) && isnan(point->point_b.z));
  ck_assert(isnan(point->distance_rate) && isnan(point->normal.x));
  ck_assert(!isnan(point->lower_bound));
}

static inline void expect_counts(const clp_report *report)
{
  ck_assert_uint_eq(report->tracked + report->culled + report->stale,
                    (unsigned)clp_monitor_pair_count(monitor));
}

/* The distance of two links from scratch, over all their parts. */
static inline double true_distance(const char *a, clp_pose X_WA, const char *b, clp_pose X_WB)
{
  int link_a = clp_model_find_link(model, a), link_b = clp_model_find_link(model, b);
  double least = HUGE_VAL;
  for (int i = 0; i < clp_model_part_count(model, link_a); ++i)
    for (int j = 0; j < clp_model_part_count(model, link_b); ++j) {
      clp_part part_a = clp_model_part(model, link_a, i), part_b = clp_model_part(model, link_b, j);
      clp_pair_options options = clp_default_pair_options();
      clp_pair *pair = NULL;
      ck_assert_int_eq(clp_pair_create(part_a.body, part_b.body, &options, &pair), CLP_OK);
      clp_pose X_WP = clp_pose_multiply(X_WA, part_a.X_LP);
      clp_pose X_WQ = clp_pose_multiply(X_WB, part_b.X_LP);
      least = fmin(least, clp_pair_query(pair, &X_WP, &X_WQ).distance);
      clp_pair_destroy(pair);
    }
  return least;
}

#endif
