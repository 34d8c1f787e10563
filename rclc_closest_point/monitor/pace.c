/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/pace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/monitor/separation.h"

#define DEADLINE_PERIODS 10
#define LEASE 1.0 /* s, of liveliness */

void clp_pace_start(clp_pace *pace, double rate, int64_t now)
{
  pace->period = (int64_t)(1e9 / rate);
  pace->planned = now + pace->period;
}

void clp_pace_done(clp_pace *pace, int64_t begin, int64_t end)
{
  clp_cycle_record *record = &pace->record;
  int64_t late = begin - pace->planned, took = end - begin;
  int64_t behind = end - pace->planned;
  int64_t missed = behind >= 2 * pace->period ? behind / pace->period - 1 : 0;
  clp_timing_add(&pace->lateness, late);
  clp_timing_add(&record->lateness, late);
  clp_timing_add(&pace->duration, took);
  clp_timing_add(&record->duration, took);
  record->seconds += 1e-9 * (double)((1 + missed) * pace->period);
  record->missed += (uint64_t)missed;
  pace->missed += (uint64_t)missed;
  ++record->cycles;
  ++pace->cycles;
  pace->planned += (1 + missed) * pace->period;
}

static void print_quantiles(char *text, size_t room, const char *what, const clp_timing *timing)
{
  snprintf(text, room, "%s %s us in the median, 99 %% %s, 99.9 %% %s, at most %s", what,
           clp_number(1e6 * clp_timing_quantile(timing, 0.5), 4).text,
           clp_number(1e6 * clp_timing_quantile(timing, 0.99), 4).text,
           clp_number(1e6 * clp_timing_quantile(timing, 0.999), 4).text,
           clp_number(1e-3 * (double)timing->largest, 4).text);
}

clp_pace_summary clp_pace_summarize(const clp_pace *pace)
{
  clp_pace_summary summary;
  char starts[256];
  print_quantiles(starts, sizeof starts, "cycles begin late by", &pace->lateness);
  snprintf(summary.starts, sizeof summary.starts, "%" PRIu64 " cycles, %" PRIu64 " missed; %s",
           pace->cycles, pace->missed, starts);
  print_quantiles(summary.lengths, sizeof summary.lengths, "cycles take", &pace->duration);
  return summary;
}

bool clp_is_due(int64_t *due, int64_t now, int64_t interval)
{
  if (now < *due)
    return false;
  *due = now - *due < interval ? *due + interval : now + interval;
  return true;
}

int64_t clp_interval_of(double rate)
{
  return rate > 0 ? (int64_t)(1e9 / rate) : 0;
}

bool clp_publication_due(clp_publication *publication, clp_zone zone, int64_t now, double rate)
{
  bool in_turn = clp_is_due(&publication->due, now, clp_interval_of(rate));
  if (!in_turn && zone <= publication->told)
    return false;
  publication->told = zone;
  return true;
}

clp_report clp_report_to_send(const clp_report *report, const clp_settings *settings, int64_t took,
                              int64_t now)
{
  clp_report sent = *report;
  sent.cycle_time = 1e-9 * (double)took;
  if (sent.latency > 0 && !settings->use_sim_time) /* simulated time stands still in a cycle */
    sent.latency += 1e-9 * (double)(now - report->stamp);
  return sent;
}

double clp_pace_late(const clp_pace *pace, int64_t stamped, int64_t now)
{
  int64_t age = now - stamped;
  return age > CLP_LATE_PERIODS * pace->period ? 1e-9 * (double)age : 0;
}

void clp_report_too_late(clp_report *report, double late)
{
  char reason[64];
  snprintf(reason, sizeof reason, "late by %s ms", clp_number(1e3 * late, 3).text);
  report->safety = clp_separation_stop(reason);
}

clp_promise clp_promise_of(const clp_settings *settings)
{
  double deadline = DEADLINE_PERIODS / clp_settings_answer_rate(settings);
  return (clp_promise){deadline, fmax(LEASE, deadline), LEASE};
}
