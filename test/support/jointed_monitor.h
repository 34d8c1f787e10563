/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_JOINTED_MONITOR_H
#define TEST_SUPPORT_JOINTED_MONITOR_H

/* A monitor of the arm of support/jointed.h. */

#include <string.h>

#include "rclc_closest_point/monitor/monitor.h"
#include "support/jointed.h"
#include "support/lines.h"
#include "support/suite.h"

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define BEGIN (1700000000 * SECOND)

enum { JOINTS = 5 };
static const char *const names[JOINTS] = {"shoulder", "elbow", "slide", "roll", "grip"};

static clp_settings settings;
static clp_monitor *monitor;
static lines said;

static inline void set(const char *name, const char *value)
{
  ck_assert_int_eq(clp_settings_read_value(&settings, name, value, "-p", lines_sink(&said)),
                   CLP_OK);
}

static inline clp_status create_of(const char *text)
{
  return clp_monitor_create(&settings, text, strlen(text), lines_sink(&said), &monitor);
}

static inline clp_status create(void)
{
  return create_of(jointed_text);
}

static inline void begin(const char *prefix, const char *pairs)
{
  said = (lines){0};
  monitor = NULL;
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  set("joint_states", "/joint_states");
  set("frame_prefix", prefix);
  set("robot_links", "[base, upper, lower, palm, thumb, finger]");
  set("pairs", pairs);
}

static inline void leave(void)
{
  clp_monitor_destroy(monitor);
  clp_settings_release(&settings);
}

#endif
