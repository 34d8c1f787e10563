/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/report_page.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/tool/html.h"
#include "rclc_closest_point/tool/report_charts.h"
#include "rclc_closest_point/tool/report_picture.h"
#include "rclc_closest_point/tool/report_words.h"

/* Rows of tables; the rest is in the JSON. */
enum { PAIRS = 25, INPUTS = 60 };

#define N(value, digits) clp_html_number_of(value, digits).text
#define SECONDS(time) (1e-9 * (double)(time))
#define T(time) clp_html_seconds(SECONDS(time)).text

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--paper:#fff;--line:#d5dbe3;"
    "--card:#f5f7fa;--clear:#4c9f70;--warn:#e0a526;--stop:#c8372d;--silent:#8a6fb0;"
    "--required:#c8372d;--separation:#1f6fb2}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa6b5;--paper:#12161c;"
    "--line:#333c48;--card:#1b212a;--clear:#5cb585;--warn:#e8b64a;--stop:#e8645b;"
    "--silent:#a78bd0;--required:#ef7a72;--separation:#6db3ee}}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}\n"
    "main{max-width:1000px;margin:0 auto;padding:24px 20px 60px}\n"
    "h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:30px 0 8px}"
    "h3{font-size:16px;margin:0 0 6px}p{margin:6px 0}.soft{color:var(--soft)}\n"
    ".lead{font-size:17px;margin:12px 0}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:3px 10px 3px 0;border-bottom:1px solid var(--line)}"
    "th{color:var(--soft);font-weight:600}td.n,th.n{text-align:right}\n"
    ".pair{display:grid;grid-template-columns:1fr 1fr;gap:0 36px}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-left:5px solid var(--stop);"
    "border-radius:6px;padding:14px 16px;margin:14px 0}\n"
    ".quote{font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere}\n"
    ".views{display:grid;grid-template-columns:1fr 1fr;gap:14px}figure{margin:0}"
    "figcaption{color:var(--soft);font-size:13px;text-align:center}\n"
    "svg{width:100%;height:auto;display:block}svg.picture{background:var(--paper);"
    "border:1px solid var(--line);border-radius:4px}\n"
    "rect.clear{fill:var(--clear)}rect.warn{fill:var(--warn)}rect.stop{fill:var(--stop)}"
    "rect.silent{fill:var(--silent)}\n"
    "text.axis{font-size:11px;fill:var(--soft)}text.number{font-size:11px;fill:var(--ink)}"
    "text.label{font-size:15px;font-weight:700;fill:var(--ink);paint-order:stroke;"
    "stroke:var(--paper);stroke-width:4px}\n"
    "line.tick,line.zero{stroke:var(--soft)}line.zero{stroke-dasharray:4 3}"
    "line.grid{stroke:var(--line)}line.ruler{stroke:var(--ink);stroke-width:2}\n"
    "path{fill:none;stroke-width:2.2}path.required{stroke:var(--required);stroke-dasharray:7 4}"
    "path.separation{stroke:var(--separation)}\n"
    "polygon{stroke:#2a3340;stroke-width:.5;stroke-linejoin:round}polygon.body{fill-opacity:.8}"
    "polygon.decisive{fill:var(--warn);fill-opacity:.95;stroke-width:1}"
    "line.witness{stroke:var(--stop);stroke-width:2.5}"
    "circle.end{fill:var(--stop);stroke:var(--paper)}\n"
    ".key span{display:inline-block;margin-right:18px}.key i{display:inline-block;width:14px;"
    "height:10px;margin-right:5px;border-radius:2px}\n"
    "i.clear{background:var(--clear)}i.warn{background:var(--warn)}i.stop{background:var(--stop)}"
    "i.silent{background:var(--silent)}i.required{background:var(--required)}"
    "i.separation{background:var(--separation)}\n"
    "@media(max-width:700px){.pair,.views{grid-template-columns:1fr}}\n"
    "@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--line:#bbb;"
    "--card:#fff}main{max-width:none;padding:0}.card{break-inside:avoid}h2{break-after:avoid}"
    "svg,table tr{break-inside:avoid}*{print-color-adjust:exact}}\n";

/* ---- Tables ------------------------------------------------------------------------------- */

static void row(FILE *stream, const char *name, const char *value, const char *unit)
{
  clp_html(stream, "<tr><td>%s</td><td class=\"n\">%s%s</td></tr>\n", name, value,
           strcmp(value, "\u2013") == 0 ? "" : unit);
}

static void write_zones(FILE *stream, const clp_facts *f)
{
  static const char *const names[] = {"CLEAR", "WARN", "STOP", "no answer"};
  static const char *const classes[] = {"clear", "warn", "stop", "silent"};
  double all = 0;
  for (int k = 0; k < CLP_REPORT_ZONES; ++k)
    all += f->zones[k];
  clp_html(stream,
           "<table><tr><th>zone</th><th class=\"n\">time</th><th class=\"n\">share</th></tr>\n");
  for (int k = 0; k < CLP_REPORT_ZONES; ++k)
    clp_html(stream,
             "<tr class=\"key\"><td><i class=\"%s\"></i>%s</td><td class=\"n\">%s s</td><td "
             "class=\"n\">%s %%</td></tr>\n",
             classes[k], names[k], N(f->zones[k], 4), N(all > 0 ? 100 * f->zones[k] / all : 0, 3));
  clp_html(stream, "</table>\n");
}

static void write_cycles(FILE *stream, const clp_facts *f)
{
  bool known = f->slowest_cycle > 0;
  clp_html(stream, "<table><tr><th>cycles</th><th></th></tr>\n");
  row(stream, "answers recorded", N((double)f->answers, 9), "");
  row(stream, "on average every", N(1e3 * f->period, 3), " ms");
  row(stream, "cycles missing between them", N((double)f->missed, 9), "");
  row(stream, "longest without an answer", N(1e3 * f->longest_gap, 4), " ms");
  if (f->longest_gap > 0)
    row(stream, "  which began at", T(f->longest_gap_at - f->first), " s");
  row(stream, "slowest cycle", N(known ? 1e3 * f->slowest_cycle : (double)NAN, 3), " ms");
  row(stream, "longest from input to answer", N(known ? 1e3 * f->latency : (double)NAN, 3), " ms");
  clp_html(stream, "</table>\n");
}

static void write_inputs(FILE *stream, const clp_facts *f)
{
  clp_html(stream,
           "<h2>Input: frames on /tf</h2>\n<table><tr><th>frame</th><th class=\"n\">messages</th>"
           "<th class=\"n\">rate</th><th class=\"n\">longest gap</th><th class=\"n\">which began "
           "at</th></tr>\n");
  for (size_t k = 0; k < f->input_count && k < INPUTS; ++k) {
    const clp_report_input *in = &f->inputs[k];
    double time = SECONDS(in->last - in->first);
    clp_html(stream,
             "<tr><td>%s</td><td class=\"n\">%u</td><td class=\"n\">%s Hz</td><td class=\"n\">%s "
             "ms</td><td class=\"n\">%s s</td></tr>\n",
             in->name, in->count, N(time > 0 ? (double)(in->count - 1) / time : (double)NAN, 4),
             N(1e3 * SECONDS(in->gap), 4), T(in->gap_at - f->first));
  }
  clp_html(stream, "</table>\n");
  if (f->input_count > INPUTS)
    clp_html(stream, "<p class=\"soft\">And %d more, which --json lists.</p>\n",
             (int)f->input_count - INPUTS);
}

static void write_pairs(FILE *stream, const clp_facts *f)
{
  clp_html(stream,
           "<h2>Nearest approach of each pair</h2>\n<table><tr><th>pair</th><th class=\"n\">"
           "distance</th><th class=\"n\">at</th><th class=\"n\">least bound</th><th class=\"n\">"
           "without a fresh pose</th></tr>\n");
  for (size_t k = 0; k < f->pair_count && k < PAIRS; ++k) {
    const clp_report_pair *p = &f->pairs[k];
    clp_html(stream,
             "<tr><td>%s \u2013 %s</td><td class=\"n\">%s m</td><td class=\"n\">%s s</td><td "
             "class=\"n\">%s m</td><td class=\"n\">%s %%</td></tr>\n",
             p->a, p->b, N(p->nearest, 4), isnan(p->nearest) ? "\u2013" : T(p->at - f->first),
             N(p->least_bound, 4), N(100 * (double)p->stale / (double)p->cycles, 3));
  }
  clp_html(stream, "</table>\n");
  if (f->pair_count > PAIRS)
    clp_html(stream,
             "<p class=\"soft\">And %d pairs that were never nearer; --json lists them.</p>\n",
             (int)f->pair_count - PAIRS);
}

/* ---- STOPs -------------------------------------------------------------------------------- */

static void write_late(FILE *stream, const clp_report_stop *stop)
{
  if (stop->late_count == 0) {
    clp_html(stream,
             "<p>Nothing was late or missing: every frame on /tf was heard in its usual "
             "time, and no cycle was left out.</p>\n");
    return;
  }
  clp_html(stream, "<p>What was late or missing:</p><ul>\n");
  for (int k = 0; k < stop->late_count; ++k)
    clp_html(stream, "<li>%s</li>\n", stop->late[k].text);
  clp_html(stream, "</ul>\n");
}

/* What is more than enough for a page is not drawn. */
static void write_picture(FILE *stream, const clp_facts *f, const clp_report_stop *stop,
                          size_t *corners)
{
  bool full = *corners >= CLP_REPORT_OUTLINES;
  clp_html(stream, "<div class=\"views\">");
  size_t drawn = full ? 0 : clp_report_draw(stream, f, stop);
  *corners += drawn;
  clp_html(stream, "</div>\n");
  if (drawn == 0)
    clp_html(stream, "<p class=\"soft\">There is no picture of the cell: %s.</p>\n",
             full ? "those above have all the outlines that a page can have"
                  : "the bodies are not in the recording (topic markers)");
}

static void write_stop(FILE *stream, const clp_facts *f, size_t number, size_t *corners)
{
  const clp_report_stop *stop = &f->stops[number];
  clp_html(stream,
           "<section class=\"card\" id=\"stop%d\"><h3>STOP %d at %s UTC, %s s after the start; it "
           "lasted %s s%s</h3>\n",
           (int)number + 1, (int)number + 1, clp_html_clock(stop->begin).text,
           T(stop->begin - f->first), N(SECONDS(stop->end - stop->begin), 3),
           stop->ended ? "" : " and goes on where the recording ends");
  clp_html(stream,
           "<p>%s</p>\n<p class=\"soft\">The monitor said: <span class=\"quote\">%s</span>"
           "</p>\n",
           clp_report_explain(f, stop).text, stop->reason);
  if (stop->sample_count > 1) {
    clp_html(stream,
             "<p class=\"key\"><span><i class=\"separation\"></i>guaranteed separation of the "
             "decisive pair</span><span><i class=\"required\"></i>required (dashed)</span></p>\n");
    clp_chart_stop(stream, stop);
  }
  write_picture(stream, f, stop, corners);
  write_late(stream, stop);
  clp_html(stream, "</section>\n");
}

static void write_stops(FILE *stream, const clp_facts *f)
{
  size_t corners = 0;
  clp_html(stream, "<h2>Every STOP</h2>\n");
  if (f->stop_count == 0)
    clp_html(stream, "<p>There is none.</p>\n");
  for (size_t k = 0; k < f->stop_count && k < CLP_REPORT_STOPS; ++k)
    write_stop(stream, f, k, &corners);
  for (size_t k = CLP_REPORT_STOPS; k < f->stop_count; ++k)
    clp_html(stream, "<p>STOP %d at %s UTC, for %s s: <span class=\"quote\">%s</span></p>\n",
             (int)k + 1, clp_html_clock(f->stops[k].begin).text,
             N(SECONDS(f->stops[k].end - f->stops[k].begin), 3), f->stops[k].reason);
  if (f->more_stops > 0)
    clp_html(stream, "<p class=\"soft\">And %u more.</p>\n", f->more_stops);
}

/* ---- The page ----------------------------------------------------------------------------- */

static void write_front(FILE *stream, const clp_facts *f)
{
  clp_html(stream,
           "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>What the monitor did: "
           "%s</title>\n<style>\n",
           f->file);
  fputs(style, stream);
  clp_html(stream, "</style></head><body><main>\n<h1>What the monitor did</h1>\n");
  clp_html(stream, "<p class=\"soft\">%s \u00b7 %s to %s UTC \u00b7 %s \u00b7 frame %s</p>\n",
           f->file, clp_html_date(f->first).text, clp_html_date(f->last).text,
           f->monitor ? f->monitor : "no monitor", f->frame && *f->frame ? f->frame : "\u2013");
  clp_html(stream, "<p class=\"lead\">%s</p>\n", clp_report_overview(f).text);
  if (f->malformed > 0)
    clp_html(stream, "<p>%u messages could not be read.</p>\n", f->malformed);
}

static void write_summary(FILE *stream, const clp_facts *f)
{
  clp_chart_zones(stream, f);
  clp_html(stream, "<div class=\"pair\"><div>\n");
  write_zones(stream, f);
  clp_html(stream, "</div><div>\n");
  write_cycles(stream, f);
  clp_html(stream, "</div></div>\n");
}

static void write_details(FILE *stream, const clp_facts *f)
{
  if (f->answers > f->unknown) {
    clp_html(stream, "<h2>How much margin there was</h2>\n");
    clp_chart_margins(stream, f);
    if (f->unknown > 0)
      clp_html(stream, "<p class=\"soft\">In %u answers it was not known.</p>\n", f->unknown);
  }
  if (f->pair_count > 0)
    write_pairs(stream, f);
  if (f->input_count > 0)
    write_inputs(stream, f);
}

void clp_report_page(FILE *stream, const clp_facts *facts)
{
  write_front(stream, facts);
  if (facts->answers > 0) {
    write_summary(stream, facts);
    write_stops(stream, facts);
  }
  write_details(stream, facts);
  clp_html(stream,
           "<p class=\"soft\">Times are those at which messages were received. What the "
           "monitor guarantees, and under which assumptions, is in docs/safety.md of "
           "rclc_closest_point.</p>\n</main></body></html>\n");
}
