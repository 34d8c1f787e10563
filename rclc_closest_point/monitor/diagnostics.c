/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/diagnostics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "rclc_closest_point/base/text.h"

static void add(clp_diagnostics *d, const char *key, const char *value, const char *unit)
{
  if (d->count == CLP_DIAGNOSTICS_MAX)
    return;
  clp_diagnostic *item = &d->values[d->count++];
  snprintf(item->key, sizeof item->key, "%s", key);
  snprintf(item->value, sizeof item->value, "%s%s", value, unit);
}

static void add_number(clp_diagnostics *d, const char *key, double value, const char *unit)
{
  add(d, key, clp_number(value, 6).text, unit);
}

static void add_count(clp_diagnostics *d, const char *key, uint64_t value)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  add(d, key, text, "");
}

static void add_cycles(clp_diagnostics *d, const clp_cycle_record *record)
{
  double rate = record->seconds > 0 ? (double)record->cycles / record->seconds : 0;
  add_number(d, "rate", rate, " Hz");
  add_count(d, "missed cycles", record->missed);
  add_count(d, "answers too late", record->late);
  add_number(d, "cycle starts late, median", 1e6 * clp_timing_quantile(&record->lateness, 0.5),
             " us");
  add_number(d, "cycle starts late, 99 %", 1e6 * clp_timing_quantile(&record->lateness, 0.99),
             " us");
  add_number(d, "cycle starts late, largest", 1e-3 * (double)record->lateness.largest, " us");
  add_number(d, "cycle takes, median", 1e6 * clp_timing_quantile(&record->duration, 0.5), " us");
  add_number(d, "cycle takes, 99 %", 1e6 * clp_timing_quantile(&record->duration, 0.99), " us");
  add_number(d, "cycle takes, largest", 1e-3 * (double)record->duration.largest, " us");
}

static void add_report(clp_diagnostics *d, const clp_report *report)
{
  add_count(d, "pairs tracked", report->tracked);
  add_count(d, "pairs culled", report->culled);
  add_count(d, "pairs stale", report->stale);
  add_count(d, "pairs left for the next cycles", report->uncovered);
  add_number(d, "lower bound over all pairs", report->lower_bound, " m");
  add_number(d, "input rate, slowest link", report->input_rate, " Hz");
  add_number(d, "latency", 1e3 * report->latency, " ms");
}

/* The link whose pose is oldest, and those that are not there at all. */
static void add_links(clp_diagnostics *d, const clp_monitor *monitor)
{
  int missing = 0;
  const char *missing_name = "";
  clp_link_health oldest = {.name = "", .age = -1};
  for (int k = 0; k < clp_monitor_link_count(monitor); ++k) {
    clp_link_health link = clp_monitor_link_health(monitor, k);
    if (!link.connected && missing++ == 0)
      missing_name = link.name;
    if (link.connected && link.age > oldest.age)
      oldest = link;
  }
  add_count(d, "links", (uint64_t)clp_monitor_link_count(monitor));
  add_count(d, "links without transforms", (uint64_t)missing);
  if (missing > 0)
    add(d, "such as", missing_name, "");
  if (oldest.age >= 0) {
    add(d, "oldest pose, link", oldest.name, "");
    add_number(d, "oldest pose, age", oldest.age, " s");
  }
}

static void add_uncovered(clp_diagnostics *d, const clp_monitor *monitor)
{
  int count = clp_monitor_uncovered_count(monitor);
  add_count(d, "uncovered links", (uint64_t)count);
  for (int k = 0; k < count; ++k) {
    clp_uncovered_link link = clp_monitor_uncovered(monitor, k);
    char key[80];
    snprintf(key, sizeof key, "uncovered %.68s", link.name);
    if (k < CLP_DIAGNOSTICS_LINKS)
      add(d, key, link.verdict, "");
  }
}

static void add_stamps_of(clp_diagnostics *d, const clp_link_health *link)
{
  char key[80], value[96];
  snprintf(key, sizeof key, "stamps of %.68s", link->name);
  snprintf(value, sizeof value, "%s ms ahead, %s ms behind at most",
           clp_number(1e3 * link->stamps.lead, 4).text, clp_number(1e3 * link->stamps.lag, 4).text);
  add(d, key, value, "");
}

/* How far stamps are from when they come, of each link that moves, and the most of all. */
static void add_stamps(clp_diagnostics *d, const clp_monitor *monitor)
{
  clp_link_health lead = {.name = ""}, lag = {.name = ""};
  int shown = 0;
  for (int k = 0; k < clp_monitor_link_count(monitor); ++k) {
    clp_link_health link = clp_monitor_link_health(monitor, k);
    if (link.stamps.lead > lead.stamps.lead)
      lead = link;
    if (link.stamps.lag > lag.stamps.lag)
      lag = link;
    bool told = link.stamps.lead > 0 || link.stamps.lag > 0;
    if (told && shown++ < CLP_DIAGNOSTICS_LINKS)
      add_stamps_of(d, &link);
  }
  add(d, "stamps ahead most, link", lead.name, "");
  add_number(d, "stamps ahead most", 1e3 * lead.stamps.lead, " ms");
  add(d, "stamps behind most, link", lag.name, "");
  add_number(d, "stamps behind most", 1e3 * lag.stamps.lag, " ms");
}

static uint64_t add_feed(clp_diagnostics *d, const clp_monitor *monitor)
{
  const uint64_t *counts = clp_monitor_feed_counts(monitor);
  uint64_t bad = 0;
  for (int k = 0; k < CLP_FEED_VERDICTS; ++k) {
    if (k == CLP_FEED_TAKEN || counts[k] > 0) {
      char value[32];
      snprintf(value, sizeof value, "%" PRIu64, counts[k]);
      add(d, clp_feed_verdict_text((clp_feed_verdict)k), value,
          k == CLP_FEED_MALFORMED ? "" : " transforms");
    }
    bad += k >= CLP_FEED_NUMBER ? counts[k] : 0;
  }
  return bad;
}

clp_diagnostics clp_diagnose(const clp_monitor *monitor, const clp_report *report,
                             const clp_cycle_record *record, uint64_t unread)
{
  clp_diagnostics d = {.level = CLP_HEALTH_OK};
  snprintf(d.message, sizeof d.message, "all pairs are covered");
  add_cycles(&d, record);
  if (!monitor) {
    if (unread > 0)
      add_count(&d, clp_feed_verdict_text(CLP_FEED_MALFORMED), unread);
    d.level = CLP_HEALTH_ERROR;
    snprintf(d.message, sizeof d.message, "%s", report->safety.reason);
    return d;
  }
  add_report(&d, report);
  add_links(&d, monitor);
  add_stamps(&d, monitor);
  add_uncovered(&d, monitor);
  uint64_t bad = add_feed(&d, monitor);
  if (report->alarm) {
    d.level = CLP_HEALTH_ERROR;
    snprintf(d.message, sizeof d.message, "%s", report->safety.reason);
  } else if (report->stale > 0) {
    d.level = CLP_HEALTH_ERROR;
    snprintf(d.message, sizeof d.message, "%" PRIu32 " pairs are stale", report->stale);
  } else if (record->missed > 0 || bad > 0) {
    d.level = CLP_HEALTH_WARN;
    snprintf(d.message, sizeof d.message,
             "%" PRIu64 " cycles missed, %" PRIu64 " transforms refused so far", record->missed,
             bad);
  }
  return d;
}
