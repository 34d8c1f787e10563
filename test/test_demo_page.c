/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/tool/demo_page.h"
#include "support/suite.h"

/* The demonstration's table on screens of any size. */

static clp_page page;

static clp_demo_news some_news(void)
{
  clp_demo_news news = {.live = true,
                        .silence = 0.002,
                        .row_count = 3,
                        .tracked = 2,
                        .culled = 53,
                        .stale = 1,
                        .nearest = 0.4321,
                        .cycle_rate = 1000,
                        .cycle_time = 1e-4,
                        .zone = CLP_ZONE_WARN,
                        .speed_scale = 0.25,
                        .body_a = "gripper_base",
                        .body_b = "right_upper_arm",
                        .reason = "warn: separation 0.43 m, required 0.3 m"};
  news.rows[0] =
      (clp_demo_row){"gripper_base", "right_upper_arm", CLP_TRACKING, 0.4321, 0.43, -0.25, 0.005};
  news.rows[1] = (clp_demo_row){"left_finger", "head", CLP_PENETRATING, 12.5, -0.001, 0, 0};
  news.rows[2] = (clp_demo_row){"tool",      "pillar", CLP_STALE, (double)NAN, -(double)INFINITY,
                                (double)NAN, 2.977};
  for (int k = 0; k < CLP_DEMO_HISTORY; ++k)
    news.history[news.history_count++] = k % 50 == 49 ? (double)NAN : 0.3 + 0.002 * k;
  return news;
}

/* How many columns the widest line takes, and how many lines there are. Nothing but characters,
 * line ends and colors. */
static int widest_line(int *lines)
{
  int widest = 0, width = 0, strange = 0;
  *lines = 0;
  for (const char *c = page.text; *c; ++c) {
    if (*c == 0x1b) {
      c += strcspn(c, "m");
      strange += *c != 'm';
    } else if (*c == '\n') {
      ++*lines;
      width = 0;
    } else {
      strange += (unsigned char)*c < ' ';
      width += ((unsigned char)*c & 0xc0) != 0x80;
      widest = width > widest ? width : widest;
    }
  }
  ck_assert_int_eq(strange, 0);
  return widest;
}

SUITE("demo_page");

TEST_CASE("page", 10);

TEST(it_fits_every_screen)
{
  clp_demo_news news = some_news();
  for (int columns = 1; columns < 250; columns += 1 + columns / 40) {
    for (int rows = 1; rows < 40; rows += 3) {
      int lines;
      clp_page_begin(&page, columns, rows, columns % 2, rows % 2);
      clp_demo_fill_page(&page, &news, " q quits, and more that may be cut off");
      ck_assert_int_eq(widest_line(&lines), columns);
      ck_assert_int_eq(lines, rows);
    }
  }
}

TEST(what_it_says)
{
  static const char *const parts[] = {
      " closest_point demo   WARN    speed  25 % ###.......\n",
      " gripper_base - right_upper_arm: warn: separation 0.43 m, required 0.3 m\n",
      " 56 pairs: 2 tracked, 53 culled, 1 stale\n",
      " 1000 cycles/s, 0.10 ms each",
      " nearest  0.432 m ",
      "-----?-----",
      "~~~ 0.50-1.00 m\n",
      " gripper_base - right_upper_arm                0.432    0.430  -0.25   5.0 WARN\n",
      " left_finger - head                           12.500   -0.001   0.00   0.0\n",
      " tool - pillar                                     -        -      -  2977 stale\n"};
  clp_demo_news news = some_news();
  clp_page_begin(&page, 80, 0, false, false);
  clp_demo_fill_page(&page, &news, NULL);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
    ck_assert_msg(strstr(page.text, parts[k]), "no '%s' in:\n%s", parts[k], page.text);
}

TEST(silence_is_no_answer)
{
  clp_demo_news news = some_news();
  news.silence = 1;
  clp_page_begin(&page, 80, 0, false, false);
  clp_demo_fill_page(&page, &news, NULL);
  ck_assert_ptr_nonnull(strstr(page.text, "SILENT  speed   0 %"));
  ck_assert_ptr_nonnull(strstr(page.text, "no answer for 1.0 s"));
  ck_assert_ptr_null(strstr(page.text, "WARN"));
  clp_page_begin(&page, 80, 0, false, false);
  clp_demo_fill_line(&page, &news, 12);
  ck_assert_ptr_nonnull(strstr(page.text, "  12.0 s  SILENT speed   0 %"));
}

TEST(without_news)
{
  static const clp_demo_news nothing = {.live = false};
  clp_page_begin(&page, 80, 24, true, true);
  clp_demo_fill_page(&page, &nothing, NULL);
  ck_assert_ptr_nonnull(strstr(page.text, "waiting for the monitor's first answer"));
}
