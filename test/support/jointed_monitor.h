/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_JOINTED_MONITOR_H
#define TEST_SUPPORT_JOINTED_MONITOR_H

/* A monitor of the arm of support/jointed.h. */

#include "support/jointed.h"
#include "support/one_monitor.h"

enum { JOINTS = 5 };
static const char *const names[JOINTS] = {"shoulder", "elbow", "slide", "roll", "grip"};

static inline clp_status create(void)
{
  return create_of(jointed_text);
}

static inline void begin(const char *prefix, const char *pairs)
{
  monitor_begin();
  set("joint_states", "/joint_states");
  set("frame_prefix", prefix);
  set("robot_links", "[base, upper, lower, palm, thumb, finger]");
  set("pairs", pairs);
}

#endif
