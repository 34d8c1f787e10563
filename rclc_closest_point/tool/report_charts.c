/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/report_charts.h"

#include <math.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/tool/html.h"

#define N(value) clp_svg_number(value).text

/* Colors are those of the page's style, by class. */
static const char *const zone_class[] = {"clear", "warn", "stop", "silent"};

/* A step of 1, 2 or 5 times a power of ten, so that there are about so many. */
static double step_of(double range, int count)
{
  double raw = range / count, power = pow(10, floor(log10(raw)));
  double share = raw / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

/* ---- Zones -------------------------------------------------------------------------------- */

enum { WIDE = 960, BAND = 34, LEFT = 6, COLUMNS = WIDE - 2 * LEFT };

/* The worst zone of each column, so that no STOP is too short to be seen. */
static void find_columns(const clp_facts *f, int columns[COLUMNS])
{
  static const int rank[] = {1, 2, 4, 3}; /* of CLEAR, WARN, STOP, silence; nothing is 0 */
  double width = (double)(f->last - f->first) / COLUMNS;
  for (int k = 0; k < COLUMNS; ++k)
    columns[k] = -1;
  for (size_t k = 0; k < f->span_count && width > 0; ++k) {
    int64_t end = k + 1 < f->span_count ? f->spans[k + 1].begin : f->last;
    int from = (int)((double)(f->spans[k].begin - f->first) / width);
    int to = (int)((double)(end - f->first) / width);
    for (int c = from < 0 ? 0 : from; c <= to && c < COLUMNS; ++c)
      if (columns[c] < 0 || rank[f->spans[k].zone] > rank[columns[c]])
        columns[c] = f->spans[k].zone;
  }
}

static void write_bands(FILE *stream, const clp_facts *f)
{
  int columns[COLUMNS], from = 0;
  find_columns(f, columns);
  for (int c = 1; c <= COLUMNS; ++c) {
    if (c < COLUMNS && columns[c] == columns[from])
      continue;
    if (columns[from] >= 0)
      clp_html(stream, "<rect class=\"%s\" x=\"%d\" y=\"18\" width=\"%d\" height=\"%d\"/>",
               zone_class[columns[from]], LEFT + from, c - from, BAND);
    from = c;
  }
}

static void write_time_axis(FILE *stream, double seconds)
{
  double step = step_of(seconds, 10);
  for (int k = 0; k * step <= seconds * (1 + 1e-9); ++k) {
    double x = LEFT + COLUMNS * (k * step / seconds);
    clp_html(stream, "<line class=\"tick\" x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\"/>", N(x),
             18 + BAND, N(x), 18 + BAND + 5);
    clp_html(stream, "<text class=\"axis\" x=\"%s\" y=\"%d\" text-anchor=\"%s\">%s s</text>", N(x),
             18 + BAND + 18,
             k == 0          ? "start"
             : x > WIDE - 30 ? "end"
                             : "middle",
             clp_number(k * step, 6).text);
  }
}

void clp_chart_zones(FILE *stream, const clp_facts *facts)
{
  const clp_facts *f = facts;
  double seconds = 1e-9 * (double)(f->last - f->first), before = -100;
  if (!(seconds > 0))
    return;
  clp_html(stream,
           "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"The zone over "
           "time\">",
           WIDE, 18 + BAND + 24);
  write_bands(stream, f);
  write_time_axis(stream, seconds);
  for (size_t k = 0; k < f->stop_count; ++k) {
    double x = LEFT + COLUMNS * 1e-9 * (double)(f->stops[k].begin - f->first) / seconds;
    if (x - before < 18)
      continue;
    before = x;
    clp_html(stream, "<text class=\"number\" x=\"%s\" y=\"13\" text-anchor=\"%s\">%d</text>", N(x),
             x < 12 ? "start" : "middle", (int)k + 1);
  }
  clp_html(stream, "</svg>\n");
}

/* ---- Margins ------------------------------------------------------------------------------ */

enum { HIGH = 200, BASE = 160, BAR_LEFT = 46 };

static const double bar = (double)(WIDE - BAR_LEFT - 8) / (CLP_REPORT_BINS + 2);

static double most_of(const clp_facts *f)
{
  uint64_t most = 1;
  for (int k = 0; k < CLP_REPORT_BINS + 2; ++k)
    most = f->bins[k] > most ? f->bins[k] : most;
  return (double)most;
}

static void write_margin_axis(FILE *stream, double all, double most)
{
  for (int k = 0; k <= CLP_REPORT_BINS; k += 10)
    clp_html(stream, "<text class=\"axis\" x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>",
             N(BAR_LEFT + bar * (k + 1)), BASE + 16, clp_number(clp_report_bin(k), 3).text);
  clp_html(stream,
           "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"end\">margin: separation minus "
           "required, m</text>",
           WIDE - 8, HIGH - 6);
  clp_html(stream, "<text class=\"axis\" x=\"%d\" y=\"16\" text-anchor=\"end\">%s %%</text>",
           BAR_LEFT - 6, clp_number(100 * most / all, 3).text);
  clp_html(stream, "<line class=\"tick\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", BAR_LEFT, BASE,
           WIDE - 8, BASE);
}

void clp_chart_margins(FILE *stream, const clp_facts *facts)
{
  const clp_facts *f = facts;
  double most = most_of(f), all = (double)f->answers;
  double zero = BAR_LEFT + bar * (1 - clp_report_bin(0) / (clp_report_bin(1) - clp_report_bin(0)));
  if (f->answers == f->unknown)
    return;
  clp_html(stream,
           "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"How often each "
           "margin was there\">",
           WIDE, HIGH);
  for (int k = 0; k < CLP_REPORT_BINS + 2; ++k) {
    double height = (BASE - 12) * (double)f->bins[k] / most;
    if (f->bins[k] > 0)
      clp_html(stream, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>",
               k == 0 || clp_report_bin(k - 1) < -1e-9 ? "stop" : "clear",
               N(BAR_LEFT + bar * k + 0.5), N(BASE - height), N(bar - 1), N(height));
  }
  clp_html(stream, "<line class=\"zero\" x1=\"%s\" y1=\"4\" x2=\"%s\" y2=\"%d\"/>", N(zero),
           N(zero), BASE);
  write_margin_axis(stream, all, most);
  clp_html(stream, "</svg>\n");
}

/* ---- A STOP ------------------------------------------------------------------------------- */

enum { STOP_WIDE = 960, STOP_HIGH = 290, STOP_LEFT = 52, STOP_BASE = 252, STOP_TOP = 14 };

typedef struct scale {
  double top; /* m, at the top */
} scale;

static double x_of(const clp_report_stop *stop, int64_t time)
{
  double seconds = 1e-9 * (double)(time - stop->begin);
  double share = (seconds + CLP_REPORT_ABOUT) / (2 * CLP_REPORT_ABOUT);
  return STOP_LEFT + (STOP_WIDE - STOP_LEFT - 10) * share;
}

static double y_of(scale s, double value)
{
  double share = fmin(fmax(value / s.top, 0), 1.02);
  return STOP_BASE - (STOP_BASE - STOP_TOP) * share;
}

static scale scale_of(const clp_report_stop *stop)
{
  double top = 0.1;
  for (size_t k = 0; k < stop->sample_count; ++k) {
    const clp_report_sample *s = &stop->samples[k];
    if (isfinite(s->required))
      top = fmax(top, s->required);
    if (isfinite(s->separation))
      top = fmax(top, fmin(s->separation, 4 * fmax(s->required, 0.5)));
  }
  return (scale){1.08 * top};
}

/* A curve, broken where there is no value. */
static void write_curve(FILE *stream, const clp_report_stop *stop, scale s, const char *name,
                        bool required)
{
  bool open = false;
  clp_html(stream, "<path class=\"%s\" d=\"", name);
  for (size_t k = 0; k < stop->sample_count; ++k) {
    double value = required ? stop->samples[k].required : stop->samples[k].separation;
    bool gap = k > 0 && stop->samples[k].time - stop->samples[k - 1].time > 100000000;
    if (!isfinite(value)) {
      open = false;
      continue;
    }
    clp_html(stream, "%s%s %s ", open && !gap ? "L" : "M", N(x_of(stop, stop->samples[k].time)),
             N(y_of(s, value)));
    open = true;
  }
  clp_html(stream, "\"/>");
}

static void write_zone_band(FILE *stream, const clp_report_stop *stop)
{
  size_t from = 0;
  for (size_t k = 1; k <= stop->sample_count; ++k) {
    bool last = k == stop->sample_count;
    if (!last && stop->samples[k].zone == stop->samples[from].zone &&
        stop->samples[k].time - stop->samples[k - 1].time < 100000000)
      continue;
    double x = x_of(stop, stop->samples[from].time);
    double end = x_of(
        stop,
        stop->samples[last || stop->samples[k].time - stop->samples[k - 1].time >= 100000000 ? k - 1
                                                                                             : k]
            .time);
    uint8_t zone = stop->samples[from].zone;
    clp_html(stream, "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"8\"/>",
             zone_class[zone < 2 ? zone : 2], N(x), STOP_BASE + 2, N(fmax(end - x, 0.5)));
    from = k;
  }
}

static void write_stop_axes(FILE *stream, const clp_report_stop *stop, scale s)
{
  double step = step_of(s.top, 5);
  for (int k = 0; k * step <= s.top; ++k) {
    double y = y_of(s, k * step);
    clp_html(stream, "<line class=\"grid\" x1=\"%d\" y1=\"%s\" x2=\"%d\" y2=\"%s\"/>", STOP_LEFT,
             N(y), STOP_WIDE - 10, N(y));
    clp_html(stream, "<text class=\"axis\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s m</text>",
             STOP_LEFT - 5, N(y + 4), clp_number(k * step, 4).text);
  }
  for (int k = -4; k <= 4; ++k) {
    double x = x_of(stop, stop->begin + (int64_t)(0.25e9 * CLP_REPORT_ABOUT * k));
    clp_html(stream, "<text class=\"axis\" x=\"%s\" y=\"%d\" text-anchor=\"%s\">%s%s s</text>",
             N(x), STOP_BASE + 27, k == 4 ? "end" : "middle", k > 0 ? "+" : "",
             clp_number(0.25 * CLP_REPORT_ABOUT * k, 3).text);
  }
}

void clp_chart_stop(FILE *stream, const clp_report_stop *stop)
{
  scale s = scale_of(stop);
  double x = x_of(stop, stop->begin);
  clp_html(stream,
           "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Separation and "
           "required separation about the STOP\">",
           STOP_WIDE, STOP_HIGH);
  write_stop_axes(stream, stop, s);
  write_zone_band(stream, stop);
  clp_html(stream, "<line class=\"zero\" x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\"/>", N(x), STOP_TOP,
           N(x), STOP_BASE);
  write_curve(stream, stop, s, "required", true);
  write_curve(stream, stop, s, "separation", false);
  clp_html(stream, "</svg>\n");
}
