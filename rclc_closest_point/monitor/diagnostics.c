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

/* Where joint states are listened to. */
static void add_joints(clp_diagnostics *d, const clp_monitor *monitor)
{
  int count = clp_monitor_joint_count(monitor), missing = 0;
  clp_joint_health oldest = {.name = "", .age = -1};
  const char *missing_name = "";
  if (count == 0)
    return;
  for (int k = 0; k < count; ++k) {
    clp_joint_health joint = clp_monitor_joint(monitor, k);
    if (!joint.known && missing++ == 0)
      missing_name = joint.name;
    if (joint.known && joint.age > oldest.age)
      oldest = joint;
  }
  add_count(d, "joints", (uint64_t)count);
  add_count(d, "joints without joint states", (uint64_t)missing);
  if (missing > 0)
    add(d, "such as joint", missing_name, "");
  if (oldest.age >= 0) {
    add(d, "oldest joint state, joint", oldest.name, "");
    add_number(d, "oldest joint state, age", oldest.age, " s");
  }
}

/* What an SRDF may be missing. */
static void add_overlaps(clp_diagnostics *d, const clp_monitor *monitor)
{
  const char *a = "", *b = "";
  char names[96];
  int count = clp_monitor_overlap_since_start(monitor, &a, &b);
  add_count(d, "pairs that have overlapped since the start", (uint64_t)count);
  snprintf(names, sizeof names, "%.44s and %.44s", a, b);
  if (count > 0)
    add(d, "such as pair", names, "");
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

static const char *unit_of(clp_feed_verdict verdict)
{
  bool counts_messages = verdict == CLP_FEED_MALFORMED || verdict == CLP_FEED_ARRAYS;
  bool counts_joints = verdict > CLP_FEED_ARRAYS && verdict < CLP_FEED_TF;
  return counts_messages ? "" : counts_joints ? " positions" : " transforms";
}

static uint64_t add_feed(clp_diagnostics *d, const clp_monitor *monitor)
{
  const uint64_t *counts = clp_monitor_feed_counts(monitor);
  uint64_t bad = 0;
  for (int k = 0; k < CLP_FEED_VERDICTS; ++k) {
    if (k == CLP_FEED_TAKEN || counts[k] > 0) {
      char value[32];
      snprintf(value, sizeof value, "%" PRIu64, counts[k]);
      add(d, clp_feed_verdict_text((clp_feed_verdict)k), value, unit_of((clp_feed_verdict)k));
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
  add_joints(&d, monitor);
  add_stamps(&d, monitor);
  add_overlaps(&d, monitor);
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
