/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/monitor/monitor.h"
#include "support/lines.h"
#include "support/suite.h"

/* ~/safety of the whole monitor, fed with scripted transforms. */

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define BEGIN (1700000000 * SECOND)

static const char model_text[] =
    "<robot name='cell'>"
    "<link name='world'/>"
    "<link name='arm'><patches><capsule radius='0.1' length='0.4'/></patches></link>"
    "<link name='table'><patches><box size='1 1 0.1'/></patches></link>"
    "<link name='alice'><patches><capsule radius='0.2' length='1.2'/></patches></link>"
    "<link name='bob'><patches><capsule radius='0.2' length='1.2'/></patches></link>"
    "</robot>";

static clp_settings settings;
static clp_monitor *monitor;
static lines said;

static void set(const char *name, const char *value)
{
  ck_assert_int_eq(clp_settings_read_value(&settings, name, value, "-p", lines_sink(&said)),
                   CLP_OK);
}

static void create(void)
{
  clp_monitor_destroy(monitor);
  monitor = NULL;
  ck_assert_int_eq(
      clp_monitor_create(&settings, model_text, strlen(model_text), lines_sink(&said), &monitor),
      CLP_OK);
}

static void enter(void)
{
  said = (lines){0};
  monitor = NULL;
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  set("robot_links", "[arm]");
  set("human_links", "[alice, bob]");
}

static void leave(void)
{
  clp_monitor_destroy(monitor);
  clp_settings_release(&settings);
}

static void feed(const char *child, bool is_static, int64_t stamp, clp_vec3 position)
{
  clp_arrival arrival = {"world", child, stamp, position, {0, 0, 0, 1}};
  clp_monitor_feed(monitor, &arrival, 1, is_static, stamp);
}

/* ---- Who counts --------------------------------------------------------------------------- */

/* The arm rests for a second, as moving things do: it is told again and again. */
static const clp_report *rest_arm(int64_t from, double z)
{
  const clp_report *report = NULL;
  for (int k = 0; k <= 100; ++k) {
    feed("arm", false, from + k * 10 * MILLISECOND, (clp_vec3){0, 0, z});
    report = clp_monitor_cycle(monitor, from + k * 10 * MILLISECOND);
  }
  return report;
}

/* A stale pair of obstacles stops nobody, and things need not be as far away as people. */
START_TEST(only_the_robot_counts)
{
  set("pairs", "['arm:table', 'table:bob']");
  create();
  feed("table", true, 0, (clp_vec3){0, 0, -0.05});
  const clp_report *report = rest_arm(BEGIN, 1);
  ck_assert_uint_eq(report->stale, 1);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_CLEAR);
  ck_assert_double_eq(report->safety.speed_scale, 1);
  ck_assert_double_eq_tol(report->safety.separation, 0.7, 1e-6);
  ck_assert_double_eq_tol(report->safety.required_separation, 0.17, 1e-9);
  ck_assert_double_eq(report->pairs[0].required, report->safety.required_separation);
  ck_assert_double_eq(report->pairs[1].required, -HUGE_VAL);
  report = rest_arm(BEGIN + 2 * SECOND, 0.68);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_WARN);
  ck_assert_double_eq_tol(report->safety.speed_scale, 0.5, 1e-4);
  report = rest_arm(BEGIN + 4 * SECOND, 0.46);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report->safety.speed_scale, 0);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("safety");
  TCase *tcase = suite_case(suite, "scenarios", 20);
  tcase_add_checked_fixture(tcase, enter, leave);
  tcase_add_test(tcase, only_the_robot_counts);
  return suite_run(suite);
}
