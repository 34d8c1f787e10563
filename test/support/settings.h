/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_SETTINGS_H
#define TEST_SUPPORT_SETTINGS_H

/* The settings of a test, and what is said about them and by whom they are for. */

#include "rclc_closest_point/monitor/settings.h"
#include "support/lines.h"
#include "support/suite.h"

static clp_settings settings;
static lines said;

static inline void settings_begin(void)
{
  said = (lines){0};
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
}

static inline void set(const char *name, const char *value)
{
  ck_assert_int_eq(clp_settings_read_value(&settings, name, value, "-p", lines_sink(&said)),
                   CLP_OK);
}

#endif
