/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/markers.h"

#include <stdio.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/monitor/separation.h"

#define NORMAL_LENGTH 0.05 /* meters */

/* The zone that the pair alone would make; what is not narrowed down is paler. */
static clp_color color_of(const clp_closest_point *point, const clp_settings *settings)
{
  static const clp_color clear = {0.2f, 0.8f, 0.3f, 1.0f};
  static const clp_color warn = {1.0f, 0.7f, 0.0f, 1.0f};
  static const clp_color stop = {1.0f, 0.1f, 0.1f, 1.0f};
  double margin = point->lower_bound - point->required;
  clp_color color = margin < 0 ? stop : margin < clp_separation_warn_width(settings) ? warn : clear;
  if (point->status == CLP_CONVERGING)
    color.a = 0.5f;
  return color;
}

static void add(clp_markers *markers, const clp_closest_point *point, const clp_settings *settings)
{
  int k = 2 * markers->count++;
  markers->witnesses[k] = point->point_a;
  markers->witnesses[k + 1] = point->point_b;
  markers->normals[k] = point->point_a;
  markers->normals[k + 1] = clp_add_scaled(point->point_a, NORMAL_LENGTH, point->normal);
  markers->colors[k] = markers->colors[k + 1] = color_of(point, settings);
}

void clp_markers_fill(clp_markers *markers, const clp_report *report, const clp_settings *settings)
{
  markers->count = 0;
  markers->words[0] = '\0';
  for (int k = 0; k < report->pair_count && markers->count < markers->room; ++k)
    if (report->pairs[k].status != CLP_STALE)
      add(markers, &report->pairs[k], settings);
  if (markers->count == 0)
    return;
  markers->place = clp_lerp(markers->witnesses[0], markers->witnesses[1], 0.5);
  snprintf(markers->words, sizeof markers->words, "%s m (at least %s)",
           clp_number(report->pairs[0].distance, 3).text,
           clp_number(report->pairs[0].lower_bound, 3).text);
}
