/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ONE_MONITOR_H
#define TEST_SUPPORT_ONE_MONITOR_H

/* A test's one monitor, made of its settings and anew when they have changed. */

#include <string.h>

#include "rclc_closest_point/monitor/diagnostics.h"
#include "rclc_closest_point/monitor/monitor.h"
#include "support/instants.h"
#include "support/settings.h"

static clp_monitor *monitor;

static inline void monitor_begin(void)
{
  settings_begin();
  monitor = NULL;
}

static inline clp_status create_of(const char *text)
{
  clp_monitor_destroy(monitor);
  monitor = NULL;
  return clp_monitor_create(&settings, text, strlen(text), lines_sink(&said), &monitor);
}

static inline void leave(void)
{
  clp_monitor_destroy(monitor);
  clp_settings_release(&settings);
}

static inline const char *value_of(const clp_diagnostics *d, const char *key)
{
  for (int k = 0; k < d->count; ++k)
    if (strcmp(d->values[k].key, key) == 0)
      return d->values[k].value;
  return "";
}

#endif
