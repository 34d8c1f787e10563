/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_log.h"

#include <rcl/error_handling.h>
#include <rcutils/logging_macros.h>

static void log_line(void *user, clp_severity severity, const char *line)
{
  const char *logger = user;
  if (severity == CLP_NOTE)
    RCUTILS_LOG_INFO_NAMED(logger, "%s", line);
  else
    RCUTILS_LOG_ERROR_NAMED(logger, "%s", line);
}

clp_model_sink clp_ros_sink(const char *logger)
{
  union {
    const char *in;
    void *out;
  } same = {logger};
  return (clp_model_sink){log_line, same.out};
}

bool clp_ros_good(rcl_ret_t result, const char *logger, const char *call, const char *about)
{
  if (result == RCL_RET_OK)
    return true;
  const char *why = rcl_error_is_set() ? rcl_get_error_string().str : "see above"; /* by rclc */
  RCUTILS_LOG_ERROR_NAMED(logger, "%s for %s fails: %s", call, about, why);
  rcl_reset_error();
  return false;
}

bool clp_ros_good_once(rcl_ret_t result, bool *said, const char *logger, const char *call,
                       const char *about)
{
  if (result == RCL_RET_OK)
    return true;
  if (*said)
    rcl_reset_error();
  else
    (void)clp_ros_good(result, logger, call, about);
  *said = true;
  return false;
}

bool clp_ros_no_memory(const char *logger, const char *about)
{
  RCUTILS_LOG_ERROR_NAMED(logger, "no memory for %s", about);
  rcl_reset_error();
  return false;
}
