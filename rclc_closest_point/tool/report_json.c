/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/json.h"
#include "rclc_closest_point/tool/html.h"
#include "rclc_closest_point/tool/report_page.h"
#include "rclc_closest_point/tool/report_words.h"

#define SECONDS(time) (1e-9 * (double)(time))

static const char *const zones[] = {"CLEAR", "WARN", "STOP", "silent"};

static void write_samples(clp_json *json, const clp_report_stop *stop)
{
  clp_json_open(json, "course", '[');
  for (size_t k = 0; k < stop->sample_count; ++k) {
    const clp_report_sample *s = &stop->samples[k];
    clp_json_open(json, NULL, '{');
    clp_json_number(json, "t", SECONDS(s->time - stop->begin));
    clp_json_number(json, "separation", s->separation);
    clp_json_number(json, "required", s->required);
    clp_json_string(json, "zone", zones[s->zone < 2 ? s->zone : 2]);
    clp_json_close(json, '}');
  }
  clp_json_close(json, ']');
}

static void write_stop(clp_json *json, const clp_facts *f, const clp_report_stop *stop)
{
  clp_json_open(json, NULL, '{');
  clp_json_number(json, "at", SECONDS(stop->begin - f->first));
  clp_json_number(json, "time", SECONDS(stop->begin));
  clp_json_number(json, "lasted", SECONDS(stop->end - stop->begin));
  clp_json_bool(json, "ended", stop->ended);
  clp_json_number(json, "cycle", (double)stop->cycle);
  clp_json_string(json, "reason", stop->reason);
  clp_json_string(json, "words", clp_report_explain(f, stop).text);
  clp_json_string(json, "body_a", stop->a);
  clp_json_string(json, "body_b", stop->b);
  clp_json_number(json, "separation", stop->separation);
  clp_json_number(json, "required", stop->required);
  clp_json_number(json, "approach_speed", stop->approach);
  clp_json_number(json, "distance", stop->distance);
  clp_json_number(json, "age", stop->age);
  clp_json_open(json, "late", '[');
  for (int k = 0; k < stop->late_count; ++k)
    clp_json_string(json, NULL, stop->late[k].text);
  clp_json_close(json, ']');
  write_samples(json, stop);
  clp_json_close(json, '}');
}

static void write_pairs(clp_json *json, const clp_facts *f)
{
  clp_json_open(json, "pairs", '[');
  for (size_t k = 0; k < f->pair_count; ++k) {
    const clp_report_pair *p = &f->pairs[k];
    clp_json_open(json, NULL, '{');
    clp_json_string(json, "link_a", p->a);
    clp_json_string(json, "link_b", p->b);
    clp_json_number(json, "nearest", p->nearest);
    clp_json_number(json, "at", SECONDS(p->at - f->first));
    clp_json_number(json, "least_bound", p->least_bound);
    clp_json_number(json, "cycles", (double)p->cycles);
    clp_json_number(json, "stale", (double)p->stale);
    clp_json_close(json, '}');
  }
  clp_json_close(json, ']');
}

static void write_inputs(clp_json *json, const clp_facts *f)
{
  clp_json_open(json, "inputs", '[');
  for (size_t k = 0; k < f->input_count; ++k) {
    const clp_report_input *in = &f->inputs[k];
    double time = SECONDS(in->last - in->first);
    clp_json_open(json, NULL, '{');
    clp_json_string(json, "frame", in->name);
    clp_json_number(json, "messages", (double)in->count);
    clp_json_number(json, "rate", time > 0 ? (double)(in->count - 1) / time : 0);
    clp_json_number(json, "longest_gap", SECONDS(in->gap));
    clp_json_number(json, "gap_at", SECONDS(in->gap_at - f->first));
    clp_json_close(json, '}');
  }
  clp_json_close(json, ']');
}

static void write_margins(clp_json *json, const clp_facts *f)
{
  clp_json_open(json, "margins", '[');
  for (int k = 0; k < CLP_REPORT_BINS + 2; ++k) {
    clp_json_open(json, NULL, '{');
    if (k > 0)
      clp_json_number(json, "from", clp_report_bin(k - 1));
    if (k <= CLP_REPORT_BINS)
      clp_json_number(json, "to", clp_report_bin(k));
    clp_json_number(json, "answers", (double)f->bins[k]);
    clp_json_close(json, '}');
  }
  clp_json_close(json, ']');
}

static void write_summary(clp_json *json, const clp_facts *f)
{
  clp_json_string(json, "file", f->file);
  clp_json_string(json, "monitor", f->monitor ? f->monitor : "");
  clp_json_number(json, "start", SECONDS(f->first));
  clp_json_number(json, "duration", SECONDS(f->last - f->first));
  clp_json_number(json, "messages", (double)f->messages);
  clp_json_number(json, "malformed", (double)f->malformed);
  clp_json_number(json, "answers", (double)f->answers);
  clp_json_number(json, "missed_cycles", (double)f->missed);
  clp_json_number(json, "longest_silence", f->longest_gap);
  clp_json_number(json, "slowest_cycle", f->slowest_cycle);
  clp_json_number(json, "latency", f->latency);
  clp_json_open(json, "zones", '{');
  for (int k = 0; k < CLP_REPORT_ZONES; ++k)
    clp_json_number(json, zones[k], f->zones[k]);
  clp_json_close(json, '}');
}

void clp_report_json(FILE *stream, const clp_facts *facts)
{
  clp_json json = {.stream = stream};
  clp_json_open(&json, NULL, '{');
  write_summary(&json, facts);
  write_margins(&json, facts);
  write_pairs(&json, facts);
  write_inputs(&json, facts);
  clp_json_number(&json, "stop_count", (double)(facts->stop_count + facts->more_stops));
  clp_json_open(&json, "stops", '[');
  for (size_t k = 0; k < facts->stop_count; ++k)
    write_stop(&json, facts, &facts->stops[k]);
  clp_json_close(&json, ']');
  clp_json_close(&json, '}');
  fputc('\n', stream);
}
