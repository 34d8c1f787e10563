/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/report_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"

static void add(clp_report_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(clp_report_words *words, const char *format, ...)
{
  size_t used = strlen(words->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words->text + used, sizeof words->text - used, format, arguments);
  va_end(arguments);
}

#define N(value, digits) clp_number(value, digits).text

/* The last sample at least so many seconds before the STOP; NULL: there is none. */
static const clp_report_sample *sample_before(const clp_report_stop *stop, double seconds)
{
  const clp_report_sample *found = NULL;
  for (size_t k = 0; k < stop->sample_count; ++k)
    if (stop->samples[k].time <= stop->begin - (int64_t)(1e9 * seconds))
      found = &stop->samples[k];
  return found;
}

/* Which of the two curves has brought them together. */
static void add_course(clp_report_words *words, const clp_report_stop *stop)
{
  const double look_back = 0.5;
  const clp_report_sample *before = sample_before(stop, look_back);
  if (!before || !isfinite(before->separation) || !isfinite(before->required))
    return;
  double nearer = before->separation - stop->separation, more = stop->required - before->required;
  add(words,
      " Half a second before it was %s m, and %s m were required: ", N(before->separation, 3),
      N(before->required, 3));
  if (nearer > 2 * fabs(more))
    add(words, "they have come nearer.");
  else if (more > 2 * fabs(nearer))
    add(words,
        "not the distance has changed, but what is required, as they approach faster than before.");
  else if (nearer > 0 && more > 0)
    add(words, "they have come nearer, and more is required, as they approach faster.");
  else
    add(words, "both have changed.");
}

static void explain_distance(clp_report_words *words, const clp_report_stop *stop)
{
  add(words,
      "Between %.100s and %.100s a separation of %s m was guaranteed, and %s m were required, for "
      "the time and way that it takes to stop",
      stop->a, stop->b, N(stop->separation, 3), N(stop->required, 3));
  if (isfinite(stop->approach) && stop->approach > 0)
    add(words, " while they approach each other at %s m/s.", N(stop->approach, 3));
  else
    add(words, ".");
  if (isfinite(stop->distance) && stop->distance - stop->separation > 0.01)
    add(words,
        " The distance itself was %s m: %s m of it do not count, for what may have happened since "
        "the poses were measured.",
        N(stop->distance, 3), N(stop->distance - stop->separation, 2));
  if (strstr(stop->reason, ", not settled yet"))
    add(words, " How far they were in truth was still being computed: they were no nearer.");
  if (strstr(stop->reason, ", held "))
    add(words, " By now that would be enough: a STOP is held for a while after its cause is gone.");
  add_course(words, stop);
}

static void explain_doubt(clp_report_words *words, const clp_report_stop *stop)
{
  if (strstr(stop->reason, "stale"))
    add(words,
        "The monitor had no fresh pose of something that it watches, so that nobody knew how far "
        "it was: what is not known counts as too near.");
  else if (strstr(stop->reason, "not covered"))
    add(words, "A cycle had no time for all pairs, and what is not looked at counts as too near.");
  else if (strstr(stop->reason, "not certified"))
    add(words, "A distance could not be proven, and what is not proven counts as too near.");
  else if (strstr(stop->reason, "shutting down"))
    add(words, "The monitor was ended, and said so: without it the robot must not move.");
  else
    add(words, "The monitor itself has ordered it.");
}

clp_report_words clp_report_explain(const clp_facts *facts, const clp_report_stop *stop)
{
  clp_report_words words = {""};
  (void)facts;
  if (stop->from_start)
    add(&words, "The recording begins with it. ");
  if (strncmp(stop->reason, "stop: ", 6) == 0 && isfinite(stop->separation))
    explain_distance(&words, stop);
  else
    explain_doubt(&words, stop);
  return words;
}

clp_report_words clp_report_overview(const clp_facts *facts)
{
  clp_report_words words = {""};
  double seconds = 1e-9 * (double)(facts->last - facts->first), longest = 0;
  size_t which = 0;
  if (facts->answers == 0) {
    add(&words, "There is no answer of a monitor in this recording of %s s.", N(seconds, 4));
    return words;
  }
  for (size_t k = 0; k < facts->stop_count; ++k) {
    double length = 1e-9 * (double)(facts->stops[k].end - facts->stops[k].begin);
    if (length > longest) {
      longest = length;
      which = k;
    }
  }
  if (facts->stop_count == 0)
    add(&words, "In %s s the robot was never told to stop.", N(seconds, 4));
  else if (facts->stop_count == 1)
    add(&words, "In %s s the robot was told to stop once, for %s s.", N(seconds, 4),
        N(facts->zones[2], 3));
  else
    add(&words,
        "In %s s the robot was told to stop %" PRIu64
        " times, for %s s in all; the longest STOP%s is number %d, of %s s.",
        N(seconds, 4), facts->stop_count + facts->more_stops, N(facts->zones[2], 3),
        facts->more_stops > 0 ? " that is listed" : "", (int)which + 1, N(longest, 3));
  if (facts->zones[CLP_REPORT_SILENT] > 0)
    add(&words, " For %s s the monitor said nothing, which must stop the robot, too.",
        N(facts->zones[CLP_REPORT_SILENT], 3));
  return words;
}
