/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_DIAGNOSTICS_H
#define RCLC_CLOSEST_POINT_MONITOR_DIAGNOSTICS_H

/* How the monitor is, for /diagnostics: one status with its values, as texts. */

#include "rclc_closest_point/monitor/monitor.h"
#include "rclc_closest_point/monitor/timing.h"

/* So many links have a value of their own. */
#define CLP_DIAGNOSTICS_LINKS 64
#define CLP_DIAGNOSTICS_MAX (56 + 2 * CLP_DIAGNOSTICS_LINKS)

/* The values of DiagnosticStatus. */
typedef enum clp_health { CLP_HEALTH_OK = 0, CLP_HEALTH_WARN = 1, CLP_HEALTH_ERROR = 2 } clp_health;

typedef struct clp_diagnostic {
  char key[80], value[96];
} clp_diagnostic;

typedef struct clp_diagnostics {
  clp_health level;
  char message[400];
  clp_diagnostic values[CLP_DIAGNOSTICS_MAX];
  int count;
} clp_diagnostics;

/* How the cycles have run since the last diagnostics. */
typedef struct clp_cycle_record {
  clp_timing lateness; /* of the cycles' beginnings */
  clp_timing duration;
  uint64_t cycles, missed;
  uint64_t late;  /* answers that were STOP for being too old to be written */
  double seconds; /* that this covers */
} clp_cycle_record;

/* The monitor is NULL as long as there is no model; `unread` is then how many messages could not be
 * read, which nobody else counts. `report` is the newest. */
clp_diagnostics clp_diagnose(const clp_monitor *monitor, const clp_report *report,
                             const clp_cycle_record *record, uint64_t unread);

#endif
