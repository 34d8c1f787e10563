/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/demo_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Numbers ------------------------------------------------------------------------------ */

typedef struct number_text {
  char text[24];
} number_text;

/* Right-aligned; a dash where there is no number. */
static number_text number(double value, int width, int decimals)
{
  number_text result;
  if (isfinite(value) && fabs(value) < 1e6)
    snprintf(result.text, sizeof result.text, "%*.*f", width, decimals, value);
  else
    snprintf(result.text, sizeof result.text, "%*s", width, "-");
  return result;
}

/* ---- Zones -------------------------------------------------------------------------------- */

typedef struct zone_look {
  const char *name;
  clp_ink ink, badge;
} zone_look;

static const zone_look looks[] = {
    [CLP_ZONE_CLEAR] = {"CLEAR", CLP_INK_GOOD, CLP_INK_GOOD_BADGE},
    [CLP_ZONE_WARN] = {"WARN", CLP_INK_WARN, CLP_INK_WARN_BADGE},
    [CLP_ZONE_STOP] = {"STOP", CLP_INK_BAD, CLP_INK_BAD_BADGE},
};
static const zone_look silent_look = {"SILENT", CLP_INK_BAD, CLP_INK_BAD_BADGE};

static bool is_silent(const clp_demo_news *news)
{
  return !news->live || news->silence > CLP_DEMO_SILENCE;
}

static zone_look look_of(const clp_demo_news *news)
{
  return is_silent(news) ? silent_look : looks[news->zone];
}

static void put_bar(clp_page *page, clp_ink ink, double fraction)
{
  const int width = 10;
  for (int k = 0; k < width; ++k) {
    bool full = k < fraction * width;
    if (page->utf8)
      clp_page_put(page, full ? ink : CLP_INK_FAINT, full ? "\xe2\x96\x88" : "\xe2\x96\x91");
    else
      clp_page_put(page, full ? ink : CLP_INK_FAINT, full ? "#" : ".");
  }
}

static void put_zone(clp_page *page, const clp_demo_news *news)
{
  zone_look look = look_of(news);
  double scale = is_silent(news) ? 0 : news->speed_scale;
  clp_page_put(page, CLP_INK_BOLD, " closest_point demo  ");
  clp_page_print(page, look.badge, " %-6s", look.name);
  clp_page_print(page, CLP_INK_PLAIN, "  speed %3.0f %% ", 100 * scale);
  put_bar(page, look.ink, scale);
  clp_page_end_line(page);
}

static void put_reason(clp_page *page, const clp_demo_news *news)
{
  char text[256] = "waiting for the monitor's first answer";
  const char *dash = page->utf8 ? "\xe2\x80\x93" : "-";
  if (news->live && is_silent(news))
    snprintf(text, sizeof text, "no answer for %.1f s", fmin(news->silence, 1e6));
  else if (news->live && news->body_a[0])
    snprintf(text, sizeof text, "%s %s %s: %s", news->body_a, dash, news->body_b, news->reason);
  else if (news->live)
    snprintf(text, sizeof text, "%s", news->reason);
  clp_page_put(page, CLP_INK_PLAIN, " ");
  clp_page_fit(page, CLP_INK_PLAIN, text, page->columns);
  clp_page_end_line(page);
}

/* ---- How the monitor is ------------------------------------------------------------------- */

static void put_health(clp_page *page, const clp_demo_news *news)
{
  uint32_t all = news->tracked + news->culled + news->stale;
  clp_page_print(page, CLP_INK_PLAIN, " %u pairs: %u tracked, %u culled, ", all, news->tracked,
                 news->culled);
  clp_page_print(page, news->stale ? CLP_INK_BAD : CLP_INK_PLAIN, "%u stale", news->stale);
  clp_page_end_line(page);
  clp_page_print(page, CLP_INK_PLAIN, " %s cycles/s, %s ms each; input %s Hz, %s ms old",
                 number(news->cycle_rate, 0, 0).text, number(1e3 * news->cycle_time, 0, 2).text,
                 number(news->input_rate, 0, 0).text, number(1e3 * news->latency, 0, 1).text);
  clp_page_end_line(page);
}

/* ---- The course of the smallest distance -------------------------------------------------- */

static void put_mark(clp_page *page, double value, double bottom, double top)
{
  static const char *const blocks[] = {"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
                                       "\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86",
                                       "\xe2\x96\x87", "\xe2\x96\x88"};
  static const char *const letters[] = {"_", ".", ",", "-", "~", "=", "*", "#"};
  if (!isfinite(value)) {
    clp_page_put(page, CLP_INK_BAD, "?");
    return;
  }
  int level = (int)fmin(fmax(8 * (value - bottom) / (top - bottom), 0), 7);
  clp_page_put(page, CLP_INK_PLAIN, page->utf8 ? blocks[level] : letters[level]);
}

/* From a quarter of a meter to a quarter of a meter. */
static void put_course(clp_page *page, const clp_demo_news *news)
{
  clp_page_print(page, CLP_INK_BOLD, " nearest %s m ", number(news->nearest, 6, 3).text);
  int room = page->columns - page->column - (int)strlen(" 0.00-0.00 m");
  int count = news->history_count < room ? news->history_count : room > 0 ? room : 0;
  const double *shown = news->history + news->history_count - count;
  double bottom = (double)INFINITY, top = -(double)INFINITY;
  for (int k = 0; k < count; ++k) {
    bottom = fmin(bottom, shown[k]);
    top = fmax(top, shown[k]);
  }
  bottom = isfinite(bottom) ? 0.25 * floor(4 * bottom) : 0;
  top = fmax(isfinite(top) ? 0.25 * ceil(4 * top) : 0, bottom + 0.25);
  clp_page_to(page, page->column + room - count);
  for (int k = 0; k < count; ++k)
    put_mark(page, shown[k], bottom, top);
  clp_page_print(page, CLP_INK_FAINT, " %.2f-%.2f m", bottom, top);
  clp_page_end_line(page);
}

/* ---- Pairs -------------------------------------------------------------------------------- */

/* Of the columns behind the names, the last ones first when there is no room for all. */
#define NUMBERS_WIDTH 37
#define LEAST_NAMES 18

static void put_heading(clp_page *page, int names)
{
  static const char *const lines[2] = {" distance at least   rate   age zone",
                                       "        m        m    m/s    ms"};
  static const char *const first[2] = {" pair", ""};
  for (int k = 0; k < 2; ++k) {
    clp_page_put(page, CLP_INK_FAINT, first[k]);
    clp_page_to(page, names);
    clp_page_put(page, CLP_INK_FAINT, lines[k]);
    clp_page_end_line(page);
  }
}

static bool is_decisive(const clp_demo_news *news, const clp_demo_row *row)
{
  return strcmp(news->body_a, row->a) == 0 && strcmp(news->body_b, row->b) == 0;
}

static void put_row(clp_page *page, const clp_demo_news *news, const clp_demo_row *row, int names)
{
  char pair[2 * CLP_DEMO_NAME + 8];
  bool decisive = is_decisive(news, row), stale = row->status == CLP_STALE;
  zone_look look = look_of(news);
  clp_ink ink = stale ? CLP_INK_BAD : decisive ? look.ink : CLP_INK_PLAIN;
  snprintf(pair, sizeof pair, " %s %s %s", row->a, page->utf8 ? "\xe2\x80\x93" : "-", row->b);
  clp_page_fit(page, ink, pair, names);
  clp_page_to(page, names);
  clp_page_print(page, ink, " %s %s %s %s", number(row->distance, 8, 3).text,
                 number(row->lower_bound, 8, 3).text, number(row->rate, 6, 2).text,
                 number(1e3 * row->age, 5, row->age < 0.9 ? 1 : 0).text);
  if (stale || decisive)
    clp_page_print(page, ink, " %s", stale ? "stale" : look.name);
  clp_page_end_line(page);
}

void clp_demo_fill_page(clp_page *page, const clp_demo_news *news, const char *footer)
{
  int names = page->columns - NUMBERS_WIDTH;
  names = names > LEAST_NAMES ? names : LEAST_NAMES;
  names = names > 44 ? 44 : names;
  put_zone(page, news);
  put_reason(page, news);
  put_health(page, news);
  put_course(page, news);
  clp_page_end_line(page);
  put_heading(page, names);
  int last = page->rows > 0 ? page->rows - (footer != NULL) : page->line + news->row_count;
  for (int k = 0; k < news->row_count && page->line < last; ++k)
    put_row(page, news, &news->rows[k], names);
  if (!footer)
    return;
  while (page->line < last)
    clp_page_end_line(page);
  clp_page_fit(page, CLP_INK_FAINT, footer, page->columns);
  clp_page_end_line(page);
}

void clp_demo_fill_line(clp_page *page, const clp_demo_news *news, double time)
{
  zone_look look = look_of(news);
  clp_page_print(page, look.ink, "%6.1f s  %-6s", time, look.name);
  clp_page_print(page, CLP_INK_PLAIN, " speed %3.0f %%  nearest %s m  %s cycles/s  ",
                 is_silent(news) ? 0.0 : 100 * news->speed_scale, number(news->nearest, 6, 3).text,
                 number(news->cycle_rate, 4, 0).text);
  if (!is_silent(news) && news->body_a[0])
    clp_page_print(page, CLP_INK_PLAIN, "%s - %s", news->body_a, news->body_b);
  clp_page_end_line(page);
}
