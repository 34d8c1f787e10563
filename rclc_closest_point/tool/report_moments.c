/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/tool/report_gather.h"

/* So many samples of a STOP are kept; more are thinned out. */
#define SAMPLES_MOST 4000

/* An input is late when it has not been heard for so many of its intervals, and for so long (s). */
#define LATE_INTERVALS 3
#define LATE_LEAST 0.02

static const int64_t about = (int64_t)(CLP_REPORT_ABOUT * 1e9);

static size_t detailed(const clp_facts *f)
{
  return f->stop_count < CLP_REPORT_STOPS ? f->stop_count : CLP_REPORT_STOPS;
}

bool clp_moments_begin(clp_facts_pass *gathering)
{
  clp_facts_pass *g = gathering;
  g->heard = calloc(g->facts->input_count + 1, sizeof *g->heard);
  g->exhausted = !g->heard;
  g->stop = 0;
  g->time = 0;
  return !g->exhausted && g->facts->stop_count > 0;
}

void clp_moments_end(clp_facts_pass *gathering)
{
  clp_frame_tree_release(&gathering->frames);
  free(gathering->heard);
}

/* ---- What was late ------------------------------------------------------------------------ */

static void note(clp_report_stop *stop, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(clp_report_stop *stop, const char *format, ...)
{
  va_list arguments;
  if (stop->late_count == CLP_REPORT_LATE)
    return;
  va_start(arguments, format);
  vsnprintf(stop->late[stop->late_count].text, sizeof stop->late->text, format, arguments);
  va_end(arguments);
  ++stop->late_count;
}

static void note_input(clp_report_stop *stop, const clp_report_input *input, int64_t heard,
                       int64_t now)
{
  double interval = input->count > 1
                        ? 1e-9 * (double)(input->last - input->first) / (double)(input->count - 1)
                        : HUGE_VAL;
  double age = 1e-9 * (double)(now - heard);
  if (heard == 0 && stop->from_start)
    return; /* the recording begins with it, and had no time to hear of anything */
  if (heard == 0)
    note(stop, "Frame %.60s had not been heard of yet.", input->name);
  else if (age > LATE_INTERVALS * interval && age > LATE_LEAST)
    note(stop, "Frame %.60s was late: nothing for %s s; on average it comes every %s s.",
         input->name, clp_number(age, 3).text, clp_number(interval, 3).text);
}

static void note_inputs(clp_facts_pass *g, clp_report_stop *stop)
{
  for (size_t k = 0; k < g->facts->input_count; ++k)
    note_input(stop, &g->facts->inputs[k], g->heard[k], stop->begin);
}

static void note_health(const clp_facts_pass *g, clp_report_stop *stop)
{
  if (g->health.level > 0 && stop->begin - g->health.time < 3 * about)
    note(stop, "Diagnostics: %.150s.", g->health.text);
}

/* ---- The picture -------------------------------------------------------------------------- */

/* Where each shape was; those without a way to the fixed frame are left out. */
static void place_shapes(clp_facts_pass *g, clp_report_stop *stop)
{
  const clp_report_shapes *shapes = &g->facts->shapes;
  if (shapes->count == 0)
    return;
  stop->poses = calloc(shapes->count, sizeof *stop->poses);
  stop->placed = calloc(shapes->count, sizeof *stop->placed);
  g->exhausted |= !stop->poses || !stop->placed;
  int fixed = clp_frame_tree_find(&g->frames, g->facts->frame ? g->facts->frame : "");
  clp_pose X_RF = clp_pose_identity();
  int root = fixed >= 0 ? clp_frame_tree_root(&g->frames, fixed, &X_RF) : -1;
  for (size_t k = 0; !g->exhausted && k < shapes->count; ++k) {
    clp_pose X_RL;
    int frame = clp_frame_tree_find(&g->frames, shapes->shapes[k].link);
    if (frame < 0 || root < 0 || clp_frame_tree_root(&g->frames, frame, &X_RL) != root)
      continue;
    stop->poses[k] = clp_pose_between(&X_RF, &X_RL);
    stop->placed[k] = true;
  }
}

/* ---- Answers ------------------------------------------------------------------------------ */

static void add_sample(clp_facts_pass *g, clp_report_stop *stop, const clp_report_sample *sample)
{
  if (stop->sample_count >= SAMPLES_MOST) { /* every other one goes */
    stop->sample_count /= 2;
    for (size_t k = 0; k < stop->sample_count; ++k)
      stop->samples[k] = stop->samples[2 * k];
  }
  if (stop->sample_count == stop->sample_room) {
    size_t room = stop->sample_room > 0 ? 2 * stop->sample_room : 256;
    clp_report_sample *more = realloc(stop->samples, room * sizeof *more);
    g->exhausted |= !more;
    if (!more)
      return;
    stop->samples = more;
    stop->sample_room = room;
  }
  stop->samples[stop->sample_count++] = *sample;
}

static void note_cycles(clp_facts_pass *g, clp_report_stop *stop, const clp_heard_safety *s,
                        int64_t time)
{
  double gap = 1e-9 * (double)(time - g->time);
  if (g->time == 0 || s->cycle <= g->cycle + 1 || time > stop->begin + about / 10)
    return;
  if (gap > LATE_LEAST)
    note(stop, "%llu cycles are missing %s s before, for %s s.",
         (unsigned long long)(s->cycle - g->cycle - 1),
         clp_number(1e-9 * (double)(stop->begin - g->time), 3).text, clp_number(gap, 3).text);
}

/* What is about STOPs that lie so close together counts for each of them. */
static void take_safety(clp_facts_pass *g, const clp_bag_message *m)
{
  clp_facts *f = g->facts;
  clp_heard_safety s;
  if (!clp_hear_safety(m->bytes, m->size, &s))
    return;
  const clp_report_sample sample = {m->received, s.separation, s.required_separation, s.zone};
  while (g->stop < detailed(f) && m->received > f->stops[g->stop].begin + about)
    ++g->stop;
  for (size_t k = g->stop; k < detailed(f) && f->stops[k].begin - about <= m->received; ++k) {
    clp_report_stop *stop = &f->stops[k];
    if (m->received < stop->begin - about / 2 || stop->sample_count == 0)
      stop->approach_before = s.approach_speed;
    add_sample(g, stop, &sample);
    note_cycles(g, stop, &s, m->received);
    if (m->received == stop->begin && s.cycle == stop->cycle) {
      note_inputs(g, stop);
      note_health(g, stop);
      place_shapes(g, stop);
    }
  }
  g->time = m->received;
  g->cycle = s.cycle;
}

static bool is_decisive(const clp_heard_pair *p, const clp_report_stop *stop)
{
  return (strcmp(p->body_a, stop->a) == 0 && strcmp(p->body_b, stop->b) == 0) ||
         (strcmp(p->body_a, stop->b) == 0 && strcmp(p->body_b, stop->a) == 0);
}

static void take_decisive(clp_report_stop *stop, const clp_heard_pair *p)
{
  stop->distance = p->distance;
  stop->age = p->age;
  stop->has_witnesses = true;
  for (int k = 0; k < 3; ++k)
    stop->has_witnesses &= fabs(p->point_a[k]) < 1e6 && fabs(p->point_b[k]) < 1e6;
  stop->witness[0] = (clp_vec3){p->point_a[0], p->point_a[1], p->point_a[2]};
  stop->witness[1] = (clp_vec3){p->point_b[0], p->point_b[1], p->point_b[2]};
}

/* The pairs of the cycle that stopped, or else of the one that comes next to it. */
static void take_points(clp_facts_pass *g, const clp_bag_message *m)
{
  clp_facts *f = g->facts;
  clp_heard_points points;
  size_t k = g->stop;
  while (k < detailed(f) && (f->stops[k].has_witnesses || f->stops[k].distance == HUGE_VAL))
    ++k;
  if (k == detailed(f) || m->received < f->stops[k].begin - about / 20 ||
      m->received > f->stops[k].begin + about / 20 ||
      !clp_hear_points(m->bytes, m->size, g->points, CLP_REPORT_ROOM, &points) ||
      points.cycle < f->stops[k].cycle)
    return;
  clp_report_stop *stop = &f->stops[k];
  for (uint32_t j = 0; j < points.pair_count; ++j)
    if (is_decisive(&g->points[j], stop))
      take_decisive(stop, &g->points[j]);
  if (points.stale > 0)
    note(stop, "%u pair%s had no fresh pose.", points.stale, points.stale == 1 ? "" : "s");
  if (!stop->has_witnesses)
    stop->distance = HUGE_VAL; /* looked for, and not there */
}

/* ---- What else ---------------------------------------------------------------------------- */

static void take_transforms(clp_facts_pass *g, const clp_bag_message *m, bool still)
{
  clp_tf_message read;
  if (!clp_tf_message_read(m->bytes, m->size, g->transforms, CLP_REPORT_ROOM, &read))
    return;
  for (size_t k = 0; k < read.count; ++k) {
    const clp_arrival *a = &g->transforms[k];
    clp_pose pose;
    int input = still ? -1 : clp_frame_tree_find(&g->inputs, a->child);
    int child = clp_frame_tree_add(&g->frames, a->child);
    int parent = clp_frame_tree_add(&g->frames, a->parent);
    if (input >= 0 && (size_t)input < g->facts->input_count)
      g->heard[input] = m->received;
    if (child >= 0 && parent >= 0 && child != parent &&
        clp_pose_of_transform(a->translation, a->rotation, &pose))
      (void)clp_frame_tree_hang(&g->frames, child, parent, &pose);
  }
}

static void take_value(void *user, const clp_heard_value *value)
{
  clp_facts_pass *g = user;
  if (!strstr(value->status, "closest_point"))
    return;
  g->health.level = value->level;
  snprintf(g->health.text, sizeof g->health.text, "%s", value->message);
}

void clp_moments_take(clp_facts_pass *gathering, const clp_bag_message *message)
{
  clp_facts_pass *g = gathering;
  int64_t stamp;
  clp_report_topic topic = clp_report_topic_of(g, clp_bag_topic_at(g->bag, message->topic));
  if (topic == CLP_REPORT_SAFETY) {
    take_safety(g, message);
  } else if (topic == CLP_REPORT_POINTS) {
    take_points(g, message);
  } else if (topic == CLP_REPORT_TF || topic == CLP_REPORT_TF_STATIC) {
    take_transforms(g, message, topic == CLP_REPORT_TF_STATIC);
  } else if (topic == CLP_REPORT_DIAGNOSTICS) {
    g->health.time = message->received;
    (void)clp_hear_diagnostics(message->bytes, message->size, &stamp, take_value, g);
  }
}
