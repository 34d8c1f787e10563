/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/bytes.h"
#include "rclc_closest_point/node/tf_message.h"
#include "rclc_closest_point/tool/progress.h"
#include "rclc_closest_point/tool/report_gather.h"

/* Margins below and above these have a bin each (m). */
#define BIN_LEAST (-1.0)
#define BIN_WIDTH 0.05

enum { ZONE_STOP = 2, STALE = 3 };

double clp_report_bin(int bin)
{
  return BIN_LEAST + BIN_WIDTH * bin;
}

/* Makes room for one more in a list. */
static bool make_room(void **list, size_t *room, size_t count, size_t size)
{
  if (count < *room)
    return true;
  size_t more = *room > 0 ? 2 * *room : 64;
  void *grown = realloc(*list, more * size);
  if (!grown)
    return false;
  memset((char *)grown + *room * size, 0, (more - *room) * size);
  *list = grown;
  *room = more;
  return true;
}

/* ---- Topics ------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The monitor is the first whose answers are heard, unless it is named. */
static bool is_monitors(clp_facts_pass *g, const char *topic, const char *name)
{
  clp_facts *f = g->facts;
  if (!ends_with(topic, name))
    return false;
  size_t length = strlen(topic) - strlen(name);
  if (!f->monitor && length > 0 && length < 1000) {
    f->monitor = clp_copy_text(topic);
    if (f->monitor)
      f->monitor[length] = '\0';
  }
  return f->monitor && strlen(f->monitor) == length && strncmp(topic, f->monitor, length) == 0;
}

clp_report_topic clp_report_topic_of(clp_facts_pass *g, clp_bag_topic topic)
{
  static const struct {
    const char *type, *name;
    clp_report_topic topic;
  } own[] = {{"rclc_closest_point/msg/SafetyStatus", "/safety", CLP_REPORT_SAFETY},
             {"rclc_closest_point/msg/ClosestPointArray", "/closest_points", CLP_REPORT_POINTS},
             {"visualization_msgs/msg/MarkerArray", "/markers", CLP_REPORT_MARKERS}};
  for (size_t k = 0; k < sizeof own / sizeof *own; ++k)
    if (strcmp(topic.type, own[k].type) == 0)
      return is_monitors(g, topic.name, own[k].name) ? own[k].topic : CLP_REPORT_OTHER;
  if (strcmp(topic.type, "tf2_msgs/msg/TFMessage") == 0)
    return strcmp(topic.name, "/tf") == 0          ? CLP_REPORT_TF
           : strcmp(topic.name, "/tf_static") == 0 ? CLP_REPORT_TF_STATIC
                                                   : CLP_REPORT_OTHER;
  return strcmp(topic.type, "diagnostic_msgs/msg/DiagnosticArray") == 0 ? CLP_REPORT_DIAGNOSTICS
                                                                        : CLP_REPORT_OTHER;
}

/* ---- Answers about safety ----------------------------------------------------------------- */

static bool add_span(clp_facts_pass *g, int64_t time, uint8_t zone)
{
  clp_facts *f = g->facts;
  void *list = f->spans;
  if (f->span_count > 0 && f->spans[f->span_count - 1].zone == zone)
    return true;
  if (!make_room(&list, &f->span_room, f->span_count, sizeof *f->spans))
    return false;
  f->spans = list;
  f->spans[f->span_count++] = (clp_report_span){time, zone};
  return true;
}

/* What has passed since the answer before belongs to its zone, or to nobody. */
static bool add_time(clp_facts_pass *g, int64_t time)
{
  clp_facts *f = g->facts;
  double passed = 1e-9 * (double)(time - g->time);
  if (f->answers == 0 || passed < 0)
    return true;
  if (passed > f->longest_gap) {
    f->longest_gap = passed;
    f->longest_gap_at = g->time;
  }
  double spoken = fmin(passed, CLP_REPORT_SILENCE);
  f->zones[g->zone] += spoken;
  if (passed <= CLP_REPORT_SILENCE)
    return true;
  f->zones[CLP_REPORT_SILENT] += passed - spoken;
  return add_span(g, g->time + (int64_t)(CLP_REPORT_SILENCE * 1e9), CLP_REPORT_SILENT);
}

static void add_margin(clp_facts *f, const clp_heard_safety *s)
{
  double margin = s->separation - s->required_separation;
  if (!isfinite(margin)) {
    ++f->unknown;
    return;
  }
  double bin = floor((margin - BIN_LEAST) / BIN_WIDTH);
  ++f->bins[bin < 0 ? 0 : bin >= CLP_REPORT_BINS ? CLP_REPORT_BINS + 1 : (int)bin + 1];
}

static bool begin_stop(clp_facts_pass *g, int64_t time, const clp_heard_safety *s)
{
  clp_facts *f = g->facts;
  void *list = f->stops;
  if (f->stop_count == CLP_REPORT_STOPS_KEPT) {
    ++f->more_stops;
    return true;
  }
  if (!make_room(&list, &f->stop_room, f->stop_count, sizeof *f->stops))
    return false;
  f->stops = list;
  f->stops[f->stop_count++] = (clp_report_stop){.begin = time,
                                                .end = time,
                                                .from_start = f->answers == 0,
                                                .cycle = s->cycle,
                                                .before = g->zone,
                                                .separation = s->separation,
                                                .required = s->required_separation,
                                                .approach = s->approach_speed,
                                                .approach_before = (double)NAN,
                                                .distance = (double)NAN,
                                                .age = (double)NAN,
                                                .a = clp_copy_text(s->body_a),
                                                .b = clp_copy_text(s->body_b),
                                                .reason = clp_copy_text(s->reason)};
  const clp_report_stop *stop = &f->stops[f->stop_count - 1];
  return stop->a && stop->b && stop->reason;
}

static bool take_safety(clp_facts_pass *g, const clp_bag_message *m)
{
  clp_facts *f = g->facts;
  clp_heard_safety s;
  if (!clp_hear_safety(m->bytes, m->size, &s)) {
    ++f->malformed;
    return true;
  }
  uint8_t zone = s.zone < ZONE_STOP ? s.zone : ZONE_STOP;
  bool was_stop = f->answers > 0 && g->zone == ZONE_STOP;
  bool good = add_time(g, m->received) && add_span(g, m->received, zone);
  if (good && zone == ZONE_STOP && !was_stop)
    good = begin_stop(g, m->received, &s);
  if (good && f->stop_count > 0 && f->more_stops == 0 && (zone == ZONE_STOP || was_stop)) {
    f->stops[f->stop_count - 1].end = m->received;
    f->stops[f->stop_count - 1].ended = zone != ZONE_STOP;
  }
  if (f->answers > 0 && s.cycle > g->cycle && s.cycle - g->cycle < UINT64_C(1) << 32)
    f->missed += s.cycle - g->cycle - 1;
  if (!f->frame && good)
    f->frame = clp_copy_text(s.frame);
  add_margin(f, &s);
  if (f->answers++ == 0)
    g->begin = m->received;
  g->time = m->received;
  g->cycle = s.cycle;
  g->zone = zone;
  return good;
}

/* ---- Pairs -------------------------------------------------------------------------------- */

static bool is_pair(const clp_report_pair *known, const clp_heard_pair *p)
{
  return strcmp(known->a, p->body_a) == 0 && strcmp(known->b, p->body_b) == 0;
}

/* By name, through a table of frames' names: a pair is known by "a\nb". */
static clp_report_pair *find_pair(clp_facts_pass *g, const clp_heard_pair *p)
{
  char name[2 * CLP_FRAME_TREE_NAME_MAX + 2];
  clp_facts *f = g->facts;
  int length = snprintf(name, sizeof name, "%s\n%s", p->body_a, p->body_b);
  if (length < 0 || length > CLP_FRAME_TREE_NAME_MAX)
    return NULL;
  int number = clp_frame_tree_add(&g->pairs, name);
  void *list = f->pairs;
  if (number < 0)
    return NULL;
  if ((size_t)number < f->pair_count)
    return is_pair(&f->pairs[number], p) ? &f->pairs[number] : NULL;
  if (!make_room(&list, &f->pair_room, f->pair_count, sizeof *f->pairs))
    return NULL;
  f->pairs = list;
  char *a = clp_copy_text(p->body_a), *b = clp_copy_text(p->body_b);
  f->pairs[f->pair_count] =
      (clp_report_pair){.a = a, .b = b, .nearest = (double)NAN, .least_bound = (double)NAN};
  ++f->pair_count;
  if (!a || !b)
    g->exhausted = true;
  return a && b ? &f->pairs[f->pair_count - 1] : NULL;
}

static void take_pair(clp_facts_pass *g, const clp_heard_pair *p, int64_t time)
{
  clp_report_pair *pair = find_pair(g, p);
  if (!pair)
    return;
  ++pair->cycles;
  pair->stale += p->status == STALE;
  pair->least_bound = fmin(pair->least_bound, p->lower_bound);
  if (isfinite(p->distance) && !(p->distance >= pair->nearest)) {
    pair->nearest = p->distance;
    pair->at = time;
  }
}

static void take_points(clp_facts_pass *g, const clp_bag_message *m)
{
  clp_facts *f = g->facts;
  clp_heard_points points;
  if (!clp_hear_points(m->bytes, m->size, g->points, CLP_REPORT_ROOM, &points)) {
    ++f->malformed;
    return;
  }
  f->slowest_cycle = fmax(f->slowest_cycle, points.cycle_time);
  f->latency = fmax(f->latency, points.latency);
  if (points.input_rate > 0)
    f->least_input_rate = fmin(f->least_input_rate, points.input_rate);
  for (uint32_t k = 0; k < points.pair_count; ++k)
    take_pair(g, &g->points[k], m->received);
}

/* ---- Transforms and markers --------------------------------------------------------------- */

static void take_input(clp_facts_pass *g, const char *child, int64_t time)
{
  clp_facts *f = g->facts;
  int frame = clp_frame_tree_add(&g->inputs, child);
  void *list = f->inputs;
  if (frame < 0)
    return;
  if ((size_t)frame >= f->input_count) {
    if (!make_room(&list, &f->input_room, f->input_count, sizeof *f->inputs))
      return;
    f->inputs = list;
    f->inputs[f->input_count++] = (clp_report_input){.first = time, .last = time};
  }
  clp_report_input *input = &f->inputs[frame];
  if (time - input->last > input->gap) {
    input->gap = time - input->last;
    input->gap_at = input->last;
  }
  input->last = time;
  ++input->count;
}

static void take_transforms(clp_facts_pass *g, const clp_bag_message *m)
{
  clp_tf_message read;
  if (!clp_tf_message_read(m->bytes, m->size, g->transforms, CLP_REPORT_ROOM, &read)) {
    ++g->facts->malformed;
    return;
  }
  for (size_t k = 0; k < read.count; ++k)
    take_input(g, g->transforms[k].child, m->received);
}

static void take_marker(void *user, const clp_heard_marker *marker)
{
  clp_facts_pass *g = user;
  if (!clp_report_shapes_take(&g->facts->shapes, marker))
    g->exhausted = true;
}

/* ---- The first pass ----------------------------------------------------------------------- */

static void take_message(clp_facts_pass *g, const clp_bag_message *m)
{
  clp_facts *f = g->facts;
  if (f->messages++ == 0)
    f->first = f->last = m->received;
  f->first = m->received < f->first ? m->received : f->first;
  f->last = m->received > f->last ? m->received : f->last;
  switch (clp_report_topic_of(g, clp_bag_topic_at(g->bag, m->topic))) {
    case CLP_REPORT_SAFETY:
      g->exhausted |= !take_safety(g, m);
      break;
    case CLP_REPORT_POINTS:
      take_points(g, m);
      break;
    case CLP_REPORT_TF:
      take_transforms(g, m);
      break;
    case CLP_REPORT_MARKERS:
      f->malformed += !clp_hear_markers(m->bytes, m->size, take_marker, g);
      break;
    default:
      break;
  }
}

static int compare_pairs(const void *a, const void *b)
{
  const clp_report_pair *x = a, *y = b;
  if (isnan(x->nearest) != isnan(y->nearest))
    return isnan(x->nearest) ? 1 : -1;
  return (x->nearest > y->nearest) - (x->nearest < y->nearest);
}

static void finish(clp_facts_pass *g)
{
  clp_facts *f = g->facts;
  if (f->answers > 1)
    f->period = 1e-9 * (double)(g->time - g->begin) / (double)(f->answers - 1);
  if (f->pair_count > 0)
    qsort(f->pairs, f->pair_count, sizeof *f->pairs, compare_pairs);
  for (size_t k = 0; k < f->input_count; ++k)
    f->inputs[k].name = g->inputs.frames[k].name;
}

static void read_all(clp_facts_pass *g, void (*take)(clp_facts_pass *, const clp_bag_message *),
                     int pass, clp_progress *progress)
{
  clp_bag_message message;
  clp_bag_rewind(g->bag, INT64_MIN);
  while (!g->exhausted && clp_bag_next(g->bag, &message)) {
    take(g, &message);
    clp_progress_show(progress, (long)(500 * (pass + clp_bag_progress(g->bag))));
  }
}

static clp_status gather(clp_facts_pass *g, bool quiet)
{
  g->points = malloc(CLP_REPORT_ROOM * sizeof *g->points);
  g->transforms = malloc(CLP_REPORT_ROOM * sizeof *g->transforms);
  g->exhausted = !g->points || !g->transforms;
  clp_progress progress = clp_progress_begin("report", 1000, quiet);
  read_all(g, take_message, 0, &progress);
  finish(g);
  if (!g->exhausted && clp_moments_begin(g))
    read_all(g, clp_moments_take, 1, &progress);
  clp_progress_hide(&progress);
  return g->exhausted ? CLP_ERROR_MEMORY : CLP_OK;
}

clp_status clp_facts_gather(const char *path, const char *monitor, clp_model_sink sink, bool quiet,
                            clp_facts *facts)
{
  *facts = (clp_facts){.file = path, .least_input_rate = HUGE_VAL};
  clp_facts_pass *g = calloc(1, sizeof *g);
  if (!g)
    return CLP_ERROR_MEMORY;
  g->facts = facts;
  if (monitor)
    facts->monitor = clp_copy_text(monitor);
  clp_status status = clp_bag_open(path, sink, &g->bag);
  if (status == CLP_OK)
    status = gather(g, quiet);
  clp_bag_close(g->bag);
  clp_moments_end(g);
  facts->input_names = g->inputs;
  clp_frame_tree_release(&g->pairs);
  free(g->points);
  free(g->transforms);
  free(g);
  return status;
}

static void free_text(const char *text)
{
  union {
    const char *in;
    void *out;
  } same = {text};
  free(same.out);
}

void clp_facts_release(clp_facts *facts)
{
  for (size_t k = 0; k < facts->pair_count; ++k) {
    free_text(facts->pairs[k].a);
    free_text(facts->pairs[k].b);
  }
  for (size_t k = 0; k < facts->stop_count; ++k) {
    clp_report_stop *stop = &facts->stops[k];
    free(stop->a);
    free(stop->b);
    free(stop->reason);
    free(stop->samples);
    free(stop->poses);
    free(stop->placed);
  }
  free(facts->spans);
  free(facts->pairs);
  free(facts->inputs);
  free(facts->stops);
  free(facts->monitor);
  free(facts->frame);
  clp_frame_tree_release(&facts->input_names);
  clp_report_shapes_release(&facts->shapes);
  *facts = (clp_facts){0};
}
