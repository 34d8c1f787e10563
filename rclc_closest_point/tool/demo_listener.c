/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/tool/demo_listener.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/node/convert.h"
#include "rclc_closest_point/node/convert_dds.h"
#include "rclc_closest_point/node/node_dds.h"
#include "rclc_closest_point/node/process.h"

/* Cut to the room, and without what a terminal would take for a command. */
static void copy_text(char *to, size_t room, const char *from)
{
  snprintf(to, room, "%s", from ? from : "");
  clp_flatten(to, '?');
}

static clp_demo_row row_of(const clp_dds_point *point)
{
  clp_demo_row row = {.status = (clp_pair_status)point->status,
                      .distance = point->distance,
                      .lower_bound = point->lower_bound,
                      .rate = point->distance_rate,
                      .age = point->age};
  copy_text(row.a, sizeof row.a, point->body_a);
  copy_text(row.b, sizeof row.b, point->body_b);
  return row;
}

/* Cycles between two stamps, measured over at least half a second. */
static void measure_rate(clp_demo_listener *l)
{
  clp_demo_news *news = &l->news;
  double time = 1e-9 * (double)(news->stamp - l->rate_stamp);
  if (l->rate_stamp > 0 && time >= 0.5 && news->cycle >= l->rate_cycle)
    news->cycle_rate = (double)(news->cycle - l->rate_cycle) / time;
  if (l->rate_stamp == 0 || time >= 0.5 || time < 0) {
    l->rate_stamp = news->stamp;
    l->rate_cycle = news->cycle;
  }
}

static void take_points(clp_demo_listener *l)
{
  void *sample = NULL;
  dds_sample_info_t info;
  int count = clp_dds_take(&l->dds, l->points, &sample, &info, 1);
  if (count > 0 && info.valid_data) {
    const clp_dds_points *m = sample;
    clp_demo_news *news = &l->news;
    news->stamp = clp_time_of(m->header.stamp.sec, m->header.stamp.nanosec);
    news->cycle = m->cycle;
    news->tracked = m->tracked;
    news->culled = m->culled;
    news->stale = m->stale;
    news->input_rate = m->input_rate;
    news->latency = m->latency;
    news->cycle_time = m->cycle_time;
    bool known = m->minimum >= 0 && (uint32_t)m->minimum < m->pairs._length;
    news->nearest = known ? m->pairs._buffer[m->minimum].distance : (double)NAN;
    news->row_count = 0;
    for (uint32_t k = 0; k < m->pairs._length && k < CLP_DEMO_ROWS; ++k)
      news->rows[news->row_count++] = row_of(&m->pairs._buffer[k]);
    measure_rate(l);
  }
  clp_dds_give_back(&l->dds, l->points, &sample, count);
}

static void take_safety(clp_demo_listener *l)
{
  void *sample = NULL;
  dds_sample_info_t info;
  int count = clp_dds_take(&l->dds, l->safety, &sample, &info, 1);
  if (count > 0 && info.valid_data) {
    const clp_dds_safety *m = sample;
    clp_demo_news *news = &l->news;
    news->zone = m->zone <= CLP_ZONE_STOP ? (clp_zone)m->zone : CLP_ZONE_STOP;
    news->speed_scale = m->speed_scale;
    news->separation = m->separation;
    news->required = m->required_separation;
    copy_text(news->body_a, sizeof news->body_a, m->body_a);
    copy_text(news->body_b, sizeof news->body_b, m->body_b);
    copy_text(news->reason, sizeof news->reason, m->reason);
    l->judged = true;
  }
  clp_dds_give_back(&l->dds, l->safety, &sample, count);
}

static void remember(clp_demo_listener *l, int64_t now)
{
  const int64_t tick = (int64_t)(1e9 * CLP_DEMO_TICK);
  clp_demo_news *news = &l->news;
  if (now >= l->tick) {
    if (news->history_count == CLP_DEMO_HISTORY) {
      memmove(news->history, news->history + 1, sizeof news->history - sizeof *news->history);
      --news->history_count;
    }
    news->history[news->history_count++] = (double)NAN;
    l->tick = now - l->tick < tick ? l->tick + tick : now + tick;
  }
  double *last = &news->history[news->history_count - 1];
  *last = fmin(*last, news->nearest); /* of a number and NaN it is the number */
}

/* What was known is not repeated as if it were new. */
static void forget(clp_demo_news *news)
{
  news->nearest = news->cycle_rate = (double)NAN;
  for (int k = 0; k < news->row_count; ++k) {
    clp_demo_row *row = &news->rows[k];
    row->status = CLP_STALE;
    row->distance = row->lower_bound = row->rate = row->age = (double)NAN;
  }
}

void clp_demo_listener_update(clp_demo_listener *listener)
{
  clp_demo_news *news = &listener->news;
  take_points(listener);
  take_safety(listener);
  int64_t now = clp_system_now();
  news->silence = 1e-9 * (double)(now - news->stamp);
  news->live = news->live || (listener->judged && news->tracked > 0 && news->stale == 0);
  if (news->silence > CLP_DEMO_SILENCE)
    forget(news);
  if (news->live)
    remember(listener, now);
}

clp_status clp_demo_listener_open(clp_demo_listener *listener, clp_model_sink sink)
{
  *listener = (clp_demo_listener){.news = {.nearest = (double)NAN}};
  clp_status status =
      clp_ros_arguments_read(0, NULL, "closest_point_demo", sink, &listener->arguments);
  if (status != CLP_OK)
    return status;
  clp_dds *dds = &listener->dds;
  status = clp_dds_open(dds, &listener->arguments, sink);
  if (status == CLP_OK) {
    listener->points = clp_dds_reader(dds, CLP_TOPIC_POINTS, "/" CLP_NODE_NAME "/closest_points");
    listener->safety = clp_dds_reader(dds, CLP_TOPIC_SAFETY, "/" CLP_NODE_NAME "/safety");
    bool good = listener->points > 0 && listener->safety > 0;
    status = good ? clp_dds_announce(dds) : CLP_ERROR_FILE;
    if (status != CLP_OK)
      clp_dds_close(dds);
  }
  if (status != CLP_OK)
    clp_ros_arguments_release(&listener->arguments);
  return status;
}

void clp_demo_listener_close(clp_demo_listener *listener)
{
  clp_dds_close(&listener->dds);
  clp_ros_arguments_release(&listener->arguments);
}
